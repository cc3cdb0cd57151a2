"""`tables edit`, `diff` and `reset`: a built-in table edited by the player."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.packs import Pack, own_tables, tables_folder
from companion.packs.check import check
from companion.problems import UserError
from tests.support import END, ERRATA, Lay, Run, Terminal, copy_of


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return an editor that replaces one text with another."""

    def is_going_to(old: str, new: str, keep: Path | None = None) -> None:
        script = tmp_path / "editor.py"
        kept = f"pathlib.Path({str(keep)!r}).write_text(p.read_text())\n" if keep else ""
        script.write_text(
            f"import pathlib, sys\np = pathlib.Path(sys.argv[1])\n{kept}"
            f"p.write_text(p.read_text().replace({old!r}, {new!r}))\n"
        )
        monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
        monkeypatch.delenv("VISUAL", raising=False)

    return is_going_to


SIX = ('id = "six", add = 2', 'id = "six", add = 3')
FROM_6 = ("roll", "5-7", "--game", "b29", "--dice", "3,4", "--with", "fighter.clock=6", "--json")


@pytest.mark.slow
def test_an_edited_table_counts_and_the_difference_is_shown(companion: Run, editor: Any, data_folder: Path) -> None:
    assert "are the built-in ones" in companion("tables", "diff", "b29").out
    editor(*SIX)
    assert companion("tables", "edit", "5-7", "--game", "b29").code == 0
    assert copy_of(data_folder, "5-7.toml").exists()
    assert {"add": 3, "why": "from 6", "cite": "5-7"} in companion(*FROM_6).json["modifiers"]
    text = companion("tables", "diff", "b29").out.splitlines()
    assert "5-7: your version replaces the built-in one" in text
    for sign, change in zip("-+", SIX, strict=True):
        assert [line for line in text if line.strip().startswith(sign) and change in line]


def test_the_whole_table_is_opened_with_our_words_and_its_ids(
    companion: Run, editor: Any, data_folder: Path, tmp_path: Path
) -> None:
    editor('"""', '"""', keep=tmp_path / "opened.toml")
    companion("tables", "edit", "8-1", "--game", "b29")
    ours = tables_folder() / "b29" / "8-1.toml"
    assert (tmp_path / "opened.toml").read_text() == ours.read_text()
    assert 'id = "gear-up"' in ours.read_text()


@pytest.mark.slow
def test_copied_rows_go_after_the_players_edits(companion: Run, lay: Lay) -> None:
    file = lay("8-1.toml", ERRATA)
    pack = Pack("b29")
    modifier: dict[str, str | int] = {"id": "book-1", "add": -1, "when": "weather = poor", "why": "crosswind"}
    rows = [("..6", "Made up", "wrecked"), ("7..", "Fine", "safe")]
    patch = own_tables.patch_of(pack.table("8-1"), own_tables.Notes(rows, modifiers=[modifier], dice="2D"))
    own_tables.add_patch(pack, "8-1", patch)
    text = file.read_text()
    assert text.startswith(ERRATA) and "# not -2" in text
    patches = tomllib.loads(text)["patch"]
    assert [each["reason"] for each in patches][-1] == "from your rulebook"
    assert patches[-1]["modifier"] == [modifier]
    assert patches[-1]["rows"] == {"..6": {"as": "wrecked", "text": "Made up"}, "7..": {"as": "safe", "text": "Fine"}}
    given = ("--with", "weather=poor", "--with", "bip=yes")
    rolled = companion("roll", "8-1", "--game", "b29", "--dice", "6,6", *given, "--json").json
    assert rolled["net"] == 8
    assert check(Pack("b29")) == []


