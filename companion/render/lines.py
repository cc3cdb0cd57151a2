"""What moves came to, a line each, as told in flight: equal misses in one, changes in one; and how things stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.text import Text

from companion.engine.facts import Facts
from companion.engine.rules import words
from companion.play.tray import Key, key_of
from companion.render.results import assumed, binding, bindings_of, news, whom_each
from companion.words import counted

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.store.session import Session


class Line(NamedTuple):
    """A line, and how far from the margin it stands."""

    indent: int
    text: Text


def step_of(session: Session) -> tuple[str, str]:
    """The step that asks as things stand, and its section of the book; empty where none does."""
    steps, facts = session.pack.sequence, Facts(session.pack.sheet, session.mission.state)
    place = steps.place.get(str(facts["step"])) if session.mission.waiting() is not None else None
    return (steps.steps[place].title(facts), steps.steps[place].cite) if place is not None else ("", "")


def has_begun(session: Session) -> bool:
    """Whether a step of the mission has been taken."""
    return any(entry["v"] == "step" for entry in session.mission.journal.entries[: session.mission.journal.stand])


def goes_on(session: Session) -> bool:
    """Whether something waits, or a step of the mission is still to come."""
    return session.mission.waiting() is not None or bool(session.mission.coming(1))


def debrief(session: Session) -> list[str]:
    """How the mission ended, as the pack says it is told."""
    sheet, facts = session.pack.sheet, Facts(session.pack.sheet, session.mission.state)
    return [f"{sheet.text(name)}: {sheet.say(name, facts[name])}" for name in session.pack.about.get("debrief", ())]


def standing(session: Session, *, keys: bool = True) -> Text:
    """How things stand, in one line: `══ Zone 11 out · high · engine 3 out · 2 wounded · 1 order (n)`; without `keys`
    it does not say which key shows more."""
    facts = Facts(session.pack.sheet, session.mission.state)
    parts = [
        (words(spec, "text", facts), "bold red" if spec.get("bad") else "bold")
        for spec in session.pack.about.get("at-table", {}).get("line", ())
        if "#when" not in spec or spec["#when"](facts)
    ]
    orders = sum("order" in item for item in session.mission.pending)
    if parts and orders:
        parts.append((f"{counted(orders, 'order')}{' (n)' if keys else ''}", "bold red"))
    line = Text("══ ", style="cyan") if parts else Text()
    for at, (text, style) in enumerate(parts):
        line.append(" · " if at else "", "dim").append(text, style)
    return line


def lines(results: Sequence[Result], session: Session, questions: list[Key], *, asked: bool = True) -> Iterator[Line]:
    """What one answer came to; equal misses stand in one line. What stood in a question (`questions`, which are struck
    off) is not said again. What was decided names it where what was `asked` is out of sight, or settled itself."""
    together: dict[object, list[Result]] = {}
    for result in results:
        together.setdefault(_alike(result), []).append(result)
    for alike in together.values():
        if len(alike) > 1 and alike[0].rolled is not None:
            yield _misses(alike, session, questions)
        else:
            for result in alike:
                yield from _one(result, session, questions, "" if asked and not result.settled else of_what(result))


def _alike(result: Result) -> object:
    """Rolls of one table with the same row and no consequence are told in one line; all else by itself."""
    quiet = not (result.shown or result.notes or result.then or result.step or result.decision or result.patched)
    return (result.table, result.outcome) if quiet else id(result)


def _misses(results: Sequence[Result], session: Session, questions: list[Key]) -> Line:
    """`M-1 miss (hit on 5 or more) – nose 1: 3; top 2: 4`; what all of them needed is said once, and of the text of a
    row its last brackets, which say why."""
    parts, needs = [], {each.needed for each in results}
    whom = whom_each([bindings_of(each, session) for each in results], session.pack)
    for each, name in zip(results, whom, strict=True):
        asked = _struck(each, questions)
        need = each.needed if len(needs) > 1 and not asked else ""
        why = each.text.rpartition("(")[2].removesuffix(")") if each.text.endswith(")") else ""
        own = f" ({', '.join(filter(None, (need, why)))})" if need or why else ""
        parts.append(f"{name}: {sum_of(each, short=asked)}{own}".removeprefix(": "))
    number = session.pack.table(results[0].table).number_printed
    outcome = session.pack.sheet.read_out(results[0].outcome)
    common = f" ({results[0].needed})" if results[0].needed and len(needs) == 1 else ""
    return Line(2, Text.assemble(number, " ", (outcome, "bold green"), f"{common} – {'; '.join(parts)}"))


def _struck(result: Result, questions: list[Key]) -> bool:
    """Whether a roll's modifiers stood in a question, which is struck off."""
    key = key_of(result.table, result.bind)
    if key in questions:
        questions.remove(key)
        return True
    return False


