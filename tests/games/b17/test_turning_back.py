"""Turning back: when it is allowed, when it is required, and whether the mission counts (8.0, 10.0, 13.2, 19.2)."""

from typing import Any

import pytest

from companion.cli.flyer import help_of
from companion.packs import Pack
from tests.games.b17.table import BREMEN, LILLE, MEN, OVER_BREMEN, at
from tests.support import Moment, Prompts, after_step, check, moments

ST_OMER = {**LILLE, "mission.number": 12, "target.city": "St. Omer", "target.type": "airfield", "target.zone": 2}
OVER_ST_OMER = {**ST_OMER, "turn": 2, "zone": 2, "zone.turns": 1, "wave": 1, "moved": "yes"}
QUIET = "B-2: 1\nB-3: 3,6\nchange-places: stay\nabort: go-on\n"
BURST_IN_THE_NOSE = "O-2: 4\nO-3: 1,1\nO-3: 2,2\nO-3: 2,2\nO-4: 1,1\nO-5: 4,6\n"
ROWS_OF_THE_NOSE = "P-1.armament: 1\nP-1.equipment: 1\nP-1.heat: 1\nP-1.oxygen: 1\n"


def said(moment: Moment) -> list[str]:
    """Return the notes of the steps and the standing rules."""
    return [text for each in moment.results for text, _ in each.notes]


@pytest.mark.section("b17 8.0 d", "b17 19.2 d", "b17 5.2 d")
def test_a_navigator_lost_to_flak_turns_the_bomber_before_the_run(pack: Pack) -> None:
    moment = after_step(pack, "cover", OVER_ST_OMER, QUIET + BURST_IN_THE_NOSE + ROWS_OF_THE_NOSE)
    assert (moment["crew.navigator"], moment["formation"], moment["bombs"]) == ("kia", "out", "aboard")
    assert (moment["aborted"], moment["credit"], moment["leg"]) == ("yes", "no", "inbound")
    assert "O-6" not in moment.tables
    assert any("the navigator is lost (8.0 d)" in each and "Counts toward the 25: no" in each for each in said(moment))


ENGINE = at(OVER_ST_OMER, "engine.3=out fought=yes")
FOUGHT = at(OVER_ST_OMER, "step=must-turn fought=yes")
LOW = {**BREMEN, "target.city": "Paris", "target.zone": 5, "turn": 4, "zone": 4, "zone.turns": 2, "fought": "yes",
       "altitude": "low", "formation": "out", "bombs": "aboard", "not-fighters.formation": 1,
     "step": "lend"}  # fmt: skip
FLAK = "O-3: 1,1; O-3: 3,4; O-4: 1,2; O-5: 1,3; P-4: 1,2; jettison: no; abort: abort"
EVENT = at(BREMEN, "step=cover turn=5 zone=5 zone.turns=1 random-events=on bombs=jettisoned")
CHANCE = "B-1: 5; B-3: 6,6; B-7: 1,1; B-7.a: 1,1; BL-1.c: 1; change-places: stay"
LEAKING = {**BREMEN, "target.city": "Paris", "target.zone": 5, "turn": 4, "zone": 4, "zone.turns": 1,
           "fought": "yes", "fuel.short": "yes", "tank.inboard.port": "leaking"}  # fmt: skip
ALONE = {"formation": "out", "not-fighters.formation": 1, "not-fighters.engine": 1, "bombs": "jettisoned"}
DIVED = at(BREMEN, "step=end turn=4 zone=4 formation=out not-fighters.formation=1")
WRITTEN = at(LEAKING, "step=jettison tank.inboard.port=ok fuel.turns=5")


