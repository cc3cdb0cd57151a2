"""Over the target: bombed-out cities, weather, altitude, and the bomb bays (7-3)."""

from random import Random

import pytest

from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.conversation import Chance
from tests.games.b29.table import DAY, HANGING, NIGHT, OVER, RUN, THIN
from tests.support import again, check, fly, moments, set_up

CITIES = (
    "mission.number=12 target.type={} town.1.name=tokyo town.1.crossed=5 town.1.boxes=5 "
    "town.2.name=osaka town.2.crossed=2 town.2.boxes=4 "
)
HIT_CITIES = CITIES.format("urban-area")
OVER_TOKYO = NIGHT + "turn=12 zone=12 altitude=lo formation=none visibility=slightly "
RUN_BY_HAND = "roll 6-2: 4; roll 6-6: 6; roll 6-7: 3,3; roll 6-2: 5"
OUTWARD = "zone=0 leg=outbound"


@pytest.mark.section("b29 4-2", "b29 4.4", "b29 4-3", "b29 2.3 Truk", "b29 4.5 C1", "b29 9.2", "b29 5.7 B", "b29 6-6")
@pytest.mark.section("b29 6.4", "b29 6-6 note", "b29 6-7 d")
@moments(
    ("a frostbitten radar man sees no storm (B53)", NIGHT + "zone=4 altitude=lo frostbite.radar-operator=yes roll=4-3",
     "4-3: 2", "4-3:radar=1"),
    ("Truk has its own assembly zone",
     "mission.number=20 target.city=truk zone=3 turn=3 altitude=hi formation=out roll=4-8", "4-8: 5,5 = off",
     "asked=4.5C1"),
    ("a bombed-out city sends us to the next list, and is barred there too", HIT_CITIES + "roll=2-2C",
     "2-2C: = tokyo; 2-3: = tokyo; 2-3: = yokohama", "target.city=yokohama target.table=2-3"),
    ("other missions against it go on", CITIES.format("airfield") + "roll=2-3", "2-3: = tokyo", "target.city=tokyo"),
    ("flak on the run is remembered", OVER_TOKYO + "roll=6-2", "6-2: 3", "flak.run=yes"),
    ("and forgotten when the turn is over", OVER_TOKYO + "roll=6-2", "6-2: 3; set turn=13; set crew.bombardier=serious",
     "flak.run=no bombardier.lost-to-flak=no"),
    ("evasion ends with the engine that forbids it",
     DAY + "turn=12 zone=12 altitude=hi formation=out engine.1=out evasive=yes", "set engine.2=out", "evasive=no"),
    ("evasion of the lights by hand spoils the aim", OVER_TOKYO + "evasive=yes roll=5-14", "5-14: 3,3; roll 6-6: 4",
     "6-6:night=-1 6-6:evasive=-1 6-6:lo=1"),
    ("of the flak too", OVER_TOKYO + "evasive=yes roll=6-2", "6-2: 3; roll 6-6: 4", "6-6:evasive=-1"),
    ("flak after a run written by hand is the additional flak", OVER, "set bomb-run=on; roll 6-2: 5",
     "6-2:additional=-1"),
    ("not where the run was given up homeward", OVER, "set leg=inbound bomb-run=off; roll 6-2: 5", "6-2:additional=0"),
    ("a lead bomber whose sight this flak cost is off target", OVER
     + "bomber.position=lead bombsight=out bombsight.lost-to-flak=yes roll=6-6", "", "bomb-run=off"),
    ("as one alone without a sight", OVER + "formation=out bombsight=out roll=6-6", "", "bomb-run=off"),
    ("two bays that cannot drop are off target too",
     OVER + "bomb-run=on doors.fwd=jammed-shut release.aft=out roll=6-7", "", "bomb-run=off bomb-run.percent=0"),
    ("evading the lights spoils the aim of that turn", OVER_TOKYO + "choose=evade-lights",
     "evade-lights: yes; roll 5-14: 3,3; roll 6-6: 4", "6-6:night=-1 6-6:evasive=-1 6-6:lo=1"),
    ("not of the next", OVER_TOKYO + "choose=evade-lights",
     "evade-lights: yes; roll 5-14: 3,3; set turn=13; roll 6-6: 4", "6-6:night=-1 6-6:evasive=0 6-6:lo=1"),
    ("flak by hand after the run is the additional flak", OVER, RUN_BY_HAND, "6-2:hi=-1 6-2:additional=-1"),
    ("not in the next turn", OVER, RUN_BY_HAND.replace("; roll 6-2: 5", "; set turn=13; roll 6-2: 5"),
     "6-2:hi=-1 6-2:additional=0"),
    ("no weather goes before that of Zone 1", OUTWARD, "set zone=1; end", "weather.previous=none"),
    ("each goes before the next", OUTWARD, "set zone=1; set weather=poor; set zone=2; end", "weather.previous=poor"),
    ("homeward too", OUTWARD, "set zone=2; set weather=bad leg=inbound; set zone=1; end", "weather.previous=bad"),
)  # fmt: skip
def test_cities_and_evasion(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 4.1 note")
def test_the_briefed_altitude_is_shown_before_the_run(b29: Pack) -> None:
    moment = set_up(b29, RUN.replace("altitude=hi pressurized", "altitude=med pressurized"))
    texts = [text for result in moment.mission.advance() for text, _ in result.notes]
    assert any("briefed altitude, HI" in text for text in texts)
    right = set_up(b29, RUN)
    assert not [text for result in right.mission.advance() for text, _ in result.notes if "briefed" in text]


HIT_CITIES += "town.2.name=osaka town.2.crossed=2 town.2.boxes=4 "


@pytest.mark.section("b29 9.2")
def test_a_city_hit_before_remembers_its_boxes(b29: Pack) -> None:
    moment = set_up(b29, HIT_CITIES, "2-2C").fly("2-2C: = osaka")
    assert (moment["target.city"], moment["target.crossed"], moment["target.boxes"]) == ("osaka", 2, 4)
    moment.mission.pending = [Pending.of({"roll": "9-1", "bind": {}, "born": 1})]
    moment.fly("9-1: = box")
    assert (moment["target.gone"], moment["target.bombed-out"]) == (3, "no")
    assert moment.asked != "target.boxes"  # not asked again


def test_the_automatic_player_takes_a_place_and_goes_on(b29: Pack) -> None:
    moment = set_up(b29, THIN + "crew.bombardier=kia fate.bombardier=kia")
    assert fly(moment.mission, Chance(Random(5)), moves=3000)
    assert moment["step"] == "end"


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


HUNG = HANGING + "release.fwd=out load.aft=gone bombs=aboard"
GOES = "bay-man: open; bay-man: radio-operator; 4.2D: 3,4; 4.6: 3,4; 5-1: 1,1; "
LOW = OVER.replace("altitude=hi", "altitude=lo").replace("zone=12 alt", "zone=10 alt") + (
    "zone.turns=1 step=lost-way formation=out log.gazetteer.10=0 log.below.10=land "
)
ONE = LOW + "load.aft=gone release.fwd=out engine.1=out "
QUIET = "4.6: 3,4; 5-1: 1,1; 5.2A: 6"
TANKS = LOW + "leg=inbound bombs=dropped aux.fwd=installed aux.aft=installed release.fwd=out engine.1=out engine.4=out "


@pytest.mark.section("b29 7-3 f", "b29 4.2 B", "b29 7.2 one", "b29 7.2 two", "b29 4.7 B", "b29 4.5 C2")
@moments(
    ("a man trips the shackles, -1, of a bomber that is opened for him", HUNG, GOES + "jettison: yes; 7-3.f: 3",
     "bombs=jettisoned load.fwd=gone"),
    ("also when he is lightly wounded", HUNG, GOES + "set crew.radio-operator=light; jettison: yes; 7-3.f: 3",
     "bombs=jettisoned"),
    ("not when he is struck down", HUNG, GOES + "set crew.radio-operator=serious; jettison: yes; 7-3.f: 3",
     "bombs=aboard"),
    ("nor when he is killed", HUNG, GOES + "set crew.radio-operator=kia; jettison: yes; 7-3.f: 3", "bombs=aboard"),
    ("with an engine out he helps the next try", ONE,
     f"jettison: yes; 7-3.f: 5; abort: go-on; bay-man: engineer; {QUIET}; jettison: yes; 7-3.f: 3", "bombs=jettisoned"),
    ("whoever keeps the bombs sends nobody", ONE, "jettison: no; abort: go-on", "asked!=bay-man"),
    ("with two engines out, giving up in the turn of a failed try is no second try", ONE + "engine.4=out ",
     "7-3.f: 5; abort: abort; bay-man: no", "aborted=yes bombs=aboard rolled=7-3.f"),
    ("but the turn that turns round has one", ONE + "engine.4=out ",
     f"7-3.f: 5; abort: abort; bay-man: no; {QUIET}", "asked=7-3.f"),
    ("the tank of a bay that hangs is tried by hand, the other goes", TANKS + "zone.turns=2 ", "7-3.f.tank: 3",
     "aux.fwd=installed aux.aft=jettisoned"),
    ("and goes on 1 or 2", TANKS + "roll=7-3.f.tank bay=fwd", "7-3.f.tank: 2", "aux.fwd=jettisoned"),
    ("bombs that go elsewhere over the target are 0 percent", OVER + "course=off choose=lost-way", "lost-way: abort",
     "bombs=dropped load.fwd=gone load.aft=gone bomb-run=off bomb-run.percent=0 aborted=yes"),
    ("a bay that holds them back keeps them", OVER + "course=off release.fwd=out choose=lost-way", "lost-way: abort",
     "bombs=aboard load.fwd=aboard load.aft=gone bomb-run=off bomb-run.percent=0 aborted=yes"),
    ("what was jettisoned before counts as no run",
     OVER + "formation=out course=off bombs=jettisoned load.fwd=gone load.aft=gone choose=lost-way", "lost-way: abort",
     "bombs=jettisoned bomb-run=none aborted=yes"),
)  # fmt: skip
def test_what_hangs_and_what_falls(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


STUCK = HANGING + "bombs=dropped doors.fwd=jammed-open "
JAM = HANGING.replace("pressurized=yes", "pressurized=no").replace("step=repair", "step=carry-on")
HIT = OVER + "doors.fwd=hit "
EVENT = "4-9: 3,3 = door-malfunction; 4-9.doors: = both"
FAILED = DAY + (
    "turn=13 zone=10 altitude=lo formation=out weather=good fuel.wing=20 step=repair doors.fwd=jammed-shut "
)


@pytest.mark.section("b29 4.7 D", "b29 7-3 d", "b29 7-3 e", "b29 4.2 B", "b29 6-7 d", "b29 5-7 a", "b29 7-3")
@pytest.mark.section("b29 4.8 D", "b29 4.6", "b29 7-3 f")
@moments(
    ("the motor is reached from an open bomber", STUCK, "", "asked=motor options=no,open"),
    ("burnt out it moves nothing", STUCK + "doors.aft=jammed-open", "motor: open; motor-man: engineer; 7-3.motor: 4",
     "pressurized=no duty.engineer=repair doors.fwd=jammed-open asked=4.2D"),
    ("from the holed tail nobody comes through the closed waist", STUCK + "pressure.tail=compromised", "",
     "asked=motor option!=yes"),
    ("through the holed waist he does", STUCK + "pressure.tail=compromised pressure.waist=compromised", "motor: yes",
     "option=tail-gunner"),
    ("who has worked at a jammed gun goes to no bay in that turn",
     JAM + "doors.fwd=jammed-open load.fwd=gone load.aft=gone release.aft=ok bombs=dropped gun.tail=jammed",
     "repair tail: tail-gunner; 5-7.a tail: 3; motor: yes", "asked=motor-man option=engineer option!=tail-gunner"),
    ("bombs behind doors that the motor has opened can go",
     HANGING + "bombs=aboard load.aft=gone doors.fwd=jammed-shut pressurized=no cold.since=13",
     "motor: yes; motor-man: engineer; 7-3.motor: 3; 4.6: 3,4; 5-1: 1,1; jettison: yes",
     "bombs=jettisoned load.fwd=gone"),
    ("a hit mends no jammed doors", OVER + "doors.fwd=jammed-shut roll=7-3", "7-3: 4,4", "doors.fwd=jammed-shut"),
    ("the pilot mends no doors that were hit", HIT + "roll=7-3.e bay=fwd area=fwd-bomb-bay", "7-3.e: 1",
     "doors.fwd=hit"),
    ("nor does the motor", HIT + "roll=7-3.motor bay=fwd area=fwd-bomb-bay", "7-3.motor: 2", "doors.fwd=hit"),
    ("doors that fail by event bar nobody from the formation",
     "mission.time=day formation=in zone=8 turn=9 leg=outbound roll=4-9", EVENT,
     "doors.fwd=jammed-shut formation=in formation.barred=no"),
    ("homeward neither",
     "mission.time=day formation=in zone=8 turn=18 leg=inbound bombs=dropped load.fwd=gone load.aft=gone roll=4-9",
     EVENT, "doors.fwd=jammed-shut formation=in formation.barred=no"),
    ("doors of an empty bay are left alone on the run", OVER + "doors.fwd=jammed-shut load.fwd=gone roll=6-6",
     "6-6: 6; 6-7: 3,3", "formation=in formation.barred=no"),
    ("after an abort the motor may open doors that failed by event", FAILED + "aborted=yes leg=inbound", "",
     "asked=motor"),
    ("not on the way out", FAILED + "leg=outbound", "", "asked!=motor"),
    ("on the run the pilot tries doors that failed by event", OVER + "doors.fwd=jammed-shut roll=6-6",
     "6-6: 6; 7-3.e: 2; 6-7: 3,3",
     "load.fwd=gone load.aft=gone bomb-run.percent=30 formation=out formation.barred=yes"),
    ("on 3 they stay shut, and half of the bombs aboard", OVER + "doors.fwd=jammed-shut roll=6-6",
     "6-6: 6; 7-3.e: 3; 6-7: 3,3", "load.fwd=aboard load.aft=gone bomb-run.percent=15 formation=out"),
    ("a run rolled by hand is a run: what hangs stays", OVER + "release.fwd=out load.aft=gone step=counts roll=6-6",
     "6-6: 6; 7-3.f: 5; 6-7: 3,3", "formation=out bombs=aboard"),
    ("or goes", OVER + "release.fwd=out load.aft=gone step=counts roll=6-6", "6-6: 6; 7-3.f: 1; 6-7: 3,3",
     "formation=in bombs=dropped"),
    ("a bay that is empty already is not tried", OVER + "release.fwd=out release.aft=out load.fwd=gone roll=6-6",
     "6-6: 6; 7-3.f: 1", "load.aft=gone formation=in rolled=6-7 bomb-run=off bomb-run.percent=0"),
    ("a leaking tank loses its last box", OVER + "aux.fwd=installed fuel.fwd=3 bay-leak.fwd=yes", "set turn=13",
     "fuel.fwd=4"),
    ("and no more", OVER + "aux.fwd=installed fuel.fwd=3 bay-leak.fwd=yes", "set turn=13; set turn=14", "fuel.fwd=4"),
)  # fmt: skip
def test_doors_and_the_motor(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 7.1", "b29 7-3 c")
@pytest.mark.parametrize(
    ("tank", "die"), [("none", ""), ("installed fuel.fwd=0", "7-3.bombs-or-tank: 2\n")], ids=["bare", "tank"]
)
def test_bombs_that_did_not_go_off_are_not_asked_again(b29: Pack, tank: str, die: str) -> None:
    moment = set_up(b29, OVER + f"aux.fwd={tank}", "7-3").fly(f"7-3: 2,3\n{die}7-3.c: 4")
    again(moment, "7-3").fly(f"7-3: 3,3\n{die}")
    assert moment.asked != "7-3.c"


@pytest.mark.section("b29 7-3", "b29 7-4", "b29 7-3 c")
@pytest.mark.parametrize(("table", "bay", "other"), [("7-3", "fwd", "aft"), ("7-4", "aft", "fwd")])
@pytest.mark.parametrize("tank", ["none", "installed", "jettisoned"])
def test_bombs_that_have_left_a_bay_do_not_go_off_in_it(b29: Pack, table: str, bay: str, other: str, tank: str) -> None:
    die = "" if tank == "none" else f"{table}.bombs-or-tank: 2\n"
    hung = f"aux.{bay}={tank} fuel.{bay}=0 release.{other}=out "
    for load, asked in (("gone", False), ("aboard", True)):
        moment = set_up(b29, OVER + hung + f"load.{bay}={load}", table).fly(f"{table}: 2,3\n{die}")
        assert (moment["bombs"], moment.asked == "7-3.c") == ("aboard", asked)


@pytest.mark.section("b29 7-3 e")
@pytest.mark.parametrize(
    ("doors", "then"), [("jammed-open", "jammed-open"), ("ok", "jammed-shut"), ("hit", "jammed-shut")]
)
@pytest.mark.parametrize("whose", ["aft", "both"])
def test_open_doors_are_not_closed_by_a_malfunction(b29: Pack, doors: str, then: str, whose: str) -> None:
    moment = set_up(b29, f"mission.time=day zone=8 turn=18 leg=inbound bombs=dropped doors.aft={doors}", "4-9")
    moment.fly(f"4-9: 3,3 = door-malfunction\n4-9.doors: = {whose}")
    assert moment["doors.aft"] == then


@pytest.mark.section("b29 7-3 e", "b29 7-3 f", "b29 6-7 d")
@pytest.mark.parametrize(
    ("script", "load", "percent"),
    [
        ("7-3.doors: 1\n7-3.e: 5\n", "aboard", 15),  # shut for good: nothing can fall out by hand
        ("7-3.doors: 1\n7-3.e: 1\n7-3.f: 2\n", "gone", 15),  # the pilot opens them
        ("7-3.doors: 3\n7-3.f: 3\n", "aboard", 15),
        ("7-3.doors: 6\n7-3.f: 1\n", "gone", 15),
    ],
)
def test_doors_and_release_of_one_bay(b29: Pack, script: str, load: str, percent: int) -> None:
    """7-3 e, f: the door die comes after 6-6; if the doors open, the manual release follows; 6-7 d halves 30."""
    moment = set_up(b29, OVER + "release.fwd=out doors.fwd=hit", "6-6").fly(f"6-6: 6\n{script}6-7: 3,3")
    assert (moment["load.fwd"], moment["load.aft"]) == (load, "gone")
    assert moment["bomb-run.percent"] == percent


@pytest.mark.section("b29 2.3 G note")
def test_an_empty_tank_that_hangs_is_no_trouble(b29: Pack) -> None:
    sheet = OVER.replace("zone=12 alt", "zone=10 alt").replace("altitude=hi", "altitude=lo") + "leg=inbound "
    sheet += "bombs=dropped aux.fwd=installed fuel.fwd=4 release.fwd=out step=lost-way formation=out zone.turns=2 "
    moment = set_up(b29, sheet)
    moment.mission.write({"engine.1": "out", "engine.4": "out"})
    assert not [item for item in moment.mission.pending if "tanks" in item.name]
    moment.fly("")
    assert (moment["turn"], moment["aux.fwd"], moment.asked) == (13, "installed", "4-2")


@pytest.mark.section("b29 2.3 G note")
@pytest.mark.parametrize(
    ("state", "offered"),
    [("pumps.failed=2", True), ("pumps.failed=1", False), ("pumps.failed=2 release.fwd=out", False),
     ("pumps.failed=2 doors.fwd=jammed-shut", False), ("pumps.failed=2 fuel.fwd=4", False),
     ("pumps.failed=2 release-mechanism=failed", False)],
)  # fmt: skip
def test_tanks_whose_fuel_is_of_no_use_may_go(b29: Pack, state: str, offered: bool) -> None:
    sheet = OVER.replace("zone=12 alt", "zone=10 alt") + "bombs=dropped zone.turns=1 leg=inbound aux.fwd=installed "
    moment = set_up(b29, sheet + f"step=jettison-tanks {state}").fly("useless-tanks: yes" if offered else "")
    assert ("useless-tanks" in moment.tables) == offered
    assert moment["aux.fwd"] == ("jettisoned" if offered else "installed")


@pytest.mark.section("b29 7-3 e")
@pytest.mark.parametrize(
    ("state", "asked"),
    [
        ("doors.aft=jammed-open load.aft=gone", True),
        ("doors.aft=jammed-shut load.aft=aboard bombs=aboard", True),
        ("doors.aft=jammed-shut load.aft=gone", False),  # nothing is left to fall
        ("doors.aft=jammed-shut", False),  # bombs written off by hand, all at once
        ("doors.aft=jammed-shut load.aft=gone aux.aft=installed fuel.aft=2", True),
        ("doors.aft=jammed-shut load.aft=gone aux.aft=installed fuel.aft=4", False),
    ],
)
def test_when_the_motor_is_worth_a_man(b29: Pack, state: str, asked: bool) -> None:
    moment = set_up(b29, HANGING + f"bombs=dropped load.fwd=gone {state}").fly("")
    assert (moment.asked == "motor") == asked


@pytest.mark.section("b29 7.2 one", "b29 4.7 D")
@pytest.mark.parametrize(("state", "asked"), [("", False), ("engine.1=out", True)])
def test_bombs_kept_after_an_abort_are_asked_about_again_for_an_engine(b29: Pack, state: str, asked: bool) -> None:
    sheet = HANGING.replace("bomb-run=on ", "aborted=yes credit=yes bombs=aboard zone.turns=1 ")
    moment = set_up(b29, sheet.replace("step=repair", "step=bay-man"))
    moment.mission.write({"jettison.answered": moment["jettison.now"], "step": "lost-way"})
    moment.mission.write(b29.sheet.given(state.split()))
    moment.fly("")
    assert (moment.asked == "jettison") == asked
    if asked:
        moment.fly("jettison: yes\n")
        assert (moment["bombs"], moment["must-stay"]) == ("jettisoned", "no")


@pytest.mark.section("b29 7.2 two", "b29 2.3 G note")
@pytest.mark.parametrize(
    ("state", "script", "tank"),
    [("engine.1=out engine.4=out", "", "jettisoned"), ("engine.1=out", "", "installed"),
     ("pumps.failed=2", "useless-tanks: yes\n", "jettisoned")],
)  # fmt: skip
def test_tanks_go_at_the_end_of_the_turn_of_the_run(b29: Pack, state: str, script: str, tank: str) -> None:
    low = RUN.replace("altitude=hi", "altitude=lo") + "mission.altitude=lo bombs=dropped load.fwd=gone load.aft=gone "
    moment = set_up(b29, low + f"bomb-run=on formation=out aux.fwd=installed fuel.fwd=1 step=more-flak {state}")
    moment.fly(script)
    assert (moment["leg"], moment["turn"], moment["aux.fwd"]) == ("inbound", 13, tank)


@pytest.mark.section("b29 7-3 e")
@pytest.mark.parametrize(
    ("pilots", "tried"), [("crew.pilot=kia crew.copilot=serious", False), ("crew.pilot=kia", True), ("", True)]
)
@pytest.mark.parametrize(("bay", "table"), [("fwd", "7-3"), ("aft", "7-4")])
def test_the_first_try_at_jammed_doors_needs_a_pilot(b29: Pack, pilots: str, tried: bool, bay: str, table: str) -> None:
    moment = set_up(b29, OVER + f"doors.{bay}=hit {pilots}", "6-6").fly(f"6-6: 6\n{table}.doors: 1\n")
    assert moment.asked == ("7-3.e" if tried else "6-7")


@pytest.mark.section("b29 7-3 e")
@pytest.mark.parametrize("bay", ["fwd", "aft"])
@pytest.mark.parametrize(
    ("doors", "die", "then"),
    [("jammed-open", 5, "jammed-open"), ("jammed-shut", 5, "jammed-shut"), ("jammed-open", 1, "jammed-open"),
     ("hit", 5, "ok")],
)  # fmt: skip
def test_the_die_of_the_doors_mends_nothing(b29: Pack, bay: str, doors: str, die: int, then: str) -> None:
    table = "7-3.doors" if bay == "fwd" else "7-4.doors"
    moment = set_up(b29, OVER + f"doors.{bay}={doors}", table, bay=bay, area=f"{bay}-bomb-bay").fly(f"{table}: {die}")
    assert moment[f"doors.{bay}"] == then
