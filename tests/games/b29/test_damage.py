"""Damage: repeated hits, engines, tanks and gear, fires, and pressure between the compartments (4.2, 6.0, 7.0)."""

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from tests.games.b29.table import DAY, HANGING, HIGH, HOME, NIGHT, NO_ENGINE, OVER, RUN, WAIST, flying, pending, roll
from tests.support import after_step, again, check, moments, set_up


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


IN_AFT_BAY = DAY + "zone=12 altitude=hi {}roll=6.2F area=aft-bomb-bay"
VISITS = OVER + "bombs=dropped bomb-run=on step=more-flak duty.cfc=repair visits.cfc=utility roll=6.2F area="
GLASS = OVER + "cold.since=12 "


@pytest.mark.section("b29 6.2 A", "b29 6.2 B", "b29 6.2 C", "b29 6.2 D", "b29 6-6 note", "b29 4.2 C", "b29 7.2 two")
@pytest.mark.section("b29 6.2 F", "b29 6.2 F dead", "b29 4.8 C", "b29 7-1", "b29 7-1 c", "b29 7-1 d", "b29 7.1")
@pytest.mark.section("b29 7-3", "b29 7-4", "b29 7.6 A", "b29 7-5")
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
    ("a hit on the wiring asks", DAY + "zone=5 roll=7-10", "7-10: = electrical", "asked=7-10.electrical"),
    ("not where it is out", DAY + "zone=5 electrical=out roll=7-10", "7-10: = electrical", "asked!=7-10.electrical"),
    ("an engine is picked by its wing", DAY + "zone=12 roll=7-5 area=starboard-wing",
     "7-5: 5,5; 7-5.engines: 2; 7-5.engine: 3", "engine.3=out"),
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


@pytest.mark.section("b29 7.1")
def test_a_gear_that_is_out_is_not_asked_about_again(b29: Pack) -> None:
    moment = set_up(b29, OVER, "7-5", area="port-wing").fly("7-5: 6,6\n7-5.landing-gear: 3\n7-5.n: = not-lowered")
    again(moment, "7-5", area="port-wing").fly("7-5: 6,6\n7-5.landing-gear: 4")
    assert moment.asked != "7-5.n"
    again(moment, "7-5", area="starboard-wing").fly("7-5: 6,6\n7-5.landing-gear: 4\n7-5.n: = not-lowered")


NO_NOSE_GEAR = "gear.nose=will-not-extend "
ENGINE_OUT = OVER.replace("zone=12 alt", "zone=10 alt") + "engine.1=out zone.turns=1 "
AT_TARGET = OVER + "engine.1=out zone.turns=1 release.aft=out load.fwd=gone "
EMPTY = "bombs=jettisoned load.fwd=gone load.aft=gone pressurized=yes engine.1=out "
LIGHT = OVER + EMPTY + "zone=10 zone.turns=1 setting.escort-out=stays step=jettison "
IN_STORM = OVER + (
    "zone=10 moved=yes zone.turns=1 pressurized=yes engine.1=out escort.available=yes setting.escort-out=stays "
    "step=weather"
)


