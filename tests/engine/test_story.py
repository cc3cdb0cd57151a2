"""`story.toml`: triggers, events told together, causes, close rolls, and faults found by `tables check`."""

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from companion.play.mission import Mission
from companion.render.prose import Prose, Sentence, person
from companion.render.story import story_of
from tests.support import pack

HITS = """
[[line]]
on = "hits[side]"
when = "more >= 1"
as = "the {side} side {times}"
text = "struck: {told}"
[[line]]
on = "hits[side]"
text = "mended: {-1 * more}"
[[line]]
on = "t"
when = "value = 'b'"
weight = 5
text = "a {roll} on t"
[[end]]
on = "hits[side]"
when = "more >= 1"
as = "{more} on {side}"
text = "in all {told}"
[[end]]
for = "side"
when = "hits[side] >= 1"
as = "{side} {hits[side]}"
text = "left: {told}"
[[short]]
when = "zone >= 2"
text = "far out"
"""
CHAPTERS = """
[[chapter]]
title = "Near"
when = "zone <= 1"
[[chapter]]
title = "Far"
by = "{zone}"
zone = "{zone}"
place = "in zone {zone}"
quiet = "{told} {were} quiet"
still = "all was quiet"
"""
TABLE = 'title = "T"\ndice = "1D"\nrows = {"1..3" = "a", "4.." = "b"}\n[outcome]\na.text = "a"\nb.text = "b"\n'


def raid(folder: Path, story: str = CHAPTERS + HITS) -> Mission:
    return Mission(pack(folder, "raid", story='title = "The raid"\n' + story, t=TABLE), number=1)


def paragraphs(mission: Mission, most: int = 600) -> list[str]:
    game = mission.game
    assert isinstance(game, Pack)
    return [" ".join(each.text for each in part) for part in story_of(game, mission).paragraphs(most)]


@pytest.mark.parametrize(
    ("flown", "told"),
    [
        ("port starboard starboard port -port",
         ["A 4 on t. Struck: the port side (twice) and the starboard side (twice). Mended: 1."]),
        ("2 3 4 5 port", ["A 4 on t.", "Zones 2 to 4 were quiet. In zone 5 struck: the port side."]),
        ("port undo", ["A 4 on t."]),  # what was taken back is not told
    ],
)  # fmt: skip
def test_alike_events_and_quiet_zones_are_told_together(tmp_path: Path, flown: str, told: list[str]) -> None:
    mission = raid(tmp_path, CHAPTERS + HITS.partition("[[end]]")[0])
    mission.roll("t", Hand([[4]]))
    for each in flown.split():
        if each.isdigit():
            mission.write({"zone": int(each)})
        elif each == "undo":
            mission.undo()
        else:
            mission.cross(f"hits.{each.lstrip('-')}", 1, "erase" if each.startswith("-") else "mark")
    assert paragraphs(mission) == told
    assert paragraphs(mission, most=5) == ["A 4 on t."]  # what weighs little is left out


def test_the_end_tells_of_the_whole_mission(tmp_path: Path) -> None:
    mission = raid(tmp_path)
    mission.roll("t", Hand([[4]]))
    mission.cross("hits.port", 3)
    mission.write({"zone": 2})
    mission.cross("hits.port", 1, "erase")
    game = mission.game
    assert isinstance(game, Pack)
    assert paragraphs(mission)[-1] == "In all 3 on port. Left: port 2."
    assert story_of(game, mission).summary == ["Far out."]


def test_damage_is_told_with_its_cause_and_each_verb_once(tmp_path: Path) -> None:
    story = """
[[line]]
on = "t"
when = "value = 'b'"
part = "cause"
as = "the burst"
[[line]]
on = "hits[side]"
did = "holed|the {side} side"
"""
    mission = raid(tmp_path, CHAPTERS + story)
    mission.roll("t", Hand([[4]]))
    mission.cross("hits.port", 1)
    mission.cross("hits.starboard", 1)
    assert paragraphs(mission) == ["The burst holed the port side and the starboard side."]


@pytest.mark.parametrize(
    ("dice", "told"), [(4, ["Close: one pip less."]), (6, []), (3, ["Close: one pip more."]), (1, [])]
)
def test_a_close_roll_says_which_pip_decided_it(tmp_path: Path, dice: int, told: list[str]) -> None:
    story = """
[[line]]
on = "t"
when = "value = 'b'"
other = ["a"]
text = "close: {near}"
[[line]]
on = "t"
when = "value = 'a'"
other = ["b"]
text = "close: {near}"
"""
    mission = raid(tmp_path, CHAPTERS + story)
    mission.roll("t", Hand([[dice]]))
    assert paragraphs(mission) == told


def test_a_man_is_named_in_full_once_and_nothing_is_said_twice() -> None:
    prose, cox = Prose(Pack("b17")), person("Sam Cox", "Tail gunner")
    texts = [f"a Me 109 hit {cox}", f"{cox} fired", f"{person('Bob Cox', 'Pilot')} saw it", f"{cox} fired"]
    told = prose.told([[Sentence(each) for each in texts]])[0]
    assert [each.text for each in told] == [
        "An Me 109 hit tail gunner Sam Cox.", "Sam Cox fired.", "Pilot Bob Cox saw it.", "Again Sam Cox fired.",
    ]  # fmt: skip
    assert prose.named(texts[:2]) == ["An Me 109 hit tail gunner Sam Cox.", "Cox fired."]
    assert prose.told([[Sentence("it ended")]])[0][0].text == "It ended."
