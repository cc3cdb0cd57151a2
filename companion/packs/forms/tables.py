"""The form of a table's file, and of what happens when a row, an option, a rule or a step is reached."""

from __future__ import annotations

from typing import Annotated, Literal

from companion.packs.forms.form import (
    BY_ID,
    BY_NAME,
    BY_ROW,
    BY_TITLE,
    Amount,
    Condition,
    Dice,
    Expression,
    Form,
    Lines,
    Members,
    Name,
    Several,
    Span,
)

# -- what happens --------------------------------------------------------------------------------------------------


class Asked(Form):
    """Something that is asked for next: a roll, a decision, a field, or an order that stands."""

    one_of = ("roll", "choose", "ask", "order")

    roll: str = ""
    choose: str = ""
    ask: Name = ""
    order: str = ""
    cite: str = ""
    for_: Members = ""
    when: Condition = ""
    times: int | Amount = 1
    rows: Several = ""
    with_: dict[str, str | int] = {}
    usual: int | Expression = ""
    until: Condition = ""
    later: bool | Literal["all"] = False


class Happening(Form):
    """What a row, an option, a rule or a step says and does."""

    text: str = ""
    do: Lines = []
    then: list[str | Asked] = []


class Case(Happening):
    """One of several cases of an option: the first that holds."""

    when: Condition = ""


class Ordering(Happening):
    """What a rule or a step does: it may also give an order."""

    order: str = ""
    until: Condition = ""
    cite: str = ""


class OrderingCase(Ordering):
    """One of several cases of a rule or a step: the first that holds."""

    when: Condition = ""


# -- tables --------------------------------------------------------------------------------------------------------


class Cell(Form):
    """What a row reads, where more is to be said than its result."""

    one_of = ("as_", "ask_once")

    as_: str | int = ""
    with_: dict[str, str | int] = {}
    text: str = ""
    ask_once: Name = ""


Row = str | int | Cell | list[str | int | Cell]
Rows = Annotated[dict[Span, Row], BY_ROW]


class Column(Form, kw_only=True):
    """One column of a table."""

    title: str = ""
    when: Condition = ""
    rows: Rows
    dice: Dice = "-"
    modifier: list[str] = []


class Modifier(Form, kw_only=True):
    """A printed modifier."""

    id: str
    add: int | Amount
    why: str
    when: Condition = ""
    cite: str = ""
    group: str = ""


class Natural(Form, kw_only=True):
    """A rule for an unmodified roll."""

    id: str = ""
    roll: int | list[int]
    outcome: str | int
    when: Condition = ""


class Adjust(Form):
    """One written step that changes a number."""

    is_: int | Amount
    when: Condition = ""
    why: str = ""
    cite: str = ""


class Die(Happening):
    """A die with its rows, or a procedure without one: a table, a note, a row that is rolled for further."""

    title: str = ""
    cite: str = ""
    note: str = ""
    dice: Dice = "-"
    owner: bool | str = False
    rows: Rows = {}
    column: Annotated[list[Column], BY_TITLE] = []
    modifier: Annotated[list[Modifier], BY_ID] = []
    natural: Annotated[list[Natural], BY_ID] = []
    with_: dict[str, str | int] = {}
    outcome: Annotated[dict[str, Outcome], BY_NAME] = {}
    sub: Annotated[dict[str, Sub], BY_NAME] = {}
    adjust: list[Adjust] = []
    is_: int | Amount = ""
    memory: Name = ""
    cases: list[RowCase] = []


class Sub(Die):
    """A note that is a small table, or a procedure of its own; `ask`, `when` and `why` say whom it is for by hand."""

    result: str = ""
    ask: str = ""
    when: Condition = ""
    why: str = ""


class Table(Die, kw_only=True):
    """A table: a file of its own."""

    id: str
    title: str
    result: str = ""
    ask: str = ""
    when: Condition = ""
    why: str = ""
    until: Name = ""
    usual: str | list[str] = ""


class Outcome(Die):
    """What a result does."""

    once: bool = False
    usual: bool = False


class RowCase(Outcome):
    """One of several cases of a result or a procedure: the first that holds."""

    when: Condition = ""
