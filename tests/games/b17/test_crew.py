"""The crew: cold, oxygen, pilots, gunners, aces, wounds, and changing places (8.0 to 15.0)."""

from typing import Any

import pytest

from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.members import moved
from companion.play.mission import Mission
from companion.store.session import open_mission
from tests.games.b17.table import BREMEN, HOMEWARD, MEN, NO_GUNS, OVER_BREMEN, OVER_LILLE, at
from tests.support import Prompts, Run, after_step, asked, begin, begun, check, fact, moments, prompted, set_up

HOME = (
    "mission.number=11 target.city=Bremen target.zone=7 squadron=high turn=11 zone=4 zone.turns=1 leg=inbound "
    "bombs=dropped step=lost-2 fought=yes "
)
AT_6 = "fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high slots.fighter=1 "


def shot(pack: Pack, facts: str, gun: str, die: int) -> str:
    """Return the result of one gun's shot at an Me 109 at 6 high."""
    moment = set_up(pack, HOME + AT_6 + facts, "M-1", gun=gun, fighter="1").fly(f"M-1: {die}\n")
    return moment.results[0].outcome


COLD = at(HOMEWARD, "step=aborted heat.pilot=out heat.tail-gunner=out")
THERE = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "fought": "yes", "step": "jettison"}
LOST_PILOTS = "crew.pilot=kia crew.copilot=kia seat.pilot=engineer seat.engineer=pilot"
GOING_ON = "asked=abort options=go-on,abort leg=outbound"
OUTBOUND = HOME.replace("leg=inbound bombs=dropped", "leg=outbound bombs=aboard")
EVADING = HOME + AT_6 + "formation=out evasive=yes wave.formation=out roll=M-3 fighter=1"
CHASED = at(HOMEWARD, "step=wave zone=5 formation=out slots.fighter=1 fighter.1.type=me109 fighter.1.clock=6 "
            "fighter.1.angle=high cover.rolled=yes")  # fmt: skip
LEND = at(HOMEWARD, "step=lost-2 fought=no ammo.tail=23 ammo.top=1 ammo.ball=0")
LEND_2 = at(HOMEWARD, "step=lost-2 fought=no ammo.tail=23 ammo.nose=15")
LENT = "change-places: stay; lend: tail"
NOSE_GUNS = at(
    {name: state for name, state in {**HOMEWARD, **NO_GUNS}.items() if "nose" not in name and "cheek" not in name},
    "step=attack slots.fighter=3 pass=1 " + " ".join(
        f"fighter.{each}.type=me109 fighter.{each}.clock={clock} fighter.{each}.angle=level"
        for each, clock in ((1, "12"), (2, "1:30"), (3, "10:30"))),
)  # fmt: skip


