"""Caches shared by the commands of all tests: parsed and checked games, and declared options."""

from collections.abc import Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache, cached_property
from pathlib import Path

import pytest

from companion.cli import commands
from companion.engine.about import Part
from companion.engine.fields import Spec
from companion.packs import Pack, check
from companion.packs.check_tables import PackNames
from companion.packs.folders import tables_folder
from companion.packs.form_check import Slip
from companion.packs.language import Language
from companion.packs.linking import File


@contextmanager
def made_once() -> Iterator[None]:
    """Parse and check the built-in games once, and build their sheets once.

    A game with overlays of a player is cached separately, and so is one in any other folder. Each game that is opened
    has its own tables and names, which a campaign or a test may change.
    """
    open_pack, link, make, ours = Pack.__init__, Pack.linked, Pack.__dict__["language"].func, tables_folder()
    layers: dict[tuple[Path, ...], dict[str, list[Path]]] = {}
    files: dict[tuple[Path, ...], dict[str, File]] = {}
    languages: dict[tuple[Path, ...], Language] = {}

    def opened(pack: Pack, name: str, folders: list[Path] | None = None) -> None:
        open_pack(pack, name, folders)
        if type(pack) is Pack and all(each.parent == ours for each in pack.folders):
            if tuple(pack.folders) not in layers:
                layers[tuple(pack.folders)] = pack.layers
            pack.layers = layers[tuple(pack.folders)]
            files.setdefault(tuple(pack.folders), {})

    def as_it_was(pack: Pack) -> bool:
        which = tuple(pack.folders)
        return type(pack) is Pack and which in layers and pack.layers is layers[which]

    def linked(pack: Pack, name: str) -> File:
        if name in pack._docs or not as_it_was(pack):
            return link(pack, name)
        shared = files[tuple(pack.folders)]
        if name not in shared:
            shared[name] = link(pack, name)
        pack._linked[name], pack._docs[name] = shared[name], shared[name].doc
        return shared[name]

    def language(pack: Pack) -> Language:
        if not as_it_was(pack):
            return make(pack)
        which = tuple(pack.folders)
        if which not in languages:
            languages[which] = make(pack)
        mine = copy(languages[which])
        mine.sheet = copy(mine.sheet)
        mine.sheet.nicknames = copy(mine.sheet.nicknames)
        return mine

    own = cached_property(language)
    own.__set_name__(Pack, "language")
    with pytest.MonkeyPatch.context() as patched:
        _proved_once(patched, ours)
        patched.setattr(Pack, "__init__", opened)
        patched.setattr(Pack, "linked", linked)
        patched.setattr(Pack, "language", own)
        patched.setattr(commands, "command", cache(commands.command))
        yield


def _proved_once(patched: pytest.MonkeyPatch, ours: Path) -> None:
    """Parse each built-in file once, check its form once, and its sentences again only if the sheet or a table they
    depend on has changed.
    """
    parse, look_through, look_into = Pack.parsed, check.slips, check._sentences
    docs: dict[Path, Spec] = {}
    known_docs: dict[int, Spec] = {}
    slips: dict[tuple[int, type[Part]], list[Slip]] = {}
    faults: dict[tuple[int, ...], tuple[dict[str, Spec], list[Slip]]] = {}

    def parsed(pack: Pack, path: Path) -> Spec:
        if path.parent.parent != ours or path in pack._parsed:
            return parse(pack, path)
        if path not in docs:
            docs[path] = doc = parse(pack, path)
            known_docs[id(doc)] = doc
        pack._parsed[path] = docs[path]
        return pack._parsed[path]

    def form(doc: Spec, of: type[Part]) -> Iterator[Slip]:
        if id(doc) not in known_docs:
            return look_through(doc, of)
        if (id(doc), of) not in slips:
            slips[id(doc), of] = list(look_through(doc, of))
        return iter(slips[id(doc), of])

    def sentences(known: PackNames, key: str) -> list[Slip]:
        pack = known.pack
        files = [name for name in (key, "sheet", "choices") if name in pack.layers]
        about = tuple(id(pack.parsed(pack.layers[name][0])) for name in files)
        if any(len(pack.layers[name]) > 1 for name in files) or not known_docs.keys() >= set(about):
            return look_into(known, key)
        looked_up, wrong = faults.get(about, ({}, None))
        if wrong is None or any(pack.read(name) is not doc for name, doc in looked_up.items()):
            wrong = look_into(known, key)
            faults[about] = {name: pack.read(name) for name in known.language.looked_up}, wrong
        return list(wrong)

    patched.setattr(Pack, "parsed", parsed)
    patched.setattr(check, "slips", form)
    patched.setattr(check, "_sentences", sentences)
