"""Overlays: files that lie over those of another pack. Loaded only when a file lies over another.

A file of the same name hides the one below; one with `[[patch]]` changes it. A patch is a piece of the file: what has
a name or an id changes what has the same (`remove = true` takes it out), rows are put over the rows they cover, and
the rest replaces. `modifier = "hi"` and `row = "7"` say the same in a line. Which is which is declared in `forms`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from companion.engine.tables import FAR, span
from companion.problems import Trouble
from companion.words import one_of

if TYPE_CHECKING:
    from companion.packs.forms import Form

OWN = ("reason", "transcribed")
PLACE = ("after", "before")
Doc = dict[str, Any]


class Unfit(ValueError):
    """A patch that does not fit what it lies over."""


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
    from companion.packs.forms import FILES, kind_of

    at = next((at for at, doc in enumerate(docs) if not is_patch(doc)), None)
    if at is None:
        raise Trouble(f"{paths[-1]}: there is no {name} below it that its patches could change")
    made: Mapping[str, Any] = docs[at]
    for above in range(at - 1, -1, -1):
        for number, patch in enumerate(docs[above]["patch"], 1):
            try:
                made = patched(made, patch, FILES[kind_of(name)])
            except Unfit as error:
                raise Trouble(f"{paths[above]}: patch {number} does not fit: {error}") from None
            except (TypeError, ValueError, KeyError, AttributeError) as error:
                what = error if type(error) is ValueError else "see: companion tables check"
                raise Trouble(f"{paths[above]}: patch {number} does not fit: {what}") from None
    return made


def patched(doc: Mapping[str, Any], patch: Mapping[str, Any], form: type[Form]) -> Doc:
    """A file with one patch applied; what it changed is remembered under `patched`."""
    if not isinstance(patch.get("reason"), str) or not patch["reason"].strip():
        raise Unfit("it gives no reason")
    piece = fragment(doc, patch)
    for key in piece:
        if key in ("id", "patch", "patched"):
            raise Unfit(f"it cannot change {key}")
    made = _merged(doc, piece, form)
    if "id" in doc:
        touched = _touched(doc, piece, str(doc["id"]), patch["reason"])
        made["patched"] = [*doc.get("patched", ()), *touched]
    return made


def fragment(doc: Mapping[str, Any], patch: Mapping[str, Any]) -> Doc:
    """The piece of the file that a patch holds, its one-line forms written out."""
    piece = {key: value for key, value in patch.items() if key not in OWN}
    if isinstance(piece.get("modifier"), str):
        name = piece.pop("modifier")
        keys = ("add", "when", "why", "cite", "group", "remove", *PLACE)
        piece["modifier"] = [{"id": name, **{key: piece.pop(key) for key in keys if key in piece}}]
    if "row" in piece:
        rows = {str(piece.pop("row")): piece.pop("as")}
        if isinstance(piece.get("column"), str):
            title = piece.pop("column")
            titles = [str(each.get("title")) for each in doc.get("column", ())]
            if title not in titles:
                raise Unfit(f"there is no column {title!r}{_known(title, titles)}")
            piece["column"] = [{"title": title, "rows": rows}]
        else:
            piece["rows"] = rows
    return piece


def _known(name: str, names: Iterable[Any]) -> str:
    """What there is instead: `; did you mean ace? There are green, ace`."""
    import difflib

    known = [str(each) for each in names if each is not None]
    near = difflib.get_close_matches(name.casefold(), [each.casefold() for each in known], 2, 0.5)
    meant = [each for each in known if each.casefold() in near]
    told = f"; did you mean {one_of(meant)}?" if meant else ""
    return f"{told}{' ' if told else '; '}{'There' if told else 'there'} are {', '.join(known) or 'none'}"


def _merged(doc: Mapping[str, Any], piece: Mapping[str, Any], form: type[Form]) -> Doc:
    from companion.packs.forms import MEMBER, keys_of

    made, keys = dict(doc), keys_of(form)
    for key, value in piece.items():
        if key in keys:
            made[key] = _laid_over(made.get(key), value, key, keys[key].type)
        else:
            made = _named(made, {key: value}, "member", MEMBER)
    return made


def _laid_over(below: Any, above: Any, key: str, kind: Any) -> Any:
    """One thing over another, as it is declared: by name, by key, by row; else in its place."""
    from companion.packs.forms import bare, form_in

    plain, notes = bare(kind)
    how = notes.get("laid")
    if how == "by row" and isinstance(above, Mapping):
        return carved(below or {}, above)
    if how == "by name" and isinstance(above, Mapping):
        return _named(below or {}, above, key, get_args(plain)[1])
    if how == "by key" and isinstance(above, list):
        return _listed(below or [], above, key, notes["key"], get_args(plain)[0])
    form = form_in(kind) if kind is not None else None
    if form is not None and how is None and isinstance(below, Mapping) and isinstance(above, Mapping) and key == "":
        return _merged(below, above, form)
    return above


def _named(below: Mapping[str, Any], above: Mapping[str, Any], what: str, kind: Any) -> Doc:
    made = dict(below)
    for name, value in above.items():
        if isinstance(value, Mapping) and value.get("remove") is True:
            if name not in made:
                raise Unfit(f"there is no {what} {name} to take out{_known(name, made)}")
            del made[name]
        else:
            made[name] = _laid_over(made.get(name), value, "", kind)
    return made


def _listed(
    below: Sequence[Any], above: Sequence[Mapping[str, Any]], what: str, key: str, form: type[Form]
) -> list[Any]:
    made = list(below)
    for number, value in enumerate(above, 1):
        names = [each.get(key) for each in made]
        name = value.get(key)
        beside = {word: value[word] for word in PLACE if word in value}
        piece = {word: each for word, each in value.items() if word not in (*PLACE, "remove")}
        at = names.index(name) if name is not None and name in names else None
        if value.get("remove") is True:
            if at is None:
                raise Unfit(f"there is no {what} {name} to take out{_known(str(name), names)}")
            del made[at]
            continue
        if at is None:
            _whole(piece, beside, names, what, key, number, form)
        whole = _merged(made.pop(at), piece, form) if at is not None else piece
        if beside:
            word, neighbour = next(iter(beside.items()))
            left = [each.get(key) for each in made]
            if neighbour not in left:
                raise Unfit(f"there is no {what} {neighbour} to stand beside{_known(str(neighbour), left)}")
            at = left.index(neighbour) + (word == "after")
        elif at is None:
            at = 0 if what == "column" else len(made)
        made.insert(at, whole)
    return made


def _whole(
    piece: Mapping[str, Any], beside: Doc, names: Sequence[Any], what: str, key: str, number: int, form: type[Form]
) -> None:
    """Refuse a piece that is new and not whole: its name is most likely misspelt."""
    from companion.packs.forms import keys_of

    needs = [each for each, info in keys_of(form).items() if info.required and each != key]
    if what == "column" and names and not beside:
        needs.append("when")  # else it would hide all the others
    lacks = [each for each in needs if each not in piece]
    name = piece.get(key)
    if name is None and lacks:
        raise Unfit(f"{what} {number} of it lacks {key}, which says what it changes{_known('', names)}")
    if lacks:
        needed = ", ".join([key, *needs])
        raise Unfit(f"there is no {what} {name!r}{_known(str(name), names)}; a new one needs {needed}")


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
