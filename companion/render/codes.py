"""Codes as pictures: QR for the printed sheets and the terminal."""

from __future__ import annotations

from io import StringIO
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qrcode.main import QRCode  # type: ignore[import-untyped,unused-ignore]


def code(text: str) -> QRCode:  # type: ignore[type-arg,unused-ignore]
    """A code that survives a crease: a sixth of it may be lost (level M)."""
    from qrcode.constants import ERROR_CORRECT_M  # type: ignore[import-untyped,unused-ignore]
    from qrcode.main import QRCode

    symbol = QRCode(error_correction=ERROR_CORRECT_M, border=4)  # type: ignore[var-annotated,unused-ignore]
    symbol.add_data(text)
    symbol.make(fit=True)
    return symbol


def pictures(texts: list[str]) -> list[str]:
    """Each text as an SVG of one path on white."""
    return [_picture(code(each).get_matrix()) for each in texts]


def _picture(rows: list[list[bool]]) -> str:
    """The dark modules as one path, those that follow each other in a row in one piece."""
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
    """A code for the terminal, two rows to a line, light on dark."""
    out = StringIO()
    code(text).print_ascii(out, invert=True)
    return out.getvalue().replace("\xa0", " ").rstrip("\n")
