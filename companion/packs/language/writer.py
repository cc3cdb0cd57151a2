"""Sentences of a pack as Python code: names and words checked against the sheet, then written out from their trees.

A sentence is read by `grammar`; here its words are held against what the left side can be, and Python is written for
it. Nothing of a sentence's text goes into the code: names and words go in as literals that Python itself quotes.
Loaded only when a pack is compiled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.packs.language.grammar import Tree, Wrong, tree
from companion.packs.language.module import Code, Module, Scope, flag
from companion.packs.language.names import ANY, FLAG, NUMBER, TEXT, Kind, Read, numeric, variable_of
from companion.packs.language.references import FREE, References
from companion.words import one_of

MOST_GONE_THROUGH = 100_000  # members, where one quantifier stands in another


class Writer(References):
    """Writes the Python of one sentence, and notes what it reads."""

    # -- expressions ---------------------------------------------------------------------------------------------

    def condition(self, part: Tree, scope: Scope) -> str:
        """Python that is true or false."""
        code = self.expression(part, scope)
        if not code.condition:
            none = dict.fromkeys(("any", "flag"), "no condition")
            what = {"word": "one of several words", "member": f"one {code.kind.index}", **none}
            shown = what.get(code.kind.name, code.kind.article)
            raise self.wrong(part[1], f"a condition stands here; this is {shown}: compare it with = or another sign")
        return code.condition

    def number(self, part: Tree, scope: Scope) -> str:
        """Python that is a number."""
        code = self.expression(part, scope)
        if code.kind.name == "number":
            return code.value
        if code.kind.name in ("any", "member") or (
            code.kind.name == "word" and any(numeric(each) for each in code.kind.values)
        ):
            return f"whole({code.value})"
        raise self.wrong(part[1], f"a number stands here, not {code.kind.article}")

    def expression(self, part: Tree, scope: Scope) -> Code:
        """Python for any expression."""
        code: Code = getattr(self, f"_{part[0]}")(part, scope)
        return code

    def _case(self, part: Tree, scope: Scope) -> Code:
        _, place, then, when, other = part
        one, two = self.expression(then, scope), self.expression(other, scope)
        test = self.condition(when, scope)
        if one.condition and two.condition:
            return flag(f"({one.condition} if {test} else {two.condition})")
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
        return flag("(" + " or ".join(self.condition(each, scope) for each in part[2]) + ")")

    def _and(self, part: Tree, scope: Scope) -> Code:
        return flag("(" + " and ".join(self.condition(each, scope) for each in part[2]) + ")")

    def _not(self, part: Tree, scope: Scope) -> Code:
        return flag(f"(not {self.condition(part[2], scope)})")

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
        texts = all(each[0] == "text" for each in parts)
        if texts and len(parts) <= {"row": 2, "column": 1}.get(name, 0):
            return self._looked_up(place, name, parts)
        raise self.wrong(
            place, "there are max(a, b), min(a, b), half-up(x), half-down(x), row('TABLE', 'part') and column('TABLE')"
        )

    def _looked_up(self, place: int, name: str, parts: Sequence[Tree]) -> Code:
        table, part = parts[0][2], parts[1][2] if len(parts) > 1 else ""
        if self.names.table_reads is not None:
            reads = self.names.table_reads(table)
            if reads is None:
                raise self.wrong(place, f"there is no table {table}")
            self.reads |= reads
        if name == "column":
            return flag(f"v.sheet.has_column({table!r}, v)")
        return Code(f"v.sheet.look_up({table!r}, {part!r}, v)", ANY)

    def _over(self, part: Tree, scope: Scope) -> Code:
        _, place, kind, index, alias, body = part
        if index not in self.names.index:
            raise self.wrong(place, self.no_index(index))
        call = self.goes_through(kind, index, alias, body, scope)
        return Code(call, NUMBER) if kind in ("count", "sum") else flag(call)

    def no_index(self, index: str) -> str:
        """The error for an index that the sheet does not declare."""
        return f"there is no index {index}; known are {one_of(list(self.names.index))}"

    def goes_through(self, kind: str, index: str, alias: str, body: Tree, scope: Scope) -> str:
        """A function of its own that goes through the members of an index, and the call of it."""
        variable = variable_of(alias)
        often = len(self.names.index[index])
        for _, outer_index in dict(scope.fixed.values()).items():
            often *= len(self.names.index[outer_index])
        if often > MOST_GONE_THROUGH:
            raise Wrong(self.sentence, 0, f"so many members, one within the other, are gone through {often} times")
        reads: set[Read] = set()
        members, test = self._gone_through(kind, index, variable, body, scope.through(alias, index, variable), reads)
        self.reads |= {
            (pattern, tuple(None if arg == ("$", variable) else arg for arg in args)) for pattern, args in reads
        }
        outer = sorted({name for name, _ in scope.fixed.values()} & variables_in(test))
        step, end = {
            "some": (f"if {test}: return True", "return False"),
            "no": (f"if {test}: return False", "return True"),
            "every": (f"if not ({test}): return False", "return True"),
            "count": (f"if {test}: n += 1", "return n"),
            "sum": (f"n += {test}", "return n"),
        }[kind]
        lines = ["n = 0", f"for {variable} in {members}:", f"    {step}", end]
        if alias == index and index in self.names.touched(reads):
            lines = [
                f"before = v.hold({index!r})", "n = 0", "try:", f"    for {variable} in {members}:",
                f"        v.bind_one({index!r}, {variable})", f"        {step}", f"    {end}",
                "finally:", f"    v.release({index!r}, before)",
            ]  # fmt: skip
            self.reads -= {(index, ())}
        function = self.module.function(", ".join(["v", *outer]), lines)
        return f"{function!r}({', '.join(['v', *outer])})"

    def _gone_through(
        self, kind: str, index: str, variable: str, body: Tree, scope: Scope, reads: set[Read]
    ) -> tuple[str, str]:
        """Which members are gone through, and what is asked (or added up) of each; what that reads goes to `reads`.

        What asks for nothing but the member itself is settled once, when the module is linked.
        """
        members = self.module.variable(f"members({index!r})", "m")
        once: list[str] = []
        each_time: list[str] = []
        for part in body[2] if body[0] == "and" else [body]:
            own: set[Read] = set()
            writer = Writer(self.module, self.sentence, own)
            if kind == "sum":
                each_time.append(writer.number(part, scope))
            else:
                test = writer.condition(part, scope)
                alone = not own and not variables_in(test) - {variable} and not re.search(r"\bv\b", test)
                (once if alone else each_time).append(test)
            reads |= own
        if once and kind != "every":
            which = f"tuple({variable} for {variable} in {members} if {' and '.join(once)})"
            members = self.module.variable(which, "m")
        elif once:
            each_time = once + each_time
        return members, " and ".join(each_time) or "True"

    # -- comparisons ---------------------------------------------------------------------------------------------

    def _compared(self, part: Tree, scope: Scope) -> Code:
        _, place, left, sign, right = part
        one = self.expression(left, scope)
        if sign not in ("=", "!="):
            return flag(f"({self._as_number(one, left)} {sign} {self.number(right, scope)})")
        two = self.against(one, right, scope)
        if NUMBER in (one.kind, two.kind):
            test = f"({self._as_number(one, left)} == {self._as_number(two, right)})"
        else:
            test = self._equal(one, two)
        return flag(
            test if sign == "=" else f"(not {test})" if test.startswith("same(") else test.replace(" == ", " != ", 1)
        )

    def _as_number(self, code: Code, part: Tree) -> str:
        if code.kind.name == "number":
            return code.value
        if code.kind.name in ("any", "member") or any(numeric(each) for each in code.kind.values):
            return f"whole({code.value})"
        raise self.wrong(part[1], f"a number stands here, not {code.kind.article}")

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
            return flag(f"({one.value} in ({numbers}))")
        if all(code.fixed for code in codes) and one.kind.name not in ("text", "any"):
            words = "".join(f"{code.value}, " for code in codes)
            return flag(f"({one.value} in {self.module.variable(f'frozenset(({words}))', 's')})")
        return flag("(" + " or ".join(self._equal(one, code) for code in codes) + ")")

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
                f"{self.near(right[2], kind.values)}",
            )
        raise self.wrong(right[1], self.unknown(right[2]))

    def assigned(self, part: Tree, kind: Kind, scope: Scope) -> tuple[str, bool]:
        """Python for a value that is written to such a field, and whether it is known to fit."""
        if kind.name == "flag":
            code = self.against(Code("", FLAG), part, scope)
            if code.kind.name not in ("flag", "any", "word", "text"):
                raise self.wrong(part[1], f"yes or no stands here, not {code.kind.article}")
            return code.value, code.kind is FLAG
        if kind is NUMBER:
            code = self.expression(part, scope)
            if (
                part[0] == "text"
                or code.kind.name in ("text", "flag")
                or (code.kind.name == "word" and not any(numeric(each) for each in code.kind.values))
            ):
                raise self.wrong(part[1], f"a number stands here, not {code.kind.article}")
            return code.value, False
        code = self.against(Code("", kind), part, scope)
        return code.value, code.fixed and kind.knows(code.value.strip("'")) is not None


def variables_in(code: str) -> set[str]:
    """The members that a piece of code goes through."""
    return set(re.findall(r"\bm_\w+", code))


def template(
    text: str,
    scope: Scope,
    module: Module,
    reads: set[Read],
    sentence: str = "",
    place: int = 0,
    *,
    shown: bool = False,
) -> str:
    """Python for a text with braces, each of which holds an expression; what stands in it is said in words where the
    text is `shown` to a player."""
    pieces: list[str] = []
    holes: list[str] = []
    for piece, hole in parts_of(text):
        if not hole:
            pieces.append(piece.replace("%", "%%"))
            continue
        try:
            code = Writer(module, piece, reads).expression(tree(piece), scope)
            holes.append(f"said({code.value})" if shown and code.kind is not NUMBER else code.value)
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
    stretches, at = [], 0
    while at < len(text):
        start = text.find("{", at)
        if start < 0:
            stretches.append((text[at:], False))
            break
        if start > at:
            stretches.append((text[at:start], False))
        end = text.find("}", start)
        if end < 0:
            raise Wrong(text, start, "this brace is not closed")
        stretches.append((text[start + 1 : end], True))
        at = end + 1
    return stretches
