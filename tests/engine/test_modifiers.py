"""Modifiers: which ones apply, the worst of a group, and their descriptions."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import DiceQuestion, RowQuestion, settle
from tests.support import asks, pack


@pytest.mark.parametrize("amounts", [(-4, -2), (-2, -4), (-4, 1)])
def test_the_worst_modifier_of_a_group_applies_in_any_order(tmp_path: Path, amounts: tuple[int, int]) -> None:
    modifiers = "".join(f'[[modifier]]\nid = "m{add}"\nadd = {add}\ngroup = "gear"\n' for add in amounts)
    game = pack(tmp_path, t=f'rows = {{"..0" = "low", "1.." = "high"}}\n{modifiers}[[modifier]]\nadd = 1\nwhy = "x"\n')
    result = settle(Play(game).roll("t", Hand([[3]])))
    assert (result.net, result.outcome) == (0, "low")


@pytest.mark.parametrize(("light", "net", "outcome"), [("on", 3, "bright"), ("off", 4, "dark")])
def test_a_column_that_names_modifiers_counts_no_other(tmp_path: Path, light: str, net: int, outcome: str) -> None:
    game = pack(
        tmp_path,
        t='[[column]]\nwhen = "light = on"\nmodifier = ["two"]\nrows = {3 = "bright", 4 = "wrong"}\n'
        '[[column]]\nwhen = "light = off"\nrows = {3 = "wrong", 4 = "dark"}\n'
        '[[modifier]]\nid = "one"\nadd = 1\n[[modifier]]\nid = "two"\nadd = 2\n',
    )
    result = settle(Play(game, {"light": light}).roll("t", Hand([[1]])))
    assert (result.net, result.outcome) == (net, outcome)


def test_a_modifier_without_a_number_adds_one_and_is_named_by_its_reason(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='[[column]]\nmodifier = ["searchlight"]\nrows = {"..3" = "low", "4.." = "high"}\n'
        '[[modifier]]\nwhy = "searchlight"\n[[modifier]]\nid = "moon"\nadd = 5\nwhy = "moon"\n',
    )
    result = settle(Play(game).roll("t", Hand([[3]])))
    assert (result.net, result.outcome) == (4, "high")
    assert [(each.add, each.why) for each in result.applied] == [(1, "searchlight")]


def test_a_modifier_says_where_it_is_printed(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[[modifier]]\nadd = 1\n[[modifier]]\nid = "x"\nadd = 2\nwhy = "ace"\ncite = "5-5"\n',
    )
    applied = settle(Play(game).roll("t", Hand([[1]]))).applied
    assert [(each.why, each.modifier.cite) for each in applied] == [("", "t"), ("ace", "5-5")]


def test_missing_dice_are_asked_for_with_the_modifiers(tmp_path: Path) -> None:
    modifier = '[[modifier]]\nid = "lit"\nadd = 2\nwhen = "light = on"\n'
    game = pack(tmp_path, t=f'rows = {{"..9" = "owner"}}\n{modifier}', w=f"owner = true\n{modifier}")
    for light, added in (("on", [2]), ("off", [])):
        play = Play(game, {"light": light})
        with asks(DiceQuestion) as dice:
            settle(play.roll("t", Hand(), {"side": "port"}))
        assert [each.add for each in dice.value.applied] == added and dice.value.bind == {"side": "port"}
        for name in ("t", "w"):
            with asks(RowQuestion) as row:
                settle(play.roll(name, Hand([[3]]), {"side": "port"}))
            assert [each.add for each in row.value.applied] == added and row.value.bind == {"side": "port"}
            assert (row.value.net, row.value.dice) == (3 + sum(added), [3])
            result = settle(play.roll(name, Hand([[3]]), outcome="hit"))
            assert (result.net, [each.add for each in result.applied]) == (3 + sum(added), added)
    assert play.state == {"light": "off"}
