"""Rolls tables by hand on random sheets of every game: `python -m tests.bench.by_hand 10000`.

Prints every fact that changed a roll but was not on the sheet, given or assumed, and every roll that stopped halfway
for a fact that could have been asked for. For the same number of rolls, edits and answers it prints results that claim
a change without one, pending things that cannot be answered, and sheets from which no flight ends.
"""

from __future__ import annotations

import random
import sys

from companion.packs import Pack
from tests.by_hand import every_table, silent, stopped, walked

ACTS = 8  # by hand, before the flight goes on
GAMES = ("b29", "b29-streamliner", "b17", "bombs-away")


def main() -> None:
    """Run the random walk; return exit code 1 if anything was silently ignored."""
    count, seed = (int(each) for each in [*sys.argv[1:], "10000", "1"][:2])
    rng, wrong = random.Random(seed), 0
    tables = [(pack, table) for pack in map(Pack, GAMES) for table in every_table(pack)]
    for at in range(count):
        pack, table = tables[at % len(tables)]
        for line in [*silent(pack, table, rng), *filter(None, [stopped(pack, table, rng)])]:
            wrong += 1
            print(f"{pack.name}: {line}")
    by_game = {pack.name: (pack, [table for other, table in tables if other is pack]) for pack, _ in tables}
    for at in range(0, count, ACTS):
        pack, own = list(by_game.values())[at // ACTS % len(by_game)]
        for line in walked(pack, own, rng, ACTS):
            wrong += 1
            print(f"{pack.name}: {line}")
    print(f"{count} rolls by hand on {len(tables)} tables, {wrong} things passed over")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
