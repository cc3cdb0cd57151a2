"""Dice as typed, counted and rolled, the number that a table needs, formulas and adjustments."""

from pathlib import Path
from random import Random

import pytest

from companion.engine import dice as throws
from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.play import Play
from companion.engine.questions import DiceQuestion, RowQuestion, settle
from companion.play.mission import Mission
from companion.problems import UserError
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
        settle(play.roll("t.go", Hand(), asked_for.bind, item=asked_for))
    result = settle(play.roll("t.go", Hand([[2], [5]]), asked_for.bind, item=asked_for))
    assert (result.dice, result.rolled, result.net, result.outcome) == ([2, 5], 7, 21, "21")
    assert result.steps == []
    assert play.pending == []
    lit = Mission(game, {"light": "on"})
    lit.roll("t", Hand([[4]]))
    assert lit.roll(None, Hand([[6]]))[0].outcome == "61"
