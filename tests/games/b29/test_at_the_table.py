"""Shown and hidden information: singular and plural, dice that decide nothing, and nothing after the end."""

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from tests.games.b29.table import OVER
from tests.support import Prompts, check, moments, set_up

# -- dice that decide nothing ------------------------------------------------------------------------------------------


@pytest.mark.section("b29 4.3 A guns", "b29 4.3 A gunners")
@pytest.mark.parametrize(
    ("armed", "gunners", "asked"),
    [(6, 4, ["4.3A.guns", "4.3A.gunners"]), (1, 4, ["4.3A.gunners"]), (0, 1, ["4.3A.gunners"]), (2, 0, ["4.3A.guns"]),
     (0, 0, [])],
)  # fmt: skip
def test_no_die_is_rolled_for_missing_guns_or_gunners(b29: Pack, armed: int, gunners: int, asked: list[str]) -> None:
    """4.3 A: a box if the die is less than the armed guns, or no more than the gunners: never with one or none."""
    guns = ["fwd-upper", "fwd-lower", "aft-upper", "aft-lower", "tail", "cannon"]
    men = ["cfc", "left-gunner", "right-gunner", "tail-gunner"]
    unarmed = [f"gun.{gun}=unarmed" for gun in guns[armed:]]
    absent = [f"crew.{man}=absent" for man in men[gunners:]]
    moment = set_up(b29, " ".join(["mission.number=3 zone=1 turn=1", *unarmed, *absent]), "4.3A")
    assert (moment["guns.armed"], moment["gunners.aboard"]) == (armed, gunners)
    moment.mission.roll(None, Hand())
    assert [item.name for item in moment.mission.pending] == asked


OUT = OVER + "{}.port=out roll=7-5 area={}-wing"


@pytest.mark.section("b29 7-1 a", "b29 7.1")
@moments(
    ("a hit on the sight may find the bombardier", OVER + "roll=7-1 area=nose", "7-1: 4,6", "waits=7-1.a"),
    ("also a wounded one", OVER + "crew.bombardier=serious roll=7-1 area=nose", "7-1: 4,6", "waits=7-1.a"),
    ("not a dead one", OVER + "crew.bombardier=kia roll=7-1 area=nose", "7-1: 4,6", "waits!=7-1.a"),
    ("a flap that is out takes no die", OUT.format("flap", "port"), "7-5: 1,4", "rolled!=7-5.flap asked!=7-5.flap"),
    ("the other wing has its own", OUT.format("flap", "starboard"), "7-5: 1,4; 7-5.flap: 2", "flap.starboard=out"),
    ("an aileron neither", OUT.format("aileron", "port"), "7-5: 2,4", "rolled!=7-5.aileron asked!=7-5.aileron"),
    ("and has another", OUT.format("aileron", "starboard"), "7-5: 2,4; 7-5.aileron: 2", "aileron.starboard=out"),
)  # fmt: skip
def test_dice_that_decide_nothing(b29: Pack, sheet: str, flown: str, then: str) -> None:
    check(b29, sheet, flown, then)


# -- nothing after the end ---------------------------------------------------------------------------------------------


@pytest.mark.section("b29 6-6", "b29 5.7 B")
def test_of_the_run_and_the_evasion_nothing_is_said_once_all_are_dead(b29: Pack) -> None:
    sheet = OVER.replace("formation=in", "formation=out") + "evasive=yes flak.run=yes "
    alive, dead = set_up(b29, sheet), set_up(b29, sheet)
    lost = [text for text, _ in alive.mission.write({"crew.bombardier": "kia"}).notes]
    assert lost == ["The bombardier is out of action from this flak: the bomb run is off target"]
    killed = dead.mission.roll("6.2F.lost", Hand())[0]
    assert [text for text, _ in killed.notes] == ["Nobody is left alive aboard"]
    assert (dead["evasive"], dead["bomber.fate"]) == ("no", "destroyed")


@pytest.mark.section("b29 4.7 A")
@pytest.mark.parametrize(
    ("table", "script", "order"),
    [
        ("7-9", "7-9: 5,4 = flaps", "The portable motor may move the flaps"),
        ("4-9", "4-9: 5,5 = abort", "Abort as 4-9 says"),
    ],
)
def test_no_order_outlives_the_bomber(b29: Pack, table: str, script: str, order: str) -> None:
    moment = set_up(b29, OVER, table).fly(script)
    orders = [str(item.name) for item in moment.mission.pending if item.kind == "order"]
    assert any(each.startswith(order) for each in orders)
    moment.mission.write({"bomber.fate": "destroyed"})
    assert not [item for item in moment.mission.pending if item.name.startswith(order)]


# -- which die is for what ---------------------------------------------------------------------------------------------


@pytest.mark.section("b29 5.3 A")
def test_the_question_says_of_the_cannon_too_what_it_needs(b29: Pack) -> None:
    """5-7: the cannon has -2; one line of dice, tail guns first."""
    nick = (
        "slots.fighter=1 fighter.1.type=nick fighter.1.clock=6 fighter.1.angle=level fighter.1.pilot=average round=1 "
    )
    sheet = OVER.replace("formation=in", "formation=out") + nick + "setting.ammunition=uncounted step=pilots "
    mission = set_up(b29, sheet + "mission.number=5").mission
    mission.write({"aim.tail": "1", "aim.tail.by": "tail-gunner", "aim.cannon": "1", "aim.cannon.by": "tail-gunner"})
    shown = " ".join(Prompts(mission).type().split())
    assert "tail 1 on 7+ (+1 Nick or Irving, +2 from 6);" in shown
    assert "cannon 1 on 9+ (-2 tail cannon, +1 Nick or Irving, +2 from 6)" in shown


@pytest.mark.section("b29 8.6")
def test_the_row_of_captivity_says_where_it_holds(b29: Pack) -> None:
    sea = "mission.number=12 zone=5 turn=18 leg=inbound altitude=lo bomber.fate=ditched"
    moment = set_up(b29, sea, "8-6", position="pilot")
    player = Prompts(moment.mission)
    assert "captured: a prisoner in Zones 10 to 14, rescued in those before" in player.type("33")
    player.type("2")
    assert moment["fate.pilot"] == "duty"


# -- altitude ----------------------------------------------------------------------------------------------------------


def test_a_declined_choice_can_be_requested_again(b29: Pack) -> None:
    """4.1 B: nothing is asked at the right altitude; a player who wants another types so, and is asked at the start of
    the next turn.
    """
    facts = "mission.number=14 zone=8 turn=20 altitude=hi leg=inbound formation=out bombs=dropped pressurized=yes"
    moment = set_up(b29, f"{facts} mission.time=day")
    moment.mission.write({"step": "disperse"})
    prompts = Prompts(moment.mission)
    assert "Change altitude?" not in prompts.type()
    said = prompts.type("= ask again")
    assert "You will be asked again about choices you declined" in said and "No ask again" not in said
    moment.mission.write({"step": "disperse"})
    moment.mission.pending = []
    assert "1  stay at HI (ask again only if something changes)" in prompts.type()
    prompts.type("1")
    assert moment["altitude.asked"] == "no"
