"""Pressurized and depressurized: oxygen, and doors between the compartments (4.2)."""

import pytest

from companion.packs import Pack
from tests.games.b29.table import DAY, HANGING, HIGH, OVER, WAIST
from tests.support import after_step, again, check, moments, set_up


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


SHUT = OVER.replace("pressurized=no", "pressurized=yes")
COLD = DAY + (
    "turn=15 zone=11 leg=inbound bombs=dropped altitude=hi weather=good fuel.wing=18 step=take-off pressurized=no "
    "pressurization=lost cold.since=12 formation="
)
HOLED_TAIL = DAY + (
    "turn=15 zone=12 leg=inbound bombs=dropped altitude=hi weather=good fuel.wing=18 step=disperse formation=in "
    "pressurized=yes pressure.tail=compromised cold.tail=12 crew.tail-gunner="
)
JAMMED = HANGING.replace("step=repair", "step=move") + "bombs=dropped gun.aft-lower=jammed"
NO_TAIL_MAN = HANGING.replace("step=repair", "step=pressurize") + "bombs=dropped crew.tail-gunner=kia"
DEAD = (
    SHUT + "crew.navigator=kia crew.engineer=kia crew.radio-operator=serious {} choose=fire-man compartment=nav-radio"
)
FEED = SHUT + "{} gun.aft-lower=jammed choose=repair gun=aft-lower"
IN_WAIST = ",".join(WAIST)
GLASS = SHUT + "windshield.hits=1 {}roll=7-1"
IN_NAV_RADIO = SHUT + "pressure.nose={} roll=6.2F area=nav-radio"
SHORT = SHUT + "oxygen.navigator=2 "


