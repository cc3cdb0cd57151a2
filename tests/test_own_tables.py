"""`tables edit`, `diff`, `transcribe`, `export` and `import`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pexpect
import pytest

from companion import own
from companion.checking import check
from companion.packs import Pack
from companion.problems import Problem
from tests.conftest import Run
from tests.test_at_the_table import sit_down


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An editor that replaces one text by another."""

    def is_going_to(old: str, new: str) -> None:
        script = tmp_path / "editor.py"
        script.write_text(
            "import pathlib, sys\np = pathlib.Path(sys.argv[1])\n"
            f"p.write_text(p.read_text().replace({old!r}, {new!r}))\n"
        )
        monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
        monkeypatch.delenv("VISUAL", raising=False)

    return is_going_to


def test_an_edited_table_counts_and_the_difference_is_shown(companion: Run, editor: Any, data_folder: Path) -> None:
    assert "changed nothing" in companion("tables", "diff", "b29").out
    editor('id = "six"\nadd = 2', 'id = "six"\nadd = 3')
    assert companion("tables", "edit", "5-7", "--game", "b29").code == 0
    assert (data_folder / "packs" / "b29" / "5-7.toml").exists()
    shot = companion("roll", "5-7", "--game", "b29", "--dice", "3,4", "--with", "fighter.clock=6", "--json").json
    assert {"add": 3, "why": "from 6", "cite": "5-7"} in shot["modifiers"]
    told = companion("tables", "diff", "b29").out
    assert "5-7: yours in place of ours" in told
    assert "-add = 2" in told
    assert "+add = 3" in told


def test_nothing_changed(companion: Run, editor: Any, data_folder: Path) -> None:
    editor("xyzzy", "")
    assert "Nothing was changed" in companion("tables", "edit", "5-7", "--game", "b29").out
    assert not (data_folder / "packs").exists()


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('dice = "2D"', 'dice = "2D', 3, "not valid TOML"),
        ("fighter.clock", "fighter.clok", 23, "fighter.clok"),
        ('"..10" = "miss"', '"..9" = "miss"', 91, "lands on no row"),
        ('dice = "2D"', "dice = 2", 3, ""),
    ],
)
def test_a_broken_one_is_refused_and_the_old_copy_stays(
    companion: Run, editor: Any, data_folder: Path, old: str, new: str, line: int, reason: str
) -> None:
    editor('id = "six"\nadd = 2', 'id = "six"\nadd = 3')
    companion("tables", "edit", "5-7", "--game", "b29")
    copy = data_folder / "packs" / "b29" / "5-7.toml"
    before = copy.read_text()
    editor(old, new)
    ran = companion("tables", "edit", "5-7", "--game", "b29")
    assert ran.code == 2
    assert "5-7.toml, line " in ran.out
    assert ran.err.count("\n") == 1 and "your copy stays as it was" in ran.err
    assert reason in ran.out
    if "TOML" in reason:
        assert f"line {line}:" in ran.out
    assert copy.read_text() == before
    editor(new, old)  # the draft is still there to be mended
    assert companion("tables", "edit", "5-7", "--game", "b29").code == 0


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
    gaps = [(c.title, row) for c in table.columns for row, result in c.rows.written.items() if result == "owner"]
    assert gaps
    draft = {"dice": "2D", "rows": [], "modifiers": [], "gaps": [[*gap, "Superficial", "superficial"] for gap in gaps]}
    own.add_patch(pack, "5-11", own.patch_of(table, draft))
    again = Pack("b29")
    assert not [row for c in again.table("5-11").columns for row in c.rows.results() if row == "owner"]
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
    return {"format": 1, "game": "b29", "tables": {"8-1": [{**PATCH, **changes}]}}


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
        json.dumps({**exported(), "format": 2}),
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
        json.dumps(exported(rows={"2..": {"as": "safe", "bind": {"a": "{b}"}}})),
        json.dumps(exported(rows={"2..": None})),
        json.dumps(exported(dice="99999D")),
        json.dumps(exported(dice=["2D"])),
        json.dumps(exported(deep=DEEP)),
        json.dumps(exported(outcome={"safe": {"effects": [{"set": "bomber.fate", "to": "returned"}]}})),
        json.dumps(exported(outcome={"safe": {"then": ["5-1"]}})),
        json.dumps(exported(outcome={"safe": {"text": "two\nlines"}})),
        json.dumps(exported(outcome=["safe"])),
        json.dumps(exported(modifier=[{"id": "x", "add": 10**9, "why": "y"}])),
        json.dumps(exported(modifier=[{"id": "x", "add": True, "why": "y"}])),
        json.dumps(exported(modifier=[{"id": "x", "add": 1, "why": "y", "when": {"no.such": "fact"}}])),
        json.dumps(exported(modifier=[{"id": "x", "add": 1, "why": "y", "when": [1]}])),
        json.dumps(exported(modifier="gear-up")),
        json.dumps(exported(column=[3])),
        json.dumps(exported(id="8-2")),
        json.dumps(exported(owner=False)),
        json.dumps(exported(transcribed="yes")),
        json.dumps(exported(sub={"x": 3})),
        '{"format": 1, "game": "b29", "tables": {"8-1": [NaN]}}',
    ],
    ids=range(38),
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
