"""Invalid pack files: every command reports the file by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.packs.check import check
from tests.support import Lay, Run, pack, sheet_of


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ('wide = {label = "Wide {"}', "its label has an unmatched brace"),
        ('wide = {boxes = "gun.bursts"}', "its boxes are gun.bursts, which no index on the sheet has"),
        ('"wide[gun]" = {boxes = "gun.bursts"}', "its boxes are gun.bursts, which isn't a number for every gun"),
        ('wide = {kind = "count", limit = []}',
         "limit has 0 of them, but needs a list of the lowest number and the highest"),
    ],
)  # fmt: skip
def test_a_field_that_cannot_be_drawn_is_said_with_its_line(tmp_path: Path, field: str, sentence: str) -> None:
    sheet = f'{sheet_of("spar")}{field}\n[index.gun]\ntail = {{bursts = "many"}}\n'
    game = pack(tmp_path, "spar", sheet=sheet)
    assert any("sheet.toml, line 5: " in each and sentence in each for each in check(game)), check(game)


def test_the_game_that_a_pack_extends_is_a_name(companion: Run, lay: Lay) -> None:
    path = lay("pack.toml", 'extends = ["b29"]\n')
    ran = companion("show", "5-1", "--game", "b29")
    assert (ran.code, ran.err) == (1, f'{path}: extends must be the name of a game, e.g. extends = "b17".\n')


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("sheet", "fields = 5\n", "sheet.toml, line 1: fields is 5, but must be a table"),
        ("sheet", "[fields.all]\n'x[nobody]' = {}\n", "x[nobody] uses an index nobody that the sheet doesn't declare"),
        ("pack", "status = 5\n", "pack.toml, line 1: status is 5, but must be a table"),
        ("t", 'id = "t"\nrows = 5\n', "t.toml, line 2: rows is 5, but must be a table"),
        ("t", 'id = "t"\nrows = {"1..999999999" = "a"}\n', "is larger than any roll"),
        ("t", 'id = "t"\nrows = {"1.." = "a"}\n[outcome.a]\ndo = 5\n',
         "t.toml, line 4: outcome.a.do is 5, but must be"),
    ],
)  # fmt: skip
def test_every_command_reports_a_bad_file(
    companion: Run, data_folder: Path, file: str, text: str, sentence: str
) -> None:
    pack(data_folder / "packs" / "spar", "spar", **{file: text})
    ran = companion("roll", "t", "--game", "spar", "--dice", "3")
    assert (ran.code, ran.out) == (1, "") and sentence in ran.err, ran.err
