"""Questions at the terminal: print a prompt and read lines until one is a valid answer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from companion.problems import Unconfirmed, UserError
from companion.words import fitted, sentence

if TYPE_CHECKING:
    from companion.play.plan import Answer
    from companion.render.options import Offer, Prompt

T = TypeVar("T")
Ask = Callable[[str], str]  # a replacement for `ask`

WIDE = 80
MANY = 9  # the fewest options shown side by side


class Cancelled(Exception):
    """Raised when the player types `q` instead of an answer."""


def put(prompt: Prompt, ask: Ask | None = None) -> Answer:
    """Ask a question until it is answered."""
    show(prompt)
    answer = answered(prompt.read, prompt.line, ask)
    if prompt.told:
        wrapped(prompt.told, "  ")
    return answer


def answered(read: Callable[[str], T], line: str, own: Ask | None = None, typed: str | None = None) -> T:
    """Ask until `read` accepts the answer; query a likely mistake.

    Args:
        own: A function that asks for each line; `ask` by default.
        typed: A line that was typed already.
    """
    own = own or ask
    while True:
        text = own(line) if typed is None else typed
        try:
            return read(text)
        except Unconfirmed as doubt:
            wrapped(str(doubt), "  ")
            typed = ""
            while not typed:
                typed = own(doubt.line) or doubt.enter
            typed = doubt.instead(typed)
        except UserError as problem:
            wrapped(sentence(str(problem)), "  ")
            typed = None


def show(prompt: Prompt) -> None:
    """Print a question, its note and its options."""
    for line in lines_of(prompt):
        print(line)


def lines_of(prompt: Prompt) -> list[str]:
    """Return a question, its note and its options as lines of the terminal."""
    note = [("  ", f"({prompt.note})")] if prompt.note else []
    lines = [fitted(line, sys.stdout, margin) for margin, line in (*prompt.lines, *note)]
    return "\n".join([*lines, *listed([each for each in prompt.options if each.number])]).splitlines()


def rows_of(prompt: Prompt) -> int:
    """Return about how many rows of the screen a question takes, with the input line."""
    return len(lines_of(prompt)) + sum(len(line) // WIDE + 1 for line in prompt.line.split("\n"))


def listed(options: Sequence[Offer]) -> list[str]:
    """Return options by number, the short ones side by side if there are many and a person reads them."""
    import shutil

    wide = max((len(each.number) for each in options), default=1)
    lines = [(f"  {each.number:>{wide}}  ", each.label) for each in options]
    half = shutil.get_terminal_size().columns // 2
    short = [lead + line for lead, line in lines if len(lead + line) < half]
    if len(lines) > MANY and sys.stdout.isatty() and 2 * len(short) > len(lines):
        for across in (4, 3, 2):
            deep = -(-len(short) // across)
            broad = [max(map(len, short[at : at + deep])) + 1 for at in range(0, len(short), deep)]
            if sum(broad) <= 2 * half:
                break
        rows = ["".join(map(str.ljust, short[at::deep], broad)).rstrip() for at in range(deep)]
        lines = [(lead, line) for lead, line in lines if len(lead + line) >= half]
    else:
        rows = []
    return [*rows, *(fitted(line, sys.stdout, lead) for lead, line in lines)]


def wrapped(text: str, indent: str = "") -> None:
    """Print a line, wrapped under its start on a terminal."""
    print(fitted(text, sys.stdout, indent))


def asks(json: bool = False) -> bool:
    """Return whether a person can be asked and sees the question."""
    return not json and sys.stdin.isatty() and sys.stdout.isatty()


def confirmed(question: str) -> bool:
    """Return whether the player answers yes; Enter is no."""
    return ask(f"{question} [y/N] ").casefold() in ("y", "yes")


def agreed(question: str, command: str, *, yes: bool) -> bool:
    """Return whether a command that asks first may go on: with `--yes`, or because the player says so."""
    if not yes and not asks():
        raise UserError(f"{command} asks first. Without a terminal, add --yes")
    if yes or confirmed(question):
        return True
    print("Cancelled. Nothing was saved.")
    return False


def ask(text: str) -> str:
    """Return one line from the player; reject bytes that are not text before they reach a file."""
    while True:
        try:
            lines = [fitted(line, sys.stdout) for line in text.rstrip().split("\n")]
            typed = input("\n".join(lines) + text[len(text.rstrip()) :]).strip()
            typed.encode()  # invalid bytes may arrive as lone surrogates
            return typed
        except EOFError:  # Ctrl-D means the same as Ctrl-C
            raise KeyboardInterrupt from None
        except UnicodeError:
            print("  That input is not valid UTF-8. Type it again.")
