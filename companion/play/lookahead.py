"""Forecasts: the rest of a mission, or whole tours, flown many times by the automatic player.

Each mission's dice follow from the seed and the mission's number, so the result does not depend on which process flew
it. A pack says what is counted at the end (`[forecast]` in `pack.toml`). A tour is a random sample of one mission for
each number; the campaign log (`[log]` in `pack.toml`) decides the fate of men and bombers.
"""

from __future__ import annotations

import os
import random
import signal
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from math import sqrt
from typing import NamedTuple, TypeVar

from companion.engine.about import Forecast
from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion, FieldQuestion, Option, Pending, RowQuestion
from companion.packs import Pack
from companion.play.conversation import Chance, move
from companion.play.journal import CountingJournal
from companion.play.mission import MOVES, Mission, rehearsal
from companion.play.plan import decisions
from companion.problems import SystemFault, UserError
from companion.words import natural_order

STRETCH = 10  # missions flown in one batch
PROBES = 4  # missions from each start that ask for every missing fact, which takes longer
ALONE = 60  # missions that take less time than starting a second process
MOST = 1_000_000
SURE = statistics.NormalDist().inv_cdf(0.975)  # standard deviations to either side that hold 95 in 100
TOURS = 1000
FLIGHTS = 1000  # missions flown for the tours
LEAST = 20  # missions flown for each mission of a long tour
LIKELY = 0.05  # share of the tours below, and of those above the likely range


# -- flying ------------------------------------------------------------------------------------------------------------


class Start(NamedTuple):
    """The starting point of missions; `position` is the number of journal entries before it."""

    game: str
    state: dict[str, Value]
    pending: list[Pending]
    position: int
    number: int

    def mission(self) -> Mission:
        """Return a mission from this point, without a journal."""
        journal = CountingJournal(position=self.position)
        flight = Mission(pack_of(self.game), dict(self.state), list(self.pending), journal, self.number)
        flight.noting = False
        return flight


class EvenChance(Chance):
    """The automatic player that counts rows printed only in the player's rulebook, and notes missing facts."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.met: Counter[str] = Counter()
        self.taken: dict[str, Value] = {}

    def row(self, question: RowQuestion) -> str:
        """Return a random known row, all equally likely."""
        self.met[question.table.id] += 1
        return super().row(question)

    def fact(self, question: FactQuestion) -> Value:
        value = self.taken[question.name] = super().fact(question)
        return value

    def field(self, question: FieldQuestion) -> str:
        value = super().field(question)
        self.taken |= {question.name: value} if question.usual == "" else {}  # a figure without a default
        return value


T = TypeVar("T")
Reading = Callable[[Pack, Facts], T]  # reads the final sheet; module-level, so that it can be sent to another process
_packs: dict[str, Pack] = {}


def pack_of(game: str) -> Pack:
    """Return the pack of that name, for flying missions."""
    if game not in _packs:
        _packs[game] = Pack(game)
    return _packs[game]


def start_of(mission: Mission) -> Start:
    """Return a mission's current point as a start."""
    _packs[mission.game.name] = mission.game
    pending = list(mission.pending)
    return Start(mission.game.name, dict(mission.state), pending, mission.journal.position, mission.number or 1)


def fly_to_end(mission: Mission, by: Chance, *, asking: bool = False) -> Facts:
    """Fly a mission from a `Start` to its end and return its sheet. Raise UserError if it never ends."""
    if all(move(mission, by, asking=asking) for _ in range(MOVES)):
        raise SystemFault(f"{mission.game.name}: the mission never ends. Check its sequence.toml")
    return mission.facts()


def all_flown(
    read: Reading[T], starts: Sequence[tuple[Start, int]], missions: int, cores: int, by: EvenChance
) -> Iterator[tuple[int, list[T]]]:
    """Fly many missions from each start with its seed, on several cores if that is faster.

    Args:
        by: The player that gets the rows met and the facts assumed of all missions.

    Yields:
        The place of a start and the values read after its next missions. All starts have as many after the last one.
    """
    places = [(at, first) for first in range(0, missions, STRETCH) for at in range(len(starts))]
    tasks = [(read, *starts[at], range(first, min(first + STRETCH, missions))) for at, first in places]
    with ExitStack() as stack:
        flown: Iterator[tuple[list[T], Counter[str], dict[str, Value]]] = map(_fly, tasks)
        if cores > 1 and missions * len(starts) > ALONE:
            import multiprocessing

            context = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
            leave = signal.SIGINT, signal.SIG_IGN  # Ctrl-C is for the parent
            flown = stack.enter_context(context.Pool(cores, signal.signal, leave)).imap(_fly, tasks)
        for (at, _), (ends, met, taken) in zip(places, flown, strict=True):
            by.met.update(met)
            by.taken.update(taken)
            yield at, ends


