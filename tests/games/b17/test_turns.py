"""The order of a mission and of a turn: zones, cover, waves, the target, random events, the way home (5.0, 18.0)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play.mission import Mission
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, HOMEWARD, LILLE, MEN, NO_GUNS, OVER_LILLE, at
from tests.support import Moment, Run, Terminal, after_step, asked, begin, check, moments, set_up

PARIS = {**LILLE, "target.city": "Paris", "target.zone": 5}
ONE_AT_12 = {"slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high"}


@pytest.mark.section("b17 5.1 b", "b17 5.1 f")
@pytest.mark.parametrize(
    ("number", "table"), [(1, "G-1"), (5, "G-1"), (6, "G-2"), (10, "G-2"), (11, "G-3"), (25, "G-3")]
)
def test_the_target_comes_from_the_list_of_the_mission(pack: Pack, number: int, table: str) -> None:
    moment = Moment(Mission(pack))
    moment.mission.write({"mission.number": number})
    moment.fly("")
    assert (moment.asked, moment["zone"], moment["leg"]) == (table, 0, "outbound")


NO_ENGINE: dict[str, Any] = {f"engine.{each}": "out" for each in (1, 2, 3, 4)}
IN_5 = at(BREMEN, "turn=5 zone=5 zone.turns=1")
MISSED = at({**HOMEWARD, **NO_GUNS, **ONE_AT_12}, "step=fire formation=out wave.formation=in pass=1 cover.rolled=yes")
OVER_PARIS = at(PARIS, "step=cover turn=4 zone=4 zone.turns=1 cover=poor")
LOW = at(HOMEWARD, "step=lost-2 formation=out altitude=low fought=yes target.city=Paris")
SLOW = at(HOMEWARD, "step=aborted formation=out altitude=low engine.1=out engine.2=out prop.2=drag "
          "navigator-equipment=out bip=yes bip.zone=6")  # fmt: skip
LOST = at(HOMEWARD, "step=aborted crew.navigator=kia bombs=dropped formation=out")
DOWN = at({**HOMEWARD, **NO_ENGINE}, "step=turn formation=out altitude=low")


@pytest.mark.section("b17 5.2 c", "b17 16.2", "b17 5.2 g", "b17 5.2 d", "b17 5.2 e", "b17 6.1 a", "b17 errata 32")
@pytest.mark.section("b17 5.2 a", "b17 5.2 f", "b17 13.0", "b17 B-3 c", "b17 13.2 a", "b17 13.2 b", "b17 8.0 f")
@pytest.mark.section("b17 13.1 d", "b17 2.2", "b17 errata 17", "b17 10.2", "b17 errata 9", "b17 P-1 b", "b17 errata 31")
@pytest.mark.section("b17 10.3", "b17 16.1", "b17 G-11 b")
@moments(
    ("a turn is a zone outward", {**IN_5, "step": "aborted"}, "", "zone=6 turn=6"),
    ("or homeward", at(IN_5, "step=aborted leg=inbound"), "", "zone=4 turn=6"),
    ("thrown out in a wave she meets its fighters as they began", MISSED, "M-3: 1", "fighters=0"),
    ("no attackers are rolled again outside formation", {**OVER_PARIS, "formation": "out"}, "B-1: 4; B-3: 1,6",
     "asked=B-3 fighters=0"),
    ("in formation they are none", OVER_PARIS, "B-1: 4; B-3: 1,6", "asked!=B-3 fighters=0"),
    ("cover helps a bomber alone, also against the one that joins", at(OVER_PARIS, "cover=good formation=out"),
     "B-1: 4; B-3: 4,1; M-4: 3", "fighters=0"),
    ("it is rolled for her", at(OVER_PARIS, "step=aborted zone=3 formation=out"), "", "asked=G-5"),
    ("alone she may turn back", at(IN_5, "step=jettison formation=out fought=yes"), "",
     "asked=abort options=go-on,abort usual=abort"),
    ("where it does not count she goes on", at(IN_5, "step=jettison formation=out not-fighters.formation=1 fought=yes"),
     "", "asked=abort usual=go-on"),
    ("for credit", at(IN_5, "step=jettison formation=out fought=yes"), "abort: abort", "credit=yes leg=inbound"),
    ("light flak finds her low over France", {**LOW, "zone": 4}, "", "asked=O-3"),
    ("over a coast too", at(LOW, "target.city=Rotterdam zone=4"), "", "asked=O-3"),
    ("not over the sea", at(LOW, "target.city=Bremen zone=4"), "", "asked!=O-3"),
    ("nor high up", at(LOW, "zone=4 altitude=high"), "", "asked!=O-3"),
    ("whatever slows her, she takes a second turn", SLOW, "", "zone=4 zone.turns=2 asked=B-1"),
    ("and no third", {**SLOW, "zone.turns": 2}, "", "zone=3"),
    ("without a navigator alone she is slow in odd zones", {**LOST, "zone": 6}, "", "turns.double=yes"),
    ("each of them", {**LOST, "zone": 4}, "", "turns.double=yes"),
    ("not in even ones", {**LOST, "zone": 5}, "", "turns.double=no"),
    ("nor in formation", at(LOST, "zone=6 formation=in"), "", "turns.double=no"),
    ("fighters come before a landing that is due",
     at(HOMEWARD, "step=aborted zone=5 formation=out altitude=low loose-gear=no glide=1 zone.turns=2 "
        "engine.1=out engine.2=out engine.3=out"), "loose-gear: no", "zone=4 asked=G-5"),
    ("where two letters are printed the player chooses", at(DOWN, "target.city=Rotterdam zone=4"), "",
     "asked=where-below"),
    ("off Cherbourg too", at(DOWN, "target.city=Cherbourg zone=3"), "", "asked=where-below"),
    ("over the sea alone there is no choice", at(DOWN, "target.city=Bremen zone=3"), "", "asked=forced-down"),
    ("nor over land", at(DOWN, "target.city=Paris zone=4"), "", "asked=forced-down"),
    ("flak and run come after the waves, and B-2 again in the same weather",
     at(LILLE, "step=aborted turn=2 zone=2 zone.turns=1"),
     "O-1: 5,6; G-5: 1; B-2: 1; B-3: 1,6; O-2: 2; O-6: 6; O-7: 3,4; B-2: 1",
     "O-6:poor=-1 B-2:weather=-1 leg=inbound zone=3"),
    ("weather over the base comes before the landing", at(HOMEWARD, "step=aborted zone=2"), "", "zone=1 asked=O-1"),
    ("nothing is rolled on the way out in Zone 1", at(LILLE, "step=place zone=0 turn=0"), "", "zone=2 asked=G-5"),
)  # fmt: skip
def test_turns_and_zones(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 5.2 b", "b17 5.2 c", "b17 6.1 a", "b17 6.2")
@pytest.mark.parametrize("leg", ["outbound", "inbound"])
@pytest.mark.parametrize(("zone", "table"), [(2, "G-5"), (3, "G-5"), (4, "G-5"), (5, "B-1"), (6, "B-1")])
def test_cover_reaches_zones_2_to_4_and_fighters_all(pack: Pack, leg: str, zone: int, table: str) -> None:
    before = zone - 1 if leg == "outbound" else zone + 1
    bombs = "aboard" if leg == "outbound" else "dropped"
    sheet = {**BREMEN, "turn": 5, "zone": before, "zone.turns": 1, "leg": leg, "bombs": bombs}
    moment = after_step(pack, "aborted", sheet)
    assert (moment["zone"], moment.asked) == (zone, table)
    if table == "G-5":
        moment.fly("G-5: 1\n")
        assert moment.asked == "B-1"


@pytest.mark.section("b17 6.5 a", "b17 6.5 b", "b17 13.1 c")
@pytest.mark.parametrize(
    ("formation", "attack", "die", "back"),
    [("in", 1, 6, True), ("in", 1, 1, False), ("in", 2, 6, True), ("in", 2, 1, False), ("in", 3, 6, False),
     ("out", 1, 1, True), ("out", 2, 1, True), ("out", 3, 1, False), ("out", 3, 6, False)],
)  # fmt: skip
def test_successive_attacks(pack: Pack, formation: str, attack: int, die: int, back: bool) -> None:
    """6.5, 13.1 c: in formation every fighter that hit, even superficially; out of formation all; the third attack is
    the last.
    """
    sheet = {**HOMEWARD, **NO_GUNS, **ONE_AT_12, "formation": formation, "wave.formation": formation, "pass": attack,
             "cover.rolled": "yes"}  # fmt: skip
    hit = "B-4: 3,4\nB-5: 1,1\n" if die == 6 else ""
    moment = after_step(pack, "fire", sheet, f"M-3: {die}\n{hit}")
    assert ((moment.asked, moment["fighters"]) == ("B-6", 1)) == back
    assert back or moment["fighters"] == 0


@pytest.mark.section("b17 O-4 a", "b17 O-4 b", "b17 O-3")
@pytest.mark.parametrize(("dice", "places"), [("3,4", 1), ("1,5", 2), ("1,4", 3), ("1,3", 4), ("1,1", 1)])
def test_each_shell_of_flak_has_its_place(pack: Pack, dice: str, places: int) -> None:
    moment = after_step(pack, "homeward", OVER_LILLE, f"O-2: 2\nO-3: 1,1\nO-3: 3,4\nO-3: 3,4\nO-4: {dice}\n")
    assert (moment.tables.count("O-3"), asked(moment.mission).count("O-5")) == (3, places)


NO_ENGINE: dict[str, Any] = {f"engine.{each}": "out" for each in (1, 2, 3, 4)}


@pytest.mark.section("b17 16.4", "b17 G-11 c", "b17 G-10")
@pytest.mark.parametrize(("zone", "fate"), [(3, {"none", "duty"}), (5, {"none", "duty"}), (6, {"bo-c"})])
def test_survivors_of_a_ditching(pack: Pack, zone: int, fate: set[str]) -> None:
    sheet = {**HOMEWARD, "zone": zone, "formation": "in", "altitude": "low", **NO_ENGINE}
    moment = after_step(pack, "turn", sheet, "forced-down: ditch\nG-10: 6,6\n")
    assert moment["bomber.fate"] == "ditched"
    assert {moment[f"fate.{man}"] for man in MEN} <= fate
    assert moment["mission.result"] == "defeat"


@pytest.mark.section("b17 16.3", "b17 G-10 c", "b17 G-10 d")
@pytest.mark.parametrize(("city", "zone", "table"), [("Paris", 4, "G-6.underground"), ("Hamm", 6, None)])
def test_survivors_of_a_landing_in_europe(pack: Pack, city: str, zone: int, table: str | None) -> None:
    """16.3, G-10 c, d: captured in Germany and the Netherlands; in France a die, but none for the badly wounded."""
    sheet = {**HOMEWARD, "target.city": city, "zone": zone, "formation": "out", "altitude": "low", **NO_ENGINE,
             "crew.navigator": "serious", "bombs": "dropped", "missions.pilot": 10}  # fmt: skip
    moment = after_step(pack, "turn", sheet, "forced-down: land\nG-9: 6,6\n")
    assert moment["bomber.fate"] == "down-in-europe"
    assert asked(moment.mission).count("G-6.underground") == (9 if table else 0)
    assert moment["fate.navigator"] == "bo-c"
    if table is None:
        assert {moment[f"fate.{man}"] for man in MEN} == {"bo-c"}
        return
    moment.fly("".join(f"G-6.underground {man}: {6 if man == 'pilot' else 5}\n" for man in MEN if man != "navigator"))
    assert (moment["fate.pilot"], moment["fate.copilot"]) == ("returned", "bo-c")


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
    assert after_step(pack, "cover", sheet, "B-1: 5\nB-3: 5,6\nB-3: 4,1\n")["log.outbound.5.rolls"].split() == ["41"]


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


FLYING = (
    "mission.number=11 target.city=Bremen target.zone=7 squadron=high turn=5 zone=5 zone.turns=1 random-events=on "
    "step=lost-2 fought=yes "
)


def event(pack: Pack, facts: str, dice: str) -> Moment:
    """Return the state after an event rolled in Zone 5."""
    return set_up(pack, FLYING + facts, "B-7").fly(f"B-7: {dice}\n")


EVENT = FLYING + "{} roll=B-7"
WAVE = at(BREMEN, "step=cover turn=5 zone=5 zone.turns=1")
FAILS = "B-7: 1,1; B-7.a: 3,4; BL-1.c: 3; roll B-7: 1,1"
SHALLOW = "B-7: 6,6; B-7.g: 4,5"
LOOSE = FLYING + "{} roll=B-1"
DIVED = at(BREMEN, "step=aborted turn=4 zone=4 zone.turns=2 engine.1=out formation=out formation.return=1 "
           "abort.answered=1")  # fmt: skip
DIVED_PARIS = {**DIVED, "target.city": "Paris", "target.zone": 5}
FRIENDS = FLYING.replace("zone=5", "zone=4") + (
    "cover=good event.friends=yes slots.fighter=1 fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high roll=M-4"
)
ACE = FLYING + (
    "fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high ace-for-a-day.engineer=yes kills.engineer=7 roll=M-1 "
    "gun=top fighter=1"
)


@pytest.mark.section("b17 18.0 d", "b17 18.0", "b17 18.0 a", "b17 18.0 b", "b17 18.0 g", "b17 18.0 h", "b17 18.0 i")
@pytest.mark.section("b17 18.0 j", "b17 B-7", "b17 M-4", "b17 5.1 a", "b17 5.1 c", "b17 10.1", "b17 12.1")
@moments(
    ("a 66 is an event where they are played", at(WAVE, "random-events=on"), "B-1: 5; B-3: 6,6",
     "fighters=0 asked=B-7"),
    ("else no attackers", at(WAVE, "random-events=off"), "B-1: 5; B-3: 6,6", "fighters=0 asked!=B-7"),
    ("a second failure starts the engine again", EVENT.format("bombs=jettisoned"), FAILS, "engine.1=ok engines.out=0"),
    ("one that ran again may be lost for another reason", EVENT.format("bombs=jettisoned"),
     FAILS + "; set engine.1=out; roll B-7: 1,1", "engine.1=out waits=B-7.a"),
    ("casualties come once", EVENT.format("event.casualties=yes"), "B-7: 1,2", "asked=B-7"),
    ("a loose formation", EVENT.format("event.loose=yes"), "B-7: 1,3", "asked=B-7"),
    ("friends", EVENT.format("event.friends=yes"), "B-7: 1,4", "asked=B-7"),
    ("a tight one", EVENT.format("event.tight=yes"), "B-7: 1,5", "asked=B-7"),
    ("on either row", EVENT.format("event.tight=yes"), "B-7: 4,4", "asked=B-7"),
    ("who leads has no casualties before them", EVENT.format("bomber.position=lead"), "B-7: 1,2", "asked=B-7"),
    ("nor the tail", EVENT.format("bomber.position=tail"), "B-7: 1,2", "asked=B-7"),
    ("nor who is alone", EVENT.format("formation=out"), "B-7: 1,2", "asked=B-7"),
    ("they put us in the lead on 3", EVENT.format("bomber.position=middle"), "B-7: 1,2; B-7.formation-casualties: 3",
     "bomber.position=lead"),
    ("at the tail on 4", EVENT.format("bomber.position=middle"), "B-7: 1,2; B-7.formation-casualties: 4",
     "bomber.position=tail"),
    ("a near accident is nothing", EVENT.format(""), "B-7: 6,6; B-7.g: 4,4", "formation=in"),
    ("a shallow dive costs the formation", EVENT.format(""), SHALLOW, "formation=out bombs=aboard"),
    ("for the rest of the zone", EVENT.format(""), SHALLOW + "; set zone=6", "formation=out"),
    ("and one whole zone", EVENT.format(""), SHALLOW + "; set zone=6; set zone=7", "formation=in"),
    ("who has come down for oxygen does not rejoin after it", EVENT.format(""),
     SHALLOW + "; set zone=6; set altitude=low; set altitude=high; set zone=7", "formation=out"),
    ("a steep one the bombs, and on a 6 a wing", EVENT.format(""), "B-7: 6,6; B-7.g: 5,6; B-7.wing: 5; B-7.wing: 6",
     "formation=out bombs=jettisoned asked=G-7"),
    ("with a dead engine she is back where the bombs are asked about", DIVED_PARIS, "",
     "zone=5 formation=in asked=one-engine"),
    ("without them she stays", DIVED_PARIS, "one-engine: jettison", "bombs=jettisoned formation=in"),
    ("with them not", DIVED_PARIS, "one-engine: keep", "bombs=aboard formation=out"),
    ("also short of the target", {**DIVED, "target.city": "Brest", "target.zone": 6}, "one-engine: keep",
     "bombs=aboard formation=out"),
    ("a flight begins at the base", "mission.number=7 target.city=Rouen", "", "asked=G-4.formation"),
    ("or where the chart says", "mission.number=7 zone=3", "", "asked=target.city zone=3"),
    ("or asks", "mission.number=7 altitude=low", "", "asked=zone altitude=low"),
    ("loose formation adds 1 on B-1 for a bomber alone too", LOOSE.format("event.loose=yes formation=out"), "B-1: 3",
     "B-1:loose=1"),
    ("tight formation takes 1 from it", LOOSE.format("event.tight=yes formation=out"), "B-1: 3", "B-1:tight=-1"),
    ("little friends come", EVENT.format(""), "B-7: 1,4", "event.friends=yes"),
    ("and drive off one more", FRIENDS, "M-4: 2", "M-4:friends=1"),
    ("bad communications", EVENT.format(""), "B-7: 4,5", "event.radio=yes"),
    ("end with the next", EVENT.format("event.radio=yes"), "B-7: 4,5", "event.radio=no"),
    ("they keep one fighter of each wave away", at(WAVE, "random-events=on event.radio=yes"),
     "B-1: 5; B-3: 3,3; stays-away: 2", "fighters=2"),
    ("the only one too", at(WAVE, "random-events=on event.radio=yes"), "B-1: 5; B-3: 4,1", "fighters=0"),
    ("an ace for a day adds 1, whatever his record", ACE, "M-1: 3", "waits=M-2"),
)  # fmt: skip
def test_random_events(pack: Pack, sheet: str | dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 18.0 a", "b17 errata 29")
@pytest.mark.parametrize(("dice", "engine"), [("1,1", 1), ("1,2", 1), ("1,3", 2), ("2,3", 3), ("3,3", 3), ("3,4", 1),
                                              ("4,4", 4), ("4,5", 4), ("4,6", 2), ("5,6", 2), ("6,6", 2)])  # fmt: skip
def test_which_engine_fails(pack: Pack, dice: str, engine: int) -> None:
    """18.0 a, errata 29: 2, 3, 7 the first, 4 and 10 to 12 the second, 5 and 6 the third, 8 and 9 the fourth; then note
    c.
    """
    moment = event(pack, "bombs=jettisoned", f"1,1\nB-7.a: {dice}")
    assert (moment[f"engine.{engine}"], moment["engines.out"], moment.asked) == ("out", 1, "BL-1.c")


@pytest.mark.section("b17 18.0 e", "b17 18.0 g", "b17 18.0 h")
@pytest.mark.parametrize(("name", "facts", "nets"), [each for each in book.AFTER_NOTES if each[0] == "B-7"])
def test_events_out_of_formation(pack: Pack, name: str, facts: dict[str, str], nets: dict[int, str]) -> None:
    asks = {"roll-again": name, "extreme-cold": "B-7.cold", "engine-failure": "B-7.a"}
    out = " ".join(f"{fact}={value}" for fact, value in facts.items())
    for total, outcome in nets.items():
        first = max(1, total - 6)
        assert event(pack, out, f"{first},{total - first}").asked == asks[outcome], total


@pytest.mark.section("b17 18.0 c")
def test_rabbits_feet_add_up(pack: Pack) -> None:
    assert event(pack, "rabbits-feet=1", "3,4")["rabbits-feet"] == 2
    assert pack.sheet.fields["rabbits-feet"].section == "settings"  # the fields carried over to the next sheet


@pytest.mark.section("b17 18.0 e", "b17 errata 30")
def test_extreme_cold_jams_guns_until_10_000_feet(pack: Pack) -> None:
    """18.0 e, errata 30: a die for each gun, 6 jams; at 10,000 feet the cold is over and its jams are cleared."""
    moment = event(pack, "", "4,6")
    assert asked(moment.mission) == ["B-7.cold"] * 9
    guns = "nose port-cheek starboard-cheek top radio ball port-waist starboard-waist tail".split()
    moment.fly("".join(f"B-7.cold {gun}: {6 if gun == 'top' else 5}\n" for gun in guns))
    assert [moment[f"gun.{gun}"] for gun in guns].count("jammed") == 1
    moment.mission.write({"altitude": "low", "formation": "out"})
    assert moment["gun.top"] == "ok"
    assert event(pack, "altitude=low formation=out", "4,6").asked == "B-7"


@pytest.mark.section("b17 18.0 f")
def test_an_ace_for_a_day(pack: Pack) -> None:
    moment = event(pack, "", "5,6")
    moment.fly(f"{moment.asked}: 2\n")
    assert moment["ace-for-a-day.engineer"] == "yes"
    again = event(pack, "ace-for-a-day.engineer=yes", "5,6")
    again.fly(f"{again.asked}: 1\n")
    assert "B-7" not in again.asked


@pytest.mark.section("b17 21.0")
def test_the_german_player_chooses_where_they_come_again(pack: Pack) -> None:
    pair: dict[str, Any] = {**HOMEWARD, "two-player": "on", "pass": 1, "wave.formation": "in", "slots.fighter": 2}
    for each, clock in ((1, "12"), (2, "3")):
        pair |= {f"fighter.{each}.type": "me109", f"fighter.{each}.clock": clock, f"fighter.{each}.angle": "high",
                 f"fighter.{each}.hit": "yes"}  # fmt: skip
    moment = after_step(pack, "leave", pair)
    assert moment.asked == "place"
    assert len(moment.options) == 18 + 1
    assert not [each for each in moment.options if each.startswith(("dive", "climb"))]
    first = moment.options[1]
    moment.fly(f"place 1: {first}\n")
    assert (moment.asked, len(moment.options), first in moment.options) == ("place", 18, False)


@pytest.mark.section("b17 M-5 a", "b17 9.5")
@pytest.mark.parametrize(("clock", "spray"), [("12", False), ("1:30", False), ("10:30", False), ("3", True),
                                              ("6", True), ("9", True)])  # fmt: skip
def test_what_may_be_sprayed(pack: Pack, clock: str, spray: bool) -> None:
    there = {**OVER_LILLE, "pass": 1, "spray-fire": "on", "slots.fighter": 1, "fighter.1.type": "me109",
             "fighter.1.clock": clock, "fighter.1.angle": "high",
             **{f"gun.{gun}": "broken" for gun in ("nose", "port-cheek", "starboard-cheek")}}  # fmt: skip
    for spent, may in ((0, spray), (14, False)):
        moment = after_step(pack, "attack", {**there, "ammo.top": spent})
        while moment.asked == "aim" and moment.mission.pending[0].bind["gun"] != "top":
            moment.fly("aim: hold\n")
        assert moment.asked == "aim"
        assert any("spray" in each for each in moment.options) == may
