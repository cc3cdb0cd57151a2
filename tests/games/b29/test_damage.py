"""Damage: second hits, hits on everything, and effects of the last box (6.0, 7.0)."""

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from tests.games.b29.table import DAY, OVER, flying, pending, roll
from tests.support import check, moments, set_up


@pytest.mark.section("b29 7.1", "b29 7-1 b")
def test_a_repeated_result_has_no_further_effect_but_the_pressure_is_checked(b29: Pack) -> None:
    mission = flying(b29, zone=5)
    assert roll(mission, "7-1", 1, 2).then == ["7-1.b"]
    roll(mission, None, 1)
    again = roll(mission, "7-1", 1, 2)
    assert ([name for name, _, _ in again.shown], again.then) == (["hit.nose"], ["7-1.b"])
    assert "radio" in roll(mission, "7-2", 2, 3).changes
    mission.pending.clear()
    assert list(roll(mission, "7-2", 2, 3).changes) == ["hit.nav-radio"]


@pytest.mark.section("b29 6.2 E")
def test_every_rolled_hit_is_under_hits_taken(b29: Pack) -> None:
    moment = set_up(b29, DAY + "zone=12 altitude=hi pressurized=yes")
    for dice in ([4, 4], [3, 3], [4, 4], [3, 4], [2, 3]):
        moment.mission.pending = []
        moment.mission.roll("7-1", Hand([dice]))
    assert moment["hit.nose"] == "windshield, crew, windshield, superficial, hydraulics"
    for note, dice in (("7-1.a", [2]), ("7-1.b", [3]), ("7-2.a", [5]), ("7-1.b", [6]), ("7-1.b.compromised", [1])):
        moment.mission.roll(note, Hand([dice]))
    assert moment["hit.nose"] == "windshield, crew, windshield, superficial, hydraulics"
    assert moment["hit.nav-radio"] == ""


@pytest.mark.section("b29 7.1")
@pytest.mark.parametrize(("sheet", "asked"), [("", ["7-10.electrical"]), ("electrical=out", [])])
def test_a_part_that_is_out_is_not_asked_about_again(b29: Pack, sheet: str, asked: list[str]) -> None:
    moment = set_up(b29, DAY + f"zone=5 {sheet}")
    (result,) = moment.mission.roll("7-10", Hand([[1]]), outcome="electrical")
    assert result.then == asked


IN_AFT_BAY = DAY + "zone=12 altitude=hi {}roll=6.2F area=aft-bomb-bay"
VISITS = OVER + "bombs=dropped bomb-run=on step=more-flak duty.cfc=repair visits.cfc=utility roll=6.2F area="
GLASS = OVER + "cold.since=12 "


@pytest.mark.section("b29 6.2 A", "b29 6.2 B", "b29 6.2 C", "b29 6.2 D", "b29 6-6 note", "b29 4.2 C", "b29 7.2 two")
@pytest.mark.section("b29 6.2 F", "b29 6.2 F dead", "b29 4.8 C", "b29 7-1", "b29 7-1 c", "b29 7-1 d", "b29 7.1")
@pytest.mark.section("b29 7-3", "b29 7-4", "b29 7.6 A")
@moments(
    ("a burst written by hand drops her out of formation", OVER, "set bip=yes", "formation=out"),
    ("by night there is none", OVER + "formation=none", "set bip=yes", "formation=none"),
    ("one windshield hit leaves the pressure", GLASS + "pressurized=yes", "set windshield.hits=1", "pressure.nose=ok"),
    ("the second costs it", GLASS + "pressurized=yes", "set windshield.hits=1; set windshield.hits=2",
     "pressure.nose=compromised waits=7-11"),
    ("open, nothing bursts", GLASS, "set windshield.hits=1; set windshield.hits=2",
     "pressure.nose=compromised waits!=7-11"),
    ("a burst among the bombs of a bay kills all", IN_AFT_BAY.format(""), "", "crew.alive=0 formation=out"),
    ("not where its own are gone", IN_AFT_BAY.format("load.aft=gone release.fwd=out "), "",
     "crew.alive=11 formation=out"),
    ("those of the other bay do not save her", IN_AFT_BAY.format("load.fwd=gone release.aft=out "), "",
     "crew.alive=0 formation=out"),
    ("all dropped it is torn open", IN_AFT_BAY.format("bombs=dropped "), "", "crew.alive=11 formation=out"),
    ("a burst finds a man where his work has taken him", VISITS + "utility", "", "crew.cfc=kia crew.left-gunner=ok"),
    ("not in his own room", VISITS + "waist", "", "crew.cfc=ok crew.left-gunner=kia"),
    ("nor in another", VISITS + "nav-radio", "", "crew.cfc=ok crew.left-gunner=ok"),
    ("the crank lowers a gear that will not extend", OVER + "gear.nose=will-not-extend roll=7-1.c", "7-1.c: 1",
     "gear.nose=ok"),
    ("not a destroyed one", OVER + "gear.nose=destroyed roll=7-1.c", "7-1.c: 1", "gear.nose=destroyed"),
    ("it raises a hanging one", OVER + "gear.nose=hanging roll=7-1.d", "7-1.d: 1", "gear.nose=will-not-extend"),
    ("not a destroyed one either", OVER + "gear.nose=destroyed roll=7-1.d", "7-1.d: 1", "gear.nose=destroyed"),
    ("a sound one stays", OVER + "gear.nose=ok roll=7-1.d", "7-1.d: 1", "gear.nose=ok"),
    ("a destroyed gear is not rolled for again", OVER + "gear.nose=destroyed roll=7-1.gear",
     "7-1.gear: 4; 7-1.gear: drops", "gear.nose=destroyed turns.double=no"),
    ("the bombardier and one of the pilots are hit", DAY + "zone=12 altitude=lo roll=7-1", "7-1: 3,3; 7-1.crew: 6",
     "asked=7-1.crew.bombardier-and"),
    ("a sound tunnel may leak", DAY + "zone=12 altitude=hi roll=7-3 area=fwd-bomb-bay", "7-3: 4,5", "asked=7-3.tunnel"),
    ("a leaking one is not asked about again",
     DAY + "zone=12 altitude=hi tunnel=compromised roll=7-4 area=aft-bomb-bay", "7-4: 4,5", "asked!=7-4.tunnel"),
    ("the third finds the men behind it", GLASS + "windshield.hits=2 roll=7-1", "7-1: 4,4", "asked=7-1.crew"),
    ("flak is rolled three times, its hits come after all three", "zone=12 turn=12 roll=6-2",
     "6-2: 5; 6-3: 3,4", "asked=6-3 waits=6-4"),
    ("a bombardier lost to flak throws the run without a die", OVER + "roll=6-2",
     "6-2: 3; set crew.bombardier=serious; roll 6-6:", "bomb-run=off"),
    ("two inboard engines take all pressure and the formation", OVER.replace("pressurized=no", "pressurized=yes"),
     "set engine.2=out; set engine.3=runaway", "pressurization=lost formation=out"),
)  # fmt: skip
def test_what_damage_does(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 7-3 b")
def test_fuel_leaks_from_the_wing_tanks_after_the_pumps_have_had_their_say(b29: Pack) -> None:
    # 7-3 note b: half of 5 rounded up is 3; both pumps working -1
    mission = flying(b29, zone=12)
    roll(mission, "7-3", 1, 2)
    roll(mission, None, 3)
    assert roll(mission, None, 5).outcome == "2"
    assert mission.state["fuel.wing"] == 2
    assert "7-3.fuel-tank" not in pending(mission)
    again = roll(mission, "7-3", 1, 2)
    assert (again.then, list(again.changes)) == ([], ["hit.fwd-bomb-bay"])


def test_boxes_end_at_the_last_one(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"fuel.wing": 37})
    leak = roll(mission, "7-3.b", 6, pumps__failed=2)
    assert (leak.outcome, mission.state["fuel.wing"]) == ("4", 38)
    assert "1 of 4" in leak.notes[0][0]


