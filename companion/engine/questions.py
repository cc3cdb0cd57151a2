"""Questions of the engine to the player, as plain objects: dice, a row of the player's rulebook, a decision, a field.

The fifth kind, a fact that is not set, is `companion.engine.facts.FactQuestion`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, TypeVar

from companion.engine.dice import Dice
from companion.engine.fields import Field, Spec, Value
from companion.engine.tables import Applied, Table
from companion.problems import MissingAnswer, Question
from companion.words import one_of

T = TypeVar("T")
Talk = Generator[Question, Any, T]  # a resolution in progress: it yields questions, is sent their answers and returns T


def settle(talk: Talk[T], answer: Callable[[Question], object] = lambda question: None) -> T:
    """Run a talk to its end and return its result; `answer` answers a question, or returns None.

    Raises:
        MissingAnswer: A question that has no answer.
    """
    try:
        question = next(talk)
        while (given := answer(question)) is not None:
            question = talk.send(given)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    finally:
        talk.close()
    raise MissingAnswer(question)


class GivenAnswers:
    """The answers given so far to one pending thing: its dice, and the row, option or value."""

    def __init__(self, answer: str | None = None) -> None:
        self.dice: list[int] | None = None
        self.answer = answer


def _key(kind: str, name: str, bind: Mapping[str, Value], *more: object) -> str:
    return repr((kind, name, sorted((key, str(value)) for key, value in bind.items()), *more))


class DiceQuestion(Question):
    """A request for dice for a table. `applied` are the modifiers to be added, `bind` the subject of the roll, `needed`
    the rolls that have an effect (`hit on 7 or more`), if only a few results do.
    """

    kind = "dice"

    def __init__(
        self, table: Table, dice: Dice, applied: Sequence[Applied], bind: Mapping[str, Value], needed: str = ""
    ) -> None:
        self.table, self.dice, self.applied, self.bind, self.needed = table, dice, applied, bind, needed
        self.key, self.subject = _key("dice", table.id, bind, dice.name), table.called

    def sentence(self) -> str:
        dice = self.dice
        return f"{self.table.id} needs {dice.name}. Add the dice, e.g. --dice {dice.example()}, or use --auto"


class RowQuestion(Question):
    """A question for the row in the player's rulebook. `options` are the outcomes named in the rules, `dice` the dice
    rolled, `net` the net roll (None where nothing was rolled), `asked` the table's own question.
    """

    kind, code = "row", 3

    def __init__(
        self,
        table: Table,
        net: int | None,
        applied: Sequence[Applied],
        bind: Mapping[str, Value],
        dice: Sequence[int] = (),
        asked: str = "",
    ) -> None:
        self.options = list(table.outcomes)
        self.table, self.net, self.applied, self.bind, self.dice = table, net, applied, bind, dice
        self.asked = asked
        self.key, self.subject = _key("row", table.id, bind, net), table.called

    def sentence(self) -> str:
        table, named = self.table, f": {one_of(self.options)}" if self.options else ""
        if table.question:
            return f"{table.title}: {self.asked or table.question}? Answer with --outcome{named}"
        at = f" for a net {self.net}" if self.net is not None else ""
        return f"{table.id} is printed only in your rulebook. Give its result{at} with --outcome{named}"


class FieldQuestion(Question):
    """A question about one field of the sheet; `usual` is the default."""

    kind = "field"

    def __init__(self, name: str, declared: Field, label: str, usual: Value) -> None:
        self.name, self.declared, self.label, self.usual = name, declared, label, usual
        self.key, self.subject = _key("field", name, {}), label

    def sentence(self) -> str:
        return f"{self.label}? Answer with --outcome VALUE, where VALUE is {self.declared.span}"


class Option:
    """One legal answer to a choice: its name, text, effects, bindings, and a `number` that never changes."""

    def __init__(self, name: str, text: str, spec: Spec, bind: dict[str, str], usual: bool, number: str = "") -> None:
        self.name, self.text, self.spec, self.bind, self.usual = name, text, spec, bind, usual
        self.number = number


class ChoiceQuestion(Question):
    """A decision. `options` are the legal ones, the default first."""

    kind = "choice"

    def __init__(self, name: str, title: str, options: list[Option], bind: Mapping[str, Value]) -> None:
        self.name, self.title, self.options, self.bind = name, title, options, bind
        self.key, self.subject = _key("choice", name, bind), title

    def sentence(self) -> str:
        return f"{self.title} Answer with --outcome {one_of([each.name for each in self.options])}"
