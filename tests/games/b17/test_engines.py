"""Engines, tanks, bombs that cannot fall, and turning back (8.0, 10.0, BL-1)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play.mission import Mission
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, NO_GUNS, OVER_BREMEN, OVER_LILLE
from tests.support import after_step


@pytest.mark.section("b17 BL-1 c", "b17 10.1", "b17 errata 29")
def test_no_choice_of_the_bombs_once_out_of_formation(pack: Pack) -> None:
    sheet = {**BREMEN, "turn": 4, "zone": 4, "zone.turns": 1, "random-events": "on", "cover": "poor"}
    moment = after_step(
        pack, "cover", sheet, "B-1: 4\nB-3: 6,6\nB-7: 1,1\nB-7.a: 1,1\nBL-1.c: 6\nchange-places: stay\n"
    )
    assert (moment["formation"], moment["bombs"], moment.asked) == ("out", "aboard", "jettison")


@pytest.mark.section("b17 10.4")
def test_the_last_engine_out_means_down_at_once(pack: Pack) -> None:
    sheet = {**OVER_BREMEN, **NO_GUNS, "formation": "out", "altitude": "low", "bombs": "jettisoned", "waves.left": 3,
             "engine.1": "out", "engine.2": "out", "engine.3": "out", "pass": 3, "wave.formation": "out",
             "slots.fighter": 1,
             "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high"}  # fmt: skip
    hit = "loose-gear: no\nM-3: 6\nB-4: 3,4\nB-5: 4,4\nB-5: 1,1\nBL-1: 4,5\nBL-1.engines: 4\nBL-1.engine: 3\nBL-1.c: 1"
    moment = after_step(pack, "fire", sheet, hit)
    assert (moment["engines.out"], moment.asked, set(moment.options)) == (4, "forced-down", {"land", "bail-out"})


@pytest.mark.section("b17 10.4", "b17 BL-1 e")
@pytest.mark.parametrize(("zone", "asked"), [(4, "forced-down"), (2, "O-1")])
def test_the_last_engine_that_runs_dry_lands_her_before_the_fighters(pack: Pack, zone: int, asked: str) -> None:
    out = {f"engine.{each}": "out" for each in (1, 2, 3)}
    dry = {**OVER_BREMEN, "leg": "inbound", "zone": zone, "zone.turns": 2, "formation": "out", "altitude": "low",
           "bombs": "dropped", "oil.leak.4": "yes", "oil.4": 0, **out}  # fmt: skip
    moment = after_step(pack, "turn", dry, "loose-gear: yes\n")
    assert (moment["engines.out"], moment["zone"], moment.asked) == (4, zone - 1, asked)


@pytest.mark.section("b17 10.3")
def test_bombs_that_cannot_fall_cost_the_second_zone(pack: Pack) -> None:
    stuck = {"bay-doors": "out", **OVER_BREMEN, "zone": 5, **{f"engine.{each}": "out" for each in (1, 2, 3)}}
    moment = after_step(pack, "end", stuck)
    assert moment.mission.waiting() is None
    assert (moment["bombs"], moment["loose-gear"], moment["glide"]) == ("aboard", "no", 1)


@pytest.mark.section("b17 10.3")
@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize(("doors", "zones", "bombs"), [("ok", 2, "jettisoned"), ("out", 1, "aboard")])
def test_loose_gear_overboard(pack: Pack, by_hand: bool, doors: str, zones: int, bombs: str) -> None:
    """10.3: with all bombs, guns and bottles gone two zones, not one; chosen, or written on the sheet later."""
    three = {**OVER_BREMEN, "zone": 5, "formation": "out", "bay-doors": doors, "gun.nose": "broken",
             **{f"engine.{each}": "out" for each in (1, 2, 3)}}  # fmt: skip
    moment = after_step(pack, "end", three, "" if doors == "out" else f"loose-gear: {'no' if by_hand else 'yes'}\n")
    if by_hand or doors == "out":
        moment.mission.write({"loose-gear": "yes"})
    assert (moment["glide"], moment["bombs"], moment["extinguishers.used"]) == (zones, bombs, 5)
    assert {moment[f"gun.{gun}"] for gun in pack.sheet.index["gun"]} == {"unarmed"}


@pytest.mark.section("b17 8.0", "b17 8.0 a", "b17 5.2 e")
def test_a_bomber_may_abort_over_the_target(pack: Pack) -> None:
    moment = after_step(
        pack, "cover", {**OVER_BREMEN, "bombsight": "out"}, "B-2: 1\nB-3: 1,6\nchange-places: stay\nabort: abort\n"
    )
    assert "O-2" not in moment.tables
    assert (moment["credit"], moment["leg"], moment["zone"], moment.asked) == ("yes", "inbound", 7, "B-2")


@pytest.mark.section("b17 8.0 d")
def test_a_bomber_that_must_abort_flies_into_no_flak(pack: Pack) -> None:
    lost = {**OVER_BREMEN, "zone.turns": 2, "formation": "out", "crew.navigator": "serious", "fought": "yes"}
    moment = after_step(pack, "lost-2", lost, "jettison: no\n")
    assert (moment["aborted"], moment["leg"], moment["flak"], moment.asked) == ("yes", "inbound", "none", "B-2")


@pytest.mark.section("b17 8.0", "b17 8.0 a", "b17 8.0 b", "b17 8.0 c", "b17 8.0 g")
@pytest.mark.parametrize(
    ("sheet", "counts"),
    [({"crew.tail-gunner": "kia"}, "no"), ({"fuel.short": "yes", "fuel.turns": 20}, "no"), ({"intercom": "out"}, "yes"),
     ({"crew.bombardier": "serious"}, "yes"), ({"heat.ball-gunner": "out"}, "yes"), ({"oxygen.navigator": 2}, "yes")],
)  # fmt: skip
def test_one_may_abort_for_any_reason_but_few_count(pack: Pack, sheet: dict[str, Any], counts: str) -> None:
    there = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "fought": "yes"}
    moment = after_step(pack, "jettison", {**there, **sheet}, "abort: abort\n")
    assert (moment["leg"], moment["credit"]) == ("inbound", counts)


@pytest.mark.section("b17 8.0")
def test_after_every_combat_one_may_turn_for_home(pack: Pack) -> None:
    """8.0: who has lost nobody and nothing goes on unasked; who has is asked once for each trouble."""
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1}
    assert after_step(pack, "cover", {**sheet, "radio": "out"}, "B-1: 1\nchange-places: stay\n").asked == "B-1"
    lost = {**sheet, "crew.tail-gunner": "kia", "gun.tail": "broken"}
    moment = after_step(pack, "cover", lost, "B-1: 1\nchange-places: stay\n")
    assert (moment.asked, moment.words) == ("abort", {"go-on": "go on", "abort": "turn for home"})
    moment.fly("abort: go-on\nB-1: 1\n")
    assert "abort" not in moment.tables[moment.tables.index("B-1", 2) :]
    worse = {**lost, "abort.answered": moment["abort.answered"], "crew.ball-gunner": "serious", "gun.ball": "broken"}
    moment = after_step(pack, "cover", worse, "B-1: 1\nchange-places: stay\nabort: abort\n")
    assert (moment["leg"], moment["credit"], moment["zone"]) == ("inbound", "no", 4)


@pytest.mark.section("b17 8.0")
def test_who_goes_on_may_still_turn_back_in_a_quiet_zone(pack: Pack) -> None:
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "aborted": "yes"}
    moment = after_step(pack, "cover", sheet, "B-1: 1\nchange-places: stay\n")
    assert (moment["leg"], moment["credit"], moment["zone"]) == ("inbound", "no", 4)


@pytest.mark.section("b17 18.0 g", "b17 8.0")
def test_an_accident_alone_gives_no_credit(pack: Pack) -> None:
    sheet = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "random-events": "on"}
    dive = "B-1: 5\nB-3: 6,6\nB-7: 6,6\nB-7.g: 5,6\nB-7.wing: 5\nB-7.wing: 1\nchange-places: stay\n"
    moment = after_step(pack, "cover", sheet, dive)
    assert (moment["bombs"], moment["leg"], moment["credit"]) == ("jettisoned", "inbound", "no")


@pytest.mark.section("b17 BL-1 g", "b17 errata 18")
@pytest.mark.parametrize(("tanks", "turns"), [(1, None), *book.LEAK_TURNS.items()])
def test_each_leaking_tank_leaves_less(pack: Pack, tanks: int, turns: int | None) -> None:
    """BL-1 g, errata 18: 4, 5 or 6 turns; the second tank leaves two, the third one."""
    places = ["tank.outboard.port", "tank.inboard.port", "tank.outboard.starboard"][: tanks - 1]
    mission = Mission(pack)
    mission.write({**OVER_LILLE, **dict.fromkeys(places, "leaking")})
    if places:
        mission.write({"fuel.short": "yes", "fuel.turns": 6})
    bind = {"area": "starboard-wing", "place": "inboard"}
    mission.roll("BL-1.tank", Hand([[3]] if turns else [[3], [4]]), bind)
    assert mission.waiting() is None
    assert Facts(pack.sheet, mission.state)["fuel.turns"] == (turns or 5)


@pytest.mark.section("b17 19.2 d")
def test_a_burst_slows_the_bomber_in_its_zone_on_the_way_back(pack: Pack) -> None:
    torn = {**BREMEN, "turn": 9, "zone": 5, "zone.turns": 1, "formation": "out", "bip": "yes", "bip.zone": 5,
            "bip.low": "yes", "bombs": "jettisoned", "altitude": "low"}  # fmt: skip
    there = after_step(pack, "turn", torn)
    assert (there["zone"], there["turns.double"]) == (6, "yes")
    back = {**torn, "leg": "inbound", "zone": 6, "zone.turns": 2, "bip.zone": there["bip.zone"]}
    assert after_step(pack, "turn", back)["turns.double"] == "yes"


@pytest.mark.section("b17 19.2 d")
@pytest.mark.parametrize(("low", "turns"), [("no", "yes"), ("yes", "no")])
def test_a_burst_holds_the_bomber_over_the_target(pack: Pack, low: str, turns: str) -> None:
    turned = {**OVER_BREMEN, "leg": "inbound", "turning": "yes", "bip": "yes", "bip.zone": 7, "bip.low": low}
    assert after_step(pack, "waves", {**turned, "formation": "out"})["turns.double"] == turns


TORN = {**OVER_BREMEN, "formation": "out", "bip": "yes", "bombs": "jettisoned", "altitude": "low"}


@pytest.mark.section("b17 19.2 d")
@pytest.mark.parametrize(
    ("sheet", "low"),
    [
        ({"zone": 6, "bip.zone": 0, "bip.low": "yes"}, "yes"),  # torn in an earlier zone, and again on the way home
        ({"zone": 7, "bip.zone": 7, "bip.low": "yes", "turning": "yes"}, "no"),  # low flak first, then the target's
    ],
)
def test_a_second_burst_makes_no_zone_faster(pack: Pack, sheet: dict[str, Any], low: str) -> None:
    mission = Mission(pack)
    mission.write({**TORN, "leg": "inbound", **sheet})
    mission.roll("O-4.bip", Hand(), {"area": "nose", "flak.low": low})
    assert Facts(pack.sheet, mission.state)["turns.double"] == "yes"
