"""Files that come into place whole or not at all: our own (`keep`), and those the player names (`give`)."""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, NoReturn, TypedDict

from companion.problems import Problem, Trouble
from companion.store import system
from companion.store.system import refusal, remove, replace, sync_file, sync_folder


def home() -> Path:
    """`COMPANION_HOME`, or the platform's folder for a user's data."""
    named = os.environ.get("COMPANION_HOME")
    if named:
        try:
            return Path(named).expanduser()
        except RuntimeError:
            raise Trouble(f"COMPANION_HOME is {named}, but nobody here has that name") from None
    from platformdirs import user_data_dir

    return Path(user_data_dir("bomber-companion", appauthor=False))


def note() -> Path:
    """Where it says which change is still to come into place, `companion.store.files`."""
    return home() / ".change"


recorded: list[str] = []  # the player's files that this command has put in place, or was about to when it was stopped
opened: dict[str, object] = {}  # the games that this command has opened, by name: any of them may be at fault


def unrecorded() -> str:
    """What is said where the disk refuses: whether this command has recorded something earlier."""
    return "this was not recorded, what came before it stands" if recorded else "nothing was recorded"


WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def text_of(data: bytes) -> str:
    """The text of a file: UTF-8 with or without a mark before it, or UTF-16 as PowerShell redirects write it.

    Lines end in a newline, whatever ended them there.
    Raises UnicodeDecodeError, which is a ValueError.

    >>> text_of("\\ufeffZone 7".encode()), text_of("Zone 7".encode("utf-16"))
    ('Zone 7', 'Zone 7')
    """
    text = data.decode("utf-16" if data.startswith(WIDE) else "utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bytes_of(path: Path, most: int, what: str) -> bytes:
    """A file of the player's, at most so many bytes; a Problem says that it is too large to be `what`, or not there."""
    try:
        with open(path, "rb") as file:
            content = file.read(most + 1)  # a device has no size and no end
    except (OSError, ValueError) as error:
        raise Problem(f"cannot read {str(path)[:80]}: {getattr(error, 'strerror', None) or 'no such file'}") from None
    if len(content) > most:
        raise Problem(f"{path} is too large to be {what}")
    return content


class TooDeep(ValueError):
    """Nested deeper than anything of ours."""

    def __init__(self, deepest: int) -> None:
        super().__init__(f"it is nested deeper than {deepest} levels")


MARK = r'(?s)"(?:[^"\\]|\\.)*+"?|[\[\]{}]'  # a whole string, or what opens and closes


def json_of(text: str, deepest: int) -> object:
    """JSON from outside, refused before a parser goes deeper than `deepest`; raises ValueError (TooDeep).

    >>> json_of('{"a": ["[[["]}', 2)
    {'a': ['[[[']}
    """
    depth = 0
    for mark in re.finditer(MARK, text):
        depth += (mark[0] in "[{") - (mark[0] in "]}")
        if depth > deepest:
            raise TooDeep(deepest)
    import json

    document: object = json.loads(text, parse_constant=_no_number)
    return document


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


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
            system.unlock(handle)
    finally:
        os.close(handle)


def free(folder: Path) -> bool:
    """Whether nobody holds the folder's lock just now; also where that cannot be told."""
    try:
        handle = os.open(folder / ".lock", os.O_RDWR)
    except OSError:
        return True
    try:
        return system.try_lock(handle)
    except OSError:
        return True
    finally:
        system.unlock(handle)
        os.close(handle)


def _wait(handle: int, folder: Path, patience: float) -> None:
    give_up = time.monotonic() + patience
    try:
        while not system.try_lock(handle):
            if time.monotonic() > give_up:
                raise Trouble(
                    f"another terminal has been writing in {folder} for {patience:.0f} seconds; "
                    f"{unrecorded()}, try again"
                )
            time.sleep(system.PAUSE)
    except OSError as error:
        raise Trouble(f"this disk cannot lock files: {error.strerror or error}") from None


def make_folder(folder: Path) -> None:
    """A folder that is there after a power cut too; raises OSError."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    system.sync_folder(folder.parent)


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
    if not isinstance(error, Unconfirmed):
        return f"cannot write {path}: {why}; {unrecorded()}"
    look = "; look at: companion log" if path.name.startswith("mission-") else ""
    return f"{path} is written, but the disk did not confirm it ({why}){look}"


def _alone(path: Path, new: New) -> None:
    try:
        make_folder(path.parent)
        keep(path, new.content, lambda: _keep_older(path, new.older))
    except OSError as error:
        raise Trouble(sentence(path, error)) from None


def _keep_older(path: Path, names: Sequence[Path]) -> None:
    for name in names if path.exists() else ():
        keep_as(path, name)


def _together(files: dict[Path, New]) -> None:
    """Prepare every file, put the note in place, and then do as it says."""
    with locked(home()):
        unconfirmed = None
        try:
            _complete()
            for path, new in files.items():
                make_folder(path.parent)
                write_synced(part(path), new.content)
            for folder in {path.parent for path in files}:
                system.sync_folder(folder)
            keep(note(), _text([_step(path, new) for path, new in files.items()]))
        except Unconfirmed as error:
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
        steps = _steps(system.read_bytes(note()))
    except FileNotFoundError:
        return
    for step in steps:
        path = home() / step["file"]
        now = checksum(path)
        if now != step["after"] and now == step["before"]:
            if checksum(part(path)) != step["after"]:
                raise Trouble(f"{note()} cannot be followed, {part(path)} is missing or damaged; see: companion doctor")
            _keep_older(path, [home() / name for name in step["older"]])
            system.replace(part(path), path)
    for folder in {(home() / step["file"]).parent for step in steps}:
        system.sync_folder(folder)
    system.remove(note())
    system.sync_folder(home())
    for step in steps:
        with contextlib.suppress(OSError):
            os.unlink(part(home() / step["file"]))


def checksum(path: Path) -> str:
    """What tells whether a file has changed; empty where there is none. Raises OSError where it cannot be read."""
    if os.path.lexists(path) and not os.path.isfile(path):
        return "no file"
    try:
        return _checksum(system.read_bytes(path))
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
