"""What a player types at a question of a flight instead of its answer: a mark on the sheet, a man who moves, a roll
that nobody asked for, a look at a table. The question comes back afterwards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from companion.cli.picking import Cancelled
from companion.engine.resolution import Result
from companion.play.dice_tray import Tray
from companion.play.mission import Mission
from companion.play.moving import moved, ways_of
from companion.play.phrases import dice_said, marks, move_said, roll_said
from companion.play.replay import throw_again
from companion.problems import UserError
from companion.render.describe import by_hand, entry_line, skipped
from companion.words import bare, figure

if TYPE_CHECKING:
    from rich.console import Console

    from companion.packs import Pack
    from companion.store.session import Session

Typed = tuple[str, str]  # the command, and what stands behind it

WORDS = ("mark", "move", "again", "roll", "show", "skip", "why")
BACK = re.compile(r"(u|undo|r|redo)\s+(\d+)", re.IGNORECASE)
BOMBER = (
    "= tail guns jammed   write on the sheet      move navigator to bombardier\n"
    "roll 6-3, show 6-3   a table beside this     why, why 6-3   what decided it\n"
)
CARDS = "= WHAT VALUE         write on the sheet      why            what decided it\n"
TIMES = (
    "u 3   take three things back                 r 3   put three forward again\n"
    "skip                 strike what is asked    skip 2          strike the second thing pending"
)


def help_of(pack: Pack) -> str:
    """What may be typed beside an answer, with the tips of the pack; a game without dice has no bomber either."""
    tips = [f"\n{typed:<20} {what}" for typed, what in pack.about.at_table.tips.items()]
    return f"{BOMBER if pack.throws_dice else CARDS}{TIMES}{''.join(tips)}"


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
    if head == "skip" and (not rest or figure(rest) is not None):
        return "skip", rest
    move = move_said(typed) if head == "move" else None
    if move and (not free or _is_move(mission, *move)):
        return "move", ">".join(move)
    spent = mission.game.about.at_table.again
    if spent and bare(typed).startswith(bare(spent.words)):
        behind = bare(typed)[len(bare(spent.words)) :]
        return ("again", behind) if not behind or figure(behind) is not None else None
    return None


def _is_mark(mission: Mission, text: str) -> bool:
    try:
        return bool(marks(mission, text, alone=False))
    except UserError:
        return False


def _is_move(mission: Mission, who: str, where: str) -> bool:
    try:
        return bool(ways_of(mission, who, where))
    except UserError:
        return False


def _is_table(mission: Mission, name: str) -> bool:
    try:
        return bool(mission.game.table(name))
    except UserError:
        return False


def carry_out(word: str, rest: str, session: Session, tray: Tray, out: Console) -> list[Result]:
    """Do what was typed; gives the rolls and decisions that it came to. Raises a UserError that says why it cannot be;
    nothing has happened then."""
    if word == "mark":
        _mark(session, rest, out)
    elif word == "move":
        who, _, where = rest.partition(">")
        return moved(session.mission, who.strip(), where.strip())
    elif word == "again":
        entry = throw_again(session.mission, int(rest or 1), tray)
        field = session.mission.game.about.at_table.again.field
        out.print(f"Thrown again: {entry_line(entry, session.pack)}")
        out.print(f"{session.pack.sheet.text(field)} left: {session.mission.state.get(field, 0)}")
    elif word == "roll":
        return _roll(session, rest, tray)
    elif word == "skip":
        out.print(f"Skipped: {skipped(session.mission.skip(figure(rest or '1') or 0), session.pack)}")
    elif word == "show":
        from companion.cli.show import show_table

        show_table(session, rest, out=out)
    else:
        from companion.cli.terminal import show
        from companion.render.explanation import explain

        show(explain(session, rest or None).lines(), out)
    return []


def _mark(session: Session, text: str, out: Console) -> None:
    from companion.cli.terminal import show

    marked = dict(marks(session.mission, text))
    result = session.mission.write(marked)
    show(by_hand(result, session.pack, marked), out)


def _roll(session: Session, text: str, tray: Tray) -> list[Result]:
    """A table that nobody asked for, with dice or a fighter in words behind it."""
    from companion.cli.describing import Hand, described_roll
    from companion.play.conversation import Answers

    table, rest = roll_said(session.pack, text)
    groups, words = dice_said(rest)
    answers = Answers(groups)
    hand = Hand(session.mission)
    try:
        results = described_roll(session, table.id, hand, answers, words, asking=True)
    except Cancelled:
        raise UserError("Left; nothing was recorded") from None
    tray.lying += hand.tray.lying
    return results
