"""The rest of a mission flown many times by the automatic player, from here or for each option of a decision.

Each mission has dice of its own, which follow from the seed and the mission's number: the result does not depend on
who flew which. A pack says what is counted at the end (`[forecast]` in `pack.toml`).
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from math import sqrt
from typing import NamedTuple, TypeVar

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.pending import Pending
from companion.engine.questions import ChoiceQuestion, Option, RowQuestion
from companion.packs import Pack
from companion.packs.blame import endless
from companion.play.conversation import Chance, move
from companion.play.journal import Unread
from companion.play.mission import MOVES, Mission, rehearsal
from companion.play.plan import decisions
from companion.problems import UserError
from companion.words import natural_order

STRETCH = 10  # missions that are flown in one go
PROBES = 4  # trial missions for each start, in which every missing fact is asked for
ALONE = 60  # this many missions are flown sooner than a second core is ready
ROUND = 200  # missions after which the width of the intervals is checked
MOST = 1_000_000
SURE = 1.959964  # standard deviations to either side that hold 95 in 100


# -- flying ------------------------------------------------------------------------------------------------------------


class Start(NamedTuple):
    """The point from which missions are flown; `stand` is the number of journal entries before it."""

    game: str
    state: dict[str, Value]
    pending: list[Pending]
    stand: int
    number: int

    def mission(self) -> Mission:
        """Return a mission that starts here and keeps no journal."""
        journal = Unread(stand=self.stand)
        flight = Mission(pack_of(self.game), dict(self.state), list(self.pending), journal, self.number)
        flight.noting = False
        return flight


class Stretch(NamedTuple):
    """The missions `first` to `last` (excluded) of a start, given by its place."""

    start: int
    seed: int
    first: int
    last: int


class Ends(NamedTuple):
    """The ends of a stretch of missions.

    Attributes:
        values: For everything counted its value in each mission; 0 or 1 for a chance.
        met: Rows printed only in the player's book, by table: how many, and in how many missions.
    """

    missions: int
    values: list[tuple[int, ...]]
    met: dict[str, tuple[int, int]]


T = TypeVar("T")
Flying = Callable[[Start, Stretch], T]  # a function of a module, which a worker finds by its name


class Even(Chance):
    """The automatic player that counts rows printed only in the player's book, and notes facts that are missing."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.met: Counter[str] = Counter()
        self.taken: dict[str, Value] = {}

    def row(self, question: RowQuestion) -> str:
        """Return any known row, each as likely as the others."""
        self.met[question.table.id] += 1
        return super().row(question)

    def fact(self, question: FactQuestion) -> Value:
        """Return the value of an untouched field."""
        value = self.taken[question.name] = super().fact(question)
        return value


_packs: dict[str, Pack] = {}
_starts: Sequence[Start] = ()


def pack_of(game: str) -> Pack:
    """Return the pack of that name that missions are flown with."""
    if game not in _packs:
        _packs[game] = Pack(game)
    return _packs[game]


def use(pack: Pack) -> None:
    """Fly missions of this game with a pack that is in memory."""
    _packs[pack.name] = pack


def start_of(mission: Mission) -> Start:
    """Return the point that a mission has reached."""
    pending = list(mission.pending)
    return Start(mission.game.name, dict(mission.state), pending, mission.journal.stand, mission.number or 1)


def to_the_end(mission: Mission, by: Chance, *, asking: bool = False) -> Facts:
    """Fly a mission of a `Start` until it is over and return its sheet. Raises UserError if it never ends."""
    if all(move(mission, by, asking=asking) for _ in range(MOVES)):
        raise endless(mission.game, "the mission")
    return Facts(mission.game.sheet, mission.state)


def dice_of(seed: int, number: int) -> random.Random:
    """Return the dice of one mission."""
    return random.Random(f"{seed}/{number}")


def ends_of(start: Start, stretch: Stretch) -> Ends:
    """Fly a stretch of missions and count what the pack's forecast counts."""
    spec = pack_of(start.game).about.get("forecast", {})
    counted = [*(each["#when"] for each in spec.get("chance", ())), *(each["#is"] for each in spec.get("mean", ()))]
    values = list[list[int]]()
    rows, missions = Counter[str](), Counter[str]()
    for number in range(stretch.first, stretch.last):
        by = Even(dice_of(stretch.seed, number))
        facts = to_the_end(start.mission(), by)
        values.append([int(each(facts)) for each in counted])
        rows.update(by.met)
        missions.update(by.met.keys())
    met = {name: (rows[name], missions[name]) for name in rows}
    return Ends(len(values), list(zip(*values, strict=True)), met)


