"""Values and members in words: names chosen by the players are understood, never confused with printed ones."""

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import UserError
from tests.support import holds, pack, sheet_of

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


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("target.city", "iwo-jima", "Iwo Jima"),  # as a roll wrote it
        ("target.type", "aircraft-factory", "aircraft factory"), ("mission.altitude", "hi", "HI"),
        ("crew.pilot", "kia", "KIA"), ("fate.pilot", "bo-c", "jumped, taken prisoner"),
        ("fighter.1.type", "tojo", "Tojo"), ("name.pilot", "jean-luc", "jean-luc"),  # as its player wrote it
        ("notes", "two-day-old wind", "two-day-old wind"), ("fuel.wing", 12, "12"),
    ],
)  # fmt: skip
def test_a_value_is_said_in_words(b29: Pack, name: str, value: str | int, said: str) -> None:
    assert b29.sheet.say(name, value) == said


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("me109@12-high;me109@3-level;fw190@dive", "Me 109 from 12 high, 3 level; Fw 190 from dive"),
        ("random-event", "random event"), ("3-1", "3-1"), ("-2", "-2"), ("{attacking}-wing", "attacking wing"),
    ],
)  # fmt: skip
def test_a_row_is_read_out(b17: Pack, row: str, said: str) -> None:
    assert b17.sheet.read_out(row) == said


def test_braces_in_what_a_player_reads_are_filled_in_words_and_nowhere_else(tmp_path: Path) -> None:
    small = pack(
        tmp_path, fields='wind = {values = "strong-gust none"}\n', facts="told = {is = \"'{wind}'\"}\n",
        t='rows = {"1.." = "a"}\n[outcome.a]\ntext = "A {wind} comes"\n',
    )  # fmt: skip
    row = small.table("t").outcomes["a"]
    assert row["#text"](Facts(small.sheet, {"wind": "strong-gust"})) == "A strong gust comes"
    assert holds(small, "told = 'strong-gust'", wind="strong-gust")  # a fact stays the word that it is
