"""The forms of `sheet.toml`, `rules.toml`, `sequence.toml` and `choices.toml`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.packs.forms.form import BY_ID, BY_NAME, BY_OWN_NAME, Condition, Expression, Form, Members
from companion.packs.forms.tables import Case, Happening, Ordering, OrderingCase

# -- the sheet -----------------------------------------------------------------------------------------------------


Limits = Annotated[
    list[int], Meta(min_length=1, max_length=2, description="a list of the lowest number and the highest")
]


class Field(Form):
    """One field of the log sheet, or one for each member."""

    label: str = ""
    kind: Literal["flag", "count", "number", "boxes", "text", "name", "list", "choice"] = "text"
    values: str = ""
    boxes: int | str = 0
    limit: int | Limits = 0
    default: int | str = ""
    ask: bool = False
    until: str = ""
    known: str | dict[str, str] = {}
    cite: str = ""


class Fact(Form):
    """A fact that is worked out from others."""

    is_: int | Expression
    label: str = ""
    values: str = ""


class Index(Form, forbid_unknown_fields=False):
    """An index: how many members, or a table for each of them with what is said of it."""

    count: int = 0
    present: str = ""
    text: str = ""
    ask: bool = False
    belongings: str = ""


MEMBER = dict[str, str | int]  # what stands in an index beside its words


class Sheet(Form):
    """`sheet.toml`."""

    sections: Annotated[dict[str, str], BY_NAME] = {}
    index: Annotated[dict[str, int | list[str] | Index], BY_NAME] = {}
    fields: Annotated[dict[str, Annotated[dict[str, Field], BY_NAME]], BY_NAME] = {}
    facts: Annotated[dict[str, int | str | Fact], BY_NAME] = {}


# -- rules, the sequence, choices ------------------------------------------------------------------------------------


class Rule(Ordering):
    """A standing rule: when this becomes true, or when that happens."""

    id: str = ""
    on: str | list[str] = ""
    for_: Members = ""
    when: Condition = ""
    cases: list[OrderingCase] = []


class Rules(Form):
    """`rules.toml`."""

    rule: Annotated[list[Rule], BY_ID] = []


class Step(Ordering, kw_only=True):
    """A step of the sequence of play."""

    id: str
    title: str
    when: Condition = ""
    go: str = ""
    cases: list[OrderingCase] = []


class Sequence(Form):
    """`sequence.toml`."""

    step: Annotated[list[Step], BY_ID] = []


class Option(Happening, kw_only=True):
    """One answer to a choice."""

    name: str
    for_: Members = ""
    when: Condition = ""
    usual: bool | Condition = False
    cases: list[Case] = []


class Choice(Form):
    """A decision of the player."""

    title: str
    option: Annotated[list[Option], BY_OWN_NAME]
    cite: str = ""


class Choices(Form):
    """`choices.toml`."""

    choice: Annotated[dict[str, Choice], BY_NAME] = {}
