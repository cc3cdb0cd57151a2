"""Fire aboard, with the bomber closed, and the men who fight it (4.2 B, 7-12)."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.games.b29.table import HIGH, NIGHT, OVER
from tests.support import set_up


@pytest.mark.section("b29 4.2 B", "b29 7.5")
def test_opened_up_before_the_fire_is_fought(b29: Pack) -> None:
    moment = set_up(b29, HIGH, "7-1", area="nose", compartment="nose")
    moment.fly("7-1: 2,3\n7-1.hydraulics: 2\nopen-for-fire: yes")  # row 5, and 1-3 is a fire
    assert (moment["pressurized"], moment["cold.since"]) == ("no", 9)
    assert moment.options == ["bombardier", "copilot"]  # the Nose has men of its own, and one of them must
    moment.fly("fire-man: bombardier\n7-12: 3,4 = out")
    assert sum(add for _, add in moment.modifiers("7-12")) == 2  # our book's figure, at HI and open
    assert (moment["duty.bombardier"], moment["extinguisher.nav-radio"]) == ("fire", "used")
    moment.fly("7-1.b: 3")  # the pressure check of the row is still due, then all go on oxygen (4.2 D)
    assert moment.asked == "4.2D"


@pytest.mark.section("b29 4.2 B")
def test_a_fire_fought_behind_closed_doors_has_no_modifier(b29: Pack) -> None:
    moment = set_up(b29, HIGH, "7-12.fire", compartment="nav-radio")
    moment.fly("open-for-fire: no\nfire-man: radio-operator")
    assert (moment["pressurized"], len(moment.mission.pending)) == ("yes", 1)  # nobody goes on oxygen
    moment.fly("7-12: 3,4 = out")
    assert moment.modifiers("7-12") == []


def test_at_lo_nothing_is_to_be_opened(b29: Pack) -> None:
    moment = set_up(b29, NIGHT + "turn=9 zone=8 altitude=lo below=sea", "7-12.fire", compartment="waist")
    moment.fly("fire-man: radar-operator\n7-12: 3,4 = out")
    assert moment.modifiers("7-12") == []


@pytest.mark.section("b29 4.2 B")
def test_nobody_can_open_up(b29: Pack) -> None:
    hurt = "crew.engineer=serious crew.pilot=kia crew.cfc=kia crew.left-gunner=kia crew.right-gunner=kia "
    moment = set_up(b29, HIGH + hurt + "crew.radar-operator=serious", "7-12.fire", compartment="nav-radio")
    moment.fly("fire-man: navigator")
    assert moment["pressurized"] == "yes"


@pytest.mark.section("b29 7.5", "b29 7.6 A", "b29 7.6 E")
@pytest.mark.parametrize(
    ("hurt", "compartment", "who"),
    [
        ("", "nose", ["bombardier", "copilot"]),
        ("crew.pilot=serious", "nose", ["bombardier"]),  # 7.6 E: the copilot stays where he is
        ("crew.pilot=serious crew.bombardier=kia", "nose", []),  # three are in the Nose: it holds no fourth (7.6 A)
        (
            "crew.pilot=serious crew.bombardier=kia lies.bombardier=nav-radio",
            "nose",
            ["radio-operator", "navigator", "engineer"],
        ),
        ("", "nav-radio", ["radio-operator", "navigator", "engineer"]),
        ("", "tail", ["tail-gunner"]),
        ("crew.tail-gunner=kia", "tail", []),  # closed up, nobody gets through Utility
        ("", "utility", []),
        ("crew.tail-gunner=kia pressurized=no", "tail", []),  # the dead count, and the Tail holds one
        ("crew.tail-gunner=absent pressurized=no", "tail", ["radar-operator", "cfc", "left-gunner", "right-gunner"]),
        (
            "crew.tail-gunner=kia lies.tail-gunner=utility pressurized=no",
            "tail",
            ["radar-operator", "cfc", "left-gunner", "right-gunner"],
        ),
        (
            "pressurized=no crew.tail-gunner=kia lies.tail-gunner=utility crew.cfc=kia lies.cfc=utility "
            "crew.left-gunner=kia lies.left-gunner=utility",
            "utility",
            [],
        ),
        ("pressurized=no", "utility", ["radar-operator", "tail-gunner", "cfc", "left-gunner", "right-gunner"]),
    ],
)
def test_who_may_fight_the_fire(b29: Pack, hurt: str, compartment: str, who: list[str]) -> None:
    moment = set_up(b29, HIGH + hurt, "7-12.fire", compartment=compartment)
    moment.fly("")
    if moment.asked == "open-for-fire":
        reached = ": then nobody gets to the fire, and it burns on" not in moment.words["no"]
        assert reached == bool(who)
        moment.fly("open-for-fire: no")
    if len(who) == 1:  # then nothing is to be chosen
        assert (moment[f"duty.{who[0]}"], moment.asked) == ("fire", "7-12")
    elif who:
        assert moment.options == who
    else:  # nobody there: the try has failed
        assert "7-12.failed" in moment.tables
        assert moment.mission.state[f"fire.{compartment}"] == 1


@pytest.mark.section("b29 7.5")
def test_without_a_bottle_the_try_has_failed(b29: Pack) -> None:
    gone = "extinguisher.nav-radio=destroyed extinguisher.waist=used extinguisher.utility=used pressurized=no"
    moment = set_up(b29, HIGH + gone, "7-12.fire", compartment="nose")
    moment.fly("8-2: 3,3 = calm")  # Nose: all bail out now (7.5)
    assert (moment["bomber.fate"], moment.asked) == ("abandoned", "8-4")


@pytest.mark.section("b29 7.5")
@pytest.mark.parametrize(
    ("gone", "compartment", "used"),
    [(["nav-radio"], "nose", "waist"), (["nav-radio", "waist"], "nav-radio", "utility"),
     (["waist"], "waist", "utility"), (["waist", "utility"], "waist", "nav-radio"), (["utility"], "tail", "waist")],
)  # fmt: skip
def test_the_closest_bottle_that_is_left_is_taken(b29: Pack, gone: list[str], compartment: str, used: str) -> None:
    sheet = " ".join(f"extinguisher.{each}=used" for each in gone)
    moment = set_up(b29, HIGH + f"{sheet} pressurized=no", "7-12.fire", compartment=compartment)
    moment.fly("")
    if moment.asked == "fire-man":
        moment.fly(f"fire-man: {moment.options[0]}")
    moment.fly("7-12: 6,5 = out")
    assert moment[f"extinguisher.{used}"] == "used"


@pytest.mark.section("b29 7.5", "b29 2.3 E")
def test_a_second_try_in_the_waist_may_open_up_first(b29: Pack) -> None:
    moment = set_up(b29, HIGH, "7-12.fire", compartment="waist")
    moment.fly(
        "open-for-fire: no\nfire-man: cfc\n7-12: 3,3 = burns\nopen-for-fire: yes\nfire-man: cfc\n7-12: 3,3 = burns"
    )
    assert (moment["extinguisher.waist"], moment["extinguisher.utility"]) == ("used", "used")
    assert sum(add for _, add in moment.modifiers("7-12")) == 2
    assert moment["fire-zone"] == "yes"  # one zone more


@pytest.mark.section("b29 7.5", "b29 8.5")
def test_a_burning_bomber_fights_outside_the_formation(b29: Pack) -> None:
    moment = set_up(b29, OVER.replace("zone=12 alt", "zone=11 alt") + "leg=inbound fire-zone=yes")
    moment.mission.write({"zone": 10})
    assert (moment["fire-zone"], moment["formation"]) == ("now", "out")
    sheet = OVER.replace("zone=12 alt", "zone=11 alt").replace("pressurized=no", "pressurized=yes")
    doomed = set_up(b29, sheet + "leg=inbound fire-zone=yes step=take-off zone.turns=1")
    doomed.fly("altitude: stay\nlog.gazetteer.10: 0\nlog.below.10: sea\n4-2: 3,4")  # and nobody asks about rejoining
    assert (doomed["zone"], doomed["formation"]) == (10, "out")


def test_a_fire_in_a_holed_room_burns_in_thin_air(b29: Pack) -> None:
    """4.2 B, C: such a room is open already, so nothing is to be opened up, and the figure of 7-12 counts."""
    moment = set_up(b29, HIGH + "pressure.waist=compromised", "7-12.fire", compartment="waist")
    moment.fly("fire-man: cfc\n7-12: 3,4 = out")
    assert moment.modifiers("7-12") == [("depressurized", 2)]
    other = set_up(b29, HIGH + "pressure.tail=compromised", "7-12.fire", compartment="waist")
    other.fly("")
    assert other.asked == "open-for-fire"


@pytest.mark.section("b29 7.5", "b29 7.6 A")
def test_where_nobody_may_go_she_is_not_opened_up(b29: Pack) -> None:
    moment = set_up(b29, HIGH + "crew.tail-gunner=kia", "7-12.fire", compartment="tail")
    moment.fly("")
    assert moment.results[0].text == "Fire in the Tail, and nobody can get there"
    assert "7-12.last" in moment.tables and "open-for-fire" not in moment.tables
    assert moment["extinguisher.utility"] == "ok"


@pytest.mark.section("b29 7.5", "b29 7.6 A")
def test_who_has_come_may_try_again(b29: Pack) -> None:
    two = "crew.tail-gunner=kia lies.tail-gunner=utility crew.cfc=kia lies.cfc=utility pressurized=no"
    moment = set_up(b29, HIGH + two, "7-12.fire", compartment="utility")
    moment.fly("fire-man: right-gunner\n7-12: 3,3 = burns")
    assert moment.options == ["right-gunner", "nobody"]


@pytest.mark.section("b29 7.5")
@pytest.mark.parametrize(
    ("away", "offered"),
    [
        ("duty.radar-operator=fire visits.radar-operator=utility", False),
        ("duty.radar-operator=repair visits.radar-operator=utility", False),
        ("duty.radar-operator=fire", True),  # at the last fire in the Waist itself
        ("duty.radar-operator=moved", True),
    ],
)
def test_who_fights_one_fire_is_not_free_for_another(b29: Pack, away: str, offered: bool) -> None:
    moment = set_up(b29, HIGH + away, "7-12.fire", compartment="waist")
    moment.fly("")
    assert moment.asked in ("open-for-fire", "fire-man")
    if moment.asked == "open-for-fire":
        moment.fly("open-for-fire: no")
    assert ("radar-operator" in moment.options) == offered
