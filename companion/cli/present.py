"""What a roll, a decision and what is pending look like on the terminal, with Rich."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from companion.render.results import assumed, binding, bindings_of, changed, pending_line

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.store.session import Session


def console() -> Console:
    """A console of the terminal's width, 80 columns where there is none; plain on a pipe or with NO_COLOR.

    What a player wrote is shown as he wrote it: brackets and colons are no signs of ours.
    """
    piped = not sys.stdout.isatty()
    colour = False if piped or "NO_COLOR" in os.environ else None
    return Console(highlight=False, emoji=False, markup=False, force_terminal=colour, width=80 if piped else None)


def show_results(results: list[Result], session: Session, *, recorded: bool) -> None:
    """Every roll of one command, then what comes next."""
    out = console()
    for result in results:
        show_result(result, session, out)
    waiting = session.mission.waiting()
    if waiting is not None:
        out.print(Text.assemble(("Next  ", "bold cyan"), pending_line(waiting, session.pack, session.mission.state)))
    if session.campaign is not None and not recorded:
        out.print(Text("Nothing was recorded.", style="dim"))


def indented(text: Text, margin: int, out: Console) -> None:
    """A text behind a margin: a second line stands under the first, and no line ends in blanks."""
    for line in text.wrap(out, out.width - margin):
        line.rstrip()
        out.print(Text(" " * margin).append_text(line))


def show_result(result: Result, session: Session, out: Console) -> None:
    """One roll with its whole sum; a decision in a line."""
    if result.decision:
        decided = Text.assemble((f"{result.title} ", "dim"), (result.text or result.outcome, "bold green"))
        indented(decided, 2, out)
        consequences(result, session, out, but=result.table)
        return
    number = session.pack.table(result.table).number_printed
    title = "" if number == result.title else f"  {result.title}"
    head = Text.assemble((number, "bold"), title, binding(bindings_of(result, session), session.pack))
    if result.cite:
        head.append(f"  ({result.cite})", style="dim")
    out.print(head)
    lines = Grid.grid(padding=(0, 2, 0, 0))
    lines.add_column(min_width=8, style="dim")
    lines.add_column(justify="right", min_width=3)
    lines.add_column()
    if result.dice:
        lines.add_row("  dice", str(result.rolled), " + ".join(map(str, result.dice)) if len(result.dice) > 1 else "")
    for each in result.applied:
        lines.add_row("", f"{each.add:+d}", Text.assemble(each.why, (f"  {each.modifier.cite}", "dim")))
    if result.applied and result.net is not None:  # an own book says its row without dice too
        lines.add_row("  net", str(result.net), "unmodified roll decides" if result.natural else "")
    for step in result.steps:
        lines.add_row("", f"{step.before}→{step.after}", step.why)
    if lines.row_count:
        out.print(lines)
    row = session.pack.sheet.read_out(result.outcome)
    text = "" if result.text in (row, result.outcome) else result.text
    out.print(Text.assemble("  ", (row, "bold green"), f": {text}" if text else ""))
    for patch in result.patched:
        out.print(Text.assemble("  ", (f"changed: {patch['reason']}", "magenta"), (f"  {patch['table']}", "dim")))
    consequences(result, session, out)
    if result.assumed:
        facts = assumed(result, session)
        indented(Text(f"assumed: {facts}", style="dim"), 2, out)


def consequences(result: Result, session: Session, out: Console, but: str = "") -> None:
    """What changed on the sheet (apart from one field), and what standing rules had to say."""
    for label, change in changed(result, session, but):
        out.print(Text.assemble("  ", (label, "yellow"), f": {change}"))
    for text, cite in result.notes:
        out.print(Text.assemble("  ", (text, "magenta"), (f"  {cite}" if cite else "", "dim")))
