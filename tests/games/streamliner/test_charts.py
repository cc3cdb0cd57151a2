"""The Streamliner compared with the transcription of its rules (`book/streamliner.py`)."""

from typing import Any

import pytest

from companion.packs import Pack
from tests.book import streamliner as book
from tests.book.reading import facts_for, printed
from tests.games.streamliner.table import total
from tests.support import slow_but


@pytest.mark.section(
    "b29-streamliner 3", "b29-streamliner 4", "b29-streamliner 5 A", "b29-streamliner 5 B", "b29-streamliner 10",
    "b29-streamliner 11", "b29-streamliner 12", "b29-streamliner 17",
)  # fmt: skip
@pytest.mark.parametrize(("name", "facts", "nets"), book.CELLS)
def test_every_printed_cell(pack: Pack, name: str, facts: dict[str, Any], nets: dict[int, str]) -> None:
    table = pack.table(name)
    assert {net: printed(table, facts_for(pack, table, facts), net) for net in nets} == nets


@pytest.mark.section("b29-streamliner 5 A", "b29-streamliner 5 B", "b29-streamliner 10", "b29-streamliner 12")
@pytest.mark.parametrize(("name", "base", "trigger", "amount"), slow_but(book.MODIFIERS, 40))
def test_every_modifier(pack: Pack, name: str, base: dict[str, Any], trigger: dict[str, Any], amount: int) -> None:
    assert total(pack, name, {**base, **trigger}) - total(pack, name, base) == amount


@pytest.mark.section("b29-streamliner 10", "b29-streamliner 5 A")
@pytest.mark.parametrize(("name", "base", "trigger"), book.NOTHING)
def test_what_changes_nothing(pack: Pack, name: str, base: dict[str, Any], trigger: dict[str, Any]) -> None:
    assert total(pack, name, {**base, **trigger}) == total(pack, name, base)
