"""Measures the default options: `python -m tests.bench.usual b29 0 200`, or with choices after it for these only.

It flies automatic missions with these seeds, first with every default, then again for each other option, which is
taken wherever it is on offer, in up to 400 missions an option. Prints for the missions where it was the percentage that
come home and count, and the mean number of men lost. A `!` marks an option better by two points, and by more than
chance (two standard errors).
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from companion.engine.questions import ChoiceQuestion
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.lookahead import counted, dice_of, fly_to_end
from companion.play.mission import Mission

TOUR = 25  # the mission numbers go around
MOST = 150  # times that an option is taken: some ask again at once
ENOUGH = 400  # missions an option


class Taking(Chance):
    """The automatic player that takes one option wherever it is on offer, and notes which others were.

    The options for the members of an index (`{gun}`) are one; the first that is not the default is taken. If the next
    question is who does it, and its default is nobody, somebody does.
    """

    def __init__(self, seed: int, taken: tuple[str, str] = ("", "")) -> None:
        super().__init__(dice_of(0, seed))
        self.taken, self.offered, self.just = taken, Counter[tuple[str, str]](), False

    def choice(self, question: ChoiceQuestion) -> str:
        usual, *others = question.options
        by_key = {(question.name, str(option.spec["name"])): option for option in reversed(others)}
        self.offered.update(by_key.keys())
        somebody, self.just = self.just and usual.name == "nobody" and bool(others), False
        if self.taken in by_key and self.offered[self.taken] <= MOST:
            usual, self.just = by_key[self.taken], True
        return (others[0] if somebody else usual).name


class Flown(NamedTuple):
    """A mission's end: whether it came home, whether it counts, both, and the men it lost."""

    home: int
    counts: int
    both: int
    lost: int
    offered: Counter[tuple[str, str]]
    fate: str


def flown(pack: Pack, seed: int, taken: tuple[str, str] = ("", "")) -> Flown:
    """Fly the mission of this seed to its end."""
    by, mission = Taking(seed, taken), Mission(pack, {"mission.number": 1 + seed % TOUR}, number=1)
    mission.noting = False
    facts = fly_to_end(mission, by)
    home, _, counts, lost, *_ = counted(pack, facts)
    fate = next(str(facts[name]) for name in ("bomber.fate", "winner") if name in pack.sheet.fields)
    return Flown(home, counts, home * counts, lost, by.offered, fate)


def main() -> None:
    """Print the result of the defaults, then a line for each other option."""
    game, first, last, *choices = sys.argv[1:]
    pack, seeds = Pack(game), range(int(first), int(last))
    usual = {seed: flown(pack, seed) for seed in seeds}
    met = defaultdict[tuple[str, str], list[int]](list)
    for seed, end in usual.items():
        for each in end.offered:
            met[each].append(seed)
    print(*(f"{name} {fmean(getattr(each, name) for each in usual.values()):.3f}" for name in Flown._fields[:4]))
    print(", ".join(f"{fate} {count}" for fate, count in Counter(each.fate for each in usual.values()).most_common()))
    print(f"{'choice, option':36} missions   usual  option    lost: and with it")
    for taken, offered in sorted((key, seeds) for key, seeds in met.items() if key[0] in (choices or key)):
        pairs = [(usual[seed], flown(pack, seed, taken)) for seed in offered[:ENOUGH]]
        more = [option.both - default.both for default, option in pairs]
        gain, error = fmean(more), stdev([*more, 0]) / sqrt(len(more))
        better = "!" if gain > 0.02 and gain > 2 * error else ""
        both = " ".join(f"{100 * fmean(pair[at].both for pair in pairs):7.1f}" for at in (0, 1))
        lost = " ".join(f"{fmean(pair[at].lost for pair in pairs):7.2f}" for at in (0, 1))
        print(f"{' '.join(taken)[:40]:40} {len(pairs):5} {both}    {lost} {better}", flush=True)


if __name__ == "__main__":
    main()
