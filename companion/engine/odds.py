"""Exact chances: every reading of the dice goes through the engine once, and the ways are counted.

A chain follows what each result asks for. Its rolls are taken as independent of each other, which holds until a
table remembers what it has struck (`memory`): there the chain ends, and how often that table is rolled is the answer.
Where the same roll comes up again and everything that it and what follows it have read is as it was, it is not worked
out again.
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
from companion.engine.sheet import Facts, Value
from companion.engine.tables import Applied
from companion.problems import OwnerTable, Problem, Trouble
from companion.words import figure

if TYPE_CHECKING:
    from companion.engine.game import Game

IN_THE_BOOK = "in-your-book"
DEPTH = 60
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

    def along(self, other: Tally, times: int = 1) -> None:
        """Something else happens too, so many times, independent of this and of each other."""
        for key, chance in other.some.items():
            some, others = self.some.get(key), chance if times == 1 else 1 - (1 - chance) ** times
            self.some[key] = others if some is None else some + others - some * others
        for key, mean in other.mean.items():
            self.mean[key] = self.mean.get(key, 0) + mean * times

    def either(self, other: Tally, chance: Fraction) -> None:
        """With this chance, that happens."""
        for key, some in other.some.items():
            self.some[key] = self.some.get(key, 0) + some * chance
        for key, mean in other.mean.items():
            self.mean[key] = self.mean.get(key, 0) + mean * chance

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


class Watched(Facts):
    """Facts that tell which names were read. What a row binds for itself comes from its dice and is not told, nor is
    the member that a sentence goes through."""

    __slots__ = ("local", "seen", "through")

    def __init__(self, facts: Facts, seen: set[str]) -> None:
        super().__init__(facts.sheet, facts, noting=False)
        self.given = facts.given
        self.seen = seen
        self.local: list[Mapping[str, Any]] = []  # what is bound; the first is the pending item's own
        self.through: list[str] = []

    def __getitem__(self, name: str) -> Value:
        if name not in self.seen and name not in self.through and not any(name in bound for bound in self.local[1:]):
            self.seen.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Like that of a dict: nothing is worked out."""
        self.seen.add(name)
        return super().get(name, default)

    def change(self, name: str, value: Value | None) -> None:
        """As ever; what it compares is not read."""
        if value is None:
            super().change(name, None)
            return
        self.given.add(name)
        self.worked_out.discard(name)
        if dict.get(self, name) == value:
            return
        self[name] = value
        self._anew(name)

    def _anew(self, name: str) -> None:
        """Forget what was worked out from it, whatever it is now: nobody was told that it was read."""
        for each in self.worked_out & self.forget[name]:
            self.worked_out.discard(each)
            if each not in self.given:
                del self[each]

    def bind(self, names: Mapping[str, Value]) -> dict[str, Value | None]:
        """Bind names for a while."""
        before: dict[str, Value | None] = {name: self._given(name) for name in names}
        for name, value in names.items():
            self.change(name, value)
        self.local.append(before)
        return before

    def unbind(self, before: Mapping[str, Value | None]) -> None:
        """Put back what `bind` covered."""
        self.local = [each for each in self.local if each is not before]
        super().unbind(before)
        for name in before:
            self._anew(name)

    def _given(self, name: str) -> Value | None:
        return dict.get(self, name) if name in self.given else None

    def hold(self, name: str) -> Value | None:
        """What a name is bound to while members are gone through."""
        before = self._given(name)
        self.through.append(name)
        return before

    def release(self, name: str, before: Value | None) -> None:
        """They have been gone through."""
        self.through.remove(name)
        super().release(name, before)
        self._anew(name)


class Try(Play):
    """A play for trying out one reading after another. `seen` are the names that any of them read or wrote."""

    def __init__(self, game: Game, state: Mapping[str, Value], given: Mapping[str, Value], seen: set[str]) -> None:
        super().__init__(game, state, (), given)
        self.noting = False
        self.seen = seen
        self.facts = Watched(self.facts, seen)

    def change(self, name: str, value: Value | None) -> None:
        """Write one field: what stood there decides whether anything follows."""
        self.seen.add(name)
        super().change(name, value)

    def _event(self, name: str) -> None:
        self.seen.update(self.game.rules.until.get(name, ()))
        super()._event(name)

    def clear(self, index: str) -> None:
        """Empty the bound slot: what stands in it decides what follows."""
        start = f"{index}.{self.facts[index]}."
        self.seen.update(each for each in self.sheet.fields if each.startswith(start))
        super().clear(index)


