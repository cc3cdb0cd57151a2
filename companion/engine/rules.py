"""Standing rules: when this becomes true, or when that happens, this follows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from companion.engine.conditions import NEVER, Test, compile_condition, for_member, put_in
from companion.engine.templates import names_in
from companion.problems import Trouble

if TYPE_CHECKING:
    from companion.sheet import Sheet


class Rule:
    """One rule for one member: what it watches, when it holds, and what it does (`effects`, `then`, `order`)."""

    def __init__(self, spec: Mapping[str, Any], when: Mapping[str, Any], bind: dict[str, str], sheet: Sheet) -> None:
        self.spec, self.when, self.bind = spec, when, bind
        self.sheet = sheet

    @cached_property
    def test(self) -> Test | None:
        """The condition, compiled when it is first needed."""
        return compile_condition(self.when, self.sheet)


class Rules:
    """The standing rules of a pack, sorted by the facts and by the events that can set them off."""

    def __init__(self, specs: Sequence[Mapping[str, Any]], sheet: Sheet) -> None:
        self.specs, self.sheet = specs, sheet

    @cached_property
    def until(self) -> dict[str, list[str]]:
        """Which fields end with which event."""
        found: dict[str, list[str]] = {}
        for name, declared in self.sheet.fields.items():
            if declared.until:
                found.setdefault(declared.until, []).append(name)
        return found

    @cached_property
    def by_event(self) -> dict[str, list[Rule]]:
        """The rules that wait for something to happen: a table rolled, a field changed."""
        found: dict[str, list[Rule]] = {}
        for spec in self.specs:
            events = spec.get("on", ())
            for event in [events] if isinstance(events, str) else events:
                found.setdefault(event, []).extend(self._members(spec))
        return found

    @cached_property
    def by_fact(self) -> dict[str, list[Rule]]:
        """The rules without `on`, by every field that can make them true."""
        found: dict[str, list[Rule]] = {}
        for spec in self.specs:
            if "on" in spec:
                continue
            for rule in self._members(spec):
                if not rule.when:
                    raise Trouble(
                        f"{self.sheet.game}: a rule has neither `on` nor a condition: {spec.get('text', spec)}"
                    )
                for name in read_by(rule.when, self.sheet):
                    found.setdefault(name, []).append(rule)
        return found

    def _members(self, spec: Mapping[str, Any]) -> list[Rule]:
        where = {**spec.get("where", {}), **spec.get("when", {})}
        index = spec.get("each")
        if index is None:
            return [Rule(spec, where, {}, self.sheet)]
        name = spec.get("as", index)
        found = []
        for member, has in self.sheet.index[index].items():
            put = for_member(where, name, index, member, self.sheet)
            if put is not NEVER:
                found.append(Rule(put_in(spec, name, member, has), put, {name: member}, self.sheet))
        return found


def read_by(condition: Mapping[str, Any], sheet: Sheet) -> list[str]:
    """Every single field that a condition can depend on, through worked-out facts too."""
    names: dict[str, None] = {}
    for written in sheet.names_in(condition):
        for name in sheet.expand_any(written):
            if name in sheet.derived:
                names.update(dict.fromkeys(sheet.inputs(name)))
            else:
                names[name] = None
        for inner in names_in(written):
            names[inner] = None
    return list(names)
