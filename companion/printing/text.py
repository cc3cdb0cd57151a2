"""The Mission Log Sheet as text, 80 columns, drawn from the declared fields alone."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from companion.sheet import Facts, Field, Sheet, Value

WIDE = 80


def mission_sheet(
    title: str,
    sheet: Sheet,
    state: Mapping[str, Value],
    landing: Sequence[str] = (),
    journal: Sequence[str] = (),
) -> str:
    """The whole sheet; a field that the pack adds appears in its section by itself."""
    facts = Facts(sheet, state)
    lines = ["=" * WIDE, title.center(WIDE).rstrip(), "=" * WIDE]
    for section, label in sheet.sections.items():
        block = _section(section, sheet, facts)
        if block:
            lines += ["", f"-- {label} ".ljust(WIDE, "-"), *block]
    if landing:
        lines += ["", "-- Landing modifiers ".ljust(WIDE, "-"), *landing]
    if journal:
        lines += ["", "-- Every roll ".ljust(WIDE, "-")]
        lines += [line for each in journal for line in textwrap.wrap(each, WIDE, subsequent_indent="     ")]
    return "\n".join([*lines, "", "=" * WIDE])


def _section(section: str, sheet: Sheet, facts: Facts) -> list[str]:
    families = {name: field for name, field in sheet.families.items() if field.section == section}
    alone = [name for name in families if "{" not in name]
    lines = _pairs(alone, sheet, facts)
    tables: dict[str, list[str]] = {}
    for name in families:
        holes = [index for index in sheet.index if "{" + index + "}" in name]
        if len(holes) == 1:
            tables.setdefault(holes[0], []).append(name)
        elif len(holes) == 2:
            lines += _cross(name, holes, sheet, facts)
    for index, names in tables.items():
        lines += _table(index, names, sheet, facts)
    return lines


def _mark(field: Field, value: Value) -> str:
    """A field as it is filled in: crossed boxes, ticked choices, or what is written there."""
    if field.kind == "boxes" and field.limit is not None:
        crossed = "".join(("X" if at < int(value) else "o") + (" " if at % 5 == 4 else "") for at in range(field.limit))
        return crossed.strip()
    if field.kind == "choice" and len(field.values) <= 4:
        return " ".join(f"[{'x' if each == value else ' '}]{each}" for each in field.values)
    return "" if value in ("none", "") else str(value)


def _pairs(names: Sequence[str], sheet: Sheet, facts: Facts) -> list[str]:
    """Single fields, two to a line where they fit."""
    lines: list[str] = []
    held = ""
    for name in names:
        field = sheet.fields[name]
        text = f"{field.label}: {_mark(field, facts[name])}".rstrip()
        if field.kind == "list" or len(text) > WIDE // 2 - 2:
            if held:
                lines.append(held)
                held = ""
            lines += textwrap.wrap(text, WIDE, subsequent_indent="    ") or [text]
        elif held:
            lines.append(f"{held:{WIDE // 2}}{text}")
            held = ""
        else:
            held = text
    return lines + ([held] if held else [])


def _table(index: str, names: Sequence[str], sheet: Sheet, facts: Facts) -> list[str]:
    """One row for each member of an index, one column for each family of fields."""
    members = sheet.index[index]
    hole = "{" + index + "}"
    titles = [sheet.families[name].heading for name in names]
    rows = []
    for member, has in members.items():
        cells = []
        for name in names:
            field = sheet.families[name]
            value = facts[name.replace(hole, member)]
            few = _mark(field, value) if field.kind == "boxes" else "" if value in ("none", "", 0) else str(value)
            cells.append(few)
        rows.append([str(has.get("label", member)), *cells])
    if index == "fighter":
        rows = [row for row in rows if any(row[1:])] or rows[:1]
    return _columns([index.capitalize(), *titles], rows)


def _columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table that keeps within the page: wide tables are cut into several, each with the first column."""
    widths = [max(len(str(row[at])) for row in [head, *rows]) for at in range(len(head))]
    widths = [min(width, 36) for width in widths]
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
            cells = [f"{str(row[at])[: widths[at]]:{widths[at]}}" for at in [0, *block]]
            lines.append("  ".join(cells).rstrip())
    return lines


def _cross(name: str, holes: Sequence[str], sheet: Sheet, facts: Facts) -> list[str]:
    """Two indexes: the smaller one down, the larger one across (weather by leg and zone)."""
    down, across = sorted(holes, key=lambda index: len(sheet.index[index]))
    short = {"": "", "none": ""}
    title = sheet.families[name].heading
    rows = []
    for member in sheet.index[down]:
        values = [
            str(facts[name.replace("{" + down + "}", member).replace("{" + across + "}", each)])
            for each in sheet.index[across]
        ]
        rows.append([f"{title}, {member}", *[short.get(value, value)[:4] for value in values]])
    return _columns(["", *sheet.index[across]], rows)
