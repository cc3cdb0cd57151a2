"""How the form of a pack's file is declared: the words and texts in it, its tables, and how an overlay lies over them.

`tables/README.md` explains each word. Loaded only when a pack is compiled, proved or laid over another.
"""

from __future__ import annotations

import types
from functools import cache
from typing import Annotated, ClassVar, NamedTuple, Union, get_args, get_origin

from msgspec import Meta, Struct
from msgspec.structs import FieldInfo, fields

Condition = Annotated[str, Meta(description='a sentence such as "zone >= 2 and not evasive"')]
Amount = Annotated[str, Meta(description='a sentence that is a number, such as "2 * engines.out"')]
Expression = Annotated[str, Meta(description='a value, or a sentence that comes to one, such as "port" or "2 * zone"')]
Name = Annotated[str, Meta(description='the name of a field, such as "hit[area]"')]
Members = Annotated[str, Meta(description='what is gone through, such as "position" or "position as other"')]
Lines = Annotated[list[str], Meta(description='a list of changes such as ["altitude = lo", "mark fuel.due 2"]')]
Dice = Annotated[
    str,
    Meta(
        pattern=r"^([1-9][0-9]?[dD]|[dD]66|-|\?)$",
        description="dice such as 1D, 2D or D66, - for none, ? where only the book knows",
    ),
]
Span = Annotated[
    str,
    Meta(
        pattern=r"^(-?[0-9]+|-?[0-9]+\.\.(-?[0-9]+)?|\.\.-?[0-9]+)$",
        description="a number or a range such as ..3, 4..6 or 7..",
    ),
]
Several = Annotated[str, Meta(pattern=r"^-?[0-9]+\.\.-?[0-9]+$", description="a range of rows such as 2..12")]

# How an overlay lies over what is below: by the name, by the key of each piece, row over row; all else is replaced.
BY_NAME = Meta(extra={"laid": "by name"})
BY_ID, BY_TITLE, BY_OWN_NAME = (Meta(extra={"laid": "by key", "key": key}) for key in ("id", "title", "name"))
BY_ROW = Meta(extra={"laid": "by row"})


class Form(Struct, rename="kebab", forbid_unknown_fields=True):
    """A table with these keys and no others; of `one_of` one must stand there."""

    one_of: ClassVar[tuple[str, ...]] = ()


# -- reading the declaration -------------------------------------------------------------------------------------------


@cache
def keys_of(form: type[Form]) -> dict[str, FieldInfo]:
    """The keys that may stand in such a table."""
    return {each.encode_name: each for each in fields(form)}


def needed(form: type[Form]) -> list[str]:
    """The keys of which one must stand there."""
    return [key for key, each in keys_of(form).items() if each.name in form.one_of]


class Noted(NamedTuple):
    """A type without what is noted of it, and the notes: how it is laid over, by which key, and what it is in words."""

    kind: object
    laid: str = ""
    key: str = ""
    words: str = ""


def noted(kind: object) -> Noted:
    """A type apart from what is noted of it."""
    if get_origin(kind) is not Annotated:
        return Noted(kind)
    kind, *metas = get_args(kind)
    extra = {name: text for meta in metas for name, text in (meta.extra or {}).items()}
    words = [meta.description for meta in metas if meta.description]
    return Noted(kind, extra.get("laid", ""), extra.get("key", ""), words[-1] if words else "")


def laid(kind: object) -> bool:
    """Whether an overlay changes what stands there piece by piece."""
    return noted(kind).laid in ("by name", "by key")


def kinds_in(kind: object) -> tuple[object, ...]:
    """The kinds of thing that may stand there."""
    whole = noted(kind).kind
    return get_args(whole) if get_origin(whole) in (Union, types.UnionType) else (kind,)


def form_in(kind: object) -> type[Form] | None:
    """The table that may stand there, where it is one that is declared."""
    kinds = (noted(each).kind for each in kinds_in(kind))
    return next((each for each in kinds if isinstance(each, type) and issubclass(each, Form)), None)
