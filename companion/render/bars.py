"""The picture of the dice: bars beside what fair dice show, as an SVG that needs no fonts of its own."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDE, BAR, GAP, ROW = 720, 340, 6, 18
INK, PALE, DUE = "#1f3a5f", "#8fa6c4", "#c0392b"


class Bars(NamedTuple):
    """A group of bars: what it is, and of each its name, how long it is and how long it should be."""

    title: str
    bars: Sequence[tuple[str, float, float]]


def svg(title: str, groups: Sequence[Bars], notes: Sequence[str]) -> str:
    """The whole picture: a title, the groups below each other, each with its scale, and sentences at the foot."""
    parts: list[str] = []
    at = 62
    for group in groups:
        at += 14
        parts.append(_text(24, at, group.title, "font-weight='bold'"))
        at += 10
        most = max((max(long, due) for _, long, due in group.bars), default=0) or 1
        row = ROW if len(group.bars) <= 12 else ROW * 2 // 3
        for name, long, due in group.bars:
            length, mark = long / most * BAR, 210 + due / most * BAR
            parts.append(_text(200, at + row - 5, name, "text-anchor='end'", size=min(13, row - 1)))
            parts.append(f"<rect x='210' y='{at}' width='{length:.1f}' height='{row - GAP / 2:g}' fill='{PALE}'/>")
            parts.append(f"<path d='M{mark:.1f} {at - 1}v{row}' stroke='{DUE}' stroke-width='2'/>")
            parts.append(_text(218 + max(length, mark - 210), at + row - 5, _figure(long, due), size=min(12, row - 1)))
            at += row
        at += 12
    for note in notes:
        at += 18
        parts.append(_text(24, at, note, size=12))
    high = at + 24
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDE} {high}' width='{WIDE}' height='{high}' "
        f"font-family='sans-serif' role='img'><title>{escape(title)}</title>"
        "<rect width='100%' height='100%' fill='white'/>"
    )
    legend = _text(24, 54, "Bars: how often. Red: how often fair dice would.", size=12)
    return "\n".join([head, _text(24, 32, title, "font-weight='bold'", size=18), legend, *parts, "</svg>"])


def _figure(long: float, due: float) -> str:
    return f"{long:g} ({due:.1f})"


def _text(x: float, y: float, text: str, more: str = "", size: int = 13) -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{INK}' {more}>{escape(text)}</text>"
