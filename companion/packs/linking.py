"""Linking of sentences in pack files: for each key with a sentence, `#key` gets a function of the facts.

A file is linked in one pass that compiles nothing; each function is compiled at its first call. With a strict language
the same pass also lists everything to be checked.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import Any

from companion.engine.fields import Spec
from companion.engine.questions import KINDS
from companion.engine.sheet import Read, Sheet
from companion.packs import nodes as py
from companion.packs.expressions import Parser, expression
from companion.packs.language import (
    ANY,
    BY_ROLLS,
    NUMBER,
    TEXT,
    Kind,
    Language,
    Scope,
    Sentence,
    SentenceError,
    Write,
    field_kind,
)
from companion.packs.toml_files import Doc, Where, places
from companion.problems import SystemFault

AGAIN = r"(?<![\w.-])again(?![\w.-])"
OF_EVENTS: Mapping[str, Kind] = {
    "was": ANY,
    "value": ANY,
    "more": NUMBER,
    **dict.fromkeys(("back", "by", "near", "person", "times", "told", "were", "what"), TEXT),
}
"""The names a sentence of `story.toml` may use besides the sheet: a change before and after, its amount (`times` in
words: `(twice)`), its field, `yes` where it has had that value before (`back`), the entry's table (`by`), its man
(`person`), all that is told together with its verb (`told`, `were`), and what would have changed a roll (`near`)."""


# -- sentences of a sort -----------------------------------------------------------------------------------------------


SORTS = {
    "when": "condition",
    **dict.fromkeys(("add", "is"), "number"),
    **dict.fromkeys(("text", "title", "owner", "why", "refuse"), "text"),
    "name": "label",
    "memory": "field",
}
"""The sort of sentence under each key that many parts have."""


# -- a file being linked -----------------------------------------------------------------------------------------------


class File:
    """One file being linked.

    `by` is its name as stored in orders; `untils` are the conditions that end them. `counting` are the sentences that
    decide the row of a roll, `wrong` the faults of its loops.
    """

    def __init__(self, language: Language, by: str = "") -> None:
        self.language, self.by = language, by
        self.untils: dict[str, Callable[..., Any]] = {}
        self.sentences: list[Sentence] = []
        self.counting: list[Sentence] = []
        self.wrong: list[tuple[Where, str]] = []
        self.remembers = False  # whether any condition in it depends on earlier occurrences of a row
        self._place: Where = ()

    @property
    def sheet(self) -> Sheet:
        """Return the sheet that its sentences refer to."""
        return self.language.sheet

    @contextmanager
    def within(self, *place: str | int) -> Iterator[None]:
        """Set the current part of the file for the sentences linked within the `with`."""
        outer, self._place = self._place, (*self._place, *place)
        try:
            yield
        finally:
            self._place = outer

    def function(
        self, arguments: Sequence[str], write: Write, parts: Mapping[Where, Write], *, counts: bool = False
    ) -> FunctionType:
        """Return a function that is compiled at its first call; its parts are checked separately."""
        place = (*self._place, *next(iter(parts), ()))
        sentence = Sentence(self.language, arguments, write, (self.by, *place))
        if counts:
            self.counting.append(sentence)
        if self.language.strict:
            for at, part in parts.items():
                self.sentences.append(Sentence(self.language, arguments, part, (self.by, *self._place, *at)))
        return sentence.work

    def link(
        self,
        doc: Doc,
        scope: Scope,
        sorts: Mapping[str, str] = SORTS,
        arguments: Sequence[str] = ("v",),
        *,
        counts: bool = False,
    ) -> None:
        """Link the sentences under keys without a function; a text only if it has braces."""
        for key in [each for each in doc if each in sorts and f"#{each}" not in doc]:
            sentence, sort = doc[key], sorts[key]
            if key == "when" and "#first" in doc:  # already linked for that purpose
                continue
            if isinstance(sentence, str) and (sort not in ("text", "label") or "{" in sentence):
                write = partial(_returned, sort, self.language, sentence, scope)
                doc[f"#{key}"] = self.function(arguments, write, {(key,): write}, counts=counts)

    def link_bindings(self, doc: Doc, scope: Scope) -> None:
        """Link the bindings under `with`."""
        named = doc.get("with")
        if isinstance(named, dict):
            write: dict[Where, Write] = {
                ("with", each): partial(_bound, self.language, {each: named[each]}, scope) for each in named
            }
            doc["#with"] = self.function(("v",), partial(_bound, self.language, named, scope), write)

    def of_rolls(self) -> dict[str, Kind]:
        """Return the names bound by a roll that are not fields of the sheet."""
        return {each: kind for each, kind in BY_ROLLS.items() if each not in self.sheet.patterns}

    def members(self, doc: Doc, *, with_row: bool = False) -> tuple[str, str, str, str] | None:
        """Return the members of a part's `for` loop; None if it is missing or wrong."""
        if "for" not in doc:
            return None
        try:
            return Parser(self.language, doc["for"], Scope(), set()).members_of(with_row=with_row)
        except SentenceError as wrong:
            self.wrong.append(((*self._place, "for"), str(wrong)))
            return None


