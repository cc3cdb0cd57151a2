"""Pending things (rolls, decisions, fields, orders) and the questions that they ask.

A question for a fact that is not set is `companion.engine.facts.FactQuestion`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from companion.engine.dice import Dice
from companion.engine.facts import Facts
from companion.engine.fields import Field, Spec, Value
from companion.engine.rules import Game, words
from companion.engine.tables import Applied, Table
from companion.problems import MissingAnswer, Question, UserError
from companion.words import bare, headed, one_of

T = TypeVar("T")
Talk = Generator[Question, Any, T]  # a resolution in progress: it yields questions, is sent their answers and returns T


# -- pending things ----------------------------------------------------------------------------------------------------


class _Item(NamedTuple):
    """The contents of a pending thing; see `Pending`."""

    kind: str
    name: str
    bind: Mapping[str, Value] = {}  # never written to
    born: int = 0
    take: int | None = None
    usual: Value | None = None
    line: str = ""
    cite: str = ""
    until: str = ""
    by: str = ""


class Pending(_Item):
    """One pending thing; `Pending(kind, name, …)` makes one of the class for that kind.

    A class has all that other rooms ask of its kind; its conversation is in `companion.engine.play.Play.talk`.

    Attributes:
        kind: `roll`, `choose` (a decision), `ask` (a question about a field) or `order` (carried out by the player).
        name: The table, decision or field, or the text of the order.
        bind: The fighter, gun, man or area that it is about.
        born: The journal entry that asked for it; 0 if none did.
        take: The row of a roll that needs no dice.
        usual: The default answer of a question about a field.
        line: The line of fields that are asked for together.
        cite: The section that an order follows.
        until: The sentence that ends an order.
        by: The file of the pack with that sentence.
        waits: Whether the mission goes on only when it is resolved.
    """

    __slots__ = ()
    waits = True

    def __new__(cls, kind: str, *more: object, **named: object) -> Pending:
        return _Item.__new__(KINDS[kind], kind, *more, **named)  # type: ignore[arg-type]

    @property
    def key(self) -> str:
        """Return its key, another one when the same man or gun is asked again later."""
        return repr((self.name, dict(self.bind), self.born))

    def is_for(self, kind: str, name: object) -> bool:
        """Return whether it is the given roll, decision or question."""
        return self.kind == kind and self.name == name

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Pending:
        """Load one from its stored form: `{"roll": "5-9", "bind": {"fighter": "1"}, "born": 12}`."""
        kind = next(each for each in KINDS if each in document)
        stored = {STORED_AS.get(key, key): key for key in cls._field_defaults}
        return cls(kind, str(document[kind]), **{stored[key]: document[key] for key in stored if key in document})

    def document(self) -> dict[str, Any]:
        """Return its stored form."""
        told = {key: getattr(self, key) for key, usual in self._field_defaults.items() if getattr(self, key) != usual}
        return {self.kind: self.name, **{STORED_AS.get(key, key): value for key, value in told.items()}}

    @property
    def about(self) -> dict[str, Value]:
        """Return its bindings, without the dice that a formula is about."""
        return {name: value for name, value in self.bind.items() if name not in ("roll", "net")}

    def subject(self, game: Game) -> Mapping[str, Value]:
        """Return the bindings that say whom it is about."""
        return self.bind

    def called(self, game: Game) -> str:
        """Return its name in words, which does not depend on the sheet."""
        return self.name.replace("-", " ")

    def asked(self, game: Game, state: Mapping[str, Value]) -> str:
        """Return its name or question in words on this sheet."""
        return self.called(game)

    def told(self, game: Game, state: Mapping[str, Value], whom: str) -> str:
        """Return it as a line, such as `5-10 Shell hits: roll 2D – Nose`; `whom` is its subject in words."""
        asked = self.asked(game, state)
        return asked if bare(whom) in bare(asked) else f"{asked}{whom}"  # whose it is is not said twice

    def as_object(self, game: Game) -> dict[str, object]:
        """Return it for scripts."""
        return {self.kind: self.name, "title": self.called(game), "bind": self.about}

    def takes_line(self, game: Game) -> bool:
        """Return whether it may be answered together with later questions in one line."""
        return bool(self.line)

    def recorded(self, answer: str, game: Game) -> str:
        """Return the answer of a journal entry as the player would type it."""
        return answer

    def check(self, game: Game, named: Mapping[str, Value]) -> None:
        """Raise a UserError if the game cannot resolve it; `named` are the facts that it names."""
        for name, value in named.items():
            if name not in game.sheet.known:
                raise UserError(f"something pending uses {name[:60]}, which isn't in {game.name}")
            if value != "":
                game.sheet.declared(name).accept(name, value, stored=True)


class PendingRoll(Pending):
    """A roll on a table."""

    __slots__ = ()

    def called(self, game: Game) -> str:
        return game.table(self.name).called

    def told(self, game: Game, state: Mapping[str, Value], whom: str) -> str:
        table = game.table(self.name)
        how = "no dice" if table.dice.count == 0 else f"roll {table.dice.name}"
        if self.take is not None:
            how = f"row {self.take}, no dice"
        elif table.unwritten:
            how = table.asked(Facts(game.sheet, state, self.bind)) or f"{how}, look it up in your rulebook"
        return headed(table.called, f"{how}{whom}")

    def as_object(self, game: Game) -> dict[str, object]:
        table, row = game.table(self.name), {} if self.take is None else {"row": self.take}
        return {"table": table.id, "title": table.title, "dice": table.dice.name, "bind": self.about, **row}

    def takes_line(self, game: Game) -> bool:
        return bool(game.table(self.name).doc.get("parts"))

    def check(self, game: Game, named: Mapping[str, Value]) -> None:
        super().check(game, named)
        game.table(self.name)


class PendingChoice(Pending):
    """A decision."""

    __slots__ = ()

    def subject(self, game: Game) -> Mapping[str, Value]:
        """Return the bindings that say whom it is about; a decision about an aircraft ignores the one bound earlier."""
        among = game.among(self.name)
        return {name: value for name, value in self.bind.items() if name not in among}

    def called(self, game: Game) -> str:
        title = str(game.choice(self.name).get("title", ""))
        return super().called(game) if "{" in title or not title else title

    def asked(self, game: Game, state: Mapping[str, Value]) -> str:
        facts = Facts(game.sheet, state, self.bind)
        return words(game.choice(self.name), "title", facts) or super().called(game)

    def as_object(self, game: Game) -> dict[str, object]:
        return {**super().as_object(game), "title": str(game.choice(self.name)["title"])}

    def takes_line(self, game: Game) -> bool:
        return bool(game.choice(self.name).get("line"))

    def check(self, game: Game, named: Mapping[str, Value]) -> None:
        super().check(game, named)
        if "gone" in game.choice(self.name):
            raise UserError(f"there is no choice {self.name[:60]!r}")


class PendingField(Pending):
    """A question about a field."""

    __slots__ = ()

    def subject(self, game: Game) -> Mapping[str, Value]:
        return {}

    def called(self, game: Game) -> str:
        return game.sheet.text(self.name)

    def told(self, game: Game, state: Mapping[str, Value], whom: str) -> str:
        return self.line or f"{self.called(game)}?"

    def recorded(self, answer: str, game: Game) -> str:
        """Return the answer as typed: a name that was accepted once is taken literally."""
        return f"={answer}" if game.sheet.fields[self.name].words else answer

    def check(self, game: Game, named: Mapping[str, Value]) -> None:
        super().check(game, {**named, self.name: "" if self.usual is None else self.usual})


class Order(Pending):
    """An order, which the player carries out."""

    __slots__ = ()
    waits = False

    def subject(self, game: Game) -> Mapping[str, Value]:
        return {}

    def called(self, game: Game) -> str:
        return self.name

    def told(self, game: Game, state: Mapping[str, Value], whom: str) -> str:
        return f"{self.name} ({self.cite})" if self.cite else self.name

    def as_object(self, game: Game) -> dict[str, object]:
        return {self.kind: self.name, "cite": self.cite}


STORED_AS = {"until": "done"}
KINDS: Mapping[str, type[Pending]] = {
    "roll": PendingRoll, "choose": PendingChoice, "ask": PendingField, "order": Order
}  # fmt: skip


def asks_the_same(one: Pending, other: Pending) -> bool:
    """Return whether two ask for the same thing, no matter when each was added."""
    return (one.kind, one.name, one.bind, one.take) == (other.kind, other.name, other.bind, other.take)


def alike(one: Pending, other: Pending) -> bool:
    """Return whether two rolls were asked for together for the same fighter, gun or crewman.

    One may have more facts bound than the other.
    """
    if (one.kind, one.name, one.born, one.take) != (other.kind, other.name, other.born, other.take):
        return False
    return one.kind == "roll" and all(other.bind.get(key, value) == value for key, value in one.bind.items())


def with_asked(
    pending: Sequence[Pending],
    item: Pending | None,
    front: Sequence[Pending],
    later: Sequence[Pending],
    last: Sequence[Pending],
    born: int,
) -> list[Pending]:
    """Return the list after `item` is resolved and has asked for the given things.

    `front` goes first, `later` after the things asked for together with `item`, `last` after everything but the orders;
    orders come at the end. All get the entry `born`, except the die of a row itself and the `later` ones, which stay in
    the group of `item`.
    """
    after = list(pending)
    if item is not None and item in after:
        after.remove(item)
    group = item.born if item else 0
    if later:
        place = max((at for at, each in enumerate(after) if group and each.born == group), default=-1)
        after[place + 1 : place + 1] = [each._replace(born=group or born) for each in later]
    own_die = f"{item.name}." if item is not None and item.kind == "roll" else "-"
    after[0:0] = [
        each._replace(born=group if group and each.kind == "roll" and each.name.startswith(own_die) else born)
        for each in front
        if each.waits
    ]
    if last:
        orders_from = next((at for at, each in enumerate(after) if not each.waits), len(after))
        after[orders_from:orders_from] = [each._replace(born=born) for each in last]
    return after + [each._replace(born=born) for each in front if not each.waits]


# -- questions ---------------------------------------------------------------------------------------------------------


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


class DiceQuestion(Question):
    """A request for dice for a table. `applied` are the modifiers to be added, `bind` the subject of the roll, `by_row`
    the rolls for each row that has an effect (`{"hit": "7 or more"}`), if only a few have one.
    """

    kind = "dice"

    def __init__(
        self,
        table: Table,
        dice: Dice,
        applied: Sequence[Applied],
        bind: Mapping[str, Value],
        by_row: Mapping[str, str] = {},  # noqa: B006  never written to
    ) -> None:
        self.table, self.dice, self.applied, self.bind, self.by_row = table, dice, applied, bind, by_row
        self.name, self.subject = table.id, table.called

    @property
    def needed(self) -> str:
        """Return the rolls that have an effect in words: `hit on 6`, `hit with 7 or more on the dice`."""
        die, named = "die" if self.dice.count == 1 and self.dice.sides <= 6 else "dice", []
        for row, span in self.by_row.items():
            a = "" if not self.applied or not span.isdigit() else "an " if span in ("8", "11") else "a "
            named.append(f"{self.table.sheet.read_out(row)} {'with' if self.applied else 'on'} {a}{span}")
        return ", ".join(named) + (f" on the {die}" if named and self.applied else "")

    def rolls_for(self, row: str) -> str:
        """Return the rolls for a row in short form: `7+`; empty if they are not known."""
        return self.by_row.get(row, "").replace(" or more", "+")

    def __str__(self) -> str:
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
        self.asked, self.name, self.subject = asked, table.id, table.called

    def __str__(self) -> str:
        table, named = self.table, f": {one_of(self.options)}" if self.options else ""
        if table.question:
            return f"{table.title}: {self.asked or table.question}? Answer with --outcome{named}"
        at = f" for a net {self.net}" if self.net is not None else ""
        return f"{table.id} is printed only in your rulebook. Give its result{at} with --outcome{named}"


class FieldQuestion(Question):
    """A question about one field of the sheet; `usual` is the default."""

    kind = "field"

    def __init__(self, name: str, declared: Field, subject: str, usual: Value) -> None:
        self.name, self.declared, self.subject, self.usual = name, declared, subject, usual

    def __str__(self) -> str:
        return f"{self.subject}? Answer with --outcome VALUE, where VALUE is {self.declared.span}"


class Option:
    """One legal answer to a choice: its name, text, effects, bindings, and a `number` that never changes."""

    def __init__(self, name: str, text: str, spec: Spec, bind: dict[str, str], usual: bool) -> None:
        self.name, self.text, self.spec, self.bind, self.usual, self.number = name, text, spec, bind, usual, ""


class ChoiceQuestion(Question):
    """A decision. `options` are the legal ones, the default first."""

    kind = "choice"

    def __init__(self, name: str, title: str, options: list[Option], bind: Mapping[str, Value]) -> None:
        self.name, self.title, self.options, self.bind = name, title, options, bind
        self.subject = title

    def __str__(self) -> str:
        return f"{self.title} Answer with --outcome {one_of([each.name for each in self.options])}"
