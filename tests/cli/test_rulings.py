"""`companion rulings`: how ambiguous rules are read."""

import pytest

from tests.support import Lay, Run, begin

RULING = """
[[ruling]]
id = "C1"
section = "4.2"
title = "When is the club late?"
reading = "After nine."
otherwise = "At nine."
"""
PATCH = '[[patch]]\nreason = "our club"\n' + RULING.replace("[[ruling]]", "[[patch.ruling]]")


def test_a_ruling_has_its_game_its_section_our_reading_and_what_else(companion: Run) -> None:
    ran = companion("rulings", "--game", "b29", "--json")
    assert (ran.code, ran.err) == (0, "")
    wounds = next(each for each in ran.json if each["setting"] == "setting.wounds")
    assert (wounds["game"], wounds["id"], wounds["section"]) == ("b29", "B58", "7.6")
    assert all(wounds[key] for key in ("title", "reading", "otherwise"))
    shown = companion("rulings", "--game", "b29").out
    assert "B58  What may wounded or moved crew do?  (7.6)" in shown
    choice = "When a wounded man is hit again=worse | as in the B-17 | as your rulebook says"
    assert f'your choice: companion set "{choice}"' in " ".join(shown.split())
    assert "    Other reading: A wounded man can move by himself." in shown


def test_without_a_game_every_game_is_listed_once(companion: Run) -> None:
    listed = companion("rulings", "--json").json
    assert {each["game"] for each in listed} >= {"b17", "b29", "b29-streamliner"}
    assert len({each["id"] for each in listed}) == len(listed)


def test_the_campaign_says_which_game(companion: Run) -> None:
    begin(companion, "b17")
    assert {each["game"] for each in companion("rulings", "--json").json} == {"b17"}
    assert {each["game"] for each in companion("rulings", "--game", "b29", "--json").json} == {"b29"}


def test_a_variant_has_those_of_the_game_that_it_extends(companion: Run) -> None:
    ids = [each["id"] for each in companion("rulings", "--game", "b29-streamliner", "--json").json]
    assert [each["id"] for each in companion("rulings", "--game", "b29", "--json").json] == ids[:-7]
    assert ids[-7:] == ["S1", "S2", "S3", "S4", "S5", "S6", "S7"]


@pytest.mark.slow
def test_a_player_adds_his_own(companion: Run, lay: Lay) -> None:
    lay("rulings.toml", PATCH)
    assert companion("tables", "check", "b29").code == 0
    *_, last, ruling = companion("rulings", "--game", "b29", "--json").json
    assert ruling == {
        "game": "b29", "id": "C1", "section": "4.2", "title": "When is the club late?", "reading": "After nine.",
        "otherwise": "At nine.", "setting": "",
    }  # fmt: skip
    assert last["id"] == "B101"  # the patch is not listed a second time
    assert "C1  When is the club late?  (4.2)" in companion("rulings", "--game", "b29").out
