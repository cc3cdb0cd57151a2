"""Dice as they are thrown: a hand throws several at once, and what is not asked for yet lies on the tray."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from companion.engine import dice as throws
from companion.engine.fields import Value
from companion.engine.questions import DiceQuestion
from companion.play.ahead import Foreseen
from companion.words import counted, series

Key = tuple[str, tuple[tuple[str, str], ...] | None]  # a table, and what it is rolled for (None where nobody knows yet)


LISTED = 5  # throws that are named one by one


class Lying:
    """The dice that lie ready for one roll: so many of those that it takes. Without a key for whatever comes."""

    def __init__(self, key: Key | None, name: str, dice: list[int]) -> None:
        self.key, self.name, self.dice = key, name, dice

    def words(self) -> str:
        """`61 for 4.6 Random event`."""
        return f"{''.join(map(str, self.dice))}{f' for {self.name}' if self.name else ''}"


class Tray:
    """Dice thrown and not yet used, in the order in which they were typed; none of them is ever lost without a word."""

    def __init__(self) -> None:
        self.lying: list[Lying] = []
        self.here = ""  # where we were when dice were last asked for
        self.shown = ""  # what was last said to lie there

    def __bool__(self) -> bool:
        return bool(self.lying)

    def words(self) -> str:
        """What lies there: `61, 34 for 4.6 Random event and 5`."""
        by_name = [(name, list(group)) for name, group in groupby(self.lying[:LISTED], key=lambda each: each.name)]
        named = [
            ", ".join([*(Lying(None, "", each.dice).words() for each in group[:-1]), group[-1].words()])
            for _, group in by_name
        ]
        over = len(self.lying) - LISTED
        return series([*named, *([counted(over, "more throw")] if over > 0 else [])])

    def news(self) -> str:
        """What lies there, where that is not what was said last."""
        words, before = self.words(), self.shown
        self.shown = words
        return words if words != before else ""

    def pips(self) -> str:
        """What lies there, short: `61, 34, 5`."""
        each = ["".join(map(str, lying.dice)) for lying in self.lying]
        return ", ".join([*each[:LISTED], *(["…"] if len(each) > LISTED else [])])

    def clear(self) -> str:
        """Put all away; gives what it was."""
        words, self.lying = self.words(), []
        return words

    def settle(self, here: str, pending: Collection[str]) -> str:
        """Put away what is for rolls that will not come: those of where we no longer are, and of tables that nothing
        asks for any more (`pending` are those that are asked for). Gives what it was."""
        moved, self.here = here != self.here, here
        stale = [
            each
            for each in self.lying
            if each.key is not None and (moved if each.key[1] is None else each.key[0] not in pending)
        ]
        self.lying = [each for each in self.lying if each not in stale]
        return series([each.words() for each in stale])

    def unserved(self, rolls: Sequence[DiceQuestion]) -> list[DiceQuestion]:
        """The first of these rolls, and those behind it for which no dice lie there yet."""
        lying, left = list(self.lying), list(rolls[:1])
        for roll in rolls[1:]:
            keys = (key_of(roll.table.id, roll.bind), (roll.table.id, None))
            own = next((each for each in lying if each.key in keys and len(each.dice) == roll.dice.count), None)
            if own is None:
                left.append(roll)
            else:
                lying.remove(own)
        return left

    def take(self, question: DiceQuestion) -> list[int] | None:
        """The dice that were thrown for this roll; None when none were, or too few (which lie there still)."""
        lying = self._of(question.table.id, question.bind)
        if lying is None or question.dice.count is None or len(lying.dice) < question.dice.count:
            return None
        self.lying.remove(lying)
        return lying.dice

    def part_of(self, question: DiceQuestion) -> list[int]:
        """Some of the dice of this roll that lie there already; they leave the tray."""
        lying = self._of(question.table.id, question.bind)
        if lying is None:
            return []
        self.lying.remove(lying)
        return lying.dice

    def first(self, count: int, due: Collection[str] = ()) -> list[int] | None:
        """The first dice that lie there for nothing in particular, else for a roll that may not come, where they are
        as many as a roll takes; they leave the tray. Those for a table that is `due` stay there for it."""
        over = next((each for each in self.lying if each.key is None and len(each.dice) >= count), None)
        if over is not None:
            dice, over.dice = over.dice[:count], over.dice[count:]
            self.lying = [each for each in self.lying if each.dice]
            return dice
        free = [each for each in self.lying if each.key is None or each.key[0] not in due]
        if free and len(free[0].dice) == count:
            self.lying.remove(free[0])
            return free[0].dice
        return None

    def lay(self, dice: Sequence[int], rolls: Sequence[DiceQuestion], likely: Sequence[Foreseen]) -> None:
        """Lay down dice for these rolls and those that will likely follow, in order; what is over lies there too."""
        left = list(dice)
        named = [(key_of(each.table.id, each.bind), each.table.number_printed, each.dice.count or 0) for each in rolls]
        named += [((each.table, None), f"{each.number} {each.title}", each.dice.count or 0) for each in likely]
        for key, name, count in named:
            if left and count:
                self.lying.append(Lying(key, name, left[:count]))
                del left[:count]
        if left:
            self.lying.append(Lying(None, "", left))

    def _of(self, table: str, bind: Mapping[str, Value]) -> Lying | None:
        keys = (key_of(table, bind), (table, None))
        return next((each for each in self.lying if each.key in keys), None)


def shared_out(dice: Sequence[int], rolls: Sequence[DiceQuestion], likely: Sequence[Foreseen]) -> str:
    """Which of these dice are for which of the rolls, where they do not come out even: `3 for 4-7 and 4 for 4-8 (1 die
    is missing)`; empty where there is nothing to say."""
    tray = Tray()
    tray.lay(dice, rolls, likely)
    thrown = [*(each.dice for each in rolls), *(each.dice for each in likely)]
    counts = [each.count for each in thrown if each.count]
    for_rolls = [each for each in tray.lying if each.key is not None]
    missing = sum(counts[: len(for_rolls)]) - sum(len(each.dice) for each in for_rolls)
    if len(counts) < 2 or not for_rolls or not missing and len(for_rolls) == len(tray.lying):
        return ""
    tray.lying = for_rolls
    return tray.words() + (f" ({'1 die is' if missing == 1 else f'{missing} dice are'} missing)" if missing else "")


def key_of(table: str, bind: Mapping[str, Value]) -> Key:
    """A table and what it is rolled for."""
    return table, tuple(sorted((name, str(value)) for name, value in bind.items()))


def pips(text: str) -> list[int]:
    """All dice of a line, however they stand: `34 55 61`, `3,4 5,5`, `345561`. Raises Problem for what is no die.

    >>> pips("34 55"), pips("3,4,5")
    ([3, 4, 5, 5], [3, 4, 5])
    """
    tokens = text.replace(",", " ").replace("/", " ").replace(";", " ").split()
    return [pip for token in tokens for pip in throws.typed(token)]
