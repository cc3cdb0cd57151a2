"""Proving a pack: its form, every sentence, every roll lands on a row, every name exists, and it can be flown.

A file without the form that is declared is not looked into further, and without a sheet nothing can be: so what is
proved of a file can rely on its form, and an error in a proof is a mistake of ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.engine.tables import Table
from companion.packs.forms.files import kind_of
from companion.packs.forms.slips import slips
from companion.packs.language.compiler import compiled
from companion.packs.layers import NOT_TABLES, Layers
from companion.packs.lines import unreadable
from companion.packs.overlays import is_patch
from companion.packs.places import Fault, Places, line_of, lines_of
from companion.packs.proof_about import about
from companion.packs.proof_known import Known, Slip
from companion.packs.proof_rules import choices, rules, rulings, sheet, steps
from companion.packs.proof_shape import misshapen_sheet
from companion.packs.proof_story import story
from companion.packs.proof_tables import table_file, without_column
from companion.problems import Problem

NEEDED = {
    "step": ("it says which step of the sequence was taken last", 'step = {label = "Step of the turn"}'),
    "mission.number": (
        "a campaign and the screen count the missions by it",
        '"mission.number" = {label = "Mission", kind = "count", limit = [1], default = 1}',
    ),
}
"""The fields without which no game can be flown: why, and how each may be declared."""


def check(pack: Layers) -> list[str]:
    """Everything that is wrong with a pack, one sentence each; empty when it is sound."""
    wrong = list(dict.fromkeys(map(str, faults(pack))))
    table = getattr(pack, "table", None)  # a pack that can be played has its tables made
    return wrong or list(map(str, _resolving(pack, table) if table is not None else ()))


def faults(pack: Layers, *, advising: bool = True) -> Iterator[Fault]:
    """Everything that is wrong with a pack, file by file: first the form of every file, then what they say.

    Without `advising` not what is only untidy: a table that does not say where the book has it, a result in vain.
    """
    malformed = set()
    for key in sorted(pack.layers):
        for fault in _form(pack, key):
            malformed.add(key)
            yield fault
    if "sheet" not in pack.layers:
        yield Fault(None, 0, f"{pack.name} has no sheet.toml, which declares the fields of its log sheet")
    elif "sheet" not in malformed:
        yield from _contents(pack, malformed, advising)


# -- the form ----------------------------------------------------------------------------------------------------------


def _form(pack: Layers, key: str) -> Iterator[Fault]:
    """What is wrong with the form of a file: every layer by itself, then what they come to."""
    kind, sound = kind_of(key), True
    for path in pack.layers[key]:
        try:
            wrong = list(slips(pack.parsed(path), kind))
        except Problem as problem:
            sound = False
            yield _unread(path, problem)
            continue
        where = lines_of(path) if wrong else {}
        for at, sentence in wrong:
            sound = False
            yield Fault(path, line_of(where, at), sentence)
    top = pack.layers[key][0]
    if not sound:
        return
    try:
        whole = {name: part for name, part in pack.read(key).items() if name != "patched"}
    except Problem as problem:
        yield _misfit(pack.layers[key], str(problem))
        return
    if is_patch(pack.parsed(top)) or key == "pack":
        for _, sentence in slips(whole, kind):
            yield Fault(top, 0, f"with what it lies over, {sentence}")
    if key == "pack" and not whole.get("title"):
        yield Fault(top, 0, 'it lacks title, which every screen and sheet shows: title = "…"')


def _misfit(paths: Sequence[Path], problem: str) -> Fault:
    """A patch that does not fit what it lies over, with the line where it begins."""
    path = next((each for each in paths if problem.startswith(f"{each}: ")), paths[0])
    sentence = problem.removeprefix(f"{path}: ")
    number = re.match(r"patch (\d+) ", sentence)
    line = lines_of(path).get(("patch", int(number[1]) - 1), 0) if number else 0
    return Fault(path, line, sentence)


def _unread(path: Path, problem: Problem) -> Fault:
    """A file that cannot be read, with the line and a reason that helps."""
    sentence = str(problem).removeprefix(f"{path}: ")
    head = f"{path} is not valid TOML: "
    if sentence.startswith(head):
        at = re.search(r"at line (\d+)", sentence)
        return Fault(path, int(at[1]) if at else 0, f"it is not valid TOML: {unreadable(sentence[len(head) :])}")
    return Fault(path, 0, f"it {sentence.removeprefix(f'{path} ')}" if sentence.startswith(f"{path} ") else sentence)


# -- what the files say ------------------------------------------------------------------------------------------------


def _contents(pack: Layers, malformed: set[str], advising: bool) -> Iterator[Fault]:
    """Go through the sheet, the sentences, the tables, the rules, the choices, the sequence and the pack."""
    places = Places(pack, "sheet")
    try:
        misshapen = [places.fault(at, sentence) for at, sentence in misshapen_sheet(pack.read("sheet"))]
        yield from misshapen
        if misshapen:
            return
        known = Known(pack, malformed, advising)
    except Problem as problem:
        yield places.name(str(problem))
        return
    for name, (why, how) in NEEDED.items():
        if name not in known.sheet.fields:
            sentence = f"the sheet lacks the field {name}: {why}; such as, in [fields.working]: {how}"
            yield Fault(pack.files["sheet"], 0, sentence)
    for key in sorted(pack.layers):
        if key not in malformed:
            places = Places(pack, key)
            yield from map(places.sentence, _sentences(known, key))
            for at, sentence in _proof(known, key):
                yield places.fault(at, sentence)


def _resolving(pack: Layers, table: Callable[[str], Table]) -> Iterator[Fault]:
    """Tables that values of the sheet leave without a column; they are tried out, so all else must be sound."""
    for key in sorted(pack.files.keys() - NOT_TABLES):
        for at, sentence in without_column(table(key)):
            yield Places(pack, key).fault(at, sentence)


def _sentences(known: Known, key: str) -> list[str]:
    """What is wrong with the sentences of a file."""
    try:
        return compiled(known.names, key, known.pack.read(key)).faults
    except Problem as problem:
        return [str(problem)]


def _proof(known: Known, key: str) -> Iterator[Slip]:
    prove = PROVE.get(key)
    return prove(known) if prove is not None else table_file(known, key)


PROVE = {
    "sheet": sheet,
    "rules": rules,
    "choices": choices,
    "sequence": steps,
    "pack": about,
    "rulings": rulings,
    "story": story,
}
"""What proves a file of that name; any other is a table."""
