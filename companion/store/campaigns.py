"""Campaigns on disk: one folder each, one TinyDB document file for the campaign and one for every mission.

A lock lets two terminals take turns; `settings.json` says which campaign is in use.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from tinydb import TinyDB
from tinydb.middlewares import CachingMiddleware
from tinydb.storages import Storage
from tinydb.table import Document as Row

from companion.engine.fields import Value, line
from companion.packs import Pack
from companion.play.journal import Entry, Journal
from companion.play.mission import Mission
from companion.problems import Problem, Trouble
from companion.store import documents, files
from companion.store.documents import (
    FORMAT,
    Damage,
    Document,
    Newer,
    StoredCampaign,
    StoredMission,
    parse,
    read_document,
)
from companion.store.files import home, locked, one_change, put, settle
from companion.store.system import free_name
from companion.words import one_of

if TYPE_CHECKING:
    from tinydb import TinyDB

    from companion.engine.game import Game


class SafeStorage(Storage):
    """A TinyDB storage that never leaves half a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = Path(path)
        self.written_in = FORMAT  # the format of the generation on disk

    def read(self) -> Document | None:
        """The document, None when there is no file yet; Trouble names the file when it is damaged."""
        waiting = files.waiting(self.path)
        if waiting is not None:  # written a moment ago, by the same change
            return parse(waiting.decode())[0]
        if not self.path.exists():
            if self.path.with_suffix(".bak").exists():
                raise Trouble(f"{self.path} is missing{_older(self.path)}")
            return None
        with soundly(self.path):
            document, self.written_in = read_document(self.path)
        return document

    def write(self, data: Mapping[str, object]) -> None:
        """Put the document in place and keep the generation before it; the caller holds the folder's lock.

        Raises Trouble when the disk refuses (the old file stands) or does not confirm (the new one does).
        """
        older = [self.path.with_suffix(".bak")]
        if self.written_in != FORMAT:
            older.append(self.path.with_suffix(f".format-{self.written_in}"))
        files.put(self.path, json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(), older)


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
    older = path.with_suffix(".bak")
    try:
        read_document(older)
    except Problem:
        return "; see: companion doctor"
    return f"; the generation before it is whole, {older}: companion doctor --repair"


class AllAtOnce(CachingMiddleware):
    """Everything is written in one go, however much it is."""

    WRITE_CACHE_SIZE = sys.maxsize


@contextlib.contextmanager
def open_file(path: Path) -> Iterator[TinyDB]:
    """A TinyDB over a safe file, written when the work on it is done, and left alone when it broke off."""
    db = TinyDB(path, storage=AllAtOnce(SafeStorage))  # type: ignore[no-untyped-call,unused-ignore]
    yield db
    db.close()


def campaigns_folder() -> Path:
    """Where the campaigns are."""
    return home() / "campaigns"


def folder_name(name: str) -> str:
    """A campaign's name as a folder: letters, digits and hyphens; a Problem where it has none, or more than 80.

    >>> folder_name(" Lucky Thirteen! ")
    'lucky-thirteen'
    """
    stem = re.sub(r"[^\w]+", "-", name.strip().casefold()).strip("-")
    if not stem or len(stem) > 80 or len(stem.encode(errors="replace")) > 240:
        raise Problem(f"{name!r} cannot name a campaign; use letters and digits, up to 80 of them")
    return free_name(stem)


def folder_of(name: str) -> Path:
    """The folder of the campaign of that name, which need not be there; a Problem where it can name none."""
    folder = campaigns_folder() / folder_name(name)
    former = folder.with_name(folder.name.removesuffix("_"))  # `con`, as it was called before
    renamed = folder != former and free_name(former.name) == folder.name
    return former if renamed and holds_campaign(former) and not holds_campaign(folder) else folder


