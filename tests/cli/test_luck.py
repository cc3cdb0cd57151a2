"""`companion luck`: the dice so far, whether they look fair, and important rolls compared with their odds."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from companion.cli.luck import comparison, verdict
from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.pending import Pending
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


def test_every_die_of_a_journal_is_counted() -> None:
    pack = Pack("b29")
    mission = flown(pack, 2)
    luck = luck_of([mission], pack.unit("story")["luck"])
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


@pytest.mark.slow
def test_what_has_no_dice_is_said(companion: Run) -> None:
    assert "No campaign is in use" in companion("luck").err
    begin(companion, "b17")
    assert "No dice have been rolled yet." in companion("luck").err
    assert "There is no mission 4" in companion("luck", "--mission", 4).err