@pytest.mark.parametrize("text", ['patch = [{reason = "errata 4", note = "x"}]\n', 'id = "8-1"\ntitle = "Mine"\n'])
def test_copied_rows_go_into_a_separate_patch_file(lay: Lay, text: str) -> None:
    file = lay("8-1.toml", text)
    with pytest.raises(UserError, match="Nothing was saved"):
        own_tables.add_patch(Pack("b29"), "8-1", {"reason": "x", "note": "y"})
    assert file.read_text() == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('dice = "2D"', 'dice = "2D', "valid TOML"),
        ('"fighter.clock = 6"', '"fighter.clok = 6"', "fighter.clok"),
        ('"..10" = "miss"', '"..9" = "miss"', "has no row"),
        ('dice = "2D"', "dice = 2", "dice"),
        ('why = "from 6"', 'why = "from 6", when = "evasive"', "valid TOML"),
    ],
)
def test_a_broken_one_is_refused_and_the_old_copy_stays(
    companion: Run, editor: Any, data_folder: Path, old: str, new: str, reason: str
) -> None:
    editor(*SIX)
    companion("tables", "edit", "5-7", "--game", "b29")
    copy = copy_of(data_folder, "5-7.toml")
    before = copy.read_text()
    line = next(number for number, each in enumerate(before.splitlines(), 1) if old in each)
    editor(old, new)
    ran = companion("tables", "edit", "5-7", "--game", "b29")
    assert ran.code == 2
    assert f"5-7.toml, line {line}: " in ran.out
    assert ran.err.count("\n") == 1 and "Your earlier copy is unchanged" in ran.err
    assert reason in ran.out
    assert copy.read_text() == before
    editor(new, old)  # the draft is still there to be mended
    assert companion("tables", "edit", "5-7", "--game", "b29").code == 0


def test_at_a_terminal_it_can_be_opened_again(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "twice.py"
    script.write_text(
        "import pathlib, sys\np = pathlib.Path(sys.argv[1])\nt = p.read_text()\nright = 'dice = \"2D\"'\n"
        "p.write_text(t.replace(right, 'dice = 2') if right in t else t.replace('dice = 2', right + '  # two'))\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    t = Terminal("tables", "edit", "5-7", "--game", "b29")
    t.expect("5-7.toml, line 3: ", r"isn't used yet. Open it again\? \[Y/n\] ")
    t.say("", r"is\s+now\s+used for b29", END)
    assert 'dice = "2D"  # two' in copy_of(data_folder, "5-7.toml").read_text()


def test_ours_counts_again_and_the_players_file_is_kept(companion: Run, lay: Lay) -> None:
    file = lay("5-7.toml", '[[patch]]\nreason = "mine"\nmodifier = [{id = "six", add = 3}]\n')
    assert {"add": 3, "why": "from 6", "cite": "5-7"} in companion(*FROM_6).json["modifiers"]
    assert "add --yes" in companion("tables", "reset", "5-7", "--game", "b29").err
    assert file.exists()
    ran = companion("tables", "reset", "5-7", "--game", "b29", "--yes")
    kept = file.with_name("5-7.toml.bak")
    assert (ran.code, ran.out) == (0, f"5-7 of b29 is the built-in version again. Yours is kept as {kept}.\n")
    assert "add = 3" in kept.read_text() and not file.exists()
    assert {"add": 2, "why": "from 6", "cite": "5-7"} in companion(*FROM_6).json["modifiers"]
    assert "are the built-in ones" in companion("tables", "diff", "b29").out
    lay("5-7.toml", '[[patch]]\nreason = "again"\nnote = "x"\n')
    assert f"kept as {kept}-2" in companion("tables", "reset", "5-7", "--game", "b29", "--yes").out
    assert "add = 3" in kept.read_text()
    assert "You have no version of 5-7" in companion("tables", "reset", "5-7", "--game", "b29", "--yes").err


def test_no_editor_and_a_wrong_name(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    assert "EDITOR=nano" in companion("tables", "edit", "5-7", "--game", "b29").err
    assert companion("tables", "edit", "../x", "--game", "b29").code == 2
    assert companion("tables", "edit", "pack", "--game", "b29").code == 2