def _returned(sort: str, language: Language, sentence: str, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    return [py.returned(expression(sort, language, sentence, scope, reads))]


def _bound(language: Language, named: Spec, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    return [py.returned(bindings(language, named, scope, reads))]


# -- effects, in any file ----------------------------------------------------------------------------------------------


def happens(file: File, doc: Doc, scope: Scope) -> None:
    """Link the texts, effects and rolls of a part of a file, with its cases, modifiers, rows and results."""
    if file.remembers and _asks_again(doc):
        doc["#again"] = True
    file.link(doc, scope, {"is": "formula"}, ("v", "dice"), counts=True)
    file.link(doc, scope)
    asks: list[Doc] = [{"roll": each} if isinstance(each, str) else each for each in doc.get("then", ())]
    lines: Sequence[str] = doc.get("do", ())
    parts: dict[str, dict[Where, Write]] = {
        "do": {("do", at): partial(do_line, file.language, each, scope) for at, each in enumerate(lines)},
        "order": {("order",): partial(order, file.language, file.by, doc, scope)} if "order" in doc else {},
        "then": {("then", at): partial(asked, file.language, file.by, each, scope) for at, each in enumerate(asks)},
    }
    for key, writes in parts.items():
        if writes:
            doc[f"#{key}"] = file.function(("p", "bind"), partial(_one_after_other, writes), writes)
    for each in (doc, *asks):
        if isinstance(each.get("until"), str) and "order" in each and each["until"] not in file.untils:
            write = partial(until, file.language, each, scope)
            file.untils[each["until"]] = file.function(("v",), write, {})
    for at, case in enumerate(doc.get("cases", ())):
        with file.within("cases", at):
            happens(file, case, scope)
    for kind in ("modifier", "natural", "column", "adjust"):
        for at, spec in enumerate(doc.get(kind, ())):
            with file.within(kind, at):
                file.link(spec, scope, counts=True)
                _rows(file, spec, scope)
    _rows(file, doc, scope)
    file.link_bindings(doc, scope)
    if "#is" in doc:
        dice = re.findall(r"(?<![\w.:-])(\d+)D(?![\w.:-])", re.sub(r"'[^']*'", "", doc["is"]))
        doc["#dice"] = sum(map(int, dice))
    for kind in ("outcome", "sub"):
        for slug, spec in doc.get(kind, {}).items():
            with file.within(kind, slug):
                happens(file, spec, scope)
                if "{" in slug:
                    spec["#takes"] = dict(_taken(file, spec, re.findall(r"\{([a-z-]+)\}", slug)))


def _one_after_other(parts: Mapping[Where, Write], reads: set[Read]) -> list[ast.stmt]:
    return [
        py.assigned("v", py.attribute(py.name("p"), "facts")),
        *(line for write in parts.values() for line in write(reads)),
    ]


def _asks_again(doc: Spec) -> bool:
    """Return whether a row depends on its earlier occurrences."""
    conditions = [each.get("when", "") for each in doc.get("then", ()) if isinstance(each, Mapping)]
    sentences = [*doc.get("do", ()), *conditions, *(case.get("when", "") for case in doc.get("cases", ()))]
    return any(re.search(AGAIN, str(each)) for each in sentences) or any(map(_asks_again, doc.get("cases", ())))


def _taken(file: File, spec: Spec, holes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the placeholders of a pattern that are written directly into a field (`target.city = city`), with that
    field.
    """
    for sentence in spec.get("do", ()):
        line = re.fullmatch(r"\s*([\w.:-]+)\s*=\s*([\w-]+)(?:\s+if\s.*)?\s*", str(sentence), re.DOTALL)
        if line and line[2] in holes and line[1] in file.sheet.families:
            yield line[2], line[1]
    for case in spec.get("cases", ()):
        yield from _taken(file, case, holes)


def _rows(file: File, doc: Doc, scope: Scope) -> None:
    for key, row in doc.get("rows", {}).items():
        with file.within("rows", key):
            linked_row = [_result(file, each, scope) for each in (row if isinstance(row, list) else [row])]
            doc["rows"][key] = linked_row if isinstance(row, list) else linked_row[0]


def _result(file: File, result: Any, scope: Scope) -> Any:
    """Return a row's linked result; one with braces is worked out when needed."""
    if isinstance(result, str) and "{" in result:
        result = {"as": result}
    if isinstance(result, dict):
        file.link(result, scope, {"as": "label", "ask-once": "field"})
        file.link_bindings(result, scope)
    return result


# -- the files of a pack -----------------------------------------------------------------------------------------------


def own_names(doc: Doc) -> Iterator[str]:
    """Yield the names that a file binds, in patterns of results and in `with`."""
    for at, _ in places(doc):
        if at[-2:-1] == ("outcome",) and "{" in str(at[-1]):
            yield from re.findall(r"\{([a-z-]+)\}", str(at[-1]))
        elif at[-2:-1] == ("with",):
            yield str(at[-1])


def _table(file: File, doc: Doc) -> None:
    """Link a table's own file."""
    file.remembers = "again" in repr(doc)
    kinds: dict[str, Kind] = dict(BY_ROLLS)
    for each in own_names(doc):
        if each not in file.sheet.index and each != "result":
            declared = file.sheet.fields.get(each)
            kinds[each] = field_kind(declared) if declared is not None else ANY
    scope = Scope(kinds)
    happens(file, doc, scope)


def _rules(file: File, doc: Doc) -> None:
    """Link `rules.toml`."""
    for at, rule in enumerate(doc.get("rule", ())):
        with file.within("rule", at):
            scope = Scope(file.of_rolls())
            if members := file.members(rule):
                index, alias = rule["#for"] = [*members[:2]]
                file.link(rule, scope.through(alias, index), {"when": "condition"}, ("v", py.variable_of(alias)))
                scope = scope.binding(alias, index, file.sheet.index[index])
            happens(file, rule, scope)


def _steps(file: File, doc: Doc) -> None:
    """Link `sequence.toml`."""
    scope = Scope(file.of_rolls())
    for at, step in enumerate(doc.get("step", ())):
        with file.within("step", at):
            happens(file, step, scope)


def _choices(file: File, doc: Doc) -> None:
    """Link `choices.toml`: a choice has the bindings of the part that asks for it."""
    outer = Scope({**{each: ANY for each in own_names(doc) if each not in file.sheet.index}, **file.of_rolls()})
    for each, of, option in answers(doc):
        option["do"] = [*option.get("do", ()), f"{each}.answered{of} = {each}.now{of}"]
    for each, choice in doc.get("choice", {}).items():
        with file.within("choice", each):
            file.link(choice, outer)
            for at, option in enumerate(choice.get("option", ())):
                with file.within("option", at):
                    _option(file, option, outer)


def answers(choices: Spec) -> Iterator[tuple[str, str, Doc]]:
    """Yield each option with `again-when`: its choice, the indexes in its facts (`[gun]`), and the option."""
    for choice, spec in choices.get("choice", {}).items():
        for option in spec.get("option", ()):
            if facts := option.get("again-when"):
                yield choice, "".join(dict.fromkeys(re.findall(r"\[[\w-]+\]", " ".join(facts)))), option


def with_answers(sheet: Spec, choices: Spec) -> Spec:
    """Return a sheet with the facts needed for `again-when`.

    For a choice these are `NAME.answered` (its facts at the answer), `NAME.now` (its current facts) and `NAME.again`
    (whether they differ).
    """
    fields, facts = dict(sheet.get("fields", {})), dict(sheet.get("facts", {}))
    for choice, of, option in answers(choices):
        plain = {each for part in fields.values() for each in part if "[" not in each}
        label = f"{choice}, as answered" + of.replace("[", ", {").replace("]", "}")
        ends = " ".join(each for each in ("ask-again", *option["again-when"]) if each in plain)
        answered = {f"{choice}.answered{of}": {"label": label, "until": ends}}
        fields["working"] = {**fields.get("working", {}), **answered}
        facts[f"{choice}.now{of}"] = "'" + " ".join(f"{{{fact}}}" for fact in option["again-when"]) + "'"
        facts[f"{choice}.again{of}"] = f"{choice}.answered{of} != {choice}.now{of}"
    return {**sheet, "fields": fields, "facts": facts}


def earlier_words(choices: Spec, sequence: Spec) -> dict[str, dict[str, str]]:
    """Return the present names by earlier ones (`was`): of choices, of the options of each, and of steps."""
    words = {"step": {step["was"]: step["id"] for step in sequence.get("step", ()) if "was" in step}}
    words["choice"] = {spec["was"]: name for name, spec in choices.get("choice", {}).items() if "was" in spec}
    for choice, spec in choices.get("choice", {}).items():
        words[f"choice {choice}"] = {each["was"]: each["name"] for each in spec.get("option", ()) if "was" in each}
    return {each: renamed for each, renamed in words.items() if renamed}


def _option(file: File, option: Doc, scope: Scope) -> None:
    """Link an option, or one for each member: `#first` lists the members for which its condition holds."""
    if members := file.members(option, with_row=True):
        index, alias, row, table = members
        option["#for"] = [index, alias, row or None, table]
        other = file.members({"for": option["and"]}) if "and" in option else None
        if not row and other is None and isinstance(option.get("when"), str):
            write = partial(members_for_whom, file.language, index, alias, option["when"], scope)
            option["#first"] = file.function(("v",), write, {("when",): write})
        scope = scope.binding(alias, index, file.sheet.index[index])
        if row:
            scope.local[row] = ANY
        if other is not None:
            option["#and"] = [*other[:2]]
            scope = scope.binding(other[1], other[0], file.sheet.index[other[0]])
    file.link(option, scope, {"usual": "condition"})
    happens(file, option, scope)


def _about(file: File, doc: Doc) -> None:
    """Link `pack.toml`: the status line, the forecast and the conditions of the campaign log, for each crewman if
    needed.
    """
    at_table, log, forecast, plain = doc.get("at-table", {}), doc.get("log", {}), doc.get("forecast", {}), Scope()
    lists = [("at-table", at_table, "line"), ("at-table", at_table, "move")]
    lists += [("forecast", forecast, "chance"), ("forecast", forecast, "mean")]
    parts: list[tuple[Where, Doc]] = [
        ((name, key, at), part) for name, spec, key in lists for at, part in enumerate(spec.get(key, ()))
    ]
    for place, part in [*parts, (("at-table", "wave"), at_table.get("wave", {})), (("reveal",), doc.get("reveal", {}))]:
        with file.within(*place):
            file.link(part, plain)
    with file.within("log"):
        file.link(log, plain, dict.fromkeys(("counts", "aircraft-lost"), "condition"))
        if "position" in file.sheet.index:
            men, arguments = plain.through("position", "position"), ("v", py.variable_of("position"))
            standing = log.get("standing", {})
            file.link(log, men, dict.fromkeys(("flew", "lost", "home"), "condition"), arguments)
            with file.within("standing"):
                file.link(standing, men, dict.fromkeys(standing, "condition"), arguments)
            for at, each in enumerate(log.get("unsettled", ())):
                with file.within("unsettled", at):
                    file.link(each, men, arguments=arguments)


def _story(file: File, doc: Doc) -> None:
    """Link `story.toml`."""
    of_events = {each: kind for each, kind in OF_EVENTS.items() if each not in file.sheet.patterns}
    scope = Scope({**file.of_rolls(), **of_events})
    file.link(doc, scope, {"title": "text", "foe": "text"})
    with file.within("person"):
        file.link(doc.get("person", {}), scope, {"name": "text", "post": "text"})
    for at, part in enumerate(doc.get("luck", ())):
        with file.within("luck", at):
            file.link(part, scope, {"whose": "text"})
    texts = ("text", "title", "by", "first", "place", "places", "quiet", "still", "zone", "as", "did", "verb", "idle")
    for key in ("chapter", "line", "opening", "headline", "end", "short"):
        for at, part in enumerate(doc.get(key, ())):
            with file.within(key, at):
                file.link(part, scope, {"when": "condition", **dict.fromkeys(texts, "text")})


LINK: Mapping[str, Callable[[File, Doc], None]] = {
    "rules": _rules,
    "sequence": _steps,
    "choices": _choices,
    "pack": _about,
    "rulings": lambda file, doc: None,  # files without sentences
    "story": _story,
}
"""The functions that link a file of that name; any other is a table."""


def linked(language: Language, name_of_file: str, doc: Doc) -> File:
    """Link a file in place; raise SystemFault for a `for` over an unknown index."""
    file = File(language, name_of_file)
    LINK.get(name_of_file, _table)(file, doc)
    doc["#untils"] = file.untils
    if file.wrong and not language.strict:
        raise SystemFault(file.wrong[0][1])
    return file


# -- effects and requests (`do`, `order`, `then`) ----------------------------------------------------------------------


def do_line(language: Language, line: str, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    """Compile a line of `do`."""
    return Parser(language, line, scope, reads).line()


def bindings(language: Language, named: Spec, scope: Scope, reads: set[Read], before: str = "") -> ast.expr:
    """Compile bindings, which override earlier ones."""
    sheet = language.sheet
    keys: list[ast.expr | None] = [None] if before else []
    values: list[ast.expr] = [py.name(before)] if before else []
    for each, sentence in named.items():
        kind, field = ANY, sheet.fields.get(each)
        if each in sheet.index:
            kind = Kind("member", sheet.index[each], each)
        elif field is not None:
            kind = field_kind(field)
        elif language.strict and each not in sheet.known:
            raise SentenceError(each, 0, f"with.{each}: there is no field {each}{language.near(each) or '.'}")
        keys.append(py.constant(each))
        if not isinstance(sentence, str):
            if language.strict and each in sheet.index and str(sentence) not in sheet.index[each]:
                raise SentenceError(str(sentence), 0, f"with.{each}: there is no {each} {sentence}")
            values.append(py.constant(str(sentence)))
            continue
        try:
            parser = Parser(language, sentence, scope, reads)
            piece = parser.end(parser.case(kind))
            values.append(py.call("str", parser.number(piece) if kind is NUMBER else parser.value(piece)))
        except SentenceError as wrong:
            raise SentenceError(wrong.sentence, wrong.place, f"with.{each}: {wrong.why}") from None
    return py.Dict(keys, values)


def asked(language: Language, by: str, spec: Spec, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    """Compile one request, with its members, its condition and its count."""
    write = order if "order" in spec else _item
    if "for" not in spec:
        test = expression("condition", language, spec["when"], scope, reads) if "when" in spec else None
        return py.when(test, *write(language, by, spec, scope, reads))
    index, alias, *_ = Parser(language, spec["for"], scope, reads).members_of()
    through = scope.through(alias, index)
    test = expression("condition", language, spec["when"], through, reads) if "when" in spec else None
    bound = py.Dict([None, py.constant(alias)], [py.name("outer"), py.name(py.variable_of(alias))])
    body = [py.assigned("bind", bound), *write(language, by, spec, _of_member(language, spec, scope), reads)]
    loop = py.for_each(alias, language.members(index), *py.when(test, *body), binds=True)
    return [py.assigned("outer", py.name("bind")), *loop, py.assigned("bind", py.name("outer"))]


def _of_member(language: Language, spec: Spec, scope: Scope) -> Scope:
    """Return the scope for the member of a loop; the same scope without a loop."""
    if "for" not in spec:
        return scope
    index, alias, *_ = Parser(language, spec["for"], scope, set()).members_of()
    return scope.binding(alias, index, language.sheet.index[index])


def _item(language: Language, by: str, spec: Spec, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    bind = bindings(language, spec["with"], scope, reads, "bind") if spec.get("with") else py.name("bind")
    place = "last" if spec.get("later") == "all" else "later" if spec.get("later") else "front"
    usual: ast.expr = py.constant(None)
    kind = next((each for each in KINDS if each in spec), "")
    if not kind:
        raise SentenceError(", ".join(spec), 0, "it needs a roll, choose, ask or order")
    if kind == "ask":
        parser = Parser(language, spec["ask"], scope, reads)
        what, takes = parser.end(parser.target())
        if "usual" in spec:
            parser = Parser(language, str(spec["usual"]), scope, reads)
            usual = parser.accepted(takes, parser.end(parser.case(takes)))
    else:
        what = expression("label", language, spec[kind], scope, reads)
    often = py.constant(spec.get("times", 1))
    if isinstance(spec.get("times"), str):
        often = expression("number", language, spec["times"], scope, reads)
    rows = py.constant(spec.get("rows"))
    line = expression("text", language, spec["line"], scope, reads) if "line" in spec else py.constant("")
    return [
        py.done(py.method("p", "ask_for", py.constant(kind), what, usual, bind, py.constant(place), often, rows, line))
    ]


def order(language: Language, by: str, spec: Spec, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    """Compile an order to the player, with the bindings for the condition that ends it."""
    ending, about = set[Read](), list[str]()
    if isinstance(spec.get("until"), str):
        expression("condition", language, spec["until"], scope, ending)
        touched = language.touched(ending)
        about = [each for each in (*language.sheet.index, *scope.local) if each in touched]
    text = expression("text", language, spec["order"], scope, reads)
    cite, until = py.constant(spec.get("cite", "")), py.constant(spec.get("until"))
    bound = py.constant(tuple(dict.fromkeys(about)))
    return [py.done(py.method("p", "order", text, cite, until, py.constant(by), bound, py.name("bind")))]


def until(language: Language, spec: Spec, scope: Scope, reads: set[Read]) -> list[ast.stmt]:
    """Compile the condition that ends an order."""
    return [py.returned(expression("condition", language, spec["until"], _of_member(language, spec, scope), reads))]


def members_for_whom(
    language: Language, index: str, alias: str, test: str, scope: Scope, reads: set[Read]
) -> list[ast.stmt]:
    """Compile a list of the members for which a condition holds."""
    variable, members = py.variable_of(alias), language.members(index)
    parser = Parser(language, test, scope.through(alias, index), reads)
    holds = parser.end(parser.condition(parser.case()))
    if not (alias == index and index in language.touched(reads)):
        return [py.returned(py.call("list", py.of_each(variable, members, py.name(variable), holds)))]
    chosen = py.function_of(
        variable, py.either(py.joined("or", [py.binding(index), holds]), py.name(variable), py.constant(None))
    )
    chosen_of_each = py.call("each", py.name("v"), py.constant(alias), members, chosen)
    return [py.returned(py.call("list", py.call("filter", py.constant(None), chosen_of_each)))]
