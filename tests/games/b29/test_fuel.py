"""Fuel boxes (4.3 A), what makes an abort count (4.7 D), and a burst inside, line by line (6.2 F)."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.games.b29.table import ALL, DAY, WAIST
from tests.support import Moment, after_step, asked, set_up

FLY = DAY + "turn=4 zone=4 zone.turns=1 formation=out weather=good setting.auxiliary=first fuel.fwd=4 fuel.aft=4 "


@pytest.mark.section("b29 4.3 A guns", "b29 4.3 A gunners")
@pytest.mark.parametrize(("guns", "men", "boxes"), [(4, 5, 1), (5, 5, 0), (5, 4, 1), (1, 1, 2)])
def test_the_weight_of_guns_and_gunners(b29: Pack, guns: int, men: int, boxes: int) -> None:
    """4.3 A: five turrets cost a box on less than 5, four gunners on 4 or less, once, on the way to Zone 1."""
    moment = set_up(b29, DAY + "turn=1 zone=1 zone.turns=1 moved=yes altitude=lo formation=out step=weight", "4.3A")
    moment.fly(f"4.3A.guns: {guns}\n4.3A.gunners: {men}\nend\n")
    assert moment["fuel.wing"] == boxes


def entered(pack: Pack, facts: str, script: str = "") -> Moment:
    """The next zone."""
    return after_step(pack, "past-iwo", pack.sheet.given((FLY + facts).split()), script)


@pytest.mark.section("b29 4.3 A zone", "b29 4.3 A climb", "b29 4.1 A", "b29 4.1 B", "b29 4.2 A")
@pytest.mark.parametrize(
    ("facts", "script", "boxes", "closed"),
    [
        ("altitude=lo", "altitude: stay\n", 2, "no"), ("altitude=lo", "altitude: med\n", 4, "yes"),
        ("altitude=med pressurized=yes", "altitude: hi\n", 4, "yes"),
        ("altitude=hi pressurized=yes", "altitude: lo\n", 2, "no"),
        ("altitude=lo leg=inbound bombs=dropped", "altitude: stay\n", 1, "no"),
        ("altitude=lo leg=inbound bombs=aboard", "altitude: stay\n", 2, "no"),
        ("altitude=lo leg=inbound bombs=dropped", "altitude: med\n", 3, "yes"),
    ],
)  # fmt: skip
def test_what_a_zone_costs(b29: Pack, facts: str, script: str, boxes: int, closed: str) -> None:
    """4.3 A: two boxes with bombs, one without, two more for a level up, none for down; 4.2 A: closed on the way up."""
    moment = entered(b29, facts, script)
    assert (moment["fuel.wing"], moment["pressurized"]) == (boxes, closed)


@pytest.mark.section("b29 4.1 B")
def test_one_level_up_and_two_down(b29: Pack) -> None:
    """4.1 B: up a level a turn; down one or two."""
    assert set(entered(b29, "altitude=lo").options) == {"stay", "med"}
    assert set(entered(b29, "altitude=med pressurized=yes").options) == {"stay", "hi", "lo"}
    assert set(entered(b29, "altitude=hi pressurized=yes").options) == {"stay", "down-to-med", "lo"}


@pytest.mark.section("b29 4.3 A turn", "b29 6.5")
def test_turning_round_costs_a_box(b29: Pack) -> None:
    """4.3 A, 6.5: one box in the target zone after the run, and no new weather."""
    run = FLY.replace("zone=4", "zone=12") + (
        "target.zone=12 altitude=hi pressurized=yes bombs=dropped bomb-run=on log.gazetteer.12=0 log.below.12=land"
    )
    moment = after_step(b29, "more-flak", b29.sheet.given(run.split()))
    moment.fly("altitude: stay\n")
    if moment.asked == "rejoin":
        moment.fly(f"rejoin: {next(each for each in moment.options if each.startswith(('no', 'stay')))}\n")
    assert (moment["zone"], moment["leg"], moment["fuel.wing"]) == (12, "inbound", 1)
    assert "4-2" not in [*moment.tables, *asked(moment.mission)]


@pytest.mark.section("b29 4.7 D")
@pytest.mark.parametrize(
    ("facts", "counts"), [("ground.fighters=yes", "yes"), ("ground.fighters=no", "no"), ("course.missed-ip=1", "yes")]
)
def test_which_aborts_count(b29: Pack, facts: str, counts: str) -> None:
    """4.7 D: causes by fighters or flak; the missed target zone counts by itself (a)."""
    home = DAY + f"turn=25 zone=0 leg=inbound altitude=lo aborted=yes bombs=jettisoned bomber.fate=returned {facts}"
    assert after_step(b29, "loss-credit", b29.sheet.given(home.split()))["credit"] == counts


# -- a burst inside (6.2 F) --------------------------------------------------------------------------------------------

OVER = DAY + (
    "turn=12 zone=12 zone.turns=1 altitude=hi pressurized=yes formation=in weather=good fuel.wing=20 "
    "log.gazetteer.12=0 log.below.12=land step=flak "
)


def burst(pack: Pack, area: str, facts: str = "", script: str = "") -> Moment:
    """A burst there, over the target."""
    moment = set_up(pack, OVER + facts, "6.2F", area=area)
    moment.fly(script)
    return moment


@pytest.mark.section("b29 6.2 F dead", "b29 6.2 F fall")
@pytest.mark.parametrize(
    ("area", "dead"),
    [("nose", {"pilot", "copilot", "bombardier"}), ("tail", {"tail-gunner"}), ("port-wing", set())],
)
def test_the_bomber_falls(b29: Pack, area: str, dead: set[str]) -> None:
    """6.2 F: all there are dead; of Wing, Tail or Nose the others bail out on 8-5."""
    moment = burst(b29, area)
    assert {man for man in ALL if moment[f"crew.{man}"] == "kia"} == dead
    assert asked(moment.mission).count("8-5") == len(ALL) - len(dead)


@pytest.mark.section("b29 6.2 F bombs")
def test_bombs_in_the_bay(b29: Pack) -> None:
    """6.2 F: a bay with bombs aboard: bomber and crew are gone."""
    moment = burst(b29, "fwd-bomb-bay")
    assert {moment[f"crew.{man}"] for man in ALL} == {"kia"}


@pytest.mark.section("b29 6.2 F room", "b29 6.2 F pressure", "b29 6.2 F torn")
def test_a_burst_in_nav_radio(b29: Pack) -> None:
    """6.2 F: wounds for the three in front, 7-11 in the Nose if closed; no pressure, out, no evasion, row by row."""
    moment = burst(b29, "nav-radio")
    assert [moment[f"crew.{man}"] for man in ("engineer", "navigator", "radio-operator")] == ["kia"] * 3
    assert [item["bind"]["position"] for item in moment.mission.pending if item.get("roll") == "7-13"][:3] == [
        "pilot", "copilot", "bombardier",
    ]  # fmt: skip
    assert "7-11" in asked(moment.mission)
    state = [moment[name] for name in ("pressurization", "formation", "bip", "may-evade")]
    assert state == ["lost", "out", "yes", "no"]
    assert "7-11" not in asked(burst(b29, "nav-radio", "altitude=lo pressurized=no").mission)


@pytest.mark.section("b29 6.2 F pressure", "b29 6.2 F dead", "b29 6.2 F torn")
def test_a_burst_in_the_waist(b29: Pack) -> None:
    """6.2 F: the four there are dead, pressure is gone for good, and every row of 7-6 is asked for."""
    moment = burst(b29, "waist")
    assert {man for man in ALL if moment[f"crew.{man}"] == "kia"} == set(WAIST)
    assert (moment["pressurization"], moment["formation"], moment["bip"]) == ("lost", "out", "yes")


@pytest.mark.section("b29 6.2 F end")
def test_a_torn_bomber_lands_worse(b29: Pack) -> None:
    """6.2 F: -2 on 8-1 and 8-3, above all else."""
    for table in ("8-1", "8-3"):
        sums = []
        for bip in ("no", "yes"):
            moment = set_up(
                b29, DAY + f"turn=25 zone=1 leg=inbound altitude=lo bombs=dropped bip={bip} step=landing-base", table
            )
            moment.fly(f"{table}: 3,3 = {'safe' if table == '8-1' else 'successful'}\nend\n")
            sums.append(sum(add for _, add in moment.modifiers(table)))
        assert sums[1] - sums[0] == -2, table
