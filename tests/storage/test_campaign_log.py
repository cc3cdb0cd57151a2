"""The campaign log after each mission, several campaigns, automatic tours, and the crew: who flies on."""

import csv
import io
from pathlib import Path

import pytest

from companion.cli.forecast import plot
from companion.engine.facts import Facts
from companion.packs import Pack
from companion.play import lookahead
from companion.play.lookahead import Curve, Expectation, MissionEnd, values_so_far
from companion.store import campaigns
from tests.storage.evenings import DITCHED, ENGINE_TROUBLE, HIT, MISSED, facts, flown, fly, man
from tests.support import Run, begin, slow_but


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
    assert owls("roll", "2-2C", "--outcome", "Tokyo", "--json").json["then"] == ["2-3"]
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
    assert "has its 35 missions" in companion("mission", "start", "--yes").out
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
    lines = [
        line.margin + line.text for line in plot("Dents:", [0, 4], Curve([0, 0, 0, 0], [1, 2, 3, 4], [2, 4, 6, 8]), 8)
    ]
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


@pytest.mark.slow
def test_the_tail_gunner_is_killed_and_replaced(owls: Run) -> None:
    fly(owls, *HIT)
    fly(owls, *HIT, "crew.tail-gunner=kia", "fate.tail-gunner=kia", "kills.tail-gunner=1")
    assert man(owls, "tail-gunner")["lost"] is True
    assert "x  Tail gunner" in owls("crew").out
    refused = owls("mission", "start")
    assert (refused.code, owls("campaigns", "--json").json[0]["missions"]) == (2, 2)
    assert "Lou Sandoval (Tail gunner) is lost" in refused.err
    assert 'companion crew "tail gunner" "NAME"' in refused.err
    assert owls("crew", "--replace", "tail-gunner", "Burt Hanley").code == 0
    fly(owls, *HIT)
    new = man(owls, "tail-gunner")
    assert (new["name"], new["missions"], new["kills"], new["lost"]) == ("Burt Hanley", 1, 0, False)
    assert man(owls, "pilot")["missions"] == 3
    lost = owls("crew", "--json").json["lost"]
    assert [(each["name"], each["fate"], each["number"], each["missions"], each["kills"]) for each in lost] == [
        ("Lou Sandoval", "kia", 2, 2, 1)
    ]
    assert "killed" in owls("campaign").out


def line_of(companion: Run, position: str) -> str:
    return next(line for line in companion("crew").out.splitlines() if line.split()[:1] == [position])


def test_the_crew_list_has_a_wound_while_the_mission_is_flown(owls: Run) -> None:
    owls("mission", "start")
    owls("set", "crew.pilot=light", "crew.cfc=serious", "frostbite.copilot=yes")
    assert line_of(owls, "Pilot").rstrip().endswith("light, novice")
    owls("set", *HIT)
    assert line_of(owls, "Pilot").rstrip().endswith("fit again, novice")
    assert "serious, novice" in line_of(owls, "Central")
    assert "frostbitten" in line_of(owls, "Copilot")


@pytest.mark.slow
def test_a_wounded_man_back_on_duty_flies_on(owls: Run) -> None:
    fly(owls, *HIT, "crew.cfc=serious", "fate.cfc=duty", "crew.pilot=light")
    for position in ("Pilot", "Central"):
        assert "fit again" in line_of(owls, position) and "serious" not in line_of(owls, position)
    fly(owls, *HIT)
    assert "fit again" not in owls("crew").out
    assert (facts(owls)["name.cfc"], facts(owls)["crew.cfc"]) == ("Roy Castellano", "ok")
    assert man(owls, "cfc")["missions"] == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hurt", "table", "settled"),
    [("crew.cfc=serious", "7-13.fate", "duty"), ("frostbite.cfc=yes", "7-14.fate", "invalided-home")],
)
def test_nobody_flies_before_his_wound_is_settled(owls: Run, hurt: str, table: str, settled: str) -> None:
    """9.1: the fate of the seriously wounded and frostbitten is settled before the next mission."""
    fly(owls, *HIT, hurt)
    for yes in ((), ("--yes",)):  # no companion may guess what becomes of a man
        refused = owls("mission", "start", *yes)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert "Roy Castellano (Central fire controller) came back" in refused.err
        assert f'companion roll {table} --with "position=Central fire controller"' in refused.err
    assert owls("campaigns", "--json").json[0]["missions"] == 1
    assert owls("roll", table, "--with", "position=cfc", "--outcome", settled).code == 0
    assert owls("mission", "start").code == (0 if settled == "duty" else 2)
    assert owls("mission", "start", "--yes").code == 0


