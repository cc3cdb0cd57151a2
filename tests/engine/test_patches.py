"""Patches of a table: which ones affect a roll, and how they are named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack
from tests.support import pack


def patched(folder: Path, patches: str, table: str) -> Pack:
    """Return a pack with the table `t` and patches of it."""
    for name in ("over", "below"):
        (folder / name).mkdir()
    pack(folder / "below", t=table)
    (folder / "over" / "t.toml").write_text(patches)
    return Pack("raid", [folder / "over", folder / "below"])


def reasons(game: Pack, die: int, **state: Any) -> list[str]:
    """Return the patches that affected a roll."""
    found = settle(Play(game, state).roll("t", Hand([[die]]))).patched
    assert {each["table"] for each in found} <= {"t"}
    return [each["reason"] for each in found]


def test_a_change_to_the_whole_table_affects_every_roll(tmp_path: Path) -> None:
    text = '[[patch]]\nreason = "wording"\ntitle = "Flak"\n[[patch]]\nreason = "a row"\nrows = {2 = "c"}\n'
    game = patched(tmp_path, text, 'rows = {"..6" = "a"}\n')
    assert [reasons(game, die) for die in (1, 2)] == [["wording"], ["wording", "a row"]]


def test_a_patched_result_takes_part_wherever_it_comes_up(tmp_path: Path) -> None:
    game = patched(
        tmp_path,
        '[[patch]]\nreason = "below"\n[patch.outcome.a]\ntext = "x"\n'
        '[[patch]]\nreason = "on top"\n[patch.outcome.a]\ntext = "y"\n'
        '[[patch]]\nreason = "other"\n[patch.outcome.c]\ntext = "z"\n',
        'rows = {1 = "a", 2 = ["b", "a"], 3 = {as = "a", with = {city = 1}}, 4 = "b", 5 = ["c", "a"]}\n'
        '[outcome.a]\ntext = "w"\n',
    )
    seen = [["on top"], ["on top"], ["on top"], [], ["on top", "other"]]
    assert [reasons(game, die) for die in (1, 2, 3, 4, 5)] == seen
    assert settle(Play(game).roll("t", Hand([[3]]))).text == "y"


def test_of_two_patches_of_a_row_the_one_on_top_takes_part(tmp_path: Path) -> None:
    rows = "".join(f'[[patch]]\nreason = "{name}"\nrows = {{"{row}" = "{to}"}}\n' for name, row, to in (
        ("below", "2..4", "b"), ("on top", "3", "c"),
    ))  # fmt: skip
    game = patched(tmp_path, rows, 'rows = {"1.." = "a"}\n')
    assert [reasons(game, die) for die in (1, 2, 3, 4, 5)] == [[], ["below"], ["on top"], ["below"], []]
    assert [settle(Play(game).roll("t", Hand([[die]]))).outcome for die in (1, 2, 3, 4, 5)] == ["a", "b", "c", "b", "a"]