@pytest.mark.section("b29 7.3", "b29 4.8 C", "b29 4.2 B", "b29 7.4 A", "b29 7.5", "b29 7-1", "b29 6.2 F")
@moments(
    ("out of the formation for warmth is down to LO", COLD + "in", "", "asked=altitude options=stay,lo"),
    ("and out of it", COLD + "in", "altitude: lo", "altitude=lo formation=out"),
    ("alone she may come down a level", COLD + "out", "", "asked=altitude options=stay,down-to-med,lo"),
    ("a wounded man in the cold is reason enough", HOLED_TAIL + "serious", "", "asked=altitude"),
    ("a dead man is none", HOLED_TAIL + "kia", "", "asked!=altitude"),
    ("for one man she stays with the others among fighters", HOLED_TAIL + "ok", "", "asked=altitude usual=stay"),
    ("alone she comes down for him", HOLED_TAIL.replace("formation=in", "formation=out") + "ok", "", "usual=lo"),
    ("as where no fighters come", HOLED_TAIL.replace("zone=12", "zone=8") + "ok", "", "asked=altitude usual=lo"),
    ("she is opened up to reach Utility", JAMMED, "", "asked=repair options=nobody,open"),
    ("for a gun in it", JAMMED, "repair: open; repair: radar-operator; 5-7.a: 1; 4.2D: 3,4",
     "duty.radar-operator=repair"),
    ("or the Tail", NO_TAIL_MAN, "move: open; move: tail-gunner; who-moves: right-gunner",
     "pressurized=no crew.tail-gunner=ok crew.right-gunner=kia"),
    ("closed up, a man whose oxygen is out needs none", SHORT, "", "oxygen.down=no must-descend=no"),
    ("unless another's room cannot be closed", SHORT + "pressure.tail=compromised", "",
     "oxygen.down=yes must-descend=yes"),
    ("where nobody lives that is nothing", SHORT + "pressure.tail=compromised crew.tail-gunner=kia", "",
     "oxygen.down=no"),
    ("a hit leaves some", SHUT + "oxygen.navigator=1 pressure.tail=compromised", "", "oxygen.down=no"),
    ("without tanks a holed room is enough", SHUT + "oxygen.tanks=2 pressure.waist=compromised", "",
     "oxygen.down=yes must-descend=yes"),
    ("closed, nobody has to close her", SHORT + "crew.engineer=kia", "", "oxygen.down=no"),
    ("open, the engineer can", SHORT + "pressurized=no", "", "oxygen.down=no"),
    ("dead, not", SHORT + "pressurized=no crew.engineer=kia", "", "oxygen.down=yes must-descend=yes"),
    ("nor with a wounded man in Utility", SHORT + "pressurized=no crew.tail-gunner=serious lies.tail-gunner=utility",
     "", "oxygen.down=yes must-descend=yes"),
    ("next to Nav/Radio lie the Nose and the Waist", DEAD.format(""), "", "options=bombardier,copilot," + IN_WAIST),
    ("past a holed tunnel the Nose alone", DEAD.format("tunnel=compromised"), "", "options=bombardier,copilot"),
    ("in an open bomber both", DEAD.format("tunnel=compromised pressurized=no"), "",
     "options=bombardier,copilot," + IN_WAIST),
    ("from closed rooms nobody reaches Utility", FEED.format(""), "", "options=open,nobody"),
    ("from a holed Waist they do", FEED.format("pressure.waist=compromised"), "", "options=open,nobody," + IN_WAIST),
    ("from a holed Tail too", FEED.format("pressure.tail=compromised"), "", "options=open,tail-gunner,nobody"),
    ("from a holed Nose there is no way", FEED.format("pressure.nose=compromised"), "", "options=open,nobody"),
    ("a second hit of the windshield costs the pressure", GLASS.format(""), "7-1: 4,4", "waits=7-11 windshield.hits=2"),
    ("gone already it costs no more", GLASS.format("pressure.nose=compromised "), "7-1: 4,4",
     "waits!=7-11 windshield.hits=2"),
    ("a burst in Nav/Radio bursts the closed Nose", IN_NAV_RADIO.format("ok"), "", "waits=7-11"),
    ("not an open one", IN_NAV_RADIO.format("compromised"), "", "waits!=7-11"),
)  # fmt: skip
def test_open_and_closed(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 5.1 B")
def test_closed_this_turn_it_is_not_opened_again(b29: Pack) -> None:
    sheet = HANGING + "bombs=dropped gun.aft-lower=jammed doors.fwd=jammed-open closed.turn=13"
    moment = set_up(b29, sheet + " crew.tail-gunner=kia load.aft=aboard")
    for choice in ("motor", "bay-man", "move"):
        assert "open" not in moment.legal(choice)
    moment.mission.write({"closed.turn": 12})
    for choice in ("motor", "bay-man", "move"):
        assert "open" in moment.legal(choice)


@pytest.mark.section("b29 7.4 A")
def test_a_bomber_in_formation_comes_down_for_it(b29: Pack) -> None:
    sheet = DAY + "turn=11 zone=11 altitude=hi pressurized=yes formation=in weather=good fuel.wing=18 step=disperse "
    moment = set_up(b29, sheet + "oxygen.navigator=2")
    moment.mission.write({"pressure.tail": "compromised"})
    orders = [item.name for item in moment.mission.pending if item.kind == "order"]
    assert "Navigator: no oxygen: descend to LO next turn, pressurize, or take a dead man's place" in orders
    moment.fly("4.2D: 3,4")
    assert (moment["altitude"], moment["formation"], moment["formation.barred"]) == ("lo", "out", "yes")


@pytest.mark.section("b29 4.2 B", "b29 7-3 e", "b29 7-3 f")
def test_from_a_holed_nav_radio_a_man_gets_into_the_bay(b29: Pack) -> None:
    sheet = HANGING + "bombs=dropped doors.fwd=jammed-open pressure.nose=compromised crew.tail-gunner=kia"
    moment = set_up(b29, sheet)
    assert moment.legal("motor-man") == ["engineer", "bombardier", "navigator", "radio-operator", "nobody"]
    assert moment.legal("motor")[0] == "yes"
    assert {"bombardier", "navigator", "engineer", "radio-operator"} < set(moment.legal("bay-man"))
    assert not set(moment.legal("bay-man")) & set(WAIST)


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
        moment = set_up(b29, sheet + f" pressure.{room}={before}", table).fly(f"{table}: 3,4 = decompression")
        assert moment[f"pressure.{room}"] == "compromised"
        assert ("7-11" in [item.name for item in moment.mission.pending]) is after


@pytest.mark.section("b29 7.3")
@pytest.mark.parametrize(
    ("sheet", "usual"), [("crew.engineer=kia", "lo"), ("", "stay"), ("crew.engineer=kia cold.since=8", "")]
)
def test_a_bomber_that_cannot_pressurize_descends_before_frostbite(b29: Pack, sheet: str, usual: str) -> None:
    """7.3: from the third turn open at altitude everybody may get frostbite; if nobody can pressurize, Enter
    descends.
    """
    there = "turn=9 zone=7 target.zone=12 mission.altitude=med altitude=med leg=outbound formation=in cold.since=5"
    moment = after_step(b29, "disperse", b29.sheet.given(f"{there} mission.time=day {sheet}".split()))
    assert (moment.options[0] if moment.asked == "altitude" else "") == usual
