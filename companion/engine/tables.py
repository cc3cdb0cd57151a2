"""One printed table as data: its columns, rows, modifiers, natural rolls, and what each result does.

A table receives its file with compiled sentences: functions under `#when`, `#add`, `#do` and the like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.engine import dice as throws
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import FREE, Field, Spec, Value, unmarked
from companion.engine.sheet import Sheet
from companion.problems import MissingAnswer, SystemFault, UserError
from companion.words import figure, headed, one_of, printed

Test = Callable[[Facts], bool]
NUMBER = "{result}"  # the result that matches every number
DIE = ("rows", "column", "is")  # keys that make a row roll its own die
Cell = str | int | Spec | list["Cell"] | None  # a word, a number, a result with conditions, several results, or no row

HOUSE = "house rule"  # the citation of what is in no rulebook
FAR = 10**6  # an open end of a row, beyond any dice


def span(key: object) -> tuple[int, int]:
    """Return the range of a row: `4..6` is (4, 6), with a large number for an open end. Raise ValueError."""
    low, dots, high = str(key).partition("..")
    first = figure(low) if low else -FAR
    last = figure(high) if high else FAR if dots else first
    if (not low and not high) or first is None or last is None or first > last:
        raise ValueError(f"the row {key!r} isn't a number or a range, e.g. ..3, 4..6 or 7..")
    return first, last


class Rows:
    """The rows of one column: `"..3"`, `"4..6"`, `7`, `"8.."`; open ends match every net roll beyond."""

    def __init__(self, rows: Spec, where: str) -> None:
        self.written: dict[str, Cell] = dict(rows)
        try:
            self.spans = sorted((span(key), key) for key in rows)
        except ValueError as error:
            raise SystemFault(f"{where}: {error}") from None
        for ((_, last), one), ((first, _), other) in pairwise(self.spans):
            if first <= last:
                raise SystemFault(f"{where}: the rows {one} and {other} both claim a roll of {first}")

    def row(self, net: int) -> str:
        """Return the key of the row that a net roll lands on, as written: `7..`; empty beyond the printed rows."""
        for (first, last), key in self.spans:
            if first <= net <= last:
                return key
        return ""

    def find(self, net: int) -> Cell:
        """Return the row that a net roll lands on, or None beyond the printed rows."""
        return self.written.get(self.row(net))


def reads(cell: Cell, facts: Mapping[str, Value]) -> str | int:
    """Return the current word or number of a row's result; `owner` if it is only in the player's rulebook."""
    outcome = cell
    if isinstance(cell, dict):
        outcome = cell["#as"](facts) if "#as" in cell else cell.get("as", "owner")
    return outcome if isinstance(outcome, int) else str(outcome)


class Modifier:
    """A printed modifier: amount, condition, reason and section. The amount may be worked out."""

    def __init__(self, spec: Spec, table: Table) -> None:
        self.id: str = spec.get("id", spec.get("why", ""))
        self.add: int | str = spec.get("add", 1)
        self.when: str = spec.get("when", "")
        self.test: Test | None = spec.get("#when")
        self._amount: Callable[[Facts], int] | None = spec.get("#add")
        self.why: str = spec.get("why", "")
        self.cite: str = spec.get("cite", HOUSE if spec.get("house") else table.id)

    def amount(self, facts: Facts) -> int:
        """Return its current amount; 0 if it does not apply."""
        if self.test is not None and not self.test(facts):
            return 0
        return int(self.add) if self._amount is None else self._amount(facts)


class Applied(NamedTuple):
    """A modifier that applies to one roll, with its amount."""

    add: int
    modifier: Modifier

    @property
    def why(self) -> str:
        return self.modifier.why


class Column:
    """A column of a table: its condition, its rows, and (rarely) its own dice or list of modifiers."""

    def __init__(self, spec: Spec, table: Table, modifiers: list[Modifier]) -> None:
        self.title: str = spec.get("title", "")
        self.when: str = spec.get("when", "")
        self.test: Test | None = spec.get("#when")
        self.rows = Rows(spec["rows"], table.id)
        self.modifiers = modifiers
        self.dice = throws.parse(spec["dice"]) if "dice" in spec else None


class Natural:
    """A rule for an unmodified roll, which overrides all modifiers; its condition may use the net roll."""

    def __init__(self, spec: Spec) -> None:
        rolls = spec["roll"] if isinstance(spec["roll"], list) else [spec["roll"]]
        self.rolls, self.test, self.outcome = frozenset(rolls), spec.get("#when"), spec["outcome"]

    def decides(self, rolled: int, net: int, facts: Facts) -> bool:
        """Return whether this rule decides the roll."""
        if rolled not in self.rolls or self.test is None:
            return rolled in self.rolls
        with facts.bind({"net": net}):
            return bool(self.test(facts))


class Table:
    """A table for one sheet. `outcomes` and `patterns` define the effects of each row.

    A table without dice and rows is a procedure: a named event without a roll.
    """

    def __init__(self, doc: Spec, sheet: Sheet, parent: Table | None = None) -> None:
        self.id = str(doc["id"])
        self.title: str = doc.get("title") or (parent.title if parent else doc["id"])
        self.dice = throws.parse(doc.get("dice", "?" if doc.get("owner") else "-"))
        self.cite: str = doc.get("cite", HOUSE if doc.get("house") else parent.cite if parent else "")
        self.sheet, self.doc, self.parent = sheet, doc, parent
        self.about = self._about()
        self.owner = bool(doc.get("owner"))
        self.question: str = doc["owner"] if isinstance(doc.get("owner"), str) else ""  # asked instead of the row
        self.changed: bool = "patched" in doc or (parent is not None and parent.changed)
        self.memory: Callable[[Facts], str] | None = doc.get("#memory", parent.memory if parent else None)
        self.memory_name: str = doc.get("memory", parent.memory_name if parent else "")  # as written
        self.binds: list[Callable[[Facts], dict[str, Value]]] = [*parent.binds] if parent else []
        if "#with" in doc:
            self.binds.append(doc["#with"])
        self.number: Spec | None = doc.get("outcome", {}).get(NUMBER)
        self.adjust: list[Spec] | None = doc.get("adjust")
        self.formula = "is" in doc
        self.modifiers = [Modifier(spec, self) for spec in doc.get("modifier", ())]
        self.naturals = [Natural(spec) for spec in doc.get("natural", ())]
        self.columns = self._columns(doc)
        self.procedure = not (self.columns or self.owner or self.formula or "dice" in doc)
        self.outcomes: dict[str, Spec] = {}
        self.patterns: list[tuple[re.Pattern[str], str, Spec]] = []
        for slug, spec in doc.get("outcome", {}).items():
            if "{" not in slug:
                self.outcomes[slug] = spec
            elif slug != NUMBER:
                self.patterns.append((_pattern(slug), slug, spec))
        self._met: dict[str, tuple[Spec, dict[str, str]]] = {}  # cache of results
        self.happens = str(doc.get("result", self.id.rpartition(".")[2]))
        if self.procedure:
            self.outcomes[self.happens] = doc

    def _columns(self, doc: Spec) -> list[Column]:
        by_id = {modifier.id: modifier for modifier in self.modifiers}
        specs = [*doc.get("column", ()), *([{"rows": doc["rows"]}] if "rows" in doc else ())]
        for number, spec in enumerate(specs, 1):
            if unknown := [name for name in spec.get("modifier", ()) if name not in by_id]:
                title = spec.get("title", f"column {number}")
                raise SystemFault(f"{self.id}, {title}: there is no modifier {unknown[0]}")
        return [
            Column(spec, self, [by_id[name] for name in spec["modifier"]] if "modifier" in spec else self.modifiers)
            for spec in specs
        ]

    @property
    def number_printed(self) -> str:
        """Return the printed number: `G-4` for `G-4.formation`, but `7-1.d` for its note d; else the title."""
        if own := self.doc.get("number") or (self.parent.doc.get("number") if self.parent else ""):
            return str(own)
        number = self.id
        while len(tail := number.rpartition(".")[2]) > 2 and "." in number and tail == tail.lower():
            number = number.rpartition(".")[0]
        return number if any(map(str.isdigit, number)) else self.title

    @property
    def called(self) -> str:
        number = self.number_printed
        return self.title if number == self.title else f"{number} {self.title}"

    def asked(self, facts: Facts) -> str:
        """Return the table's own question in words; empty if it has none."""
        sentence: Callable[[Facts], str] | None = self.doc.get("#owner")
        return self.question if sentence is None else sentence(facts)

    @property
    def unwritten(self) -> bool:
        """Return whether its rows are only in the player's rulebook."""
        return self.owner and not self.columns

    @property
    def likely(self) -> list[str]:
        """Return the answers to pick from at random if the row is only in the player's rulebook."""
        named = self.doc.get("usual", [slug for slug, spec in self.outcomes.items() if spec.get("usual")])
        return [named] if isinstance(named, str) else list(named or self.outcomes)

    def _about(self) -> Spec:
        """Return the declaration of the member that a roll by hand is for (`ask`, `when`, `why`), if any.

        A row's own die uses the declaration of the table around it.
        """
        parent = self.parent
        if "ask" in self.doc or parent is None or self.id.rpartition(".")[2] in parent.doc.get("sub", {}):
            return self.doc if "ask" in self.doc else {}
        return parent.about

    def bind(self, facts: Facts) -> dict[str, Value]:
        """Return the fixed subject of a roll on this table: the nose table is about the nose."""
        bindings: dict[str, Value] = {}
        for each in self.binds:
            bindings.update(each(facts))
        return bindings

    def column(self, facts: Facts) -> Column:
        """Return the first column whose condition holds; ask for the missing fact if none does."""
        holding = self.holding(facts)
        if holding is not None:
            return holding
        name, declared = self.lacking(facts)
        why = f"{self.id} has no column for {one_of([f'{each}={facts[each]}' for each in self.read_by_columns()])}"
        if declared is None:
            raise UserError(why)
        if facts.get(name, "none") in FREE:
            why = f"{self.id} needs {declared.needed(name)}"
        raise MissingAnswer(FactQuestion(name, declared, why="" if facts.asking else why))

    def read_by_columns(self) -> list[str]:
        """Return the declared names in the conditions of the columns."""
        conditions = re.sub(r"'[^']*'", " ", " ".join(column.when for column in self.columns))
        words = re.findall(r"[A-Za-z0-9]+(?:[.:-][A-Za-z0-9]+)*(?:\[[^\]]*\](?:\.[a-z-]+)?)*", conditions)
        return [each for each in dict.fromkeys(words) if each in self.sheet.known]

    def lacking(self, facts: Facts) -> tuple[str, Field | None]:
        """Return the fact to ask for if no column holds, with the values that help.

        It is unknown, written as `none`, or set to a value that fits no column. There is no field if nothing helps.
        """
        fresh = facts.without_worked_out()  # unknown facts that were read, directly or indirectly
        for column in self.columns:
            if column.test is not None:
                column.test(fresh)
        assumed = fresh.assumed or {}
        unknown = [name for name, value in assumed.items() if name in fresh.unsaid or value in FREE]
        if assumed:
            name = (unknown or list(assumed))[0]
            return name, fresh.unsaid.get(name) or self.sheet.declared(name)
        named = {name: each for name in self.read_by_columns() if (each := self.sheet.choice(name)) is not None}
        blank = [name for name in named if fresh[name] in FREE]
        for name in [*blank, *(each for each in named if each not in blank)]:
            values = tuple(value for value in named[name].values if self.holding(fresh.with_fact(name, value)))
            if values:
                return name, named[name].among(named[name].values if name in blank else values)
        return (blank[0], named[blank[0]].among(named[blank[0]].values)) if blank else ("", None)

    def holding(self, facts: Facts) -> Column | None:
        """Return the first column whose condition holds, if one does."""
        return next((each for each in self.columns if each.test is None or each.test(facts)), None)

    def applying(self, facts: Facts, column: Column | None = None) -> list[Applied]:
        """Return the modifiers that apply, with their amounts."""
        modifiers = column.modifiers if column is not None else self.modifiers
        return [Applied(amount, each) for each in modifiers if (amount := each.amount(facts))]

    def landed(self, facts: Facts, rolled: int, column: Column, applied: Sequence[Applied]) -> tuple[int, bool, Cell]:
        """Return where a roll lands with these modifiers: net roll, whether the unmodified roll decides, raw result."""
        net = rolled
        for each in applied:
            net += each.add
        for natural in self.naturals:
            if natural.decides(rolled, net, facts):
                return net, True, natural.outcome
        return net, False, column.rows.find(net)

    def row(self, facts: Facts, rolled: int, column: Column, applied: Sequence[Applied]) -> str:
        """Return the single word or number that a roll lands on; empty for no row or several results."""
        _, _, cell = self.landed(facts, rolled, column, applied)
        return "" if cell is None or isinstance(cell, list) else str(reads(cell, facts))

    def says(self, part: str, facts: Facts) -> str:
        """Return a row that is read without dice, or a part of it (`{modifier}/{terrain}`); `none` if missing."""
        column = self.holding(facts)
        result = None if column is None else self.landed(facts, 0, column, self.applying(facts, column))[2]
        if result is None:
            return "none"
        return self.outcome(str(result))[1].get(part.replace("-", "_"), "none") if part else str(result)

    def outcome(self, slug: str) -> tuple[Spec, dict[str, str]]:
        """Return the effects of a result, with the bindings of its pattern; sub-rolls fall back on the outer table."""
        if slug in self.outcomes:
            return self.outcomes[slug], {}
        if slug not in self._met:
            own = ((spec, match.groupdict()) for regex, _, spec in self.patterns if (match := regex.fullmatch(slug)))
            self._met[slug] = next(own, None) or (self.parent.outcome(slug) if self.parent else ({}, {}))
        return self._met[slug]

    def check_row(self, row: str) -> None:
        """Check the values that a row of the player's rulebook would write into fields.

        Raise a UserError for a word that a field does not accept, and UnknownName for an unknown name unless that part
        of the row starts with `=`.
        """
        sure = {str(printed(part)) for part in row.split(";") if part.strip().startswith("=")}
        outcome = printed(unmarked(row))
        spec, holes = self.outcome(outcome) if isinstance(outcome, str) else ({}, {})
        for hole, name in spec.get("#takes", {}).items():
            value, declared = holes[hole.replace("-", "_")], self.sheet.fields[name]
            declared.accept(declared.label, value, sure=value in sure)

    def cells(self, row: str) -> list[str | int]:
        """Return the parts of a row, cut before each of the characters in `parts`: `2-1a` is a 2 and `-1a`.

        What follows the first is carried out before it.
        """
        cut = self.doc.get("parts")
        parts = [each for each in re.split(f"(?=[{re.escape(cut)}])", row) if each] if cut else [row]
        return [printed(each) if not at else each for at, each in enumerate(parts or [row])]

    def parted(self, row: str) -> str:
        """Return the table's form of a row of several parts typed with commas: `Tokyo, urban area, HI, day`."""
        several = any(";" in slug for _, slug, _ in self.patterns)
        return re.sub(r",(?!\d)\s*", ";", row) if several and ";" not in row else row

    def takes(self, raw: str | int) -> bool:
        """Return whether a word or number can be the answer.

        A bare number must be named in the rules, and so must any answer to a question.
        """
        cells = self.cells(raw) if isinstance(raw, str) else [raw]
        return all(self.works(each) for each in cells if isinstance(each, int) or self.question)

    def works(self, raw: str | int) -> bool:
        """Return whether a word or number is a row, a pattern or a number with effects on the sheet."""
        if isinstance(raw, str) and len(cells := self.cells(raw)) > 1:
            return all(map(self.works, cells))
        reads, own = self.numbers()
        figure = isinstance(raw, int) and (reads.number is not None or reads.adjust is not None)
        return figure or str(raw) in own or (isinstance(raw, str) and bool(self.outcome(raw)[0]))

    def names(self, row: str) -> bool:
        """Return whether the table has this row, or a pattern with literal words in it: `3-boxes`."""
        own = (pattern for pattern, slug, _ in self.patterns if re.search("[a-z]", re.sub(r"{.*?}", "", slug)))
        return row in self.outcomes or any(pattern.fullmatch(row) for pattern in own)

    def numbers(self) -> tuple[Table, dict[str, Spec]]:
        """Return the table (this or an outer one) that defines the effect of numbers, and the exceptions."""
        table, own = self, dict(self.outcomes)
        while table.number is None and table.adjust is None and table.parent is not None:
            table = table.parent
            own = {**table.outcomes, **own}
        return table, own


