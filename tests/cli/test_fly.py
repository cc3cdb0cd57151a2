"""`companion fly` and the prompts on a real terminal, from a script, and automatically."""

import json
import os
import random
import shlex
import sys
from pathlib import Path

import pexpect
import pytest

from companion.cli import fly, terminal
from companion.engine.facts import Facts
from companion.engine.questions import FieldQuestion, RowQuestion
from companion.packs import Pack
from companion.play.conversation import Chance, Player, resolve
from companion.play.mission import Answers, Mission
from companion.problems import MissingAnswer
from companion.render.dice_prompt import RowPrompt
from companion.render.prompt import FieldPrompt
from tests.support import END, Run, Terminal, begin, begun, fly_script, press_ctrl_c, sit_down, slow_but
from tests.support import fly as fly_on


def start(companion: Run, number: int = 3, name: str = "Owls") -> None:
    companion("new", name, "--game", "b29", "--yes")
    companion("mission", "start", "--yes", "--with", f"mission.number={number}")


@pytest.mark.slow
def test_fly_names_the_step_asks_for_dice_and_can_be_left_and_taken_up(companion: Run) -> None:
    start(companion, 12)
    terminal = sit_down("fly")
    terminal.expect("Day or night")
    terminal.expect("Roll 2D: ")
    terminal.sendline("66")
    terminal.expect("A day mission")
    terminal.expect(": ")
    terminal.sendline("q")
    terminal.expect("Continue later with: companion fly")
    terminal.expect(pexpect.EOF)
    assert companion("status", "--json").json["facts"]["mission.time"] == "day"
    again = sit_down("fly")
    again.expect("2-2A Target type")
    again.expect(": ")
    again.sendline("u")
    again.expect(r"Undone \(from an earlier session\): 2.2B Day or night\? 6\+6, A day mission")
    again.expect("Roll 2D: ")
    again.sendline("1 2")
    again.expect("A night mission")
    again.expect(": ")
    press_ctrl_c(again, "Continue later with: companion fly")
    again.expect(pexpect.EOF)
    assert companion("status", "--json").json["facts"]["mission.time"] == "night"


def test_another_terminal_is_noticed(companion: Run) -> None:
    start(companion, 12)
    terminal = Terminal("fly").expect("Roll 2D: ")
    companion("set", "weather=poor")
    terminal.say(
        "66", "nother terminal has changed this mission", "Roll 2D: "
    )  # the flight goes on with the current sheet
    terminal.say("q", END)
    assert companion("status", "--json").json["facts"]["weather"] == "poor"


