"""One printed table as data: its columns, rows, modifiers, natural rolls, and what each result does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from companion.engine import dice as throws
from companion.engine.conditions import Test, compile_condition
from companion.engine.steps import Steps
from companion.problems import Problem, Trouble, figure, one_of

if TYPE_CHECKING:
    from companion.sheet import Facts, Sheet


class Modifier:
    """A printed modifier: how much, when, why, and where the book says so. `per` multiplies it by a fact."""

    def __init__(self, spec: Mapping[str, Any], table: Table) -> None:
        self.id: str = spec.get("id", spec.get("why", ""))
        self.add = int(spec.get("add", 1))
        self.when: Mapping[str, Any] = spec.get("when", {})
        self.test = compile_condition(self.when, table.sheet)
        self.per: str | None = spec.get("per")
        self.why: str = spec.get("why", "")
        self.cite: str = spec.get("cite", table.id)
        self.group: str = spec.get("group", "")

    def amount(self, facts: Facts) -> int:
        """What it adds now; 0 when it does not apply."""
        if self.test is not None and not self.test(facts):
            return 0
        return self.add if self.per is None else self.add * int(facts[self.per])


class Applied:
    """A modifier that applies to one roll, and by how much."""

    __slots__ = ("add", "modifier")

    def __init__(self, add: int, modifier: Modifier) -> None:
        self.add, self.modifier = add, modifier

    @property
    def why(self) -> str:
        """The reason in our words."""
        return self.modifier.why


FAR = 10**6


def span(key: Any) -> tuple[int, int]:
    """The figures of a row: `4..6` is (4, 6), open ends reach very far; raises ValueError."""
    low, dots, high = str(key).partition("..")
    first = figure(low) if low else -FAR
    last = figure(high) if high else FAR if dots else first
    if (not low and not high) or first is None or last is None or first > last:
        raise ValueError(f"the row {key!r} is not a number or a range such as ..3, 4..6 or 7..")
    return first, last


class Rows:
    """The rows of one column: `"..3"`, `"4..6"`, `7`, `"8.."`; open ends take every net roll beyond."""

    def __init__(self, rows: Mapping[str, Any], where: str) -> None:
        self.exact: dict[int, Any] = {}
        self.below: tuple[int, Any] | None = None
        self.above: tuple[int, Any] | None = None
        self.written = dict(rows)
        for key, result in rows.items():
            try:
                first, last = span(key)
            except ValueError as error:
                raise Trouble(f"{where}: {error}") from None
            if str(key).startswith(".."):
                self.below = (last, result)
            elif str(key).endswith(".."):
                self.above = (first, result)
            elif last - first > 1000:
                raise Trouble(f"{where}: the row {key!r} spans more than any dice")
            else:
                for net in range(first, last + 1):
                    self._put(net, result, where)

    def _put(self, net: int, result: Any, where: str) -> None:
        if net in self.exact:
            raise Trouble(f"{where}: two rows claim a roll of {net}")
        self.exact[net] = result

    def find(self, net: int) -> Any:
        """The row that a net roll lands on, or None beyond the printed rows."""
        found = self.exact.get(net)
        if found is None:
            if self.below is not None and net <= self.below[0]:
                return self.below[1]
            if self.above is not None and net >= self.above[0]:
                return self.above[1]
        return found

    def row(self, net: int) -> str:
        """The row that a net roll lands on, as it is written: `7..`; empty beyond the printed rows."""
        for key in self.written:
            first, last = span(key)
            if first <= net <= last:
                return str(key)
        return ""

    def results(self) -> Iterator[Any]:
        """Every result that can come up."""
        yield from self.written.values()


class Column:
    """A column of a table: when it is the one to use, its rows, and (rarely) its own dice or list of modifiers."""

    def __init__(self, spec: Mapping[str, Any], table: Table, modifiers: list[Modifier]) -> None:
        self.title: str = spec.get("title", "")
        self.when: Mapping[str, Any] = spec.get("when", {})
        self.test = compile_condition(self.when, table.sheet)
        self.rows = Rows(spec["rows"], table.id)
        self.modifiers = modifiers
        self.dice = throws.parse(spec["dice"]) if "dice" in spec else None


class Natural:
    """A rule for an unmodified roll, which beats every modifier; with `max` only where the net is no higher.

    One that is `said` is what the player answered once; it stands in for his book until he takes the row down.
    """

    def __init__(self, rolls: frozenset[int], test: Test | None, spec: Mapping[str, Any]) -> None:
        self.rolls, self.test, self.outcome = rolls, test, spec["outcome"]
        self.highest: int | None = spec.get("max")
        self.said = bool(spec.get("said"))

    def decides(self, rolled: int, net: int, facts: Facts) -> bool:
        """Whether this rule decides the roll."""
        within = self.highest is None or net <= self.highest
        return rolled in self.rolls and within and (self.test is None or self.test(facts))


class Look:
    """Where one roll landed."""

    __slots__ = ("applied", "column", "natural", "net", "result", "rolled")

    def __init__(
        self, column: Column, rolled: int, applied: list[Applied], net: int, natural: bool, result: Any
    ) -> None:
        self.column, self.rolled, self.applied = column, rolled, applied
        self.net, self.natural, self.result = net, natural, result


class Table:
    """A table, compiled for one sheet. `outcomes` says what each row does, `patterns` likewise."""

    def __init__(self, doc: Mapping[str, Any], sheet: Sheet, parent: Table | None = None) -> None:
        self.id = str(doc["id"])
        self.title: str = doc.get("title") or (parent.title if parent else doc["id"])
        self.dice = throws.parse(doc.get("dice", "?" if doc.get("owner") else "-"))
        self.cite: str = doc.get("cite", parent.cite if parent else "")
        self.sheet, self.doc, self.parent = sheet, doc, parent
        self.owner = bool(doc.get("owner"))
        self.changed: bool = "patched" in doc or (parent is not None and parent.changed)
        self.once: str | None = doc.get("once", parent.once if parent else None)
        self.bind: dict[str, Any] = {**(parent.bind if parent else {}), **doc.get("bind", {})}
        self.number: Mapping[str, Any] | None = doc.get("number")
        self.adjust = Steps(doc["adjust"], sheet) if "adjust" in doc else None
        self.columns: list[Column] = []
        self.modifiers: list[Modifier] = []
        self.naturals: list[Natural] = []
        self.outcomes: dict[str, Mapping[str, Any]] = {}
        self.patterns: list[tuple[re.Pattern[str], str, Mapping[str, Any]]] = []
        self._sorted: Sorted | None = None

    @property
    def unwritten(self) -> bool:
        """Whether its rows are still only in the player's book."""
        return self.owner and not self.columns

    @classmethod
    def read(cls, doc: Mapping[str, Any], sheet: Sheet, parent: Table | None = None) -> Table:
        """Compile a table from its parsed file, or a sub-roll from its part of one."""
        table = cls(doc, sheet, parent)
        table.modifiers = [Modifier(spec, table) for spec in doc.get("modifier", ())]
        by_id = {modifier.id: modifier for modifier in table.modifiers}
        for spec in doc.get("natural", ()):
            rolls = spec["roll"] if isinstance(spec["roll"], list) else [spec["roll"]]
            test = compile_condition(spec.get("when", {}), sheet)
            table.naturals.append(Natural(frozenset(rolls), test, spec))
        columns = list(doc.get("column", ()))
        if "rows" in doc:
            columns.append({"rows": doc["rows"]})
        for spec in columns:
            own = [by_id[name] for name in spec["modifiers"]] if "modifiers" in spec else table.modifiers
            table.columns.append(Column(spec, table, own))
        for slug, does in doc.get("outcome", {}).items():
            if "{" in slug:
                table.patterns.append((_pattern(slug), slug, does))
            else:
                table.outcomes[slug] = does
        return table

    def _open_to(self, facts: Facts) -> list[Column]:
        """The columns that can hold as things stand, by the one fact that all of them ask for first."""
        if self._sorted is None:
            self._sorted = _by_fact(self.columns, self.sheet)
        name, by_value, rest = self._sorted
        return by_value.get(facts[name], rest) if name else rest

    def column(self, facts: Facts) -> Column:
        """The first column whose condition holds; a Problem names what must be known when none does."""
        for column in self._open_to(facts):
            if column.test is None or column.test(facts):
                return column
        known = self.sheet.known.keys() - self.sheet.derived.keys()
        names = {name: 0 for column in self.columns for name in self.sheet.names_in(column.when) if name in known}
        unknown = [name for name in names if facts[name] in ("none", "")]
        if unknown:
            span = self.sheet.declared(unknown[0]).span
            raise Problem(f"{self.id} needs {unknown[0]}; say --with {unknown[0]}=VALUE, where VALUE is {span}")
        raise Problem(f"{self.id} has no column for {one_of([f'{name}={facts[name]}' for name in names])}")

    def has_column(self, facts: Facts) -> bool:
        """Whether some column holds as things stand."""
        return any(column.test is None or column.test(facts) for column in self._open_to(facts))

    def applying(self, facts: Facts, column: Column | None = None) -> list[Applied]:
        """The modifiers that apply now, with their amounts; of those that share a group only the worst."""
        applied, grouped = [], False
        for modifier in column.modifiers if column is not None else self.modifiers:
            amount = modifier.amount(facts)
            if amount:
                applied.append(Applied(amount, modifier))
                grouped = grouped or modifier.group != ""
        return _worst(applied) if grouped else applied

    def look(self, facts: Facts, rolled: int) -> Look:
        """Add up the modifiers that apply and find the row: column, modifiers, net roll and raw result."""
        column = self.column(facts)
        applied = self.applying(facts, column)
        net = rolled
        for each in applied:
            net += each.add
        row = column.rows.find(net)
        for natural in self.naturals:
            if natural.decides(rolled, net, facts) and (not natural.said or row == "owner"):
                return Look(column, rolled, applied, net, not natural.said, natural.outcome)
        return Look(column, rolled, applied, net, False, row)

    def says(self, part: str, facts: Facts) -> str | None:
        """A part of the row that is read without dice (`{modifier}/{terrain}`); None where there is no such row."""
        found = self.look(facts, 0).result if self.has_column(facts) else None
        return None if found is None else self.outcome(str(found))[1].get(part.replace("-", "_"))

    def outcome(self, slug: str) -> tuple[Mapping[str, Any], dict[str, str]]:
        """What a result does, with what its pattern binds; nested sub-rolls fall back on the table around them."""
        table: Table | None = self
        while table is not None:
            if slug in table.outcomes:
                return table.outcomes[slug], {}
            for pattern, _, does in table.patterns:
                match = pattern.fullmatch(slug)
                if match:
                    return does, match.groupdict()
            table = table.parent
        return {}, {}

    def takes(self, raw: str | int) -> bool:
        """Whether a word or number can be the answer: a bare number is no name, and a question has known answers."""
        if isinstance(raw, int):
            reads, own = self.numbers()
            if reads.number is not None or reads.adjust is not None or str(raw) in own:
                return True
            if self.patterns:
                return False
        return "question" not in self.doc or bool(self.outcome(str(raw))[0])

    def numbers(self) -> tuple[Table, dict[str, Mapping[str, Any]]]:
        """The table (this one or one around it) that says what a number does, and the numbers that do otherwise."""
        table, own = self, dict(self.outcomes)
        while table.number is None and table.adjust is None and table.parent is not None:
            table = table.parent
            own = {**table.outcomes, **own}
        return table, own

    def sub(self, name: str) -> Table | None:
        """A sub-roll: a row that asks for another die, or a note that is a small table of its own."""
        spec = self.doc.get("sub", {}).get(name)
        if spec is None:
            spec = self.doc.get("outcome", {}).get(name)
            if spec is not None and "cases" in spec:
                spec = _of_cases(spec)
            if spec is None or ("rows" not in spec and "column" not in spec and "value" not in spec):
                spec = None
        if spec is None:
            return None
        if "value" in spec:
            return Table.read({"id": f"{self.id}.{name}", "dice": "?", "value": spec["value"]}, self.sheet, self)
        inner = {
            "id": f"{self.id}.{name}",
            "title": spec.get("title") or f"{self.title}: {spec.get('text', name)}",
            "dice": spec.get("roll") or spec.get("dice", "?" if spec.get("owner") else "-"),
        }
        kept = ("rows", "column", "modifier", "natural", "outcome", "adjust", "number", "cite", "note", "bind", "owner")
        inner.update({key: spec[key] for key in kept if key in spec})
        if "sub" in spec:
            inner["sub"] = spec["sub"]
        # the nested results of a row stand in the row's own sub-tables: [outcome.fuel-tank.leak]
        nested = {k: v for k, v in spec.items() if isinstance(v, Mapping) and k in slugs_in(spec)}
        if nested:
            inner["outcome"] = {**nested, **inner.get("outcome", {})}
        return Table.read(inner, self.sheet, self)


