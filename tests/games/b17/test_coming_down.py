"""Turning back (8.0, 10.0, 13.2), landing, ditching and bailing out (G-6 to G-10), and what counts."""

from typing import Any

import pytest

from companion.cli.flyer import help_of
from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.phrases import written
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, HOMEWARD, LILLE, MEN, OVER_BREMEN, at
from tests.support import Moment, Prompts, after_step, check, moments

NO_ENGINE: dict[str, int | str] = {f"engine.{each}": "out" for each in (1, 2, 3, 4)}
EMPTY = at(HOMEWARD, "step=next-turn bombs=aboard fuel.short=yes fuel.turns=0")
FALLING = at({**HOMEWARD, **NO_ENGINE}, "step=turn formation=out")
BAIL_OUT = "forced-down: bail-out\n" + "".join(f"G-6 {man}: 3\n" for man in MEN)
OVER_ENGLAND = at(HOMEWARD, "step=turn zone=2")
SOME_JUMP = "O-1: 3,4; landing: some-bail-out"
GUNNERS = "options=nobody,bombardier,navigator,radio-operator,ball-gunner,port-waist,starboard-waist,tail-gunner"
NO_PILOTS = at(OVER_ENGLAND, "crew.pilot=serious crew.copilot=kia")
ENGINEER_FLIES = at(NO_PILOTS, "seat.pilot=engineer seat.engineer=pilot")


