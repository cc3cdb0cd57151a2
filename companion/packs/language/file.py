"""One file of a pack being compiled: every sentence in it becomes a function of its module.

The number of a function goes under `#key` where a sentence stands under `key`. What is wrong is noted with its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from companion.packs.language.grammar import Tree, tree
from companion.packs.language.module import Code, Module, Scope
from companion.packs.language.names import ANY, FLAG, NUMBER, Kind, Names, Read
from companion.packs.language.writer import Writer, template
from companion.problems import Trouble

Doc = dict[str, Any]  # a part of a file that the numbers of functions are written into
LOCAL = {"roll": NUMBER, "net": NUMBER, "result": NUMBER, "again": FLAG}  # what a roll binds


class FileWriter:
    """A file of a pack being compiled. Each of `faults` is a sentence with the place in the file before it.

    `by` is the name of the file as orders remember it: the conditions that end them are found there (`untils`).
    """

    def __init__(self, names: Names, by: str = "") -> None:
        self.names, self.by = names, by
        self.module = Module(names)
        self.faults: list[str] = []
        self.place: list[str] = []
        self.untils: dict[str, int] = {}
        self.conditions: dict[int, str] = {}  # the Python of each condition, by the number of its function
        self.reads: set[Read] = set()  # of the columns and modifiers of a table

    @contextmanager
    def within(self, place: str) -> Iterator[None]:
        """A part of the file, for saying where something is wrong."""
        self.place.append(place)
        try:
            yield
        finally:
            self.place.pop()

    @contextmanager
    def noting(self, key: str) -> Iterator[None]:
        """Note as a fault what is wrong with what stands under a key."""
        try:
            yield
        except Trouble as problem:
            self.faults.append(f"{', '.join([*self.place, key])}: {problem}")

    def writer(self, sentence: str, reads: set[Read] | None = None) -> Writer:
        """What writes the Python of a sentence; what it reads is added to `reads`."""
        return Writer(self.module, sentence, set() if reads is None else reads)

    # -- what stands under a key -----------------------------------------------------------------------------------

    def condition(self, doc: Doc, key: str, scope: Scope, arguments: str = "v", reads: set[Read] | None = None) -> None:
        """The condition under a key, as a function."""
        if isinstance(doc.get(key), str):
            with self.noting(key):
                test = self.writer(doc[key], reads).condition(tree(doc[key]), scope)
                doc[f"#{key}"] = self.module.function(arguments, [f"return {test}"])
                self.conditions[int(doc[f"#{key}"])] = test

    def number(self, doc: Doc, key: str, scope: Scope, arguments: str = "v") -> None:
        """The number under a key, as a function; one that takes `dice` may throw some."""
        if isinstance(doc.get(key), str):
            with self.noting(key):
                writer, parsed = self.writer(doc[key], self.reads), tree(doc[key])
                writer.throws = arguments == "v, dice"
                doc[f"#{key}"] = self.module.function(arguments, [f"return {writer.number(parsed, scope)}"])
                if writer.dice:
                    doc["#dice"] = _dice_in(parsed)

    def text(self, doc: Doc, key: str, scope: Scope) -> None:
        """The text with braces under a key, as a function; one without stays as it is. But for the name of an option it
        is for a player to read."""
        if isinstance(doc.get(key), str) and "{" in doc[key]:
            with self.noting(key):
                code = template(doc[key], scope, self.module, set(), shown=key != "name")
                doc[f"#{key}"] = self.module.function("v", [f"return str({code})"])

    def words(self, text: str, scope: Scope, *, shown: bool = False) -> str:
        """Python for a text that may have braces."""
        return f"str({template(text, scope, self.module, set(), shown=shown)})" if "{" in text else repr(text)

    def field(self, doc: Doc, key: str, scope: Scope) -> None:
        """The name of a field under a key, as a function."""
        name, _ = self.writer(doc[key]).target(tree(doc[key]), scope)
        doc[f"#{key}"] = self.module.function("v", [f"return {name}"])

    def bindings(self, doc: Doc, key: str, scope: Scope) -> str:
        """What is bound under a key, as the items of a dict in Python."""
        items = []
        for name, sentence in doc.get(key, {}).items():
            with self.noting(f"{key}.{name}"):
                items.append(f"{name!r}: {self._bound(name, sentence, scope)}, ")
        return "".join(items)

    def _bound(self, name: str, sentence: str | int, scope: Scope) -> str:
        if not isinstance(sentence, str):
            return repr(str(sentence))
        kind = ANY
        if name in self.names.index:
            kind = Kind("member", self.names.index[name], name)
        elif name in self.names.fields:
            kind = self.names.fields[name][1]
        writer, parsed = self.writer(sentence), tree(sentence)
        if kind is NUMBER:
            return f"str({writer.number(parsed, scope)})"
        code = writer.against(Code("", kind), parsed, scope)
        return code.value if code.fixed else f"str({code.value})"

    def of_rolls(self) -> dict[str, Kind]:
        """What a roll has bound, where no field of the sheet has that name."""
        return {name: kind for name, kind in LOCAL.items() if name not in self.names.fields}


def _dice_in(part: Tree) -> int:
    """How many dice a sentence throws."""
    if part and part[0] == "ref" and part[2][:-1].isdigit() and part[2].endswith("D"):
        return int(part[2][:-1])
    return sum(_dice_in(each) for each in part if isinstance(each, tuple))


def copied(part: Any) -> Any:
    """A parsed file that can be written into; keys that begin with `#` are the compiler's and left out."""
    if isinstance(part, Mapping):
        return {key: copied(each) for key, each in part.items() if not key.startswith("#")}
    return [copied(each) for each in part] if isinstance(part, list) else part
