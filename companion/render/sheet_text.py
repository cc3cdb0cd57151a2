"""The sheets as text, 80 columns: the mission, the crew and the cities."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from companion.render import sheets
from companion.render.sheet_model import Cell, Landing, Section, SheetModel, Table, landings
from companion.render.situation import sight
from companion.store.log import CampaignLog

if TYPE_CHECKING:
    from companion.packs import Pack
    from companion.play.mission import Mission
    from companion.store.campaigns import Campaign

WIDE = 80


def heading(kind: str, pack: Pack, campaign: str = "") -> str:
    """Return the heading of a sheet: title, game and campaign."""
    words = [sheets.title(pack, kind).upper(), pack.title]
    return " · ".join([*words, campaign] if campaign else words)


def sheet(kind: str, pack: Pack, used: Campaign, flown: Mission | None) -> str:
    """Return a sheet of a campaign (`damage`) or of a mission flown in it as text."""
    title = heading(kind, pack, used.name)
    if flown is None:
        cities = sheets.cities(CampaignLog.of(pack, used))  # a cross for every box
        hit = (f"{at['city'] or '_' * 16:18}{'X' * at['crossed'] or '-':14}{at['missions']}" for at in cities)
        return "\n".join([title, "", *(each.rstrip() for each in hit)])
    if kind == "crew":
        return crew_sheet(title, SheetModel(pack, flown.state, flown))
    return mission_sheet(title, SheetModel(pack, flown.state, flown, seen=sight(flown, "")), landings(flown))


def mission_sheet(title: str, model: SheetModel, landing: Sequence[Landing] = ()) -> str:
    """Return the whole sheet without untouched fields, except rows of boxes."""
    lines = ["=" * WIDE, *(each.center(WIDE).rstrip() for each in textwrap.wrap(title, WIDE)), "=" * WIDE]
    zones = model.zones()
    told = model.layout.told if zones else ()
    sections = [each for each in model.sections() if each["fields"] or each["id"] not in told]
    blocks = [(each["label"], section_lines(each)) for each in sections]
    if zones:
        flight, hits = list[str](), list[str]()
        for way, rows in zones["ways"]:
            flown = [[zone, *cells] for zone, cells in rows if any(cells)]
            flight += columns([[way, *zones["columns"]], *flown]) if flown else []
        for label, items in model.hits():
            many = [f" ×{each['times']}" if each["times"] > 1 else "" for each in items]
            struck = [f"{each['where']} {each['words']}{of}".strip() for each, of in zip(items, many, strict=True)]
            hits += textwrap.wrap(f"{label}: {'; '.join(struck)}", WIDE, subsequent_indent="    ") if struck else []
        blocks.insert(1, ("The flight, zone by zone", flight))
        blocks.insert(-1, ("Hits taken", hits))
    modifiers = list[str]()
    for each in landing:
        told = [f"  {add}  {why} ({cite})" for add, why, cite in each["modifiers"]]
        modifiers += [f"{each['title']}: {each['total']}", *told]
    blocks.append(("Landing modifiers", modifiers))
    for label, block in blocks:
        lines += ["", f"-- {label} ".ljust(WIDE, "-"), *block] if block else []
    return "\n".join([*lines, "", "=" * WIDE])


def section_lines(section: Section) -> list[str]:
    """Return a section: its single fields, short ones two per line, then long ones, and its tables."""
    fields = [f"{each['label']}: {_cell(each)}".rstrip() for each in section["fields"] if written(each)]
    short = [each for each in fields if len(each) <= WIDE // 2 - 2]
    lines = [f"{one:{WIDE // 2}}{other}".rstrip() for one, other in zip_longest(short[::2], short[1::2], fillvalue="")]
    long = (textwrap.wrap(each, WIDE, subsequent_indent="    ") for each in fields if each not in short)
    return [*lines, *chain.from_iterable([*long, *map(_table, section["tables"])])]


def written(cell: Cell) -> bool:
    """Return whether a field has contents: a value, or boxes."""
    return bool(cell.get("value") or cell.get("items") or cell.get("crossed") or cell.get("limit", 0) > 2)


def _cell(cell: Cell) -> str:
    """Return the contents of a field: crossed boxes, or words."""
    if cell["k"] == "boxes":
        crossed, limit = cell["crossed"], cell["limit"]
        boxes = "".join(("X" if at < crossed else "o") + (" " if at % 5 == 4 else "") for at in range(limit)).strip()
        return f"{boxes}  {limit - crossed} left" if limit > 5 else boxes
    return ", ".join(cell["items"]) if cell["k"] == "list" else cell["value"]


def _table(table: Table) -> list[str]:
    """Return the columns of a table that have entries."""
    rows, head = table["rows"], table["head"]
    wanted = [at for at in range(len(head)) if any(written(row["cells"][at]) for row in rows)]
    if table["title"] == "":  # a row for each family
        rows = [row for row in rows if any(map(written, row["cells"]))]
    cells = [[row["label"], *(_cell(row["cells"][at]) for at in wanted)] for row in rows]
    heads = [table["title"], *(head[at]["label"] or "State" for at in wanted)]
    return columns([heads, *cells]) if wanted else []


def columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table with its head, at most as wide as the page."""
    from rich.console import Console
    from rich.table import Table as Grid

    grid = Grid(*rows[0], box=None, pad_edge=False)
    for row in rows[1:]:
        grid.add_row(*row)
    page = Console(width=WIDE, markup=False, emoji=False, highlight=False)
    with page.capture() as text:
        page.print(grid)
    return [line.rstrip() for line in text.get().splitlines()]


def crew_sheet(title: str, model: SheetModel) -> str:
    """Return the Crew Placement Sheet as text: every seat with its occupant and their state."""
    lines = [title, ""]
    for seat in model.seats().values():
        post = f" ({seat['post']})" if seat["post"] else ""
        amiss = f", {', '.join(seat['amiss'])}" if seat["amiss"] else ""
        lines.append(f"{seat['position'] or 'No seat':26}{seat['name'] or '-'}{post}{amiss}")
    return "\n".join(lines)
