"""Damaged files: reported with their cause and replaced by backups; the doctor's report on every file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.packs import Pack, own_files
from companion.store.files import parse, written
from tests.storage.evenings import MISSION, boxes
from tests.support import ERRATA, Run, slow_but


def edit(file: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change a mission's file as another version of the companion might."""
    tables = parse(file.read_bytes(), "mission")
    change(tables)
    file.write_bytes(written(tables))


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut off": lambda content: content[: len(content) // 2],
    "a box too many": lambda content: content.replace(b'"fuel.wing":', b'"fuel.wing":3'),
}


@pytest.mark.parametrize("name", slow_but(list(DAMAGES), 1))
def test_a_damaged_mission_is_named_with_its_cause_and_restored(struck: Run, data_folder: Path, name: str) -> None:
    said, file = "it is damaged, or was changed by another program", data_folder / MISSION
    broken = DAMAGES[name](file.read_bytes())
    file.write_bytes(broken)
    ran = struck("status")
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert f"Can't use {file}: " in ran.err and said in ran.err and "Check it with: companion doctor" in ran.err
    told = {each["file"]: each for each in struck("doctor", "--json").json}
    assert said in told[str(file)]["cause"] and told[str(file)]["backup_sound"]
    assert f"Its backup is intact: {file.with_suffix('.bak')}" in struck("doctor").out
    assert struck("doctor", "--repair").code == 2  # nobody to ask
    assert struck("mark", "fuel.wing").code == 1
    assert file.read_bytes() == broken
    ran = struck("doctor", "--repair", "--yes")
    assert ran.code == 0 and "repaired" in ran.out
    assert file.with_suffix(".damaged").read_bytes() == broken
    assert boxes(struck) == 7
    assert struck("mark", "fuel.wing").code == 0
    assert struck("doctor").code == 0


@pytest.mark.slow
def test_a_lost_file_and_one_without_a_generation_before(struck: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    file.unlink()
    assert "it is missing" in struck("status").err
    assert struck("mission", "start", "--yes").code == 1  # mission 1 is not begun a second time
    assert struck("doctor", "--repair", "--yes").code == 0
    assert boxes(struck) == 7
    file.write_text("")
    file.with_suffix(".bak").write_text("")
    assert "is damaged too: it is damaged" in struck("doctor").out
    assert struck("doctor", "--repair", "--yes").code == 1


def test_a_new_campaign_has_a_backup_of_its_file(struck: Run, data_folder: Path) -> None:
    about, crew = (data_folder / MISSION).with_name("campaign.json"), struck("crew", "--json").json
    about.unlink()
    assert struck("status").code == 1
    ran = struck("doctor", "--repair", "--yes")
    assert ran.code == 0 and f"repaired {about}" in ran.out
    assert struck("crew", "--json").json == crew and struck("doctor").code == 0


@pytest.mark.slow
def test_a_newer_file_is_refused_and_left_alone(struck: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    edit(file, lambda found: found["mission"]["1"].update(format=2))
    ran = struck("mark", "fuel.wing")
    assert ran.code == 1 and "saved by a newer version (format 2). Update this companion" in ran.err
    assert "newer" in struck("doctor", "--repair", "--yes").out
    assert not file.with_suffix(".damaged").exists()


@pytest.mark.parametrize("older", slow_but([None, "x"], 1))
def test_a_damaged_note_of_the_current_campaign_is_no_end(struck: Run, data_folder: Path, older: str | None) -> None:
    settings = data_folder / "settings.json"
    settings.write_text("x")
    if older is not None:
        settings.with_suffix(".bak").write_text(older)
    assert struck("mark", "fuel.wing").code == 1
    assert "Choose a campaign with: companion use NAME" in struck("doctor").out
    assert struck("use", "Owls").code == 0
    assert struck("mark", "fuel.wing").code == 0
    assert struck("doctor").code == 0


def test_nothing_is_replaced_without_a_kept_copy(struck: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    for number, content in enumerate(("one", "two", "three"), 1):
        file.write_text(content)
        assert struck("doctor", "--repair", "--yes").code == 0
        assert file.with_suffix(".damaged" if number == 1 else f".damaged-{number}").read_text() == content


@pytest.mark.slow
def test_a_table_of_ones_own_has_a_generation_before_it(companion: Run, b29: Pack) -> None:
    file = own_files.own_file(b29, "8-1")
    own_files.save_text(file, ERRATA)
    own_files.save_text(file, ERRATA.replace("-3", "-4"))
    assert file.with_suffix(".bak").read_text() == ERRATA
    ran = companion("doctor")
    assert ran.code == 0 and f"sound    {file}: yours: errata 4. Check it with: companion tables check b29\n" in ran.out
    assert "There are no campaigns yet" in ran.out
    file.write_text("[[patch]\n")
    assert companion("doctor", "--repair", "--yes").code == 0
    assert file.read_text() == ERRATA
    assert file.with_suffix(".damaged").read_text() == "[[patch]\n"


def test_a_field_that_the_game_no_longer_knows_is_kept_and_told(struck: Run, data_folder: Path) -> None:
    path = data_folder / MISSION
    edit(path, lambda found: found["mission"]["1"]["facts"].update({"parrot": "yes", "engines.out": 2}))
    assert all(struck(command).code == 0 for command in ("status", "campaign", "log"))
    assert struck("mark", "fuel.wing").code == 0 and struck("undo").code == 0
    kept = json.loads(path.read_text())["mission"]["1"]["facts"]
    assert (kept["parrot"], kept["engines.out"]) == ("yes", 2)
    assert struck("status", "--json").json["facts"]["engines.out"] == 0
    ran = struck("doctor")
    assert ran.code == 0 and "Not fields of b29, kept anyway: parrot, engines.out" in ran.out