@pytest.mark.parametrize(
    ("hurt", "table", "die", "fate"),
    slow_but(
        [
            ("crew.ball-gunner=serious", "BL-4.b", "1", "duty"), ("crew.ball-gunner=serious", "BL-4.b", "3", "ih"),
            ("frostbite.ball-gunner=yes", "BL-5.b", "4", "duty"), ("frostbite.ball-gunner=yes", "BL-5.b", "3", "ih"),
        ],
        1,
    ),
)  # fmt: skip
def test_in_a_b17_nobody_flies_before_it_is_settled(companion: Run, hurt: str, table: str, die: str, fate: str) -> None:
    """17.0, BL-4 b, BL-5 b."""
    begin(companion, "b17")
    companion("set", hurt, "credit=yes", "bomber.fate=returned")
    refused = companion("mission", "start", "--yes")
    assert refused.code == 2 and f'companion roll {table} --with "position=Ball gunner"' in refused.err
    assert companion("roll", table, "--with", "position=Ball gunner", "--dice", die).code == 0
    assert facts(companion)["fate.ball-gunner"] == fate
    assert companion("mission", "start").code == (0 if fate == "duty" else 2)


def test_a_gunner_left_at_base_has_not_flown(owls: Run) -> None:
    fly(owls, *HIT, "crew.left-gunner=absent")
    assert man(owls, "left-gunner")["missions"] == 0
    assert man(owls, "right-gunner")["missions"] == 1


def test_missions_and_fighters_are_carried_onto_the_next_sheet(owls: Run) -> None:
    fly(owls, *HIT, "kills.cfc=2")
    fly(owls, *ENGINE_TROUBLE, "kills.cfc=3")
    owls("mission", "start")
    sheet = facts(owls)
    assert (sheet["mission.number"], sheet["missions.cfc"], sheet["kills.cfc"]) == (2, 1, 3)
    assert owls("mission", "start", "--with", "missions.cfc=9").code == 0
    assert facts(owls)["missions.cfc"] == 9


def test_the_man_who_fires_gets_the_fighter(owls: Run) -> None:
    owls("mission", "start")
    owls("set", "fighter.1.type=tony", "fighter.1.clock=12")
    given = [word for each in ("fighter=1", "gun=fwd-upper", "aim.fwd-upper.by=cfc") for word in ("--with", each)]
    rolled = owls("roll", "5-8", "--dice", "6,6", *given, "--json").json
    assert rolled["outcome"] == "destroyed"  # 12 and 1 for the turret
    sheet = facts(owls)
    assert (sheet["claimed.fwd-upper"], sheet["kills.cfc"]) == (1, 1)


@pytest.mark.slow
def test_seven_missions_a_novice_fourteen_a_veteran(companion: Run, b29: Pack) -> None:
    campaign = flown(b29, 7)
    campaigns.use(campaign)
    assert man(companion, "navigator")["standing"] == ["novice"]
    flown(b29, 1, campaign)
    assert man(companion, "navigator")["standing"] == []
    flown(b29, 6, campaign)
    assert man(companion, "navigator")["standing"] == ["veteran"]
    companion("mission", "start", "--yes")
    state = campaign.flown(campaign.missions()[-1]).state | {"book.4-8.veteran": 1, "book.4-8.novice": -1}
    assert state["missions.navigator"] == 14
    applied = b29.table("4-8").applying(Facts(b29.sheet, state))
    assert [(each.modifier.id, each.add) for each in applied if each.modifier.id in ("novice", "veteran")] == [
        ("veteran", 1)
    ]


def test_a_man_keeps_his_missions_when_he_changes_places(owls: Run) -> None:
    fly(owls, *HIT, "crew.pilot=kia", "fate.pilot=kia")
    assert owls("crew", "--set", "pilot=Orrin Tate").code == 0
    assert (man(owls, "pilot")["name"], man(owls, "pilot")["missions"]) == ("Orrin Tate", 1)
    assert (man(owls, "copilot")["name"], man(owls, "copilot")["lost"]) == ("Harlan Beck", True)
    owls("crew", "--replace", "copilot", "Ned Farrow")
    fly(owls, *HIT)
    assert (man(owls, "pilot")["missions"], man(owls, "copilot")["missions"]) == (2, 1)


