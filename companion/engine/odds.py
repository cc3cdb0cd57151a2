"""Exact chances of one table in the current state: each dice total is resolved by the engine once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

from companion.engine.dice import Dice, Hand
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import DiceQuestion, Pending, RowQuestion, settle
from companion.engine.resolution import Result
from companion.engine.rules import Game
from companion.engine.tables import Applied
from companion.problems import MissingAnswer, OwnerTable, Question
from companion.words import figure

IN_THE_BOOK = "in-your-book"


@dataclass(eq=False, repr=False)
class Odds:
    """The chances of one table: for every outcome, the number of dice combinations out of `of`."""

    table: str
    title: str
    dice: str
    ways: dict[str, int] = field(default_factory=dict)
    of: int = 1
    applied: Sequence[Applied] = ()
    assumed: dict[str, Value] = field(default_factory=dict)


class Branch(NamedTuple):
    """One way that a roll can go: `ways` out of `of`, with its result and the sheet and pending list afterward."""

    ways: int
    of: int
    result: Result
    play: Play


def odds(game: Game, state: Mapping[str, Value], given: Mapping[str, Value], item: Pending) -> Odds:
    """Return the chances of one table, with formulas worked out to numbers.

    Raise OwnerTable if the rows are only in the player's rulebook.
    """
    table = game.table(item.name)
    Play(game, state, (), given).make_sense(item)
    chances = Odds(table.id, table.title, table.dice.name)
    counted: list[tuple[int, int, str]] = []
    for branch in branches(game, state, given, item):
        chances.applied = chances.applied or branch.result.applied
        chances.assumed.update(branch.result.assumed)
        inner = _formula(game, branch)
        if inner is None:
            counted.append((branch.ways, branch.of, branch.result.outcome))
            continue
        for each in branches(game, branch.play.state, given, inner):
            counted.append((branch.ways * each.ways, branch.of * each.of, each.result.outcome))
    chances.of = max(of for _, of, _ in counted)
    for ways, of, outcome in counted:
        chances.ways[outcome] = chances.ways.get(outcome, 0) + ways * (chances.of // of)
    if all(figure(outcome) is not None for outcome in chances.ways):
        chances.ways = dict(sorted(chances.ways.items(), key=lambda each: int(each[0])))
    return chances


def _formula(game: Game, branch: Branch) -> Pending | None:
    row = f"{branch.result.table}.{branch.result.outcome}"
    item = next((item for item in branch.play.pending if item.is_for("roll", row)), None)
    return item if item is not None and game.table(item.name).formula else None


def branches(game: Game, state: Mapping[str, Value], given: Mapping[str, Value], item: Pending) -> list[Branch]:
    """Return every way that one roll can go. Raise OwnerTable if the rows are only in the player's rulebook."""
    table = game.table(item.name)
    if table.unwritten or table.dice.count is None and not table.formula:
        raise OwnerTable(f"{table.id} is printed only in your rulebook, so its odds are unknown")

    def once(dice: list[int] | None) -> tuple[Result | Question, Play]:
        play = Play(game, state, (), given)
        play.bare = True
        hand = Hand([dice] if dice else [])
        try:
            return settle(play.talk(item, hand)), play
        except MissingAnswer as missing:
            return missing.question, play

    came, play = once(None)
    asked = came if isinstance(came, DiceQuestion) else None
    every, of = list[Branch](), asked.dice.sides ** (asked.dice.count or 0) if asked else 1
    for ways, dice in _throws(asked.dice, table.formula) if asked else [(1, None)]:
        if asked:
            came, play = once(dice)
        if isinstance(came, RowQuestion):  # one unreadable row
            applied, came = came.applied, Result(table.id, table.title, IN_THE_BOOK)
            came.applied = list(applied)
            play = Play(game, state, (), given)
        if isinstance(came, Question):
            raise MissingAnswer(came)
        every.append(Branch(ways, of, came, play))
    return every


def _throws(dice: Dice, apart: bool) -> list[tuple[int, list[int]]]:
    """Return dice for every total, with its number of ways; `apart` keeps the dice of a formula separate."""
    if apart:
        return [(1, list(each)) for each in product(range(1, dice.sides + 1), repeat=dice.count or 0)]
    return [(ways, _reading(dice, total)) for total, ways in dice.readings()]


def _reading(dice: Dice, total: int) -> list[int]:
    """Return dice that add up to that total."""
    if dice.tens:
        return [total // 10, total % 10]
    dice_shown, left = [], total
    for others in range((dice.count or 0) - 1, -1, -1):
        dice_shown.append(min(dice.sides, left - others))
        left -= dice_shown[-1]
    return dice_shown
