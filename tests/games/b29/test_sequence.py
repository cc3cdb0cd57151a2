"""The order of a mission: briefing, course, formation, escort, fighters by day and by night (2.0 to 5.8), orders."""

from typing import Any

import pytest

from companion.engine.questions import Pending
from companion.packs import Pack
from tests.games.b29.table import DAY, NIGHT, OVER
from tests.storage.evenings import HIT, MISSED, fly
from tests.support import Moment, Run, after_step, again, check, moments, set_up

TOKYO = "target.city=tokyo target.type=industrial target.zone=12"


def given(pack: Pack, facts: str) -> dict[str, Any]:
    """Return a sheet from words."""
    return dict(pack.sheet.given(facts.split()))


def after(pack: Pack, step: str, facts: str, script: str = "") -> Moment:
    """Return the moment after a step."""
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
    ("nor what was written down before take-off", BRIEFED + "day squadron=low", "", "waits=2-4 waits!=2-5 waits=2-6"),
)  # fmt: skip
def test_the_briefing(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


NIGHT_FIGHT = NIGHT + (
    "turn=12 zone=12 zone.turns=1 altitude=lo formation=none weather=good resistance=moderate log.gazetteer.12=0 "
    "setting.ammunition=uncounted setting.passing-shots=no "
)
TANKS = "mission.number=12 formation=none target.type=industrial step=day-formation mission.time="
NIGHT_13 = TANKS + "night mission.altitude=lo target.city=tokyo target.zone="
ESCORT = DAY + "escort.available=yes turn=9 moved=yes zone.turns=1 altitude=hi weather=good step=assembly formation=in "
LEADS = ESCORT + "zone=10 squadron=middle bomber.position=lead "
EARLY = ESCORT + "leg=inbound mission.number=5 escort.tries=2 "
EVADES = DAY + "turn=12 zone=10 altitude=hi weather=good formation=out "
NICK = NIGHT_FIGHT + (
    "slots.fighter=1 fighter.1.clock=6 fighter.1.angle=level fighter.1.spotted=yes round=1 step=answer-fire "
    "fighter.1.type="
)
OXYGEN = DAY + "turn=9 zone=8 altitude=hi pressurized=no cold.since=9 formation=out weather=good step=offense "


@pytest.mark.section("b29 2.3 G", "b29 4.8 E", "b29 5.7 A", "b29 5.7 B", "b29 7.2 two", "b29 5.8 I", "b29 5.8 G")
@pytest.mark.section("b29 7.4 B", "b29 7.5")
@moments(
    ("by day above LO both bays have tanks", TANKS + "day mission.altitude=hi target.city=tokyo target.zone=12", "",
     "aux.fwd=installed aux.aft=installed"),
    ("at MED too", TANKS + "day mission.altitude=med target.city=tokyo target.zone=12", "",
     "aux.fwd=installed aux.aft=installed"),
    ("for Truk too", TANKS + "day mission.altitude=hi target.city=truk target.zone=5", "",
     "aux.fwd=installed aux.aft=installed"),
    ("none for Iwo Jima", TANKS + "day mission.altitude=hi target.city=iwo-jima target.zone=6 mission.number=5", "",
     "aux.fwd=none aux.aft=none"),
    ("at LO the aft bay with all guns and gunners", TANKS + "day mission.altitude=lo target.city=tokyo target.zone=12",
     "", "aux.fwd=none aux.aft=installed"),
    ("both beyond Zone 12 too", TANKS + "day mission.altitude=lo target.city=tokyo target.zone=13", "",
     "aux.fwd=installed aux.aft=installed"),
    ("the aft bay for the zone alone", NIGHT_13 + "13 gun.tail=unarmed", "", "aux.fwd=none aux.aft=installed"),
    ("without a gunner too", NIGHT_13 + "14 crew.cfc=absent", "", "aux.fwd=none aux.aft=installed"),
    ("for neither reason none", NIGHT_13 + "12 gun.tail=unarmed", "", "aux.fwd=none aux.aft=none"),
    ("for both both", NIGHT_13 + "13 armament=all-armed", "", "aux.fwd=installed aux.aft=installed"),
    ("the escort is met from Zone 9 on", ESCORT + "zone=9", "", "asked=4-11"),
    ("and sought again", ESCORT + "zone=11 escort.tries=1", "", "asked=4-11"),
    ("not before", ESCORT + "zone=8", "", "asked!=4-11"),
    ("nor alone", ESCORT + "zone=9 formation=out", "", "asked!=4-11"),
    ("nor when it is there", ESCORT + "zone=10 escort=p51", "", "asked!=4-11"),
    ("nor off course", LEADS + "course=off", "", "asked!=4-11"),
    ("on course in a later turn of the zone it is", LEADS + "moved=no", "", "asked=4-11"),
    ("but once in each", ESCORT + "zone=10 moved=no escort.tries=1 escort.tried=yes", "", "asked!=4-11"),
    ("homeward as far as fighters come: on early missions", EARLY + "zone=8", "", "asked=4-11"),
    ("to Zone 6", EARLY + "zone=6", "", "asked=4-11"), ("not beyond", EARLY + "zone=5", "", "asked!=4-11"),
    ("nor where it was never sought", EARLY + "zone=8 escort.tries=0", "", "asked!=4-11"),
    ("nor home into the night", EARLY + "zone=8 takeoff.time=day landing.time=night", "", "asked!=4-11"),
    ("but over Japan", EARLY + "zone=10 takeoff.time=day landing.time=night", "", "asked=4-11"),
    ("alone she may evade", EVADES, "", "may-evade=yes"),
    ("by night too", EVADES + "mission.time=night formation=none altitude=lo", "", "may-evade=yes"),
    ("not in formation", EVADES + "formation=in", "", "may-evade=no"),
    ("with three engines", EVADES + "engine.1=out", "", "may-evade=yes"),
    ("not with two", EVADES + "engine.1=out engine.4=out", "", "may-evade=no"),
    ("nor without electrics", EVADES + "electrical=out", "", "may-evade=no"),
    ("with one pilot", EVADES + "crew.pilot=kia", "", "may-evade=yes"),
    ("not without", EVADES + "crew.pilot=kia crew.copilot=serious", "", "may-evade=no"),
    ("nor after a burst inside", EVADES + "bip=yes", "", "may-evade=no"),
    ("a sound Nick comes again, in a climb", NICK + "nick", "", "fighters=1 fighter.1.clock=climb"),
    ("also one that has hit", NICK + "nick fighter.1.hit=yes", "", "fighters=1 fighter.1.clock=climb"),
    ("not a damaged one", NICK + "nick fighter.1.fca=1", "", "fighters=0"),
    ("nor a second time", NICK + "nick fighter.1.clock=climb came.1=1 round=2", "", "fighters=0"),
    ("an Irving does not", NICK + "irving", "", "fighters=0"),
    ("unless an engine of ours is out", NICK + "irving bombs=jettisoned engine.2=out", "come-back: again",
     "fighters=1 fighter.1.clock=climb"),
    ("and it is sound", NICK + "irving bombs=jettisoned engine.2=out fighter.1.fca=1", "", "fighters=0"),
    ("an oxygen fire in the Nose takes its oxygen", OXYGEN + "roll=7-1 area=nose", "7-1: 1,1; 7-1.oxygen: 6",
     "oxygen.bombardier=2"),
    ("one in Nav/Radio too", OXYGEN + "roll=7-2 area=nav-radio", "7-2: 1,1; 7-2.oxygen: 4", "oxygen.navigator=2"),
)  # fmt: skip
def test_tanks_escort_and_evasion(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


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


# -- course, formation, escort -----------------------------------------------------------------------------------------


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
    ("no fighters come in Zone 9", MET + "zone=9", "", "asked!=5-1"), ("but in 10", MET + "zone=10", "", "asked=5-1"),
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
def test_mission_results(owls: Run, end: list[str], result: str) -> None:
    """9.3: on target and home is a win; ditched or beyond repair a loss; home without a hit a draw."""
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


@pytest.mark.parametrize(("table", "row"), [("3-2", "bomber-lost"), ("8-1", "wrecked"), ("8-3", "unsuccessful")])
def test_the_victims_of_a_crash_are_asked_for(b29: Pack, table: str, row: str) -> None:
    """3.2, 8.1: the row names the men, and each one's fate is settled at once."""
    moment = set_up(b29, "mission.number=12 mission.time=day altitude=lo zone=1 leg=inbound turn=20 sea=calm", table)
    moment.mission.write({"book.8-3.sea-state": 0})
    dice = f"{table}: 3,4 = {row}\ncrew-hurt: pilot\nhow-hurt: killed\ncrew-hurt: cfc\nhow-hurt: wound\n"
    moment.fly(f"{dice}7-13: 3\n7-13: light\ncrew-hurt: nobody")
    assert (moment["crew.pilot"], moment["fate.pilot"], moment["crew.cfc"], moment["crew.alive"]) == (
        "kia", "kia", "light", 10,
    )  # fmt: skip


@pytest.mark.parametrize("command", ["roll", "odds"])
def test_night_for_one_roll_means_lo_too(companion: Run, command: str) -> None:
    """2.2 C and 6-6: -1 at night, and +1 for the altitude that goes with it, without being given twice."""
    words = (command, "6-6", "--game", "b29", "--with", "mission.time=night", "--json")
    ran = companion(*words, *(("--dice", "3") if command == "roll" else ()))
    assert ran.code == 0
    if command == "roll":
        assert [(each["add"], each["why"]) for each in ran.json["modifiers"]] == [(-1, "night"), (1, "at LO")]
        assert "altitude" not in ran.json["assumed"]
    else:
        said = companion(*words, "--with", "altitude=lo")
        assert ran.json["odds"] == said.json["odds"] if "odds" in ran.json else ran.json == said.json


LO = "mission.altitude=lo altitude=lo formation=none"
NIGHT_12 = "mission.number=12 mission.time=night "
GUNS = "mission.number={} mission.time=night roll=2-7"
AGAIN = "2-7: 2,2 = all-unarmed; stays-behind: nobody; roll 2-7: 6,6 = all-armed"
SOME = "2-7: 4,5 = some; stays-behind: "


@pytest.mark.section("b29 2.2 A", "b29 2.2 B", "b29 2.2 C", "b29 2.3 D", "b29 2.3 G", "b29 4.3 A")
@moments(
    ("a night that is rolled is flown at LO", "mission.number=12 roll=2.2B", "2.2B: 2,3", LO),
    ("and one that is written", NIGHT_12, "", LO),
    ("whatever height was written", NIGHT_12 + "mission.altitude=hi", "", LO),
    ("a day rolled after a night has its own height", "mission.number=12 target.type=airfield",
     "roll 2.2B: 2,3; roll 2.2B: 4,4", "mission.time=day mission.altitude=none asked=2-2B"),
    ("a row of 2-1 names its own height", "mission.number=4 roll=2-1", "2-1: 3,4 = tokyo;airfield;med;night",
     "mission.time=night mission.altitude=med"),
    ("one without it is at LO by night", "mission.number=4 roll=2-1", "2-1: 3,4 = tokyo; mission.time: night",
     "mission.altitude=lo asked=target.type"),
    ("some gunners and some guns are asked for", NIGHT_12
     + "target.city=tokyo target.type=urban-area target.zone=12 target.asterisk=no step=places",
     SOME + "left-gunner; stays-behind: nobody; not-armed: fwd-upper; not-armed: aft-upper; not-armed: none",
     "gunners.aboard=3 crew.left-gunner=absent guns.armed=3 gun.fwd-upper=unarmed gun.fwd-lower=ok "
     "gun.aft-upper=unarmed"),
    ("some of which none is missing are all", GUNS.format(12), SOME + "nobody; not-armed: none",
     "gunners.aboard=4 guns.armed=5 armament=all-armed"),
    ("not with a gun less", GUNS.format(12), SOME + "nobody; not-armed: fwd-upper; not-armed: none", "armament=some"),
    ("or a gunner less", GUNS.format(12), SOME + "cfc; stays-behind: nobody; not-armed: none", "armament=some"),
    ("a new roll of the guns brings the cannon back", GUNS.format(5), AGAIN, "guns.armed=6"),
    ("which late missions have not", GUNS.format(12), AGAIN, "guns.armed=5"),
)  # fmt: skip
def test_heights_and_guns(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


ALONE = OVER.replace("formation=in", "formation=out") + "bombs=dropped "


def orders(moment: Moment, about: str) -> list[str]:
    """Return the standing orders that start with this text."""
    texts = [item.name for item in moment.mission.pending if item.kind == "order"]
    return [text for text in texts if text.startswith(about)]


def test_the_free_turn_in_a_holed_room_ends(b29: Pack) -> None:
    """7.3: the turn of the hit and one more; after that LO, or 7-14 for each man in the compartment."""
    moment = set_up(b29, OVER)
    moment.mission.write({"pressure.waist": "compromised"})
    free = [
        "Waist: safe at this altitude until the end of the turn after the hit; then descend to LO or roll for frostbite"
    ]
    dice = ["Waist: descend to LO, or roll frostbite for each man there every turn"]
    for turn, standing in ((12, free), (13, free), (14, dice), (15, dice)):
        moment.mission.write({"turn": turn})
        assert orders(moment, "Waist") == standing
    moment.mission.write({"altitude": "lo"})
    assert orders(moment, "Waist") == []


@pytest.mark.parametrize(("height", "zones"), [("hi", ["two more", "one more", "now"]), ("med", ["one more", "now"])])
def test_the_zones_that_one_engine_allows_are_counted(b29: Pack, height: str, zones: list[str]) -> None:
    """7.2: two zones from HI, one from MED; descending on the way takes none of them away."""
    moment = set_up(b29, ALONE.replace("altitude=hi pressurized", f"altitude={height} pressurized"))
    moment.mission.write({"engine.1": "out", "engine.2": "out", "engine.3": "out"})
    for number, words in enumerate(zones):
        moment.mission.write({"zone": 12 - number})
        standing = orders(moment, "One engine running")
        assert len(standing) == 1
        assert words in standing[0]
        moment.mission.write({"altitude": "med" if number == 0 else "lo"})
        assert orders(moment, "One engine running") == standing


@pytest.mark.section("b29 4.7 A")
@pytest.mark.parametrize(
    ("answer", "stands"), [("go-on", 0), ("wait", 1), ("abort\njettison: no", 0), ("iwo-jima\njettison: no", 0)]
)
def test_an_abort_that_is_settled_is_not_ordered_any_longer(b29: Pack, answer: str, stands: int) -> None:
    moment = set_up(
        b29, DAY + "turn=5 zone=5 zone.turns=1 altitude=lo formation=out weather=good fuel.wing=8 step=found"
    )
    moment.fly("4.6: 6,6\n4-9: 3,3 = abort\n")
    assert len(orders(moment, "Abort as 4-9 says")) == 1
    moment.fly(f"abort: {answer}\n")
    assert len(orders(moment, "Abort as 4-9 says")) == stands


@pytest.mark.section("b29 4.7 A", "b29 4.6")
@pytest.mark.parametrize(("answer", "then"), [("go-on", "6-1"), ("wait", "6-1"), ("abort\njettison: no", "")])
def test_an_abort_that_a_row_orders_over_the_target_is_asked_before_the_run(b29: Pack, answer: str, then: str) -> None:
    moment = set_up(b29, OVER + "zone.turns=1 moved=yes abort-asked=yes step=after-combat").fly("")
    assert moment.asked == "abort"
    moment.fly(f"abort: {answer}\n")
    assert (moment.asked == "6-1") == bool(then)
    assert (moment["leg"], moment["aborted"]) == (("outbound", "no") if then else ("inbound", "yes"))


@pytest.mark.section("b29 4.5 C2")
def test_an_abandoned_run_is_no_longer_ordered(b29: Pack) -> None:
    moment = set_up(b29, OVER.replace("formation=in", "formation=out"), "4-8").fly("4-8: 6,6 = off\n")
    assert len(orders(moment, "IP missed")) == 1
    moment.mission.pending.insert(0, Pending.of({"choose": "lost-way", "bind": {}, "born": 1}))
    moment.fly("lost-way: abort\n")
    assert (moment["leg"], moment["course"], orders(moment, "IP missed")) == ("inbound", "off", [])
