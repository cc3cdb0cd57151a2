"""The declared forms of pack files: the schema, the strict check, overlays.

The built-in packs pass; a mistake is reported with its file, line, place and word.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.packs import Pack, games
from companion.packs.check import check
from companion.packs.form_check import schema, slips
from companion.packs.forms import kind_of
from companion.packs.toml_files import line_of, read_file
from tests.support import ROOT, Lay, Run, slow_but

SCHEMA = schema()


@pytest.mark.slow
def test_it_is_a_schema_and_the_command_prints_it(companion: Run) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(companion("tables", "schema").out) == SCHEMA


VALIDATOR = Draft202012Validator(SCHEMA)


@pytest.mark.parametrize("game", slow_but(games(), 1))
def test_every_file_of_ours_has_its_form(game: str) -> None:
    files = [(key, path) for key, paths in Pack(game).layers.items() for path in paths]
    assert [slip for key, path in files for slip in slips(read_file(path), kind_of(key))] == []
    assert [path for _, path in files if not VALIDATOR.is_valid(read_file(path))] == []


WIND = 'id = "R-1"\ntitle = "Wind"\ndice = "2D"\ncite = "4"\n'


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("table", "outcomes = {}", "it has an unknown key 'outcomes'. Did you mean outcome"),
        ("table", "rows = {'1-3' = 'a'}", "rows has '1-3', which is not a number or a range, e.g. ..3, 4..6 or 7.."),
        ("table", "rows = {1 = 1.5}", "rows.1 is 1.5, but must be a text, a whole number, a table or a list"),
        ("table", "rows = {1 = {text = 'a'}}", "rows.1 lacks as or ask-once"),
        ("table", "modifier = [{id = 'a', add = 1, why = 'b'}, {id = 'c', add = 2, why = 'd', wehn = 'a'}]",
         "modifier 2 has an unknown key 'wehn'. Did you mean when?"),
        ("table", "modifier = [{id = 'a', why = 'b', add = 1.5}]",
         "modifier 1, add is 1.5, but must be a whole number or a formula, e.g."),
        ("table", "modifier = [{id = 'a', add = 1}]", "modifier 1 lacks why"),
        ("table", "modifier = [{id = 'a', add = 1, why = 'b', when = {zone = {min = 3}}}]",
         "modifier 1, when is a table, but must be a condition, e.g."),
        ("table", "[outcome]\ncrew = 'a'", 'outcome.crew is "a", but must be a table'),
        ("table", "[outcome.crew]\ncases = [{wen = 'a', text = 'c'}]",
         "outcome.crew.cases 1 has an unknown key 'wen'. Did you mean when"),
        ("table", "[outcome.crew]\ndice = '1D'\nrows = {1 = 'leak'}\n[outcome.crew.outcome.leak]\ntxt = 'a'",
         "outcome.crew.outcome.leak has an unknown key 'txt'. Did you mean text"),
        ("table", "[outcome.crew]\ndo = ['mark a', 3]", "outcome.crew.do 2 is 3, but must be a text"),
        ("table", "[outcome.crew]\ndo = 'mark a'", 'outcome.crew.do is "mark a", but must be a list of changes, e.g.'),
        ("table", "[outcome.crew]\nthen = [{when = 'a'}]", "outcome.crew.then 1 lacks roll, choose, ask or order"),
        ("table", "[outcome.crew]\nonce = 'yes'", 'outcome.crew.once is "yes", but must be true or false'),
        ("sheet", "[fields.a]\nb = {kind = 'box'}", 'fields.a.b.kind is "box", but must be flag, count, number, boxes'),
        ("sheet", "[facts]\na = true", "facts.a is true, but must be a whole number, a text or a table"),
        ("sheet", "[index]\ngun = {presnt = 'a'}", "index.gun has an unknown key 'presnt'. Did you mean present"),
        ("sheet", "[index.gun]\ntail = {label = ['a']}",
         "index.gun.tail.label is a list, but must be a text or a whole"),
        ("rules", "[[rule]]\n[[rule]]\nwen = 'a'", "rule 2 has an unknown key 'wen'. Did you mean when"),
        ("choices", "[choice.a]\ntitle = 'b'\noption = [{}]", "choice.a.option 1 lacks name"),
        ("pack", "[log]\ncolums = []", "log has an unknown key 'colums'. Did you mean columns"),
        ("pack", "[log]\ncolumns = [['a']]", "log.columns 1 has 1 of them, but needs a field and its heading"),
        ("pack", "missions = '3'", 'missions is "3", but must be a whole number'),
        ("table", "[[patch]]\nreason = 'a'\nid = 'b'", "patch 1 has an unknown key 'id'"),
        ("table", "[[patch]]\nnote = 'a'", "patch 1 needs a reason"),
        ("rules", "[[patch]]\nreason = 'a'\n[[patch.rule]]\nid = 'b'\nd = []",
         "patch 1, rule 1 has an unknown key 'd'. "),
        ("table", "[patch]\nreason = 'a'", "patch is a table, but must be a list of patches"),
    ],
)  # fmt: skip
def test_a_slip_is_a_sentence(kind: str, text: str, message: str) -> None:
    whole = text if kind != "table" or "patch" in text else WIND + text
    ((_, fault),) = slips(tomllib.loads(whole), kind)
    assert fault.startswith(message)


@pytest.mark.parametrize(
    ("kind", "piece"),
    [
        ("table", {"modifier": [{"id": "a", "add": 2, "after": "b"}, {"id": "c", "remove": True}]}),
        ("table", {"sub": {"a": {"outcome": {"b": {"remove": True}}, "rows": {"3": "fixed"}}}}),
        ("table", {"column": [{"title": "Light", "rows": {"2": ["a", {"as": "b", "with": {"c": "d"}}]}}]}),
        ("sheet", {"fields": {"working": {"a": {"remove": True}}}}),
        ("sheet", {"facts": {"a": {"label": "b"}, "c": "zone >= 2"}, "index": {"gun": {"tail": {"label": "Tail"}}}}),
        ("sequence", {"step": [{"id": "a", "when": "zone = 1"}]}),
        ("choices", {"choice": {"a": {"option": [{"name": "b", "usual": True}]}}}),
    ],
)
def test_a_piece_of_a_patch_needs_no_words_but_those_that_change(kind: str, piece: dict[str, Any]) -> None:
    doc = {"patch": [{"reason": "errata 4", **piece}]}
    assert list(slips(doc, kind)) == []
    assert VALIDATOR.is_valid(doc)


def test_the_lines_of_a_file_that_is_hard_to_follow() -> None:
    text = (
        "a.\"b c\".d = 1  # \"no\n\n[x.y]\nlist = [ # [\n  {k = \"]\"}, 3,\n  '''two\n lines''', ]\n"
        '[[x.z]]\n[[x.z]]\n[x.z.in]\nk = """a \\" ""\nb"""\nl = 1979\n'
    )
    lines = {
        ("a", "b c", "d"): 1, ("x", "y", "list", 0, "k"): 5, ("x", "y", "list", 2): 6, ("x", "z", 0): 8,
        ("x", "z", 1, "in", "k"): 11, ("x", "z", 1, "in", "l"): 13, ("x", "z", 1, "not", "there"): 9, ("not",): 0,
    }  # fmt: skip
    assert {where: line_of(text, where) for where in lines} == lines


