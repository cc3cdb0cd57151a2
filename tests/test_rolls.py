"""Moments at the table, from the book's own words: dice, state, and what follows."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.needs import Hand, Result
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import Problem
from tests.conftest import Run


def flying(pack: Pack, **facts: Any) -> Mission:
    mission = Mission(pack, number=1)
    mission.write({name.replace("__", ".").replace("_", "-"): value for name, value in facts.items()})
    return mission


def roll(mission: Mission, table: str | None, *dice: int, **facts: Any) -> Result:
    given = {name.replace("__", "."): value for name, value in facts.items()}
    return mission.roll(table, Hand([list(dice)] if dice else []), given)[0]


def waiting(mission: Mission) -> list[str]:
    return [item.get("roll") or item.get("choose") or "!" for item in mission.pending]


def test_the_sentence_it_is_made_for(companion: Run) -> None:
    ran = companion(
        "roll",
        "5-9",
        "--game",
        "b29",
        "--dice",
        "4,4",
        "--with",
        "fighter.clock=6",
        "--with",
        "fighter.pilot=ace",
        "--json",
    )
    assert ran.json == {
        "game": "b29",
        "table": "5-9",
        "title": "Japanese offensive fire",
        "dice": [4, 4],
        "rolled": 8,
        "modifiers": [{"add": 1, "why": "ace fighter pilot", "cite": "5-5"}],
        "net": 9,
        "natural": False,
        "outcome": "hit",
        "text": "The B-29 is hit",
        "then": ["5-10"],
        "changes": [],
        "assumed": {"mission.time": "day", "evasive": "no", "fighter.fca": 0, "engines.out": 0},
        "chain": [],
    }


def test_a_fighter_hits_and_every_shell_is_worked_off(b29: Pack) -> None:
    # A Frank at 12 high: 9 hits. 5-10: a 9 is two shells. 5-11 high: 7 nose, 6 nav/radio.
    # 5-12 Frank: a 2 is x1, a 4 is x2.
    mission = flying(b29, zone=12)
    mission.write({"slots.fighter": 1, "fighter.1.type": "frank", "fighter.1.clock": "12", "fighter.1.angle": "high"})
    assert roll(mission, "5-9", 4, 5).then == ["5-10"]
    assert roll(mission, None, 4, 5).then == ["5-11", "5-11"]
    assert roll(mission, None, 3, 4).outcome == "nose"
    assert roll(mission, None, 3, 3).outcome == "nav-radio"
    assert waiting(mission) == ["5-12", "5-12"]
    assert roll(mission, None, 2).then == ["7-1"]
    roll(mission, None, 3, 4)  # superficial
    assert roll(mission, None, 4).then == ["7-2", "7-2"]
    assert roll(mission, None, 2, 3).outcome == "radio"
    assert mission.state["radio"] == "out"
    assert waiting(mission) == ["7-2"]


def test_sub_rolls_and_notes_are_finished_before_the_next_damage_roll(b29: Pack) -> None:
    mission = flying(b29, zone=12, pressurized="yes")
    mission.roll("6-5", Hand([[1, 1]]))  # nose
    mission.pending.append({"roll": "7-2", "bind": {"area": "nav-radio"}, "born": 1})
    assert roll(mission, None, 3, 2).outcome == "hydraulics"
    assert waiting(mission) == ["7-1.hydraulics", "7-1.b", "7-2"]
    assert roll(mission, None, 6).outcome == "none"
    assert roll(mission, None, 6).then[0] == "7-1.b.compromised"
    assert mission.state["pressure.nose"] == "compromised"
    assert roll(mission, None, 6).then == ["7-11"]


def test_a_repeated_result_has_no_further_effect_but_the_pressure_is_checked(b29: Pack) -> None:
    mission = flying(b29, zone=5)
    assert roll(mission, "7-1", 1, 2).then == ["7-1.b"]
    roll(mission, None, 1)
    again = roll(mission, "7-1", 1, 2)
    assert (again.shown, again.then) == ([], ["7-1.b"])
    assert roll(mission, "7-2", 2, 3).shown != []
    mission.pending.clear()
    assert roll(mission, "7-2", 2, 3).shown == []


def test_windshield_first_second_and_third_hit(b29: Pack) -> None:
    mission = flying(b29, zone=5, pressurized="yes")
    assert roll(mission, "7-1", 4, 4).then == []
    second = roll(mission, "7-1", 4, 4)
    assert second.then[0] == "7-11"
    assert mission.state["windshield.hits"] == 2
    assert mission.state["pressure.nose"] == "compromised"
    mission.pending = [item for item in mission.pending if "order" in item]
    assert roll(mission, "7-1", 4, 4).then == ["7-1.crew"]


def test_jam_and_hit_on_unmodified_rolls(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    jam = roll(mission, "5-7", 1, 1, gun="tail", fighter__clock="6", fighter__pilot="green")
    assert (jam.outcome, jam.natural, jam.net) == ("jam", True, 5)
    assert mission.state["gun.tail"] == "jammed"
    hit = roll(mission, "5-7", 6, 6, gun="fwd-upper", fighter__clock="dive", evasive="yes")
    assert (hit.outcome, hit.natural, hit.net) == ("hit", True, 8)


def test_the_gun_that_fired_counts_for_its_damage_roll(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"slots.fighter": 1, "fighter.1.type": "nick", "fighter.1.clock": "12"})
    roll(mission, "5-7", 5, 6, gun="fwd-upper")
    result = roll(mission, None, 4, 4)  # 8 + 1 for the forward upper turret destroys a Nick
    assert (result.net, result.outcome) == (9, "destroyed")
    assert "fighter.1.type" not in mission.state
    assert mission.state["claimed.fwd-upper"] == 1


def test_four_fca_destroy(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"slots.fighter": 1, "fighter.1.type": "tony", "fighter.1.clock": "3"})
    for count in (1, 2, 3):
        roll(mission, "5-8", 1, 2)
        assert mission.state["fighter.1.fca"] == count
    assert roll(mission, "5-9", 4, 4).net == 5
    roll(mission, "5-8", 1, 2)
    assert "fighter.1.type" not in mission.state


def test_george_and_oscar_change_the_number_of_shells(b29: Pack) -> None:
    # 12 o'clock, a 2: three shells; George 4 (1.5 down), Oscar 2 (half up)
    mission = flying(b29, zone=12)
    facts = {"fighter__clock": "12", "fighter__angle": "high"}
    george = roll(mission, "5-10", 1, 1, fighter__type="george", **facts)
    assert (george.outcome, george.then) == ("4", ["5-11"] * 4)
    mission.pending.clear()
    assert roll(mission, "5-10", 1, 1, fighter__type="oscar", **facts).outcome == "2"


def test_walking_hits_strike_every_section(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    walking = roll(mission, "5-11", 6, 6, fighter__clock="3", fighter__angle="level")
    assert walking.outcome == "walking-hits-f"
    areas = [item["bind"]["area"] for item in mission.pending]
    assert areas == ["nose", "nav-radio", "starboard-wing", "waist", "utility", "tail"]
    mission.pending.clear()
    roll(mission, "5-11", 2, 1, fighter__clock="9", fighter__angle="low")
    assert [item["bind"]["area"] for item in mission.pending] == ["port-wing"] * 2 + ["starboard-wing"] * 2


def test_coordinated_attack_rolls_each_plane_and_a_further_five_drives_one_off(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"attack.type": "zeke", "formation": "in"})
    roll(mission, "5-3", 2, 3)
    assert roll(mission, None, 3, 4).outcome == "3"  # half of 7, rounded down
    assert waiting(mission) == ["5-3"] * 3
    assert roll(mission, None, 4, 1).then == ["5-3.f"]
    assert roll(mission, None, 6).then == ["5-3.f.shells"]
    assert roll(mission, None, 2).then == ["5-3.f.area"] * 2


def test_note_g_of_5_3_lets_a_fast_bomber_outrun_a_slow_fighter(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"attack.type": "oscar", "formation": "out", "bombs": "dropped"})
    outrun = roll(mission, "5-3", 4, 5)
    assert (outrun.outcome, outrun.then) == ("6", [])
    mission.write({"intercom": "out"})
    assert roll(mission, "5-3", 4, 5).then == ["5-4"]


def test_note_a_of_5_3_brings_a_frank_once(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"attack.type": "zeke", "formation": "in", "squadron": "low"})
    roll(mission, "5-3", 1, 1)
    assert (mission.state["fighter.1.type"], mission.state["fighter.1.clock"]) == ("frank", "climb")
    assert roll(mission, None, 1, 1).then == ["5-3"]
    assert "fighter.2.type" not in mission.state


def test_note_h_of_5_3_outside_formation_brings_both(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"attack.type": "zeke", "formation": "out"})
    roll(mission, "5-3", 6, 6)
    assert waiting(mission) == ["5-3", "5-3.lead", "5-3.tail"]
    mission.roll(None, Hand([[3, 3], [2], [6], [6]]))  # its place and angle, then those of Tony and Frank
    types = [mission.state.get(f"fighter.{slot}.type") for slot in (1, 2, 3)]
    assert types == ["zeke", "tony", "frank"]


def test_two_fighters_never_share_a_place(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"slots.fighter": 1, "fighter.1.type": "zeke", "fighter.1.clock": "12", "fighter.1.angle": "high"})
    mission.write({"attack.type": "zeke"})
    roll(mission, "5-3", 3, 3)
    assert roll(mission, None, 6).then == ["5-4"]
    assert roll(mission, None, 2).outcome == "level"
    assert mission.state["fighter.2.angle"] == "level"


def test_fuel_leaks_from_the_wing_tanks_after_the_pumps_have_had_their_say(b29: Pack) -> None:
    # 7-3 note b: half of 5 rounded up is 3; both pumps working -1
    mission = flying(b29, zone=12)
    roll(mission, "7-3", 1, 2)
    roll(mission, None, 3)
    assert roll(mission, None, 5).outcome == "2"
    assert mission.state["fuel.wing"] == 2
    assert "7-3.fuel-tank" not in waiting(mission)
    again = roll(mission, "7-3", 1, 2)
    assert (again.then, again.shown) == ([], [])


def test_boxes_end_at_the_last_one(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"fuel.wing": 37})
    leak = roll(mission, "7-3.b", 6, pumps__failed=2)
    assert (leak.outcome, mission.state["fuel.wing"]) == ("4", 38)
    assert "1 of 4" in leak.notes[0][0]


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


def test_urban_areas_double_and_a_bad_bay_halves(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"bomb-run": "on", "target.type": "urban-area"})
    assert roll(mission, "6-7", 5, 5).outcome == "100"
    mission.write({"release.fwd": "out"})
    assert roll(mission, "6-7", 3, 4).outcome == "20"
    assert roll(mission, "6-7", 1, 2).outcome == "30"
    mission.write({"doors.aft": "jammed-shut"})
    assert roll(mission, "6-7", 3, 4).outcome == "0"
    assert mission.state["bomb-run"] == "off"


def test_doors_that_were_hit_are_rolled_between_6_6_and_6_7(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    assert roll(mission, "7-4", 4, 4).then == []
    assert roll(mission, "6-6", 6).then == ["7-4.doors", "6-7"]
    roll(mission, None, 1)
    assert mission.state["doors.aft"] == "jammed-shut"
    assert waiting(mission)[:2] == ["7-3.e", "6-7"]


def test_a_burst_inside_nav_radio_takes_every_row_of_its_table(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"mission.time": "day", "formation": "in"})
    roll(mission, "6-4", 1, 1)
    rolled = mission.roll(None, Hand([[1, 2]]))
    assert {mission.state[f"crew.{man}"] for man in ("navigator", "engineer", "radio-operator")} == {"kia"}
    assert mission.state["formation"] == "out"
    assert mission.state["pressurization"] == "lost"
    assert [each.table for each in rolled] == ["6-5", "6.2F", "6.2F.torn"]
    assert waiting(mission)[:3] == ["7-13"] * 3
    assert [item["take"] for item in mission.pending if "take" in item] == list(range(2, 13))


def test_a_burst_in_a_wing_means_bail_out(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    roll(mission, "6-4", 1, 1)
    mission.roll(None, Hand([[4, 4]]))
    assert waiting(mission) == ["8-5"] * 11


def test_flak_is_rolled_three_times_and_hits_come_after_all_three(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    assert roll(mission, "6-2", 5).then == ["6-3"] * 3
    roll(mission, None, 3, 4)
    assert waiting(mission) == ["6-3", "6-3", "6-4"]


def test_bombardier_lost_to_flak_is_off_target_without_a_die(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    roll(mission, "6-2", 3)
    mission.write({"crew.bombardier": "serious"})
    assert mission.roll("6-6", Hand())[0].outcome == "off"


def test_two_inboard_engines_lose_all_pressure_and_leave_orders(b29: Pack) -> None:
    mission = flying(b29, zone=12, pressurized="yes")
    mission.write({"altitude": "hi", "formation": "in"})
    mission.write({"engine.2": "out"})
    mission.write({"engine.3": "runaway"})
    assert mission.state["pressurization"] == "lost"
    assert mission.state["formation"] == "out"
    orders = [item["order"] for item in mission.pending if "order" in item]
    assert "Jettison the bombs" in orders
    mission.write({"bombs": "jettisoned"})
    assert "Jettison the bombs" not in [item.get("order") for item in mission.pending]


def test_weather_looks_back_one_zone(b29: Pack) -> None:
    mission = flying(b29, zone=3)
    roll(mission, "4-2", 6, 6)
    assert mission.state["weather"] == "bad"
    mission.write({"zone": 4, "altitude": "med"})
    look = roll(mission, "4-2", 2, 5)
    assert (look.net, look.outcome) == (9, "poor")
    assert mission.state["log.outbound.4.weather"] == "poor"


def test_wind_at_high_altitude(b29: Pack) -> None:
    mission = flying(b29, zone=3)
    mission.write({"altitude": "hi", "fuel.wing": 5, "leg": "inbound"})
    assert roll(mission, "4-2", 1, 1).outcome == "good"
    assert mission.state["fuel.wing"] == 4
    mission.write({"leg": "outbound"})
    roll(mission, "4-2", 1, 1)
    assert mission.state["fuel.wing"] == 5


def test_a_searchlight_ends_with_the_turn(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"mission.time": "night", "squadron": "low"})
    light = roll(mission, "5-14", 6, 6)
    assert (light.outcome, light.then) == ("fixed", ["searchlight-shot"])
    mission.roll(None, Hand(), outcome="fire")
    shot = roll(mission, None, 1, 1)
    assert shot.then == ["5-14.jam"]
    assert mission.state["ammo.fwd-lower"] == mission.state["ammo.aft-lower"] == 1
    roll(mission, None, 5)
    assert mission.state["gun.aft-lower"] == "jammed"
    mission.write({"turn": 7})
    assert "searchlight" not in mission.state


def test_bakas_fly_only_late_in_the_war(b29: Pack) -> None:
    early = flying(b29, zone=12)
    assert roll(early, "5-3.special", 1).outcome == "none"
    late = flying(b29, zone=12)
    late.write({"mission.number": 15})
    assert roll(late, "5-3.special", 1).outcome == "baka"
    hit = roll(late, "5-7", 6, 5, gun="tail")  # 6 o'clock counts nothing against a Baka
    assert (hit.net, hit.applied, hit.outcome) == (11, [], "hit")
    down = roll(late, None, 3, 4)
    assert (down.outcome, down.then) == ("destroyed", ["5-3.b.blast"])
    roll(late, None, 2)
    assert waiting(late) == ["7-5", "7-5", "7-5", "7-5", "7-8", "7-8", "7-8"]


def test_engines_are_picked_by_the_wing(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    roll(mission, "7-5", 5, 5, area="starboard-wing")
    assert roll(mission, None, 2).outcome == "3"
    assert roll(mission, None, 3).outcome == "out"
    assert mission.state["engine.3"] == "out"


def test_a_man_takes_a_dead_gunners_seat(b29: Pack) -> None:
    # 7.6 B: within one compartment at no penalty; who comes from another fires nothing this turn
    mission = flying(b29, zone=12)
    mission.write({"crew.cfc": "kia", "name.cfc": "Roy", "name.radar-operator": "Abe", "turn": 5})
    mission.pending = [{"choose": "move", "born": 1}]
    mission.roll(None, Hand(), outcome="cfc")
    mission.roll(None, Hand(), outcome="radar-operator")
    state = mission.state
    assert (state.get("crew.cfc", "ok"), state["crew.radar-operator"]) == ("ok", "kia")
    assert (state["name.cfc"], state["name.radar-operator"]) == ("Abe", "Roy")
    assert "duty.cfc" not in state
    mission.undo(2)
    assert mission.state["name.cfc"] == "Roy"
    mission.pending = [{"choose": "move", "born": 1}]
    mission.roll(None, Hand(), outcome="cfc")
    mission.roll(None, Hand(), outcome="navigator")
    assert mission.state["duty.cfc"] == "moved"
    mission.write({"turn": 6})
    assert "duty.cfc" not in mission.state


def test_a_substitute_does_not_lift_the_bombardiers_minus(b29: Pack) -> None:
    # RULINGS B49
    mission = flying(b29, zone=12)
    mission.write({"crew.bombardier": "kia"})
    mission.pending = [{"choose": "who-moves", "born": 1}]
    mission.write({"into": "bombardier"})
    mission.roll(None, Hand(), outcome="navigator")
    assert "bombardier" in [each.modifier.id for each in roll(mission, "6-6", 6).applied]


def test_undo_takes_what_settled_itself_with_the_thing_that_was_done(b29: Pack) -> None:
    mission = Mission(b29)
    mission.write({"altitude": "hi"})
    mission.advance()  # a step, and what it settles
    stand, state = mission.journal.stand, dict(mission.state)
    mission.roll("4-2", Hand([[3, 4]]))
    mission.advance()
    mission.take_back()
    assert (mission.journal.stand, mission.state) == (stand, state)
    assert [each["v"] for each in mission.put_forward()][0] == "roll"
    assert mission.journal.stand == len(mission.journal.entries)
    with pytest.raises(Problem, match="cannot undo 9; 2 rolls, decisions or marks can be undone"):
        mission.take_back(9)
    mission.take_back(2)
    assert (mission.journal.stand, mission.state) == (0, {})
    with pytest.raises(Problem, match="cannot redo 3; 2 rolls, decisions or marks can be redone"):
        mission.put_forward(3)
    mission.put_forward(2)
    with pytest.raises(Problem, match="nothing to redo"):
        mission.put_forward()
