"""One pack file on disk: parsing, and the line of each item."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion.engine.fields import Spec
from companion.problems import SystemFault
from companion.store.files import read_bytes, text_of

Where = tuple[str | int, ...]
MISTAKES = {
    "Illegal character '\\n'": "a quote is missing at the end",
    "Unterminated string": "a quote is missing",
    "Invalid value": "the part after = isn't a value. A text needs quotes",
    "Expected newline or end": "more follows where the line should end. Check the quotes and commas",
    "Cannot overwrite a value": "this key occurs twice",
}
CLOSINGS = ("", "]", '"""', "'''", "]]", "]}]", "]}", '"""]', "''']", '"""}]')
"""The brackets and quotes that may be missing at the end of a part of a file."""


def parsed(text: str) -> Spec:
    """Return a parsed TOML text; raise ValueError if it is not TOML."""
    import tomllib  # a lookup reads the cache instead

    return tomllib.loads(text)


def read_file(path: Path) -> Spec:
    """Return a parsed TOML file.

    Raises:
        SystemFault: The file cannot be read, is not TOML, or contains a value that no pack may have.
    """
    try:
        content = read_bytes(path)
    except OSError as error:
        raise SystemFault(f"can't read {path}: {error.strerror}") from None
    try:
        doc: Spec = parsed(text_of(content))
    except UnicodeDecodeError as error:
        raise SystemFault(f"{path} isn't UTF-8 text: {error.reason}") from None
    except ValueError as error:  # including a number with thousands of digits
        raise SystemFault(f"{path} isn't valid TOML: {unreadable(str(error))}") from None
    except RecursionError:
        raise SystemFault(f"{path} is nested too deeply") from None
    return doc


def unreadable(error: str) -> str:
    """Explain an error of the TOML parser to somebody who does not know TOML.

    >>> unreadable("Illegal character '\\\\n' (at line 3, column 12)")
    'a quote is missing at the end (at line 3, column 12)'
    """
    told = next((told for start, told in MISTAKES.items() if error.startswith(start)), "")
    return " (".join([told, *error.partition(" (")[2:]]) if told else error


def places(part: object, at: Where = ()) -> Iterator[tuple[Where, object]]:
    """Yield every value in a parsed file with its place, the file itself first."""
    yield at, part
    inner = part.items() if isinstance(part, Mapping) else enumerate(part if isinstance(part, list) else ())
    for key, each in inner:
        yield from places(each, (*at, key))


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
    low, high = 0, text.count("\n") + 1  # not in the first `low` lines, but in the first `high`
    while where and low + 1 < high:
        near = sorted(range(low + 1, high), key=lambda line: abs(2 * line - low - high))
        some = next(((line, part) for line in near if (part := _head(text, line)) is not None), None)
        if some is None:
            break
        low, high = (some[0], high) if under(some[1], where) is None else (low, some[0])
    return low + 1 if where else 0


@lru_cache(maxsize=256)
def _head(text: str, lines: int) -> Spec | None:
    """Parse the first lines of a file; None if the file cannot end there."""
    head = "\n".join(text.split("\n")[:lines]) + "\n"
    for closing in CLOSINGS:
        with contextlib.suppress(ValueError):
            return parsed(head + closing)
    return None
