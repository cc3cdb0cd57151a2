"""Fuel boxes (4.3 A), what makes an abort count (4.7 D), and a burst inside, line by line (6.2 F)."""

import pytest

from companion.cli.asking import put
from companion.engine.dice import Hand
from companion.engine.questions import RowQuestion
from companion.packs import Pack
from companion.render.dice_prompt import RowPrompt
from tests.games.b29.table import ALL, DAY, WAIST
from tests.support import Moment, after_step, asked, asks, check, moments, set_up

FLY = DAY + "turn=4 zone=4 zone.turns=1 formation=out weather=good setting.auxiliary=first fuel.fwd=4 fuel.aft=4 "
OVER = DAY + (
    "turn=12 zone=12 zone.turns=1 altitude=hi pressurized=yes formation=in weather=good fuel.wing=20 "
    "log.gazetteer.12=0 log.below.12=land step=flak "
)
NEXT = FLY + "altitude.asked=yes step=past-iwo altitude="
WEIGHT = DAY + "turn=1 zone=1 zone.turns=1 moved=yes altitude=lo formation=out step=weight roll=4.3A"
ABORTED = DAY + (
    "turn=25 zone=0 leg=inbound altitude=lo aborted=yes bombs=jettisoned bomber.fate=returned step=loss-credit "
)
ROUND = FLY.replace("zone=4", "zone=12") + (
    "target.zone=12 altitude=hi pressurized=yes bombs=dropped bomb-run=on log.gazetteer.12=0 log.below.12=land "
    "formation.barred=yes step=more-flak"
)
TORN = DAY + "turn=25 zone=1 leg=inbound altitude=lo bombs=dropped bip=yes step=landing-base roll="


