"""A mission that the first edition of the pack language left behind opens, undoes and goes on."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from companion.packs import Pack
from companion.play.chance import Chance
from companion.play.journal import Journal
from companion.play.mission import Mission
from tests.support import MISSIONS, fly, there_and_back

KEPT = MISSIONS / "first-edition-b29.json"


def mission(b29: Pack) -> Mission:
    """In flight with one engine out and the flap control gone; both orders end on trees of brackets."""
    kept: dict[str, Any] = json.loads(KEPT.read_text())
    return Mission(b29, kept["state"], kept["pending"], Journal(kept["entries"]), number=1)


def test_it_can_be_taken_back_to_the_empty_sheet_and_put_forward_again(b29: Pack) -> None:
    there_and_back(mission(b29))


def orders(of: Mission) -> list[str]:
    return [item["order"].partition(":")[0] for item in of.pending if "order" in item]


def test_its_orders_stand_until_what_they_wait_for_is_true(b29: Pack) -> None:
    flown = mission(b29)
    assert [isinstance(item["done"], dict) for item in flown.pending if "done" in item] == [True, True]
    assert orders(flown) == ["The portable motor may move the flaps", "One engine out"]
    out = next(engine for engine in "1234" if flown.state.get(f"engine.{engine}") == "out")
    flown.write({"zone": 11})
    assert orders(flown) == ["The portable motor may move the flaps", "One engine out"]
    flown.write({f"engine.{out}": "ok"})
    assert orders(flown) == ["The portable motor may move the flaps"]
    flown.write({"flap.control": "ok"})
    assert orders(flown) == []


def test_it_flies_on_to_the_end(b29: Pack) -> None:
    flown = mission(b29)
    fly(flown, Chance(Random(1)))
    assert flown.state["bomber.fate"] != "none"
    there_and_back(flown)
