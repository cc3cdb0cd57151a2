"""The player's overlays of built-in tables: patches with a reason, and whole files."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.packs import Pack, tables_folder
from companion.packs.overlays import carved
from companion.problems import SystemFault
from tests.support import Lay, Run


@pytest.mark.parametrize(
    ("below", "above", "rows"),
    [
        ({"..3": "a", "4..": "b"}, {"3": "c"}, {"..2": "a", "4..": "b", "3": "c"}),
        ({"1..6": "a"}, {"3..4": "c"}, {"1..2": "a", "5..6": "a", "3..4": "c"}),
        ({"7": "a", "8..": "b"}, {"7": "c", "8..9": "d"}, {"10..": "b", "7": "c", "8..9": "d"}),
        ({}, {"..5": "a", "6..": "b"}, {"..5": "a", "6..": "b"}),
    ],
)
def test_rows_over_rows(below: dict[str, str], above: dict[str, str], rows: dict[str, str]) -> None:
    assert carved(below, above) == rows


NIGHT_FIRE = ("roll", "5-9", "--game", "b29", "--dice", "4,4", "--with", "fighter.clock=6", "--json")


@pytest.mark.slow
def test_a_patched_modifier_counts_and_says_why(companion: Run, lay: Lay) -> None:
    assert "patched" not in companion(*NIGHT_FIRE).json
    lay("5-9.toml", '[[patch]]\nreason = "errata 4"\nmodifier = [{id = "ace", add = 2}]\n')
    ace = companion(*NIGHT_FIRE, "--with", "fighter.pilot=ace").json
    assert ace["net"] == 10
    assert ace["patched"] == [{"table": "5-9", "reason": "errata 4"}]
    assert "counted: errata 4" in companion(*NIGHT_FIRE[:-1], "--with", "fighter.pilot=ace").out


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[patch]]\nmodifier = [{id = "ace", add = 1}]\n', "gives no reason"),
        ('[[patch]]\nreason = "x"\nrows = {1-3 = "hit"}\n', "isn't a number or a range"),
        ('[[patch]]\nreason = "x"\nid = "5-10"\n', "can't change id"),
        ("[[patch]\n", "line 1"),
    ],
)
def test_a_broken_patch_is_named(companion: Run, lay: Lay, text: str, message: str) -> None:
    lay("5-9.toml", text)
    ran = companion(*NIGHT_FIRE)
    assert ran.code == 1
    assert "5-9.toml" in ran.err
    assert message in ran.err


def test_a_patch_over_nothing(data_folder: Path, lay: Lay) -> None:
    lay("X-1.toml", '[[patch]]\nreason = "x"\nnote = "y"\n')
    with pytest.raises(SystemFault, match="no x-1 below it"):
        Pack("b29").read("x-1")


def test_packs_that_extend_each_other_in_a_circle_are_refused(lay: Lay) -> None:
    lay("pack.toml", 'id = "one"\nextends = "two"\n', "one")
    lay("pack.toml", 'id = "two"\nextends = "one"\n', "two")
    with pytest.raises(SystemFault, match="in a circle"):
        Pack("one")


def test_a_wrong_sentence_is_refused_with_its_line_when_the_table_is_rolled(companion: Run, lay: Lay) -> None:
    ours = (tables_folder() / "b29" / "5-7.toml").read_text()
    own = lay("5-7.toml", ours.replace("fighter.clock = dive", "fighter.clok = dive"))
    line = next(n for n, text in enumerate(own.read_text().splitlines(), 1) if "fighter.clok" in text)
    ran = companion("roll", "5-7", "--game", "b29", "--dice", "3,4", "--with", "gun=tail")
    first, sentence, mark = ran.err.splitlines()
    assert (ran.code, ran.out) == (1, "")
    assert first.startswith(f"{own}, line {line}: modifier dive, when: there is no field fighter.clok. Did you mean")
    assert (sentence, mark) == ("    fighter.clok = dive", "    ^")
