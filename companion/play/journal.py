"""The journal: every roll, decision and mark of a mission, with before and after, so that each can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.fields import Value
from companion.engine.pending import Pending, restored, stored
from companion.engine.resolution import Result
from companion.problems import UserError

Entry = dict[str, Any]  # one that is worked on; its keys are those of `store.documents.StoredEntry`
STRETCH = 256  # pending things that are compared in one go


def entry_of(
    verb: str, result: Result, given: Mapping[str, Value], before: Sequence[Pending], after: Sequence[Pending]
) -> Entry:
    """The entry for one resolved thing; `before` and `after` are the pending list."""
    entry: Entry = {"v": verb, "t": result.table}
    if result.dice:
        entry["d"] = result.dice
    if given:
        entry["w"] = dict(given)
    if result.bind:
        bind = {name: value for name, value in result.bind.items() if name not in ("roll", "net")}
        if bind:
            entry["b"] = bind
    if result.applied:
        entry["m"] = [[each.modifier.id, each.add] for each in result.applied]
    if result.net is not None:
        entry["net"] = result.net
    if verb in ("roll", "choose", "ask"):
        entry["o"] = result.outcome
    if result.changes:
        entry["c"] = {name: list(pair) for name, pair in result.changes.items()}
    splice = difference(before, after)
    if splice:
        place, taken, put = splice
        entry["p"] = [place, stored(taken), stored(put)]
    return entry


def settled(entry: Entry) -> bool:
    """Whether an entry came about by itself: a step of the sequence, a single legal option, a row without dice."""
    return entry["v"] == "step" or "a" in entry


def goes_along(entry: Entry) -> bool:
    """Whether an entry is taken back with the one before it: it came about by itself, or was said in the same line."""
    return settled(entry) or "j" in entry


def join(entries: Sequence[Entry]) -> None:
    """Make these entries, said in one line, one thing to be taken back."""
    for entry in entries[1:]:
        if not settled(entry):
            entry["j"] = 1


def _how_far(count: int, way: str) -> str:
    """How far one can go: `20 rolls, decisions or marks can be undone`."""
    return f"{count} rolls, decisions or marks can be {way}" if count != 1 else f"1 roll, decision or mark can be {way}"


def difference(before: Sequence[Pending], after: Sequence[Pending]) -> tuple[int, list[Pending], list[Pending]] | None:
    """The one splice that turns `before` into `after`: (place, taken, put); None when nothing changed."""
    start, most = 0, min(len(before), len(after))
    while start + STRETCH <= most and before[start : start + STRETCH] == after[start : start + STRETCH]:
        start += STRETCH  # of a long list hardly anything changes: what stands is not gone through one by one
    while start < most and _same(before[start], after[start]):
        start += 1
    end, most, b, a = 0, most - start, len(before), len(after)
    while end + STRETCH <= most and before[b - end - STRETCH : b - end] == after[a - end - STRETCH : a - end]:
        end += STRETCH
    while end < most and _same(before[-1 - end], after[-1 - end]):
        end += 1
    taken, put = list(before[start : len(before) - end]), list(after[start : len(after) - end])
    return (start, taken, put) if taken or put else None


def _same(one: Pending, other: Pending) -> bool:
    return one is other or one == other


def _apply(entry: Entry, state: dict[str, Value], pending: list[Pending], *, back: bool) -> None:
    """Undo one entry on the state and the pending list, or do it again, in place."""
    for name, (before, after) in entry.get("c", {}).items():
        value = before if back else after
        if value is None:
            state.pop(name, None)
        else:
            state[name] = value
    if "p" in entry:
        place, taken, put = entry["p"]
        away, there = (put, taken) if back else (taken, put)
        pending[place : place + len(away)] = restored(there)


class Journal:
    """The entries of a mission and how many of them stand; those behind `stand` were undone and can be redone.

    It alone takes entries back and puts them forward: `step_to` on a state and a pending list, to the stand that
    `before` or `behind` gives.
    """

    def __init__(self, entries: list[Entry] | None = None, stand: int | None = None) -> None:
        self.entries = entries or []
        self.stand = len(self.entries) if stand is None else stand

    def entry(
        self, verb: str, result: Result, given: Mapping[str, Value], before: Sequence[Pending], after: Sequence[Pending]
    ) -> Entry:
        """The entry for one resolved thing; `before` and `after` are the pending list."""
        return entry_of(verb, result, given, before, after)

    def add(self, entry: Entry) -> None:
        """Write a new entry; what had been undone is gone for good."""
        del self.entries[self.stand :]
        self.entries.append(entry)
        self.stand += 1

    def before(self, count: int) -> int:
        """The stand before the last `count` things that somebody was asked for or did; a UserError when there are not
        so many."""
        asked = [at for at, entry in enumerate(self.entries[: self.stand]) if not goes_along(entry)]
        if not asked:
            raise UserError("nothing to undo: this is the start")
        if not 1 <= count <= len(asked):
            raise UserError(f"cannot undo {count}; {_how_far(len(asked), 'undone')}")
        return asked[-count]

    def behind(self, count: int) -> int:
        """The stand behind the next `count` things that were taken back, each with what settles itself after it."""
        at, steps = self.stand, 0
        while at < len(self.entries) and steps < count:
            at += 1
            while at < len(self.entries) and goes_along(self.entries[at]):
                at += 1
            steps += 1
        if not steps:
            raise UserError("nothing to redo")
        if steps < count:
            raise UserError(f"cannot redo {count}; {_how_far(steps, 'redone')}")
        return at

    def step_to(self, stand: int, state: dict[str, Value], pending: list[Pending]) -> list[Entry]:
        """Take entries back or put them forward, in place, until so many stand (0 to all of them); gives those that
        were passed, in that order."""
        passed = []
        while self.stand > stand:
            self.stand -= 1
            _apply(self.entries[self.stand], state, pending, back=True)
            passed.append(self.entries[self.stand])
        while self.stand < min(stand, len(self.entries)):
            _apply(self.entries[self.stand], state, pending, back=False)
            passed.append(self.entries[self.stand])
            self.stand += 1
        return passed


class Unread(Journal):
    """The journal of a flight that nobody will read or take back: how many entries there would be."""

    def entry(
        self, verb: str, result: Result, given: Mapping[str, Value], before: Sequence[Pending], after: Sequence[Pending]
    ) -> Entry:
        """Hardly anything."""
        return {"v": verb}

    def add(self, entry: Entry) -> None:
        """It is counted."""
        self.stand += 1
