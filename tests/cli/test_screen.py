"""The screen: sentences wrap between words, and results told before a question include its cause."""

import io
import json

import pytest
from rich.console import Console

from companion.cli import terminal
from companion.cli.flyer import show_briefly
from companion.cli.main import main
from companion.cli.terminal import broken, cropped
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.mission import Mission
from companion.render.describe import in_flight
from companion.render.options import numbered
from companion.render.situation import Line
from companion.store.session import Session
from tests.support import Run, Window


def test_a_sentence_is_broken_between_words_on_a_terminal_only(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = "roll", "5-9", "--game", "b29", "--dice", "3,4", "--with", "gun=turret of the tail"
    message = companion(*typed).err
    assert message.count("\n") == 1 and len(message) > 81
    screen = Window()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setenv("COLUMNS", "60")
    assert main(typed) == 2
    lines = screen.getvalue().splitlines()
    assert len(lines) > 1 and all(len(line) <= 60 for line in lines)
    assert " ".join(lines) == message.strip()


def test_options_and_prompts_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    screen, asked = Window(), list[str]()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or "")
    texts = ["fighter 1, tony from 9 high, fired by the Central fire controller", ""]
    print("\n".join(terminal.listed(numbered(["1-cfc", "hold"], texts))))
    lines = screen.getvalue().splitlines()
    assert all(len(line) <= 50 for line in lines)
    assert lines[0].startswith("  1  1-cfc: fighter 1") and lines[1].startswith("     ") and lines[1][5] != " "
    assert lines[-1] == "  2  hold"
    terminal.ask("Steps marked with the sign of an optional rule (with or without) [with]: ")
    assert asked[0].endswith("[with]: ") and all(len(line) <= 50 for line in asked[0].splitlines())
    assert len(asked[0].splitlines()) == 2


def test_output_of_a_command_is_wrapped_between_words(owls: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long name, an order on a new sheet, and an edit of many fields that is undone and redone."""
    name = "The Twenty-First of September Evening Campaign of Bartholomew and Philippa"
    screen, wide = Window(), 60
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setenv("COLUMNS", str(wide))
    monkeypatch.setenv("NO_COLOR", "1")
    marked = ["engine.2=out", "tank.inboard.port=leak", "crew.tail-gunner=serious", "gun.fwd-upper=jammed"]
    begun = ["new", name, "--game", "b29", "--yes"], ["mission", "start", "--yes"], ["use", name], ["campaigns"]
    for command in (*begun, ["set", *marked], ["undo"], ["redo"], ["next"], ["done"], ["log"], ["status"]):
        screen.truncate(screen.seek(0))
        assert main(command) == 0, command
        lines = screen.getvalue().splitlines()
        assert all(len(line) <= wide or " " not in line.strip() for line in lines), command


def test_json_is_never_broken(twelfth: Run) -> None:
    out = twelfth("roll", "4-2", "--dice", "1,1", "--json").out
    assert out.count("\n") == 1 and json.loads(out)["table"] == "4-2"


def test_every_screen_keeps_to_80_columns(owls: Run) -> None:
    owls("set", "zone=12", "engine.2=out", "engine.3=out", "altitude=hi", "target.city=Shimonoseki")
    owls("roll", "7-1", "--dice", "1,1")
    for command in (["status"], ["next"], ["sheet", "mission"], ["show", "5-1"], ["show", "5-11"], ["tables", "list"]):
        ran = owls(*command)
        assert ran.code == 0, ran.err
        assert max(map(len, ran.out.splitlines())) <= 80, command
        assert "\x1b" not in ran.out


def test_a_line_goes_on_under_its_first_piece_and_letters_of_two_columns_count_as_two() -> None:
    line = Line("  dice  ", [("東京 seven ", "dim"), ("eight-and-more", "row"), ("", "")])
    told = [each.margin + each.text for each in broken(line, 18)]
    assert told == ["  dice  東京 seven", "        eight-and-", "        more"]
    assert broken(line, 18)[1].pieces == [("eight-and-", "row")]
    assert cropped(line, 15).text == "東京 s…"


def test_long_options_are_listed_below_the_short_ones_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", Window())
    monkeypatch.setenv("COLUMNS", "80")
    names = [*(f"raise-flak-{number}" for number in range(1, 14)), "buy-an-event-card-and-it-is-World-War-Heats-Up"]
    lines = terminal.listed(numbered(names))
    assert len(lines) == 5 and all(len(line) <= 80 for line in lines)
    assert lines[0].split() == "1 raise flak 1 5 raise flak 5 9 raise flak 9 13 raise flak 13".split()
    assert lines[-1].startswith("  14  buy-an-event-card")


ROWS = ["4-4", "4-5", "4-6", "4-7", "4-8", "7-9", "7-10"]


def rolled(table: str, text: str) -> Result:
    result = Result(table)
    result.dice, result.rolled, result.net, result.text = [3, 4], 7, 7, text
    return result


def decided(title: str, *, settled: bool, text: str = "yes") -> Result:
    result = Result("comes-back", title)
    result.decision, result.settled, result.text = True, settled, text
    result.then = ["5-8"]
    return result


def told(results: list[Result], b29: Pack, most: int) -> list[str]:
    page = io.StringIO()
    out = Console(file=page, width=80, color_system=None, highlight=False, markup=False, emoji=False)
    show_briefly(results, Session(b29, Mission(b29, number=1)), out, most)
    return page.getvalue().splitlines()


@pytest.mark.parametrize("most", [5, 6])
def test_the_row_that_led_to_the_question_is_never_folded_away(b29: Pack, most: int) -> None:
    shown = told([rolled(table, f"What {table} says") for table in ROWS], b29, most)
    assert len(shown) == most
    assert shown[-1].endswith(" – 7 What 7-10 says")
    assert shown[-2] == f"  … {len(ROWS) - most + 1} lines more in the log"
    assert shown[0].endswith("7 What 4-4 says")


@pytest.mark.parametrize(("settled", "words"), [(True, "Fighter 2 (Frank): comes back – yes"), (False, "yes")])
def test_a_decision_that_settled_itself_says_what_about(b29: Pack, settled: bool, words: str) -> None:
    result = decided("Fighter 2 (Frank): comes back?", settled=settled)
    session = Session(b29, Mission(b29, number=1))
    assert [each.text for each in in_flight([result], session, [])] == [words.replace(" (Frank)", "")]


def step(title: str, note: str) -> Result:
    result = Result("", title)
    result.step, result.notes = True, [(note, "III A 2")]
    return result


@pytest.mark.parametrize("most", [5, 6])
def test_the_last_steps_are_always_shown(b29: Pack, most: int) -> None:
    """The order of play comes with the question: it says who places cards first."""
    before = [step("Points", "Two points are scored"), *[rolled(table, f"What {table} says") for table in ROWS]]
    shown = told([*before, step("Turn", "Lay your cards"), step("Then", "Then the others")], b29, most)
    assert len(shown) == most
    assert [line.split("  ")[1] for line in shown[-2:]] == ["Lay your cards", "Then the others"]
    assert shown[-3].endswith(" – 7 What 7-10 says")
    assert not any("Two points" in line for line in shown)
