"""Exact chances of one table as things stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.engine.branches import Branch, branches
from companion.engine.fields import Value
from companion.engine.game import Game
from companion.engine.play import Play
from companion.engine.tables import Applied
from companion.engine.work import Item
from companion.words import figure


@dataclass(eq=False, repr=False)
class Odds:
    """The chances of one table as things stand: for every outcome in how many ways of `of` it comes up."""

    table: str
    title: str
    dice: str
    ways: dict[str, int] = field(default_factory=dict)
    of: int = 1
    applied: Sequence[Applied] = ()
    assumed: dict[str, Value] = field(default_factory=dict)


def _formula(game: Game, branch: Branch) -> Item | None:
    """The formula that a row stands for, where it is one."""
    for item in branch.asks:
        if item.get("roll") == f"{branch.result.table}.{branch.result.outcome}":
            return item if game.table(item["roll"]).formula else None
    return None


def odds(game: Game, state: Mapping[str, Value], given: Mapping[str, Value], item: Item) -> Odds:
    """Return the chances of one table, its formulas worked out to numbers."""
    table = game.table(item["roll"])
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
        for each in branches(game, branch.state, given, inner):
            counted.append((branch.ways * each.ways, branch.of * each.of, each.result.outcome))
    chances.of = max(of for _, of, _ in counted)
    for ways, of, outcome in counted:
        chances.ways[outcome] = chances.ways.get(outcome, 0) + ways * (chances.of // of)
    if all(figure(outcome) is not None for outcome in chances.ways):
        chances.ways = dict(sorted(chances.ways.items(), key=lambda each: int(each[0])))
    return chances
