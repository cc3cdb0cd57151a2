"""The proof of `pack.toml`: the fields, sections, positions and tables that it names are there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.engine.sheet import cut
from companion.engine.spec import Spec
from companion.packs.lines import Where
from companion.packs.places import near
from companion.packs.proof_known import Known, Slip
from companion.problems import Problem
from companion.words import one_of


def about(known: Known) -> Iterator[Slip]:
    """Names in `pack.toml` that stand for nothing."""
    doc = known.pack.read("pack")
    log = doc.get("log", {})
    for at, names in _fields_in(doc):
        for name in names:
            yield from known.unknown_name(at, name)
    sections = {*known.sheet.sections, "working", "book"}
    for at, names in _sections_in(doc):
        for name in names:
            if name not in sections:
                yield at, f"it names a section {name} that the sheet does not declare{near(name, sections)}"
    positions = known.sheet.index.get("position", {})
    for name in doc.get("names", {}):
        if name not in positions:
            yield ("names", name), f"there is no position {name}{near(name, positions)}"
    layout, people = doc.get("print", {}), doc.get("status", {}).get("people", {})
    posts = cut(people["states"][0])[1] if people else ""
    for part, index in (("seats", posts), ("hits", layout.get("areas", ""))):
        members = known.sheet.index.get(index, {})
        for name in layout.get("outline", {}).get(part, {}):
            if name not in members:
                yield ("print", "outline", part, name), f"there is no {index} {name}{near(name, members)}"
    for name in doc.get("landing", ()):
        yield from known.unknown_table(("landing",), name)
    yield from _log(known, log)
    yield from _moves(known, doc.get("at-table", {}))


def _moves(known: Known, at_table: Spec) -> Iterator[Slip]:
    """Choices and indexes by which men change places."""
    choices = known.pack.read("choices").get("choice", {}) if "choices" not in known.malformed else None
    for number, each in enumerate(at_table.get("move", ())):
        if each["index"] not in known.sheet.index:
            why = f"there is no index {each['index']}{near(each['index'], known.sheet.index)}"
            yield ("at-table", "move", number, "index"), why
        for key in ("seat", "man"):
            if key in each and choices is not None and each[key] not in choices:
                why = f"there is no choice {each[key]}{near(each[key], choices)}"
                yield ("at-table", "move", number, key), why


def _fields_in(doc: Spec) -> list[tuple[Where, Sequence[str]]]:
    """Where fields and facts are named, and which."""
    status, log = doc.get("status", {}), doc.get("log", {})
    people = status.get("people", {})
    named = [people[key] for key in ("name", "boxes", "seat") if key in people]
    layout = doc.get("print", {})
    zones = layout.get("zones", {})
    damage = [name for key, name in doc.get("damage", {}).items() if key not in ("known", "note")]
    again = doc.get("at-table", {}).get("again", {})
    return [
        (("briefing",), doc.get("briefing", ())),
        (("debrief",), doc.get("debrief", ())),
        (("status", "lines"), [name for line in status.get("lines", ()) for name in line]),
        (
            ("status", "boxes"),
            [name for each in status.get("boxes", ()) for name in ([each] if isinstance(each, str) else each)],
        ),
        (("status", "people"), [*people.get("states", ()), *named]),
        (("status", "beside"), status.get("beside", {}).get("fields", ())),
        (("reveal", "facts"), doc.get("reveal", {}).get("facts", ())),
        *(
            (("print", "outline", part, name), [name])
            for part in ("engines", "turrets", "parts")
            for name in layout.get("outline", {}).get(part, {})
        ),
        (("print", "zones"), [zones["zone"], zones["leg"]] if zones else []),
        (("print", "zones", "columns"), [name for _, *names in zones.get("columns", ()) for name in names]),
        (("damage",), damage),
        (("at-table", "again"), [again["field"]] if again else []),
        (("log", "columns"), [name for name, _ in log.get("columns", ())]),
        *((("log", "paper", result), list(facts)) for result, facts in log.get("paper", {}).items()),
        *((("log", key), [log[key]]) for key in ("result", "average", "aircraft-end") if key in log),
    ]


def _sections_in(doc: Spec) -> list[tuple[Where, Sequence[str]]]:
    """Where sections of the sheet are named, and which."""
    layout = doc.get("print", {})
    return [
        (("status", "elsewhere"), doc.get("status", {}).get("elsewhere", ())),
        (("print", "join"), [*layout.get("join", {}), *layout.get("join", {}).values()]),
        *((("print", key), layout.get(key, ())) for key in ("when-filled", "told", "bomber")),
        (("print", "without"), layout.get("without", ())),
    ]


def _log(known: Known, log: Spec) -> Iterator[Slip]:
    if "position" not in known.sheet.index:
        for key in ("flew", "lost", "home", "standing", "unsettled"):
            if key in log:
                yield ("log", key), "it speaks of men, and the sheet has no index position"
    values = _values(known, log.get("result", ""))
    for value in log.get("sides", {}):
        if values and value not in values:
            why = f"a side has the result {value}, which there never is; it is {one_of(values)}"
            yield ("log", "sides", value), why
    for number, each in enumerate(log.get("unsettled", ())):
        yield from known.unknown_table(("log", "unsettled", number, "roll"), each["roll"])


def _values(known: Known, name: str) -> list[str]:
    """What the named field or fact can be; nothing where that is not known, or its sentence is wrong."""
    if known.names.declared(name) is None:
        return []
    try:
        return list(known.names.kind(name).values)
    except Problem:
        return []
