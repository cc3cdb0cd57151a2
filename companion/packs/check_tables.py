"""Validation of a pack's tables: names, a row with an effect for every roll, and what they ask for next.

The last part finds circles without an end and indexes that nothing binds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from typing import Any, NamedTuple, TypeVar

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.rules import END
from companion.engine.sheet import WRITTEN, Attribute, Derived, Member, pattern_of, reads_of
from companion.engine.tables import FAR, Cell, Column, Table, span, sub
from companion.packs.folders import NOTES, Where, places
from companion.packs.form_check import Slip, named
from companion.packs.forms import form_of
from companion.packs.pack import NOT_TABLES, Pack
from companion.problems import UserError
from companion.words import printed, series

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

    def __init__(self, pack: Pack, advising: bool = True) -> None:
        self.pack, self.advising, self.language, self.sheet = pack, advising, pack.language, pack.sheet
        self._named = {file: [*named(pack.read(file), form_of(file))] for file in pack.layers}  # before linking

    # -- names ---------------------------------------------------------------------------------------------------------

    @cached_property
    def events(self) -> set[str]:
        """Return the events that can trigger a rule or end a field."""
        named = {str(self.pack.read(key).get("id", path.stem)) for key, (path, *_) in self.pack.layers.items()}
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
            "subject": {*self.sheet.families, *self.pack.layers, *steps, *choices},
        }

    def names(self, file: str) -> Iterator[Slip]:
        """Yield the undefined names in a file."""
        for at, kind, name in self._named[file]:
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
            known = self.pack.headings
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

    def table(self, name: str) -> Table | None:
        """Return the table or sub-roll with that number; an empty table if it is invalid."""
        try:
            return self.pack.find(name)
        except UserError:  # the check of its own file reports the fault
            return Table({"id": name, "owner": True}, self.sheet)


def table_file(known: PackNames, file: str) -> Iterator[Slip]:
    """Yield the faults in a table's own file."""
    doc = known.pack.unit(file)
    if str(doc.get("id", "")).casefold() != file:
        yield ("id",), f"its id is {doc.get('id')!r}, not its file's name"
        return
    try:
        whole = known.pack.table(file)
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


def _table(known: PackNames, table: Table, at: Where) -> Iterator[Slip]:
    """Yield the faults in a table or a sub-roll."""
    if known.advising and not table.cite:
        yield at, 'it needs its place in the rulebook, e.g. cite = "4.2", or house = true'
    acts = table.procedure and any(key in table.doc for key in ("text", "do", "then", "cases"))
    if not (table.columns or table.owner or table.formula or acts):
        yield at, "it has no rows, no effects, and isn't marked as an owner table"
    for number, column in enumerate(table.columns):
        own: Where = ("column", number) if number < len(table.doc.get("column", ())) else ("rows",)
        yield from _landing(table, column, (*at, *own))
        yield from _rows(known, table, column, (*at, *own))
    for name in table.likely if table.owner and table.doc.get("outcome") else ():
        if not table.works(printed(name)):
            yield (*at, "usual"), f"the result {name} needs an effect or a text"
    for name, outcome in table.doc.get("outcome", {}).items():
        if not any(key[0] != "#" for key in outcome):
            yield (*at, "outcome", name), "it does nothing; give it a text or an effect"
    reached = results_of(table)
    by_sentence = table.owner or table.number is not None or table.adjust is not None
    by_sentence = by_sentence or any("{" in each or each == "owner" for each in reached)
    if by_sentence or not (known.advising and table.columns):
        return
    for _, below in dice_within(table):  # these fall back on the table's results
        reached |= {*table.outcomes} if isinstance(below, UserError) or below.owner else results_of(below)
    for name in [each for each in table.outcomes if each not in reached]:
        yield (*at, "outcome", name), f"no row gives this result{known.language.near(name, results_of(table))}"


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
    for (first, last), key in column.rows.spans if dice.count and len(fixed) == len(column.modifiers) else ():
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
            by_fact.setdefault(facts[0] if facts else modifier.id, []).append(modifier.add)
    low = sum(min(0, *adds) for adds in by_fact.values())
    high = sum(max(0, *adds) for adds in by_fact.values())
    totals = [total for total, _ in (column.dice or table.dice).readings()]
    return all(net < min(totals) + low or net > max(totals) + high for net in missing)


