"""Changes of the sheet, described as events or (for `why`) with the old values."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.engine.fields import FREE, Value
from companion.engine.sheet import Sheet, cut, of_member
from companion.words import spoken

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.packs import Pack
    from companion.play.journal import Entry

Pair = tuple[str, Value, Value]  # a field, before and after


class Change:
    """A changed field: its label, its values before and after (also in words), and its boxes if any.

    `thing` is true for the state of a part, `person` for that of a man.
    """

    def __init__(
        self, name: str, label: str, before: Value, after: Value, boxes: int | None, thing: bool, person: bool
    ) -> None:
        self.name, self.label, self.before, self.after, self.boxes = name, label, before, after, boxes
        self.thing, self.person = thing, person
        self.was = self.now = ""

    @property
    def sentence(self) -> str:
        """Return the change as a sentence: `Engine 2 is out`, `Altitude HI`, `Evasive action`"""
        label = spoken(self.label) if self.thing else self.label
        if self.person or self.boxes is not None or self.after == "yes" or "," in label:
            return self.event
        if self.after == "no":
            return f"No {label[:1].lower()}{label[1:]}"
        if " " in label and not self.thing:
            return self.event
        are = "are" if re.search(r"[^s]s$", label) else "is"
        return f"{label} {f'{are} ' if self.thing else ''}{self.now}"

    @property
    def event(self) -> str:
        """Return the change as an event: `Wing tanks: 12 crossed off, 26 left`, `Rally missed`, `Engine 2: out`."""
        if self.boxes is not None:
            more, left = int(self.after) - int(self.before or 0), self.boxes - int(self.after)
            return f"{self.label}: {abs(more)} {'crossed off' if more > 0 else 'erased'}, {left} left"
        return self.label if self.after == "yes" else f"{self.label}: {self.now}"

    @property
    def arrow(self) -> str:
        """Return the change with the old value: `Wing tanks: 0 → 12`."""
        return f"{self.label}: {self.was} → {self.now}"


class Changes:
    """The changes of one or more results on the sheet: swapped seats, and all other fields."""

    def __init__(self, places: Sequence[str], fields: Sequence[Change]) -> None:
        self.places, self.fields = places, fields

    def events(self) -> list[str]:
        """Return the changes as events; equal changes of several members are merged."""
        return [*self.places, *_once([(each, each.event) for each in self.fields])]

    def sentences(self) -> str:
        """Return the changes as sentences in one line."""
        told = [*self.places, *_once([(each, each.sentence) for each in self.fields])]
        return " ".join(f"{each}." for each in told)

    def arrows(self) -> list[str]:
        """Return the changes with the old values."""
        return [*self.places, *(each.arrow for each in self.fields)]


def _once(changes: Sequence[tuple[Change, str]]) -> list[str]:
    """Return the texts, joined if they start with the same member: `Fighter 1, attacks from: 12, angle: high`."""
    groups: dict[str, list[str]] = {}
    for each, text in changes:
        head, comma, _ = each.label.partition(", ")
        alike = f"{head}, " if comma and each.boxes is None and text.startswith(f"{head}, ") else ""
        groups.setdefault(alike or text, []).append(text.removeprefix(alike))
    return [f"{head}{', '.join(each)}" if head[-2:] == ", " else head for head, each in groups.items()]


def changes_of(
    pairs: Iterable[Pair], pack: Pack, *, but: str = "", written: Container[str] = (), in_flight: bool = False
) -> Changes:
    """Return the changes that a player can see on the sheet.

    Args:
        but: A field already shown by its decision or question.
        written: Fields that the player wrote; internal fields are shown only if among them.
        in_flight: Whether to omit changes that the status line or the wave shows (`[at-table] quiet`).
    """
    sheet, shown = pack.sheet, [each for each in pairs if each[1] != each[2]]
    quiet = pack.about.at_table.quiet if in_flight else ()
    places, gone_along = _exchanged(shown, pack)
    emptied = {_slot(name) for name, _, after in shown if after in FREE and name in sheet.presence}
    fields = []
    for name, before, after in shown:
        declared = sheet.fields.get(name)
        if declared is None or name == but or name in gone_along:
            continue
        if name in quiet or name.partition(".")[0] in quiet or (declared.section == "working" and name not in written):
            continue
        if declared.kind == "list" and _slot(name) and name not in written:  # the rows that came up are in the results
            continue
        if sheet.slot(name) and after in FREE and name not in sheet.presence and name not in written:
            continue  # a fighter between two attacks comes from nowhere
        if _slot(name) in emptied and name not in sheet.presence:  # a departed fighter has no clock either
            continue
        boxes, person = (
            declared.limit if declared.kind == "boxes" else None,
            declared.name in pack.about.status.people.states,
        )
        change = Change(name, sheet.text(name), before, after, boxes, "ok" in declared.values, person)
        change.was, change.now = ("–" if value == "" else sheet.say(name, value) for value in (before, after))
        fields.append(change)
    return Changes(places, fields)


def confirmed(changes: Mapping[str, tuple[Value | None, Value | None]], written: Container[str]) -> list[Pair]:
    """Return the fields that the player wrote with their default values."""
    return [(name, "", after) for name, (_, after) in changes.items() if name in written and after is not None]


def pairs_of(entry: Entry, sheet: Sheet) -> list[Pair]:
    """Return the fields that an entry changed, with the default for a blank one."""
    pairs = []
    for name, pair in entry.get("c", {}).items():
        blank = sheet.fields[name].blank if name in sheet.fields else "none"
        before, after = (blank if value is None else value for value in pair)
        if before != after:
            pairs.append((name, before, after))
    return pairs


def changes_in_all(results: Sequence[Result], pack: Pack) -> Changes:
    """Return the combined changes of several moves, as shown in flight."""
    whole: dict[str, tuple[Value, Value]] = {}
    for result in results:
        for name, before, after in result.shown:
            if not (result.decision and name == result.table):
                whole[name] = (whole.get(name, (before, after))[0], after)
    return changes_of([(name, *pair) for name, pair in whole.items()], pack, in_flight=True)


def _exchanged(shown: Sequence[Pair], pack: Pack) -> tuple[list[str], set[str]]:
    """Return the swapped men (`[status.people] seat`), one line per pair, and the fields that moved with them."""
    people = pack.about.status.people
    family = people.seat
    fields = {name: (before, after) for name, before, after in shown}
    index = cut(family)[1]
    seats = {of_member(family, index, each): each for each in pack.sheet.index.get(index, ())}
    left = [each for each in seats if each in fields]
    lines: list[str] = []
    gone_along: set[str] = set()
    while left:
        seat = left.pop(0)
        for twin in left:
            one, other, was, now = seats[seat], seats[twin], fields[seat], fields[twin]
            if (was[0] if was[0] != "none" else one, was[1]) != (now[1], now[0] if now[0] != "none" else other):
                continue
            left.remove(twin)
            pairs = {name: f"{_slot(name)}.{other}" for name in fields if name.endswith(f".{one}")}
            alike = {name: pair for name, pair in pairs.items() if fields[name] == fields.get(pair, ())[::-1]}
            gone_along |= {seat, twin, *alike, *alike.values()}
            men = [seats[each] if fields[each][0] == "none" else str(fields[each][0]) for each in (seat, twin)]
            states = [of_member(each, index, one) for each in people.states]
            states = [each for each in states if each in alike]
            was_bad, is_bad = ([_badness(pack, each, fields[each][at]) for each in reversed(states)] for at in (0, 1))
            # the fitter man takes the other's place (B-29 7.6, B-17 14.1)
            if was_bad != is_bad:
                men = [other, one] if was_bad > is_bad else [one, other]
            told = "The {} and the {} change places" if was_bad == is_bad else "The {} takes the {}'s place"
            lines.append(told.format(*(pack.sheet.label(index, each) for each in men)))
            break
    return lines, gone_along


def _badness(pack: Pack, name: str, value: Value) -> int:
    """Return the severity of a man's state: 0 for the initial one, then in the order of its values."""
    field = pack.sheet.fields[name]
    return 0 if value == field.blank else 1 + field.values.index(str(value))


def _slot(name: str) -> str:
    return name.rpartition(".")[0]
