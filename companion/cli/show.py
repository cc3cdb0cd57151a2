"""`companion show TABLE`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from rich.table import Table as Grid
from rich.text import Text
from typer import Argument, Option

from companion.cli.present import console
from companion.cli.session import open_session
from companion.engine.facts import Facts
from companion.play.implied import with_implied
from companion.problems import Unanswered

if TYPE_CHECKING:
    from rich.console import Console

    from companion.engine.tables import Cell, Column, Table


def show_command(
    table: Annotated[str, Argument(help="Table number.")],
    game: Annotated[str | None, Option(help="The game, when no campaign is in use.")] = None,
    given: Annotated[list[str] | None, Option("--with", help="FACT=VALUE to look at it with.")] = None,
) -> None:
    """A table, with the column and modifiers of now marked."""
    with open_session(game, record=False) as session:
        shown = session.pack.table(table)
        facts = Facts(session.pack.sheet, session.mission.state)
        more = with_implied(session.mission, session.pack.sheet.given(given or ()))
        facts = Facts(session.pack.sheet, shown.bind(facts), session.mission.state, more)
    out = console()
    dice = "no dice" if shown.dice.count == 0 else shown.dice.name
    head = Text.assemble(
        (shown.id, "bold"), f"  {shown.title}, {dice}", (f"  ({shown.cite})" if shown.cite else "", "dim")
    )
    out.print(head)
    if shown.columns:
        for block in _blocks(shown):
            out.print(_grid(block, shown, facts))
    else:
        out.print("  The rows are in your own book.")
    _modifiers(shown, facts, out)
    for natural in shown.naturals:
        rolls, result = ", ".join(map(str, sorted(natural.rolls))), str(natural.outcome)
        out.print(f"  An unmodified {rolls} is always {result}.")
    for row, answer in _remembered(shown, facts):
        out.print(f"  A {row} is {answer}, as you said.")
    if shown.doc.get("note"):
        out.print(Text(f"  {shown.doc['note']}", style="dim"))


def _remembered(shown: Table, facts: Facts) -> list[tuple[str, str]]:
    """The cells of the column of now that ask once, and have been answered."""
    now = _current(shown, facts)
    answered = []
    for row, result in now.rows.written.items() if now is not None else ():
        name = result["#ask-once"](facts) if isinstance(result, dict) and "#ask-once" in result else None
        if name is not None and facts[name] != "none":
            answered.append((row, str(facts[name])))
    return answered


def _blocks(shown: Table, wide: int = 4) -> list[list[Column]]:
    """The columns in blocks that fit a screen side by side."""
    return [shown.columns[at : at + wide] for at in range(0, len(shown.columns), wide)]


def _current(shown: Table, facts: Facts) -> Column | None:
    for column in shown.columns:
        try:
            if column.test is None or column.test(facts):
                return column
        except Unanswered:
            return None
    return None


def _grid(block: list[Column], shown: Table, facts: Facts) -> Grid:
    """The rows of some columns, one line for each figure where a result changes."""
    now = _current(shown, facts)
    grid = Grid(show_edge=False, pad_edge=True, header_style="bold")
    grid.add_column("net" if shown.modifiers else shown.dice.name, justify="right")
    for column in block:
        mark = "▸ " if column is now and len(shown.columns) > 1 else ""
        title = column.title or (column.when if column.when else "otherwise" if len(shown.columns) > 1 else "result")
        grid.add_column(f"{mark}{title}", style="bold" if column is now and mark else "")
    for label, net in _lines(block, shown):
        cells = [_cell(column.rows.find(net)) for column in block]
        grid.add_row(label, *cells)
    return grid


def _lines(block: list[Column], shown: Table) -> list[tuple[str, int]]:
    """Which net rolls to print, neighbours with the same results joined: `4-6`."""
    nets: set[int] = {total for total, _ in shown.dice.readings()} if shown.dice.count else set()
    for column in block:
        nets |= set(column.rows.exact)
        for edge in (column.rows.below, column.rows.above):
            if edge:
                nets.add(edge[0])
    low = min(nets, default=0)
    high = max(nets, default=0)
    runs: list[list[int]] = []
    for net in sorted(nets):
        cells = [_cell(column.rows.find(net)) for column in block]
        if all(cell == "" for cell in cells):
            continue
        if runs and [_cell(column.rows.find(runs[-1][-1])) for column in block] == cells:
            runs[-1].append(net)
        else:
            runs.append([net])
    lines = []
    for run in runs:
        first, last = run[0], run[-1]
        open_low = first == low and any(column.rows.below for column in block)
        open_high = last == high and any(column.rows.above for column in block)
        if open_low and open_high:
            lines.append(("any", first))
        elif open_low:
            lines.append((f"≤{last}", last))
        elif open_high:
            lines.append((f"{first}+", first))
        else:
            lines.append((str(first) if first == last else f"{first}-{last}", first))
    return lines


def _cell(result: Cell) -> str:
    if result is None:
        return ""
    if isinstance(result, list):
        return ", ".join(map(_cell, result))
    if isinstance(result, dict):
        return str(result["as"]) if "as" in result else "your book, asked once"
    return "your book" if result == "owner" else str(result)


def _worked_out(sentence: str, facts: Facts) -> str:
    """An amount that is worked out; one that only the player's book prints is a figure once he has said it."""
    known = facts.sheet.fields.get(sentence)
    if known is None or known.section != "book":
        return sentence
    return f"{int(facts[sentence]):+d}" if sentence in facts.given else "your book"


def _modifiers(shown: Table, facts: Facts, out: Console) -> None:
    if not shown.modifiers:
        return
    out.print(Text("  Modifiers, those that apply now marked:", style="dim"))
    grid = Grid.grid(padding=(0, 1, 0, 0))
    total = 0
    now = _current(shown, facts)
    listed = now.modifiers if now else shown.modifiers
    for modifier in shown.modifiers:
        amount = modifier.amount(facts) if modifier in listed else 0
        total += amount
        printed = f"{modifier.add:+d}" if isinstance(modifier.add, int) else _worked_out(modifier.add, facts)
        style = "bold green" if amount else ""
        grid.add_row(
            "  ▸" if amount else "   ",
            Text(f"{amount:+d}" if amount else printed, style=style),
            Text.assemble((modifier.why, style), (f"  {modifier.cite}" if modifier.cite != shown.id else "", "dim")),
        )
    out.print(grid)
    out.print(f"  Together now: {total:+d}")
