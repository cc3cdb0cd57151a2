"""The folders of the games and their files: parsed as TOML, or decoded from the cache.

The cache holds decoded files as JSON, with the player's data; deleting it only costs time. A cached file records the
path, the time and the size of each source. If any of these differ, it is rebuilt.
"""

from __future__ import annotations

import json
import os
import re
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from companion.engine.fields import Spec
from companion.problems import SystemFault, UserError
from companion.store.files import home, present, read_bytes, save, text_of
from companion.words import bare, one_of

Where = tuple[str | int, ...]  # a place in a file
Doc = dict[str, Any]  # a part of a file that receives functions or is changed
FORMAT = 11
SETTLED = 2.0  # the resolution of file times, in seconds
LEFT_OUT = "it does not fit and is left out"
NOTES = ("patched", "misfits")  # what a merged file says of its patches
REASON = "from your rulebook"  # the reason of rows that the player copied: no house rule
MISTAKES = {
    "Illegal character '\\n'": "a quote is missing at the end",
    "Unterminated string": "a quote is missing",
    "Invalid value": "the part after = isn't a value. A text needs quotes",
    "Expected newline or end": "more follows where the line should end. Check the quotes and commas",
    "Cannot overwrite a value": "this key occurs twice",
}


def parsed(text: str) -> Spec:
    """Return a parsed TOML text; raise ValueError if it is not TOML."""
    import tomllib  # a lookup reads the cache instead

    return tomllib.loads(text)


def read_file(path: Path) -> Spec:
    """Return a parsed TOML file.

    Raises:
        SystemFault: The file cannot be read, is not TOML, or contains a value that no pack may have.
    """
    try:
        content = read_bytes(path)
    except OSError as error:
        raise SystemFault(f"can't read {path}: {error.strerror}") from None
    try:
        doc = parsed(text_of(content))
    except UnicodeDecodeError as error:
        raise SystemFault(f"{path} isn't UTF-8 text: {error.reason}") from None
    except ValueError as error:  # including a number with thousands of digits
        raise SystemFault(f"{path} isn't valid TOML: {unreadable(str(error))}") from None
    except RecursionError:
        raise SystemFault(f"{path} is nested too deeply") from None
    return doc


def is_patch(doc: Spec) -> bool:
    """Return whether a file changes the one below instead of hiding it."""
    return isinstance(doc.get("patch"), list)


def unreadable(error: str) -> str:
    """Explain an error of the TOML parser to somebody who does not know TOML.

    >>> unreadable("Illegal character '\\\\n' (at line 3, column 12)")
    'a quote is missing at the end (at line 3, column 12)'
    """
    told = next((told for start, told in MISTAKES.items() if error.startswith(start)), "")
    return " (".join([told, *error.partition(" (")[2:]]) if told else error


def places(part: object, at: Where = ()) -> Iterator[tuple[Where, object]]:
    """Yield every value in a parsed file with its place, the file itself first."""
    left = [(at, part)]
    while left:
        at, part = left.pop()
        yield at, part
        inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
        left += reversed([((*at, key), each) for key, each in inner])


PROSE = ("text", "why", "title", "label", "note", "reading", "otherwise", "reason", "refuse", "line")


