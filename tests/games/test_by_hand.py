"""Any table by hand, on any sheet: missing facts are asked for or listed, and every name of a pack exists."""

import random

import pytest

from companion.packs import Pack, games
from companion.packs.check import check
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
@pytest.mark.parametrize("seed", slow_but(range(3)))
def test_moves_by_hand_leave_nothing_stuck_and_claim_nothing(game: str, seed: int) -> None:
    pack, rng = Pack(game), random.Random(seed)
    tables = every_table(pack)
    assert [line for _ in range(10) for line in walked(pack, tables, rng, 8)] == []


def test_a_fact_that_is_named_does_change_a_roll(b29: Pack) -> None:
    """The walk would notice a missing fact: a Tojo subtracts one from 5-9 (5-9, its modifiers)."""
    table = b29.table("5-9")
    plain = rolled(b29, table, {}, {"fighter.clock": "6"}, 7)
    tojo = rolled(b29, table, {}, {"fighter.clock": "6", "fighter.type": "tojo"}, 7)
    assert plain.assumed["fighter.type"] == "none"
    assert summed(plain) != summed(tojo)
    assert "fighter.type" not in tojo.assumed


@pytest.mark.parametrize("game", slow_but(games(), 1))
def test_the_pack_is_sound(game: str) -> None:
    assert check(Pack(game)) == []


OWNER = (
    "2-1 2-2A 2-2B 2-2C 2-2D 2-2E 2-3 2-4 2-5 2-6 2-7 2-8 2-9 3-1 3-2 4-1 4-4 4-5 4-6 4-7 4-8 4-9 4-10 4-11 "
    "7-5.a 7-5.b 7-5.c 7-5.d 7-5.e 7-5.f 7-5.g 7-5.h 7-5.n 7-5.o 7-6 7-7 7-8 7-9 7-10 7-11 7-12 7-13 7-14 "
    "8-1 8-2 8-3 8-4 8-5 8-6 8-7 9-1 9-2 9-3"
).split()


@pytest.mark.parametrize("name", OWNER)
def test_tables_of_the_players_book_have_no_invented_row(b29: Pack, name: str) -> None:
    table = b29.table(name)
    assert table.owner
    assert not table.columns
