"""What can go wrong, as sentences for a person with dice in hand."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator


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
