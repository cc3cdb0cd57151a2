"""The stored documents of a campaign, and the checks of those that come from elsewhere.

Each file starts with a checksum of the rest, which shows that it is as the companion wrote it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from companion.engine.fields import Value
from companion.engine.questions import KINDS, Pending
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


class DamagedFile(UserError):
    """Raised for a fault in a file; the message lacks the file's name."""

    code = 1


class NewerFormat(DamagedFile):
    """Raised for a file written by a newer companion; it is not damaged."""


def written(tables: Mapping[str, object]) -> bytes:
    """Return the stored form of a document."""
    rest = json.dumps(tables, separators=(",", ":"), ensure_ascii=False)[1:].encode()
    return (HEAD % zlib.crc32(rest)).encode() + rest


def read_document(path: Path, kind: str) -> Tables:
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


def parse(content: bytes, kind: str) -> Tables:
    """Return the tables of a document; raise DamagedFile if it is not of that kind, or not as it was written."""
    if content[:LONG] != (HEAD % zlib.crc32(content[LONG:])).encode():
        raise DamagedFile("it is damaged, or was changed by another program")
    tables: Tables = json.loads(content)
    del tables["check"]
    if kind not in tables:
        raise DamagedFile(f"it isn't a {kind}")
    if (newer := tables[kind]["1"]["format"]) > FORMAT:
        raise NewerFormat(f"it was saved by a newer version (format {newer}). Update this companion")
    return tables


# -- documents from elsewhere ------------------------------------------------------------------------------------------


def plain_of(part: Any) -> Any:
    """Return a document with a question mark for every unsafe character."""
    from companion.words import inert

    if isinstance(part, str):
        return inert(part)
    if isinstance(part, dict):
        return {inert(name): plain_of(each) for name, each in part.items()}
    return [plain_of(each) for each in part] if isinstance(part, list) else part


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


def known_facts(facts: Mapping[str, Value], pack: Game, *, strict: bool = False) -> dict[str, Value]:
    """Return the facts of a sheet that its game knows, without values that their fields no longer accept.

    If `strict`, raise DamagedFile for such a value.
    """
    fields, known = pack.sheet.fields, dict[str, Value]()
    for name, value in facts.items():
        try:
            if name in fields:
                known[name] = fields[name].accept(name, value, stored=True)
        except UserError as problem:
            if strict:
                raise DamagedFile(str(problem)) from None
    return known


def unknown_facts(facts: Mapping[str, Value], pack: Game) -> dict[str, Value]:
    """Return the facts of a sheet that its game does not know, which are kept."""
    known = known_facts(facts, pack)
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
