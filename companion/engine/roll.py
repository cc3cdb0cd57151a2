"""One roll on a table: column, modifiers, required roll (`hit on 7 or more`), dice, row and effects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice

from companion.engine import dice as throws
from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Field, Spec, Value, unmarked
from companion.engine.questions import DiceQuestion, GivenAnswers, Pending, RowQuestion, Talk
from companion.engine.resolution import Adjustment, Resolution, Result
from companion.engine.rules import words
from companion.engine.sheet import Bound, Derived, Member
from companion.engine.tables import DIE, Applied, Cell, Column, Table, reads, span
from companion.problems import MissingAnswer, UserError
from companion.words import one_of, printed

Landings = Sequence[tuple[int, str]]  # each roll before modifiers, with the row it leads to, in order

NAMED = 3  # the most results a question lists; players look up longer tables
EFFECTS = ("#do", "#then", "#order", "cases", "rows", "column", "is")


class Roll:
    """A table being rolled.

    `hand` has dice typed in advance, `said` the dice and the rulebook row given so far (a roll that was interrupted by
    a question starts again with them), `take` the net roll of a row that is resolved without dice.
    """

    def __init__(self, table: Table, resolution: Resolution, hand: Hand, said: GivenAnswers, take: int | None) -> None:
        self.table, self.resolution, self.hand, self.said, self.take = table, resolution, hand, said, take
        self.result, self.facts = resolution.result, resolution.facts

    def resolve(self) -> Talk[None]:
        """Roll, find the row and carry it out, asking for dice and rows of the player's rulebook.

        Raises:
            MissingAnswer: A fact is missing.
        """
        table, result, facts = self.table, self.result, self.facts
        if table.formula:
            yield from self._formula()
            return
        if table.procedure:
            result.net = 0
            yield from self._landed(None, table.happens)
            return
        if facts.asking:
            ask_first(table, facts, self.resolution.by_hand)
        column, applied = self.resolution.noted(self._applying)
        cell: Cell = "owner"
        if self.take is not None:
            result.net = self.take
            cell = column.rows.find(self.take) if column is not None else "owner"
        else:
            dice = (column.dice if column is not None else None) or table.dice
            question = DiceQuestion(table, dice, applied, result.bind, self._needed(column, dice, applied))
            result.needed = question.needed
            thrown = yield from self._throw(question)
            result.applied = applied
            if thrown is not None:
                result.dice, result.rolled = thrown, dice.total(thrown)
                if column is None:
                    result.net = result.rolled + sum(each.add for each in applied)
                else:
                    landed = self.resolution.noted(table.landed, facts, result.rolled, column, applied)
                    result.net, result.natural, cell = landed
                    if self.resolution.work.bare and self.resolution.work.noting:  # a lookup names its assumptions
                        result.idle = [name for name in result.assumed if not self._sways(name, cell)]
        if cell is None:
            raise UserError(f"{table.id} has no row for a net {result.net}")
        yield from self._landed(column, cell)

    def _applying(self) -> tuple[Column | None, list[Applied]]:
        """Return the column (if its rows are built in) and the modifiers."""
        column = None if self.table.unwritten else self.table.column(self.facts)
        return column, self.table.applying(self.facts, column)

    def _sways(self, name: str, cell: Cell) -> bool:
        """Return whether a different value of a fact would change the row for these dice; True for free text."""
        known, rolled = self.facts.known.get(name), self.result.rolled
        declared = known.declared if isinstance(known, Bound) else known
        if not isinstance(declared, Field | Derived) or rolled is None:
            return True
        now = self.facts[name]
        values = [int(now) + 1, int(now) + 3] if declared.numeric else [each for each in declared.values if each != now]
        for value in values:
            facts = self.facts.with_fact(name, value)
            with suppress(UserError):  # there would have been no roll
                column = self.table.column(facts)
                if self.table.landed(facts, rolled, column, self.table.applying(facts, column))[2] != cell:
                    return True
        return not values

    def _needed(self, column: Column | None, dice: throws.Dice, applied: Sequence[Applied]) -> dict[str, str]:
        """Return the rolls for each row that has an effect, if they will be shown and no more than three have one."""
        if column is None or not self.resolution.work.noting:
            return {}
        rolled = landings(self.table, column, applied, dice, self.facts)
        by_row, every = with_effect(self.table, rolled), [total for total, _ in rolled]
        idle = sum(map(len, by_row.values())) < len(rolled)
        if not idle or len(by_row) > NAMED or any(row.lstrip("-").isdigit() for _, row in rolled):
            return {}
        return {row: spans(totals, every) for row, totals in by_row.items()}

    def _throw(self, question: DiceQuestion) -> Talk[list[int] | None]:
        """Return the dice of this roll; None for an owner table whose row was given without dice."""
        hand, said, dice = self.hand, self.said, question.dice
        if dice.count == 0 and self.table.dice.count and hand.groups:
            dice = self.table.dice  # an extra die that the rulebook does not ask for is harmless
        if said.dice is None:
            row_alone = dice.count == 0 or (said.answer is not None and not hand.rng)
            if self.table.unwritten and not hand.groups and row_alone:
                return None
            said.dice = hand.throw(dice)
            if said.dice is None:
                said.dice = yield question
                if said.dice or not self.table.unwritten:  # a row from the player's rulebook may be given without dice
                    dice.check(said.dice)
        return said.dice if said.dice or not (dice.count is None or self.table.unwritten) else None

    def _landed(self, column: Column | None, cell: Cell) -> Talk[None]:
        """Carry out the row, asking for it if it is only in the player's rulebook."""
        table, result, facts = self.table, self.result, self.facts
        result.bind = {**result.bind, **facts.meant}  # follow-ups are for the same fighter, and end with it
        with facts.bind({"roll": result.rolled or 0, "net": result.net or 0}):
            memory, cell = self._remembered(cell)
            if cell == "owner":
                cell = yield from self._from_rulebook()
            elif self.said.answer is not None:
                raise UserError(f"{table.id} is built in: give the dice, not --outcome")
            if table.changed:
                result.patched = took_part(table, column.title if column is not None else "", result, cell)
            slugs = [self._one(each) for each in (cell if isinstance(cell, list) else [cell])]
            if memory is not None and slugs[0] in self.resolution.sheet.fields[memory].values:
                self.resolution.change(memory, slugs[0])
        result.outcome = ";".join(slugs)

    def _from_rulebook(self) -> Talk[Cell]:
        """Return the row from the player's rulebook."""
        table, result, row = self.table, self.result, self.said.answer
        if row is None:
            asked = table.asked(self.facts)
            question = RowQuestion(table, result.net, result.applied, result.bind, result.dice, asked)
            row = self.said.answer = yield question
        row = table.parted(row)
        cell = printed(unmarked(row))
        if not table.takes(cell):
            asked = table.asked(self.facts)
            such = f", e.g. {one_of(list(table.outcomes)[:3])}" if table.outcomes else ""
            must = f"can't be {row}. {asked}?" if asked else f"must be words{such}, not {row}"
            raise UserError(f"{table.title} {must}")
        table.check_row(row)
        cells = table.cells(row)
        return [*cells[1:], cells[0]] if len(cells) > 1 else cell

    def _remembered(self, cell: Cell) -> tuple[str | None, Cell]:
        """Return the field that remembers a cell that is asked for only once, and its answer if known."""
        if not isinstance(cell, dict) or "ask-once" not in cell:
            return None, cell
        name = cell["#ask-once"](self.facts)
        if name not in self.resolution.sheet.fields:
            return None, "owner"
        answer = self.facts[name]
        return (name, "owner") if answer == "none" else (None, answer)

    def _one(self, cell: Cell) -> str:
        """Carry out one result of a row, and return its word or number."""
        bindings: dict[str, Value] = {}
        if isinstance(cell, dict):
            if "text" in cell:  # the printed words of a row that the player copied
                self.result.text = str(cell["text"])
            if "#with" in cell:
                bindings = self.resolution.noted(cell["#with"], self.facts)
            outcome = self.resolution.noted(reads, cell, self.facts)
        else:
            outcome = reads(cell, self.facts)
        if isinstance(outcome, int):
            return self._number(outcome, bindings)
        spec, holes = self.table.outcome(outcome)
        if not bindings and not holes:
            carry_out(self.resolution, self.table, outcome, spec, dict(self.result.bind))
            return outcome
        bound = {**bindings, **{key.replace("_", "-"): value for key, value in holes.items()}}
        inherited = {key: value for key, value in bound.items() if key in self.resolution.sheet.known}
        with self.facts.bind(bound):
            carry_out(self.resolution, self.table, outcome, spec, {**self.result.bind, **inherited})
        return outcome

    def _number(self, number: int, bindings: Mapping[str, Value]) -> str:
        """Carry out a row that is a number, with its adjustments, and return that number."""
        owner, own = self.table.numbers()
        with self.facts.bind({**bindings, "result": number}):
            for step in owner.adjust or ():
                after = self.resolution.noted(_adjusted, step, number, self.facts)
                if after != number:
                    self.result.steps.append(Adjustment(number, after, step.get("why", "")))
                    number = after
                    self.facts.change("result", number)
            spec = own.get(str(number)) or owner.number or {}
            carry_out(self.resolution, self.table, str(number), spec, {**self.result.bind, **bindings})
        return str(number)

    def _formula(self) -> Talk[None]:
        """Work out a result from further dice: `88 + 2D`."""
        table, result = self.table, self.result
        result.formula = True
        count = table.doc.get("#dice", 0)
        thrown = self.said.dice or self.hand.some(count)
        if thrown is None:
            thrown = yield DiceQuestion(table, throws.Dice(f"{count}D", count), [], result.bind)
        self.said.dice = thrown
        result.dice, result.rolled = thrown, sum(thrown)
        left, doc = iter(thrown), table.doc
        if "#is" in doc:
            result.net = self.resolution.noted(doc["#is"], self.facts, lambda count: sum(islice(left, count)))
        else:
            result.net = int(doc["is"])
        result.outcome = self._number(result.net, {})


