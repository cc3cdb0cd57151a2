"""A player at the prompts who plays a recorded mission with as few lines as possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from companion.cli import asking
from companion.cli.flyer import Flyer
from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion
from companion.play.dice_tray import foreseen, together
from companion.play.mission import Mission
from companion.play.plan import Place, decisions, key_of, planned
from companion.play.script import Script
from companion.render.plan_prompt import PlanPrompt
from companion.render.prompt import enter_of
from tests.support import Prompts


class Typist(Flyer):
    """A player who types the dice of all rolls that one question names, and Enter if it takes the recorded answer."""

    def __init__(self, mission: Mission, script: str) -> None:
        super().__init__(mission)
        self.script = Script(script)
        self.replies: list[str] = []
        self.typed: list[str] = []
        self.screens: list[str] = []  # the output before each line that was typed

    def ask(self, text: str) -> str:
        """Return one typed line."""
        if text.startswith("Enter accepts"):
            return ""
        self.typed.append(self.replies.pop(0))
        return super().ask(text)

    def dice(self, question: DiceQuestion) -> list[int]:
        rolls = together(self.mission, question)
        waiting = sum(item.kind != "order" for item in self.mission.pending)
        likely = foreseen(self.mission, len(rolls)) if len(rolls) >= waiting else []
        thrown = self._thrown([*rolls, *likely])
        assert thrown, f"{self.script.peek()} is on paper, {question.table.id} is asked for"
        self.replies = [thrown]
        return super().dice(question)

    def choice(self, question: ChoiceQuestion) -> str:
        items = decisions(self.mission)
        if len(items) > 1 and items[0].is_for("choose", question.name):
            wishes: dict[str, str] = {}
            for item in items:
                if self._is_of(question.name, item.bind):
                    wishes[key_of(item)] = self._answer()
            changes: dict[str, str] = {}
            typed: list[str] = []
            while True:
                plan = planned(self.mission, items, changes)
                other = next(
                    (each for each in plan if wishes.get(key_of(each.item), each.planned.name) != each.planned.name),
                    None,
                )
                if other is None:
                    break
                changes[key_of(other.item)] = wishes[key_of(other.item)]
                typed.append(f"{key_of(other.item).replace('-', ' ')} {change_of(other, wishes[key_of(other.item)])}")
            rolls, likely = PlanPrompt(self.mission, items, changes).rolls
            self.replies = [*([", ".join(typed)] if typed else []), self._thrown([*rolls, *likely])]
        else:
            assert self._is_of(question.name, question.bind), f"{self.script.peek()}, but {question.name} is asked"
            answer = self._answer()
            number = next(each.number for each in question.options if each.name == answer)
            self.replies = ["" if enter_of(question, self.mission) == answer else number]
        return super().choice(question)

    def fact(self, question: FactQuestion) -> Value:
        """Return the recorded fact."""
        self.replies = [self._answer()]
        return super().fact(question)

    def field(self, question: FieldQuestion) -> str:
        """Return the recorded value."""
        self.replies = [self._answer()]
        return super().field(question)

    def _thrown(self, rolls: Sequence[DiceQuestion]) -> str:
        """Return the recorded dice for the first of these rolls."""
        throws: list[str] = []
        for each in rolls:
            if not self._is_of(each.table.id, each.bind):
                break
            throws.append("".join(filter(str.isdigit, self._answer())))
        return " ".join(throws)

    # -- the paper -----------------------------------------------------------------------------------------------------

    def _is_of(self, asked: str, bind: Mapping[str, Value] | None) -> bool:
        """Return whether the next line answers this question; without `bind`, for anyone."""
        if self.script.at >= len(self.script.lines):
            return False
        name, *words = self.script.peek()[1].partition(":")[0].split()
        return name == asked and (bind is None or {*words} <= {str(value) for value in bind.values()})

    def _answer(self) -> str:
        line = self.script.peek()[1]
        self.script.at += 1
        return line.partition(": ")[2].partition(" #")[0].strip()


def change_of(place: Place, name: str) -> str:
    """Return the text typed after a gun for an option other than the planned one."""
    option = next(each for each in place.options if each.name == name)
    return option.number if option.bind else "-"


def typed_at_the_prompts(mission: Mission, script: str, monkeypatch: pytest.MonkeyPatch) -> Typist:
    """Return a player who has played a recorded mission to its end, with the lines typed and read."""
    prompts = Prompts(mission, monkeypatch)
    typist = Typist(mission, script)
    typist.teller, typist.session = prompts.flyer.teller, prompts.flyer.session
    prompts.flyer = typist

    def key(question: str) -> str:
        prompts.shown.write(question)
        typist.screens.append(prompts.shown.getvalue())
        prompts.shown.truncate(0)
        prompts.shown.seek(0)
        return typist.typed[-1]

    monkeypatch.setattr(asking, "ask", key)
    prompts.type()
    assert typist.script.at == len(typist.script.lines), typist.script.peek()
    return typist
