"""The Mission Log Sheet as HTML for a narrow screen, made from the shared sheet model.

In a game with secrets between players it shows each viewer only what they may know.
"""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion.engine.fields import FREE
from companion.packs import Pack
from companion.play.mission import Mission
from companion.render import sheets
from companion.render.bomber_svg import for_screen
from companion.render.history import History
from companion.render.sheet_model import Cell, Row, Section, SheetModel, Table
from companion.render.situation import sight, viewers

TEMPLATES = Path(__file__).parent / "templates"
WIDE = 3  # the most columns of a table; wider ones become cards
MANY = 12  # the most cards that show every box of a choice; of more each shows only the crossed one
BRIEF = 14  # the most characters of a label and its value that share a row


def sheet_html(pack: Pack, mission: Mission, viewer: str = "") -> str:
    """Return the sheet as an HTML fragment, `<section class="sheet">`, with headings from the second level on.

    `viewer` is one of `viewers(pack, mission)`; any other sees only public fields. In a game without secrets everything
    is public.
    """
    seen = sight(pack, mission, viewer)
    whole, names, before = seen is None, pack.sheet.nicknames, pack.sheet.nicknames.state
    names.state = {name: value for name, value in mission.state.items() if seen is None or name in seen}
    try:
        labels = dict(viewers(pack, mission))
        model = SheetModel(pack, mission.state, history=History(pack, mission if whole else None), seen=seen)
        told = pack.about.print.told if whole else ()  # shown with the zones and the hits
        bomber = model.bomber()
        return (
            templates()
            .get_template("sheet.html")
            .render(
                game=pack.title,
                title=sheets.title(pack, "mission"),
                who="" if whole else labels.get(viewer, labels[""]),
                bomber=for_screen(bomber) if bomber else "",
                blocks=[_block(each, model.posts) for each in model.sections(told)],
                hits=model.hits() if whole else [],
                zones=model.zones() if whole else None,
                reports=[] if seen is None else _reports(model, seen),
            )
        )
    finally:
        names.state = before


def _reports(model: SheetModel, names: Container[str]) -> list[tuple[str, str]]:
    """Return visible worked-out facts with a value, in words."""
    facts = [(name, model.facts[name]) for name in model.sheet.derived if name in names]
    return [(model.sheet.text(name), model.word(name, str(value))) for name, value in facts if value not in (*FREE, 0)]


@cache
def templates() -> Environment:
    """Return the templates of the page, with all text escaped."""
    house = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    house.filters.update(flag_word=flag_word, brief=brief)
    return house


def brief(cell: Cell) -> bool:
    """Return whether a field needs only half a row."""
    short = cell["k"] == "fill" or len(cell.get("options", ())) == 1
    return short and len(cell["label"]) + len(flag_word(cell) or cell["value"]) <= BRIEF


def flag_word(cell: Cell) -> str:
    """Return the word next to a single box; a plain yes needs none."""
    return word if len(cell.get("options", ())) == 1 and (word := cell["options"][0]) != "yes" else ""


# -- sections for a narrow screen --------------------------------------------------------------------------------------


def _block(section: Section, posts: str) -> dict[str, Any]:
    """Return a section with its tables, the wide ones as cards; `bare` are the omitted cards without entries."""
    tables, cards, bare = list[Table](), list[list[dict[str, Any]]](), 0
    for table in section["tables"]:
        few = len(table["rows"]) <= MANY
        if len(table["head"]) <= WIDE and few:
            tables.append(table)
            continue
        rows = [_card(row, table, few) for row in table["rows"]]
        cards.append([each for each in rows if each["name"] or each["cells"] or table["title"].casefold() == posts])
        bare += len(rows) - len(cards[-1])
    fields = sorted(section["fields"], key=lambda each: each["k"] == "list")
    return {"label": section["label"], "fields": fields, "tables": tables, "cards": cards, "bare": bare}


def _card(row: Row, table: Table, few: bool) -> dict[str, Any]:
    """Return a row of a wide table (a man, an engine) with its entries and boxes; a leading name goes to its label."""
    cells = [cell.copy() for cell in row["cells"]]
    for cell, head in zip(cells, table["head"], strict=True):
        cell["label"] = head["label"] or "State"
        if len(cell.get("options", ())) > 1:
            cell["k"] = "choice" if few else "one"
            cell["options"] = [word for word in cell["options"] if word != "absent" or cell["value"] == word]
    name = cells.pop(0)["value"] if cells[0]["k"] == "fill" and not cells[0]["number"] else ""
    label = f"{table['title']} {row['label']}" if row["label"].isdigit() else row["label"]
    return {"label": label, "name": name, "cells": list(filter(_worth, cells)), "notes": row["notes"]}


def _worth(cell: Cell) -> bool:
    """Return whether a field belongs on a card: it has boxes or an entry."""
    if cell["k"] == "choice" and 1 < len(cell["options"]) <= 4:
        return True
    return cell["k"] == "boxes" or bool(cell.get("value") or cell.get("items"))
