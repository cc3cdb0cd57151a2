"""Stored documents: what is pending and what a journal holds is sound, or it is damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.store.documents import Damage, check_journal, check_mission, parse
from tests.support import Run


@pytest.mark.parametrize(
    "item",
    [
        {"roll": "5-6", "bind": {"fighter": "1"}, "born": 3, "take": 4},
        {"ask": "zone", "usual": 2},
        {"order": "Land", "done": "zone = 0", "by": "rules", "cite": "4"},
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
        {"v": "role", "t": "5-6"},
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


def test_a_text_that_would_do_something_is_read_with_a_question_mark_there() -> None:
    whole = {"mission": {"1": {"format": 1, "facts": {"sea": "Pa\x1b[31mcific\ud800", "\u202e": "a\nb"}}}}
    for text in (json.dumps(whole), json.dumps(whole, ensure_ascii=False)):
        document, _ = parse(text)
        assert document["mission"]["1"]["facts"] == {"sea": "Pa?[31mcific?", "?": "a\nb"}
        json.dumps(document, ensure_ascii=False).encode()  # it can be written again


def test_a_number_of_thousands_of_figures_is_damage() -> None:
    with pytest.raises(Damage, match="a number of thousands of figures"):
        parse('{"mission": {"1": {"format": 1%s}}}' % ("0" * 5000))


@pytest.mark.parametrize(("name", "value"), [("kills.pilot", ""), ("fuel.wing", "3"), ("crew.pilot", 7)])
@pytest.mark.parametrize("command", ["crew", "campaign", "export --csv", "sheet damage", "snapshot --campaign"])
def test_what_a_field_never_takes_is_damage_to_the_campaign_log_too(
    struck: Run, data_folder: Path, command: str, name: str, value: object
) -> None:
    path = data_folder / "campaigns/owls/mission-01.json"
    document = json.loads(path.read_text())
    document["mission"]["1"]["facts"][name] = value
    path.write_text(json.dumps(document))
    ran = struck(*command.split())
    assert ran.code == 1 and f"{path} is damaged ({name} " in ran.err


def test_what_the_sheet_has_no_longer_does_not_stop_the_campaign_log(struck: Run, data_folder: Path) -> None:
    path = data_folder / "campaigns/owls/mission-01.json"
    document = json.loads(path.read_text())
    document["mission"]["1"]["facts"]["of.an.older.table"] = "x"
    path.write_text(json.dumps(document))
    assert struck("campaign").code == 0


@pytest.mark.parametrize("entry", [{"v": "mark", "t": "x"}, {"v": "done", "t": "x"}, {"v": "choose", "t": "x"},
                                   {"v": "mark", "t": "x", "c": {"fuel.wing": ["a", None]}}])  # fmt: skip
def test_a_replay_says_where_an_entry_lacks_what_its_verb_needs(
    struck: Run, data_folder: Path, entry: dict[str, Any]
) -> None:
    path = data_folder / "campaigns/owls/mission-01.json"
    document = json.loads(path.read_text())
    document["journal"]["1"] = entry
    path.write_text(json.dumps(document))
    ran = struck("log", "--replay")
    assert ran.code == 0 and "# entry 1 comes to something else when it is replayed" in ran.out
