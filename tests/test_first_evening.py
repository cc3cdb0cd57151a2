"""What a player stumbled over who had only the README: each sentence, name and screen as he now finds it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pexpect
import pytest

from companion.cli import asking
from companion.cli.asking import meant
from companion.cli.completing import candidates
from companion.engine.needs import NeedChoice, Option
from companion.packs import Pack, games
from companion.problems import Problem
from companion.words import one_of
from tests.conftest import Run
from tests.test_at_the_table import sit_down

on_a_terminal = pytest.mark.skipif(os.name == "nt", reason="no pseudo-terminal on Windows")


def begin(companion: Run, game: str, *given: str) -> Run:
    companion("new", "Owls", "--game", game, "--yes")
    companion("mission", "start", "--yes", *[word for each in given for word in ("--with", each)])
    return companion


@pytest.fixture
def owls(companion: Run) -> Run:
    return begin(companion, "b29", "mission.number=12")


@pytest.fixture
def queens(companion: Run) -> Run:
    return begin(companion, "b17")


# -- odds --------------------------------------------------------------------------------------------------------------


def test_a_fact_that_changes_nothing_for_a_table_is_said_to(companion: Run) -> None:
    told = companion("odds", "4-2", "--game", "b29", "--compare", "evasive=yes")
    assert "evasive=yes changes nothing for this table as things stand." in told.out
    assert told.out.count("good") == 1 and "as things stand  (" not in told.out  # once, not twice the same
    told = companion("odds", "5-1", "--game", "b29", "--compare", "altitude=hi")
    assert "changes nothing" not in told.out and "as things stand  (" in told.out
    same = companion("odds", "4-2", "--game", "b29", "--compare", "evasive=yes", "--json").json
    assert same["compared"]["outcomes"] == same["outcomes"]


# -- a new campaign ----------------------------------------------------------------------------------------------------


@on_a_terminal
def test_a_letter_at_a_name_prompt_is_a_slip_and_no_name(companion: Run) -> None:
    terminal = sit_down("new", "Owls", "--game", "b29")
    terminal.expect(r"Aircraft \[.*\]: ")
    for slip in "u?qsn":
        terminal.sendline(slip)
        terminal.expect("a name has at least two letters; Enter takes Lucky Thirteen; to change")
        terminal.expect(r"companion bomber NAME\s+Aircraft \[.*\]: ")
    terminal.sendline("Al")
    terminal.expect(r"Pilot \[.*\]: ")
    terminal.sendline("u")
    terminal.expect(r"Enter takes Harlan Beck;\s.*\scompanion\s+crew\s+--set\s+pilot=NAME")
    for _ in range(11):
        terminal.expect(r"\[.*\]: ")
        terminal.sendline("")
    terminal.expect("Begin with")
    terminal.expect(pexpect.EOF)
    crew = companion("crew", "--json").json["crew"]
    assert all(len(man["name"]) > 1 for man in crew) and crew[0]["name"] == "Harlan Beck"


def test_the_games_that_are_there_are_named(companion: Run) -> None:
    there = one_of(games())
    assert "b17" in there and "bombs-away" in there
    for command in (["new", "Owls"], ["undo"], ["roll"], ["crew"], ["sheet", "mission"], ["use", "Nobody"]):
        ran = companion(*command)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert there in ran.err
    assert there in companion("campaigns").out


# -- names as the screen shows them ------------------------------------------------------------------------------------


def test_a_man_is_meant_by_what_the_crew_screen_calls_him(queens: Run) -> None:
    assert "Tail gunner: Joe Doe" in queens("crew", "--set", "Tail gunner=Joe Doe").out
    refused = queens("crew", "--replace", "Port waist gunner", "Joe")
    assert "Clem Yardley can still fly" in refused.err
    assert "there is no position port gunner" in queens("crew", "--set", "port gunner=Joe").err
    assert queens("set", "crew.port waist gunner=light").code == 0
    facts = queens("status", "--json").json["facts"]
    assert (facts["name.tail-gunner"], facts["crew.port-waist"]) == ("Red Mulvaney", "light")  # names: from the next


def test_a_gun_is_meant_by_what_the_status_screen_calls_it(queens: Run) -> None:
    given = ["--with", "fighter.clock=12", "--with", "fighter.angle=high", "--dice", "6"]
    named = queens("roll", "M-1", "--with", "gun=TOP turret", *given, "--dry-run", "--json").json
    assert named == queens("roll", "M-1", "--with", "gun=top", *given, "--dry-run", "--json").json
    queens("roll", "M-1", "--with", "gun=Top turret", *given)
    assert queens("log", "--json").json[-1]["given"]["gun"] == "top"  # recorded by its own name
    assert "gun cannot be turret; it is nose" in queens("roll", "M-1", "--with", "gun=turret", *given).err


@on_a_terminal
def test_the_question_for_a_gun_takes_what_it_is_called(queens: Run) -> None:
    terminal = sit_down("roll", "M-1", "--with", "fighter.clock=12", "--with", "fighter.angle=high")
    terminal.expect("Gun .*: ")
    terminal.sendline("top turret")
    terminal.expect("Roll 1D.*: ")
    terminal.sendline("1")
    terminal.expect("M-1 .*Top turret")
    terminal.expect(pexpect.EOF)


def test_a_label_that_two_members_share_means_neither() -> None:
    from companion.engine.sheet import Sheet

    doc = {"index": {"gun": {"a": {"label": "Same"}, "b": {"label": "same"}, "c": {"label": "Other gun"}}}}
    sheet = Sheet.read("small", doc)
    assert sheet.given(["gun=other GUN"]) == {"gun": "c"}
    with pytest.raises(Problem, match="gun cannot be Same; it is a, b or c"):
        sheet.given(["gun=Same"])


FIGHTERS = {
    "1-tail-gunner": "fighter 1, tony from 9 high",
    "2-tail-gunner": "fighter 2, zeke from 6 level",
    "2-tail-gunner-passing": "fighter 2, zeke from 6 level, a passing shot",
    "12-cfc": "fighter 12, zeke from 3 high",
    "hold": "hold fire",
}


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        (["fighter 1"], "1-tail-gunner"),  # not fighter 12
        (["9 high"], "1-tail-gunner"),
        (["Passing shot"], "2-tail-gunner-passing"),
        (["hold FIRE"], "hold"),
        (["fighter 2, zeke from 6 level"], "2-tail-gunner"),  # the whole text of one, the beginning of another
        (["fighter 2", "zeke", "george", "3 high"], "12-cfc"),  # two of them, three of them, none
    ],
)
def test_an_option_is_taken_by_its_text_or_a_part_that_only_it_has(
    typed: list[str], taken: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = iter(typed)
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    options = [Option(name, text, {}, {}, False) for name, text in FIGHTERS.items()]
    assert asking.ask_choice(NeedChoice("aim", "Fire at?", options, {})) == taken
    assert next(answers, None) is None
    said = capsys.readouterr().out
    assert ("'fighter 2' may be 2a or 2b." in said) == (len(typed) > 1)
    assert ("'zeke' may be 2a, 2b or 12." in said) == (len(typed) > 1)


def test_words_of_a_book_are_not_taken_for_a_row_that_has_them_somewhere() -> None:
    rows, texts = ["fire", "leak"], ["Fire in the bomb bay", "A fuel leak, no fire"]
    assert asking.chosen(rows, "fire in the bomb bay", texts) == "fire"
    assert asking.chosen(rows, "a fuel leak", texts) == "leak"
    assert asking.chosen(rows, "bomb bay", texts) == "bomb bay"
    assert asking.chosen(rows, "no fire", texts) == "no fire"
    assert meant(rows, texts, "f", inside=True) == []


# -- the status screen -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["b17", "b29"])
def test_the_status_of_a_bomber_fits_into_a_window(companion: Run, game: str) -> None:
    shown = begin(companion, game)("status").out.splitlines()
    assert len(shown) < 24
    assert max(map(len, shown)) <= 80
    boxes = "\n".join(line for line in shown if " left" in line)
    sheet, about = Pack(game).sheet, Pack(game).about["status"]
    for name in about["boxes"]:
        assert boxes.count(f"{sheet.under(name)} ") == 1
    assert boxes.count(" left") == len(about["boxes"])
    assert boxes.count("☐") == sum(sheet.fields[name].limit or 0 for name in about["boxes"])


def test_boxes_stand_two_to_a_line_where_both_fit(queens: Run) -> None:
    queens("mark", "ammo.port-cheek", "3")
    line = next(line for line in queens("status").out.splitlines() if line.startswith("Nose gun"))
    assert line == "Nose gun ☐☐☐☐☐☐☐☐☐☐ ☐☐☐☐☐ 15 left       Port cheek gun ☒☒☒☐☐☐☐☐☐☐ 7 left"
    assert "Port waist gun      ☐" in queens("status").out  # alone, and its boxes under those of the others


def test_engines_that_are_alike_take_one_line(queens: Run) -> None:
    assert "Engine 1 to 4 " in queens("status").out
    queens("set", "engine.2=out", "engine.4=out", "engine.3=runaway")
    shown = [line.partition("Engine")[2].split() for line in queens("status").out.splitlines() if "Engine " in line]
    assert shown == [["1", "ok"], ["2,", "4", "out"], ["3", "runaway"]]


def test_what_is_not_known_yet_takes_no_room(queens: Run) -> None:
    assert "What lies below" not in queens("status").out


# -- why, undo ---------------------------------------------------------------------------------------------------------


def test_why_tells_what_somebody_did_last_and_not_the_step_after_it(owls: Run, tmp_path: Path) -> None:
    file = tmp_path / "mission.txt"
    file.write_text("2.2B: 6,6\n2-2A: 3,4 = dock area\nend\n")
    owls("fly", "--dice-from", file)
    entries = owls("log", "--json").json
    last = max(each["number"] for each in entries if each["dice"])
    assert entries[0]["verb"] == "step"
    assert owls("why", "--json").json["number"] == last
    assert owls("why", "2.2b", "--json").json["dice"] == [6, 6]
    owls("roll", "4-2", "--dice", "1,1")
    owls("roll", "4-2", "--dice", "6,6")
    assert owls("why", "4-2", "--json").json["dice"] == [6, 6]
    for typed, said in (("M-2", "b29 has no table M-2"), ("5-9", "5-9 has not been rolled in this mission")):
        ran = owls("why", typed)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert said in ran.err


def test_tab_offers_the_tables_after_why(owls: Run) -> None:
    assert "4-2" in [name for name, _ in candidates(["why", "4-"])]


def test_a_row_is_told_in_words(owls: Run) -> None:
    for dice, words in (("1,1", " or less"), ("6,6", " or more")):
        owls("roll", "4-2", "--dice", dice)
        told = owls("why").out
        assert words in told and ".." not in told
    assert ".." in owls("why", "--json").json["row"]  # as the pack writes it


def test_what_can_be_undone_is_named(owls: Run) -> None:
    owls("set", "zone=3")
    assert owls("undo", 100).err == "cannot undo 100; 1 roll, decision or mark can be undone\n"
    owls("set", "zone=4")
    assert owls("undo", 100).err == "cannot undo 100; 2 rolls, decisions or marks can be undone\n"


# -- coming back -------------------------------------------------------------------------------------------------------


@on_a_terminal
def test_the_step_is_named_again_to_a_player_who_comes_back(owls: Run) -> None:
    terminal = sit_down("fly")
    terminal.expect("── Base · Day or night  2.2 B")
    terminal.expect("Roll 2D: ")
    terminal.sendline("q")
    terminal.expect(pexpect.EOF)
    owls("set", "zone=2")
    again = sit_down("fly")
    again.expect("── Zone 2 · Day or night  2.2 B")
    again.expect("2.2B")
    again.expect("Roll 2D: ")
    assert (again.before or "").count("──") == 0  # once
    again.sendline("q")
    again.expect(pexpect.EOF)


# -- lines on a terminal -----------------------------------------------------------------------------------------------


@on_a_terminal
def test_a_sentence_is_broken_between_words_on_a_terminal_only(companion: Run) -> None:
    typed = "roll", "5-9", "--game", "b29", "--dice", "3,4", "--with", "gun=turret of the tail"
    said = companion(*typed).err
    assert said.count("\n") == 1 and len(said) > 81
    terminal = sit_down(*typed)
    terminal.expect(pexpect.EOF)
    lines = (terminal.before or "").strip().split("\r\n")
    assert len(lines) > 1 and all(len(line) <= 80 for line in lines)
    assert " ".join(lines) == said.strip()


class Screen:
    """Standard output as a terminal."""

    def __init__(self) -> None:
        self.said = ""

    def write(self, text: str) -> int:
        self.said += text
        return len(text)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True


def test_options_and_prompts_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, asked = Screen(), list[str]()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "")
    asking.listed([("1-cfc", "fighter 1, tony from 9 high, fired by the Central fire controller"), ("hold", "")])
    lines = screen.said.splitlines()
    assert all(len(line) <= 50 for line in lines)
    assert lines[0].startswith("  1  1-cfc: fighter 1") and lines[1].startswith("     ") and lines[1][5] != " "
    assert lines[-1] == "  2  hold"
    asking.prompt("Steps marked with the sign of an optional rule (with or without) [with]: ")
    assert asked[0].endswith("[with]: ") and all(len(line) <= 50 for line in asked[0].splitlines())
    assert len(asked[0].splitlines()) == 2


def test_json_is_never_broken(owls: Run) -> None:
    out = owls("roll", "4-2", "--dice", "1,1", "--json").out
    assert out.count("\n") == 1 and json.loads(out)["table"] == "4-2"


# -- near names --------------------------------------------------------------------------------------------------------


def test_only_what_can_be_marked_is_offered_for_marking(queens: Run) -> None:
    assert "did you mean ammo.top?" in queens("mark", "top").err
    assert "did you mean ammo.top?" in queens("erase", "top").err


def test_only_what_can_be_set_is_offered_for_setting(owls: Run) -> None:
    said = owls("set", "navigator=light").err
    offered = said.partition("did you mean ")[2].rstrip("?\n").replace(" or ", ", ").split(", ")
    assert "crew.navigator" in offered
    sheet = Pack("b29").sheet
    assert all(sheet.writable(name) == name for name in offered)
    assert all(name.endswith(".navigator") for name in offered)
    assert owls("mark", "fighter.clok").code == owls("set", "engines.outt=2").code == 2
    assert "engines.out" not in owls("set", "engines.outt=2").err.partition("did you mean")[2]


def test_victories_are_not_called_like_wounds(owls: Run) -> None:
    head = next(line for line in owls("crew").out.splitlines() if "Missions" in line)
    assert "Wins" in head and "Won" not in head
