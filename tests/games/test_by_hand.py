"""Any table by hand, on any sheet: missing facts are asked for or listed, never silently ignored.

`python -m tests.by_hand` goes for a longer walk.
"""

import random

import pytest

from companion.packs import Pack
from tests.by_hand import every_table, rolled, silent, stopped, summed, walked
from tests.support import slow_but

GAMES = slow_but(["b17", "bombs-away", "b29", "b29-streamliner"])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", slow_but(range(2)))
def test_no_fact_changes_a_roll_that_does_not_name_it(game: str, seed: int) -> None:
    pack, rng = Pack(game), random.Random(seed)
    assert [line for table in every_table(pack) for line in silent(pack, table, rng)] == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", slow_but(range(2)))
def test_no_roll_stops_for_what_it_could_have_asked(game: str, seed: int) -> None:
    pack, rng = Pack(game), random.Random(seed)
    assert [line for table in every_table(pack) if (line := stopped(pack, table, rng))] == []


@pytest.mark.parametrize("game", GAMES)
def test_moves_by_hand_leave_nothing_stuck_and_claim_nothing(game: str) -> None:
    pack, rng = Pack(game), random.Random(3)
    tables = every_table(pack)
    assert [line for _ in range(30) for line in walked(pack, tables, rng, 8)] == []


def test_a_fact_that_is_named_does_change_a_roll(b29: Pack) -> None:
    """The walk would notice a missing fact: a Tojo subtracts one from 5-9 (5-9, its modifiers)."""
    table = b29.table("5-9")
    plain = rolled(b29, table, {}, {"fighter.clock": "6"}, 7)
    tojo = rolled(b29, table, {}, {"fighter.clock": "6", "fighter.type": "tojo"}, 7)
    assert plain.assumed["fighter.type"] == "none"
    assert summed(plain) != summed(tojo)
    assert "fighter.type" not in tojo.assumed
