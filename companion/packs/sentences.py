"""Sentences of a pack as Python code: names and words checked against the sheet, then written out from their trees.

A sentence is read by `grammar`; here its names find their meaning (field, worked-out fact, member of an index, a name
that the file binds for itself), its words are held against what the left side can be, and Python is written for it.
Nothing of a sentence's text goes into the code: names and words go in as literals that Python itself quotes.
Loaded only when a pack is compiled.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from companion.engine.dice import HANDFULS
from companion.packs.grammar import Tree, Wrong, tree
from companion.problems import Trouble
from companion.words import one_of

Read = tuple[str, tuple[Any, ...]]  # what a sentence reads: a name's pattern, and of its members each or which
OWN = ("roll", "net", "result", "again")  # what a roll binds for its rows
FREE = ("yes", "no", "none")  # words that every text may be compared with
NAME = re.compile(r"[A-Za-z0-9]+([.:-][A-Za-z0-9]+)*")
LONGEST = 15  # figures of a number
MOST = 1000  # members of an index, more than any sheet holds
MOST_NAMES = 20_000  # single names of a family
MOST_GONE_THROUGH = 100_000  # members, where one quantifier stands in another


class Kind:
    """What a name or an expression is: `flag`, `number`, `word` (one of `values`), `member` (of `index`), `text`."""

    __slots__ = ("index", "name", "values")

    def __init__(self, name: str, values: Iterable[str] = (), index: str = "") -> None:
        self.name, self.values, self.index = name, tuple(values), index

    def knows(self, word: str) -> str | None:
        """The word as it is written among the values; None when it is none of them."""
        return next((each for each in self.values if each.casefold() == word.casefold()), None)


FLAG, NUMBER, TEXT, ANY = Kind("flag", ("yes", "no")), Kind("number"), Kind("text"), Kind("any")


class Code:
    """Python for an expression: its value, and for a flag also the bare condition."""

    __slots__ = ("condition", "fixed", "kind", "value")

    def __init__(self, value: str, kind: Kind, condition: str = "", fixed: bool = False) -> None:
        self.value, self.kind, self.fixed = value, kind, fixed  # a fixed value stands in the sentence itself
        self.condition = condition


class Named:
    """A declared name: `crew[position as p]` has the pattern `crew[position]`, the shape `crew[]`, and one index."""

    def __init__(self, written: str) -> None:
        self.written = written
        self.parts, self.indexes, self.aliases = [""], [], []
        rest = written
        while "[" in rest:
            head, _, rest = rest.partition("[")
            inner, closed, rest = rest.partition("]")
            if not closed:
                raise Trouble(f"the name {written!r} has a bracket without its partner")
            index, _, alias = inner.partition(" as ")
            self.parts[-1] += f"{head}." if head or len(self.parts) > 1 else ""
            self.indexes.append(index.strip())
            self.aliases.append((alias or index).strip())
            if not NAME.fullmatch(self.aliases[-1]):
                raise Trouble(f"the name {written!r} calls a member {self.aliases[-1]!r}; a word stands there")
            self.parts.append("")
        self.parts[-1] += rest
        self.pattern = re.sub(r" as [^\]]*", "", written)
        self.shape = re.sub(r"\[[^\]]*\]", "[]", written)

    def single(self, members: Sequence[str]) -> str:
        """The name for these members: `crew.pilot`."""
        made = self.parts[0]
        for member, part in zip(members, self.parts[1:], strict=True):
            made += member + part
        return made


class Names:
    """Every name that the sentences of a pack may use, from its sheet."""

    def __init__(self, sheet: Mapping[str, Any]) -> None:
        self.index: dict[str, dict[str, Mapping[str, Any]]] = {}
        for name, spec in sheet.get("index", {}).items():
            self.index[name] = members_of(spec)
        self.fields: dict[str, tuple[Named, Kind]] = {}
        self.facts: dict[str, tuple[Named, Mapping[str, Any]]] = {}
        self.singles: dict[str, str] = {}
        self.shapes: dict[str, list[str]] = {}
        self.asked: list[str] = []
        for fields in sheet.get("fields", {}).values():
            for written, spec in fields.items():
                named = self._named(written)
                self.fields[named.pattern] = named, kind_of(spec)
                if spec.get("ask"):
                    self.asked.append(named.pattern)
                self._remember(named)
        for written, spec in sheet.get("facts", {}).items():
            named = self._named(written)
            self.facts[named.pattern] = named, spec if isinstance(spec, Mapping) else {"is": spec}
            self._remember(named)
        self.present = {
            name: f"{name}[{name}].{spec['present']}"
            for name, spec in sheet.get("index", {}).items()
            if isinstance(spec, Mapping) and "present" in spec
        }
        self.belongings: dict[str, list[str]] = {
            name: str(spec["belongings"]).split()
            for name, spec in sheet.get("index", {}).items()
            if isinstance(spec, Mapping) and "belongings" in spec
        }
        self.compiled: dict[str, Fact] = {}
        self._open: list[str] = []
        self.looked_up: Mapping[str, Any] = {}
        self.tables: Callable[[str], tuple[set[Read], Mapping[str, Any]]] | None = None

    def _named(self, written: str) -> Named:
        named = Named(written)
        often = 1
        for index in named.indexes:
            if index not in self.index:
                raise Trouble(f"{written} names an index {index} that the sheet does not declare")
            often *= len(self.index[index])
        if often > MOST_NAMES:
            raise Trouble(f"{written} would be {often} names; no sheet holds more than {MOST_NAMES}")
        return named

    def _remember(self, named: Named) -> None:
        """Which pattern a single name belongs to; of what is bound: `fighter.clock`, the clock of the one meant."""
        if not named.indexes:
            return
        self.shapes.setdefault(named.shape, []).append(named.pattern)
        for members in _every([list(self.index[index]) for index in named.indexes]):
            self.singles.setdefault(named.single(members), named.pattern)

    def bound(self, name: str) -> tuple[str, str] | None:
        """The index and the pattern of `fighter.clock`; None for a name that is not so written."""
        index, dot, rest = name.partition(".")
        pattern = f"{index}[{index}].{rest}"
        return (index, pattern) if dot and index in self.index and pattern in self.fields else None

    def known(self) -> list[str]:
        """Every name that can be said, for suggestions."""
        return [*self.fields, *self.facts, *self.index]

    def fact(self, pattern: str) -> Fact:
        """A worked-out fact, compiled once; facts may not go round in a circle."""
        done = self.compiled.get(pattern)
        if done is None:
            if pattern in self._open:
                raise Trouble(f"the fact {pattern} is worked out from itself: {' from '.join([*self._open, pattern])}")
            self._open.append(pattern)
            try:
                done = self.compiled[pattern] = Fact(self, *self.facts[pattern])
            finally:
                self._open.pop()
        return done

    def touched(self, reads: Iterable[Read]) -> set[str]:
        """The names without members that these reads come down to, through worked-out facts too."""
        made: set[str] = set()
        for pattern, _ in reads:
            made.add(pattern)
            if pattern in self.facts and pattern not in self._open:
                made |= self.fact(pattern).touched
        return made


def _every(members: Sequence[Sequence[str]]) -> list[list[str]]:
    made: list[list[str]] = [[]]
    for each in members:
        made = [[*head, one] for head in made for one in each]
    return made


def variable_of(alias: str) -> str:
    """The variable of Python for a member that a sentence calls so."""
    return "m_" + re.sub(r"[^A-Za-z0-9]", "_", alias)


def members_of(spec: Any) -> dict[str, Mapping[str, Any]]:
    """The members of an index as it is declared: a number, a list, or a table of members with what is said of each."""
    if isinstance(spec, Mapping) and isinstance(spec.get("count"), int):
        spec = spec["count"]
    if isinstance(spec, int):
        return {str(n): {} for n in range(1, min(spec, MOST) + 1)}
    if isinstance(spec, list):
        return {str(member): {} for member in spec}
    return {str(member): has for member, has in spec.items() if isinstance(has, Mapping)}


def kind_of(spec: Mapping[str, Any]) -> Kind:
    """What a declared field is."""
    if "values" in spec:
        values = spec["values"]
        return Kind("word", values.split() if isinstance(values, str) else values)
    name = spec.get("kind", "boxes" if "boxes" in spec else "text")
    return {"flag": FLAG, "count": NUMBER, "number": NUMBER, "boxes": NUMBER}.get(name, TEXT)


class Scope:
    """What a sentence may speak of besides the sheet: names bound where it stands.

    `local` are read from the facts like others; `fixed` are members that the code itself goes through.
    """

    def __init__(
        self, names: Names, local: Mapping[str, Kind] | None = None, fixed: Mapping[str, tuple[str, str]] | None = None
    ) -> None:
        self.names, self.local, self.fixed = names, dict(local or {}), dict(fixed or {})

    def binding(self, alias: str, index: str) -> Scope:
        """With a name for a member that is bound when the code runs."""
        made = Scope(self.names, self.local, self.fixed)
        made.fixed.pop(alias, None)
        made.local[alias] = Kind("member", self.names.index[index], index)
        return made

    def through(self, alias: str, index: str, variable: str) -> Scope:
        """With a name for a member that the code goes through."""
        made = Scope(self.names, self.local, self.fixed)
        made.fixed[alias] = variable, index
        return made


class Function(int):
    """The number of a function; written out it is its name, so that a file can be written with its functions in it."""

    def __repr__(self) -> str:
        return f"f{int(self)}"


class Module:
    """Python being written for one file of a pack: functions, and the maps of names that they use."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.head: dict[str, str] = {}  # what stands before the functions, by its variable
        self.body: list[str] = []
        self.functions = 0

    def variable(self, expression: str, letter: str) -> str:
        """A variable of the module for an expression, the same for the same expression."""
        for name, written in self.head.items():
            if written == expression:
                return name
        name = f"{letter}{len(self.head)}"
        self.head[name] = expression
        return name

    def function(self, arguments: str, lines: Sequence[str]) -> Function:
        """A function with that body."""
        made = Function(self.functions)
        self.functions += 1
        self.body.append(f"def {made!r}({arguments}):\n" + "".join(f"    {line}\n" for line in lines))
        return made

    def source(self) -> str:
        """The whole module without what it holds: `link` fills in the maps of names."""
        lines = [f"global {', '.join(self.head)}", *(f"{name} = {written}" for name, written in self.head.items())]
        head = "".join(f"    {line}\n" for line in (lines if self.head else ["pass"]))
        return f"def link(names, members, attribute):\n{head}LINKED = {bool(self.head)}\n{''.join(self.body)}"


