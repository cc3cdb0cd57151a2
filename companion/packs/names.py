"""The names in a sentence of a pack: tokens, and the meaning of each name with its brackets."""

from __future__ import annotations

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, TypeVar

from companion.engine.dice import HANDFULS
from companion.engine.fields import Field
from companion.engine.sheet import Argument, Attribute, Bound, Derived, Member, Read, indexes_of, pattern_of
from companion.packs import nodes as py
from companion.packs.language import (
    BY_ROLLS,
    FLAG,
    NUMBER,
    Kind,
    Language,
    Piece,
    Scope,
    SentenceError,
    field_kind,
    numeric,
)
from companion.problems import SystemFault
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


class Names(ABC):
    """A sentence as tokens, with the meanings of its names; its reads are added to `reads`.

    Args:
        throws: Whether dice may be rolled in it.
    """

    def __init__(
        self, language: Language, sentence: str, scope: Scope, reads: set[Read], *, throws: bool = False
    ) -> None:
        if not isinstance(sentence, str):
            raise SystemFault(f"write it in quotes, not {sentence!r}")
        self.language, self.sheet, self.strict = language, language.sheet, language.strict
        self.sentence, self.scope, self.reads, self.throws = sentence, scope, reads, throws
        self.words: list[str] = TOKEN.findall(sentence)  # texts keep their quotes; the last token is empty
        self.at = 0
        if self.strict and TOKEN.sub("", sentence).strip():
            raise self.invalid_character()
        self.words.append("")

    def invalid_character(self) -> SentenceError:
        """Return the error for a sentence with an invalid character."""
        place = 0
        while match := TOKEN.match(self.sentence, place):
            place = match.end()
        place = len(self.sentence) - len(self.sentence[place:].lstrip())
        sign = self.sentence[place]
        return SentenceError(self.sentence, place, INSTEAD.get(sign, f"{sign!r} doesn't fit here"))

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
        if word in words:
            self.at += 1
            return word
        return ""

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
            return self.wrong(place, INSTEAD["=="])
        if word in (")", "]") and before != "(":
            return self.wrong(place, "this bracket was never opened")
        closed = {mark: self.words.count(mark) for mark in "()[]"}
        if not word and (closed["("] > closed[")"] or closed["["] > closed["]"]):
            return self.wrong(place, "a bracket isn't closed")
        return self.wrong(place, why)

    # -- conversion of pieces ------------------------------------------------------------------------------------------

    def condition(self, piece: Piece) -> ast.expr:
        """Return a piece as a truth value."""
        if piece.truth:
            return piece.py
        if self.strict and piece.kind.name not in ("flag", "any"):
            kind = piece.kind
            what = {"word": "one of several words", "member": f"one {kind.index}"}.get(kind.name, kind.article)
            raise self.wrong(piece.place, f"this is {what}, not a condition. Compare it, e.g. with =")
        return py.compared(piece.py, "=", py.constant("yes"))

    def value(self, piece: Piece) -> ast.expr:
        """Return a piece as a value."""
        return py.either(piece.py, py.constant("yes"), py.constant("no")) if piece.truth else piece.py

    def number(self, piece: Piece) -> ast.expr:
        """Return a piece as a number."""
        kind = piece.kind
        if kind is NUMBER:
            return piece.py
        if self.strict and not (kind.name in ("any", "member") or any(map(numeric, kind.values))):
            raise self.wrong(piece.place, f"this must be a number, not {kind.article}")
        return py.call("whole", self.value(piece))

    @abstractmethod
    def binary(self, least: int, like: Kind | None = None) -> Piece:
        """Read operators of at least this precedence."""

    @abstractmethod
    def case(self, like: Kind | None = None) -> Piece:
        """Read a whole expression."""

    # -- names ---------------------------------------------------------------------------------------------------------

    def written(self) -> Named:
        """Read a name with its brackets: `log[leg][zone].rolls`."""
        place = self.at
        shape, brackets = "", list[Bracket]()
        if not self.peek("["):
            shape = self.atom()
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

    def bare(self, word: str, place: int, like: Kind | None) -> Piece:
        """Resolve a name without brackets: a word of the left side, or else a known name."""
        if like is None:
            return self.word(word, place)
        free = word in FREE and word not in self.scope.fixed and word not in self.scope.local
        if self.strict and free and word == "none" and like.name in ("number", "flag"):
            raise self.wrong(place, f"this is {like.article}. It can't be none")
        if word in like.values or (free and like is not NUMBER) or (word.isdigit() and like.name == "text"):
            return Piece(py.constant(word), like, place, fixed=True)
        try:
            return self.word(word, place)
        except SentenceError:
            if not like.values or word in self.sheet.known or word[:-1].isdigit():
                raise  # a known name, but used wrongly
            one = one_of(list(like.values))
            near = self.language.near(word, like.values)
            raise self.wrong(place, f"{word} is neither a field nor {one}{near}") from None

    def word(self, word: str, place: int) -> Piece:
        """Return the piece for a known name without brackets."""
        scope, sheet = self.scope, self.sheet
        if word.isdigit():
            return Piece(py.constant(int(word)), NUMBER, place, fixed=True)
        if word[:-1].isdigit() and word.endswith("D"):
            return self.dice_sum(word, place)
        head, _, key = word.partition(".")
        if word in scope.fixed:
            variable, index = scope.fixed[word]
            return Piece(py.name(variable), self.member_kind(index), place)
        if key and head in scope.fixed:
            variable, index = scope.fixed[head]
            if not isinstance(sheet.known.get(word), Derived):
                return self.of_member(place, index, py.name(variable), key, ("$", variable))
        elif key and head in scope.local and scope.local[head].index and head not in sheet.index:
            self.reads.add((head, ()))
            return self.of_member(place, scope.local[head].index, py.read(head), key, None)
        if word in scope.local and (word in BY_ROLLS or word in sheet.facts):
            self.reads.add((word, ()))  # bindings take precedence over worked-out facts
            return Piece(py.read(word), scope.local[word], place)
        known = sheet.known.get(word)
        if isinstance(known, Field | Derived):
            pattern = pattern_of(known.name) if isinstance(known, Field) else known.fact.pattern
            self.reads.add((pattern, (("name", word),) if "[" in pattern else ()))
            return Piece(py.read(word), self.kind_of(pattern), place)
        if isinstance(known, Member) or word in scope.local:
            self.reads.add((word, ()))
            kind = self.member_kind(word) if isinstance(known, Member) else scope.local[word]
            return Piece(py.read(word), kind, place)
        if isinstance(known, Bound):
            self.reads |= {(known.index, ()), (pattern_of(known.declared.name), (None,))}
            return Piece(py.read(word), field_kind(known.declared), place)
        if isinstance(known, Attribute):
            self.reads.add((known.index, ()))
            return self.of_attribute(place, known.index, py.read(known.index), key)
        if word in ("yes", "no"):
            return Piece(py.constant(word == "yes"), FLAG, place, truth=True)
        if word == "none":
            return Piece(py.constant(word), Kind("word", (word,)), place, fixed=True)
        raise self.unknown(word, place)

    def unknown(self, word: str, place: int) -> SentenceError:
        """Return the error for an unknown name."""
        if patterns := self.sheet.shapes.get(f"{word}[]"):
            return self.wrong(place, f"there is no field {word} alone. Name its member, e.g. {patterns[0]}")
        near = self.language.near(word)
        return self.wrong(place, f"there is no field {word}{near or '.'} Put text in quotes: '{word}'")

    def dice_sum(self, word: str, place: int) -> Piece:
        """Compile the sum of dice rolled for a formula."""
        if not self.throws:
            raise self.wrong(place, "dice can be rolled only in the formula of a value")
        if word[:-1] not in HANDFULS:
            raise self.wrong(place, f"a roll takes {HANDFULS[0]}D to {HANDFULS[-1]}D")
        return Piece(py.call("dice", py.constant(int(word[:-1]))), NUMBER, place)

    def kind_of(self, pattern: str) -> Kind:
        """Return the kind of a field or of a worked-out fact, compiling the fact if needed."""
        known: Any = self.sheet.patterns[pattern]
        return field_kind(known) if isinstance(known, Field) else known.kind

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

    def of_member(self, place: int, index: str, member: ast.expr, key: str, arg: Argument) -> Piece:
        """Compile a field (`f.clock`) or an attribute (`g.label`) of a member."""
        pattern = f"{index}[{index}].{key}"
        field = self.sheet.patterns.get(pattern)
        if isinstance(field, Field):
            self.reads.add((pattern, (arg,)))
            return Piece(py.read(py.item(self.language.names(pattern), member)), field_kind(field), place)
        if self.sheet.attribute(index, key):
            return self.of_attribute(place, index, member, key)
        keys = sorted({key for each in self.sheet.index[index].values() for key in each})
        raise self.wrong(place, f"one {index} has no {key}{f'. It has {one_of(keys)}' if keys else ''}")

    def of_members(self, named: Named) -> Piece:
        """Resolve a name with brackets."""
        place, shape, brackets = named
        pattern = self.pattern(named)
        if pattern not in self.sheet.patterns:  # no field of that shape: an attribute of a member
            index, bracket, key = shape.partition("[].")
            if bracket and index in self.sheet.index and self.sheet.attribute(index, key):
                return self.of_attribute(place, index, self.member(brackets[0], index)[0], key)
            shown = shape.replace("[]", "[…]")
            raise self.wrong(place, f"there is no field like {shown}{self.language.near(shown)}")
        members = [self.member(*each) for each in zip(brackets, indexes_of(pattern), strict=True)]
        self.reads.add((pattern, tuple(arg for _, arg in members)))
        return Piece(py.read(self.single(pattern, members)), self.kind_of(pattern), place)

    def pattern(self, named: Named) -> str:
        """Return the pattern of a name with brackets, choosing between `crew[position]` and `crew[room]` by member."""
        _, shape, brackets = named
        patterns = self.sheet.shapes.get(shape, [])
        for pattern in patterns if len(patterns) > 1 else ():
            try:
                if not any(self.unfit(*each) for each in zip(brackets, indexes_of(pattern), strict=True)):
                    return pattern
            except SentenceError:
                continue
        return patterns[0] if patterns else shape

    def single(self, pattern: str, members: Sequence[tuple[ast.expr, Argument]]) -> ast.expr:
        """Return the single name of a pattern for these members."""
        fixed = [str(arg[1]) for _, arg in members if arg is not None and arg[0] == "="]
        if len(fixed) == len(members):
            names: Any = self.sheet.names(pattern)
            for each in fixed:
                names = names[each]
            return py.constant(names)
        single = self.language.names(pattern)
        for member, _ in members:
            single = py.item(single, member)
        return single

    def member(self, bracket: Bracket, index: str) -> tuple[ast.expr, Argument]:
        """Return the member between brackets, and its name if the sentence gives it."""
        place, bare, piece = bracket
        if self.strict and (why := self.unfit(bracket, index)):
            raise self.wrong(place, why)
        if bare in self.scope.fixed:
            variable = self.scope.fixed[bare][0]
            return py.name(variable), ("$", variable)
        if self._is_member(bare, index):
            return py.constant(bare), ("=", bare)
        piece = piece or self.word(bare, place)
        return py.call("str", piece.py) if piece.kind is NUMBER else self.value(piece), None

    def _is_member(self, bare: str, index: str) -> bool:
        return bare in self.sheet.index[index] and not (bare in self.scope.local and bare not in self.sheet.index)

    def unfit(self, bracket: Bracket, index: str) -> str:
        """Return why a bracket's content cannot be a member of an index; empty if it can."""
        place, bare, piece = bracket
        members = self.sheet.index[index]
        if self._is_member(bare, index) and bare not in self.scope.fixed:
            return ""
        if piece is None:
            reads, self.reads = self.reads, set()
            try:
                piece = self.word(bare, place)
            finally:
                self.reads = reads
        kind = piece.kind
        words = self.sheet.index[kind.index] if kind.name == "member" else kind.values
        if kind.name == "number":
            fits = any(map(numeric, members))
        else:
            fits = kind.index == index or not words or not set(words).isdisjoint(members)
        if fits:
            return ""
        return f"this must be a {index}" + (
            f": {one_of(list(members)[:12])}" if kind.name == "word" else f", not {kind.article}"
        )

    # -- targets of changes --------------------------------------------------------------------------------------------

    def target(self) -> tuple[ast.expr, Kind]:
        """Read the name of a field to be written: its single name (None if unbound), and its kind."""
        place, shape, brackets = named = self.written()
        head, _, key = shape.partition(".")
        known = self.sheet.known.get(shape)
        if brackets:
            pattern = self.pattern(named)
            field = self.sheet.patterns.get(pattern)
            if isinstance(field, Field):
                members = [self.member(*each) for each in zip(brackets, indexes_of(pattern), strict=True)]
                if all(arg is not None for _, arg in members):
                    return self.single(pattern, members), field_kind(field)
                names = self.language.names(pattern)
                return py.call("one", names, *(member for member, _ in members)), field_kind(field)
        elif isinstance(known, Field):
            return py.constant(shape), field_kind(known)
        elif head in self.scope.fixed:
            variable, index = self.scope.fixed[head]
            field = self.sheet.patterns.get(f"{index}[{index}].{key}")
            if isinstance(field, Field):
                return py.item(self.language.names(pattern_of(field.name)), py.name(variable)), field_kind(field)
        elif isinstance(known, Bound):
            names = self.language.names(pattern_of(known.declared.name))
            return py.call("one", names, py.read(known.index)), field_kind(known.declared)
        else:
            self.word(shape, place)
        near = self.language.near(shape) if brackets else ""
        raise self.wrong(place, f"{shape.replace('[]', '[…]')} isn't a field that can be set{near}")

    def accepted(self, kind: Kind, piece: Piece) -> ast.expr:
        """Return a piece as the value of a field of that kind."""
        if self.strict:
            other = piece.kind
            wordy = other.name == "word" and (piece.fixed or not any(map(numeric, other.values)))
            if kind is NUMBER and (wordy or other.name in ("text", "flag")):
                raise self.wrong(piece.place, f"this must be a number, not {other.article}")
            if kind.name == "flag" and other.name in ("number", "member"):
                raise self.wrong(piece.place, f"this must be yes or no, not {other.article}")
        return self.value(piece)

    def members_of(self, *, with_row: bool = False) -> tuple[str, str, str, str]:
        """Read the loop of a `for` (`fighter as f, row of 5-6`): index, alias, and the row and its table."""
        index = self.index()
        alias = self.atom() if self.take("as") else index
        if not (with_row and self.take(",")):
            return self.end((index, alias, "", ""))
        row = self.atom()
        self.want("of")
        return self.end((index, alias, row, self.atom()))

    def index(self, besides: str = "") -> str:
        """Read the name of an index."""
        place, word = self.at, self.atom("the name of an index")
        if word not in self.sheet.index and word != besides:
            known = list(self.sheet.index)
            near = self.language.near(word, known)
            raise self.wrong(place, f"there is no index {word}. Use {one_of(known)}{near}")
        return word