def _adjusted(step: Spec, number: int, facts: Facts) -> int:
    """Apply one written adjustment to a number, if its condition holds."""
    if "#when" in step and not step["#when"](facts):
        return number
    return step["#is"](facts) if "#is" in step else int(step["is"])


def ask_first(table: Table, facts: Facts, by_hand: bool) -> None:
    """Ask for the facts that the column needs, then for those of modifiers and adjustments, in sheet order.

    Raise MissingAnswer for the first one that is not set; a fighter that no rule asked for must be described.
    """
    fresh = facts.without_worked_out()
    try:
        column = None if table.unwritten else table.column(fresh)
    except UserError:
        column = None
    order = needed = list(fresh.unsaid)
    if not order and (table.unwritten or column is not None):
        table.applying(fresh, column)
        fresh.bind({"roll": 0, "net": 0, "result": 0})
        for step in table.numbers()[0].adjust or ():
            if "#when" in step:
                step["#when"](fresh)
        order = [name for name in facts.sheet.known if name in fresh.unsaid] if fresh.unsaid else []
    for name in order:
        declared = fresh.unsaid[name]
        if not declared.unasked and (by_hand or declared.ask or not isinstance(facts.sheet.known[name], Member)):
            can_do_without = column is not None and declared.kind == "choice" and name not in needed
            raise MissingAnswer(FactQuestion(name, declared, declared.blank if can_do_without else None))


