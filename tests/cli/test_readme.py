"""The README, its pictures and other texts match the program; its output has no inner names and fits the screen."""

import re
import shlex
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pexpect
import pytest
from PIL import Image

from companion.cli.fields import GUIDE
from companion.engine.questions import RowQuestion
from companion.packs import Pack
from companion.play import lookahead
from companion.render.dice_prompt import RowPrompt
from tests import pictures
from tests.inner_names import betrayed, inner, odd
from tests.readme import PAGE, commands, options, reference
from tests.screens import Typist, flown, reports
from tests.support import ROOT, Run, slow_but

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = commands()
EVERYWHERE = {"-h", "--help"}
OPTION = re.compile(r"(?<![\w`-])-{1,2}[a-z][a-z-]*\b")
GUIDE = [f"companion/guide/{path.name}" for path in sorted(GUIDE.glob("*.md")) if path != PAGE]
TEXTS = ("README.md", "CONTRIBUTING.md", "tables/README.md", *GUIDE)
ASKING = ("fly", "serve", "roll")


def command_of(words: str) -> str:
    """Return the command that `roll 5-9 --dice 3,4` or `tables edit TABLE` calls; empty if there is none."""
    first, second, *_ = [*words.split(), "", ""]
    return next((name for name in (f"{first} {second}", first) if name in COMMANDS), "")


def test_the_page_of_commands_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "write it again: python -m tests.readme"


def test_the_help_lists_every_command(companion: Run) -> None:
    shown = companion("--help").out
    assert {words.split()[0] for words in COMMANDS} <= {*re.findall(r"[a-z]+", shown.partition("At the table")[2])}
    assert shown.count("\n") <= 24 and max(map(len, shown.splitlines())) <= 80


