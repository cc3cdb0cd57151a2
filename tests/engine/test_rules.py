"""Standing rules, steps, pending things and decisions: when they apply, their order, requests and answers."""

from pathlib import Path
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import ChoiceQuestion, FieldQuestion, Pending, settle
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import SystemFault, UserError
from tests.support import ROW, asked, asks, mission_with_row, pack, sortie


def test_a_rule_follows_when_it_becomes_true_and_not_while_it_stays_so(tmp_path: Path) -> None:
    rules = '[[rule]]\nwhen = "zone >= 2"\ndo = ["mark hour"]\ntext = "Far out"\ncite = "3.1"\n' \
            '[[rule]]\non = "t"\nwhen = "light = on"\ndo = ["mark hits.port"]\nthen = ["t"]\n'  # fmt: skip
    game = pack(tmp_path, rules=rules, t='rows = {"1.." = "a"}\n')
    play = Play(game)
    assert play.write({"zone": 1}, "set").notes == []
    assert play.write({"zone": 2}, "set").notes == [("Far out", "3.1")]
    assert play.write({"zone": 3}, "set").notes == []
    assert play.state["hour"] == 1
    play.write({"zone": 0}, "set")
    play.write({"zone": 2}, "set")
    assert play.state["hour"] == 2
    settle(play.roll("t", Hand([[1]])))
    assert "hits.port" not in play.state and play.pending == []
    play.write({"light": "on"}, "set")
    assert "hits.port" not in play.state
    settle(play.roll("t", Hand([[1]])))
    assert (play.state["hits.port"], asked(play)) == (1, ["t"])


def test_nothing_follows_where_nothing_changed(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        rules='[[rule]]\non = ["hits.port", "zone", "city"]\ndo = ["mark hour"]\n',
        t='with = {side = "port"}\nrows = {1 = "a", "2.." = "b"}\n[outcome.a]\n'
        'do = ["exchange side, starboard", "zone = 3", "mark hits.port 0", "city = \'Kobe\'"]\n'
        '[outcome.b]\ndo = ["exchange side, starboard"]\n',
    )
    alike = Play(game, {"zone": 3, "city": "Kobe", "hits.port": 2, "hits.starboard": 2})
    assert settle(alike.roll("t", Hand([[1]]))).changes == {}
    empty = Play(game, {"zone": 3, "city": "Kobe"})
    assert settle(empty.roll("t", Hand([[2]]))).changes == {}
    assert "hour" not in alike.state and "hour" not in empty.state


def test_rules_that_chase_each_other_are_stopped(tmp_path: Path) -> None:
    game = sortie(
        tmp_path,
        rules='[[rule]]\nwhen = "light = on"\ndo = ["light = off"]\n'
        '[[rule]]\nwhen = "light = off"\ndo = ["light = on"]\n',
    )
    with pytest.raises(SystemFault, match="trigger each other"):
        Mission(game).write({"light": "on"})


def test_steps_are_taken_until_one_asks(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        sequence='[[step]]\nid = "one"\ntitle = "First"\ncite = "2.1"\ndo = ["mark hour"]\n'
        '[[step]]\nid = "two"\nwhen = "light = on"\ndo = ["zone = 5"]\n'
        '[[step]]\nid = "three"\ntitle = "Ask"\ncite = "2.3"\ntext = "Look out"\nthen = ["t"]\n'
        '[[step]]\nid = "four"\nwhen = "hour <= 1"\ngo = "one"\n'
        '[[step]]\nid = "five"\ntitle = "Over"\norder = "Go home"\n',
        t='rows = {"1.." = "a"}\n',
    )
    play = Play(game)
    first = play.advance()
    assert first is not None and (first.table, first.title, first.cite) == ("three", "Ask", "2.3")
    assert first.notes == [("Look out", "2.3")] and first.then == ["t"]
    assert (play.state["hour"], play.state["step"], asked(play)) == (1, "three", ["t"])
    assert "zone" not in play.state
    play.pending.clear()
    play.advance()  # the fourth goes back to the first
    assert (play.state["hour"], play.state["step"], asked(play)) == (2, "three", ["t"])
    play.pending.clear()
    last = play.advance()
    assert last is not None and (play.state["step"], asked(play)) == ("end", ["Go home"])
    assert play.advance() is None


def steps(*lines: str) -> str:
    """Return a sequence of these steps, called a, b, c and so on."""
    return "".join(f'[[step]]\nid = "{name}"\n{line}\n' for name, line in zip("abcdefg", lines, strict=False))