def _pattern(slug: str) -> re.Pattern[str]:
    parts = re.split(r"\{([a-z-]+)\}", slug)
    if len({*parts[1::2]}) < len(parts[1::2]):
        raise SystemFault(f"the result {slug} has one name twice")
    text = "".join(
        f"(?P<{part.replace('-', '_')}>[^@;]+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts)
    )
    return re.compile(text)


# -- sub-rolls: a row that asks for another die, or a note that is a small table of its own ----------------------------


def sub(table: Table, name: str) -> Table | None:
    """Return a sub-roll: a row that asks for another die, or a note that is a small table of its own."""
    spec = table.doc.get("sub", {}).get(name)
    if spec is None:
        spec = table.doc.get("outcome", {}).get(name)
        if spec is not None and "cases" in spec:
            spec = _of_cases(spec)
        if spec is None or not any(key in spec for key in DIE):
            return None
        if "is" in spec:
            formula = {key: spec[key] for key in ("is", "#is", "#dice") if key in spec}
            return Table({"id": f"{table.id}.{name}", "dice": "?", **formula}, table.sheet, table)
    inner = (
        {key: value for key, value in spec.items() if key not in ("text", "#text", "do", "#do", "then", "#then")}
        if any(key in spec for key in DIE)
        else dict(spec)
    )
    inner["id"] = f"{table.id}.{name}"
    text = str(spec.get("text", name))
    inner.setdefault("title", table.title if "{" in text else headed(table.title, text))  # a template is not a title
    return Table(inner, table.sheet, table)


def _of_cases(spec: Spec) -> Spec:
    """Return a result of which one case rolls a die as that sub-roll."""
    own = [case for case in spec["cases"] if any(key in case for key in DIE)]
    if len(own) > 1:
        raise SystemFault("only one of several cases can roll a die. Give the others a `then`")
    case = own[0] if own else {}
    whole = {key: value for key, value in spec.items() if key != "cases"}
    return {**whole, **{key: value for key, value in case.items() if key not in ("when", "#when", "#whole")}}
