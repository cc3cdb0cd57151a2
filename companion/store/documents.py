"""The documents of a campaign, as they are stored, and the check of those that somebody else has written.

Each file begins with the checksum of the rest. Where it fits we have written the file ourselves; where it does not,
somebody else has, or the disk has lost something, and msgspec checks the form.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from companion.engine.fields import Value
from companion.engine.pending import KINDS, Pending, restored
from companion.problems import SystemFault, UserError
from companion.store.files import read_bytes

if TYPE_CHECKING:
    from companion.packs import Pack

FORMAT = 1
HEAD = '{"check":"%08x",'  # how each file begins: the CRC-32 of what follows
LONG = len(HEAD % 0)
MISSING = "it is missing"
Tables = dict[str, dict[str, Any]]  # a whole file: its tables by name, their entries by number


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
    """The part of a journal entry that none is without."""

    v: Literal["roll", "choose", "ask", "step", "set", "mark", "erase", "done"]
    t: str  # the table, choice, field or step, or what was done


class StoredEntry(EntryHead, total=False):
    """One journal entry, kept short."""

    d: list[int]  # dice
    r: int  # 1 where the companion rolled them
    w: dict[str, str | int]  # the facts given with it; for `set` those written, where the changes do not tell them
    b: dict[str, str | int]  # bindings: which fighter, gun, man
    m: list[tuple[str, int]]  # modifiers that applied: id, amount
    net: int  # the net roll
    o: str  # the outcome: row, option or value
    s: str | int  # the row as it was said from an own book, 1 where it is the outcome
    a: int  # 1 where it came about by itself
    j: int  # 1 where it was said in one line with the entry before it
    c: dict[str, tuple[str | int | None, str | int | None]]  # changes: field, before, after; None where blank
    p: tuple[int, list[StoredPending], list[StoredPending]]  # the pending list: place, taken, put


class StoredMission(TypedDict):
    """The contents of a mission's file without its journal."""

    format: int
    number: int  # which sheet of the campaign it is, from 1
    game: str
    stand: int  # how many entries of the journal stand
    facts: dict[str, str | int]
    pending: list[StoredPending]


class StoredCampaign(TypedDict, total=False):
    """The contents of `campaign.json`. All else of a campaign is worked out from its missions."""

    format: int
    name: str
    game: str  # the pack of the next mission; each mission's file says its own
    aircraft: str
    roster: dict[str, str]  # position to name


class StoredSettings(TypedDict):
    """The contents of `settings.json`."""

    format: int
    campaign: str  # the folder of the campaign in use


FORMS: dict[str, type] = {"mission": StoredMission, "campaign": StoredCampaign, "settings": StoredSettings}


class DamagedFile(UserError):
    """A fault in a file, told without the file's name."""

    code = 1


class Newer(DamagedFile):
    """The file was written by a newer companion; nothing is wrong with it."""


class Read(NamedTuple):
    """A file's tables, and whether its checksum says that we wrote it."""

    tables: Tables
    ours: bool


def written(tables: Mapping[str, object]) -> bytes:
    """Return a document as it is stored."""
    rest = json.dumps(tables, separators=(",", ":"), ensure_ascii=False)[1:].encode()
    return (HEAD % zlib.crc32(rest)).encode() + rest


def read_document(path: Path, kind: str) -> Read:
    """Return the tables of a file of that kind (mission, campaign or settings).

    Raises:
        DamagedFile: it is missing, or no document of that kind.
        SystemFault: the disk does not give it.
    """
    try:
        content = read_bytes(path)
    except FileNotFoundError:
        raise DamagedFile(MISSING) from None
    except OSError as error:
        raise SystemFault(f"cannot read {path}: {error.strerror or error}") from None
    return parse(content, kind)


