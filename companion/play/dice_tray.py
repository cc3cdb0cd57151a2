"""The dice tray: dice rolled together are kept for exactly the rolls they were typed for.

Also the dice of a reroll, if the game allows one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, groupby, pairwise
from typing import NamedTuple

from companion.engine import dice as throws
from companion.engine.questions import DiceQuestion, Pending
from companion.engine.sheet import Member
from companion.engine.tables import Table
from companion.play.journal import Entry, dice_of
from companion.play.mission import Mission, rewound
from companion.problems import UserError
from companion.words import counted, series, slug, unhyphened

AUTO = ("auto", ".")  # typed to let the companion roll
PIPS = re.compile(r"[1-6][1-6,;]*")


class KeptDice(NamedTuple):
    """Dice kept for one roll, all that it needs or the first of them.

    `bind` is the subject of the roll; if the roll was only `foreseen`, just the fighter, since dice decide where it
    hits. `row` is the row from the player's rulebook, if it was typed too; then there may be no dice.
    """

    table: str
    bind: Mapping[str, str]
    name: str
    dice: list[int]
    foreseen: bool = False
    row: str | None = None

    @classmethod
    def of(cls, question: DiceQuestion, dice: list[int], *, foreseen: bool, row: str | None = None) -> KeptDice:
        """Return dice kept for that roll."""
        table, known = question.table, question.table.sheet.known
        slots = [name for name, each in known.items() if isinstance(each, Member) and each.present]
        bind = {name: str(value) for name, value in question.bind.items() if not foreseen or name in slots}
        return cls(table.id, bind, table.called if foreseen else table.number_printed, dice, foreseen, row)

    def fits(self, question: DiceQuestion) -> bool:
        """Return whether these dice were rolled for that roll."""
        asked = {name: str(value) for name, value in question.bind.items()}
        return self.table == question.table.id and self.bind.items() <= asked.items()

    def words(self) -> str:
        """Return the dice as text: `34`, or `34 on` with the row from the player's rulebook."""
        return " ".join(filter(None, ("".join(map(str, self.dice)), unhyphened(self.row or ""))))

    def pending(self, item: Pending) -> bool:
        """Return whether these dice were rolled for that pending roll."""
        same = (self.bind.get(key, str(value)) == str(value) for key, value in item.bind.items())
        return item.is_for("roll", self.table) and all(same)


class Tray:
    """Unused dice, in the order in which they were typed."""

    def __init__(self) -> None:
        self.lying: list[KeptDice] = []
        self.row: str | None = None  # the rulebook row typed with the dice taken last
        self.here = ""  # the place when dice were last asked for

    def __bool__(self) -> bool:
        return bool(self.lying)

    def words(self) -> str:
        """Name the dice and their rolls: `61, 34 for 4.6 Random event and 5 for 5-1 Resistance`."""
        return spoken(self.lying)

    def clear(self) -> str:
        """Discard all dice; return them in words."""
        words, self.lying = self.words(), []
        return words

    def settle(self, here: str, pending: Sequence[Pending], likely: Sequence[DiceQuestion] | None = ()) -> str:
        """Discard dice for rolls that will not come up; return them in words.

        A foreseen roll can still come up as long as the place is the same and it is pending or still `likely` (None if
        a decision comes first).
        """
        moved, self.here = here != self.here, here
        stale = list[KeptDice]()
        for each in self.lying:
            comes = any(each.pending(item) for item in pending)
            if each.foreseen:
                comes = not moved and (comes or likely is None or any(each.fits(roll) for roll in likely))
            if not comes:
                stale.append(each)
        self.lying = [each for each in self.lying if each not in stale]
        return spoken(stale)

    def unserved(self, rolls: Sequence[DiceQuestion]) -> list[DiceQuestion]:
        """Return the rolls without dice on the tray."""
        lying, left = list(self.lying), []
        for roll in rolls:
            fitting = (each for each in lying if each.fits(roll))
            own = next((each for each in fitting if each.row or len(each.dice) == roll.dice.count), None)
            if own is None:
                left.append(roll)
            else:
                lying.remove(own)
        return left

    def take(self, question: DiceQuestion) -> list[int] | None:
        """Take the dice kept for this roll; None if there are none, or too few (which are kept)."""
        lying = self._of(question)
        if lying is None or lying.row is None and len(lying.dice) < (question.dice.count or 1):
            return None
        self.lying.remove(lying)
        self.row = lying.row
        return lying.dice

    def part_of(self, question: DiceQuestion) -> list[int]:
        """Return the dice on the tray that are only part of this roll."""
        lying = self._of(question)
        return lying.dice if lying is not None else []

    def lay(self, dice: Sequence[int], rolls: Sequence[DiceQuestion], likely: Sequence[DiceQuestion] = ()) -> None:
        """Keep dice for these rolls and those that will likely follow, in order, no more than they need."""
        left, kind = list(dice), type(dice) if isinstance(dice, throws.Rolled) else list
        for at, each in enumerate([*rolls, *likely]):
            if left and (count := each.dice.count):
                self.lying.append(KeptDice.of(each, kind(left[:count]), foreseen=at >= len(rolls)))
                del left[:count]

    def typed(self, text: str, rolls: Sequence[DiceQuestion], likely: Sequence[DiceQuestion] = ()) -> list[int]:
        """Return the dice typed for the first of these rolls; keep those for the others.

        Raise a UserError for too few dice for the first roll, too many for all, or a grouping that does not fit.
        """
        question, *others = rolls
        if question.dice.count is None:  # as many as the rulebook calls for, if any
            return said(text, question.dice) if text else []
        part, count = self.part_of(question), question.dice.count or 0
        if text.casefold() in AUTO:
            thrown = [die for each in rolls for die in rolled(each.dice)]
            dice: list[int] = throws.Rolled([*part, *thrown[len(part) :]])
        else:
            dice = part + pips(text, [each.dice for each in [*rolls, *likely]], len(part))
        if len(dice) < count:
            question.dice.check(dice)
        if part:
            self.lying = [each for each in self.lying if each.dice is not part]
        kind = type(dice)
        self.lay(kind(dice[count:]), others, likely)
        return kind(dice[:count])

    def _of(self, question: DiceQuestion) -> KeptDice | None:
        fitting = [each for each in self.lying if each.fits(question)]
        return min(fitting, key=lambda each: each.foreseen, default=None)


