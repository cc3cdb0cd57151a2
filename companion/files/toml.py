"""TOML that a player has laid out and commented, changed without touching the rest of it; and TOML written anew."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")
NAMES = ("id", "title", "name")  # what a thing in a list is called by


def with_patches(text: str, patches: Sequence[Mapping[str, Any]], without: Sequence[int] = ()) -> str:
    """A file of patches with further ones behind the last, and without those of these numbers (from 0)."""
    import tomlkit
    from tomlkit.items import AoT

    document = tomlkit.parse(text)
    there: Any = document.get("patch")
    if there is None:
        return "\n".join([*([f"{text.rstrip()}\n"] if text.strip() else []), *map(patch, patches)])
    for number in sorted(without, reverse=True):
        del there[number]
    if not there:  # a list of no patches has no place in the file
        del document["patch"]
        return with_patches(tomlkit.dumps(document), patches)
    for each in patches:
        there.append(_block(each) if isinstance(there, AoT) else _item(toml(each)))
    return tomlkit.dumps(document)


def patch(spec: Mapping[str, Any]) -> str:
    """A patch as a person would write it, a row or a modifier on a line."""
    return "[[patch]]\n" + "".join(f"{_key(key)} = {_spread(value)}\n" for key, value in spec.items())


def brought_to(text: str, wanted: Mapping[str, Any]) -> str:
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
        made = tomlkit.dumps(document)
        if tomllib.loads(made) == wanted:
            return made
    except (TOMLKitError, ValueError, LookupError):
        pass
    return anew(wanted)


def _table(there: MutableMapping[str, Any], wanted: Mapping[str, Any]) -> None:
    for key in [key for key in there if key not in wanted]:
        del there[key]
    for key, value in wanted.items():
        now = there.get(key)
        if isinstance(now, MutableMapping) and isinstance(value, Mapping):
            _table(now, value)
        elif isinstance(now, MutableSequence) and isinstance(value, list):
            _list(now, value)
        elif key not in there or now != value or isinstance(now, bool) != isinstance(value, bool):
            there[key] = _new(value)


def _list(there: MutableSequence[Any], wanted: Sequence[Any]) -> None:
    from tomlkit.items import AoT

    for at, value in enumerate(wanted):
        own = [_called(each) for each in there[at:]]
        if _called(value) in own:
            for _ in range(own.index(_called(value))):
                del there[at]
            if isinstance(value, Mapping):
                _table(there[at], value)
        else:
            there.insert(at, _block(value) if isinstance(there, AoT) else _item(toml(value)))
    while len(there) > len(wanted):
        del there[-1]


def _new(value: Any) -> Any:
    """Something new: a line, or a table of its own where tables stand in it."""
    if not isinstance(value, Mapping) or not any(_nested(each) for each in value.values()):
        return _item(_spread(value))
    import tomlkit

    made = tomlkit.table(is_super_table=all(isinstance(each, Mapping) for each in value.values()))
    for key, each in value.items():
        made.append(key, _new(each))
    return made


def _nested(value: Any) -> bool:
    return isinstance(value, Mapping) or (isinstance(value, list) and any(isinstance(each, Mapping) for each in value))


def _block(value: Mapping[str, Any]) -> Any:
    """A thing in a list that stands under a header of its own, a blank line before it."""
    import tomlkit

    added: Any = tomlkit.parse(patch(value))["patch"]
    added[0].trivia.indent = "\n"
    return added[0]


def _item(text: str) -> Any:
    import tomlkit

    return tomlkit.parse(f"it = {text}\n")["it"]


def _called(value: Any) -> Any:
    """What a thing in a list is known by."""
    if isinstance(value, Mapping):
        return next((str(value[key]) for key in NAMES if key in value), None)
    return value


def anew(doc: Mapping[str, Any]) -> str:
    """A whole file from nothing."""
    return "\n".join(_sections(doc, "")) + "\n"


def _sections(doc: Mapping[str, Any], place: str) -> Iterator[str]:
    below = {key: value for key, value in doc.items() if isinstance(value, Mapping) and len(toml(value)) > 100}
    if place:
        yield f"\n[{place}]"
    yield from (f"{_key(key)} = {_spread(value)}" for key, value in doc.items() if key not in below)
    for key, value in below.items():
        yield from _sections(value, f"{place}.{_key(key)}" if place else _key(key))


def _spread(value: Any) -> str:
    """A list of several things with each on its line."""
    if isinstance(value, list) and len(value) > 1:
        return "[\n" + "".join(f"  {toml(each)},\n" for each in value) + "]"
    return toml(value)


def toml(value: Any) -> str:
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
    return "[" + ", ".join(map(toml, value)) + "]"


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else toml(key)
