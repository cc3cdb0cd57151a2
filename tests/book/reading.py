"""Reading a printed cell from a pack's table."""

from typing import Any

from companion.engine.facts import Facts
from companion.engine.tables import Table, reads
from companion.packs import Pack


def facts_for(pack: Pack, table: Table, facts: dict[str, Any]) -> Facts:
    return Facts(pack.sheet, table.bind(Facts(pack.sheet, facts)), facts)


def printed(table: Table, facts: Facts, net: int) -> str | None:
    """Return the row of a net roll, before any note."""
    found = table.column(facts).rows.find(net)
    return None if found is None else str(reads(found, facts))
