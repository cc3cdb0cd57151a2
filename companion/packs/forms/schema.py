"""What follows from the forms of a pack's files: strict checking, and a JSON Schema for editors.

A file is checked piece by piece, so that several slips are said at once, each with its place and the word.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import ValidationError, convert

from companion.engine.fields import Spec
from companion.packs.forms.files import FILES, MEMBER, PATCHED, TOGETHER, Index, Line, Patch, Piece
from companion.packs.forms.form import Form, form_in, keys_of, kinds_in, laid, needed, noted
from companion.packs.toml_files import Where
from companion.words import one_of

Slip = tuple[Where, str]  # where in a file, and what is wrong there
Schema = dict[str, Any]  # a part of a JSON Schema
IN_WORDS: dict[object, str] = {
    str: "a text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


# -- checking --------------------------------------------------------------------------------------------------------


def slips(doc: Spec, kind: str) -> Iterator[Slip]:
    """Yield every slip in a parsed file of that kind: where it is, and a sentence."""
    if "patch" not in doc or kind not in PATCHED:
        yield from _form(doc, FILES[kind], ())
        return
    yield from _unknown(doc, ["patch"], ())
    if not isinstance(doc["patch"], list) or not doc["patch"]:
        yield _slip(("patch",), f"is {_shown(doc['patch'])}; it takes a list of patches: write [[patch]]")
        return
    own = {key: each.type for key, each in keys_of(FILES[kind]).items() if key != "id"}
    line = {key: each.type for key, each in keys_of(Line).items()} if kind == "table" else {}
    lists: dict[str, object] = {key: own[key] | str for key in ("modifier", "column") if key in line}
    known: dict[str, object] = {**line, **own, **lists, **{key: each.type for key, each in keys_of(Patch).items()}}
    for at, patch in enumerate(doc["patch"]):
        path: Where = ("patch", at)
        if not isinstance(patch, Mapping):
            yield _slip(path, f"is {_shown(patch)}; it takes a table")
            continue
        yield from _unknown(patch, known, path)
        for key, value in patch.items():
            if key in known:
                yield from _value(value, known[key], (*path, key), key in lists or laid(known[key]))
            for each in TOGETHER.get(key, ()) if line else ():
                if each not in patch:
                    yield _slip(path, f"has {key} without {each}", (*path, key))
        if "reason" not in patch:
            yield _slip(path, "lacks reason: a patch says why it changes what is below")


def _form(value: Spec, form: type[Form], path: Where, patched: bool = False) -> Iterator[Slip]:
    """Yield the slips in a table with keys of its own; a piece of a patch needs none of them."""
    keys = {key: each.type for key, each in keys_of(form).items()}
    known = {**keys, **({key: each.type for key, each in keys_of(Piece).items()} if patched else {})}
    members = {key: MEMBER for key, each in value.items() if form is Index and isinstance(each, Mapping)}
    odd = list(_unknown(value, {**known, **members}, path))
    yield from odd
    for key, each in value.items():
        if key in known:
            yield from _value(each, known[key], (*path, key), patched and laid(known[key]))
        elif key in members:
            yield from _value(each, MEMBER, (*path, key), patched)
    if odd or patched:
        return  # what is lacking may be there under a name that is misspelt
    for key, info in keys_of(form).items():
        if info.required and key not in value:
            yield _slip(path, f"lacks {key}")
    if (among := needed(form)) and not value.keys() & among:
        yield _slip(path, f"lacks {one_of(among)}")


def _value(value: object, kind: object, path: Where, patched: bool = False) -> Iterator[Slip]:
    """Yield the slips in what is under a key, or in a list or a table of names."""
    options = {get_origin(noted(each).kind) or noted(each).kind: each for each in kinds_in(kind)}
    form, found = form_in(kind), list[Slip]()
    if isinstance(value, Mapping) and form is not None:
        found += _form(value, form, path, patched)
    elif isinstance(value, Mapping) and dict in options:
        names, values = get_args(noted(options[dict]).kind)
        for key, each in value.items():
            if not _fits(key, names):
                found.append(_slip(path, f"has {key!r}, which is not {noted(names).words}", (*path, key)))
            elif not patched or each != {"remove": True}:
                found += _value(each, values, (*path, key), patched)
    elif isinstance(value, list) and list in options:
        (inner,) = get_args(noted(options[list]).kind)
        found += [slip for at, each in enumerate(value) for slip in _value(each, inner, (*path, at), patched)]
        if not found and not patched and not _fits(value, options[list]):
            found = [_slip(path, f"has {len(value)} of them; {noted(options[list]).words} belong there")]
    elif not _fits(value, kind):
        found = [_slip(path, f"is {_shown(value)}; it takes {one_of(_takes(kind))}")]
    yield from found


def _fits(value: object, kind: object) -> bool:
    try:
        convert(value, kind)
    except ValidationError:
        return False
    return True


def _slip(path: Where, sentence: str, at: Where | None = None) -> Slip:
    return (path if at is None else at), f"{place(path)} {sentence}"


def _unknown(value: Spec, known: Iterable[str], path: Where) -> Iterator[Slip]:
    names = list(known)
    for key in value:
        if key not in names:
            near = difflib.get_close_matches(key, names, 1, 0.74) or difflib.get_close_matches(key, names, 2, 0.5)
            hint = f"did you mean {one_of(near)}?" if near else f"known are {one_of(names)}"
            yield _slip(path, f"has {key!r}, which there is not; {hint}", (*path, key))


def place(path: Where) -> str:
    """Return `modifier 3`, `outcome.crew`, `patch 1, modifier 2, when`; `it` is the whole file.

    >>> place(("patch", 0, "modifier", 2, "when"))
    'patch 1, modifier 3, when'
    """
    words = ""
    for at, step in enumerate(path):
        if isinstance(step, int):
            words += f" {step + 1}"
        elif at:
            words += f", {step}" if isinstance(path[at - 1], int) else f".{step}"
        else:
            words = step
    return words or "it"


def _shown(thing: object) -> str:
    """Return what is there, in short."""
    if isinstance(thing, Mapping | list):
        return ("a table" if isinstance(thing, Mapping) else "a list") if thing else "empty"
    return json.dumps(thing, ensure_ascii=False)[:60]


def _takes(kind: object) -> list[str]:
    """Return what may be there, in words."""
    words: list[str] = []
    for each in kinds_in(kind):
        whole, *_, description = noted(each)
        if get_origin(whole) is Literal:
            words += get_args(whole)
        else:
            words.append(description or IN_WORDS.get(get_origin(whole) or whole, "a table"))
    return list(dict.fromkeys(words))


# -- the schema ------------------------------------------------------------------------------------------------------


def schema() -> Schema:
    """Return every file of a pack as a JSON Schema, which `companion tables schema` prints."""
    _, defs = msgspec.json.schema_components([*FILES.values(), Patch, Line, Piece], ref_template="#/$defs/{name}")
    defs["Index"]["additionalProperties"] = msgspec.json.schema(MEMBER)
    patch, line, piece = (defs.pop(form.__name__)["properties"] for form in (Patch, Line, Piece))
    pieces: Schema = json.loads(json.dumps(defs).replace("#/$defs/", "#/$defs/Patched"))
    for each in pieces.values():
        each.pop("required", None)
        each["properties"] |= piece
    table = pieces["Table"]["properties"]
    table |= {key: {"anyOf": [each, table[key]]} if key in table else each for key, each in line.items()}
    for kind in PATCHED:
        of = pieces[FILES[kind].__name__]
        of |= {"properties": {**of["properties"], **patch}, "required": ["reason"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A file of a bomber companion pack",
        "description": "One TOML file; words and meanings stand in tables/README.md.",
        "anyOf": [
            *({"$ref": f"#/$defs/{form.__name__}"} for form in FILES.values()),
            *(_patches(FILES[kind].__name__) for kind in PATCHED),
        ],
        "$defs": {**defs, **{f"Patched{name}": each for name, each in pieces.items()}},
    }


def _patches(form: str) -> Schema:
    items = {"type": "array", "items": {"$ref": f"#/$defs/Patched{form}"}}
    return {"type": "object", "properties": {"patch": items}, "required": ["patch"], "additionalProperties": False}