class Campaign:
    """One campaign: its game, its crew, and its missions, each in a file of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with open_file(folder / "campaign.json") as db:
            row = db.table("campaign").get(doc_id=1)
        with soundly(folder / "campaign.json"):
            if row is None:
                raise Damage("it holds no campaign")
            self.about: StoredCampaign = documents.check_campaign(dict(row))

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
        return documents.game_of(self.about, number)

    @classmethod
    def create(cls, name: str, game: str, about: StoredCampaign, missions: Iterable[Mission] = ()) -> Campaign:
        """A new campaign with its missions, or nothing of it; it becomes the one in use.

        Raises a Problem when there is one of that name, or what one has left, already.
        """
        name = line("the campaign's name", name)
        folder = folder_of(name)
        with locked(folder), one_change():
            settle()
            if (folder / "campaign.json").exists():
                raise Problem(f"there is a campaign {name} already; choose another name, or: companion use {name}")
            if numbers(folder):
                raise Problem(f"there are missions in {folder} already, and no campaign; see: companion doctor")
            begun = [_begin(folder, mission) for mission in missions]
            with open_file(folder / "campaign.json") as db:
                row = {"format": FORMAT, "name": name, "game": game, "begun": begun, **about}
                db.table("campaign").insert(Row(row, doc_id=1))
            use(folder.name)
        return cls(folder)

    @contextlib.contextmanager
    def lock(self, patience: float | None = None) -> Iterator[None]:
        """Hold this campaign's lock; what was recorded in it and not yet in place is so by then."""
        with locked(self.folder, patience):
            settle()
            yield

    def again(self) -> Campaign:
        """The campaign as it stands by now."""
        return Campaign(self.folder)

    @contextlib.contextmanager
    def to_change(self) -> Iterator[Campaign]:
        """The campaign as it stands by now, its lock held until the change is made."""
        with self.lock():
            yield self.again()

    def path(self, number: int) -> Path:
        """The file of one mission."""
        return mission_file(self.folder, number)

    def missions(self) -> list[int]:
        """The numbers of the missions begun."""
        return numbers(self.folder)

    def sheets(self, pack: Pack) -> Iterator[tuple[int, dict[str, Value]]]:
        """Every mission's number and facts, in order; each file is read once and its journal left alone.

        `pack` is that of the campaign. Raises Trouble where a field holds what it never takes.
        """
        packs = {pack.name: pack}
        for number in self.missions():
            game = self.game_of(number)
            if game not in packs:
                packs[game] = Pack(game)
            with open_file(self.path(number)) as db:
                facts = _sheet(db, self.path(number))["facts"]
            with soundly(self.path(number)):
                documents.check_values(facts, packs[game].sheet)
            yield number, facts

    def keep(self, **changes: Unpack[StoredCampaign]) -> None:
        """Write what has changed in the campaign itself (`roster`, `aircraft`); the caller holds the lock."""
        with open_file(self.folder / "campaign.json") as db:
            db.table("campaign").update(dict(changes), doc_ids=[1])
        self.about.update(changes)

    def begin(self, mission: Mission) -> None:
        """Write the file of a mission that has just begun, and that it has."""
        with one_change():
            begun = self.about.get("begun", self.missions())
            self.keep(begun=sorted({*begun, _begin(self.folder, mission)}))

    def load(self, game: Game, number: int | None = None) -> Mission | None:
        """A mission as it stands: the newest one unless a number is given. None before the first."""
        if number is None:
            begun = self.missions()
            if not begun:
                return None
            number = begun[-1]
        path = self.path(number)
        with open_file(path) as db:
            sheet = _sheet(db, path)
            rows: dict[int, Entry] = {each.doc_id: dict(each) for each in db.table("journal")}
        with soundly(path):
            documents.check_mission(sheet, game.sheet)
            documents.check_journal(rows, sheet.get("stand"))
        journal = Journal([rows[at] for at in sorted(rows)], sheet["stand"])
        return Mission(game, sheet["facts"], sheet["pending"], journal, number)

    def stamp(self, number: int) -> tuple[int, int]:
        """What tells one generation of a mission's file from the next: when it was written, and which file it is."""
        try:
            generation = self.path(number).stat()
        except OSError:  # missing; reading it says so
            return 0, 0
        return generation.st_mtime_ns, generation.st_ino

    def save(self, mission: Mission, same: int) -> None:
        """Write a mission after a command; the first `same` entries of its journal are in its file already."""
        assert mission.number is not None
        with open_file(self.path(mission.number)) as db:
            _put(db, mission)
            journal = db.table("journal")
            written = len(journal)
            if written > same:
                journal.remove(doc_ids=list(range(same + 1, written + 1)))
            fresh = mission.journal.entries[same:]
            journal.insert_multiple(Row(entry, at) for at, entry in enumerate(fresh, same + 1))


def mission_file(folder: Path, number: int) -> Path:
    """The file of one mission."""
    return folder / f"mission-{number:02d}.json"


