"""What can go wrong, as sentences for a person with dice in hand."""

from __future__ import annotations


class UserError(Exception):
    """Something the player can mend: the sentence says what is wrong and what is accepted. Exit code 2."""

    code = 2


class Question:
    """Something that only the player can give: a plain object that carries all that is needed to put it."""

    code = 2  # the exit code where nobody is there to be asked

    @property
    def key(self) -> str:
        """What tells this question from every other."""
        raise NotImplementedError

    @property
    def subject(self) -> str:
        """What it is about, in a few words."""
        raise NotImplementedError

    def sentence(self) -> str:
        """What is needed and how to give it, for a command that nobody answers."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.sentence()


class MissingAnswer(UserError):
    """A question came up and nobody has answered it yet; nothing has been changed."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.code = question.code

    def __str__(self) -> str:
        return str(self.question)


class OwnerTable(UserError):
    """Only the player's own book knows, and nobody can be asked. Exit code 3."""

    code = 3


class SystemFault(UserError):
    """Something outside the player's command failed: the disk, a damaged file, a broken pack. Exit code 1."""

    code = 1
