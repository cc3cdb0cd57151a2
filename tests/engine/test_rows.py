"""Rows: ranges, unmodified rolls, bindings and texts, and rows without dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.play import Play
from companion.engine.questions import RowQuestion, settle
from companion.packs import Pack
from companion.problems import SystemFault, UserError
from tests.support import ROW, asks, pack, row, sortie


def test_rows_ranges_and_the_worst_of_a_group(tmp_path: Path) -> None:
    turrets = pack(
        tmp_path, "turrets",
        good="""
dice = "2D"
rows = {"..3" = "low", "4..6" = "middle", "7" = "seven", "8.." = "high"}
modifier = [
  {id = "a", add = -2, group = "gear", why = "a"},
  {id = "b", add = -4, group = "gear", why = "b"},
  {id = "c", add = "boxes", why = "c"},
]
""",
        twice='rows = {"1..3" = "a", "3" = "b"}\n', words='rows = {"few" = "a"}\n',
    )  # fmt: skip
    table = turrets.table("good")
    facts = Facts(turrets.sheet, {"boxes": 2})
    applied = table.applying(facts)
    assert [each.add for each in applied] == [-4, 2]
    assert table.landed(facts, 9, table.column(facts), applied) == (7, False, "seven")
    assert [table.columns[0].rows.find(net) for net in (-5, 3, 4, 6, 7, 8, 40)] == [
        "low", "low", "middle", "middle", "seven", "high", "high",
    ]  # fmt: skip
    for name in ("twice", "words"):
        with pytest.raises(SystemFault):
            turrets.table(name)


def test_the_row_a_roll_lands_on_as_it_is_written(tmp_path: Path) -> None:
    rows = pack(tmp_path, t='rows = {"..3" = "a", "4..6" = "b", 7 = "c", "8.." = "d"}\n').table("t").columns[0].rows
    assert [rows.row(net) for net in (-2, 3, 4, 6, 7, 8, 20)] == ["..3", "..3", "4..6", "4..6", "7", "8..", "8.."]
    assert list(rows.results()) == ["a", "b", "c", "d"]


def test_the_file_may_say_otherwise_of_one_number(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = 3, "2.." = 4}\n[outcome."{result}"]\ndo = ["zone = result"]\n'
        '[outcome.4]\ntext = "Four is nothing"\n',
    )
    three, four = Play(game), Play(game)
    assert (settle(three.roll("t", Hand([[1]]))).text, three.state) == ("", {"zone": 3})
    assert (settle(four.roll("t", Hand([[2]]))).text, four.state) == ("Four is nothing", {})


def test_rows_taken_without_dice(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "u", rows = "2..4"}]\n',
        u='dice = "2D"\nrows = {"..3" = "low", "4.." = "high"}\n[[modifier]]\nadd = 5\nid = "never-counts"\n',
    )
    play = Play(game)
    settle(play.roll("t", Hand([[1]])))
    assert [(item.name, item.take) for item in play.pending] == [("u", 2), ("u", 3), ("u", 4)]
    assert [settle(play.roll("u", Hand(), take=row)).outcome for row in (2, 3, 4)] == ["low", "low", "high"]


def test_a_row_taken_without_dice_a_net_beyond_the_rows_and_a_row_too_many(tmp_path: Path) -> None:
    game = sortie(
        tmp_path, r='rows = {1 = "a", 2 = "b"}\n', s='[[column]]\nwhen = "light = on"\nrows = {"1.." = "a"}\n'
    )
    assert game.table("r").columns[0].rows.row(2) == "2"
    assert game.table("r").columns[0].rows.row(5) == ""
    play = Play(game)
    assert settle(play.roll("r", Hand(), take=2)).outcome == "b"
    with pytest.raises(UserError, match="no row for a net 5"):
        settle(play.roll("r", Hand([[5]])))
    with pytest.raises(UserError, match='s needs "Light"'):
        settle(Play(game).roll("s", Hand([[1]])))
    with pytest.raises(UserError, match="no column for light=off"):
        settle(Play(game, {"light": "off"}).roll("s", Hand([[1]])))


def test_a_text_takes_any_expression_between_braces(tmp_path: Path) -> None:
    game = sortie(
        tmp_path, t=row("text = \"{light}, {zone + 1}: {hits[side]} {side.near} {'gone' if zone = 3 else 5}\"")
    )
    state: dict[str, str | int] = {"light": "on", "zone": 3, "hits.port": 2}
    assert settle(Play(game, state).roll("t", Hand([[1]]), {"side": "port"})).text == "on, 4: 2 left gone"
    broken = sortie(tmp_path / "broken", t=row('text = "x {side"'))
    with pytest.raises(SystemFault, match="this brace isn't closed"):
        broken.table("t")


@pytest.mark.parametrize(("hour", "outcome", "natural"), [(0, "safe", False), (5, "safe", False), (6, "bent", True)])
def test_a_natural_roll_may_decide_only_a_low_net(kites: Pack, hour: int, outcome: str, natural: bool) -> None:
    result = settle(Play(kites, given={"hour": hour}).roll("L-1", Hand([[6, 6]])))
    assert (result.net, result.outcome, result.natural) == (12 - 2 * hour, outcome, natural)


def test_a_row_taken_without_dice_is_the_net_and_in_the_players_book_it_is_asked_for(tmp_path: Path) -> None:
    rows = '[outcome.a]\ndo = ["hour = net", "zone = roll"]\n'
    game = pack(tmp_path, t=f'rows = {{"1.." = "a"}}\n{rows}', w=f"owner = true\n{rows}")
    play = Play(game)
    result = settle(play.roll("t", Hand(), take=3))
    assert (result.net, result.rolled, result.dice) == (3, None, [])
    assert play.state == {"hour": 3, "zone": 0}
    assert (result.natural, result.formula, result.cite, result.applied) == (False, False, "", [])
    with asks(RowQuestion) as need:
        settle(play.roll("w", Hand(), take=4))
    assert need.value.net == 4
    assert settle(play.roll("w", Hand(), take=4, outcome="a")).net == 4 and play.state["hour"] == 4
    assert settle(play.roll("w", Hand(), outcome="a")).net is None and play.state["hour"] == 0


def test_a_row_may_bind_a_sheet_value_and_show_the_printed_text(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = {as = "a", with = {side = "city"}}, 2 = {as = "a", text = "Struck hard"}, '
        '3 = {as = "b", text = "Quiet"}, 4 = {as = 7, with = {side = "city"}}}\n'
        '[outcome.a]\ntext = "A hit"\ndo = ["mark hits[side]"]\nthen = ["u"]\n'
        '[outcome."{result}"]\ndo = ["mark hits[side] 3"]\nthen = ["u"]\n',
        u=ROW,
    )
    play = Play(game, {"city": "starboard"})
    assert settle(play.roll("t", Hand([[1]]))).text == "A hit"
    assert settle(play.roll("t", Hand([[2]]), {"side": "port"})).text == "Struck hard; A hit"
    assert settle(play.roll("t", Hand([[3]]))).text == "Quiet"
    assert (play.state["hits.starboard"], play.state["hits.port"]) == (1, 1)
    assert settle(play.roll("t", Hand([[4]]))).outcome == "7" and play.state["hits.starboard"] == 4
    assert [item.bind["side"] for item in play.pending] == ["starboard", "port", "starboard"]


def test_the_parts_of_a_result_may_have_names_of_several_words(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = "zeke@6"}\n[outcome."{first-seen}@{at-what-hour}"]\n'
        'text = "{first-seen} at {at-what-hour}"\ndo = ["hour = at-what-hour"]\n',
    )
    play = Play(game)
    assert settle(play.roll("t", Hand([[1]]))).text == "zeke at 6" and play.state == {"hour": 6}
