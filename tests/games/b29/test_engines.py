"""Wings, gear, engines and tanks: what happens when there is nothing left to fly on."""

from __future__ import annotations

import pytest

from companion.engine.dice import Hand
from companion.engine.pending import Pending
from companion.packs import Pack
from tests.games.b29.table import DAY, HOME, NIGHT, NO_ENGINE, OVER, RUN
from tests.support import after_step, again, set_up


@pytest.mark.section("b29 7.1")
def test_a_gear_that_is_out_is_not_asked_about_again(b29: Pack) -> None:
    moment = set_up(b29, OVER, "7-5", area="port-wing")
    moment.fly("7-5: 6,6\n7-5.landing-gear: 3\n7-5.n: = not-lowered")
    again(moment, "7-5", area="port-wing").fly("7-5: 6,6\n7-5.landing-gear: 4")
    assert moment.asked != "7-5.n"
    again(moment, "7-5", area="starboard-wing").fly("7-5: 6,6\n7-5.landing-gear: 4\n7-5.n: = not-lowered")


@pytest.mark.section("b29 6-9")
@pytest.mark.parametrize(("dice", "roots", "more"), [("4,4", 1, ""), ("5,4", 1, "6-9.crew"), ("6,6", 2, "6-9.crew")])
def test_turbulence_on_the_wing_roots_asks_what_they_do(b29: Pack, dice: str, roots: int, more: str) -> None:
    moment = set_up(b29, OVER, "6-9")
    righted = "6-9.flipped: 5\n" if dice == "6,6" else ""
    moment.fly(f"6-9: {dice}\n{righted}7-5.a port-wing: = as-printed\n7-5.a starboard-wing: = as-printed")
    assert (moment["wing-root.port"], moment["wing-root.starboard"]) == (roots, roots)
    if more:
        assert moment.asked == more


@pytest.mark.section("b29 7.2 four", "b29 7-1 c")
@pytest.mark.parametrize(("engines", "tried"), [("", True), (NO_ENGINE, False)])
def test_without_engines_the_gear_stays_as_it_is(b29: Pack, engines: str, tried: bool) -> None:
    moment = set_up(b29, OVER + f"gear.nose=will-not-extend below=land {engines}")
    moment.mission.pending = [Pending.of({"choose": "forced-down", "bind": {}, "born": 1})]
    moment.fly("forced-down: land")
    assert (moment.asked == "7-1.c") == tried
    base = set_up(b29, HOME + f"gear.nose=will-not-extend step=enter-back {engines}")
    base.mission.pending = []
    base.fly("")
    assert (base.asked == "7-1.c") == tried


@pytest.mark.section("b29 7.2 four", "b29 7.2 three")
@pytest.mark.parametrize(
    ("engines", "altitude", "run"),
    [
        (NO_ENGINE, "hi", False),
        ("engine.1=out engine.2=out engine.3=out", "lo", False),  # one engine, at LO: down now
        ("engine.1=out", "hi", True),
    ],
)
def test_no_bomb_run_without_engines(b29: Pack, engines: str, altitude: str, run: bool) -> None:
    sheet = (
        RUN.replace("altitude=hi pressurized", f"altitude={altitude} pressurized")
        + f"formation=out below=land {engines}"
    )
    moment = set_up(b29, sheet)
    moment.fly("")
    assert moment.asked == ("6-1" if run else "forced-down")  # the bombs go by themselves, nobody may keep them


@pytest.mark.section("b29 7.2 one")
@pytest.mark.parametrize(
    ("state", "die", "formation"),
    [("", 0, "in"), ("release.aft=out", 1, "in"), ("release.aft=out", 5, "out"), ("doors.aft=jammed-shut", 0, "out")],
)
def test_one_engine_out_stays_in_formation_only_without_bombs(b29: Pack, state: str, die: int, formation: str) -> None:
    moment = set_up(b29, OVER.replace("zone=12 alt", "zone=10 alt") + f"engine.1=out zone.turns=1 {state}")
    moment.mission.pending = [Pending.of({"choose": "jettison", "bind": {}, "born": 1})]
    moment.mission.roll(None, Hand(), outcome="yes")
    if die:
        moment.mission.roll(None, Hand([[die]]))
    assert moment["formation"] == formation


