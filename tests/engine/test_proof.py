"""Packs: faults and their places, the schema, overlays of the player, and the cache of decoded files."""

import json
import os
import tomllib
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack, games
from companion.packs.check import NEEDED, check, placed
from companion.packs.folders import cache_file, read_file
from companion.packs.form_check import schema, slips
from companion.packs.forms import form_of
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
    assert [slip for key, path in files for slip in slips(read_file(path), form_of(key))] == []
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
    ((at, fault),) = slips(doc, form_of(kind))
    assert placed(doc, at, fault).startswith(message)


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


NIGHT_FIRE = ("roll", "5-9", "--game", "b29", "--dice", "4,4", "--with", "fighter.clock=6", "--json")


def test_a_row_is_named_by_its_key_and_its_columns_title(companion: Run, lay: Lay) -> None:
    patch = '[[patch]]\nreason = "my club"\ncolumn = [{title = "Light", rows = {2 = "none"}}]\n'
    lay("5.2a.toml", patch)
    light = ("roll", "5.2A", "--game", "b29", "--with", "resistance=light", "--json", "--dice")
    assert companion(*light, "2").json["patched"] == [{"table": "5.2A", "reason": "my club"}]
    first = companion(*light, "1").json
    assert first["outcome"] == "attack"
    assert "patched" not in first
    heavy = companion("roll", "5.2A", "--game", "b29", "--with", "resistance=heavy", "--dice", "2", "--json").json
    assert "patched" not in heavy


def test_a_note_and_a_sub_roll_can_be_changed(companion: Run, lay: Lay) -> None:
    text = '[[patch]]\nreason = "errata 9"\n[patch.sub.a]\nrows = {3 = "fixed"}\n'
    lay("5-7.toml", text + '[[patch]]\nreason = "a remark"\nnote = "Read this."\n')
    jam = companion("roll", "5-7.a", "--game", "b29", "--with", "gun=tail", "--dice", "3", "--json").json
    assert (jam["outcome"], jam["patched"]) == ("fixed", [{"table": "5-7.a", "reason": "errata 9"}])
    assert "Read this." in companion("show", "5-7", "--game", "b29").out


def test_a_file_of_the_same_name_takes_the_place_of_ours(companion: Run, lay: Lay) -> None:
    lay(
        "6-1.toml",
        'id = "6-1"\ntitle = "Haze"\ndice = "1D"\ncite = "mine"\nrows = {"1.." = "h"}\n[outcome.h]\ntext = "Haze"\n',
    )
    rolled = companion("roll", "6-1", "--game", "b29", "--dice", "5", "--json").json
    assert (rolled["title"], rolled["text"]) == ("Haze", "Haze")
    assert "patched" not in rolled


def test_a_players_patch_overrides_the_variant_and_its_base(companion: Run, lay: Lay) -> None:
    lay("5-9.toml", '[[patch]]\nreason = "errata 4"\nmodifier = [{id = "ace", add = 2}]\n')
    lay(
        "5.2A.toml",
        '[[patch]]\nreason = "mine"\ncolumn = [{title = "Light", rows = {6 = "attack"}}]\n',
        "b29-streamliner",
    )
    shot = [*NIGHT_FIRE, "--with", "fighter.pilot=ace"]
    shot[3] = "b29-streamliner"
    assert companion(*shot).json["net"] == 10
    light = ("roll", "5.2A", "--game", "b29-streamliner", "--with", "resistance=light", "--json", "--dice")
    assert companion(*light, "6").json["patched"] == [{"table": "5.2A", "reason": "mine"}]
    assert companion(*light, "2").json["outcome"] == "none"


@pytest.fixture
def spar(data_folder: Path, tmp_path: Path) -> Path:
    """Return a pack whose files were written some time ago."""
    pack(tmp_path / "spar", "spar")
    (data_folder / "cache").unlink()  # which all tests share
    for path in (tmp_path / "spar").iterdir():
        os.utime(path, (1_000_000_000, 1_000_000_000))
    return tmp_path / "spar"


def title_of(folder: Path) -> str:
    return Pack("spar", [folder]).table("t").title


def kept(folder: Path) -> Path:
    return cache_file("spar", "t", [folder / f"{name}.toml" for name in ("t", "pack")])


def test_a_cached_file_is_used_until_a_source_changes(spar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert title_of(spar) == "Damage" and json.loads(kept(spar).read_bytes())["doc"]["title"] == "Damage"
    with monkeypatch.context() as nobody:
        nobody.delattr(Pack, "parsed")
        assert title_of(spar) == "Damage"
    (spar / "t.toml").write_text((spar / "t.toml").read_text().replace("Damage", "Hits") + "# changed\n")
    assert title_of(spar) == "Hits"


def test_a_file_written_a_moment_ago_is_not_kept(spar: Path) -> None:
    (spar / "t.toml").touch()
    assert title_of(spar) == "Damage" and not kept(spar).exists()


def test_a_damaged_cache_file_is_rebuilt(spar: Path) -> None:
    title_of(spar)
    whole = kept(spar).read_bytes()
    for content in (b"", whole[:9], whole[:-1]):
        kept(spar).write_bytes(content)
        assert title_of(spar) == "Damage"
        assert kept(spar).read_bytes() == whole


def test_an_overlay_of_a_looked_up_table_applies_too(spar: Path) -> None:
    (spar / "sheet.toml").write_text(f"{(spar / 'sheet.toml').read_text()}\n[facts]\nlooked = \"row('t')\"\n")
    before = Facts(Pack("spar", [spar]).sheet)["looked"]
    over = spar.parent / "over"
    over.mkdir()
    (over / "t.toml").write_text('id = "t"\ntitle = "t"\ndice = "1D"\nrows = {"0.." = "other"}\n[outcome.other]\n')
    assert before != "other" and Facts(Pack("spar", [over, spar]).sheet)["looked"] == "other"
