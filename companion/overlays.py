"""Overlays: files that lie over those of another pack. Loaded only when a file lies over another.

A file of the same name hides the one below; one with `[[patch]]` changes it. A patch is a piece of the file: what has
a name or an id changes what has the same (`remove = true` takes it out), rows are put over the rows they cover, and
the rest replaces. `modifier = "hi"` and `row = "7"` say the same in a line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.engine.tables import FAR, span
from companion.problems import Trouble

NAMED = ("outcome", "sub", "field", "derive", "choice", "section", "index", "names", "status")
LISTED = {"modifier": "id", "column": "title", "step": "id", "option": "name", "rule": "id", "natural": "id"}
OWN = ("reason", "transcribed")
Doc = dict[str, Any]


def is_patch(doc: Mapping[str, Any]) -> bool:
    """Whether a file changes the one below instead of hiding it."""
    return isinstance(doc.get("patch"), list)


def laid(name: str, paths: Sequence[Path], docs: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The file as it stands with everything that lies over it; topmost first."""
    if name == "pack":
        whole: Doc = {}
        for doc in reversed(docs):
            whole.update(doc)
        return whole
    at = next((at for at, doc in enumerate(docs) if not is_patch(doc)), None)
    if at is None:
        raise Trouble(f"{paths[-1]}: there is no {name} below it that its patches could change")
    made: Mapping[str, Any] = docs[at]
    for above in range(at - 1, -1, -1):
        for patch in docs[above]["patch"]:
            try:
                made = patched(made, patch)
            except (TypeError, ValueError, KeyError, AttributeError) as error:
                raise Trouble(f"{paths[above]}: a patch does not fit: {error}") from None
    return made


def patched(doc: Mapping[str, Any], patch: Mapping[str, Any]) -> Doc:
    """A file with one patch applied; what it changed is remembered under `patched`."""
    if not isinstance(patch.get("reason"), str) or not patch["reason"].strip():
        raise ValueError("it gives no reason")
    piece = fragment(patch)
    for key in piece:
        if key in ("id", "patch", "patched"):
            raise ValueError(f"it cannot change {key}")
    made = _merged(doc, piece)
    if "id" in doc:
        touched = _touched(doc, piece, str(doc["id"]), patch["reason"])
        made["patched"] = [*doc.get("patched", ()), *touched]
    return made


def fragment(patch: Mapping[str, Any]) -> Doc:
    """The piece of the file that a patch holds, its one-line forms written out."""
    piece = {key: value for key, value in patch.items() if key not in OWN}
    if isinstance(piece.get("modifier"), str):
        name = piece.pop("modifier")
        keys = ("add", "when", "why", "cite", "per", "group", "remove", "after", "before")
        piece["modifier"] = [{"id": name, **{key: piece.pop(key) for key in keys if key in piece}}]
    if "row" in piece:
        rows = {str(piece.pop("row")): piece.pop("to")}
        if isinstance(piece.get("column"), str):
            piece["column"] = [{"title": piece.pop("column"), "rows": rows}]
        else:
            piece["rows"] = rows
    return piece


def _merged(doc: Mapping[str, Any], piece: Mapping[str, Any]) -> Doc:
    made = dict(doc)
    for key, value in piece.items():
        if key == "rows":
            made[key] = carved(made.get(key, {}), value)
        elif key in NAMED and isinstance(value, Mapping):
            made[key] = _named(made.get(key, {}), value)
        elif key in LISTED and isinstance(value, list):
            made[key] = _listed(made.get(key, []), value, key)
        else:
            made[key] = value
    return made


def _named(below: Mapping[str, Any], above: Mapping[str, Any]) -> Doc:
    made = dict(below)
    for name, value in above.items():
        if isinstance(value, Mapping) and value.get("remove") is True:
            made.pop(name, None)
        elif isinstance(value, Mapping) and isinstance(made.get(name), Mapping):
            made[name] = _merged(made[name], value)
        else:
            made[name] = value
    return made


def _listed(below: Sequence[Any], above: Sequence[Mapping[str, Any]], kind: str) -> list[Any]:
    made, key = list(below), LISTED[kind]
    for value in above:
        names = [each.get(key) for each in made]
        place = {word: value[word] for word in ("after", "before") if word in value}
        piece = {word: each for word, each in value.items() if word not in ("after", "before", "remove")}
        at = names.index(piece[key]) if key in piece and piece[key] in names else None
        if value.get("remove") is True:
            if at is None:
                raise ValueError(f"there is no {kind} {piece.get(key)} to take out")
            del made[at]
            continue
        whole = _merged(made.pop(at), piece) if at is not None else piece
        if place:
            word, beside = next(iter(place.items()))
            left = [each.get(key) for each in made]
            if beside not in left:
                raise ValueError(f"there is no {kind} {beside} to stand beside")
            at = left.index(beside) + (word == "after")
        elif at is None:
            at = 0 if kind == "column" else len(made)
        made.insert(at, whole)
    return made


def carved(below: Mapping[str, Any], above: Mapping[str, Any]) -> Doc:
    """Rows put over rows: a row below keeps the figures that no row above claims."""
    over = [span(key) for key in above]
    made: Doc = {}
    for key, value in below.items():
        parts = [span(key)]
        for low, high in over:
            parts = [left for part in parts for left in _without(part, low, high)]
        for low, high in parts:
            made[_written(low, high)] = value
    return {**made, **{str(key): value for key, value in above.items()}}


def _without(part: tuple[int, int], low: int, high: int) -> list[tuple[int, int]]:
    first, last = part
    if high < first or low > last:
        return [part]
    return [(a, b) for a, b in ((first, min(last, low - 1)), (max(first, high + 1), last)) if a <= b]


def _written(low: int, high: int) -> str:
    if low == high:
        return str(low)
    return f"{'' if low <= -FAR else low}..{'' if high >= FAR else high}"


def _touched(doc: Mapping[str, Any], piece: Mapping[str, Any], table: str, reason: str) -> list[Doc]:
    """What a patch changes in a table and its sub-rolls, so that a result can say whether it took part."""
    mine: Doc = {"table": table, "reason": reason}
    found = [mine]
    known = {each.get("id"): each for each in doc.get("modifier", ())}
    for spec in piece.get("modifier", ()):
        mine.setdefault("modifiers", []).append(spec["id"])
        if spec["id"] in known:
            mine.setdefault("was", []).append(known[spec["id"]])
    if "rows" in piece:
        mine.setdefault("rows", []).append(["", [list(span(key)) for key in piece["rows"]]])
    for column in piece.get("column", ()):
        if "rows" in column:
            rows = [list(span(key)) for key in column["rows"]]
            mine.setdefault("rows", []).append([column.get("title", ""), rows])
    for slug, does in piece.get("outcome", {}).items():
        mine.setdefault("outcomes", []).append(slug)
        if isinstance(does, Mapping) and ("outcome" in does or "rows" in does):
            found += _touched(doc.get("outcome", {}).get(slug, {}), does, f"{table}.{slug}", reason)
    for name, sub in piece.get("sub", {}).items():
        found += _touched(doc.get("sub", {}).get(name, {}), sub, f"{table}.{name}", reason)
    if set(piece) - {"modifier", "rows", "column", "outcome", "sub", "natural"}:
        mine["always"] = True
    if "natural" in piece:
        mine["naturals"] = True
    return [each for each in found if len(each) > 2]