@pytest.mark.section("b17 8.0", "b17 8.0 d", "b17 8.0 f", "b17 10.1", "b17 13.2 b", "b17 13.1 d", "b17 P-3 5")
@pytest.mark.section("b17 18.0 a", "b17 18.0 g", "b17 errata 16")
@moments(
    ("a navigator lost to fighters turns a bomber alone, and it counts",
     at(OVER_ST_OMER, "step=next-wave formation=out crew.navigator=serious zone.turns=2 fought=yes"), "jettison: no",
     "aborted=yes credit=yes leg=inbound"),
    ("an engine lost over the target: without a run the bombs are asked about", {**ENGINE, "step": "jettison"},
     "abort: abort", "asked=one-engine formation=in leg=inbound"),
    ("they go", {**ENGINE, "step": "jettison"}, "abort: abort; one-engine: jettison",
     "bombs=jettisoned formation=in asked=B-2"),
    ("or she drops out before fighters come again", {**ENGINE, "step": "jettison"}, "abort: abort; one-engine: keep",
     "bombs=aboard formation=out asked=B-2"),
    ("behind jammed doors they cost the formation", at(ENGINE, "step=jettison bay-doors=out"), "abort: go-on; O-2: 1",
     "bombs=aboard formation=out asked=B-2"),
    ("dropped on the target they do not", {**ENGINE, "step": "must-turn"}, "O-6: 6; O-7: 6,3",
     "bombs=dropped formation=in asked=B-2"),
    ("who is out of formation may turn before the run", {**FOUGHT, "formation": "out"}, "",
     "asked=abort leg=outbound bombs=aboard"),
    ("so close she flies it", {**FOUGHT, "formation": "out"}, "", "asked=abort usual=go-on"),
    ("or fly it", {**FOUGHT, "formation": "out"}, "abort: go-on", "asked=O-6 leg=outbound bombs=aboard"),
    ("or go home", {**FOUGHT, "formation": "out"}, "abort: abort; jettison: no", "asked=B-2 leg=inbound bombs=aboard"),
    ("in formation nobody asks", {**FOUGHT, "formation": "in"}, "", "asked=O-6 leg=outbound bombs=aboard"),
    ("what low flak does gives no credit", LOW, FLAK, "intercom=out leg=inbound credit=no"),
    ("what fighters did before it does: an engine", {**LOW, "engine.2": "out"}, FLAK, "leg=inbound credit=yes"),
    ("a bombardier", {**LOW, "crew.bombardier": "serious"}, FLAK, "leg=inbound credit=yes"),
    ("the formation", {**LOW, "not-fighters.formation": 0}, FLAK, "leg=inbound credit=yes"),
    ("an engine that fails by chance gives no credit", EVENT, CHANCE + "; abort: abort",
     "engine.1=out leg=inbound credit=no"),
    ("one that fighters stopped does", {**EVENT, "engine.3": "out"}, CHANCE, "engine.1=out leg=inbound credit=yes"),
    ("a formation lost by chance is no ground", DIVED, "", "grounds=no"),
    ("found again it can be lost to fighters", DIVED, "set formation=in; set formation=out", "grounds=yes"),
    ("fuel written by hand counts as that of a tank that was hit", WRITTEN, "",
     "asked=abort grounds=yes fuel.enough=no"),
    ("for the abort too", WRITTEN, "abort: abort", "leg=inbound credit=yes"),
    ("a tank that flak has hit counts", {**LEAKING, **ALONE, "step": "lend", "zone.turns": 2, "altitude": "low",
                                         "fuel.short": "no", "tank.inboard.port": "ok"},
     "O-3: 1,1; O-3: 3,4; O-4: 1,2; O-5: 1,2; BL-1: 4,6; BL-1.fuel-tank: 1; BL-1.tank: 3; BL-1.g: 1; abort: abort",
     "tank.outboard.port=leaking leg=inbound credit=yes"),
)  # fmt: skip
def test_turning_for_home(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 5.2 d", "b17 P-3 5", "b17 10.1")
@pytest.mark.parametrize(
    ("facts", "why"),
    [({"bay-doors": "out"}, "The bay doors do not open: no bomb run"),
     ({"bombs": "jettisoned"}, "The bombs are gone: no bomb run")],
)  # fmt: skip
def test_a_run_that_cannot_be_says_why(pack: Pack, facts: dict[str, Any], why: str) -> None:
    moment = after_step(pack, "homeward", {**OVER_ST_OMER, **facts}, "O-2: 1\n")
    assert why in said(moment)
    assert (moment["aborted"], moment["credit"], moment["leg"]) == ("no", "none", "inbound")


# -- the turns that a slowed bomber spends (2.2, errata 17) ------------------------------------------------------------


@pytest.mark.section("b17 8.0 f", "b17 13.2 b", "b17 18.0 g", "b17 errata 16")
@pytest.mark.parametrize(
    ("before", "after"),
    [({}, {"formation": "out", "formation.return": 2, "bombs": "jettisoned"}),
     ({"formation": "out", "formation.return": 1, "bombs": "jettisoned"}, {"bombs": "jettisoned", "cables.hits": 1}),
     ({"heat.navigator": "out"},
      {"tank.outboard.port": "leaking", "fuel.turns": 3, "fuel.short": "yes", "heat.navigator": "out"})],
)  # fmt: skip
def test_one_trouble_does_not_hide_another(pack: Pack, before: dict[str, Any], after: dict[str, Any]) -> None:
    there = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "fought": "yes", "intercom": "out"}
    moment = after_step(pack, "jettison", {**there, **before}, "abort: go-on\n")
    refused = moment["abort.answered"]
    assert after_step(pack, "jettison", {**there, **before, "abort.answered": refused}).asked != "abort"
    assert after_step(pack, "jettison", {**there, **after, "abort.answered": refused}).asked == "abort"


@pytest.mark.section("b17 errata 16", "b17 2.2", "b17 BL-1 c", "b17 10.1", "b17 P-1 b")
@pytest.mark.parametrize(
    ("slowed", "turns"),
    [
        ({}, 6),  # zone 5, the turn round, zones 4 to 1
        ({"engine.1": "out", "prop.1": "drag", **ALONE}, 11),  # zone 4 again, 5, the turn round, 4 to 2, each twice
        ({"engine.1": "out", "prop.1": "drag", **ALONE, "zone.turns": 2}, 10),
        ({"engine.1": "out", **ALONE, "bombs": "aboard"}, 8),  # at half speed until the run
        ({"navigator-equipment": "out", **ALONE}, 8),  # zones 5 and 3 twice
    ],
)
def test_a_slow_bomber_needs_more_fuel(pack: Pack, slowed: dict[str, Any], turns: int) -> None:
    """Errata 16, 2.2: enough fuel to bomb and return at the current speed, two turns per zone where it is slowed."""
    there = {**LEAKING, **slowed}
    enough = [after_step(pack, "jettison", {**there, "fuel.turns": each})["fuel.enough"] for each in (turns - 1, turns)]
    assert enough == ["no", "yes"]


