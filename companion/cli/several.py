"""Several answers in one line (`4 5`) to a decision that is asked again after each of them: which cards lie here; and
one answer (`all 1`) to what the player's own book is asked for each of several men."""

from __future__ import annotations

from collections.abc import Mapping

from companion.cli import picking
from companion.cli.allocating import EVERYBODY
from companion.cli.picking import Ask, wrapped
from companion.engine.questions import ChoiceQuestion, DiceQuestion, RowQuestion
from companion.play.mission import Mission

Occasion = tuple[str, object]  # a decision, and the step that it belongs to


class Several:
    """The answers that were typed along with the first."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.occasion: Occasion = ("", "")

    def asking(self, question: ChoiceQuestion, mission: Mission, ask: Ask) -> Ask:
        """A way to ask that takes the first of several numbers and keeps the others."""
        if not again(question, mission):
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


class ForAll:
    """Rows of the player's own book that were said for everybody at once. Each stands for the men behind the first as
    long as the same table is asked for, with the same modifiers, and its dice are not known to us."""

    def __init__(self) -> None:
        self.rows: dict[object, str] = {}
        self.about: set[str] = set()  # what their rolls are about: a man
        self._all = False  # whether the answer that is being typed is for all

    def asking(self, question: RowQuestion, mission: Mission, ask: Ask) -> Ask:
        """A way to ask that takes `all` before a row, where more men wait for the same table."""
        alike = [item for item in mission.pending if item.get("roll") == question.table.id and item.get("bind")]
        options = question.options
        if not options or not open_dice(question) or not (len(alike) > 1 or self.rows):
            return ask
        many = f" {len(alike)}" if len(alike) > 1 else ""
        texts = [str(question.table.outcomes[option].get("text", "")) for option in options]

        def first(text: str) -> str:
            if not text.startswith("Number"):  # a row that is asked back
                return ask(text)
            typed = ask(f'{text.removesuffix(": ")}; "{EVERYBODY} 1" is for all{many}: ')
            word, _, row = typed.partition(" ")
            self._all = word.casefold() == EVERYBODY and picking.chosen(options, row.strip(), texts) in options
            return row.strip() if self._all else typed

        return first

    def keep(self, question: RowQuestion, row: str) -> str:
        """The row that was said; remembered where it was for all."""
        if self._all:
            self.rows[occasion_of(question)] = row
            self.about, self._all = set(question.bind), False
        return row

    def row(self, question: RowQuestion) -> str | None:
        """What was said for all, where it answers this question too."""
        return self.rows.get(occasion_of(question)) if open_dice(question) else None

    def dice(self, question: DiceQuestion) -> list[int] | None:
        """No dice, where the row is known without them."""
        return [] if question.dice.count is None and occasion_of(question) in self.rows else None

    def settle(self, mission: Mission) -> None:
        """Forget what was said once nothing of the kind is asked for any more."""
        if not any("roll" in item and self.about <= set(item.get("bind", ())) for item in mission.pending):
            self.rows.clear()

    def clear(self) -> None:
        """Forget what was said."""
        self.rows.clear()


def open_dice(question: RowQuestion) -> bool:
    """Whether only the player's book knows which dice are thrown for a row."""
    return question.table.dice.count is None


def occasion_of(question: DiceQuestion | RowQuestion) -> object:
    """The table that is asked, and with what: the same question for one man as for the other."""
    return question.table.id, tuple((each.modifier.id, each.add) for each in question.applied)


def again(question: ChoiceQuestion, mission: Mission | None) -> bool:
    """Whether a decision is asked more than once: an option leads back to it, or it waits again behind this one."""
    waiting = [item for item in mission.pending if item.get("choose") == question.name] if mission else []
    return any(item.get("bind") == waiting[0].get("bind") for item in waiting[1:]) or any(
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
