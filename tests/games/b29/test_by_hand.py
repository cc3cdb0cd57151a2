"""The B-29 by hand: fighters that are not on the sheet, and guns that cannot bear."""

import re

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion
from companion.packs import Pack
from companion.play.conversation import Player, resolve
from companion.play.mission import Answers, Mission
from companion.problems import UserError
from tests.support import AnsweringPlayer, Run, asked, asks, begin, set_up

CLEAN = "mission.number=12 mission.time=day formation=in altitude=med"


def by_hand(pack: Pack, table: str | None, by: AnsweringPlayer, mission: Mission | None = None) -> Mission:
    mission = set_up(pack, CLEAN).mission if mission is None else mission
    resolve(mission, table, by, asking=True, single=True)
    return mission


@pytest.mark.section("b29 5-9")
def test_5_9_by_hand_in_a_campaign_asks_for_all_that_counts(b29: Pack) -> None:
    """5-9: the column depends on the clock; a Tojo -1, a green pilot -1, an ace +1, each FCA -1."""
    by = AnsweringPlayer(fighter__clock="6", fighter__type="tojo", fighter__pilot="green", fighter__fca=2)
    mission = by_hand(b29, "5-9", by)
    assert by.asked == ["fighter.clock", "fighter.type", "fighter.pilot", "fighter.fca"]
    assert (by.usual["fighter.pilot"], by.usual["fighter.fca"]) == ("average", 0)
    assert mission.journal.entries[-1]["m"] == [["fca", -2], ["green", -1], ["tojo", -1]]


def test_facts_about_the_fighter_apply_to_all_follow_ups(b29: Pack) -> None:
    """5-10, 5-11 and 5-12 are for the same fighter: the clock is not asked again, the angle once."""
    mission = set_up(b29, CLEAN).mission
    said = {"fighter.clock": "6", "fighter.type": "zeke", "fighter.pilot": "average", "fighter.fca": 0}
    mission.roll("5-9", Hand([[6, 6]]), said)
    mission.roll(None, Hand([[3, 3]]))  # 5-10 from 6: a 6 is two shells
    assert [item.name for item in mission.pending] == ["5-11", "5-11"]
    first, second = AnsweringPlayer(fighter__angle="high"), AnsweringPlayer()
    by_hand(b29, None, first, mission)
    assert first.asked == ["fighter.angle"]
    by_hand(b29, None, second, mission)
    assert second.asked == []


def test_of_several_fighters_it_asks_first_which(b29: Pack) -> None:
    mission = set_up(b29, CLEAN).mission
    mission.write({"fighter.1.type": "tojo", "fighter.1.clock": "6", "fighter.2.type": "zeke", "fighter.2.clock": "12"})
    by = AnsweringPlayer(fighter="1")
    by_hand(b29, "5-9", by, mission)
    assert by.asked == ["fighter"]
    assert by.values["fighter"] == ("1", "2")
    assert mission.journal.entries[-1]["m"] == [["tojo", -1]]


def test_on_a_pipe_it_is_listed_in_a_campaign_as_without(companion: Run) -> None:
    given = ("--dice", "4,4", "--with", "fighter.clock=6", "--with", "mission.time=day", "--json")
    bare = companion("roll", "5-9", "--game", "b29", *given).json["assumed"]
    assert bare == {
        "fighter.type": "none", "fighter.pilot": "average", "fighter.fca": 0, "evasive": "no", "engines.out": 0,
    }  # fmt: skip
    begin(companion, "b29")
    assert companion("roll", "5-9", *given).json["assumed"] == bare
    assert "Assumed: no damage (FCA), Pilot average, Fighter: not set\n" in companion("roll", "5-9", *given[:4]).out


def test_only_facts_that_could_change_the_result_are_listed_as_assumed(companion: Run) -> None:
    """5-9: with a 9 an ace hits despite evasion or a lone engine, unless he is damaged; on a sheet this is known."""
    typed = ("roll", "5-9", "--dice", "4,4", "--fighter", "zeke 6 level ace")
    assert "Assumed: no damage (FCA)\n" in companion(*typed, "--game", "b29").out
    assert "no evasive action" in companion(*typed[:3], "4,2", *typed[4:], "--game", "b29").out
    assert "Assumed" not in begin(companion, "b29")(*typed).out


SIX_LOW = {"fighter.clock": "6", "fighter.angle": "low"}


@pytest.mark.section("b29 5-6", "b29 2.3 D")
@pytest.mark.parametrize("table", ["5-6", "5-7"])
def test_a_gun_that_does_not_bear_is_refused_with_those_that_do(b29: Pack, table: str) -> None:
    mission = set_up(b29, CLEAN).mission
    before = (dict(mission.state), list(mission.journal.entries))
    with pytest.raises(
        UserError, match="Forward upper: a fighter from 6 low is in its blind spot. Choose Forward lower, Aft lower or"
    ) as caught:
        mission.roll(table, Hand([[4, 4]]), {**SIX_LOW, "gun": "fwd-upper"})
    assert (caught.value.code, (mission.state, mission.journal.entries)) == (2, before)
    assert "cannon" not in str(caught.value)


OTHERS = "setting.ammunition=counted setting.boxes.tail=2 ammo.tail=2"


