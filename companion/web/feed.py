"""The mission so far in told sentences by zone, and the latest rolls as cards with a stamped word."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

from companion.engine.dice import Rolled
from companion.engine.facts import Facts
from companion.engine.fields import FREE
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.journal import Entry, settled
from companion.play.mission import scenes
from companion.problems import UserError
from companion.render.describe import (
    BY_HAND,
    Description,
    answered,
    describe,
    describe_entry,
    names_itself,
    of_what,
    untold,
)
from companion.render.history import History
from companion.store.session import Session

LONGEST = 14  # the most characters of a stamped word
SHOWN = 24  # the most sentences on the page
CARDS = 12  # the most rolls shown as cards


class Event(NamedTuple):
    """A journal entry as told: its number and place, subject and sentence, the side that it hurts (us, them or
    neither) with the severity from 0 to 3, the fields that it changed, and its roll."""

    number: int
    place: str
    about: str
    said: str
    table: str
    title: str
    kind: str
    severity: int
    touched: frozenset[str]
    roll: Description | None = None

    @property
    def text(self) -> str:
        """Return the sentence: `Nose gun, fighter 1: Fighter hit`."""
        text = answered(self.about, self.said) if self.about else self.said
        return text[:1].upper() + text[1:]

    @property
    def thrown(self) -> bool:
        """Return whether the companion rolled the dice."""
        return self.roll is not None and isinstance(self.roll.dice, Rolled)

    @property
    def stamp(self) -> str:
        """Return the word of the result; empty if it is a number or too long."""
        words = [self.roll.row, self.roll.result] if self.roll else []
        return next((each for each in words if len(each) <= LONGEST and any(map(str.isalpha, each))), "")


class Feed:
    """The events of a mission's journal; only new entries are worked out."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._events: list[Event | None] = []

    def events(self, session: Session) -> list[Event]:
        """Return everything that a player did or rolled; in a card game also what followed by itself."""
        entries = session.mission.journal.recorded
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self._entries, entries, strict=False)))
        del self._events[same:]
        places, dice = History(session.pack), session.pack.uses_dice

        def tells(entry: Entry) -> bool:
            return not settled(entry) or not dice and entry["v"] in ("roll", "step")

        for number, entry, result, state in scenes(session.mission, tells, after=same):
            place = places.place(state) if state.get(places.zone) else ""
            self._events.append(told_event(number, place, entry, result, session) if tells(entry) else None)
        self._entries = list(entries)
        return [each for each in self._events if each is not None]


def told_event(number: int, place: str, entry: Entry, result: Result | None, session: Session) -> Event | None:
    """Return an entry as an event; None for a step that changes nothing worth telling."""
    pack = session.pack
    told = describe_entry(entry, pack) if result is None else describe(result, session, in_flight=True)
    kind, severity = hurt(result, pack) if result is not None else ("", 0)
    happened = told.changes.events()
    if told.verb in BY_HAND:
        about, said = "", "; ".join(happened)
    elif told.verb == "step":
        about, said, happened = "", "", []
    elif told.verb in ("done", "skip"):
        about, said = "Done" if told.verb == "done" else "Skipped", told.title
    elif result is not None and not pack.uses_dice and untold(told, pack, result):
        return None  # a card that was turned over, or who drew it: its result follows
    elif told.verb == "roll":
        about, said = told.whom.rpartition(" (")[0] or told.whom or told.title, told.result
        last = told.whom.rpartition(", ")[2].partition(" (")[0]
        about = "" if f"({last})" in told.result or names_itself(told) else about  # a man is named in the text
        said = said.removeprefix(f"{last}: ")
    else:
        about, said = of_what(result) if result is not None else told.title.rstrip("?:."), told.result
    already = said.casefold()
    parts = [said, *(each for each in happened if each.casefold() not in already and told.verb not in BY_HAND)]
    said = ". ".join(filter(None, [*parts, *(text for text, _ in told.notes)]))
    if not said:
        return None
    roll = told if told.verb == "roll" and told.dice else None
    return Event(
        number, place, about, said, told.number or told.cite, told.title, kind, severity,
        frozenset(entry.get("c", ())), roll,
    )  # fmt: skip


def hurt(result: Result, pack: Pack) -> tuple[str, int]:
    """Return whom a result hurts (us, them or nobody), and how badly, from 0 to 3.

    The pack lists rows (`[at-table.hurts]`); damage to a part that was ok, and wounds, hurt the bomber.
    """
    fields, about = pack.sheet.fields, pack.about
    worst, states = 0, about.status.people.states
    for name, _, after in result.shown:
        field = fields[name]
        if name == about.log.aircraft_end and after not in FREE:
            lost = about.log.aircraft_lost(Facts(pack.sheet, {name: after}))
            worst = max(worst, 3 * lost)
        elif field.name in states and after not in (*FREE, "ok", "no", 0):
            worst = max(worst, 2 + (field.name == states[0] and field.values.index(str(after)) > 1))
        elif "ok" in field.values and after != "ok":
            worst = max(worst, 2)
    rows = {side: getattr(about.at_table.hurts, side).get(result.table) for side in ("us", "them")}
    listed = [side for side, own in rows.items() if own is not None and (not own or result.outcome in own)]
    if worst or "us" in listed:
        return "us", max(worst, 2)
    if not listed and about.print.areas in result.bind and result.dice and (result.then or result.shown):
        return "us", 2
    return ("them", 1) if listed else ("", 0)


def by_place(events: Sequence[Event]) -> list[tuple[str, list[Event]]]:
    """Return the latest events by place; equal results of a table are told in one sentence."""
    places: list[tuple[str, list[Event]]] = []
    for place, stay in groupby(events[-SHOWN:], key=lambda each: each.place):
        lines = []
        for head, run in groupby(stay, key=_head):
            *others, last = run
            if isinstance(head, str) and others:  # the figures of a card, the cards of a square
                own = [each.text.removeprefix(head).lstrip(",:– ") for each in (*others, last)]
                lines.append(last._replace(about=head, said="; ".join(own)))
                continue
            whom = "; ".join(dict.fromkeys(each.about for each in (*others, last)))
            said = f"{last.title}: {last.said} – {whom}"
            lines.append(last._replace(about="", said=said) if others else last)
        places.append((place, lines))
    return places


def _head(event: Event) -> object:
    """Return what an event has in common with others that one sentence tells."""
    if event.roll:
        return event.title, event.said, event.kind
    return (event.about if event.table else event.about.partition(", ")[0]) or event.number


def cards(events: Sequence[Event], since: int) -> list[Event]:
    """Return the rolls of the last action, whose first entry is the `since`-th from 0."""
    return [each for each in events if each.number > since and each.roll is not None][-CARDS:]


def last_action(session: Session) -> int:
    """Return the number of entries before the last action of a player."""
    journal = session.mission.journal
    try:
        return journal.before(1)
    except UserError:
        return journal.position


def undo_words(events: Sequence[Event], since: int) -> str:
    """Return what an undo takes back: `Wave 2`, `5 shots`; empty if the last action has no event."""
    mine = [each for each in events if each.number > since]
    if not mine:
        return ""
    first = mine[0]
    alike = sum(each.title == first.title for each in mine)
    return f"{alike} × {first.title}" if alike > 1 else first.title.rstrip("?:. ")
