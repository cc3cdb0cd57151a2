"""The language of the packs: how a sentence is read, what is refused and where, and that nothing else gets through."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from companion.engine.facts import Facts
from companion.packs import Pack
from companion.packs.expressions import Parser
from companion.packs.language import ANY, Scope, SentenceError
from companion.packs.sentences import faults
from companion.problems import SystemFault
from tests.support import FACTS, holds, pack, row


def tree(game: Pack, sentence: str) -> str:
    """What a sentence becomes."""
    words = Scope(dict.fromkeys(("a", "b", "c", "d", "a-b"), ANY))
    parser = Parser(game.strict, sentence, words, set())
    return ast.dump(parser.value(parser.end(parser.case())))


@pytest.mark.parametrize(
    ("sentence", "same"),
    [
        ("a and b or c and d", "(a and b) or (c and d)"),
        ("not a and b", "(not a) and b"),
        ("not a or not b", "(not a) or (not b)"),
        ("not not a", "not (not a)"),
        ("a or b and not c = 1", "a or (b and (not (c = 1)))"),
        ("1 + 2 * 3", "1 + (2 * 3)"),
        ("1 - 2 - 3", "(1 - 2) - 3"),
        ("-a * b", "(-a) * b"),
        ("a - -b", "a - (-b)"),
        ("a + 1 = b * 2", "(a + 1) = (b * 2)"),
        ("1 if a else 2 if b else 3", "1 if a else (2 if b else 3)"),
        ("1 + 2 if a and b else 3", "(1 + 2) if (a and b) else 3"),
        ("a   and\n\tb", "a and b"),
        ("hits[ side ]", "hits[side]"),
        ("a-b - c", "(a-b) - c"),
    ],
)
def test_what_binds_tighter(raid: Pack, sentence: str, same: str) -> None:
    assert tree(raid, sentence) == tree(raid, same)


@pytest.mark.parametrize(
    ("sentence", "place", "message"),
    [
        ("zoen = 1", 0, "there is no fact zoen; did you mean zone?"),
        ("light = onn", 8, "onn is neither a fact nor one of on or off; did you mean on?"),
        ("light = 'dim'", 8, "this is never dim; it is on or off"),
        ("light in (on, dim)", 14, "dim is neither a fact nor one of on or off"),
        ("crossed = maybe", 10, "maybe is neither a fact nor one of yes or no"),
        ("crossed = none", 10, "this is yes or no, and never none"),
        ("late = maybe", 7, "maybe is neither a fact nor one of yes or no"),
        ("side = left", 7, "left is neither a fact nor one of port or starboard"),
        ("zone = on", 7, "there is no fact on"),
        ("zone = light", 7, "this must be a number, not a word"),
        ("zone = none", 7, "this is a number, and never none"),
        ("light > 2", 0, "this must be a number, not a word"),
        ("city > 2", 0, "this must be a number, not a text"),
        ("zone + city = 2", 7, "this must be a number, not a text"),
        ("min(1, light) = 1", 7, "this must be a number, not a word"),
        ("zone", 0, "this is a number, not a condition"),
        ("city and late", 0, "this is a text, not a condition"),
        ("not side", 4, "this is one side, not a condition"),
        ("zone = 1 and (light or late)", 14, "this is one of several words, not a condition"),
        ("some side (zone)", 11, "this is a number, not a condition"),
        ("sum side (light) = 1", 10, "this must be a number, not a word"),
        ("city = Kobe", 7, "there is no fact Kobe; put a text in quotes: 'Kobe'"),
        ("(zone = 1", 0, "this bracket is not closed"),
        ("some side (hits[side] = 1", 10, "this bracket is not closed"),
        ("zone = 1)", 8, "this bracket was never opened"),
        ("hits[left] = 1", 5, "there is no fact left"),
        ("hits[zone] = 1", 5, "this must be a side, not a number"),
        ("hits[light] = 1", 5, "this must be a side: port or starboard"),
        ("hits[late] = 1", 5, "this must be a side, not yes or no"),
        ("hits[fighter] = 1", 5, "this must be a side, not a fighter"),
        ("wings[side] = 1", 0, "there is no fact like wings"),
        ("hits = 1", 0, "there is no fact hits: say whose, such as hits[side]"),
        ("some wing (yes)", 5, "there is no index wing; known are fighter or side"),
        ("s.near = left", 0, "there is no fact s.near"),
        ("some side as s (s.fca = 1)", 16, "one side has no fca; it has near or room"),
        ("some side as s (yes) and s.near = left", 25, "there is no fact s.near"),
        ("sqrt(4) = 2", 0, "the functions are max(a, b)"),
        ("max(1) = 1", 0, "the functions are max(a, b)"),
        ("row(light) = none", 0, "row('TABLE', 'part')"),
        ("column('nope')", 0, "there is no table nope"),
        ("2D = 7", 0, "no dice are rolled here"),
        ("zone == 1", 6, "write = once, not =="),
        ("zone & 1", 5, "write and, not &"),
        ("zone = {1}", 7, "braces belong in a text"),
        ('city = "x"', 7, "put a text in single quotes"),
        ("city = 'x", 7, "this quote is not closed"),
        ("zone = 1 and", 12, "a name, a number or a text is missing here"),
        ("and zone = 1", 0, "a name, a number or a text is missing here"),
        ("zone = 1 zone = 2", 9, "is and, or, or a sign such as = missing before it?"),
        ("zone-1 = 2", 0, "there is no fact zone-1; did you mean zone?"),
        ("zone in ()", 9, "a name, a number or a text is missing here"),
        ("zone in 1", 8, "( is missing here"),
        ("city = '{zoen}'", 1, "there is no fact zoen"),
        ("city = '{zone'", 0, "this brace is not closed"),
        ("again", 0, "a condition"),
        ("", 0, "a name, a number or a text is missing here"),
        ("\n", 0, "a name, a number or a text is missing here"),
        ("zone =  \n", 6, "a name, a number or a text is missing here"),
    ],
)
def test_a_sentence_that_is_wrong_is_marked_where_it_is(raid: Pack, sentence: str, place: int, message: str) -> None:
    if sentence == "again":
        sentence = "zone + again = 1"
        place, message = 7, "this must be a number, not yes or no"
    with pytest.raises(SentenceError) as refused:
        raid.condition(sentence)
    assert message in str(refused.value)
    assert refused.value.place == place
    mark = str(refused.value).splitlines()[-1]
    assert mark == "    " + " " * place + "^"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"t": row('do = ["zone = 1", "light = dim"]')}, "outcome.a, do 2: dim is neither"),
        ({"t": row('then = ["u", {roll = "u", when = "zoen"}]')}, "outcome.a, then 2: there is no fact zoen"),
        ({"t": row('then = [{roll = "u", for = "wing"}]')}, "then 1: there is no index wing"),
        ({"t": row("then = [{later = true}]")}, "then 1: it asks for nothing: roll, choose, ask or order says what"),
        ({"t": row('then = [{ask = "late"}]')}, "then 1: late is not a field that can be written"),
        ({"t": row('then = [{ask = "zone", usual = "on"}]')}, "then 1: there is no fact on"),
        ({"t": row('then = [{order = "x", until = "light"}]')}, "then 1: this is"),
        ({"t": row('then = [{roll = "u", with = {side = "left"}}]')}, "with.side: left is neither a fact nor one of"),
        ({"t": row('text = "{zoen}"')}, "outcome.a, text: there is no fact zoen"),
        (
            {"t": 'rows = {"1.." = "a"}\nmodifier = [{id = "m", add = "light"}]\n'},
            "modifier m, add: this must be a number",
        ),
        ({"t": 'memory = "late"\nrows = {"1.." = "a"}\n'}, "memory: late is not a field that can be written"),
        ({"t": 'rows = {"1.." = {ask-once = "zoen"}}\n'}, "row 1.., ask-once: there is no fact zoen"),
        ({"t": 'is = "2D + light"\n'}, "is: this must be a number, not a word"),
        ({"t": '[[column]]\ntitle = "Day"\nwhen = "sun"\nrows = {"1.." = "a"}\n'}, "column Day, when: there is no"),
        ({"t": row('dice = "1D"\nrows = {2 = "b"}\n[outcome.a.outcome.b]\ndo = ["x = 1"]')}, "outcome.a, outcome.b,"),
    ],
)
def test_a_fault_names_its_file_and_its_place(tmp_path: Path, files: dict[str, str], message: str) -> None:
    raid = pack(tmp_path, facts=FACTS, u='rows = {"1.." = "a"}\n', **files)
    with pytest.raises(SystemFault) as refused:
        raid.table("t")
    assert message in str(refused.value)
    assert re.match(r".*t\.toml(, line \d+)?: ", str(refused.value))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ('a = {is = "b + 1"}\nb = {is = "a + 1"}\n', "worked out from itself: a from b from a"),
        ('a = {is = "zone + a"}\n', "worked out from itself"),
        ('"a[wing]" = {is = "zone"}\n', "an index wing that the sheet does not declare"),
        ('"a[side" = {is = "zone"}\n', "a bracket without its partner"),
        ('"a[side][side]" = {is = "hits[side]"}\n', "two of its members have one name"),
        ('a = {is = "light > 1"}\n', "the fact a: this must be a number"),
        ("a = {is = 3}\n", "3"),
    ],
)
def test_a_worked_out_fact_that_cannot_be_is_refused(tmp_path: Path, facts: str, message: str) -> None:
    with pytest.raises(SystemFault) as refused:
        raid = pack(tmp_path, facts=facts)
        if message == "3":  # a bare number is a sentence all the same
            assert Facts(raid.sheet)["a"] == 3
            raise SystemFault("3")
        assert raid.sheet
    assert message in str(refused.value)


CODE = [
    "__import__('os').system('touch {marker}')",
    "().__class__.__base__.__subclasses__()",
    "v.sheet.__class__",
    "v['zone']",
    "p.change('zone', 5)",
    "open('{marker}', 'w')",
    "exec('x')",
    "lambda: 1",
    "[x for x in (1, 2)]",
    "zone; import os",
    "zone if 1 else __import__('os')",
    "zone\nimport os",
    "zone = 1 #",
    "f0(v)",
    "link(1, 2, 3)",
    "GIVEN",
    "while yes: pass",
    "zone := 3",
    "zone = '\\'",
    "zone = '3'",
    "zone = 1 and \\",
    "{zone}",
    "zone.__class__ = 1",
    "zone.__init__.__globals__",
    "hits[__class__]",
    "hits[v]",
    "some __class__ (yes)",
    "some side as __class__ (yes)",
    "zone = 0x10",
    "zone ** 2 = 1",
    "zone = 1e9",
    "zone = ٣",
    "zone = ²",
    "str(zone) = '1'",
    "frozenset(zone)",
    "tuple(zone) = 1",
    "same(zone, 1)",
    "whole(zone)",
    "one(zone)",
    "dice(2)",
]
WAYS = "when add is do then times ask until for text with memory adjust ask-once".split()


def way(kind: str, sentence: str) -> dict[str, Any]:
    """A table in which that sentence stands in one of the places for sentences."""
    happens: dict[str, Any] = {
        "do": {"do": [sentence]},
        "then": {"then": [{"roll": "{" + sentence + "}"}]},
        "times": {"then": [{"roll": "t", "times": sentence}]},
        "ask": {"then": [{"ask": sentence, "usual": sentence}]},
        "until": {"then": [{"order": sentence, "until": sentence}]},
        "for": {"then": [{"roll": "t", "for": sentence}]},
        "text": {"text": "x {" + sentence + "}"},
        "with": {"then": [{"roll": "t", "with": {"side": sentence, "city": sentence, "x": sentence}}]},
    }
    raid: dict[str, Any] = {"id": "t", "dice": "1D", "rows": {"1..": "a"}, "outcome": {"a": happens.get(kind, {})}}
    if kind in ("when", "add"):
        raid["modifier"] = [{"id": "m", "why": "m", kind: sentence}]
    elif kind == "is":
        raid["is"] = sentence
    elif kind == "memory":
        raid["memory"] = sentence
    elif kind == "adjust":
        raid["adjust"] = [{"is": sentence}]
    elif kind == "ask-once":
        raid["rows"] = {"1..": {"ask-once": sentence, "as": "{" + sentence + "}"}}
    return raid


@pytest.mark.parametrize("kind", WAYS)
def test_code_in_a_sentence_is_refused_wherever_it_stands(raid: Pack, tmp_path: Path, kind: str) -> None:
    for code in CODE:
        sentence = code.replace("{marker}", str(tmp_path / "marker"))
        wrong = faults(raid.strict, "t", way(kind, sentence))
        plain = kind == "then" and code.startswith("{")
        assert wrong or plain, sentence
    assert not (tmp_path / "marker").exists()


def _key(name: str) -> str:
    import json

    return json.dumps(name)


@pytest.mark.parametrize("name", ["x'); import os; ('", "x\\", "__class__", "a b", "1", "{side}", "v", 'q"""'])
def test_the_names_of_a_sheet_are_only_names(tmp_path: Path, name: str) -> None:
    sheet = f"""
[sections]
all = "All"
[index.side]
{_key(name)} = {{{_key(name)} = {_key(name)}}}
port = {{}}
[fields.all]
"hits[side]" = {{boxes = 2}}
{_key(name)} = {{values = [{_key(name)}, "b"]}}
[facts]
{_key("f " + name)} = {{is = "count side (hits[side] >= 1)", label = {_key(name)}}}
"""
    raid = pack(tmp_path, "bare", sheet=sheet)
    facts = Facts(raid.sheet, {f"hits.{name}": 1})
    assert (facts["f " + name], list(raid.sheet.index["side"])) == (1, [name, "port"])
    assert raid.sheet.attribute("side", name) == {name: name}


def test_a_sentence_nested_too_deeply_is_refused(raid: Pack) -> None:
    assert holds(raid, "(" * 50 + "zone = 1" + ")" * 50, zone=1)
    with pytest.raises(SystemFault, match="too deeply"):
        raid.condition("(" * 5000 + "zone = 1" + ")" * 5000)


def test_rules_choices_steps_and_the_sheet_refuse_what_they_cannot_read(raid: Pack) -> None:
    for text in [*CODE, "zoen", "", "side as", "side, x", "side, x of", "wing"]:
        step = {"step": [{"id": "a", "title": "a", "when": text, "do": [text]}]}
        rule = {"rule": [{"for": text, "when": text}, {"for": "side", "when": text, "do": [text]}]}
        options = [{"name": "a", "for": text}, {"name": "b", "for": "side", "when": text, "usual": text}]
        choice = {"choice": {"c": {"title": "c", "option": options}}}
        about = {"log": {"counts": text, "standing": {"ace": text}}}
        for name, doc in (("sequence", step), ("rules", rule), ("choices", choice), ("pack", about)):
            assert faults(raid.strict, name, doc), (name, text)