def _of_cases(spec: Mapping[str, Any]) -> dict[str, Any]:
    """A result whose cases ask for a die, as one sub-roll: the rows of each case are a column that holds with it."""
    own = [case for case in spec["cases"] if {"rows", "column", "value"} & set(case)]
    if len(own) > 1 and any("value" in case for case in own):
        raise Trouble("of several cases that ask for a die none can have a value; give the row a `then` for each")
    made = {key: value for key, value in spec.items() if key != "cases"}
    for case in reversed(own):
        made.update({key: value for key, value in case.items() if key != "when"})
    if len(own) > 1:
        made.pop("rows", None)
        made["column"] = [
            {
                **({"dice": case["roll"]} if "roll" in case else {}),
                **column,
                "when": {"all": [case.get("when", {}), column.get("when", {})]},
            }
            for case in own
            for column in case.get("column", [{"rows": case.get("rows")}])
        ]
    return made


Sorted = tuple[str, dict[Any, list[Column]], list[Column]]
FEW = 4  # columns that are tried sooner than sorted


def _by_fact(columns: list[Column], sheet: Sheet) -> Sorted:
    """The fact that most columns ask for by plain words, the columns by its value, and those for any other value."""
    asked: dict[str, int] = {}
    for name in [name for column in columns for name in column.when if _words(column, name, sheet)]:
        asked[name] = asked.get(name, 0) + 1
    name = max(asked, key=lambda each: asked[each], default="")
    if len(columns) <= FEW or asked.get(name, 0) <= len(columns) // 2:
        return "", {}, columns
    by_value: dict[Any, list[Column]] = {each: [] for column in columns for each in _words(column, name, sheet)}
    for column in columns:
        for value in _words(column, name, sheet) or by_value:
            by_value[value].append(column)
    return name, by_value, [column for column in columns if not _words(column, name, sheet)]


