"""What differs on Windows and macOS, played here with stand-ins for what only those systems have."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion.problems import Trouble
from companion.store import campaigns, files, system
from tests.support import Run


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system that runs the tests is taken for Windows."""
    monkeypatch.setattr(system, "WINDOWS", os.name)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The system that runs the tests is taken for another one than Windows."""
    monkeypatch.setattr(system, "WINDOWS", "another system")


class Msvcrt(ModuleType):
    """`msvcrt` as far as locks need it: `refusals` are the errors that it answers with first."""

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


# -- locks -----------------------------------------------------------------------------------------------------------


def test_windows_locks_the_first_byte_and_frees_it_before_the_file_is_closed(tmp_path: Path, msvcrt: Msvcrt) -> None:
    with files.locked(tmp_path):
        assert msvcrt.calls == [(Msvcrt.LK_NBLCK, 0, 1)]
    assert msvcrt.calls[1:] == [(Msvcrt.LK_UNLCK, 0, 1)]


@pytest.mark.parametrize("busy", [errno.EACCES, errno.EDEADLK])
def test_a_terminal_on_windows_waits_for_the_other_one(tmp_path: Path, msvcrt: Msvcrt, busy: int) -> None:
    msvcrt.refusals = [busy, busy]
    with files.locked(tmp_path):
        assert len(msvcrt.calls) == 3


def test_a_terminal_on_windows_does_not_wait_for_ever(
    tmp_path: Path, msvcrt: Msvcrt, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PATIENCE", 0.1)
    msvcrt.refusals = [errno.EACCES] * 1000
    with pytest.raises(Trouble, match="another terminal has been writing"), files.locked(tmp_path):
        pass


def test_a_disk_on_windows_that_cannot_lock_says_so(tmp_path: Path, msvcrt: Msvcrt) -> None:
    msvcrt.refusals = [errno.EINVAL]
    with pytest.raises(Trouble, match=r"cannot lock files \(Invalid argument\)"), files.locked(tmp_path):
        pass
    assert len(msvcrt.calls) == 1


# -- files that another program has open -------------------------------------------------------------------------------


def busy(times: int, call: Callable[..., Any]) -> Callable[..., Any]:
    """A call that is refused so many times, as Windows does while a virus scanner has the file."""
    left = [times]

    def refused(*arguments: Any, **options: Any) -> Any:
        left[0] -= 1
        if left[0] >= 0:
            raise PermissionError(errno.EACCES, "Access is denied")
        return call(*arguments, **options)

    return refused


def test_a_file_that_a_virus_scanner_has_open_is_replaced_a_moment_later(
    tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", busy(3, os.replace))
    (tmp_path / "a.json").write_text("old")
    files.save(tmp_path / "a.json", b"new")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.json", "new")]


@pytest.mark.parametrize("writer", [files.save, files.give])
def test_a_file_that_stays_open_stands_as_it_was(
    tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch, writer: Callable[[Path, bytes], None]
) -> None:
    monkeypatch.setattr(system, "PATIENCE", 0.1)
    monkeypatch.setattr(os, "replace", busy(1000, os.replace))
    (tmp_path / "a.json").write_text("old")
    with pytest.raises(Trouble, match="cannot write"):
        writer(tmp_path / "a.json", b"new")
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("a.json", "old")]


def test_elsewhere_a_refusal_is_final_at_once(tmp_path: Path, elsewhere: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "replace", busy(1, os.replace))
    with pytest.raises(Trouble, match="cannot write"):
        files.save(tmp_path / "a.json", b"new")


def test_a_mission_is_read_while_the_other_terminal_puts_it_in_place(
    tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.json").write_text("whole")
    monkeypatch.setattr(Path, "read_bytes", busy(2, Path.read_bytes))
    assert system.read_bytes(tmp_path / "a.json") == b"whole"


# -- the disk ----------------------------------------------------------------------------------------------------------


def test_no_folder_is_opened_on_windows(tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", busy(1, os.open))
    system.sync_folder(tmp_path)


@pytest.mark.parametrize("known", [True, False])
def test_macos_has_the_drive_write_its_cache_where_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known: bool
) -> None:
    calls: list[str] = []

    def fcntl(handle: int, command: int) -> None:
        calls.append(f"fcntl {command}")
        if not known:
            raise OSError(errno.ENOTTY, "Inappropriate ioctl for device")

    module = ModuleType("fcntl")
    monkeypatch.setattr(module, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(module, "fcntl", fcntl, raising=False)
    monkeypatch.setitem(sys.modules, "fcntl", module)
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(os, "fsync", lambda handle: calls.append("fsync"))
    with open(tmp_path / "a", "wb") as file:
        system.sync_file(file.fileno())
    assert calls == ["fcntl 51"] + ([] if known else ["fsync"])


# -- names -------------------------------------------------------------------------------------------------------------

REFUSED = [
    "con.png",
    "NUL",
    "com1.txt",
    "LPT9.pdf",
    "aux .csv",
    "sheet:1.png",
    "what?.svg",
    "a\x07.txt",
    "sheet.txt.",
    "b ",
]
TAKEN = ["sheet.png", "console.png", "com.txt", "com10.txt", "sheet 1.png", ".hidden.txt", "Größe.svg"]


@pytest.mark.parametrize("name", REFUSED)
def test_names_that_windows_does_not_have(name: str, windows: None) -> None:
    assert system.refusal(name)


@pytest.mark.parametrize("name", TAKEN)
def test_names_that_windows_has(name: str, windows: None) -> None:
    assert system.refusal(name) == ""


@pytest.mark.parametrize("name", [*REFUSED, *TAKEN])
def test_elsewhere_every_name_will_do(name: str, elsewhere: None) -> None:
    assert system.refusal(name) == ""


@pytest.mark.parametrize("name", ["con", "nul", "com1", "lpt\u00b9"])
def test_a_folder_of_ours_is_never_called_like_a_device(companion: Run, data_folder: Path, name: str) -> None:
    assert companion("new", name.upper(), "--game", "b29", "--yes").code == 0
    assert [each.name for each in (data_folder / "campaigns").iterdir()] == [f"{name}_"]
    assert companion("use", name).code == 0
    assert companion("new", name, "--game", "b29", "--yes").code == 2


def test_a_sheet_is_not_printed_into_a_device(tmp_path: Path, windows: None) -> None:
    with pytest.raises(Trouble, match=r"con\.png names a device on Windows"):
        files.give(tmp_path / "con.png", b"")
    with pytest.raises(Trouble, match="a name on Windows has no :"):
        files.give(tmp_path / "sheet:1.png", b"")
    assert not list(tmp_path.iterdir())


def test_a_campaign_may_be_called_like_a_device(companion: Run, data_folder: Path, msvcrt: Msvcrt) -> None:
    assert companion("new", "Nul", "--game", "b29", "--yes").code == 0
    assert (data_folder / "campaigns" / "nul_" / "campaign.json").exists()
    assert companion("new", "Owls", "--game", "b29", "--yes").code == 0
    assert companion("use", "nul").out == "Now in use: Nul (b29)\n"
    assert campaigns.folder_name("nul_") == "nul_"  # as it is offered at Tab


# -- the editor --------------------------------------------------------------------------------------------------------


def test_notepad_where_no_editor_is_named(windows: None) -> None:
    assert system.editor({}) == system.editor({"EDITOR": " "}) == ["notepad"]


def test_elsewhere_nobody_guesses_an_editor(elsewhere: None) -> None:
    assert system.editor({}) == []


def test_an_editor_on_windows_may_have_blanks_in_its_path(tmp_path: Path, windows: None) -> None:
    program = tmp_path / "Program Files" / "edit.exe"
    program.parent.mkdir()
    program.write_bytes(b"")
    assert system.editor({"EDITOR": str(program)}) == [str(program)]
    assert system.editor({"EDITOR": f'"{program}" -multiInst'}) == [str(program), "-multiInst"]


def test_a_backslash_on_windows_is_part_of_a_path(windows: None) -> None:
    assert system.editor({"VISUAL": r"C:\tools\vim.exe -f", "EDITOR": "other"}) == [r"C:\tools\vim.exe", "-f"]


def test_an_editor_on_windows_is_found_by_its_name_alone(
    tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: {"code": r"C:\VS Code\bin\code.cmd"}.get(name))
    assert system.editor({"EDITOR": "code --wait"}) == [r"C:\VS Code\bin\code.cmd", "--wait"]


def test_elsewhere_the_words_are_split_as_a_shell_does(elsewhere: None) -> None:
    assert system.editor({"EDITOR": r"my\ editor '-a b'"}) == ["my editor", "-a b"]
