"""Validation of a pack's tables: names, and a row with an effect for every roll."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.rules import END
from companion.engine.sheet import WRITTEN, Attribute, Derived, pattern_of
from companion.engine.tables import FAR, Cell, Column, Table, span, sub
from companion.packs.form_check import named
from companion.packs.forms import FILES, kind_of
from companion.packs.layers import NOT_TABLES, Layers
from companion.packs.linking import language_of
from companion.packs.toml_files import Where
from companion.problems import UserError
from companion.words import printed, series

Slip = tuple[Where, str]  # a place in a file, and the fault there


SHAPES = {
    "family": "a field as sheet.toml declares it",
    "entry": "a single field; of one with an index name a member, such as engine.1",
    "value": "a single field or fact; of one with an index name a member, such as engine.1",
    "number": "a single number",
    "boxes": "a single field with boxes or a limit; of one with an index name a member, such as hits.wing",
}
"""The shapes of fields that a key of `pack.toml` can read, in words."""


class PackNames:
    """The names that a pack declares, for the validation of its files.

    Args:
        advising: Whether to include warnings.

    Raises:
        SystemFault: The sheet cannot be declared.
    """

    def __init__(self, pack: Layers, advising: bool = True) -> None:
        self.pack, self.advising = pack, advising
        self.language = language_of(pack.name, pack.read("sheet"), lambda key: pack.read(key) or None, strict=True)
        self.sheet = self.language.sheet
        self._tables: dict[str, Table | None] = {}

    # -- names ---------------------------------------------------------------------------------------------------------

    @cached_property
    def events(self) -> set[str]:
        """Return the events that can trigger a rule or end a field."""
        named = {str(self.pack.read(key).get("id", path.stem)) for key, path in self.pack.files.items()}
        return {*named, "mission", *self.sheet.fields}

    @cached_property
    def declared(self) -> Mapping[str, Collection[str]]:
        """Return the declared names by kind, except fields and tables."""
        read, index = self.pack.read, self.sheet.index
        choices = read("choices").get("choice", ())
        steps = [str(step["id"]) for step in read("sequence").get("step", ())]
        return {
            "section": {*self.sheet.sections, "working", "book"},
            "index": index,
            "position": index.get("position", ()),
            "choice": choices,
            "step": [*steps, END],
            "event": {*self.events, *self.sheet.families},
            "subject": {*self.sheet.families, *self.pack.files, *steps, *choices},
        }

    def names(self, file: str) -> Iterator[Slip]:
        """Yield the undefined names in a file."""
        for at, kind, name in named(self.pack.read(file), FILES[kind_of(file)]):
            yield from self.unknown(at, kind, name)

    def unknown(self, at: Where, kind: str, name: str) -> Iterator[Slip]:
        """Yield a fault if a name is undefined; a name with braces matches anything."""
        if kind == "field" or kind in SHAPES:
            known: Collection[str] = ()  # all of them
            there = name in self.sheet.known or pattern_of(name) in self.sheet.patterns
            if there and kind in SHAPES and not self._shaped(kind, name):
                yield at, f"{name} is not {SHAPES[kind]}"
            kind = "field"
        elif kind == "table":
            known = [each for each in self.pack.files if each not in NOT_TABLES]
            there = self.table(name.casefold()) is not None
        else:
            known = self.declared[kind]
            there = name in known or (kind == "subject" and self.table(name.casefold()) is not None)
        if not there and "{" not in name:
            yield at, f"there is no {kind} {name}{self.language.near(name, known)}"

    def _shaped(self, kind: str, name: str) -> bool:
        """Return whether a known name of a field or a fact is of that shape."""
        known, declared = self.sheet.known.get(name), self.sheet.fields.get(name)
        if kind == "family":
            return name in self.sheet.families
        if kind in ("entry", "boxes"):
            return declared is not None and (kind == "entry" or (declared.numeric and declared.limit is not None))
        return isinstance(known, (*WRITTEN, Derived)) and (kind == "value" or self.sheet.declared(name).numeric)

    # -- tables --------------------------------------------------------------------------------------------------------

    def table(self, key: str) -> Table | None:
        """Return the table or sub-roll with that number; an empty table if it is invalid."""
        if key not in self._tables:
            self._tables[key] = self._table(key)
        return self._tables[key]

    def _table(self, key: str) -> Table | None:
        whole = key
        while whole not in self.pack.files or whole in NOT_TABLES:
            whole = whole.rpartition(".")[0]
            if not whole:
                return None
        nothing = Table({"id": key, "owner": True}, self.sheet)  # the check of its own file reports the fault
        try:
            table: Table | None = Table(self.pack.read(whole), self.sheet)
            for name in key.removeprefix(whole).split(".")[1:]:
                table = sub(table, name) if table is not None else None
        except UserError:
            return nothing
        return table


def table_file(known: PackNames, file: str) -> Iterator[Slip]:
    """Yield the faults in a table's own file."""
    doc = known.pack.read(file)
    if str(doc.get("id", "")).casefold() != file:
        yield ("id",), f"its id is {doc.get('id')!r}, not its file's name"
        return
    try:
        whole = Table(doc, known.sheet)
    except UserError as problem:
        yield (), str(problem)
        return
    for at, table in dice_within(whole):
        yield from [(at, str(table))] if isinstance(table, UserError) else _table(known, table, at)


