"""The register of rules is complete: each section has a test or a reason for none, and each mark matches a section."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.book import register


@pytest.mark.parametrize("game", register.games())
def test_every_section_has_a_test_or_a_reason(game: str) -> None:
    assert register.unproved(game) == []


def test_every_mark_means_a_section() -> None:
    assert register.unknown() == []


@pytest.mark.slow
def test_every_marked_test_is_collected() -> None:
    """A mark on a function proves nothing unless pytest collects it."""
    files = sorted({f"tests/{each.test.partition('::')[0]}" for each in register.marks()})
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-n", "0", "-m", "", *files],
        capture_output=True, text=True, cwd=register.TESTS.parent,
    )  # fmt: skip
    collected = {line.partition("[")[0] for line in ran.stdout.splitlines() if "::" in line}
    marked = {f"tests/{each.test}" for each in register.marks() if "::" in each.test}
    assert marked - collected == set()


def test_a_mark_may_be_a_pattern() -> None:
    assert register.means("b17 O-?", "b17 O-1")
    assert not register.means("b17 O-?", "b17 O-1 a")
    assert not register.means("b17 O-1", "b17 O-1 a")
