"""Fighters that appear, are chosen and leave, along with everything pending for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.pending import Pending
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import UserError
from tests.support import ROW, asked, asks, mission_with_row, pack, row, sortie


def test_one_fighter_is_meant_when_only_one_is_there(turrets: Pack) -> None:
    facts = Facts(turrets.sheet, {"fighter.2.type": "zeke", "fighter.2.hits": 1})
    assert (facts["fighter"], facts["fighter.hits"], facts["fighter.type"]) == ("2", 1, "zeke")
    both = Facts(turrets.sheet, {"fighter.2.type": "zeke", "fighter.3.type": "oscar"})
    assert (both["fighter"], both["fighter.hits"]) == ("none", 0)


def test_fighters_come_and_go_and_the_chart_has_an_end(tmp_path: Path) -> None:
    mission = mission_with_row(
        tmp_path, '''"add fighter (type = 'zeke')"''', 'then = ["u"]\n',
        u='rows = {1 = "gone", "2.." = "stays"}\n[outcome.gone]\ndo = ["clear fighter"]\n'
        '[outcome.stays]\ndo = ["drop fighter"]\n',
    )  # fmt: skip
    made = mission.game
    mission.roll("t", Hand([[1]]))
    mission.roll("t", Hand([[1]]))
    assert mission.state["fighter.2.type"] == "zeke"
    full = mission.roll("t", Hand([[1]]))[0]
    assert full.notes == [("No room for another fighter: the sheet has 2", "")]
    second = mission.pending[1]
    assert second.bind == {"fighter": "2"}
    settle(Play(made, mission.state, mission.pending).roll("u", Hand([[1]]), {"fighter": "2"}, item=second))
    play = Play(made, mission.state, mission.pending)
    settle(play.roll("u", Hand([[1]]), {"fighter": "2"}, item=second))
    assert "fighter.2.type" not in play.state and second not in play.pending
    unbound = Play(made, {}, [])
    for die in (1, 2):
        with asks(FactQuestion, "No fighter is on the sheet"):
            settle(unbound.roll("u", Hand([[die]])))


def test_writing_about_one_of_several_asks_for_its_number(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="fighter.1.fca"):
        Play(sortie(tmp_path)).write({"fighter.fca": 1}, "set")


def test_a_new_fighter_is_the_one_that_later_changes_mean(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t=row(
            """do = ["add fighter (type = 'zeke')", "fighter[fighter].fca = 2", "mark fighter.fca"]\nthen = ["u"]\n"""
        ),
        u='rows = {"1.." = "b"}\n[outcome.b]\ndo = ["mark fighter.fca"]\n',
    )
    before: dict[str, Value] = {"fighter.1.type": "oscar", "fighter.1.fca": 1, "slots.fighter": 1}
    mission = Mission(game, dict(before), [Pending.of({"roll": "t", "bind": {"fighter": "1"}})])
    mission.roll(None, Hand([[1]]))
    assert {key: value for key, value in mission.state.items() if key not in before} == {
        "fighter.2.type": "zeke",
        "fighter.2.fca": 3,
    }
    assert (mission.state["fighter.1.fca"], mission.state["slots.fighter"]) == (1, 2)
    mission.roll(None, Hand([[1]]))
    mission.roll("u", Hand([[1]]), {"fighter": "1"})
    assert (mission.state["fighter.1.fca"], mission.state["fighter.2.fca"]) == (2, 4)


def test_each_of_several_fighters_of_a_row_has_what_follows_for_itself(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = ["zeke@6", "oscar@12"]}\n[outcome."{type}@{clock}"]\n'
        'do = ["add fighter (type = type)", "mark fighter[fighter].fca clock"]\nthen = ["u"]\n',
        u=ROW,
    )
    play = Play(game)
    assert settle(play.roll("t", Hand([[1]]))).outcome == "zeke@6;oscar@12"
    assert play.state == {
        "slots.fighter": 2, "fighter.1.type": "zeke", "fighter.1.fca": 6, "fighter.2.type": "oscar",
        "fighter.2.fca": 12,
    }  # fmt: skip
    assert [(item.name, item.bind["fighter"]) for item in play.pending] == [("u", "1"), ("u", "2")]


def test_for_each_member_a_fighter_and_one_without_a_word(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = "a", "2.." = "b"}\n[outcome.a]\n'
        'do = ["add fighter (type = side) for side if side.near = right"]\nthen = ["u"]\n[outcome.b]\n'
        """do = ["add fighter ()", "fighter[fighter].type = 'oscar'"]\nthen = ["u"]\n""",
        u=ROW,
    )
    play = Play(game)
    settle(play.roll("t", Hand([[1]])))
    settle(play.roll("t", Hand([[2]])))
    assert play.state == {"slots.fighter": 2, "fighter.1.type": "starboard", "fighter.2.type": "oscar"}
    assert [item.bind["fighter"] for item in play.pending] == ["2", "1"]


def test_to_call_off_a_fighters_rolls_leaves_orders_alone(tmp_path: Path) -> None:
    game = pack(
        tmp_path, rules='[[rule]]\non = "zone"\norder = "Look out"\ndo = ["drop fighter"]\n',
        t='rows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark zone"]\nthen = ["u"]\n', u=ROW,
    )  # fmt: skip
    play = Play(game, {}, [Pending.of({"roll": "u", "bind": {}}), Pending.of({"order": "Stand by", "cite": ""})])
    settle(play.roll("t", Hand([[1]]), {"fighter": "1"}))
    assert asked(play) == ["u", "Stand by", "Look out"] and "fighter" not in play.pending[0].bind


@pytest.mark.parametrize("when", ["", ", later = true", ', later = "all"'])
def test_a_fighter_called_off_takes_what_the_same_result_asked_for_it(tmp_path: Path, when: str) -> None:
    game = pack(
        tmp_path, rules='[[rule]]\non = "t"\ndo = ["drop fighter"]\n', t=row(f'then = [{{roll = "u"{when}}}]'), u=ROW
    )
    play = Play(game, {"fighter.1.type": "zeke"})
    settle(play.roll("t", Hand([[1]]), {"fighter": "1"}))
    assert asked(play) == []


def test_a_rule_may_call_off_what_a_row_has_just_asked_for(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        rules='[[rule]]\non = "t"\nwhen = "light = on"\ndo = ["drop fighter"]\n',
        t=row("""do = ["add fighter (type = 'zeke', fca = 2)"]\nthen = ["u", {roll = "u", with = {fighter = "1"}}]"""),
        u='rows = {"1.." = "b"}\n',
    )
    calm, lit = Play(game, {"fighter.1.type": "oscar", "slots.fighter": 1}), Play(game, {"light": "on"})
    settle(calm.roll("t", Hand([[1]])))
    assert (calm.state["fighter.2.type"], calm.state["fighter.2.fca"], calm.state["slots.fighter"]) == ("zeke", 2, 2)
    assert [item.bind["fighter"] for item in calm.pending] == ["2", "1"]
    settle(lit.roll("t", Hand([[1]])))
    assert (lit.state["fighter.1.type"], lit.pending) == ("zeke", [])


def gusts(kites: Pack) -> Mission:
    """Return a mission with two gusts pending for kite 1, one for kite 2, and an order."""
    waiting = [Pending.of({"roll": "G-1", "bind": {"kite": kite}}) for kite in ("1", "1", "2")]
    state: dict[str, str | int] = {"kite.1.color": "red", "kite.2.color": "blue", "slots.kite": 2}
    return Mission(kites, state, [*waiting, Pending.of({"order": "Keep the lines apart", "cite": "1.0"})])


def test_dropping_what_waits_for_one_leaves_it_on_the_sheet_and_the_others_waiting(kites: Pack) -> None:
    mission = gusts(kites)
    mission.roll(None, Hand([[4]]))
    assert mission.state["kite.1.color"] == "red"
    assert [item.bind for item in mission.pending] == [{"kite": "2"}, {}]
    mission.undo()
    assert len(mission.pending) == 4
