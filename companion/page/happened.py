"""What has happened, how things stand and how it ended, in pieces that the style sheet colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from companion.packs import Pack
from companion.play.journal import settled
from companion.render.entries import in_words
from companion.render.lines import Line, lines
from companion.render.results import changed

if TYPE_CHECKING:
    from companion.engine.resolution import Result
    from companion.play.journal import Entry
    from companion.store.session import Session

Piece = tuple[str, str]  # a class of the style sheet, and text
LATEST = 8  # entries that are told where something else has written them
CLASSES = {
    "bold green": "row",
    "bold red": "bad",
    "dim": "dim",
    "magenta": "note",
    "yellow": "change",
    "bold": "strong",
}


def told_of(results: Sequence[Result], session: Session) -> list[Line]:
    """What moves came to; how every mission begins is no news."""
    shown = [each for each in results if not (each.decision and each.settled and not (each.shown or each.then))]
    for each in shown:
        if each.step and each.shown and not _flying(session):
            each.shown = []
    return list(lines(shown, session, [], asked=False))


def changed_by_hand(session: Session, result: Result) -> list[Line]:
    """What writing on the sheet came to."""
    told = [Line(2, Text(f"{label}: {change}", style="yellow")) for label, change in changed(result, session)]
    told += [Line(2, Text.assemble((text, "magenta"), (f"  {cite}", "dim"))) for text, cite in result.notes]
    return told or [plain("Nothing changed: it stood so already.")]


def title(pack: Pack) -> str:
    return str(pack.about.get("title", pack.name))


def plain(text: str) -> Line:
    return Line(2, Text(text))


def _flying(session: Session) -> bool:
    """Whether more than the setting up of the mission stands in the journal."""
    journal = session.mission.journal
    return any(not settled(entry) for entry in journal.entries[: journal.stand])


def fields_of(entries: Sequence[Entry]) -> set[str]:
    """The fields that entries have changed."""
    return {name for entry in entries for name in entry.get("c", {})}


def latest(session: Session) -> tuple[list[Line], set[str]]:
    """What was recorded last, where this page has not seen it come about, and the fields that it is about."""
    journal = session.mission.journal
    own = [each for each in journal.entries[: journal.stand] if not settled(each)]
    return [plain(in_words(each, session.pack)) for each in own[-LATEST:]], fields_of(own[-LATEST:])


def pieces(text: Text) -> list[Piece]:
    """A line with its styles as classes: what is bold and green is `row`, what is red is `bad`."""
    plain, cuts = text.plain, {0, len(text.plain)}
    for span in text.spans:
        cuts |= {span.start, span.end}
    edges = sorted(cut for cut in cuts if cut <= len(plain))
    whole = CLASSES.get(str(text.style), "")
    out: list[Piece] = []
    for start, end in zip(edges, edges[1:], strict=False):
        style = next((str(each.style) for each in reversed(text.spans) if each.start <= start and end <= each.end), "")
        out.append((CLASSES.get(style, whole), plain[start:end]))
    return out
