"""The description of a result at its three lengths, and changes told as events."""

from __future__ import annotations

import pytest

from companion.engine.dice import Hand
from companion.packs import Pack
from companion.render.changes import changes_of
from companion.render.describe import describe, entry_line, in_flight, in_full
from companion.render.explanation import explain
from companion.store.session import Session
from tests.support import begun


@pytest.mark.parametrize(
    ("name", "before", "after", "event"),
    [
        ("fuel.wing", 0, 12, "Wing tanks: 12 crossed off, 26 left"),
        ("fuel.wing", 12, 10, "Wing tanks: 2 erased, 28 left"), ("engine.2", "ok", "out", "Engine 2: out"),
        ("rally.missed", "no", "yes", "Rally missed"), ("fighter.1.hit", "no", "yes", "Fighter 1 hit the bomber"),
        ("windshield.hits", 1, 2, "Windshield: 2"),
    ],
)  # fmt: skip
def test_a_change_is_told_as_an_event(b29: Pack, name: str, before: int | str, after: int | str, event: str) -> None:
    told = changes_of([(name, before, after)], b29, written=[name])
    assert told.events() == [event] and "→" in told.arrows()[0]


def test_what_happens_to_several_men_is_said_in_one_piece(b29: Pack) -> None:
    men = [("frostbite.pilot", "no", "yes"), ("frostbite.cfc", "no", "yes"), ("crew.pilot", "ok", "kia")]
    assert changes_of(men, b29).events() == ["Frostbite, Pilot, Central fire controller", "Pilot: KIA"]


def test_one_roll_at_three_lengths(b29: Pack) -> None:
    """5-9 from 6 o'clock: 7 or more hits; an ace adds 1. The dice are 4 and 4."""
    mission = begun(b29, {"fighter.1.type": "zeke", "fighter.1.clock": "6", "fighter.1.angle": "level"})
    mission.write({"fighter.1.pilot": "ace"})
    result = mission.roll("5-9", Hand([[4, 4]]), {"fighter": "1"}, single=True)[0]
    session = Session(b29, mission)
    head = "5-9 Japanese offensive fire – fighter 1"
    assert entry_line(mission.journal.entries[-1], b29, result) == (
        f"{head}: 4+4 +1 = 9, The B-29 is hit  Fighter 1 hit the bomber"
    )
    told = [each.text for each in in_flight([result], session, [])]
    assert told[0] == f"{head}: 4+4 +1 ace fighter pilot = 9, The B-29 is hit"
    assert "Fighter 1 hit the bomber" not in told  # the wave shows it
    full = [f"{each.margin}{each.text}" for each in in_full(describe(result, session))]
    assert [line.split() for line in full[1:4]] == [
        ["dice", "8", "4", "+", "4"], ["+1", "ace", "fighter", "pilot", "5-5"], ["net", "9"],
    ]  # fmt: skip
    assert full[4] == "  The B-29 is hit" and "    Fighter 1 hit the bomber" not in full
    assert "    Fighter 1 hit the bomber: none → yes" in [
        f"{each.margin}{each.text}" for each in in_full(explain(session, None).told, arrows=True)
    ]
