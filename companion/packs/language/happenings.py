"""What a row, an option, a rule or a step says and does: its text, its lines of `do`, what it asks for, its orders."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from companion.engine.spec import Spec
from companion.packs.language.file import Doc, FileWriter
from companion.packs.language.grammar import Tree, Wrong, tree
from companion.packs.language.module import Code, Scope, indented
from companion.packs.language.names import ANY, NUMBER, Read, variable_of
from companion.packs.language.writer import Writer, variables_in
from companion.problems import Trouble

READS = re.compile(r"\bv\b")  # Python that reads a fact


def happens(
    file: FileWriter, doc: Doc, scope: Scope, die_of_case: Callable[[FileWriter, Doc, Scope], None] | None = None
) -> None:
    """What a part of a file says and does, and its cases; `die_of_case` compiles the die that a case asks for."""
    if _asks_again(doc):
        doc["#again"] = True
    file.text(doc, "text", scope)
    _do(file, doc, scope)
    _then(file, doc, scope)
    for number, case in enumerate(doc.get("cases", ()), 1):
        with file.within(f"case {number}"):
            file.condition(case, "when", scope)
            happens(file, case, scope, die_of_case)
            if die_of_case is not None:
                die_of_case(file, case, scope)


def _asks_again(doc: Spec) -> bool:
    """Whether a row asks if it has been struck before."""
    conditions = [each.get("when", "") for each in doc.get("then", ()) if isinstance(each, Mapping)]
    sentences = [*doc.get("do", ()), *conditions, *(case.get("when", "") for case in doc.get("cases", ()))]
    return any(re.search(r"(?<![\w.-])again(?![\w.-])", str(each)) for each in sentences) or any(
        _asks_again(case) for case in doc.get("cases", ())
    )


# -- lines of `do` -----------------------------------------------------------------------------------------------------


def _do(file: FileWriter, doc: Doc, scope: Scope) -> None:
    lines: list[str] = []
    for number, sentence in enumerate(doc.get("do", ()), 1):
        with file.noting(f"do {number}"):
            lines += _line(file, sentence, scope)
    if lines:
        doc["#do"] = file.module.function("p, bind", ["v = p.facts", *lines])


def _line(file: FileWriter, sentence: str, scope: Scope) -> list[str]:
    _, place, action, loop, when = tree(sentence, "line")
    reads: set[Read] = set()
    writer = file.writer(sentence, reads)
    if loop is None:
        lines = _action(file, action, writer, scope)
        return [f"if {writer.condition(when, scope)}:", *indented(lines)] if when is not None else lines
    at, index, alias = loop
    if index not in file.names.index:
        raise writer.wrong(at, writer.no_index(index))
    variable = variable_of(alias)
    inner = scope.through(alias, index, variable)
    test = writer.condition(when, inner) if when is not None else ""
    lines = _action(file, action, writer, inner)
    lines = [f"if {test}:", *indented(lines)] if test else lines
    members = file.module.variable(f"members({index!r})", "m")
    speaks_of_it = action[0] in ("clear", "drop") and action[2] == index
    if alias == index and (speaks_of_it or index in file.names.touched(reads)):
        return [f"before = v.hold({index!r})", "try:", f"    for {variable} in {members}:",
                f"        v.bind_one({index!r}, {variable})",
                *indented(indented(lines)), "finally:", f"    v.release({index!r}, before)"]  # fmt: skip
    return [f"for {variable} in {members}:", *indented(lines)]


def _action(file: FileWriter, action: Tree, writer: Writer, scope: Scope) -> list[str]:
    kind, place = action[0], action[1]
    if kind == "write":
        name, takes = writer.target(action[2], scope)
        value, fits = writer.assigned(action[3], takes, scope)
        return [f"p.{'change' if fits and not name.startswith('one(') else 'fill'}({name}, {value})"]
    if kind in ("mark", "erase"):
        name, takes = writer.target(action[2], scope)
        if takes is not NUMBER:
            raise writer.wrong(place, "this is no number to be counted")
        code = writer.expression(action[3], scope) if action[3] is not None else Code("1", NUMBER)
        count = code.value if code.kind is ANY or action[3] is None else writer.number(action[3], scope)
        return [f"p.{'count' if kind == 'mark' else 'uncount'}({name}, {count})"]
    if kind == "exchange":
        return _exchange(file, action, writer, scope)
    index = action[2]
    if index not in file.names.index and not (kind == "drop" and index == "everything"):
        raise writer.wrong(place, writer.no_index(index))
    if kind == "add":
        values = []
        for _, at, key, value in action[3]:
            pattern = f"{index}[{index}].{key}"
            if pattern not in file.names.fields:
                raise writer.wrong(at, f"one {index} has no {key}")
            values.append(f"({key!r}, {writer.assigned(value, file.names.fields[pattern][1], scope)[0]}), ")
        return [f"p.add({index!r}, ({''.join(values)}), bind)"]
    return [f"p.{kind}({index!r})"]


def _exchange(file: FileWriter, action: Tree, writer: Writer, scope: Scope) -> list[str]:
    names = file.names
    _, place, one, other = action
    if one[3] or other[3] or (one[2] in names.singles and other[2] in names.singles):
        targets = [writer.target(each, scope)[0] for each in (one, other)]
        return [f"p.exchange({targets[0]}, {targets[1]})"]
    index = ""
    for each in sorted((one, other), key=lambda part: not writer.means(part[2], scope)):
        index = index or writer.expression(each, scope).kind.index
    if not index:
        raise writer.wrong(place, "which of an index change places? such as: exchange position, into")
    codes = [writer.member(each, index, scope)[0] for each in (one, other)]
    lines = []
    for name in names.belongings.get(index, ()):
        pattern = f"{name}[{index}]"
        if pattern not in names.fields:
            raise writer.wrong(place, f"{pattern} is no field of the sheet, and belongs to one {index}")
        single = file.module.variable(f"names({pattern!r})", "n")
        lines.append(f"p.exchange(one({single}, {codes[0]}), one({single}, {codes[1]}))")
    if not lines:
        raise writer.wrong(place, f"nothing belongs to one {index}; its `belongings` in the sheet say what does")
    return lines


# -- what is asked for -------------------------------------------------------------------------------------------------


def _then(file: FileWriter, doc: Doc, scope: Scope) -> None:
    lines: list[str] = []
    for number, spec in enumerate(doc.get("then", ()), 1):
        with file.noting(f"then {number}"):
            lines += _asked(file, {"roll": spec} if isinstance(spec, str) else dict(spec), scope)
    if "order" in doc:
        with file.noting("order"):
            doc["#order"] = file.module.function("p, bind", ["v = p.facts", *_order(file, doc, scope)])
    if lines:
        doc["#then"] = file.module.function("p, bind", ["v = p.facts", *lines])


def _asked(file: FileWriter, spec: Spec, scope: Scope) -> list[str]:
    """One thing that is asked for, with its members, its condition, and how often."""
    writer = file.writer(str(spec.get("when", "")))
    loop = tree(spec["for"], "members") if "for" in spec else None
    inner = scope
    if loop is not None:
        if loop[2] not in file.names.index or loop[4]:
            raise Wrong(spec["for"], loop[1], writer.no_index(loop[2]))
        inner = scope.binding(loop[3], loop[2])
    lines = _order(file, spec, inner) if "order" in spec else _item(file, spec, inner)
    if loop is None:
        if "when" in spec:
            lines = [f"if {writer.condition(tree(spec['when']), inner)}:", *indented(lines)]
        return lines
    alias, members = loop[3], file.module.variable(f"members({loop[2]!r})", "m")
    variable = variable_of(alias)
    early = before_binding(file, spec, loop[2], alias, scope, inner) if "when" in spec else Early("", "", "")
    if early.rest:
        lines = [f"if {early.rest}:", *indented(lines)]
    lines = [f"bind = {{**outer, {alias!r}: {variable}}}", *lines]
    bound = early.rest != "" or READS.search("".join(lines)) is not None
    if bound:
        lines.insert(0, f"v.bind_one({alias!r}, {variable})")
    if early.each:
        lines = [f"if {early.each}:", *indented(lines)]
    lines = [f"for {variable} in {members}:", *indented(lines)]
    if bound:
        lines = [f"before = v.hold({alias!r})", "try:", *indented(lines),
                 "finally:", f"    v.release({alias!r}, before)"]  # fmt: skip
    lines = ["outer = bind", *lines, "bind = outer"]
    return [f"if {early.once}:", *indented(lines)] if early.once else lines


class Early(NamedTuple):
    """The condition of what goes through members: what can be asked before any is bound, `once` for all of them and of
    `each`, and the rest. Any of them may be empty."""

    once: str
    each: str
    rest: str


def before_binding(file: FileWriter, spec: Spec, index: str, alias: str, outer: Scope, inner: Scope) -> Early:
    """A condition in three parts, in their order; what comes before leaves most members out."""
    sentence: str = spec["when"]
    parsed, variable = tree(sentence), variable_of(alias)
    once: list[str] = []
    each: list[str] = []
    rest: list[str] = []
    for part in parsed[2] if parsed[0] == "and" else [parsed]:
        reads: set[Read] = set()
        test = file.writer(sentence).condition(part, inner)
        try:
            alone = file.writer(sentence, reads).condition(part, outer.through(alias, index, variable))
        except Trouble:
            rest.append(test)
            continue
        if rest or index in file.names.touched(reads):
            rest.append(test)
        elif each or variable in variables_in(alone):  # in their order: one part may be what keeps the next from harm
            each.append(alone)
        else:
            once.append(alone)
    return Early(*(" and ".join(tests) for tests in (once, each, rest)))


def _item(file: FileWriter, spec: Spec, scope: Scope) -> list[str]:
    own = file.bindings(dict(spec), "with", scope)
    bind = f"{{**bind, {own}}}" if own else "bind"
    place = "last" if spec.get("later") == "all" else "later" if spec.get("later") else "front"
    if "ask" in spec:
        name, kind = file.writer(spec["ask"]).target(tree(spec["ask"]), scope)
        usual = "None"
        if "usual" in spec:
            sentence = str(spec["usual"])
            usual = file.writer(sentence).assigned(tree(sentence), kind, scope)[0]
        what = f"'ask', {name}, {usual}"
    elif "choose" in spec:
        what = f"'choose', {file.words(spec['choose'], scope)}, None"
    elif "roll" in spec:
        what = f"'roll', {file.words(spec['roll'], scope)}, None"
    else:
        raise Trouble("it asks for nothing: roll, choose, ask or order says what")
    times = spec.get("times", 1)
    times = file.writer(times).number(tree(times), scope) if isinstance(times, str) else repr(times)
    rows = repr(spec["rows"]) if "rows" in spec else "None"
    return [f"p.ask_for({what}, {bind}, {place!r}, {times}, {rows})"]


def _order(file: FileWriter, spec: Spec, scope: Scope) -> list[str]:
    until, bound = spec.get("until"), ""
    if isinstance(until, str):
        reads: set[Read] = set()
        test = file.writer(until, reads).condition(tree(until), scope)
        if until not in file.untils:
            file.untils[until] = file.module.function("v", [f"return {test}"])
        names = [
            name
            for name in (*file.names.index, *scope.local)
            if re.search(rf"\bv\['{re.escape(name)}'\]", test) or name in file.names.touched(reads)
        ]
        bound = "".join(f"{name!r}, " for name in dict.fromkeys(names))
    text, cite = file.words(spec["order"], scope, shown=True), spec.get("cite", "")
    return [f"p.order({text}, {cite!r}, {until!r}, {file.by!r}, ({bound}), bind)"]
