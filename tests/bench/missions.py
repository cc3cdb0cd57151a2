"""Flies automatic missions and compares them with the rulebooks: `python -m tests.bench.missions b29 0 1000`.

It compares the story of each mission with its journal. Prints each error with the seed of its mission; the exit code is
1 if there are any.
"""

import sys

from companion.packs import Pack
from companion.render.story import Story
from tests.watch import breaches, flown
from tests.watch.story import slips


def main() -> None:
    """Fly the missions of these seeds: GAME FIRST LAST, where LAST is excluded."""
    game, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pack, wrong = Pack(game), 0
    for seed in range(first, last):
        mission = flown(pack, seed)
        for line in [*breaches(mission), *slips(pack, mission, Story(mission))]:
            wrong += 1
            print(f"{game} {seed}: {line}", flush=True)
    print(f"{last - first} missions of {game}, {wrong} things wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
