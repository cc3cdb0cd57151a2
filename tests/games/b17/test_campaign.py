"""The campaign of 25 (7.1, 7.2), its ratings (7.3), and the second player (21.0)."""

import pytest

from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.mission import Mission
from companion.store.campaigns import Campaign
from companion.store.log import CampaignLog, Man
from tests.games.b17.table import OVER_BREMEN
from tests.storage.evenings import fly, paper_campaign
from tests.support import Prompts, Run, begin

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


# 21.2, what is kept secret, as the facts that hold it
SECRET = (
    "kills.tail-gunner ammo.tail gun.top autopilot bay-doors bomb-controls bomb-release brakes.port tail-wheel "
    "gear.port heat.pilot cables.hits frostbite.pilot wounds.pilot crew.pilot intercom navigator-equipment bombsight "
    "missions.pilot oxygen.pilot rafts window.hits seat.pilot"
).split()


@pytest.fixture
def started(companion: Run) -> Run:
    companion("new", "Miss Cue", "--game", "b17", "--yes")
    companion("mission", "start", "--yes")
    return companion


@pytest.mark.section("b17 21.0")
def test_each_place_of_a_second_attack_is_named(pack: Pack) -> None:
    at_6 = {"fighter.{}.type": "me109", "fighter.{}.clock": "6", "fighter.{}.angle": "high", "fighter.{}.hit": "yes"}
    mission = Mission(pack, number=1)
    mission.write(
        {**OVER_BREMEN, "two-player": "on", "slots.fighter": 2}
        | {name.format(at): value for at in (1, 2) for name, value in at_6.items()}
    )
    mission.pending = [Pending.of({"choose": "place", "bind": {"fighter": at}, "born": 1}) for at in ("1", "2")]
    player = Prompts(mission)
    assert "12 level" in " ".join(player.type().split())
    shown = " ".join(player.type("12 level").split())
    assert "fighter 2 (Me 109)" in shown and "1:30 low" in shown and "12 level" not in shown.partition("fighter 2")[2]
    assert (mission.state["fighter.1.clock"], mission.state["fighter.1.angle"]) == ("12", "level")


@pytest.mark.section("b17 21.1", "b17 21.2")
def test_the_german_player_sees_only_what_shows_from_outside(started: Run) -> None:
    started("set", "zone=4", "engine.2=out", "aileron.port=out", "crew.pilot=kia", "intercom=out", "window.hits=2")
    report = started("status", "--hide", "--json").json
    assert not set(SECRET) & set(report["facts"])
    assert "pending" not in report
    # dead engines, control surfaces and the second window hit can be seen (21.0, 21.1); the first window hit cannot
    assert (report["facts"]["engine.2"], report["facts"]["aileron.port"], report["facts"]["window.seen"]) == (
        "out", "out", 1,
    )  # fmt: skip
    shown = started("status", "--hide").out
    assert "ngine 2: out" in shown
    assert "kia" not in shown and "ntercom" not in shown


def test_a_game_without_a_second_player_says_so(companion: Run) -> None:
    begin(companion, "b29")
    ran = companion("status", "--hide")
    assert (ran.code, ran.err.count("\n")) == (2, 1) and "companion status" in ran.err


def test_before_anything_shows_the_second_player_is_told_so(companion: Run) -> None:
    begin(companion, "b17")
    assert companion("status", "--hide").out.endswith("Nothing yet.\n")


def current() -> Campaign:
    from companion.store import campaigns

    found = campaigns.campaign_in_use()
    assert found is not None
    return found


@pytest.mark.section("b17 7.3")
@pytest.mark.parametrize(
    ("kind", "ratings"),
    [
        ("missions", {0: None, 1: "Poor", 5: "Poor", 6: "Fair", 10: "Fair", 11: "Good", 17: "Good", 18: "Excellent",
                      24: "Excellent", 25: "Superb"}),
        ("percent", {None: None, 4: "Poor", 5: "Fair", 14.9: "Fair", 15: "Good", 29: "Good", 30: "Excellent"}),
    ],
)  # fmt: skip
def test_ratings(started: Run, kind: str, ratings: dict[float | None, str | None]) -> None:
    log = CampaignLog.of(Pack("b17"), current())
    assert {each: log.rating(kind, each) for each in ratings} == ratings


@pytest.mark.section("b17 7.3")
@pytest.mark.parametrize(("missions", "standing"), [(9, []), (10, ["veteran"]), (24, ["veteran"]), (25, ["goes home"])])
def test_a_man_goes_home_after_25_missions(started: Run, missions: int, standing: list[str]) -> None:
    log = CampaignLog.of(Pack("b17"), current())
    assert log.standing(Man("Cal Dunning", position="copilot", missions=missions)) == standing


@pytest.mark.section("b17 7.3")
@pytest.mark.parametrize(("fate", "rating"), [("returned", "Fair"), ("irreparable", "Poor"), ("ditched", "Poor")])
def test_a_bomber_is_rated_by_the_missions_that_it_survived(companion: Run, fate: str, rating: str) -> None:
    companion("new", "Miss Cue", "--game", "b17", "--yes", "--at-mission", "6")
    companion("mission", "start", "--yes")
    companion("set", f"bomber.fate={fate}", "credit=yes", "step=end")
    assert companion("bomber").out.splitlines()[0].split(", ")[2].split(";")[0] == rating
    assert companion("bomber", "--json").json["bomber"]["rating"] == rating


@pytest.mark.section("b17 7.3")
def test_the_crew_is_shown_with_its_rating(started: Run) -> None:
    assert "Poor" not in started("crew").out
    started("set", "bomber.fate=returned", "credit=yes", "crew.navigator=kia", "step=end")
    shown = {line.split()[0]: line for line in started("crew").out.splitlines() if line.strip()}
    assert shown["Pilot"].rstrip().endswith("Poor")
    assert "Poor" not in shown["x"] and "killed" in shown["x"]
