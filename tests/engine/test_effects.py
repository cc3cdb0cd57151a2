"""Lines of `do`: their changes and limits; fighters that appear and leave, along with everything pending for them."""

import re
from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import SystemFault
from companion.store.session import blaming
from tests.support import FACTS, asks, mission_with_row, pack, row


def test_changes_exchange_mark_erase_and_stop_at_the_limits(tmp_path: Path) -> None:
    mission = mission_with_row(
        tmp_path,
        '"exchange side, starboard", "mark hits.port 5", "erase zone 9","light = on for side if hits[side] = 0"',
    )
    mission.write({"hits.port": 1, "zone": 2})
    result = mission.roll("t", Hand([[1]]), {"side": "port"})[0]
    assert (mission.state["hits.port"], mission.state["hits.starboard"], mission.state["zone"]) == (2, 1, 0)
    assert [text.partition(": ")[2] for text, _ in result.notes] == [
        "2 of 5; no more are left", "2 of 9; no more are left",
    ]  # fmt: skip
    assert "light" not in mission.state


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


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sun = 5", "there is no field sun"), ("mark light", "this isn't a number that can be counted"),
        ("clear wing", "there is no index wing. Use fighter or side"),
    ],
)  # fmt: skip
def test_a_line_of_do_that_cannot_be_carried_out_is_the_packs_fault(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(SystemFault) as refused, blaming():
        settle(mission_with_row(tmp_path, f'"{line}"').roll("t", Hand([[1]])))
    assert message in str(refused.value)
    assert re.search(r"t\.toml, line \d+: outcome\.a, do 1: ", str(refused.value))


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


def test_one_fighter_is_meant_when_only_one_is_there(turrets: Pack) -> None:
    facts = Facts(turrets.sheet, {"fighter.2.type": "zeke", "fighter.2.hits": 1})
    assert (facts["fighter"], facts["fighter.hits"], facts["fighter.type"]) == ("2", 1, "zeke")
    both = Facts(turrets.sheet, {"fighter.2.type": "zeke", "fighter.3.type": "oscar"})
    assert (both["fighter"], both["fighter.hits"]) == ("none", 0)


def test_fighters_come_and_go_and_the_chart_has_an_end(tmp_path: Path) -> None:
    mission = mission_with_row(
        tmp_path, '''"add fighter (type = 'zeke')"''', 'then = ["u"]\n',
        u='rows = {1 = "gone", "2.." = "stays"}\n[outcome.gone]\ndo = ["clear fighter"]\n'
        '[outcome.stays]\ndo = ["drop fighter"]\n',
    )  # fmt: skip
    made = mission.game
    mission.roll("t", Hand([[1]]))
    mission.roll("t", Hand([[1]]))
    assert mission.state["fighter.2.type"] == "zeke"
    assert mission.roll("t", Hand([[1]]))[0].notes == [("No room for another fighter: the sheet has 2", "")]
    second = mission.pending[1]
    assert second.bind == {"fighter": "2"}
    settle(Play(made, mission.state, mission.pending).talk(second, Hand([[1]])))
    play = Play(made, mission.state, mission.pending)
    settle(play.talk(second, Hand([[1]])))
    assert "fighter.2.type" not in play.state and second not in play.pending
    unbound = Play(made, {}, [])
    for die in (1, 2):
        with asks(FactQuestion, "No fighter is on the sheet"):
            settle(unbound.roll("u", Hand([[die]])))
