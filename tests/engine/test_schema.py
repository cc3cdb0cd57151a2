"""The one declaration of what a pack's files hold: the schema, the strict check, overlays.

Ours pass; a slip is a sentence that names the file, the line, the place and the word.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.packs import Pack, games
from companion.packs.check import check
from companion.packs.forms.files import FILES, kind_of
from companion.packs.forms.schema import schema
from companion.packs.forms.slips import slips, wrong
from companion.packs.lines import lines, under
from companion.packs.source import read_file
from companion.store.files import text_of
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


@pytest.mark.parametrize(
    "slip",
    [
        {"rows": {"1-3": "calm"}},
        {"dice": "two"},
        {"modifier": [{"id": "dusk", "add": 1.5, "why": "dusk"}]},
        {"modifier": [{"id": "dusk", "add": -1}]},
        {"outcomes": {}},
        {"outcome": {"calm": {"do": "weather = bad"}}},
        {"outcome": {"calm": {"then": [{"when": "zone = 1"}]}}},
        {"outcome": {"calm": {"leak": {"text": "a"}}}},
        {"column": [{"title": "Day"}]},
        {"rows": {"1": {"text": "a"}}},
        {"let": {"a": "b"}},
        {"adjust": [{"is": 2, "note": "b"}]},
    ],
)
def test_slips_are_refused_by_the_schema_and_by_the_check(slip: dict[str, Any]) -> None:
    doc = {"id": "R-1", "title": "Wind", "dice": "2D", "cite": "4.2", **slip}
    assert not VALIDATOR.is_valid(doc)
    assert wrong(doc, "table")


WIND = 'id = "R-1"\ntitle = "Wind"\ndice = "2D"\ncite = "4"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("outcomes = {}", "it has 'outcomes', which there is not; did you mean outcome"),
        ("rows = {'1-3' = 'a'}", "rows has '1-3', which is not a number or a range such as ..3, 4..6 or 7.."),
        ("rows = {1 = 1.5}", "rows.1 is 1.5; it takes a text, a whole number, a table or a list"),
        ("rows = {1 = {az = 'a'}}", "rows.1 has 'az', which there is not; did you mean as"),
        ("rows = {1 = {text = 'a'}}", "rows.1 lacks as or ask-once"),
        (
            "modifier = [{id = 'a', add = 1, why = 'b'}, {id = 'c', add = 2, why = 'd', wehn = 'a'}]",
            "modifier 2 has 'wehn', which there is not; did you mean when?",
        ),
        (
            "modifier = [{id = 'a', why = 'b', add = 1.5}]",
            "modifier 1, add is 1.5; it takes a whole number or a sentence",
        ),
        ("modifier = [{id = 'a', add = 1}]", "modifier 1 lacks why"),
        (
            "modifier = [{id = 'a', add = 1, why = 'b', when = {zone = {min = 3}}}]",
            "modifier 1, when is a table; it takes a sentence such as",
        ),
        ("modifier = [{id = 'a', add = 1, why = 'b', when = true}]", "modifier 1, when is true; it takes a sentence"),
        ("natural = [{roll = 2, outcom = 'a'}]", "natural 1 has 'outcom', which there is not; did you mean outcome"),
        ("column = [{rows = {}}, {titel = 'a', rows = {}}]", "column 2 has 'titel', which there is not; did you mean"),
        ("adjust = [{is = 1, wy = 'a'}]", "adjust 1 has 'wy', which there is not; did you mean why"),
        ("adjust = [{is = false}]", "adjust 1, is is false; it takes a whole number or a sentence that is a number"),
        ("[outcome]\ncrew = 'a'", 'outcome.crew is "a"; it takes a table'),
        ("[outcome.crew]\ntxt = 'a'", "outcome.crew has 'txt', which there is not; did you mean text"),
        ("[outcome.crew]\norder = 'a'", "outcome.crew has 'order', which there is not"),
        (
            "[outcome.crew]\ncases = [{wen = 'a', text = 'c'}]",
            "outcome.crew.cases 1 has 'wen', which there is not; did you mean when",
        ),
        (
            "[outcome.crew]\ndice = '1D'\nrows = {1 = 'leak'}\n[outcome.crew.outcome.leak]\ntxt = 'a'",
            "outcome.crew.outcome.leak has 'txt', which there is not; did you mean text",
        ),
        ("[outcome.crew]\ndo = ['mark a', 3]", "outcome.crew.do 2 is 3; it takes a text"),
        ("[outcome.crew]\ndo = 'mark a'", 'outcome.crew.do is "mark a"; it takes a list of changes such as'),
        ("[outcome.crew]\nthen = ['5-1', {rol = '5-1'}]", "outcome.crew.then 2 has 'rol', which there is not; did you"),
        ("[outcome.crew]\nthen = [{when = 'a'}]", "outcome.crew.then 1 lacks roll, choose, ask or order"),
        ("[outcome.crew]\nonce = 'yes'", 'outcome.crew.once is "yes"; it takes true or false'),
        ("[sub.b.outcome.a]\ntxt = 'a'", "sub.b.outcome.a has 'txt', which there is not; did you mean text"),
    ],
)
def test_a_slip_in_a_table_is_a_sentence(text: str, message: str) -> None:
    (fault,) = wrong(tomllib.loads(WIND + text), "table")
    assert fault.startswith(message)


def test_several_slips_of_a_file_are_said_at_once() -> None:
    text = "modifier = [{id = 'a', ad = 1, why = 'b'}, {id = 'c', add = 1}]\n[outcome.crew]\ntxt = 'a'\nwhen = 'a'"
    assert [each.partition(";")[0] for each in wrong(tomllib.loads(WIND + text), "table")] == [
        "modifier 1 has 'ad', which there is not",
        "modifier 2 lacks why",
        "outcome.crew has 'txt', which there is not",
        "outcome.crew has 'when', which there is not",
    ]


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("sheet", "[fields.a]\nb = {limt = 3}", "fields.a.b has 'limt', which there is not; did you mean limit"),
        ("sheet", "[fields.a]\nb = {kind = 'box'}", 'fields.a.b.kind is "box"; it takes flag, count, number, boxes'),
        ("sheet", "[facts]\na = {iz = '3'}", "facts.a has 'iz', which there is not; did you mean is"),
        ("sheet", "[facts]\na = true", "facts.a is true; it takes a whole number, a text or a table"),
        ("sheet", "[index]\ngun = {presnt = 'a'}", "index.gun has 'presnt', which there is not; did you mean present"),
        ("sheet", "[index.gun]\ntail = {label = ['a']}", "index.gun.tail.label is a list; it takes a text or a whole"),
        ("rules", "[[rule]]\n[[rule]]\nwen = 'a'", "rule 2 has 'wen', which there is not; did you mean when"),
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
        ("pack", "[log]\ncolumns = [['a']]", "log.columns 1 has 1 of them; a field and its heading belong there"),
        ("pack", "missions = '3'", 'missions is "3"; it takes a whole number'),
        (
            "table",
            "[[patch]]\nreason = 'a'\nmodifier = 'b'\nad = 2",
            "patch 1 has 'ad', which there is not; did you mean add",
        ),
        ("table", "[[patch]]\nreason = 'a'\nadd = 2", "patch 1 has add without modifier"),
        ("table", "[[patch]]\nreason = 'a'\nrow = '2'", "patch 1 has row without as"),
        (
            "table",
            "[[patch]]\nreason = 'a'\nrow = '1-3'\nas = 'b'",
            'patch 1, row is "1-3"; it takes a whole number or',
        ),
        ("table", "[[patch]]\nreason = 'a'\nid = 'b'", "patch 1 has 'id', which a patch cannot change"),
        ("table", "[[patch]]\nnote = 'a'", "patch 1 lacks reason"),
        (
            "table",
            "[[patch]]\nreason = 'a'\n[[patch.modifier]]\nid = 'b'\nwen = 'd'",
            "patch 1, modifier 1 has 'wen', which there is not; did you mean when",
        ),
        ("table", "[patch]\nreason = 'a'", "patch is a table; it takes a list of patches"),
        (
            "rules",
            "[[patch]]\nreason = 'a'\n[[patch.rule]]\nid = 'b'\nd = []",
            "patch 1, rule 1 has 'd', which there is not; ",
        ),
    ],
)
def test_a_slip_anywhere_else_is_a_sentence_too(kind: str, text: str, message: str) -> None:
    (fault,) = wrong(tomllib.loads(text), kind)
    assert fault.startswith(message)


@pytest.mark.parametrize(
    ("kind", "piece"),
    [
        ("table", {"modifier": [{"id": "a", "add": 2, "after": "b"}, {"id": "c", "remove": True}]}),
        ("table", {"sub": {"a": {"outcome": {"b": {"remove": True}}, "rows": {"3": "fixed"}}}}),
        ("table", {"modifier": "a", "add": "2 * zone", "before": "b"}),
        ("table", {"column": "Light", "row": 2, "as": ["a", {"as": "b", "with": {"c": "d"}}]}),
        ("sheet", {"sections": {"events": {"remove": True}}, "fields": {"working": {"a": {"remove": True}}}}),
        ("sheet", {"facts": {"a": {"label": "b"}, "c": "zone >= 2"}, "index": {"gun": {"tail": {"label": "Tail"}}}}),
        ("sequence", {"step": [{"id": "a", "when": "zone = 1"}]}),
        ("choices", {"choice": {"a": {"option": [{"name": "b", "usual": True}]}}}),
    ],
)
def test_a_piece_of_a_patch_needs_no_words_but_those_that_change(kind: str, piece: dict[str, Any]) -> None:
    doc = {"patch": [{"reason": "errata 4", **piece}]}
    assert wrong(doc, kind) == []
    assert VALIDATOR.is_valid(doc)


def _places(part: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    return [each for key, value in inner for each in [(*at, key), *_places(value, (*at, key))]]


@pytest.mark.parametrize("game", slow_but(games(), 1))
def test_the_line_of_everything_in_our_files_is_found(game: str) -> None:
    for paths in Pack(game).layers.values():
        for path in paths:
            text = text_of(path.read_bytes())
            doc, written = tomllib.loads(text), text.splitlines()
            where = lines(text)
            assert [at for at in _places(doc) if at not in where] == []
            for at, line in where.items():
                value = under(doc, at)
                if isinstance(value, str) and value and "\\" not in written[line - 1]:
                    near = "\n".join(written[line - 1 : line + 1])
                    assert value.splitlines()[0] in near or near.endswith("\\") and near[:-1].split("\n")[1] in value


def test_lines_of_what_is_hard_to_follow() -> None:
    text = (
        "a.\"b c\".d = 1  # \"no\n\n[x.y]\nlist = [ # [\n  {k = \"]\"}, 3,\n  '''two\n lines''', ]\n"
        '[[x.z]]\n[[x.z]]\n[x.z.in]\nk = """a \\" ""\nb"""\nl = 1979-05-27\n'
    )
    tomllib.loads(text)
    where = lines(text)
    assert (where["a", "b c", "d"], where["x", "y", "list", 0, "k"], where["x", "y", "list", 2]) == (1, 5, 6)
    assert (where["x", "z", 0], where["x", "z", 1, "in", "k"], where["x", "z", 1, "in", "l"]) == (8, 11, 13)
    for cut in range(len(text)):
        lines(text[:cut])  # what is no TOML ends nowhere, and without an error


