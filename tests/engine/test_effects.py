"""Lines of `do`: their changes, their output and their limits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.play.mission import Mission
from companion.problems import SystemFault
from tests.support import FACTS, asks, mission_with_row, pack, row


def test_changes_exchange_mark_erase_and_stop_at_the_limits(tmp_path: Path) -> None:
    mission = mission_with_row(
        tmp_path,
        '"exchange hits.port, hits.starboard", "mark hits.port 5", "erase zone 9",'
        '"light = on for side if hits[side] = 0"',
    )
    mission.write({"hits.port": 1, "zone": 2})
    result = mission.roll("t", Hand([[1]]))[0]
    assert (mission.state["hits.port"], mission.state["hits.starboard"], mission.state["zone"]) == (2, 1, 0)
    assert [text.partition(": ")[2] for text, _ in result.notes] == [
        "2 of 5; no more are left", "2 of 9; no more are left",
    ]  # fmt: skip
    assert "light" not in mission.state


def test_a_mark_where_all_is_marked_and_an_erasure_where_nothing_is(tmp_path: Path) -> None:
    mission = mission_with_row(tmp_path, '"mark hits.port", "erase zone"')
    mission.write({"hits.port": 2})
    result = mission.roll("t", Hand([[1]]))[0]
    assert [text.partition(": ")[2] for text, _ in result.notes] == [
        "nothing is left to mark", "nothing is left to erase",
    ]  # fmt: skip
    assert mission.state == {"hits.port": 2}


def test_a_row_overrides_the_bindings_of_the_roll(tmp_path: Path) -> None:
    """This also applies if the sheet has that value already, so that nothing changes on it."""
    game = pack(
        tmp_path, t='with = {light = "on"}\n' + row('do = ["light = off"]\nthen = [{roll = "t", when = "light = on"}]')
    )
    for before in ("off", "on"):
        mission = Mission(game)
        mission.write({"light": before})
        mission.roll("t", Hand([[1]]))
        assert (mission.state["light"], mission.pending) == ("off", [])


def test_a_change_on_nobody_asks_who_is_meant(tmp_path: Path) -> None:
    mission = mission_with_row(tmp_path, '''"mark fighter.fca", "fighter.type = 'x'", "mark hits[side]"''')
    with asks(FactQuestion, "No fighter is on the sheet"):
        mission.roll("t", Hand([[1]]))
    mission.write({"fighter.2.type": "zeke"})
    with asks(FactQuestion, 'needs "Side"'):
        mission.roll("t", Hand([[1]]))
    assert "fighter.2.fca" not in mission.state  # a roll that asks has changed nothing
    mission.roll("t", Hand([[1]]), {"side": "port"})
    assert (mission.state["fighter.2.fca"], mission.state["hits.port"]) == (1, 1)


def test_a_bare_lookup_asks_for_nobody(tmp_path: Path) -> None:
    mission = mission_with_row(tmp_path, '"mark hits[side]"')
    mission.number = None
    assert mission.roll("t", Hand([[1]]))[0].changes == {}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sun = 5", "there is no field sun"), ("dance yes", "there is no field dance"),
        ("mark zone many", "there is no field many"), ("mark light", "this isn't a number that can be counted"),
        ("clear wing", "there is no index wing. Use fighter or side"), ("drop wing", "there is no index wing"),
        ("add fighter (tail = 1)", "one fighter has no tail"), ("zone = light", "this must be a number, not a word"),
        ("light = dim", "dim is neither a field nor on or off"), ("name = Tokyo", "Put text in quotes: 'Tokyo'"),
        ("light = on for wing", "there is no index wing"), ("side = port", "side isn't a field that can be set"),
        ("hits[side].more = 1", "isn't a field that can be set"),
        ("exchange zone, light.more", "exchange needs two indexes"),
    ],
)  # fmt: skip
def test_a_line_of_do_that_cannot_be_carried_out_is_the_packs_fault(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(SystemFault) as refused:
        settle(mission_with_row(tmp_path, f'"{line}"').roll("t", Hand([[1]])))
    assert message in str(refused.value)
    assert re.search(r"t\.toml, line \d+: outcome\.a, do 1: ", str(refused.value))


def test_exchanged_seats_and_numbers_at_their_limits(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {1 = "a", 2 = "b", "3.." = "c"}\n'
        '[outcome.a]\ndo = ["exchange hits.port, hits.starboard"]\n'
        '[outcome.b]\ndo = ["zone = 9", "erase hits.port 2"]\n'
        '[outcome.c]\ndo = ["zone = -1", "mark hits.port"]\n',
    )
    play = Play(game, {"hits.port": 3})
    assert settle(play.roll("t", Hand([[1]]))).changes == {"hits.port": (3, None), "hits.starboard": (None, 3)}
    assert play.state == {"hits.starboard": 3}
    result = settle(play.roll("t", Hand([[2]])))
    assert play.state["zone"] == 5 and [text.partition(": ")[2] for text, _ in result.notes] == [
        "nothing is left to erase"
    ]
    result = settle(play.roll("t", Hand([[3]])))
    assert (play.state["zone"], play.state["hits.port"], result.notes) == (0, 1, [])
    assert ("hits.port", 0, 1) in result.shown


def test_changes_and_rolls_for_each_member_by_another_name(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark hits[s] s.room for side as s if s.near = right"]\n'
        'then = [{for = "side as s", when = "hits[s] >= 1", roll = "u", with = {side = "s"}}]\n',
        u='rows = {"1.." = "b"}\n',
    )
    play = Play(game)
    settle(play.roll("t", Hand([[1]])))
    assert play.state == {"hits.starboard": 3}
    assert [item.name for item in play.pending] == ["u"] and play.pending[0].bind["side"] == "starboard"


def test_what_changed_is_shown_from_what_an_untouched_field_reads_as(tmp_path: Path) -> None:
    game = pack(tmp_path)
    play = Play(game)
    written: dict[str, Value] = {"hits.port": 2, "city": "Kobe", "light": "on", "zone": 0}
    result = play.write(written, "set")
    assert result.shown == [("hits.port", 0, 2), ("city", "", "Kobe"), ("light", "none", "on")]
    assert result.changes == {name: (None, value) for name, value in written.items()}
    play = Play(game, {"seen": 3, "hour": 1})
    assert play.write({"hour": 2}, "set").shown == [("hour", 1, 2), ("seen", 3, 0)]
    play = Play(game, {"seen": 0, "hour": 1})
    assert play.write({"hour": 2}, "set").shown == [("hour", 1, 2)]


def test_a_change_for_each_member_reads_what_the_one_before_left(tmp_path: Path) -> None:
    raid = pack(
        tmp_path,
        facts=FACTS,
        t=row('do = ["hour = hour * 10 + fighter.fca for fighter if bears", "mark hour for side if hour = 32"]'),
    )
    state: dict[str, Value] = {f"fighter.{n}.{key}": value for n, key, value in (
        (1, "fca", 3), (1, "type", "zeke"), (2, "fca", 2), (2, "type", "oscar"),
    )}  # fmt: skip
    play = Play(raid, state)
    settle(play.roll("t", Hand([[1]])))
    assert play.state["hour"] == 33
    assert play.facts["fighter"] == "none"


def test_members_change_places_with_all_that_belongs_to_them(tmp_path: Path) -> None:
    sheet = """