def _fly(task: tuple[Reading[T], Start, int, range]) -> tuple[list[T], Counter[str], dict[str, Value]]:
    """Fly the missions of these numbers; the first ones ask for every missing fact.

    Raise UserError with only its sentence, which a worker can send back.
    """
    read, start, seed, numbers = task
    by, ends = EvenChance(random.Random()), list[T]()
    try:
        for number in numbers:
            by.rng = random.Random(f"{seed}/{number}")
            ends.append(read(pack_of(start.game), fly_to_end(start.mission(), by, asking=number < PROBES)))
    except UserError as problem:
        raise UserError(str(problem)) from None
    return ends, by.met, by.taken


def cores() -> int:
    """Return the number of missions that can be flown in parallel."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# -- estimates ---------------------------------------------------------------------------------------------------------


class Mean:
    """An average over some missions, with its 95 percent interval."""

    def __init__(self, values: Iterable[int] = ()) -> None:
        self.values = list(values)

    @property
    def mean(self) -> float:
        """Return the average; for values of 0 and 1 the share of 1."""
        return statistics.fmean(self.values) if self.values else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 percent interval of the average; not below 0 if no value is."""
        if len(self.values) < 2:
            return self.mean, self.mean
        reach = SURE * statistics.stdev(self.values) / sqrt(len(self.values))
        low = self.mean - reach
        return max(low, 0.0) if min(self.values) >= 0 else low, self.mean + reach


class Share(Mean):
    """The share of missions in which something happened, counted as 1 or 0 for each."""

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 percent interval of the chance (Wilson).

        >>> [round(end, 3) for end in Share([0] * 100).interval], [round(end, 3) for end in Share([0, 1] * 50).interval]
        ([0.0, 0.037], [0.404, 0.596])
        """
        if not self.values:
            return 0.0, 1.0
        p, more = self.mean, SURE * SURE / len(self.values)
        middle, reach = p + more / 2, sqrt(p * (1 - p) * more + more * more / 4)
        low, high = (middle - reach) / (1 + more), (middle + reach) / (1 + more)
        return 0.0 if p == 0 else low, 1.0 if p == 1 else high


# -- the forecast ------------------------------------------------------------------------------------------------------


class Outlook:
    """The results of some missions: chances and averages by name."""

    def __init__(self, counted: Forecast) -> None:
        self.missions = 0
        self.estimates: dict[str, Mean] = {each.name: Share() for each in counted.chance}
        self.estimates |= {each.name: Mean() for each in counted.mean}

    def add(self, ends: Sequence[Sequence[int]]) -> None:
        """Add the results of more missions."""
        self.missions += len(ends)
        for figures in ends:
            for estimate, figure in zip(self.estimates.values(), figures, strict=True):
                estimate.values.append(figure)


def counted(pack: Pack, facts: Facts) -> list[int]:
    """Return all values that the pack's forecast counts; 0 or 1 for a chance."""
    forecast = pack.about.forecast
    return [*(int(each.when(facts)) for each in forecast.chance), *(each.is_(facts) for each in forecast.mean)]


class ForecastRun:
    """The rest of a mission, flown many times.

    Attributes:
        question: The pending decision, whose options are compared; None if there is none.
        outlooks: The results so far by option, even after an interruption; under an empty name without a decision.
        by: The player, with the rows met in the player's rulebook and the missing facts with the values assumed.
    """

    def __init__(self, mission: Mission, seed: int) -> None:
        self.pack, self.seed = mission.game, seed
        self.counted = self.pack.about.forecast
        if not self.counted:
            raise UserError(f"There is no forecast for {self.pack.title}. Its pack.toml needs a [forecast].")
        item, question = mission.waiting(), None
        if item is not None and item.kind == "choose" and len(decisions(mission)) < 2:  # not one of many: guns' targets
            question = rehearsal(mission, noting=True).question(item)
        self.question = question if isinstance(question, ChoiceQuestion) else None
        self.options: dict[str, Option] = {each.name: each for each in self.question.options} if self.question else {}
        self.starts: dict[str, Start] = {}
        for name in self.options or [""]:
            trial = rehearsal(mission)
            if name:
                trial.roll(None, Hand(), outcome=name, single=True)
            self.starts[name] = start_of(trial)
        self.outlooks = {name: Outlook(self.counted) for name in self.starts}
        self.by = EvenChance(random.Random())

    def fly(self, missions: int, cores: int) -> Iterator[int]:
        """Fly each start that many times; yield the count whenever all starts have the same number of missions.

        The missions have the same numbers for each start, so all are flown with the same dice.
        """
        outlooks, starts = list(self.outlooks.values()), [(start, self.seed) for start in self.starts.values()]
        for at, ends in all_flown(counted, starts, missions, cores, self.by):
            outlooks[at].add(ends)
            if at == len(starts) - 1:
                yield len(ends) * len(starts)

    def met(self) -> dict[str, float]:
        """Return how often a mission meets each table printed only in the player's rulebook."""
        missions = sum(each.missions for each in self.outlooks.values())
        return {name: self.by.met[name] / missions for name in sorted(self.by.met, key=natural_order)}


