"""Guns: which bear, which hold their fire, spray fire, and jams."""

from __future__ import annotations

from typing import Any

import pytest

from companion.engine.facts import Facts
from companion.engine.pending import Pending
from companion.engine.play import Play
from companion.packs import Pack
from tests.games.b17.table import HOMEWARD, OVER_LILLE
from tests.support import after_step

PAIR = {
    **OVER_LILLE, "pass": 2, "spray-fire": "on", "slots.fighter": 2, "crew.radio-operator": "kia",
    "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high",
    "fighter.2.type": "fw190", "fighter.2.clock": "6", "fighter.2.angle": "high",
}  # fmt: skip


@pytest.mark.section("b17 6.3 a", "b17 9.0", "b17 9.1", "b17 12.2", "b17 14.1")
@pytest.mark.parametrize(
    ("gun", "sheet", "why"),
    [
        ("tail", {"duty.tail-gunner": "moved"}, "the Tail gunner has just changed places (14.1)"),
        ("top", {"duty.engineer": "fire"}, "the Engineer fights a fire (12.2)"),
        ("top", {"crew.engineer": "serious"}, "the Engineer is seriously wounded"),
        ("top", {"seat.engineer": "ball-gunner", "seat.ball-gunner": "engineer", "crew.ball-gunner": "kia"},
         "nobody at the gun"),
        ("tail", {"gun.tail": "jammed"}, "jammed"), ("ball", {}, "no target"),
        ("tail", {"fighter.2.clock": "12", "intercom": "out"}, "no passing shot without the intercom (9.2)"),
        ("port-cheek", {"crew.bombardier": "kia", "crew.navigator": "kia"}, "nobody in the nose is fit"),
        ("nose", {"crew.bombardier": "kia", "duty.navigator": "moved"}, "its man has just changed places (14.1)"),
        ("nose", {"duty.bombardier": "fire", "crew.navigator": "kia"}, "its man fights a fire (12.2)"),
        ("port-cheek", {"crew.bombardier": "kia", "aim.nose": "1"}, "the one man fit here fires another gun"),
        ("starboard-cheek", {"aim.nose": "1", "aim.port-cheek": "3"}, "both men here fire other guns (9.1)"),
        ("starboard-cheek", {"aim.port-cheek": "3"}, "its man fires the other cheek gun (9.1)"), ("tail", {}, ""),
        ("top", {}, ""), ("nose", {}, ""),
    ],
)  # fmt: skip
def test_a_gun_says_why_it_holds_its_fire(pack: Pack, gun: str, sheet: dict[str, Any], why: str) -> None:
    front = {"fighter.1.clock": "12", "fighter.2.clock": "6"}
    more = {"slots.fighter": 4, **{f"fighter.{each}.type": "me109" for each in (3, 4)}}
    sides = {f"fighter.{each}.clock": clock for each, clock in ((3, "10:30"), (4, "1:30"))}
    angles = {f"fighter.{each}.angle": "high" for each in (1, 2, 3, 4)}
    moved = {**PAIR, "crew.radio-operator": "ok", "spray-fire": "off", **front}
    state = {**moved, **(more | sides | angles if "cheek" in gun else {}), **sheet}
    options = Play(pack, state).options_of(Pending.of({"choose": "aim", "bind": {"gun": gun}}))
    assert {each.name: each.text for each in options}["hold"] == (why or "hold fire")
    assert (len(options) == 1) == bool(why)


@pytest.mark.section("b17 M-1", "b17 9.2", "b17 B-3 d", "b17 B-3 e")
def test_fields_of_fire_are_those_of_the_card(pack: Pack) -> None:
    for gun in pack.sheet.index["gun"]:
        for clock in pack.sheet.fields["fighter.1.clock"].values:
            for angle in ("none",) if clock in ("dive", "climb") else ("high", "level", "low"):
                for note in ("b", "d") if clock == "dive" else ("none",):
                    comes = {"clock": clock, "angle": angle, "note": note, "type": "me109"}
                    board = {f"fighter.1.{key}": value for key, value in comes.items()}
                    facts = Facts(pack.sheet, {**board, "fighter": "1", "gun": gun, "slots.fighter": 1})
                    passing = gun == "tail" and clock in ("12", "1:30", "10:30")
                    bears = passing or facts["bears"] == "yes"
                    assert facts["in-field"] == ("yes" if bears else "no"), (gun, comes)


@pytest.mark.section("b17 9.5", "b17 errata 15")
def test_spray_of_two_guns_covers_every_fighter_in_the_place(pack: Pack) -> None:
    script = "aim top: 1-spray\naim tail: 1-spray\nM-5 1 top: 2\nM-5 2 top: 3\nM-5 1 tail: 3\nM-5 2 tail: 4\n"
    moment = after_step(pack, "attack", PAIR, script)
    assert (moment["fighters"], moment["ammo.top"], moment["ammo.tail"]) == (0, 3, 3)


@pytest.mark.section("b17 6.3 c", "b17 M-5")
def test_a_hit_counts_against_a_fighter_that_another_gun_sprays_away(pack: Pack) -> None:
    script = "aim top: 1\naim tail: 1-spray\nM-1 1 top: 6\nM-5 1 tail: 2\nM-5 2 tail: 3\nM-2 1 top: 4\nM-3 2: 1\n"
    moment = after_step(pack, "attack", PAIR, script)
    assert moment["kills.engineer"] == 1


@pytest.mark.section("b17 P-5 c")
def test_who_is_caught_in_the_turret_fires_nothing(pack: Pack) -> None:
    above = {"slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "low"}
    for caught, guns in (("no", {"ball", "tail"}), ("yes", {"tail"})):
        moment = after_step(pack, "swap", {**HOMEWARD, **above, "fought": "yes", "pass": 1, "ball.trapped": caught})
        aims = {item.bind["gun"] for item in moment.mission.pending if item.is_for("choose", "aim")}
        assert aims & {"ball", "tail"} == guns


@pytest.mark.section("b17 M-5 b")
def test_a_jam_is_cleared_by_a_man_at_the_gun(pack: Pack) -> None:
    jams = {**HOMEWARD, "gun.tail": "jammed", "gun.top": "jammed", "crew.tail-gunner": "kia"}
    moment = after_step(pack, "turn", jams, "M-5.b top: 1\n")
    assert (moment["gun.top"], moment["gun.tail"], moment.asked) == ("ok", "jammed", "G-5")
