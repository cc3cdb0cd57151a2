"""Who changes places, when it is offered and what it may not do: swaps of guns, quiet turns, oxygen (12.1, 14.0)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.moving import moved
from companion.store.session import open_mission
from tests.games.b17.table import BREMEN, HOMEWARD, MEN, NO_GUNS, OVER_BREMEN
from tests.support import Prompts, Run, after_step, asked, begin, fact

AT_9 = {"slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "9", "fighter.1.angle": "level"}
UNDER_ATTACK = {**OVER_BREMEN, **AT_9, "fought": "yes", "pass": 0}


# -- within a compartment, during an attack (14.1) ---------------------------------------------------------------------


@pytest.mark.section("b17 14.1")
def test_the_waist_gunners_switch_guns_during_an_attack(pack: Pack) -> None:
    """14.1, its own example: the port man is dead and the fighter comes from 9; the other goes over and fires now."""
    moment = after_step(pack, "dodge", {**UNDER_ATTACK, "crew.port-waist": "kia"})
    assert moment.asked == "swap"
    assert moment.words == {
        "stay": "no, everyone stays at his gun",
        "port-waist": "somebody else to the Port waist gun; there now: dead",
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
        (
            {"crew.port-waist": "serious", "ball.trapped": "yes", "gun.ball": "broken", "crew.starboard-waist": "kia"},
            False,
        ),
        ({"crew.port-waist": "kia", "intercom": "out"}, False),  # 14.1: only in safe turns
        ({"crew.port-waist": "kia", "gun.port-waist": "jammed"}, False),
        ({"crew.port-waist": "kia", "fighter.1.clock": "3"}, False),  # nobody there to fire at
    ],
)
def test_a_swap_is_offered_where_it_helps(pack: Pack, sheet: dict[str, Any], offered: bool) -> None:
    assert (after_step(pack, "dodge", {**UNDER_ATTACK, **sheet}).asked == "swap") == offered
    assert (after_step(pack, "friends-again", {**UNDER_ATTACK, "pass": 1, **sheet}).asked == "swap") == offered


# -- quiet turns -------------------------------------------------------------------------------------------------------


@pytest.mark.section("b17 14.1")
def test_the_unhurt_may_change_places_in_a_quiet_turn(pack: Pack) -> None:
    """14.1: asked where a gun is out; with nothing wrong the crew is left alone, and moves when the player says so."""
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


@pytest.mark.section("b17 12.1")
def test_who_moves_to_an_outlet_that_is_out_brings_the_bomber_down(pack: Pack) -> None:
    """12.1: the navigator breathes in the dead tail gunner's place; the ball gunner who sits down in the nose does
    not, so that he moves on to an outlet or the bomber comes down."""
    there = {"seat.tail-gunner": "navigator", "seat.navigator": "ball-gunner", "seat.ball-gunner": "tail-gunner"}
    moment = after_step(pack, "turn", {**NOSE_OUT, **there})
    assert (moment.asked, moment.words["stay"]) == ("outlet", "nowhere: we come down to 10,000 feet")
    assert set(moment.options) == {"ball-gunner", "stay"}
    stays = after_step(pack, "turn", {**NOSE_OUT, **there}, "outlet: stay\n")
    assert (stays["altitude"], stays["formation"]) == ("low", "out")
    moment.fly("outlet: ball-gunner\n")
    assert (moment["man.ball-gunner"], moment["oxygen.short"], moment["altitude"]) == ("ball-gunner", 0, "high")


@pytest.mark.section("b17 12.1")
def test_the_order_stands_as_long_as_somebody_cannot_breathe(pack: Pack) -> None:
    moment = after_step(pack, "lost-2", {**NOSE_OUT, "seat.tail-gunner": "navigator", "seat.navigator": "tail-gunner"},
                        "crew-move: navigator\nwho-moves: ball-gunner\n")  # fmt: skip
    assert any("oxygen" in str(each) for each in asked(moment.mission))
    moment.fly("crew-move: ball-gunner\nwho-moves: ball-gunner\n")
    assert not any("oxygen" in str(each) for each in asked(moment.mission) if "place" in str(each))


@pytest.mark.section("b17 12.1", "b17 14.2 d")
@pytest.mark.parametrize(
    ("sheet", "altitude"),
    [
        ({"oxygen.engineer": 2, "crew.tail-gunner": "kia", "fought": "yes", "intercom": "out"}, "low"),
        ({"oxygen.pilot": 2, "crew.tail-gunner": "kia"}, "low"),  # a pilot stays in the cockpit
        ({"oxygen.engineer": 1, "crew.tail-gunner": "kia"}, "high"),
    ],
)
def test_nobody_flies_on_without_oxygen(pack: Pack, sheet: dict[str, Any], altitude: str) -> None:
    moment = after_step(pack, "turn", {**HOMEWARD, "zone": 5, **sheet})
    assert (moment["altitude"], moment["zone"]) == (altitude, 4)


@pytest.mark.section("b17 12.1")
def test_nobody_climbs_in_the_turn_that_brought_the_bomber_down(pack: Pack) -> None:
    sheet = {**HOMEWARD, "zone": 5, "oxygen.engineer": 2, "crew.tail-gunner": "kia"}
    moment = after_step(pack, "turn", sheet, "outlet: stay\n")
    assert (moment["altitude"], moment.asked) == ("low", "G-5")


LOW = {**HOMEWARD, "zone": 5, "altitude": "low", "formation": "out"}


@pytest.mark.section("b17 12.1")
@pytest.mark.parametrize(
    ("line", "sits", "altitude"), [("tail-gunner", "ball-gunner", "high"), ("stay", "none", "low")]
)
def test_who_climbs_again_breathes_at_a_dead_mans_outlet_at_once(
    pack: Pack, line: str, sits: str, altitude: str
) -> None:
    moment = after_step(pack, "turn", {**LOW, "oxygen.ball-gunner": 2, "crew.tail-gunner": "kia"}, "climb: climb\n")
    assert moment.asked == "outlet"
    moment.fly(f"outlet: {line}\n")
    assert (moment["seat.tail-gunner"], moment["altitude"], moment.asked) == (sits, altitude, "G-5")


@pytest.mark.section("b17 12.1", "b17 11.0")
@pytest.mark.parametrize(("oxygen", "asked"), [(2, "climb"), (1, "G-5")])
def test_who_came_down_for_oxygen_may_climb_into_the_cold(pack: Pack, oxygen: int, asked: str) -> None:
    cold = {**LOW, "oxygen.ball-gunner": oxygen, "crew.ball-gunner": "kia", "heat.radio-operator": "out"}
    moment = after_step(pack, "turn", cold)
    assert moment.asked == asked
    if asked == "climb":
        assert moment.options == ["stay", "climb"]
        moment.fly("climb: climb\n")
        assert (moment["altitude"], moment["formation"]) == ("high", "out")


@pytest.mark.section("b17 11.0", "b17 12.1")
def test_who_comes_down_for_warmth_is_not_asked_to_climb_at_once(pack: Pack) -> None:
    cold = {"oxygen.tail-gunner": 2, "crew.tail-gunner": "kia", "heat.radio-operator": "out", "cold.radio-operator": 1}
    moment = after_step(pack, "turn", {**HOMEWARD, "zone": 5, **cold}, "altitude: descend\n")
    assert (moment["altitude"], moment.asked) == ("low", "G-5")


@pytest.mark.section("b17 12.1", "b17 14.1")
def test_without_intercom_the_climb_waits_for_the_move_in_a_quiet_turn(pack: Pack) -> None:
    silent = {**LOW, "intercom": "out", "oxygen.ball-gunner": 2, "crew.tail-gunner": "kia"}
    assert after_step(pack, "turn", silent).asked == "G-5"
    quiet = after_step(pack, "more-waves", {**silent, "step": "more-waves"})
    assert quiet.asked == "crew-move"
    quiet.fly("crew-move: tail-gunner\nwho-moves: ball-gunner\n")
    assert (quiet["oxygen.short"], quiet["altitude"]) == (0, "low")
    sits = {"seat.tail-gunner": "ball-gunner", "seat.ball-gunner": "tail-gunner"}
    assert after_step(pack, "turn", {**silent, **sits}).asked == "climb"


@pytest.mark.section("b17 12.1", "b17 P-5 c")
def test_no_outlet_serves_the_man_in_the_jammed_turret(pack: Pack) -> None:
    trapped = {"oxygen.ball-gunner": 2, "ball.trapped": "yes", "crew.tail-gunner": "kia"}
    assert after_step(pack, "turn", {**LOW, **trapped}).asked == "G-5"
    mission = Mission(pack, number=1)
    mission.write({**HOMEWARD, "zone": 5, **trapped})
    orders = [str(each) for each in mission.pending]
    assert any("10,000 feet from the next turn on" in each for each in orders)
    assert not any("dead man's place" in each for each in orders)


@pytest.mark.section("b17 12.1", "b17 P-5 c")
@pytest.mark.parametrize(("trapped", "altitude"), [("yes", "low"), ("no", "high")])
def test_nobody_breathes_in_a_jammed_turret(pack: Pack, trapped: str, altitude: str) -> None:
    dead = {"oxygen.engineer": 2, "crew.ball-gunner": "kia", "gun.ball": "broken", "ball.trapped": trapped}
    moment = after_step(pack, "turn", {**HOMEWARD, "zone": 5, **dead})
    assert (moment["altitude"], moment.asked == "outlet") == (altitude, altitude == "high")


COLD_NOSE = {**HOMEWARD, "zone": 5, "crew.bombardier": "kia", "heat.bombardier": "out"}


@pytest.mark.section("b17 14.0", "b17 12.1")
@pytest.mark.parametrize(
    ("sheet", "altitude"),
    [
        ({"oxygen.engineer": 2, "crew.engineer": "serious"}, "low"),
        ({"oxygen.pilot": 2, "crew.pilot": "serious"}, "low"),
        ({"oxygen.engineer": 2, "crew.engineer": "serious", "heat.bombardier": "ok"}, "high"),
        ({"oxygen.engineer": 2}, "high"),  # who can stand bears the cold (11.0)
    ],
)
def test_no_badly_wounded_man_is_carried_into_the_cold(pack: Pack, sheet: dict[str, Any], altitude: str) -> None:
    moment = after_step(pack, "turn", {**COLD_NOSE, **sheet})
    assert (moment.asked == "outlet") == (altitude == "high")
    if altitude == "high":
        moment.fly("outlet: bombardier\n")
    assert (moment["altitude"], moment["zone"]) == (altitude, 4)


@pytest.mark.section("b17 14.0")
@pytest.mark.parametrize(
    ("height", "heat", "carried"), [("high", "out", False), ("high", "ok", True), ("low", "out", True)]
)
def test_nobody_moves_him_there_by_hand_either(pack: Pack, height: str, heat: str, carried: bool) -> None:
    lies = {"oxygen.engineer": 2, "crew.engineer": "serious", "heat.bombardier": heat, "altitude": height}
    moment = after_step(pack, "lost-2", {**COLD_NOSE, "formation": "out", **lies}, "crew-move: bombardier\n")
    assert ("engineer" in set(moment.options)) == carried


@pytest.mark.section("b17 12.1", "b17 14.2 d")
def test_a_wounded_copilot_who_cannot_breathe_is_laid_elsewhere(pack: Pack) -> None:
    hurt = {**HOMEWARD, "zone": 5, "oxygen.copilot": 2, "crew.copilot": "serious", "crew.tail-gunner": "kia"}
    moment = after_step(pack, "turn", hurt)
    assert (moment.asked, set(moment.options)) == ("outlet", {"tail-gunner", "stay"})
    moment.fly("outlet: tail-gunner\n")
    assert (moment["man.tail-gunner"], moment["oxygen.short"], moment["altitude"]) == ("copilot", 0, "high")


BESIDE_THE_PILOT = {**HOMEWARD, "zone": 5, "crew.copilot": "kia", "crew.tail-gunner": "kia",
                    "seat.copilot": "navigator", "seat.navigator": "copilot",
                    "oxygen.navigator": 2, "oxygen.copilot": 2}  # fmt: skip


@pytest.mark.section("b17 12.1", "b17 14.2 d")
def test_who_only_breathes_beside_the_pilot_goes_on_to_another_outlet(pack: Pack) -> None:
    moment = after_step(pack, "turn", BESIDE_THE_PILOT)
    assert (moment.asked, set(moment.options)) == ("outlet", {"tail-gunner", "stay"})
    moment.fly("outlet: tail-gunner\n")
    assert (moment["man.tail-gunner"], moment["oxygen.short"], moment["altitude"]) == ("navigator", 0, "high")


@pytest.mark.section("b17 12.1", "b17 14.2 c")
def test_nor_need_he_stay_beside_a_gunner_who_flies(pack: Pack) -> None:
    flown = {"seat.pilot": "radio-operator", "seat.radio-operator": "pilot"}
    dead = {"crew.pilot": "kia", "crew.engineer": "kia"}
    moment = after_step(pack, "turn", {**BESIDE_THE_PILOT, **flown, **dead})
    assert (moment.asked, set(moment.options)) == ("outlet", {"engineer", "radio-operator", "tail-gunner", "stay"})
    assert (moment["flies.radio-operator"], moment["flies.navigator"]) == ("yes", "no")


@pytest.mark.section("b17 14.0", "b17 14.1")
@pytest.mark.parametrize("man", ["radio-operator", "pilot"])
def test_a_badly_wounded_man_in_the_cold_is_carried_to_a_dead_mans_place(pack: Pack, man: str) -> None:
    cold = {**HOMEWARD, "zone": 5, f"crew.{man}": "serious", f"heat.{man}": "out", "crew.tail-gunner": "kia"}
    moment = after_step(pack, "lost-2", {**cold, "gun.tail": "broken"})
    assert moment.asked == "crew-move"
    moment.fly("crew-move: tail-gunner\n")
    assert moment.words[man].endswith("seriously wounded, carried to where it is warm")
    moment.fly(f"who-moves: {man}\n")
    assert (moment["man.tail-gunner"], moment["heat.lost"], moment[f"duty.{man}"]) == (man, 0, "none")
    warm = after_step(pack, "lost-2", {**cold, f"heat.{man}": "ok"}, "crew-move: tail-gunner\n")
    assert man not in warm.options
    both = after_step(pack, "lost-2", {**cold, "heat.tail-gunner": "out"}, "crew-move: tail-gunner\n")
    assert man not in both.options


@pytest.mark.section("b17 14.0")
def test_a_badly_wounded_pilot_in_the_cold_changes_with_a_man_who_sits_warm(pack: Pack) -> None:
    cold = {**HOMEWARD, "zone": 5, "crew.pilot": "serious", "heat.pilot": "out", "heat.ball-gunner": "out"}
    moment = after_step(pack, "lost-2", cold, "crew-move: pilot\n")
    assert set(moment.options) == {"nobody", *MEN} - {"pilot", "copilot", "ball-gunner"}
    moment.fly("who-moves: navigator\n")
    assert (moment["man.navigator"], moment["pilots"], moment["flies.navigator"]) == ("pilot", "ok", "no")
    assert after_step(pack, "lost-2", {**cold, "heat.pilot": "ok"}).asked == "G-5"


@pytest.mark.section("b17 14.0", "b17 12.1")
def test_the_warm_outlet_is_the_badly_wounded_mans(pack: Pack) -> None:
    both = {
        **COLD_NOSE, "crew.tail-gunner": "kia", "oxygen.engineer": 2, "oxygen.copilot": 2, "crew.copilot": "serious",
    }  # fmt: skip
    moment = after_step(pack, "turn", both, "outlet copilot: tail-gunner\noutlet engineer: bombardier\n")
    assert (moment["oxygen.short"], moment["altitude"]) == (0, "high")


@pytest.mark.section("b17 14.0")
def test_a_badly_wounded_man_lies_where_he_can_breathe(pack: Pack) -> None:
    hurt = {**HOMEWARD, "crew.bombardier": "serious", "oxygen.radio-operator": 2, "heat.port-waist": "out"}
    moment = after_step(pack, "lost-2", hurt, "crew-move: bombardier\n")
    assert not {"radio-operator", "port-waist"} & set(moment.options)
    assert {"navigator", "starboard-waist"} <= set(moment.options)
    below = after_step(pack, "lost-2", {**hurt, "altitude": "low", "formation": "out"}, "crew-move: bombardier\n")
    assert {"radio-operator", "port-waist"} <= set(below.options)


# -- before the fighters of a zone have flown (14.1) -------------------------------------------------------------------


def on_a_new_turn(pack: Pack, monkeypatch: pytest.MonkeyPatch, **facts: Any) -> Prompts:
    """At the prompts, on the way home, as a turn begins."""
    mission = Mission(pack, number=12)
    mission.write({**HOMEWARD, "mission.number": 12, "step": "new-turn", **facts})
    return Prompts(mission, monkeypatch)


@pytest.mark.section("b17 14.1")
@pytest.mark.parametrize("before", range(4))
def test_who_moves_before_the_first_attack_in_a_zone_fires_nothing_in_it(
    pack: Pack, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    """14.1: made in a zone where the bomber is attacked; before G-5, B-1, B-3 and M-4 are thrown."""
    player = on_a_new_turn(pack, monkeypatch)
    dice = ["1", "6", "11", "1"]  # poor cover, a wave, a Me 109 at 6 high, nobody driven off
    player.type(*dice[:before])
    player.type("move engineer to tail gunner", "")
    assert (player.mission.state["duty.engineer"], player.mission.state["duty.tail-gunner"]) == ("moved", "moved")
    shown = " ".join(player.type(*dice[before:]).split())
    assert "hold fire: the Engineer has just changed places (14.1)" in shown
    assert "hold fire: the Tail gunner has just changed places (14.1)" in shown


@pytest.mark.section("b17 14.1")
def test_who_moves_between_two_attacks_of_a_wave_misses_the_whole_of_the_next(pack: Pack) -> None:
    """14.1: until the attacks of one wave, both initial and successive, are over; that of the move had begun before."""
    guns = {name: state for name, state in NO_GUNS.items() if name != "gun.tail"}
    sheet = {**UNDER_ATTACK, **guns, "pass": 1, "fighter.1.hit": "yes", "waves.left": 3}
    moment = after_step(pack, "leave", sheet)  # it has hit, and comes again
    assert moment.asked == "B-6"
    moved(moment.mission, "engineer", "tail gunner")
    moment.mission.write({"fighter.1.type": "none"})
    moment.mission.pending = []
    moment.fly("B-3: 1,1\n")  # the next wave: from 6 high
    assert fact(moment.mission, "hold.why", gun="tail") == "hold fire: the Engineer has just changed places (14.1)"
    moment.fly("M-3: 1\n")
    assert (moment["wave"], moment["duty.engineer"]) == (3, "none")


@pytest.mark.section("b17 14.1")
@pytest.mark.parametrize("intercom", ["ok", "out"])
def test_nor_does_he_who_moves_as_an_engine_stops_on_entering_a_zone(
    pack: Pack, monkeypatch: pytest.MonkeyPatch, intercom: str
) -> None:
    dry = {"oil.leak.3": "yes", "oil.3": 0, "leg": "outbound", "bombs": "aboard", "intercom": intercom}
    player = on_a_new_turn(pack, monkeypatch, **dry)
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
def test_nobody_slips_away_before_the_die_that_is_for_him(
    pack: Pack, monkeypatch: pytest.MonkeyPatch, step: str, sheet: dict[str, Any], dice: str, die: str, hurt: str
) -> None:
    """14.2 a, 11.0: the shell finds who sits there, the frost whom it has had in the cold; he moves afterwards."""
    moment = after_step(pack, step, {**sheet, "formation": "in", "mission.number": 12}, dice)
    player = Prompts(moment.mission, monkeypatch)
    assert f"Navigator: BL-{4 if dice else 5} comes first" in player.type("move ball gunner to navigator")
    player.type(die)
    assert (fact(moment.mission, "crew.navigator"), fact(moment.mission, "crew.ball-gunner")) == (hurt, "ok")
    assert (fact(moment.mission, "frostbite.navigator") == "yes") == (hurt == "ok")
    player.type("move ball gunner to navigator")
    assert fact(moment.mission, "man.navigator") == "ball-gunner"


@pytest.mark.section("b17 14.2 a", "b17 6.4 d")
def test_nor_while_it_is_open_whom_the_shell_finds(pack: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = "O-2: 2\nO-3: 1,1\nO-3: 3,4\nO-3: 3,4\nO-4: 3,4\nO-5: 4,6\n"
    moment = after_step(pack, "homeward", {**OVER_BREMEN, "formation": "in", "mission.number": 12}, dice)
    player = Prompts(moment.mission, monkeypatch)
    assert "What strikes us comes first (14.1)" in player.type("move ball gunner to navigator")


@pytest.mark.section("b17 14.1")
@pytest.mark.parametrize("dice", [("1", "1"), ("6", "6", "11", "6")])  # no wave; all driven off
def test_a_move_is_free_once_nobody_attacks(pack: Pack, monkeypatch: pytest.MonkeyPatch, dice: tuple[str, ...]) -> None:
    player = on_a_new_turn(pack, monkeypatch)
    player.type("move engineer to tail gunner", "")
    player.type(*dice)
    assert "moved" not in {player.mission.state.get(f"duty.{man}") for man in MEN}


@pytest.mark.section("b17 14.1")
@pytest.mark.parametrize("before", range(4))
def test_without_intercom_nobody_moves_before_it_is_known_that_none_attack(
    pack: Pack, monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    player = on_a_new_turn(pack, monkeypatch, intercom="out")
    player.type(*["1", "6", "11", "1"][:before])
    assert "Without the intercom" in player.type("move engineer to tail gunner")
    assert "seat.tail-gunner" not in player.mission.state


@pytest.mark.section("b17 14.0", "b17 14.1")
def test_a_move_beside_the_question_who_takes_a_place_counts_for_the_answer(
    pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    mission = Mission(pack, number=12)
    mission.write({**HOMEWARD, "zone": 5, "formation": "in", "step": "lost-2", "crew.navigator": "serious"})
    player = Prompts(mission, monkeypatch)
    player.type("4")
    assert "The Starboard waist gunner gets his" in player.type("move starboard waist to navigator")
    assert "The Starboard waist gunner and the Ball gunner change places" in player.type("7")
    sits = {place: fact(mission, f"man.{place}") for place in MEN}
    assert {place: man for place, man in sits.items() if place != man} == {
        "navigator": "ball-gunner", "ball-gunner": "starboard-waist", "starboard-waist": "navigator",
    }  # fmt: skip


@pytest.mark.section("b17 14.1")
def test_the_question_whose_place_is_to_be_filled_comes_once_after_typed_moves(
    pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    mission = Mission(pack, number=12)
    hurt = {"crew.bombardier": "serious", "crew.tail-gunner": "serious"}
    mission.write({**HOMEWARD, "zone": 5, "formation": "in", "step": "lost-2", **hurt})
    player = Prompts(mission, monkeypatch)
    player.type("move radio operator to engineer")
    assert asked(mission) == ["crew-move"]
    player.type("move port waist to bombardier")
    assert asked(mission) == ["crew-move"]
    player.type("0")
    assert "crew-move" not in asked(mission)


def test_a_typed_move_is_taken_back_as_a_whole(companion: Run) -> None:
    """Seat and man were said in one line: nobody is asked for the one without the other, also after a break."""
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
def test_who_is_moved_beside_the_question_where_he_breathes_keeps_the_bomber_up(
    pack: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    mission = Mission(pack, number=12)
    mission.write({**LOW, "step": "turn", "oxygen.ball-gunner": 2, "crew.tail-gunner": "kia"})
    player = Prompts(mission, monkeypatch)
    player.type("climb")
    assert "he has found one already" in player.type("move ball gunner to tail gunner")
    assert (mission.state["altitude"], fact(mission, "oxygen.short")) == ("high", 0)


@pytest.mark.section("b17 12.1", "b17 14.1")
def test_who_goes_to_an_outlet_for_the_climb_fires_nothing_in_the_next_wave(pack: Pack) -> None:
    moment = after_step(pack, "turn", {**LOW, "oxygen.ball-gunner": 2, "crew.tail-gunner": "kia"}, "climb: climb\n")
    moment.fly("outlet: tail-gunner\n")
    assert moment["duty.ball-gunner"] == "moved"
