"""On which line of a TOML file each thing stands. Loaded only when something is wrong with a pack."""

from __future__ import annotations

import contextlib
from typing import Any

Where = tuple[str | int, ...]
BARE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"


def lines(text: str) -> dict[Where, int]:
    """The line of every key and of every thing in a list; what cannot be followed is left out.

    >>> lines('id = "a"\\n[[modifier]]\\nwhen = "x"\\n')[("modifier", 0, "when")]
    3
    """
    scan = _Scan(text.replace("\r\n", "\n"))
    with contextlib.suppress(IndexError, ValueError):  # what is no TOML is said by its parser
        scan.run()
    return scan.line_of


class _Scan:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.line_of = text + "\n\0", 0, dict[Where, int]()
        self.lists: dict[Where, int] = {}

    def run(self) -> None:
        above: Where = ()
        while True:
            self.skip(" \t\n")
            letter = self.text[self.at]
            if letter == "\0":
                return
            if letter == "[":
                above = self.header()
            else:
                self.pair(above)

    def note(self, where: Where) -> None:
        self.line_of.setdefault(where, self.text.count("\n", 0, self.at) + 1)

    def skip(self, blanks: str) -> None:
        """Go on to what counts: past blanks and comments."""
        while self.text[self.at] in blanks or self.text[self.at] == "#":
            self.at = self.text.index("\n", self.at) if self.text[self.at] == "#" else self.at + 1

    def header(self) -> Where:
        """`[outcome.crew]`, `[[modifier]]`: what the lines below it belong to."""
        many = self.text.startswith("[[", self.at)
        begin = self.at
        self.at += 2 if many else 1
        parts = self.key()
        end, self.at = self.at + (2 if many else 1), begin
        where: Where = ()
        for number, part in enumerate(parts, 1):
            where = (*where, part)
            self.note(where)
            if many and number == len(parts):
                self.lists[where] = self.lists.get(where, -1) + 1
            if where in self.lists:
                where = (*where, self.lists[where])
                self.note(where)
        self.at = end
        return where

    def key(self) -> list[str]:
        parts: list[str] = []
        while True:
            self.skip(" \t")
            if self.text[self.at] in "\"'":
                parts.append(self.string())
            else:
                begin = self.at
                while self.text[self.at] in BARE:
                    self.at += 1
                parts.append(self.text[begin : self.at])
                if begin == self.at:
                    raise IndexError
            self.skip(" \t")
            if self.text[self.at] != ".":
                return parts
            self.at += 1

    def pair(self, above: Where) -> None:
        begin = self.at
        parts = self.key()
        end, self.at = self.at, begin
        where = above
        for part in parts:
            where = (*where, part)
            self.note(where)
        self.at = end + 1  # the sign between a key and its value
        self.skip(" \t")
        self.value(where)

    def value(self, where: Where) -> None:
        letter = self.text[self.at]
        if letter in "\"'":
            self.string()
        elif letter == "[":
            self.many(where, "]")
        elif letter == "{":
            self.many(where, "}")
        else:
            while self.text[self.at] not in ",]}#\n":
                self.at += 1

    def many(self, where: Where, end: str) -> None:
        self.at += 1
        number = 0
        while True:
            self.skip(" \t\n,")
            if self.text[self.at] == end:
                self.at += 1
                return
            if self.text[self.at] == "\0":
                raise IndexError
            if end == "}":
                self.pair(where)
                continue
            begin = self.at
            self.note((*where, number))
            self.value((*where, number))
            number += 1
            if self.at == begin:
                raise IndexError

    def string(self) -> str:
        quote = self.text[self.at]
        mark = quote * 3 if self.text.startswith(quote * 3, self.at) else quote
        self.at += len(mark)
        begin = self.at
        while not self.text.startswith(mark, self.at):
            self.at += 2 if self.text[self.at] == "\\" and quote == '"' else 1
        content = self.text[begin : self.at]
        while self.text.startswith(mark, self.at + 1) and len(mark) == 3:
            self.at += 1
        self.at += len(mark)
        return content


def under(doc: Any, where: Where) -> Any:
    """What stands in a parsed file at that place; None where nothing does."""
    for step in where:
        try:
            doc = doc[step]
        except (KeyError, IndexError, TypeError):
            return None
    return doc


def unreadable(error: str) -> str:
    """What TOML's parser found, for somebody who has never heard of it.

    >>> unreadable("Illegal character '\\\\n' (at line 3, column 12)")
    'a quote is missing at the end (at line 3, column 12)'
    """
    at = error.partition("(")[2]
    at = f" ({at}" if at else ""
    if error.startswith("Illegal character '\\n'"):
        return f"a quote is missing at the end{at}"
    if error.startswith("Unterminated string"):
        return f"a quote is missing{at}"
    if error.startswith("Invalid value"):
        return f"what stands behind the sign = is no value; a text stands in quotes{at}"
    if error.startswith("Expected newline or end of document after a statement"):
        return f"the line ends here, and more stands behind it; is a quote or a comma missing or one too many?{at}"
    if error.startswith("Cannot overwrite a value"):
        return f"this key stands there twice{at}"
    return error
