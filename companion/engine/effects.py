"""Working on a mission: effects on the sheet, the standing rules that follow, and the pending list.

`Work` is a working copy of the flat state and of the pending list. `open` begins a command on it, `close` ends it,
and `take_back` undoes all that a failed one wrote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.engine.conditions import members_of, test_of
from companion.engine.needs import Item, Result, called
from companion.engine.templates import render
from companion.problems import Problem, Trouble
from companion.sheet import Facts, Field, Value

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
        for name in {*self.given, *self._bound, *(name for name, _ in self._written)}:
            self.facts.change(name, self.state.get(name))
        if self.given or self._bound:
            self._legal = None
            self.given = {}
            self._bound.clear()

    def take_back(self) -> None:
        """The command failed: the state is again what it was."""
        for name, before in reversed(self._written):
            if before is None:
                self.state.pop(name, None)
            else:
                self.state[name] = before
        if self._written:
            self._legal = None
        self.close()

    def _begin(self, name: str, title: str, bind: Mapping[str, Value]) -> Result:
        self._changes, self._queue, self._front, self._later, self._last = {}, [], [], [], []
        self._result = Result(name, title, bind=dict(bind))
        return self._result

    def _finish(self, result: Result, item: Item | None, event: str) -> None:
        """Fire what has become due, put new items on the pending list, drop orders that are done."""
        self._event(event)
        self._drain()
        result.changes = {name: pair for name, pair in self._changes.items() if pair[0] != pair[1]}
        result.shown = [
            (name, self._plain(name, before), self._plain(name, after))
            for name, (before, after) in result.changes.items()
            if self._plain(name, before) != self._plain(name, after)
        ]
        result.then = [called(each) for each in self._front + self._later + self._last]
        self._push(item)
        self._orders()

    def _plain(self, name: str, value: Value | None) -> Value:
        if value is not None:
            return value
        declared = self.sheet.fields.get(name)
        return declared.blank if declared else "none"

    def _case(self, does: Mapping[str, Any]) -> Mapping[str, Any]:
        """The first of the `cases` that fits, over what stands beside them."""
        while "cases" in does:
            outer = {key: value for key, value in does.items() if key != "cases"}
            for case in does["cases"]:
                test = test_of(case.get("when", {}), self.sheet)
                if test is None or test(self.facts):
                    does = {**outer, **{key: value for key, value in case.items() if key != "when"}}
                    break
            else:
                return outer
        return does

    # -- effects -------------------------------------------------------------------------------------------------

    def _effect(self, effect: Mapping[str, Any], bind: dict[str, Value]) -> None:
        test = test_of(effect["when"], self.sheet) if "when" in effect else None
        if "each" in effect:
            self._for_each(effect, bind)
            return
        if test is not None and not test(self.facts):
            return
        if "add" in effect:
            self._add(effect, bind)
        elif "clear" in effect:
            self._clear(effect["clear"])
        elif "drop" in effect:
            self._drop(effect["drop"])
        elif "order" in effect:
            self._order(effect)
        elif "set" in effect:
            name = self.concrete(effect["set"])
            if name:
                self.change(name, self.fit(name, render(effect["to"], self.facts)))
        elif "swap" in effect:
            self._swap(self.concrete(effect["swap"]), self.concrete(effect["with"]))
        elif "mark" in effect or "erase" in effect:
            self._mark(effect)
        else:
            raise Trouble(f"an effect does nothing that is known: {dict(effect)}")

    def _for_each(self, effect: Mapping[str, Any], bind: dict[str, Value]) -> None:
        for member in members_of(effect, self.sheet):
            if member.test is None or member.test(self.facts):
                self._effect(member.spec, bind)

    def _add(self, effect: Mapping[str, Any], bind: dict[str, Value]) -> None:
        """Fill the next free slot of an index and bind it: a fighter appears."""
        index = effect["add"]
        used = f"slots.{index}"
        slot = int(self.facts[used]) + 1
        if slot > len(self.sheet.index[index]):
            self._result.notes.append((f"No room for another {index}: the sheet has {slot - 1}", ""))
            return
        filled = {key: render(value, self.facts) for key, value in effect.get("set", {}).items()}
        self.change(used, slot)
        for key, value in filled.items():
            name = f"{index}.{slot}.{key}"
            self.change(name, self.fit(name, value))
        bind[index] = str(slot)
        self._bound.add(index)
        self.facts.change(index, str(slot))

    def _swap(self, one: str, other: str) -> None:
        """Two fields of a family change places: two men change seats."""
        first, second = self.state.get(one), self.state.get(other)
        self.change(one, second)
        self.change(other, first)

    def _clear(self, index: str) -> None:
        """Empty the bound slot and drop what was pending for it."""
        slot = str(self.facts[index])
        if slot == "none":
            return
        start = f"{index}.{slot}."
        for name in [name for name in self.state if name.startswith(start)]:
            self.change(name, None)
        self._drop(index)

    def _drop(self, index: str) -> None:
        """Drop what was pending for the bound slot, which stays as it is; or everything but the standing orders."""
        if index == "everything":
            self.pending = [item for item in self.pending if "order" in item]
            return
        slot = str(self.facts[index])
        if slot == "none":
            return
        for items in (self.pending, self._front, self._later, self._last):
            items[:] = [item for item in items if str(item.get("bind", {}).get(index)) != slot]

    def _mark(self, effect: Mapping[str, Any]) -> None:
        name = self.concrete(effect.get("mark") or effect["erase"])
        if not name:
            return
        count = whole(render(effect.get("n", 1), self.facts), self.sheet.text(name))
        declared = self.sheet.fields[name]
        before = int(self.facts[name])
        after = before + count if "mark" in effect else before - count
        limited = max(declared.low, min(after, declared.limit if declared.limit is not None else after))
        if limited != after:
            done = abs(limited - before)
            self._result.notes.append((f"{self.sheet.text(name)}: {done} of {count}, there is no more", ""))
        if limited != before:
            self.change(name, limited)

    def concrete(self, written: str) -> str:
        """The single field an effect means; empty when it speaks of a fighter or gun that is not bound."""
        name = str(render(written, self.facts))
        if name in self.sheet.fields:
            return name
        known = self.sheet.known.get(name)
        index = getattr(known, "index", None)
        if index is None or isinstance(known, Field):
            if "none" in name.split("."):
                return ""
            raise Trouble(f"an effect writes {name}, which the sheet does not declare")
        member = str(self.facts[index])
        return "" if member == "none" else f"{index}.{member}.{name.partition('.')[2]}"

    def fit(self, name: str, value: Any) -> Value:
        """A value as the field takes it; numbers stop at the field's limits."""
        declared = self.sheet.fields[name]
        if declared.numeric:
            number = whole(value, self.sheet.text(name))
            high = declared.limit if declared.limit is not None else number
            return max(declared.low, min(number, high))
        return declared.accept(name, value)

    def change(self, name: str, value: Value | None) -> None:
        """Write one field: rules that become true are queued, events that it stands for happen."""
        before = self.state.get(name)
        if before == value and (value is None or name in self.state):
            return
        watching = self.game.rules.by_fact.get(name, ())
        held = self._held(watching)
        self._written.append((name, before))
        self._legal = None
        if value is None:
            self.state.pop(name, None)
        else:
            self.state[name] = value
        self.facts.change(name, value)
        first = self._changes.get(name, (before, None))[0]
        self._changes[name] = (first, value)
        for rule, was, now in zip(watching, held, self._held(watching), strict=True):
            if now and not was and rule not in self._queue:
                self._queue.append(rule)
        self._event(name)

    def _held(self, rules: Sequence[Rule]) -> Sequence[bool]:
        """Which of these rules hold. A rule that waits never asks the player for what nobody has said."""
        if not rules:
            return ()
        asking = self.facts.asking
        self.facts.ask(False)
        try:
            return [rule.test is None or rule.test(self.facts) for rule in rules]
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
        for effect in spec.get("effects", ()):
            self._effect(effect, bind)
        if "order" in spec:
            self._order(spec)
        for each in spec.get("then", ()):
            self._then(each, bind, False)
        if spec.get("text"):
            self._result.notes.append((str(render(spec["text"], self.facts)), str(spec.get("cite", ""))))

    # -- the pending list ----------------------------------------------------------------------------------------

    def _then(self, written: Any, bind: Mapping[str, Value], repeated: bool) -> None:
        """Collect what a result asks for: a table, several of them, a choice or an order."""
        spec: Mapping[str, Any] = {"roll": written} if isinstance(written, str) else written
        if repeated and not spec.get("always"):
            return
        if "each" in spec:
            for member in members_of(spec, self.sheet):
                if member.test is None or member.test(self.facts):
                    self._then(member.spec, {**bind, member.index: member.name}, False)
            return
        if "when" in spec:
            test = test_of(spec["when"], self.sheet)
            if test is not None and not test(self.facts):
                return
        if "order" in spec:
            self._order(spec)
            return
        own = {key: str(render(value, self.facts)) for key, value in spec.get("bind", {}).items()}
        item: Item = {"bind": {**bind, **own}}
        if "ask" in spec:
            item["ask"] = self.concrete(str(render(spec["ask"], self.facts)))
            if "usual" in spec:
                item["usual"] = render(spec["usual"], self.facts)
        elif "choose" in spec:
            item["choose"] = str(render(spec["choose"], self.facts))
        else:
            item["roll"] = str(render(spec["roll"], self.facts))
            if item["roll"] == "none":
                return
        into = self._later if spec.get("later") else self._last if spec.get("last") else self._front
        times = int(render(spec.get("times", 1), self.facts))
        if times > MANY or len(into) > MANY:
            raise Trouble(f"{self.game.name}: a result asks for {times} rolls")
        for _ in range(times):
            if "take" in spec:
                first, _, last = spec["take"].partition("..")
                if int(last) - int(first) > MANY:
                    raise Trouble(f"{self.game.name}: a result asks for the rows {spec['take']}")
                into += [{**item, "take": row} for row in range(int(first), int(last) + 1)]
            else:
                into.append(dict(item))

    def _order(self, spec: Mapping[str, Any]) -> None:
        text = str(render(spec["order"], self.facts))
        if any(item.get("order") == text for item in self.pending + self._front):
            return
        order: Item = {"order": text, "cite": str(spec.get("cite", ""))}
        if "done" in spec:
            order["done"] = spec["done"]
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
        left = []
        for item in self.pending:
            if "done" in item:
                test = test_of(item["done"], self.sheet)
                if test is None or test(self.facts):
                    continue
            left.append(item)
        self.pending = left


def whole(value: Any, label: str) -> int:
    """A number that a row or a player gave."""
    try:
        return int(value)
    except (TypeError, ValueError):
        raise Problem(f"{label} takes a number, not {value}") from None
