"""Modifiers of the Streamliner."""

from typing import Any

from companion.engine.facts import Facts
from companion.packs import Pack


def total(pack: Pack, name: str, facts: dict[str, Any]) -> int:
    table, known = pack.table(name), Facts(pack.sheet, facts)
    return sum(each.add for each in table.applying(known, table.column(known)))
