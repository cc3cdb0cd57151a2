"""Codes as pictures: QR for the printed sheets and the terminal."""

from __future__ import annotations

from io import StringIO
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
    from qrcode.image.svg import SvgPathFillImage  # type: ignore[import-untyped,unused-ignore]

    return [code(each).make_image(SvgPathFillImage).to_string(encoding="unicode") for each in texts]


def blocks(text: str) -> str:
    """A code for the terminal, two rows to a line, light on dark."""
    out = StringIO()
    code(text).print_ascii(out, invert=True)
    return out.getvalue().replace("\xa0", " ").rstrip("\n")
