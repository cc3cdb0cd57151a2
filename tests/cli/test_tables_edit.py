"""`tables edit`, `diff` and `reset`: a built-in table edited by the player."""

import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.packs import Pack, own_files, tables_folder
from companion.packs.check import check
from companion.problems import UserError
from tests.support import END, ERRATA, Lay, Run, Terminal, begin, copy_of


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
    told = companion("tables", "diff", "b29").out.splitlines()
    assert told == ["5-7: 1 change", "  edited by you", '    modifier = [{id = "six", add = 3}]']
    editor('dice = "2D"', 'dice = "2D"')  # nothing changed
    assert "Nothing was changed" in companion("tables", "edit", "5-7", "--game", "b29").out
    editor('id = "dive", add = -3', 'id = "dive", add = -4')  # the table as it is now is opened
    assert companion("tables", "edit", "5-7", "--game", "b29", "--reason", "club 9").code == 0
    assert tomllib.loads(copy_of(data_folder, "5-7.toml").read_text())["patch"][1]["reason"] == "club 9"
    assert {"add": 3, "why": "from 6", "cite": "5-7"} in companion(*FROM_6).json["modifiers"]


def test_a_table_of_the_rulebook_is_copied_after_the_players_edits(companion: Run, lay: Lay) -> None:
    # 8.1; the rows are made up
    file = lay("8-1.toml", ERRATA)
    assert companion("odds", "8-1", "--game", "b29").code == 2
    said = companion("tables", "change", "8-1", "--row", "2-6=wrecked", "--row", "7+=safe", "--game", "b29")
    assert 'companion tables reset 8-1 --reason "from your rulebook" --game b29' in said.out.replace("\n", " ")
    text = file.read_text()
    assert text.startswith(ERRATA) and tomllib.loads(text)["patch"][-1]["rows"] == {"..6": "wrecked", "7..": "safe"}
    rolled = companion("roll", "8-1", "--game", "b29", "--dice", "3,3", "--json").json
    assert (rolled["outcome"], rolled["patched"]) == ("wrecked", [{"table": "8-1", "reason": "from your rulebook"}])
    assert [rule.reason for rule in Pack("b29").house_rules()] == ["errata 4"]  # the rulebook is no house rule
    doors = ("tables", "change", "4-9.doors", "--row", "1-2=fwd", "--row", "3-4=aft", "--row", "5-6=both")
    assert companion(*doors, "--dice", "1D", "--game", "b29").code == 0
    assert companion("roll", "4-9.doors", "--game", "b29", "--dice", "5", "--json").json["outcome"] == "both"
    assert "Write a row and its result" in companion("tables", "change", "8-3", "--row", "x=1", "--game", "b29").err
    assert check(Pack("b29")) == []


@pytest.mark.parametrize("text", ['patch = [{reason = "errata 4", note = "x"}]\n', 'id = "8-1"\ntitle = "Mine"\n'])
def test_a_change_goes_into_a_separate_patch_file(lay: Lay, text: str) -> None:
    file = lay("8-1.toml", text)
    with pytest.raises(UserError, match="Nothing was saved"):
        own_files.add_patch(Pack("b29"), "8-1", {"reason": "x", "note": "y"})
    assert file.read_text() == text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('dice = "2D"', 'dice = "2D', "valid TOML"), ('"..10" = "miss"', '"..9" = "miss"', "has no row"),
    ],
)  # fmt: skip
def test_a_broken_one_is_refused(
    companion: Run, editor: Any, data_folder: Path, old: str, new: str, reason: str
) -> None:
    editor(*SIX)
    companion("tables", "edit", "5-7", "--game", "b29")
    copy = copy_of(data_folder, "5-7.toml")
    before = copy.read_text()
    editor(old, new)
    ran = companion("tables", "edit", "5-7", "--game", "b29")
    assert ran.code == 2
    assert "5-7.toml, line " in ran.out
    assert ran.err.count("\n") == 1 and "Your earlier copy is unchanged" in ran.err
    assert reason in ran.out
    assert copy.read_text() == before
    editor(new, old)  # the draft is still there to be mended
    assert companion("tables", "edit", "5-7", "--game", "b29").code == 0


