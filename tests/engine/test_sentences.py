"""The language of the packs: every kind of sentence, errors with their places, and safety."""

import ast
from pathlib import Path

import pytest

from companion.packs import Pack
from companion.packs.expressions import Parser
from companion.packs.language import ANY, Scope, SentenceError
from companion.packs.linking import linked
from companion.problems import SystemFault
from tests.support import holds, pack, sortie


def tree(game: Pack, sentence: str) -> str:
    """Return the Python code of a sentence."""
    words = Scope(dict.fromkeys(("a", "b", "c", "d", "a-b"), ANY))
    parser = Parser(game.language, sentence, words, set())
    return ast.dump(parser.value(parser.end(parser.case())))


@pytest.mark.parametrize(
    ("sentence", "same"),
    [
        ("a and b or c and d", "(a and b) or (c and d)"), ("not a and b", "(not a) and b"),
        ("not a or not b", "(not a) or (not b)"), ("not not a", "not (not a)"),
        ("a or b and not c = 1", "a or (b and (not (c = 1)))"), ("1 + 2 * 3", "1 + (2 * 3)"),
        ("1 - 2 - 3", "(1 - 2) - 3"), ("-a * b", "(-a) * b"), ("a - -b", "a - (-b)"),
        ("a + 1 = b * 2", "(a + 1) = (b * 2)"), ("1 if a else 2 if b else 3", "1 if a else (2 if b else 3)"),
        ("1 + 2 if a and b else 3", "(1 + 2) if (a and b) else 3"), ("a   and\n\tb", "a and b"),
        ("hits[ side ]", "hits[side]"), ("a-b - c", "(a-b) - c"),
    ],
)  # fmt: skip
def test_what_binds_tighter(raid: Pack, sentence: str, same: str) -> None:
    assert tree(raid, sentence) == tree(raid, same)


@pytest.mark.parametrize(
    ("sentence", "place", "message"),
    [
        ("zoen = 1", 0, "there is no field zoen. Did you mean zone?"),
        ("light = onn", 8, "onn is neither a field nor on or off. Did you mean on?"),
        ("light = 'dim'", 8, "this is never dim. It can be on or off"),
        ("zone = light", 7, "this must be a number, not a word"),
        ("city > 2", 0, "this must be a number, not a text"),
        ("zone", 0, "this is a number, not a condition"),
        ("column('nope')", 0, "there is no table nope"), ("zone == 1", 6, "write =, not =="),
        ("city = Kobe", 7, "there is no field Kobe. Put text in quotes: 'Kobe'"),
        ("(zone = 1", 9, "a bracket isn't closed"),
        ("zone = 1)", 8, "this bracket was never opened"), ("hits[left] = 1", 5, "there is no field left"),
        ("hits = 1", 0, "there is no field hits alone. Name its member, e.g. hits[side]"),
        ("some wing (yes)", 5, "there is no index wing. Use fighter or side"),
        ('city = "x"', 7, "put a text in single quotes"), ("city = 'x", 7, "this quote isn't closed"),
        ("zone = 1 and", 12, "a name, a number or a text is missing here"),
        ("zone = 1 zone = 2", 9, "Is and, or, or a sign (e.g. =) missing before it?"),
        ("city = '{zoen}'", 1, "there is no field zoen"), ("city = '{zone'", 0, "this brace isn't closed"),
    ],
)  # fmt: skip
def test_a_sentence_that_is_wrong_is_marked_where_it_is(raid: Pack, sentence: str, place: int, message: str) -> None:
    with pytest.raises(SentenceError) as refused:
        raid.condition(sentence)
    assert message in str(refused.value)
    assert refused.value.place == place
    mark = str(refused.value).splitlines()[-1]
    assert mark == "    " + " " * place + "^"


@pytest.mark.parametrize("code", ["__import__('os').system('x')", "v['zone']", "lambda: 1", "zone.__class__ = 1"])
def test_code_in_a_sentence_is_refused(raid: Pack, code: str) -> None:
    result = {"do": [code], "then": [{"roll": "{" + code + "}", "times": code}], "text": "x {" + code + "}"}
    doc = {"id": "t", "dice": "1D", "rows": {"1..": "a"}, "modifier": [{"id": "m", "add": code}], "is": code}
    file = linked(raid.language, "t", {**doc, "outcome": {"a": result}})
    assert len({fault for sentence in file.sentences for fault in sentence.faults()}) == 5
    with pytest.raises(SystemFault):
        raid.condition(code)


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
        ("net.worth = -7", True), ("sum side (hits[side] + 1) = 4", True), ("every side (hits[side] = 2)", False),
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
