"""Engines, tanks, bombs that cannot fall, and turning back (8.0, 10.0, BL-1)."""

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play.mission import Mission
from tests.book import b17 as book
from tests.games.b17.table import BREMEN, NO_GUNS, OVER_BREMEN, OVER_LILLE, at
from tests.support import after_step, check, moments

THREE_OUT = "engine.1=out engine.2=out engine.3=out formation=out altitude=low "
HIT = "loose-gear: no; M-3: 6; B-4: 3,4; B-5: 4,4; B-5: 1,1; BL-1: 4,5; BL-1.engines: 4; BL-1.engine: 3; BL-1.c: 1"
DRY = at(OVER_BREMEN, THREE_OUT + "step=turn leg=inbound zone.turns=2 bombs=dropped oil.leak.4=yes oil.4=0")
IN_5 = at(BREMEN, "turn=5 zone=5 zone.turns=1")
GIVES_UP = at(IN_5, "step=jettison fought=yes")
TURNED = at(OVER_BREMEN, "step=waves leg=inbound turning=yes bip=yes bip.zone=7 formation=out")


@pytest.mark.section("b17 BL-1 c", "b17 BL-1 e", "b17 10.1", "b17 10.3", "b17 10.4", "b17 errata 29", "b17 8.0")
@pytest.mark.section("b17 8.0 a", "b17 8.0 b", "b17 8.0 c", "b17 8.0 d", "b17 8.0 g", "b17 5.2 e", "b17 18.0 g")
@pytest.mark.section("b17 19.2 d")
@moments(
    ("an unfeathered propeller drops her out: no choice of the bombs",
     at(BREMEN, "step=cover turn=4 zone=4 zone.turns=1 random-events=on cover=poor"),
     "B-1: 4; B-3: 6,6; B-7: 1,1; B-7.a: 1,1; BL-1.c: 6; change-places: stay",
     "formation=out bombs=aboard asked=jettison"),
    ("the last engine out means down at once",
     at({**OVER_BREMEN, **NO_GUNS}, THREE_OUT + "step=fire bombs=jettisoned waves.left=3 pass=3 wave.formation=out "
        "slots.fighter=1 fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high"), HIT,
     "engines.out=4 asked=forced-down options=land,bail-out"),
    ("run dry it lands her before the fighters", {**DRY, "zone": 4}, "loose-gear: yes",
     "engines.out=4 zone=3 asked=forced-down"),
    ("in Zone 1 she is home", {**DRY, "zone": 2}, "loose-gear: yes", "engines.out=4 zone=1 asked=O-1"),
    ("bombs that cannot fall cost the second zone",
     at(OVER_BREMEN, "step=end bay-doors=out zone=5 engine.1=out engine.2=out engine.3=out"), "",
     "asked=None bombs=aboard loose-gear=no glide=1"),
    ("a bomber may abort over the target, without its sight for credit", at(OVER_BREMEN, "step=cover bombsight=out"),
     "B-2: 1; B-3: 1,6; change-places: stay; abort: abort", "rolled!=O-2 credit=yes leg=inbound zone=7 asked=B-2"),
    ("who must abort flies into no flak",
     at(OVER_BREMEN, "step=lost-2 zone.turns=2 formation=out crew.navigator=serious fought=yes"), "jettison: no",
     "aborted=yes leg=inbound flak=none asked=B-2"),
    ("a dead tail gunner gives no credit", {**GIVES_UP, "crew.tail-gunner": "kia"}, "abort: abort",
     "leg=inbound credit=no"),
    ("nor does a leak that leaves enough", at(GIVES_UP, "fuel.short=yes fuel.turns=20"), "abort: abort",
     "leg=inbound credit=no"),
    ("the intercom does", {**GIVES_UP, "intercom": "out"}, "abort: abort", "leg=inbound credit=yes"),
    ("the bombardier", {**GIVES_UP, "crew.bombardier": "serious"}, "abort: abort", "leg=inbound credit=yes"),
    ("heat", {**GIVES_UP, "heat.ball-gunner": "out"}, "abort: abort", "leg=inbound credit=yes"),
    ("and oxygen", {**GIVES_UP, "oxygen.navigator": 2}, "abort: abort", "leg=inbound credit=yes"),
    ("one may turn back in a quiet zone", at(IN_5, "step=cover aborted=yes"), "B-1: 1; change-places: stay",
     "leg=inbound credit=no zone=4"),
    ("an accident alone gives no credit", at(IN_5, "step=cover random-events=on"),
     "B-1: 5; B-3: 6,6; B-7: 6,6; B-7.g: 5,6; B-7.wing: 5; B-7.wing: 1; change-places: stay",
     "bombs=jettisoned leg=inbound credit=no"),
    ("the target's own flak holds a burst bomber there", {**TURNED, "bip.low": "no"}, "", "turns.double=yes"),
    ("low flak before it does not", {**TURNED, "bip.low": "yes"}, "", "turns.double=no"),
)  # fmt: skip
def test_engines_and_aborts(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 10.3")
@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize(("doors", "zones", "bombs"), [("ok", 2, "jettisoned"), ("out", 1, "aboard")])
def test_loose_gear_overboard(pack: Pack, by_hand: bool, doors: str, zones: int, bombs: str) -> None:
    """10.3: without bombs, guns and bottles it flies two zones instead of one, whether chosen or set on the sheet
    later.
    """
    three = {**OVER_BREMEN, "zone": 5, "formation": "out", "bay-doors": doors, "gun.nose": "broken",
             **{f"engine.{each}": "out" for each in (1, 2, 3)}}  # fmt: skip
    moment = after_step(pack, "end", three, "" if doors == "out" else f"loose-gear: {'no' if by_hand else 'yes'}\n")
    if by_hand or doors == "out":
        moment.mission.write({"loose-gear": "yes"})
    assert (moment["glide"], moment["bombs"], moment["extinguishers.used"]) == (zones, bombs, 5)
    assert {moment[f"gun.{gun}"] for gun in pack.sheet.index["gun"]} == {"unarmed"}


@pytest.mark.section("b17 8.0")
def test_after_every_combat_one_may_turn_for_home(pack: Pack) -> None:
    """8.0: without losses nothing is asked; with losses one question for each trouble."""
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


@pytest.mark.section("b17 BL-1 g", "b17 errata 18")
@pytest.mark.parametrize(("tanks", "turns"), [(1, None), *book.LEAK_TURNS.items()])
def test_each_leaking_tank_leaves_less(pack: Pack, tanks: int, turns: int | None) -> None:
    """BL-1 g, errata 18: 4, 5 or 6 turns; the second leaking tank leaves two, the third one."""
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
