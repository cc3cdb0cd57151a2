"""What the players call the things that the pack has no name for: an aircraft's card, a city of the map."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from typing import cast

from companion.engine.fields import Value
from companion.words import bare

NAMED = re.compile(r"\{([^{}\[\]]+)\[([^{}\[\]]+)\]\}")  # the one field that a text consists of


class Nicknames:
    """The names in the sheet's own fields of names (`name[plane]`), by the index that they are of."""

    def __init__(self) -> None:
        self.families: dict[str, str] = {}  # the field of names of an index, without its member
        self.labels: dict[str, dict[str, str]] = {}  # what the pack calls its members
        self.state: Mapping[str, Value] = {}  # the sheet in play

    def declare(self, index: str, text: str, members: Mapping[str, Mapping[str, Value]]) -> bool:
        """Whether a text says that an index is called what stands in one field of each member: `{name[plane]}`."""
        match = NAMED.fullmatch(text)
        if match is None or match[2] != index:
            return False
        self.families[index] = match[1]
        self.labels[index] = {member: str(has.get("label", member)) for member, has in members.items()}
        return True

    def name(self, index: str, member: str, of: str = "") -> str:
        """What the players call a member; empty where nobody has named it, and for the field `of` that asks for it."""
        family = self.families.get(index)
        return "" if family is None or of == f"{family}[{index}]" else str(self.state.get(f"{family}.{member}", ""))

    def member(self, typed: str, among: Iterable[str]) -> str:
        """Which of these members is called what was typed; the text as it was typed where that is none of them."""
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
        """Names that stand in these facts count like those of the sheet, for what is written along with them."""
        sheet = self.state
        self.state = ChainMap(facts, cast(MutableMapping[str, Value], sheet))
        try:
            yield
        finally:
            self.state = sheet

    def label(self, value: Value, among: Iterable[str]) -> str:
        """What a member that stands in a field of these values is called; empty for all else."""
        words = tuple(among) if self.families else ()
        index = next((index for index, labels in self.labels.items() if value in labels and value in words), "")
        return (self.name(index, str(value)) or self.labels[index][str(value)]) if index else ""
