"""A folder that one terminal at a time writes in."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from companion.files import platform
from companion.files.home import unrecorded
from companion.problems import Trouble

PATIENCE = 10.0  # seconds a command waits for another terminal


@contextlib.contextmanager
def locked(folder: Path, patience: float | None = None) -> Iterator[None]:
    """Hold a folder's lock, making the folder where there is none; the system frees the lock when its holder dies.

    Raises Trouble when another terminal has held it for `patience` (PATIENCE) seconds, or the disk cannot lock files.
    """
    try:
        make_folder(folder)
        handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise Trouble(f"cannot use {folder}: {error.strerror}; {unrecorded()}") from None
    try:
        _wait(handle, folder, PATIENCE if patience is None else patience)
        try:
            yield
        finally:
            platform.unlock(handle)
    finally:
        os.close(handle)


def free(folder: Path) -> bool:
    """Whether nobody holds the folder's lock just now; also where that cannot be told."""
    try:
        handle = os.open(folder / ".lock", os.O_RDWR)
    except OSError:
        return True
    try:
        return platform.try_lock(handle)
    except OSError:
        return True
    finally:
        platform.unlock(handle)
        os.close(handle)


def _wait(handle: int, folder: Path, patience: float) -> None:
    give_up = time.monotonic() + patience
    try:
        while not platform.try_lock(handle):
            if time.monotonic() > give_up:
                raise Trouble(
                    f"another terminal has been writing in {folder} for {patience:.0f} seconds; "
                    f"{unrecorded()}, try again"
                )
            time.sleep(platform.PAUSE)
    except OSError as error:
        raise Trouble(f"this disk cannot lock files: {error.strerror or error}") from None


def make_folder(folder: Path) -> None:
    """A folder that is there after a power cut too; raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    platform.sync_folder(folder.parent)
