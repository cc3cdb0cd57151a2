"""Flies automatic missions and holds them against the books: `python -m tests.bench.missions b29 0 1000`.

Prints every breach with the seed of its mission; the exit code is 1 where there is one.
"""

from __future__ import annotations

import sys

from companion.packs import Pack
from tests.watch import breaches, flown


def main() -> None:
    """GAME FIRST LAST: the missions of these seeds, the last not among them."""
    game, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pack, wrong = Pack(game), 0
    for seed in range(first, last):
        for line in breaches(flown(pack, seed)):
            wrong += 1
            print(f"{game} {seed}: {line}", flush=True)
    print(f"{last - first} missions of {game}, {wrong} breaches")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
