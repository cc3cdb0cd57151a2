"""`tables edit`, `reset`, `diff`, `transcribe`, `export` and `import`."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import pexpect
import pytest

from companion.packs import Pack, own, read_file, tables_folder
from companion.packs.proof import check
from companion.problems import Problem
from tests.conftest import Lay, Run
from tests.test_at_the_table import sit_down


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An editor that replaces one text by another."""

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


def copy_of(data_folder: Path, name: str, game: str = "b29") -> Path:
    return data_folder / "packs" / game / name


def test_an_edited_table_counts_and_the_difference_is_shown(companion: Run, editor: Any, data_folder: Path) -> None:
    assert "changed nothing" in companion("tables", "diff", "b29").out
    editor(*SIX)
    assert companion("tables", "edit", "5-7", "--game", "b29").code == 0
    assert copy_of(data_folder, "5-7.toml").exists()
    assert {"add": 3, "why": "from 6", "cite": "5-7"} in companion(*FROM_6).json["modifiers"]
    told = companion("tables", "diff", "b29").out.splitlines()
    assert "5-7: yours in place of ours" in told
    for sign, change in zip("-+", SIX, strict=True):
        assert [line for line in told if line.strip().startswith(sign) and change in line]


def test_the_whole_table_is_opened_with_our_words_and_its_ids(
    companion: Run, editor: Any, data_folder: Path, tmp_path: Path
) -> None:
    editor('"""', '"""', keep=tmp_path / "opened.toml")
    companion("tables", "edit", "8-1", "--game", "b29")
    ours = tables_folder() / "b29" / "8-1.toml"
    assert (tmp_path / "opened.toml").read_text() == ours.read_text()
    assert 'id = "gear-up"' in ours.read_text()


def test_of_a_table_that_a_variant_changes_the_whole_is_opened_too(
    companion: Run, editor: Any, data_folder: Path, tmp_path: Path
) -> None:
    from companion.packs.overlays import is_patch

    pack = Pack("b29-streamliner")
    patched = [key for key, paths in pack.layers.items() if key != "pack" and is_patch(read_file(paths[0]))]
    assert len(patched) > 5
    for key in patched:
        text = own.beginning(pack, key)
        assert tomllib.loads(text) == {name: part for name, part in pack.read(key).items() if name != "patched"}
        below = next(path for path in pack.layers[key] if path.parent.name == "b29").read_text()
        comments = [line for line in below.splitlines() if line.startswith("#")]
        assert [line for line in comments if line not in text.splitlines()] == []
    editor('1 = "attack", "2..6" = "none"', '"1..6" = "attack"', keep=tmp_path / "opened.toml")
    assert companion("tables", "edit", "5.2A", "--game", "b29-streamliner").code == 0
    opened = (tmp_path / "opened.toml").read_text()
    assert opened.startswith("# 5.2A as it stands in b29-streamliner")
    assert 'when = "resistance = light"' in opened  # which the variant's patch does not say again
    light = ("roll", "5.2A", "--with", "resistance=light", "--dice", "6", "--json", "--game")
    assert companion(*light, "b29-streamliner").json["outcome"] == "attack"
    assert companion(*light, "b29").json["outcome"] == "none"
    assert "5.2a: yours in place of ours" in companion("tables", "diff", "b29-streamliner").out


def test_the_players_comments_stay(companion: Run, editor: Any, data_folder: Path) -> None:
    editor('id = "5-7"', '# my club plays it so\nid = "5-7"  # see the minutes')
    companion("tables", "edit", "5-7", "--game", "b29")
    editor(*SIX)
    assert companion("tables", "edit", "5-7", "--game", "b29").code == 0
    kept = copy_of(data_folder, "5-7.toml").read_text()
    assert kept.startswith('# my club plays it so\nid = "5-7"  # see the minutes\n')
    assert SIX[1] in kept and "# RULINGS B37" in kept


ERRATA = """# what our club agreed on

[[patch]]                # errata 4
reason = "errata 4"
modifier = "bip"
add = -3                 # not -2

# no more so far
"""


def test_over_patches_of_ones_own_stands_what_they_change_to_be_read(
    companion: Run, editor: Any, lay: Lay, tmp_path: Path
) -> None:
    file = lay("8-1.toml", ERRATA)
    editor("add = -3 ", "add = -4 ", keep=tmp_path / "opened.toml")
    assert companion("tables", "edit", "8-1", "--game", "b29").code == 0
    assert file.read_text() == ERRATA.replace("add = -3 ", "add = -4 ")
    opened = (tmp_path / "opened.toml").read_text()
    assert opened.startswith(ERRATA)
    assert '\n# id = "8-1"\n' in opened
    editor("xyzzy", "")
    assert "Nothing was changed" in companion("tables", "edit", "8-1", "--game", "b29").out
    assert file.read_text() == ERRATA.replace("add = -3 ", "add = -4 ")