TABLES = ROOT / "tables"


def _line_of(path: Path, word: str) -> int:
    return next(number for number, line in enumerate(path.read_text().splitlines(), 1) if word in line)


@pytest.mark.slow
def test_a_misspelt_word_in_a_table_of_the_players_is_found(companion: Run, lay: Lay) -> None:
    ours = (TABLES / "b29" / "5-9.toml").read_text()
    path = lay("5-9.toml", ours.replace("when = ", "wehn = ", 1))
    ran = companion("tables", "check", "b29")
    assert ran.code == 2
    assert f"b29, {path}, line {_line_of(path, 'wehn')}: " in ran.out
    assert "has 'wehn', which there is not; did you mean when?" in ran.out
    path.write_text(ours)
    assert companion("tables", "check", "b29").code == 0


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    slow_but(
        [
            (
                "5-9.toml",
                "fighter.pilot = ace",
                "fighter.pilot = acce",
                "acce is neither a fact nor one of green, average",
            ),
            ("5-7.toml", "fighter.clock", "fighter.clok", "there is no fact fighter.clok; did you mean fighter"),
            (
                "5-9.toml",
                'dice = "2D"',
                'dice = "2D',
                "it is not valid TOML: a quote is missing at the end (at line 3, ",
            ),
            ("rules.toml", 'on = "zone"', 'on = "zonne"', "it waits for zonne, which never happens; did you mean zone"),
            # a fact is worked out, and a field of many changes as that of one of them
            ("rules.toml", 'on = "zone"', 'on = "over-target"', "it waits for over-target, which never happens"),
            ("rules.toml", 'on = "zone"', 'on = "crew[position]"', "it waits for crew[position], which never happens"),
            ("sequence.toml", 'go = "', 'go = "x', "which there is not; did you mean "),
            ("choices.toml", "for = ", "for = 'nobody' # ", "for: there is no index nobody"),
            (
                "sheet.toml",
                "[facts]",
                "[facts]\nno-such = 'zone + nothing'",
                "the fact no-such: there is no fact nothing",
            ),
        ]
    ),
)
def test_a_fault_is_said_with_its_line_and_what_was_meant(
    lay: Lay, file: str, old: str, new: str, message: str
) -> None:
    ours = (TABLES / "b29" / file).read_text()
    assert old in ours
    path = lay(file, ours.replace(old, new, 1))
    (fault,) = [each for each in check(Pack("b29")) if message in each]
    told = re.match(rf"{re.escape(str(path))}, line (\d+): ", fault)
    assert told is not None
    assert new.splitlines()[-1] in path.read_text().splitlines()[int(told[1]) - 1]


