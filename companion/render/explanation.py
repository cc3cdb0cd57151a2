"""Explanations of journal entries for `why`: replayed, with calculation, row and reasons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.resolution import Result
from companion.engine.roll import does_something, landings, spans, with_effect
from companion.engine.rules import Game
from companion.engine.tables import Column, Table
from companion.play.journal import Entry, settled
from companion.play.mission import replay_entry
from companion.play.phrases import table_named
from companion.problems import UserError
from companion.render.describe import (
    Description,
    change_objects,
    describe,
    describe_entry,
    in_a_line,
    in_full,
    results_object,
)
from companion.render.situation import Line
from companion.words import figure, one_of, series

if TYPE_CHECKING:
    from companion.packs import Pack
    from companion.store.session import Session


MOST = 6  # the most facts named for one column
FIGURES = re.compile(r"\d")  # a row that is a number or a template


class Explanation(NamedTuple):
    """An entry with its full explanation; an edit by the player has no result."""

    number: int
    of: int  # the number of entries
    entry: Entry
    result: Result | None
    told: Description
    row: str  # the column and the row of the table: `6, climb: 7..`
    because: list[str]
    given: str  # the fields given with it

    def lines(self) -> Iterator[Line]:
        """Yield its lines for a person."""
        told = self.told
        yield Line("", [(f"Entry {self.number} of {self.of}", "dim")])
        if self.result is None:
            for text in ("Set by you", *told.changes.arrows()):
                yield Line("  ", [(text, "")])
            return
        if told.verb == "step":
            yield Line("", [(f"{told.title}  {told.cite}".rstrip(), "")])
            yield Line("  ", [(in_a_line(told), "")])
            return
        yield from in_full(told, arrows=True)
        for text in self.because:
            yield Line("  ", [(text, "")])
        if self.row:
            yield Line("  ", [(f"result: {_in_words(self.row)}", "dim")])
        if self.given:
            yield Line("  ", [(f"with: {self.given}", "dim")])

    def as_object(self, pack: Pack) -> dict[str, object]:
        """Return it for `why --json`."""
        entry = self.entry
        shown: dict[str, object] = {"number": self.number, "verb": entry["v"], "given": entry.get("w", {})}
        if self.result is not None:
            shown.update(results_object([self.result], pack), row=self.row)
        return {**shown, "changes": change_objects(pack.sheet.changed(entry.get("c", {}))), "reasons": self.because}


def _in_words(row: str) -> str:
    """Return a row in words: `6, climb: 7 or more`."""
    head, colon, key = row.rpartition(": ")
    first, dots, last = key.partition("..")
    span = f"{first} to {last}" if first and last else f"{first} or more" if first else f"{last} or less"
    return f"{head}{colon}{span}" if dots else row


def explain(session: Session, typed: str | None) -> Explanation:
    """Explain the entry of that number, the last roll on that table, or the player's last action.

    Raise UserError if there is no such entry.
    """
    pack, number = session.pack, _number(typed, session)
    entry, result, before = replay_entry(session.mission, number)
    if result is None or result.step:
        told = describe_entry(entry, pack, result)
        told.cite = result.cite if result is not None else ""
    else:
        result.outcome = str(entry.get("o", result.outcome))
        told = describe(result, session)
    row = _place(entry, result, session, before)
    because = [] if result is None else reasons(pack, before, entry, result)
    if result is not None and "d" in entry and result.net != entry.get("net"):
        because.append(f"The table has changed since then; the net roll was {entry.get('net')}.")
    given = (f"{pack.sheet.text(name)} {pack.sheet.say(name, value)}" for name, value in entry.get("w", {}).items())
    words, of = ", ".join(given) if result is not None else "", session.mission.journal.position
    return Explanation(number, of, entry, result, told, row, because, words)


def _number(typed: str | None, session: Session) -> int:
    number, journal = figure(typed or ""), session.mission.journal
    if number is not None:
        return number
    entries = list(enumerate(journal.recorded, 1))
    if typed is None:
        last = next((at for at, entry in reversed(entries) if not settled(entry)), journal.position)
        if (
            last
            and entries[last - 1][1]["v"] == "roll"
            and "parts" in session.pack.table(entries[last - 1][1]["t"]).doc
        ):
            rolls = takewhile(lambda each: settled(each[1]) and each[1]["v"] == "roll", entries[last:])
            said = [each for each, _ in rolls if (result := replay_entry(session.mission, each)[1]) and result.text]
            return said[-1] if said else last  # what the card came to
        return last
    table = table_named(session.pack, typed).id
    at = next((at for at, entry in reversed(entries) if entry["v"] == "roll" and entry["t"] == table), None)
    if at is None:
        flight = session.pack.sheet.flight
        raise UserError(f"{table} hasn't been rolled in this {flight}. List the entries: companion log")
    return at


def _place(entry: Entry, result: Result | None, session: Session, before: dict[str, Value]) -> str:
    """Return the column and the row of the table that a roll landed on."""
    if result is None or entry["v"] != "roll" or result.net is None:
        return ""
    table = session.pack.table(entry["t"])
    if not table.columns:
        return "in your rulebook" if table.owner else ""
    if result.natural:
        return "an unmodified roll decides"
    column = table.column(_facts(table, before, entry))
    row = column.rows.row(result.net)
    return f"{column.title}: {row}" if column.title else row


def _facts(table: Table, state: Mapping[str, Value], entry: Entry) -> Facts:
    """Return the facts of a recorded roll; `state` is the sheet just before it."""
    bind = table.bind(Facts(table.sheet, state))
    return Facts(table.sheet, state, {**bind, **entry.get("b", {}), **entry.get("w", {})})


# -- the reasons: dice, modifiers, the required roll, and the deciding factors ----------------------------------------


def reasons(game: Game, state: Mapping[str, Value], entry: Entry, result: Result) -> list[str]:
    """Return the sentences for a replayed entry; `state` is the sheet just before it."""
    if entry["v"] == "choose":
        return ["There was no other choice."] if settled(entry) else []
    if entry["v"] != "roll" or result.net is None or result.rolled is None:
        return []
    table = game.table(entry["t"])
    dice, added = " + ".join(map(str, result.dice)), [f"{each.add:+d} ({each.why})" for each in result.applied]
    total = f"{dice} = {result.rolled}" if len(result.dice) > 1 and sum(result.dice) == result.rolled else result.rolled
    sentences = [f"Rolled: {total}{f'; with {series(added)}: {result.net}' if added else ', no modifiers'}."]
    if not table.columns:
        return sentences
    facts = _facts(table, state, entry)
    try:
        column = table.column(facts)
        row = table.row(facts, result.rolled, column, result.applied)
    except UserError:
        return sentences
    if result.natural:
        always = game.sheet.read_out(row)
        sentences.append(f"An unmodified {result.rolled} always means “{always}”, whatever the modifiers.")
    if (because := told_of(facts, column)) and len(table.columns) > 1:
        called = f"“{column.title}”" if column.title else "used"
        sentences.append(f"Column {called}: {because}.")
    return [*sentences, *_needed(table, facts, column, result, row), *_without(table, facts, column, result, row)]


class NotedFacts(Facts):
    """A copy of the given facts that notes each name when it is read."""

    __slots__ = ("read",)

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts.sheet, {name: facts[name] for name in facts.given})
        self.read = set[str]()

    def __getitem__(self, name: str) -> Value:
        self.read.add(name)
        return super().__getitem__(name)


def told_of(facts: Facts, column: Column) -> str:
    """Return the fields that decide on the column: `Fighter 1, attacks from 6; Evasive action yes`."""
    if column.test is None:
        return ""
    sheet, told, noted = facts.sheet, [], NotedFacts(facts)
    column.test(noted)
    for name in sorted(noted.read):
        declared, value, index = sheet.fields.get(name), facts.get(name), sheet.slot(name)
        if declared is None or declared.section == "working" or value is None or value == declared.blank:
            continue
        if not index or str(facts[index]) == name.split(".")[1]:
            told.append(f"{sheet.text(name)} {sheet.say(name, value)}")
    return "; ".join(dict.fromkeys(told[:MOST]))


def _needed(table: Table, facts: Facts, column: Column, result: Result, row: str) -> list[str]:
    """Return the roll needed if this one had no effect: `Hit needs a roll of 6; this one was 1 too low.`"""
    if does_something(table, row) or result.rolled is None:
        return []
    rolled = landings(table, column, result.applied, column.dice or table.dice, facts)
    by_row = with_effect(table, rolled)
    if len(by_row) > 3 or any(FIGURES.search(other) for _, other in rolled):
        return []
    sentences = []
    for other, totals in by_row.items():
        away = min((total - result.rolled for total in totals), key=abs)
        wanted, short = table.sheet.read_out(other), f"{abs(away)} too {'low' if away > 0 else 'high'}"
        span = spans(totals, [total for total, _ in rolled])
        sentences.append(f"{wanted[:1].upper()}{wanted[1:]} needs a roll of {span}; this one was {short}.")
    return sentences or ["No roll would have had any effect."] * bool(rolled)


def _without(table: Table, facts: Facts, column: Column, result: Result, row: str) -> list[str]:
    """Return the modifiers that changed the result."""
    rolled, read, different = result.rolled, table.sheet.read_out, dict[str, list[str]]()
    if rolled is None or not result.applied or result.natural:
        return []
    for one in result.applied:
        rest = [each for each in result.applied if each is not one]
        if (other := table.row(facts, rolled, column, rest)) != row:
            different.setdefault(other, []).append(f"{one.add:+d} ({one.why})")
    if not different and (alone := table.row(facts, rolled, column, [])) != row:
        different = {alone: ["any modifiers"]}
    told = [f"Without {one_of(of)} the result would have been {read(at) or 'no row'}." for at, of in different.items()]
    return told or ["The modifiers made no difference."]
