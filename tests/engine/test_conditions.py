"""Conditions: every kind of sentence that holds or does not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack
from companion.problems import Trouble
from tests.support import holds, pack, row, sortie


def test_conditions(turrets: Pack) -> None:
    assert holds(turrets, "yes")
    assert holds(turrets, "height = low and boxes = 0")
    assert holds(turrets, "height in (high, low)")
    assert not holds(turrets, "height != low")
    assert holds(turrets, "boxes >= 2 and boxes <= 3", boxes=3)
    assert not holds(turrets, "boxes >= 2 and boxes <= 3", boxes=4)
    assert holds(turrets, "height = high or boxes = 1", boxes=1)
    assert holds(turrets, "not (height = high and boxes = 0)")
    assert holds(turrets, "city = 'tokyo'", city="Tokyo")
    assert holds(turrets, "city in ('iwo-jima', 'truk')", city="Iwo Jima")
    assert holds(turrets, "jammed = 1 and some gun (gun[gun] = jammed)", gun__top="jammed")
    assert holds(turrets, "no gun (crew[gun.by] = hurt)")
    assert not holds(turrets, "no gun (crew[gun.by] = hurt)", crew__engineer="hurt")
    assert holds(turrets, "count gun (gun in (top)) = 1")
    assert holds(turrets, "some fighter (fighter.hits >= 2)", fighter__2__hits=2)
    assert holds(turrets, "crew[gun.by] = hurt", gun="tail", **{"crew__tail-gunner": "hurt"})
    with pytest.raises(Trouble):
        holds(turrets, "boxes least 2")


@pytest.mark.parametrize(
    ("sentence", "truth"),
    [
        ("zone >= 3 and zone <= 3 and light = on and hits.port = 2 and hits.starboard = 0", True),
        ("zone = 3", True),
        ("zone not in (3, 4)", False),
        ("name != 'osaka'", True),
        ("name in ('TOKYO', 'Kobe')", True),
        ("zone = 1 or light = on", True),
        ("yes", True),
        ("no", False),
        ("zone = 3 and light = on", True),
        ("not yes", False),
        ("count side (hits[side] = 2) = 1", True),
        ("some side (side.near = left and hits[side] = 2)", True),
        ("no side (side = starboard and hits[side] = 2)", True),
        ("some side (side = port or side = none)", True),
        ("some side (side = port and side = starboard)", False),
        ("some side (side not in (port, starboard))", False),
        ("every side (hits[side] <= 2)", True),
        ("every side (hits[side] = 2)", False),
        ("sum side (hits[side] + 1) = 4", True),
    ],
)
def test_a_condition_of_every_kind(tmp_path: Path, sentence: str, truth: bool) -> None:
    state = {"zone": 3, "light": "on", "hits.port": 2, "name": "Tokyo"}
    assert holds(sortie(tmp_path), sentence, **state) is truth


@pytest.mark.parametrize("sentence", ["zone about 3", "zone", "some wing (yes)", "zone = ", "some side (hits.left)"])
def test_a_condition_that_makes_no_sense_is_the_packs_fault(tmp_path: Path, sentence: str) -> None:
    with pytest.raises(Trouble):
        holds(sortie(tmp_path), sentence)


def test_a_text_of_the_sheet_is_compared_without_regard_to_case(tmp_path: Path) -> None:
    game = sortie(tmp_path)
    for state, truth in (({"light": "on", "name": "On"}, True), ({"light": "off", "name": "On"}, False)):
        assert holds(game, "name = light", **state) is truth
        assert holds(game, "name in ('kobe', light)", **state) is truth
    assert holds(game, "name = 'iwo-jima'", name="Iwo Jima")


@pytest.mark.parametrize(
    ("sentence", "truth"),
    [
        ("formation = in", True),
        ("formation != no", True),
        ("formation in (in, no)", True),
        ("formation not in (no, out)", True),
        ("not formation in (no, out)", True),
        ("no side (formation = no)", True),
        ("net.worth = -7", True),
        ("net.worth < -6 and net.worth >= -7", True),
        ("net.worth in (-7, 7)", True),
        ("net.worth + 7 = 0", True),
        ("-net.worth = 7", True),
        ("crossed", False),
        ("not crossed", True),
        ("crossed = no", True),
        ("crossed = late", False),
        ("late", True),
        ("late = yes and half = 2", True),
        ("zone = 3 and (late or no) and not (no)", True),
        ("light = none", True),
        ("city = ''", True),
        ("city = none", False),
        ("told = 'AT 3'", True),
        ("'at {zone}' = told", True),
        ("city = '{city}'", True),
        ("seat.port = '100%'", True),
        ("worn[side]", True),
        ("worn.port and not worn.starboard", True),
        ("side = port and side.near = left", True),
        ("some side as s (side != s and not worn[s])", True),
        ("worn[seat.starboard]", True),
        ("hits['port'] = 2", True),
        ("((((((zone))))) = 3)", True),
        ("5 - half - 1 = half", True),
        ("(1 if late else 2) = 1", True),
        ("late if zone = 3 else crossed", True),
        ("every fighter (far[fighter] = zone + fighter.fca)", True),
    ],
)
def test_a_sentence_says_what_it_says(raid: Pack, sentence: str, truth: bool) -> None:
    state = {
        "zone": 3, "formation": "in", "net.worth": -7, "hits.port": 2, "side": "port", "fighter.2.fca": 2,
        "seat.port": "100%", "seat.starboard": "port",
    }  # fmt: skip
    assert holds(raid, sentence, **state) is truth


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("side = port and hits[side] = 2", 1),
        ("side = starboard and hits[side] = 2", 0),
        ("hits[side] <= 2 and hits[side] >= 2", 1),
        ("side = starboard or hits[side] = 2", 2),
        ("side.near = left or hits[side] = 1", 1),
        ("not side = port", 1),
        ("not hits[side] = 2", 1),
        ("not (side = port and hits[side] = 2)", 1),
        ("side != port", 1),
        ("side.near in (left, right)", 2),
        ("side.room >= 3", 1),
    ],
)
def test_members_are_counted_by_what_holds_of_each(tmp_path: Path, body: str, count: int) -> None:
    game = pack(tmp_path)
    for over in (f"count side ({body})", f"count side as s ({body.replace('side', 's')})"):
        assert holds(game, f"{over} = {count}", hits__port=2)


@pytest.mark.parametrize("sign", ["=", ">="])
def test_a_number_of_the_sheet_is_compared_with_one_that_the_pack_gives_a_member(tmp_path: Path, sign: str) -> None:
    game = pack(tmp_path)
    sentence = f"some side (hits[side] {sign} side.room)"
    assert holds(game, sentence, hits__port=2) and holds(game, sentence, hits__starboard=3)
    assert not holds(game, sentence, hits__port=1, hits__starboard=2)


def test_a_fact_is_compared_with_another(tmp_path: Path) -> None:
    game = pack(tmp_path)
    sentences = ("zone = hour", "zone >= hour", "zone in (hour, 5)")
    held = [[holds(game, each, zone=zone, hour=2) for each in sentences] for zone in (1, 2, 3, 5)]
    assert held == [[False] * 3, [True] * 3, [False, True, False], [False, True, True]]


def test_a_city_may_be_a_number(tmp_path: Path) -> None:
    game = pack(tmp_path)
    cities = ("kobe", "Osaka", "Nagoya")
    assert [holds(game, "city not in ('Kobe', 'OSAKA')", city=city) for city in cities] == [False, False, True]
    for number in ("city = 7", "city = '7'"):
        assert holds(game, number, city="7") and not holds(game, number, city="8")


@pytest.mark.parametrize(
    ("sentence", "truth"),
    [
        ("clock = 6", True),
        ("clock = '6'", True),
        ("clock in (3, 6)", True),
        ("clock in (3, 12)", False),
        ("clock != 6", False),
        ("clock not in (3, 12)", True),
        ("zone in (3, 4)", True),
        ("zone in (1, 2)", False),
        ("zone != 3", False),
        ("zone = 3 and clock = 12", False),
        ("not yes", False),
        ("light = on and zone = 3 and clock = 6 and hour = 1", False),
        ("light = on and zone = 3 and clock = 6 and hour = 0", True),
        ("light = on and zone = 2 and clock = 6", False),
        ("count side (hits[side] = 1) <= 0", True),
        ("count side (hits[side] = 2) <= 0", False),
        ("count side (yes) >= 2 and count side (yes) <= 2", True),
    ],
)
def test_words_that_look_like_numbers_and_conditions_of_several_parts(
    tmp_path: Path, sentence: str, truth: bool
) -> None:
    assert holds(pack(tmp_path), sentence, clock="6", zone=3, light="on", hits__port=2) is truth


@pytest.mark.parametrize(("kind", "counts"), [("some", [0, 1, 2]), ("no", [2, 1, 0])])
def test_a_condition_on_members_within_another(tmp_path: Path, kind: str, counts: list[int]) -> None:
    game = pack(tmp_path)
    states: list[dict[str, Any]] = [
        {"fighter.1.type": "zeke"},
        {"fighter.1.type": "zeke", "fighter.2.type": "left"},
        {"fighter.1.type": "right", "fighter.2.type": "left"},
    ]
    for state, count in zip(states, counts, strict=True):
        assert holds(game, f"count side as s ({kind} fighter as f (fighter[f].type = s.near)) = {count}", **state)


def test_an_inner_member_of_the_same_name_is_its_own(tmp_path: Path) -> None:
    game = pack(tmp_path)
    sentence = "count side (some side (hits[side] >= 1)) = 2"
    assert holds(game, sentence, hits__port=1) and not holds(game, sentence)


@pytest.mark.parametrize(
    ("within", "count"),
    [
        # hits: port 2, starboard 0; fighters: 1 a zeke with 2 hits, 2 none; asked of each side
        ("some side (hits[side] = 2)", 2),
        ("no side (hits[side] = 2)", 0),
        ("no side (hits[side] = 1)", 2),
        ("count side (hits[side] = 2) = 1", 2),
        ("some fighter as side (fighter[side].fca = 2)", 2),
        ("no fighter as side (fighter[side].fca = 3)", 2),
        ("count fighter as side (fighter[side].fca = 2) >= 2", 0),
        ("some side as other (hits[other] >= 1 and hits[side] = 0)", 1),
        ("some side as other (other != side and hits[other] = 0)", 1),
        ("side.near != side", 2),
        ("side.near != side.near", 0),
        ("some fighter (fighter.type != fighter and fighter.fca = 2)", 2),
        ("no fighter (fighter[fighter].fca = hits[side])", 0),
        ("count fighter (fighter[fighter].fca = hits[side]) = 1", 2),
        ("every fighter (fighter.fca in (hits[side], 2))", 1),
        ("sum fighter (fighter.fca + hits[side]) = 6", 1),
    ],
)
def test_members_within_members(tmp_path: Path, within: str, count: int) -> None:
    state = {"hits.port": 2, "fighter.1.type": "zeke", "fighter.1.fca": 2}
    assert holds(pack(tmp_path), f"count side ({within}) = {count}", **state)


@pytest.mark.parametrize(
    ("sentence", "truth"),
    [
        ("fighter.fca = 2", True),
        ("fighter.fca in (1, 2)", True),
        ("fighter.fca != 2", False),
        ("fighter.fca not in (1, 3)", True),
        ("fighter.type = 'ZEKE'", True),
        ("fighter.type in ('oscar', 'zeke')", True),
        ("fighter.type != 'zeke'", False),
        ("fighter = 2", True),
        ("fighter in (1, 2)", True),
        ("fighter != 2", False),
        ("side.room >= 3", True),
        ("side.near = right", True),
        ("side.near in (left)", False),
        ("hits[side] >= 2 and hits[side] <= 3", False),
        ("hits[side] != 4", False),
        ("hits.starboard = 4", True),
    ],
)
def test_a_condition_on_what_is_bound(tmp_path: Path, sentence: str, truth: bool) -> None:
    game = pack(tmp_path)
    bound: dict[str, Value] = {"fighter": "2", "side": "starboard"}
    facts = Facts(game.sheet, {"fighter.2.type": "Zeke", "fighter.2.fca": 2, "zone": 3, "hits.starboard": 4}, bound)
    assert game.condition(sentence)(facts) is truth


@pytest.mark.parametrize("sentence", ["zone >= 1 about 3", "zone not 2", "zone", "zone = 1 =", "= 1", ""])
def test_a_condition_of_unknown_words_is_the_packs_fault(tmp_path: Path, sentence: str) -> None:
    game = pack(tmp_path)
    with pytest.raises(Trouble):
        game.condition(sentence)
    with pytest.raises(Trouble, match="no index wing"):
        game.condition("some wing (zone = 1)")


WORDS = "count some none every sum if else for as of mark erase clear row max".split()


def test_a_field_may_have_the_name_of_a_word_of_the_language(tmp_path: Path) -> None:
    lines = "".join(f'{name} = {{kind = "count"}}\n' for name in WORDS)
    verbs = ("mark", "erase", "clear")  # these begin a line of their own
    written = ", ".join(f'"{name} = {name} + 1"' for name in WORDS if name not in verbs)
    game = pack(tmp_path, fields=lines, t=row(f"do = [{written}]"))
    facts = Facts(game.sheet, {name: at for at, name in enumerate(WORDS, 1)})
    for value, name in enumerate(WORDS, 1):
        for ending, truth in ((f"= {value}", True), ("= 0", False), (f">= {value}", True), ("> 15", False)):
            for around in ("{}", "count side ({}) = 2", "(zone = 0 and {})"):
                sentence = around.format(f"{name} {ending}")
                assert game.condition(sentence)(facts) is truth, sentence
    play = Play(game)
    settle(play.roll("t", Hand([[1]])))
    assert play.state == {name: 1 for name in WORDS if name not in verbs}


@pytest.mark.parametrize(
    ("sentence", "truth"),
    [
        ("side.room = 2", True),
        ("side.room in (2, 3)", True),
        ("side.room != 2", False),
        ("side.room >= 3", False),
        ("side.near = left", True),
    ],
)
def test_a_number_that_an_index_gives_its_members_is_a_number(tmp_path: Path, sentence: str, truth: bool) -> None:
    assert holds(pack(tmp_path), sentence, side="port") is truth


@pytest.mark.parametrize("sign", ["=", ">=", "<="])
@pytest.mark.parametrize("zone", [1, 2])
def test_a_count_is_compared_with_the_number_of_a_member(tmp_path: Path, sign: str, zone: int) -> None:
    game = pack(tmp_path)
    assert holds(game, f"some fighter (zone {sign} fighter)", zone=zone)
    assert not holds(game, "some fighter (zone = fighter)", zone=5)
