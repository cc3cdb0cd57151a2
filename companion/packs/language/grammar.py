"""The grammar of the packs' sentences, and the tree that a sentence becomes.

    evasive and not (altitude = lo or zone in (1, 2))          a condition
    6 if engines.out >= 2 else half-up(result)                 a number by case
    load[bay] = gone for bay if doors[bay] != jammed-shut      a line of `do`
    position as p                                              what a `for` goes through

Loaded only when a pack is compiled. A tree is a tuple whose first part says what it is and whose second is the place
in the sentence.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, Token, Transformer, UnexpectedInput, v_args

from companion.problems import Trouble

Tree = tuple[Any, ...]

GRAMMAR = r"""
sentence: case
members: ATOM ["as" ATOM] ["," ATOM "of" ATOM]
line: action ["for" ATOM ["as" ATOM]] ["if" or_]

action: ref "=" sum                                            -> write
    | "mark" ref [sum]                                         -> mark
    | "erase" ref [sum]                                        -> erase
    | "add" ATOM "(" [assigned ("," assigned)*] ")"            -> add
    | "clear" ATOM                                             -> clear
    | "drop" ATOM                                              -> drop
    | "exchange" ref "," ref                                   -> exchange
assigned: ATOM "=" sum

?case: or_ | or_ "if" or_ "else" case                          -> case
?or_: and_ ("or" and_)*
?and_: not_ ("and" not_)*
?not_: compared | "not" not_                                   -> negated
?compared: sum
    | sum "=" sum                                              -> equal
    | sum SIGN sum                                             -> compared
    | sum "in" "(" sum ("," sum)* ")"                          -> among
    | sum "not" "in" "(" sum ("," sum)* ")"                    -> not_among
?sum: product
    | sum "+" product                                          -> plus
    | sum "-" product                                          -> minus
?product: signed
    | product "*" signed                                       -> times
?signed: primary | "-" signed                                  -> negative
?primary: ref | word | STRING                                  -> text
    | "(" case ")"
    | CALLED case ("," case)* ")"                              -> call
    | QUANTIFIER ATOM ["as" ATOM] "(" case ")"                 -> over
    | "no" ATOM ["as" ATOM] "(" case ")"                       -> none_of
!word: "no" | "in" | "clear" | "add" | "drop"
ref: ATOM part* | "[" sum "]" part+                              -> of_ref
part: "[" sum "]" -> indexed | "." ATOM -> attribute

