"""Why something came out as it did, for the page."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from companion.packs import tables_folder
from companion.play.mission import worked_out_again
from companion.play.reasons import reasons
from companion.problems import Problem
from companion.render.because import entry_number, row_in_words, row_of
from companion.render.entries import changes, in_words
from companion.render.results import assumed, binding, bindings_of, changed
from companion.store.files import home

if TYPE_CHECKING:
    from companion.store.session import Session


def without_paths(problem: Problem) -> str:
    """What is wrong as a phone is told it: of a file of this machine only its name.

    >>> without_paths(Problem("cannot write /home/zoe/games/mission-01.json: disk full; nothing was recorded"))
    'cannot write mission-01.json: disk full; nothing was recorded'
    """
    text = str(problem)
    for folder in (home(), tables_folder()):  # such as have blanks in their names
        text = text.replace(f"{folder}{os.sep}", os.sep).replace(str(folder), "the data folder")
    return re.sub(r"(?<![^\s('\"])(?:[A-Za-z]:)?[\\/](?:[^\s:;,'\"()]+[\\/])*(?=[^\s:;,'\"()])", "", text)


class Why(TypedDict):
    """An entry with all that went into it: what the template shows."""

    number: int
    stand: int
    title: str
    cite: str
    sums: Sequence[tuple[str, str, str]]  # what it is (dice, a modifier, the net), the figure, why with its section
    row: str
    because: Sequence[str]
    changes: Sequence[str]
    notes: Sequence[str]


def why(session: Session, typed: str) -> Why:
    """The entry of that number, or what somebody did last, worked out again; raises a Problem where it is none."""
    mission, pack = session.mission, session.pack
    at = entry_number(typed or None, session)
    entry, result, before = worked_out_again(mission, at)
    shown = Why(
        number=at, stand=mission.journal.stand, title=in_words(entry, pack), cite="", sums=[], row="", because=[],
        changes=list(changes(entry, pack)), notes=[],
    )  # fmt: skip
    if result is None or result.step:
        return shown
    result.outcome = str(entry.get("o", result.outcome))
    if result.decision:
        what = result.title if result.title.endswith(("?", ":")) else f"{result.title}:"
        shown["title"] = f"{what} {result.text or pack.sheet.read_out(result.outcome)}"
    else:
        table = pack.table(result.table)
        shown["title"] = f"{table.called}{binding(bindings_of(result, session), pack)}"
        sums = [("dice", str(result.rolled), " + ".join(map(str, result.dice)))] if result.dice else []
        sums += [("", f"{each.add:+d}", f"{each.why}  {each.modifier.cite}".strip()) for each in result.applied]
        if result.applied and result.net is not None:
            sums.append(("net", str(result.net), "the unmodified roll decides" if result.natural else ""))
        shown["sums"] = sums
        text = result.text or pack.sheet.read_out(result.outcome)
        landed = row_of(entry, result, session, before)
        shown["row"] = f"{text} (row {row_in_words(landed)})" if landed else text
    shown["cite"] = result.cite or ""
    shown["because"] = reasons(pack, before, entry, result)
    shown["changes"] = [f"{label}: {change}" for label, change in changed(result, session)]
    shown["notes"] = [f"{text}  {cite}".strip() for text, cite in result.notes]
    if result.assumed:
        shown["notes"] = [*shown["notes"], f"assumed: {assumed(result, session)}"]
    return shown