def carry_out(resolution: Resolution, table: Table | None, name: str, spec: Spec, bind: dict[str, Value]) -> None:
    """Carry out a row or (without a table) an option: text, changes, its own die, then follow-ups."""
    result, facts = resolution.result, resolution.facts
    memory = table.memory if table is not None else None
    again: bool | None = None
    if table is not None and memory is not None and ("#again" in spec or _always_remembered(table, name, facts)):
        again = remember_row(resolution, table, name)
        facts.change("again", "yes" if again else "no")
    if table is not None and table.about and _acts(spec):  # the row changes a fighter, gun or man: it must be known
        subject = str(table.about["ask"])
        if facts[subject] == "none":
            resolution.ask_which(subject)
    if "cases" in spec:
        spec = resolution.noted(resolution.case_of, spec) if table is not None else resolution.case_of(spec)
    if spec.get("refuse"):
        raise UserError(words(spec, "refuse", facts))
    if resolution.work.noting and spec.get("text"):
        text = words(spec, "text", facts)
        result.text = f"{result.text}; {text}" if result.text else text
    if table is not None and memory is not None and spec.get("once"):  # read after `cases`, one of which may have it
        again = remember_row(resolution, table, name) if again is None else again
        if again:
            result.notes.append(("Rolled before on this mission: no further effect", table.cite))
            return
    if "#do" in spec:
        spec["#do"](resolution, bind)
    has_die = any(key in spec for key in DIE)
    if table is not None and has_die and spec is not table.doc:
        throw = {"roll": result.rolled or 0, "net": result.net or 0} if "is" in spec else {}
        resolution.front.append(Pending("roll", f"{table.id}.{name}", {**bind, **throw}))
    if "#then" in spec:
        spec["#then"](resolution, bind)
    if resolution.unbound:  # a line of `do` or `then` found no fighter, gun or man
        resolution.unbound = False
        resolution.ask_for_unbound(spec)


def _acts(spec: Spec) -> bool:
    """Return whether a row or one of its cases writes or asks for something."""
    return "#do" in spec or "#then" in spec or any(_acts(case) for case in spec.get("cases", ()))


def _always_remembered(table: Table, name: str, facts: Facts) -> bool:
    """Return whether a row goes on the table's `memory` list each time it comes up.

    A sub-roll puts only its results with `once` or `again` there. Nothing goes there while the member in `memory` (the
    area of `hit[area]`) is not bound.
    """
    if table.parent is not None or name == "none" or table.memory is None:
        return False
    return table.memory(facts) in facts.sheet.fields


