"""Campaigns on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support import Run


@pytest.fixture
def owls(companion: Run) -> Run:
    companion("new", "Night Owls", "--game", "b29", "--yes")
    return companion


@pytest.fixture
def struck(companion: Run) -> Run:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    companion("mark", "fuel.wing", "7")
    companion("mark", "fuel.wing")
    return companion


@pytest.fixture
def flown(companion: Run) -> Run:
    """A campaign of two missions, the second under way with rolls and orders pending."""
    companion("new", "Night Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes", "--with", "target.city=Osaka")
    companion("fly", "--auto", "--seed", "4")
    companion("mission", "start", "--yes", "--with", "target.city=Kobe")
    companion("fly", "--auto", "--seed", "15")
    companion("undo", "20")
    return companion


@pytest.fixture
def elsewhere(companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same command line with an empty data folder, once it is called."""

    def run(*arguments: object) -> Any:
        monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "elsewhere"))
        return companion(*arguments)

    return run
