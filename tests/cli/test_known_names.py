"""Cities and target types: known names are recognized in any spelling; unknown ones are queried or insisted on."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from companion.cli import asking
from companion.engine.dice import Hand
from companion.engine.fields import Field, UnknownName
from companion.engine.questions import FieldQuestion, RowQuestion
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.script import Script, lines
from companion.render.own_prompt import RowPrompt
from companion.render.prompt import FieldPrompt
from tests.support import Run, fly

CITY = Field(
    "city", label="City", words=True, known={"bremen": "Bremen", "st-omer": "St. Omer", "saint-omer": "St. Omer"}
)


def saying(*answers: str) -> asking.Ask:
    """Return a player at the terminal who types these lines in order."""
    left: Iterator[str] = iter(answers)
    return lambda _: next(left)


# -- what a field takes ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["St. Omer", "st omer", "ST-OMER", "st.omer", "stomer", "Saint Omer", " St.  Omer "])
def test_a_known_name_is_meant_in_any_case_with_any_hyphen(typed: str) -> None:
    assert CITY.accept("city", typed) == "St. Omer"


@pytest.mark.parametrize(("typed", "near"), [("Bremem", ["Bremen"]), ("Bre", ["Bremen"]), ("Xyz", [])])
def test_an_unknown_name_comes_back_with_the_nearest(typed: str, near: list[str]) -> None:
    with pytest.raises(UnknownName) as strange:
        CITY.accept("city", typed)
    assert (strange.value.typed, strange.value.near) == (typed, near)
    assert f"type ={typed}" in str(strange.value)


def test_an_insisted_name_is_kept_and_so_is_one_on_the_sheet() -> None:
    assert CITY.accept("city", "=Bremem") == CITY.accept("city", "= Bremem") == "Bremem"
    assert CITY.accept("city", "Bremem", stored=True) == CITY.accept("city", "Bremem", sure=True) == "Bremem"
    assert Field("note", words=True).accept("note", "rough") == "rough"  # a field that knows no names takes any


# -- on a pipe ---------------------------------------------------------------------------------------------------------


def test_a_slip_in_a_city_is_refused_with_the_nearest_and_nothing_is_recorded(owls: Run) -> None:
    # 5.8 A, 6-2: Tokyo counts on both; a Tokio that was taken would lose that without a word
    refused = owls("set", "target.city=Tokio", "target.type=airfield")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "Did you mean Tokyo?" in refused.err and "=Tokio" in refused.err
    assert owls("status", "--json").json["facts"]["target.type"] == ""
    assert owls("set", "target.city==Tokio").code == 0
    assert owls("status", "--json").json["facts"]["target.city"] == "Tokio"


def test_a_slip_in_a_fact_for_one_roll_is_refused(companion: Run) -> None:
    # G-11: Bremen is in Zone 7, Bremem does not exist
    refused = companion("roll", "B-1", "--game", "b17", "--dice", "4", "--with", "target.city=Bremem")
    assert refused.code == 2 and "Did you mean Bremen?" in refused.err
    assert companion("roll", "B-1", "--game", "b17", "--dice", "4", "--with", "target.city==Bremem").code == 0


def test_a_row_of_several_parts_is_typed_with_commas_too(owls: Run) -> None:
    rolled = owls("roll", "2-1", "--dice", "3,4", "--outcome", "Tokyo, aircraft factory, HI, day", "--json")
    assert rolled.json["outcome"] == "tokyo;aircraft-factory;hi;day"
    assert owls("status", "--json").json["facts"]["target.city"] == "tokyo"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("clear", "clear isn't a known name"),
        ("Tokio; Aircraft Factory; HI; Day", "Did you mean Tokyo?"),
        ("Tokyo; urbn area; HI; Day", "Did you mean urban-area?"),
        ("Tokyo; airfield; high; day", "Briefed altitude must be lo, med or hi, not high"),
    ],
)
def test_a_rulebook_row_is_checked_word_by_word(owls: Run, row: str, message: str) -> None:
    # 2.2 A: city, type, altitude and time in one
    refused = owls("roll", "2-1", "--dice", "3,4", "--outcome", row)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert message in refused.err
    assert owls("log", "--json").json == []


# -- at the terminal ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answers", "value"),
    [
        (("Tokyo",), "Tokyo"), (("Tokio", "="), "=Tokio"), (("Tokio", ""), "Tokyo"), (("Xyzzy", "", "", "="), "=Xyzzy"),
        (("Tokio", "nagoia", "Nagoya"), "Nagoya"), (("7", "Kobe"), "Kobe"),
    ],
)  # fmt: skip
def test_a_question_for_a_city_queries_and_accepts_an_insisted_name(
    b29: Pack, answers: tuple[str, ...], value: str, capsys: pytest.CaptureFixture[str]
) -> None:
    question = FieldQuestion("target.city", b29.sheet.fields["target.city"], "Target", "")
    assert asking.put(FieldPrompt(question), saying(*answers)) == value
    if "Tokio" in answers:
        assert "Tokio isn't a known name. Did you mean Tokyo?" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answers", "row"),
    [
        (("Tokyo; airfield; hi; day",), "Tokyo; airfield; hi; day"),
        (("Tokio; airfield; hi; day", "="), "=Tokio;airfield;hi;day"),
        (("Tokio; airfeld; hi; day", "", ""), "Tokyo;airfield;hi;day"),
        (("clear", "Nagoya"), "Nagoya"),
        (("Tokyo; airfield; high; day", "Tokyo; airfield; hi; day"), "Tokyo; airfield; hi; day"),
    ],
)
def test_a_row_with_a_name_that_is_not_known_is_asked_back(b29: Pack, answers: tuple[str, ...], row: str) -> None:
    assert asking.put(RowPrompt(RowQuestion(b29.table("2-1"), None, [], {})), saying(*answers)) == row


@pytest.mark.parametrize("table", ["7-5.a", "7-5.b", "7-5.c", "7-5.d", "7-5.f", "7-5.o"])
def test_a_note_of_the_book_is_answered_by_number(b29: Pack, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    question = RowQuestion(b29.table(table), None, [], {"area": "port-wing"})
    assert asking.put(RowPrompt(question), saying("", "1")) == "none"
    assert re.search("^  1  [A-Z]", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize(("typed", "boxes"), [("3", 3), ("3 boxes", 3), ("1 box", 1), ("none", 0)])
def test_the_boxes_of_a_leak_are_a_number(b29: Pack, typed: str, boxes: int) -> None:
    # 7-5 e
    mission = Mission(b29)
    mission.roll("7-5.e", Hand(), {"area": "port-wing"}, outcome=typed)
    assert mission.state.get("fuel.wing", 0) == boxes


# -- insisted names are kept -------------------------------------------------------------------------------------------


def test_a_mission_with_names_of_its_own_is_told_and_replayed_as_it_was(b29: Pack) -> None:
    script = "set target.type==glider-field\nroll 2-2C: 3,4 = =tokio\nset target.city = =Old Town"
    mission = Mission(b29, number=1)
    fly(mission, Script(f"{script}\nend"))
    assert (mission.state["target.city"], mission.state["target.type"]) == ("Old Town", "urban-area")
    written = lines(mission)
    assert not [line for line in written if line.startswith("#")]
    twin = Mission(b29, number=1)
    fly(twin, Script("\n".join([*written, "end"])))
    assert twin.state == mission.state
