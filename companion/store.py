"""Campaigns on disk: one folder each, one TinyDB document file for the campaign and one for every mission.

A write goes to a temporary file in the same folder, is flushed and synced, and takes the place of the old file; the
generation before it is kept as `.bak`. A lock lets two terminals take turns.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import stat
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tinydb import TinyDB
from tinydb.middlewares import CachingMiddleware
from tinydb.storages import Storage
from tinydb.table import Document

from companion import documents
from companion.documents import FORMAT, Damage, Newer
from companion.home import home, recorded
from companion.journal import Journal
from companion.mission import Mission
from companion.problems import Problem, Trouble, one_of

if TYPE_CHECKING:
    from companion.engine.game import Game

PATIENCE = 10.0  # seconds a command waits for another terminal
MOST_BYTES = 1 << 27  # no campaign comes near it


class SafeStorage(Storage):
    """A TinyDB storage that never leaves half a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.written_in = FORMAT  # the format of the generation on disk

    def read(self) -> dict[str, dict[str, Any]] | None:
        """The document, None when there is no file yet; Trouble names the file when it is damaged."""
        if not self.path.exists():
            if self.path.with_suffix(".bak").exists():
                raise Trouble(f"{self.path} is missing{_older(self.path)}")
            return None
        with soundly(self.path):
            found, self.written_in = read_document(self.path)
        return found

    def write(self, data: Mapping[str, Any]) -> None:
        """Write, flush, sync, keep the old generation, swap, sync the folder; the caller holds the folder's lock."""
        made, spare = (self.path.with_name(f".{self.path.name}.{end}") for end in ("new", "bak"))
        try:
            text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
            _write_synced(made, text.encode())
            if self.path.exists():
                if self.written_in != FORMAT:
                    _keep_as(self.path, spare, self.path.with_suffix(f".format-{self.written_in}"))
                _keep_as(self.path, spare, self.path.with_suffix(".bak"))
            recorded.append(self.path.name)
            try:
                os.replace(made, self.path)
            except OSError:
                recorded.pop()
                raise
        except OSError as error:
            raise Trouble(f"cannot write {self.path}: {error.strerror or error}; nothing was recorded") from None
        finally:
            with contextlib.suppress(OSError):
                os.unlink(made)
            with contextlib.suppress(OSError):
                os.unlink(spare)
        try:
            _sync_folder(self.path.parent)
        except OSError as error:
            raise Trouble(
                f"{self.path} is written, but the disk did not confirm it ({error.strerror or error}); look at: "
                "companion log"
            ) from None


def put_back(path: Path, content: bytes) -> None:
    """An earlier generation in the place of a file; the caller holds the folder's lock."""
    made = path.with_name(f".{path.name}.new")
    _write_synced(made, content)
    os.replace(made, path)
    _sync_folder(path.parent)


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


def _keep_as(path: Path, spare: Path, kept: Path) -> None:
    """The file under a second name, whole at every moment."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(spare)
    try:
        os.link(path, spare)
    except OSError:  # a file system without links
        _write_synced(spare, path.read_bytes())
    os.replace(spare, kept)


def _sync_folder(folder: Path) -> None:
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


def read_document(path: Path) -> tuple[dict[str, dict[str, Any]], int]:
    """A file's document in the present format and the format it was written in; raises Damage without its name."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise Damage("it is no file")
        if found.st_size > MOST_BYTES:
            raise Damage("it is far too large")
        return documents.parse(path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        raise Damage("it is not text") from None
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror or error}") from None


@contextlib.contextmanager
def soundly(path: Path) -> Iterator[None]:
    """Name the file in what is wrong with it, and the generation before it when that one is whole."""
    try:
        yield
    except Newer as newer:
        raise Trouble(f"{path} was {newer}") from None
    except Damage as damage:
        raise Trouble(f"{path} is damaged ({damage}){_older(path)}") from None


def _older(path: Path) -> str:
    kept = path.with_suffix(".bak")
    try:
        read_document(kept)
    except Problem:
        return "; see: companion doctor"
    return f"; the generation before it is whole, {kept}: companion doctor --repair"


class AllAtOnce(CachingMiddleware):
    """Everything is written in one go, however much it is."""

    WRITE_CACHE_SIZE = sys.maxsize


