"""The sequence of play: the steps of a mission, walked one after another."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Series
from typing import TYPE_CHECKING, Any

from companion.engine.conditions import Test, compile_condition
from companion.problems import Trouble

if TYPE_CHECKING:
    from companion.sheet import Facts, Sheet

START, END = "start", "end"


class Step:
    """One step: when it is taken, what it does (`effects`, `then`, `order`), and where it goes on (`go`)."""

    def __init__(self, spec: Mapping[str, Any], sheet: Sheet) -> None:
        self.spec, self.sheet = spec, sheet
        self.id: str = spec["id"]
        self.title: str = spec.get("title", "")
        self.cite: str = spec.get("cite", "")
        self.go: str | None = spec.get("go")
        self._test: Test | None = None
        self._ready = False

    def due(self, facts: Facts) -> bool:
        """Whether the step is taken as things stand."""
        if not self._ready:
            self._test = compile_condition(self.spec.get("when", {}), self.sheet)
            self._ready = True
        return self._test is None or self._test(facts)


class Sequence:
    """The steps in the order of the book. `go` jumps to another step; after the last one the mission is over."""

    def __init__(self, specs: Series[Mapping[str, Any]], sheet: Sheet) -> None:
        self.steps = [Step(spec, sheet) for spec in specs]
        self.place = {step.id: at for at, step in enumerate(self.steps)}
        if len(self.place) != len(self.steps):
            raise Trouble(f"{sheet.game}: two steps of the sequence have the same id")

    def after(self, step: str) -> int:
        """The place of the step that follows the one last taken."""
        if step in ("", START):
            return 0
        if step == END:
            return len(self.steps)
        if step not in self.place:
            raise Trouble(f"the sequence has no step {step}")
        return self.place[step] + 1

    def target(self, step: Step) -> int:
        """Where a step that goes elsewhere goes."""
        if step.go == END:
            return len(self.steps)
        if step.go not in self.place:
            raise Trouble(f"the step {step.id} goes to {step.go}, which there is not")
        return self.place[step.go]
