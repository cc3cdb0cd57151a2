"""Every way that a roll can go, counted by hand from the rows."""

from fractions import Fraction
from pathlib import Path

import pytest

from companion.engine.odds import branches, odds
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.problems import OwnerTable
from tests.support import pack


def test_d66_counts_each_pair_once(tmp_path: Path) -> None:
    game = pack(tmp_path, "slots", a='dice = "D66"\nrows = {"..16" = "low", "21.." = "high"}\n')
    assert odds(game, {}, {}, Pending.of({"roll": "a"})).ways == {"low": 6, "high": 30}


def test_odds_of_rows_of_formulas_and_of_rows_in_the_book(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        f='rows = {"..2" = 3, "3..5" = "twice", 6 = "owner"}\n[outcome.twice]\nis = "1D * 2"\n',
        n='rows = {"..2" = 10, "3..5" = "twice", 6 = 9}\n[outcome.twice]\nis = "1D * 2"\n',
        b='dice = "-"\nrows = {"..0" = "dark", "1.." = "lit"}\n[[modifier]]\nadd = 1\nwhen = "light = on"\n',
    )
    chances = odds(game, {}, {}, Pending.of({"roll": "f"}))
    assert (chances.of, chances.ways) == (
        36,
        {"3": 12, "2": 3, "4": 3, "6": 3, "8": 3, "10": 3, "12": 3, "in-your-book": 6},
    )
    numbers = odds(game, {}, {}, Pending.of({"roll": "n"}))
    assert list(numbers.ways.items()) == [("2", 3), ("4", 3), ("6", 3), ("8", 3), ("9", 6), ("10", 15), ("12", 3)]
    for light, outcome, applied in (("on", "lit", [1]), ("off", "dark", [])):
        plain = odds(game, {"light": light}, {}, Pending.of({"roll": "b"}))
        assert (plain.of, plain.ways, [each.add for each in plain.applied]) == (1, {outcome: 1}, applied)
    taken = odds(game, {}, {}, Pending.of({"roll": "f", "take": 2}))
    assert (taken.of, taken.ways) == (1, {"3": 1})
    assert odds(game, {"light": "on"}, {"light": "off"}, Pending.of({"roll": "b"})).ways == {"dark": 1}


def test_odds_say_what_they_assume(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"1.." = "a"}\n[[modifier]]\nadd = 1\nwhen = "zone = 0"\nwhy = "home"\n')
    chances = odds(game, {}, {}, Pending.of({"roll": "t"}))
    assert (chances.title, chances.dice, chances.assumed) == ("t", "1D", {"zone": 0})
    assert odds(game, {"zone": 2}, {}, Pending.of({"roll": "t"})).assumed == {}


@pytest.mark.parametrize(("dice", "of"), [("1D", 6), ("2D", 36), ("3D", 216), ("D66", 36)])
def test_every_total_is_shown_with_dice_that_give_it(tmp_path: Path, dice: str, of: int) -> None:
    game = pack(tmp_path, t=f'dice = "{dice}"\nrows = {{"1.." = "a"}}\n')
    readings = branches(game, {}, {}, Pending.of({"roll": "t", "bind": {}}))
    for branch in readings:
        assert set(branch.result.dice) <= {1, 2, 3, 4, 5, 6}
        assert game.table("t").dice.total(branch.result.dice) == branch.result.rolled == branch.result.net
    assert len({branch.result.rolled for branch in readings}) == len(readings)
    assert sum(branch.ways for branch in readings) == of and {branch.of for branch in readings} == {of}


def test_a_row_that_only_the_book_has_still_shows_the_modifiers(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"..9" = "owner"}\n[[modifier]]\nadd = 2\nwhen = "light = on"\nwhy = "lit"\n')
    found = odds(game, {"light": "on"}, {}, Pending.of({"roll": "t"}))
    assert (found.ways, [(each.add, each.why) for each in found.applied]) == ({"in-your-book": 6}, [(2, "lit")])
    assert [branch.result.title for branch in branches(game, {}, {}, Pending.of({"roll": "t"}))] == ["t"] * 6


def test_a_formula_is_worked_out_on_the_sheet_that_its_row_leaves(tmp_path: Path) -> None:
    game = pack(
        tmp_path, t='rows = {"..3" = "a", "4.." = -1}\n[outcome.a]\ndo = ["hour = 3"]\nis = "1D * hour + zone"\n'
    )
    chances = odds(game, {"hour": 9}, {"zone": 2}, Pending.of({"roll": "t"}))
    assert list(chances.ways.items()) == [("-1", 18), ("5", 3), ("8", 3), ("11", 3), ("14", 3), ("17", 3), ("20", 3)]


@pytest.mark.slow
def test_every_table_with_rows_has_odds_that_add_up_to_one(b29: Pack) -> None:
    counted = 0
    facts = b29.sheet.given(["fighter.clock=6", "fighter.angle=high", "fighter.type=frank", "bomb-run=on"])
    for table in b29.all_tables():
        try:
            readings = branches(b29, {}, facts, Pending.of({"roll": table.id}))
        except OwnerTable:
            assert table.unwritten or table.dice.count is None
            continue
        except Exception as problem:
            assert "needs" in str(problem) or "has no column" in str(problem), (table.id, problem)
            continue
        assert sum(Fraction(branch.ways, branch.of) for branch in readings) == 1, table.id
        counted += 1
    assert counted > 35
