"""Resolving: one roll, its row, its effects on the sheet, and what it adds to the pending list.

`Play` works on copies. It is handed a game (tables, rules, choices), the flat state and the pending list; it raises
when something only the player can give is missing (dice, a fact, the printed row of an owner table), and nothing
has happened then. The caller asks and starts again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

from companion.engine import dice as throws
from companion.engine.effects import Work
from companion.engine.needs import (
    Change,
    Hand,
    Item,
    NeedAnswer,
    NeedChoice,
    NeedDice,
    NeedOutcome,
    Option,
    Result,
    called,
)
from companion.engine.sequence import END, START, Step, words
from companion.engine.sheet import NeedFact, Value
from companion.engine.tables import Applied, Column, Table, reads
from companion.problems import SENSELESS, Problem, Trouble, senseless
from companion.words import printed

Action = TypeVar("Action", bound=Callable[..., Any])


def _sound(action: Action) -> Action:
    """What a pack's files make impossible is said as the pack's fault."""

    @wraps(action)
    def sound(self: Play, *arguments: Any, **named: Any) -> Any:
        try:
            return action(self, *arguments, **named)
        except SENSELESS as error:
            raise senseless(f"{self.game.name}: {self._asked(arguments)}", error) from error

    return cast(Action, sound)


class Play(Work):
    """Rolls, decisions, steps and marks on a working copy of a mission."""

    _no_table: Table | None = None  # a choice has no table behind it

    # -- one roll ------------------------------------------------------------------------------------------------

    @staticmethod
    def _asked(arguments: Sequence[Any]) -> str:
        """What an action is about, for saying that it makes no sense."""
        first = arguments[0] if arguments else "the sequence"
        return called(first) if isinstance(first, dict) and "bind" in first else str(first)[:40]

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
        bound = {**table.bind(self.facts), **(bind or {})}
        given = self.given
        if given:
            bound.update({name: value for name, value in given.items() if name in self.sheet.index})
        covered = self.facts.bind({key: value for key, value in bound.items() if key not in given} if given else bound)
        try:
            about = table.doc.get("ask", "")
            if about and self.facts.asking and self.facts[about] == "none":
                raise NeedFact(about, self.sheet.declared(about))
            result = self._begin(table.id, table.title, bound)
            result.cite = table.cite
            if table.formula:
                result.formula = True
                self._formula(table, hand, result)
            else:
                self._row(table, hand, result, outcome, take)
            self._finish(result, item, table.id)
        finally:
            self.facts.change("again", None)
            self.facts.unbind(covered)
        return result

    def _row(self, table: Table, hand: Hand, result: Result, outcome: str | None, take: int | None) -> None:
        facts = self.facts
        if table.procedure:
            result.net = 0
            self._landed(table, None, table.happens, result, outcome)
            return
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
                    look = table.landed(facts, result.rolled, column, applied)
                    result.natural, raw = look.natural, look.result
        if raw is None:
            raise Problem(f"{table.id} has no row for a net {result.net}")
        self._landed(table, column, raw, result, outcome)

    def _landed(self, table: Table, column: Column | None, raw: Any, result: Result, outcome: str | None) -> None:
        """The row is known, or only the player's book knows it: carry it out."""
        facts = self.facts
        covered = facts.bind({"roll": result.rolled or 0, "net": result.net or 0}) if table.figures else {}
        try:
            memory, raw = self._remembered(raw)
            if raw == "owner":
                if outcome is None:
                    need = NeedOutcome(table, result.net, result.applied, result.bind)
                    need.dice = result.dice
                    raise need
                raw = printed(outcome)
                if not table.takes(raw):
                    asked = table.question
                    raise Problem(f"{table.title} cannot be {outcome}; {f'{asked}?' if asked else 'it takes words'}")
            elif outcome is not None:
                raise Problem(f"the rows of {table.id} are known here: give the dice and no --outcome")
            if table.changed:
                from companion.engine.patches import took_part

                result.patched = took_part(table, column.title if column is not None else "", result, raw, facts)
            slugs = [self._one(table, each, result) for each in (raw if isinstance(raw, list) else [raw])]
            if memory is not None and slugs[0] in self.sheet.fields[memory].values:
                self.change(memory, slugs[0])
        finally:
            facts.unbind(covered)
        result.outcome = ";".join(slugs)

    def _remembered(self, raw: Any) -> tuple[str | None, Any]:
        """A cell whose answer is asked for once: the field that remembers it, and the answer where it stands there."""
        if not isinstance(raw, Mapping) or "ask-once" not in raw:
            return None, raw
        name = raw["#ask-once"](self.facts)
        if name is None:
            return None, "owner"
        kept = self.facts[name]
        return (name, "owner") if kept == "none" else (None, kept)

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
        if outcome is not None and table.unwritten and not hand.groups and (hand.rng is None or dice.count == 0):
            return None
        thrown = hand.throw(dice)
        if thrown is None:
            raise NeedDice(table, dice, applied, result.bind)
        return thrown

    def _one(self, table: Table, raw: Any, result: Result) -> str:
        """One result of a row: its number worked out, its changes made, what it asks for collected."""
        extra: dict[str, Value] = {}
        if isinstance(raw, Mapping):
            if "#with" in raw:
                extra = raw["#with"](self.facts)
            if "text" in raw:  # the printed words of a row that the player took down
                result.text = str(raw["text"])
            raw = reads(raw, self.facts)
        if isinstance(raw, int):
            return self._number(table, raw, result, extra)
        name = str(raw)
        does, matched = table.outcome(name)
        if not extra and not matched:
            self._does(table, name, does, result, dict(result.bind))
            return name
        bound = {**extra, **{key.replace("_", "-"): value for key, value in matched.items()}}
        inherited = {key: value for key, value in bound.items() if key in self.sheet.known}
        covered = self.facts.bind(bound)
        try:
            self._does(table, name, does, result, {**result.bind, **inherited})
        finally:
            self.facts.unbind(covered)
        return name

    def _number(self, table: Table, number: int, result: Result, extra: Mapping[str, Value]) -> str:
        owner, own = table.numbers()
        covered = self.facts.bind({**extra, "result": number})
        try:
            for step in owner.adjust or ():
                if "#when" in step and not step["#when"](self.facts):
                    continue
                after = step["#is"](self.facts) if "#is" in step else int(step["is"])
                if after != number:
                    result.steps.append(Change(number, after, step.get("why", "")))
                    number = after
                    self.facts.change("result", number)
            does = own.get(str(number)) or owner.number or {}
            self._does(table, str(number), does, result, {**result.bind, **extra})
        finally:
            self.facts.unbind(covered)
        return str(number)

    def _formula(self, table: Table, hand: Hand, result: Result) -> None:
        """A result that is worked out from further dice: `88 + 2D`."""
        need = table.doc.get("#dice", 0)
        thrown = hand.some(need)
        if thrown is None:
            raise NeedDice(table, throws.Dice(f"{need}D", need), [], result.bind)
        result.dice, result.rolled = thrown, sum(thrown)
        left = list(thrown)

        def next_dice(count: int) -> int:
            taken = left[:count]
            del left[:count]
            return sum(taken)

        number = table.doc["#is"](self.facts, next_dice) if "#is" in table.doc else int(table.doc["is"])
        result.net = number
        result.outcome = self._number(table, number, result, {})

    def _does(self, table: Table, name: str, does: Mapping[str, Any], result: Result, bind: dict[str, Value]) -> None:
        """Carry out what a row or an option says: text, changes, a die of its own, then."""
        again: bool | None = None
        if table.memory is not None and "#again" in does:
            again = self._again(table, name)
            self.facts.change("again", "yes" if again else "no")
        if "cases" in does:
            does = self._case(does)
        if self.noting and does.get("text"):
            said = words(does, "text", self.facts)
            result.text = f"{result.text}; {said}" if result.text else said
        once = table.memory is not None and does.get("once")
        if once and (self._again(table, name) if again is None else again):
            result.notes.append(("Rolled before on this mission: no further effect", table.cite))
            return
        if "#do" in does:
            does["#do"](self, bind)
        if ("rows" in does or "column" in does or "is" in does) and does is not table.doc:
            held = {"roll": result.rolled or 0, "net": result.net or 0} if "is" in does else {}
            self._front.append({"roll": f"{table.id}.{name}", "bind": {**bind, **held}})
        if "#then" in does:
            does["#then"](self, bind)

    def _again(self, table: Table, name: str) -> bool:
        """Whether this row has been struck before; the list field that the table names remembers it."""
        assert table.memory is not None
        memory = table.memory(self.facts)
        if memory is None:
            unknown = next(each for each in self.sheet.index if f"[{each}]" in _memory(table))
            span = self.sheet.declared(unknown).span
            raise Problem(f"{table.id} needs {unknown}; say --with {unknown}=VALUE, where VALUE is {span}")
        hits = str(self.facts[memory])
        if name in hits.split(", "):
            return True
        self.change(memory, f"{hits}, {name}" if hits else name)
        return False

    # -- decisions and marks -------------------------------------------------------------------------------------

    def options(self, item: Item) -> tuple[Mapping[str, Any], list[Option]]:
        """The declared choice behind a pending decision and its legal answers, the usual one first."""
        if self._legal is not None and self._legal[0] is item:
            return self._legal[1:]
        declared = self.game.choice(item["choose"])
        legal: list[Option] = []
        for spec in declared.get("option", ()):
            if "#for" not in spec:
                self._option(spec, {}, legal)
                continue
            index, alias, row, table = spec["#for"]
            first, members = spec.get("#first"), self.sheet.index[index]
            meant = members if first is None else [each for each in members if first(self.facts, each)]
            if not meant:
                continue
            before = self.facts.hold(alias)
            try:
                for member in meant:
                    self.facts.change(alias, member)
                    if row is None:
                        self._option(spec, {alias: member}, legal)
                    else:
                        self._option_of(spec, {alias: member}, row, table, legal)
            finally:
                self.facts.change(alias, before)
        legal.sort(key=lambda option: not option.usual)
        self._legal = (item, declared, legal)
        return declared, legal

    def _option_of(
        self, spec: Mapping[str, Any], bind: dict[str, str], row: str, table: str, legal: list[Option]
    ) -> None:
        """An option for everyone whom the column names that applies."""
        before = self.facts.hold(row)
        try:
            for name in self._named_in(table):
                self.facts.change(row, name)
                self._option(spec, {**bind, row: name}, legal)
        finally:
            self.facts.change(row, before)

    def _option(self, spec: Mapping[str, Any], bind: dict[str, str], legal: list[Option]) -> None:
        facts = self.facts
        if "#when" in spec and not spec["#when"](facts):
            return
        name = words(spec, "name", facts)
        text = words(spec, "text", facts) if "text" in spec and self.noting else name
        usual = spec["#usual"](facts) if "#usual" in spec else spec.get("usual") is True
        legal.append(Option(name, text, spec, bind, usual))

    def _named_in(self, table: str) -> list[str]:
        """Everyone named in the column that applies: a row is one name, or those that its pattern picks out of it
        (`{by}-or-{other}` two); nobody without a column."""
        read = self.game.table(table)
        if not read.has_column(self.facts):
            return []
        rows = map(str, read.column(self.facts).rows.results())
        return list(dict.fromkeys(name for row in rows for name in read.outcome(row)[1].values() or [row]))

    @_sound
    def options_of(self, item: Item) -> list[Option]:
        """The legal answers to a pending decision."""
        covered = self.facts.bind({key: value for key, value in item.get("bind", {}).items() if key not in self.given})
        try:
            return self.options(item)[1]
        finally:
            self.facts.unbind(covered)

    @_sound
    def decision(self, item: Item) -> NeedChoice:
        """A pending decision as a question: its title and its legal answers."""
        bound = dict(item.get("bind", {}))
        covered = self.facts.bind({key: value for key, value in bound.items() if key not in self.given})
        try:
            declared, options = self.options(item)
            title = words(declared, "title", self.facts) if self.noting else ""
            return NeedChoice(item["choose"], title, options, bound)
        finally:
            self.facts.unbind(covered)

    @_sound
    def choose(self, item: Item, answer: str | None) -> Result:
        """Take one option of a pending decision; raises NeedChoice when nobody has said which."""
        bound = dict(item.get("bind", {}))
        covered = self.facts.bind({key: value for key, value in bound.items() if key not in self.given})
        try:
            declared, options = self.options(item)
            title = words(declared, "title", self.facts) if self.noting else ""
            picked = options[0] if len(options) == 1 and answer is None else None
            if answer is not None:
                picked = next((each for each in options if each.name.casefold() == answer.casefold()), None)
            if picked is None:
                raise NeedChoice(item["choose"], title, options, bound)
            result = self._begin(item["choose"], title, bound)
            result.outcome, result.cite = picked.name, str(declared.get("cite", ""))
            result.decision = True
            inner = self.facts.bind(picked.bind)
            try:
                self._no_table = self._no_table or Table({"id": "-", "owner": True}, self.sheet)
                self._does(self._no_table, picked.name, picked.spec, result, {**bound, **picked.bind})
                self._finish(result, item, item["choose"])
            finally:
                self.facts.unbind(inner)
        finally:
            self.facts.unbind(covered)
        return result

    @_sound
    def question(self, item: Item) -> NeedAnswer:
        """A pending question about one field, with the usual answer."""
        name = str(item["ask"])
        declared = self.sheet.fields[name]
        usual = item.get("usual", self.state.get(name, declared.blank))
        return NeedAnswer(name, declared, self.sheet.text(name) if self.noting else name, usual)

    @_sound
    def put(self, item: Item, answer: str | None) -> Result:
        """Take the answer to a question about one field; raises NeedAnswer when nobody has given it."""
        if answer is None:
            raise self.question(item)
        name = str(item["ask"])
        declared = self.sheet.fields[name]
        value = declared.accept(name, answer)
        result = self._begin(name, self.sheet.text(name) if self.noting else name, {})
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
            if self._later or self._last or any("order" not in item for item in self._front):
                break
        else:
            raise Trouble(f"{self.game.name}: the sequence runs in a circle at {result.table}")
        self._finish(result, None, "step")
        return result

    def _step(self, step: Step, result: Result) -> None:
        """Do what one step says; a step that asks or says something gives the result its name."""
        spec = self._case(step.spec)
        bind: dict[str, Value] = {}
        if "#do" in spec:
            spec["#do"](self, bind)
        if "#order" in spec:
            spec["#order"](self, bind)
        before = len(self._front) + len(self._later) + len(self._last)
        if "#then" in spec:
            spec["#then"](self, bind)
        self._drain()
        asked = len(self._front) + len(self._later) + len(self._last) > before
        if self.noting and spec.get("text"):
            result.notes.append((words(spec, "text", self.facts), step.cite))
        if asked or not result.title:
            result.table, result.cite = step.id, step.cite
            result.title = step.title(self.facts) if self.noting else step.id

    @_sound
    def write(self, values: Mapping[str, Value], title: str) -> Result:
        """Write fields by hand (`set`, `mark`, `erase`); standing rules follow as after a roll."""
        result = self._begin(title, title, {})
        for name, value in values.items():
            field_name = self.concrete(self.sheet.writable(name))
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


def _memory(table: Table) -> str:
    """The written name of the field that remembers a table's rows."""
    while "memory" not in table.doc and table.parent is not None:
        table = table.parent
    return str(table.doc.get("memory", ""))
