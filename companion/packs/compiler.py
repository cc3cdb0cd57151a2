"""A pack's files made ready to run: every sentence becomes a function, kept beside the file's own words.

The annotated file is what it was, with the number of a function under `#key` where a sentence stands under `key`; the
functions are one module of Python, compiled once and kept in the cache. Loaded only when a file has changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.packs.grammar import Tree, Wrong, tree
from companion.packs.sentences import (
    ANY,
    FLAG,
    NUMBER,
    Code,
    Kind,
    Module,
    Named,
    Names,
    Read,
    Scope,
    Writer,
    _every,
    template,
    variable_of,
)
from companion.problems import Trouble

Doc = dict[str, Any]
FIGURES = re.compile(r"(?<![\w.-])(net|roll)(?![\w.-]|': )")  # a sentence that asks for the throw itself
LOCAL = {"roll": NUMBER, "net": NUMBER, "result": NUMBER, "again": FLAG}


class Compiler:
    """One file of a pack. `place` says where it is, for errors; each is a sentence with that place before it."""

    def __init__(self, names: Names, place: str, orders: str = "") -> None:
        self.names, self.place, self.orders = names, place, orders
        self.module = Module(names)
        self.faults: list[str] = []
        self.where: list[str] = []
        self.untils: dict[str, int] = {}
        self.written: dict[int, str] = {}  # the Python of each condition, by the number of its function
        self.reads: set[Read] = set()  # of the columns and modifiers of a table

    # -- sentences -----------------------------------------------------------------------------------------------

    def _wrong(self, key: str, problem: Exception) -> None:
        self.faults.append(f"{', '.join([*self.where, key])}: {problem}")

    def _condition(
        self, doc: Doc, key: str, scope: Scope, arguments: str = "v", reads: set[Read] | None = None
    ) -> None:
        """The condition under a key, as a function."""
        if not isinstance(doc.get(key), str):
            return
        try:
            writer = Writer(self.module, doc[key], set() if reads is None else reads)
            test = writer.condition(tree(doc[key]), scope)
            doc[f"#{key}"] = self.module.function(arguments, [f"return {test}"])
            self.written[int(doc[f"#{key}"])] = test
        except Trouble as problem:
            self._wrong(key, problem)

    def _value(self, doc: Doc, key: str, scope: Scope, arguments: str = "v", kind: Kind | None = NUMBER) -> None:
        """The number (or, of another kind, the word) under a key, as a function."""
        if not isinstance(doc.get(key), str):
            return
        try:
            writer, parsed = Writer(self.module, doc[key], self.reads), tree(doc[key])
            writer.throws = arguments == "v, dice"
            if kind is NUMBER:
                code = writer.number(parsed, scope)
            else:
                code = (
                    writer.expression(parsed, scope).value if kind is None else writer.assigned(parsed, kind, scope)[0]
                )
            doc[f"#{key}"] = self.module.function(arguments, [f"return {code}"])
            if writer.dice:
                doc["#dice"] = _dice_in(parsed)
        except Trouble as problem:
            self._wrong(key, problem)

    def _text(self, doc: Doc, key: str, scope: Scope) -> None:
        """The text with braces under a key, as a function; a plain one stays as it is."""
        text = doc.get(key)
        if not isinstance(text, str) or "{" not in text:
            return
        try:
            code = template(text, scope, self.module, set())
            doc[f"#{key}"] = self.module.function("v", [f"return str({code})"])
        except Trouble as problem:
            self._wrong(key, problem)

    def _with(self, doc: Doc, key: str, scope: Scope) -> str:
        """What is bound, as the items of a dict in Python."""
        made = []
        for name, sentence in doc.get(key, {}).items():
            try:
                made.append(f"{name!r}: {self._bound(name, sentence, scope)}, ")
            except Trouble as problem:
                self._wrong(f"{key}.{name}", problem)
        return "".join(made)

    def _bound(self, name: str, sentence: Any, scope: Scope) -> str:
        if not isinstance(sentence, str):
            return repr(str(sentence))
        kind = ANY
        if name in self.names.index:
            kind = Kind("member", self.names.index[name], name)
        elif name in self.names.fields:
            kind = self.names.fields[name][1]
        writer = Writer(self.module, sentence, set())
        parsed = tree(sentence)
        if kind is NUMBER:
            return f"str({writer.number(parsed, scope)})"
        code = writer.against(Code("", kind), parsed, scope)
        return code.value if code.fixed else f"str({code.value})"

    # -- what happens --------------------------------------------------------------------------------------------

    def _do(self, doc: Doc, scope: Scope) -> None:
        lines: list[str] = []
        for number, sentence in enumerate(doc.get("do", ()), 1):
            try:
                lines += self._line(sentence, scope)
            except Trouble as problem:
                self._wrong(f"do {number}", problem)
        if lines:
            doc["#do"] = self.module.function("p, bind", ["v = p.facts", *lines])

    def _line(self, sentence: str, scope: Scope) -> list[str]:
        _, place, action, loop, when = tree(sentence, "line")
        reads: set[Read] = set()
        writer = Writer(self.module, sentence, reads)
        if loop is None:
            lines = self._action(action, writer, scope)
            return [f"if {writer.condition(when, scope)}:", *_inside(lines)] if when is not None else lines
        at, index, alias = loop
        if index not in self.names.index:
            raise writer.wrong(at, writer._no_index(index))
        variable = variable_of(alias)
        inner = scope.through(alias, index, variable)
        test = writer.condition(when, inner) if when is not None else ""
        lines = self._action(action, writer, inner)
        lines = [f"if {test}:", *_inside(lines)] if test else lines
        members = self.module.variable(f"members({index!r})", "m")
        speaks_of_it = action[0] in ("clear", "drop") and action[2] == index
        if alias == index and (speaks_of_it or index in self.names.touched(reads)):
            return [f"before = v.hold({index!r})", "try:", f"    for {variable} in {members}:",
                    f"        v.bind_one({index!r}, {variable})",
                    *_inside(_inside(lines)), "finally:", f"    v.release({index!r}, before)"]  # fmt: skip
        return [f"for {variable} in {members}:", *_inside(lines)]

    def _action(self, action: Tree, writer: Writer, scope: Scope) -> list[str]:
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
            return self._exchange(action, writer, scope)
        index = action[2]
        if index not in self.names.index and not (kind == "drop" and index == "everything"):
            raise writer.wrong(place, writer._no_index(index))
        if kind == "add":
            filled = []
            for _, at, key, value in action[3]:
                pattern = f"{index}[{index}].{key}"
                if pattern not in self.names.fields:
                    raise writer.wrong(at, f"one {index} has no {key}")
                filled.append(f"({key!r}, {writer.assigned(value, self.names.fields[pattern][1], scope)[0]}), ")
            return [f"p.add({index!r}, ({''.join(filled)}), bind)"]
        return [f"p.{kind}({index!r})"]

    def _exchange(self, action: Tree, writer: Writer, scope: Scope) -> list[str]:
        _, place, one, other = action
        if one[3] or other[3] or (one[2] in self.names.singles and other[2] in self.names.singles):
            names = [writer.target(each, scope)[0] for each in (one, other)]
            return [f"p.exchange({names[0]}, {names[1]})"]
        index = ""
        for each in sorted((one, other), key=lambda part: not writer.means(part[2], scope)):
            index = index or writer.expression(each, scope).kind.index
        if not index:
            raise writer.wrong(place, "which of an index change places? such as: exchange position, into")
        codes = [writer.member(each, index, scope)[0] for each in (one, other)]
        lines = []
        for name in self.names.belongings.get(index, ()):
            pattern = f"{name}[{index}]"
            if pattern not in self.names.fields:
                raise writer.wrong(place, f"{pattern} is no field of the sheet, and belongs to one {index}")
            single = self.module.variable(f"names({pattern!r})", "n")
            lines.append(f"p.exchange(one({single}, {codes[0]}), one({single}, {codes[1]}))")
        if not lines:
            raise writer.wrong(place, f"nothing belongs to one {index}; its `belongings` in the sheet say what does")
        return lines

    def _then(self, doc: Doc, scope: Scope) -> None:
        lines: list[str] = []
        for number, spec in enumerate(doc.get("then", ()), 1):
            try:
                lines += self._asked({"roll": spec} if isinstance(spec, str) else dict(spec), scope)
            except Trouble as problem:
                self._wrong(f"then {number}", problem)
        if "order" in doc:
            try:
                doc["#order"] = self.module.function("p, bind", ["v = p.facts", *self._order(doc, scope)])
            except Trouble as problem:
                self._wrong("order", problem)
        if lines:
            doc["#then"] = self.module.function("p, bind", ["v = p.facts", *lines])

    def _asked(self, spec: Doc, scope: Scope) -> list[str]:
        """One thing that is asked for, with its members, its condition, and how often."""
        writer = Writer(self.module, str(spec.get("when", "")), set())
        loop = tree(spec["for"], "members") if "for" in spec else None
        inner = scope
        if loop is not None:
            if loop[2] not in self.names.index or loop[4]:
                raise Wrong(spec["for"], loop[1], writer._no_index(loop[2]))
            inner = scope.binding(loop[3], loop[2])
        lines = self._order(spec, inner) if "order" in spec else self._item(spec, inner)
        if "when" in spec:
            lines = [f"if {writer.condition(tree(spec['when']), inner)}:", *_inside(lines)]
        if loop is None:
            return lines
        alias, members = loop[3], self.module.variable(f"members({loop[2]!r})", "m")
        return [f"before, outer = v.hold({alias!r}), bind", "try:", f"    for member in {members}:",
                f"        v.bind_one({alias!r}, member)",
                f"        bind = {{**outer, {alias!r}: member}}", *_inside(_inside(lines)),
                "finally:", f"    v.release({alias!r}, before)", "bind = outer"]  # fmt: skip

    def _item(self, spec: Doc, scope: Scope) -> list[str]:
        own = self._with(spec, "with", scope)
        bind = f"{{**bind, {own}}}" if own else "bind"
        place = "last" if spec.get("later") == "all" else "later" if spec.get("later") else "front"
        if "ask" in spec:
            writer = Writer(self.module, spec["ask"], set())
            name, kind = writer.target(tree(spec["ask"]), scope)
            usual = "None"
            if "usual" in spec:
                asked = Writer(self.module, str(spec["usual"]), set())
                usual = asked.assigned(tree(str(spec["usual"])), kind, scope)[0]
            what = f"'ask', {name}, {usual}"
        elif "choose" in spec:
            what = f"'choose', {self._words(spec['choose'], scope)}, None"
        elif "roll" in spec:
            what = f"'roll', {self._words(spec['roll'], scope)}, None"
        else:
            raise Trouble("it asks for nothing: roll, choose, ask or order says what")
        times = spec.get("times", 1)
        if isinstance(times, str):
            times = Writer(self.module, times, set()).number(tree(times), scope)
        rows = repr(spec["rows"]) if "rows" in spec else "None"
        return [f"p.ask_for({what}, {bind}, {place!r}, {times if isinstance(times, str) else repr(times)}, {rows})"]

    def _words(self, text: str, scope: Scope) -> str:
        return f"str({template(text, scope, self.module, set())})" if "{" in text else repr(text)

    def _order(self, spec: Doc, scope: Scope) -> list[str]:
        until, kept = spec.get("until"), ""
        if isinstance(until, str):
            reads: set[Read] = set()
            test = Writer(self.module, until, reads).condition(tree(until), scope)
            if until not in self.untils:
                self.untils[until] = self.module.function("v", [f"return {test}"])
            bound = [
                name
                for name in (*self.names.index, *scope.local)
                if re.search(rf"\bv\['{re.escape(name)}'\]", test) or name in self.names.touched(reads)
            ]
            kept = "".join(f"{name!r}, " for name in dict.fromkeys(bound))
        text, cite = self._words(spec["order"], scope), spec.get("cite", "")
        return [f"p.order({text}, {cite!r}, {until!r}, {self.orders!r}, ({kept}), bind)"]

    def does(self, doc: Doc, scope: Scope) -> None:
        """What a row, an option, a rule or a step says and does, and its cases."""
        if _again(doc):
            doc["#again"] = True
        self._text(doc, "text", scope)
        self._do(doc, scope)
        self._then(doc, scope)
        for number, case in enumerate(doc.get("cases", ()), 1):
            with self._in(f"case {number}"):
                self._condition(case, "when", scope)
                self.does(case, scope)
                self.die(case, scope)

    # -- tables --------------------------------------------------------------------------------------------------

    def table(self, doc: Doc) -> None:
        """A table's own file."""
        kinds = dict(LOCAL)
        for name in _local(doc):
            if name not in self.names.index and name != "result":
                kinds[name] = (
                    self.names.fields[name][1]
                    if name in self.names.fields and not self.names.fields[name][0].indexes
                    else ANY
                )
        scope = Scope(self.names, kinds)
        self.die(doc, scope)
        for patch in doc.get("patched", ()):
            for spec in patch.get("was", ()):  # modifiers as they stood, for telling whether it made a difference
                self._condition(spec, "when", scope)
                self._value(spec, "add", scope)
        doc["#figures"] = bool(FIGURES.search(repr(doc)))

    def die(self, doc: Doc, scope: Scope) -> None:
        """A die with its rows, modifiers and results: a table, a note, a row that is rolled for further."""
        for kind in ("modifier", "natural", "column"):
            for number, spec in enumerate(doc.get(kind, ()), 1):
                with self._in(f"{kind} {spec.get('id') or spec.get('title') or number}"):
                    self._condition(spec, "when", scope, reads=self.reads)
                    if kind == "modifier":
                        self._value(spec, "add", scope)
                    self._rows(spec, scope)
        self._at_once(doc)
        self._rows(doc, scope)
        if isinstance(doc.get("with"), Mapping):
            doc["#with"] = self.module.function("v", [f"return {{{self._with(doc, 'with', scope)}}}"])
        for number, step in enumerate(doc.get("adjust", ()), 1):
            with self._in(f"adjust {number}"):
                self._condition(step, "when", scope)
                self._value(step, "is", scope)
        self._value(doc, "is", scope, "v, dice")
        for kind in ("outcome", "sub"):
            for name, spec in doc.get(kind, {}).items():
                with self._in(f"{kind}.{name}"):
                    self.does(spec, scope)
                    self.die(spec, scope)
        if "id" in doc and any(key in doc for key in ("do", "then", "cases", "text")):
            self.does(doc, scope)

    def _at_once(self, doc: Doc) -> None:
        """All columns of a table in one function that picks the first that holds (-1: none), and all modifiers in one
        that lists those that apply: [(place, amount)]."""
        columns = [*doc.get("column", ()), *([{}] if "rows" in doc else ())]
        if len(columns) > 1:
            lines = [
                f"if {self.written[each['#when']]}: return {at}" if "#when" in each else f"return {at}"
                for at, each in enumerate(columns)
            ]
            doc["#column"] = self.module.function("v", [*lines, "return -1"])
        modifiers = doc.get("modifier", ())
        if modifiers and not any("group" in each for each in modifiers):
            lines = ["adding = []"]
            for at, each in enumerate(modifiers):
                amount = f"{each['#add']!r}(v)" if "#add" in each else repr(each.get("add", 1))
                line = f"adding.append(({at}, {amount}))"
                lines.append(f"if {self.written[each['#when']]}: {line}" if "#when" in each else line)
            doc["#modifier"] = self.module.function("v", [*lines, "return adding"])

    def _rows(self, doc: Doc, scope: Scope) -> None:
        for key, row in doc.get("rows", {}).items():
            try:
                doc["rows"][key] = (
                    [self._result(each, scope) for each in row] if isinstance(row, list) else self._result(row, scope)
                )
            except Trouble as problem:
                self._wrong(f"row {key}", problem)
        memory = doc.get("memory")
        if isinstance(memory, str):
            try:
                name, _ = Writer(self.module, memory, set()).target(tree(memory), scope)
                doc["#memory"] = self.module.function("v", [f"return {name}"])
            except Trouble as problem:
                self._wrong("memory", problem)

    def _own(self) -> dict[str, Kind]:
        """What a roll has bound, where no field of the sheet has that name."""
        return {name: kind for name, kind in LOCAL.items() if name not in self.names.fields}

    def _result(self, result: Any, scope: Scope) -> Any:
        """A row's result with its sentences compiled; one with braces is worked out when it comes up."""
        if isinstance(result, str) and "{" in result:
            result = {"as": result}
        if not isinstance(result, Mapping):
            return result
        made = dict(result)
        if isinstance(made.get("as"), str) and "{" in made["as"]:
            made["#as"] = self.module.function("v", [f"return {self._words(made['as'], scope)}"])
        if "with" in made:
            made["#with"] = self.module.function("v", [f"return {{{self._with(made, 'with', scope)}}}"])
        if "ask-once" in made:
            name, _ = Writer(self.module, made["ask-once"], set()).target(tree(made["ask-once"]), scope)
            made["#ask-once"] = self.module.function("v", [f"return {name}"])
        return made

    # -- rules, steps, choices, the pack -------------------------------------------------------------------------

    def rules(self, doc: Doc) -> None:
        """`rules.toml`, with which fields can make which rule true."""
        watched: dict[str, list[Any]] = {}
        for number, rule in enumerate(doc.get("rule", ())):
            with self._in(f"rule {number + 1}"):
                scope, reads = Scope(self.names, self._own()), set[Read]()
                members: Sequence[str | None] = (None,)
                if "for" in rule:
                    try:
                        _, at, index, alias, table, _ = tree(rule["for"], "members")
                        if index not in self.names.index or table:
                            raise Wrong(rule["for"], at, f"there is no index {index}")
                    except Trouble as problem:
                        self._wrong("for", problem)
                        continue
                    rule["#for"] = [index, alias]
                    variable = variable_of(alias)
                    self._condition(rule, "when", scope.through(alias, index, variable), f"v, {variable}", reads)
                    reads = {
                        (pattern, tuple(("$", 0) if arg == ("$", variable) else arg for arg in args))
                        for pattern, args in reads
                    }
                    scope, members = scope.binding(alias, index), list(self.names.index[index])
                else:
                    self._condition(rule, "when", scope, "v", reads)
                self.does(rule, scope)
                if "on" not in rule:
                    for member in members:
                        for name in sorted(Closure(self.names).fields(reads, (member,))):
                            watched.setdefault(name, []).append([number, member])
        doc["#watched"] = watched

    def steps(self, doc: Doc) -> None:
        """`sequence.toml`."""
        for step in doc.get("step", ()):
            with self._in(str(step.get("id"))):
                scope = Scope(self.names, self._own())
                self._condition(step, "when", scope)
                self._text(step, "title", scope)
                self.does(step, scope)

    def choices(self, doc: Doc) -> None:
        """`choices.toml`: a choice is asked with what is bound by whatever asks for it."""
        local = {name: ANY for name in _local(doc) if name not in self.names.index}
        for name, choice in doc.get("choice", {}).items():
            with self._in(name):
                outer = Scope(self.names, {**local, **self._own()})
                self._text(choice, "title", outer)
                for option in choice.get("option", ()):
                    with self._in(str(option.get("name"))):
                        self._option(option, outer)

    def _option(self, option: Doc, scope: Scope) -> None:
        if "for" in option:
            try:
                _, at, index, alias, row, table = tree(option["for"], "members")
                if index not in self.names.index:
                    raise Wrong(option["for"], at, f"there is no index {index}")
            except Trouble as problem:
                self._wrong("for", problem)
                return
            option["#for"] = [index, alias, row, table]
            inner = scope.binding(alias, index)
            if row:
                inner.local[row] = ANY
            self._first(option, alias, index, scope, inner)
            scope = inner
        else:
            self._condition(option, "when", scope)
        self._condition(option, "usual", scope)
        self._text(option, "name", scope)
        self.does(option, scope)

    def _first(self, option: Doc, alias: str, index: str, outer: Scope, inner: Scope) -> None:
        """The condition of an option for each member: what can be said before he is bound (`#first`), and the rest."""
        if not isinstance(option.get("when"), str):
            return
        try:
            parsed = tree(option["when"])
            variable = variable_of(alias)
            first, rest = [], []
            for part in parsed[2] if parsed[0] == "and" else [parsed]:
                reads: set[Read] = set()
                test = Writer(self.module, option["when"], set()).condition(part, inner)
                try:
                    alone = Writer(self.module, option["when"], reads).condition(
                        part, outer.through(alias, index, variable)
                    )
                except Trouble:
                    rest.append(test)
                    continue
                (rest.append(test) if rest or index in self.names.touched(reads) else first.append(alone))
            if first:
                option["#first"] = self.module.function(f"v, {variable}", [f"return {' and '.join(first)}"])
            if rest:
                option["#when"] = self.module.function("v", [f"return {' and '.join(rest)}"])
        except Trouble as problem:
            self._wrong("when", problem)

    def about(self, doc: Doc) -> None:
        """`pack.toml`: the conditions of the campaign log, over the men where it speaks of men."""
        log = doc.get("log", {})
        plain = Scope(self.names)
        for key in ("counts", "aircraft-lost"):
            self._condition(log, key, plain)
        if "position" not in self.names.index:
            return
        men = Scope(self.names).through("position", "position", "m_position")
        for key in ("flew", "lost"):
            self._condition(log, key, men, "v, m_position")
        standing = log.get("standing", {})
        for key in list(standing):
            self._condition(standing, key, men, "v, m_position")
        for each in log.get("unsettled", ()):
            self._condition(each, "when", men, "v, m_position")

    def sheet(self, doc: Doc) -> None:
        """`sheet.toml`: the worked-out facts as functions of their members, and what is forgotten when one changes."""
        for name, spec in doc.get("index", {}).items():
            if isinstance(spec, Mapping) and isinstance(spec.get("text"), str):
                with self._in(f"index {name}"):
                    self._text(spec, "text", Scope(self.names))  # type: ignore[arg-type]
        compiled: Doc = {}
        for pattern in self.names.facts:
            try:
                fact = self.names.fact(pattern)
            except Trouble as problem:
                self.faults.append(str(problem))
                continue
            number = self.module.function(
                ", ".join(["v", *fact.arguments]), [f"return {fact.code(self.module, set()).value}"]
            )
            compiled[fact.named.written] = [number, fact.kind.name, list(fact.kind.values)]
        doc["#facts"] = compiled
        if not self.faults:
            doc["#forget"] = {name: tuple(each) for name, each in Closure(self.names).forget().items()}

    def _in(self, place: str) -> _Place:
        return _Place(self.where, place)


