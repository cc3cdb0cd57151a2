"""A table compiled: its columns, modifiers, rows and results, and the smaller dice within it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from companion.packs.language.file import LOCAL, Doc, FileWriter
from companion.packs.language.grammar import tree
from companion.packs.language.happenings import happens
from companion.packs.language.module import Scope
from companion.packs.language.names import ANY, Kind

FIGURES = re.compile(r"(?<![\w.-])(net|roll)(?![\w.-]|': )")  # a sentence that asks for the throw itself
Result = str | int | Doc  # what a row reads


def table(file: FileWriter, doc: Doc) -> None:
    """A table's own file."""
    names = file.names
    kinds: dict[str, Kind] = dict(LOCAL)
    for name in own_names(doc):
        if name not in names.index and name != "result":
            single = name in names.fields and not names.fields[name][0].indexes
            kinds[name] = names.fields[name][1] if single else ANY
    scope = Scope(names, kinds)
    die(file, doc, scope)
    for patch in doc.get("patched", ()):
        for spec in patch.get("was", ()):  # modifiers as they stood, for telling whether it made a difference
            file.condition(spec, "when", scope)
            file.number(spec, "add", scope)
    doc["#figures"] = bool(FIGURES.search(repr(doc)))


def die(file: FileWriter, doc: Doc, scope: Scope) -> None:
    """A die with its rows, modifiers and results: a table, a note, a row that is rolled for further."""
    for kind in ("modifier", "natural", "column"):
        for number, spec in enumerate(doc.get(kind, ()), 1):
            with file.within(f"{kind} {spec.get('id') or spec.get('title') or number}"):
                file.condition(spec, "when", scope, reads=file.reads)
                if kind == "modifier":
                    file.number(spec, "add", scope)
                _rows(file, spec, scope)
    file.text(doc, "owner", scope)
    _at_once(file, doc)
    _rows(file, doc, scope)
    if isinstance(doc.get("with"), Mapping):
        doc["#with"] = file.module.function("v", [f"return {{{file.bindings(doc, 'with', scope)}}}"])
    for number, step in enumerate(doc.get("adjust", ()), 1):
        with file.within(f"adjust {number}"):
            file.condition(step, "when", scope)
            file.number(step, "is", scope)
    file.number(doc, "is", scope, "v, dice")
    for kind in ("outcome", "sub"):
        for name, spec in doc.get(kind, {}).items():
            with file.within(f"{kind}.{name}"):
                happens(file, spec, scope, die)
                die(file, spec, scope)
                if "{" in name:
                    spec["#takes"] = dict(_taken(file, spec, re.findall(r"\{([a-z-]+)\}", name)))
    if "ask" in doc and file.by:  # what only a roll by hand asks may look up the table itself
        file.condition(doc, "when", scope)
        file.text(doc, "why", scope)
    if "id" in doc and any(key in doc for key in ("do", "then", "cases", "text")):
        happens(file, doc, scope, die)


def _at_once(file: FileWriter, doc: Doc) -> None:
    """All columns of a table in one function that picks the first that holds (-1: none), and all modifiers in one
    that lists those that apply: [(place, amount)]."""
    columns = [*doc.get("column", ()), *([{}] if "rows" in doc else ())]
    if len(columns) > 1:
        lines = [
            f"if {file.conditions[each['#when']]}: return {at}" if "#when" in each else f"return {at}"
            for at, each in enumerate(columns)
        ]
        doc["#column"] = file.module.function("v", [*lines, "return -1"])
    modifiers = doc.get("modifier", ())
    if modifiers and not any("group" in each for each in modifiers):
        lines = ["adding = []"]
        for at, each in enumerate(modifiers):
            amount = f"{each['#add']!r}(v)" if "#add" in each else repr(each.get("add", 1))
            line = f"adding.append(({at}, {amount}))"
            lines.append(f"if {file.conditions[each['#when']]}: {line}" if "#when" in each else line)
        doc["#modifier"] = file.module.function("v", [*lines, "return adding"])


def _taken(file: FileWriter, spec: Doc, holes: list[str]) -> Iterator[tuple[str, str]]:
    """The holes of a pattern that are written into a field as they are (`target.city = city`), and that field."""
    for number, sentence in enumerate(spec.get("do", ()), 1):
        with file.noting(f"do {number}"):
            _, _, action, loop, _ = tree(sentence, "line")
            if action[0] == "write" and loop is None and action[3][0] == "ref":
                (_, _, field, parts), (_, _, hole, others) = action[2], action[3]
                if hole in holes and not parts and not others and field in file.names.fields:
                    yield hole, field
    for case in spec.get("cases", ()):
        yield from _taken(file, case, holes)


def _rows(file: FileWriter, doc: Doc, scope: Scope) -> None:
    for key, row in doc.get("rows", {}).items():
        with file.noting(f"row {key}"):
            several = [_result(file, each, scope) for each in row] if isinstance(row, list) else None
            doc["rows"][key] = _result(file, row, scope) if several is None else several
    if isinstance(doc.get("memory"), str):
        with file.noting("memory"):
            file.field(doc, "memory", scope)


def _result(file: FileWriter, result: Result, scope: Scope) -> Result:
    """A row's result with its sentences compiled; one with braces is worked out when it comes up."""
    if isinstance(result, str) and "{" in result:
        result = {"as": result}
    if not isinstance(result, Mapping):
        return result
    cell = dict(result)
    if isinstance(cell.get("as"), str) and "{" in cell["as"]:
        cell["#as"] = file.module.function("v", [f"return {file.words(cell['as'], scope)}"])
    if "with" in cell:
        cell["#with"] = file.module.function("v", [f"return {{{file.bindings(cell, 'with', scope)}}}"])
    if "ask-once" in cell:
        file.field(cell, "ask-once", scope)
    return cell


def own_names(part: object) -> Iterator[str]:
    """Names that a file binds for itself: in patterns of results and in `with`."""
    if isinstance(part, Mapping):
        for key, value in part.items():
            if key == "outcome" and isinstance(value, Mapping):
                yield from (name for slug in value for name in re.findall(r"\{([a-z-]+)\}", slug))
            if key == "with" and isinstance(value, Mapping):
                yield from value
            yield from own_names(value)
    elif isinstance(part, list):
        for each in part:
            yield from own_names(each)
