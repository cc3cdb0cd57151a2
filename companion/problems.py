"""What can go wrong, as sentences for a person with dice in hand."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import IO


class Problem(Exception):
    """Something the player can mend: the sentence says what is wrong and what is accepted. Exit code 2."""

    code = 2


class OwnerTable(Problem):
    """An owner table was rolled with nobody to ask and no outcome given. Exit code 3."""

    code = 3


class Trouble(Problem):
    """Something outside the player's command failed: the disk, a damaged file, a broken pack. Exit code 1."""

    code = 1


SENSELESS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)


def senseless(what: str, error: Exception) -> Trouble:
    """A pack's file that makes no sense is the file's fault: say so, and which."""
    said = f"{type(error).__name__}: {error}"[:120]
    return Trouble(f"{what}: its file cannot be understood ({said}); see: companion tables check")


@contextlib.contextmanager
def understood(what: str) -> Iterator[None]:
    """What goes wrong inside for no other reason is the fault of the file that is read."""
    try:
        yield
    except SENSELESS as error:
        raise senseless(what, error) from error


def fitted(text: str, stream: IO[str], first: str = "", further: str | None = None) -> str:
    """A line broken between words where a person reads it on a terminal; as it is where a program does.

    `first` stands before it, `further` before the lines that follow (as much room as `first`, when not said).
    """
    if not stream.isatty():
        return first + text
    import shutil
    import textwrap

    wide = max(40, shutil.get_terminal_size().columns)
    further = " " * len(first) if further is None else further
    said, marked, sentence = text.partition("\n")  # a sentence of a pack with a mark under the place stays as it is
    said = textwrap.fill(
        said, wide, initial_indent=first, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
    return said + marked + sentence


def one_of(values: list[str] | tuple[str, ...] | dict[str, object]) -> str:
    """A short list of what is accepted: `a, b or c`."""
    names = list(values)
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + " or " + names[-1]


def figure(text: str) -> int | None:
    """The whole number that a text writes out in the ten digits of a keyboard (`7`, `+2`, `-1`), else None.

    >>> figure("7"), figure(" -1 "), figure("²"), figure("1_0")
    (7, -1, None, None)
    """
    plain = text.strip()
    digits = plain[1:] if plain[:1] in ("+", "-") else plain
    return int(plain) if digits.isascii() and digits.isdigit() and len(digits) < 100 else None


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts 5-9 before 5-10 and B-2 before B-10."""
    import re

    return tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|\D+", name.casefold())
    )
