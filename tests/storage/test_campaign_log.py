"""The campaign log after each mission, derived from the missions' own files."""

from __future__ import annotations

import csv
import io

import pytest

from companion.packs import Pack
from companion.store import campaigns
from tests.storage.evenings import DITCHED, ENGINE_TROUBLE, HIT, MISSED, facts, flown, fly, man
from tests.support import Run


def test_before_the_first_mission_the_log_is_empty(owls: Run) -> None:
    log = owls("campaign", "--json").json
    assert (log["missions"], log["lost"]) == ([], [])
    assert log["totals"] == {
        "counting": 0, "of": 35, "over": False, "results": {"victory": 0, "defeat": 0}, "ahead": None, "average": None,
    }  # fmt: skip
    assert "companion mission start" in owls("campaign").out


def test_three_missions_with_different_ends(owls: Run) -> None:
    fly(owls, *HIT, "target.city=Nagoya")
    fly(owls, *ENGINE_TROUBLE)
    fly(owls, *DITCHED, "claimed.tail=2")
    log = owls("campaign", "--json").json
    assert [row["result"] for row in log["missions"]] == ["victory", "draw", "defeat"]
    assert [row["counts"] for row in log["missions"]] == [True, False, True]
    assert [row["mission"] for row in log["missions"]] == [1, 2, 3]
    assert [row["number"] for row in log["missions"]] == [1, 2, 2]  # what did not count is flown again
    assert log["missions"][2]["facts"]["claimed"] == 2
    totals = log["totals"]
    assert (totals["counting"], totals["ahead"]) == (2, None)
    assert totals["results"] == {"victory": 1, "defeat": 1, "draw": 1}
    assert totals["average"] == 15  # 30 and 0; the aborted one is no mission of the 35


def test_the_screen_and_the_spreadsheet_say_the_same(owls: Run) -> None:
    fly(owls, *HIT, "target.city=Nagoya")
    fly(owls, *MISSED)
    shown = owls("campaign").out
    assert "Missions counted: 2 of 35. Bombs on target: 16.5 percent on average." in shown
    assert "Twentieth Air Force 1, Japanese air defense 0, draws 1." in shown
    assert "Leading: Twentieth Air Force." in shown
    lines = list(csv.DictReader(io.StringIO(owls("campaign", "--csv").out)))
    assert [line["mission.result"] for line in lines] == ["victory", "draw"]
    assert [line["bomb-run.percent"] for line in lines] == ["30", "3"]
    assert lines[0]["target.city"] == "Nagoya"
    assert owls("campaign", "--csv", "--json").code == 2


def test_a_mission_left_in_the_air_counts_for_nothing(owls: Run) -> None:
    fly(owls, "zone=7")
    fly(owls, *HIT)
    log = owls("campaign", "--json").json
    assert [(row["number"], row["counts"], row["result"]) for row in log["missions"]] == [
        (1, False, "none"),
        (1, True, "victory"),
    ]
    assert log["totals"]["average"] == 30
    assert man(owls, "pilot")["missions"] == 1
    assert man(owls, "pilot")["flown"] == 2


def test_a_mission_flown_to_its_end_is_in_the_log(owls: Run) -> None:
    owls("mission", "start", "--yes")
    ended = owls("fly", "--auto", "--seed", "9", "--json").json["facts"]
    row = owls("campaign", "--json").json["missions"][0]
    assert ended["step"] == "end"
    assert row["result"] == ended["mission.result"] != "none"
    assert row["counts"] == (ended["credit"] == "yes")


@pytest.mark.slow
def test_a_city_remembers_its_boxes_over_the_campaign(owls: Run) -> None:
    urban = ["target.type=urban-area", "target.box=1"]
    fly(owls, *HIT, "target.city=Tokyo", *urban, "target.boxes=2")
    fly(owls, *HIT, "target.city=osaka", *urban, "target.boxes=3")
    fly(owls, *HIT, "target.city=kobe", "target.type=airfield")
    owls("mission", "start", "--with", "target.city=TOKYO")
    sheet = facts(owls)
    assert (sheet["target.crossed"], sheet["target.boxes"], sheet["target.bombed-out"]) == (1, 2, "no")
    owls("set", *HIT, *urban)
    assert facts(owls)["target.bombed-out"] == "yes"
    barred = owls("mission", "start", "--with", "target.type=urban-area", "--with", "target.city=Tokyo")
    assert "! Tokyo is bombed out: no more urban-area missions against it" in barred.out
    owls("mission", "start", "--with", "mission.number=12")
    sheet = facts(owls)
    assert {sheet[f"town.{slot}.name"] for slot in (1, 2, 3)} == {"tokyo", "osaka", ""}
    rolled = owls("roll", "2-2C", "--outcome", "Tokyo", "--json").json
    assert rolled["then"] == ["2-3"]
    assert owls("roll", "2-3", "--outcome", "Osaka").code == 0
    assert (facts(owls)["target.crossed"], facts(owls)["target.boxes"]) == (1, 3)


def test_a_box_taken_back_is_taken_back_for_good(owls: Run) -> None:
    fly(owls, *HIT, "target.city=tokyo", "target.type=urban-area", "target.boxes=1")
    owls("set", "target.box=1")
    owls("undo")
    owls("mission", "start", "--with", "target.city=tokyo")
    assert (facts(owls)["target.crossed"], facts(owls)["target.bombed-out"]) == (0, "no")


@pytest.mark.slow
def test_each_of_35_missions_is_read_once(companion: Run, b29: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = flown(b29, 35, lost=17)  # 18 against 17 (9.4)
    campaigns.use(campaign)
    read, files = campaigns.read_file, list[str]()
    monkeypatch.setattr(campaigns, "read_file", lambda path, kind: files.append(path.name) or read(path, kind))
    log = companion("campaign", "--json").json
    assert sorted(name for name in files if name.startswith("mission")) == [
        f"mission-{number:02d}.json" for number in range(1, 36)
    ]
    assert log["totals"] == {
        "counting": 35, "of": 35, "over": True, "results": {"victory": 18, "defeat": 17}, "ahead": "victory",
        "average": 10,
    }  # fmt: skip
    assert "Winner of the campaign: Twentieth Air Force." in companion("campaign").out
    started = companion("mission", "start", "--yes")
    assert "has its 35 missions" in started.out
    assert facts(companion)["mission.number"] == 35
