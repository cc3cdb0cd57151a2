"""The strict check of a pack's files against their declared forms, and a JSON Schema of them for editors.

A file is checked piece by piece, so that several mistakes are reported at once, each with its place.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from companion.engine.about import About, Amount, Condition, Note, Part, Sentence, bare, key_of
from companion.engine.fields import Spec
from companion.packs.folders import Where
from companion.packs.forms import FILES, MEMBER, Index, Patch, Piece
from companion.words import did_you_mean, nearest, one_of

Slip = tuple[Where, str]  # a place in a file, and the fault there
Found = tuple[Where, str, str]  # a place in a file, and what it names with that name, or nothing with the fault there
Schema = dict[str, Any]  # a part of a JSON Schema
IN_WORDS: dict[object, str] = {
    str: "a text",
    Condition: 'a condition, e.g. "zone >= 2 and not evasive"',
    Amount: 'a formula, e.g. "2 * engines.out"',
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
IN_SCHEMA = {str: "string", int: "integer", float: "number", bool: "boolean"}


# -- reading the declarations ------------------------------------------------------------------------------------------


class Key(NamedTuple):
    """A key of a table: its type, and whether it is required."""

    kind: Any
    required: bool


KEYS: dict[type[Part], dict[str, Key]] = {}


def keys_of(form: type[Part]) -> dict[str, Key]:
    """Return the accepted keys of a table."""
    if form not in KEYS:
        hints = {name: kind for name, kind in get_type_hints(form, include_extras=True).items() if name != "one_of"}
        KEYS[form] = {key_of(name): Key(kind, not hasattr(form, name)) for name, kind in hints.items()}
    return KEYS[form]


@cache
def note_of(kind: object) -> Note:
    """Return the note of a type; an empty one if it has none."""
    return next(iter(getattr(kind, "__metadata__", ())), Note())


@cache
def kinds_in(kind: object) -> tuple[Any, ...]:
    """Return the accepted types."""
    whole = bare(kind)
    return get_args(whole) if get_origin(whole) in (Union, types.UnionType) else (kind,)


@cache
def form_in(kind: object) -> type[Part] | None:
    """Return the declared table that is accepted."""
    kinds = map(bare, kinds_in(kind))
    return next((each for each in kinds if isinstance(each, type) and issubclass(each, Part)), None)


@cache
def plain(kind: object) -> Any:
    """Return the type of a decoded value: `list` for a list of texts, `str` for a sentence."""
    whole = get_origin(bare(kind)) or bare(kind)
    return str if isinstance(whole, type) and issubclass(whole, Sentence) else whole


def _laid(kind: object) -> bool:
    """Return whether an overlay merges the value piece by piece."""
    return note_of(kind).laid in ("by name", "by key")


# -- checking ----------------------------------------------------------------------------------------------------------


def slips(doc: Spec, form: type[Part]) -> Iterator[Slip]:
    """Yield every mistake in a parsed file: its place and a sentence."""
    if "patch" in doc and form is not About:
        patches = Annotated[list[form], Note("a list of patches: write [[patch]]")]  # type: ignore[valid-type]
        found = [*_unknown(doc, ["patch"], ()), *_value(doc["patch"], patches, ("patch",), Patch)]
    else:
        found = [*_form(doc, form, ())]
    yield from ((at, sentence) for at, name_of, sentence in found if not name_of)


def named(doc: Spec, form: type[Part]) -> Iterator[Found]:
    """Yield the names in a file, as noted in its types: place, kind and name."""
    yield from (each for each in _form(doc, form, ()) if each[1])


def _form(value: Spec, form: type[Part], path: Where, more: type[Part] | None = None) -> Iterator[Found]:
    """Yield the mistakes and the names in a table with declared keys.

    In a patch there are `more` keys, those of `Patch` or in it of `Piece`, and none is required.
    """
    members = {key: Key(MEMBER, False) for key, each in value.items() if form is Index and isinstance(each, Mapping)}
    known = {**members, **keys_of(form), **(keys_of(more) if more else {})}
    if more is Patch:
        known.pop("id", None)
    odd = list(_unknown(value, known, path))
    yield from odd
    for key in [each for each in value if each in known]:
        kind = known[key].kind
        yield from _value(value[key], kind, (*path, key), Piece if more and (kind is MEMBER or _laid(kind)) else None)
    if more is Patch and "reason" not in value:
        yield path, "", "it needs a reason for the change"
    if odd or more:
        return  # a missing key may be there misspelled
    for key, info in keys_of(form).items():
        if info.required and key not in value:
            yield path, "", f"it lacks {key}"
    if form.one_of and not value.keys() & (among := list(map(key_of, form.one_of))):
        yield path, "", f"it lacks {one_of(among)}"


def _value(value: object, kind: object, path: Where, more: type[Part] | None = None) -> Iterator[Found]:
    """Yield the mistakes and the names in the value of a key, or in a list or a table of names."""
    options = {plain(each): each for each in kinds_in(kind)}
    form = form_in(kind)
    if isinstance(value, Mapping) and form is not None:
        yield from _form(value, form, path, more)
    elif isinstance(value, Mapping) and dict in options:
        names, values = get_args(bare(options[dict]))
        for key, each in value.items():
            if not _fits(key, names):
                yield (*path, key), "", f"{key!r} is not {note_of(names).words}"
            elif not more or each != {"remove": True}:
                yield from _value(key, names, (*path, key))
                yield from _value(each, values, (*path, key), more)
    elif isinstance(value, list) and list in options:
        (inner,) = get_args(bare(options[list]))
        ids = [each.get("id") for each in value if isinstance(each, Mapping)] if _laid(options[list]) else []
        for at, name in enumerate(ids if not more else ()):
            if name is not None and name in ids[:at]:
                yield (*path, at), "", f"two of them have the id {name}"
        found = [each for at, inside in enumerate(value) for each in _value(inside, inner, (*path, at), more)]
        yield from found
        if all(name_of for _, name_of, _ in found) and not more and not _fits(value, options[list]):
            yield path, "", f"it has {len(value)} of them, but needs {note_of(options[list]).words}"
    elif (fitting := next((each for each in kinds_in(kind) if _fits(value, each)), None)) is None:
        yield path, "", f"it is {_shown(value)}, but must be {one_of(_takes(kind))}"
    elif isinstance(value, str) and note_of(fitting).names:
        yield path, note_of(fitting).names, value


def _fits(value: object, kind: object) -> bool:
    """Return whether a value has one of these types, without checking the items of a list or table."""
    for each in kinds_in(kind):
        note, whole = note_of(each), plain(each)
        if whole is Literal:
            fitting = value in get_args(bare(each))
        elif isinstance(value, str):
            fitting = whole is str and (not note.pattern or re.fullmatch(note.pattern, value) is not None)
        elif isinstance(value, list):
            fitting = whole is list and note.least <= len(value) <= (note.most or len(value))
        else:
            fitting = type(value) is whole or (whole is float and type(value) is int)
            fitting = fitting and not (note.most and type(value) is int and not 0 <= value <= note.most)
        if fitting:
            return True
    return False


def _unknown(value: Spec, known: Iterable[str], path: Where) -> Iterator[Found]:
    names = list(known)
    for key in value:
        if key not in names:
            hint = did_you_mean(nearest(key, names, 2), f"Use {one_of(names)}")
            yield (*path, key), "", f"{key!r} is an unknown key. {hint}"


def _shown(thing: object) -> str:
    """Describe the value that was found."""
    if isinstance(thing, Mapping | list):
        return ("a table" if isinstance(thing, Mapping) else "a list") if thing else "empty"
    return json.dumps(thing, ensure_ascii=False, default=str)[:60]


def _takes(kind: object) -> list[str]:
    """Describe the accepted values."""
    words: list[str] = []
    for each in kinds_in(kind):
        whole = bare(each)
        if get_origin(whole) is Literal:
            words += get_args(whole)
        else:
            words.append(note_of(each).words or IN_WORDS.get(whole) or IN_WORDS.get(plain(each), "a table"))
    return list(dict.fromkeys(words))


# -- the schema --------------------------------------------------------------------------------------------------------


def schema(kind: str | None = None) -> Schema:
    """Return the keys of a kind of file (or of every kind) as a JSON Schema; `check` does the full validation."""
    defs: dict[str, Schema] = {}
    files = []
    for each in [kind] if kind else FILES:
        files.append(whole := schema_of(FILES[each], defs))
        if each != "pack":
            patches = {**_properties(Patch, defs), "patch": {"type": "array", "items": whole}}
            defs[FILES[each].__name__]["properties"] |= patches
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A {kind or 'file'} of a bomber companion pack",
        "description": "One TOML file; tables/README.md explains the keys.",
        **(files[0] if kind else {"anyOf": files}),
        "$defs": defs,
    }


def _properties(form: type[Part], defs: dict[str, Schema]) -> dict[str, Schema]:
    return {key: schema_of(each.kind, defs) for key, each in keys_of(form).items()}


def schema_of(kind: object, defs: dict[str, Schema]) -> Schema:
    """Return the schema of a type; the tables that it refers to are added to `defs`."""
    if len(kinds := kinds_in(kind)) > 1:
        return {"anyOf": [schema_of(each, defs) for each in kinds]}
    whole, note, inner = plain(kind), note_of(kind), get_args(bare(kind))
    if whole is Literal:
        return {"enum": list(inner)}
    if whole is list:
        return {"type": "array", "items": schema_of(inner[0], defs)}
    if whole is dict:
        return {"type": "object", "additionalProperties": schema_of(inner[1], defs)}
    if whole in IN_SCHEMA:
        return {"type": IN_SCHEMA[whole], **({"pattern": f"^({note.pattern})$"} if note.pattern else {})}
    if whole.__name__ not in defs:
        defs[whole.__name__] = {}
        others = schema_of(MEMBER, defs) if whole is Index else False
        properties = {**_properties(whole, defs), **_properties(Piece, defs)}
        defs[whole.__name__] |= {"type": "object", "properties": properties, "additionalProperties": others}
    return {"$ref": f"#/$defs/{whole.__name__}"}
