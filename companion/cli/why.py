"""`companion why`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from rich.text import Text
from typer import Argument, Option

from companion.cli.edit import changes
from companion.cli.present import console, indented, show_result
from companion.engine.fields import Value
from companion.play.mission import worked_out_again
from companion.play.reasons import reasons
from companion.render.because import entry_number, row_in_words, row_of
from companion.render.entries import changes as changed_on_sheet
from companion.render.entries import in_words
from companion.store.session import Session, open_mission

if TYPE_CHECKING:
    from rich.console import Console

    from companion.engine.resolution import Result
    from companion.play.journal import Entry


def why_command(
    number: Annotated[
        str | None,
        Argument(help="Which entry, as `companion log` counts, or a table for its last roll; else what was done last."),
    ] = None,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """An entry of the journal, with all that went into it."""
    with open_mission(record=False) as session:
        tell(session, number, json=json)


def tell(session: Session, number: str | None, *, json: bool = False, out: Console | None = None) -> None:
    """An entry with all that went into it: of that number, the last roll of that table, or what was done last."""
    stand = session.mission.journal.stand
    at = entry_number(number, session)
    entry, result, before = worked_out_again(session.mission, at)
    if result is not None and not result.step:
        result.outcome = str(entry.get("o", result.outcome))
    row = row_of(entry, result, session, before)
    because = [] if result is None else reasons(session.pack, before, entry, result)
    if json:
        import json as form

        print(form.dumps({**_object(at, entry, result, session, row), "reasons": because}))
        return
    out = out or console()
    out.print(Text(f"Entry {at} of {stand}", style="dim"))
    if result is None:
        out.print(Text("  Written by hand"))
        for change in changed_on_sheet(entry, session.pack):
            out.print(Text(f"  {change}"))
        return
    if result.step:
        out.print(Text(f"{result.title}  {result.cite}".rstrip()))
        out.print(Text(f"  {in_words(entry, session.pack)}"))
        return
    show_result(result, session, out)
    for sentence in because:
        indented(Text(sentence), 2, out)
    if row:
        out.print(Text(f"  row: {row_in_words(row)}", style="dim"))
    if "d" in entry and result.net != entry.get("net"):
        out.print(Text(f"  The table has changed since: the net was {entry.get('net')} then.", style="yellow"))
    if entry.get("w"):
        facts = ", ".join(
            f"{session.pack.sheet.text(name)} {session.pack.sheet.say(name, value)}"
            for name, value in entry["w"].items()
        )
        out.print(Text(f"  given with it: {facts}", style="dim"))


def _said(value: Value | None) -> str:
    return "–" if value in (None, "") else str(value)


def _object(at: int, entry: Entry, result: Result | None, session: Session, row: str) -> dict[str, object]:
    shown: dict[str, object] = {"number": at, "verb": entry["v"], "given": entry.get("w", {})}
    if result is None:
        return {**shown, "changes": changes(entry, session.pack.sheet)}
    from companion.cli.roll import as_object

    return {**shown, **as_object([result], session), "row": row, "changes": changes(entry, session.pack.sheet)}
