"""Undo and redo: the pending list as a splice, and rollback of failed commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.pending import Pending
from companion.engine.play import Play
from companion.packs import Pack
from companion.play.journal import difference
from companion.play.mission import Mission
from companion.problems import UserError
from tests.support import ROW, asked, pack

ITEMS = st.lists(
    st.sampled_from(
        [
            Pending.of({"roll": "5-1"}), Pending.of({"roll": "5-2"}), Pending.of({"order": "x"}),
            Pending.of({"choose": "y"}),
        ]
    ),
    max_size=6,
)  # fmt: skip


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


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(MOVES, st.integers(0, 2**32))
def test_any_number_of_moves_can_be_taken_back_and_put_forward(b29: Pack, moves: list[str], seed: int) -> None:
    import random

    from companion.play.mission import Mission

    rng, mission = random.Random(seed), Mission(b29, number=1)
    for move in moves:
        try:
            if move == "undo":
                mission.go_to_entry(max(0, mission.journal.position - 1))
            elif move == "redo":
                mission.go_to_entry(mission.journal.position + 1)
            elif move == "zone":
                mission.write({"zone": rng.randint(1, 14)})
            else:
                table = None if move == "pending" else move
                mission.roll(table, Hand([], rng), {"area": "port-wing"} if move == "7-5" else {})
        except UserError:
            continue
    state, pending, stand = dict(mission.state), list(mission.pending), mission.journal.position
    if stand:
        mission.go_to_entry(0)
        assert (mission.state, mission.pending) == ({}, [])
        mission.go_to_entry(stand)
    assert (mission.state, mission.pending) == (state, pending)


def test_play_leaves_the_given_state_alone(b29: Pack) -> None:
    state: dict[str, Any] = {"zone": 3}
    play = Play(b29, state)
    play.write({"zone": 4}, "set")
    assert (state, play.state["zone"]) == ({"zone": 3}, 4)


@pytest.mark.parametrize("dice", [[[1], [7, 7]], [[1], [1], [1]], [[1], []]])
def test_a_command_that_fails_halfway_leaves_everything_as_it_was(tmp_path: Path, dice: list[list[int]]) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark zone", "mark hour 2", "erase hits.port 9", '
        '"light = off", "exchange hits.port, hits.starboard"]\n'
        'then = ["u", {order = "Home"}]\n',
        u=ROW,
    )
    before: dict[str, Value] = {"zone": 1, "hits.port": 3, "seen": 4, "light": "on"}
    mission = Mission(game, dict(before), [Pending.of({"roll": "t", "bind": {}})])
    with pytest.raises(UserError):
        mission.roll(None, Hand(dice))
    assert (mission.state, asked(mission), mission.journal.entries) == (before, ["t"], [])
    mission.roll(None, Hand([[1], [1]]))
    assert mission.state == {"zone": 2, "hour": 2, "light": "off", "hits.starboard": 0}


def test_undo_takes_what_settled_itself_with_the_thing_that_was_done(b29: Pack) -> None:
    mission = Mission(b29)
    mission.write({"altitude": "hi"})
    mission.advance()  # a step, with its automatic entries
    stand, state = mission.journal.position, dict(mission.state)
    mission.roll("4-2", Hand([[3, 4]]))
    mission.advance()
    mission.undo()
    assert (mission.journal.position, mission.state) == (stand, state)
    assert [each["v"] for each in mission.redo()][0] == "roll"
    assert mission.journal.position == len(mission.journal.entries)
    with pytest.raises(UserError, match="Only 2 steps can be undone"):
        mission.undo(9)
    mission.undo(2)
    assert (mission.journal.position, mission.state) == (0, {})
    with pytest.raises(UserError, match="Only 2 steps can be redone"):
        mission.redo(3)
    mission.redo(2)
    with pytest.raises(UserError, match="There is nothing to redo"):
        mission.redo()
