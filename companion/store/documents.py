"""The documents of a campaign: their forms, which msgspec proves, and what of them a game's sheet takes.

Each file begins with the checksum of what follows. Where it fits we have written the file ourselves and its form is not
proved again; where it does not, somebody else has written it, or the disk has lost something.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from companion.engine.fields import Value
from companion.problems import Problem, Trouble
from companion.store.files import kind_of
from companion.store.system import read_bytes
from companion.words import inert

if TYPE_CHECKING:
    from companion.packs import Pack

FORMAT = 1
MOST_BYTES = 1 << 27  # no campaign comes near it
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


class Settings(TypedDict, total=False):
    """What `settings.json` holds."""

    format: int
    campaign: str  # the folder of the campaign in use


class Pending(TypedDict, total=False):
    """One pending thing as it is stored: a roll, a decision, a question about a field or an order."""

    roll: str
    choose: str
    ask: str
    order: str
    bind: dict[str, str | int]  # what was bound when it was born
    born: int  # with which entry of the journal
    take: int  # the row that is taken without dice
    usual: str | int
    cite: str
    done: str  # the sentence that ends an order
    by: str  # the file of the pack that gave it


class Verb(TypedDict):
    """What every entry says."""

    v: Literal["roll", "choose", "ask", "step", "set", "mark", "erase", "done"]
    t: str  # the table, choice, field or step, or what was done


class Written(Verb, total=False):
    """One entry as it is stored, kept short."""

    d: list[int]  # dice
    w: dict[str, str | int]  # the facts given with it; for `set` those written, where the changes do not tell them
    b: dict[str, str | int]  # bindings: which fighter, gun, man
    m: list[tuple[str, int]]  # modifiers that applied: id, amount
    net: int  # the net roll
    o: str  # the outcome: row, option or value
    s: str | int  # the row as it was said from an own book, 1 where it is the outcome
    a: int  # 1 where it came about by itself
    j: int  # 1 where it was said in one line with the entry before it
    c: dict[str, tuple[str | int | None, str | int | None]]  # changes: field, before, after; None where it was blank
    p: tuple[int, list[Pending], list[Pending]]  # the pending list: place, taken, put


class StoredMission(TypedDict):
    """What a mission's file holds beside its journal."""

    format: int
    number: int  # which sheet of the campaign it is, from 1
    game: str
    stand: int  # how many entries of the journal stand
    facts: dict[str, str | int]
    pending: list[Pending]


class Damage(Problem):
    """What is wrong with a file, without its name."""

    code = 1


class Newer(Damage):
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
    """Return the tables of a file of that kind: mission, campaign or settings.

    Raises:
        Damage: what is wrong with it, without its name.
        Trouble: the disk does not give it.
    """
    try:
        content = read_bytes(path)
    except FileNotFoundError:
        raise Damage(MISSING) from None
    except OSError as error:
        if kind_of(path) not in ("file", ""):
            raise Damage("it is no file") from None
        raise Trouble(f"cannot read {path}: {error.strerror or error}") from None
    return parse(content, kind)


def parse(content: bytes, kind: str) -> Read:
    """Return the tables of a document; raises Damage where it is none of that kind."""
    if len(content) > MOST_BYTES:
        raise Damage("it is far too large")
    ours = content[:LONG] == (HEAD % zlib.crc32(content[LONG:])).encode()
    tables: Tables = json.loads(content) if ours else _tables(content)
    tables.pop("check", None)
    row = tables.get(kind, {}).get("1")
    if not isinstance(row, dict):
        raise Damage(f"it holds no {kind}")
    if not isinstance(row.get("format"), int):
        raise Damage("it has no format number")
    if row["format"] > FORMAT:
        raise Newer(f"written by a newer companion (format {row['format']}); update this one")
    if row["format"] < FORMAT:
        raise Damage(f"it is in format {row['format']}, which this companion does not know")
    if not ours:
        _prove(tables, kind)
    if kind == "mission":
        _check_journal(tables.get("journal", {}), row["stand"])
    return Read(tables, ours)


def _tables(content: bytes) -> Tables:
    """Return the tables that somebody else has written, with nothing in their texts that does more than stand there."""
    import msgspec

    if not content.strip(b"\0 \r\n\t"):
        raise Damage("it is empty")
    try:
        parsed: Any = msgspec.json.decode(content)
    except RecursionError:
        raise Damage("it is nested too deeply") from None
    except UnicodeDecodeError:
        raise Damage("it is not text") from None
    except msgspec.DecodeError as error:
        raise Damage(f"it makes no sense: {error}") from None
    if not isinstance(parsed, dict):
        raise Damage("it is not a campaign document")
    tables: Tables = _inert(parsed)
    tables.pop("check", None)
    if not all(isinstance(each, dict) for each in tables.values()):
        raise Damage("it is not a campaign document")
    return tables


