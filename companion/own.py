"""The player's own tables in the data folder: checked before they count, taken down row by row, moved as JSON."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion import disk
from companion.engine import dice as throws
from companion.engine.needs import printed
from companion.engine.tables import FAR, Table, span
from companion.home import home
from companion.overlays import is_patch
from companion.packs import NOT_TABLES, Pack, players_folder, read_file
from companion.problems import Problem, Trouble
from companion.reading import bytes_of, json_of, text_of

FORMAT = 1
REASON = "from your own book"
LARGEST, DEEPEST = 1_000_000, 20
BARE = re.compile(r"[A-Za-z0-9_-]+")


def key_of(pack: Pack, name: str) -> str:
    """The file that holds a table (`4-9` for `4-9.doors`) or is named so (`sheet`); a Problem offers near names."""
    key = name.strip().casefold()
    if key in pack.layers and key != "pack":
        return key
    table = pack.table(name)
    while table.parent is not None:
        table = table.parent
    return table.id.casefold()


def own_file(pack: Pack, key: str) -> Path:
    """Where the player's copy of a file stands, or would."""
    return players_folder() / pack.name / pack.layers[key][-1].name


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


def beginning(pack: Pack, key: str) -> str:
    """What the player's copy begins as: his own, else ours, else a patch over the patches of a variant."""
    path = pack.layers[key][0]
    if path == own_file(pack, key) or not is_patch(read_file(path)):
        return text_of(path.read_bytes())
    return '# What changes here, and why. The format: tables/README.md\n[[patch]]\nreason = "house rule"\n'


def faults(pack: Pack, key: str, text: str, before: str = "") -> list[tuple[int, str]]:
    """What would be wrong with the pack if this were the player's copy of a file: line and reason."""
    from companion.checking import check

    trial_file = draft_file(pack, "trial") / own_file(pack, key).name
    keep(trial_file, text)
    try:
        trial, own = Pack(pack.name), own_file(pack, key)
        trial.layers[key] = [trial_file, *[path for path in trial.layers[key] if path != own]]
        known = set(_checked(check, Pack(pack.name)))
        return [
            (_line(text, before, each), each.removeprefix(f"{trial_file}: ").replace(f"{trial_file}", own.name))
            for each in _checked(check, trial)
            if each not in known
        ]
    finally:
        trial_file.unlink(missing_ok=True)


def _checked(check: Any, pack: Pack) -> list[str]:
    try:
        found: list[str] = check(pack)
        return found
    except Problem as problem:
        return [str(problem)]
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        return [f"it cannot be read: {error!r}"]


def _line(text: str, before: str, message: str) -> int:
    """The line that a message most likely means: as TOML says, else a changed one with a word of the message."""
    told = re.search(r"at line (\d+)", message)
    if told:
        return int(told[1])
    lines, old = text.splitlines(), set(before.splitlines())
    words = re.findall(r"'([^']+)', which", message)
    words += sorted(set(re.findall(r"[\w.:-]{2,}", message)), key=len, reverse=True)
    for changed in (True, False):
        for word in words:
            for number, line in enumerate(lines, 1):
                if word.rstrip(".:") in line and (not changed or line not in old):
                    return number
    return next((number for number, line in enumerate(lines, 1) if line not in old), 1)


# -- differences ---------------------------------------------------------------------------------------------------


def differences(pack: Pack) -> Iterator[str]:
    """How the player's folder differs from what lies below it, line by line."""
    from difflib import unified_diff

    folder = players_folder() / pack.name
    for key, paths in sorted(pack.layers.items()):
        if paths[0].parent != folder:
            continue
        below = next((path for path in paths[1:] if path.parent != folder), None)
        doc = read_file(paths[0])
        if is_patch(doc):
            yield f"{key}: {len(doc['patch'])} changes"
            for patch in doc["patch"]:
                yield f"  {patch.get('reason', 'no reason given')}"
                yield from (f"    {name} = {toml(value)}" for name, value in patch.items() if name != "reason")
        elif below is None:
            yield f"{key}: yours alone"
        else:
            yield f"{key}: yours in place of ours"
            old, new = (text_of(path.read_bytes()).splitlines() for path in (below, paths[0]))
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


def add_patch(pack: Pack, key: str, patch: Mapping[str, Any]) -> None:
    """Put a patch behind those the player has for that file; a Problem says what is wrong with it."""
    own = own_file(pack, key)
    before = text_of(own.read_bytes()) if own.exists() else ""
    if before and not is_patch(read_file(own)):
        raise Problem(f"{own} replaces our table; write the rows into it with: companion tables edit {key}")
    text = f"{before}\n{written(patch)}" if before else f"# {key}\n{written(patch)}"
    wrong = faults(pack, key, text, before)
    if wrong:
        raise Problem(f"{own.name}, line {wrong[0][0]}: {wrong[0][1]}; nothing was changed")
    keep(own, text)


def written(patch: Mapping[str, Any]) -> str:
    """A patch as TOML that a person can read on, and that stands behind others with their comments.

    tomli-w chooses the form by length: a short patch becomes `patch = […]`, behind which no `[[patch]]` may follow.
    """
    lines = ["[[patch]]"]
    for key, value in patch.items():
        if isinstance(value, list) and len(value) > 1:
            lines += [f"{_key(key)} = [", *[f"  {toml(each)}," for each in value], "]"]
        else:
            lines.append(f"{_key(key)} = {toml(value)}")
    return "\n".join(lines) + "\n"


def toml(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(str(key))} = {toml(each)}" for key, each in value.items()) + "}"
    return "[" + ", ".join(map(toml, value)) + "]"


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else toml(key)


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
    if doc.get("format") != FORMAT:
        raise Problem(f"{path} has format {str(doc.get('format'))[:20]}; this companion reads format {FORMAT}")
    return doc


def imported(pack: Pack, doc: Mapping[str, Any], *, replace: bool = False) -> list[str]:
    """Add the tables of an export; all of them or none. Returns their names."""
    if doc["game"].casefold() != pack.name:
        raise Problem(f"these are tables of {doc['game'][:40]}, not of {pack.name}; name the game with --game")
    taken = transcribed(pack)
    plan: list[tuple[str, Path, str]] = []
    for name, patches in doc["tables"].items():
        key = name.casefold()
        if key not in pack.layers or key in NOT_TABLES:
            raise Problem(f"{pack.name} has no table {name[:40]!r}; nothing was imported")
        if not isinstance(patches, list) or not patches:
            raise Problem(f"{name} holds no patches; nothing was imported")
        for patch in patches:
            _sound(name, patch)
        own = own_file(pack, key)
        if own.exists() and list(taken.get(key, ())) == patches:
            continue
        others = [each for each in read_file(own).get("patch", ()) if key in taken] if own.exists() else []
        if own.exists() and (not replace or not is_patch(read_file(own))):
            raise Problem(f"you have your own {name}; add --replace to take the imported one in its place")
        left = [each for each in others if not each.get("transcribed")]
        text = f"# {key}\n" + "\n".join(written(each) for each in [*left, *patches])
        wrong = faults(pack, key, text)
        if wrong:
            raise Problem(f"{name} is not sound: {wrong[0][1]}; nothing was imported")
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
