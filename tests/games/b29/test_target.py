"""Over the target: cities that are bombed out, weather, altitude, and the way home."""

from __future__ import annotations

from random import Random

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.pending import Pending
from companion.engine.rules import words
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.mission import Mission
from tests.games.b29.table import DAY, NIGHT, OVER, RUN, THIN
from tests.support import again, fly, set_up


@pytest.mark.section("b29 4-3")
def test_a_frostbitten_radar_man_sees_no_storm(b29: Pack) -> None:
    moment = set_up(b29, NIGHT + "zone=4 altitude=lo frostbite.radar-operator=yes", "4-3")
    moment.fly("4-3: 2")
    assert moment.modifiers("4-3") == [("radar", 1)]


@pytest.mark.section("b29 4.1 note")
def test_the_briefed_altitude_is_told_before_the_run(b29: Pack) -> None:
    moment = set_up(b29, RUN.replace("altitude=hi pressurized", "altitude=med pressurized"))
    texts = [text for result in moment.mission.advance() for text, _ in result.notes]
    assert any("briefed altitude, HI" in text for text in texts)
    right = set_up(b29, RUN)
    assert not [text for result in right.mission.advance() for text, _ in result.notes if "briefed" in text]


@pytest.mark.section("b29 2.3 Truk", "b29 4.5 C1")
def test_truk_has_its_own_assembly_zone(b29: Pack) -> None:
    moment = set_up(b29, "mission.number=20 target.city=truk zone=3 turn=3 altitude=hi formation=out", "4-8")
    moment.fly("4-8: 5,5 = off")
    assert moment.asked == "4.5C1"


HIT_CITIES = "mission.number=12 target.type=urban-area town.1.name=tokyo town.1.crossed=5 town.1.boxes=5 "
HIT_CITIES += "town.2.name=osaka town.2.crossed=2 town.2.boxes=4 "


@pytest.mark.section("b29 9.2")
def test_a_bombed_out_city_sends_us_to_the_next_list(b29: Pack) -> None:
    moment = set_up(b29, HIT_CITIES, "2-2C")
    moment.fly("2-2C: = tokyo\n2-3: = tokyo\n2-3: = yokohama")  # barred on 2-3 as well
    assert (moment["target.city"], moment["target.table"]) == ("yokohama", "2-3")


@pytest.mark.section("b29 9.2")
def test_a_city_hit_before_remembers_its_boxes(b29: Pack) -> None:
    moment = set_up(b29, HIT_CITIES, "2-2C")
    moment.fly("2-2C: = osaka")
    assert (moment["target.city"], moment["target.crossed"], moment["target.boxes"]) == ("osaka", 2, 4)
    moment.mission.pending = [Pending.of({"roll": "9-1", "bind": {}, "born": 1})]
    moment.fly("9-1: = box")
    assert (moment["target.gone"], moment["target.bombed-out"]) == (3, "no")
    assert moment.asked != "target.boxes"  # not asked again


@pytest.mark.section("b29 9.2")
def test_other_missions_against_it_go_on(b29: Pack) -> None:
    moment = set_up(b29, HIT_CITIES.replace("urban-area", "airfield"), "2-3")
    moment.fly("2-3: = tokyo")
    assert moment["target.city"] == "tokyo"
    barred = set_up(b29, HIT_CITIES)
    barred.mission.write({"target.city": "tokyo"})
    assert any("bombed out" in item.name for item in barred.mission.pending)


def test_the_automatic_player_takes_a_place_and_goes_on(b29: Pack) -> None:
    moment = set_up(b29, THIN + "crew.bombardier=kia fate.bombardier=kia")
    assert fly(moment.mission, Chance(Random(5)), moves=3000)
    assert moment["step"] == "end"


@pytest.mark.section("b29 4-2", "b29 4.4")
def test_no_weather_goes_before_that_of_zone_1(b29: Pack) -> None:
    mission = Mission(b29, number=1)
    mission.write({"zone": 0, "leg": "outbound"})
    mission.write({"zone": 1})
    assert mission.state.get("weather.previous", "none") == "none"
    mission.write({"weather": "poor"})
    mission.write({"zone": 2})
    assert mission.state["weather.previous"] == "poor"
    mission.write({"weather": "bad", "leg": "inbound"})
    mission.write({"zone": 1})
    assert mission.state["weather.previous"] == "bad"


@pytest.mark.section("b29 5.7 B", "b29 6-6")
def test_evasion_ends_with_its_turn(b29: Pack) -> None:
    moment = set_up(b29, NIGHT + "turn=12 zone=12 altitude=lo formation=none visibility=slightly")
    for turn, add in ((12, [("night", -1), ("evasive", -1), ("lo", 1)]), (13, [("night", -1), ("lo", 1)])):
        if turn == 12:
            moment.mission.pending = [Pending.of({"choose": "evade-lights", "bind": {}, "born": 1})]
            moment.fly("evade-lights: yes")
            again(moment, "5-14").fly("5-14: 3,3")
        moment.mission.write({"turn": turn})
        again(moment, "6-6").fly("6-6: 4")
        assert moment.modifiers("6-6") == add


