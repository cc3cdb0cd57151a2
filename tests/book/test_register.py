"""The register of rules is complete: each section has a test or a reason for none, and each mark matches a section."""

import re

import pytest

from tests.book import register


@pytest.mark.parametrize("game", register.games())
def test_every_section_has_a_test_or_a_reason(game: str) -> None:
    assert register.unproved(game) == []


def test_every_mark_means_a_section() -> None:
    assert register.unknown() == []


def test_every_mark_is_on_a_test() -> None:
    """A mark proves nothing on a function that pytest does not collect; ruff refuses two of one name."""
    marked = [each.test for each in register.marks() if "::" in each.test]
    assert [each for each in marked if not re.fullmatch(r"(\w+/)*test_\w+\.py::test_\w+", each)] == []


def test_a_mark_may_be_a_pattern() -> None:
    assert register.means("b17 O-?", "b17 O-1")
    assert not register.means("b17 O-?", "b17 O-1 a")
    assert not register.means("b17 O-1", "b17 O-1 a")
