"""Columns and modifiers: which ones apply, and the facts that must be known."""

from pathlib import Path
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import DiceQuestion, RowQuestion, settle
from companion.problems import SystemFault, UserError
from tests.support import LATE, asks, holds, pack


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        ({"weather": "clear", "zone": 4}, "a"),  # before the column of the zone
        ({"weather": "haze"}, "b"), ({"weather": "rain"}, "b"), ({"weather": "rain", "zone": 4}, "b"),
        ({"weather": "snow", "zone": 4}, "c"),  # the zone's column comes first
        ({"weather": "snow"}, "d"), ({"weather": "fog", "hour": 1}, "e"), ({"weather": "fog"}, "f"),
        ({"weather": "storm"}, "g"), ({}, "g"),
    ],
)  # fmt: skip
def test_of_many_columns_the_first_that_holds_is_used(tmp_path: Path, state: dict[str, Any], outcome: str) -> None:
    conditions = (
        "weather = clear", "weather in (haze, rain)", "zone >= 3", "weather = snow", "weather = fog and hour = 1",
        "weather in (fog, snow)",
    )  # fmt: skip
    columns = "".join(
        f'[[column]]\nwhen = "{condition}"\nrows = {{"1.." = "{name}"}}\n'
        for name, condition in zip("abcdef", conditions, strict=True)
    )
    game = pack(tmp_path, t=columns + '[[column]]\nrows = {"1.." = "g"}\n')
    assert settle(Play(game, state).roll("t", Hand([[1]]))).outcome == outcome
    assert game.table("t").column(Facts(game.sheet, state)).rows.find(6) == outcome


@pytest.mark.parametrize(
    ("fact", "words", "state", "outcome"),
    [
        ("weather", "clear haze rain snow city", {"weather": "fog", "city": "fog"}, "4"),
        ("weather", "clear haze city snow rain", {"weather": "rain", "city": "rain"}, "2"),
        ("weather", "clear haze city snow rain", {"weather": "rain", "city": "fog"}, "4"),
        ("city", "'Kobe' 'Osaka' 'Nagoya' 'Tokyo' 'Oita'", {"city": "TOKYO"}, "3"),
        ("city", "'Kobe' 'Osaka' 'Nagoya' 'Tokyo' 'Oita'", {"city": "Kure"}, "other"),
        ("fighter.type", "'zeke' 'oscar' 'tojo' 'jack' 'irving'", {"fighter.1.type": "Jack"}, "3"),
        ("clock", "3 6 12 6 3", {"clock": "6"}, "1"), ("zone", "0 1 2 3 4", {"zone": 3}, "3"),
        ("zone", "0 1 2 3 4", {}, "0"), ("side.near", "left right left right left", {"side": "starboard"}, "1"),
        ("side", "port port port starboard port", {"side": "starboard"}, "3"), ("late", "yes no yes no yes", {}, "1"),
        ("late", "yes no yes no yes", {"zone": 4}, "0"),
    ],
)  # fmt: skip
def test_a_column_is_found_by_any_fact(
    tmp_path: Path, fact: str, words: str, state: dict[str, Value], outcome: str
) -> None:
    columns = "".join(
        f'[[column]]\nwhen = "{fact} = {word}"\nrows = {{"1.." = "is-{at}"}}\n' for at, word in enumerate(words.split())
    )
    game = pack(tmp_path, facts=LATE, t=columns + '[[column]]\nrows = {"1.." = "is-other"}\n')
    play = Play(game, state)
    for _ in range(2):
        assert settle(play.roll("t", Hand([[1]]))).outcome == f"is-{outcome}"


def test_what_no_column_is_for_is_asked_for_by_name(tmp_path: Path) -> None:
    columns = "".join(f'[[column]]\nwhen = "city = \'{city}\'"\nrows = {{"1.." = "a"}}\n' for city in ("Kobe", "Oita"))
    many = "".join(f'[[column]]\nwhen = "clock = {at} and zone = 1"\nrows = {{"1.." = "a"}}\n' for at in (3, 6, 12))
    game = pack(tmp_path, t=columns, m=many + many)
    with pytest.raises(UserError, match=r'^t needs "City" \(any text\). Add e.g. --with city=VALUE$'):
        settle(Play(game).roll("t", Hand([[1]])))
    with pytest.raises(UserError, match="^t has no column for city=Kure$"):
        settle(Play(game, {"city": "Kure"}).roll("t", Hand([[1]])))
    assert holds(game, "column('m')", clock="6", zone=1)
    assert not holds(game, "column('m')", clock="6", zone=2) and not holds(game, "column('m')", zone=1)
    with pytest.raises(SystemFault, match="there is no table q"):
        holds(game, "column('q')")


