"""Compiled files of packs at work: run with nothing but these few functions, and linked to the sheet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import CodeType
from typing import Any

from companion.engine.sheet import Sheet
from companion.engine.spec import Spec
from companion.problems import Trouble
from companion.words import figure

LARGEST = 10**15  # of a product
LONGEST = 50_000  # letters of a text that is put together


def run(code: CodeType, sheet: Callable[[], Sheet] | None, say: Callable[[Any], object] = str) -> Spec:
    """The file that a compiled module holds, its functions in it, able to use nothing but `GIVEN`, and `say` for what
    is shown to a player.

    The module's maps of names are filled in from the sheet; those of the sheet's own functions when it is read
    (`#link`), which is meant by None.
    """
    space: dict[str, Any] = {**GIVEN, "said": say, "__builtins__": {}}
    exec(code, space)
    unit: dict[str, Any] = space["DOC"]
    if sheet is None:
        unit["#link"] = lambda own: space["link"](own.names, own.members, own.attribute)
    elif space["LINKED"]:
        linked = sheet()
        space["link"](linked.names, linked.members, linked.attribute)
    return unit


def same(one: object, other: object) -> bool:
    """Whether two texts are the same to a player: without regard to case, blanks and hyphens.

    >>> same("Saint Nazaire", "saint-nazaire")
    True
    """
    return one == other or _alike(str(one), str(other))


@lru_cache(1024)  # the same few names are compared over and over
def _alike(one: str, other: str) -> bool:
    return one.casefold().replace(" ", "-") == other.casefold().replace(" ", "-")


def whole(value: object) -> int:
    """A number that stands in a text; 0 where there is none."""
    if isinstance(value, int):
        return value
    return figure(str(value)) or 0


def one(names: Any, *members: object) -> str | None:
    """The single name for these members out of maps in each other; None where one of them is bound to nobody."""
    for member in members:
        names = names.get(str(member))
        if names is None:
            return None
    single: str = names
    return single


def product(one: int, other: int) -> int:
    """One number times another; raises Trouble where facts multiply each other beyond all figures."""
    number = one * other
    if abs(number) > LARGEST:
        raise Trouble("the pack works out a number beyond all figures")
    return number


def filled(text: str, holes: tuple[object, ...]) -> str:
    """A text with its braces filled in; raises Trouble where texts hold each other again and again."""
    whole_text = text % holes
    if len(whole_text) > LONGEST:
        raise Trouble("the pack puts a text together that is longer than any page")
    return whole_text


GIVEN: Mapping[str, object] = {
    "same": same, "whole": whole, "one": one, "product": product, "filled": filled,
    "said": str,  # what is shown to a player, in the words of the pack that it is run for
    "min": min, "max": max, "str": str, "tuple": tuple, "frozenset": frozenset,
    "inf": float("inf"), "nan": float("nan"),  # which a file of TOML may hold, and which are written so
}  # fmt: skip
"""All that the code of a pack may call, by its name there."""
