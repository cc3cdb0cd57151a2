"""Text that somebody else wrote stands there and does nothing: on the terminal, in a spreadsheet, on paper."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.words import ACTIVE
from tests.support import Lay, Run

EVIL = "Ko\x1b[2Jbe\u202e\x9b5m"  # clears the screen, turns the line round
SHOWN = "Ko?[2Jbe??5m"


def rewritten(path: Path, *place: str, value: object) -> None:
    """A file of ours in which somebody has changed one thing."""
    document = json.loads(path.read_text(encoding="utf-8"))
    part: Any = document
    for each in place[:-1]:
        part = part[each]
    part[place[-1]] = value
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.fixture
def hostile(owls: Run, data_folder: Path) -> Run:
    owls("mark", "fuel.wing", "2")
    folder = data_folder / "campaigns" / "night-owls"
    rewritten(folder / "campaign.json", "campaign", "1", "name", value=EVIL)
    rewritten(folder / "campaign.json", "campaign", "1", "roster", "pilot", value=EVIL)
    rewritten(folder / "campaign.json", "campaign", "1", "aircraft", value=EVIL)
    rewritten(folder / "mission-01.json", "mission", "1", "facts", "target.city", value=EVIL)
    rewritten(folder / "mission-01.json", "mission", "1", "facts", "name.pilot", value=EVIL)
    rewritten(folder / "mission-01.json", "mission", "1", "pending", value=[{"order": EVIL}])
    rewritten(folder / "mission-01.json", "journal", "1", "t", value=EVIL)
    return owls


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["status", "next", "campaign", "crew", "bomber", "log", "log --replay", "why", "campaigns", "sheet mission",
     "sheet crew", "sheet campaign", "export --csv", "export --json", "doctor", "snapshot", "undo"],
)  # fmt: skip
def test_a_campaign_of_somebody_elses_does_nothing_to_the_terminal(hostile: Run, command: str) -> None:
    ran = hostile(*command.split())
    assert re.search(ACTIVE, ran.out + ran.err) is None
    assert "made a mistake" not in ran.err


def test_what_would_do_something_is_written_with_a_question_mark_there(hostile: Run, data_folder: Path) -> None:
    assert hostile("mark", "fuel.wing").code == 0
    kept = json.loads((data_folder / "campaigns/night-owls/mission-01.json").read_text(encoding="utf-8"))
    assert kept["mission"]["1"]["facts"]["target.city"] == SHOWN
    assert SHOWN in hostile("status").out


@pytest.mark.slow
def test_a_sheet_is_printed_with_such_names_on_it(hostile: Run, tmp_path: Path) -> None:
    assert hostile("sheet", "campaign", "-o", tmp_path / "c.pdf").code == 0
    assert hostile("sheet", "mission", "-o", tmp_path / "m.pdf").code == 0


@pytest.mark.parametrize("text", ["=cmd|'/c calc'!A1", "+1+1", "-2+3", "@SUM(A1)", "\uff1d1"])
def test_no_cell_of_a_spreadsheet_is_a_formula(owls: Run, data_folder: Path, text: str) -> None:
    mission = data_folder / "campaigns/night-owls/mission-01.json"
    for name in ("target.city", "name.pilot"):
        rewritten(mission, "mission", "1", "facts", name, value=text)
    for value, name in (("kia", "crew.pilot"), ("kia", "fate.pilot")):
        rewritten(mission, "mission", "1", "facts", name, value=value)
    for command in (["export", "--csv"], ["campaign", "--csv"]):
        head, row = csv.reader(io.StringIO(owls(*command).out))
        cells = dict(zip(head, row, strict=True))
        assert (cells["target.city"], cells["lost"]) == (f"'{text}", f"'{text}")


def test_a_number_below_nothing_is_a_number_still(owls: Run, data_folder: Path) -> None:
    rewritten(data_folder / "campaigns/night-owls/mission-01.json", "mission", "1", "facts", "target.city", value="-12")
    assert ",-12," in owls("export", "--csv").out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pack.toml", 'title = "\\u001b]0;owned\\u0007"\n'),
        ("5-1.toml", '[[patch]]\nreason = "\\u202eekaf"\n'),
        ("5-1.toml", '[[patch]]\nreason = "x"\n"\\u009b5m" = 1\n'),
    ],
)
def test_a_table_of_somebody_elses_has_no_such_letters(owls: Run, lay: Lay, name: str, text: str) -> None:
    path = lay(name, text)
    for command in (["tables", "check", "b29"], ["tables", "diff"]):
        ran = owls(*command)
        assert ran.code in (1, 2) and re.search(ACTIVE, ran.out + ran.err) is None
        assert f"{path}: '" in ran.out + ran.err and "a letter that cannot be shown" in ran.out + ran.err


@pytest.mark.slow
def test_the_names_of_files_are_shown_and_no_more(owls: Run, data_folder: Path) -> None:
    folder = data_folder / "campaigns" / "a\x1b[31mb"
    folder.mkdir()
    (folder / "campaign.json").write_text("{")
    for command in (["doctor"], ["campaigns"]):
        ran = owls(*command)
        assert "\x1b" not in ran.out + ran.err and "a?[31mb" in ran.out


def test_tab_offers_no_such_names(owls: Run, data_folder: Path, lay: Lay) -> None:
    for name in ("owls\x1b[31m", "owls"):
        folder = data_folder / "campaigns" / name
        folder.mkdir()
        (folder / "campaign.json").write_text("{")
    (data_folder / "campaigns" / "night-owls" / "mission-².json").touch()
    lay("5-99.toml", 'id = "5-99"\ntitle = "Fighters \x1b[31m\u202e"\n[')
    assert owls("complete", "use", "ow").out == "owls\tdamaged\n"
    assert owls("complete", "sheet", "mission", "--mission", "").out == "1\n"
    offered = owls("complete", "show", "5-99").out
    assert offered == "5-99\tFighters ?[31m?\n"
