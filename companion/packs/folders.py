"""Where the games stand: our folders and the player's, one over the other, and what each pack extends."""

from __future__ import annotations

from pathlib import Path

from companion.files.home import home
from companion.files.reading import content_of
from companion.problems import Problem, Trouble
from companion.words import one_of

NOT_TABLES = {
    "pack",
    "sheet",
    "rules",
    "sequence",
    "choices",
    "rulings",
    "story",
}  # the names of files that are no tables
WIDE = (b"\xff\xfe", b"\xfe\xff")  # what UTF-16 begins with


def tables_folder() -> Path:
    """Our own packs: beside the package in a checkout, inside it when installed."""
    inside = Path(__file__).resolve().parent.parent / "tables"
    return inside if inside.is_dir() else inside.parent.parent / "tables"


def players_folder() -> Path:
    """Where a player keeps packs: overlays of ours, and games of a name of their own."""
    return home() / "packs"


def games() -> list[str]:
    """The names of the packs that are there, the player's own games among them."""
    abouts = [*tables_folder().glob("*/pack.toml"), *players_folder().glob("*/pack.toml")]
    return sorted({each.parent.name for each in abouts if each.parent.name == each.parent.name.casefold()})


def beginning() -> str:
    """How a campaign is begun, with the games that are there."""
    return f"companion new NAME --game GAME, where GAME is {one_of(games())}"


def folders_of_game(name: str) -> list[Path]:
    """The folders of a game and of all that it extends, topmost first.

    Raises a Problem where there is no such game, Trouble where packs extend each other in a circle.
    """
    folders: list[Path] = []
    game: str | None = name
    while game is not None:
        own = _folders_of(game)
        if not own:
            raise Problem(f"there is no game {game or '(empty)'}; known are {one_of(games())}")
        if own[0] in folders:
            raise Trouble(f"{own[0] / 'pack.toml'}: packs extend each other in a circle")
        folders += own
        extended = [extends(each / "pack.toml") for each in own if (each / "pack.toml").exists()]
        game = next(filter(None, extended), None)
    return folders


def _folders_of(name: str) -> list[Path]:
    """The folders of one name, the player's over ours; empty when there is no such game."""
    if not name.replace("-", "").isalnum():
        return []
    ours, theirs = tables_folder() / name, players_folder() / name
    if not (ours / "pack.toml").exists():
        return [theirs] if (theirs / "pack.toml").exists() else []
    return [theirs, ours] if theirs.is_dir() else [ours]


def extends(about: Path) -> str:
    """What `extends` says in a `pack.toml`, empty where it says nothing; every command asks for it.

    The word is looked for, and the file is parsed only where it stands. Raises Trouble for what cannot be read.
    """
    try:
        content, _ = content_of(about)
    except OSError as error:
        raise Trouble(f"cannot read {about}: {error.strerror}") from None
    if b"extends" not in content and not content.startswith(WIDE):
        return ""
    from companion.packs.source import read_file

    game = read_file(about).get("extends", "")
    if not isinstance(game, str):
        raise Trouble(f"{about}: extends takes the name of a game")
    return game
