"""The stored documents of a campaign, and validation of files written by other programs.

Each file starts with a checksum of the rest. If it fits, the companion wrote the file; if not, another program did or
the disk is damaged, and msgspec checks the form.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from companion.engine.fields import Value
from companion.engine.pending import KINDS, Pending
from companion.problems import SystemFault, UserError
from companion.store.files import read_bytes

if TYPE_CHECKING:
    from companion.engine.rules import Game
    from companion.packs import Pack

FORMAT = 1
HEAD = '{"check":"%08x",'  # the start of each file: the CRC-32 of the rest
LONG = len(HEAD % 0)
MISSING = "it is missing"
Stored = dict[str, Any]
Tables = dict[str, Stored]  # a whole file: its tables by name, their entries by number


class StoredPending(TypedDict, total=False):
    """A pending roll, decision, question or order, as `Pending.document` stores it."""

    roll: str
    choose: str
    ask: str
    order: str
    bind: dict[str, str | int]
    born: int
    take: int
    usual: str | int
    cite: str
    done: str
    by: str


class EntryHead(TypedDict):
    """The required part of a journal entry."""

    v: Literal["roll", "choose", "ask", "step", "set", "mark", "erase", "done"]
    t: str  # the table, choice, field or step, or the action


class StoredEntry(EntryHead, total=False):
    """One journal entry, with short keys."""

    d: list[int]  # dice
    r: int  # 1 if the companion rolled them
    w: dict[str, str | int]  # the facts given with it; for `set` the written facts that are not among the changes
    b: dict[str, str | int]  # bindings: which fighter, gun, man
    m: list[tuple[str, int]]  # modifiers that applied: id, amount
    net: int  # the net roll
    o: str  # the outcome: row, option or value
    s: str | int  # the row as entered from the player's rulebook, 1 if it is the outcome
    a: int  # 1 if it was automatic
    j: int  # 1 if typed on one line with the entry before it
    c: dict[str, tuple[str | int | None, str | int | None]]  # changes: field, before, after; None if blank
    p: tuple[int, list[StoredPending], list[StoredPending]]  # the pending list: place, removed, inserted


class StoredMission(TypedDict):
    """The contents of a mission's file without its journal."""

    format: int
    number: int  # the number of the sheet in the campaign, from 1
    game: str
    stand: int  # the number of journal entries that are not undone
    facts: dict[str, str | int]
    pending: list[StoredPending]


class StoredCampaign(TypedDict, total=False):
    """The contents of `campaign.json`. Everything else is worked out from the missions."""

    format: int
    name: str
    game: str  # the pack of the next mission; each mission's file names its own
    aircraft: str
    roster: dict[str, str]  # position to name


class StoredSettings(TypedDict):
    """The contents of `settings.json`."""

    format: int
    campaign: str  # the folder of the campaign in use


FORMS: dict[str, type] = {"mission": StoredMission, "campaign": StoredCampaign, "settings": StoredSettings}


class DamagedFile(UserError):
    """Raised for a fault in a file; the message lacks the file's name."""

    code = 1


class NewerFormat(DamagedFile):
    """Raised for a file written by a newer companion; it is not damaged."""


class Read(NamedTuple):
    """A file's tables, and whether its checksum shows that the companion wrote it."""

    tables: Tables
    ours: bool


def written(tables: Mapping[str, object]) -> bytes:
    """Return the stored form of a document."""
    rest = json.dumps(tables, separators=(",", ":"), ensure_ascii=False)[1:].encode()
    return (HEAD % zlib.crc32(rest)).encode() + rest


def read_document(path: Path, kind: str) -> Read:
    """Return the tables of a file of that kind (mission, campaign or settings).

    Raises:
        DamagedFile: The file is missing, or not a document of that kind.
        SystemFault: The disk refuses to read it.
    """
    try:
        content = read_bytes(path)
    except FileNotFoundError:
        raise DamagedFile(MISSING) from None
    except OSError as error:
        raise SystemFault(f"can't read {path}: {error.strerror or error}") from None
    return parse(content, kind)


def parse(content: bytes, kind: str) -> Read:
    """Return the tables of a document; raise DamagedFile if it is not of that kind."""
    ours = content[:LONG] == (HEAD % zlib.crc32(content[LONG:])).encode()
    tables: Tables = json.loads(content) if ours else _tables_in(content)
    tables.pop("check", None)
    row = tables.get(kind, {}).get("1")
    if not isinstance(row, dict) or not isinstance(row.get("format"), int):
        raise DamagedFile(f"it isn't a {kind}")
    if row["format"] > FORMAT:
        raise NewerFormat(f"it was saved by a newer version (format {row['format']}). Update this companion")
    if not ours:
        _prove(tables, kind)
    return Read(tables, ours)


# -- files written by other programs -----------------------------------------------------------------------------------


def _tables_in(content: bytes) -> Tables:
    """Return the tables of a file written by another program."""
    import msgspec

    try:
        tables = msgspec.json.decode(content, type=dict[str, dict[str, Any] | str])
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"its contents are wrong: {error}") from None
    return {name: plain_of(table) for name, table in tables.items() if isinstance(table, dict)}


