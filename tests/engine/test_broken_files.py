"""Files of a pack that make no sense: a sentence with their name, whatever was asked of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.packs.check import check
from tests.support import Lay, Run, pack, sheet_of


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        ('wide = {label = "Wide {"}', "its label has a brace without its partner"),
        ('wide = {boxes = "gun.bursts"}', "its boxes are gun.bursts, which the sheet says of nobody"),
        ('"wide[gun]" = {boxes = "gun.bursts"}', "its boxes are gun.bursts, which is no number for every gun"),
        ('wide = {kind = "count", limit = []}', "limit has 0 of them; a list of the lowest number and the highest"),
    ],
)
def test_a_field_that_cannot_be_drawn_is_said_with_its_line(tmp_path: Path, field: str, sentence: str) -> None:
    sheet = f'{sheet_of("spar")}{field}\n[index.gun]\ntail = {{bursts = "many"}}\n'
    game = pack(tmp_path, "spar", sheet=sheet)
    assert any("sheet.toml, line 5: " in each and sentence in each for each in check(game)), check(game)


def test_the_game_that_a_pack_extends_is_a_name(companion: Run, lay: Lay) -> None:
    path = lay("pack.toml", 'extends = ["b29"]\n')
    ran = companion("show", "5-1", "--game", "b29")
    assert (ran.code, ran.err) == (1, f"{path}: extends takes the name of a game\n")