TABLES = ROOT / "tables"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    slow_but(
        [
            ("5-9.toml", 'dice = "2D"', 'dice = "2D', "isn't valid TOML: a quote is missing at the end (at line 3, "),
            # a fact is worked out, and a field of many changes as that of one of them
            ("rules.toml", 'on = "zone"', 'on = "over-target"', "there is no event over-target"),
            ("rules.toml", 'on = "zone"', 'on = "crew[man]"', "there is no event crew[man]"),
            ("sheet.toml", "[facts]", "[facts]\nno-such = 'zone + nothing'",
             "the fact no-such: there is no field nothing"),
        ]
    ),
)  # fmt: skip
def test_a_fault_is_said_with_its_line(lay: Lay, file: str, old: str, new: str, message: str) -> None:
    ours = (TABLES / "b29" / file).read_text()
    assert old in ours
    path = lay(file, ours.replace(old, new, 1))
    (fault,) = [each for each in check(Pack("b29")) if message in each]
    told = re.match(rf"{re.escape(str(path))}, line (\d+): ", fault)
    assert told is not None
    assert new.splitlines()[-1] in path.read_text().splitlines()[int(told[1]) - 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ('[[patch.column]]\ntitle = "Lihgt"\nrows = {2 = "none"}', "there is no column 'Lihgt'. Did you mean Light?"),
        ('modifier = [{id = "x", remove = true}]', "there is no modifier x to remove. Choose "),
        ("[patch.outcome.atack]\nremove = true", "there is no outcome atack to remove. Did you mean attack?"),
        ('[patch.outcome.atack]\ntext = "a"', "outcome.atack: no row gives this result. Did you mean attack?"),
    ],
)
def test_a_misspelt_name_in_a_patch_says_which_there_are(lay: Lay, patch: str, message: str) -> None:
    path = lay("5.2A.toml", f'[[patch]]\nreason = "my club"\n{patch}\n')
    (fault,) = check(Pack("b29"))
    assert fault.startswith(f"{path}, line ")
    assert message in fault
