"""The language of the packs: parsing of sentences, errors with their places, and safety."""

import ast
from pathlib import Path

import pytest

from companion.packs import Pack
from companion.packs.expressions import Parser
from companion.packs.language import ANY, Scope, SentenceError
from companion.packs.linking import faults
from companion.problems import SystemFault
from tests.support import pack


def tree(game: Pack, sentence: str) -> str:
    """Return the Python code of a sentence."""
    words = Scope(dict.fromkeys(("a", "b", "c", "d", "a-b"), ANY))
    parser = Parser(game.strict, sentence, words, set())
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


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ('a = {is = "b + 1"}\nb = {is = "a + 1"}\n', "depends on itself: a from b from a"),
        ('a = {is = "zone + a"}\n', "depends on itself"),
        ('"a[wing]" = {is = "zone"}\n', "an index wing that the sheet doesn't declare"),
        ('"a[side" = {is = "zone"}\n', "an unmatched bracket"),
        ('"a[side][side]" = {is = "hits[side]"}\n', "two members have the same name"),
        ('a = {is = "light > 1"}\n', "the fact a: this must be a number"),
    ],
)
def test_a_worked_out_fact_that_cannot_be_is_refused(tmp_path: Path, facts: str, message: str) -> None:
    with pytest.raises(SystemFault) as refused:
        assert pack(tmp_path, facts=facts).sheet
    assert message in str(refused.value)


@pytest.mark.parametrize("code", ["__import__('os').system('x')", "v['zone']", "lambda: 1", "zone.__class__ = 1"])
def test_code_in_a_sentence_is_refused(raid: Pack, code: str) -> None:
    result = {"do": [code], "then": [{"roll": "{" + code + "}", "times": code}], "text": "x {" + code + "}"}
    doc = {"id": "t", "dice": "1D", "rows": {"1..": "a"}, "modifier": [{"id": "m", "add": code}], "is": code}
    assert len(faults(raid.strict, "t", {**doc, "outcome": {"a": result}})) == 5
    with pytest.raises(SystemFault):
        raid.condition(code)