@pytest.mark.section("b29 6-7 a", "b29 6-7 c", "b29 6-7")
def test_bombing_accuracy_formulas_become_numbers(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"bomb-run": "on"})
    results = mission.roll("6-7", Hand([[1, 1], [1, 2, 3], [4]]))
    assert [each.outcome for each in results] == ["24", "24"]
    assert mission.state["bomb-run.percent"] == 24
    mission.write({"bomb-run": "off"})
    assert mission.roll("6-7", Hand([[1, 1], [2, 2]]))[0].outcome == "0"  # never below nothing
    alone = mission.roll("6-7", Hand([[6, 6]]))[0]
    assert (alone.outcome, alone.then) == ("2d", ["6-7.2d"])


@pytest.mark.section("b29 6.2 F")
def test_a_burst_inside_nav_radio_takes_every_row_of_its_table(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"mission.time": "day", "formation": "in"})
    roll(mission, "6-4", 1, 1)
    rolled = mission.roll(None, Hand([[1, 2]]))
    assert {mission.state[f"crew.{man}"] for man in ("navigator", "engineer", "radio-operator")} == {"kia"}
    assert mission.state["formation"] == "out"
    assert mission.state["pressurization"] == "lost"
    assert mission.state["radio"] == "out"  # at once: a fire of row 3 may drive all out before row 5 is read
    assert [each.table for each in rolled] == ["6-5", "6.2F", "6.2F.torn"]
    assert pending(mission)[:3] == ["7-13"] * 3
    assert [item.take for item in mission.pending if item.take is not None] == list(range(2, 13))


@pytest.mark.section("b29 7-5")
def test_engines_are_picked_by_the_wing(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    roll(mission, "7-5", 5, 5, area="starboard-wing")
    assert roll(mission, None, 2).outcome == "3"
    assert roll(mission, None, 3).outcome == "out"
    assert mission.state["engine.3"] == "out"


DRAGGING = DAY + (
    "turn=11 zone=9 altitude=hi pressurized=yes formation=in weather=good fuel.wing=20 gear.nose=hanging step=take-off "
    "log.gazetteer.10=0 log.below.10=sea "
)


@pytest.mark.section("b29 7-1", "b29 4.8 D")
def test_a_bomber_with_its_gear_down_does_not_rejoin(b29: Pack) -> None:
    moment = set_up(b29, DRAGGING, "7-1", area="nose").fly("7-1: 2,2")
    assert (moment["gear.nose"], moment["gear.drag"], moment["formation"]) == ("destroyed", "yes", "out")
    moment.take_up({"zone.turns": 2, "step": "take-off"}, "altitude: stay\n")
    assert (moment["zone"], "rejoin" in moment.tables, moment.asked) == (10, False, "4-2")
