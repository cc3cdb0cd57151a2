"""Campaigns for testing the commands."""

import pytest

from tests.support import Run, begin


@pytest.fixture
def twelfth(companion: Run) -> Run:
    return begin(companion, "b29", "mission.number=12")


@pytest.fixture
def queens(companion: Run) -> Run:
    return begin(companion, "b17")


@pytest.fixture
def owls(companion: Run) -> Run:
    companion("new", "Night Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes", "--with", "formation=in", "--with", "altitude=med")
    return companion
