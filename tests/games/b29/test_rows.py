"""What rows of the damage charts do to the bomber (7-1 to 7-5), and steps over the target and on the way home."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from tests.games.b29.table import ALL, DAY, NIGHT, RUN
from tests.support import after_step, asked, set_up

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
    ("7-3", "4,5", "7-3.tunnel: 5", {"tunnel": "ok"}),
    ("7-3", "4,6", "", {"release.fwd": "out", "release.aft": "ok"}),
    ("7-4", "4,6", "", {"release.aft": "out", "release.fwd": "ok"}),
    ("7-5", "2,3", "7-5.flap: 4", {"flap.port": "ok"}), ("7-5", "3,3", "7-5.aileron: 4", {"aileron.port": "ok"}),
]  # fmt: skip


@pytest.mark.section("b29 7-1", "b29 7-2", "b29 7-3", "b29 7-4", "b29 7-5")
@pytest.mark.parametrize(
    ("table", "dice", "more", "after"), ROWS, ids=[f"{each[0]} {each[1]} {each[2][:20]}" for each in ROWS]
)
def test_what_a_row_does(b29: Pack, table: str, dice: str, more: str, after: dict[str, Any]) -> None:
    moment = set_up(b29, HERE, table, area=AREAS[table])
    moment.fly(f"{table}: {dice}\n{more}\n")
    assert {name: moment[name] for name in after} == after


@pytest.mark.section("b29 7-1 a", "b29 7-1")
@pytest.mark.parametrize(("facts", "asks"), [("zone=12 target.zone=12", True), ("zone=11", False)])
def test_the_sight_is_hit_over_the_target(b29: Pack, facts: str, asks: bool) -> None:
    moment = set_up(b29, HERE + facts, "7-1", area="nose")
    moment.fly("7-1: 4,6\n")
    assert moment["bombsight"] == "out"
    assert ("7-1.a" in asked(moment.mission)) == asks


@pytest.mark.section("b29 7-3 a")
@pytest.mark.parametrize(
    ("facts", "die", "table", "fate"),
    [("", 4, "8-4", ""), ("", 5, "", "destroyed"), ("bombs=dropped load.fwd=gone load.aft=gone", 5, "8-5", "")],
)
def test_a_burning_tank_in_the_bay(b29: Pack, facts: str, die: int, table: str, fate: str) -> None:
    """7-3 a: to 4 all jump on 8-4; an explosion with bombs aboard destroys her, without them all jump on 8-5."""
    moment = set_up(b29, HERE + facts, "7-3.a", area="fwd-bomb-bay")
    moment.fly(f"7-3.a: {die}\n")
    waits = " ".join(asked(moment.mission))
    assert not table or table in waits or moment.asked in ("open-up-to-jump", "where-below", "bail-out")
    assert not fate or moment["bomber.fate"] == fate


@pytest.mark.section("b29 5-3 d", "b29 5-3 e")
@pytest.mark.parametrize(
    ("table", "die", "flak"), [("5-3.rockets", 1, "medium"), ("5-3.rockets", 2, "light"), ("5-3.bombs", 2, "medium"),
                               ("5-3.bombs", 3, "light")]
)  # fmt: skip
def test_rockets_and_bombs_are_flak_twice(b29: Pack, table: str, die: int, flak: str) -> None:
    moment = set_up(b29, HERE, table)
    moment.fly(f"{table}: {die}\n")
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
    moment = set_up(b29, night + "resistance=moderate log.gazetteer.12=0", "5-15")
    moment.fly("5-15: 4,5\n")
    if armament == "all-unarmed":
        assert moment.asked != "5-15.a"
        return
    assert moment.asked == "5-15.a"
    moment.fly(f"5-15.a: {die}\n")
    assert (moment.asked == "5-3.f.shells") == hit


@pytest.mark.section("b29 4.6")
@pytest.mark.parametrize(("dice", "event"), [("6,6", True), ("5,6", False)])
def test_a_twelve_is_an_event(b29: Pack, dice: str, event: bool) -> None:
    moment = set_up(b29, HERE + "step=found", "4.6")
    moment.fly(f"4.6: {dice}\n")
    assert (moment.asked == "4-9") == event


@pytest.mark.section("b29 4.5 C4")
@pytest.mark.parametrize(("streak", "die", "boxes"), [(1, 4, 0), (1, 5, 1), (2, 4, 1), (3, 3, 1), (3, 2, 0)])
def test_the_correction_of_the_course(b29: Pack, streak: int, die: int, boxes: int) -> None:
    """4.5 C4: 5 or more costs a box; one is added for each zone of the streak beyond the first."""
    moment = set_up(b29, HERE + f"formation=out course.streak={streak} step=event", "4.5C4")
    moment.fly(f"4.5C4: {die}\nend\n")
    assert moment["fuel.wing"] == 20 + boxes


@pytest.mark.section("b29 4.8 A")
@pytest.mark.parametrize(
    ("facts", "asks"),
    [("zone=9 altitude=hi", True), ("zone=9 altitude=med", False), ("zone=8 altitude=hi", False),
     ("zone=3 altitude=hi mission.number=5", True), ("zone=9 altitude=hi mission.number=5", False)],
)  # fmt: skip
def test_where_the_formation_gathers(b29: Pack, facts: str, asks: bool) -> None:
    there = DAY + f"turn=9 zone.turns=1 moved=yes pressurized=yes formation=out weather=good course=on {facts}"
    assert (after_step(b29, "lost-2", b29.sheet.given(there.split())).asked == "4-10") == asks


@pytest.mark.section("b29 4.3 C")
@pytest.mark.parametrize(("boxes", "asks"), [(38, True), (37, False)])
def test_dry_tanks_are_rolled_for(b29: Pack, boxes: int, asks: bool) -> None:
    """4.3 C: with every box crossed off 4-1 comes before each zone, and before the base."""
    for zone in (4, 1):
        dry = DAY + "turn=20 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out weather=good "
        dry += f"zone={zone} fuel.wing={boxes}"
        assert (after_step(b29, "past-iwo", b29.sheet.given(dry.split())).asked == "4-1") == asks, zone


@pytest.mark.section("b29 8.4")
@pytest.mark.parametrize(
    ("weather", "die", "after"), [("good", 4, "good"), ("good", 5, "poor"), ("poor", 4, "poor"), ("poor", 6, "bad")]
)
def test_the_weather_of_iwo_jima(b29: Pack, weather: str, die: int, after: str) -> None:
    home = DAY + "turn=20 zone=6 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out step=forced "
    moment = set_up(b29, f"{home}weather={weather}", "8.4")
    moment.fly(f"8.4: {die}\n")
    assert (moment.results[0].outcome, moment.results[0].table) == (after, "8.4")


@pytest.mark.section("b29 6.3 B")
@pytest.mark.parametrize(
    ("facts", "asks"),
    [("target.type=urban-area altitude=lo target.table=2-2C", True),
     ("target.type=urban-area altitude=lo target.table=2-3", False), ("target.type=airfield altitude=lo", False)],
)  # fmt: skip
def test_turbulence_over_a_burning_city(b29: Pack, facts: str, asks: bool) -> None:
    over = NIGHT + f"turn=12 zone=12 zone.turns=1 formation=none weather=good visibility=slightly step=no-bombs {facts}"
    moment = set_up(b29, over, "6-6")
    moment.fly("6-6: 6\n6-7: 3,4\n")
    assert ("6-8" in [*moment.tables, *asked(moment.mission)]) == asks


@pytest.mark.section("b29 6.1", "b29 6.2 A", "b29 6.2 B", "b29 6.3 A", "b29 6.4", "b29 6.5")
def test_the_order_over_the_target(b29: Pack) -> None:
    """6.1 to 6.5: visibility, flak, three rolls, the run, its accuracy; flak again at -1; then round, same weather."""
    moment = set_up(b29, RUN)
    moment.fly("6-1: 3\n6-2: 6\n6-3: 2,2\n6-3: 2,2\n6-3: 2,2\n6-6: 6\n6-7: 3,4\n6-2: 6\n")
    first, second = [sum(each.add for each in one.applied) for one in moment.results if one.table == "6-2"]
    assert second - first == -1
    order = [each for each in moment.tables if each[0] == "6"]
    assert order == ["6-1", "6-2", "6-3", "6-3", "6-3", "6-6", "6-7", "6-2"]
    while moment.asked == "6-3":
        moment.fly("6-3: 2,2\n")
    assert (moment["leg"], moment["bombs"], moment["zone"]) == ("inbound", "dropped", 12)
    assert "4-2" not in moment.tables


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


@pytest.mark.section("b29 4.5 C3")
@pytest.mark.parametrize(("number", "zone", "boxes"), [(12, 1, 1), (5, 1, 1)])
def test_looking_for_the_base(b29: Pack, number: int, zone: int, boxes: int) -> None:
    there = DAY.replace("mission.number=12", f"mission.number={number}") + (
        f"turn=24 zone={zone} zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out weather=good "
        "fuel.wing=20 moved=yes course.streak=0 step=course "
    )
    moment = set_up(b29, there, "4-8")
    moment.fly("4-8: 6,6 = off\n4.6: 3,4\n")
    while moment.asked in ("altitude", "lost-way"):
        moment.fly(f"{moment.asked}: {moment.options[0]}\n")
    assert (moment["zone"], moment["fuel.wing"], moment.asked) == (zone, 20 + boxes, "4-4")
    assert "4-2" not in moment.tables


@pytest.mark.section("b29 7.2 two", "b29 4.5 C3")
def test_a_turn_that_looks_for_the_base_is_the_second_of_a_slowed_bomber(b29: Pack) -> None:
    slow = DAY + (
        "turn=24 zone=1 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out weather=good "
        "fuel.wing=20 moved=yes course.streak=0 step=course engine.1=out engine.4=out "
    )
    moment = set_up(b29, slow, "4-8")
    moment.fly("4-8: 6,6 = off\n4.6: 3,4\n")
    while moment.asked in ("altitude", "lost-way"):
        moment.fly(f"{moment.asked}: {moment.options[0]}\n")
    assert (moment["turn"], moment["zone"], moment["hunting"], moment.asked) == (25, 1, "yes", "4-4")
    moment.mission.write({"course": "on", "hunting": "no"})
    assert (moment["turns.double"], moment["must-stay"]) == ("yes", "no")


@pytest.mark.section("b29 7-1 d")
def test_a_hanging_nose_gear(b29: Pack) -> None:
    """7-1 d: two turns a zone at once; one crank a zone, which brings it up on 1 or 2."""
    hanging = DAY + "turn=8 zone=8 zone.turns=1 altitude=lo formation=out weather=good fuel.wing=10 "
    hanging += "gear.nose=hanging "  # it drags however it came to be written down
    moment = after_step(b29, "past-iwo", b29.sheet.given(hanging.split()))
    assert moment["zone"] == 8  # the second turn in this zone
    assert moment["turns.double"] == "yes"
    for die, state in ((2, True), (3, False)):
        crank = set_up(b29, hanging + "moved=yes step=crank", "7-1.d")
        crank.fly(f"7-1.d: {die}\nend\n")
        assert (crank["gear.nose"] != "hanging", crank["turns.double"] == "no") == (state, state)


@pytest.mark.section("b29 6.2 F")
def test_a_burst_written_by_hand_slows_her_from_the_next_zone_on(b29: Pack) -> None:
    moment = set_up(b29, DAY + "turn=11 zone=11 altitude=hi formation=out pressurized=yes")
    moment.mission.write({"bip": "yes"})
    assert moment["turns.double"] == "no"
    moment.mission.write({"zone": 12})
    assert moment["turns.double"] == "yes"


@pytest.mark.section("b29 7-1")
@pytest.mark.parametrize(
    ("before", "drags"), [("hanging", "yes"), ("will-not-hold", "no"), ("damaged", "no"), ("will-not-extend", "no")]
)
def test_a_destroyed_nose_gear_drags_if_it_hung_down(b29: Pack, before: str, drags: str) -> None:
    moment = set_up(b29, DAY + f"turn=8 zone=8 altitude=hi formation=in gear.nose={before}", "7-1")
    moment.fly("7-1: 1,3")
    assert (moment["gear.nose"], moment["turns.double"]) == ("destroyed", drags)
    assert moment["formation"] == ("out" if drags == "yes" else "in")


@pytest.mark.section("b29 4.6", "b29 4.3 A")
@pytest.mark.parametrize("said", ["34", "-3", "29", "some", "34-boxes"])
@pytest.mark.parametrize("table", ["4-9.lost", "4-9.gained", "7-5.e"])
def test_a_number_of_boxes_that_is_no_row_is_asked_again(b29: Pack, table: str, said: str) -> None:
    moment = set_up(b29, "zone=4 fuel.wing=10", table, area="port-wing")
    moment.mission.roll(None, Hand(), outcome=said)
    assert (moment["fuel.wing"], moment.asked) == (10, table)
    moment.mission.roll(None, Hand(), outcome="2")
    assert (moment["fuel.wing"], moment.asked) == (8 if table == "4-9.gained" else 12, "None")