@pytest.mark.parametrize("name", TEXTS)
def test_every_call_in_a_text_is_one_that_the_program_takes(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    calls = [call for line in code_of(text) for call in re.findall(r"(?:^|&& |\s)companion ([a-z].*)", line)]
    assert calls
    for call in calls:
        words = call.partition("&&")[0].partition("#")[0]
        assert command_of(words), f"{name}: companion {call}"
        assert set(OPTION.findall(words)) <= {*options(COMMANDS[command_of(words)]), *EVERYWHERE}, f"companion {call}"


def test_every_option_that_a_text_names_alone_is_one_of_the_program() -> None:
    known = {"--version", *EVERYWHERE, *(option for each in COMMANDS.values() for option in options(each))}
    alone = [each for name in TEXTS for each in re.findall(r"`(-[^`\n]+)`", (ROOT / name).read_text(encoding="utf-8"))]
    assert alone
    assert {option for each in alone for option in OPTION.findall(each)} <= known


def code_of(text: str) -> list[str]:
    """Yield the lines of fenced and indented code, and the spans between backticks."""
    fenced = "".join(re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    indented = re.findall(r"^    (.+)", text, re.MULTILINE)
    return [*fenced.splitlines(), *indented, *re.findall(r"`([^`\n]+)`", text)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", *GUIDE])
def test_the_command_blocks_run_in_order(
    name: str, companion: Run, process: Run, tmp_path: Path, monkeypatch: Any
) -> None:
    """A block that asks questions is only started: wait for its first prompt, then press Ctrl-C."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", "sed -i $a#mine")
    monkeypatch.setattr(lookahead, "FLIGHTS", 25)  # missions for the chart of a campaign; a player waits for 1,000
    monkeypatch.setattr(lookahead, "LEAST", 1)
    if name != "README.md":
        assert companion("new", "Owls", "--game", "b17", "--yes").code == 0
        assert companion("mission", "start", "--yes").code == 0
        assert companion("fly", "--auto", "--seed", "7").code == 0
    text = (ROOT / name).read_text(encoding="utf-8")
    for block in re.findall(r"^```\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] != ["companion"]:
                continue
            if command_of(" ".join(words[1:])) in ASKING and "--dice" not in words and "--auto" not in words:
                begun = pexpect.spawn(sys.executable, ["-m", *words], encoding="utf-8", timeout=60)
                begun.expect([r"[:?] $", "Ctrl-C"])
                begun.sendcontrol("c")
                while begun.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=5):  # it came while a class was being made
                    begun.sendcontrol("c")
                continue
            out = words.index(">") if ">" in words else len(words)
            ran = (process if words[1] == "sheet" else companion)(*words[1:out])  # a drawn sheet takes much memory
            assert ran.code == 0, f"{line}: {ran.err}"
            for file in words[out + 1 :]:
                Path(file).write_text(ran.out, encoding="utf-8")


def test_the_readme_is_short_and_shows_what_a_lookup_prints(companion: Run) -> None:
    assert len(TEXT.splitlines()) <= 140
    line = re.search(r"^companion (roll 5-9 .+)$", TEXT, re.MULTILINE)
    assert line is not None
    printed = "\n".join(each.rstrip() for each in companion(*shlex.split(line[1])).out.splitlines())
    assert f"```text\n{printed}\n```" in TEXT


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_the_files_that_a_text_names_are_there(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    named = re.findall(r"`((?:companion|tables|tests|completions|\.ci|\.github)/[^`\s]*|[A-Z]+\.md)`", text)
    assert named
    assert [each for each in named if "NAME" not in each and not (ROOT / each).exists()] == []


def test_the_rooms_that_contributing_lists_are_those_of_the_program() -> None:
    listed = re.findall(r"^\| `([a-z]+)/` \|", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.MULTILINE)
    rooms = [each.parent.name for each in (ROOT / "companion").glob("*/__init__.py")]
    assert sorted(listed) == sorted(rooms)


def test_contributing_names_functions_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    way = text[text.index("## Where to look") : text.index("## Adding a command")]
    named = re.findall(r"`([a-z_/]+\.py)`\s+`([A-Za-z_]+)(?:\.([a-z_]+))?`", way)
    assert len(named) > 50
    missing = []
    for file, name, method in named:
        text = (ROOT / "companion" / file).read_text(encoding="utf-8")
        parts = [rf"(?:(?:def|class) {each}\b|^{each} = )" for each in (name, method) if each]
        if not all(re.search(part, text, re.MULTILINE) for part in parts):
            missing.append(f"{file} {name} {method}".strip())
    assert missing == []


def test_a_page_is_found_by_the_words_of_the_list_of_pages(companion: Run) -> None:
    assert companion("guide", "house", "rules").out == companion("guide", "house-rules").out != ""
    assert companion("guide", "writing a game").out.startswith("# Games as text")


AGAIN = "the pictures are not current; draw them again: python -m tests.pictures"


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    pictures.draw(folder)
    return folder


@pytest.mark.slow
def test_the_moving_picture_says_what_the_terminal_says_today(drawn: Path) -> None:
    now, kept = ((folder / "fly.svg").read_text(encoding="utf-8") for folder in (drawn, pictures.FOLDER))
    assert pictures.words_of(kept) == pictures.words_of(now), AGAIN
    assert "http" not in kept.replace('xmlns="http://www.w3.org/2000/svg"', "")  # nothing is fetched to look at it


@pytest.mark.slow
def test_the_sheet_is_made_from_what_it_would_be_made_from_today(drawn: Path) -> None:
    kept = pictures.FOLDER / "sheet.png"
    assert pictures.digest_in(kept) == pictures.digest_in(drawn / "sheet.png") != "", AGAIN
    with Image.open(kept) as picture, Image.open(drawn / "sheet.png") as now:
        assert picture.size == now.size


@pytest.mark.slow
def test_the_phone_shows_the_page_of_today(drawn: Path) -> None:
    now = (drawn / "phone.digest").read_text(encoding="utf-8")
    assert pictures.digest_in(pictures.FOLDER / "phone.png") == now != "", AGAIN


README = ROOT / "README.md"


def test_the_readme_shows_them_and_they_are_small() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", README.read_text(encoding="utf-8"))
    kept = sorted(pictures.FOLDER.glob("*.svg")) + sorted(pictures.FOLDER.glob("*.png"))
    assert sorted(shown) == sorted(f"tests/pictures/{each.name}" for each in kept)
    assert all(each.stat().st_size < 200_000 for each in kept)


GAMES = ["b17", "b29", "b29-streamliner", "bombs-away"]
SCREEN = 20  # lines between two questions


@cache
def flight(game: str, seed: int) -> Typist:
    """Fly the mission of this seed at the prompts, after another one so that everything is compiled."""
    if seed:
        flight(game, 0)
    return flown(Pack(game), seed)


@pytest.mark.parametrize("game", slow_but(GAMES, 0))
@pytest.mark.parametrize("seed", [0])
def test_a_flight_at_the_prompts_is_in_words_and_fits_the_screen(game: str, seed: int) -> None:
    by = flight(game, seed)
    assert len(by.screens) > 20
    assert list(betrayed(game, (line for screen in by.screens for line in [*screen.lines, screen.question]))) == []
    assert list(odd(line for screen in by.screens for line in screen.lines)) == []
    assert not [line for screen in by.screens for line in [*screen.lines, screen.question] if "companion " in line]
    longest = max(by.screens, key=lambda screen: len(screen.lines))
    assert len(longest.lines) < SCREEN, "\n".join(longest.lines)
    assert max(len(line) for screen in by.screens for line in screen.lines) <= 80


@pytest.mark.parametrize("game", slow_but(GAMES, 0))
@pytest.mark.parametrize("seed", [1])
def test_all_commands_speak_in_words(game: str, seed: int) -> None:
    """`python -m tests.bench.names` checks the output of hundreds of flights."""
    told = list(reports(game, seed))
    assert len(told) > 30
    for command, lines in told:
        assert list(betrayed(game, lines)) == [], command
        assert [each for each in odd(lines) if not (command.startswith("why") and "arrow" in each)] == [], command


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_table_is_shown_in_words_and_fits_the_terminal(companion: Run, game: str) -> None:
    found: dict[str, list[str]] = {}
    for table in Pack(game).all_tables():
        shown = companion("show", table.id, "--game", game)
        assert shown.code == 0, shown.err
        assert max(map(len, shown.out.splitlines())) <= 80
        if names := list(betrayed(game, shown.out.splitlines())):
            found[table.id] = names
    assert found == {}


def test_an_inner_name_is_found_where_there_is_one() -> None:
    assert {"seat.pilot", "bombardier-and-navigator", "change-places", "port-waist"} <= inner("b17")
    assert "take-off" not in inner("b29")
    assert (
        list(betrayed("b17", ["Port waist gun ok", "A take-off, 9 to 11, at 1:30", "1@2  raise Flak 1 (1@2 …)"])) == []
    )
    for line in ("me109@12-high", "goes {where}", "change-places: stay", "  5-7 [gun tail]: 3"):
        assert list(betrayed("b17", [line])), line
    for line in ("Zone 3 → 4", "Bombs: None", "Target ()", "Time of day day", "none: no fighters", "  6.1 b"):
        assert list(odd([line])), line
    assert list(odd([f"{'without a w':>80}", "ord", "a word"])) == [f"a broken word: {'without a w':>80}/ord"]


@pytest.mark.parametrize("game", GAMES)
def test_results_offered_for_a_table_of_the_player_hold_no_template(game: str) -> None:
    for table in Pack(game).all_tables():
        if table.outcomes:
            offered = RowPrompt(RowQuestion(table, None, [], {})).options
            assert [each.text for each in offered if "{" in each.text] == [], table.id
