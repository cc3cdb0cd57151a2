"""Dice as typed, counted and rolled; formulas; odds counted by hand; forecasts that depend on the dice alone."""

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from companion.cli.forecast import needed
from companion.engine import dice as throws
from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.odds import branches, odds
from companion.engine.play import Play
from companion.engine.questions import DiceQuestion, Pending, RowQuestion, settle
from companion.packs import Pack
from companion.play.lookahead import ForecastRun, Mean, Outlook, Share, mission_with
from companion.play.mission import Mission
from companion.problems import OwnerTable, UserError
from tests.support import asks, pack


@pytest.mark.parametrize(
    ("text", "dice"),
    [("3 4", [3, 4]), ("3,4", [3, 4]), ("3;4+5", [3, 4, 5]), ("642135", [6, 4, 2, 1, 3, 5]), (" 5 ", [5])],
)
def test_dice_are_typed_as_they_lie(text: str, dice: list[int]) -> None:
    assert throws.typed(text) == dice


@pytest.mark.parametrize("text", ["7", "0", "3,40", "3-4", "six", "3.4", "³"])
def test_text_that_is_not_dice_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        throws.typed(text)


@pytest.mark.parametrize("seed", range(20))
def test_its_own_dice_are_those_of_randint(seed: int) -> None:
    """A seed always gives the same flight: each die takes the same bits from the generator as `randint`."""
    ours, theirs = Random(seed), Random(seed)
    dice = [*throws.parse("2D").throw(ours), *throws.parse("D66").throw(ours), *(Hand((), ours).some(5) or [])]
    assert dice == [theirs.randint(1, 6) for _ in range(9)]
    assert ours.getstate() == theirs.getstate()


def test_d66_reads_tens_and_units() -> None:
    d66 = throws.parse("d66")
    assert d66.total([3, 2]) == 32
    assert (len(d66.readings()), min(d66.readings()), max(d66.readings())) == (36, (11, 1), (66, 1))
    assert dict(throws.parse("2D").readings())[7] == 6
    assert sum(ways for _, ways in throws.parse("3D").readings()) == 216
    with pytest.raises(UserError):
        throws.parse("2W")


def test_groups_of_typed_dice() -> None:
    assert throws.groups("3,4/2/5") == [[3, 4], [2], [5]]
    for wrong in ("3//2", "3/", "/3"):
        with pytest.raises(UserError):
            throws.groups(wrong)
    for wrong in ("13 4", "17"):
        with pytest.raises(UserError):
            throws.Hand(throws.groups(wrong)).throw(throws.parse("2D"))


def test_other_dice_than_six_sided_ones() -> None:
    assert [throws.parse(name).name for name in ("1D6", "d10", "D100", "2d8", "1d20")] == [
        "1D", "1D10", "1D100", "2D8", "1D20",
    ]  # fmt: skip
    ten, hundred = throws.parse("2D10"), throws.parse("D100")
    assert throws.Hand(throws.groups("7,10/34")).throw(ten) == [7, 10]
    assert throws.Hand(throws.groups("34")).throw(hundred) == [34]
    assert throws.Hand(throws.groups("73")).throw(hundred) == [73]
    assert throws.typed("0 5", 10) == [10, 5] and throws.typed("00", 100) == [100]
    assert ten.readings()[:2] == [(2, 1), (3, 2)] and len(hundred.readings()) == 100
    for dice, given in ((ten, "7,11"), (hundred, "101"), (throws.parse("1D"), "7")):
        with pytest.raises(UserError, match="a die shows 1 to"):
            throws.Hand(throws.groups(given)).throw(dice)
    with pytest.raises(UserError, match="2 to 100 sides"):
        throws.parse("1D1000")


