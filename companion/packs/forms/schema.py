"""The form of the files as others read it: a JSON Schema for editors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import json

from companion.packs.forms.files import FILES, PATCHED, TOGETHER, Line, Patch, Piece
from companion.packs.forms.form import Form, forms_in, keys_of, laid, needed
from companion.packs.forms.sheet import MEMBER, Sheet
from companion.packs.forms.tables import Asked, Cell

Schema = dict[str, Any]  # a part of a JSON Schema


def schema() -> Schema:
    """Every file of a pack as a JSON Schema: what `companion tables schema` prints."""
    forms = [*FILES.values(), Patch, Line, Piece]
    _, defs = json.schema_components(forms, ref_template="#/$defs/{name}")
    defs = {name: _tidy(each) for name, each in defs.items()}
    defs["Index"]["additionalProperties"] = _tidy(json.schema(MEMBER))
    for asked in (Asked, Cell):
        defs[asked.__name__]["anyOf"] = [{"required": [each]} for each in needed(asked)]
    for form in _patched():
        defs[f"Patched{form.__name__}"] = _patched_form(form, defs)
    for kind in PATCHED:
        defs[f"PatchesOf{FILES[kind].__name__}"] = _patches(kind, defs)
    del defs["Patch"], defs["Line"]
    whole = [_ref(form.__name__) for form in FILES.values()]
    patches = [_ref(f"PatchesOf{FILES[kind].__name__}") for kind in PATCHED]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A file of a bomber companion pack",
        "description": "One TOML file; words and meanings stand in tables/README.md.",
        "anyOf": [*whole, *patches],
        "$defs": defs,
    }


def _patched() -> Iterator[type[Form]]:
    """The tables that a patch may change piece by piece."""
    left, seen = [FILES[kind] for kind in PATCHED], set[type[Form]]()
    while left:
        form = left.pop()
        if form not in seen:
            seen.add(form)
            yield form
            left += [inner for each in keys_of(form).values() if laid(each.type) for inner in forms_in(each.type)]


def _patched_form(form: type[Form], defs: Schema) -> Schema:
    """A piece of a patch: no key is needed, and what is laid over piece by piece is a patch again."""
    keys, own = keys_of(form), defs[form.__name__]
    properties = {key: _patches_in(each) if laid(keys[key].type) else each for key, each in own["properties"].items()}
    if form is Sheet:
        properties["sections"]["additionalProperties"] = {"anyOf": [{"type": "string"}, _ref("Piece")]}
    left = {key: each for key, each in own.items() if key != "required"}
    return {**left, "properties": {**defs["Piece"]["properties"], **properties}}


def _patches(kind: str, defs: Schema) -> Schema:
    """A file of patches."""
    form, pieces = FILES[kind], defs["Piece"]["properties"]
    own = {key: defs[f"Patched{form.__name__}"]["properties"][key] for key in keys_of(form) if key != "id"}
    more: Schema = {}
    if kind == "table":
        line = defs["Line"]["properties"]
        own = {**line, **own, **{key: {"anyOf": [line[key], own[key]]} for key in ("modifier", "column")}}
        more["dependentRequired"] = {key: list(needs) for key, needs in TOGETHER.items()}
        own = {**pieces, **own}
    patch = {**defs["Patch"], "properties": {**defs["Patch"]["properties"], **own}, **more}
    return {
        "type": "object",
        "properties": {"patch": {"type": "array", "items": patch, "minItems": 1}},
        "required": ["patch"],
        "additionalProperties": False,
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _tidy(part: Any) -> Any:
    """Without the defaults, which only say that a key need not stand there, and what is empty."""
    if isinstance(part, dict):
        left = {key: _tidy(each) for key, each in part.items() if key != "default" or (isinstance(each, dict) and each)}
        return {key: each for key, each in left.items() if key != "required" or each}
    return [_tidy(each) for each in part] if isinstance(part, list) else part


def _patches_in(part: Any) -> Any:
    if isinstance(part, dict):
        return {
            key: each.replace("$defs/", "$defs/Patched") if key == "$ref" else _patches_in(each)
            for key, each in part.items()
        }
    return [_patches_in(each) for each in part] if isinstance(part, list) else part
