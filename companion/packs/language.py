"""Kinds, scopes and lazily compiled functions, shared by all sentences of a pack."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from traceback import walk_tb
from types import FunctionType
from typing import Any

from companion.engine.fields import Field
from companion.engine.sheet import Sheet
from companion.packs.folders import Where
from companion.packs.nodes import assigned, attribute, constant, definition, name, variable_of
from companion.problems import SystemFault
from companion.words import did_you_mean, figure, nearest

# -- functions that a sentence may call --------------------------------------------------------------------------------


def same(one: object, other: object) -> bool:
    """Return whether two texts are equal when case, spaces and hyphens are ignored.

    >>> same("Saint Nazaire", "saint-nazaire")
    True
    """
    return one == other or _alike(str(one), str(other))


@lru_cache(1024)  # the same few names are compared repeatedly
def _alike(one: str, other: str) -> bool:
    return one.casefold().replace(" ", "-") == other.casefold().replace(" ", "-")


def whole(value: object) -> int:
    """Return the number in a text; 0 if it is not a number."""
    return value if isinstance(value, int) else figure(str(value)) or 0


def listed(sheet: Sheet, index: str, members: Iterable[str]) -> str:
    """Return the names of members: `Berlin, Ploesti`."""
    return ", ".join(sheet.label(index, each) for each in members)


GIVEN: Mapping[str, object] = {
    "same": same, "whole": whole,
    "min": min, "max": max, "sum": sum, "any": any, "all": all, "str": str,
    "list": list, "next": next, "listed": listed,
}  # fmt: skip
"""All that a sentence may call, by its name there."""


# -- kinds and names ---------------------------------------------------------------------------------------------------


class SentenceError(SystemFault):
    """A sentence that cannot be parsed; the place is marked under it."""

    def __init__(self, sentence: str, place: int, why: str) -> None:
        self.sentence, self.place, self.why = sentence, place, why
        head = sentence[:place].rpartition("\n")[2]
        line = sentence.split("\n")[sentence[:place].count("\n")]
        super().__init__(f"{why}\n    {line}\n    {' ' * len(head)}^")


class Kind:
    """The kind of a name: `flag`, `number`, `word` (one of `values`), `member` (of `index`), `text` or `any`."""

    def __init__(self, name: str, values: Iterable[str] = (), index: str = "") -> None:
        self.name, self.values, self.index = name, tuple(values), index

    @property
    def article(self) -> str:
        """Return the kind in words: `a number`; `a word` for one of several."""
        named = {"flag": "yes or no", "number": "a number", "member": f"a {self.index}", "text": "a text"}
        return named.get(self.name, "a word")


FLAG, NUMBER, TEXT, ANY = Kind("flag", ("yes", "no")), Kind("number"), Kind("text"), Kind("any")
BY_ROLLS = {"roll": NUMBER, "net": NUMBER, "result": NUMBER, "again": FLAG}
"""The names that a roll binds for its rows."""


def field_kind(field: Field) -> Kind:
    """Return the kind of a field's values; a choice that may be blank is never a flag."""
    if field.numeric:
        return NUMBER
    if field.values == FLAG.values and field.default is not None:
        return FLAG
    return Kind("word", field.values) if field.values else TEXT


def numeric(word: str) -> bool:
    """Return whether a word is a number in digits."""
    return word.lstrip("+-").isdigit()


class Scope:
    """The names in a sentence that are not on the sheet: `local` ones are read from the facts, `fixed` ones are
    variables with a member (variable and index).
    """

    def __init__(self, local: Mapping[str, Kind] = {}, fixed: Mapping[str, tuple[str, str]] = {}) -> None:
        self.local, self.fixed = dict(local), dict(fixed)

    def binding(self, alias: str, index: str, members: Iterable[str]) -> Scope:
        """Return a scope in which this member name is read from the facts."""
        fixed = {name: place for name, place in self.fixed.items() if name != alias}
        return Scope({**self.local, alias: Kind("member", members, index)}, fixed)

    def through(self, alias: str, index: str) -> Scope:
        """Return a scope in which this member name is a variable."""
        return Scope(self.local, {**self.fixed, alias: (variable_of(alias), index)})


class Piece:
    """A part of a sentence as a node: a `truth` or a value; `fixed` if it is a literal word.

    Of a field `single` is its single name, at run time of no field if a member is not bound.
    """

    def __init__(
        self, py: ast.expr, kind: Kind, place: int, *, fixed: bool = False, single: ast.expr | None = None
    ) -> None:
        self.py, self.kind, self.place, self.fixed, self.single = py, kind, place, fixed, single

    @property
    def word(self) -> str:
        """Return the constant of a fixed piece."""
        return str(self.py.value) if isinstance(self.py, ast.Constant) else ""