def _inert(part: Any) -> Any:
    if isinstance(part, str):
        return inert(part)
    if isinstance(part, dict):
        return {inert(name): _inert(each) for name, each in part.items()}
    return [_inert(each) for each in part] if isinstance(part, list) else part


def _prove(tables: Tables, kind: str) -> None:
    """Raise Damage unless every entry has its form."""
    import msgspec

    forms: dict[str, Any] = {"mission": StoredMission, "campaign": StoredCampaign, "settings": Settings}
    try:
        row = msgspec.convert(tables[kind]["1"], forms[kind])
        if kind == "campaign" and not (row.get("name") and row.get("game")):
            raise Damage("it has no name and game")
        if kind == "mission":
            rows = msgspec.convert(tables.get("journal", {}), dict[str, Written])
            if any(entry["p"][0] < 0 for entry in rows.values() if "p" in entry):
                raise Damage("its journal puts something before the pending list")
    except msgspec.ValidationError as error:
        raise Damage(in_words(error)) from None


def in_words(error: Exception) -> str:
    """Return what msgspec says of a form, as a sentence for a person."""
    what, _, where = str(error).partition(" - at ")
    what = what.replace("`", "").replace("Expected ", "expected ").replace("Object", "it")
    place = where.strip("`").removeprefix("$").lstrip(".")
    return f"{what} at {place}" if place else what


def _check_journal(rows: Collection[str], stand: object) -> None:
    if not all(str(number) in rows for number in range(1, len(rows) + 1)):
        raise Damage("its journal has a gap")
    if not isinstance(stand, int) or not 0 <= stand <= len(rows):
        raise Damage(f"its journal stands at {stand!r}, but there are {len(rows)} entries")


# -- what a game takes -----------------------------------------------------------------------------------------------


def check_facts(facts: Mapping[str, Value], pack: Pack) -> list[str]:
    """Raise Damage where a field holds what it never takes; return the fields that the game does not know, which are
    kept as they are."""
    fields, unknown = pack.sheet.fields, list[str]()
    for name, value in facts.items():
        declared = fields.get(name)
        if declared is None:
            unknown.append(name)
            continue
        try:
            same = declared.accept(name, value, stored=True) == value
        except Problem as problem:
            raise Damage(str(problem)) from None
        if not same:
            raise Damage(f"{name} cannot be {str(value)[:60]!r}; it takes {declared.span}")
    return unknown


def check_pending(pending: Collection[Mapping[str, Any]], pack: Pack) -> None:
    """Raise Damage where somebody else has written something pending that the game could not work on."""
    for item in pending:
        try:
            _check_item(item, pack)
        except Trouble:
            raise
        except Problem as problem:
            raise Damage(str(problem)) from None


def _check_item(item: Mapping[str, Any], pack: Pack) -> None:
    if ("roll" in item) + ("choose" in item) + ("ask" in item) + ("order" in item) != 1:
        raise Problem("a pending thing is one roll, choice, question or order")
    sheet = pack.sheet
    bound = {name: value for name, value in item.get("bind", {}).items() if name not in ("roll", "net")}
    for name, value in bound.items():
        if name not in sheet.known:
            raise Problem(f"a pending thing is about {name[:60]}, which {pack.name} does not know")
        _fits(pack, name, value)
    if "roll" in item:
        pack.table(item["roll"])
    elif "choose" in item and not pack.has_choice(item["choose"]):
        raise Problem(f"there is no choice {item['choose'][:60]!r}")
    elif "ask" in item:
        if item["ask"] not in sheet.fields:
            raise Problem(f"there is no field {item['ask'][:60]!r}")
        if "usual" in item:
            _fits(pack, item["ask"], item["usual"])
    if "done" in item:
        _check_until(item["done"], bound, pack)


def _fits(pack: Pack, name: str, value: Value) -> None:
    declared = pack.sheet.declared(name)
    if str(declared.accept(name, value, stored=True)) != str(value):
        raise Problem(f"{name} cannot be {str(value)[:60]!r}; it takes {declared.span}")


def _check_until(sentence: str, bound: Mapping[str, Value], pack: Pack) -> None:
    """Raise a Problem unless an order ends on a condition over the facts of the game."""
    from companion.engine.facts import Facts

    try:
        pack.condition(sentence)(Facts(pack.sheet, bound))
    except Problem as problem:
        why = str(problem).partition("\n")[0]
        raise Problem(f"an order ends on what {pack.name} does not know: {why}") from None
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError):
        raise Problem("an order ends on nothing we know") from None


def campaign_named(settings: Mapping[str, object]) -> str:
    """Return the folder of the campaign in use; empty when none is named."""
    name = settings.get("campaign", "")
    return name if isinstance(name, str) and "/" not in name else ""
