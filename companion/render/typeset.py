"""Sheets as PDF, PNG and SVG, set by typst from the templates next to this file; their codes as pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast
from zlib import crc32

from companion.problems import SystemFault, UserError
from companion.store.files import give
from companion.store.system import remove
from companion.words import one_of

if TYPE_CHECKING:
    from qrcode.main import QRCode  # type: ignore[import-untyped,unused-ignore]

TEMPLATES = Path(__file__).parent / "templates"
FORMS = ("pdf", "png", "svg", "txt")
PAPERS = ("a4", "letter")
DOTS = 200  # to the inch, in a PNG
MARKED = 1000  # bytes at the end of a picture that its mark stands in


def form_of(path: Path, forms: Sequence[str] = FORMS) -> str:
    """Return the kind of file that a name asks for; a UserError says what there is."""
    form = path.suffix.lower().removeprefix(".")
    if form not in forms:
        raise UserError(f"{path.name} should end in {one_of([f'.{each}' for each in forms])}")
    return form


def typeset(template: str, data: Mapping[str, object], form: str) -> list[bytes]:
    """Return the pages of a sheet; a PDF is one file however many pages it has, a PNG has DOTS to the inch."""
    import typst

    pages = typst.compile(
        str(TEMPLATES / f"{template}.typ"),
        root=str(TEMPLATES),
        ignore_system_fonts=True,
        format=cast(Literal["pdf", "png", "svg"], form),
        ppi=float(DOTS),
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )
    return list(pages) if isinstance(pages, list) else [pages or b""]


def write(path: Path, pages: list[bytes]) -> list[Path]:
    """Write one file, or NAME-1, NAME-2… where pictures have several pages; returns what was written.

    Raises SystemFault when a file cannot be written.
    """
    if len(pages) == 1:
        give(path, pages[0])
        return [path]
    files = [path.with_stem(f"{path.stem}-{at}") for at in range(1, len(pages) + 1)]
    for file, page in zip(files, pages, strict=True):
        give(file, _marked(page, path))
    return files


def clear(path: Path, written: list[Path]) -> list[Path]:
    """Remove the pages of an earlier, longer set of that name, and nothing that does not say it is one of them."""
    gone, at = [], len(written) + 1 if written != [path] else 1
    try:
        while (file := path.with_stem(f"{path.stem}-{at}")).is_file() and _mark(path) in file.read_bytes()[-MARKED:]:
            remove(file)
            gone.append(file)
            at += 1
    except OSError as error:
        raise SystemFault(f"{file} is of an earlier sheet and cannot be removed: {error.strerror}") from None
    return gone


def _mark(path: Path) -> bytes:
    return f"Bomber companion, a page of {re.sub('-(?=-)', '- ', path.name)}".encode()  # -- would end a comment


def _marked(page: bytes, path: Path) -> bytes:
    """Return a picture that says in its file which set it is a page of."""
    if form_of(path) == "svg":
        return page + b"<!-- " + _mark(path) + b" -->\n"
    comment = b"tEXtComment\0" + _mark(path)
    chunk = (len(comment) - 4).to_bytes(4) + comment + crc32(comment).to_bytes(4)
    return page[:-12] + chunk + page[-12:]  # before IEND


# -- codes -------------------------------------------------------------------------------------------------------------


def code(text: str) -> QRCode:  # type: ignore[type-arg,unused-ignore]
    """Return a QR code that survives a crease: a sixth of it may be lost (level M)."""
    from qrcode.constants import ERROR_CORRECT_M  # type: ignore[import-untyped,unused-ignore]
    from qrcode.main import QRCode

    symbol = QRCode(error_correction=ERROR_CORRECT_M, border=4)  # type: ignore[var-annotated,unused-ignore]
    symbol.add_data(text)
    symbol.make(fit=True)
    return symbol


def pictures(texts: list[str]) -> list[str]:
    """Return each text as an SVG of one path on white."""
    return [_picture(code(each).get_matrix()) for each in texts]


def _picture(rows: list[list[bool]]) -> str:
    """Return the dark modules as one path, those that follow each other in a row in one piece."""
    path = []
    for down, row in enumerate(rows):
        across = 0
        for dark, run in groupby(row):
            long = len(list(run))
            if dark:
                path.append(f"M{across} {down}h{long}v1h-{long}z")
            across += long
    wide = len(rows)
    white = f'<path fill="#fff" d="M0 0h{wide}v{wide}h-{wide}z"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {wide}">{white}<path d="{"".join(path)}"/></svg>'
    )


def blocks(text: str) -> str:
    """Return a code for the terminal, two rows to a line, light on dark."""
    out = StringIO()
    code(text).print_ascii(out, invert=True)
    return out.getvalue().replace("\xa0", " ").rstrip("\n")
