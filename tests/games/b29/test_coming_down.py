"""Bailing out, landing and ditching: who survives (8.0)."""

import random

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from companion.play.conversation import Chance
from tests.games.b29.table import ALL, DAY, HIGH, HOME, OVER
from tests.support import again, check, fly, moments, set_up

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
    ("over land she lands", ONE_ENGINE, "log.below.11: land", "asked=forced-down options=land,bail-out"),
    ("over either the player says which", ONE_ENGINE, "log.below.11: sea-or-land; where-below: land",
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


@pytest.mark.section("b29 8.6")
@pytest.mark.parametrize(("rafts", "add"), [("", 1), ("rafts.fwd=hit rafts.aft=hit", 0)])
def test_both_rafts_or_none(b29: Pack, rafts: str, add: int) -> None:
    moment = set_up(b29, SEA + rafts + " book.8-3.sea-state=0", "8-3")
    moment.fly("8-3: 4,4 = successful\n8-6 pilot: 3,3 = rescued")
    assert sum(each for _, each in moment.modifiers("8-6")) == add


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
    jump = moment.positions("8-4")
    assert sorted(jump) == sorted({*fit, "copilot", "cfc"} - {"navigator"})
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
