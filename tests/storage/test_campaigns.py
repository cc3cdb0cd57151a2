"""Campaigns side by side, their variants, and one that is damaged."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.store import campaigns
from tests.storage.evenings import DITCHED, HIT, MISSED, facts, fly, man
from tests.support import Run, begin


def test_two_campaigns_side_by_side(owls: Run) -> None:
    fly(owls, *HIT, "crew.pilot=kia")
    owls("new", "Day Birds", "--game", "b29", "--yes")
    fly(owls, *MISSED)
    assert owls("campaign", "--json").json["totals"]["results"] == {"victory": 0, "defeat": 0, "draw": 1}
    assert man(owls, "pilot")["lost"] is False
    owls("use", "night owls")
    assert owls("campaign", "--json").json["totals"]["results"] == {"victory": 1, "defeat": 0}
    assert owls("mission", "start").code == 2


def test_without_a_campaign_each_says_how_to_begin(companion: Run) -> None:
    for command in ("campaign", "crew", "bomber"):
        ran = companion(command)
        assert (ran.code, ran.out) == (2, "")
        assert "companion new" in ran.err


def test_a_damaged_mission_is_named(owls: Run, data_folder: Path) -> None:
    fly(owls, *HIT)
    file = data_folder / "campaigns" / "night-owls" / "mission-01.json"
    file.write_text(file.read_text()[:50])
    ran = owls("campaign")
    assert ran.code == 1
    assert str(file) in ran.err


def test_one_damaged_campaign_does_not_hide_the_others(owls: Run, data_folder: Path) -> None:
    fly(owls, *HIT)
    owls("new", "Day Birds", "--game", "b17", "--yes")
    owls("new", "Gulls", "--game", "b29", "--yes")
    for name, content in (("day-birds", "[]"), ("gulls", '{"campaign":{"1":{"form')):
        (data_folder / "campaigns" / name / "campaign.json").write_text(content)
    ran = owls("campaigns")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "  Night Owls  b29, 1 mission"
    assert lines[1].startswith("  day-birds  ") and "it is not a campaign document" in lines[1]
    assert lines[2].startswith("* gulls  ") and "it makes no sense" in lines[2]
    listed = owls("campaigns", "--json").json
    assert [(each["campaign"], each["missions"], each["in_use"], bool(each["damaged"])) for each in listed] == [
        ("Night Owls", 1, False, False),
        ("day-birds", None, False, True),
        ("gulls", None, True, True),
    ]
    ran = owls("use", "Wrong Name")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "there are Night Owls, day-birds (damaged; see: companion doctor) or gulls (damaged" in ran.err
    assert "it is not a campaign document" in owls("use", "Day Birds").err
    assert owls("use", "Night Owls").code == 0


@pytest.mark.slow
def test_a_variant_for_some_missions_is_one_campaign_on_every_screen(owls: Run) -> None:
    """The Campaign Log Sheet, the crew and the bomber read the sheets of both games as one."""
    fly(owls, *HIT, "target.city=Nagoya")
    assert owls("mission", "start", "--game", "b29-streamliner").code == 0
    owls("set", *MISSED, "front=storm", "food.pilot=mild", "kills.tail-gunner=2")
    owls("mission", "start", "--game", "b29")
    owls("set", *DITCHED)
    log = owls("campaign", "--json").json
    assert [row["result"] for row in log["missions"]] == ["victory", "draw", "defeat"]
    assert (log["totals"]["counting"], log["bomber"]["missions"], log["bomber"]["fate"]) == (3, 3, "ditched")
    assert (man(owls, "tail-gunner")["missions"], man(owls, "tail-gunner")["kills"]) == (3, 2)
    assert all(owls(command).code == 0 for command in ("campaign", "crew", "bomber", "status", "log"))
    assert owls("sheet", "damage").code == owls("sheet", "campaign").code == 0


@pytest.mark.slow
def test_a_mission_start_that_breaks_off_leaves_a_game_that_can_be_flown(
    owls: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The campaign's new game is written first; the mission before keeps its own."""
    owls("mission", "start", "--yes", "--game", "b29-streamliner")
    owls("set", *HIT, "front=storm")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(campaigns.Campaign, "begin", stop)
        ran = owls("mission", "start", "--yes", "--game", "b29")
    assert ran.code == 1 and "Nothing was recorded" not in ran.err
    assert facts(owls)["front"] == "storm"
    assert owls("mission", "start", "--yes").code == 0
    assert "front" not in facts(owls)
    assert owls("campaigns", "--json").json[0]["game"] == "b29"


def test_a_sheet_that_nobody_has_used_leaves_no_row(companion: Run) -> None:
    """A second start takes the sheet anew; one that was filled in by hand is still to be flown."""
    begin(companion, "b17")
    again = companion("mission", "start", "--yes", "--with", "target.city=Bremen")
    assert "Nothing had been recorded in this mission" in again.out
    assert [row["mission"] for row in companion("campaign", "--json").json["missions"]] == [1]
    companion("set", "zone=3")
    assert "Mission 1 is not over: Zone 3 out" in companion("mission", "start", "--yes").out
