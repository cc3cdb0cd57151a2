"""The built-in packs are consistent: every name exists, every roll lands on a row, every table is cited."""

import pytest

from companion.packs import Pack, games
from companion.packs.check import check
from tests.support import slow_but


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