# -- an empty cockpit (14.2 c) -----------------------------------------------------------------------------------------


HIT = "M-3: 6; B-4: 3,4; B-5: 3,4; P-2: 1,2; BL-4 pilot: 6; BL-4 copilot: 6"
ATTACKED = at(OVER_BREMEN, "step=fire bombs=dropped leg=inbound turning=yes fought=yes pass=1 slots.fighter=1 "
              "fighter.1.type=me109 fighter.1.clock=12 fighter.1.angle=high")  # fmt: skip
ALONE_THERE = at(ATTACKED, "crew.engineer=serious ball.trapped=yes crew.port-waist=kia")
BREATHES = at(ATTACKED, "oxygen.navigator=2 seat.pilot=navigator seat.navigator=pilot crew.pilot=kia")
COPILOT_HIT = "M-3: 6; B-4: 3,4; B-5: 3,4; P-2: 2,3; BL-4 copilot: 6"
LATER = at(BREMEN, "step=turn turn=4 zone=4 leg=inbound")
DRAGS = at(OVER_BREMEN, "formation=out engine.1=out prop.1=drag bombs=jettisoned moved=yes")
SLOW = at(OVER_BREMEN, "step=waves formation=out navigator-equipment=out navigator.slow=yes")


@pytest.mark.section("b17 14.2 c", "b17 12.1", "b17 P-5 c", "b17 2.2", "b17 errata 17", "b17 BL-1 c", "b17 P-1 b")
@moments(
    ("the engineer takes over before anything else", ATTACKED, HIT,
     "man.pilot=engineer man.engineer=pilot duty.engineer=none rolled=takes-over asked=B-6"),
    ("without him anyone who can", ALONE_THERE, HIT,
     "asked=takes-over options=bombardier,navigator,radio-operator,starboard-waist,tail-gunner"),
    ("flies her", {**ALONE_THERE, "crew.engineer": "kia"}, HIT + "; takes-over: navigator",
     "man.pilot=navigator flies.navigator=yes cockpit-empty=no"),
    ("a lost pilot is replaced",
     at(ATTACKED, "crew.pilot=kia crew.copilot=kia seat.pilot=engineer seat.engineer=pilot"),
     "M-3: 6; B-4: 3,4; B-5: 3,4; P-2: 1,3; BL-4 pilot: 6", "crew.engineer=kia asked=takes-over"),
    ("the engineer flies before a man who breathes in the pilot's seat", BREATHES, COPILOT_HIT,
     "flies.engineer=yes flies.navigator=no oxygen.short=0"),
    ("who flies where the engineer is lost", {**BREATHES, "crew.engineer": "serious"}, COPILOT_HIT,
     "flies.navigator=yes rolled!=takes-over"),
    ("a cockpit found empty is filled at the next turn", at(LATER, "crew.pilot=kia crew.copilot=serious"), "",
     "man.pilot=engineer may-evade=no turn=5"),
    ("a man caught in the ball flies nothing",
     at(LATER, "ball.trapped=yes " + " ".join(f"crew.{man}=serious" for man in MEN if man != "ball-gunner")), "",
     "cockpit-empty=yes asked=nobody-flies"),
    ("a windmilling propeller costs a second turn", {**DRAGS, "step": "weather"}, "", "must-stay=yes"),
    ("but none after turning", at(DRAGS, "step=bomb-run zone.turns=2 bombs=dropped"), "B-2: 1",
     "turning=yes zone.turns=1 must-stay=no"),
    ("so does a lost navigator", SLOW, "", "must-stay=yes"),
    ("and none after turning either", at(SLOW, "leg=inbound turning=yes"), "", "must-stay=no"),
)  # fmt: skip
def test_an_empty_cockpit_and_a_slowed_turn(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 8.0")
def test_she_may_turn_for_home_in_any_zone_though_nothing_asks(pack: Pack) -> None:
    assert "Type at any time" in help_of(pack) and "go home" in help_of(pack)
    quiet = {**BREMEN, "zone": 3, "zone.turns": 1, "turn": 2, "wave": 1, "moved": "yes"}
    turning = after_step(pack, "no-engine-1", {**quiet, "fought": "yes", "waves.left": 1})
    assert turning.asked == "B-3"
    player = Prompts(turning.mission)
    assert "Mission aborted." in player.type("Go home", "56", "in")
    assert (turning["aborted"], turning["leg"], turning["credit"]) == ("yes", "inbound", "no")
