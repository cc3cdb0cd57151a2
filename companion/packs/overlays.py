"""Overlays: files that override those of another pack. Imported only where one is not in the cache.

A file of the same name hides the one below; one with `[[patch]]` changes it. A patch is a piece of the file: an item
with a name or an id changes the same item (`remove = true` deletes it), rows override the rows they cover, and anything
else is replaced. `forms` declares which applies.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from companion.engine.about import Part, bare
from companion.engine.fields import Spec
from companion.engine.tables import FAR, HOUSE, span
from companion.packs.folders import LEFT_OUT, Doc, is_patch
from companion.packs.form_check import form_in, keys_of, note_of
from companion.packs.forms import MEMBER, form_of
from companion.packs.linking import answers
from companion.problems import SystemFault
from companion.words import did_you_mean, nearest, one_of

OWN = ("reason", "base")
PLACE = ("after", "before")


def laid(name: str, paths: Sequence[Path], docs: Sequence[Spec], ours: Path | None = None) -> Spec:
    """Return the file of that name with its overlays applied, topmost first.

    A patch in the folder `ours` is not noted: it is part of that game's rules. One that does not fit is left out and
    noted under `misfits` (path, number, why), as is one whose `base` differs.

    Raises:
        SystemFault: There is no file to patch, or a patch of `ours` does not fit.
    """
    if name == "pack":
        return {key: value for doc in reversed(docs) for key, value in doc.items()}

    at = next((at for at, doc in enumerate(docs) if not is_patch(doc)), None)
    if at is None:
        raise SystemFault(f"{paths[-1]}: there is no {name} below it to patch")
    whole = docs[at]
    for above in range(at - 1, -1, -1):
        told = whole.get("patched", ())
        for number, patch in enumerate(docs[above]["patch"], 1):
            below = _without(whole, "misfits")
            try:
                whole = patched(whole, patch, form_of(name))
                why = ""
                if "base" in patch and patch["base"] != base_of(below, patch, form_of(name)):
                    why = "what it changes has changed below since; compare with: companion tables diff"
            except ValueError as error:
                why = f"{LEFT_OUT}: {error}"
                if ours in paths[above].parents:
                    raise SystemFault(f"{paths[above]}: patch {number} does not fit: {error}") from None
            if why:
                whole = {**whole, "misfits": [*whole.get("misfits", ()), [str(paths[above]), number, why]]}
        if ours in paths[above].parents:
            whole = {**whole, "patched": told}
    return whole


def patched(doc: Spec, patch: Spec, form: type[Part]) -> Doc:
    """Return a file with one patch applied and its changes noted under `patched`; raise ValueError."""
    piece = _without(patch, *OWN)
    if "id" in doc and "modifier" in piece:
        known = {each.get("id") for each in doc.get("modifier", ())}
        new = [each if {"cite", "remove"} & each.keys() or each.get("id") in known else {**each, "cite": HOUSE}
               for each in piece["modifier"]]  # fmt: skip
        piece["modifier"] = new
    whole = _merged(doc, piece, form)
    if "rows" in piece and whole.get("column") and "rows" not in doc:
        titles = one_of([each.get("title", f"column {at}") for at, each in enumerate(whole["column"], 1)])
        raise ValueError(f"its rows name no column; use [[patch.column]] with a title: {titles}")
    if "id" in doc:
        whole["patched"] = [*doc.get("patched", ()), *_touched(piece, str(doc["id"]), patch["reason"])]
    return whole


def _known(name: str, names: Iterable[object]) -> str:
    """Return a hint with the known names: `. Did you mean ace?`, or all of them."""
    known = [str(each) for each in names if each is not None]
    return ". " + did_you_mean(nearest(name, known, 2), f"Choose {', '.join(known) or 'nothing'}")


def _merged(doc: Spec, piece: Spec, form: type[Part]) -> Doc:
    gone = piece.get("remove", ())
    whole, keys = {key: value for key, value in doc.items() if key not in gone}, keys_of(form)
    if missing := [key for key in gone if key not in doc]:
        raise ValueError(f"there is no {missing[0]} to remove{_known(missing[0], doc)}")
    for key, value in piece.items():
        if key == "remove":
            continue
        if key in gone:
            whole[key] = value
        elif key in keys:
            whole[key] = _laid_over(whole.get(key), value, key, keys[key].kind)
        else:
            whole = _named(whole, {key: value}, "member", MEMBER)
    return whole


def _laid_over(below: Any, above: object, key: str, kind: object) -> object:
    """Merge one value over another as declared: by name, by key or by row; else replace it."""

    whole, how, name_key = bare(kind), note_of(kind).laid, note_of(kind).key
    if how == "by row" and isinstance(above, Mapping):
        return carved(below or {}, above)
    if how == "by name" and isinstance(above, Mapping):
        return _named(below or {}, above, key, get_args(whole)[1])
    if how == "by key" and isinstance(above, list):
        return _listed(below or [], above, key, name_key, get_args(whole)[0])
    form = form_in(kind)
    if form is not None and not key and isinstance(below, Mapping) and isinstance(above, Mapping):
        return _merged(below, above, form)
    return above


def _named(below: Spec, above: Spec, what: str, kind: object) -> Doc:
    whole = dict(below)
    for name, value in above.items():
        if isinstance(value, Mapping) and value.get("remove") is True:
            if name not in whole:
                raise ValueError(f"there is no {what} {name} to remove{_known(name, whole)}")
            del whole[name]
        else:
            whole[name] = _laid_over(whole.get(name), value, "", kind)
    return whole


def _listed(below: Sequence[Doc], above: Sequence[Spec], what: str, key: str, form: type[Part]) -> list[Doc]:
    things = list(below)
    for value in above:
        names = [each.get(key) or (f"column {at}" if key == "title" else None) for at, each in enumerate(things, 1)]
        name = value.get(key)
        beside = next((word for word in PLACE if word in value), None)
        piece = {word: each for word, each in value.items() if word not in PLACE}
        at = names.index(name) if name is not None and name in names else None
        if value.get("remove") is True:
            if at is None:
                raise ValueError(f"there is no {what} {name} to remove{_known(str(name), names)}")
            del things[at]
            continue
        if at is None:
            needs = [word for word, info in keys_of(form).items() if info.required]
            if what == "column" and names and beside is None:
                needs.append("when")  # otherwise it would hide all the others
            if not piece.keys() >= {*needs}:
                named = f"{name!r}" if name is not None else f"without {key}"
                needed = ", ".join(dict.fromkeys([key, *needs]))
                raise ValueError(f"there is no {what} {named}{_known(str(name), names)} A new one needs {needed}")
            whole, at = piece, 0 if what == "column" else len(things)
        else:
            below_it = things.pop(at)
            whole = _merged(below_it, piece if key in below_it else _without(piece, key), form)
        if beside is not None:
            left = [each.get(key) for each in things]
            if value[beside] not in left:
                raise ValueError(f"there is no {what} {value[beside]} to go {beside}{_known(str(value[beside]), left)}")
            at = left.index(value[beside]) + (beside == "after")
        things.insert(at, whole)
    return things


def _without(doc: Spec, *keys: str) -> Doc:
    return {key: value for key, value in doc.items() if key not in keys}


def carved(below: Spec, above: Spec) -> Doc:
    """Merge rows over rows: a row below keeps the numbers that no row above covers."""
    claimed = sorted(span(key) for key in above)
    rows: Doc = {}
    for key, value in below.items():
        low, high = span(key)
        for first, last in claimed:
            if first > low and low <= high:
                rows[_written(low, min(high, first - 1))] = value
            low = max(low, last + 1)
        if low <= high:
            rows[_written(low, high)] = value
    return {**rows, **{str(key): value for key, value in above.items()}}


def _written(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"{'' if low <= -FAR else low}..{'' if high >= FAR else high}"


# -- a patch from an edited file ---------------------------------------------------------------------------------------


def difference(old: Spec, new: Spec, form: type[Part] | None) -> Doc:
    """Return the patch, without a reason, that turns one file (or a part of it) into another."""
    kinds = {key: each.kind for key, each in keys_of(form).items()} if form is not None else {}
    gone, piece = [key for key in old if key not in new], Doc()
    for key, value in new.items():
        if key in old and value != old[key]:
            change = _change(old[key], value, kinds.get(key))
            try:
                fits = _laid_over(old[key], change, key, kinds.get(key)) == value
            except ValueError:  # it has parts without a name, or with one twice
                fits = False
            if not fits:  # not piece by piece: the whole takes its place
                gone.append(key)
            piece[key] = change if fits else value
        elif key not in old:
            piece[key] = value
    return {**piece, **({"remove": gone} if gone else {})}


def _change(old: Any, new: Any, kind: object) -> Any:
    """Return what may turn a value into another when it is laid over it."""
    note, inner, form = note_of(kind), get_args(bare(kind)), form_in(kind)
    if note.laid == "by row":
        return {key: value for key, value in new.items() if old.get(key) != value}
    if note.laid == "by name":
        changes = {name: {"remove": True} for name in old if name not in new}
        for name, value in new.items():
            if old.get(name) != value:
                changes[name] = _change(old[name], value, inner[1]) if name in old else value
        return changes
    if note.laid == "by key":
        before = {each.get(note.key): each for each in old}
        names = [each.get(note.key) for each in new]
        listed = [{note.key: name, "remove": True} for name in before if name not in names]
        for at, (name, each) in enumerate(zip(names, new, strict=True)):
            place = {"after": names[at - 1]} if at else {"before": names[1]} if names[1:] else {}
            if name not in before:
                listed.append({**each, **place})
            elif each != before[name]:
                listed.append({note.key: name, **difference(before[name], each, inner[0])})
        return listed
    if form is not None and isinstance(old, Mapping) and isinstance(new, Mapping):
        return difference(old, new, form)
    return new


def base_of(below: Spec, patch: Spec, form: type[Part]) -> str:
    """Return a stamp of what a patch changes in the file below, to notice when that changes."""
    over = _merged(below, _without(patch, *OWN), form)
    return f"{zlib.crc32(json.dumps(difference(over, below, form), sort_keys=True).encode()):08x}"


# -- the reasons shown with a roll -------------------------------------------------------------------------------------


def _touched(piece: Spec, table: str, reason: str) -> list[Doc]:
    """Return a patch as pieces of the table and of its sub-rolls, so that a result can say whether it mattered."""
    touched = [{"table": table, "reason": reason, "piece": piece}]
    for kind in ("outcome", "sub"):
        for name, inner in piece.get(kind, {}).items():
            if kind == "sub" or inner.keys() & {"outcome", "rows"}:
                touched += _touched(inner, f"{table}.{name}", reason)
    return touched


# -- what a merged file gains from others of its game -----------------------------------------------------------------


def with_steps(part: Any, steps: Mapping[str, str]) -> Any:
    """Return a part of a file whose citations name the variant's own step before the section (`cites` of pack.toml)."""
    if isinstance(part, list):
        return [with_steps(each, steps) for each in part]
    if not isinstance(part, Mapping):
        return part
    own = {key: with_steps(each, steps) for key, each in part.items()}
    cite = str(own.get("cite", ""))
    pairs = [(each, *step) for each in re.split(r",\s*", cite) for step in steps.items()]
    found = (step for each, section, step in pairs if re.match(rf"{re.escape(section)}(?![\w.])", each))
    return {**own, "cite": f"{step}, {cite}"} if (step := next(found, "")) else own


