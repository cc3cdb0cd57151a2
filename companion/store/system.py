"""What differs between the systems that the companion runs on, and nothing else.

Windows locks the first byte of a file (`msvcrt`) and refuses to replace one that a virus scanner or a viewer has open,
so there it is tried again for a second; it cannot sync folders, and NTFS keeps names in a journal. macOS leaves
bytes with the drive at `fsync`. What goes into a pipe or a file is UTF-8 everywhere.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

Outcome = TypeVar("Outcome")

PATIENCE = 1.0  # seconds that a file is tried again while another program has it open
PAUSE = 0.02  # seconds between two tries
WINDOWS = "nt"
BUSY = (errno.EAGAIN, errno.EACCES, errno.EDEADLK)  # what a lock says that somebody else has


def try_lock(handle: int) -> bool:
    """Take the lock on an open file at once; False while another process has it.

    The system frees it when its holder dies. Raises OSError where the disk cannot lock files.
    """
    try:
        if os.name == WINDOWS:
            import msvcrt

            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in BUSY:
            raise
        return False
    return True


def unlock(handle: int) -> None:
    """Free the lock before its file is closed, which on Windows may otherwise free it only some time later."""
    if os.name == WINDOWS:
        import msvcrt

        with contextlib.suppress(OSError):
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]


def patiently(work: Callable[[], Outcome]) -> Outcome:
    """Do something to a file, on Windows again for PATIENCE seconds while another program has it open.

    Raises the OSError of the last try; everywhere else a refusal is final at once.
    """
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            return work()
        except PermissionError:
            if os.name != WINDOWS or time.monotonic() >= give_up:
                raise
            time.sleep(PAUSE)


def replace(source: Path, target: Path) -> None:
    """Put a file in the place of another, whole at every moment; raises OSError."""
    patiently(lambda: os.replace(source, target))


def remove(path: Path) -> None:
    """Take a file away; raises OSError, FileNotFoundError where there is none."""
    patiently(lambda: os.unlink(path))


def read_bytes(path: Path) -> bytes:
    """A whole file, also while another terminal puts its next generation in place; raises OSError."""
    return patiently(lambda: content_of(path)[0])


AT_ONCE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def content_of(path: Path | str) -> tuple[bytes, os.stat_result]:
    """What is in a file that we look for ourselves, and what it is; raises OSError.

    Another thing under its name (a pipe, a device) is not waited for: it counts as a file that cannot be read.
    """
    with open(os.open(path, AT_ONCE), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is no file", str(path))
        return file.read(), status


def sync_file(handle: int) -> None:
    """An open file's bytes on the disk itself, not only handed to it; raises OSError."""
    if sys.platform == "darwin":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
    os.fsync(handle)


def sync_folder(folder: Path) -> None:
    """A folder's names on the disk, where the system can do that; raises OSError."""
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


def editor(environment: Mapping[str, str]) -> list[str]:
    """Return the words that start the player's editor, from VISUAL or EDITOR; empty where none is named.

    On Windows a path with blanks may be given as it is or in quotes, `code` is found as `code.cmd`, and Notepad opens
    where none is named. Raises ValueError where a quotation mark is left open.
    """
    import shlex
    import shutil

    named = (environment.get("VISUAL") or environment.get("EDITOR") or "").strip()
    if os.name != WINDOWS:
        return shlex.split(named)
    if not named:
        return ["notepad"]
    words = [named] if os.path.isfile(named) else [word.strip('"') for word in shlex.split(named, posix=False)]
    return [shutil.which(words[0]) or words[0], *words[1:]]
