"""Opened and closed: pressure, oxygen and doors between the compartments (4.2)."""

from __future__ import annotations

import pytest

from companion.engine.dice import Hand
from companion.engine.pending import Pending
from companion.packs import Pack
from tests.games.b29.table import DAY, HANGING, HIGH, OVER, WAIST
from tests.support import after_step, again, asked, set_up


@pytest.mark.section("b29 4.2 C", "b29 4.2 D")
def test_a_holed_room_sends_its_own_men_on_oxygen(b29: Pack) -> None:
    moment = set_up(b29, OVER.replace("pressurized=no", "pressurized=yes") + "windshield.hits=1", "7-1")
    moment.fly("7-1: 4,4\n7-11: 3,3 = none\n4.2D: 6,6\n4.2D.who: 5")  # the tail gunner sits closed in
    assert (moment["pressure.nose"], moment["crew.tail-gunner"]) == ("compromised", "ok")
    assert moment.asked != "4.2D.fate"
    moment.mission.write({"zone": 12, "altitude": "hi"})
    again(moment, "4.2D").fly("4.2D: 6,6\n4.2D.who: 1\n4.2D.nose: 4\n4.2D.fate pilot: 6")
    assert moment["crew.pilot"] == "kia"


@pytest.mark.section("b29 4.2 D")
def test_and_again_each_turn_up_there(b29: Pack) -> None:
    sheet = DAY + "turn=9 zone=8 altitude=hi pressurized=yes formation=out weather=good fuel.wing=18 step=take-off "
    holed = set_up(b29, sheet)
    holed.mission.write({"pressure.tail": "compromised"})
    holed.fly("4.2D: 3,4\naltitude: stay\n4.2D: 3,4\n4-2: 3,4")
    assert holed["zone"] == 9
    empty = set_up(b29, sheet + "crew.tail-gunner=kia seat.left.tail-gunner=yes")
    empty.mission.write({"pressure.tail": "compromised"})
    empty.fly("altitude: stay\n4-2: 3,4")  # nobody breathes there


@pytest.mark.section("b29 7.3", "b29 4.8 C")
@pytest.mark.parametrize(("formation", "offered"), [("in", {"stay", "lo"}), ("out", {"stay", "down-to-med", "lo"})])
def test_out_of_the_formation_for_warmth_is_down_to_lo(b29: Pack, formation: str, offered: set[str]) -> None:
    sheet = DAY + "turn=15 zone=11 leg=inbound bombs=dropped altitude=hi weather=good fuel.wing=18 step=take-off "
    cold = set_up(b29, sheet + f"pressurized=no pressurization=lost cold.since=12 formation={formation}")
    cold.fly("")
    assert (cold.asked, set(cold.options)) == ("altitude", offered)
    cold.fly("altitude: lo")
    assert (cold["altitude"], cold["formation"]) == ("lo", "out")


@pytest.mark.section("b29 7.3", "b29 4.8 C")
@pytest.mark.parametrize(("tail", "asked"), [("serious", True), ("kia", False)])
def test_nobody_leaves_the_formation_for_a_dead_man(b29: Pack, tail: str, asked: bool) -> None:
    sheet = (
        DAY
        + "turn=15 zone=12 leg=inbound bombs=dropped altitude=hi weather=good fuel.wing=18 step=disperse formation=in "
    )
    cold = set_up(b29, sheet + f"pressurized=yes pressure.tail=compromised cold.tail=12 crew.tail-gunner={tail}")
    cold.mission.pending = []
    cold.fly("")
    assert (cold.asked == "altitude") == asked


@pytest.mark.section("b29 5.1 B")
def test_closed_this_turn_it_is_not_opened_again(b29: Pack) -> None:
    sheet = HANGING + "bombs=dropped gun.aft-lower=jammed doors.fwd=jammed-open closed.turn=13"
    moment = set_up(b29, sheet + " crew.tail-gunner=kia load.aft=aboard")
    for choice in ("motor", "bay-man", "move"):
        assert "open" not in moment.legal(choice)
    moment.mission.write({"closed.turn": 12})
    for choice in ("motor", "bay-man", "move"):
        assert "open" in moment.legal(choice)


