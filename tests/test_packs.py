"""Our own packs hold together: every name exists, every roll lands on a row; and what is no pack is said to be none."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.checking import check
from companion.engine.needs import printed
from companion.engine.play import Hand, Play
from companion.engine.tables import span
from companion.packs import Pack, games
from companion.problems import Problem, figure
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


def test_a_pack_that_extends_nothing_by_name_is_refused(data_folder: Path) -> None:
    path = data_folder / "packs" / "one" / "pack.toml"
    path.parent.mkdir(parents=True)
    path.write_text('id = "one"\nextends = ""\n')
    with pytest.raises(Problem, match=r"there is no game \(empty\)"):
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
    ran = companion("roll", "5-9", "--game", "b29", "--dice", "4,4", "--with", "fighter.clock=6")
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


def test_a_repeated_result_cites_its_own_table(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text('title = "Small"\n')
    (tmp_path / "sheet.toml").write_text('[field.struck]\nkind = "list"\nsection = "working"\n')
    (tmp_path / "t.toml").write_text(
        'id = "t"\ntitle = "Damage"\ndice = "1D"\ncite = "12.3"\nonce = "struck"\nrows = {"1.." = "spar"}\n'
        '[outcome.spar]\ntext = "A spar"\n'
    )
    pack = Pack("small", [tmp_path])
    assert check(pack) == []
    play = Play(pack)
    assert play.roll("t", Hand([[1]])).notes == []
    assert play.roll("t", Hand([[1]])).notes == [("Rolled before on this mission: no further effect", "12.3")]
