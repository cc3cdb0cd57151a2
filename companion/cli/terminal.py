"""Lines on the terminal, with Rich: their styles, their margins, and the results of one command."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from companion.render.describe import describe, in_full
from companion.render.situation import Line, pending_line

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.store.session import Session

STYLES = {
    "": "", "dim": "dim", "row": "bold green", "change": "yellow", "note": "magenta", "bad": "bold red",
    "strong": "bold", "step": "cyan",
}  # fmt: skip


def console() -> Console:
    """A console of the terminal's width, 80 columns where there is none; plain on a pipe or with NO_COLOR.

    What a player wrote is shown as he wrote it: brackets and colons are no signs of ours.
    """
    piped = not sys.stdout.isatty()
    colour = False if piped or "NO_COLOR" in os.environ else None
    return Console(highlight=False, emoji=False, markup=False, force_terminal=colour, width=80 if piped else None)


def broken(line: Line, out: Console) -> list[Text]:
    """Return a line as the lines of a console: what does not fit goes on behind the margin, and none ends in blanks."""
    whole, margin = Text.assemble(*((text, STYLES[style]) for text, style in line.pieces)), len(line.margin)
    parts = [
        Text.assemble((" " * margin if at else line.margin, "dim"), part)
        for at, part in enumerate(whole.wrap(out, out.width - margin) or [Text()])
    ]
    for part in parts:
        part.rstrip()
    return parts


def show(lines: Iterable[Line], out: Console) -> None:
    """Print lines."""
    for line in lines:
        for part in broken(line, out):
            out.print(part, no_wrap=True, overflow="ellipsis")


def show_results(results: list[Result], session: Session, *, recorded: bool) -> None:
    """Print every roll of one command, then what comes next."""
    out = console()
    for result in results:
        show_result(result, session, out)
    waiting = session.mission.waiting()
    if waiting is not None:
        out.print(Text.assemble(("Next  ", "bold cyan"), pending_line(waiting, session.pack, session.mission.state)))
    if session.campaign is not None and not recorded:
        out.print(Text("Nothing was recorded.", style="dim"))


def show_result(result: Result, session: Session, out: Console) -> None:
    """Print one roll with its whole sum; a decision in a line."""
    show(in_full(describe(result, session)), out)
