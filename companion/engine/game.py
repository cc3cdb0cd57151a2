"""What the engine needs of a pack."""

from __future__ import annotations

from typing import Protocol

from companion.engine.rules import Rules, Steps
from companion.engine.sheet import Sheet
from companion.engine.spec import Spec
from companion.engine.tables import Table, Test


class Game(Protocol):
    """A game as the engine is handed it: its sheet, rules, steps, tables and choices."""

    name: str

    @property
    def about(self) -> Spec:
        """What the pack says of itself and of what screens, flights and printed sheets show."""

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

    def choice(self, name: str) -> Spec:
        """The declared choice of that name."""

    def until(self, done: str, by: str) -> Test:
        """Return the condition that ends an order, from the file that gave it."""
