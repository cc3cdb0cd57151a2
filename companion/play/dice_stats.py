"""Dice statistics: counts, a test for fair dice, and important rolls compared with their odds.

`[[luck]]` in a game's `story.toml` says which results are luck. Each roll is compared with all possible rolls on the
sheet of that moment, with the same column and modifiers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import NamedTuple

from companion.engine.facts import Facts
from companion.engine.fields import Spec, Value
from companion.engine.roll import landings
from companion.engine.rules import Game, words
from companion.engine.tables import Table
from companion.play.journal import Entry
from companion.play.mission import Mission, rewound
from companion.problems import UserError

FEW = 60  # the fewest dice for a verdict
LEAST = 5  # the fewest expected rolls in a cell of the test
DOUBT = 0.05  # the rate of false alarms
SIX = dict.fromkeys(range(1, 7), 1)
TWO = {total: 6 - abs(total - 7) for total in range(2, 13)}


# -- the dice rolled ---------------------------------------------------------------------------------------------------


class DiceCounts:
    """The count of each dice total; `ways` is the number of ways to roll it."""

    def __init__(self, ways: Mapping[int, int]) -> None:
        self.ways, self.counts = ways, Counter[int]()

    @property
    def count(self) -> int:
        return self.counts.total()

    def expected(self, reading: int) -> float:
        """Return the expected count of a total for fair dice."""
        return self.count * self.ways[reading] / sum(self.ways.values())

    def fairness(self) -> float | None:
        """Return the share of fair dice that deviate from their odds at least as much, by Pearson's test.

        Neighboring totals are merged into one cell until enough rolls are expected in it. None for too few rolls.
        """
        cells: list[tuple[int, float]] = []
        count, expected = 0, 0.0
        for reading in self.ways:
            count, expected = count + self.counts[reading], expected + self.expected(reading)
            if expected >= LEAST:
                cells.append((count, expected))
                count, expected = 0, 0.0
        if len(cells) < 2:
            return None
        cells[-1] = (cells[-1][0] + count, cells[-1][1] + expected)
        return beyond(sum((count - expected) ** 2 / expected for count, expected in cells), len(cells) - 1)


def beyond(squares: float, freedom: int) -> float:
    """Return the probability that chi-squared with `freedom` degrees of freedom is at least `squares`.

    >>> round(beyond(11.07, 5), 3), round(beyond(18.31, 10), 3), beyond(0, 5)
    (0.05, 0.05, 1.0)
    """
    x = squares / 2
    share, a = (math.erfc(math.sqrt(x)), 0.5) if freedom % 2 else (math.exp(-x), 1.0)
    while a < freedom / 2:
        share += x**a * math.exp(-x) / math.gamma(a + 1)
        a += 1
    return share


# -- rolls that are luck -----------------------------------------------------------------------------------------------


class LuckRoll(NamedTuple):
    """A roll of luck; `chance` is that of the good (`good`) or bad results, `came` whether one came up, `whose` the man
    it is about, if one is.
    """

    mission: int
    number: int
    table: Table
    entry: Entry
    title: str
    chance: Fraction
    came: bool
    good: bool
    whose: str

    @property
    def lucky(self) -> bool:
        """Return whether it went the player's way."""
        return self.came is self.good

    @property
    def odds(self) -> Fraction:
        return self.chance if self.came else 1 - self.chance


class Luck:
    """The dice of some missions: counts of every kind of roll, and the rolls of luck."""

    def __init__(self) -> None:
        self.faces, self.two = DiceCounts(SIX), DiceCounts(TWO)
        self.rolls: list[LuckRoll] = []
        self.missions = 0
        self.by_companion, self.only = 0, False  # dice rolled by the companion; whether there are no others

    def best(self, count: int, *, lucky: bool = True) -> list[LuckRoll]:
        """Return the rarest rolls that went for or against the player, if less likely than not."""
        rare = [each for each in self.rolls if each.lucky is lucky and 2 * each.odds <= 1]
        return sorted(rare, key=lambda each: each.odds)[:count]


class Account:
    """All rolls of one kind: how often its result came up, and how often it was expected."""

    def __init__(self, rolls: Sequence[LuckRoll]) -> None:
        self.title, self.good, self.rolls = rolls[0].title, rolls[0].good, len(rolls)
        self.came = sum(each.came for each in rolls)
        self.expected = float(sum(each.chance for each in rolls))
        self.variance = float(sum(each.chance * (1 - each.chance) for each in rolls))

    @property
    def strays(self) -> float:
        """Return the difference from the expected count, in standard deviations."""
        return (self.came - self.expected) / math.sqrt(self.variance)


def accounts_of(rolls: Sequence[LuckRoll]) -> list[Account]:
    """Return the rolls grouped by kind, in order of first appearance."""
    titles = dict.fromkeys(each.title for each in rolls)
    return [Account([each for each in rolls if each.title == title]) for title in titles]


def luck_of(missions: Iterable[Mission]) -> Luck:
    """Return the statistics of these missions' journals.

    Dice rolled by the companion are left out, unless it rolled them all.
    """
    luck, missions = Luck(), list(missions)
    journals = [mission.journal.recorded for mission in missions]
    rolled = [each for entries in journals for each in entries if each["v"] == "roll" and each.get("d")]
    luck.by_companion = sum(len(each["d"]) for each in rolled if "r" in each)
    luck.only = all("r" in each for each in rolled)
    for mission in missions:
        by_table = {str(each["on"]).casefold(): each for each in mission.game.unit("story").get("luck", ())}
        luck.missions += 1
        twin = rewound(mission, 0)
        for number, entry in enumerate(twin.journal.entries, 1):
            if entry["v"] == "roll" and entry.get("d") and (luck.only or "r" not in entry):
                _count(luck, mission.game, entry)
                if (spec := by_table.get(str(entry["t"]).casefold())) is not None:
                    luck.rolls += _weighed(mission, number, entry, spec, twin.state)
            twin.go_to_entry(number)
    return luck


def _count(luck: Luck, game: Game, entry: Entry) -> None:
    dice: list[int] = entry["d"]
    if not all(1 <= die <= 6 for die in dice):  # a number on a card, not a die
        return
    tens = False
    with suppress(UserError):  # a deleted table of the player
        thrown = game.table(entry["t"]).dice
        if thrown.sides != 6:
            return
        tens = thrown.tens
    luck.faces.counts.update(dice)
    if len(dice) == 2 and not tens:
        luck.two.counts[sum(dice)] += 1


def _weighed(mission: Mission, number: int, entry: Entry, spec: Spec, state: Mapping[str, Value]) -> Iterable[LuckRoll]:
    """Yield the roll with its chance, unless the result was certain or the table has changed since."""
    good = bool(spec.get("good"))
    results = [str(each) for each in (spec["good"] if good else spec["bad"])]
    facts = Facts(mission.game.sheet, {**state, **entry.get("w", {}), **entry.get("b", {})})
    try:
        table = mission.game.table(entry["t"])
        if table.unwritten or "s" in entry:
            return
        column = table.column(facts)
        dice = column.dice or table.dice
        landed = dict(landings(table, column, table.applying(facts, column), dice, facts))
    except UserError:
        return
    if landed.get(dice.total(entry["d"])) != entry["o"]:
        return
    readings = dice.readings()
    favor = sum(ways for total, ways in readings if landed[total] in results)
    chance = Fraction(favor, sum(ways for _, ways in readings))
    if 0 < chance < 1:
        came = str(entry["o"]) in results
        whose = words(spec, "whose", facts)
        yield LuckRoll(mission.number or 0, number, table, entry, str(spec["title"]), chance, came, good, whose)
