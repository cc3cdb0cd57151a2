"""Tables within tables: a row's own die, its cases, notes, and procedures without rows."""

from pathlib import Path

from companion.engine.dice import Hand
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.play.mission import Mission
from tests.support import asked, pack


def test_a_row_with_a_die_of_its_own_may_have_columns_and_natural_rolls(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='title = "Flak"\ncite = "4.4"\nrows = {"1.." = "burst"}\n[outcome.burst]\n'
        'title = "Where it burst"\ndice = "2D"\n'
        '[[outcome.burst.column]]\nwhen = "light = on"\nrows = {"2.." = "near"}\n'
        '[[outcome.burst.column]]\nrows = {"2.." = "far"}\n'
        '[[outcome.burst.natural]]\nroll = 12\noutcome = "dud"\n'
        '[outcome.burst.outcome.near]\ndo = ["mark zone"]\n[outcome.burst.outcome.far]\ntext = "Far off"\n',
    )
    mission = Mission(game, {"light": "on"})
    mission.roll("t", Hand([[1]]))
    assert asked(mission) == ["t.burst"]
    inner = settle(Play(game, {"light": "on"}).roll("t.burst", Hand([[3, 4]])))
    assert (inner.title, inner.cite, inner.outcome) == ("Where it burst", "4.4", "near")
    assert inner.changes["zone"][1] == 1
    far = settle(Play(game).roll("t.burst", Hand([[3, 4]])))
    assert (far.outcome, far.text) == ("far", "Far off")
    dud = settle(Play(game).roll("t.burst", Hand([[6, 6]])))
    assert (dud.outcome, dud.natural) == ("dud", True)


def test_a_die_of_its_own_is_named_after_its_table_and_text(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='title = "Flak"\nrows = {1 = "hit", "2.." = "graze"}\n[outcome.hit]\ntext = "A hit"\ndice = "1D"\n'
        'rows = {"1.." = "x"}\n[outcome.graze]\ndice = "1D"\nrows = {"1.." = "x"}\n'
        '[outcome.zone]\ntext = "In zone {zone}"\ndice = "1D"\nrows = {"1.." = "x"}\n',
    )
    assert (game.table("t.hit").title, game.table("t.graze").title) == ("Flak: A hit", "Flak: graze")
    assert game.table("t.zone").title == "Flak"  # a text with holes is said of a result and names nothing


def test_a_procedure_needs_no_dice_and_no_rows(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='text = "In zone {zone}"\ndo = ["mark zone", "mark hits[side]"]\nthen = ["u"]\n',
        u='result = "done"\ncases = [{when = "light = on", text = "Lit", do = ["mark hour"]}, {text = "Dark"}]\n',
        w='dice = "1D"\nrows = {"1.." = "a"}\n[sub.b]\ncite = "4.2"\ndo = ["mark zone 2"]\ntext = "A note"\n',
    )
    play = Play(game, {"zone": 1})
    first = settle(play.roll("t", Hand(), {"side": "port"}))
    assert (first.outcome, first.text, first.dice, first.rolled) == ("t", "In zone 1", [], None)
    assert (play.state, asked(play)) == ({"zone": 2, "hits.port": 1}, ["u"])
    assert (settle(play.roll("u", Hand())).outcome, settle(play.roll("u", Hand())).text) == ("done", "Dark")
    play.write({"light": "on"}, "set")
    assert (settle(play.roll("u", Hand())).text, play.state["hour"]) == ("Lit", 1)
    note = settle(play.roll("w.b", Hand()))
    assert (note.outcome, note.text, note.cite, play.state["zone"]) == ("b", "A note", "4.2", 4)
    hand = Hand([[3, 4]])
    outcome = settle(play.roll("t", hand, {"side": "port"})).outcome
    assert outcome == "t" and hand.groups == [[3, 4]]  # they are for what follows