@pytest.mark.section("b17 13.2 c", "b17 G-8 a", "b17 G-8 b", "b17 G-7 e", "b17 errata 27", "b17 errata 34")
@pytest.mark.section("b17 18.0 g", "b17 6.1 a", "b17 BL-2", "b17 errata 24", "b17 14.2 d", "b17 G-7 b", "b17 P-5 c")
@pytest.mark.section("b17 14.2 c", "b17 12.1", "b17 G-10 a", "b17 G-10 e", "b17 booklet errata 2")
@moments(
    ("a bomber that comes down drops its bombs first", EMPTY, "", "asked=jettison usual=yes"),
    ("out of formation too", {**EMPTY, "formation": "out"}, "", "asked=jettison usual=yes"),
    ("then she ditches or they jump", EMPTY, "jettison: yes",
     "bombs=jettisoned asked=forced-down options=ditch,bail-out"),
    ("alone short of the target they go too", at(BREMEN, "step=no-engine-2 turn=5 zone=5 zone.turns=1 formation=out"),
     "", "asked=jettison usual=yes"),
    ("where an abort would not count they are kept",
     at(BREMEN, "step=no-engine-2 turn=5 zone=5 zone.turns=1 formation=out not-fighters.formation=1"),
     "", "asked=jettison usual=no"),
    ("the radio counts as it was when they jumped", FALLING,
     "forced-down: bail-out\n" + "".join(f"G-6 {man}: 3\nG-8 {man}: {1 if man[0] == 'r' else 6}\n" for man in MEN),
     "fate.radio-operator=las fate.tail-gunner=duty crew.lost=1"),
    ("a silent radio dooms all who jump alone", {**FALLING, "radio": "out"}, BAIL_OUT, "crew.lost=10"),
    ("no wave comes for a bomber that is gone",
     at(HOMEWARD, "step=moves zone=5 random-events=on waves.left=3 fought=yes crew.navigator=kia"),
     "B-3: 6,6\nB-7: 6,6\nB-7.g: 6,6\n" + "".join(f"G-7 {man}: 1\n" for man in MEN if man != "navigator"),
     "step=end mission.result=defeat crew.lost=10"),
    ("nobody attacks a bomber left before the waves",
     at(HOMEWARD, "step=cover zone=5 bomber.fate=abandoned " + " ".join(f"fate.{man}=bo-c" for man in MEN)), "",
     "step=end mission.result=defeat rolled!=B-1"),
    ("the pilots, the badly wounded and the trapped do not jump first",
     at(OVER_ENGLAND, "ball.trapped=yes gun.ball=broken crew.navigator=serious landing.asked=yes"), SOME_JUMP,
     "options=nobody,bombardier,engineer,radio-operator,port-waist,starboard-waist,tail-gunner"),
    ("nor does the engineer who is to fly", NO_PILOTS, SOME_JUMP, GUNNERS),
    ("or flies", ENGINEER_FLIES, SOME_JUMP, GUNNERS),
    ("who only breathes beside them may",
     at(ENGINEER_FLIES, "crew.pilot=kia seat.copilot=navigator seat.navigator=copilot oxygen.navigator=2"), SOME_JUMP,
     GUNNERS),
    ("pilots alone aboard land or jump",
     at(OVER_ENGLAND, "landing.asked=yes " + " ".join(f"crew.{man}=kia" for man in MEN[2:])), "O-1: 3,4",
     "options=land,bail-out"),
    ("a twelve saves the crew whatever bombs are aboard", at(NO_PILOTS, "crew.pilot=kia bombs=aboard"),
     "O-1: 3,4; landing: land; G-9: 6,6", "rolled!=G-9.bombs waits!=G-9.bombs"),
    ("less does not", at(NO_PILOTS, "crew.pilot=kia bombs=aboard"), "O-1: 3,4; landing: land; G-9: 6,5",
     "waits=G-9.bombs"),
    ("nor do they go off under a ditched crew that it saves",
     at(FALLING, "bay-doors=out bombs=aboard rafts=out radio=out"), "forced-down: ditch; G-10: 6,6",
     "bomber.fate=ditched crew.lost=0 step=end"),
)  # fmt: skip
def test_coming_down(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 errata 24", "b17 G-7 b")
def test_some_bail_out_over_england_and_the_rest_land(pack: Pack) -> None:
    sheet = {**HOMEWARD, "zone": 2, "gear.port": "out", "ball.trapped": "no", "crew.navigator": "serious"}
    script = "O-1: 1,1\nlanding: some-bail-out\nwho-jumps: tail-gunner\nG-6 tail-gunner: 4\nwho-jumps: nobody\n"
    moment = after_step(pack, "turn", sheet, script)
    assert (moment["fate.tail-gunner"], moment.asked) == ("duty", "G-9")
    assert moment.mission.pending[0].bind.get("position") in (None, "none")  # no one man lands it
    moment.fly("G-9: 1,3\n")  # 4 - 2 bad weather - 3 gear
    assert sorted(moment.positions("BL-4")) == sorted(set(MEN) - {"tail-gunner"})


@pytest.mark.section("b17 12.1")
def test_no_order_remains_when_the_bomber_is_down(pack: Pack) -> None:
    sheet = {**HOMEWARD, "zone": 2, "heat.pilot": "out", "oxygen.engineer": 2, "crew.tail-gunner": "kia"}
    moment = after_step(pack, "turn", sheet, "outlet: stay\nO-1: 3,4\nlanding: land\nG-9: 3,4\n")
    assert (moment["bomber.fate"], moment.mission.pending) == ("returned", [])


@pytest.mark.section("b17 16.0", "b17 11.0")
@pytest.mark.parametrize(
    ("sheet", "step", "usual"),
    [
        ({"zone": 2, "crew.pilot": "kia", "crew.copilot": "kia"}, "turn", "bail-out"),  # both pilots: -11 on G-9
        ({"zone": 2, "landing.asked": "yes"}, "turn", "land"),
        ({"heat.pilot": "out", "cold.pilot": 2, "zone": 3}, "height", "stay"),
        ({"heat.pilot": "out", "cold.pilot": 2, "zone": 2}, "height", "descend"),
        ({"heat.pilot": "out", "cold.pilot": 2, "formation": "out"}, "height", "descend"),
        ({f"{of}.{man}": on for man in MEN[:3] for of, on in (("heat", "out"), ("cold", 2))}, "height", "descend"),
    ],
)
def test_enter_kills_nobody_who_can_be_saved(pack: Pack, sheet: dict[str, Any], step: str, usual: str) -> None:
    moment = after_step(pack, step, {**HOMEWARD, "moved": "yes", **sheet}, "O-1: 3,4\n" if step == "turn" else "")
    assert moment.options[0] == usual


@pytest.mark.section("b17 errata 24", "b17 16.0")
def test_a_sound_bomber_lands_unasked_and_one_may_still_bail_out(pack: Pack) -> None:
    moment = after_step(pack, "turn", {**HOMEWARD, "zone": 2}, "O-1: 3,4\nlanding: land\n")
    assert moment.asked == "G-9"
    moment.mission.write(written(pack, ["ask again"], moment.mission.state))
    moment.fly("landing: bail-out\n")
    assert moment.asked == "G-6"
    moment = after_step(
        pack, "turn", {**HOMEWARD, "zone": 2, "brakes.port": "out", "tail-wheel": "out", "brakes.starboard": "out"},
        "O-1: 3,4\n",
    )  # fmt: skip
    assert moment.asked == "landing"


SOUTH = {"mission.number": 11, "target.city": "Bremen", "target.zone": 7, "leg": "inbound", "formation": "in"}
DEAD = {count: {f"engine.{each}": "out" for each in range(1, count + 1)} for count in (1, 2, 3, 4)}
LANDING: list[tuple[dict[str, Any], int, int]] = [  # damage, on land in England, at sea
    (DEAD[1], 0, 0),  # errata 12
    (DEAD[2], 0, 0),
    (DEAD[3], -3, -3),
    (DEAD[4], -7, -4),
    ({"missions.pilot": 10, "missions.copilot": 20}, 1, 1),
    ({"missions.pilot": 24, "missions.copilot": 9}, 1, 1),
    ({"missions.pilot": 25, "missions.copilot": 9}, 0, 0),  # his 26th
    ({"missions.pilot": 9, "missions.copilot": 10, "crew.copilot": "light", "wounds.copilot": 1}, 1, 1),
    ({"missions.copilot": 12, "crew.copilot": "light", "wounds.copilot": 2}, 0, 0),
    ({"missions.copilot": 12, "crew.copilot": "serious"}, 0, 0),
    ({"seat.radio-operator": "navigator", "seat.navigator": "radio-operator", "formation": "out"}, 0, -6),
    ({"radio": "out", "crew.radio-operator": "kia", "formation": "out", "rafts": "out"}, 0, -12),
]


@pytest.mark.section(
    "b17 G-10 b", "b17 G-10 f", "b17 G-10 g", "b17 G-10 h", "b17 G-10 i", "b17 G-10 j", "b17 BL-1 b", "b17 BL-1 h",
    "b17 BL-1 i", "b17 BL-2 d", "b17 P-6 b", "b17 P-6 c", "b17 10.3", "b17 10.4", "b17 16.3", "b17 19.2 d",
    "b17 errata 12", "b17 errata 27", "b17 booklet errata 2", "b17 booklet errata 3",
)  # fmt: skip
@pytest.mark.parametrize(("sheet", "land", "sea"), LANDING)
def test_what_counts_on_landing(pack: Pack, sheet: dict[str, Any], land: int, sea: int) -> None:
    for name, zone, more, expected in (
        ("G-9", 1, {}, land), ("G-9", 1, {"weather.base": "bad"}, land - 2), ("G-9", 7, {}, land - 3),  # G-10 j
        ("G-10", 4, {}, sea),
    ):  # fmt: skip
        table = pack.table(name)
        facts = Facts(pack.sheet, {**SOUTH, **sheet, "zone": zone, **more})
        assert sum(each.add for each in table.applying(facts, table.column(facts))) == expected, (name, zone)


@pytest.mark.section("b17 G-4", "b17 G-5 *", "b17 G-10 e", "b17 BL-2 a", "b17 G-8 b", "b17 P-3", "b17 errata 34")
@pytest.mark.parametrize(("name", "facts", "outcome"), book.AUTOMATIC)
def test_settled_without_a_die(pack: Pack, name: str, facts: dict[str, Any], outcome: str) -> None:
    rolled = Mission(pack).roll({"G-10.e": "G-9.bombs"}.get(name, name), Hand(), facts)
    assert [each.outcome for each in rolled][:1] == [outcome]


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
    assert "Mission aborted." in Prompts(turning.mission).type("Go home", "56", "in")
    assert (turning["aborted"], turning["leg"], turning["credit"]) == ("yes", "inbound", "no")
