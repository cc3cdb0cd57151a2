"""Guns: which bear, which hold their fire, spray fire, and jams."""

from typing import Any

import pytest

from companion.engine.facts import Facts
from companion.engine.play import Play
from companion.engine.questions import Pending
from companion.packs import Pack
from tests.games.b17.table import HOMEWARD, OVER_LILLE, at
from tests.support import check, moments

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


ATTACK = {**PAIR, "step": "attack"}
LOW = at(HOMEWARD, "step=swap slots.fighter=1 fighter.1.type=me109 fighter.1.clock=6 fighter.1.angle=low fought=yes "
         "pass=1")  # fmt: skip


@pytest.mark.section("b17 9.5", "b17 errata 15", "b17 6.3 c", "b17 M-5", "b17 P-5 c", "b17 M-5 b")
@moments(
    ("spray of two guns covers every fighter in the place", ATTACK,
     "aim top: 1-spray; aim tail: 1-spray; M-5 1 top: 2; M-5 2 top: 3; M-5 1 tail: 3; M-5 2 tail: 4",
     "fighters=0 ammo.top=3 ammo.tail=3"),
    ("a hit counts against a fighter that another gun sprays away", ATTACK,
     "aim top: 1; aim tail: 1-spray; M-1 1 top: 6; M-5 1 tail: 2; M-5 2 tail: 3; M-2 1 top: 4; M-3 2: 1",
     "kills.engineer=1"),
    ("the ball turret fires from below", {**LOW, "ball.trapped": "no"}, "", "asked=aim"),
    ("who is caught in it fires nothing", {**LOW, "ball.trapped": "yes"}, "aim tail: 1", "asked!=aim ammo.ball=0"),
    ("a jam is cleared by a man at the gun",
     at(HOMEWARD, "step=turn gun.tail=jammed gun.top=jammed crew.tail-gunner=kia"),
     "M-5.b top: 1", "gun.top=ok gun.tail=jammed asked=G-5"),
    ("a jam by hand may break the gun", at(HOMEWARD, "gun.top=jammed"), "with gun=top; roll M-5.b: 6",
     "gun.top=broken"),
    ("spray by hand costs three bursts", at(HOMEWARD, "spray-fire=on"),
     "with gun=tail fighter.clock=6 fighter.angle=low; roll M-5: 6", "ammo.tail=3"),
)  # fmt: skip
def test_sprays_turrets_and_jams(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)
