"""Killed commands and full disks: what was acknowledged is never lost."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.store import campaigns, files
from tests.bench.crash import storm
from tests.storage.evenings import MISSION, boxes
from tests.support import ROOT, Run, slow_but


@pytest.mark.slow
def test_commands_killed_at_any_moment_lose_nothing_acknowledged(data_folder: Path) -> None:
    came = storm(data_folder, 40, seed=29)
    assert came.killed == 40
    assert came.recorded >= 5


def test_the_bytes_are_on_the_disk_before_the_name_and_the_name_before_the_answer(
    struck: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    for name in ("fsync", "replace"):
        call = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a, name=name, call=call: (done.append(name), call(*a))[1])
    struck("mark", "fuel.wing")
    assert done == ["fsync", "replace", "replace", "fsync"]  # bytes; the file itself, .bak; the folder


@pytest.mark.slow
def test_what_a_killed_command_left_over_is_not_in_the_way(struck: Run, data_folder: Path) -> None:
    folder = (data_folder / MISSION).parent
    (folder / ".mission-01.json.new").write_text('{"mission"')
    (folder / ".mission-01.json.bak").write_text("")
    assert "2 half-written files" in struck("doctor").out
    assert struck("mark", "fuel.wing").code == 0
    assert boxes(struck) == 9
    assert sorted(each.name for each in folder.iterdir()) == [
        ".lock", "campaign.json", "mission-01.bak", "mission-01.json",
    ]  # fmt: skip


@pytest.mark.parametrize("call", slow_but(["open", "fsync", "replace", "link and copy"], 1))
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_refuses_is_one_sentence_and_the_old_state_stands(
    struck: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, os.strerror(number))

    before = (data_folder / MISSION).read_bytes()
    with monkeypatch.context() as patch:
        if call == "open":
            patch.setattr(files, "write_synced", refuse)
        elif call == "link and copy":
            patch.setattr(os, "link", refuse)
            write = files.write_synced
            patch.setattr(
                files, "write_synced", lambda at, what, **by: refuse() if at.suffix == ".bak" else write(at, what, **by)
            )
        else:
            patch.setattr(os, call, refuse)
        ran = struck("mark", "fuel.wing")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.count("\n") == 1
    assert os.strerror(number) in ran.err and "nothing was recorded" in ran.err
    assert (data_folder / MISSION).read_bytes() == before
    assert not list((data_folder / MISSION).parent.glob(".mission*"))
    assert boxes(struck) == 8


def test_a_disk_that_does_not_confirm_the_name_is_told_as_what_it_is(
    struck: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(files, "sync_folder", refuse)
        ran = struck("mark", "fuel.wing")
    assert ran.code == 1 and "is written, but the disk did not confirm it" in ran.err
    assert boxes(struck) == 9


def test_a_file_system_without_links_keeps_the_generation_before_too(
    struck: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    before = (data_folder / MISSION).read_bytes()
    monkeypatch.setattr(os, "link", refuse)
    assert struck("mark", "fuel.wing").code == 0
    assert (data_folder / MISSION).with_suffix(".bak").read_bytes() == before


def test_a_folder_that_is_gone_or_no_folder_is_said(struck: Run, data_folder: Path, tmp_path: Path) -> None:
    (data_folder / "campaigns").rename(tmp_path / "elsewhere")
    ran = struck("mark", "fuel.wing")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "the campaign in use is missing" in ran.err
    assert struck("roll", "6-1", "--game", "b29", "--dice", "3").code == 0
    (data_folder / "campaigns").write_text("a file")
    ran = struck("new", "Second", "--game", "b29", "--yes")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "nothing was recorded" in ran.err


def test_ctrl_c_in_the_middle_of_a_save_leaves_the_old_sheet(struck: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from tinydb.table import Document

    def interrupted(value: Any, doc_id: int) -> Document:
        if doc_id > 1:
            raise KeyboardInterrupt
        return Document(value, doc_id)

    with monkeypatch.context() as patch:
        patch.setattr(campaigns, "Document", interrupted)
        assert struck("mark", "fuel.wing").code == 1
    assert boxes(struck) == 8
    assert len(struck("log", "--json").json) == 2


@pytest.mark.parametrize("call", slow_but(["fsync", "before the swap", "swap", "folder", "told"], 1))
@pytest.mark.parametrize("fault", [KeyboardInterrupt, RuntimeError])
def test_what_is_said_of_a_command_that_broke_off_is_so(
    struck: Run, monkeypatch: pytest.MonkeyPatch, call: str, fault: type[BaseException]
) -> None:
    """Stopped before the swap nothing was recorded; stopped after it, that is not claimed."""
    replace, stood = os.replace, boxes(struck)

    def stop(*_: Any) -> None:
        raise fault

    def swap(source: Any, target: Any) -> None:
        last = Path(target).suffix == ".json"
        if call == "before the swap" and last:
            stop()
        replace(source, target)
        if call == "swap" and last:
            stop()

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", swap)
        if call == "fsync":
            patch.setattr(os, "fsync", stop)
        elif call == "folder":
            patch.setattr(files, "sync_folder", stop)
        elif call == "told":
            patch.setattr("companion.cli.edit.print", stop, raising=False)
            patch.setattr("rich.console.Console.print", stop)
        ran = struck("mark", "fuel.wing")
    assert ran.code == 1
    landed = boxes(struck) > stood
    assert landed == (call not in ("fsync", "before the swap")) == ("What had been recorded stands" in ran.err)
    assert landed != ("othing was recorded" in ran.err)
    assert len(struck("log", "--json").json) == 2 + landed


def test_a_long_flight_is_written_in_one_go(struck: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    writes: list[str] = []
    write = campaigns.SafeStorage.write
    monkeypatch.setattr(
        campaigns.SafeStorage, "write", lambda self, data: (writes.append(self.path.name), write(self, data))[1]
    )
    from companion.packs import Pack
    from companion.play.journal import Journal
    from companion.play.mission import Mission

    entries = [{"v": "set", "t": "set"} for _ in range(2500)]
    mission = Mission(Pack("b29"), {}, [], Journal(entries), 2)
    campaign = campaigns.current()
    assert campaign is not None
    campaign.begin(mission)
    assert writes == ["mission-02.json"]


@pytest.mark.slow
def test_an_output_that_nobody_can_read_does_not_deny_what_was_recorded(struck: Run) -> None:
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "companion", "mark", "fuel.wing"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE,
            text=True,
        )  # fmt: skip
    assert ran.returncode == 1
    assert ran.stderr == "cannot go on: No space left on device. What had been recorded stands: companion log\n"
    assert boxes(struck) == 9
    narrow = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ran = subprocess.run(
        [sys.executable, "-m", "companion", "mark", "fuel.wing"], cwd=ROOT, capture_output=True, text=True, env=narrow
    )
    assert (ran.returncode, ran.stdout) == (0, "Wing tanks: 1 crossed off, 28 left\n")


def test_a_sheet_that_cannot_be_written_leaves_the_one_before(
    struck: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sheet.txt").write_text("the one before")

    def refuse(self: Path, said: bytes) -> int:
        with open(self, "wb") as file:
            file.write(said[:5])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    ran = struck("sheet", "mission", "-o", tmp_path / "sheet.txt")
    assert ran.code == 1 and "sheet.txt: No space left on device" in ran.err
    assert {each.name: each.read_text() for each in tmp_path.glob("*sheet*")} == {"sheet.txt": "the one before"}
