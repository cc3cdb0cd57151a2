"""Every way that one roll can go: each reading of its dice goes through the engine once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from companion.engine.dice import Dice, Hand
from companion.engine.fields import Value
from companion.engine.game import Game
from companion.engine.play import Play
from companion.engine.questions import DiceQuestion, RowQuestion
from companion.engine.resolution import Result
from companion.engine.work import Item
from companion.problems import OwnerTable, Question, Unanswered

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


def branches(
    game: Game,
    state: Mapping[str, Value],
    given: Mapping[str, Value],
    item: Item,
) -> list[Branch]:
    """Return every way that one roll can go; raise OwnerTable where only the player's book knows."""
    table = game.table(item["roll"])
    if table.unwritten or table.dice.count is None and not table.formula:
        raise OwnerTable(f"the rows of {table.id} are in your own book, and so are its odds")

    def once(dice: list[int] | None) -> tuple[Result | Question, Play]:
        play = Play(game, state, (), given)
        play.bare = True
        hand = Hand([dice] if dice else [])
        talk = play.roll(table.id, hand, item.get("bind", {}), take=item.get("take"), by_hand=False)
        try:
            return next(talk), play
        except StopIteration as done:
            return done.value, play
        finally:
            talk.close()

    came, play = once(None)
    asked = came if isinstance(came, DiceQuestion) else None
    every, of = list[Branch](), 6 ** (asked.dice.count or 0) if asked else 1
    for ways, dice in throws(asked.dice, table.formula) if asked else [(1, None)]:
        if asked:
            came, play = once(dice)
        if isinstance(came, RowQuestion):  # one unreadable row
            came = Result(table.id, table.title, applied=list(came.applied), outcome=IN_THE_BOOK)
            play = Play(game, state, (), given)
        if isinstance(came, Question):
            raise Unanswered(came)
        every.append(Branch(ways, of, came, [each for each in play.pending if "order" not in each], play.state))
    return every
