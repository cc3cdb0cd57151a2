"""Sets up boards by hand in mid-mission, at random, and lets `fly` join each: `python -m tests.bench.joining 500`.

Prints every edit that was lost, every flight that did not join or end, and every state that undo did not reach.
"""

from __future__ import annotations

import sys

from companion.packs import Pack
from tests.joining import GAMES, wrong


def main() -> None:
    """Set up the boards; return exit code 1 if anything went wrong."""
    count, faults = int([*sys.argv[1:], "500"][0]), 0
    packs = [Pack(game) for game in GAMES]
    for at in range(count):
        pack = packs[at % len(packs)]
        for line in wrong(pack, at):
            faults += 1
            print(f"{pack.name}, board {at}: {line}")
    print(f"{count} boards joined in mid-mission, {faults} things went wrong")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
