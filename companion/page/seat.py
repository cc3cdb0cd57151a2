"""Whoever answers from a phone: what has been typed so far is given again, the first question behind it is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar, cast

from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.engine.resolution import Result
from companion.page.memory import Memory
from companion.play.conversation import Nobody, move, resolve
from companion.play.dice_tray import tray_key
from companion.play.mission import Mission
from companion.play.plan import Answer, Answered
from companion.problems import Question

T = TypeVar("T", bound=Answer)


class Asking(NamedTuple):
    """The question that stands on the page, what tells it from every other, and what it is about."""

    key: str
    what: str
    question: Question


class Asked(Exception):
    """The mission waits for an answer that nobody has given yet."""

    def __init__(self, asking: Asking) -> None:
        super().__init__(asking.what)
        self.asking = asking


class Seat(Nobody):
    """Answers what the phones have said already; the next question is `Asked`."""

    def __init__(self, mission: Mission, memory: Memory) -> None:
        super().__init__()
        self.mission, self.memory = mission, memory
        self._remembered, memory.answers = memory.answers, []

    def move(self) -> list[Result]:
        """The next move that is all answered, of a table rolled beside the others first; Asked where it is not."""
        if not self.memory.beside:
            return move(self.mission, self, asking=True)
        results = resolve(self.mission, self.memory.beside, self, asking=True, single=True)
        self.memory.beside = ""
        return results

    def asked_again(self) -> None:
        """The move could not be made: what was answered of it stands as before."""
        self.memory.answers, self._remembered = [*self.memory.answers, *self._remembered], []

    def fresh(self) -> None:
        """The move is made; the next one begins."""
        self.memory.answers, self._remembered = [], []

    def _once(self, asking: Asking, ready: Callable[[], T | None]) -> T:
        self.memory.plan.settle(self.mission)
        again = next((each for each in self._remembered if each.key == asking.key), None)
        if again is not None:
            self._remembered = self._remembered[self._remembered.index(again) + 1 :]
            answer = cast(T, again.answer)
        else:
            lying = ready()
            if lying is None:
                raise Asked(asking)
            answer = lying
        self.memory.answers.append(Answered(asking.key, asking.what, answer))
        return answer

    def dice(self, question: DiceQuestion) -> list[int]:
        """The dice that lie ready for this roll."""
        key = _key("dice", question.table.id, question.bind, question.dice.name)
        asking = Asking(key, question.table.called, question)
        return self._once(asking, lambda: self.memory.tray.take(question))

    def fact(self, question: FactQuestion) -> Value:
        """A fact that was said."""
        return self._once(Asking(_key("fact", question.name), question.declared.heading, question), nothing)

    def row(self, question: RowQuestion) -> str:
        """A row that was read out."""
        key = _key("row", question.table.id, question.bind, question.net)
        return self._once(Asking(key, question.table.called, question), nothing)

    def choice(self, question: ChoiceQuestion) -> str:
        """What was decided, by itself or in a plan."""
        key = _key("choice", question.name, question.bind)
        return self._once(Asking(key, question.title, question), lambda: self.memory.plan.take(question, self.mission))

    def field(self, question: FieldQuestion) -> str:
        """What was said of one field."""
        return self._once(Asking(_key("field", question.name), question.label, question), nothing)


def nothing() -> None:
    """What lies ready for a question that cannot be answered beforehand."""


def _key(kind: str, name: str, bind: Mapping[str, Value] | None = None, *more: object) -> str:
    return repr((kind, *(tray_key(name, bind) if bind is not None else (name,)), *more))
