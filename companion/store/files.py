"""The player's data folder, and atomic writing of files.

`save` writes a file of the companion, `give` one that the player names, and `new_folder` several files as one folder.
One command writes one file; if it needs two, each is valid without the other.

The systems differ: Windows locks the first byte of a file (`msvcrt`), refuses to replace a file that a virus scanner or
a viewer has open (so the companion tries for a second) and cannot sync folders; macOS does not flush the drive's cache
at `fsync`.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import json
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from companion.problems import SystemFault, UserError

Outcome = TypeVar("Outcome")

PATIENCE = 10.0  # seconds a command waits for another terminal
RETRIES = 1.0  # seconds of retries while another program has a file open
PAUSE = 0.02  # seconds between two tries
WINDOWS = "nt"
BUSY = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)  # the errors for a lock held by another process
FORMAT = 1  # of the documents
HEAD = '{"check":"%08x",'  # the start of each document: the CRC-32 of the rest shows that it is as it was written
LONG = len(HEAD % 0)
MISSING = "it is missing"
Tables = dict[str, dict[str, Any]]  # a whole document: its tables by name, their entries by number
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

recorded: list[str] = []  # the player's files that this command has written
opened: dict[str, list[Path]] = {}  # the folders of the games that this command has opened, for finding faults


def home() -> Path:
    """Return `COMPANION_HOME`, or the platform's folder for a user's data."""
    if named := os.environ.get("COMPANION_HOME"):
        return Path(os.path.expanduser(named))
    from platformdirs import user_data_dir

    return Path(user_data_dir("bomber-companion", appauthor=False))


def saved_so_far() -> str:
    """Return the sentence that says how much is saved when the disk refuses to write."""
    return "Everything before this is saved." if recorded else "Nothing was saved."


@contextlib.contextmanager
def _trying_to(attempt: str) -> Iterator[None]:
    """Raise SystemFault, with the cause and how much is saved, if the disk refuses an attempt such as `read FILE`."""
    try:
        yield
    except OSError as error:
        raise SystemFault(f"can't {attempt}: {error.strerror or error}. {saved_so_far()}") from None


# -- reading -----------------------------------------------------------------------------------------------------------


def present(path: Path) -> bool:
    """Return whether a path exists; raise SystemFault if the disk does not say."""
    with _trying_to(f"read {path}"), contextlib.suppress(FileNotFoundError, NotADirectoryError):
        os.lstat(path)
        return True
    return False


def names_in(folder: Path) -> list[str]:
    """Return the sorted names in a folder, empty if it does not exist; raise SystemFault for a disk error."""
    with _trying_to(f"read {folder}"), contextlib.suppress(FileNotFoundError):
        return sorted(os.listdir(folder))
    return []


def stamp_of(path: Path) -> tuple[int, int]:
    """Return a stamp of a file that changes with each write; zeros if the disk gives none, as reading it tells why."""
    with contextlib.suppress(OSError):
        found = path.stat()
        return found.st_mtime_ns, found.st_ino
    return 0, 0


def read_bytes(path: Path) -> bytes:
    """Read a whole file, even while another terminal replaces it; raise OSError."""
    return _patiently(path.read_bytes)


def text_of(data: bytes) -> str:
    """Return the text of a file: UTF-8 with or without a byte order mark, or UTF-16 as PowerShell redirects write it.

    Line ends become newlines. Raise UnicodeDecodeError, which is a ValueError.

    >>> text_of("\\ufeffZone 7".encode()), text_of("Zone 7".encode("utf-16"))
    ('Zone 7', 'Zone 7')
    """
    text = data.decode("utf-16" if data.startswith(WIDE) else "utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bytes_of(path: Path) -> bytes:
    """Read a file that the player names; raise UserError if it cannot be read."""
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        raise UserError(f"can't read {str(path)[:80]}: {getattr(error, 'strerror', None) or 'no such file'}") from None


# -- documents ---------------------------------------------------------------------------------------------------------


class DamagedFile(UserError):
    """Raised for a fault in a file; the message lacks the file's name. `state` is the doctor's word for it."""

    code, state = 1, "damaged"


class NewerFormat(DamagedFile):
    """Raised for a file written by a newer companion; it is not damaged."""

    state = "newer"


def written(tables: Mapping[str, object]) -> bytes:
    """Return the stored form of a document."""
    rest = json.dumps(tables, separators=(",", ":"), ensure_ascii=False)[1:].encode()
    return (HEAD % zlib.crc32(rest)).encode() + rest


def read_document(path: Path, kind: str) -> Tables:
    """Return the tables of a file of that kind (mission, campaign or settings).

    Raises:
        DamagedFile: The file is missing, or not a document of that kind.
        SystemFault: The disk refuses to read it.
    """
    try:
        content = read_bytes(path)
    except FileNotFoundError:
        raise DamagedFile(MISSING) from None
    except OSError as error:
        raise SystemFault(f"can't read {path}: {error.strerror or error}") from None
    return parse(content, kind)


def parse(content: bytes, kind: str) -> Tables:
    """Return the tables of a document; raise DamagedFile if it is not of that kind, or not as it was written."""
    if content[:LONG] != (HEAD % zlib.crc32(content[LONG:])).encode():
        raise DamagedFile("it is damaged, or was changed by another program")
    tables: Tables = json.loads(content)
    del tables["check"]
    if kind not in tables:
        raise DamagedFile(f"it isn't a {kind}")
    if (newer := tables[kind]["1"]["format"]) > FORMAT:
        raise NewerFormat(f"it was saved by a newer version (format {newer}). Update this companion")
    return tables


# -- writing -----------------------------------------------------------------------------------------------------------


def save(path: Path, content: bytes, *, backup: bool = False, private: bool = False, sync: bool = True) -> None:
    """Write a file of the companion, safe against a power cut; its folder must exist.

    Args:
        path: The file.
        content: The complete contents.
        backup: Whether to keep the previous version as `.bak`.
        private: Whether only its owner may read it.
        sync: Whether to wait for the disk; otherwise it is safe only if the companion is stopped.

    Raises:
        SystemFault: The write failed; the message gives the state of the file and the cause.
    """
    draft, spare = path.with_name(f".{path.name}.new"), path.with_name(f".{path.name}.bak")
    try:
        with _trying_to(f"write {path}"):
            if not sync:
                draft.write_bytes(content)
                _patiently(lambda: os.replace(draft, path))
                return
            write_synced(draft, content, private=private)
            if backup and present(path):  # the file exists under its name at every moment
                spare.unlink(missing_ok=True)
                _copy(path, spare)
                _patiently(lambda: os.replace(spare, path.with_suffix(".bak")))
            _put(draft, path)
    finally:
        for left in (draft, spare):
            with contextlib.suppress(OSError):
                os.unlink(left)


def write_synced(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file and sync it to disk; raise OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, 0o600 if private else 0o666), "wb") as file:
        file.write(content)
        file.flush()
        _sync_file(file.fileno())


def _copy(path: Path, second: Path) -> None:
    """Link a file to a second name, or copy it if the file system has no links; raise OSError."""
    try:
        os.link(path, second)
    except FileNotFoundError:
        raise
    except OSError:
        write_synced(second, read_bytes(path))


def _put(source: Path, target: Path) -> None:
    """Rename a file or folder to its final name, and note it as saved as soon as it may be.

    Raises:
        OSError: The rename failed.
        SystemFault: The rename succeeded, but the disk did not confirm it.
    """
    recorded.append(target.name)
    try:
        _patiently(lambda: os.replace(source, target))
    except BaseException:
        if os.path.lexists(source):
            recorded.pop()
        raise
    try:
        sync_folder(target.parent)
    except OSError as error:
        raise SystemFault(f"{target} was saved, but the disk didn't confirm it ({error.strerror or error})") from None


def set_aside(path: Path, end: str) -> Path:
    """Rename a file to an unused name (`mission-01.damaged-2`) and return it; raise SystemFault."""
    free, number = path.with_suffix(end), 1
    while present(free):
        number += 1
        free = path.with_suffix(f"{end}-{number}")
    with _trying_to(f"write {free}"):
        _put(path, free)
    return free


def give(file: Path, content: bytes) -> None:
    """Write a file that the player named; raise SystemFault."""
    if not file.parent.is_dir():
        raise SystemFault(f"can't write {file}: there is no folder {file.parent}")
    try:
        file.write_bytes(content)
    except OSError as error:
        raise SystemFault(f"can't write {file}: {error.strerror or error}") from None


# -- folders -----------------------------------------------------------------------------------------------------------


def make_folder(folder: Path) -> None:
    """Create a folder that survives a power cut; raise SystemFault."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    with _trying_to(f"use {folder}"):
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


