"""What a mission asks for and when: briefing, course, formation, escort, fighters by day and by night (2.0 to 5.8)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.packs import Pack
from tests.games.b29.table import DAY, NIGHT
from tests.storage.evenings import HIT, MISSED, fly
from tests.support import Moment, Run, after_step, again, asked, check, moments, set_up

TOKYO = "target.city=tokyo target.type=industrial target.zone=12"


def given(pack: Pack, facts: str) -> dict[str, Any]:
    """A sheet from words."""
    return dict(pack.sheet.given(facts.split()))


def after(pack: Pack, step: str, facts: str, script: str = "") -> Moment:
    """As it stands after a step."""
    return after_step(pack, step, given(pack, facts), script)


# -- briefing ----------------------------------------------------------------------------------------------------------


LATE = "mission.number=11 step=brief"
BRIEFED = f"mission.number=12 mission.altitude=lo {TOKYO} step=target-facts mission.time="
PLACES = "2-4: 3,3 = middle; 2-5: 3,3 = low; 2-6: 3,3 = light"
ENTRY = DAY + "zone=11 turn=11 altitude=hi weather=good step=cold roll=2-9"


@pytest.mark.section("b29 2.2 A", "b29 2.2 B", "b29 2.2 C", "b29 2.2 D", "b29 2.3 A", "b29 2.3 B", "b29 2.3 C")
@pytest.mark.section("b29 2.3 F", "b29 2.3 H", "b29 2.3 I", "b29 2.3 Truk", "b29 3.1", "b29 3.2", "b29 5.8 A")
@pytest.mark.section("b29 8.5")
@moments(
    ("to Mission 10 all comes from 2-1", "mission.number=10 step=brief", "", "asked=2-1"),
    ("later the dice say day or night", LATE, "", "asked=2.2B"),
    ("a 6 is night", LATE, "2.2B: 3,3", "mission.time=night"),
    ("a 7 is day, with a type", LATE, "2.2B: 3,4", "mission.time=day asked=2-2A"),
    ("then its height", LATE, "2.2B: 3,4; 2-2A: 3,3 = industrial", "asked=2-2B"),
    ("then the city", LATE, "2.2B: 3,4; 2-2A: 3,3 = industrial; 2-2B: 3,3 = med",
     "mission.altitude=med asked=target-list"),
    ("by night the height is LO", LATE, "2.2B: 1,1; 2-2A: 3,3 = industrial", "mission.altitude=lo asked=target-list"),
    ("day or night rolled by hand is not rolled again", "mission.number=12 roll=2.2B", "2.2B: 3,4", "asked=2-2A"),
    ("nor is the type", "mission.number=12 roll=2.2B", "2.2B: 3,4; 2-2A: 3,3 = industrial", "asked=2-2B"),
    ("nor a night that was written", "mission.number=12 mission.time=night step=brief", "", "asked=2-2A"),
    ("a row of 2-1 for Truk is by day", "mission.number=4 roll=2-1", "2-1: 3,3 = truk", "asked!=mission.time"),
    ("one for Tokyo is asked", "mission.number=4 roll=2-1", "2-1: 3,3 = tokyo", "asked=mission.time"),
    ("place, squadron and resistance are rolled by day, then the escort", BRIEFED + "day", PLACES,
     "bomber.position=middle squadron=low resistance.expected=light asked=2-8"),
    ("by night the guns", BRIEFED + "night", PLACES + "; 2-7: 3,3 = all-armed",
     "bomber.position=middle squadron=low resistance.expected=light asked!=2-8"),
    ("take-off is rolled twice, from the base", f"mission.number=12 mission.time=night mission.altitude=lo {TOKYO} "
     "step=escort-available", "", "waits=3-1 waits=3-2 zone=0 leg=outbound"),
    ("a star that was written down is not asked for again",
     f"mission.number=12 mission.time=night mission.altitude=lo {TOKYO} step=target-city roll=2-9", "2-9: = starred",
     "target.asterisk=yes asked=2-4"),
    ("a flight begins at the base", "mission.number=12 squadron=low", "", "asked=2.2B squadron=low"),
    ("or where the sheet says", "mission.number=12 zone=3", "", "asked=mission.time zone=3"),
    ("or asks", "mission.number=12 altitude=hi", "", "asked=zone altitude=hi"),
    ("an entry of the gazetteer says what lies below: land or sea", ENTRY, "2-9: = -2-wj",
     "asked!=log.gazetteer.11 gazetteer=-2 below=sea-or-land"),
    ("sea", ENTRY, "2-9: = +1-w", "asked!=log.gazetteer.11 gazetteer=1 below=sea"),
    ("land", ENTRY, "2-9: = 0-j", "asked!=log.gazetteer.11 gazetteer=0 below=land"),
    ("without letters it is still asked", ENTRY, "2-9: = 1", "asked=log.gazetteer.11 gazetteer=1 below=none"),
)  # fmt: skip
def test_the_briefing(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


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


# -- course, formation, escort -----------------------------------------------------------------------------------------


NIGHT_FIGHT = NIGHT + (
    "turn=12 zone=12 zone.turns=1 altitude=lo formation=none weather=good resistance=moderate log.gazetteer.12=0 "
    "setting.ammunition=uncounted setting.passing-shots=no "
)
FINDS = "turn=9 moved=yes weather=good altitude=lo step=weather "
LOOKS = DAY + (f"squadron=middle {TOKYO} zone=12 turn=14 zone.turns=1 course=off hunting=yes altitude=lo step=weather ")
BACK = DAY + (
    "turn=15 zone.turns=1 leg=inbound bombs=dropped formation=in altitude=hi pressurized=yes weather=good "
    "fuel.wing=10 step=past-iwo "
)
MET = DAY + "turn=9 altitude=lo formation=out weather=good moved=yes step=night-evasion "
COMES = DAY + "turn=12 zone=10 altitude=hi formation=in weather=good step=night-evasion resistance={} roll=5.2A"
BATTLE = DAY + (
    "turn=12 zone=10 zone.turns=1 altitude=lo formation=in weather=good log.gazetteer.10=0 "
    "setting.ammunition=uncounted setting.passing-shots=no step=night-evasion "
)
UNSEEN = NIGHT_FIGHT + "step=resistance roll=5-15"


@pytest.mark.section("b29 4.5 A", "b29 4.5 C2", "b29 4.8 B", "b29 4.8 D", "b29 5.1 A", "b29 5.2 A", "b29 5.2 B")
@pytest.mark.section("b29 5.2 C", "b29 5.2 D", "b29 5.2 F", "b29 5.8 B", "b29 5.8 C", "b29 5.8 D", "b29 5-15")
@moments(
    ("by night each finds the way", NIGHT + FINDS + "formation=none zone=4", "", "asked=4-4"),
    ("out of formation too", DAY + FINDS + "formation=out zone=4", "", "asked=4-4"),
    ("up to the rally of late missions", DAY + FINDS + "formation=out zone=9", "", "asked=4-4"),
    ("and beyond it", DAY + FINDS + "formation=out zone=11", "", "asked=4-4"),
    ("homeward", DAY + FINDS + "formation=out zone=8 leg=inbound bombs=dropped", "", "asked=4-4"),
    ("in formation the lead of the Middle squadron for all",
     DAY + FINDS + "formation=in zone=10 squadron=middle bomber.position=lead", "", "asked=4-4"),
    ("not that of the High one", DAY + FINDS + "formation=in zone=10 squadron=high bomber.position=lead", "",
     "asked!=4-4"),
    ("nor the others", DAY + FINDS + "formation=in zone=10 squadron=middle bomber.position=middle", "", "asked!=4-4"),
    ("alone she looks for the target", LOOKS + "formation=out bomber.position=tail", "",
     "asked=4-4 course=off hunting=yes"),
    ("who rejoins for it is on course", LOOKS + "formation=in bomber.position=tail", "",
     "asked!=4-4 course=on hunting=no"),
    ("the lead looks for all", LOOKS + "formation=in bomber.position=lead", "", "asked=4-4 course=off hunting=yes"),
    ("homeward the formation holds in Zone 10", BACK + "zone=11", "", "zone=10 formation=in"),
    ("and ends in 9", BACK + "zone=10", "", "zone=9 formation=out"),
    ("on early missions it holds in 4", BACK + "zone=5 mission.number=5", "", "zone=4 formation=in"),
    ("and ends in 3", BACK + "zone=4 mission.number=5", "", "zone=3 formation=out"),
    ("no fighters come in Zone 9", MET + "zone=9", "", "asked!=5-1"),
    ("but in 10", MET + "zone=10", "", "asked=5-1"),
    ("over the target", MET + "zone=12", "", "asked=5-1"),
    ("and homeward", MET + "zone=12 leg=inbound bombs=dropped", "", "asked=5-1"),
    ("none over our Iwo Jima", MET + "zone=6", "", "asked!=5-1"),
    ("some while it is Japanese", MET + "zone=6 mission.number=5", "", "asked=5-1"),
    ("homeward too", MET + "zone=6 mission.number=5 leg=inbound bombs=dropped", "", "asked=5-1"),
    ("but not into the night",
     MET + "zone=6 mission.number=5 leg=inbound bombs=dropped takeoff.time=day landing.time=night", "", "asked!=5-1"),
    ("light resistance attacks on 2", COMES.format("light"), "5.2A: 2", "asked=5-2"),
    ("not on 3", COMES.format("light"), "5.2A: 3", "asked!=5-2"),
    ("moderate on 3", COMES.format("moderate"), "5.2A: 3", "asked=5-2"),
    ("not on 4", COMES.format("moderate"), "5.2A: 4", "asked!=5-2"),
    ("heavy on 4", COMES.format("heavy"), "5.2A: 4", "asked=5-2"),
    ("not on 5", COMES.format("heavy"), "5.2A: 5", "asked!=5-2"),
    ("after resistance a die", BATTLE, "5-1: 5,5", "asked=5.2A"),
    ("the type", BATTLE, "5-1: 5,5; 5.2A: 1", "asked=5-2"),
    ("where it comes from", BATTLE, "5-1: 5,5; 5.2A: 1; 5-2: 3,3", "asked=5-3"),
    ("and its height", BATTLE, "5-1: 5,5; 5.2A: 1; 5-2: 3,3; 5-3: 5,5", "asked=5-4"),
    ("the guns are allotted before its pilot is known", BATTLE, "5-1: 5,5; 5.2A: 1; 5-2: 3,3; 5-3: 5,5; 5-4: 3",
     "asked=aim waits!=5-5"),
    ("a night fighter comes from 6", UNSEEN, "5-15: 5,5", "fighter.1.type=nick fighter.1.clock=6 asked=5-4"),
    ("5-4 has -1, nobody rolls for its pilot, and a die says whether it is seen", UNSEEN, "5-15: 5,5; 5-4: 5",
     "fighter.1.angle=level waits!=5-5 asked=5.8D"),
)  # fmt: skip
def test_the_way_and_its_fighters(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


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
