"""The language of the packs: how a sentence is read, what is refused and where, and that nothing else gets through."""

from __future__ import annotations

import ast
import random
import re
from pathlib import Path
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack
from companion.packs.expressions import Parser
from companion.packs.language import ANY, Draft, Scope, Wrong
from companion.packs.sentences import copied, faults, linked
from companion.problems import Problem, Trouble
from tests.support import FACTS, holds, pack, row, slow_but


def tree(game: Pack, sentence: str) -> str:
    """What a sentence becomes."""
    words = Scope(dict.fromkeys(("a", "b", "c", "d", "a-b"), ANY))
    parser = Parser(Draft(game.strict), sentence, words)
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
        ("crossed = none", 10, "this is yes or no"),
        ("late = maybe", 7, "maybe is neither a fact nor one of yes or no"),
        ("side = left", 7, "left is neither a fact nor one of port or starboard"),
        ("zone = on", 7, "there is no fact on"),
        ("zone = light", 7, "this must be a number, not a word"),
        ("zone = none", 7, "this is a number and never none"),
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
        ("hits[late] = 1", 5, "this must be a side, not a flag"),
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
        ("zone = 1234567890123456", 7, "longer than any"),
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
    with pytest.raises(Wrong) as refused:
        raid.condition(sentence)
    assert message in str(refused.value)
    assert refused.value.place == place
    mark = str(refused.value).splitlines()[-1]
    assert mark == "    " + " " * place + "^"


def test_the_mark_stands_under_the_line_of_a_longer_sentence(raid: Pack) -> None:
    with pytest.raises(Wrong) as refused:
        raid.condition("zone = 1\n  and light = dim\n  and late")
    assert str(refused.value).splitlines()[1:] == ["      and light = dim", "                  ^"]


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"t": row('do = ["zone = 1", "light = dim"]')}, "outcome.a, do 2: dim is neither"),
        ({"t": row('then = ["u", {roll = "u", when = "zoen"}]')}, "outcome.a, then 2: there is no fact zoen"),
        ({"t": row('then = [{roll = "u", for = "wing"}]')}, "then 1: there is no index wing"),
        ({"t": row("then = [{later = true}]")}, "then 1: it asks for nothing: roll, choose, ask or order says what"),
        ({"t": row('then = [{ask = "late"}]')}, "then 1: late is worked out or belongs to the game and cannot be"),
        ({"t": row('then = [{ask = "zone", usual = "on"}]')}, "then 1: there is no fact on"),
        ({"t": row('then = [{order = "x", until = "light"}]')}, "then 1: this is"),
        ({"t": row('then = [{roll = "u", with = {side = "left"}}]')}, "with.side: left is neither a fact nor one of"),
        ({"t": row('text = "{zoen}"')}, "outcome.a, text: there is no fact zoen"),
        (
            {"t": 'rows = {"1.." = "a"}\nmodifier = [{id = "m", add = "light"}]\n'},
            "modifier m, add: this must be a number",
        ),
        ({"t": 'memory = "late"\nrows = {"1.." = "a"}\n'}, "memory: late is worked out"),
        ({"t": 'rows = {"1.." = {ask-once = "zoen"}}\n'}, "row 1.., ask-once: there is no fact zoen"),
        ({"t": 'is = "2D + light"\n'}, "is: this must be a number, not a word"),
        ({"t": '[[column]]\ntitle = "Day"\nwhen = "sun"\nrows = {"1.." = "a"}\n'}, "column Day, when: there is no"),
        ({"t": row('dice = "1D"\nrows = {2 = "b"}\n[outcome.a.outcome.b]\ndo = ["x = 1"]')}, "outcome.a, outcome.b,"),
    ],
)
def test_a_fault_names_its_file_and_its_place(tmp_path: Path, files: dict[str, str], message: str) -> None:
    raid = pack(tmp_path, facts=FACTS, u='rows = {"1.." = "a"}\n', **files)
    with pytest.raises(Trouble) as refused:
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
        ('"a[side as s):]" = {is = "zone"}\n', "a name is letters"),
        ('a = {is = "light > 1"}\n', "the fact a: this must be a number"),
        ("a = {is = 3}\n", "3"),
    ],
)
def test_a_worked_out_fact_that_cannot_be_is_refused(tmp_path: Path, facts: str, message: str) -> None:
    with pytest.raises(Trouble) as refused:
        raid = pack(tmp_path, facts=facts)
        if message == "3":  # a bare number is a sentence all the same
            assert Facts(raid.sheet)["a"] == 3
            raise Trouble("3")
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