@contextlib.contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder to fill, and rename it to `folder` once all of it is on disk.

    The caller holds the lock shared by all writers of `folder`, which does not exist yet. Raise SystemFault.
    """
    import shutil

    draft = folder.with_name(f".{folder.name}.new")
    make_folder(folder.parent)
    shutil.rmtree(draft, ignore_errors=True)
    try:
        with _trying_to(f"write {folder}"):
            draft.mkdir()
            yield draft
            sync_folder(draft)
            _put(draft, folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


@contextlib.contextmanager
def locked(folder: Path, patience: float | None = None) -> Iterator[None]:
    """Hold a folder's lock; the system frees the lock when its holder dies.

    Raises:
        SystemFault: The folder is missing, another terminal has held the lock for `patience` (PATIENCE) seconds, or the
        disk cannot lock files.
    """
    patience = PATIENCE if patience is None else patience
    try:
        handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        why = "it is gone" if isinstance(error, FileNotFoundError) else error.strerror or error
        raise SystemFault(f"can't use the folder {folder}: {why}. {saved_so_far()}") from None
    try:
        give_up = time.monotonic() + patience
        while not _try_lock(handle, folder):
            if time.monotonic() > give_up:
                busy = f"another terminal has been saving in {folder} for {patience:.0f} seconds"
                raise SystemFault(f"{busy}. {saved_so_far()} Try again")
            time.sleep(PAUSE)
        try:
            yield
        finally:
            if os.name == WINDOWS:  # which otherwise may free it only some time after the file is closed
                import msvcrt

                with contextlib.suppress(OSError):
                    os.lseek(handle, 0, os.SEEK_SET)
                    msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked_home() -> Iterator[Path]:
    """Hold the lock of the data folder, creating it if needed; yield the folder."""
    folder = home()
    make_folder(folder)
    with locked(folder):
        yield folder


# -- differences between systems ---------------------------------------------------------------------------------------


def _try_lock(handle: int, folder: Path) -> bool:
    """Take the lock on an open file at once; False while another process has it."""
    try:
        if os.name == WINDOWS:
            import msvcrt

            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in BUSY:
            return False
        why = f"the disk of {folder} can't lock files ({error.strerror or error})"
        how = "Move the folder to another disk and set COMPANION_HOME to it"
        raise SystemFault(f"{why}. {saved_so_far()} {how}") from None
    return True


def _patiently(work: Callable[[], Outcome]) -> Outcome:
    """Run a file operation; on Windows retry for RETRIES seconds while another program has the file open."""
    give_up = time.monotonic() + RETRIES
    while True:
        try:
            return work()
        except PermissionError:
            if os.name != WINDOWS or time.monotonic() >= give_up:
                raise
            time.sleep(PAUSE)


def _sync_file(handle: int) -> None:
    """Sync an open file's bytes to the disk; raise OSError."""
    if sys.platform == "darwin":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
    os.fsync(handle)


def sync_folder(folder: Path) -> None:
    """Sync a folder's names to the disk, if the system can do that; raise OSError."""
    if os.name == WINDOWS:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system that cannot sync folders
            raise
    finally:
        os.close(handle)