def earlier_words(choices: Spec, sequence: Spec) -> dict[str, dict[str, str]]:
    """Return the present names by earlier ones (`was`): of choices, of the options of each, and of steps."""
    words = {"step": {step["was"]: step["id"] for step in sequence.get("step", ()) if "was" in step}}
    words["choice"] = {spec["was"]: name for name, spec in choices.get("choice", {}).items() if "was" in spec}
    for choice, spec in choices.get("choice", {}).items():
        words[f"choice {choice}"] = {each["was"]: each["name"] for each in spec.get("option", ()) if "was" in each}
    return {each: renamed for each, renamed in words.items() if renamed}


def with_answers(sheet: Spec, choices: Spec) -> Spec:
    """Return a sheet with the facts needed for `again-when`.

    For a choice these are `NAME.answered` (its facts at the answer), `NAME.now` (its current facts) and `NAME.again`
    (whether they differ).
    """
    fields, facts = dict(sheet.get("fields", {})), dict(sheet.get("facts", {}))
    for choice, of, option in answers(choices):
        plain = {each for part in fields.values() for each in part if "[" not in each}
        label = f"{choice}, as answered" + of.replace("[", ", {").replace("]", "}")
        ends = " ".join(each for each in ("ask-again", *option["again-when"]) if each in plain)
        answered = {f"{choice}.answered{of}": {"label": label, "until": ends}}
        fields["working"] = {**fields.get("working", {}), **answered}
        facts[f"{choice}.now{of}"] = "'" + " ".join(f"{{{fact}}}" for fact in option["again-when"]) + "'"
        facts[f"{choice}.again{of}"] = f"{choice}.answered{of} != {choice}.now{of}"
    return {**sheet, "fields": fields, "facts": facts}
