"""The chances of all that follows from one roll, exactly: every reading of the dice goes through the engine once.

A chain follows what each result asks for. Its rolls are taken as independent of each other, which holds until a
table remembers what it has struck (`memory`): there the chain ends, and how often that table is rolled is the answer.
Where the same roll comes up again and everything that it and what follows it have read is as it was, it is not worked
out again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from companion.engine.branches import Branch, branches
from companion.engine.fields import Value
from companion.engine.game import Game
from companion.engine.odds import Tick
from companion.engine.play import Play
from companion.engine.work import Item
from companion.problems import Problem, Trouble
from companion.words import figure

DEPTH = 60
MOST = 100_000  # rolls that are worked through before a chain is given up
Standing = tuple[tuple[Value | None, ...], tuple[Value | None, ...]]  # of names: on the sheet, and as bound
RollKey = tuple[object, ...]  # a roll that is being worked out: table, bindings, and all that differs from the start
Key = tuple[str, ...]  # what a tally counts: `("outcome", "5-9", "miss")`


class Tally:
    """How likely each thing is at least once, and how often it is to be expected."""

    def __init__(self) -> None:
        self.some: dict[Key, Fraction] = {}
        self.mean: dict[Key, Fraction] = {}

    def add(self, key: Key, much: int = 1) -> None:
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
        scaled = Tally()
        scaled.either(self, by)
        return scaled


class Unending(Trouble):
    """A chain leads to more rolls than can be worked through."""


class Known:
    """What one roll leads to, as far as it is known: for each set of names that played a part, what stood there."""

    def __init__(self) -> None:
        self.by_names: dict[tuple[str, ...], dict[Standing, Tally]] = {}

    def find(self, state: Mapping[str, Value], bind: Mapping[str, Value]) -> tuple[Tally, tuple[str, ...]] | None:
        """What was worked out where all that mattered stood as it stands here, and what that was."""
        for names, tallies in self.by_names.items():
            tally = tallies.get(self._standing(names, state, bind))
            if tally is not None:
                return tally, names
        return None

    def keep(self, seen: set[str], state: Mapping[str, Value], bind: Mapping[str, Value], tally: Tally) -> None:
        """Worked out once."""
        names = tuple(sorted(seen))
        self.by_names.setdefault(names, {})[self._standing(names, state, bind)] = tally

    @staticmethod
    def _standing(names: Sequence[str], state: Mapping[str, Value], bind: Mapping[str, Value]) -> Standing:
        return tuple(map(state.get, names)), tuple(map(bind.get, names))


@dataclass(eq=False, repr=False)
class Open:
    """A roll that is being worked out: what it and all that follows it have read, and the first roll that it comes
    round to (its place among the open ones; before them all where something was cut off)."""

    key: RollKey
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
        self._known: dict[tuple[str, int | None, str], Known] = {}
        self._open: list[Open] = []
        self._widest = (0, "")  # the table further on that took the most rolls and was worked out

    def follow(self, state: Mapping[str, Value], item: Item) -> Chain:
        """Work it all out."""
        Play(self.game, state, (), self.given).make_sense(item)
        self._root = dict(state)
        self.tally = self._item(state, item, "")
        return self

    def _item(self, state: Mapping[str, Value], item: Item, within: str) -> Tally:
        """What one asked-for roll leads to; `within` is the table whose row asks for it as a further die."""
        bind = item.get("bind", {})
        known = self._known.setdefault((item["roll"], item.get("take"), within), Known())
        before = known.find(state, bind)
        if before is not None:
            tally, names = before
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
            ways = branches(self.game, state, self.given, item, self._one_more, seen)
        except Unending:
            raise
        except Problem as problem:
            self.ends[table.id] = str(problem)
            tally = Tally()
            tally.add(("rolls", name))
            return tally
        tally, unlike = self._weighed(ways, state, item, within, strict=False)
        if unlike & seen:  # the roll that is rolled again is bound otherwise, and that matters
            tally, _ = self._weighed(ways, state, item, within, strict=True)
        return tally

    def _weighed(
        self, ways: Sequence[Branch], state: Mapping[str, Value], item: Item, within: str, *, strict: bool
    ) -> tuple[Tally, set[str]]:
        """All results with their chances; with it what the rolls that are only rolled again bind otherwise."""
        tally, again, unlike = Tally(), Fraction(0), set[str]()
        name = within or self.game.table(item["roll"]).id
        alike: dict[tuple[str, str, frozenset[tuple[str, Value]]], list[Branch]] = {}  # readings that come to the same
        for branch in ways:
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
                tally.either(self._branch(branch, item, within, name), chance)
        return (tally.scaled(1 / (1 - again)) if 0 < again < 1 else tally), unlike

    def _one_more(self) -> None:
        self.count += 1
        if self.count > MOST:
            root, further = self._open[0].key[0], self._widest[1]
            instead = f"ask for a table further on, such as {further}" if further else "ask for a table further on"
            raise Unending(f"more than {MOST} rolls can follow {root}; {instead}, or say more with --with")
        self.tick(self.done)

    def _branch(self, branch: Branch, item: Item, within: str, name: str) -> Tally:
        """One result and all that it asks for."""
        tally, slug = Tally(), branch.result.outcome
        folded = f"{branch.result.table}.{slug}"
        if not within:
            tally.add(("rolls", name))
        if not any(each.get("roll") == folded for each in branch.asks):
            tally.add(("outcome", name, slug))
            value = figure(slug)
            if value is not None:
                tally.add(("sum", name), value)
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
                tally.along(struck, times)
            tally.along(self._asked(branch, each, sub), times)
        return tally

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
        tally, before = Tally(), item.get("bind", {})
        for index, member in each.get("bind", {}).items():
            if index in self.game.sheet.index:
                self._open[-1].seen.add(index)
                if before.get(index) != member:
                    tally.add(("struck", index, str(member)))
        return tally if tally.some else None

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
        tally = Tally()
        if table.memory is not None and not within:
            tally.add(("rolls", table.id))
        return tally
