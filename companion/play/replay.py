"""Earlier states of a mission: rewinding to an entry, replaying it, or rerolling its dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.fields import Value, insisted
from companion.engine.play import Play
from companion.engine.questions import KINDS, Pending, RowQuestion, settle
from companion.engine.resolution import Result
from companion.play.dice_tray import KeptDice, Tray
from companion.play.journal import Entry, dice_of
from companion.play.mission import Mission, rehearsal
from companion.problems import UserError
from companion.words import counted


def rewound(mission: Mission, entries: int) -> Mission:
    """Return a copy of a mission as it was after that many journal entries."""
    earlier = rehearsal(mission)
    earlier.go_to_entry(entries)
    return earlier


def replay_entry(mission: Mission, number: int) -> tuple[Entry, Result | None, dict[str, Value]]:
    """Return the journal entry of that number, its replayed result, and the state just before it.

    The result is None for an edit of the sheet. Raise UserError if there is no such entry.
    """
    journal = mission.journal
    if not journal.position:
        raise UserError(f"Nothing has been recorded in this {mission.game.sheet.flight}. Start with: companion fly")
    if not 1 <= number <= journal.position:
        raise UserError(f"There is no entry {number}. The journal has 1 to {journal.position}.")
    earlier, entry = rewound(mission, number - 1), journal.entries[number - 1]
    return entry, again(earlier, entry), earlier.state


def again(earlier: Mission, entry: Entry) -> Result | None:
    """Replay an entry on the mission as it was just before; return None for an edit of the sheet."""
    verb = entry["v"]
    if verb not in ("step", *KINDS):
        return None
    play = Play(earlier.game, earlier.state, earlier.pending, entry.get("w", {}), born=earlier.journal.position + 1)
    play.recorded = True
    if verb == "step":
        return play.advance()
    taken = map(Pending.of, entry["p"][1] if "p" in entry else ())
    asked = [each for each in [*taken, *earlier.pending] if each.is_for(verb, entry["t"])]
    item = next((each for each in asked if each in earlier.pending), None)
    if verb == "roll":
        bind, take = (item.bind, item.take) if item else (entry.get("b", {}), None)
        hand, row = Hand([dice] if (dice := dice_of(entry)) else []), entry.get("s")
        row = insisted(row if isinstance(row, str) else str(entry.get("o", "none")))
        said = row if earlier.game.table(entry["t"]).unwritten else None
        talk = play.roll(entry["t"], hand, bind, outcome=said, take=take, item=item)
        return settle(talk, lambda question: row if isinstance(question, RowQuestion) else None)
    if item is None and verb != "choose":  # a decision can be made even if it is not pending
        raise UserError(f"{entry['t']} is no longer in this game.")
    item = item or Pending(verb, entry["t"], entry.get("b", {}))
    return settle(play.talk(item, Hand(), item.recorded(str(entry.get("o", "")), earlier.game)))


class Scene(NamedTuple):
    """A journal entry: its number, its result (if wanted and unchanged), and the sheet after it.

    The sheet is reused by the next scene.
    """

    number: int
    entry: Entry
    result: Result | None
    state: Mapping[str, Value]


def scenes(
    mission: Mission, wanted: Callable[[Entry], bool] = lambda entry: False, *, after: int = 0
) -> Iterator[Scene]:
    """Yield the journal entries in order, or those `after` a number of them, replaying the wanted ones.

    An entry has no result if its table has changed and no longer gives the recorded one.
    """
    twin = rewound(mission, after)
    for number, entry in enumerate(mission.journal.recorded[after:], after + 1):
        result = None
        if wanted(entry):
            with suppress(UserError):
                result = again(twin, entry)
        if result is not None and not result.step and result.outcome != entry.get("o", result.outcome):
            result = None
        twin.go_to_entry(number)
        yield Scene(number, entry, result, twin.state)


# -- rerolls, if the game allows them: the rabbit's foot of the B-17 ---------------------------------------------------


def reroll_command(mission: Mission) -> str:
    """Return the command for a reroll of the last dice; empty if none is left."""
    spent = mission.game.about.at_table.again
    return spent.words if spent and int(Facts(mission.game.sheet, mission.state)[spent.field]) else ""


def reroll_last(mission: Mission, count: int, tray: Tray) -> Entry:
    """Take back the last roll, or the one that many rolls before, so that its dice are rerolled.

    Dice rolled together with it remain on the tray. Return its entry; raise UserError if this is not possible.
    """
    spent = mission.game.about.at_table.again
    if not spent:
        raise UserError("Nothing in this game lets you roll dice again.")
    field, label = spent.field, spent.words
    entries = mission.journal.recorded
    thrown = [at for at, entry in enumerate(entries) if entry["v"] == "roll" and entry.get("d")]
    if not 1 <= count <= len(thrown):
        only = f"Only {counted(len(thrown), 'roll')} can be taken back."
        raise UserError(only if thrown else "No dice have been rolled yet.")
    if not reroll_command(mission):
        ever = any(field in entry.get("c", {}) for entry in entries)
        raise UserError(f"There is no {label} {'left' if ever else 'on the sheet'}.")
    at = thrown[-count]
    earlier = rewound(mission, at)
    had = int(Facts(mission.game.sheet, earlier.state)[field])
    written = [int(each["c"][field][1] or 0) for each in entries[at:] if field in each.get("c", {})]
    unspent = min([had, *written])  # rerolls used since remain used; rerolls gained since are lost, and are used first
    if unspent < 1:
        raise UserError(f"The {label} came only after that roll.")
    mission.go_to_entry(at)
    mission.cross(field, had - unspent + 1, "erase")
    tray.clear()
    for entry in _pending_before(entries[at + 1 :], earlier):
        bind = {name: str(value) for name, value in entry.get("b", {}).items()}
        tray.lying.append(KeptDice(entry["t"], bind, mission.game.table(entry["t"]).number_printed, dice_of(entry)))
    return entries[at]


def _pending_before(entries: Sequence[Entry], earlier: Mission) -> Iterator[Entry]:
    """Yield the rolls that were already pending at the earlier one; they do not depend on its result."""
    waited = [item for item in earlier.pending if item.kind == "roll"]
    for entry in entries:
        bind = entry.get("b", {}).items()
        asked = (item for item in waited if item.name == entry["t"] and item.bind.items() <= bind and entry.get("d"))
        if (item := next(asked, None)) is not None:
            waited.remove(item)
            yield entry
