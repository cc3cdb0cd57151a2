"""The effects of the briefing, however its facts were entered (2.2, 2.3)."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.games.b29.table import flying, roll
from tests.support import Moment, Run, after_step, again, begin, set_up

RAID = {"mission.number": 12, "target.city": "tokyo", "target.type": "urban-area", "target.zone": 12}


@pytest.mark.section("b29 2.2 C")
def test_a_night_mission_is_flown_at_lo(b29: Pack) -> None:
    rolled = set_up(b29, "mission.number=12", "2.2B").fly("2.2B: 2,3")
    said = Moment(flying(b29, mission__number=12, mission__time="night"))
    for moment in (rolled, said):
        assert (moment["mission.altitude"], moment["altitude"], moment["formation"]) == ("lo", "lo", "none")


@pytest.mark.section("b29 2.2 B", "b29 2.2 C")
def test_a_day_that_is_rolled_after_a_night_has_its_own_height(b29: Pack) -> None:
    moment = Moment(flying(b29, mission__number=12, target__type="airfield"))
    roll(moment.mission, "2.2B", 2, 3)
    roll(moment.mission, "2.2B", 4, 4)
    moment.fly("")
    assert (moment["mission.time"], moment["mission.altitude"], moment.asked) == ("day", "none", "2-2B")


@pytest.mark.section("b29 2.2 A", "b29 2.2 C")
def test_a_row_of_2_1_names_its_own_height(b29: Pack) -> None:
    named = set_up(b29, "mission.number=4", "2-1").fly("2-1: 3,4 = tokyo;airfield;med;night")
    assert (named["mission.time"], named["mission.altitude"]) == ("night", "med")
    silent = set_up(b29, "mission.number=4", "2-1").fly("2-1: 3,4 = tokyo\nmission.time: night")
    assert (silent["mission.altitude"], silent.asked) == ("lo", "target.type")


@pytest.mark.section("b29 2.2 C")
@pytest.mark.parametrize("height", ["", "mission.altitude=hi"])
def test_a_night_mission_does_not_ask_for_the_altitude(companion: Run, height: str) -> None:
    begin(companion, "b29", *[f"{name}={value}" for name, value in RAID.items()], "mission.time=night", *height.split())
    status = companion("status").out
    assert "Briefed altitude LO" in status or "Briefed altitude lo" in status


@pytest.mark.section("b29 2.3 D", "b29 4.3 A")
def test_some_gunners_and_some_guns_are_asked_for(b29: Pack) -> None:
    moment = after_step(
        b29, "places", {**RAID, "mission.time": "night", "target.asterisk": "no"},
        "2-7: 4,5 = some\nstays-behind: left-gunner\nstays-behind: nobody\n"
        "not-armed: fwd-upper\nnot-armed: aft-upper\nnot-armed: none\n",
    )  # fmt: skip
    assert (moment["gunners.aboard"], moment["crew.left-gunner"], moment["guns.armed"]) == (3, "absent", 3)
    assert [moment[f"gun.{gun}"] for gun in ("fwd-upper", "fwd-lower", "aft-upper")] == ["unarmed", "ok", "unarmed"]
    assert not [item for item in moment.mission.pending if item.kind == "order"]


@pytest.mark.section("b29 2.3 D")
def test_a_new_roll_of_the_guns_brings_the_cannon_back(b29: Pack) -> None:
    for number, armed in ((5, 6), (12, 5)):
        moment = set_up(b29, f"mission.number={number} mission.time=night", "2-7")
        moment.fly("2-7: 2,2 = all-unarmed\nstays-behind: nobody\n")
        again(moment, "2-7").fly("2-7: 6,6 = all-armed\n")
        assert moment["guns.armed"] == armed


@pytest.mark.parametrize(("table", "row"), [("3-2", "bomber-lost"), ("8-1", "wrecked"), ("8-3", "unsuccessful")])
def test_the_victims_of_a_crash_are_asked_for(b29: Pack, table: str, row: str) -> None:
    """3.2, 8.1: the row names the men, and each one's fate is settled at once."""
    moment = set_up(b29, "mission.number=12 mission.time=day altitude=lo zone=1 leg=inbound turn=20 sea=calm", table)
    moment.mission.write({"book.8-3.sea-state": 0})
    dice = f"{table}: 3,4 = {row}\ncrew-hurt: pilot\nhow-hurt: killed\ncrew-hurt: cfc\nhow-hurt: wound\n"
    moment.fly(f"{dice}7-13: 3\n7-13: light\ncrew-hurt: nobody")
    assert (moment["crew.pilot"], moment["fate.pilot"], moment["crew.cfc"], moment["crew.alive"]) == (
        "kia", "kia", "light", 10,
    )  # fmt: skip


@pytest.mark.parametrize("command", ["roll", "odds"])
def test_night_for_one_roll_means_lo_too(companion: Run, command: str) -> None:
    """2.2 C and 6-6: -1 at night, and +1 for the altitude that goes with it, without being given twice."""
    words = (command, "6-6", "--game", "b29", "--with", "mission.time=night", "--json")
    ran = companion(*words, *(("--dice", "3") if command == "roll" else ()))
    assert ran.code == 0
    if command == "roll":
        assert [(each["add"], each["why"]) for each in ran.json["modifiers"]] == [(-1, "night"), (1, "at LO")]
        assert "altitude" not in ran.json["assumed"]
    else:
        said = companion(*words, "--with", "altitude=lo")
        assert ran.json["odds"] == said.json["odds"] if "odds" in ran.json else ran.json == said.json


@pytest.mark.section("b29 2.3 G", "b29 2.3 D")
def test_some_of_which_none_is_missing_are_all(b29: Pack) -> None:
    moment = set_up(b29, "mission.number=12 mission.time=night", "2-7")
    moment.fly("2-7: 4,5 = some\nstays-behind: nobody\nnot-armed: none")
    assert (moment["gunners.aboard"], moment["guns.armed"], moment["armament"]) == (4, 5, "all-armed")
    short = set_up(b29, "mission.number=12 mission.time=night", "2-7")
    short.fly("2-7: 4,5 = some\nstays-behind: nobody\nnot-armed: fwd-upper\nnot-armed: none")
    assert short["armament"] == "some"
    alone = set_up(b29, "mission.number=12 mission.time=night", "2-7")
    alone.fly("2-7: 4,5 = some\nstays-behind: cfc\nstays-behind: nobody\nnot-armed: none")
    assert alone["armament"] == "some"
