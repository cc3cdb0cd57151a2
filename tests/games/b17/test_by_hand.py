"""The B-17 by hand: M-1 asks for what its columns go by, and refuses a gun that does not bear."""

from __future__ import annotations

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion
from companion.packs import Pack
from companion.play.conversation import Answers, Nobody, resolve
from companion.problems import Problem
from tests.support import set_up


class Told(Nobody):
    """Says these facts when asked; `asked` are the names in the order of the questions."""

    def __init__(self, **facts: str) -> None:
        super().__init__()
        self.facts = {name.replace("__", "."): value for name, value in facts.items()}
        self.asked: list[str] = []

    def fact(self, question: FactQuestion) -> str:
        self.asked.append(question.name)
        return self.facts[question.name]


@pytest.mark.parametrize(("kind", "outcome"), [("me110", "hit"), ("me109", "miss")])
def test_m_1_by_hand_asks_where_it_comes_from_and_what_it_is(b17: Pack, kind: str, outcome: str) -> None:
    """M-1, 6 high, top turret: 4 to 6 hits, a Me 110 on 3 already."""
    mission = set_up(b17, "mission.number=6 formation=in").mission
    by = Told(fighter__clock="6", fighter__angle="high", fighter__type=kind, gun="top")
    result = resolve(mission, "M-1", by, Answers([[3]]), asking=True, single=True)[0]
    assert by.asked == ["fighter.clock", "fighter.angle", "fighter.type", "gun"]
    assert result.outcome == outcome
    assert (result.assumed["evasive"], result.assumed["fighter.pilot"]) == ("no", "average")  # 20.0 is an option


@pytest.mark.parametrize("gun", ["nose", "ball"])
def test_a_gun_that_does_not_bear_is_refused_with_those_that_do(b17: Pack, gun: str) -> None:
    """M-1, 6 high: radio room, top turret, tail."""
    mission = set_up(b17, "mission.number=6").mission
    with pytest.raises(
        Problem, match="a fighter from 6 high is in its blind spot; possible: Top turret, Radio room gun or Tail guns"
    ) as caught:
        mission.roll("M-1", Hand([[4]]), {"fighter.clock": "6", "fighter.angle": "high", "gun": gun})
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("sheet", "why"),
    [
        ("gun.top=jammed", "it is jammed"),
        ("ammo.top=16", "its ammunition is spent"),
        ("crew.engineer=kia", "nobody fit is at it"),
        ("duty.engineer=fire", "the Engineer is on other duty"),
    ],
)
def test_and_why_it_cannot_fire(b17: Pack, sheet: str, why: str) -> None:
    mission = set_up(b17, f"mission.number=6 {sheet}").mission
    with pytest.raises(Problem, match=f"Top turret: {why}; possible: Radio room gun or Tail guns"):
        mission.roll("M-1", Hand([[4]]), {"fighter.clock": "6", "fighter.angle": "high", "gun": "top"})


def test_a_wing_and_an_engine_are_asked_for(b17: Pack) -> None:
    """BL-1 is for a wing, its notes c to e for an engine."""
    mission = set_up(b17, "mission.number=6").mission
    wing, engine = Told(area="port-wing"), Told(engine="3")
    resolve(mission, "BL-1.engines", wing, Answers([[3]]), asking=True, single=True)
    resolve(mission, "BL-1.d", engine, Answers([[3]]), asking=True, single=True)
    assert (wing.asked, engine.asked) == (["area"], ["engine"])
    assert mission.state["engine.3"] == "out"
