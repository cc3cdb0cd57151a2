"""What depends on what: the names that a worked-out fact reads, as patterns (`crew[position]`), known once it is
compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

Argument = tuple[str, str | int] | None
"""Of which member something is read: `("=", member)`, `("name", "crew.pilot")` for a whole single name, `("$", variable
or place of an argument)`; None for whichever is bound."""
Read = tuple[str, tuple[Argument, ...]]  # a pattern, and of which members


class Worked(Protocol):
    """A worked-out fact as a pack hands it to the sheet."""

    pattern: str
    work: Any
    depth: int

    @property
    def kind(self) -> Any:
        """Its `name` (`number`, `flag` …) and the `values` it can be."""

    @property
    def touched(self) -> frozenset[str]:
        """The patterns of all that it comes down to."""

    @property
    def reads(self) -> set[Read]:
        """What it reads itself."""


class Readers:
    """Which patterns are worked out from which. `patterns` gives the pattern of a single name; `slots` are fields that
    count for nothing any more when a slot of their index is filled, emptied or bound, where they are asked for."""

    def __init__(self, patterns: Mapping[str, str]) -> None:
        self.patterns = patterns
        self._direct: dict[str, set[str]] = {}
        self._slots: dict[str, set[str]] = {}
        self.known: dict[bool, dict[str, frozenset[str]]] = {False: {}, True: {}}  # `stale`, as far as it was asked

    def note(self, pattern: str, reads: Iterable[str], *, asked: bool = False) -> None:
        """Note what a pattern is worked out from; `asked` is for a field that is asked for."""
        for each in reads:
            (self._slots if asked else self._direct).setdefault(each, set()).add(pattern)
        for known in self.known.values():
            known.clear()

    def stale(self, name: str, asking: bool) -> frozenset[str]:
        """Return the patterns that may have changed with a name."""
        stale = self.known[asking].get(name)
        if stale is None:
            reached, ahead = set[str](), [self.patterns.get(name, name)]
            while ahead:
                each = ahead.pop()
                further = self._direct.get(each, set()) | (self._slots.get(each, set()) if asking else set())
                ahead += further - reached
                reached |= further
            stale = self.known[asking][name] = frozenset(reached)
        return stale


def reads_of(condition: Callable[..., Any]) -> set[Read]:
    """Return what a condition of a pack reads; nothing where it is put together of several."""
    sentence = (getattr(condition, "__kwdefaults__", None) or {}).get("_sentence")
    reads: set[Read] = sentence.reads() if sentence is not None else set()
    return reads
