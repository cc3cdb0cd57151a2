"""One file of a pack being linked: what its tables and results say and do, as functions compiled on first use."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import Any, TypeVar

from companion.engine.fields import Spec
from companion.engine.sheet import Sheet
from companion.engine.sheet_names import Read
from companion.packs.expressions import Early, Parser
from companion.packs.language import ANY, BY_ROLLS, Draft, Kind, Language, Lazy, Scope, SentenceError, field_kind
from companion.packs.names import Members
from companion.packs.nodes import (
    Dict,
    all_of,
    assigned,
    attribute,
    bound_to,
    call,
    constant,
    done,
    each_of,
    held,
    listed,
    listing,
    method,
    name,
    returned,
    several,
    variable_of,
    when,
)  # fmt: skip
from companion.problems import SystemFault

Doc = dict[str, Any]  # a part of a file that functions are written into
Body = Sequence[ast.stmt]
T = TypeVar("T")
FIGURES = r"(?<![\w.-])(net|roll)(?![\w.-]|': )"  # a sentence that asks for the roll itself
AGAIN = r"(?<![\w.-])again(?![\w.-])"


def own_names(part: object) -> Iterator[str]:
    """Yield the names that a file binds for itself: in patterns of results and in `with`."""
    if isinstance(part, dict):
        for key, value in part.items():
            if isinstance(value, dict):
                if key == "outcome":
                    yield from (hole for slug in value if "{" in slug for hole in re.findall(r"\{([a-z-]+)\}", slug))
                elif key == "with":
                    yield from value
                yield from own_names(value)
            elif isinstance(value, list):
                yield from own_names(value)
    elif isinstance(part, list):
        for each in part:
            if isinstance(each, dict | list):
                yield from own_names(each)


class Several(SystemFault):
    """Faults in parts of what is under one key, each with what to say instead of that key."""

    def __init__(self, wrong: Sequence[tuple[str, SystemFault]]) -> None:
        self.wrong = wrong
        super().__init__("; ".join(f"{key}: {problem}" for key, problem in wrong))


def faults_in(place: Sequence[str], problem: SystemFault) -> list[str]:
    """Return what is wrong as sentences, each with its place."""
    if isinstance(problem, Several):
        return [each for key, inner in problem.wrong for each in faults_in([*place[:-1], key], inner)]
    return [f"{', '.join(place)}: {problem}"]


class File:
    """One file being linked. `by` is its name as orders remember it: the conditions that end them are its `untils`."""

    def __init__(self, language: Language, by: str, label: str = "") -> None:
        self.language, self.by, self.label = language, by, label or language.label
        self.untils: dict[str, Callable[..., Any]] = {}
        self.remembers = False  # whether anything in it asks if a row has come up before
        self._place: tuple[str, ...] = ()
        self._counting: list[Sentence] = []
        self._all: list[tuple[tuple[str, ...], Callable[[], object]]] = []

    @property
    def sheet(self) -> Sheet:
        """The sheet its sentences are about."""
        return self.language.sheet

    @contextmanager
    def within(self, *place: str) -> Iterator[None]:
        """Say in which part of the file the sentences met meanwhile are."""
        outer, self._place = self._place, (*self._place, *place)
        try:
            yield
        finally:
            self._place = outer

    def proved(self) -> list[str]:
        """Compile everything that was linked, and return what is wrong with it."""
        faults: list[str] = []
        for place, make in self._all:
            try:
                make()
            except SystemFault as problem:
                faults += faults_in(place, problem)
        return list(dict.fromkeys(faults))

    def reads(self) -> set[Read]:
        """Return what all columns, modifiers and adjustments that were linked read."""
        return {each for sentence in self._counting for each in sentence.reads()}

    # -- functions ---------------------------------------------------------------------------------------------------

    def function(
        self, key: str, arguments: Sequence[str], body: Callable[[Draft], Body], *, counts: bool = False
    ) -> FunctionType:
        """Return a function whose body is written when it is first called.

        `key` says where its sentence is; without one it joins sentences that are proved by themselves.
        """
        sentence = Sentence(self, self._place, key, arguments, body)
        if key and self.language.strict:
            self._all.append(((*self._place, key), sentence.made))
        if counts:
            self._counting.append(sentence)
        return sentence.work

    def condition(
        self, doc: Doc, key: str, scope: Scope, arguments: Sequence[str] = ("v",), *, counts: bool = False
    ) -> None:
        """Link the condition under a key."""
        if isinstance(doc.get(key), str):
            doc[f"#{key}"] = self.function(key, arguments, partial(_tested, doc[key], scope), counts=counts)

    def number(self, doc: Doc, key: str, scope: Scope, *, throws: bool = False) -> None:
        """Link the number under a key; where dice may be rolled for it, the function takes them."""
        if not isinstance(doc.get(key), str):
            return
        arguments = ("v", "dice") if throws else ("v",)
        doc[f"#{key}"] = self.function(key, arguments, partial(_counted, doc[key], scope, throws), counts=True)
        if throws:
            doc["#dice"] = sum(
                int(each) for each in re.findall(r"(?<![\w.:-])(\d+)D(?![\w.:-])", re.sub(r"'[^']*'", "", doc[key]))
            )

    def text(self, doc: Doc, key: str, scope: Scope) -> None:
        """Link the text under a key where it has braces. But for the name of an option it is for a player to read."""
        if isinstance(doc.get(key), str) and "{" in doc[key]:
            doc[f"#{key}"] = self.function(key, ("v",), partial(_told, doc[key], scope, key != "name"))

    def field(self, doc: Doc, key: str, scope: Scope) -> None:
        """Link the name of a field under a key."""
        doc[f"#{key}"] = self.function(key, ("v",), lambda draft: [returned(Parser(draft, doc[key], scope).field()[0])])

    def bindings(self, doc: Doc, key: str, scope: Scope) -> None:
        """Link what is bound under a key."""
        if isinstance(doc.get(key), Mapping):
            doc[f"#{key}"] = self.function(key, ("v",), lambda draft: [returned(bindings(draft, doc[key], scope))])

    def of_rolls(self) -> dict[str, Kind]:
        """Return the names bound by a roll, where no field of the sheet has that name."""
        return {each: kind for each, kind in BY_ROLLS.items() if each not in self.sheet.patterns}

    def members(self, key: str, sentence: object, *, with_row: bool = False) -> Members | None:
        """Return what a `for` goes through; None where that is wrong, which is said when the file is proved."""

        def make() -> Members:
            members = Parser(Draft(self.language), sentence, Scope()).members_of()  # type: ignore[arg-type]
            if members.index not in self.sheet.index or (members.row and not with_row):
                raise SentenceError(str(sentence), members.place, f"there is no index {members.index}")
            return members

        place = (*self._place, key)
        self._all.append((place, make))
        try:
            return make()
        except SystemFault as problem:
            if self.language.strict:
                return None
            raise SystemFault(faults_in(place, problem)[0]) from None


class Sentence(Lazy):
    """One function of a file, and the sentences in it; what it reads is known when it is compiled."""

    __slots__ = ("_made", "arguments", "body", "file", "key", "place")

    def __init__(
        self, file: File, place: tuple[str, ...], key: str, arguments: Sequence[str], body: Callable[[Draft], Body]
    ) -> None:
        super().__init__(file.language)
        self.file, self.place, self.key, self.arguments, self.body = file, place, key, arguments, body
        self._made: tuple[FunctionType, set[Read]] | None = None

    def made(self) -> tuple[FunctionType, set[Read]]:
        """Compile it, once; with it what it reads. Raises SystemFault."""
        if self._made is None:
            draft = Draft(self.file.language, self.file.label)
            self._made = draft.function(self.arguments, self.body(draft)), draft.reads
        return self._made

    def compiled(self) -> FunctionType:
        """Compile it; what is wrong is said with its place in the file."""
        try:
            return self.made()[0]
        except SystemFault as problem:
            raise SystemFault(faults_in([*self.place, self.key or "all at once"], problem)[0]) from None

    def reads(self) -> set[Read]:
        """Return what it reads."""
        return self.made()[1]


def test(draft: Draft, sentence: str, scope: Scope) -> ast.expr:
    """Write a condition."""
    parser = Parser(draft, sentence, scope)
    return parser.condition(parser.end(parser.case()))


def _tested(sentence: str, scope: Scope, draft: Draft) -> Body:
    return [returned(test(draft, sentence, scope))]


def _counted(sentence: str, scope: Scope, throws: bool, draft: Draft) -> Body:
    parser = Parser(draft, sentence, scope, throws=throws)
    return [returned(parser.number(parser.end(parser.case())))]


def _told(text: str, scope: Scope, shown: bool, draft: Draft) -> Body:
    return [returned(words(draft, text, scope, shown=shown))]


def words(draft: Draft, text: str, scope: Scope, *, shown: bool = False) -> ast.expr:
    """Write a text that may have braces."""
    if "{" not in text:
        return constant(text)
    return call("str", Parser(draft, "", scope).template(text, shown=shown))


def bindings(draft: Draft, named: Spec, scope: Scope, before: str = "") -> ast.expr:
    """Write what is bound under names, over what is bound already."""
    sheet = draft.language.sheet
    keys: list[ast.expr | None] = [None] if before else []
    values: list[ast.expr] = [name(before)] if before else []
    wrong: list[tuple[str, SystemFault]] = []
    for each, sentence in named.items():
        kind, field = ANY, sheet.fields.get(each)
        if each in sheet.index:
            kind = Kind("member", sheet.index[each], each)
        elif field is not None:
            kind = field_kind(field)
        keys.append(constant(each))
        try:
            values.append(
                Parser(draft, sentence, scope).binding(kind) if isinstance(sentence, str) else constant(str(sentence))
            )
        except SystemFault as problem:
            wrong.append((f"with.{each}", problem))
    if wrong:
        raise Several(wrong)
    return Dict(keys, values)


# -- what happens ------------------------------------------------------------------------------------------------------


def happens(file: File, doc: Doc, scope: Scope, die_of_case: Callable[[File, Doc, Scope], None] | None = None) -> None:
    """Link what a part of a file says and does, and its cases; `die_of_case` links the die that a case asks for."""
    if file.remembers and _asks_again(doc):
        doc["#again"] = True
    file.text(doc, "text", scope)
    lines: list[str] = list(doc.get("do", ()))
    if lines:
        doc["#do"] = file.function(
            "do",
            ("p", "bind"),
            lambda draft: [
                assigned("v", _facts()),
                *_each("do", lines, lambda line: Parser(draft, line, scope).line()),
            ],
        )
    if "order" in doc:
        _until(file, doc, scope)
        doc["#order"] = file.function(
            "order", ("p", "bind"), lambda draft: [assigned("v", _facts()), *_order(file, draft, doc, scope)]
        )
    asked: list[Doc] = [{"roll": each} if isinstance(each, str) else each for each in doc.get("then", ())]
    if asked:
        for each in asked:
            _until(file, each, scope)
        doc["#then"] = file.function(
            "then",
            ("p", "bind"),
            lambda draft: [
                assigned("v", _facts()),
                *_each("then", asked, lambda spec: _asked(file, draft, spec, scope)),
            ],
        )
    for number, case in enumerate(doc.get("cases", ()), 1):
        with file.within(f"case {number}"):
            file.condition(case, "when", scope)
            happens(file, case, scope, die_of_case)
            if die_of_case is not None:
                die_of_case(file, case, scope)


def _asks_again(doc: Spec) -> bool:
    """Return whether a row asks if it has been struck before."""
    conditions = [each.get("when", "") for each in doc.get("then", ()) if isinstance(each, Mapping)]
    sentences = [*doc.get("do", ()), *conditions, *(case.get("when", "") for case in doc.get("cases", ()))]
    asks = any("again" in str(each) and re.search(AGAIN, str(each)) for each in sentences)
    return asks or any(map(_asks_again, doc.get("cases", ())))


def _facts() -> ast.expr:
    return attribute(name("p"), "facts")


def _each(key: str, parts: Sequence[T], write: Callable[[T], Body]) -> list[ast.stmt]:
    """Write one of these after the other; raises Several."""
    body: list[ast.stmt] = []
    wrong: list[tuple[str, SystemFault]] = []
    for number, part in enumerate(parts, 1):
        try:
            body += write(part)
        except SystemFault as problem:
            wrong.append((f"{key} {number}", problem))
    if wrong:
        raise Several(wrong)
    return body


def _asked(file: File, draft: Draft, spec: Spec, scope: Scope) -> Body:
    """Write one thing that is asked for, with its members, its condition, and how often."""

    def item(inner: Scope) -> Body:
        return _order(file, draft, spec, inner) if "order" in spec else _item(draft, spec, inner)

    if "for" not in spec:
        return [when(test(draft, spec["when"], scope), *item(scope))] if "when" in spec else item(scope)
    members = Parser(draft, spec["for"], scope).members_of()
    index, alias = members.index, members.alias
    if index not in draft.language.sheet.index or members.row:
        raise SentenceError(spec["for"], members.place, f"there is no index {index}")
    early = Early([], [], [])
    if "when" in spec:
        early = Parser(draft, spec["when"], scope).early(index, alias)
    body = item(scope.binding(alias, index, draft.language.sheet.index[index]))
    variable = variable_of(alias)
    binds = bool(early.rest) or any(
        isinstance(each, ast.Name) and each.id == "v" for part in body for each in ast.walk(part)
    )
    if early.rest:
        body = [when(all_of(early.rest), *body)]
    bound = Dict([None, constant(alias)], [name("outer"), name(variable)])
    body = [*([bound_to(alias)] if binds else []), assigned("bind", bound), *body]
    if early.each:
        body = [when(all_of(early.each), *body)]
    loop: Body = [each_of(variable, draft.language.members(index), *body)]
    loop = [assigned("outer", name("bind")), *(held(alias, loop) if binds else loop), assigned("bind", name("outer"))]
    return [when(all_of(early.once), *loop)] if early.once else loop


def _item(draft: Draft, spec: Spec, scope: Scope) -> Body:
    bind = bindings(draft, spec["with"], scope, "bind") if spec.get("with") else name("bind")
    place = "last" if spec.get("later") == "all" else "later" if spec.get("later") else "front"
    usual: ast.expr = constant(None)
    if "ask" in spec:
        kind, (what, takes) = "ask", Parser(draft, spec["ask"], scope).field()
        if "usual" in spec:
            usual = Parser(draft, str(spec["usual"]), scope).whole(takes)
    elif "choose" in spec or "roll" in spec:
        kind = "choose" if "choose" in spec else "roll"
        what = words(draft, spec[kind], scope)
    else:
        raise SystemFault("it asks for nothing: roll, choose, ask or order says what")
    times = spec.get("times", 1)
    often = constant(times)
    if isinstance(times, str):
        parser = Parser(draft, times, scope)
        often = parser.number(parser.end(parser.case()))
    rows = constant(spec.get("rows"))
    return [done(method("p", "ask_for", constant(kind), what, usual, bind, constant(place), often, rows))]


def _until(file: File, spec: Doc, scope: Scope) -> None:
    """Link the condition that ends an order; one whose member is bound is found by its sentence too."""
    until = spec.get("until")
    if "order" not in spec or not isinstance(until, str) or until in file.untils:
        return
    members = file.members("then", spec["for"]) if "for" in spec else None
    if members is not None:
        scope = scope.binding(members.alias, members.index, file.sheet.index[members.index])
    file.untils[until] = file.function("", ("v",), lambda draft: [returned(test(draft, until, scope))])


def _order(file: File, draft: Draft, spec: Spec, scope: Scope) -> Body:
    until, about = spec.get("until"), list[str]()
    if isinstance(until, str):
        own = Draft(draft.language)
        test(own, until, scope)
        touched = draft.language.touched(own.reads)
        about = [each for each in (*file.sheet.index, *scope.local) if each in touched]
    bound = constant(tuple(dict.fromkeys(about)))
    text, cite = words(draft, spec["order"], scope, shown=True), constant(spec.get("cite", ""))
    return [done(method("p", "order", text, cite, constant(until), constant(file.by), bound, name("bind")))]


# -- tables ------------------------------------------------------------------------------------------------------------


def table_file(file: File, doc: Doc) -> None:
    """Link a table's own file."""
    written = repr(doc)
    file.remembers = "again" in written
    doc["#figures"] = ("net" in written or "roll" in written) and re.search(FIGURES, written) is not None
    kinds: dict[str, Kind] = dict(BY_ROLLS)
    for each in own_names(doc):
        if each not in file.sheet.index and each != "result":
            field = file.sheet.fields.get(each)
            kinds[each] = field_kind(field) if field is not None else ANY
    scope = Scope(kinds)
    _die(file, doc, scope)
    for patch in doc.get("patched", ()):
        for spec in patch.get("was", ()):  # modifiers as they were, for telling whether it made a difference
            file.condition(spec, "when", scope)
            file.number(spec, "add", scope)


