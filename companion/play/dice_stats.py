"""Statistics of the dice so far: counts, a test for fair dice, and the rolls that matter against their odds.

`[[luck]]` in a game's `story.toml` says which results are luck. Each roll is weighed on the sheet as it was then: the
same column and modifiers, every throw of the dice.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from companion.engine.facts import Facts
from companion.engine.fields import Spec, Value
from companion.engine.roll import landings
from companion.engine.rules import Game
from companion.engine.tables import Table
from companion.play.journal import Entry, Journal
from companion.play.mission import Mission
from companion.play.replay import stood
from companion.problems import UserError

FEW = 60  # dice that a verdict needs
LEAST = 5  # throws that a cell of the test must be expected to hold
DOUBT = 0.05  # how often fair dice are doubted
SIX = dict.fromkeys(range(1, 7), 1)
TWO = {total: 6 - abs(total - 7) for total in range(2, 13)}
D66 = {tens * 10 + units: 1 for tens in range(1, 7) for units in range(1, 7)}


# -- how the dice fell -------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class Fall:
    """How often each reading came up, and in how many ways it can."""

    ways: Mapping[int, int]
    counts: Counter[int] = field(default_factory=Counter)

    @property
    def thrown(self) -> int:
        """How many throws there were."""
        return sum(self.counts.values())

    def expected(self, reading: int) -> float:
        """How often fair dice show a reading in so many throws."""
        return self.thrown * self.ways[reading] / sum(self.ways.values())

    def fairness(self) -> float | None:
        """How often fair dice stray at least so far, 0 to 1, by Pearson's test; None where there are too few throws."""
        cells = self._cells()
        if len(cells) < 2:
            return None
        squares = sum((count - expected) ** 2 / expected for count, expected in cells)
        return beyond(squares, len(cells) - 1)

    def _cells(self) -> list[tuple[int, float]]:
        """Readings side by side are one cell of the test until it is expected to hold enough."""
        cells: list[tuple[int, float]] = []
        count, expected = 0, 0.0
        for reading in self.ways:
            count, expected = count + self.counts[reading], expected + self.expected(reading)
            if expected >= LEAST:
                cells.append((count, expected))
                count, expected = 0, 0.0
        if cells and expected:
            cells[-1] = (cells[-1][0] + count, cells[-1][1] + expected)
        return cells


def beyond(squares: float, freedom: int) -> float:
    """Return how likely a chi-squared with that many degrees of freedom is at least `squares`.

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


class Weighed(NamedTuple):
    """A roll that was luck; `chance` is how likely the result was that was hoped for (`good`) or feared."""

    mission: int
    number: int
    table: str
    title: str
    bind: Mapping[str, Value]
    dice: Sequence[int]
    outcome: str
    chance: Fraction
    came: bool
    good: bool

    @property
    def lucky(self) -> bool:
        """Whether it went the player's way."""
        return self.came is self.good

    @property
    def odds(self) -> Fraction:
        """How likely it was to go as it went."""
        return self.chance if self.came else 1 - self.chance


@dataclass(eq=False)
class Account:
    """All rolls for one result: how often it came up, and how often it was expected."""

    title: str
    good: bool
    rolls: int = 0
    came: int = 0
    expected: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)

    def add(self, roll: Weighed) -> None:
        """One more roll."""
        self.rolls += 1
        self.came += roll.came
        self.expected += roll.chance
        self.variance += roll.chance * (1 - roll.chance)

    @property
    def strays(self) -> float:
        """How many standard deviations more came than were due."""
        return float(self.came - self.expected) / math.sqrt(self.variance) if self.variance else 0.0


@dataclass(eq=False)
class Luck:
    """The dice of some missions."""

    faces: Fall = field(default_factory=lambda: Fall(SIX))
    two: Fall = field(default_factory=lambda: Fall(TWO))
    d66: Fall = field(default_factory=lambda: Fall(D66))
    rolls: list[Weighed] = field(default_factory=list)
    accounts: dict[str, Account] = field(default_factory=dict)
    missions: int = 0

    @property
    def falls(self) -> list[tuple[str, Fall]]:
        """The ways of reading the dice that came up, with their titles."""
        falls = [("Each face", self.faces), ("Two dice together", self.two), ("D66", self.d66)]
        return [each for each in falls if each[1].thrown]

    def best(self, count: int, *, lucky: bool = True) -> list[Weighed]:
        """Return the rarest rolls that went the player's way, or did not; none that was likelier than not."""
        rare = [each for each in self.rolls if each.lucky is lucky and 2 * each.odds <= 1]
        return sorted(rare, key=lambda each: each.odds)[:count]


def luck_of(missions: Iterable[Mission], wished: Sequence[Spec]) -> Luck:
    """Return the statistics of these missions' journals; `wished` are the rolls that are luck."""
    luck = Luck()
    by_table = {str(each["on"]).casefold(): each for each in wished}
    for mission in missions:
        luck.missions += 1
        start = stood(mission, 0)
        journal = Journal(mission.journal.entries[: mission.journal.stand], 0)
        for number, entry in enumerate(journal.entries, 1):
            if entry["v"] == "roll" and entry.get("d"):
                _count(luck, mission.game, entry)
                if (spec := by_table.get(str(entry["t"]).casefold())) is not None:
                    state = {**start.state, **entry.get("w", {}), **entry.get("b", {})}
                    facts = Facts(mission.game.sheet, state)
                    _weigh(luck, mission, number, entry, spec, facts)
            journal.step_to(number, start.state, start.pending)
    return luck


def _count(luck: Luck, game: Game, entry: Entry) -> None:
    dice: list[int] = entry["d"]
    if not all(1 <= die <= 6 for die in dice):  # a number on a card, which is no die
        return
    luck.faces.counts.update(dice)
    if len(dice) == 2:
        try:
            tens = game.table(entry["t"]).dice.tens
        except UserError:  # a table of the player's that is gone
            tens = False
        if tens:
            luck.d66.counts[dice[0] * 10 + dice[1]] += 1
        else:
            luck.two.counts[sum(dice)] += 1


def _weigh(luck: Luck, mission: Mission, number: int, entry: Entry, spec: Spec, facts: Facts) -> None:
    good, outcome = bool(spec.get("good")), str(entry["o"])
    results = [str(each) for each in (spec["good"] if good else spec["bad"])]
    try:
        table = mission.game.table(entry["t"])
        chance = _chance(table, facts, entry, results)
    except UserError:
        return
    if chance is None or chance in (0, 1):  # it could not have gone otherwise
        return
    where, bind = (mission.number or 0, number, table.id, table.title), entry.get("b", {})
    luck.rolls.append(Weighed(*where, bind, entry["d"], outcome, chance, outcome in results, good))
    title = str(spec["title"])
    luck.accounts.setdefault(title, Account(title, good)).add(luck.rolls[-1])


def _chance(table: Table, facts: Facts, entry: Entry, results: Sequence[str]) -> Fraction | None:
    """How likely one of these results was; None where that cannot be worked out any more."""
    if table.unwritten or "s" in entry:
        return None
    column = table.column(facts)
    dice = column.dice or table.dice
    landed = dict(landings(table, column, table.applying(facts, column), dice, facts))
    if not landed or landed.get(dice.total(entry["d"])) != entry["o"]:  # the table has changed since
        return None
    ways = dict(dice.readings())
    favour = sum(ways[total] for total, row in landed.items() if row in results)
    return Fraction(favour, sum(ways.values()))
