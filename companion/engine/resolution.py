"""Resolution of a roll, decision or step: effects on the sheet, standing rules, follow-up requests.

A `Resolution` is created for each one and discarded afterward. The lines of `do`, `then` and `order` in a pack call its
methods.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeVar, TypeVarTuple

from companion.engine.facts import Facts
from companion.engine.fields import FREE, Field, Spec, Value, whole
from companion.engine.questions import Option, Pending, asks_the_same, with_asked
from companion.engine.rules import Game, Rule, Step, words
from companion.engine.sheet import Bound, Member, Sheet, reads_of
from companion.engine.tables import Applied
from companion.problems import MissingAnswer, SystemFault, UserError

MANY = 1000  # more rolls than any result needs
EFFECTS = {"do", "then", "order", "cases", "refuse"}  # what a rule does besides saying something
MOST_RULES = 500  # more rules than any result triggers
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Pair = tuple[Value | None, Value | None]  # before and after; None if the field was blank


class Adjustment(NamedTuple):
    """One written adjustment to a number, kept for the explanation."""

    before: int
    after: int
    why: str


class Result:
    """The result of one roll, decision, step or mark.

    Attributes:
        outcome: The row's word or number.
        bind: The fighter, gun, crewman or area involved.
        rolled: The reading of the dice; None if nothing was rolled.
        net: The reading with modifiers added.
        notes: Sentences with their section of the book.
        then: The names of the things it asked for.
        changes: The fields written, with their values before and after.
        assumed: Facts that took their default; `unsaid` lists those not found on any sheet, `idle` those that could not
        have changed the row.
    """

    rolled: int | None = None
    net: int | None = None
    said: str | None = None  # the row or option given as an answer
    natural = formula = step = decision = False
    text = cite = ""
    needed = ""  # the rolls that would have had an effect
    settled = False  # whether it needed no answer from the player
    sheet: Sheet | None = None

    def __init__(
        self, table: str, title: str = "", outcome: str = "none", bind: dict[str, Value] | None = None
    ) -> None:
        self.table, self.title, self.outcome, self.bind = table, title, outcome, bind or {}
        self.dice: list[int] = []
        self.applied: list[Applied] = []
        self.steps: list[Adjustment] = []
        self.notes: list[tuple[str, str]] = []
        self.then: list[str] = []
        self.changes: dict[str, Pair] = {}
        self.assumed: dict[str, Value] = {}
        self.unsaid: dict[str, Field] = {}
        self.idle: list[str] = []
        self.patched: list[dict[str, str]] = []

    @cached_property
    def shown(self) -> list[tuple[str, Value, Value]]:
        """Return the changes worth showing, leaving out untouched fields that were set to their default."""
        return self.sheet.changed(self.changes) if self.sheet else []


class Work:
    """A working copy, reopened for each command.

    `open` starts a command on it, `close` ends it, and `abandon` rolls back the changes of a failed one. `given` are
    the facts given for this command only, `born` the number of the next journal entry.
    """

    def __init__(
        self,
        game: Game,
        state: Mapping[str, Value] | None = None,
        pending: Sequence[Pending] = (),
        given: Mapping[str, Value] | None = None,
        *,
        born: int = 1,
    ) -> None:
        self.game, self.sheet = game, game.sheet
        self.state: dict[str, Value] = dict(state or {})
        self.pending: list[Pending] = list(pending)
        self.given = dict(given or {})
        self.facts = Facts(game.sheet, self.state, self.given)
        self.noting = True  # whether results include texts and list the assumed facts
        self.recorded = False  # whether a recorded mission is being replayed
        self.bare = False  # whether there is no mission, so that the sheet has no information
        self.born = born
        self.started: list[Pending] = []  # the things that results of this command have asked for
        self.bound: set[str] = set()  # indexes bound by a result beyond its own end
        self.legal: tuple[Pending, Spec, list[Option]] | None = None  # the options, cached until something changes
        self._written: list[tuple[str, Value | None]] = []

    def open(self, pending: Sequence[Pending], given: Mapping[str, Value], *, asking: bool, born: int) -> None:
        """Start a command on the current state; `close` or `abandon` ends it."""
        self.pending, self.given, self.born = list(pending), dict(given), born
        self.started.clear()
        self._written.clear()
        self.facts.ask(asking)
        if given:
            self.legal = None
            self.facts.bind(given)

    def write_down(self, name: str, before: Value | None, value: Value | None) -> None:
        """Write one field of the state (None empties it), recording the old value for `abandon`."""
        self._written.append((name, before))
        self.legal = None
        if value is None:
            del self.state[name]
        else:
            self.state[name] = value
        self.facts.change(name, value)

    def mark(self) -> tuple[int, list[Pending], set[str]]:
        """Return a savepoint for `take_back`."""
        return len(self._written), list(self.pending), set(self.bound)

    def take_back(self, mark: tuple[int, list[Pending], set[str]]) -> None:
        """Roll back the sheet and the pending list to the savepoint."""
        count, self.pending, bound = mark
        taken = [*self._written[count:], *((name, None) for name in self.bound - bound)]
        for name, before in reversed(taken):
            if before is None:
                self.state.pop(name, None)
            else:
                self.state[name] = before
        for name, _ in taken:
            self.facts.change(name, self.state.get(name))
        del self._written[count:]
        self.bound, self.legal = bound, None

    def close(self) -> None:
        """End the command: forget the facts given or bound only for it."""
        if self.given or self.bound:
            self.legal = None
        for name in {*self.given, *self.bound, *(name for name, _ in self._written)}:
            self.facts.change(name, self.state.get(name))
        self.given = {}
        self.bound.clear()

    def abandon(self) -> None:
        """Restore the state after a command that failed."""
        self.take_back((0, self.pending, self.bound))
        self.close()

    def concrete(self, name: str) -> str:
        """Return the single field that a name refers to; empty when its fighter or gun is not bound."""
        if name in self.sheet.fields:
            return name
        known = self.sheet.known.get(name)
        if not isinstance(known, Bound):
            raise SystemFault(f"{name} isn't a field of the sheet")
        return known.names.get(str(self.facts[known.index]), "")


class Resolution:
    """One roll, decision, step or edit being applied to a working copy, with its result so far."""

    def __init__(self, work: Work, result: Result) -> None:
        self.work, self.result = work, result
        self.game, self.sheet, self.facts = work.game, work.sheet, work.facts
        self.by_hand = False  # whether the player named it rather than a rule asking for it
        self.unbound = False  # whether a line refers to a fighter, gun or man and none is bound
        self._standing = False  # whether the current rule waits for no event
        self._gone: set[str] = set()  # indexes whose bound slot has been emptied
        self._changes: dict[str, Pair] = {}
        self._due: list[Rule] = []
        self._remarks: list[Rule] = []  # rules that only say something
        self._over = False
        self.front: list[Pending] = []
        self._later: list[Pending] = []
        self._last: list[Pending] = []

    def noted(self, work: Callable[[*Ts], T], *args: *Ts) -> T:
        """Call a function and record in the result which facts took their default, if wanted."""
        if not self.work.noting:
            return work(*args)
        self.facts.note(self.result.assumed, self.result.unsaid)
        try:
            return work(*args)
        finally:
            self.facts.note(None, {})

    # -- effects: the functions called by lines of `do` ----------------------------------------------------------------

    def add(self, index: str, filled: Sequence[tuple[str, Value]], bind: dict[str, Value]) -> None:
        """Fill the next free slot of an index and bind it, as when a fighter appears."""
        used = f"slots.{index}"
        slot = int(self.facts[used]) + 1
        if slot > len(self.sheet.index[index]):
            self.result.notes.append((f"No room for another {index}: the sheet has {slot - 1}", ""))
            return
        self.change(used, slot)
        for key, value in filled:
            self.fill(f"{index}.{slot}.{key}", value)
        bind[index] = str(slot)
        self.work.bound.add(index)
        self.facts.change(index, str(slot))

    def exchange(self, index: str, one: str, other: str) -> None:
        """Swap everything that belongs to two members, as when two men change seats."""
        self.unbound = self.unbound or "none" in (one, other)
        for family in self.sheet.belongings[index] if "none" not in (one, other) else ():
            first, second = (self.work.state.get(f"{family}.{each}") for each in (one, other))
            self.change(f"{family}.{one}", second)
            self.change(f"{family}.{other}", first)

    def clear(self, index: str) -> None:
        """Empty the bound slot and drop everything pending for it."""
        slot = str(self.facts[index])
        if slot == "none":
            self.unbound = True
            return
        self._gone.add(index)
        self.empty(index, slot)

    def empty(self, index: str, slot: str) -> None:
        """Empty a slot and drop everything pending for it."""
        start = f"{index}.{slot}."
        for name in sorted(name for name in self.work.state if name.startswith(start)):  # in either notation
            self.change(name, None)
        self._drop(index, slot)

    def drop(self, index: str) -> None:
        """Drop everything pending for the bound slot but keep the slot; without one, drop all but standing orders."""
        work = self.work
        if index == "everything":
            work.pending = [item for item in work.pending if not item.waits]
            return
        slot = str(self.facts[index])
        if slot == "none":
            self.unbound = True
            return
        self._drop(index, slot)

    def _drop(self, index: str, slot: str) -> None:
        for items in (self.work.pending, self.front, self._later, self._last):
            items[:] = [each for each in items if not each.waits or str(each.bind.get(index)) != slot]

    def uncount(self, name: str, count: Value) -> None:
        """Erase boxes or count down, within the field's limits."""
        self.count(name, -whole(count, self.sheet.text(name)))

    def count(self, name: str, count: Value) -> None:
        """Cross off boxes or count up (erase if negative), within the field's limits."""
        declared = self.sheet.fields.get(name)
        if declared is None:
            self.unbound = True
            return
        asked = count if type(count) is int else whole(count, self.sheet.text(name))
        before = int(self.facts[name])
        after = before + asked
        limited = declared.limited(after)
        if limited != after:
            part = f"{abs(limited - before)} of {abs(asked)}; no more are left"
            left = part if limited != before else f"nothing is left to {'mark' if asked > 0 else 'erase'}"
            self.result.notes.append((f"{self.sheet.text(name)}: {left}", ""))
        if limited != before:
            self.change(name, limited)

    def append(self, name: str, value: Value) -> None:
        """Add a word to a list field, unless it is in it."""
        held = str(self.facts[name]) if name in self.sheet.fields else ""
        listed = [each for each in held.split(", ") if each not in FREE]
        if str(value) not in listed:
            self.fill(name, ", ".join([*listed, str(value)]))

    def fill(self, name: str, value: Value) -> None:
        """Write a value into a field, as far as its limits allow; do nothing if no member is bound."""
        declared = self.sheet.fields.get(name)
        if declared is None:
            self.unbound = True
            return
        if value not in declared.plain and self.work.state.get(name) != value:
            if declared.numeric:
                value = declared.limited(value if type(value) is int else whole(value, self.sheet.text(name)))
            else:
                value = declared.accept(name, value, sure=True)
        self.change(name, value)

    def change(self, name: str, value: Value | None) -> None:
        """Write one field, queue the rules that become true and trigger its events."""
        work, rules = self.work, self.game.rules
        before = work.state.get(name)
        if before == value:
            if name in self.facts.given and self.facts[name] != value:  # it was bound to another member for this roll
                self.facts.change(name, value)
            return
        watching = rules.watching(name)
        stood = self._holding(watching) if watching else ()
        work.write_down(name, before, value)
        changes = self._changes
        changes[name] = (changes[name][0] if name in changes else before, value)
        if name in self.sheet.presence and (value is None or value in FREE):  # remove it with everything pending for it
            self._drop(*self.sheet.presence[name])
        for rule, was, now in zip(watching, stood, self._holding(watching) if watching else (), strict=True):
            if now and not was and rule not in self._due:
                self._due.append(rule)
        if name in self.sheet.eventful:
            self._event(name)

    # -- requests: the functions called by lines of `then` and `order` -------------------------------------------------

    def ask_for(
        self,
        kind: str,
        what: str,
        usual: Value | None,
        bind: Mapping[str, Value],
        place: str,
        times: Value,
        rows: str | None,
        line: str = "",
    ) -> None:
        """Collect a request of a result: a table (`roll`), a decision (`choose`) or a field (`ask`)."""
        if what == "none" or (kind == "ask" and what not in self.sheet.fields):
            self.unbound = True
            return
        item = Pending(kind, what, dict(bind), usual=usual, line=line)
        if self._standing and any(asks_the_same(item, each) for each in self.work.pending):
            return  # the rule has become true again while its earlier request is still pending
        into = self._later if place == "later" else self._last if place == "last" else self.front
        times = int(times)
        if times > MANY:
            raise SystemFault(f"{self.game.name}: a result needs {times} rolls")
        if rows is None:
            into += [item._replace() for _ in range(times)]
            return
        first, _, last = rows.partition("..")
        into += [item._replace(take=row) for _ in range(times) for row in range(int(first), int(last) + 1)]

    def order(
        self, text: str, cite: str, until: str | None, by: str, about: Sequence[str], bind: Mapping[str, Value]
    ) -> None:
        """Give the player an order that lasts until its sentence `until` holds, or until they have carried it out.

        `by` is the pack file that gives it; `about` are the bindings kept with it.
        """
        if not text or any(item.is_for("order", text) for item in self.work.pending + self.front):
            return
        bindings = {} if until is None else {name: bind[name] for name in about if name in bind}
        self.front.append(Pending("order", text, bindings, cite=cite, until=until or "", by=by if until else ""))

    @property
    def asked(self) -> int:
        """Return how many things have been asked for so far, including orders."""
        return len(self.front) + len(self._later) + len(self._last)

    @property
    def waits(self) -> bool:
        """Return whether a roll or an answer was asked for."""
        return bool(self._later or self._last or any(item.waits for item in self.front))

    # -- missing answers -----------------------------------------------------------------------------------------------

    def ask_for_unbound(self, spec: Spec) -> None:
        """Raise MissingAnswer if the lines of a row refer to a fighter, gun or man and none is bound."""
        read = self.sheet.touched(each for key in ("#do", "#then") if key in spec for each in reads_of(spec[key]))
        written = f"{spec.get('do')} {spec.get('then')}"  # the first one named is asked for first
        for index in sorted(read & self.sheet.index.keys() - self._gone, key=lambda each: (written.find(each), each)):
            if self.facts[index] == "none":
                self.ask_which(index)

    def ask_which(self, index: str) -> None:
        """Raise MissingAnswer to ask which member is meant.

        Not without a mission, where nothing is written; not in a replay, where everything is known; and not for a
        fighter that is on no sheet but sufficiently described.
        """
        work, facts, member = self.work, self.facts, self.sheet.known[index]
        if work.bare or work.recorded:
            return
        nobody = isinstance(member, Member) and member.present and not facts.there(index)
        if nobody and (not self.by_hand or (facts.is_given_about(index) and (self._changes or self.asked))):
            self.result.notes.append((f"No {index} is on the sheet, so nothing can be set for it", ""))
            return
        raise MissingAnswer(facts.which(index))

    # -- standing rules ------------------------------------------------------------------------------------------------

    def _holding(self, rules: Sequence[Rule]) -> Sequence[bool]:
        """Return the rules that hold. A rule that waits for an event never asks the player for missing facts."""
        asking = self.facts.asking
        self.facts.ask(False)
        try:
            return [rule.holds(self.facts) for rule in rules]
        finally:
            self.facts.ask(asking)

    def _event(self, name: str) -> None:
        """End the fields that last until this event, and queue the rules that wait for it."""
        for each in [each for each in self.sheet.until.get(name, ()) if each in self.work.state and each != name]:
            self.change(each, None)
        for rule in self.game.rules.triggered(name):
            if rule not in self._due:
                self._due.append(rule)

    def begin(self, event: str) -> None:
        """Start a new wave or the like when the player rolls for it: end the fields that lasted until then, or count it
        up.
        """
        if event in self.sheet.fields:
            self.count(event, 1)
            return
        for name in [each for each in self.sheet.until.get(event, ()) if each in self.work.state]:
            self.change(name, None)

    def follow_rules(self) -> None:
        """Carry out the rules that have become due, and those that they trigger."""
        if not self._due:
            return
        count = 0
        while self._due:
            rule = self._due.pop(0)
            count += 1
            if count > MOST_RULES:
                raise SystemFault(f"{self.game.name}: standing rules trigger each other endlessly")
            if not all(self._holding((rule,))):
                continue
            if not self._over and not EFFECTS & rule.spec.keys():
                self._remarks.append(rule)  # a check of a sum looks when the command is over
                continue
            self._standing = "on" not in rule.spec
            with self.facts.bind(rule.bind):
                spec = self.case_of(rule.spec)
                bind = dict(rule.bind)
                for key in ("#do", "#order", "#then"):
                    if key in spec:
                        spec[key](self, bind)
                if spec.get("refuse"):
                    raise UserError(words(spec, "refuse", self.facts))
                if spec.get("text") and (text := words(spec, "text", self.facts)):
                    self.result.notes.append((text, str(spec.get("cite", ""))))
            self._standing = False

    def asks_for(self, item: Pending, step: Step | None) -> bool:
        """Return whether this step or a standing rule asks for a pending thing now."""
        dry, asking = Resolution(self.work, Result("")), list[tuple[Spec, Mapping[str, str]]]()
        if step is not None and step.due(self.facts):
            asking.append((step.spec, {}))
        asking += [(rule.spec, rule.bind) for rule in self.game.rules.asking if rule.holds(self.facts)]
        for spec, bind in asking:
            with self.facts.bind(bind):
                spec = self.case_of(spec)
                if "#then" in spec:
                    spec["#then"](dry, dict(bind))
        return any(asks_the_same(item, each) for each in dry.front + dry._later + dry._last)

    def case_of(self, spec: Spec) -> Spec:
        """Return the first matching one of `cases`, merged with its sibling keys."""
        while "cases" in spec:
            for case in spec["cases"]:
                test = case.get("#when")
                if test is None or test(self.facts):
                    spec = _over(spec, case)
                    break
            else:
                return _over(spec, {})
        return spec

    # -- the end -------------------------------------------------------------------------------------------------------

    def finish(self, item: Pending | None, event: str) -> Result:
        """Follow rules that have become due, add requests to the pending list, drop completed orders."""
        work, result = self.work, self.result
        if event in self.sheet.eventful and event not in self.sheet.fields:  # a choice may share a field's name
            self._event(event)
        if self._due:
            self.follow_rules()
        if self._remarks:
            self._due, self._remarks, self._over = self._remarks, [], True
            self.follow_rules()
        if self._changes:
            result.changes = {name: pair for name, pair in self._changes.items() if pair[0] != pair[1]}
            result.sheet = self.sheet
        if self.front or self._later or self._last:
            result.then = [each.name for each in self.front + self._later + self._last]
            before = {id(each) for each in work.pending}
            if self.front and all(each.line for each in self.front):
                self._sort_lines()
            work.pending = with_asked(work.pending, item, self.front, self._later, self._last, work.born)
            work.started += [each for each in work.pending if id(each) not in before]
        elif item is not None and item in work.pending:
            work.pending.remove(item)
        until = self.game.until
        done = [each for each in work.pending if each.until and self.facts.holds(until(each.until, each.by), each.bind)]
        if done:
            work.pending = [each for each in work.pending if each not in done]
        return result

    def _sort_lines(self) -> None:
        """Sort questions so that those of one line are together, and the lines of one index are in its order."""
        subjects = dict[str, tuple[str, str]]()
        for each in self.front:
            subjects.setdefault(each.line, (*self.sheet.members_of.get(each.name, ()), ("", ""))[0])
        indexes = list(dict.fromkeys(index for index, _ in subjects.values()))

        def place(item: Pending) -> tuple[int, int]:
            index, member = subjects[item.line]
            return indexes.index(index), [*self.sheet.index.get(index, ()), member].index(member)

        self.front.sort(key=place)


def _over(spec: Spec, case: Spec) -> Spec:
    """Merge a case with its sibling keys; cached."""
    whole_spec: Spec | None = case.get("#whole") if case else spec.get("#without")
    if whole_spec is None:
        beside = {key: value for key, value in spec.items() if key not in ("cases", "#without")}
        whole_spec = {**beside, **{key: value for key, value in case.items() if key not in ("when", "#when")}}
        if "text" in case and "#text" not in case:
            whole_spec.pop("#text", None)
        (case if case else spec)["#whole" if case else "#without"] = whole_spec  # type: ignore[index]
    return whole_spec
