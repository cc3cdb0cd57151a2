"""Sub-rolls: a row of a table that asks for another die, or a note that is a small table of its own."""

from __future__ import annotations

from companion.engine.spec import Spec
from companion.engine.tables import DIE, Table, Test
from companion.problems import Trouble


def sub(table: Table, name: str) -> Table | None:
    """A sub-roll: a row that asks for another die, or a note that is a small table of its own."""
    spec = table.doc.get("sub", {}).get(name)
    if spec is None:
        spec = table.doc.get("outcome", {}).get(name)
        if spec is not None and "cases" in spec:
            spec = _of_cases(spec)
        if spec is None or not any(key in spec for key in DIE):
            return None
        if "is" in spec:
            formula = {key: spec[key] for key in ("is", "#is", "#dice") if key in spec}
            return Table({"id": f"{table.id}.{name}", "dice": "?", **formula}, table.sheet, table)
    inner = (
        {key: value for key, value in spec.items() if key not in ("text", "#text", "do", "#do", "then", "#then")}
        if any(key in spec for key in DIE)
        else dict(spec)
    )
    inner["id"] = f"{table.id}.{name}"
    text = str(spec.get("text", name))
    inner.setdefault("title", table.title if "{" in text else f"{table.title}: {text}")  # a text with holes is no title
    return Table(inner, table.sheet, table)


def _of_cases(spec: Spec) -> Spec:
    """A result whose cases ask for a die, as one sub-roll: the rows of each case are a column that holds with it."""
    own = [case for case in spec["cases"] if any(key in case for key in DIE)]
    if len(own) > 1 and any("is" in case for case in own):
        raise Trouble("of several cases that ask for a die none can be a formula; give the row a `then` for each")
    whole = {key: value for key, value in spec.items() if key != "cases"}
    for case in reversed(own):
        whole.update({key: value for key, value in case.items() if key not in ("when", "#when", "#whole")})
    if len(own) > 1:
        whole.pop("rows", None)
        whole.pop("#column", None)
        whole["column"] = [
            {
                **({"dice": case["dice"]} if "dice" in case else {}),
                **column,
                "when": " and ".join(f"({each['when']})" for each in (case, column) if "when" in each),
                "#when": _both(case.get("#when"), column.get("#when")),
            }
            for case in own
            for column in case.get("column", [{"rows": case.get("rows")}])
        ]
    return whole


def _both(one: Test | None, other: Test | None) -> Test | None:
    if one is None or other is None:
        return other if one is None else one
    return lambda facts: one(facts) and other(facts)
