"""Standing rules: when this becomes true, or when that happens, this follows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.engine.sheet import Facts, Sheet


class Rule:
    """One rule, for one member where it has a `for`: when it holds, and what it does (`do`, `then`, `order`)."""

    __slots__ = ("bind", "members", "spec", "test")

    def __init__(self, spec: Mapping[str, Any], member: str | None) -> None:
        self.spec, self.test = spec, spec.get("#when")
        self.members = () if member is None else (member,)
        self.bind = {} if member is None else {spec["#for"][1]: member}

    def holds(self, facts: Facts) -> bool:
        """Whether its condition is met as things stand."""
        return self.test is None or self.test(facts, *self.members)


class Rules:
    """The standing rules of a pack, sorted by the facts and by the events that can set them off."""

    def __init__(self, doc: Mapping[str, Any], sheet: Sheet) -> None:
        self.specs, self.sheet = doc.get("rule", ()), sheet
        self._watched: Mapping[str, list[Any]] = doc.get("#watched", {})
        self._rules: dict[tuple[int, str | None], Rule] = {}
        self._by_fact: dict[str, list[Rule]] = {}

    @cached_property
    def until(self) -> dict[str, list[str]]:
        """Which fields end with which event."""
        made: dict[str, list[str]] = {}
        for name, declared in self.sheet.fields.items():
            if declared.until:
                made.setdefault(declared.until, []).append(name)
        return made

    @cached_property
    def eventful(self) -> frozenset[str]:
        """The events that end something or that a rule waits for."""
        return frozenset((*self.until, *self.by_event))

    @cached_property
    def by_event(self) -> dict[str, list[Rule]]:
        """The rules that wait for something to happen: a table rolled, a field changed."""
        made: dict[str, list[Rule]] = {}
        for number, spec in enumerate(self.specs):
            events = spec.get("on", ())
            members = self.sheet.index[spec["#for"][0]] if "#for" in spec else (None,)
            for event in [events] if isinstance(events, str) else events:
                made.setdefault(event, []).extend(self._rule(number, member) for member in members)
        return made

    def by_fact(self, name: str) -> list[Rule]:
        """The rules without `on` that a field can make true."""
        rules = self._by_fact.get(name)
        if rules is None:
            rules = self._by_fact[name] = [self._rule(number, member) for number, member in self._watched.get(name, ())]
        return rules

    def _rule(self, number: int, member: str | None) -> Rule:
        rule = self._rules.get((number, member))
        if rule is None:
            rule = self._rules[number, member] = Rule(self.specs[number], member)
        return rule