def _die(file: File, doc: Doc, scope: Scope) -> None:
    """Link a die with its rows, modifiers and results: a table, a note, a row that is rolled for further."""
    for kind in ("modifier", "natural", "column"):
        for number, spec in enumerate(doc.get(kind, ()), 1):
            with file.within(f"{kind} {spec.get('id') or spec.get('title') or number}"):
                file.condition(spec, "when", scope, counts=True)
                if kind == "modifier":
                    file.number(spec, "add", scope)
                _rows(file, spec, scope)
    file.text(doc, "owner", scope)
    _at_once(file, doc, scope)
    _rows(file, doc, scope)
    file.bindings(doc, "with", scope)
    for number, step in enumerate(doc.get("adjust", ()), 1):
        with file.within(f"adjust {number}"):
            file.condition(step, "when", scope)
            file.number(step, "is", scope)
    file.number(doc, "is", scope, throws=True)
    for kind in ("outcome", "sub"):
        for slug, spec in doc.get(kind, {}).items():
            with file.within(f"{kind}.{slug}"):
                happens(file, spec, scope, _die)
                _die(file, spec, scope)
                if "{" in slug:
                    spec["#takes"] = dict(_taken(file, spec, re.findall(r"\{([a-z-]+)\}", slug)))
    if "ask" in doc and file.by:
        file.condition(doc, "when", scope)
        file.text(doc, "why", scope)
    if "id" in doc and any(key in doc for key in ("do", "then", "cases", "text")):
        happens(file, doc, scope, _die)


