"""A pack's files made ready to run: every sentence becomes a function, kept beside the file's own words.

The annotated file is what it was, with the number of a function under `#key` where a sentence stands under `key`; the
functions are one module of Python, compiled once and kept in the cache. Loaded only when a file has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.engine.spec import Spec
from companion.packs.language.closure import Closure
from companion.packs.language.facts import code as code_of_fact
from companion.packs.language.facts import worked_out
from companion.packs.language.file import LOCAL, Doc, FileWriter, copied
from companion.packs.language.grammar import Tree, Wrong, tree
from companion.packs.language.happenings import before_binding, happens
from companion.packs.language.module import Module, Scope, indented
from companion.packs.language.names import ANY, Names, Read, variable_of
from companion.packs.language.tables import own_names, table
from companion.packs.language.telling import story
from companion.packs.language.writer import Writer
from companion.problems import Trouble

ITSELF = "looks itself up"
DEEPEST = 20  # tables that are looked up one through the other


class Compiled(NamedTuple):
    """The Python of a file, what is wrong with its sentences, and the tables that it looks things up in."""

    source: str
    faults: list[str]
    tables: list[str]


def names_of(sheet: Spec, table_file: Callable[[str], Spec | None]) -> Names:
    """Every name that the sentences of a pack may use; `table_file` gives a parsed table, by its name in lower case.

    Tables are read for what a look-up in them depends on. Raises Trouble for what the sheet cannot declare.
    """
    names = Names(sheet, worked_out)
    looking: list[str] = []  # tables that are being read for what they depend on

    def table_reads(name: str) -> set[Read] | None:
        key = name.casefold()
        if key in looking:
            raise Trouble(f"the table {name} {ITSELF}")
        if len(looking) >= DEEPEST:
            raise Trouble(f"the table {name} is looked up from others, and those from others, over {DEEPEST} deep")
        if key not in names.looked_up:
            parsed = table_file(key)
            looking.append(key)
            try:
                names.looked_up[key] = None if parsed is None else _reads_of_table(names, name, parsed)
            finally:
                looking.pop()
        return names.looked_up[key]

    names.table_reads = table_reads
    return names


def _reads_of_table(names: Names, name: str, parsed: Spec) -> set[Read]:
    """What the columns and the modifiers of a table depend on; raises Trouble where they come round to themselves."""
    file = FileWriter(names)
    table(file, copied(parsed))
    for fault in file.faults:
        if "worked out from itself" in fault:
            raise Trouble(f"the table {name}: {fault}")
        if ITSELF in fault and fault.startswith(("modifier ", "natural ", "column ")):
            raise Trouble(fault.partition(": ")[2])
    return file.reads


def compiled(names: Names, name: str, parsed: Spec) -> Compiled:
    """A parsed file of that name, compiled."""
    doc, file = copied(parsed), FileWriter(names, name)
    WRITE.get(name, table)(file, doc)
    doc["#untils"] = file.untils
    tables = list(names.looked_up) if name in ("sheet", "rules") else []
    return Compiled(f"{file.module.source()}DOC = {doc!r}\n", file.faults, tables)


def condition(names: Names, sentence: str) -> str:
    """The Python of one condition that stands in no file; it may speak of any member that is bound. Raises Trouble."""
    module = Module(names)
    test = Writer(module, sentence, set()).condition(tree(sentence), Scope(names, LOCAL))
    function = module.function("v", [f"return {test}"])
    return f"{module.source()}DOC = {{'test': {function!r}}}\n"


# -- the files that are no tables --------------------------------------------------------------------------------------


def _rules(file: FileWriter, doc: Doc) -> None:
    """`rules.toml`, with which fields can make which rule true."""
    watched: dict[str, list[list[object]]] = {}
    for number, rule in enumerate(doc.get("rule", ())):
        with file.within(f"rule {number + 1}"):
            scope, reads = Scope(file.names, file.of_rolls()), set[Read]()
            members: Sequence[str | None] = (None,)
            if "for" in rule:
                gone_through = _members(file, rule["for"], with_table=False)
                if gone_through is None:
                    continue
                _, _, index, alias, _, _ = gone_through
                rule["#for"] = [index, alias]
                variable = variable_of(alias)
                file.condition(rule, "when", scope.through(alias, index, variable), f"v, {variable}", reads)
                reads = {
                    (pattern, tuple(("$", 0) if each == ("$", variable) else each for each in arguments))
                    for pattern, arguments in reads
                }
                scope, members = scope.binding(alias, index), list(file.names.index[index])
            else:
                file.condition(rule, "when", scope, "v", reads)
            happens(file, rule, scope)
            if "on" not in rule:
                for member in members:
                    for name in sorted(Closure(file.names).fields(reads, (member,))):
                        watched.setdefault(name, []).append([number, member])
    doc["#watched"] = watched


def _members(file: FileWriter, sentence: str, with_table: bool) -> Tree | None:
    """What a `for` goes through; None, and a fault, where it is no index or names a table that has no place here."""
    with file.noting("for"):
        gone_through = tree(sentence, "members")
        _, at, index, _, row, _ = gone_through
        if index not in file.names.index or (row and not with_table):
            raise Wrong(sentence, at, f"there is no index {index}")
        return gone_through
    return None


def _steps(file: FileWriter, doc: Doc) -> None:
    """`sequence.toml`."""
    for step in doc.get("step", ()):
        with file.within(str(step.get("id"))):
            scope = Scope(file.names, file.of_rolls())
            file.condition(step, "when", scope)
            file.text(step, "title", scope)
            happens(file, step, scope)


def _choices(file: FileWriter, doc: Doc) -> None:
    """`choices.toml`: a choice is asked with what is bound by whatever asks for it."""
    local = {name: ANY for name in own_names(doc) if name not in file.names.index}
    for name, choice in doc.get("choice", {}).items():
        with file.within(name):
            outer = Scope(file.names, {**local, **file.of_rolls()})
            file.text(choice, "title", outer)
            for option in choice.get("option", ()):
                with file.within(str(option.get("name"))):
                    _option(file, option, outer)


def _option(file: FileWriter, option: Doc, scope: Scope) -> None:
    if "for" in option:
        gone_through = _members(file, option["for"], with_table=True)
        if gone_through is None:
            return
        _, _, index, alias, row, from_table = gone_through
        option["#for"] = [index, alias, row, from_table]
        inner = scope.binding(alias, index)
        if row:
            inner.local[row] = ANY
        if isinstance(option.get("when"), str):
            with file.noting("when"):
                _when(file, option, index, alias, scope, inner)
        scope = inner
    else:
        file.condition(option, "when", scope)
    file.condition(option, "usual", scope)
    file.text(option, "name", scope)
    happens(file, option, scope)


def _when(file: FileWriter, option: Doc, index: str, alias: str, outer: Scope, inner: Scope) -> None:
    """The condition of an option for each member: who comes into question before any is bound (`#first`); the rest."""
    early = before_binding(file, option, index, alias, outer, inner)
    if early.once or early.each:
        variable, members = variable_of(alias), file.module.variable(f"members({index!r})", "m")
        line = f"adding.append({variable})"
        lines = [f"for {variable} in {members}:", f"    if {early.each}: {line}" if early.each else f"    {line}"]
        lines = [f"if {early.once}:", *indented(lines)] if early.once else lines
        option["#first"] = file.module.function("v", ["adding = []", *lines, "return adding"])
    if early.rest:
        option["#when"] = file.module.function("v", [f"return {early.rest}"])


def _about(file: FileWriter, doc: Doc) -> None:
    """`pack.toml`: what a flight says of how things stand, what a forecast counts; the conditions of the campaign log,
    over the men where it speaks of men."""
    at_table, log = doc.get("at-table", {}), doc.get("log", {})
    for each in at_table.get("line", ()):
        with file.within("at-table, line"):
            file.condition(each, "when", Scope(file.names))
            file.text(each, "text", Scope(file.names))
    for each in at_table.get("move", ()):
        with file.within("at-table, move"):
            file.condition(each, "when", Scope(file.names))
            file.text(each, "why", Scope(file.names))
    wave = at_table.get("wave", {})
    with file.within("at-table, wave"):
        file.condition(wave, "when", Scope(file.names))
        file.text(wave, "text", Scope(file.names))
    with file.within("reveal"):
        file.condition(doc.get("reveal", {}), "when", Scope(file.names))
    for key in ("counts", "aircraft-lost"):
        file.condition(log, key, Scope(file.names))
    forecast = doc.get("forecast", {})
    with file.within("forecast"):
        for each in forecast.get("chance", ()):
            file.condition(each, "when", Scope(file.names))
        for each in forecast.get("mean", ()):
            file.number(each, "is", Scope(file.names))
    if "position" not in file.names.index:
        return
    men = Scope(file.names).through("position", "position", "m_position")
    for key in ("flew", "lost", "home"):
        file.condition(log, key, men, "v, m_position")
    standing = log.get("standing", {})
    for key in list(standing):
        file.condition(standing, key, men, "v, m_position")
    for each in log.get("unsettled", ()):
        file.condition(each, "when", men, "v, m_position")


def _sheet(file: FileWriter, doc: Doc) -> None:
    """`sheet.toml`: the worked-out facts as functions of their members, and which of them read a name."""
    for name, spec in doc.get("index", {}).items():
        if isinstance(spec, dict) and isinstance(spec.get("text"), str):
            with file.within(f"index {name}"):
                file.text(spec, "text", Scope(file.names))
    facts: Doc = {}
    for pattern in file.names.facts:
        try:
            fact = file.names.fact(pattern)
        except Trouble as problem:
            file.faults.append(str(problem))
            continue
        lines = [f"return {code_of_fact(fact, file.module).value}"]
        function = file.module.function(", ".join(["v", *fact.arguments]), lines)
        facts[fact.named.written] = [function, fact.kind.name, list(fact.kind.values)]
    doc["#facts"] = facts
    if not file.faults:
        doc["#readers"] = {name: tuple(each) for name, each in Closure(file.names).readers().items()}


WRITE: Mapping[str, Callable[[FileWriter, Doc], None]] = {
    "sheet": _sheet,
    "rules": _rules,
    "sequence": _steps,
    "choices": _choices,
    "pack": _about,
    "rulings": lambda file, doc: None,  # no sentences in it
    "story": story,
}
"""What compiles a file of that name; any other is a table."""
