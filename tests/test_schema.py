"""Every file of a pack against the published schema: ours pass, a slip is a sentence that names place and word."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.checking import check
from companion.form import slips, wrong
from companion.packs import Pack, games, read_file
from companion.schema import SCHEMA
from tests.conftest import Lay, Run

VALIDATOR = Draft202012Validator(SCHEMA)


def test_it_is_a_schema_and_the_command_prints_it(companion: Run) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(companion("tables", "schema").out) == SCHEMA


@pytest.mark.parametrize("game", games())
def test_every_file_of_ours_has_its_form(game: str) -> None:
    pack = Pack(game)
    assert slips(pack) == {}
    assert [path for paths in pack.layers.values() for path in paths if not VALIDATOR.is_valid(read_file(path))] == []


@pytest.mark.parametrize(
    "slip",
    [
        {"rows": {"1-3": "calm"}},
        {"dice": "two"},
        {"modifier": [{"id": "dusk", "add": "-1", "why": "dusk"}]},
        {"modifier": [{"id": "dusk", "add": -1}]},
        {"outcomes": {}},
        {"outcome": {"calm": {"effects": [{"sett": "weather", "to": "bad"}]}}},
        {"column": [{"title": "Day"}]},
        {"let": {"a": "b"}},
        {"adjust": [{"times": 2, "note": "b"}]},
    ],
)
def test_slips_are_refused(slip: dict[str, Any]) -> None:
    assert not VALIDATOR.is_valid({"id": "R-1", "title": "Wind", "dice": "2D", "cite": "4.2", **slip})


WIND = 'id = "R-1"\ntitle = "Wind"\ndice = "2D"\ncite = "4"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("outcomes = {}", "it has 'outcomes', which there is not; did you mean outcome"),
        ("rows = {'1-3' = 'a'}", "rows has '1-3', which is not a number or a range such as ..3, 4..6 or 7.."),
        ("rows = {1 = 1.5}", "rows.1 is 1.5; it takes a text, a whole number, a table or a list"),
        ("rows = {1 = {az = 'a'}}", "rows.1 has 'az', which there is not; did you mean as"),
        (
            "modifier = [{id = 'a', why = 'b'}, {id = 'c', why = 'd', wen = {a = 'b'}}]",
            "modifier 2 has 'wen', which there is not; did you mean when",
        ),
        ("modifier = [{id = 'a', why = 'b', add = 'x'}]", 'modifier 1, add is "x"; it takes a whole number'),
        ("modifier = [{id = 'a'}]", "modifier 1 lacks why"),
        (
            "modifier = [{id = 'a', why = 'b', when = {zone = {mim = 3}}}]",
            "modifier 1, when.zone has 'mim', which there is not; did you mean min",
        ),
        (
            "modifier = [{id = 'a', why = 'b', when = {evasive = true}}]",
            "modifier 1, when.evasive is true; it takes a text, a whole number, a list or a table",
        ),
        (
            "modifier = [{id = 'a', why = 'b', when = {some = {ech = 'gun'}}}]",
            "modifier 1, when.some has 'ech', which there is not; did you mean each",
        ),
        ("natural = [{roll = 2, outcom = 'a'}]", "natural 1 has 'outcom', which there is not; did you mean outcome"),
        ("column = [{rows = {}}, {titel = 'a', rows = {}}]", "column 2 has 'titel', which there is not; did you mean"),
        ("adjust = [{tims = 2}]", "adjust 1 has 'tims', which there is not; did you mean times"),
        ("adjust = [{halve = 'off'}]", 'adjust 1, halve is "off"; it takes up or down'),
        ("[outcome]\ncrew = 'a'", 'outcome.crew is "a"; it takes a table'),
        ("[outcome.crew]\ntxt = 'a'", "outcome.crew has 'txt', which there is not; did you mean text"),
        ("[outcome.crew]\norder = 'a'", "outcome.crew has 'order', which there is not; did you mean"),
        (
            "[outcome.crew]\ncases = [{wen = {a = 'b'}, text = 'c'}]",
            "outcome.crew.cases 1 has 'wen', which there is not; did you mean when",
        ),
        (
            "[outcome.crew]\nroll = '1D'\nrows = {1 = 'leak'}\n[outcome.crew.leak]\ntxt = 'a'",
            "outcome.crew.leak has 'txt', which there is not; did you mean text",
        ),
        (
            "[outcome.crew]\neffects = [{mark = 'a'}, {sett = 'a', to = 'b'}]",
            "outcome.crew.effects 2 has 'sett', which there is not; did you mean set",
        ),
        ("[outcome.crew]\neffects = [{set = 'a'}]", "outcome.crew.effects 1 lacks to"),
        ("[outcome.crew]\neffects = [{when = {}}]", "outcome.crew.effects 1 lacks set, mark, erase, add, clear"),
        ("[outcome.crew]\nthen = ['5-1', {rol = '5-1'}]", "outcome.crew.then 2 has 'rol', which there is not"),
        ("[sub.b]\neffects = []", "sub.b has 'effects', which there is not; known are"),
        ("[sub.b.outcome.a]\ntxt = 'a'", "sub.b.outcome.a has 'txt', which there is not; did you mean text"),
    ],
)
def test_a_slip_in_a_table_is_a_sentence(text: str, said: str) -> None:
    (found,) = wrong(tomllib.loads(WIND + text), "table")
    assert found.startswith(said)


@pytest.mark.parametrize(
    ("kind", "text", "said"),
    [
        ("sheet", "[field.a]\nlimt = 3", "field.a has 'limt', which there is not; did you mean limit"),
        ("sheet", "[field.a]\nkind = 'box'", 'field.a.kind is "box"; it takes choice, count, boxes, number'),
        ("sheet", "[derive.a]\ncases = [{iz = 3}]", "derive.a.cases 1 has 'iz', which there is not; did you mean is"),
        ("sheet", "[index]\ngun = {presnt = 'a'}", "index.gun has 'presnt', which there is not; did you mean present"),
        ("rules", "[[rule]]\n[[rule]]\nwen = {}", "rule 2 has 'wen', which there is not; did you mean when"),
        (
            "sequence",
            "[[step]]\nid = 'a'\ntitle = 'b'\ngoto = 'c'",
            "step 1 has 'goto', which there is not; did you mean go",
        ),
        (
            "choices",
            "[choice.a]\ntitle = 'b'\noption = [{name = 'c', txt = 'd'}]",
            "choice.a.option 1 has 'txt', which there is not; did you mean text",
        ),
        ("pack", "[log]\ncolums = []", "log has 'colums', which there is not; did you mean columns"),
        ("pack", "missions = '3'", 'missions is "3"; it takes a whole number'),
        (
            "patches-of-table",
            "[[patch]]\nreason = 'a'\nmodifier = 'b'\nad = 2",
            "patch 1 has 'ad', which there is not; did you mean add",
        ),
        ("patches-of-table", "[[patch]]\nreason = 'a'\nadd = 2", "patch 1 has add without modifier"),
        ("patches-of-table", "[[patch]]\nnote = 'a'", "patch 1 lacks reason"),
        (
            "patches-of-table",
            "[[patch]]\nreason = 'a'\n[[patch.modifier]]\nid = 'b'\nwen = {c = 'd'}",
            "patch 1, modifier 1 has 'wen', which there is not; did you mean when",
        ),
        ("patches-of-table", "[patch]\nreason = 'a'", "patch is a table; it takes a list"),
        (
            "patches-of-rules",
            "[[patch]]\nreason = 'a'\n[[patch.rule]]\nid = 'b'\neffect = []",
            "patch 1, rule 1 has 'effect', which there is not; did you mean effects",
        ),
    ],
)
def test_a_slip_anywhere_else_is_a_sentence_too(kind: str, text: str, said: str) -> None:
    (found,) = wrong(tomllib.loads(text), kind)
    assert found.startswith(said)


FIRE = ("roll", "5-9", "--game", "b29", "--dice", "4,4", "--with", "fighter.clock=6", "--json")


def test_a_misspelt_word_in_a_table_of_the_players_is_found(companion: Run, lay: Lay) -> None:
    ours = (Path(__file__).parent.parent / "tables" / "b29" / "5-9.toml").read_text()
    path = lay("5-9.toml", ours.replace("when = {", "wen = {", 1))
    ran = companion("tables", "check", "b29")
    assert ran.code == 2
    assert f"b29, {path}: modifier " in ran.out
    assert "has 'wen', which there is not; did you mean when" in ran.out
    path.write_text(ours)
    assert companion("tables", "check", "b29").code == 0


def test_every_layer_is_looked_at_and_what_they_come_to(companion: Run, lay: Lay) -> None:
    path = lay("5-9.toml", '[[patch]]\nreason = "errata 4"\nmodifier = "ace"\nadd = "two"\n')
    assert check(Pack("b29-streamliner")) == [f'{path}: patch 1, add is "two"; it takes a whole number']
    path.write_text('[[patch]]\nreason = "errata 4"\nmodifier = "new"\nadd = 2\n')
    (said,) = check(Pack("b29"))
    assert said.startswith(f"{path}: with what it lies over, modifier ")
    assert said.endswith(" lacks why")
    path.write_text('[[patch]]\nreason = "errata 4"\n[[patch.natural]]\nid = "a"\nroll = 3\noutcome = "hit"\n')
    assert check(Pack("b29")) == []  # a patch may name an unmodified roll, to change it again
    path.write_text(path.read_text() + '[[patch]]\nreason = "no"\n[[patch.natural]]\nid = "a"\noutcome = "miss"\n')
    assert check(Pack("b29")) == []
    assert companion(*FIRE[:5], "1,2", *FIRE[6:]).json["outcome"] == "miss"


def test_what_stands_beside_the_words_of_a_row_is_a_result_of_its_die(lay: Lay) -> None:
    ours = (Path(__file__).parent.parent / "tables" / "b29" / "7-3.toml").read_text()
    assert "[outcome.fuel-tank.leak]" in ours
    lay("7-3.toml", ours.replace("[outcome.fuel-tank.leak]", "[outcome.fuel-tank.leek]"))
    assert "7-3: fuel-tank has 'leek', which is none of the results of its rows" in check(Pack("b29"))


def test_options_of_a_table_that_is_not_there(lay: Lay) -> None:
    ours = (Path(__file__).parent.parent / "tables" / "b29" / "choices.toml").read_text()
    lay("choices.toml", ours.replace('of = {table = "5-6"', 'of = {table = "5-66"'))
    (said,) = check(Pack("b29"))
    assert said.endswith(": it sends the player to 5-66, which there is not")


def test_an_import_with_a_misspelt_bound_is_refused(companion: Run, tmp_path: Path, data_folder: Path) -> None:
    modifier = {"id": "late", "add": -1, "why": "late", "when": {"zone": {"mim": 3}}}
    patch = {"reason": "from your own book", "transcribed": True, "modifier": [modifier]}
    file = tmp_path / "tables.json"
    file.write_text(json.dumps({"format": 1, "game": "b29", "tables": {"8-1": [patch]}}))
    ran = companion("tables", "import", file)
    assert ran.code == 2
    assert "modifier 1, when.zone has 'mim', which there is not; did you mean min" in ran.err
    assert not (data_folder / "packs").exists()
    modifier["when"] = {"zone": {"min": 3}}
    file.write_text(json.dumps({"format": 1, "game": "b29", "tables": {"8-1": [patch]}}))
    assert companion("tables", "import", file).code == 0


def test_the_library_is_loaded_only_to_prove_a_pack() -> None:
    for command, loaded in ((FIRE, "False"), (("tables", "check", "b29"), "True")):
        code = (
            f"import sys; sys.argv = {['companion', *command]!r}; from companion.__main__ import main; main(); "
            "print('jsonschema' in sys.modules)"
        )
        assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.endswith(
            f"{loaded}\n"
        )
