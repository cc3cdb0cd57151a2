"""Crew abilities: cold, unfamiliar guns and seats, pilots, evasion, aces, lending; and when they must abort (8.0 to
15.0).
"""

from typing import Any

import pytest

from companion.packs import Pack
from tests.games.b17.table import BREMEN, HOMEWARD, NO_GUNS, at
from tests.support import after_step, asked, check, moments, set_up

HOME = (
    "mission.number=11 target.city=Bremen target.zone=7 squadron=high turn=11 zone=4 zone.turns=1 leg=inbound "
    "bombs=dropped step=lost-2 fought=yes "
)
AT_6 = "fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=high slots.fighter=1 "


def shot(pack: Pack, facts: str, gun: str, die: int) -> str:
    """Return the result of one gun's shot at an Me 109 at 6 high."""
    moment = set_up(pack, HOME + AT_6 + facts, "M-1", gun=gun, fighter="1").fly(f"M-1: {die}\n")
    return moment.results[0].outcome


COLD = at(HOMEWARD, "step=aborted heat.pilot=out heat.tail-gunner=out")
THERE = {**BREMEN, "turn": 5, "zone": 5, "zone.turns": 1, "fought": "yes", "step": "jettison"}
LOST_PILOTS = "crew.pilot=kia crew.copilot=kia seat.pilot=engineer seat.engineer=pilot"
GOING_ON = "asked=abort options=go-on,abort leg=outbound"
OUTBOUND = HOME.replace("leg=inbound bombs=dropped", "leg=outbound bombs=aboard")
EVADING = HOME + AT_6 + "formation=out evasive=yes wave.formation=out roll=M-3 fighter=1"
CHASED = at(HOMEWARD, "step=wave zone=5 formation=out slots.fighter=1 fighter.1.type=me109 fighter.1.clock=6 "
            "fighter.1.angle=high cover.rolled=yes")  # fmt: skip
LEND = at(HOMEWARD, "step=lost-2 fought=no ammo.tail=23 ammo.top=1 ammo.ball=0")
LEND_2 = at(HOMEWARD, "step=lost-2 fought=no ammo.tail=23 ammo.nose=15")
LENT = "change-places: stay; lend: tail"
NOSE_GUNS = at(
    {name: state for name, state in {**HOMEWARD, **NO_GUNS}.items() if "nose" not in name and "cheek" not in name},
    "step=attack slots.fighter=3 pass=1 " + " ".join(
        f"fighter.{each}.type=me109 fighter.{each}.clock={clock} fighter.{each}.angle=level"
        for each, clock in ((1, "12"), (2, "1:30"), (3, "10:30"))),
)  # fmt: skip


