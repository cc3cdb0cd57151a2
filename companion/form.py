"""Whether a pack's files have the form of our schema: every slip as a sentence that names the place and the word.

`jsonschema` does the work; only what proves a pack loads it.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped,unused-ignore]
from jsonschema.exceptions import ValidationError  # type: ignore[import-untyped,unused-ignore]

from companion.overlays import is_patch
from companion.packs import NOT_TABLES, Pack, read_file
from companion.problems import Problem, one_of, understood
from companion.schema import SCHEMA, Form, of

TAKES = {
    "string": "a text",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a table",
}
LACKING = ("required", "dependentRequired")


def slips(pack: Pack) -> dict[str, list[str]]:
    """What is wrong with the form of each file, by its name: every layer by itself, then what they come to."""
    found: dict[str, list[str]] = {}
    for key, paths in pack.layers.items():
        kind = key if key in NOT_TABLES else "table"
        try:
            with understood(str(paths[0])):
                said = [f"{path}: {slip}" for path in paths for slip in _in_layer(read_file(path), kind)]
                if not said and is_patch(read_file(paths[0])):
                    whole = {name: part for name, part in pack.read(key).items() if name != "patched"}
                    said = [f"{paths[0]}: with what it lies over, {slip}" for slip in wrong(whole, kind)]
        except Problem as problem:
            said = [str(problem)]
        if said:
            found[key] = said
    return found


def _in_layer(doc: Mapping[str, Any], kind: str) -> list[str]:
    return wrong(doc, f"patches-of-{kind}" if "patch" in doc and kind != "pack" else kind)


def wrong(doc: Mapping[str, Any], kind: str) -> list[str]:
    """Every slip in a parsed file of that kind; no sentence twice."""
    return list(dict.fromkeys(_told(list(_validator(kind).iter_errors(doc)), of(kind))))


@cache
def _validator(kind: str) -> Any:
    return Draft202012Validator({**of(kind), "$defs": SCHEMA["$defs"]})


def _told(errors: Sequence[ValidationError], root: Form) -> Iterator[str]:
    """The faults as sentences; what is lacking for want of an unknown word, or wrong behind it, goes without saying."""
    odd = [list(each.absolute_path) for each in errors if each.validator == "additionalProperties"]
    behind = [[*each.absolute_path, each.instance] for each in errors if "propertyNames" in each.schema_path]
    for each in errors:
        path = list(each.absolute_path)
        lacking = each.validator in LACKING or _needed(each)
        if not (lacking and path in odd) and not any(path[: len(name)] == name for name in behind):
            yield from _said(each, root)


def _said(error: ValidationError, root: Form) -> Iterator[str]:
    place, here, wanted = _place(error.absolute_path), error.instance, error.validator_value
    if error.validator == "anyOf":
        if needed := _needed(error):
            yield f"{place} lacks {one_of(needed)}"
            return
        meant = [branch for branch in _branches(error) if not any(map(_misfit, branch))]
        if meant:  # of the forms that a thing may have, that of its own kind
            yield from _told(meant[0], root)
            return
    if "propertyNames" in error.absolute_schema_path:
        told = error.schema.get("description")
        yield f"{place} has {here!r}, which is not {told}" if told else f"{place} has {_unknown(here, wanted)}"
    elif error.validator == "additionalProperties":
        known = list(error.schema["properties"])
        yield from (f"{place} has {_unknown(each, known)}" for each in here if each not in known)
    elif error.validator == "required":
        yield from (f"{place} lacks {each}" for each in wanted if each not in here)
    elif error.validator == "dependentRequired":
        lacks = [(key, each) for key, needs in wanted.items() if key in here for each in needs if each not in here]
        yield from (f"{place} has {key} without {each}" for key, each in lacks)
    elif known := _beside(error, root):
        yield f"{_place(list(error.absolute_path)[:-1])} has {_unknown(str(error.absolute_path[-1]), known)}"
    else:
        yield f"{place} is {_shown(here)}; it takes {one_of(list(dict.fromkeys(_takes(error))))}"


def _unknown(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word, known, 2, 0.5)
    return f"{word!r}, which there is not; " + (
        f"did you mean {one_of(near)}?" if near else f"known are {one_of(list(known))}"
    )


def _branches(error: ValidationError) -> list[list[ValidationError]]:
    """What is wrong with a thing in each of the forms that it may have."""
    found: dict[Any, list[ValidationError]] = {}
    for each in error.context or ():
        found.setdefault(each.schema_path[0], []).append(each)
    return list(found.values())


def _needed(error: ValidationError) -> list[str]:
    """The keys of which one must stand there, where that is what is wrong."""
    forms = error.validator_value if error.validator == "anyOf" else ()
    return [form["required"][0] for form in forms if list(form) == ["required"]]


def _misfit(error: ValidationError) -> bool:
    """Whether a thing as a whole is of another kind: a text where a table belongs."""
    if error.relative_path:
        return False
    if error.validator == "anyOf":
        return not _needed(error) and all(any(map(_misfit, branch)) for branch in _branches(error))
    return error.validator == "type"


def _beside(error: ValidationError, root: Form) -> list[str]:
    """The keys known where a word stands that is none of them; as a name of the pack's own it would be a table."""
    steps, node = list(error.absolute_schema_path), root
    if steps[-2:] != ["additionalProperties", "type"] or error.validator_value != "object":
        return []
    for step in steps[:-2]:
        node = _meant(node)[step]
    return list(_meant(node).get("properties", ()))


def _meant(node: Form) -> Form:
    while "$ref" in node:
        node = SCHEMA["$defs"][node["$ref"].rpartition("/")[2]]
    return node


def _place(path: Sequence[str | int]) -> str:
    """`modifier 3`, `outcome.crew`, `patch 1, modifier 2, when.zone`; `it` is the whole file."""
    made = ""
    for at, step in enumerate(path):
        if isinstance(step, int):
            made += f" {step + 1}"
        elif at:
            made += f", {step}" if isinstance(path[at - 1], int) else f".{step}"
        else:
            made = step
    return made or "it"


def _shown(thing: Any) -> str:
    """What stands there, in short."""
    if isinstance(thing, dict | list):
        return ("a table" if isinstance(thing, dict) else "a list") if thing else "empty"
    return json.dumps(thing, ensure_ascii=False)[:60]


def _takes(error: ValidationError) -> list[str]:
    """What may stand there."""
    if error.validator == "anyOf":
        return [each for branch in _branches(error) for one in branch if _misfit(one) for each in _takes(one)]
    if "pattern" in error.schema:
        return [error.schema["description"]]
    if error.validator == "enum":
        return list(error.validator_value)
    if error.validator == "type":
        kinds = error.validator_value
        return [TAKES[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds)]
    bound, many = str(error.validator), " of them" if str(error.validator).endswith("Items") else ""
    return [f"at {'least' if bound.startswith('min') else 'most'} {error.validator_value}{many}"]