[sections]
all = "All"
[index.seat]
belongings = "crew name"
pilot = {}
nose = {}
tail = {}
[fields.all]
"crew[seat]" = {values = "ok hurt", default = "ok"}
"name[seat]" = {}
"gun[seat]" = {kind = "count"}
into = {values = "pilot nose tail"}
"""
    raid = pack(
        tmp_path, "bare", sheet=sheet, t=row('do = ["exchange seat, into"]'), u=row('do = ["exchange seat, tail"]')
    )
    play = Play(raid, {"crew.nose": "hurt", "name.nose": "Abe", "name.tail": "Roy", "gun.nose": 2, "into": "tail"})
    result = settle(play.roll("t", Hand([[1]]), {"seat": "nose"}))
    moved = {"crew.tail": "hurt", "name.tail": "Abe", "name.nose": "Roy", "gun.nose": 2, "into": "tail"}
    assert play.state == moved
    assert result.changes["crew.nose"] == ("hurt", None)
    settle(play.roll("u", Hand([[1]]), {"seat": "nose"}))
    assert (play.state["name.nose"], play.state["name.tail"], play.state["crew.nose"]) == ("Abe", "Roy", "hurt")
    with asks(FactQuestion, 'needs "Seat"'):
        settle(play.roll("t", Hand([[1]])))


def test_bindings_are_worked_out_when_they_are_made(tmp_path: Path) -> None:
    raid = pack(
        tmp_path,
        fields="note = {}\nother = {}\n",
        t='with = {side = "starboard"}\nrows = {"1.." = "a"}\n[outcome.a]\nthen = [{order = "Mind {side}"}, '
        '{roll = "u", with = {side = "port", city = "\'{side} {zone}\'", hour = "zone + 1", note = "side.near", '
        'other = "side"}}]\n',
        u=row('text = "{side}, {city}, {hour}, {note}, {other}"\ndo = ["mark hits[side]"]').replace(
            "[outcome.a]", '[outcome."{note}{other}"]\n[outcome.a]'
        ),
    )
    mission = Mission(raid, {"zone": 2})
    mission.roll("t", Hand([[1]]))
    assert mission.pending[0].bind == {
        "side": "port", "city": "starboard 2", "hour": "3", "note": "right", "other": "starboard",
    }  # fmt: skip
    assert mission.pending[1].name == "Mind starboard"
    assert mission.roll(None, Hand([[1]]))[0].text == "port, starboard 2, 3, right, starboard"
    assert mission.state["hits.port"] == 1
