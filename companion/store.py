"""Campaigns on disk: one folder each, one TinyDB document file for the campaign and one for every mission.

A write goes to a temporary file in the same folder, is flushed and synced, and takes the place of the old file; the
generation before it is kept as `.bak`. A lock lets two terminals take turns.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tinydb import TinyDB
from tinydb.middlewares import CachingMiddleware
from tinydb.storages import Storage
from tinydb.table import Document

from companion.home import home
from companion.journal import Journal
from companion.mission import Mission
from companion.problems import Problem, Trouble, one_of

if TYPE_CHECKING:
    from companion.engine.game import Game

FORMAT = 1
PATIENCE = 5.0  # seconds a command waits for another terminal


class SafeStorage(Storage):
    """A TinyDB storage that never leaves half a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)

    def read(self) -> dict[str, dict[str, Any]] | None:
        """The document, None when there is no file yet; Trouble names the file when it is damaged."""
        try:
            with open(self.path, encoding="utf-8") as file:
                text = file.read()
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise Trouble(f"cannot read {self.path}: {error}{_older(self.path)}") from None
        try:
            found = json.loads(text)
        except ValueError as error:
            raise Trouble(f"{self.path} is damaged ({error}){_older(self.path)}") from None
        if not isinstance(found, dict):
            raise Trouble(f"{self.path} is damaged (it is not a campaign document){_older(self.path)}")
        return found

    def write(self, data: Mapping[str, Any]) -> None:
        """Write, flush, sync, keep the old generation, swap, sync the folder."""
        made = self.path.with_name(f".{self.path.name}.{os.getpid()}.new")
        try:
            with open(made, "w", encoding="utf-8") as file:
                json.dump(data, file, separators=(",", ":"), ensure_ascii=False)
                file.flush()
                os.fsync(file.fileno())
            if self.path.exists():
                kept = self.path.with_suffix(".bak")
                spare = self.path.with_name(f".{self.path.name}.{os.getpid()}.bak")
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(spare)
                try:
                    os.link(self.path, spare)
                except OSError:
                    spare.write_bytes(self.path.read_bytes())
                os.replace(spare, kept)
            os.replace(made, self.path)
            _sync_folder(self.path.parent)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(made)
            raise Trouble(f"cannot write {self.path}: {error.strerror}; nothing was recorded") from None


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _older(path: Path) -> str:
    kept = path.with_suffix(".bak")
    return f"; the generation before it is {kept}" if kept.exists() else ""


def open_file(path: Path) -> TinyDB:
    """A TinyDB over a safe file; everything is written in one go when it is closed."""
    return TinyDB(path, storage=CachingMiddleware(SafeStorage))


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a campaign's lock; the system frees it when its holder dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
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


def _try_lock(handle: int) -> bool:
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
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


