"""The register of rules is whole: each section has a test or says why it needs none, each mark means a section."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.book import register

# nobody has held these sections against the program yet; a number here only ever becomes smaller
OPEN = {"b17": 0, "b29": 0, "b29-streamliner": 0, "bombs-away": 0}


@pytest.mark.parametrize("game", register.games())
def test_every_section_has_a_test_or_a_reason(game: str) -> None:
    assert register.unproved(game) == []


def test_every_mark_means_a_section() -> None:
    assert register.unknown() == []


@pytest.mark.parametrize("game", register.games())
def test_no_more_sections_are_open_than_before(game: str) -> None:
    assert len(register.opened(game)) <= OPEN[game]


@pytest.mark.slow
def test_every_marked_test_is_collected() -> None:
    """A mark on a function that pytest does not collect proves nothing."""
    files = sorted({f"tests/{each.test.partition('::')[0]}" for each in register.marks()})
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-n", "0", "-m", "", *files],
        capture_output=True, text=True, cwd=register.TESTS.parent,
    )  # fmt: skip
    collected = {line.partition("[")[0] for line in ran.stdout.splitlines() if "::" in line}
    marked = {f"tests/{each.test}" for each in register.marks() if "::" in each.test}
    assert marked - collected == set()


@pytest.mark.parametrize("said", ["", {}, {"none": ""}, {"open": "a", "none": "b"}, {"opened": "a"}, 3])
def test_a_section_that_says_nothing_is_refused(said: object) -> None:
    with pytest.raises(ValueError, match="b29 7.6 is neither"):
        register._section("b29 7.6", said)


def test_a_mark_may_be_a_pattern() -> None:
    assert register.means("b17 O-?", "b17 O-1")
    assert not register.means("b17 O-?", "b17 O-1 a")
    assert not register.means("b17 O-1", "b17 O-1 a")


@pytest.mark.slow
def test_the_table_for_people() -> None:
    ran = subprocess.run([sys.executable, "-m", "tests.book", "b17"], capture_output=True, text=True,
                         cwd=register.TESTS.parent)  # fmt: skip
    assert ran.returncode == 0
    assert "14.1" in ran.stdout and "b17/test_crew.py" in ran.stdout
    assert ran.stdout.splitlines()[-1].startswith("b17: ")
    assert subprocess.run([sys.executable, "-m", "tests.book", "b52"], capture_output=True,
                          cwd=register.TESTS.parent).returncode == 2  # fmt: skip
