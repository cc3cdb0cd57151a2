"""Weather, wind, searchlights and seats along the way, and automatic steps."""

from __future__ import annotations

import pytest

from companion.engine.dice import Hand
from companion.engine.pending import Pending
from companion.packs import Pack
from tests.games.b29.table import flying, roll
from tests.support import Run, begin


@pytest.mark.section("b29 4-2")
def test_weather_looks_back_one_zone(b29: Pack) -> None:
    mission = flying(b29, zone=3)
    roll(mission, "4-2", 6, 6)
    assert mission.state["weather"] == "bad"
    mission.write({"zone": 4, "altitude": "med"})
    look = roll(mission, "4-2", 2, 5)
    assert (look.net, look.outcome) == (9, "poor")
    assert mission.state["log.outbound.4.weather"] == "poor"


@pytest.mark.section("b29 4-2")
def test_wind_at_high_altitude(b29: Pack) -> None:
    mission = flying(b29, zone=3)
    mission.write({"altitude": "hi", "fuel.wing": 5, "leg": "inbound"})
    assert roll(mission, "4-2", 1, 1).outcome == "good"
    assert mission.state["fuel.wing"] == 4
    mission.write({"leg": "outbound"})
    roll(mission, "4-2", 1, 1)
    assert mission.state["fuel.wing"] == 5


@pytest.mark.section("b29 5.8 A", "b29 5-14 a")
def test_a_searchlight_ends_with_the_turn(b29: Pack) -> None:
    mission = flying(b29, zone=12)
    mission.write({"mission.time": "night", "squadron": "low"})
    light = roll(mission, "5-14", 6, 6)
    assert (light.outcome, light.then) == ("fixed", ["searchlight-shot"])
    mission.roll(None, Hand(), outcome="fire")
    shot = roll(mission, None, 1, 1)
    assert shot.then == ["5-14.jam"]
    assert mission.state["ammo.fwd-lower"] == mission.state["ammo.aft-lower"] == 1
    roll(mission, None, 5)
    assert mission.state["gun.aft-lower"] == "jammed"
    mission.write({"turn": 7})
    assert "searchlight" not in mission.state


@pytest.mark.section("b29 7.6 A", "b29 7.6 D")
def test_a_man_takes_a_dead_gunners_seat(b29: Pack) -> None:
    # 7.6 B: within one compartment at no penalty; who comes from another fires nothing this turn
    mission = flying(b29, zone=12)
    mission.write({"crew.cfc": "kia", "name.cfc": "Roy", "name.radar-operator": "Abe", "turn": 5})
    mission.pending = [Pending.of({"choose": "move", "born": 1})]
    mission.roll(None, Hand(), outcome="cfc")
    mission.roll(None, Hand(), outcome="radar-operator")
    state = mission.state
    assert (state.get("crew.cfc", "ok"), state["crew.radar-operator"]) == ("ok", "kia")
    assert (state["name.cfc"], state["name.radar-operator"]) == ("Abe", "Roy")
    assert "duty.cfc" not in state
    mission.go_to_entry(mission.journal.position - 2)
    assert mission.state["name.cfc"] == "Roy"
    mission.pending = [Pending.of({"choose": "move", "born": 1})]
    mission.roll(None, Hand(), outcome="cfc")
    mission.roll(None, Hand(), outcome="navigator")
    assert mission.state["duty.cfc"] == "moved"
    mission.write({"turn": 6})
    assert "duty.cfc" not in mission.state


@pytest.mark.section("b29 9.1")
def test_a_man_in_another_seat_is_settled_at_that_seat(companion: Run) -> None:
    begin(companion, "b29")
    companion("set", "crew.radar-operator=serious", "name.radar-operator=Roy Castellano", "name.cfc=Abe Feldman")
    companion("set", "bomber.fate=returned", "target.city=kobe")
    refused = companion("mission", "start", "--yes")
    assert refused.code == 2
    assert 'companion roll 7-13.fate --with "position=Radar operator"' in refused.err
    companion("roll", "7-13.fate", "--with", "position=radar-operator", "--outcome", "duty")
    assert companion("mission", "start", "--yes").code == 0
