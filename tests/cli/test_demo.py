"""`companion demo`: an automatic mission for someone without a campaign, of which no campaign is left."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from companion.cli.demo import SEED
from tests.support import Run


def test_the_demo_ends_with_story_sheet_and_card(companion: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    home, began = os.environ["COMPANION_HOME"], time.monotonic()
    ran = companion("demo")
    assert time.monotonic() - began < 15  # the aim is five seconds, on a machine that does nothing else
    assert (ran.code, ran.err) == (0, "")
    assert "at your table you roll them yourself" in ran.out.splitlines()[0]
    assert "Crew: " in ran.out
    assert "The target was" in ran.out.partition("mission 21\n---")[2]
    folder = tmp_path / f"companion-demo-{SEED}"
    assert folder.name in ran.out
    assert {each.name for each in folder.iterdir()} == {"card.png", "sheet.pdf", "story.md"}
    assert (folder / "sheet.pdf").read_bytes().startswith(b"%PDF")
    assert os.environ["COMPANION_HOME"] == home
    assert "No campaigns yet" in companion("campaigns").out


@pytest.mark.slow
def test_a_seed_is_the_same_mission_every_time(companion: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    first = companion("demo", "--seed", 3, "--fast").out
    assert companion("demo", "--seed", 3, "--fast").out == first
    assert companion("demo", "--seed", 4, "--fast").out != first
