"""Which patches of an overlay took part in a roll. Loaded only for tables that have patches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.engine.facts import Facts
from companion.engine.resolution import Result
from companion.engine.spec import Spec
from companion.engine.tables import Cell, Modifier, Table


def took_part(table: Table, column: str, result: Result, cell: Cell, facts: Facts) -> list[dict[str, str]]:
    """The patches whose modifier, row or outcome decided anything here, each with its reason; no reason twice."""
    root = table
    while root.parent is not None:
        root = root.parent
    taking_part: dict[tuple[str, str], None] = {}
    decided: set[str] = set()  # of several patches of one row or result the topmost counts
    for patch in reversed(root.doc.get("patched", ())):
        if patch["table"].casefold() == table.id.casefold() and _did(
            patch, table, column, result, cell, facts, decided
        ):
            taking_part[patch["table"], patch["reason"]] = None
    return [{"table": name, "reason": reason} for name, reason in reversed(taking_part)]


def _did(patch: Spec, table: Table, column: str, result: Result, cell: Cell, facts: Facts, decided: set[str]) -> bool:
    did = bool(patch.get("always") or (patch.get("naturals") and result.natural))
    applied = {each.modifier.id: each.add for each in result.applied}
    if result.rolled is not None:
        before = {spec.get("id"): Modifier(spec, table).amount(facts) for spec in patch.get("was", ())}
        did = did or any(applied.get(name, 0) != before.get(name, 0) for name in patch.get("modifiers", ()))
    net = result.net
    for title, rows in patch.get("rows", ()):
        if title == column and net is not None and not result.natural and _within(net, rows):
            did = did or "row" not in decided
            decided.add("row")
    for each in cell if isinstance(cell, list) else [cell]:
        slug = str(each["as"] if isinstance(each, Mapping) else each)
        if slug in patch.get("outcomes", ()) and _case(table, slug, facts) not in patch.get("same", {}).get(slug, ()):
            did = did or f"outcome {slug}" not in decided
            decided.add(f"outcome {slug}")
    return did


def _case(table: Table, slug: str, facts: Facts) -> int | None:
    """Which case of an outcome fits; None where it has none."""
    cases = table.outcomes.get(slug, {}).get("cases", ())
    return next((at for at, case in enumerate(cases) if "#when" not in case or case["#when"](facts)), None)


def _within(net: int, rows: Iterable[list[int]]) -> bool:
    return any(low <= net <= high for low, high in rows)
