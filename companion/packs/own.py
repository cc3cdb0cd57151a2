"""The player's own files over ours: where they stand, what is opened to be edited, what would be wrong with a copy."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.packs.layers import NOT_TABLES, Layers, players_folder
from companion.packs.overlays import is_patch, laid
from companion.packs.pack import Pack
from companion.packs.places import Fault
from companion.packs.source import read_file
from companion.packs.toml_text import brought_to, toml
from companion.problems import Problem, Trouble
from companion.store.files import home, locked, make_folder, save, set_aside, text_of
from companion.store.system import content_of
from companion.words import counted

BELOW = "# ---- Only to be read: what your changes lie over. From this line on nothing is kept. ----"


def key_of(pack: Pack, name: str) -> str:
    """The file that holds a table (`4-9` for `4-9.doors`) or is named so (`sheet`); a Problem offers near names."""
    key = name.strip().casefold()
    if key in pack.layers and key != "pack":
        return key
    try:
        table = pack.table(name)
    except Trouble:  # the file is there and is not sound
        while key not in pack.layers and "." in key:
            key = key.rpartition(".")[0]
        if key in pack.layers and key not in NOT_TABLES:
            return key
        raise
    while table.parent is not None:
        table = table.parent
    return table.id.casefold()


def own_file(pack: Pack, key: str) -> Path:
    """Where the player's copy of a file stands, or would."""
    folder, top = players_folder() / pack.name, pack.layers[key][0]
    return top if top.parent == folder else folder / pack.layers[key][-1].name


def below(pack: Pack, key: str) -> list[Path]:
    """The files that the player's copy lies over; topmost first."""
    return [path for path in pack.layers[key] if path.parent != players_folder() / pack.name]


def draft_file(pack: Pack, name: str) -> Path:
    """Where something half done is put."""
    return home() / "drafts" / pack.name / name


def keep(path: Path, text: str) -> None:
    """Write a file of the player's own whole or not at all; the generation before of a pack's file stays beside it."""
    make_folder(path.parent)
    if players_folder() in path.parents:
        save(path, text.encode(), backup=True)
    else:
        save(path, text.encode(), end=f"{os.getpid()}.new")


@contextlib.contextmanager
def changing() -> Iterator[None]:
    """Hold the lock on the player's packs: what is written into them is judged and written while nobody else does."""
    make_folder(players_folder())
    with locked(players_folder()):
        yield


def drop(*drafts: Path) -> None:
    """Take drafts away that are done with; one that the disk does not let go is of another copy from now on."""
    for draft in drafts:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def aside(path: Path) -> Path:
    """Put a file of the player's under a name that covers no other and that no pack reads; gives back that name."""
    return set_aside(path, f"{path.suffix}.bak", record=players_folder() in path.parents)


# -- a copy of one's own -------------------------------------------------------------------------------------------


def beginning(pack: Pack, key: str) -> str:
    """What is opened to be edited: the player's own file, else the whole table as it stands.

    Under patches of his own stands what they lie over, to be read.
    """
    own, under = own_file(pack, key), below(pack, key)
    if pack.layers[key][0] != own:
        return whole(pack, key, under)
    text = text_in(own)
    try:
        patches = is_patch(read_file(own))
    except Problem:  # which is to be mended
        return text
    if not patches or not under:
        return text
    lines = whole(pack, key, under).splitlines()
    return "\n".join([text.rstrip("\n"), "", BELOW, *[f"# {line}".rstrip() for line in lines]]) + "\n"


def whole(pack: Pack, key: str, paths: Sequence[Path]) -> str:
    """A file as it stands with what lies over it (topmost first): its own words where nothing does."""
    docs = [read_file(path) for path in paths]
    if not is_patch(docs[0]):
        return text_in(paths[0])
    wanted = {name: value for name, value in laid(key, paths, docs).items() if name != "patched"}
    base = next(path for path, doc in zip(paths, docs, strict=True) if not is_patch(doc))
    return f"# {paths[-1].stem} as it stands in {pack.name}\n{brought_to(text_in(base), wanted)}"


def edited(draft: Path) -> str:
    """What the player has made of it, without what was only to be read."""
    try:
        text = text_of(content_of(draft)[0])
    except OSError as error:
        raise Trouble(f"cannot read {draft}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise Problem(f"{draft.name} is no text: {error.reason}; your copy stays as it was") from None
    head, mark, _ = text.partition(BELOW)
    return f"{head.rstrip()}\n" if mark else text


def stamp(path: Path) -> str:
    """What tells whether a file has changed; of one that is not there it is empty."""
    import hashlib

    try:
        return hashlib.blake2b(content_of(path)[0], digest_size=16).hexdigest()
    except OSError:
        return ""


def noted(origin: Path) -> str:
    """What was noted of the copy when a draft was begun; empty where that cannot be read."""
    try:
        return content_of(origin)[0].decode(errors="replace")
    except OSError:
        return ""


def text_in(path: Path) -> str:
    """The text of a player's file; raises Trouble where it cannot be read."""
    try:
        return text_of(content_of(path)[0])
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None


def faults(pack: Pack, key: str, text: str, before: str = "") -> list[str]:
    """What would be wrong with the pack if this were the player's copy of a file: with file, line and reason."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        file, own = Path(folder) / own_file(pack, key).name, own_file(pack, key)
        file.write_bytes(text.encode())
        trial = Layers(pack.name)
        trial.layers[key] = [file, *[path for path in trial.layers[key] if path != own]]
        wrong = _proved(trial)
        elsewhere = any(fault.path != file for fault in wrong)
        known = {fault.sentence for fault in _proved(Layers(pack.name)) if fault.path != own} if elsewhere else set()
        lines = []
        for fault in wrong:
            line, sentence = fault.line, fault.sentence
            if fault.path == file:
                sentence = sentence.replace(str(file), own.name)
                lines.append(f"{own.name}, line {line or _changed(text, before)}: {sentence}")
            elif sentence not in known:
                named = fault.path.name if fault.path else pack.name
                lines.append(f"{named}, line {line}: {sentence}" if line else sentence)
        return lines


def _proved(pack: Layers) -> list[Fault]:
    from companion.packs import check

    try:
        return list(check.faults(pack))
    except Problem as problem:
        return [Fault(None, 0, str(problem))]


def in_one_line(problem: str) -> str:
    """What is wrong, in one line: without the sentence that is marked below it."""
    return problem.partition("\n")[0]


def _changed(text: str, before: str) -> int:
    """The first line that is another than before."""
    old = set(before.splitlines())
    return next((number for number, line in enumerate(text.splitlines(), 1) if line not in old), 1)


# -- differences ---------------------------------------------------------------------------------------------------


def differences(pack: Pack) -> Iterator[str]:
    """How the player's folder differs from what lies below it, line by line."""
    from difflib import unified_diff

    for key, paths in sorted(pack.layers.items()):
        if paths[0] != own_file(pack, key):
            continue
        under = below(pack, key)
        doc = read_file(paths[0])
        if is_patch(doc):
            yield f"{key}: {counted(len(doc['patch']), 'change')}"
            for patch in doc["patch"]:
                yield f"  {patch.get('reason', 'no reason given')}"
                yield from (f"    {name} = {toml(value)}" for name, value in patch.items() if name != "reason")
        elif not under:
            yield f"{key}: yours alone"
        else:
            yield f"{key}: yours in place of ours"
            old, new = whole(pack, key, under).splitlines(), text_in(paths[0]).splitlines()
            yield from (f"  {line}" for line in list(unified_diff(old, new, lineterm="", n=1))[2:])
