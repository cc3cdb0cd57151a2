"""Fire aboard, with the bomber pressurized, and the men who fight it (4.2 B, 7-12)."""

import pytest

from companion.packs import Pack
from tests.games.b29.table import HIGH, OVER
from tests.support import check, moments, set_up


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
    moment = set_up(b29, HIGH, "7-12.fire", compartment="nav-radio").fly("open-for-fire: no\nfire-man: radio-operator")
    assert (moment["pressurized"], len(moment.mission.pending)) == ("yes", 1)  # nobody goes on oxygen
    moment.fly("7-12: 3,4 = out")
    assert moment.modifiers("7-12") == []


HURT = (
    "crew.engineer=serious crew.pilot=kia crew.cfc=kia crew.left-gunner=kia crew.right-gunner=kia "
    "crew.radar-operator=serious "
)
BURNS = HIGH + "pressurized=no {} roll=7-12.fire compartment={}"
WAIST_BURNS = HIGH + "pressurized=no {} roll=7-12.fire compartment=waist"
USED = "extinguisher.{}=used"
TWO_IN_UTILITY = "crew.tail-gunner=kia lies.tail-gunner=utility crew.cfc=kia lies.cfc=utility"


@pytest.mark.section("b29 4.2 B", "b29 7.5", "b29 7.6 A")
@moments(
    ("nobody can open up: the fire is fought closed", HIGH + HURT + "roll=7-12.fire compartment=nav-radio",
     "fire-man: navigator", "pressurized=yes"),
    ("without a bottle the try has failed, and all leave a burning Nose",
     BURNS.format("extinguisher.nav-radio=destroyed extinguisher.waist=used extinguisher.utility=used", "nose"),
     "8-2: 3,3 = calm", "bomber.fate=abandoned asked=8-4"),
    ("the closest bottle to the Nose is that of the Waist", BURNS.format(USED.format("nav-radio"), "nose"),
     "fire-man: bombardier; 7-12: 6,5 = out", "extinguisher.waist=used"),
    ("then that of Utility", BURNS.format(USED.format("nav-radio") + " " + USED.format("waist"), "nav-radio"),
     "fire-man: navigator; 7-12: 6,5 = out", "extinguisher.utility=used"),
    ("to the Waist that of Utility", WAIST_BURNS.format(USED.format("waist")), "fire-man: cfc; 7-12: 6,5 = out",
     "extinguisher.utility=used"),
    ("then that of Nav/Radio", WAIST_BURNS.format(USED.format("waist") + " " + USED.format("utility")),
     "fire-man: cfc; 7-12: 6,5 = out", "extinguisher.nav-radio=used"),
    ("to the Tail that of the Waist", BURNS.format(USED.format("utility"), "tail"), "7-12: 6,5 = out",
     "extinguisher.waist=used"),
    ("where nobody may go she is not opened up", HIGH + "crew.tail-gunner=kia roll=7-12.fire compartment=tail", "",
     "rolled=7-12.last rolled!=open-for-fire extinguisher.utility=ok"),
    ("who has come may try again", BURNS.format(TWO_IN_UTILITY, "utility"), "fire-man: right-gunner; 7-12: 3,3 = burns",
     "options=right-gunner,nobody"),
    ("who fights one fire is not free for another",
     WAIST_BURNS.format("duty.radar-operator=fire visits.radar-operator=utility"), "",
     "asked=fire-man option!=radar-operator"),
    ("nor who clears a gun in Utility", WAIST_BURNS.format("duty.radar-operator=repair visits.radar-operator=utility"),
     "", "asked=fire-man option!=radar-operator"),
    ("at the last fire in the room itself they are", WAIST_BURNS.format("duty.radar-operator=fire"), "",
     "asked=fire-man option=radar-operator"),
    ("or in a new seat", WAIST_BURNS.format("duty.radar-operator=moved"), "", "asked=fire-man option=radar-operator"),
)  # fmt: skip
def test_fires_and_bottles(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


@pytest.mark.section("b29 7.5", "b29 7.6 A", "b29 7.6 E")
@pytest.mark.parametrize(
    ("hurt", "compartment", "who"),
    [
        ("", "nose", ["bombardier", "copilot"]),
        ("crew.pilot=serious", "nose", ["bombardier"]),  # 7.6 E: the copilot stays where he is
        ("crew.pilot=serious crew.bombardier=kia", "nose", []),  # three are in the Nose: it holds no fourth (7.6 A)
        ("crew.pilot=serious crew.bombardier=kia lies.bombardier=nav-radio", "nose",
         ["radio-operator", "navigator", "engineer"]),
        ("", "nav-radio", ["radio-operator", "navigator", "engineer"]), ("", "tail", ["tail-gunner"]),
        ("crew.tail-gunner=kia", "tail", []),  # closed up, nobody gets through Utility
        ("", "utility", []),
        ("crew.tail-gunner=kia pressurized=no", "tail", []),  # the dead count, and the Tail holds one
        ("crew.tail-gunner=absent pressurized=no", "tail", ["radar-operator", "cfc", "left-gunner", "right-gunner"]),
        ("crew.tail-gunner=kia lies.tail-gunner=utility pressurized=no", "tail",
         ["radar-operator", "cfc", "left-gunner", "right-gunner"]),
        (
            "pressurized=no crew.tail-gunner=kia lies.tail-gunner=utility crew.cfc=kia lies.cfc=utility "
            "crew.left-gunner=kia lies.left-gunner=utility",
            "utility", [],
        ),
        ("pressurized=no", "utility", ["radar-operator", "tail-gunner", "cfc", "left-gunner", "right-gunner"]),
    ],
)  # fmt: skip
def test_men_who_may_fight_the_fire(b29: Pack, hurt: str, compartment: str, who: list[str]) -> None:
    moment = set_up(b29, HIGH + hurt, "7-12.fire", compartment=compartment).fly("")
    if moment.asked == "open-for-fire":
        reached = ": nobody can reach the fire, and it burns on" not in moment.words["no"]
        assert reached == bool(who)
        moment.fly("open-for-fire: no")
    if len(who) == 1:  # then nothing is to be chosen
        assert (moment[f"duty.{who[0]}"], moment.asked) == ("fire", "7-12")
    elif who:
        assert moment.options == who
    else:  # nobody there: the try has failed
        assert "7-12.failed" in moment.tables
        assert moment.mission.state[f"fire.{compartment}"] == 1


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
    """4.2 B, C: such a compartment is open already, so there is nothing to depressurize, and 7-12's modifier
    applies.
    """
    moment = set_up(b29, HIGH + "pressure.waist=compromised", "7-12.fire", compartment="waist")
    moment.fly("fire-man: cfc\n7-12: 3,4 = out")
    assert moment.modifiers("7-12") == [("depressurized", 2)]
    other = set_up(b29, HIGH + "pressure.tail=compromised", "7-12.fire", compartment="waist").fly("")
    assert other.asked == "open-for-fire"
