"""Errors that a player can be told: each is a sentence, with the exit code of the command that it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence


class UserError(Exception):
    """Raised for what the player can mend; the sentence says what is wrong and what is accepted. Exit code 2."""

    code = 2


class Question:
    """Something that only the player can answer, with all that is needed to ask it.

    Attributes:
        code: The exit code of a command that cannot ask.
        key: Tells this question from every other.
        subject: Its subject in a few words.
    """

    code = 2
    key = subject = ""

    def sentence(self) -> str:
        """Return what is needed and how to give it, for a command that cannot ask."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.sentence()


class MissingAnswer(UserError):
    """Raised for a question that has no answer yet; nothing has been changed."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.code = question.code

    def __str__(self) -> str:
        return str(self.question)


class Unconfirmed(UserError):
    """Raised for an answer that is likely a slip: the player means something else, or insists with `=`.

    Args:
        text: What is doubtful, as a sentence.
        kept: The answer that insists.
        near: The answers that may be meant.
        line: What the terminal asks back.
        enter: What Enter alone means there; empty where nothing.
        instead: Make a whole answer of what is typed there.
    """

    def __init__(
        self,
        text: str,
        kept: str,
        near: Sequence[str] = (),
        *,
        line: str = "",
        enter: str = "",
        instead: Callable[[str], str] = str,
    ) -> None:
        super().__init__(text)
        self.kept, self.near, self.line, self.enter, self.instead = kept, near, line, enter, instead


class OwnerTable(UserError):
    """Raised for a result found only in the player's rulebook, where nobody can be asked. Exit code 3."""

    code = 3


class SystemFault(UserError):
    """Raised where the disk, a damaged file or a broken pack is at fault, not the command. Exit code 1."""

    code = 1