@pytest.mark.section("b29 7.2 one")
@pytest.mark.parametrize(
    ("leg", "answer", "die", "formation"),
    [("outbound", "no", 0, "in"), ("inbound", "no", 0, "out"), ("outbound", "yes", 5, "in"),
     ("inbound", "yes", 1, "in"), ("inbound", "yes", 5, "out")],
)  # fmt: skip
def test_the_target_zone_keeps_her_in_formation_only_for_the_run(
    b29: Pack, leg: str, answer: str, die: int, formation: str
) -> None:
    sheet = OVER + f"engine.1=out zone.turns=1 leg={leg} release.aft=out load.fwd=gone"
    moment = set_up(b29, sheet)
    moment.mission.pending = [Pending.of({"choose": "jettison", "bind": {}, "born": 1})]
    moment.mission.roll(None, Hand(), outcome=answer)
    if die:
        moment.mission.roll(None, Hand([[die]]))
    assert moment["formation"] == formation


@pytest.mark.section("b29 7.2 one")
def test_on_the_way_home_over_the_target_it_is_settled_before_the_fighters(b29: Pack) -> None:
    state = "moved=yes zone.turns=1 pressurized=yes engine.1=out leg=inbound bomb-run=off release.aft=out load.fwd=gone"
    moment = after_step(b29, "weather", b29.sheet.given(f"{OVER} {state}".split()), "jettison: no")
    assert moment["formation"] == "out"


@pytest.mark.section("b29 7.2 one", "b29 4.8 C")
@pytest.mark.parametrize(
    ("sheet", "may_go_on"),
    [
        (OVER + "zone=10 bombs=jettisoned engine.1=out ", True),
        (OVER + "zone=10 bombs=jettisoned engine.1=out formation=out ", False),
        (OVER + "zone=10 bombs=jettisoned engine.1=out engine.4=out formation=out altitude=lo ", False),
        (NIGHT + "turn=10 zone=10 altitude=lo formation=none weather=good bombs=jettisoned engine.1=out ", False),
    ],
)
def test_who_jettisons_for_one_engine_may_stay_in_formation(b29: Pack, sheet: str, may_go_on: bool) -> None:
    gone = "load.fwd=gone load.aft=gone pressurized=yes zone.turns=1 setting.escort-out=stays"
    moment = after_step(b29, "jettison", b29.sheet.given(f"{sheet} {gone}".split()))
    if may_go_on:
        assert (moment.asked, set(moment.options)) == ("abort", {"go-on", "abort"})
        moment.fly("abort: go-on")
        assert (moment["zone"], moment["formation"], moment["aborted"]) == (11, "in", "no")
    else:
        assert (moment["leg"], moment["aborted"]) == ("inbound", "yes")


@pytest.mark.section("b29 7.2 one", "b29 4.5 A", "b29 4.8 E")
@pytest.mark.parametrize(("jettison", "formation", "then"), [("yes", "in", "4.6"), ("no", "out", "4-4")])
def test_an_engine_lost_in_a_storm_is_settled_before_the_course(
    b29: Pack, jettison: str, formation: str, then: str
) -> None:
    state = "moved=yes zone.turns=1 pressurized=yes engine.1=out escort.available=yes setting.escort-out=stays"
    moment = after_step(b29, "weather", b29.sheet.given(f"{OVER} zone=10 {state}".split()), f"jettison: {jettison}")
    assert (moment["formation"], moment.asked) == (formation, then)


