"""The conversation with a player: it asks for missing answers and moves the mission on when it has them all.

A person at the terminal, a single `companion roll`, a script and chance are all players that answer the same questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion, settle
from companion.engine.resolution import Result
from companion.play.mission import Answers, Mission, rehearsal
from companion.problems import MissingAnswer, Question, UserError

if TYPE_CHECKING:
    import random


class Player:
    """A player who gives dice and answers; this base class answers nothing.

    The first unanswered question ends a command, with a message that says how to answer it.
    """

    rng: random.Random | None = None  # rolls missing dice

    def acts(self, mission: Mission) -> list[Result]:
        """Act without being asked; return the results."""
        return []

    def answer(self, question: Question) -> Any:
        """Answer any question with the method for its kind (`dice`, `fact`, `row`, `choice`, `field`), else `other`."""
        reply = getattr(self, question.kind, None)
        return reply(question) if callable(reply) else self.other(question)

    def other(self, question: Question) -> Any:
        """Answer a question for which there is no method of its own."""
        raise MissingAnswer(question)


class Chance(Player):
    """The automatic player: it rolls, takes default options and picks known rows of owner tables at random.

    It does not guess rows printed only in the rulebook: each outcome named in the rules (or listed as `usual`) is
    equally likely. This exercises every path but tells nothing about the rulebook's odds.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng: random.Random = rng

    def dice(self, question: DiceQuestion) -> list[int]:
        return question.dice.throw(self.rng)

    def fact(self, question: FactQuestion) -> Value:
        """Return the default, or the first accepted value."""
        declared = question.declared
        if not declared.values or declared.default is not None:
            return declared.blank
        return next((each for each in declared.values if each != "none"), declared.values[0])

    def row(self, question: RowQuestion) -> str:
        options = question.table.likely
        return self.rng.choice(options) if options else "as-printed"

    def choice(self, question: ChoiceQuestion) -> str:
        return question.options[0].name

    def field(self, question: FieldQuestion) -> str:
        """Return the default value, else that of an untouched field, else the lowest of a figure on the player's cards.

        Raise MissingAnswer for any other field that cannot be untouched, such as the zone of the player's own city.
        """
        if question.usual == "" and (declared := question.declared).numeric:
            if declared.reaches(declared.blank):
                return str(declared.blank)
            if not declared.ask:
                raise MissingAnswer(question)
            return str(declared.low)
        return str(question.usual)

    def other(self, question: Question) -> Value:
        """Return the default."""
        if question.usual is None:
            raise MissingAnswer(question)
        return question.usual


def with_implied(mission: Mission, given: Mapping[str, Value]) -> dict[str, Value]:
    """Return the facts given for one roll, with those that follow from them by standing rules: at night the bomber
    flies at LO.

    Nothing follows from a fact that is not a field of the sheet (`fighter.clock`, for any fighter) or that the sheet
    would refuse; the roll itself reports such errors.
    """
    on_sheet = {name: value for name, value in given.items() if name in mission.game.sheet.fields}
    play, implied = Play(mission.game, dict(mission.state)), dict[str, Value]()
    before = dict(play.state)
    with suppress(UserError):
        if on_sheet:
            play.write(on_sheet, "set")
            implied = {name: value for name, value in play.state.items() if before.get(name) != value}
    return {**implied, **given}


def resolve(
    mission: Mission,
    table: str | None,
    by: Player,
    answers: Answers | None = None,
    *,
    asking: bool = False,
    single: bool = False,
) -> list[Result]:
    """Roll on a table or resolve the first pending thing, asking `by` for missing answers.

    Nothing is recorded until all answers are known.

    Args:
        asking: Ask even for facts that have a default.
        single: Resolve only one roll, even if there are dice for its follow-ups.
    """
    answers = answers or Answers()
    return settle(mission.talk(table, answers.hand(by.rng), answers, asking=asking, single=single), by.answer)


def move(mission: Mission, by: Player, *, asking: bool = False) -> list[Result]:
    """Let a player act, else resolve the first pending thing or take the next step; return no results at the end."""
    if results := by.acts(mission):
        return results
    if mission.waiting() is None:
        return mission.advance()
    return resolve(mission, None, by, asking=asking, single=True)


def next_asked(mission: Mission) -> tuple[Mission, bool]:
    """Return a rehearsal of the mission at its next question, and whether it has joined a board in mid-mission.

    Questions about joining get their default answers.
    """
    from random import Random  # takes 2 ms to import

    ahead, by, sequence = rehearsal(mission), Chance(Random(0)), mission.game.sequence
    first: Mission | None = None
    joined = False
    asking = sequence.steps[mission.joining].asked("choose") if mission.joining >= 0 else []
    while True:
        item = ahead.waiting()
        if item is not None:
            if item.kind == "roll" or sequence.after(str(ahead.state.get("step", ""))) > mission.joining + 1:
                return (ahead, True) if joined else (first or ahead, False)
            first = first or rehearsal(ahead)
            joined = joined or (item.kind == "choose" and item.name in asking)
        if not move(ahead, by):
            return ahead, joined
