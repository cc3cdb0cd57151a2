"""The campaign compared with automatic tours: `companion campaign --chart`."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.forecast import plot
from companion.packs import Pack
from companion.play import lookahead
from companion.play.lookahead import Curve, Expectation, MissionEnd, values_so_far
from tests.support import Run, begin

PLACES = {"pilot": "Ida", "observer": "Jon"}


def flown(*lost: str, down: bool = False, percent: int | None = None, **crew: str) -> MissionEnd:
    """Return the end of a mission with a crew of two."""
    return MissionEnd(lost, down, percent, {**PLACES, **crew})


def test_a_campaign_is_told_mission_by_mission() -> None:
    """Jon is lost on the second of four missions, the bomber on the third; Max, who took his seat, is not in the first
    crew. The third does not count: its bombs are not in the average.
    """
    missions = [
        flown(percent=30), flown("observer", percent=60), flown("observer", down=True, observer="Max"),
        flown(percent=0, observer="Eva"),
    ]  # fmt: skip
    assert values_so_far(missions) == {
        "crew": [100, 50, 50, 50], "percent": [30, 45, 45, 30], "lost": [0, 1, 2, 2], "bombers": [0, 0, 1, 1],
    }  # fmt: skip


def test_a_man_who_changes_his_seat_is_still_of_the_first_crew() -> None:
    swapped = flown("pilot", pilot="Jon", observer="Ida")
    assert values_so_far([flown(), swapped])["crew"] == [100, 50]
    gone = flown("observer", pilot="Max", observer="Ida")
    assert values_so_far([flown(), swapped, gone])["crew"] == [100, 50, 0]


@pytest.mark.slow
def test_tours_are_drawn_from_the_missions_of_each_number(b17: Pack, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each curve rises or falls as it must, and is the same for one seed on any number of cores."""
    monkeypatch.setattr(lookahead, "FLIGHTS", 40)
    curves = []
    for cores in (1, 2):
        expected = Expectation(b17, 3, {}, 7)
        assert sum(expected.fly(cores)) == 3 * 20
        curves.append(expected.curves())
    assert curves[0] == curves[1]
    for curve in curves[0].values():
        assert len(curve.mean) == 3
        assert all(low <= high for low, high in zip(curve.low, curve.high, strict=True))
    assert curves[0]["crew"].mean == sorted(curves[0]["crew"].mean, reverse=True)
    assert curves[0]["lost"].mean == sorted(curves[0]["lost"].mean)
    assert 0 < curves[0]["lost"].mean[0] < 10


def test_a_chart_has_the_campaign_in_front_of_what_is_likely() -> None:
    lines = [str(line) for line in plot("Dents:", [0, 4], Curve([0, 0, 0, 0], [1, 2, 3, 4], [2, 4, 6, 8]), 8)]
    assert lines[0] == "Dents: 4, after 2 (tours 2, 0 to 4)"
    top, bottom = lines[1], lines[9]
    assert top.startswith("     8 │") and bottom.startswith("     0 │●")
    assert sum(line.count("●") for line in lines) == 2
    assert lines[5].startswith("     4 │") and "●" in lines[5] and "─" in lines[5]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fly two missions of each number; for a player there are forty in a tour of twenty-five."""
    monkeypatch.setattr(lookahead, "FLIGHTS", 10)
    monkeypatch.setattr(lookahead, "LEAST", 2)


@pytest.mark.slow
def test_the_chart_is_printed_and_nothing_recorded(companion: Run, few: None, tmp_path: Path) -> None:
    begin(companion, "b17")
    before = companion("log", "--json").out
    ran = companion("campaign", "--chart", "--seed", "2")
    assert (ran.code, ran.err) == (0, "")
    assert max(map(len, ran.out.splitlines())) <= 80
    for title in ("Of the first crew still flying, percent: 100", "Bombs on target, percent:", "Men lost:", "Bombers"):
        assert title in ran.out
    assert "1,000 tours drawn from 50 missions" in ran.out
    assert companion("log", "--json").out == before
    assert companion("campaign", "--chart", "--seed", "2", "-o", tmp_path / "chart.png").code == 0
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--seed", "1"], "--seed needs --chart."),
        (["--assume", "even"], "--assume needs --chart."),
        (["-o", "x.png"], "--out needs --chart."),
        (["--chart", "-o", "x.gif"], "x.gif should end in .pdf, .png or .svg."),
        (["--chart", "--csv"], "Use --chart or --csv, not both."),
        (["--chart", "--assume", "worst"], "--assume must be even, not worst."),
    ],
)
def test_what_does_not_go_together_is_said(companion: Run, arguments: list[str], sentence: str) -> None:
    begin(companion, "b17")
    ran = companion("campaign", *arguments)
    assert (ran.code, ran.out, ran.err) == (2, "", f"{sentence}\n")
