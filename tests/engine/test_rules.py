"""Standing rules and the steps of a turn: when they apply, their jumps, requests and effects."""

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import Pending, settle
from companion.play.mission import Mission
from companion.problems import SystemFault, UserError
from tests.support import ROW, asked, pack, sortie


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


def test_a_step_is_called_after_what_asks_in_it(tmp_path: Path) -> None:
    for number, (then, title, table) in enumerate((
        ('then = ["t"]', "Ask", "c"),
        ('then = [{roll = "t", later = true}]', "Ask", "c"),
        ('then = [{roll = "t", later = "all"}]', "Ask", "c"),
        ("", "Look", "a"),
        ('order = "Home"', "Look", "a"),
    )):  # fmt: skip
        folder = tmp_path / str(number)
        folder.mkdir()
        before = 'title = "Look"\ncite = "1"', 'title = "Wait"\ntext = "It is {light}"\ncite = "2"'
        game = pack(folder, sequence=steps(*before, f'title = "Ask"\ncite = "3"\n{then}'), t=ROW)
        result = Play(game, {"light": "on"}).advance()
        assert result is not None
        assert (result.title, result.table) == (title, table)
        assert (result.notes, result.cite) == ([("It is on", "2")], {"a": "1", "c": "3"}[table])


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
