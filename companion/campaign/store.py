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
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tinydb import TinyDB
from tinydb.middlewares import CachingMiddleware
from tinydb.storages import Storage
from tinydb.table import Document

from companion.campaign import documents
from companion.campaign.documents import FORMAT, Damage, Newer, read_document
from companion.engine.sheet import line
from companion.files import disk
from companion.files.home import home, recorded
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import Problem, Trouble
from companion.words import one_of

if TYPE_CHECKING:
    from companion.engine.game import Game

PATIENCE = 10.0  # seconds a command waits for another terminal


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
        """Put the document in place and keep the generation before it; the caller holds the folder's lock."""
        text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
        try:
            disk.keep(self.path, text.encode(), self._keep_older)
        except disk.Unconfirmed as error:
            raise Trouble(
                f"{self.path} is written, but the disk did not confirm it ({error.strerror or error}); look at: "
                "companion log"
            ) from None
        except OSError as error:
            raise Trouble(f"cannot write {self.path}: {error.strerror or error}; nothing was recorded") from None

    def _keep_older(self) -> None:
        if self.path.exists():
            if self.written_in != FORMAT:
                disk.keep_as(self.path, self.path.with_suffix(f".format-{self.written_in}"))
            disk.keep_as(self.path, self.path.with_suffix(".bak"))


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
    disk.sync_folder(folder.parent)


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
            self.about: dict[str, Any] = dict(found)

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
    def create(cls, name: str, game: str, about: Mapping[str, Any], missions: Iterable[Mission] = ()) -> Campaign:
        """A new campaign with its missions, or nothing of it; it becomes the one in use."""
        name = line("the campaign's name", name)
        folder = campaigns_folder() / folder_name(name)
        with locked(folder):
            if (folder / "campaign.json").exists():
                raise Problem(f"there is a campaign {name} already; choose another name, or: companion use {name}")
            if _begun(folder):
                raise Problem(f"there are missions in {folder} already, and no campaign; see: companion doctor")
            with _all_or_nothing(folder):
                for mission in missions:
                    _begin(folder, mission)
                with open_file(folder / "campaign.json") as db:
                    kept = {"format": FORMAT, "name": name, "game": game, **about}
                    db.table("campaign").insert(Document(kept, doc_id=1))
        use(folder.name)
        return cls(folder)

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Hold this campaign's lock."""
        return locked(self.folder)

    def path(self, number: int) -> Path:
        """The file of one mission."""
        return _file(self.folder, number)

    def missions(self) -> list[int]:
        """The numbers of the missions begun."""
        return _begun(self.folder)

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
        _begin(self.folder, mission)

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


def _file(folder: Path, number: int) -> Path:
    return folder / f"mission-{number:02d}.json"


def _begun(folder: Path) -> list[int]:
    found = [re.fullmatch(r"mission-(\d+)\.(json|bak)", each) for each in os.listdir(folder)]
    return sorted({int(match.group(1)) for match in found if match})


def _begin(folder: Path, mission: Mission) -> None:
    assert mission.number is not None
    with open_file(_file(folder, mission.number)) as db:
        _put(db, mission)
        journal = db.table("journal")
        journal.insert_multiple(Document(made, at) for at, made in enumerate(mission.journal.entries, 1))


@contextlib.contextmanager
def _all_or_nothing(folder: Path) -> Iterator[None]:
    """Take away what was written into a folder when the writing breaks off."""
    there, noted = set(os.listdir(folder)), len(recorded)
    try:
        yield
    except BaseException:
        for name in set(os.listdir(folder)) - there:
            with contextlib.suppress(OSError):
                os.unlink(folder / name)
        del recorded[noted:]
        raise


def _kept(db: TinyDB, path: Path) -> dict[str, Any]:
    found, kept = db.table("mission").get(doc_id=1), dict[str, Any]()
    with soundly(path):
        if found is None:
            raise Damage("it holds no mission")
        documents.check_mission(found)
        kept.update(found)
    return kept


def _put(db: TinyDB, mission: Mission) -> None:
    kept = {
        "format": FORMAT,
        "number": mission.number,
        "game": mission.game.name,
        "stand": mission.journal.stand,
        "facts": mission.state,
        "pending": mission.pending,
    }
    db.table("mission").upsert(Document(kept, doc_id=1))


def holds_campaign(folder: Path) -> bool:
    """Whether a campaign is or was there; a lost file is reported when it is read."""
    return any((folder / name).exists() for name in ("campaign.json", "campaign.bak"))


def campaigns() -> tuple[list[Campaign], dict[Path, str]]:
    """Every campaign by name; and the folders of those that cannot be read, with the cause."""
    folder = campaigns_folder()
    found, damaged = list[Campaign](), dict[Path, str]()
    for each in sorted(folder.iterdir()) if folder.is_dir() else ():
        if holds_campaign(each):
            try:
                found.append(Campaign(each))
            except Problem as problem:
                damaged[each] = str(problem)
    return sorted(found, key=lambda each: each.name.casefold()), damaged


def find(name: str) -> Campaign:
    """The campaign of that name; a Problem lists those there are."""
    folder = campaigns_folder() / folder_name(name)
    if not holds_campaign(folder):
        found, damaged = campaigns()
        names = [*(each.name for each in found), *(f"{each.name} (damaged; see: companion doctor)" for each in damaged)]
        from companion.packs import beginning

        there = f"there are {one_of(names)}" if names else f"begin one with: {beginning()}"
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
    name = documents.campaign_named(found or {})
    return campaigns_folder() / name if name else None


def current() -> Campaign | None:
    """The campaign in use, or None."""
    folder = in_use()
    if folder is None:
        return None
    return Campaign(folder) if holds_campaign(folder) else None