def plain_of(part: Any) -> Any:
    """Return a document with a question mark for every unsafe character."""
    from companion.words import inert

    if isinstance(part, str):
        return inert(part)
    if isinstance(part, dict):
        return {inert(name): plain_of(each) for name, each in part.items()}
    return [plain_of(each) for each in part] if isinstance(part, list) else part


def _prove(tables: Tables, kind: str) -> None:
    """Raise DamagedFile unless every entry of a document has the right form."""
    row, entries = tables[kind]["1"], tables.get("journal", {})
    of_form(row, FORMS[kind])
    of_form(entries, dict[str, StoredEntry])
    if kind == "campaign" and not (row.get("name") and row.get("game")):
        raise DamagedFile("it has no name or no game")
    if list(entries) != [str(number) for number in range(1, len(entries) + 1)]:
        raise DamagedFile("its journal has a gap")
    if not 0 <= row.get("stand", 0) <= len(entries):
        raise DamagedFile(f"its journal is at entry {row['stand']}, but has {len(entries)}")
    moved = (part for entry in entries.values() for part in entry.get("p", [0])[1:])
    for part in (row.get("pending", []), *moved):
        read_pending(part)


def read_pending(items: Sequence[Mapping[str, Any]]) -> list[Pending]:
    """Load a stored pending list; raise DamagedFile for an item of an unknown kind."""
    if any(sum(kind in item for kind in KINDS) != 1 for item in items):
        raise DamagedFile("something pending is not one roll, choice, question or order")
    return [*map(Pending.of, items)]


def of_form(part: object, form: Any) -> None:
    """Raise DamagedFile, with the place, unless part of a document has that form."""
    import msgspec

    try:
        msgspec.convert(part, form)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        what = what.replace("`", "").replace("Expected ", "expected ").replace("Object", "it")
        place = where.strip("`").removeprefix("$").lstrip(".")
        raise DamagedFile(f"{what} at {place}" if place else what) from None


def known_facts(facts: Mapping[str, Value], pack: Game, *, ours: bool = False) -> dict[str, Value]:
    """Return the facts of a sheet that its game knows.

    A value that its field does not accept is unknown in a file written by the companion (`ours`): the game has changed.
    Raise DamagedFile for one in another file.
    """
    fields, known = pack.sheet.fields, dict[str, Value]()
    for name, value in facts.items():
        try:
            if name in fields:
                known[name] = fields[name].accept(name, value, stored=True)
        except UserError as problem:
            if not ours:
                raise DamagedFile(str(problem)) from None
    return known


def unknown_facts(facts: Mapping[str, Value], pack: Game) -> dict[str, Value]:
    """Return the facts of a sheet that its game does not know, which are kept."""
    known = known_facts(facts, pack, ours=True)
    return {name: value for name, value in facts.items() if name not in known}


def under_present_names(row: Stored, entries: Iterable[Stored], pack: Game) -> None:
    """Replace the earlier names and words of a game (`was`) in a mission's row and journal, in place."""
    entries = list(entries)
    rolled = {each["t"] for each in entries if each["v"] == "roll"}
    pack.stand_in(rolled | {each.get("roll", "") for each in row["pending"]})
    earlier, words = pack.sheet.earlier, pack.sheet.earlier_words
    if not earlier and not words:
        return

    def facts(stored: Stored) -> Stored:
        present = {earlier.get(name, name): value for name, value in stored.items()}
        return {name: word(name, value) for name, value in present.items()}

    def word(name: str, value: object) -> object:
        renamed = words.get(name, {})
        return [word(name, each) for each in value] if isinstance(value, list) else renamed.get(str(value), value)

    def items(pending: list[Stored]) -> list[Stored]:
        for each in pending:
            each |= {"choose": word("choice", each["choose"])} if "choose" in each else {}
            each |= {"ask": earlier.get(each["ask"], each["ask"])} if "ask" in each else {}
            each |= {"bind": facts(each["bind"])} if "bind" in each else {}
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


def check_pending(pending: Iterable[Pending], pack: Pack) -> None:
    """Raise DamagedFile if the game cannot resolve a pending thing."""
    known = pack.sheet.known
    try:
        for item in pending:
            bound = {name: value for name, value in item.bind.items() if name not in ("roll", "net")}
            if item.kind == "ask":
                bound[item.name] = item.usual if item.usual is not None else ""
            for name, value in bound.items():
                if name not in known:
                    raise DamagedFile(f"something pending uses {name[:60]}, which isn't in {pack.name}")
                if value != "":
                    pack.sheet.declared(name).accept(name, value, stored=True)
            if item.kind == "roll":
                pack.table(item.name)
            elif item.kind == "choose" and not pack.has_choice(item.name):
                raise DamagedFile(f"there is no choice {item.name[:60]!r}")
            if item.until:
                pack.condition(item.until)
    except UserError as problem:
        raise DamagedFile(str(problem).partition("\n")[0]) from None