def test_a_flight_stays_with_its_campaign_and_its_mission(companion: Run) -> None:
    start(companion, 12)
    terminal = Terminal("fly").expect("Roll 2D: ")
    companion("new", "Second", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    terminal.say("66", "Target type")
    terminal.say("q", END)
    assert companion("log", "--json").json == []  # nothing of it came to the other campaign
    companion("use", "Owls")
    assert [6, 6] in [each.get("dice") or each.get("d") for each in companion("log", "--json").json]
    terminal = Terminal("fly").expect(": $")
    companion("mission", "start", "--yes")
    terminal.say("u", "Another terminal has started mission 2 of Owls. This belongs to mission 1", END)
    assert companion("log", "--json").json == []


@pytest.mark.slow
def test_an_automatic_mission_is_repeatable(companion: Run) -> None:
    start(companion)
    first = companion("fly", "--auto", "--seed", "11", "--json").json
    assert first["facts"]["step"] == "end"
    start(companion, name="Hawks")
    assert companion("fly", "--auto", "--seed", "11", "--json").json["facts"] == first["facts"]


def test_a_script_that_does_not_fit_stops_and_says_where(companion: Run) -> None:
    start(companion, 12)
    ran = fly_script(companion, "# a slip\n2.2B: 6,6\n5-9: 3,4\n", "--json")
    assert ran.code == 2
    told = json.loads(ran.err)["error"]
    assert told.startswith("Nothing was saved. ")
    assert told.endswith(".txt, line 3: '5-9' doesn't match: the question is 2-2A.")
    assert (ran.out, companion("log", "--json").json) == ("", [])
    assert "line 1: 2D needs 2 dice" in fly_script(companion, "2.2B: 6\n").err


@pytest.mark.parametrize(
    ("answer", "code", "told"),
    [
        ("land", 0, "line 3: landing isn't asked here. The default is land"),
        ("bail-out", 2, "the question is G-9. To decide it anyway write: choose landing: bail-out"),
    ],
)
def test_a_default_answer_not_asked_for_is_ignored(companion: Run, answer: str, code: int, told: str) -> None:
    """An undamaged bomber lands without a question; a script may give that answer, but no other one."""
    begin(companion, "b17", "mission.number=12", "target.city=Paris")
    home = "set zone=2 turn=8 leg=inbound zone.turns=1 bombs=dropped step=turn formation=in altitude=high"
    ran = fly_script(companion, f"{home}\nO-1: 3,4\nlanding: {answer}\nG-9: 3,4\n")
    assert ran.code == code
    assert told in (ran.out if answer == "land" else ran.err)


def test_a_missing_pilot_is_reported(companion: Run) -> None:
    start(companion)
    assert companion("fly").code == 2


def test_next_tells_the_coming_steps_without_doing_them(companion: Run) -> None:
    start(companion, 12)
    before = companion("status", "--json").json
    coming = companion("next", "--json").json["coming"]
    assert [step["step"] for step in coming][:2] == ["brief", "day-or-night"]
    assert "Day or night" in companion("next").out
    assert companion("status", "--json").json == before


def test_the_free_trip_to_truk(b29: Pack) -> None:
    # 2.3 player note: airfield, day, HI, Zone 5; fighters in Zone 5 only, -2 on 5-1; it does not count
    mission = begun(b29, {"target.city": "Truk"})
    fly_on(mission, Chance(random.Random(5)))
    facts = Facts(b29.sheet, mission.state)
    assert (facts["target.type"], facts["target.zone"], facts["mission.altitude"]) == ("airfield", 5, "hi")
    assert facts["credit"] == "no"
    rolled = [entry for entry in mission.journal.entries if entry.get("t") == "5-1"]
    assert rolled and all(["gazetteer", -2] in entry["m"] for entry in rolled)


def test_a_fighter_whose_area_was_rolled_is_not_asked_for_it_again(companion: Run) -> None:
    start(companion)
    companion("set", "zone=6", "altitude=hi")
    companion("roll", "5-2", "--dice", "5,4/4,5")
    terminal = Terminal("fly").expect(r"5-4 Angle of attack – fighter 1 \(George from 6\)", "Roll 1D.*: ")
    terminal.say("4", "Attacks level")
    terminal.interrupt(END)


def test_u_between_the_dice_and_the_row_takes_back_the_dice_and_s_loses_none(companion: Run) -> None:
    start(companion)
    terminal = Terminal("fly").expect("2-1 Mission targets", "result alone: ")
    terminal.say("44", "for an 8", "or words: ")
    terminal.say("u", "Undone: 4 4", "result alone: ")
    terminal.say("42", "or words: ")
    terminal.say("s", "Crew: Pilot", "or words: ")
    terminal.say("tokyo", "2-1: 6, ", "Mission time", r"Enter for \d: ")
    terminal.say("", "Target type .*: ")
    terminal.say("", r"Enter for \d: ")
    terminal.say("u", "Undone: Target type: industrial")
    terminal.say("", r"Enter for \d: ")
    terminal.say("", r"In which\s+zone[\s\S]*?or words: ")
    terminal.say("", "Type 10, 11, 12, 13 or 14", "or words: ")
    terminal.say("15", "There is no target in Zone 15", "or words: ")
    terminal.say("13", "Target zone: 13")
    terminal.interrupt(END)


def test_the_book_has_numbers_there(
    monkeypatch: pytest.MonkeyPatch, b29: Pack, capsys: pytest.CaptureFixture[str]
) -> None:
    mission = Mission(b29, {"zone": 2}, number=3)
    with pytest.raises(MissingAnswer) as asked:
        resolve(mission, "4-4", Player(), Answers([[4, 5]]))
    assert isinstance(asked.value.question, RowQuestion)
    replies = iter(["1 1", "clear", "-1"])
    monkeypatch.setattr(terminal, "ask", lambda _: next(replies))
    assert terminal.put(RowPrompt(asked.value.question)) == "-1"
    assert capsys.readouterr().out.count("Type a number, e.g. 2 or -1, or none.") == 2


def test_a_modifier_of_the_gazetteer_is_typed_as_a_number(monkeypatch: pytest.MonkeyPatch, b29: Pack) -> None:
    declared = b29.sheet.fields["log.gazetteer.6"]
    replies = iter(["9", "+2"])
    monkeypatch.setattr(terminal, "ask", lambda _: next(replies))
    need = FieldQuestion("log.gazetteer.6", declared, "2-9 modifier, zone 6", "0")
    assert terminal.put(FieldPrompt(need)) == "2"  # not the second line of a list


def test_the_first_screen_of_a_mission_omits_the_usual_start(companion: Run) -> None:
    companion("new", "Reich", "--game", "bombs-away", "--yes")
    companion("mission", "start", "--yes")
    terminal = Terminal("fly").expect("All on one line: ")
    first = terminal.before or ""
    assert "The sheet is set up by the rulebook" in first
    assert "available:" not in first  # nor what every box begins with
    assert len(first.splitlines()) < 7
    terminal.say("2", "Count again?")
    assert "set up" not in (terminal.before or "")
    terminal.say("q", END)
    start(companion)
    companion("set", "notes=torn map")
    terminal = Terminal("fly").expect("result alone: ")
    assert "Altitude" not in (terminal.before or "")
    terminal.say("q", END)


@pytest.mark.slow
@pytest.mark.section("b17 6.3 a")
def test_the_dice_of_a_line_are_written_once_and_all_of_them(
    companion: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.store.campaigns import Campaign

    begin(companion, "b17")
    fighter = ("fighter.1.type=me109", "fighter.1.clock=9", "fighter.1.angle=level")
    assert companion("set", "zone=5", "target.zone=6", "leg=outbound", "wave=1", *fighter, "step=dodge").code == 0
    saves, save, lines, rolls = list[int](), Campaign.save, iter(["", "333"]), list[int]()

    def counted(self: Campaign, mission: Mission) -> None:
        saves.append(mission.journal.position)
        rolls.append(sum(entry["v"] == "roll" for entry in mission.journal.entries))
        save(self, mission)

    def typed(question: str) -> str:
        line = next(lines, None)
        if line is None:
            raise KeyboardInterrupt
        return line

    monkeypatch.setattr(Campaign, "save", counted)
    monkeypatch.setattr("builtins.input", typed)
    fly.at_the_table()
    capsys.readouterr()
    assert rolls[-1] - rolls[-2] == 3  # top, ball and port waist fire in one writing
    entries = companion("log", "--json").json
    assert [each["dice"] for each in entries if each["table"] == "M-1"] == [[3]] * 3


@pytest.mark.parametrize("game", slow_but(["b17", "b29", "bombs-away"]))
def test_no_line_of_a_flight_ends_in_blanks(companion: Run, game: str) -> None:
    begin(companion, game)
    shown = companion("fly", "--auto", "--seed", "3").out.splitlines()
    assert len(shown) > 100
    assert [line for line in shown if line != line.rstrip()] == []


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
    terminal = Terminal("roll", "4-8").expect("0 if none", "Your 4-8 modifier for a novice navigator.*: ")
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("set pilott lost\n", "line 1: There is no field 'pilott'"),
        ("# a remark\n\nset zone=far\n", "line 3: zone must be 0 to 14, not far"),
        ("with fighter.clock=6\n2.2B: 6,6\n", "line 1: after with comes a roll"),
        ("2.2B: 6,6\ntarget-list: 2-2Z\n", "line 2: 'target-list' doesn't match"),
    ],
)
def test_a_wrong_line_is_reported_with_its_number(companion: Run, text: str, message: str) -> None:
    begin(companion, "b29", "mission.number=12")
    ran = fly_script(companion, text)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert message in ran.err and ran.err.startswith("Nothing was saved. ")
    assert companion("log", "--json").json == []


def test_lines_that_are_left_when_the_mission_is_over_are_not_passed_over(companion: Run) -> None:
    begin(companion, "b29")
    companion("set", "step=debrief")
    ran = fly_script(companion, "5-9: 3,4\n")
    assert (ran.code, ran.out) == (2, "")
    assert "line 1: '5-9: 3,4' comes after the end of the mission" in ran.err


def test_the_ways_to_write_facts_and_remarks(companion: Run) -> None:
    begin(companion, "b29")
    script = (
        "# zone 4\nset zone=4 weather=poor   # as on the board\nset name.pilot=Dan Kerr # the second\n"
        "set name.copilot=R#2\nset notes = a # b=c\nmark fuel.wing 2  # two boxes\nend\n5-1: 3,4\n"
    )
    assert fly_script(companion, script).code == 0
    facts = companion("status", "--json").json["facts"]
    assert (facts["zone"], facts["weather"], facts["fuel.wing"]) == (4, "poor", 2)
    assert (facts["name.pilot"], facts["name.copilot"], facts["notes"]) == ("Dan Kerr", "R#2", "a # b=c")
    assert [each["verb"] for each in companion("log", "--json").json] == ["set", "set", "set", "set", "mark"]
