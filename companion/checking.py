"""Proving a pack: every roll lands on a row, every name exists, every effect can be carried out."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any

from companion.engine.needs import slug
from companion.engine.sequence import END
from companion.engine.tables import Column, Table, slugs_in
from companion.engine.templates import names_in, parts_of
from companion.form import slips
from companion.packs import NOT_TABLES, Pack
from companion.problems import Problem, Trouble, understood
from companion.schema import SCHEMA
from companion.sheet import Field

LOCAL = {"roll", "net", "result"}
ROW_WORDS = frozenset(SCHEMA["$defs"]["row-case"]["properties"])


def check(pack: Pack) -> list[str]:
    """Everything that is wrong with a pack, one sentence each; empty when it is sound.

    A file without the form of our schema is not looked into further, and without a sheet nothing can be.
    """
    malformed = slips(pack)
    said = [each for key in sorted(malformed) for each in malformed[key]]
    return said if "sheet" in malformed else [*said, *Checker(pack, malformed).run()]


class Checker:
    """One pass over the files of a pack."""

    def __init__(self, pack: Pack, malformed: Container[str] = ()) -> None:
        self.pack, self.sheet, self.malformed = pack, pack.sheet, malformed
        self.where = ""
        self.locals: set[str] = set()

    def run(self) -> Iterator[str]:
        """Go through the sheet, the tables, the rules and the choices."""
        for file, check_one in (
            ("sheet", self._sheet),
            ("", self._tables),
            ("rules", self._rules),
            ("choices", self._choices),
            ("sequence", self._steps),
            ("pack", self._about),
            ("pack", self._log),
        ):
            if file in self.malformed:
                continue
            try:
                with understood("what stands there"):
                    yield from (f"{self.where}: {found}" for found in check_one())
            except Problem as problem:
                yield f"{self.where}: {problem}"

    # -- files ---------------------------------------------------------------------------------------------------

    def _sheet(self) -> Iterator[str]:
        self.where = "sheet"
        for name, field in self.sheet.families.items():
            for word in field.known:
                if not field.words or word != slug(word):
                    yield f"{name}: the known {word!r} is never met; words in lower case, joined by hyphens, are"
            if field.default is not None:
                try:
                    field.accept(name, field.default)
                except Problem as problem:
                    yield str(problem)
            if field.section not in self.sheet.sections and field.section != "working":
                yield f"{name} stands in a section {field.section!r} that the sheet does not name"
        for name, derived in self.sheet.derived.items():
            self.where = f"sheet, {name}"
            for read in self.sheet.names_in(derived.spec):
                yield from self._name(read)
            for case in derived.spec.get("cases", ()):
                yield from self._condition(case.get("when", {}))
            if "table" in derived.spec:
                self.pack.table(derived.spec["table"])

    def _tables(self) -> Iterator[str]:
        for key in sorted(self.pack.files):
            if key in NOT_TABLES or key in self.malformed:
                continue
            self.where = key
            doc = self.pack.read(key)
            if str(doc.get("id", "")).casefold() != key:
                yield f"its id is {doc.get('id')!r}, not its file's name"
                continue
            self.locals = LOCAL | _locals(doc)
            yield from self._table(self.pack.table(key))

    def _table(self, table: Table) -> Iterator[str]:
        self.where = table.id
        if not table.cite:
            yield "it does not say where the book has it"
        if "about" in table.doc and table.doc["about"] not in self.sheet.index:
            yield f"it is about one {table.doc['about']}, and there is no such index"
        if not table.columns and not table.owner and "value" not in table.doc:
            yield "it has no rows and is not marked as an owner table"
        for modifier in table.modifiers:
            if modifier.per:
                yield from self._name(modifier.per)
            yield from self._condition(modifier.when)
            if not modifier.why:
                yield f"the modifier {modifier.id!r} gives no reason"
        for spec in table.doc.get("natural", ()):
            yield from self._condition(spec.get("when", {}))
        for column in table.columns:
            yield from self._condition(column.when)
            yield from self._rows(table, column)
        for name, does in table.doc.get("outcome", {}).items():
            yield from self._does(table, name, does)
            yield from _nested(name, does)
        yield from self._does(table, "number", table.doc.get("number", {}))
        for step in table.doc.get("adjust", ()):
            yield from self._condition(step.get("when", {}))
        for sub in [*table.doc.get("sub", {}), *_rolling(table)]:
            found = table.sub(sub)
            if found is None:
                yield f"the sub-roll {sub} cannot be built"
            elif "value" not in found.doc:
                yield from self._table(found)
                self.where = table.id

    def _rows(self, table: Table, column: Column) -> Iterator[str]:
        dice = column.dice or table.dice
        low = sum(min(0, modifier.add) for modifier in column.modifiers if modifier.per is None)
        high = sum(max(0, modifier.add) for modifier in column.modifiers if modifier.per is None)
        totals = [total for total, _ in dice.readings()] if dice.count != 0 else []
        nets = range(min(totals) + low, max(totals) + high + 1) if totals and not dice.tens else totals
        missing = [net for net in nets if column.rows.find(net) is None]
        printed = {total for total in totals if column.rows.find(total) is None}
        if printed:
            yield f"column {column.title or '1'}: a roll of {min(printed)} lands on no row"
        elif missing and any(modifier.per is None for modifier in column.modifiers) and not _capped(table, missing):
            yield f"column {column.title or '1'}: a net {missing[0]} lands on no row"
        for result in column.rows.results():
            for each in result if isinstance(result, list) else [result]:
                name = each["as"] if isinstance(each, Mapping) else each
                if isinstance(name, str) and name != "owner" and "{" not in name and not _has(table, name):
                    yield f"the result {name!r} does nothing and has no text"

    def _rules(self) -> Iterator[str]:
        events = {name.casefold() for name in self.pack.files} | set(self.sheet.families) | {"mission"}
        for number, rule in enumerate(self.pack.read("rules").get("rule", ()), 1):
            self.where, self.locals = f"rules, number {number}", LOCAL | _locals(rule)
            happens = rule.get("on", ())
            for event in [happens] if isinstance(happens, str) else happens:
                if event.casefold() not in events and event not in self.sheet.known:
                    yield f"it waits for {event}, which never happens"
            if "on" not in rule and not rule.get("when"):
                yield "it has neither `on` nor a condition"
            yield from self._condition({**rule.get("where", {}), **rule.get("when", {})})
            yield from self._does(None, "rule", {key: rule[key] for key in rule if key not in ("each", "as", "where")})

    def _choices(self) -> Iterator[str]:
        for name, choice in self.pack.read("choices").get("choice", {}).items():
            self.where, self.locals = f"choices, {name}", LOCAL | _locals(choice)
            for option in choice.get("option", ()):
                yield from self._condition(option.get("where", {}))
                yield from self._condition(option.get("when", {}))
                yield from self._condition(option.get("usual", {}))
                if "of" in option:
                    yield from self._then(option["of"]["table"])
                skip = ("each", "as", "where", "when", "usual", "of")
                yield from self._does(None, option["name"], {key: option[key] for key in option if key not in skip})

    def _steps(self) -> Iterator[str]:
        steps = self.pack.sequence.steps
        for step in steps:
            self.where, self.locals = f"sequence, {step.id}", LOCAL | _locals(step.spec)
            if step.go is not None and step.go != END and step.go not in self.pack.sequence.place:
                yield f"it goes to {step.go}, which there is not"
            yield from self._condition(step.spec.get("when", {}))
            yield from self._does(None, step.id, {key: step.spec[key] for key in step.spec if key != "when"})

    def _about(self) -> Iterator[str]:
        self.where = "pack"
        for name in self.pack.about.get("reveal", {}).get("facts", ()):
            yield from self._name(name)
        about = self.pack.about
        shown = [name for line in about.get("status", {}).get("lines", ()) for name in line]
        for name in [*about.get("briefing", ()), *shown, *about.get("status", {}).get("boxes", ())]:
            if name not in self.sheet.known:
                yield f"it names a field {name} that the sheet does not declare"
        layout = about.get("print", {})
        for name in [
            *layout.get("join", {}),
            *layout.get("join", {}).values(),
            *layout.get("when-filled", ()),
            *layout.get("without", ()),
        ]:
            if name not in self.sheet.sections:
                yield f"[print] names a section {name} that the sheet does not declare"

    def _log(self) -> Iterator[str]:
        self.where = "pack, [log]"
        log = self.pack.about.get("log", {})
        for name in [*(name for name, _ in log.get("columns", ())), *filter(None, map(log.get, ("result", "average")))]:
            yield from self._name(name)
        for key in ("flew", "lost"):
            derived = self.sheet.derived.get(log.get(key, ""))
            if key in log and (derived is None or derived.spec.get("count", {}).get("each") != "position"):
                yield f"{key} names {log[key]}, which is no count of positions"
        result = self.sheet.derived.get(log.get("result", "")) or self.sheet.fields.get(log.get("result", ""))
        for value in log.get("sides", {}):
            if result is not None and result.values and value not in result.values:
                yield f"a side has the result {value}, which there never is"
        self.locals = self.locals | {"position"}
        unsettled = log.get("unsettled", ())
        conditions = [log.get("counts", {}), log.get("aircraft-lost", {}), *log.get("standing", {}).values()]
        for condition in [*conditions, *(each.get("where", {}) for each in unsettled)]:
            yield from self._condition(condition)
        for each in unsettled:
            yield from self._then(each.get("roll", ""))

    # -- parts ---------------------------------------------------------------------------------------------------

    def _does(self, table: Table | None, name: str, does: Mapping[str, Any]) -> Iterator[str]:
        for case in does.get("cases", ()):
            yield from self._condition(case.get("when", {}))
            yield from self._does(table, name, {key: case[key] for key in case if key != "when"})
        for effect in does.get("effects", ()):
            yield from self._effect(effect)
        for then in does.get("then", ()):
            yield from self._then(then)
        if "order" in does:
            yield from self._condition(does.get("done", {}))
        for text in (does.get("text"), does.get("order"), does.get("title")):
            yield from self._text(text)

    def _effect(self, effect: Mapping[str, Any]) -> Iterator[str]:
        yield from self._each(effect)
        yield from self._condition(effect.get("when", {}))
        written = None if "add" in effect else effect.get("set") or effect.get("mark") or effect.get("erase")
        if written:
            yield from self._name(written)
            fields = [self.sheet.fields[each] for each in self._matching(written) if each in self.sheet.fields]
            if not fields and not self._bound(written):
                yield f"an effect writes {written}, which is no field of the sheet"
            if "set" in effect:
                yield from self._fits(written, fields, effect.get("to"))
            elif any(not field.numeric for field in fields):
                yield f"an effect counts {written}, which is no number"
        elif "swap" in effect:
            yield from self._name(effect["swap"])
            yield from self._name(effect["with"])
        elif "add" in effect:
            for key, value in effect.get("set", {}).items():
                yield from self._name(f"{effect['add']}.1.{key}")
                yield from self._text(value)
        elif "clear" in effect and effect["clear"] not in self.sheet.index:
            yield f"an effect clears {effect['clear']}, which is no index"
        elif "drop" in effect and effect["drop"] not in (*self.sheet.index, "everything"):
            yield f"an effect drops what waits for {effect['drop']}, which is no index"
        for value in (effect.get("to"), effect.get("n"), effect.get("order")):
            yield from self._text(value)

    def _fits(self, written: str, fields: list[Field], value: Any) -> Iterator[str]:
        if isinstance(value, str) and "{" in value:
            return
        refused = ""
        for field in fields:
            try:
                field.accept(written, value)
                return
            except Problem as problem:
                refused = str(problem)
        if refused:
            yield refused

    def _then(self, then: Any) -> Iterator[str]:
        spec: Mapping[str, Any] = {"roll": then} if isinstance(then, str) else then
        yield from self._each(spec)
        yield from self._condition(spec.get("when", {}))
        for text in [spec.get("times"), spec.get("order"), *spec.get("bind", {}).values()]:
            yield from self._text(text)
        target = spec.get("roll")
        if isinstance(target, str):
            yield from self._text(target)
            if "{" not in target:
                try:
                    self.pack.table(target)
                except Trouble:
                    pass  # it is there; what is wrong with it is said of its own file
                except Problem:
                    yield f"it sends the player to {target}, which there is not"
        if "ask" in spec:
            yield from self._name(spec["ask"])
        if "choose" in spec and not self.pack.has_choice(spec["choose"]):
            yield f"it asks for a choice {spec['choose']}, which there is not"

    def _each(self, spec: Mapping[str, Any]) -> Iterator[str]:
        if "each" in spec:
            if spec["each"] not in self.sheet.index:
                yield f"there is no index {spec['each']} to go through"
            yield from self._condition(spec.get("where", {}))

    def _condition(self, condition: Mapping[str, Any]) -> Iterator[str]:
        for key, value in condition.items():
            if key in ("any", "all"):
                for each in value:
                    yield from self._condition(each)
            elif key == "not":
                yield from self._condition(value)
            elif key == "column":
                self.pack.table(value)
            elif key in ("some", "none", "count") and isinstance(value, Mapping) and "each" in value:
                self.locals.add(value.get("as", value["each"]))
                yield from self._each(value)
            else:
                yield from self._name(key)
                yield from self._values(key, value)

    def _values(self, key: str, value: Any) -> Iterator[str]:
        if isinstance(value, Mapping):
            value = value.get("not", [])
        fields = [self.sheet.declared(each) for each in self._matching(key) if self._declares(each)]
        values = {word for field in fields for word in field.values}
        if not values:
            return
        for each in value if isinstance(value, list) else [value]:
            late = isinstance(each, str) and "{" in each
            if not late and str(each) not in values and each != "none":
                yield f"a condition wants {key} to be {each}, which it never is"

    def _declares(self, name: str) -> bool:
        try:
            self.sheet.declared(name)
        except Problem:
            return False
        return True

    def _name(self, name: str) -> Iterator[str]:
        for inner in names_in(name):
            if inner.partition(".")[0] not in self.locals:
                yield from self._name(inner)
        if "{" not in name:
            if name not in self.sheet.known and name not in self.locals:
                yield f"there is no fact {name}"
        elif not self._matching(name):
            yield f"there is no fact like {name}"

    def _matching(self, name: str) -> list[str]:
        if "{" not in name:
            return [name] if name in self.sheet.known else []
        pattern = re.compile(self._pattern(name))
        return [each for each in self.sheet.known if pattern.fullmatch(each)]

    def _pattern(self, name: str) -> str:
        """A name with holes as a pattern: a hole that is an index, or what the pack says of one, takes only those."""
        made = ""
        for part, hole in parts_of(name):
            index, _, key = part.partition(".")
            members = self.sheet.index.get(index, {})
            words = [str(has[key]) for has in members.values() if key in has] if key else list(members)
            filled = "(?:" + "|".join(map(re.escape, words)) + ")" if words else ".+"
            made += filled if hole else re.escape(part)
        return made

    def _bound(self, name: str) -> bool:
        return hasattr(self.sheet.known.get(name), "index")

    def _text(self, text: Any) -> Iterator[str]:
        if isinstance(text, str):
            for inner in names_in(text):
                if inner.partition(".")[0] not in self.locals:
                    yield from self._name(inner)


def _capped(table: Table, missing: list[int]) -> bool:
    """Whether the extremes cannot come up together: modifiers of one fact exclude each other."""
    by_fact: dict[str, list[int]] = {}
    for modifier in table.modifiers:
        by_fact.setdefault(next(iter(modifier.when), modifier.id), []).append(modifier.add)
    low = sum(min(0, *adds) for adds in by_fact.values())
    high = sum(max(0, *adds) for adds in by_fact.values())
    totals = [total for total, _ in table.dice.readings()]
    return all(net < min(totals) + low or net > max(totals) + high for net in missing)


def _has(table: Table, name: str) -> bool:
    does, _ = table.outcome(name)
    return bool(does)


def _nested(name: str, does: Mapping[str, Any]) -> Iterator[str]:
    """What stands beside the words of a row must be a result of its own die."""
    parts = [does, *does.get("cases", ())]
    results = {result for part in parts for result in slugs_in(part)}
    for each in {key: 0 for part in parts for key in part if key not in ROW_WORDS and key not in results}:
        yield f"{name} has {each!r}, which is none of the results of its rows"


def _rolling(table: Table) -> list[str]:
    """The rows that ask for a further die of their own."""
    found = []
    for name, does in table.doc.get("outcome", {}).items():
        parts = [does, *does.get("cases", ())]
        if "{" not in name and any("rows" in part or "column" in part or "value" in part for part in parts):
            found.append(name)
    return found


def _locals(part: Any) -> set[str]:
    """Names that a file binds for itself: in patterns, in `bind`, in `as`."""
    found: set[str] = set()
    if isinstance(part, Mapping):
        for key, value in part.items():
            if key == "outcome" and isinstance(value, Mapping):
                found |= {name for slug in value for name in names_in(slug)}
            if key == "bind" and isinstance(value, Mapping):
                found |= set(value)
            if key in ("as", "each") and isinstance(value, str):
                found.add(value)
            found |= _locals(value)
    elif isinstance(part, list):
        for each in part:
            found |= _locals(each)
    return found
