"""Positions of text in a PDF: a box for each run of letters, computed from the fonts' widths."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any, NamedTuple

from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream, DecodedStreamObject, NameObject

Matrix = tuple[float, float, float, float, float, float]
ONE: Matrix = (1, 0, 0, 1, 0, 0)
DRAWN = re.compile(rb"\bq\s[^()<>q]*?\bQ\b")  # something drawn, with no letter in it
SLACK = 0.9  # points by which the boxes of two lines may touch: letters are lower than their boxes


class Box(NamedTuple):
    """A run of letters: left, bottom, right and top in points, and its letters as the font numbers them."""

    left: float
    bottom: float
    right: float
    top: float
    letters: bytes

    def overlaps(self, other: Box) -> bool:
        """Return whether two runs overlap."""
        across = min(self.right, other.right) - max(self.left, other.left)
        upright = min(self.top, other.top) - max(self.bottom, other.bottom)
        return across > SLACK and upright > SLACK


def opened(pdf: bytes) -> PdfReader:
    """Open a PDF for reading its text; lines and squares are removed, which makes it twice as fast."""
    reader = PdfReader(BytesIO(pdf))
    for page in reader.pages:
        contents, text = page.get_contents(), DecodedStreamObject()
        assert contents is not None
        text.set_data(DRAWN.sub(b"", contents.get_data()))
        page[NameObject("/Contents")] = text
    return reader


def texts(reader: PdfReader) -> list[str]:
    """Return the words of every page, with single spaces."""
    return [" ".join(page.extract_text().split()) for page in reader.pages]


def pages(reader: PdfReader) -> list[list[Box]]:
    """Return the boxes of every page."""
    return [list(_boxes(page, reader)) for page in reader.pages]


def colliding(boxes: list[Box]) -> list[tuple[Box, Box]]:
    """Return the pairs of runs that overlap."""
    rising, pairs = sorted(boxes, key=lambda box: box.bottom), list[tuple[Box, Box]]()
    for at, one in enumerate(rising):
        for other in itertools.islice(rising, at + 1, None):
            if other.bottom >= one.top:
                break
            if one.overlaps(other):
                pairs.append((one, other))
    return pairs


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m)


def _widths(font: Any) -> dict[int, float]:
    """Return the width of each letter of a font, in thousandths of its size."""
    wide: dict[int, float] = {}
    listed = list(font["/DescendantFonts"][0].get_object().get("/W", []))
    while listed:
        first, then = int(listed.pop(0)), listed.pop(0)
        if isinstance(then, list):
            wide.update((first + at, float(width)) for at, width in enumerate(then))
        else:
            wide.update(dict.fromkeys(range(first, int(then) + 1), float(listed.pop(0))))
    return wide


def _boxes(page: PageObject, reader: PdfReader) -> Iterator[Box]:
    fonts = {name: _widths(font.get_object()) for name, font in page["/Resources"]["/Font"].items()}  # type: ignore[index]
    matrix, text, saved = ONE, ONE, []
    widths, size = dict[int, float](), 1.0
    for operands, operator in ContentStream(page.get_contents(), reader).operations:
        if operator == b"q":
            saved.append(matrix)
        elif operator == b"Q":
            matrix = saved.pop()
        elif operator == b"cm":
            matrix = _times(tuple(map(float, operands)), matrix)  # type: ignore[arg-type]
        elif operator == b"Tf":
            widths, size = fonts[operands[0]], float(operands[1])
        elif operator == b"Tm":
            text = tuple(map(float, operands))  # type: ignore[assignment]
        elif operator in (b"Tj", b"TJ"):
            wide, letters = 0.0, b""
            for part in operands[0] if operator == b"TJ" else operands:
                if isinstance(part, int | float):
                    wide -= float(part)
                else:
                    written = part if isinstance(part, bytes) else part.original_bytes
                    letters += written
                    wide += sum(widths.get(int.from_bytes(written[at : at + 2]), 0) for at in range(0, len(written), 2))
            corners = [
                _times((1, 0, 0, 1, x, y), _times(text, matrix))[4:]
                for x, y in ((0, -0.1 * size), (wide * size / 1000, 0.6 * size))
            ]
            (left, right), (bottom, top) = (sorted(each) for each in zip(*corners, strict=True))
            if right - left > SLACK:
                yield Box(left, bottom, right, top, letters)
