"""Effects of the rows of the damage charts (7-1 to 7-5), and steps over the target and on the way home."""

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from tests.games.b29.table import ALL, DAY, NIGHT
from tests.support import after_step, asked, check, moments, set_up

HERE = DAY + (
    "turn=11 zone=11 zone.turns=1 altitude=hi pressurized=no cold.since=11 formation=in weather=good fuel.wing=20 "
    "log.gazetteer.11=0 log.below.11=sea aux.fwd=installed aux.aft=installed step=offense "
)
AREAS = {"7-1": "nose", "7-2": "nav-radio", "7-3": "fwd-bomb-bay", "7-4": "aft-bomb-bay", "7-5": "port-wing"}
ROWS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("7-1", "1,1", "7-1.oxygen: 1\n7-1.b: 1", {"oxygen.pilot": 1, "oxygen.copilot": 1, "oxygen.bombardier": 0}),
    ("7-1", "1,1", "7-1.oxygen: 5\n7-1.b: 1", {"oxygen.bombardier": 1}),
    ("7-1", "6,6", "7-1.b: 1", {"radio-compass": "out"}), ("7-2", "1,4", "", {"radio": "out"}),
    ("7-2", "4,4", "7-2.armament: 3", {"gun.fwd-upper": "broken", "gun.fwd-lower": "ok"}),
    ("7-2", "4,4", "7-2.armament: 4", {"gun.fwd-lower": "broken"}), ("7-2", "4,5", "7-2.a: 1", {"intercom": "out"}),
    ("7-3", "4,5", "7-3.tunnel: 5", {"tunnel": "ok"}), ("7-3", "4,6", "", {"release.fwd": "out", "release.aft": "ok"}),
    ("7-4", "4,6", "", {"release.aft": "out", "release.fwd": "ok"}), ("7-5", "2,3", "7-5.flap: 4", {"flap.port": "ok"}),
    ("7-5", "3,3", "7-5.aileron: 4", {"aileron.port": "ok"}),
]  # fmt: skip


@pytest.mark.section("b29 7-1", "b29 7-2", "b29 7-3", "b29 7-4", "b29 7-5")
@pytest.mark.parametrize(
    ("table", "dice", "more", "after"), ROWS, ids=[f"{each[0]} {each[1]} {each[2][:20]}" for each in ROWS]
)
def test_effects_of_a_row(b29: Pack, table: str, dice: str, more: str, after: dict[str, Any]) -> None:
    moment = set_up(b29, HERE, table, area=AREAS[table]).fly(f"{table}: {dice}\n{more}\n")
    assert {name: moment[name] for name in after} == after


COURSE = HERE + "formation=out step=event course.streak={} roll=4.5C4"
GATHERS = DAY + "turn=9 zone.turns=1 moved=yes pressurized=yes formation=out weather=good course=on step=lost-2 "
DRY = DAY + (
    "turn=20 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out weather=good step=past-iwo fuel.wing="
)
BURNING = NIGHT + (
    "turn=12 zone=12 zone.turns=1 formation=none weather=good visibility=slightly step=no-bombs altitude=lo "
)
LOST = DAY + (
    "turn=24 zone=1 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out weather=good fuel.wing=20 "
    "moved=yes course.streak=0 step=course {}roll=4-8"
)
LOOKS = "4-8: 6,6 = off; 4.6: 3,4; lost-way: stay"
NOSE_GEAR = DAY + "turn=8 zone=8 altitude=hi formation=in gear.nose={} roll=7-1"
HANGS = DAY + "turn=8 zone=8 zone.turns=1 altitude=lo formation=out weather=good fuel.wing=10 gear.nose=hanging "


