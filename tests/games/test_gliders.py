"""A player's own game: `packs/gliders` is flown, printed and checked without any code."""

import shutil
from pathlib import Path

import pytest

from tests.support import PACKS, Run


@pytest.fixture
def gliders(data_folder: Path) -> Path:
    return Path(shutil.copytree(PACKS / "gliders", data_folder / "packs" / "gliders"))


def test_its_rolls_decisions_and_orders(companion: Run, gliders: Path) -> None:
    companion("new", "Club", "--game", "gliders", "--yes")
    companion("mission", "start", "--yes", "--with", "pilot.mood=bold")
    companion("set", "place=cloud", "weather=bad")
    rolled = companion("roll", "R-3", "--dice", "4,4", "--json").json
    # 8, a bold pilot -1, bad weather -2: 5 loses two, and the cloud gives one back
    assert (rolled["net"], rolled["outcome"]) == (5, "1")
    assert companion("roll", "R-4", "--dice", "53/2", "--json").json["chain"][0]["outcome"] == "rudder"
    assert "Fly straight" in companion("next").out
    assert companion("roll", "R-10", "--dice", "666", "--json").json["outcome"] == "eagle"
    assert companion("roll", "R-7", "--dice", "3,3").code == 3
    assert companion("roll", "R-7", "--dice", "3,3", "--outcome", "whole").code == 0
    assert "Fly straight" not in companion("next").out
