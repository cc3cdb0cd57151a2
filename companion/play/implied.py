"""What facts said for one roll bring with them: by night the bomber flies at LO, as it would on the sheet."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.fields import Value
from companion.engine.play import Play
from companion.play.mission import Mission
from companion.problems import Problem


def with_implied(mission: Mission, given: Mapping[str, Value]) -> dict[str, Value]:
    """The facts given for one roll, and before them what the standing rules make of them, as `set` would.

    Facts that are no fields of the sheet (`fighter.clock`, of whichever fighter) bring nothing; nor does one that the
    sheet would refuse, which is told by the roll itself.
    """
    fields = mission.game.sheet.fields
    on_sheet = {name: value for name, value in given.items() if name in fields}
    if not on_sheet:
        return dict(given)
    play = Play(mission.game, dict(mission.state))
    before = dict(play.state)
    try:
        play.write(on_sheet, "set")
    except Problem:
        return dict(given)
    after = {name: value for name, value in play.state.items() if before.get(name) != value}
    return {**after, **given}
