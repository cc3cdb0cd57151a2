"""The B-17 by hand: M-1 asks for the facts of its columns and refuses a gun that does not bear."""

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.conversation import resolve
from companion.play.mission import Answers
from companion.problems import UserError
from tests.support import AnsweringPlayer, Run, asked, begin, fact, set_up

FLYING = "mission.number=12 target.city=Paris zone=4 turn=4 zone.turns=1 wave=1 squadron=high cover=poor "
SIX_HIGH = "fighter.clock=6 fighter.angle=high"
SPRAY = FLYING + "spray-fire=on ammo.ball=18"
SHORT_REACH = "spray reaches only what comes at 3, 6, 9 or in a climb"


@pytest.mark.section("b17 G-7 b", "b17 errata 8", "b17 M-5 b", "b17 9.5", "b17 M-5 a", "b17 6.2", "b17 6.3 a")
@pytest.mark.section("b17 BL-1 d", "b17 BL-1 e", "b17 BL-4 b", "b17 BL-5 b", "b17 17.0", "b17 11.0", "b17 BL-5")
@pytest.mark.section("b17 18.0 e", "b17 G-8", "b17 G-7 d")
@pytest.mark.parametrize(
    ("sheet", "table", "facts", "why"),
    [
        *[(FLYING + state, "M-1", f"gun=top {SIX_HIGH}", f"Top turret: {why}. Choose Radio room gun or Tail guns")
          for state, why in (("gun.top=jammed", "it is jammed"), ("ammo.top=16", "its ammunition is spent"),
                             ("crew.engineer=kia", "nobody fit is at it"),
                             ("duty.engineer=fire", "the Engineer is on other duty"))],
        (FLYING + "slots.fighter=1 fighter.1.type=me109", "M-1", "gun=ball fighter=2",
         "Ball turret: fighter 2 is not on the board"),
        *[(SPRAY, "M-5", f"gun={gun} fighter.clock={clock} fighter.angle={angle}", why)
          for gun, clock, angle, why in (("nose", "12", "high", SHORT_REACH), ("top", "1:30", "high", SHORT_REACH),
                                         ("port-cheek", "10:30", "level", SHORT_REACH),
                                         ("radio", "dive", "none", SHORT_REACH),
                                         ("nose", "6", "low", "a fighter from 6 low is in its blind spot"),
                                         ("ball", "6", "low", "it takes three bursts. Choose Tail guns"))],
        *[(FLYING + f"gun.tail={state} gun.top=jammed", "M-5.b", "gun=tail",
           f"Tail guns: it is {state}, not jammed. Choose Top turret") for state in ("ok", "broken", "unarmed")],
        *[(FLYING + state, table, f"position={man}", why) for table in ("G-6", "G-7") for state, man, why in (
            ("crew.navigator=serious", "navigator", "Navigator, seriously wounded, cannot jump"),
            ("crew.navigator=kia", "navigator", "Navigator, dead, cannot jump"),
            ("fate.navigator=duty", "navigator", "Navigator, not aboard, cannot jump"),
            ("ball.trapped=yes", "ball-gunner", "Ball gunner, trapped in the turret, cannot jump"))],
        *[(FLYING + state, table, "position=pilot", "Choose Copilot") for table in ("G-8", "G-6.underground")
          for state in ("crew.pilot=kia", "fate.pilot=bo-c")],
        *[(FLYING + "engine.2=out formation=out", table, "engine=2", f"engine 2 {why}. Choose 1, 3 or 4")
          for table, why in (("BL-1.d", "is no longer running"), ("BL-1.e", "is out already"),
                             ("BL-1.oil", "is out already"), ("BL-1.fire", "is out already"))],
        *[(f"{FLYING} bomber.fate=returned {state}", table, "position=pilot", f"Pilot: {why}. Choose Engineer")
          for table, state, why in (("BL-4.b", "crew.pilot=light crew.engineer=serious", "lightly wounded"),
                                    ("BL-4.b", "crew.engineer=serious", "unhurt"),
                                    ("BL-5.b", "frostbite.engineer=yes", "no frostbite"))],
        *[(FLYING + state, "BL-5", "position=pilot", f"Pilot: {why}") for state, why in (
            ("", "his heat works"), ("heat.pilot=out altitude=low formation=out", "nobody freezes at 10,000 feet"),
            ("heat.pilot=out crew.pilot=kia", "no one alive there"))],
        (FLYING + "gun.top=broken", "B-7.cold", "gun=top", "Top turret: it is broken already. Choose Nose gun"),
    ],
)  # fmt: skip
def test_a_roll_that_may_not_be_is_refused_with_its_reason(
    b17: Pack, sheet: str, table: str, facts: str, why: str
) -> None:
    mission = set_up(b17, sheet).mission
    before = dict(mission.state)
    with pytest.raises(UserError, match=why):
        mission.roll(table, Hand([[6]]), dict(each.split("=") for each in facts.split()))
    assert mission.state == before


