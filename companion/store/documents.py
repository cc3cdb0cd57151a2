"""What a sound file of a campaign looks like, and how older formats become the present one.

Everything here works on the parsed document, so that a damaged or hand-edited file is found out before it is used.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Any, TypedDict, cast, get_args, get_origin, get_type_hints

from companion.engine.fields import Value
from companion.engine.sheet import Sheet
from companion.engine.work import Item
from companion.problems import Problem, Trouble
from companion.store.system import read_bytes
from companion.words import inert

FORMAT = 1
KINDS = ("mission", "campaign", "settings")
MOST_BYTES = 1 << 27  # no campaign comes near it
VERBS = ("roll", "choose", "ask", "step", "set", "mark", "erase", "done")  # of the journal's entries
Row = dict[str, Any]  # one entry of a table as JSON has it, before its form is checked
Document = dict[str, dict[str, Row]]  # a whole file: its tables by name, their entries by number


class StoredCampaign(TypedDict, total=False):
    """What `campaign.json` holds: the campaign without its missions."""

    format: int
    name: str
    game: str  # the pack of the newest mission
    aircraft: str
    roster: dict[str, str]  # position to name
    begun: list[int]  # the numbers of the missions begun, which an older companion did not keep
    variants: dict[str, str]  # from which mission on which game was flown, where it was not one throughout


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

    v: str  # roll, choose, ask, step, set, mark, erase or done
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
    facts: dict[str, Value]
    pending: list[Item]  # each of the form of a Pending


MIGRATIONS: dict[int, Callable[[str, Document], Document]] = {}
"""From each older format to the one after it: handed the kind of file and its whole document, gives the new one."""


class Damage(Problem):
    """What is wrong with a file, without its name."""

    code = 1


class Newer(Damage):
    """The file was written by a newer companion; nothing is wrong with it."""


def read_document(path: Path) -> tuple[Document, int]:
    """A file's document in the present format and the format it was written in; raises Damage without its name."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise Damage("it is no file")
        if status.st_size > MOST_BYTES:
            raise Damage("it is far too large")
        return parse(read_bytes(path).decode("utf-8"))
    except UnicodeDecodeError:
        raise Damage("it is not text") from None
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror or error}") from None


