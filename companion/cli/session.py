"""Whether a person sits at the terminal, and how he leaves."""

from __future__ import annotations

import sys


class Left(Exception):
    """The player typed `q` where an answer was asked for."""


def asks(json: bool = False) -> bool:
    """Whether a person is there to be asked, and sees what is asked."""
    return not json and sys.stdin.isatty() and sys.stdout.isatty()
