"""The working copy of a mission: the flat state, the pending list of what must be rolled, decided, answered or carried
out next, and the facts that stand on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.game import Game
from companion.engine.questions import Option
from companion.engine.spec import Spec

Item = dict[str, Any]  # a pending thing that is worked on; its keys are those of `documents.Pending`


def name_of(item: Item) -> str:
    """What a pending thing is called in `then`: its table, choice, field, or the words of the order."""
    return str(item.get("roll") or item.get("choose") or item.get("ask") or item.get("order"))


def asks_the_same(one: Item, other: Item) -> bool:
    """Whether two pending things ask for the same, whenever each was asked for."""
    return all(one.get(key) == other.get(key) for key in ("roll", "choose", "ask", "bind", "take"))


def alike(one: Item, other: Item) -> bool:
    """Whether two rolls were asked for together and for the same fighter, gun or man; more may be said in the one."""
    said, more = one.get("bind", {}), other.get("bind", {})
    same = all(one.get(key) == other.get(key) for key in ("roll", "born", "take"))
    return same and "roll" in one and all(more.get(name, value) == value for name, value in said.items())


def with_asked(
    pending: list[Item],
    item: Item | None,
    front: Sequence[Item],
    later: Sequence[Item],
    last: Sequence[Item],
    born: int,
) -> list[Item]:
    """The list when `item` is resolved and has asked for these.

    `front` goes in front, `later` behind what was asked together with `item`, `last` behind everything but the
    standing orders; orders stand at the end. All are born with the entry `born`, but for the die of a row itself and
    what follows later: they stay in the group of `item`.
    """
    after = list(pending)
    if item is not None and item in after:
        after.remove(item)
    group = item.get("born") if item else None
    if later:
        place = max((at for at, each in enumerate(after) if group and each.get("born") == group), default=-1)
        after[place + 1 : place + 1] = [{**each, "born": group or born} for each in later]
    if front:
        own_die = f"{item['roll']}." if item is not None and "roll" in item else "-"
        after[0:0] = [
            {**each, "born": group if group and each.get("roll", "").startswith(own_die) else born}
            for each in front
            if "order" not in each
        ]
    if last:
        orders_from = next((at for at, each in enumerate(after) if "order" in each), len(after))
        after[orders_from:orders_from] = [{**each, "born": born} for each in last]
    if front:
        after += [{**each, "born": born} for each in front if "order" in each]
    return after


class Work:
    """A working copy for one command or, opened again and again, for all of them.

    `open` begins a command on it, `close` ends it, and `abandon` takes off the sheet all that a failed one wrote.
    `given` are the facts said for this command alone, `born` the number of the journal's next entry.
    """

    def __init__(
        self,
        game: Game,
        state: Mapping[str, Value] | None = None,
        pending: Sequence[Item] = (),
        given: Mapping[str, Value] | None = None,
        *,
        born: int = 1,
    ) -> None:
        self.game, self.sheet = game, game.sheet
        self.state: dict[str, Value] = dict(state or {})
        self.pending: list[Item] = list(pending)
        self.given = dict(given or {})
        self.facts = Facts(game.sheet, self.state, self.given, noting=False)
        self.noting = True  # whether a result has texts and says which facts were assumed
        self.recorded = False  # whether what was recorded is worked out once more
        self.bare = False  # whether the sheet is that of no mission, and so says nothing
        self.born = born
        self.started: list[Item] = []  # what the results of this command have asked for
        self.bound: set[str] = set()  # indexes that a result has bound beyond itself
        self.legal: tuple[Item, Spec, list[Option]] | None = None  # the options of a choice while nothing has changed
        self._written: list[tuple[str, Value | None]] = []

    def open(self, pending: Sequence[Item], given: Mapping[str, Value], *, asking: bool, born: int) -> None:
        """Begin a command on the state as it stands; `close` or `abandon` ends it."""
        self.pending, self.given, self.born = list(pending), dict(given), born
        self.begin()
        self.facts.ask(asking)
        if given:
            self.legal = None
            self.facts.bind(given)

    def begin(self) -> None:
        """Begin a command where the last one has left off."""
        self.started.clear()
        self._written.clear()

    def write_down(self, name: str, before: Value | None, value: Value | None) -> None:
        """Write one field of the state (None empties it) over what stood there, so that `abandon` can put it back."""
        self._written.append((name, before))
        self.legal = None
        if value is None:
            del self.state[name]
        else:
            self.state[name] = value
        self.facts.change(name, value)

    def mark(self) -> tuple[int, list[Item], set[str]]:
        """Return how far the command has come, for `take_back`."""
        return len(self._written), list(self.pending), set(self.bound)

    def take_back(self, mark: tuple[int, list[Item], set[str]]) -> None:
        """Take off the sheet and the pending list all that was done since the mark."""
        count, self.pending, bound = mark
        taken = [*self._written[count:], *((name, None) for name in self.bound - bound)]
        for name, before in reversed(taken):
            self._put(name, before)
        for name, _ in taken:
            self.facts.change(name, self.state.get(name))
        del self._written[count:]
        self.bound, self.legal = bound, None

    def close(self) -> None:
        """The command is done: what was given or bound for it alone counts no longer."""
        if self.given or self.bound:
            for name in {*self.given, *self.bound, *(name for name, _ in self._written)}:
                self.facts.change(name, self.state.get(name))
            self.legal = None
            self.given = {}
            self.bound.clear()
        else:
            facts, state = self.facts, self.state
            for name, _ in self._written:  # a name that was bound while it was written
                if name in state and facts.get(name) != state[name] or name not in state and name in facts.given:
                    facts.change(name, state.get(name))

    def abandon(self) -> None:
        """The command failed: the state is again what it was."""
        self.take_back((0, self.pending, self.bound))
        self.close()

    def _put(self, name: str, value: Value | None) -> None:
        if value is None:
            self.state.pop(name, None)
        else:
            self.state[name] = value
