"""Sentences of the packs as Python functions: one recursive parser that builds `ast` nodes, compiled on first use.

    evasive and not (altitude = lo or zone in (1, 2))          a condition
    6 if engines.out >= 2 else half-up(result)                 a number by case
    load[bay] = gone for bay if doors[bay] != jammed-shut      a line of `do`
    position as p                                              the members that a `for` goes through

Names are resolved against the sheet. Nothing of a sentence is ever Python text: names and words become constants in a
tree that only these few kinds of nodes can be part of, so a pack can call, import, open and loop over nothing else.
A `strict` parser also proves the kinds of all that it reads; without it only what cannot be compiled is refused.
"""

import ast
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import FunctionType
from typing import Any, NamedTuple

from companion.engine.fields import Field
from companion.engine.sheet_names import Read, indexes_of, pattern_of
from companion.packs.language import (
    ANY,
    FLAG,
    NUMBER,
    TEXT,
    Draft,
    Kind,
    Language,
    Lazy,
    Piece,
    Scope,
    SentenceError,
    field_kind,
)  # fmt: skip
from companion.packs.names import FREE, KEYWORDS, NEGATION, OVER, POWER, TIGHTEST, Bracket, Names
from companion.packs.nodes import (
    SIGNS,
    added,
    all_of,
    among,
    assigned,
    attribute,
    bound_to,
    calculated,
    call,
    compared,
    constant,
    done,
    each_of,
    either,
    held,
    joined,
    method,
    name,
    negated,
    negative,
    returned,
    several,
    variable_of,
    when,
)  # fmt: skip
from companion.problems import SystemFault
from companion.words import one_of

DEEPEST = 60  # facts worked out from each other
MOST_LEVELS = 60  # of cases and brackets, one within another
MOST_GONE_THROUGH = 100_000  # members, where one quantifier is inside another


class Fact(Lazy):
    """A worked-out fact of the sheet. Its function (`work`), its kind and what it reads are known when it is compiled,
    which is when the first of them is needed."""

    def __init__(self, language: Language, written: str, spec: Mapping[str, Any] | str) -> None:
        self.language, self.pattern, self.indexes = language, pattern_of(written), indexes_of(written)
        brackets = [each.partition("]")[0] for each in written.split("[")[1:]]
        self.aliases = [(each.partition(" as ")[2] or each.partition(" as ")[0]).strip() for each in brackets]
        for alias in self.aliases:
            if not (alias.isascii() and alias.replace("-", "").replace(".", "").replace(":", "").isalnum()):
                odd = f"the fact {written!r} calls a member {alias!r}"
                raise SystemFault(f"{odd}; a name is letters, figures, hyphens and points")
        details: Mapping[str, Any] = spec if isinstance(spec, Mapping) else {"is": spec}
        self.sentence, values = str(details.get("is", "")), details.get("values", ())
        self._values = tuple(values.split() if isinstance(values, str) else values)
        super().__init__(language)
        self.depth = 1  # how many facts are below it, one through another; a strict language counts them
        self._kind: Kind | None = None
        self._reads: set[Read] = set()
        self._function: FunctionType | None = None

    @property
    def kind(self) -> Kind:
        """What it comes to."""
        if self._kind is None:
            self.compiled()
            assert self._kind is not None
        return self._kind

    @property
    def reads(self) -> set[Read]:
        """What it reads itself; `("$", 0)` is the member in the place of its first argument."""
        self.compiled()
        return self._reads

    @cached_property
    def touched(self) -> frozenset[str]:
        """The patterns of all that it comes down to."""
        return self.language.touched(self.reads)

    def compiled(self) -> FunctionType:
        """Compile it and all that its kind depends on; raises SystemFault."""
        if self._function is None:
            opened = self.language.opened
            if self.pattern in opened:
                circle = " from ".join([*opened, self.pattern])
                raise SystemFault(f"the fact {self.pattern}: it is worked out from itself: {circle}")
            self._refuse_depth(len(opened))
            opened.append(self.pattern)
            try:
                self._function = self._compile()
            except SentenceError as wrong:
                raise SystemFault(f"the fact {self.pattern}: {wrong}") from None
            except RecursionError:
                raise SystemFault(f"the fact {self.pattern}: it is nested too deeply") from None
            finally:
                opened.pop()
        return self._function

    def _refuse_depth(self, depth: int) -> None:
        if depth >= DEEPEST:
            raise SystemFault(
                f"the fact {self.pattern}: it is worked out from over {DEEPEST} others, one through another"
            )

    def _compile(self) -> FunctionType:
        if len(set(self.aliases)) < len(self.aliases):
            other = f"[{self.indexes[0]} as other]"
            raise SystemFault(
                f"the fact {self.pattern}: two of its members have one name; write {other} for one of them"
            )
        variables = [variable_of(each) for each in self.aliases]
        scope = Scope({}, dict(zip(self.aliases, zip(variables, self.indexes, strict=True), strict=True)))
        draft = Draft(self.language)
        parser = Parser(draft, self.sentence, scope)
        piece = parser.end(parser.case())
        function = draft.function(["v", *variables], [returned(parser.value(piece))])
        place = {variable: at for at, variable in enumerate(variables)}
        self._reads = {
            (pattern, tuple(("$", place[str(arg[1])]) if arg and arg[0] == "$" else arg for arg in args))
            for pattern, args in draft.reads
            if not pattern.startswith("$")
        }
        self._kind = Kind("word", self._values) if self._values else piece.kind
        if self.language.strict:
            facts = self.language.sheet.facts
            self.depth += max((facts[pattern].depth for pattern, _ in self._reads if pattern in facts), default=0)
            self._refuse_depth(self.depth)
        self.language.sheet.readers.note(self.pattern, (pattern for pattern, _ in self._reads))
        return function


