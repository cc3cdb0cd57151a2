"""Packs: the folders of TOML that hold the games. One file is read when it is needed, through a cache."""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from companion import disk
from companion.engine.rules import Rules
from companion.engine.sequence import Sequence
from companion.engine.tables import Table
from companion.home import home
from companion.problems import Problem, Trouble, one_of, understood
from companion.sheet import Sheet

FORMAT = 1
NOT_TABLES = {"pack", "sheet", "rules", "sequence", "choices"}


def tables_folder() -> Path:
    """Our own packs: beside the package in a checkout, inside it when installed."""
    inside = Path(__file__).resolve().parent / "tables"
    return inside if inside.is_dir() else inside.parent.parent / "tables"


def players_folder() -> Path:
    """Where a player keeps packs: overlays of ours, and games of a name of their own."""
    return home() / "packs"


def games() -> list[str]:
    """The names of the packs that are there, the player's own games among them."""
    found = [*tables_folder().glob("*/pack.toml"), *players_folder().glob("*/pack.toml")]
    return sorted({each.parent.name for each in found if each.parent.name == each.parent.name.casefold()})


def beginning() -> str:
    """How a campaign is begun, with the games that are there."""
    return f"companion new NAME --game GAME, where GAME is {one_of(games())}"


def _folders_of(name: str) -> list[Path]:
    """The folders of one name, the player's over ours; empty when there is no such game."""
    if not name.replace("-", "").isalnum():
        return []
    ours, theirs = tables_folder() / name, players_folder() / name
    if not (ours / "pack.toml").exists():
        return [theirs] if (theirs / "pack.toml").exists() else []
    return [theirs, ours] if theirs.is_dir() else [ours]


