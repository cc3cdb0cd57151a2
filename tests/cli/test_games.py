"""Which games there are, and how one is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Run


@pytest.mark.parametrize("name", ["", " ", "b99", "../b29"])
def test_a_game_that_is_not_there_begins_no_campaign(companion: Run, data_folder: Path, name: str) -> None:
    ran = companion("new", "Owls", "--game", name, "--yes")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("there is no game ")
    assert "known are b17, b29, b29-streamliner or bombs-away" in ran.err
    assert not (data_folder / "campaigns").exists()


def test_a_game_is_known_by_one_name_however_it_is_typed(companion: Run) -> None:
    assert companion("new", "Owls", "--game", "B29", "--yes").code == 0
    assert companion("campaigns", "--json").json[0]["game"] == "b29"
    assert companion("mission", "start", "--yes", "--game", "B29-Streamliner").code == 0
    assert companion("status", "--json").json["game"] == "b29-streamliner"
