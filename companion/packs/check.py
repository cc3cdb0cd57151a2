"""Validation of a pack: form, sentences, names, a row for every roll; and the file, line and place of each fault.

The contents are checked when all files have their form. Later checks can therefore rely on it, and an exception in one
of them is a bug.
"""

from __future__ import annotations

import contextlib
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from companion import __version__
from companion.engine.about import About
from companion.engine.fields import Spec
from companion.engine.sheet import cut, indexes_of, pattern_of
from companion.packs.check_tables import PackNames, flow, results_of, table_file, without_column
from companion.packs.folders import LEFT_OUT, NOTES, Where, is_patch, parsed, places, tables_folder
from companion.packs.form_check import Slip, slips
from companion.packs.forms import form_of
from companion.packs.language import where_of
from companion.packs.pack import NOT_TABLES, Pack
from companion.problems import SystemFault, UserError
from companion.store.files import opened, read_bytes, text_of
from companion.words import natural_order, slug

NEEDED = {
    "step": ("it holds the last step of the sequence", 'step = {label = "Step of the turn"}'),
    "mission.number": (
        "campaigns and the screen number the missions by it",
        '"mission.number" = {label = "Mission", kind = "count", limit = [1], default = 1}',
    ),
}
"""The fields without which no game can be flown: why, and how each may be declared."""


class Fault:
    """A fault in a pack, or only a warning: the file, the line (0 if unknown), and a sentence."""

    def __init__(self, path: Path | None, line: int, sentence: str, *, warning: bool = False) -> None:
        self.path, self.line, self.sentence, self.warning = path, line, sentence, warning

    def __str__(self) -> str:
        told = f"{'warning: ' if self.warning else ''}{self.sentence}"
        if self.path is None:
            return told
        ours = tables_folder()
        named = f"tables/{self.path.relative_to(ours)}" if self.path.is_relative_to(ours) else str(self.path)
        return f"{named}{f', line {self.line}' if self.line else ''}: {told}"


def check(pack: Pack) -> list[str]:
    """Return all faults of a pack, one sentence each; empty if it is valid."""
    return judge(pack)[0]


def judge(pack: Pack) -> tuple[list[str], list[str]]:
    """Return the faults of a pack and the warnings, such as of patches over something that has changed since."""
    found = list(faults(pack))
    wrong, warnings = (list(dict.fromkeys(str(each) for each in found if each.warning is of)) for of in (False, True))
    for key in sorted(pack.headings) if not wrong else ():  # all else must be valid first
        wrong += [str(fault_of(pack, key, at, sentence)) for at, sentence in without_column(pack.table(key))]
    return wrong, warnings


def faults(pack: Pack, *, advising: bool = True) -> Iterator[Fault]:
    """Yield all faults of a pack, file by file: first the form of every file, then the contents.

    Without `advising` leave out warnings, such as a table without its rulebook section or an unused result.
    """
    sound = True
    for key in sorted(pack.layers):
        for fault in _form(pack, key):
            sound = sound and (fault.warning or LEFT_OUT in fault.sentence)
            yield fault
    if "sheet" not in pack.layers:
        yield Fault(None, 0, f"{pack.name} has no sheet.toml, which declares the fields of its log sheet")
    elif sound:
        yield from _contents(pack, advising)


def blamed(error: Exception) -> SystemFault | None:
    """Return the fault in the packs in use that caused an error: the one in a sentence, with its place, or the first.

    None for a disk error, for another error that already is a sentence, or if all packs are valid.
    """
    games = {name: Pack(name, folders) for name, folders in list(opened.items())}
    if isinstance(error, SystemFault) and (where := where_of(error)) and not str(error).startswith("/"):
        pack, file = games.get(str(where[0])), str(where[1])
        return SystemFault(str(fault_of(pack, file, where[2:], str(error)))) if pack and file in pack.layers else None
    for pack in games.values() if not isinstance(error, UserError | OSError) else ():
        try:
            wrong = next(faults(pack, advising=False), None)
        except UserError as problem:
            return SystemFault(str(problem))
        if wrong is not None:
            return SystemFault(str(wrong))
    return None


# -- the form ----------------------------------------------------------------------------------------------------------


