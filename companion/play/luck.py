"""The dice so far: how they fell, whether fair dice fall so, and what the rolls that matter came to by their odds.

Which results are luck is said by `[[luck]]` in a game's `story.toml`. Each roll is weighed on the sheet as it stood:
the same column and modifiers, every throw that the dice can make.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from companion.engine.facts import Facts
from companion.engine.fields import Spec
from companion.engine.roll import landings
from companion.engine.rules import Game
from companion.engine.tables import Table
from companion.play.journal import Entry, Journal
from companion.play.mission import Mission, stood
from companion.problems import Problem, Trouble

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
    """How likely a chi-squared of so many degrees of freedom is at least `squares`.

    >>> round(beyond(11.07, 5), 3), round(beyond(18.31, 10), 3), beyond(0, 5)
    (0.05, 0.05, 1.0)
    """
    a, x = freedom / 2, squares / 2
    if x <= 0:
        return 1.0
    head = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:  # the lower part as a series
        term = total = 1 / a
        while term > total * 1e-15:
            a += 1
            term *= x / a
            total += term
        return max(0.0, 1 - head * total)
    b = x + 1 - a  # the upper part as a continued fraction
    c, d = 1e300, 1 / b
    fraction = d
    for at in range(1, 10_000):
        top = at * (a - at)
        b += 2
        d = 1 / (top * d + b)
        c = b + top / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return head * fraction


# -- rolls that are luck -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Weighed:
    """A roll that was luck: where it stands, what it came to, how likely what was wished or feared was, and whether it
    came."""

    mission: int
    number: int
    table: str
    title: str
    bind: Mapping[str, str | int]
    dice: Sequence[int]
    outcome: str
    chance: Fraction
    came: bool
    good: bool  # whether it was wished for

    @property
    def lucky(self) -> bool:
        """Whether it went our way."""
        return self.came is self.good

    @property
    def odds(self) -> Fraction:
        """How likely it was to go as it went."""
        return self.chance if self.came else 1 - self.chance


@dataclass(eq=False)
class Account:
    """All rolls for one thing: how often it came, and how often it should have."""

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

    def best(self, count: int, *, lucky: bool = True) -> list[Weighed]:
        """The rolls that went our way against their odds, or did not: no likelier than not, the rarest first, of equals
        the earliest."""
        rare = [each for each in self.rolls if each.lucky is lucky and 2 * each.odds <= 1]
        return sorted(rare, key=lambda each: each.odds)[:count]


def luck_of(missions: Iterable[Mission], wished: Sequence[Spec]) -> Luck:
    """All dice of these missions' journals; `wished` are the rolls that are luck."""
    luck = Luck()
    by_table = {str(each["on"]).casefold(): each for each in wished}
    for mission in missions:
        luck.missions += 1
        start = stood(mission, 0)
        journal = Journal(mission.journal.entries[: mission.journal.stand], 0)
        for number, entry in enumerate(journal.entries, 1):
            if entry["v"] == "roll" and entry.get("d"):
                _count(luck, mission.game, entry)
                spec = by_table.get(str(entry["t"]).casefold())
                if spec is not None:
                    facts = Facts(
                        mission.game.sheet, {**start.state, **entry.get("w", {}), **entry.get("b", {})}, noting=False
                    )
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
        except (Problem, Trouble):  # a table of the player's that is gone
            tens = False
        fall, reading = (luck.d66, dice[0] * 10 + dice[1]) if tens else (luck.two, sum(dice))
        fall.counts[reading] += 1


def _weigh(luck: Luck, mission: Mission, number: int, entry: Entry, spec: Spec, facts: Facts) -> None:
    good = bool(spec.get("good"))
    results = [str(each) for each in (spec["good"] if good else spec["bad"])]
    try:
        table = mission.game.table(entry["t"])
        chance = _chance(table, facts, entry, results)
    except (Problem, Trouble):
        return
    if chance is None or chance in (0, 1):  # it could not have gone otherwise
        return
    came = str(entry["o"]) in results
    bind: Mapping[str, str | int] = entry.get("b", {})
    roll = Weighed(
        mission.number or 0, number, table.id, table.title, bind, entry["d"], str(entry["o"]), chance, came, good
    )
    luck.rolls.append(roll)
    title = str(spec["title"])
    luck.accounts.setdefault(title, Account(title, good)).add(roll)


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