def rolled(dice: throws.Dice) -> list[int]:
    from random import Random  # takes 2 ms to import

    return dice.throw(Random())


def dice_and_row(text: str, table: Table | None = None, count: int | None = None) -> tuple[list[int], str]:
    """Split text typed for a table of the player's rulebook into dice and row.

    Args:
        table: The table, whose rows may start with a number: `3 boxes`.
        count: The number of dice of that table, if known.

    >>> dice_and_row("26 middle"), dice_and_row("5 = moderate"), dice_and_row("3 4 none"), dice_and_row("none")
    (([2, 6], 'middle'), ([5], 'moderate'), ([3, 4], 'none'), ([], 'none'))
    >>> dice_and_row("26 3"), dice_and_row("26 -1"), dice_and_row("26"), dice_and_row("3 1", count=1)
    (([2, 6], '3'), ([2, 6], '-1'), ([2, 6], ''), ([3], '1'))
    """
    if table is not None and table.names(slug(text)):
        return [], text
    head, equals, row = text.partition("=")
    if equals and (not head.strip() or PIPS.fullmatch(head.split()[-1])):
        return said(head), row.strip()
    words = text.split()
    if words and words[0].casefold() in AUTO:
        return said(text, table.dice if table is not None else None), ""
    if table is not None and table.dice.sides != 6 and count:
        return throws.typed(" ".join(words[:count]), table.dice.sides), " ".join(words[count:])
    at = pips = 0
    while at < len(words) and PIPS.fullmatch(words[at]) and pips < (count or len(text)):
        pips += sum(map(str.isdigit, words[at]))
        at += 1
    if at == len(words) == 2 and len(words[0]) > len(words[1]):  # `26 3`: 2 and 6, then the row 3
        at = 1
    return said(" ".join(words[:at])), " ".join(words[at:])


def said(text: str, dice: throws.Dice | None = None) -> list[int]:
    """Parse dice: `34`, `auto 34` (rolled by the companion earlier), `auto` or `auto 2D` (rolled now)."""
    word, _, rest = text.strip().partition(" ")
    if word.casefold() not in AUTO:
        return throws.typed(text, dice.sides if dice is not None else 6)
    if rest and (other := re.fullmatch(r"\d*[dD]\d*", rest.strip())):
        dice = throws.parse(other[0])
    elif rest:
        return throws.Rolled(throws.typed(rest, dice.sides if dice is not None else 6))
    if dice is None or dice.count is None:
        raise UserError("Type how many dice your rulebook calls for, e.g. auto 2D.")
    return rolled(dice)


def spoken(lying: Sequence[KeptDice]) -> str:
    """Name dice and their rolls, with equal rolls grouped."""
    groups = ((name, list(group)) for name, group in groupby(lying, key=lambda each: each.name))
    return series([f"{', '.join(map(KeptDice.words, group))} for {name}" for name, group in groups])


