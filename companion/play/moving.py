"""Moves of crewmen typed by the player: `left gunner to nose`, using the pack's choices."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.about import Moving
from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.questions import Option, Pending, asks_the_same
from companion.engine.resolution import Result
from companion.engine.sheet import Sheet
from companion.play.journal import join
from companion.play.mission import Mission, rehearsal
from companion.play.phrases import members_named
from companion.problems import UserError
from companion.words import bare, one_of, sentence, slug

NOBODY = "nobody"  # if no option is left


def moved(mission: Mission, who: str, where: str) -> list[Result]:
    """Move a man to a seat and return the results.

    A pack has one or more ways to do this: `seat` is the choice of the seat to fill, `man` the choice of who fills it.
    Without `seat`, `man` and `when` refer to the given seat.

    Raises:
        UserError: The move is not allowed, with the reason; nothing has changed.
    """
    ways, sheet = ways_of(mission, who, where), mission.game.sheet
    meant = {member for typed in (who, where) for member in members_named(sheet, ways[0].index, typed)}
    for item in mission.pending:
        member = str(item.bind.get(ways[0].index))
        if item.kind == "roll" and member in meant:  # it asks about the man found there
            raise UserError(f"{_label(sheet, ways[0].index, member)}: {item.name} comes first")
    refusals: list[str] = []
    for way in ways:
        try:
            bind = {} if way.seat else _seat(sheet, way.index, where)
            facts = Facts(sheet, mission.state, bind)
            if way.when(facts):
                return _move(mission, way, bind, who, where)
            refusals += [why] if (why := way.why(facts)) else []
        except UserError as problem:
            refusals.append(str(problem))
    telling = [each for each in refusals if not each.endswith(NOBODY)] or refusals
    raise UserError(" ".join(map(sentence, dict.fromkeys(telling))))


def ways_of(mission: Mission, who: str, where: str) -> Sequence[Moving]:
    """Return the ways to change seats. Raise UserError if there are none, or for words that match no man or seat."""
    ways = mission.game.about.at_table.move
    if not ways:
        raise UserError("The crew can't change places in this game.")
    sheet, index = mission.game.sheet, ways[0].index
    for typed in (who, where):
        if not members_named(sheet, index, typed):
            seats = one_of([_label(sheet, index, each) for each in sheet.index[index]])
            raise UserError(f"{typed!r} isn't a crew position. Use {seats}.")
    return ways


def _move(mission: Mission, way: Moving, bind: dict[str, Value], who: str, where: str) -> list[Result]:
    """Try one way on a copy of the mission, then take it."""
    sheet, trial = mission.game.sheet, rehearsal(mission)
    if not way.seat:
        item = Pending("choose", way.man, bind)
        return _decide(mission, item, _option(sheet, way.index, trial.options(item), who, "These can move there").name)
    item = Pending("choose", way.seat)
    seat = _option(sheet, way.index, trial.options(item), where, "These seats can be filled")
    _decide(trial, item, seat.name)
    following = trial.waiting()
    if following is None or not following.is_for("choose", way.man):
        raise UserError(f"Nobody can move to {where} right now.")
    man = _option(sheet, way.index, trial.options(following), who, "These can move there")
    trial.roll(None, Hand(), outcome=man.name)
    position = mission.journal.position
    results = _decide(mission, item, seat.name) + mission.roll(None, Hand(), outcome=man.name)
    join(mission.journal.entries[position:])
    return results


def _decide(mission: Mission, item: Pending, option: str) -> list[Result]:
    """Choose an option, answering the pending decision if it matches."""
    waiting = mission.waiting()
    if waiting is not None and asks_the_same(waiting, item):
        return mission.roll(None, Hand(), outcome=option)
    return mission.decide(item, option)


def _label(sheet: Sheet, index: str, member: str) -> str:
    """Return the label of a member of an index: the compartment of a seat."""
    return str(sheet.index.get(index, {}).get(member, {}).get("label", member))


def _option(sheet: Sheet, index: str, options: Sequence[Option], typed: str, which: str) -> Option:
    """Return the option for a man or seat; raise UserError with the available ones."""
    people = [
        (each, name if name in sheet.index else index, member) for each in options for name, member in each.bind.items()
    ]
    fitting = [each for each in people if each[2] in members_named(sheet, each[1], typed)]
    if len({each.name for each, _, _ in fitting}) == 1:
        return fitting[0][0]
    told = one_of([*dict.fromkeys(_label(sheet, name, member) for _, name, member in fitting or people)])
    raise UserError(f"{typed} could be {told}." if fitting else f"Not {typed} right now. {which}: {told or NOBODY}.")


def _seat(sheet: Sheet, index: str, typed: str) -> dict[str, Value]:
    """Return the seat as a binding."""
    members = members_named(sheet, index, typed)
    if len(members) != 1:
        raise UserError(f"{typed} could be {one_of([_label(sheet, index, each) for each in members])}.")
    return {index: members[0]}


def taken_at_any_time(mission: Mission, text: str) -> list[Result]:
    """Take the option that a player may type at any time (`Allies play a card`); nothing for other words."""
    for words, choice in mission.game.about.at_table.any_time.items():
        if bare(words) == bare(text):
            return mission.decide(Pending("choose", choice), slug(words))
    return []
