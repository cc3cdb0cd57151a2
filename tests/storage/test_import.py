"""Invalid snapshots and exports are refused, and an import is all or nothing."""

from __future__ import annotations

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
        (document(name="x" * 500), "one line of up to 80 printable characters"),
        (document(kind="campaign", missions=[{"number": 1}]), "missing required field facts"),
        (mission(facts={"fuel.wing": 39}), "must be 0 to 38, not 39"),
        (mission(pending=[{"roll": "5-1", "choose": "x"}]), "one roll, choice, question or order"),
        (mission(pending=[{"roll": "5-99"}]), "no table 5-99"),
        (mission(pending=[{"choose": "rob-a-bank"}]), "there is no choice"),
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


def test_fields_that_the_game_does_not_know_are_left_out_and_told(companion: Run) -> None:
    strange = {"front": "storm", "engines.out": 3, "__class__": "x"}
    ran = companion("restore", snapshot.text(mission(facts={**strange, "altitude": "hi"})), "--yes")
    assert ran.code == 0 and "Left out, because b29 doesn't have them: front, engines.out, __class__" in ran.out
    assert companion("status", "--json").json["facts"]["engines.out"] == 0


@pytest.mark.parametrize("data", [b"", b"\x89PNG broken", b"\xff\xd8\xff", b"{}", b"hello", b"\xc3\x28", b"BC1:1/2"])
def test_a_file_that_is_none_of_ours(companion: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "what").write_bytes(data)
    for command in ("restore", "import"):
        ran = companion(command, tmp_path / "what", "--yes")
        assert ran.code == 2, ran.err
        assert ran.err.count("\n") == 1
    assert companion("restore", tmp_path / "nothing.png").code == 2


def test_a_picture_without_a_code(companion: Run, tmp_path: Path) -> None:
    Image.new("L", (300, 300), 255).save(tmp_path / "white.png")
    assert "No code" in companion("restore", tmp_path / "white.png").err
    assert "it isn't JSON" in companion("import", tmp_path / "white.png").err


@pytest.mark.slow
def test_a_large_photograph_is_made_smaller(tmp_path: Path) -> None:
    Image.new("L", (8000, 6000), 255).save(tmp_path / "large.png")
    picture = snapshot._opened(tmp_path / "large.png")
    assert picture.mode == "L" and 15_900_000 < picture.width * picture.height <= 16_100_000
