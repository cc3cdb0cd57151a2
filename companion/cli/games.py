"""`companion games …`: the games, and the boxes whose figures are known."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

from companion.cli.commands import Json, group, print_json
from companion.cli.tables import Game, pack_of
from companion.problems import UserError
from companion.store import boxes
from companion.words import counted


def box(
    edition: Annotated[str | None, Argument(help="The edition to use from now on, e.g. 1995.")] = None,
    game: Game = None,
    json: Json = False,
) -> None:
    """List the boxes whose figures are known, or use another edition."""
    pack = pack_of(game)
    if not pack.about.box:
        raise UserError(f"{pack.title} has no box of cards to describe.")
    kept = boxes.read(pack.name)
    if edition is not None:
        kept["current"] = edition.strip() or boxes.FIRST
        boxes.write(pack.name, kept)
    current = kept["current"]
    if json:
        print_json({"current": current, "boxes": kept["boxes"]})
        return
    for name, figures in {current: {}, **kept["boxes"]}.items():
        here = " (used for the next new campaign)" if name == current else ""
        print(f"{pack.title}, {name}: {counted(len(figures), 'figure')}{here}")


games_command = group("The games, and the boxes whose figures are known.", box=box)
