"""Standing rules: when they apply, to whom, and their effects."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.pending import Pending
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.play.mission import Mission
from companion.problems import SystemFault
from tests.support import asked, pack, row, sortie


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


def test_what_lasts_until_a_field_changes_ends_with_it(tmp_path: Path) -> None:
    play = Play(pack(tmp_path), {"seen": 3, "hour": 1})
    assert play.write({"hour": 1}, "set").changes == {} and play.state["seen"] == 3
    changes = play.write({"hour": 2}, "set").changes
    assert changes == {"hour": (1, 2), "seen": (3, None)} and "seen" not in play.state


def test_a_rule_may_wait_for_a_decision(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        rules='[[rule]]\non = "who"\ndo = ["mark hour"]\ntext = "Decided"\n',
        choices='[choice.who]\ntitle = "Who?"\n[[choice.who.option]]\nname = "me"\n'
        '[[choice.who.option]]\nname = "you"\n',
    )
    item = Pending.of({"choose": "who", "bind": {}})
    play = Play(game, {}, [item])
    result = settle(play.choose(item, "me"))
    assert (play.state, play.pending, result.notes) == ({"hour": 1}, [], [("Decided", "")])


def test_nothing_follows_where_nothing_changed(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        rules='[[rule]]\non = ["hits.port", "zone", "city"]\ndo = ["mark hour"]\n',
        t='rows = {1 = "a", "2.." = "b"}\n[outcome.a]\n'
        'do = ["exchange hits.port, hits.starboard", "zone = 3", "mark hits.port 0", "city = \'Kobe\'"]\n'
        '[outcome.b]\ndo = ["exchange hits.port, hits.starboard"]\n',
    )
    alike = Play(game, {"zone": 3, "city": "Kobe", "hits.port": 2, "hits.starboard": 2})
    assert settle(alike.roll("t", Hand([[1]]))).changes == {}
    empty = Play(game, {"zone": 3, "city": "Kobe"})
    assert settle(empty.roll("t", Hand([[2]]))).changes == {}
    assert "hour" not in alike.state and "hour" not in empty.state


def test_a_rule_may_bring_a_fighter_and_what_is_rolled_for_it(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        rules='[[rule]]\non = "zone"\nfor = "side"\nwhen = "side.near = right"\n'
        'do = ["add fighter (type = side)"]\nthen = ["u"]\norder = "Mind {side}"\n'
        'text = "From {side} in zone {zone}"\n',
        u='rows = {"1.." = "b"}\n[outcome.b]\ndo = ["mark fighter.fca", "mark hits[side]"]\n',
    )
    mission = Mission(game, {"fighter.1.type": "oscar", "slots.fighter": 1})
    result = mission.write({"zone": 2})
    assert result.notes == [("From starboard in zone 2", "")]
    assert (mission.pending[1].name, mission.pending[1].cite) == ("Mind starboard", "")
    mission.roll(None, Hand([[1]]))
    assert {name: mission.state.get(name) for name in ("fighter.2.type", "fighter.2.fca", "hits.starboard")} == {
        "fighter.2.type": "starboard", "fighter.2.fca": 1, "hits.starboard": 1,
    }  # fmt: skip
    assert "hits.port" not in mission.state and "fighter.1.fca" not in mission.state


def test_a_rule_for_each_member_by_another_name(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        rules='[[rule]]\nfor = "side as s"\nwhen = "hits[s] >= 2 and s.near = left"\n'
        'do = ["mark zone s.room"]\ntext = "Too much to {s}"\n',
    )
    play = Play(game)
    assert play.write({"hits.starboard": 2}, "set").notes == []
    assert play.write({"hits.port": 2}, "set").notes == [("Too much to port", "")]
    assert play.state == {"hits.starboard": 2, "hits.port": 2, "zone": 2}


@pytest.mark.parametrize("line", ["mark hits.port 0", "erase hits.port", "exchange hits.port, hits.starboard"])
def test_to_mark_nothing_is_no_event(tmp_path: Path, line: str) -> None:
    game = pack(tmp_path, rules='[[rule]]\non = "hits.port"\ndo = ["mark hour"]\n', t=row(f'do = ["{line}"]'))
    play = Play(game)
    assert settle(play.roll("t", Hand([[1]]))).changes == {}
    assert play.state == {}


def test_rules_that_chase_each_other_are_stopped(tmp_path: Path) -> None:
    game = sortie(
        tmp_path,
        rules='[[rule]]\nwhen = "light = on"\ndo = ["light = off"]\n'
        '[[rule]]\nwhen = "light = off"\ndo = ["light = on"]\n',
    )
    with pytest.raises(SystemFault, match="trigger each other"):
        Mission(game).write({"light": "on"})
