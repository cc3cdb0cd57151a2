"""The journal: every roll, decision and edit of a mission, with old and new values, so that each can be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.dice import Rolled
from companion.engine.fields import Value
from companion.engine.questions import KINDS, Pending
from companion.engine.resolution import Result
from companion.problems import UserError
from companion.words import counted

# An entry, as it is stored, with short keys: v the verb (roll, choose, ask, step, set, mark, erase, done); t the table,
# choice, field or step; d the dice; r 1 if the companion rolled them; w the facts given with it, for `set` the written
# facts that are not among the changes; b what it is about (fighter, gun, man); m the modifiers that applied, each with
# its amount; net the net roll; o the row, option or value; s the row as entered from the player's rulebook, 1 if it is
# the outcome; a 1 if it was automatic; j 1 if typed on one line with the entry before it; c the changed fields, each
# before and after, None if blank; p the pending list: place, removed, inserted.
Entry = dict[str, Any]


def dice_of(entry: Entry) -> list[int]:
    """Return the dice of an entry; empty if nothing was rolled."""
    return Rolled(entry["d"]) if "r" in entry else list(entry.get("d", ()))


def settled(entry: Entry) -> bool:
    """Return whether an entry was automatic: a step, a single legal option, a row without dice."""
    return entry["v"] == "step" or "a" in entry


def goes_along(entry: Entry) -> bool:
    """Return whether an entry is undone with the one before it: automatic, or typed on the same line."""
    return settled(entry) or "j" in entry


def join(entries: Sequence[Entry]) -> None:
    """Join entries typed on one line, to be undone together."""
    for entry in entries[1:]:
        if not settled(entry):
            entry["j"] = 1


def difference(before: Sequence[Pending], after: Sequence[Pending]) -> tuple[int, list[Pending], list[Pending]] | None:
    """Return the splice that turns `before` into `after`: (place, removed, inserted); None if nothing changed."""
    start = _alike(before, after)
    end = _alike(before[start:][::-1], after[start:][::-1])
    taken, put = list(before[start : len(before) - end]), list(after[start : len(after) - end])
    return (start, taken, put) if taken or put else None


def _alike(one: Sequence[Pending], other: Sequence[Pending]) -> int:
    """Return the length of the common prefix of two pending lists."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a is not b and a != b), min(len(one), len(other)))


def _apply(entry: Entry, state: dict[str, Value], pending: list[Pending], *, back: bool) -> None:
    """Undo one entry on the state and the pending list, or redo it, in place."""
    for name, (before, after) in entry.get("c", {}).items():
        value = before if back else after
        if value is None:
            state.pop(name, None)
        else:
            state[name] = value
    if "p" in entry:
        place, taken, put = entry["p"]
        away, there = (put, taken) if back else (taken, put)
        pending[place : place + len(away)] = map(Pending.of, there)


class Journal:
    """The entries of a mission; those after the first `position` were undone and can be redone.

    `step_to` moves a state and a pending list back or forward to a position from `before` or `position_after`.
    """

    def __init__(self, entries: list[Entry] | None = None, position: int | None = None) -> None:
        self.entries = entries or []
        self.position = len(self.entries) if position is None else position

    @property
    def recorded(self) -> list[Entry]:
        """Return the entries that are not undone."""
        return self.entries[: self.position]

    def entry(
        self, verb: str, result: Result, given: Mapping[str, Value], before: Sequence[Pending], after: Sequence[Pending]
    ) -> Entry:
        """Return a new entry, not yet added; `before` and `after` are the pending lists."""
        entry: Entry = {"v": verb, "t": result.table}
        if result.dice:
            entry["d"] = list(result.dice)
            if isinstance(result.dice, Rolled):
                entry["r"] = 1
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
        if verb in KINDS:
            entry["o"] = result.outcome
        if result.changes:
            entry["c"] = {name: list(pair) for name, pair in result.changes.items()}
        splice = difference(before, after)
        if splice:
            place, *parts = splice
            entry["p"] = [place, *([each.document() for each in part] for part in parts)]
        return entry

    def add(self, entry: Entry) -> None:
        """Add a new entry and delete all undone ones."""
        del self.entries[self.position :]
        self.entries.append(entry)
        self.position += 1

    def before(self, count: int) -> int:
        """Return the position before the last `count` player actions. Raise UserError if there are fewer."""
        asked = [at for at, entry in enumerate(self.recorded) if not goes_along(entry)]
        if not asked:
            raise UserError("There is nothing to undo.")
        if not 1 <= count <= len(asked):
            raise UserError(f"Only {counted(len(asked), 'step')} can be undone.")
        return asked[-count]

    def position_after(self, count: int) -> int:
        """Return the position after redoing `count` undone actions and their automatic entries.

        Raise UserError if there are fewer.
        """
        undone = enumerate(self.entries[self.position :], self.position)
        starts = [at for at, entry in undone if at == self.position or not goes_along(entry)]
        if not starts:
            raise UserError("There is nothing to redo.")
        if count > len(starts):
            raise UserError(f"Only {counted(len(starts), 'step')} can be redone.")
        return [*starts, len(self.entries)][count]

    def step_to(self, position: int, state: dict[str, Value], pending: list[Pending]) -> list[Entry]:
        """Undo or redo entries in place up to that position; return the affected entries in order."""
        passed = []
        while self.position > position:
            self.position -= 1
            _apply(self.entries[self.position], state, pending, back=True)
            passed.append(self.entries[self.position])
        while self.position < min(position, len(self.entries)):
            _apply(self.entries[self.position], state, pending, back=False)
            passed.append(self.entries[self.position])
            self.position += 1
        return passed


class CountingJournal(Journal):
    """A journal that only counts its entries, for flights that are never read or undone."""

    def entry(
        self, verb: str, result: Result, given: Mapping[str, Value], before: Sequence[Pending], after: Sequence[Pending]
    ) -> Entry:
        return {"v": verb}

    def add(self, entry: Entry) -> None:
        self.position += 1
