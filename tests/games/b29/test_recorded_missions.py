"""Recorded missions, replayed step by step against what the rule book makes of their dice (`tests/missions`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.packs import Pack
from tests.missions import replay
from tests.support import MISSIONS, there_and_back

SCRIPTS = sorted(MISSIONS.glob("*.txt"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_mission_goes_as_the_rules_say(b29: Pack, path: Path) -> None:
    mission, wrong, ended = replay(b29, path)
    assert wrong == []
    assert ended, f"{path.name} ends before the mission, without a checkpoint"
    there_and_back(mission)