def test_dice_say_how_many_they_are_and_how_they_are_typed() -> None:
    for name, given, message in (
        ("1D", [], "1D needs one die. Type each die, e.g. 3"),
        ("2D", [4], "2D needs 2 dice; you typed 4. Type each die, e.g. 3,4"),
        ("3D", [4, 5], "3D needs 3 dice; you typed 4,5. Type each die, e.g. 3,4,5"),
        ("D66", [1, 2, 3], "D66 needs 2 dice; you typed 1,2,3. Type each die, e.g. 3,4"),
    ):
        with pytest.raises(UserError) as problem:
            throws.parse(name).check(given)
        assert str(problem.value) == message
    throws.parse("?").check([1, 2, 3])
    assert throws.parse("-").example() == "nothing"


def test_dice_of_formulas_may_be_grouped_as_the_player_likes() -> None:
    hand = Hand([[1, 2, 3], [4]])
    assert (hand.some(2), hand.some(2), hand.some(1)) == ([1, 2], [3, 4], None)
    assert (Hand([[1], [2], [3, 4]]).some(3), Hand([[1]]).some(2)) == ([1, 2, 3], None)
    auto = Hand([[5]], Random(1))
    assert auto.some(1) == [5] and len(auto.some(3) or []) == 3
    assert Hand([[1]], Random(1)).some(2) is None


def test_dice_and_words_of_one_command(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"1.." = "a"}\n')
    with pytest.raises(UserError, match="not --outcome"):
        settle(Play(game).roll("t", Hand([[1]]), outcome="a"))
    hand = Hand([[1], [2]])
    assert [settle(Play(game).roll("t", hand)).rolled for _ in range(2)] == [1, 2]
    with asks(DiceQuestion):
        settle(Play(game).roll("t", hand))


def test_a_column_may_have_dice_of_its_own(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='dice = "2D"\n[[column]]\nwhen = "light = on"\ndice = "1D"\nrows = {"1.." = "one"}\n'
        '[[column]]\nwhen = "light = off"\ndice = "-"\nrows = {"..1" = "none"}\n[[column]]\nrows = {"2.." = "two"}\n',
    )
    assert settle(Play(game, {"light": "on"}).roll("t", Hand([[4]]))).outcome == "one"
    assert settle(Play(game).roll("t", Hand([[4, 5]]))).outcome == "two"
    assert settle(Play(game, {"light": "off"}).roll("t", Hand())).outcome == "none"
    with pytest.raises(UserError, match="1D needs one die; you typed 4,5"):
        settle(Play(game, {"light": "on"}).roll("t", Hand([[4, 5]])))
    with asks(DiceQuestion) as need:
        settle(Play(game).roll("t", Hand()))
    assert (need.value.dice.name, need.value.dice.example()) == ("2D", "3,4")


def test_a_formula_says_how_many_dice_it_needs(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"1.." = "a"}\n[outcome.a]\nis = "2D + 1D"\n')
    with asks(DiceQuestion) as need:
        settle(Play(game).roll("t.a", Hand([[1, 2]]), {"side": "port"}))
    assert (need.value.dice.name, need.value.dice.count, need.value.dice.example()) == ("3D", 3, "3,4,5")
    assert (need.value.applied, need.value.bind) == ([], {"side": "port"})


def test_the_companion_throws_two_dice_where_only_the_book_knows_which(tmp_path: Path) -> None:
    game = pack(tmp_path, t='owner = true\n[outcome.down]\ndo = ["mark zone"]\n')
    for seed in range(20):
        with asks(RowQuestion) as need:
            settle(Play(game).roll("t", Hand(rng=Random(seed))))
        assert len(need.value.dice) == 2 and set(need.value.dice) <= {1, 2, 3, 4, 5, 6}
        assert need.value.net == sum(need.value.dice)
    play = Play(game)
    result = settle(play.roll("t", Hand(rng=Random(1)), outcome="down"))
    assert len(result.dice) == 2 and result.rolled == sum(result.dice)
    assert (result.outcome, play.state) == ("down", {"zone": 1})


