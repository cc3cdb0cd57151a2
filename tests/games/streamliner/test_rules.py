"""Changes by the Streamliner: its charts, courses, fighters, zones over water, the random events of section 17."""

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.play import Play
from companion.engine.questions import Pending, settle
from companion.engine.resolution import Result
from companion.engine.rules import words
from companion.packs import Pack
from companion.play.mission import Mission
from tests.book import streamliner as book
from tests.book.reading import facts_for, printed
from tests.games.b29.table import DAY, NIGHT
from tests.games.streamliner.table import total
from tests.missions import replay
from tests.support import MISSIONS, Run, after_step, again, begin, check, counted, moments, prompted, set_up, slow_but


def roll(pack: Pack, state: dict[str, Any], name: str, *dice: list[int]) -> tuple[Play, list[Result]]:
    """Roll on the table and, while there are dice, its follow-ups; the state is the sheet."""
    play, found = Play(pack, state), []
    found.append(settle(play.roll(name, Hand([dice[0]]))))
    left = list(dice[1:])
    while left:
        item = play.pending[0]
        found.append(settle(play.talk(item, Hand([left.pop(0)]))))
    return play, found


OFF = "target.zone=12 mission.time=night formation=none missions.navigator=10 {} roll=4-8"
GROUP = "zone=12 target.zone=12 formation=in bomber.position=tail course=off "
EMPTY = "bombs=jettisoned load.fwd=gone load.aft=gone "
DARK_OVER = "mission.time=night formation=none altitude=med zone=11 log.gazetteer.11=0 electrical=out log.below.11="


