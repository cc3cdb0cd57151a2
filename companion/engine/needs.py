"""What must be thrown: where every roll of a table would land, and that in words (`hit on 7 or more`)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.dice import Dice
from companion.engine.facts import Facts
from companion.engine.tables import Applied, Cell, Column, Table, reads
from companion.problems import Problem
from companion.words import one_of

Landings = Sequence[tuple[int, str]]  # a roll as it lies, and the row it lands on; in the order of the rolls

NAMED = 3  # results that a question names; a table with more of them is looked up, not remembered
EFFECTS = ("#do", "#then", "#order", "cases", "rows", "column", "is")


def landings(table: Table, column: Column, applied: Sequence[Applied], dice: Dice, facts: Facts) -> Landings:
    """Where each roll would land with these modifiers; empty where several dice make too many rolls to be told."""
    if dice.count is None or not 1 <= dice.count <= 2 or dice.tens:
        return ()
    result = []
    for total, _ in dice.readings():
        try:
            cell: Cell = table.landed(facts, total, column, list(applied)).result
            result.append((total, "" if cell is None or isinstance(cell, list) else str(reads(cell, facts))))
        except Problem:
            return ()
    return result


def needed(table: Table, rolled: Landings, *, modified: bool) -> str:
    """Which rolls do something, where no more than three results do: `hit on 6`; else nothing. They are those that the
    dice show: where something is added (`modified`) this is said, `hit with 7 or more on the dice`.

    >>> spans([7, 8, 9, 12], range(2, 13))
    '7 to 9 or 12'
    """
    if any(row.lstrip("-").isdigit() for _, row in rolled):
        return ""
    by_row: dict[str, list[int]] = {}
    for total, row in rolled:
        if does_something(table, row):
            by_row.setdefault(row, []).append(total)
    idle = sum(len(totals) for totals in by_row.values()) < len(rolled)
    if not by_row or not idle or len(by_row) > NAMED:
        return ""
    every = [total for total, _ in rolled]
    on, thrown = ("with", f" on the {'die' if every[-1] <= 6 else 'dice'}") if modified else ("on", "")
    named = [f"{row.replace('-', ' ')} {on} {spans(totals, every)}" for row, totals in by_row.items()]
    return ", ".join(named) + thrown


def does_something(table: Table, row: str) -> bool:
    """Whether a row changes the sheet or asks for something."""
    spec = table.outcome(row)[0]
    return row not in ("none", "miss") and any(key in spec for key in EFFECTS)


def spans(totals: Sequence[int], every: Sequence[int]) -> str:
    """Rolls in words: `6`, `7 or more`, `3 or less`, `4 to 6`."""
    runs: list[tuple[int, int]] = []
    for total in totals:
        if runs and total == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], total)
        else:
            runs.append((total, total))
    return one_of([_span(first, last, every[0], every[-1]) for first, last in runs])


def _span(first: int, last: int, lowest: int, highest: int) -> str:
    if first == last:
        return str(first)
    if last == highest:
        return f"{first} or more"
    if first == lowest:
        return f"{last} or less"
    return f"{first} to {last}"
