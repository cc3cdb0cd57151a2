"""The proof of `story.toml`: what a sentence waits for can happen, and whom it goes through is there."""

from __future__ import annotations

from collections.abc import Iterator

from companion.engine.tables import Table
from companion.packs.lines import Where
from companion.packs.places import near
from companion.packs.proof_known import Known, Slip

PARTS = ("line", "end", "short")


def story(known: Known) -> Iterator[Slip]:
    """Sentences that wait for what never happens or for nothing, and luck at tables that there are not."""
    doc = known.pack.read("story")
    for key in PARTS:
        for number, each in enumerate(doc.get(key, ())):
            yield from _telling(known, each, (key, number), waits=key == "line")
    for number, each in enumerate(doc.get("luck", ())):
        at: Where = ("luck", number)
        yield from known.unknown_table((*at, "on"), each["on"])
        named = [*each.get("good", ()), *each.get("bad", ())]
        if not named:
            yield at, "it says of no result whether it is good or bad"
        table = known.table(each["on"].casefold())
        if table is not None and not table.unwritten:
            results = {str(row) for row in _results(table)}
            for row in named:
                if row not in results:
                    yield at, f"{each['on']} has no result {row}{near(row, results)}"


def _results(table: Table) -> Iterator[object]:
    """The words that the rows of a table read, and those of its unmodified rolls."""
    rows = [table.doc.get("rows", {}), *(each["rows"] for each in table.doc.get("column", ()))]
    for each in (row for part in rows for row in part.values()):
        for cell in each if isinstance(each, list) else [each]:
            yield cell.get("as", "") if isinstance(cell, dict) else cell
    yield from (each["outcome"] for each in table.doc.get("natural", ()))


def _telling(known: Known, telling: dict[str, object], at: Where, *, waits: bool) -> Iterator[Slip]:
    on = telling.get("on", ())
    for event in [on] if isinstance(on, str) else on if isinstance(on, list) else ():
        if event not in known.sheet.families and known.table(event.casefold()) is None:
            steps = {str(step["id"]) for step in known.pack.read("sequence").get("step", ())}
            choices = set(known.pack.read("choices").get("choice", {}))
            if event not in steps | choices:
                why = f"it waits for {event}, which is no field, table, step or choice"
                yield (*at, "on"), f"{why}{near(event, [*known.sheet.families, *known.pack.files])}"
    if waits and not on:
        yield at, "it waits for nothing: `on` names a field, a table, a step or a choice"
    index = str(telling.get("for", ""))
    if index and index not in known.sheet.index:
        yield (*at, "for"), f"there is no index {index}{near(index, known.sheet.index)}"
    if on and index:
        yield at, "it has `on` and `for`; one of them says what it is told of"
