"""Recorded missions, replayed step by step and compared with the rulebook's results (`tests/missions`)."""

from pathlib import Path

import pytest

from companion.packs import Pack
from tests.missions import replay
from tests.support import MISSIONS, there_and_back

SCRIPTS = sorted(MISSIONS.glob("*.txt"))


@pytest.mark.section(
    "b29 2.2 A", "b29 4.0", "b29 4.1 A", "b29 4.1 B", "b29 4.2 A", "b29 4.3 A", "b29 4.3 C", "b29 4.4", "b29 4.5 B",
    "b29 4.5 C1", "b29 4.5 C2", "b29 4.5 C3", "b29 4.6", "b29 4.7 A", "b29 4.7 B", "b29 4.7 D", "b29 4.8 A",
    "b29 4.8 C", "b29 4.8 D", "b29 5.3 C", "b29 5.8 F", "b29 6.1", "b29 6.3 A", "b29 6.4", "b29 6.5", "b29 7.2 one",
    "b29 7.2 two", "b29 7.2 three", "b29 7.3", "b29 7.5", "b29 7-1 c", "b29 7-3 f", "b29 8.1", "b29 8.3", "b29 8.4",
    "b29 8.5", "b29 8.6", "b29 9.2", "b29 9.3 A", "b29 9.3 B", "b29 6.3 B",
)  # fmt: skip
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_mission_goes_as_the_rules_say(b29: Pack, path: Path) -> None:
    mission, wrong, ended = replay(b29, path)
    assert wrong == []
    assert ended, f"{path.name} ends before the mission, without a checkpoint"
    there_and_back(mission)