def _form(pack: Pack, key: str) -> Iterator[Fault]:
    """Yield the faults in the form of a file: each layer separately, then all of them merged."""
    form, sound = form_of(key), True
    for path in pack.layers[key]:
        try:
            doc = pack.parsed(path)
        except UserError as problem:
            sound = False
            yield _unfit([path], problem)
            continue
        for at, sentence in slips(doc, form):
            sound = False
            yield fault_at(path, at, placed(doc, at, sentence))
    top = pack.layers[key][0]
    if not sound:
        return
    try:
        whole = {name: part for name, part in pack.merged(key).items() if name not in NOTES and name[0] != "#"}
    except UserError as problem:
        yield _unfit(pack.layers[key], problem)
        return
    for path, number, why in pack.read(key).get("misfits", ()):
        fault = fault_at(Path(path), ("patch", number - 1), f"patch {number}: {why}")
        fault.warning = not why.startswith(LEFT_OUT)
        yield fault
    if is_patch(pack.parsed(top)) or key == "pack":
        for at, sentence in slips(whole, form):
            yield Fault(top, 0, f"together with the pack below it: {placed(whole, at, sentence)}")
    needs = str(whole.get("requires", "")) if key == "pack" else ""
    if natural_order(needs) > natural_order(__version__):
        yield Fault(top, 0, f"it needs version {needs} of the companion; this is {__version__}")
    if key == "pack" and not whole.get("title"):
        yield Fault(top, 0, 'it needs a title for screens and sheets, e.g. title = "…"')


def _unfit(paths: Sequence[Path], problem: UserError) -> Fault:
    """Return the fault, with its line, of an unreadable file or a patch that does not fit."""
    path = next((each for each in paths if str(problem).startswith(str(each))), paths[0])
    sentence = str(problem).removeprefix(str(path)).lstrip(": ")
    if number := re.match(r"patch (\d+) ", sentence):
        return fault_at(path, ("patch", int(number[1]) - 1), sentence)
    at = re.search(r"at line (\d+)", sentence)
    return Fault(path, int(at[1]) if at else 0, f"it {sentence}" if sentence.startswith("is ") else sentence)


# -- contents ----------------------------------------------------------------------------------------------------------


def _contents(pack: Pack, advising: bool) -> Iterator[Fault]:
    """Yield the faults in the contents of the sheet and of every file."""
    try:
        known = PackNames(pack, advising)
    except UserError as problem:
        why = str(problem).removeprefix(f"{pack.layers['sheet'][0]}: ")
        declared = (at for at, _ in places(pack.read("sheet")) if at and why.startswith(str(at[-1])))
        yield fault_of(pack, "sheet", next(declared, ()), why)
        return
    for name, (why, how) in NEEDED.items():
        if name not in known.sheet.fields:
            sentence = f"the sheet needs the field {name}: {why}. E.g. in [fields.working]: {how}"
            yield Fault(pack.layers["sheet"][0], 0, sentence)
    whole = True
    for key in sorted(pack.layers):
        own = PROVE[key](known) if key in PROVE else () if key in NOT_TABLES else table_file(known, key)
        for at, sentence in (*_sentences(known, key), *known.names(key), *own):
            whole = False
            yield fault_of(pack, key, at, sentence)
    if whole:
        for key, (at, sentence) in flow(known):
            yield fault_of(pack, key, at, sentence)


def _sentences(known: PackNames, key: str) -> list[Slip]:
    """Return the faults in the sentences of a file."""
    sentences = known.language.of_sheet if key == "sheet" else known.pack.linked(key).sentences
    return list(dict.fromkeys((at[2:], fault) for sentence in sentences for at, fault in sentence.faults()))


# -- the sheet -----------------------------------------------------------------------------------


def sheet(known: PackNames) -> Iterator[Slip]:
    """Yield fields with unreachable words or with wrong defaults, sections or events."""
    events = known.events
    for name, field in known.sheet.families.items():
        at: Where = ("fields", field.section, name)
        for word in field.known:
            if not field.values and (not field.words or word != slug(word)):
                yield at, f"the known {word!r} can never match. Use lower case words joined by hyphens"
        untouched = field.numeric and field.default == 0  # it reads as 0, which may be outside its range
        if field.default is not None and not untouched and not isinstance(field.limit, str):
            try:
                field.accept(name, field.default)
            except UserError as problem:
                yield at, f"its default: {problem}"
        if field.section not in known.sheet.sections and field.section != "working":
            yield at, f"its section {field.section!r} is missing in [sections]"
        for event in (field.until or "").split():
            if event not in events:
                yield at, f"it lasts until {event}, which never happens{known.language.near(event, events)}"
            filled = rf"'add {name.partition('[')[0]} \("  # the row acts before the field ends
            if event.casefold() not in NOT_TABLES and re.search(filled, repr(known.pack.read(event.casefold()))):
                yield at, f"it lasts until {event}, which fills it itself. End it with an earlier step or table"


