"""Numbers worked in written steps: `["2D", {add = -6}, {min = 0}, {times = 3}]`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.engine.conditions import Test, compile_condition
from companion.engine.dice import HANDFULS
from companion.engine.templates import render
from companion.problems import Trouble

if TYPE_CHECKING:
    from companion.sheet import Facts, Sheet

Throw = Callable[[int], list[int]]


class Change:
    """What one step made of the number, for showing the work."""

    def __init__(self, before: int, after: int, why: str) -> None:
        self.before, self.after, self.why = before, after, why


class Steps:
    """A compiled list of steps. Each step is a throw, a number, a braced name or one of the operations below."""

    operations = ("add", "less", "times", "halve", "half-again", "min", "max", "is", "dice")

    def __init__(self, steps: Sequence[Any], sheet: Sheet) -> None:
        self.steps: list[tuple[Test | None, Any]] = []
        for step in steps:
            if isinstance(step, Mapping):
                unknown = set(step) - set(self.operations) - {"when", "why", "cite"}
                if unknown:
                    raise Trouble(f"a step has {sorted(unknown)[0]!r}; steps take {', '.join(self.operations)}")
                self.steps.append((compile_condition(step.get("when", {}), sheet), step))
            else:
                self.steps.append((None, step))

    def dice(self) -> int:
        """How many dice the steps throw in all."""
        total = 0
        for _, step in self.steps:
            parts = [step[key] for key in self.operations if key in step] if isinstance(step, Mapping) else [step]
            total += sum(map(thrown, parts))
        return total

    def work(self, start: int, facts: Facts, throw: Throw | None = None) -> tuple[int, list[Change]]:
        """The number after every step that applies, and what each changed."""
        number, changes = start, []
        for test, step in self.steps:
            if test is not None and not test(facts):
                continue
            before = number
            if not isinstance(step, Mapping):
                number = self._amount(step, facts, throw)
                continue
            number = self._step(step, number, facts, throw)
            if number != before:
                changes.append(Change(before, number, step.get("why", "")))
        return number, changes

    def _step(self, step: Mapping[str, Any], number: int, facts: Facts, throw: Throw | None) -> int:
        for key, operand in step.items():
            if key == "dice" or key == "is":
                number = self._amount(operand, facts, throw)
            elif key == "add":
                number += self._amount(operand, facts, throw)
            elif key == "less":
                number -= self._amount(operand, facts, throw)
            elif key == "times":
                number *= self._amount(operand, facts, throw)
            elif key == "halve":
                number = (number + 1) // 2 if operand == "up" else number // 2
            elif key == "half-again":
                number = (number * 3 + 1) // 2 if operand == "up" else number * 3 // 2
            elif key == "min":
                number = max(number, self._amount(operand, facts, throw))
            elif key == "max":
                number = min(number, self._amount(operand, facts, throw))
        return number

    @staticmethod
    def _amount(part: Any, facts: Facts, throw: Throw | None) -> int:
        if isinstance(part, int):
            return part
        count = thrown(part)
        if count:
            if throw is None:
                raise Trouble(f"a step throws {part} where no dice are thrown")
            return sum(throw(count))
        return int(render(part, facts))


def thrown(part: Any) -> int:
    """How many dice a part of a step throws: 2 for `2D`, 3 for `3x1D`, 0 for anything else."""
    if not isinstance(part, str) or not part.upper().endswith("D"):
        return 0
    times, _, each = part[:-1].lower().rpartition("x")
    if each not in HANDFULS or (times and times not in HANDFULS):
        return 0
    return int(times or 1) * int(each)
