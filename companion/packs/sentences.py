"""The language of a pack: its sheet with the worked-out facts, and the faults in its sentences."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import FunctionType
from typing import Any

from companion.engine.fields import Spec
from companion.engine.sheet import Read, Sheet, pattern_of, reads_of
from companion.packs import nodes as py
from companion.packs.expressions import Parser, expression
from companion.packs.language import BY_ROLLS, Kind, Language, Scope, Sentence, SentenceError
from companion.packs.linking import File, linked
from companion.packs.toml_files import Doc, Where
from companion.problems import SystemFault


def language_of(
    game: str,
    doc: Spec,
    table_file: Callable[[str], Spec | None],
    say: Callable[[Any], object] = str,
    *,
    strict: bool = False,
) -> Language:
    """Return the language of a pack, with the sheet from its linked `sheet.toml`.

    Args:
        table_file: A function that decodes a table by its name in lower case.

    Raises:
        SystemFault: The sheet cannot be declared.
    """
    language = Language(f"<{game}>", say, strict=strict)
    language.table_reads = lambda table: table_reads(language, table, table_file)
    if strict:
        doc = copied(doc)
    file = File(language)
    for index, spec in doc.get("index", {}).items():
        if isinstance(spec, dict):
            with file.within("index", index):
                file.link(spec, Scope())
    language.sheet = Sheet.read(game, doc)
    for written, spec in doc.get("facts", {}).items():
        fact = Fact(language, written, spec)
        file.sentences.append(fact)
        language.sheet.add_fact(written, fact, "" if isinstance(spec, str) else str(spec.get("label", "")))
    language.of_sheet = file.sentences
    return language


def table_reads(language: Language, table: str, table_file: Callable[[str], Spec | None]) -> set[Read] | None:
    """Return the reads that decide the row of a roll on a table; None if there is no such table.

    Raises:
        SystemFault: The table looks itself up.
    """
    key, looking = table.casefold(), f"table {table.casefold()}"
    if key not in language.looked_up:
        if looking in language.opened:
            raise SystemFault(f"the table {table} refers to itself")
        doc = table_file(key)
        language.opened.append(looking)
        try:
            counting = [] if doc is None else linked(language, "", copied(doc)).counting
            reads = {each for sentence in counting for each in sentence.reads}
            language.looked_up[key] = None if doc is None else reads
        finally:
            language.opened.pop()
    return language.looked_up[key]


def faults(language: Language, name_of_file: str, doc: Spec) -> list[tuple[Where, str]]:
    """Return the faults in the sentences of a file, each with its place, using a strict language."""
    wrong, sentences = list[tuple[Where, str]](), language.of_sheet
    if name_of_file != "sheet":
        file = linked(language, name_of_file, copied(doc))
        wrong, sentences = file.wrong, file.sentences
    for sentence in sentences:
        try:
            sentence.compiled()
        except SystemFault as problem:
            if not isinstance(sentence, Fact) or str(problem).startswith(str(sentence)):  # not one that it reads
                wrong.append((sentence.place[1:], str(problem)))
    return list(dict.fromkeys(wrong))


def copied(part: Any) -> Any:
    """Return a writable copy of a decoded file, without the linked keys that start with #."""
    if isinstance(part, Mapping):
        return {key: copied(each) for key, each in part.items() if not key.startswith("#")}
    return [copied(each) for each in part] if isinstance(part, list) else part


def condition(language: Language, sentence: str) -> FunctionType:
    """Compile a condition that is not in a file; it may use the bindings of a roll. Raise SystemFault."""
    return Sentence(
        language,
        ("v",),
        lambda reads: [py.returned(expression("condition", language, sentence, Scope(BY_ROLLS), reads))],
    ).compiled()


def watched(language: Language, rules: Spec) -> dict[str, list[list[object]]]:
    """Return, for every field, the rules without `on` that it can make true, each with its member."""
    watched: dict[str, list[list[object]]] = {}
    doc: Doc = copied(rules)
    linked(language, "rules", doc)
    for number, rule in enumerate(doc.get("rule", ())):
        if "on" in rule or "#when" not in rule:
            continue
        index, alias = rule.get("#for", ("", ""))
        reads = _by_argument(reads_of(rule["#when"]), [py.variable_of(alias)])
        for member in language.sheet.index[index] if index else (None,):
            members = () if member is None else (member,)
            for each in language.sheet.all_inputs(reads, members):
                watched.setdefault(each, []).append([number, member])
    return watched


def _by_argument(reads: Iterable[Read], variables: Sequence[str]) -> set[Read]:
    """Return reads with each variable replaced by the position of its argument."""
    places: dict[object, int] = {variable: at for at, variable in enumerate(variables)}
    return {
        (pattern, tuple(("$", places[arg[1]]) if arg and arg[0] == "$" else arg for arg in args))
        for pattern, args in reads
    }


# -- worked-out facts --------------------------------------------------------------------------------------------------


class Fact(Sentence):
    """A worked-out fact of the sheet; compiling it determines its kind and reads."""

    def __init__(self, language: Language, written: str, spec: Mapping[str, Any] | str) -> None:
        self.pattern, self.written = pattern_of(written), written
        details: Mapping[str, Any] = {"is": spec} if isinstance(spec, str) else spec
        values = details.get("values", ())
        self.text, self.values = str(details.get("is", "")), values.split() if isinstance(values, str) else values
        super().__init__(language, (), self._written, ("sheet", "facts", written))

    def __str__(self) -> str:
        return f"the fact {self.pattern}"

    @cached_property
    def fixed(self) -> dict[str, tuple[str, str]]:
        """Return the variable and the index of each member by its name; raise SystemFault for a name used twice."""
        parts = [each.partition("]")[0].partition(" as ") for each in self.written.split("[")[1:]]
        fixed = {(alias or index).strip(): index.strip() for index, _, alias in parts}
        if len(fixed) < len(parts):
            other = f"[{next(iter(fixed.values()))} as other]"
            raise SystemFault(f"{self}: two members have the same name. Write {other} for one of them")
        return {alias: (py.variable_of(alias), index) for alias, index in fixed.items()}

    @cached_property
    def kind(self) -> Kind:
        """Return the kind of its value."""
        self.compiled()
        return self._kind

    @cached_property
    def reads(self) -> set[Read]:
        """Return the patterns that it reads directly; `("$", 0)` is the member in its first argument."""
        return _by_argument(super().reads, [variable for variable, _ in self.fixed.values()])

    @cached_property
    def touched(self) -> frozenset[str]:
        """Return the patterns that it ultimately depends on."""
        return self.language.touched(self.reads)

    def compiled(self) -> FunctionType:
        """Compile it and all facts that its kind depends on; raise SystemFault."""
        opened, self.arguments = self.language.opened, ["v", *(variable for variable, _ in self.fixed.values())]
        if self.pattern in opened:
            raise SystemFault(f"{self}: it depends on itself: {' from '.join([*opened, self.pattern])}")
        opened.append(self.pattern)
        try:
            return super().compiled()
        except SentenceError as wrong:
            raise SystemFault(f"{self}: {wrong}") from None
        finally:
            opened.pop()

    def _written(self, reads: set[Read]) -> list[ast.stmt]:
        parser = Parser(self.language, self.text, Scope({}, self.fixed), reads)
        piece = parser.end(parser.case())
        body = [py.returned(parser.value(piece))]
        self._kind = Kind("word", self.values) if self.values else piece.kind
        self.language.sheet.readers.note(self.pattern, (pattern for pattern, _ in reads))
        return body
