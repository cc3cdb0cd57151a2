"""Tables: columns and modifiers, rows, and tables within tables, with the facts that must be known."""

from pathlib import Path
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import Facts
from companion.engine.fields import UnknownName
from companion.engine.play import Play
from companion.engine.questions import DiceQuestion, Pending, RowQuestion, settle
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import SystemFault, UserError
from tests.support import ROW, asked, asks, holds, pack, row, sortie


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


def test_rows_taken_without_dice(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "u", rows = "2..4"}]\n',
        u='dice = "2D"\nrows = {"..3" = "low", "4.." = "high"}\n[[modifier]]\nadd = 5\nid = "never-counts"\n',
    )
    play = Play(game)
    settle(play.roll("t", Hand([[1]])))
    assert [(item.name, item.take) for item in play.pending] == [("u", 2), ("u", 3), ("u", 4)]
    assert [settle(play.talk(item, Hand())).outcome for item in [*play.pending]] == ["low", "low", "high"]
    with pytest.raises(UserError, match="no row for a net 0"):
        settle(Play(pack(tmp_path / "short", t='rows = {1 = "a"}\nmodifier = [{add = -1}]\n')).roll("t", Hand([[1]])))


def test_a_text_takes_any_expression_between_braces(tmp_path: Path) -> None:
    game = sortie(
        tmp_path, t=row("text = \"{light}, {zone + 1}: {hits[side]} {side.near} {'gone' if zone = 3 else 5}\"")
    )
    state: dict[str, str | int] = {"light": "on", "zone": 3, "hits.port": 2}
    assert settle(Play(game, state).roll("t", Hand([[1]]), {"side": "port"})).text == "on, 4: 2 left gone"
    broken = sortie(tmp_path / "broken", t=row('text = "x {side"'))
    with pytest.raises(SystemFault, match="this brace isn't closed"):
        settle(Play(broken).roll("t", Hand([[1]])))


@pytest.mark.parametrize(("hour", "outcome", "natural"), [(0, "safe", False), (5, "safe", False), (6, "bent", True)])
def test_a_natural_roll_may_decide_only_a_low_net(kites: Pack, hour: int, outcome: str, natural: bool) -> None:
    result = settle(Play(kites, given={"hour": hour}).roll("L-1", Hand([[6, 6]])))
    assert (result.net, result.outcome, result.natural) == (12 - 2 * hour, outcome, natural)


def test_a_row_taken_without_dice_is_the_net_and_in_the_players_book_it_is_asked_for(tmp_path: Path) -> None:
    rows = '[outcome.a]\ndo = ["hour = net", "zone = roll"]\n'
    game = pack(tmp_path, t=f'rows = {{"1.." = "a"}}\n{rows}', w=f"owner = true\n{rows}")
    play = Play(game)
    result = settle(play.talk(Pending("roll", "t", take=3), Hand()))
    assert (result.net, result.rolled, result.dice) == (3, None, [])
    assert play.state == {"hour": 3, "zone": 0}
    assert (result.natural, result.formula, result.cite, result.applied) == (False, False, "", [])
    with asks(RowQuestion) as need:
        settle(play.talk(Pending("roll", "w", take=4), Hand()))
    assert need.value.net == 4
    assert settle(play.talk(Pending("roll", "w", take=4), Hand(), "a")).net == 4 and play.state["hour"] == 4
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


