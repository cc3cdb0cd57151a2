"""Campaigns on disk: a folder each, with one TinyDB file for the campaign and one for every mission.

A lock lets two terminals take turns; `settings.json` names the campaign in use. A mission's file is always written by
itself: it names its game, and the campaign log is worked out from the missions.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Unpack, cast

from tinydb import TinyDB
from tinydb.storages import MemoryStorage
from tinydb.table import Document

from companion.engine.fields import Value, line
from companion.engine.questions import Pending
from companion.engine.rules import END, START
from companion.packs import Pack
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import SystemFault, UserError
from companion.store import boxes, documents, files
from companion.store.documents import FORMAT, DamagedFile, StoredCampaign, StoredMission
from companion.store.files import home, locked, locked_home, new_folder, present
from companion.words import one_of, quoted

MISSION = r"mission-([0-9]{2}|[1-9][0-9]{2,3})"  # the names of its files

# -- files -------------------------------------------------------------------------------------------------------------


def read_file(path: Path, kind: str) -> documents.Tables | None:
    """Return a document, or None if there is neither file nor backup; raise SystemFault if it is damaged."""
    if not present(path) and not present(path.with_suffix(".bak")):
        return None
    try:
        return documents.read_document(path, kind)
    except DamagedFile as damage:
        raise SystemFault(f"can't use {path}: {damage}. Check it with: companion doctor") from None


def save_record(path: Path, content: bytes) -> None:
    """Save a record of the player, with a backup of the previous version."""
    files.save(path, content, backup=True)


@contextlib.contextmanager
def open_file(path: Path, kind: str, put: Callable[[Path, bytes], None] = save_record) -> Iterator[TinyDB]:
    """Open a document as a TinyDB that is saved atomically at the end; the caller holds the lock."""
    storage, before = MemoryStorage(), read_file(path, kind)  # type: ignore[no-untyped-call,unused-ignore]
    storage.memory = before
    yield TinyDB(storage=lambda: storage)
    put(path, documents.written(storage.memory or {}))


# -- a campaign --------------------------------------------------------------------------------------------------------


class Sheet(NamedTuple):
    """A mission's file as read."""

    row: StoredMission
    entries: list[dict[str, Any]]


class Campaign:
    """One campaign: its game, its crew, and its missions, each in its own file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        about = self._tables(folder / "campaign.json", "campaign")["campaign"]["1"]
        self.about = cast(StoredCampaign, about)
        self.name, self.game = self.about["name"], self.about["game"]  # the player's name; the next pack

    @classmethod
    def create(cls, name: str, about: StoredCampaign, missions: Iterable[Mission] = ()) -> Campaign:
        """Create a campaign with its missions, completely or not at all, and use it.

        Raises:
            UserError: There is a campaign of that name already.
        """
        name = line("the campaign's name", name)
        folder = folder_of(name)
        with locked_home():
            if present(folder):
                other = Campaign(folder).name
                raise UserError(
                    f"there is already a campaign {other}. Choose another name, or: companion use {quoted(other)}"
                )
            with new_folder(folder) as draft:
                for mission in missions:
                    _write(mission, mission_file(draft, mission.number or 0), files.write_synced, fresh=True)
                for each in ("campaign.json", "campaign.bak"):  # it may be a long time before the next write
                    row = {"format": FORMAT, "name": name, **about}
                    files.write_synced(draft / each, documents.written({"campaign": {"1": row}}))
            _use(folder.name)
        return cls(folder)

    def _tables(self, path: Path, kind: str) -> documents.Tables:
        found = read_file(path, kind)
        if found is None:
            lost = path if present(self.folder) else self.folder
            raise SystemFault(f"{lost} is gone. {files.saved_so_far()}")
        return found

    def lock(self, patience: float | None = None) -> AbstractContextManager[None]:
        """Hold this campaign's lock."""
        return locked(self.folder, patience)

    def again(self) -> Campaign:
        """Reload the campaign from disk."""
        return Campaign(self.folder)

    @contextlib.contextmanager
    def to_change(self) -> Iterator[Campaign]:
        """Yield the reloaded campaign, holding its lock until the change is made."""
        with self.lock():
            yield self.again()

    def missions(self) -> list[int]:
        return numbers(self.folder)

    def sheet(self, number: int) -> Sheet:
        """Read a mission's file; raise SystemFault if it is damaged or missing."""
        tables = self._tables(mission_file(self.folder, number), "mission")
        rows = tables.get("journal", {})
        entries = [rows[str(at)] for at in range(1, len(rows) + 1)]
        return Sheet(cast(StoredMission, tables["mission"]["1"]), entries)

    def game_of(self, number: int) -> str:
        """Return the pack used for one mission."""
        return self.sheet(number).row["game"] if number in self.missions() else self.game

    def rows(self, pack: Pack) -> Iterator[tuple[int, StoredMission]]:
        """Yield every mission's number and row, with the facts that its game knows; `pack` is the campaign's."""
        packs = {pack.name: pack}
        for number in self.missions():
            row, _ = self.sheet(number)
            if row["game"] not in packs:
                packs[row["game"]] = Pack(row["game"])
            documents.under_present_names(cast("documents.Stored", row), (), packs[row["game"]])
            known = documents.known_facts(row["facts"], packs[row["game"]])
            yield number, {**row, "facts": known}

    def sheets(self, pack: Pack) -> Iterator[tuple[int, dict[str, Value]]]:
        """Yield every mission's number and facts, in order. `pack` is the campaign's."""
        return ((number, row["facts"]) for number, row in self.rows(pack))

    def keep(self, **changes: Unpack[StoredCampaign]) -> None:
        """Save changes of the campaign itself (`roster`, `aircraft`, `game`); the caller holds the lock."""
        with open_file(self.folder / "campaign.json", "campaign") as db:
            db.table("campaign").update(dict(changes), doc_ids=[1])
        self.about.update(changes)
        self.game = self.about["game"]

    def flown(self, number: int, known: Pack | None = None) -> tuple[Pack, Mission]:
        """Return a mission and its pack, reusing the `known` pack if it has the same name."""
        row, entries = self.sheet(number)
        pack = known if known is not None and known.name == row["game"] else Pack(row["game"])
        documents.under_present_names(cast("documents.Stored", row), entries, pack)
        facts = documents.known_facts(row["facts"], pack)
        pending = [*map(Pending.of, row["pending"])]
        steps = ("", START, END, *pack.sequence.place)
        if "step" in facts and facts["step"] not in steps:  # gone from the game: go on from the one before
            moves = (each.get("c", {}).get("step") for each in reversed(entries[: row["stand"]]))
            taken = [move[0] or "" for move in moves if move]
            facts["step"] = next((each for each in taken if each in steps), START)
        return pack, Mission(pack, facts, pending, Journal(entries, row["stand"]), number)

    def stamp(self, number: int) -> tuple[int, int]:
        """Return a stamp of a mission's file that changes with each write; zeros if the disk has none."""
        try:
            generation = mission_file(self.folder, number).stat()
        except OSError:  # reading it reports the error
            return 0, 0
        return generation.st_mtime_ns, generation.st_ino

    def save(self, mission: Mission, *, fresh: bool = False) -> None:
        """Save a mission; a `fresh` one replaces the existing mission with its unknown fields."""
        _write(mission, mission_file(self.folder, mission.number or 0), save_record, fresh=fresh)
        boxes.keep(mission.game, mission.state)


