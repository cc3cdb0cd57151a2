"""An index with names chosen by the players: shown, understood, and never confused with printed names."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.pending import Pending
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import UserError
from tests.support import pack, sheet_of

TOWNS = """[index.town]
text = "{alias[town]}"
first = {label = "First town"}
second = {label = "Second town"}
"""
FIELDS = """"alias[town]" = {label = "{town}, as you call it", kind = "name"}
"ruins[town]" = {label = "{town}, ruins", kind = "count"}
over = {label = "Over", values = "first second sea"}
"""
CHOICE = """[choice.where]
title = "Where to?"
option = [{for = "town", name = "{town}", text = "{alias[town]}", do = ["over = town"]}]
"""


@pytest.fixture
def towns(tmp_path: Path) -> Pack:
    sheet = sheet_of("raid").replace("[index.side]", f"{TOWNS}[index.side]")
    return pack(tmp_path, sheet=sheet, fields=FIELDS, choices=CHOICE)


def test_a_member_is_called_as_the_players_call_it(towns: Pack) -> None:
    mission, sheet = Mission(towns, number=1), towns.sheet
    assert sheet.text("ruins.second") == "Second town, ruins"
    mission.write({"alias.second": "Kiel"})
    assert (sheet.text("ruins.second"), sheet.text("ruins.first")) == ("Kiel, ruins", "First town, ruins")
    assert sheet.text("alias.second") == "Second town, as you call it"  # where the name is asked for it is no label
    assert (sheet.say("over", "second"), sheet.say("over", "first")) == ("Kiel", "First town")


def test_the_name_of_the_players_is_understood(towns: Pack) -> None:
    mission, sheet = Mission(towns, number=1), towns.sheet
    mission.write({"alias.second": "Bad Kreuz"})
    assert sheet.given(["over=bad kreuz"]) == {"over": "second"}
    assert sheet.given(["town=Bad-Kreuz", "ruins.bad-kreuz=2"]) == {"town": "second", "ruins.second": 2}
    mission.pending = [Pending.of({"choose": "where", "bind": {}, "born": 1})]
    mission.roll(None, Hand(), outcome="bad kreuz")
    assert mission.state["over"] == "second"


def test_a_printed_name_has_priority_and_a_double_one_matches_nobody(towns: Pack) -> None:
    mission, sheet = Mission(towns, number=1), towns.sheet
    mission.write({"alias.second": "First"})
    assert sheet.given(["over=first"]) == {"over": "first"}
    mission.write({"alias.second": "Kiel", "alias.first": "Kiel"})
    with pytest.raises(UserError, match="over must be .*, not kiel"):
        sheet.given(["over=kiel"])


def test_each_mission_has_its_own_names(towns: Pack) -> None:
    one, other = Mission(towns, number=1), Mission(towns, number=2)
    one.write({"alias.first": "Kiel"})
    other.write({"alias.first": "Emden"})
    assert towns.sheet.text("ruins.first") == "Emden, ruins"
    one.write({"zone": 1})
    assert towns.sheet.text("ruins.first") == "Kiel, ruins"
