"""The player at the table: what he answers, and what he types beside the question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from companion.cli import asking, inside, picking, plan_prompt
from companion.cli.asking import Person
from companion.cli.plan_prompt import ForAll, Several
from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion, Talk
from companion.play.conversation import next_move
from companion.play.dice_tray import Tray, foreseen, together, tray_key, where
from companion.play.journal import join
from companion.play.plan import Answer, Answered, Plan, decision_of, decisions, joint
from companion.problems import Question, UserError
from companion.store.session import Place, Session

if TYPE_CHECKING:
    from rich.console import Console

    from companion.cli.narrator import Narrator
    from companion.engine.resolution import Result
    from companion.packs import Pack
    from companion.play.mission import Mission

T = TypeVar("T")

ASIDES = {
    "u": "undo", "undo": "undo", "r": "redo", "redo": "redo", "s": "status", "status": "status", "s all": "sheet",
    "status all": "sheet", "status --all": "sheet", "n": "next",
    "next": "next", "f": "forecast", "forecast": "forecast", "f even": "even", "q": "quit", "quit": "quit",
    "exit": "quit", "?": "help", "h": "help", "help": "help",
}  # fmt: skip
HELP = "u undo   r redo   s status   n pending   f what may come   ? more   q leave"


class TypedCommand(Exception):
    """A command that the player typed instead of an answer (`u`, `s`, `q`); `rest` is what follows it."""

    def __init__(self, word: str, rest: str = "") -> None:
        super().__init__(word)
        self.word, self.rest = word, rest


def help_of(pack: Pack) -> str:
    """How to answer, and what else may be typed."""
    dice = "each die (34 is a 3 and a 4, not a total) or an option's number"
    return f"Type {dice if pack.throws_dice else 'a number or words that fit'}; Enter takes the usual.\n{HELP}"


class Flyer(Person):
    """The player at the table, who may type a command where an answer is asked for.

    A move is a conversation (`talk`) that waits while the player is asked. A look at the sheet leaves it waiting; a
    command that writes on the sheet ends it, and the move is begun again with the answers given so far.
    """

    def __init__(self, mission: Mission, place: Place | None = None, stamp: tuple[int, int] = (0, 0)) -> None:
        super().__init__(mission)
        self.place, self.stamp = place, stamp  # where the flight belongs, and the generation of its file last seen
        self.spoken_of = place.campaign.folder if place else None  # the campaign in use that was last spoken of
        self.since = mission.journal.stand  # how many entries stood when this flight began
        self.shown_notes: set[str] = set()  # notes of tables
        self.tray = Tray()  # dice thrown for what comes
        self.several = Several()  # answers typed along with the first
        self.for_all = ForAll()  # what the book says for everybody
        self.teller: Narrator | None = None
        self.session: Session | None = None
        self.decided = Plan()  # what was decided in one question
        self.wishes: dict[str, str] = {}  # how its plan was changed before something else was typed
        self.free = False  # whether any words may be the answer
        self.talk: Talk[list[Result]] | None = None  # the move that waits for an answer
        self.question: Question | None = None  # what it asks
        self.answers: list[Answered] = []  # given in this move
        self.again: list[Answered] = []  # given before the move was begun again

    def fresh(self) -> None:
        """Begin the next move with nothing answered."""
        self.begin_again()
        self.again = []

    def begin_again(self, *, less: int = 0) -> list[Answered]:
        """Begin the move again with what was answered, but for the last `less`, which are returned."""
        if self.talk is not None:
            self.talk.close()
            self.talk = self.question = None
        count = len(self.answers) - less
        self.again, self.answers, struck = [*self.answers[:count], *self.again], [], self.answers[count:]
        return struck

    def moves(self, mission: Mission) -> list[list[Result]]:
        """Make the move that was answered last, and those after it for which all answers lie ready.

        The dice of a line are recorded together, and `u` takes back the line.

        Returns:
            What each move came to; the last is empty when the mission is over.
        """
        moved: list[list[Result]] = []
        self.mission, line = mission, mission.journal.stand
        if self.question is not None:  # the player has looked at something first
            return moved
        while not moved or moved[-1]:
            try:
                self._go_on(mission)
                break
            except StopIteration as done:
                self.fresh()
                moved.append(done.value)
                line = mission.journal.stand if len(moved) == 1 else line
            except UserError:
                if not moved:
                    raise
                self.fresh()  # it is met again once these moves are on disk
                break
        join(mission.journal.entries[max(line - 1, 0) : mission.journal.stand] if moved else ())
        return moved

    def _go_on(self, mission: Mission) -> None:
        """Take the move as far as the first question that no answer lies ready for."""
        if self.talk is None:
            self.talk = next_move(mission)
            question = next(self.talk)
        else:
            question = self.talk.send(self.answers[-1].answer)
        while (answer := self.ready(question)) is not None:
            self.answers.append(Answered(question.key, question.subject, answer))
            question = self.talk.send(answer)
        self.question = question

    def ready(self, question: Question) -> Answer | None:
        """Return the answer that was given before or lies ready; None where the player has to be asked."""
        self.decided.settle(self.mission)
        for at, each in enumerate(self.again):
            if each.key == question.key:
                self.again = self.again[at + 1 :]
                return each.answer
        if isinstance(question, DiceQuestion):
            known = self.for_all.dice(question)
            return self.tray.take(question) if known is None else known
        if isinstance(question, RowQuestion):
            return self.for_all.row(question)
        if isinstance(question, ChoiceQuestion):
            return self.decided.take(question, self.mission) or self.several.take(question, self.mission)
        return None

    def put(self) -> None:
        """Ask the player what the move waits for."""
        question = self.question
        if question is None:
            return
        self.for_all.settle(self.mission)
        if self.teller is not None and self.session is not None:
            self.teller.tell(self.session)
        answer = cast("Answer", self.answer(question))
        self.answers.append(Answered(question.key, question.subject, answer))
        self.question = None

    def ask(self, text: str) -> str:
        """One answer; a command typed in its place interrupts the move."""
        typed = picking.prompt(text)
        asked = self.question
        if (
            typed.casefold() == "n"
            and isinstance(asked, ChoiceQuestion)
            and "no" in [each.name for each in asked.options]
        ):
            return "no"
        if typed.casefold() in ASIDES:
            raise TypedCommand(ASIDES[typed.casefold()])
        if (command := inside.read(typed, self.mission, free=self.free)) is not None:
            raise TypedCommand(*command)
        return typed

    def _freely(self, free: bool, ask: Callable[[], T]) -> T:
        """Ask for what may (where it is `free`) be any words: the name of a city, a row of the player's book."""
        self.free = free
        try:
            return ask()
        finally:
            self.free = False

    def dice(self, question: DiceQuestion) -> list[int]:
        """Ask for the dice of this roll, and for those of the rolls after it."""
        rolls = together(self.mission, question)
        certain = len(rolls) >= sum(item.kind != "order" for item in self.mission.pending)
        likely = foreseen(self.mission, len(rolls)) if certain else []
        self._settle(likely if certain else None)
        rolls = [question, *self.tray.unserved(rolls[1:])]
        dice = asking.throw(rolls, self.tray.unserved(likely), self.tray, self.mission, self.ask)
        if self.teller is not None:
            self.teller.questions = [tray_key(each.table.id, each.bind) for each in rolls]
        return dice

    def _settle(self, likely: Sequence[DiceQuestion] | None = ()) -> None:
        """Put away dice whose rolls will not come, and say so."""
        if stale := self.tray.settle(where(self.mission), self.mission.pending, likely):
            picking.wrapped(f"Put away: {stale}, not asked for now.", "  ")

    def fact(self, question: FactQuestion) -> Value:
        """Ask for a fact."""
        return self._freely(question.declared.words, lambda: asking.ask_fact(question, self.ask))

    def row(self, question: RowQuestion) -> str:
        """Ask what the book says."""
        asks = self.for_all.asking(question, self.mission, self.ask)
        return self._freely(True, lambda: self.for_all.keep(question, asking.ask_row(question, self.shown_notes, asks)))

    def choice(self, question: ChoiceQuestion) -> str:
        """Ask for a decision, and with it for the same one of the others."""
        self._settle()
        items = decisions(self.mission)
        if items and items[0].is_for("choose", question.name) and joint(self.mission, items):
            settled = [each for each in self.teller.settled if each.table == question.name] if self.teller else []
            plan = plan_prompt.allocate(self.mission, items, settled, self.ask, self.wishes)
            self.decided, self.wishes = Plan.of(items, plan), {}
            if self.teller is not None:
                self.teller.plan = question.name
            return self.decided.pop(decision_of(items[0]))
        return asking.ask_choice(question, self.mission, self.several.asking(question, self.mission, self.ask))

    def field(self, question: FieldQuestion) -> str:
        """Ask about one field."""
        return self._freely(question.declared.words, lambda: asking.ask_field(question, self.ask))

    def carry_out(self, word: str, rest: str, session: Session, out: Console) -> None:
        """Do what was typed instead of an answer; what it came to is told before the question that comes back."""
        results = inside.carry_out(word, rest, session, self.tray, out)
        if word == "again":
            self.decided, self.wishes = Plan(), {}
            self.fresh()
            self.several.clear()
            self.for_all.clear()
        if word == "skip":
            self.answers = []
        if self.teller is not None:
            self.teller.hear(results)

    def put_away(self) -> str:
        """Forget what was typed for what comes; gives the dice it was."""
        self.decided, self.wishes = Plan(), {}
        self.several.clear()
        self.for_all.clear()
        return self.tray.clear()