@pytest.mark.parametrize(
    "before",
    [ERRATA, 'patch = [\n  {reason = "errata 4", modifier = "bip", add = -3},  # not -2\n]\n'],
)
def test_what_is_taken_down_stands_behind_what_the_player_wrote(companion: Run, lay: Lay, before: str) -> None:
    file = lay("8-1.toml", before)
    pack = Pack("b29")
    modifier = {"id": "book-1", "add": -1, "when": "weather = poor", "why": "crosswind"}
    rows = [["..6", "Made up", "wrecked"], ["7..", "Fine", "safe"]]
    own.add_patch(pack, "8-1", own.patch_of(pack.table("8-1"), {"dice": "2D", "rows": rows, "modifiers": [modifier]}))
    text = file.read_text()
    assert "# not -2" in text
    if "[[patch]]" in before:
        assert text.startswith(before)
    patches = tomllib.loads(text)["patch"]
    assert [each["reason"] for each in patches][-1] == "from your own book"
    assert patches[-1]["modifier"] == [modifier]
    assert patches[-1]["rows"] == {"..6": {"as": "wrecked", "text": "Made up"}, "7..": {"as": "safe", "text": "Fine"}}
    given = ("--with", "weather=poor", "--with", "bip=yes")
    rolled = companion("roll", "8-1", "--game", "b29", "--dice", "6,6", *given, "--json").json
    assert rolled["net"] == 8
    assert check(Pack("b29")) == []


def test_nothing_changed(companion: Run, editor: Any, data_folder: Path) -> None:
    editor("xyzzy", "")
    assert "Nothing was changed" in companion("tables", "edit", "5-7", "--game", "b29").out
    assert not (data_folder / "packs").exists()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('dice = "2D"', 'dice = "2D', "not valid TOML"),
        ('"fighter.clock = 6"', '"fighter.clok = 6"', "fighter.clok"),
        ('"..10" = "miss"', '"..9" = "miss"', "lands on no row"),
        ('dice = "2D"', "dice = 2", "dice"),
        ('why = "from 6"', 'why = "from 6", when = "evasive"', "not valid TOML"),
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
    assert ran.err.count("\n") == 1 and "your copy stays as it was" in ran.err
    assert reason in ran.out
    assert copy.read_text() == before
    editor(new, old)  # the draft is still there to be mended
    assert companion("tables", "edit", "5-7", "--game", "b29").code == 0


def test_a_copy_that_breaks_another_table_is_refused_and_that_is_said(companion: Run, editor: Any) -> None:
    editor("[sub.a", "[sub.z")
    ran = companion("tables", "edit", "5-7", "--game", "b29")
    assert ran.code == 2
    assert "5-7.a" in ran.out and "5-7.toml" not in ran.out


