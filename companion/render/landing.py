"""What would count on each landing table if the bomber came down now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from companion.engine.facts import Facts
from companion.engine.fields import FREE
from companion.packs import Pack
from companion.play.mission import Mission


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


def landings(pack: Pack, mission: Mission) -> list[Landing]:
    """The tables that `landing` in the pack names, each with what applies as the sheet stands; once the bomber has come
    to its end only those that it landed by."""
    tables: list[Landing] = []
    facts = Facts(pack.sheet, mission.state)
    end = str(pack.about.get("log", {}).get("aircraft-end", ""))
    over = end != "" and str(facts[end]) not in FREE
    rolled = {str(each["t"]) for each in mission.journal.entries[: mission.journal.stand]}
    for name in pack.about.get("landing", ()):
        table = pack.table(name)
        if over and table.id not in rolled:
            continue
        applied = table.applying(facts)
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