def test_names_come_from_our_own_list(owls: Run) -> None:
    owls("crew", "pilot", "Dan", "Kerr")
    assert owls("crew", "--random", "--seed", "4").code == 0
    crew = {each["position"]: each["name"] for each in owls("crew", "--json").json["crew"]}
    assert crew["pilot"] == "Dan Kerr"  # named by the player
    assert len(set(crew.values())) == 11
    assert "Orrin Tate" not in crew.values()
    fly(owls, *HIT, "crew.cfc=kia")
    assert owls("crew", "--replace", "cfc").code == 0
    now = {each["position"]: each["name"] for each in owls("crew", "--json").json["crew"]}
    assert [position for position in crew if crew[position] != now[position]] == ["cfc"]
    assert "none was lost" in owls("crew", "--random").out


@pytest.mark.parametrize(
    ("typed", "message"),
    slow_but(
        [
            (["--replace", "pilot"], "Harlan Beck can still fly"),
            (["--replace", "cfc", "Orrin Tate"], "Orrin Tate is already the Copilot"),
            (["--set", "pilot=roy castellano"], "Roy Castellano was lost on mission 1"),
            (["Somebody"], "Name a position, then the man, e.g. companion crew pilot"),
        ],
        2,
    ),
)
def test_a_typo_changes_no_crewman(owls: Run, typed: list[str], message: str) -> None:
    fly(owls, *HIT, "crew.cfc=kia")
    if "roy castellano" in typed[-1]:
        owls("crew", "--replace", "cfc", "Al Pell")
    before = owls("crew", "--json").json
    ran = owls("crew", *typed)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert message in ran.err
    assert owls("crew", "--json").json == before


@pytest.mark.slow
def test_the_bomber_is_lost_and_another_one_taken(owls: Run) -> None:
    fly(owls, *HIT)
    refused = owls("bomber", "Second Wind")
    assert refused.code == 2
    assert "Lucky Thirteen is still airworthy" in refused.err
    assert owls("bomber", " ", "--yes").code == 2
    fly(owls, *DITCHED)
    shown = owls("bomber", "--json").json["bomber"]
    assert (shown["name"], shown["missions"], shown["lost"], shown["fate"]) == ("Lucky Thirteen", 2, True, "ditched")
    refused = owls("mission", "start")
    assert refused.code == 2
    assert "Lucky Thirteen is lost. Name another bomber: companion bomber NAME. " in refused.err
    assert owls("bomber", "lucky thirteen").code == 2
    assert owls("bomber", "Second Wind").code == 0
    fly(owls, *HIT)
    shown = owls("bomber", "--json").json
    assert (shown["bomber"]["name"], shown["bomber"]["missions"]) == ("Second Wind", 1)
    assert [each["name"] for each in shown["former"]] == ["Lucky Thirteen"]
    assert owls("campaign", "--json").json["bomber"] == shown["bomber"]
    assert man(owls, "pilot")["missions"] == 3  # the crew goes on in another plane
    assert "x Lucky Thirteen: 2 missions, 1 won; ditched, mission 2" in owls("bomber").out


def test_yes_replaces_the_lost_and_says_so(owls: Run) -> None:
    fly(owls, *DITCHED, "crew.pilot=kia", "fate.pilot=las", "fate.navigator=cas")
    refused = owls("mission", "start")
    assert '2 men and Lucky Thirteen are lost. Name the replacements: companion crew pilot "NAME"' in refused.err
    assert "companion crew --random, Name another bomber: companion bomber NAME" in refused.err
    started = owls("mission", "start", "--yes")
    assert started.code == 0
    assert "for Harlan Beck" in started.out
    assert "for Gus Lindqvist" in started.out
    assert "Bomber: Lucky Thirteen II for Lucky Thirteen" in started.out
    sheet = facts(owls)
    assert (sheet["aircraft.name"], sheet["missions.pilot"], sheet["missions.copilot"]) == ("Lucky Thirteen II", 0, 1)
    assert [each["name"] for each in owls("crew", "--json").json["lost"]] == ["Harlan Beck", "Gus Lindqvist"]
