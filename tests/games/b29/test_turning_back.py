"""Reasons to abort, Iwo Jima, fuel (4.3), a burst inside (6.2 F), and the loss of the bomber (4.7, 4.8, 9.3)."""

import pytest

from companion.cli.terminal import put
from companion.engine.dice import Hand
from companion.engine.questions import Pending, RowQuestion
from companion.packs import Pack
from companion.render.dice_prompt import RowPrompt
from tests.games.b29.table import ALL, DAY, NIGHT, OVER, RUN, WAIST
from tests.support import Moment, after_step, asked, asks, check, moments, set_up


@pytest.mark.section("b29 4.7 A", "b29 4.3 D")
@pytest.mark.parametrize(
    ("state", "asked"),
    [
        ("", False), ("crew.pilot=serious", True), ("crew.copilot=kia", True), ("crew.bombardier=serious", True),
        ("crew.navigator=kia", True), ("crew.engineer=kia", False), ("crew.navigator=light", False),
        ("electrical=out", True), ("doors.aft=jammed-shut", True), ("pressurization=lost", True),
        ("pressure.waist=compromised", True),
        ("pressure.waist=compromised mission.altitude=lo", False),  # HI and MED missions only
        ("radar=out", True), ("bombsight=out", True), ("intercom=out", True),
        ("hunting=yes crew.pilot=serious", False),  # asked already: 4.5 C2
    ],
)  # fmt: skip
def test_grounds_to_turn_for_home(b29: Pack, state: str, asked: bool) -> None:
    sheet = OVER.replace("zone=12 alt", "zone=10 alt").replace("pressurized=no", "pressurized=yes")
    moment = set_up(b29, sheet + f"zone.turns=1 step=jettison-tanks {state}").fly("")
    assert (moment.asked == "abort") == asked


@pytest.mark.section("b29 4.7 A")
def test_a_ground_that_is_known_is_asked_about_once(b29: Pack) -> None:
    sheet = OVER.replace("zone=12 alt", "zone=9 alt").replace("formation=in", "formation=out") + "radar=out "
    moment = set_up(b29, sheet)

    def asked(**news: str) -> bool:
        moment.take_up({"step": "jettison-tanks", **news})
        if moment.asked == "abort":
            moment.fly("abort: go-on")
            return True
        return False

    assert asked()
    assert not asked()
    assert asked(intercom="out")
    assert asked(**{"crew.pilot": "serious"})
    assert asked(**{"crew.bombardier": "kia"})
    assert not asked(**{"crew.tail-gunner": "kia"})
    assert asked(**{"abort-asked": "yes"})
    assert not asked()
    assert asked(**{"doors.fwd": "jammed-shut"})
    assert asked(**{"doors.aft": "jammed-shut"})
    assert asked(**{"engine.3": "out", "mission.number": "12"})
    # a ground that has gone and comes again is new
    moment.mission.write({"intercom": "ok"})
    moment.mission.write({"step": "take-off"})
    moment.mission.advance()
    assert asked(intercom="out")


@pytest.mark.section("b29 4.8 C", "b29 4.8 D")
def test_back_in_formation_and_out_again(b29: Pack) -> None:
    sheet = OVER.replace("zone=12 alt", "zone=11 alt").replace("formation=in", "formation=out")
    moment = set_up(b29, sheet + "step=jettison-tanks").fly("abort: go-on")
    moment.mission.pending = [Pending.of({"choose": "rejoin", "bind": {}, "born": 1})]
    moment.fly("rejoin: yes")
    moment.take_up({"radar": "out", "step": "jettison-tanks"}, "abort: go-on")
    moment.take_up({"formation": "out", "step": "jettison-tanks"}, "abort: go-on")
    moment.take_up({"step": "jettison-tanks"})
    assert moment.asked != "abort"


ALONE = (
    OVER.replace("zone=12 alt", "zone=10 alt")
    .replace("formation=in", "formation=out")
    .replace("pressurized=no", "pressurized=yes")
    + "fuel.wing=14 zone.turns=1 bombs=aboard formation.barred=yes step=jettison-tanks "
)
BROKEN = OVER.replace("zone=12 alt", "zone=9 alt") + (
    "radar=out intercom=out aux.fwd=none aux.aft=none step=jettison-tanks "
)
ASTRAY = (
    OVER.replace("pressurized=no", "pressurized=yes")
    .replace("formation=in", "formation=out")
    .replace("fuel.wing=20", "fuel.wing=8")
    + "bombs=aboard course=off zone.turns=1 step=turn-around "
)
AT_IWO = DAY + (
    "turn=20 zone=6 zone.turns=1 leg=inbound altitude=lo formation=out bombs=dropped weather=good aux.fwd=none "
    "aux.aft=none "
)