@pytest.mark.section("b29 5-7 a")
@pytest.mark.parametrize(
    ("sheet", "table", "why"),
    [
        ("gun.tail=jammed", "5-7", "it is jammed"), ("gun.tail=unarmed", "5-7", "it is unarmed"),
        (OTHERS, "5-7", "its ammunition is spent"),
        ("crew.tail-gunner=serious crew.cfc=kia", "5-7", "each man for it is hit, at home or on other duty"),
        *[(f"turn=12 zone=12 gun.tail={state}", "5-7.a", "it is not jammed") for state in ("ok", "broken", "unarmed")],
    ],
)  # fmt: skip
def test_and_why_it_cannot_fire_or_be_cleared(b29: Pack, sheet: str, table: str, why: str) -> None:
    mission, facts = set_up(b29, f"{CLEAN} {sheet}").mission, SIX_LOW if table == "5-7" else {}
    with pytest.raises(UserError, match=re.escape(f"Tail guns: {why}")):
        mission.roll(table, Hand([[6]] if table == "5-7.a" else [[4, 4]]), {"gun": "tail", **facts})


@pytest.mark.section("b29 5-10 a", "b29 5-10 b", "b29 5-12", "b29 6.2 F", "b29 7.5")
@pytest.mark.parametrize(
    ("table", "given", "wanted"),
    [
        ("5-10", {"fighter.clock": "6"}, "fighter.type"),  # a George has half as many shells again, an Oscar half
        ("5-12", {"fighter.type": "zeke"}, "area"), ("6.2F", {"area": "none"}, "area"), ("7-12", {}, "compartment"),
        ("7-12.fire", {}, "compartment"), ("7-11", {}, "room"), ("8-7", {}, "position"), ("7-13.fate", {}, "position"),
        ("7-14.fate", {}, "position"),
    ],
)  # fmt: skip
def test_the_fact_that_decides_is_asked_for_before_the_dice(
    b29: Pack, table: str, given: dict[str, str], wanted: str
) -> None:
    mission = set_up(b29, CLEAN).mission
    with asks(FactQuestion) as asked:
        resolve(mission, table, Player(), Answers(given=dict(given)), asking=True)
    assert (asked.value.name, mission.state.get("bip", "no")) == (wanted, "no")


@pytest.mark.section("b29 5.3 D")
def test_the_tail_guns_fire_ahead_only_in_passing(b29: Pack) -> None:
    ahead = {"fighter.clock": "12", "fighter.angle": "high", "gun": "tail"}
    with pytest.raises(UserError, match="Tail guns: it fires at a fighter from 12 high only as it passes. Choose "):
        set_up(b29, CLEAN).mission.roll("5-7", Hand([[4, 4]]), ahead)
    result = set_up(b29, CLEAN).mission.roll("5-7", Hand([[4, 4]]), {**ahead, "passing-shot": "yes"})[0]
    assert [each.modifier.id for each in result.applied] == ["passing"]


def test_pending_rolls_are_never_refused(b29: Pack) -> None:
    """A gun that jams between aiming and firing: its pending roll can still be rolled."""
    moment = set_up(
        b29, f"{CLEAN} gun.tail=jammed fighter.1.type=zeke fighter.1.clock=6 fighter.1.angle=level", "5-7", gun="tail",
        fighter="1",
    )  # fmt: skip
    moment.fly("5-7 tail: 3,4")
    assert moment.results[0].outcome == "miss"


def test_a_wing_is_asked_for_and_nothing_else_taken(b29: Pack) -> None:
    """7-5 is for a wing: the program asks which one, and refuses the nose."""
    by = AnsweringPlayer(area="port-wing")
    by_hand(b29, "7-5.engines", by)
    assert by.values["area"] == ("port-wing", "starboard-wing")
    with pytest.raises(UserError, match="7-5: Nose is not a wing. Choose Port wing or Starboard wing"):
        set_up(b29, CLEAN).mission.roll("7-5", Hand([[3, 3]]), {"area": "nose"})
    with pytest.raises(UserError, match='A roll needs "Area".*Add e.g. --with area='):
        set_up(b29, CLEAN).mission.roll("7-5.landing-gear", Hand([[3]]))


@pytest.mark.section("b29 4.2 D")
@pytest.mark.parametrize(("altitude", "deadly"), [("lo", False), ("hi", True)])
def test_at_lo_nobody_needs_the_oxygen_that_fails(b29: Pack, altitude: str, deadly: bool) -> None:
    moment = set_up(b29, f"mission.number=12 zone=8 turn=8 altitude={altitude}", "4.2D")
    moment.mission.roll(None, Hand([[6, 6]]) if deadly else Hand())
    assert bool(moment.mission.pending) == deadly


@pytest.mark.section("b29 5-7")
def test_a_jam_by_hand_asks_which_gun_has_jammed(b29: Pack) -> None:
    mission = set_up(b29, "mission.number=12 zone=8 turn=5").mission
    assert mission.roll("5-7", Hand([[3, 3]]))[0].outcome == "miss"
    with asks(FactQuestion, 'needs "Gun"'):
        mission.roll("5-7", Hand([[1, 1]]))
    mission.roll("5-7", Hand([[1, 1]]), {"gun": "aft-upper"})
    assert mission.state["gun.aft-upper"] == "jammed"


@pytest.mark.section("b29 8.1")
def test_controls_set_right_by_hand_may_land_again(b29: Pack) -> None:
    moment = set_up(b29, "mission.number=12 zone=8 turn=5")
    moment.mission.write({"controls.pilot": "out", "controls.copilot": "out"})
    assert asked(moment.mission) == ["No controls left: bail out, never land"]
    moment.mission.write({"controls.copilot": "ok"})
    assert (moment["controls.pilots"], asked(moment.mission)) == ("ok", [])
