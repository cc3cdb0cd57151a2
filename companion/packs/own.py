"""The player's own tables in the data folder: checked before they count, taken down row by row, moved as JSON."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.engine import dice as throws
from companion.engine.tables import FAR, Table, span
from companion.files import disk
from companion.files.home import home
from companion.files.reading import bytes_of, json_of, text_of
from companion.files.toml import brought_to, toml, with_patches
from companion.packs import NOT_TABLES, Pack, players_folder, read_file
from companion.packs.first import piece as brought_over
from companion.packs.overlays import is_patch, laid
from companion.problems import Problem, Trouble
from companion.words import printed

FORMAT = 2  # 1 has the conditions of modifiers as tables
REASON = "from your own book"
LARGEST, DEEPEST = 1_000_000, 20
BELOW = "# ---- Only to be read: what your changes lie over. From this line on nothing is kept. ----"


def key_of(pack: Pack, name: str) -> str:
    """The file that holds a table (`4-9` for `4-9.doors`) or is named so (`sheet`); a Problem offers near names."""
    key = name.strip().casefold()
    if key in pack.layers and key != "pack":
        return key
    try:
        table = pack.table(name)
    except Trouble:  # the file is there and is not sound
        while key not in pack.layers and "." in key:
            key = key.rpartition(".")[0]
        if key in pack.layers and key not in NOT_TABLES:
            return key
        raise
    while table.parent is not None:
        table = table.parent
    return table.id.casefold()


def own_file(pack: Pack, key: str) -> Path:
    """Where the player's copy of a file stands, or would."""
    folder, top = players_folder() / pack.name, pack.layers[key][0]
    return top if top.parent == folder else folder / pack.layers[key][-1].name


def below(pack: Pack, key: str) -> list[Path]:
    """The files that the player's copy lies over; topmost first."""
    return [path for path in pack.layers[key] if path.parent != players_folder() / pack.name]


def draft_file(pack: Pack, name: str) -> Path:
    """Where something half done is kept."""
    return home() / "drafts" / pack.name / name


def keep(path: Path, text: str) -> None:
    """Write a file of the player's own whole or not at all."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        disk.keep(path, text.encode(), end=f"{os.getpid()}.new")
    except OSError as error:
        raise Trouble(f"cannot write {path}: {error.strerror or error}") from None


def aside(path: Path) -> Path:
    """Put a file of the player's under a name that covers no other and that no pack reads; gives back that name."""
    kept, number = path.with_name(f"{path.name}.bak"), 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"{path.name}.bak-{number}")
    try:
        os.replace(path, kept)
    except OSError as error:
        raise Trouble(f"cannot put {path} aside: {error.strerror or error}") from None
    return kept


# -- a copy of one's own -------------------------------------------------------------------------------------------


def beginning(pack: Pack, key: str) -> str:
    """What is opened to be edited: the player's own file, else the whole table as it stands.

    Under patches of his own stands what they lie over, to be read.
    """
    own, under = own_file(pack, key), below(pack, key)
    if pack.layers[key][0] != own:
        return whole(pack, key, under)
    text = _text(own)
    try:
        patches = is_patch(read_file(own))
    except Problem:  # which is to be mended
        return text
    if not patches or not under:
        return text
    lines = whole(pack, key, under).splitlines()
    return "\n".join([text.rstrip("\n"), "", BELOW, *[f"# {line}".rstrip() for line in lines]]) + "\n"


def whole(pack: Pack, key: str, paths: Sequence[Path]) -> str:
    """A file as it stands with what lies over it (topmost first): its own words where nothing does."""
    docs = [read_file(path) for path in paths]
    if not is_patch(docs[0]):
        return _text(paths[0])
    made = {name: value for name, value in laid(key, paths, docs).items() if name != "patched"}
    base = next(path for path, doc in zip(paths, docs, strict=True) if not is_patch(doc))
    return f"# {paths[-1].stem} as it stands in {pack.name}\n{brought_to(_text(base), made)}"