@pytest.mark.section("b17 9.4", "b17 9.1", "b17 15.2 e")
@pytest.mark.section(
    "b17 11.0", "b17 BL-5", "b17 14.2 a", "b17 14.0", "b17 15.1 a", "b17 8.0 d", "b17 8.0 e", "b17 8.0 h"
)
@pytest.mark.section("b17 10.1", "b17 10.2", "b17 13.1 d", "b17 15.0", "b17 15.2 a", "b17 15.2 b", "b17 15.2 c")
@pytest.mark.section("b17 15.2 d", "b17 15.2 f", "b17 8.0 h")
@moments(
    ("one more zone without heat is free", at(COLD, "cold.pilot=0 cold.tail-gunner=0"), "", "zone=3 asked=G-5"),
    ("in the next they come down or freeze", at(COLD, "cold.pilot=1 cold.tail-gunner=1"), "", "zone=3 asked=altitude"),
    ("who sits there is hit",
     HOME + "crew.bombardier=serious seat.bombardier=navigator seat.navigator=bombardier roll=P-1 area=nose",
     "P-1: 3,3; BL-4: 5", "crew.bombardier=serious crew.navigator=serious"),
    ("from 6 an evading bomber is missed with a 3", EVADING, "M-3: 3", "asked!=B-4"),
    ("hit with a 4", EVADING, "M-3: 4", "asked=B-4"), ("and with any 6", EVADING, "M-3: 6", "asked=B-4"),
    ("alone she must turn without a navigator", at(THERE, "formation=out crew.navigator=kia"), "", "leg=inbound"),
    ("in formation she may", {**THERE, "crew.navigator": "kia"}, "", GOING_ON),
    ("alone she must without pilots", at(THERE, "formation=out " + LOST_PILOTS), "", "leg=inbound"),
    ("in formation she may without them", at(THERE, LOST_PILOTS), "", GOING_ON),
    ("with two engines out she must", at(THERE, "engine.1=out engine.3=out"), "", "leg=inbound"),
    ("with one she may", at(THERE, "engine.1=out bombs=jettisoned"), "", GOING_ON),
    ("for credit", at(THERE, "engine.1=out bombs=jettisoned"), "abort: abort", "credit=yes"),
    ("one engine out and the bombs gone she stays", OUTBOUND, "set engine.1=out; one-engine: jettison; end",
     "bombs=jettisoned formation=in turns.double=no"),
    ("with them she is slow and alone", OUTBOUND, "set engine.1=out; one-engine: keep; end",
     "bombs=aboard formation=out turns.double=yes"),
    ("two engines out: no bombs, no formation, low and slow", at(THERE, "step=aborted engine.1=out engine.3=out"), "",
     "bombs=jettisoned formation=out altitude=low turns.double=yes"),
    ("from 6 a 2 hits her",
     HOME + AT_6 + "formation=out engine.1=out engine.2=out altitude=low roll=M-3 fighter=1", "M-3: 2", "asked=B-4"),
    ("alone she may evade", CHASED, "", "asked=evade usual=yes"),
    ("not in formation", {**CHASED, "formation": "in"}, "", "asked!=evade"),
    ("with three engines", {**CHASED, "engine.1": "out"}, "", "asked=evade"),
    ("not with two", at(CHASED, "engine.1=out engine.2=out"), "", "asked!=evade"),
    ("with the cables hit once", {**CHASED, "cables.hits": 1}, "", "asked=evade"),
    ("not twice", {**CHASED, "cables.hits": 2}, "", "asked!=evade"),
    ("at -2 to land", at(CHASED, "flap.controls=out aileron.controls=out"), "", "asked=evade"),
    ("not at -3", at(CHASED, "flap.controls=out aileron.controls=out tail-wheel=out"), "", "asked!=evade"),
    ("as without a wheel", {**CHASED, "gear.port": "out"}, "", "asked!=evade"),
    ("nor after a burst inside", {**CHASED, "bip": "yes"}, "", "asked!=evade"),
    ("in a quiet turn an empty gun is lent bursts", LEND, LENT, "option=top option=ball"),
    ("by no distant gun", LEND, LENT, "option!=nose option!=port-waist option!=radio"),
    ("by twos", LEND, LENT + "; lender: ball", "ammo.tail=21 ammo.ball=2"),
    ("every empty gun may borrow", LEND_2, LENT + "; lender: ball; lender: none", "asked=lend options=none,nose"),
    ("in the same turn", LEND_2, LENT + "; lender: ball; lender: none; lend: nose; lender: radio; lender: none",
     "asked!=lend ammo.tail=21 ammo.nose=13 ammo.radio=2"),
    ("nose gun and one cheek gun fire, never both cheeks", NOSE_GUNS, "aim nose: 1; aim port-cheek: 3",
     "aim.starboard-cheek= asked=M-1"),
)  # fmt: skip
def test_men_and_engines(pack: Pack, sheet: str | dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b17 11.0", "b17 14.2 a", "b17 BL-5")
@pytest.mark.parametrize(("zones", "asks"), [(0, "G-5"), (1, "altitude")])
def test_a_man_who_moves_into_the_cold_later_has_no_extra_zone(pack: Pack, zones: int, asks: str) -> None:
    lost = {**HOMEWARD, "crew.bombardier": "kia", "heat.bombardier": "out", "cold.bombardier": zones}
    moment = after_step(pack, "lost-2", lost, "crew-move: bombardier\nwho-moves: radio-operator\n")
    free = (
        "Heat is out: no effect in the zone of the hit and the next; then descend to 10,000 feet or roll for frostbite"
    )
    assert [each.name for each in moment.mission.pending if each.kind == "order"] == [free]
    moment.fly("crew-move: nobody\n")
    assert (moment["zone"], moment.asked) == (3, asks)


@pytest.mark.section("b17 11.0", "b17 BL-5", "b17 14.0")
def test_frostbite_or_10_000_feet(pack: Pack) -> None:
    """11.0: 1 to 3 is frostbite, once per zone; there is none at 10,000 feet, but the bomber is out of formation."""
    cold = {**HOMEWARD, "heat.pilot": "out", "heat.tail-gunner": "out", "cold.pilot": 1, "cold.tail-gunner": 1}
    stayed = after_step(pack, "aborted", cold, "altitude: stay\nBL-5 pilot: 4\nBL-5 tail-gunner: 3\n")
    assert [stayed[f"frostbite.{man}"] for man in ("pilot", "tail-gunner")] == ["no", "yes"]
    down = after_step(pack, "aborted", cold)
    down.fly(f"altitude: {next(each for each in down.options if each != 'stay')}\n")
    assert (down["altitude"], down["formation"]) == ("low", "out")
    assert "BL-5" not in [*down.tables, *asked(down.mission)]


@pytest.mark.section("b17 11.0", "b17 14.2 b", "b17 15.1 b", "b17 BL-4 a", "b17 9.3", "b17 M-1 b")
@pytest.mark.parametrize(
    ("facts", "gun", "hits"),
    [
        ("", "tail", 4), ("kills.tail-gunner=4 ", "tail", 4), ("kills.tail-gunner=5 ", "tail", 3),
        ("kills.tail-gunner=5 crew.tail-gunner=light wounds.tail-gunner=1 ", "tail", 4),
        ("kills.tail-gunner=5 frostbite.tail-gunner=yes ", "tail", 6), ("frostbite.tail-gunner=yes ", "tail", 6),
        ("crew.tail-gunner=light wounds.tail-gunner=2 ", "tail", 6),
        ("seat.tail-gunner=radio-operator seat.radio-operator=tail-gunner kills.radio-operator=6 ", "tail", 6),
        ("seat.engineer=ball-gunner seat.ball-gunner=engineer ", "top", 4),
        ("seat.engineer=ball-gunner seat.ball-gunner=engineer kills.ball-gunner=5 ", "top", 3),
        ("seat.engineer=port-waist seat.port-waist=engineer ", "top", 6),
        ("formation=out evasive=yes ", "tail", 6), ("formation=out evasive=yes kills.tail-gunner=5 ", "tail", 5),
    ],
)  # fmt: skip
def test_the_roll_needed_to_hit(pack: Pack, facts: str, gun: str, hits: int) -> None:
    """9.3, 11.0, 14.2 b, 15.1 b, BL-4 a: twin guns at 6 high hit on 4; a handicapped man on 6; an unhurt ace adds 1."""
    assert shot(pack, facts, gun, hits) == "hit"
    assert shot(pack, facts, gun, hits - 1) == "miss"