def dice_within(table: Table, at: Where = ()) -> Iterator[tuple[Where, Table | UserError]]:
    """Yield a table, its sub-rolls and the dice of its rows, each with its place; the error of one that is invalid."""
    yield at, table
    notes = table.doc.get("sub", {})
    for name in {**notes, **table.doc.get("outcome", {})}:
        place: Where = (*at, "sub" if name in notes else "outcome", name)
        try:
            below = sub(table, name) if "{" not in name else None
        except UserError as problem:
            yield place, problem
            continue
        if below is not None:
            yield from dice_within(below, place)


def results_within(column: Column) -> Iterator[tuple[str, Cell, Cell]]:
    """Yield each result in the rows of a column: its row, its cell, and its word or number."""
    for row, cell in column.rows.written.items():
        for each in cell if isinstance(cell, list) else [cell]:
            yield row, each, each.get("as", "owner") if isinstance(each, Mapping) else each


def results_of(table: Table) -> set[str]:
    """Return the results that the rows of a table and its unmodified rolls name."""
    rows = (str(name) for column in table.columns for _, _, name in results_within(column))
    return {*rows, *(str(each.outcome) for each in table.naturals)}


def _rolls(table: Table, column: Column, row: str) -> list[int]:
    """Return the rolls that land on a row; none of a table without dice."""
    dice, (low, high) = column.dice or table.dice, span(row)
    return [total for total, _ in dice.readings() if low <= total <= high] if dice.count else []


def _table(known: PackNames, table: Table, at: Where) -> Iterator[Slip]:
    if known.advising and not table.cite:
        yield at, 'it needs its place in the rulebook, e.g. cite = "4.2", or house = true'
    happens = any(key in table.doc for key in ("text", "do", "then", "cases"))
    if table.procedure and not happens:
        yield at, "it has no rows, no effects, and isn't marked as an owner table"
    elif not table.columns and not table.owner and not table.formula and not table.procedure:
        yield at, "it has no rows and isn't marked as an owner table"
    for number, column in enumerate(table.columns):
        own: Where = ("column", number) if number < len(table.doc.get("column", ())) else ("rows",)
        yield from _landing(table, column, (*at, *own))
        if known.advising:
            yield from _results_without_effect(table, column, (*at, *own))
    for name in [each] if isinstance(each := table.doc.get("usual", []), str) else each:
        if table.owner and table.doc.get("outcome") and not table.works(printed(name)):
            yield (*at, "usual"), f"the result {name} needs an effect or a text"
    yield from _members_by_roll(known, table, at)
    for name, outcome in table.doc.get("outcome", {}).items():
        if not any(key[0] != "#" for key in outcome):
            yield (*at, "outcome", name), "it does nothing; give it a text or an effect"
    if known.advising:
        yield from _unreached(known, table, at)


