"""`companion luck` and `companion odds`. Expected chances are counted by hand from the printed rows."""

import itertools
import random
from fractions import Fraction

import pytest

from companion.cli.odds import comparison, verdict
from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.dice_stats import SIX, TWO, DiceCounts, Luck, beyond, luck_of
from companion.play.mission import Mission
from tests.support import Run, begin
from tests.watch import flown


# quantiles of the chi-squared distribution as statistical tables print them
@pytest.mark.parametrize(
    ("squares", "freedom", "share"),
    [
        (3.841, 1, 0.05), (11.070, 5, 0.05), (15.086, 5, 0.01), (18.307, 10, 0.05), (4.351, 5, 0.5), (49.802, 35, 0.05),
        (0.554, 5, 0.99),
    ],
)  # fmt: skip
def test_the_share_beyond_is_that_of_the_printed_tables(squares: float, freedom: int, share: float) -> None:
    assert beyond(squares, freedom) == pytest.approx(share, abs=0.0005)


def rolls_of(rng: random.Random, weights: list[int], count: int) -> DiceCounts:
    fall = DiceCounts(SIX)
    fall.counts.update(rng.choices(range(1, 7), weights, k=count))
    return fall


def test_a_six_twice_as_often_is_found_out_after_600_throws() -> None:
    rng = random.Random(21)
    assert "too few" in verdict(rolls_of(rng, [0, 0, 0, 0, 0, 1], 20))
    assert "dice look fair" in verdict(rolls_of(rng, [1] * 6, 600))
    sentences = [verdict(rolls_of(rng, [1, 1, 1, 1, 1, 2], 600)) for _ in range(300)]
    assert all("rarely" in each and "too many 6s" in each for each in sentences)


def test_cells_that_expect_too_little_are_tested_together() -> None:
    """36 rolls of two dice: 2 and 12 are each expected once, and are merged with their neighbors."""
    two = DiceCounts(TWO)
    two.counts.update(TWO)
    assert two.count == 36
    assert two.fairness() == 1
    assert DiceCounts(TWO).fairness() is None


def shots(*dice: int) -> Luck:
    """Return the tail guns' shots at an Me 109 from 6 high (M-1: hit on 4 or more), one for each die."""
    mission = Mission(Pack("b17"), number=3)
    state: dict[str, Value] = {"zone": 4, "fighter.1.type": "me109", "fighter.1.clock": "6", "fighter.1.angle": "high"}
    mission.state.update({**state, "slots.fighter": 1})
    for die in dice:
        mission.pending.append(Pending.of({"roll": "M-1", "bind": {"gun": "tail", "fighter": "1"}}))
        mission.roll("M-1", Hand([[die]]))
        mission.pending.clear()
    return luck_of([mission], Pack("b17").unit("story")["luck"])


@pytest.mark.section("b17 6.3 b")
def test_hits_given_are_weighed_by_the_odds_that_they_had() -> None:
    luck = shots(1, 2, 3, 4)
    (account,) = luck.accounts
    assert (account.rolls, account.came, float(account.expected)) == (4, 1, 2.0)
    assert {each.chance for each in luck.rolls} == {Fraction(1, 2)}
    assert comparison(account) == "Our guns: 1 of 4 rolls, 2.0 expected (bad luck)"
    assert [each.entry["d"] for each in luck.best(5)] == [[4]]
    assert [each.entry["d"] for each in luck.best(5, lucky=False)] == [[1], [2], [3]]


def test_every_die_of_a_journal_is_counted(b29: Pack) -> None:
    mission = flown(b29, 2)
    luck = luck_of([mission], b29.unit("story")["luck"])
    dice = [die for entry in mission.journal.entries for die in entry.get("d", []) if entry["v"] == "roll"]
    assert {face: luck.faces.counts[face] for face in SIX} == {face: dice.count(face) for face in SIX}
    for account in luck.accounts:
        assert 0 <= account.came <= account.rolls
        assert 0 < account.expected < account.rolls


@pytest.fixture
def flew(companion: Run) -> Run:
    begin(companion, "b17")("fly", "--auto", "--seed", 7)
    return companion


def test_it_is_shown_in_bars_and_sentences(flew: Run) -> None:
    shown = flew("luck").out
    assert "Each face" in shown
    assert "█" in shown
    assert "Compared with the odds" in shown
    assert "Luckiest rolls" in shown
    assert max(map(len, shown.splitlines())) <= 120


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


def test_a_fact_that_changes_nothing_for_a_table_is_said_to(companion: Run) -> None:
    ran = companion("odds", "4-2", "--game", "b29", "--compare", "evasive=yes")
    assert "evasive=yes makes no difference to this table right now." in ran.out
    assert ran.out.count("good") == 1 and "right now  (" not in ran.out  # once, not twice the same
    ran = companion("odds", "5-1", "--game", "b29", "--compare", "altitude=hi")
    assert "makes no difference" not in ran.out and "right now  (" in ran.out
    same = companion("odds", "4-2", "--game", "b29", "--compare", "evasive=yes", "--json").json
    assert same["compared"]["outcomes"] == same["outcomes"]
