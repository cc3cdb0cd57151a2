"""Resolving: one roll, its row, its effects on the sheet, and what it adds to the pending list.

`Play` works on copies. It is handed a game (tables, rules, choices), the flat state and the pending list; it raises
when something only the player can give is missing (dice, a fact, the printed row of an owner table), and nothing
has happened then. The caller asks and starts again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

from companion.engine import dice as throws
from companion.engine.conditions import members_of, test_of
from companion.engine.sequence import END, START, Step
from companion.engine.steps import Change, Steps
from companion.engine.tables import Applied, Table
from companion.engine.templates import names_in, render
from companion.problems import SENSELESS, OwnerTable, Problem, Trouble, one_of, senseless
from companion.sheet import Facts, Field, Value

if TYPE_CHECKING:
    import random

    from companion.engine.game import Game
    from companion.engine.rules import Rule

Item = dict[str, Any]  # one pending thing: a roll, a choice or an order, with the bindings it was born with


class NeedDice(Problem):
    """Dice must be thrown to go on. `applied` are the modifiers that will be added."""

    def __init__(self, table: Table, dice: throws.Dice, applied: Sequence[Applied], bind: Mapping[str, Value]) -> None:
        super().__init__(f"{table.id} needs {dice.name}; type the dice with --dice {dice.example()}, or use --auto")
        self.table, self.dice, self.applied, self.bind = table, dice, applied, bind


class NeedOutcome(OwnerTable):
    """The printed row of an owner table is needed. `options` are the outcomes that the rules name."""

    dice: Sequence[int] = ()  # what was thrown for it

    def __init__(self, table: Table, net: int | None, applied: Sequence[Applied], bind: Mapping[str, Value]) -> None:
        self.options = list(table.outcomes)
        named = f"; known are {one_of(self.options)}" if self.options else ""
        at = f" for a net {net}" if net is not None else ""
        asked = table.doc.get("question")
        printed_there = f"{table.id} is printed in your own book: say what its row{at} reads with --outcome{named}"
        super().__init__(f"{table.title}: {asked}? Say it with --outcome{named}" if asked else printed_there)
        self.table, self.net, self.applied, self.bind = table, net, applied, bind


class NeedAnswer(Problem):
    """The first pending thing is a question to the player about one field of the sheet."""

    def __init__(self, name: str, declared: Field, label: str, usual: Value) -> None:
        super().__init__(f"{label}? Say --outcome VALUE, where VALUE is {declared.span}")
        self.name, self.declared, self.label, self.usual = name, declared, label, usual


class NeedChoice(Problem):
    """The first pending thing is a decision. `options` are the legal ones, the usual one first."""

    def __init__(self, name: str, title: str, options: list[Option], bind: Mapping[str, Value]) -> None:
        super().__init__(f"{title} Say --outcome {one_of([each.name for each in options])}")
        self.name, self.title, self.options, self.bind = name, title, options, bind


class Option:
    """One legal answer to a choice."""

    def __init__(self, name: str, text: str, spec: Mapping[str, Any], bind: dict[str, str], usual: bool) -> None:
        self.name, self.text, self.spec, self.bind, self.usual = name, text, spec, bind, usual


class Result:
    """What one roll, decision or mark came to."""

    def __init__(
        self,
        table: str,
        title: str = "",
        *,
        applied: list[Applied] | None = None,
        outcome: str = "none",
        bind: dict[str, Value] | None = None,
    ) -> None:
        self.table, self.title, self.outcome = table, title, outcome
        self.dice: list[int] = []
        self.rolled: int | None = None
        self.applied: list[Applied] = applied or []
        self.net: int | None = None
        self.natural = False
        self.text = ""
        self.steps: list[Change] = []
        self.notes: list[tuple[str, str]] = []
        self.then: list[str] = []
        self.changes: dict[str, tuple[Value | None, Value | None]] = {}
        self.shown: list[tuple[str, Value, Value]] = []
        self.assumed: dict[str, Value] = {}
        self.bind: dict[str, Value] = bind or {}
        self.cite = ""
        self.patched: list[dict[str, str]] = []
        self.formula = self.step = self.decision = False


class Hand:
    """The dice of one command: typed groups, in the order they are asked for, or the companion's own throws."""

    def __init__(self, groups: Sequence[Sequence[int]] = (), rng: random.Random | None = None) -> None:
        self.groups = [list(group) for group in groups]
        self.rng = rng

    def throw(self, dice: throws.Dice) -> list[int] | None:
        """The next group, checked against what the table throws; None when there is nothing left."""
        if dice.count == 0:
            return []
        if self.groups:
            dice.check(self.groups[0])
            return self.groups.pop(0)
        return dice.throw(self.rng) if self.rng else None

    def some(self, count: int) -> list[int] | None:
        """So many dice from the next groups, however the player grouped them; None when there are too few."""
        if self.rng and not self.groups:
            return [self.rng.randint(1, 6) for _ in range(count)]
        if sum(map(len, self.groups)) < count:
            return None
        taken: list[int] = []
        while len(taken) < count:
            group = self.groups.pop(0)
            need = count - len(taken)
            taken += group[:need]
            if group[need:]:
                self.groups.insert(0, group[need:])
        return taken


