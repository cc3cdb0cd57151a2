"""Exact chances: every reading of the dice goes through the engine once, and the ways are counted.

A chain follows what each result asks for. Its rolls are taken as independent of each other, which holds until a
table remembers what it has struck (`once`): there the chain ends, and how often that table is rolled is the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from companion.engine.dice import Dice
from companion.engine.needs import Hand, Item, NeedDice, NeedOutcome, Result
from companion.engine.play import Play
from companion.engine.tables import Applied
from companion.problems import OwnerTable, Problem, Trouble
from companion.sheet import Value

if TYPE_CHECKING:
    from companion.engine.game import Game

IN_THE_BOOK = "in-your-book"
DEPTH = 12
MOST = 100_000  # rolls that are worked through before a chain is given up
Tick = Callable[[Fraction], None]
Throw = tuple[int, list[int] | None]  # in how many ways, and dice that read so; None where nothing is thrown


@dataclass(eq=False, repr=False)
class Branch:
    """One way that a roll can go: in `ways` of `of`, with what it came to, what it asks for and the sheet after it."""

    ways: int
    of: int
    result: Result
    asks: list[Item]
    state: dict[str, Value]

    @property
    def chance(self) -> Fraction:
        """How likely it is."""
        return Fraction(self.ways, self.of)


@dataclass(eq=False, repr=False)
class Odds:
    """The chances of one table as things stand: for every outcome in how many ways of `of` it comes up."""

    table: str
    title: str
    dice: str
    ways: dict[str, int] = field(default_factory=dict)
    of: int = 1
    applied: Sequence[Applied] = ()
    assumed: dict[str, Value] = field(default_factory=dict)


class Tally:
    """How likely each thing is at least once, and how often it is to be expected."""

    def __init__(self) -> None:
        self.some: dict[Any, Fraction] = {}
        self.mean: dict[Any, Fraction] = {}

    def add(self, key: Any, much: int = 1) -> None:
        """It happens here, whatever else does."""
        self.some[key] = Fraction(1)
        self.mean[key] = self.mean.get(key, Fraction(0)) + much

    def along(self, other: Tally) -> None:
        """Something else happens too, independent of this."""
        for key, chance in other.some.items():
            self.some[key] = 1 - (1 - self.some.get(key, Fraction(0))) * (1 - chance)
        for key, mean in other.mean.items():
            self.mean[key] = self.mean.get(key, Fraction(0)) + mean

    def either(self, other: Tally, chance: Fraction) -> None:
        """With this chance, that happens."""
        for key, some in other.some.items():
            self.some[key] = self.some.get(key, Fraction(0)) + some * chance
        for key, mean in other.mean.items():
            self.mean[key] = self.mean.get(key, Fraction(0)) + mean * chance

    def scaled(self, by: Fraction) -> Tally:
        """All of it, so much more likely: the rolls that are rolled again do not count."""
        made = Tally()
        made.either(self, by)
        return made


def throws(dice: Dice, apart: bool) -> list[Throw]:
    """Every reading with its ways; `apart` tells the dice of a formula from each other."""
    if apart:
        return [(1, list(each)) for each in product(range(1, 7), repeat=dice.count or 0)]
    return [(ways, _reading(dice, total)) for total, ways in dice.readings()]


def _reading(dice: Dice, total: int) -> list[int]:
    """Dice that read as that total."""
    if dice.tens:
        return [total // 10, total % 10]
    made, left = [], total
    for others in range((dice.count or 0) - 1, -1, -1):
        made.append(min(6, left - others))
        left -= made[-1]
    return made


def branches(
    game: Game, state: Mapping[str, Value], given: Mapping[str, Value], item: Item, tick: Callable[[], None]
) -> list[Branch]:
    """Every way that one roll can go; raises OwnerTable where only the player's book knows."""
    table = game.table(item["roll"])
    if table.unwritten or table.dice.count is None and "value" not in table.doc:
        raise OwnerTable(f"the rows of {table.id} are in your own book, and so are its odds")

    def once(dice: list[int] | None) -> tuple[Result, Play]:
        tick()
        play = Play(game, state, (), given)
        hand = Hand([dice] if dice else [])
        return play.roll(table.id, hand, item.get("bind", {}), take=item.get("take")), play

    try:
        result, play = once(None)
    except NeedDice as need:
        found, of = [], 6 ** (need.dice.count or 0)
        for ways, dice in throws(need.dice, "value" in table.doc):
            try:
                result, play = once(dice)
            except NeedOutcome as asked:  # one unreadable row
                result = Result(table.id, table.title, applied=list(asked.applied), outcome=IN_THE_BOOK)
                play = Play(game, state, (), given)
            found.append(Branch(ways, of, result, [each for each in play.pending if "order" not in each], play.state))
        return found
    return [Branch(1, 1, result, [each for each in play.pending if "order" not in each], play.state)]


def _formula(game: Game, branch: Branch) -> Item | None:
    """The formula that a row stands for, where it is one."""
    for item in branch.asks:
        if item.get("roll") == f"{branch.result.table}.{branch.result.outcome}":
            return item if "value" in game.table(item["roll"]).doc else None
    return None


