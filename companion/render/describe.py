"""Descriptions of results, the common source for all output about them.

`describe` makes a `Description` of a new result, `describe_entry` of a journal entry. It has three lengths: `in_a_line`
(log, undo, the printed journal, the page), `in_flight` (a few lines for the results of one answer) and `in_full` (the
whole sum, for `roll` and `why`). Changes of the sheet are shown as events; `why` uses arrows.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from companion.engine.dice import Rolled
from companion.engine.facts import Facts
from companion.engine.fields import FREE, Value
from companion.engine.questions import KINDS, Pending
from companion.engine.sheet import Member, cut, of_member
from companion.play.journal import dice_of
from companion.problems import UserError
from companion.render.situation import HIDDEN, Line, binding, named, secrets, skipped, subjects_of_each
from companion.words import headed, spoken, unhyphened

if TYPE_CHECKING:
    from companion.engine.questions import DiceQuestion
    from companion.engine.resolution import Adjustment, Result
    from companion.packs import Pack
    from companion.play.journal import Entry
    from companion.play.mission import Mission
    from companion.store.session import Session

Pair = tuple[str, Value, Value]  # a field, before and after
MOST_ASSUMED = 6  # the most facts named
BY_HAND = {"set": "set by you", "mark": "marked by you", "erase": "erased by you"}


# -- changes of the sheet ----------------------------------------------------------------------------------------------


class Change:
    """A changed field: its label, its values before and after (also in words), and its boxes if any.

    `thing` is true for the state of a part, `person` for that of a man.
    """

    def __init__(self, name: str, before: Value, after: Value, pack: Pack) -> None:
        sheet, declared = pack.sheet, pack.sheet.fields[name]
        self.name, self.label, self.before, self.after = name, sheet.text(name), before, after
        self.was, self.now = ("–" if value == "" else sheet.say(name, value) for value in (before, after))
        self.boxes = declared.limit if declared.kind == "boxes" else None
        self.thing, self.person = "ok" in declared.values, declared.name in pack.about.status.people.states

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
        """Return the changes with the old values: `Wing tanks: 0 → 12`."""
        return [*self.places, *(f"{each.label}: {each.was} → {each.now}" for each in self.fields)]


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
    places, gone_along = _exchanged(shown, pack) if shown else ([], set())
    emptied = {name.rpartition(".")[0] for name, _, after in shown if after in FREE and name in sheet.presence}
    fields = []
    for name, before, after in shown:
        declared, slot = sheet.fields.get(name), name.rpartition(".")[0]
        if declared is None or name == but or name in gone_along:
            continue
        if name in quiet or name.partition(".")[0] in quiet or (declared.section == "working" and name not in written):
            continue
        if declared.kind == "list" and slot and name not in written:  # the rows that came up are in the results
            continue
        if sheet.slot(name) and after in FREE and name not in sheet.presence and name not in written:
            continue  # a fighter between two attacks comes from nowhere
        if slot in emptied and name not in sheet.presence:  # a departed fighter has no clock either
            continue
        fields.append(Change(name, before, after, pack))
    return Changes(places, fields)


def confirmed(changes: Mapping[str, tuple[Value | None, Value | None]], pack: Pack, written: Container[str]) -> Changes:
    """Return the fields that the player wrote with their default values."""
    pairs = [(name, "", after) for name, (_, after) in changes.items() if name in written and after is not None]
    return changes_of(pairs, pack, written=written)


def _exchanged(shown: Sequence[Pair], pack: Pack) -> tuple[list[str], set[str]]:
    """Return the swapped men (`[status.people] seat`), one line per pair, and the fields that moved with them.

    Two seats were swapped if each now has the man of the other; a seat without an entry has its own man.
    """
    people = pack.about.status.people
    family = people.seat
    fields = {name: (before, after) for name, before, after in shown}
    index = cut(family)[1]
    seats = {of_member(family, index, each): each for each in pack.sheet.index.get(index, ())}
    left = [each for each in seats if each in fields]
    lines, gone_along = list[str](), set[str]()
    while left:
        seat = left.pop(0)
        for twin in left:
            one, other, was, now = seats[seat], seats[twin], fields[seat], fields[twin]
            if (was[0] if was[0] != "none" else one, was[1]) != (now[1], now[0] if now[0] != "none" else other):
                continue
            left.remove(twin)
            pairs = {name: f"{name.rpartition('.')[0]}.{other}" for name in fields if name.endswith(f".{one}")}
            alike = {name: pair for name, pair in pairs.items() if fields[name] == fields.get(pair, ())[::-1]}
            gone_along |= {seat, twin, *alike, *alike.values()}
            men = [seats[each] if fields[each][0] == "none" else str(fields[each][0]) for each in (seat, twin)]
            # the condition of the man in the first seat, before the swap and after it
            states = [name for each in people.states if (name := of_member(each, index, one)) in alike]
            declared = [(each, pack.sheet.fields[each]) for each in reversed(states)]
            was_bad, is_bad = (  # the fitter man takes the other's place (B-29 7.6, B-17 14.1)
                [(field.blank, *field.values).index(fields[name][at]) for name, field in declared] for at in (0, 1)
            )
            if was_bad != is_bad:
                men = [other, one] if was_bad > is_bad else [one, other]
            told = "The {} and the {} change places" if was_bad == is_bad else "The {} takes the {}'s place"
            lines.append(told.format(*(pack.sheet.label(index, each) for each in men)))
            break
    return lines, gone_along


def noted(margin: str, text: str, cite: str) -> Line:
    """Return the line of a note, with its section of the book."""
    return Line(margin, [(text, "note"), (f"  {cite}" if cite else "", "dim")])


# -- the description ---------------------------------------------------------------------------------------------------


class Modifier(NamedTuple):
    """A modifier that applied, with its section of the rulebook."""

    id: str
    add: int
    why: str
    cite: str


class Description:
    """The description of a roll, decision, answer, step or edit: name, dice, sum, row and changes."""

    number = ""  # the printed number of the table
    whom = cite = assumed = ""
    dice: Sequence[int] = ()
    rolled: int | None = None
    modifiers: Sequence[Modifier] = ()
    net: int | None = None
    natural = formula = False
    needed = ""  # the rolls that would have had an effect
    steps: Sequence[Adjustment] = ()
    changes = Changes((), ())
    notes: Sequence[tuple[str, str]] = ()
    patched: Sequence[Mapping[str, str]] = ()
    things: Sequence[str] = ()  # fields of a fighter or the like that have changed

    def __init__(self, verb: str, title: str, row: str, text: str) -> None:
        self.verb, self.title = verb, title  # the name of the table, decision, question or step
        self.row, self.text = row, text  # the result, as a row and in the pack's text

    @property
    def result(self) -> str:
        """Return the result in words: the pack's text, else the row."""
        return self.text or self.row

    @property
    def called(self) -> str:
        """Return the table by number and title; one without a number by its title."""
        return f"{self.number} {self.title}" if self.number not in ("", self.title) else self.title

    def total(self, *, short: bool = False) -> str:
        """Return `4`, or with modifiers `4 +2 from 6 -1 evasive = 5` (`short`: without reasons).

        The dice of a formula are listed, and so are those of an entry whose total is unknown, with plus signs.
        """
        if not self.dice and self.net is None:
            return ""
        if self.formula:
            return " ".join(map(str, self.dice))
        if not self.modifiers and self.rolled is not None:
            return str(self.rolled)
        added = "".join(f" {each.add:+d}{'' if short else f' {each.why}'}" for each in self.modifiers)
        net = f" = {self.net}" if self.modifiers and self.net is not None else ""
        return f"{'+'.join(map(str, self.dice))}{added}{net}"

    def sums(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield the rows of the full calculation: label, number, reason and section of the rulebook."""
        if self.dice:
            dice = " + ".join(map(str, self.dice)) if len(self.dice) > 1 else ""
            by = "rolled for you" if isinstance(self.dice, Rolled) else ""
            yield "dice", str(self.rolled), ", ".join(filter(None, (dice, by))), ""
        for each in self.modifiers:
            yield "", f"{each.add:+d}", each.why, each.cite
        if self.modifiers and self.net is not None:  # a row from the rulebook may be given without dice
            yield "net", str(self.net), "the unmodified roll decides" if self.natural else "", ""
        for step in self.steps:
            yield "", str(step.after), step.why, ""


def describe(result: Result, session: Session, *, in_flight: bool = False) -> Description:
    """Return the description of a new result of a roll, a decision or a step."""
    pack, sheet, but = session.pack, session.pack.sheet, result.table if result.decision else ""
    changes = changes_of(result.shown, pack, but=but, in_flight=in_flight)
    verb = "step" if result.step else "choose" if result.decision else "roll"
    told = Description(verb, result.title, sheet.read_out(result.outcome), result.text)
    if verb == "roll":
        told.number = pack.table(result.table).number_printed
        told.whom = binding(result.bind, pack).removeprefix(" – ")
    told.cite, told.changes = result.cite, changes
    told.dice, told.rolled, told.net, told.natural = result.dice, result.rolled, result.net, result.natural
    told.modifiers = [Modifier(each.modifier.id, each.add, each.why, each.modifier.cite) for each in result.applied]
    told.formula, told.needed, told.steps, told.patched = result.formula, result.needed, result.steps, result.patched
    told.things = [name for name, _, _ in result.shown if sheet.slot(name)]
    told.notes, told.assumed = result.notes, assumed_of(result, session)
    return told


def assumed_of(result: Result, session: Session) -> str:
    """Return the assumptions that could have changed the result: `fighter undamaged, no evasive action`.

    Untouched fields of a campaign's sheet do not count as assumptions.
    """
    sheet, told = session.pack.sheet, []
    for name, value in result.assumed.items():
        if name in sheet.index or name in result.idle or (session.campaign and name not in result.unsaid):
            continue
        field = sheet.fields.get(name)
        label = field.heading if field and sheet.slot(name) else sheet.text(name)
        if value == "no" or (value == 0 and (field is None or field.kind in ("count", "boxes"))):
            told.append(f"no {label[:1].lower()}{label[1:]}")
        elif field is None or field.section != "working":
            said = "not set" if value in ("", "none") else sheet.say(name, value)
            told.append(f"{label}{':' if ',' in label or said == 'not set' else ''} {said}")
    more = f" and {len(told) - MOST_ASSUMED} more (companion show {result.table})" if len(told) > MOST_ASSUMED else ""
    return ", ".join(told[:MOST_ASSUMED]) + more


def describe_entry(
    entry: Entry, pack: Pack, result: Result | None = None, state: Mapping[str, Value] | None = None
) -> Description:
    """Return the description of a journal entry: without its replayed `result`, with the row instead of its text. The
    `state` after it names the man whom it is about.
    """
    verb, name, sheet = str(entry["v"]), str(entry["t"]), pack.sheet
    bind, outcome = entry.get("b", {}), str(entry.get("o", ""))
    title = result.title if result is not None else ""
    told = Description(verb, title, row=sheet.read_out(outcome), text=result.text if result is not None else "")
    told.dice, told.net = dice_of(entry), entry.get("net")
    written = (entry.get("w") or entry.get("c", ())) if verb in BY_HAND else ()
    but = name if verb in KINDS and verb != "roll" else ""
    pairs, secret = sheet.changed(entry.get("c", {})), secrets(pack, Facts(sheet, state or {}))
    shown = [each for each in pairs if verb in BY_HAND or each[0] not in secret]
    told.changes = changes_of(shown, pack, but=but, written=written)
    if verb in BY_HAND and not told.changes.fields:
        told.changes = confirmed(entry.get("c", {}), pack, written)
    for each in told.changes.fields:
        each.was, each.now = [HIDDEN] * 2 if each.name in secret else [each.was, each.now]
    if verb == "roll":
        known = {}
        try:
            table = pack.table(name)
            told.title, told.number = table.title, table.number_printed
            known = {each.id: each for each in table.modifiers}
        except UserError:  # a deleted table
            told.title = name
        told.whom = binding(bind, pack, named(bind, pack, state or {})).removeprefix(" – ")
        told.modifiers = [
            Modifier(each, add, of.why if (of := known.get(each)) else each, of.cite if of else name)
            for each, add in entry.get("m", [])
        ]
    elif verb == "step":
        step = pack.sequence.steps[pack.sequence.place[name]].spec if name in pack.sequence.place else {}
        told.title = title or _titled(step) or "the next step"
    elif verb == "choose":
        among = pack.among(name)
        if not title:
            told.title = _titled(pack.choice(name)) or unhyphened(name).capitalize()
            told.title = told.title.rstrip("?:.") + binding({key: bind[key] for key in bind if key not in among}, pack)
        for index in sorted(among):
            if outcome in sheet.index[index]:
                told.row = sheet.label(index, outcome)
    elif verb in KINDS:
        told.title, told.row, told.text = Pending(verb, name).called(pack), sheet.say(name, entry.get("o", "")), ""
    elif verb == "done":
        told.verb = name  # `skip` for a skipped roll
        told.title = "; ".join(skipped(Pending.of(each), pack) for each in entry.get("p", [0, [], []])[1])
    return told


def _titled(spec: Mapping[str, object]) -> str:
    """Return the title of a choice or a step from its file, if it does not depend on the sheet."""
    title = str(spec.get("title", ""))
    return "" if "{" in title else title


# -- three lengths -----------------------------------------------------------------------------------------------------


def in_a_line(told: Description) -> str:
    """Describe it: `5-9 Offensive fire – Fighter 1: 4+4 +1 = 9, The B-29 is hit  Fighter 1 hit the bomber`."""
    if told.verb == "step":
        head = f"── {told.title}"
    elif told.verb == "roll":
        auto = "auto " if isinstance(told.dice, Rolled) else ""  # as a player types it
        about = told.whom.rpartition(", ")[2].partition(" (")[0]
        said = told.result.removeprefix(f"{about}: ")
        row = ", ".join(filter(None, (auto + told.total(short=True), said)))
        head = headed(f"{told.called}{f' – {told.whom}' if told.whom else ''}", row)
    elif told.verb in BY_HAND:
        head = BY_HAND[told.verb]
    elif told.verb in ("done", "skip"):
        head = f"{'skipped' if told.verb == 'skip' else 'done'}: {told.title}"
    else:
        head = answered(told.title.partition("? (")[0].rstrip("?:."), told.result)
    events = "; ".join(told.changes.events())
    return f"{head}  {events}" if events else head


def in_full(told: Description, *, arrows: bool = False) -> Iterator[Line]:
    """Yield the lines of a result with its full calculation (`arrows`: and old values); one line for a decision."""
    if told.verb == "roll":
        title = f"  {told.title}" if told.number != told.title else ""
        whom = f" – {told.whom}" if told.whom else ""
        cite = f"  ({told.cite})" if told.cite else ""
        yield Line("", [(told.number, "strong"), (f"{title}{whom}", ""), (cite, "dim")])
        sums = list(told.sums())
        wide = max([3, *(len(figure) for _, figure, _, _ in sums)])
        for what, figure, why, cite in sums:
            yield Line(f"  {what:6}  {figure:>{wide}}  ", [(why, ""), (f"  {cite}" if cite else "", "dim")])
        yield Line("  ", [(told.result, "row")])
    else:
        yield Line("  ", [(f"{told.title} ", "dim"), (told.result, "row")])
    told_already = told.things if told.text and not arrows else ()  # the fighters are in the text
    changes = Changes(told.changes.places, [each for each in told.changes.fields if each.name not in told_already])
    yield from _consequences(told, changes.arrows() if arrows else changes.events())


def _consequences(told: Description, changes: Sequence[str]) -> Iterator[Line]:
    """Yield the patches involved, the changes, the notes of rules, and the assumptions."""
    for patch in told.patched:
        yield Line("    ", [(f"counted: {patch['reason']}", "note"), (f"  {patch['table']}", "dim")])
    if changes:
        yield Line("    ", [("; ".join(changes), "change")])
    yield from (noted("  ", *note) for note in told.notes)
    if told.assumed:
        yield Line("    ", [(f"Assumed: {told.assumed}", "dim")])


def in_flight(
    results: Sequence[Result], session: Session, questions: list[DiceQuestion], *, asked: bool = True
) -> Iterator[Line]:
    """Yield the results of one answer; equal misses share one line.

    Args:
        questions: The rolls whose modifiers a question has shown; removed here so that they are not repeated.
        asked: Whether the questions are on screen; if not, decisions repeat their subject, as automatic ones do.
    """
    together: dict[object, list[Result]] = {}
    for result in results:
        quiet = result.rolled is not None and not (
            result.shown or result.notes or result.then or result.step or result.decision or result.patched
        )
        together.setdefault((result.table, result.outcome) if quiet else id(result), []).append(result)
    for alike in together.values():
        if len(alike) > 1 and alike[0].rolled is not None:
            yield _misses(alike, session, questions)
        else:
            for result in alike:
                yield from _one(result, session, questions, "" if asked and not result.settled else of_what(result))


def _misses(results: Sequence[Result], session: Session, questions: list[DiceQuestion]) -> Line:
    """Return `M-1 miss (hit on 5 or more) – nose 1: 3; top 2: 4`, with the required roll once.

    Of a row's text only the last parentheses are kept, which give the reason.
    """
    parts, needs = [], {each.needed for each in results}
    every = [describe(each, session, in_flight=True) for each in results]
    whom = subjects_of_each([each.bind for each in results], session.pack)
    for result, told, name in zip(results, every, whom, strict=True):
        asked = _struck(result, questions)
        need = told.needed if len(needs) > 1 and not asked else ""
        why = told.text.rpartition("(")[2].removesuffix(")") if told.text.endswith(")") else ""
        own = f" ({', '.join(filter(None, (need, why)))})" if need or why else ""
        parts.append(f"{name}: {told.total(short=asked)}{own}".removeprefix(": "))
    common = f" ({every[0].needed})" if every[0].needed and len(needs) == 1 else ""
    return Line("  ", [(f"{every[0].number} ", ""), (every[0].row, "row"), (f"{common} – {'; '.join(parts)}", "")])


def _struck(result: Result, questions: list[DiceQuestion]) -> bool:
    """Return whether a question has shown the modifiers of a roll, and remove it from the list."""
    shown = next((each for each in questions if (each.name, each.bind) == (result.table, result.bind)), None)
    if shown is not None:
        questions.remove(shown)
    return shown is not None


def of_what(result: Result) -> str:
    """Return the subject of a decision in short form: `Nose gun: fire at` of `Nose gun (Bombardier, 15 bursts): fire
    at?`.
    """
    return re.sub(r" [(][^()]*[)]", "", result.title).partition("?")[0].rstrip(":. ")


def answered(what: str, row: str) -> str:
    """Return a decision with its answer: `Fighter 2: comes back – yes`, `Nose gun: fire at fighter 1`."""
    return f"{what}{' ' if what.endswith(' at') else ' – ' if ': ' in what else ': '}{row}"


def untold(told: Description, pack: Pack, result: Result) -> bool:
    """Return whether a result needs no line: a procedure, an answer that was just typed, or who draws a card."""
    if result.decision:
        return any(name in pack.headings and "parts" in pack.table(name).doc for name in result.then[:1])
    table = pack.table(result.table)
    shows = told.text or told.notes or told.patched or told.steps or told.changes.events()
    return bool(table.procedure or table.question) and not shows


def names_itself(told: Description) -> bool:
    """Return whether a result begins with its subject: `FW190A missed B17F`, but not `Tail: 1, Tail gunner: ...`."""
    return bool(told.whom) and told.result.startswith(f"{told.whom} ") and ":" not in told.result


def _one(result: Result, session: Session, questions: list[DiceQuestion], what: str) -> Iterator[Line]:
    told = describe(result, session, in_flight=True)
    events = told.changes.events()
    if result.decision:
        # the row alone shows the field that a decision is named after
        if result.then or any(name == result.table for name, _, _ in result.shown) or events or not result.settled:
            yield Line("  ", [(answered(what, "") if what else "", ""), (told.result, "row")])
    elif not result.step:
        if untold(told, session.pack, result):
            return
        asked = _struck(result, questions)
        title = "" if asked or told.number == told.title else f" {told.title}"
        whom = f" – {told.whom}" if told.whom and title else f" {told.whom}" if told.whom else ""
        whom = "" if names_itself(told) else whom
        total = f"{told.total(short=asked)}, " if told.dice else ""
        missed = f"; {told.needed}" if told.needed and not (result.then or result.changes) else ""
        natural = " (the unmodified roll decides)" if told.natural and told.modifiers else ""
        row = told.result.removeprefix(f"{told.whom.rpartition(', ')[2]}: ")
        yield Line("  ", [(headed(f"{told.number}{title}{whom}", total), ""), (row, "row"), (f"{natural}{missed}", "")])
        for step in told.steps:
            yield Line("    ", [(f"{step.before} becomes {step.after} ({step.why})", "")])
    yield from _consequences(told, events)


def by_hand(result: Result, mission: Mission, written: Mapping[str, Value]) -> list[Line]:
    """Return the results of an edit, which wrote the fields `written`, in sentences: changes, and notes of rules."""
    pack, sheet = mission.game, mission.game.sheet
    seen = [name for name in written if not sheet.inner(name)]
    changes = changes_of(result.shown, pack, written=seen)
    if not changes.fields and not result.notes:
        changes = confirmed(result.changes, pack, seen)
    slots = {each.name: place for each in changes.fields if (place := sheet.presence.get(each.name))}
    heads = tuple(f"{'.'.join(place)}." for place in slots.values())
    told = [each for each in changes.fields if each.name in slots or not each.name.startswith(heads)]
    for each in told:
        if each.name in slots and each.after in FREE:
            each.now, each.thing = "gone", True
        elif place := slots.get(each.name):
            words = Facts(sheet, mission.state, dict([place])).described(cast(Member, sheet.known[place[0]]))
            each.now, each.person = words or each.now, True
    sentences = Changes(changes.places, told).sentences()
    lines = [Line("", [(sentences, "change")])] if sentences else []
    lines += [noted("", *note) for note in result.notes]
    facts = mission.facts()
    for name in [each for each in seen if facts[each] != written[each]]:
        lines += [Line("", [(f"{sheet.text(name)}: the rules set it to {sheet.say(name, facts[name])}.", "")])]
    return lines or [Line("", [("No change: it already says that.", "")])]


# -- JSON --------------------------------------------------------------------------------------------------------------


def change_objects(pairs: Sequence[Pair]) -> list[dict[str, Value]]:
    return [{"field": name, "before": before, "after": after} for name, before, after in pairs]


def note_objects(notes: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"text": text, "cite": cite} for text, cite in notes]


def results_object(results: Sequence[Result], pack: Pack) -> dict[str, object]:
    """Return a roll for `--json`, with its immediate follow-ups in `chain`."""
    first, *rest = [_result_object(result, pack) for result in results]
    return {**first, "chain": [{**each, "chain": []} for each in rest]}


def _result_object(result: Result, pack: Pack) -> dict[str, object]:
    shown: dict[str, object] = {
        "game": pack.name,
        **{key: getattr(result, key) for key in ("table", "title", "dice", "rolled")},
        "modifiers": [{"add": each.add, "why": each.why, "cite": each.modifier.cite} for each in result.applied],
        **{key: getattr(result, key) for key in ("net", "natural", "outcome", "text", "then")},
        "changes": change_objects(result.shown),
        "assumed": result.assumed,
    }
    more = {
        "steps": [{"from": step.before, "to": step.after, "why": step.why} for step in result.steps],
        "patched": result.patched,
        "notes": note_objects(result.notes),
    }
    return {**shown, **{key: value for key, value in more.items() if value}}


def entry_object(number: int, entry: Entry, pack: Pack) -> dict[str, object]:
    """Return a journal entry with full key names, like those of a roll."""
    return {
        "number": number,
        "verb": entry["v"],
        "table": entry["t"] if entry["v"] in KINDS else None,
        "dice": entry.get("d", []),
        "given": entry.get("w", {}),
        "bind": entry.get("b", {}),
        "modifiers": [each._asdict() for each in describe_entry(entry, pack).modifiers],
        "net": entry.get("net"),
        "outcome": entry.get("o"),
        **({"auto": True} if "r" in entry else {}),
        "changes": change_objects(pack.sheet.changed(entry.get("c", {}))),
    }
