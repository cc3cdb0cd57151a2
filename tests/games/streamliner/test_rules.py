"""What the Streamliner changes: courses, fighters, the random events of its section 17."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.pending import Pending
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.engine.resolution import Result
from companion.engine.rules import words
from companion.packs import Pack
from companion.play.mission import Mission
from tests.games.streamliner.table import total
from tests.support import Run, after_step, again, begin, counted, set_up


def roll(pack: Pack, state: dict[str, Any], name: str, *dice: list[int]) -> tuple[Play, list[Result]]:
    """The table and, while there are dice, what it asks for; the state is the sheet."""
    play, found = Play(pack, state), []
    found.append(settle(play.roll(name, Hand([dice[0]]))))
    left = list(dice[1:])
    while left:
        item = play.pending[0]
        found.append(settle(play.roll(item.name, Hand([left.pop(0)]), item.bind, item=item)))
    return play, found


@pytest.mark.section("b29-streamliner 5 A 4", "b29-streamliner 5 B 2", "b29-streamliner 2")
def test_off_course_costs_one_box_at_once(pack: Pack) -> None:
    state = {"zone": 11, "target.zone": 12, "mission.time": "night", "formation": "none", "missions.navigator": 10}
    play, _ = roll(pack, state, "4-8", [6, 6])
    assert play.state["course"] == "off"
    assert play.state["fuel.wing"] == 1
    assert play.pending == []


@pytest.mark.section("b29-streamliner 5 A 2", "b29-streamliner 5 A 3")
@pytest.mark.parametrize(
    "where",
    [
        {"zone": 12, "leg": "outbound"},
        {"zone": 1, "leg": "inbound"},
        {"zone": 6, "leg": "inbound", "mission.number": 20},
    ],
)
def test_but_not_where_each_further_turn_is_paid_for(pack: Pack, where: dict[str, Any]) -> None:
    state = {"target.zone": 12, "mission.time": "night", "formation": "none", **where}
    play, _ = roll(pack, state, "4-8", [6, 6])
    assert play.state["course"] == "off"
    assert "fuel.wing" not in play.state


def test_iwo_jima_passed_by_costs_the_box_after_all(pack: Pack) -> None:
    state = {
        "zone": 6, "leg": "inbound", "mission.number": 20, "course": "off", "fuel.wing": 5, "mission.time": "night",
    }  # fmt: skip
    play = Play(pack, state, [Pending.of({"choose": "lost-way"})])
    settle(play.choose(play.pending[0], "fly-on"))
    assert play.state["fuel.wing"] == 6


@pytest.mark.section("b29-streamliner 5 B 1")
def test_the_lead_bomber_gives_up_on_a_six(pack: Pack) -> None:
    state = {"zone": 12, "target.zone": 12, "formation": "in", "bomber.position": "tail", "course": "off"}
    play, _ = roll(pack, state, "4-8.leader", [6])
    assert (play.state["aborted"], play.state["bomb-run"], play.state["bombs"]) == ("yes", "off", "dropped")
    assert (play.state["leg"], play.state["formation"], play.state["fuel.wing"]) == ("inbound", "in", 1)
    play, _ = roll(pack, state, "4-8.leader", [5])
    assert play.pending[0].name == "leave-group"
    without = {**state, "bombs": "jettisoned", "load.fwd": "gone", "load.aft": "gone"}  # for a dead engine (7.2)
    play, _ = roll(pack, without, "4-8.leader", [6])
    assert (play.state["aborted"], play.state.get("bomb-run"), play.state["bombs"]) == ("yes", None, "jettisoned")
    for choice, option in (("lost-way", "abort"), ("leave-group", "leave")):
        play = Play(
            pack, {**without, "formation": "out" if choice == "lost-way" else "in"}, [Pending.of({"choose": choice})]
        )
        settle(play.choose(play.pending[0], option))
        assert (play.state["aborted"], play.state.get("bomb-run"), play.state["bombs"]) == ("yes", None, "jettisoned")


@pytest.mark.section("b29-streamliner 12")
def test_no_night_attack_over_water_and_fighters_only_after_a_light(pack: Pack) -> None:
    night = {"mission.time": "night", "formation": "none", "altitude": "med", "zone": 11, "gazetteer": 0}
    night["electrical"] = "out"  # no evasion, and no question about it
    over_sea, _ = roll(pack, {**night, "below": "sea"}, "5-1", [5, 5])
    assert over_sea.pending == []
    over_land, _ = roll(pack, {**night, "below": "sea-or-land"}, "5-1", [5, 5])
    assert [item.name for item in over_land.pending] == ["5-14"]
    dark, _ = roll(pack, {**night, "below": "land"}, "5-1", [5, 5], [4, 4])
    assert dark.pending == []
    lit, results = roll(pack, {**night, "below": "land"}, "5-1", [5, 5], [6, 6])
    assert [item.name for item in lit.pending] == ["5-15"]
    assert results[1].patched == [{"table": "5-14", "reason": "Streamliner 12: fighters come to the light"}]
    none, _ = roll(pack, {**night, "below": "land"}, "5-1", [1, 2])
    assert none.pending == []


@pytest.mark.section("b29-streamliner 11")
def test_by_day_resistance_asks_for_the_die_alone(pack: Pack) -> None:
    play, results = roll(pack, {"mission.time": "day", "formation": "in", "altitude": "med"}, "5-1", [4, 4], [3])
    assert (results[0].outcome, results[1].outcome) == ("moderate", "none")
    assert play.pending == []


@pytest.mark.section("b29-streamliner 6")
def test_a_twelve_splits_into_special_and_normal(pack: Pack) -> None:
    special, _ = roll(pack, {}, "4.6", [6, 6], [2])
    assert special.pending[0].name == "17"
    normal, _ = roll(pack, {}, "4.6", [6, 6], [3])
    assert normal.pending[0].name == "4-9"


def after(pack: Pack, state: dict[str, Any], *dice: list[int]) -> dict[str, Any]:
    return roll(pack, state, "17", *dice)[0].state


@pytest.mark.section("b29-streamliner 17 2")
def test_food_poisoning_passes_on_the_ground(pack: Pack) -> None:
    dice = [[1], [3], [5], *[[2]] * 8]
    mission = Mission(pack, number=1)
    mission.state = after(pack, {"crew.engineer": "kia", "mission.number": 3}, [1, 1], *dice[:10])
    assert [mission.state.get(f"crew.{man}") for man in ("pilot", "copilot", "bombardier")] == [
        None, "light", "serious",
    ]  # fmt: skip
    mission.state.update({"step": "landing-base", "bomber.fate": "returned", "zone": 0, "target.type": "airfield"})
    mission.advance()
    assert [mission.state.get(f"crew.{man}") for man in ("copilot", "bombardier", "engineer")] == ["ok", "ok", "kia"]
    assert mission.pending == []


@pytest.mark.section("b29-streamliner 17 2")
def test_a_wound_outlasts_the_poisoning(pack: Pack) -> None:
    state = {"crew.cfc": "serious", "food.cfc": "severe", "food.before.cfc": "ok"}
    play = Play(pack, state)
    settle(play.roll("7-13", Hand([[1]]), {"position": "cfc"}, outcome="serious"))
    assert play.state["food.cfc"] == "none"


@pytest.mark.section("b29-streamliner 17 2")
@pytest.mark.parametrize("wound", ["light", "serious"])
@pytest.mark.parametrize(
    ("state", "spoken_of"),
    [
        ({}, False),
        ({"crew.cfc": "light", "wounds.cfc": 1}, False),
        ({"crew.cfc": "kia"}, False),
        ({"crew.pilot": "serious", "food.pilot": "severe", "food.before.pilot": "ok"}, False),  # another man
        ({"crew.cfc": "light", "food.cfc": "mild", "food.before.cfc": "ok"}, True),
        ({"crew.cfc": "serious", "food.cfc": "severe", "food.before.cfc": "ok"}, True),
    ],
)
def test_of_the_poisoning_is_spoken_where_it_took_part(
    pack: Pack, wound: str, state: dict[str, Any], spoken_of: bool
) -> None:
    result = settle(
        Play(pack, {"setting.wounds": "worse", **state}).roll("7-13", Hand([[1]]), {"position": "cfc"}, outcome=wound)
    )
    assert any("poisoning" in each["reason"] for each in result.patched) == spoken_of


@pytest.mark.section("b29-streamliner 17 2")
def test_a_second_serious_wound_of_a_poisoned_man_is_a_second_one(pack: Pack) -> None:
    play = Play(pack, {"setting.wounds": "worse", "crew.cfc": "serious", "food.cfc": "severe", "food.before.cfc": "ok"})
    first, second = (settle(play.roll("7-13", Hand([[1]]), {"position": "cfc"}, outcome="serious")) for _ in range(2))
    assert (first.text, second.text) == (
        "Central fire controller: seriously wounded besides",
        "Central fire controller: a serious wound beside another wound",
    )


@pytest.mark.section("b29-streamliner 17 3")
def test_cfc_failure_stops_the_turrets_alone(pack: Pack) -> None:
    state = after(pack, {"gun.aft-lower": "jammed", "gun.fwd-upper": "unarmed"}, [1, 2])
    guns = ("fwd-upper", "fwd-lower", "aft-upper", "aft-lower", "tail")
    assert [state.get(f"gun.{gun}") for gun in guns] == ["unarmed", "broken", "broken", "broken", None]


@pytest.mark.section("b29-streamliner 17 4", "b29-streamliner 17 7")
@pytest.mark.parametrize(
    ("dice", "state", "boxes"),
    [([1, 3], {"fuel.wing": 5}, 3), ([1, 3], {"fuel.wing": 1}, 0),
     ([1, 3], {"fuel.wing": 5, "crew.engineer": "serious"}, 5), ([3, 4], {"fuel.wing": 5}, 7),
     ([3, 4], {"fuel.wing": 5, "crew.engineer": "kia"}, 9)],
)  # fmt: skip
def test_fuel_events(pack: Pack, dice: list[int], state: dict[str, Any], boxes: int) -> None:
    assert after(pack, state, dice)["fuel.wing"] == boxes


@pytest.mark.section("b29-streamliner 17 6", "b29-streamliner 17 8", "b29-streamliner 17 9", "b29-streamliner 17 10")
def test_what_lasts(pack: Pack) -> None:
    assert after(pack, {}, [1, 4])["front"] == "storm"
    assert after(pack, {"front": "storm"}, [4, 5])["front"] == "high-pressure"
    assert after(pack, {}, [3, 3])["pathfinder"] == "yes"
    assert "pathfinder" not in after(pack, {"crew.navigator": "serious"}, [3, 3])
    assert after(pack, {}, [4, 4])["pickle-barrel"] == "yes"
    assert "pickle-barrel" not in after(pack, {"crew.bombardier": "kia"}, [4, 4])
    assert after(pack, {}, [5, 5])["radar"] == "out"


@pytest.mark.section("b29-streamliner 17 8")
@pytest.mark.parametrize(
    ("lost", "add"),
    [
        ({}, 1), ({"crew.bombardier": "light"}, 1), ({"crew.bombardier": "serious"}, 0),
        ({"duty.bombardier": "fire"}, 0),  # RULINGS S6: he is not at his sight
    ],
)  # fmt: skip
def test_the_bombardier_has_his_day_while_he_is_fit(pack: Pack, lost: dict[str, Any], add: int) -> None:
    over = {"zone": 12, "target.zone": 12, "altitude": "med", "formation": "in", **lost}
    assert total(pack, "6-6", {**over, "pickle-barrel": "yes"}) - total(pack, "6-6", over) == add


@pytest.mark.section("b29-streamliner 17 5", "b29-streamliner 17 9")
def test_a_storm_replaces_the_weather_roll_and_keeps_the_dangers(pack: Pack) -> None:
    state = {"step": "gazetteer-set", "moved": "yes", "zone": 4, "formation": "in", "leg": "outbound", "turn": 4}
    mission = Mission(pack, {**state, "front": "storm"}, number=1)
    mission.advance()
    assert mission.state["weather"] == "bad"
    assert [item.name for item in mission.pending] == ["4-3"]
    clear = Mission(pack, {**state, "front": "high-pressure"}, number=1)
    clear.advance()
    assert clear.state["weather"] == "good"
    assert [item.name for item in clear.pending] == ["4-8"]


@pytest.mark.section("b29-streamliner 17 11")
def test_icing(pack: Pack) -> None:
    high = {"altitude": "hi", "mission.time": "day", "formation": "in", "turn": 4, "zone": 5}
    state = after(pack, {**high, "weather": "poor"}, [5, 6])
    assert (state["bombs"], state["altitude"], state["formation"]) == ("jettisoned", "lo", "out")
    assert Facts(pack.sheet, state)["may-evade"] == "no"
    for spared in ({"weather": "good"}, {"weather": "bad", "altitude": "med"}):
        assert "bombs" not in after(pack, {**high, **spared}, [5, 6])


@pytest.mark.section("b29-streamliner 17 11")
@pytest.mark.parametrize(("zone", "usable"), [(10, True), (11, False)])
def test_who_was_iced_may_join_the_others_again(pack: Pack, zone: int, usable: bool) -> None:
    iced = {
        "mission.number": 15, "mission.time": "day", "mission.altitude": "hi", "target.city": "kobe", "target.zone": 12,
        "turn": 10, "zone": zone, "zone.turns": 1, "altitude": "lo", "formation": "out", "weather": "poor",
        "bombs": "jettisoned", "load.fwd": "gone", "load.aft": "gone", "fuel.wing": 10, "icing": "yes",
    }  # fmt: skip
    moment = after_step(pack, "jettison", iced)
    assert (moment.asked == "abort" and set(moment.options) == {"go-on", "abort"}) is usable
    assert (moment["aborted"] == "no") is usable


@pytest.mark.section("b29-streamliner 17 12")
def test_the_sharpshooter_adds_one_to_every_gun_he_fires(pack: Pack) -> None:
    state = after(pack, {}, [6, 6], [3])
    assert state["sharpshooter"] == "cfc"
    fires = {**state, "gun": "aft-upper", "aim.aft-upper.by": "cfc"}
    assert total(pack, "5-7", fires) == 1
    assert total(pack, "5-7", {**fires, "aim.aft-upper.by": "bombardier"}) == 0
    assert total(pack, "5-7", state) == 0


@pytest.mark.section("b29-streamliner 17 12")
def test_a_second_sharpshooter_leaves_the_first_his(pack: Pack) -> None:
    state = after(pack, {"sharpshooter": "cfc"}, [6, 6], [6])
    for by, gun, add in (("cfc", "aft-upper", 1), ("tail-gunner", "tail", 1), ("bombardier", "fwd-upper", 0)):
        assert total(pack, "5-7", {**state, "gun": gun, f"aim.{gun}.by": by}) == add, by
    again = after(pack, {"sharpshooter": "cfc"}, [6, 6], [2])
    assert total(pack, "5-7", {**again, "gun": "aft-upper", "aim.aft-upper.by": "cfc"}) == 1


@pytest.mark.parametrize(("crossed", "usual"), [(30, "stay"), (31, "lo"), (35, "lo")])
def test_short_of_fuel_the_usual_way_past_iwo_jima_is_down_to_it(pack: Pack, crossed: int, usual: str) -> None:
    """8.4: only at LO may she land there; seven boxes or fewer do not bring a Streamliner home (step 2, step 5)."""
    facts = {"mission.number": 14, "zone": 6, "leg": "inbound", "altitude": "hi", "formation": "out", "course": "on"}
    tanks = {"fuel.wing": crossed, "fuel.fwd": 4, "fuel.aft": 4, "fuel.due": 1, "bombs": "dropped"}
    play = Play(pack, {**facts, **tanks, "mission.time": "day", "mission.altitude": "hi"})
    assert play.options_of(Pending.of({"choose": "altitude", "bind": {}}))[0].name == usual


@pytest.mark.section("b29-streamliner 17 11")
@pytest.mark.parametrize(
    ("state", "dice", "left"),
    [
        ({}, [], ("jettisoned", "gone", "gone")),
        ({"release.fwd": "out"}, [[2]], ("jettisoned", "gone", "gone")),  # 7-3 f
        ({"release.fwd": "out"}, [[3]], ("aboard", "aboard", "gone")),
        ({"doors.fwd": "jammed-shut"}, [], ("aboard", "aboard", "gone")),  # nothing falls through closed doors
    ],
)
def test_icing_empties_every_bay_that_opens(
    pack: Pack, state: dict[str, Any], dice: list[list[int]], left: tuple[str, str, str]
) -> None:
    high = {"altitude": "hi", "mission.time": "day", "formation": "in", "turn": 4, "zone": 5, "weather": "poor"}
    iced = after(pack, {**high, **state}, [5, 6], *dice)
    assert tuple(iced.get(name, "aboard") for name in ("bombs", "load.fwd", "load.aft")) == left


WELL = {"mission.number": 12, "zone": 11, "turn": 11, "setting.wounds": "as-b17"}


@pytest.mark.parametrize(
    ("state", "wound", "health"),
    [
        ({"crew.pilot": "light", "wounds.pilot": 1}, "serious", "kia"),  # the campaign's way with further wounds
        ({"crew.pilot": "light", "wounds.pilot": 2}, "light", "serious"),
        ({"crew.pilot": "light", "food.pilot": "mild", "food.before.pilot": "ok"}, "serious", "serious"),
        ({"crew.pilot": "serious", "food.pilot": "severe", "food.before.pilot": "ok"}, "serious", "serious"),
        ({"crew.pilot": "serious", "food.pilot": "severe", "food.before.pilot": "ok"}, "light", "serious"),
        ({"crew.pilot": "serious", "food.pilot": "severe", "food.before.pilot": "light"}, "light", "serious"),
    ],
)
def test_a_meal_is_no_wound(pack: Pack, state: dict[str, Any], wound: str, health: str) -> None:
    """17, row 2: poisoning passes; only wounds add up as the campaign plays them (RULINGS B58)."""
    mission = Mission(pack, {**WELL, **state}, number=1)
    mission.pending = [Pending.of({"roll": "7-13", "bind": {"position": "pilot"}, "born": 1})]
    mission.roll(None, Hand([[3, 3]]), outcome=wound)
    while (item := mission.waiting()) is not None and item.name.startswith("7-13"):
        mission.roll(None, Hand())
    assert mission.state["crew.pilot"] == health


def test_a_poisoned_man_takes_it_with_him(pack: Pack) -> None:
    """7.6 and 17, row 2: he is well again after landing, wherever he sits then."""
    poisoned = {"crew.radio-operator": "light", "food.radio-operator": "mild", "food.before.radio-operator": "ok"}
    mission = Mission(pack, {**WELL, "crew.navigator": "kia", **poisoned}, number=1)
    mission.pending = [Pending.of({"choose": "move", "born": 1})]
    mission.roll(None, Hand(), outcome="navigator")
    mission.roll(None, Hand(), outcome="radio-operator")
    assert (mission.state["food.navigator"], mission.state.get("food.radio-operator", "none")) == ("mild", "none")
    mission.write({"step": "landing-base", "bomber.fate": "returned", "zone": 0, "target.type": "airfield"})
    mission.advance()
    assert (mission.state["crew.navigator"], mission.state["crew.radio-operator"]) == ("ok", "kia")


@pytest.mark.section("b29-streamliner 17 12")
def test_the_sharpshooter_is_a_man_and_no_seat(pack: Pack) -> None:
    fires = {"sharpshooter": "left-gunner", "gun": "aft-upper", "aim.aft-upper.by": "cfc"}
    assert total(pack, "5-7", fires) == 0
    moved = {"seat.cfc": "left-gunner", "seat.left-gunner": "cfc"}
    assert total(pack, "5-7", {**fires, **moved}) == 1
    assert total(pack, "5-7", {**fires, **moved, "aim.aft-upper.by": "left-gunner"}) == 0


@pytest.mark.parametrize(
    ("sharp", "seat", "add"), [("tail-gunner", "none", 0), ("tail-gunner", "cfc", -1), ("cfc", "cfc", 0)]
)
def test_the_sharpshooter_at_the_tail_guns(pack: Pack, sharp: str, seat: str, add: int) -> None:
    """17, row 12 on a passing shot (-1): whoever sits there now."""
    shot = {
        "gun": "tail", "passing-shot": "yes", "fighter.clock": "12", "fighter.type": "zeke", "aim.tail.by": "passing",
    }  # fmt: skip
    assert total(pack, "5-7", {**shot, "sharpshooter": sharp, "seat.tail-gunner": seat}) == add


@pytest.mark.section("b29-streamliner 5 A 3")
def test_reaching_iwo_jima_off_course_costs_the_turns_alone(pack: Pack) -> None:
    state = {"mission.number": 12, "mission.time": "night", "formation": "none", "aborted": "yes", "leg": "outbound"}
    mission = Mission(pack, {**state, "zone": 6, "moved": "yes", "turn": 6, "step": "gazetteer-set"}, number=1)
    mission.advance()
    mission.roll(None, Hand([[3, 4]]))  # weather
    mission.advance()
    mission.roll(None, Hand([[6, 6]]))
    assert (mission.state["course"], mission.state.get("fuel.wing", 0)) == ("off", 0)


@pytest.mark.section("b29-streamliner 12 a")
def test_lights_that_were_dodged_in_the_zone_before_cost_the_run_nothing(pack: Pack) -> None:
    facts = "mission.number=14 mission.time=night formation=none target.zone=13 zone=12 turn=12 altitude=lo"
    moment = set_up(pack, facts)
    moment.mission.pending = [Pending.of({"choose": "evade-lights", "bind": {}, "born": 1})]
    title = words(pack.choice("evade-lights"), "title", Facts(pack.sheet, moment.mission.state))
    assert title == "Evade the searchlights? -1 on 5-14, on our guns"
    moment.fly("evade-lights: yes")
    again(moment, "5-14").fly("5-14: 3,3")
    assert moment["evasive.bomb-run"] == "yes"
    moment.mission.write({"turn": 13, "zone": 13})
    assert (moment["evasive"], moment["evasive.bomb-run"]) == ("no", "no")


@pytest.mark.section("b29-streamliner 5 A", "b29-streamliner 17 4", "b29-streamliner 17 6")
@pytest.mark.parametrize(
    ("man", "lost", "counts"),
    [("navigator", "", []), ("navigator", "crew.cfc=serious", ["navigator"]), ("radar-operator", "", []),
     ("radar-operator", "crew.cfc=kia", ["radar"])],
)  # fmt: skip
def test_who_sits_elsewhere_is_lost_only_with_his_own_wound(pack: Pack, man: str, lost: str, counts: list[str]) -> None:
    sheet = "zone=6 mission.number=12 missions.navigator=9 missions.cfc=9 formation=out weather=good "
    moment = set_up(pack, sheet + f"crew.{man}=ok seat.{man}=cfc seat.cfc={man} {lost}", "4-8")
    moment.fly("4-8: 2,2")
    assert counted(moment, "4-8") == counts


@pytest.mark.section("b29-streamliner 17 4", "b29-streamliner 17 7")
def test_the_engineer_in_the_pilots_seat_still_sees_to_the_fuel(pack: Pack) -> None:
    flies = "fuel.wing=9 seat.pilot=engineer seat.engineer=pilot crew.engineer=kia crew.copilot=kia "
    for state, boxes in ((flies, [7, 9]), (flies + "crew.pilot=serious", [9, 13])):
        moment = set_up(pack, state, "17")
        moment.fly("17: 1,3")
        assert moment["fuel.wing"] == boxes[0]
        again(moment, "17").fly("17: 3,4")
        assert moment["fuel.wing"] == boxes[1]


@pytest.mark.section("b29-streamliner 4", "b29-streamliner 5 A", "b29-streamliner 5 B")
@pytest.mark.parametrize(("jettison", "counts"), [("yes", False), ("no", True)])
def test_an_engine_lost_in_a_storm_says_which_course_list_counts(pack: Pack, jettison: str, counts: bool) -> None:
    """5: who keeps the bombs is out of formation before the course is rolled, and her novice counts on list A."""
    sheet = "mission.number=12 mission.time=day mission.altitude=hi target.zone=12 zone=10 turn=10 altitude=hi "
    storm = "moved=yes zone.turns=1 engine.1=out formation=in weather=bad front=storm setting.escort-out=stays"
    script = f"4-3: 1\njettison: {jettison}\n4-8: 2,2"
    moment = after_step(pack, "weather", pack.sheet.given(f"{sheet}{storm}".split()), script)
    assert ("novice" in counted(moment, "4-8")) == counts


@pytest.mark.section("b29-streamliner 5 A 2", "b29-streamliner 5 A 3")
@pytest.mark.parametrize(("state", "boxes"), [("zone=12 leg=outbound", "two boxes"), ("zone=1 leg=inbound", "one box")])
def test_who_stays_off_course_is_told_what_it_costs(pack: Pack, state: str, boxes: str) -> None:
    moment = set_up(pack, f"target.zone=12 mission.number=12 course=off turn=12 {state}")
    moment.mission.pending = [Pending.of({"choose": "lost-way", "bind": {}, "born": 1})]
    assert moment.words["stay"] == f"stay a turn and look: {boxes}"


@pytest.mark.section("b29-streamliner 5 A 4", "b29-streamliner 5 B 2")
@pytest.mark.parametrize(
    ("choice", "option", "state", "told"),
    [
        ("lost-way", "abort", "zone=12 leg=outbound formation=out", "for a box"),
        ("leave-group", "leave", "zone=12 leg=outbound formation=in", "for a box"),
        ("lost-way", "fly-on", "zone=6 leg=inbound formation=out", ": one box"),
        ("lost-way", "fly-on", "zone=6 leg=inbound formation=out course.paid=yes", "Iwo Jima"),
    ],
)
def test_who_gives_up_the_search_is_told_what_it_costs(
    pack: Pack, choice: str, option: str, state: str, told: str
) -> None:
    moment = set_up(pack, f"target.zone=12 mission.number=12 course=off turn=12 {state}")
    moment.mission.pending = [Pending.of({"choose": choice, "bind": {}, "born": 1})]
    words = moment.words[option]
    assert told in words if told.endswith("box") else words.endswith(told)


SLOW_HOME = {
    "mission.number": 14, "mission.time": "night", "mission.altitude": "lo", "target.city": "kobe", "target.zone": 12,
    "leg": "inbound", "turn": 20, "altitude": "lo", "formation": "none", "weather": "good", "course": "on",
    "fuel.wing": 10, "bombs": "dropped", "load.fwd": "gone", "load.aft": "gone", "bomb-run": "on",
}  # fmt: skip


@pytest.mark.section("b29-streamliner 5 A 3", "b29-streamliner 5 A 4")
def test_a_course_lost_at_iwo_jima_costs_one_box_though_the_question_comes_back(pack: Pack) -> None:
    state = {**SLOW_HOME, "zone": 7, "zone.turns": 2, "engine.1": "out", "engine.2": "out"}
    twice = "4-2: 3,4\n4-8: 6,6\n4.6: 3,4\nlost-way: fly-on\n4.6: 3,4\nlost-way: fly-on"
    moment = after_step(pack, "iwo-jima", state, twice)
    assert (moment["zone"], moment["fuel.wing"]) == (5, 10 + 1 + 1 + 1)  # Zone 6, the course, Zone 5


@pytest.mark.section("b29-streamliner 5 A 3", "b29-streamliner 5 A 4", "b29-streamliner 2")
def test_a_course_lost_on_the_way_out_is_not_paid_for_again_after_the_abort(pack: Pack) -> None:
    """5, note 4, and 2: two boxes for Zone 6, one for the course, one for the abort's turn, one for Zone 5."""
    state = {**SLOW_HOME, "zone": 5, "leg": "outbound", "bombs": "aboard", "load.fwd": "aboard", "load.aft": "aboard"}
    state |= {"turn": 5, "zone.turns": 1, "bomb-run": "none", "radar": "out"}
    there = "altitude: stay\n4-2: 3,4\n4-8: 6,6\n4.6: 3,4\nabort: abort\njettison: yes\n"
    moment = after_step(pack, "past-iwo", state, there + "altitude: stay\n4.6: 3,4\nlost-way: fly-on\n")
    assert (moment["zone"], moment["fuel.wing"]) == (5, 10 + 2 + 1 + 1 + 1)


