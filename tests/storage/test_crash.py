"""Killed commands, full disks, two terminals at once, and other systems: acknowledged moves are never lost."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion.problems import SystemFault
from companion.store import files
from tests.storage.evenings import MISSION, boxes
from tests.storage.kills import by_forks, copies, killed
from tests.support import ROOT, Run, slow_but


@by_forks
@pytest.mark.slow
@pytest.mark.parametrize("command", [["mark", "windshield.hits"], ["roll", "6-1", "--dice", "3"]])
def test_a_killed_command_has_been_carried_out_or_not(struck: Run, data_folder: Path, command: list[str]) -> None:
    def state() -> object:
        return struck("log", "--json").json, struck("status", "--json").json

    with copies(data_folder) as again:
        again()
        struck(*command)  # from now on its table is in memory, and each try makes the same calls
        again()
        earlier = state()
        usual, later = killed(lambda: struck(*command)), state()
        assert usual.calls > 5 and earlier != later
        for at, after in [*((at, False) for at in range(1, usual.calls + 1)), (usual.calls, True)]:
            home = again()
            assert killed(lambda: struck(*command), at, after=after).code == -9
            assert state() in (earlier, later)
            struck("set", "evasive=yes")  # and it removes leftovers
            assert not list((home / "campaigns" / "owls").glob(".*new"))


def test_the_bytes_are_on_the_disk_before_the_name_and_the_name_before_the_answer(
    struck: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    for name in ("fsync", "replace"):
        call = getattr(os, name)
        monkeypatch.setattr(os, name, lambda *a, name=name, call=call: (done.append(name), call(*a))[1])
    struck("mark", "fuel.wing")
    assert done == ["fsync", "replace", "replace", "fsync"]  # bytes; the file itself, .bak; the folder


@pytest.mark.parametrize("call", slow_but(["open", "fsync", "replace", "link and copy"], 1))
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_full_disk_is_one_sentence_and_keeps_the_old_state(
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
    assert os.strerror(number) in ran.err and "Nothing was saved" in ran.err
    assert (data_folder / MISSION).read_bytes() == before
    assert not list((data_folder / MISSION).parent.glob(".mission*"))
    assert boxes(struck) == 8


def test_a_disk_that_does_not_confirm_a_rename_is_reported(struck: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(files, "sync_folder", refuse)
        ran = struck("mark", "fuel.wing")
    assert ran.code == 1 and "was saved, but the disk didn't confirm it" in ran.err
    assert boxes(struck) == 9


def test_a_folder_that_is_gone_or_no_folder_is_said(struck: Run, data_folder: Path, tmp_path: Path) -> None:
    (data_folder / "campaigns").rename(tmp_path / "elsewhere")
    ran = struck("mark", "fuel.wing")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "The campaign in use is missing" in ran.err
    (data_folder / "campaigns").write_text("a file")
    ran = struck("new", "Second", "--game", "b29", "--yes")
    assert (ran.code, ran.err.count("\n")) == (1, 1)
    assert "Nothing was saved" in ran.err


@pytest.mark.parametrize("call", slow_but(["fsync", "before the swap", "swap", "folder", "told"], 1))
@pytest.mark.parametrize("fault", [KeyboardInterrupt, RuntimeError])
def test_a_killed_command_says_what_is(
    struck: Run, monkeypatch: pytest.MonkeyPatch, call: str, fault: type[BaseException]
) -> None:
    """The error says that nothing was saved only if the command stopped before the file was replaced."""
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
            patch.setattr("companion.cli.entries.wrapped", stop)
        ran = struck("mark", "fuel.wing")
    assert ran.code == 1
    landed = boxes(struck) > stood
    assert landed == (call not in ("fsync", "before the swap")) == ("Everything before it is saved" in ran.err)
    assert landed != ("othing was saved" in ran.err)
    assert len(struck("log", "--json").json) == 2 + landed


@pytest.mark.slow
def test_eight_terminals_at_once_lose_no_mark(struck: Run) -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "companion", "mark", "fuel.wing"], cwd=ROOT, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for _ in range(8)
    ]  # fmt: skip
    assert [each.communicate()[1] for each in running] == [b""] * 8
    assert boxes(struck) == 16
    assert len(struck("log", "--json").json) == 10


@pytest.mark.slow
def test_a_lock_of_the_living_is_waited_for(struck: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = (data_folder / MISSION).with_name(".lock")
    holder = subprocess.Popen(
        [sys.executable, "-c", "import fcntl, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX);"
         "f.write('4711'); f.flush(); print('held', flush=True); time.sleep(60)", str(lock)],
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    ran = struck("mark", "fuel.wing")
    assert ran.code == 1 and "Another terminal has been saving" in ran.err
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert lock.read_text() == "4711"
    assert struck("mark", "fuel.wing").code == 0
    assert boxes(struck) == 9


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the system that runs the tests look like Windows."""
    monkeypatch.setattr(files, "WINDOWS", os.name)


class Msvcrt(ModuleType):
    """A stand-in for `msvcrt` with locks; `refusals` are the errors that it raises first."""

    LK_NBLCK, LK_UNLCK = 2, 0

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.calls: list[tuple[int, int, int]] = []
        self.refusals: list[int] = []

    def locking(self, handle: int, mode: int, count: int) -> None:
        self.calls.append((mode, os.lseek(handle, 0, os.SEEK_CUR), count))
        if self.refusals:
            number = self.refusals.pop(0)
            raise OSError(number, os.strerror(number))


@pytest.fixture
def msvcrt(windows: None, monkeypatch: pytest.MonkeyPatch) -> Msvcrt:
    module = Msvcrt()
    monkeypatch.setitem(sys.modules, "msvcrt", module)
    return module


# -- locks -------------------------------------------------------------------------------------------------------------


def test_windows_locks_the_first_byte_and_frees_it_before_the_file_is_closed(tmp_path: Path, msvcrt: Msvcrt) -> None:
    with files.locked(tmp_path):
        assert msvcrt.calls == [(Msvcrt.LK_NBLCK, 0, 1)]
    assert msvcrt.calls[1:] == [(Msvcrt.LK_UNLCK, 0, 1)]


@pytest.mark.parametrize("busy", [errno.EACCES, errno.EDEADLK])
def test_a_terminal_on_windows_waits_for_the_other_one(tmp_path: Path, msvcrt: Msvcrt, busy: int) -> None:
    msvcrt.refusals = [busy, busy]
    with files.locked(tmp_path):
        assert len(msvcrt.calls) == 3


# -- files that another program has open -------------------------------------------------------------------------------


def busy(times: int, call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a call that fails a number of times, as on Windows while a virus scanner has the file."""
    left = [times]

    def refused(*arguments: Any, **options: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(errno.EACCES, "Access is denied")
        return call(*arguments, **options)

    return refused


def test_a_file_held_by_a_virus_scanner_is_replaced(
    tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", busy(3, os.replace))
    (tmp_path / "a.json").write_text("old")
    files.save(tmp_path / "a.json", b"new")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.json", "new")]


def test_a_file_that_stays_open_is_unchanged(tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "RETRIES", 0.1)
    monkeypatch.setattr(os, "replace", busy(1000, os.replace))
    (tmp_path / "a.json").write_text("old")
    with pytest.raises(SystemFault, match="can't write"):
        files.save(tmp_path / "a.json", b"new")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.json", "old")]
