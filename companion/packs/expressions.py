"""Pack sentences as Python functions: one recursive parser that builds `ast` nodes.

    evasive and not (altitude = lo or zone in (1, 2))          a condition
    6 if engines.out >= 2 else half-up(result)                 a number by case
    load[bay] = gone for bay if doors[bay] != jammed-shut      a line of `do`
    position as p                                              the members of a `for` loop

Names are resolved against the sheet. No part of a sentence becomes Python text: names and words are constants in a tree
of a few kinds of nodes, so a pack cannot call, import, open or loop over anything else.
"""

import ast
import re
from collections.abc import Callable, Mapping
from functools import cached_property
from types import FunctionType
from typing import Any, TypeVar

from companion.engine.fields import Field
from companion.engine.sheet import Derived, pattern_of
from companion.packs import nodes as py
from companion.packs.language import (
    ANY,
    NUMBER,
    TEXT,
    Kind,
    Language,
    Piece,
    Scope,
    Sentence,
    SentenceError,
    Truth,
    field_kind,
)
from companion.packs.names import FREE, KEYWORDS, NEGATION, OVER, POWER, TIGHTEST, Bracket, Named, Names
from companion.problems import SystemFault
from companion.words import one_of

T = TypeVar("T")
HOLE = re.compile(r"\{([^}]*)(\}?)")


