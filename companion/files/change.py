"""One command, one change: what it writes becomes visible together or not at all, over kills and errors of the disk.

A single file comes into place by itself, `disk.keep`. Several are first written beside their places; then a note of
what is to come is put into the data folder, and that is the switch that counts: before it nothing has happened, after
it everything has. What a kill or an error leaves half done behind the switch the next command completes (`settle`).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypedDict

from companion.files import disk, platform
from companion.files.home import home, note, recorded, unrecorded
from companion.files.locks import locked, make_folder
from companion.problems import Trouble


class New(NamedTuple):
    """A file to come, and the names under which what stands in its place is kept."""

    content: bytes
    older: tuple[Path, ...]


class Step(TypedDict):
    """A file of a change as the note has it; checksums are empty where there is no file."""

    file: str  # from the data folder on
    before: str
    after: str
    older: list[str]


_gathered: list[dict[Path, New]] = []  # the change that is being made, if one is


def part(path: Path) -> Path:
    """A file of a change before it is in its place."""
    return path.with_name(f".{path.name}.part")


@contextlib.contextmanager
def one_change() -> Iterator[None]:
    """What is written inside comes into place at the end, all of it or nothing; one inside another is part of it."""
    if _gathered:
        yield
        return
    _gathered.append({})
    try:
        yield
        files = _gathered[0]
    finally:
        _gathered.clear()
    if len(files) > 1:
        _together(files)
    for path, new in files.items() if len(files) == 1 else ():
        _alone(path, new)


def put(path: Path, content: bytes, older: Sequence[Path] = ()) -> None:
    """Write a file of the player's with the change that is being made, or at once.

    What stood there is kept under the names `older`. Raises Trouble, which says what is on the disk.
    """
    if _gathered:
        _gathered[0][path] = New(content, tuple(older))
    else:
        _alone(path, New(content, tuple(older)))


def waiting(path: Path) -> bytes | None:
    """What the change that is being made will put there."""
    return _gathered[0][path].content if _gathered and path in _gathered[0] else None


def settle() -> None:
    """Complete a change that was recorded and is not all in place; Trouble says what is in the way."""
    if not os.path.lexists(note()):
        return
    with locked(home()):
        try:
            _complete()
        except OSError as error:
            why = f"{error.filename or note()}: {error.strerror or error}"
            raise Trouble(f"what an earlier command recorded cannot be put in place: {why}; {unrecorded()}") from None


def sentence(path: Path, error: OSError) -> str:
    """What became of a file that the disk refused or did not confirm."""
    why = error.strerror or error
    if not isinstance(error, disk.Unconfirmed):
        return f"cannot write {path}: {why}; {unrecorded()}"
    look = "; look at: companion log" if path.name.startswith("mission-") else ""
    return f"{path} is written, but the disk did not confirm it ({why}){look}"


def _alone(path: Path, new: New) -> None:
    try:
        make_folder(path.parent)
        disk.keep(path, new.content, lambda: _keep_older(path, new.older))
    except OSError as error:
        raise Trouble(sentence(path, error)) from None


def _keep_older(path: Path, names: Sequence[Path]) -> None:
    for name in names if path.exists() else ():
        disk.keep_as(path, name)


def _together(files: dict[Path, New]) -> None:
    """Prepare every file, put the note in place, and then do as it says."""
    with locked(home()):
        unconfirmed = None
        try:
            _complete()
            for path, new in files.items():
                make_folder(path.parent)
                disk.write_synced(part(path), new.content)
            for folder in {path.parent for path in files}:
                platform.sync_folder(folder)
            disk.keep(note(), _text([_step(path, new) for path, new in files.items()]))
        except disk.Unconfirmed as error:
            unconfirmed = error
        except BaseException as error:
            if not os.path.lexists(note()):
                _clear(files)
                if isinstance(error, OSError):
                    where = error.filename or home()
                    raise Trouble(f"cannot write {where}: {error.strerror or error}; {unrecorded()}") from None
            raise
        recorded.extend(path.name for path in files)
        try:
            _complete()
        except OSError as error:
            where = error.filename or home()
            raise Trouble(
                f"this is recorded, but not all of it is in place yet ({where}: {error.strerror or error}); the next "
                "command completes it"
            ) from None
        if unconfirmed is not None:
            raise Trouble(f"this is recorded, but the disk did not confirm it ({unconfirmed.strerror})")


def _clear(files: dict[Path, New]) -> None:
    for path in files:
        with contextlib.suppress(OSError):
            os.unlink(part(path))


def _step(path: Path, new: New) -> Step:
    older = [name.relative_to(home()).as_posix() for name in new.older]
    return {
        "file": path.relative_to(home()).as_posix(),
        "before": checksum(path),
        "after": _checksum(new.content),
        "older": older,
    }


def _complete() -> None:
    """Put in place what the note says, as far as it is not; the caller holds the lock of the data folder.

    A file that is neither what it was nor what it is to be has been written since, and stays. Raises OSError.
    """
    try:
        steps = _steps(platform.read_bytes(note()))
    except FileNotFoundError:
        return
    for step in steps:
        path = home() / step["file"]
        now = checksum(path)
        if now != step["after"] and now == step["before"]:
            if checksum(part(path)) != step["after"]:
                raise Trouble(f"{note()} cannot be followed, {part(path)} is missing or damaged; see: companion doctor")
            _keep_older(path, [home() / name for name in step["older"]])
            platform.replace(part(path), path)
    for folder in {(home() / step["file"]).parent for step in steps}:
        platform.sync_folder(folder)
    platform.remove(note())
    platform.sync_folder(home())
    for step in steps:
        with contextlib.suppress(OSError):
            os.unlink(part(home() / step["file"]))


def checksum(path: Path) -> str:
    """What tells whether a file has changed; empty where there is none. Raises OSError where it cannot be read."""
    if os.path.lexists(path) and not os.path.isfile(path):
        return "no file"
    try:
        return _checksum(platform.read_bytes(path))
    except FileNotFoundError:
        return ""


def _checksum(content: bytes) -> str:
    import hashlib

    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _text(steps: list[Step]) -> bytes:
    import json

    text = json.dumps(steps)
    return f"{_checksum(text.encode())}\n{text}".encode()


def _steps(content: bytes) -> list[Step]:
    """The files of a note that is whole and ours; else Trouble."""
    import json

    head, _, text = content.partition(b"\n")
    if head != _checksum(text).encode():
        raise Trouble(f"{note()} is damaged; see: companion doctor")
    steps: list[Step] = json.loads(text)
    if any(".." in Path(name).parts or Path(name).is_absolute() for each in steps for name in _names(each)):
        raise Trouble(f"{note()} is none of ours; see: companion doctor")
    return steps


def _names(step: Step) -> list[str]:
    return [step["file"], *step["older"]]