class Truth(Piece):
    """A part of a sentence that is true or false in Python."""

    def __init__(self, py: ast.expr, place: int) -> None:
        super().__init__(py, FLAG, place)


# -- the language of one pack ------------------------------------------------------------------------------------------


class Language:
    """The context shared by the sentences of one pack: its sheet, and the names for their functions.

    `counting` returns the sentences that decide the row of a roll on a table, by its name in lower case; None if there
    is no such table.
    """

    sheet: Sheet

    def __init__(
        self, game: str, say: Callable[[Any], object], counting: Callable[[str], Sequence[Sentence] | None]
    ) -> None:
        self.game, self.counting = game, counting
        self.of_sheet: list[Sentence] = []  # the facts and texts of the sheet
        self.looked_up: dict[str, set[str]] = {}  # by table: the reads that decide the row of a roll
        self.space: dict[str, Any] = {**GIVEN, "said": say, "__builtins__": {}}
        self.opened: list[str] = []  # facts being compiled, and tables being looked up

    def attribute(self, index: str, key: str) -> ast.expr:
        """Return the variable for an attribute of an index's members."""
        self.space.setdefault(f"{key} of {index}", self.sheet.attribute(index, key))
        return name(f"{key} of {index}")

    def members(self, index: str) -> ast.expr:
        """Return the members of an index."""
        return constant(tuple(self.sheet.index[index]))

    def table_reads(self, table: str) -> set[str] | None:
        """Return the reads that decide the row of a roll on a table; None if there is no such table.

        Raise SystemFault if the table looks itself up.
        """
        key, looking = table.casefold(), f"table {table.casefold()}"
        if looking in self.opened:
            raise SystemFault(f"the table {table} refers to itself")
        if key not in self.looked_up:
            sentences = self.counting(key)
            if sentences is None:
                return None
            self.opened.append(looking)
            try:
                self.looked_up[key] = {each for sentence in sentences for each in sentence.reads}
            finally:
                self.opened.pop()
        return self.looked_up[key]

    def near(self, word: str, among: Iterable[str] = ()) -> str:
        """Return `. Did you mean …?` with a similar name from these, else from all names; empty if none."""
        near = nearest(word, list(among) or [*self.sheet.patterns, *self.sheet.index], 2)
        return f". {did_you_mean(near)}" if near else ""


Write = Callable[[set[str]], list[ast.stmt]]  # writes the body of a function and notes its reads


SENTENCE = "sentence in "  # the start of the file name of each compiled sentence


def where_of(error: SystemFault) -> Where:
    """Return the game, the file and the place of the sentence that caused an error; empty if none did."""
    files = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    found = next((each for each in reversed(files) if each.startswith(SENTENCE)), f"{SENTENCE}()")
    where: Where = error.where or ast.literal_eval(found.removeprefix(SENTENCE))
    return where


class Sentence:
    """A function compiled at its first call from `parts`, each by its game, its file and the place there."""

    def __init__(self, language: Language, arguments: Sequence[str], parts: Mapping[Where, Write]) -> None:
        self.language, self.arguments, self.parts, self.place = language, arguments, parts, next(iter(parts))
        self._read: set[str] = set()
        self._made: FunctionType | None = None
        self.work = FunctionType(_first.__code__, language.space, "sentence")
        self.work.__kwdefaults__ = {"_sentence": self}

    @property
    def reads(self) -> set[str]:
        """Return the patterns that it reads."""
        self.compiled()
        return self._read

    def compiled(self) -> FunctionType:
        """Compile it once; raise SystemFault with the place of the wrong part."""
        if self._made is None:
            space, read, body, place = self.language.space, set[str](), list[ast.stmt](), self.place
            if "p" in self.arguments:  # it changes the sheet
                body.append(assigned("v", attribute(name("p"), "facts")))
            try:
                for place in self.parts:
                    body += self.parts[place](read)
                tree = ast.Module([definition("made", self.arguments, body)], [])
                exec(compile(tree, f"{SENTENCE}{self.place}", "exec", dont_inherit=True, optimize=2), space)
            except RecursionError:
                raise SystemFault("a condition or formula is nested too deeply", place) from None
            except SystemFault as fault:
                fault.where = fault.where or place
                raise
            self._made, self._read = space.pop("made"), read
        return self._made

    def faults(self) -> Iterator[tuple[Where, str]]:
        """Yield the place and the error of each part that cannot be compiled, except those of a fact that it reads."""
        for place, write in self.parts.items():
            part = self if len(self.parts) == 1 else Sentence(self.language, self.arguments, {place: write})
            try:
                part.compiled()
            except SystemFault as fault:
                if fault.where == place:
                    yield place, str(fault)


def _first(*arguments: Any, _sentence: Sentence) -> Any:
    made = _sentence.compiled()
    _sentence.work.__code__ = made.__code__
    return made(*arguments)
