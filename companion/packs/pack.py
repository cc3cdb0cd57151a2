"""Packs: the folders of TOML that hold the games. One file is read when it is needed, through a cache."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.engine.rules import Rules
from companion.engine.sequence import Steps
from companion.engine.sheet import Sheet
from companion.engine.tables import Table
from companion.files.home import home
from companion.problems import Problem, Trouble, understood
from companion.words import one_of

if TYPE_CHECKING:
    from companion.packs.sentences import Names

NOT_TABLES = {"pack", "sheet", "rules", "sequence", "choices"}


def tables_folder() -> Path:
    """Our own packs: beside the package in a checkout, inside it when installed."""
    inside = Path(__file__).resolve().parent.parent / "tables"
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
        self._said: dict[str, Any] = {}
        self._units: dict[str, Mapping[str, Any]] = {}

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
            abouts = [_extended(each / "pack.toml") for each in found if (each / "pack.toml").exists()]
            below = next((each for each in abouts if each), None)
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
        top = _understood(paths[0]) if paths else {}
        if not paths or (len(paths) == 1 and "patch" not in top) or (name != "pack" and "patch" not in top):
            return top
        from companion.packs.overlays import laid

        return laid(name, paths, [top, *map(_understood, paths[1:])])

    def unit(self, name: str) -> Mapping[str, Any]:
        """The file of that name with its sentences compiled, from the cache while nothing has changed; else from its
        source. Raises Trouble that names the first fault."""
        if name not in self._units:
            if name not in self.layers:
                return {}
            from companion.packs import cache

            self._units[name] = cache.unit(self, name)
        return self._units[name]

    def compiled(self, name: str) -> tuple[str, Sequence[str], list[str]]:
        """The Python of a file, what is wrong with its sentences, and the tables that it looks things up in."""
        from companion.packs.compiler import compiled

        return compiled(self.names, name, self.read(name), str(self.layers[name][0]))

    @cached_property
    def names(self) -> Names:
        """Every name that a sentence of this pack may use."""
        from companion.packs.compiler import names_of

        return names_of(self)

    @cached_property
    def about(self) -> Mapping[str, Any]:
        """`pack.toml`: title, sources, what a mission starts with."""
        return self.unit("pack")

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
            sheet = Sheet.read(self.name, self.unit("sheet"))
        sheet.has_column = lambda table, facts: self.table(table).has_column(facts)
        sheet.look_up = lambda table, part, facts: self.table(table).says(part, facts)
        return sheet

    @cached_property
    def rules(self) -> Rules:
        """The standing rules."""
        with understood(f"{self.name}: rules.toml"):
            return Rules(self.unit("rules"), self.sheet)

    @cached_property
    def sequence(self) -> Steps:
        """The steps of a mission."""
        with understood(f"{self.name}: sequence.toml"):
            return Steps(self.unit("sequence").get("step", ()), self.sheet)

    def choice(self, name: str) -> Mapping[str, Any]:
        """The declared choice of that name."""
        found = self.unit("choices").get("choice", {}).get(name)
        if found is None:
            raise Trouble(f"{self.name}: there is no choice {name}")
        return found

    def has_choice(self, name: str) -> bool:
        """Whether the pack declares that choice."""
        return name in self.unit("choices").get("choice", {})

    def until(self, order: Mapping[str, Any]) -> Any:
        """The condition that ends a standing order, from the file that gave it; one that stands there no longer, or
        in the words of the first edition, is read anew."""
        said = order["done"]
        unit = self.unit(str(order.get("by", ""))) if order.get("by") in self.files else {}
        test = unit.get("#untils", {}).get(said) if isinstance(said, str) else None
        if test is None:
            from companion.packs.first import sentence

            said = said if isinstance(said, str) else sentence(said)
            test = self.condition(said)
        return test

    def condition(self, sentence: str) -> Any:
        """A condition that stands in no file, as a function of the facts; compiled once."""
        if sentence not in self._said:
            from companion.packs.compiler import condition

            self._said[sentence] = condition(self, sentence)
        return self._said[sentence]

    def heading(self, name: str) -> tuple[str, str]:
        """The number and the title of a table for a list of all of them: from the first lines of its file, and parsed
        only where several files lie over each other or these lines are written otherwise."""
        import re

        paths = self.layers[name]
        if len(paths) == 1:
            with contextlib.suppress(OSError, ValueError):
                head = paths[0].read_text(encoding="utf-8").partition("\n[")[0]
                said = [re.search(rf'^{key} = "([^"\\\n]*)"', head, re.MULTILINE) for key in ("id", "title")]
                if said[0] and said[1]:
                    return said[0][1], said[1][1]
        doc = self.read(name)
        return str(doc.get("id", "")), str(doc.get("title", ""))

    def table_names(self) -> list[str]:
        """The numbers of all tables that have a file, in the order of the book."""
        from companion.words import natural_order

        names = [self.unit(name)["id"] for name in self.files if name not in NOT_TABLES]
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
            try:
                return Table(self.unit(key), self.sheet)
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
            f"did you mean {one_of([self.table(each).id for each in near])}?" if near else "see: companion tables list"
        )
        return f"{self.name} has no table {name.strip() or '(empty)'}; {hint}"

    def all_tables(self) -> Iterator[Table]:
        """Every table with a file of its own."""
        for name in self.table_names():
            yield self.table(name)


def _extended(path: Path) -> str:
    """The pack that this one lies over, read without a parser: every command asks for it."""
    from companion.packs import cache

    return cache.extended(path)


def read_file(path: Path) -> Mapping[str, Any]:
    """A parsed TOML file as it stands on the disk; one of a player's own may have patches of the first edition."""
    import tomllib

    from companion.files.reading import text_of

    try:
        doc: Mapping[str, Any] = plain(tomllib.loads(text_of(path.read_bytes())), path)
        if tables_folder() in path.parents:
            return doc
        from companion.packs.first import brought_over

        return brought_over(doc)
    except UnicodeDecodeError as error:
        raise Trouble(f"{path} is not UTF-8 text: {error.reason}") from None
    except ValueError as error:  # a number of thousands of figures too
        from companion.packs.lines import unreadable

        raise Trouble(f"{path} is not valid TOML: {unreadable(str(error))}") from None
    except RecursionError:
        raise Trouble(f"{path} is nested too deeply") from None
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror}") from None


def _understood(path: Path) -> Mapping[str, Any]:
    """A parsed file, which a player has not left in the first edition of the format."""
    doc = read_file(path)
    if tables_folder() not in path.parents:
        from companion.packs.first import refuse

        refuse(doc, path)
    return doc


def plain(part: Any, path: Path) -> Any:
    """What a file of a pack may hold: texts, numbers, flags, lists and tables, no dates."""
    if isinstance(part, dict):
        return {key: plain(value, path) for key, value in part.items()}
    if isinstance(part, list):
        return [plain(each, path) for each in part]
    if isinstance(part, str | int | float):
        return part
    raise Trouble(f"{path}: no table holds a date or a time; put {part} in quotes")
