"""Proving a pack: its form, every sentence, every roll lands on a row, every name exists, and it can be flown.

A file without the form that is declared is not looked into further, and without a sheet nothing can be: so what is
proved of a file can rely on its form, and an error in a proof is a mistake of ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.engine.about import About
from companion.engine.fields import Field
from companion.engine.rules import END
from companion.engine.sheet_names import cut
from companion.engine.tables import Table
from companion.packs.check_tables import Known, Slip, misshapen_sheet, table_file, without_column
from companion.packs.form_check import named, slips
from companion.packs.forms import kind_of
from companion.packs.layers import NOT_TABLES, Layers
from companion.packs.overlays import is_patch
from companion.packs.places import Fault, Places, fault_at, near
from companion.packs.sentences import faults as faults_of_sentences
from companion.packs.toml_files import Where
from companion.problems import SystemFault, UserError
from companion.store.files import opened
from companion.words import one_of, slug

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


def blamed(error: Exception) -> SystemFault | None:
    """Return the first fault of the packs in use, where an unexpected error may come from one that is not sound.

    None for an error of the disk, for one that is a sentence already, or where all packs are sound.
    """
    for pack in opened.values() if not isinstance(error, UserError | OSError) else ():
        if isinstance(pack, Layers):
            try:
                wrong = next(faults(pack, advising=False), None)
            except UserError as problem:
                return SystemFault(str(problem))
            if wrong is not None:
                return SystemFault(str(wrong))
    return None


# -- the form ----------------------------------------------------------------------------------------------------------


def _form(pack: Layers, key: str) -> Iterator[Fault]:
    """What is wrong with the form of a file: every layer by itself, then what they come to."""
    kind, sound = kind_of(key), True
    for path in pack.layers[key]:
        try:
            wrong = list(slips(pack.parsed(path), kind))
        except UserError as problem:
            sound = False
            yield _unfit([path], problem)
            continue
        for at, sentence in wrong:
            sound = False
            yield fault_at(path, at, sentence)
    top = pack.layers[key][0]
    if not sound:
        return
    try:
        whole = {name: part for name, part in pack.read(key).items() if name != "patched"}
    except UserError as problem:
        yield _unfit(pack.layers[key], problem)
        return
    if is_patch(pack.parsed(top)) or key == "pack":
        for _, sentence in slips(whole, kind):
            yield Fault(top, 0, f"with what it lies over, {sentence}")
    if key == "pack" and not whole.get("title"):
        yield Fault(top, 0, 'it lacks title, which every screen and sheet shows: title = "…"')


def _unfit(paths: Sequence[Path], problem: UserError) -> Fault:
    """Return the fault of a file that cannot be read, or of a patch that does not fit, with its line."""
    path = next((each for each in paths if str(problem).startswith(str(each))), paths[0])
    sentence = str(problem).removeprefix(str(path)).lstrip(": ")
    if number := re.match(r"patch (\d+) ", sentence):
        return fault_at(path, ("patch", int(number[1]) - 1), sentence)
    at = re.search(r"at line (\d+)", sentence)
    return Fault(path, int(at[1]) if at else 0, f"it {sentence}" if sentence.startswith("is ") else sentence)


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
    except UserError as problem:
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
        return faults_of_sentences(known.language, key, known.pack.read(key))
    except UserError as problem:
        return [str(problem)]


def _proof(known: Known, key: str) -> Iterator[Slip]:
    prove = PROVE.get(key)
    return prove(known) if prove is not None else table_file(known, key)


# -- sheet, rules, choices, steps, rulings -----------------------------------------------------------------------------


def sheet(known: Known) -> Iterator[Slip]:
    """Fields with words that are never met, defaults that are not accepted, sections and events that there are not."""
    events = known.events
    for name, field in known.sheet.families.items():
        at: Where = ("fields", field.section, name)
        for word in field.known:
            if not field.values and (not field.words or word != slug(word)):
                yield at, f"the known {word!r} is never met; words in lower case, joined by hyphens, are"
        untouched = field.numeric and field.default == 0  # it reads 0 then, which may be a figure that nobody can write
        if field.default is not None and not untouched and not isinstance(field.limit, str):
            try:
                field.accept(name, field.default)
            except UserError as problem:
                yield at, f"its default: {problem}"
        if field.section not in known.sheet.sections and field.section != "working":
            yield at, f"it stands in a section {field.section!r} that [sections] does not name"
        for event in (field.until or "").split():
            if event.casefold() not in events:
                yield at, f"it lasts until {event}, which never happens"


def rules(known: Known) -> Iterator[Slip]:
    """Rules that wait for what never happens, or for nothing."""
    events = known.events
    for number, rule in enumerate(known.pack.read("rules").get("rule", ())):
        at: Where = ("rule", number)
        waits = rule.get("on", ())
        for event in [waits] if isinstance(waits, str) else waits:
            if event.casefold() not in events:
                yield (*at, "on"), f"it waits for {event}, which never happens{near(event, events)}"
        if "on" not in rule and not rule.get("when"):
            yield at, "it has neither `on` nor a condition"
        yield from known.asked_for(rule, at)


def choices(known: Known) -> Iterator[Slip]:
    """Choices without options, and options for the rows of tables that there are not."""
    for name, choice in known.pack.read("choices").get("choice", {}).items():
        if not choice.get("option"):
            yield ("choice", name), "it has no option to choose"
        for number, option in enumerate(choice.get("option", ())):
            at: Where = ("choice", name, "option", number)
            of = re.search(r" of ([\w.:-]+)$", option.get("for", ""))
            if of:
                yield from known.unknown_table((*at, "for"), of[1])
            yield from known.asked_for(option, at)


def steps(known: Known) -> Iterator[Slip]:
    """Steps of one name, and steps that go where there is none."""
    steps = known.pack.read("sequence").get("step", ())
    ids = [step["id"] for step in steps]
    for number, step in enumerate(steps):
        at: Where = ("step", number)
        if step["id"] in ids[:number]:
            yield at, f"two steps have the id {step['id']}"
        go = step.get("go")
        if go is not None and go != END and go not in ids:
            yield (*at, "go"), f"it goes to {go}, which there is not{near(go, [*ids, END])}"
        yield from known.asked_for(step, at)


def rulings(known: Known) -> Iterator[Slip]:
    """Rulings of one number, without a reading, and settings that there are not."""
    rulings = known.pack.read("rulings").get("ruling", ())
    ids = [ruling["id"] for ruling in rulings]
    for number, ruling in enumerate(rulings):
        at: Where = ("ruling", number)
        if ruling["id"] in ids[:number]:
            yield at, f"two rulings have the id {ruling['id']}"
        for key in ("id", "section", "title", "reading", "otherwise"):
            if not ruling[key].strip():
                yield (*at, key), "nothing is said there"
        if setting := ruling.get("setting"):
            yield from known.unknown_name((*at, "setting"), setting)


# -- pack.toml ---------------------------------------------------------------------------------------------------------


def about(known: Known) -> Iterator[Slip]:
    """Yield the names in `pack.toml` that stand for nothing."""
    doc = known.pack.read("pack")
    whole = About(doc)
    people, log, layout = whole.status.people, whole.log, whole.print
    for number, (name, _) in enumerate(log.columns):
        yield from known.unknown_name(("log", "columns", number), name)
    for number, (_, *names) in enumerate(layout.zones.columns):
        for name in names:
            yield from known.unknown_name(("print", "zones", "columns", number), name)
    index = known.sheet.index
    choices = known.pack.read("choices").get("choice", {}) if "choices" not in known.malformed else None
    there = {
        "section": {*known.sheet.sections, "working", "book"},
        "index": index,
        "position": index.get("position", {}),
        "choice": choices,
    }
    for at, kind, name in named(doc, About):
        if kind == "field":
            yield from known.unknown_name(at, name)
        elif kind == "table":
            yield from known.unknown_table(at, name)
        elif (those := there[kind]) is not None and name not in those:
            yield at, f"there is no {kind} {name}{near(name, those)}"
    posts = cut(people.states[0])[1] if people else ""
    for part, of, drawn in (("seats", posts, layout.outline.seats), ("hits", layout.areas, layout.outline.hits)):
        for name in drawn:
            if name not in index.get(of, {}):
                yield ("print", "outline", part, name), f"there is no {of} {name}{near(name, index.get(of, {}))}"
    for key in ("flew", "lost", "home", "standing", "unsettled") if "position" not in index else ():
        if getattr(log, key):
            yield ("log", key), "it speaks of men, and the sheet has no index position"
    values = _values(known, log.result)
    for value in log.sides:
        if values and value not in values:
            why = f"a side has the result {value}, which there never is; it is {one_of(values)}"
            yield ("log", "sides", value), why


def _values(known: Known, name: str) -> list[str]:
    """What the named field or fact can be; nothing where that is not known, or its sentence is wrong."""
    declared = known.sheet.patterns.get(name)
    try:
        return list(
            () if declared is None else declared.values if isinstance(declared, Field) else declared.kind.values
        )
    except UserError:
        return []


# -- story -------------------------------------------------------------------------------------------------------------

PARTS = ("line", "end", "short")


def story(known: Known) -> Iterator[Slip]:
    """Sentences that wait for what never happens or for nothing, and luck at tables that there are not."""
    doc = known.pack.read("story")
    for key in PARTS:
        for number, each in enumerate(doc.get(key, ())):
            yield from _telling(known, each, (key, number), waits=key == "line")
    for number, each in enumerate(doc.get("luck", ())):
        at: Where = ("luck", number)
        yield from known.unknown_table((*at, "on"), each["on"])
        named = [*each.get("good", ()), *each.get("bad", ())]
        if not named:
            yield at, "it says of no result whether it is good or bad"
        table = known.table(each["on"].casefold())
        if table is not None and not table.unwritten:
            results = {str(row) for row in _results(table)}
            for row in named:
                if row not in results:
                    yield at, f"{each['on']} has no result {row}{near(row, results)}"


def _results(table: Table) -> Iterator[object]:
    """The words that the rows of a table read, and those of its unmodified rolls."""
    rows = [table.doc.get("rows", {}), *(each["rows"] for each in table.doc.get("column", ()))]
    for each in (row for part in rows for row in part.values()):
        for cell in each if isinstance(each, list) else [each]:
            yield cell.get("as", "") if isinstance(cell, dict) else cell
    yield from (each["outcome"] for each in table.doc.get("natural", ()))


def _telling(known: Known, telling: dict[str, object], at: Where, *, waits: bool) -> Iterator[Slip]:
    on = telling.get("on", ())
    for event in [on] if isinstance(on, str) else on if isinstance(on, list) else ():
        if event not in known.sheet.families and known.table(event.casefold()) is None:
            steps = {str(step["id"]) for step in known.pack.read("sequence").get("step", ())}
            choices = set(known.pack.read("choices").get("choice", {}))
            if event not in steps | choices:
                why = f"it waits for {event}, which is no field, table, step or choice"
                yield (*at, "on"), f"{why}{near(event, [*known.sheet.families, *known.pack.files])}"
    if waits and not on:
        yield at, "it waits for nothing: `on` names a field, a table, a step or a choice"
    index = str(telling.get("for", ""))
    if index and index not in known.sheet.index:
        yield (*at, "for"), f"there is no index {index}{near(index, known.sheet.index)}"
    if on and index:
        yield at, "it has `on` and `for`; one of them says what it is told of"


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