def _landing(table: Table, column: Column, at: Where) -> Iterator[Slip]:
    """Yield a roll that lands on no row, unmodified or with all fixed modifiers, and vice versa."""
    dice = column.dice or table.dice
    fixed = [modifier.add for modifier in column.modifiers if isinstance(modifier.add, int)]
    low, high = sum(min(0, add) for add in fixed), sum(max(0, add) for add in fixed)
    totals = [total for total, _ in dice.readings()] if dice.count != 0 else []
    nets = range(min(totals) + low, max(totals) + high + 1) if totals and not dice.tens else totals
    missing = [net for net in nets if column.rows.find(net) is None]
    bare = [total for total in totals if column.rows.find(total) is None]
    if bare:
        yield at, f"a roll of {min(bare)} has no row"
    elif missing and fixed and not _capped(table, column, missing):
        yield at, f"a net {missing[0]} has no row"
    if totals and dice.count and len(fixed) == len(column.modifiers):
        for (first, last), key in column.rows.spans:
            if not any(first <= net <= last for net in nets):
                yield at, f"no roll of {dice.name} lands on the row {key}"
            elif -FAR < first < min(nets):
                yield at, f"the row {key} starts below {min(nets)}, the lowest roll of {dice.name}"
            elif max(nets) < last < FAR:
                yield at, f"the row {key} ends above {max(nets)}, the highest roll of {dice.name}"


def _capped(table: Table, column: Column, missing: Sequence[int]) -> bool:
    """Return whether the extremes are impossible because modifiers of one fact exclude each other."""
    by_fact: dict[str, list[int]] = {}
    for modifier in column.modifiers:
        if isinstance(modifier.add, int):
            bare = re.sub(r"\b(not|some|no|every|count)\b", "", str(modifier.when))
            facts = re.findall(r"[a-z][\w.:\[\]-]*", bare)
            by_fact.setdefault(modifier.group or (facts[0] if facts else modifier.id), []).append(modifier.add)
    low = sum(min(0, *adds) for adds in by_fact.values())
    high = sum(max(0, *adds) for adds in by_fact.values())
    totals = [total for total, _ in (column.dice or table.dice).readings()]
    return all(net < min(totals) + low or net > max(totals) + high for net in missing)


def _results_without_effect(table: Table, column: Column, at: Where) -> Iterator[Slip]:
    for row, _, name in results_within(column):
        if isinstance(name, int) or name in ("{roll}", "{net}"):
            yield from _numbers_without_effect(table, column, row, name, at)
        if isinstance(name, str) and name != "owner" and "{" not in name and not _means(table, name):
            key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f"'{name}'"
            why = f'the result {name!r} needs an effect or a text, e.g. [outcome.{key}] text = "…"'
            yield (*at, row), why


def _means(table: Table, name: str) -> bool:
    """Return whether a result has an effect; a pattern such as `{part}` is only for members of that index."""
    spec, holes = table.outcome(name)
    index = table.sheet.index
    return bool(spec) and all(value in index.get(hole.replace("_", "-"), (value,)) for hole, value in holes.items())


def _numbers_without_effect(table: Table, column: Column, row: str, name: int | str, at: Where) -> Iterator[Slip]:
    """Yield a number that a row reads, or the roll itself, that has no effect; a table without dice may be read."""
    reads, _ = table.numbers()
    listed = isinstance(name, int) and (column.dice or table.dice).count != 0
    for number in [name] if listed else _rolls(table, column, row):
        if not (reads.number or table.outcome(str(number))[0] or table.owner):
            yield (*at, row), f"the result {number} needs an effect or a text, e.g. [outcome.'{{result}}'] text = \"…\""
            return


