"""The crew and the bomber: who flies on, who does not, and replacements."""

import pytest

from companion.engine.facts import Facts
from companion.packs import Pack
from companion.store import campaigns
from tests.storage.evenings import DITCHED, ENGINE_TROUBLE, HIT, facts, flown, fly, man
from tests.support import Run, begin, slow_but


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
    state = campaign.flown(campaign.missions()[-1])[1].state | {"book.4-8.veteran": 1, "book.4-8.novice": -1}
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
