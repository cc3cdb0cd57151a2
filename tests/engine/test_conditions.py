"""Conditions: every kind of sentence that is true or false."""

from pathlib import Path

import pytest

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.packs import Pack
from tests.support import holds, pack, sortie


@pytest.mark.parametrize(
    ("sentence", "truth"),
    [
        ("zone >= 3 and zone <= 3 and light = on and hits.port = 2 and hits.starboard = 0", True),
        ("zone not in (3, 4)", False), ("name != 'osaka'", True), ("name in ('TOKYO', 'Kobe')", True),
        ("zone = 1 or light = on", True), ("count side (hits[side] = 2) = 1", True),
        ("some side (side.near = left and hits[side] = 2)", True),
        ("no side (side = starboard and hits[side] = 2)", True), ("some side (side = port or side = none)", True),
        ("some side (side not in (port, starboard))", False), ("every side (hits[side] <= 2)", True),
        ("every side (hits[side] = 2)", False), ("sum side (hits[side] + 1) = 4", True),
    ],
)  # fmt: skip
def test_a_condition_of_every_kind(tmp_path: Path, sentence: str, truth: bool) -> None:
    state = {"zone": 3, "light": "on", "hits.port": 2, "name": "Tokyo"}
    assert holds(sortie(tmp_path), sentence, **state) is truth


def test_a_text_of_the_sheet_is_compared_without_regard_to_case(tmp_path: Path) -> None:
    game = sortie(tmp_path)
    for state, truth in (({"light": "on", "name": "On"}, True), ({"light": "off", "name": "On"}, False)):
        assert holds(game, "name = light", **state) is truth
        assert holds(game, "name in ('kobe', light)", **state) is truth
    assert holds(game, "name = 'iwo-jima'", name="Iwo Jima")


@pytest.mark.parametrize(
    ("sentence", "truth"),
    [
        ("formation = in", True), ("formation != no", True),
        ("not formation in (no, out)", True), ("no side (formation = no)", True),
        ("net.worth = -7", True),
        ("net.worth + 7 = 0", True), ("-net.worth = 7", True), ("crossed", False), ("not crossed", True),
        ("crossed = no", True), ("crossed = late", False), ("late", True), ("late = yes and half = 2", True),
        ("zone = 3 and (late or no) and not (no)", True), ("light = none", True), ("city = ''", True),
        ("city = none", False), ("told = 'AT 3'", True), ("'at {zone}' = told", True), ("city = '{city}'", True),
        ("seat.port = '100%'", True), ("worn[side]", True), ("worn.port and not worn.starboard", True),
        ("side = port and side.near = left", True), ("some side as s (side != s and not worn[s])", True),
        ("worn[seat.starboard]", True), ("hits['port'] = 2", True), ("5 - half - 1 = half", True),
        ("(1 if late else 2) = 1", True), ("late if zone = 3 else crossed", True),
        ("every fighter (far[fighter] = zone + fighter.fca)", True),
    ],
)  # fmt: skip
def test_a_sentence_says_what_it_says(raid: Pack, sentence: str, truth: bool) -> None:
    state = {
        "zone": 3, "formation": "in", "net.worth": -7, "hits.port": 2, "side": "port", "fighter.2.fca": 2,
        "seat.port": "100%", "seat.starboard": "port",
    }  # fmt: skip
    assert holds(raid, sentence, **state) is truth


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("side = port and hits[side] = 2", 1), ("side = starboard and hits[side] = 2", 0),
        ("side = starboard or hits[side] = 2", 2),
        ("side.near = left or hits[side] = 1", 1), ("not hits[side] = 2", 1),
        ("not (side = port and hits[side] = 2)", 1),
        ("side.room >= 3", 1),
    ],
)  # fmt: skip
def test_members_are_counted_by_what_holds_of_each(tmp_path: Path, body: str, count: int) -> None:
    game = pack(tmp_path)
    for over in (f"count side ({body})", f"count side as s ({body.replace('side', 's')})"):
        assert holds(game, f"{over} = {count}", hits__port=2)


def test_a_fact_is_compared_with_another(tmp_path: Path) -> None:
    game = pack(tmp_path)
    sentences = ("zone = hour", "zone >= hour", "zone in (hour, 5)")
    held = [[holds(game, each, zone=zone, hour=2) for each in sentences] for zone in (1, 2, 3, 5)]
    assert held == [[False] * 3, [True] * 3, [False, True, False], [False, True, True]]


@pytest.mark.parametrize(
    ("within", "count"),
    [
        # hits: port 2, starboard 0; fighters: 1 a zeke with 2 hits, 2 none; asked of each side
        ("some side (hits[side] = 2)", 2), ("no side (hits[side] = 2)", 0), ("no side (hits[side] = 1)", 2),
        ("count side (hits[side] = 2) = 1", 2), ("some fighter as side (fighter[side].fca = 2)", 2),
        ("no fighter as side (fighter[side].fca = 3)", 2), ("count fighter as side (fighter[side].fca = 2) >= 2", 0),
        ("some side as other (hits[other] >= 1 and hits[side] = 0)", 1),
        ("some side as other (other != side and hits[other] = 0)", 1), ("side.near != side", 2),
        ("some fighter (fighter.type != fighter and fighter.fca = 2)", 2),
        ("no fighter (fighter[fighter].fca = hits[side])", 0),
        ("count fighter (fighter[fighter].fca = hits[side]) = 1", 2),
        ("every fighter (fighter.fca in (hits[side], 2))", 1), ("sum fighter (fighter.fca + hits[side]) = 6", 1),
    ],
)  # fmt: skip
def test_members_within_members(tmp_path: Path, within: str, count: int) -> None:
    state = {"hits.port": 2, "fighter.1.type": "zeke", "fighter.1.fca": 2}
    assert holds(pack(tmp_path), f"count side ({within}) = {count}", **state)


@pytest.mark.parametrize(
    ("sentence", "truth"),
    [
        ("fighter.fca = 2", True), ("fighter.fca != 2", False),
        ("fighter.type = 'ZEKE'", True),
        ("fighter = 2", True),
        ("side.room >= 3", True),
        ("some side (hits[side] >= side.room)", True), ("side.near = right", True),
        ("hits[side] >= 2 and hits[side] <= 3", False),
    ],
)  # fmt: skip
def test_a_condition_on_a_binding(tmp_path: Path, sentence: str, truth: bool) -> None:
    game = pack(tmp_path)
    bound: dict[str, Value] = {"fighter": "2", "side": "starboard"}
    facts = Facts(game.sheet, {"fighter.2.type": "Zeke", "fighter.2.fca": 2, "zone": 3, "hits.starboard": 4}, bound)
    assert game.condition(sentence)(facts) is truth
