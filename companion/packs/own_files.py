"""The player's own files: edited tables, tables copied from their rulebook, and games as folders and ZIP files."""

from __future__ import annotations

import json
import re
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path

from companion.engine.fields import Spec
from companion.engine.tables import Table
from companion.packs.folders import (
    NOTES,
    Doc,
    folders_of_game,
    is_patch,
    parsed,
    players_folder,
    read_file,
    tables_folder,
)
from companion.packs.forms import form_of
from companion.packs.overlays import OWN, base_of, difference, laid
from companion.packs.pack import Pack
from companion.problems import SystemFault, UserError
from companion.store.files import bytes_of, home, make_folder, new_folder, present, save, text_of
from companion.words import counted, series

KEPT = (".toml", ".md", ".txt")  # what a game consists of
MOST, LARGEST = 500, 4_000_000  # files in a game, and bytes of them all
BLOCK = re.compile(r"^```toml\n# ([A-Za-z0-9-]+\.toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BARE = re.compile(r"[A-Za-z0-9_-]+")


# -- files -------------------------------------------------------------------------------------------------------------


def key_of(pack: Pack, name: str) -> str:
    """Return the name of the file with a table (`4-9` for `4-9.doors`) or of that name (`sheet`).

    Raises:
        UserError: There is no such table; the message offers similar names.
    """
    key = name.strip().casefold()
    while key not in pack.layers and "." in key:
        key = key.rpartition(".")[0]
    return key if key in pack.layers and key != "pack" else pack.table(name).id.casefold()


def own_file(pack: Pack, key: str) -> Path:
    """Return the path of the player's copy of a file, whether or not it exists."""
    folder, top = players_folder() / pack.name, pack.layers[key][0]
    return top if top.parent == folder else folder / pack.layers[key][-1].name


def files_below(pack: Pack, key: str) -> list[Path]:
    """Return the files that the player's copy overlays; topmost first."""
    return [path for path in pack.layers[key] if path.parent != players_folder() / pack.name]


def save_text(path: Path, text: str) -> None:
    """Write a file of the player atomically; a pack's file keeps a backup of its previous version."""
    make_folder(path.parent)
    save(path, text.encode(), backup=players_folder() in path.parents)


def text_in(path: Path) -> str:
    """Return the text of a player's file; raise SystemFault if it cannot be read."""
    try:
        return text_of(path.read_bytes())
    except (OSError, UnicodeDecodeError) as error:
        raise SystemFault(f"can't read {path}: {getattr(error, 'strerror', None) or error}") from None


# -- an edited copy ----------------------------------------------------------------------------------------------------


def whole_text(pack: Pack, key: str, paths: Sequence[Path]) -> str:
    """Return a file with its overlays applied (topmost first); its original text if it is not a patch."""
    if not is_patch(read_file(paths[0])) or len(paths) == 1:
        return text_in(paths[0])
    return f"# {paths[-1].stem} in {pack.name}\n{file_text(_merged(key, paths))}"


def _merged(key: str, paths: Sequence[Path], *above: Spec) -> Doc:
    """Return a file with its overlays applied, the last of them `above`, without the notes on patches."""
    doc = laid(key, [paths[0]] * len(above) + [*paths], [*above, *map(read_file, paths)])
    return {name: value for name, value in doc.items() if name not in NOTES}


def edited(pack: Pack, key: str, text: str, reason: str) -> str:
    """Return the player's file after an edit of the whole table: its patches, and one more with the changes."""
    own, below, doc = own_file(pack, key), files_below(pack, key), parsed(text)
    if not below or "patch" in doc:
        return text
    patches = text_in(own) if present(own) and is_patch(read_file(own)) else f"# {own.stem}\n"
    piece = difference(_merged(key, below, _patches_in(patches)), doc, form_of(key))
    return _with(pack, key, patches, {"reason": reason, **piece}) if piece else patches


def _patches_in(text: str) -> Spec:
    return {"patch": parsed(text).get("patch", [])}


def _with(pack: Pack, key: str, text: str, patch: Spec) -> str:
    """Return a file of patches with one added, and the stamp of what it changes."""
    try:
        base = base_of(_merged(key, files_below(pack, key), _patches_in(text)), patch, form_of(key))
    except ValueError as error:
        raise UserError(str(error)) from None
    return f"{text}\n{patch_text({**patch, 'base': base})}"


def faults(pack: Pack, key: str, text: str) -> list[str]:
    """Return the faults that the pack would have with this text as the player's copy of a file; none if it is empty."""
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        file = Path(folder) / own_file(pack, key).name
        file.write_bytes(text.encode())
        trial, paths = Pack(pack.name), [*([file] if text else []), *files_below(pack, key)]
        trial.layers = {name: each for name, each in {**trial.layers, key: paths}.items() if each}
        wrong = _faults(trial, folder)
        known = _faults(Pack(pack.name), folder) if wrong else []
        return [each for each in wrong if each not in known]


def _faults(trial: Pack, folder: str, *, advising: bool = True) -> list[str]:
    """Return the faults of a game on trial, without warnings and without its temporary folder."""
    from companion.packs.check import faults

    wrong = [str(each) for each in faults(trial, advising=advising) if not each.warning]
    return [each.replace(f"{folder}/", "") for each in wrong]


def differences(pack: Pack) -> Iterator[str]:
    """Yield the differences between the player's files and those below them, line by line."""
    from difflib import unified_diff

    for key, paths in sorted(pack.layers.items()):
        if paths[0] != own_file(pack, key):
            continue
        under = files_below(pack, key)
        doc, key = read_file(paths[0]), paths[0].stem
        if key == "pack" and under:
            yield "pack: these keys are yours"
            yield from (f"    {name} = {toml(value)}" for name, value in doc.items())
        elif is_patch(doc):
            yield f"{key}: {counted(len(doc['patch']), 'change')}"
            for patch in doc["patch"]:
                yield f"  {patch.get('reason', 'no reason given')}"
                yield from (f"    {name} = {toml(value)}" for name, value in patch.items() if name not in OWN)
        elif not under:
            yield f"{key}: only yours"
        else:
            yield f"{key}: your version replaces the built-in one"
            old, new = whole_text(pack, key.casefold(), under).splitlines(), text_in(paths[0]).splitlines()
            yield from (f"  {line}" for line in list(unified_diff(old, new, lineterm="", n=1))[2:])


def without_reason(path: Path, reason: str) -> str:
    """Return a file of patches without those of a reason; empty if none is left. Raise UserError if none has it."""
    patches = read_file(path).get("patch", [])
    left = [each for each in patches if str(each.get("reason", "")).casefold() != reason.casefold()]
    if len(left) == len(patches):
        raise UserError(f"no change in {path} has the reason {reason!r}. List yours with: companion tables diff")
    return "\n".join([f"# {path.stem}", *map(patch_text, left)]) if left else ""


def inside(table: Table, patch: Spec) -> Doc:
    """Return a patch of a table or sub-roll as a patch of the file with it."""
    piece = {key: value for key, value in patch.items() if key not in OWN}
    while table.parent is not None:
        name = table.id.removeprefix(f"{table.parent.id}.")
        piece = {"sub" if name in table.parent.doc.get("sub", {}) else "outcome": {name: piece}}
        table = table.parent
    return {**{key: patch[key] for key in OWN if key in patch}, **piece}


def add_patch(pack: Pack, key: str, patch: Spec) -> None:
    """Add a patch to the player's file of that name; raise UserError if it is invalid."""
    own = own_file(pack, key)
    _save_checked(pack, key, own, _with(pack, key, text_in(own) if present(own) else f"# {own.stem}\n", patch))


def _save_checked(pack: Pack, key: str, file: Path, text: str) -> None:
    if wrong := faults(pack, key, text):
        raise UserError(f"{wrong[0].splitlines()[0]}. Nothing was saved")
    save_text(file, text)


def add_table(
    pack: Pack, name: str, title: str, dice: str, rows: Mapping[str, str | int], after: str, reason: str
) -> Path:
    """Save a table of the player, and a step that rolls it after another step, if one is named.

    Raises:
        UserError: The table or its step exists, there is no step to follow, or it is invalid; nothing is saved.
    """
    key = name.casefold()
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise UserError("The number of a table has letters, digits, points and hyphens, e.g. H-1")
    steps = {str(step["id"]): str(step["title"]) for step in pack.read("sequence").get("step", ())}
    place = next((each for each, called in steps.items() if after.casefold() in (each, called.casefold())), "")
    if key in pack.layers or key in steps:
        raise UserError(f"{name} exists already. Choose another number, or change it without --title")
    if after and not place:
        raise UserError(f"{pack.name} has no step {after}. The steps are {series(list(steps))}")
    results = {at: re.sub(r"\W+", "-", str(text).casefold()).strip("-") for at, text in rows.items()}
    outcomes = {results[at]: {"text": str(text)} for at, text in rows.items()}
    if "" in outcomes or any(outcomes[results[at]]["text"] != str(text) for at, text in rows.items()):
        raise UserError("Give each result words of its own; punctuation and capitals don't tell two apart")
    doc = {"id": name, "title": title, "cite": reason, "dice": dice, "rows": results, "outcome": outcomes}
    file = players_folder() / pack.name / f"{name}.toml"
    pack.layers = {**pack.layers, key: [file]}
    _save_checked(pack, key, file, file_text(doc))
    step = {"id": key, "title": title, "cite": reason, "then": [name], "after": place}
    try:
        if place:
            add_patch(Pack(pack.name), "sequence", {"reason": reason, "step": [step]})
    except (UserError, SystemFault):
        file.unlink()
        raise
    return file


# -- TOML --------------------------------------------------------------------------------------------------------------


def file_text(doc: Spec) -> str:
    """Return a whole file as TOML."""
    return "\n".join(_sections(doc)) + "\n"


def patch_text(patch: Spec) -> str:
    """Return a patch in readable form, one row or modifier per line."""
    return "[[patch]]\n" + "".join(f"{_key(key)} = {_spread(value)}\n" for key, value in patch.items())


def _sections(doc: Spec, place: str = "") -> Iterator[str]:
    """Yield a whole file, with separate headers for large tables."""
    large = {key: value for key, value in doc.items() if isinstance(value, Mapping) and len(toml(value)) > 100}
    if place:
        yield f"\n[{place}]"
    yield from (f"{_key(key)} = {_spread(value)}" for key, value in doc.items() if key not in large)
    for key, value in large.items():
        yield from _sections(value, f"{place}.{_key(key)}" if place else _key(key))


def _spread(value: object) -> str:
    """Return a value as TOML, with one item of a list per line."""
    if isinstance(value, list) and len(value) > 1:
        return "[\n" + "".join(f"  {toml(each)},\n" for each in value) + "]"
    return toml(value)


def toml(value: object) -> str:
    """Return a value as TOML on one line; a multi-line text keeps its lines."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {toml(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str) and "\n" in value and '"""' not in value and "\\" not in value:
        return f'"""\n{value}"""'
    return json.dumps(value, ensure_ascii=False)  # includes true and false


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else toml(key)


# -- games -------------------------------------------------------------------------------------------------------------


def template(name: str) -> dict[str, bytes]:
    """Return the files of a small game that can be flown: the one that tables/README.md builds."""
    page = (tables_folder() / "README.md").read_text(encoding="utf-8")
    files = {file: text.encode() for file, text in BLOCK.findall(page)}
    about = files["pack.toml"].decode().replace("Over the Ridge", name.replace("-", " ").title())
    files["pack.toml"] = (about + 'version = "0.1"\nauthor = ""\nlicense = ""\n').encode()
    return files


def named(name: str) -> str:
    """Return the name of a new game; raise UserError for one that no folder can have."""
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) or len(name) > 40:
        raise UserError(f"{name[:60]!r} can't be a game's name. Use small letters, digits and hyphens, e.g. night-raid")
    return name


