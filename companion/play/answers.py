"""What a player has said ahead of the moves: half of one, a plan of several decisions; each by what it was of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.engine.questions import ChoiceQuestion
from companion.engine.work import Item
from companion.play.ahead import key_of
from companion.play.mission import Mission

Answer = str | int | list[int]
Decision = tuple[str, str, int]  # which, whose, and since when it waits: the same gun is asked again in the next wave


class Answered(NamedTuple):
    """An answer, what tells its question from every other, and what that was about in words."""

    key: object
    what: str
    answer: Answer

    def words(self) -> str:
        """`34 (5-9 Japanese offensive fire)`."""
        typed = " ".join(map(str, self.answer)) if isinstance(self.answer, list) else str(self.answer)
        return f"{typed or '(Enter)'} ({self.what})"


def decision_of(item: Item) -> Decision:
    """Which decision a pending thing is: never the one that the same man had to make before."""
    return str(item["choose"]), key_of(item), int(item.get("born", 0))


class Plan(dict[Decision, str]):
    """What was decided in one question, until each decision of it is taken or waits no longer."""

    @classmethod
    def of(cls, items: Iterable[Item], options: Mapping[str, str]) -> Plan:
        """The plan for these pending decisions; `options` by whose they are."""
        return cls((decision_of(item), options[key_of(item)]) for item in items if key_of(item) in options)

    def settle(self, mission: Mission) -> None:
        """Strike what nobody waits for any more: a gun that had no choice was never asked."""
        waiting = {decision_of(item) for item in mission.pending if "choose" in item}
        for each in [each for each in self if each not in waiting]:
            del self[each]

    def take(self, question: ChoiceQuestion, mission: Mission) -> str | None:
        """What was decided for the decision that is asked now, which is then done with."""
        item = mission.waiting()
        return self.pop(decision_of(item), None) if item and item.get("choose") == question.name else None
