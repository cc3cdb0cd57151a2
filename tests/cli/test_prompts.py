"""The prompts on a real terminal: questions, mistakes, and the state after Ctrl-C."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pexpect
import pytest

from tests.support import END, Run, Terminal, begin, press_ctrl_c, sit_down


def test_a_lookup_asks_for_the_fighter_in_words_and_then_for_the_dice() -> None:
    terminal = Terminal("roll", "5-9", "--game", "b29").expect("Which fighter.* Nick 12 high.: ")
    terminal.say("tojp 7 low", "Did you mean Tojo", "Type it again: ")
    terminal.say("tojo 7 low", "I don't understand '7'. Describe the fighter with", "Type it again: ")
    terminal.say("tojo 6 low", "Fighter 1: .*6, low", "Mission time .*: ")
    terminal.say("", "Roll 2D .*: ")
    terminal.say("3 9", "A die shows 1 to 6, not 9")
    terminal.say("3", "2D needs 2 dice; you typed 3")
    terminal.say("54", "The B-29 is hit", "5-10 Shell hits")  # no campaign keeps what follows: it is asked for at once
    terminal.expect("Roll 2D: ")
    terminal.say("q", "Cancelled. Nothing was saved", END)
    assert terminal.exitstatus == 0


def test_in_a_new_campaign_nothing_of_the_fighter_is_passed_over(companion: Run) -> None:
    begin(companion, "b29")
    terminal = Terminal("roll", "5-9").expect("Which fighter.*: ")
    terminal.say("tojo 6 ace", "Angle .*: ")
    terminal.say("level", r"-1 Tojo, \+1 ace fighter pilot", r"Roll 2D \(\+0\): ")
    terminal.say("43", "The B-29 is hit", "5-10 Shell hits.*Roll 2D.*: ")
    terminal.say("q", "Continue later with: companion roll", END)
    facts = companion("status", "--json").json["facts"]
    assert [facts[f"fighter.1.{key}"] for key in ("type", "clock", "angle", "pilot")] == ["tojo", "6", "level", "ace"]
    following = Terminal("roll", "--dice", "3,3")  # 5-10 for the same fighter: nothing is asked twice
    following.expect("2 shell hits", END)


def test_a_gun_that_does_not_bear_is_refused_and_nothing_recorded(companion: Run) -> None:
    begin(companion, "b29")
    for table in ("5-6", "5-7"):
        shot = ("--with", "fighter.clock=6", "--with", "fighter.angle=low", "--with", "gun=fwd-upper", "--auto")
        ran = companion("roll", table, *shot)
        assert (ran.code, ran.out) == (2, "")
        assert "blind spot. Choose Forward lower, Aft lower, Tail guns or Tail cannon" in ran.err
    assert companion("log", "--json").json == []


def interrupt(terminal: pexpect.spawn) -> None:
    """Press Ctrl-C; check for one sentence, exit code 1 and no traceback."""
    press_ctrl_c(terminal, "Stopped. Nothing was saved")
    terminal.expect(pexpect.EOF)
    assert "Traceback" not in (terminal.before or "")
    terminal.wait()
    assert terminal.exitstatus == 1


@pytest.mark.slow
def test_ctrl_c_at_a_prompt_records_nothing(companion: Run) -> None:
    begin(companion, "b29")
    before = companion("status", "--json").json
    terminal = sit_down("roll", "4-2")
    terminal.expect(": ")
    interrupt(terminal)
    assert companion("status", "--json").json == before


def test_a_rulebook_number_is_asked_for_with_its_purpose(companion: Run) -> None:
    begin(companion, "b29")
    terminal = Terminal("roll", "4-8").expect("0 if none", "Your 4-8, novice navigator.*: ")
    terminal.say("", "must be a number, -9 to 9 .0 if")
    terminal.say("0", "4-8 On course")
    terminal.interrupt(END)


@pytest.mark.parametrize(("game", "table", "dice"), [("b17", "BL-4", "1"), ("b29", "7-14", "34")])
def test_a_wound_rolled_by_hand_asks_whose_it_is(companion: Run, game: str, table: str, dice: str) -> None:
    begin(companion, game)
    terminal = Terminal("roll", table).expect("(?i)position")
    terminal.say("navigator", ": ")
    terminal.say(dice)
    if game == "b29":
        terminal.expect("words: ")
        terminal.say("frostbite")
    terminal.expect("Navigator", END)
    facts = companion("status", "--json").json["facts"]
    assert (facts["crew.navigator"], facts["frostbite.navigator"]) in [("light", "no"), ("ok", "yes")]


def test_in_a_script_nobody_is_asked_whose_wound_it_is(companion: Run) -> None:
    rolled = companion("roll", "BL-4", "--game", "b17", "--dice", "1", "--json").json
    assert (rolled["outcome"], rolled["changes"]) == ("light", [])


def shell(command: str) -> pexpect.spawn:
    """Return the output of a line typed in a shell, where `companion` is this version."""
    line = command.replace("companion ", f"{shlex.quote(sys.executable)} -m companion ", 1)
    told = {"encoding": "utf-8", "codec_errors": "replace", "env": {**os.environ, "NO_COLOR": "1"}}
    return pexpect.spawn("/bin/sh", ["-c", line], timeout=60, **told)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["roll 5-1 --game b29", "fly"])
def test_nobody_is_asked_who_cannot_see_the_question(companion: Run, tmp_path: Path, command: str) -> None:
    begin(companion, "b29")
    terminal = shell(f"companion {command} > {tmp_path / 'out.txt'}")
    terminal.expect(pexpect.EOF)
    terminal.wait()
    assert terminal.exitstatus == 2
    assert (tmp_path / "out.txt").read_text() == ""


@pytest.mark.slow
def test_bytes_that_are_no_text_are_refused_where_they_are_typed() -> None:
    terminal = shell("companion new Bats --game b29")
    terminal.expect("Aircraft .*: ")
    os.write(terminal.child_fd, b"Lucky \xff\n")
    terminal.expect("input is not valid UTF-8. Type it again")
    terminal.expect("Aircraft .*: ")
    terminal.sendline("Lucky")
    terminal.expect("Pilot .*: ")
    press_ctrl_c(terminal, "Nothing was saved")
    terminal.expect(pexpect.EOF)
