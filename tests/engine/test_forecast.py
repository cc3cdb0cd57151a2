"""Forecasts: the results depend only on the dice, not on the process that flies."""

from pathlib import Path

import pytest

from companion.engine.odds import odds
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.lookahead import ForecastRun, Mean, Outlook, Share, mission_with, of_the_book
from companion.play.mission import Mission
from companion.problems import UserError
from tests.support import pack

SHEET = """
[sections]
all = "All"
[fields.all]
"mission.number" = {kind = "count", default = 1}
step = {}
place = {values = "field river wood", ask = true}
dents = {kind = "count"}
down = {kind = "flag"}
"""
COUNTED = """
title = "Hop"
[forecast]
chance = [{name = "home", text = "We land on the field", when = "place = field"}]
mean = [{name = "dents", text = "Dents", is = "dents"}]
"""
LANDING = """
dice = "1D"
rows = {"..2" = "river", "3.." = "field"}
[[modifier]]
add = -1
when = "dents >= 1"
why = "dented"
[outcome]
river = {do = ["place = river", "mark dents 3", "down = yes"]}
field = {do = ["place = field", "down = yes"]}
"""
STEPS = '[[step]]\nid = "go"\ntitle = "Go"\n[[step]]\nid = "land"\ntitle = "Land"\nthen = ["L"]\n'
DECISION = """
[choice.how]
title = "How?"
option = [
  {name = "straight", usual = true},
  {name = "through", text = "through the trees", do = ["mark dents"]},
]
"""
ASKED = STEPS.replace('title = "Go"\n', 'title = "Go"\nthen = [{choose = "how"}]\n')


def hop(folder: Path, **files: str) -> Pack:
    """Return a hop that lands on the field with 3 or more on a die, else in the river with three dents."""
    return pack(folder, "bare", sheet=SHEET, **{"pack": COUNTED, "sequence": STEPS, "L": LANDING, **files})


def ahead(game: Pack, seed: int = 1, **state: int) -> ForecastRun:
    """Return the forecast for a mission with these facts."""
    return ForecastRun(mission_with(Mission(game, number=1), dict(state)), seed)


def fly(forecast: ForecastRun, missions: int, cores: int = 1) -> None:
    """Fly all missions of a forecast."""
    assert sum(forecast.fly(missions, cores)) == missions * len(forecast.outlooks)


def flown(game: Pack, missions: int, seed: int = 1, cores: int = 1, **state: int) -> Outlook:
    """Return the outlook after a number of missions without a decision."""
    forecast = ahead(game, seed, **state)
    fly(forecast, missions, cores)
    return forecast.outlooks[""]


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_of_a_share_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    """The last case is the example in Newcombe's comparison of intervals (1998): 81 of 263."""
    assert Share([1] * hits + [0] * (of - hits)).interval == pytest.approx((low, high), abs=5e-5)


def test_the_interval_of_a_mean_depends_on_the_variance() -> None:
    """1, 2, 3, 4: the mean is 2.5, the variance 5/3, so the interval is 1.96 times the root of 5/12 to either side."""
    assert Mean([1, 2, 3, 4]).mean == 2.5
    assert Mean([1, 2, 3, 4]).interval == pytest.approx((2.5 - 1.265, 2.5 + 1.265), abs=1e-3)
    assert Mean([3, 3, 3, 3]).interval == (3.0, 3.0)
    assert Mean([1, 0, 0, 0]).interval[0] == 0.0  # the average of values that are never below 0
    assert Mean([-1, 0, 0, 1]).interval[0] == pytest.approx(-0.8, abs=0.01)  # the root of 2/3 over 4