def _write(mission: Mission, path: Path, put: Callable[[Path, bytes], None], *, fresh: bool) -> None:
    with open_file(path, "mission", put) as db:
        before = None if fresh else db.table("mission").get(doc_id=1)
        earlier = {"facts": {}, "pending": [], **(dict(before) if before else {})}
        documents.under_present_names(earlier, (), mission.game)
        unknown = documents.unknown_facts(earlier["facts"], mission.game)
        row = {
            "format": FORMAT,
            "number": mission.number,
            "game": mission.game.name,
            "stand": mission.journal.position,
            "facts": {**unknown, **mission.state},
            "pending": [each.document() for each in mission.pending],
        }
        db.drop_tables()
        db.table("mission").insert(Document(row, 1))
        db.table("journal").insert_multiple(Document(each, at) for at, each in enumerate(mission.journal.entries, 1))


# -- all of them -------------------------------------------------------------------------------------------------------


def campaigns_folder() -> Path:
    return home() / "campaigns"


def folder_of(name: str) -> Path:
    """Return the folder name for a campaign, which need not exist: letters, digits and hyphens.

    Raises:
        UserError: The name has no letter or digit, or more than 80.

    >>> folder_of(" Lucky Thirteen! ").name
    'lucky-thirteen'
    """
    stem = re.sub(r"[^\w]+", "-", name.strip().casefold()).strip("-")
    if not stem or len(stem) > 80 or len(stem.encode(errors="replace")) > 240:
        raise UserError(f"{name!r} can't be a campaign's name. Use up to 80 letters and digits, e.g. Lucky Thirteen")
    return campaigns_folder() / stem


def mission_file(folder: Path, number: int) -> Path:
    return folder / f"mission-{number:02d}.json"


def numbers(folder: Path) -> list[int]:
    """Return the numbers of missions with a file or backup (`mission-07.json`)."""
    found = (re.fullmatch(rf"{MISSION}\.(json|bak)", name) for name in files.names_in(folder))
    return sorted({int(match[1]) for match in found if match})


def holds_campaign(folder: Path) -> bool:
    """Return whether a campaign is or was there; a lost file is reported when it is read."""
    return any(present(folder / name) for name in ("campaign.json", "campaign.bak"))


def campaigns() -> tuple[list[Campaign], dict[Path, str]]:
    """Return every campaign by name, and the folders of unreadable ones with the cause."""
    sound, damaged = list[Campaign](), dict[Path, str]()
    for name in files.names_in(campaigns_folder()):
        folder = campaigns_folder() / name
        try:
            if not name.startswith(".") and holds_campaign(folder):
                sound.append(Campaign(folder))
        except UserError as problem:
            damaged[folder] = str(problem)
    return sorted(sound, key=lambda each: each.name.casefold()), damaged


def find(name: str) -> Campaign:
    """Return the campaign of that name; raise UserError with a list of the campaigns."""
    folder = folder_of(name)
    if not holds_campaign(folder):
        from companion.packs import beginning

        sound, damaged = campaigns()
        names = [*(each.name for each in sound), *(f"{each.name} (damaged; see: companion doctor)" for each in damaged)]
        known = f"Your campaigns: {one_of(names)}" if names else f"Start one with: {beginning()}"
        raise UserError(f"there is no campaign {name}. {known}")
    return Campaign(folder)


# -- the one in use ----------------------------------------------------------------------------------------------------


def use(campaign: Campaign) -> None:
    """Make a campaign the current one."""
    with locked_home():
        _use(campaign.folder.name)


def _use(name: str) -> None:
    save_record(home() / "settings.json", documents.written({"settings": {"1": {"format": FORMAT, "campaign": name}}}))


def in_use() -> Path | None:
    """Return the folder of the campaign in use, whether or not it still exists."""
    found = read_file(home() / "settings.json", "settings")
    name = found["settings"]["1"]["campaign"] if found else ""
    return campaigns_folder() / name if name else None


def current() -> Campaign | None:
    folder = in_use()
    return Campaign(folder) if folder is not None and holds_campaign(folder) else None