class _Place:
    def __init__(self, where: list[str], place: str) -> None:
        self.where, self.place = where, place

    def __enter__(self) -> None:
        self.where.append(self.place)

    def __exit__(self, *error: object) -> None:
        self.where.pop()


def _inside(lines: Sequence[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _dice_in(part: Any) -> int:
    if isinstance(part, tuple):
        if part and part[0] == "ref" and part[2][:-1].isdigit() and part[2].endswith("D"):
            return int(part[2][:-1])
        return sum(_dice_in(each) for each in part)
    return 0


def _again(doc: Doc) -> bool:
    """Whether a row asks if it has been struck before."""
    said = [*doc.get("do", ()), *(each.get("when", "") for each in doc.get("then", ()) if isinstance(each, Mapping))]
    cases = doc.get("cases", ())
    said += [case.get("when", "") for case in cases]
    return any(re.search(r"(?<![\w.-])again(?![\w.-])", str(each)) for each in said) or any(
        _again(case) for case in cases
    )


def _local(part: Any) -> Iterator[str]:
    """Names that a file binds for itself: in patterns of results, in `with`, in `for`."""
    if isinstance(part, Mapping):
        for key, value in part.items():
            if key == "outcome" and isinstance(value, Mapping):
                yield from (name for slug in value for name in re.findall(r"\{([a-z-]+)\}", slug))
            if key == "with" and isinstance(value, Mapping):
                yield from value
            yield from _local(value)
    elif isinstance(part, list):
        for each in part:
            yield from _local(each)


class Closure:
    """What sentences come down to, member by member."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._below: dict[str, set[str]] = {}

    def singles(self, read: Read, members: Sequence[str | None]) -> list[tuple[str, str, tuple[str, ...]]]:
        """The single names that a read can mean, each with its pattern and members."""
        pattern, args = read
        declared = self.names.fields.get(pattern) or self.names.facts.get(pattern)
        if declared is None or not declared[0].indexes:
            return [(pattern, pattern, ())]
        named = declared[0]
        choices: list[Sequence[str]] = []
        if len(args) == 1 and args[0] is not None and args[0][0] == "=" and args[0][1] in self.names.singles:
            name = args[0][1]
            return [
                (name, pattern, each)
                for each in map(tuple, _every([list(self.names.index[i]) for i in named.indexes]))
                if named.single(each) == name
            ]
        for arg, index in zip(args, named.indexes, strict=True):
            if arg is not None and arg[0] == "=":
                choices.append([arg[1]])
            elif arg is not None and arg[0] == "$" and isinstance(arg[1], int) and members[arg[1]] is not None:
                choices.append([str(members[arg[1]])])
            else:
                choices.append(list(self.names.index[index]))
        return [(named.single(each), pattern, tuple(each)) for each in _every(choices)]

    def fields(self, reads: Iterable[Read], members: Sequence[str | None] = ()) -> set[str]:
        """Every field, and every name that is bound, behind these reads."""
        made: set[str] = set()
        for read in reads:
            for name, pattern, own in self.singles(read, members):
                made |= self._behind(name, pattern, own) if pattern in self.names.facts else {name}
        return made

    def _behind(self, name: str, pattern: str, members: Sequence[str]) -> set[str]:
        if name not in self._below:
            self._below[name] = set()
            self._below[name] = self.fields(self.names.fact(pattern).reads, members)
        return self._below[name]

    def forget(self) -> dict[str, list[str]]:
        """For every name: the worked-out facts that count no longer when it changes, and what is read of one bound."""
        made: dict[str, list[str]] = {}
        for index, members in self.names.index.items():
            for each in self._meant(index) - {index}:
                made.setdefault(each, []).append(index)
            for key in dict.fromkeys(key for has in members.values() for key in has):
                for each in self._meant(index):
                    made.setdefault(each, []).append(f"{index}.{key}")
        for named, _ in self.names.fields.values():
            if len(named.indexes) == 1 and named.parts[0] == f"{named.indexes[0]}.":
                short = f"{named.indexes[0]}.{named.parts[1].lstrip('.')}"
                for each in {
                    *self._meant(named.indexes[0]),
                    *(named.single([member]) for member in self.names.index[named.indexes[0]]),
                }:
                    made.setdefault(each, []).append(short)
        for pattern, (named, _) in self.names.facts.items():
            for own in _every([list(self.names.index[index]) for index in named.indexes]):
                name = named.single(own) if named.indexes else pattern
                for each in self._all(name, pattern, own):
                    made.setdefault(each, []).append(name)
        for pattern in self.names.asked:
            self._of_slots(self.names.fields[pattern][0], made)
        return made

    def _of_slots(self, named: Named, made: dict[str, list[str]]) -> None:
        """What is asked for of a used slot alone counts no longer when a slot is filled, emptied or meant."""
        index = named.indexes[0] if len(named.indexes) == 1 else ""
        present = self.names.fields.get(self.names.present.get(index, ""))
        if present is None or named.parts[0] != f"{index}.":
            return
        for member in self.names.index[index]:
            name = named.single([member])
            for each in (index, present[0].single([member])):
                made[each] = list(dict.fromkeys([*made.get(each, ()), name, *made.get(name, ())]))

    def _meant(self, index: str) -> set[str]:
        """What decides which member is meant: its name, and where none is bound the fields that tell who is there."""
        present = self.names.present.get(index)
        if present is None or present not in self.names.fields:
            return {index}
        return {index, *(self.names.fields[present][0].single([member]) for member in self.names.index[index])}

    def _all(self, name: str, pattern: str, members: Sequence[str]) -> set[str]:
        """The fields and the facts behind a fact."""
        key = f"+{name}"
        if key not in self._below:
            self._below[key] = set()
            made: set[str] = set()
            for read in self.names.fact(pattern).reads:
                for each, its, own in self.singles(read, members):
                    made |= self._meant(each) if each in self.names.index else {each}
                    if its in self.names.facts:
                        made |= self._all(each, its, own)
            self._below[key] = made
        return self._below[key]


def names_of(pack: Any) -> Names:
    """Every name that the sentences of a pack may use; its tables are read for what a look-up in them depends on."""
    names = Names(pack.read("sheet"))
    known: dict[str, tuple[set[Read], Mapping[str, Any]]] = {}

    def table(name: str) -> tuple[set[Read], Mapping[str, Any]]:
        key = name.casefold()
        if key not in known:
            known[key] = set(), {}
            doc = copied(pack.read(key)) if key in pack.layers else {}
            compiler = Compiler(names, key)
            if doc:
                compiler.table(doc)
            circle = next((each for each in compiler.faults if "worked out from itself" in each), "")
            if circle:
                raise Trouble(f"the table {name}: {circle}")
            known[key] = compiler.reads, doc
        return known[key]

    names.tables = table
    names.looked_up = known
    return names


def copied(part: Any) -> Any:
    """A parsed file that can be written into."""
    if isinstance(part, Mapping):
        return {
            key: copied(value) for key, value in part.items() if not key.startswith("#")
        }  # those are the compiler's
    return [copied(each) for each in part] if isinstance(part, list) else part


def compiled(names: Names, name: str, doc: Mapping[str, Any], place: str) -> tuple[str, Sequence[str], list[str]]:
    """The Python of a file, what is wrong with its sentences, and the tables that it looks things up in."""
    made, compiler = copied(doc), Compiler(names, place, name)
    write = {
        "sheet": compiler.sheet,
        "rules": compiler.rules,
        "sequence": compiler.steps,
        "choices": compiler.choices,
        "pack": compiler.about,
    }
    write.get(name, compiler.table)(made)
    made["#untils"] = compiler.untils
    return (
        f"{compiler.module.source()}DOC = {made!r}\n",
        compiler.faults,
        list(names.looked_up) if name in ("sheet", "rules") else [],
    )


def condition(pack: Any, sentence: str) -> Any:
    """One condition that stands in no file, as a function of the facts; it may speak of any member that is bound."""
    from companion.packs.cache import run

    module = Module(pack.names)
    test = Writer(module, sentence, set()).condition(tree(sentence), Scope(pack.names, LOCAL))
    made = module.function("v", [f"return {test}"])
    unit = run(compile(f"{module.source()}DOC = {{'test': {made!r}}}\n", "<condition>", "exec"), pack, "")
    return unit["test"]
