"""`companion why`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from rich.text import Text
from typer import Argument, Option

from companion.cli.edit import changes, line
from companion.cli.present import console, show_result
from companion.cli.session import Session, flying
from companion.engine.sheet import Facts, Value
from companion.play.journal import settled
from companion.problems import Problem
from companion.words import figure

if TYPE_CHECKING:
    from companion.engine.needs import Result
    from companion.play.journal import Entry


def why_command(
    number: Annotated[
        str | None,
        Argument(help="Which entry, as `companion log` counts, or a table for its last roll; else what was done last."),
    ] = None,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """An entry of the journal, with all that went into it."""
    with flying(record=False) as found:
        stand = found.mission.journal.stand
        at = _meant(number, found)
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
        out.print(Text(f"  row: {_in_words(row)}", style="dim"))
    if result.net != made.get("net"):
        out.print(Text(f"  The table has changed since: the net was {made.get('net')} then.", style="yellow"))
    if made.get("w"):
        told = ", ".join(f"{name}={value}" for name, value in made["w"].items())
        out.print(Text(f"  given with it: {told}", style="dim"))


def _meant(typed: str | None, found: Session) -> int:
    """The entry that is meant: of that number, the last roll of that table, or what somebody did last."""
    number = figure(typed or "")
    if number is not None:
        return number
    journal = found.mission.journal
    entries = list(enumerate(journal.entries[: journal.stand], 1))
    if typed is None:
        return next((at for at, made in reversed(entries) if not settled(made)), journal.stand)
    table = found.pack.table(typed).id
    at = next((at for at, made in reversed(entries) if made["v"] == "roll" and made["t"] == table), None)
    if at is None:
        raise Problem(f"{table} has not been rolled in this mission; companion log numbers what has been done")
    return at


def _in_words(row: str) -> str:
    """The row as a person reads it.

    >>> _in_words("6, climb: 7.."), _in_words("..2"), _in_words("4..6"), _in_words("5")
    ('6, climb: 7 or more', '2 or less', '4 to 6', '5')
    """
    head, colon, key = row.rpartition(": ")
    first, dots, last = key.partition("..")
    told = f"{first} to {last}" if first and last else f"{first} or more" if first else f"{last} or less"
    return f"{head}{colon}{told}" if dots else row


def _said(value: Any) -> str:
    return "–" if value in (None, "") else str(value)


def _row(made: Entry, result: Result | None, found: Session, before: dict[str, Value]) -> str:
    """The column and the row of the table that it landed on."""
    if result is None or made["v"] != "roll" or result.net is None:
        return ""
    table = found.pack.table(made["t"])
    if not table.columns:
        return "" if result.formula else "in your own book"
    column = table.column(
        Facts(
            found.pack.sheet,
            before,
            {**table.bind(Facts(found.pack.sheet, before)), **made.get("b", {}), **made.get("w", {})},
        )
    )
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