class Writer:
    """Writes the Python of one sentence, and notes what it reads."""

    def __init__(self, module: Module, sentence: str, reads: set[Read]) -> None:
        self.module, self.names, self.sentence, self.reads = module, module.names, sentence, reads
        self.throws = self.dice = False  # whether dice may stand here, and whether some do

    def wrong(self, place: int, why: str) -> Wrong:
        """The error for a place of this sentence."""
        return Wrong(self.sentence, place, why)

    # -- expressions ---------------------------------------------------------------------------------------------

    def condition(self, part: Tree, scope: Scope) -> str:
        """Python that is true or false."""
        code = self.expression(part, scope)
        if not code.condition:
            what = {
                "number": "a number",
                "word": "one of several words",
                "member": f"one {code.kind.index}",
                "text": "a text",
            }
            told = what.get(code.kind.name, "no condition")
            raise self.wrong(part[1], f"a condition stands here; this is {told}: compare it with = or another sign")
        return code.condition

    def number(self, part: Tree, scope: Scope) -> str:
        """Python that is a number."""
        code = self.expression(part, scope)
        if code.kind.name == "number":
            return code.value
        if code.kind.name in ("any", "member") or (
            code.kind.name == "word" and any(_numeric(each) for each in code.kind.values)
        ):
            return f"whole({code.value})"
        raise self.wrong(part[1], f"a number stands here, not {_called(code.kind)}")

    def expression(self, part: Tree, scope: Scope) -> Code:
        """Python for any expression."""
        made: Code = getattr(self, f"_{part[0]}")(part, scope)
        return made

    def _case(self, part: Tree, scope: Scope) -> Code:
        _, place, then, when, other = part
        one, two = self.expression(then, scope), self.expression(other, scope)
        test = self.condition(when, scope)
        if one.condition and two.condition:
            return _flag(f"({one.condition} if {test} else {two.condition})")
        kind = one.kind
        if {one.kind, two.kind} == {NUMBER, ANY}:  # what a table reads, or else a number
            return Code(f"(whole({one.value}) if {test} else whole({two.value}))", NUMBER)
        if NUMBER in (one.kind, two.kind) and one.kind is not two.kind:
            kind = ANY
        elif one.kind is not two.kind:
            values = dict.fromkeys([*one.kind.values, *two.kind.values]) if one.kind.values and two.kind.values else ()
            kind = Kind("word", values) if values else Kind("text")
        return Code(f"({one.value} if {test} else {two.value})", kind)

    def _or(self, part: Tree, scope: Scope) -> Code:
        return _flag("(" + " or ".join(self.condition(each, scope) for each in part[2]) + ")")

    def _and(self, part: Tree, scope: Scope) -> Code:
        return _flag("(" + " and ".join(self.condition(each, scope) for each in part[2]) + ")")

    def _not(self, part: Tree, scope: Scope) -> Code:
        return _flag(f"(not {self.condition(part[2], scope)})")

    def _negative(self, part: Tree, scope: Scope) -> Code:
        return Code(f"(-{self.number(part[2], scope)})", NUMBER, fixed=part[2][0] == "ref" and part[2][2].isdigit())

    def _sum(self, part: Tree, scope: Scope) -> Code:
        one, two = self.number(part[3], scope), self.number(part[4], scope)
        if part[2] == "*" and not one.isdigit() and not two.isdigit():
            return Code(f"product({one}, {two})", NUMBER)
        return Code(f"({one} {part[2]} {two})", NUMBER)

    def _text(self, part: Tree, scope: Scope) -> Code:
        text = part[2]
        if "{" not in text:
            return Code(repr(text), Kind("word", (text,)), fixed=True)
        return Code(template(text, scope, self.module, self.reads, self.sentence, part[1]), TEXT)

    def _call(self, part: Tree, scope: Scope) -> Code:
        _, place, name, parts = part
        if name in ("min", "max") and len(parts) > 1:
            return Code(f"{name}({', '.join(self.number(each, scope) for each in parts)})", NUMBER)
        if name in ("half-up", "half-down") and len(parts) == 1:
            inner = self.number(parts[0], scope)
            return Code(f"(({inner} + 1) // 2)" if name == "half-up" else f"({inner} // 2)", NUMBER)
        if name in ("row", "column") and parts[0][0] == "text" and (len(parts) == 1 or name == "row"):
            return self._looked_up(place, name, parts)
        raise self.wrong(
            place, "there are max(a, b), min(a, b), half-up(x), half-down(x), row('TABLE', 'part') and column('TABLE')"
        )

    def _looked_up(self, place: int, name: str, parts: Sequence[Tree]) -> Code:
        table, part = parts[0][2], parts[1][2] if len(parts) > 1 else ""
        if self.names.tables is not None:
            reads, doc = self.names.tables(table)
            if not doc:
                raise self.wrong(place, f"there is no table {table}")
            self.reads |= reads
        if name == "column":
            return _flag(f"v.sheet.has_column({table!r}, v)")
        return Code(f"v.sheet.look_up({table!r}, {part!r}, v)", ANY)

    def _over(self, part: Tree, scope: Scope) -> Code:
        _, place, kind, index, alias, body = part
        if index not in self.names.index:
            raise self.wrong(place, self._no_index(index))
        call = self.goes_through(kind, index, alias, body, scope)
        return Code(call, NUMBER) if kind in ("count", "sum") else _flag(call)

    def _no_index(self, index: str) -> str:
        return f"there is no index {index}; known are {one_of(list(self.names.index))}"

    def goes_through(self, kind: str, index: str, alias: str, body: Tree, scope: Scope) -> str:
        """A function of its own that goes through the members, and the call of it."""
        variable = variable_of(alias)
        often = len(self.names.index[index])
        for _, outer_index in dict(scope.fixed.values()).items():
            often *= len(self.names.index[outer_index])
        if often > MOST_GONE_THROUGH:
            raise Wrong(self.sentence, 0, f"so many members, one within the other, are gone through {often} times")
        reads: set[Read] = set()
        inner = Writer(self.module, self.sentence, reads)
        within = scope.through(alias, index, variable)
        members = self.module.variable(f"members({index!r})", "m")
        bare: list[str] = []
        rest: list[str] = []
        for each in body[2] if body[0] == "and" else [body]:
            if kind == "sum":
                rest.append(inner.number(each, within))
                continue
            only: set[Read] = set()
            test = Writer(self.module, self.sentence, only).condition(each, within)
            alone = not only and not _variables(test) - {variable} and not re.search(r"\bv\b", test)
            (bare if alone else rest).append(test)
            reads |= only
        if bare and kind != "every":  # what only asks for the member itself is settled once
            members = self.module.variable(
                f"tuple({variable} for {variable} in {members} if {' and '.join(bare)})", "m"
            )
        elif bare:
            rest = bare + rest
        test = " and ".join(rest) or "True"
        self.reads |= {
            (pattern, tuple(None if arg == ("$", variable) else arg for arg in args)) for pattern, args in reads
        }
        outer = sorted({name for name, _ in scope.fixed.values()} & _variables(test))
        lines = {
            "some": [f"if {test}: return True", "return False"],
            "no": [f"if {test}: return False", "return True"],
            "every": [f"if not ({test}): return False", "return True"],
            "count": [f"if {test}: n += 1", "return n"],
            "sum": [f"n += {test}", "return n"],
        }[kind]
        if alias == index and index in self.names.touched(reads):
            found = self.module.function(
                ", ".join(["v", *outer]),
                [
                    f"before = v.hold({index!r})", "n = 0", "try:", f"    for {variable} in {members}:",
                    f"        v.bind_one({index!r}, {variable})", f"        {lines[0]}", f"    {lines[1]}",
                    "finally:", f"    v.release({index!r}, before)",
                ],
            )  # fmt: skip
            self.reads -= {(index, ())}
        else:
            found = self.module.function(
                ", ".join(["v", *outer]), ["n = 0", f"for {variable} in {members}:", f"    {lines[0]}", lines[1]]
            )
        return f"{found!r}({', '.join(['v', *outer])})"

    # -- comparisons ---------------------------------------------------------------------------------------------

    def _compared(self, part: Tree, scope: Scope) -> Code:
        _, place, left, sign, right = part
        one = self.expression(left, scope)
        if sign not in ("=", "!="):
            return _flag(f"({self._as_number(one, left)} {sign} {self.number(right, scope)})")
        two = self.against(one, right, scope)
        if NUMBER in (one.kind, two.kind):
            test = f"({self._as_number(one, left)} == {self._as_number(two, right)})"
        else:
            test = self._equal(one, two)
        return _flag(
            test if sign == "=" else f"(not {test})" if test.startswith("same(") else test.replace(" == ", " != ", 1)
        )

    def _as_number(self, code: Code, part: Tree) -> str:
        if code.kind.name == "number":
            return code.value
        if code.kind.name in ("any", "member") or any(_numeric(each) for each in code.kind.values):
            return f"whole({code.value})"
        raise self.wrong(part[1], f"a number stands here, not {_called(code.kind)}")

    @staticmethod
    def _equal(one: Code, two: Code) -> str:
        """Texts that a player wrote are compared without regard to case, blanks and hyphens."""
        if two.fixed and (one.kind.name != "text" or two.value in ("''", "'none'")):
            return f"({one.value} == {two.value})"
        if "text" in (one.kind.name, two.kind.name) or "any" in (one.kind.name, two.kind.name):
            return f"same({one.value}, {two.value})"
        return f"({one.value} == {two.value})"

    def _among(self, part: Tree, scope: Scope) -> Code:
        _, _, left, right = part
        one = self.expression(left, scope)
        codes = [self.against(one, each, scope) for each in right]
        if one.kind is NUMBER:
            numbers = "".join(f"{self._as_number(code, each)}, " for code, each in zip(codes, right, strict=True))
            return _flag(f"({one.value} in ({numbers}))")
        if all(code.fixed for code in codes) and one.kind.name not in ("text", "any"):
            words = "".join(f"{code.value}, " for code in codes)
            return _flag(f"({one.value} in {self.module.variable(f'frozenset(({words}))', 's')})")
        return _flag("(" + " or ".join(self._equal(one, code) for code in codes) + ")")

    def against(self, left: Code, right: Tree, scope: Scope) -> Code:
        """The right side of a comparison or a write: a word of the left side, or else an expression."""
        kind = left.kind
        if right[0] == "negative" and right[2][0] == "ref" and kind.knows(f"-{right[2][2]}"):
            return Code(repr(f"-{right[2][2]}"), kind, fixed=True)
        if right[0] == "case":
            _, place, then, when, other = right
            one, two = self.against(left, then, scope), self.against(left, other, scope)
            return Code(
                f"({one.value} if {self.condition(when, scope)} else {two.value})",
                one.kind if one.kind is two.kind else TEXT,
            )
        if right[0] == "text" and "{" not in right[2]:
            if kind is NUMBER:
                raise self.wrong(right[1], "a number stands here, not a text")
            word = kind.knows(right[2])
            if kind.values and word is None and right[2] not in (*FREE, "") and kind.name in ("word", "member", "flag"):
                raise self.wrong(right[1], f"this is never {right[2]}; it is {one_of(list(kind.values))}")
            return Code(repr(right[2] if word is None else word), kind, fixed=True)
        if right[0] != "ref" or right[3]:
            return self.expression(right, scope)
        word = kind.knows(right[2])
        if word is not None:
            return Code(repr(word), kind, fixed=True)
        if kind is not NUMBER and right[2] in FREE and right[2] not in scope.fixed and right[2] not in scope.local:
            if kind.name == "flag" and right[2] == "none":
                raise self.wrong(right[1], "this is yes or no")
            return Code(repr(right[2]), kind, fixed=True)
        if kind is NUMBER and right[2] == "none":
            raise self.wrong(right[1], "this is a number and never none")
        if right[2].isdigit():
            if kind is NUMBER or kind.name == "any":
                return self.expression(right, scope)
            if kind.name == "text":
                return Code(repr(right[2]), kind, fixed=True)
        if self.means(right[2], scope):
            return self.expression(right, scope)
        if kind.values:
            raise self.wrong(
                right[1],
                f"{right[2]} is neither a fact nor one of {one_of(list(kind.values))}"
                f"{self._near(right[2], kind.values)}",
            )
        raise self.wrong(right[1], self._unknown(right[2]))

    # -- names ---------------------------------------------------------------------------------------------------

    def _unknown(self, name: str) -> str:
        near, quoted = self._near(name), f"a text stands in quotes: '{name}'"
        return f"there is no fact {name}{near} ({quoted})" if near else f"there is no fact {name}; {quoted}"

    def _near(self, word: str, among: Iterable[str] = ()) -> str:
        near = difflib.get_close_matches(word, list(among) or self.names.known(), 2, 0.7)
        return f"; did you mean {one_of(near)}?" if near else ""

    def means(self, name: str, scope: Scope) -> bool:
        """Whether a name without members says anything here."""
        head = name.partition(".")[0]
        names = self.names
        if name in scope.fixed or name in scope.local or name in names.fields or name in names.facts:
            return True
        if name in names.singles or name in names.index or names.bound(name) is not None:
            return True
        index = (
            scope.fixed[head][1] if head in scope.fixed else scope.local[head].index if head in scope.local else head
        )
        return "." in name and any(name.partition(".")[2] in has for has in names.index.get(index, {}).values())

    def _ref(self, part: Tree, scope: Scope) -> Code:
        _, place, name, parts = part
        if parts:
            return self._member_of(part, scope)
        if name.isdigit():
            if len(name) > LONGEST:
                raise self.wrong(place, "this number is longer than any that is written down")
            return Code(str(int(name)), NUMBER, fixed=True)
        if name[:-1].isdigit() and name.endswith("D"):
            self.dice = True
            if not self.throws:
                raise self.wrong(place, "no dice are thrown here; the value of a formula has them")
            if name[:-1] not in HANDFULS:
                raise self.wrong(place, f"no hand holds so many dice; {HANDFULS[0]}D to {HANDFULS[-1]}D are thrown")
            return Code(f"dice({name[:-1]})", NUMBER)
        head, _, key = name.partition(".")
        if name in scope.fixed:
            variable, index = scope.fixed[name]
            return Code(variable, Kind("member", self.names.index[index], index))
        if head in scope.fixed and key:
            variable, index = scope.fixed[head]
            return self._of_member(place, index, Code(variable, Kind("member", (), index)), key, ("$", variable))
        if key and head in scope.local and scope.local[head].index and head not in self.names.index:
            return self._of_member(place, scope.local[head].index, Code(f"v[{head!r}]", scope.local[head]), key, None)
        return self._plain(place, name, scope)

    def _plain(self, place: int, name: str, scope: Scope) -> Code:
        names = self.names
        if name in scope.local and (
            name in OWN or name in names.facts
        ):  # what is bound here wins over what is worked out
            return _read(repr(name), scope.local[name])
        if name in names.fields or name in names.facts:
            kind = names.fields[name][1] if name in names.fields else names.fact(name).kind
            if (names.fields.get(name) or names.facts[name])[0].indexes:
                raise self.wrong(place, f"{name} stands for several: say whose")
            self.reads.add((name, ()))
            return _read(repr(name), kind)
        if name in names.singles:
            pattern = names.singles[name]
            kind = names.fields[pattern][1] if pattern in names.fields else names.fact(pattern).kind
            self.reads.add((pattern, (("=", name),)))
            return _read(repr(name), kind)
        if name in names.index:
            self.reads.add((name, ()))
            return Code(f"v[{name!r}]", Kind("member", names.index[name], name))
        if name in scope.local:
            return _read(repr(name), scope.local[name])
        bound = names.bound(name)
        if bound is not None:
            index, pattern = bound
            self.reads |= {(index, ()), (pattern, (None,))}
            return _read(repr(name), names.fields[pattern][1])
        index, _, key = name.partition(".")
        if key and index in names.index and any(key in has for has in names.index[index].values()):
            self.reads.add((index, ()))
            return self._attribute(index, f"v[{index!r}]", key)
        if name in FREE:
            return (
                _flag("True" if name == "yes" else "False")
                if name != "none"
                else Code("'none'", Kind("word", ("none",)), fixed=True)
            )
        raise self.wrong(place, self._unknown(name))

    def _attribute(self, index: str, member: str, key: str) -> Code:
        values = [has[key] for has in self.names.index[index].values() if key in has]
        if all(isinstance(each, int) for each in values):
            kind = NUMBER
        else:
            kind = Kind("word", dict.fromkeys(map(str, values)))
        missing = "0" if kind is NUMBER else "'none'"
        return Code(f"{self.module.variable(f'attribute({index!r}, {key!r})', 'a')}.get({member}, {missing})", kind)

    def _of_member(self, place: int, index: str, member: Code, key: str, arg: Any) -> Code:
        """`g.label`, `f.clock`: what the pack says of a member, or that field of it."""
        pattern = f"{index}[{index}].{key}"
        if pattern in self.names.fields:
            self.reads.add((pattern, (arg,)))
            return _read(self._name_of(pattern, [member.value]), self.names.fields[pattern][1])
        if any(key in has for has in self.names.index[index].values()):
            return self._attribute(index, member.value, key)
        keys = sorted({key for has in self.names.index[index].values() for key in has})
        raise self.wrong(
            place, f"one {index} has no {key}; it has {one_of(keys)}" if keys else f"one {index} has no {key}"
        )

    def _split(self, part: Tree, scope: Scope) -> tuple[str, list[Tree]]:
        """The pattern of a name with members (its shape where there is none), and the members."""
        shape, inner = part[2], []
        for kind, _, what in part[3]:
            if kind == "[":
                shape += "[]"
                inner.append(what)
            else:
                shape += f".{what}"
        patterns = self.names.shapes.get(shape, [shape])
        if len(patterns) > 1:  # crew[position] and crew[room]: whichever the member belongs to
            silent = Writer(self.module, self.sentence, set())
            for pattern in patterns:
                named = (self.names.fields.get(pattern) or self.names.facts[pattern])[0]
                try:
                    for each, index in zip(inner, named.indexes, strict=True):
                        silent.member(each, index, scope)
                    return pattern, inner
                except Trouble:
                    continue
        return patterns[0], inner

    def _name_of(self, pattern: str, members: Sequence[str]) -> str:
        """Python for a single name of a family."""
        map_of = self.module.variable(f"names({pattern!r})", "n")
        return map_of + "".join(f"[{member}]" for member in members)

    def _member_of(self, part: Tree, scope: Scope) -> Code:
        pattern, inner = self._split(part, scope)
        names = self.names
        if pattern in names.fields or pattern in names.facts:
            named = (names.fields.get(pattern) or names.facts[pattern])[0]
            codes = [self.member(each, index, scope) for each, index in zip(inner, named.indexes, strict=True)]
            kind = names.fields[pattern][1] if pattern in names.fields else names.fact(pattern).kind
            self.reads.add((pattern, tuple(arg for _, arg in codes)))
            if all(arg is not None and arg[0] == "=" for _, arg in codes):
                return _read(repr(named.single([arg[1] for _, arg in codes])), kind)
            return _read(self._name_of(pattern, [code for code, _ in codes]), kind)
        index, bracket, key = pattern.partition("[].")  # nothing of that shape: what the pack says of a member
        if bracket and index in names.index and any(key in has for has in names.index[index].values()):
            code, _ = self.member(inner[0], index, scope)
            return self._attribute(index, code, key)
        near = self._near(pattern.replace("[]", "[…]"))
        raise self.wrong(part[1], f"there is no fact like {pattern.replace('[]', '[…]')}{near}")

    def member(self, part: Tree, index: str, scope: Scope) -> tuple[str, Any]:
        """Python for a member of an index between brackets, and which it is as far as that is known."""
        members = self.names.index[index]
        if part[0] == "ref" and not part[3]:
            name = part[2]
            if name in scope.fixed:
                variable, other = scope.fixed[name]
                self._same_members(part, other, index)
                return variable, ("$", variable)
            if name in members and not (name in scope.local and name not in self.names.index):
                return repr(name), ("=", name)
        code = self.expression(part, scope)
        if code.kind.name == "number":
            if not any(map(_numeric, members)):
                raise self.wrong(part[1], f"a {index} stands here, not a number")
            return f"str({code.value})", None
        if code.kind.name == "member":
            self._same_members(part, code.kind.index, index)
        elif code.kind.values and code.kind.name == "word" and not set(code.kind.values) & set(members):
            raise self.wrong(part[1], f"a {index} stands here: {one_of(list(members)[:12])}")
        elif code.kind.name == "flag":
            raise self.wrong(part[1], f"a {index} stands here, not a flag")
        return code.value, None

    def _same_members(self, part: Tree, one: str, other: str) -> None:
        if one != other and not set(self.names.index[one]) & set(self.names.index[other]):
            raise self.wrong(part[1], f"a {other} stands here, not a {one}")

    # -- writing -------------------------------------------------------------------------------------------------

    def target(self, part: Tree, scope: Scope) -> tuple[str, Kind]:
        """Python for the single name of a field to be written (None where nothing is bound), and what it takes."""
        names = self.names
        if part[0] != "ref":
            raise self.wrong(part[1], "the name of a field stands here")
        silent = Writer(self.module, self.sentence, set())
        if part[3]:
            pattern, inner = self._split(part, scope)
            if pattern not in names.fields:
                why = "worked out and cannot be written" if pattern in names.facts else "no field of the sheet"
                raise self.wrong(part[1], f"{pattern.replace('[]', '[…]')} is {why}{self._near(pattern)}")
            named, kind = names.fields[pattern]
            codes = [self.member(each, index, scope) for each, index in zip(inner, named.indexes, strict=True)]
            if all(arg is not None and arg[0] == "=" for _, arg in codes):
                return repr(named.single([arg[1] for _, arg in codes])), kind
            if all(arg is not None for _, arg in codes):
                return self._name_of(pattern, [code for code, _ in codes]), kind
            return (
                f"one({self.module.variable(f'names({pattern!r})', 'n')}, {', '.join(code for code, _ in codes)})",
                kind,
            )
        name = part[2]
        head, _, key = name.partition(".")
        own = f"{scope.fixed[head][1]}[{scope.fixed[head][1]}].{key}" if head in scope.fixed else ""
        if own in names.fields:
            pattern = own
            return self._name_of(pattern, [scope.fixed[head][0]]), names.fields[pattern][1]
        if name in names.fields and not names.fields[name][0].indexes:
            return repr(name), names.fields[name][1]
        if name in names.singles and names.singles[name] in names.fields:
            return repr(name), names.fields[names.singles[name]][1]
        bound = names.bound(name)
        if bound is not None:
            map_of = self.module.variable(f"names({bound[1]!r})", "n")
            return f"one({map_of}, v[{bound[0]!r}])", names.fields[bound[1]][1]
        silent.expression(part, scope)
        raise self.wrong(part[1], f"{name} is worked out or belongs to the game and cannot be written")

    def assigned(self, part: Tree, kind: Kind, scope: Scope) -> tuple[str, bool]:
        """Python for a value that is written to such a field, and whether it is known to fit."""
        if kind.name == "flag":
            code = self.against(Code("", FLAG), part, scope)
            if code.kind.name not in ("flag", "any", "word", "text"):
                raise self.wrong(part[1], f"yes or no stands here, not {_called(code.kind)}")
            return code.value, code.kind is FLAG
        if kind is NUMBER:
            code = self.expression(part, scope)
            if (
                part[0] == "text"
                or code.kind.name in ("text", "flag")
                or (code.kind.name == "word" and not any(_numeric(each) for each in code.kind.values))
            ):
                raise self.wrong(part[1], f"a number stands here, not {_called(code.kind)}")
            return code.value, False
        code = self.against(Code("", kind), part, scope)
        return code.value, code.fixed and kind.knows(code.value.strip("'")) is not None


