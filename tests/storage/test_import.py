"""What is no snapshot and no export is refused, and an import is whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PIL import Image

from companion.problems import Problem
from companion.store import snapshot
from tests.storage.evenings import document, mission
from tests.support import Run

HOSTILE = [
    ({}, "snapshot"),
    (document(kind="virus"), "Invalid enum value 'virus'"),
    (document(companion=2), "needs another companion"),
    (document(companion="1"), "expected int, got str at companion"),
    (document(game="b24"), "there is no game"),
    (document(game="../../etc"), "there is no game"),
    (document(name="///"), "cannot name a campaign"),
    (document(name="x" * 500), "length <= 80 at name"),
    (document(name="a\nb"), "is not plain text"),
    (document(name="a\x9b5mb"), "is not plain text"),
    (document(aircraft="Bad\x1b[5mname"), "is not plain text"),
    (document(roster={"pilot": "x" * 81}), "length <= 80 at roster"),
    (document(roster={"pilot": "\u202eekaF"}), "is not plain text"),
    (mission(facts={"target.city": "Kobe\x9b5m"}), "is not plain text"),
    (mission(facts={"target.city": "Ko\u202eeb"}), "is not plain text"),
    (mission(facts={"target.city": "Ko\u2066be"}), "is not plain text"),
    (mission(facts={"step": "\x80"}), "is not plain text"),
    (mission(facts={"kills.pilot": ""}), "kills.pilot is a number"),
    (mission(pending=[{"order": "Land\x1b"}]), "is not plain text"),
    (mission(pending=[{"ask": "zone", "bind": {"a\u202e": "1"}}]), "is not plain text"),
    (mission(pending=[{"ask": "zone", "usual": "\u202e"}]), "is not plain text"),
    (mission(pending=[{"order": "Land", "done": "target.city = '\u2066'"}]), "is not plain text"),
    (document(roster={"cook": "A"}), "crew position"),
    (document(roster=[]), "expected object, got array at roster"),
    (document(extra=1), "unknown field extra"),
    (document(missions={}), "expected array, got object at missions"),
    (document(missions=[1]), "expected object, got int at missions"),
    (document(kind="campaign", missions=[{"number": 2, "facts": {}}, {"number": 1, "facts": {}}]), "out of order"),
    (mission(number=-1), "expected int >= 0 at missions"),
    (mission(facts={"altitude": "moon"}), "altitude cannot be moon"),
    (mission(facts={"fuel.wing": 39}), "cannot be 39"),
    (mission(facts={"fuel.wing": True}), "expected int | str, got bool"),
    (mission(facts={"fuel.wing": 1.5}), "expected int | str, got float"),
    (mission(facts={"sea": "x" * 501}), "up to 500 characters"),
    (mission(facts={"notes": "x" * 20_001}), "length <= 20000"),
    (mission(facts={"notes": ["x"]}), "expected int | str, got array"),
    (mission(game="b24"), "there is no game b24"),
    (mission(game="b17"), "another game than b29"),
    (mission(pending=[{"ask": "fuel.wing", "usual": "x"}]), "fuel.wing is a number, not x"),
    (mission(pending=[{"ask": "altitude", "usual": "moon"}]), "altitude cannot be moon"),
    (mission(pending=[{"roll": "5-9", "bind": {"fighter": 99}}]), "fighter cannot be 99"),
    (mission(pending=[{"roll": "5-9", "bind": {"moon": 1}}]), "which b29 does not know"),
    (mission(pending=[{"roll": "5-1", "choose": "x"}]), "one roll, choice, question or order"),
    (mission(pending=[{"roll": "5-99"}]), "no table 5-99"),
    (mission(pending=[{"choose": "rob-a-bank"}]), "there is no choice"),
    (mission(pending=[{"ask": "nothing"}]), "there is no field 'nothing'"),
    (mission(pending=[{"order": "x", "done": "no.such = 1"}]), "there is no fact no.such"),
    (mission(pending=[{"order": "x", "done": "zone >= "}]), "an order ends on what b29 does not know"),
    (mission(pending=[{"order": "x", "done": "zone"}]), "an order ends on what b29 does not know"),
    (mission(pending=[{"order": "x", "done": "__import__('os').getcwd() = 1"}]), "an order ends on what"),
    (mission(pending=[{"order": "x", "done": "(" * 400}]), "nested too deeply"),
    (mission(pending=[{"order": "x", "done": "zone = 1 or " * 100}]), "length <= 500"),
    (mission(pending=[{"order": "x", "done": ["zone"]}]), "expected str, got array"),
    (mission(pending=[{"order": "x", "done": "zone = 1", "by": 5}]), "expected str, got int"),
    (mission(pending=[{"order": "x", "exec": "rm"}]), "unknown field exec"),
    (mission(pending=[{"roll": "5-1", "bind": {"fighter": []}}]), "got array"),
    (mission(pending=["roll"]), "expected object, got str"),
    (mission(pending=[{"roll": "5-1", "born": "x"}]), "expected int, got str"),
]


def test_a_good_document_of_that_shape_is_taken(companion: Run) -> None:
    assert companion("restore", snapshot.text(document()), "--yes").code == 0


def test_fields_that_the_game_does_not_know_are_left_out_and_told(companion: Run) -> None:
    strange = {"front": "storm", "engines.out": 3, "__class__": "x"}
    ran = companion("restore", snapshot.text(mission(facts={**strange, "altitude": "hi"})), "--yes")
    assert ran.code == 0 and "Left out, as b29 does not know them: front, engines.out, __class__" in ran.out
    assert companion("status", "--json").json["facts"]["engines.out"] == 0


@pytest.mark.parametrize("at", range(0, 200, 7))
def test_one_wrong_letter_is_noticed(at: int) -> None:
    text = snapshot.text(document())
    wrong = text[:at] + ("A" if text[at : at + 1] != "A" else "B") + text[at + 1 :]
    with pytest.raises(Problem):
        snapshot.read([wrong])


@pytest.mark.parametrize("data", [b"", b"\x89PNG broken", b"\xff\xd8\xff", b"{}", b"hello", b"\xc3\x28", b"BC1:1/2"])
def test_a_file_that_is_none_of_ours(companion: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "what").write_bytes(data)
    for command in ("restore", "import"):
        ran = companion(command, tmp_path / "what", "--yes")
        assert ran.code == 2, ran.err
        assert ran.err.count("\n") == 1
    assert companion("restore", tmp_path / "nothing.png").code == 2


@pytest.mark.slow
def test_what_is_no_export_is_called_that(flown: Run, tmp_path: Path) -> None:
    (tmp_path / "o.json").write_text("{}")
    Image.new("L", (300, 300), 255).save(tmp_path / "white.png")
    for file, message in (("o.json", "no snapshot of the companion; nothing"), ("white.png", "it is not JSON")):
        assert message in flown("import", tmp_path / file).err


def test_a_picture_without_a_code(companion: Run, tmp_path: Path) -> None:
    Image.new("L", (300, 300), 255).save(tmp_path / "white.png")
    assert "no code" in companion("restore", tmp_path / "white.png").err


def test_an_imported_file_is_as_untrusted(companion: Run, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(
        json.dumps(document(kind="campaign", missions=[{"number": 1, "facts": {"zone": 99}}]))
    )
    ran = companion("import", tmp_path / "c.json", "--yes")
    assert ran.code == 2
    assert "zone cannot be 99" in ran.err
