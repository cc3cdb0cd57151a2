"""The Mission Chart and rolls by hand: weather, target, waves, landing, the second player."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play.mission import Mission
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, HOMEWARD, LILLE, NO_GUNS
from tests.support import Run, Terminal, after_step, begin, set_up

# -- weather over the target (O-1) -------------------------------------------------------------------------------------


@pytest.mark.section("b17 O-1 a", "b17 O-1 b", "b17 O-1 c")
@pytest.mark.parametrize("name", ["weather", "weather.target"])
@pytest.mark.parametrize("how", ["set", "with"])
@pytest.mark.parametrize(
    ("table", "sky", "add"),
    [("O-6", "bad", -2), ("O-6", "poor", -1), ("O-2", "bad", -1), ("B-2", "poor", -1), ("M-4", "bad", -1)],
)
def test_weather_over_the_target_has_two_names(pack: Pack, name: str, how: str, table: str, sky: str, add: int) -> None:
    moment = set_up(pack, "mission.number=11 target.city=Lille zone=3 cover=good")
    fact = {name: sky}
    if how == "set":
        moment.mission.write(fact)
    moment.mission.roll(table, Hand([[4]]), fact if how == "with" else {}, single=True)
    assert [number for why, number in moment.modifiers(table) if why in ("weather", "poor", "bad")] == [add]


@pytest.mark.section("b17 O-1 a")
@pytest.mark.parametrize(("zone", "weather"), [(3, "bad"), (2, "good"), (1, "poor")])
def test_a_landing_has_the_weather_of_its_place(pack: Pack, zone: int, weather: str) -> None:
    sheet = {**LILLE, "zone": zone, "leg": "inbound", "weather.target": "bad", "weather.base": "poor"}
    assert after_step(pack, "end", sheet)["landing-weather"] == weather


# -- the target (5.1 b, e) ---------------------------------------------------------------------------------------------


@pytest.mark.section("b17 5.1 b", "b17 G-1", "b17 G-2", "b17 G-3", "b17 G-11", "b17 errata 22", "b17 errata 25")
@pytest.mark.parametrize("table", book.TARGETS)
def test_every_target_has_its_type_and_its_zone(pack: Pack, table: str) -> None:
    for roll, (city, kind) in book.TARGETS[table].items():
        mission = Mission(pack)
        mission.write({"mission.number": book.MISSIONS[table][0]})
        mission.roll(table, Hand([[int(die) for die in str(roll)]]))
        facts = Facts(pack.sheet, mission.state)
        there = (facts["target.city"], facts["target.type"], facts["target.zone"])
        assert there == (city, kind, book.TARGET_ZONES[city]), roll


@pytest.mark.slow
@pytest.mark.section("b17 5.1 e", "b17 G-11")
def test_nobody_guesses_where_a_city_of_your_own_lies(companion: Run) -> None:
    begin(companion, "b17", "mission.number=11", "target.city==Berlin")
    refused = companion("fly", "--auto", "--seed", "1")
    assert (refused.code, refused.err) == (2, "Target zone? Answer with --outcome VALUE, where VALUE is 2 to 8.\n")
    for zone in (0, 1, 9):
        assert companion("set", f"target.zone={zone}").err == f"Target zone must be 2 to 8, not {zone}.\n"
    companion("set", "target.zone=8")
    assert companion("fly", "--auto", "--seed", "1").code == 0


def test_enter_is_no_target_zone(companion: Run) -> None:
    """The question has no default and is repeated."""
    begin(companion, "b17", "mission.number=11", "target.city==Berlin")
    terminal = Terminal("fly")
    for typed in ("", "1", "4"):
        terminal.expect(r"Target zone \(2 to 8\): ")
        terminal.say(typed)
    terminal.expect("Place in the squadron")


@pytest.mark.section("b17 5.1 b", "b17 5.1 e", "b17 G-11")
@pytest.mark.parametrize(
    ("typed", "city", "kind", "zone"),
    [("st omer", "St. Omer", "airfield", 2), ("LA-ROCHELLE", "La Rochelle", "u-boats", 8),
     ("romilly", "Romilly-sur-Seine", "aircraft", 5), ("rouen", "Rouen", "rail-yard", 4)],
)  # fmt: skip
def test_a_city_brings_its_zone_and_its_type(companion: Run, typed: str, city: str, kind: str, zone: int) -> None:
    begin(companion, "b17", f"target.city={typed}")
    facts = companion("status", "--json").json["facts"]
    assert (facts["target.city"], facts["target.type"], facts["target.zone"]) == (city, kind, zone)
    companion("set", "target.city=Lille")
    facts = companion("status", "--json").json["facts"]
    assert (facts["target.type"], facts["target.zone"]) == ("industry", 3)
    companion("set", "target.city=Paris", "target.type=airfield")  # the player's word is kept
    assert companion("status", "--json").json["facts"]["target.type"] == "airfield"


# -- waves (6.1) -------------------------------------------------------------------------------------------------------


@pytest.mark.section("b17 6.1 b")
def test_the_chart_keeps_the_number_of_each_wave(pack: Pack) -> None:
    """6.1 b, sample 4.4 and 5.4: both dice of B-3 are on the chart, even with no attackers; a second turn in the zone
    adds further waves.
    """
    sheet = {**BREMEN, **NO_GUNS, "turn": 5, "zone": 5, "zone.turns": 1, "event.loose": "yes",
             "crew.ball-gunner": "kia"}  # fmt: skip
    miss = "M-3 1: 1\nM-3 2: 1\n"
    moment = after_step(pack, "cover", sheet, f"B-1: 6\nB-3: 3,2\n{miss}B-3: 5,6\n")
    assert (moment["log.outbound.5.waves"], moment["log.outbound.5.rolls"].split()) == (2, ["32", "56"])
    moment.take_up({"step": "cover", "wave": 4}, "B-1: 4\nB-3: 4,1\n")
    assert (moment["log.outbound.5.waves"], moment["log.outbound.5.rolls"].split()) == (3, ["32", "56", "41"])


@pytest.mark.section("b17 6.1 b", "b17 B-3 c")
def test_a_reroll_is_not_another_wave(pack: Pack) -> None:
    sheet = {**BREMEN, **NO_GUNS, "turn": 5, "zone": 5, "zone.turns": 1, "formation": "out", "bombs": "jettisoned"}
    moment = after_step(pack, "cover", sheet, "B-1: 5\nB-3: 5,6\nB-3: 4,1\n")
    assert moment["log.outbound.5.rolls"].split() == ["41"]


# -- our fire (M-1) ----------------------------------------------------------------------------------------------------


@pytest.mark.section("b17 M-1", "b17 15.1 b", "b17 BL-2 b")
@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"gun": "top"}, "The fighter comes on; 4 to 6 hit"),
        ({"gun": "top", "fighter.type": "me110"}, "The fighter comes on; 3 to 6 hit"),
        ({"gun": "radio"}, "The fighter comes on; a 6 hits"),
        ({"gun": "top", "evasive": "yes"}, "The fighter comes on; a 6 hits (evasive action)"),
        ({"gun": "tail", "intercom": "out"}, "The fighter comes on; 5 or 6 hits (intercom out)"),
        ({"gun": "top", "frostbite.engineer": "yes"}, "The fighter comes on; a 6 hits (frostbite)"),
    ],
)
def test_a_miss_says_what_would_have_hit(pack: Pack, facts: dict[str, Any], text: str) -> None:
    comes = {"fighter.clock": "6", "fighter.angle": "high", "fighter.type": "me109", **facts}
    assert [each.text for each in Mission(pack).roll("M-1", Hand([[2]]), comes)] == [text]


# -- fuel, wounds, landing ---------------------------------------------------------------------------------------------


@pytest.mark.section("b17 BL-1 g")
def test_a_chain_of_dice_goes_on_over_a_second_leaking_tank(pack: Pack) -> None:
    moment = set_up(pack, "mission.number=11 tank.outboard.port=leaking fuel.short=yes fuel.turns=6")
    moment.mission.roll("BL-1", Hand([[4, 6], [4], [3]]), {"area": "port-wing"})
    assert (moment["fuel.turns"], moment.mission.waiting()) == (2, None)


@pytest.mark.section("b17 BL-4 b", "b17 17.0")
def test_a_quick_recovery_is_no_wound_any_more(companion: Run) -> None:
    begin(companion, "b17", "crew.bombardier=serious")
    companion("roll", "BL-4.b", "--with", "position=bombardier", "--dice", "1")
    man = next(each for each in companion("crew", "--json").json["crew"] if each["position"] == "bombardier")
    assert (man["state"], man["lost"]) == ("ok", False)


DAMAGE = {
    "flap.port": ("ok", "out"), "flap.starboard": ("ok", "out"), "flap.controls": ("ok", "out"),
    "aileron.controls": ("ok", "out"), "elevator.controls": ("ok", "out"), "rudder.hits": (0, 3),
    "tailplane.port": (0, 3), "window.hits": (0, 2), "cables.hits": (0, 2), "bip": ("no", "yes"),
    "engine.1": ("ok", "out"), "engine.2": ("ok", "out"), "engine.3": ("ok", "out"), "engine.4": ("ok", "out"),
    "gear.port": ("ok", "out"), "brakes.port": ("ok", "out"), "brakes.starboard": ("ok", "out"),
    "tail-wheel": ("ok", "out"),
}  # fmt: skip
ELSE: dict[str, tuple[Any, ...]] = {
    "zone": (1, 4), "weather.base": ("good", "poor", "bad"), "crew.pilot": ("ok", "kia"),
    "crew.copilot": ("ok", "serious"), "missions.pilot": (0, 12),
}  # fmt: skip
SHEETS = some.fixed_dictionaries({name: some.sampled_from(values) for name, values in {**DAMAGE, **ELSE}.items()})


@pytest.mark.slow
@pytest.mark.section("b17 15.2 d", "b17 16.0")
@given(sheet=SHEETS)
def test_the_land_row_adds_up_as_g_9_does(pack: Pack, sheet: dict[str, Any]) -> None:
    facts = Facts(pack.sheet, {**LILLE, "leg": "inbound", **sheet})
    applied = pack.table("G-9").applying(facts)
    assert facts["landing.roll"] == sum(each.add for each in applied)
    apart = ("pilots", "veteran", "poor", "bad", "europe")
    assert facts["land.total"] == sum(each.add for each in applied if each.modifier.id not in apart)


AT_SEA: dict[str, tuple[Any, ...]] = {
    "zone": (2, 4), "rafts": ("ok", "out"), "radio": ("ok", "out"), "formation": ("in", "out"),
}  # fmt: skip
DITCHING = some.fixed_dictionaries({each: some.sampled_from(has) for each, has in {**DAMAGE, **ELSE, **AT_SEA}.items()})


@pytest.mark.section("b17 16.4")
@given(sheet=DITCHING)
def test_the_question_before_a_ditching_tells_all_of_g_10(pack: Pack, sheet: dict[str, Any]) -> None:
    facts = Facts(pack.sheet, {**LILLE, "leg": "inbound", "land.below": "w", **sheet})
    assert facts["ditching.roll"] == sum(each.add for each in pack.table("G-10").applying(facts))


@pytest.mark.section("b17 5.2 g", "b17 16.0")
def test_land_or_jump_is_asked_with_what_the_landing_counts(pack: Pack) -> None:
    moment = after_step(pack, "turn", {**HOMEWARD, "zone": 2, "gear.port": "out"}, "O-1: 1,1\n")
    question = moment.mission.question(moment.mission.waiting() or {})
    assert question is not None and "modifiers now: -5" in str(question)


# -- the second player (21.1, 21.2) ------------------------------------------------------------------------------------


@pytest.mark.section("b17 21.1", "b17 21.2")
def test_instruments_are_secret_and_surfaces_are_not(companion: Run) -> None:
    """21.2: the controls of flaps, ailerons, elevators and rudder are instruments. 21.1: a lost rudder is visible, a
    hit on it is not, and flak's shells, oil fires and oxygen fires are.
    """
    begin(companion, "b17", "rudder.controls=out", "flap.controls=out", "rudder.hits=2", "elevator.port=out")
    shown = companion("status", "--hide").out
    assert "Elevator, port: out" in shown and "ontrols" not in shown and "udder" not in shown
    companion("set", "rudder.hits=3")
    companion("roll", "O-5", "--dice", "4,6")
    companion("roll", "BL-1.fire", "--with", "engine=2", "--dice", "2")
    companion("roll", "BL-3.fire", "--with", "compartment=nose")
    shown = companion("status", "--hide").out
    for line in ("Rudder: out", "Shell hits by flak, Nose: 1", "Oil tank fire, engine 2: seen", "Oxygen fires: 1"):
        assert line in shown
