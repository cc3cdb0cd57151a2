"""Men who change places (14.2) and what it costs, and oxygen (P-notes, 12.1)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.pending import Pending
from companion.packs import Pack
from tests.games.b17.table import HOMEWARD, MEN, OVER_LILLE
from tests.support import after_step


@pytest.mark.section("b17 14.1", "b17 14.0")
def test_a_move_within_a_compartment_costs_nothing(pack: Pack) -> None:
    hurt = {**OVER_LILLE, "fought": "yes", "crew.bombardier": "serious"}
    moment = after_step(pack, "no-engine-1", hurt, "crew-move: bombardier\nwho-moves: navigator\ncrew-move: nobody\n")
    assert (moment["man.bombardier"], moment["duty.navigator"]) == ("navigator", "none")


@pytest.mark.section("b17 14.1")
def test_both_men_of_an_exchange_fire_nothing_in_the_next_wave(pack: Pack) -> None:
    hurt = {**OVER_LILLE, "fought": "yes", "crew.bombardier": "serious"}
    moves = "crew-move: other\nother-move: tail-gunner\nwho-moves: radio-operator\ncrew-move: nobody\n"
    moment = after_step(pack, "no-engine-1", hurt, moves)
    assert (moment["man.tail-gunner"], moment["man.radio-operator"]) == ("radio-operator", "tail-gunner")
    assert (moment["duty.radio-operator"], moment["duty.tail-gunner"]) == ("moved", "moved")


@pytest.mark.section("b17 14.1", "b17 9.0")
def test_a_dead_man_has_not_changed_places(pack: Pack) -> None:
    ahead = {"slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high"}
    dead = {**OVER_LILLE, "fought": "yes", "crew.bombardier": "kia"}
    moment = after_step(pack, "no-engine-1", dead, "crew-move: bombardier\nwho-moves: tail-gunner\ncrew-move: nobody\n")
    assert (moment["duty.tail-gunner"], moment["duty.bombardier"]) == ("moved", "none")
    moment.mission.write({**ahead, "step": "attack", "pass": 1})
    options = moment.mission.options(Pending.of({"choose": "aim", "bind": {"gun": "tail"}}))
    assert [each.text for each in options] == ["nobody at the gun"]


@pytest.mark.section("b17 14.1")
def test_a_move_says_whom_it_finds_and_what_it_costs(pack: Pack) -> None:
    hurt = {**OVER_LILLE, "fought": "yes", "crew.bombardier": "serious", "crew.engineer": "light",
            "crew.starboard-waist": "kia", "oxygen.tail-gunner": 2,
            "seat.port-waist": "ball-gunner", "seat.ball-gunner": "port-waist"}  # fmt: skip
    asked = after_step(pack, "no-engine-1", hurt)
    assert asked.options[0] == "nobody"
    assert asked.words["bombardier"] == "Bombardier's place: seriously wounded"
    assert asked.words["starboard-waist"] == "Starboard waist gunner's place: dead"
    assert set(asked.words) == {"nobody", "bombardier", "starboard-waist", "other"}  # where nobody fit is
    other = after_step(pack, "no-engine-1", hurt, "crew-move: other\n")
    assert set(other.words) == {"nobody", *MEN} - {"pilot", "copilot"}
    assert other.words["tail-gunner"] == "Tail gunner's place: unhurt, no oxygen there"
    assert other.words["port-waist"] == "Port waist gunner's place: Ball gunner there, unhurt"
    who = after_step(pack, "no-engine-1", hurt, "crew-move: bombardier\n")
    assert (who.options[0], who.words["nobody"]) == ("nobody", "nobody after all: leave it")
    cost = "from another compartment: neither man fires until one whole wave is over"
    assert who.words["navigator"] == "Navigator, unhurt"
    assert who.words["engineer"] == f"Engineer, lightly wounded, {cost}"
    left = after_step(pack, "no-engine-1", hurt, "crew-move: bombardier\nwho-moves: nobody\n")
    assert (left["man.bombardier"], left["duty.bombardier"]) == ("bombardier", "none")
    quiet = after_step(pack, "lost-2", {**hurt, "fought": "no"}, "crew-move: bombardier\n")
    assert quiet.words["engineer"] == "Engineer, lightly wounded"
    waist = after_step(pack, "no-engine-1", hurt, "crew-move: starboard-waist\n").words
    assert waist["port-waist"] == "Port waist gunner, unhurt"
    assert waist["radio-operator"] == f"Radio operator, unhurt, {cost}"


@pytest.mark.section("b17 12.1", "b17 14.2 d")
@pytest.mark.parametrize(
    ("sheet", "down"),
    [
        ({"oxygen.engineer": 2}, "yes"),
        ({"oxygen.engineer": 1}, "no"),
        ({"oxygen.engineer": 2, "crew.tail-gunner": "kia"}, "no"),
        ({"oxygen.engineer": 2, "crew.copilot": "kia"}, "no"),
        ({"oxygen.engineer": 2, "oxygen.radio-operator": 2, "crew.tail-gunner": "kia"}, "yes"),
        # 14.2 d: a pilot cannot leave for the tail; the seat beside him will do
        ({"oxygen.pilot": 2, "crew.tail-gunner": "kia"}, "yes"),
        ({"oxygen.pilot": 2, "crew.pilot": "serious", "crew.tail-gunner": "kia"}, "no"),
        ({"oxygen.pilot": 2, "crew.copilot": "kia"}, "no"),
        ({"oxygen.pilot": 2, "oxygen.engineer": 2, "crew.copilot": "kia"}, "yes"),
    ],
)
def test_a_dead_mans_outlet_serves_a_man_without_oxygen(pack: Pack, sheet: dict[str, Any], down: str) -> None:
    """12.1: down to 10,000 feet, unless a dead man's place serves him."""
    assert after_step(pack, "end", {**HOMEWARD, **sheet})["must-descend"] == down


