"""`story.toml`: triggers, gathered events, and faults found by `tables check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from companion.play.mission import Mission
from companion.render.story import Prose, story_of, together
from tests.support import pack

HITS = """
[[line]]
on = "hits[side]"
when = "more >= 1"
as = "the {side} side {times}"
text = "Struck: {told}."
[[line]]
on = "hits[side]"
text = "Mended: {-1 * more}."
[[line]]
on = "t"
when = "value = 'b'"
text = "A {roll} on t."
[[end]]
on = "hits[side]"
as = "{more} on {side}"
text = "In all {told}."
[[end]]
for = "side"
when = "hits[side] >= 1"
text = "{side}: {hits[side]}"
[[short]]
when = "zone >= 2"
text = "Far out."
"""
CHAPTERS = """
[[chapter]]
title = "Near"
when = "zone <= 1"
[[chapter]]
title = "Far"
text = "Zone {zone} was far."
"""
TABLE = 'title = "T"\nrows = {"1.." = "b"}\n[outcome.b]\ntext = "b"\n'


def raid(folder: Path, story: str = CHAPTERS + HITS) -> Mission:
    return Mission(pack(folder, "raid", story='title = "The raid"\n' + story, t=TABLE), number=1)


def chapters(mission: Mission) -> dict[str, list[str]]:
    game = mission.game
    assert isinstance(game, Pack)
    told = story_of(game, mission).chapters
    return {each.title: [" ".join(one.text for one in part) for part in each.paragraphs] for each in told}


def test_consecutive_events_are_told_together(tmp_path: Path) -> None:
    mission = raid(tmp_path)
    mission.roll("t", Hand([[3]]))
    mission.cross("hits.port", 1)
    mission.cross("hits.starboard", 2)
    mission.cross("hits.port", 1)
    mission.cross("hits.port", 1, "erase")
    struck = "Struck: the starboard side (twice) and the port side (twice)."
    assert chapters(mission) == {"Near": [f"A 3 on t. {struck} Mended: 1."]}


def test_paragraphs_open_with_the_place_and_empty_ones_are_left_out(tmp_path: Path) -> None:
    mission = raid(tmp_path)
    mission.roll("t", Hand([[3]]))
    mission.write({"zone": 3})
    mission.write({"zone": 4})
    mission.cross("hits.port", 1)
    assert chapters(mission) == {"Near": ["A 3 on t."], "Far": ["Zone 4 was far. Struck: the port side."]}


def test_the_end_tells_of_the_whole_mission(tmp_path: Path) -> None:
    mission = raid(tmp_path)
    mission.roll("t", Hand([[3]]))
    mission.cross("hits.port", 3)
    mission.write({"zone": 2})
    mission.cross("hits.port", 1, "erase")
    game = mission.game
    assert isinstance(game, Pack)
    story = story_of(game, mission)
    ends = [[one.text for one in each] if isinstance(each, list) else each.text for each in story.end]
    assert ends == ["In all 2 on port.", ["Port: 2"]]
    assert [each.text for each in story.short] == ["Far out."]


def test_what_was_taken_back_is_not_told(tmp_path: Path) -> None:
    mission = raid(tmp_path)
    mission.roll("t", Hand([[3]]))
    mission.cross("hits.port", 1)
    mission.undo()
    assert chapters(mission) == {"Near": ["A 3 on t."]}


def test_a_sheet_that_was_filled_in_before_the_first_roll_is_no_event(tmp_path: Path) -> None:
    mission = raid(tmp_path)
    mission.write({"hits.port": 2})
    mission.roll("t", Hand([[3]]))
    assert chapters(mission) == {"Near": ["A 3 on t."]}


@pytest.mark.slow
def test_words_of_values_and_labels_are_those_of_people() -> None:
    prose = Prose(Pack("b17"))
    assert prose.polished("the Tail gunner hit  the Me 109 , a old one") == "The tail gunner hit the Me 109, an old one"
    assert prose.what("flap.port") == "port flap"
    assert prose.what("engine.3") == "engine 3"
    assert prose.what("bombsight") == "Norden bombsight"
    assert together(["x"] * 12) == "x (12 times)"
