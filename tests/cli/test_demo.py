"""`companion demo`: an automatic mission for someone without a campaign, of which no campaign is left."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from companion.cli.demo import SEED
from companion.store.campaigns import Campaign
from tests.support import Run


def test_the_demo_ends_with_story_sheet_and_card(companion: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.sleep", lambda seconds: pytest.fail("a pipe is told everything at once"))
    home = os.environ["COMPANION_HOME"]
    ran = companion("demo")
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


def test_the_page_shows_the_demo_without_a_campaign_of_ones_own(companion: Run, monkeypatch: Any) -> None:
    served = []

    def serve(campaign: Campaign, *, browser: bool) -> None:
        served.append((campaign.name, campaign.missions(), browser))

    monkeypatch.setattr("companion.cli.serve.serve", serve)
    assert companion("demo", "--page").code == 0
    assert served == [("Demo", [1], True)]
    assert "No campaigns yet" in companion("campaigns").out


@pytest.mark.slow
def test_a_seed_is_the_same_mission_every_time(companion: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    first = companion("demo", "--seed", 3, "--fast").out
    assert companion("demo", "--seed", 3, "--fast").out == first
    assert companion("demo", "--seed", 4, "--fast").out != first
