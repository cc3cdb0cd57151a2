"""Opened and closed: pressure, oxygen and doors between the compartments (4.2)."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.games.b29.table import DAY, HANGING, OVER, WAIST
from tests.support import again, set_up


def test_a_holed_room_sends_its_own_men_on_oxygen(b29: Pack) -> None:
    """4.2 C, D: the room is open though the bomber is closed; a seat in a closed room is passed over."""
    moment = set_up(b29, OVER.replace("pressurized=no", "pressurized=yes") + "windshield.hits=1", "7-1")
    moment.fly("7-1: 4,4\n7-11: 3,3 = none\n4.2D: 6,6\n4.2D.who: 5")  # the tail gunner sits closed in
    assert (moment["pressure.nose"], moment["crew.tail-gunner"]) == ("compromised", "ok")
    assert moment.asked != "4.2D.fate"
    again(moment, "4.2D").fly("4.2D: 6,6\n4.2D.who: 1\n4.2D.nose: 4\n4.2D.fate pilot: 6")
    assert moment["crew.pilot"] == "kia"


def test_and_again_each_turn_up_there(b29: Pack) -> None:
    sheet = DAY + "turn=9 zone=8 altitude=hi pressurized=yes formation=out weather=good fuel.wing=18 step=take-off "
    holed = set_up(b29, sheet)
    holed.mission.write({"pressure.tail": "compromised"})
    holed.fly("4.2D: 3,4\naltitude: stay\n4.2D: 3,4\n4-2: 3,4")
    assert holed["zone"] == 9
    empty = set_up(b29, sheet + "crew.tail-gunner=kia seat.left.tail-gunner=yes")
    empty.mission.write({"pressure.tail": "compromised"})
    empty.fly("altitude: stay\n4-2: 3,4")  # nobody breathes there


def test_closed_this_turn_it_is_not_opened_again(b29: Pack) -> None:
    """5.1 B: whoever has just closed up may not open up by choice in the same turn."""
    sheet = HANGING + "bombs=dropped gun.aft-lower=jammed doors.fwd=jammed-open closed.turn=13"
    moment = set_up(b29, sheet + " crew.tail-gunner=kia load.aft=aboard")
    for choice in ("motor", "bay-man", "move"):
        assert "open" not in moment.legal(choice)
    moment.mission.write({"closed.turn": 12})
    for choice in ("motor", "bay-man", "move"):
        assert "open" in moment.legal(choice)


def test_opened_up_to_reach_utility_or_the_tail(b29: Pack) -> None:
    """4.2 B: nobody goes from a closed room into an open one."""
    jammed = set_up(b29, HANGING.replace("step=repair", "step=move") + "bombs=dropped gun.aft-lower=jammed")
    jammed.fly("")
    assert (jammed.asked, jammed.options) == ("repair", ["nobody", "open"])
    jammed.fly("repair: open\nrepair: radar-operator\n5-7.a: 1\n4.2D: 3,4")
    assert jammed["duty.radar-operator"] == "repair"
    empty = set_up(b29, HANGING.replace("step=repair", "step=pressurize") + "bombs=dropped crew.tail-gunner=kia")
    empty.fly("move: open\nmove: tail-gunner\nwho-moves: right-gunner")
    assert (empty["pressurized"], empty["crew.tail-gunner"], empty["crew.right-gunner"]) == ("no", "ok", "kia")


DEAD = "crew.navigator=kia crew.engineer=kia crew.radio-operator=serious "


@pytest.mark.parametrize(
    ("state", "who"),
    [
        ("", ["bombardier", *WAIST, "copilot", "nobody"]),
        ("tunnel=compromised", ["bombardier", "copilot", "nobody"]),
        ("tunnel=compromised pressurized=no", ["bombardier", *WAIST, "copilot", "nobody"]),
    ],
)
def test_next_to_nav_radio_lie_the_nose_and_the_waist(b29: Pack, state: str, who: list[str]) -> None:
    """7.5 and 4.2 B: a man of an adjacent compartment, if nobody in it can; the tunnel leads to the Waist."""
    moment = set_up(b29, OVER.replace("pressurized=no", "pressurized=yes") + DEAD + state)
    moment.mission.pending = [{"choose": "fire-man", "bind": {"compartment": "nav-radio"}, "born": 1}]
    assert sorted(moment.options) == sorted(who)