@pytest.mark.section("b17 9.4", "b17 9.1", "b17 15.2 e")
@pytest.mark.section(
    "b17 11.0", "b17 BL-5", "b17 14.2 a", "b17 14.0", "b17 15.1 a", "b17 8.0 d", "b17 8.0 e", "b17 8.0 h"
)
@pytest.mark.section("b17 10.1", "b17 10.2", "b17 13.1 d", "b17 15.0", "b17 15.2 a", "b17 15.2 b", "b17 15.2 c")
@pytest.mark.section("b17 15.2 d", "b17 15.2 f", "b17 8.0 h")
@moments(
    ("one more zone without heat is free", at(COLD, "cold.pilot=0 cold.tail-gunner=0"), "", "zone=3 asked=G-5"),
    ("in the next they come down or freeze", at(COLD, "cold.pilot=1 cold.tail-gunner=1"), "", "zone=3 asked=altitude"),
    ("who sits there is hit",
     HOME + "crew.bombardier=serious seat.bombardier=navigator seat.navigator=bombardier roll=P-1 area=nose",
     "P-1: 3,3; BL-4: 5", "crew.bombardier=serious crew.navigator=serious"),
    ("from 6 an evading bomber is missed with a 3", EVADING, "M-3: 3", "asked!=B-4"),
    ("hit with a 4", EVADING, "M-3: 4", "asked=B-4"), ("and with any 6", EVADING, "M-3: 6", "asked=B-4"),
    ("alone she must turn without a navigator", at(THERE, "formation=out crew.navigator=kia"), "", "leg=inbound"),
    ("in formation she may", {**THERE, "crew.navigator": "kia"}, "", GOING_ON),
    ("alone she must without pilots", at(THERE, "formation=out " + LOST_PILOTS), "", "leg=inbound"),
    ("in formation she may without them", at(THERE, LOST_PILOTS), "", GOING_ON),
    ("with two engines out she must", at(THERE, "engine.1=out engine.3=out"), "", "leg=inbound"),
    ("with one she may", at(THERE, "engine.1=out bombs=jettisoned"), "", GOING_ON),
    ("for credit", at(THERE, "engine.1=out bombs=jettisoned"), "abort: abort", "credit=yes"),
    ("one engine out and the bombs gone she stays", OUTBOUND, "set engine.1=out; one-engine: jettison; end",
     "bombs=jettisoned formation=in turns.double=no"),
    ("with them she is slow and alone", OUTBOUND, "set engine.1=out; one-engine: keep; end",
     "bombs=aboard formation=out turns.double=yes"),
    ("two engines out: no bombs, no formation, low and slow", at(THERE, "step=aborted engine.1=out engine.3=out"), "",
     "bombs=jettisoned formation=out altitude=low turns.double=yes"),
    ("from 6 a 2 hits her",
     HOME + AT_6 + "formation=out engine.1=out engine.2=out altitude=low roll=M-3 fighter=1", "M-3: 2", "asked=B-4"),
    ("alone she may evade", CHASED, "", "asked=evade usual=yes"),
    ("not in formation", {**CHASED, "formation": "in"}, "", "asked!=evade"),
    ("with three engines", {**CHASED, "engine.1": "out"}, "", "asked=evade"),
    ("not with two", at(CHASED, "engine.1=out engine.2=out"), "", "asked!=evade"),
    ("with the cables hit once", {**CHASED, "cables.hits": 1}, "", "asked=evade"),
    ("not twice", {**CHASED, "cables.hits": 2}, "", "asked!=evade"),
    ("at -2 to land", at(CHASED, "flap.controls=out aileron.controls=out"), "", "asked=evade"),
    ("not at -3", at(CHASED, "flap.controls=out aileron.controls=out tail-wheel=out"), "", "asked!=evade"),
    ("as without a wheel", {**CHASED, "gear.port": "out"}, "", "asked!=evade"),
    ("nor after a burst inside", {**CHASED, "bip": "yes"}, "", "asked!=evade"),
    ("in a quiet turn an empty gun is lent bursts", LEND, LENT, "option=top option=ball"),
    ("by no distant gun", LEND, LENT, "option!=nose option!=port-waist option!=radio"),
    ("by twos", LEND, LENT + "; lender: ball", "ammo.tail=21 ammo.ball=2"),
    ("every empty gun may borrow", LEND_2, LENT + "; lender: ball; lender: none", "asked=lend options=none,nose"),
    ("in the same turn", LEND_2, LENT + "; lender: ball; lender: none; lend: nose; lender: radio; lender: none",
     "asked!=lend ammo.tail=21 ammo.nose=13 ammo.radio=2"),
    ("nose gun and one cheek gun fire, never both cheeks", NOSE_GUNS, "aim nose: 1; aim port-cheek: 3",
     "aim.starboard-cheek= asked=M-1"),
)  # fmt: skip
def test_men_and_engines(pack: Pack, sheet: str | dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 11.0", "b17 14.2 a", "b17 BL-5")
@pytest.mark.parametrize(("zones", "asks"), [(0, "G-5"), (1, "altitude")])
def test_a_man_who_moves_into_the_cold_later_has_no_extra_zone(pack: Pack, zones: int, asks: str) -> None:
    lost = {**HOMEWARD, "crew.bombardier": "kia", "heat.bombardier": "out", "cold.bombardier": zones}
    moment = after_step(pack, "lost-2", lost, "crew-move: bombardier\nwho-moves: radio-operator\n")
    free = (
        "Heat is out: no effect in the zone of the hit and the next; then descend to 10,000 feet or roll for frostbite"
    )
    assert [each.name for each in moment.mission.pending if each.kind == "order"] == [free]
    moment.fly("crew-move: nobody\n")
    assert (moment["zone"], moment.asked) == (3, asks)


@pytest.mark.section("b17 11.0", "b17 BL-5", "b17 14.0")
def test_frostbite_or_10_000_feet(pack: Pack) -> None:
    """11.0: 1 to 3 is frostbite, once per zone; there is none at 10,000 feet, but the bomber is out of formation."""
    cold = {**HOMEWARD, "heat.pilot": "out", "heat.tail-gunner": "out", "cold.pilot": 1, "cold.tail-gunner": 1}
    stayed = after_step(pack, "aborted", cold, "altitude: stay\nBL-5 pilot: 4\nBL-5 tail-gunner: 3\n")
    assert [stayed[f"frostbite.{man}"] for man in ("pilot", "tail-gunner")] == ["no", "yes"]
    down = after_step(pack, "aborted", cold)
    down.fly(f"altitude: {next(each for each in down.options if each != 'stay')}\n")
    assert (down["altitude"], down["formation"]) == ("low", "out")
    assert "BL-5" not in [*down.tables, *asked(down.mission)]


@pytest.mark.section("b17 11.0", "b17 14.2 b", "b17 15.1 b", "b17 BL-4 a", "b17 9.3", "b17 M-1 b")
@pytest.mark.parametrize(
    ("facts", "gun", "hits"),
    [
        ("", "tail", 4), ("kills.tail-gunner=4 ", "tail", 4), ("kills.tail-gunner=5 ", "tail", 3),
        ("kills.tail-gunner=5 crew.tail-gunner=light wounds.tail-gunner=1 ", "tail", 4),
        ("kills.tail-gunner=5 frostbite.tail-gunner=yes ", "tail", 6), ("frostbite.tail-gunner=yes ", "tail", 6),
        ("crew.tail-gunner=light wounds.tail-gunner=2 ", "tail", 6),
        ("seat.tail-gunner=radio-operator seat.radio-operator=tail-gunner kills.radio-operator=6 ", "tail", 6),
        ("seat.engineer=ball-gunner seat.ball-gunner=engineer ", "top", 4),
        ("seat.engineer=ball-gunner seat.ball-gunner=engineer kills.ball-gunner=5 ", "top", 3),
        ("seat.engineer=port-waist seat.port-waist=engineer ", "top", 6),
        ("formation=out evasive=yes ", "tail", 6), ("formation=out evasive=yes kills.tail-gunner=5 ", "tail", 5),
    ],
)  # fmt: skip
def test_the_roll_needed_to_hit(pack: Pack, facts: str, gun: str, hits: int) -> None:
    """9.3, 11.0, 14.2 b, 15.1 b, BL-4 a: twin guns at 6 high hit on 4; a handicapped man on 6; an unhurt ace adds 1."""
    assert shot(pack, facts, gun, hits) == "hit"
    assert shot(pack, facts, gun, hits - 1) == "miss"


HURT = at(OVER_LILLE, "step=no-engine-1 fought=yes crew.bombardier=serious")
DONE = {**HOMEWARD, "step": "end"}
MOVES = {**HOMEWARD, "step": "lost-2"}
GONE = at(MOVES, "oxygen.tail-gunner=2 crew.tail-gunner=kia oxygen.copilot=2 crew.copilot=kia oxygen.engineer=2 "
          "crew.engineer=serious oxygen.pilot=2")  # fmt: skip
SHORT = at(HOMEWARD, "step=no-engine-1 target.city=Paris formation=out fought=yes oxygen.engineer=2")


@pytest.mark.section("b17 14.0", "b17 14.1", "b17 12.1", "b17 14.2 d")
@moments(
    ("a move within a compartment costs nothing", HURT,
     "crew-move: bombardier; who-moves: navigator; crew-move: nobody", "man.bombardier=navigator duty.navigator=none"),
    ("both men of an exchange between two fire nothing in the next wave", HURT,
     "crew-move: other; other-move: tail-gunner; who-moves: radio-operator; crew-move: nobody",
     "man.tail-gunner=radio-operator man.radio-operator=tail-gunner duty.radio-operator=moved duty.tail-gunner=moved"),
    ("a man without oxygen brings her down", at(DONE, "oxygen.engineer=2"), "", "must-descend=yes"),
    ("a hit leaves some", at(DONE, "oxygen.engineer=1"), "", "must-descend=no"),
    ("a dead man's outlet serves him", at(DONE, "oxygen.engineer=2 crew.tail-gunner=kia"), "", "must-descend=no"),
    ("that of a pilot too", at(DONE, "oxygen.engineer=2 crew.copilot=kia"), "", "must-descend=no"),
    ("one does not serve two", at(DONE, "oxygen.engineer=2 oxygen.radio-operator=2 crew.tail-gunner=kia"), "",
     "must-descend=yes"),
    ("a pilot cannot leave for the tail", at(DONE, "oxygen.pilot=2 crew.tail-gunner=kia"), "", "must-descend=yes"),
    ("badly wounded he can", at(DONE, "oxygen.pilot=2 crew.pilot=serious crew.tail-gunner=kia"), "", "must-descend=no"),
    ("for the seat beside him too", at(DONE, "oxygen.pilot=2 crew.copilot=kia"), "", "must-descend=no"),
    ("which serves one", at(DONE, "oxygen.pilot=2 oxygen.engineer=2 crew.copilot=kia"), "", "must-descend=yes"),
    ("the dead copilot's place is for the engineer without oxygen", at(MOVES, "oxygen.engineer=2 crew.copilot=kia"),
     "crew-move: copilot", "options=engineer,nobody"),
    ("or the pilot", at(MOVES, "oxygen.pilot=2 crew.copilot=kia"), "crew-move: copilot", "options=pilot,nobody"),
    ("a dead gunner's for all but the pilots, the wounded too",
     at(MOVES, "oxygen.port-waist=2 crew.port-waist=serious crew.navigator=kia"), "crew-move: navigator",
     "options=nobody,bombardier,engineer,radio-operator,ball-gunner,port-waist,starboard-waist,tail-gunner"),
    ("an outlet that is out serves no pilot", GONE, "", "option!=copilot"),
    ("nor a wounded man", GONE, "crew-move: tail-gunner", "option!=engineer"),
    ("want of oxygen asks for a move that helps", {**SHORT, "crew.copilot": "kia"}, "", "asked=crew-move"),
    ("without one for none", SHORT, "", "asked=G-5"),
    ("in a quiet turn neither", {**SHORT, "fought": "no"}, "", "asked=G-5"),
    ("nor at 10,000 feet", at(SHORT, "crew.copilot=kia altitude=low"), "", "asked=O-3"),
)  # fmt: skip
def test_places_and_outlets(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 14.1", "b17 9.0")
def test_a_dead_man_has_not_changed_places(pack: Pack) -> None:
    ahead = {"slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high"}
    dead = {**OVER_LILLE, "fought": "yes", "crew.bombardier": "kia"}
    moment = after_step(pack, "no-engine-1", dead, "crew-move: bombardier\nwho-moves: tail-gunner\ncrew-move: nobody\n")
    assert (moment["duty.tail-gunner"], moment["duty.bombardier"]) == ("moved", "none")
    moment.mission.write({**ahead, "step": "attack", "pass": 1})
    options = moment.mission.options(Pending.of({"choose": "aim", "bind": {"gun": "tail"}}))
    assert [each.text for each in options] == ["nobody at the gun"]


AT_9 = {"slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "9", "fighter.1.angle": "level"}
UNDER_ATTACK = {**OVER_BREMEN, **AT_9, "fought": "yes", "pass": 0}


# -- within a compartment, during an attack (14.1) ---------------------------------------------------------------------


@pytest.mark.section("b17 14.1")
def test_the_waist_gunners_switch_guns_during_an_attack(pack: Pack) -> None:
    """14.1, its own example: the port gunner is dead and a fighter comes from 9; the other moves over and fires now."""
    moment = after_step(pack, "dodge", {**UNDER_ATTACK, "crew.port-waist": "kia"})
    assert moment.asked == "swap"
    assert moment.words == {
        "stay": "no, everyone stays at his gun",
        "port-waist": "another man at the Port waist gun (there now: dead)",
    }
    moment.fly("swap: port-waist\n")
    assert set(moment.options) == {"nobody", "starboard-waist", "ball-gunner"}
    moment.fly("who-swaps: starboard-waist\n")
    assert (moment["man.port-waist"], moment["man.starboard-waist"]) == ("starboard-waist", "port-waist")
    assert moment["duty.starboard-waist"] == "none"
    aims = [item.bind["gun"] for item in moment.mission.pending if item.is_for("choose", "aim")]
    assert "port-waist" in aims
    moment.fly("aim top: hold\naim ball: hold\naim port-waist: 1\nM-1 port-waist: 6\n")
    assert moment.asked == "M-2"


@pytest.mark.section("b17 14.1", "b17 9.3")
@pytest.mark.parametrize(
    ("sheet", "offered"),
    [
        ({}, False),  # two fit men and no better one: nothing to gain
        ({"kills.starboard-waist": 5}, True),  # 9.3, 14.2 b: the ace takes his bonus along
        ({"kills.starboard-waist": 5, "kills.port-waist": 5}, False),
        ({"kills.starboard-waist": 5, "crew.starboard-waist": "light", "wounds.starboard-waist": 1}, False),
        ({"kills.ball-gunner": 5}, False),  # 14.2 b: at a waist gun he is no ace
        ({"crew.port-waist": "serious", "ball.trapped": "yes", "gun.ball": "broken", "crew.starboard-waist": "kia"},
         False),
        ({"crew.port-waist": "kia", "intercom": "out"}, False),  # 14.1: only in safe turns
        ({"crew.port-waist": "kia", "gun.port-waist": "jammed"}, False),
        ({"crew.port-waist": "kia", "fighter.1.clock": "3"}, False),  # nobody there to fire at
    ],
)  # fmt: skip
def test_a_swap_is_offered_where_it_helps(pack: Pack, sheet: dict[str, Any], offered: bool) -> None:
    assert (after_step(pack, "dodge", {**UNDER_ATTACK, **sheet}).asked == "swap") == offered
    assert (after_step(pack, "friends-again", {**UNDER_ATTACK, "pass": 1, **sheet}).asked == "swap") == offered


# -- quiet turns -------------------------------------------------------------------------------------------------------


@pytest.mark.section("b17 14.1")
def test_the_unhurt_may_change_places_in_a_quiet_turn(pack: Pack) -> None:
    """14.1: asked only if a gun is out; otherwise the crew moves only when the player says so."""
    assert after_step(pack, "cover", {**HOMEWARD, "zone": 5}, "B-1: 1\n").asked == "G-5"
    moment = after_step(pack, "cover", {**HOMEWARD, "zone": 5, "gun.top": "jammed"}, "B-1: 1\n")
    assert (moment.asked, moment.words) == ("change-places", {"stay": "no, everyone stays", "move": "yes"})
    moment.fly("change-places: move\nother-move: engineer\nwho-moves: ball-gunner\n")
    assert (moment["man.engineer"], moment["man.ball-gunner"]) == ("ball-gunner", "engineer")
    assert moment["duty.ball-gunner"] == "none"


# -- oxygen (12.1) -----------------------------------------------------------------------------------------------------

NOSE_OUT = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "leg": "inbound", "bombs": "dropped",
            "oxygen.bombardier": 2, "oxygen.navigator": 2,
            "crew.bombardier": "kia", "crew.tail-gunner": "kia"}  # fmt: skip
IN_5 = at(HOMEWARD, "zone=5 step=turn")
ELSEWHERE = at(NOSE_OUT, "step=turn seat.tail-gunner=navigator seat.navigator=ball-gunner seat.ball-gunner=tail-gunner")
LOW = {**HOMEWARD, "zone": 5, "altitude": "low", "formation": "out"}
CLIMBS = at(LOW, "step=turn oxygen.ball-gunner=2 crew.tail-gunner=kia")
SILENT = at(LOW, "intercom=out oxygen.ball-gunner=2 crew.tail-gunner=kia")
TURRET = at(IN_5, "oxygen.engineer=2 crew.ball-gunner=kia gun.ball=broken")


@pytest.mark.section("b17 12.1", "b17 14.2 d", "b17 11.0", "b17 14.1", "b17 P-5 c")
@moments(
    ("who has moved to an outlet that is out looks for another", ELSEWHERE, "",
     "asked=outlet options=ball-gunner,stay"),
    ("or brings the bomber down", ELSEWHERE, "outlet: stay", "altitude=low formation=out"),
    ("or breathes in another dead man's place", ELSEWHERE, "outlet: ball-gunner",
     "man.ball-gunner=ball-gunner oxygen.short=0 altitude=high"),
    ("without intercom nobody moves to one in a zone that was fought in",
     at(IN_5, "oxygen.engineer=2 crew.tail-gunner=kia fought=yes intercom=out"), "", "altitude=low zone=4"),
    ("a pilot stays in the cockpit", at(IN_5, "oxygen.pilot=2 crew.tail-gunner=kia"), "", "altitude=low zone=4"),
    ("one hit leaves the outlet working", at(IN_5, "oxygen.engineer=1 crew.tail-gunner=kia"), "",
     "altitude=high zone=4"),
    ("nobody climbs in the turn that brought the bomber down", at(IN_5, "oxygen.engineer=2 crew.tail-gunner=kia"),
     "outlet: stay", "altitude=low asked=G-5"),
    ("who climbs again is asked for an outlet at once", CLIMBS, "climb: climb", "asked=outlet"),
    ("breathes there", CLIMBS, "climb: climb; outlet: tail-gunner",
     "seat.tail-gunner=ball-gunner altitude=high asked=G-5"),
    ("and fires nothing in the next wave", CLIMBS, "climb: climb; outlet: tail-gunner", "duty.ball-gunner=moved"),
    ("or comes down again", CLIMBS, "climb: climb; outlet: stay", "seat.tail-gunner=none altitude=low asked=G-5"),
    ("who came down for oxygen may climb into the cold",
     at(LOW, "step=turn oxygen.ball-gunner=2 crew.ball-gunner=kia heat.radio-operator=out"), "climb: climb",
     "altitude=high formation=out"),
    ("who came down for warmth is not asked",
     at(LOW, "step=turn oxygen.ball-gunner=1 crew.ball-gunner=kia heat.radio-operator=out"), "", "asked=G-5"),
    ("nor at once, where an outlet was gone before",
     at(IN_5, "oxygen.tail-gunner=2 crew.tail-gunner=kia heat.radio-operator=out cold.radio-operator=1"),
     "altitude: descend", "altitude=low asked=G-5"),
    ("without intercom there is no climb before the move", {**SILENT, "step": "turn"}, "", "asked=G-5"),
    ("which waits for a quiet turn", {**SILENT, "step": "more-waves"}, "crew-move: tail-gunner; who-moves: ball-gunner",
     "oxygen.short=0 altitude=low"),
    ("then she may climb", at(SILENT, "step=turn seat.tail-gunner=ball-gunner seat.ball-gunner=tail-gunner"), "",
     "asked=climb"),
    ("nobody breathes in a jammed turret", {**TURRET, "ball.trapped": "yes"}, "", "altitude=low"),
    ("in a turret that still turns they do", {**TURRET, "ball.trapped": "no"}, "", "altitude=high asked=outlet"),
)  # fmt: skip
def test_outlets_of_the_dead(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 12.1")
def test_the_order_remains_as_long_as_somebody_has_no_oxygen(pack: Pack) -> None:
    moment = after_step(pack, "lost-2", {**NOSE_OUT, "seat.tail-gunner": "navigator", "seat.navigator": "tail-gunner"},
                        "crew-move: navigator\nwho-moves: ball-gunner\n")  # fmt: skip
    assert any("oxygen" in str(each) for each in asked(moment.mission))
    moment.fly("crew-move: ball-gunner\nwho-moves: ball-gunner\n")
    assert not any("oxygen" in str(each) for each in asked(moment.mission) if "place" in str(each))


@pytest.mark.section("b17 12.1", "b17 P-5 c")
def test_no_outlet_serves_the_man_in_the_jammed_turret(pack: Pack) -> None:
    trapped = {"oxygen.ball-gunner": 2, "ball.trapped": "yes", "crew.tail-gunner": "kia"}
    assert after_step(pack, "turn", {**LOW, **trapped}).asked == "G-5"
    mission = begun(pack, {**HOMEWARD, "zone": 5, **trapped})
    orders = [str(each) for each in mission.pending]
    assert any("10,000 feet from the next turn on" in each for each in orders)
    assert not any("dead man's place" in each for each in orders)


COLD_NOSE = {**HOMEWARD, "zone": 5, "crew.bombardier": "kia", "heat.bombardier": "out"}
COLD_TURN = {**COLD_NOSE, "step": "turn"}
LYING = at(COLD_NOSE, "step=lost-2 formation=out oxygen.engineer=2 crew.engineer=serious")
BESIDE_THE_PILOT = at(IN_5, "crew.copilot=kia crew.tail-gunner=kia seat.copilot=navigator seat.navigator=copilot "
                      "oxygen.navigator=2 oxygen.copilot=2")  # fmt: skip
COPILOT = at(IN_5, "oxygen.copilot=2 crew.copilot=serious crew.tail-gunner=kia")
COLD_PILOT = at(HOMEWARD, "zone=5 step=lost-2 crew.pilot=serious heat.pilot=out heat.ball-gunner=out")
HURT_LATE = at(HOMEWARD, "step=lost-2 crew.bombardier=serious oxygen.radio-operator=2 heat.port-waist=out")


@pytest.mark.section("b17 14.0", "b17 12.1", "b17 14.2 c", "b17 14.2 d")
@moments(
    ("no badly wounded man is carried into the cold", at(COLD_TURN, "oxygen.engineer=2 crew.engineer=serious"), "",
     "asked!=outlet altitude=low zone=4"),
    ("a pilot neither", at(COLD_TURN, "oxygen.pilot=2 crew.pilot=serious"), "", "asked!=outlet altitude=low zone=4"),
    ("he is where there is heat", at(COLD_TURN, "oxygen.engineer=2 crew.engineer=serious heat.bombardier=ok"),
     "outlet: bombardier", "altitude=high zone=4"),
    ("who can stand bears the cold", at(COLD_TURN, "oxygen.engineer=2"), "outlet: bombardier", "altitude=high zone=4"),
    ("nor is he moved there by hand", at(LYING, "heat.bombardier=out"), "crew-move: bombardier", "option!=engineer"),
    ("where it is warm he is", at(LYING, "heat.bombardier=ok"), "crew-move: bombardier", "option=engineer"),
    ("as everywhere at 10,000 feet", at(LYING, "altitude=low"), "crew-move: bombardier", "option=engineer"),
    ("a wounded copilot who cannot breathe", COPILOT, "", "asked=outlet options=tail-gunner,stay"),
    ("is laid elsewhere", COPILOT, "outlet: tail-gunner", "man.tail-gunner=copilot oxygen.short=0 altitude=high"),
    ("who only breathes beside the pilot", BESIDE_THE_PILOT, "", "asked=outlet options=tail-gunner,stay"),
    ("goes on to another outlet", BESIDE_THE_PILOT, "outlet: tail-gunner",
     "man.tail-gunner=navigator oxygen.short=0 altitude=high"),
    ("nor need he stay beside a gunner who flies",
     at(BESIDE_THE_PILOT, "crew.pilot=kia crew.engineer=kia seat.pilot=radio-operator seat.radio-operator=pilot"), "",
     "asked=outlet options=engineer,radio-operator,tail-gunner,stay flies.radio-operator=yes flies.navigator=no"),
    ("a badly wounded pilot in the cold changes with a man who sits warm", COLD_PILOT, "crew-move: pilot",
     "options=nobody,bombardier,navigator,engineer,radio-operator,port-waist,starboard-waist,tail-gunner"),
    ("who does not fly", COLD_PILOT, "crew-move: pilot; who-moves: navigator",
     "man.navigator=pilot pilots=ok flies.navigator=no"),
    ("where it is warm he stays", {**COLD_PILOT, "heat.pilot": "ok"}, "", "asked=G-5"),
    ("of two outlets the warm one is the wounded man's",
     at(COLD_TURN, "crew.tail-gunner=kia oxygen.engineer=2 oxygen.copilot=2 crew.copilot=serious"),
     "outlet copilot: tail-gunner; outlet engineer: bombardier", "oxygen.short=0 altitude=high"),
    ("whoever sits without oxygen or heat cannot give a wounded man their place", HURT_LATE, "crew-move: bombardier",
     "option!=radio-operator option!=port-waist option=navigator option=starboard-waist"),
    ("at 10,000 feet they can", at(HURT_LATE, "altitude=low formation=out"), "crew-move: bombardier",
     "option=radio-operator option=port-waist"),
)  # fmt: skip
def test_the_room_of_a_wounded_man(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 14.0", "b17 14.1")
@pytest.mark.parametrize("man", ["radio-operator", "pilot"])
def test_a_badly_wounded_man_in_the_cold_is_carried_to_a_dead_mans_place(pack: Pack, man: str) -> None:
    cold = {**HOMEWARD, "zone": 5, f"crew.{man}": "serious", f"heat.{man}": "out", "crew.tail-gunner": "kia"}
    moment = after_step(pack, "lost-2", {**cold, "gun.tail": "broken"})
    assert moment.asked == "crew-move"
    moment.fly("crew-move: tail-gunner\n")
    assert moment.words[man].endswith("seriously wounded, carried to a warm place")
    moment.fly(f"who-moves: {man}\n")
    assert (moment["man.tail-gunner"], moment["heat.lost"], moment[f"duty.{man}"]) == (man, 0, "none")
    warm = after_step(pack, "lost-2", {**cold, f"heat.{man}": "ok"}, "crew-move: tail-gunner\n")
    assert man not in warm.options
    both = after_step(pack, "lost-2", {**cold, "heat.tail-gunner": "out"}, "crew-move: tail-gunner\n")
    assert man not in both.options


# -- before the fighters of a zone have flown (14.1) -------------------------------------------------------------------


def on_a_new_turn(pack: Pack, **facts: Any) -> Prompts:
    """Return a flight at the prompts, on the way home, at the start of a turn."""
    mission = Mission(pack, number=12)
    mission.write({**HOMEWARD, "mission.number": 12, "step": "new-turn", **facts})
    return Prompts(mission)


@pytest.mark.section("b17 14.1")
@pytest.mark.parametrize("before", range(4))
def test_a_man_who_moves_before_the_first_attack_does_not_fire_in_that_zone(pack: Pack, before: int) -> None:
    """14.1: no fire after a move in a zone where the bomber is attacked, if made before G-5, B-1, B-3 and M-4."""
    player = on_a_new_turn(pack)
    dice = ["1", "6", "11", "1"]  # poor cover, a wave, a Me 109 at 6 high, nobody driven off
    player.type(*dice[:before])
    player.type("move engineer to tail gunner", "")
    assert (player.mission.state["duty.engineer"], player.mission.state["duty.tail-gunner"]) == ("moved", "moved")
    shown = " ".join(player.type(*dice[before:]).split())
    assert "The Engineer has just changed places (14.1): tail" in shown
    assert "The Tail gunner has just changed places (14.1): top" in shown


@pytest.mark.section("b17 14.1")
def test_a_man_who_moves_between_two_attacks_misses_the_next_wave(pack: Pack) -> None:
    """14.1: until both the initial and the successive attacks of one wave are over; the wave of the move had already
    started.
    """
    guns = {name: state for name, state in NO_GUNS.items() if name != "gun.tail"}
    sheet = {**UNDER_ATTACK, **guns, "pass": 1, "fighter.1.hit": "yes", "waves.left": 3}
    moment = after_step(pack, "leave", sheet)  # it has hit, and comes again
    assert moment.asked == "B-6"
    moved(moment.mission, "engineer", "tail gunner")
    moment.mission.write({"fighter.1.type": "none"})
    moment.mission.pending = []
    moment.fly("B-3: 1,1\n")  # the next wave: from 6 high
    assert fact(moment.mission, "hold.why", gun="tail") == "the Engineer has just changed places (14.1)"
    moment.fly("M-3: 1\n")
    assert (moment["wave"], moment["duty.engineer"]) == (3, "none")


@pytest.mark.section("b17 14.1")
@pytest.mark.parametrize("intercom", ["ok", "out"])
def test_nor_a_man_who_moves_as_an_engine_stops_on_entering_a_zone(pack: Pack, intercom: str) -> None:
    dry = {"oil.leak.3": "yes", "oil.3": 0, "leg": "outbound", "bombs": "aboard", "intercom": intercom}
    player = on_a_new_turn(pack, **dry)
    assert ("Without the intercom" in player.type("move engineer to tail gunner", "")) == (intercom == "out")
    duties = {player.mission.state.get(f"duty.{man}") for man in ("engineer", "tail-gunner")}
    assert duties == ({"moved"} if intercom == "ok" else {None})


@pytest.mark.section("b17 14.2 a", "b17 6.4 d", "b17 11.0")
@pytest.mark.parametrize(
    ("step", "sheet", "dice", "die", "hurt"),
    [
        ("homeward", OVER_BREMEN, "O-2: 2\nO-3: 1,1\nO-3: 3,4\nO-3: 3,4\nO-4: 3,4\nO-5: 4,6\nP-1: 2,3\n", "6", "kia"),
        ("warmth", {**HOMEWARD, "moved": "yes", "heat.navigator": "out", "cold.navigator": 2}, "", "1", "ok"),
    ],
)
def test_no_man_moves_before_his_die(
    pack: Pack, step: str, sheet: dict[str, Any], dice: str, die: str, hurt: str
) -> None:
    """14.2 a, 11.0: the shell hits whoever sits there, and frost whoever has been in the cold; men move afterward."""
    moment = after_step(pack, step, {**sheet, "formation": "in", "mission.number": 12}, dice)
    player = Prompts(moment.mission)
    assert f"Navigator: BL-{4 if dice else 5} comes first" in player.type("move ball gunner to navigator")
    player.type(die)
    assert (fact(moment.mission, "crew.navigator"), fact(moment.mission, "crew.ball-gunner")) == (hurt, "ok")
    assert (fact(moment.mission, "frostbite.navigator") == "yes") == (hurt == "ok")
    player.type("move ball gunner to navigator")
    assert fact(moment.mission, "man.navigator") == "ball-gunner"


@pytest.mark.section("b17 14.2 a", "b17 6.4 d")
def test_nor_before_it_is_known_whom_the_shell_hits(pack: Pack) -> None:
    dice = "O-2: 2\nO-3: 1,1\nO-3: 3,4\nO-3: 3,4\nO-4: 3,4\nO-5: 4,6\n"
    moment = after_step(pack, "homeward", {**OVER_BREMEN, "formation": "in", "mission.number": 12}, dice)
    assert "What strikes us comes first (14.1)" in Prompts(moment.mission).type("move ball gunner to navigator")


@pytest.mark.section("b17 14.1")
@pytest.mark.parametrize("dice", [("1", "1"), ("6", "6", "11", "6")])  # no wave; all driven off
def test_a_move_is_free_once_nobody_attacks(pack: Pack, dice: tuple[str, ...]) -> None:
    player = on_a_new_turn(pack)
    player.type("move engineer to tail gunner", "")
    player.type(*dice)
    assert "moved" not in {player.mission.state.get(f"duty.{man}") for man in MEN}


@pytest.mark.section("b17 14.1")
@pytest.mark.parametrize("before", range(4))
def test_without_intercom_nobody_moves_before_it_is_known_that_none_attack(pack: Pack, before: int) -> None:
    player = on_a_new_turn(pack, intercom="out")
    player.type(*["1", "6", "11", "1"][:before])
    assert "Without the intercom" in player.type("move engineer to tail gunner")
    assert "seat.tail-gunner" not in player.mission.state


@pytest.mark.section("b17 14.0", "b17 14.1")
def test_a_move_typed_at_the_question_about_a_position_answers_it(pack: Pack) -> None:
    mission = Mission(pack, number=12)
    mission.write({**HOMEWARD, "zone": 5, "formation": "in", "step": "lost-2", "crew.navigator": "serious"})
    player = prompted(mission, "4")
    assert "The Starboard waist gunner gets his" in player.type("move starboard waist to navigator")
    assert "The Starboard waist gunner and the Ball gunner change places" in player.type("7")
    sits = {place: fact(mission, f"man.{place}") for place in MEN}
    assert {place: man for place, man in sits.items() if place != man} == {
        "navigator": "ball-gunner", "ball-gunner": "starboard-waist", "starboard-waist": "navigator",
    }  # fmt: skip


@pytest.mark.section("b17 14.1")
def test_the_question_whose_place_is_to_be_filled_comes_once_after_typed_moves(pack: Pack) -> None:
    mission = Mission(pack, number=12)
    hurt = {"crew.bombardier": "serious", "crew.tail-gunner": "serious"}
    mission.write({**HOMEWARD, "zone": 5, "formation": "in", "step": "lost-2", **hurt})
    player = prompted(mission, "move radio operator to engineer")
    assert asked(mission) == ["crew-move"]
    player.type("move port waist to bombardier")
    assert asked(mission) == ["crew-move"]
    player.type("0")
    assert "crew-move" not in asked(mission)


def test_a_typed_move_is_taken_back_as_a_whole(companion: Run) -> None:
    """Seat and man were typed on one line: undo removes both, even after a break."""
    begin(companion, "b17", "mission.number=12")
    with open_mission(record=True) as session:
        session.mission.write({"zone": 3, "turn": 3})
        moved(session.mission, "radio operator", "engineer")
    assert companion("status", "--json").json["facts"]["seat.engineer"] == "radio-operator"
    companion("undo")
    back = companion("status", "--json").json
    assert (back["facts"].get("seat.engineer", "none"), back["pending"]) == ("none", [])
    companion("redo")
    assert companion("status", "--json").json["facts"]["seat.engineer"] == "radio-operator"


@pytest.mark.section("b17 12.1", "b17 14.1")
def test_moving_a_man_to_oxygen_at_the_question_keeps_the_altitude(pack: Pack) -> None:
    mission = Mission(pack, number=12)
    mission.write({**LOW, "step": "turn", "oxygen.ball-gunner": 2, "crew.tail-gunner": "kia"})
    assert "he has found one already" in prompted(mission, "climb").type("move ball gunner to tail gunner")
    assert (mission.state["altitude"], fact(mission, "oxygen.short")) == ("high", 0)


def test_a_seat_that_the_rules_fill_again_is_told(companion: Run) -> None:
    """Two men have changed places; while one sits in the other's place, his own cannot be empty."""
    begin(companion, "b17", "seat.copilot=navigator", "seat.navigator=copilot")
    shown = companion("set", "seat.copilot=none").out
    assert "the rules set it to Navigator" in shown and "No change" not in shown
