"""Games as files: started from a template, shared as a ZIP file, installed from one and removed."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

from companion.packs.check import faults
from companion.packs.layers import Layers, folders_of_game, players_folder, tables_folder
from companion.packs.toml_files import read_file
from companion.problems import UserError
from companion.store.files import bytes_of, home, make_folder, new_folder, present

KEPT = (".toml", ".md", ".txt")  # what a game consists of
MOST, LARGEST = 500, 4_000_000  # files in a game, and bytes of them all
BLOCK = re.compile(r"^```toml\n# ([A-Za-z0-9-]+\.toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


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
        return named(source.resolve().name.casefold()), _checked(files, source)
    try:
        with zipfile.ZipFile(BytesIO(bytes_of(source))) as archive:
            found = [each for each in archive.infolist() if Path(each.filename).suffix in KEPT and not each.is_dir()]
            top = min((Path(each.filename).parent for each in found), key=lambda each: len(each.parts), default=Path())
            mine = [each for each in found if Path(each.filename).parent == top]
            if sum(each.file_size for each in mine) > LARGEST:
                raise UserError(f"{source} is too large for a game")
            files = {Path(each.filename).name: archive.read(each) for each in mine}
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError) as error:
        raise UserError(f"{source} isn't a folder or a ZIP file with a game: {error}") from None
    return named((top.name or source.stem).casefold()), _checked(files, source)


def _checked(files: dict[str, bytes], source: Path) -> dict[str, bytes]:
    if not any(name.endswith(".toml") for name in files) or len(files) > MOST:
        raise UserError(f"{source} holds no game: there is no pack.toml in it")
    return files


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
        layers = Layers(name, [trial, *(folders_of_game(str(over)) if over else [])])
        if wrong := [str(each) for each in faults(layers, advising=False) if not each.warning]:
            raise UserError(f"{wrong[0].replace(f'{place}/', '')}. {name} was not installed")
    if present(folder):
        set_aside(folder)
    make_folder(folder.parent)
    with new_folder(folder) as draft:
        for file, content in files.items():
            (draft / file).write_bytes(content)
    return folder


def set_aside(folder: Path) -> Path:
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
