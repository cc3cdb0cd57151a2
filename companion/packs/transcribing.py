"""Taking a table down from the player's book: rows as printed, conditions from facts, and the patch they make."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from companion.engine import dice as throws
from companion.engine.fields import Spec, Value
from companion.engine.tables import Table, span
from companion.packs.overlays import is_patch
from companion.packs.own import changing, faults, in_one_line, keep, own_file, text_in
from companion.packs.pack import Pack
from companion.packs.source import read_file
from companion.packs.toml_text import with_patches
from companion.problems import Problem
from companion.store.files import present
from companion.words import printed

RowCell = str | int | dict[str, str]  # a result, or one of our effects with the words of the book
REASON = "from your own book"


def reach(text: str) -> str:
    """A printed range as a row: `2`, `3-5`, `12+`, `4-` and `..4` are understood; raises a Problem."""
    typed = re.sub(r"(?<!\d)\s+|\s+(?!\d)", "", text).replace("–", "-").replace("≤", "..")
    typed = re.sub(r"or(less|fewer)$", "-", re.sub(r"or(more|higher)$", "+", typed))
    for pattern, row_like in (
        (r"(\d+)", "{0}"),
        (r"(\d+)(?:-|\.\.)(\d+)", "{0}..{1}"),
        (r"(\d+)(?:\+|\.\.)", "{0}.."),
        (r"(?:\.\.)(-?\d+)", "..{0}"),
        (r"(\d+)-", "..{0}"),
    ):
        match = re.fullmatch(pattern, typed)
        if match and all(len(figure) <= 3 for figure in match.groups()):
            row = row_like.format(*match.groups())
            try:
                span(row)
            except ValueError:
                break
            return row
    raise Problem(f"{text!r} is no range; type 7, 3-5, 12+ or ..4")


def unknown(result: object) -> bool:
    """Whether a cell stands only in the player's book."""
    return result == "owner" or (isinstance(result, Mapping) and "ask-once" in result)


def condition(pack: Pack, facts: Mapping[str, Value]) -> str:
    """The sentence that asks for all of these facts; a Problem where a value cannot stand in one.

    >>> condition(Pack("b29"), {"fighter.pilot": "ace", "zone": 7, "evasive": "yes", "target.city": "Truk"})
    "fighter.pilot = ace and zone = 7 and evasive and target.city = 'Truk'"
    """
    return " and ".join(_compared(pack, name, value) for name, value in facts.items())


def _compared(pack: Pack, name: str, value: Value) -> str:
    declared = pack.sheet.declared(name)
    bare, quoted = f"{name} = {value}", f"{name} = '{value}'"
    likely = [bare, quoted] if declared.numeric or declared.values else [quoted]
    if value in ("yes", "no"):
        likely = [name if value == "yes" else f"not {name}", bare]
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


def opened(rows: Mapping[str, RowCell], dice: throws.Dice) -> dict[str, RowCell]:
    """The rows with their ends open, so that a modified roll beyond them lands on the last; D66 has no beyond."""
    if dice.tens or not rows:
        return dict(rows)
    low = min(rows, key=lambda row: span(row)[0])
    high = max(rows, key=lambda row: span(row)[1])
    wider: dict[str, RowCell] = {}
    for row, result in rows.items():
        first, last = span(row)
        start = "" if row == low else str(first)
        end = "" if row == high else str(last)
        wider[f"{start}..{end}" if (start == "" or end == "" or first != last) else str(first)] = result
    return wider if low != high else {"..0": rows[low], "1..": rows[low]}


def row_result(table: Table, text: str, effect: str, outcomes: dict[str, Spec]) -> RowCell:
    """What a row of the book comes to; without one of our effects a result of its own is added to `outcomes`."""
    text = text.replace("{", "(").replace("}", ")")  # braces would be worked out
    if effect:
        return {"as": effect, "text": text} if text else effect
    slug = printed(text)
    if isinstance(slug, int):
        owner, _ = table.numbers()
        if owner.number is not None or owner.adjust is not None:
            return slug
        slug = f"row-{slug}"
    if not table.outcome(slug)[0]:
        outcomes[slug] = {"text": text}
    return slug


def patch_of(table: Table, draft: Spec) -> dict[str, object]:
    """The patch that adds what was taken down to our table, wherever in its file the table stands."""
    outcomes: dict[str, Spec] = {}
    dice = throws.parse(draft["dice"])
    piece: dict[str, object] = {}
    if draft.get("gaps"):
        columns: dict[str, dict[str, RowCell]] = {}
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


def add_patch(pack: Pack, key: str, added: Spec) -> None:
    """Put a patch behind those the player has for that file; a Problem says what is wrong with it."""
    with changing():
        own = own_file(pack, key)
        before = text_in(own) if present(own) else ""
        doc = read_file(own) if before else {}
        if doc and not is_patch(doc):
            raise Problem(f"{own} replaces our table; write the rows into it with: companion tables edit {key}")
        text = with_patches(before or f"# {own.stem}\n", [added])
        wrong = faults(pack, key, text, before)
        if wrong:
            raise Problem(f"{in_one_line(wrong[0])}; nothing was changed")
        keep(own, text)