Action = TypeVar("Action", bound=Callable[..., Any])
MANY = 1000  # more rolls than any result asks for


def _sound(action: Action) -> Action:
    """What a pack's files make impossible is said as the pack's fault."""

    @wraps(action)
    def sound(self: Play, *arguments: Any, **named: Any) -> Any:
        try:
            return action(self, *arguments, **named)
        except SENSELESS as error:
            raise senseless(f"{self.game.name}: {self._asked(arguments)}", error) from error

    return cast(Action, sound)


class Play:
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
        self._plain_table = Table({"id": "-"}, game.sheet)
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

    # -- one roll ------------------------------------------------------------------------------------------------

    @staticmethod
    def _asked(arguments: Sequence[Any]) -> str:
        """What an action is about, for saying that it makes no sense."""
        first = arguments[0] if arguments else "the sequence"
        return _called(first) if isinstance(first, dict) and "bind" in first else str(first)[:40]

    @_sound
    def roll(
        self,
        name: str,
        hand: Hand,
        bind: Mapping[str, Value] | None = None,
        *,
        outcome: str | None = None,
        take: int | None = None,
        item: Item | None = None,
    ) -> Result:
        """Roll a table; `take` resolves that row without dice. Raises NeedDice, NeedFact or NeedOutcome."""
        table = self.game.table(name)
        meant = {name: value for name, value in self.given.items() if name in self.sheet.index}
        bound = {**table.bind, **(bind or {}), **meant}
        covered = self.facts.bind({key: value for key, value in bound.items() if key not in self.given})
        try:
            result = self._begin(table.id, table.title, bound)
            result.cite = table.cite
            if "value" in table.doc:
                result.formula = True
                self._formula(table, hand, result)
            else:
                self._row(table, hand, result, outcome, take)
            self._finish(result, item, table.id)
        finally:
            self.facts.unbind(covered)
        return result

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
        result.then = [_called(each) for each in self._front + self._later + self._last]
        self._push(item)
        self._orders()

    def _plain(self, name: str, value: Value | None) -> Value:
        if value is not None:
            return value
        declared = self.sheet.fields.get(name)
        return declared.blank if declared else "none"

    def _row(self, table: Table, hand: Hand, result: Result, outcome: str | None, take: int | None) -> None:
        facts = self.facts
        column = None if table.unwritten else table.column(facts)
        applied = table.applying(facts, column)
        dice = (column.dice if column is not None else None) or table.dice
        raw: Any = "owner"
        if take is not None:
            result.net = take
            raw = column.rows.find(take) if column is not None else "owner"
        else:
            thrown = self._throw(table, dice, hand, applied, outcome, result)
            result.applied = applied
            if self.noting:
                result.assumed = self._assumed(table)
            if thrown is not None:
                result.dice, result.rolled = thrown, dice.total(thrown)
                result.net = result.rolled + sum(each.add for each in applied)
                if column is not None:
                    look = table.look(facts, result.rolled)
                    result.natural, raw = look.natural, look.result
        if raw is None:
            raise Problem(f"{table.id} has no row for a net {result.net}")
        if raw == "owner":
            if outcome is None:
                need = NeedOutcome(table, result.net, result.applied, result.bind)
                need.dice = result.dice
                raise need
            raw = printed(outcome)
            if not table.takes(raw):
                raise Problem(f"{table.title} cannot be {outcome}; {table.doc['question']}?")
        elif outcome is not None:
            raise Problem(f"{table.id} is not an owner table: its rows are known, so give the dice and no --outcome")
        if table.changed:
            from companion.engine.patches import took_part

            result.patched = took_part(table, column.title if column is not None else "", result, raw, facts)
        local: dict[str, Value] = {"roll": result.rolled or 0, "net": result.net or 0}
        covered = facts.bind(local)
        try:
            found = [self._one(table, each, hand, result, local) for each in (raw if isinstance(raw, list) else [raw])]
        finally:
            facts.unbind(covered)
        result.outcome = ";".join(found)

    def _assumed(self, table: Table) -> dict[str, Value]:
        """The facts behind the column and the modifiers that took their default."""
        fresh = self.facts.afresh()
        table.applying(fresh, None if table.unwritten else table.column(fresh))
        return fresh.assumed or {}

    def _throw(
        self,
        table: Table,
        dice: throws.Dice,
        hand: Hand,
        applied: Sequence[Applied],
        outcome: str | None,
        result: Result,
    ) -> list[int] | None:
        """The dice of this roll; None for an owner table whose row was given without them."""
        if dice.count == 0 and table.dice.count and hand.groups:
            dice = table.dice  # a die the book does not ask for here does no harm
        if outcome is not None and table.unwritten and not hand.groups and hand.rng is None:
            return None
        thrown = hand.throw(dice)
        if thrown is None:
            raise NeedDice(table, dice, applied, result.bind)
        return thrown

    def _one(self, table: Table, raw: Any, hand: Hand, result: Result, local: Mapping[str, Value]) -> str:
        """One result of a row: its number worked out, its effects applied, what it asks for collected."""
        extra: dict[str, Value] = {}
        if isinstance(raw, Mapping):
            extra = {key: str(render(value, self.facts)) for key, value in raw.get("bind", {}).items()}
            if "text" in raw:  # the printed words of a row that the player took down
                result.text = str(raw["text"])
            raw = raw["as"]
        if isinstance(raw, int):
            return self._number(table, raw, result, extra)
        name = str(render(raw, self.facts))
        does, matched = table.outcome(name)
        bound = {**extra, **{key.replace("_", "-"): value for key, value in matched.items()}}
        inherited = {key: value for key, value in bound.items() if key in self.sheet.known}
        covered = self.facts.bind(bound)
        try:
            self._does(table, name, does, hand, result, {**result.bind, **inherited})
        finally:
            self.facts.unbind(covered)
        return name

    def _number(self, table: Table, number: int, result: Result, extra: Mapping[str, Value]) -> str:
        owner, own = table.numbers()
        if owner.adjust is not None:
            number, result.steps = owner.adjust.work(number, self.facts)
        does = own.get(str(number)) or owner.number or {}
        covered = self.facts.bind({**extra, "result": number})
        try:
            self._does(table, str(number), does, None, result, {**result.bind, **extra})
        finally:
            self.facts.unbind(covered)
        return str(number)

    def _formula(self, table: Table, hand: Hand, result: Result) -> None:
        """A result that is worked out from further dice: `88 + 2D`."""
        steps = Steps(table.doc["value"], self.sheet)
        need = steps.dice()
        thrown = hand.some(need)
        if thrown is None:
            raise NeedDice(table, throws.Dice(f"{need}D", need), [], result.bind)
        result.dice, result.rolled = thrown, sum(thrown)
        left = list(thrown)

        def next_dice(count: int) -> list[int]:
            taken = left[:count]
            del left[:count]
            return taken

        number, result.steps = steps.work(0, self.facts, next_dice)
        result.net = number
        result.outcome = self._number(table, number, result, {})

    def _does(
        self,
        table: Table,
        name: str,
        does: Mapping[str, Any],
        hand: Hand | None,
        result: Result,
        bind: Mapping[str, Value],
    ) -> None:
        """Carry out what a row, an option or a rule says: text, effects, sub-roll, then."""
        does = self._case(does)
        if does.get("text"):
            said = str(render(does["text"], self.facts))
            result.text = f"{result.text}; {said}" if result.text else said
        repeated = False
        if table.once and not does.get("repeat"):
            repeated = self._repeated(table, table.once, name)
        if repeated:
            result.notes.append(("Rolled before on this mission: no further effect", "7.1"))
        kept = dict(bind)
        if not repeated:
            for effect in does.get("effects", ()):
                self._effect(effect, kept)
        if not repeated and ("rows" in does or "column" in does or "value" in does):
            sub = f"{table.id}.{name}"
            held = {key: self.facts[key] for key in ("roll", "net")} if "value" in does else {}
            self._front.append({"roll": sub, "bind": {**kept, **held}})
        for each in does.get("then", ()):
            self._then(each, kept, repeated)

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

    def _repeated(self, table: Table, once: str, name: str) -> bool:
        """Whether this row has counted before; `once` names the list field that remembers it (`hit.{area}`)."""
        memory = str(render(once, self.facts))
        unknown = [each for each in names_in(once) if self.facts[each] == "none" and each in self.sheet.index]
        if unknown and memory not in self.sheet.fields:
            span = self.sheet.declared(unknown[0]).span
            raise Problem(f"{table.id} needs {unknown[0]}; say --with {unknown[0]}=VALUE, where VALUE is {span}")
        hits = str(self.facts[memory])
        if name in hits.split(", "):
            return True
        self.change(memory, f"{hits}, {name}" if hits else name)
        return False

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
        self.pending = [item for item in self.pending if str(item.get("bind", {}).get(index)) != slot]
        self._front = [item for item in self._front if str(item.get("bind", {}).get(index)) != slot]

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
        held = [rule.test(self.facts) if rule.test else True for rule in watching]
        self._written.append((name, before))
        self._legal = None
        if value is None:
            self.state.pop(name, None)
        else:
            self.state[name] = value
        self.facts.change(name, value)
        first = self._changes.get(name, (before, None))[0]
        self._changes[name] = (first, value)
        for rule, was in zip(watching, held, strict=True):
            if not was and (rule.test is None or rule.test(self.facts)) and rule not in self._queue:
                self._queue.append(rule)
        self._event(name)

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
            if rule.test is not None and not rule.test(self.facts):
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

    # -- decisions and marks -------------------------------------------------------------------------------------

    def options(self, item: Item) -> tuple[Mapping[str, Any], list[Option]]:
        """The declared choice behind a pending decision and its legal answers, the usual one first."""
        if self._legal is not None and self._legal[0] is item:
            return self._legal[1:]
        declared = self.game.choice(item["choose"])
        usual = declared.get("usual", ())
        found: list[Option] = []
        for spec in declared.get("option", ()):
            if "each" in spec:
                for member in members_of(spec, self.sheet):
                    if member.test is None or member.test(self.facts):
                        self._option(member.spec, {member.index: member.name}, usual, found)
            else:
                self._option(spec, {}, usual, found)
        found.sort(key=lambda option: not option.usual)
        self._legal = (item, declared, found)
        return declared, found

    def _option(self, spec: Mapping[str, Any], bind: dict[str, str], usual: Sequence[str], found: list[Option]) -> None:
        if "of" in spec:
            inner = {key: value for key, value in spec.items() if key != "of"}
            for name in self._named_in(spec["of"]["table"], bind):
                self._option(inner, {**bind, spec["of"]["as"]: name}, usual, found)
            return
        covered = self.facts.bind(dict(bind))
        try:
            test = test_of(spec.get("when", {}), self.sheet)
            if test is None or test(self.facts):
                name = str(render(spec["name"], self.facts))
                text = str(render(spec.get("text", name), self.facts))
                found.append(Option(name, text, spec, bind, name in usual or self._usual(spec)))
        finally:
            self.facts.unbind(covered)

    def _usual(self, spec: Mapping[str, Any]) -> bool:
        """Whether an option is the usual one as things stand."""
        if "usual" not in spec:
            return False
        test = test_of(spec["usual"], self.sheet)
        return test is None or test(self.facts)

    def _named_in(self, table: str, bind: Mapping[str, str]) -> list[str]:
        """Everyone named in the column of a table that applies (`cfc-or-left-gunner` names two); nobody without one."""
        covered = self.facts.bind(dict(bind))
        try:
            column = self.game.table(table).column(self.facts)
        except Problem:
            return []
        finally:
            self.facts.unbind(covered)
        return list({name: 0 for result in column.rows.results() for name in str(result).split("-or-")})

    @_sound
    def options_of(self, item: Item) -> list[Option]:
        """The legal answers to a pending decision."""
        covered = self.facts.bind({key: value for key, value in item.get("bind", {}).items() if key not in self.given})
        try:
            return self.options(item)[1]
        finally:
            self.facts.unbind(covered)

    @_sound
    def choose(self, item: Item, answer: str | None) -> Result:
        """Take one option of a pending decision; raises NeedChoice when nobody has said which."""
        bound = dict(item.get("bind", {}))
        covered = self.facts.bind({key: value for key, value in bound.items() if key not in self.given})
        try:
            declared, options = self.options(item)
            title = str(render(declared["title"], self.facts))
            picked = options[0] if len(options) == 1 and answer is None else None
            if answer is not None:
                picked = next((each for each in options if each.name.casefold() == answer.casefold()), None)
            if picked is None:
                raise NeedChoice(item["choose"], title, options, bound)
            result = self._begin(item["choose"], title, bound)
            result.outcome, result.cite = picked.name, str(declared.get("cite", ""))
            result.decision = True
            inner = self.facts.bind(dict(picked.bind))
            try:
                self._does(self._plain_table, picked.name, picked.spec, None, result, {**bound, **picked.bind})
                self._finish(result, item, item["choose"])
            finally:
                self.facts.unbind(inner)
        finally:
            self.facts.unbind(covered)
        return result

    @_sound
    def put(self, item: Item, answer: str | None) -> Result:
        """Take the answer to a question about one field; raises NeedAnswer when nobody has given it."""
        name = str(item["ask"])
        declared, label = self.sheet.fields[name], self.sheet.text(name)
        usual = item.get("usual", self.state.get(name, declared.blank))
        if answer is None:
            raise NeedAnswer(name, declared, label, usual)
        value = declared.accept(name, answer)
        result = self._begin(name, label, {})
        result.outcome, result.cite = str(value), declared.cite
        result.decision = True
        self.change(name, value)
        self._finish(result, item, name)
        return result

    @_sound
    def advance(self) -> Result | None:
        """Take the next steps of the sequence until one asks for something; None when the mission is over."""
        steps, at = self.game.sequence, self.game.sequence.after(str(self.facts["step"]))
        if at >= len(steps.steps):
            return None
        result = self._begin("step", "", {})
        result.step = True
        for _ in range(10_000):
            if at >= len(steps.steps):
                self.change("step", END)
                break
            step = steps.steps[at]
            if not step.due(self.facts):
                at += 1
                continue
            self._step(step, result)
            if step.go is not None:
                at = steps.target(step)
                self.change("step", steps.steps[at - 1].id if at else START)
            else:
                self.change("step", step.id)
                at += 1
            if any("order" not in item for item in self._front + self._later + self._last):
                break
        else:
            raise Trouble(f"{self.game.name}: the sequence runs in a circle at {result.table}")
        self._finish(result, None, "step")
        return result

    def _step(self, step: Step, result: Result) -> None:
        """Do what one step says; a step that asks or says something gives the result its name."""
        spec = self._case(step.spec)
        bind: dict[str, Value] = {}
        for effect in spec.get("effects", ()):
            self._effect(effect, bind)
        if "order" in spec:
            self._order(spec)
        before = len(self._front) + len(self._later) + len(self._last)
        for each in spec.get("then", ()):
            self._then(each, bind, False)
        self._drain()
        asked = len(self._front) + len(self._later) + len(self._last) > before
        if spec.get("text"):
            result.notes.append((str(render(spec["text"], self.facts)), step.cite))
        if asked or not result.title:
            result.table, result.cite = step.id, step.cite
            result.title = str(render(step.title, self.facts))

    @_sound
    def write(self, values: Mapping[str, Value], title: str) -> Result:
        """Write fields by hand (`set`, `mark`, `erase`); standing rules follow as after a roll."""
        result = self._begin(title, title, {})
        for name, value in values.items():
            field_name = self.concrete(name)
            if not field_name:
                raise Problem(
                    f"{name} speaks of one {name.split('.')[0]}: give its number, such as {self._numbered(name)}"
                )
            self.change(field_name, self.sheet.fields[field_name].accept(field_name, value))
            self._drain()
        self._finish(result, None, title)
        return result

    def _numbered(self, name: str) -> str:
        head, _, tail = name.partition(".")
        return f"{head}.1.{tail}"


def whole(value: Any, label: str) -> int:
    """A number that a row or a player gave."""
    try:
        return int(value)
    except (TypeError, ValueError):
        raise Problem(f"{label} takes a number, not {value}") from None


def _called(item: Item) -> str:
    """What a pending item is called in `then`."""
    return str(item.get("roll") or item.get("choose") or item.get("ask") or item.get("order"))


def printed(text: str) -> str | int:
    """What the player's book says, as an outcome: a number as a number, words as a slug."""
    plain = text.strip()
    number = plain[1:] if plain[:1] in ("+", "-") else plain
    return int(plain) if number.isdigit() else slug(plain)


def slug(text: str) -> str:
    """Printed words as an outcome: lower case, joined by hyphens."""
    kept = "".join(letter if letter.isalnum() or letter in ".:@;()+" else "-" for letter in text.strip().casefold())
    sign = "-" if kept[:1] == "-" and kept[1:2].isdigit() else ""
    return sign + "-".join(part for part in kept.split("-") if part) or "none"