@pytest.mark.parametrize(("kind", "outcome"), [("me110", "hit"), ("me109", "miss")])
def test_m_1_by_hand_asks_where_it_comes_from_and_what_it_is(b17: Pack, kind: str, outcome: str) -> None:
    """M-1, 6 high, top turret: 4 to 6 hits, an Me 110 is already hit on 3."""
    mission = set_up(b17, "mission.number=6 formation=in").mission
    by = AnsweringPlayer(fighter__clock="6", fighter__angle="high", fighter__type=kind, gun="top")
    result = resolve(mission, "M-1", by, Answers([[3]]), asking=True, single=True)[0]
    assert by.asked == ["fighter.clock", "fighter.angle", "fighter.type", "gun"]
    assert result.outcome == outcome
    assert (result.assumed["evasive"], result.assumed["fighter.pilot"]) == ("no", "average")  # 20.0 is an option


# -- who may jump, and where he comes down -----------------------------------------------------------------------------


@pytest.mark.section("b17 G-11 b", "b17 16.1", "b17 G-7 c", "b17 G-7 d", "b17 G-7 e")
@pytest.mark.parametrize("table", ["G-6", "G-7"])
@pytest.mark.parametrize(
    ("city", "zone", "answer", "then"),
    [("Cherbourg", 3, "land", "G-6.underground"), ("Cherbourg", 3, "water", "G-8"), ("Rotterdam", 4, "water", "G-8"),
     ("Rotterdam", 4, "land", "None")],
)  # fmt: skip
def test_over_a_coast_he_is_asked_where(b17: Pack, table: str, city: str, zone: int, answer: str, then: str) -> None:
    moment = set_up(b17, f"mission.number=12 target.city={city} zone={zone}")
    moment.mission.roll(table, Hand([[6]]), {"position": "navigator"})
    assert (moment.asked, moment["fate.navigator"]) == ("where-below", "none")
    assert moment.options == ["land", "water"]
    moment.mission.roll(None, Hand([]), outcome=answer)
    moment.mission.roll("G-6.safe", Hand([]))
    assert moment.asked == then
    assert moment["fate.navigator"] == ("bo-c" if then == "None" else "none")


@pytest.mark.section("b17 16.1", "b17 16.3", "b17 16.4", "b17 G-10 c", "b17 G-10 d")
@pytest.mark.parametrize(
    ("table", "city", "zone", "outcome", "then"),
    [("G-9", "Bremen", 3, "water", "G-10"), ("G-10", "Lille", 3, "land", "G-9"), ("G-10", "Bremen", 7, "land", "G-9"),
     ("G-9", "Cherbourg", 3, "safe", "G-6.underground"), ("G-10", "Cherbourg", 3, "rescued", "None")],
)  # fmt: skip
def test_a_landing_depends_on_the_terrain(b17: Pack, table: str, city: str, zone: int, outcome: str, then: str) -> None:
    moment = set_up(b17, f"mission.number=12 target.city={city} zone={zone} bombs=dropped")
    dice = Hand([] if outcome in ("water", "land") else [[5, 6]])
    assert moment.mission.roll(table, dice)[0].outcome == outcome
    assert moment.asked == then


@pytest.mark.section("b17 G-10 c", "b17 G-10 f")
def test_after_a_ditching_nobody_is_asked_to_fly(b17: Pack) -> None:
    moment = set_up(b17, "mission.number=12 target.city=Paris zone=2 turn=8 bombs=dropped")
    moment.mission.write({"crew.pilot": "kia", "crew.copilot": "kia"})
    assert moment.asked == "takes-over"
    moment.mission.roll("G-10", Hand([[6, 6]]))
    assert moment.words == {"settled": "the flight is over"}


