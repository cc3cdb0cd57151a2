"""`companion games …`: the games, new ones and those of others, and the boxes whose figures are known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from companion.cli.asking import agreed, wrapped
from companion.cli.commands import Json, group, print_json
from companion.cli.tables import Game, check, pack_of
from companion.packs import Pack, game_named, players_folder
from companion.packs import games as all_games
from companion.packs.layers import folders_of_game
from companion.problems import UserError
from companion.store.campaigns import FIRST, boxes_of, campaigns, keep_boxes
from companion.store.files import give
from companion.words import counted

Name = Annotated[str, Argument(help="The game's name, e.g. b29.")]


def listing(json: Json = False) -> None:
    """List the games, with version and author. Yours are marked."""
    rows, yours = [], []
    for name in all_games():
        about, (folder, *below) = Pack(name).about, folders_of_game(name)
        mine = players_folder() in folder.parents and any(folder.glob("*.toml"))
        yours.append("" if not mine else "with house rules of yours" if below and below[0].name == name else "yours")
        keys = {key: getattr(about, key) for key in ("title", "version", "author", "license", "extends")}
        rows.append({"game": name, **keys, "folder": str(folder), "yours": mine})
    if json:
        print_json(rows)
        return
    wide = max(len(str(row["game"])) for row in rows)
    for row, whose in zip(rows, yours, strict=True):
        more = [f"version {row['version']}" if row["version"] else "", str(row["author"])]
        more += [f"a variant of {row['extends']}" if row["extends"] else "", whose]
        told = ", ".join(filter(None, more))
        wrapped(f"{row['game']!s:{wide}}  {row['title']}{f' ({told})' if told else ''}")


def new(name: Name) -> None:
    """Start a game of your own from a small one that can be flown."""
    from companion.packs import game_files

    if game_files.named(name) in all_games():
        raise UserError(f"there is a game {name} already. Choose another name")
    folder = game_files.install(name, game_files.template(name))
    wrapped(f"{folder} holds a small game to change. Its words are in: companion guide writing")
    wrapped(f"Check it with: companion games check {name}. Try it with: companion new Trial --game {name}")


def install(
    source: Annotated[Path, Argument(help="A folder or a ZIP file with a game.")],
    replace: Annotated[bool, Option("--replace", help="Replace the game of that name.")] = False,
) -> None:
    """Install a game, or house rules for one, after checking it."""
    from companion.packs import game_files

    name, files = game_files.packed(source)
    folder = game_files.install(name, files, replace=replace)
    about = Pack(name).about
    by = f" by {about.author}" if about.author else ""
    wrapped(f"{about.title}{by} is installed in {folder}. Start with: companion new NAME --game {name}")


def remove(name: Name, yes: Annotated[bool, Option("--yes", "-y", help="Don't ask first.")] = False) -> None:
    """Remove a game of yours, or your house rules for one. The files are kept."""
    from companion.packs import game_files

    folder = players_folder() / game_named(name)
    if not folder.is_dir():
        raise UserError(f"'{name}' isn't a game of yours. List the games with: companion games list")
    for campaign in campaigns()[0]:
        used = [number for number in campaign.missions() if campaign.game_of(number) == folder.name]
        if used or campaign.game == folder.name:
            wrapped(f"{campaign.name} uses {folder.name}: {counted(len(used), 'mission')}. Its files are kept.")
    if not agreed(f"Remove {folder}?", "games remove", yes=yes):
        return
    kept = game_files.set_aside(folder)
    wrapped(f"{folder.name} is removed. Its files are in {kept}. Bring it back with: companion games install {kept}")


def export(name: Name, file: Annotated[Path | None, Argument(help="ZIP file to write.")] = None) -> None:
    """Save a game as a ZIP file to share, or your house rules for one."""
    from companion.packs import game_files

    pack = Pack(name)
    version = f"-{pack.about.version}" if pack.about.version else ""
    file = file or Path(f"{pack.name}{version}.zip")
    give(file, game_files.archive(pack.name, folders_of_game(pack.name)[:1]))
    wrapped(f"{pack.title}: saved in {file}. Install it elsewhere with: companion games install {file}")


def box(
    edition: Annotated[str | None, Argument(help="The edition to use from now on, e.g. 1995.")] = None,
    game: Game = None,
    json: Json = False,
) -> None:
    """List the boxes whose figures are known, or use another edition."""
    pack = pack_of(game)
    if not pack.about.box:
        raise UserError(f"{pack.title} has no box of cards to describe.")
    kept = boxes_of(pack.name)
    if edition is not None:
        kept["current"] = edition.strip() or FIRST
        keep_boxes(pack.name, kept)
    current = kept["current"]
    if json:
        print_json({"current": current, "boxes": kept["boxes"]})
        return
    for name, figures in {current: {}, **kept["boxes"]}.items():
        here = " (used for the next new campaign)" if name == current else ""
        print(f"{pack.title}, {name}: {counted(len(figures), 'figure')}{here}")


games_command = group(
    "The games that you have, new ones, and games of others.",
    list=listing,
    new=new,
    check=check,
    install=install,
    remove=remove,
    export=export,
    box=box,
)
