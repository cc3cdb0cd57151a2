"""Locations of names and faults in pack files: file, line and place."""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_left
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.engine.fields import Spec
from companion.engine.sheet import pattern_of
from companion.packs.layers import Layers, tables_folder
from companion.packs.toml_files import Where, is_patch, parsed, places
from companion.store.files import read_bytes, text_of

CLOSINGS = ("", "]", '"""', "'''", "]]", "]}]", "]}", '"""]', "''']", '"""}]')
"""The brackets and quotes that may be missing at the end of a part of a file."""


class Fault:
    """A fault in a pack, or only a warning: the file, the line (0 if unknown), and a sentence."""

    def __init__(self, path: Path | None, line: int, sentence: str, *, warning: bool = False) -> None:
        self.path, self.line, self.sentence, self.warning = path, line, sentence, warning

    def __str__(self) -> str:
        told = f"{'warning: ' if self.warning else ''}{self.sentence}"
        if self.path is None:
            return told
        ours = tables_folder()
        named = f"tables/{self.path.relative_to(ours)}" if self.path.is_relative_to(ours) else str(self.path)
        return f"{named}{f', line {self.line}' if self.line else ''}: {told}"


def fault_of(pack: Layers, file: str, at: Where, sentence: str) -> Fault:
    """Return a fault at a place of a merged file, with the line in the layer that has it."""
    named, shown = place_in_words(pack.read(file), at), placed(pack.read(file), at, sentence)
    for path in pack.layers[file]:
        own = pack.parsed(path)
        if not is_patch(own):
            return fault_at(path, at, shown)
        for inside, _ in places(own) if at else ():
            if place_in_words(own, inside) == named:
                return fault_at(path, inside, shown)
    return Fault(pack.files[file], 0, shown)


def fault_at(path: Path, at: Where, sentence: str) -> Fault:
    """Return a fault at a place of one file; in a text of several lines, at the line that the sentence marks."""
    text = text_of(read_bytes(path))
    line = line_of(text, at)
    if marked := re.search(r"\n    (.*)\n +\^$", sentence):
        below = text.splitlines()[max(line - 1, 0) :]
        line += next((number for number, each in enumerate(below[:20]) if marked[1].strip() in each), 0)
    return Fault(path, line, sentence)


def placed(doc: Spec, at: Where, sentence: str) -> str:
    """Return a sentence with its place in a file in words."""
    named = place_in_words(doc, at)
    return f"{named}: {sentence}" if named and not sentence.startswith(named) else sentence


def place_in_words(doc: Spec, at: Where) -> str:
    """Describe a place in a file: `modifier ace, when`, `outcome.crew, case 2, do 3`."""
    words: list[str] = []
    if at[:1] == ("patch",):
        doc, at = under(doc, at[:2]), at[2:]
    number = 0
    while number < len(at):
        step, after = at[number], at[number + 1] if number + 1 < len(at) else None
        number += 1
        if step == "fields":
            return ", ".join([*words, *map(str, at[number + 1 :])])
        if after is not None and step in PAIRED:
            words.append(PAIRED[str(step)].format(pattern_of(str(after)) if step == "facts" else after))
        elif isinstance(after, int):
            words.append(_of_list(str(step), after, under(doc, at[: number + 1])))
        else:
            words += [str(step)] if step != "log" else []
            continue
        number += 1
    return ", ".join(words)


PAIRED = {
    "outcome": "outcome.{}", "sub": "sub.{}", "with": "with.{}", "rows": "row {}", "facts": "the fact {}",
    "choice": "choice {}", "standing": "{}", "sides": "{}",
}  # fmt: skip
"""The compiler's words for a thing that has a name of its own, by the table that it is in."""


def _of_list(step: str, number: int, spec: object) -> str:
    """Return `modifier ace` for the third modifier, `case 3` for the third case."""
    own = isinstance(spec, Mapping) and (spec.get("id") or spec.get("title") or spec.get("name"))
    return f"{'case' if step == 'cases' else step} {own or number + 1}"


# -- names and lines ---------------------------------------------------------------------------------------------------


PROSE = ("text", "why", "title", "label", "note", "reading", "otherwise", "reason", "refuse", "line")


def names_in(doc: object) -> set[str]:
    """Return the words of a file that can be names; of a text only those in braces."""
    names = set[str]()
    for at, value in places(doc):
        text = value if isinstance(value, str) else ""
        if at and at[-1] in PROSE:
            text = " ".join(re.findall(r"\{[^}]*\}", text))
        names |= {*re.findall(r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)*|\.[\w-]+", text), *map(str, at[-1:])}
    return names


def uses(names: set[str], name: str) -> bool:
    """Return whether a field, a fact or an index is among these words: `crew[position]` as `crew` or `crew.pilot`."""
    head, key = name.partition("[")[0], name.rpartition("]")[2]
    return any(each.startswith(f"{head}.") or (key and each.endswith(key)) for each in names) or head in names


def under(doc: Any, where: Where) -> Any:
    """Return the value at a place of a parsed file; None if there is none."""
    for step in where:
        try:
            doc = doc[step]
        except (KeyError, IndexError, TypeError):
            return None
    return doc


def line_of(text: str, where: Where) -> int:
    """Return the line where an item or its nearest parent starts; 0 for the file itself.

    >>> line_of('id = "a"\\n[[modifier]]\\nwhen = "x"\\n', ("modifier", 0, "when"))
    3
    """
    doc = parsed(text)
    while where and under(doc, where) is None:
        where = where[:-1]
    if not where:
        return 0
    lines = range(1, text.count("\n") + 2)
    first = bisect_left(lines, True, key=lambda line: under(_head(text, line)[1], where) is not None)
    return _head(text, first)[0] + 1


@lru_cache(maxsize=256)
def _head(text: str, most: int) -> tuple[int, Spec]:
    """Parse as many of the first lines of a file as possible, and return how many these are."""
    for lines in range(most, 0, -1):
        head = "\n".join(text.split("\n")[:lines]) + "\n"
        for closing in CLOSINGS:
            with contextlib.suppress(ValueError):
                return lines, parsed(head + closing)
    return 0, {}
