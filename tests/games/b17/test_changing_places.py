"""Changing places, when it is offered and its limits: swaps of guns, quiet turns, oxygen (12.1, 14.0)."""

from typing import Any

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.moving import moved
from companion.store.session import open_mission
from tests.games.b17.table import BREMEN, HOMEWARD, MEN, NO_GUNS, OVER_BREMEN, at
from tests.support import Prompts, Run, after_step, asked, begin, begun, check, fact, moments, prompted

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
COLD = {**COLD_NOSE, "step": "turn"}
LYING = at(COLD_NOSE, "step=lost-2 formation=out oxygen.engineer=2 crew.engineer=serious")
BESIDE_THE_PILOT = at(IN_5, "crew.copilot=kia crew.tail-gunner=kia seat.copilot=navigator seat.navigator=copilot "
                      "oxygen.navigator=2 oxygen.copilot=2")  # fmt: skip
COPILOT = at(IN_5, "oxygen.copilot=2 crew.copilot=serious crew.tail-gunner=kia")
COLD_PILOT = at(HOMEWARD, "zone=5 step=lost-2 crew.pilot=serious heat.pilot=out heat.ball-gunner=out")
HURT = at(HOMEWARD, "step=lost-2 crew.bombardier=serious oxygen.radio-operator=2 heat.port-waist=out")


@pytest.mark.section("b17 14.0", "b17 12.1", "b17 14.2 c", "b17 14.2 d")
@moments(
    ("no badly wounded man is carried into the cold", at(COLD, "oxygen.engineer=2 crew.engineer=serious"), "",
     "asked!=outlet altitude=low zone=4"),
    ("a pilot neither", at(COLD, "oxygen.pilot=2 crew.pilot=serious"), "", "asked!=outlet altitude=low zone=4"),
    ("he is where there is heat", at(COLD, "oxygen.engineer=2 crew.engineer=serious heat.bombardier=ok"),
     "outlet: bombardier", "altitude=high zone=4"),
    ("who can stand bears the cold", at(COLD, "oxygen.engineer=2"), "outlet: bombardier", "altitude=high zone=4"),
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
     at(COLD, "crew.tail-gunner=kia oxygen.engineer=2 oxygen.copilot=2 crew.copilot=serious"),
     "outlet copilot: tail-gunner; outlet engineer: bombardier", "oxygen.short=0 altitude=high"),
    ("whoever sits without oxygen or heat cannot give a wounded man their place", HURT, "crew-move: bombardier",
     "option!=radio-operator option!=port-waist option=navigator option=starboard-waist"),
    ("at 10,000 feet they can", at(HURT, "altitude=low formation=out"), "crew-move: bombardier",
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
    player = Prompts(moment.mission)
    assert "What strikes us comes first (14.1)" in player.type("move ball gunner to navigator")


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
    player = prompted(mission, "climb")
    assert "he has found one already" in player.type("move ball gunner to tail gunner")
    assert (mission.state["altitude"], fact(mission, "oxygen.short")) == ("high", 0)


def test_a_seat_that_the_rules_fill_again_is_told(companion: Run) -> None:
    """Two men have changed places; while one sits in the other's place, his own cannot be empty."""
    begin(companion, "b17", "seat.copilot=navigator", "seat.navigator=copilot")
    shown = companion("set", "seat.copilot=none").out
    assert "the rules set it to Navigator" in shown and "No change" not in shown
