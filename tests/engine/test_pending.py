"""Pending things: their order, later requests, orders until they end; undo, redo and failed commands."""

from pathlib import Path
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import UserError
from tests.support import ROW, asked, mission_with_row, pack


def test_the_order_of_what_a_result_asks_for(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{order = "Stand by"}, {roll = "z", later = "all"}, '
        '{roll = "y", later = true}, "u", {roll = "v", times = 2}]\n',
        u='rows = {"1.." = "b"}\n', v='rows = {"1.." = "b"}\n',
        s='rows = {"1.." = "b"}\n[outcome.b]\nthen = ["t", "w"]\n', w='rows = {"1.." = "b"}\n',
    )  # fmt: skip
    mission = Mission(game, {}, [Pending.of({"order": "Old order", "cite": ""})])
    mission.roll("w", Hand([[1]]))
    assert asked(mission) == ["Old order"]
    mission.roll("s", Hand([[1]]))
    assert asked(mission) == ["t", "w", "Old order"]
    mission.roll(None, Hand([[1]]))
    assert asked(mission) == ["u", "v", "v", "w", "y", "z", "Old order", "Stand by"]


GROUPS = {
    "s": 'rows = {"1.." = "a"}\n[outcome.a]\nthen = ["t", "w"]\n',
    "t": 'rows = {1 = "a", 2 = "b", 3 = "c", "4.." = "e"}\n[outcome.a]\nthen = ["u", {roll = "v", later = true}]\n'
    '[outcome.e]\nthen = ["p", "u"]\n'
    '[outcome.b]\ndice = "1D"\nrows = {"1.." = "d"}\n[outcome.b.outcome.d]\nthen = ["u", {roll = "v", later = true}]\n'
    '[outcome.c]\nthen = [{roll = "u", later = "all"}, {roll = "v", later = true}]\n',
    "p": 'rows = {"1.." = "b"}\n[outcome.b]\nthen = [{roll = "v", later = true}]\n', "u": ROW, "v": ROW, "w": ROW,
    "x": ROW,
}  # fmt: skip


def waiting() -> list[dict[str, Any]]:
    """Return four pending things."""
    return [Pending.of({"roll": name, "bind": {}}) for name in "xwx"] + [Pending.of({"order": "Home", "cite": ""})]


@pytest.mark.parametrize(
    ("steps", "order"),
    [
        ([("s", 1)], "t w x w x Home"),
        ([("s", 1), (None, 1)], "u w v x w x Home"),  # v waits until what came together with t is rolled
        ([("s", 1), (None, 2)], "t.b w x w x Home"),
        ([("s", 1), (None, 2), (None, 1)], "u w v x w x Home"),  # the row's own die belongs to the same group
        ([("s", 1), (None, 3)], "w v x w x u Home"),
        ([("t", 1)], "u v x w x Home"),  # named alone it comes before everything asked earlier
        ([("t", 2), (None, 1)], "u v x w x Home"),
        ([("t", 3)], "v x w x u Home"),
        ([("s", 1), (None, 4)], "p u w x w x Home"),
        ([("s", 1), (None, 4), (None, 1)], "u v w x w x Home"),  # after u, with which p was asked, and before w
    ],
)
def test_later_requests_go_after_the_others(tmp_path: Path, steps: list[tuple[str | None, int]], order: str) -> None:
    mission = Mission(pack(tmp_path, **GROUPS), {}, waiting())
    for name, die in steps:
        mission.roll(name, Hand([[die]]))
    assert asked(mission) == order.split()


def test_dice_of_one_command_are_used_for_its_last_follow_ups(tmp_path: Path) -> None:
    mission = Mission(pack(tmp_path, **GROUPS), {}, [Pending.of({"order": "Home", "cite": ""})])
    rolled = mission.roll("t", Hand([[3], [4], [5]]))
    assert [(each.table, each.dice) for each in rolled] == [("t", [3]), ("v", [4]), ("u", [5])]
    assert asked(mission) == ["Home"]
    mission = Mission(pack(tmp_path, **GROUPS), {}, waiting())
    with pytest.raises(UserError, match="Too many dice"):  # earlier pending things belong to another command
        mission.roll("t", Hand([[3], [4], [5]]))


def test_orders_are_listed_once_and_end_automatically(tmp_path: Path) -> None:
    mission = mission_with_row(tmp_path, "", 'then = [{order = "Come down", until = "zone = 1", cite = "9"}]\n')
    mission.roll("t", Hand([[1]]))
    mission.roll("t", Hand([[1]]))
    assert [item.name for item in mission.pending] == ["Come down"]
    mission.write({"zone": 1})
    assert mission.pending == []


def test_an_order_ends_for_the_one_it_was_given_about(tmp_path: Path) -> None:
    order = 'then = [{order = "Mind {side}", until = "hits[side] = 2"}, {order = "Look out"}]\n'
    mission = mission_with_row(tmp_path, "", order)
    mission.roll("t", Hand([[1]]), {"side": "port"})
    mission.roll("t", Hand([[1]]), {"side": "starboard"})
    assert [(item.name, item.bind) for item in mission.pending] == [
        ("Mind port", {"side": "port"}),
        ("Look out", {}),  # none of the bindings ends it
        ("Mind starboard", {"side": "starboard"}),
    ]
    mission.write({"hits.starboard": 2})
    assert [item.name for item in mission.pending] == ["Mind port", "Look out"]
    mission.go_to_entry(mission.journal.position - 1)
    mission.write({"hits.port": 2})
    assert [item.name for item in mission.pending] == ["Look out", "Mind starboard"]


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
