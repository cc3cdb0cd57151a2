"""`companion why`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text
from typer import Argument, Option

from companion.cli.edit import changes, line
from companion.cli.present import console, show_result
from companion.cli.session import Session, flying
from companion.sheet import Facts, Value

if TYPE_CHECKING:
    from companion.engine.needs import Result
    from companion.journal import Entry


def why_command(
    number: Annotated[
        int | None, Argument(help="Which entry, as `companion log` counts; the last one without.")
    ] = None,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """An entry of the journal, with all that went into it."""
    with flying(record=False) as found:
        stand = found.mission.journal.stand
        at = stand if number is None else number
        made, result, before = found.mission.again(at)
    if result is not None and not result.step:
        result.outcome = str(made.get("o", result.outcome))
    row = _row(made, result, found, before)
    if json:
        import json as form

        print(form.dumps(_object(at, made, result, found, row)))
        return
    out = console()
    out.print(Text(f"Entry {at} of {stand}", style="dim"))
    if result is None:
        out.print(Text(f"  {made['v']}, written by hand"))
        for name, (before, after) in made.get("c", {}).items():
            label = found.pack.sheet.text(name)
            out.print(Text(f"  {label}: {_said(before)} → {_said(after)}"))
        return
    if result.step:
        out.print(Text(f"{result.table}  {result.title}  {result.cite}".rstrip()))
        out.print(Text(f"  {line(made, found.pack.sheet)}"))
        return
    show_result(result, found, out)
    if row:
        out.print(Text(f"  row: {row}", style="dim"))
    if result.net != made.get("net"):
        out.print(Text(f"  The table has changed since: the net was {made.get('net')} then.", style="yellow"))
    if made.get("w"):
        told = ", ".join(f"{name}={value}" for name, value in made["w"].items())
        out.print(Text(f"  given with it: {told}", style="dim"))


def _said(value: Any) -> str:
    return "–" if value in (None, "") else str(value)


def _row(made: Entry, result: Result | None, found: Session, before: dict[str, Value]) -> str:
    """The column and the row of the table that it landed on."""
    if result is None or made["v"] != "roll" or result.net is None:
        return ""
    table = found.pack.table(made["t"])
    if not table.columns:
        return "" if result.formula else "in your own book"
    column = table.column(Facts(found.pack.sheet, before, {**table.bind, **made.get("b", {}), **made.get("w", {})}))
    if result.natural:
        return "an unmodified roll decides"
    title = f"{column.title}: " if column.title else ""
    return f"{title}{column.rows.row(result.net)}"


def _object(at: int, made: Entry, result: Result | None, found: Session, row: str) -> dict[str, Any]:
    told: dict[str, Any] = {"number": at, "verb": made["v"], "given": made.get("w", {})}
    if result is None:
        return {**told, "changes": changes(made, found.pack.sheet)}
    from companion.cli.roll import as_object

    return {**told, **as_object([result], found), "row": row, "changes": changes(made, found.pack.sheet)}