def test_numbers_are_worked_out_from_dice_and_facts(tmp_path: Path) -> None:
    turrets = pack(
        tmp_path, "turrets", floor='is = "max(0, 2D - 6) * 3"\n', product='is = "3D * 1D"\n',
        halves='rows = {"1.." = 5}\n[[adjust]]\nis = "half-up(result)"\nwhy = "half"\n'
        '[[adjust]]\nwhen = "boxes = 2"\nis = "half-down(result * 3)"\n',
    )  # fmt: skip
    play = Play(turrets, {"boxes": 2})
    assert [settle(play.roll("floor", Hand([dice]))).outcome for dice in ([6, 5], [1, 1])] == ["15", "0"]
    assert settle(play.roll("product", Hand([[1, 2, 3, 4]]))).outcome == "24"
    halved = settle(play.roll("halves", Hand([[1]])))
    assert (halved.outcome, [(each.before, each.after) for each in halved.steps]) == ("4", [(5, 3), (3, 4)])


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ("min(5, 4)", 4), ("max(1, 2, 3)", 3), ("5 -2", 3), ("-5 + 2", -3), ("--5", 5), ("2 * -3", -6),
        ("10 - 3 - 2", 5), ("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("-hour * 3", -6), ("half-up(5)", 3),
        ("half-down(5)", 2), ("half-down(-3)", -2), ("min(5, hour)", 2), ("(5 + hour) * 2", 14),
        ("5 + (1 if hour = 3 else 0)", 5), ("9 if hour = 3 else 8 if hour = 2 else 7", 8),
        ("count side (yes) * 10", 20), ("sum side (side.room) - 1", 4), ("most side (side.room)", 3),
        ("sum side (side.room if side.near = left else hour * 10)", 22), ("007", 7),
    ],
)  # fmt: skip
def test_a_number_is_worked_out_as_it_is_written(tmp_path: Path, expression: str, number: int) -> None:
    game = pack(tmp_path, facts=f'x = {{is = "{expression}"}}\n')
    worked = Facts(game.sheet, {"hour": 2})["x"]
    assert worked == number and isinstance(worked, int)


def test_the_work_shown_names_what_changed_and_why(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = 10}\nadjust = [{is = "result * 2", why = "doubled"}, {is = "min(50, result)", why = "cap"}, '
        '{when = "light = on", is = "99"}, {is = "result + 1"}]\n',
    )
    result = settle(Play(game).roll("t", Hand([[1]])))
    assert result.outcome == "21"
    assert [(each.before, each.after, each.why) for each in result.steps] == [(10, 20, "doubled"), (20, 21, "")]


def test_a_formula_starts_from_nothing_and_knows_the_roll_that_asked_for_it(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = "go", "2.." = "on"}\n[[modifier]]\nid = "m"\nadd = 1\nwhen = "light = on"\n'
        '[outcome.go]\nis = "2D * hour"\n[outcome.on]\nis = "1D * 10 + net - roll"\n',
    )
    play = Play(game, {"hour": 3})
    settle(play.roll("t", Hand([[1]])))
    asked_for = play.pending[0]
    with asks(DiceQuestion, match="t.go needs 2D. Add the dice, e.g. --dice 3,4"):
        settle(play.talk(asked_for, Hand()))
    result = settle(play.talk(asked_for, Hand([[2], [5]])))
    assert (result.dice, result.rolled, result.net, result.outcome) == ([2, 5], 7, 21, "21")
    assert result.steps == []
    assert play.pending == []
    lit = Mission(game, {"light": "on"})
    lit.roll("t", Hand([[4]]))
    assert lit.roll(None, Hand([[6]]))[0].outcome == "61"


def test_d66_counts_each_pair_once(tmp_path: Path) -> None:
    game = pack(tmp_path, "slots", a='dice = "D66"\nrows = {"..16" = "low", "21.." = "high"}\n')
    assert odds(game, {}, {}, Pending.of({"roll": "a"})).ways == {"low": 6, "high": 30}


