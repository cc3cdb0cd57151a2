"""Which entry is meant, and the row of the table that it landed on, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.play.journal import settled
from companion.problems import Problem
from companion.words import figure

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.play.journal import Entry
    from companion.store.session import Session


def entry_number(typed: str | None, session: Session) -> int:
    """The entry that is meant: of that number, the last roll of that table, or what somebody did last."""
    number = figure(typed or "")
    if number is not None:
        return number
    journal = session.mission.journal
    entries = list(enumerate(journal.entries[: journal.stand], 1))
    if typed is None:
        return next((at for at, entry in reversed(entries) if not settled(entry)), journal.stand)
    table = session.pack.table(typed).id
    at = next((at for at, entry in reversed(entries) if entry["v"] == "roll" and entry["t"] == table), None)
    if at is None:
        flight = session.pack.sheet.flight
        raise Problem(f"{table} has not been rolled in this {flight}; companion log numbers what has been done")
    return at


def row_in_words(row: str) -> str:
    """The row as a person reads it.

    >>> row_in_words("6, climb: 7.."), row_in_words("..2"), row_in_words("4..6"), row_in_words("5")
    ('6, climb: 7 or more', '2 or less', '4 to 6', '5')
    """
    head, colon, key = row.rpartition(": ")
    first, dots, last = key.partition("..")
    span = f"{first} to {last}" if first and last else f"{first} or more" if first else f"{last} or less"
    return f"{head}{colon}{span}" if dots else row


def row_of(entry: Entry, result: Result | None, session: Session, before: dict[str, Value]) -> str:
    """The column and the row of the table that it landed on."""
    if result is None or entry["v"] != "roll" or result.net is None:
        return ""
    table = session.pack.table(entry["t"])
    if not table.columns:
        return "in your own book" if table.owner else ""
    column = table.column(
        Facts(
            session.pack.sheet,
            before,
            {**table.bind(Facts(session.pack.sheet, before)), **entry.get("b", {}), **entry.get("w", {})},
        )
    )
    if result.natural:
        return "an unmodified roll decides"
    title = f"{column.title}: " if column.title else ""
    return f"{title}{column.rows.row(result.net)}"
