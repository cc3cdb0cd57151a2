"""Names of our own for men and bombers that have none yet."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from companion.packs import pack

NUMERALS = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


def man(used: Collection[str], rng: Random) -> str:
    """A man's name from our list; no name in `used`, and no last name in it while others are left."""
    lists = pack.read_file(pack.tables_folder() / "names.toml")
    first, last = str(lists["first"]).split(), str(lists["last"]).split()
    taken = {name.casefold() for name in used}
    known = {name.rpartition(" ")[2] for name in taken}
    free = [name for name in last if name.casefold() not in known] or last
    while True:
        made = f"{rng.choice(first)} {rng.choice(free)}"
        if made.casefold() not in taken:
            return made


def bomber(present: str, used: Collection[str]) -> str:
    """The next bomber of that name: `Lucky Thirteen II` after `Lucky Thirteen`."""
    head, _, tail = present.rpartition(" ")
    base = head if head and set(tail) <= set("IVX") else present or "Bomber"
    taken = {name.casefold() for name in used} | {present.casefold()}
    number = 2
    while (made := f"{base} {roman(number)}").casefold() in taken:
        number += 1
    return made


def roman(number: int) -> str:
    """A number from 1 upward as on a tail fin: 4 is `IV`."""
    made = ""
    for worth, letters in NUMERALS:
        while number >= worth:
            made, number = made + letters, number - worth
    return made
