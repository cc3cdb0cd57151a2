"""Calibration of forecasts: `python -m tests.bench.calibration [MISSIONS [FLIGHTS [SEED]]]`.

Automatic B-17 missions are flown to a zone drawn before takeoff. There the chance of getting home is forecast by a
number of flights, and then the mission goes on to its end. The first half of the flights puts a mission into one of ten
bins; the second half is compared with the share of the bin's missions that came home. Using the same flights for both
would favor a bin by its own dice. A mission that never reaches its zone is replaced by the next.

A bin agrees if its forecast is within the 95 percent interval of its missions' results. By chance alone, two tables in
five have a bin that disagrees, and one in ninety has three, which is reported as a fault.
"""

import random
import sys
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from companion.packs import Pack
from companion.play.conversation import move
from companion.play.lookahead import (
    EvenChance,
    MissionRange,
    Share,
    Start,
    all_flown,
    cores,
    counted,
    dice_of,
    fly_to_end,
    pack_of,
    start_of,
)
from tests.support import begun

GAME = "b17"
BINS = 10
ZONES = 14  # the most that a mission enters, out and home
AT_ONCE = 40  # missions that are handed out together
BY_CHANCE = 2  # bins that may disagree


class Flown(NamedTuple):
    """The chance of getting home according to each half of the flights, and whether the mission got home."""

    first: Share
    second: Share
    home: bool


def reached(pack: Pack, seed: int) -> Start | None:
    """Return an automatic mission of this seed as it enters the zone drawn for it; None if it never does."""
    lots = random.Random(seed)
    mission = begun(pack, {"mission.number": lots.randint(1, 25)})
    wanted, entered, by = lots.randint(1, ZONES), 0, EvenChance(lots)
    mission.noting = False
    while results := move(mission, by):
        if any(name in result.changes for result in results for name in ("zone", "leg")):
            entered += 1
            if entered == wanted:
                return start_of(mission) if mission.state.get("bomber.fate", "none") == "none" else None
    return None


def comes_home(start: Start, seed: int) -> bool:
    """Fly the mission on with dice that no forecast uses, and return whether it gets home."""
    home = pack_of(GAME).about.forecast.chance[0]
    return home.when(fly_to_end(start.mission(), EvenChance(dice_of(seed, -1000))))


def flights(pack: Pack, missions: int, each: int, seed: int) -> Iterator[Flown]:
    """Yield missions from this seed on, each with its forecast."""
    seeds = count(seed)
    for _ in range(0, missions, AT_ONCE):
        starts: dict[int, Start] = {}
        while len(starts) < AT_ONCE:
            seed = next(seeds)
            if (start := reached(pack, seed)) is not None:
                starts[seed] = start
        halves = ((0, each // 2), (each // 2, each))
        stretches = [MissionRange(start, seed, *half) for seed, start in starts.items() for half in halves]
        shares = [Share(figures[0] for figures, _ in ends) for ends in all_flown(counted, stretches, cores())]
        for at, (seed, start) in enumerate(starts.items()):
            yield Flown(shares[2 * at], shares[2 * at + 1], comes_home(start, seed))


def main() -> None:
    """Print the table; return exit code 1 if more bins disagree than chance allows."""
    typed = [int(word) for word in sys.argv[1:]]
    missions, each, seed = [*typed, *(2000, 40, 0)[len(typed) :]]
    pack = Pack(GAME)
    bins = [(Share(), Share()) for _ in range(BINS)]
    for flown in flights(pack, missions, each, seed):
        forecast, came = bins[min(BINS - 1, int(flown.first.mean * BINS))]
        forecast.values += flown.second.values
        came.values.append(flown.home)
    print(f"{'forecast':>10} {'missions':>9} {'home':>7}   95 percent")
    wrong = 0
    for forecast, came in bins:
        if came.values:
            low, high = came.interval
            agrees = low <= forecast.mean <= high
            wrong += not agrees
            told = "" if agrees else "  disagrees"
            print(f"{forecast.mean:10.1%} {len(came.values):9} {came.mean:7.1%}   {low:.1%} to {high:.1%}{told}")
    print(
        f"{sum(len(came.values) for _, came in bins)} missions, {each} flights for each forecast, {wrong} bins disagree"
    )
    sys.exit(1 if wrong > BY_CHANCE else 0)


if __name__ == "__main__":
    main()