@pytest.mark.section("b29 5.7 B", "b29 6-6")
@pytest.mark.parametrize(
    ("sheet", "aim"),
    [("", True), ("course=off", False), ("engine.2=out engines.entered=1 zone.turns=1", False), ("leg=inbound", False)],
)
def test_evading_the_lights_costs_the_aim_only_on_a_turn_with_a_run(b29: Pack, sheet: str, aim: bool) -> None:
    moment = set_up(b29, f"{NIGHT} turn=12 zone=12 altitude=lo formation=none course=on bombs=aboard {sheet}")
    title = words(b29.choice("evade-lights"), "title", Facts(b29.sheet, moment.mission.state))
    assert ("on 6-6" in title) == aim


def test_flak_of_a_run_that_was_not_flown_is_forgotten(b29: Pack) -> None:
    """6-6: only the flak on the bomb run throws it when it costs the bombardier."""
    moment = set_up(b29, NIGHT + "turn=12 zone=12 altitude=lo formation=none visibility=slightly", "6-2")
    moment.fly("6-2: 3")
    assert moment["flak.run"] == "yes"
    moment.mission.write({"turn": 13})
    moment.mission.write({"crew.bombardier": "serious"})
    assert (moment["flak.run"], moment["bombardier.lost-to-flak"]) == ("no", "no")


@pytest.mark.section("b29 5.7 B", "b29 6-6")
@pytest.mark.parametrize(("dodged", "dice"), [("5-14", "3,3"), ("6-2", "3")])
def test_evasion_written_by_hand_spoils_the_aim_as_in_a_flight(b29: Pack, dodged: str, dice: str) -> None:
    moment = set_up(b29, NIGHT + "turn=12 zone=12 altitude=lo formation=none visibility=slightly evasive=yes", dodged)
    moment.fly(f"{dodged}: {dice}")
    again(moment, "6-6").fly("6-6: 4")
    assert moment.modifiers("6-6") == [("night", -1), ("evasive", -1), ("lo", 1)]


@pytest.mark.section("b29 5.7 A", "b29 5.7 B", "b29 7.2 two")
@pytest.mark.parametrize(
    ("facts", "barred"),
    [("formation=in", "in formation"), ("formation=out engine.1=out engine.4=out", "two or more engines"),
     ("formation=out electrical=out", "electrical"), ("formation=out bip=yes", "burst inside"),
     ("formation=out crew.pilot=kia crew.copilot=serious", "neither pilot")],
)  # fmt: skip
def test_evasion_that_is_barred_is_struck_with_the_reason(b29: Pack, facts: str, barred: str) -> None:
    moment = set_up(b29, DAY + f"turn=12 zone=12 altitude=hi weather=good {facts}")
    told = moment.mission.write({"evasive": "yes"}).notes
    assert [text for text, _ in told if barred in text]
    assert moment["evasive"] == "no"


@pytest.mark.section("b29 5.7 B")
def test_evasion_ends_with_the_engine_that_forbids_it(b29: Pack) -> None:
    moment = set_up(b29, DAY + "turn=12 zone=12 altitude=hi formation=out engine.1=out evasive=yes")
    assert moment["evasive"] == "yes"
    moment.mission.write({"engine.2": "out"})
    assert moment["evasive"] == "no"


@pytest.mark.section("b29 6.4")
def test_flak_rolled_by_hand_after_the_run_is_the_additional_flak(b29: Pack) -> None:
    moment = set_up(b29, OVER)
    for turn, table, dice, counts in (
        (12, "6-2", [4], [("hi", -1)]),
        (12, "6-6", [6], [("hi", -2)]),
        (12, "6-7", [3, 3], []),
        (12, "6-2", [5], [("hi", -1), ("additional", -1)]),
        (13, "6-2", [5], [("hi", -1)]),
    ):
        moment.mission.write({"turn": turn})
        moment.mission.roll(table, Hand([dice]))
        assert moment.modifiers(table) == counts


@pytest.mark.section("b29 6.4")
@pytest.mark.parametrize(
    ("facts", "more"), [({"bomb-run": "on"}, True), ({"leg": "inbound", "bomb-run": "off"}, False)]
)
def test_flak_after_a_run_written_by_hand_is_the_additional_flak(b29: Pack, facts: dict[str, str], more: bool) -> None:
    moment = set_up(b29, OVER)
    moment.mission.write(facts)
    moment.mission.roll("6-2", Hand([[5]]))
    assert (("additional", -1) in moment.modifiers("6-2")) == more


@pytest.mark.section("b29 6-6 note")
@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ("flak.run=yes crew.bombardier=kia", "bombardier"),
        ("bomber.position=lead bombsight=out bombsight.lost-to-flak=yes", "lead bomber"),
        ("formation=out bombsight=out", "nobody leads us"),
    ],
)
def test_a_run_that_is_off_at_once_says_why_and_counts_nothing(b29: Pack, facts: str, why: str) -> None:
    moment = set_up(b29, OVER + facts, "6-6")
    ran = moment.mission.roll(None, Hand())[0]
    assert (ran.outcome, ran.dice, moment.modifiers("6-6")) == ("off", [], [])
    assert why in ran.text


@pytest.mark.section("b29 6-7 d")
def test_two_bays_that_cannot_drop_ask_for_no_die(b29: Pack) -> None:
    moment = set_up(b29, OVER + "bomb-run=on doors.fwd=jammed-shut release.aft=out", "6-7")
    ran = moment.mission.roll(None, Hand())[0]
    assert (ran.outcome, moment["bomb-run"], moment["bomb-run.percent"]) == ("0", "off", 0)