def _read(name: str, kind: Kind) -> Code:
    value = f"v[{name}]"
    return Code(value, kind, f"({value} == 'yes')" if kind.name in ("flag", "any") else "")


def _flag(condition: str) -> Code:
    return Code(f"('yes' if {condition} else 'no')", FLAG, condition)


def _numeric(word: str) -> bool:
    return word.lstrip("+-").isdigit()


def _called(kind: Kind) -> str:
    return {"flag": "yes or no", "number": "a number", "member": f"a {kind.index}", "text": "a text"}.get(
        kind.name, "a word"
    )


def _variables(code: str) -> set[str]:
    """The members that a piece of code goes through."""
    return set(re.findall(r"\bm_\w+", code))


class Fact:
    """A worked-out fact: its kind, what it reads, and Python for it with its members as arguments."""

    def __init__(self, names: Names, named: Named, spec: Mapping[str, Any]) -> None:
        self.names, self.named, self.sentence = names, named, str(spec.get("is", ""))
        self.arguments = [variable_of(alias) for alias in named.aliases]
        if len(set(self.arguments)) < len(self.arguments):
            other = f"[{named.indexes[0]} as other]"
            raise Trouble(f"the fact {named.pattern}: two of its members have one name; call one otherwise: {other}")
        reads: set[Read] = set()
        self.kind = self.code(Module(names), reads).kind
        if "values" in spec:
            values = spec["values"]
            self.kind = Kind("word", values.split() if isinstance(values, str) else values)
        place = {("$", variable): ("$", at) for at, variable in enumerate(self.arguments)}
        self.reads = {
            (pattern, tuple(place.get(arg, arg if arg and arg[0] == "=" else None) for arg in args))
            for pattern, args in reads
        }
        self.touched = names.touched(self.reads)

    def code(self, module: Module, reads: set[Read]) -> Code:
        """Python for it, in that module; raises Trouble that names the fact."""
        fixed = {
            alias: (variable, index)
            for alias, variable, index in zip(self.named.aliases, self.arguments, self.named.indexes, strict=True)
        }
        try:
            return Writer(module, self.sentence, reads).expression(tree(self.sentence), Scope(self.names, {}, fixed))
        except Trouble as problem:
            raise Trouble(f"the fact {self.named.pattern}: {problem}") from None


