"""The parts of the engine by themselves: dice, numbers, conditions, tables, journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine import dice as throws
from companion.engine.needs import Hand
from companion.engine.play import Play
from companion.engine.sheet import Facts
from companion.packs import Pack
from companion.play.journal import difference
from companion.problems import Problem, Trouble
from companion.words import printed, slug
from tests import support

SHEET = """
[sections]
all = "All"
[index]
position = ["engineer", "tail-gunner"]
[index.gun]
top = {by = "engineer"}
tail = {by = "tail-gunner"}
[index.fighter]
count = 3
present = "type"
[fields.all]
height = {values = "low high", default = "low"}
boxes = {boxes = 4}
city = {}
"gun[gun]" = {values = "ok jammed", default = "ok"}
"crew[position]" = {values = "ok hurt", default = "ok"}
"fighter[fighter].type" = {values = "zeke oscar"}
"fighter[fighter].hits" = {kind = "count"}
"slots.fighter" = {kind = "count"}
[facts]
jammed = {is = "count gun (gun[gun] = jammed)"}
"""


@pytest.fixture
def made(tmp_path: Path) -> Pack:
    return support.pack(tmp_path, sheet=SHEET)


def holds(made: Pack, sentence: str, **facts: Any) -> bool:
    return support.holds(made, sentence, **facts)


@pytest.mark.parametrize(("text", "dice"), [("3 4", [3, 4]), ("3,4", [3, 4]), ("34", [3, 4]), (" 5 ", [5]), ("", [])])
def test_dice_are_typed_as_they_lie(text: str, dice: list[int]) -> None:
    assert throws.typed(text) == dice


@pytest.mark.parametrize("text", ["7", "0", "3,40", "3-4", "six", "3.4", "³"])
def test_what_is_not_dice_is_said(text: str) -> None:
    with pytest.raises(Problem):
        throws.typed(text)


def test_d66_reads_tens_and_units() -> None:
    d66 = throws.parse("d66")
    assert d66.total([3, 2]) == 32
    assert (len(d66.readings()), min(d66.readings()), max(d66.readings())) == (36, (11, 1), (66, 1))
    assert dict(throws.parse("2D").readings())[7] == 6
    assert sum(ways for _, ways in throws.parse("3D").readings()) == 216
    with pytest.raises(Problem):
        throws.parse("2W")


def test_conditions(made: Pack) -> None:
    assert holds(made, "yes")
    assert holds(made, "height = low and boxes = 0")
    assert holds(made, "height in (high, low)")
    assert not holds(made, "height != low")
    assert holds(made, "boxes >= 2 and boxes <= 3", boxes=3)
    assert not holds(made, "boxes >= 2 and boxes <= 3", boxes=4)
    assert holds(made, "height = high or boxes = 1", boxes=1)
    assert holds(made, "not (height = high and boxes = 0)")
    assert holds(made, "city = 'tokyo'", city="Tokyo")
    assert holds(made, "city in ('iwo-jima', 'truk')", city="Iwo Jima")
    assert holds(made, "jammed = 1 and some gun (gun[gun] = jammed)", gun__top="jammed")
    assert holds(made, "no gun (crew[gun.by] = hurt)")
    assert not holds(made, "no gun (crew[gun.by] = hurt)", crew__engineer="hurt")
    assert holds(made, "count gun (gun in (top)) = 1")
    assert holds(made, "some fighter (fighter.hits >= 2)", fighter__2__hits=2)
    assert holds(made, "crew[gun.by] = hurt", gun="tail", **{"crew__tail-gunner": "hurt"})
    with pytest.raises(Trouble):
        holds(made, "boxes least 2")


def test_one_fighter_is_meant_when_only_one_is_there(made: Pack) -> None:
    facts = Facts(made.sheet, {"fighter.2.type": "zeke", "fighter.2.hits": 1})
    assert (facts["fighter"], facts["fighter.hits"], facts["fighter.type"]) == ("2", 1, "zeke")
    both = Facts(made.sheet, {"fighter.2.type": "zeke", "fighter.3.type": "oscar"})
    assert (both["fighter"], both["fighter.hits"]) == ("none", 0)


def test_assumed_names_what_nobody_gave(made: Pack) -> None:
    facts = Facts(made.sheet, {"gun.top": "jammed"})
    assert (facts["height"], facts["jammed"], facts["city"]) == ("low", 1, "")
    assert facts.assumed == {"height": "low"}
    untouched = Facts(made.sheet)
    assert untouched["jammed"] == 0
    assert untouched.assumed == {"jammed": 0}


def test_a_change_forgets_what_was_worked_out(made: Pack) -> None:
    facts = Facts(made.sheet)
    assert facts["jammed"] == 0
    facts.change("gun.tail", "jammed")
    assert facts["jammed"] == 1


def test_numbers_are_worked_out_from_dice_and_facts(tmp_path: Path) -> None:
    made = support.pack(
        tmp_path,
        sheet=SHEET,
        floor='is = "max(0, 2D - 6) * 3"\n',
        product='is = "3D * 1D"\n',
        halves='rows = {"1.." = 5}\n[[adjust]]\nis = "half-up(result)"\nwhy = "half"\n'
        '[[adjust]]\nwhen = "boxes = 2"\nis = "half-down(result * 3)"\n',
    )
    play = Play(made, {"boxes": 2})
    assert [play.roll("floor", Hand([dice])).outcome for dice in ([6, 5], [1, 1])] == ["15", "0"]
    assert play.roll("product", Hand([[1, 2, 3, 4]])).outcome == "24"
    halved = play.roll("halves", Hand([[1]]))
    assert (halved.outcome, [(each.before, each.after) for each in halved.steps]) == ("4", [(5, 3), (3, 4)])


def test_rows_ranges_and_the_worst_of_a_group(tmp_path: Path) -> None:
    made = support.pack(
        tmp_path,
        sheet=SHEET,
        good="""
