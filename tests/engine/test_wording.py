"""Values of a sheet put into words."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from tests.support import holds, pack


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


def test_braces_in_what_a_player_reads_are_filled_in_words_and_nowhere_else(tmp_path: object) -> None:
    from pathlib import Path

    small = pack(
        Path(str(tmp_path)), fields='wind = {values = "strong-gust none"}\n', facts="told = {is = \"'{wind}'\"}\n",
        t='rows = {"1.." = "a"}\n[outcome.a]\ntext = "A {wind} comes"\n',
    )  # fmt: skip
    row = small.table("t").outcomes["a"]
    from companion.engine.facts import Facts

    assert row["#text"](Facts(small.sheet, {"wind": "strong-gust"})) == "A strong gust comes"
    assert holds(small, "told = 'strong-gust'", wind="strong-gust")  # a fact stays the word that it is
