"""Dice thrown again where the game has something that lets them be: the rabbit's foot of the B-17."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine.facts import Facts
from companion.engine.fields import Spec
from companion.play.dice_tray import Lying, Tray
from companion.play.journal import Entry
from companion.play.mission import Mission, stood
from companion.problems import Problem
from companion.words import counted


def again_of(mission: Mission) -> Spec:
    """What of the game lets dice be thrown again; empty where nothing does."""
    spent: Spec = mission.game.about.get("at-table", {}).get("again", {})
    return spent


def left_of(mission: Mission) -> str:
    """What is typed to throw the last dice again, while there is something left that does; else empty."""
    spent = again_of(mission)
    return str(spent["words"]) if spent and int(Facts(mission.game.sheet, mission.state)[str(spent["field"])]) else ""


def throw_again(mission: Mission, count: int, tray: Tray) -> Entry:
    """The dice that were thrown last, or so many throws before, are to be thrown again; those thrown along with them
    lie on the tray. Gives the entry that was; a Problem says why it cannot be."""
    spent = again_of(mission)
    if not spent:
        raise Problem("nothing in this game throws dice again")
    field, label = str(spent["field"]), str(spent["words"])
    entries = mission.journal.entries[: mission.journal.stand]
    thrown = [at for at, entry in enumerate(entries) if entry["v"] == "roll" and entry.get("d")]
    if not 1 <= count <= len(thrown):
        only = f"only {counted(len(thrown), 'throw')} can be taken back"
        raise Problem(only if thrown else "no dice have been thrown yet")
    at = thrown[-count]
    earlier = stood(mission, at)
    had = int(Facts(mission.game.sheet, earlier.state)[field])
    if int(Facts(mission.game.sheet, mission.state)[field]) < 1:
        raise Problem(f"there is no {label} left" if _ever(mission, field) else f"there is no {label} on the sheet")
    unspent = _unspent(had, entries[at:], field)
    if unspent < 1:
        raise Problem(f"the {label} came only after that roll")
    mission.stand_at(at)
    mission.cross(field, had - unspent + 1, "erase")
    tray.clear()
    for entry in _thrown_along(entries[at + 1 :], earlier):
        bind = {name: str(value) for name, value in entry.get("b", {}).items()}
        tray.lying.append(Lying(entry["t"], bind, mission.game.table(entry["t"]).number_printed, entry["d"]))
    return entries[at]


def _thrown_along(entries: Sequence[Entry], earlier: Mission) -> Iterator[Entry]:
    """The rolls that waited already when an earlier one was thrown: whatever that comes to, they stand."""
    waited = [item for item in earlier.pending if item.kind == "roll"]
    for entry in entries:
        bind = entry.get("b", {}).items()
        for item in waited:
            if item.name == entry["t"] and item.bind.items() <= bind and entry.get("d"):
                waited.remove(item)
                yield entry
                break


def _unspent(had: int, since: Sequence[Entry], field: str) -> int:
    """How many of those that were there at a roll are there still: what was spent since stays spent, what came since
    goes with it, and is spent first."""
    return min([had, *(int(entry["c"][field][1] or 0) for entry in since if field in entry.get("c", {}))])


def _ever(mission: Mission, field: str) -> bool:
    return any(field in entry.get("c", {}) for entry in mission.journal.entries[: mission.journal.stand])
