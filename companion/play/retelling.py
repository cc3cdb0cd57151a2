"""A mission gone through again by its journal: each entry with the sheet as it stood behind it, and what it came to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from companion.engine.fields import Value
from companion.engine.resolution import Result
from companion.play.journal import Entry, Journal
from companion.play.mission import Mission, again, stood
from companion.problems import Problem, Trouble


@dataclass(eq=False)
class Scene:
    """An entry of the journal: its number, what it came to (where that was wanted and can still be worked out), and
    the sheet behind it, which the next one changes."""

    number: int
    entry: Entry
    result: Result | None
    state: Mapping[str, Value] = field(repr=False)


def scenes(mission: Mission, wanted: Callable[[Entry], bool], after: int = 0) -> Iterator[Scene]:
    """Every entry that stands (those `after` so many), in order; those that are wanted are worked out once more on the
    sheet as it was.

    A table may have changed since, and no longer give what was recorded: such an entry has no result.
    """
    start = stood(mission, after)
    journal = Journal(mission.journal.entries[: mission.journal.stand], after)
    twin = Mission(mission.game, start.state, start.pending, journal, mission.number)
    for number, entry in enumerate(journal.entries[after:], after + 1):
        result = _worked_out(twin, entry) if wanted(entry) else None
        journal.step_to(number, twin.state, twin.pending)
        yield Scene(number, entry, result, twin.state)


def _worked_out(twin: Mission, entry: Entry) -> Result | None:
    try:
        result = again(twin, entry)
    except (Problem, Trouble):
        return None
    same = result is not None and (result.step or result.outcome == entry.get("o", result.outcome))
    return result if same else None
