"""What the declared forms do not say, and without which neither a table nor a sheet can be made of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.engine.sheet import MOST_BOXES
from companion.engine.spec import Spec
from companion.engine.tables import DIE
from companion.packs.language.names import Named, members_of
from companion.packs.lines import Where
from companion.packs.places import near
from companion.words import figure

Slip = tuple[Where, str]  # where in a file, and what is wrong there


def misshapen_table(doc: Spec, at: Where = ()) -> Iterator[Slip]:
    """Columns that name modifiers which there are not, results that bind one name twice; in every die of a table."""
    names = [each["id"] for each in doc.get("modifier", ())]
    yield from _columns(doc, names, at)
    cases = [(number, case) for number, case in enumerate(doc.get("cases", ())) if any(key in case for key in DIE)]
    shared = next((case["modifier"] for _, case in cases if "modifier" in case), doc.get("modifier", ()))
    for number, case in cases:  # the cases of a result become one die: the first that has modifiers lends them to all
        yield from _columns(case, [each["id"] for each in shared], (*at, "cases", number))
    for slug in doc.get("outcome", {}):
        bound = re.findall(r"\{([a-z-]+)\}", slug)
        if len(set(bound)) < len(bound):
            yield (*at, "outcome", slug), "one name stands in it twice"
    for kind in ("outcome", "sub"):
        for name, inner in doc.get(kind, {}).items():
            yield from misshapen_table(inner, (*at, kind, name))
    for number, case in enumerate(doc.get("cases", ())):
        for kind in ("outcome", "sub"):
            for name, inner in case.get(kind, {}).items():
                yield from misshapen_table(inner, (*at, "cases", number, kind, name))


def _columns(doc: Spec, modifiers: list[str], at: Where) -> Iterator[Slip]:
    for number, column in enumerate(doc.get("column", ())):
        for name in column.get("modifier", ()):
            if name not in modifiers:
                where: Where = (*at, "column", number)
                yield where, f"it names a modifier {name}, which there is not{near(name, modifiers)}"


def misshapen_sheet(doc: Spec) -> Iterator[Slip]:
    """Boxes whose number nobody has, and labels with a brace of which the other is missing."""
    for section, fields in doc.get("fields", {}).items():
        for name, field in fields.items():
            at: Where = ("fields", section, name)
            label = re.sub(r"\{[^{}]*\}", "", field.get("label", ""))
            if "{" in label or "}" in label:
                yield at, "its label has a brace without its partner"
            if isinstance(field.get("boxes"), int) and field["boxes"] > MOST_BOXES:
                yield at, f"its boxes are {field['boxes']}; a sheet has room for {MOST_BOXES}"
            if isinstance(field.get("boxes"), str):
                yield from _boxes(doc, name, field["boxes"], at)


def _boxes(doc: Spec, name: str, boxes: str, at: Where) -> Iterator[Slip]:
    """Boxes as many as the sheet says of each member: `gun.bursts` for `bursts[gun]`."""
    index, _, key = boxes.partition(".")
    members: Mapping[str, Spec] = members_of(doc.get("index", {}).get(index))
    numbers = [attributes[key] for attributes in members.values() if key in attributes]
    if index not in Named(name).indexes or not numbers:
        yield at, f"its boxes are {boxes}, which the sheet says of nobody"
    elif any(figure(str(number)) is None for number in numbers):
        yield at, f"its boxes are {boxes}, which is no number for every {index}"