def branches(
    game: Game,
    state: Mapping[str, Value],
    given: Mapping[str, Value],
    item: Item,
    tick: Callable[[], None],
    seen: set[str] | None = None,
) -> list[Branch]:
    """Every way that one roll can go; raises OwnerTable where only the player's book knows. `seen` is told every
    name that played a part."""
    table = game.table(item["roll"])
    if table.unwritten or table.dice.count is None and not table.formula:
        raise OwnerTable(f"the rows of {table.id} are in your own book, and so are its odds")

    def once(dice: list[int] | None) -> tuple[Result, Play]:
        tick()
        play = Play(game, state, (), given) if seen is None else Try(game, state, given, seen)
        hand = Hand([dice] if dice else [])
        return play.roll(table.id, hand, item.get("bind", {}), take=item.get("take")), play

    try:
        result, play = once(None)
    except NeedDice as need:
        found, of = [], 6 ** (need.dice.count or 0)
        for ways, dice in throws(need.dice, table.formula):
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
            return item if game.table(item["roll"]).formula else None
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
    if all(figure(outcome) is not None for outcome in made.ways):
        made.ways = dict(sorted(made.ways.items(), key=lambda each: int(each[0])))
    return made


class Unending(Trouble):
    """A chain leads to more rolls than can be worked through."""


class Known:
    """What one roll leads to, as far as it is known: for each set of names that played a part, what stood there."""

    def __init__(self) -> None:
        self.by_names: dict[tuple[str, ...], dict[Any, Tally]] = {}

    def find(self, state: Mapping[str, Value], bind: Mapping[str, Value]) -> tuple[Tally, tuple[str, ...]] | None:
        """What was worked out where all that mattered stood as it stands here, and what that was."""
        for names, found in self.by_names.items():
            tally = found.get(self._standing(names, state, bind))
            if tally is not None:
                return tally, names
        return None

    def keep(self, seen: set[str], state: Mapping[str, Value], bind: Mapping[str, Value], tally: Tally) -> None:
        """Worked out once."""
        names = tuple(sorted(seen))
        self.by_names.setdefault(names, {})[self._standing(names, state, bind)] = tally

    @staticmethod
    def _standing(names: Sequence[str], state: Mapping[str, Value], bind: Mapping[str, Value]) -> Any:
        return tuple(map(state.get, names)), tuple(map(bind.get, names))


