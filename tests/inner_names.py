"""A search for text that no player should read: field keys, slugs, ids, braces, arrows, raw values, broken words."""

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
SIGNS = re.compile(
    r"[{}]|\bseat\.[a-z]|\bstep [a-z]+-[a-z-]+|\b(?!\d+@\d+\b(?!-))\w+@\w|\[(?:gun|fighter|position|area) "
)


@cache
def inner(game: str) -> frozenset[str]:
    """Return every name of a game that has a hyphen or a dot and is not printed that way in a rulebook."""
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


ODD = {
    "an arrow": re.compile("→|->"),
    "a value of Python": re.compile(r"\b(?:True|False)\b|[:=(→] ?None\b"),
    "empty brackets": re.compile(r"\(\s*\)|\[\s*\]|\{\s*\}"),
    "a word twice": re.compile(r"(?<![\w.,;:'/-])(?![oX]+ )([A-Za-z]{2,}):? \1(?![\w'-]| root\b)"),
    "a sign twice": re.compile(r"[,;:!?][,.;:!?]|(?<!\.)\.\.(?!\.)|\.[,;:!?]|(?<=\w) [,;](?!\S)|\( | \)"),
    "an empty value": re.compile(r"(?<!or )\bnone:|; *;|, *,"),
    "a section alone": re.compile(r"^\s*\(?\d+\.\d+(?: [a-z])?\)?$"),
}
"""Shapes of a line that went wrong."""


def odd(lines: Iterable[str], width: int = 80) -> Iterator[str]:
    """Yield errors in the shape of these terminal lines, including words broken at the margin."""
    lines, last = list(lines), ""
    vocabulary = {*re.findall("[A-Za-z]+", " ".join(lines))}
    for line in lines:
        for what, shape in ODD.items():
            if found := shape.search(line):
                yield f"{what} ({found[0]}): {line.strip()}"
        if len(line) > width:
            yield f"{len(line)} columns: {line.strip()}"
        ends = [*re.findall("[A-Za-z]+$", last[:width]), *re.findall("^[a-z]+", line)]
        if len(last) >= width and len(ends) == 2 and "".join(ends) in vocabulary:
            yield f"a broken word: {last}/{line}"
        last = line


def betrayed(game: str, lines: Iterable[str]) -> Iterator[str]:
    """Return the internal names in these lines, each with its line."""
    names = inner(game)
    for line in lines:
        for token in TOKEN.findall(line):
            if token in names or re.fullmatch(r"[a-z]+\.(?!pdf$)[a-z-]{3,}", token):
                yield f"{token}: {line.strip()}"
        if sign := SIGNS.search(line):
            yield f"{sign[0]}: {line.strip()}"
