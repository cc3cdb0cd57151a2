"""Decisions made in one question (which gun fires at whom), the plan that answers them, and rolls made together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from companion.engine.dice import Hand
from companion.engine.questions import DiceQuestion, Option, Pending
from companion.play.conversation import Player, move
from companion.play.mission import Mission, rehearsal
from companion.problems import UserError

TOGETHER = 16  # the most rolls on one line
FORESEEN = 6  # the most likely rolls named after the certain ones, not counting more of the last table
MANY = 9  # the most options of each decision that can be combined into one question


class Place(NamedTuple):
    """One of several decisions made together: its options, the planned one, and the mission just before it."""

    item: Pending
    options: Sequence[Option]
    planned: Option
    before: Mission

    def hits_on(self, option: Option) -> str:
        """Return the rolls that hit if this option is taken, such as `7+`; empty if it is not a shot."""
        wave = self.before.game.about.at_table.wave
        if "shot" not in option.spec:
            return ""
        ahead = rehearsal(self.before, noting=True)
        ahead.roll(None, Hand(), outcome=option.name)
        shot = option.spec["shot"][0]
        bind = {**self.item.bind, wave.index: option.bind[wave.index], **shot.get("with", {})}
        question = ahead.dice_question(Pending("roll", shot["roll"], bind))
        return question.rolls_for(wave.hit) if question is not None else ""


def decisions(mission: Mission) -> list[Pending]:
    """Return the first pending decisions if they are the same for several guns or men."""
    waiting = [item for item in mission.pending if item.waits]
    name = waiting[0].name if waiting and waiting[0].kind == "choose" else None
    if name is None:
        return []
    alike: list[Pending] = []
    for item in waiting:
        if not item.is_for("choose", name) or set(item.bind) != set(waiting[0].bind):
            break
        if key_of(item) in map(key_of, alike):  # the same man or gun again
            break
        alike.append(item)
    return alike if waiting[0].bind else []


def joint(mission: Mission, items: Sequence[Pending]) -> bool:
    """Return whether these decisions form one question: each is about a member of the wave, or has few options."""
    if len(items) < 2:
        return False
    index = mission.game.about.at_table.wave.index
    options = planned(mission, items[:1], {})[0].options
    return len(options) <= MANY or any(index in option.bind for option in options)


def wave_of(mission: Mission) -> tuple[str, dict[str, str]]:
    """Return the index of members that come in waves, and the present ones in words; empty if a game has none."""
    wave = mission.game.about.at_table.wave
    index = wave.index
    facts, members = mission.facts(), dict[str, str]()
    for member in mission.game.sheet.index.get(index, ()):
        with facts.bind({index: member}):
            if wave.when(facts):
                members[member] = wave.text(facts)
    return index, members


def aimed(mission: Mission) -> list[Place]:
    """Return the possible targets of each gun, whether or not it is asked (`[at-table.wave] aim`)."""
    wave, sheet = mission.game.about.at_table.wave, mission.game.sheet
    places = []
    for gun in sheet.index[wave.guns] if wave.aim else ():
        before = rehearsal(mission)
        before.pending = [Pending("choose", wave.aim, {wave.guns: gun})]
        if options := before.options(before.pending[0]):
            places.append(Place(before.pending[0], options, options[0], before))
    return places


def planned(mission: Mission, items: Sequence[Pending], wishes: Mapping[str, str]) -> list[Place]:
    """Return the decisions in order, each with its wish (by the key of an item) or its default.

    Raise UserError for a wish that an earlier decision rules out.
    """
    trial, places = rehearsal(mission, noting=True), list[Place]()
    settled: dict[str, Option] = {}
    for item in items:
        if (alone := settled.get(key_of(item))) is not None:
            places.append(Place(item, [alone], alone, mission))
            continue
        if trial.waiting() is not item:
            break  # the earlier decision asks for something first
        options = trial.options(item)
        wish = wishes.get(key_of(item))
        option = next((each for each in options if each.name == wish), None) if wish is not None else options[0]
        if option is None:
            raise UserError(f"{key_of(item)} can't do that with the other choices in this plan.")
        places.append(Place(item, options, option, rehearsal(trial)))
        for result in trial.roll(None, Hand(), outcome=option.name)[1:]:  # decisions with a single option left
            text = result.text or mission.game.sheet.read_out(result.outcome)
            whose = key_of(Pending("choose", result.table, result.bind))
            settled[whose] = Option(result.outcome, text, {}, {}, usual=True)
    return places


def dice_after(mission: Mission, places: Sequence[Place]) -> tuple[list[DiceQuestion], list[DiceQuestion]]:
    """Return the rolls asked for at once when the plan is carried out, and the likely ones after them.

    Empty if another question comes first.
    """
    ahead = rehearsal(mission)
    try:
        for place in places:
            if ahead.waiting() is place.item:
                ahead.roll(None, Hand(), outcome=place.planned.name)
        while (item := ahead.waiting()) is None and ahead.advance():
            pass
        first = ahead.dice_question(item) if item is not None and item.kind == "roll" else None
        rolls = together(ahead, first) if first is not None and not first.table.unwritten else []
    except UserError:  # a question for the player
        return [], []
    return rolls, (likely_after(ahead, rolls[0]) if rolls else None) or []


def key_of(item: Pending) -> str:
    """Return the subject of a decision by its name on the sheet: `tail`."""
    return ", ".join(map(str, item.bind.values()))


# -- rolls made together -----------------------------------------------------------------------------------------------


def together(mission: Mission, question: DiceQuestion) -> list[DiceQuestion]:
    """Return the pending roll and those after it with no question in between.

    Either all are on tables with known rows, or all on tables of the player's rulebook. Follow-up rolls are asked for
    when they come up; the other rolls keep their dice until then.
    """
    waiting = [item for item in mission.pending if item.waits]
    if not waiting or not waiting[0].is_for("roll", question.table.id):
        return [question]
    questions = [question]
    for item in waiting[1:TOGETHER]:
        following = mission.dice_question(item) if item.kind == "roll" else None
        if following is None or following.table.unwritten != question.table.unwritten or following.dice.count == 0:
            break
        questions.append(following)
    return questions


def likely_after(mission: Mission, question: DiceQuestion) -> list[DiceQuestion] | None:
    """Return the likely rolls after those made together with this one; None if something else is asked first."""
    count = len(together(mission, question))
    return foreseen(mission, count) if count >= sum(item.waits for item in mission.pending) else None


class _Likely(Player):
    """A player for looking ahead: it rolls middling or higher dice and decides nothing.

    It rolls at most that many times, not counting more rolls on the last table (five fighters fire).
    """

    def __init__(self, pips: tuple[int, int], most: int) -> None:
        self.pips, self.most = pips, most
        self.rolls: list[DiceQuestion] = []

    def dice(self, question: DiceQuestion) -> list[int]:
        """Return the same pips for every roll; raise UserError if only the rulebook has the number of dice."""
        rolls, most = self.rolls, self.most
        another = len(rolls) >= most and question.table.id != rolls[most - 1].table.id
        if question.dice.count is None or another or len(rolls) > TOGETHER + FORESEEN:
            raise UserError("far enough")
        rolls.append(question)
        return [max(1, self.pips[at % 2] * question.dice.sides // 6) for at in range(question.dice.count)]


def foreseen(mission: Mission, certain: int) -> list[DiceQuestion]:
    """Return the likely rolls after the certain ones, barring rare dice.

    They end at the next decision or when the bomber moves on. Higher dice are used if middling ones lead no further.
    """
    middling, higher = (_rolled(mission, certain, pips) for pips in ((3, 4), (5, 4)))
    names = [each.table.id for each in middling]
    if middling and certain == 1 and (item := mission.waiting()) is not None:
        first = mission.dice_question(item)
        if first is not None and first.dice.count == 1:  # a low die is no rarer than another
            lower = _rolled(mission, certain, (1, 4))
            if lower and lower[0].table.id != names[0]:
                return []
    return higher if names == [each.table.id for each in higher[: len(names)]] else middling


def _rolled(mission: Mission, certain: int, pips: tuple[int, int]) -> list[DiceQuestion]:
    likely, trial, here = _Likely(pips, certain + FORESEEN), rehearsal(mission), where(mission)
    with suppress(UserError):  # a decision, or a question for the player
        while where(trial) == here and move(trial, likely):
            pass
    return likely.rolls[certain:]


def where(mission: Mission) -> str:
    """Return the current place, from the first part of the status line; empty in a game without one."""
    facts = mission.facts()
    return next((said.text(facts) for said in mission.game.about.at_table.line if said.when(facts)), "")