def _words(column: Column, name: str, sheet: Sheet) -> list[str]:
    """The plain words one of which a column asks for in a fact; empty where it asks otherwise."""
    known, value = sheet.known.get(name), column.when.get(name)
    if known is None or getattr(getattr(known, "declared", known), "kind", "choice") != "choice":
        return []
    values: list[Any] = value if isinstance(value, list) else [value]
    return list(dict.fromkeys(values)) if all(isinstance(each, str) and "{" not in each for each in values) else []


def slugs_in(spec: Mapping[str, Any]) -> set[str]:
    """The results named in the rows of a sub-roll."""
    rows = [spec.get("rows", {})] + [column["rows"] for column in spec.get("column", ())]
    return {str(result) for each in rows for result in each.values()}


def _pattern(slug: str) -> re.Pattern[str]:
    parts = re.split(r"\{([a-z-]+)\}", slug)
    text = "".join(
        f"(?P<{part.replace('-', '_')}>[^@;]+?)" if at % 2 else re.escape(part) for at, part in enumerate(parts)
    )
    return re.compile(text)


def _worst(applied: list[Applied]) -> list[Applied]:
    """Of the modifiers that share a group only the worst (the lowest) counts."""
    worst: dict[str, Applied] = {}
    for each in applied:
        group = each.modifier.group
        if group and (group not in worst or each.add < worst[group].add):
            worst[group] = each
    return [each for each in applied if not each.modifier.group or worst[each.modifier.group] is each]