def parse(text: str) -> tuple[Document, int]:
    """A sound document in the present format, and the format it was written in; raises Damage."""
    if not text.strip("\0 \r\n\t"):
        raise Damage("it is empty")
    try:
        parsed: object = json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise Damage("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise Damage(f"it makes no sense from line {error.lineno} column {error.colno} on") from None
    except ValueError:
        raise Damage("it has a number of thousands of figures") from None
    document = _tables(parsed if text.isascii() and not any(each in text for each in "\\\x7f") else _inert(parsed))
    kind = next((each for each in KINDS if each in document), "")
    if not kind or "1" not in document[kind]:
        raise Damage("it holds no mission and no campaign")
    written = document[kind]["1"].get("format")
    if type(written) is not int:
        raise Damage("it has no format number")
    if written > FORMAT:
        raise Newer(f"written by a newer companion (format {written}); update this one")
    for old in range(written, FORMAT):
        if old not in MIGRATIONS:
            raise Damage(f"it is in format {old}, which this companion does not know")
        document = MIGRATIONS[old](kind, document)
        document[kind]["1"]["format"] = old + 1
    return document, written


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON, in which every name stands once."""
    table = dict(pairs)
    if len(table) != len(pairs):
        names: set[str] = set()
        for name, _ in pairs:
            if name in names:
                raise Damage(f"it has {name[:60]!r} twice")
            names.add(name)
    return table


def _inert(part: object) -> object:
    """A part of a file with nothing in its texts that does more than stand there: older companions wrote down what
    was typed, and somebody else may have written the file."""
    if isinstance(part, str):
        return inert(part)
    if isinstance(part, dict):
        return {inert(name): _inert(each) for name, each in part.items()}
    return [_inert(each) for each in part] if isinstance(part, list) else part


def _tables(parsed: object) -> Document:
    """What was parsed, when it is tables of numbered entries; else Damage."""
    if not isinstance(parsed, dict):
        raise Damage("it is not a campaign document")
    for name, rows in parsed.items():
        if not isinstance(rows, dict):
            raise Damage(f"{name[:60]} is not a set of entries")
        for number, row in rows.items():
            if not (number.isascii() and number.isdigit() and isinstance(row, dict)):
                raise Damage(f"{name[:60]} has {number[:60]!r}, which is not a numbered entry")
    return parsed


def check_campaign(about: Mapping[str, object]) -> StoredCampaign:
    """A campaign that has its name, its game and its roster; raises Damage where it has not."""
    for name in ("name", "game"):
        if not isinstance(about.get(name), str) or not about[name]:
            raise Damage(f"it has no {name}")
    roster = about.get("roster", {})
    if not isinstance(roster, dict) or not all(isinstance(who, str) for who in roster.values()):
        raise Damage("its roster is not a list of names")
    begun = about.get("begun", [])
    if not isinstance(begun, list) or not all(type(number) is int and 0 <= number < 10_000 for number in begun):
        raise Damage("its missions begun are not a list of numbers")
    variants = about.get("variants", {})
    if not isinstance(variants, dict) or not all(_first(at) and isinstance(variants[at], str) for at in variants):
        raise Damage("its variants do not say from which mission on which game was flown")
    return cast(StoredCampaign, about)


def game_of(about: StoredCampaign, number: int) -> str:
    """The pack a mission is flown with: `variants` says from which mission on another one of the same family is."""
    variants = about.get("variants", {})
    begun = [int(first) for first in variants if int(first) <= number]
    return variants[str(max(begun))] if begun else about["game"]


def campaign_named(settings: Mapping[str, object]) -> str:
    """The folder of the campaign in use; empty when none is named."""
    name = settings.get("campaign", "")
    return name if isinstance(name, str) and "/" not in name else ""


def check_mission(row: Mapping[str, object], sheet: Sheet | None = None) -> StoredMission:
    """A mission whose facts are such as the sheet takes and whose pending list can be worked on; else Damage.

    Without a sheet only the form of both is looked at.
    """
    facts, pending = row.get("facts"), row.get("pending")
    if not isinstance(facts, dict) or not all(_written(value) for value in facts.values()):
        raise Damage("its facts are not fields with values")
    if not isinstance(pending, list):
        raise Damage("its pending list is missing")
    if sheet is not None:
        for name, value in facts.items():
            _check_fact(name, value, sheet)
    for number, item in enumerate(pending, 1):
        if not _item(item, sheet):
            raise Damage(f"pending thing {number} is none that can be worked on")
    return cast(StoredMission, row)


def check_values(facts: Mapping[str, Value], sheet: Sheet) -> None:
    """Raise Damage where a field of the sheet holds what it never takes; fields that the sheet has no longer are let
    pass, as the campaign log does not read them."""
    for name, value in facts.items():
        if name in sheet.fields:
            _check_fact(name, value, sheet)


def check_journal(rows: Mapping[str, object] | Mapping[int, object], stand: object) -> None:
    """Raise Damage unless the entries are whole, without a gap, and `stand` is among them."""
    if sorted(int(number) for number in rows) != list(range(1, len(rows) + 1)):
        raise Damage("its journal has a gap")
    if type(stand) is not int or not 0 <= stand <= len(rows):
        raise Damage(f"its journal stands at {stand!r}, but there are {len(rows)} entries")
    for number, entry in rows.items():
        if not _entry(entry):
            raise Damage(f"journal entry {number} is not whole")


def _first(number: str) -> bool:
    """Whether it is a mission's number as we write it."""
    return number.isascii() and number.isdigit() and not number.startswith("0") and len(number) < 5


def _written(value: object) -> bool:
    """Whether a field can hold it."""
    return type(value) in (str, int)


def _check_fact(name: str, value: Value, sheet: Sheet) -> None:
    declared = sheet.fields.get(name)
    if declared is None:
        raise Damage(f"it has a field {name[:60]}, which the sheet does not have")
    try:
        same = declared.accept(name, value, stored=True) == value
    except Problem as problem:
        raise Damage(str(problem)) from None
    if not same:
        raise Damage(f"{name} cannot be {str(value)[:60]!r}; it takes {declared.span}")


def _item(item: object, sheet: Sheet | None) -> bool:
    """A pending thing that can be worked on: it has its form, and is one thing."""
    return (
        isinstance(item, dict)
        and fits(Pending)(item)
        and ("roll" in item) + ("choose" in item) + ("ask" in item) + ("order" in item) == 1
        and ("ask" not in item or sheet is None or item["ask"] in sheet.fields)
    )


def _entry(entry: object) -> bool:
    """A journal entry that is whole: what it took from the pending list and put there can be worked on."""
    if not isinstance(entry, dict) or not fits(Written)(entry) or entry["v"] not in VERBS:
        return False
    if "p" not in entry:
        return True
    place, taken, put = entry["p"]
    return place >= 0 and all(_item(each, None) for each in [*taken, *put])


@cache
def fits(kind: object) -> Callable[[object], bool]:
    """The check whether a value from JSON has a declared form: a type, or a TypedDict (other keys are free).

    >>> fits(list[tuple[str, int]])([["ace", 1]]), fits(Pending)({"roll": 5}), fits(int)(True)
    (True, False, False)
    """
    if kind is Any:
        return lambda value: True
    if kind in (str, int, NoneType):
        return lambda value: type(value) is kind
    origin, parts = get_origin(kind), get_args(kind)
    if origin is None:
        return _fits_form(kind)
    if origin is not dict and set(parts) <= {str, int, NoneType} and origin not in (list, tuple):
        return lambda value: type(value) in parts
    inner = [fits(each) for each in (parts if origin is not dict else parts[1:])]
    if origin is dict:
        return lambda value: isinstance(value, dict) and all(map(inner[0], value.values()))
    if origin is list:
        return lambda value: isinstance(value, list) and all(map(inner[0], value))
    if origin is tuple:
        return lambda value: (
            isinstance(value, list)
            and len(value) == len(inner)
            and all(one(each) for one, each in zip(inner, value, strict=True))
        )
    return lambda value: any(one(value) for one in inner)


def _fits_form(form: object) -> Callable[[object], bool]:
    needed: frozenset[str] = vars(form)["__required_keys__"]
    keys = {key: fits(each) for key, each in get_type_hints(form).items()}

    def has(value: object) -> bool:
        if not isinstance(value, dict) or not needed <= value.keys():
            return False
        return all(keys[key](each) for key, each in value.items() if key in keys)

    return has
