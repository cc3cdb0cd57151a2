"""Several campaigns, their variants, and a damaged one."""

from __future__ import annotations

import pytest

from tests.storage.evenings import DITCHED, HIT, MISSED, fly, man
from tests.support import Run, begin


def test_two_campaigns_side_by_side(owls: Run) -> None:
    fly(owls, *HIT, "crew.pilot=kia")
    owls("new", "Day Birds", "--game", "b29", "--yes")
    fly(owls, *MISSED)
    assert owls("campaign", "--json").json["totals"]["results"] == {"victory": 0, "defeat": 0, "draw": 1}
    assert man(owls, "pilot")["lost"] is False
    listed = owls("campaigns", "--json").json
    assert [(each["campaign"], each["in_use"]) for each in listed] == [("Day Birds", True), ("Night Owls", False)]
    assert "* Day Birds  b29, 1 mission" in owls("campaigns").out
    assert owls("new", "Night Owls", "--game", "b29", "--yes").code == 2
    owls("use", "night owls")
    assert owls("campaign", "--json").json["totals"]["results"] == {"victory": 1, "defeat": 0}
    assert owls("mission", "start").code == 2


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


def test_an_unused_sheet_leaves_no_row(companion: Run) -> None:
    """A second start reuses the empty sheet; a sheet with edits is still to be flown."""
    begin(companion, "b17")
    again = companion("mission", "start", "--yes", "--with", "target.city=Bremen")
    assert "Nothing was recorded in this mission" in again.out
    assert [row["mission"] for row in companion("campaign", "--json").json["missions"]] == [1]
    companion("set", "zone=3")
    assert "Mission 1 is not over: Zone 3 out" in companion("mission", "start", "--yes").out
