"""Damaged and old files: named with their cause, and the last good generation restored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.storage.evenings import MISSION, boxes
from tests.support import Run


def edited(change: Callable[[dict[str, Any]], Any]) -> Callable[[bytes], bytes]:
    def edit(content: bytes) -> bytes:
        found = json.loads(content)
        change(found)
        return json.dumps(found).encode()

    return edit


def facts(**values: Any) -> Callable[[bytes], bytes]:
    return edited(lambda found: found["mission"]["1"]["facts"].update(values))


DAMAGES: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "cut off": (lambda content: content[: len(content) // 2], "truncated"),
    "emptied": (lambda content: b"", "it is empty"),
    "too deep": (lambda content: b'{"mission":' + b"[" * 100_000, "nested too deeply"),
    "a box too many": (facts(**{"fuel.wing": 39}), "fuel.wing cannot be 39; it takes 0 to 38"),
    "no value": (facts(altitude=None), "expected int | str, got null"),
    "stand too far": (edited(lambda found: found["mission"]["1"].update(stand=9)), "stands at 9, but there"),
    "an entry missing": (edited(lambda found: found["journal"].pop("1")), "its journal has a gap"),
    "an entry's change torn": (edited(lambda found: found["journal"]["2"].update(c={"zone": 1})), "expected array"),
    "pending nonsense": (edited(lambda found: found["mission"]["1"].update(pending=[{"roll": 5}])), "expected str"),
    "no format": (edited(lambda found: found["mission"]["1"].pop("format")), "no format number"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_mission_is_named_with_its_cause_and_restored(struck: Run, data_folder: Path, name: str) -> None:
    damage, said = DAMAGES[name]
    file = data_folder / MISSION
    broken = damage(file.read_bytes())
    file.write_bytes(broken)
    ran = struck("status")
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert f"{file} is damaged" in ran.err and said in ran.err and str(file.with_suffix(".bak")) in ran.err
    told = {each["file"]: each for each in struck("doctor", "--json").json}
    assert said in told[str(file)]["cause"] and told[str(file)]["backup_sound"]
    assert struck("doctor").code == 1
    assert struck("doctor", "--repair").code == 2  # nobody to ask
    assert file.read_bytes() == broken
    assert struck("mark", "fuel.wing").code == 1
    ran = struck("doctor", "--repair", "--yes")
    assert ran.code == 0 and "mended" in ran.out
    assert file.with_suffix(".damaged").read_bytes() == broken
    assert boxes(struck) == 7
    assert struck("mark", "fuel.wing").code == 0
    assert struck("doctor").code == 0


@pytest.mark.slow
def test_a_lost_file_and_one_without_a_generation_before(struck: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    file.unlink()
    assert "is missing; its backup is sound" in struck("status").err
    assert struck("mission", "start", "--yes").code == 1  # mission 1 is not begun a second time
    assert struck("doctor", "--repair", "--yes").code == 0
    assert boxes(struck) == 7
    file.write_text("")
    file.with_suffix(".bak").write_text("")
    assert "is no better: it is empty" in struck("doctor").out
    assert struck("doctor", "--repair", "--yes").code == 1


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text('{"campaign":{"1":{"form')])
def test_a_new_campaign_has_a_backup_of_its_name_game_and_crew(
    struck: Run, data_folder: Path, damage: Callable[[Path], object]
) -> None:
    about, crew = (data_folder / MISSION).with_name("campaign.json"), struck("crew", "--json").json
    damage(about)
    assert "its backup is sound" in struck("status").err
    ran = struck("doctor", "--repair", "--yes")
    assert ran.code == 0 and f"mended   {about}" in ran.out
    assert struck("crew", "--json").json == crew and struck("doctor").code == 0


@pytest.mark.slow
def test_a_newer_file_is_refused_and_left_alone(struck: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    file.write_bytes(edited(lambda found: found["mission"]["1"].update(format=2))(file.read_bytes()))
    ran = struck("mark", "fuel.wing")
    assert (ran.code, ran.err) == (1, f"{file} was written by a newer companion (format 2); update this one\n")
    assert "newer" in struck("doctor", "--repair", "--yes").out
    assert not file.with_suffix(".damaged").exists()


@pytest.mark.slow
def test_damaged_settings_and_campaigns_are_told_too(struck: Run, data_folder: Path) -> None:
    struck("new", "Second", "--game", "b29", "--yes")
    (data_folder / "settings.json").write_text("{")
    assert "settings.json is damaged" in struck("status").err
    assert struck("doctor", "--repair", "--yes").code == 0
    assert boxes(struck) == 8  # the generation before named the Owls
    about = data_folder / "campaigns" / "second" / "campaign.json"
    about.write_text('{"campaign":{"1":{"format":1,"name":"Second","game":"b29","roster":{"pilot":7}}}}')
    assert "expected str, got int at roster" in struck("use", "Second").err
    about.write_text('{"campaign":{"1":{"format":1,"name":"Second"}}}')
    assert "missing required field game" in struck("use", "Second").err


@pytest.mark.slow
@pytest.mark.parametrize("older", [None, "x", "{}"])
def test_a_damaged_note_of_the_campaign_in_use_is_no_dead_end(
    struck: Run, data_folder: Path, older: str | None
) -> None:
    settings = data_folder / "settings.json"
    settings.write_text("x")
    if older is not None:
        settings.with_suffix(".bak").write_text(older)
    ran = struck("mark", "fuel.wing")
    assert (ran.code, ran.err.count("\n")) == (1, 1) and "it makes no sense" in ran.err
    assert "choose the campaign again with: companion use NAME" in struck("doctor").out
    assert struck("use", "Owls").code == 0
    assert struck("mark", "fuel.wing").code == 0
    assert struck("doctor").code == 0
    assert settings.with_suffix(".damaged").read_text() == "x"


def test_a_campaign_of_a_game_that_is_not_there_is_found(struck: Run, data_folder: Path) -> None:
    path = (data_folder / MISSION).with_name("campaign.json")
    path.write_text(path.read_text().replace('"b29"', '"b92"'))
    ran = struck("doctor")
    assert ran.code == 1 and "there is no game b92" in ran.out