# -- pack.toml ---------------------------------------------------------------------------------------------------------


def about(known: PackNames) -> Iterator[Slip]:
    """Yield the undefined names in `pack.toml`."""
    whole = About(known.pack.read("pack"))
    people, log, layout = whole.status.people, whole.log, whole.print
    index = known.sheet.index
    for number, (name, _) in enumerate(log.columns):
        yield from known.unknown(("log", "columns", number), "value", name)
    if layout.zones:
        yield from known.unknown(("print", "zones", "leg"), "value", layout.zones.leg)
        if any(not each.isdigit() for each in index.get(layout.zones.index, ())):
            yield ("print", "zones", "index"), f"the members of {layout.zones.index} are not numbers, as the zone is"
    for number, (_, *names) in enumerate(layout.zones.columns):
        for name in names:
            yield from known.unknown(("print", "zones", "columns", number), "field", name)
    states = people.states if people else []
    posts = cut(states[0])[1] if states else ""
    crew = [("name", people.name), *(("states", each) for each in states), ("boxes", people.boxes)]
    for key, name in [*crew, ("seat", people.seat)]:
        field = known.sheet.families.get(name)
        if field and (not posts or indexes_of(name) != [posts]):
            yield ("status", "people", key), f"{name} is not a field of each man, such as crew[position]"
        elif field and field.kind != "choice" and name in (people.seat, *states[:1]):
            yield ("status", "people", key), f"{name} needs values: it is a man's state or his seat"
    for part, of in (("seats", posts), ("cards", posts), ("areas", layout.areas), ("hits", layout.areas)):
        members = index.get(of, {})
        for name in getattr(layout.outline, part).keys() - members.keys():
            near = known.language.near(name, members)
            yield ("print", "outline", part, name), f"there is no {of} {name}{near}"
    for part in ("seats", "cards") if layout.outline else ():
        for name in index.get(posts, {}).keys() - getattr(layout.outline, part).keys():
            yield ("print", "outline"), f"the {posts} {name} needs a place in {part}, e.g. {part} = {{{name} = [0, 8]}}"
    for side in ("us", "them"):
        for name, rows in getattr(whole.at_table.hurts, side).items():
            yield from _results(known, ("at-table", "hurts", side, name), name, rows)
    for key in ("flew", "lost", "home", "standing", "unsettled") if "position" not in index else ():
        if getattr(log, key):
            yield ("log", key), "it is about crewmen, but the sheet has no index position"


# -- story -------------------------------------------------------------------------------------------------------------


def story(known: PackNames) -> Iterator[Slip]:
    """Yield story sentences that can never appear, and luck entries for results that no table has."""
    doc = known.pack.read("story")
    for number, each in enumerate(doc.get("line", ())):
        if not each.get("on"):
            yield ("line", number), "it needs `on`: a field, a table, a step or a choice"
    for number, each in enumerate(doc.get("luck", ())):
        named = [*each.get("good", ()), *each.get("bad", ())]
        yield from _results(known, ("luck", number), each["on"], named)


def _results(known: PackNames, at: Where, name: str, rows: Sequence[str]) -> Iterator[Slip]:
    """Yield the results that a table does not have; those of the player's rulebook are unknown."""
    table = known.table(name.casefold())
    results = set() if table is None or table.unwritten else results_of(table) | table.outcomes.keys()
    for row in rows if results else ():
        if row not in results:
            yield at, f"{name} has no result {row}{known.language.near(row, results)}"


PROVE = {"sheet": sheet, "pack": about, "story": story}
"""What is checked in a file of that name beside its form, names and sentences."""


# -- the place of a fault ----------------------------------------------------------------------------------------------