def packed(source: Path) -> tuple[str, dict[str, bytes]]:
    """Return the name and the files of a game in a folder or a ZIP file; raise UserError if there is none."""
    if source.is_dir():
        files = {each.name: bytes_of(each) for each in sorted(source.iterdir()) if each.suffix in KEPT}
        name = source.resolve().name
    else:
        try:
            with zipfile.ZipFile(BytesIO(bytes_of(source))) as archive:
                found = {Path(each.filename): each for each in archive.infolist() if not each.is_dir()}
                kept = [path for path in found if path.suffix in KEPT]
                top = min((path.parent for path in kept), key=lambda each: len(each.parts), default=Path())
                mine = [path for path in kept if path.parent == top]
                if sum(found[path].file_size for path in mine) > LARGEST:
                    raise UserError(f"{source} is too large for a game")
                files, name = {path.name: archive.read(found[path]) for path in mine}, top.name or source.stem
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError) as error:
            raise UserError(f"{source} isn't a folder or a ZIP file with a game: {error}") from None
    name = named(name.casefold())
    if not any(file.endswith(".toml") for file in files) or len(files) > MOST:
        raise UserError(f"{source} holds no game: there is no pack.toml in it")
    return name, files


def install(name: str, files: dict[str, bytes], *, replace: bool = False) -> Path:
    """Put a game, or house rules for one, into the player's folder and return it; raise UserError if it has faults."""
    folder = players_folder() / name
    if present(folder) and not replace:
        raise UserError(f"you already have {folder}. Add --replace to keep the new one instead")
    with tempfile.TemporaryDirectory(prefix="companion-") as place:
        trial = Path(place) / name
        trial.mkdir()
        for file, content in files.items():
            (trial / file).write_bytes(content)
        about = read_file(trial / "pack.toml") if "pack.toml" in files else {}
        over = about.get("extends") or ("" if about else name)
        game = Pack(name, [trial, *(folders_of_game(str(over)) if over else [])])
        if wrong := _faults(game, place, advising=False):
            raise UserError(f"{wrong[0]}. {name} was not installed")
    if present(folder):
        set_game_aside(folder)
    make_folder(folder.parent)
    with new_folder(folder) as draft:
        for file, content in files.items():
            (draft / file).write_bytes(content)
    return folder


def set_game_aside(folder: Path) -> Path:
    """Move a game out of the player's folder and return its new place."""
    make_folder(home() / "removed")
    free, number = home() / "removed" / folder.name, 1
    while present(free):
        number += 1
        free = free.with_name(f"{folder.name}-{number}")
    return folder.rename(free)


def archive(name: str, folders: Iterable[Path]) -> bytes:
    """Return the ZIP file of a game, or of the player's house rules for one."""
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as zipped:
        for folder in folders:
            for each in sorted(folder.iterdir()):
                if each.suffix in KEPT:
                    zipped.write(each, f"{name}/{each.name}")
    return content.getvalue()
