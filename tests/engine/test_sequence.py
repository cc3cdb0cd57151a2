"""The steps of a turn: their conditions, jumps and requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.play.mission import Mission
from companion.problems import SystemFault, UserError
from tests.support import ROW, asked, pack, sortie


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


def test_a_step_may_bring_a_fighter_and_roll_for_it(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        sequence=steps("""do = ["add fighter (type = 'zeke')"]\nthen = ["t"]"""),
        t='rows = {"1.." = "b"}\n[outcome.b]\ndo = ["mark fighter.fca"]\n',
    )
    mission = Mission(game, {"fighter.1.type": "oscar", "slots.fighter": 1})
    mission.advance()
    assert [item.bind for item in mission.pending] == [{"fighter": "2"}]
    mission.roll(None, Hand([[1]]))
    assert (mission.state["fighter.2.fca"], mission.state["step"]) == (1, "a")


def test_steps_in_a_circle_and_steps_that_are_not_there(tmp_path: Path) -> None:
    game = sortie(tmp_path, sequence='[[step]]\nid = "a"\ngo = "a"\n')
    with pytest.raises(SystemFault, match="circle"):
        Mission(game).advance()
    twice = sortie(tmp_path / "twice", sequence='[[step]]\nid = "a"\n[[step]]\nid = "a"\n')
    with pytest.raises(SystemFault, match="same id"):
        assert twice.sequence
    odd = sortie(tmp_path / "odd", sequence='[[step]]\nid = "a"\ngo = "end"\n[[step]]\nid = "b"\ngo = "nowhere"\n')
    steps = odd.sequence
    assert (steps.after("start"), steps.after("a"), steps.after("end")) == (0, 1, 2)
    assert steps.target(steps.steps[0]) == 2
    with pytest.raises(SystemFault):
        steps.target(steps.steps[1])
    with pytest.raises(SystemFault):
        steps.after("z")


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
