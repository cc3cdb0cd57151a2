"""The narrator of a flight at the terminal: it shows the results of moves, limited to one screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from companion.cli.terminal import broken, show
from companion.engine.questions import Pending
from companion.play.dice_tray import Key
from companion.play.plan import decisions
from companion.render.changes import changes_of
from companion.render.describe import fates, in_flight, notes_once, rows_in_short, summary
from companion.render.situation import Line, binding, joined, pending_line, standing
from companion.words import bare, counted, grouped

if TYPE_CHECKING:
    from rich.console import Console

    from companion.engine.resolution import Result
    from companion.store.session import Session

SCREEN = 20  # the most lines between two questions
LEAST = 5  # the fewest lines for a move
FEW, MANY = 2, 6  # the most results and changes that fit on any screen


class Narrator:
    """Collects the results of moves and prints them together before the next question."""

    def __init__(self, out: Console, *, asked: bool = True) -> None:
        self.out, self.asked = out, asked  # whether the questions are also on the screen
        self.untold: list[Result] = []
        self.settled: list[Result] = []  # decisions without a choice, to be shown with the question of the others
        self.questions: list[Key] = []  # the rolls whose modifiers a question has shown
        self.plan = ""  # the decision made for all together
        self.standing = ""  # the last status line shown
        self.orders: list[str] = []  # the orders at that time
        self.own: set[str] = set()  # tables of the player's rulebook that have been named
        self.begun = True  # whether the mission has been set up
        self.step = ("", "")  # the asking step with its section, unless a move has named it

    def add(self, results: Sequence[Result]) -> None:
        """Keep the results of a move until the next question; a rulebook table is named only once."""
        for result in [each for each in results if each.patched]:
            from companion.packs.overlays import REASON

            result.patched = [
                each for each in result.patched if each["reason"] != REASON or each["table"] not in self.own
            ]
            self.own |= {each["table"] for each in result.patched if each["reason"] == REASON}
        self.untold += results

    def tell(self, session: Session, asks: Callable[[], int] = lambda: 4) -> None:
        """Print all pending results, then the status line and the step that asks.

        Args:
            asks: The number of lines that the next question takes.
        """
        results, self.untold = self.untold, []
        self.settled = [] if results else self.settled
        heading: Result | None = None
        rest: list[Result] = []
        for result in results:
            if result.decision and result.settled and not (result.shown or result.then):
                if result.table != self.plan:
                    self.settled.append(result)
                continue
            if result.decision and result.table in session.pack.sheet.fields and not (result.then or result.notes):
                result.text = ""
                if len(result.shown) <= 1:  # what was typed is on the screen
                    continue
            if result.step:
                self.plan = ""
                heading = result
                if (
                    not (self.begun or result.notes) and changes_of(result.shown, session.pack).fields
                ):  # the usual start of a mission fills a page and is not worth showing
                    self.out.print("The sheet is set up by the rulebook (see companion status).", style="dim")
                    result.shown = []
            if not (result.decision and result.table == self.plan and not (result.then or result.notes)):
                rest.append(result)
        self.begun = True
        self._results(rest, session, asks)
        waiting = session.mission.waiting()
        if self.settled and not (waiting and waiting.is_for("choose", self.settled[-1].table)):
            self._settled(session)
        if results and waiting and waiting.is_for("choose", session.pack.about.at_table.wave.aim):
            self.standing = ""  # the whole zone is shown with the guns
        self.position_status(session)
        question = pending_line(waiting, session.pack, session.mission.state) if waiting else ""
        name, cite = (heading.title, heading.cite) if heading is not None else self.step
        self.step = ("", "")
        if waiting and name and (bare(name) not in bare(question) or len(decisions(session.mission)) > 1):
            show([Line("", [(f"── {name}", "step"), (f"  {cite}", "dim")])], self.out)

    def _results(self, results: Sequence[Result], session: Session, asks: Callable[[], int]) -> None:
        """Print rolls and decisions, in short form if they would fill more than a screen with the question."""
        if len(results) > FEW or sum(len(each.shown) for each in results) > MANY:
            below = len(broken(standing(session), self.out.width)) + 2
            most = max(LEAST, SCREEN - below - asks())
            questions = list(self.questions)
            long = in_flight(results, session, questions, asked=self.asked)
            if sum(len(broken(line, self.out.width)) for line in long) > most:
                self.questions.clear()
                show_briefly(results, session, self.out, most)
                return
        show(in_flight(results, session, self.questions, asked=self.asked), self.out)

    def position_status(self, session: Session) -> None:
        """Print new orders, then the status line if it has changed."""
        orders = [pending_line(item, session.pack) for item in session.mission.pending if not item.waits]
        for each in joined([each for each in orders if each not in self.orders]):
            show([Line("", [(f"! {each}", "bad")])], self.out)
        self.orders = orders
        line = standing(session)
        if line.text and line.text != self.standing:
            self.standing = line.text
            show([line], self.out)

    def _settled(self, session: Session) -> None:
        told = []
        for result in self.settled:
            about = Pending("choose", result.table, result.bind).subject(session.pack)
            whom = binding(about, session.pack).removeprefix(" – ")
            told.append((whom, result.text or session.pack.sheet.read_out(result.outcome)))
        show([Line("  ", [(f"- {'; '.join(grouped(told))}", "dim")])], self.out)


def show_briefly(results: Sequence[Result], session: Session, out: Console, most: int) -> None:
    """Print the results in paragraphs, within a number of lines; the rest is counted and left to the log.

    The fate of a man is always shown, and so are the last row and steps, which led to the question.
    """

    def lines_of(lines: Sequence[Line]) -> list[Line]:
        return [part for line in lines for part in broken(line, out.width)]

    lines = lines_of(summary(results, session))
    if len(lines) > most:
        rolled, men = lines_of(rows_in_short(results, session)), lines_of(fates(results, session))
        last = lines_of(rows_in_short([each for each in results if not each.step][-1:], session))
        last_steps = list(reversed(list(takewhile(lambda each: each.step, reversed(results)))))
        says = lines_of(notes_once(last_steps))
        shown = max(0, most - 1 - len(men) - len(says))
        if shown < len(rolled):
            shown = max(0, shown - len(last))
        else:
            last = []
        last += says
        more = Line("", [(f"  … {counted(len(lines) - shown - len(last), 'line')} more in the log", "dim")])
        lines = [*lines[:shown], *men, more, *last]
    show(lines, out)
