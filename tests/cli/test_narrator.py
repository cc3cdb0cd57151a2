"""Results told before the next question: complete, and always including the cause of that question."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from companion.cli.narrator import show_briefly
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.mission import Mission
from companion.render.describe import in_flight
from companion.store.session import Session

ROWS = ["4-4", "4-5", "4-6", "4-7", "4-8", "7-9", "7-10"]


def rolled(table: str, text: str) -> Result:
    result = Result(table)
    result.dice, result.rolled, result.net, result.text = [3, 4], 7, 7, text
    return result


def decided(title: str, *, settled: bool, text: str = "yes") -> Result:
    result = Result("comes-back", title)
    result.decision, result.settled, result.text = True, settled, text
    result.then = ["5-8"]
    return result


def told(results: list[Result], b29: Pack, most: int) -> list[str]:
    page = io.StringIO()
    out = Console(file=page, width=80, color_system=None, highlight=False, markup=False, emoji=False)
    show_briefly(results, Session(b29, Mission(b29, number=1)), out, most)
    return page.getvalue().splitlines()


@pytest.mark.parametrize("most", [5, 6])
def test_the_row_that_led_to_the_question_is_never_folded_away(b29: Pack, most: int) -> None:
    shown = told([rolled(table, f"What {table} says") for table in ROWS], b29, most)
    assert len(shown) == most
    assert shown[-1].endswith(" – 7 What 7-10 says")
    assert shown[-2] == f"  … {len(ROWS) - most + 1} lines more in the log"
    assert shown[0].endswith("7 What 4-4 says")


def test_where_all_rows_have_room_none_is_said_twice(b29: Pack) -> None:
    shown = told([rolled(table, f"What {table} says") for table in ROWS], b29, 20)
    assert sum("What 7-10 says" in line for line in shown) == 1
    assert not any("more in the log" in line for line in shown)


@pytest.mark.parametrize(("settled", "words"), [(True, "Fighter 2 (Frank): comes back – yes"), (False, "yes")])
def test_a_decision_that_settled_itself_says_what_about(b29: Pack, settled: bool, words: str) -> None:
    result = decided("Fighter 2 (Frank): comes back?", settled=settled)
    session = Session(b29, Mission(b29, number=1))
    assert [each.text for each in in_flight([result], session, [])] == [words.replace(" (Frank)", "")]


def step(title: str, note: str) -> Result:
    result = Result("", title)
    result.step, result.notes = True, [(note, "III A 2")]
    return result


@pytest.mark.parametrize("most", [5, 6])
def test_the_last_steps_are_always_shown(b29: Pack, most: int) -> None:
    """The order of play comes with the question: it says who places cards first."""
    before = [step("Points", "Two points are scored"), *[rolled(table, f"What {table} says") for table in ROWS]]
    shown = told([*before, step("Turn", "Lay your cards"), step("Then", "Then the others")], b29, most)
    assert len(shown) == most
    assert [line.split("  ")[1] for line in shown[-2:]] == ["Lay your cards", "Then the others"]
    assert shown[-3].endswith(" – 7 What 7-10 says")
    assert not any("Two points" in line for line in shown)
