"""A man who changes his seat because the player says so: `left gunner to nose`, by the choices of the pack."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.about import Moving
from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.pending import Pending, asks_the_same
from companion.engine.questions import Option
from companion.engine.resolution import Result
from companion.engine.sheet import Sheet
from companion.play.journal import join
from companion.play.mission import Mission, rehearsal
from companion.play.phrases import members_named
from companion.problems import UserError
from companion.words import one_of

NOBODY = "nobody"  # what stands where no option is left


def moved(mission: Mission, who: str, where: str) -> list[Result]:
    """What came of moving that man to that seat. Raises a UserError that says why he may not; nothing has happened
    then.

    A pack has one or more ways: `seat`, the choice of the seat to be filled, and `man`, that of who takes it. Without
    `seat` it is asked for the seat that is bound, `when` too.
    """
    ways = ways_of(mission, who, where)
    _check_dice(mission, ways[0].index, who, where)
    refusals: list[str] = []
    for way in ways:
        try:
            bind = {} if way.seat else _seat(mission.game.sheet, way.index, where)
            facts = Facts(mission.game.sheet, mission.state, bind)
            if not way.when(facts):
                refusals += [why] if (why := way.why(facts)) else []
                continue
            return _by(mission, way, bind, who, where)
        except UserError as problem:
            refusals.append(str(problem))
    telling = [each for each in refusals if not each.endswith(NOBODY)] or refusals
    raise UserError("; ".join(dict.fromkeys(telling)))


def _check_dice(mission: Mission, index: str, *typed: str) -> None:
    """Raise a UserError where a roll waits that is about one of them: it is for whom it has found."""
    sheet = mission.game.sheet
    meant = {member for each in typed for member in members_named(sheet, index, each)}
    for item in mission.pending:
        member = str(item.bind.get(index))
        if item.kind == "roll" and member in meant:
            raise UserError(f"{_label(sheet, index, member)}: {item.name} comes first")


def _by(mission: Mission, way: Moving, bind: dict[str, Value], who: str, where: str) -> list[Result]:
    """One way tried out, and then gone."""
    sheet, index = mission.game.sheet, way.index
    trial = rehearsal(mission)
    if way.seat:
        item = Pending("choose", way.seat)
        seat = _option(sheet, index, trial.options(item), where, "seats that can be filled")
        _decide(trial, item, seat.name)
        following = trial.waiting()
        if following is None or not following.is_for("choose", way.man):
            raise UserError(f"nobody can be asked to take {where}")
        man = _option(sheet, index, trial.options(following), who, "those who can take it")
        trial.roll(None, Hand(), outcome=man.name)
        stand = mission.journal.stand
        results = _decide(mission, item, seat.name) + mission.roll(None, Hand(), outcome=man.name)
        join(mission.journal.entries[stand:])
        return results
    item = Pending("choose", way.man, bind)
    man = _option(sheet, index, trial.options(item), who, "those who can take it")
    return _decide(mission, item, man.name)


def _decide(mission: Mission, item: Pending, option: str) -> list[Result]:
    """Take an option; where that very decision is asked for now, it is answered so."""
    waiting = mission.waiting()
    if waiting is not None and asks_the_same(waiting, item):
        return mission.roll(None, Hand(), outcome=option)
    return mission.decide(item, option)


def ways_of(mission: Mission, who: str, where: str) -> Sequence[Moving]:
    """How men change places. Raises a UserError where they never do, or for words that are no man and no seat."""
    ways = mission.game.about.at_table.move
    if not ways:
        raise UserError("nobody changes places in this game")
    sheet, index = mission.game.sheet, ways[0].index
    for typed in (who, where):
        if not members_named(sheet, index, typed):
            labels = [str(has.get("label", member)) for member, has in sheet.index[index].items()]
            raise UserError(f"{typed!r} is none of {one_of(labels)}")
    return ways


def _label(sheet: Sheet, index: str, member: str) -> str:
    """What a member of another index is called: the compartment of a seat."""
    return str(sheet.index.get(index, {}).get(member, {}).get("label", member))


def _option(sheet: Sheet, index: str, options: Sequence[Option], typed: str, which: str) -> Option:
    """The option for the man or seat that is meant; a UserError says which there are."""

    def meant(option: Option) -> bool:
        for name, member in option.bind.items():
            if member in members_named(sheet, name if name in sheet.index else index, typed):
                return True
        return False

    fitting = [option for option in options if meant(option)]
    if len(fitting) == 1:
        return fitting[0]
    people = [option for option in options if option.bind]
    labels = []
    for each in fitting or people:
        name, member = next(iter(each.bind.items()))
        labels.append(_label(sheet, name if name in sheet.index else index, member))
    told = one_of(labels)
    if fitting:
        raise UserError(f"{typed} may be {told}")
    raise UserError(f"{typed}: not now; {which}: {told or NOBODY}")


def _seat(sheet: Sheet, index: str, typed: str) -> dict[str, Value]:
    """The one seat that is meant, bound."""
    members = members_named(sheet, index, typed)
    if len(members) != 1:
        raise UserError(f"{typed} may be {one_of([_label(sheet, index, each) for each in members])}")
    return {index: members[0]}