@pytest.mark.section("b29 4.8 C", "b29 4.7 D", "b29 4.5 C2", "b29 8.4", "b29 4.3 D", "b29 4.7 A")
@moments(
    ("alone for good, Enter turns for home if it counts", ALONE + "engine.1=out", "", "asked=abort usual=abort"),
    ("but not if chance stopped the engine", ALONE + "engine.1=out by-chance.engine=1", "", "asked=abort usual=go-on"),
    ("with the others it goes on", ALONE.replace("formation=out", "formation=in") + "intercom=out", "",
     "asked=abort usual=go-on"),
    ("off course over the target it looks once", ASTRAY, "", "asked=lost-way usual=stay"),
    ("not twice", ASTRAY + "hunting=yes", "", "asked=lost-way usual=abort"),
    ("nor without fuel for it", ASTRAY + "fuel.wing=27", "", "asked=lost-way usual=abort"),
    ("at Iwo Jima it lands with three boxes to spare", AT_IWO + "fuel.wing=29 choose=iwo-jima", "", "usual=land"),
    ("and flies on with four", AT_IWO + "fuel.wing=28 choose=iwo-jima", "", "usual=fly-on"),
    ("on three engines it lands", AT_IWO + "fuel.wing=20 engine.1=out choose=iwo-jima", "", "usual=land"),
    ("Enter goes on to a target that the fuel reaches", BROKEN + "fuel.wing=0", "", "asked=abort usual=go-on"),
    ("and turns back from one that it does not", BROKEN + "fuel.wing=32", "", "asked=abort usual=abort"),
)  # fmt: skip
def test_what_a_careful_crew_does_far_from_home(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 4.8 C", "b29 4.8 D")
@pytest.mark.parametrize(
    ("state", "ground"),
    [
        ("zone=9 altitude=hi", False), ("zone=11 altitude=hi", True),  # the next zone is the target's
        ("zone=10 altitude=hi", False), ("zone=10 altitude=med", False),
        ("zone=10 altitude=lo", True),  # two levels in the one zone that is left
        ("zone=9 altitude=lo", False), ("zone=9 altitude=hi rally.missed=yes", True),
        ("zone=9 altitude=hi formation.barred=yes", True),
        ("zone=8 altitude=hi", False),  # nothing to be out of before Zone 9
        ("zone=11 altitude=hi formation=in", False),
    ],
)  # fmt: skip
def test_out_of_formation_is_a_ground_for_whoever_cannot_join_again(b29: Pack, state: str, ground: bool) -> None:
    moment = set_up(b29, DAY + f"turn=9 formation=out fuel.wing=10 {state}")
    assert moment["grounds"] == ground


ON_THE_WAY = DAY + (
    "turn=9 zone=9 altitude=hi pressurized=yes formation=in weather=good fuel.wing=10 step=take-off "
    "log.gazetteer.10=0 log.below.10=sea log.gazetteer.11=0 log.below.11=sea "
)
QUIET_FIGHT = "5-1: 6,6\n5.2A: 6\n"  # 12 - 2 at HI - 1 Iwo Jima = 9: moderate, and a 6 brings nobody


@pytest.mark.section("b29 4.7 D")
@pytest.mark.parametrize(
    ("broken", "counts"),
    [
        ("doors.aft=jammed-shut", True),  # b
        ("intercom=out", True), ("bombsight=out", True), ("radar=out", True), ("pressure.tail=compromised", True),  # c
        ("crew.pilot=serious", True),  # d
        ("crew.copilot=kia", True), ("crew.bombardier=serious", True), ("crew.navigator=kia", True),
        ("crew.engineer=kia", False), ("engine.4=out", True),  # e
        ("tank.inboard.port=leaking fuel.wing=38", True),  # f
        ("tank.inboard.port=leaking", False), ("fuel.wing=38", False), ("electrical=out", True),  # g
        ("formation=out rally.missed=yes", False), ("autopilot=out", False),
    ],
)  # fmt: skip
def test_damage_in_combat_counts_and_earlier_damage_does_not(b29: Pack, broken: str, counts: bool) -> None:
    """4.7 D: only damage by fighters or flak counts; events, storms and cold come before 5-1 is rolled."""
    fight = set_up(b29, ON_THE_WAY).fly(f"4-2: 3,4\n4.6: 3,4\nopen-up: stay-closed\n5-1: 6,6\nset {broken}\n")
    assert fight["abort-counts"] == ("yes" if counts else "no")
    chance = set_up(b29, ON_THE_WAY).fly(f"4-2: 3,4\nset {broken}\n")
    chance.take_up({"step": "night-evasion"}, "5-1: 6,6\n")
    assert chance["abort-counts"] == "no"
    nobody = set_up(b29, ON_THE_WAY.replace("zone=9 ", "zone=7 "))  # no fighters in Zone 8
    nobody.fly(f"4-2: 3,4\nset {broken}\n")
    assert nobody["abort-counts"] == "no"


BY_NIGHT = NIGHT + (
    "turn=9 zone=11 zone.turns=1 altitude=lo weather=good fuel.wing=10 mission.number=12 target.zone=13 "
    "step=night-evasion "
)


@pytest.mark.section("b29 4.7 D", "b29 5-15 a")
@pytest.mark.parametrize(
    ("flown", "counts"),
    [
        ("5-15: 4,5\n5-15.a: 6\n5-3.f.shells: 1\n5-3.f.area: 1,1\n7-1: 5,5\n7-1.b: 1\n", False),
        ("5-15: 4,6\n5-4: 3\n5.8D: 6\nset bombsight=out\n", True),
    ],
)
def test_what_our_own_side_breaks_by_night_does_not_count(b29: Pack, flown: str, counts: bool) -> None:
    moment = set_up(b29, BY_NIGHT).fly(f"5-1: 4,4\n{flown}")
    if not counts:
        assert (moment.asked, moment["bombsight"]) == ("abort", "out")
    assert moment["abort-counts"] == ("yes" if counts else "no")
    # flak of a later turn that breaks something else does count
    moment.mission.write({"radar": "out"})
    assert moment["abort-counts"] == "yes"


@pytest.mark.section("b29 4.7 D")
def test_an_abort_counts_by_the_damage_at_the_turn_back(b29: Pack) -> None:
    """An intercom lost by bad luck does not count; an electrical system lost in combat counts while it is out."""
    moment = set_up(b29, ON_THE_WAY)
    moment.fly("4-2: 3,4\n4.6: 3,4\nset intercom=out\nopen-up: stay-closed\n" + QUIET_FIGHT + "abort: wait\n")
    moment.fly("4-2: 3,4\n4.6: 3,4\n5-1: 6,6\n")  # asked again, without a further ground
    assert (moment["zone"], moment["abort-counts"]) == (11, "no")
    moment.mission.write({"electrical": "out"})
    assert moment["abort-counts"] == "yes"
    moment.mission.write({"electrical": "ok"})
    assert moment["abort-counts"] == "no"
    moment.mission.write({"electrical": "out"})
    moment.fly("5.2A: 6\nabort: abort\n")
    assert (moment["credit"], moment["leg"]) == ("yes", "inbound")
    # losses on the way home change nothing, and edits by the player are kept
    assert after_step(b29, "loss-credit", {**moment.mission.state, "credit": "no"})["credit"] == "no"


def quiet(course: str = "on") -> str:
    """Return an uneventful zone by night."""
    tables = "4-2: 3,4\n4-4: 3,4 = none\n4-5: 3,4 = none\n4-6: 3,4 = none\n4-7: 3,4 = none\n"
    return f"{tables}4-8: 4,4 = {course}\n4.6: 3,4\n"


@pytest.mark.section("b29 4.5 A")
@pytest.mark.parametrize("table", ["4-4", "4-5", "4-6", "4-7"])
@pytest.mark.parametrize(("words", "adds"), [("34", None), ("-10", None), ("9", 9), ("-2", -2), ("none", 0)])
def test_what_a_fix_gives_is_a_modifier_and_no_dice(b29: Pack, table: str, words: str, adds: int | None) -> None:
    moment = set_up(b29, NIGHT + "zone=5 turn=5 altitude=lo weather=good step=course", table)
    moment.mission.pending.append(Pending.of({"roll": "4-8", "bind": {}, "born": 1}))
    moment.fly(f"{table}: 3,4 = {words}\n")
    assert moment.asked == (table if adds is None else "4-8")
    assert moment[f"navigation.{table}"] == (adds or 0)


@pytest.mark.section("b29 8.6")
@pytest.mark.parametrize(("words", "adds"), [("34", None), ("-2", -2)])
def test_what_the_sea_gives_is_a_modifier_and_no_dice(b29: Pack, words: str, adds: int | None) -> None:
    moment = set_up(b29, NIGHT + "zone=5 turn=5 altitude=lo below=sea step=course", "8-2")
    moment.mission.pending.append(Pending.of({"roll": "4.6", "bind": {}, "born": 1}))
    moment.fly(f"8-2: 3,3 = {words}\n")
    assert moment.asked == ("8-2" if adds is None else "4.6")
    assert adds is None or moment["book.8-3.sea-state"] == adds


FORWARD = NIGHT + "fuel.wing=10 zone=5 turn=5 altitude=lo weather=good aborted=yes bombs=jettisoned step=take-off"
PAST = FORWARD + " leg=inbound"
HIGH = FORWARD.replace("zone=5", "zone=4").replace("altitude=lo", "altitude=med pressurized=yes")
HOLED = ON_THE_WAY.replace("altitude=hi", "altitude=lo") + "zone=11 pressure.tail=compromised"


@pytest.mark.section("b29 4.7 D", "b29 4.7 B", "b29 8.4")
@moments(
    ("flying past Iwo Jima is turning round: a box for Zone 6, one for the turn there", FORWARD,
     "altitude: stay\n" + quiet() + "iwo-jima: fly-on; altitude: stay; 4.6: 3,4",
     "zone=6 turn=7 zone.turns=1 fuel.wing=12"),
    ("then homeward", FORWARD,
     "altitude: stay\n" + quiet() + "iwo-jima: fly-on; altitude: stay; 4.6: 3,4; iwo-jima: fly-on; 4-2: 3,4",
     "zone=5 turn=8 fuel.wing=13"),
    ("landing there costs no such turn", FORWARD,
     "altitude: stay\n" + quiet() + "iwo-jima: land; 8.4: 3; 8-1: 4,4 = safe",
     "turn=6 fuel.wing=11 bomber.fate=returned step=end"),
    ("on the way home from Japan she turns round nowhere", PAST.replace("zone=5", "zone=7"),
     "altitude: stay\n" + quiet() + "iwo-jima: fly-on; 4-2: 3,4", "zone=5 turn=7 fuel.wing=12"),
    ("who comes forward to it at height may come down", HIGH, "altitude: stay\n" + quiet(),
     "zone=6 asked=altitude usual=lo"),
    ("to land", HIGH,
     "altitude: stay\n" + quiet() + "altitude: lo\n" + quiet() + "iwo-jima: land; 8.4: 3; 8-1: 4,4 = safe",
     "turn=7 bomber.fate=returned"),
    ("lost pressure counts for no abort of a mission at LO", HOLED, "", "abort-counts=no"),
    ("but of one above it", HOLED, "set mission.altitude=med", "abort-counts=yes"),
    ("the abort turn takes two boxes with bombs", PAST.replace("jettisoned", "aboard") + " turning=abort zone.turns=0",
     "altitude: stay", "turn=6 zone=5 fuel.wing=12"),
)  # fmt: skip
def test_iwo_jima_on_the_way_out(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


LOST = NIGHT + "turn=4 zone=4 altitude=lo below=sea bomber.fate=destroyed setting.losses=draw"
DOWN = LOST + " step=landing-base "


@pytest.mark.section("b29 6.2 F end", "b29 9.3 B", "b29 4.7 D", "b29 2.3 Truk")
@moments(
    ("lost to a storm on the way out: a draw by the setting, and whether it counts is asked", DOWN,
     "loss.to: other; credit: no", "step=end mission.result=draw credit=no"),
    ("it may count", DOWN, "loss.to: other; credit: yes", "step=end credit=yes"),
    ("lost to the enemy on the way out", DOWN + "enemy.hits=yes", "loss.to: enemy",
     "step=end mission.result=defeat credit=yes"),
    ("lost after the target it counts either way", DOWN + "leg=inbound bombs=dropped bomb-run=on", "loss.to: other",
     "step=end mission.result=draw credit=yes"),
    ("lost at take-off", DOWN.replace("turn=4 zone=4", "turn=0 zone=0"), "credit: no",
     "step=end mission.result=draw credit=no"),
    ("a storm after an abort leaves the abort to say", DOWN + "leg=inbound aborted=yes bombs=jettisoned credit=yes",
     "loss.to: other", "step=end credit=yes"),
    ("usually it is chance", LOST, "", "loss.likely=other"),
    ("the enemy where flak has hit", LOST + " flak=heavy zone=12 altitude=lo roll=6-5", "6-5: 2,5",
     "loss.likely=enemy"),
    *[(f"a burst inside is a defeat, {end}", LOST.replace("destroyed", end) + f" bip=yes bombs=dropped bomb-run={run}",
       "", "mission.result=defeat") for end, run in (("returned", "on"), ("abandoned", "off"))],
    ("no abort on the way to Truk counts", "target.city=truk turn=5 zone=5 altitude=hi formation=in intercom=out", "",
     "abort-counts=no"),
    ("nor once she is home", "target.city=truk turn=9 zone=0 leg=inbound altitude=lo aborted=yes credit=yes "
     "bomber.fate=returned step=loss-credit", "", "credit=no"),
)  # fmt: skip
def test_a_lost_bomber(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 9.3 B", "b29 5-3 b", "b29 5-3 c")
def test_what_certainly_cost_us_the_bomber_is_not_asked(b29: Pack) -> None:
    bay = set_up(b29, RUN + " enemy.hits=yes", "6-5", burst="yes")
    baka = set_up(b29, RUN + " fighter.1.type=baka fighter.1.clock=6", "5-3.b.collision", fighter="1")
    rammer = set_up(b29, RUN + " fighter.1.type=tojo setting.collision=all-lost", "5-3.c", fighter="1")
    for moment, dice in ((bay, [2, 3]), (baka, [5, 6]), (rammer, [6, 6])):
        moment.mission.roll(None, Hand([dice]))
        moment.mission.write({"step": "landing-base"})
        moment.fly("")
        assert [moment[name] for name in ("step", "bomber.fate", "mission.result")] == ["end", "destroyed", "defeat"]


@pytest.mark.parametrize(("number", "offered"), [(5, False), (12, True)])
def test_a_japanese_iwo_jima_is_no_place_to_look_for(b29: Pack, number: int, offered: bool) -> None:
    """8.4, 4.5 C3: a landing there can be planned only on Missions 11 to 35."""
    sheet = DAY.replace("mission.number=12", f"mission.number={number}").replace("target.zone=12", "target.zone=13")
    moment = set_up(b29, sheet + "zone=6 leg=inbound course=off altitude=lo formation=out zone.turns=1")
    assert ("fly-on" in moment.legal("lost-way")) == offered
    assert moment["may-look"] == ("yes" if offered else "no")
    home = set_up(b29, sheet + "zone=6 leg=inbound iwo-forward=yes altitude=lo formation=out step=iwo-jima turn=9")
    home.fly("")
    assert home["zone"] == (6 if offered else 5)  # another turn in the zone, or on as ever


FLY = DAY + "turn=4 zone=4 zone.turns=1 formation=out weather=good setting.auxiliary=first fuel.fwd=4 fuel.aft=4 "
CLOSED_OVER = DAY + (
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
    ("a burst among the bombs kills all", CLOSED_OVER + "roll=6.2F area=fwd-bomb-bay", "", "crew.alive=0"),
    ("one in the Waist those there, and all pressure", CLOSED_OVER + "roll=6.2F area=waist", "",
     " ".join(f"crew.{man}=kia" for man in WAIST) + " crew.alive=7 pressurization=lost formation=out bip=yes"),
    ("one in Nav/Radio those there, and it blows through the Nose", CLOSED_OVER + "roll=6.2F area=nav-radio", "",
     "crew.engineer=kia crew.navigator=kia crew.radio-operator=kia waits=7-13 waits=7-11 bip=yes may-evade=no"),
    ("open nothing blows", CLOSED_OVER + "altitude=lo pressurized=no roll=6.2F area=nav-radio", "", "waits!=7-11"),
    ("turning round costs a box", ROUND, "", "zone=12 leg=inbound fuel.wing=1 rolled!=4-2"),
    ("a torn bomber lands worse", TORN + "8-1", "8-1: 3,3 = safe; end", "8-1:bip=-2"),
    ("and ditches worse", TORN + "8-3", "8-3: 3,3 = successful; end", "8-3:bip=-2"),
)  # fmt: skip
def test_boxes_and_bursts(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


# -- a burst inside (6.2 F) --------------------------------------------------------------------------------------------


def burst(pack: Pack, area: str, facts: str = "", script: str = "") -> Moment:
    """Return a burst in that section, over the target."""
    return set_up(pack, CLOSED_OVER + facts, "6.2F", area=area).fly(script)


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
