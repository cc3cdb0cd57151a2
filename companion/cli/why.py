"""`companion why`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.cli.terminal import console, show
from companion.render.describe import in_a_line, in_full
from companion.render.explanation import Explanation, explain
from companion.render.situation import Line
from companion.store.session import Session, open_mission

if TYPE_CHECKING:
    from rich.console import Console


def why_command(
    number: Annotated[
        list[str] | None,
        Argument(help="Entry number from `companion log`, or a table for its last roll. Default: the latest entry."),
    ] = None,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """An entry of the journal, with all that went into it."""
    with open_mission(record=False) as session:
        explained = explain(session, " ".join(number) if number else None)
        if json:
            import json as form

            print(form.dumps(explained.as_object(session.pack)))
        else:
            tell(session, explained, console())


def tell(session: Session, explained: Explanation, out: Console) -> None:
    """Show an entry with all that went into it."""
    told = explained.told
    lines = [Line("", [(f"Entry {explained.number} of {session.mission.journal.stand}", "dim")])]
    if explained.result is None:
        lines += [Line("  ", [("Set by you", "")]), *(Line("  ", [(each, "")]) for each in told.changes.arrows())]
    elif told.verb == "step":
        lines += [Line("", [(f"{told.title}  {told.cite}".rstrip(), "")]), Line("  ", [(in_a_line(told), "")])]
    else:
        lines += in_full(told, arrows=True)
        lines += [Line("  ", [(each, "")]) for each in explained.because]
        if explained.row:
            lines.append(Line("  ", [(f"row: {explained.row_in_words}", "dim")]))
        if explained.given:
            lines.append(Line("  ", [(f"given with it: {explained.given}", "dim")]))
    show(lines, out)
