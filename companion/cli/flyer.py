"""The player at the table: what he answers, and what he types beside the question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

from companion.cli import asking, dice_prompt, inside, picking, plan_prompt
from companion.cli.asking import Person
from companion.cli.plan_prompt import ForAll, Several
from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.play.dice_tray import Tray, foreseen, together, tray_key, where
from companion.play.plan import Answer, Answered, Plan, decision_of, decisions, joint
from companion.store.session import Place, Session

if TYPE_CHECKING:
    from rich.console import Console

    from companion.cli.narrator import Narrator
    from companion.packs import Pack
    from companion.play.mission import Mission

T = TypeVar("T", bound=Answer)


ASIDES = {
    "u": "undo", "undo": "undo", "r": "redo", "redo": "redo", "s": "status", "status": "status", "s all": "sheet",
    "status all": "sheet", "status --all": "sheet", "n": "next",
    "next": "next", "f": "forecast", "forecast": "forecast", "f even": "even", "q": "quit", "quit": "quit",
    "?": "help", "h": "help", "help": "help",
}  # fmt: skip
HELP = "u undo   r redo   s status   n pending   f what may come   ? more   q leave"


def nothing() -> None:
    """What lies ready for a question that cannot be answered beforehand."""


class Aside(Exception):
    """The player typed a command (`u`, `s`, `q`) where an answer was asked for; `rest` is what stood behind it."""

    def __init__(self, word: str, rest: str = "") -> None:
        super().__init__(word)
        self.word, self.rest = word, rest


class Unready(Exception):
    """A move needs an answer that does not lie ready."""


def help_of(pack: Pack) -> str:
    """How to answer, and what else may be typed."""
    dice = "each die (34 is a 3 and a 4, not a total) or an option's number"
    return f"Type {dice if pack.throws_dice else 'a number or words that fit'}; Enter takes the usual.\n{HELP}"


class Flyer(Person):
    """The player at the table, who may type a command where an answer is asked for.

    A move may take several answers (the dice, then what the book says). They are remembered until the move is made,
    each with what it answers, so that a look at the sheet or a mark on it loses none of them that is still asked for,
    and `u` takes back only the last.
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
        self.alone = False  # whether nobody is asked: a move is made of what lies ready, or not at all
        self.answers: list[Answered] = []
        self._remembered: list[Answered] = []

    @property
    def remembers(self) -> bool:
        """Whether an answer is still to be given again."""
        return bool(self._remembered)

    def fresh(self) -> None:
        """The move is made; the next one begins."""
        self.answers, self._remembered = [], []

    def repeat(self, *, less: int = 0) -> list[Answered]:
        """The move is asked for again; what was answered stands, but for the last `less`, which are returned."""
        stand = len(self.answers) - less
        struck = self.answers[stand:]
        self._remembered, self.answers = self.answers[:stand], []
        return struck

    def _once(self, key: tuple[object, ...], what: str, ready: Callable[[], T | None], ask: Callable[[], T]) -> T:
        """What was answered to the same question (`key`) before the move was interrupted, else what lies ready, else
        what is asked for now. `what` tells what the answer is of."""
        self.decided.settle(self.mission)
        again = next((each for each in self._remembered if each.key == key), None)
        if again is not None:
            self._remembered = self._remembered[self._remembered.index(again) + 1 :]
            answer = cast(T, again.answer)
        else:
            lying = ready()
            answer = self._asked(ask) if lying is None else lying
        self.answers.append(Answered(key, what, answer))
        return answer

    def _asked(self, ask: Callable[[], T]) -> T:
        if self.alone:
            raise Unready
        self.for_all.settle(self.mission)
        if self.teller is not None and self.session is not None:
            self.teller.tell(self.session)
        return ask()

    def ask(self, text: str) -> str:
        """One answer; a command typed in its place interrupts the move."""
        typed = picking.prompt(text)
        if typed.casefold() in ASIDES:
            raise Aside(ASIDES[typed.casefold()])
        if (command := inside.read(typed, self.mission, free=self.free)) is not None:
            raise Aside(*command)
        return typed

    def _freely(self, free: bool, ask: Callable[[], T]) -> T:
        """Ask for what may (where it is `free`) be any words: the name of a city, a row of the player's book."""
        self.free = free
        try:
            return ask()
        finally:
            self.free = False

    def dice(self, question: DiceQuestion) -> list[int]:
        """The dice that lie on the tray for this roll; else ask for them, and for those of the rolls behind it."""
        return self._once(
            ("dice", *tray_key(question.table.id, question.bind), question.dice.name),
            question.table.called,
            lambda: self._lying(question),
            lambda: self._throw(question),
        )

    def _lying(self, question: DiceQuestion) -> list[int] | None:
        known = self.for_all.dice(question)
        return self.tray.take(question) if known is None else known

    def _throw(self, question: DiceQuestion) -> list[int]:
        rolls = together(self.mission, question)
        certain = len(rolls) >= sum("order" not in item for item in self.mission.pending)
        likely = foreseen(self.mission, len(rolls)) if certain else []
        self._settle(likely if certain else None)
        rolls = [question, *self.tray.unserved(rolls[1:])]
        dice = dice_prompt.throw(rolls, self.tray.unserved(likely), self.tray, self.mission, self.ask)
        if self.teller is not None:
            self.teller.questions = [tray_key(each.table.id, each.bind) for each in rolls]
        return dice

    def _settle(self, likely: Sequence[DiceQuestion] | None = ()) -> None:
        """Put away dice whose rolls will not come, and say so."""
        if stale := self.tray.settle(where(self.mission), self.mission.pending, likely):
            picking.wrapped(f"Put away: {stale}, not asked for now.", "  ")

    def fact(self, question: FactQuestion) -> Value:
        """Ask for a fact."""
        return self._once(
            ("fact", question.name),
            question.declared.heading,
            nothing,
            lambda: self._freely(question.declared.words, lambda: asking.ask_fact(question, self.ask)),
        )

    def row(self, question: RowQuestion) -> str:
        """Ask what the book says."""
        return self._once(
            ("row", *tray_key(question.table.id, question.bind), question.net),
            question.table.called,
            lambda: self.for_all.row(question),
            lambda: self._freely(True, lambda: self._say_row(question)),
        )

    def _say_row(self, question: RowQuestion) -> str:
        asks = self.for_all.asking(question, self.mission, self.ask)
        return self.for_all.keep(question, asking.ask_row(question, self.shown_notes, asks))

    def choice(self, question: ChoiceQuestion) -> str:
        """What was decided along with the others; else ask for it, and with it for the same one of the others."""
        return self._once(
            ("choice", *tray_key(question.name, question.bind)),
            question.title,
            lambda: self.decided.take(question, self.mission) or self.several.take(question, self.mission),
            lambda: self._decide(question),
        )

    def _decide(self, question: ChoiceQuestion) -> str:
        self._settle()
        items = decisions(self.mission)
        if items and items[0].get("choose") == question.name and joint(self.mission, items):
            settled = [each for each in self.teller.settled if each.table == question.name] if self.teller else []
            plan = plan_prompt.allocate(self.mission, items, settled, self.ask, self.wishes)
            self.decided, self.wishes = Plan.of(items, plan), {}
            if self.teller is not None:
                self.teller.plan = question.name
            return self.decided.pop(decision_of(items[0]))
        return asking.ask_choice(question, self.mission, self.several.asking(question, self.mission, self.ask))

    def carry_out(self, word: str, rest: str, session: Session, out: Console) -> None:
        """Do what was typed instead of an answer; what it came to is told before the question that comes back."""
        results = inside.carry_out(word, rest, session, self.tray, out)
        if word == "again":
            self.decided, self.wishes, self.answers = Plan(), {}, []
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

    def field(self, question: FieldQuestion) -> str:
        """Ask about one field."""
        return self._once(
            ("field", question.name),
            question.label,
            nothing,
            lambda: self._freely(question.declared.words, lambda: asking.ask_field(question, self.ask)),
        )
