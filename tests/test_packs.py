"""Our own packs hold together: every name exists, every roll lands on a row; and what is no pack is said to be none."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.play import Hand, Play
from companion.engine.tables import span
from companion.packs import Pack, games
from companion.packs.proof import NEEDED, check
from companion.problems import Problem
from companion.words import figure, printed
from tests.conftest import Run

OWNER = (
    "2-1 2-2A 2-2B 2-2C 2-2D 2-2E 2-3 2-4 2-5 2-6 2-7 2-8 2-9 3-1 3-2 4-1 4-4 4-5 4-6 4-7 4-8 4-9 4-10 4-11 "
    "7-5.a 7-5.b 7-5.c 7-5.d 7-5.e 7-5.f 7-5.g 7-5.h 7-5.n 7-5.o 7-6 7-7 7-8 7-9 7-10 7-11 7-12 7-13 7-14 "
    "8-1 8-2 8-3 8-4 8-5 8-6 8-7 9-1 9-2 9-3"
).split()


@pytest.mark.parametrize("game", games())
def test_the_pack_is_sound(game: str) -> None:
    assert check(Pack(game)) == []


@pytest.mark.parametrize("name", OWNER)
def test_tables_of_the_players_book_have_no_invented_row(b29: Pack, name: str) -> None:
    table = b29.table(name)
    assert table.owner
    assert not table.columns


def test_every_table_says_where_the_book_has_it(b29: Pack) -> None:
    assert [table.id for table in b29.all_tables() if not table.cite] == []


@pytest.mark.parametrize("name", ["", " ", "b99", "../b29"])
def test_a_game_that_is_not_there_begins_no_campaign(companion: Run, data_folder: Path, name: str) -> None:
    ran = companion("new", "Owls", "--game", name, "--yes")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("there is no game ")
    assert "known are b17, b29, b29-streamliner or bombs-away" in ran.err
    assert not (data_folder / "campaigns").exists()


def test_a_pack_that_extends_nothing_by_name_is_not_sound(data_folder: Path) -> None:
    path = data_folder / "packs" / "one" / "pack.toml"
    path.parent.mkdir(parents=True)
    path.write_text('title = "One"\nextends = ""\n')
    assert f'{path}, line 2: extends is ""; it takes the name of another game' in check(Pack("one"))
    path.write_text('title = "One"\nextends = "two"\n')
    with pytest.raises(Problem, match="there is no game two; known are "):
        Pack("one")


def test_a_game_is_known_by_one_name_however_it_is_typed(companion: Run) -> None:
    assert companion("new", "Owls", "--game", "B29", "--yes").code == 0
    assert companion("campaigns", "--json").json[0]["game"] == "b29"
    assert companion("mission", "start", "--yes", "--game", "B29-Streamliner").code == 0
    assert companion("status", "--json").json["game"] == "b29-streamliner"


@pytest.mark.parametrize("moment", ["1944-11-24", "1944-11-24T06:15:00", "06:15:00"])
def test_a_date_in_a_pack_is_said_with_its_file(companion: Run, data_folder: Path, moment: str) -> None:
    path = data_folder / "packs" / "b29" / "5-9.toml"
    path.parent.mkdir(parents=True)
    path.write_text(f'[[patch]]\nreason = "errata"\nnote = {moment}\n')
    said = f"{path}: no table holds a date or a time; put {moment.replace('T', ' ')} in quotes"
    for _ in range(2):  # what is wrong is not kept as if it were right
        ran = companion("roll", "5-9", "--game", "b29", "--dice", "4,4", "--with", "fighter.clock=6")
        assert (ran.code, ran.err) == (1, f"{said}\n")
    assert said in companion("tables", "check", "b29").out
    path.write_text(f'[[patch]]\nreason = "errata"\nnote = "{moment}"\n')
    assert companion("tables", "check", "b29").code == 0


def test_a_number_of_thousands_of_figures_is_said_with_its_file(companion: Run, data_folder: Path) -> None:
    path = data_folder / "packs" / "b29" / "pack.toml"
    path.parent.mkdir(parents=True)
    path.write_text(f"missions = {'9' * 5000}\n")
    ran = companion("tables", "check", "b29")
    assert ran.code == 2
    assert f"b29, {path}: it is not valid TOML: " in ran.out
    ran = companion("new", "Owls", "--game", "b29", "--yes")
    assert ran.code == 1
    assert ran.err.startswith(f"{path} is not valid TOML: ")


def test_a_data_folder_of_nobody(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", "~nobody-here-has-that/x")
    ran = companion("campaigns")
    assert (ran.code, ran.err) == (1, "COMPANION_HOME is ~nobody-here-has-that/x, but nobody here has that name\n")


@pytest.mark.parametrize("number", ["7", "+7", " 7 ", "-7", "007"])
def test_a_figure_is_written_in_the_ten_digits(number: str) -> None:
    assert figure(number) == printed(number) == (-7 if "-" in number else 7)


@pytest.mark.parametrize("word", ["", "²", "٣", "1_0", "+", "--1", "1.0", "0x1", "6" * 5000])
def test_what_only_looks_like_a_figure_is_a_word(word: str) -> None:
    assert figure(word) is None
    assert isinstance(printed(word), str)


@pytest.mark.parametrize("row", ["", "..", "5..3", "٣", "1_0", "1-3", "²..", "1...3"])
def test_what_is_no_row(row: str) -> None:
    with pytest.raises(ValueError, match="is not a number or a range"):
        span(row)


PACK = 'title = "Small"\n'
SHEET = """[fields.working]
step = {label = "Step of the turn"}
"mission.number" = {label = "Flight", kind = "count", limit = [1], default = 1}
struck = {kind = "list"}
"""
TABLE = """id = "t"
title = "Damage"
dice = "1D"
cite = "12.3"
memory = "struck"
rows = {"1.." = "spar"}
[outcome.spar]
text = "A spar"
once = true
do = ["struck = 'spar'"]
"""
SEQUENCE = """[[step]]
id = "hit"
title = "What is hit"
then = ["t"]
"""


def small(folder: Path, **files: str) -> Pack:
    """A game of one table, with these files in place of its own or beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"pack": PACK, "sheet": SHEET, "t": TABLE, "sequence": SEQUENCE, **files}.items():
        (folder / f"{name}.toml").write_text(text)
    return Pack(folder.name, [folder])


