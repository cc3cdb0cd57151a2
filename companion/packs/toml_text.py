"""TOML that a player has laid out and commented, changed without touching the rest of it; and TOML written anew."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from tomlkit.items import AoT, Item

Part = Mapping[str, object]  # a table of a TOML file, or all of it

BARE = re.compile(r"[A-Za-z0-9_-]+")
NAMES = ("id", "title", "name")  # what a thing in a list is called by


def with_patches(text: str, patches: Sequence[Part], without: Sequence[int] = ()) -> str:
    """A file of patches with further ones behind the last, and without those of these numbers (from 0)."""
    import tomlkit
    from tomlkit.items import AoT

    document = tomlkit.parse(text)
    present: MutableSequence[object] | None = document.get("patch")
    if present is None:
        return "\n".join([*([f"{text.rstrip()}\n"] if text.strip() else []), *map(patch, patches)])
    for number in sorted(without, reverse=True):
        del present[number]
    if not present:  # a list of no patches has no place in the file
        del document["patch"]
        return with_patches(tomlkit.dumps(document), patches)
    for each in patches:
        present.append(_block(each) if isinstance(present, AoT) else _item(toml(each)))
    return tomlkit.dumps(document)


def patch(spec: Part) -> str:
    """A patch as a person would write it, a row or a modifier on a line."""
    return "[[patch]]\n" + "".join(f"{_key(key)} = {_spread(value)}\n" for key, value in spec.items())


def brought_to(text: str, wanted: Part) -> str:
    """A file changed until it holds this; comments and layout stay where nothing is changed.

    >>> print(brought_to('a = 1  # one\\nb = 2\\n', {"a": 1, "b": 3}), end="")
    a = 1  # one
    b = 3
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    document = tomlkit.parse(text)
    try:
        _table(document, wanted)
        changed = tomlkit.dumps(document)
        if tomllib.loads(changed) == wanted:
            return changed
    except (TOMLKitError, ValueError, LookupError):
        pass
    return anew(wanted)


def _table(present: MutableMapping[str, object], wanted: Part) -> None:
    for key in [key for key in present if key not in wanted]:
        del present[key]
    for key, value in wanted.items():
        now = present.get(key)
        if isinstance(now, MutableMapping) and isinstance(value, Mapping):
            _table(now, value)
        elif isinstance(now, MutableSequence) and isinstance(value, list):
            _list(now, value)
        elif key not in present or now != value or isinstance(now, bool) != isinstance(value, bool):
            present[key] = _new(value)


def _list(present: MutableSequence[object], wanted: Sequence[object]) -> None:
    from tomlkit.items import AoT

    for at, value in enumerate(wanted):
        own = [_called(each) for each in present[at:]]
        if _called(value) in own:
            for _ in range(own.index(_called(value))):
                del present[at]
            item = present[at]
            if isinstance(item, MutableMapping) and isinstance(value, Mapping):
                _table(item, value)
        else:
            new = _block(value) if isinstance(present, AoT) and isinstance(value, Mapping) else _item(toml(value))
            present.insert(at, new)
    while len(present) > len(wanted):
        del present[-1]


def _new(value: object) -> Item:
    """Something new: a line, or a table of its own where tables stand in it."""
    if not isinstance(value, Mapping) or not any(_nested(each) for each in value.values()):
        return _item(_spread(value))
    import tomlkit

    table = tomlkit.table(is_super_table=all(isinstance(each, Mapping) for each in value.values()))
    for key, each in value.items():
        table.append(key, _new(each))
    return table


def _nested(value: object) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and any(isinstance(each, Mapping) for each in value))


def _block(value: Part) -> Item:
    """A thing in a list that stands under a header of its own, a blank line before it."""
    import tomlkit

    block: Item = cast("AoT", tomlkit.parse(patch(value))["patch"])[0]
    block.trivia.indent = "\n"
    return block


def _item(text: str) -> Item:
    import tomlkit

    return cast("Item", tomlkit.parse(f"it = {text}\n")["it"])


def _called(value: object) -> object:
    """What a thing in a list is known by."""
    if isinstance(value, Mapping):
        return next((str(value[key]) for key in NAMES if key in value), None)
    return value


def anew(doc: Part) -> str:
    """A whole file from nothing."""
    return "\n".join(_sections(doc, "")) + "\n"


def _sections(doc: Part, place: str) -> Iterator[str]:
    below = {key: value for key, value in doc.items() if isinstance(value, Mapping) and len(toml(value)) > 100}
    if place:
        yield f"\n[{place}]"
    yield from (f"{_key(key)} = {_spread(value)}" for key, value in doc.items() if key not in below)
    for key, value in below.items():
        yield from _sections(value, f"{place}.{_key(key)}" if place else _key(key))


def _spread(value: object) -> str:
    """A list of several things with each on its line."""
    if isinstance(value, list) and len(value) > 1:
        return "[\n" + "".join(f"  {toml(each)},\n" for each in value) + "]"
    return toml(value)


def toml(value: object) -> str:
    """A value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        if "\n" in value and '"""' not in value and "\\" not in value and value.replace("\n", "").isprintable():
            return f'"""\n{value}"""'
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(key))} = {toml(each)}" for key, each in value.items()) + "}"
    assert isinstance(value, list | tuple)
    return "[" + ", ".join(map(toml, value)) + "]"


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else toml(key)
