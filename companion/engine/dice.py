"""Dice in rulebook notation (`1D`, `2D`, `D66`, `1D10`, `D100`) and dice as players type them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING

from companion.problems import UserError
from companion.words import one_of

if TYPE_CHECKING:
    import random


class Dice:
    """One kind of roll. `count` is 0 if nothing is rolled, None if only the player's rulebook says.

    `tens` is for D66, whose first die is the tens; `sides` is 6, or another number for dice such as 1D10.
    """

    def __init__(self, name: str, count: int | None, tens: bool = False, sides: int = 6) -> None:
        self.name, self.count, self.tens, self.sides = name, count, tens, sides

    def total(self, dice: list[int]) -> int:
        """Return the reading of the rolled dice: their sum, or tens and units for D66; 0 if nothing is rolled.

        >>> parse("2D").total([3, 4]), parse("D66").total([3, 4])
        (7, 34)
        """
        if self.tens:
            return dice[0] * 10 + dice[1]
        return sum(dice) if self.count != 0 else 0

    def check(self, dice: list[int]) -> None:
        """Raise a UserError unless `dice` has the number of dice that this roll needs."""
        if self.count is not None and len(dice) != self.count:
            typed = f"; you typed {','.join(map(str, dice))}" if dice else ""
            raise UserError(f"{self.name} needs {words(self.count)}{typed}. Type each die, e.g. {self.example()}")
        if self.count and (wrong := next((die for die in dice if not 1 <= die <= self.sides), None)) is not None:
            how = (
                "Type each die, not the total: for a 3 and a 4 type 34" if self.sides == 6 else f"e.g. {self.example()}"
            )
            raise UserError(f"a die shows 1 to {self.sides}, not {wrong}. {how}")

    def read(self, dice: Sequence[int]) -> list[int]:
        """Return dice that were parsed without knowing how many sides they have: `34` is one roll of D100."""
        if self.sides == 6 or self.count is None or len(dice) <= self.count:
            return list(dice)
        return typed("".join(map(str, dice)), self.sides)

    def example(self) -> str:
        """Return example input for this roll."""
        return ",".join(["3", "4", "5", "6", "1", "2"][: self.count or 2]) if self.count != 0 else "nothing"

    def throw(self, rng: random.Random) -> list[int]:
        """Roll for the player, as with `--auto`: two dice if only the rulebook says how many."""
        if self.sides != 6:
            return Rolled(rng.randint(1, self.sides) for _ in range(self.count or 0))
        return roll_dice(2 if self.count is None else self.count, rng)

    @cache  # noqa: B019  the dice themselves are cached
    def readings(self) -> list[tuple[int, int]]:
        """Return every total with the number of ways to roll it: `[(2, 1), (3, 2), …]`."""
        if self.tens:
            return [(tens * 10 + units, 1) for tens in range(1, 7) for units in range(1, 7)]
        ways = {0: 1}
        for _ in range(2 if self.count is None else self.count):
            after: dict[int, int] = {}
            for total, n in ways.items():
                for pip in range(1, self.sides + 1):
                    after[total + pip] = after.get(total + pip, 0) + n
            ways = after
        return sorted(ways.items())


class Rolled(list[int]):
    """Dice rolled by the companion for the player."""


def roll_dice(count: int, rng: random.Random) -> Rolled:
    """Return `count` fair dice, the same as `rng.randint(1, 6)` gives, drawing three bits at a time until they make a
    die.
    """
    dice = Rolled()
    bits = rng.getrandbits
    while len(dice) < count:
        pips = bits(3)
        if pips < 6:
            dice.append(pips + 1)
    return dice


def words(count: int) -> str:
    """Return a number of dice in words: `one die`, `2 dice`."""
    return "one die" if count == 1 else f"{count} dice"


def named(throws: Sequence[Dice]) -> str:
    """Return the names of several rolls in order.

    >>> named([parse("1D"), parse("1D"), parse("D66")])
    '2 x 1D, D66'
    """
    runs = [(name, len(list(group))) for name, group in groupby(throws, key=lambda each: each.name)]
    return ", ".join(f"{count} x {name}" if count > 1 else name for name, count in runs)


HANDFULS = tuple(map(str, range(1, 13)))  # the most dice that fit in a hand


@cache
def parse(name: str) -> Dice:
    """Parse a table's dice: `1D`, `2D`, `D66`, `-` for none, `?` if only the player's rulebook says."""
    written = name.upper()
    if written == "?":
        return Dice("dice", None)
    if written == "-":
        return Dice("-", 0)
    if written == "D66":
        return Dice("D66", 2, True)
    if (match := re.fullmatch(r"(\d*)D(\d*)", written)) and (match[1] or "1") in HANDFULS and match[0] != "D":
        count, sides = int(match[1] or 1), int(match[2] or 6)
        if not 2 <= sides <= 100:
            raise UserError(f"a die has 2 to 100 sides, not {sides}")
        return Dice(f"{count}D{'' if sides == 6 else sides}", count, sides=sides)
    raise UserError(f"There are no dice {name}. Use {one_of(['1D', '2D', 'D66', '1D10', 'D100', '-', '?'])}")


TYPED = "0123456789,;+ \t\n\r"


def typed(text: str, sides: int = 6) -> list[int]:
    """Parse the dice a player typed: `3 4`, `3,4` and `34` are the same two dice; 0 is the highest of 10 or 100 sides.

    >>> typed("3 4"), typed("34"), typed("5"), typed("7 0", 10), typed("73", 100)
    ([3, 4], [3, 4], [5], [7, 10], [73])
    """
    if set(text) - set(TYPED):
        raise UserError(f"{text.strip()!r} isn't dice. Type each die: for a 3 and a 4 type 34")
    tokens = "".join(letter if letter.isdigit() else " " for letter in text).split()
    apart = len(tokens) > 1
    if sides != 6:
        joined = not apart and tokens and int(tokens[0]) > sides
        dice = [int(each) or sides for each in (tokens[0] if joined else tokens)]
        if wrong := [each for each in dice if each > sides]:
            raise UserError(f"a die shows 1 to {sides}, not {wrong[0]}. Type each die with a space between")
        return dice
    for token in tokens:
        if (apart and len(token) > 1) or not set(token) <= set("123456"):
            raise UserError(f"a die shows 1 to 6, not {token}. Type each die, not the total: for a 3 and a 4 type 34")
    return [int(pip) for token in tokens for pip in token]


def loose(text: str) -> list[int]:
    """Parse dice of an unknown number of sides: six-sided ones if they can be, else a number each."""
    try:
        return typed(text)
    except UserError:
        if not re.search(r"[06-9]|\d", text) or set(text) - set(TYPED):
            raise
        return [int(each) for each in re.findall(r"\d+", text)]


def groups(text: str) -> list[list[int]]:
    """Parse groups of dice: in `3,4/2/5` the first is for the table, the others for its follow-up rolls in order."""
    roll_dice = [loose(part) for part in text.split("/")]
    if not all(roll_dice):
        raise UserError(f"{text!r} has an empty group of dice. Type each die, e.g. 3,4/2")
    return roll_dice


class Hand:
    """The dice of one command: groups in the order in which they are needed, typed or rolled by the companion."""

    def __init__(self, groups: Sequence[Sequence[int]] = (), rng: random.Random | None = None) -> None:
        self.groups = [group if isinstance(group, Rolled) else list(group) for group in groups]
        self.rng = rng

    def throw(self, dice: Dice) -> list[int] | None:
        """Return the next group, checked against the table's dice; None when no group is left."""
        if dice.count == 0:
            return []
        if self.groups:
            group = self.groups[0]
            read = group if isinstance(group, Rolled) else dice.read(group)
            dice.check(read)
            self.groups.pop(0)
            return read
        return dice.throw(self.rng) if self.rng else None

    def some(self, count: int) -> list[int] | None:
        """Return `count` dice from the next groups, however the player grouped them; None when there are too few."""
        if self.rng and not self.groups:
            return roll_dice(count, self.rng)
        if sum(map(len, self.groups)) < count:
            return None
        taken: list[int] = []
        while len(taken) < count:
            group = self.groups[0]
            taken.append(group[0])
            self.groups[:1] = [group[1:]] if group[1:] else []
        return taken
