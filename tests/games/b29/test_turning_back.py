"""Reasons to abort, Iwo Jima, and the loss of the bomber (4.7, 4.8, 9.3)."""

import pytest

from companion.engine.dice import Hand
from companion.engine.questions import Pending
from companion.packs import Pack
from tests.games.b29.table import DAY, NIGHT, OVER, RUN
from tests.support import after_step, check, moments, set_up


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


@pytest.mark.section("b29 4.3 D", "b29 4.7 A")
@pytest.mark.parametrize(("left", "usual"), [(38, "go-on"), (6, "abort")])
def test_enter_turns_back_from_a_target_that_the_fuel_does_not_reach(b29: Pack, left: int, usual: str) -> None:
    sheet = OVER.replace("zone=12 alt", "zone=9 alt")
    moment = set_up(
        b29, f"{sheet} radar=out intercom=out fuel.wing={38 - left} aux.fwd=none aux.aft=none step=jettison-tanks"
    )
    moment.mission.pending = []
    moment.fly("")
    assert (moment.asked, moment.options[0]) == ("abort", usual)


ALONE = (
    OVER.replace("zone=12 alt", "zone=10 alt")
    .replace("formation=in", "formation=out")
    .replace("pressurized=no", "pressurized=yes")
    + "fuel.wing=14 zone.turns=1 bombs=aboard formation.barred=yes step=jettison-tanks "
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


@pytest.mark.section("b29 4.8 C", "b29 4.7 D", "b29 4.5 C2", "b29 8.4")
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


@pytest.mark.section("b29 4.7 D", "b29 2.3 Truk")
def test_no_abort_on_the_way_to_truk_counts(b29: Pack) -> None:
    moment = set_up(b29, "target.city=truk turn=5 zone=5 altitude=hi formation=in intercom=out")
    assert moment["abort-counts"] == "no"
    home = "target.city=truk turn=9 zone=0 leg=inbound altitude=lo aborted=yes credit=yes bomber.fate=returned"
    assert after_step(b29, "loss-credit", b29.sheet.given(home.split()))["credit"] == "no"


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


@pytest.mark.section("b29 6.2 F end", "b29 9.3 B", "b29 4.7 D")
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
