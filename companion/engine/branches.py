"""Every way that one roll can go: each reading of its dice goes through the engine once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

from companion.engine.dice import Dice, Hand
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.game import Game
from companion.engine.play import Play
from companion.engine.questions import DiceQuestion, RowQuestion
from companion.engine.resolution import Resolution, Result
from companion.engine.work import Item, Work
from companion.problems import OwnerTable, Unanswered

IN_THE_BOOK = "in-your-book"
Throw = tuple[int, list[int] | None]  # in how many ways, and dice that read so; None where nothing is thrown


@dataclass(eq=False, repr=False)
class Branch:
    """One way that a roll can go: in `ways` of `of`, with what it came to, what it asks for and the sheet after it."""

    ways: int
    of: int
    result: Result
    asks: list[Item]
    state: dict[str, Value]

    @property
    def chance(self) -> Fraction:
        """How likely it is."""
        return Fraction(self.ways, self.of)


def throws(dice: Dice, apart: bool) -> list[Throw]:
    """Every reading with its ways; `apart` tells the dice of a formula from each other."""
    if apart:
        return [(1, list(each)) for each in product(range(1, 7), repeat=dice.count or 0)]
    return [(ways, _reading(dice, total)) for total, ways in dice.readings()]


def _reading(dice: Dice, total: int) -> list[int]:
    """Dice that read as that total."""
    if dice.tens:
        return [total // 10, total % 10]
    dice_shown, left = [], total
    for others in range((dice.count or 0) - 1, -1, -1):
        dice_shown.append(min(6, left - others))
        left -= dice_shown[-1]
    return dice_shown


class Watched(Facts):
    """Facts that tell which names were read. What a row binds for itself comes from its dice and is not told, nor is
    the member that a sentence goes through."""

    __slots__ = ("local", "seen", "through")

    def __init__(self, facts: Facts, seen: set[str]) -> None:
        super().__init__(facts.sheet, facts, noting=False)
        self.given = facts.given
        self.seen = seen
        self.local: list[Mapping[str, Value | None]] = []  # what is bound; the first is the pending item's own
        self.through: list[str] = []

    def __getitem__(self, name: str) -> Value:
        if name not in self.seen and name not in self.through and not any(name in bound for bound in self.local[1:]):
            self.seen.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Like that of a dict: nothing is worked out."""
        self.seen.add(name)
        return super().get(name, default)

    def change(self, name: str, value: Value | None) -> None:
        """As ever; what it compares is not read."""
        if value is None:
            super().change(name, None)
            return
        self.given.add(name)
        self.worked_out.discard(name)
        if dict.get(self, name) == value:
            return
        self[name] = value
        self._anew(name)

    def _anew(self, name: str) -> None:
        """Forget what was worked out from it, whatever it is now: nobody was told that it was read."""
        for each in self.worked_out & self.sheet.readers.forget(name):
            self.worked_out.discard(each)
            if each not in self.given:
                del self[each]

    def bind(self, names: Mapping[str, Value]) -> dict[str, Value | None]:
        """Bind names for a while."""
        before: dict[str, Value | None] = {name: self._given(name) for name in names}
        for name, value in names.items():
            self.change(name, value)
        self.local.append(before)
        return before

    def unbind(self, before: Mapping[str, Value | None]) -> None:
        """Put back what `bind` covered."""
        self.local = [each for each in self.local if each is not before]
        super().unbind(before)
        for name in before:
            self._anew(name)

    def _given(self, name: str) -> Value | None:
        return dict.get(self, name) if name in self.given else None

    def hold(self, name: str) -> Value | None:
        """What a name is bound to while members are gone through."""
        before = self._given(name)
        self.through.append(name)
        return before

    def release(self, name: str, before: Value | None) -> None:
        """They have been gone through."""
        self.through.remove(name)
        super().release(name, before)
        self._anew(name)


class Try(Play):
    """A play for trying out one reading after another. `seen` are the names that any of them read or wrote."""

    def __init__(self, game: Game, state: Mapping[str, Value], given: Mapping[str, Value], seen: set[str]) -> None:
        super().__init__(game, state, (), given)
        self.noting = False
        self.seen = seen
        self.facts = Watched(self.facts, seen)

    def resolution(self, result: Result) -> Resolution:
        """One that tells what it writes."""
        return WatchedResolution(self, result, self.seen)


class WatchedResolution(Resolution):
    """A resolution that tells which names it wrote or emptied."""

    def __init__(self, work: Work, result: Result, seen: set[str]) -> None:
        super().__init__(work, result)
        self.seen = seen

    def change(self, name: str, value: Value | None) -> None:
        """Write one field: what stood there decides whether anything follows."""
        self.seen.add(name)
        super().change(name, value)

    def _event(self, name: str) -> None:
        self.seen.update(self.game.rules.until.get(name, ()))
        super()._event(name)

    def clear(self, index: str) -> None:
        """Empty the bound slot: what stands in it decides what follows."""
        start = f"{index}.{self.facts[index]}."
        self.seen.update(each for each in self.sheet.fields if each.startswith(start))
        super().clear(index)


def branches(
    game: Game,
    state: Mapping[str, Value],
    given: Mapping[str, Value],
    item: Item,
    tick: Callable[[], None],
    seen: set[str] | None = None,
) -> list[Branch]:
    """Every way that one roll can go; raises OwnerTable where only the player's book knows. `seen` is told every
    name that played a part."""
    table = game.table(item["roll"])
    if table.unwritten or table.dice.count is None and not table.formula:
        raise OwnerTable(f"the rows of {table.id} are in your own book, and so are its odds")

    def once(dice: list[int] | None) -> tuple[Result, Play]:
        tick()
        play = Play(game, state, (), given) if seen is None else Try(game, state, given, seen)
        play.bare = True
        hand = Hand([dice] if dice else [])
        return play.roll(table.id, hand, item.get("bind", {}), take=item.get("take"), by_hand=False), play

    try:
        result, play = once(None)
    except Unanswered as missing:
        if not isinstance(question := missing.question, DiceQuestion):
            raise
        every, of = list[Branch](), 6 ** (question.dice.count or 0)
        for ways, dice in throws(question.dice, table.formula):
            try:
                result, play = once(dice)
            except Unanswered as missing:  # one unreadable row
                if not isinstance(row := missing.question, RowQuestion):
                    raise
                result = Result(table.id, table.title, applied=list(row.applied), outcome=IN_THE_BOOK)
                play = Play(game, state, (), given)
            every.append(Branch(ways, of, result, [each for each in play.pending if "order" not in each], play.state))
        return every
    return [Branch(1, 1, result, [each for each in play.pending if "order" not in each], play.state)]
