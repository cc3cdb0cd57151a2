"""The proofs of the sheet, the standing rules, the choices, the sequence of play and the rulings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from companion.engine.rules import END
from companion.engine.spec import Spec
from companion.packs.lines import Where
from companion.packs.places import near
from companion.packs.proof_known import Known, Slip
from companion.problems import Problem
from companion.words import slug


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
            except Problem as problem:
                yield at, f"its default: {problem}"
        if field.section not in known.sheet.sections and field.section != "working":
            yield at, f"it stands in a section {field.section!r} that [sections] does not name"
        if field.until and field.until.casefold() not in events:
            yield at, f"it lasts until {field.until}, which never happens"


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
        if go in ids[: number + 1] and not step.get("when") and not _leaves(known, steps, ids.index(go), number):
            yield (*at, "go"), f"it goes back to {go}, and no step from there leads out, so that it never ends"
        yield from known.asked_for(step, at)


def _leaves(known: Known, steps: Sequence[Spec], first: int, last: int) -> bool:
    """Return whether a step of these, or a change that names a step, leads anywhere else."""
    inside = {step["id"] for step in steps[first : last + 1]}
    elsewhere = any(step.get("go") not in (None, *inside) for step in steps[first : last + 1])
    return elsewhere or any(re.search(r"(^|[\"'])step = ", str(known.pack.read(key))) for key in known.pack.files)


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