def test_odds_of_rows_of_formulas_and_of_rows_in_the_book(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        f='rows = {"..2" = 3, "3..5" = "twice", 6 = "owner"}\n[outcome.twice]\nis = "1D * 2"\n',
        n='rows = {"..2" = 10, "3..5" = "twice", 6 = 9}\n[outcome.twice]\nis = "1D * 2"\n',
        b='dice = "-"\nrows = {"..0" = "dark", "1.." = "lit"}\n[[modifier]]\nadd = 1\nwhen = "light = on"\n',
    )
    chances = odds(game, {}, {}, Pending.of({"roll": "f"}))
    assert (chances.of, chances.ways) == (
        36,
        {"3": 12, "2": 3, "4": 3, "6": 3, "8": 3, "10": 3, "12": 3, "in-your-book": 6},
    )
    numbers = odds(game, {}, {}, Pending.of({"roll": "n"}))
    assert list(numbers.ways.items()) == [("2", 3), ("4", 3), ("6", 3), ("8", 3), ("9", 6), ("10", 15), ("12", 3)]
    for light, outcome, applied in (("on", "lit", [1]), ("off", "dark", [])):
        plain = odds(game, {"light": light}, {}, Pending.of({"roll": "b"}))
        assert (plain.of, plain.ways, [each.add for each in plain.applied]) == (1, {outcome: 1}, applied)
    taken = odds(game, {}, {}, Pending.of({"roll": "f", "take": 2}))
    assert (taken.of, taken.ways) == (1, {"3": 1})
    assert odds(game, {"light": "on"}, {"light": "off"}, Pending.of({"roll": "b"})).ways == {"dark": 1}


def test_odds_say_what_they_assume(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"1.." = "a"}\n[[modifier]]\nadd = 1\nwhen = "zone = 0"\nwhy = "home"\n')
    chances = odds(game, {}, {}, Pending.of({"roll": "t"}))
    assert (chances.title, chances.dice, chances.assumed) == ("t", "1D", {"zone": 0})
    assert odds(game, {"zone": 2}, {}, Pending.of({"roll": "t"})).assumed == {}


@pytest.mark.parametrize(("dice", "of"), [("1D", 6), ("2D", 36), ("3D", 216), ("D66", 36)])
def test_every_total_is_shown_with_dice_that_give_it(tmp_path: Path, dice: str, of: int) -> None:
    game = pack(tmp_path, t=f'dice = "{dice}"\nrows = {{"1.." = "a"}}\n')
    readings = branches(game, {}, {}, Pending.of({"roll": "t", "bind": {}}))
    for branch in readings:
        assert set(branch.result.dice) <= {1, 2, 3, 4, 5, 6}
        assert game.table("t").dice.total(branch.result.dice) == branch.result.rolled == branch.result.net
    assert len({branch.result.rolled for branch in readings}) == len(readings)
    assert sum(branch.ways for branch in readings) == of and {branch.of for branch in readings} == {of}


def test_a_row_that_only_the_book_has_still_shows_the_modifiers(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"..9" = "owner"}\n[[modifier]]\nadd = 2\nwhen = "light = on"\nwhy = "lit"\n')
    found = odds(game, {"light": "on"}, {}, Pending.of({"roll": "t"}))
    assert (found.ways, [(each.add, each.why) for each in found.applied]) == ({"in-your-book": 6}, [(2, "lit")])
    assert [branch.result.title for branch in branches(game, {}, {}, Pending.of({"roll": "t"}))] == ["t"] * 6


def test_a_formula_is_worked_out_on_the_sheet_that_its_row_leaves(tmp_path: Path) -> None:
    game = pack(
        tmp_path, t='rows = {"..3" = "a", "4.." = -1}\n[outcome.a]\ndo = ["hour = 3"]\nis = "1D * hour + zone"\n'
    )
    chances = odds(game, {"hour": 9}, {"zone": 2}, Pending.of({"roll": "t"}))
    assert list(chances.ways.items()) == [("-1", 18), ("5", 3), ("8", 3), ("11", 3), ("14", 3), ("17", 3), ("20", 3)]


