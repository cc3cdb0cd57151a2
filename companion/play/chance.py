"""Chance: the automatic player."""

from __future__ import annotations

import random

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.engine.resolution import Result
from companion.play.conversation import Groups
from companion.play.mission import Mission
from companion.problems import MissingAnswer


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