def pips(text: str, asked: Sequence[throws.Dice], there: int = 0) -> list[int]:
    """Parse a line of dice for several rolls, of which `there` dice are known already.

    Spaces separate groups: `12 33` is refused for 1D, D66, 1D; `1233`, `1 23 3` or single dice are accepted. Raise a
    UserError for a wrong grouping, for text that is not a die, and for too many dice.

    >>> pips("34 55", [throws.parse("2D")] * 2), pips("3,4,5", [throws.parse("2D"), throws.parse("1D")])
    ([3, 4, 5, 5], [3, 4, 5])
    """
    if any(each.sides != 6 for each in asked):
        return other_dice(text, asked, there)
    groups: list[list[int]] = []
    for chunk in text.replace("/", " ").replace(";", " ").split():
        parts = [throws.typed(part) for part in chunk.split(",") if part]
        apart = all(len(part) == 1 for part in parts)
        groups += [[pip for part in parts for pip in part]] if apart and parts else parts
    dice = [pip for group in groups for pip in group]
    names = throws.named(asked)
    at, edges = there + len(dice), {*accumulate(map(len, groups), initial=there)}
    ends = [*accumulate((each.count or 0 for each in asked), initial=0)]
    for first, end in pairwise(ends):
        whole = {max(first, there), min(end, at)} <= edges
        if not whole and any(first < edge < min(end, at) for edge in edges - {there}):
            starts = [max(each - there, 0) for each in ends]
            runs = [dice[start:stop] for start, stop in pairwise([*starts, len(dice)])]
            read = " ".join("".join(map(str, run)) for run in runs if run)
            raise UserError(f"{text!r} doesn't fit {names}. If these are your dice, type {read}.")
    if at > ends[-1]:
        raise UserError(
            f"{text.strip()} is {throws.words(len(dice))}, but {names} needs {throws.words(ends[-1] - there)}."
        )
    return dice


def other_dice(text: str, asked: Sequence[throws.Dice], there: int) -> list[int]:
    """Parse a line of dice that are not all six-sided: a number for each die, 0 for the highest."""
    sides = [each.sides for each in asked for _ in range(each.count or 0)][there:]
    typed = re.findall(r"\d+", text)
    if len(typed) == 1 and (asked[0].count or 0) - there > 1:
        typed = list(typed[0])  # `73` for a 7 and a 3
    if len(typed) > len(sides) or re.search(r"[^\d,;/\s]", text):
        raise UserError(f"{text.strip()!r} doesn't fit {throws.named(asked)}. Type a number for each die, e.g. 7 3.")
    dice = [int(each) or most for each, most in zip(typed, sides, strict=False)]
    for die, most in zip(dice, sides, strict=False):
        if die > most:
            raise UserError(f"a die shows 1 to {most}, not {die}. Type a number for each die, e.g. 7 3.")
    return dice


# -- rerolls, if the game allows them: the rabbit's foot of the B-17 ---------------------------------------------------


def reroll_command(mission: Mission) -> str:
    """Return the command for a reroll of the last dice; empty if none is left."""
    spent = mission.game.about.at_table.again
    return spent.words if spent and int(mission.facts()[spent.field]) else ""


def reroll_last(mission: Mission, count: int, tray: Tray) -> Entry:
    """Take back the last roll, or the one that many rolls before, so that its dice are rerolled.

    Dice rolled together with it remain on the tray. Return its entry; raise UserError if this is not possible.
    """
    spent = mission.game.about.at_table.again
    if not spent:
        raise UserError("Nothing in this game lets you roll dice again.")
    field, label = spent.field, spent.words
    entries = mission.journal.recorded
    thrown = [at for at, entry in enumerate(entries) if entry["v"] == "roll" and entry.get("d")]
    if not 1 <= count <= len(thrown):
        only = f"Only {counted(len(thrown), 'roll')} can be taken back."
        raise UserError(only if thrown else "No dice have been rolled yet.")
    if not reroll_command(mission):
        ever = any(field in entry.get("c", {}) for entry in entries)
        raise UserError(f"There is no {label} {'left' if ever else 'on the sheet'}.")
    at = thrown[-count]
    earlier = rewound(mission, at)
    had = int(earlier.facts()[field])
    written = [int(each["c"][field][1] or 0) for each in entries[at:] if field in each.get("c", {})]
    unspent = min([had, *written])  # rerolls used since remain used; rerolls gained since are lost, and are used first
    if unspent < 1:
        raise UserError(f"The {label} came only after that roll.")
    mission.go_to_entry(at)
    mission.cross(field, had - unspent + 1, "erase")
    tray.clear()
    for entry in _pending_before(entries[at + 1 :], earlier):
        bind = {name: str(value) for name, value in entry.get("b", {}).items()}
        tray.lying.append(KeptDice(entry["t"], bind, mission.game.table(entry["t"]).number_printed, dice_of(entry)))
    return entries[at]


def _pending_before(entries: Sequence[Entry], earlier: Mission) -> Iterator[Entry]:
    """Yield the rolls that were already pending at the earlier one; they do not depend on its result."""
    waited = [item for item in earlier.pending if item.kind == "roll"]
    for entry in entries:
        bind = entry.get("b", {}).items()
        asked = (item for item in waited if item.name == entry["t"] and item.bind.items() <= bind and entry.get("d"))
        if (item := next(asked, None)) is not None:
            waited.remove(item)
            yield entry
