"""The campaign log after each mission, several campaigns, and the comparison with automatic tours."""

import csv
import io
from pathlib import Path

import pytest

from companion.cli.forecast import plot
from companion.packs import Pack
from companion.play import lookahead
from companion.play.lookahead import Curve, Expectation, MissionEnd, values_so_far
from companion.store import campaigns
from tests.storage.evenings import DITCHED, ENGINE_TROUBLE, HIT, MISSED, facts, flown, fly, man
from tests.support import Run, begin


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
    lines = list(csv.DictReader(io.StringIO(owls("export", "--csv").out)))
    assert [line["mission.result"] for line in lines] == ["victory", "draw"]
    assert [line["bomb-run.percent"] for line in lines] == ["30", "3"]
    assert lines[0]["target.city"] == "Nagoya"
    assert owls("export", "--csv", "--json").code == 2


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


PLACES = {"pilot": "Ida", "observer": "Jon"}


def mission_of(*lost: str, down: bool = False, percent: int | None = None, **crew: str) -> MissionEnd:
    """Return the end of a mission with a crew of two."""
    return MissionEnd(lost, down, percent, {**PLACES, **crew})


def test_a_campaign_is_told_mission_by_mission() -> None:
    """Jon is lost on the second of four missions, the bomber on the third; Max, who took his seat, is not in the first
    crew. The third does not count: its bombs are not in the average.
    """
    missions = [
        mission_of(percent=30), mission_of("observer", percent=60), mission_of("observer", down=True, observer="Max"),
        mission_of(percent=0, observer="Eva"),
    ]  # fmt: skip
    assert values_so_far(missions) == {
        "crew": [100, 50, 50, 50], "percent": [30, 45, 45, 30], "lost": [0, 1, 2, 2], "bombers": [0, 0, 1, 1],
    }  # fmt: skip


def test_a_man_who_changes_his_seat_is_still_of_the_first_crew() -> None:
    swapped = mission_of("pilot", pilot="Jon", observer="Ida")
    assert values_so_far([mission_of(), swapped])["crew"] == [100, 50]
    gone = mission_of("observer", pilot="Max", observer="Ida")
    assert values_so_far([mission_of(), swapped, gone])["crew"] == [100, 50, 0]


@pytest.mark.slow
def test_tours_are_drawn_from_the_missions_of_each_number(b17: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each curve rises or falls as it must, and is the same for one seed on any number of cores."""
    monkeypatch.setattr(lookahead, "FLIGHTS", 40)
    curves = []
    for cores in (1, 2):
        expected = Expectation(b17, 3, {}, 7)
        assert sum(expected.fly(cores)) == 3 * 20
        curves.append(expected.curves())
    assert curves[0] == curves[1]
    for curve in curves[0].values():
        assert len(curve.mean) == 3
        assert all(low <= high for low, high in zip(curve.low, curve.high, strict=True))
    assert curves[0]["crew"].mean == sorted(curves[0]["crew"].mean, reverse=True)
    assert curves[0]["lost"].mean == sorted(curves[0]["lost"].mean)
    assert 0 < curves[0]["lost"].mean[0] < 10


def test_a_chart_has_the_campaign_in_front_of_what_is_likely() -> None:
    lines = [str(line) for line in plot("Dents:", [0, 4], Curve([0, 0, 0, 0], [1, 2, 3, 4], [2, 4, 6, 8]), 8)]
    assert lines[0] == "Dents: 4, after 2 (tours 2, 0 to 4)"
    top, bottom = lines[1], lines[9]
    assert top.startswith("     8 │") and bottom.startswith("     0 │●")
    assert sum(line.count("●") for line in lines) == 2
    assert lines[5].startswith("     4 │") and "●" in lines[5] and "─" in lines[5]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fly two missions of each number; for a player there are forty in a tour of twenty-five."""
    monkeypatch.setattr(lookahead, "FLIGHTS", 10)
    monkeypatch.setattr(lookahead, "LEAST", 2)


@pytest.mark.slow
def test_the_chart_is_printed_and_nothing_recorded(companion: Run, few: None, tmp_path: Path) -> None:
    begin(companion, "b17")
    before = companion("log", "--json").out
    ran = companion("campaign", "--chart", "--seed", "2")
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    for title in ("Of the first crew still flying, percent: 100", "Bombs on target, percent:", "Men lost:", "Bombers"):
        assert title in ran.out
    assert "1,000 tours drawn from 50 missions" in ran.out
    assert companion("log", "--json").out == before
    assert companion("campaign", "--chart", "--seed", "2", "-o", tmp_path / "chart.png").code == 0
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--seed", "1"], "--seed needs --chart."),
        (["--assume", "even"], "--assume needs --chart."),
        (["-o", "x.png"], "--out needs --chart."),
        (["--chart", "-o", "x.gif"], "x.gif should end in .pdf, .png or .svg."),
        (["--chart", "--assume", "worst"], "--assume must be even, not worst."),
    ],
)
def test_what_does_not_go_together_is_said(companion: Run, arguments: list[str], sentence: str) -> None:
    begin(companion, "b17")
    ran = companion("campaign", *arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{sentence}\n")
