"""Missions flown to their end by the automatic player, many of them, on as many cores as there are.

Each mission has dice of its own, which follow from the seed and the mission's number: what many of them come to does
not depend on who flew which.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import NamedTuple, TypeVar

from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.pending import Pending
from companion.engine.questions import RowQuestion
from companion.packs import Pack
from companion.packs.blame import endless
from companion.play.chance import Chance
from companion.play.conversation import move
from companion.play.journal import Unread
from companion.play.mission import MOVES, Mission
from companion.problems import Problem

STRETCH = 10  # missions that are flown in one go
PROBES = 4  # missions for each start in which every fact is asked for that nobody has said
ALONE = 60  # so few are flown sooner than a second core is ready


class Start(NamedTuple):
    """Where a mission stands: the game, the sheet, what is pending, how many entries its journal has."""

    game: str
    state: dict[str, Value]
    pending: list[Pending]
    stand: int
    number: int

    def mission(self) -> Mission:
        """A mission that stands there; nobody reads what is written down of it."""
        journal = Unread(stand=self.stand)
        flight = Mission(pack_of(self.game), dict(self.state), list(self.pending), journal, self.number)
        flight.noting = False
        return flight


class Stretch(NamedTuple):
    """The missions `first` to `last` (which is not among them) of a start."""

    start: int
    seed: int
    first: int
    last: int


class Ends(NamedTuple):
    """What a stretch of missions came to: for each chance how often it was so, for each figure its sum, that of its
    squares and the least, and how often and in how many missions a row was only in the player's own book."""

    missions: int
    hits: list[int]
    totals: list[int]
    squares: list[int]
    least: list[int]
    met: dict[str, tuple[int, int]]


T = TypeVar("T")
Flying = Callable[[Start, Stretch], T]  # a function of a module, which a worker finds by its name


class Even(Chance):
    """The automatic player who counts the rows that only the player's own book has."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.met: Counter[str] = Counter()
        self.taken: dict[str, Value] = {}  # facts that nobody has said

    def row(self, question: RowQuestion) -> str:
        """Each known one is as likely as the other."""
        self.met[question.table.id] += 1
        return super().row(question)

    def fact(self, question: FactQuestion) -> Value:
        """What an untouched field reads as."""
        value = self.taken[question.name] = super().fact(question)
        return value


_packs: dict[str, Pack] = {}
_starts: Sequence[Start] = ()


def pack_of(game: str) -> Pack:
    """The pack of that name that missions are flown with."""
    if game not in _packs:
        _packs[game] = Pack(game)
    return _packs[game]


def use(pack: Pack) -> None:
    """The pack that missions of its name are flown with: one that is in memory need not be read again."""
    _packs[pack.name] = pack


def to_the_end(mission: Mission, by: Chance, *, asking: bool = False) -> Facts:
    """Fly a mission of a `Start` until it is over; gives the sheet then. Raises a Problem where it does not end."""
    if all(move(mission, by, asking=asking) for _ in range(MOVES)):
        raise endless(mission.game, "the mission")
    return Facts(mission.game.sheet, mission.state, noting=False)


def dice_of(seed: int, number: int) -> random.Random:
    """The dice of one mission."""
    return random.Random(f"{seed}/{number}")


def ends_of(start: Start, stretch: Stretch) -> Ends:
    """Fly a stretch of missions."""
    spec = pack_of(start.game).about.get("forecast", {})
    tests = [each["#when"] for each in spec.get("chance", ())]
    figures = [each["#is"] for each in spec.get("mean", ())]
    hits, values = [0] * len(tests), list[list[int]]()
    rows, missions = Counter[str](), Counter[str]()
    for number in range(stretch.first, stretch.last):
        by = Even(dice_of(stretch.seed, number))
        facts = to_the_end(start.mission(), by)
        for at, test in enumerate(tests):
            hits[at] += bool(test(facts))
        values.append([int(figure(facts)) for figure in figures])
        rows.update(by.met)
        missions.update(by.met.keys())
    met = {name: (rows[name], missions[name]) for name in rows}
    columns = list(zip(*values, strict=True))
    squares = [sum(value * value for value in each) for each in columns]
    return Ends(len(values), hits, list(map(sum, columns)), squares, list(map(min, columns)), met)


def all_flown(
    fly: Flying[T], starts: Sequence[Start], stretches: Sequence[Stretch], cores: int
) -> Generator[T, None, None]:
    """What every stretch came to, in their order."""
    if cores > 1 and sum(each.last - each.first for each in stretches) > ALONE:
        with closing(_on_all_cores(fly, starts, stretches, cores)) as ends:
            yield from ends
        return
    for each in stretches:
        yield fly(starts[each.start], each)


def cores() -> int:
    """How many missions can be flown at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _on_all_cores(
    fly: Flying[T], starts: Sequence[Start], stretches: Sequence[Stretch], cores: int
) -> Generator[T, None, None]:
    import multiprocessing

    context = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
    with context.Pool(cores, _settle, (starts,)) as pool:
        for ends in pool.imap(_of_one, [(fly, each) for each in stretches]):
            if isinstance(ends, Fault):
                raise Problem(ends.sentence)
            yield ends


class Fault(NamedTuple):
    """What went wrong in a worker."""

    sentence: str


def _settle(starts: Sequence[Start]) -> None:
    """A worker begins: Ctrl-C is for the one who asked."""
    global _starts
    _starts = starts
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _of_one(task: tuple[Flying[T], Stretch]) -> T | Fault:
    """One stretch in a worker; what is wrong comes back as its sentence."""
    fly, stretch = task
    try:
        return fly(_starts[stretch.start], stretch)
    except Problem as problem:
        return Fault(str(problem))


def probed(starts: Sequence[Start], seed: int) -> Even:
    """A few missions that ask for every fact that nobody has said, to find what only the player's own book knows: the
    rows that were met in all of them, and the facts with what they are taken as."""
    whole = Even(random.Random(seed))
    for start in starts:
        for number in range(PROBES):
            by = Even(dice_of(seed, -1 - number))
            to_the_end(start.mission(), by, asking=True)
            whole.met.update(by.met)
            whole.taken.update(by.taken)
    return whole
