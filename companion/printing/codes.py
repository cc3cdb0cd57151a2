"""Codes as pictures: QR for the printed sheets and the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qrcode.main import QRCode  # type: ignore[import-untyped,unused-ignore]


def code(text: str) -> QRCode:  # type: ignore[type-arg,unused-ignore]
    """A code that survives a crease: a sixth of it may be lost."""
    from qrcode.constants import ERROR_CORRECT_M  # type: ignore[import-untyped,unused-ignore]
    from qrcode.main import QRCode

    made = QRCode(error_correction=ERROR_CORRECT_M, border=4)  # type: ignore[var-annotated,unused-ignore]
    made.add_data(text)
    made.make(fit=True)
    return made


def pictures(texts: list[str]) -> list[str]:
    """Each text as an SVG of one path."""
    return [_svg(code(each).get_matrix()) for each in texts]


def _svg(matrix: list[list[bool]]) -> str:
    size = len(matrix)
    runs = []
    for y, row in enumerate(matrix):
        x = 0
        while x < size:
            end = x
            while end < size and row[end]:
                end += 1
            if end > x:
                runs.append(f"M{x} {y}h{end - x}v1h-{end - x}z")
            x = end + 1
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {size} {size}">'
        f'<path fill="#fff" d="M0 0h{size}v{size}h-{size}z"/><path fill="#000" d="{"".join(runs)}"/></svg>'
    )


def blocks(text: str) -> str:
    """A code for the terminal, two rows to a line, light on dark."""
    matrix = code(text).get_matrix()
    if len(matrix) % 2:
        matrix = [*matrix, [False] * len(matrix)]
    shapes = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
    return "\n".join(
        "".join(shapes[upper, lower] for upper, lower in zip(matrix[at], matrix[at + 1], strict=True))
        for at in range(0, len(matrix), 2)
    )
