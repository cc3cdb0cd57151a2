"""A mission flown straight on by chance: the moves of `conversation.move` with hardly anything around them.

Of a decision nothing is looked at behind its usual option. Nothing is written down but how many entries there would be,
and nothing can be taken back.
"""

from __future__ import annotations

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import RowQuestion
from companion.engine.work import Item
from companion.play.chance import Chance
from companion.play.conversation import Answers, resolve
from companion.play.mission import Mission
from companion.problems import Problem, Unanswered

MOVES = 20_000  # more than any mission has
UNENDING = "the mission flies on and on; something in the game's files keeps it from ending"


def straight_on(mission: Mission, by: Chance) -> None:
    """Fly on until the mission is over. Raises a Problem where it does not end."""
    flight = _Flight(mission, by)
    for _ in range(MOVES):
        if not flight.move():
            return
    raise Problem(UNENDING)


class _Flight:
    """A mission on its working copy, which stays open."""

    def __init__(self, mission: Mission, by: Chance) -> None:
        self.mission, self.by = mission, by
        self.play: Play = mission.working_copy()
        self.play.unread = True
        self.play.facts.read_blanks()
        self.hand = Hand((), by.rng)

    def move(self) -> bool:
        """One move; False when all is over."""
        play, mission = self.play, self.mission
        item = _first(play.pending)
        pending, born = list(play.pending), play.born
        play.begin()
        try:
            if item is None:
                if play.advance() is None:
                    return False
                play.born += 1
            else:
                born = 0
                self._resolve(item, self.hand)
            while play.bound and (following := self._following(born)) is not None:  # what is bound counts for them too
                self._resolve(following, self.hand if item is not None else Hand())
        except Unanswered as missing:
            mission.pending = pending
            play.abandon()
            if item is None:
                raise
            answers = Answers()
            answers.ask(missing.question, self.by, mission)
            if isinstance(missing.question, RowQuestion) and missing.question.dice:
                answers.groups.append(missing.question.dice)  # the throw stands while the book is looked up
            resolve(mission, None, self.by, answers, single=True)
            play.born = mission.journal.stand + 1
            return True
        play.close()
        mission.pending, mission.journal.stand = play.pending, play.born - 1
        return True

    def _resolve(self, item: Item, hand: Hand) -> None:
        """Decide, answer or roll one pending thing."""
        play = self.play
        if "choose" in item:
            play.choose_usual(item)
        elif "ask" in item:
            play.answer(item, self.by.field(play.question(item)))
        else:
            play.roll(item["roll"], hand, item.get("bind", {}), take=item.get("take"), item=item)
        play.born += 1

    def _following(self, first_born: int) -> Item | None:
        """The next pending thing that settles itself: a single legal option, a row without dice."""
        play = self.play
        item = _first(play.pending)
        if item is None or item.get("born", 0) < first_born or "ask" in item:
            return None
        if "choose" in item:
            return item if len(play.options_of(item)) == 1 else None
        table = play.game.table(item["roll"])
        return item if not table.unwritten and ("take" in item or table.dice.count == 0) else None


def _first(pending: list[Item]) -> Item | None:
    """The first roll or decision that waits; standing orders wait for nobody."""
    for item in pending:
        if "order" not in item:
            return item
    return None