@pytest.mark.parametrize(
    ("go", "taken"),
    [("a", ["b", "b", "b"]), ("b", ["b", "b", "b"]), ("c", ["b", "d", None]), ("d", ["b", "d", None]),
     ("end", ["b", None, None])],
)  # fmt: skip
def test_a_step_that_asks_may_go_elsewhere(tmp_path: Path, go: str, taken: list[str | None]) -> None:
    game = pack(tmp_path, sequence=steps('do = ["mark hour"]', f'then = ["t"]\ngo = "{go}"', "", 'then = ["t"]'), t=ROW)
    play, found = Play(game), []
    for _ in taken:
        result = play.advance()
        play.pending.clear()
        found.append(result.table if result is not None else None)
        assert result is None or (result.step and (result.title, result.cite) == ("", ""))
    assert found == taken
    assert play.state["hour"] == (3 if go == "a" else 1)


def test_a_step_that_there_is_not_cannot_be_written(tmp_path: Path) -> None:
    """The field may only hold a step, the start or the end; anything else would stop every flight."""
    game = pack(tmp_path, sequence='[[step]]\nid = "one"\ndo = ["mark hour"]\n')
    mission = Mission(game)
    with pytest.raises(UserError, match="^there is no step two in the order of play. See: companion next$"):
        mission.write({"step": "two"})
    assert mission.journal.entries == []
    for step in ("one", "end", ""):
        mission.write({"step": step})
        assert mission.state.get("step", "") == step


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
        t='with = {side = "port"}\nrows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark zone", "mark hour 2", '
        '"erase hits.port 9", "light = off", "exchange side, starboard"]\n'
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


def test_a_declined_choice_is_asked_again_when_a_fact_changes(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        choices='[choice.lamp]\ntitle = "The lamp?"\n[[choice.lamp.option]]\nname = "yes"\ndo = ["light = on"]\n'
        '[[choice.lamp.option]]\nname = "no"\nagain-when = ["zone", "hour + 0 >= 3", "hits[side]"]\n',
        sequence='[[step]]\nid = "lamp"\ntitle = "The lamp"\n'
        'then = [{choose = "lamp", for = "side", when = "lamp.again[side]"}]\n',
    )
    mission = Mission(game)

    def asked() -> list[Value]:
        mission.write({"step": ""})
        mission.advance()
        asked, mission.pending = [item.bind["side"] for item in mission.pending], []
        return asked

    assert asked() == ["port", "starboard"]
    mission.write({"step": ""})
    mission.advance()
    mission.roll(None, Hand(), outcome="no")
    mission.undo()
    assert "lamp.answered.port" not in mission.state
    mission.roll(None, Hand(), outcome="no")
    mission.pending = []
    assert asked() == ["starboard"]
    for field, value, again in (("hour", 2, False), ("hour", 3, True), ("hour", 2, False), ("hits.port", 1, True)):
        mission.write({field: value})
        assert ("port" in asked()) == again
    mission.write({"hits.port": 0})
    assert "port" not in asked()
    mission.write({"zone": 5})
    mission.write({"zone": 0})  # there and back
    assert "port" in asked()


def test_an_answer_to_a_question_is_written_and_rules_follow(tmp_path: Path) -> None:
    game = pack(tmp_path, rules='[[rule]]\non = "zone"\ndo = ["mark hour"]\n')
    item: dict[str, Any] = Pending.of({"ask": "zone", "bind": {}})
    for state, usual in (({}, 0), ({"zone": 2}, 2)):
        with asks(FieldQuestion) as question:
            settle(Play(game, state, [item]).talk(item, Hand()))
        assert (question.value.name, question.value.usual, question.value.subject) == (
            "zone", usual, game.sheet.text("zone"),
        )  # fmt: skip
    play = Play(game, {}, [item])
    result = settle(play.talk(item, Hand(), "3"))
    assert (result.table, result.outcome, result.decision) == ("zone", "3", True)
    assert (play.state, play.pending) == ({"zone": 3, "hour": 1}, [])
    with pytest.raises(UserError):
        settle(Play(game, {}, [item]).talk(item, Hand(), "six"))


def test_options_that_held_for_one_command_are_not_offered_in_the_next(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        choices='[choice.who]\ntitle = "Who?"\n[[choice.who.option]]\nname = "tail"\n[[choice.who.option]]\n'
        'name = "top"\n[[choice.who.option]]\nname = "nose"\nwhen = "light = on"\n',
    )
    mission = Mission(game, {}, [Pending.of({"choose": "who", "bind": {}})])
    offered = []
    for facts in ({"light": "on"}, {}, {"light": "on"}):
        with asks(ChoiceQuestion) as need:
            mission.roll(None, Hand(), facts)
        offered.append([each.name for each in need.value.options])
    assert offered == [["tail", "top", "nose"], ["tail", "top"], ["tail", "top", "nose"]]
    mission.write({"light": "on"})
    with asks(ChoiceQuestion, match="nose"):
        mission.roll(None, Hand())


def test_which_decision_is_asked_for_may_come_from_the_sheet(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{choose = "{city}"}, {roll = "{light}"}]\n')
    play = Play(game, {"city": "who", "light": "on"})
    assert settle(play.roll("t", Hand([[1]]))).then == ["who", "on"]