class Pack:
    """One game. `pack.table("5-9")` compiles a table at first use; conditions live on `pack.sheet`."""

    def __init__(self, name: str, folders: list[Path] | None = None) -> None:
        self.name = name.casefold()
        self.folders = folders if folders is not None else self._find(self.name)
        self._tables: dict[str, Table] = {}
        self._docs: dict[str, Mapping[str, Any]] = {}

    @staticmethod
    def _find(name: str) -> list[Path]:
        folders: list[Path] = []
        below: str | None = name
        while below is not None:
            found = _folders_of(below)
            if not found:
                raise Problem(f"there is no game {below or '(empty)'}; known are {one_of(games())}")
            if found[0] in folders:
                raise Trouble(f"{found[0] / 'pack.toml'}: packs extend each other in a circle")
            folders += found
            abouts = [read_file(each / "pack.toml") for each in found if (each / "pack.toml").exists()]
            below = next((str(each["extends"]) for each in abouts if "extends" in each), None)
        return folders

    @cached_property
    def layers(self) -> dict[str, list[Path]]:
        """Every file of the pack by its name without case, with those that it lies over; topmost first."""
        found: dict[str, list[Path]] = {}
        for folder in self.folders:
            for file in os.listdir(folder):
                if file.endswith(".toml"):
                    found.setdefault(file[:-5].casefold(), []).append(folder / file)
        return found

    @cached_property
    def files(self) -> dict[str, Path]:
        """The topmost file of each name."""
        return {name: paths[0] for name, paths in self.layers.items()}

    def read(self, name: str) -> Mapping[str, Any]:
        """The parsed file of that name with what lies over it; an empty mapping when the pack has none."""
        if name not in self._docs:
            self._docs[name] = self._read(name)
        return self._docs[name]

    def _read(self, name: str) -> Mapping[str, Any]:
        paths = self.layers.get(name, [])
        top = read_file(paths[0]) if paths else {}
        if not paths or (len(paths) == 1 and "patch" not in top) or (name != "pack" and "patch" not in top):
            return top
        from companion.overlays import laid

        return laid(name, paths, [top, *map(read_file, paths[1:])])

    @cached_property
    def about(self) -> Mapping[str, Any]:
        """`pack.toml`: title, sources, what a mission starts with."""
        return self.read("pack")

    @property
    def root(self) -> str:
        """The name of the pack at the bottom of all that this one extends: variants of one game share it."""
        pack = self
        while below := pack.about.get("extends"):
            pack = Pack(str(below))
        return pack.name

    @cached_property
    def sheet(self) -> Sheet:
        """The declared log sheet."""
        with understood(f"{self.name}: sheet.toml"):
            sheet = Sheet.read(self.name, self.read("sheet"))
        sheet.has_column = lambda table, facts: self.table(table).has_column(facts)
        sheet.look_up = lambda table, part, facts: self.table(table).says(part, facts)
        return sheet

    @cached_property
    def rules(self) -> Rules:
        """The standing rules."""
        with understood(f"{self.name}: rules.toml"):
            return Rules(self.read("rules").get("rule", ()), self.sheet)

    @cached_property
    def sequence(self) -> Sequence:
        """The steps of a mission."""
        with understood(f"{self.name}: sequence.toml"):
            return Sequence(self.read("sequence").get("step", ()), self.sheet)

    def choice(self, name: str) -> Mapping[str, Any]:
        """The declared choice of that name."""
        found = self.read("choices").get("choice", {}).get(name)
        if found is None:
            raise Trouble(f"{self.name}: there is no choice {name}")
        return found

    def has_choice(self, name: str) -> bool:
        """Whether the pack declares that choice."""
        return name in self.read("choices").get("choice", {})

    def table_names(self) -> list[str]:
        """The numbers of all tables that have a file, in the order of the book."""
        from companion.problems import natural_order

        names = [self.read(name)["id"] for name in self.files if name not in NOT_TABLES]
        return sorted(names, key=natural_order)

    def table(self, name: str) -> Table:
        """The table or sub-roll of that number, without regard to case; raises a Problem that offers near ones."""
        key = name.strip().casefold()
        found = self._tables.get(key)
        if found is None:
            with understood(f"{self.name}: the table {name.strip()}"):
                found = self._table(key)
            if found is None:
                raise Problem(self._unknown(name))
            self._tables[key] = found
        return found

    def _table(self, key: str) -> Table | None:
        if key in self.files and key not in NOT_TABLES:
            doc = self.read(key)
            try:
                return Table.read(doc, self.sheet)
            except KeyError as missing:
                raise Trouble(f"{self.files[key]}: the table lacks {missing}") from None
        head, dot, tail = key.rpartition(".")
        if not dot or not head:
            return None
        if head not in self._tables and (above := self._table(head)) is not None:
            self._tables[head] = above
        parent = self._tables.get(head)
        return parent.sub(tail) if parent else None

    def _unknown(self, name: str) -> str:
        import difflib

        near = difflib.get_close_matches(name.casefold(), [each.casefold() for each in self.files], 3, 0.5)
        near = [each for each in near if each not in NOT_TABLES]
        hint = (
            f"did you mean {one_of([self.read(each)['id'] for each in near])}?"
            if near
            else "see: companion tables list"
        )
        return f"{self.name} has no table {name.strip() or '(empty)'}; {hint}"

    def all_tables(self) -> Iterator[Table]:
        """Every table with a file of its own."""
        for name in self.table_names():
            yield self.table(name)


def read_file(path: Path) -> Mapping[str, Any]:
    """A parsed TOML file, from the cache when the file has not changed since."""
    try:
        stat = path.stat()
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror}") from None
    key = [FORMAT, str(path), stat.st_mtime_ns, stat.st_size]
    cached = _cache_file(path)
    try:
        with open(cached, encoding="utf-8") as file:
            kept = json.load(file)
        if kept["key"] == key:
            return kept["doc"]
    except (OSError, ValueError, KeyError, TypeError):
        pass
    doc = _parse(path)

    def refused(value: Any) -> Any:
        raise Trouble(f"{path}: no table holds a date or a time; put {value} in quotes")

    _keep(cached, json.dumps({"key": key, "doc": doc}, separators=(",", ":"), default=refused))
    return doc


def _parse(path: Path) -> dict[str, Any]:
    import tomllib

    from companion.reading import text_of

    try:
        return tomllib.loads(text_of(path.read_bytes()))
    except UnicodeDecodeError as error:
        raise Trouble(f"{path} is not UTF-8 text: {error.reason}") from None
    except ValueError as error:  # a number of thousands of figures too
        raise Trouble(f"{path} is not valid TOML: {error}") from None
    except RecursionError:
        raise Trouble(f"{path} is nested too deeply") from None
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror}") from None


def _cache_file(path: Path) -> Path:
    return home() / "cache" / f"{path.stem}-{zlib.crc32(str(path).encode()):08x}.json"


def _keep(cached: Path, kept: str) -> None:
    """The cache is a convenience: where it cannot be written, the TOML serves."""
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        disk.swap(cached, kept.encode())
    except OSError:
        pass