def remember_row(resolution: Resolution, table: Table, name: str) -> bool:
    """Put a row on the table's `memory` list (`hit[area]`), and return whether it was there before.

    A `once` result of a row's own die is put in parentheses after that row: `armament (fwd-lower)`.
    """
    assert table.memory is not None
    field = table.memory(resolution.facts)
    if field not in (sheet := resolution.sheet).fields:
        unknown = next(each for each in sheet.index if f"[{each}]" in table.memory_name)
        raise UserError(f"{table.id} needs {sheet.declared(unknown).needed(unknown)}")
    listed = str(resolution.facts[field])
    rows = listed.split(", ") if listed else []
    before = any(name in row.removesuffix(")").split(" (") for row in rows)
    outer_row = table.id.rpartition(".")[2]  # the row that asked for this sub-roll
    if (always := _always_remembered(table, name, resolution.facts)) or not before:
        if not always and outer_row in rows:
            rows[len(rows) - 1 - rows[::-1].index(outer_row)] = f"{outer_row} ({name})"
        else:
            rows.append(name)
        resolution.change(field, ", ".join(rows))
    return before


def landings(table: Table, column: Column, applied: Sequence[Applied], dice: throws.Dice, facts: Facts) -> Landings:
    """Return the row for each roll with these modifiers; empty if several dice make too many rolls to list."""
    if dice.count is None or not 1 <= dice.count <= 2 or dice.tens:
        return ()
    try:
        return [(total, table.row(facts, total, column, applied)) for total, _ in dice.readings()]
    except UserError:
        return ()


def does_something(table: Table, row: str) -> bool:
    """Return whether a row has an effect on the sheet or asks for something."""
    spec = table.outcome(row)[0]
    return row not in ("none", "miss") and any(key in spec for key in EFFECTS)


def with_effect(table: Table, rolled: Landings) -> dict[str, list[int]]:
    """Return the rolls for each row that has an effect."""
    by_row: dict[str, list[int]] = {}
    for total, row in rolled:
        if does_something(table, row):
            by_row.setdefault(row, []).append(total)
    return by_row


def spans(totals: Sequence[int], every: Sequence[int]) -> str:
    """Return rolls in words: `6`, `7 or more`, `3 or less`, `4 to 6`.

    >>> spans([7, 8, 9, 12], range(2, 13))
    '7 to 9 or 12'
    """
    runs: list[tuple[int, int]] = []
    for total in totals:
        if runs and total == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], total)
        else:
            runs.append((total, total))
    told = []
    for first, last in runs:
        some = f"{first} or more" if last == every[-1] else f"{last} or less" if first == every[0] else ""
        told.append(str(first) if first == last else some or f"{first} to {last}")
    return one_of(told)


# -- patches of an overlay ---------------------------------------------------------------------------------------------


def took_part(table: Table, column: str, result: Result, cell: Cell) -> list[dict[str, str]]:
    """Return the patches that made a difference here, each reason once.

    One did if its modifier applied, if its row is the one rolled, or if it changed the result. `column` is the title of
    the column, `cell` the raw result.
    """
    root, net, by_row = table, result.net or 0, result.net is not None and not result.natural
    while root.parent is not None:
        root = root.parent
    cells = cell if isinstance(cell, list) else [cell]
    results = {str(each["as"] if isinstance(each, Mapping) else each) for each in cells}
    titles = [each.title for each in table.columns]
    applied = {each.modifier.id for each in result.applied}
    taking_part: dict[tuple[str, str], None] = {}
    decided: set[str] = set()  # of several patches of one row or result the topmost applies
    for patch in reversed(root.doc.get("patched", ())):
        if patch["table"].casefold() != table.id.casefold():
            continue
        piece, modifiers = patch["piece"], patch["piece"].get("modifier", ())
        parts = results & piece.get("outcome", {}).keys()  # what this patch has changed in the result
        for each in (piece, *piece.get("column", ())) if by_row else ():
            title = each.get("title", "")
            if (title if title in titles else "") == column:
                parts |= {"the row" for low, high in map(span, each.get("rows", ())) if low <= net <= high}
        always = piece.keys() - {"modifier", "rows", "column", "outcome", "sub"}
        modified = any(each.get("remove") or each["id"] in applied for each in modifiers)
        if always or modified or parts - decided:
            taking_part[patch["table"], patch["reason"]] = None
        decided |= parts
    return [{"table": name, "reason": reason} for name, reason in reversed(taking_part)]
