"""What is no snapshot and no export is refused, and an import is whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion.problems import UserError
from companion.store import snapshot
from tests.storage.evenings import document, mission
from tests.support import Run


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (document(companion=2), "needs another companion"),
        (document(name="x" * 500), "length <= 80 at name"),
        (document(roster={"cook": "A"}), "crew position"),
        (document(extra=1), "unknown field extra"),
        (document(kind="campaign", missions=[{"number": 2, "facts": {}}, {"number": 1, "facts": {}}]), "out of order"),
        (mission(facts={"fuel.wing": 39}), "cannot be 39"),
        (mission(game="b17"), "another game than b29"),
        (mission(pending=[{"ask": "fuel.wing", "usual": "x"}]), "fuel.wing is a number, not x"),
        (mission(pending=[{"roll": "5-9", "bind": {"fighter": 99}}]), "fighter cannot be 99"),
        (mission(pending=[{"roll": "5-1", "choose": "x"}]), "one roll, choice, question or order"),
        (mission(pending=[{"roll": "5-99"}]), "no table 5-99"),
        (mission(pending=[{"choose": "rob-a-bank"}]), "there is no choice"),
        (mission(pending=[{"order": "x", "done": "zone >= "}]), "an order ends on what b29 does not know"),
        (mission(pending=["roll"]), "expected object, got str"),
    ],
)
def test_what_no_snapshot_would_hold_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        snapshot.Restored(given)


def test_a_letter_that_could_do_something_comes_back_as_a_question_mark(companion: Run) -> None:
    given = mission(facts={"target.city": "Kobe\x9b5m", "sea": "\x1b[31mred"}, pending=[{"order": "Land\u202e"}])
    given |= {"aircraft": "Bad\x1b[5mname", "roster": {"pilot": "\u202eekaF"}}
    ran = companion("restore", snapshot.text(given), "--yes")
    assert ran.code == 0 and "bomber Bad?[5mname" in ran.out
    assert companion("crew", "--json").json["crew"][0]["name"] == "?ekaF"
    assert "Land?" in companion("next").out
    assert companion("restore", snapshot.text(document(name="a\nb")), "--yes").code == 2


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
    with pytest.raises(UserError):
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
