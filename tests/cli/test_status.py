"""`companion status`: the whole bomber in one window."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.support import Run, begin


@pytest.mark.parametrize("game", ["b17", "b29"])
def test_the_status_of_a_bomber_fits_into_a_window(companion: Run, game: str) -> None:
    shown = begin(companion, game)("status").out.splitlines()
    assert len(shown) < 24
    assert max(map(len, shown)) <= 80
    boxes = "\n".join(line for line in shown if " left" in line)
    sheet, about = Pack(game).sheet, Pack(game).about["status"]
    for name in about["boxes"]:
        assert boxes.count(f"{sheet.under(name)} ") == 1
    assert boxes.count(" left") == len(about["boxes"])
    assert boxes.count("☐") == sum(sheet.fields[name].limit or 0 for name in about["boxes"])


def test_boxes_stand_two_to_a_line_where_both_fit(queens: Run) -> None:
    queens("mark", "ammo.port-cheek", "3")
    line = next(line for line in queens("status").out.splitlines() if line.startswith("Nose gun"))
    assert line == "Nose gun ☐☐☐☐☐☐☐☐☐☐ ☐☐☐☐☐ 15 left       Port cheek gun ☒☒☒☐☐☐☐☐☐☐ 7 left"
    assert "Port waist gun      ☐" in queens("status").out  # alone, and its boxes under those of the others


def test_engines_that_are_alike_take_one_line(queens: Run) -> None:
    assert "Engine 1 to 4 " in queens("status").out
    queens("set", "engine.2=out", "engine.4=out", "engine.3=runaway")
    shown = [line.partition("Engine")[2].split() for line in queens("status").out.splitlines() if "Engine " in line]
    assert shown == [["1", "ok"], ["2,", "4", "out"], ["3", "runaway"]]


def test_what_is_not_known_yet_takes_no_room(queens: Run) -> None:
    assert "What lies below" not in queens("status").out


def test_status_knows_every_fact_and_what_is_pending(owls: Run) -> None:
    owls("roll", "5-1", "--dice", "4,4")
    status = owls("status", "--json").json
    assert (status["campaign"], status["game"], status["mission"]) == ("Night Owls", "b29", 1)
    assert status["facts"]["engines.out"] == 0
    assert status["facts"]["fuel.wing"] == 0
    assert status["pending"][0]["table"] == "5.2A"
    assert owls("next", "--json").json["pending"] == status["pending"]
