"""Lines on the terminal, and questions that are repeated until the answer is valid. Rich is used only for tables."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from typer import echo

from companion.problems import Unconfirmed, UserError
from companion.render.describe import describe, in_full
from companion.render.situation import Line, pending_line
from companion.words import fitted, sentence

if TYPE_CHECKING:
    from rich.console import Console

    from companion.engine.resolution import Result
    from companion.render.options import Answer, Offer, Prompt
    from companion.store.session import Session


STYLES = {
    "dim": "2", "row": "1;32", "change": "33", "note": "35", "bad": "1;31", "strong": "1", "step": "36", "next": "1;36",
}  # fmt: skip

WORD = re.compile(r"\s*\S+(?:\s+\(?\d+\.\d+(?: \w)?\)?$)?\s*")


def console() -> Console:
    """Return a console for tables. Text from players is shown literally: brackets and colons are not markup."""
    from rich.console import Console

    colored = None if _is_colored() else False
    wide = None if sys.stdout.isatty() else 80
    return Console(highlight=False, emoji=False, markup=False, force_terminal=colored, width=wide)


def _is_colored() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") not in ("dumb", "unknown")


def screen_width() -> int:
    """Return the columns of the terminal, 80 on a pipe."""
    import shutil

    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 80


def cells(text: str) -> int:
    """Return the width of a text: two columns for an East Asian character, none for a combining accent.

    >>> cells("Zoë 東京")
    8
    """
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def broken(line: Line, width: int, hanging: str = "") -> list[Line]:
    """Return a line as lines that fit, broken between words; a section of the book at its end never goes alone.

    Args:
        hanging: The margin of the following lines; by default they start under the first piece.
    """
    text, margin = line.text, hanging or " " * len(line.margin)
    room = max(2, width - max(len(line.margin), len(margin)))
    starts = [0]
    if cells(text) > width - len(line.margin):
        for word in WORD.finditer(text):
            end = word.start() + len(word[0].rstrip())
            if starts[-1] < word.start() and cells(text[starts[-1] : end]) > room:
                starts.append(word.start())
            while cells(rest := text[starts[-1] : end]) > room:  # a word longer than a line
                starts.append(starts[-1] + _fitting(rest, room))
    parts = []
    for start, end in pairwise([*starts, len(text)]):
        pieces = line.part(start, start + len(text[start:end].rstrip()))
        before = margin if start else line.margin
        parts.append(Line(before if pieces else before.rstrip(), pieces))
    return parts


def cropped(line: Line, width: int) -> Line:
    """Crop a line, ending with an ellipsis."""
    room = width - len(line.margin)
    if cells(line.text) <= room:
        return line
    return Line(line.margin, [*line.part(0, _fitting(line.text, room - 1)), ("…", line.pieces[-1][1])])


def _fitting(text: str, room: int) -> int:
    """Return the number of characters that fit."""
    count = room
    while cells(text[:count]) > room:
        count -= 1
    return count


def show(lines: Iterable[Line]) -> None:
    """Print lines, wrapped at the width of the terminal."""
    for part in [part for line in lines for part in broken(line, screen_width())]:
        pieces = ((part.margin, "dim"), *part.pieces)
        text = "".join(
            f"\033[{STYLES[style]}m{text}\033[0m" if style and text.strip() else text for text, style in pieces
        )
        echo(text, file=sys.stdout, color=None if _is_colored() else False)


def say(text: str, style: str = "") -> None:
    """Print a text of one style, line by line."""
    show(Line("", [(each, style)]) for each in text.split("\n"))


def show_results(results: list[Result], session: Session, *, recorded: bool) -> None:
    """Print every roll of one command, then the next step."""
    for result in results:
        show_result(result, session)
    waiting = session.mission.waiting()
    if waiting is not None:
        next_one = pending_line(waiting, session.pack, session.mission.state)
        show([Line("", [("Next  ", "next"), (next_one, "")])])
    if session.campaign is not None and not recorded:
        show([Line("", [("Nothing was saved.", "dim")])])


def show_result(result: Result, session: Session) -> None:
    """Print one roll with its full calculation, or a decision in a line."""
    show(in_full(describe(result, session)))


T = TypeVar("T")
Ask = Callable[[str], str]  # a replacement for `ask`

WIDE = 80
MANY = 9  # the fewest options shown side by side
PAIR = re.compile(r"(\d+)@(\d+) (.*? at )(.*?)((?:, .*)?)")  # the option of one thing and another


class Cancelled(Exception):
    """Raised when the player types `q` instead of an answer."""


def put(prompt: Prompt, ask: Ask | None = None) -> Answer:
    """Ask a question until it is answered."""
    if lines := lines_of(prompt):
        print("\n".join(lines))
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


def lines_of(prompt: Prompt) -> list[str]:
    """Return a question, its note and its options as lines of the terminal."""
    note = [("  ", f"({prompt.note})")] if prompt.note else []
    lines = [fitted(line, sys.stdout, margin) for margin, line in (*prompt.lines, *note)]
    return "\n".join([*lines, *listed([each for each in prompt.options if each.number])]).splitlines()


def rows_of(prompt: Prompt) -> int:
    """Return about how many rows of the screen a question takes, with the input line."""
    return len(lines_of(prompt)) + sum(len(line) // WIDE + 1 for line in prompt.line.split("\n"))


def listed(options: Sequence[Offer]) -> list[str]:
    """Return options by number, the short ones side by side if there are many and a person reads them; of many pairs
    each shooter with all its targets: `1@  Spitfire I at 12 FW190A, 13 Me109E: hits on 3 or less`.
    """
    import shutil

    texts: dict[tuple[str, ...], list[str]] = {}
    for each in options:
        pair = PAIR.fullmatch(f"{each.number} {each.label}") if len(options) > MANY else None
        key = (f"{pair[1]}@", pair[3], pair[5]) if pair else (each.number, each.label, "")
        texts.setdefault(key, []).extend([f"{pair[2]} {pair[4]}"] if pair else ())
    wide = max((len(number) for number, *_ in texts), default=1)
    lines = [
        (f"  {number:>{wide}}  ", f"{head}{', '.join(foes)}{how.replace(', ', ': ', 1)}")
        for (number, head, how), foes in texts.items()
    ]
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
