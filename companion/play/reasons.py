"""The reasons for a result, in sentences: dice, modifiers, the required roll, and the deciding factors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.resolution import Result
from companion.engine.roll import does_something, landings, spans
from companion.engine.rules import Game
from companion.engine.sheet import reads_of
from companion.engine.tables import Applied, Column, Table, reads
from companion.play.journal import Entry, settled
from companion.problems import UserError
from companion.words import one_of, series

MOST = 6  # the most facts named for one column
FIGURES = re.compile(r"\d")  # a row that is a number or a template


def reasons(game: Game, state: Mapping[str, Value], entry: Entry, result: Result) -> list[str]:
    """Return the sentences for a replayed entry; `state` is the sheet just before it."""
    if entry["v"] == "choose":
        return ["There was no other choice."] if settled(entry) else []
    if entry["v"] != "roll" or result.net is None or result.rolled is None:
        return []
    table = game.table(entry["t"])
    sentences = [dice_sentence(result)]
    if not table.columns:
        return sentences
    base = Facts(game.sheet, state)
    bind = {**table.bind(base), **entry.get("b", {}), **entry.get("w", {})}
    facts = Facts(game.sheet, state, bind)
    try:
        column = table.column(facts)
        row = _row(table, facts, result.rolled, column, result.applied)
    except UserError:
        return sentences
    read = game.sheet.read_out
    if result.natural:
        sentences.append(f"An unmodified {result.rolled} is always {read(row)}, whatever the modifiers.")
    if (because := told_of(game, column, state, bind)) and len(table.columns) > 1:
        called = f"“{column.title}”" if column.title else "used"
        sentences.append(f"Column {called}: {because}.")
    sentences += _needed(game, table, facts, column, result, row)
    sentences += _without(game, table, facts, column, result, row)
    return sentences


def dice_sentence(result: Result) -> str:
    """Return `Rolled: 2 + 3 = 5; with -1 (evasive action) and +1 (ace fighter pilot): 5.`"""
    dice = " + ".join(map(str, result.dice))
    total = f"{dice} = {result.rolled}" if len(result.dice) > 1 and sum(result.dice) == result.rolled else result.rolled
    added = [f"{each.add:+d} ({each.why})" for each in result.applied]
    return f"Rolled: {total}{f'; with {series(added)}: {result.net}' if added else ', no modifiers'}."


def told_of(game: Game, column: Column, state: Mapping[str, Value], bind: Mapping[str, Value]) -> str:
    """Return the fields that the column depends on: `Fighter 1, attacks from 6; Evasive action yes`."""
    if column.test is None:
        return ""
    sheet, facts = game.sheet, Facts(game.sheet, state, bind)
    told = []
    for name in sheet.all_inputs(reads_of(column.test)):
        declared, value, index = sheet.fields.get(name), facts.get(name), sheet.slot(name)
        if declared is None or declared.section == "working" or value is None or value == declared.blank:
            continue
        if not index or str(facts[index]) == name.split(".")[1]:
            told.append(f"{sheet.text(name)} {sheet.say(name, value)}")
    return "; ".join(dict.fromkeys(told[:MOST]))


def _row(table: Table, facts: Facts, rolled: int, column: Column, applied: Sequence[Applied]) -> str:
    cell = table.landed(facts, rolled, column, list(applied)).result
    return "" if cell is None or isinstance(cell, list) else str(reads(cell, facts))


def _needed(game: Game, table: Table, facts: Facts, column: Column, result: Result, row: str) -> list[str]:
    """Return the roll needed if this one had no effect: `Hit needs a roll of 6; this one was 1 too low.`"""
    if does_something(table, row) or result.rolled is None:
        return []
    rolled = landings(table, column, result.applied, column.dice or table.dice, facts)
    if any(FIGURES.search(other) for _, other in rolled):
        return []
    every = [total for total, _ in rolled]
    by_row: dict[str, list[int]] = {}
    for total, other in rolled:
        if does_something(table, other):
            by_row.setdefault(other, []).append(total)
    if not by_row:
        return ["No roll would have had any effect."] if rolled else []
    if len(by_row) > 3:
        return []
    sentences = []
    for other, totals in by_row.items():
        away = min((total - result.rolled for total in totals), key=abs)
        wanted = game.sheet.read_out(other)
        short = f"{abs(away)} too {'low' if away > 0 else 'high'}"
        sentences.append(
            f"{wanted[:1].upper()}{wanted[1:]} needs a roll of {spans(totals, every)}; this one was {short}."
        )
    return sentences


def _without(game: Game, table: Table, facts: Facts, column: Column, result: Result, row: str) -> list[str]:
    """Return the modifiers that changed the result."""
    rolled, read, different = result.rolled, game.sheet.read_out, dict[str, list[str]]()
    if rolled is None or not result.applied or result.natural:
        return []
    for one in result.applied:
        rest = [each for each in result.applied if each is not one]
        if (other := _row(table, facts, rolled, column, rest)) != row:
            different.setdefault(other, []).append(f"{one.add:+d} ({one.why})")
    if different:
        return [
            f"Without {one_of(of)} it would have been {read(other) or 'no row'}." for other, of in different.items()
        ]
    alone = _row(table, facts, rolled, column, [])
    if alone != row:
        return [f"Without any modifiers it would have been {read(alone) or 'no row'}."]
    return ["The modifiers made no difference."]
