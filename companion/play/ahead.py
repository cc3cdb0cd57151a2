"""What lies ahead: the rolls that one hand may throw together, those that will likely follow, and the decisions that
are one question (which gun fires at whom)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.questions import DiceQuestion, Option
from companion.engine.rules import words
from companion.engine.work import Item
from companion.play.conversation import Nobody, move
from companion.play.mission import Mission, rehearsal
from companion.problems import Problem

MOST = 16  # rolls of one line
FORESEEN = 4  # rolls that are named beyond those that are certain, and more of the last table
MANY = 9  # options of each decision that still make one question of several


def together(mission: Mission, question: DiceQuestion) -> list[DiceQuestion]:
    """The roll that is asked for and those that wait behind it with nothing to be answered in between.

    What one of them leads to is asked for when it comes; the others keep their dice until then.
    """
    waiting = [item for item in mission.pending if "order" not in item]
    if not waiting or waiting[0].get("roll") != question.table.id:
        return [question]
    questions = [question]
    for item in waiting[1:MOST]:
        following = mission.throw_of(item) if "roll" in item else None
        if following is None or not following.dice.count or following.table.unwritten:
            break
        questions.append(following)
    return questions


class _Likely(Nobody):
    """Throws what is not rare, in the middle or higher, and decides nothing."""

    def __init__(self, pips: tuple[int, int]) -> None:
        super().__init__()
        self.pips = pips
        self.rolls: list[DiceQuestion] = []

    def dice(self, question: DiceQuestion) -> list[int]:
        """The same pips for every roll."""
        if len(self.rolls) > MOST + FORESEEN:
            raise Problem("far enough")
        self.rolls.append(question)
        return [self.pips[at % 2] for at in range(question.dice.count or 0)]


def foreseen(mission: Mission, certain: int) -> list[DiceQuestion]:
    """The rolls behind so many that are certain, if nothing rare is thrown; up to the next decision, and no further
    than where we are. Where middling throws end it, those are named that somewhat higher ones lead to."""
    middling, higher = (_rolled(mission, certain, pips) for pips in ((3, 4), (5, 4)))
    names = [each.table.id for each in middling]
    return higher if names == [each.table.id for each in higher[: len(names)]] else middling


def _rolled(mission: Mission, certain: int, pips: tuple[int, int]) -> list[DiceQuestion]:
    likely, trial = _Likely(pips), rehearsal(mission)
    here = where(mission)
    try:
        while _few(likely.rolls, certain + FORESEEN) and where(trial) == here and move(trial, likely):
            pass
    except Problem:  # a decision, or something that only the player knows
        pass
    most = certain + FORESEEN
    while not _few(likely.rolls, most):
        likely.rolls.pop()
    return likely.rolls[certain:]


def _few(rolls: Sequence[DiceQuestion], most: int) -> bool:
    """Whether there are no more rolls than so many, but for more of the last table: each of five fighters fires."""
    return all(each.table.id == rolls[most - 1].table.id for each in rolls[most:])


def where(mission: Mission) -> str:
    """Where we are: what the line of the state says first; empty in a game without such a line."""
    facts = Facts(mission.game.sheet, mission.state)
    for spec in mission.game.about.get("at-table", {}).get("line", ()):
        if "#when" not in spec or spec["#when"](facts):
            return words(spec, "text", facts)
    return ""


class Place(NamedTuple):
    """One decision of several that are made together: whose it is, what it may be, and what is planned."""

    item: Item
    options: Sequence[Option]
    planned: Option


def decisions(mission: Mission) -> list[Item]:
    """The decisions at the front that are the same one for several guns or men."""
    waiting = [item for item in mission.pending if "order" not in item]
    name = waiting[0].get("choose") if waiting else None
    if name is None:
        return []
    alike: list[Item] = []
    for item in waiting:
        if item.get("choose") != name or set(item.get("bind", {})) != set(waiting[0].get("bind", {})):
            break
        if key_of(item) in map(key_of, alike):  # the same man or gun, once more
            break
        alike.append(item)
    return alike if waiting[0].get("bind") else []


def joint(mission: Mission, items: Sequence[Item]) -> bool:
    """Whether these decisions make one question: each comes to one of the wave, or the options are few."""
    if len(items) < 2:
        return False
    index = mission.game.about.get("at-table", {}).get("wave", {}).get("index", "")
    options = planned(mission, items[:1], {})[0].options
    return len(options) <= MANY or any(index in option.bind for option in options)


def wave_of(mission: Mission) -> tuple[str, dict[str, str]]:
    """The index of what comes in waves, and the members of the present one in words; empty where a game has none."""
    wave = mission.game.about.get("at-table", {}).get("wave", {})
    index = str(wave.get("index", ""))
    facts, members = Facts(mission.game.sheet, mission.state), dict[str, str]()
    for member in mission.game.sheet.index.get(index, ()):
        outer = facts.bind({index: member})
        try:
            if wave["#when"](facts):
                members[member] = words(wave, "text", facts)
        finally:
            facts.unbind(outer)
    return index, members


def planned(mission: Mission, items: Sequence[Item], wishes: Mapping[str, str]) -> list[Place]:
    """What would be decided in turn: what is wished for (by the key of an item), else the usual.

    Raises Problem for a wish that what was decided before it leaves no room for.
    """
    trial, places = rehearsal(mission), list[Place]()
    trial.noting = True
    settled: dict[str, Option] = {}
    for item in items:
        if (alone := settled.get(key_of(item))) is not None:
            places.append(Place(item, [alone], alone))
            continue
        if trial.waiting() is not item:
            break  # the decision before it asks for something first
        options = trial.options(item)
        wish = wishes.get(key_of(item))
        option = next((each for each in options if each.name == wish), None) if wish is not None else options[0]
        if option is None:
            raise Problem(f"{key_of(item)} cannot do that beside what the others do")
        places.append(Place(item, options, option))
        for result in trial.roll(None, Hand(), outcome=option.name)[1:]:  # those that are left a single option
            text = result.text or mission.game.sheet.read_out(result.outcome)
            settled[key_of({"bind": result.bind})] = Option(result.outcome, text, {}, {}, usual=True)
    return places


def key_of(item: Item) -> str:
    """Whose decision it is, as the sheet names him: `tail`."""
    return ", ".join(map(str, item.get("bind", {}).values()))
