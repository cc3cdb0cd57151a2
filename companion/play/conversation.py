"""Walking through a mission: whatever is pending is resolved, then the next step of the sequence is taken."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Protocol

from companion.engine.needs import Hand, Item, NeedAnswer, NeedChoice, NeedDice, NeedOutcome, Result
from companion.engine.sheet import NeedFact, Value
from companion.play.mission import Mission


class Answerer(Protocol):
    """Whoever gives dice and answers: a person, a file, or chance."""

    def rolls(self) -> random.Random | None:
        """The dice of a companion that rolls for the player; None when somebody gives them."""

    def dice(self, need: NeedDice) -> list[int]:
        """The dice thrown."""

    def fact(self, need: NeedFact) -> Value:
        """A fact that a table needs."""

    def outcome(self, need: NeedOutcome) -> str:
        """What the printed row of the player's own book says."""

    def choice(self, need: NeedChoice) -> str:
        """The option taken."""

    def field(self, need: NeedAnswer) -> str:
        """The answer to a question about one field."""


def take(mission: Mission, item: Item, by: Answerer, *, asking: bool = False) -> list[Result]:
    """Resolve one pending thing, asking `by` for what is missing; the mission is untouched until all is known."""
    groups: list[list[int]] = []
    given: dict[str, Value] = {}
    asked: dict[str, Value] = {}
    outcome: str | None = None
    if "choose" in item and not asking and len(mission.options(item)) > 1:
        outcome = by.choice(mission.decision(item))
    elif "ask" in item and not asking:
        outcome = by.field(mission.question(item))
    while True:
        try:
            return mission.roll(
                None, Hand(groups, by.rolls()), given, outcome=outcome, asking=asking, answers=asked, single=True
            )
        except NeedDice as need:
            groups.append(by.dice(need))
        except NeedOutcome as need:
            outcome = by.outcome(need)
            if need.dice and not groups:
                groups.append(list(need.dice))
        except NeedChoice as need:
            outcome = by.choice(need)
        except NeedAnswer as need:
            outcome = by.field(need)
        except NeedFact as need:
            kept = need.name in mission.game.sheet.fields
            (asked if kept else given)[need.name] = by.fact(need)


def move(mission: Mission, by: Answerer, *, asking: bool = False) -> list[Result]:
    """One move: what `by` does of its own accord, what is pending first, or the next step; empty when all is over."""
    done = mission.before(by)
    if done:
        return done
    item = mission.waiting()
    return take(mission, item, by, asking=asking) if item is not None else mission.advance()


def walk(mission: Mission, by: Answerer, *, asking: bool = False) -> Iterator[list[Result]]:
    """Fly on until the mission is over, yielding what each move came to."""
    while results := move(mission, by, asking=asking):
        yield results
