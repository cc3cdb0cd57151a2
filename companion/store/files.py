"""Where the player's data is, and files that come into place whole or not at all.

`save` writes a file of our own, `give` one that the player names, `new_folder` several files as one folder. One command
writes one file; where it needs two, each is right without the other.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from companion.problems import SystemFault, UserError
from companion.store import system
from companion.store.system import remove, replace, sync_file, sync_folder

PATIENCE = 10.0  # seconds a command waits for another terminal
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

recorded: list[str] = []  # the player's files that this command has put in place
opened: dict[str, object] = {}  # the games that this command has opened, by name: any of them may be at fault


def home() -> Path:
    """Return `COMPANION_HOME`, or the platform's folder for a user's data."""
    named = os.environ.get("COMPANION_HOME")
    if named:
        try:
            return Path(named).expanduser()
        except RuntimeError:
            raise SystemFault(f"COMPANION_HOME is {named}, but nobody here has that name") from None
    from platformdirs import user_data_dir

    return Path(user_data_dir("bomber-companion", appauthor=False))


def unrecorded() -> str:
    """Return what is true of the record where the disk refuses."""
    return "this was not recorded, what came before it stands" if recorded else "nothing was recorded"


def _unread(path: Path, error: OSError) -> SystemFault:
    return SystemFault(f"cannot read {path}: {error.strerror or error}; {unrecorded()}")


def present(path: Path) -> bool:
    """Return whether something is there; only "not found" means that nothing is. Raises SystemFault."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unread(path, error) from None
    return True


def kind_of(path: Path) -> str:
    """Return `file`, `folder` or `other`, empty where nothing is; raises SystemFault where the disk does not say."""
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return "other" if present(path) else ""  # a link that leads nowhere
    except OSError as error:
        raise _unread(path, error) from None
    return "file" if stat.S_ISREG(mode) else "folder" if stat.S_ISDIR(mode) else "other"


def names_in(folder: Path) -> list[str]:
    """Return the sorted names in a folder, none where there is no folder; raises SystemFault where it cannot be
    read."""
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise _unread(folder, error) from None


def text_of(data: bytes) -> str:
    """Return the text of a file: UTF-8 with or without a mark before it, or UTF-16 as PowerShell redirects write it.

    Lines end in a newline, whatever ended them there.

    Raises:
        UnicodeDecodeError: it is neither; this is a ValueError.

    >>> text_of("\\ufeffZone 7".encode()), text_of("Zone 7".encode("utf-16"))
    ('Zone 7', 'Zone 7')
    """
    text = data.decode("utf-16" if data.startswith(WIDE) else "utf-8-sig")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def bytes_of(path: Path, most: int, what: str) -> bytes:
    """Return a file that the player names; a UserError says that it is not there, or too large to be `what`."""
    try:
        with open(path, "rb") as file:
            content = file.read(most + 1)  # a device has no size and no end
    except (OSError, ValueError) as error:
        raise UserError(f"cannot read {str(path)[:80]}: {getattr(error, 'strerror', None) or 'no such file'}") from None
    if len(content) > most:
        raise UserError(f"{path} is too large to be {what}")
    return content


def json_of(data: bytes) -> object:
    """Return JSON from outside; raises ValueError, also where it is nested too deeply."""
    import msgspec

    try:
        document: object = msgspec.json.decode(text_of(data))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return document


# -- a file of our own -----------------------------------------------------------------------------------------------


def save(
    path: Path, content: bytes, *, record: bool = False, backup: bool = False, end: str = "new", private: bool = False
) -> None:
    """Put a file of our own in place, safe against a power cut.

    Args:
        path: the file; its folder is there.
        content: all of it.
        record: whether it is a record of the player's, so that the command has recorded something.
        backup: whether it is one whose generation before is kept as `.bak`.
        end: tells writers apart that hold no lock.
        private: only its owner can ever read it.

    Raises:
        SystemFault: what is true of the file by now, and why.
    """
    draft, spare = path.with_name(f".{path.name}.{end}"), path.with_name(f".{path.name}.bak")
    older, kept = path.with_suffix(".bak"), False
    try:
        try:
            write_synced(draft, content, private=private)
            if backup and present(path):  # a second name, which will be that of its older generation
                if kind_of(older) == "folder":
                    raise SystemFault(f"cannot write {older}: it is a folder; {unrecorded()}")
                with contextlib.suppress(FileNotFoundError):
                    remove(spare)
                copy_to(path, spare)
                kept = True
        except OSError as error:
            raise SystemFault(f"cannot write {path}: {error.strerror or error}; {unrecorded()}") from None
        late = _rename(draft, path, record=record or backup)
        if kept:
            try:
                replace(spare, older)
            except OSError as error:
                late = late or error
        _confirm(path, late)
    finally:
        for left in (draft, spare):
            with contextlib.suppress(OSError):
                os.unlink(left)


def _rename(source: Path, target: Path, *, record: bool = True) -> OSError | None:
    """Put something in its place, and note that something is recorded as soon as it may be.

    Returns:
        The error of a disk that has done it all the same, as a network disk may.
    """
    if record:
        recorded.append(target.name)
    try:
        replace(source, target)
    except BaseException as error:
        why = getattr(error, "strerror", None) or str(error) or "it was stopped"
        try:
            there = not present(source)
        except SystemFault:
            raise SystemFault(f"the disk does not say whether {target} is written: {why}{_look(target)}") from None
        if record and not there:
            recorded.pop()
        if not isinstance(error, OSError):
            raise
        if not there:
            raise SystemFault(f"cannot write {target}: {why}; {unrecorded()}") from None
        return error
    return None