def all_flown(
    fly: Flying[T], starts: Sequence[Start], stretches: Sequence[Stretch], cores: int
) -> Generator[T, None, None]:
    """Fly all stretches, on several cores where that is quicker, and yield the ends in their order."""
    if cores == 1 or sum(each.last - each.first for each in stretches) <= ALONE:
        yield from (fly(starts[each.start], each) for each in stretches)
        return
    import multiprocessing

    context = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
    with context.Pool(cores, _begin_worker, (starts,)) as pool:
        yield from pool.imap(_of_one, [(fly, each) for each in stretches])


def cores() -> int:
    """Return how many missions can be flown at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _begin_worker(starts: Sequence[Start]) -> None:
    """Start a worker; Ctrl-C is for the parent."""
    global _starts
    _starts = starts
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _of_one(task: tuple[Flying[T], Stretch]) -> T:
    """Fly one stretch in a worker; of a problem only its sentence can be sent back."""
    fly, stretch = task
    try:
        return fly(_starts[stretch.start], stretch)
    except UserError as problem:
        raise UserError(str(problem)) from None


def probed(starts: Sequence[Start], seed: int) -> Even:
    """Fly trial missions that ask for every missing fact, to find what is printed only in the player's book.

    Returns:
        A player with the rows met in all of them, and the facts with the values assumed.
    """
    whole = Even(random.Random(seed))
    for start in starts:
        for number in range(PROBES):
            by = Even(dice_of(seed, -1 - number))
            to_the_end(start.mission(), by, asking=True)
            whole.met.update(by.met)
            whole.taken.update(by.taken)
    return whole


# -- estimates ---------------------------------------------------------------------------------------------------------


class Mean:
    """A figure on average over some missions, with its 95 percent interval."""

    def __init__(self, values: Iterable[int] = ()) -> None:
        self.of = self.total = self.squares = self.least = 0
        self.add(values)

    def add(self, values: Iterable[int]) -> None:
        """Add the figures of further missions."""
        for value in values:
            self.least = min(self.least, value) if self.of else value
            self.of += 1
            self.total += value
            self.squares += value * value

    @property
    def mean(self) -> float:
        """The average; of 0 and 1 the share of 1."""
        return self.total / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The ends between which the true average is 95 times in 100; not below 0 for what is never below 0."""
        if self.of < 2:
            return self.mean, self.mean
        spread = max(0.0, self.squares - self.total * self.total / self.of) / (self.of - 1)
        reach = SURE * sqrt(spread / self.of)
        low = self.mean - reach
        return max(low, 0.0) if self.least >= 0 else low, self.mean + reach


class Share(Mean):
    """The share of missions in which something came about, 1 for each of them and 0 for the others."""

    @property
    def interval(self) -> tuple[float, float]:
        """The ends between which the true chance is 95 times in 100 (Wilson).

        >>> [round(end, 3) for end in Share([0] * 100).interval], [round(end, 3) for end in Share([0, 1] * 50).interval]
        ([0.0, 0.037], [0.404, 0.596])
        """
        if not self.of:
            return 0.0, 1.0
        p, more = self.mean, SURE * SURE / self.of
        middle, reach = p + more / 2, sqrt(p * (1 - p) * more + more * more / 4)
        low, high = (middle - reach) / (1 + more), (middle + reach) / (1 + more)
        return 0.0 if not self.total else low, 1.0 if self.total == self.of else high


@dataclass
class Outlook:
    """The results of some missions. `met` are the tables of the player's book: how many rows, in how many missions."""

    missions: int = 0
    chances: dict[str, Share] = field(default_factory=dict)
    means: dict[str, Mean] = field(default_factory=dict)
    met: dict[str, tuple[int, int]] = field(default_factory=dict)

    def add(self, ends: Ends) -> None:
        """Add a further stretch of missions."""
        self.missions += ends.missions
        for estimate, values in zip([*self.chances.values(), *self.means.values()], ends.values, strict=True):
            estimate.add(values)
        for name, (rows, missions) in ends.met.items():
            before = self.met.get(name, (0, 0))
            self.met[name] = before[0] + rows, before[1] + missions


# -- the forecast ------------------------------------------------------------------------------------------------------


