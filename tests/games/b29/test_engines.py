"""Wings, gear, engines and tanks, up to the loss of the bomber."""

import pytest

from companion.packs import Pack
from tests.games.b29.table import DAY, HOME, NIGHT, NO_ENGINE, OVER, RUN
from tests.support import after_step, again, check, moments, set_up


@pytest.mark.section("b29 7.1")
def test_a_gear_that_is_out_is_not_asked_about_again(b29: Pack) -> None:
    moment = set_up(b29, OVER, "7-5", area="port-wing").fly("7-5: 6,6\n7-5.landing-gear: 3\n7-5.n: = not-lowered")
    again(moment, "7-5", area="port-wing").fly("7-5: 6,6\n7-5.landing-gear: 4")
    assert moment.asked != "7-5.n"
    again(moment, "7-5", area="starboard-wing").fly("7-5: 6,6\n7-5.landing-gear: 4\n7-5.n: = not-lowered")


@pytest.mark.section("b29 6-9")
@pytest.mark.parametrize(("dice", "roots", "more"), [("4,4", 1, ""), ("5,4", 1, "6-9.crew"), ("6,6", 2, "6-9.crew")])
def test_turbulence_on_the_wing_roots_asks_what_they_do(b29: Pack, dice: str, roots: int, more: str) -> None:
    moment = set_up(b29, OVER, "6-9")
    righted = "6-9.flipped: 5\n" if dice == "6,6" else ""
    moment.fly(f"6-9: {dice}\n{righted}7-5.a port-wing: = as-printed\n7-5.a starboard-wing: = as-printed")
    assert (moment["wing-root.port"], moment["wing-root.starboard"]) == (roots, roots)
    if more:
        assert moment.asked == more


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
BEFORE = OVER.replace("zone=12 alt", "zone=11 alt")


@pytest.mark.section("b29 4.3 A", "b29 4.8 D", "b29 7-4 g", "b29 7.2 one", "b29 6.2 F")
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
