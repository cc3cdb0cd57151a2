"""Every entry of a mission replays to the same result."""

import json
import random

import pytest

from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.mission import Mission
from companion.play.replay import replay_entry
from tests.support import fly


@pytest.mark.parametrize("seed", [3, 11])
def test_every_entry_of_a_mission_works_out_again_to_the_same(b29: Pack, seed: int) -> None:
    mission = Mission(b29, {"mission.number": seed}, number=1)
    fly(mission, Chance(random.Random(seed)))
    before = json.dumps([mission.state, mission.pending])
    for number, entry in enumerate(mission.journal.entries, 1):
        again, result, _ = replay_entry(mission, number)
        assert again is entry
        assert result is not None
        assert {name: list(pair) for name, pair in result.changes.items()} == entry.get("c", {}), entry
        assert result.net == entry.get("net")
        assert [[each.modifier.id, each.add] for each in result.applied] == entry.get("m", [])
    assert json.dumps([mission.state, mission.pending]) == before