def test_assumed_facts_are_those_read_by_the_column_and_its_modifiers(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='[[column]]\nwhen = "zone = 0"\nmodifier = ["early"]\nrows = {"..9" = "a"}\n'
        '[[column]]\nrows = {"..9" = "b"}\n[[modifier]]\nid = "early"\nadd = 1\nwhen = "hour <= 1"\n'
        '[[modifier]]\nid = "seen"\nadd = "seen"\n',
        w='owner = true\n[[modifier]]\nadd = "seen"\n',
    )
    assert settle(Play(game).roll("t", Hand([[1]]))).assumed == {"zone": 0, "hour": 0}
    assert settle(Play(game, {"hour": 1}).roll("t", Hand([[1]]))).assumed == {"zone": 0}
    assert settle(Play(game, {"zone": 1, "hour": 1}).roll("t", Hand([[1]]))).assumed == {"seen": 0}
    assert settle(Play(game, {"zone": 0, "hour": 2}).roll("t", Hand([[1]]))).assumed == {}
    assert settle(Play(game).roll("w", Hand([[1]]), outcome="a")).assumed == {"seen": 0}


@pytest.mark.parametrize("amounts", [(-4, -2), (-2, -4), (-4, 1)])
def test_the_worst_modifier_of_a_group_applies_in_any_order(tmp_path: Path, amounts: tuple[int, int]) -> None:
    modifiers = "".join(f'[[modifier]]\nid = "m{add}"\nadd = {add}\ngroup = "gear"\n' for add in amounts)
    game = pack(tmp_path, t=f'rows = {{"..0" = "low", "1.." = "high"}}\n{modifiers}[[modifier]]\nadd = 1\nwhy = "x"\n')
    result = settle(Play(game).roll("t", Hand([[3]])))
    assert (result.net, result.outcome) == (0, "low")


@pytest.mark.parametrize(("light", "net", "outcome"), [("on", 3, "bright"), ("off", 4, "dark")])
def test_a_column_that_names_modifiers_counts_no_other(tmp_path: Path, light: str, net: int, outcome: str) -> None:
    game = pack(
        tmp_path,
        t='[[column]]\nwhen = "light = on"\nmodifier = ["two"]\nrows = {3 = "bright", 4 = "wrong"}\n'
        '[[column]]\nwhen = "light = off"\nrows = {3 = "wrong", 4 = "dark"}\n'
        '[[modifier]]\nid = "one"\nadd = 1\n[[modifier]]\nid = "two"\nadd = 2\n',
    )
    result = settle(Play(game, {"light": light}).roll("t", Hand([[1]])))
    assert (result.net, result.outcome) == (net, outcome)


def test_a_modifier_without_a_number_adds_one_and_is_named_by_its_reason(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='[[column]]\nmodifier = ["searchlight"]\nrows = {"..3" = "low", "4.." = "high"}\n'
        '[[modifier]]\nwhy = "searchlight"\n[[modifier]]\nid = "moon"\nadd = 5\nwhy = "moon"\n',
    )
    result = settle(Play(game).roll("t", Hand([[3]])))
    assert (result.net, result.outcome) == (4, "high")
    assert [(each.add, each.why) for each in result.applied] == [(1, "searchlight")]


def test_a_modifier_says_where_it_is_printed(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[[modifier]]\nadd = 1\n[[modifier]]\nid = "x"\nadd = 2\nwhy = "ace"\ncite = "5-5"\n',
    )
    applied = settle(Play(game).roll("t", Hand([[1]]))).applied
    assert [(each.why, each.modifier.cite) for each in applied] == [("", "t"), ("ace", "5-5")]


def test_missing_dice_are_asked_for_with_the_modifiers(tmp_path: Path) -> None:
    modifier = '[[modifier]]\nid = "lit"\nadd = 2\nwhen = "light = on"\n'
    game = pack(tmp_path, t=f'rows = {{"..9" = "owner"}}\n{modifier}', w=f"owner = true\n{modifier}")
    for light, added in (("on", [2]), ("off", [])):
        play = Play(game, {"light": light})
        with asks(DiceQuestion) as dice:
            settle(play.roll("t", Hand(), {"side": "port"}))
        assert [each.add for each in dice.value.applied] == added and dice.value.bind == {"side": "port"}
        for name in ("t", "w"):
            with asks(RowQuestion) as row:
                settle(play.roll(name, Hand([[3]]), {"side": "port"}))
            assert [each.add for each in row.value.applied] == added and row.value.bind == {"side": "port"}
            assert (row.value.net, row.value.dice) == (3 + sum(added), [3])
            result = settle(play.roll(name, Hand([[3]]), outcome="hit"))
            assert (result.net, [each.add for each in result.applied]) == (3 + sum(added), added)
    assert play.state == {"light": "off"}