def _silent(result: Result, session: Session) -> bool:
    """Whether there is nothing to say of a procedure, or of an answer that was just typed."""
    if result.text or result.notes or result.patched or result.steps or result.step or result.decision:
        return False
    table = session.pack.table(result.table)
    return bool(table.procedure or table.question) and not news(result, session)


def of_what(result: Result) -> str:
    """What a decision was about, short: `Nose gun: fire at ` of `Nose gun (Bombardier, 15 bursts): fire at?`."""
    return f"{re.sub(r' [(][^()]*[)]', '', result.title).partition('?')[0].rstrip(':. ')} " if result.title else ""


def _one(result: Result, session: Session, questions: list[Key], what: str = "") -> Iterator[Line]:
    if _silent(result, session):
        return
    if result.decision:
        # the field that a decision is named for is told by its row alone
        own = any(name == result.table for name, _, _ in result.shown)
        if result.then or own or news(result, session, but=result.table) or not result.settled:
            yield Line(
                2, Text.assemble(what, "→ ", (result.text or session.pack.sheet.read_out(result.outcome), "green"))
            )
    elif not result.step:
        whom = _whom(result, session)
        asked, number = _struck(result, questions), session.pack.table(result.table).number_printed
        title = "" if asked or number == result.title else f" {result.title}"
        head = f"{number}{title}{f' – {whom}' if whom and title else f' {whom}' if whom else ''}: "
        total = f"{sum_of(result, short=asked)}, " if result.dice else ""
        missed = f"; {result.needed}" if result.needed and not (result.then or result.changes) else ""
        natural = " (the unmodified roll decides)" if result.natural and result.applied else ""
        row = (result.text or session.pack.sheet.read_out(result.outcome)).removeprefix(f"{whom.rpartition(', ')[2]}: ")
        yield Line(2, Text.assemble(head, total, (row, "bold green"), natural, missed))
        for step in result.steps:
            yield Line(4, Text(f"{step.before} → {step.after}: {step.why}"))
        for patch in result.patched:
            yield Line(4, Text.assemble((f"changed: {patch['reason']}", "magenta"), (f"  {patch['table']}", "dim")))
    told = news(result, session, but=result.table if result.decision else "")
    if told:
        yield Line(4, Text("; ".join(told), style="yellow"))
    for text, cite in result.notes:
        yield Line(2, Text.assemble((text, "magenta"), (f"  {cite}" if cite else "", "dim")))
    if result.assumed:
        yield Line(4, Text(f"assumed: {assumed(result, session)}", style="dim"))


def sum_of(result: Result, *, short: bool = False) -> str:
    """`4`, or with what was added: `4 +2 from 6 -1 evasive = 5`, `short` without the reasons; the dice of a formula as
    they lie."""
    if result.formula:
        return " ".join(map(str, result.dice))
    dice = "+".join(map(str, result.dice)) if len(result.dice) > 1 and result.applied else str(result.rolled)
    added = "".join(f" {each.add:+d}{'' if short else f' {each.why}'}" for each in result.applied)
    return f"{dice}{added} = {result.net}" if result.applied else str(result.rolled)


def _whom(result: Result, session: Session) -> str:
    return binding(bindings_of(result, session), session.pack).removeprefix(" – ")
