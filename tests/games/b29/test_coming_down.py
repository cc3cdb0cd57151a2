"""The end of a flight: bailing out, landing, ditching (8.0), and the altitude for the bomb run (4.1)."""

import random

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.conversation import Chance
from tests.games.b29.table import ALL, DAY, HIGH, HOME, NIGHT, OVER
from tests.support import Moment, after_step, again, check, fly, moments, set_up

TWO_LEFT = " ".join(f"crew.{man}=kia" for man in ALL if man not in ("bombardier", "tail-gunner"))
BOTH_HURT = HOME + "crew.cfc=serious frostbite.cfc=yes roll=7-13.fate position=cfc"
ONE_ENGINE = OVER + ("zone=11 altitude=lo leg=inbound bombs=dropped engine.1=out engine.2=out engine.3=out step=forced")
ALONE = "mission.number=12 zone=1 leg=inbound"
ABOVE_IWO = DAY + "turn=20 zone=6 zone.turns=1 leg=inbound bombs=dropped altitude=lo formation=out "
OVER_IWO = ABOVE_IWO + "weather=bad choose=iwo-jima"
NO_GEAR = ABOVE_IWO + "weather=good fuel.wing=20 course=on gear.nose=will-not-extend choose=iwo-jima"


@pytest.mark.section("b29 8.1", "b29 8.2", "b29 8.3", "b29 8.4", "b29 8.5", "b29 9.1", "b29 4.2 B", "b29 7-1 c")
@pytest.mark.section("b29 7.2 three")
@moments(
    ("opened up before the jump nobody loses pressure or needs oxygen", HIGH + "roll=8-4.crew",
     "open-to-jump: yes; 8-2: 3,3 = calm; 8-4 pilot: 4,4 = safe", "pressurized=no waits!=4.2D rolled!=7-11"),
    ("closed, each room with men in it does, but not the holed Waist or the empty Tail",
     HIGH + "pressure.waist=compromised crew.tail-gunner=kia roll=8-4.crew",
     "open-to-jump: no; 7-11: 3,3 = none; 8-2: 3,3 = calm; 8-4 pilot: 4,4 = safe", "rolled=7-11"),
    ("where no man's room has pressure to lose nobody asks",
     HIGH + "pressure.nose=compromised pressure.waist=compromised crew.tail-gunner=kia roll=8-4.crew",
     "8-2: 3,3 = calm; 8-4 pilot: 4,4 = safe", "rolled!=7-11"),
    ("nor where nobody is left to open up", HIGH + TWO_LEFT + " roll=8-4.crew",
     "7-11: 3,3 = none; 7-11: 3,3 = none; 8-2: 3,3 = calm; 8-4 bombardier: 4,4 = safe", "rolled=7-11"),
    ("over the base nobody asks what lies below", HOME + "bombs=dropped choose=landing",
     "landing: bail-out; 8-4 pilot: 4,4 = safe; 8-4 copilot: 4,4 = kia",
     "fate.pilot=duty fate.copilot=kia bomber.fate=abandoned"),
    ("without controls they jump unasked", HOME + "bombs=dropped controls.pilots=out choose=landing",
     "8-4 pilot: 4,4 = safe; 8-4 copilot: 4,4 = kia", "fate.pilot=duty fate.copilot=kia bomber.fate=abandoned"),
    ("out of control over the base", HOME + "roll=8-5.crew", "8-5 pilot: 4,4 = safe", "fate.pilot=duty"),
    ("forced down over the sea she ditches", ONE_ENGINE, "log.below.11: sea",
     "asked=forced-down options=ditch,bail-out"),
    ("over land she lands", ONE_ENGINE, "log.below.11: J", "asked=forced-down options=land,bail-out"),
    ("over either the player says which", ONE_ENGINE, "log.below.11: WJ; where-below: land",
     "asked=forced-down options=land,bail-out"),
    ("wounded and frostbitten they owe both rolls", BOTH_HURT, "7-13.fate cfc: 3,3 = duty", "waits=7-14.fate"),
    ("sent home they owe no second", BOTH_HURT, "7-13.fate cfc: 3,3 = invalided-home", "waits!=7-14.fate"),
    ("the dead neither", BOTH_HURT, "7-13.fate cfc: 3,3 = died-of-wounds", "waits!=7-14.fate"),
    ("the crew may jump once the weather over Iwo Jima is known",
     ABOVE_IWO + "weather=good book.8-1.weather-poor=-1 choose=iwo-jima", "iwo-jima: land; 8.4: 5",
     "options=land,pilot-lands,bail-out"),
    ("and are back on duty", ABOVE_IWO + "weather=good book.8-1.weather-poor=-1 choose=iwo-jima",
     "iwo-jima: land; 8.4: 5; iwo-weather: bail-out; 8-4 pilot: 4,4 = safe",
     "fate.pilot=duty bomber.fate=abandoned waits!=8-1"),
    ("in bad weather they may too", OVER_IWO, "iwo-jima: land", "options=land,pilot-lands,bail-out"),
    ("bombs keep the pilot aboard", OVER_IWO.replace("bombs=dropped", "bombs=aboard"), "iwo-jima: land",
     "options=land,pilot-lands"),
    ("the others jump, then the pilot lands", OVER_IWO, "iwo-jima: land; iwo-weather: pilot-lands",
     "waits=8-4 waits=8-1"),
    ("good weather asks no more", ABOVE_IWO + "weather=good choose=iwo-jima", "iwo-jima: land; 8.4: 4", "asked=8-1"),
    ("the gear is tried before the last choice", NO_GEAR, "iwo-jima: land; 7-1.c: 4; 7-1.c.again: 2; 8.4: 2",
     "asked=8-1"),
    ("which comes where it stays up", NO_GEAR, "iwo-jima: land; 7-1.c: 4; 7-1.c.again: 5; 8.4: 2", "asked=iwo-weather"),
    ("she lands at the base from LO",
     HOME.replace("altitude=lo", "altitude=med") + "pressurized=yes bombs=dropped step=enter-back", "landing: land",
     "altitude=lo pressurized=no"),
    ("the pilot lands alone", ALONE, "", "flier=pilot"),
    ("the copilot at the other controls", ALONE + " controls.pilot=out", "", "flier=copilot"),
    ("the pilot there where the copilot is dead", ALONE + " controls.pilot=out crew.copilot=kia", "", "flier=pilot"),
)  # fmt: skip
def test_jumping_and_landing(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


SEA = DAY + "turn=20 zone=4 leg=inbound altitude=lo bombs=dropped bomb-run=on formation=out below=sea sea=calm "


@pytest.mark.section("b29 8.6")
def test_six_men_in_the_one_raft(b29: Pack) -> None:
    moment = set_up(b29, SEA + "rafts.fwd=hit book.8-3.sea-state=0", "8-3")
    six = ["pilot", "bombardier", "engineer", "cfc", "left-gunner", "tail-gunner"]
    moment.fly("8-3: 4,4 = successful\n" + "\n".join(f"raft-man: {man}" for man in six))
    assert moment["raft-places"] == 6
    for man in ALL:
        moment.fly(f"8-6 {man}: 3,3 = rescued")
        assert sum(add for _, add in moment.modifiers("8-6")) == (1 if man in six else 0)


RAFTS = SEA + "book.8-3.sea-state=0 roll=8-3"
SEA_OVER = SEA.replace(" sea=calm", "") + "choose=forced-down"


@pytest.mark.section("b29 8.6")
@moments(
    ("up to Zone 9 there is sea below", SEA, "set zone=5", "below=sea"), ("in 9 too", SEA, "set zone=9", "below=sea"),
    ("then what 2-9 has said", SEA, "set log.below.11=land zone=11", "below=land"),
    ("or has not yet", SEA, "set zone=12", "below=none"),
    ("the sea is known before ditching or jumping", SEA_OVER, "forced-down: ditch; 8-2: 1,1 = heavy-swell",
     "options=ditch,jump"),
    ("captivity threatens in Zones 10 to 14 alone", SEA_OVER,
     "forced-down: ditch; 8-2: 1,1 = heavy-swell; ditch-or-jump: jump; 8-4 pilot: 4,4 = safe; "
     "8-6 pilot: 4,4 = captured",
     "fate.pilot=duty"),
    ("both rafts count for all", RAFTS, "8-3: 4,4 = successful; 8-6 pilot: 3,3 = rescued", "8-6:ditched=1"),
    ("no raft for nobody", RAFTS.replace("roll=", "rafts.fwd=hit rafts.aft=hit roll="),
     "8-3: 4,4 = successful; 8-6 pilot: 3,3 = rescued", "8-6:ditched=0"),
)  # fmt: skip
def test_the_sea_below(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 7-3 f", "b29 8.1")
@pytest.mark.parametrize(
    ("state", "options"),
    [
        ("bombs=dropped", ["land", "pilot-lands", "bail-out"]),
        ("bombs=aboard", ["land", "pilot-lands"]),
        ("bombs=aboard controls.pilots=out", ["bail-out"]),
        ("bombs=aboard crew.pilot=kia crew.copilot=serious", ["land", "pilot-lands"]),  # the engineer flies (7.6 F)
        ("bombs=aboard crew.pilot=kia crew.copilot=serious crew.engineer=kia", ["land", "pilot-lands"]),
    ],
)
def test_with_bombs_aboard_the_pilot_lands_her(b29: Pack, state: str, options: list[str]) -> None:
    assert set_up(b29, HOME + state).legal("landing") == options
    assert sorted(set_up(b29, HOME.replace("zone=0", "zone=6") + state).legal("iwo-jima")) == sorted(
        [*options, "fly-on"]
    )


@pytest.mark.section("b29 7.6 F")
@pytest.mark.parametrize(
    ("lost", "stays"),
    [("", "pilot"), ("crew.pilot=serious", "copilot"), ("crew.pilot=kia frostbite.copilot=yes", "engineer")],
)
def test_whoever_flies_her_stays_aboard(b29: Pack, lost: str, stays: str) -> None:
    moment = set_up(b29, HOME + f"bombs=aboard {lost} choose=landing").fly("landing: pilot-lands")
    jump = moment.positions("8-4")
    assert set(jump) == {man for man in ALL if man != stays and f"crew.{man}=kia" not in lost}
    assert moment.mission.pending[-1].name == "8-1"


@pytest.mark.section("b29 7.6 F", "b29 8.3", "b29 8.4")
@pytest.mark.parametrize(
    ("where", "choice", "dice"),
    [("zone=0", "landing", ""), ("zone=6", "iwo-jima", "8.4: 3\n"), ("zone=6 weather=bad", "iwo-weather", "")],
)
def test_another_man_at_the_controls_stays_while_the_rest_jump(b29: Pack, where: str, choice: str, dice: str) -> None:
    lost = "bombs=aboard crew.pilot=kia crew.copilot=serious crew.engineer=kia crew.cfc=serious"
    moment = set_up(b29, HOME.replace("zone=0", where) + lost + f" choose={choice}")
    moment.fly(f"{choice}: pilot-lands\n{dice}")
    fit = [man for man in ALL if man not in ("pilot", "copilot", "engineer", "cfc")]
    assert (moment.asked, moment.options) == ("who-stays", fit)
    moment.fly("who-stays: navigator")
    assert sorted(moment.positions("8-4")) == sorted({*fit, "copilot", "cfc"} - {"navigator"})
    assert moment.mission.pending[-1].name == "8-1"


@pytest.mark.section("b29 8.2", "b29 8.5")
@pytest.mark.parametrize(
    ("table", "below", "settled", "fate"),
    [("8-4", "sea", "", "sea"), ("8-4", "land", "", "bo-c"), ("8-4", "sea-or-land", "where-below: land\n", "bo-c"),
     ("8-5", "land", "", "bo-c"), ("8-5", "sea-or-land", "8.5: 3\n", "sea"),
     ("8-5", "sea-or-land", "8.5: 4\n", "bo-c")],
)  # fmt: skip
@pytest.mark.parametrize("crew", [False, True])
def test_a_jump_by_hand_asks_where(b29: Pack, table: str, below: str, settled: str, fate: str, crew: bool) -> None:
    moment = set_up(b29, OVER.replace("log.below.12=land", "sea=calm"), f"{table}.crew" if crew else table)
    bind = {} if crew else {"position": "pilot"}
    moment.mission.pending[0] = moment.mission.pending[0]._replace(bind=bind)
    safe, place = f"{table} pilot: 4,4 = safe\n", f"log.below.12: {below}\n{settled}"
    moment.fly(place + safe if crew else safe + place)
    assert moment.asked == ("8-6" if fate == "sea" else "8-7")
    assert moment["fate.pilot"] == ("none" if fate == "sea" else fate)
    again(moment, table, position="cfc").fly(f"{table} cfc: 4,4 = safe")
    assert moment.asked == ("8-6" if fate == "sea" else "8-7")  # and the next man's jump asks no more


@pytest.mark.section("b29 8.1", "b29 7.1")
@pytest.mark.parametrize("lost", ["pilot", "copilot"])
def test_both_controls_gone_however_that_came_to_be_written(b29: Pack, lost: str) -> None:
    other = "copilot" if lost == "pilot" else "pilot"
    moment = set_up(b29, HOME + f"controls.{lost}=out")
    assert "land" in moment.legal("landing")
    again(moment, "7-9")
    moment.fly(f"7-9: 3,3 = {other}-controls")
    by_hand = set_up(b29, HOME + "controls.pilot=out controls.copilot=out")
    for either in (moment, by_hand):
        assert (either["controls.pilots"], either.legal("landing")) == ("out", ["bail-out"])


@pytest.mark.section("b29 8.1", "b29 7-1 c")
@pytest.mark.parametrize(
    ("gear", "total"),
    [
        ("gear.nose=damaged", -1),
        ("gear.nose=damaged gear.port=out", -3),  # 7-1 c: not cumulative with that of the mains
        ("gear.nose=will-not-extend gear.port=out gear.starboard=out", -3),
        ("gear.nose=will-not-hold gear.port=out", -4),
    ],
)
def test_the_nose_gear_and_the_mains_do_not_add_up(b29: Pack, gear: str, total: int) -> None:
    moment = set_up(b29, HOME + gear, "8-1").fly("8-1: 4,4 = safe")
    assert sum(add for _, add in moment.modifiers("8-1")) == total


@pytest.mark.section("b29 8.4", "b29 7.2 three")
@pytest.mark.parametrize(
    ("state", "jump"),
    [
        ("", "bail out over Iwo Jima"), ("course=off", "bail out"), ("mission.number=5", "bail out"),
        ("bombs=aboard", "bail out"),  # 8-1 c: the pilot must land them
        ("zone=5", "bail out"),
    ],
)  # fmt: skip
def test_with_one_engine_left_they_may_jump_over_iwo_jima(b29: Pack, state: str, jump: str) -> None:
    one = "engine.1=out engine.2=out engine.3=out zones.left=0 step=forced "
    moment = set_up(b29, ABOVE_IWO + one + state).fly("")
    assert moment.words["bail-out"] == jump
    if state:
        assert ("pilot-lands" in moment.options) == (state == "bombs=aboard")
        return
    assert moment.options[0] == "iwo-jima"
    moment.fly("forced-down: bail-out\n8-4 pilot: 4,4 = safe")
    assert (moment["fate.pilot"], moment["bomber.fate"]) == ("duty", "abandoned")
    alone = set_up(b29, ABOVE_IWO + one).fly("forced-down: pilot-lands\n8.4: 2\n")
    rolls = [item.name for item in alone.mission.pending if item.kind == "roll"]
    assert rolls == ["8-4"] * 10 + ["8-1"]


@pytest.mark.section("b29 8.2", "b29 7.5")
@pytest.mark.parametrize("step", ["turn", "altitude", "lost-1", "found", "evasion", "visibility"])
def test_a_zone_set_by_hand_in_mid_turn_ends_that_turn(b29: Pack, step: str) -> None:
    moment = set_up(b29, DAY + f"turn=11 zone=12 altitude=hi cold.since=8 formation=out fuel.wing=18 step={step}")
    moment.mission.roll("8-4.crew", Hand())
    assert fly(moment.mission, Chance(random.Random(1)), each=moment.results.extend)
    assert {each[:2] for each in moment.tables if each[0].isdigit()} <= {"8-", "8.", "9-"}
    assert moment["bomber.fate"] == "abandoned"


LOST = "bomber.fate=destroyed "
CRASHED = DAY + "turn=20 zone=11 altitude=lo formation=out weather=good below=land land.at=japan"
AT_SEA = DAY + "turn=20 zone=5 altitude=lo formation=out weather=good below=sea land.at=sea radio=ok "


def stepped(pack: Pack, step: str, sheet: str, script: str = "") -> Moment:
    return after_step(pack, step, pack.sheet.given(sheet.split()), script)


# -- the end is the end ------------------------------------------------------------------------------------------------


@pytest.mark.section("b29 4-3", "b29 5-3 c")
@pytest.mark.parametrize("step", ["weather", "assembly", "ram"])
def test_a_bomber_that_is_lost_goes_straight_to_the_debriefing(b29: Pack, step: str) -> None:
    jumped = " ".join(f"fate.{man}=duty" for man in ALL)
    tony = "fighter.1.type=tony fighter.1.clock=12 "
    sheet = DAY + f"turn=12 zone=9 moved=yes formation=in escort.available=yes {tony}{LOST}{jumped}"
    moment = stepped(b29, step, sheet)
    assert moment["step"] in ("debrief", "loss")


@pytest.mark.section("b29 8.5", "b29 8.6")
@pytest.mark.parametrize(
    ("sheet", "table", "row", "then"),
    [(AT_SEA + "sea=calm", "8-3", "unsuccessful", "8-6"), (CRASHED, "8-1", "wrecked", "8-7")],
    ids=["no rescue", "no captivity"],
)
def test_a_man_killed_on_landing_needs_no_further_roll(b29: Pack, sheet: str, table: str, row: str, then: str) -> None:
    moment = set_up(b29, sheet, table)
    moment.fly(f"{table}: 1,2 = {row}\ncrew-hurt: cfc\nhow-hurt: killed\ncrew-hurt: nobody")
    assert (moment["crew.cfc"], moment.positions(then)) == ("kia", [man for man in ALL if man != "cfc"])


@pytest.mark.section("b29 8.3", "b29 8.4")
@pytest.mark.parametrize("field", ["zone=0 land.at=base", "zone=6 land.at=iwo-jima below=iwo-jima"])
def test_a_landing_hurts_nobody_who_has_jumped_over_the_field(b29: Pack, field: str) -> None:
    jumped = " ".join(f"fate.{man}=duty" for man in ALL if man not in ("pilot", "cfc"))
    sheet = HOME + f"{field} crew.cfc=kia fate.cfc=kia {jumped}"
    moment = set_up(b29, sheet, "8-1").fly("8-1: 1,2 = destroyed")
    assert (moment.asked, moment.options) == ("crew-hurt", ["nobody", "pilot", "everyone", "all-killed"])
    everyone = set_up(b29, sheet, "8-1").fly("8-1: 1,2 = destroyed\ncrew-hurt: everyone")
    assert everyone.positions("7-13") == ["pilot"]
    moment.fly("crew-hurt: all-killed")
    assert [moment[f"crew.{man}"] for man in ("pilot", "copilot", "tail-gunner")] == ["kia", "ok", "ok"]


@pytest.mark.section("b29 8.2")
def test_a_man_killed_by_lost_pressure_does_not_jump(b29: Pack) -> None:
    holed = "pressure.nose=compromised pressure.waist=compromised"
    moment = set_up(b29, HIGH + holed, "8-5.crew").fly("7-11: 3,3 = wounds\n7-13: 6,6 = kia\n8-2: 3,3 = calm")
    jump = moment.positions("8-5")
    assert (moment["crew.tail-gunner"], jump) == ("kia", [man for man in ALL if man != "tail-gunner"])


# -- nobody flies ------------------------------------------------------------------------------------------------------

GOING = DAY + "turn=20 zone=4 leg=inbound altitude=lo formation=out weather=good fuel.wing=20 "
HURT = " ".join(f"crew.{man}=serious" for man in ALL[:6]) + " " + " ".join(f"frostbite.{man}=yes" for man in ALL[6:])


@pytest.mark.section("b29 7.6 F")
@pytest.mark.parametrize(("answer", "fate"), [("goes-down", "destroyed"), ("flies-on", "none")])
def test_nobody_aboard_is_fit_to_fly(b29: Pack, answer: str, fate: str) -> None:
    moment = stepped(b29, "over", GOING + HURT)
    assert moment.asked == "nobody-flies"
    assert "land" not in moment.legal("landing")
    moment.fly(f"nobody-flies: {answer}")
    assert moment["bomber.fate"] == fate
    assert ("land" in moment.legal("landing")) is (answer == "flies-on")


# -- the height of the run ---------------------------------------------------------------------------------------------


@pytest.mark.section("b29 4.1 note", "b29 2.2 C")
@pytest.mark.parametrize(
    ("sheet", "options"),
    [
        (NIGHT + "altitude=hi zone=12", ["lo"]),  # a night mission bombs at LO
        (NIGHT + "altitude=med zone=12", ["lo"]), (NIGHT + "altitude=lo zone=12", ["stay"]),
        (NIGHT + "altitude=med zone=11", ["stay", "hi", "lo"]),  # on the way she flies as she likes
        (NIGHT + "altitude=med zone=12 leg=inbound", ["stay", "hi", "lo"]),
        (NIGHT + "altitude=med zone=12 aborted=yes", ["stay", "hi", "lo"]),
        (DAY + "formation=out altitude=med zone=12", ["hi", "no-run"]),  # climbs in time, a level a turn
        (DAY + "formation=out altitude=lo zone=11", ["med", "no-run"]),
        (DAY + "formation=out altitude=med zone=12 fire-zone=now", ["stay", "hi", "lo"]),  # she bombs nothing (7.5)
        (DAY + "formation=out altitude=med zone=11", ["hi", "stay"]),
        (DAY + "formation=out altitude=hi zone=12", ["stay"]),
        (DAY + "formation=out altitude=lo zone=12 engine.1=out", ["stay"]),  # cannot climb (7.2)
        (DAY + "formation=out altitude=hi zone=12 engine.1=out engine.2=out", ["down-to-med", "lo"]),
        (DAY + "formation=out altitude=hi zone=12 pressure.waist=compromised", ["stay", "down-to-med", "lo"]),  # cold
        (DAY + "formation=out altitude=lo zone=12 pressurization=lost", ["stay", "med"]),  # down for warmth (7.3)
    ],
)  # fmt: skip
def test_the_target_is_bombed_from_the_briefed_height(b29: Pack, sheet: str, options: list[str]) -> None:
    closed = "no" if " altitude=lo" in sheet else "yes"
    moment = set_up(b29, f"{sheet} turn=12 weather=good pressurized={closed}")
    assert sorted(moment.legal("altitude")) == sorted(options)


@pytest.mark.section("b29 7.5", "b29 4.1 B")
def test_a_bomber_to_be_abandoned_in_this_zone_stays_where_she_is(b29: Pack) -> None:
    sheet = DAY + "turn=11 zone=11 formation=out altitude=lo pressurized=no weather=good fuel.wing=20 fire-zone=yes "
    moment = set_up(b29, sheet + "step=take-off").fly("altitude: stay\nlog.gazetteer.12: 0\nlog.below.12: land")
    assert (moment["zone"], moment["fire-zone"], moment["altitude"], moment["pressurized"]) == (12, "now", "lo", "no")
    moment.take_up({"step": "after-combat", "course": "on"})
    assert moment.asked == "8-4"  # no run is flown before


@pytest.mark.section("b29 4.1 B", "b29 4.1 note")
def test_a_bomber_that_stays_low_skips_the_run_and_turns_for_home(b29: Pack) -> None:
    sheet = DAY + "turn=11 zone=11 formation=out altitude=lo pressurized=no weather=good fuel.wing=20 "
    moment = set_up(b29, sheet + "step=take-off").fly("")
    assert (moment.asked, moment.options[0]) == ("altitude", "med")  # Enter climbs
    moment.fly("altitude: no-run")
    assert (moment["altitude"], moment["fuel.wing"]) == ("lo", 22)  # two for the zone, none for a climb
    moment.take_up({"step": "after-combat", "course": "on"})
    assert (moment["bomb-run"], moment["bomb-run.percent"], moment["bombs"]) == ("off", 0, "dropped")
    assert (moment["leg"], moment["aborted"], moment["zone"]) == ("inbound", "yes", 12)


ON = "4-4: = none\n4-5: = none\n4-6: = none\n4-7: = none\n4-8: = on\n"
STORM = DAY + (
    "turn=10 zone=10 altitude=hi pressurized=yes formation=in weather=bad moved=yes engine.4=out step=escort "
    "log.gazetteer.10=0 log.below.10=sea"
)
HUNG = DAY + (
    "turn=14 zone=11 leg=inbound altitude=hi pressurized=yes formation=in weather=good engine.4=out bomb-run=off "
    "bombs=aboard doors.fwd=jammed-shut doors.aft=jammed-shut log.gazetteer.11=0 log.below.11=sea step=escort"
)
TRUK = "mission.number=20 target.city=truk zone=3 turn=3 altitude=hi formation=out "
BURNS = HIGH + "fuel.wing=18 step=take-off"
RALLY = f"altitude: stay; 4-2: 3,3\n{ON}4.6: 3,4"
DRY = AT_SEA + "aux.aft=installed "
DIVES = DAY + "turn=5 zone=5 altitude=hi pressurized=yes formation=out weather=bad roll=4-3.b"
NEAR_IWO = DAY + (
    "turn=20 zone=6 leg=inbound course=on altitude=med pressurized=yes bombs=dropped mission.number=14 formation=out "
    "fuel.wing=20 step=forced-done controls.pilots="
)
CITY = DAY.replace("target.type=airfield", "target.type=urban-area")


@pytest.mark.section("b29 7.2 one", "b29 6.2 D", "b29 6.2 F", "b29 4.5 C1", "b29 2.3 Truk", "b29 4.8 A", "b29 7.5")
@pytest.mark.section("b29 4.8 C", "b29 4.3 C", "b29 9.2", "b29 7.6 F", "b29 4-3", "b29 8.2", "b29-streamliner 4")
@pytest.mark.section("b29 8.4")
@moments(
    ("an engine lost to a storm is answered before the fighters come", STORM, "jettison: no", "formation=out"),
    ("bombs that hang and an engine out lead out of formation homeward too", HUNG, "", "formation=out"),
    ("a burst is written where it was", OVER + "roll=6-5 burst=yes", "6-5: 5,5", "hit.tail=burst"),
    ("a free mission to Truk has its rally in Zone 3", TRUK + "roll=4-8", "4-8: 5,5 = off", "asked=4.5C1"),
    ("who has given up meets nobody there", TRUK + "aborted=yes roll=4-8", "4-8: 5,5 = off", "asked!=4.5C1"),
    ("in the zone of the assembly she meets the others", BURNS, "set zone.turns=2; " + RALLY, "asked=4-10"),
    ("but not while she burns: all must jump in it", BURNS, "set zone.turns=2 fire-zone=yes; " + RALLY,
     "asked=open-to-jump formation=out"),
    ("by night no roll makes a formation", NIGHT + "zone=9 turn=9 altitude=lo roll=4-10", "4-10: 4,4 = normal",
     "formation=none"),
    ("nor does the pencil", NIGHT + "zone=9 turn=9 altitude=lo", "set formation=in", "formation=none"),
    ("without a box left the tanks run dry", DRY + "fuel.wing=38 fuel.aft=4 roll=4-1", "4-1: = empty", "fuel.dry=yes"),
    ("one in the wings is enough", DRY + "fuel.wing=37 fuel.aft=4 roll=4-1", "4-1: = empty", "fuel.dry=no"),
    ("one in the bay too", DRY + "fuel.wing=38 fuel.aft=3 roll=4-1", "4-1: = empty", "fuel.dry=no"),
    ("an urban area loses a box", HOME.replace("airfield", "urban-area") + "target.boxes=5 roll=9-1", "9-1: = box",
     "target.box=1"),
    ("an airfield near the city takes none of them", HOME + "target.boxes=5 roll=9-1", "9-1: = box", "target.box=0"),
    ("a bomber lost at take-off flew no mission against the city",
     CITY + "turn=0 zone=0 leg=outbound altitude=lo bomber.fate=destroyed step=landing-base", "", "asked=losses"),
    ("one lost on the way did",
     CITY + "turn=1 zone=1 leg=outbound altitude=lo bomber.fate=destroyed step=landing-base", "", "asked=9-1"),
    ("one fit man is enough to fly her", GOING + HURT + " frostbite.cfc=no step=over", "", "asked!=nobody-flies"),
    ("a wing that rips off on 2 dives her to LO, where nothing bursts", DIVES, "4-3.b: 5,6; 4-3.c: 2; 4-3.c: 5",
     "altitude=lo pressurized=no waits!=7-11"),
    ("on 6 it opens nothing", DIVES, "4-3.b: 5,6; 4-3.c: 6", "altitude=hi pressurized=yes waits=7-11"),
    ("on 1 and 6 neither", DIVES, "4-3.b: 5,6; 4-3.c: 1; 4-3.c: 6", "altitude=hi pressurized=yes waits=7-11"),
    ("who can land passes Iwo Jima at MED", NEAR_IWO + "ok", "", "asked!=iwo-jima"),
    ("who cannot may bail out there", NEAR_IWO + "out", "", "asked=iwo-jima options=bail-out,fly-on"),
)  # fmt: skip
def test_on_the_way(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


# -- damage ------------------------------------------------------------------------------------------------------------


@pytest.mark.section("b29 6.2 D", "b29 5-12")
def test_a_shell_that_does_nothing_has_struck_all_the_same(b29: Pack) -> None:
    moment = set_up(
        b29, OVER + "fighter.1.type=zeke fighter.1.clock=6 hit.tail=rudder", "5-12", fighter="1", area="tail"
    )
    moment.fly("5-12: 1")  # x 0
    assert moment["hit.tail"] == "rudder, superficial"


@pytest.mark.section("b29 7.5")
def test_a_room_that_burns_already_gets_no_new_try(b29: Pack) -> None:
    moment = set_up(b29, NIGHT + "turn=9 zone=8 altitude=lo below=sea", "7-12.fire", compartment="waist")
    moment.fly("fire-man: radar-operator\n7-12: 3,4 = burns\nfire-man: radar-operator\n7-12: 3,4 = burns")
    assert moment["fire.waist"] == 2
    moment.mission.pending = [Pending.of({"roll": "7-12.fire", "bind": {"compartment": "waist"}, "born": 1})]
    moment.fly("")
    assert moment["fire.waist"] == 2


# -- off course where each turn is paid for ----------------------------------------------------------------------------


@pytest.mark.section("b29 4.5 C3", "b29 4.5 C4")
@pytest.mark.parametrize("zone", [1, 6])
def test_no_correction_after_turns_that_were_paid_for(b29: Pack, zone: int) -> None:
    sheet = DAY + f"turn=7 zone={zone} aborted=yes leg=inbound altitude=lo bombs=jettisoned formation=out course=off "
    moment = set_up(
        b29, sheet + f"course.streak=1 weather=good fuel.wing=20 log.outbound.{zone}.course=off step=take-off"
    )
    moment.mission.write({"zone.turns": 0, "turning": "abort"})
    height, look = ("", "") if zone == 1 else ("altitude: stay\n", "lost-way: stay\n")
    moment.fly(f"{height}4.6: 3,4\n{look}{ON}")
    assert (moment["fuel.wing"], "4.5C4" in moment.tables, moment.asked) == (22, False, "4.6")


@pytest.mark.section("b29 8.4", "b29 4.5 C3")
def test_the_search_for_iwo_jima_asks_for_lo_again(b29: Pack) -> None:
    sheet = DAY + "turn=22 zone=7 leg=inbound altitude=hi pressurized=yes formation=out bombs=dropped bomb-run=on "
    moment = set_up(b29, sheet + "weather=good fuel.wing=20 step=take-off")
    moment.mission.write({"zone.turns": 2})
    moment.fly(f"altitude: stay\n4-2: 3,3\n{ON.replace('= on', '= off')}4.6: 3,4\nlost-way: stay\n")
    assert (moment["zone"], moment.asked) == (6, "altitude")
    moment.fly(f"altitude: lo\n{ON}4.6: 3,4\n")
    assert moment.asked == "iwo-jima"


# -- the steep dive ----------------------------------------------------------------------------------------------------
