"""`companion rulings`: how we read what the books leave in doubt."""

from __future__ import annotations

import pytest

from companion.cli.completing import candidates
from companion.packs import Pack
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
    assert "B58  What may hurt or moved crew do?  (7.6)" in shown
    choice = 'yours to choose: companion set "A wounded man is hit again=worse | as b17 | own book"'
    assert choice in " ".join(shown.split())
    assert "    else: A wounded man moves by himself." in shown


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
    assert companion("rulings", "--game", "b29", "--json").json[-1] == {
        "game": "b29", "id": "C1", "section": "4.2", "title": "When is the club late?", "reading": "After nine.",
        "otherwise": "At nine.", "setting": "",
    }  # fmt: skip
    assert "C1  When is the club late?  (4.2)" in companion("rulings", "--game", "b29").out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "told"),
    [
        (RULING + RULING, "two rulings have the id C1"),
        (RULING.replace('"After nine."', '" "'), "nothing is said there"),
        (RULING + 'setting = "setting.wound"', "it names setting.wound, which the sheet does not declare"),
        (RULING.replace('otherwise = "At nine."\n', ""), "ruling 1 lacks otherwise"),
        (RULING.replace("reading", "reeding"), "ruling 1 has 'reeding', which there is not; did you mean reading"),
    ],
)
def test_what_is_wrong_with_one_is_said(companion: Run, lay: Lay, text: str, told: str) -> None:
    lay("rulings.toml", text)
    ran = companion("tables", "check", "b29")
    assert ran.code == 2
    assert told in ran.out


def test_a_game_that_there_is_not_and_one_without_rulings(companion: Run, lay: Lay) -> None:
    ran = companion("rulings", "--game", "b52")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    lay("pack.toml", 'title = "Bare"\n', game="bare")
    ran = companion("rulings", "--game", "bare")
    assert (ran.code, ran.err) == (2, "bare has no rulings\n")
    assert companion("rulings", "--game", "bare", "--json").json == []


def test_rulings_are_no_table(companion: Run) -> None:
    assert "rulings" not in [each["id"] for each in companion("tables", "list", "--game", "b29", "--json").json]
    assert companion("roll", "rulings", "--game", "b29").code == 2
    assert ("rulings", "") in candidates(["rul"])
    assert ("b17", "") in candidates(["rulings", "--game", ""])


@pytest.mark.parametrize("game", ["b29", "b17"])
def test_every_question_to_the_player_about_the_rules_is_listed(game: str) -> None:
    pack = Pack(game)
    asked = {name for name, field in pack.sheet.fields.items() if name.startswith("setting.") and field.cite}
    listed = {each.get("setting", "") for each in pack.read("rulings")["ruling"]}
    beside = {name for name in asked if name.startswith(("setting.boxes.", "setting.attacks", "setting.passing-shots"))}
    assert asked - beside <= listed  # what is beside stands in the words of B41 and B42