ONCE = """
memory = "struck[side]"
rows = {1 = "wing", 2 = "tail", 3 = "spar", "4.." = "rib"}
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


def test_a_question_takes_only_what_the_file_knows(tmp_path: Path) -> None:
    words = 'owner = "Which card"\n[outcome.ace]\ntext = "An ace"\n[outcome.joker]\n'
    numbers = words + '[outcome."{result}"]\ndo = ["hour = result"]\n'
    adjusted = 'owner = "How far"\nadjust = [{is = "result * 2"}]\n'
    game = pack(tmp_path, w=words, n=numbers, a=adjusted)
    assert settle(Play(game).roll("w", Hand(), outcome="Ace")).text == "An ace"
    for refused in ("king", "7"):
        with pytest.raises(UserError, match=f"can.t be {refused}"):
            settle(Play(game).roll("w", Hand(), outcome=refused))
    assert settle(Play(game).roll("n", Hand(), outcome="7")).changes["hour"][1] == 7
    with pytest.raises(UserError, match="can't be king"):
        settle(Play(game).roll("n", Hand(), outcome="king"))
    assert settle(Play(game).roll("a", Hand(), outcome="7")).outcome == "14"
    with asks(RowQuestion, match="Which card"):
        settle(Play(game).roll("w", Hand([[1, 2]])))


def test_what_the_players_book_says_of_a_cell_is_asked_once(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        fields='"book[side]" = {values = "gear flap"}\n',
        t='rows = {1 = {ask-once = "book[side]"}, 2 = "owner", "3.." = {ask-once = "book.port"}}\n'
        '[outcome.gear]\ndo = ["mark zone"]\n[outcome.flap]\ndo = ["mark hour"]\n[outcome.other]\ndo = ["zone = 5"]\n',
    )
    play = Play(game)
    with asks(RowQuestion):
        settle(play.roll("t", Hand([[1]]), {"side": "port"}))
    assert play.state == {}
    assert settle(play.roll("t", Hand([[1]]), {"side": "port"}, outcome="Gear")).outcome == "gear"
    assert play.state == {"zone": 1, "book.port": "gear"}
    for die in (1, 3):
        assert settle(play.roll("t", Hand([[die]]), {"side": "port"})).outcome == "gear"
    assert play.state["zone"] == 3
    with asks(RowQuestion):
        settle(play.roll("t", Hand([[2]]), {"side": "port"}))  # an ordinary cell of the book is asked each time
    with asks(RowQuestion):
        settle(play.roll("t", Hand([[1]]), {"side": "starboard"}))
    settle(
        play.roll("t", Hand([[1]]), {"side": "starboard"}, outcome="other")
    )  # no word of the field: it is asked again
    assert "book.starboard" not in play.state and play.state["zone"] == 5
    with asks(RowQuestion):
        settle(play.roll("t", Hand([[1]])))  # about neither side
    with pytest.raises(UserError, match="give the dice, not --outcome"):
        settle(play.roll("t", Hand([[3]]), outcome="flap"))


def test_the_question_for_a_printed_row_says_where_to_look_and_what_is_known(tmp_path: Path) -> None:
    game = pack(
        tmp_path, k="owner = true\n[outcome.hit]\n[outcome.miss]\n", w="owner = true\n",
        q='title = "Cards"\nowner = "Which card"\n[outcome.ace]\n',
    )  # fmt: skip

    def said(name: str, take: int | None = None) -> str:
        with asks(RowQuestion) as need:
            settle(Play(game).talk(Pending("roll", name, take=take), Hand([[2, 3]])))
        return str(need.value)

    assert "net 5" in said("k") and said("k").endswith("--outcome: hit or miss")
    assert (
        "net 5" in said("w")
        and said("w").endswith("--outcome")
        and said("w").startswith("w is printed only in your rulebook")
    )
    assert said("q").startswith("Cards: Which card?") and said("q").endswith("--outcome: ace")
    game = pack(tmp_path, c='title = "Cards"\ndice = "-"\nowner = "Which card in zone {zone + 1}"\n[outcome.ace]\n')
    with asks(RowQuestion, match="Cards: Which card in zone 4"):
        settle(Play(game, {"zone": 3}).roll("c", Hand()))
    with pytest.raises(UserError, match="can't be king. Which card in zone 4?"):
        settle(Play(game, {"zone": 3}).roll("c", Hand(), outcome="king"))


TOWNS = 'town = {kind = "name", known = "Kobe, Iwo Jima, Iwo = Iwo Jima"}\n'


def test_the_names_in_a_row_are_those_that_the_fields_know_into_which_they_are_written(tmp_path: Path) -> None:
    """A field with known names raises UnknownName for any other name in a rulebook row without a leading `=`."""
    plain = 'owner = true\n[outcome."{where};{number}"]\ndo = ["town = where if hour = 0", "zone = number"]\n'
    cases = 'owner = true\n[outcome."{where}"]\ncases = [{when = "hour = 1", do = ["town = where"]}, {text = "Off"}]\n'
    game = pack(tmp_path, fields=TOWNS, t=plain, c=cases)
    for table, said in (("t", "Koba; 3"), ("c", "Koba")):
        with pytest.raises(UnknownName, match="Did you mean Kobe"):
            settle(Play(game).roll(table, Hand(), outcome=said))
    with pytest.raises(UserError, match="zone must be 0 to 5, not 9"):
        settle(Play(game).roll("t", Hand(), outcome="Kobe; 9"))
    assert settle(Play(game).roll("t", Hand(), outcome="KOBE ; 3")).outcome == "kobe;3"
    play = Play(game)
    assert settle(play.roll("t", Hand(), outcome="=Koba; 3")).outcome == "koba;3"
    assert (play.state["town"], play.state["zone"]) == ("koba", 3)
    settle(play.roll("t", Hand(), outcome="iwo; 4"))
    assert play.state["town"] == "Iwo Jima"


def test_names_from_a_pack_or_a_copied_row_are_not_queried(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        fields=TOWNS,
        t='rows = {"1..3" = "old-town", "4.." = "kobe"}\n[outcome."{where}"]\ndo = ["town = where"]\n',
        u='rows = {"1.." = "go"}\noutcome.go.do = ["town = \'Old Town\'"]\n',
    )
    play = Play(game)
    assert [settle(play.roll("t", Hand([[die]]))).changes["town"][1] for die in (1, 4)] == ["old-town", "kobe"]
    assert settle(play.roll("u", Hand([[1]]))).changes["town"][1] == "Old Town"


def test_a_bare_number_is_refused_for_a_table_with_unknown_words(tmp_path: Path) -> None:
    game = pack(tmp_path, t="owner = true\n")
    with pytest.raises(UserError, match="t must be words, not 33"):
        settle(Play(game).roll("t", Hand(), outcome="33"))
    assert settle(Play(game).roll("t", Hand(), outcome="3 boxes")).outcome == "3-boxes"


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