def test_a_repeated_result_cites_its_own_table(tmp_path: Path) -> None:
    pack = small(tmp_path / "small", t=TABLE.replace("do = [\"struck = 'spar'\"]\n", ""))
    assert check(pack) == []
    play = Play(pack)
    assert play.roll("t", Hand([[1]])).notes == []
    assert play.roll("t", Hand([[1]])).notes == [("Rolled before on this mission: no further effect", "12.3")]


def test_a_game_that_is_sound_can_be_flown(companion: Run, data_folder: Path) -> None:
    small(data_folder / "packs" / "small", t=TABLE.replace("do = [\"struck = 'spar'\"]\n", ""))
    assert companion("tables", "check", "small").out == "small: 1 tables, sound\n"
    for command in (
        ("new", "Owls", "--game", "small", "--yes"),
        ("mission", "start", "--yes"),
        ("status",),
        ("next",),
        ("fly", "--auto", "--seed", "1"),
        ("status", "--json"),
        ("log",),
        ("campaign",),
    ):
        ran = companion(*command)
        assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("name", NEEDED)
def test_a_game_that_cannot_be_flown_is_not_sound(tmp_path: Path, name: str) -> None:
    lines = [line for line in SHEET.splitlines() if name not in line]
    (said,) = check(small(tmp_path / "small", sheet="\n".join(lines)))
    assert f"the sheet lacks the field {name}: " in said
    assert "such as, in [fields.working]: " in said


