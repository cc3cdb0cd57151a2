"""Explanations of journal entries for `why`: replayed, with calculation, row and reasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.play.journal import settled
from companion.play.phrases import table_named
from companion.play.reasons import reasons
from companion.play.replay import replay_entry
from companion.problems import UserError
from companion.render.changes import pairs_of
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
from companion.words import figure

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.packs import Pack
    from companion.play.journal import Entry
    from companion.store.session import Session


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
        return {**shown, "changes": change_objects(pairs_of(entry, pack.sheet)), "reasons": self.because}


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
    row = _row(entry, result, session, before)
    because = [] if result is None else reasons(pack, before, entry, result)
    if result is not None and "d" in entry and result.net != entry.get("net"):
        because.append(f"The table has changed since then; the net roll was {entry.get('net')}.")
    given = (f"{pack.sheet.text(name)} {pack.sheet.say(name, value)}" for name, value in entry.get("w", {}).items())
    words, of = ", ".join(given) if result is not None else "", session.mission.journal.position
    return Explanation(number, of, entry, result, told, row, because, words)


def _number(typed: str | None, session: Session) -> int:
    number = figure(typed or "")
    if number is not None:
        return number
    journal = session.mission.journal
    entries = list(enumerate(journal.entries[: journal.position], 1))
    if typed is None:
        return next((at for at, entry in reversed(entries) if not settled(entry)), journal.position)
    table = table_named(session.pack, typed).id
    at = next((at for at, entry in reversed(entries) if entry["v"] == "roll" and entry["t"] == table), None)
    if at is None:
        flight = session.pack.sheet.flight
        raise UserError(f"{table} hasn't been rolled in this {flight}. List the entries: companion log")
    return at


def _row(entry: Entry, result: Result | None, session: Session, before: dict[str, Value]) -> str:
    """Return the column and the row of the table that a roll landed on."""
    if result is None or entry["v"] != "roll" or result.net is None:
        return ""
    table = session.pack.table(entry["t"])
    if not table.columns:
        return "in your rulebook" if table.owner else ""
    bind = {**table.bind(Facts(session.pack.sheet, before)), **entry.get("b", {}), **entry.get("w", {})}
    column = table.column(Facts(session.pack.sheet, before, bind))
    if result.natural:
        return "an unmodified roll decides"
    return f"{column.title}: {column.rows.row(result.net)}" if column.title else column.rows.row(result.net)
