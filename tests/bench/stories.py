"""Tells automatic missions and holds each story against its journal: `python -m tests.bench.stories b29 0 200`.

Prints what differs with the seed of its mission; the exit code is 1 where something does.
"""

from __future__ import annotations

import sys

from companion.packs import Pack
from companion.render.story import story_of
from tests.watch import flown
from tests.watch.story import slips


def main() -> None:
    """GAME FIRST LAST: the missions of these seeds, the last not among them."""
    game, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pack, wrong, sentences = Pack(game), 0, 0
    for seed in range(first, last):
        mission = flown(pack, seed)
        story = story_of(pack, mission)
        sentences += sum(1 for _ in story.sentences())
        for line in slips(pack, mission, story):
            wrong += 1
            print(f"{game} {seed}: {line}", flush=True)
    print(f"{last - first} stories of {game}, {sentences} sentences, {wrong} slips")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
