"""Fire aboard (12.2) and the men who fight it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.packs import Pack
from tests.games.b17.table import OVER_LILLE
from tests.support import Moment, after_step

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
def test_who_may_fight_a_fire(pack: Pack, where: str, sheet: dict[str, Any], men: set[str]) -> None:
    """12.2: a man of the compartment, or of an adjacent one where nobody is left in it; `men` are their places."""
    moment = burning(pack, where, sheet)
    assert (moment.asked, set(moment.options)) == ("fire-fighter", men)


@pytest.mark.section("b17 12.2", "b17 14.2 d")
def test_nobody_to_fight_the_fire_means_bail_out(pack: Pack) -> None:
    lost = {f"crew.{man}": "serious" for man in pack.sheet.index["position"] if man != "pilot"}
    moment = burning(pack, "radio-room", lost)
    assert (moment.asked, moment["bomber.fate"], moment["extinguishers.used"]) == ("G-6", "abandoned", 0)


@pytest.mark.section("b17 12.2")
def test_the_fire_fighter_misses_no_later_wave(pack: Pack) -> None:
    moment = burning(pack, "tail", {}, "BL-3: 1\nO-6: 3\nO-7: 3,4\nB-2: 1\n")
    assert (moment["duty.tail-gunner"], moment["free.tail-gunner"]) == ("none", "yes")


@pytest.mark.section("b17 12.2", "b17 14.1")
def test_who_has_moved_and_fights_a_fire_still_misses_the_next_wave(pack: Pack) -> None:
    moment = burning(pack, "tail", {"duty.tail-gunner": "moved"}, "BL-3: 1\nO-6: 3\nO-7: 3,4\n")
    assert (moment.asked, moment["duty.tail-gunner"], moment["free.tail-gunner"]) == ("B-2", "moved", "no")