def template(text: str, scope: Scope, module: Module, reads: set[Read], sentence: str = "", place: int = 0) -> str:
    """Python for a text with braces, each of which holds an expression."""
    pieces: list[str] = []
    holes: list[str] = []
    for piece, hole in parts_of(text):
        if not hole:
            pieces.append(piece.replace("%", "%%"))
            continue
        try:
            holes.append(Writer(module, piece, reads).expression(tree(piece), scope).value)
        except Wrong as wrong:
            raise Wrong(text, max(0, text.find("{" + piece)) + 1 + wrong.place, wrong.why) from None
        pieces.append("%s")
    if not holes:
        return repr(text)
    if pieces == ["%s"]:
        return holes[0]
    return f"filled({''.join(pieces)!r}, ({', '.join(holes)},))"


def parts_of(text: str) -> list[tuple[str, bool]]:
    """The plain stretches of a text and what its braces hold, in order; the latter are marked."""
    made, at = [], 0
    while at < len(text):
        start = text.find("{", at)
        if start < 0:
            made.append((text[at:], False))
            break
        if start > at:
            made.append((text[at:start], False))
        end = text.find("}", start)
        if end < 0:
            raise Wrong(text, start, "this brace is not closed")
        made.append((text[start + 1 : end], True))
        at = end + 1
    return made