class Ahead:
    """The rest of a mission, flown many times.

    Attributes:
        question: The pending decision, whose options are flown side by side; None if there is none.
        outlooks: The results so far by option, also after an interruption; by an empty name without a decision.
        own: The tables printed only in the player's book, and how often a trial mission met each.
        figures: The missing facts, with the values assumed.
    """

    def __init__(self, mission: Mission, seed: int) -> None:
        assert isinstance(mission.game, Pack)
        self.pack, self.mission, self.seed = mission.game, mission, seed
        self.spec = self.pack.about.get("forecast", {})
        if not self.spec.get("chance") and not self.spec.get("mean"):
            raise UserError(
                f"{self.pack.title} does not say what a forecast counts; it stands in its pack.toml under [forecast]"
            )
        use(self.pack)
        self.question = _decision(mission)
        self.options: dict[str, Option] = {each.name: each for each in self.question.options} if self.question else {}
        self.starts: dict[str, Start] = self._starts()
        self.outlooks: dict[str, Outlook] = {
            name: Outlook(
                chances={each["name"]: Share() for each in self.spec.get("chance", ())},
                means={each["name"]: Mean() for each in self.spec.get("mean", ())},
            )
            for name in self.starts
        }
        trials = probed(list(self.starts.values()), seed)
        self.own: dict[str, float] = {name: rows / (PROBES * len(self.starts)) for name, rows in trials.met.items()}
        self.figures: dict[str, Value] = trials.taken

    def _starts(self) -> dict[str, Start]:
        """Return the starts by the option that is taken."""
        if not self.options:
            return {"": start_of(self.mission)}
        starts = {}
        for name in self.options:
            trial = rehearsal(self.mission)
            trial.roll(None, Hand(), outcome=name, single=True)
            starts[name] = start_of(trial)
        return starts

    @property
    def unknown(self) -> bool:
        """Whether anything it needs is printed only in the player's book."""
        return bool(self.own or of_the_book(self.pack, self.figures))

    def fly(
        self,
        missions: int,
        within: float | None,
        cores: int,
        tick: Callable[[int], None] = lambda missions: None,
        enough: Callable[[], bool] = lambda: False,
    ) -> None:
        """Fly each start `missions` times, or until all chances are known to `within`, or it is `enough`."""
        outlooks, stretches = list(self.outlooks.values()), list(self._stretches(missions))
        try:
            with closing(all_flown(ends_of, list(self.starts.values()), stretches, cores)) as ends:
                for stretch, each in zip(stretches, ends, strict=True):
                    outlooks[stretch.start].add(each)
                    tick(each.missions)
                    if stretch.start == len(outlooks) - 1 and (enough() or self._known(stretch.last, within)):
                        break
        finally:
            for outlook in outlooks:
                for name in outlook.met:
                    self.own.setdefault(name, 0.0)

    def _known(self, flown: int, within: float | None) -> bool:
        """Return whether every chance is known to `within`; checked after the same missions on any machine."""
        if within is None or flown % ROUND:
            return False
        intervals = [each.interval for outlook in self.outlooks.values() for each in outlook.chances.values()]
        return all((high - low) / 2 <= within for low, high in intervals)

    def _stretches(self, missions: int) -> Iterator[Stretch]:
        """Yield the missions in turn, the same numbers for each start: all are flown with the same dice."""
        for first in range(0, missions, STRETCH):
            for at in range(len(self.starts)):
                yield Stretch(at, self.seed, first, min(first + STRETCH, missions))

    def met(self) -> dict[str, float]:
        """Return how often a mission met each table that is printed only in the player's book."""
        outlooks = self.outlooks.values()
        missions = sum(each.missions for each in outlooks)
        rows = {name: sum(each.met.get(name, (0, 0))[0] for each in outlooks) for name in self.own}
        return {name: rows[name] / missions for name in sorted(rows, key=natural_order)}


def of_the_book(pack: Pack, facts: Collection[str]) -> list[str]:
    """Return those of the missing facts that are printed only in the player's book."""
    return sorted(name for name in facts if pack.sheet.declared(name).section == "book")


def _decision(mission: Mission) -> ChoiceQuestion | None:
    """Return the pending decision; None for a single option, or one of many decisions (the guns' targets)."""
    item = mission.waiting()
    if item is None or item.kind != "choose" or len(decisions(mission)) > 1:
        return None
    trial = rehearsal(mission)
    trial.noting = True
    question = trial.question(item)
    return question if isinstance(question, ChoiceQuestion) else None


def supposed(mission: Mission, given: Mapping[str, Value]) -> Mission:
    """Return a copy of a mission to forecast, with these facts on its sheet.

    Raises:
        UserError: It is over, or a fact is not on the sheet.
    """
    fields = mission.game.sheet.fields
    trial = rehearsal(mission)
    trial.number = mission.number or 1
    for name in given:
        if name not in fields:
            raise UserError(f"{name} is not on the sheet; a forecast takes its fields, as companion set does")
    if given:
        trial.write(given)
    following = rehearsal(trial)
    if following.waiting() is None and not following.advance():
        raise UserError(f"the {mission.game.sheet.flight} is over; nothing is left to forecast")
    return trial
