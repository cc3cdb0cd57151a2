"""The sequence of play: the steps of a mission, walked one after another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.problems import Trouble

if TYPE_CHECKING:
    from companion.engine.sheet import Facts, Sheet

START, END = "start", "end"


class Step:
    """One step: when it is taken, what it does (`do`, `then`, `order`), and where it goes on (`go`)."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        self.spec = spec
        self.id: str = spec["id"]
        self.cite: str = spec.get("cite", "")
        self.go: str | None = spec.get("go")
        self._test = spec.get("#when")

    def due(self, facts: Facts) -> bool:
        """Whether the step is taken as things stand."""
        return self._test is None or self._test(facts)

    def title(self, facts: Facts) -> str:
        """What it is called as things stand."""
        return words(self.spec, "title", facts)


class Steps:
    """The steps in the order of the book. `go` jumps to another step; after the last one the mission is over."""

    def __init__(self, specs: Sequence[Mapping[str, Any]], sheet: Sheet) -> None:
        self.steps = [Step(spec) for spec in specs]
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


def words(spec: Mapping[str, Any], key: str, facts: Facts) -> str:
    """A text of the pack as things stand; empty where there is none."""
    late = spec.get(f"#{key}")
    return str(spec.get(key, "")) if late is None else late(facts)
