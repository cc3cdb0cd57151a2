"""Standing rules, triggered by conditions or events, and the sequence of play: a mission's steps in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from companion.engine.facts import Facts
from companion.engine.fields import Spec
from companion.engine.sheet import Sheet
from companion.engine.tables import Table, Test
from companion.problems import SystemFault

if TYPE_CHECKING:
    from companion.engine.about import About


class Rule:
    """One rule (for one member if it has a `for`): its condition and its effects (`do`, `then`, `order`)."""

    __slots__ = ("bind", "members", "spec", "test")

    def __init__(self, spec: Spec, member: str | None) -> None:
        self.spec = spec
        self.test: Callable[..., bool] | None = spec.get("#when")
        self.members = () if member is None else (member,)
        self.bind = {} if member is None else {spec["#for"][1]: member}

    def holds(self, facts: Facts) -> bool:
        """Return whether its condition is met."""
        return self.test is None or self.test(facts, *self.members)


class Rules:
    """The standing rules of a pack, indexed by the facts and the events that can trigger them.

    `watched` has the numbers of those that a change of a field can make true, by the pattern of the field; `link` links
    their sentences, and is called when the first rule is needed.
    """

    def __init__(
        self, doc: Spec, sheet: Sheet, watched: Mapping[str, Sequence[int]], link: Callable[[], object]
    ) -> None:
        self.specs, self.sheet, self._link = doc.get("rule", ()), sheet, link
        self._rules: dict[int, Sequence[Rule]] = {}
        self.watched = watched
        self._watching: dict[str, Sequence[Rule]] = {}
        self._triggered: dict[str, Sequence[Rule]] = {}
        self._on = [[single for each in events_of(spec) for single in sheet.expand(each)] for spec in self.specs]

    def watching(self, name: str) -> Sequence[Rule]:
        """Return the rules without `on` that a change of a field can make true."""
        rules = self._watching.get(name)
        if rules is None:
            numbers = self.watched.get(self.sheet.pattern(name), ())
            rules = [rule for number in numbers for rule in self._each(number)]
            self._watching[name] = rules
        return rules

    def triggered(self, event: str) -> Sequence[Rule]:
        """Return the rules that wait for an event: a table rolled, a field changed."""
        rules = self._triggered.get(event)
        if rules is None:
            rules = [rule for number, on in enumerate(self._on) if event in on for rule in self._each(number)]
            self._triggered[event] = rules
        return rules

    @cached_property
    def asking(self) -> Sequence[Rule]:
        """Return the rules without `on` that ask for something."""
        return [
            rule
            for number, spec in enumerate(self.specs)
            if "on" not in spec and any("then" in each for each in (spec, *spec.get("cases", ())))
            for rule in self._each(number)
        ]

    def _each(self, number: int) -> Sequence[Rule]:
        """Return a rule for each member of its `for`."""
        if number not in self._rules:
            self._link()
            spec = self.specs[number]
            members = self.sheet.index[spec["#for"][0]] if "#for" in spec else (None,)
            self._rules[number] = [Rule(spec, member) for member in members]
        return self._rules[number]


def events_of(rule: Spec) -> list[str]:
    """Return the events that a rule waits for: tables, fields and families of fields."""
    on: str | list[str] = rule.get("on", [])
    return [on] if isinstance(on, str) else on


START, END = "start", "end"


class Step:
    """One step: its condition, its effects (`do`, `then`, `order`) and its jump (`go`)."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.id: str = spec["id"]
        self.cite: str = spec.get("cite", "")
        self.go: str | None = spec.get("go")
        self.test: Callable[[Facts], bool] | None = spec.get("#when")

    def due(self, facts: Facts) -> bool:
        return self.test is None or self.test(facts)

    def asked(self, kind: str) -> list[str]:
        """Return the tables (`roll`) or decisions (`choose`) that it asks for."""
        return [str(each[kind]) for each in self.spec.get("then", ()) if kind in each]

    def title(self, facts: Facts) -> str:
        return words(self.spec, "title", facts)


class Steps:
    """The steps in rulebook order. `go` jumps to another step; after the last one the mission is over."""

    def __init__(self, specs: Sequence[Spec]) -> None:
        self.steps = [Step(spec) for spec in specs]
        self.place = {step.id: at for at, step in enumerate(self.steps)}

    def after(self, step: str) -> int:
        """Return the index of the step that follows the one last taken."""
        if step in ("", START):
            return 0
        if step == END:
            return len(self.steps)
        if step not in self.place:
            raise SystemFault(f"the sequence has no step {step}")
        return self.place[step] + 1

    def due(self, at: int, facts: Facts) -> int:
        """Return the index of the next due step, or the number of steps if there is none."""
        steps = self.steps
        while at < len(steps) and (test := steps[at].test) is not None and not test(facts):
            at += 1
        return at

    def target(self, step: Step) -> int:
        """Return the index of the step that a `go` jumps to."""
        return len(self.steps) if step.go == END else self.place[str(step.go)]


def words(spec: Spec, key: str, facts: Facts) -> str:
    """Return a text of the pack with its current values; empty if there is none."""
    sentence: Callable[[Facts], str] | None = spec.get("#" + key)
    return str(spec.get(key, "")) if sentence is None else sentence(facts)


class Game(Protocol):
    """The engine's view of a game: its sheet, rules, steps, tables and choices."""

    name: str

    @property
    def about(self) -> About:
        """Return the pack's description and the contents of its screens, flights and printed sheets."""

    @property
    def sheet(self) -> Sheet:
        """Return the declared log sheet."""

    @property
    def rules(self) -> Rules:
        """Return the standing rules."""

    @property
    def sequence(self) -> Steps:
        """Return the steps of a mission."""

    def table(self, name: str) -> Table:
        """Return the table with that number; raise a UserError if there is none."""

    def stand_in(self, names: Iterable[str]) -> list[str]:
        """Put a table without effects in the place of each that is gone, and return these."""

    def choice(self, name: str) -> Spec:
        """Return the declared choice with that name."""

    def among(self, name: str) -> set[str]:
        """Return the indexes of which a decision picks a member."""

    def until(self, done: str, by: str) -> Test:
        """Return the condition that ends an order, compiled from the file that gave the order."""
