"""The files of a pack and their forms, and what a patch says besides the piece of a file that it holds.

A patch takes the same words as the file that it changes and needs none of them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.packs.forms.about import About
from companion.packs.forms.form import Amount, Condition, Form, Span
from companion.packs.forms.rulings import Rulings
from companion.packs.forms.sheet import Choices, Rules, Sequence, Sheet
from companion.packs.forms.story import Story
from companion.packs.forms.tables import Row, Table


class Patch(Form):
    """What a patch says besides the piece of the file that it holds."""

    reason: Annotated[str, Meta(min_length=1)]
    transcribed: bool = False


class Line(Form):
    """What a patch of a table may say in a line instead: of one modifier, or of one row."""

    modifier: str = ""
    add: int | Amount = 1
    why: str = ""
    when: Condition = ""
    group: str = ""
    column: str = ""
    row: int | Span = ""
    as_: Row = ""
    remove: bool = False
    after: str = ""
    before: str = ""


class Piece(Form):
    """What a piece of a patch may say besides the words of what it changes."""

    remove: bool = False
    after: str = ""
    before: str = ""


TOGETHER = {"row": ("as",), "as": ("row",), **dict.fromkeys(("add", "why", "group"), ("modifier",))}
"""Of the words of a `Line`: which stand only with which others."""

FILES: dict[str, type[Form]] = {
    "table": Table,
    "sheet": Sheet,
    "rules": Rules,
    "sequence": Sequence,
    "choices": Choices,
    "rulings": Rulings,
    "story": Story,
    "pack": About,
}
PATCHED = tuple(kind for kind in FILES if kind != "pack")


def kind_of(name: str) -> str:
    """The kind of a file of that name."""
    return name if name in FILES else "table"
