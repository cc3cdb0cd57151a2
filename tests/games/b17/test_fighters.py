"""German fighters and fighter cover: who attacks, who is driven off, and the effects of their fire (6.0, B-tables)."""

from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play.mission import Mission
from tests.book import b17 as book
from tests.games.b17.table import HOMEWARD, NO_GUNS, OVER_LILLE, at
from tests.support import after_step, check, moments


@pytest.mark.section("b17 B-3 b", "b17 B-3 d", "b17 B-3 e", "b17 6.2")
@pytest.mark.parametrize(("row", "fighter", "guns", "cover"), [(row, *each) for row, each in book.VERTICAL.items()])
def test_guns_on_a_vertical_attack(pack: Pack, row: int, fighter: str, guns: tuple[str, ...], cover: bool) -> None:
    mission = Mission(pack)
    mission.write(OVER_LILLE)
    mission.roll("B-3", Hand([[row // 10, row % 10]]))
    kind, clock = fighter.split("@")
    board = Facts(pack.sheet, mission.state)
    (it,) = [str(each) for each in range(1, 13) if board[f"fighter.{each}.clock"] == clock]
    assert board[f"fighter.{it}.type"] == kind
    bears = [
        gun for gun in book.GUNS if Facts(pack.sheet, {**mission.state, "fighter": it, "gun": gun})["bears"] == "yes"
    ]
    assert (sorted(bears), board[f"may-be-driven-off.{it}"]) == (sorted(guns), "yes" if cover else "no")


@pytest.mark.section("b17 6.4 a")
def test_a_fighter_that_leaves_is_cleared_from_the_sheet(pack: Pack) -> None:
    sheet = {**OVER_LILLE, **NO_GUNS, "slots.fighter": 1, "fighter.1.type": "me109", "fighter.1.clock": "12",
             "fighter.1.angle": "high", "fighter.1.pilot": "ace", "fighter.1.fca": 1, "cover.rolled": "yes",
             "fighter.1.fboa": 1}  # fmt: skip
    moment = after_step(pack, "attack", sheet, "M-3: 1\n")
    left = {key: moment[f"fighter.1.{key}"] for key in ("type", "clock", "angle", "pilot", "fca", "fboa")}
    assert left == {"type": "none", "clock": "none", "angle": "none", "pilot": "average", "fca": 0, "fboa": 0}
    moment = after_step(pack, "end", {**{f"fighter.1.{key}": value for key, value in left.items()}, "slots.fighter": 1})
    shown = [name for name, _, _ in moment.mission.write({"wave": 2}).shown]
    assert not [name for name in shown if name.startswith("fighter.")]


@pytest.mark.section("b17 B-4 a")
@pytest.mark.parametrize(("name", "facts", "nets"), [each for each in book.AFTER_NOTES if each[0] == "B-4"])
def test_shells_of_a_fw_190_and_a_me_110(pack: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    """B-4 a: half as many again, rounded down; or one more."""
    for total, shells in nets.items():
        first = max(1, total - 6)
        mission = Mission(pack).roll(name, Hand([[first, total - first]]), facts)
        assert mission[0].outcome == shells, total


@pytest.mark.section("b17 5.1 c", "b17 13.1 a", "b17 13.1 b", "b17 errata 14", "b17 6.1 b")
@pytest.mark.parametrize(("name", "facts", "nets"), [each for each in book.AFTER_NOTES if each[0] == "B-3"])
def test_the_fighter_that_joins(pack: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    for row, wave in nets.items():
        if wave in ("none", "roll-again", "random-events"):
            continue
        mission = Mission(pack)
        mission.write({**OVER_LILLE, **facts})
        mission.roll(name, Hand([[row // 10, row % 10]]))
        board = Facts(pack.sheet, mission.state)
        there = [
            f"{board[f'fighter.{each}.type']}@{board[f'fighter.{each}.clock']}-{board[f'fighter.{each}.angle']}"
            for each in range(1, 13)
            if board[f"fighter.{each}.type"] != "none"
        ]
        assert sorted(each.removesuffix("-none") for each in there) == sorted(wave.split(";")), row


@pytest.mark.section("b17 errata 3", "b17 M-2")
@pytest.mark.parametrize(("marks", "state"), book.FIGHTER_MARKS.items())
def test_how_fighter_damage_adds_up(pack: Pack, marks: tuple[int, int], state: str) -> None:
    """M-2, errata 3: two FCA or one FBOA: it breaks off after this attack; two FBOA destroy it."""
    fca, fboa = marks
    attacker = {"fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high", "slots.fighter": 1}
    sheet = {**OVER_LILLE, **attacker, "pass": 1, "wave.formation": "out", "formation": "out", "cover.rolled": "yes"}
    mission = Mission(pack)
    mission.write({**sheet, "step": "passing"})
    for die in [1] * fca + [4] * fboa:  # a single gun
        mission.roll("M-2", Hand([[die]]), {"fighter": "1", "gun": "port-waist"})
    board = Facts(pack.sheet, mission.state)
    if state == "destroyed":
        assert board["fighter.1.type"] == "none"
        return
    assert (board["fighter.1.type"], board["fighter.1.fca"], board["fighter.1.fboa"]) == ("me109", fca, fboa)
    mission.advance()
    still = Facts(pack.sheet, mission.state)["fighter.1.type"] == "me109"
    assert still == (state == "fca")


@pytest.mark.section("b17 B-5 a", "b17 B-5 b", "b17 B-5 c")
@pytest.mark.parametrize(("result", "hits"), book.WALKING_HITS.items())
def test_walking_hits(pack: Pack, result: str, hits: dict[str, int]) -> None:
    """B-5 a, b, c: one shell in each named section, and no other shells of that fighter."""
    column, dice = {
        "walking-hits-a": (("12", "high"), [6, 6]),
        "walking-hits-b": (("9", "high"), [1, 1]),
        "walking-hits-c": (("9", "level"), [6, 6]),
    }[result]
    attacker = {"fighter.1.type": "me109", "fighter.1.clock": column[0], "fighter.1.angle": column[1]}
    mission = Mission(pack)
    mission.write({**OVER_LILLE, **attacker, "slots.fighter": 1, "pass": 1})
    mission.roll("B-4", Hand([[1, 3]]), {"fighter": "1"})
    while (item := mission.waiting()) is not None and item.is_for("roll", "B-5"):
        mission.roll(None, Hand([dice]), single=True)
    asked = [(item.name, item.bind["area"]) for item in mission.pending if item.kind == "roll"]
    areas = {("port-wing" if area == "wing" else area): count for area, count in hits.items()}
    expected = [(book.AREA_TABLES[area], area) for area, count in areas.items() for _ in range(count)]
    assert sorted(asked) == sorted(expected)


TWO_AT_12 = {
    **OVER_LILLE, **NO_GUNS, "pass": 1, "cover.rolled": "yes", "slots.fighter": 2, "wave.formation": "in",
    "fighter.1.type": "me109", "fighter.1.clock": "12", "fighter.1.angle": "high",
    "fighter.2.type": "me109", "fighter.2.clock": "12", "fighter.2.angle": "high",
}  # fmt: skip
SHELLS = "M-3 1: 6\nM-3 2: 6\nB-4 1: 6,6\nB-4 2: 6,6\nB-5 1: 5,4\nB-5 1: 4,4\nB-5.wing: 1\nB-5 1: 1,1\nB-5 1: 5,4\n"


@pytest.mark.section("b17 B-5 a", "b17 6.4 c")
def test_walking_hits_take_back_what_the_other_shells_had_noted(pack: Pack) -> None:
    before = {**TWO_AT_12, "hits.waist": 3, "hits.nose": 1}
    moment = after_step(pack, "fire", before, SHELLS + "B-5 2: 5,4\nB-5 2: 3,3\n")
    assert [moment[f"hits.{area}"] for area in ("waist", "port-wing", "nose")] == [6, 1, 2]
    moment = after_step(pack, "fire", before, SHELLS + "B-5 2: 5,4\nB-5 2: 3,3\nB-5 2: 6,6\n")
    assert [moment[f"hits.{area}"] for area in ("waist", "port-wing", "nose", "tail")] == [6, 1, 2, 1]
    pending = [item.bind["area"] for item in moment.mission.pending if item.name[:2] in ("P-", "BL")]
    assert sorted(pending) == sorted(
        ["waist", "port-wing", "waist", "nose", "pilot-compartment", "bomb-bay", "radio-room", "waist", "tail"]
    )


AT_12 = at({**HOMEWARD, **NO_GUNS}, "pass=1 cover.rolled=yes slots.fighter=1 fighter.1.type=me109 fighter.1.clock=12 "
           "fighter.1.angle=high")  # fmt: skip


@pytest.mark.section("b17 6.5 a", "b17 B-3 d", "b17 6.2", "b17 15.2 c", "b17 B-5 a")
@moments(
    ("cover meets a diver that comes back", at({**HOMEWARD, **NO_GUNS}, "cover=good step=cover"),
     "B-1: 5; B-3: 6,1; M-3: 6; B-4: 3,4; B-5: 1,1; B-6: 1,4; M-4: 4", "cover.first=0 cover.later=1 fighters=0"),
    ("evasive action ends with the damage that forbids it",
     at(AT_12, "formation=out wave.formation=out cables.hits=1 evasive=yes step=fire"),
     "M-3 1: 6; B-4: 3,4; B-5: 5,6; P-3: 6,6; B-6: 3,4", "cables.hits=2 evasive=no asked=M-3"),
    ("walking hits leave the hits of the first attack", at(AT_12, "wave.formation=in step=fire"),
     "M-3 1: 6; B-4 1: 3,4; B-5 1: 5,4; P-5: 2,2; B-6: 3,4; M-3 1: 6; B-4 1: 1,1; B-5 1: 5,4; B-5 1: 6,6",
     "hits.waist=2 hits.nose=1"),
)  # fmt: skip
def test_fighters_and_cover(pack: Pack, sheet: dict[str, Any], flown: str, then: str) -> None:
    check(pack, sheet, flown, then)