@pytest.mark.section("b29 7-1 d", "b29 7-1", "b29 7-1 a", "b29 7-3 a", "b29 4.6", "b29 4.5 C3", "b29 4.5 C4")
@pytest.mark.section("b29 4.8 A", "b29 4.3 C", "b29 6.2 F", "b29 6.3 B", "b29 7.2 two")
@moments(
    ("over the target a hit on the sight may find the bombardier", HERE + "zone=12 roll=7-1 area=nose", "7-1: 4,6",
     "bombsight=out waits=7-1.a"),
    ("before it, not", HERE + "zone=11 roll=7-1 area=nose", "7-1: 4,6", "bombsight=out waits!=7-1.a"),
    ("from a burning tank all jump", HERE + "roll=7-3.a area=fwd-bomb-bay", "7-3.a: 4", "waits=8-4"),
    ("among bombs it destroys her", HERE + "roll=7-3.a area=fwd-bomb-bay", "7-3.a: 5", "bomber.fate=destroyed"),
    ("without them they jump out of control",
     HERE + "bombs=dropped load.fwd=gone load.aft=gone roll=7-3.a area=fwd-bomb-bay", "7-3.a: 5", "waits=8-5"),
    ("a twelve is an event", HERE + "step=found roll=4.6", "4.6: 6,6", "asked=4-9"),
    ("an eleven is none", HERE + "step=found roll=4.6", "4.6: 5,6", "asked!=4-9"),
    ("back on course: 5 costs a box", COURSE.format(1), "4.5C4: 5; end", "fuel.wing=21"),
    ("4 none", COURSE.format(1), "4.5C4: 4; end", "fuel.wing=20"),
    ("a second zone adds 1", COURSE.format(2), "4.5C4: 4; end", "fuel.wing=21"),
    ("a third 2", COURSE.format(3), "4.5C4: 3; end", "fuel.wing=21"),
    ("which is enough on 3 alone", COURSE.format(3), "4.5C4: 2; end", "fuel.wing=20"),
    ("the formation gathers in Zone 9 at the briefed height", GATHERS + "zone=9 altitude=hi", "", "asked=4-10"),
    ("not below it", GATHERS + "zone=9 altitude=med", "", "asked!=4-10"),
    ("nor before", GATHERS + "zone=8 altitude=hi", "", "asked!=4-10"),
    ("on early missions in Zone 3", GATHERS + "zone=3 altitude=hi mission.number=5", "", "asked=4-10"),
    ("and not in 9", GATHERS + "zone=9 altitude=hi mission.number=5", "", "asked!=4-10"),
    ("dry tanks are rolled for before each zone", DRY + "38 zone=4", "", "asked=4-1"),
    ("and before the base", DRY + "38 zone=1", "", "asked=4-1"),
    ("not with a box left", DRY + "37 zone=4", "", "asked!=4-1"),
    ("there neither", DRY + "37 zone=1", "", "asked!=4-1"),
    ("a burning city shakes her", BURNING + "target.type=urban-area target.table=2-2C roll=6-6", "6-6: 6; 6-7: 3,4",
     "asked=6-8"),
    ("not one of 2-3", BURNING + "target.type=urban-area target.table=2-3 roll=6-6", "6-6: 6; 6-7: 3,4", "rolled!=6-8"),
    ("nor an airfield", BURNING + "target.type=airfield roll=6-6", "6-6: 6; 6-7: 3,4", "rolled!=6-8"),
    ("who looks for the base pays a box, without new weather", LOST.format(""), LOOKS,
     "zone=1 fuel.wing=21 asked=4-4 rolled!=4-2"),
    ("it is the second turn of a slowed bomber", LOST.format("engine.1=out engine.4=out "), LOOKS,
     "turn=25 zone=1 hunting=yes asked=4-4"),
    ("who need not stay for another",
     DAY + "turn=25 zone=1 zone.turns=2 leg=inbound altitude=lo engine.1=out engine.4=out", "",
     "turns.double=yes must-stay=no"),
    ("a burst slows her not in its zone", DAY + "turn=11 zone=11 altitude=hi formation=out pressurized=yes",
     "set bip=yes", "turns.double=no"),
    ("but in the next", DAY + "turn=11 zone=11 altitude=hi formation=out pressurized=yes", "set bip=yes; set zone=12",
     "turns.double=yes"),
    ("a destroyed nose gear drags if it hung down", NOSE_GEAR.format("hanging"), "7-1: 1,3",
     "gear.nose=destroyed turns.double=yes formation=out"),
    ("not one that will not hold", NOSE_GEAR.format("will-not-hold"), "7-1: 1,3",
     "gear.nose=destroyed turns.double=no formation=in"),
    ("or is damaged", NOSE_GEAR.format("damaged"), "7-1: 1,3", "gear.nose=destroyed turns.double=no formation=in"),
    ("or up", NOSE_GEAR.format("will-not-extend"), "7-1: 1,3", "gear.nose=destroyed turns.double=no formation=in"),
    ("a hanging gear, however written, takes two turns for a zone", HANGS + "step=past-iwo", "",
     "zone=8 turns.double=yes"),
    ("the crank raises it on 2", HANGS + "moved=yes step=crank roll=7-1.d", "7-1.d: 2; end",
     "gear.nose!=hanging turns.double=no"),
    ("not on 3", HANGS + "moved=yes step=crank roll=7-1.d", "7-1.d: 3; end", "gear.nose=hanging turns.double=yes"),
)  # fmt: skip
def test_rows_and_steps(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 5-3 d", "b29 5-3 e")
@pytest.mark.parametrize(
    ("table", "die", "flak"), [("5-3.rockets", 1, "medium"), ("5-3.rockets", 2, "light"), ("5-3.bombs", 2, "medium"),
                               ("5-3.bombs", 3, "light")]
)  # fmt: skip
def test_rockets_and_bombs_are_flak_twice(b29: Pack, table: str, die: int, flak: str) -> None:
    moment = set_up(b29, HERE, table).fly(f"{table}: {die}\n")
    assert asked(moment.mission).count("6-3") == 2
    medium_hits = "6-3: 3,4\n6-3: 1,3\n"  # 7 hits in medium flak alone
    moment.fly(medium_hits)
    assert ("6-4" in [*moment.tables, *asked(moment.mission)]) == (flak == "medium")


@pytest.mark.section("b29 5-15 a")
@pytest.mark.parametrize(("armament", "die", "hit"), [("all-unarmed", 6, False), ("some", 5, False), ("some", 6, True),
                                                      ("all-armed", 5, True), ("all-armed", 4, False)])  # fmt: skip
def test_fire_of_other_bombers(b29: Pack, armament: str, die: int, hit: bool) -> None:
    night = (
        NIGHT
        + f"turn=12 zone=12 zone.turns=1 altitude=lo formation=none weather=good armament={armament} step=resistance "
    )
    moment = set_up(b29, night + "resistance=moderate log.gazetteer.12=0", "5-15").fly("5-15: 4,5\n")
    if armament == "all-unarmed":
        assert moment.asked != "5-15.a"
        return
    assert moment.asked == "5-15.a"
    moment.fly(f"5-15.a: {die}\n")
    assert (moment.asked == "5-3.f.shells") == hit


@pytest.mark.section("b29 8.4")
@pytest.mark.parametrize(
    ("weather", "die", "after"), [("good", 4, "good"), ("good", 5, "poor"), ("poor", 4, "poor"), ("poor", 6, "bad")]
)
def test_the_weather_of_iwo_jima(b29: Pack, weather: str, die: int, after: str) -> None:
    home = DAY + "turn=20 zone=6 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out step=forced "
    moment = set_up(b29, f"{home}weather={weather}", "8.4").fly(f"8.4: {die}\n")
    assert (moment.results[0].outcome, moment.results[0].table) == (after, "8.4")


@pytest.mark.section("b29 8.3")
@pytest.mark.parametrize(("weather", "jump"), [("good", False), ("bad", True)])
def test_home(b29: Pack, weather: str, jump: bool) -> None:
    there = (
        DAY + "turn=24 zone=1 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out course=on fuel.wing=20 "
    )
    moment = after_step(b29, "past-iwo", b29.sheet.given(f"{there}weather={weather}".split()))
    assert (moment["zone"], moment.asked) == (
        0,
        "landing" if jump else "8-1",
    )  # 8-1: nothing counts against a sound one
    assert not {"4-2", "4-4", "4-8", "4.6"} & set(moment.tables)
    if jump:
        moment.fly("landing: bail-out\n")
        moment.fly("".join("8-4: 3,4 = safe\n" for _ in range(asked(moment.mission).count("8-4"))))
        assert {moment[f"fate.{man}"] for man in ALL} == {"duty"}


@pytest.mark.section("b29 4.6", "b29 4.3 A")
@pytest.mark.parametrize("said", ["34", "-3", "29", "some", "34-boxes"])
@pytest.mark.parametrize("table", ["4-9.lost", "4-9.gained", "7-5.e"])
def test_a_number_of_boxes_that_is_no_row_is_asked_again(b29: Pack, table: str, said: str) -> None:
    moment = set_up(b29, "zone=4 fuel.wing=10", table, area="port-wing")
    moment.mission.roll(None, Hand(), outcome=said)
    assert (moment["fuel.wing"], moment.asked) == (10, table)
    moment.mission.roll(None, Hand(), outcome="2")
    assert (moment["fuel.wing"], moment.asked) == (8 if table == "4-9.gained" else 12, "None")
