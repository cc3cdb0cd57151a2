"""Which worked-out facts read which names: what counts no longer when something changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property


class Readers(dict[str, frozenset[str]]):
    """For a name the worked-out facts that read it themselves, as sets when they are first asked for."""

    def __init__(self, direct: Mapping[str, Sequence[str]]) -> None:
        super().__init__()
        self.direct = direct
        self._forget: dict[str, frozenset[str]] = {}

    def __missing__(self, name: str) -> frozenset[str]:
        readers = self[name] = frozenset(self.direct.get(name, ()))
        return readers

    def forget(self, name: str) -> frozenset[str]:
        """All that may count no longer when a name changes: what reads it, what reads that, and so on."""
        stale = self._forget.get(name)
        if stale is None:
            stale = self._forget[name] = frozenset(_along(self.direct, name))
        return stale

    @cached_property
    def _below(self) -> Mapping[str, Sequence[str]]:
        below: dict[str, list[str]] = {}
        for name, readers in self.direct.items():
            for each in readers:
                below.setdefault(each, []).append(name)
        return below

    def behind(self, name: str) -> Sequence[str]:
        """The names behind a worked-out fact, all the way down."""
        return list(_along(self._below, name))


def _along(links: Mapping[str, Sequence[str]], name: str) -> Mapping[str, None]:
    """All that can be come to from a name."""
    reached: dict[str, None] = {}
    ahead = [name]
    while ahead:
        for each in links.get(ahead.pop(), ()):
            if each not in reached:
                reached[each] = None
                ahead.append(each)
    return reached
