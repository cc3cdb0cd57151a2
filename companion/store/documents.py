"""The documents of a campaign, as they are stored, and what of them a game's sheet takes.

Each file begins with the checksum of what follows. Where it fits we have written the file ourselves; where it does
not, somebody else has, or the disk has lost something, and `forms` proves it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from companion.engine.fields import Value
from companion.problems import SystemFault, UserError
from companion.store.files import kind_of
from companion.store.system import read_bytes

if TYPE_CHECKING:
    from companion.engine.pending import Pending
    from companion.packs import Pack

FORMAT = 1
HEAD = '{"check":"%08x",'  # how each file begins: the CRC-32 of what follows
LONG = len(HEAD % 0)
MISSING = "it is missing"
Tables = dict[str, dict[str, Any]]  # a whole file: its tables by name, their entries by number


class StoredCampaign(TypedDict, total=False):
    """What `campaign.json` holds. All else of a campaign is worked out from its missions."""

    format: int
    name: str
    game: str  # the pack of the next mission; each mission's file says its own
    aircraft: str
    roster: dict[str, str]  # position to name


class StoredMission(TypedDict):
    """What a mission's file holds beside its journal."""

    format: int
    number: int  # which sheet of the campaign it is, from 1
    game: str
    stand: int  # how many entries of the journal stand
    facts: dict[str, str | int]
    pending: list[dict[str, Any]]  # `forms.PendingForm`


class DamagedFile(UserError):
    """What is wrong with a file, without its name."""

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


def file_content(path: Path) -> bytes:
    """Return the bytes of a file of ours; raises DamagedFile where it is missing or no file, SystemFault where the
    disk does
    not give it."""
    try:
        return read_bytes(path)
    except FileNotFoundError:
        raise DamagedFile(MISSING) from None
    except OSError as error:
        if kind_of(path) not in ("file", ""):
            raise DamagedFile("it is no file") from None
        raise SystemFault(f"cannot read {path}: {error.strerror or error}") from None


def read_document(path: Path, kind: str) -> Read:
    """Return the tables of a file of that kind (mission, campaign or settings); raises as `file_content` and `parse`
    do."""
    return parse(file_content(path), kind)


def parse(content: bytes, kind: str) -> Read:
    """Return the tables of a document; raises DamagedFile where it is none of that kind."""
    ours = content[:LONG] == (HEAD % zlib.crc32(content[LONG:])).encode()
    if ours:
        tables: Tables = json.loads(content)
        tables.pop("check", None)
        _check_row(tables, kind)
    else:
        from companion.store.forms import parsed, prove

        try:
            tables = parsed(content)
            _check_row(tables, kind)
            prove(tables, kind)
        except ValueError as error:
            raise DamagedFile(str(error)) from None
    rows, stand = tables.get("journal", {}), tables[kind]["1"].get("stand", 0)
    if not all(str(number) in rows for number in range(1, len(rows) + 1)):
        raise DamagedFile("its journal has a gap")
    if not 0 <= stand <= len(rows):
        raise DamagedFile(f"its journal stands at {stand!r}, but there are {len(rows)} entries")
    return Read(tables, ours)


def _check_row(tables: Tables, kind: str) -> None:
    """Raise Damage unless the document is of that kind, and of the format that we write."""
    row = tables.get(kind, {}).get("1")
    if not isinstance(row, dict):
        raise DamagedFile(f"it holds no {kind}")
    if not isinstance(row.get("format"), int):
        raise DamagedFile("it has no format number")
    if row["format"] > FORMAT:
        raise Newer(f"written by a newer companion (format {row['format']}); update this one")
    if row["format"] < FORMAT:
        raise DamagedFile(f"it is in format {row['format']}, which this companion does not know")


def campaign_named(settings: Mapping[str, object]) -> str:
    """Return the folder of the campaign in use; empty when none is named."""
    name = settings.get("campaign", "")
    return name if isinstance(name, str) and "/" not in name else ""


# -- what a game takes -----------------------------------------------------------------------------------------------


def check_facts(facts: Mapping[str, Value], pack: Pack) -> list[str]:
    """Return the fields that the game does not know, which are kept; raises DamagedFile where one holds what it never
    takes."""
    fields = pack.sheet.fields
    for name, value in facts.items():
        if name in fields:
            _check_value(pack, name, value)
    return [name for name in facts if name not in fields]


def check_pending(pending: Iterable[Pending], pack: Pack) -> None:
    """Raise Damage where somebody else has written something pending that the game could not work on."""
    for item in pending:
        bound = {name: value for name, value in item.bind.items() if name not in ("roll", "net")}
        for name, value in bound.items():
            if name not in pack.sheet.known:
                raise DamagedFile(f"a pending thing is about {name[:60]}, which {pack.name} does not know")
            _check_value(pack, name, value, alike=True)
        if item.kind == "roll":
            try:
                pack.table(item.name)
            except SystemFault:
                raise
            except UserError as problem:
                raise DamagedFile(str(problem)) from None
        elif item.kind == "choose" and not pack.has_choice(item.name):
            raise DamagedFile(f"there is no choice {item.name[:60]!r}")
        elif item.kind == "ask":
            if item.name not in pack.sheet.fields:
                raise DamagedFile(f"there is no field {item.name[:60]!r}")
            if item.usual is not None:
                _check_value(pack, item.name, item.usual, alike=True)
        if item.until:
            _check_until(item.until, bound, pack)


def _check_value(pack: Pack, name: str, value: Value, *, alike: bool = False) -> None:
    """Raise Damage unless the field takes that value; `alike`: a figure may be written as a text."""
    declared = pack.sheet.declared(name)
    try:
        taken = declared.accept(name, value, stored=True)
    except UserError as problem:
        raise DamagedFile(str(problem)) from None
    if taken != value and not (alike and str(taken) == str(value)):
        raise DamagedFile(f"{name} cannot be {str(value)[:60]!r}; it takes {declared.span}")


def _check_until(sentence: str, bound: Mapping[str, Value], pack: Pack) -> None:
    """Raise Damage unless an order ends on a condition over the facts of the game."""
    from companion.engine.facts import Facts

    try:
        pack.condition(sentence)(Facts(pack.sheet, bound))
    except (UserError, TypeError, ValueError, LookupError, AttributeError, RecursionError) as error:
        why = str(error).partition("\n")[0]
        raise DamagedFile(f"an order ends on what {pack.name} does not know: {why}") from None