def _at_once(file: File, doc: Doc, scope: Scope) -> None:
    """Link all columns of a die as one function that picks the first that holds (-1: none), and all modifiers as one
    that lists those that apply: [(place, amount)]."""
    columns = [*doc.get("column", ()), *([{}] if "rows" in doc else ())]
    if len(columns) > 1:

        def pick(draft: Draft) -> Body:
            lines: list[ast.stmt] = []
            for at, each in enumerate(columns):
                found = returned(constant(at))
                lines.append(when(test(draft, each["when"], scope), found) if "#when" in each else found)
            return [*lines, returned(constant(-1))]

        doc["#column"] = file.function("", ("v",), pick)
    modifiers: Sequence[Doc] = doc.get("modifier", ())
    if modifiers and not any("group" in each for each in modifiers):

        def list_them(draft: Draft) -> Body:
            lines: list[ast.stmt] = []
            for at, each in enumerate(modifiers):
                amount = constant(each.get("add", 1))
                if "#add" in each:
                    parser = Parser(draft, each["add"], scope)
                    amount = parser.number(parser.end(parser.case()))
                line = listed(several([constant(at), amount]))
                lines.append(when(test(draft, each["when"], scope), line) if "#when" in each else line)
            return listing(lines)

        doc["#modifier"] = file.function("", ("v",), list_them)


