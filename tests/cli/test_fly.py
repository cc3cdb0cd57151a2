"""`companion fly` on a real terminal, from a file, and automatically."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pexpect
import pytest

from companion.cli import asking, fly
from companion.engine.facts import Facts
from companion.engine.questions import FieldQuestion, RowQuestion
from companion.packs import Pack
from companion.play.conversation import Answers, Chance, Player, resolve
from companion.play.mission import Mission
from companion.problems import MissingAnswer
from companion.render.own_prompt import RowPrompt
from companion.render.prompt import FieldPrompt
from tests.support import END, Run, Terminal, begin, begun, press_ctrl_c, sit_down, slow_but
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
def test_an_automatic_mission_is_repeatable_and_its_script_replays_it(companion: Run, tmp_path: Path) -> None:
    start(companion)
    first = companion("fly", "--auto", "--seed", "11", "--json").json
    assert first["facts"]["step"] == "end"
    script = tmp_path / "mission.txt"
    script.write_text(companion("log", "--replay").out)
    start(companion, name="Bats")
    again = companion("fly", "--dice-from", script, "--json").json
    assert again["facts"] == first["facts"]
    start(companion, name="Hawks")
    assert companion("fly", "--auto", "--seed", "11", "--json").json["facts"] == first["facts"]


def test_a_script_that_does_not_fit_stops_and_says_where(companion: Run, tmp_path: Path) -> None:
    start(companion, 12)
    script = tmp_path / "mission.txt"
    script.write_text("# a slip\n2.2B: 6,6\n5-9: 3,4\n")
    ran = companion("fly", "--dice-from", script, "--json")
    assert ran.code == 2
    told = json.loads(ran.err)["error"]
    assert told == f"Nothing was saved. {script}, line 3: '5-9' doesn't match: the question is 2-2A."
    assert (ran.out, companion("log", "--json").json) == ("", [])
    script.write_text("2.2B: 6\n")
    assert "line 1: 2D needs 2 dice" in companion("fly", "--dice-from", script).err


@pytest.mark.parametrize(
    ("answer", "code", "told"),
    [
        ("land", 0, "line 3: landing isn't asked here. The default is land"),
        ("bail-out", 2, "the question is G-9. To decide it anyway write: choose landing: bail-out"),
    ],
)
def test_a_default_answer_not_asked_for_is_ignored(
    companion: Run, tmp_path: Path, answer: str, code: int, told: str
) -> None:
    """An undamaged bomber lands without a question; a script may give that answer, but no other one."""
    begin(companion, "b17", "mission.number=12", "target.city=Paris")
    script = tmp_path / "home.txt"
    home = "set zone=2 turn=8 leg=inbound zone.turns=1 bombs=dropped step=turn formation=in altitude=high"
    script.write_text(f"{home}\nO-1: 3,4\nlanding: {answer}\nG-9: 3,4\n")
    ran = companion("fly", "--dice-from", script)
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


def test_the_rulebook_row_is_asked_for_after_the_dice(companion: Run) -> None:
    start(companion)
    companion("set", "step=target-early")
    companion("roll", "2-5", "--outcome", "high")
    companion("roll", "2-6", "--outcome", "light")
    companion("undo")
    terminal = Terminal("roll", "2-6").expect("What does your rulebook say", r"\(34 none\) or the result alone: ")
    terminal.say("7", "7 isn't a result", "result alone: ")
    terminal.say("44", "for a net 8", "or words: ")
    terminal.say("blue", "'blue' isn't in the list", "another answer: ")
    terminal.say("mod", "Moderate resistance expected", END)


def test_u_between_the_dice_and_the_row_takes_back_the_dice_and_s_loses_none(companion: Run) -> None:
    start(companion)
    terminal = Terminal("fly").expect("2-1 Mission targets", "result alone: ")
    terminal.say("44", "for a net 8", "or words: ")
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
    monkeypatch.setattr(asking, "ask", lambda _: next(replies))
    assert asking.put(RowPrompt(asked.value.question)) == "-1"
    assert capsys.readouterr().out.count("Type a number, e.g. 2 or -1, or none.") == 2


def test_a_modifier_of_the_gazetteer_is_typed_as_a_number(monkeypatch: pytest.MonkeyPatch, b29: Pack) -> None:
    declared = b29.sheet.fields["log.gazetteer.6"]
    replies = iter(["9", "+2"])
    monkeypatch.setattr(asking, "ask", lambda _: next(replies))
    need = FieldQuestion("log.gazetteer.6", declared, "2-9 modifier, zone 6", "0")
    assert asking.put(FieldPrompt(need)) == "2"  # not the second line of a list


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


def test_equal_rolls_are_counted(companion: Run) -> None:
    start(companion, 12)
    companion("set", "zone=12", "target.zone=12", "altitude=med")
    companion("roll", "6-2", "--dice", "3")  # light: 6-3 three times
    terminal = Terminal("fly").expect(r"6-3 Does the flak hit\? \(3\): hit on [^\n]*\s+Roll 3 x 2D")
    terminal.say("66 34 66", r"6-4 [^\n]* \(2\)")  # two of them hit
    terminal.expect("Roll 2 x 2D")
    terminal.say(
        "u", r"Undone: 6-3 Does the flak hit\? 6\+6, Hit", r"6-3 Does the flak hit\? \(3\)[^\n]*\s+Roll 3 x 2D"
    )  # the whole line
    terminal.say("66 34 34", r"6-4 [^(]*Roll 2D")
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