@contextlib.contextmanager
def open_file(path: Path) -> Iterator[TinyDB]:
    """A TinyDB over a safe file, written when the work on it is done, and left alone when it broke off."""
    db = TinyDB(path, storage=AllAtOnce(SafeStorage))
    yield db
    db.close()


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a campaign's lock; the system frees it when its holder dies."""
    try:
        _make(folder)
        handle = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise Trouble(f"cannot use {folder}: {error.strerror}; nothing was recorded") from None
    try:
        give_up = time.monotonic() + PATIENCE
        while not _try_lock(handle):
            if time.monotonic() > give_up:
                raise Trouble(f"another terminal has been writing in {folder} for {PATIENCE:.0f} seconds; try again")
            time.sleep(0.02)
        yield
    finally:
        os.close(handle)


def _make(folder: Path) -> None:
    """A folder that is there after a power cut too."""
    if folder.is_dir():
        return
    _make(folder.parent)
    folder.mkdir(exist_ok=True)
    _sync_folder(folder.parent)


def _try_lock(handle: int) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            raise Trouble(f"this disk cannot lock files: {error.strerror or error}") from None
        return False
    return True


def campaigns_folder() -> Path:
    """Where the campaigns are."""
    return home() / "campaigns"


def folder_name(name: str) -> str:
    """A campaign's name as a folder: letters, digits and hyphens."""
    made = re.sub(r"[^\w]+", "-", name.strip().casefold()).strip("-")
    if not made or len(made) > 80:
        raise Problem(f"{name!r} cannot name a campaign; use letters and digits, up to 80 of them")
    return made


def game_of(about: Mapping[str, Any], number: int) -> str:
    """The pack a mission is flown with: `variants` says from which mission on another one of the same family is."""
    variants = about.get("variants", {})
    begun = [int(first) for first in variants if int(first) <= number]
    return str(variants[str(max(begun))] if begun else about["game"])