@dataclass(eq=False, repr=False)
class Open:
    """A roll that is being worked out: what it and all that follows it have read, and the first roll that it comes
    round to (its place among the open ones; before them all where something was cut off)."""

    key: Any
    begun: int
    seen: set[str] = field(default_factory=set)
    round_to: int = DEPTH


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
        self._known: dict[Any, Known] = {}
        self._open: list[Open] = []
        self._widest = (0, "")  # the table further on that took the most rolls and was worked out

    def follow(self, state: Mapping[str, Value], item: Item) -> Chain:
        """Work it all out."""
        self._root = dict(state)
        self.tally = self._item(state, item, "")
        return self

    def _item(self, state: Mapping[str, Value], item: Item, within: str) -> Tally:
        """What one asked-for roll leads to; `within` is the table whose row asks for it as a further die."""
        bind = item.get("bind", {})
        known = self._known.setdefault((item["roll"], item.get("take"), within), Known())
        found = known.find(state, bind)
        if found is not None:
            tally, names = found
            if self._open:
                self._open[-1].seen.update(names)
            return tally
        changed = frozenset(each for each in state.items() if self._root.get(each[0]) != each[1])
        gone = frozenset(name for name in self._root if name not in state)
        key = (item["roll"], tuple(sorted(bind.items())), item.get("take"), within, changed, gone)
        for at, each in enumerate(self._open):
            if each.key == key:
                self.ends[item["roll"]] = "it comes round to itself"
                self._open[-1].round_to = min(self._open[-1].round_to, at)
                return Tally()
        mine = Open(key, self.count)
        self._open.append(mine)
        tally = self._work(state, item, within)
        self._open.pop()
        if mine.round_to >= len(self._open):  # nothing was left out because a roll further up is still open
            known.keep(mine.seen, state, bind, tally)
        if self._open:
            self._open[-1].seen |= mine.seen
            self._open[-1].round_to = min(self._open[-1].round_to, mine.round_to)
            self._widest = max(self._widest, (self.count - mine.begun, item["roll"].partition(".")[0]))
        return tally

    def _work(self, state: Mapping[str, Value], item: Item, within: str) -> Tally:
        table = self.game.table(item["roll"])
        name = within or table.id
        self.titles.setdefault(name, self.game.table(name).title)
        seen = self._open[-1].seen
        try:
            found = branches(self.game, state, self.given, item, self._one_more, seen)
        except Unending:
            raise
        except Problem as problem:
            self.ends[table.id] = str(problem)
            made = Tally()
            made.add(("rolls", name))
            return made
        made, unlike = self._weighed(found, state, item, within, strict=False)
        if unlike & seen:  # the roll that is rolled again is bound otherwise, and that matters
            made, _ = self._weighed(found, state, item, within, strict=True)
        return made

    def _weighed(
        self, found: Sequence[Branch], state: Mapping[str, Value], item: Item, within: str, *, strict: bool
    ) -> tuple[Tally, set[str]]:
        """All results with their chances; with it what the rolls that are only rolled again bind otherwise."""
        made, again, unlike = Tally(), Fraction(0), set[str]()
        name = within or self.game.table(item["roll"]).id
        alike: dict[Any, list[Branch]] = {}  # readings that come to the same
        for branch in found:
            key = branch.result.outcome, repr(branch.asks), frozenset(branch.state.items())
            alike.setdefault(key, []).append(branch)
        for at, same in enumerate(alike.values()):
            if len(self._open) == 1:
                self.done = Fraction(at, len(alike))
            branch, chance = same[0], sum((each.chance for each in same), Fraction(0))
            other = self._once_more(branch, item, state)
            if other is not None and not (other and (strict or other & self.game.sheet.index.keys())):
                again += chance
                unlike |= other
            else:
                made.either(self._branch(branch, item, within, name), chance)
        return (made.scaled(1 / (1 - again)) if 0 < again < 1 else made), unlike

    def _one_more(self) -> None:
        self.count += 1
        if self.count > MOST:
            root, further = self._open[0].key[0], self._widest[1]
            instead = f"ask for a table further on, such as {further}" if further else "ask for a table further on"
            raise Unending(f"more than {MOST} rolls can follow {root}; {instead}, or say more with --with")
        self.tick(self.done)

    def _branch(self, branch: Branch, item: Item, within: str, name: str) -> Tally:
        """One result and all that it asks for."""
        made, slug = Tally(), branch.result.outcome
        folded = f"{branch.result.table}.{slug}"
        if not within:
            made.add(("rolls", name))
        if not any(each.get("roll") == folded for each in branch.asks):
            made.add(("outcome", name, slug))
            value = figure(slug)
            if value is not None:
                made.add(("sum", name), value)
        counted: list[tuple[Item, int]] = []
        for each in branch.asks:
            at = next((at for at, (other, _) in enumerate(counted) if other == each), None)
            if at is None:
                counted.append((each, 1))
            else:
                counted[at] = each, counted[at][1] + 1
        for each, times in counted:
            if "roll" not in each:
                self.ends[str(each.get("choose") or each.get("ask"))] = "yours to decide"
                continue
            sub = name if each["roll"] == folded else ""
            struck = self._struck(each, item)
            if struck is not None:
                made.along(struck, times)
            made.along(self._asked(branch, each, sub), times)
        return made

    @staticmethod
    def _once_more(branch: Branch, item: Item, state: Mapping[str, Value]) -> set[str] | None:
        """Whether a result only asks for the same roll again, and then what is bound otherwise for it."""
        first = branch.asks[0] if len(branch.asks) == 1 else {}
        if first.get("roll") != item["roll"] or first.get("take") != item.get("take") or branch.state != dict(state):
            return None
        before, after = item.get("bind", {}), first.get("bind", {})
        return {name for name in {**before, **after} if before.get(name) != after.get(name)}

    def _struck(self, each: Item, item: Item) -> Tally | None:
        """What a roll that is asked for is about, where the one that asks is not about it already."""
        made, before = Tally(), item.get("bind", {})
        for index, member in each.get("bind", {}).items():
            if index in self.game.sheet.index:
                self._open[-1].seen.add(index)
                if before.get(index) != member:
                    made.add(("struck", index, str(member)))
        return made if made.some else None

    def _asked(self, branch: Branch, each: Item, within: str) -> Tally:
        table = self.game.table(each["roll"])
        if table.memory is not None and not within:
            self.titles.setdefault(table.id, table.title)
            self.ends[table.id] = "it remembers what has been struck"
        elif len(self._open) >= DEPTH:
            self.ends[table.id] = "the chain is too long"
            self._open[-1].round_to = -1  # cut off at this depth; elsewhere it would be cut off later
        else:
            bare: Item = {key: each[key] for key in ("roll", "bind", "take") if key in each}
            return self._item(branch.state, bare, within)
        made = Tally()
        if table.memory is not None and not within:
            made.add(("rolls", table.id))
        return made
