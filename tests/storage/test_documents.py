"""Stored documents: what is pending and what a journal holds is sound, or it is damage."""

from __future__ import annotations

from typing import Any

import pytest

from companion.campaign.documents import Damage, check_journal, check_mission


@pytest.mark.parametrize(
    "item",
    [
        {"roll": "5-6", "bind": {"fighter": "1"}, "born": 3, "take": 4},
        {"ask": "zone", "usual": 2},
        {"order": "Land", "done": "zone = 0", "by": "rules", "cite": "4"},
        {"order": "Land", "done": {"zone": 0}},  # as the first edition kept it
    ],
)
def test_what_is_pending_can_be_worked_on(item: dict[str, Any]) -> None:
    check_mission({"facts": {}, "pending": [item]})


@pytest.mark.parametrize(
    "item",
    [
        "5-6",
        {},
        {"roll": 5},
        {"roll": "5-6", "choose": "aim"},
        {"roll": "5-6", "bind": {"fighter": None}},
        {"roll": "5-6", "bind": []},
        {"roll": "5-6", "born": True},
        {"roll": "5-6", "take": "4"},
        {"ask": "zone", "usual": []},
        {"order": "Land", "done": 3},
    ],
)
def test_what_is_pending_and_makes_no_sense_is_damage(item: Any) -> None:
    with pytest.raises(Damage, match="pending thing 1 is none that can be worked on"):
        check_mission({"facts": {}, "pending": [item]})
    with pytest.raises(Damage, match="journal entry 1 is not whole"):
        check_journal({1: {"v": "roll", "t": "5-6", "p": [0, [], [item]]}}, 1)


@pytest.mark.parametrize(
    "entry",
    [
        {"v": "roll"},
        {"t": "5-6"},
        {"v": 1, "t": "5-6"},
        {"v": "roll", "t": "5-6", "d": [True]},
        {"v": "roll", "t": "5-6", "d": ["3"]},
        {"v": "roll", "t": "5-6", "m": [["ace"]]},
        {"v": "roll", "t": "5-6", "c": {"zone": [1]}},
        {"v": "roll", "t": "5-6", "c": {"zone": [1, []]}},
        {"v": "roll", "t": "5-6", "p": [-1, [], []]},
        {"v": "roll", "t": "5-6", "p": [0, []]},
        {"v": "roll", "t": "5-6", "net": "7"},
    ],
)
def test_a_journal_entry_that_makes_no_sense_is_damage(entry: dict[str, Any]) -> None:
    with pytest.raises(Damage, match="journal entry 1 is not whole"):
        check_journal({1: entry}, 1)


def test_whole_entries() -> None:
    plain = {"v": "roll", "t": "5-6", "d": [3, 4], "w": {"zone": 3}, "b": {"gun": "tail"}, "m": [["ace", 1]], "net": 8}
    done = {"o": "hit", "s": 1, "a": 1, "c": {"zone": [None, 3]}, "p": [0, [{"roll": "5-6"}], []]}
    check_journal({1: {**plain, **done}, 2: {"v": "step", "t": "brief"}}, 2)