def test_at_a_terminal_it_can_be_opened_again(
    data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "twice.py"
    script.write_text(
        "import pathlib, sys\np = pathlib.Path(sys.argv[1])\nt = p.read_text()\nright = 'dice = \"2D\"'\n"
        "p.write_text(t.replace(right, 'dice = 2') if right in t else t.replace('dice = 2', right + '  # two'))\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    t = sit_down("tables", "edit", "5-7", "--game", "b29")
    t.expect("5-7.toml, line 3: ")
    t.expect(r"still counts. Open it again\? \[Y/n\] ")
    t.sendline("")
    t.expect("is in force for b29")
    t.expect(pexpect.EOF)
    assert 'dice = "2D"  # two' in copy_of(data_folder, "5-7.toml").read_text()


def test_an_emptied_file_is_refused_with_the_way_to_ours(
    companion: Run, tmp_path: Path, lay: Lay, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = lay("8-1.toml", ERRATA)
    script = tmp_path / "empty.py"
    script.write_text("import sys\nopen(sys.argv[1], 'w').close()\n")
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    ran = companion("tables", "edit", "8-1", "--game", "b29")
    assert ran.code == 2 and "companion tables reset 8-1" in ran.out
    assert copy.read_text() == ERRATA


def test_what_came_in_while_the_editor_was_open_is_not_written_over(
    companion: Run, tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = copy_of(data_folder, "8-1.toml")
    script = tmp_path / "meanwhile.py"
    script.write_text(
        f"import pathlib, sys\nfile = pathlib.Path({str(copy)!r})\n"
        "file.parent.mkdir(parents=True, exist_ok=True)\n"
        f"file.write_text({ERRATA!r})\n"
        "p = pathlib.Path(sys.argv[1])\np.write_text(p.read_text() + '# mine\\n')\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    ran = companion("tables", "edit", "8-1", "--game", "b29")
    draft = data_folder / "drafts" / "b29" / "8-1.toml"
    assert (ran.code, ran.err.count("\n")) == (2, 1) and f"what you wrote is {draft}" in ran.err
    assert copy.read_text() == ERRATA
    again = companion("tables", "edit", "8-1", "--game", "b29")
    kept = draft.with_name("8-1.toml.bak")
    assert f"it is kept as {kept}" in again.out and kept.read_text().endswith("# mine\n")


# -- reset ---------------------------------------------------------------------------------------------------------


def test_ours_counts_again_and_the_players_file_is_kept(companion: Run, lay: Lay) -> None:
    file = lay("5-7.toml", '[[patch]]\nreason = "mine"\nmodifier = "six"\nadd = 3\n')
    assert {"add": 3, "why": "from 6", "cite": "5-7"} in companion(*FROM_6).json["modifiers"]
    assert "add --yes" in companion("tables", "reset", "5-7", "--game", "b29").err
    assert file.exists()
    ran = companion("tables", "reset", "5-7", "--game", "b29", "--yes")
    kept = file.with_name("5-7.toml.bak")
    assert (ran.code, ran.out) == (0, f"5-7 of b29 is ours again. Yours is kept as {kept}.\n")
    assert "add = 3" in kept.read_text() and not file.exists()
    assert {"add": 2, "why": "from 6", "cite": "5-7"} in companion(*FROM_6).json["modifiers"]
    assert "changed nothing" in companion("tables", "diff", "b29").out
    lay("5-7.toml", '[[patch]]\nreason = "again"\nnote = "x"\n')
    assert f"kept as {kept}-2" in companion("tables", "reset", "5-7", "--game", "b29", "--yes").out
    assert "add = 3" in kept.read_text()
    assert "you have no 5-7 of your own" in companion("tables", "reset", "5-7", "--game", "b29", "--yes").err


def test_reset_asks_first(lay: Lay) -> None:
    file = lay("5-7.toml", '[[patch]]\nreason = "mine"\nnote = "x"\n')
    for typed, told in (("", "Nothing was changed"), ("y", "is ours again")):
        t = sit_down("tables", "reset", "5-7", "--game", "b29")
        t.expect(r"so that ours counts again\? \[y/N\] ")
        t.sendline(typed)
        t.expect(told)
        t.expect(pexpect.EOF)
        assert file.exists() == (typed == "")


@pytest.mark.parametrize("text", ["[[patch]\n", "\0", 'title = "x"\n', '[[patch]]\nreason = "x"\nmodifier = 5\n'])
def test_a_file_that_cannot_be_used_is_reset_too(companion: Run, lay: Lay, text: str) -> None:
    file = lay("5-7.toml", text)
    assert companion("roll", "5-7.a", "--game", "b29", "--dice", "1", "--with", "gun=tail").code == 1
    assert companion("tables", "reset", "5-7.a", "--game", "b29", "--yes").code == 0
    assert not file.exists()
    assert companion("roll", "5-7.a", "--game", "b29", "--dice", "1", "--with", "gun=tail").code == 0


def test_what_lies_over_nothing_is_not_taken_away(companion: Run, lay: Lay) -> None:
    alone = 'id = "X-1"\ntitle = "Mine"\ncite = "me"\ndice = "1D"\nrows = {"1.." = "a"}\n[outcome.a]\ntext = "A"\n'
    file = lay("X-1.toml", alone)
    ran = companion("tables", "reset", "X-1", "--game", "b29", "--yes")
    assert (ran.code, file.exists()) == (2, True) and "yours alone" in ran.err


def test_no_editor_and_a_wrong_name(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    assert "set EDITOR" in companion("tables", "edit", "5-7", "--game", "b29").err
    assert companion("tables", "edit", "../x", "--game", "b29").code == 2
    assert companion("tables", "edit", "pack", "--game", "b29").code == 2


# -- transcribe ----------------------------------------------------------------------------------------------------


def test_ctrl_c_while_a_table_is_taken_down_keeps_the_rows_and_says_so() -> None:
    t = sit_down("tables", "transcribe", "8-1", "--game", "b29")
    for asked, typed in (("Row for 2 .*: ", "2-5"), ("What it says.*: ", "Nose over"), ("What happens(.|\\s)*: ", "1")):
        t.expect(asked)
        t.sendline(typed)
    t.expect("Row for 6 .*: ")
    t.sendintr()
    t.expect(r"Stopped. What had been recorded stands\.\r")
    t.expect(pexpect.EOF)
    t = sit_down("tables", "transcribe", "8-1", "--game", "b29")
    t.expect("Row for 6 .*: ")
    t.sendline("q")
    t.expect(pexpect.EOF)


def test_a_table_is_taken_down_with_a_pause_and_resolves_from_then_on(companion: Run, data_folder: Path) -> None:
    # the rows below are made up; nobody's book reads so
    t = sit_down("tables", "transcribe", "8-1", "--game", "b29")
    t.expect("Row for 2 .*: ")
    t.sendline("2-5")
    t.expect("What it says.*: ")
    t.sendline("Nose over")
    t.expect("What happens")
    t.expect(": ")
    t.sendline("wrecked")
    t.expect("Row for 6 .*: ")
    t.sendline("5-7")
    t.expect("has that already")
    t.sendline("x")
    t.expect("is no range")
    t.sendline("q")
    t.expect("Kept. Go on with")
    t.expect(pexpect.EOF)
    assert companion("roll", "8-1", "--game", "b29", "--dice", "3,3").code == 3
    t = sit_down("tables", "transcribe", "8-1", "--game", "b29")
    t.expect("Going on: 1 rows are down")
    t.expect("Row for 6 .*: ")
    t.sendline("6+")
    t.expect("What it says.*: ")
    t.sendline("Nothing to tell")
    t.expect("Number, or Enter for 1: ")
    t.sendline("other")
    t.expect("further modifier.*: ")
    t.sendline("-1")
    t.expect("Why: ")
    t.sendline("crosswind, by my book")
    t.expect("When .*: ")
    t.sendline("weather=stormy")
    t.expect("cannot be stormy")
    t.sendline("weather=poor")
    t.expect("further modifier.*: ")
    t.sendline("")
    t.expect("Nose over  .wrecked.")
    t.expect("Is that what your book says")
    t.sendline("y")
    t.expect("resolves like any other")
    t.expect(pexpect.EOF)
    bad = companion(
        "roll", "8-1", "--game", "b29", "--dice", "3,3", "--with", "weather=poor", "--with", "bip=yes", "--json"
    ).json
    # 6, burst -2 of ours, crosswind -1 of the player's: 3
    assert (bad["net"], bad["outcome"]) == (3, "wrecked")
    assert bad["text"].startswith("Nose over")
    assert bad["patched"] == [{"table": "8-1", "reason": "from your own book"}]
    assert companion("roll", "8-1", "--game", "b29", "--dice", "6,6", "--json").json["outcome"] == "nothing-to-tell"
    assert check(Pack("b29")) == []
    assert not (data_folder / "drafts" / "b29" / "8-1.json").exists()
    assert "are known" in companion("tables", "transcribe", "8-1", "--game", "b29").err
    assert "from your own book" in companion("tables", "diff", "b29").out


def test_unknown_dice_and_a_sub_roll(companion: Run) -> None:
    t = sit_down("tables", "transcribe", "4-9.doors", "--game", "b29")
    t.expect("Dice .*: ")
    t.sendline("7D9")
    t.expect("Dice .*: ")
    t.sendline("1D")
    for row, option in (("1-2", "fwd"), ("3-4", "aft"), ("5-6", "both")):
        t.expect("Row for .*: ")
        t.sendline(row)
        t.expect("What it says.*: ")
        t.sendline("These doors")
        t.expect("for 1: ")
        t.sendline(option)
    t.expect("further modifier.*: ")
    t.sendline("")
    t.expect("Is that")
    t.sendline("")
    t.expect("resolves like any other")
    t.expect(pexpect.EOF)
    rolled = companion("roll", "4-9.doors", "--game", "b29", "--dice", "5", "--json").json
    assert rolled["outcome"] == "both"
    assert [each["after"] for each in rolled["changes"] if each["field"].startswith("doors")] == ["jammed-shut"] * 2


def test_a_single_cell_of_a_known_table(companion: Run) -> None:
    pack = Pack("b29")
    table = pack.table("5-11")
    gaps = [(c.title, row) for c in table.columns for row, result in c.rows.written.items() if own.unknown(result)]
    assert gaps
    draft = {"dice": "2D", "rows": [], "modifiers": [], "gaps": [[*gap, "Superficial", "superficial"] for gap in gaps]}
    own.add_patch(pack, "5-11", own.patch_of(table, draft))
    again = Pack("b29")
    assert not [row for c in again.table("5-11").columns for row in c.rows.results() if own.unknown(row)]
    assert check(again) == []


def test_nobody_to_ask(companion: Run) -> None:
    assert "needs a terminal" in companion("tables", "transcribe", "8-1", "--game", "b29").err


@pytest.mark.parametrize(
    ("typed", "row"),
    [("7", "7"), ("3-5", "3..5"), ("3 – 5", "3..5"), ("12+", "12.."), ("4-", "..4"), ("≤4", "..4"), ("..4", "..4")],
)
def test_ranges_as_books_print_them(typed: str, row: str) -> None:
    assert own.reach(typed) == row


# -- export and import ---------------------------------------------------------------------------------------------

PATCH: dict[str, Any] = {
    "reason": "from your own book",
    "transcribed": True,
    "dice": "2D",
    "rows": {"..6": {"as": "wrecked", "text": "Made up"}, "7..": "safe"},
}


def exported(**changes: Any) -> dict[str, Any]:
    return {"format": 2, "game": "b29", "tables": {"8-1": [{**PATCH, **changes}]}}


def test_tables_move_between_machines(
    companion: Run, tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tables.json"
    assert companion("tables", "export", file, "--game", "b29").code == 2
    file.write_text(json.dumps(exported()))
    assert companion("tables", "import", file).code == 0
    assert companion("roll", "8-1", "--game", "b29", "--dice", "3,3", "--json").json["outcome"] == "wrecked"
    assert "here already" in companion("tables", "import", file).out
    out = tmp_path / "out.json"
    assert companion("tables", "export", out, "--game", "b29").code == 0
    assert json.loads(out.read_text()) == exported()
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "elsewhere"))
    assert companion("tables", "import", out).code == 0
    assert companion("roll", "8-1", "--game", "b29", "--dice", "4,4", "--json").json["outcome"] == "safe"
    file.write_text(json.dumps(exported(rows={"..1": "wrecked", "2..": "safe"})))
    assert "--replace" in companion("tables", "import", file).err
    assert companion("tables", "import", file, "--replace").code == 0


def test_an_export_goes_where_the_player_says_and_nowhere_else(companion: Run, tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(json.dumps(exported()))
    companion("tables", "import", tmp_path / "in.json")
    (tmp_path / "usb").mkdir()
    (tmp_path / "usb" / "tables.json").write_text("older")
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "usb" / "tables.json")
    assert companion("tables", "export", link, "--game", "b29").code == 0
    assert link.is_symlink() and json.loads((tmp_path / "usb" / "tables.json").read_text()) == exported()
    before = sorted(tmp_path.rglob("*"))
    for path, said in (
        (tmp_path / "no" / "such" / "t.json", f"there is no folder {tmp_path / 'no' / 'such'}"),
        (tmp_path / "usb", "Is a directory"),
        (tmp_path / "in.json" / "t.json", "there is no folder"),
    ):
        ran = companion("tables", "export", path, "--game", "b29")
        assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
        assert said in ran.err
    assert sorted(tmp_path.rglob("*")) == before


def test_a_full_disk_while_a_table_is_kept_is_one_sentence(
    companion: Run, tmp_path: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in.json").write_text(json.dumps(exported()))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        ran = companion("tables", "import", tmp_path / "in.json")
    assert (ran.code, ran.err.count("\n")) == (1, 1) and "No space left on device" in ran.err
    assert not [each for each in data_folder.rglob("*") if each.name.endswith(".new")]
    assert not list((data_folder / "packs").rglob("*.toml"))


DEEP: Any = "x"
for _ in range(30):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    "doc",
    [
        "no json at all",
        "[" * 200_000,
        '{"format": 1, "game": "b29", "tables": {"8-1": [' + "9" * 9000 + "]}}",
        json.dumps({"format": 1, "game": "b29", "tables": {"8-1": [{**PATCH, "rows": {"1": "x" * 1_100_000}}]}}),
        json.dumps([]),
        json.dumps({**exported(), "format": 3}),
        json.dumps({**exported(), "game": "../../etc"}),
        json.dumps({**exported(), "game": 3}),
        json.dumps({"format": 1, "game": "b29", "tables": {"../../../evil": [PATCH]}}),
        json.dumps({"format": 1, "game": "b29", "tables": {"sheet": [PATCH]}}),
        json.dumps({"format": 1, "game": "b29", "tables": {"8-1": "x"}}),
        json.dumps({"format": 1, "game": "b29", "tables": {"8-1": [[]]}}),
        json.dumps(exported(rows={"1..999999999": "safe"})),
        json.dumps(exported(rows={"..-5000000": "safe"})),
        json.dumps(exported(rows={"one": "safe"})),
        json.dumps(exported(rows={"1..": "no such thing"})),
        json.dumps(exported(rows={"3..": "safe"})),
        json.dumps(exported(rows=[1])),
        json.dumps(exported(rows={"2..": {"as": "safe", "with": {"a": "zone"}}})),
        json.dumps(exported(rows={"2..": None})),
        json.dumps(exported(dice="99999D")),
        json.dumps(exported(dice=["2D"])),
        json.dumps(exported(deep=DEEP)),
        json.dumps(exported(outcome={"safe": {"do": ["bomber.fate = returned"]}})),
        json.dumps(exported(outcome={"safe": {"effects": [{"set": "bomber.fate", "to": "returned"}]}})),
        json.dumps(exported(outcome={"safe": {"then": ["5-1"]}})),
        json.dumps(exported(outcome={"safe": {"text": "two\nlines"}})),
        json.dumps(exported(outcome=["safe"])),
        json.dumps(exported(modifier=[{"id": "x", "add": 10**9, "why": "y"}])),
        json.dumps(exported(modifier=[{"id": "x", "add": True, "why": "y"}])),
        json.dumps(exported(modifier=[{"id": "x", "add": 1, "why": "y", "when": {"no.such": "fact"}}])),
        json.dumps(exported(modifier=[{"id": "x", "add": 1, "why": "y", "when": [1]}])),
        json.dumps(exported(modifier=[{"id": "x", "add": 1, "why": "y", "when": "no.such = fact"}])),
        json.dumps(exported(modifier=[{"id": "x", "add": 1, "why": "y", "when": "__import__('os')"}])),
        json.dumps(exported(modifier=[{"id": "x", "add": 1, "why": "y", "when": "(" * 400}])),
        json.dumps(exported(modifier=[{"id": "x", "add": "zone", "why": "y"}])),
        json.dumps(exported(modifier="gear-up")),
        json.dumps(exported(column=[3])),
        json.dumps(exported(id="8-2")),
        json.dumps(exported(owner=False)),
        json.dumps(exported(transcribed="yes")),
        json.dumps(exported(sub={"x": 3})),
        '{"format": 1, "game": "b29", "tables": {"8-1": [NaN]}}',
    ],
    ids=str,
)
def test_what_does_not_come_from_an_export_is_refused(
    companion: Run, tmp_path: Path, data_folder: Path, doc: str
) -> None:
    file = tmp_path / "tables.json"
    file.write_text(doc)
    ran = companion("tables", "import", file, "--game", "b29")
    assert ran.code == 2, ran.err
    assert "Traceback" not in ran.err
    assert len(ran.err) < 700
    assert not list((data_folder / "packs").rglob("*")) if (data_folder / "packs").exists() else True
    assert not [path for path in tmp_path.iterdir() if path.name not in ("tables.json", "home")]


def test_not_utf8_and_not_there(companion: Run, tmp_path: Path) -> None:
    file = tmp_path / "tables.json"
    file.write_bytes(b"\xff\xfe\x00")
    assert companion("tables", "import", file).code == 2
    assert companion("tables", "import", tmp_path / "none.json").code == 2
    with pytest.raises(Problem):
        own.read_export(Path(os.devnull))


# -- what a companion of the first edition has left ----------------------------------------------------------------

TREE: dict[str, Any] = {"weather": "poor", "zone": {"min": 2}, "bip": "no", "target.city": ["Truk", "Guam"]}
FORMER = {**PATCH, "modifier": [{"id": "book-1", "add": -1, "when": TREE, "why": "crosswind"}]}
SENTENCE = "weather = 'poor' and zone >= 2 and bip = no and target.city in ('Truk', 'Guam')"
OF_8_1 = ("roll", "8-1", "--game", "b29", "--dice", "4,4", "--json", "--with", "weather=poor")
HOLDS = (*OF_8_1, "--with", "zone=2", "--with", "target.city=guam")


def test_an_export_of_the_first_edition_is_taken_in(companion: Run, tmp_path: Path, data_folder: Path) -> None:
    file = tmp_path / "tables.json"
    file.write_text(json.dumps({"format": 1, "game": "b29", "tables": {"8-1": [FORMER]}}))
    assert companion("tables", "import", file).code == 0
    taken = tomllib.loads(copy_of(data_folder, "8-1.toml").read_text())["patch"][0]
    assert taken == {**FORMER, "modifier": [{**FORMER["modifier"][0], "when": SENTENCE}]}
    assert (companion(*HOLDS).json["net"], companion(*OF_8_1).json["net"]) == (7, 8)
    assert "here already" in companion("tables", "import", file).out


def test_tables_taken_down_with_the_first_edition_count_and_are_sound(companion: Run, lay: Lay, tmp_path: Path) -> None:
    when = '{weather = "poor", zone = {min = 2}, bip = "no", "target.city" = ["Truk", "Guam"]}'
    file = lay(
        "8-1.toml",
        '# 8-1\n[[patch]]\nreason = "from your own book"\ntranscribed = true\ndice = "2D"\n'
        'rows = {"..6" = {as = "wrecked", text = "Made up"}, "7.." = "safe"}\n'
        f'modifier = [{{id = "book-1", add = -1, when = {when}, why = "crosswind"}},'
        ' {id = "book-2", add = 1, when = {}, why = "always"}]\n',
    )
    assert (companion(*HOLDS).json["net"], companion(*OF_8_1).json["net"]) == (8, 9)
    assert check(Pack("b29")) == []
    assert companion("tables", "export", tmp_path / "out.json", "--game", "b29").code == 0
    exported_now = json.loads((tmp_path / "out.json").read_text())
    assert exported_now["format"] == 2
    assert exported_now["tables"]["8-1"][0]["modifier"][0]["when"] == SENTENCE
    assert when in file.read_text()  # nobody touches it


def test_a_draft_of_the_first_edition_goes_on(companion: Run, data_folder: Path) -> None:
    draft = data_folder / "drafts" / "b29" / "8-1.json"
    draft.parent.mkdir(parents=True)
    when = {"weather": "poor", "bip": "yes", "target.city": "Truk"}
    modifiers = [{"id": "book-1", "add": -1, "when": when, "why": "crosswind"}]
    rows = [["..6", "Made up", "wrecked"], ["7..", "Fine", "safe"]]
    draft.write_text(json.dumps({"rows": rows, "gaps": [], "modifiers": modifiers, "dice": "2D", "done": True}))
    t = sit_down("tables", "transcribe", "8-1", "--game", "b29")
    t.expect("further modifier.*: ")
    t.sendline("-2")
    t.expect("Why: ")
    t.sendline("sleet")
    t.expect("When ")
    t.sendline("zone >= nobody")
    t.expect("nobody")
    t.expect("When ")
    t.sendline("zone >= 2 and not bip")
    t.expect("further modifier.*: ")
    t.sendline("")
    t.expect("weather = poor and bip and target.city = 'Truk'")
    t.expect("zone >= 2 and not bip")
    t.sendline("y")
    t.expect("resolves like any other")
    t.expect(pexpect.EOF)
    made = tomllib.loads(copy_of(data_folder, "8-1.toml").read_text())["patch"][0]["modifier"]
    assert [each["when"] for each in made] == [
        "weather = poor and bip and target.city = 'Truk'",
        "zone >= 2 and not bip",
    ]


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("8-1", 'id = "8-1"\ntitle = "x"\nmodifier = [{id = "a", add = 1, when = {zone = 2}, why = "x"}]\n', "when"),
        ("8-1", '[[patch]]\nreason = "x"\n[patch.outcome.safe]\neffects = [{set = "bip", to = "no"}]\n', "effects"),
        ("8-1", '[[patch]]\nreason = "x"\n[[patch.natural]]\nroll = 2\noutcome = "safe"\nsaid = true\n', "said"),
        ("sheet", '[[patch]]\nreason = "x"\n[patch.field.altitude]\nlabel = "Height"\n', "field"),
        ("rules", '[[rule]]\nwhere = {zone = 2}\ntext = "x"\n', "where"),
        ("choices", '[choice.where]\ntitle = "x"\noption = [{name = "a", usual = {}}]\n', "usual"),
    ],
)
def test_other_files_of_the_first_edition_are_refused_with_what_changed(
    companion: Run, lay: Lay, name: str, text: str, word: str
) -> None:
    file = lay(f"{name}.toml", text)
    last = "roll 8-1 --dice 3,3" if name == "8-1" else "fly --auto --seed 1"
    for command in ("new Owls --game b29 --yes", "mission start --yes", last):
        ran = companion(*command.split())
        if ran.code:
            break
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert f"{file} is in the first edition of the format ({word!r})" in ran.err and "tables/README.md" in ran.err
    assert companion("tables", "check", "b29").code != 0
    assert companion("doctor").code == 1 and f"{file}: " in companion("doctor").out
    assert companion("tables", "reset", name, "--game", "b29", "--yes").code == 0


VARIANT = "b29-streamliner"

# -- the doctor ----------------------------------------------------------------------------------------------------


def found_by_doctor(companion: Run) -> dict[str, str]:
    return {each["file"]: each["cause"] for each in companion("doctor", "--json").json if each["kind"] == "pack"}


def test_the_doctor_names_every_file_of_the_players_packs(companion: Run, lay: Lay, data_folder: Path) -> None:
    sound = lay("8-1.toml", ERRATA)
    unread = lay("5-7.toml", "[[patch]\n")
    misspelt = lay("5-9.toml", '[[patch]]\nreason = "x"\nmodifier = "ase"\nadd = 1\n')
    of_variant = lay("5.2A.toml", '[[patch]]\nreason = "x"\ncolumn = "Lihgt"\nrow = 6\nas = "none"\n', VARIANT)
    no_game = lay("T-1.toml", 'id = "T-1"\n', "tigers")
    astray = lay("5-8.toml", ERRATA, ".")
    shouted = lay("5-8.toml", ERRATA, "B29")
    told = found_by_doctor(companion)
    assert told[str(sound)] == ""
    assert told[str(unread)].startswith("line 1: it is not valid TOML")
    assert "'ase'" in told[str(misspelt)] and "did you mean" in told[str(misspelt)]
    assert "Light" in told[str(of_variant)]
    assert "there is no game tigers" in told[str(no_game.parent)]
    assert "nothing reads it" in told[str(astray)] and "nothing reads it" in told[str(shouted)]
    ran = companion("doctor")
    assert ran.code == 1 and ran.err.count("\n") == 1 and "tables reset TABLE" in ran.err
    assert f"sound    {sound}: yours\n" in ran.out and f"wrong    {unread}: line 1: " in ran.out
    assert "There are no campaigns yet" in ran.out


def test_the_doctor_proves_the_packs_in_use(companion: Run, data_folder: Path) -> None:
    assert found_by_doctor(companion) == {}
    companion("new", "Owls", "--game", "b17", "--yes")
    assert found_by_doctor(companion) == {str(tables_folder() / "b17"): ""}
    assert companion("doctor").code == 0


def test_the_doctor_survives_a_pack_that_cannot_be_opened(companion: Run, lay: Lay) -> None:
    file = lay("pack.toml", 'extends = "b29"\ntitle = [[\n')
    companion("new", "Owls", "--game", "b17", "--yes")
    assert "not valid TOML" in found_by_doctor(companion)[str(file)]


# -- a row that was said once, and taken down later ----------------------------------------------------------------

FROM_12 = ["--with", "fighter.clock=12", "--with", "fighter.angle=level"]


def test_a_said_row_is_no_unmodified_roll_and_the_row_taken_down_later_beats_it(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    companion("set", "book.5-11.level=tail")
    said = companion("roll", "5-11", "--dice", "2,2", *FROM_12, "--dry-run")
    assert "tail" in said.out
    assert "unmodified" not in said.out
    assert companion("roll", "5-11", "--dice", "2,2", *FROM_12, "--dry-run", "--json").json["natural"] is False
    assert "A 4 is tail, as you said." in companion("show", "5-11", *FROM_12).out
    pack = Pack("b29")
    gaps = [["12, 1:30, 10:30 level", "4", "Up front", "nose"]]
    draft = {"dice": "2D", "rows": [], "modifiers": [], "gaps": gaps}
    own.add_patch(pack, "5-11", own.patch_of(pack.table("5-11"), draft))
    taken_down = companion("roll", "5-11", "--dice", "2,2", *FROM_12, "--json").json
    assert (taken_down["outcome"], taken_down["text"]) == ("nose", "Up front; Nose")
    assert "12, 1:30, 10:30 level: 4" in companion("why").out
    assert "as you said" not in companion("show", "5-11", *FROM_12).out


def test_a_table_of_which_nothing_is_known_is_taken_down_row_by_row(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    companion("set", "book.7-1.gear.3=damaged")
    t = sit_down("tables", "transcribe", "7-1.gear")
    t.expect("Dice .*: ")
    t.sendline("1D")
    for row, option in (("1-4", "drops"), ("5-6", "damaged")):  # made up
        t.expect("Row for .*: ")
        t.sendline(row)
        t.expect("What it says.*: ")
        t.sendline("The nose gear")
        t.expect("for 1: ")
        t.sendline(option)
    t.expect("further modifier.*: ")
    t.sendline("")
    t.expect("Is that")
    t.sendline("")
    t.expect("resolves like any other")
    t.expect(pexpect.EOF)
    outcomes = [companion("roll", "7-1.gear", "--dice", dice, "--dry-run", "--json").json["outcome"] for dice in "346"]
    assert outcomes == ["drops", "drops", "damaged"]
    assert check(Pack("b29")) == []
