"""Names of our own for men and bombers that have none yet."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from companion.packs.layers import tables_folder

NUMERALS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def man(used: Collection[str], rng: Random) -> str:
    """A man's name from our list; no name in `used`, and no last name in it while others are left."""
    from companion.packs.source import read_file

    lists = read_file(tables_folder() / "names.toml")
    first, last = str(lists["first"]).split(), str(lists["last"]).split()
    taken = {name.casefold() for name in used}
    known = {name.rpartition(" ")[2] for name in taken}
    free = [name for name in last if name.casefold() not in known] or last
    while True:
        name = f"{rng.choice(first)} {rng.choice(free)}"
        if name.casefold() not in taken:
            return name


def bomber(present: str, used: Collection[str]) -> str:
    """The next bomber of that name, none in `used`.

    >>> bomber("Lucky Thirteen", []), bomber("Lucky Thirteen II", ["lucky thirteen iii"])
    ('Lucky Thirteen II', 'Lucky Thirteen IV')
    """
    head, _, tail = present.rpartition(" ")
    base = head if head and set(tail) <= set("IVX") else present or "Bomber"
    taken = {name.casefold() for name in used} | {present.casefold()}
    number = 2
    while (name := f"{base} {roman(number)}").casefold() in taken:
        number += 1
    return name


def roman(number: int) -> str:
    """A number from 1 upward as on a tail fin.

    >>> roman(4), roman(19)
    ('IV', 'XIX')
    """
    numeral = ""
    for worth, letters in NUMERALS:
        while number >= worth:
            numeral, number = numeral + letters, number - worth
    return numeral
