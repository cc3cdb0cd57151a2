"""What a player types at a question of a flight instead of its answer: a mark on the sheet, a man who moves, a roll
that nobody asked for, a look at a table. The question comes back afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.cli.session import Left
from companion.engine import dice as throws
from companion.engine.facts import Facts
from companion.engine.resolution import Result
from companion.engine.spec import Spec
from companion.play.marking import marks
from companion.play.mission import Mission, stood
from companion.play.moving import moved, ways_of
from companion.play.tray import Lying, Tray, key_of
from companion.printing.entries import in_words
from companion.problems import Problem
from companion.words import bare, figure

if TYPE_CHECKING:
    from rich.console import Console

    from companion.campaign.session import Session
    from companion.play.journal import Entry

Typed = tuple[str, str]  # the command, and what stands behind it

WORDS = ("mark", "move", "again", "roll", "show", "why")
MOVE = re.compile(r"move\s+(.+?)\s+(?:to|into)\s+(.+)", re.IGNORECASE)
BACK = re.compile(r"(u|undo|r|redo)\s+(\d+)", re.IGNORECASE)
HELP = (
    "= tail guns jammed   write on the sheet      move navigator to bombardier\n"
    "roll 6-3, show 6-3   a table beside this     why, why 6-3   what decided it\n"
    "u 3   take three things back                 r 3   put three forward again"
)


def read(typed: str, mission: Mission, *, free: bool) -> Typed | None:
    """The command in a line; None where it is an answer. `free`: whether the answer may be any words."""
    head, _, rest = typed.partition(" ")
    head, rest = head.casefold(), rest.strip()
    if counted := BACK.fullmatch(typed):
        return {"u": "undo", "r": "redo"}[counted[1][0].casefold()], counted[2]
    if head == "=" and rest:
        return ("mark", rest) if not free or _is_mark(mission, rest) else None
    if head in ("roll", "show") and rest:
        return (head, rest) if not free or _is_table(mission, rest.split()[0]) else None
    if head == "why" and (not rest or not free or _is_table(mission, rest) or figure(rest) is not None):
        return "why", rest
    if (move := MOVE.fullmatch(typed)) and (not free or _is_move(mission, move[1], move[2])):
        return "move", f"{move[1]}>{move[2]}"
    spent = again_of(mission)
    if spent and bare(typed).startswith(bare(spent["words"])):
        behind = bare(typed)[len(bare(spent["words"])) :]
        return ("again", behind) if not behind or figure(behind) is not None else None
    return None


def again_of(mission: Mission) -> Spec:
    """What of the game lets dice be thrown again; empty where nothing does."""
    spent: Spec = mission.game.about.get("at-table", {}).get("again", {})
    return spent


def _is_mark(mission: Mission, text: str) -> bool:
    try:
        return bool(marks(mission, text))
    except Problem:
        return False


def _is_move(mission: Mission, who: str, where: str) -> bool:
    try:
        return bool(ways_of(mission, who, where))
    except Problem:
        return False


def _is_table(mission: Mission, name: str) -> bool:
    try:
        return bool(mission.game.table(name))
    except Problem:
        return False


def carry_out(word: str, rest: str, session: Session, tray: Tray, out: Console) -> list[Result]:
    """Do what was typed; gives the rolls and decisions that it came to. Raises a Problem that says why it cannot be;
    nothing has happened then."""
    if word == "mark":
        _mark(session, rest, out)
    elif word == "move":
        who, _, where = rest.partition(">")
        return moved(session.mission, who.strip(), where.strip())
    elif word == "again":
        _again(session, int(rest or 1), tray, out)
    elif word == "roll":
        return _roll(session, rest, tray)
    elif word == "show":
        from companion.cli.show import show_table

        show_table(session, rest, out=out)
    else:
        from companion.cli.why import tell

        tell(session, rest or None, out=out)
    return []


def _mark(session: Session, text: str, out: Console) -> None:
    sheet = session.pack.sheet
    marked = dict(marks(session.mission, text))
    result = session.mission.write(marked)
    for name, before, after in result.shown:
        if name not in marked and sheet.fields[name].section == "working":
            continue  # what only the companion reckons with
        out.print(f"{sheet.text(name)}: {_shown(session, name, before)} → {_shown(session, name, after)}")
    if not result.shown:
        out.print("Nothing changed: it stood so already.")
    for note, cite in result.notes:
        out.print(f"{note} ({cite})" if cite else note)


def _shown(session: Session, name: str, value: object) -> str:
    return "–" if value in ("", None) else session.pack.sheet.say(name, value)  # type: ignore[arg-type]


def _roll(session: Session, text: str, tray: Tray) -> list[Result]:
    """A table that nobody asked for, with dice or a fighter in words behind it."""
    from companion.cli.describing import Hand, described_roll
    from companion.play.conversation import Answers

    table, _, rest = text.partition(" ")
    answers, words = Answers(), ""
    if rest and re.fullmatch(r"[\d,/ ]+", rest):
        answers.groups = [throws.typed(part) for part in rest.replace("/", " ").split()]
    else:
        words = rest
    session.pack.table(table)
    hand = Hand(session.mission)
    try:
        results = described_roll(session, table, hand, answers, words, asking=True)
    except Left:
        raise Problem("Left; nothing was recorded") from None
    tray.lying += hand.tray.lying
    return results


def _again(session: Session, count: int, tray: Tray, out: Console) -> None:
    """The dice that were thrown last, or so many throws before, are thrown again; those behind them stand."""
    mission, spent = session.mission, again_of(session.mission)
    field, label = str(spent["field"]), str(spent["words"])
    entries = mission.journal.entries[: mission.journal.stand]
    thrown = [at for at, entry in enumerate(entries) if entry["v"] == "roll" and entry.get("d")]
    if not 1 <= count <= len(thrown):
        raise Problem("no dice have been thrown yet" if not thrown else f"only {len(thrown)} throws can be taken back")
    at = thrown[-count]
    earlier = stood(mission, at)
    if int(Facts(mission.game.sheet, mission.state)[field]) < 1:
        raise Problem(f"there is no {label} left" if _ever(mission, field) else f"there is no {label} on the sheet")
    if int(Facts(mission.game.sheet, earlier.state)[field]) < 1:
        raise Problem(f"the {label} came only after that roll")
    mission.stand_at(at)
    mission.cross(field, 1, "erase")
    tray.clear()
    for entry in _thrown_along(entries[at + 1 :], earlier):
        key, number = key_of(entry["t"], entry.get("b", {})), mission.game.table(entry["t"]).number_printed
        tray.lying.append(Lying(key, number, entry["d"]))
    out.print(f"Thrown again: {in_words(entries[at], session.pack)}")
    left = int(Facts(mission.game.sheet, mission.state)[field])
    out.print(f"{session.pack.sheet.text(field)} left: {left}")


def _thrown_along(entries: Sequence[Entry], earlier: Mission) -> Iterator[Entry]:
    """The rolls that waited already when an earlier one was thrown: whatever that comes to, they stand."""
    waited = [item for item in earlier.pending if "roll" in item]
    for entry in entries:
        bind = entry.get("b", {}).items()
        for item in waited:
            if item["roll"] == entry["t"] and item.get("bind", {}).items() <= bind and entry.get("d"):
                waited.remove(item)
                yield entry
                break


def _ever(mission: Mission, field: str) -> bool:
    return any(field in entry.get("c", {}) for entry in mission.journal.entries[: mission.journal.stand])
