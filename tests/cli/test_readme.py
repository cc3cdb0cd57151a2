"""The README and the program know the same commands and options, and the other texts name none that is not there."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.readme import FIRST, README, commands, options, renewed
from tests.support import Run

ROOT = README.parent
TEXT = README.read_text(encoding="utf-8")
REFERENCE = TEXT.partition(FIRST)[2]
ROWS = [line for line in TEXT.splitlines() if re.match(r"\| +`", line)]
COMMANDS = commands()
EVERYWHERE = {"-h", "--help"}
OPTION = re.compile(r"(?<![\w`-])-{1,2}[a-z][a-z-]*\b")
TEXTS = ("README.md", "CONTRIBUTING.md", "tables/README.md")


def command_of(words: str) -> str:
    """The command that `roll 5-9 --dice 3,4` or `tables edit TABLE` calls; empty when there is none."""
    first, second, *_ = [*words.split(), "", ""]
    return next((name for name in (f"{first} {second}", first) if name in COMMANDS), "")


def test_the_reference_is_what_the_commands_say_today() -> None:
    assert renewed(TEXT) == TEXT, "the README's reference is not current; write it again: python -m tests.readme"


def test_the_help_lists_every_command(companion: Run) -> None:
    shown = companion("--help").out
    assert {words.split()[0] for words in COMMANDS} <= {*re.findall(r"[a-z]+", shown.partition("At the table")[2])}
    assert shown.count("\n") <= 24 and max(map(len, shown.splitlines())) <= 80


def test_the_table_of_commands_has_every_command_and_no_other() -> None:
    shown = [name for row in ROWS for name in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert [name for name in shown if not command_of(name)] == []
    assert {command_of(name) for name in shown} == set(COMMANDS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.split("`")[1]))
def test_a_row_of_the_table_names_only_options_of_its_commands(row: str) -> None:
    names = [command_of(name) for name in re.findall(r"`([^`]+)`", row.split("|")[1])]
    known = {option for name in names for option in options(COMMANDS[name])}
    assert set(OPTION.findall(row.replace("`", " "))) <= known


@pytest.mark.parametrize("name", TEXTS)
def test_every_call_in_a_text_is_one_that_the_program_takes(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8").partition(FIRST)[0]
    calls = [call for line in code_of(text) for call in re.findall(r"(?:^|&& |\s)companion ([a-z].*)", line)]
    assert calls
    for call in calls:
        words = call.partition("&&")[0].partition("#")[0]
        assert command_of(words), f"{name}: companion {call}"
        assert set(OPTION.findall(words)) <= {*options(COMMANDS[command_of(words)]), *EVERYWHERE}, f"companion {call}"


def test_every_option_that_the_readme_names_alone_is_one_of_the_program() -> None:
    known = {"--version", *EVERYWHERE, *(option for each in COMMANDS.values() for option in options(each))}
    alone = re.findall(r"`(-[^`\n]+)`", TEXT)
    assert alone
    assert {option for each in alone for option in OPTION.findall(each)} <= known


def code_of(text: str) -> list[str]:
    """The lines of fenced and indented code and the spans between backticks."""
    fenced = "".join(re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    indented = re.findall(r"^    (.+)", text, re.MULTILINE)
    return [*fenced.splitlines(), *indented, *re.findall(r"`([^`\n]+)`", text)]


def test_the_first_line_to_try_answers(companion: Run) -> None:
    line = re.search(r"^pip install \. && companion (.+)", TEXT, re.MULTILINE)
    assert line is not None
    ran = companion(*shlex.split(line[1]))
    assert ran.code == 0
    printed = "\n".join(line.rstrip() for line in ran.out.splitlines())
    assert printed.startswith("5-9  Japanese offensive fire")
    assert f"```\n{printed}\n```" in TEXT


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


def test_the_way_of_a_roll_names_what_stands_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    way = text[text.index("## How a roll travels") : text.index("## Adding a table")]
    named = re.findall(r"`([a-z_/]+\.py)`\s+`([A-Za-z_]+)(?:\.([a-z_]+))?`", way)
    assert len(named) > 25
    missing = []
    for file, name, method in named:
        text = (ROOT / "companion" / file).read_text(encoding="utf-8")
        if not all(re.search(rf"(?:def|class) {each}\b", text) for each in (name, method) if each):
            missing.append(f"{file} {name} {method}".strip())
    assert missing == []
