"""Flights: the variant's additions to the status line, to fuel ahead and to the plan for the guns."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.plan import decisions, planned
from companion.render.story import story_of
from tests.games.b29.table import DAY
from tests.support import Prompts, again, check, moments, set_up

NIGHT = (
    "mission.number=14 mission.time=night mission.altitude=lo target.city=tokyo target.type=airfield target.zone=13 "
    "formation=none turn=11 zone=11 zone.turns=1 altitude=lo log.gazetteer.11=0 log.below.11=sea weather=good "
)


@pytest.mark.section("b29-streamliner 17", "b29-streamliner 12")
@pytest.mark.parametrize(
    ("facts", "said"),
    [("food.cfc=mild food.pilot=severe crew.cfc=light crew.pilot=serious", "2 poisoned"),
     ("front=storm", "a storm front"), ("front=storm food.cfc=mild crew.cfc=light", "1 poisoned, a storm front"),
     ("icing=yes", "ice, no evasion"), ("searchlight=yes", "held by a searchlight")],
)  # fmt: skip
def test_the_line_says_what_lasts(pack: Pack, monkeypatch: pytest.MonkeyPatch, facts: str, said: str) -> None:
    mission = Mission(pack, number=1)
    mission.write(pack.sheet.given((NIGHT + facts + " step=escort").split()))
    shown = " ".join(Prompts(mission, monkeypatch).type().split())
    assert f"Zone 11 out · LO · {said}" in shown


MILD = "zone=5 crew.cfc=light food.cfc=mild food.before.cfc=ok "


@pytest.mark.section("b29-streamliner 17", "b29-streamliner 17 2", "b29-streamliner 2")
@moments(
    ("a wounded man is counted", "zone=5 crew.cfc=light", "", "wounded=1"),
    ("the poisoned are not", MILD + "crew.pilot=serious food.pilot=severe food.before.pilot=ok", "", "wounded=0"),
    ("unless hurt before the meal", "zone=5 crew.cfc=serious food.cfc=severe food.before.cfc=light", "", "wounded=1"),
    ("or frostbitten", MILD + "frostbite.cfc=yes frostbite.pilot=yes", "", "wounded=2"),
    ("they are told apart", NIGHT + "food.cfc=severe", "", "poisoned=1"),
    ("the dead are none of them", NIGHT + "food.cfc=severe crew.cfc=kia", "", "poisoned=0"),
    ("nor are those at home", NIGHT + "food.cfc=severe bomber.fate=returned zone=0", "", "poisoned=0"),
    ("fuel ahead has a box more for Zone 1", DAY + "zone=0 turn=0 altitude=lo", "",
     f"fuel.home={1 + 24 + 4 + 1 + 11 + 1}"),
    ("and one for the turn of an abort with bombs aboard",
     DAY + "zone=9 turn=9 zone.turns=1 altitude=hi release.aft=out", "", f"fuel.turn={1 + 8 * 2 + 1}"),
)  # fmt: skip
def test_counted_missions(pack: Pack, sheet: str, flown: str, then: str) -> None:
    check(pack, sheet, flown, then)


@pytest.mark.section("b29-streamliner 17")
@pytest.mark.parametrize(("sharp", "man"), [("none", "right-gunner"), ("cfc", "cfc")])
def test_the_sharpshooter_is_proposed(pack: Pack, sharp: str, man: str) -> None:
    facts = DAY + (
        f"turn=11 zone=11 altitude=hi formation=in setting.ammunition=uncounted sharpshooter={sharp} step=evasion "
        "fighter.1.type=oscar fighter.1.clock=3 fighter.1.angle=high slots.fighter=1"
    )
    moment = set_up(pack, facts)
    moment.fly("")
    places = planned(moment.mission, decisions(moment.mission), {})
    assert {place.planned.name for place in places if place.planned.bind} == {f"1-{man}"}


@pytest.mark.section("b29-streamliner 17 2")
@pytest.mark.parametrize(("meal", "told"), [("none", False), ("mild", True)])
def test_only_a_poisoned_man_recovers(pack: Pack, meal: str, told: bool) -> None:
    moment = set_up(pack, NIGHT + "name.pilot=Pip", "4.6")
    moment.fly("4.6: 1,1\n")
    moment.mission.write({"food.pilot": meal, "crew.pilot": "light"})
    moment.mission.write({"crew.pilot": "ok"})
    again(moment, "4.6").fly("4.6: 1,1\n")
    sentences = " ".join(story_of(pack, moment.mission).sentences())
    assert ("over the illness" in sentences) == told
