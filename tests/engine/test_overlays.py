"""The player's overlays of built-in tables: patches with a reason, the rolls that they affect, and whole files."""

from pathlib import Path
from typing import Any

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack
from tests.support import Lay, Run, pack

NIGHT_FIRE = ("roll", "5-9", "--game", "b29", "--dice", "4,4", "--with", "fighter.clock=6", "--json")


def test_a_row_is_named_by_its_key_and_its_columns_title(companion: Run, lay: Lay) -> None:
    patch = '[[patch]]\nreason = "my club"\ncolumn = [{title = "Light", rows = {2 = "none"}}]\n'
    lay("5.2a.toml", patch)
    light = ("roll", "5.2A", "--game", "b29", "--with", "resistance=light", "--json", "--dice")
    assert companion(*light, "2").json["patched"] == [{"table": "5.2A", "reason": "my club"}]
    first = companion(*light, "1").json
    assert first["outcome"] == "attack"
    assert "patched" not in first
    heavy = companion("roll", "5.2A", "--game", "b29", "--with", "resistance=heavy", "--dice", "2", "--json").json
    assert "patched" not in heavy


def test_a_note_and_a_sub_roll_can_be_changed(companion: Run, lay: Lay) -> None:
    text = '[[patch]]\nreason = "errata 9"\n[patch.sub.a]\nrows = {3 = "fixed"}\n'
    lay("5-7.toml", text + '[[patch]]\nreason = "a remark"\nnote = "Read this."\n')
    jam = companion("roll", "5-7.a", "--game", "b29", "--with", "gun=tail", "--dice", "3", "--json").json
    assert (jam["outcome"], jam["patched"]) == ("fixed", [{"table": "5-7.a", "reason": "errata 9"}])
    assert "Read this." in companion("show", "5-7", "--game", "b29").out


def test_a_file_of_the_same_name_takes_the_place_of_ours(companion: Run, lay: Lay) -> None:
    lay(
        "6-1.toml",
        'id = "6-1"\ntitle = "Haze"\ndice = "1D"\ncite = "mine"\nrows = {"1.." = "h"}\n[outcome.h]\ntext = "Haze"\n',
    )
    rolled = companion("roll", "6-1", "--game", "b29", "--dice", "5", "--json").json
    assert (rolled["title"], rolled["text"]) == ("Haze", "Haze")
    assert "patched" not in rolled


def test_a_players_patch_overrides_the_variant_and_its_base(companion: Run, lay: Lay) -> None:
    lay("5-9.toml", '[[patch]]\nreason = "errata 4"\nmodifier = [{id = "ace", add = 2}]\n')
    lay(
        "5.2A.toml",
        '[[patch]]\nreason = "mine"\ncolumn = [{title = "Light", rows = {6 = "attack"}}]\n',
        "b29-streamliner",
    )
    shot = [*NIGHT_FIRE, "--with", "fighter.pilot=ace"]
    shot[3] = "b29-streamliner"
    assert companion(*shot).json["net"] == 10
    light = ("roll", "5.2A", "--game", "b29-streamliner", "--with", "resistance=light", "--json", "--dice")
    assert companion(*light, "6").json["patched"] == [{"table": "5.2A", "reason": "mine"}]
    assert companion(*light, "2").json["outcome"] == "none"


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
