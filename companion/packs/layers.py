"""The files of a pack, layer over layer, before a game is made of them: this is what is proved."""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from companion.engine.spec import Spec
from companion.packs.cache import digest
from companion.packs.folders import folders_of_game, tables_folder

if TYPE_CHECKING:
    from companion.packs.language.compiler import Compiled
    from companion.packs.language.names import Names


class Layers:
    """The files of one game: its own folder, the player's over it, and those of the packs that it extends.

    Raises a Problem where there is no such game.
    """

    def __init__(self, name: str, folders: list[Path] | None = None) -> None:
        self.name = name.casefold()
        self.folders = folders if folders is not None else folders_of_game(self.name)
        self._parsed: dict[Path, Spec] = {}
        self.checksums: dict[Path, bytes] = {}  # of what was parsed: a file may be written anew at any moment
        self._docs: dict[str, Spec] = {}

    @cached_property
    def layers(self) -> dict[str, list[Path]]:
        """Every file of the pack by its name without case, with those that it lies over; topmost first."""
        layers: dict[str, list[Path]] = {}
        for folder in self.folders:
            for file in os.listdir(folder):
                if file.endswith(".toml"):
                    layers.setdefault(file[:-5].casefold(), []).append(folder / file)
        return layers

    @cached_property
    def files(self) -> dict[str, Path]:
        """The topmost file of each name."""
        return {name: paths[0] for name, paths in self.layers.items()}

    def generation(self) -> list[tuple[str, int, int]]:
        """What tells the files as they lie now from those of any other moment: when each was written, how long."""
        files = [each for folder in self.folders for each in os.scandir(folder) if each.name.endswith(".toml")]
        return sorted((each.path, each.stat().st_mtime_ns, each.stat().st_size) for each in files)

    def label(self, name: str) -> str:
        """What the code of a file is called where Python names it."""
        return f"<{self.name} {name}>"

    def parsed(self, path: Path) -> Spec:
        """One file as it stands; raises Trouble where it cannot be read."""
        if path not in self._parsed:
            from companion.packs.source import content_in, parsed

            content = content_in(path)
            self.checksums[path] = digest(content)
            self._parsed[path] = parsed(content, path)
        return self._parsed[path]

    def read(self, name: str) -> Spec:
        """The parsed file of that name with what lies over it; an empty mapping when the pack has none.

        Raises Trouble where a patch does not fit, or where a player's file is in the first edition of the format.
        """
        if name not in self._docs:
            self._docs[name] = self._read(name)
        return self._docs[name]

    def _read(self, name: str) -> Spec:
        paths = self.layers.get(name, [])
        top = self._of_this_edition(paths[0]) if paths else {}
        if not paths or (len(paths) == 1 and "patch" not in top) or (name != "pack" and "patch" not in top):
            return top
        from companion.packs.overlays import laid

        return laid(name, paths, [top, *map(self._of_this_edition, paths[1:])])

    def _of_this_edition(self, path: Path) -> Spec:
        doc = self.parsed(path)
        if tables_folder() not in path.parents:
            from companion.packs.first import refuse

            refuse(doc, path)
        return doc

    @cached_property
    def names(self) -> Names:
        """Every name that a sentence of this pack may use; raises Trouble for what its sheet cannot declare."""
        from companion.packs.language.compiler import names_of

        return names_of(self.read("sheet"), lambda key: self.read(key) or None)

    def compiled(self, name: str) -> Compiled:
        """The Python of a file, what is wrong with its sentences, and the tables that it looks things up in."""
        from companion.packs.language.compiler import compiled

        return compiled(self.names, name, self.read(name))
