"""`companion doctor` on the player's packs: every file is named, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.packs import tables_folder
from tests.support import ERRATA, Lay, Run

VARIANT = "b29-streamliner"


def found_by_doctor(companion: Run) -> dict[str, str]:
    return {each["file"]: each["cause"] for each in companion("doctor", "--json").json if each["kind"] == "pack"}


@pytest.mark.slow
def test_the_doctor_names_every_file_of_the_players_packs(companion: Run, lay: Lay, data_folder: Path) -> None:
    sound = lay("8-1.toml", ERRATA)
    unread = lay("5-7.toml", "[[patch]\n")
    misspelt = lay("5-9.toml", '[[patch]]\nreason = "x"\nmodifier = "ase"\nadd = 1\n')
    of_variant = lay("5.2A.toml", '[[patch]]\nreason = "x"\ncolumn = "Lihgt"\nrow = 6\nas = "none"\n', VARIANT)
    no_game = lay("T-1.toml", 'id = "T-1"\n', "tigers")
    astray = lay("5-8.toml", ERRATA, ".")
    shouted = lay("5-8.toml", ERRATA, "B29")
    told = found_by_doctor(companion)
    assert told[str(sound)] == ""
    assert told[str(unread)].startswith("line 1: it is not valid TOML")
    assert "'ase'" in told[str(misspelt)] and "did you mean" in told[str(misspelt)]
    assert "Light" in told[str(of_variant)]
    assert "there is no game tigers" in told[str(no_game.parent)]
    assert "nothing reads it" in told[str(astray)] and "nothing reads it" in told[str(shouted)]
    ran = companion("doctor")
    assert ran.code == 1 and ran.err.count("\n") == 1 and "tables reset TABLE" in ran.err
    assert f"sound    {sound}: yours\n" in ran.out and f"wrong    {unread}: line 1: " in ran.out
    assert "There are no campaigns yet" in ran.out


@pytest.mark.slow
def test_the_doctor_proves_the_packs_in_use(companion: Run, data_folder: Path) -> None:
    assert found_by_doctor(companion) == {}
    companion("new", "Owls", "--game", "b17", "--yes")
    assert found_by_doctor(companion) == {str(tables_folder() / "b17"): ""}
    assert companion("doctor").code == 0


@pytest.mark.slow
def test_the_doctor_survives_a_pack_that_cannot_be_opened(companion: Run, lay: Lay) -> None:
    file = lay("pack.toml", 'extends = "b29"\ntitle = [[\n')
    companion("new", "Owls", "--game", "b17", "--yes")
    assert "not valid TOML" in found_by_doctor(companion)[str(file)]