def _rows(known: PackNames, table: Table, column: Column, at: Where) -> Iterator[Slip]:
    """Yield the results of rows without an effect, and a member that a roll binds where its index has no such member.

    A number needs an effect too, unless a table without dice is only read.
    """
    dice, reads, index = column.dice or table.dice, table.numbers()[0].number, known.sheet.index
    for row, cell, name in results_within(column):
        low, high = span(row)
        rolls = [total for total, _ in dice.readings() if low <= total <= high] if dice.count else []
        numbers = [name] if isinstance(name, int) and dice.count else rolls
        if isinstance(name, int) or name in ("{roll}", "{net}"):
            bare = [each for each in numbers if not (reads or table.outcome(str(each))[0] or table.owner)]
            if bare and known.advising:
                why = f"the result {bare[0]} needs an effect or a text, e.g. [outcome.'{{result}}'] text = \"…\""
                yield (*at, row), why
        elif known.advising and isinstance(name, str) and name != "owner" and "{" not in name:
            spec, holes = table.outcome(name)  # a pattern such as `{part}` is only for members of that index
            if not spec or any(
                value not in index.get(hole.replace("_", "-"), (value,)) for hole, value in holes.items()
            ):
                key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else f"'{name}'"
                why = f'the result {name!r} needs an effect or a text, e.g. [outcome.{key}] text = "…"'
                yield (*at, row), why
        outcome = table.outcome(str(name))[0]
        asks = [part for part in (cell, outcome, *outcome.get("then", ())) if isinstance(part, Mapping)]
        for bound, value in [pair for part in asks for pair in part.get("with", {}).items()]:
            odd = [roll for roll in rolls if str(roll) not in index.get(bound, (str(roll),))]
            if value == "roll" and odd:
                yield (*at, row), f"a roll of {odd[0]} is no {bound}: with {bound} = roll"
                break


SPAN = 50  # the most numbers of one field to try
TRIED = 20_000  # the most combinations of fields to try


def without_column(whole: Table) -> Iterator[Slip]:
    """Yield values of a table's fields for which it has no column and no missing fact to ask for."""
    for at, table in dice_within(whole):
        if not isinstance(table, Table) or table.dice.count == 0 or not table.columns:
            continue
        if any(column.test is None for column in table.columns):
            continue
        names = {name: _values(table, name) for name in table.read_by_columns()}
        fields = {name: values for name, (on_sheet, values) in names.items() if on_sheet}
        rest = {name: values for name, (on_sheet, values) in names.items() if not on_sheet}
        for said in islice(product(*fields.values()), TRIED):
            sheet = dict(zip(fields, said, strict=True))
            around = (
                Facts(table.sheet, sheet | dict(zip(rest, each, strict=True))) for each in product(*rest.values())
            )
            if not any(table.holding(facts) is not None or table.lacking(facts)[1] is not None for facts in around):
                yield at, f"it has no column for {series([f'{name} = {value}' for name, value in sheet.items()])}"
                break


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


# -- what a pack asks for next -----------------------------------------------------------------------------------------


T = TypeVar("T")
ASKING = ("then", "shot")
STEP = re.compile(r"^step\s*=\s*'?([\w-]+)'?")
LOOP = re.compile(r"\bfor\s+([\w-]+)(?:\s+as\s+([\w-]+))?")


class Part(NamedTuple):
    """A part of a file with its sentences linked, and the names that are bound in it."""

    file: str
    at: Where
    spec: Mapping[str, Any]
    bound: frozenset[str]


