"""What the sentences of a pack are about: kinds, names in scope, and the functions that they become."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import count
from types import FunctionType
from typing import Any

from companion.engine.fields import Field
from companion.engine.sheet import Sheet
from companion.engine.sheet_names import Read
from companion.packs.nodes import constant, definition, name, variable_of
from companion.problems import SystemFault
from companion.words import figure, one_of

LARGEST = 10**15  # of a product
LONGEST = 50_000  # letters of a text that is put together


def same(one: object, other: object) -> bool:
    """Whether two texts are the same to a player: without regard to case, blanks and hyphens.

    >>> same("Saint Nazaire", "saint-nazaire")
    True
    """
    return one == other or _alike(str(one), str(other))


@lru_cache(1024)  # the same few names are compared over and over
def _alike(one: str, other: str) -> bool:
    return one.casefold().replace(" ", "-") == other.casefold().replace(" ", "-")


def whole(value: object) -> int:
    """A number that stands in a text; 0 where there is none."""
    if isinstance(value, int):
        return value
    return figure(str(value)) or 0


def one(names: Any, *members: object) -> str | None:
    """The single name for these members out of maps in each other; None where one of them is bound to nobody."""
    for member in members:
        names = names.get(str(member))
        if names is None:
            return None
    single: str = names
    return single


def product(one: int, other: int) -> int:
    """One number times another; raises SystemFault where facts multiply each other beyond all figures."""
    number = one * other
    if abs(number) > LARGEST:
        raise SystemFault("the pack works out a number beyond all figures")
    return number


def filled(text: str, holes: tuple[object, ...]) -> str:
    """A text with its braces filled in; raises SystemFault where texts hold each other again and again."""
    whole_text = text % holes
    if len(whole_text) > LONGEST:
        raise SystemFault("the pack puts a text together that is longer than any page")
    return whole_text


GIVEN: Mapping[str, object] = {
    "same": same, "whole": whole, "one": one, "product": product, "filled": filled,
    "min": min, "max": max, "str": str,
}  # fmt: skip
"""All that the code of a pack may call, by its name there."""


class SentenceError(SystemFault):
    """A sentence that cannot be understood: the place is marked under it."""

    def __init__(self, sentence: str, place: int, why: str) -> None:
        self.sentence, self.place, self.why = sentence, place, why
        head = sentence[:place].rpartition("\n")[2]
        line = sentence.split("\n")[sentence[:place].count("\n")]
        super().__init__(f"{why}\n    {line}\n    {' ' * len(head)}^")


class Kind:
    """What a name or a piece is: `flag`, `number`, `word` (one of `values`), `member` (of `index`), `text`, `any`."""

    __slots__ = ("_folded", "index", "name", "values")

    def __init__(self, name: str, values: Iterable[str] = (), index: str = "") -> None:
        self.name, self.values, self.index = name, tuple(values), index
        self._folded: dict[str, str] | None = None

    def knows(self, word: str) -> str | None:
        """Return the word as it is written among the values; None when it is none of them."""
        if word in self.values:
            return word
        if self._folded is None:
            self._folded = {each.casefold(): each for each in reversed(self.values)}
        return self._folded.get(word.casefold())

    @property
    def article(self) -> str:
        """Say it in words: `a number`; `a word` for one of several."""
        named = {"flag": "yes or no", "number": "a number", "member": f"a {self.index}", "text": "a text"}
        return named.get(self.name, "a word")


FLAG, NUMBER, TEXT, ANY = Kind("flag", ("yes", "no")), Kind("number"), Kind("text"), Kind("any")
BY_ROLLS = {"roll": NUMBER, "net": NUMBER, "result": NUMBER, "again": FLAG}
"""The names that a roll binds for its rows."""


class Scope:
    """The names a sentence may use besides the sheet: `local` ones are bound when it runs and read from the facts,
    `fixed` ones are members held in a variable of its own (variable and index)."""

    def __init__(
        self, local: Mapping[str, Kind] | None = None, fixed: Mapping[str, tuple[str, str]] | None = None
    ) -> None:
        self.local, self.fixed = dict(local or {}), dict(fixed or {})

    def binding(self, alias: str, index: str, members: Iterable[str]) -> Scope:
        """Return a scope in which this name of a member is bound when the sentence runs."""
        scope = Scope(self.local, self.fixed)
        scope.fixed.pop(alias, None)
        scope.local[alias] = Kind("member", members, index)
        return scope

    def through(self, alias: str, index: str) -> Scope:
        """Return a scope in which this name of a member is a variable."""
        return Scope(self.local, {**self.fixed, alias: (variable_of(alias), index)})


class Language:
    """All that the sentences of one pack share: its sheet, the names their functions may use, the facts being compiled.

    `table_reads` gives what a table of that name depends on, None where there is no such table; `of_sheet` what is
    wrong with the texts of the sheet. What is `strict` is proved to the last kind.
    """

    sheet: Sheet

    def __init__(
        self,
        label: str,
        say: Callable[[Any], object] = str,
        *,
        strict: bool = False,
    ) -> None:
        self.label, self.strict = label, strict
        self.table_reads: Callable[[str], set[Read] | None] = lambda table: set()
        self.of_sheet: Callable[[], list[str]] = list
        self.looked_up: dict[str, set[Read] | None] = {}
        self.space: dict[str, Any] = {**GIVEN, "said": say, "__builtins__": {}}
        self.opened: list[str] = []  # facts being compiled
        self.looking: list[str] = []  # tables being read for what they depend on
        self._numbers = count(1)

    def unique(self) -> str:
        """Return a name of Python that no other function of this pack has."""
        return f"f{next(self._numbers)}"

    def names(self, pattern: str) -> ast.expr:
        """Return the variable that has the single names of a family by member, one index within the other."""
        variable = f"names of {pattern}"
        if variable not in self.space:
            self.space[variable] = self.sheet.names(pattern)
        return name(variable)

    def attribute(self, index: str, key: str) -> ast.expr:
        """Return the variable that has what the pack says of each member of an index."""
        variable = f"{key} of {index}"
        if variable not in self.space:
            self.space[variable] = self.sheet.attribute(index, key)
        return name(variable)

    def members(self, index: str) -> ast.expr:
        """Return the members of an index."""
        return constant(self.sheet.members(index))

    def touched(self, reads: Iterable[Read]) -> frozenset[str]:
        """Return the patterns that these reads come down to, through worked-out facts too."""
        touched: set[str] = set()
        for pattern, _ in reads:
            touched.add(pattern)
            fact = self.sheet.facts.get(pattern)
            if fact is not None and pattern not in self.opened:
                touched |= fact.touched
        return frozenset(touched)

    def known(self) -> list[str]:
        """Return every name that can be said, for suggestions."""
        return [*self.sheet.patterns, *self.sheet.index]

    def near(self, word: str, among: Iterable[str] = ()) -> str:
        """Return `; did you mean …?` where something like it is among these, else among all names; else nothing."""
        import difflib

        near = difflib.get_close_matches(word, list(among) or self.known(), 2, 0.7)
        return f"; did you mean {one_of(near)}?" if near else ""


class Lazy:
    """What a sentence becomes when it is first used: `work` turns into what `compiled` gives, and is as fast from then
    on as if it had always been that."""

    __slots__ = ("work",)

    def __init__(self, language: Language) -> None:
        self.work = FunctionType(_first.__code__, language.space, "sentence")
        self.work.__kwdefaults__ = {"_sentence": self}

    def compiled(self) -> FunctionType:
        """Compile it; raises SystemFault."""
        raise NotImplementedError


def _first(*arguments: Any, _sentence: Lazy) -> Any:
    made = _sentence.compiled()
    _sentence.work.__code__ = made.__code__
    return made(*arguments)


class Draft:
    """One function being written: the functions it calls to go through members, and what all of them read."""

    def __init__(self, language: Language, label: str = "") -> None:
        self.language, self.label = language, label or language.label
        self.inner: list[ast.stmt] = []
        self.reads: set[Read] = set()

    def helper(self, arguments: Sequence[str], body: Sequence[ast.stmt]) -> str:
        """Add a function that this one calls, and return its name."""
        self.inner.append(definition(unique := self.language.unique(), arguments, body))
        return unique

    def tree(self, unique: str, arguments: Sequence[str], body: Sequence[ast.stmt]) -> ast.Module:
        """Return the function of that name and those it calls, as they are compiled."""
        return ast.Module([*self.inner, definition(unique, arguments, body)], [])

    def function(self, arguments: Sequence[str], body: Sequence[ast.stmt]) -> FunctionType:
        """Compile the function itself."""
        unique, space = self.language.unique(), self.language.space
        try:
            tree = self.tree(unique, arguments, body)
            exec(compile(tree, self.label, "exec", dont_inherit=True, optimize=2), space)
        except (RecursionError, MemoryError):
            raise SystemFault("a sentence is nested too deeply") from None
        made: FunctionType = space.pop(unique)
        return made


class Piece:
    """A part of a sentence as a node: bare `truth` or a value; `fixed` where the sentence itself has the word."""

    __slots__ = ("_kind", "fixed", "place", "py", "truth")

    def __init__(
        self, py: ast.expr, kind: Kind | Callable[[], Kind], place: int, *, truth: bool = False, fixed: bool = False
    ) -> None:
        self.py, self._kind, self.place, self.truth, self.fixed = py, kind, place, truth, fixed

    @property
    def kind(self) -> Kind:
        """What it is; that of a worked-out fact is found out when it is first asked for."""
        if not isinstance(self._kind, Kind):
            self._kind = self._kind()
        return self._kind

    @property
    def word(self) -> str:
        """The constant that a fixed piece is."""
        return str(self.py.value) if isinstance(self.py, ast.Constant) else ""


def field_kind(field: Field) -> Kind:
    """Return what a field takes."""
    if field.numeric:
        return NUMBER
    if not field.values:
        return TEXT
    which = field.values, field.default is not None  # a word of yes and no may be blank, a flag is not
    kind = KINDS.get(which)
    if kind is None:
        kind = KINDS[which] = Kind("word", field.values)
    return kind


KINDS = {(FLAG.values, True): FLAG}  # of the fields that take one of several words, by these


def numeric(word: str) -> bool:
    """Return whether a word is a number in digits."""
    return word.lstrip("+-").isdigit()
