"""Differences on Windows and macOS, tested with stand-ins for their modules."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion.problems import SystemFault
from companion.store import files


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
