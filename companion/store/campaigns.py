"""Campaigns on disk: a folder each, with one TinyDB file for the campaign and one for every mission.

A lock lets two terminals take turns; `settings.json` names the campaign in use. A mission's file is always written by
itself: it names its game, and the campaign log is worked out from the missions. Files are read without TinyDB, which is
slow to load.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

from companion.engine.fields import Value, line
from companion.engine.questions import Pending
from companion.engine.rules import END, START, Game
from companion.packs import Pack
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import SystemFault, UserError
from companion.store import files
from companion.store.files import FORMAT, DamagedFile, Tables, home, locked, locked_home, new_folder, present, written
from companion.words import one_of, quoted

if TYPE_CHECKING:
    from tinydb import TinyDB

MISSION = r"mission-([0-9]{2}|[1-9][0-9]{2,3})"  # the names of its files
FIRST = "first"  # the edition of a box that was given no name


class StoredMission(TypedDict):
    """The contents of a mission's file without its journal."""

    format: int
    number: int  # the number of the sheet in the campaign, from 1
    game: str
    stand: int  # the journal's position: the number of entries that are not undone
    facts: dict[str, str | int]
    pending: list[dict[str, Any]]  # as `Pending.document` stores them


class StoredCampaign(TypedDict, total=False):
    """The contents of `campaign.json`. Everything else is worked out from the missions."""

    format: int
    name: str
    game: str  # the pack of the next mission; each mission's file names its own
    aircraft: str
    roster: dict[str, str]  # position to name


class Boxes(TypedDict):
    """The boxes of cards of a game: the edition in use, and the figures of each."""

    current: str
    boxes: dict[str, dict[str, Value]]


# -- files -------------------------------------------------------------------------------------------------------------


def read_file(path: Path, kind: str) -> Tables | None:
    """Return a document, or None if there is neither file nor backup; raise SystemFault if it is damaged."""
    if not present(path) and not present(path.with_suffix(".bak")):
        return None
    try:
        return files.read_document(path, kind)
    except DamagedFile as damage:
        raise SystemFault(f"can't use {path}: {damage}. Check it with: companion doctor") from None


def save_record(path: Path, content: bytes) -> None:
    """Save a record of the player, with a backup of the previous version."""
    files.save(path, content, backup=True)


@contextlib.contextmanager
def open_file(path: Path, kind: str, put: Callable[[Path, bytes], None] = save_record) -> Iterator[TinyDB]:
    """Open a document as a TinyDB that is saved atomically at the end; the caller holds the lock."""
    from tinydb import TinyDB
    from tinydb.storages import MemoryStorage

    storage, before = MemoryStorage(), read_file(path, kind)  # type: ignore[no-untyped-call,unused-ignore]
    storage.memory = before
    yield TinyDB(storage=lambda: storage)
    put(path, written(storage.memory or {}))


def known_facts(facts: Mapping[str, Value], game: Game) -> tuple[dict[str, Value], dict[str, Value]]:
    """Return the facts of a sheet that its game knows and whose fields accept them, and the others, which are kept."""
    fields, known = game.sheet.fields, dict[str, Value]()
    for name, value in facts.items():
        with contextlib.suppress(UserError):
            if name in fields:
                known[name] = fields[name].accept(name, value, stored=True)
    return known, {name: value for name, value in facts.items() if name not in known}