@pytest.mark.section("b17 BL-4 a", "b17 9.3")
def test_light_wounds_that_are_crossed_off_by_hand_hurt_the_man(b17: Pack) -> None:
    mission = set_up(b17, "mission.number=12 zone=4 kills.tail-gunner=5").mission
    for wounds, state in ((1, "light"), (2, "light"), (3, "serious"), (4, "kia")):
        mission.write({"wounds.tail-gunner": wounds})
        assert fact(mission, "crew.tail-gunner") == state
        assert fact(mission, "gunner.ace", gun="tail") == "no"
    assert fact(set_up(b17, "mission.number=12 zone=4 wounds.engineer=4").mission, "crew.engineer") == "kia"


@pytest.mark.section("b17 14.0", "b17 14.1")
def test_a_seat_set_by_hand_leaves_no_man_in_two_seats(b17: Pack) -> None:
    mission = set_up(b17, "mission.number=12 zone=4").mission
    mission.write({"seat.tail-gunner": "navigator"})
    assert (fact(mission, "man.tail-gunner"), fact(mission, "man.navigator")) == ("navigator", "tail-gunner")
    mission.write({"seat.ball-gunner": "navigator"})  # and from the tail on to the ball turret
    twice = "The Navigator is in two places: set who is in the other"
    assert twice in asked(mission)
    mission.write({"seat.tail-gunner": "ball-gunner"})
    assert twice not in asked(mission)


# -- a table that is not in its place ----------------------------------------------------------------------------------


@pytest.mark.section("b17 6.1 a", "b17 5.2 c")
@pytest.mark.parametrize(
    ("table", "zone", "outcome", "then"),
    [("B-1", 1, "none", "None"), ("B-1", 5, "target-zone", "B-2"), ("B-2", 4, "elsewhere", "B-1")],
)
def test_waves_have_a_table_for_each_zone(b17: Pack, table: str, zone: int, outcome: str, then: str) -> None:
    moment = set_up(b17, f"mission.number=12 target.city=Paris zone={zone}")
    assert moment.mission.roll(table, Hand([]))[0].outcome == outcome
    assert (moment.asked, moment["waves.left"]) == (then, 0)


@pytest.mark.section("b17 5.2 d", "b17 13.2 c", "b17 O-6")
@pytest.mark.parametrize(
    ("sheet", "why"),
    [("bombs=jettisoned", "the bombs are gone"), ("bombs=dropped", "the bombs are gone"),
     ("bay-doors=out", "the doors do not open")],
)  # fmt: skip
def test_no_run_without_bombs_that_fall(b17: Pack, sheet: str, why: str) -> None:
    moment = set_up(b17, f"mission.number=12 target.city=Paris zone=5 {sheet}")
    result = moment.mission.roll("O-6", Hand([]))[0]
    assert (result.outcome, result.text) == ("no-run", f"No bomb run: {why}")
    assert (moment.asked, moment["bomb-run"]) == ("None", "none")


@pytest.mark.section("b17 5.1 b", "b17 5.1 c", "b17 5.1 d")
@pytest.mark.parametrize("place", ["1,1 lead", "3,4 middle", "6,6 tail"])
def test_what_was_rolled_by_hand_is_not_asked_again(b17: Pack, place: str) -> None:
    dice, position = place.split()
    moment = set_up(b17, "mission.number=12")
    for table, pips in (("G-3", "2,5"), ("G-4.formation", dice), ("G-4.squadron", "5")):
        moment.mission.roll(table, Hand([[int(pip) for pip in pips.split(",")]]))
    moment.fly("")
    assert (moment.asked, moment["zone"]) == ("G-5", 2)
    assert (moment["target.city"], moment["bomber.position"], moment["squadron"]) == ("Paris", position, "low")


@pytest.mark.section("b17 5.1 c")
def test_the_middle_of_the_squadron_is_rolled_for(b17: Pack) -> None:
    moment = set_up(b17, "mission.number=3 target.city=Lille").fly("")
    assert (moment["bomber.position"], moment.asked) == ("middle", "G-4.formation")


# -- a shot by hand ----------------------------------------------------------------------------------------------------

