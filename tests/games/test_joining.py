"""A board in mid-mission: `fly` goes on where the sheet says, asks what it cannot know, and takes nothing back.

`python -m tests.bench.joining` sets up hundreds of them.
"""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.joining import GAMES, wrong
from tests.support import set_up, slow_but


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", slow_but(range(8), 2))
def test_nothing_written_by_hand_is_lost(game: str, seed: int) -> None:
    assert list(wrong(Pack(game), seed)) == []


B29 = (
    "mission.number=5 target.city=Tokyo target.type=urban-area target.zone=12 mission.altitude=hi "
    "bomber.position=middle squadron=high resistance.expected=heavy escort.available=no landing.time=day "
    "aux.fwd=none formation=out "
)


@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        ("zone=5 altitude=lo fuel.wing=12", "fuel nothing weather course event turn"),
        ("zone=5 altitude=lo fuel.wing=12 weather=poor", "weather course event turn"),
        ("zone=5 altitude=lo fuel.wing=12 course=off", "course event turn"),
        ("zone=12 altitude=lo fuel.wing=30 resistance=heavy log.gazetteer.12=0 log.below.12=land", "resistance flak"),
        ("zone=12 altitude=lo fuel.wing=30 bomb-run=on bombs=dropped log.gazetteer.12=0 log.below.12=land",
         "bomb-run more-flak"),
        ("zone=12 altitude=lo fuel.wing=30 leg=inbound log.gazetteer.12=0 log.below.12=land",
         "fuel nothing event resistance turn"),
        ("zone=11 altitude=lo fuel.wing=30 fighter.1.type=zeke log.gazetteer.11=0 log.below.11=sea",
         "attack our-fire their-fire"),
    ],
)  # fmt: skip
def test_what_may_be_behind_a_b29_in_a_zone(b29: Pack, sheet: str, options: str) -> None:
    """4.0: fuel, weather, course, event, resistance, target; what is on the sheet already is not rolled again."""
    moment = set_up(b29, B29 + sheet)
    moment.mission.advance()
    while moment.asked == "None":
        moment.mission.advance()
    assert moment.options == options.split()


@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        ("zone=4", "nothing cover quiet combat turn"),
        ("zone=4 cover=good", "cover quiet combat turn"),
        ("zone=6", "nothing quiet combat turn"),
        ("zone=7", "nothing weather quiet combat flak"),
        ("zone=7 flak=heavy", "flak weather quiet combat"),
        ("zone=7 bomb-run=on", "bomb-run"),
        ("zone=4 fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high", "wave driven-off our-fire"),
        ("zone=5 waves.left=2", "moves"),
        ("zone=1 leg=inbound", "nothing base"),
    ],
)
def test_what_may_be_behind_a_b17_in_a_zone(b17: Pack, sheet: str, options: str) -> None:
    """5.2: weather, cover, waves, flak, bomb run; what is on the chart already is not rolled again."""
    moment = set_up(b17, f"mission.number=12 target.city=Bremen bomber.position=lead squadron=low {sheet}")
    moment.mission.advance()
    assert moment.options == options.split() if " " in options else moment["step"] == options  # with one, none is asked
