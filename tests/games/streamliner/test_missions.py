"""Missions flown under the Streamliner's rules, and campaigns that switch to them and back."""

import pytest

from companion.packs import Pack
from tests.missions import replay
from tests.support import MISSIONS, Run, begin


def test_a_base_mission_replayed_under_it(pack: Pack) -> None:
    path = MISSIONS / "streamliner" / "01-day-uneventful.txt"
    mission, wrong, over = replay(pack, path)
    assert wrong == []
    assert over


def test_a_campaign_of_it(companion: Run) -> None:
    assert companion("new", "Night Owls", "--game", "b29-streamliner", "--yes").code == 0
    assert companion("mission", "start", "--yes", "--with", "mission.number=12").code == 0
    rolled = companion("roll", "5.2A", "--dice", "2", "--with", "resistance=light", "--json").json
    assert rolled["outcome"] == "none"
    assert "patched" not in rolled  # 11 is simply the rule of that game
    assert "fewer fighters close in" not in companion("roll", "5.2A", "--dice", "2", "--with", "resistance=light").out
    assert "Night Owls" in companion("status").out
    assert companion("sheet", "mission").code == 0
    assert companion("undo").code == 0


@pytest.mark.slow
def test_a_campaign_switches_at_a_missions_start_and_back(companion: Run) -> None:
    begin(companion, "b29")
    ran = companion("mission", "start", "--yes", "--game", "b29-streamliner")
    assert ran.code == 0, ran.err
    assert companion("status", "--json").json["game"] == "b29-streamliner"
    companion("fly", "--auto", "--seed", "3")
    assert companion("mission", "start", "--yes", "--game", "b29").code == 0
    assert companion("status", "--json").json["game"] == "b29"
    # every mission is still whole and can be looked at with the rules it was flown by
    assert companion("doctor").code == 0
    for number in (1, 2):
        assert companion("sheet", "mission", "--mission", number).code == 0
    assert companion("campaign").code == 0
    assert companion("mission", "start", "--yes", "--game", "b17").code == 2
