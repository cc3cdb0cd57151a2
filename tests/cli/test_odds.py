"""`companion odds`. Expected chances are counted by hand from the printed rows."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from tests.support import Run

ACE = ("--with", "fighter.clock=6", "--with", "fighter.pilot=ace")


def test_an_ace_at_6_hits_with_6_or_more_on_two_dice(companion: Run) -> None:
    report = companion("odds", "5-9", "--game", "b29", *ACE, "--json").json
    assert (report["game"], report["table"]) == ("b29", "5-9")
    assert report["outcomes"] == {
        "miss": {"ways": 10, "of": 36, "p": 0.2778},
        "hit": {"ways": 26, "of": 36, "p": 0.7222},
    }
    assert report["modifiers"] == [{"add": 1, "why": "ace fighter pilot", "cite": "5-5"}]


def test_an_unmodified_12_always_hits(companion: Run) -> None:
    """From 12 o'clock, 9 or more hits; evasive action, a green pilot, a Tojo and three FCA subtract 6."""
    facts = ("fighter.clock=12", "evasive=yes", "fighter.pilot=green", "fighter.type=tojo", "fighter.fca=3")
    given = [word for fact in facts for word in ("--with", fact)]
    report = companion("odds", "5-9", "--game", "b29", *given, "--json").json
    assert report["outcomes"]["hit"] == {"ways": 1, "of": 36, "p": 0.0278}


def test_two_cases_side_by_side(companion: Run) -> None:
    """7 or more hits from 6 o'clock: 21 ways; with evasive action 8 or more: 15."""
    case = ("odds", "5-9", "--game", "b29", "--with", "fighter.clock=6", "--compare", "evasive=yes")
    report = companion(*case, "--json").json
    assert report["outcomes"]["hit"]["ways"] == 21
    assert report["compared"]["with"] == {"evasive": "yes"}
    assert report["compared"]["outcomes"]["hit"]["ways"] == 15
    shown = companion(*case).out
    assert "58.33%" in shown and "41.67%" in shown and "evasive=yes  (-1)" in shown


@pytest.mark.slow
def test_bars_are_plain_on_a_pipe_and_keep_to_80_columns(companion: Run) -> None:
    for arguments in (["5-9", *ACE], ["6-7", "--with", "bomb-run=on"]):
        ran = companion("odds", *arguments, "--game", "b29")
        assert ran.code == 0, ran.err
        assert "\x1b" not in ran.out and "█" in ran.out
        assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.slow
def test_a_formula_is_worked_out_with_every_die(companion: Run) -> None:
    """6-7 on target: 60 is printed at 3 (2 ways of 36), and it is also 3D x 1D with a product of 60."""
    report = companion("odds", "6-7", "--game", "b29", "--with", "bomb-run=on", "--json").json["outcomes"]
    assert sum(each["ways"] for each in report.values()) == 36 * 6**4
    products = [(a + b + c) * d for a, b, c, d in itertools.product(range(1, 7), repeat=4)]
    expected = Fraction(2, 36) + Fraction(3, 36) * Fraction(products.count(60), 6**4)
    assert Fraction(report["60"]["ways"], report["60"]["of"]) == expected
    assert Fraction(report["95"]["ways"], report["95"]["of"]) == Fraction(1, 36) * Fraction(6, 36)  # 88 and a 7
    assert list(report) == sorted(report, key=int)


def test_the_odds_of_an_owner_table_are_in_the_book(companion: Run) -> None:
    ran = companion("odds", "8-1", "--game", "b29")
    message = (
        "8-1 is printed only in your rulebook, so its odds are unknown. Copy its rows with: companion tables change 8-1"
    )
    assert (ran.code, ran.err) == (2, f"{message}\n")


def test_a_table_that_lacks_a_fact_says_which(companion: Run) -> None:
    ran = companion("odds", "5-9", "--game", "b29")
    assert ran.code == 2 and '5-9 needs "Attacks from"' in ran.err


def test_a_fact_that_changes_nothing_for_a_table_is_said_to(companion: Run) -> None:
    ran = companion("odds", "4-2", "--game", "b29", "--compare", "evasive=yes")
    assert "evasive=yes makes no difference to this table right now." in ran.out
    assert ran.out.count("good") == 1 and "right now  (" not in ran.out  # once, not twice the same
    ran = companion("odds", "5-1", "--game", "b29", "--compare", "altitude=hi")
    assert "makes no difference" not in ran.out and "right now  (" in ran.out
    same = companion("odds", "4-2", "--game", "b29", "--compare", "evasive=yes", "--json").json
    assert same["compared"]["outcomes"] == same["outcomes"]
