"""What would count on each landing table if the bomber came down now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.packs import Pack


class Reason(TypedDict):
    """A modifier that applies: what it adds with its sign, why, and where the book has it."""

    add: str
    why: str
    cite: str


class Landing(TypedDict):
    """A landing table with its modifiers; `total` is their sum with its sign, or none."""

    title: str
    total: str
    modifiers: list[Reason]


def landings(pack: Pack, state: Mapping[str, Value]) -> list[Landing]:
    """The tables that `landing` in the pack names, each with what applies as the sheet stands."""
    tables: list[Landing] = []
    for name in pack.about.get("landing", ()):
        table = pack.table(name)
        applied = table.applying(Facts(pack.sheet, state))
        reasons: list[Reason] = [
            {"add": f"{each.add:+d}", "why": each.why, "cite": str(each.modifier.cite)} for each in applied
        ]
        total = f"{sum(each.add for each in applied):+d}" if applied else "none"
        tables.append({"title": f"{table.id} {table.title}", "total": total, "modifiers": reasons})
    return tables


def landing_lines(tables: Sequence[Landing]) -> list[str]:
    """The same as lines of text."""
    lines = []
    for each in tables:
        lines.append(f"{each['title']}: {each['total']}")
        lines += [f"  {one['add']}  {one['why']} ({one['cite']})" for one in each["modifiers"]]
    return lines
