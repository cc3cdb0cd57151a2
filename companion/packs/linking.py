"""The sentences of a pack: for each key that holds one, `#key` gets a function of the facts.

A file is linked in one pass that compiles nothing; each function is compiled at its first call.

The functions of `#do`, `#then` and `#order` take the `Resolution` (`p`) and the bindings of the roll. The others take
the facts (`v`), for a rule or a crewman also the member; `#is` of a result also the function that rolls dice. Other
linked keys hold data: `#again` (the row asks whether it has come up before), `#dice` (the dice of a formula), `#takes`
(the field that each hole of a pattern is written to), `#for` and `#and` (the loops of an option or a rule).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any

from companion.engine.fields import Field, Spec
from companion.engine.questions import KINDS
from companion.engine.sheet import Sheet, reads_of
from companion.packs import nodes as py
from companion.packs.expressions import Fact, Parser, expression
from companion.packs.folders import Doc, Where, places
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

AGAIN = r"(?<![\w.-])again(?![\w.-])"
HOLES = re.compile(r"\{([a-z-]+)\}")  # in a pattern of results
SORTS = {
    "when": "condition",
    **dict.fromkeys(("add", "is"), "number"),
    **dict.fromkeys(("text", "title", "owner", "why", "refuse"), "text"),
    "name": "label",
    "memory": "field",
}
"""The sort of sentence under each key that many parts have."""
OF_STORY = "text title foe name post whose by first place places quiet still zone as did verb idle both".split()
SORTS_OF_STORY = {"when": "condition", **dict.fromkeys(OF_STORY, "text")}
OF_EVENTS: Mapping[str, Kind] = {
    "was": ANY,
    "value": ANY,
    "more": NUMBER,
    **dict.fromkeys(("back", "by", "near", "person", "times", "told", "were", "what"), TEXT),
}
"""The names a sentence of `story.toml` may use besides the sheet: a change before and after, its amount (`times` in
words: `(twice)`), its field, `yes` where it has had that value before (`back`), the entry's table (`by`), its man
(`person`), all that is told together with its verb (`told`, `were`), and what would have changed a roll (`near`)."""


class File:
    """One file whose sentences are linked in place.

    `by` is its name as stored in orders, `place` the current part. `untils` are the conditions that end orders, by
    sentence, `counting` the sentences that decide the row of a roll.
    """

    def __init__(self, language: Language, by: str, doc: Doc) -> None:
        self.language, self.by, self.doc = language, by, doc
        self.untils: dict[str, Callable[..., bool]] = {}
        self.sentences: list[Sentence] = []
        self.counting: list[Sentence] = []
        self.place: Where = ()

    @property
    def sheet(self) -> Sheet:
        """Return the sheet that its sentences refer to."""
        return self.language.sheet

    @property
    def where(self) -> Where:
        """Return the place of the current part, after the game and the file."""
        return self.language.game, self.by, *self.place

    def each(self, doc: Spec, *keys: str) -> Iterator[Doc]:
        """Yield the parts in lists or tables of a part; `place` is that of each in turn."""
        outer = self.place
        for key in keys:
            parts = doc.get(key, ())
            for at, part in parts.items() if isinstance(parts, dict) else enumerate(parts):
                self.place = (*outer, key, at)
                yield part
        self.place = outer

    def function(self, arguments: Sequence[str], parts: Mapping[Where, Write], *, counts: bool = False) -> FunctionType:
        """Return a function that is compiled at its first call.

        Args:
            arguments: The names of its arguments, such as `v` (the facts).
            parts: A writer of statements for each sentence, by its place.
            counts: Whether the function decides the row of a roll.
        """
        placed: dict[Where, Write] = {(*self.where, *at): write for at, write in parts.items()}
        sentence = Sentence(self.language, arguments, placed)
        self.sentences.append(sentence)
        if counts:
            self.counting.append(sentence)
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
            if isinstance(sentence, str) and (sort not in ("text", "label") or "{" in sentence):
                parts: dict[Where, Write] = {(key,): partial(self._returned, sort, sentence, scope)}
                doc[f"#{key}"] = self.function(arguments, parts, counts=counts)

    def _returned(self, sort: str, sentence: str, scope: Scope, reads: set[str]) -> list[ast.stmt]:
        return [py.returned(expression(sort, self.language, sentence, scope, reads))]

    def of_rolls(self) -> dict[str, Kind]:
        """Return the names bound by a roll that are not fields of the sheet."""
        return {each: kind for each, kind in BY_ROLLS.items() if each not in self.sheet.patterns}

    def members(self, doc: Doc, key: str = "for", *, with_row: bool = False) -> tuple[str, str, str, str] | None:
        """Return the members of a part's loop; None if there is none, or if it is wrong, as told where it is used."""
        if key not in doc:
            return None
        try:
            return Parser(self.language, doc[key], Scope(), set()).members_of(with_row=with_row)
        except SentenceError as wrong:
            doc["#when"] = self.function(("v",), {(key,): partial(_refused, wrong)})
            return None

    # -- effects, in any file ------------------------------------------------------------------------------------------

    def happens(self, doc: Doc, scope: Scope) -> None:
        """Link the texts, effects and rolls of a part of a file, with its cases, modifiers, rows and results."""
        if "then" in doc:
            doc["then"] = [{"roll": each} if isinstance(each, str) else each for each in doc["then"]]
        asks: list[Doc] = doc.get("then", [])
        if _asks_again(doc):
            doc["#again"] = True
        self.link(doc, scope, {"is": "formula"}, ("v", "dice"), counts=True)
        self.link(doc, scope)
        orders = [doc] if "order" in doc else []
        parts: dict[str, dict[Where, Write]] = {
            "do": {("do", at): partial(self.line, each, scope) for at, each in enumerate(doc.get("do", ()))},
            "order": {("order",): partial(self.order, doc, scope)} if orders else {},
            "then": {("then", at): partial(self.asked, each, scope) for at, each in enumerate(asks)},
        }
        for key, writes in parts.items():
            if writes:
                doc[f"#{key}"] = self.function(("p", "bind"), writes)
        for each in (*orders, *asks):
            if isinstance(each.get("until"), str) and "order" in each and each["until"] not in self.untils:
                until = partial(self._returned, "condition", each["until"], self._of_member(each, scope))
                ends = Sentence(self.language, ("v",), {self.where: until})
                self.untils[each["until"]] = ends.work
        for case in self.each(doc, "cases"):
            self.happens(case, scope)
        for spec in self.each(doc, "modifier", "natural", "column", "adjust"):
            self.link(spec, scope, counts=True)
            self._rows(spec, scope)
        self._rows(doc, scope)
        self._with(doc, scope)
        if "#is" in doc:
            dice = re.findall(r"(?<![\w.:-])(\d+)D(?![\w.:-])", re.sub(r"'[^']*'", "", doc["is"]))
            doc["#dice"] = sum(map(int, dice))
        for spec in self.each(doc, "outcome", "sub"):
            self.happens(spec, scope)
            if holes := HOLES.findall(str(self.place[-1])):
                spec["#takes"] = dict(self._taken(spec, holes))

    def _taken(self, spec: Spec, holes: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield each hole of a pattern that is written straight into a field (`target.city = city`), and that field."""
        for sentence in spec.get("do", ()):
            line = re.fullmatch(r"\s*([\w.:-]+)\s*=\s*([\w-]+)(?:\s+if\s.*)?\s*", str(sentence), re.DOTALL)
            if line and line[2] in holes and line[1] in self.sheet.families:
                yield line[2], line[1]
        for case in spec.get("cases", ()):
            yield from self._taken(case, holes)

    def _rows(self, doc: Doc, scope: Scope) -> None:
        """Link the results of rows; one with braces is worked out when needed."""
        for row in self.each(doc, "rows"):
            cells = [{"as": each} if isinstance(each, str) and "{" in each else each
                     for each in (row if isinstance(row, list) else [row])]  # fmt: skip
            for cell in cells:
                if isinstance(cell, dict):
                    self.link(cell, scope, {"as": "label", "ask-once": "field"})
                    self._with(cell, scope)
            doc["rows"][self.place[-1]] = cells if isinstance(row, list) else cells[0]

    def _with(self, doc: Doc, scope: Scope) -> None:
        """Link the bindings under `with`."""
        named = doc.get("with")
        if isinstance(named, dict):
            doc["#with"] = self.function(
                ("v",), {("with",): lambda reads: [py.returned(self.bindings(named, scope, reads))]}
            )

    # -- the writers of functions --------------------------------------------------------------------------------------

    def line(self, line: str, scope: Scope, reads: set[str]) -> list[ast.stmt]:
        """Compile a line of `do`."""
        return Parser(self.language, line, scope, reads).line()

    def bindings(self, named: Spec, scope: Scope, reads: set[str], before: str = "") -> ast.expr:
        """Compile bindings, which override earlier ones."""
        sheet = self.sheet
        keys: list[ast.expr | None] = [None] if before else []
        values: list[ast.expr] = [py.name(before)] if before else []
        for each, sentence in named.items():
            kind, field = ANY, sheet.fields.get(each)
            if each in sheet.index:
                kind = Kind("member", sheet.index[each], each)
            elif field is not None:
                kind = field_kind(field)
            elif each not in sheet.known:
                raise SentenceError(each, 0, f"with.{each}: there is no field {each}{self.language.near(each) or '.'}")
            keys.append(py.constant(each))
            if not isinstance(sentence, str):
                if each in sheet.index and str(sentence) not in sheet.index[each]:
                    raise SentenceError(str(sentence), 0, f"with.{each}: there is no {each} {sentence}")
                values.append(py.constant(str(sentence)))
                continue
            try:
                parser = Parser(self.language, sentence, scope, reads)
                piece = parser.end(parser.case(kind))
                values.append(py.call("str", parser.number(piece) if kind is NUMBER else parser.value(piece)))
            except SentenceError as wrong:
                raise SentenceError(wrong.sentence, wrong.place, f"with.{each}: {wrong.why}") from None
        return py.node(ast.Dict, keys, values)

    def asked(self, spec: Spec, scope: Scope, reads: set[str]) -> list[ast.stmt]:
        """Compile one request, with its members, its condition and its count.

        With `for = "bay"` the function loops over the members, each with bindings of its own:

            outer = bind
            for bay in (…):
                bind = {**outer, "bay": bay}
                p.ask_for(…, bind, …)
            bind = outer
        """
        language, write = self.language, self.order if "order" in spec else self._item
        index, alias = Parser(language, spec["for"], scope, reads).members_of()[:2] if "for" in spec else ("", "")
        inner, own = scope.through(alias, index) if index else scope, set[str]()
        test = expression("condition", language, spec["when"], inner, own) if "when" in spec else None
        body = write(spec, self._of_member(spec, scope), own)
        reads |= own - {alias}
        if not index:
            return py.when(test, *body)
        member = py.node(ast.Dict, [None, py.constant(alias)], [py.name("outer"), py.name(py.variable_of(alias))])
        steps = py.when(test, py.assigned("bind", member), *body)
        loop = py.for_each(py.variable_of(alias), py.bound(alias, language.members(index)), *steps)
        return [py.assigned("outer", py.name("bind")), loop, py.assigned("bind", py.name("outer"))]

    def _of_member(self, spec: Spec, scope: Scope) -> Scope:
        """Return the scope for the member of a loop; the same scope without a loop."""
        if "for" not in spec:
            return scope
        index, alias, *_ = Parser(self.language, spec["for"], scope, set()).members_of()
        return scope.binding(alias, index, self.sheet.index[index])

    def _item(self, spec: Spec, scope: Scope, reads: set[str]) -> list[ast.stmt]:
        bind = self.bindings(spec["with"], scope, reads, "bind") if spec.get("with") else py.name("bind")
        place = "last" if spec.get("later") == "all" else "later" if spec.get("later") else "front"
        usual, often = py.constant(None), py.constant(spec.get("times", 1))
        kind = next((each for each in KINDS if each in spec), "roll")
        if kind == "ask":
            parser = Parser(self.language, spec["ask"], scope, reads)
            what, takes = parser.end(parser.target())
            if "usual" in spec:
                parser = Parser(self.language, str(spec["usual"]), scope, reads)
                usual = parser.accepted(takes, parser.end(parser.case(takes)))
        else:
            what = expression("label", self.language, spec[kind], scope, reads)
        if isinstance(spec.get("times"), str):
            often = expression("number", self.language, spec["times"], scope, reads)
        line = expression("text", self.language, spec["line"], scope, reads) if "line" in spec else py.constant("")
        rows = py.constant(spec.get("rows"))
        return [py.done("ask_for", py.constant(kind), what, usual, bind, py.constant(place), often, rows, line)]

    def order(self, spec: Spec, scope: Scope, reads: set[str]) -> list[ast.stmt]:
        """Compile an order to the player, with the bindings for the condition that ends it."""
        ending, about = set[str](), list[str]()
        if isinstance(spec.get("until"), str):
            expression("condition", self.language, spec["until"], scope, ending)
            touched = self.sheet.touched(ending, self.language.opened)
            about = [each for each in (*self.sheet.index, *scope.local) if each in touched]
        text = expression("text", self.language, spec["order"], scope, reads)
        words = (spec.get("cite", ""), spec.get("until"), self.by, tuple(dict.fromkeys(about)))
        return [py.done("order", text, *map(py.constant, words), py.name("bind"))]


def _refused(wrong: SentenceError, reads: set[str]) -> list[ast.stmt]:
    raise wrong


def _asks_again(doc: Spec) -> bool:
    """Return whether a row depends on its earlier occurrences."""
    parts = [*doc.get("then", ()), *doc.get("cases", ())]
    sentences = [*doc.get("do", ()), *(each.get("when", "") for each in parts if isinstance(each, Mapping))]
    return any(re.search(AGAIN, str(each)) for each in sentences) or any(map(_asks_again, doc.get("cases", ())))


# -- the files of a pack -----------------------------------------------------------------------------------------------


def own_names(doc: Doc) -> Iterator[str]:
    """Yield the names that a file binds, in patterns of results and in `with`."""
    for at, _ in places(doc):
        if at[-2:-1] == ("outcome",):
            yield from HOLES.findall(str(at[-1]))
        elif at[-2:-1] == ("with",):
            yield str(at[-1])


def _table(file: File, doc: Doc) -> None:
    """Link a table's own file."""
    kinds: dict[str, Kind] = dict(BY_ROLLS)
    for each in own_names(doc):
        if each not in file.sheet.index and each != "result":
            declared = file.sheet.fields.get(each)
            kinds[each] = field_kind(declared) if declared is not None else ANY
    file.happens(doc, Scope(kinds))


def _rules(file: File, doc: Doc) -> None:
    """Link `rules.toml` or `sequence.toml`."""
    for rule in file.each(doc, "rule", "step"):
        scope = Scope(file.of_rolls())
        if members := file.members(rule):
            index, alias = rule["#for"] = [*members[:2]]
            file.link(rule, scope.through(alias, index), {"when": "condition"}, ("v", py.variable_of(alias)))
            scope = scope.binding(alias, index, file.sheet.index[index])
        file.happens(rule, scope)


def _choices(file: File, doc: Doc) -> None:
    """Link `choices.toml`: a choice has the bindings of the part that asks for it."""
    outer = Scope({**{each: ANY for each in own_names(doc) if each not in file.sheet.index}, **file.of_rolls()})
    for each, of, option in answers(doc):
        option["do"] = [*option.get("do", ()), f"{each}.answered{of} = {each}.now{of}"]
    for choice in file.each(doc, "choice"):
        file.link(choice, outer)
        for option in file.each(choice, "option"):
            _option(file, option, outer)


def _option(file: File, option: Doc, scope: Scope) -> None:
    """Link an option, or one for each member."""
    if members := file.members(option, with_row=True):
        index, alias, row, table = members
        option["#for"] = [index, alias, row or None, table]
        other = file.members(option, "and")
        scope = scope.binding(alias, index, file.sheet.index[index])
        if row:
            scope.local[row] = ANY
        if other is not None:
            option["#and"] = [*other[:2]]
            scope = scope.binding(other[1], other[0], file.sheet.index[other[0]])
    file.link(option, scope, {"usual": "condition"})
    file.happens(option, scope)


def _about(file: File, doc: Doc) -> None:
    """Link `pack.toml`: the status line, the forecast and the conditions of the campaign log, some for each crewman."""
    men, arguments = Scope().through("position", "position"), ("v", py.variable_of("position"))
    for place, part in list(places(doc)):
        file.place = place
        if not isinstance(part, dict) or (place[:1] == ("log",) and place[1:] and "position" not in file.sheet.index):
            continue
        if place == ("log",):
            file.link(part, Scope(), dict.fromkeys(("counts", "aircraft-lost"), "condition"))
            if "position" in file.sheet.index:
                file.link(part, men, dict.fromkeys(("flew", "lost", "home"), "condition"), arguments)
        elif place[:2] == ("log", "standing"):
            file.link(part, men, dict.fromkeys(part, "condition"), arguments)
        elif place[:2] == ("log", "unsettled"):
            file.link(part, men, arguments=arguments)
        elif place and (place[-1] in ("wave", "reveal") or isinstance(place[-1], int)):
            file.link(part, Scope())


def _story(file: File, doc: Doc) -> None:
    """Link `story.toml`."""
    of_events = {each: kind for each, kind in OF_EVENTS.items() if each not in file.sheet.patterns}
    scope = Scope({**file.of_rolls(), **of_events})
    for file.place, part in list(places(doc)):
        if isinstance(part, dict):
            file.link(part, scope, SORTS_OF_STORY)


LINK: Mapping[str, Callable[[File, Doc], None]] = {
    "rules": _rules,
    "sequence": _rules,
    "choices": _choices,
    "pack": _about,
    "rulings": lambda file, doc: None,  # files without sentences
    "story": _story,
}
"""The functions that link a file of that name; any other is a table."""


def linked(language: Language, name_of_file: str, doc: Doc) -> File:
    """Link a file in place."""
    file = File(language, name_of_file, doc)
    LINK.get(name_of_file, _table)(file, doc)
    return file


def answers(choices: Spec) -> Iterator[tuple[str, str, Doc]]:
    """Yield each option with `again-when`: its choice, the indexes in its facts (`[gun]`), and the option."""
    for choice, spec in choices.get("choice", {}).items():
        for option in spec.get("option", ()):
            if facts := option.get("again-when"):
                yield choice, "".join(dict.fromkeys(re.findall(r"\[[\w-]+\]", " ".join(facts)))), option


# -- the language of a pack --------------------------------------------------------------------------------------------


def language_of(
    game: str, doc: Doc, say: Callable[[Any], object], counting: Callable[[str], Sequence[Sentence] | None]
) -> Language:
    """Return the language of a pack, with the sheet from its `sheet.toml`, which is linked in place.

    Raise SystemFault if the sheet cannot be declared.
    """
    language = Language(game, say, counting)
    file = File(language, "sheet", doc)
    for spec in file.each(doc, "index"):
        if isinstance(spec, dict):
            file.link(spec, Scope())
    language.sheet = Sheet.read(game, doc)
    for written, spec in doc.get("facts", {}).items():
        fact = Fact(language, written, spec)
        file.sentences.append(fact)
        language.sheet.add_fact(fact)
    language.of_sheet = file.sentences
    return language


def condition(language: Language, sentence: str) -> FunctionType:
    """Compile a condition that is not in a file; it may use the bindings of a roll. Raise SystemFault."""

    def write(reads: set[str]) -> list[ast.stmt]:
        return [py.returned(expression("condition", language, sentence, Scope(BY_ROLLS), reads))]

    return Sentence(language, ("v",), {("", ""): write}).compiled()


def watched(language: Language, rules: Spec) -> dict[str, list[int]]:
    """Return, for every pattern of fields, the numbers of the linked rules without `on` that they can make true."""
    watched = dict[str, list[int]]()
    for number, rule in enumerate(rules.get("rule", ())):
        for each in language.sheet.touched(reads_of(rule["#when"])) if "on" not in rule and "#when" in rule else ():
            if isinstance(language.sheet.patterns.get(each), Field):
                watched.setdefault(each, []).append(number)
    return watched
