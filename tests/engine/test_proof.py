"""`tables check` and the schema: the built-in packs pass, faults are reported with file, line and place."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from companion.engine.facts import FactQuestion, Facts
from companion.engine.play import Hand, Play
from companion.engine.questions import settle
from companion.packs import Pack, games
from companion.packs.check import NEEDED, check
from companion.packs.form_check import schema, slips
from companion.packs.forms import kind_of
from companion.packs.places import placed
from companion.packs.toml_files import read_file
from tests.support import PACKS, Lay, Run, asks, pack, slow_but

PACK, SHEET, TABLE, SEQUENCE = (
    (PACKS / "spar" / f"{name}.toml").read_text() for name in ("pack", "sheet", "t", "sequence")
)


def test_a_repeated_result_cites_its_own_table(tmp_path: Path) -> None:
    game = pack(tmp_path / "spar", "spar", t=TABLE.replace("do = [\"struck = 'spar'\"]\n", ""))
    assert check(game) == []
    play = Play(game)
    assert settle(play.roll("t", Hand([[1]]))).notes == []
    assert settle(play.roll("t", Hand([[1]]))).notes == [("Rolled before on this mission: no further effect", "12.3")]


def test_a_game_that_is_sound_can_be_flown(companion: Run, data_folder: Path) -> None:
    pack(data_folder / "packs" / "spar", "spar", t=TABLE.replace("do = [\"struck = 'spar'\"]\n", ""))
    assert companion("tables", "check", "spar").out == "spar: 1 table, sound\n"
    for command in (
        ("new", "Owls", "--game", "spar", "--yes"), ("mission", "start", "--yes"), ("status",), ("next",),
        ("fly", "--auto", "--seed", "1"), ("status", "--json"), ("log",), ("campaign",),
    ):  # fmt: skip
        ran = companion(*command)
        assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("name", NEEDED)
def test_a_game_that_cannot_be_flown_is_not_sound(tmp_path: Path, name: str) -> None:
    lines = [line for line in SHEET.splitlines() if name not in line]
    (fault,) = check(pack(tmp_path / "spar", "spar", sheet="\n".join(lines)))
    assert f"the sheet needs the field {name}: " in fault
    assert "E.g. in [fields.working]: " in fault


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("t", TABLE.replace('id = "t"', 'id = "u"'), "line 1: id: its id is 'u', not its file's name"),
        ("t", TABLE.replace('"1.."', '"1..6"') + "[[modifier]]\nid = 'a'\nadd = 1\nwhy = 'b'\n", "a net 7 has no row"),
        ("t", TABLE.replace('cite = "12.3"\n', ""), "it needs its place in the rulebook"),
        ("t", TABLE.replace('"1.."', '"2.."'), "line 6: rows: a roll of 1 has no row"),
        ("t", TABLE.replace("outcome.spar", "outcome.spars"), "the result 'spar' needs an effect or a text"),
        ("t", TABLE.replace("outcome.spar", "outcome.spars"),
         "line 7: outcome.spars: no row gives this result. Did you mean spar"),
        ("t", TABLE + 'then = ["u"]\n', "line 11: outcome.spar, then 1: there is no table u"),
        ("t", TABLE + 'then = [{roll = "t", with = {beam = "yes"}}]\n', "with.beam: there is no field beam"),
        ("t", TABLE.replace("= 'spar'", "= 'spar' if struk = ''"),
         "line 10: outcome.spar, do 1: there is no field struk"),
        ("sheet", SHEET + "a = {values = 'b c', default = 'd'}\n", "line 5: a: its default: a must be b or c, not d"),
        ("sheet", SHEET + "[facts]\na = 'b'\nb = 'a'\n", "the fact a: "),
        ("sheet", SHEET + "[index]\nman = 3\n[fields.head]\n", ""),
        ("rules", "[[rule]]\non = 'stuck'\n", "line 2: rule 1, on: there is no event stuck. Did you mean struck"),
        (
            "rules",
            '[[rule]]\non = "t"\ndo = ["""\n  step = 1\n  if stp = 2"""]\n',
            "line 5: rule 1, do 1: there is no field stp",
        ),
        ("choices", "[choice.a]\ntitle = 'b'\n[[choice.a.option]]\nname = 'c'\nwhen = 'zone = 1'\n",
         "line 5: choice a, option c, when: there is no field zone"),
        ("sequence", SEQUENCE + "go = 'hitt'\n", "line 5: step hit, go: there is no step hitt. Did you mean hit"),
        ("pack", PACK + "landing = ['u']\n", "line 2: landing 1: there is no table u"),
        ("pack", PACK + "requires = '99'\n", "it needs version 99 of the companion"),
        ("pack", PACK + "[log]\ncounts = 'stp = 1'\n", "line 3: counts: there is no field stp"),
    ],
)  # fmt: skip
def test_a_fault_is_reported_with_its_place(tmp_path: Path, file: str, text: str, message: str) -> None:
    faults = check(pack(tmp_path / "spar", "spar", **{file: text}))
    assert any(message in each for each in faults) if message else faults == []
    assert all(each.startswith(f"{tmp_path / 'spar'}/") for each in faults)


def test_every_accepted_value_has_a_column_in_tables_that_read_it(tmp_path: Path) -> None:
    """One answer cannot fix two fields that no column accepts together; `none`, or a single one, is asked for."""
    fields = 'sky = {values = "clear grey dark"}\nsea = {values = "calm swell rough"}\n'
    sheet = SHEET + fields
    both = [("clear", "calm"), ("grey", "swell")]
    columns = [f'[[column]]\nwhen = "sky = {sky} and sea = {sea}"\nrows = {{"1.." = "spar"}}\n' for sky, sea in both]
    table = TABLE.replace('rows = {"1.." = "spar"}\n', "")
    (fault,) = check(pack(tmp_path / "spar", "spar", sheet=sheet, t=table + "".join(columns)))
    assert fault.endswith("t.toml: it has no column for sky = dark and sea = rough")
    columns.append('[[column]]\nwhen = "sea = rough"\nrows = {"1.." = "spar"}\n')
    game = pack(tmp_path / "spar", "spar", sheet=sheet, t=table + "".join(columns))
    assert check(game) == []
    with asks(FactQuestion) as asked:
        game.table("t").column(Facts(game.sheet, {"sky": "dark", "sea": "calm"}, asking=True))
    assert (asked.value.name, asked.value.declared.values) == ("sky", ("clear",))


RUNAWAYS = [
    ("t", TABLE.replace("[outcome", 'then = ["t"]\n[outcome', 1), "every result leads to a roll that leads here again"),
    ("t", TABLE.replace('"1.."', '"..5" = "spar", "5.."'), "the rows ..5 and 5.. both claim a roll of 5"),
    ("sequence", SEQUENCE + 'go = "hit"\n', "from the step hit on, the mission never ends"),
    ("sheet", SHEET + "a = {boxes = 1000000000000}\n", "a number from 0 to 1000"),
    ("sheet", SHEET + "a = {kind = 'count', limit = [9, 1]}\n", "a: it can hold 9 to 1"),
]


@pytest.mark.parametrize(("file", "text", "message"), RUNAWAYS)
def test_what_runs_away_is_told_and_not_flown(
    companion: Run, data_folder: Path, file: str, text: str, message: str
) -> None:
    pack(data_folder / "packs" / "spar", "spar", **{"t": TABLE.replace("do = [\"struck = 'spar'\"]\n", ""), file: text})
    checked = companion("tables", "check", "spar")
    assert checked.code == 2 and message in checked.out
    made = companion("new", "Owls", "--game", "spar", "--yes")
    refused = made if made.code else companion("mission", "start", "--yes")
    assert refused.code == 1 and message in refused.err and f"{file}.toml" in refused.err


def test_a_member_that_nothing_names_is_told_with_its_place(companion: Run, data_folder: Path) -> None:
    sheet = SHEET + '"hits[part]" = {kind = "count"}\n[index]\npart = ["wing", "tail"]\n'
    table = TABLE.replace("do = [\"struck = 'spar'\"]", 'then = [{roll = "t", when = "hits[part] >= 1"}]')
    pack(data_folder / "packs" / "spar", "spar", sheet=sheet, t=table)
    checked = companion("tables", "check", "spar")
    assert "t.toml, line 10: outcome.spar, then: nothing says which part this is; add for, with or ask" in checked.out
    rolled = companion("roll", "t", "--game", "spar", "--dice", "1")
    assert rolled.code == 1 and "t.toml, line 10: outcome.spar, then" in rolled.err


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
        ("table", "outcomes = {}", "outcomes: 'outcomes' is an unknown key. Did you mean outcome"),
        ("table", "rows = {'1-3' = 'a'}", "row 1-3: '1-3' is not a number or a range, e.g. ..3, 4..6 or 7.."),
        ("table", "modifier = [{id = 'a', why = 'b', add = 1.5}]",
         "modifier a, add: it is 1.5, but must be a whole number or a formula, e.g."),
        ("table", "[outcome.crew]\ndice = '1D'\nrows = {1 = 'leak'}\n[outcome.crew.outcome.leak]\ntxt = 'a'",
         "outcome.crew, outcome.leak, txt: 'txt' is an unknown key. Did you mean text"),
        ("sheet", "[fields.a]\nb = {kind = 'box'}", 'b, kind: it is "box", but must be flag, count, number, boxes'),
        ("table", "[[patch]]\nreason = 'a'\nid = 'b'", "id: 'id' is an unknown key"),
        ("table", "[[patch]]\nnote = 'a'", "it needs a reason"),
    ],
)  # fmt: skip
def test_a_slip_is_a_sentence(kind: str, text: str, message: str) -> None:
    whole = text if kind != "table" or "patch" in text else WIND + text
    doc = tomllib.loads(whole)
    ((at, fault),) = slips(doc, kind)
    assert placed(doc, at, fault).startswith(message)


@pytest.mark.parametrize(
    ("kind", "piece"),
    [
        ("table", {"modifier": [{"id": "a", "add": 2, "after": "b"}, {"id": "c", "remove": True}]}),
        ("table", {"sub": {"a": {"outcome": {"b": {"remove": True}}, "rows": {"3": "fixed"}}}}),
        ("table", {"column": [{"title": "Light", "rows": {"2": ["a", {"as": "b", "with": {"c": "d"}}]}}]}),
        ("sheet", {"facts": {"a": {"label": "b"}, "c": "zone >= 2"}, "index": {"gun": {"tail": {"label": "Tail"}}}}),
    ],
)
def test_a_piece_of_a_patch_needs_no_words_but_those_that_change(kind: str, piece: dict[str, Any]) -> None:
    doc = {"patch": [{"reason": "errata 4", **piece}]}
    assert list(slips(doc, kind)) == []
    assert VALIDATOR.is_valid(doc)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("patch", "message"),
    [
        ('[[patch.column]]\ntitle = "Lihgt"\nrows = {2 = "none"}', "there is no column 'Lihgt'. Did you mean Light?"),
        ('modifier = [{id = "x", remove = true}]', "there is no modifier x to remove. Choose "),
        ("[patch.outcome.atack]\nremove = true", "there is no outcome atack to remove. Did you mean attack?"),
    ],
)
def test_a_misspelt_name_in_a_patch_says_which_there_are(lay: Lay, patch: str, message: str) -> None:
    path = lay("5.2A.toml", f'[[patch]]\nreason = "my club"\n{patch}\n')
    (fault,) = check(Pack("b29"))
    assert fault.startswith(f"{path}, line ")
    assert message in fault
