"""Text files of the player's, whichever program wrote them."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
from pathlib import Path
from typing import NoReturn

from companion.problems import Problem

WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def text_of(data: bytes) -> str:
    """The text of a file: UTF-8 with or without a mark before it, or UTF-16 as PowerShell redirects write it.

    Lines end in a newline, whatever ended them there.
    Raises UnicodeDecodeError, which is a ValueError.

    >>> text_of("\\ufeffZone 7".encode()), text_of("Zone 7".encode("utf-16"))
    ('Zone 7', 'Zone 7')
    """
    text = data.decode("utf-16" if data.startswith(WIDE) else "utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def content_of(path: Path | str) -> tuple[bytes, os.stat_result]:
    """What is in a file that we look for ourselves, and what it is; raises OSError.

    Another thing under its name (a pipe, a device) is not waited for: it counts as a file that cannot be read.
    """
    with open(os.open(path, AT_ONCE), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is no file", str(path))
        return file.read(), status


def bytes_of(path: Path, most: int, what: str) -> bytes:
    """A file of the player's, at most so many bytes; a Problem says that it is too large to be `what`, or not there."""
    try:
        with open(path, "rb") as file:
            content = file.read(most + 1)  # a device has no size and no end
    except (OSError, ValueError) as error:
        raise Problem(f"cannot read {str(path)[:80]}: {getattr(error, 'strerror', None) or 'no such file'}") from None
    if len(content) > most:
        raise Problem(f"{path} is too large to be {what}")
    return content


class TooDeep(ValueError):
    """Nested deeper than anything of ours."""

    def __init__(self, deepest: int) -> None:
        super().__init__(f"it is nested deeper than {deepest} levels")


MARK = r'(?s)"(?:[^"\\]|\\.)*+"?|[\[\]{}]'  # a whole string, or what opens and closes


def json_of(text: str, deepest: int) -> object:
    """JSON from outside, refused before a parser goes deeper than `deepest`; raises ValueError (TooDeep).

    >>> json_of('{"a": ["[[["]}', 2)
    {'a': ['[[[']}
    """
    depth = 0
    for mark in re.finditer(MARK, text):
        depth += (mark[0] in "[{") - (mark[0] in "]}")
        if depth > deepest:
            raise TooDeep(deepest)
    import json

    document: object = json.loads(text, parse_constant=_no_number)
    return document


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")