class Campaign:
    """One campaign: its game, its crew, and its missions, each in a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with contextlib.closing(open_file(folder / "campaign.json")) as db:
            found = db.table("campaign").get(doc_id=1)
        if found is None:
            raise Trouble(
                f"{folder / 'campaign.json'} is damaged (it holds no campaign){_older(folder / 'campaign.json')}"
            )
        self.about: dict[str, Any] = dict(found)
        _check_format(folder / "campaign.json", self.about)

    @property
    def name(self) -> str:
        """The name the player gave it."""
        return str(self.about["name"])

    @property
    def game(self) -> str:
        """The pack it is played with."""
        return str(self.about["game"])

    @classmethod
    def create(cls, name: str, game: str, about: Mapping[str, Any]) -> Campaign:
        """A new campaign, which becomes the one in use."""
        folder = campaigns_folder() / folder_name(name)
        with locked(folder):
            if (folder / "campaign.json").exists():
                raise Problem(f"there is a campaign {name} already; choose another name, or: companion use {name}")
            with contextlib.closing(open_file(folder / "campaign.json")) as db:
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
        found = [re.fullmatch(r"mission-(\d+)\.json", each) for each in os.listdir(self.folder)]
        return sorted(int(match.group(1)) for match in found if match)

    def sheets(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Every mission's number and facts, in order; each file is read once and its journal left alone."""
        for number in self.missions():
            with contextlib.closing(open_file(self.path(number))) as db:
                yield number, self._kept(db, self.path(number))["facts"]

    def keep(self, **changes: Any) -> None:
        """Write what has changed in the campaign itself (`roster`, `aircraft`); the caller holds the lock."""
        with contextlib.closing(open_file(self.folder / "campaign.json")) as db:
            db.table("campaign").update(changes, doc_ids=[1])
        self.about.update(changes)

    def begin(self, game: Game, mission: Mission) -> None:
        """Write the file of a mission that has just begun."""
        assert mission.number is not None
        with contextlib.closing(open_file(self.path(mission.number))) as db:
            _put(db, mission)
            journal = db.table("journal")
            for at, made in enumerate(mission.journal.entries, 1):
                journal.insert(Document(made, doc_id=at))

    def load(self, game: Game, number: int | None = None) -> Mission | None:
        """A mission as it stands: the newest one unless a number is given. None before the first."""
        if number is None:
            begun = self.missions()
            if not begun:
                return None
            number = begun[-1]
        path = self.path(number)
        with contextlib.closing(open_file(path)) as db:
            kept = self._kept(db, path)
            entries = [dict(each) for each in db.table("journal")]
        journal = Journal(entries, kept["stand"])
        return Mission(game, kept["facts"], kept["pending"], journal, number)

    @staticmethod
    def _kept(db: TinyDB, path: Path) -> dict[str, Any]:
        found = db.table("mission").get(doc_id=1)
        if found is None:
            raise Trouble(f"{path} is damaged (it holds no mission){_older(path)}")
        kept: dict[str, Any] = dict(found)
        _check_format(path, kept)
        return kept

    def stamp(self, number: int) -> tuple[int, int]:
        """What tells one generation of a mission's file from the next."""
        found = self.path(number).stat()
        return found.st_mtime_ns, found.st_ino

    def save(self, mission: Mission, kept: int) -> None:
        """Write a mission after a command; `kept` entries were in its file and still stand in the journal."""
        assert mission.number is not None
        with contextlib.closing(open_file(self.path(mission.number))) as db:
            _put(db, mission)
            journal = db.table("journal")
            held = len(journal)
            if held > kept:
                journal.remove(doc_ids=list(range(kept + 1, held + 1)))
            for at in range(kept, len(mission.journal.entries)):
                journal.upsert(Document(mission.journal.entries[at], doc_id=at + 1))


def _put(db: TinyDB, mission: Mission) -> None:
    kept = {
        "format": FORMAT,
        "number": mission.number,
        "stand": mission.journal.stand,
        "facts": mission.state,
        "pending": mission.pending,
    }
    db.table("mission").upsert(Document(kept, doc_id=1))


def _check_format(path: Path, kept: Mapping[str, Any]) -> None:
    if kept.get("format", 0) > FORMAT:
        raise Trouble(f"{path} was written by a newer companion (format {kept['format']}); update this one")


def campaigns() -> list[Campaign]:
    """Every campaign, by name."""
    folder = campaigns_folder()
    if not folder.is_dir():
        return []
    found = [Campaign(each) for each in sorted(folder.iterdir()) if (each / "campaign.json").exists()]
    return sorted(found, key=lambda each: each.name.casefold())


def find(name: str) -> Campaign:
    """The campaign of that name; a Problem lists those there are."""
    folder = campaigns_folder() / folder_name(name)
    if not (folder / "campaign.json").exists():
        names = [each.name for each in campaigns()]
        there = f"there are {one_of(names)}" if names else "begin one with: companion new NAME --game b29"
        raise Problem(f"there is no campaign {name}; {there}")
    return Campaign(folder)


def use(name: str) -> None:
    """Make a campaign the one that commands work on."""
    with contextlib.closing(open_file(home() / "settings.json")) as db:
        db.table("settings").upsert(Document({"format": FORMAT, "campaign": name}, doc_id=1))


def current() -> Campaign | None:
    """The campaign in use, or None."""
    path = home() / "settings.json"
    if not path.exists():
        return None
    with contextlib.closing(open_file(path)) as db:
        found = db.table("settings").get(doc_id=1)
    if not found:
        return None
    folder = campaigns_folder() / str(found["campaign"])
    return Campaign(folder) if (folder / "campaign.json").exists() else None