@pytest.mark.section("b29 4.2 B")
def test_opened_up_to_reach_utility_or_the_tail(b29: Pack) -> None:
    jammed = set_up(b29, HANGING.replace("step=repair", "step=move") + "bombs=dropped gun.aft-lower=jammed")
    jammed.fly("")
    assert (jammed.asked, jammed.options) == ("repair", ["nobody", "open"])
    jammed.fly("repair: open\nrepair: radar-operator\n5-7.a: 1\n4.2D: 3,4")
    assert jammed["duty.radar-operator"] == "repair"
    empty = set_up(b29, HANGING.replace("step=repair", "step=pressurize") + "bombs=dropped crew.tail-gunner=kia")
    empty.fly("move: open\nmove: tail-gunner\nwho-moves: right-gunner")
    assert (empty["pressurized"], empty["crew.tail-gunner"], empty["crew.right-gunner"]) == ("no", "ok", "kia")


@pytest.mark.section("b29 7.4 A")
@pytest.mark.parametrize(
    ("state", "down"),
    [
        ("oxygen.navigator=2", "no"),  # closed up, every room is sound: he needs none
        ("oxygen.navigator=2 pressure.tail=compromised", "yes"),  # the tail gunner's room cannot be closed
        ("oxygen.navigator=2 pressure.tail=compromised crew.tail-gunner=kia", "no"),  # nobody lives there
        ("oxygen.tanks=2 pressure.waist=compromised", "yes"),
        ("oxygen.navigator=2 crew.engineer=kia", "no"),  # nothing has to be closed
        ("oxygen.navigator=2 crew.engineer=kia pressurized=no", "yes"),  # and now nobody can
        ("oxygen.navigator=2 pressurized=no", "no"),  # the engineer can
        ("oxygen.navigator=1 pressure.tail=compromised", "no"),
        (
            "oxygen.navigator=2 pressurized=no crew.tail-gunner=serious lies.tail-gunner=utility",
            "yes",
        ),  # no pressure there
    ],
)
def test_oxygen_is_out_and_not_every_room_can_be_closed(b29: Pack, state: str, down: str) -> None:
    moment = set_up(b29, OVER.replace("pressurized=no", "pressurized=yes") + state)
    assert (moment["oxygen.down"], moment["must-descend"]) == (down, down)


@pytest.mark.section("b29 7.4 A")
def test_a_bomber_in_formation_comes_down_for_it(b29: Pack) -> None:
    sheet = DAY + "turn=11 zone=11 altitude=hi pressurized=yes formation=in weather=good fuel.wing=18 step=disperse "
    moment = set_up(b29, sheet + "oxygen.navigator=2")
    moment.mission.write({"pressure.tail": "compromised"})
    orders = [item.name for item in moment.mission.pending if item.kind == "order"]
    assert "Navigator: no oxygen, LO next turn, close up, or move to a dead man's place" in orders
    moment.fly("4.2D: 3,4")
    assert (moment["altitude"], moment["formation"], moment["formation.barred"]) == ("lo", "out", "yes")


DEAD = "crew.navigator=kia crew.engineer=kia crew.radio-operator=serious "


@pytest.mark.section("b29 7.5")
@pytest.mark.parametrize(
    ("state", "who"),
    [
        ("", ["bombardier", *WAIST, "copilot"]),
        ("tunnel=compromised", ["bombardier", "copilot"]),
        ("tunnel=compromised pressurized=no", ["bombardier", *WAIST, "copilot"]),
    ],
)
def test_next_to_nav_radio_lie_the_nose_and_the_waist(b29: Pack, state: str, who: list[str]) -> None:
    moment = set_up(b29, OVER.replace("pressurized=no", "pressurized=yes") + DEAD + state)
    moment.mission.pending = [Pending.of({"choose": "fire-man", "bind": {"compartment": "nav-radio"}, "born": 1})]
    assert sorted(moment.options) == sorted(who)


SHUT = OVER.replace("pressurized=no", "pressurized=yes")


