"""The working copy of a mission: the flat state, the pending list of what must be rolled, decided, answered or carried
out next, and the facts that stand on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.game import Game
from companion.engine.pending import Pending
from companion.engine.questions import Option
from companion.engine.spec import Spec


class Work:
    """A working copy for one command or, opened again and again, for all of them.

    `open` begins a command on it, `close` ends it, and `abandon` takes off the sheet all that a failed one wrote.
    `given` are the facts said for this command alone, `born` the number of the journal's next entry.
    """

    def __init__(
        self,
        game: Game,
        state: Mapping[str, Value] | None = None,
        pending: Sequence[Pending] = (),
        given: Mapping[str, Value] | None = None,
        *,
        born: int = 1,
    ) -> None:
        self.game, self.sheet = game, game.sheet
        self.state: dict[str, Value] = dict(state or {})
        self.pending: list[Pending] = list(pending)
        self.given = dict(given or {})
        self.facts = Facts(game.sheet, self.state, self.given, noting=False)
        self.noting = True  # whether a result has texts and says which facts were assumed
        self.recorded = False  # whether what was recorded is worked out once more
        self.bare = False  # whether the sheet is that of no mission, and so says nothing
        self.born = born
        self.started: list[Pending] = []  # what the results of this command have asked for
        self.bound: set[str] = set()  # indexes that a result has bound beyond itself
        self.legal: tuple[Pending, Spec, list[Option]] | None = None  # the options while nothing has changed
        self._written: list[tuple[str, Value | None]] = []

    def open(self, pending: Sequence[Pending], given: Mapping[str, Value], *, asking: bool, born: int) -> None:
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

    def mark(self) -> tuple[int, list[Pending], set[str]]:
        """Return how far the command has come, for `take_back`."""
        return len(self._written), list(self.pending), set(self.bound)

    def take_back(self, mark: tuple[int, list[Pending], set[str]]) -> None:
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
