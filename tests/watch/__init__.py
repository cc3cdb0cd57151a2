"""A rules checker for automatic missions, written from the rulebooks and independent of the packs.

Each game has its own module here. Of the program it uses only the names of the fields and the journal, entry by entry.
A breach is a sentence.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.journal import Entry
from companion.play.mission import Mission
from tests.support import begun, fly

GAMES = {"b29": "b29", "b29-streamliner": "b29", "b17": "b17", "bombs-away": "bombs_away"}
MOVES = 5000


class Seen:
    """The sheet before or after an entry."""

    def __init__(self, pack: Pack, state: dict[str, Value]) -> None:
        self.sheet, self.state = pack.sheet, state

    def __getitem__(self, field: str) -> Any:
        return Facts(self.sheet, self.state)[field]

    def after(self, entry: Entry) -> Seen:
        """Return the sheet with the changes of this entry."""
        state = {**self.state, **{name: value for name, (_, value) in entry.get("c", {}).items()}}
        fresh = Seen.__new__(Seen)
        fresh.sheet, fresh.state = self.sheet, {name: value for name, value in state.items() if value is not None}
        return fresh


Rule = Callable[[Entry, Seen, Seen], Iterator[str]]  # the entry, the sheet before it and after it
Whole = Callable[[Sequence[Entry], Seen], Iterator[str]]  # the journal and the sheet at the end


@dataclass
class Book:
    """The prohibitions of a game's rulebooks, and its starting sheets."""

    begin: Callable[[random.Random], dict[str, Value]]
    rules: Sequence[Rule]
    whole: Sequence[Whole]


class VaryingChance(Chance):
    """An automatic player that sometimes takes a non-default legal option."""

    def choice(self, question: ChoiceQuestion) -> str:
        odd = self.rng.random() < 0.3
        return self.rng.choice(question.options).name if odd else super().choice(question)


def book(game: str) -> Book:
    """Return the rulebooks of a game."""
    return import_module(f"tests.watch.{GAMES[game]}").BOOK  # type: ignore[no-any-return]


def flown(pack: Pack, seed: int) -> Mission:
    """Fly the mission of this seed: even ones with default answers, odd ones with some others."""
    rng = random.Random(seed)
    mission = begun(pack, book(pack.name).begin(rng))
    assert fly(mission, (VaryingChance if seed % 2 else Chance)(rng), moves=MOVES)
    return mission


def breaches(mission: Mission) -> list[str]:
    """Return every breach of the rulebooks in a flown mission, each with the number of its entry."""
    pack = mission.game
    assert isinstance(pack, Pack)
    books, lines, before = book(pack.name), list[str](), Seen(pack, {})
    for number, entry in enumerate(mission.journal.entries, 1):
        after = before.after(entry)
        lines += [f"{number} {entry['t']}: {line}" for rule in books.rules for line in rule(entry, before, after)]
        before = after
    lines += [line for whole in books.whole for line in whole(mission.journal.entries, before)]
    return lines + [f"{item.name} is still pending" for item in mission.pending if item.kind != "order"]


def over(limits: dict[str, int]) -> Rule:
    """Yield boxes over their limit: the most that each field may hold, by the first words of its name."""

    def rule(entry: Entry, _: Seen, after: Seen) -> Iterator[str]:
        for field in entry.get("c", {}):
            most = next((most for name, most in limits.items() if field == name or field.startswith(f"{name}.")), None)
            value = after[field]
            if most is not None and isinstance(value, int) and not 0 <= value <= most:
                yield f"{field} is {value}, of {most}"

    return rule


WORSE = ("absent", "ok", "light", "serious", "kia")


def nobody_heals(men: Sequence[str]) -> Rule:
    """Yield men whose state improves, wherever they sit, and men who vanish."""

    def states(seen: Seen) -> dict[str, tuple[int, bool]]:
        return {
            seen[f"name.{man}"]: (WORSE.index(seen[f"crew.{man}"]), seen[f"frostbite.{man}"] == "yes") for man in men
        }

    def rule(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
        if (
            entry["v"] == "set"
            or before["bomber.fate"] != "none"
            or not any(name.startswith(("crew.", "name.", "frostbite.")) for name in entry.get("c", {}))
        ):
            return
        was, now = states(before), states(after)
        if was.keys() != now.keys():
            yield f"the crew was {sorted(was)} and is {sorted(now)}"
            return
        for name, (state, cold) in was.items():
            if (now[name][0] < state and now[name][0] != 0) or (cold and not now[name][1]):
                yield f"{name} was {WORSE[state]} and is {WORSE[now[name][0]]}"

    return rule