@pytest.mark.section("b29 7.2 one", "b29 7.2 two", "b29 7.2 three", "b29 7.2 four", "b29 7-1 c", "b29 4.8 C")
@pytest.mark.section("b29 4.5 A", "b29 4.8 E", "b29 6.2 A", "b29 6.4", "b29 6.5", "b29 9.3 C")
@moments(
    ("a gear that is up is tried before a landing in Japan", OVER + NO_NOSE_GEAR + "below=land choose=forced-down",
     "forced-down: land", "asked=7-1.c"),
    ("not without an engine", OVER + NO_NOSE_GEAR + f"below=land {NO_ENGINE} choose=forced-down", "forced-down: land",
     "asked!=7-1.c"),
    ("at the base too", HOME + NO_NOSE_GEAR + "step=enter-back", "", "asked=7-1.c"),
    ("and there not without one", HOME + NO_NOSE_GEAR + f"step=enter-back {NO_ENGINE}", "", "asked!=7-1.c"),
    ("on three engines the run is flown", RUN + "formation=out below=land engine.1=out", "", "asked=6-1"),
    ("without any it is not", RUN + f"formation=out below=land {NO_ENGINE}", "", "asked=forced-down"),
    ("nor on one at LO",
     RUN.replace("altitude=hi", "altitude=lo") + "formation=out below=land engine.1=out engine.2=out engine.3=out", "",
     "asked=forced-down"),
    ("nor once flak has cost them all", RUN.replace("after-combat", "flak") + f"formation=out below=land {NO_ENGINE}",
     "", "asked=forced-down"),
    ("with the bombs gone she stays in formation", ENGINE_OUT + "choose=jettison", "jettison: yes", "formation=in"),
    ("those of a broken release too, if they fall", ENGINE_OUT + "release.aft=out choose=jettison",
     "jettison: yes; 7-3.f: 1", "formation=in"),
    ("if they hang she is out", ENGINE_OUT + "release.aft=out choose=jettison", "jettison: yes; 7-3.f: 5",
     "formation=out"),
    ("and behind jammed doors", ENGINE_OUT + "doors.aft=jammed-shut choose=jettison", "jettison: yes", "formation=out"),
    ("over the target she may keep them for the run", AT_TARGET + "choose=jettison", "jettison: no", "formation=in"),
    ("or try", AT_TARGET + "choose=jettison", "jettison: yes; 7-3.f: 5", "formation=in"),
    ("homeward they cost the formation", AT_TARGET + "leg=inbound choose=jettison", "jettison: no", "formation=out"),
    ("unless they fall", AT_TARGET + "leg=inbound choose=jettison", "jettison: yes; 7-3.f: 1", "formation=in"),
    ("hang they, she is out", AT_TARGET + "leg=inbound choose=jettison", "jettison: yes; 7-3.f: 5", "formation=out"),
    ("it is settled before the fighters", AT_TARGET + "moved=yes pressurized=yes leg=inbound bomb-run=off step=weather",
     "jettison: no", "formation=out"),
    ("who jettisons may go on with the others", LIGHT, "", "asked=abort options=go-on,abort"),
    ("to the target", LIGHT, "abort: go-on", "zone=11 formation=in aborted=no"),
    ("alone nothing is left to do out here", LIGHT + "formation=out", "", "leg=inbound aborted=yes"),
    ("on two engines neither", LIGHT + "engine.4=out formation=out altitude=lo", "", "leg=inbound aborted=yes"),
    ("nor by night",
     NIGHT + EMPTY + "turn=10 zone=10 altitude=lo formation=none weather=good pressurized=no zone.turns=1 "
     "step=jettison", "", "leg=inbound aborted=yes"),
    ("an engine lost in a storm is settled before the course", IN_STORM, "jettison: yes", "formation=in asked=4.6"),
    ("alone she finds her own way, and no escort is looked for", IN_STORM, "jettison: no", "formation=out asked=4-4"),
    ("with nothing to drop she flies over the target with the others", RUN + EMPTY + "grounds.answered=2",
     "6-1: 3; 6-2: 1; 6-2: 1", "rolled!=6-6 leg=inbound formation=in aborted=no bomb-run=none fuel.wing=21"),
    ("for a draw", RUN + EMPTY + "grounds.answered=2", "6-1: 3; 6-2: 1; 6-2: 1; set bomber.fate=returned",
     "mission.result=draw"),
)  # fmt: skip
def test_engines_out(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


AUX = DAY + "turn=3 zone=3 altitude=hi pressurized=yes formation=out weather=good aux.fwd=installed aux.aft=installed "
NO_AUX = DAY + "turn=20 leg=inbound formation=out fuel.fwd=4 fuel.aft=4 "
AT_MED = NO_AUX + "zone=5 altitude=med pressurized=no "
AT_HI = NO_AUX + "zone=11 altitude=hi pressurized=yes bombs=dropped bomb-run=on zone.turns=1 step=altitude "
SLOW = DAY + "turn=20 zone=6 zone.turns=2 leg=inbound altitude=lo bombs=dropped bomb-run=on step=lost-way engine.1=out "
ROUGH = OVER + "roll=6-9"
AS_PRINTED = "7-5.a port-wing: = as-printed; 7-5.a starboard-wing: = as-printed"
BEFORE = OVER.replace("zone=12 alt", "zone=11 alt")


@pytest.mark.section("b29 4.3 A", "b29 4.8 D", "b29 7-4 g", "b29 7.2 one", "b29 6.2 F", "b29 6-9")
@moments(
    ("with a box left she climbs", AT_MED + "fuel.wing=37 choose=altitude", "", "option=hi"),
    ("dry tanks do not climb", AT_MED + "fuel.wing=38 choose=altitude", "", "option!=hi"),
    ("with a box left she may rejoin", AT_HI + "fuel.wing=37", "", "asked=rejoin"),
    ("dry tanks do not rejoin", AT_HI + "fuel.wing=38", "", "asked!=rejoin"),
    ("a bad pump wants its die", AUX + "fuel.wing=8 pumps.failed=1 setting.auxiliary=first step=take-off",
     "altitude: stay; 7-4.g: 5; 4-2: 4,4", "fuel.fwd=0 fuel.wing=10"),
    ("a zone written by hand takes the usual turn", SLOW, "set zone=5", "turn=21 zone=4"),
    ("with two engines out two", SLOW + "engine.4=out", "set zone=5", "turn=21 zone=5"),
    ("the target zone with an engine out takes two", BEFORE + "formation=out engine.1=out", "set zone=12",
     "turns.double=yes"),
    ("unless it was lost there", BEFORE + "formation=out", "set zone=12; set engine.1=out", "turns.double=no"),
    ("a burst on the way slows her not in its own zone", BEFORE + "zone.turns=1", "set bip=yes", "turns.double=no"),
    ("homeward neither", BEFORE + "leg=inbound zone.turns=1", "set bip=yes", "turns.double=no"),
    ("over the target neither", OVER + "zone.turns=1", "set bip=yes", "turns.double=no"),
    ("but once she has turned there", OVER + "leg=inbound zone.turns=1", "set bip=yes", "turns.double=yes"),
    ("turbulence strains both wing roots", ROUGH, "6-9: 4,4; " + AS_PRINTED,
     "wing-root.port=1 wing-root.starboard=1"),
    ("and hurts men on 9", ROUGH, "6-9: 5,4; " + AS_PRINTED,
     "wing-root.port=1 wing-root.starboard=1 asked=6-9.crew"),
    ("twice when she is flipped over", ROUGH, "6-9: 6,6; 6-9.flipped: 5; " + AS_PRINTED,
     "wing-root.port=2 wing-root.starboard=2 asked=6-9.crew"),
)  # fmt: skip
def test_boxes_and_turns(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 4.3 B")
def test_one_auxiliary_box_in_every_zone_without_asking(b29: Pack) -> None:
    moment = set_up(b29, AUX + "fuel.wing=8 fuel.fwd=3 step=take-off").fly("altitude: stay\nfuel-box: always")
    moment.fly("4-2: 4,4")  # Zone 4: two due, one from the last box of the forward bay
    assert (moment["setting.auxiliary"], moment["fuel.fwd"], moment["fuel.aft"], moment["fuel.wing"]) == (
        "first", 4, 0, 9,
    )  # fmt: skip
    moment.fly("4-4: 3,4 = none\n4-5: 3,4 = none\n4-6: 3,4 = none\n4-7: 3,4 = none\n4-8: 4,4 = on\n4.6: 3,4")
    moment.fly("abort: go-on\n4-2: 4,4" if moment.asked == "abort" else "4-2: 4,4")
    assert (moment["zone"], moment["fuel.fwd"], moment["fuel.aft"], moment["fuel.wing"]) == (5, 4, 1, 10)


@pytest.mark.section("b29 7.2 one", "b29 6.5")
@pytest.mark.parametrize(
    ("state", "turns", "zone", "fuel"),
    [
        ("engine.1=out release.aft=out", 2, 12, 0),  # lost over the target before the run, where the bombs then hung
        ("engine.1=out load.aft=gone bombs=dropped", 1, 11, 1),
        ("release.aft=out", 1, 11, 2),
    ],
)
def test_bombs_that_hang_slow_her_over_the_target_too(b29: Pack, state: str, turns: int, zone: int, fuel: int) -> None:
    night = NIGHT + "target.asterisk=yes turn=12 zone=12 altitude=lo weather=good fuel.wing=20 log.below.12=land "
    sheet = night + f"zone.turns=1 log.gazetteer.12=0 load.fwd=gone bomb-run=on {state}"
    moment = after_step(b29, "more-flak", b29.sheet.given(sheet.split()))
    asked = {"altitude": "stay", "bay-man": "no", "4.6": "3,4", "5-1": "1,1", "jettison": "no"}
    while moment["turn"] <= 13 and moment.asked in asked:
        moment.fly(f"{moment.asked}: {asked[moment.asked]}")
    assert (moment["turn"], moment["zone"], moment["zone.turns"]) == (14, zone, turns)
    assert moment["fuel.wing"] + moment["fuel.due"] == 20 + 1 + fuel  # an engine's second turn is free


@pytest.mark.section("b29 6.2 F", "b29 4.7 B")
def test_a_burst_slows_her_in_the_same_zone_on_the_way_back(b29: Pack) -> None:
    moment = set_up(b29, OVER.replace("zone=12 alt", "zone=11 alt") + "bombs=jettisoned")
    moment.mission.write({"bip": "yes"})
    one, back = moment["fuel.round"], moment["fuel.zone-back"]
    assert (one, back) == (1, 2)
    moment.mission.write({"aborted": "yes", "leg": "inbound"})
    assert moment["turns.double"] == "no"
    moment.mission.write({"leg": "outbound", "zone": 12})
    moment.mission.write({"leg": "inbound", "zone": 11})
    assert moment["turns.double"] == "yes"


@pytest.mark.section("b29 4.2 B", "b29 7.5")
def test_opened_up_before_the_fire_is_fought(b29: Pack) -> None:
    moment = set_up(b29, HIGH, "7-1", area="nose", compartment="nose")
    moment.fly("7-1: 2,3\n7-1.hydraulics: 2\nopen-for-fire: yes")  # row 5, and 1-3 is a fire
    assert (moment["pressurized"], moment["cold.since"]) == ("no", 9)
    assert moment.options == ["bombardier", "copilot"]  # the Nose has men of its own, and one of them must
    moment.fly("fire-man: bombardier\n7-12: 3,4 = out")
    assert sum(add for _, add in moment.modifiers("7-12")) == 2  # our book's figure, at HI and open
    assert (moment["duty.bombardier"], moment["extinguisher.nav-radio"]) == ("fire", "used")
    moment.fly("7-1.b: 3")  # the pressure check of the row is still due, then all go on oxygen (4.2 D)
    assert moment.asked == "4.2D"


@pytest.mark.section("b29 4.2 B")
def test_a_fire_fought_behind_closed_doors_has_no_modifier(b29: Pack) -> None:
    moment = set_up(b29, HIGH, "7-12.fire", compartment="nav-radio").fly("open-for-fire: no\nfire-man: radio-operator")
    assert (moment["pressurized"], len(moment.mission.pending)) == ("yes", 1)  # nobody goes on oxygen
    moment.fly("7-12: 3,4 = out")
    assert moment.modifiers("7-12") == []


HURT = (
    "crew.engineer=serious crew.pilot=kia crew.cfc=kia crew.left-gunner=kia crew.right-gunner=kia "
    "crew.radar-operator=serious "
)
BURNS = HIGH + "pressurized=no {} roll=7-12.fire compartment={}"
WAIST_BURNS = HIGH + "pressurized=no {} roll=7-12.fire compartment=waist"
USED = "extinguisher.{}=used"
TWO_IN_UTILITY = "crew.tail-gunner=kia lies.tail-gunner=utility crew.cfc=kia lies.cfc=utility"


@pytest.mark.section("b29 4.2 B", "b29 7.5", "b29 7.6 A")
@moments(
    ("nobody can open up: the fire is fought closed", HIGH + HURT + "roll=7-12.fire compartment=nav-radio",
     "fire-man: navigator", "pressurized=yes"),
    ("without a bottle the try has failed, and all leave a burning Nose",
     BURNS.format("extinguisher.nav-radio=destroyed extinguisher.waist=used extinguisher.utility=used", "nose"),
     "8-2: 3,3 = calm", "bomber.fate=abandoned asked=8-4"),
    ("the closest bottle to the Nose is that of the Waist", BURNS.format(USED.format("nav-radio"), "nose"),
     "fire-man: bombardier; 7-12: 6,5 = out", "extinguisher.waist=used"),
    ("then that of Utility", BURNS.format(USED.format("nav-radio") + " " + USED.format("waist"), "nav-radio"),
     "fire-man: navigator; 7-12: 6,5 = out", "extinguisher.utility=used"),
    ("to the Waist that of Utility", WAIST_BURNS.format(USED.format("waist")), "fire-man: cfc; 7-12: 6,5 = out",
     "extinguisher.utility=used"),
    ("then that of Nav/Radio", WAIST_BURNS.format(USED.format("waist") + " " + USED.format("utility")),
     "fire-man: cfc; 7-12: 6,5 = out", "extinguisher.nav-radio=used"),
    ("to the Tail that of the Waist", BURNS.format(USED.format("utility"), "tail"), "7-12: 6,5 = out",
     "extinguisher.waist=used"),
    ("where nobody may go she is not opened up", HIGH + "crew.tail-gunner=kia roll=7-12.fire compartment=tail", "",
     "rolled=7-12.last rolled!=open-for-fire extinguisher.utility=ok"),
    ("who has come may try again", BURNS.format(TWO_IN_UTILITY, "utility"), "fire-man: right-gunner; 7-12: 3,3 = burns",
     "options=right-gunner,nobody"),
    ("who fights one fire is not free for another",
     WAIST_BURNS.format("duty.radar-operator=fire visits.radar-operator=utility"), "",
     "asked=fire-man option!=radar-operator"),
    ("nor who clears a gun in Utility", WAIST_BURNS.format("duty.radar-operator=repair visits.radar-operator=utility"),
     "", "asked=fire-man option!=radar-operator"),
    ("at the last fire in the room itself they are", WAIST_BURNS.format("duty.radar-operator=fire"), "",
     "asked=fire-man option=radar-operator"),
    ("or in a new seat", WAIST_BURNS.format("duty.radar-operator=moved"), "", "asked=fire-man option=radar-operator"),
)  # fmt: skip
def test_fires_and_bottles(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 7.5", "b29 7.6 A", "b29 7.6 E")
@pytest.mark.parametrize(
    ("hurt", "compartment", "who"),
    [
        ("", "nose", ["bombardier", "copilot"]),
        ("crew.pilot=serious", "nose", ["bombardier"]),  # 7.6 E: the copilot stays where he is
        ("crew.pilot=serious crew.bombardier=kia", "nose", []),  # three are in the Nose: it holds no fourth (7.6 A)
        ("crew.pilot=serious crew.bombardier=kia lies.bombardier=nav-radio", "nose",
         ["radio-operator", "navigator", "engineer"]),
        ("", "nav-radio", ["radio-operator", "navigator", "engineer"]), ("", "tail", ["tail-gunner"]),
        ("crew.tail-gunner=kia", "tail", []),  # closed up, nobody gets through Utility
        ("", "utility", []),
        ("crew.tail-gunner=kia pressurized=no", "tail", []),  # the dead count, and the Tail holds one
        ("crew.tail-gunner=absent pressurized=no", "tail", ["radar-operator", "cfc", "left-gunner", "right-gunner"]),
        ("crew.tail-gunner=kia lies.tail-gunner=utility pressurized=no", "tail",
         ["radar-operator", "cfc", "left-gunner", "right-gunner"]),
        (
            "pressurized=no crew.tail-gunner=kia lies.tail-gunner=utility crew.cfc=kia lies.cfc=utility "
            "crew.left-gunner=kia lies.left-gunner=utility",
            "utility", [],
        ),
        ("pressurized=no", "utility", ["radar-operator", "tail-gunner", "cfc", "left-gunner", "right-gunner"]),
    ],
)  # fmt: skip
def test_men_who_may_fight_the_fire(b29: Pack, hurt: str, compartment: str, who: list[str]) -> None:
    moment = set_up(b29, HIGH + hurt, "7-12.fire", compartment=compartment).fly("")
    if moment.asked == "open-for-fire":
        reached = ": nobody can reach the fire, and it burns on" not in moment.words["no"]
        assert reached == bool(who)
        moment.fly("open-for-fire: no")
    if len(who) == 1:  # then nothing is to be chosen
        assert (moment[f"duty.{who[0]}"], moment.asked) == ("fire", "7-12")
    elif who:
        assert moment.options == who
    else:  # nobody there: the try has failed
        assert "7-12.failed" in moment.tables
        assert moment.mission.state[f"fire.{compartment}"] == 1


@pytest.mark.section("b29 7.5", "b29 2.3 E")
def test_a_second_try_in_the_waist_may_open_up_first(b29: Pack) -> None:
    moment = set_up(b29, HIGH, "7-12.fire", compartment="waist")
    moment.fly(
        "open-for-fire: no\nfire-man: cfc\n7-12: 3,3 = burns\nopen-for-fire: yes\nfire-man: cfc\n7-12: 3,3 = burns"
    )
    assert (moment["extinguisher.waist"], moment["extinguisher.utility"]) == ("used", "used")
    assert sum(add for _, add in moment.modifiers("7-12")) == 2
    assert moment["fire-zone"] == "yes"  # one zone more


@pytest.mark.section("b29 7.5", "b29 8.5")
def test_a_burning_bomber_fights_outside_the_formation(b29: Pack) -> None:
    moment = set_up(b29, OVER.replace("zone=12 alt", "zone=11 alt") + "leg=inbound fire-zone=yes")
    moment.mission.write({"zone": 10})
    assert (moment["fire-zone"], moment["formation"]) == ("now", "out")
    sheet = OVER.replace("zone=12 alt", "zone=11 alt").replace("pressurized=no", "pressurized=yes")
    doomed = set_up(b29, sheet + "leg=inbound fire-zone=yes step=take-off zone.turns=1")
    doomed.fly("altitude: stay\nlog.gazetteer.10: 0\nlog.below.10: sea\n4-2: 3,4")  # and nobody asks about rejoining
    assert (doomed["zone"], doomed["formation"]) == (10, "out")


def test_a_fire_in_a_holed_room_burns_in_thin_air(b29: Pack) -> None:
    """4.2 B, C: such a compartment is open already, so there is nothing to depressurize, and 7-12's modifier
    applies.
    """
    moment = set_up(b29, HIGH + "pressure.waist=compromised", "7-12.fire", compartment="waist")
    moment.fly("fire-man: cfc\n7-12: 3,4 = out")
    assert moment.modifiers("7-12") == [("depressurized", 2)]
    other = set_up(b29, HIGH + "pressure.tail=compromised", "7-12.fire", compartment="waist").fly("")
    assert other.asked == "open-for-fire"


@pytest.mark.section("b29 4.2 C", "b29 4.2 D")
def test_a_holed_room_sends_its_own_men_on_oxygen(b29: Pack) -> None:
    moment = set_up(b29, OVER.replace("pressurized=no", "pressurized=yes") + "windshield.hits=1", "7-1")
    moment.fly("7-1: 4,4\n7-11: 3,3 = none\n4.2D: 6,6\n4.2D.who: 5")  # the tail gunner sits closed in
    assert (moment["pressure.nose"], moment["crew.tail-gunner"]) == ("compromised", "ok")
    assert moment.asked != "4.2D.fate"
    moment.mission.write({"zone": 12, "altitude": "hi"})
    again(moment, "4.2D").fly("4.2D: 6,6\n4.2D.who: 1\n4.2D.nose: 4\n4.2D.fate pilot: 6")
    assert moment["crew.pilot"] == "kia"


@pytest.mark.section("b29 4.2 D")
def test_and_again_each_turn_up_there(b29: Pack) -> None:
    sheet = DAY + "turn=9 zone=8 altitude=hi pressurized=yes formation=out weather=good fuel.wing=18 step=take-off "
    holed = set_up(b29, sheet)
    holed.mission.write({"pressure.tail": "compromised"})
    holed.fly("4.2D: 3,4\naltitude: stay\n4.2D: 3,4\n4-2: 3,4")
    assert holed["zone"] == 9
    empty = set_up(b29, sheet + "crew.tail-gunner=kia seat.left.tail-gunner=yes")
    empty.mission.write({"pressure.tail": "compromised"})
    empty.fly("altitude: stay\n4-2: 3,4")  # nobody breathes there


SHUT = OVER.replace("pressurized=no", "pressurized=yes")
COLD = DAY + (
    "turn=15 zone=11 leg=inbound bombs=dropped altitude=hi weather=good fuel.wing=18 step=take-off pressurized=no "
    "pressurization=lost cold.since=12 formation="
)
HOLED_TAIL = DAY + (
    "turn=15 zone=12 leg=inbound bombs=dropped altitude=hi weather=good fuel.wing=18 step=disperse formation=in "
    "pressurized=yes pressure.tail=compromised cold.tail=12 crew.tail-gunner="
)
JAMMED = HANGING.replace("step=repair", "step=move") + "bombs=dropped gun.aft-lower=jammed"
NO_TAIL_MAN = HANGING.replace("step=repair", "step=pressurize") + "bombs=dropped crew.tail-gunner=kia"
DEAD = (
    SHUT + "crew.navigator=kia crew.engineer=kia crew.radio-operator=serious {} choose=fire-man compartment=nav-radio"
)
FEED = SHUT + "{} gun.aft-lower=jammed choose=repair gun=aft-lower"
IN_WAIST = ",".join(WAIST)
PANES = SHUT + "windshield.hits=1 {}roll=7-1"
IN_NAV_RADIO = SHUT + "pressure.nose={} roll=6.2F area=nav-radio"
SOON_COLD = (
    "turn=9 zone=7 target.zone=12 mission.altitude=med altitude=med leg=outbound formation=in cold.since=5 "
    "mission.time=day step=disperse "
)
SHORT = SHUT + "oxygen.navigator=2 "


@pytest.mark.section("b29 7.3", "b29 4.8 C", "b29 4.2 B", "b29 7.4 A", "b29 7.5", "b29 7-1", "b29 6.2 F")
@moments(
    ("out of the formation for warmth is down to LO", COLD + "in", "", "asked=altitude options=stay,lo"),
    ("and out of it", COLD + "in", "altitude: lo", "altitude=lo formation=out"),
    ("alone she may come down a level", COLD + "out", "", "asked=altitude options=stay,down-to-med,lo"),
    ("a wounded man in the cold is reason enough", HOLED_TAIL + "serious", "", "asked=altitude"),
    ("a dead man is none", HOLED_TAIL + "kia", "", "asked!=altitude"),
    ("for one man she stays with the others among fighters", HOLED_TAIL + "ok", "", "asked=altitude usual=stay"),
    ("alone she comes down for him", HOLED_TAIL.replace("formation=in", "formation=out") + "ok", "", "usual=lo"),
    ("but not before the run, at the briefed altitude",
     HOLED_TAIL.replace("inbound bombs=dropped", "outbound") + "ok formation=out", "", "asked=altitude usual=stay"),
    ("as where no fighters come", HOLED_TAIL.replace("zone=12", "zone=8") + "ok", "", "asked=altitude usual=lo"),
    ("she is opened up to reach Utility", JAMMED, "", "asked=repair options=nobody,open"),
    ("for a gun in it", JAMMED, "repair: open; repair: radar-operator; 5-7.a: 1; 4.2D: 3,4",
     "duty.radar-operator=repair"),
    ("or the Tail", NO_TAIL_MAN, "move: open; move: tail-gunner; who-moves: right-gunner",
     "pressurized=no crew.tail-gunner=ok crew.right-gunner=kia"),
    ("closed up, a man whose oxygen is out needs none", SHORT, "", "oxygen.down=no must-descend=no"),
    ("unless another's room cannot be closed", SHORT + "pressure.tail=compromised", "",
     "oxygen.down=yes must-descend=yes"),
    ("where nobody lives that is nothing", SHORT + "pressure.tail=compromised crew.tail-gunner=kia", "",
     "oxygen.down=no"),
    ("a hit leaves some", SHUT + "oxygen.navigator=1 pressure.tail=compromised", "", "oxygen.down=no"),
    ("without tanks a holed room is enough", SHUT + "oxygen.tanks=2 pressure.waist=compromised", "",
     "oxygen.down=yes must-descend=yes"),
    ("closed, nobody has to close her", SHORT + "crew.engineer=kia", "", "oxygen.down=no"),
    ("open, the engineer can", SHORT + "pressurized=no", "", "oxygen.down=no"),
    ("dead, not", SHORT + "pressurized=no crew.engineer=kia", "", "oxygen.down=yes must-descend=yes"),
    ("nor with a wounded man in Utility", SHORT + "pressurized=no crew.tail-gunner=serious lies.tail-gunner=utility",
     "", "oxygen.down=yes must-descend=yes"),
    ("next to Nav/Radio lie the Nose and the Waist", DEAD.format(""), "", "options=bombardier,copilot," + IN_WAIST),
    ("past a holed tunnel the Nose alone", DEAD.format("tunnel=compromised"), "", "options=bombardier,copilot"),
    ("in an open bomber both", DEAD.format("tunnel=compromised pressurized=no"), "",
     "options=bombardier,copilot," + IN_WAIST),
    ("from closed rooms nobody reaches Utility", FEED.format(""), "", "options=open,nobody"),
    ("from a holed Waist they do", FEED.format("pressure.waist=compromised"), "", "options=open,nobody," + IN_WAIST),
    ("from a holed Tail too", FEED.format("pressure.tail=compromised"), "", "options=open,tail-gunner,nobody"),
    ("from a holed Nose there is no way", FEED.format("pressure.nose=compromised"), "", "options=open,nobody"),
    ("a second hit of the windshield costs the pressure", PANES.format(""), "7-1: 4,4", "waits=7-11 windshield.hits=2"),
    ("gone already it costs no more", PANES.format("pressure.nose=compromised "), "7-1: 4,4",
     "waits!=7-11 windshield.hits=2"),
    ("a burst in Nav/Radio bursts the closed Nose", IN_NAV_RADIO.format("ok"), "", "waits=7-11"),
    ("not an open one", IN_NAV_RADIO.format("compromised"), "", "waits!=7-11"),
    ("without the engineer nobody pressurizes, and Enter descends before frostbite", SOON_COLD + "crew.engineer=kia",
     "", "asked=altitude usual=lo"),
    ("with him it stays", SOON_COLD, "", "asked=altitude usual=stay"),
    ("in the first open turns nobody asks", SOON_COLD + "crew.engineer=kia cold.since=8", "", "asked!=altitude"),
)  # fmt: skip
def test_open_and_closed(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 5.1 B")
def test_closed_this_turn_it_is_not_opened_again(b29: Pack) -> None:
    sheet = HANGING + "bombs=dropped gun.aft-lower=jammed doors.fwd=jammed-open closed.turn=13"
    moment = set_up(b29, sheet + " crew.tail-gunner=kia load.aft=aboard")
    for choice in ("motor", "bay-man", "move"):
        assert "open" not in moment.legal(choice)
    moment.mission.write({"closed.turn": 12})
    for choice in ("motor", "bay-man", "move"):
        assert "open" in moment.legal(choice)


@pytest.mark.section("b29 7.4 A")
def test_a_bomber_in_formation_comes_down_for_it(b29: Pack) -> None:
    sheet = DAY + "turn=11 zone=11 altitude=hi pressurized=yes formation=in weather=good fuel.wing=18 step=disperse "
    moment = set_up(b29, sheet + "oxygen.navigator=2")
    moment.mission.write({"pressure.tail": "compromised"})
    orders = [item.name for item in moment.mission.pending if item.kind == "order"]
    assert "Navigator: no oxygen: descend to LO next turn, pressurize, or take a dead man's place" in orders
    moment.fly("4.2D: 3,4")
    assert (moment["altitude"], moment["formation"], moment["formation.barred"]) == ("lo", "out", "yes")


@pytest.mark.section("b29 4.2 B", "b29 7-3 e", "b29 7-3 f")
def test_from_a_holed_nav_radio_a_man_gets_into_the_bay(b29: Pack) -> None:
    sheet = HANGING + "bombs=dropped doors.fwd=jammed-open pressure.nose=compromised crew.tail-gunner=kia"
    moment = set_up(b29, sheet)
    assert moment.legal("motor-man") == ["engineer", "bombardier", "navigator", "radio-operator", "nobody"]
    assert moment.legal("motor")[0] == "yes"
    assert {"bombardier", "navigator", "engineer", "radio-operator"} < set(moment.legal("bay-man"))
    assert not set(moment.legal("bay-man")) & set(WAIST)


@pytest.mark.section("b29 4.2 D")
def test_holed_and_then_opened_the_men_go_on_oxygen_once(b29: Pack) -> None:
    moment = set_up(b29, HIGH, "7-12.fire", compartment="tail")
    moment.mission.write({"pressure.waist": "compromised"})
    moment.fly("open-for-fire: yes")
    assert moment["pressurized"] == "no"
    assert [item.name for item in moment.mission.pending].count("4.2D") == 1


@pytest.mark.section("b29 7.1", "b29 4.2 C", "b29 8.2")
@pytest.mark.parametrize(("table", "room"), [("7-6", "waist"), ("7-8", "tail")])
def test_only_a_closed_room_bursts(b29: Pack, table: str, room: str) -> None:
    for pressurized, before, after in (("yes", "ok", True), ("no", "ok", False), ("yes", "compromised", False)):
        sheet = OVER.replace("pressurized=no", f"pressurized={pressurized}")
        moment = set_up(b29, sheet + f" pressure.{room}={before}", table).fly(f"{table}: 3,4 = decompression")
        assert moment[f"pressure.{room}"] == "compromised"
        assert ("7-11" in [item.name for item in moment.mission.pending]) is after
