"""Whatever is written in the files of a pack: a sentence or a result, soon, and never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import SystemFault, UserError

SMALL = "[fields.all]\nzone = {kind = 'count'}\nstep = {}\n"


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ('rows = {"1..999999999" = "a"}', "spans more than any dice"),
        ("rows = 5", "t.toml, line 3: rows is 5; it takes a table"),
        ('dice = "99999D"\nrows = {1 = "a"}', "no dice are called"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "t", times = 1000000000}]', "asks for 1000000000 rolls"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "t", rows = "1..999999999"}]', "asks for the rows"),
        ('rows = {"1.." = "a"}\n[outcome.a]\ndo = [5]', "a sentence is written in quotes"),
        ('rows = {"1.." = "a"}\n[outcome.a]\ndo = 5', "t.toml, line 5: outcome.a.do is 5; it takes"),
        ('rows = {"1.." = "a"}\n[outcome.a]\nis = "99D"', "a roll takes 1D to 12D"),
        (f'rows = {{"1.." = "a"}}\n[outcome.a]\ndo = ["zone = {"9" * 400}"]', "longer than any"),
        (f'rows = {{"1.." = "a"}}\n[outcome.a]\ndo = ["zone = 1 if {"(" * 300}"]', "nested too deeply"),
        (f'rows = {{"1.." = "a"}}\n[outcome.a]\ntext = "{{{"not " * 300}}}"', "nested too deeply"),
    ],
)
def test_what_no_table_can_mean_is_said_with_its_name(tmp_path: Path, rows: str, message: str) -> None:
    dice = "" if rows.startswith("dice") else 'dice = "1D"\n'
    (tmp_path / "pack.toml").write_text('title = "Small"\n')
    (tmp_path / "sheet.toml").write_text(SMALL)
    (tmp_path / "t.toml").write_text(f'id = "t"\n{dice}{rows}\n')
    pack = Pack("small", [tmp_path])
    with pytest.raises(UserError) as refused:
        Mission(pack).roll("t", Hand([[3]]))
    assert message in str(refused.value)


def test_a_sheet_without_sense_is_named(tmp_path: Path) -> None:
    for text in (
        "fields = 5",
        "[index]\nfighter = 1000000000",
        "[index]\na = 'b'\n[fields.all]\n'x[a]' = {kind='count'}",
        "[fields.all]\n'x[' = {}",
        "[fields.all]\n'x[nobody]' = {}",
        "[index]\na = 1000\n[fields.all]\n'x[a][a as b][a as c]' = {}",
        "facts = {a = 'b', b = 'a'}",
    ):
        (tmp_path / "pack.toml").write_text('title = "Small"\n')
        (tmp_path / "sheet.toml").write_text(text)
        with pytest.raises(SystemFault):
            _ = Pack("small", [tmp_path]).sheet
    (tmp_path / "sheet.toml").write_text("a = " + "[" * 5000)
    with pytest.raises(SystemFault):
        _ = Pack("small", [tmp_path]).sheet