def under_present_names(row: StoredMission, entries: list[dict[str, Any]], pack: Game) -> None:
    """Replace the earlier names and words of a game (`was`) in a mission's row and journal, in place.

    A file keeps the names of the day it was written; a field, table, choice, option or value may have been renamed
    since. A table that is gone is replaced by one without effects. The keys of the entries are in `play/journal.py`.
    """
    rolled = {each["t"] for each in entries if each["v"] == "roll"}
    pack.stand_in(rolled | {each.get("roll", "") for each in row["pending"]})
    earlier, words = pack.sheet.earlier, pack.sheet.earlier_words
    if not earlier and not words:
        return

    def facts(stored: Mapping[str, Any]) -> dict[str, Any]:
        present = {earlier.get(name, name): value for name, value in stored.items()}
        return {name: word(name, value) for name, value in present.items()}

    def word(name: str, value: object) -> object:  # `name` is a field, `choice`, or `choice NAME` for its options
        renamed = words.get(name, {})
        return [word(name, each) for each in value] if isinstance(value, list) else renamed.get(str(value), value)

    def items(pending: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for each in pending:
            if "choose" in each:
                each["choose"] = word("choice", each["choose"])
            if "ask" in each:
                each["ask"] = earlier.get(each["ask"], each["ask"])
            if "bind" in each:
                each["bind"] = facts(each["bind"])
        return pending

    row["facts"], row["pending"] = facts(row["facts"]), items(row["pending"])
    for entry in entries:
        entry |= {key: facts(entry[key]) for key in ("c", "w", "b") if key in entry}
        if entry["v"] == "choose":
            entry["t"] = word("choice", entry["t"])
            entry["o"] = word(f"choice {entry['t']}", entry.get("o"))
        elif entry["v"] != "roll":
            entry["t"] = earlier.get(entry["t"], entry["t"])
        if "p" in entry:
            entry["p"][1:] = map(items, entry["p"][1:])


# -- a campaign --------------------------------------------------------------------------------------------------------


class Campaign:
    """One campaign: its game, its crew, and its missions, each in its own file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.load()

    def load(self) -> None:
        """Load it from disk, again if another terminal may have changed it."""
        self.about = cast(StoredCampaign, self._tables("campaign.json", "campaign")["campaign"]["1"])
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
                other = cls(folder).name
                raise UserError(
                    f"there is already a campaign {other}. Choose another name, or: companion use {quoted(other)}"
                )
            with new_folder(folder) as draft:
                for mission in missions:
                    _write(mission, draft, files.write_synced, fresh=True)
                for each in ("campaign.json", "campaign.bak"):  # it may be a long time before the next write
                    row = {"format": FORMAT, "name": name, **about}
                    files.write_synced(draft / each, written({"campaign": {"1": row}}))
            _use(folder.name)
        return cls(folder)

    def _tables(self, name: str, kind: str) -> Tables:
        found = read_file(self.folder / name, kind)
        if found is None:
            lost = self.folder / name if present(self.folder) else self.folder
            raise SystemFault(f"{lost} is gone. {files.saved_so_far()}")
        return found

    @contextlib.contextmanager
    def to_change(self) -> Iterator[None]:
        """Load it again, and hold its lock until a change is made."""
        with locked(self.folder):
            self.load()
            yield

    def keep(self, **changes: Unpack[StoredCampaign]) -> None:
        """Save changes of the campaign itself (`roster`, `aircraft`, `game`); the caller holds the lock."""
        with open_file(self.folder / "campaign.json", "campaign") as db:
            db.table("campaign").update(dict(changes), doc_ids=[1])
        self.about.update(changes)
        self.game = self.about["game"]

    # -- its missions --------------------------------------------------------------------------------------------------

    def missions(self) -> list[int]:
        return numbers(self.folder)

    def game_of(self, number: int) -> str:
        """Return the pack used for one mission."""
        if number not in self.missions():
            return self.game
        return str(self._tables(mission_file(number), "mission")["mission"]["1"]["game"])

    def flown(self, number: int, known: Pack | None = None) -> Mission:
        """Return a mission, reusing the `known` pack if it has the same name.

        Raise SystemFault if its file is damaged or missing.
        """
        tables = self._tables(mission_file(number), "mission")
        row, rows = cast(StoredMission, tables["mission"]["1"]), tables.get("journal", {})
        entries = [rows[str(at)] for at in range(1, len(rows) + 1)]
        pack = known if known is not None and known.name == row["game"] else Pack(row["game"])
        under_present_names(row, entries, pack)
        facts, _ = known_facts(row["facts"], pack)
        steps = ("", START, END, *pack.sequence.place)
        if "step" in facts and facts["step"] not in steps:  # gone from the game: go on from the one before
            moves = (each.get("c", {}).get("step") for each in reversed(entries[: row["stand"]]))
            taken = [move[0] or "" for move in moves if move]
            facts["step"] = next((each for each in taken if each in steps), START)
        return Mission(pack, facts, [*map(Pending.of, row["pending"])], Journal(entries, row["stand"]), number)

    def all_flown(self, pack: Pack) -> Iterator[Mission]:
        """Yield every mission, in order; those in a row of one game share a pack, first `pack`."""
        for number in self.missions():
            mission = self.flown(number, pack)
            pack = mission.game
            yield mission

    def stamp(self, number: int) -> tuple[int, int]:
        """Return a stamp of a mission's file that changes with each write; zeros if the disk has none."""
        return files.stamp_of(self.folder / mission_file(number))

    def save(self, mission: Mission, *, fresh: bool = False) -> None:
        """Save a mission; a `fresh` one replaces the existing mission with its unknown fields."""
        _write(mission, self.folder, save_record, fresh=fresh)
        keep_figures(mission)


def _write(mission: Mission, folder: Path, put: Callable[[Path, bytes], None], *, fresh: bool) -> None:
    with open_file(folder / mission_file(mission.number or 0), "mission", put) as db:
        from tinydb.table import Document

        earlier = None if fresh else db.table("mission").get(doc_id=1)
        unknown = dict[str, Value]()
        if isinstance(earlier, Document):
            under_present_names(cast(StoredMission, earlier), [], mission.game)
            _, unknown = known_facts(earlier["facts"], mission.game)
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


# -- the figures of a box of cards, kept for the next campaign of its game, by edition ---------------------------------


def boxes_of(game: str) -> Boxes:
    """Return the boxes of a game; a damaged file counts as none, since its figures are in the missions too."""
    import msgspec

    try:
        return msgspec.json.decode(files.read_bytes(home() / "boxes" / f"{game}.json"), type=Boxes)
    except (FileNotFoundError, msgspec.MsgspecError, ValueError):
        return {"current": FIRST, "boxes": {}}


def keep_boxes(game: str, boxes: Boxes) -> None:
    """Save the boxes of a game."""
    path = home() / "boxes" / f"{game}.json"
    files.make_folder(path.parent)
    files.save(path, json.dumps(boxes, ensure_ascii=False, indent=1).encode())


def keep_figures(mission: Mission) -> None:
    """Keep the figures of a sheet for the edition in use, if the game has a box and something is new."""
    game, fields = mission.game, mission.game.sheet.fields
    if not game.about.box:
        return
    boxes = boxes_of(game.name)
    entered = {
        name: value for name, value in mission.state.items() if name in fields and fields[name].section == "book"
    }
    known = boxes["boxes"].get(boxes["current"], {})
    if entered and {**known, **entered} != known:
        boxes["boxes"][boxes["current"]] = {**known, **entered}
        keep_boxes(game.name, boxes)


def figures(pack: Pack, campaign: Campaign) -> dict[str, Value]:
    """Return the fields that a new mission takes over: numbers of the player's rulebook, settings and options.

    They come from the previous mission, or from the box in use if this is the first one.
    """
    known, fields = dict[str, Value](), pack.sheet.fields
    if flown := campaign.missions():
        known = campaign.flown(flown[-1], pack).state
    elif pack.about.box:
        boxes = boxes_of(pack.name)
        known = boxes["boxes"].get(boxes["current"], {})
    kept = ("book", "settings", "options")
    return {name: value for name, value in known.items() if name in fields and fields[name].section in kept}


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


def mission_file(number: int) -> str:
    return f"mission-{number:02d}.json"


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
    save_record(home() / "settings.json", written({"settings": {"1": {"format": FORMAT, "campaign": name}}}))


def in_use() -> Path | None:
    """Return the folder of the campaign in use, whether or not it still exists."""
    found = read_file(home() / "settings.json", "settings")
    name = found["settings"]["1"]["campaign"] if found else ""
    return campaigns_folder() / name if name else None


def campaign_in_use() -> Campaign | None:
    """Return the campaign in use, or None."""
    folder = in_use()
    return Campaign(folder) if folder is not None and holds_campaign(folder) else None