SIGN: "!=" | "<=" | ">=" | "<" | ">"
QUANTIFIER.3: /(some|every|count|sum)(?=\s+[a-z])/
CALLED.3: /[a-z]+(-[a-z]+)*\(/
ATOM: /[A-Za-z0-9]+([.:-][A-Za-z0-9]+)*/
STRING: /'[^']*'/
%import common.WS
%ignore WS
"""
DEEPEST = 200  # brackets in one sentence, more than any rule has
LEVELS = 60  # of one part within another


class Wrong(Trouble):
    """A sentence that cannot be understood: the place is marked under it."""

    def __init__(self, sentence: str, place: int, why: str) -> None:
        self.sentence, self.place, self.why = sentence, place, why
        head = sentence[:place].rpartition("\n")[2]
        line = sentence.split("\n")[sentence[:place].count("\n")]
        super().__init__(f"{why}\n    {line}\n    {' ' * len(head)}^")


@v_args(inline=True)
class _Trees(Transformer[Token, Tree]):
    def sentence(self, tree: Tree) -> Tree:
        return tree

    def members(self, index: Token, name: Token | None, row: Token | None, table: Token | None) -> Tree:
        return ("members", index.start_pos, str(index), str(name or index), row and str(row), table and str(table))

    def line(self, action: Tree, index: Token | None, name: Token | None, when: Tree | None) -> Tree:
        loop = None if index is None else (index.start_pos, str(index), str(name or index))
        return ("line", action[1], action, loop, when)

    def write(self, ref: Tree, value: Tree) -> Tree:
        return ("write", ref[1], ref, value)

    def mark(self, ref: Tree, count: Tree | None) -> Tree:
        return ("mark", ref[1], ref, count)

    def erase(self, ref: Tree, count: Tree | None) -> Tree:
        return ("erase", ref[1], ref, count)

    def add(self, index: Token, *assigned: Tree | None) -> Tree:
        return ("add", index.start_pos, str(index), [each for each in assigned if each is not None])

    def assigned(self, name: Token, value: Tree) -> Tree:
        return ("assigned", name.start_pos, str(name), value)

    def clear(self, index: Token) -> Tree:
        return ("clear", index.start_pos, str(index))

    def drop(self, index: Token) -> Tree:
        return ("drop", index.start_pos, str(index))

    def exchange(self, one: Tree, other: Tree) -> Tree:
        return ("exchange", one[1], one, other)

    def case(self, then: Tree, when: Tree, other: Tree) -> Tree:
        return ("case", then[1], then, when, other)

    def or_(self, *parts: Tree) -> Tree:
        return ("or", parts[0][1], parts)

    def and_(self, *parts: Tree) -> Tree:
        return ("and", parts[0][1], parts)

    def negated(self, part: Tree) -> Tree:
        return ("not", part[1], part)

    def compared(self, left: Tree, sign: Token, right: Tree) -> Tree:
        return ("compared", sign.start_pos, left, str(sign), right)

    def equal(self, left: Tree, right: Tree) -> Tree:
        return ("compared", left[1], left, "=", right)

    def among(self, left: Tree, *right: Tree) -> Tree:
        return ("among", left[1], left, right)

    def not_among(self, left: Tree, *right: Tree) -> Tree:
        return ("not", left[1], ("among", left[1], left, right))

    def plus(self, left: Tree, right: Tree) -> Tree:
        return ("sum", left[1], "+", left, right)

    def minus(self, left: Tree, right: Tree) -> Tree:
        return ("sum", left[1], "-", left, right)

    def times(self, left: Tree, right: Tree) -> Tree:
        return ("sum", left[1], "*", left, right)

    def negative(self, part: Tree) -> Tree:
        return ("negative", part[1], part)

    def text(self, token: Token) -> Tree:
        return ("text", token.start_pos, str(token)[1:-1])

    def call(self, name: Token, *parts: Tree) -> Tree:
        return ("call", name.start_pos, str(name)[:-1], parts)

    def over(self, kind: Token, index: Token, name: Token | None, body: Tree) -> Tree:
        return ("over", index.start_pos, str(kind), str(index), str(name or index), body)

    def none_of(self, index: Token, name: Token | None, body: Tree) -> Tree:
        return ("over", index.start_pos, "no", str(index), str(name or index), body)

    def ref(self, name: Token, *parts: Tree) -> Tree:
        return ("ref", name.start_pos, str(name), parts)

    def word(self, token: Token) -> Tree:
        return ("ref", token.start_pos, str(token), ())

    def of_ref(self, inner: Tree, *parts: Tree) -> Tree:
        return ("ref", inner[1], "", (("[", inner[1], inner), *parts))

    def indexed(self, inner: Tree) -> Tree:
        return ("[", inner[1], inner)

    def attribute(self, name: Token) -> Tree:
        return (".", name.start_pos, str(name))


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", start=["sentence", "line", "members"], transformer=_Trees())


def tree(sentence: str, start: str = "sentence") -> Tree:
    """The tree of a sentence, of a `line` of `do`, or of the `members` that a `for` names; raises Wrong.

    >>> tree("zone >= 2")
    ('compared', 5, ('ref', 0, 'zone', ()), '>=', ('ref', 8, '2', ()))
    """
    if not isinstance(sentence, str):
        raise Trouble(f"a sentence stands in quotes, not {sentence!r}")
    return _tree(sentence, start)


@cache
def _tree(sentence: str, start: str) -> Tree:
    if max(sentence.count("("), sentence.count("["), sentence.count("not ")) > DEEPEST:
        raise Wrong(sentence, 0, "it is nested too deeply")
    try:
        parsed: Tree = _parser().parse(sentence, start=start)  # type: ignore[assignment,unused-ignore]
        if _levels(parsed) > LEVELS:
            raise Wrong(sentence, 0, "it is nested too deeply")
        return parsed
    except UnexpectedInput as error:
        raise Wrong(sentence, *_why(sentence, error)) from None
    except RecursionError:
        raise Wrong(sentence, 0, "it is nested too deeply") from None


NAMED = {
    "ATOM": "a name or a number", "STRING": "a text in single quotes", "SIGN": "= or another sign",
    "CALLED": "max( or another function", "QUANTIFIER": "some, no, every or count", "LPAR": "(", "RPAR": ")",
    "LSQB": "[", "RSQB": "]", "COMMA": "a comma", "$END": "the end",
    "PLUS": "+", "MINUS": "-", "STAR": "*", "EQUAL": "=", "DOT": ".",
}  # fmt: skip


def _levels(parsed: Tree) -> int:
    """How deep a tree is, counted without going down into it."""
    levels, row = 0, [parsed]
    while row:
        levels += 1
        row = [part for whole in row for part in whole if isinstance(part, tuple | list)]  # type: ignore[misc]
    return levels


def _why(sentence: str, error: UnexpectedInput) -> tuple[int, str]:
    place = len(sentence) if error.pos_in_stream is None or error.pos_in_stream < 0 else error.pos_in_stream
    token = getattr(error, "token", None)
    if token is not None and token.type == "$END":
        place = len(sentence.rstrip())
        opened = _opened(sentence)
        if opened is not None:
            return opened, "this bracket is not closed"
    wanted = (
        getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", None) or ()
    )
    words = sorted({NAMED.get(each, each.lower()) for each in wanted})
    return place, f"here stands what does not fit; accepted: {', '.join(words[:9])}"


def _opened(sentence: str) -> int | None:
    opened: list[int] = []
    quoted = False
    for at, letter in enumerate(sentence):
        if letter == "'":
            quoted = not quoted
        elif not quoted and letter in "([":
            opened.append(at)
        elif not quoted and letter in ")]" and opened:
            opened.pop()
    return opened[-1] if opened else None
