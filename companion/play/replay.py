"""A mission as it was earlier: taken back to an entry, worked out once more, or with dice to be rolled again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.fields import Spec, Value, insisted
from companion.engine.pending import Pending
from companion.engine.play import Play
from companion.engine.questions import RowQuestion, settle
from companion.engine.resolution import Result
from companion.play.dice_tray import Lying, Tray
from companion.play.journal import Entry, Journal
from companion.play.mission import Mission
from companion.problems import UserError
from companion.words import counted


def stood(mission: Mission, stand: int) -> Mission:
    """The mission as it was when so many entries stood, to be worked on without touching it."""
    state, pending, journal = dict(mission.state), list(mission.pending), mission.journal
    Journal(journal.entries, journal.stand).step_to(stand, state, pending)
    earlier = Mission(mission.game, state, pending, Journal(journal.entries[:stand]), mission.number)
    earlier.noting = False
    return earlier


def worked_out_again(mission: Mission, number: int) -> tuple[Entry, Result | None, dict[str, Value]]:
    """The entry of that number worked out once more on the sheet as it stood then, without touching the mission.

    Gives the entry, its result (None for mere writing on the sheet), and the state just before it.
    """
    journal = mission.journal
    if not journal.stand:
        raise UserError(f"nothing has been recorded in this {mission.game.sheet.flight}")
    if not 1 <= number <= journal.stand:
        raise UserError(f"there is no entry {number}; the journal has 1 to {journal.stand}")
    earlier, entry = stood(mission, number - 1), journal.entries[number - 1]
    return entry, again(earlier, entry), earlier.state


def again(earlier: Mission, entry: Entry) -> Result | None:
    """The entry worked out once more by the mission as it stood just before; None for mere writing on the sheet."""
    verb = entry["v"]

    def play() -> Play:
        again = Play(earlier.game, earlier.state, earlier.pending, entry.get("w", {}), born=earlier.journal.stand + 1)
        again.recorded = True
        return again

    if verb == "step":
        return play().advance()
    if verb not in ("roll", "choose", "ask"):
        return None
    taken = map(Pending.of, entry["p"][1] if "p" in entry else ())
    asked = [each for each in [*taken, *earlier.pending] if each.is_for(verb, entry["t"])]
    waiting = [each for each in asked if each in earlier.pending]
    item = waiting[0] if waiting else None
    if verb == "roll":
        bind, take = (item.bind, item.take) if item else (entry.get("b", {}), None)

        hand, row = Hand([entry["d"]] if entry.get("d") else []), entry.get("s")
        row = insisted(row if isinstance(row, str) else str(entry.get("o", "none")))
        said = row if earlier.game.table(entry["t"]).unwritten else None
        talk = play().roll(entry["t"], hand, bind, outcome=said, take=take, item=item)
        return settle(talk, lambda question: row if isinstance(question, RowQuestion) else None)
    if verb == "choose":  # one that nobody asked for was decided all the same
        return settle(play().choose(item or Pending("choose", entry["t"], entry.get("b", {})), entry.get("o")))
    if item is None:
        raise UserError(f"{entry['t']} is no longer to be found in this game")
    answer, named = str(entry.get("o", "")), earlier.game.sheet.fields[item.name].words
    return settle(play().answer(item, f"={answer}" if named else answer))


@dataclass(eq=False)
class Scene:
    """An entry of the journal: its number, what it came to (where that was wanted and can still be worked out), and
    the sheet behind it, which the next one changes."""

    number: int
    entry: Entry
    result: Result | None
    state: Mapping[str, Value] = field(repr=False)


def scenes(mission: Mission, wanted: Callable[[Entry], bool]) -> Iterator[Scene]:
    """Yield every entry that was not undone, in order; those that are wanted are worked out once more on the sheet as
    it was.

    A table may have changed since, and no longer give what was recorded: such an entry has no result.
    """
    start = stood(mission, 0)
    journal = Journal(mission.journal.entries[: mission.journal.stand], 0)
    twin = Mission(mission.game, start.state, start.pending, journal, mission.number)
    for number, entry in enumerate(journal.entries, 1):
        result = None
        if wanted(entry):
            with suppress(UserError):
                result = again(twin, entry)
        if result is not None and not result.step and result.outcome != entry.get("o", result.outcome):
            result = None
        journal.step_to(number, twin.state, twin.pending)
        yield Scene(number, entry, result, twin.state)


# -- rolling dice again where the game has something that allows it: the rabbit's foot of the B-17 ---------------------


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
    lie on the tray. Gives the entry that was; a UserError says why it cannot be."""
    spent = again_of(mission)
    if not spent:
        raise UserError("nothing in this game throws dice again")
    field, label = str(spent["field"]), str(spent["words"])
    entries = mission.journal.entries[: mission.journal.stand]
    thrown = [at for at, entry in enumerate(entries) if entry["v"] == "roll" and entry.get("d")]
    if not 1 <= count <= len(thrown):
        only = f"only {counted(len(thrown), 'throw')} can be taken back"
        raise UserError(only if thrown else "no dice have been thrown yet")
    at = thrown[-count]
    earlier = stood(mission, at)
    had = int(Facts(mission.game.sheet, earlier.state)[field])
    written = [int(each["c"][field][1] or 0) for each in entries[at:] if field in each.get("c", {})]
    if int(Facts(mission.game.sheet, mission.state)[field]) < 1:
        ever = any(field in entry.get("c", {}) for entry in entries)
        raise UserError(f"there is no {label} {'left' if ever else 'on the sheet'}")
    unspent = min([had, *written])  # spent since stays spent; any that came since goes with it, and is spent first
    if unspent < 1:
        raise UserError(f"the {label} came only after that roll")
    mission.stand_at(at)
    mission.cross(field, had - unspent + 1, "erase")
    tray.clear()
    for entry in _thrown_along(entries[at + 1 :], earlier):
        bind = {name: str(value) for name, value in entry.get("b", {}).items()}
        tray.lying.append(Lying(entry["t"], bind, mission.game.table(entry["t"]).number_printed, entry["d"]))
    return entries[at]


def _thrown_along(entries: Sequence[Entry], earlier: Mission) -> Iterator[Entry]:
    """Yield the rolls that were already pending when an earlier one was thrown; they remain whatever it comes to."""
    waited = [item for item in earlier.pending if item.kind == "roll"]
    for entry in entries:
        bind = entry.get("b", {}).items()
        asked = (item for item in waited if item.name == entry["t"] and item.bind.items() <= bind and entry.get("d"))
        if (item := next(asked, None)) is not None:
            waited.remove(item)
            yield entry
