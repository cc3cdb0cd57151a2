"""Small games for the tests of the engine: a few files in a folder, and a sentence or a number worked out in one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from companion.engine.play import Play
from companion.engine.sheet import Facts, Value
from companion.packs import Pack
from companion.play.mission import Mission

SHEET = """
[sections]
all = "All"
[index.fighter]
count = 2
present = "type"
[index.side]
port = {near = "left", room = 2}
starboard = {near = "right", room = 3}
[fields.all]
zone = {kind = "count", limit = 5}
light = {values = "on off"}
weather = {values = "clear haze rain snow fog storm"}
city = {}
step = {}
hour = {kind = "count"}
seen = {kind = "count", until = "hour"}
clock = {values = "3 6 12"}
crossed = {kind = "flag"}
"hits[side]" = {boxes = 4}
"struck[side]" = {kind = "list"}
"slots.fighter" = {kind = "count"}
"fighter[fighter].type" = {}
"fighter[fighter].fca" = {kind = "count"}
[fields.more]
MORE
[facts]
wind-shift = {is = "row('look', 'wind-shift') if row('look') != none else 'steady'"}
"""
LOOK = 'id = "look"\ndice = "-"\nrows = {"0" = "calm"}\n[outcome."{wind-shift}"]\n'
NO_TABLES = ("pack", "sheet", "rules", "choices", "sequence")


def pack(folder: Path, *, sheet: str = SHEET, fields: str = "", facts: str = "", **files: str) -> Pack:
    """A game called `holes` of these files (`t`, `choices`): the `id` of a table and its one die go without saying.

    `fields` and `facts` are further lines of the sheet.
    """
    folder.mkdir(exist_ok=True)
    texts = {"pack": 'title = "Holes"\n', "sheet": sheet.replace("MORE", fields) + facts}
    if sheet is SHEET:
        texts["look"] = LOOK
    for name, text in {**texts, **files}.items():
        (folder / f"{name}.toml").write_text(_head(name, text) + text, encoding="utf-8")
    return Pack("holes", [folder])


def _head(name: str, text: str) -> str:
    top = f"\n{text}".partition("\n[")[0]
    if name in NO_TABLES or "\nid = " in top or "\n[[patch]]" in f"\n{text}":
        return ""
    without = re.search(r"^(dice|owner|do|then|cases) = ", top, re.MULTILINE)
    return f'id = "{name}"\n' + ("" if without else 'dice = "1D"\n')


def row(text: str) -> str:
    """A table with the one row `a`, which does this."""
    return f'rows = {{"1.." = "a"}}\n[outcome.a]\n{text}\n'


def holds(made: Pack, sentence: str, /, **state: Any) -> bool:
    """Whether a condition holds with these facts; `__` stands for the dot of a name."""
    test = made.condition(sentence)
    return bool(test(Facts(made.sheet, named(state))))


def named(state: dict[str, Any]) -> dict[str, Value]:
    """`hits__port` as `hits.port`."""
    return {name.replace("__", "."): value for name, value in state.items()}


def asked(mission: Mission | Play) -> list[Any]:
    """What is pending, in order: names of tables, choices, questions and orders."""
    return [item.get("roll") or item.get("choose") or item.get("ask") or item.get("order") for item in mission.pending]
