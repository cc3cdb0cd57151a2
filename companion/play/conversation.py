"""The one conversation: whoever plays is asked for what only he knows, and the mission moves on when all is said.

A person at the terminal, a single `companion roll`, a script and chance are answerers to the same questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.engine.resolution import Result
from companion.play.mission import Mission
from companion.problems import Problem, Question, Unanswered

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


class Nobody:
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
        import random

        return Hand(groups, random.Random(self.seed))

    def dice(self, question: DiceQuestion) -> list[int]:
        """No dice."""
        raise Unanswered(question)

    def fact(self, question: FactQuestion) -> Value:
        """No fact."""
        raise Unanswered(question)

    def row(self, question: RowQuestion) -> str:
        """No row."""
        raise Unanswered(question)

    def choice(self, question: ChoiceQuestion) -> str:
        """No decision."""
        raise Unanswered(question)

    def field(self, question: FieldQuestion) -> str:
        """No answer."""
        raise Unanswered(question)


class Answers:
    """What is known for one move: dice, facts that count for it alone (`given`), facts to be written on the sheet
    because the player was asked for them, and the row, option or value (`outcome`)."""

    def __init__(self, groups: Groups = (), given: dict[str, Value] | None = None, outcome: str | None = None) -> None:
        self.groups: list[Sequence[int]] = list(groups)
        self.given: dict[str, Value] = given or {}
        self.written: dict[str, Value] = {}
        self.outcome = outcome

    def ask(self, question: Question, by: Answerer, mission: Mission) -> None:
        """Put one question and keep its answer."""
        if isinstance(question, DiceQuestion):
            self.groups.append(by.dice(question))
        elif isinstance(question, RowQuestion):
            self.outcome = by.row(question)
        elif isinstance(question, ChoiceQuestion):
            self.outcome = by.choice(question)
        elif isinstance(question, FieldQuestion):
            self.outcome = by.field(question)
        elif isinstance(question, FactQuestion):
            on_the_sheet = mission.number is not None and question.name in mission.game.sheet.fields
            (self.written if on_the_sheet else self.given)[question.name] = by.fact(question)
        else:
            raise Unanswered(question)


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
    except Problem:
        return dict(given)
    after = {name: value for name, value in play.state.items() if before.get(name) != value}
    return {**after, **given}


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

    The mission is untouched until all is known. `asking` asks for facts that have a default too; `single` resolves
    one roll even where there are dice for those that it starts.
    """
    answers = answers or Answers()
    while True:
        hand = by.hand(answers.groups)
        try:
            return mission.roll(
                table,
                hand,
                answers.given,
                outcome=answers.outcome,
                asking=asking,
                answers=answers.written,
                single=single,
            )
        except Unanswered as missing:
            question = missing.question
        answers.ask(question, by, mission)
        if single and isinstance(question, RowQuestion) and question.dice and not answers.groups:
            answers.groups.append(question.dice)  # the companion's own throw stands while the book is looked up


def move(mission: Mission, by: Answerer, *, asking: bool = False) -> list[Result]:
    """One move: what `by` does of its own accord, what is pending first, or the next step; empty when all is over."""
    results = by.acts(mission)
    if results:
        return results
    item = mission.waiting()
    if item is None:
        return mission.advance()
    answers = Answers()
    if not asking and (question := mission.question(item)) is not None:
        answers.ask(question, by, mission)
    return resolve(mission, None, by, answers, asking=asking, single=True)
