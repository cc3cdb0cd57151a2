"""Damaged files: reported with their cause and replaced by backups; the doctor's report on every file."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.packs import Pack, own_tables
from companion.store.documents import DamagedFile, parse, written
from tests.storage.evenings import HIT, MISSION, boxes, fly
from tests.support import ERRATA, Run, slow_but


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
    "emptied": (lambda content: b"", "its contents are wrong"),
    "a box too many": (facts(**{"fuel.wing": 39}), "fuel.wing must be 0 to 38, not 39"),
    "no value": (facts(altitude=None), "expected int | str, got null"),
    "stand too far": (edited(lambda found: found["mission"]["1"].update(stand=9)), "is at entry 9, but has 2"),
    "an entry missing": (edited(lambda found: found["journal"].pop("1")), "its journal has a gap"),
    "no format": (edited(lambda found: found["mission"]["1"].pop("format")), "it isn't a mission"),
}


@pytest.mark.parametrize("name", slow_but(list(DAMAGES), 1))
def test_a_damaged_mission_is_named_with_its_cause_and_restored(struck: Run, data_folder: Path, name: str) -> None:
    damage, said = DAMAGES[name]
    file = data_folder / MISSION
    broken = damage(file.read_bytes())
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
    assert "is damaged too: its contents are wrong" in struck("doctor").out
    assert struck("doctor", "--repair", "--yes").code == 1


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_text('{"campaign":{"1":{"form')])
def test_a_new_campaign_has_a_backup_of_its_file(
    struck: Run, data_folder: Path, damage: Callable[[Path], object]
) -> None:
    about, crew = (data_folder / MISSION).with_name("campaign.json"), struck("crew", "--json").json
    damage(about)
    assert struck("status").code == 1
    ran = struck("doctor", "--repair", "--yes")
    assert ran.code == 0 and f"repaired {about}" in ran.out
    assert struck("crew", "--json").json == crew and struck("doctor").code == 0


@pytest.mark.slow
def test_a_newer_file_is_refused_and_left_alone(struck: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    file.write_bytes(edited(lambda found: found["mission"]["1"].update(format=2))(file.read_bytes()))
    ran = struck("mark", "fuel.wing")
    assert ran.code == 1 and "saved by a newer version (format 2). Update this companion" in ran.err
    assert "newer" in struck("doctor", "--repair", "--yes").out
    assert not file.with_suffix(".damaged").exists()


@pytest.mark.slow
def test_damaged_settings_and_campaigns_are_reported_too(struck: Run, data_folder: Path) -> None:
    struck("new", "Second", "--game", "b29", "--yes")
    (data_folder / "settings.json").write_text("{")
    assert "settings.json: its contents are wrong" in struck("status").err
    assert struck("doctor", "--repair", "--yes").code == 0
    assert boxes(struck) == 8  # the generation before named the Owls
    about = data_folder / "campaigns" / "second" / "campaign.json"
    about.write_text('{"campaign":{"1":{"format":1,"name":"Second","game":"b29","roster":{"pilot":7}}}}')
    assert "expected str, got int at roster" in struck("use", "Second").err
    about.write_text('{"campaign":{"1":{"format":1,"name":"Second"}}}')
    assert "no name or no game" in struck("use", "Second").err


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


def test_a_mission_that_is_missing_between_others_is_said_to_be_missing(struck: Run, data_folder: Path) -> None:
    struck("set", *HIT)
    fly(struck, *HIT)
    fly(struck, *HIT)
    folder = (data_folder / MISSION).parent
    assert struck("doctor").code == 0
    for end in ("json", "bak"):
        (folder / f"mission-02.{end}").unlink()
    ran = struck("doctor")
    assert ran.code == 1 and f"missing  {folder / 'mission-02.json'}: it is missing. It has no backup" in ran.out


def test_nothing_is_replaced_without_a_kept_copy(struck: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    for number, content in enumerate(("one", "two", "three"), 1):
        file.write_text(content)
        assert struck("doctor", "--repair", "--yes").code == 0
        kept = file.with_suffix(".damaged" if number == 1 else f".damaged-{number}")
        assert kept.read_text() == content


def test_the_campaign_in_use_that_is_not_there_is_said(struck: Run, data_folder: Path) -> None:
    (data_folder / "campaigns" / "owls").rename(data_folder.with_name(f"{data_folder.name}-away"))
    ran = struck("doctor", "--repair", "--yes")
    assert ran.code == 1 and "the campaign in use, owls, is missing" in ran.out


@pytest.mark.slow
def test_a_table_of_ones_own_has_a_generation_before_it(companion: Run, b29: Pack) -> None:
    file = own_tables.own_file(b29, "8-1")
    own_tables.save_text(file, ERRATA)
    own_tables.save_text(file, ERRATA.replace("-3", "-4"))
    assert file.with_suffix(".bak").read_text() == ERRATA
    ran = companion("doctor")
    assert ran.code == 0 and f"sound    {file}: yours: errata 4. Check it with: companion tables check b29\n" in ran.out
    assert "There are no campaigns yet" in ran.out
    file.write_text("[[patch]\n")
    assert companion("doctor", "--repair", "--yes").code == 0
    assert file.read_text() == ERRATA
    assert file.with_suffix(".damaged").read_text() == "[[patch]\n"


# -- documents that somebody else has written --------------------------------------------------------------------------


def stored(*entries: object, pending: object = (), **row: object) -> bytes:
    """Return a mission's file as somebody else might have written it."""
    mission = {"format": 1, "number": 1, "game": "b29", "stand": len(entries), "facts": {}, "pending": pending, **row}
    journal = {str(at): entry for at, entry in enumerate(entries, 1)}
    return json.dumps({"mission": {"1": mission}, "journal": journal}).encode()


def test_a_file_says_by_its_checksum_whether_we_wrote_it() -> None:
    tables = json.loads(stored({"v": "step", "t": "brief"}))
    ours = written(tables)
    assert parse(ours, "mission") == (tables, True)
    assert parse(ours.replace(b"brief", b"brieg"), "mission").ours is False
    for bit in range(0, 8 * len(ours), 61):  # a flip is never taken for ours
        flipped = bytearray(ours)
        flipped[bit // 8] ^= 1 << bit % 8
        with suppress(DamagedFile):
            assert not parse(bytes(flipped), "mission").ours


def test_a_field_that_the_game_no_longer_knows_is_kept_and_told(struck: Run, data_folder: Path) -> None:
    path = data_folder / MISSION
    path.write_bytes(facts(**{"parrot": "yes", "engines.out": 2})(path.read_bytes()))
    assert all(struck(command).code == 0 for command in ("status", "campaign", "log"))
    assert struck("mark", "fuel.wing").code == 0 and struck("undo").code == 0
    kept = json.loads(path.read_text())["mission"]["1"]["facts"]
    assert (kept["parrot"], kept["engines.out"]) == ("yes", 2)
    assert struck("status", "--json").json["facts"]["engines.out"] == 0
    ran = struck("doctor")
    assert ran.code == 0 and "Not fields of b29, kept anyway: parrot, engines.out" in ran.out
