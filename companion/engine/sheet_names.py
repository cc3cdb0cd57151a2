"""The names on a log sheet: families and members, players' names for them, and dependencies between facts."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import Any, Protocol, cast

from companion.engine.fields import Value
from companion.words import bare


def cut(name: str) -> tuple[str, str, str]:
    """Split `crew[position]` into the text before the first bracket, the index in it, and the rest."""
    head, _, rest = name.partition("[")
    inner, _, tail = rest.partition("]")
    return head + "." if head else "", inner.partition(" as ")[0].strip(), tail


def of_member(family: str, index: str, member: str) -> str:
    """Return the field of a family that belongs to a member: `crew.pilot` of `crew[position]`."""
    return family.replace(f"[{index}]", f".{member}")


def pattern_of(name: str) -> str:
    """Return `mover[position]` for `mover[position as p]`: the family's name without loop variables."""
    return re.sub(r" as [^\]]*", "", name) if " as " in name else name


def indexes_of(pattern: str) -> list[str]:
    """Return the indexes in the name of a family: `["leg", "zone"]` for `log[leg][zone].rolls`."""
    return [each.partition("]")[0].partition(" as ")[0].strip() for each in pattern.split("[")[1:]]


def shape_of(pattern: str) -> str:
    """Return the name of a family without its indexes: `log[][].rolls`."""
    head, *parts = pattern.split("[")
    return head + "".join(f"[]{part.partition(']')[2]}" for part in parts)


NAMED = re.compile(r"\{([^{}\[\]]+)\[([^{}\[\]]+)\]\}")  # a text that consists of one field


class Nicknames:
    """Names that players enter in fields of the sheet (`name[plane]`), by index."""

    def __init__(self) -> None:
        self.families: dict[str, str] = {}  # the name field of an index, without its member
        self.labels: dict[str, dict[str, str]] = {}  # the pack's own names for the members
        self.state: Mapping[str, Value] = {}  # the sheet of the current mission

    def declare(self, index: str, text: str, members: Mapping[str, Mapping[str, Value]]) -> bool:
        """Return whether a text takes the names of an index from one field of each member: `{name[plane]}`."""
        match = NAMED.fullmatch(text)
        if match is None or match[2] != index:
            return False
        self.families[index] = match[1]
        self.labels[index] = {member: str(has.get("label", member)) for member, has in members.items()}
        return True

    def name(self, index: str, member: str, of: str = "") -> str:
        """Return the players' name for a member; empty if it has none, and for the field `of` that asks for it."""
        family = self.families.get(index)
        return "" if family is None or of == f"{family}[{index}]" else str(self.state.get(f"{family}.{member}", ""))

    def member(self, typed: str, among: Iterable[str]) -> str:
        """Return the member whose name was typed; the typed text if it matches none."""
        if not self.families or typed.casefold() in (words := tuple(among)) or not (wanted := bare(typed)):
            return typed
        meant = [
            member
            for index, labels in self.labels.items()
            for member in labels
            if member in words and bare(self.name(index, member)) == wanted
        ]
        return meant[0] if len(meant) == 1 else typed

    @contextmanager
    def along_with(self, facts: MutableMapping[str, Value]) -> Iterator[None]:
        """Use the names in these facts like those of the sheet, for fields written along with them."""
        sheet = self.state
        self.state = ChainMap(facts, cast(MutableMapping[str, Value], sheet))
        try:
            yield
        finally:
            self.state = sheet

    def label(self, value: Value, among: Iterable[str]) -> str:
        """Return the name of a member that is the value of a field; empty for other values."""
        words = tuple(among) if self.families else ()
        index = next((index for index, labels in self.labels.items() if value in labels and value in words), "")
        return (self.name(index, str(value)) or self.labels[index][str(value)]) if index else ""


Argument = tuple[str, str | int] | None
"""Of which member something is read: `("=", member)`, `("name", "crew.pilot")` for a whole single name, `("$", variable
or place of an argument)`; None for whichever is bound."""
Read = tuple[str, tuple[Argument, ...]]  # a pattern and its members


class WorkedFact(Protocol):
    """A worked-out fact, passed from a pack to the sheet."""

    pattern: str
    work: Any

    @property
    def kind(self) -> Any:
        """Return its type's `name` (`number`, `flag` …) and possible `values`."""

    @property
    def touched(self) -> frozenset[str]:
        """Return the patterns that it ultimately depends on."""

    @property
    def reads(self) -> set[Read]:
        """Return the patterns that it reads directly."""


class Readers:
    """The dependencies between patterns. `patterns` gives the pattern of a single name; `slots` are the fields to
    forget when a slot of their index is filled, emptied or bound.
    """

    def __init__(self, patterns: Mapping[str, str]) -> None:
        self.patterns = patterns
        self._direct: dict[str, set[str]] = {}
        self._slots: dict[str, set[str]] = {}
        self.known: dict[bool, dict[str, frozenset[str]]] = {False: {}, True: {}}  # cache of `stale`

    def note(self, pattern: str, reads: Iterable[str], *, asked: bool = False) -> None:
        """Note the dependencies of a pattern; `asked` is true for a field that is asked for."""
        for each in reads:
            (self._slots if asked else self._direct).setdefault(each, set()).add(pattern)
        for known in self.known.values():
            known.clear()

    def stale(self, name: str, asking: bool) -> frozenset[str]:
        """Return the patterns that may have changed when a name did."""
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
    """Return the names that a pack's condition reads; empty if it combines several conditions."""
    sentence = (getattr(condition, "__kwdefaults__", None) or {}).get("_sentence")
    reads: set[Read] = sentence.reads if sentence is not None else set()
    return reads
