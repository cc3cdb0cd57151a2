"""The journal: every roll, decision and mark of a mission, with before and after, so that each can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.engine.needs import Item, Pending, Result
from companion.engine.sheet import Value
from companion.problems import Problem


class Verb(TypedDict):
    """What every entry says."""

    v: str  # the verb
    t: str  # the table, or what was done


class Written(Verb, total=False):
    """One entry as it is stored, kept short."""

    d: list[int]  # dice
    w: dict[str, str | int]  # the facts given with it
    b: dict[str, str | int]  # bindings
    m: list[tuple[str, int]]  # modifiers that applied
    net: int
    o: str  # the outcome
    s: str | int  # the row as it was said, 1 where it is the outcome
    a: int  # it came about by itself
    c: dict[str, tuple[str | int | None, str | int | None]]  # changes: field, before, after; None where it was blank
    p: tuple[int, list[Pending], list[Pending]]  # the pending list: place, taken, put


Entry = dict[str, Any]  # a Written that is worked on


def entry(
    verb: str, result: Result, given: Mapping[str, Value], before: Sequence[Item], after: Sequence[Item]
) -> Entry:
    """The entry for one resolved thing."""
    made: Entry = {"v": verb, "t": result.table}
    if result.dice:
        made["d"] = result.dice
    if given:
        made["w"] = dict(given)
    if result.bind:
        bind = {name: value for name, value in result.bind.items() if name not in ("roll", "net")}
        if bind:
            made["b"] = bind
    if result.applied:
        made["m"] = [[each.modifier.id, each.add] for each in result.applied]
    if result.net is not None:
        made["net"] = result.net
    if verb in ("roll", "choose", "ask"):
        made["o"] = result.outcome
    if result.changes:
        made["c"] = {name: list(pair) for name, pair in result.changes.items()}
    splice = difference(before, after)
    if splice:
        made["p"] = splice
    return made


def settled(made: Entry) -> bool:
    """Whether an entry came about by itself: a step of the sequence, a single legal option, a row without dice."""
    return made["v"] == "step" or "a" in made


def steps_back(count: int, way: str) -> str:
    """How far one can go: `20 rolls, decisions or marks can be undone`."""
    return f"{count} rolls, decisions or marks can be {way}" if count != 1 else f"1 roll, decision or mark can be {way}"


def difference(before: Sequence[Item], after: Sequence[Item]) -> list[Any] | None:
    """The one splice that turns `before` into `after`: [place, taken, put]; None when nothing changed."""
    start = 0
    while start < len(before) and start < len(after) and _same(before[start], after[start]):
        start += 1
    end, most = 0, min(len(before), len(after)) - start
    while end < most and _same(before[-1 - end], after[-1 - end]):
        end += 1
    taken, put = list(before[start : len(before) - end]), list(after[start : len(after) - end])
    return [start, taken, put] if taken or put else None


def _same(one: Item, other: Item) -> bool:
    return one is other or one == other


def _step(state: dict[str, Value], pending: list[Item], made: Entry, *, back: bool) -> None:
    """Undo one entry on the state and the pending list, or do it again, in place."""
    for name, (before, after) in made.get("c", {}).items():
        value = before if back else after
        if value is None:
            state.pop(name, None)
        else:
            state[name] = value
    if "p" in made:
        place, taken, put = made["p"]
        away, there = (put, taken) if back else (taken, put)
        pending[place : place + len(away)] = there


class Journal:
    """The entries of a mission and how many of them stand; those behind `stand` were undone and can be redone."""

    def __init__(self, entries: list[Entry] | None = None, stand: int | None = None) -> None:
        self.entries = entries or []
        self.stand = len(self.entries) if stand is None else stand

    def add(self, made: Entry) -> None:
        """Write a new entry; what had been undone is gone for good."""
        del self.entries[self.stand :]
        self.entries.append(made)
        self.stand += 1

    def undo(self, count: int, state: dict[str, Value], pending: list[Item]) -> list[Entry]:
        """Take back the last `count` entries; raises a Problem when there are not so many."""
        if not self.stand:
            raise Problem("nothing to undo: this is the start of the mission")
        if not 1 <= count <= self.stand:
            raise Problem(f"cannot undo {count}; {steps_back(self.stand, 'undone')}")
        undone = []
        for _ in range(count):
            self.stand -= 1
            _step(state, pending, self.entries[self.stand], back=True)
            undone.append(self.entries[self.stand])
        return undone

    def redo(self, count: int, state: dict[str, Value], pending: list[Item]) -> list[Entry]:
        """Put the last undone `count` entries forward again."""
        ahead = len(self.entries) - self.stand
        if not ahead:
            raise Problem("nothing to redo")
        if not 1 <= count <= ahead:
            raise Problem(f"cannot redo {count}; {steps_back(ahead, 'redone')}")
        redone = []
        for _ in range(count):
            _step(state, pending, self.entries[self.stand], back=False)
            redone.append(self.entries[self.stand])
            self.stand += 1
        return redone
