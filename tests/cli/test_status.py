"""`companion status`: the whole bomber in one window."""

from __future__ import annotations

import pytest

from companion.cli.glance import BETWEEN, glance
from companion.cli.leaf import PAGE, page
from companion.packs import Pack
from companion.play.mission import Mission
from companion.store.session import Session
from tests.screens import status, statuses
from tests.support import Run, begin, slow_but

ROWS, COLUMNS = 23, 80  # a terminal of 24 rows with the line where the next command is typed
GAMES = ["b17", "b29", "b29-streamliner", "bombs-away"]


@pytest.mark.parametrize("game", ["b17", "b29"])
def test_all_of_the_status_has_every_box(companion: Run, game: str) -> None:
    shown = begin(companion, game)("status", "--all").out.splitlines()
    assert max(map(len, shown)) <= COLUMNS
    boxes = "\n".join(line for line in shown if "☐" in line and " left" in line)
    sheet, about = Pack(game).sheet, Pack(game).about["status"]
    for name in about["boxes"]:
        assert boxes.count(f"{sheet.under(name)} ") == 1
    assert boxes.count("☐") == sum(sheet.fields[name].limit or 0 for name in about["boxes"])


@pytest.mark.parametrize("game", GAMES)
def test_the_worst_there_can_be_fits_into_a_window(game: str) -> None:
    """Every field at its last word, every box crossed off, and a dozen things pending."""
    pack = Pack(game)
    mission = Mission(pack, number=1)
    for name, field in pack.sheet.fields.items():
        if field.values:
            mission.state[name] = field.values[-1]
        elif field.numeric:
            mission.state[name] = field.limit if field.limit is not None else 12
        else:
            mission.state[name] = "Bartholomew Featherstonehaugh"
    mission.state["step"] = ""
    mission.pending = [
        {"order": "come down to where the air can be breathed, every one of you, before the next turn"}
    ] * 12
    lines = status(mission)
    assert len(lines) <= ROWS
    assert max(map(len, lines)) <= COLUMNS
    assert len(glance(Session(pack, mission), rows=BETWEEN)) <= BETWEEN  # in a flight
    leaf = page("Sheet", pack, mission.state, ())
    assert len(leaf) <= PAGE
    assert max(len(line.plain) for line in leaf) <= COLUMNS


@pytest.mark.parametrize("game", slow_but(GAMES))
@pytest.mark.parametrize("seed", slow_but(range(1, 12, 5)))
def test_every_state_of_a_mission_fits_into_a_window(game: str, seed: int) -> None:
    """Some missions; `python -m tests.bench.names` looks at those of hundreds."""
    longest: list[str] = []
    for lines in statuses(Pack(game), seed):
        assert max(map(len, lines)) <= COLUMNS, lines
        longest = max(longest, lines, key=len)
    assert len(longest) <= ROWS, longest


def test_the_status_tells_what_is_wrong(queens: Run) -> None:
    queens("set", "crew.pilot=kia", "crew.tail-gunner=light", "frostbite.ball-gunner=yes", "oxygen.navigator=1")
    queens("set", "engine.2=out", "engine.4=runaway", "gun.top=broken", "ammo.nose=15", "ammo.tail=3", "radio=out")
    shown = " ".join(queens("status").out.split())
    for words in (
        "Pilot Warren Tuttle KIA",
        "Tail gunner Red Mulvaney light",
        "Ball gunner Nick Abruzzo ok, frostbite",
        "Navigator Simon Ostrow oxygen 1 of 2",
        "the other 6 well",
        "Engine 2 out",
        "Engine 4 runaway",
        "Top turret broken",
        "Nose gun 0 of 15",
        "Tail guns 20 of 23",
        "Radio out",
    ):
        assert words in shown
    assert "Engine 1" not in shown and "Copilot" not in shown


def test_boxes_stand_two_to_a_line_where_both_fit(queens: Run) -> None:
    queens("mark", "ammo.port-cheek", "3")
    shown = queens("status", "--all").out
    line = next(line for line in shown.splitlines() if line.startswith("Nose gun"))
    assert line == "Nose gun ☐☐☐☐☐☐☐☐☐☐ ☐☐☐☐☐ 15 left       Port cheek gun ☒☒☒☐☐☐☐☐☐☐ 7 left"
    assert "Port waist gun      ☐" in shown  # alone, and its boxes under those of the others


def test_engines_that_are_alike_take_one_line(queens: Run) -> None:
    assert "Engine 1 to 4 " in queens("status", "--all").out
    queens("set", "engine.2=out", "engine.4=out", "engine.3=runaway")
    shown = [
        line.partition("Engine")[2].split()
        for line in queens("status", "--all").out.splitlines()
        if "Engine " in line and "engine" not in line
    ]
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
