"""What a mission asks for and when: briefing, course, formation, escort, fighters by day and by night (2.0 to 5.8)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.packs import Pack
from tests.games.b29.table import DAY, NIGHT
from tests.storage.evenings import HIT, MISSED, fly
from tests.support import Moment, Run, after_step, again, asked, set_up

TOKYO = "target.city=tokyo target.type=industrial target.zone=12"


def given(pack: Pack, facts: str) -> dict[str, Any]:
    """A sheet from words."""
    return dict(pack.sheet.given(facts.split()))


def after(pack: Pack, step: str, facts: str, script: str = "") -> Moment:
    """As it stands after a step."""
    return after_step(pack, step, given(pack, facts), script)


# -- briefing ----------------------------------------------------------------------------------------------------------


@pytest.mark.section("b29 2.2 A", "b29 2.2 B", "b29 2.2 C", "b29 2.2 D")
def test_targets_of_early_and_late_missions(b29: Pack) -> None:
    assert after(b29, "brief", "mission.number=10").asked == "2-1"
    late = after(b29, "brief", "mission.number=11")
    assert late.asked == "2.2B"
    late.fly("2.2B: 3,3\n")
    assert late["mission.time"] == "night"
    late = after(b29, "brief", "mission.number=11", "2.2B: 3,4\n")
    assert (late["mission.time"], late.asked) == ("day", "2-2A")
    late.fly("2-2A: 3,3 = industrial\n")
    assert late.asked == "2-2B"
    late.fly("2-2B: 3,3 = med\n")
    assert (late["mission.altitude"], late.asked) == ("med", "target-list")
    night = after(b29, "brief", "mission.number=11", "2.2B: 1,1\n2-2A: 3,3 = industrial\n")
    assert (night["mission.altitude"], night.asked) == ("lo", "target-list")


@pytest.mark.section("b29 2.3 A", "b29 2.3 B", "b29 2.3 C", "b29 2.3 H")
@pytest.mark.parametrize(("time", "escort"), [("day", True), ("night", False)])
def test_place_squadron_resistance_and_escort(b29: Pack, time: str, escort: bool) -> None:
    facts = f"mission.number=12 mission.time={time} mission.altitude=lo {TOKYO}"
    moment = after(b29, "target-facts", facts)
    assert asked(moment.mission)[:3] == ["2-4", "2-5", "2-6"]
    rows = "2-4: 3,3 = middle\n2-5: 3,3 = low\n2-6: 3,3 = light\n" + ("" if escort else "2-7: 3,3 = all-armed\n")
    moment.fly(rows)
    assert (moment["bomber.position"], moment["squadron"], moment["resistance.expected"]) == ("middle", "low", "light")
    assert (moment.asked == "2-8") == escort


@pytest.mark.section("b29 2.3 G")
@pytest.mark.parametrize(
    ("facts", "fwd", "aft"),
    [
        ("mission.time=day mission.altitude=hi target.city=tokyo target.zone=12", True, True),
        ("mission.time=day mission.altitude=med target.city=tokyo target.zone=12", True, True),
        ("mission.time=day mission.altitude=hi target.city=iwo-jima target.zone=6 mission.number=5", False, False),
        ("mission.time=day mission.altitude=hi target.city=truk target.zone=5", True, True),
        ("mission.time=day mission.altitude=lo target.city=tokyo target.zone=12", False, True),
        ("mission.time=day mission.altitude=lo target.city=tokyo target.zone=13", True, True),
        ("mission.time=night mission.altitude=lo target.city=tokyo target.zone=13 gun.tail=unarmed", False, True),
        ("mission.time=night mission.altitude=lo target.city=tokyo target.zone=14 crew.cfc=absent", False, True),
        ("mission.time=night mission.altitude=lo target.city=tokyo target.zone=12 gun.tail=unarmed", False, False),
        ("mission.time=night mission.altitude=lo target.city=tokyo target.zone=13 armament=all-armed", True, True),
    ],
)
def test_auxiliary_tanks(b29: Pack, facts: str, fwd: bool, aft: bool) -> None:
    """2.3 G: by day above LO both bays, none for Iwo Jima; at LO the aft bay by one condition, both by two."""
    moment = after(b29, "day-formation", f"mission.number=12 formation=none target.type=industrial {facts}")
    assert (moment["aux.fwd"] == "installed", moment["aux.aft"] == "installed") == (fwd, aft)


@pytest.mark.section("b29 2.3 I", "b29 3.1", "b29 3.2")
def test_take_off_is_rolled_twice(b29: Pack) -> None:
    facts = f"mission.number=12 mission.time=night mission.altitude=lo {TOKYO}"
    moment = after(b29, "escort-available", facts)
    assert (asked(moment.mission), moment["zone"], moment["leg"]) == (["3-1", "3-2"], 0, "outbound")


BY_HAND = {
    "2-4": "lead", "2-5": "low", "2-6": "heavy", "2-7": "all-armed", "2-8": "yes", "3-1": "day-night", "3-2": "safe",
}  # fmt: skip


@pytest.mark.section("b29 2.3 A", "b29 2.3 B", "b29 2.3 C", "b29 2.3 D", "b29 2.3 H", "b29 3.1", "b29 3.2")
@pytest.mark.parametrize("time", ["day", "night"])
@pytest.mark.parametrize("rolled", BY_HAND)
def test_what_was_rolled_by_hand_before_take_off_is_not_rolled_again(b29: Pack, time: str, rolled: str) -> None:
    facts = f"mission.number=12 mission.time={time} mission.altitude=lo {TOKYO} step=target-facts"
    moment = set_up(b29, facts)
    again(moment, rolled).fly(f"{rolled}: 3,3 = {BY_HAND[rolled]}")
    skipped = "2-8" if time == "night" else "2-7"
    left = [table for table in BY_HAND if table not in (rolled, skipped)]
    moment.fly("\n".join(f"{table}: 3,3 = {BY_HAND[table]}" for table in left))
    assert [table for table in moment.tables if table in BY_HAND] == [rolled, *left]


@pytest.mark.section("b29 2.3 A", "b29 2.3 B")
def test_what_was_written_down_before_take_off_is_not_rolled_either(b29: Pack) -> None:
    facts = f"mission.number=12 mission.time=day mission.altitude=lo squadron=low {TOKYO}"
    assert asked(after(b29, "target-facts", facts).mission)[:2] == ["2-4", "2-6"]


@pytest.mark.section("b29 2.3 F", "b29 8.5")
@pytest.mark.parametrize(
    ("words", "asked_again", "entry", "below"),
    [
        ("-2-wj", False, -2, "sea-or-land"), ("+1-w", False, 1, "sea"), ("0-j", False, 0, "land"),
        ("1", True, 1, "none"),  # without letters it is still to be said what lies below
    ],
)  # fmt: skip
def test_a_gazetteer_entry_looked_up_by_hand_is_not_asked_for_again(
    b29: Pack, words: str, asked_again: bool, entry: int, below: str
) -> None:
    moment = set_up(b29, DAY + "zone=11 turn=11 altitude=hi weather=good step=cold", "2-9")
    moment.fly(f"2-9: = {words}\n")
    assert (moment.asked == "log.gazetteer.11") == asked_again
    assert (moment["gazetteer"], moment["below"]) == (entry, below)


@pytest.mark.section("b29 2.3 F", "b29 5.8 A")
def test_a_star_that_was_written_down_is_not_asked_for_again(b29: Pack) -> None:
    facts = f"mission.number=12 mission.time=night mission.altitude=lo {TOKYO} step=target-city"
    moment = set_up(b29, facts, "2-9")
    moment.fly("2-9: = starred\n")
    assert (moment["target.asterisk"], moment.asked) == ("yes", "2-4")


@pytest.mark.section("b29 2.3 I")
@pytest.mark.parametrize(
    ("beforehand", "asked"), [("zone=3", "mission.time"), ("altitude=hi", "zone"), ("squadron=low", "2.2B")]
)
def test_a_flight_begins_at_the_base_or_where_the_sheet_says(b29: Pack, beforehand: str, asked: str) -> None:
    moment = set_up(b29, f"mission.number=12 {beforehand}")
    written = dict(moment.mission.state)
    moment.mission.advance()
    assert moment.asked == asked
    assert written.items() <= moment.mission.state.items()


@pytest.mark.section("b29 2.2 B")
def test_day_or_night_rolled_by_hand_is_not_rolled_again(b29: Pack) -> None:
    moment = set_up(b29, "mission.number=12", "2.2B")
    moment.fly("2.2B: 3,4")
    assert moment.asked == "2-2A"
    moment.fly("2-2A: 3,3 = industrial\n")
    assert moment.asked == "2-2B"
    night = set_up(b29, "mission.number=12 mission.time=night step=brief")
    night.fly("")
    assert night.asked == "2-2A"


# -- course, formation, escort -----------------------------------------------------------------------------------------


@pytest.mark.section("b29 4.5 A")
@pytest.mark.parametrize(
    ("facts", "rolls"),
    [
        (NIGHT + "formation=none zone=4", True),
        (DAY + "formation=out zone=4", True),
        (DAY + "formation=out zone=9", True),  # the rally of late missions
        (DAY + "formation=in zone=10 squadron=high bomber.position=lead", False),
        (DAY + "formation=in zone=10 squadron=middle bomber.position=middle", False),
        (DAY + "formation=in zone=10 squadron=middle bomber.position=lead", True),
        (DAY + "formation=out zone=11", True),
        (DAY + "formation=out zone=8 leg=inbound bombs=dropped", True),
    ],
)
def test_who_finds_the_way(b29: Pack, facts: str, rolls: bool) -> None:
    """4.5 A: everybody outside formation; within it the lead of the Middle squadron for all."""
    moment = after(b29, "weather", f"{facts} turn=9 moved=yes weather=good altitude=lo")
    assert (moment.asked == "4-4") == rolls


@pytest.mark.section("b29 4.5 C2", "b29 4.8 D")
@pytest.mark.parametrize(
    ("facts", "rolls"),
    [
        ("formation=out bomber.position=tail", True),
        ("formation=in bomber.position=tail", False),
        ("formation=in bomber.position=lead", True),
    ],
)
def test_looking_for_the_target_ends_among_the_others(b29: Pack, facts: str, rolls: bool) -> None:
    looking = f"{facts} squadron=middle {TOKYO} zone=12 turn=14 zone.turns=1 course=off hunting=yes altitude=lo"
    moment = after(b29, "weather", f"{DAY} {looking}")
    assert (moment.asked == "4-4", moment["course"], moment["hunting"]) == (
        (True, "off", "yes") if rolls else (False, "on", "no")
    )


@pytest.mark.section("b29 4.8 B")
@pytest.mark.parametrize(("number", "zone", "formation"), [(12, 10, "in"), (12, 9, "out"), (5, 4, "in"), (5, 3, "out")])
def test_where_the_formation_ends(b29: Pack, number: int, zone: int, formation: str) -> None:
    facts = DAY.replace("mission.number=12", f"mission.number={number}") + (
        f"turn=15 zone={zone + 1} zone.turns=1 leg=inbound bombs=dropped formation=in altitude=hi pressurized=yes "
        "weather=good fuel.wing=10 "
    )
    moment = after(b29, "past-iwo", facts)
    assert (moment["zone"], moment["formation"]) == (zone, formation)


@pytest.mark.section("b29 4.8 E")
@pytest.mark.parametrize(
    ("facts", "asks"),
    [
        ("zone=9 formation=in", True), ("zone=11 formation=in escort.tries=1", True), ("zone=9 formation=out", False),
        ("zone=8 formation=in", False), ("zone=10 formation=in escort=p51", False),
        ("zone=10 formation=in squadron=middle bomber.position=lead course=off", False),
        # a later turn in the zone: on course again, or one that has tried in it
        ("zone=10 formation=in squadron=middle bomber.position=lead moved=no", True),
        ("zone=10 formation=in moved=no escort.tries=1 escort.tried=yes", False),
        # homeward in any ensuing zone, as far as fighters may come (5.1 A): to Zone 6 on Missions 1 to 10
        ("zone=8 formation=in leg=inbound escort.tries=2 mission.number=5", True),
        ("zone=6 formation=in leg=inbound escort.tries=2 mission.number=5", True),
        ("zone=5 formation=in leg=inbound escort.tries=2 mission.number=5", False),
        ("zone=8 formation=in leg=inbound mission.number=5", False),  # never sought before
        ("zone=8 formation=in leg=inbound escort.tries=2 mission.number=5 takeoff.time=day landing.time=night", False),
        ("zone=10 formation=in leg=inbound escort.tries=2 mission.number=5 takeoff.time=day landing.time=night", True),
    ],
)  # fmt: skip
def test_when_the_escort_is_met(b29: Pack, facts: str, asks: bool) -> None:
    """4.8 E: from Zone 9 on for Japan, in formation and on course; missed, it is tried again at -2."""
    there = DAY + f"escort.available=yes turn=9 moved=yes zone.turns=1 altitude=hi weather=good step=assembly {facts}"
    moment = after(b29, "assembly", there)
    assert (moment.asked == "4-11") == asks


@pytest.mark.section("b29 4.8 A", "b29 4.1 B")
@pytest.mark.parametrize(
    ("briefed", "height", "zone", "asks"),
    [("lo", "med", 9, True), ("lo", "hi", 9, True), ("med", "hi", 9, True), ("lo", "med", 8, False),
     ("med", "med", 9, False)],
)  # fmt: skip
def test_who_is_above_her_height_is_asked_before_the_assembly(
    b29: Pack, briefed: str, height: str, zone: int, asks: bool
) -> None:
    there = given(b29, DAY + f"mission.altitude={briefed} altitude={height} pressurized=yes turn={zone} zone={zone} ")
    there |= given(b29, "moved=yes zone.turns=1 leg=outbound formation=out weather=good fuel.wing=10")
    stayed = after_step(b29, "altitude", there)["altitude.now"]
    moment = after_step(b29, "oxygen-place", {**there, "altitude.answered": stayed})
    assert (moment.asked == "altitude") == asks
    if asks:
        assert moment.options[0] == ("lo" if briefed == "lo" else "down-to-med")  # what Enter takes


# -- fighters ----------------------------------------------------------------------------------------------------------


@pytest.mark.section("b29 5.1 A", "b29 5.2 A")
@pytest.mark.parametrize(
    ("facts", "comes"),
    [("zone=9", False), ("zone=10", True), ("zone=12", True), ("zone=12 leg=inbound bombs=dropped", True),
     ("zone=6", False), ("zone=6 mission.number=5", True),
     ("zone=6 mission.number=5 leg=inbound bombs=dropped", True),
     ("zone=6 mission.number=5 leg=inbound bombs=dropped takeoff.time=day landing.time=night", False)],
)  # fmt: skip
def test_where_fighters_are_met(b29: Pack, facts: str, comes: bool) -> None:
    """5.1 A: Zones 10 to 14, and Zone 6 while Iwo Jima is Japanese, but not homeward into the night."""
    there = DAY + f"turn=9 altitude=lo formation=out weather=good moved=yes {facts}"
    moment = after(b29, "night-evasion", there)
    assert (moment.asked == "5-1") == comes


@pytest.mark.section("b29 5.2 A", "b29 5.2 B", "b29 5.2 C", "b29 5.2 D", "b29 5.2 F")
def test_the_order_of_a_fight_by_day(b29: Pack) -> None:
    there = DAY + "turn=12 zone=10 zone.turns=1 altitude=lo formation=in weather=good log.gazetteer.10=0 "
    moment = after(b29, "night-evasion", there + "setting.ammunition=uncounted setting.passing-shots=no")
    moment.fly("5-1: 5,5\n")
    assert moment.asked == "5.2A"
    moment.fly("5.2A: 1\n")
    assert moment.asked == "5-2"
    moment.fly("5-2: 3,3\n")
    assert moment.asked == "5-3"
    moment.fly("5-3: 5,5\n")
    assert moment.asked == "5-4"
    moment.fly("5-4: 3\n")
    while moment.asked == "aim":
        moment.fly("aim: hold\n")
    assert moment.asked == "5-5"


@pytest.mark.section("b29 5.2 A")
@pytest.mark.parametrize(("resistance", "last"), [("light", 2), ("moderate", 3), ("heavy", 4)])
def test_how_often_fighters_come(b29: Pack, resistance: str, last: int) -> None:
    there = DAY + f"turn=12 zone=10 altitude=hi formation=in weather=good resistance={resistance} step=night-evasion "
    for die in range(1, 7):
        moment = set_up(b29, there, "5.2A")
        moment.fly(f"5.2A: {die}\n")
        assert (moment.asked == "5-2") == (die <= last)


@pytest.mark.section("b29 5.7 A", "b29 5.7 B", "b29 7.2 two")
@pytest.mark.parametrize(
    ("facts", "may"),
    [("formation=out", "yes"), ("formation=in", "no"), ("formation=out engine.1=out", "yes"),
     ("formation=out engine.1=out engine.4=out", "no"), ("formation=out electrical=out", "no"),
     ("formation=out crew.pilot=kia", "yes"), ("formation=out crew.pilot=kia crew.copilot=serious", "no"),
     ("formation=out bip=yes", "no"), ("mission.time=night formation=none altitude=lo", "yes")],
)  # fmt: skip
def test_who_may_evade(b29: Pack, facts: str, may: str) -> None:
    """5.7: alone or by night, with three engines and electrics, a pilot at the controls and no burst inside."""
    moment = set_up(b29, DAY + f"turn=12 zone=10 altitude=hi weather=good {facts}")
    assert moment["may-evade"] == may


NIGHT_FIGHT = NIGHT + (
    "turn=12 zone=12 zone.turns=1 altitude=lo formation=none weather=good resistance=moderate log.gazetteer.12=0 "
    "setting.ammunition=uncounted setting.passing-shots=no "
)


@pytest.mark.section("b29 5.8 B", "b29 5.8 C", "b29 5.8 D", "b29 5-15")
def test_a_night_fighter_comes_from_behind(b29: Pack) -> None:
    moment = set_up(b29, NIGHT_FIGHT + "step=resistance ", "5-15")
    moment.fly("5-15: 5,5\n")
    assert (moment["fighter.1.type"], moment["fighter.1.clock"], moment.asked) == ("nick", "6", "5-4")
    moment.fly("5-4: 5\n")
    assert moment["fighter.1.angle"] == "level"
    assert "5-5" not in asked(moment.mission)
    assert moment.asked == "5.8D"


@pytest.mark.section("b29 5.8 I", "b29 5.8 G")
@pytest.mark.parametrize(
    ("facts", "back"),
    [
        ("fighter.1.type=nick", True), ("fighter.1.type=nick fighter.1.hit=yes", True),
        ("fighter.1.type=nick fighter.1.fca=1", False), ("fighter.1.type=irving", False),
        ("fighter.1.type=irving bombs=jettisoned engine.2=out", True),
        ("fighter.1.type=irving bombs=jettisoned engine.2=out fighter.1.fca=1", False),
        ("fighter.1.type=nick fighter.1.clock=climb came.1=1 round=2", False),
    ],
)  # fmt: skip
def test_who_comes_again_by_night(b29: Pack, facts: str, back: bool) -> None:
    """5.8 I: a sound Nick once more; a sound Irving if an engine of ours is out; in a climb, and seen."""
    fight = "slots.fighter=1 fighter.1.clock=6 fighter.1.angle=level fighter.1.spotted=yes round=1 "
    moment = after(b29, "answer-fire", NIGHT_FIGHT + fight + facts)
    if moment.asked == "come-back":  # an Irving's is left to the player
        moment.fly("come-back: again\n")
    assert (moment["fighters"] == 1 and moment["fighter.1.clock"] == "climb") == back


@pytest.mark.section("b29 7.4 B", "b29 7.5")
@pytest.mark.parametrize(
    ("table", "script"), [("7-1", "7-1: 1,1\n7-1.oxygen: 6\n"), ("7-2", "7-2: 1,1\n7-2.oxygen: 4\n")]
)
def test_an_oxygen_fire_is_fought(b29: Pack, table: str, script: str) -> None:
    there = DAY + "turn=9 zone=8 altitude=hi pressurized=no cold.since=9 formation=out weather=good step=offense "
    moment = set_up(b29, there, table, area="nose" if table == "7-1" else "nav-radio")
    moment.fly(script)
    assert moment.asked in ("fire-man", "7-1.b", "7-2.a")
    who = "bombardier" if table == "7-1" else "navigator"
    assert moment[f"oxygen.{who}"] == 2


# -- what counts -------------------------------------------------------------------------------------------------------


@pytest.fixture
def owls(companion: Run) -> Run:
    companion("new", "Night Owls", "--game", "b29", "--yes")
    return companion


@pytest.mark.section("b29 9.3 A", "b29 9.3 B", "b29 9.3 C")
@pytest.mark.parametrize(
    ("end", "result"),
    [(HIT, "victory"), (MISSED, "draw"), (["bomber.fate=returned", "bombs=jettisoned", "aborted=yes", "credit=no"],
     "draw"), (["bomber.fate=wrecked", *HIT[1:]], "defeat"), (["bomber.fate=ditched", *HIT[1:]], "defeat")],
)  # fmt: skip
def test_who_wins_a_mission(owls: Run, end: list[str], result: str) -> None:
    """9.3: on target and home is ours; ditched or beyond repair theirs; home without a hit a draw."""
    fly(owls, *end)
    assert [row["result"] for row in owls("campaign", "--json").json["missions"]] == [result]


@pytest.mark.section("b29 9.4")
def test_thirty_five_missions_and_the_side_with_more(owls: Run) -> None:
    for end in (HIT, MISSED, HIT, MISSED):
        fly(owls, *end)
    totals = owls("campaign", "--json").json["totals"]
    assert (totals["ahead"], totals["results"]["victory"], totals["results"]["draw"]) == ("victory", 2, 2)
    assert "of 35" in owls("campaign").out


@pytest.mark.section("b29 4.7 C")
def test_only_missions_that_count_make_a_veteran(owls: Run, b29: Pack) -> None:
    fly(owls, *HIT)
    fly(owls, "bomber.fate=returned", "bombs=jettisoned", "aborted=yes", "credit=no")
    fly(owls, *MISSED)
    crew = owls("crew", "--json").json["crew"]
    assert {each["missions"] for each in crew} == {2}


@pytest.mark.section("b29 2.3 Truk", "b29 2.2 A")
@pytest.mark.parametrize(("row", "asked"), [("truk", False), ("tokyo", True)])
def test_truk_in_a_row_is_by_day_and_not_asked(b29: Pack, row: str, asked: bool) -> None:
    moment = set_up(b29, "mission.number=4", "2-1")
    moment.fly(f"2-1: 3,3 = {row}\n")
    assert (moment.asked == "mission.time") == asked