def _confirm(path: Path, late: OSError | None) -> None:
    """Bring a folder's names to the disk; SystemFault where that, or the renaming before it (`late`), was not
    confirmed."""
    try:
        sync_folder(path.parent)
    except OSError as error:
        late = late or error
    if late is not None:
        raise SystemFault(f"{path} is written, but the disk did not confirm it ({late.strerror or late}){_look(path)}")


def _look(path: Path) -> str:
    return "; look at: companion log" if path.name.startswith("mission-") else ""


def copy_to(path: Path, second: Path) -> None:
    """Give a file a second name, or a copy where the file system has no links; raises OSError."""
    try:
        os.link(path, second)
    except FileNotFoundError:
        raise
    except OSError:
        write_synced(second, system.read_bytes(path))


def write_synced(path: Path, content: bytes, *, private: bool = False) -> None:
    """Write a file whose bytes are on the disk itself; a `private` one is new. Raises OSError."""
    if private:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600) if private else path, "wb") as file:
        file.write(content)
        file.flush()
        sync_file(file.fileno())


def set_aside(path: Path, end: str, *, record: bool = True) -> Path:
    """Rename something to a name that nothing else has (`mission-01.damaged-2`), and give that name; raises
    SystemFault."""
    spare = free_file(path, end)
    _confirm(spare, _rename(path, spare, record=record))
    return spare


def free_file(path: Path, end: str) -> Path:
    """Return a name beside a file that nothing has yet: `mission-01.damaged`, `mission-01.damaged-2`."""
    free, number = path.with_suffix(end), 1
    while present(free):
        number += 1
        free = path.with_suffix(f"{end}-{number}")
    return free


# -- a file that the player names ------------------------------------------------------------------------------------


def give(file: Path, content: bytes) -> None:
    """Write a file that the player named, through a link to where it leads; SystemFault says what stands in the way."""
    if not file.parent.is_dir():
        raise SystemFault(f"cannot write {file}: there is no folder {file.parent}")
    try:
        target = file.resolve()
        if target.exists() and not target.is_file():  # a device or a pipe, or a folder, which refuses
            target.write_bytes(content)
            return
        draft = target.with_name(f".{target.name}.{os.getpid()}.new")
        try:
            draft.write_bytes(content)
            replace(draft, target)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(draft)
    except (OSError, RuntimeError) as error:  # links in a circle
        raise SystemFault(f"cannot write {file}: {getattr(error, 'strerror', None) or error}") from None


# -- folders ---------------------------------------------------------------------------------------------------------


def make_folder(folder: Path) -> None:
    """Make a folder that is there after a power cut too; raises SystemFault."""
    if kind_of(folder) == "folder":
        return
    make_folder(folder.parent)
    try:
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)
    except OSError as error:
        raise SystemFault(f"cannot use {folder}: {error.strerror or error}; {unrecorded()}") from None


@contextlib.contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Give a folder to be filled, and put it in place when all of it is on the disk.

    The caller holds a lock that all writers of `folder` take, and nothing is there yet.

    Raises:
        SystemFault: what is true of the folder by now, and why.
    """
    import shutil

    draft = folder.with_name(f".{folder.name}.new")
    try:
        try:
            make_folder(folder.parent)
            if present(draft):
                shutil.rmtree(draft)
            draft.mkdir()
            yield draft
            sync_folder(draft)
        except OSError as error:
            raise SystemFault(f"cannot write {folder}: {error.strerror or error}; {unrecorded()}") from None
        _confirm(folder, _rename(draft, folder))
    finally:
        shutil.rmtree(draft, ignore_errors=True)


@contextlib.contextmanager
def locked(folder: Path, patience: float | None = None) -> Iterator[None]:
    """Hold a folder's lock; the system frees the lock when its holder dies.

    Raises:
        SystemFault: the folder is not there, another terminal has held it for `patience` (PATIENCE) seconds, or the
        disk
            cannot lock files.
    """
    lock, patience = folder / ".lock", PATIENCE if patience is None else patience
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o644)
    except FileNotFoundError:
        raise SystemFault(f"the folder {folder} is not there any more; {unrecorded()}") from None
    except OSError as error:
        raise SystemFault(f"cannot use {lock}: {error.strerror or error}; {unrecorded()}") from None
    try:
        give_up = time.monotonic() + patience
        try:
            while not system.try_lock(handle):
                if time.monotonic() > give_up:
                    busy = f"another terminal has been writing in {folder} for {patience:.0f} seconds"
                    raise SystemFault(f"{busy}; {unrecorded()}, try again")
                time.sleep(system.PAUSE)
        except OSError as error:
            how = "put the folder on another disk and name it in COMPANION_HOME"
            why = f"the disk of {folder} cannot lock files ({error.strerror or error})"
            raise SystemFault(f"{why}; {unrecorded()}; {how}") from None
        try:
            yield
        finally:
            system.unlock(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def locked_home() -> Iterator[Path]:
    """Hold the lock of the data folder, which is made where there is none; gives the folder."""
    folder = home()
    make_folder(folder)
    with locked(folder):
        yield folder