def numbers(folder: Path) -> list[int]:
    """The numbers of the missions that there are files of."""
    return sorted({number for name in os.listdir(folder) if (number := mission_of(name)) is not None})


def mission_of(name: str) -> int | None:
    """The mission that a file's name is of, as we write it (`mission-07.json`, `.bak`); None of any other name.

    >>> mission_of("mission-07.bak"), mission_of("mission-7.json")
    (7, None)
    """
    match = re.fullmatch(r"mission-([0-9]{2}|[1-9][0-9]{2,3})\.(json|bak)", name)
    return int(match[1]) if match else None


def _begin(folder: Path, mission: Mission) -> int:
    assert mission.number is not None
    with open_file(mission_file(folder, mission.number)) as db:
        _put(db, mission)
        journal = db.table("journal")
        journal.insert_multiple(Row(entry, at) for at, entry in enumerate(mission.journal.entries, 1))
    return mission.number


def _sheet(db: TinyDB, path: Path) -> StoredMission:
    """The sheet in a mission's open file, its form checked but not its fields."""
    row = db.table("mission").get(doc_id=1)
    with soundly(path):
        if row is None:
            raise Damage("it holds no mission")
        return documents.check_mission(dict(row))


def _put(db: TinyDB, mission: Mission) -> None:
    sheet = {
        "format": FORMAT,
        "number": mission.number,
        "game": mission.game.name,
        "stand": mission.journal.stand,
        "facts": mission.state,
        "pending": mission.pending,
    }
    db.table("mission").upsert(Row(sheet, doc_id=1))


def holds_campaign(folder: Path) -> bool:
    """Whether a campaign is or was there; a lost file is reported when it is read."""
    return any((folder / name).exists() for name in ("campaign.json", "campaign.bak"))


def campaigns() -> tuple[list[Campaign], dict[Path, str]]:
    """Every campaign by name; and the folders of those that cannot be read, with the cause."""
    folder = campaigns_folder()
    sound, damaged = list[Campaign](), dict[Path, str]()
    for each in sorted(folder.iterdir()) if folder.is_dir() else ():
        if holds_campaign(each):
            try:
                sound.append(Campaign(each))
            except Problem as problem:
                damaged[each] = str(problem)
    return sorted(sound, key=lambda each: each.name.casefold()), damaged


def find(name: str) -> Campaign:
    """The campaign of that name; a Problem lists those there are."""
    folder = folder_of(name)
    if not holds_campaign(folder):
        sound, damaged = campaigns()
        names = [*(each.name for each in sound), *(f"{each.name} (damaged; see: companion doctor)" for each in damaged)]
        from companion.packs import beginning

        known = f"there are {one_of(names)}" if names else f"begin one with: {beginning()}"
        raise Problem(f"there is no campaign {name}; {known}")
    return Campaign(folder)


def use(name: str) -> None:
    """Make a campaign the one that commands work on; a damaged note of it is kept under another name."""
    path, row, older = home() / "settings.json", dict[str, object](), [home() / "settings.bak"]
    settle()
    with locked(home()):
        if path.exists():
            try:
                document, written = read_document(path)
                row = document.get("settings", {}).get("1", {})
                older += [path.with_suffix(f".format-{written}")] if written != FORMAT else []
            except Newer as newer:
                raise Trouble(f"{path} was {newer}") from None
            except Damage:
                older = [free_file(path, ".damaged")]
        row = {**row, "format": FORMAT, "campaign": name}
        text = json.dumps({"settings": {"1": row}}, separators=(",", ":"), ensure_ascii=False)
        put(path, text.encode(), older)


def free_file(path: Path, end: str) -> Path:
    """A name beside a file that no earlier one has: `mission-01.damaged`, `mission-01.damaged-2`."""
    free, number = path.with_suffix(end), 1
    while os.path.lexists(free):
        number += 1
        free = path.with_suffix(f"{end}-{number}")
    return free


def in_use() -> Path | None:
    """The folder of the campaign in use, whether it is still there or not."""
    path = home() / "settings.json"
    if not path.exists():
        return None
    with open_file(path) as db:
        row = db.table("settings").get(doc_id=1)
    name = documents.campaign_named(dict(row or {}))
    return campaigns_folder() / name if name else None


def current() -> Campaign | None:
    """The campaign in use, or None."""
    folder = in_use()
    if folder is None:
        return None
    return Campaign(folder) if holds_campaign(folder) else None
