"""What a sound file of a campaign looks like, and how older formats become the present one.

Everything here works on the parsed document, so that a damaged or hand-edited file is found out before it is used.
"""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from companion.problems import Problem, Trouble
from companion.sheet import Sheet

FORMAT = 1
KINDS = ("mission", "campaign", "settings")
MOST_BYTES = 1 << 27  # no campaign comes near it
Document = dict[str, Any]

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
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise Damage("it is no file")
        if found.st_size > MOST_BYTES:
            raise Damage("it is far too large")
        return parse(path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError:
        raise Damage("it is not text") from None
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror or error}") from None


def parse(text: str) -> tuple[Document, int]:
    """A sound document in the present format, and the format it was written in; raises Damage."""
    if not text.strip("\0 \r\n\t"):
        raise Damage("it is empty")
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except RecursionError:
        raise Damage("it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise Damage(f"it makes no sense from line {error.lineno} column {error.colno} on") from None
    except ValueError as error:
        raise Damage(str(error)) from None
    if not isinstance(found, dict):
        raise Damage("it is not a campaign document")
    kind = next((each for each in KINDS if each in found), "")
    _tables(found)
    if not kind or "1" not in found[kind]:
        raise Damage("it holds no mission and no campaign")
    written = found[kind]["1"].get("format")
    if type(written) is not int:
        raise Damage("it has no format number")
    if written > FORMAT:
        raise Newer(f"written by a newer companion (format {written}); update this one")
    for old in range(written, FORMAT):
        if old not in MIGRATIONS:
            raise Damage(f"it is in format {old}, which this companion does not know")
        found = MIGRATIONS[old](kind, found)
        found[kind]["1"]["format"] = old + 1
    return found, written


def _once(pairs: list[tuple[str, Any]]) -> Document:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise Damage(f"it has {twice[:60]!r} twice")
    return found


def _tables(found: Document) -> None:
    for name, rows in found.items():
        if not isinstance(rows, dict):
            raise Damage(f"{name[:60]} is not a set of entries")
        for number, row in rows.items():
            if not (number.isascii() and number.isdigit() and isinstance(row, dict)):
                raise Damage(f"{name[:60]} has {number[:60]!r}, which is not a numbered entry")


def check_campaign(about: Mapping[str, Any]) -> None:
    """Raise Damage unless a campaign has its name, its game and its roster."""
    for name in ("name", "game"):
        if not isinstance(about.get(name), str) or not about[name]:
            raise Damage(f"it has no {name}")
    roster = about.get("roster", {})
    if not isinstance(roster, dict) or not all(isinstance(who, str) for who in roster.values()):
        raise Damage("its roster is not a list of names")
    variants = about.get("variants", {})
    if not isinstance(variants, dict) or not all(_first(at) and isinstance(variants[at], str) for at in variants):
        raise Damage("its variants do not say from which mission on which game was flown")


def campaign_named(settings: Mapping[str, Any]) -> str:
    """The folder of the campaign in use; empty when none is named."""
    name = settings.get("campaign", "")
    return name if isinstance(name, str) and "/" not in name else ""


def check_mission(kept: Mapping[str, Any], sheet: Sheet | None = None) -> None:
    """Raise Damage unless the facts are such as the sheet takes and the pending list can be worked on."""
    facts, pending = kept.get("facts"), kept.get("pending")
    if not isinstance(facts, dict) or not all(_plain(value) for value in facts.values()):
        raise Damage("its facts are not fields with values")
    if not isinstance(pending, list):
        raise Damage("its pending list is missing")
    if sheet is not None:
        for name, value in facts.items():
            _fact(name, value, sheet)
    for number, item in enumerate(pending, 1):
        if not _item(item, sheet):
            raise Damage(f"pending thing {number} is none that can be worked on")


def check_journal(rows: Mapping[Any, Any], stand: Any) -> None:
    """Raise Damage unless the entries are whole, without a gap, and `stand` is among them."""
    if sorted(int(number) for number in rows) != list(range(1, len(rows) + 1)):
        raise Damage("its journal has a gap")
    if type(stand) is not int or not 0 <= stand <= len(rows):
        raise Damage(f"its journal stands at {stand!r}, but there are {len(rows)} entries")
    for number, made in rows.items():
        if not _entry(made):
            raise Damage(f"journal entry {number} is not whole")


def _first(number: str) -> bool:
    """Whether it is a mission's number as we write it."""
    return number.isascii() and number.isdigit() and not number.startswith("0") and len(number) < 5


def _plain(value: Any) -> bool:
    return type(value) in (str, int)


def _fact(name: str, value: Any, sheet: Sheet) -> None:
    declared = sheet.fields.get(name)
    if declared is None:
        raise Damage(f"it has a field {name[:60]}, which the sheet does not have")
    try:
        same = declared.accept(name, value, kept=True) == value
    except Problem as problem:
        raise Damage(str(problem)) from None
    if not same:
        raise Damage(f"{name} cannot be {str(value)[:60]!r}; it takes {declared.span}")


def _item(item: Any, sheet: Sheet | None) -> bool:
    if not isinstance(item, dict):
        return False
    said = [item[key] for key in ("roll", "choose", "ask", "order") if key in item]
    return (
        len(said) == 1
        and isinstance(said[0], str)
        and _map(item.get("bind", {}))
        and type(item.get("born", 0)) is int
        and type(item.get("take", 0)) is int
        and isinstance(item.get("done", {}), dict)
        and _plain(item.get("usual", ""))
        and ("ask" not in item or sheet is None or item["ask"] in sheet.fields)
    )


def _map(value: Any) -> bool:
    return isinstance(value, dict) and all(_plain(each) for each in value.values())


def _entry(made: Mapping[str, Any]) -> bool:
    return (
        isinstance(made.get("v"), str)
        and isinstance(made.get("t"), str)
        and _map(made.get("w", {}))
        and _map(made.get("b", {}))
        and _dice(made.get("d", []))
        and isinstance(made.get("c", {}), dict)
        and all(_pair(each) for each in made.get("c", {}).values())
        and isinstance(made.get("m", []), list)
        and all(isinstance(each, list) and len(each) == 2 and type(each[1]) is int for each in made.get("m", []))
        and ("p" not in made or _splice(made["p"]))
    )


def _dice(value: Any) -> bool:
    return isinstance(value, list) and all(type(each) is int for each in value)


def _pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(each is None or _plain(each) for each in value)


def _splice(value: Any) -> bool:
    if not isinstance(value, list) or len(value) != 3 or type(value[0]) is not int or value[0] < 0:
        return False
    return all(isinstance(part, list) and _items(part) for part in value[1:])


def _items(part: Iterable[Any]) -> bool:
    return all(_item(each, None) for each in part)