class Campaign:
    """One campaign: its game, its crew, and its missions, each in a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with open_file(folder / "campaign.json") as db:
            found = db.table("campaign").get(doc_id=1)
        with soundly(folder / "campaign.json"):
            if found is None:
                raise Damage("it holds no campaign")
            documents.check_campaign(found)
        self.about: dict[str, Any] = dict(found or {})

    @property
    def name(self) -> str:
        """The name the player gave it."""
        return str(self.about["name"])

    @property
    def game(self) -> str:
        """The pack it is played with."""
        return str(self.about["game"])

    def game_of(self, number: int) -> str:
        """The pack that one mission was flown with."""
        return game_of(self.about, number)

    @classmethod
    def create(cls, name: str, game: str, about: Mapping[str, Any]) -> Campaign:
        """A new campaign, which becomes the one in use."""
        folder = campaigns_folder() / folder_name(name)
        with locked(folder):
            if (folder / "campaign.json").exists():
                raise Problem(f"there is a campaign {name} already; choose another name, or: companion use {name}")
            with open_file(folder / "campaign.json") as db:
                kept = {"format": FORMAT, "name": name.strip(), "game": game, **about}
                db.table("campaign").insert(Document(kept, doc_id=1))
        use(folder.name)
        return cls(folder)

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Hold this campaign's lock."""
        return locked(self.folder)

    def path(self, number: int) -> Path:
        """The file of one mission."""
        return self.folder / f"mission-{number:02d}.json"

    def missions(self) -> list[int]:
        """The numbers of the missions begun."""
        found = [re.fullmatch(r"mission-(\d+)\.(json|bak)", each) for each in os.listdir(self.folder)]
        return sorted({int(match.group(1)) for match in found if match})

    def sheets(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Every mission's number and facts, in order; each file is read once and its journal left alone."""
        for number in self.missions():
            with open_file(self.path(number)) as db:
                yield number, _kept(db, self.path(number))["facts"]

    def keep(self, **changes: Any) -> None:
        """Write what has changed in the campaign itself (`roster`, `aircraft`); the caller holds the lock."""
        with open_file(self.folder / "campaign.json") as db:
            db.table("campaign").update(changes, doc_ids=[1])
        self.about.update(changes)

    def begin(self, game: Game, mission: Mission) -> None:
        """Write the file of a mission that has just begun."""
        assert mission.number is not None
        with open_file(self.path(mission.number)) as db:
            _put(db, mission)
            journal = db.table("journal")
            journal.insert_multiple(Document(made, at) for at, made in enumerate(mission.journal.entries, 1))

    def load(self, game: Game, number: int | None = None) -> Mission | None:
        """A mission as it stands: the newest one unless a number is given. None before the first."""
        if number is None:
            begun = self.missions()
            if not begun:
                return None
            number = begun[-1]
        path = self.path(number)
        with open_file(path) as db:
            kept = _kept(db, path)
            rows = {each.doc_id: dict(each) for each in db.table("journal")}
        with soundly(path):
            documents.check_mission(kept, game.sheet)
            documents.check_journal(rows, kept.get("stand"))
        entries = [rows[number] for number in sorted(rows)]
        journal = Journal(entries, kept["stand"])
        return Mission(game, kept["facts"], kept["pending"], journal, number)

    def stamp(self, number: int) -> tuple[int, int]:
        """What tells one generation of a mission's file from the next."""
        try:
            found = self.path(number).stat()
        except OSError:  # missing; reading it says so
            return 0, 0
        return found.st_mtime_ns, found.st_ino

    def save(self, mission: Mission, kept: int) -> None:
        """Write a mission after a command; `kept` entries were in its file and still stand in the journal."""
        assert mission.number is not None
        with open_file(self.path(mission.number)) as db:
            _put(db, mission)
            journal = db.table("journal")
            held = len(journal)
            if held > kept:
                journal.remove(doc_ids=list(range(kept + 1, held + 1)))
            fresh = mission.journal.entries[kept:]
            journal.insert_multiple(Document(made, at) for at, made in enumerate(fresh, kept + 1))


def _kept(db: TinyDB, path: Path) -> dict[str, Any]:
    found = db.table("mission").get(doc_id=1)
    with soundly(path):
        if found is None:
            raise Damage("it holds no mission")
        documents.check_mission(found)
    return dict(found or {})


def _put(db: TinyDB, mission: Mission) -> None:
    kept = {
        "format": FORMAT,
        "number": mission.number,
        "stand": mission.journal.stand,
        "facts": mission.state,
        "pending": mission.pending,
    }
    db.table("mission").upsert(Document(kept, doc_id=1))


def holds_campaign(folder: Path) -> bool:
    """Whether a campaign is or was there; a lost file is reported when it is read."""
    return any((folder / name).exists() for name in ("campaign.json", "campaign.bak"))


def campaigns() -> list[Campaign]:
    """Every campaign, by name."""
    folder = campaigns_folder()
    if not folder.is_dir():
        return []
    found = [Campaign(each) for each in sorted(folder.iterdir()) if holds_campaign(each)]
    return sorted(found, key=lambda each: each.name.casefold())


def find(name: str) -> Campaign:
    """The campaign of that name; a Problem lists those there are."""
    folder = campaigns_folder() / folder_name(name)
    if not holds_campaign(folder):
        names = [each.name for each in campaigns()]
        there = f"there are {one_of(names)}" if names else "begin one with: companion new NAME --game b29"
        raise Problem(f"there is no campaign {name}; {there}")
    return Campaign(folder)


def use(name: str) -> None:
    """Make a campaign the one that commands work on; a damaged note of it is put aside."""
    path = home() / "settings.json"
    with locked(home()):
        if path.exists():
            _aside(path)
        with open_file(path) as db:
            db.table("settings").upsert(Document({"format": FORMAT, "campaign": name}, doc_id=1))


def _aside(path: Path) -> None:
    """Keep a damaged file, and what is left of the generation before it, under other names."""
    try:
        read_document(path)
    except Newer:
        return
    except Damage:
        with contextlib.suppress(FileNotFoundError):
            os.replace(path.with_suffix(".bak"), path.with_suffix(".bak-damaged"))
        os.replace(path, path.with_suffix(".damaged"))


def in_use() -> Path | None:
    """The folder of the campaign in use, whether it is still there or not."""
    path = home() / "settings.json"
    if not path.exists():
        return None
    with open_file(path) as db:
        found = db.table("settings").get(doc_id=1)
    name = str(dict(found or {}).get("campaign", ""))
    return campaigns_folder() / name if name and "/" not in name else None


def current() -> Campaign | None:
    """The campaign in use, or None."""
    folder = in_use()
    if folder is None:
        return None
    return Campaign(folder) if holds_campaign(folder) else None