ON_THE_BOARD = (
    "mission.number=12 target.city=Paris zone=4 slots.fighter=2 fighter.1.type=me109 fighter.1.clock=6 "
    "fighter.1.angle=level"
)


@pytest.mark.section("b17 6.3 a", "b17 9.0", "b17 9.2", "b17 9.4")
@pytest.mark.parametrize(("given", "fired"), [({}, 1), ({"passing-shot": "yes", "fighter.1.clock": "12"}, 1)])
@pytest.mark.parametrize("die", [1, 6])
def test_a_shot_by_hand_costs_its_burst(b17: Pack, given: dict[str, str], fired: int, die: int) -> None:
    moment = set_up(b17, ON_THE_BOARD)
    moment.mission.roll("M-1", Hand([[die]]), {"gun": "tail", "fighter": "1", **given})
    assert moment["ammo.tail"] == fired


@pytest.mark.section("b17 9.0")
def test_in_the_flight_it_is_paid_for_once(b17: Pack) -> None:
    moment = set_up(b17, f"{ON_THE_BOARD} slots.fighter=1 pass=1 cover.rolled=yes step=attack")
    moment.fly("aim tail: 1\nM-1: 6\nM-2: 1\n")
    assert (moment["ammo.tail"], moment.asked) == (1, "M-3")
    moment.fly("M-3: 1\n")
    moment.mission.roll("M-1", Hand([[1]]), {"gun": "tail", "fighter.clock": "6", "fighter.angle": "level"})
    assert moment["ammo.tail"] == 2


@pytest.mark.section("b17 9.2", "b17 9.4")
def test_a_passing_shot_by_hand_costs_one(b17: Pack) -> None:
    moment = set_up(b17, ON_THE_BOARD.replace("clock=6", "clock=12"))
    results = moment.mission.roll("9.2", Hand([[6]]), {"fighter": "1"})
    assert ([each.table for each in results], results[-1].outcome, moment["ammo.tail"]) == (["9.2", "M-1"], "hit", 1)


@pytest.mark.section("b17 9.2")
@pytest.mark.parametrize(
    ("facts", "why"),
    [("", "only for what comes from 12, 1:30 or 10:30"), ("fighter.1.clock=12 intercom=out", "the intercom is out"),
     ("fighter.1.clock=12 gun.tail=broken", "can no longer fire")],
)  # fmt: skip
def test_a_passing_shot_by_hand_that_may_not_be(b17: Pack, facts: str, why: str) -> None:
    moment = set_up(b17, f"{ON_THE_BOARD} {facts}")
    (result,) = moment.mission.roll("9.2", Hand(), {"fighter": "1"})
    assert (why in result.text, moment["ammo.tail"], moment.mission.waiting()) == (True, 0, None)


@pytest.mark.section("b17 9.5", "b17 errata 15")
@pytest.mark.parametrize("die", [1, 2, 3, 6])
def test_a_spray_by_hand_costs_its_three(b17: Pack, die: int) -> None:
    both = "spray-fire=on fighter.2.type=me109 fighter.2.clock=6 fighter.2.angle=level"
    moment = set_up(b17, f"{ON_THE_BOARD} {both}")
    moment.mission.roll("M-5", Hand([[3]]), {"gun": "tail", "fighter": "1"})
    moment.mission.roll("M-5", Hand([[die]]), {"gun": "tail", "fighter": "2"})
    assert moment["ammo.tail"] == 3
    flown = set_up(b17, f"{ON_THE_BOARD} {both} pass=1 cover.rolled=yes step=attack")
    flown.fly("aim tail: 1-spray\nM-5 1 tail: 3\nM-5 2 tail: 3\n")
    assert flown["ammo.tail"] == 3
    bare = set_up(b17, "mission.number=12 zone=4 spray-fire=on")
    bare.mission.roll("M-5", Hand([[die]]), {"gun": "tail", "fighter.clock": "6", "fighter.angle": "low"})
    assert bare["ammo.tail"] == 3


# -- pending things lapse with their reason ----------------------------------------------------------------------------

IN_THE_AIR = "mission.number=12 zone=5 target.zone=7 turn=5 leg=outbound formation=in"


