"""Working on a mission: changes on the sheet, the standing rules that follow, and the pending list.

`Work` is a working copy of the flat state and of the pending list. `open` begins a command on it, `close` ends it,
and `take_back` undoes all that a failed one wrote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.engine.needs import Item, Result, called
from companion.engine.sequence import words
from companion.engine.sheet import Bound, Facts, Value
from companion.problems import Problem, Trouble

if TYPE_CHECKING:
    from companion.engine.game import Game
    from companion.engine.needs import Option
    from companion.engine.rules import Rule

MANY = 1000  # more rolls than any result asks for


class Work:
    """A working copy of a mission, for one command or, opened again and again, for all of them."""

    def __init__(
        self,
        game: Game,
        state: Mapping[str, Value] | None = None,
        pending: Sequence[Item] = (),
        given: Mapping[str, Value] | None = None,
        *,
        born: int = 1,
    ) -> None:
        self.game = game
        self.sheet = game.sheet
        self.state: dict[str, Value] = dict(state or {})
        self.pending: list[Item] = list(pending)
        self.given = dict(given or {})
        self.facts = Facts(game.sheet, self.state, self.given, noting=False)
        self.noting = True  # whether a result says which facts were assumed
        self.born = born
        self._written: list[tuple[str, Value | None]] = []
        self._bound: set[str] = set()
        self._legal: tuple[Item, Mapping[str, Any], list[Option]] | None = None
        self._changes: dict[str, tuple[Value | None, Value | None]] = {}
        self._queue: list[Rule] = []
        self._front: list[Item] = []
        self._later: list[Item] = []
        self._last: list[Item] = []
        self._result = Result("")

    # -- one command after another -------------------------------------------------------------------------------

    def open(self, pending: Sequence[Item], given: Mapping[str, Value], *, asking: bool, born: int) -> None:
        """Begin a command on the state as it stands; `close` or `take_back` ends it."""
        self.pending, self.given, self.born = list(pending), dict(given), born
        self._written.clear()
        self.facts.ask(asking)
        if given:
            self._legal = None
            self.facts.bind(given)

    def close(self) -> None:
        """The command is done: what was given or bound for it alone counts no longer."""
        if self.given or self._bound:
            for name in {*self.given, *self._bound, *(name for name, _ in self._written)}:
                self.facts.change(name, self.state.get(name))
            self._legal = None
            self.given = {}
            self._bound.clear()
        else:
            for name, _ in self._written:  # a name that was bound while it was written
                if self.facts.get(name) != self.state.get(name):
                    self.facts.change(name, self.state.get(name))

    def take_back(self) -> None:
        """The command failed: the state is again what it was."""
        for name, before in reversed(self._written):
            if before is None:
                self.state.pop(name, None)
            else:
                self.state[name] = before
        if self._written:
            self._legal = None
        for name, _ in self._written:
            self.facts.change(name, self.state.get(name))
        self.close()

    def _begin(self, name: str, title: str, bind: Mapping[str, Value]) -> Result:
        self._changes, self._queue, self._front, self._later, self._last = {}, [], [], [], []
        self._result = Result(name, title, bind=dict(bind))
        return self._result

    def _finish(self, result: Result, item: Item | None, event: str) -> None:
        """Fire what has become due, put new items on the pending list, drop orders that are done."""
        self._event(event)
        if self._queue:
            self._drain()
        if self._changes:
            result.changes = {name: pair for name, pair in self._changes.items() if pair[0] != pair[1]}
            result.blank = self._blank
        if self._front or self._later or self._last:
            result.then = [called(each) for each in self._front + self._later + self._last]
            self._push(item)
        elif item is not None and item in self.pending:
            self.pending.remove(item)
        self._orders()

    def _blank(self, name: str) -> Value:
        declared = self.sheet.fields.get(name)
        return declared.blank if declared else "none"

    def _case(self, does: Mapping[str, Any]) -> Mapping[str, Any]:
        """The first of the `cases` that fits, over what stands beside them."""
        while "cases" in does:
            for case in does["cases"]:
                test = case.get("#when")
                if test is None or test(self.facts):
                    does = _over(does, case)
                    break
            else:
                return _over(does, {})
        return does

    # -- what the lines of `do` call --------------------------------------------------------------------------------

    def add(self, index: str, filled: Sequence[tuple[str, Value]], bind: dict[str, Value]) -> None:
        """Fill the next free slot of an index and bind it: a fighter appears."""
        used = f"slots.{index}"
        slot = int(self.facts[used]) + 1
        if slot > len(self.sheet.index[index]):
            self._result.notes.append((f"No room for another {index}: the sheet has {slot - 1}", ""))
            return
        self.change(used, slot)
        for key, value in filled:
            self.fill(f"{index}.{slot}.{key}", value)
        bind[index] = str(slot)
        self._bound.add(index)
        self.facts.change(index, str(slot))

    def exchange(self, one: str | None, other: str | None) -> None:
        """Two fields of a family change places: two men change seats."""
        if one is None or other is None:
            return
        first, second = self.state.get(one), self.state.get(other)
        self.change(one, second)
        self.change(other, first)

    def clear(self, index: str) -> None:
        """Empty the bound slot and drop what was pending for it."""
        slot = str(self.facts[index])
        if slot == "none":
            return
        start = f"{index}.{slot}."
        for name in [name for name in self.state if name.startswith(start)]:
            self.change(name, None)
        self.drop(index)

    def drop(self, index: str) -> None:
        """Drop what was pending for the bound slot, which stays as it is; or everything but the standing orders."""
        if index == "everything":
            self.pending = [item for item in self.pending if "order" in item]
            return
        slot = str(self.facts[index])
        if slot == "none":
            return
        for items in (self.pending, self._front, self._later, self._last):
            items[:] = [each for each in items if "order" in each or str(each.get("bind", {}).get(index)) != slot]

    def uncount(self, name: str | None, count: Value) -> None:
        """Erase boxes or count down, within the field's limits."""
        if name is not None:
            self.count(name, -whole(count, self.sheet.text(name)))

    def count(self, name: str | None, count: Value) -> None:
        """Cross off boxes or count up (with less than nothing: erase), within the field's limits."""
        if name is None:
            return
        declared = self.sheet.fields[name]
        much = count if type(count) is int else whole(count, self.sheet.text(name))
        before = int(self.facts[name])
        after = before + much
        limited = max(declared.low, min(after, declared.limit if declared.limit is not None else after))
        if limited != after:
            note = f"{self.sheet.text(name)}: {abs(limited - before)} of {abs(much)}, there is no more"
            self._result.notes.append((note, ""))
        if limited != before:
            self.change(name, limited)

    def fill(self, name: str | None, value: Any) -> None:
        """Write a field with what it takes of a value; nothing where nobody is bound."""
        if name is not None:
            fits = value in self.sheet.fields[name].values
            self.change(name, value if fits else self.fit(name, value))

    def concrete(self, name: str) -> str:
        """The single field that a name means; empty when it speaks of a fighter or gun that is not bound."""
        if name in self.sheet.fields:
            return name
        known = self.sheet.known.get(name)
        if not isinstance(known, Bound):
            raise Trouble(f"{name} is no field of the sheet")
        return known.names.get(str(self.facts[known.index]), "")

    def fit(self, name: str, value: Any) -> Value:
        """A value as the field takes it; numbers stop at the field's limits."""
        declared = self.sheet.fields[name]
        if declared.numeric:
            number = value if type(value) is int else whole(value, self.sheet.text(name))
            high = declared.limit if declared.limit is not None else number
            return max(declared.low, min(number, high))
        return declared.accept(name, value)

    def change(self, name: str, value: Value | None) -> None:
        """Write one field: rules that become true are queued, events that it stands for happen."""
        before = self.state.get(name)
        if before == value and (value is None or name in self.state):
            return
        watching = self.game.rules.by_fact(name)
        held = self._held(watching) if watching else ()
        self._written.append((name, before))
        self._legal = None
        if value is None:
            self.state.pop(name, None)
        else:
            self.state[name] = value
        self.facts.change(name, value)
        first = self._changes.get(name, (before, None))[0]
        self._changes[name] = (first, value)
        if watching:
            for rule, was, now in zip(watching, held, self._held(watching), strict=True):
                if now and not was and rule not in self._queue:
                    self._queue.append(rule)
        if name in self.game.rules.eventful:
            self._event(name)

    def _held(self, rules: Sequence[Rule]) -> Sequence[bool]:
        """Which of these rules hold. A rule that waits never asks the player for what nobody has said."""
        if not self.facts.asking:
            return [rule.holds(self.facts) for rule in rules]
        asking = self.facts.asking
        self.facts.ask(False)
        try:
            return [rule.holds(self.facts) for rule in rules]
        finally:
            self.facts.ask(asking)

    def _event(self, name: str) -> None:
        """What lasts until this ends now; rules that wait for it are queued."""
        rules = self.game.rules
        for field_name in rules.until.get(name, ()):
            if field_name in self.state and field_name != name:
                self.change(field_name, None)
        for rule in rules.by_event.get(name, ()):
            if rule not in self._queue:
                self._queue.append(rule)

    def _drain(self) -> None:
        """Carry out queued rules, and those that they set off."""
        done = 0
        while self._queue:
            rule = self._queue.pop(0)
            done += 1
            if done > 500:
                raise Trouble(f"{self.game.name}: standing rules set each other off without end")
            if not all(self._held((rule,))):
                continue
            covered = self.facts.bind(dict(rule.bind))
            try:
                self._rule(rule)
            finally:
                self.facts.unbind(covered)

    def _rule(self, rule: Rule) -> None:
        spec = self._case(rule.spec)
        bind: dict[str, Value] = dict(rule.bind)
        self._happens(spec, bind)
        if spec.get("text"):
            self._result.notes.append((words(spec, "text", self.facts), str(spec.get("cite", ""))))

    def _happens(self, spec: Mapping[str, Any], bind: dict[str, Value]) -> None:
        """The changes, the order and the rolls of a rule or a step."""
        for key in ("#do", "#order", "#then"):
            if key in spec:
                spec[key](self, bind)

    # -- the pending list ----------------------------------------------------------------------------------------

    def ask_for(
        self,
        kind: str,
        what: str | None,
        usual: Value | None,
        bind: Mapping[str, Value],
        place: str,
        times: Any,
        rows: str | None,
    ) -> None:
        """Collect what a result asks for: a table (`roll`), a decision (`choose`), a question about a field (`ask`)."""
        if what is None or what == "none":
            return
        item: Item = {"bind": dict(bind), kind: what}
        if kind == "ask":
            item["ask"] = self.concrete(what)
            if usual is not None:
                item["usual"] = usual
        into = self._later if place == "later" else self._last if place == "last" else self._front
        times = int(times)
        if times > MANY or len(into) > MANY:
            raise Trouble(f"{self.game.name}: a result asks for {times} rolls")
        for _ in range(times):
            if rows is not None:
                first, _, last = rows.partition("..")
                if int(last) - int(first) > MANY:
                    raise Trouble(f"{self.game.name}: a result asks for the rows {rows}")
                into += [{**item, "take": row} for row in range(int(first), int(last) + 1)]
            else:
                into.append(dict(item))

    def order(
        self, text: str, cite: str, until: str | None, by: str, about: Sequence[str], bind: Mapping[str, Value]
    ) -> None:
        """An order to the player that stands until its sentence `until` holds, or until he has carried it out.

        `by` is the file of the pack that gives it; of what is bound `about` is kept with it.
        """
        if any(item.get("order") == text for item in self.pending + self._front):
            return
        order: Item = {"order": text, "cite": cite}
        if until is not None:
            order["done"], order["by"] = until, by
            kept = {name: bind[name] for name in about if name in bind}
            if kept:
                order["bind"] = kept
        self._front.append(order)

    def _push(self, item: Item | None) -> None:
        """Put what was collected on the list: `then` in front, `later` behind what was asked together with `item`,
        `last` behind everything but the standing orders."""
        if item is not None and item in self.pending:
            self.pending.remove(item)
        group = item.get("born") if item else None
        if self._later:
            last = max((at for at, each in enumerate(self.pending) if group and each.get("born") == group), default=-1)
            behind = [{**each, "born": group or self.born} for each in self._later]
            self.pending[last + 1 : last + 1] = behind
        sub = f"{item['roll']}." if item is not None and "roll" in item else "-"  # a row's own die stays in its group
        fresh = [
            {**each, "born": group if group and each.get("roll", "").startswith(sub) else self.born}
            for each in self._front
            if "order" not in each
        ]
        orders = [{**each, "born": self.born} for each in self._front if "order" in each]
        self.pending[0:0] = fresh
        back = next((at for at, each in enumerate(self.pending) if "order" in each), len(self.pending))
        self.pending[back:back] = [{**each, "born": self.born} for each in self._last]
        self.pending += orders

    def _orders(self) -> None:
        """Drop standing orders whose `done` has come true."""
        if any("done" in item for item in self.pending):
            self.pending = [item for item in self.pending if "done" not in item or not self._done(item)]

    def _done(self, order: Item) -> bool:
        test = self.game.until(order)
        covered = self.facts.bind(order.get("bind", {}))
        try:
            return test(self.facts)
        finally:
            self.facts.unbind(covered)


def _over(does: Mapping[str, Any], case: Mapping[str, Any]) -> Mapping[str, Any]:
    """A case over what stands beside the cases, put together once."""
    kept = case.get("#whole") if case else does.get("#without")
    if kept is None:
        left = {key: value for key, value in does.items() if key not in ("cases", "#without")}
        kept = {**left, **{key: value for key, value in case.items() if key not in ("when", "#when")}}
        if "text" in case and "#text" not in case:
            kept.pop("#text", None)
        (case if case else does)["#whole" if case else "#without"] = kept  # type: ignore[index]
    return kept


def whole(value: Any, label: str) -> int:
    """A number that a row or a player gave."""
    try:
        return int(value)
    except (TypeError, ValueError):
        raise Problem(f"{label} takes a number, not {value}") from None
