"""Guns: who clears which, why one holds its fire, passing shots, and what a hit counts (5-7, 5-8)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.packs import Pack
from tests.games.b29.table import OVER, WAIST, flying, roll
from tests.support import set_up

GUN_MEN = ("cfc", "bombardier", "left-gunner", "right-gunner", "tail-gunner")
CLOCKS = ("12", "1:30", "3", "6", "9", "10:30", "dive", "climb")


def chance_of_battle(rng: random.Random) -> dict[str, Any]:
    """A gun to be allocated, some fighters, men who are hurt or busy, and guns that fire already."""
    day = rng.random() < 0.7
    state: dict[str, Any] = {
        "mission.number": rng.choice([5, 12]), "mission.time": "day" if day else "night", "slots.fighter": 3,
        "intercom": rng.choice(["ok", "ok", "out"]), "gunsight": rng.choice(["ok", "out"]),
        "setting.passing-shots": rng.choice(["after", "no"]),
        "gun": rng.choice(["fwd-upper", "aft-lower", "tail", "cannon"]),
    }  # fmt: skip
    for fighter in range(1, rng.randint(2, 4)):
        clock = rng.choice(CLOCKS)
        state |= {f"fighter.{fighter}.type": "tony", f"fighter.{fighter}.clock": clock}
        if clock not in ("dive", "climb"):
            state[f"fighter.{fighter}.angle"] = rng.choice(["high", "level", "low"])
        if not day and rng.random() < 0.3:
            state[f"fighter.{fighter}.spotted"] = "no"
    for man in GUN_MEN:
        state[f"crew.{man}"] = rng.choice(["ok", "ok", "light", "serious"])
        state |= {f"duty.{man}": "moved"} if rng.random() < 0.2 else {}
        state |= {f"frostbite.{man}": "yes"} if rng.random() < 0.1 else {}
    for gun, man in (("fwd-lower", "bombardier"), ("aft-upper", rng.choice(["cfc", "left-gunner", "right-gunner"]))):
        if rng.random() < 0.4:
            state |= {f"aim.{gun}": str(rng.randint(1, 3)), f"aim.{gun}.by": man}
    return state


def test_a_gun_with_no_choice_says_why_it_holds_its_fire(b29: Pack) -> None:
    """5.3 A, 5-6: whoever can fire is asked; where nobody can, or at nothing, the one option left says so."""
    rng, reasons = random.Random(7), set()
    for _ in range(600):
        state = chance_of_battle(rng)
        gun = state.pop("gun")
        options = Play(b29, state).options_of({"choose": "aim", "bind": {"gun": gun}})
        hold = {each.name: each.text for each in options}["hold"]
        assert (len(options) == 1) == (hold != "hold fire"), (gun, state, hold)
        reasons.add(hold)
    assert reasons == {
        "hold fire",
        "hold fire: nothing in its field",
        "hold fire: each man for it is hit, on other duty or fires at another fighter (5-6)",
    }


@pytest.mark.parametrize(
    ("setting", "dice", "text"),
    [
        ("after", [4, 4], "A miss, the fighter has passed"),
        ("after", [1, 1], "The guns jam, the fighter has passed"),
        ("with-others", [4, 4], "The fighter attacks normally"),
    ],
)
def test_a_passing_shot_that_misses_lets_nobody_come_on(b29: Pack, setting: str, dice: list[int], text: str) -> None:
    """5.3 D, RULINGS B41: resolved after the Japanese fire, the fighter has gone by."""
    fighter = "fighter.1.type=zeke fighter.1.clock=12 fighter.1.angle=high slots.fighter=1 "
    moment = set_up(b29, OVER + fighter + f"setting.passing-shots={setting}")
    bind = {"gun": "tail", "fighter": "1", "passing-shot": "yes"}
    moment.mission.pending = [{"roll": "5-7", "bind": bind, "born": 1}]
    assert [each.text for each in moment.mission.roll(None, Hand([dice]))] == [text]


@pytest.mark.parametrize(
    ("gun", "men"),
    [
        ("fwd-lower", ["engineer", "navigator", "radio-operator"]),
        ("aft-upper", WAIST),
        ("aft-lower", [*WAIST, "tail-gunner"]),  # Utility lies between the Waist and the Tail (7.5)
        ("tail", ["tail-gunner"]),
    ],
)
def test_who_clears_which_gun(b29: Pack, gun: str, men: list[str]) -> None:
    """5-7 a"""
    moment = set_up(b29, OVER + f"gun.{gun}=jammed")
    moment.mission.pending = [{"choose": "repair", "bind": {"gun": gun}, "born": 1}]
    assert sorted(moment.options) == sorted([*men, "nobody"])


def test_jam_and_hit_on_unmodified_rolls(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    jam = roll(mission, "5-7", 1, 1, gun="tail", fighter__clock="6", fighter__pilot="green")
    assert (jam.outcome, jam.natural, jam.net) == ("jam", True, 5)
    assert mission.state["gun.tail"] == "jammed"
    hit = roll(mission, "5-7", 6, 6, gun="fwd-upper", fighter__clock="dive", evasive="yes")
    assert (hit.outcome, hit.natural, hit.net) == ("hit", True, 8)


def test_the_gun_that_fired_counts_for_its_damage_roll(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"slots.fighter": 1, "fighter.1.type": "nick", "fighter.1.clock": "12"})
    roll(mission, "5-7", 5, 6, gun="fwd-upper")
    result = roll(mission, None, 4, 4)  # 8 + 1 for the forward upper turret destroys a Nick
    assert (result.net, result.outcome) == (9, "destroyed")
    assert "fighter.1.type" not in mission.state
    assert mission.state["claimed.fwd-upper"] == 1


def test_four_fca_destroy(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"slots.fighter": 1, "fighter.1.type": "tony", "fighter.1.clock": "3"})
    for count in (1, 2, 3):
        roll(mission, "5-8", 1, 2)
        assert mission.state["fighter.1.fca"] == count
    assert roll(mission, "5-9", 4, 4).net == 5
    roll(mission, "5-8", 1, 2)
    assert "fighter.1.type" not in mission.state
