"""Results that count only once, which a table remembers."""

from __future__ import annotations

from pathlib import Path

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.play.mission import Mission
from tests.support import asked, pack

ONCE = """
memory = "struck[side]"
rows = {1 = "wing", 2 = "tail", 3 = "spar", 4 = "rib", "5.." = "skin"}
[outcome.wing]
do = ["mark zone if not again"]
then = [{roll = "u", when = "not again"}, "v"]
[outcome.tail]
do = ["mark zone"]
[outcome.spar]
once = true
dice = "1D"
rows = {"1.." = "bent"}
[outcome.rib]
text = "A rib"
once = true
do = ["mark hour 2"]
then = ["v"]
[outcome.skin]
cases = [{when = "light = on", once = true, do = ["mark hour"]}, {do = ["mark zone"]}]
"""


def test_a_row_rolled_before_does_nothing_more(tmp_path: Path) -> None:
    other = 'rows = {"1.." = "b"}\n'
    game = pack(tmp_path, t=ONCE, u=other, v=other)
    play = Play(game)
    assert settle(play.roll("t", Hand([[1]]), {"side": "port"})).notes == []
    assert (play.state["zone"], play.state["struck.port"], asked(play)) == (1, "wing", ["u", "v"])
    again = settle(play.roll("t", Hand([[1]]), {"side": "port"}))
    assert (play.state["zone"], again.then, play.state["struck.port"]) == (1, ["v"], "wing, wing")
    settle(play.roll("t", Hand([[1]]), {"side": "starboard"}))
    assert (play.state["zone"], play.state["struck.starboard"]) == (2, "wing")
    for _ in range(2):
        assert settle(play.roll("t", Hand([[2]]), {"side": "port"})).notes == []
    assert (play.state["zone"], play.state["struck.port"]) == (4, "wing, wing, tail, tail")
    assert settle(play.roll("t", Hand([[3]]), {"side": "port"})).then == ["t.spar"]
    assert settle(play.roll("t", Hand([[3]]), {"side": "port"})).then == []
    assert play.state["struck.port"] == "wing, wing, tail, tail, spar, spar"
    for notes, then in ((0, ["v"]), (1, [])):
        rib = settle(play.roll("t", Hand([[4]]), {"side": "port"}))
        assert (len(rib.notes), rib.then, rib.text, play.state["hour"]) == (notes, then, "A rib", 2)


def test_one_case_of_a_row_may_count_only_once(tmp_path: Path) -> None:
    game = pack(tmp_path, t=ONCE)
    play = Play(game, {"light": "on"})
    for _ in range(2):
        settle(play.roll("t", Hand([[5]]), {"side": "port"}))
    assert play.state == {"light": "on", "struck.port": "skin, skin", "hour": 1}
    play.write({"light": "off"}, "set")
    for _ in range(2):
        settle(play.roll("t", Hand([[5]]), {"side": "port"}))
    assert (play.state["hour"], play.state["zone"]) == (1, 2)


def test_a_die_of_its_own_has_the_bindings_and_the_memory_of_its_table(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='memory = "struck[side]"\nwith = {side = "port"}\nrows = {"1.." = "spar"}\n[outcome.spar]\n'
        'dice = "1D"\nrows = {1 = "bent", "2.." = "cut"}\n[outcome.spar.outcome.bent]\nonce = true\n'
        'do = ["mark hits[side]"]\n[outcome.spar.outcome.cut]\nonce = true\ndo = ["mark hits[side] 2"]\n',
    )
    play = Play(game)
    known = [settle(play.roll("t.spar", Hand([[die]]))).notes != [] for die in (1, 1, 2, 1, 3)]
    assert known == [False, True, False, True, True]
    assert play.state == {"hits.port": 3, "struck.port": "bent, cut"}
    mission = Mission(game)
    mission.roll("t", Hand([[1], [1]]))
    mission.roll("t", Hand([[1], [1]]))
    assert mission.state == {"hits.port": 1, "struck.port": "spar (bent), spar"}
    mission.roll("t", Hand([[1], [3]]))
    mission.roll("t.spar", Hand([[3]]))
    assert mission.state == {"hits.port": 3, "struck.port": "spar (bent), spar, spar (cut)"}
    settle(play.roll("t.spar", Hand([[1]]), {"side": "starboard"}))  # the pending item overrides the table
    assert play.state["hits.starboard"] == 1


def test_numbers_that_count_only_once(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='memory = "struck[side]"\nwith = {side = "port"}\nrows = {1 = 3, 2 = 4, "3.." = "five"}\n'
        '[outcome."{result}"]\n'
        'once = true\ndo = ["mark hour result"]\n[outcome.4]\ndo = ["mark zone"]\n[outcome.five]\nis = "5"\n',
    )
    play = Play(game)
    for die in (1, 1, 2, 2):
        settle(play.roll("t", Hand([[die]])))
    assert play.state == {"hour": 3, "zone": 2, "struck.port": "3, 3, 4, 4"}
    settle(play.roll("t.five", Hand()))
    assert settle(play.roll("t.five", Hand())).outcome == "5" and play.state["struck.port"] == "3, 3, 4, 4, 5"
    assert play.state["hour"] == 8


def test_every_row_of_a_table_is_remembered_but_none_and_the_dice_of_its_notes(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='memory = "struck[side]"\nwith = {side = "port"}\nrows = {1 = "none", 2 = "rib", "3.." = "skin"}\n'
        '[outcome.rib]\ntext = "A rib"\nthen = ["t.note"]\n[outcome.skin]\ndice = "1D"\nrows = {"1.." = "torn"}\n'
        '[sub.note]\ndice = "1D"\nrows = {"1.." = "bent"}\n',
    )
    mission = Mission(game)
    for dice in ([[1]], [[2], [4]], [[3], [4]], [[2], [4]], [[3], [4]]):
        mission.roll("t", Hand(dice))
    assert mission.state == {"struck.port": "rib, skin, rib, skin"}
