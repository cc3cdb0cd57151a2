"""Sheets as PDF, PNG and SVG, typeset by typst from the templates next to this file, and QR codes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from companion.problems import UserError
from companion.store.files import give
from companion.words import one_of

if TYPE_CHECKING:
    from qrcode.main import QRCode  # type: ignore[import-untyped,unused-ignore]

TEMPLATES = Path(__file__).parent / "templates"
FORMS = ("pdf", "png", "svg", "txt")
PAPERS = ("a4", "letter")
DOTS = 200  # dots per inch in a PNG


def form_of(path: Path, forms: Sequence[str] = FORMS) -> str:
    """Return the file format for a name; raise UserError with the supported formats."""
    form = path.suffix.lower().removeprefix(".")
    if form not in forms:
        raise UserError(f"{path.name} should end in {one_of([f'.{each}' for each in forms])}")
    return form


def typeset(template: str, data: Mapping[str, object], form: str, dots: float = DOTS) -> list[bytes]:
    """Return the pages of a sheet; a PDF is always one file, a PNG has that many dots per inch."""
    import typst

    pages = typst.compile(
        str(TEMPLATES / f"{template}.typ"),
        root=str(TEMPLATES),
        ignore_system_fonts=True,
        format=cast(Literal["pdf", "png", "svg"], form),
        ppi=float(dots),
        sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
    )
    return list(pages) if isinstance(pages, list) else [pages or b""]


def write(path: Path, pages: list[bytes]) -> list[Path]:
    """Write one file, or NAME-1, NAME-2… for pictures of several pages; return the paths.

    Raise SystemFault if a file cannot be written.
    """
    if len(pages) == 1:
        give(path, pages[0])
        return [path]
    files = [path.with_stem(f"{path.stem}-{at}") for at in range(1, len(pages) + 1)]
    for file, page in zip(files, pages, strict=True):
        give(file, page)
    return files


# -- codes -------------------------------------------------------------------------------------------------------------


def code(text: str) -> QRCode:  # type: ignore[type-arg,unused-ignore]
    """Return a QR code of level M, so that it survives a crease."""
    from qrcode.constants import ERROR_CORRECT_M  # type: ignore[import-untyped,unused-ignore]
    from qrcode.main import QRCode

    symbol = QRCode(error_correction=ERROR_CORRECT_M, border=4)  # type: ignore[var-annotated,unused-ignore]
    symbol.add_data(text)
    symbol.make(fit=True)
    return symbol


def pictures(texts: list[str]) -> list[str]:
    """Return a QR code for each text, as an SVG of one path."""
    from qrcode.image.svg import SvgPathImage  # type: ignore[import-untyped,unused-ignore]

    return [code(each).make_image(image_factory=SvgPathImage).to_string(encoding="unicode") for each in texts]


def blocks(text: str) -> str:
    """Return a code for the terminal, two rows per line, light on dark."""
    out = StringIO()
    code(text).print_ascii(out, invert=True)
    return out.getvalue().replace("\xa0", " ").rstrip("\n")