@pytest.mark.section("b17 6.3 c")
def test_what_was_pending_for_a_fighter_goes_with_it(b17: Pack) -> None:
    mission = set_up(b17, f"{ON_THE_BOARD} fighter.1.angle=high").mission
    for gun in ("tail", "top"):
        mission.roll("M-1", Hand([[6]]), {"gun": gun})
    assert asked(mission) == ["M-2", "M-2"]
    mission.roll("M-2", Hand([[6]]))
    assert asked(mission) == []
    mission.undo()
    assert asked(mission) == ["M-2", "M-2"]
    told = mission.write({"fighter.1.type": "none"})
    assert (asked(mission), [text for text, _ in told.notes]) == (
        [],
        ["No longer pending: M-2 Damage to a German fighter"],
    )
    assert "fighter.1.clock" not in mission.state


@pytest.mark.section("b17 10.1")
@pytest.mark.parametrize("mended", ["engine.1=ok", "bombs=jettisoned", "formation=out", "engine.2=out"])
def test_a_decision_goes_with_its_reason_and_is_asked_once(b17: Pack, mended: str) -> None:
    mission = set_up(b17, IN_THE_AIR).mission
    mission.write({"engine.1": "out"})
    assert asked(mission) == ["one-engine"]
    told = mission.write(b17.sheet.given([mended]))
    assert "one-engine" not in asked(mission)
    assert any("One engine is out" in text for text, _ in told.notes)
    mission.undo()
    assert asked(mission) == ["one-engine"]
    mission.write({"engine.1": "ok"})
    mission.write({"engine.1": "out"})
    assert asked(mission) == ["one-engine"]


@pytest.mark.section("b17 10.3")
def test_an_engine_set_right_takes_back_the_zones_left(b17: Pack) -> None:
    moment = set_up(b17, f"{IN_THE_AIR} engine.1=out engine.2=out engine.3=out")
    assert moment["glide"] == 1
    moment.mission.write({"engine.3": "ok"})
    assert moment["glide"] == 0


@pytest.mark.section("b17 M-5 b")
def test_a_jam_that_is_cleared_by_hand_is_not_rolled_for(b17: Pack) -> None:
    mission = set_up(b17, f"{IN_THE_AIR} gun.tail=jammed gun.top=jammed").mission
    mission.pending = [Pending.of({"roll": "M-5.b", "bind": {"gun": gun}}) for gun in ("tail", "top")]
    mission.write({"gun.tail": "ok"})
    assert [item.bind["gun"] for item in mission.pending] == ["top"]


@pytest.mark.section("b17 6.6")
def test_a_new_wave_by_hand_clears_the_old_fighters(b17: Pack) -> None:
    moment = set_up(b17, f"{IN_THE_AIR} bomber.position=middle fighter.1.fboa=1 fighter.1.type=me109 slots.fighter=1")
    moment.mission.pending = [Pending.of({"roll": "M-3", "bind": {"fighter": "1"}})]
    moment.mission.roll("B-3", Hand([[2, 2]]))  # 22: Me 110s from 12 low and 10:30 low
    there = [moment[f"fighter.{slot}.type"] for slot in (1, 2, 3)]
    assert (there, moment["fighter.1.fboa"], asked(moment.mission)) == (["me110", "me110", "none"], 0, [])


def test_a_pending_item_is_skipped_and_restored_by_undo(b17: Pack) -> None:
    mission = set_up(b17, ON_THE_BOARD).mission
    mission.roll("M-1", Hand([[6]]), {"gun": "tail"})
    mission.roll("M-3", Hand([[6]]))
    assert mission.skip(2).name == "M-2"
    assert asked(mission) == ["B-4"]
    with pytest.raises(UserError, match="Only 1 roll or decision can be skipped"):
        mission.skip(2)
    mission.undo()
    assert asked(mission) == ["B-4", "M-2"]


def test_a_board_in_zone_1_with_a_wave_to_come_is_joined(companion: Run) -> None:
    """6.1: no fighters attack in Zone 1, but B-2 rolled there by hand leaves a wave on the chart."""
    begin(companion, "b17", "mission.number=12")
    companion("set", "zone=1", "waves.left=1")
    flown = companion("fly", "--auto", "--seed", "1", "--json")
    assert flown.code == 0 and flown.json["facts"]["step"] == "end"