class Parser(Names):
    """A parser for one sentence of any sort."""

    # -- expressions; `like` is the kind of the left side, which may supply the words ----------------------------------

    def case(self, like: Kind | None = None) -> Piece:
        """Read `a`, or `a if b else c`."""
        then = self.binary(1, like)
        if not self.take("if"):
            return then
        test = self.condition(self.binary(1))
        self.want("else")
        other = self.case(like)
        if isinstance(then, Truth) and isinstance(other, Truth):
            return Truth(py.either(test, then.py, other.py), then.place)
        if {then.kind, other.kind} == {NUMBER, ANY}:  # the reads of a table, or else a number
            return Piece(py.either(test, self.number(then), self.number(other)), NUMBER, then.place)
        return Piece(py.either(test, self.value(then), self.value(other)), _either(then.kind, other.kind), then.place)

    def binary(self, least: int, like: Kind | None = None) -> Piece:
        """Read operators of at least this precedence: `or` 1, `and` 2, comparisons 4, sums 5, products 6."""
        left = self.prefix(least, like)
        while True:
            word = self.words[self.at]
            power = POWER.get(word, 0)
            if power < least or not power or (word == "not" and self.words[self.at + 1] != "in"):
                return left
            if power <= 2:
                tests = [self.condition(left)]
                while self.take(word):
                    tests.append(self.condition(self.binary(power + 1)))
                left = Truth(py.joined(word, tests), left.place)
            elif power == 4:
                left = Truth(self.comparison(left), left.place)
                if self.peek(*py.SIGNS):
                    raise self.misfit("join two comparisons with and, e.g. zone >= 2 and zone <= 4")
            else:
                self.at += 1
                right = self.binary(power + 1)
                left = Piece(py.calculated(self.number(left), word, self.number(right)), NUMBER, left.place)

    def comparison(self, left: Piece) -> ast.expr:
        """Read an operator and the right side, or `in (…)`."""
        if sign := self.take(*py.SIGNS):
            if sign not in ("=", "!="):
                right = self.binary(5)
                return py.compared(self.number(left), sign, self.number(right))
            test = self.equal(left, self.binary(5, left.kind))
            return test if sign == "=" else py.negated(test)
        denied = self.take("not")
        self.want("in")
        rights = self.several(left.kind)
        if left.kind is NUMBER:
            test = py.compared(left.py, "in", py.several(map(self.number, rights)))
        elif all(each.fixed for each in rights) and left.kind.name not in ("text", "any"):
            test = py.compared(self.value(left), "in", py.constant(frozenset(each.word for each in rights)))
        else:
            test = py.joined("or", [*(self.equal(left, each) for each in rights), py.constant(False)])
        return py.negated(test) if denied else test

    def several(self, like: Kind | None = None) -> list[Piece]:
        """Read expressions in brackets, separated by commas."""
        self.want("(")
        parts = [self.case(like)]
        while self.take(","):
            parts.append(self.case(like))
        self.want(")")
        return parts

    def equal(self, left: Piece, right: Piece) -> ast.expr:
        """Compile an equality test; texts of players are compared without case and spaces."""
        one, two = left.kind, right.kind
        if one is NUMBER or two is NUMBER:
            return py.compared(self.number(left), "=", self.number(right))
        literal = right.fixed and (one.name != "text" or right.word in ("", "none"))
        if not literal and {"text", "any"} & {one.name, two.name}:
            return py.call("same", self.value(left), self.value(right))
        return py.compared(self.value(left), "=", self.value(right))

    def prefix(self, least: int, like: Kind | None) -> Piece:
        """Read the start of an expression: `not`, a sign, a bracket, a text, a function or a name."""
        word, place = self.words[self.at], self.at
        named = word[:1].isalnum() and word not in KEYWORDS
        if named:
            following = self.words[self.at + 1]
            if following == "(" and word not in OVER and word != "in":
                return self.function()
            if word in OVER and following[:1].isalnum() and following not in KEYWORDS and following != "in":
                return self.over()
            if following != "[":
                self.at += 1
                return self.bare(word, place, like)
        if named or word == "[":
            return self.of_members(self.written())
        if self.take("("):
            inner = self.case(like)
            self.want(")")
            return inner
        if word[:1] == "'":
            self.at += 1
            return self.text(word[1:-1], place, like)
        if word == "-":
            self.at += 1
            word = f"-{self.words[self.at]}"
            if like is not None and word in like.values:
                self.at += 1
                return Piece(py.constant(word), like, place, fixed=True)
            inner = self.binary(TIGHTEST)
            return Piece(py.node(ast.UnaryOp, ast.USub(), self.number(inner)), NUMBER, place, fixed=inner.fixed)
        if word == "not" and least <= NEGATION:
            self.at += 1
            return Truth(py.negated(self.condition(self.binary(NEGATION))), place)
        raise self.misfit("a name, a number or a text is missing here")

    def text(self, text: str, place: int, like: Kind | None) -> Piece:
        """Read a quoted text: a word of the left side, or a template with braces."""
        if "{" in text:
            return Piece(self.template(text), TEXT, place)
        if like is None or like is ANY:
            return Piece(py.constant(text), Kind("word", (text,)), place, fixed=True)
        if like is NUMBER:
            raise self.wrong(place, "this must be a number, not a text")
        if like.values and text not in (*like.values, *FREE, ""):
            raise self.wrong(place, f"this is never {text}. It can be {one_of(list(like.values))}")
        return Piece(py.constant(text), like, place, fixed=True)

    def function(self) -> Piece:
        """Read max(a, b), min(a, b), half-up(x), half-down(x), row('TABLE', 'part') or column('TABLE').

        `row` is the current row of another table, `column` whether it has a column.
        """
        place, word = self.at, self.atom()
        parts = self.several()
        if word in ("min", "max") and len(parts) > 1:
            return Piece(py.call(word, *map(self.number, parts)), NUMBER, place)
        if word in ("half-up", "half-down") and len(parts) == 1:
            number = self.number(parts[0])
            number = py.calculated(number, "+", py.constant(1)) if word == "half-up" else number
            return Piece(py.calculated(number, "//", py.constant(2)), NUMBER, place)
        if not all(each.fixed for each in parts) or len(parts) > {"row": 2, "column": 1}.get(word, 0):
            functions = "max(a, b), min(a, b), half-up(x), half-down(x), row('TABLE', 'part') and column('TABLE')"
            raise self.wrong(place, f"the functions are {functions}")
        table, part, sheet = parts[0].word, parts[1].word if parts[1:] else "", py.attribute(py.name("v"), "sheet")
        if (reads := self.language.table_reads(table)) is None:
            raise self.wrong(place, f"there is no table {table}")
        self.reads |= reads
        if word == "column":
            return Truth(py.call(py.attribute(sheet, "has_column"), py.constant(table), py.name("v")), place)
        says = py.attribute(sheet, "look_up")
        return Piece(py.call(says, py.constant(table), py.constant(part), py.name("v")), ANY, place)

    # -- loops over the members of an index ----------------------------------------------------------------------------

    def over(self) -> Piece:
        """Read `some gun (…)`, `count position as p (…)` and the like: a function over the members of an index."""
        place, sort = self.at, self.words[self.at]
        self.at += 1
        index, alias = self.loop()
        self.want("(")
        is_number = sort in ("sum", "most", "least")
        read = self.number if is_number else self.condition
        values = self.of_each(index, alias, lambda: read(self.case()), holding=sort in ("names", "first"))
        self.want(")")
        if sort == "names":
            sheet = py.attribute(py.name("v"), "sheet")
            return Piece(py.call("listed", sheet, py.constant(index), values), TEXT, place)
        if sort == "first":
            return Piece(py.call("next", values, py.constant("none")), self.member_kind(index), place)
        if is_number or sort == "count":
            return Piece(py.call({"most": "max", "least": "min"}.get(sort, "sum"), values), NUMBER, place)
        result = py.call("all" if sort == "every" else "any", values)
        return Truth(py.negated(result) if sort == "no" else result, place)

    def of_each(self, index: str, alias: str, read: Callable[[], ast.expr], *, holding: bool = False) -> ast.expr:
        """Return the value of an expression for each member of an index, or the members for which it holds."""
        value, members = self.within(index, alias, read)
        variable = py.variable_of(alias)
        return py.of_each(variable, members, *([py.name(variable), value] if holding else [value]))

    def within(self, index: str, alias: str, read: Callable[[], T]) -> tuple[T, ast.expr]:
        """Read what is inside a loop; also return its members, which are bound if a fact in it reads the index."""
        scope, reads = self.scope, self.reads
        self.scope, self.reads = scope.through(alias, index), set()
        part = read()
        binds = alias == index and index in self.sheet.touched(self.reads, self.language.opened)
        reads |= self.reads - {index} if binds else self.reads
        self.scope, self.reads = scope, reads
        members = self.language.members(index)
        return part, py.bound(alias, members) if binds else members

    def loop(self) -> tuple[str, str]:
        """Read the index and the alias of a loop: `fighter as f`."""
        index = self.index()
        return index, self.atom() if self.take("as") else index

    def members_of(self, *, with_row: bool = False) -> tuple[str, str, str, str]:
        """Read a whole `for` (`fighter as f, row of 5-6`): index, alias, and the row and its table."""
        index, alias = self.loop()
        if not (with_row and self.take(",")):
            return self.end((index, alias, "", ""))
        row = self.atom()
        self.want("of")
        place, table = self.at, self.atom()
        if self.language.counting(table.casefold()) is None:
            raise self.wrong(place, f"there is no table {table}")
        return self.end((index, alias, row, table))

    def written(self) -> Named:
        """Read a name with its brackets: `log[leg][zone].rolls`."""
        place, brackets = self.at, list[Bracket]()
        shape = "" if self.peek("[") else self.atom()
        while True:
            if self.take("["):
                word, at = self.words[self.at], self.at
                if word[:1].isalnum() and self.words[self.at + 1] == "]":
                    self.at += 1
                    brackets.append((at, word, None))
                else:
                    brackets.append((at, "", self.binary(5)))
                self.want("]")
                shape += "[]"
            elif brackets and self.peek(".") and self.words[self.at + 1][:1].isalnum():
                shape += f".{self.words[self.at + 1]}"
                self.at += 2
            else:
                return place, shape, brackets

    def target(self) -> tuple[ast.expr, Kind]:
        """Read the name of a field to be written: its single name, and its kind."""
        return self.changed(self.written())

    # -- lines of `do` -------------------------------------------------------------------------------------------------

    def line(self) -> list[ast.stmt]:
        """Read a line of `do`, with `for` and `if` after it, as statements."""
        if "for" not in self.words:
            body = self.action()
            return self.end(py.when(self.guard(), *body))
        loop_at = self.words.index("for")
        self.at = loop_at + 1
        index, alias = self.loop()

        def inner() -> list[ast.stmt]:
            test = self.end(self.guard())
            self.at = 0
            body = py.when(test, *self.action())
            if self.at != loop_at:
                raise self.misfit("this doesn't fit here")
            return body

        body, members = self.within(index, alias, inner)
        return [py.for_each(py.variable_of(alias), members, *body)]

    def guard(self) -> ast.expr | None:
        """Read `if` and a condition, if they come next."""
        return self.condition(self.binary(1)) if self.take("if") else None

    def action(self) -> list[ast.stmt]:
        """Read one change to the sheet."""
        named = self.words[min(self.at + 1, len(self.words) - 1)][:1].isalnum()
        verb = self.take("mark", "erase", "append", "add", "clear", "drop", "exchange") if named else ""
        if verb == "exchange":
            return self.exchange()
        if verb == "add":
            return self.adding()
        if verb in ("clear", "drop"):
            index = self.index("everything" if verb == "drop" else "")
            self.reads.add(index)
            return [py.done(verb, py.constant(index))]
        place, (single, takes) = self.at, self.target()
        if verb == "append":
            return [py.done("append", single, self.value(self.binary(5)))]
        if verb:
            if takes is not NUMBER:
                raise self.wrong(place, "this isn't a number that can be counted")
            count = py.constant(1)
            if not self.peek("", "for", "if"):
                piece = self.binary(5)
                count = piece.py if piece.kind is ANY else self.number(piece)
            return [py.done("count" if verb == "mark" else "uncount", single, count)]
        self.want("=")
        return [py.done("fill", single, self.accepted(takes, self.binary(5, takes)))]

    def adding(self) -> list[ast.stmt]:
        """Read `add fighter (type = tojo, clock = 6)` from the index on."""
        index, filled = self.index(), list[ast.expr]()
        self.want("(")
        while not self.take(")"):
            place, key = self.at, self.atom()
            field = self.sheet.patterns.get(f"{index}[{index}].{key}")
            if not isinstance(field, Field):
                raise self.wrong(place, f"one {index} has no {key}")
            self.want("=")
            takes = field_kind(field)
            filled.append(py.several([py.constant(key), self.accepted(takes, self.binary(5, takes))]))
            if not self.peek(")"):
                self.want(",")
        return [py.done("add", py.constant(index), py.several(filled), py.name("bind"))]

    def exchange(self) -> list[ast.stmt]:
        """Read the two members of `exchange position, into`, who swap their belongings."""
        pair = [(self.at, self.atom())]
        self.want(",")
        pair.append((self.at, self.atom()))
        known = {*self.scope.fixed, *self.scope.local, *self.sheet.known}
        place, word = pair[0] if pair[0][1] in known else pair[1]
        index = self.word(word, place).kind.index
        families = self.sheet.belongings.get(index, ())
        if not families:
            raise self.wrong(pair[0][0], "exchange needs two indexes, e.g. exchange position, into")
        for pattern in (f"{family}[{index}]" for family in families):
            if not isinstance(self.sheet.patterns.get(pattern), Field):
                raise self.wrong(place, f"{pattern} isn't a field of the sheet. It belongs to one {index}")
        members = [self.member((place, word, None), index) for place, word in pair]
        return [py.done("exchange", py.constant(index), *members)]

    # -- texts ---------------------------------------------------------------------------------------------------------

    def template(self, text: str, *, shown: bool = False) -> ast.expr:
        """Compile a template; values are put in words if it is `shown` to a player."""
        holes = list[ast.expr]()
        for hole in HOLE.finditer(text):
            if not hole[2]:
                raise SentenceError(text, hole.start(), "this brace isn't closed")
            try:
                inner = Parser(self.language, hole[1], self.scope, self.reads)
                piece = inner.end(inner.case())
                value = inner.value(piece)
            except SentenceError as wrong:
                raise SentenceError(text, hole.start(1) + wrong.place, wrong.why) from None
            holes.append(py.call("said", value) if shown and piece.kind is not NUMBER else value)
        written = HOLE.sub("%s", text.replace("%", "%%"))
        if not holes:
            return py.constant(text)
        return holes[0] if written == "%s" else py.calculated(py.constant(written), "%", py.several(holes))


