"""The prompts, on a real terminal: what is asked, what a slip does, what Ctrl-C leaves behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest

from tests.conftest import Run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminal on Windows")


def sit_down(*arguments: str) -> pexpect.spawn:
    return pexpect.spawn(
        sys.executable,
        ["-m", "companion", *arguments],
        encoding="utf-8",
        timeout=20,
        dimensions=(40, 80),
        env={**os.environ, "NO_COLOR": "1"},
    )


def test_a_lookup_asks_for_what_it_must_know_and_then_for_the_dice() -> None:
    terminal = sit_down("roll", "5-9", "--game", "b29")
    terminal.expect("Attacks from.*: ")
    terminal.sendline("7")
    terminal.expect("cannot be 7; it is 12, 1:30")
    terminal.sendline("6")
    terminal.expect("Day or night")
    terminal.sendline("")
    terminal.expect("Roll 2D: ")
    terminal.sendline("3 9")
    terminal.expect("a die shows 1 to 6, not 9")
    terminal.sendline("3")
    terminal.expect("2D is 2 dice, but 3 was given")
    terminal.sendline("34")
    terminal.expect("hit: The B-29 is hit")
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 0


def test_modifiers_are_shown_before_the_dice_are_rolled(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes", "--with", "altitude=hi", "--with", "weather=bad", "--with", "formation=in")
    terminal = sit_down("roll", "5-1")
    terminal.expect("-2  at HI")
    terminal.expect("-2  bad weather")
    terminal.expect(r"Roll 2D \(-4\): ")
    terminal.sendline("6,6")
    terminal.expect("moderate resistance")
    terminal.expect(pexpect.EOF)


def interrupt(terminal: pexpect.spawn) -> None:
    """Press Ctrl-C: one sentence, exit code 1, no traceback."""
    terminal.sendintr()
    terminal.expect("Stopped. Nothing was recorded")
    terminal.expect(pexpect.EOF)
    assert "Traceback" not in (terminal.before or "")
    terminal.wait()
    assert terminal.exitstatus == 1


def test_ctrl_c_at_a_prompt_records_nothing(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    before = companion("status", "--json").json
    terminal = sit_down("roll", "4-2")
    terminal.expect(": ")
    interrupt(terminal)
    assert companion("status", "--json").json == before


def test_ctrl_c_while_the_ways_are_counted(companion: Run, data_folder: Path) -> None:
    """A game whose chain has no end: every die leaves another sheet behind and asks for the next."""
    slow = data_folder / "packs" / "slow"
    slow.mkdir(parents=True)
    (slow / "pack.toml").write_text('title = "Slow"\n')
    (slow / "sheet.toml").write_text('[field.up]\nkind = "count"\n[field.down]\nkind = "count"\n')
    (slow / "S-1.toml").write_text(
        'id = "S-1"\ntitle = "And so on"\ndice = "1D"\nrows = {"..3" = "up", "4.." = "down"}\n'
        '[outcome."{way}"]\neffects = [{mark = "{way}", n = "{roll}"}]\nthen = ["S-1"]\n'
    )
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    before = companion("status", "--json").json
    terminal = sit_down("odds", "S-1", "--chain", "--game", "slow")
    terminal.expect("Counting the ways")
    interrupt(terminal)
    assert companion("status", "--json").json == before
    assert companion("log", "--json").json == []


def test_a_row_of_your_own_book_is_asked_for(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes", "--with", "altitude=med", "--with", "formation=in")
    terminal = sit_down("roll", "5-11", "--with", "fighter.clock=12", "--with", "fighter.angle=level", "--dice", "2,2")
    terminal.expect(r"your own book has the rows. What\s+does\s+it\s+say\s+for\s+a\s+net\s+4")
    terminal.sendline("superficial")
    terminal.expect("superficial: Superficial damage")
    terminal.expect(pexpect.EOF)


def test_new_asks_for_names_and_takes_enter_for_the_usual_ones(data_folder: Path) -> None:
    terminal = sit_down("new", "Owls", "--game", "b29")
    terminal.expect("Aircraft")
    terminal.sendline("Dauntless Dotty")
    for _ in range(11):
        terminal.expect(r"\[.*\]: ")
        terminal.sendline("")
    terminal.expect("Begin with: companion mission start")
    terminal.expect(pexpect.EOF)


def test_the_start_of_a_mission_names_what_is_wrong_by_its_label_and_says_how_to_go_on(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    terminal = sit_down("mission", "start")
    terminal.expect("Enter leaves the rest to the rolls of companion fly")
    terminal.expect("Steps marked")
    terminal.sendline("banana")
    terminal.expect("Steps marked .* cannot be banana")
    for _ in range(6):
        terminal.expect(": ")
        terminal.sendline("")
    terminal.expect("Go on with: companion fly")
    terminal.expect(pexpect.EOF)


def test_a_figure_of_your_own_book_says_what_it_is_for(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    terminal = sit_down("roll", "4-8")
    terminal.expect("type 0 if it has none")
    terminal.expect("Your 4-8, novice navigator.*: ")
    terminal.sendline("")
    terminal.expect("takes a number, -9 to 9; type 0")
    terminal.sendline("0")
    terminal.expect("as your book says")
    terminal.sendintr()
    terminal.expect(pexpect.EOF)


def test_undo_speaks_in_the_words_of_the_sheet(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    companion("set", "mission.altitude=hi")
    assert "Briefed altitude: " in companion("undo").out
    assert "mission.altitude" not in companion("redo").out


def test_undo_of_the_fighter_roll_does_not_list_twelve_empty_slots(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes", "--with", "zone=6")
    companion("roll", "5-1", "--dice", "1,1")
    companion("roll", "5-1", "--dice", "1,2")
    undone = companion("undo").out
    assert "Undone: 5-1: 1,2" in undone
    assert "Fighter 1" not in undone