def mission_with(mission: Mission, given: Mapping[str, Value]) -> Mission:
    """Return a copy of a mission for a forecast, with these facts on its sheet.

    Raises:
        UserError: The mission is over, or a fact is not on the sheet.
    """
    fields = mission.game.sheet.fields
    trial = rehearsal(mission)
    trial.number = mission.number or 1
    for name in given:
        if name not in fields:
            raise UserError(f"{name} isn't on the log sheet. List its fields with: companion status --all")
    if given:
        trial.write(given)
    following = rehearsal(trial)
    if following.waiting() is None and not following.advance():
        raise UserError(f"The {mission.game.sheet.flight} is over, so there is nothing left to forecast.")
    return trial


# -- tours -------------------------------------------------------------------------------------------------------------


class MissionEnd(NamedTuple):
    """The end of one mission.

    Attributes:
        lost: The positions of lost crewmen.
        down: Whether the bomber is lost.
        percent: The percentage of bombs on target; None if the mission does not count.
        crew: The names by position at its start.
    """

    lost: tuple[str, ...]
    down: bool
    percent: int | None
    crew: Mapping[str, str]


class Curve(NamedTuple):
    """A value after each mission of a tour: its average, and the range of nine tours in ten."""

    low: list[float]
    mean: list[float]
    high: list[float]


FIGURES = {
    "crew": "Of the first crew still flying, percent:",
    "percent": "Bombs on target, percent:",
    "lost": "Men lost:",
    "bombers": "Bombers lost:",
}


def end_of(pack: Pack, facts: Facts) -> MissionEnd:
    """Return the values that the campaign log reads from a sheet."""
    log = pack.about.log
    positions = list(pack.sheet.index.get("position", {}))
    percent = int(facts[log.average]) if log.average and log.counts(facts) else None
    crew = {each: str(facts[f"name.{each}"]) for each in positions if f"name.{each}" in pack.sheet.fields}
    gone = tuple(each for each in positions if log.lost and log.lost(facts, each))
    return MissionEnd(gone, bool(log.aircraft_lost) and log.aircraft_lost(facts), percent, crew)


class Expectation:
    """Automatic tours of a game; `by` has the rows met in the player's rulebook and the missing facts."""

    def __init__(self, pack: Pack, length: int, settings: Mapping[str, Value], seed: int) -> None:
        self.seed, self.starts = seed, list[Start]()
        for number in range(1, length + 1):  # before takeoff, with a crew that has flown all earlier ones
            flown = {f"missions.{each}": number - 1 for each in pack.sheet.index.get("position", {})}
            first = {"mission.number": number, **flown}
            mission = Mission(pack, number=number)
            mission.write({**settings, **{name: value for name, value in first.items() if name in pack.sheet.fields}})
            self.starts.append(start_of(mission))
        self.by = EvenChance(random.Random())
        self.flights = max(LEAST, FLIGHTS // length)  # for each mission
        self._ends: list[list[MissionEnd]] = [[] for _ in self.starts]

    def fly(self, cores: int) -> Iterator[int]:
        """Fly all missions; yield the size of each batch."""
        starts = [(start, self.seed + 1 + at) for at, start in enumerate(self.starts)]
        for at, ends in all_flown(end_of, starts, self.flights, cores, self.by):
            self._ends[at] += ends
            yield len(ends)

    def curves(self) -> dict[str, Curve]:
        """Return the expectations after each mission of a tour."""
        lots = random.Random(self.seed)
        tours = [values_so_far([lots.choice(ends) for ends in self._ends]) for _ in range(TOURS)]
        edge, curves = int(LIKELY * TOURS), dict[str, Curve]()
        for name in FIGURES:
            ranked = [sorted(after) for after in zip(*(tour[name] for tour in tours), strict=True)]
            low, high = [each[edge] for each in ranked], [each[-1 - edge] for each in ranked]
            curves[name] = Curve(low, [statistics.fmean(each) for each in ranked], high)
        return curves


def values_so_far(missions: Iterable[MissionEnd]) -> dict[str, list[float]]:
    """Return each value after each of these missions.

    Members of the first crew are identified by name, or by position if they have none.
    """
    figures: dict[str, list[float]] = {name: [] for name in FIGURES}
    first: set[str] | None = None
    many, men, bombers, percents = 1, 0, 0, list[int]()
    for each in missions:
        names = {place: name or place for place, name in each.crew.items()}
        if first is None:
            first, many = set(names.values()), len(names) or 1
        first -= {names.get(place, place) for place in each.lost}
        men, bombers = men + len(each.lost), bombers + each.down
        percents += [] if each.percent is None else [each.percent]
        now = (100 * len(first) / many, statistics.fmean(percents) if percents else 0.0, men, bombers)
        for name, figure in zip(FIGURES, now, strict=True):
            figures[name].append(figure)
    return figures
