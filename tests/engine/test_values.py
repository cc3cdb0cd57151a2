"""Calculated numbers: formulas, and adjustments of a result."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.play import Play
from companion.engine.questions import DiceQuestion, settle
from companion.play.mission import Mission
from tests.support import asks, pack


def test_numbers_are_worked_out_from_dice_and_facts(tmp_path: Path) -> None:
    turrets = pack(
        tmp_path, "turrets", floor='is = "max(0, 2D - 6) * 3"\n', product='is = "3D * 1D"\n',
        halves='rows = {"1.." = 5}\n[[adjust]]\nis = "half-up(result)"\nwhy = "half"\n'
        '[[adjust]]\nwhen = "boxes = 2"\nis = "half-down(result * 3)"\n',
    )  # fmt: skip
    play = Play(turrets, {"boxes": 2})
    assert [settle(play.roll("floor", Hand([dice]))).outcome for dice in ([6, 5], [1, 1])] == ["15", "0"]
    assert settle(play.roll("product", Hand([[1, 2, 3, 4]]))).outcome == "24"
    halved = settle(play.roll("halves", Hand([[1]])))
    assert (halved.outcome, [(each.before, each.after) for each in halved.steps]) == ("4", [(5, 3), (3, 4)])


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ("min(5, 4)", 4), ("max(1, 2, 3)", 3), ("5 -2", 3), ("-5 + 2", -3), ("--5", 5), ("2 * -3", -6),
        ("10 - 3 - 2", 5), ("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("-hour * 3", -6), ("half-up(5)", 3),
        ("half-down(5)", 2), ("half-down(-3)", -2), ("min(5, hour)", 2), ("(5 + hour) * 2", 14),
        ("5 + (1 if hour = 3 else 0)", 5), ("9 if hour = 3 else 8 if hour = 2 else 7", 8),
        ("count side (yes) * 10", 20), ("sum side (side.room) - 1", 4), ("most side (side.room)", 3),
        ("sum side (side.room if side.near = left else hour * 10)", 22), ("007", 7),
    ],
)  # fmt: skip
def test_a_number_is_worked_out_as_it_is_written(tmp_path: Path, expression: str, number: int) -> None:
    game = pack(tmp_path, facts=f'x = {{is = "{expression}"}}\n')
    worked = Facts(game.sheet, {"hour": 2})["x"]
    assert worked == number and isinstance(worked, int)


def test_the_work_shown_names_what_changed_and_why(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = 10}\nadjust = [{is = "result * 2", why = "doubled"}, {is = "min(50, result)", why = "cap"}, '
        '{when = "light = on", is = "99"}, {is = "result + 1"}]\n',
    )
    result = settle(Play(game).roll("t", Hand([[1]])))
    assert result.outcome == "21"
    assert [(each.before, each.after, each.why) for each in result.steps] == [(10, 20, "doubled"), (20, 21, "")]


def test_a_formula_starts_from_nothing_and_knows_the_roll_that_asked_for_it(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = "go", "2.." = "on"}\n[[modifier]]\nid = "m"\nadd = 1\nwhen = "light = on"\n'
        '[outcome.go]\nis = "2D * hour"\n[outcome.on]\nis = "1D * 10 + net - roll"\n',
    )
    play = Play(game, {"hour": 3})
    settle(play.roll("t", Hand([[1]])))
    asked_for = play.pending[0]
    with asks(DiceQuestion, match="t.go needs 2D. Add the dice, e.g. --dice 3,4"):
        settle(play.roll("t.go", Hand(), asked_for.bind, item=asked_for))
    result = settle(play.roll("t.go", Hand([[2], [5]]), asked_for.bind, item=asked_for))
    assert (result.dice, result.rolled, result.net, result.outcome) == ([2, 5], 7, 21, "21")
    assert result.steps == []
    assert play.pending == []
    lit = Mission(game, {"light": "on"})
    lit.roll("t", Hand([[4]]))
    assert lit.roll(None, Hand([[6]]))[0].outcome == "61"
