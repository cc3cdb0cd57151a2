"""Words and figures: slugs, numbers that are typed, short lists, lines that fit the terminal."""

from __future__ import annotations

from typing import IO


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
    line, marked, sentence = text.partition("\n")  # a sentence of a pack with a mark under the place stays as it is
    line = textwrap.fill(
        line, wide, initial_indent=first, subsequent_indent=further, break_long_words=False, break_on_hyphens=False
    )
    return line + marked + sentence


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
    stripped = text.strip()
    digits = stripped[1:] if stripped[:1] in ("+", "-") else stripped
    return int(stripped) if digits.isascii() and digits.isdigit() and len(digits) < 100 else None


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key that puts 5-9 before 5-10 and B-2 before B-10."""
    import re

    return tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|\D+", name.casefold())
    )


def printed(text: str) -> str | int:
    """What the player's book says, as an outcome: a number as a number, words as a slug."""
    number = figure(text)
    return slug(text) if number is None else number


def slug(text: str) -> str:
    """Printed words as an outcome: lower case, joined by hyphens."""
    spelled = "".join(letter if letter.isalnum() or letter in ".:@;()+" else "-" for letter in text.strip().casefold())
    sign = "-" if spelled[:1] == "-" and spelled[1:2].isdigit() else ""
    return sign + "-".join(part for part in spelled.split("-") if part) or "none"