@pytest.mark.section("b29-streamliner 17 2")
@pytest.mark.parametrize("meal", ["mild", "severe"])
@pytest.mark.parametrize(("wounds", "health"), [(2, "light"), (3, "serious"), (4, "kia")])
def test_light_wounds_add_up_for_a_poisoned_man(pack: Pack, meal: str, wounds: int, health: str) -> None:
    mission = Mission(pack, WELL, number=1)
    mission.roll("17.food", Hand([[3 if meal == "mild" else 6]]), {"position": "pilot"})
    for _ in range(wounds):
        mission.roll("7-13", Hand([[3, 3]]), {"position": "pilot"}, outcome="light")
        while (item := mission.waiting()) is not None and item.name.startswith("7-13"):
            mission.roll(None, Hand())
    landed = {"step": "landing-base", "bomber.fate": "returned", "zone": 0, "target.type": "airfield"}
    mission.write(landed)
    mission.advance()
    assert mission.state["crew.pilot"] == health


@pytest.mark.section("b29-streamliner 17 2")
@pytest.mark.parametrize(
    ("written", "aloft", "landed"),
    [
        ("food.pilot=mild", "light", "ok"),
        ("food.pilot=severe", "serious", "ok"),
        ("crew.pilot=serious food.pilot=severe", "serious", "ok"),
        ("crew.pilot=light wounds.pilot=1 food.pilot=severe", "serious", "light"),
        ("crew.pilot=kia food.pilot=severe", "kia", "kia"),
    ],
)
def test_poisoning_written_by_hand_is_that_of_the_die(pack: Pack, written: str, aloft: str, landed: str) -> None:
    moment = set_up(pack, f"mission.number=12 zone=11 turn=11 {written}")
    assert moment["crew.pilot"] == aloft
    home = {"step": "landing-base", "bomber.fate": "returned", "zone": 0, "target.type": "airfield"}
    moment.mission.write(home)
    moment.mission.advance()
    assert moment["crew.pilot"] == landed