class Flow:
    """The requests and bindings of each part of a pack, which must be valid otherwise."""

    def __init__(self, known: PackNames) -> None:
        self.known, self.sheet, self.language = known, known.sheet, known.language
        self.docs = {file: known.pack.unit(file) for file in known.pack.layers if file != "sheet"}
        self.by_rows = {  # the names that the rows of a file bind
            file: {str(at[-1]) for at, _ in places(doc) if "rows" in at and "with" in at[-2:-1]}
            for file, doc in self.docs.items()
        }
        self.bound: dict[str, set[str]] = {}  # by table, sub-roll or choice that is asked for
        about = known.pack.read("pack")
        for move in about.get("at-table", {}).get("move", ()):
            for choice in (move.get("seat"), move.get("man")):
                self.bound.setdefault(f"choice {choice}", set()).add(move["index"])
        for each in about.get("log", {}).get("unsettled", ()):
            self.bound.setdefault(str(each["roll"]).casefold(), set()).add("position")
        for name in about.get("landing", ()):
            self.bound.setdefault(name.casefold(), set())
        self.parts = [*self._parts()]
        while not all([*map(self._noted, self.parts)]):
            self.parts = [*self._parts()]

    def _parts(self) -> Iterator[Part]:
        """Yield every part of every file except the sheet."""
        for file, doc in self.docs.items():
            yield from self._within(Part(file, (), doc, frozenset(self.by_rows[file].union(self.bound.get(file, ())))))

    def _within(self, part: Part) -> Iterator[Part]:
        file, at, spec, bound = part
        looped = spec.get("#for", ())[1:2]
        bound |= {*looped, *spec.get("with", {}), *([spec["ask"]] if spec.get("ask") in self.sheet.index else ())}
        if file == "rules" and "on" in spec:  # the roll or the change binds its own
            bound |= {*self.sheet.index}
        yield Part(file, at, spec, bound)
        for key, value in spec.items():
            if key in ("outcome", "sub", "choice") and isinstance(value, Mapping):
                for slug, inner in value.items():
                    name = ".".join([file, *map(str, at[1::2]), slug]).casefold()
                    name = f"choice {slug}" if key == "choice" else name
                    holes = {*re.findall(r"\{([a-z-]+)\}", slug), *self.bound.get(name, ())}
                    yield from self._within(Part(file, (*at, key, slug), inner, bound | holes))
            elif isinstance(value, list) and key[0] != "#" and key not in NOTES:
                for number, inner in enumerate(value):
                    if isinstance(inner, Mapping):
                        yield from self._within(Part(file, (*at, key, number), inner, bound))

    def asks(self, part: Part) -> Iterator[tuple[str, frozenset[str], bool]]:
        """Yield what a part asks for: a table or choice, what is bound then, and whether it always does."""
        for key in ASKING:
            for spec in part.spec.get(key, ()):
                always = not spec.keys() & {"when", "for", "times"} and key == "then"
                if "roll" in spec or "choose" in spec:
                    name = str(spec["roll"]).casefold() if "roll" in spec else f"choice {spec['choose']}"
                    yield name, part.bound | _bound_by(spec), always

    def _noted(self, part: Part) -> bool:
        """Note what a part binds for what it asks for; return whether all of it was known."""
        known = True
        for name, binds, _ in self.asks(part):
            names = [name]
            if "{" in name:
                pattern = re.compile(".*".join(map(re.escape, re.split(r"\{[^}]*\}", name))))
                names = [file for file in self.docs if file not in NOT_TABLES and pattern.fullmatch(file)]
            for each in names:
                bound = self.bound.setdefault(each, set())
                known = known and each in self.bound and binds <= bound
                bound |= binds
        return known

    # -- indexes that nothing binds ------------------------------------------------------------------------------------

    def unbound(self) -> Iterator[tuple[str, Slip]]:
        """Yield the sentences that need a member which nothing names."""
        told = set()
        slots = {
            name: known.present or known.declared.ask
            for name, known in self.sheet.known.items()
            if isinstance(known, Member)
        }
        asked = {name for name in self.sheet.index if name in self.sheet.fields or slots.get(name)}
        for part in self.parts:
            if part.file in ("pack", "story", "rulings") or (part.file == "rules" and not part.at):
                continue
            if part.file not in NOT_TABLES and part.file not in self.bound and not part.spec.get("ask"):
                continue  # only rolled by hand, with --with
            bound = part.bound.union(*(_bound_by(item) for key in ASKING for item in part.spec.get(key, ())))
            bound |= {alias or index for line in part.spec.get("do", ()) for index, alias in LOOP.findall(line)}
            for key, work in part.spec.items():
                if key.startswith("#") and callable(work):
                    needed = self.sheet.touched(reads_of(work)) & self.sheet.index.keys()
                    named = key == "#name" and part.file == "choices"  # an option for each needs its `for`
                    for index in sorted(needed - bound - (set() if named else asked)):
                        if (part.file, index) not in told:
                            told.add((part.file, index))
                            why = f"nothing says which {index} this is; add for, with or ask, or name the {index}"
                            yield part.file, ((*part.at, key[1:]), why)

    # -- circles -------------------------------------------------------------------------------------------------------

    def endless_tables(self) -> Iterator[tuple[str, Slip]]:
        """Yield the first table of each circle that every result of its tables leads back to."""
        always: dict[str, set[str]] = {}
        for part in self.parts:
            place = ".".join([part.file, *map(str, part.at)])
            always.setdefault(place, set()).update(name for name, _, sure in self.asks(part) if sure)
        tables = {file: self.known.table(file) for file in self.docs if file not in NOT_TABLES}
        ends: set[str] = set()

        def can_end(file: str, table: Table | None) -> bool:
            if table is None or not all(name in ends or name not in tables for name in always[file]):
                return table is None
            results = set() if table.owner or not table.columns else results_of(table)
            certain = [always.get(f"{file}.outcome.{each}", set()) for each in results]
            return not certain or any(all(name in ends or name not in tables for name in each) for each in certain)

        while fresh := {file for file, table in tables.items() if file not in ends and can_end(file, table)}:
            ends |= fresh
        endless = tables.keys() - ends
        leads = {
            file: endless & set().union(*(to for at, to in always.items() if at == file or at.startswith(f"{file}.")))
            for file in endless
        }
        for file in sorted(endless):
            circle = _reached(file, leads)
            if file in circle and not any(other < file and file in _reached(other, leads) for other in circle):
                yield file, (("then",), "every result leads to a roll that leads here again, so it never ends")

    def endless_steps(self) -> Iterator[tuple[str, Slip]]:
        """Yield the steps from which the end of the mission cannot be reached, or in which nothing ever happens."""
        steps = self.docs.get("sequence", {}).get("step", [])
        place = {step["id"]: at for at, step in enumerate(steps)} | {END: len(steps)}
        ways = {at: {at + 1} if "go" not in step else {place[step["go"]], *([at + 1] if "when" in step else [])}
                for at, step in enumerate(steps)}  # fmt: skip
        ways[len(steps)] = set()
        for at in [at for at in range(len(steps)) if len(steps) not in _reached(at, ways)][:1]:
            yield "sequence", (("step", at), f"from the step {steps[at]['id']} on, the mission never ends")
        joined = {word for part in self.parts for line in part.spec.get("do", ()) for word in STEP.findall(str(line))}
        starts = {0, *(place[each] + 1 for each in joined if each in place and each != END)}
        for at in sorted(ways.keys() - {len(steps)}.union(starts, *(_reached(start, ways) for start in starts)))[:1]:
            why = f"the step {steps[at]['id']} is never reached; the one before it always goes on"
            yield "sequence", (("step", at), why)


def _bound_by(spec: Mapping[str, Any]) -> set[str]:
    """Return the names that a request binds."""
    return {*spec.get("with", {}), *(alias or index for index, alias in LOOP.findall(f"for {spec.get('for', '')}"))}


def _reached(start: T, leads: Mapping[T, set[T]]) -> set[T]:
    """Return the files or steps that one leads to, itself among them only if it is in a circle."""
    reached, ahead = set[T](), [start]
    while ahead:
        ahead += (fresh := leads[ahead.pop()] - reached)
        reached |= fresh
    return reached


def flow(known: PackNames) -> Iterator[tuple[str, Slip]]:
    """Yield the faults in the flow of a valid pack: its file, and its place and sentence."""
    whole = Flow(known)
    yield from (*whole.unbound(), *whole.endless_tables(), *whole.endless_steps())