def _members_by_roll(known: PackNames, table: Table, at: Where) -> Iterator[Slip]:
    """Yield a member that a roll binds (`with = {engine = "roll"}`) where the index has no such member."""
    for column in table.columns:
        for row, cell, name in results_within(column):
            outcome = table.outcome(str(name))[0]
            asks = [part for part in (cell, outcome, *outcome.get("then", ())) if isinstance(part, Mapping)]
            for index, value in [pair for part in asks for pair in part.get("with", {}).items()]:
                members = known.sheet.index.get(index, {})
                rolls = [roll for roll in _rolls(table, column, row) if str(roll) not in members]
                if members and value == "roll" and rolls:
                    yield (*at, row), f"a roll of {rolls[0]} is no {index}: with {index} = roll"
                    return


def _unreached(known: PackNames, table: Table, at: Where) -> Iterator[Slip]:
    """Yield the results that no row leads to, unless the rulebook, a number or a sentence decides."""
    if table.owner or not table.columns or table.number is not None or table.adjust is not None:
        return
    reached = results_of(table)
    if any("{" in each or each == "owner" for each in reached):
        return
    for name in table.outcomes:
        if name not in reached and not any(_reaches(below, name) for _, below in dice_within(table)):
            yield (*at, "outcome", name), f"no row gives this result{known.language.near(name, reached)}"


def _reaches(table: Table | UserError, name: str) -> bool:
    """Return whether a sub-roll, which falls back on the table's results, can reach one; assume so if invalid."""
    return isinstance(table, UserError) or table.owner or name in results_of(table)


SPAN = 50  # the most numbers of one field to try
TRIED = 20_000  # the most combinations of fields to try


def without_column(whole: Table) -> Iterator[Slip]:
    """Yield values of a table's fields for which it has no column and no missing fact to ask for."""
    for at, table in dice_within(whole):
        if isinstance(table, Table):
            yield from _without_column(table, at)


def _without_column(table: Table, at: Where) -> Iterator[Slip]:
    if table.dice.count == 0 or not table.columns or any(column.test is None for column in table.columns):
        return
    names = {name: _values(table, name) for name in table.read_by_columns()}
    fields = {name: values for name, (on_sheet, values) in names.items() if on_sheet}
    rest = {name: values for name, (on_sheet, values) in names.items() if not on_sheet}
    for said in islice(product(*fields.values()), TRIED):
        sheet = dict(zip(fields, said, strict=True))
        around = (dict(zip(rest, each, strict=True)) for each in product(*rest.values()))
        if not any(_resolves(table, {**sheet, **each}) for each in around):
            yield at, f"it has no column for {series([f'{name} = {value}' for name, value in sheet.items()])}"
            return


def _resolves(table: Table, said: Mapping[str, Value]) -> bool:
    facts = Facts(table.sheet, said)
    return table.holding(facts) is not None or table.lacking(facts)[1] is not None


def _values(table: Table, name: str) -> tuple[bool, Sequence[Value]]:
    """Return whether a name is a field of the sheet whose values are all tried, and the values to try."""
    known = table.sheet.known[name]
    written = " ".join(column.when for column in table.columns)
    if isinstance(known, Attribute):
        return False, sorted({each[known.key] for each in known.members.values() if known.key in each}, key=str)
    declared = table.sheet.declared(name)
    on_sheet = isinstance(known, WRITTEN)
    if declared.values:
        return on_sheet, [*declared.values, *(["none"] if on_sheet and declared.default is None else [])]
    if declared.numeric and declared.limit is not None and declared.limit - declared.low <= SPAN:
        return on_sheet, range(declared.low, declared.limit + 1)
    texts = ["none", "yes", "no", *re.findall(r"'([^']*)'", written)]
    return False, [int(each) for each in re.findall(r"\b\d+\b", written)] or [0] if declared.numeric else texts
