"""Sheets as PDF, PNG and SVG: the templates beside this file, fed with plain data and set with typst's own fonts."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, cast

from companion.problems import Problem, Trouble, one_of

TEMPLATES = Path(__file__).parent / "templates"
FORMS = ("pdf", "png", "svg", "txt")
PAPERS = ("a4", "letter")
DOTS = 200  # to the inch, in a PNG


def form_of(path: Path) -> str:
    """What kind of file a name asks for; a Problem says what there is."""
    found = path.suffix.lower().removeprefix(".")
    if found not in FORMS:
        raise Problem(f"{path.name} should end in {one_of([f'.{each}' for each in FORMS])}")
    return found


def typeset(template: str, data: Mapping[str, Any], form: str) -> list[bytes]:
    """The pages of a sheet; a PDF is one file however many pages it has."""
    import typst

    made = typst.compile(
        str(TEMPLATES / f"{template}.typ"),
        root=str(TEMPLATES),
        ignore_system_fonts=True,
        format=cast(Literal["pdf", "png", "svg"], form),
        ppi=float(DOTS),
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )
    return list(made) if isinstance(made, list) else [made or b""]


def write(path: Path, pages: list[bytes]) -> list[Path]:
    """Write one file, or NAME-1, NAME-2… where pictures have several pages; returns what was written."""
    files = [path] if len(pages) == 1 else [path.with_stem(f"{path.stem}-{at}") for at in range(1, len(pages) + 1)]
    for file, page in zip(files, pages, strict=True):
        put(file, page)
    return files


def put(file: Path, said: bytes) -> None:
    """Write a file that the player named, whole or not at all; what stands in the way is said in a sentence."""
    if not file.parent.is_dir():
        raise Trouble(f"cannot write {file}: there is no folder {file.parent}")
    target = file.resolve()
    made = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        if target.exists() and not target.is_file():  # a device or a pipe, or a folder, which refuses
            target.write_bytes(said)
            return
        try:
            made.write_bytes(said)
            os.replace(made, target)
        finally:
            made.unlink(missing_ok=True)
    except OSError as error:
        raise Trouble(f"cannot write {file}: {error.strerror}") from None
