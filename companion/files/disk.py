"""Files that come into place whole or not at all: our own (`keep`), and those the player names (`give`)."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from companion.files.home import recorded
from companion.files.platform import refusal, remove, replace, sync_file, sync_folder
from companion.problems import Trouble


class Unconfirmed(OSError):
    """The file is in place, but the disk did not confirm its name."""


def keep(
    path: Path,
    content: bytes,
    before: Callable[[], None] = lambda: None,
    *,
    end: str = "new",
    private: bool = False,
) -> None:
    """Put a file of our own in place, safe against a power cut.

    `before` is done when the new bytes are safe and the old file still stands; `end` tells the writers apart that
    hold no lock; nobody else can ever read a `private` one. Raises OSError while the old file stands, Unconfirmed when
    the new one does.
    """
    draft = path.with_name(f".{path.name}.{end}")
    try:
        (write_private if private else write_synced)(draft, content)
        before()
        recorded.append(path.name)
        try:
            replace(draft, path)
        except BaseException:
            if os.path.lexists(draft):  # it was stopped before its name was changed
                recorded.pop()
            raise
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)
    try:
        sync_folder(path.parent)
    except OSError as error:
        raise Unconfirmed(error.errno, error.strerror) from None


def keep_as(path: Path, second: Path) -> None:
    """The file under a second name, whole at every moment; raises OSError."""
    spare = path.with_name(f".{path.name}.bak")
    try:
        with contextlib.suppress(FileNotFoundError):
            remove(spare)
        try:
            os.link(path, spare)
        except OSError:  # a file system without links
            write_synced(spare, path.read_bytes())
        replace(spare, second)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(spare)


def give(file: Path, content: bytes) -> None:
    """Write a file that the player named, through a link to where it leads; Trouble says what stands in the way."""
    if not file.parent.is_dir():
        raise Trouble(f"cannot write {file}: there is no folder {file.parent}")
    if why := refusal(file.name):
        raise Trouble(f"cannot write {file}: {why}")
    try:
        target = file.resolve()
        if target.exists() and not target.is_file():  # a device or a pipe, or a folder, which refuses
            target.write_bytes(content)
        else:
            swap(target, content)
    except (OSError, RuntimeError) as error:  # links in a circle
        raise Trouble(f"cannot write {file}: {getattr(error, 'strerror', None) or error}") from None


def swap(path: Path, content: bytes) -> None:
    """Replace a file without waiting for the disk: for what can be made again. Raises OSError."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        draft.write_bytes(content)
        replace(draft, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(draft)


def write_synced(path: Path, content: bytes) -> None:
    """Write a file whose bytes are on the disk itself; raises OSError."""
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        sync_file(file.fileno())


def write_private(path: Path, content: bytes) -> None:
    """The same for a new file that only its owner can read, from its first byte on; raises OSError."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        sync_file(file.fileno())
