"""Moments of a campaign: what the log says after each, who flies on, and who does not."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from companion import packs
from companion.campaign import names, store
from companion.campaign.log import CampaignLog
from companion.cli.campaigns import ready
from companion.engine.sheet import Facts
from companion.packs import Pack
from companion.packs.proof import check
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import Problem
from tests.conftest import Run

HIT = ["bomber.fate=returned", "bombs=dropped", "bomb-run=on", "bomb-run.percent=30", "credit=yes"]  # 9.3 A
MISSED = ["bomber.fate=returned", "bombs=dropped", "bomb-run=off", "bomb-run.percent=3", "credit=yes"]  # 9.3 C
ENGINE_TROUBLE = ["bomber.fate=returned", "bombs=jettisoned", "aborted=yes", "credit=no"]  # B22: gives nothing
DITCHED = ["bomber.fate=ditched", "bombs=jettisoned", "aborted=yes", "ground.fighters=yes", "credit=yes"]  # 9.3 B


@pytest.fixture
def owls(companion: Run) -> Run:
    companion("new", "Night Owls", "--game", "b29", "--yes")
    return companion


def fly(companion: Run, *end: str) -> None:
    """A mission from the fresh sheet to its end."""
    started = companion("mission", "start")
    assert started.code == 0, started.err
    ended = companion("set", *end)
    assert ended.code == 0, ended.err


def man(companion: Run, position: str) -> dict[str, object]:
    return next(each for each in companion("crew", "--json").json["crew"] if each["position"] == position)


def facts(companion: Run) -> dict[str, object]:
    found: dict[str, object] = companion("status", "--json").json["facts"]
    return found


# -- the log ---------------------------------------------------------------------------------------------------------


def test_before_the_first_mission_the_log_is_empty(owls: Run) -> None:
    log = owls("campaign", "--json").json
    assert (log["missions"], log["lost"]) == ([], [])
    assert log["totals"] == {
        "counting": 0,
        "of": 35,
        "over": False,
        "results": {"victory": 0, "defeat": 0},
        "ahead": None,
        "average": None,
    }
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
    assert "Missions that count: 2 of 35. Bombs on target: 16.5 percent on average." in shown
    assert "Twentieth Air Force 1, Japanese air defense 0, draws 1." in shown
    assert "Ahead: Twentieth Air Force." in shown
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


def test_the_log_follows_an_undo(owls: Run) -> None:
    fly(owls, *HIT)
    owls("undo")
    assert owls("campaign", "--json").json["totals"]["counting"] == 0
    owls("redo")
    assert owls("campaign", "--json").json["totals"]["counting"] == 1


def test_a_mission_flown_to_its_end_is_in_the_log(owls: Run) -> None:
    owls("mission", "start", "--yes")
    ended = owls("fly", "--auto", "--seed", "9", "--json").json["facts"]
    row = owls("campaign", "--json").json["missions"][0]
    assert ended["step"] == "end"
    assert row["result"] == ended["mission.result"] != "none"
    assert row["counts"] == (ended["credit"] == "yes")


# -- the crew --------------------------------------------------------------------------------------------------------


def test_the_tail_gunner_is_killed_and_replaced(owls: Run) -> None:
    fly(owls, *HIT)
    fly(owls, *HIT, "crew.tail-gunner=kia", "fate.tail-gunner=kia", "kills.tail-gunner=1")
    assert man(owls, "tail-gunner")["lost"] is True
    assert "x  Tail gunner" in owls("crew").out
    refused = owls("mission", "start")
    assert (refused.code, owls("campaigns", "--json").json[0]["missions"]) == (2, 2)
    assert "Lou Sandoval (tail-gunner) is lost" in refused.err
    assert "companion crew --replace tail-gunner" in refused.err
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


@pytest.mark.parametrize("fate", ["kia", "dow", "las", "ih", "bo-c", "cas", "dic", "captured"])
def test_whoever_will_not_fly_again_is_crossed_out(owls: Run, fate: str) -> None:
    fly(owls, *HIT, "crew.cfc=serious", f"fate.cfc={fate}")
    assert man(owls, "cfc")["lost"] is True
    assert owls("mission", "start").code == 2


def test_a_wounded_man_back_on_duty_flies_on(owls: Run) -> None:
    fly(owls, *HIT, "crew.cfc=serious", "fate.cfc=duty", "crew.pilot=light")
    fly(owls, *HIT)
    assert (facts(owls)["name.cfc"], facts(owls)["crew.cfc"]) == ("Roy Castellano", "ok")
    assert man(owls, "cfc")["missions"] == 2


@pytest.mark.parametrize(
    ("hurt", "table", "settled"),
    [("crew.cfc=serious", "7-13.fate", "duty"), ("frostbite.cfc=yes", "7-14.fate", "invalided-home")],
)
def test_nobody_flies_before_his_wound_is_settled(owls: Run, hurt: str, table: str, settled: str) -> None:
    """9.1: the fate of the seriously wounded and frostbitten comes before the next mission."""
    fly(owls, *HIT, hurt)
    for yes in ((), ("--yes",)):  # no companion may guess what becomes of a man
        refused = owls("mission", "start", *yes)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert "Roy Castellano (cfc) came back" in refused.err
        assert f"companion roll {table} --with position=cfc" in refused.err
    assert owls("campaigns", "--json").json[0]["missions"] == 1
    assert owls("roll", table, "--with", "position=cfc", "--outcome", settled).code == 0
    assert owls("mission", "start").code == (0 if settled == "duty" else 2)
    assert owls("mission", "start", "--yes").code == 0


@pytest.mark.parametrize(
    ("hurt", "table", "die", "fate"),
    [
        ("crew.ball-gunner=serious", "BL-4.b", "1", "duty"),
        ("crew.ball-gunner=serious", "BL-4.b", "3", "ih"),
        ("frostbite.ball-gunner=yes", "BL-5.b", "4", "duty"),
        ("frostbite.ball-gunner=yes", "BL-5.b", "3", "ih"),
    ],
)
def test_nobody_flies_in_a_b17_before_his_wound_is_settled(
    companion: Run, hurt: str, table: str, die: str, fate: str
) -> None:
    """17.0, BL-4 b, BL-5 b."""
    companion("new", "Owls", "--game", "b17", "--yes")
    companion("mission", "start", "--yes")
    companion("set", hurt, "credit=yes", "bomber.fate=returned")
    refused = companion("mission", "start", "--yes")
    assert refused.code == 2 and f"companion roll {table} --with position=ball-gunner" in refused.err
    assert companion("roll", table, "--with", "position=ball-gunner", "--dice", die).code == 0
    assert facts(companion)["fate.ball-gunner"] == fate
    assert companion("mission", "start").code == (0 if fate == "duty" else 2)


def test_a_dead_or_captured_man_needs_no_settling(owls: Run) -> None:
    fly(owls, *HIT, "crew.cfc=serious", "fate.cfc=cas", "frostbite.pilot=yes", "crew.pilot=kia")
    assert owls("mission", "start", "--yes").code == 0


# -- the cities (9.2) ------------------------------------------------------------------------------------------------


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
    assert "! Tokyo is bombed out: no urban-area mission is flown against it" in barred.out
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
    owls("set", "fighter.1.type=tony", "fighter.1.clock=12", "aim.fwd-upper=1", "aim.fwd-upper.by=cfc")
    rolled = owls("roll", "5-8", "--dice", "6,6", "--with", "fighter=1", "--with", "gun=fwd-upper", "--json").json
    assert rolled["outcome"] == "destroyed"  # 12 and 1 for the turret
    sheet = facts(owls)
    assert (sheet["claimed.fwd-upper"], sheet["kills.cfc"]) == (1, 1)


def test_seven_missions_a_novice_fourteen_a_veteran(companion: Run, b29: Pack) -> None:
    campaign = flown(b29, 7)
    store.use(campaign.folder.name)
    assert man(companion, "navigator")["standing"] == ["novice"]
    flown(b29, 1, campaign)
    assert man(companion, "navigator")["standing"] == []
    flown(b29, 6, campaign)
    assert man(companion, "navigator")["standing"] == ["veteran"]
    companion("mission", "start", "--yes")
    state = campaign.load(b29).state | {"book.4-8.veteran": 1, "book.4-8.novice": -1}
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
    owls("crew", "--set", "pilot=Dan Kerr")
    assert owls("crew", "--random", "--seed", "4").code == 0
    crew = {each["position"]: each["name"] for each in owls("crew", "--json").json["crew"]}
    assert crew["pilot"] == "Dan Kerr"  # named by the player
    assert len(set(crew.values())) == 11
    assert "Orrin Tate" not in crew.values()
    fly(owls, *HIT, "crew.cfc=kia")
    assert owls("crew", "--replace", "cfc").code == 0
    now = {each["position"]: each["name"] for each in owls("crew", "--json").json["crew"]}
    assert [position for position in crew if crew[position] != now[position]] == ["cfc"]
    assert "nobody is lost" in owls("crew", "--random").out


def test_a_named_replacement_is_not_drawn_over(owls: Run) -> None:
    fly(owls, *HIT, "crew.cfc=kia", "crew.pilot=kia")
    assert owls("crew", "--replace", "cfc", "Al Pell", "--random").code == 0
    assert man(owls, "cfc")["name"] == "Al Pell"
    assert man(owls, "pilot")["lost"] is False


def test_our_list_is_long_enough_for_a_war() -> None:
    lists = packs.read_file(packs.tables_folder() / "names.toml")
    assert len(set(lists["first"].split())) >= 60
    assert len(set(lists["last"].split())) >= 120
    assert [names.roman(number) for number in (2, 4, 9, 14)] == ["II", "IV", "IX", "XIV"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--replace", "pilot"], "Harlan Beck can still fly"),
        (["--replace", "ball-gunner"], "there is no position ball-gunner"),
        (["--replace", "cfc", "Orrin Tate"], "Orrin Tate is the copilot already"),
        (["--replace", "cfc", " "], "the cfc needs a name"),
        (["--set", "pilot=Roy Castellano", "--set", "copilot"], "is not POSITION=NAME"),
        (["--set", "pilot=roy castellano"], "Roy Castellano was lost on mission 1"),
        (["Somebody"], "a name goes with one --replace"),
    ],
)
def test_a_slip_changes_nobody(owls: Run, typed: list[str], said: str) -> None:
    fly(owls, *HIT, "crew.cfc=kia")
    if "roy castellano" in typed[-1]:
        owls("crew", "--replace", "cfc", "Al Pell")
    before = owls("crew", "--json").json
    ran = owls("crew", *typed)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert said in ran.err
    assert owls("crew", "--json").json == before


# -- the bomber ------------------------------------------------------------------------------------------------------


def test_the_bomber_is_lost_and_another_one_taken(owls: Run) -> None:
    fly(owls, *HIT)
    refused = owls("bomber", "Second Wind")
    assert refused.code == 2
    assert "Lucky Thirteen still flies" in refused.err
    fly(owls, *DITCHED)
    shown = owls("bomber", "--json").json["bomber"]
    assert (shown["name"], shown["missions"], shown["lost"], shown["fate"]) == ("Lucky Thirteen", 2, True, "ditched")
    refused = owls("mission", "start")
    assert refused.code == 2
    assert "Lucky Thirteen is lost; first: companion bomber NAME" in refused.err
    assert owls("bomber", "lucky thirteen").code == 2
    assert owls("bomber", "Second Wind").code == 0
    fly(owls, *HIT)
    shown = owls("bomber", "--json").json
    assert (shown["bomber"]["name"], shown["bomber"]["missions"]) == ("Second Wind", 1)
    assert [each["name"] for each in shown["former"]] == ["Lucky Thirteen"]
    assert owls("campaign", "--json").json["bomber"] == shown["bomber"]
    assert man(owls, "pilot")["missions"] == 3  # the crew goes on in another plane
    assert "x Lucky Thirteen: 2 missions, 1 won; ditched, mission 2" in owls("bomber").out


def test_a_bomber_that_still_flies_is_left_only_on_purpose(owls: Run) -> None:
    assert owls("bomber", "Second Wind", "--yes").code == 0
    assert owls("bomber", "--json").json["bomber"]["name"] == "Second Wind"
    assert owls("bomber", " ", "--yes").code == 2


def test_yes_replaces_the_lost_and_says_so(owls: Run) -> None:
    fly(owls, *DITCHED, "crew.pilot=kia", "fate.pilot=las", "fate.navigator=cas")
    refused = owls("mission", "start")
    assert "2 men and Lucky Thirteen are lost; first: companion crew --random, companion bomber NAME" in refused.err
    started = owls("mission", "start", "--yes")
    assert started.code == 0
    assert "for Harlan Beck" in started.out
    assert "for Gus Lindqvist" in started.out
    assert "Bomber: Lucky Thirteen II for Lucky Thirteen" in started.out
    sheet = facts(owls)
    assert (sheet["aircraft.name"], sheet["missions.pilot"], sheet["missions.copilot"]) == ("Lucky Thirteen II", 0, 1)
    assert [each["name"] for each in owls("crew", "--json").json["lost"]] == ["Harlan Beck", "Gus Lindqvist"]


# -- campaigns -------------------------------------------------------------------------------------------------------


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
    assert lines[0] == "  Night Owls  b29, 1 missions"
    assert lines[1].startswith("  day-birds  ") and "it is not a campaign document" in lines[1]
    assert lines[2].startswith("* gulls  ") and "makes no sense from line 1" in lines[2]
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


def test_a_mission_start_that_breaks_off_leaves_the_mission_before_readable(
    owls: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The campaign's new game is written before its first sheet; the sheet before is still one of the old game."""
    owls("mission", "start", "--yes", "--game", "b29-streamliner")
    owls("set", *HIT, "front=storm")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store.Campaign, "begin", stop)
        assert owls("mission", "start", "--yes", "--game", "b29").code == 1
    assert facts(owls)["front"] == "storm"
    assert owls("mission", "start", "--yes").code == 0
    assert "front" not in facts(owls)