def expression(sort: str, language: Language, sentence: str, scope: Scope, reads: set[str]) -> ast.expr:
    """Read a whole sentence of one sort, and add its reads.

    Args:
        sort: `condition`, `number`, `formula` (dice may be rolled for it), `field` (its single name), `text` for a
            player, or `label` (a text with unchanged values).
    """
    if sort in ("text", "label"):
        return py.call("str", Parser(language, "", scope, reads).template(sentence, shown=sort == "text"))
    parser = Parser(language, sentence, scope, reads, throws=sort == "formula")
    if sort == "field":
        return parser.end(parser.target())[0]
    piece = parser.end(parser.case())
    return parser.condition(piece) if sort == "condition" else parser.number(piece)


def _either(one: Kind, other: Kind) -> Kind:
    """Return the common kind of two pieces."""
    if one is other:
        return one
    if NUMBER in (one, other):
        return ANY
    if one.values and other.values:
        return Kind("word", dict.fromkeys([*one.values, *other.values]))
    return TEXT


# -- worked-out facts --------------------------------------------------------------------------------------------------


class Fact(Sentence, Derived):
    """A worked-out fact of the sheet; compiling it determines its kind and reads."""

    def __init__(self, language: Language, written: str, spec: Mapping[str, Any] | str) -> None:
        details: Mapping[str, Any] = {"is": spec} if isinstance(spec, str) else spec
        self.pattern, self.written, values = pattern_of(written), written, details.get("values", ())
        self.label = str(details.get("label") or self.pattern)
        self.text, self._values = str(details.get("is", "")), values.split() if isinstance(values, str) else values
        super().__init__(language, (), {(language.game, "sheet", "facts", written): self._written})

    def __str__(self) -> str:
        return f"the fact {self.pattern}"

    @cached_property
    def fixed(self) -> dict[str, tuple[str, str]]:
        """Return the variable and the index of each member by its name; raise SystemFault for a name used twice."""
        parts = [each.partition("]")[0].partition(" as ") for each in self.written.split("[")[1:]]
        fixed = {(alias or index).strip(): index.strip() for index, _, alias in parts}
        if len(fixed) < len(parts):
            other = f"[{next(iter(fixed.values()))} as other]"
            raise SystemFault(f"{self}: two members have the same name. Write {other} for one of them", self.place)
        return {alias: (py.variable_of(alias), index) for alias, index in fixed.items()}

    @cached_property
    def kind(self) -> Kind:
        """Return the kind of its value."""
        self.compiled()
        return self._kind

    @cached_property
    def touched(self) -> frozenset[str]:
        """Return the patterns that it ultimately depends on."""
        return self.language.sheet.touched(self.reads, self.language.opened)

    def compiled(self) -> FunctionType:
        """Compile it and all facts that its kind depends on; raise SystemFault."""
        opened, self.arguments = self.language.opened, ["v", *(variable for variable, _ in self.fixed.values())]
        if self.pattern in opened:
            why = f"it depends on itself: {' from '.join([*opened, self.pattern])}"
            raise SystemFault(f"{self}: {why}", self.place)
        opened.append(self.pattern)
        try:
            return super().compiled()
        except SentenceError as wrong:
            raise SystemFault(f"{self}: {wrong}", wrong.where) from None
        finally:
            opened.pop()

    def _written(self, reads: set[str]) -> list[ast.stmt]:
        parser = Parser(self.language, self.text, Scope({}, self.fixed), reads)
        piece = parser.end(parser.case())
        body = [py.returned(parser.value(piece))]
        self._kind = Kind("word", self._values) if self._values else piece.kind
        self.language.sheet.note_reads(self.pattern, reads)
        return body
