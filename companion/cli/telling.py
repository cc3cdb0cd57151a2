"""What a move came to, as it is told in flight: a line a roll, equal misses in one, changes in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from companion.cli.briefly import briefly, lines_of, room
from companion.cli.present import assumed, binding, bindings_of, news, pending_line, whom_each, whom_of
from companion.cli.tray import Key, key_of
from companion.engine.facts import Facts
from companion.engine.rules import words
from companion.words import bare

if TYPE_CHECKING:
    from rich.console import Console

    from companion.cli.session import Session
    from companion.engine.resolution import Result


FEW, MANY = 2, 6  # results, and changes by them, that have room on any screen


class Teller:
    """Tells what moves came to, once something is asked again: what belongs together stands together then."""

    def __init__(self, out: Console) -> None:
        self.out = out
        self.untold: list[Result] = []
        self.settled: list[Result] = []  # decisions that left no choice, which the question of the others will tell
        self.questions: list[Key] = []  # the rolls whose modifiers stood in a question
        self.plan = ""  # the decision that was made for all together
        self.standing = ""  # the line of the state that was shown last
        self.orders: list[str] = []  # the orders that stood then
        self.begun = True  # whether the mission has been set up
        self.step = ("", "")  # the step that asks, and its section, where no move has named it

    def hear(self, results: Sequence[Result]) -> None:
        """What a move came to, to be told before the next question."""
        self.untold += results

    def tell(self, session: Session) -> None:
        """Tell all that has not been told yet, then how things stand and the step that asks."""
        results, self.untold = self.untold, []
        self.settled = []
        heading: Result | None = None
        rest: list[Result] = []
        for result in results:
            if result.decision and result.settled and not (result.shown or result.then):
                if result.table != self.plan:
                    self.settled.append(result)
                continue
            if result.step:
                self.plan = ""
                heading = result
                if not self.begun and result.shown:  # how every mission begins is no news, and a page of it
                    self.out.print("The sheet is set up as the book says (companion status shows it).", style="dim")
                    result.shown = []
            if not (result.decision and result.table == self.plan and not (result.then or result.notes)):
                rest.append(result)
        self.begun = True
        self._results(rest, session)
        waiting = session.mission.waiting() or {}
        if self.settled and waiting.get("choose") != self.settled[-1].table:
            self._settled(session)
        self.stand(session)
        question = pending_line(waiting, session.pack, session.mission.state) if waiting else ""
        name, cite = (heading.title, heading.cite) if heading is not None else self.step
        self.step = ("", "")
        if waiting and name and bare(name) not in bare(question):
            self.out.print(Text.assemble((f"── {name}", "cyan"), (f"  {cite}", "dim")))

    def _results(self, results: Sequence[Result], session: Session) -> None:
        """What was rolled and decided; in few words where it would fill more than a screen."""
        if len(results) > FEW or sum(len(each.shown) for each in results) > MANY:
            below = lines_of(lambda page: page.print(standing(session)), self.out.width)
            most, questions = room(session.mission, below + 2), list(self.questions)
            if lines_of(lambda page: several(results, session, page, questions), self.out.width) > most:
                self.questions.clear()
                briefly(results, session, self.out, most)
                return
        several(results, session, self.out, self.questions)

    def stand(self, session: Session) -> None:
        """The orders that have arisen, then the line that says how things stand, where it is another than before."""
        orders = [pending_line(item, session.pack) for item in session.mission.pending if "order" in item]
        for each in [each for each in orders if each not in self.orders]:
            self.out.print(Text(f"! {each}", style="bold red"))
        self.orders = orders
        line = standing(session)
        if line.plain and line.plain != self.standing:
            self.standing = line.plain
            self.out.print(line)

    def _settled(self, session: Session) -> None:
        why: dict[str, list[str]] = {}
        for result in self.settled:
            about = whom_of({"choose": result.table, "bind": result.bind}, session.pack)
            whom = binding(about, session.pack).removeprefix(" – ")
            why.setdefault(result.text or session.pack.sheet.read_out(result.outcome), []).append(whom)
        told = [f"{', '.join(names)}: {text}" if any(names) else text for text, names in why.items()]
        _line(self.out, Text("- " + "; ".join(told), style="dim"))


def step_of(session: Session) -> tuple[str, str]:
    """The step that asks as things stand, and its section of the book; empty where none does."""
    steps, facts = session.pack.sequence, Facts(session.pack.sheet, session.mission.state)
    place = steps.place.get(str(facts["step"])) if session.mission.waiting() is not None else None
    return (steps.steps[place].title(facts), steps.steps[place].cite) if place is not None else ("", "")


def standing(session: Session) -> Text:
    """How things stand, in one line: `══ Zone 11 out · high · engine 3 out · 2 wounded · 3 pending`."""
    facts = Facts(session.pack.sheet, session.mission.state)
    parts = [
        (words(spec, "text", facts), "bold red" if spec.get("bad") else "bold")
        for spec in session.pack.about.get("at-table", {}).get("line", ())
        if "#when" not in spec or spec["#when"](facts)
    ]
    orders = sum("order" in item for item in session.mission.pending)
    if parts and orders:
        parts.append((f"{orders} order{'s' if orders > 1 else ''} (n)", "bold red"))
    line = Text("══ ", style="cyan") if parts else Text()
    for at, (text, style) in enumerate(parts):
        line.append(" · " if at else "", "dim").append(text, style)
    return line


def several(results: Sequence[Result], session: Session, out: Console, questions: list[Key]) -> None:
    """What one answer came to; equal misses stand in one line. What stood in a question (`questions`, which are struck
    off) is not said again."""
    together: dict[object, list[Result]] = {}
    for result in results:
        together.setdefault(_alike(result), []).append(result)
    for alike in together.values():
        if len(alike) > 1 and alike[0].rolled is not None:
            _misses(alike, session, out, questions)
        else:
            for result in alike:
                _one(result, session, out, questions)


def _alike(result: Result) -> object:
    """Rolls of one table with the same row and no consequence are told in one line; all else by itself."""
    quiet = not (result.shown or result.notes or result.then or result.step or result.decision or result.patched)
    return (result.table, result.outcome) if quiet else id(result)


def _misses(results: Sequence[Result], session: Session, out: Console, questions: list[Key]) -> None:
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
    _line(out, Text.assemble(number, " ", (outcome, "bold green"), f"{common} – {'; '.join(parts)}"))


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


def _one(result: Result, session: Session, out: Console, questions: list[Key]) -> None:
    if _silent(result, session):
        return
    if result.decision:
        if result.then or news(result, session, but=result.table) or not result.settled:
            _line(out, Text.assemble("→ ", (result.text or session.pack.sheet.read_out(result.outcome), "green")))
    elif not result.step:
        whom = _whom(result, session)
        asked, number = _struck(result, questions), session.pack.table(result.table).number_printed
        title = "" if asked or number == result.title else f" {result.title}"
        head = f"{number}{title}{f' – {whom}' if whom and title else f' {whom}' if whom else ''}: "
        total = f"{sum_of(result, short=asked)}, " if result.dice else ""
        missed = f"; {result.needed}" if result.needed and not (result.then or result.changes) else ""
        natural = " (the unmodified roll decides)" if result.natural and result.applied else ""
        row = result.text or session.pack.sheet.read_out(result.outcome)
        _line(out, Text.assemble(head, total, (row, "bold green"), natural, missed))
        for step in result.steps:
            _line(out, Text(f"{step.before} → {step.after}: {step.why}"), 4)
        for patch in result.patched:
            _line(out, Text.assemble((f"changed: {patch['reason']}", "magenta"), (f"  {patch['table']}", "dim")), 4)
    told = news(result, session, but=result.table if result.decision else "")
    if told:
        _line(out, Text("; ".join(told), style="yellow"), 4)
    for text, cite in result.notes:
        _line(out, Text.assemble((text, "magenta"), (f"  {cite}" if cite else "", "dim")))
    if result.assumed:
        _line(out, Text(f"assumed: {assumed(result, session)}", style="dim"), 4)


def sum_of(result: Result, *, short: bool = False) -> str:
    """`4`, or with what was added: `4 +2 from 6 -1 evasive = 5`, `short` without the reasons."""
    dice = "+".join(map(str, result.dice)) if len(result.dice) > 1 and result.applied else str(result.rolled)
    added = "".join(f" {each.add:+d}{'' if short else f' {each.why}'}" for each in result.applied)
    return f"{dice}{added} = {result.net}" if result.applied else str(result.rolled)


def _whom(result: Result, session: Session) -> str:
    return binding(bindings_of(result, session), session.pack).removeprefix(" – ")


def _line(out: Console, text: Text, indent: int = 2) -> None:
    out.print(Padding(text, (0, 0, 0, indent), expand=False))
