"""Fire aboard (12.2) and the men who fight it."""

from typing import Any

import pytest

from companion.packs import Pack
from tests.games.b17.table import MEN, OVER_LILLE, at
from tests.support import Moment, after_step, check, moments

FIRE = {"nose": "P-1: 6,6\nP-1.oxygen: 6", "pilot-compartment": "P-2: 6,4\nP-2.oxygen: 6",
        "radio-room": "P-4: 6,5\nP-4.oxygen: 6", "waist": "P-5: 1,1\nP-5.oxygen: 6",
        "tail": "P-6: 6,5\nP-6.oxygen: 6"}  # fmt: skip
SPOT = {"nose": "4,6", "pilot-compartment": "6,6", "radio-room": "2,2", "waist": "3,6", "tail": "3,4"}
IN_THE_PILOTS_SEAT = {"seat.pilot": "navigator", "seat.navigator": "pilot", "oxygen.navigator": 2}
FLAK = "O-2: 2\nO-3: 1,1\nO-3: 3,4\nO-3: 3,4\nO-4: 3,4\n"  # light flak, one hit of one shell


def burning(pack: Pack, where: str, sheet: dict[str, Any], more: str = "") -> Moment:
    return after_step(pack, "homeward", {**OVER_LILLE, **sheet}, f"{FLAK}O-5: {SPOT[where]}\n{FIRE[where]}\n{more}")


@pytest.mark.section("b17 12.2", "b17 14.2 d")
@pytest.mark.parametrize(
    ("where", "sheet", "men"),
    [
        ("waist", {}, {"ball-gunner", "port-waist", "starboard-waist"}),
        ("pilot-compartment", {}, {"copilot", "engineer"}),
        ("nose", {"crew.bombardier": "kia", "crew.navigator": "serious"}, {"copilot", "engineer"}),
        ("tail", {"crew.tail-gunner": "kia"}, {"ball-gunner", "port-waist", "starboard-waist"}),
        ("waist", {"crew.port-waist": "kia", "crew.starboard-waist": "kia", "ball.trapped": "yes"},
         {"radio-operator", "tail-gunner"}),
        # 14.2 d: a pilot never leaves his post for a fire, nor a copilot who is the only one left
        ("pilot-compartment", {"crew.copilot": "kia", "crew.engineer": "kia"},
         {"bombardier", "navigator", "radio-operator"}),
        ("pilot-compartment", {"crew.pilot": "kia", "crew.engineer": "serious"},
         {"bombardier", "navigator", "radio-operator"}),
        # who breathes in the dead pilot's seat is no pilot: he may fight it, the copilot flies alone
        ("pilot-compartment", {"crew.pilot": "kia", **IN_THE_PILOTS_SEAT}, {"pilot", "engineer"}),
        ("radio-room", {"crew.pilot": "kia", "crew.radio-operator": "kia", "crew.engineer": "kia",
         **IN_THE_PILOTS_SEAT}, {"pilot", "ball-gunner", "port-waist", "starboard-waist"}),
    ],
)  # fmt: skip
def test_men_who_may_fight_a_fire(pack: Pack, where: str, sheet: dict[str, Any], men: set[str]) -> None:
    """12.2: a man in the compartment, or in an adjacent one if it is empty; `men` are their positions."""
    moment = burning(pack, where, sheet)
    assert (moment.asked, set(moment.options)) == ("fire-fighter", men)


IN_TAIL = f"{FLAK}O-5: {SPOT['tail']}\n{FIRE['tail']}\n"
ONE_PILOT = " ".join(f"crew.{man}=serious" for man in MEN if man != "pilot")


@pytest.mark.section("b17 12.2", "b17 14.1", "b17 14.2 d")
@moments(
    ("with one pilot fit nobody can be sent: all jump", at(OVER_LILLE, "step=homeward " + ONE_PILOT),
     f"{FLAK}O-5: {SPOT['radio-room']}\n{FIRE['radio-room']}", "asked=G-6 bomber.fate=abandoned extinguishers.used=0"),
    ("the fire fighter misses no later wave", {**OVER_LILLE, "step": "homeward"},
     IN_TAIL + "BL-3: 1; O-6: 3; O-7: 3,4; B-2: 1", "duty.tail-gunner=none free.tail-gunner=yes"),
    ("who had moved before misses it", at(OVER_LILLE, "step=homeward duty.tail-gunner=moved"),
     IN_TAIL + "BL-3: 1; O-6: 3; O-7: 3,4", "asked=B-2 duty.tail-gunner=moved free.tail-gunner=no"),
)  # fmt: skip
def test_the_fire_fighter(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)