@pytest.mark.section("b29-streamliner 17 2")
def test_a_serious_wound_written_by_hand_outlasts_the_meal(pack: Pack) -> None:
    moment = set_up(pack, "mission.number=12 zone=11 turn=11 food.pilot=mild")
    moment.mission.write({"crew.pilot": "serious"})
    moment.mission.write({"step": "landing-base", "bomber.fate": "returned", "zone": 0, "target.type": "airfield"})
    moment.mission.advance()
    assert (moment["crew.pilot"], moment.asked) == ("serious", "7-13.fate")


@pytest.mark.section("b29-streamliner 17 2")
@pytest.mark.parametrize("gone", ["kia", "absent"])
@pytest.mark.parametrize("die", [1, 3, 6])
def test_the_dead_and_the_absent_eat_nothing(pack: Pack, gone: str, die: int) -> None:
    mission = Mission(pack, {**WELL, "crew.cfc": gone}, number=1)
    result = mission.roll("17.food", Hand([[die]]), {"position": "cfc"})[0]
    assert (result.text, mission.state["crew.cfc"]) == ("Central fire controller: nobody there to be ill", gone)


@pytest.mark.section("b29-streamliner 17 2")
@pytest.mark.parametrize("meal", [1, 3, 6])
def test_a_poisoned_pilot_whom_the_enemy_then_wounds_excuses_an_abort(pack: Pack, meal: int) -> None:
    facts = "mission.number=12 mission.time=day mission.altitude=hi target.city=kobe target.zone=12 zone=11 turn=11 "
    moment = set_up(pack, facts + "altitude=hi formation=out setting.escort-out=stays setting.wounds=worse")
    moment.mission.roll("17.food", Hand([[meal]]), {"position": "pilot"})
    again(moment, "5-1").fly("5-1: 6,6")
    assert moment["abort-counts"] == "no"
    moment.mission.pending = []
    moment.mission.roll("7-13", Hand([[3, 3]]), {"position": "pilot"}, outcome="serious")
    assert moment["abort-counts"] == "yes"


