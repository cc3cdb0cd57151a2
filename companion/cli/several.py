"""Several answers in one line (`4 5`) to a decision that is asked again after each of them: which cards lie here."""

from __future__ import annotations

from collections.abc import Mapping

from companion.cli import picking
from companion.cli.picking import Ask, wrapped
from companion.engine.questions import ChoiceQuestion
from companion.play.mission import Mission

Occasion = tuple[str, object]  # a decision, and the step that it belongs to


class Several:
    """The answers that were typed along with the first."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.occasion: Occasion = ("", "")

    def asking(self, question: ChoiceQuestion, mission: Mission, ask: Ask) -> Ask:
        """A way to ask that takes the first of several numbers and keeps the others."""
        if not again(question):
            return ask

        def first(text: str) -> str:
            typed = ask(text)
            parts = typed.replace(",", " ").split()
            if len(parts) < 2 or any(option_of(question, part) is None for part in parts):
                return typed
            self.waiting, self.occasion = parts[1:], occasion(question, mission)
            return parts[0]

        return first

    def take(self, question: ChoiceQuestion, mission: Mission) -> str | None:
        """The next of the answers where the same decision is asked again; None where nothing waits for it."""
        if not self.waiting or question.name != self.occasion[0]:
            return None
        if occasion(question, mission) != self.occasion:
            self.clear()
            return None
        typed = self.waiting.pop(0)
        option = option_of(question, typed)
        if option is None:
            wrapped(f"{typed} is no longer possible; it and what stood behind it were not taken.", "  ")
            self.clear()
        return option

    def clear(self) -> None:
        """Forget what waits."""
        self.waiting = []


def again(question: ChoiceQuestion) -> bool:
    """Whether an option of a decision leads back to it."""
    return any(
        isinstance(item, Mapping) and item.get("choose") == question.name
        for option in question.options
        for item in option.spec.get("then", ())
    )


def option_of(question: ChoiceQuestion, typed: str) -> str | None:
    """The option of that number."""
    numbers = [option.number for option in question.options]
    return picking.at([option.name for option in question.options], typed, numbers if all(numbers) else ())


def occasion(question: ChoiceQuestion, mission: Mission) -> Occasion:
    """The decision and the step that it is asked in."""
    return question.name, mission.state.get("step", "")