def _taken(file: File, spec: Spec, holes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the holes of a pattern written into a field as they are (`target.city = city`), with that field."""
    for sentence in spec.get("do", ()):
        line = re.fullmatch(r"\s*([\w.:-]+)\s*=\s*([\w-]+)(?:\s+if\s.*)?\s*", str(sentence), re.DOTALL)
        if line and line[2] in holes and line[1] in file.sheet.families:
            yield line[2], line[1]
    for case in spec.get("cases", ()):
        yield from _taken(file, case, holes)


def _rows(file: File, doc: Doc, scope: Scope) -> None:
    for key, row in doc.get("rows", {}).items():
        with file.within(f"row {key}"):
            doc["rows"][key] = (
                [_result(file, each, scope) for each in row] if isinstance(row, list) else _result(file, row, scope)
            )
    if isinstance(doc.get("memory"), str):
        file.field(doc, "memory", scope)


def _result(file: File, result: Any, scope: Scope) -> Any:
    """Return a row's result linked; one with braces is worked out when it comes up."""
    if isinstance(result, str) and "{" in result:
        result = {"as": result}
    if not isinstance(result, dict):
        return result
    if isinstance(result.get("as"), str) and "{" in result["as"]:
        result["#as"] = file.function("as", ("v",), lambda draft: [returned(words(draft, result["as"], scope))])
    file.bindings(result, "with", scope)
    if "ask-once" in result:
        file.field(result, "ask-once", scope)
    return result
