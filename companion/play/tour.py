"""What a whole tour comes to, as the dice have it: the yardstick of a campaign.

Missions are flown to their end by the automatic player, some of each number of the tour; a tour is one of each, drawn
by lot. What becomes of men and bombers is what the campaign log says of it (`[log]` in `pack.toml`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.packs import Pack
from companion.play.lookahead import (
    STRETCH,
    Even,
    Start,
    Stretch,
    all_flown,
    dice_of,
    pack_of,
    probed,
    start_of,
    to_the_end,
    use,
)
from companion.play.mission import Mission

TOURS = 1000
FLIGHTS = 1000  # missions that are flown for them
LEAST = 20  # of each mission of a long tour
LIKELY = 0.05  # so many of the tours lie below what is shown as likely, and so many above


class Flown(NamedTuple):
    """The end of one mission: the positions whose men are lost, whether the bomber is, the bombs on target in percent
    (None where the mission does not count), and who sat where when it began."""

    lost: tuple[str, ...]
    down: bool
    percent: int | None
    crew: Mapping[str, str]


class Curve(NamedTuple):
    """What a figure is after each mission of a tour: on average, and where nine tours in ten lie."""

    low: list[float]
    mean: list[float]
    high: list[float]


FIGURES = {
    "crew": "Of the first crew still flying, percent:",
    "percent": "Bombs on target, percent:",
    "lost": "Men lost:",
    "bombers": "Bombers lost:",
}


def end_of(pack: Pack, facts: Facts) -> Flown:
    """What the campaign log reads of a sheet."""
    log = pack.about.get("log", {})
    lost, counts, down = (log.get(f"#{key}") for key in ("lost", "counts", "aircraft-lost"))
    positions = list(pack.sheet.index.get("position", {}))
    percent = int(facts[log["average"]]) if "average" in log and (counts is None or counts(facts)) else None
    crew = {each: str(facts[f"name.{each}"]) for each in positions if f"name.{each}" in pack.sheet.fields}
    gone = tuple(each for each in positions if lost is not None and lost(facts, each))
    return Flown(gone, down is not None and bool(down(facts)), percent, crew)


def flown_of(start: Start, stretch: Stretch) -> list[Flown]:
    """Fly a stretch of missions and return how they ended."""
    pack, seed = pack_of(start.game), stretch.seed
    numbers = range(stretch.first, stretch.last)
    return [end_of(pack, to_the_end(start.mission(), Even(dice_of(seed, number)))) for number in numbers]


def starts(pack: Pack, length: int, settings: Mapping[str, Value]) -> list[Start]:
    """Return the missions of a tour before takeoff, each flown by a crew that has flown all earlier ones."""
    use(pack)
    begun, fields = list[Start](), pack.sheet.fields
    for number in range(1, length + 1):
        mission = Mission(pack, number=number)
        flown = {f"missions.{each}": number - 1 for each in pack.sheet.index.get("position", {})}
        first = {"mission.number": number, **flown}
        mission.write({**settings, **{name: value for name, value in first.items() if name in fields}})
        begun.append(start_of(mission))
    return begun


class Expectation:
    """What tours of a game come to. `by` knows what of them only the player's own book has."""

    def __init__(self, pack: Pack, length: int, settings: Mapping[str, Value], seed: int) -> None:
        self.pack, self.length, self.seed = pack, length, seed
        self.starts = starts(pack, length, settings)
        self.by = probed(self.starts[:: max(1, length // 3)], seed)
        self.flights = max(LEAST, FLIGHTS // length)  # of each mission
        self._ends: list[list[Flown]] = [[] for _ in self.starts]

    def fly(self, cores: int, tick: Callable[[int], None] = lambda missions: None) -> None:
        """Fly all of them."""
        stretches = [
            Stretch(at, self.seed + 1 + at, first, min(first + STRETCH, self.flights))
            for at in range(len(self.starts))
            for first in range(0, self.flights, STRETCH)
        ]
        with closing(all_flown(flown_of, self.starts, stretches, cores)) as ends:
            for stretch, each in zip(stretches, ends, strict=True):
                self._ends[stretch.start] += each
                tick(len(each))

    def curves(self) -> dict[str, Curve]:
        """What is to be expected after each mission of a tour."""
        lots = random.Random(self.seed)
        tours = [so_far([lots.choice(ends) for ends in self._ends]) for _ in range(TOURS)]
        return {name: _curve([tour[name] for tour in tours]) for name in FIGURES}


def so_far(missions: Iterable[Flown]) -> dict[str, list[float]]:
    """Each figure after each of these missions. A man of the first crew is known by his name, or where he has none
    by his place."""
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
        now = (100 * len(first) / many, sum(percents) / len(percents) if percents else 0.0, men, bombers)
        for name, figure in zip(FIGURES, now, strict=True):
            figures[name].append(figure)
    return figures


def _curve(tours: Sequence[Sequence[float]]) -> Curve:
    low, mean, high = list[float](), list[float](), list[float]()
    for after in zip(*tours, strict=True):
        ranked, edge = sorted(after), int(LIKELY * len(after))
        low.append(ranked[edge])
        mean.append(sum(ranked) / len(ranked))
        high.append(ranked[-1 - edge])
    return Curve(low, mean, high)
