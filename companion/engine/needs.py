"""What the engine asks for and what it answers: dice, the outcome of an owner table, a choice; and a roll's result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from companion.engine import dice as throws
from companion.problems import OwnerTable, Problem
from companion.words import one_of

if TYPE_CHECKING:
    import random

    from companion.engine.sheet import Field, Value
    from companion.engine.tables import Applied, Table


class Pending(TypedDict, total=False):
    """One pending thing as it is stored: a roll, a decision, a question about a field or an order."""

    roll: str
    choose: str
    ask: str
    order: str
    bind: dict[str, str | int]  # what was bound when it was born
    born: int  # with which entry of the journal
    take: int  # the row that is taken without dice
    usual: str | int
    cite: str
    done: str | dict[str, Any]  # the sentence that ends an order; in the first edition a tree
    by: str  # the file of the pack that gave it


Item = dict[str, Any]  # a Pending that is worked on


class Change:
    """What one written step made of a number, for showing the work."""

    def __init__(self, before: int, after: int, why: str) -> None:
        self.before, self.after, self.why = before, after, why


class NeedDice(Problem):
    """Dice must be thrown to go on. `applied` are the modifiers that will be added."""

    def __init__(self, table: Table, dice: throws.Dice, applied: Sequence[Applied], bind: Mapping[str, Value]) -> None:
        self.table, self.dice, self.applied, self.bind = table, dice, applied, bind

    def __str__(self) -> str:
        dice = self.dice
        return f"{self.table.id} needs {dice.name}; type the dice with --dice {dice.example()}, or use --auto"


class NeedOutcome(OwnerTable):
    """The printed row of an owner table is needed. `options` are the outcomes that the rules name."""

    dice: Sequence[int] = ()  # what was thrown for it

    def __init__(self, table: Table, net: int | None, applied: Sequence[Applied], bind: Mapping[str, Value]) -> None:
        self.options = list(table.outcomes)
        self.table, self.net, self.applied, self.bind = table, net, applied, bind

    def __str__(self) -> str:
        table, named = self.table, f"; known are {one_of(self.options)}" if self.options else ""
        if table.question:
            return f"{table.title}: {table.question}? Say it with --outcome{named}"
        at = f" for a net {self.net}" if self.net is not None else ""
        return f"{table.id} is printed in your own book: say what its row{at} reads with --outcome{named}"


class NeedAnswer(Problem):
    """The first pending thing is a question to the player about one field of the sheet."""

    def __init__(self, name: str, declared: Field, label: str, usual: Value) -> None:
        self.name, self.declared, self.label, self.usual = name, declared, label, usual

    def __str__(self) -> str:
        return f"{self.label}? Say --outcome VALUE, where VALUE is {self.declared.span}"


class NeedChoice(Problem):
    """The first pending thing is a decision. `options` are the legal ones, the usual one first."""

    def __init__(self, name: str, title: str, options: list[Option], bind: Mapping[str, Value]) -> None:
        self.name, self.title, self.options, self.bind = name, title, options, bind

    def __str__(self) -> str:
        return f"{self.title} Say --outcome {one_of([each.name for each in self.options])}"


class Option:
    """One legal answer to a choice."""

    def __init__(self, name: str, text: str, spec: Mapping[str, Any], bind: dict[str, str], usual: bool) -> None:
        self.name, self.text, self.spec, self.bind, self.usual = name, text, spec, bind, usual


class Result:
    """What one roll, decision or mark came to."""

    def __init__(
        self,
        table: str,
        title: str = "",
        *,
        applied: list[Applied] | None = None,
        outcome: str = "none",
        bind: dict[str, Value] | None = None,
    ) -> None:
        self.table, self.title, self.outcome = table, title, outcome
        self.dice: list[int] = []
        self.rolled: int | None = None
        self.applied: list[Applied] = applied or []
        self.net: int | None = None
        self.natural = False
        self.text = ""
        self.steps: list[Change] = []
        self.notes: list[tuple[str, str]] = []
        self.then: list[str] = []
        self.changes: dict[str, tuple[Value | None, Value | None]] = {}
        self.blank: Callable[[str], Value] | None = None  # what an untouched field reads as
        self._shown: list[tuple[str, Value, Value]] | None = None
        self.assumed: dict[str, Value] = {}
        self.bind: dict[str, Value] = bind or {}
        self.cite = ""
        self.patched: list[dict[str, str]] = []
        self.formula = self.step = self.decision = False

    @property
    def shown(self) -> list[tuple[str, Value, Value]]:
        """The changes as a person reads them: what an untouched field reads as is no news."""
        if self._shown is None:
            blank = self.blank or (lambda name: "none")
            pairs = [
                (n, blank(n) if a is None else a, blank(n) if z is None else z) for n, (a, z) in self.changes.items()
            ]
            self._shown = [each for each in pairs if each[1] != each[2]]
        return self._shown

    @shown.setter
    def shown(self, shown: list[tuple[str, Value, Value]]) -> None:
        self._shown = shown


class Hand:
    """The dice of one command: typed groups, in the order they are asked for, or the companion's own throws."""

    def __init__(self, groups: Sequence[Sequence[int]] = (), rng: random.Random | None = None) -> None:
        self.groups = [list(group) for group in groups]
        self.rng = rng

    def throw(self, dice: throws.Dice) -> list[int] | None:
        """The next group, checked against what the table throws; None when there is nothing left."""
        if dice.count == 0:
            return []
        if self.groups:
            dice.check(self.groups[0])
            return self.groups.pop(0)
        return dice.throw(self.rng) if self.rng else None

    def some(self, count: int) -> list[int] | None:
        """So many dice from the next groups, however the player grouped them; None when there are too few."""
        if self.rng and not self.groups:
            return [self.rng.randint(1, 6) for _ in range(count)]
        if sum(map(len, self.groups)) < count:
            return None
        taken: list[int] = []
        while len(taken) < count:
            group = self.groups.pop(0)
            need = count - len(taken)
            taken += group[:need]
            if group[need:]:
                self.groups.insert(0, group[need:])
        return taken


def called(item: Item) -> str:
    """What a pending item is called in `then`."""
    return str(item.get("roll") or item.get("choose") or item.get("ask") or item.get("order"))
