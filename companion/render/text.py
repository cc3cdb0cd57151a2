"""The Mission Log Sheet as text, 80 columns, drawn from the declared fields alone."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from companion.engine.fields import Field
from companion.engine.sheet import of_member
from companion.render.page import Page

WIDE = 80
FEW = 12  # members of an index that are listed even where nothing is written
WIDEST = 36  # letters in a column


def mission_sheet(title: str, page: Page, landing: Sequence[str] = (), journal: Sequence[str] = ()) -> str:
    """The whole sheet; a field that the pack adds appears in its section by itself."""
    lines = ["=" * WIDE, *(each.center(WIDE).rstrip() for each in textwrap.wrap(title, WIDE)), "=" * WIDE]
    for section, label in page.printed():
        block = _section(section, page)
        if block:
            lines += ["", f"-- {label} ".ljust(WIDE, "-"), *block]
    if landing:
        lines += ["", "-- Landing modifiers ".ljust(WIDE, "-"), *landing]
    if journal:
        lines += ["", "-- Every roll ".ljust(WIDE, "-")]
        lines += [line for each in journal for line in textwrap.wrap(each, WIDE, subsequent_indent="     ")]
    return "\n".join([*lines, "", "=" * WIDE])


def _section(section: str, page: Page) -> list[str]:
    names = page.families(section)
    lines = _pairs([name for name in names if "[" not in name], page)
    tables: dict[str, list[str]] = {}
    for name in names:
        holes = [index for index in page.sheet.index if f"[{index}]" in name]
        if len(holes) == 1:
            tables.setdefault(holes[0], []).append(name)
        elif len(holes) == 2:
            lines += _cross(name, holes, page)
    for index, families in tables.items():
        lines += _table(index, families, page)
    return lines


def _mark(field: Field, name: str, page: Page) -> str:
    """A field as it is filled in: crossed boxes, ticked choices, or what is written there."""
    value = page.value(name)
    if field.kind == "boxes" and field.limit is not None:
        crossed = int(value or 0)
        boxes = "".join(("X" if at < crossed else "o") + (" " if at % 5 == 4 else "") for at in range(field.limit))
        return boxes.strip()
    if field.kind == "choice" and len(field.values) <= 4 and "[" not in field.name:
        return " ".join(f"[{'x' if each == value else ' '}]{page.word(name, each)}" for each in field.values)
    return page.word(name, value)


def _pairs(names: Sequence[str], page: Page) -> list[str]:
    """Single fields, two to a line where they fit."""
    lines: list[str] = []
    waiting = ""  # a short field that still has room beside it
    for name in names:
        field = page.sheet.fields[name]
        text = f"{page.sheet.under(name)}: {_mark(field, name, page)}".rstrip()
        if field.kind == "list" or len(text) > WIDE // 2 - 2:
            if waiting:
                lines.append(waiting)
                waiting = ""
            lines += textwrap.wrap(text, WIDE, subsequent_indent="    ") or [text]
        elif waiting:
            lines.append(f"{waiting:{WIDE // 2}}{text}")
            waiting = ""
        else:
            waiting = text
    return lines + ([waiting] if waiting else [])


def _table(index: str, names: Sequence[str], page: Page) -> list[str]:
    """One row for each member of an index that is there, one column for each family of fields."""
    rows = []
    for member in page.sheet.index[index]:
        if page.blank or page.there(index, member):
            cells = [_cell(name, of_member(name, index, member), page) for name in names]
            if any(cells) or page.blank or len(page.sheet.index[index]) <= FEW:
                rows.append([page.member(index, member), *cells])
    return _columns([index.capitalize(), *map(page.heading, names)], rows) if rows else []


def _cell(family: str, name: str, page: Page) -> str:
    field, value = page.sheet.fields.get(name, page.sheet.families[family]), page.value(name)
    if field.kind == "boxes":
        return _mark(field, name, page)
    return "" if value in ("0", "no") else page.word(name, value)


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table that keeps within the page: wide tables are cut into several, each with the first column."""
    widths = [min(WIDEST, max(len(row[at]) for row in [head, *rows])) for at in range(len(head))]
    blocks: list[list[int]] = [[]]
    used = widths[0]
    for at in range(1, len(head)):
        if used + 2 + widths[at] > WIDE and blocks[-1]:
            blocks.append([])
            used = widths[0]
        blocks[-1].append(at)
        used += 2 + widths[at]
    lines = []
    for block in blocks:
        for row in [head, *rows]:
            parts = [textwrap.wrap(row[at], widths[at]) or [""] for at in [0, *block]]
            for deep in range(max(map(len, parts))):
                cells = [
                    f"{part[deep] if deep < len(part) else '':{widths[at]}}"
                    for part, at in zip(parts, [0, *block], strict=True)
                ]
                lines.append("  ".join(cells).rstrip())
    return lines


def _cross(name: str, holes: Sequence[str], page: Page) -> list[str]:
    """Two indexes: the smaller one down, the larger one across (weather by leg and zone)."""
    down, across = sorted(holes, key=lambda index: len(page.sheet.index[index]))
    title = page.heading(name)
    rows = []
    members = page.sheet.index[across]
    for member in page.sheet.index[down]:
        family = of_member(name, down, member)
        names = [of_member(family, across, each) for each in members]
        rows.append([f"{title}, {member}", *[page.word(each, page.value(each))[:4] for each in names]])
    return _columns(["", *(page.member(across, each) for each in members)], rows)
