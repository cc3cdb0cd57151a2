"""The figures of a box of cards, kept for the next campaign of its game, by edition."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypedDict

import msgspec

from companion.engine.fields import Value
from companion.engine.rules import Game
from companion.store.files import home, make_folder, read_bytes, save

FIRST = "first"  # the edition of a box that was given no name


class Boxes(TypedDict):
    """The boxes of a game: the edition in use, and the figures of each."""

    current: str
    boxes: dict[str, dict[str, Value]]


def read(game: str) -> Boxes:
    """Return the boxes of a game; a damaged file counts as none, since its figures are in the missions too."""
    try:
        return msgspec.json.decode(read_bytes(home() / "boxes" / f"{game}.json"), type=Boxes)
    except (FileNotFoundError, msgspec.MsgspecError, ValueError):
        return {"current": FIRST, "boxes": {}}


def write(game: str, boxes: Boxes) -> None:
    """Save the boxes of a game."""
    path = home() / "boxes" / f"{game}.json"
    make_folder(path.parent)
    save(path, json.dumps(boxes, ensure_ascii=False, indent=1).encode())


def keep(game: Game, state: Mapping[str, Value]) -> None:
    """Keep the figures of a sheet for the edition in use, if the game has a box and something is new."""
    if not game.about.box:
        return
    fields, boxes = game.sheet.fields, read(game.name)
    figures = {name: value for name, value in state.items() if name in fields and fields[name].section == "book"}
    known = boxes["boxes"].get(boxes["current"], {})
    if figures and {**known, **figures} != known:
        boxes["boxes"][boxes["current"]] = {**known, **figures}
        write(game.name, boxes)


def figures(game: Game) -> dict[str, Value]:
    """Return the figures of the edition in use that the sheet still has."""
    if not game.about.box:
        return {}
    boxes = read(game.name)
    return {
        name: value for name, value in boxes["boxes"].get(boxes["current"], {}).items() if name in game.sheet.fields
    }
