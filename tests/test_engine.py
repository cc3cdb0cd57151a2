"""The parts of the engine by themselves: dice, steps, conditions, tables, journal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine import dice as throws
from companion.engine.conditions import compile_condition
from companion.engine.needs import Hand, printed, slug
from companion.engine.play import Play
from companion.engine.steps import Steps
from companion.engine.tables import Table
from companion.journal import difference
from companion.packs import Pack
from companion.problems import Problem, Trouble
from companion.sheet import Facts, Sheet

SHEET: dict[str, Any] = {
    "index": {
        "gun": {"top": {"by": "engineer"}, "tail": {"by": "tail-gunner"}},
        "fighter": {"count": 3, "present": "type"},
    },
    "field": {
        "height": {"kind": "choice", "values": ["low", "high"], "default": "low"},
        "boxes": {"kind": "boxes", "limit": 4},
        "city": {"kind": "text"},
        "gun.{gun}": {"kind": "choice", "values": ["ok", "jammed"], "default": "ok"},
        "crew.{position}": {"kind": "choice", "values": ["ok", "hurt"], "default": "ok"},
        "fighter.{fighter}.type": {"kind": "choice", "values": ["zeke", "oscar"]},
        "fighter.{fighter}.hits": {"kind": "count"},
        "slots.fighter": {"kind": "count"},
    },
    "derive": {"jammed": {"count": {"each": "gun", "where": {"gun.{gun}": "jammed"}}}},
}
SHEET["index"]["position"] = ["engineer", "tail-gunner"]


@pytest.fixture
def sheet() -> Sheet:
    return Sheet.read("test", SHEET)


def holds(sheet: Sheet, condition: dict[str, Any], **facts: Any) -> bool:
    test = compile_condition(condition, sheet)
    return test is None or test(Facts(sheet, {name.replace("__", "."): value for name, value in facts.items()}))


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


def test_conditions(sheet: Sheet) -> None:
    assert holds(sheet, {})
    assert holds(sheet, {"height": "low", "boxes": 0})
    assert holds(sheet, {"height": ["high", "low"]})
    assert not holds(sheet, {"height": {"not": "low"}})
    assert holds(sheet, {"boxes": {"min": 2, "max": 3}}, boxes=3)
    assert not holds(sheet, {"boxes": {"min": 2, "max": 3}}, boxes=4)
    assert holds(sheet, {"any": [{"height": "high"}, {"boxes": 1}]}, boxes=1)
    assert holds(sheet, {"not": {"height": "high", "boxes": 0}})
    assert holds(sheet, {"city": "tokyo"}, city="Tokyo")
    assert holds(sheet, {"city": ["iwo-jima", "truk"]}, city="Iwo Jima")
    assert holds(sheet, {"jammed": 1, "some": {"each": "gun", "where": {"gun.{gun}": "jammed"}}}, gun__top="jammed")
    assert holds(sheet, {"none": {"each": "gun", "where": {"crew.{gun.by}": "hurt"}}})
    assert not holds(sheet, {"none": {"each": "gun", "where": {"crew.{gun.by}": "hurt"}}}, crew__engineer="hurt")
    assert holds(sheet, {"count": {"each": "gun", "where": {"gun": ["top"]}, "is": 1}})
    assert holds(sheet, {"some": {"each": "fighter", "where": {"fighter.hits": {"min": 2}}}}, fighter__2__hits=2)
    assert holds(sheet, {"crew.{gun.by}": "hurt"}, gun="tail", **{"crew__tail-gunner": "hurt"})
    with pytest.raises(Trouble):
        compile_condition({"boxes": {"least": 2}}, sheet)


def test_one_fighter_is_meant_when_only_one_is_there(sheet: Sheet) -> None:
    facts = Facts(sheet, {"fighter.2.type": "zeke", "fighter.2.hits": 1})
    assert (facts["fighter"], facts["fighter.hits"], facts["fighter.type"]) == ("2", 1, "zeke")
    both = Facts(sheet, {"fighter.2.type": "zeke", "fighter.3.type": "oscar"})
    assert (both["fighter"], both["fighter.hits"]) == ("none", 0)


def test_assumed_names_what_nobody_gave(sheet: Sheet) -> None:
    facts = Facts(sheet, {"gun.top": "jammed"})
    assert (facts["height"], facts["jammed"], facts["city"]) == ("low", 1, "")
    assert facts.assumed == {"height": "low"}
    untouched = Facts(sheet)
    assert untouched["jammed"] == 0
    assert untouched.assumed == {"jammed": 0}


def test_a_change_forgets_what_was_worked_out(sheet: Sheet) -> None:
    facts = Facts(sheet)
    assert facts["jammed"] == 0
    facts.change("gun.tail", "jammed")
    assert facts["jammed"] == 1


def test_numbers_are_worked_in_written_steps(sheet: Sheet) -> None:
    facts = Facts(sheet, {"boxes": 2})
    steps = Steps(["2D", {"add": -6}, {"min": 0}, {"times": 3}], sheet)
    assert steps.dice() == 2
    assert steps.work(0, facts, lambda count: [6, 5][:count])[0] == 15
    assert steps.work(0, facts, lambda count: [1, 1][:count])[0] == 0
    product = Steps([{"dice": "3x1D"}, {"times": "1D"}], sheet)
    left = [1, 2, 3, 4]
    assert product.dice() == 4
    assert product.work(0, facts, lambda count: [left.pop(0) for _ in range(count)])[0] == 24
    halves = Steps([{"halve": "up", "why": "half"}, {"when": {"boxes": 2}, "half-again": "down"}], sheet)
    number, changes = halves.work(5, facts)
    assert (number, [(each.before, each.after) for each in changes]) == (4, [(5, 3), (3, 4)])
    with pytest.raises(Trouble):
        Steps([{"root": 2}], sheet)


def test_rows_ranges_and_the_worst_of_a_group(sheet: Sheet) -> None:
    doc = {
        "id": "T-1",
        "dice": "2D",
        "rows": {"..3": "low", "4..6": "middle", "7": "seven", "8..": "high"},
        "modifier": [
            {"id": "a", "add": -2, "group": "gear", "why": "a"},
            {"id": "b", "add": -4, "group": "gear", "why": "b"},
            {"id": "c", "add": 1, "per": "boxes", "why": "c"},
        ],
    }
    table = Table.read(doc, sheet)
    look = table.look(Facts(sheet, {"boxes": 2}), 9)
    assert ([each.add for each in look.applied], look.net, look.result) == ([-4, 2], 7, "seven")
    assert [table.columns[0].rows.find(net) for net in (-5, 3, 4, 6, 7, 8, 40)] == [
        "low", "low", "middle", "middle", "seven", "high", "high",
    ]  # fmt: skip
    with pytest.raises(Trouble):
        Table.read({"id": "T-2", "dice": "1D", "rows": {"1..3": "a", "3": "b"}}, sheet)
    with pytest.raises(Trouble):
        Table.read({"id": "T-3", "dice": "1D", "rows": {"few": "a"}}, sheet)


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

    from companion.mission import Mission

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
