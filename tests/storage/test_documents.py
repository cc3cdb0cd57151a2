"""Stored documents: what is pending and what a journal holds is sound, or it is damage."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from companion.engine.pending import restored
from companion.packs import Pack
from companion.store.documents import DamagedFile, check_pending, parse, written
from tests.support import Run


def stored(*entries: object, pending: object = (), **row: object) -> bytes:
    """A mission's file as somebody else has written it."""
    mission = {"format": 1, "number": 1, "game": "b29", "stand": len(entries), "facts": {}, "pending": pending, **row}
    journal = {str(at): entry for at, entry in enumerate(entries, 1)}
    return json.dumps({"mission": {"1": mission}, "journal": journal}).encode()


@pytest.mark.parametrize(
    "item",
    [
        {"roll": "5-6", "bind": {"fighter": "1"}, "born": 3, "take": 4},
        {"ask": "zone", "usual": 2},
        {"order": "Land", "done": "zone = 0", "by": "rules", "cite": "4"},
    ],
)
def test_what_is_pending_can_be_worked_on(b29: Pack, item: dict[str, Any]) -> None:
    check_pending(restored(parse(stored(pending=[item]), "mission").tables["mission"]["1"]["pending"]), b29)


@pytest.mark.parametrize(
    "item",
    [
        "5-6",
        {"roll": 5},
        {"roll": "5-6", "bind": {"fighter": None}},
        {"roll": "5-6", "bind": []},
        {"roll": "5-6", "born": True},
        {"roll": "5-6", "take": "4"},
        {"ask": "zone", "usual": []},
        {"order": "Land", "done": 3},
        {"order": "Land", "done": {"zone": 0}},
        {},
        {"roll": "5-6", "choose": "aim"},
    ],
)
def test_what_is_pending_and_makes_no_sense_is_damage(item: Any) -> None:
    for content in (stored(pending=[item]), stored({"v": "roll", "t": "5-6", "p": [0, [], [item]]})):
        with pytest.raises(DamagedFile, match="expected .* got .* at |one roll, choice"):
            parse(content, "mission")


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
    with pytest.raises(DamagedFile, match=r"journal|it|expected|Invalid"):
        parse(stored(entry), "mission")


def test_whole_entries() -> None:
    plain = {"v": "roll", "t": "5-6", "d": [3, 4], "w": {"zone": 3}, "b": {"gun": "tail"}, "m": [["ace", 1]], "net": 8}
    done = {"o": "hit", "s": 1, "a": 1, "c": {"zone": [None, 3]}, "p": [0, [{"roll": "5-6"}], []]}
    parse(stored({**plain, **done}, {"v": "step", "t": "brief"}), "mission")


def test_a_file_says_by_its_checksum_whether_we_wrote_it() -> None:
    tables = json.loads(stored({"v": "step", "t": "brief"}))
    ours = written(tables)
    assert parse(ours, "mission") == (tables, True)
    assert parse(ours.replace(b"brief", b"brieg"), "mission").ours is False
    for bit in range(0, 8 * len(ours), 61):  # a flip is never taken for ours
        flipped = bytearray(ours)
        flipped[bit // 8] ^= 1 << bit % 8
        with suppress(DamagedFile):
            assert not parse(bytes(flipped), "mission").ours


def test_a_field_that_the_game_no_longer_knows_is_kept_and_told(struck: Run, data_folder: Path) -> None:
    path = data_folder / "campaigns/owls/mission-01.json"
    document = json.loads(path.read_text())
    document["mission"]["1"]["facts"] |= {"parrot": "yes", "engines.out": 2}
    path.write_text(json.dumps(document))
    assert all(struck(command).code == 0 for command in ("status", "campaign", "log"))
    assert struck("mark", "fuel.wing").code == 0 and struck("undo").code == 0
    facts = json.loads(path.read_text())["mission"]["1"]["facts"]
    assert (facts["parrot"], facts["engines.out"]) == ("yes", 2)
    assert struck("status", "--json").json["facts"]["engines.out"] == 0
    ran = struck("doctor")
    assert ran.code == 0 and "unknown to b29 and kept: parrot, engines.out" in ran.out


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
