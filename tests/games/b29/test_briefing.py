"""The effects of the briefing, however its facts were entered (2.2, 2.3)."""

import pytest

from companion.packs import Pack
from tests.support import Run, check, moments, set_up


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


LO = "mission.altitude=lo altitude=lo formation=none"
NIGHT = "mission.number=12 mission.time=night "
GUNS = "mission.number={} mission.time=night roll=2-7"
AGAIN = "2-7: 2,2 = all-unarmed; stays-behind: nobody; roll 2-7: 6,6 = all-armed"
SOME = "2-7: 4,5 = some; stays-behind: "


@pytest.mark.section("b29 2.2 A", "b29 2.2 B", "b29 2.2 C", "b29 2.3 D", "b29 2.3 G", "b29 4.3 A")
@moments(
    ("a night that is rolled is flown at LO", "mission.number=12 roll=2.2B", "2.2B: 2,3", LO),
    ("and one that is written", NIGHT, "", LO),
    ("whatever height was written", NIGHT + "mission.altitude=hi", "", LO),
    ("a day rolled after a night has its own height", "mission.number=12 target.type=airfield",
     "roll 2.2B: 2,3; roll 2.2B: 4,4", "mission.time=day mission.altitude=none asked=2-2B"),
    ("a row of 2-1 names its own height", "mission.number=4 roll=2-1", "2-1: 3,4 = tokyo;airfield;med;night",
     "mission.time=night mission.altitude=med"),
    ("one without it is at LO by night", "mission.number=4 roll=2-1", "2-1: 3,4 = tokyo; mission.time: night",
     "mission.altitude=lo asked=target.type"),
    ("some gunners and some guns are asked for", NIGHT
     + "target.city=tokyo target.type=urban-area target.zone=12 target.asterisk=no step=places",
     SOME + "left-gunner; stays-behind: nobody; not-armed: fwd-upper; not-armed: aft-upper; not-armed: none",
     "gunners.aboard=3 crew.left-gunner=absent guns.armed=3 gun.fwd-upper=unarmed gun.fwd-lower=ok "
     "gun.aft-upper=unarmed"),
    ("some of which none is missing are all", GUNS.format(12), SOME + "nobody; not-armed: none",
     "gunners.aboard=4 guns.armed=5 armament=all-armed"),
    ("not with a gun less", GUNS.format(12), SOME + "nobody; not-armed: fwd-upper; not-armed: none", "armament=some"),
    ("or a gunner less", GUNS.format(12), SOME + "cfc; stays-behind: nobody; not-armed: none", "armament=some"),
    ("a new roll of the guns brings the cannon back", GUNS.format(5), AGAIN, "guns.armed=6"),
    ("which late missions have not", GUNS.format(12), AGAIN, "guns.armed=5"),
)  # fmt: skip
def test_heights_and_guns(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)
