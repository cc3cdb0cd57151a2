"""The doctor never makes it worse: what he cannot read, what has changed while he asked, what is none of ours."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from tests.storage.evenings import MISSION, boxes, fly
from tests.support import ERRATA, Lay, Run

HIT = ["bomber.fate=returned", "bombs=dropped", "bomb-run=on", "bomb-run.percent=30", "credit=yes"]


def refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk does not give this file, as after `chmod 000`; it is whole."""
    call = os.open

    def opened(file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        if str(file) == str(path):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return original(file, mode, *more, **named)

    def low(file: Any, *more: Any, **named: Any) -> int:
        if str(file) == str(path):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return call(file, *more, **named)

    import io

    original = io.open
    monkeypatch.setattr("builtins.open", opened)
    monkeypatch.setattr(io, "open", opened)
    monkeypatch.setattr(os, "open", low)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mission-01.json", "campaign.json"])
def test_what_cannot_be_read_just_now_is_not_damaged(
    struck: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    file = (data_folder / MISSION).with_name(name)
    before = file.read_bytes()
    with monkeypatch.context() as patch:
        refused(file, patch)
        ran = struck("doctor", "--repair", "--yes")
        assert ran.code == 1 and f"unread   {file}: it cannot be read" in ran.out and "left alone" in ran.out
        assert "mend with" not in ran.err
        told = next(each for each in struck("doctor", "--json").json if each["file"] == str(file))
        assert told["state"] == "unreadable"
    assert file.read_bytes() == before
    assert not list(file.parent.glob("*.damaged*"))
    assert struck("doctor").code == 0 and boxes(struck) == 8


@pytest.mark.slow
def test_every_file_that_is_none_of_ours_is_named(struck: Run, data_folder: Path, lay: Lay) -> None:
    folder = (data_folder / MISSION).parent
    names = ["mission-3.json", "mission-².json", "mission-001.json", "notes.txt", "campaign (copy).json"]
    strange = [folder / name for name in names] + [data_folder / "desktop.ini", folder.parent / "readme"]
    strange.append(lay("5-7.json", "{}"))
    for each in strange:
        each.write_text("{}")
    ran = struck("doctor")
    assert (ran.code, ran.err) == (0, "")
    for each in strange:
        assert f"foreign  {each}: none of ours; nothing reads it\n" in ran.out
    assert struck("mark", "fuel.wing").code == 0  # and they are in nobody's way
    assert struck("campaigns", "--json").json[0]["missions"] == 1


def test_a_mission_that_is_missing_between_others_is_said_to_be_missing(struck: Run, data_folder: Path) -> None:
    struck("set", *HIT)
    fly(struck, *HIT)
    fly(struck, *HIT)
    folder = (data_folder / MISSION).parent
    assert struck("doctor").code == 0
    for end in ("json", "bak"):
        (folder / f"mission-02.{end}").unlink()
    ran = struck("doctor")
    assert ran.code == 1 and f"missing  {folder / 'mission-02.json'}: it is missing; it has no backup" in ran.out


def test_nothing_is_replaced_without_a_kept_copy(struck: Run, data_folder: Path) -> None:
    file = data_folder / MISSION
    for number, content in enumerate(("one", "two", "three"), 1):
        file.write_text(content)
        assert struck("doctor", "--repair", "--yes").code == 0
        kept = file.with_suffix(".damaged" if number == 1 else f".damaged-{number}")
        assert kept.read_text() == content
    settings = data_folder / "settings.json"
    for content in ("x", "y"):
        settings.write_text(content)
        assert struck("use", "Owls").code == 0
    assert settings.with_suffix(".damaged").read_text() == "x"
    assert settings.with_suffix(".damaged-2").read_text() == "y"


def test_the_campaign_in_use_that_is_not_there_is_said(struck: Run, data_folder: Path) -> None:
    (data_folder / "campaigns" / "owls").rename(data_folder.with_name(f"{data_folder.name}-away"))
    ran = struck("doctor")
    assert ran.code == 1 and "the campaign in use, owls, is not there" in ran.out
    assert struck("doctor", "--repair", "--yes").code == 1


@pytest.mark.slow
def test_a_table_of_ones_own_has_a_generation_before_it(companion: Run, data_folder: Path, tmp_path: Path) -> None:
    from companion.packs import Pack, own_tables

    pack = Pack("b29")
    file = own_tables.own_file(pack, "8-1")
    own_tables.save_text(file, ERRATA)
    own_tables.save_text(file, ERRATA.replace("-3", "-4"))
    assert file.with_suffix(".bak").read_text() == ERRATA
    assert companion("doctor").code == 0
    file.write_text("[[patch]\n")
    ran = companion("doctor")
    assert ran.code == 1 and f"its backup is sound: {file.with_suffix('.bak')}" in ran.out
    assert companion("doctor", "--repair", "--yes").code == 0
    assert file.read_text() == ERRATA
    assert file.with_suffix(".damaged").read_text() == "[[patch]\n"


@pytest.mark.parametrize("name", ["mission-01.bak", ".lock"])
def test_a_folder_in_the_place_of_a_backup_or_a_lock_is_named(companion: Run, data_folder: Path, name: str) -> None:
    assert companion("new", "Owls", "--game", "b17", "--yes").code == companion("mission", "start", "--yes").code == 0
    place = data_folder / "campaigns" / "owls" / name
    place.unlink(missing_ok=True)
    place.mkdir()
    ran = companion("doctor")
    assert ran.code == 1 and f"{place}" in ran.out + ran.err and "it is a folder" in ran.out + ran.err
