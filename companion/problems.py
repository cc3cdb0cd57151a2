"""Errors shown to a player: each is a sentence with an exit code for the command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence


class UserError(Exception):
    """Raised for errors that the player can fix; the message says how. Exit code 2."""

    code = 2


class Question:
    """A question that only the player can answer, with everything needed to ask it.

    Attributes:
        kind: The name of the method of a player that answers it, if there is one.
        code: The exit code for a command that cannot ask.
        subject: Its subject in a few words.
        name: What it asks for: a table, a field, a fact, a decision.
        bind: The fighter, gun, man or area that it is about.
        usual: The default answer, if there is one.
    """

    code = 2
    kind = subject = name = ""
    bind: Mapping[str, str | int] = {}
    usual: str | int | None = None

    @property
    def key(self) -> str:
        """Return its key, the same whenever it is asked again."""
        return repr((self.kind, self.name, sorted((name, str(value)) for name, value in self.bind.items())))

    def __str__(self) -> str:
        """Return the message for a command that cannot ask: the missing answer and the way to give it."""
        raise NotImplementedError


class MissingAnswer(UserError):
    """Raised for a question that has no answer yet; nothing has been changed."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.code = question.code

    def __str__(self) -> str:
        return str(self.question)


class Unconfirmed(UserError):
    """Raised for an answer that is probably a mistake; the player can correct it, or insist with `=`.

    Args:
        text: The doubt, as a sentence.
        kept: The answer that insists.
        near: The closest known answers.
        line: The terminal's question to the player.
        enter: The default for Enter; empty if there is none.
        instead: A function that makes a complete answer from the reply.
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
    """Raised for a result found only in the player's rulebook when nobody can be asked. Exit code 3."""

    code = 3


class SystemFault(UserError):
    """Raised when the disk, a damaged file or a broken pack is at fault, not the command. Exit code 1.

    `where` is the game, the file and the place in it of a sentence that cannot be compiled.
    """

    code = 1

    def __init__(self, text: str, where: tuple[str | int, ...] = ()) -> None:
        super().__init__(text)
        self.where = where
