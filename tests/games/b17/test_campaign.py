"""Results of a mission and of the campaign of 25 (7.1, 7.2)."""

import pytest

from companion.packs import Pack
from tests.storage.evenings import fly, paper_campaign
from tests.support import Run

HIT = ["bomber.fate=returned", "bombs=dropped", "bomb-run=on", "bomb-run.percent=30", "credit=yes"]
MISSED = ["bomber.fate=returned", "bombs=dropped", "bomb-run=off", "bomb-run.percent=0", "credit=yes"]
BROUGHT_BACK = ["bomber.fate=returned", "bombs=aboard", "aborted=yes", "credit=no"]


@pytest.fixture
def queen(companion: Run) -> Run:
    companion("new", "Miss Cue", "--game", "b17", "--yes")
    return companion


@pytest.mark.section("b17 7.1")
@pytest.mark.parametrize(
    ("end", "result"),
    [
        (HIT, "victory"), (MISSED, "draw"), (BROUGHT_BACK, "draw"),
        *[([f"bomber.fate={fate}", *HIT[1:]], "defeat")
          for fate in ("irreparable", "wrecked", "down-in-europe", "ditched", "abandoned", "destroyed")],
    ],
)  # fmt: skip
def test_mission_results(queen: Run, end: list[str], result: str) -> None:
    fly(queen, *end)
    assert [row["result"] for row in queen("campaign", "--json").json["missions"]] == [result]


@pytest.mark.section("b17 7.2", "b17 5.2 h")
def test_campaign_results(queen: Run) -> None:
    for end in (HIT, MISSED, MISSED, HIT, ["bomber.fate=ditched", *MISSED[1:]]):
        fly(queen, *end)
        queen("bomber", "Queenie")
        queen("crew", "--random")
    totals = queen("campaign", "--json").json["totals"]
    assert (totals["results"], totals["ahead"]) == ({"victory": 2, "defeat": 1, "draw": 2}, "victory")
    assert "of 25" in queen("campaign").out


@pytest.mark.section("b17 7.2")
def test_missions_beyond_the_25_change_no_score(companion: Run) -> None:
    paper_campaign("b17", 25, score="12-12", percent=30)
    score = []
    for end in (HIT, ["bomber.fate=ditched", *MISSED[1:]]):
        fly(companion, *end)
        companion("bomber", "Queenie")
        companion("crew", "--random")
        totals = companion("campaign", "--json").json["totals"]
        score.append((totals["counting"], totals["over"], totals["results"], totals["ahead"], totals["average"]))
    assert score[0] == (25, True, {"victory": 13, "defeat": 12}, "victory", 30.0)
    assert score[1] == score[0]


@pytest.mark.section("b17 7.3")
def test_a_man_with_25_missions_goes_home_and_is_replaced(companion: Run) -> None:
    paper_campaign(
        "b17", 25, {position: "3" for position in Pack("b17").sheet.index["position"] if position != "pilot"}
    )
    fly(companion, *HIT)
    pilot = companion("crew", "--json").json["crew"][0]
    assert (pilot["missions"], "goes home" in pilot["standing"]) == (25, True)
    refused = companion("mission", "start")
    assert refused.code == 2
    assert f"{pilot['name']} (Pilot) has gone home. Name a replacement: companion crew pilot " in refused.err
    back = companion("crew", "--set", f"Copilot={pilot['name']}")
    assert back.code == 0  # he changes places, and still flies no more
    assert "(Copilot) has gone home" in companion("mission", "start").err
    started = companion("mission", "start", "--yes")
    assert (started.code, f"for {pilot['name']}" in started.out) == (0, True)
    assert pilot["name"] not in {each["name"] for each in companion("crew", "--json").json["crew"]}
    again = companion("crew", "--set", f"Copilot={pilot['name']}")
    assert "went home after 25 missions. Give another name" in again.err