class Early(NamedTuple):
    """A condition on each member of an index: what is asked before any is bound, `once` for all of them and of `each`,
    and the `rest`."""

    once: list[ast.expr]
    each: list[ast.expr]
    rest: list[ast.expr]


class Parser(Names):
    """Reads one sentence of whatever sort."""

    # -- expressions; `like` is the kind of the left side, whose words these may be -----------------------------------

    def case(self, like: Kind | None = None) -> Piece:
        """Read `a`, or `a if b else c`."""
        self.levels += 1
        if self.levels > MOST_LEVELS:
            raise self.wrong(0, "it is nested too deeply")
        try:
            return self._case(like)
        finally:
            self.levels -= 1

    def _case(self, like: Kind | None) -> Piece:
        then = self.binary(1, like)
        if not self.take("if"):
            return then
        test = self.condition(self.binary(1))
        self.want("else")
        other = self.case(like)
        if then.truth and other.truth:
            return Piece(either(test, then.py, other.py), FLAG, then.place, truth=True)
        if {then.kind, other.kind} == {NUMBER, ANY}:  # what a table reads, or else a number
            return Piece(either(test, self.number(then), self.number(other)), NUMBER, then.place)
        return Piece(either(test, self.value(then), self.value(other)), _either(then.kind, other.kind), then.place)

    def binary(self, least: int, like: Kind | None = None) -> Piece:
        """Read whatever binds at least so tightly: `or` 1, `and` 2, comparisons 4, sums 5, products 6."""
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
                if self.peek(*SIGNS):
                    raise self.misfit("two comparisons are joined by and: zone >= 2 and zone <= 4")
            else:
                self.at += 1
                left = self.calculated(left, word, self.binary(power + 1))

    def joined(self, first: Piece, word: str, power: int) -> Piece:
        """Read on from the first of several conditions joined by the same word."""
        tests = [self.condition(first)]
        while self.take(word):
            tests.append(self.condition(self.binary(power + 1)))
        return Piece(joined(word, tests), FLAG, first.place, truth=True)

    def calculated(self, left: Piece, sign: str, right: Piece) -> Piece:
        """Return a sum, a difference or a product."""
        one, two = self.number(left), self.number(right)
        if sign == "*" and not (left.fixed or right.fixed):
            return Piece(call("product", one, two), NUMBER, left.place)
        return Piece(calculated(one, sign, two), NUMBER, left.place)

    def comparison(self, left: Piece) -> Piece:
        """Read a sign and the right side, or `in (…)`."""
        if sign := self.take(*SIGNS):
            if sign not in ("=", "!="):
                right = self.binary(5)
                return Piece(compared(self.number(left), sign, self.number(right)), FLAG, left.place, truth=True)
            test = self.equal(left, self.binary(5, left.kind))
            return Piece(test if sign == "=" else negated(test), FLAG, left.place, truth=True)
        denied = self.take("not")
        self.want("in")
        self.want("(")
        rights = [self.binary(5, left.kind)]
        while self.take(","):
            rights.append(self.binary(5, left.kind))
        self.want(")")
        test = self.among(left, rights)
        return Piece(negated(test) if denied else test, FLAG, left.place, truth=True)

    def equal(self, left: Piece, right: Piece) -> ast.expr:
        """Return whether two pieces are the same; texts of players are compared without regard to case and blanks."""
        one, two = left.kind, right.kind
        if one is NUMBER or two is NUMBER:
            return compared(self.number(left), "=", self.number(right))
        if right.fixed and (one.name != "text" or right.word in ("", "none")):
            return compared(self.value(left), "=", self.value(right))
        if {"text", "any"} & {one.name, two.name}:
            return call("same", self.value(left), self.value(right))
        return compared(self.value(left), "=", self.value(right))

    def among(self, left: Piece, rights: Sequence[Piece]) -> ast.expr:
        """Return whether a piece is one of these."""
        if left.kind is NUMBER:
            return among(left.py, several([self.number(each) for each in rights]))
        if all(each.fixed for each in rights) and left.kind.name not in ("text", "any"):
            words = constant(frozenset(each.word for each in rights))
            return among(self.value(left), words)
        return joined("or", [*(self.equal(left, each) for each in rights), constant(False)])

    def prefix(self, least: int, like: Kind | None) -> Piece:
        """Read what begins an expression: a denial, a sign, a bracket, a text, a function, a name."""
        word, place = self.words[self.at], self.at
        if word[:1].isalnum() and (word not in KEYWORDS or (word != "not" and word in self.sheet.known)):
            following = self.words[self.at + 1]
            if following == "(" and word not in OVER and word != "in":
                return self.function()
            if word in OVER and following[:1].isalnum() and following not in KEYWORDS and following != "in":
                return self.over()
            return self.named(self.written(), like)
        if word == "[":
            return self.named(self.written(), like)
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
            return Piece(negated(self.condition(self.binary(NEGATION))), FLAG, place, truth=True)
        raise self.misfit("a name, a number or a text is missing here")

    def negative(self, like: Kind | None) -> Piece:
        """Read a minus: a word of the left side such as `-2`, else the negative of a number."""
        place = self.at
        self.at += 1
        word = None if like is None else like.knows(f"-{self.words[self.at]}")
        if like is not None and word is not None:
            self.at += 1
            return Piece(constant(word), like, place, fixed=True)
        inner = self.binary(TIGHTEST)
        return Piece(negative(self.number(inner)), NUMBER, place, fixed=inner.fixed)

    def text(self, text: str, place: int, like: Kind | None) -> Piece:
        """Return a quoted text: a word of the left side, or one with braces."""
        if "{" in text:
            return Piece(self.template(text, place), TEXT, place)
        if like is None or like is ANY:
            return Piece(constant(text), Kind("word", (text,)), place, fixed=True)
        word = like.knows(text)
        if self.strict and like is NUMBER:
            raise self.wrong(place, "this must be a number, not a text")
        if self.strict and like.values and word is None and text not in (*FREE, ""):
            raise self.wrong(place, f"this is never {text}; it is {one_of(list(like.values))}")
        return Piece(constant(text if word is None else word), like, place, fixed=True)

    def function(self) -> Piece:
        """Read max(a, b), min(a, b), half-up(x), half-down(x), row('TABLE', 'part') or column('TABLE')."""
        place, word = self.at, self.atom()
        self.want("(")
        parts = [self.case()]
        while self.take(","):
            parts.append(self.case())
        self.want(")")
        if word in ("min", "max") and len(parts) > 1:
            return Piece(call(word, *map(self.number, parts)), NUMBER, place)
        if word in ("half-up", "half-down") and len(parts) == 1:
            number = self.number(parts[0])
            if word == "half-up":
                number = calculated(number, "+", constant(1))
            return Piece(calculated(number, "//", constant(2)), NUMBER, place)
        if all(each.fixed for each in parts) and len(parts) <= {"row": 2, "column": 1}.get(word, 0):
            return self.looked_up(word, place, parts[0].word, parts[1].word if len(parts) > 1 else "")
        functions = "max(a, b), min(a, b), half-up(x), half-down(x), row('TABLE', 'part') and column('TABLE')"
        raise self.wrong(place, f"the functions are {functions}")

    def looked_up(self, word: str, place: int, table: str, part: str) -> Piece:
        """Return what a row of another table reads now, or whether it has a column now."""
        reads = self.language.table_reads(table)
        if reads is None:
            raise self.wrong(place, f"there is no table {table}")
        self.reads |= {*reads, ("$v", ())}
        sheet = attribute(name("v"), "sheet")
        if word == "column":
            has = attribute(sheet, "has_column")
            return Piece(call(has, constant(table), name("v")), FLAG, place, truth=True)
        says = attribute(sheet, "look_up")
        return Piece(call(says, constant(table), constant(part), name("v")), ANY, place)

    # -- members gone through ----------------------------------------------------------------------------------------

    def over(self) -> Piece:
        """Read `some gun (…)`, `count position as p (…)` and the like: a function that goes through the members."""
        sort = self.words[self.at]
        self.at += 1
        self.levels += 1
        place, index = self.at, self.index()
        alias = self.atom() if self.take("as") else index
        outer_reads, outer_scope, variable = self.reads, self.scope, variable_of(alias)
        often = len(self.sheet.index[index])
        for other in dict(outer_scope.fixed.values()).values():
            often *= len(self.sheet.index[other])
        if often > MOST_GONE_THROUGH:
            raise self.wrong(0, f"so many members, one within the other, are gone through {often} times")
        if self.levels > MOST_LEVELS:
            raise self.wrong(0, "it is nested too deeply")
        self.scope, self.reads = outer_scope.through(alias, index), set()
        self.want("(")
        if sort == "sum":
            members, test = self.language.members(index), self.number(self.case())
        else:
            members, test = self.tested(sort, index, variable)
        self.want(")")
        self.levels -= 1
        reads, self.reads, self.scope = self.reads, outer_reads, outer_scope
        binds = alias == index and index in self.language.touched(reads)
        self.reads |= {
            (pattern, tuple(None if arg == ("$", variable) else arg for arg in args))
            for pattern, args in reads
            if pattern != f"${variable}" and not (binds and (pattern, args) == (index, ()))
        }
        self.reads.add(("$v", ()))
        used = [each for each, _ in outer_scope.fixed.values() if (f"${each}", ()) in reads and each != variable]
        count = added("n", test if sort == "sum" else constant(1))
        step = (
            count
            if sort == "sum"
            else when(negated(test) if sort == "every" else test, returned(constant(sort == "some")))
        )
        last: ast.expr = constant(sort != "some")
        if sort in ("count", "sum"):
            last = name("n")
            step = step if sort == "sum" else when(test, count)
        loop = [each_of(variable, members, *([bound_to(alias)] if binds else []), step), returned(last)]
        body = [assigned("n", constant(0)), *(held(alias, loop) if binds else loop)]
        arguments = ["v", *dict.fromkeys(used)]
        result = call(self.draft.helper(arguments, body), *map(name, arguments))
        return Piece(result, NUMBER, place) if sort in ("count", "sum") else Piece(result, FLAG, place, truth=True)

    def tested(self, sort: str, index: str, variable: str) -> tuple[ast.expr, ast.expr]:
        """Return the members that come into question, and what is asked of each of them.

        What asks for nothing but the pack's words on the member is settled here.
        """
        once, rest = list[ast.expr](), list[ast.expr]()
        for test, reads in self.parts():
            (rest if reads - {(f"${variable}", ())} else once).append(test)
        if not once or sort == "every":
            return self.language.members(index), all_of([*once, *rest])
        holds = Draft(self.language).function([variable], [returned(all_of(once))])
        return constant(tuple(each for each in self.sheet.members(index) if holds(each))), all_of(rest)

    def parts(self) -> list[tuple[ast.expr, set[Read]]]:
        """Read a condition as the parts that `and` joins, each with what it reads."""
        start, whole, parts = self.at, self.reads, list[tuple[ast.expr, set[Read]]]()
        while True:
            self.reads = set()
            parts.append((self.condition(self.binary(NEGATION)), self.reads))
            whole |= self.reads
            if not self.take("and"):
                break
        if self.peek("or", "if"):
            self.at, self.reads = start, set()
            parts = [(self.condition(self.case()), self.reads)]
            whole |= self.reads
        self.reads = whole
        return parts

    def early(self, index: str, alias: str, row: str | None = None) -> Early:
        """Read a condition in three parts; what comes before any member, and any `row` of a table, is bound leaves most
        of them out."""
        outer, early = self.scope, Early([], [], [])
        self.scope = outer.through(alias, index)
        for test, reads in self.parts():
            if early.rest or {index, row} & self.language.touched(reads):
                early.rest.append(test)
            elif (
                early.each or (f"${variable_of(alias)}", ()) in reads
            ):  # in their order: one part may keep the next from harm
                early.each.append(test)
            else:
                early.once.append(test)
        self.end(None)
        self.scope = outer
        return early

    def index(self, besides: str = "") -> str:
        """Read the name of an index."""
        place, word = self.at, self.atom("the name of an index")
        if word not in self.sheet.index and word != besides:
            among = list(self.sheet.index)
            raise self.wrong(
                place, f"there is no index {word}; known are {one_of(among)}{self.language.near(word, among)}"
            )
        return word

    # -- lines of `do` -------------------------------------------------------------------------------------------------

    def line(self) -> list[ast.stmt]:
        """Read a line of `do`, with `for` and `if` behind it, as statements."""
        fors = [at for at, word in enumerate(self.words) if word == "for" and at]
        if "for" in self.sheet.known:  # a field may be called so
            fors = [at for at in fors if self.words[at + 1] in self.sheet.index]
        loop_at = fors[0] if fors else 0
        if not loop_at:
            body = self.action()
            test = self.condition(self.binary(1)) if self.take("if") else None
            self.end(None)
            return [when(test, *body)] if test is not None else body
        self.at = loop_at + 1
        outer, whole, self.reads = self.scope, self.reads, set()
        index = self.index()
        alias = self.atom() if self.take("as") else index
        self.scope = outer.through(alias, index)
        test = self.condition(self.binary(1)) if self.take("if") else None
        self.end(None)
        self.at = 0
        speaks_of_it = self.peek("clear", "drop") and self.words[1] == index
        body = self.action()
        if self.at != loop_at:
            raise self.misfit("this does not fit here")
        body = [when(test, *body)] if test is not None else body
        binds = alias == index and (speaks_of_it or index in self.language.touched(self.reads))
        whole |= self.reads
        self.scope, self.reads = outer, whole
        loop = each_of(variable_of(alias), self.language.members(index), *([bound_to(alias)] if binds else []), *body)
        return held(alias, [loop]) if binds else [loop]

    def action(self) -> list[ast.stmt]:
        """Read one change to the sheet."""
        named = self.words[min(self.at + 1, len(self.words) - 1)][:1].isalnum()
        verb = self.take("mark", "erase", "add", "clear", "drop", "exchange") if named else ""
        if verb in ("mark", "erase"):
            place = self.at
            single, takes, _ = self.target(self.written())
            if self.strict and takes is not NUMBER:
                raise self.wrong(place, "this is no number to be counted")
            count: ast.expr = constant(1)
            if not self.peek("", "for", "if"):
                piece = self.binary(5)
                count = piece.py if piece.kind is ANY else self.number(piece)
            return [done(method("p", "count" if verb == "mark" else "uncount", single, count))]
        if verb == "exchange":
            return self.exchange()
        if verb == "add":
            return self.adding()
        if verb:
            return [done(method("p", verb, constant(self.index("everything" if verb == "drop" else ""))))]
        single, takes, may_be_nobody = self.target(self.written())
        self.want("=")
        value, fits = self.accepted(takes, lambda like: self.binary(5, like))
        return [done(method("p", "change" if fits and not may_be_nobody else "fill", single, value))]

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
            value, _ = self.accepted(field_kind(field), lambda like: self.binary(5, like))
            filled.append(several([constant(key), value]))
            if not self.peek(")"):
                self.want(",")
        return [done(method("p", "add", constant(index), several(filled), name("bind")))]

    def exchange(self) -> list[ast.stmt]:
        """Read `exchange position, into` from the first on: two fields, or all that belongs to two members."""
        place, one = self.at, self.written()
        self.want(",")
        other = self.written()
        fields = [self.sheet.fields.get(each.shape) for each in (one, other)]
        if one.brackets or other.brackets or all(field is not None and "[" in field.name for field in fields):
            return [done(method("p", "exchange", self.target(one)[0], self.target(other)[0]))]
        index = ""
        for each in sorted((one, other), key=lambda named: not self._is_known(named.shape)):
            index = index or self.word(each.shape, each.place).kind.index
        if not index:
            raise self.wrong(place, "which of an index change places? such as: exchange position, into")
        members = [self.member(Bracket(each.place, each.shape, None), index)[0] for each in (one, other)]
        lines = []
        for family in self.sheet.belongings.get(index, ()):
            pattern = f"{family}[{index}]"
            if not isinstance(self.sheet.patterns.get(pattern), Field):
                raise self.wrong(place, f"{pattern} is not a field of the sheet, and belongs to one {index}")
            names = [call("one", self.language.names(pattern), each) for each in members]
            lines.append(done(method("p", "exchange", *names)))
        if not lines:
            raise self.wrong(place, f"nothing belongs to one {index}; its `belongings` in the sheet say what does")
        return lines

    def _is_known(self, word: str) -> bool:
        return word in self.scope.fixed or word in self.scope.local or word in self.sheet.known

    # -- texts ---------------------------------------------------------------------------------------------------------

    def template(self, text: str, place: int = 0, *, shown: bool = False) -> ast.expr:
        """Return a text whose braces hold expressions; they are said in words where it is `shown` to a player."""
        pieces, holes, at = list[str](), list[ast.expr](), 0
        while at < len(text):
            start = text.find("{", at)
            if start < 0:
                pieces.append(text[at:].replace("%", "%%"))
                break
            pieces.append(text[at:start].replace("%", "%%"))
            end = text.find("}", start)
            if end < 0:
                raise SentenceError(text, start, "this brace is not closed")
            try:
                inner = Parser(self.draft, text[start + 1 : end], self.scope, reads=self.reads)
                piece = inner.end(inner.case())
            except SentenceError as wrong:
                raise SentenceError(text, start + 1 + wrong.place, wrong.why) from None
            value = inner.value(piece)
            holes.append(call("said", value) if shown and piece.kind is not NUMBER else value)
            pieces.append("%s")
            at = end + 1
        if not holes:
            return constant(text)
        if [each for each in pieces if each] == ["%s"]:
            return holes[0]
        return call("filled", constant("".join(pieces)), several(holes))


def _either(one: Kind, other: Kind) -> Kind:
    """Return the kind of what is one or the other."""
    if one is other:
        return one
    if NUMBER in (one, other):
        return ANY
    if one.values and other.values:
        return Kind("word", dict.fromkeys([*one.values, *other.values]))
    return TEXT
