"""What the engine needs of a pack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from companion.engine.rules import Rules
from companion.engine.sequence import Sequence
from companion.engine.tables import Table
from companion.sheet import Sheet


class Game(Protocol):
    """A game as the engine is handed it: its sheet, rules, steps, tables and choices."""

    name: str

    @property
    def sheet(self) -> Sheet:
        """The declared log sheet."""

    @property
    def rules(self) -> Rules:
        """The standing rules."""

    @property
    def sequence(self) -> Sequence:
        """The steps of a mission."""

    def table(self, name: str) -> Table:
        """The table of that number; raises a Problem when there is none."""

    def choice(self, name: str) -> Mapping[str, Any]:
        """The declared choice of that name."""
