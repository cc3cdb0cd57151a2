"""Text from others is shown literally, on the terminal and on paper."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from companion.words import ACTIVE
from tests.support import Run

EVIL = "Ko\x1b[2Jbe\u202e\x9b5m"  # clears the screen, turns the line round
SHOWN = "Ko?[2Jbe??5m"


def rewritten(path: Path, *place: str, value: object) -> None:
    """Return one of our files with one thing changed."""
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
