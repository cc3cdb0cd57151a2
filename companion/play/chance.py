"""Chance: the automatic player."""

from __future__ import annotations

import random

from companion.engine.needs import NeedAnswer, NeedChoice, NeedDice, NeedOutcome
from companion.engine.sheet import NeedFact, Value


class Chance:
    """The automatic player: it rolls, takes the usual option, and lets chance pick a known row of an owner table.

    Rows that only the player's book has are not guessed: of the outcomes that the rules name each is as likely as
    the other (or those the table lists as `usual`), which exercises every path and says nothing about the book's odds.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def rolls(self) -> random.Random | None:
        """Its own dice."""
        return self.rng

    def dice(self, need: NeedDice) -> list[int]:
        """A throw."""
        return need.dice.throw(self.rng)

    def fact(self, need: NeedFact) -> Value:
        """The default, or the first accepted value."""
        declared = need.declared
        return declared.values[0] if declared.values and declared.default is None else declared.blank

    def outcome(self, need: NeedOutcome) -> str:
        """One of the known rows."""
        options = need.table.likely
        return self.rng.choice(options) if options else "as-printed"

    def choice(self, need: NeedChoice) -> str:
        """The usual option."""
        return need.options[0].name

    def field(self, need: NeedAnswer) -> str:
        """The usual value."""
        return str(need.usual)