@pytest.mark.section("b29 6.2 A", "b29 6.4", "b29 6.5", "b29 7.2 one", "b29 9.3 C")
def test_who_has_jettisoned_flies_over_the_target_with_the_others(b29: Pack) -> None:
    """The flak of the run and of the run out, nothing to drop, one box to turn round; a draw that counts."""
    gone = "bombs=jettisoned load.fwd=gone load.aft=gone engine.1=out grounds.answered=2 pressurized=yes"
    moment = after_step(b29, "after-combat", b29.sheet.given(f"{RUN} {gone}".split()), "6-1: 3\n6-2: 1\n6-2: 1")
    assert [table for table in moment.tables if table.startswith("6-")] == ["6-1", "6-2", "6-2"]
    assert (moment["leg"], moment["formation"], moment["aborted"]) == ("inbound", "in", "no")
    assert (moment["bomb-run"], moment["fuel.wing"]) == ("none", 21)
    moment.mission.write({"bomber.fate": "returned"})
    assert moment["mission.result"] == "draw"


@pytest.mark.section("b29 7.2 two")
def test_engines_lost_to_flak_end_the_run(b29: Pack) -> None:
    moment = set_up(b29, RUN.replace("step=after-combat", "step=flak") + "formation=out below=land")
    for engine in (1, 2, 3, 4):
        moment.mission.write({f"engine.{engine}": "out"})
    moment.mission.pending = []
    moment.fly("")
    assert moment.asked == "forced-down"


@pytest.mark.section("b29 4.3 A")
def test_dry_tanks_do_not_climb(b29: Pack) -> None:
    sheet = DAY + "turn=20 zone=5 leg=inbound formation=out altitude=med pressurized=no fuel.fwd=4 fuel.aft=4 "
    assert "hi" in set_up(b29, sheet + "fuel.wing=37").legal("altitude")
    assert "hi" not in set_up(b29, sheet + "fuel.wing=38").legal("altitude")


@pytest.mark.section("b29 4.8 D")
@pytest.mark.parametrize(("wing", "offered"), [(37, True), (38, False)])
def test_dry_tanks_do_not_rejoin(b29: Pack, wing: int, offered: bool) -> None:
    sheet = (
        DAY
        + "turn=20 zone=11 leg=inbound formation=out altitude=hi pressurized=yes fuel.fwd=4 fuel.aft=4 bombs=dropped "
    )
    moment = set_up(b29, sheet + f"bomb-run=on fuel.wing={wing} zone.turns=1 weather=good step=altitude")
    moment.fly("")
    assert (moment.asked == "rejoin") == offered


AUX = DAY + "turn=3 zone=3 altitude=hi pressurized=yes formation=out weather=good aux.fwd=installed aux.aft=installed "


@pytest.mark.section("b29 4.3 B")
def test_one_auxiliary_box_in_every_zone_without_asking(b29: Pack) -> None:
    moment = set_up(b29, AUX + "fuel.wing=8 fuel.fwd=3 step=take-off")
    moment.fly("altitude: stay\nfuel-box: always")
    moment.fly("4-2: 4,4")  # Zone 4: two due, one from the last box of the forward bay
    assert (moment["setting.auxiliary"], moment["fuel.fwd"], moment["fuel.aft"], moment["fuel.wing"]) == (
        "first", 4, 0, 9,
    )  # fmt: skip
    moment.fly("4-4: 3,4 = none\n4-5: 3,4 = none\n4-6: 3,4 = none\n4-7: 3,4 = none\n4-8: 4,4 = on\n4.6: 3,4")
    moment.fly("abort: go-on\n4-2: 4,4" if moment.asked == "abort" else "4-2: 4,4")
    assert (moment["zone"], moment["fuel.fwd"], moment["fuel.aft"], moment["fuel.wing"]) == (5, 4, 1, 10)


@pytest.mark.section("b29 7-4 g")
def test_a_bad_pump_still_wants_its_die(b29: Pack) -> None:
    moment = set_up(b29, AUX + "fuel.wing=8 pumps.failed=1 setting.auxiliary=first step=take-off")
    moment.fly("altitude: stay\n7-4.g: 5\n4-2: 4,4")
    assert (moment["fuel.fwd"], moment["fuel.wing"]) == (0, 10)


