"""Descriptions of results, the common source for all output about them.

`describe` makes a `Description` of a new result, `describe_entry` of a journal entry. It has three lengths: `in_a_line`
(log, undo, the printed journal, the page), `in_flight` (a few lines for the results of one answer) and `in_full` (the
whole sum, for `roll` and `why`). If even that is too long, `summary` has a paragraph for each table. Changes of the
sheet are shown as events; `why` uses arrows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from companion.engine.dice import Rolled
from companion.engine.facts import Facts
from companion.engine.fields import FREE, Value
from companion.engine.questions import KINDS, Pending
from companion.engine.sheet import Member, cut, of_member
from companion.play.journal import dice_of
from companion.problems import UserError
from companion.render.changes import Change, Changes, Pair, changes_in_all, changes_of, confirmed, pairs_of
from companion.render.situation import Line, binding, named, subjects_of_each
from companion.words import headed, unhyphened

if TYPE_CHECKING:
    from companion.engine.resolution import Adjustment, Result
    from companion.packs import Pack
    from companion.play.dice_tray import Key
    from companion.play.journal import Entry
    from companion.play.mission import Mission
    from companion.store.session import Session

MOST_ASSUMED = 6  # the most facts named
BY_HAND = {"set": "set by you", "mark": "marked by you", "erase": "erased by you"}


def noted(margin: str, text: str, cite: str) -> Line:
    """Return the line of a note, with its section of the book."""
    return Line(margin, [(text, "note"), (f"  {cite}" if cite else "", "dim")])


# -- the description ---------------------------------------------------------------------------------------------------


class Modifier:
    """A modifier that applied: its id, amount, reason and section of the rulebook."""

    def __init__(self, id: str, add: int, why: str, cite: str) -> None:
        self.id, self.add, self.why, self.cite = id, add, why, cite


class Description:
    """The description of a roll, decision, answer, step or edit: name, dice, sum, row and changes."""

    number = ""  # the printed number of the table
    whom = ""
    cite = ""
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
    assumed = ""
    things: Sequence[str] = ()  # fields of a fighter or the like that have changed

    def __init__(self, verb: str, title: str, row: str = "", text: str = "") -> None:
        self.verb = verb
        self.title = title  # the name of the table, decision, question or step
        self.row = row  # the result, as a row
        self.text = text  # the result, in the pack's text

    @property
    def told(self) -> str:
        """Return the result: the pack's text, else the row."""
        return self.text or self.row

    @property
    def called(self) -> str:
        """Return the table by number and title; one without a number by its title."""
        return f"{self.number} {self.title}" if self.number not in ("", self.title) else self.title

    def total(self, *, short: bool = False) -> str:
        """Return `4`, or with modifiers `4 +2 from 6 -1 evasive = 5` (`short`: without reasons).

        The dice of a formula are listed one by one, and so are those of an entry whose total is unknown, with plus
        signs.
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
    pack, sheet = session.pack, session.pack.sheet
    but = result.table if result.decision else ""
    changes = changes_of(result.shown, pack, but=but, in_flight=in_flight)
    verb, number, title, whom = "step" if result.step else "choose", "", result.title, ""
    if not (result.step or result.decision):
        verb, number = "roll", pack.table(result.table).number_printed
        whom = binding(result.bind, pack).removeprefix(" – ")
    told = Description(verb, title, sheet.read_out(result.outcome), result.text)
    told.number, told.whom, told.cite, told.changes = number, whom, result.cite, changes
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
    """Return the description of a journal entry.

    Args:
        state: The sheet after it, which names the man whom it is about.
        result: The replayed result; without it the description has the row instead of its text.
    """
    verb, name, sheet = str(entry["v"]), str(entry["t"]), pack.sheet
    bind, outcome = entry.get("b", {}), str(entry.get("o", ""))
    title = result.title if result is not None else ""
    told = Description(verb, title, row=sheet.read_out(outcome), text=result.text if result is not None else "")
    told.dice, told.net = dice_of(entry), entry.get("net")
    written = (entry.get("w") or entry.get("c", ())) if verb in BY_HAND else ()
    but = name if verb in KINDS and verb != "roll" else ""
    told.changes = changes_of(pairs_of(entry, sheet), pack, but=but, written=written)
    if verb in BY_HAND and not told.changes.fields:
        told.changes = changes_of(confirmed(entry.get("c", {}), written), pack, written=written)
    if verb == "roll":
        _describe_roll(told, entry, pack, state or {})
    elif verb == "step":
        told.title = (
            title
            or _titled(pack.sequence.steps[pack.sequence.place[name]].spec if name in pack.sequence.place else {})
            or "the next step"
        )
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


def _describe_roll(told: Description, entry: Entry, pack: Pack, state: Mapping[str, Value]) -> None:
    known, name = {}, str(entry["t"])
    told.title = name
    try:
        table = pack.table(name)
        told.title, told.number = table.title, table.number_printed
        known = {each.id: each for each in table.modifiers}
    except UserError:  # a deleted table
        pass
    bind = entry.get("b", {})
    told.whom = binding(bind, pack, named(bind, pack, state)).removeprefix(" – ")
    told.modifiers = [
        Modifier(each, add, of.why if (of := known.get(each)) else each, of.cite if of else name)
        for each, add in entry.get("m", [])
    ]


# -- three lengths -----------------------------------------------------------------------------------------------------


def in_a_line(told: Description) -> str:
    """Describe it: `5-9 Offensive fire – Fighter 1: 4+4 +1 = 9, The B-29 is hit  Fighter 1 hit the bomber`."""
    if told.verb == "step":
        head = f"── {told.title}"
    elif told.verb == "roll":
        auto = "auto " if isinstance(told.dice, Rolled) else ""  # as a player types it
        about = told.whom.rpartition(", ")[2].partition(" (")[0]
        said = told.told.removeprefix(f"{about}: ")
        row = ", ".join(filter(None, (auto + told.total(short=True), said)))
        head = headed(f"{told.called}{f' – {told.whom}' if told.whom else ''}", row)
    elif told.verb in BY_HAND:
        head = BY_HAND[told.verb]
    elif told.verb in ("done", "skip"):
        head = f"{'skipped' if told.verb == 'skip' else 'done'}: {told.title}"
    else:
        head = answered(told.title.rstrip("?:."), told.told)
    events = "; ".join(told.changes.events())
    return f"{head}  {events}" if events else head


def entry_line(entry: Entry, pack: Pack, result: Result | None = None, state: Mapping[str, Value] | None = None) -> str:
    """Return a journal entry in a line."""
    return in_a_line(describe_entry(entry, pack, result, state))


def skipped(item: Pending, pack: Pack) -> str:
    """Return a skipped pending thing in a line: `M-2 Damage to a German fighter – Tail guns`."""
    return item.called(pack) + binding(item.subject(pack), pack)


def undone(entries: Sequence[Entry], told: list[str]) -> list[str]:
    """Return lines about undone entries, the last first, with the decisions of a plan in one line."""
    if len(entries) < 2 or any((each["v"], each["t"]) != ("choose", entries[0]["t"]) for each in entries):
        return told
    return [f"{told[0].partition(' – ')[0]} (all {len(told)} choices of the plan)"]


def in_full(told: Description, *, arrows: bool = False) -> Iterator[Line]:
    """Yield the lines of a result with its full calculation; one line for a decision.

    Args:
        arrows: Show each change with its old value, as `why` does.
    """
    if told.verb == "roll":
        title = f"  {told.title}" if told.number != told.title else ""
        whom = f" – {told.whom}" if told.whom else ""
        yield Line(
            "", [(told.number, "strong"), (f"{title}{whom}", ""), (f"  ({told.cite})" if told.cite else "", "dim")]
        )
        sums = list(told.sums())
        wide = max([3, *(len(figure) for _, figure, _, _ in sums)])
        for what, figure, why, cite in sums:
            yield Line(f"  {what:6}  {figure:>{wide}}  ", [(why, ""), (f"  {cite}" if cite else "", "dim")])
        yield Line("  ", [(told.told, "row")])
    else:
        yield Line("  ", [(f"{told.title} ", "dim"), (told.told, "row")])
    told_already = told.things if told.text and not arrows else ()  # the fighters are in the text
    fields = [each for each in told.changes.fields if each.name not in told_already]
    changes = Changes(told.changes.places, fields)
    yield from _consequences(told, changes.arrows() if arrows else changes.events())


def _consequences(told: Description, changes: Sequence[str]) -> Iterator[Line]:
    """Yield the patches involved, the changes, the notes of rules, and the assumptions."""
    for patch in told.patched:
        yield Line("    ", [(f"counted: {patch['reason']}", "note"), (f"  {patch['table']}", "dim")])
    if changes:
        yield Line("    ", [("; ".join(changes), "change")])
    for text, cite in told.notes:
        yield noted("  ", text, cite)
    if told.assumed:
        yield Line("    ", [(f"Assumed: {told.assumed}", "dim")])


def in_flight(
    results: Sequence[Result], session: Session, questions: list[Key], *, asked: bool = True
) -> Iterator[Line]:
    """Yield the results of one answer; equal misses share one line.

    Args:
        questions: The rolls whose modifiers a question has shown; removed here so that they are not repeated.
        asked: Whether the questions are on screen; if not, decisions repeat their subject, as automatic ones do.
    """
    together: dict[object, list[Result]] = {}
    for result in results:
        quiet = not (result.shown or result.notes or result.then or result.step or result.decision or result.patched)
        together.setdefault((result.table, result.outcome) if quiet else id(result), []).append(result)
    for alike in together.values():
        if len(alike) > 1 and alike[0].rolled is not None:
            yield _misses(alike, session, questions)
        else:
            for result in alike:
                yield from _one(result, session, questions, "" if asked and not result.settled else of_what(result))


def _misses(results: Sequence[Result], session: Session, questions: list[Key]) -> Line:
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


def _struck(result: Result, questions: list[Key]) -> bool:
    """Return whether a question has shown the modifiers of a roll, and remove it from the list."""
    from companion.play.dice_tray import tray_key

    key = tray_key(result.table, result.bind)
    if key in questions:
        questions.remove(key)
        return True
    return False


def of_what(result: Result) -> str:
    """Return the subject of a decision in short form: `Nose gun: fire at` of `Nose gun (Bombardier, 15 bursts): fire
    at?`.
    """
    return re.sub(r" [(][^()]*[)]", "", result.title).partition("?")[0].rstrip(":. ")


def answered(what: str, row: str) -> str:
    """Return a decision with its answer: `Fighter 2: comes back – yes`, `Nose gun: fire at fighter 1`."""
    return f"{what}{' ' if what.endswith(' at') else ' – ' if ': ' in what else ': '}{row}"


def _one(result: Result, session: Session, questions: list[Key], what: str) -> Iterator[Line]:
    told = describe(result, session, in_flight=True)
    events = told.changes.events()
    if result.decision:
        # the row alone shows the field that a decision is named after
        if result.then or any(name == result.table for name, _, _ in result.shown) or events or not result.settled:
            yield Line("  ", [(answered(what, "") if what else "", ""), (told.told, "row")])
    elif not result.step:
        table = session.pack.table(result.table)
        if (table.procedure or table.question) and not (
            told.text or told.notes or told.patched or told.steps or events
        ):  # nothing to show for a procedure, or for an answer that was just typed
            return
        asked = _struck(result, questions)
        title = "" if asked or told.number == told.title else f" {told.title}"
        whom = f" – {told.whom}" if told.whom and title else f" {told.whom}" if told.whom else ""
        whom = "" if told.whom and told.told.startswith(f"{told.whom} ") else whom
        total = f"{told.total(short=asked)}, " if told.dice else ""
        missed = f"; {told.needed}" if told.needed and not (result.then or result.changes) else ""
        natural = " (the unmodified roll decides)" if told.natural and told.modifiers else ""
        row = told.told.removeprefix(f"{told.whom.rpartition(', ')[2]}: ")
        yield Line("  ", [(headed(f"{told.number}{title}{whom}", total), ""), (row, "row"), (f"{natural}{missed}", "")])
        for step in told.steps:
            yield Line("    ", [(f"{step.before} becomes {step.after} ({step.why})", "")])
    yield from _consequences(told, events)


def by_hand(result: Result, mission: Mission, written: Mapping[str, Value]) -> list[Line]:
    """Return the results of an edit in sentences: the changes, and the notes of rules.

    Args:
        written: The fields that the player wrote.
    """
    pack, sheet = cast("Pack", mission.game), mission.game.sheet
    seen = [name for name in written if not sheet.inner(name)]
    changes = changes_of(result.shown, pack, written=seen)
    if not changes.fields and not result.notes:
        changes = changes_of(confirmed(result.changes, seen), pack, written=seen)
    slots = {each.name: place for each in changes.fields if (place := sheet.presence.get(each.name))}
    heads, told = tuple(f"{'.'.join(place)}." for place in slots.values()), list[Change]()
    for each in changes.fields:
        if each.name not in slots:
            told += [] if each.name.startswith(heads) else [each]
        elif each.after in FREE:
            each.now, each.thing = "gone", True
            told.append(each)
        else:
            member = cast(Member, sheet.known[slots[each.name][0]])
            words = Facts(sheet, mission.state, dict([slots[each.name]])).described(member)
            each.now, each.person = words or each.now, True
            told.append(each)
    sentences = Changes(changes.places, told).sentences()
    lines = [Line("", [(sentences, "change")])] if sentences else []
    lines += [noted("", *note) for note in result.notes]
    facts = Facts(sheet, mission.state)
    for name in [each for each in seen if facts[each] != written[each]]:
        lines += [Line("", [(f"{sheet.text(name)}: the rules set it to {sheet.say(name, facts[name])}.", "")])]
    return lines or [Line("", [("No change: it already says that.", "")])]


# -- a long move in few lines ------------------------------------------------------------------------------------------


def rows_in_short(results: Sequence[Result], session: Session) -> list[Line]:
    """Return a paragraph for each run of a table: `B-5 Where the shells strike – fighter 1: Tail; Waist; fighter 4:
    Nose`.
    """
    runs: list[tuple[str, list[str]]] = []
    whom = ""
    for result in [each for each in results if not each.step]:
        told = describe(result, session, in_flight=True)
        row, head = told.told, "" if result.decision else told.called
        if result.decision and result.settled and (what := of_what(result)):
            row = answered(what, row)
        if not runs or runs[-1][0] != head:
            runs.append((head, []))
            whom = ""
        dice = f"{told.net} " if told.dice else ""
        runs[-1][1].append(f"{told.whom}: {dice}{row}" if told.whom != whom else f"{dice}{row}")
        whom = told.whom
    return [Line("  ", [(f"{head} – " if head else "", "dim"), ("; ".join(rows), "row")]) for head, rows in runs]


def fates(results: Sequence[Result], session: Session) -> list[Line]:
    """Return the men's fates, using the last change of each: `serious: Copilot Orrin Tate; KIA: Pilot`."""
    sheet, men, about = session.pack.sheet, dict[str, str](), session.pack.about
    lost, called = about.log.lost, about.status.people.name
    for result in results:
        for name, _, after in result.shown:
            index = cut(sheet.fields[name].name)[1]
            if index and sheet.fields[name].name in lost and after not in FREE:
                member = name.rpartition(".")[2]
                man = session.mission.state.get(of_member(called, index, member), "") if called else ""
                men[f"{sheet.label(index, member)} {man}".strip()] = sheet.say(name, after)
    by_fate: dict[str, list[str]] = {}
    for man, fate in men.items():
        by_fate.setdefault(fate, []).append(man)
    told = "; ".join(f"{fate}: {', '.join(names)}" for fate, names in by_fate.items())
    return [Line("  ", [(told, "strong")])] if told else []


def notes_once(results: Sequence[Result]) -> list[Line]:
    return [noted("  ", *note) for note in dict.fromkeys(note for result in results for note in result.notes)]


def summary(results: Sequence[Result], session: Session) -> list[Line]:
    """Return a long move in paragraphs: one for each table, the combined changes, and the notes of rules."""
    events = "; ".join(changes_in_all(results, session.pack).events())
    changed = [Line("    ", [(events, "change")])] if events else []
    return [*rows_in_short(results, session), *changed, *notes_once(results)]


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
        "modifiers": [vars(each) for each in describe_entry(entry, pack).modifiers],
        "net": entry.get("net"),
        "outcome": entry.get("o"),
        **({"auto": True} if "r" in entry else {}),
        "changes": change_objects(pairs_of(entry, pack.sheet)),
    }