def fault_of(pack: Pack, file: str, at: Where, sentence: str) -> Fault:
    """Return a fault at a place of a merged file, with the line in the layer that has it."""
    named, shown = place_in_words(pack.read(file), at), placed(pack.read(file), at, sentence)
    for path in pack.layers[file]:
        own = pack.parsed(path)
        if not is_patch(own):
            return fault_at(path, at, shown)
        for inside, _ in places(own) if at else ():
            if place_in_words(own, inside) == named:
                return fault_at(path, inside, shown)
    return Fault(pack.layers[file][0], 0, shown)


def fault_at(path: Path, at: Where, sentence: str) -> Fault:
    """Return a fault at a place of one file; in a text of several lines, at the line that the sentence marks."""
    text = text_of(read_bytes(path))
    line = line_of(text, at)
    if marked := re.search(r"\n    (.*)\n +\^$", sentence):
        below = text.splitlines()[max(line - 1, 0) :]
        line += next((number for number, each in enumerate(below[:20]) if marked[1].strip() in each), 0)
    return Fault(path, line, sentence)


def placed(doc: Spec, at: Where, sentence: str) -> str:
    """Return a sentence with its place in a file in words."""
    named = place_in_words(doc, at)
    return f"{named}: {sentence}" if named and not sentence.startswith(named) else sentence


def place_in_words(doc: Spec, at: Where) -> str:
    """Describe a place in a file: `modifier ace, when`, `outcome.crew, case 2, do 3`."""
    words: list[str] = []
    if at[:1] == ("patch",):
        doc, at = under(doc, at[:2]), at[2:]
    number = 0
    while number < len(at):
        step, after = at[number], at[number + 1] if number + 1 < len(at) else None
        number += 1
        if step == "fields":
            return ", ".join([*words, *map(str, at[number + 1 :])])
        if after is not None and step in PAIRED:
            words.append(PAIRED[str(step)].format(pattern_of(str(after)) if step == "facts" else after))
        elif isinstance(after, int):
            words.append(_of_list(str(step), after, under(doc, at[: number + 1])))
        else:
            words += [str(step)] if step != "log" else []
            continue
        number += 1
    return ", ".join(words)


PAIRED = {
    "outcome": "outcome.{}", "sub": "sub.{}", "with": "with.{}", "rows": "row {}", "facts": "the fact {}",
    "choice": "choice {}", "standing": "{}", "sides": "{}",
}  # fmt: skip
"""The compiler's words for a thing that has a name of its own, by the table that it is in."""


def _of_list(step: str, number: int, spec: object) -> str:
    """Return `modifier ace` for the third modifier, `case 3` for the third case."""
    own = isinstance(spec, Mapping) and (spec.get("id") or spec.get("title") or spec.get("name"))
    return f"{'case' if step == 'cases' else step} {own or number + 1}"


# -- lines -------------------------------------------------------------------------------------------------------------


CLOSINGS = ("", "]", '"""', "'''", "]]", "]}]", "]}", '"""]', "''']", '"""}]')
"""The brackets and quotes that may be missing at the end of a part of a file."""


def under(doc: Any, where: Where) -> Any:
    """Return the value at a place of a parsed file; None if there is none."""
    for step in where:
        try:
            doc = doc[step]
        except (KeyError, IndexError, TypeError):
            return None
    return doc


def line_of(text: str, where: Where) -> int:
    """Return the line where an item or its nearest parent starts; 0 for the file itself.

    >>> line_of('id = "a"\\n[[modifier]]\\nwhen = "x"\\n', ("modifier", 0, "when"))
    3
    """
    doc = parsed(text)
    while where and under(doc, where) is None:
        where = where[:-1]
    if not where:
        return 0
    lines = range(1, text.count("\n") + 2)
    first = bisect_left(lines, True, key=lambda line: under(_head(text, line)[1], where) is not None)
    return _head(text, first)[0] + 1


@lru_cache(maxsize=256)
def _head(text: str, most: int) -> tuple[int, Spec]:
    """Parse as many of the first lines of a file as possible, and return how many these are."""
    for lines in range(most, 0, -1):
        head = "\n".join(text.split("\n")[:lines]) + "\n"
        for closing in CLOSINGS:
            with contextlib.suppress(ValueError):
                return lines, parsed(head + closing)
    return 0, {}