def names_in(doc: object) -> set[str]:
    """Return the words of a file that can be names; of a text only those in braces."""
    names = set[str]()
    for at, value in places(doc):
        text = value if isinstance(value, str) else ""
        if at and at[-1] in PROSE:
            text = " ".join(re.findall(r"\{[^}]*\}", text))
        names |= {*re.findall(r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)*|\.[\w-]+", text), *map(str, at[-1:])}
    return names


def uses(names: set[str], name: str) -> bool:
    """Return whether a field, a fact or an index is among these words: `crew[position]` as `crew` or `crew.pilot`."""
    head, key = name.partition("[")[0], name.rpartition("]")[2]
    return any(each.startswith(f"{head}.") or (key and each.endswith(key)) for each in names) or head in names


def cached(game: str, name: str, sources: Sequence[Path], make: Callable[[], Doc]) -> Doc:
    """Return what `make` made of these sources: from the cache, unless one of them has changed since.

    A source written a moment ago is not cached: it could change again without a new time. Write errors are ignored.
    """
    place, times = cache_file(game, name, sources), stamp(sources)
    made_of = [FORMAT, *times]
    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(read_bytes(place))
        if isinstance(kept, dict) and kept.get("made of") == made_of:
            doc: Doc = kept["doc"]
            return doc
    doc = make()
    if all(abs(time.time() - int(written) / 1e9) >= SETTLED for _, written, _ in times):
        with suppress(OSError, SystemFault):
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            save(place, json.dumps({"made of": made_of, "doc": doc}, separators=(",", ":")).encode(), sync=False)
    return doc


def cache_file(game: str, name: str, sources: Sequence[Path]) -> Path:
    """Return the cache path of a file; each stack of layers has its own."""
    which = zlib.crc32("\n".join(map(str, sources)).encode(errors="surrogateescape"))
    return home() / "cache" / f"{game}-{name}-{which:08x}.json"


def stamp(sources: Sequence[Path]) -> list[list[str | int]]:
    """Return the path, time and size of each source before it is read; raise SystemFault if it cannot be."""
    try:
        return [[str(path), at.st_mtime_ns, at.st_size] for path in sources for at in (os.stat(path),)]
    except OSError as error:
        raise SystemFault(f"can't read {error.filename}: {error.strerror}") from None


# -- folders ----------------------------------------------------------------------------------------------------------


@cache
def tables_folder() -> Path:
    """Return the folder of the built-in packs: next to the package in a checkout, inside it when installed."""
    inside = Path(__file__).resolve().parent.parent / "tables"
    return inside if inside.is_dir() else inside.parent.parent / "tables"


def players_folder() -> Path:
    """Return the folder of the player's packs: overlays of built-in packs, and their own games."""
    return home() / "packs"


def games() -> list[str]:
    """Return the names of the available packs, including the player's own games."""
    abouts = [*tables_folder().glob("*/pack.toml"), *players_folder().glob("*/pack.toml")]
    found = {each.parent.name for each in abouts if each.parent.name == each.parent.name.casefold()}
    return sorted(found | packaged().keys())


@cache
def packaged() -> dict[str, Path]:
    """Return the games of installed Python packages, by name: entry points of the group `companion.games`.

    The value of an entry point is the package whose folder holds the game's files.
    """
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    found: dict[str, Path] = {}
    for each in entry_points(group="companion.games"):
        with suppress(ImportError, ValueError):
            places = getattr(find_spec(each.value), "submodule_search_locations", None) or ()
            for place in [Path(place) for place in places]:
                found |= {each.name: place} if present(place / "pack.toml") else {}
    return found


def beginning() -> str:
    """Return the command that starts a campaign, with the available games."""
    return f'companion new "Lucky Thirteen" --game b29 (the games are {one_of(games())})'


def folders_of_game(name: str) -> list[Path]:
    """Return the folders of a game and of all packs that it extends, topmost first.

    Raise UserError if there is no such game, SystemFault if packs extend each other in a circle.
    """
    folders: list[Path] = []
    game: str | None = name
    while game is not None:
        own = _folders_of(game)
        if not own:
            removed = home() / "removed" / game
            back = f"Bring it back with: companion games install {removed}" if game and present(removed) else ""
            raise UserError(f"there is no game {game or '(empty)'}. {back or f'Use {one_of(games())}'}")
        if own[0] in folders:
            raise SystemFault(f"{own[0] / 'pack.toml'}: packs extend each other in a circle")
        folders += own
        extended = [extends(each / "pack.toml") for each in own if present(each / "pack.toml")]
        game = next(filter(None, extended), None)
    return folders


def game_named(name: str) -> str:
    """Return the name of a game from typed text: `b29` for `B-29`, `bombs-away` for `Bombs Away!`.

    A unique part of a title is enough: `Streamliner`. Text that matches no game is returned unchanged.
    """
    folder, words = name.casefold(), bare(name)
    if _folders_of(folder) or not words or "/" in name or "\\" in name:
        return folder
    titles = {each: each for each in games()}
    for each in titles:
        with suppress(UserError):
            titles[each] = bare(str(read_file(_folders_of(each)[-1] / "pack.toml").get("title", each)))
    same = [each for each, title in titles.items() if words in (bare(each), title)]
    same = same or [each for each, title in titles.items() if len(words) > 3 and words in title]
    return same[0] if len(same) == 1 else folder


def _folders_of(name: str) -> list[Path]:
    """Return the folders with that name, the player's first; empty if there is no such game."""
    if not name.replace("-", "").isalnum():
        return []
    ours, theirs = tables_folder() / name, players_folder() / name
    if not present(ours / "pack.toml"):
        if present(theirs / "pack.toml") or name not in packaged():
            return [theirs] if present(theirs / "pack.toml") else []
        ours = packaged()[name]
    return [theirs, ours] if theirs.is_dir() else [ours]


def extends(about: Path) -> str:
    """Return the game that a `pack.toml` extends; empty if none.

    Every command calls this, so the file is parsed only if it contains the word. Raise SystemFault for an unreadable
    file.
    """
    try:
        content = read_bytes(about)
    except OSError as error:
        raise SystemFault(f"can't read {about}: {error.strerror}") from None
    if b"extends" not in content:
        return ""
    game = read_file(about).get("extends", "")
    if not isinstance(game, str):
        raise SystemFault(f'{about}: extends must be the name of a game, e.g. extends = "b17"')
    return game