def test_at_a_terminal_it_is_opened_again(data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "twice.py"
    script.write_text(
        "import pathlib, sys\np = pathlib.Path(sys.argv[1])\nt = p.read_text()\n"
        "right = 'dice = \"2D\"'\n"
        "p.write_text(t.replace(right, 'dice = 2') if right in t\n"
        "  else t.replace('dice = 2', right).replace('f', 'F', 1))\n"
    )
    monkeypatch.setenv("EDITOR", f"{sys.executable} {script}")
    t = Terminal("tables", "edit", "5-7", "--game", "b29")
    t.expect("5-7.toml, line 3: ", r"isn't used yet. Open it again\? \[Y/n\] ")
    t.say("", r"Why\? It is shown with each roll that this changes: ")
    t.say("club 1", r"is\s+now\s+used\s+for\s+b29", END)
    assert 'reason = "club 1"' in copy_of(data_folder, "5-7.toml").read_text()


@pytest.mark.slow
def test_a_rule_is_changed_by_a_command_for_all_or_for_one_campaign(companion: Run, data_folder: Path) -> None:
    shot = ("roll", "5-9", "--dice", "4,4", "--fighter", "zeke 6 level ace", "--json", "--game")
    change = ("tables", "change", "5-9", "--modifier", "ace", "--add", "2")
    assert "Give the reason" in companion(*change, "--game", "b29").err
    assert companion(*change, "--reason", "club 3", "--game", "b29").code == 0
    assert companion(*shot, "b29").json["patched"] == [{"table": "5-9", "reason": "club 3"}]
    for name in ("Owls", "Larks"):
        companion("new", name, "--game", "b29", "--yes")
        assert companion("mission", "start", "--yes").code == 0
    moon = ("tables", "change", "5-9", "--modifier", "full moon", "--add", "1", "--campaign", "--reason", "our moon")
    assert "from its next mission on" in companion(*moon).out.replace("\n", " ")
    assert companion(*shot, "b29").json["net"] == 10  # the mission in the air goes on by the old rules
    assert companion("mission", "start", "--yes").code == 0
    rolled = companion(*shot, "b29-larks").json
    assert rolled["modifiers"][-1] == {"add": 1, "why": "full moon", "cite": "house rule"}
    assert [each["reason"] for each in rolled["patched"]] == ["club 3", "our moon"]
    assert "House rules: 5-9: club 3; 5-9: our moon." in companion("campaign").out.replace("\n", " ")
    assert companion("tables", "diff").out.startswith("5-9: 1 change\n  our moon\n")
    assert "pack: these keys are yours\n    title = " in companion("tables", "diff").out
    assert "5-9: our moon" in companion("rulings").out
    assert [each["title"] for each in companion("rulings", "--json").json[-2:]] == ["club 3", "our moon"]
    assert "5-9.toml: yours: our moon." in companion("doctor").out
    companion("use", "Owls")
    assert "House rules: 5-9: club 3." in companion("campaign").out
    assert "our moon" not in companion("sheet", "campaign", "-o", data_folder / "x.txt").out
    assert companion("tables", "change", "5-9", "--row", "7=none", "--game", "b29", "--reason", "x").code == 2
    for wrong in (("--modifier", "a", "--add", "1"), ("--row", "5"), ()):
        assert companion("tables", "change", "5-9", *wrong, "--game", "b29", "--reason", "x").code == 2
    assert companion("tables", "reset", "5-9", "--reason", "CLUB 3", "--game", "b29", "--yes").code == 0
    assert "patched" not in companion(*shot, "b29").json


@pytest.mark.slow
def test_a_table_of_the_players_own_is_rolled_after_a_step_until_it_is_taken_out(companion: Run) -> None:
    begin(companion, "b17")
    mascot = ("tables", "change", "H-1", "--title", "The mascot", "--dice", "1D", "--row", "1=A bad omen", "--row")
    mascot += ("2+=Nothing", "--reason", "house 6", "--game", "b17", "--after")
    assert "b17 has no step breakfast. The steps are " in companion(*mascot, "breakfast").err
    assert companion(*mascot, "Place in the formation").code == 0
    assert "H-1 exists already." in companion(*mascot, "place").err
    other = ("tables", "change", "H-2", "--title", "A", "--dice", "1D", "--reason", "x", "--row", "1=Hit!", "--row")
    for wrong, message in (
        ((*mascot, "place", "--column", "x"), "A new table takes only"),
        (("tables", "change", "H-2", "--after", "place"), "A new table takes only"),
        ((*other, "2+=Hit"), "Give each result words of its own"),
        ((*other, "1=miss", "--row", "2+=none"), "The same row is given twice"),
        (("tables", "change", "../H-2", *other[3:], "2+=miss"), "The number of a table has letters"),
        (("tables", "change", "O-1", "--row", "2=none", "--row", "2=light", "--reason", "x"), "given twice"),
    ):
        assert message in companion(*wrong, "--game", "b17").err.replace("\n", " ")
    companion("fly", "--auto", "--seed", 3)
    assert "H-1  The mascot  (house 6)" in companion("why", "H-1").out
    assert "H-1: The mascot (house 6)" in companion("rulings").out
    assert "Take that out first" in companion("tables", "reset", "H-1", "--yes").err.replace("\n", " ")
    for each in ("sequence", "H-1"):
        assert companion("tables", "reset", each, "--yes").code == 0


@pytest.mark.slow
def test_errata_arrive_and_what_is_the_players_stays_after_an_upgrade(
    companion: Run, editor: Any, lay: Lay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tables"
    shutil.copytree(tables_folder(), folder)
    for module in ("folders", "pack", "check"):
        monkeypatch.setattr(f"companion.packs.{module}.tables_folder", lambda: folder)
    companion("tables", "change", "5-9", "--modifier", "ace", "--add", "2", "--reason", "club 1", "--game", "b29")
    editor(*SIX)
    companion("tables", "edit", "5-7", "--game", "b29", "--reason", "club 2")
    editor('id = "beam", add = 1', 'id = "beam", add = 2')
    companion("tables", "edit", "5-7", "--game", "b29", "--reason", "club 3")
    companion("tables", "change", "8-1", "--row", "2-6=wrecked", "--row", "7+=safe", "--game", "b29")

    def upgraded(name: str, old: str, new: str) -> None:
        file = folder / "b29" / name
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new))

    upgraded("5-9.toml", 'id = "ace", add = 1', 'id = "ace", add = 3')  # an erratum where the player changed it too
    upgraded("5-7.toml", 'id = "dive", add = -3', 'id = "dive", add = -2')  # one elsewhere in an edited table
    upgraded("5-7.toml", '{id = "six", add = 2,', '{id = "behind", add = 2,')  # what the player changed is gone
    upgraded("8-1.toml", 'id = "bip", add = -2', 'id = "bip", add = -1')  # one in a copied table
    checked = companion("tables", "check", "b29")
    assert checked.code == 2
    assert "5-9.toml, line 3: warning: patch 1: what it changes has changed below since" in checked.out
    left_out = "5-7.toml, line 3: patch 1: it does not fit and is left out: there is no modifier 'six'"
    assert left_out in checked.out and checked.out.count("\n") == 2
    given = ("--with", "fighter.clock=dive", "--json")
    fire = companion("roll", "5-7", "--game", "b29", "--dice", "3,4", "--with", "gun=fwd-upper", *given).json
    assert [each["add"] for each in fire["modifiers"]] == [-2]
    beam = companion("roll", "5-7", "--game", "b29", "--dice", "3,4", "--with", "gun=tail", "--with", "fighter.clock=3",
                     "--json").json  # fmt: skip
    assert beam["modifiers"] == [{"add": 2, "why": "from 3 or 9", "cite": "5-7"}]
    assert beam["patched"] == [{"table": "5-7", "reason": "club 3"}]
    ace = companion("roll", "5-9", "--game", "b29", "--dice", "4,4", "--fighter", "zeke 6 level ace", "--json").json
    assert ace["net"] == 10  # the player's figure counts
    land = companion("roll", "8-1", "--game", "b29", "--dice", "4,4", "--with", "bip=yes", "--json").json
    assert (land["net"], land["outcome"]) == (7, "safe")
    rulings = companion("rulings", "--game", "b29").out
    assert "5-7: club 2 (it does not fit and is left out" in rulings and "5-7: club 3\n" in rulings


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


def test_no_editor_and_a_wrong_name(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    assert "EDITOR=nano" in companion("tables", "edit", "5-7", "--game", "b29").err
    assert companion("tables", "edit", "../x", "--game", "b29").code == 2
    assert companion("tables", "edit", "pack", "--game", "b29").code == 2