def odds(
    game: Game, state: Mapping[str, Value], given: Mapping[str, Value], item: Item, tick: Tick = lambda done: None
) -> Odds:
    """The chances of one table, its formulas worked out to numbers."""
    table = game.table(item["roll"])
    made = Odds(table.id, table.title, table.dice.name)
    counted: list[tuple[int, int, str]] = []
    found = branches(game, state, given, item, lambda: tick(Fraction(0)))
    for at, branch in enumerate(found):
        done = Fraction(at, len(found))
        made.applied = made.applied or branch.result.applied
        made.assumed.update(branch.result.assumed)
        inner = _formula(game, branch)
        if inner is None:
            counted.append((branch.ways, branch.of, branch.result.outcome))
            continue
        for each in branches(game, branch.state, given, inner, lambda done=done: tick(done)):  # type: ignore[misc]
            counted.append((branch.ways * each.ways, branch.of * each.of, each.result.outcome))
    made.of = max(of for _, of, _ in counted)
    for ways, of, outcome in counted:
        made.ways[outcome] = made.ways.get(outcome, 0) + ways * (made.of // of)
    if all(number(outcome) is not None for outcome in made.ways):
        made.ways = dict(sorted(made.ways.items(), key=lambda each: int(each[0])))
    return made


def number(outcome: str) -> int | None:
    """An outcome that is a number."""
    return int(outcome) if outcome.removeprefix("-").isdecimal() else None


class Unending(Trouble):
    """A chain leads to more rolls than can be worked through."""


class Chain:
    """Everything that can follow from one roll. `tally` has, for keys of these shapes: `("rolls", table)`,
    `("outcome", table, slug)`, `("sum", table)` for tables that give numbers, and `("struck", index, member)` for
    what the rolls asked for are about. `ends` says where it stopped and why."""

    def __init__(self, game: Game, given: Mapping[str, Value], tick: Tick = lambda done: None) -> None:
        self.game, self.given, self.tick = game, given, tick
        self.titles: dict[str, str] = {}
        self.ends: dict[str, str] = {}
        self.tally = Tally()
        self.done = Fraction(0)
        self.count = 0
        self._known: dict[Any, Tally] = {}
        self._open: list[Any] = []

    def follow(self, state: Mapping[str, Value], item: Item) -> Chain:
        """Work it all out."""
        self._root = dict(state)
        self.tally = self._item(state, item, "")
        return self

    def _item(self, state: Mapping[str, Value], item: Item, within: str) -> Tally:
        """What one asked-for roll leads to; `within` is the table whose row asks for it as a further die."""
        bind = item.get("bind", {})
        # what the rows change is part of the question: the same roll on another sheet is another roll
        changed = tuple(sorted((k, v) for k, v in state.items() if self._root.get(k) != v))
        key = (item["roll"], tuple(sorted(bind.items())), item.get("take"), within, changed)
        if key in self._open:
            self.ends[item["roll"]] = "it comes round to itself"
            return Tally()
        if key not in self._known:
            self._open.append(key)
            self._known[key] = self._work(state, item, within)
            self._open.pop()
        return self._known[key]

    def _work(self, state: Mapping[str, Value], item: Item, within: str) -> Tally:
        table = self.game.table(item["roll"])
        name = within or table.id
        made, again = Tally(), Fraction(0)
        self.titles.setdefault(name, self.game.table(name).title)
        try:
            found = branches(self.game, state, self.given, item, self._one_more)
        except Unending:
            raise
        except Problem as problem:
            self.ends[table.id] = str(problem)
            made.add(("rolls", name))
            return made
        for at, branch in enumerate(found):
            if len(self._open) == 1:
                self.done = Fraction(at, len(found))
            if self._once_more(branch, item, state):
                again += branch.chance
            else:
                made.either(self._branch(branch, item, within, name), branch.chance)
        if 0 < again < 1:
            made = made.scaled(1 / (1 - again))
        return made

    def _one_more(self) -> None:
        self.count += 1
        if self.count > MOST:
            raise Unending(f"more than {MOST} rolls can follow; take a table further on, or give it more facts")
        self.tick(self.done)

    def _branch(self, branch: Branch, item: Item, within: str, name: str) -> Tally:
        """One result and all that it asks for."""
        made, slug = Tally(), branch.result.outcome
        folded = f"{branch.result.table}.{slug}"
        if not within:
            made.add(("rolls", name))
        if not any(each.get("roll") == folded for each in branch.asks):
            made.add(("outcome", name, slug))
            value = number(slug)
            if value is not None:
                made.add(("sum", name), value)
        for each in branch.asks:
            if "roll" not in each:
                self.ends[str(each.get("choose") or each.get("ask"))] = "yours to decide"
                continue
            sub = name if each["roll"] == folded else ""
            made.along(self._asked(branch, each, item, sub))
        return made

    @staticmethod
    def _once_more(branch: Branch, item: Item, state: Mapping[str, Value]) -> bool:
        """Whether a result only asks for the same roll again."""
        first = branch.asks[0] if len(branch.asks) == 1 else {}
        return (
            first.get("roll") == item["roll"]
            and first.get("bind", {}) == item.get("bind", {})
            and branch.state == dict(state)
        )

    def _asked(self, branch: Branch, each: Item, item: Item, within: str) -> Tally:
        made = Tally()
        before = item.get("bind", {})
        for index, member in each.get("bind", {}).items():
            if index in self.game.sheet.index and before.get(index) != member:
                made.add(("struck", index, str(member)))
        table = self.game.table(each["roll"])
        if table.once and not within:
            self.titles.setdefault(table.id, table.title)
            self.ends[table.id] = "it remembers what has been struck"
            made.add(("rolls", table.id))
        elif len(self._open) >= DEPTH:
            self.ends[table.id] = "the chain is too long"
        else:
            bare: Item = {key: each[key] for key in ("roll", "bind", "take") if key in each}
            made.along(self._item(branch.state, bare, within))
        return made