@pytest.mark.slow
def test_every_table_with_rows_has_odds_that_add_up_to_one(b29: Pack) -> None:
    counted = 0
    facts = b29.sheet.given(["fighter.clock=6", "fighter.angle=high", "fighter.type=frank", "bomb-run=on"])
    for table in b29.all_tables():
        try:
            readings = branches(b29, {}, facts, Pending.of({"roll": table.id}))
        except OwnerTable:
            assert table.unwritten or table.dice.count is None
            continue
        except Exception as problem:
            assert "needs" in str(problem) or "has no column" in str(problem), (table.id, problem)
            continue
        assert sum(Fraction(branch.ways, branch.of) for branch in readings) == 1, table.id
        counted += 1
    assert counted > 35


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
        low, high = outlook.estimates["home"].interval
        assert low < field / 6 < high and high - low < 0.04
        low, high = outlook.estimates["dents"].interval
        assert low < dents + 3 * (6 - field) / 6 < high and high - low < 0.12


def test_the_options_of_the_pending_decision_are_side_by_side(tmp_path: Path) -> None:
    """Flying through the trees dents the glider, and a dent subtracts 1 from the landing: 3 of 6 instead of 4."""
    mission = Mission(hop(tmp_path, choices=DECISION, sequence=ASKED), number=1)
    mission.advance()
    before = (dict(mission.state), list(mission.pending), mission.journal.position)
    forecast = ForecastRun(mission_with(mission, {}), 1)
    fly(forecast, 2000)
    assert forecast.question is not None and forecast.question.title == "How?"
    chances = {name: each.estimates["home"].mean for name, each in forecast.outlooks.items()}
    assert chances == pytest.approx({"straight": 4 / 6, "through": 3 / 6}, abs=0.035)
    means = {name: each.estimates["dents"].mean for name, each in forecast.outlooks.items()}
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
    assert straight.estimates["home"].values == through.estimates["home"].values


def test_a_row_that_only_the_book_has_is_named_with_how_often_it_is_met(tmp_path: Path) -> None:
    own = 'dice = "1D"\nowner = true\n[outcome]\nfield = {do = ["place = field"]}\nriver = {do = ["place = river"]}\n'
    game = hop(tmp_path, L=own, sequence=STEPS.replace('["L"]', '["L", "L"]'))
    forecast = ahead(game)
    fly(forecast, 400)
    assert (forecast.by.met, forecast.met()) == ({"L": 800}, {"L": 2.0})
    assert forecast.outlooks[""].estimates["home"].mean == pytest.approx(0.5, abs=0.09)  # each of the two as likely


def test_a_missing_fact_is_listed_and_a_missing_rulebook_number_makes_the_odds_unknown(tmp_path: Path) -> None:
    windy = LANDING.replace('when = "dents >= 1"', 'when = "place = wood"')
    forecast = ahead(hop(tmp_path, L=windy))
    fly(forecast, 1)
    assert (forecast.by.taken, needed(forecast.pack, forecast.by)) == ({"place": "field"}, "")
    booked = SHEET.replace("[fields.all]", '[fields.book]\nwind = {kind = "count", ask = true}\n[fields.all]')
    blown = LANDING.replace('when = "dents >= 1"', 'when = "wind >= 1"')
    game = pack(tmp_path / "booked", "bare", pack=COUNTED, sequence=STEPS, L=blown, sheet=booked)
    for known, lacks in (({}, "1 figure"), ({"wind": 1}, "")):
        forecast = ForecastRun(mission_with(Mission(game, number=1), known), 1)
        fly(forecast, 1)
        assert needed(game, forecast.by) == lacks


@pytest.mark.slow
def test_a_missing_forecast_is_reported(tmp_path: Path) -> None:
    circle = STEPS + '[[step]]\nid = "again"\ntitle = "Again"\ngo = "land"\n'
    with pytest.raises(UserError, match="the mission never ends"):
        flown(hop(tmp_path / "circle", sequence=circle), 1)