def test_every_game_has_a_sheet_and_a_title(tmp_path: Path) -> None:
    pack = small(tmp_path / "small", pack="missions = 3\n")
    assert check(pack) == [
        f'{tmp_path / "small" / "pack.toml"}: it lacks title, which every screen and sheet shows: title = "…"'
    ]
    (tmp_path / "small" / "sheet.toml").unlink()
    assert check(Pack("small", [tmp_path / "small"]))[-1] == (
        "small has no sheet.toml, which declares the fields of its log sheet"
    )


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("t", TABLE.replace('id = "t"', 'id = "u"'), "line 1: id: its id is 'u', not its file's name"),
        ("t", TABLE.replace('cite = "12.3"\n', ""), "it does not say where the book has it"),
        ("t", TABLE.replace('"1.."', '"2.."'), "line 6: rows: a roll of 1 lands on no row"),
        (
            "t",
            TABLE.replace('"1.."', '"1..6"') + "[[modifier]]\nid = 'a'\nadd = 1\nwhy = 'b'\n",
            "a net 7 lands on no row",
        ),
        ("t", TABLE.replace("outcome.spar", "outcome.spars"), "the result 'spar' does nothing and has no text"),
        (
            "t",
            TABLE.replace("outcome.spar", "outcome.spars"),
            "line 7: outcome.spars: no row comes to it; did you mean spar",
        ),
        (
            "t",
            'id = "t"\ntitle = "A"\ncite = "1"\n',
            "it has no rows, does nothing, and is not marked as an owner table",
        ),
        ("t", 'id = "t"\ntitle = "A"\ncite = "1"\ndice = "1D"\n', "it has no rows and is not marked as an owner table"),
        ("t", TABLE + 'then = ["u"]\n', "line 11: outcome.spar, then 1: it sends the player to u, which there is not"),
        ("t", TABLE + 'then = [{choose = "a"}]\n', "it asks for a choice a, which there is not"),
        ("t", 'ask = "man"\n' + TABLE, "line 1: ask: it is about one man, and there is no such index"),
        (
            "t",
            TABLE.replace("= 'spar'", "= 'spar' if struk = ''"),
            "line 10: outcome.spar, do 1: there is no fact struk",
        ),
        ("t", TABLE.replace('"1.."', '"1..3" = "spar", "3..6"'), "two rows claim a roll of 3"),
        (
            "t",
            TABLE.replace("[outcome", "[[column]]\nmodifier = ['a']\nrows = {}\n[outcome"),
            "line 7: column 1: it names a modifier a, which there is not",
        ),
        (
            "sheet",
            SHEET + "a = {values = 'b c', default = 'd'}\n",
            "line 5: a: its default: a cannot be d; it is b or c",
        ),
        (
            "sheet",
            SHEET + "[fields.head]\na = {}\n",
            "line 6: a: it stands in a section 'head' that [sections] does not",
        ),
        ("sheet", SHEET + "a = {until = 'never'}\n", "line 5: a: it lasts until never, which never happens"),
        ("sheet", SHEET + '"a[gun]" = {}\n', "line 5: a[gun] names an index gun that the sheet does not declare"),
        ("sheet", SHEET + "[facts]\na = 'b'\nb = 'a'\n", "the fact a: "),
        ("sheet", SHEET + "[index]\nman = 3\n[fields.head]\n", ""),
        (
            "rules",
            "[[rule]]\non = 'stuck'\n",
            "line 2: rule 1, on: it waits for stuck, which never happens; did you mean struck",
        ),
        ("rules", "[[rule]]\ndo = [\"struck = 'a'\"]\n", "line 1: rule 1: it has neither `on` nor a condition"),
        ("rules", '[[rule]]\non = "t"\nwhen = "step = 3 +"\n', "line 3: rule 1, when: here stands what does not fit"),
        (
            "rules",
            '[[rule]]\non = "t"\ndo = ["""\n  step = 1\n  if stp = 2"""]\n',
            "line 5: rule 1, do 1: there is no fact stp",
        ),
        ("choices", "[choice.a]\ntitle = 'b'\noption = []\n", "line 1: choice a: it has no option to choose"),
        (
            "choices",
            "[choice.a]\ntitle = 'b'\n[[choice.a.option]]\nname = 'c'\nwhen = 'zone = 1'\n",
            "line 5: choice a, option c, when: there is no fact zone",
        ),
        (
            "sequence",
            SEQUENCE + "go = 'hitt'\n",
            "line 5: step hit, go: it goes to hitt, which there is not; did you mean hit",
        ),
        ("sequence", SEQUENCE + SEQUENCE, "line 5: step hit: two steps have the id hit"),
        ("pack", PACK + "briefing = ['zone']\n", "line 2: briefing: it names zone, which the sheet does not declare"),
        ("pack", PACK + "landing = ['u']\n", "line 2: landing: it sends the player to u, which there is not"),
        ("pack", PACK + "[print]\nwithout = ['head']\n", "it names a section head that the sheet does not declare"),
        ("pack", PACK + "[log]\nflew = 'yes'\n", "it speaks of men, and the sheet has no index position"),
        ("pack", PACK + "[log]\ncounts = 'stp = 1'\n", "line 3: counts: there is no fact stp"),
        ("pack", PACK + "[log]\nresult = 'step'\naverage = 'zone'\n", "average: it names zone, which the sheet"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, file: str, text: str, said: str) -> None:
    found = check(small(tmp_path / "small", **{file: text}))
    assert any(said in each for each in found) if said else found == []
    assert all(each.startswith(f"{tmp_path / 'small'}/") for each in found)


def test_a_fighter_is_added_only_where_slots_are_counted(tmp_path: Path) -> None:
    sheet = "[index]\nman = 3\n" + SHEET + '"man[man].state" = {}\n'
    table = TABLE.replace("struck = 'spar'", "add man (state = 'up')")
    (said,) = check(small(tmp_path / "small", sheet=sheet, t=table))
    assert "line 10: outcome.spar, do 1: it adds one man: the sheet needs slots.man" in said
    assert check(small(tmp_path / "small", sheet=sheet + '"slots.man" = {kind = "count", limit = 3}\n', t=table)) == []
