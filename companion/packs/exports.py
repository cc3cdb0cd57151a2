"""Tables that were taken down, moved between machines as JSON; what comes from others is checked before it counts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from companion.engine import dice as throws
from companion.engine.fields import Spec
from companion.engine.tables import FAR, span
from companion.packs.layers import NOT_TABLES
from companion.packs.overlays import is_patch
from companion.packs.own import faults, in_one_line, keep, own_file, text_in
from companion.packs.pack import Pack
from companion.packs.source import read_file
from companion.packs.toml_text import with_patches
from companion.problems import Problem, Trouble
from companion.store.files import bytes_of, json_of, present

FORMAT = 2
Refusal = Callable[[str], Problem]
LARGEST = 1_000_000  # bytes of an export


def transcribed(pack: Pack) -> dict[str, list[Spec]]:
    """The tables that were taken down, by file."""
    tables: dict[str, list[Spec]] = {}
    for key in sorted(pack.layers):
        own = own_file(pack, key)
        if key not in NOT_TABLES and pack.layers[key][0] == own:
            doc = read_file(own)
            patches = [each for each in doc.get("patch", ()) if each.get("transcribed")] if is_patch(doc) else []
            if patches:
                tables[key] = patches
    return tables


def exported(pack: Pack) -> str:
    """The tables that were taken down, as JSON."""
    tables = transcribed(pack)
    if not tables:
        raise Problem(f"no table of {pack.name} has been taken down; begin with: companion tables transcribe")
    return json.dumps({"format": FORMAT, "game": pack.name, "tables": tables}, indent=1)


def read_export(path: Path) -> Spec:
    """A file that may come from anybody: its size, depth and shape are checked before anything is believed."""
    raw = bytes_of(path, LARGEST, "an export of tables")
    try:
        doc = json_of(raw)
    except ValueError as error:
        raise Problem(f"{path} is not a JSON export of tables: {error}") from None
    if not isinstance(doc, dict) or not isinstance(doc.get("tables"), dict) or not isinstance(doc.get("game"), str):
        raise Problem(f"{path} is not an export of tables: it needs format, game and tables")
    if doc.get("format") != FORMAT:
        raise Problem(f"{path} has format {str(doc.get('format'))[:20]}; this companion reads format {FORMAT}")
    return doc


def imported(pack: Pack, doc: Spec, *, replace: bool = False) -> list[str]:
    """Add the tables of an export; all of them or none. Returns their names. The caller holds the packs' lock."""
    if doc["game"].casefold() != pack.name:
        raise Problem(f"these are tables of {doc['game'][:40]}, not of {pack.name}; name the game with --game")
    already = transcribed(pack)
    plan: list[tuple[str, Path, str]] = []
    for name, patches in doc["tables"].items():
        key = name.casefold()
        if key not in pack.layers or key in NOT_TABLES:
            raise Problem(f"{pack.name} has no table {name[:40]!r}; nothing was imported")
        if not isinstance(patches, list) or not patches:
            raise Problem(f"{name} holds no patches; nothing was imported")
        for each in patches:
            _sound(name, each)
        own = own_file(pack, key)
        if present(own) and list(already.get(key, ())) == patches:
            continue
        before = text_in(own) if present(own) else ""
        doc_before = read_file(own) if before else {"patch": []}
        if present(own) and (not replace or not is_patch(doc_before)):
            raise Problem(f"you have your own {name}; add --replace to take the imported one in its place")
        old = [number for number, each in enumerate(doc_before["patch"]) if each.get("transcribed")]
        text = with_patches(before or f"# {own.stem}\n", patches, old)
        wrong = faults(pack, key, text, before)
        if wrong:
            raise Problem(f"{name} is not sound: {in_one_line(wrong[0])}; nothing was imported")
        plan.append((key, own, text))
    done: list[str] = []
    for key, own, text in plan:
        try:
            keep(own, text)
        except Trouble as trouble:
            raise Trouble(f"{trouble}; imported so far: {', '.join(done)}" if done else str(trouble)) from None
        done.append(key)
    return done


PIECE = {"reason", "transcribed", "dice", "rows", "column", "outcome", "modifier", "sub"}


def _sound(name: str, patch: object) -> None:
    """An imported patch holds rows, texts and modifiers and nothing that writes on the sheet."""

    def no(why: str) -> Problem:
        return Problem(f"{name}: {why}; nothing was imported")

    if not isinstance(patch, dict) or patch.get("transcribed") is not True or not isinstance(patch.get("reason"), str):
        raise no("it was not taken down from a book")
    _small(patch, no)
    _piece(patch, PIECE, no)


def _piece(piece: object, allowed: set[str], no: Refusal) -> None:
    if not isinstance(piece, dict) or set(piece) - allowed:
        odd = sorted(set(piece) - allowed)[0] if isinstance(piece, dict) else "this"
        raise no(f"{odd[:40]} does not belong into a table that was taken down")
    columns, modifiers = piece.get("column", []), piece.get("modifier", [])
    if not isinstance(columns, list) or not isinstance(modifiers, list):
        raise no("columns and modifiers are lists")
    for rows in [piece.get("rows", {}), *[each.get("rows") for each in columns if isinstance(each, dict)]]:
        _rows(rows, no)
    if any(not isinstance(each, dict) or set(each) - {"title", "rows"} for each in columns):
        raise no("a column has a title and rows")
    for each in modifiers:
        if not isinstance(each, dict) or set(each) - {"id", "add", "when", "why", "cite"}:
            raise no("a modifier has id, add, when, why and cite")
        if type(each.get("add")) is not int or not all(isinstance(each.get(key), str) for key in ("id", "why")):
            raise no("a modifier adds a number and says why")
        if not isinstance(each.get("when", ""), str):
            raise no("the condition of a modifier is a sentence")
    if "dice" in piece:
        throws.parse(str(piece["dice"]))
    for kind, inner in (("outcome", {"text", *PIECE - {"reason", "transcribed"}}), ("sub", PIECE)):
        named = piece.get(kind, {})
        if not isinstance(named, dict):
            raise no(f"{kind} is not a table")
        for each in named.values():
            _piece(each, inner, no)


def _rows(rows: object, no: Refusal) -> None:
    if not isinstance(rows, dict):
        raise no("it has no rows")
    try:
        spans = [span(key) for key in rows]
    except ValueError as error:
        raise no(str(error)) from None
    if any(abs(figure) > 200 for low, high in spans for figure in (low, high) if abs(figure) < FAR):
        raise no("a row is beyond any dice")
    if any(max(len(figure) for figure in re.split(r"\.\.", key)) > 4 for key in rows):
        raise no("a row is beyond any dice")
    for result in rows.values():
        for each in result if isinstance(result, list) else [result]:
            if isinstance(each, dict) and set(each) == {"as", "text"}:
                continue
            if isinstance(each, bool) or not isinstance(each, str | int):
                raise no("a row has a result")


def _small(part: object, no: Refusal) -> None:
    """Short one-line words and small numbers, nothing else."""
    if isinstance(part, dict):
        for key, value in part.items():
            _small(key, no)
            _small(value, no)
    elif isinstance(part, list):
        for each in part:
            _small(each, no)
    elif isinstance(part, str):
        if len(part) > 500 or not part.isprintable():
            raise no("a text is longer than 500 characters or no single line")
    elif isinstance(part, int):
        if abs(part) > 9999:
            raise no("a number is too large")
    else:
        raise no(f"{str(part)[:20]} is neither a text nor a whole number")
