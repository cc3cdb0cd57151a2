"""Games of a player's own, flown, printed and checked without any code: gliders, and a patrol with ten-sided dice."""

import shutil
from pathlib import Path

import pytest

from companion.packs import Pack
from tests.support import PACKS, Run, Terminal, holds


@pytest.fixture
def gliders(data_folder: Path) -> Path:
    return Path(shutil.copytree(PACKS / "gliders", data_folder / "packs" / "gliders"))


def test_its_rolls_decisions_and_orders(companion: Run, gliders: Path) -> None:
    companion("new", "Club", "--game", "gliders", "--yes")
    companion("mission", "start", "--yes", "--with", "pilot.mood=bold")
    companion("set", "place=cloud", "weather=bad")
    rolled = companion("roll", "R-3", "--dice", "4,4", "--json").json
    # 8, a bold pilot -1, bad weather -2: 5 loses two, and the cloud gives one back
    assert (rolled["net"], rolled["outcome"]) == (5, "1")
    assert companion("roll", "R-4", "--dice", "53/2", "--json").json["chain"][0]["outcome"] == "rudder"
    assert "Fly straight" in companion("next").out
    assert companion("roll", "R-10", "--dice", "666", "--json").json["outcome"] == "eagle"
    assert companion("roll", "R-7", "--dice", "3,3").code == 3
    assert companion("roll", "R-7", "--dice", "3,3", "--outcome", "whole").code == 0
    assert "Fly straight" not in companion("next").out


@pytest.fixture
def patrol(companion: Run, data_folder: Path) -> Run:
    """A campaign of it, the sheet of the first patrol ready."""
    shutil.copytree(PACKS / "squadron", data_folder / "packs" / "squadron")
    assert companion("games", "check", "squadron").out == "squadron: 6 tables, sound\n"
    companion("new", "North Sea", "--game", "squadron", "--yes")
    companion("mission", "start", "--yes")
    return companion


def test_ten_sided_and_percentile_dice_are_typed_as_they_fall(patrol: Run) -> None:
    t = Terminal("fly")
    t.expect(r"Roll 1D10")
    t.say("11", "A die shows 1 to 10, not 11")
    t.say("7", "Low cloud", r"1D100")
    t.say("96", "A submarine, charging", "Attack")
    t.say("attack", r"Roll 1D10")
    t.say("0", "It is hit and sinks", "Which course")
    t.say("q")
    facts = patrol("status", "--json").json["facts"]
    assert (facts["sightings"], facts["seen"], facts["sky"]) == (5, "submarine, sinking", "cloud")
    assert patrol("why", "B-1").out.count("10") >= 1


def test_a_fire_of_two_dice_and_a_row_with_its_own(patrol: Run) -> None:
    assert patrol("roll", "F-1", "--dice", "9,8/7", "--json").json["chain"][0]["outcome"] == "starboard"
    assert patrol("status", "--json").json["facts"]["engine.starboard"] == "stopped"
    odds = patrol("odds", "S-1", "--json").json["outcomes"]
    assert odds["trawler"]["p"] == 0.35
    assert patrol("roll", "S-1", "--dice", "41", "--json").json["outcome"] == "trawler"


def test_it_is_flown_told_and_drawn(patrol: Run, tmp_path: Path) -> None:
    assert patrol("fly", "--auto", "--seed", "3").code == 0
    assert "did not come home" in patrol("story").out
    drawn = patrol("sheet", "mission", "-o", tmp_path / "sheet.svg")
    assert (drawn.code, drawn.err) == (0, "")
    assert patrol("campaign").code == 0


def test_the_first_the_least_and_what_is_appended() -> None:
    game = Pack("squadron", [PACKS / "squadron"])
    assert holds(game, "watch = captain")
    assert holds(game, "watch = gunner", crew__captain="hurt", crew__helmsman="lost")
    assert holds(game, "worst = 2") and holds(game, "worst = 0", engine__port="stopped")
    down = {f"crew__{each}": "lost" for each in ("captain", "helmsman", "gunner", "mechanic")}
    assert holds(game, "watch = none", **down)
