"""What a move came to, as it is told in flight: a line a roll, equal misses in one, changes in one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from companion.cli.briefly import briefly, lines_of, room
from companion.cli.present import indented
from companion.play.ahead import decisions
from companion.play.tray import Key
from companion.render.lines import Line, lines, standing
from companion.render.results import binding, changed, joined, pending_line, whom_of
from companion.words import bare

if TYPE_CHECKING:
    from rich.console import Console

    from companion.engine.resolution import Result
    from companion.store.session import Session


FEW, MANY = 2, 6  # results, and changes by them, that have room on any screen


class Teller:
    """Tells what moves came to, once something is asked again: what belongs together stands together then."""

    def __init__(self, out: Console, *, asked: bool = True) -> None:
        self.out, self.asked = out, asked  # whether the questions stand on the screen too
        self.untold: list[Result] = []
        self.settled: list[Result] = []  # decisions that left no choice, which the question of the others will tell
        self.questions: list[Key] = []  # the rolls whose modifiers stood in a question
        self.plan = ""  # the decision that was made for all together
        self.standing = ""  # the line of the state that was shown last
        self.orders: list[str] = []  # the orders that stood then
        self.own: set[str] = set()  # tables of the player's own book that have been named
        self.begun = True  # whether the mission has been set up
        self.step = ("", "")  # the step that asks, and its section, where no move has named it

    def hear(self, results: Sequence[Result]) -> None:
        """What a move came to, to be told before the next question; that a table is of the own book is told once."""
        for result in [each for each in results if each.patched]:
            from companion.packs.transcribing import REASON

            result.patched = [
                each for each in result.patched if each["reason"] != REASON or each["table"] not in self.own
            ]
            self.own |= {each["table"] for each in result.patched if each["reason"] == REASON}
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
                if not self.begun and changed(result, session):  # how every mission begins is no news, and a page of it
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
        if waiting and name and (bare(name) not in bare(question) or len(decisions(session.mission)) > 1):
            indented(Text.assemble((f"── {name}", "cyan"), (f"  {cite}", "dim")), 0, self.out)

    def _results(self, results: Sequence[Result], session: Session) -> None:
        """What was rolled and decided; in few words where it would fill more than a screen."""
        if len(results) > FEW or sum(len(each.shown) for each in results) > MANY:
            below = lines_of(lambda page: page.print(standing(session)), self.out.width)
            most, questions = room(session.mission, below + 2), list(self.questions)
            long = list(lines(results, session, questions, asked=self.asked))
            if lines_of(lambda page: show(long, page), self.out.width) > most:
                self.questions.clear()
                briefly(results, session, self.out, most)
                return
        show(lines(results, session, self.questions, asked=self.asked), self.out)

    def stand(self, session: Session) -> None:
        """The orders that have arisen, then the line that says how things stand, where it is another than before."""
        orders = [pending_line(item, session.pack) for item in session.mission.pending if "order" in item]
        for each in joined([each for each in orders if each not in self.orders]):
            indented(Text(f"! {each}", style="bold red"), 0, self.out)
        self.orders = orders
        line = standing(session)
        if line.plain and line.plain != self.standing:
            self.standing = line.plain
            indented(line, 0, self.out)

    def _settled(self, session: Session) -> None:
        why: dict[str, list[str]] = {}
        for result in self.settled:
            about = whom_of({"choose": result.table, "bind": result.bind}, session.pack)
            whom = binding(about, session.pack).removeprefix(" – ")
            why.setdefault(result.text or session.pack.sheet.read_out(result.outcome), []).append(whom)
        told = [f"{', '.join(names)}: {text}" if any(names) else text for text, names in why.items()]
        show([Line(2, Text("- " + "; ".join(told), style="dim"))], self.out)


def show(told: Iterable[Line], out: Console) -> None:
    """Print lines, each behind its margin."""
    for indent, text in told:
        indented(text, indent, out)
