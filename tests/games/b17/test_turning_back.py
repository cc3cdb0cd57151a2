"""Turning back: when it is allowed, when it is required, and whether the mission counts (8.0, 10.0, 13.2, 19.2)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.cli.flyer import help_of
from companion.engine.pending import Pending
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


@pytest.mark.section("b17 2.2", "b17 errata 17", "b17 BL-1 c")
def test_a_windmilling_propeller_costs_no_second_turn_after_turning(pack: Pack) -> None:
    drag = {
        **OVER_BREMEN, "formation": "out", "engine.1": "out", "prop.1": "drag", "bombs": "jettisoned", "moved": "yes",
    }  # fmt: skip
    moment = after_step(pack, "weather", drag)
    assert moment["must-stay"] == "yes"
    moment = after_step(pack, "bomb-run", {**drag, "zone.turns": 2, "bombs": "dropped"}, "B-2: 1\n")
    assert (moment["turning"], moment["zone.turns"], moment["must-stay"]) == ("yes", 1, "no")


@pytest.mark.section("b17 2.2", "b17 P-1 b")
def test_a_lost_navigator_costs_none_either(pack: Pack) -> None:
    slow = {**OVER_BREMEN, "formation": "out", "navigator-equipment": "out", "navigator.slow": "yes"}
    assert after_step(pack, "waves", slow)["must-stay"] == "yes"
    assert after_step(pack, "waves", {**slow, "leg": "inbound", "turning": "yes"})["must-stay"] == "no"


# -- an empty cockpit (14.2 c) -----------------------------------------------------------------------------------------


PILOTS_HIT = "M-3: 6\nB-4: 3,4\nB-5: 3,4\nP-2: 1,2\nBL-4 pilot: 6\nBL-4 copilot: 6\n"
ATTACKED = {**OVER_BREMEN, "bombs": "dropped", "leg": "inbound", "turning": "yes", "fought": "yes", "pass": 1,
            "slots.fighter": 1,
            "fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high"}  # fmt: skip


@pytest.mark.section("b17 14.2 c")
def test_the_engineer_takes_over_before_anything_else(pack: Pack) -> None:
    moment = after_step(pack, "fire", ATTACKED, PILOTS_HIT + "B-6: 3,4\n")
    assert (moment["man.pilot"], moment["man.engineer"], moment["duty.engineer"]) == ("engineer", "pilot", "none")
    assert moment.tables.index("takes-over") < moment.tables.index("B-6")
    moment.mission.pending = [Pending.of({"choose": "who-moves", "bind": {"position": "engineer"}, "born": 1})]
    assert set(moment.options) == {"nobody", *MEN} - {"pilot", "copilot", "engineer"}


@pytest.mark.section("b17 14.2 c")
@pytest.mark.parametrize("state", ["serious", "kia"])
def test_without_the_engineer_anyone_flies(pack: Pack, state: str) -> None:
    sheet = {**ATTACKED, "crew.engineer": state, "ball.trapped": "yes", "crew.port-waist": "kia"}
    moment = after_step(pack, "fire", sheet, PILOTS_HIT)
    able = set(MEN) - {"pilot", "copilot", "engineer", "ball-gunner", "port-waist"}
    assert (moment.asked, set(moment.options)) == ("takes-over", able)
    moment.fly("takes-over: navigator\n")
    assert (moment["man.pilot"], moment["flies.navigator"], moment["cockpit-empty"]) == ("navigator", "yes", "no")


@pytest.mark.section("b17 14.2 c")
def test_the_new_pilot_is_announced(pack: Pack) -> None:
    moment = after_step(pack, "fire", ATTACKED, PILOTS_HIT)
    assert moment["man.pilot"] == "engineer"
    assert any("the engineer takes over" in text for text in said(moment))


@pytest.mark.section("b17 14.2 c")
def test_a_lost_pilot_is_replaced(pack: Pack) -> None:
    flies = {**ATTACKED, "crew.pilot": "kia", "crew.copilot": "kia", "seat.pilot": "engineer", "seat.engineer": "pilot"}
    moment = after_step(pack, "fire", flies, "M-3: 6\nB-4: 3,4\nB-5: 3,4\nP-2: 1,3\nBL-4 pilot: 6\n")
    assert (moment["crew.engineer"], moment.asked) == ("kia", "takes-over")


@pytest.mark.section("b17 14.2 c", "b17 12.1")
def test_the_engineer_flies_before_a_man_breathing_in_the_pilots_seat(pack: Pack) -> None:
    breathes = {"oxygen.navigator": 2, "seat.pilot": "navigator", "seat.navigator": "pilot"}
    sheet = {**ATTACKED, **breathes, "crew.pilot": "kia"}
    hit = "M-3: 6\nB-4: 3,4\nB-5: 3,4\nP-2: 2,3\nBL-4 copilot: 6\n"
    moment = after_step(pack, "fire", sheet, hit)
    assert (moment["flies.engineer"], moment["flies.navigator"], moment["oxygen.short"]) == ("yes", "no", 0)
    moment = after_step(pack, "fire", {**sheet, "crew.engineer": "serious"}, hit)
    assert (moment["flies.navigator"], "takes-over" in moment.tables) == ("yes", False)


@pytest.mark.section("b17 14.2 c")
def test_a_cockpit_found_empty_is_filled_at_the_next_turn(pack: Pack) -> None:
    dead = {**BREMEN, "turn": 4, "zone": 4, "leg": "inbound", "crew.pilot": "kia", "crew.copilot": "serious"}
    moment = after_step(pack, "turn", dead)
    assert (moment["man.pilot"], moment["turn"]) == ("engineer", 5)


@pytest.mark.section("b17 14.2 c", "b17 P-5 c")
def test_a_man_caught_in_the_ball_flies_nothing(pack: Pack) -> None:
    alone = {f"crew.{man}": "serious" for man in MEN if man != "ball-gunner"}
    moment = after_step(
        pack, "turn", {**BREMEN, "turn": 4, "zone": 4, "leg": "inbound", "ball.trapped": "yes", **alone}
    )
    assert (moment["cockpit-empty"], moment.asked) == ("yes", "nobody-flies")


@pytest.mark.section("b17 8.0")
def test_she_may_turn_for_home_in_any_zone_though_nothing_asks(pack: Pack) -> None:
    assert "Type at any time" in help_of(pack) and "go home" in help_of(pack)
    quiet = {**BREMEN, "zone": 3, "zone.turns": 1, "turn": 2, "wave": 1, "moved": "yes"}
    turning = after_step(pack, "no-engine-1", {**quiet, "fought": "yes", "waves.left": 1})
    assert turning.asked == "B-3"
    player = Prompts(turning.mission)
    assert "Mission aborted." in player.type("Go home", "56", "in")
    assert (turning["aborted"], turning["leg"], turning["credit"]) == ("yes", "inbound", "no")