def edited(draft: Path) -> str:
    """What the player has made of it, without what was only to be read."""
    try:
        text = text_of(draft.read_bytes())
    except OSError as error:
        raise Trouble(f"cannot read {draft}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise Problem(f"{draft.name} is no text: {error.reason}; your copy stays as it was") from None
    head, mark, _ = text.partition(BELOW)
    return f"{head.rstrip()}\n" if mark else text


def stamp(path: Path) -> str:
    """What tells whether a file has changed; of one that is not there it is empty."""
    import hashlib

    try:
        return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""


def _text(path: Path) -> str:
    try:
        return text_of(path.read_bytes())
    except (OSError, UnicodeDecodeError) as error:
        raise Trouble(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None


def faults(pack: Pack, key: str, text: str, before: str = "") -> list[str]:
    """What would be wrong with the pack if this were the player's copy of a file: with file, line and reason."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        file, own = Path(folder) / own_file(pack, key).name, own_file(pack, key)
        file.write_bytes(text.encode())
        trial = Pack(pack.name)
        trial.layers[key] = [file, *[path for path in trial.layers[key] if path != own]]
        found = _proved(trial)
        known = {told for path, _, told in _proved(Pack(pack.name)) if path != own} if found else set()
        made = []
        for path, line, told in found:
            if path == file:
                made.append(f"{own.name}, line {line or _changed(text, before)}: {told.replace(str(file), own.name)}")
            elif told not in known:
                made.append(f"{path.name if path else pack.name}, line {line}: {told}" if line else told)
        return made


def _proved(pack: Pack) -> list[tuple[Path | None, int, str]]:
    from companion.packs import proof

    try:
        return [(each.path, each.line, each.told) for each in proof.faults(pack)]
    except Problem as problem:
        return [(None, 0, str(problem))]
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        return [(None, 0, f"it cannot be read: {error!r}")]


def _changed(text: str, before: str) -> int:
    """The first line that is another than before."""
    old = set(before.splitlines())
    return next((number for number, line in enumerate(text.splitlines(), 1) if line not in old), 1)


# -- differences ---------------------------------------------------------------------------------------------------


def differences(pack: Pack) -> Iterator[str]:
    """How the player's folder differs from what lies below it, line by line."""
    from difflib import unified_diff

    for key, paths in sorted(pack.layers.items()):
        if paths[0] != own_file(pack, key):
            continue
        under = below(pack, key)
        doc = read_file(paths[0])
        if is_patch(doc):
            yield f"{key}: {len(doc['patch'])} changes"
            for patch in doc["patch"]:
                yield f"  {patch.get('reason', 'no reason given')}"
                yield from (f"    {name} = {toml(value)}" for name, value in patch.items() if name != "reason")
        elif not under:
            yield f"{key}: yours alone"
        else:
            yield f"{key}: yours in place of ours"
            old, new = whole(pack, key, under).splitlines(), _text(paths[0]).splitlines()
            yield from (f"  {line}" for line in list(unified_diff(old, new, lineterm="", n=1))[2:])


# -- taking a table down -------------------------------------------------------------------------------------------


def reach(text: str) -> str:
    """A printed range as a row: `2`, `3-5`, `12+`, `4-` and `..4` are understood; raises a Problem."""
    plain = text.replace(" ", "").replace("–", "-").replace("≤", "..").removesuffix("orless")
    for pattern, made in (
        (r"(\d+)", "{0}"),
        (r"(\d+)(?:-|\.\.)(\d+)", "{0}..{1}"),
        (r"(\d+)(?:\+|\.\.)", "{0}.."),
        (r"(?:\.\.)(-?\d+)", "..{0}"),
        (r"(\d+)-", "..{0}"),
    ):
        match = re.fullmatch(pattern, plain)
        if match and all(len(figure) <= 3 for figure in match.groups()):
            row = made.format(*match.groups())
            try:
                span(row)
            except ValueError:
                break
            return row
    raise Problem(f"{text!r} is no range; type 7, 3-5, 12+ or ..4")


def unknown(result: Any) -> bool:
    """Whether a cell stands only in the player's book."""
    return result == "owner" or (isinstance(result, Mapping) and "ask-once" in result)


def condition(pack: Pack, facts: Mapping[str, Any]) -> str:
    """The sentence that asks for all of these facts; a Problem where a value cannot stand in one.

    >>> condition(Pack("b29"), {"fighter.pilot": "ace", "zone": 7, "evasive": "yes", "target.city": "Truk"})
    "fighter.pilot = ace and zone = 7 and evasive and target.city = 'Truk'"
    """
    return " and ".join(_compared(pack, name, value) for name, value in facts.items())


def _compared(pack: Pack, name: str, value: Any) -> str:
    declared = pack.sheet.declared(name)
    plain, quoted = f"{name} = {value}", f"{name} = '{value}'"
    likely = [plain, quoted] if declared.numeric or declared.values else [quoted]
    if value in ("yes", "no"):
        likely = [name if value == "yes" else f"not {name}", plain]
    if isinstance(value, int) or not re.search(r"['{}\n]", str(value)):
        for sentence in likely:
            try:
                pack.condition(sentence)
            except Problem:
                continue
            return sentence
    raise Problem(f"{name}: {value} cannot stand in a condition")


def missing(rows: Sequence[str], dice: throws.Dice) -> list[int]:
    """The totals that no row has yet."""
    spans = [span(row) for row in rows]
    return [total for total, _ in dice.readings() if not any(low <= total <= high for low, high in spans)]


def opened(rows: Mapping[str, Any], dice: throws.Dice) -> dict[str, Any]:
    """The rows with their ends open, so that a modified roll beyond them lands on the last; D66 has no beyond."""
    if dice.tens or not rows:
        return dict(rows)
    low = min(rows, key=lambda row: span(row)[0])
    high = max(rows, key=lambda row: span(row)[1])
    made: dict[str, Any] = {}
    for row, result in rows.items():
        first, last = span(row)
        start = "" if row == low else str(first)
        end = "" if row == high else str(last)
        made[f"{start}..{end}" if (start == "" or end == "" or first != last) else str(first)] = result
    return made if low != high else {"..0": rows[low], "1..": rows[low]}


def row_result(table: Table, text: str, effect: str, outcomes: dict[str, Any]) -> Any:
    """What a row of the book comes to; without one of our effects a result of its own is added to `outcomes`."""
    text = text.replace("{", "(").replace("}", ")")  # braces would be worked out
    if effect:
        return {"as": effect, "text": text} if text else effect
    said = printed(text)
    if isinstance(said, int):
        owner, _ = table.numbers()
        if owner.number is not None or owner.adjust is not None:
            return said
        said = f"row-{said}"
    if not table.outcome(said)[0]:
        outcomes[said] = {"text": text}
    return said


def patch_of(table: Table, draft: Mapping[str, Any]) -> dict[str, Any]:
    """The patch that adds what was taken down to our table, wherever in its file the table stands."""
    outcomes: dict[str, Any] = {}
    dice = throws.parse(draft["dice"])
    piece: dict[str, Any] = {}
    if draft.get("gaps"):
        columns: dict[str, dict[str, Any]] = {}
        for title, row, text, effect in draft["gaps"]:
            columns.setdefault(title, {})[row] = row_result(table, text, effect, outcomes)
        piece["column"] = [{"title": title, "rows": rows} for title, rows in columns.items() if title]
        if "" in columns:
            piece["rows"] = columns[""]
        piece = {key: value for key, value in piece.items() if value}
    else:
        rows = {row: row_result(table, text, effect, outcomes) for row, text, effect in draft["rows"]}
        piece = {"dice": draft["dice"], "rows": opened(rows, dice)}
    if outcomes:
        piece["outcome"] = outcomes
    if draft.get("modifiers"):
        piece["modifier"] = list(draft["modifiers"])
    while table.parent is not None:
        name = table.id.removeprefix(f"{table.parent.id}.")
        inside = "sub" if name in table.parent.doc.get("sub", {}) else "outcome"
        piece, table = {inside: {name: piece}}, table.parent
    return {"reason": REASON, "transcribed": True, **piece}


def add_patch(pack: Pack, key: str, added: Mapping[str, Any]) -> None:
    """Put a patch behind those the player has for that file; a Problem says what is wrong with it."""
    own = own_file(pack, key)
    before = _text(own) if own.exists() else ""
    doc = read_file(own) if before else {}
    if doc and not is_patch(doc):
        raise Problem(f"{own} replaces our table; write the rows into it with: companion tables edit {key}")
    text = with_patches(before or f"# {own.stem}\n", [added])
    wrong = faults(pack, key, text, before)
    if wrong:
        raise Problem(f"{line_of(wrong[0])}; nothing was changed")
    keep(own, text)


def line_of(told: str) -> str:
    """What is wrong, in one line: without the sentence that is marked below it."""
    return told.partition("\n")[0]


# -- moving tables between machines --------------------------------------------------------------------------------


def transcribed(pack: Pack) -> dict[str, list[Mapping[str, Any]]]:
    """The tables that were taken down, by file."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for key in sorted(pack.layers):
        own = own_file(pack, key)
        if key not in NOT_TABLES and pack.layers[key][0] == own:
            doc = read_file(own)
            patches = [each for each in doc.get("patch", ()) if each.get("transcribed")] if is_patch(doc) else []
            if patches:
                found[key] = patches
    return found


def exported(pack: Pack) -> str:
    """The tables that were taken down, as JSON."""
    tables = transcribed(pack)
    if not tables:
        raise Problem(f"no table of {pack.name} has been taken down; begin with: companion tables transcribe")
    return json.dumps({"format": FORMAT, "game": pack.name, "tables": tables}, indent=1)


def read_export(path: Path) -> Mapping[str, Any]:
    """A file that may come from anybody: its size, depth and shape are checked before anything is believed."""
    raw = bytes_of(path, LARGEST, "an export of tables")
    try:
        doc = json_of(text_of(raw), DEEPEST)
    except ValueError as error:
        raise Problem(f"{path} is not a JSON export of tables: {error}") from None
    if not isinstance(doc, dict) or not isinstance(doc.get("tables"), dict) or not isinstance(doc.get("game"), str):
        raise Problem(f"{path} is not an export of tables: it needs format, game and tables")
    if doc.get("format") not in range(1, FORMAT + 1) or doc["format"] is True:
        raise Problem(f"{path} has format {str(doc.get('format'))[:20]}; this companion reads formats 1 to {FORMAT}")
    return doc


def imported(pack: Pack, doc: Mapping[str, Any], *, replace: bool = False) -> list[str]:
    """Add the tables of an export; all of them or none. Returns their names."""
    if doc["game"].casefold() != pack.name:
        raise Problem(f"these are tables of {doc['game'][:40]}, not of {pack.name}; name the game with --game")
    taken = transcribed(pack)
    plan: list[tuple[str, Path, str]] = []
    for name, given in doc["tables"].items():
        key = name.casefold()
        if key not in pack.layers or key in NOT_TABLES:
            raise Problem(f"{pack.name} has no table {name[:40]!r}; nothing was imported")
        if not isinstance(given, list) or not given:
            raise Problem(f"{name} holds no patches; nothing was imported")
        for each in given:
            _sound(name, each)
        patches = [brought_over(each) for each in given]
        own = own_file(pack, key)
        if own.exists() and list(taken.get(key, ())) == patches:
            continue
        before = _text(own) if own.exists() else ""
        doc_before = read_file(own) if before else {"patch": []}
        if own.exists() and (not replace or not is_patch(doc_before)):
            raise Problem(f"you have your own {name}; add --replace to take the imported one in its place")
        old = [number for number, each in enumerate(doc_before["patch"]) if each.get("transcribed")]
        text = with_patches(before or f"# {own.stem}\n", patches, old)
        wrong = faults(pack, key, text, before)
        if wrong:
            raise Problem(f"{name} is not sound: {line_of(wrong[0])}; nothing was imported")
        plan.append((key, own, text))
    for _, own, text in plan:
        keep(own, text)
    return [key for key, _, _ in plan]


PIECE = {"reason", "transcribed", "dice", "rows", "column", "outcome", "modifier", "sub"}


def _sound(name: str, patch: Any) -> None:
    """An imported patch holds rows, texts and modifiers and nothing that writes on the sheet."""

    def no(why: str) -> Problem:
        return Problem(f"{name}: {why}; nothing was imported")

    if not isinstance(patch, dict) or patch.get("transcribed") is not True or not isinstance(patch.get("reason"), str):
        raise no("it was not taken down from a book")
    _plain(patch, no)
    _piece(patch, PIECE, no)


def _piece(piece: Any, allowed: set[str], no: Any) -> None:
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
        if not isinstance(each.get("when", ""), str | dict):
            raise no("the condition of a modifier is a sentence")
    if "dice" in piece:
        throws.parse(str(piece["dice"]))
    for kind, inner in (("outcome", {"text", *PIECE - {"reason", "transcribed"}}), ("sub", PIECE)):
        named = piece.get(kind, {})
        if not isinstance(named, dict):
            raise no(f"{kind} is not a table")
        for each in named.values():
            _piece(each, inner, no)


def _rows(rows: Any, no: Any) -> None:
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


def _plain(part: Any, no: Any) -> None:
    """Short one-line words and small numbers, nothing else."""
    if isinstance(part, dict):
        for key, value in part.items():
            _plain(key, no)
            _plain(value, no)
    elif isinstance(part, list):
        for each in part:
            _plain(each, no)
    elif isinstance(part, str):
        if len(part) > 500 or not part.isprintable():
            raise no("a text is longer than 500 characters or no single line")
    elif isinstance(part, int):
        if abs(part) > 9999:
            raise no("a number is too large")
    else:
        raise no(f"{str(part)[:20]} is neither a text nor a whole number")
