"""What no player should read: keys of fields, slugs, ids of steps and choices, braces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from companion.packs import Pack

TOKEN = re.compile(r"[A-Za-z0-9_]+(?:[-._@:][A-Za-z0-9_]+)+")
SLUG = re.compile(r"[a-z][a-z0-9]*(?:[-._][a-z0-9]+)*")
ENGLISH = {
    "bomb-run", "urban-area", "bombed-out", "take-off", "side-by-side", "half-dead", "four-engined", "two-player",
    "low-level", "high-level",
}  # fmt: skip
"""Words that are written with a hyphen though a name of ours is written so too."""
SIGNS = re.compile(r"[{}]|\bseat\.[a-z]|\bstep [a-z]+-[a-z-]+|\w@\w|\[(?:gun|fighter|position|area) ")


@cache
def inner(game: str) -> frozenset[str]:
    """Every name of a game that is written with a hyphen or a dot and is not written so in a book."""
    pack = Pack(game)
    sheet = pack.sheet
    names: set[str] = {*sheet.known, *sheet.fields, *sheet.sections}
    for field in sheet.families.values():
        names |= {field.name.replace("[", ".").replace("]", ""), *field.values}
    for members in sheet.index.values():
        names |= set(members)
    names |= {step.id for step in pack.sequence.steps}
    for name, choice in pack.unit("choices").get("choice", {}).items():
        names |= {name, *(str(option.get("name", "")) for option in choice.get("option", ()))}
    for table in pack.all_tables():
        names |= {*table.outcomes, *(each.id for each in table.modifiers)}
    return frozenset(each for each in names if SLUG.fullmatch(each) and re.search("[-.]", each) and each not in ENGLISH)


def betrayed(game: str, lines: Iterable[str]) -> Iterator[str]:
    """The inner names in these lines, each with its line."""
    names = inner(game)
    for line in lines:
        for token in TOKEN.findall(line):
            if token in names or re.fullmatch(r"[a-z]+\.[a-z-]{3,}", token):
                yield f"{token}: {line.strip()}"
        if sign := SIGNS.search(line):
            yield f"{sign[0]}: {line.strip()}"