@pytest.mark.slow
def test_a_fault_in_our_own_files_is_said_by_a_short_name(lay: Lay) -> None:
    lay("pack.toml", 'title = "Broken"\nextends = "b29"\n', "broken")
    lay("sheet.toml", '[[patch]]\nreason = "mine"\n[patch.fields.flight]\naltitude = {remove = true}\n', "broken")
    faults = check(Pack("broken"))
    assert any(
        re.match(r"tables/b29/choices\.toml, line \d+: choice \S+, option .*there is no fact altitude", each)
        for each in faults
    )


FIRE = ("roll", "5-9", "--game", "b29", "--dice", "4,4", "--with", "fighter.clock=6", "--json")


@pytest.mark.slow
def test_every_layer_is_looked_at_and_what_they_come_to(companion: Run, lay: Lay) -> None:
    path = lay("5-9.toml", '[[patch]]\nreason = "errata 4"\nmodifier = "ace"\nadd = 2.5\n')
    assert check(Pack("b29-streamliner")) == [
        f"{path}, line 4: patch 1, add is 2.5; it takes a whole number or a sentence that is a number, "
        'such as "2 * engines.out"'
    ]
    path.write_text('[[patch]]\nreason = "errata 4"\n\n[[patch]]\nreason = "errata 5"\nmodifier = "acee"\nadd = 2\n')
    (fault,) = check(Pack("b29"))
    assert fault.startswith(
        f"{path}, line 4: patch 2 does not fit: there is no modifier 'acee'; did you mean ace? There are "
    )
    assert fault.endswith("; a new one needs id, add, why")
    path.write_text('[[patch]]\nreason = "errata 4"\n[[patch.natural]]\nid = "a"\nroll = 3\noutcome = "hit"\n')
    assert check(Pack("b29")) == []  # a patch may name an unmodified roll, to change it again
    path.write_text(path.read_text() + '[[patch]]\nreason = "no"\n[[patch.natural]]\nid = "a"\noutcome = "miss"\n')
    assert check(Pack("b29")) == []
    assert companion(*FIRE[:5], "1,2", *FIRE[6:]).json["outcome"] == "miss"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ('column = "Lihgt"\nrow = 2\nas = "none"', "there is no column 'Lihgt'; did you mean Light? There are Light,"),
        ('[[patch.column]]\ntitle = "Lihgt"\nrows = {2 = "none"}', "there is no column 'Lihgt'; did you mean Light?"),
        ('modifier = "x"\nremove = true', "there is no modifier x to take out; there are "),
        ("[patch.outcome.atack]\nremove = true", "there is no outcome atack to take out; did you mean attack?"),
        ('[patch.outcome.atack]\ntext = "a"', "outcome.atack: no row comes to it; did you mean attack?"),
    ],
)
def test_a_misspelt_name_in_a_patch_says_which_there_are(lay: Lay, patch: str, message: str) -> None:
    path = lay("5.2A.toml", f'[[patch]]\nreason = "my club"\n{patch}\n')
    (fault,) = check(Pack("b29"))
    assert fault.startswith(f"{path}, line ")
    assert message in fault