@pytest.mark.section("b29-streamliner 17 11")
def test_why_there_is_no_evasion_while_the_ice_melts(pack: Pack) -> None:
    facts = "mission.number=12 mission.time=day zone=11 turn=11 icing=yes altitude=lo formation=out"
    assert set_up(pack, facts)["no-evasion"] == "the ice has to melt"


@pytest.mark.section("b29-streamliner 5 B 1")
def test_no_group_gives_up_on_its_way_home(pack: Pack) -> None:
    home = {"zone": 9, "leg": "inbound", "bombs": "dropped", "bomb-run": "on", "bomb-run.percent": 30, "turn": 20}
    play, results = roll(pack, home, "4-8.leader", [6])
    assert (results[0].text, play.state) == ("The group flies home already: nothing", home)


@pytest.mark.section("b29-streamliner 17 2")
@pytest.mark.parametrize(
    ("hurt", "unsettled"),
    [("", ""), ("crew.pilot=serious food.pilot=none", "7-13.fate"), ("frostbite.pilot=yes", "7-14.fate")],
)
def test_who_was_only_poisoned_flies_the_next_mission(companion: Run, hurt: str, unsettled: str) -> None:
    begin(companion, "b29-streamliner")
    companion("set", "food.pilot=severe", "turn=5")
    companion("set", "bomber.fate=returned", *hurt.split())
    ran = companion("mission", "start", "--yes")
    assert (unsettled in ran.err) if unsettled else (ran.code == 0), ran.err