@pytest.mark.section("b29-streamliner 5 A 2", "b29-streamliner 5 A 3", "b29-streamliner 5 A 4", "b29-streamliner 5 B 1")
@pytest.mark.section("b29-streamliner 5 B 2", "b29-streamliner 2", "b29-streamliner 12")
@moments(
    ("off course costs one box at once", OFF.format("zone=11"), "4-8: 6,6", "course=off fuel.wing=1"),
    ("but not over the target, where each further turn is paid for", OFF.format("zone=12 leg=outbound"), "4-8: 6,6",
     "course=off fuel.wing=0"),
    ("nor before the base", OFF.format("zone=1 leg=inbound"), "4-8: 6,6", "course=off fuel.wing=0"),
    ("nor at Iwo Jima", OFF.format("zone=6 leg=inbound mission.number=20"), "4-8: 6,6", "course=off fuel.wing=0"),
    ("Iwo Jima passed by costs the box after all",
     "zone=6 leg=inbound mission.number=20 course=off fuel.wing=5 mission.time=night choose=lost-way",
     "lost-way: fly-on", "fuel.wing=6"),
    ("the lead bomber gives up on a 6", GROUP + "roll=4-8.leader", "4-8.leader: 6",
     "aborted=yes bomb-run=off bombs=dropped leg=inbound formation=in fuel.wing=1"),
    ("on less one may leave the group", GROUP + "roll=4-8.leader", "4-8.leader: 5", "asked=leave-group"),
    ("bombs that are gone are no run", GROUP + EMPTY + "roll=4-8.leader", "4-8.leader: 6",
     "aborted=yes bomb-run=none bombs=jettisoned"),
    ("alone neither", GROUP + EMPTY + "formation=out choose=lost-way", "lost-way: abort",
     "aborted=yes bomb-run=none bombs=jettisoned"),
    ("nor for who leaves", GROUP + EMPTY + "choose=leave-group", "leave-group: leave",
     "aborted=yes bomb-run=none bombs=jettisoned"),
    ("no night attack comes over water", DARK_OVER + "sea roll=5-1", "5-1: 5,5", "asked!=5-14"),
    ("a light is looked for where there may be land", DARK_OVER + "sea-or-land roll=5-1", "5-1: 5,5", "asked=5-14"),
    ("not where there is no resistance", DARK_OVER + "land roll=5-1", "5-1: 1,2", "asked!=5-14"),
    ("without one no fighter comes", DARK_OVER + "land roll=5-1", "5-1: 5,5; 5-14: 4,4", "asked!=5-15"),
    ("to one they come", DARK_OVER + "land roll=5-1", "5-1: 5,5; 5-14: 6,6", "asked=5-15"),
)  # fmt: skip
def test_courses_and_lights(pack: Pack, sheet: str, flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


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


FLYING = "turn=4 zone=5 altitude=hi mission.time=day formation=in "
ICED = FLYING + "weather=poor {} roll=17"
ON_THE_WAY = "step=gazetteer-set moved=yes zone=4 formation=in leg=outbound turn=4 front="
JOINS = (
    "mission.number=15 mission.time=day mission.altitude=hi target.city=kobe target.zone=12 turn=10 zone={} "
    "zone.turns=1 altitude=lo formation=out weather=poor bombs=jettisoned load.fwd=gone load.aft=gone fuel.wing=10 "
    "icing=yes step=jettison"
)


@pytest.mark.section("b29-streamliner 17 3", "b29-streamliner 17 4", "b29-streamliner 17 5", "b29-streamliner 17 6")
@pytest.mark.section("b29-streamliner 17 7", "b29-streamliner 17 8", "b29-streamliner 17 9", "b29-streamliner 17 10")
@pytest.mark.section("b29-streamliner 17 11")
@moments(
    ("CFC failure stops the turrets alone", "gun.aft-lower=jammed gun.fwd-upper=unarmed roll=17", "17: 1,2",
     "gun.fwd-upper=unarmed gun.fwd-lower=broken gun.aft-upper=broken gun.aft-lower=broken gun.tail=ok"),
    ("two boxes are saved", "fuel.wing=5 roll=17", "17: 1,3", "fuel.wing=3"),
    ("one where there is no more", "fuel.wing=1 roll=17", "17: 1,3", "fuel.wing=0"),
    ("none without the engineer", "fuel.wing=5 crew.engineer=serious roll=17", "17: 1,3", "fuel.wing=5"),
    ("two are wasted", "fuel.wing=5 roll=17", "17: 3,4", "fuel.wing=7"),
    ("four without him", "fuel.wing=5 crew.engineer=kia roll=17", "17: 3,4", "fuel.wing=9"),
    ("a storm front", "zone=5 roll=17", "17: 1,4", "front=storm"),
    ("and high pressure after it", "front=storm roll=17", "17: 4,5", "front=high-pressure"),
    ("a pathfinder", "zone=5 roll=17", "17: 3,3", "pathfinder=yes"),
    ("not without the navigator", "crew.navigator=serious roll=17", "17: 3,3", "pathfinder!=yes"),
    ("the bombardier's day", "zone=5 roll=17", "17: 4,4", "pickle-barrel=yes"),
    ("not without him", "crew.bombardier=kia roll=17", "17: 4,4", "pickle-barrel!=yes"),
    ("radar out", "zone=5 roll=17", "17: 5,5", "radar=out"),
    ("a storm replaces the weather roll and keeps its dangers", ON_THE_WAY + "storm", "", "weather=bad asked=4-3"),
    ("high pressure is good weather", ON_THE_WAY + "high-pressure", "", "weather=good asked=4-8"),
    ("ice brings her down without bombs, alone", ICED.format(""), "17: 5,6",
     "bombs=jettisoned load.fwd=gone load.aft=gone altitude=lo formation=out may-evade=no"),
    ("not in good weather", FLYING + "weather=good roll=17", "17: 5,6", "bombs=aboard"),
    ("nor at MED", FLYING + "weather=bad altitude=med roll=17", "17: 5,6", "bombs=aboard"),
    ("a bay that hangs is tried by hand", ICED.format("release.fwd=out"), "17: 5,6; 7-3.f: 2",
     "bombs=jettisoned load.fwd=gone load.aft=gone"),
    ("and may keep its bombs", ICED.format("release.fwd=out"), "17: 5,6; 7-3.f: 3",
     "bombs=aboard load.fwd=aboard load.aft=gone"),
    ("nothing falls through closed doors", ICED.format("doors.fwd=jammed-shut"), "17: 5,6",
     "bombs=aboard load.fwd=aboard load.aft=gone"),
    ("who was iced may join the others again, a level a zone", JOINS.format(10), "",
     "asked=abort options=go-on,abort aborted=no"),
    ("too near the target there is only the way home", JOINS.format(11), "", "aborted=yes"),
)  # fmt: skip
def test_special_events(pack: Pack, sheet: str, flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


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


@pytest.mark.parametrize(("crossed", "usual"), [(27, "stay"), (28, "lo"), (35, "lo")])
def test_short_of_fuel_the_usual_way_past_iwo_jima_is_down_to_it(pack: Pack, crossed: int, usual: str) -> None:
    """8.4: a bomber can land there only from LO; seven boxes or fewer do not bring a Streamliner home (step 2, step
    5), and Enter lands with three more for a course lost on the way.
    """
    facts = {"mission.number": 14, "zone": 6, "leg": "inbound", "altitude": "hi", "formation": "out", "course": "on"}
    tanks = {"fuel.wing": crossed, "fuel.fwd": 4, "fuel.aft": 4, "fuel.due": 1, "bombs": "dropped"}
    play = Play(pack, {**facts, **tanks, "mission.time": "day", "mission.altitude": "hi"})
    assert play.options_of(Pending.of({"choose": "altitude", "bind": {}}))[0].name == usual


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
def test_food_poisoning_is_not_a_wound(pack: Pack, state: dict[str, Any], wound: str, health: str) -> None:
    """17, row 2: poisoning passes; only wounds add up as the campaign's rule says (RULINGS B58)."""
    mission = Mission(pack, {**WELL, **state}, number=1)
    mission.pending = [Pending.of({"roll": "7-13", "bind": {"position": "pilot"}, "born": 1})]
    mission.roll(None, Hand([[3, 3]]), outcome=wound)
    while (item := mission.waiting()) is not None and item.name.startswith("7-13"):
        mission.roll(None, Hand())
    assert mission.state["crew.pilot"] == health


def test_a_poisoned_man_takes_it_with_him(pack: Pack) -> None:
    """7.6 and 17, row 2: he is well again after landing, in whatever seat."""
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
    """17, row 12 on a passing shot (-1): it applies to the man now at the guns."""
    shot = {
        "gun": "tail", "passing-shot": "yes", "fighter.clock": "12", "fighter.type": "zeke", "aim.tail.by": "passing",
    }  # fmt: skip
    assert total(pack, "5-7", {**shot, "sharpshooter": sharp, "seat.tail-gunner": seat}) == add


@pytest.mark.section("b29-streamliner 12 a")
def test_lights_that_were_dodged_in_the_zone_before_cost_the_run_nothing(pack: Pack) -> None:
    facts = "mission.number=14 mission.time=night formation=none target.zone=13 zone=12 turn=12 altitude=lo"
    moment = set_up(pack, facts + " choose=evade-lights")
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
def test_a_man_in_another_seat_is_lost_by_his_own_wound(pack: Pack, man: str, lost: str, counts: list[str]) -> None:
    sheet = "zone=6 mission.number=12 missions.navigator=9 missions.cfc=9 formation=out weather=good "
    moment = set_up(pack, sheet + f"crew.{man}=ok seat.{man}=cfc seat.cfc={man} {lost}", "4-8").fly("4-8: 2,2")
    assert counted(moment, "4-8") == counts


FLIES = "fuel.wing=9 seat.pilot=engineer seat.engineer=pilot crew.engineer=kia crew.copilot=kia {}roll=17"
STORM = (
    "mission.number=12 mission.time=day mission.altitude=hi target.zone=12 zone=10 turn=10 altitude=hi moved=yes "
    "zone.turns=1 engine.1=out formation=in weather=bad front=storm setting.escort-out=stays step=weather"
)
HOME = (
    "mission.number=14 mission.time=night mission.altitude=lo target.city=kobe target.zone=12 leg=inbound turn=20 "
    "altitude=lo formation=none weather=good course=on fuel.wing=10 bombs=dropped load.fwd=gone load.aft=gone "
    "bomb-run=on zone=7 zone.turns=2 engine.1=out engine.2=out step=iwo-jima"
)
OUT = (
    "mission.number=14 mission.time=night mission.altitude=lo target.city=kobe target.zone=12 leg=outbound turn=5 "
    "altitude=lo formation=none weather=good course=on fuel.wing=10 zone=5 zone.turns=1 radar=out step=past-iwo"
)
ALOFT = "mission.number=12 zone=11 turn=11 crew.pilot={} food.pilot={}"
HURT = "mission.number=12 zone=11 turn=11 crew.pilot=light wounds.pilot=1 food.pilot=severe"
LANDED = "set step=landing-base bomber.fate=returned zone=0 target.type=airfield"
TURNS_BACK = (
    "mission.number=14 mission.time=night mission.altitude=lo target.city=tokyo target.zone=12 fuel.wing=10 zone=5 "
    "turn=5 altitude=lo weather=good aborted=yes bombs=aboard leg=inbound turning=abort zone.turns=0 step=take-off"
)


@pytest.mark.section("b29-streamliner 5 B 1", "b29-streamliner 17 2", "b29-streamliner 17 4", "b29-streamliner 17 7")
@pytest.mark.section("b29-streamliner 4", "b29-streamliner 5 A", "b29-streamliner 5 A 3", "b29-streamliner 5 A 4")
@pytest.mark.section("b29-streamliner 5 B", "b29-streamliner 2", "b29-streamliner 17 11")
@moments(
    ("the engineer in the pilot's seat still sees to the fuel", FLIES.format(""), "17: 1,3", "fuel.wing=7"),
    ("and wastes no more", FLIES.format(""), "17: 3,4", "fuel.wing=11"),
    ("hurt there he saves none", FLIES.format("crew.pilot=serious "), "17: 1,3", "fuel.wing=9"),
    ("and four are wasted", FLIES.format("crew.pilot=serious "), "17: 3,4", "fuel.wing=13"),
    ("who jettisons in a storm has the course of the others", STORM, "4-3: 1; jettison: yes; 4-8: 2,2", "4-8:novice=0"),
    ("who keeps the bombs finds it alone, by a novice", STORM, "4-3: 1; jettison: no; 4-8: 2,2", "4-8:novice!=0"),
    ("a course lost at Iwo Jima costs one box though the question comes back: Zone 6, the course, Zone 5", HOME,
     "4-2: 3,4; 4-8: 6,6; 4.6: 3,4; lost-way: fly-on; 4.6: 3,4; lost-way: fly-on", "zone=5 fuel.wing=13"),
    ("one lost on the way out: two for Zone 6, one each for the course, the turn of the abort and Zone 5", OUT,
     "altitude: stay; 4-2: 3,4; 4-8: 6,6; 4.6: 3,4; abort: abort; jettison: yes; altitude: stay; 4.6: 3,4; "
     "lost-way: fly-on", "zone=5 fuel.wing=15"),
    ("a mild poisoning is light", ALOFT.format("ok", "mild"), "", "crew.pilot=light"),
    ("and passes on the ground", ALOFT.format("ok", "mild"), LANDED, "crew.pilot=ok"),
    ("a severe one is serious", ALOFT.format("ok", "severe"), "", "crew.pilot=serious"),
    ("and passes", ALOFT.format("ok", "severe"), LANDED, "crew.pilot=ok"),
    ("also when the pencil says so", ALOFT.format("serious", "severe"), LANDED, "crew.pilot=ok"),
    ("a wound before it stays", HURT, LANDED, "crew.pilot=light"),
    ("the dead stay dead", ALOFT.format("kia", "severe"), LANDED, "crew.pilot=kia"),
    ("a wound after it outlasts the meal", ALOFT.format("ok", "mild"), "set crew.pilot=serious; " + LANDED,
     "crew.pilot=serious asked=7-13.fate"),
    ("no evasion while the ice melts", "mission.number=12 mission.time=day zone=11 turn=11 icing=yes altitude=lo "
     "formation=out", "", "may-evade=no"),
    ("reaching Iwo Jima off course costs the turns alone", "mission.number=12 mission.time=night formation=none "
     "aborted=yes leg=outbound zone=6 moved=yes turn=6 step=gazetteer-set", "4-2: 3,4; 4-8: 6,6",
     "course=off fuel.wing=0"),
    ("the turn of an abort takes one box, also with bombs", TURNS_BACK, "altitude: stay", "turn=6 zone=5 fuel.wing=11"),
    ("no group gives up on its way home", "zone=9 leg=inbound bombs=dropped bomb-run=on bomb-run.percent=30 turn=20 "
     "roll=4-8.leader", "4-8.leader: 6", "aborted=no bomb-run=on leg=inbound"),
)  # fmt: skip
def test_fuel_courses_and_meals(pack: Pack, sheet: str, flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


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


@pytest.mark.section("b29-streamliner 17 2")
@pytest.mark.parametrize(
    ("hurt", "unsettled"),
    [("", ""), ("crew.pilot=serious food.pilot=none", "7-13.fate"), ("frostbite.pilot=yes", "7-14.fate")],
)
def test_a_poisoned_man_flies_the_next_mission(companion: Run, hurt: str, unsettled: str) -> None:
    begin(companion, "b29-streamliner")
    companion("set", "food.pilot=severe", "turn=5")
    companion("set", "bomber.fate=returned", *hurt.split())
    ran = companion("mission", "start", "--yes")
    assert (unsettled in ran.err) if unsettled else (ran.code == 0), ran.err


TOKYO = "mission.number=12 mission.altitude=lo target.city=tokyo target.type=industrial target.zone=12 "
LIT = NIGHT + "turn=12 zone=12 zone.turns=1 altitude=lo formation=none weather=good searchlight=yes "
RALLY = DAY + (
    "turn=9 zone=9 zone.turns=1 moved=yes altitude=hi pressurized=yes formation=out weather=good step=course roll=4-8"
)
DARK = LIT.replace("searchlight=yes", "step=night-evasion armament=all-armed resistance=moderate") + (
    "setting.ammunition=uncounted {} roll=5-14"
)


@pytest.mark.section("b29-streamliner 1", "b29-streamliner 5 A 1", "b29-streamliner 12 b", "b29-streamliner 12 d")
@moments(
    ("take-off is rolled twice", TOKYO + "mission.time=night step=escort-available", "", "waits=3-1 waits=3-2"),
    ("off course she may be on time for the rally", RALLY, "4-8: 6,6; 4.5C1: 2; 4.6: 3,4", "asked=4-10"),
    ("or late", RALLY, "4-8: 6,6; 4.5C1: 3; 4.6: 3,4", "asked!=4-10 formation=out"),
    ("a Low bomber may shoot at a light, and a 12 puts it out", DARK.format("squadron=low"),
     "5-14: 6,6; searchlight-shot: fire; 5-14.b: 6,6", "searchlight=no"),
    ("not one of the Middle squadron", DARK.format("squadron=middle"), "5-14: 6,6", "asked!=searchlight-shot"),
    ("nor one without a lower turret", DARK.format("squadron=low gun.fwd-lower=unarmed"), "5-14: 6,6",
     "asked!=searchlight-shot"),
    ("nor with a jammed one", DARK.format("squadron=low gun.aft-lower=jammed"), "5-14: 6,6", "asked!=searchlight-shot"),
)  # fmt: skip
def test_take_off_rally_and_lights(pack: Pack, sheet: str, flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b29-streamliner 12 c")
@pytest.mark.parametrize(("table", "add", "more"), [
    ("5-7", -1, "fighter.1.type=nick fighter.1.clock=6 fighter.1.angle=level "), ("5-15", 1, "resistance=moderate "),
    ("6-2", 1, "visibility=slightly "), ("6-6", -1, "visibility=slightly "),
])  # fmt: skip
def test_what_a_light_counts_for(pack: Pack, table: str, add: int, more: str) -> None:
    sums = []
    for light in ("no", "yes"):
        bind = {"fighter": "1", "gun": "tail"} if table == "5-7" else {}
        moment = set_up(
            pack, LIT.replace("searchlight=yes", f"searchlight={light}") + more + "step=resistance ", table, **bind
        )
        moment.fly(f"{table}: " + ("4,4\n" if table in ("5-7", "5-15") else "4\n"))
        sums.append(sum(each for _, each in moment.modifiers(table)))
    assert sums[1] - sums[0] == add


LATE = {
    "mission.number": 14, "mission.time": "night", "mission.altitude": "lo", "altitude": "lo", "formation": "none",
    "target.city": "kobe", "target.zone": 12, "leg": "outbound", "turn": 12, "weather": "good",
    "missions.navigator": 10,
}  # fmt: skip


@pytest.mark.section("b29-streamliner 5 A", "b29-streamliner 5 B")
@pytest.mark.parametrize(("zone", "add"), [(1, 1), (5, 1), (6, 0), (7, 1), (9, 1), (10, 0), (12, 0)])
@pytest.mark.parametrize("formation", ["in", "out"])
def test_the_course_list_names_its_zones(pack: Pack, zone: int, add: int, formation: str) -> None:
    facts = {"zone": zone, "below": "sea", "formation": formation, "bomber.position": "middle"}
    assert total(pack, "4-8", {**facts, "missions.navigator": 10}) == add


@pytest.mark.section("b29-streamliner 12")
@pytest.mark.parametrize(
    ("zone", "below", "lights"),
    [(11, "sea", False), (11, "sea-or-land", True), (12, "sea", False), (12, "sea-or-land", True)],
)
def test_a_light_is_looked_for_wherever_there_is_land(pack: Pack, zone: int, below: str, lights: bool) -> None:
    known = {**LATE, "zone": zone, "below": below, f"log.gazetteer.{zone}": "0", f"log.below.{zone}": below}
    moment = after_step(pack, "event", known, "5-1: 4,4\nevade-lights: no\n" if lights else "5-1: 4,4\n")
    assert (moment.asked == "5-14") == lights


def test_the_target_zone_is_not_sea_unless_the_player_says_so(pack: Pack, b29: Pack) -> None:
    """2-9: a city's zone has land below it; in the zones next to it, sea is an equally good guess."""
    for game in (pack, b29):
        for zone, usual in ((11, "sea"), (12, "sea-or-land")):
            moment = after_step(game, "lost-1", {**LATE, "zone": zone, "moved": "yes"}, f"log.gazetteer.{zone}: 0\n")
            question = moment.mission.waiting()
            assert question is not None
            assert (question.name, question.usual) == (f"log.below.{zone}", usual)


def test_land_has_one_number_in_every_zone(pack: Pack, b29: Pack) -> None:
    """2-9: over the target Enter takes a different answer than in Zone 11, but `2` is land in both."""
    for game in (pack, b29):
        for zone in (11, 12):
            mission = after_step(game, "lost-1", {**LATE, "zone": zone, "moved": "yes"}).mission
            prompted(mission, *(["0 2"] if game is pack else ["0", "2"]))
            assert mission.state[f"log.below.{zone}"] == "land"


@pytest.mark.parametrize("table", ["5-14", "5-15", "4-4", "4-5", "4-6", "4-7", "4.3A", "4.5C4"])
def test_no_note_of_the_base_game_is_left_where_it_is_false(pack: Pack, b29: Pack, table: str) -> None:
    """2, 5 and 12: searchlights in every combat zone, fighters only with a searchlight, no dice for weight or for the
    way back.
    """
    assert pack.table(table).doc["note"] != b29.table(table).doc.get("note")


@pytest.mark.section(
    "b29-streamliner 3", "b29-streamliner 4", "b29-streamliner 5 A", "b29-streamliner 5 B", "b29-streamliner 10",
    "b29-streamliner 11", "b29-streamliner 12", "b29-streamliner 17",
)  # fmt: skip
@pytest.mark.parametrize(("name", "facts", "nets"), book.CELLS)
def test_every_printed_cell(pack: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    table = pack.table(name)
    assert {net: printed(table, facts_for(pack, table, facts), net) for net in nets} == nets


@pytest.mark.section("b29-streamliner 5 A", "b29-streamliner 5 B", "b29-streamliner 10", "b29-streamliner 12")
@pytest.mark.parametrize(("name", "base", "trigger", "amount"), slow_but(book.MODIFIERS, 40))
def test_every_modifier(pack: Pack, name: str, base: dict[str, Any], trigger: dict[str, Any], amount: int) -> None:
    assert total(pack, name, {**base, **trigger}) - total(pack, name, base) == amount


@pytest.mark.section("b29-streamliner 10", "b29-streamliner 5 A")
@pytest.mark.parametrize(("name", "base", "trigger"), book.NOTHING)
def test_what_changes_nothing(pack: Pack, name: str, base: dict[str, Any], trigger: dict[str, Any]) -> None:
    assert total(pack, name, {**base, **trigger}) == total(pack, name, base)


def test_a_base_mission_replayed_under_it(pack: Pack) -> None:
    path = MISSIONS / "streamliner" / "01-day-uneventful.txt"
    mission, wrong, over = replay(pack, path)
    assert wrong == []
    assert over


def test_a_campaign_of_it(companion: Run) -> None:
    assert companion("new", "Night Owls", "--game", "b29-streamliner", "--yes").code == 0
    assert companion("mission", "start", "--yes", "--with", "mission.number=12").code == 0
    rolled = companion("roll", "5.2A", "--dice", "2", "--with", "resistance=light", "--json").json
    assert rolled["outcome"] == "none"
    assert "patched" not in rolled  # 11 is simply the rule of that game
    assert "fewer fighters close in" not in companion("roll", "5.2A", "--dice", "2", "--with", "resistance=light").out
    assert "Night Owls" in companion("status").out
    assert companion("sheet", "mission").code == 0
    assert companion("undo").code == 0


@pytest.mark.slow
def test_a_campaign_switches_at_a_missions_start_and_back(companion: Run) -> None:
    begin(companion, "b29")
    ran = companion("mission", "start", "--yes", "--game", "b29-streamliner")
    assert ran.code == 0, ran.err
    assert companion("status", "--json").json["game"] == "b29-streamliner"
    companion("fly", "--auto", "--seed", "3")
    assert companion("mission", "start", "--yes", "--game", "b29").code == 0
    assert companion("status", "--json").json["game"] == "b29"
    # every mission is still whole and can be looked at with the rules it was flown by
    assert companion("doctor").code == 0
    for number in (1, 2):
        assert companion("sheet", "mission", "--mission", number).code == 0
    assert companion("campaign").code == 0
    assert companion("mission", "start", "--yes", "--game", "b17").code == 2