dice = "2D"
rows = {"..3" = "low", "4..6" = "middle", "7" = "seven", "8.." = "high"}
modifier = [
  {id = "a", add = -2, group = "gear", why = "a"},
  {id = "b", add = -4, group = "gear", why = "b"},
  {id = "c", add = "boxes", why = "c"},
]
""",
        twice='rows = {"1..3" = "a", "3" = "b"}\n',
        words='rows = {"few" = "a"}\n',
    )
    table = made.table("good")
    look = table.look(Facts(made.sheet, {"boxes": 2}), 9)
    assert ([each.add for each in look.applied], look.net, look.result) == ([-4, 2], 7, "seven")
    assert [table.columns[0].rows.find(net) for net in (-5, 3, 4, 6, 7, 8, 40)] == [
        "low", "low", "middle", "middle", "seven", "high", "high",
    ]  # fmt: skip
    for name in ("twice", "words"):
        with pytest.raises(Trouble):
            made.table(name)


def test_what_a_book_says_becomes_an_outcome() -> None:
    assert (printed("+2"), printed("-1"), printed("12")) == (2, -1, 12)
    assert (printed("Safe landing!"), slug("  On   Target ")) == ("safe-landing", "on-target")
    assert (slug("-2 WJ"), slug("10:30 low"), slug("***")) == ("-2-wj", "10:30-low", "none")


def test_dice_of_formulas_may_be_grouped_as_the_player_likes() -> None:
    hand = Hand([[1, 2, 3], [4]])
    assert hand.some(4) == [1, 2, 3, 4]
    assert Hand([[1], [2], [3, 4]]).some(3) == [1, 2, 3]
    assert Hand([[1]]).some(2) is None


ITEMS = st.lists(st.sampled_from([{"roll": "5-1"}, {"roll": "5-2"}, {"order": "x"}, {"choose": "y"}]), max_size=6)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(ITEMS, ITEMS)
def test_the_pending_list_is_kept_as_one_splice(before: list[Any], after: list[Any]) -> None:
    splice = difference(before, after)
    if splice is None:
        assert before == after
        return
    place, taken, put = splice
    assert before[place : place + len(taken)] == taken
    assert before[:place] + put + before[place + len(taken) :] == after


MOVES = st.lists(
    st.sampled_from(["5-1", "5-2", "5-3", "4-2", "6-2", "7-1", "7-2", "7-3", "7-5", "pending", "undo", "redo", "zone"]),
    max_size=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(MOVES, st.integers(0, 2**32))
def test_any_number_of_moves_can_be_taken_back_and_put_forward(b29: Pack, moves: list[str], seed: int) -> None:
    import random

    from companion.play.mission import Mission

    rng, mission = random.Random(seed), Mission(b29, number=1)
    for move in moves:
        try:
            if move == "undo":
                mission.undo(1)
            elif move == "redo":
                mission.redo(1)
            elif move == "zone":
                mission.write({"zone": rng.randint(1, 14)})
            else:
                table = None if move == "pending" else move
                mission.roll(table, Hand([], rng), {"area": "port-wing"} if move == "7-5" else {})
        except Problem:
            continue
    state, pending, stand = dict(mission.state), list(mission.pending), mission.journal.stand
    if stand:
        mission.undo(stand)
        assert (mission.state, mission.pending) == ({}, [])
        mission.redo(stand)
    assert (mission.state, mission.pending) == (state, pending)


def test_play_leaves_the_given_state_alone(b29: Pack) -> None:
    state: dict[str, Any] = {"zone": 3}
    play = Play(b29, state)
    play.write({"zone": 4}, "set")
    assert (state, play.state["zone"]) == ({"zone": 3}, 4)