@pytest.mark.slow
def test_a_forecast_agrees_with_the_odds_of_the_one_table_that_is_left(tmp_path: Path) -> None:
    """Four faces of six are the field, three with a dent. The other two are three dents each."""
    game = hop(tmp_path)
    for dents, field in ((0, 4), (1, 3)):
        assert odds(game, {"dents": dents}, {}, Pending.of({"roll": "L"})).ways["field"] == field
        outlook = flown(game, 3000, dents=dents)
        low, high = outlook.chances["home"].interval
        assert low < field / 6 < high and high - low < 0.04
        low, high = outlook.means["dents"].interval
        assert low < dents + 3 * (6 - field) / 6 < high and high - low < 0.12


def test_the_options_of_the_pending_decision_are_side_by_side(tmp_path: Path) -> None:
    """Flying through the trees dents the glider, and a dent subtracts 1 from the landing: 3 of 6 instead of 4."""
    mission = Mission(hop(tmp_path, choices=DECISION, sequence=ASKED), number=1)
    mission.advance()
    before = (dict(mission.state), list(mission.pending), mission.journal.position)
    forecast = ForecastRun(mission_with(mission, {}), 1)
    fly(forecast, 2000)
    assert forecast.question is not None and forecast.question.title == "How?"
    chances = {name: each.chances["home"].mean for name, each in forecast.outlooks.items()}
    assert chances == pytest.approx({"straight": 4 / 6, "through": 3 / 6}, abs=0.035)
    means = {name: each.means["dents"].mean for name, each in forecast.outlooks.items()}
    assert means == pytest.approx({"straight": 1.0, "through": 2.5}, abs=0.15)
    assert (mission.state, mission.pending, mission.journal.position) == before


def test_each_option_is_flown_with_the_same_dice(tmp_path: Path) -> None:
    """An option that changes nothing has exactly the same forecast."""
    same = DECISION.replace(', do = ["mark dents"]', "")
    mission = Mission(hop(tmp_path, choices=same, sequence=ASKED), number=1)
    mission.advance()
    forecast = ForecastRun(mission, 1)
    fly(forecast, 100)
    straight, through = forecast.outlooks.values()
    assert straight.chances["home"].values == through.chances["home"].values


def test_a_row_that_only_the_book_has_is_named_with_how_often_it_is_met(tmp_path: Path) -> None:
    own = 'dice = "1D"\nowner = true\n[outcome]\nfield = {do = ["place = field"]}\nriver = {do = ["place = river"]}\n'
    game = hop(tmp_path, L=own, sequence=STEPS.replace('["L"]', '["L", "L"]'))
    forecast = ahead(game)
    assert forecast.unknown and forecast.met() == {"L": 2.0}
    fly(forecast, 400)
    outlook = forecast.outlooks[""]
    assert outlook.met == {"L": 800}
    assert outlook.chances["home"].mean == pytest.approx(0.5, abs=0.09)  # each of the two as likely


def test_a_missing_fact_is_listed_and_a_missing_rulebook_number_makes_the_odds_unknown(tmp_path: Path) -> None:
    windy = LANDING.replace('when = "dents >= 1"', 'when = "place = wood"')
    forecast = ahead(hop(tmp_path, L=windy))
    assert forecast.figures == {"place": "field"} and not forecast.unknown
    booked = SHEET.replace("[fields.all]", '[fields.book]\nwind = {kind = "count", ask = true}\n[fields.all]')
    blown = LANDING.replace('when = "dents >= 1"', 'when = "wind >= 1"')
    game = pack(tmp_path / "booked", "bare", pack=COUNTED, sequence=STEPS, L=blown, sheet=booked)
    assert of_the_book(game, ahead(game).figures) == ["wind"] and ahead(game).unknown
    told = ForecastRun(mission_with(Mission(game, number=1), {"wind": 1}), 1)
    assert not told.unknown


@pytest.mark.slow
def test_a_missing_forecast_is_reported(tmp_path: Path) -> None:
    circle = STEPS + '[[step]]\nid = "again"\ntitle = "Again"\ngo = "land"\n'
    with pytest.raises(UserError, match="the mission never ends"):
        ahead(hop(tmp_path / "circle", sequence=circle))
