"""Files that come into place whole or not at all: our own (`keep`), and those the player names (`give`)."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

from companion.files.home import recorded
from companion.problems import Trouble


class Unconfirmed(OSError):
    """The file is in place, but the disk did not confirm its name."""


def keep(path: Path, content: bytes, before: Callable[[], None] = lambda: None, *, end: str = "new") -> None:
    """Put a file of our own in place, safe against a power cut.

    `before` is done when the new bytes are safe and the old file still stands; `end` tells the writers apart that
    hold no lock. Raises OSError while the old file stands, Unconfirmed when the new one does.
    """
    made = path.with_name(f".{path.name}.{end}")
    try:
        _write_synced(made, content)
        before()
        recorded.append(path.name)
        try:
            os.replace(made, path)
        except OSError:
            recorded.pop()
            raise
    finally:
        with contextlib.suppress(OSError):
            os.unlink(made)
    try:
        sync_folder(path.parent)
    except OSError as error:
        raise Unconfirmed(error.errno, error.strerror) from None


def keep_as(path: Path, kept: Path) -> None:
    """The file under a second name, whole at every moment."""
    spare = path.with_name(f".{path.name}.bak")
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(spare)
        try:
            os.link(path, spare)
        except OSError:  # a file system without links
            _write_synced(spare, path.read_bytes())
        os.replace(spare, kept)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(spare)


def give(file: Path, content: bytes) -> None:
    """Write a file that the player named, through a link to where it leads; Trouble says what stands in the way."""
    if not file.parent.is_dir():
        raise Trouble(f"cannot write {file}: there is no folder {file.parent}")
    try:
        target = file.resolve()
        if target.exists() and not target.is_file():  # a device or a pipe, or a folder, which refuses
            target.write_bytes(content)
        else:
            swap(target, content)
    except (OSError, RuntimeError) as error:  # links in a circle
        raise Trouble(f"cannot write {file}: {getattr(error, 'strerror', None) or error}") from None


def swap(path: Path, content: bytes) -> None:
    """Replace a file without waiting for the disk: for what can be made again."""
    made = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        made.write_bytes(content)
        os.replace(made, path)
    finally:
        made.unlink(missing_ok=True)


def _write_synced(path: Path, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        _sync(file.fileno())


def _sync(handle: int) -> None:
    """On the disk itself, not only handed to it."""
    if sys.platform == "darwin":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
    os.fsync(handle)


def sync_folder(folder: Path) -> None:
    """A folder's names on the disk, where it can do that."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # a file system that cannot sync folders
            raise
    finally:
        os.close(handle)