@pytest.mark.section("b29 4.2 B")
@pytest.mark.parametrize(
    ("holed", "who"),
    [("", ["open"]), ("waist", ["open", *WAIST]), ("tail", ["open", "tail-gunner"]), ("nose", ["open"])],
)
def test_from_a_holed_room_nobody_has_to_open_the_others(b29: Pack, holed: str, who: list[str]) -> None:
    moment = set_up(b29, SHUT + (f"pressure.{holed}=compromised " if holed else "") + "gun.aft-lower=jammed")
    moment.mission.pending = [Pending.of({"choose": "repair", "bind": {"gun": "aft-lower"}, "born": 1})]
    assert sorted(moment.options) == sorted([*who, "nobody"])


@pytest.mark.section("b29 4.2 B", "b29 7-3 e", "b29 7-3 f")
def test_from_a_holed_nav_radio_a_man_gets_into_the_bay(b29: Pack) -> None:
    sheet = HANGING + "bombs=dropped doors.fwd=jammed-open pressure.nose=compromised crew.tail-gunner=kia"
    moment = set_up(b29, sheet)
    assert moment.legal("motor-man") == ["engineer", "bombardier", "navigator", "radio-operator", "nobody"]
    assert moment.legal("motor")[0] == "yes"
    assert {"bombardier", "navigator", "engineer", "radio-operator"} < set(moment.legal("bay-man"))
    assert not set(moment.legal("bay-man")) & set(WAIST)


@pytest.mark.section("b29 7-1")
@pytest.mark.parametrize(("hits", "rolled"), [("1", True), ("1 pressure.nose=compromised", False)])
def test_no_decompression_where_the_pressure_is_gone_already(b29: Pack, hits: str, rolled: bool) -> None:
    moment = set_up(b29, SHUT + f"windshield.hits={hits}", "7-1")
    moment.mission.roll(None, Hand([[4, 4]]))
    assert ("7-11" in asked(moment.mission), moment["windshield.hits"]) == (rolled, 2)


@pytest.mark.section("b29 6.2 F")
def test_a_burst_bursts_no_room_that_is_open(b29: Pack) -> None:
    for holed, rolled in (("ok", True), ("compromised", False)):
        moment = set_up(b29, SHUT + f"pressure.nose={holed}")
        moment.mission.pending = []
        moment.mission.roll("6.2F", Hand(), {"area": "nav-radio"})
        assert ("7-11" in asked(moment.mission)) == rolled


@pytest.mark.section("b29 4.2 D")
def test_holed_and_then_opened_the_men_go_on_oxygen_once(b29: Pack) -> None:
    moment = set_up(b29, HIGH, "7-12.fire", compartment="tail")
    moment.mission.write({"pressure.waist": "compromised"})
    moment.fly("open-for-fire: yes")
    assert moment["pressurized"] == "no"
    assert [item.name for item in moment.mission.pending].count("4.2D") == 1


@pytest.mark.section("b29 7.1", "b29 4.2 C", "b29 8.2")
@pytest.mark.parametrize(("table", "room"), [("7-6", "waist"), ("7-8", "tail")])
def test_only_a_closed_room_bursts(b29: Pack, table: str, room: str) -> None:
    for pressurized, before, after in (("yes", "ok", True), ("no", "ok", False), ("yes", "compromised", False)):
        sheet = OVER.replace("pressurized=no", f"pressurized={pressurized}")
        moment = set_up(b29, sheet + f" pressure.{room}={before}", table)
        moment.fly(f"{table}: 3,4 = decompression")
        assert moment[f"pressure.{room}"] == "compromised"
        assert ("7-11" in [item.name for item in moment.mission.pending]) is after


@pytest.mark.section("b29 7.3")
@pytest.mark.parametrize(
    ("sheet", "usual"),
    [("crew.engineer=kia", "lo"), ("", "stay"), ("crew.engineer=kia cold.since=8", "")],
)
def test_whoever_cannot_close_her_comes_down_before_all_freeze(b29: Pack, sheet: str, usual: str) -> None:
    """7.3: from the third turn open at height everybody may freeze; with nobody to close her Enter comes down."""
    there = "turn=9 zone=7 target.zone=12 mission.altitude=med altitude=med leg=outbound formation=in cold.since=5"
    moment = after_step(b29, "disperse", b29.sheet.given(f"{there} mission.time=day {sheet}".split()))
    assert (moment.options[0] if moment.asked == "altitude" else "") == usual
