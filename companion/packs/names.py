"""The names in a sentence of a pack: tokens, and the meaning of each name with its brackets."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import TypeVar

from companion.engine.dice import HANDFULS
from companion.engine.fields import Field
from companion.engine.sheet import Attribute, Bound, Derived, Member, indexes_of
from companion.packs import nodes as py
from companion.packs.language import (
    BY_ROLLS,
    NUMBER,
    Kind,
    Language,
    Piece,
    Scope,
    SentenceError,
    Truth,
    field_kind,
    numeric,
)
from companion.words import one_of

T = TypeVar("T")
TOKEN = re.compile(r"\s*('[^']*'|[A-Za-z0-9]+(?:[.:-][A-Za-z0-9]+)*|!=|<=|>=|[-=<>()\[\],+*.])")
KEYWORDS = frozenset("and or not if else for as".split())
OVER = frozenset("some every no count sum most least first names".split())
POWER = {"or": 1, "and": 2, **dict.fromkeys((*py.SIGNS, "in", "not"), 4), "+": 5, "-": 5, "*": 6}
NEGATION, TIGHTEST = 3, 7
FREE = ("yes", "no", "none")  # words that any text may be compared with
INSTEAD = {"==": "write =, not ==", "&": "write and, not &", "|": "write or, not |", "!": "write not, not !",
           '"': "put a text in single quotes: 'Kobe'", "'": "this quote isn't closed",
           "{": "braces belong in a text: '{zone}'", "/": "write half-up(…) or half-down(…), not /"}  # fmt: skip

Bracket = tuple[int, str, Piece | None]  # the inside of brackets with its place: a bare word, or else an expression
Named = tuple[int, str, list[Bracket]]  # the place, shape and brackets of a name: `hits[].wing` for `hits[side].wing`


class Names:
    """A sentence as tokens, with the meanings of its names; the patterns that it reads are added to `reads`.

    Args:
        throws: Whether dice may be rolled in it.
    """

    def __init__(
        self, language: Language, sentence: str, scope: Scope, reads: set[str], *, throws: bool = False
    ) -> None:
        self.language, self.sheet = language, language.sheet
        self.sentence, self.scope, self.reads, self.throws = sentence, scope, reads, throws
        self.words: list[str] = [*TOKEN.findall(sentence), ""]  # texts keep their quotes
        self.at = 0
        rest = TOKEN.sub(lambda each: " " * len(each[0]), sentence)
        if sign := rest.strip()[:1]:
            raise SentenceError(sentence, rest.index(sign), INSTEAD.get(sign, f"{sign!r} doesn't fit here"))

    def wrong(self, place: int, why: str) -> SentenceError:
        """Return the error for the token at a position in this sentence."""
        places = [match.start(1) for match in TOKEN.finditer(self.sentence)]
        return SentenceError(self.sentence, [*places, len(self.sentence.rstrip())][place], why)

    # -- tokens --------------------------------------------------------------------------------------------------------

    def peek(self, *words: str) -> bool:
        """Return whether one of these tokens comes next."""
        return self.words[self.at] in words

    def take(self, *words: str) -> str:
        """Consume and return the next token if it is one of these; else return an empty string."""
        word = self.words[self.at]
        if word not in words:
            return ""
        self.at += 1
        return word

    def want(self, word: str) -> None:
        """Consume a required word."""
        if not self.take(word):
            raise self.misfit(f"{word} is missing here")

    def atom(self, what: str = "a name") -> str:
        """Consume and return a required name."""
        word = self.words[self.at]
        if not word[:1].isalnum() or word in KEYWORDS:
            raise self.misfit(f"{what} is missing here")
        self.at += 1
        return word

    def end(self, piece: T) -> T:
        """Return the piece if the sentence ends here; else raise an error for the rest."""
        if word := self.words[self.at]:
            joins = ". Is and, or, or a sign (e.g. =) missing before it?" if word[0].isalnum() or word[0] == "'" else ""
            raise self.misfit(f"this doesn't fit here{joins}")
        return piece

    def misfit(self, why: str) -> SentenceError:
        """Return the error for an unexpected token, with a hint for common mistakes."""
        word, place, before = self.words[self.at], self.at, self.words[self.at - 1] if self.at else ""
        if word == "=" and before in py.SIGNS:
            why = INSTEAD["=="]
        elif word in (")", "]") and before != "(":
            why = "this bracket was never opened"
        elif not word and any(self.words.count(mark) > self.words.count(end) for mark, end in ("()", "[]")):
            why = "a bracket isn't closed"
        return self.wrong(place, why)

    # -- conversion of pieces ------------------------------------------------------------------------------------------

    def condition(self, piece: Piece) -> ast.expr:
        """Return a piece as a truth value."""
        if isinstance(piece, Truth):
            return piece.py
        kind = piece.kind
        if kind.name not in ("flag", "any"):
            what = {"word": "one of several words", "member": f"one {kind.index}"}.get(kind.name, kind.article)
            raise self.wrong(piece.place, f"this is {what}, not a condition. Compare it, e.g. with =")
        return py.compared(piece.py, "=", py.constant("yes"))

    def value(self, piece: Piece) -> ast.expr:
        """Return a piece as a value."""
        return py.either(piece.py, py.constant("yes"), py.constant("no")) if isinstance(piece, Truth) else piece.py

    def number(self, piece: Piece) -> ast.expr:
        """Return a piece as a number."""
        kind = piece.kind
        if kind is NUMBER:
            return piece.py
        if not (kind.name in ("any", "member") or any(map(numeric, kind.values))):
            raise self.wrong(piece.place, f"this must be a number, not {kind.article}")
        return py.call("whole", self.value(piece))

    def accepted(self, kind: Kind, piece: Piece) -> ast.expr:
        """Return a piece as the value of a field of that kind."""
        other = piece.kind
        wordy = other.name == "word" and (piece.fixed or not any(map(numeric, other.values)))
        if kind is NUMBER and (wordy or other.name in ("text", "flag")):
            raise self.wrong(piece.place, f"this must be a number, not {other.article}")
        if kind.name == "flag" and other.name in ("number", "member"):
            raise self.wrong(piece.place, f"this must be yes or no, not {other.article}")
        return self.value(piece)

    # -- names ---------------------------------------------------------------------------------------------------------

    def changed(self, named: Named) -> tuple[ast.expr, Kind]:
        """Return the single name of a field to be written, and its kind."""
        place, shape, brackets = named
        known = self.sheet.known.get(shape)
        if isinstance(known, Field) and not brackets:  # even if a roll binds its name
            return py.constant(shape), field_kind(known)
        piece = self.of_members(named) if brackets else self.word(shape, place)
        if piece.single is None:
            raise self.wrong(place, f"{shape.replace('[]', '[…]')} isn't a field that can be set")
        return piece.single, piece.kind

    def bare(self, word: str, place: int, like: Kind | None) -> Piece:
        """Resolve a name without brackets: a word of the left side, or else a known name."""
        if like is None:
            return self.word(word, place)
        free = word in FREE and word not in self.scope.fixed and word not in self.scope.local
        if free and word == "none" and like.name in ("number", "flag"):
            raise self.wrong(place, f"this is {like.article}. It can't be none")
        if word in like.values or (free and like is not NUMBER) or (word.isdigit() and like.name == "text"):
            return Piece(py.constant(word), like, place, fixed=True)
        try:
            return self.word(word, place)
        except SentenceError:
            if not like.values or word in self.sheet.known or word[:-1].isdigit():
                raise  # a known name, but used wrongly
            near = self.language.near(word, like.values)
            why = f"{word} is neither a field nor {one_of(list(like.values))}{near}"
            raise self.wrong(place, why) from None

    def word(self, word: str, place: int) -> Piece:
        """Return the piece for a known name without brackets."""
        scope, sheet, known = self.scope, self.sheet, self.sheet.known.get(word)
        head, _, key = word.partition(".")
        key_of, here = py.constant(word), scope.local.get(head)
        if word.isdigit():
            return Piece(py.constant(int(word)), NUMBER, place, fixed=True)
        if word[:-1].isdigit() and word.endswith("D"):
            if not self.throws:
                raise self.wrong(place, "dice can be rolled only in the formula of a value")
            if word[:-1] not in HANDFULS:
                raise self.wrong(place, f"a roll takes {HANDFULS[0]}D to {HANDFULS[-1]}D")
            return Piece(py.call("dice", py.constant(int(word[:-1]))), NUMBER, place)
        if head in scope.fixed and not (key and isinstance(known, Derived)):
            variable, index = scope.fixed[head]
            if not key:
                return Piece(py.name(variable), self.member_kind(index), place)
            return self.of_member(place, index, py.name(variable), key)
        if key and here is not None and here.index and head not in (*sheet.index, *scope.fixed):
            self.reads.add(head)
            return self.of_member(place, here.index, py.read(py.constant(head)), key)
        if word in scope.local and (word in BY_ROLLS or word in sheet.facts):
            known = None  # bindings take precedence over worked-out facts
        if isinstance(known, Field | Derived):
            pattern = sheet.pattern(word)
            self.reads.add(pattern)
            return Piece(py.read(key_of), self.kind_of(pattern), place)
        if isinstance(known, Member) or word in scope.local:
            self.reads.add(word)
            kind = self.member_kind(word) if isinstance(known, Member) else scope.local[word]
            return Piece(py.read(key_of), kind, place)
        if isinstance(known, Bound):
            pattern = sheet.pattern(word)
            self.reads |= {known.index, pattern}
            single = py.single(pattern, [py.read(py.constant(known.index))])
            return Piece(py.read(key_of), field_kind(known.declared), place, single=single)
        if isinstance(known, Attribute):
            self.reads.add(known.index)
            return self.of_attribute(place, known.index, py.read(py.constant(known.index)), key)
        if word in ("yes", "no"):
            return Truth(py.constant(word == "yes"), place)
        if word == "none":
            return Piece(py.constant(word), Kind("word", (word,)), place, fixed=True)
        if patterns := sheet.shapes.get(f"{word}[]"):
            raise self.wrong(place, f"there is no field {word} alone. Name its member, e.g. {patterns[0]}")
        near = self.language.near(word)
        raise self.wrong(place, f"there is no field {word}{near or '.'} Put text in quotes: '{word}'")

    def kind_of(self, pattern: str) -> Kind:
        """Return the kind of a field or of a worked-out fact, compiling the fact if needed."""
        known = self.sheet.patterns[pattern]
        kind: Kind = field_kind(known) if isinstance(known, Field) else known.kind
        return kind

    def member_kind(self, index: str) -> Kind:
        """Return the kind of a member."""
        return Kind("member", self.sheet.index[index], index)

    def of_attribute(self, place: int, index: str, member: ast.expr, key: str) -> Piece:
        """Compile an attribute of a member."""
        values = self.sheet.attribute(index, key).values()
        get = py.attribute(self.language.attribute(index, key), "get")
        if all(isinstance(each, int) for each in values):
            return Piece(py.call(get, member, py.constant(0)), NUMBER, place)
        return Piece(py.call(get, member, py.constant("none")), Kind("word", dict.fromkeys(map(str, values))), place)

    def of_member(self, place: int, index: str, member: ast.expr, key: str) -> Piece:
        """Compile a field (`f.clock`) or an attribute (`g.label`) of a member."""
        pattern = f"{index}[{index}].{key}"
        if isinstance(self.sheet.patterns.get(pattern), Field):
            return self.field(place, pattern, [member])
        if self.sheet.attribute(index, key):
            return self.of_attribute(place, index, member, key)
        keys = sorted({key for each in self.sheet.index[index].values() for key in each})
        raise self.wrong(place, f"one {index} has no {key}{f'. It has {one_of(keys)}' if keys else ''}")

    def of_members(self, named: Named) -> Piece:
        """Resolve a name with brackets, choosing between `crew[position]` and `crew[room]` by its member."""
        place, shape, brackets = named
        patterns = self.sheet.shapes.get(shape, [])
        if not patterns:  # no field of that shape: an attribute of a member
            index, bracket, key = shape.partition("[].")
            if bracket and index in self.sheet.index and self.sheet.attribute(index, key):
                return self.of_attribute(place, index, self.member(brackets[0], index), key)
            shown = shape.replace("[]", "[…]")
            raise self.wrong(place, f"there is no field like {shown}{self.language.near(shown)}")
        pattern = next((each for each in patterns[1:] and patterns if self.fitting(each, brackets)), patterns[0])
        return self.field(place, pattern, list(map(self.member, brackets, indexes_of(pattern))))

    def fitting(self, pattern: str, brackets: Sequence[Bracket]) -> bool:
        """Return whether these can be the members of a pattern."""
        reads, self.reads = self.reads, set()
        try:
            return bool(list(map(self.member, brackets, indexes_of(pattern))))
        except SentenceError:
            return False
        finally:
            self.reads = reads

    def field(self, place: int, pattern: str, members: Sequence[ast.expr]) -> Piece:
        """Return the piece for a field or a worked-out fact of these members."""
        self.reads.add(pattern)
        name = py.single(pattern, members)
        written = name if isinstance(self.sheet.patterns[pattern], Field) else None
        return Piece(py.read(name), self.kind_of(pattern), place, single=written)

    def member(self, bracket: Bracket, index: str) -> ast.expr:
        """Return the member between brackets: a constant, a variable, or a value; SentenceError if it cannot be one."""
        place, bare, piece = bracket
        members, scope = self.sheet.index[index], self.scope
        if bare in members and bare not in scope.fixed and (bare in self.sheet.index or bare not in scope.local):
            return py.constant(bare)
        piece = piece or self.word(bare, place)
        kind = piece.kind
        if kind is NUMBER:
            fits = any(map(numeric, members))
        else:
            fits = kind.index == index or not kind.values or not set(kind.values).isdisjoint(members)
        if not fits:
            else_one = f": {one_of(list(members)[:12])}" if kind.name == "word" else f", not {kind.article}"
            raise self.wrong(place, f"this must be a {index}{else_one}")
        return py.call("str", piece.py) if kind is NUMBER else self.value(piece)

    def index(self, besides: str = "") -> str:
        """Read the name of an index."""
        place, word = self.at, self.atom("the name of an index")
        if word not in self.sheet.index and word != besides:
            known = list(self.sheet.index)
            near = self.language.near(word, known)
            raise self.wrong(place, f"there is no index {word}. Use {one_of(known)}{near}")
        return word
