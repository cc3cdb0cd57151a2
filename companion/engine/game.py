"""What the engine needs of a pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from companion.engine.rules import Rules
from companion.engine.sequence import Steps
from companion.engine.sheet import Sheet
from companion.engine.tables import Table


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
    def sequence(self) -> Steps:
        """The steps of a mission."""

    def table(self, name: str) -> Table:
        """The table of that number; raises a Problem when there is none."""

    def choice(self, name: str) -> Mapping[str, Any]:
        """The declared choice of that name."""

    def until(self, order: Mapping[str, Any]) -> Callable[[Any], bool]:
        """The condition that ends a standing order."""
