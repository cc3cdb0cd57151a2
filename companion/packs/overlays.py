"""Overlays: files that override those of another pack. Imported only when there are any.

A file of the same name hides the one below; one with `[[patch]]` changes it. A patch is a piece of the file: an item
with a name or an id changes the same item (`remove = true` deletes it), rows override the rows they cover, and anything
else is replaced. `forms` declares which applies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from companion.engine.fields import Spec
from companion.engine.tables import FAR, span
from companion.problems import SystemFault
from companion.words import nearest, one_of

if TYPE_CHECKING:
    from companion.engine.about import Part

OWN = ("reason", "transcribed")
REASON = "from your rulebook"  # marks a patch that the player copied from the rulebook
PLACE = ("after", "before")
Doc = dict[str, Any]


class PatchError(ValueError):
    """A patch that does not fit the file below."""


def is_patch(doc: Spec) -> bool:
    """Return whether a file changes the one below instead of hiding it."""
    return isinstance(doc.get("patch"), list)


def laid(name: str, paths: Sequence[Path], docs: Sequence[Spec], ours: Path | None = None) -> Spec:
    """Return the file of that name with its overlays applied, topmost first.

    A patch in the folder `ours` is not noted: it is part of that game's rules.

    Raises:
        SystemFault: A patch does not fit the file below it, or is malformed.
    """
    if name == "pack":
        return {key: value for doc in reversed(docs) for key, value in doc.items()}
    from companion.packs.forms import FILES, kind_of

    at = next((at for at, doc in enumerate(docs) if not is_patch(doc)), None)
    if at is None:
        raise SystemFault(f"{paths[-1]}: there is no {name} below it to patch")
    whole = docs[at]
    for above in range(at - 1, -1, -1):
        told = whole.get("patched", ())
        for number, patch in enumerate(docs[above]["patch"], 1):
            try:
                whole = patched(whole, patch, FILES[kind_of(name)])
            except PatchError as error:
                raise SystemFault(f"{paths[above]}: patch {number} does not fit: {error}") from None
        if ours in paths[above].parents:
            whole = {**whole, "patched": told}
    return whole


def patched(doc: Spec, patch: Spec, form: type[Part]) -> Doc:
    """Return a file with one patch applied and its changes noted under `patched`; raise PatchError."""
    if not isinstance(patch.get("reason"), str) or not patch["reason"].strip():
        raise PatchError("it gives no reason")
    piece = {key: value for key, value in patch.items() if key not in OWN}
    for key in piece:
        if key in ("id", "patch", "patched"):
            raise PatchError(f"it can't change {key}")
    whole = _merged(doc, piece, form)
    if "id" in doc:
        touched = _touched(doc, piece, str(doc["id"]), patch["reason"])
        whole["patched"] = [*doc.get("patched", ()), *touched]
    return whole


def _known(name: str, names: Iterable[object]) -> str:
    """Return a hint with the known names: `. Did you mean ace?`, or all of them."""
    known = [str(each) for each in names if each is not None]
    near = nearest(name, known, 2)
    return f". Did you mean {one_of(near)}?" if near else f". Choose {', '.join(known) or 'nothing'}"


def _merged(doc: Spec, piece: Spec, form: type[Part]) -> Doc:
    from companion.packs.form_check import keys_of
    from companion.packs.forms import MEMBER

    whole, keys = dict(doc), keys_of(form)
    for key, value in piece.items():
        if key in keys:
            whole[key] = _laid_over(whole.get(key), value, key, keys[key].kind)
        else:
            whole = _named(whole, {key: value}, "member", MEMBER)
    return whole


def _laid_over(below: Any, above: object, key: str, kind: object) -> object:
    """Merge one value over another as declared: by name, by key or by row; else replace it."""
    from companion.engine.about import bare
    from companion.packs.form_check import form_in, note_of

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
                raise PatchError(f"there is no {what} {name} to remove{_known(name, whole)}")
            del whole[name]
        else:
            whole[name] = _laid_over(whole.get(name), value, "", kind)
    return whole


def _listed(below: Sequence[Doc], above: Sequence[Spec], what: str, key: str, form: type[Part]) -> list[Doc]:
    from companion.packs.form_check import keys_of

    things = list(below)
    for value in above:
        names = [each.get(key) for each in things]
        name = value.get(key)
        beside = next((word for word in PLACE if word in value), None)
        piece = {word: each for word, each in value.items() if word not in (*PLACE, "remove")}
        at = names.index(name) if name is not None and name in names else None
        if value.get("remove") is True:
            if at is None:
                raise PatchError(f"there is no {what} {name} to remove{_known(str(name), names)}")
            del things[at]
            continue
        if at is None:
            needs = [word for word, info in keys_of(form).items() if info.required]
            if what == "column" and names and beside is None:
                needs.append("when")  # otherwise it would hide all the others
            if not piece.keys() >= {*needs}:
                named = f"{name!r}" if name is not None else f"without {key}"
                needed = ", ".join(dict.fromkeys([key, *needs]))
                raise PatchError(f"there is no {what} {named}{_known(str(name), names)} A new one needs {needed}")
            whole, at = piece, 0 if what == "column" else len(things)
        else:
            whole = _merged(things.pop(at), piece, form)
        if beside is not None:
            left = [each.get(key) for each in things]
            if value[beside] not in left:
                raise PatchError(f"there is no {what} {value[beside]} to go {beside}{_known(str(value[beside]), left)}")
            at = left.index(value[beside]) + (beside == "after")
        things.insert(at, whole)
    return things


def carved(below: Spec, above: Spec) -> Doc:
    """Merge rows over rows: a row below keeps the numbers that no row above covers."""
    claimed = sorted(_span(key) for key in above)
    rows: Doc = {}
    for key, value in below.items():
        low, high = _span(key)
        for first, last in claimed:
            if first > low and low <= high:
                rows[_written(low, min(high, first - 1))] = value
            low = max(low, last + 1)
        if low <= high:
            rows[_written(low, high)] = value
    return {**rows, **{str(key): value for key, value in above.items()}}


def _span(key: object) -> tuple[int, int]:
    try:
        return span(key)
    except ValueError as error:
        raise PatchError(str(error)) from None


def _written(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"{'' if low <= -FAR else low}..{'' if high >= FAR else high}"


def _touched(doc: Spec, piece: Spec, table: str, reason: str) -> list[Doc]:
    """Return the changes of a patch in a table and its sub-rolls, so that a result can say whether it mattered."""
    columns = [("", piece), *((column.get("title", ""), column) for column in piece.get("column", ()))]
    modifiers, outcomes = piece.get("modifier", ()), piece.get("outcome", {})
    others = piece.keys() - {"modifier", "rows", "column", "outcome", "sub"}
    mine: Doc = {
        "modifiers": [each["id"] for each in modifiers],
        "rows": [[title, list(map(_span, each["rows"]))] for title, each in columns if "rows" in each],
        "outcomes": {slug: _as_before(doc.get("outcome", {}).get(slug), each) for slug, each in outcomes.items()},
        "always": bool(others) or any(each.get("remove") for each in modifiers),
    }
    touched = [{"table": table, "reason": reason, **mine}] if any(mine.values()) else []
    for kind in ("outcome", "sub"):
        for name, inner in piece.get(kind, {}).items():
            if kind == "sub" or inner.keys() & {"outcome", "rows"}:
                touched += _touched(doc.get(kind, {}).get(name, {}), inner, f"{table}.{name}", reason)
    return touched


def _as_before(old: object, new: object) -> list[int]:
    """Return the cases of an outcome that have the same effects as a case before the patch."""
    before, after = (each.get("cases", ()) if isinstance(each, Mapping) else () for each in (old, new))
    done = [{key: value for key, value in case.items() if key != "when"} for case in before]
    return [at for at, case in enumerate(after) if {key: case[key] for key in case if key != "when"} in done]