def parse(content: bytes, kind: str) -> Read:
    """Return the tables of a document; raises DamagedFile where it is none of that kind."""
    ours = content[:LONG] == (HEAD % zlib.crc32(content[LONG:])).encode()
    tables: Tables = json.loads(content) if ours else _tables_in(content)
    tables.pop("check", None)
    row = tables.get(kind, {}).get("1")
    if not isinstance(row, dict) or not isinstance(row.get("format"), int):
        raise DamagedFile(f"it holds no {kind}")
    if row["format"] > FORMAT:
        raise Newer(f"it was written by a newer companion (format {row['format']}); update this one")
    if not ours:
        _prove(tables, kind)
    return Read(tables, ours)


# -- what somebody else has written ------------------------------------------------------------------------------------


def _tables_in(content: bytes) -> Tables:
    """Return the tables that somebody else has written."""
    import msgspec

    try:
        tables = msgspec.json.decode(content, type=dict[str, dict[str, Any] | str])
    except (ValueError, RecursionError) as error:
        raise DamagedFile(f"it makes no sense: {error}") from None
    return {name: plain_of(table) for name, table in tables.items() if isinstance(table, dict)}


def plain_of(part: Any) -> Any:
    """Return a document with a question mark for every letter that does more than be shown."""
    from companion.words import inert

    if isinstance(part, str):
        return inert(part)
    if isinstance(part, dict):
        return {inert(name): plain_of(each) for name, each in part.items()}
    return [plain_of(each) for each in part] if isinstance(part, list) else part


def _prove(tables: Tables, kind: str) -> None:
    """Raise DamagedFile unless every entry of a document has its form."""
    row, entries = tables[kind]["1"], tables.get("journal", {})
    of_form(row, FORMS[kind])
    of_form(entries, dict[str, StoredEntry])
    if kind == "campaign" and not (row.get("name") and row.get("game")):
        raise DamagedFile("it has no name or no game")
    if list(entries) != [str(number) for number in range(1, len(entries) + 1)]:
        raise DamagedFile("its journal has a gap")
    if not 0 <= row.get("stand", 0) <= len(entries):
        raise DamagedFile(f"its journal stands at {row['stand']}, but there are {len(entries)} entries")
    moved = (part for entry in entries.values() for part in entry.get("p", [0])[1:])
    for part in (row.get("pending", []), *moved):
        read_pending(part)


def read_pending(items: Sequence[Mapping[str, Any]]) -> list[Pending]:
    """Read a pending list as it is stored; raises DamagedFile where something is none of the four kinds."""
    if any(sum(kind in item for kind in KINDS) != 1 for item in items):
        raise DamagedFile("something pending is not one roll, choice, question or order")
    return restored(items)


def of_form(part: object, form: Any) -> None:
    """Raise DamagedFile, which says where, unless part of a document has that form."""
    import msgspec

    try:
        msgspec.convert(part, form)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at ")
        what = what.replace("`", "").replace("Expected ", "expected ").replace("Object", "it")
        place = where.strip("`").removeprefix("$").lstrip(".")
        raise DamagedFile(f"{what} at {place}" if place else what) from None


def known_facts(facts: Mapping[str, Value], pack: Pack) -> dict[str, Value]:
    """Return the facts of a sheet that its game knows; raises DamagedFile where a field holds what it never takes."""
    fields = pack.sheet.fields
    try:
        return {name: fields[name].accept(name, value, stored=True) for name, value in facts.items() if name in fields}
    except UserError as problem:
        raise DamagedFile(str(problem)) from None


def check_pending(pending: Iterable[Pending], pack: Pack) -> None:
    """Raise DamagedFile where something is pending that the game cannot work on."""
    known = pack.sheet.known
    try:
        for item in pending:
            bound = {name: value for name, value in item.bind.items() if name not in ("roll", "net")}
            if item.kind == "ask":
                bound[item.name] = item.usual if item.usual is not None else ""
            for name, value in bound.items():
                if name not in known:
                    raise DamagedFile(f"something pending is about {name[:60]}, which {pack.name} does not know")
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