STRINGS = [
    "'; import os; '", '"', '"""', "\\", "\\'", "' + str(v) + '", "%s %(x)s %", "{", "}", "\n", "\r", "\t",
    "\x00", "\u2028",
    "f0", "__import__", "🜁", "'" * 3, "#", "])", "{zone!r}", "{zone:d}", "{}", "{{}}", "{v}", "{__class__}",
]  # fmt: skip


@pytest.mark.parametrize("text", STRINGS)
def test_a_text_is_a_text_whatever_stands_in_it(raid: Pack, text: str) -> None:
    """Titles, reasons, names of members and quoted texts go through as they are, or are refused as sentences."""
    doc = {
        "id": "t", "title": text, "dice": "1D", "note": text, "rows": {"1..": "a"}, text: text,
        "modifier": [{"id": text, "why": text, "add": 1, "when": f"city = '{text}'"}],
        "outcome": {
            "a": {"text": text, "do": [f"city = '{text}'"], "then": [{"order": text, "until": "late", "cite": text}]},
        },
    }  # fmt: skip
    wrong = faults(raid.strict, "t", doc)
    assert wrong or not ("'" in text or "{" in text.replace("{zone", ""))
    if not wrong:
        unit = copied(doc)
        linked(raid.language, "t", unit)
        assert (unit["title"], unit["note"]) == (text, text) and (text.startswith("#") or unit[text] == text)
        test = unit["modifier"][0]["#when"]
        assert test(Facts(raid.sheet, {"city": text})) and not test(Facts(raid.sheet, {"city": "Kobe"}))


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


@pytest.mark.parametrize(
    "alias", ["s=print(1)", "s, q", "s: pass", "s):\n    import os\ndef g(x", "s*", "s s", "", "__s__", "sé"]
)
def test_the_name_of_a_member_is_one_word(tmp_path: Path, alias: str) -> None:
    raid = pack(tmp_path, facts=f'{_key(f"x[side as {alias}]")} = {{is = "zone"}}\n')
    if not alias:
        assert Facts(raid.sheet)["x.port"] == 0  # as though it said nothing
        return
    with pytest.raises(Trouble, match="a name is letters"):
        assert raid.sheet


def test_a_member_may_be_called_by_any_word(tmp_path: Path) -> None:
    facts = '"x[side as class]" = {is = "hits[class]"}\n"y[side as a.b]" = {is = "hits[a.b] + 1"}\n'
    lines = '"hits[def] = x[def] + 1 for side as def", "mark zone for side as a:b"'
    raid = pack(tmp_path, facts=facts, t=row(f"do = [{lines}]"))
    assert (Facts(raid.sheet, {"hits.port": 2})["x.port"], Facts(raid.sheet)["y.port"]) == (2, 1)
    assert holds(raid, "every side as lambda (hits[lambda] = 0) and count side as import (x[import] = 0) = 2")
    play = Play(raid)
    settle(play.roll("t", Hand([[1]])))
    assert play.state == {"hits.port": 1, "hits.starboard": 1, "zone": 2}


def test_what_the_compiler_writes_for_itself_is_not_read_from_a_file(tmp_path: Path) -> None:
    rows = 'rows = {"1.." = "a"}\n[outcome.a]\n"#do" = 3\n"#then" = "y"\n'
    raid = pack(tmp_path, t=f'"#when" = "x"\n"#memory" = 1\n{rows}')
    assert settle(Play(raid).roll("t", Hand([[1]]))).outcome == "a"


def test_figures_that_are_no_numbers_to_python_are_read_all_the_same(tmp_path: Path) -> None:
    raid = pack(tmp_path, t='note = inf\nextra = [nan, -inf, 1.5, true]\nrows = {"1.." = "a"}\n')
    assert settle(Play(raid).roll("t", Hand([[1]]))).outcome == "a"