def flown(pack: Pack, count: int, campaign: store.Campaign | None = None, lost: int = 0) -> store.Campaign:
    """Missions on disk, the last `lost` of them wrecked on landing, the others on target with ten percent."""
    campaign = campaign or store.Campaign.create(
        "Long Haul", "b29", {"roster": dict(pack.about["names"]), "aircraft": "Lucky Thirteen"}
    )
    begun = len(campaign.missions())
    for at in range(count):
        log = CampaignLog.of(pack, campaign)
        wrecked = at >= count - lost
        end = {"bombs": "dropped", "bomb-run": "on", "bomb-run.percent": 10, "credit": "yes"}
        end["bomber.fate"] = "wrecked" if wrecked else "returned"
        journal = Journal([{"v": "roll", "t": "5-1", "d": [3, 4], "o": "light"} for _ in range(286)])
        campaign.begin(pack, Mission(pack, log.carried() | end, [], journal, begun + at + 1))
    return campaign


def test_thirty_five_missions_are_a_campaign_and_each_is_read_once(
    companion: Run, b29: Pack, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = flown(b29, 35, lost=17)  # 18 against 17 (9.4)
    store.use(campaign.folder.name)
    read = store.SafeStorage.read
    files: list[str] = []
    monkeypatch.setattr(store.SafeStorage, "read", lambda self: files.append(self.path.name) or read(self))
    log = companion("campaign", "--json").json
    assert sorted(name for name in files if name.startswith("mission")) == [
        f"mission-{number:02d}.json" for number in range(1, 36)
    ]
    assert log["totals"] == {
        "counting": 35,
        "of": 35,
        "over": True,
        "results": {"victory": 18, "defeat": 17},
        "ahead": "victory",
        "average": 10,
    }
    assert "Winner of the campaign: Twentieth Air Force." in companion("campaign").out
    started = companion("mission", "start", "--yes")
    assert "has its 35 missions" in started.out
    assert facts(companion)["mission.number"] == 35


def test_every_campaign_screen_keeps_to_80_columns(owls: Run) -> None:
    owls("crew", "--set", "pilot=Bartholomew Featherstonehaugh-Cholmondeley")
    owls("bomber", "The Unsinkable Duchess of Saint Petersburg", "--yes")
    fly(owls, *DITCHED, "target.city=Shimonoseki Straits and Harbour", "crew.pilot=kia", "fate.cfc=bo-c")
    screens = [owls("campaign"), owls("crew"), owls("bomber")]
    owls("mission", "start", "--yes")
    for ran in [*screens, owls("campaign"), owls("crew"), owls("bomber")]:
        assert max(map(len, ran.out.splitlines())) <= 80
        assert "\x1b" not in ran.out


# -- another game ----------------------------------------------------------------------------------------------------

NAMES = packs.tables_folder() / "names.toml"
QUEEN = """
title = "Queen of the Skies"
missions = 25
aircraft = "Miss Cue"
[names]
ball-gunner = "Sid Crane"
tail-gunner = "Guy Marlow"
[log]
columns = [["mission.number", "No"], ["score", "Result"], ["percent", "%"]]
counts = "credit = yes"
result = "score"
sides = {won = "8th Air Force", beaten = "German air defense"}
average = "percent"
lost = "crew[position] = kia"
aircraft-lost = "aircraft = lost"
aircraft-end = "aircraft"
[log.standing]
ace = "kills[position] >= 5"
"""
QUEEN_SHEET = """
[sections]
all = "All"
[index.position]
ball-gunner = {label = "Ball gunner"}
tail-gunner = {label = "Tail gunner"}
[fields.all]
step = {label = "Step"}
"""
QUEEN_FIELDS = {
    "mission.number": '{kind = "count", limit = [1, 25], default = 1}',
    "aircraft.name": "{}",
    "aircraft": '{values = "home lost"}',
    "score": '{values = "won beaten even"}',
    "percent": '{kind = "count"}',
    "credit": '{values = "yes no"}',
    "name[position]": "{}",
    "kills[position]": '{kind = "count"}',
    "crew[position]": '{values = "ok kia", default = "ok"}',
}


@pytest.fixture
def queen(companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A game whose pack alone says what its Composite Mission Record holds; it has no field for missions flown."""
    lay_out(QUEEN, tmp_path, monkeypatch)
    companion("new", "Miss Cue's War", "--game", "queen", "--yes")
    return companion


def lay_out(pack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tables" / "queen").mkdir(parents=True, exist_ok=True)
    (tmp_path / "tables" / "names.toml").write_text(NAMES.read_text())
    declared = [f'"{name}" = {spec}' for name, spec in QUEEN_FIELDS.items()]
    (tmp_path / "tables" / "queen" / "pack.toml").write_text(pack)
    (tmp_path / "tables" / "queen" / "sheet.toml").write_text("\n".join([QUEEN_SHEET, *declared]))
    monkeypatch.setattr("companion.packs.pack.tables_folder", lambda: tmp_path / "tables")


def test_another_game_needs_only_its_data(queen: Run) -> None:
    fly(queen, "score=won", "percent=20", "credit=yes", "kills.tail-gunner=4")
    fly(queen, "score=even", "credit=no", "kills.tail-gunner=5")
    totals = queen("campaign", "--json").json["totals"]
    assert (totals["of"], totals["counting"], totals["average"], totals["ahead"]) == (25, 1, 20, "won")
    assert man(queen, "tail-gunner")["standing"] == ["ace"]  # five fighters, whether the mission counts or not
    assert man(queen, "ball-gunner")["standing"] == []
    assert "8th Air Force 1, German air defense 0, draws 1." in queen("campaign").out
    fly(queen, "score=beaten", "credit=yes", "aircraft=lost", "crew.tail-gunner=kia")
    assert facts(queen)["mission.number"] == 2
    assert queen("mission", "start").code == 2
    assert queen("mission", "start", "--yes").code == 0
    sheet = facts(queen)
    assert (sheet["kills.tail-gunner"], sheet["aircraft.name"]) == (0, "Miss Cue II")


def test_a_pack_without_a_log_counts_every_mission(
    companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(QUEEN.partition("[log]")[0], tmp_path, monkeypatch)
    companion("new", "Miss Cue's War", "--game", "queen", "--yes")
    fly(companion, "crew.tail-gunner=kia")
    fly(companion, "crew.tail-gunner=ok")
    assert facts(companion)["mission.number"] == 2
    assert "Missions that count: 2 of 25." in companion("campaign").out
    assert companion("campaign", "--csv").out == "mission,lost\n1,\n2,\n"


def test_the_checker_reads_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay_out(QUEEN, tmp_path, monkeypatch)
    assert check(Pack("queen")) == []
    lay_out(
        QUEEN.replace('"percent"', '"per-cent"')
        .replace('lost = "crew[position] = kia"', 'lost = "score"')
        .replace("won =", "win ="),
        tmp_path,
        monkeypatch,
    )
    told = [each.partition("pack.toml, ")[2] for each in check(Pack("queen"))]
    assert [each.partition("\n")[0] for each in told] == [
        "line 14: lost: a condition stands here; this is one of several words: compare it with = or another sign",
        "line 9: columns: it names per-cent, which the sheet does not declare; did you mean percent?",
        "line 13: average: it names per-cent, which the sheet does not declare; did you mean percent?",
        "line 12: win: a side has the result win, which there never is; it is won, beaten or even",
    ]


def test_a_refusal_is_one_sentence(b29: Pack) -> None:
    log = CampaignLog(b29, {"roster": {"pilot": "Dan Kerr"}}, [(1, {"name.pilot": "Dan Kerr", "crew.pilot": "kia"})])
    with pytest.raises(Problem, match=r"^Dan Kerr \(pilot\) is lost; first: companion crew --replace pilot; or: .*$"):
        ready(log)
