"""One file of a pack as it stands on the disk, parsed: nothing in it but texts, numbers, flags, lists and tables."""

from __future__ import annotations

import tomllib
from pathlib import Path

from companion.engine.fields import Spec
from companion.packs.lines import unreadable
from companion.problems import Trouble
from companion.store.files import text_of
from companion.store.system import content_of
from companion.words import inert, plain

DEEPEST = 60  # tables and lists in each other, more than any file of a pack needs


def read_file(path: Path) -> Spec:
    """Return a parsed TOML file.

    Raises Trouble that names the file: it cannot be read, is no text or no TOML, or holds what no pack may hold.
    """
    return parsed(content_in(path), path)


def content_in(path: Path | str) -> bytes:
    """The bytes of a file of a pack; raises Trouble."""
    try:
        return content_of(path)[0]
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror}") from None


def parsed(content: bytes, path: Path) -> Spec:
    """`read_file` of bytes that have been read; the path is for what is wrong with them."""
    try:
        doc: Spec = tomllib.loads(text_of(content))
    except UnicodeDecodeError as error:
        raise Trouble(f"{path} is not UTF-8 text: {error.reason}") from None
    except ValueError as error:  # a number of thousands of figures too
        raise Trouble(f"{path} is not valid TOML: {unreadable(str(error))}") from None
    except RecursionError:
        raise Trouble(f"{path} is nested too deeply") from None
    _check_values(doc, path, 0)
    return doc


def _check_values(part: object, path: Path, depth: int) -> None:
    """Raise Trouble for dates and times, for texts that would do more on a terminal than stand there, and for what is
    nested so deeply that nobody could mean it."""
    if depth > DEEPEST:
        raise Trouble(f"{path} is nested too deeply")
    if isinstance(part, dict | list):
        for each in [*part, *part.values()] if isinstance(part, dict) else part:
            _check_values(each, path, depth + 1)
    elif isinstance(part, str):
        if inert(part) != part:
            raise Trouble(f"{path}: {plain(part)[:60]!r} has a letter that cannot be shown, where the ? stands")
    elif not isinstance(part, int | float):
        raise Trouble(f"{path}: no table holds a date or a time; put {part} in quotes")