DEEP = {
    "brackets": "(" * 50 + "zone = 1" + ")" * 50,
    "more brackets": "(" * 5000 + "zone = 1" + ")" * 5000,
    "more denials": "not " * 5000 + "late",
    "minus": "zone = " + "-" * 3000 + "1",
    "sums": "zone = " + " + ".join(["1"] * 3000),
    "cases": "zone = (" + " else ".join(["1 if late"] * 2000) + " else 2)",
    "members": "hits[" * 300 + "port" + "]" * 300 + " = 1",
    "quantifiers": "some side (" * 90 + "late" + ")" * 90,
    "open": "(" * 100_000,
}


@pytest.mark.parametrize("name", DEEP)
def test_a_sentence_nested_too_deeply_is_refused(raid: Pack, name: str) -> None:
    if name == "brackets":  # which by themselves cost nothing
        assert holds(raid, DEEP[name], zone=1)
        return
    with pytest.raises(Trouble, match="too deeply"):
        raid.condition(DEEP[name])


@pytest.mark.parametrize(
    "sentence",
    slow_but(
        [
            " or ".join(f"zone = {n}" for n in range(3000)),
            " and ".join(["zone < 9"] * 3000),
            f"zone in ({', '.join(map(str, range(5000)))})",
            f"city != '{'x' * 100_000}'",
            "zone = 3 " + " " * 100_000,
            " + ".join(["1"] * 40) + " = 40",
            "some side (" * 20 + "zone = 3" + ")" * 20,
        ],
        3,
    ),
)
def test_a_long_sentence_is_only_long(raid: Pack, sentence: str) -> None:
    assert holds(raid, sentence, zone=3)


@pytest.mark.slow
def test_whatever_is_written_is_read_or_refused_and_runs_without_harm(raid: Pack) -> None:
    """Heaps of words in every place: what is wrong is said, or it is compiled."""
    words = (
        "zone light on off city 'Kobe' '' 'x{zone}' 'x{' hits side port [ ] ( ) = != <= < in not and or no some every "
        "count sum as s fighter . , - + * 2 3 10 2D 13D 007 yes none if else min( max( half-up( row( column( 'look' "
        "late worn worn[side] hits[side] hits.port fighter.fca fighter[1].fca side.near s.near again result crossed "
        'clear mark erase add drop exchange everything for of __class__ lambda \\ " # ; : { } é ²'
    ).split()
    rng = random.Random(5)
    sound = 0
    for _ in range(2500):
        text = " ".join(rng.choices(words, k=rng.randint(1, 8)))
        sound += not faults(raid.strict, "t", way(rng.choice(WAYS), text))
    assert 25 < sound < 1250


def test_rules_choices_steps_and_the_sheet_refuse_what_they_cannot_read(raid: Pack) -> None:
    for text in [*CODE, "zoen", "", "side as", "side, x", "side, x of", "wing"]:
        step = {"step": [{"id": "a", "title": "a", "when": text, "do": [text]}]}
        rule = {"rule": [{"for": text, "when": text}, {"for": "side", "when": text, "do": [text]}]}
        options = [{"name": "a", "for": text}, {"name": "b", "for": "side", "when": text, "usual": text}]
        choice = {"choice": {"c": {"title": "c", "option": options}}}
        about = {"log": {"counts": text, "standing": {"ace": text}}}
        for name, doc in (("sequence", step), ("rules", rule), ("choices", choice), ("pack", about)):
            assert faults(raid.strict, name, doc), (name, text)


def test_a_sentence_is_a_text_in_quotes(raid: Pack) -> None:
    with pytest.raises(Problem, match="in quotes"):
        Parser(Draft(raid.strict), 3, Scope())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sentence", "index", "alias", "row", "table"),
    [("position as p", "position", "p", None, None), ("fighter, by of 5-6", "fighter", "fighter", "by", "5-6")],
)
def test_what_a_for_goes_through(
    raid: Pack, sentence: str, index: str, alias: str, row: str | None, table: str | None
) -> None:
    read = Parser(Draft(raid.strict), sentence, Scope()).members_of()
    assert (read.index, read.alias, read.row, read.table) == (index, alias, row, table)
