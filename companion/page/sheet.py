"""The Mission Log Sheet as a piece of a web page: every box, man, gun, zone and hit as it stands, and the bomber drawn.

What stands there is what the printed sheet has (`companion/render`); here it is laid out for a narrow screen. Of a
game that keeps something from a second player it shows each viewer what he may know.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from companion.packs import Pack
from companion.page.outline import drawing
from companion.page.sight import Seen, Shown, sight, viewers
from companion.play.journal import Entry
from companion.play.mission import Mission
from companion.render import sheets
from companion.render.bomber import bomber
from companion.render.history import History, Hit
from companion.render.page import Control, Grid, Head, Line, Page, Section, Table

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"
ROOM = 322  # pixels that a table has on the narrowest screen
LETTER, ABOVE, SIDES, BOX = 7.5, 8.2, 11, 18  # pixels: a letter in a table, in its head; both sides of a cell; a box
FIRST, EVEN = 114, 118  # pixels of the heads of the rows: at least, and where the other columns have even room
HEAD = 13  # letters after which the head of a row is broken
MEN = 12  # cards that show every box of a choice; of more of them each shows the crossed one
MANY = 4  # columns of a grid that stand side by side
BRIEF = 14  # letters of a label and what stands beside it, of which two stand in a row


class Card(TypedDict):
    """What a row of a wide table comes to: a man, an engine, an aircraft; his name, his boxes, and what befell him."""

    label: str
    name: str
    controls: list[Control]
    notes: Sequence[str]


class Columns(TypedDict):
    """A table that fits: the heads of its columns, and its rows; `even` where all columns have the same room."""

    title: str
    even: bool
    head: list[str]
    rows: list[Line]


class Block(TypedDict):
    """A section as the template gets it. Of many cards each is a line of a list; `bare` are those on which nothing is
    written, which are left out."""

    label: str
    fields: list[Control]
    tables: list[Columns]
    cards: list[Card]
    lists: list[Card]
    bare: int


class Way(TypedDict):
    """The way out or home: the number of each zone flown, what fills its columns, and its last column."""

    label: str
    rows: list[tuple[str, list[tuple[str, str]], str]]


def sheet_html(pack: Pack, mission: Mission, viewer: str = "") -> str:
    """The sheet as an HTML fragment, `<section class="sheet">`, with headings from the second level on.

    `viewer` is one of `viewers(pack, mission)`; whoever is none of them sees what everybody may know. In a game that
    keeps nothing secret that is all there is.
    """
    seen = sight(pack, mission, viewer)
    names, before = pack.sheet.nicknames, pack.sheet.nicknames.state
    names.state = {name: value for name, value in mission.state.items() if seen.sees(name)}
    try:
        page = Shown(pack.sheet, mission.state, about=pack.about) if seen.all else Seen(pack, mission.state, seen)
        view = _seen(pack, page) if isinstance(page, Seen) else _whole(pack, page, _history(pack, mission))
        labels = dict(viewers(pack, mission))
        who = "" if seen.all else labels.get(viewer, labels[""])
        game = str(pack.about.get("title", pack.name))
        return _template().render(game=game, title=sheets.title(pack, "mission"), who=who, **view)
    finally:
        names.state = before


def _whole(pack: Pack, page: Page, history: History) -> dict[str, object]:
    """What the template gets for one who may see everything."""
    elsewhere = pack.about.get("print", {}).get("told", ())  # by the zones and the hits
    drawn = bomber(pack, page, history)
    return {
        "drawing": drawing(drawn) if drawn is not None else None,
        "hits": _hits(page, history),
        "ways": _ways(page, history),
        "blocks": [
            _block(page, page.section(each, label), history.wounds)
            for each, label in page.printed(("working", *elsewhere))
        ],
        "reports": [],
    }


def _seen(pack: Pack, page: Seen) -> dict[str, object]:
    """What it gets for one who may see a part: no journal, but the sections that it would tell of."""
    drawn = bomber(pack, page, History(pack))
    return {
        "drawing": drawing(page.of_bomber(drawn)) if drawn is not None else None,
        "hits": [],
        "ways": [],
        "blocks": [_block(page, each, {}) for each in page.sections()],
        "reports": page.reports(),
    }


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader

    house = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    house.filters.update(boxes=boxes, chosen=chosen, pairs=pairs)
    return house.get_template("sheet.html")


@lru_cache(maxsize=512)
def boxes(limit: int, value: int) -> Markup:
    """A row of boxes in fives, so many of them crossed off.

    >>> str(boxes(2, 1))
    '<b></b><i></i>'
    """
    from markupsafe import Markup

    row = ["<b></b>"] * min(value, limit) + ["<i></i>"] * (limit - value)
    fives = ["".join(row[at : at + 5]) for at in range(0, limit, 5)]
    return Markup("".join(fives if len(fives) == 1 else (f"<u>{each}</u>" for each in fives)))


def chosen(control: Control) -> str:
    """The crossed one of several words, in full; nothing where none is.

    >>> chosen({"k": "letters", "options": [("G", False), ("P", True)], "legend": [("P", "poor")]})
    'poor'
    """
    word = next((word for word, on in control["options"] if on), "")
    return dict(control.get("legend", ())).get(word, word)


def pairs(controls: Sequence[Control]) -> list[tuple[Control, bool]]:
    """Each with whether it takes half a row: two short ones that follow each other do."""
    rows: list[tuple[Control, bool]] = []
    for each in controls:
        if rows and not rows[-1][1] and _brief(each) and _brief(rows[-1][0]):
            rows[-1:] = [(rows[-1][0], True), (each, True)]
        else:
            rows.append((each, False))
    return rows


def _brief(control: Control) -> bool:
    beside = control["word"] if control["k"] == "flag" else str(control.get("value", ""))
    return control["k"] in ("flag", "fill") and len(control["label"]) + len(beside) <= BRIEF


# -- what the journal tells --------------------------------------------------------------------------------------------

# for each mission that was looked at: its pack, the entries that were read, and their story
_read: dict[tuple[str, int | None], tuple[Pack, list[Entry], History]] = {}


def _history(pack: Pack, mission: Mission) -> History:
    """What happened by zone, area and man; where the journal has only grown since the last look, the rest is read."""
    key, entries = (pack.name, mission.number), mission.journal.entries[: mission.journal.stand]
    of, before, history = _read.pop(key, (None, [], None))
    if history is None or of is not pack or before != entries[: len(before)]:
        history = History(pack)
    history.read_on(mission)
    _read[key] = (pack, entries, history)
    return history


def _hits(page: Page, history: History) -> list[tuple[str, list[Hit], int]]:
    """What struck each area that was hit, and how many hits did nothing there."""
    struck = ((page.member("area", each), history.of_area(page, each)) for each in page.sheet.index.get("area", ()))
    return [
        (label, [each for each in items if not each["mild"]], sum(each["times"] for each in items if each["mild"]))
        for label, items in struck
        if items
    ]


def _ways(page: Page, history: History) -> list[Way]:
    """The flight zone by zone, as far as anything was written; the last column, the long one, stands by itself."""
    if not history.zones:
        return []
    heads = [each.head for each in history.columns]
    ways: list[Way] = []
    for leg in page.sheet.index.get(history.leg, ()):
        way: Way = {"label": page.member(history.leg, leg), "rows": []}
        for zone in page.sheet.index[history.zones]:
            *cells, last = history.row(page, (leg, int(zone)))
            if last or any(cells):
                way["rows"].append((zone, [pair for pair in zip(heads, cells, strict=False) if pair[1]], last))
        ways.append(way)
    return [each for each in ways if each["rows"]]


# -- sections for a narrow screen --------------------------------------------------------------------------------------


def _block(page: Page, section: Section, wounds: Mapping[str, Sequence[str]]) -> Block:
    fields = sorted(section["fields"], key=lambda each: each["k"] == "list")
    block: Block = {"label": section["label"], "fields": fields, "tables": [], "cards": [], "lists": [], "bare": 0}
    for table in [*section["tables"], *map(_of_grid, section["grids"])]:
        _lay_out(_upright(table), block, page, wounds)
    return block


def _lay_out(table: Table, block: Block, page: Page, wounds: Mapping[str, Sequence[str]]) -> None:
    """A table as it is printed where there is room, with words of one kind in one column, or as cards."""
    if not table["rows"]:
        return
    together = _together(table)
    for each in (table, together):
        head = [" ".join(filter(None, (one["group"], one["sub"]))) for one in each["head"]]
        first, *others = _wide(each, head)
        even = max(others) * len(others) <= ROOM - EVEN
        if even or first + sum(others) <= ROOM:
            block["tables"].append({"title": table["title"], "head": head, "rows": each["rows"], "even": even})
            return
    men = list(page.sheet.index.get("position", ())) if table["title"] == "Position" else []
    notes: list[list[str]] = [[] for _ in table["rows"]]
    for at, man in enumerate(men):
        who = f"{table['rows'][at]['label']}: "
        notes[at] = [each.replace(who, "", 1) for each in wounds.get(man, ())]
    few = len(notes) <= MEN
    cards = [_card(row, together["head"], note, few) for row, note in zip(together["rows"], notes, strict=True)]
    for card in cards:
        if card["label"].isdigit():
            card["label"] = f"{table['title']} {card['label']}".strip()
    written = [card for card in cards if men or card["name"] or card["controls"]]
    block["lists" if not few else "cards"] += written
    block["bare"] += len(cards) - len(written)


def _together(table: Table) -> Table:
    """The table with the boxes of one choice in one column."""
    starts = [
        at
        for at, each in enumerate(table["head"])
        if at == 0
        or not (each["sub"] and table["head"][at - 1]["sub"] and table["head"][at - 1]["group"] == each["group"])
    ]
    spans = list(zip(starts, [*starts[1:], len(table["head"])], strict=True))
    heads = [_head(table["head"][start:end]) for start, end in spans]
    rows: list[Line] = [
        {
            "label": row["label"],
            "cells": [_one([each["sub"] for each in table["head"][a:b]], row["cells"][a:b]) for a, b in spans],
        }
        for row in table["rows"]
    ]
    return {**table, "head": heads, "rows": rows}


def _head(several: Sequence[Head]) -> Head:
    first = several[0]
    return first if len(several) == 1 else {"group": first["group"] or "State", "sub": "", "w": first["w"]}


def _one(words: Sequence[str], cells: Sequence[Control]) -> Control:
    """The boxes of a choice as one control."""
    if len(cells) == 1 or cells[0]["k"] != "flag":
        return cells[0]
    options = [(word, cell["on"]) for word, cell in zip(words, cells, strict=True)]
    return {"k": "one", "options": [each for each in options if each[1] or each[0] != "absent"]}


def _wide(table: Table, head: Sequence[str]) -> list[float]:
    """How many pixels each column of a table takes at least, that of the heads of its rows first."""
    first = max((min(len(row["label"]), HEAD) for row in table["rows"]), default=0)
    wide = [max(FIRST, max(first, len(table["title"])) * LETTER + SIDES)]
    for at, words in enumerate(head):
        cells = [_cell(row["cells"][at]) for row in table["rows"]]
        wide.append(max([_longest(words) * ABOVE, *cells]) + SIDES)
    return wide


def _cell(control: Control) -> float:
    kind = control["k"]
    if kind == "boxes":
        return min(control["limit"], 5) * BOX
    if kind == "list":
        return 2 * HEAD * LETTER
    if kind == "fill":
        return _longest(str(control["value"])) * LETTER
    if kind == "flag":
        return BOX + _longest(control["word"]) * LETTER
    words = [word for word, on in control["options"] if on or kind == "choice"]
    return BOX + max(map(_longest, words), default=0) * LETTER


def _longest(words: str) -> int:
    return max(map(len, words.replace("-", "- ").split()), default=0)


def _card(row: Line, head: Sequence[Head], notes: Sequence[str], few: bool) -> Card:
    """A row of a table with what is written or can be crossed off in it; a name that leads it stands by its label."""
    cells: list[Control] = [
        {**cell, "label": one["group"] or one["sub"], "k": "choice" if cell["k"] == "one" and few else cell["k"]}
        for one, cell in zip(head, row["cells"], strict=True)
    ]
    name = ""
    if cells[0]["k"] == "fill" and not cells[0]["narrow"]:
        name = str(cells.pop(0)["value"])
    return {"label": row["label"], "name": name, "controls": [each for each in cells if _worth(each)], "notes": notes}


def _worth(control: Control) -> bool:
    """Whether a control has its place on a card: what can be crossed off, and what is written."""
    if control["k"] in ("flag", "fill", "list"):
        return bool(control.get("on") or control.get("value") or control.get("items"))
    return control["k"] == "boxes" or control["k"] == "choice" and len(control["options"]) <= 4 or bool(chosen(control))


def _upright(table: Table) -> Table:
    """A table that lies on its side for want of height on paper stands up again: a screen has room below."""
    if len(table["rows"]) != 1 or len(table["head"]) <= MANY or any(each["sub"] for each in table["head"]):
        return table
    line, first = table["rows"][0], table["head"][0]
    rows: list[Line] = [
        {"label": each["group"], "cells": [cell]} for each, cell in zip(table["head"], line["cells"], strict=True)
    ]
    return {**table, "head": [{"group": line["label"], "sub": "", "w": first["w"]}], "rows": rows}


def _of_grid(grid: Grid) -> Table:
    """A grid as a table, its longer side down where it has too many columns."""
    head, rows = grid["head"], grid["rows"]
    if len(head) > MANY:
        cells = list(zip(*(row["cells"] for row in rows), strict=True))
        head, rows = (
            [row["label"] for row in rows],
            [{"label": label, "cells": list(each)} for label, each in zip(head, cells, strict=True)],
        )
    heads: list[Head] = [{"group": each, "sub": "", "w": "text"} for each in head]
    return {"title": "", "head": heads, "rows": rows, "tall": False}