@pytest.mark.section("b29 7.2 one")
@pytest.mark.parametrize(("engines", "zone"), [("engine.1=out engine.4=out", 5), ("engine.1=out", 4)])
def test_slow_in_a_zone_written_by_hand(b29: Pack, engines: str, zone: int) -> None:
    sheet = DAY + "turn=20 zone=6 zone.turns=2 leg=inbound altitude=lo bombs=dropped bomb-run=on step=lost-way "
    moment = set_up(b29, sheet + engines)
    moment.mission.write(b29.sheet.given(["zone=5"]))
    moment.fly("")
    assert (moment["turn"], moment["zone"]) == (21, zone)


@pytest.mark.section("b29 7.2 one")
@pytest.mark.parametrize(("before", "after", "slow"), [("engine.1=out", "", "yes"), ("", "engine.1=out", "no")])
def test_the_target_zone_written_by_hand_with_an_engine_out(b29: Pack, before: str, after: str, slow: str) -> None:
    moment = set_up(b29, OVER.replace("zone=12 alt", "zone=11 alt") + f"formation=out {before}")
    moment.mission.write({"zone": 12})
    moment.mission.write(b29.sheet.given(after.split()))
    assert moment["turns.double"] == slow


@pytest.mark.section("b29 7.2 one", "b29 6.5")
@pytest.mark.parametrize(
    ("state", "turns", "zone", "fuel"),
    [
        ("engine.1=out release.aft=out", 2, 12, 0),  # lost over the target before the run, where the bombs then hung
        ("engine.1=out load.aft=gone bombs=dropped", 1, 11, 1),
        ("release.aft=out", 1, 11, 2),
    ],
)
def test_bombs_that_hang_slow_her_over_the_target_too(b29: Pack, state: str, turns: int, zone: int, fuel: int) -> None:
    night = NIGHT + "target.asterisk=yes turn=12 zone=12 altitude=lo weather=good fuel.wing=20 log.below.12=land "
    sheet = night + f"zone.turns=1 log.gazetteer.12=0 load.fwd=gone bomb-run=on {state}"
    moment = after_step(b29, "more-flak", b29.sheet.given(sheet.split()))
    asked = {"altitude": "stay", "bay-man": "no", "4.6": "3,4", "5-1": "1,1", "jettison": "no"}
    while moment["turn"] <= 13 and moment.asked in asked:
        moment.fly(f"{moment.asked}: {asked[moment.asked]}")
    assert (moment["turn"], moment["zone"], moment["zone.turns"]) == (14, zone, turns)
    assert moment["fuel.wing"] + moment["fuel.due"] == 20 + 1 + fuel  # an engine's second turn is free


@pytest.mark.section("b29 6.2 F")
@pytest.mark.parametrize(
    ("zone", "leg", "slow"),
    [(11, "outbound", "no"), (11, "inbound", "no"), (12, "outbound", "no"), (12, "inbound", "yes")],
)
def test_a_burst_slows_her_from_the_zone_that_follows(b29: Pack, zone: int, leg: str, slow: str) -> None:
    moment = set_up(b29, OVER.replace("zone=12 alt", f"zone={zone} alt") + f"leg={leg} zone.turns=1")
    moment.mission.write({"bip": "yes"})
    assert moment["turns.double"] == slow


@pytest.mark.section("b29 6.2 F", "b29 4.7 B")
def test_a_burst_slows_her_in_the_same_zone_on_the_way_back(b29: Pack) -> None:
    moment = set_up(b29, OVER.replace("zone=12 alt", "zone=11 alt") + "bombs=jettisoned")
    moment.mission.write({"bip": "yes"})
    one, back = moment["fuel.round"], moment["fuel.zone-back"]
    assert (one, back) == (1, 2)
    moment.mission.write({"aborted": "yes", "leg": "inbound"})
    assert moment["turns.double"] == "no"
    moment.mission.write({"leg": "outbound", "zone": 12})
    moment.mission.write({"leg": "inbound", "zone": 11})
    assert moment["turns.double"] == "yes"
