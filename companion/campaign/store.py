"""Campaigns on disk: one folder each, one TinyDB document file for the campaign and one for every mission.

A lock lets two terminals take turns; `settings.json` says which campaign is in use.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from tinydb.table import Document

from companion.campaign import documents
from companion.campaign.documents import FORMAT, Damage, Newer, StoredCampaign, StoredMission, read_document
from companion.campaign.storage import open_file, soundly
from companion.engine.fields import Value, line
from companion.files.home import home, recorded
from companion.files.locks import locked
from companion.files.platform import free_name, replace
from companion.play.journal import Entry, Journal
from companion.play.mission import Mission
from companion.problems import Problem
from companion.words import one_of

if TYPE_CHECKING:
    from tinydb import TinyDB

    from companion.engine.game import Game


def campaigns_folder() -> Path:
    """Where the campaigns are."""
    return home() / "campaigns"


def folder_name(name: str) -> str:
    """A campaign's name as a folder: letters, digits and hyphens; a Problem where it has none, or more than 80.

    >>> folder_name(" Lucky Thirteen! ")
    'lucky-thirteen'
    """
    stem = re.sub(r"[^\w]+", "-", name.strip().casefold()).strip("-")
    if not stem or len(stem) > 80:
        raise Problem(f"{name!r} cannot name a campaign; use letters and digits, up to 80 of them")
    return free_name(stem)


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
                    row = {"format": FORMAT, "name": name, "game": game, **about}
                    db.table("campaign").insert(Document(row, doc_id=1))
        use(folder.name)
        return cls(folder)

    def lock(self) -> contextlib.AbstractContextManager[None]:
        """Hold this campaign's lock."""
        return locked(self.folder)

    @contextlib.contextmanager
    def to_change(self) -> Iterator[Campaign]:
        """The campaign as it stands by now, its lock held until the change is made."""
        with self.lock():
            yield Campaign(self.folder)

    def path(self, number: int) -> Path:
        """The file of one mission."""
        return _file(self.folder, number)

    def missions(self) -> list[int]:
        """The numbers of the missions begun."""
        return _begun(self.folder)

    def sheets(self) -> Iterator[tuple[int, dict[str, Value]]]:
        """Every mission's number and facts, in order; each file is read once and its journal left alone."""
        for number in self.missions():
            with open_file(self.path(number)) as db:
                yield number, _sheet(db, self.path(number))["facts"]

    def keep(self, **changes: Unpack[StoredCampaign]) -> None:
        """Write what has changed in the campaign itself (`roster`, `aircraft`); the caller holds the lock."""
        with open_file(self.folder / "campaign.json") as db:
            db.table("campaign").update(dict(changes), doc_ids=[1])
        self.about.update(changes)

    def begin(self, mission: Mission) -> None:
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
            journal.insert_multiple(Document(entry, at) for at, entry in enumerate(fresh, same + 1))


def _file(folder: Path, number: int) -> Path:
    return folder / f"mission-{number:02d}.json"


def _begun(folder: Path) -> list[int]:
    matches = (re.fullmatch(r"mission-(\d+)\.(json|bak)", name) for name in os.listdir(folder))
    return sorted({int(match[1]) for match in matches if match})


def _begin(folder: Path, mission: Mission) -> None:
    assert mission.number is not None
    with open_file(_file(folder, mission.number)) as db:
        _put(db, mission)
        journal = db.table("journal")
        journal.insert_multiple(Document(entry, at) for at, entry in enumerate(mission.journal.entries, 1))


@contextlib.contextmanager
def _all_or_nothing(folder: Path) -> Iterator[None]:
    """Take away what was written into a folder when the writing breaks off."""
    before, noted = set(os.listdir(folder)), len(recorded)
    try:
        yield
    except BaseException:
        for name in set(os.listdir(folder)) - before:
            with contextlib.suppress(OSError):
                os.unlink(folder / name)
        del recorded[noted:]
        raise


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
    db.table("mission").upsert(Document(sheet, doc_id=1))


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
    folder = campaigns_folder() / folder_name(name)
    if not holds_campaign(folder):
        sound, damaged = campaigns()
        names = [*(each.name for each in sound), *(f"{each.name} (damaged; see: companion doctor)" for each in damaged)]
        from companion.packs import beginning

        known = f"there are {one_of(names)}" if names else f"begin one with: {beginning()}"
        raise Problem(f"there is no campaign {name}; {known}")
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
            replace(path.with_suffix(".bak"), path.with_suffix(".bak-damaged"))
        replace(path, path.with_suffix(".damaged"))


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
