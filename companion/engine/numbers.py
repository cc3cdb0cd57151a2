"""The number of an option: its own through a mission, whatever else may be chosen beside it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.questions import Option
from companion.engine.sheet import Sheet
from companion.engine.spec import Spec


def number(choice: Spec, legal: Sequence[Option], sheet: Sheet) -> None:
    """Give each option its number.

    Written options count as they stand in the file; beside those of an index (guns, men, fighters) the first of them
    is 0. One of an index has the number of its member: a fighter its own, a man or a gun his place in the list of the
    sheet. Where a member has several options they are a, b, c: `2a`, `2b`.
    """
    specs: Sequence[Spec] = choice.get("option", ())
    start, size = _members(specs, sheet)
    written = list(dict.fromkeys(str(spec.get("name", "")) for spec in specs if "#for" not in spec))
    by_number: dict[str, list[Option]] = {}
    for option in legal:
        if "#for" in option.spec:
            index, alias = option.spec["#for"][:2]
            member = option.bind[alias]
            place = member if member.isdigit() else str(1 + list(sheet.index[index]).index(member))
            option.number = str(int(place) + start[index])
        else:
            place_written = written.index(str(option.spec.get("name", "")))
            option.number = str(place_written + 1 if not size else 0 if not place_written else size + place_written)
        by_number.setdefault(option.number, []).append(option)
    for options in by_number.values():
        if len(options) > 1:
            for at, option in enumerate(options):
                option.number += chr(ord("a") + at)


def _members(specs: Sequence[Spec], sheet: Sheet) -> tuple[dict[str, int], int]:
    """What is added to the number of a member, for each index that is gone through, and how many members there are."""
    start: dict[str, int] = {}
    size = 0
    for spec in specs:
        index = spec["#for"][0] if "#for" in spec else None
        if index is not None and index not in start:
            start[index] = size
            size += len(sheet.index[index])
    return start, size
