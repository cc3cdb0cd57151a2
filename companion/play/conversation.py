"""The one conversation: whoever plays is asked for what only he knows, and the mission moves on when all is said.

A person at the terminal, a single `companion roll`, a script and chance are answerers to the same questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion, Talk, settle
from companion.engine.resolution import Result
from companion.play.mission import Mission
from companion.problems import MissingAnswer, Question, UserError

if TYPE_CHECKING:
    import random

Groups = Sequence[Sequence[int]]  # dice, a group for each throw


class Answerer(Protocol):
    """Whoever gives dice and answers."""

    def acts(self, mission: Mission) -> list[Result]:
        """What he does of his own accord before the next question; gives what it came to."""

    def hand(self, groups: Groups) -> Hand:
        """The dice for one move: those typed so far, and the companion's own where it rolls for him."""

    def dice(self, question: DiceQuestion) -> list[int]:
        """The dice thrown."""

    def fact(self, question: FactQuestion) -> Value:
        """A fact that a table needs."""

    def row(self, question: RowQuestion) -> str:
        """What the printed row of the player's own book says."""

    def choice(self, question: ChoiceQuestion) -> str:
        """The option taken."""

    def field(self, question: FieldQuestion) -> str:
        """The answer to a question about one field."""


class NonInteractive:
    """Nobody is there to be asked: the first question ends the command, with a sentence that says what to give.

    With a `seed` the companion throws what dice are missing, the same ones at every try.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def acts(self, mission: Mission) -> list[Result]:
        """Nothing."""
        return []

    def hand(self, groups: Groups) -> Hand:
        """The dice that were given, and the companion's own where it rolls."""
        if self.seed is None:
            return Hand(groups)
        from random import Random  # takes 2 ms to import

        return Hand(groups, Random(self.seed))

    def dice(self, question: DiceQuestion) -> list[int]:
        """No dice."""
        raise MissingAnswer(question)

    def fact(self, question: FactQuestion) -> Value:
        """No fact."""
        raise MissingAnswer(question)

    def row(self, question: RowQuestion) -> str:
        """No row."""
        raise MissingAnswer(question)

    def choice(self, question: ChoiceQuestion) -> str:
        """No decision."""
        raise MissingAnswer(question)

    def field(self, question: FieldQuestion) -> str:
        """No answer."""
        raise MissingAnswer(question)


class Chance:
    """The automatic player: it rolls, takes the usual option, and lets chance pick a known row of an owner table.

    Rows that only the player's book has are not guessed: of the outcomes that the rules name each is as likely as
    the other (or those the table lists as `usual`), which exercises every path and says nothing about the book's odds.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def acts(self, mission: Mission) -> list[Result]:
        """Nothing that it is not asked for."""
        return []

    def hand(self, groups: Groups) -> Hand:
        """Its own dice."""
        return Hand(groups, self.rng)

    def dice(self, question: DiceQuestion) -> list[int]:
        """A throw."""
        return question.dice.throw(self.rng)

    def fact(self, question: FactQuestion) -> Value:
        """The default, or the first accepted value."""
        declared = question.declared
        if not declared.values or declared.default is not None:
            return declared.blank
        return next((each for each in declared.values if each != "none"), declared.values[0])

    def row(self, question: RowQuestion) -> str:
        """One of the known rows."""
        options = question.table.likely
        return self.rng.choice(options) if options else "as-printed"

    def choice(self, question: ChoiceQuestion) -> str:
        """The usual option."""
        return question.options[0].name

    def field(self, question: FieldQuestion) -> str:
        """The usual value, or that of an untouched field; one that cannot stand there is the player's to say."""
        if question.usual == "" and question.declared.numeric:
            if not question.declared.reaches(question.declared.blank):
                raise MissingAnswer(question)
            return str(question.declared.blank)
        return str(question.usual)


class Answers:
    """What is known for one move: dice, facts that count for it alone (`given`), facts to be written on the sheet
    because the player was asked for them, and the row, option or value (`outcome`)."""

    def __init__(self, groups: Groups = (), given: dict[str, Value] | None = None, outcome: str | None = None) -> None:
        self.groups: list[Sequence[int]] = list(groups)
        self.given: dict[str, Value] = given or {}
        self.written: dict[str, Value] = {}
        self.outcome = outcome


def answer_of(by: Answerer, question: Question) -> object:
    """Put one question to whoever plays."""
    if isinstance(question, DiceQuestion):
        return by.dice(question)
    if isinstance(question, RowQuestion):
        return by.row(question)
    if isinstance(question, ChoiceQuestion):
        return by.choice(question)
    if isinstance(question, FieldQuestion):
        return by.field(question)
    return by.fact(question) if isinstance(question, FactQuestion) else None


def with_implied(mission: Mission, given: Mapping[str, Value]) -> dict[str, Value]:
    """The facts given for one roll, and before them what the standing rules make of them, as `set` would: by night the
    bomber flies at LO.

    Facts that are no fields of the sheet (`fighter.clock`, of whichever fighter) bring nothing; nor does one that the
    sheet would refuse, which is told by the roll itself.
    """
    fields = mission.game.sheet.fields
    on_sheet = {name: value for name, value in given.items() if name in fields}
    if not on_sheet:
        return dict(given)
    play = Play(mission.game, dict(mission.state))
    before = dict(play.state)
    try:
        play.write(on_sheet, "set")
    except UserError:
        return dict(given)
    after = {name: value for name, value in play.state.items() if before.get(name) != value}
    return {**after, **given}


def next_move(mission: Mission, table: str | None = None) -> Talk[list[Result]]:
    """Roll a table, resolve what is pending first or take the next step, asking for all that is missing.

    Returns:
        The results; none when the mission is over.
    """
    if table is None and mission.waiting() is None:
        return mission.advance()
    return (yield from mission.talk(table, Hand(), asking=True, single=True))


def resolve(
    mission: Mission,
    table: str | None,
    by: Answerer,
    answers: Answers | None = None,
    *,
    asking: bool = False,
    single: bool = False,
) -> list[Result]:
    """Roll a table or resolve what is pending first, asking `by` for what is missing.

    Nothing is recorded before all is known. `asking` asks for facts that have a default too; `single` resolves one roll
    even where there are dice for those that it starts.
    """
    answers = answers or Answers()
    talk = mission.talk(
        table,
        by.hand(answers.groups),
        answers.given,
        outcome=answers.outcome,
        asking=asking,
        answers=answers.written,
        single=single,
    )
    return settle(talk, lambda question: answer_of(by, question))


def move(mission: Mission, by: Answerer, *, asking: bool = False) -> list[Result]:
    """One move: what `by` does of its own accord, what is pending first, or the next step; empty when all is over."""
    results = by.acts(mission)
    if results:
        return results
    item = mission.waiting()
    if item is None:
        return mission.advance()
    return resolve(mission, None, by, asking=asking, single=True)