@pytest.mark.section("b17 12.1", "b17 14.1")
@pytest.mark.parametrize(
    ("sheet", "place", "who"),
    [({"oxygen.engineer": 2, "crew.copilot": "kia"}, "copilot", {"engineer"}),
     ({"oxygen.pilot": 2, "crew.copilot": "kia"}, "copilot", {"pilot"}), ({"oxygen.port-waist": 2,
     "crew.port-waist": "serious", "crew.navigator": "kia"}, "navigator", {"bombardier", "engineer", "radio-operator",
     "ball-gunner", "port-waist", "starboard-waist", "tail-gunner"})],
)  # fmt: skip
def test_who_may_take_a_dead_mans_place(pack: Pack, sheet: dict[str, Any], place: str, who: set[str]) -> None:
    moment = after_step(pack, "lost-2", {**HOMEWARD, **sheet}, f"crew-move: {place}\n")
    assert set(moment.options) == {*who, "nobody"}


@pytest.mark.section("b17 12.1")
def test_a_dead_mans_outlet_that_is_out_serves_nobody(pack: Pack) -> None:
    gone = {"oxygen.tail-gunner": 2, "crew.tail-gunner": "kia", "oxygen.copilot": 2, "crew.copilot": "kia"}
    short = {"oxygen.engineer": 2, "crew.engineer": "serious", "oxygen.pilot": 2}
    moment = after_step(pack, "lost-2", {**HOMEWARD, **gone, **short})
    assert "copilot" not in set(moment.options)
    moment = after_step(pack, "lost-2", {**HOMEWARD, **gone, **short}, "crew-move: tail-gunner\n")
    assert "engineer" not in set(moment.options)


@pytest.mark.section("b17 12.1")
@pytest.mark.parametrize(
    ("sheet", "asked"),
    [({"crew.copilot": "kia"}, "crew-move"), ({}, "G-5"), ({"fought": "no"}, "G-5"),
     ({"crew.copilot": "kia", "altitude": "low"}, "O-3")],
)  # fmt: skip
def test_want_of_oxygen_asks_for_a_move_that_helps(pack: Pack, sheet: dict[str, Any], asked: str) -> None:
    """12.1: a dead man's outlet keeps the bomber high; without one, or once below, no move is called for."""
    short = {**HOMEWARD, "target.city": "Paris", "formation": "out", "fought": "yes", "oxygen.engineer": 2}
    assert after_step(pack, "no-engine-1", {**short, **sheet}).asked == asked