ROW = """id = "X-1"
title = "Tank"
dice = "1D"
cite = "mine"
rows = {"1..6" = "tank"}
[outcome.tank]
dice = "1D"
rows = {"1..3" = "leak", "4..6" = "none"}
[outcome.tank.outcome]
leak = {text = "It leaks"}
none = {text = "Nothing"}
"""


@pytest.mark.slow
def test_the_results_of_a_rows_own_die_stand_under_outcome(lay: Lay) -> None:
    path = lay("X-1.toml", ROW)
    assert check(Pack("b29")) == []
    path.write_text(ROW.replace("leak = {", "leek = {"))
    assert check(Pack("b29")) == [
        f"{path}, line 8: outcome.tank, row 1..3: the result 'leak' does nothing and has no text; "
        'such as: [outcome.leak] text = "…"',
        f"{path}, line 10: outcome.tank, outcome.leek: no row comes to it; did you mean leak?",
    ]
    path.write_text(ROW.replace("[outcome.tank.outcome]", "[outcome.tank]").replace("[outcome.tank]\nleak", "leak"))
    faults = check(Pack("b29"))
    assert len(faults) == 2
    assert faults[0].startswith(f"{path}, line 9: outcome.tank has 'leak', which there is not; ")


@pytest.mark.slow
def test_options_of_a_table_that_is_not_there(lay: Lay) -> None:
    ours = (TABLES / "b29" / "choices.toml").read_text()
    assert " of 5-6" in ours
    lay("choices.toml", ours.replace(" of 5-6", " of 5-66"))
    faults = check(Pack("b29"))
    assert faults
    assert all(", for: it sends the player to 5-66, which there is not; did you mean 5-6?" in each for each in faults)


@pytest.mark.slow
def test_the_library_is_loaded_only_to_read_or_prove_a_pack(data_folder: Path) -> None:
    for command, loaded in ((FIRE, None), (FIRE, "[]"), (("tables", "check", "b29"), "['msgspec']")):
        code = (
            f"import sys; sys.argv = {['companion', *command]!r}; from companion.cli.main import main; main(); "
            "print([each for each in ('msgspec',) if each in sys.modules])"
        )
        ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert loaded is None or ran.stdout.endswith(f"{loaded}\n")


def test_every_kind_of_file_is_declared() -> None:
    assert list(FILES) == ["table", "sheet", "rules", "sequence", "choices", "rulings", "story", "pack"]
    assert {kind_of(each) for each in ("5-9", "sheet", "pack")} == {"table", "sheet", "pack"}