@pytest.mark.section("b29 6.2 F end", "b29 6.2 F room", "b29 4.3 A turn", "b29 6.5", "b29 4.3 A guns")
@pytest.mark.section("b29 4.3 A gunners", "b29 4.3 A zone", "b29 4.3 A climb", "b29 4.1 A", "b29 4.1 B", "b29 4.2 A")
@pytest.mark.section("b29 4.7 D", "b29 6.2 F bombs", "b29 6.2 F pressure", "b29 6.2 F dead", "b29 6.2 F torn")
@moments(
    ("five turrets cost a box on less than 5", WEIGHT, "4.3A.guns: 4; 4.3A.gunners: 5; end", "fuel.wing=1"),
    ("not on 5", WEIGHT, "4.3A.guns: 5; 4.3A.gunners: 5; end", "fuel.wing=0"),
    ("four gunners on 4", WEIGHT, "4.3A.guns: 5; 4.3A.gunners: 4; end", "fuel.wing=1"),
    ("both may cost one", WEIGHT, "4.3A.guns: 1; 4.3A.gunners: 1; end", "fuel.wing=2"),
    ("a zone costs two boxes with bombs", NEXT + "lo", "altitude: stay", "fuel.wing=2 pressurized=no"),
    ("a level up two more; she closes up for it", NEXT + "lo", "altitude: med", "fuel.wing=4 pressurized=yes"),
    ("higher too", NEXT + "med pressurized=yes", "altitude: hi", "fuel.wing=4 pressurized=yes"),
    ("the way down costs none", NEXT + "hi pressurized=yes", "altitude: lo", "fuel.wing=2 pressurized=no"),
    ("homeward one without bombs", NEXT + "lo leg=inbound bombs=dropped", "altitude: stay",
     "fuel.wing=1 pressurized=no"),
    ("two with them", NEXT + "lo leg=inbound bombs=aboard", "altitude: stay", "fuel.wing=2 pressurized=no"),
    ("and two for the climb", NEXT + "lo leg=inbound bombs=dropped", "altitude: med", "fuel.wing=3 pressurized=yes"),
    ("up a level a turn", NEXT + "lo", "", "options=stay,med"),
    ("or down", NEXT + "med pressurized=yes", "", "options=stay,hi,lo"),
    ("down one or two", NEXT + "hi pressurized=yes", "", "options=stay,down-to-med,lo"),
    ("an abort counts as it was settled", ABORTED + "credit=yes", "", "credit=yes"),
    ("or does not", ABORTED + "credit=no", "", "credit=no"), ("unsettled it does not", ABORTED, "", "credit=no"),
    ("a missed target zone counts by itself", ABORTED + "course.missed-ip=1", "", "credit=yes"),
    ("a burst among the bombs kills all", OVER + "roll=6.2F area=fwd-bomb-bay", "", "crew.alive=0"),
    ("one in the Waist those there, and all pressure", OVER + "roll=6.2F area=waist", "",
     " ".join(f"crew.{man}=kia" for man in WAIST) + " crew.alive=7 pressurization=lost formation=out bip=yes"),
    ("one in Nav/Radio those there, and it blows through the Nose", OVER + "roll=6.2F area=nav-radio", "",
     "crew.engineer=kia crew.navigator=kia crew.radio-operator=kia waits=7-13 waits=7-11 bip=yes may-evade=no"),
    ("open nothing blows", OVER + "altitude=lo pressurized=no roll=6.2F area=nav-radio", "", "waits!=7-11"),
    ("turning round costs a box", ROUND, "", "zone=12 leg=inbound fuel.wing=1 rolled!=4-2"),
    ("a torn bomber lands worse", TORN + "8-1", "8-1: 3,3 = safe; end", "8-1:bip=-2"),
    ("and ditches worse", TORN + "8-3", "8-3: 3,3 = successful; end", "8-3:bip=-2"),
)  # fmt: skip
def test_boxes_and_bursts(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


# -- a burst inside (6.2 F) --------------------------------------------------------------------------------------------


def burst(pack: Pack, area: str, facts: str = "", script: str = "") -> Moment:
    """Return a burst in that section, over the target."""
    return set_up(pack, OVER + facts, "6.2F", area=area).fly(script)


@pytest.mark.section("b29 6.2 F dead", "b29 6.2 F fall")
@pytest.mark.parametrize(
    ("area", "dead"), [("nose", {"pilot", "copilot", "bombardier"}), ("tail", {"tail-gunner"}), ("port-wing", set())]
)
def test_the_bomber_falls(b29: Pack, area: str, dead: set[str]) -> None:
    """6.2 F: everyone in the section is dead; after Wing, Tail or Nose the others bail out on 8-5."""
    moment = burst(b29, area)
    assert {man for man in ALL if moment[f"crew.{man}"] == "kia"} == dead
    closed = asked(moment.mission).count("7-11")  # each closed room with men in it, before they jump (8.2)
    assert closed == (2 if area == "tail" else 3)
    moment.fly("\n".join(["7-11: 3,3 = none"] * closed))
    assert asked(moment.mission).count("8-5") == len(ALL) - len(dead)


@pytest.mark.section("b29 6.2 F torn")
def test_each_row_of_a_burst_is_asked_for_by_its_number(b29: Pack, capsys: pytest.CaptureFixture[str]) -> None:
    moment = burst(b29, "waist")
    for row in (2, 3):
        with asks(RowQuestion) as asked_for:
            moment.mission.roll("7-6", Hand())
        assert put(RowPrompt(asked_for.value), lambda _: "superficial") == "superficial"
        assert f"What does your rulebook say in row {row}?" in capsys.readouterr().out
        moment.mission.roll("7-6", Hand(), outcome="superficial")


# -- fuel ahead (4.3 D) ------------------------------------------------------------------------------------------------

AHEAD = DAY + "turn=9 zone.turns=1 weather=good fuel.fwd=4 fuel.aft=4 "


@pytest.mark.section(
    "b29 4.3 D", "b29 4.1 A", "b29 4.3 A zone", "b29 4.3 A climb", "b29 4.3 A turn", "b29 6.5", "b29 8.4"
)
@pytest.mark.parametrize(
    ("facts", "home", "iwo"),
    [
        # to Zone 12: 24, two levels: 4, round: 1, Zones 11 to 1: 11, and a box that still stands at the base (4.3 C)
        ("zone=0 turn=0 altitude=lo", 24 + 4 + 1 + 11 + 1, 24 + 4 + 1 + 6),
        # Zones 10 to 12: 6, round: 1, home 11 and the last; or Zones 11 to 6
        ("zone=9 altitude=hi", 6 + 1 + 11 + 1, 6 + 1 + 6), ("zone=12 altitude=hi", 1 + 11 + 1, 1 + 6),
        ("zone=9 altitude=hi mission.number=5", 6 + 1 + 11 + 1, "none"),
        # round over the target, and home
        ("zone=12 zone.turns=0 turning=run leg=inbound bombs=dropped altitude=hi", 1 + 11 + 1, 1 + 6),
        ("zone=11 leg=inbound bombs=dropped altitude=hi", 10 + 1, 5),
        ("zone=6 leg=inbound bombs=dropped altitude=lo", 5 + 1, 0),
        ("zone=3 leg=inbound bombs=dropped altitude=lo", 2 + 1, "none"),
        ("zone=11 leg=inbound bombs=aboard altitude=hi", 20 + 1, 10),
        # a gear that drags: four boxes a zone out, two home (7-1 d), the second turn of Zone 4 and that over the target
        ("zone=4 altitude=hi gear.drag=yes", 2 + 8 * 4 + 1 + 1 + 11 * 2 + 1, 2 + 8 * 4 + 1 + 1 + 5 * 2 + 1),
        # open bay doors: one more for each second turn (7-3 e)
        ("zone=10 altitude=hi doors.aft=jammed-open", 1 + 2 * 3 + 2 + 11 * 2 + 1, 1 + 2 * 3 + 2 + 5 * 2 + 1),
        # an engine out: two turns a zone and no fuel for it, no climb (7.2)
        ("zone=10 altitude=lo engine.1=out", 4 + 1 + 11 + 1, 4 + 1 + 6),
        # the boxes of the zone just entered and of a climb are still to be paid
        ("zone=9 altitude=hi fuel.due=4", 4 + 6 + 1 + 11 + 1, 4 + 6 + 1 + 6),
        # doors stuck open on the run, a bay hanging: three turns over the target, one for the way in (7-3 e)
        ("zone=12 altitude=hi bomb-run=on load.fwd=gone release.aft=out doors.fwd=jammed-open",
         2 + 11 * 3 + 1, 2 + 5 * 3 + 2),
        # aborted short of the island, forward to it with the bombs gone; past it she turns round there (4.7 B)
        ("zone=4 aborted=yes bombs=jettisoned altitude=lo", 2 + 1 + 5 + 1, 2),
        ("zone=6 aborted=yes bombs=jettisoned altitude=lo", 1 + 5 + 1, 0),
        ("zone=6 aborted=yes bombs=jettisoned altitude=lo leg=inbound iwo-forward=yes", 1 + 5 + 1, 0),
        ("zone=6 aborted=yes bombs=jettisoned altitude=lo leg=inbound turning=abort", 1 + 5 + 1, 1),
    ],
)  # fmt: skip
def test_fuel_to_bomb_and_get_home(b29: Pack, facts: str, home: int, iwo: int | str) -> None:
    moment = set_up(b29, AHEAD + facts)
    assert (moment["fuel.home"], moment["fuel.iwo"]) == (home, iwo)


@pytest.mark.section("b29 4.7 B", "b29 4.3 D")
@pytest.mark.parametrize(
    ("facts", "home", "iwo"),
    [
        # the bombs go first: one box to turn round, Zones 8 to 1, and the last; or Zones 8 to 6
        ("zone=9", 1 + 8 + 1, 1 + 3), ("zone=9 release.aft=out", 2 + 8 * 2 + 1, 2 + 3 * 2), ("zone=6", 1 + 5 + 1, 1),
        ("zone=4", 1 + 3 + 1, 2),
    ],
)  # fmt: skip
def test_fuel_to_turn_now(b29: Pack, facts: str, home: int, iwo: int) -> None:
    moment = set_up(b29, AHEAD + "altitude=hi " + facts)
    assert (moment["fuel.turn"], moment["fuel.turn-iwo"]) == (home, iwo)


@pytest.mark.section("b29 4.3 D")
@pytest.mark.parametrize(("wing", "asked"), [(25, False), (26, True)])
def test_too_little_fuel_is_a_ground_and_the_question_says_so(b29: Pack, wing: int, asked: bool) -> None:
    """Zone 9, Iwo Jima in American hands: 13 boxes are needed. With one box fewer the bomber may turn back."""
    sheet = AHEAD + f"zone=9 altitude=hi formation=in fuel.wing={wing}"
    moment = after_step(b29, "jettison-tanks", b29.sheet.given(sheet.split()))
    assert (moment["fuel.short"], moment.asked == "abort") == ("yes" if asked else "no", asked)
    if asked:
        question = moment.mission.question(moment.mission.waiting() or {})
        assert question is not None
        assert "Too little fuel to bomb and get home" in question.title
        assert "fuel 12 left, 19 to bomb and get home, 13 via Iwo Jima" in question.title
        assert "10 to turn now and get home, 4 to Iwo Jima" in question.title
