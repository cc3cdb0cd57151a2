"""What has happened, and why it came out so, for the page: pieces that the style sheet colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.packs import Pack
from companion.play.journal import settled
from companion.render.describe import entry_line, in_flight
from companion.render.explanation import explain
from companion.render.situation import Line

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.play.journal import Entry
    from companion.store.session import Session

LATEST = 8  # entries that are told where something else has written them


def told_of(results: Sequence[Result], session: Session) -> list[Line]:
    """Return what moves came to; how every mission begins is no news."""
    journal = session.mission.journal
    flying = any(not settled(entry) for entry in journal.entries[: journal.stand])
    shown = [each for each in results if not (each.decision and each.settled and not (each.shown or each.then))]
    for each in shown:
        if each.step and each.shown and not flying:
            each.shown = []
    return list(in_flight(shown, session, [], asked=False))


def title(pack: Pack) -> str:
    """Return what the game is called."""
    return str(pack.about.get("title", pack.name))


def plain(text: str) -> Line:
    """Return a line without styles."""
    return Line("  ", [(text, "")])


def fields_of(entries: Sequence[Entry]) -> set[str]:
    """Return the fields that entries have changed."""
    return {name for entry in entries for name in entry.get("c", {})}


def latest(session: Session) -> tuple[list[Line], set[str]]:
    """Return what was recorded last, where this page has not seen it come about, and the fields that it is about."""
    journal = session.mission.journal
    own = [each for each in journal.entries[: journal.stand] if not settled(each)]
    return [plain(entry_line(each, session.pack)) for each in own[-LATEST:]], fields_of(own[-LATEST:])


def why(session: Session, typed: str) -> dict[str, object]:
    """Return an entry with all that went into it, as the template shows it; raises a Problem where there is none."""
    explained = explain(session, typed or None)
    told = explained.told
    shown: dict[str, object] = {
        "number": explained.number, "stand": session.mission.journal.stand, "cite": told.cite,
        "title": entry_line(explained.entry, session.pack), "sums": [], "row": "", "because": explained.because,
        "changes": told.changes.arrows(), "notes": [f"{text}  {cite}".strip() for text, cite in told.notes],
    }  # fmt: skip
    if explained.result is None or told.verb == "step":
        return shown
    shown["sums"] = [(what, number, f"{reason}  {cite}".strip()) for what, number, reason, cite in told.sums()]
    if told.verb == "roll":
        shown["title"] = f"{told.called}{f' – {told.whom}' if told.whom else ''}"
        shown["row"] = f"{told.told} (row {explained.row_in_words})" if explained.row else told.told
    else:
        shown["title"] = f"{told.title if told.title.endswith(('?', ':')) else f'{told.title}:'} {told.told}"
    if told.assumed:
        shown["notes"] = [*(f"{text}  {cite}".strip() for text, cite in told.notes), f"assumed: {told.assumed}"]
    return shown
