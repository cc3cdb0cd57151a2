"""Pack sentences as Python functions: one recursive parser that builds `ast` nodes.

    evasive and not (altitude = lo or zone in (1, 2))          a condition
    6 if engines.out >= 2 else half-up(result)                 a number by case
    load[bay] = gone for bay if doors[bay] != jammed-shut      a line of `do`
    position as p                                              the members of a `for` loop

Names are resolved against the sheet. No part of a sentence becomes Python text: names and words are constants in a tree
of a few kinds of nodes, so a pack cannot call, import, open or loop over anything else. A `strict` language also checks
the kinds of all names; otherwise only sentences that cannot be compiled are refused.
"""

import ast
from collections.abc import Sequence

from companion.engine.fields import Field
from companion.engine.sheet import Read
from companion.packs import nodes as py
from companion.packs.language import ANY, FLAG, NUMBER, TEXT, Kind, Language, Piece, Scope, SentenceError, field_kind
from companion.packs.names import FREE, KEYWORDS, NEGATION, OVER, POWER, TIGHTEST, Names
from companion.words import one_of


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
        if then.truth and other.truth:
            return Piece(py.either(test, then.py, other.py), FLAG, then.place, truth=True)
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
                left = self.joined(left, word, power)
            elif power == 4:
                left = self.comparison(left)
                if self.peek(*py.SIGNS):
                    raise self.misfit("join two comparisons with and, e.g. zone >= 2 and zone <= 4")
            else:
                self.at += 1
                left = self.calculated(left, word, self.binary(power + 1))

    def joined(self, first: Piece, word: str, power: int) -> Piece:
        """Read the rest of several conditions joined by the same word."""
        tests = [self.condition(first)]
        while self.take(word):
            tests.append(self.condition(self.binary(power + 1)))
        return Piece(py.joined(word, tests), FLAG, first.place, truth=True)

    def calculated(self, left: Piece, sign: str, right: Piece) -> Piece:
        """Return a sum, a difference or a product."""
        return Piece(py.calculated(self.number(left), sign, self.number(right)), NUMBER, left.place)

    def comparison(self, left: Piece) -> Piece:
        """Read an operator and the right side, or `in (…)`."""
        if sign := self.take(*py.SIGNS):
            if sign not in ("=", "!="):
                right = self.binary(5)
                return Piece(py.compared(self.number(left), sign, self.number(right)), FLAG, left.place, truth=True)
            test = self.equal(left, self.binary(5, left.kind))
            return Piece(test if sign == "=" else py.negated(test), FLAG, left.place, truth=True)
        denied = self.take("not")
        self.want("in")
        self.want("(")
        rights = [self.binary(5, left.kind)]
        while self.take(","):
            rights.append(self.binary(5, left.kind))
        self.want(")")
        test = self.among(left, rights)
        return Piece(py.negated(test) if denied else test, FLAG, left.place, truth=True)

    def equal(self, left: Piece, right: Piece) -> ast.expr:
        """Compile an equality test; texts of players are compared without case and spaces."""
        one, two = left.kind, right.kind
        if one is NUMBER or two is NUMBER:
            return py.compared(self.number(left), "=", self.number(right))
        if right.fixed and (one.name != "text" or right.word in ("", "none")):
            return py.compared(self.value(left), "=", self.value(right))
        if {"text", "any"} & {one.name, two.name}:
            return py.call("same", self.value(left), self.value(right))
        return py.compared(self.value(left), "=", self.value(right))

    def among(self, left: Piece, rights: Sequence[Piece]) -> ast.expr:
        """Compile a membership test."""
        if left.kind is NUMBER:
            return py.among(left.py, py.several([self.number(each) for each in rights]))
        if all(each.fixed for each in rights) and left.kind.name not in ("text", "any"):
            words = py.constant(frozenset(each.word for each in rights))
            return py.among(self.value(left), words)
        return py.joined("or", [*(self.equal(left, each) for each in rights), py.constant(False)])

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
        if word[:1] == "'":
            self.at += 1
            return self.text(word[1:-1], place, like)
        if word == "(":
            self.at += 1
            inner = self.case(like)
            self.want(")")
            return inner
        if word == "-":
            return self.negative(like)
        if word == "not" and least <= NEGATION:
            self.at += 1
            return Piece(py.negated(self.condition(self.binary(NEGATION))), FLAG, place, truth=True)
        raise self.misfit("a name, a number or a text is missing here")

    def negative(self, like: Kind | None) -> Piece:
        """Read a minus: a word of the left side such as `-2`, else the negative of a number."""
        place = self.at
        self.at += 1
        word = f"-{self.words[self.at]}"
        if like is not None and word in like.values:
            self.at += 1
            return Piece(py.constant(word), like, place, fixed=True)
        inner = self.binary(TIGHTEST)
        return Piece(py.negative(self.number(inner)), NUMBER, place, fixed=inner.fixed)

    def text(self, text: str, place: int, like: Kind | None) -> Piece:
        """Read a quoted text: a word of the left side, or a template with braces."""
        if "{" in text:
            return Piece(self.template(text), TEXT, place)
        if like is None or like is ANY:
            return Piece(py.constant(text), Kind("word", (text,)), place, fixed=True)
        if self.strict and like is NUMBER:
            raise self.wrong(place, "this must be a number, not a text")
        if self.strict and like.values and text not in (*like.values, *FREE, ""):
            raise self.wrong(place, f"this is never {text}. It can be {one_of(list(like.values))}")
        return Piece(py.constant(text), like, place, fixed=True)

    def function(self) -> Piece:
        """Read max(a, b), min(a, b), half-up(x), half-down(x), row('TABLE', 'part') or column('TABLE')."""
        place, word = self.at, self.atom()
        self.want("(")
        parts = [self.case()]
        while self.take(","):
            parts.append(self.case())
        self.want(")")
        if word in ("min", "max") and len(parts) > 1:
            return Piece(py.call(word, *map(self.number, parts)), NUMBER, place)
        if word in ("half-up", "half-down") and len(parts) == 1:
            number = self.number(parts[0])
            if word == "half-up":
                number = py.calculated(number, "+", py.constant(1))
            return Piece(py.calculated(number, "//", py.constant(2)), NUMBER, place)
        if all(each.fixed for each in parts) and len(parts) <= {"row": 2, "column": 1}.get(word, 0):
            return self.looked_up(word, place, parts[0].word, parts[1].word if len(parts) > 1 else "")
        functions = "max(a, b), min(a, b), half-up(x), half-down(x), row('TABLE', 'part') and column('TABLE')"
        raise self.wrong(place, f"the functions are {functions}")

    def looked_up(self, word: str, place: int, table: str, part: str) -> Piece:
        """Compile the current row of another table, or a test whether it has a column."""
        reads = self.language.table_reads(table)
        if reads is None:
            raise self.wrong(place, f"there is no table {table}")
        self.reads |= reads
        sheet = py.attribute(py.name("v"), "sheet")
        if word == "column":
            has = py.attribute(sheet, "has_column")
            return Piece(py.call(has, py.constant(table), py.name("v")), FLAG, place, truth=True)
        says = py.attribute(sheet, "look_up")
        return Piece(py.call(says, py.constant(table), py.constant(part), py.name("v")), ANY, place)

    def over(self) -> Piece:
        """Read `some gun (…)`, `count position as p (…)` and the like: a function over the members of an index."""
        place, sort = self.at, self.words[self.at]
        self.at += 1
        index = self.index()
        alias = self.atom() if self.take("as") else index
        outer_reads, outer_scope, variable = self.reads, self.scope, py.variable_of(alias)
        self.scope, self.reads = outer_scope.through(alias, index), set()
        self.want("(")
        value = self.number(self.case()) if sort in ("sum", "most", "least") else self.condition(self.case())
        binds = alias == index and index in self.language.touched(self.reads)
        if binds:
            value = py.joined("or", [py.binding(index), value])  # binding returns None
        self.want(")")
        outer_reads |= {
            (pattern, tuple(None if arg == ("$", variable) else arg for arg in args))
            for pattern, args in self.reads
            if not (binds and (pattern, args) == (index, ()))
        }
        self.reads, self.scope = outer_reads, outer_scope
        members = self.language.members(index)
        if binds:
            values = py.call("each", py.name("v"), py.constant(alias), members, py.function_of(variable, value))
        else:
            values = py.of_each(variable, members, value)
        if sort == "names":
            return Piece(
                py.call("listed", py.attribute(py.name("v"), "sheet"), py.constant(index), members, values), TEXT, place
            )
        if sort == "first":
            return Piece(py.call("first", members, values), self.member_kind(index), place)
        if sort in ("count", "sum", "most", "least"):
            return Piece(py.call({"most": "max", "least": "min"}.get(sort, "sum"), values), NUMBER, place)
        result = py.call("all" if sort == "every" else "any", values)
        return Piece(py.negated(result) if sort == "no" else result, FLAG, place, truth=True)

    # -- lines of `do` -------------------------------------------------------------------------------------------------

    def line(self) -> list[ast.stmt]:
        """Read a line of `do`, with `for` and `if` after it, as statements."""
        if "for" not in self.words:
            body = self.action()
            return self.end(py.when(self.guard(), *body))
        loop_at = self.words.index("for")
        self.at = loop_at + 1
        outer, outer_reads, index = self.scope, self.reads, self.index()
        alias = self.atom() if self.take("as") else index
        self.scope, self.reads = outer.through(alias, index), set()
        test = self.end(self.guard())
        self.at = 0
        body = py.when(test, *self.action())
        if self.at != loop_at:
            raise self.misfit("this doesn't fit here")
        binds = alias == index and index in self.language.touched(self.reads)
        outer_reads |= self.reads
        self.scope, self.reads = outer, outer_reads
        return py.for_each(alias, self.language.members(index), *body, binds=binds)

    def guard(self) -> ast.expr | None:
        """Read `if` and a condition, if they come next."""
        return self.condition(self.binary(1)) if self.take("if") else None

    def action(self) -> list[ast.stmt]:
        """Read one change to the sheet."""
        named = self.words[min(self.at + 1, len(self.words) - 1)][:1].isalnum()
        verb = self.take("mark", "erase", "append", "add", "clear", "drop", "exchange") if named else ""
        if verb == "append":
            single, _ = self.target()
            return [py.done(py.method("p", "append", single, self.value(self.binary(5))))]
        if verb in ("mark", "erase"):
            place = self.at
            single, takes = self.target()
            if self.strict and takes is not NUMBER:
                raise self.wrong(place, "this isn't a number that can be counted")
            count: ast.expr = py.constant(1)
            if not self.peek("", "for", "if"):
                piece = self.binary(5)
                count = piece.py if piece.kind is ANY else self.number(piece)
            return [py.done(py.method("p", "count" if verb == "mark" else "uncount", single, count))]
        if verb == "exchange":
            return self.exchange()
        if verb == "add":
            return self.adding()
        if verb:
            return [py.done(py.method("p", verb, py.constant(self.index("everything" if verb == "drop" else ""))))]
        single, takes = self.target()
        self.want("=")
        return [py.done(py.method("p", "fill", single, self.accepted(takes, self.binary(5, takes))))]

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
        return [py.done(py.method("p", "add", py.constant(index), py.several(filled), py.name("bind")))]

    def exchange(self) -> list[ast.stmt]:
        """Read the arguments of `exchange position, into`: two fields, or all fields of two members."""
        start, (at, one, brackets) = self.at, self.written()
        self.want(",")
        place, other, more = self.written()
        fields = [self.sheet.fields.get(each) for each in (one, other)]
        if brackets or more or all(field is not None and "[" in field.name for field in fields):
            self.at = start
            first, _ = self.target()
            self.want(",")
            return [py.done(py.method("p", "exchange", first, self.target()[0]))]
        known = one in (*self.scope.fixed, *self.scope.local, *self.sheet.known)
        index = self.word(*((one, at) if known else (other, place))).kind.index
        families = self.sheet.belongings.get(index, ())
        if not families:
            raise self.wrong(start, "exchange needs two indexes, e.g. exchange position, into")
        members = [self.member((where, each, None), index)[0] for where, each in ((at, one), (place, other))]
        lines = []
        for pattern in (f"{family}[{index}]" for family in families):
            if not isinstance(self.sheet.patterns.get(pattern), Field):
                raise self.wrong(start, f"{pattern} isn't a field of the sheet. It belongs to one {index}")
            names = [py.call("one", self.language.names(pattern), each) for each in members]
            lines.append(py.done(py.method("p", "exchange", *names)))
        return lines

    # -- texts ---------------------------------------------------------------------------------------------------------

    def template(self, text: str, *, shown: bool = False) -> ast.expr:
        """Compile a template; values are put in words if it is `shown` to a player."""
        pieces, holes, at = list[str](), list[ast.expr](), 0
        while (start := text.find("{", at)) >= 0:
            end = text.find("}", start)
            if end < 0:
                raise SentenceError(text, start, "this brace isn't closed")
            try:
                inner = Parser(self.language, text[start + 1 : end], self.scope, self.reads)
                piece = inner.end(inner.case())
            except SentenceError as wrong:
                raise SentenceError(text, start + 1 + wrong.place, wrong.why) from None
            value = inner.value(piece)
            holes.append(py.call("said", value) if shown and piece.kind is not NUMBER else value)
            pieces.append(text[at:start].replace("%", "%%"))
            at = end + 1
        pieces.append(text[at:].replace("%", "%%"))
        if not holes:
            return py.constant(text)
        return holes[0] if pieces == ["", ""] else py.filled("%s".join(pieces), holes)


def expression(sort: str, language: Language, sentence: str, scope: Scope, reads: set[Read]) -> ast.expr:
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
