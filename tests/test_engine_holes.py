"""Behaviour that mutation testing found unpinned: sentences of the format, each on a small pack."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine import dice as throws
from companion.engine.play import Hand, NeedAnswer, NeedDice, NeedOutcome, Play
from companion.engine.sheet import Facts
from companion.play.mission import Mission
from companion.problems import Problem, Trouble
from tests.support import asked, holds, pack, row


@pytest.mark.parametrize("amounts", [(-4, -2), (-2, -4), (-4, 1)])
def test_of_a_group_the_worst_counts_wherever_it_stands(tmp_path: Path, amounts: tuple[int, int]) -> None:
    modifiers = "".join(f'[[modifier]]\nid = "m{add}"\nadd = {add}\ngroup = "gear"\n' for add in amounts)
    made = pack(tmp_path, t=f'rows = {{"..0" = "low", "1.." = "high"}}\n{modifiers}[[modifier]]\nadd = 1\nwhy = "x"\n')
    result = Play(made).roll("t", Hand([[3]]))
    assert (result.net, result.outcome) == (0, "low")


@pytest.mark.parametrize(("light", "net", "outcome"), [("on", 3, "bright"), ("off", 4, "dark")])
def test_a_column_that_names_modifiers_counts_no_other(tmp_path: Path, light: str, net: int, outcome: str) -> None:
    made = pack(
        tmp_path,
        t='[[column]]\nwhen = "light = on"\nmodifier = ["two"]\nrows = {3 = "bright", 4 = "wrong"}\n'
        '[[column]]\nwhen = "light = off"\nrows = {3 = "wrong", 4 = "dark"}\n'
        '[[modifier]]\nid = "one"\nadd = 1\n[[modifier]]\nid = "two"\nadd = 2\n',
    )
    result = Play(made, {"light": light}).roll("t", Hand([[1]]))
    assert (result.net, result.outcome) == (net, outcome)


@pytest.mark.parametrize(
    ("light", "rolled", "outcome"), [("on", 1, "luck"), ("on", 2, "luck"), ("on", 3, "low"), ("off", 1, "low")]
)
def test_several_natural_rolls_under_a_condition(tmp_path: Path, light: str, rolled: int, outcome: str) -> None:
    made = pack(
        tmp_path,
        t='rows = {"..9" = "low"}\n[[natural]]\nroll = [1, 2]\nwhen = "light = on"\noutcome = "luck"\n',
    )
    result = Play(made, {"light": light}).roll("t", Hand([[rolled]]))
    assert (result.outcome, result.natural) == (outcome, outcome == "luck")


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        ({"weather": "clear", "zone": 4}, "a"),  # before the column of the zone
        ({"weather": "haze"}, "b"),
        ({"weather": "rain"}, "b"),
        ({"weather": "rain", "zone": 4}, "b"),
        ({"weather": "snow", "zone": 4}, "c"),  # the zone's column comes first
        ({"weather": "snow"}, "d"),
        ({"weather": "fog", "hour": 1}, "e"),
        ({"weather": "fog"}, "f"),
        ({"weather": "storm"}, "g"),
        ({}, "g"),
    ],
)
def test_of_many_columns_the_first_that_holds_is_used(tmp_path: Path, state: dict[str, Any], outcome: str) -> None:
    conditions = (
        "weather = clear", "weather in (haze, rain)", "zone >= 3", "weather = snow", "weather = fog and hour = 1",
        "weather in (fog, snow)",
    )  # fmt: skip
    columns = "".join(
        f'[[column]]\nwhen = "{condition}"\nrows = {{"1.." = "{name}"}}\n'
        for name, condition in zip("abcdef", conditions, strict=True)
    )
    made = pack(tmp_path, t=columns + '[[column]]\nrows = {"1.." = "g"}\n')
    assert Play(made, state).roll("t", Hand([[1]])).outcome == outcome
    assert made.table("t").column(Facts(made.sheet, state)).rows.find(6) == outcome


def test_a_row_with_a_die_of_its_own_may_have_columns_and_natural_rolls(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='title = "Flak"\ncite = "4.4"\nrows = {"1.." = "burst"}\n[outcome.burst]\n'
        'title = "Where it burst"\ndice = "2D"\n'
        '[[outcome.burst.column]]\nwhen = "light = on"\nrows = {"2.." = "near"}\n'
        '[[outcome.burst.column]]\nrows = {"2.." = "far"}\n'
        '[[outcome.burst.natural]]\nroll = 12\noutcome = "dud"\n'
        '[outcome.burst.outcome.near]\ndo = ["mark zone"]\n[outcome.burst.outcome.far]\ntext = "Far off"\n',
    )
    mission = Mission(made, {"light": "on"})
    mission.roll("t", Hand([[1]]))
    assert asked(mission) == ["t.burst"]
    inner = Play(made, {"light": "on"}).roll("t.burst", Hand([[3, 4]]))
    assert (inner.title, inner.cite, inner.outcome) == ("Where it burst", "4.4", "near")
    assert inner.changes["zone"][1] == 1
    far = Play(made).roll("t.burst", Hand([[3, 4]]))
    assert (far.outcome, far.text) == ("far", "Far off")
    dud = Play(made).roll("t.burst", Hand([[6, 6]]))
    assert (dud.outcome, dud.natural) == ("dud", True)


def test_a_die_of_its_own_is_named_after_its_table_and_text(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='title = "Flak"\nrows = {1 = "hit", "2.." = "graze"}\n[outcome.hit]\ntext = "A hit"\ndice = "1D"\n'
        'rows = {"1.." = "x"}\n[outcome.graze]\ndice = "1D"\nrows = {"1.." = "x"}\n',
    )
    assert (made.table("t.hit").title, made.table("t.graze").title) == ("Flak: A hit", "Flak: graze")


@pytest.mark.parametrize(("light", "number"), [("on", 20), ("off", None)])
def test_a_case_may_be_worked_out_from_further_dice(tmp_path: Path, light: str, number: int | None) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "go"}\n[outcome.go]\ncases = [{when = "light = on", is = "1D * 10"}, '
        '{text = "Nothing"}]\n[outcome."{result}"]\ndo = ["hour = result"]\n',
    )
    mission = Mission(made, {"light": light})
    first = mission.roll("t", Hand([[1]]))[0]
    assert asked(mission) == (["t.go"] if number else [])
    assert first.text == ("" if number else "Nothing")
    if number:
        mission.roll(None, Hand([[2]]))
        assert mission.state["hour"] == number


@pytest.mark.parametrize(
    ("rows", "light", "outcome"),
    [
        ("rows = {{{}}}", "off", "second"),
        ("column = [{{rows = {{{}}}}}]", "on", "first"),
        ("column = [{{rows = {{{}}}}}]", "off", "second"),
    ],
)
def test_each_case_has_the_die_of_its_own(tmp_path: Path, rows: str, light: str, outcome: str) -> None:
    first, second = (rows.format(f'"1.." = "{name}"') for name in ("first", "second"))
    made = pack(
        tmp_path,
        t=f'rows = {{"1.." = "go"}}\n[outcome.go]\ndice = "1D"\ncases = [{{when = "light = on", {first}}}, '
        f"{{{second}}}]\n",
    )
    mission = Mission(made, {"light": light})
    mission.roll("t", Hand([[1]]))
    assert mission.roll(None, Hand([[2]]))[0].outcome == outcome


def test_a_part_with_a_hyphen_is_looked_up_and_beyond_the_rows_the_default_stands(tmp_path: Path) -> None:
    look = (
        'dice = "-"\n[[modifier]]\nadd = "hour"\nid = "h"\n[[column]]\nwhen = "light = on"\n'
        'rows = {1 = "veering", 2 = "backing"}\n[outcome."{wind-shift}"]\ntext = "The wind is {wind-shift}"\n'
    )
    made = pack(tmp_path, look=look)
    facts = [Facts(made.sheet, {"light": "on", "hour": hour}) for hour in (1, 2, 3)]
    assert [each["wind-shift"] for each in facts] == ["veering", "backing", "steady"]
    assert Facts(made.sheet, {"light": "off", "hour": 1})["wind-shift"] == "steady"
    result = Play(made, {"light": "on", "hour": 1}).roll("look", Hand())
    assert (result.outcome, result.text) == ("veering", "The wind is veering")


def test_a_question_takes_only_what_the_file_knows(tmp_path: Path) -> None:
    words = 'owner = "Which card"\n[outcome.ace]\ntext = "An ace"\n[outcome.joker]\n'
    numbers = words + '[outcome."{result}"]\ndo = ["hour = result"]\n'
    adjusted = 'owner = "How far"\nadjust = [{is = "result * 2"}]\n'
    made = pack(tmp_path, w=words, n=numbers, a=adjusted)
    assert Play(made).roll("w", Hand(), outcome="Ace").text == "An ace"
    for refused in ("king", "7"):
        with pytest.raises(Problem, match=f"cannot be {refused}"):
            Play(made).roll("w", Hand(), outcome=refused)
    assert Play(made).roll("n", Hand(), outcome="7").changes["hour"][1] == 7
    with pytest.raises(Problem, match="cannot be king"):
        Play(made).roll("n", Hand(), outcome="king")
    assert Play(made).roll("a", Hand(), outcome="7").outcome == "14"
    with pytest.raises(NeedOutcome, match="Which card"):
        Play(made).roll("w", Hand([[1, 2]]))


def test_the_file_may_say_otherwise_of_one_number(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = 3, "2.." = 4}\n[outcome."{result}"]\ndo = ["zone = result"]\n'
        '[outcome.4]\ntext = "Four is nothing"\n',
    )
    three, four = Play(made), Play(made)
    assert (three.roll("t", Hand([[1]])).text, three.state) == ("", {"zone": 3})
    assert (four.roll("t", Hand([[2]])).text, four.state) == ("Four is nothing", {})


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("side = port and hits[side] = 2", 1),
        ("side = starboard and hits[side] = 2", 0),
        ("hits[side] <= 2 and hits[side] >= 2", 1),
        ("side = starboard or hits[side] = 2", 2),
        ("side.near = left or hits[side] = 1", 1),
        ("not side = port", 1),
        ("not hits[side] = 2", 1),
        ("not (side = port and hits[side] = 2)", 1),
        ("side != port", 1),
        ("side.near in (left, right)", 2),
        ("side.room >= 3", 1),
    ],
)
def test_members_are_counted_by_what_holds_of_each(tmp_path: Path, body: str, count: int) -> None:
    made = pack(tmp_path)
    for over in (f"count side ({body})", f"count side as s ({body.replace('side', 's')})"):
        assert holds(made, f"{over} = {count}", hits__port=2)


@pytest.mark.parametrize("sign", ["=", ">="])
def test_a_number_of_the_sheet_is_compared_with_one_that_the_pack_gives_a_member(tmp_path: Path, sign: str) -> None:
    made = pack(tmp_path)
    sentence = f"some side (hits[side] {sign} side.room)"
    assert holds(made, sentence, hits__port=2) and holds(made, sentence, hits__starboard=3)
    assert not holds(made, sentence, hits__port=1, hits__starboard=2)


def test_a_fact_is_compared_with_another(tmp_path: Path) -> None:
    made = pack(tmp_path)
    sentences = ("zone = hour", "zone >= hour", "zone in (hour, 5)")
    held = [[holds(made, each, zone=zone, hour=2) for each in sentences] for zone in (1, 2, 3, 5)]
    assert held == [[False] * 3, [True] * 3, [False, True, False], [False, True, True]]


def test_a_city_may_be_a_number(tmp_path: Path) -> None:
    made = pack(tmp_path)
    cities = ("kobe", "Osaka", "Nagoya")
    assert [holds(made, "city not in ('Kobe', 'OSAKA')", city=city) for city in cities] == [False, False, True]
    for number in ("city = 7", "city = '7'"):
        assert holds(made, number, city="7") and not holds(made, number, city="8")


def test_changes_and_rolls_for_each_member_by_another_name(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark hits[s] s.room for side as s if s.near = right"]\n'
        'then = [{for = "side as s", when = "hits[s] >= 1", roll = "u", with = {side = "s"}}]\n',
        u='rows = {"1.." = "b"}\n',
    )
    play = Play(made)
    play.roll("t", Hand([[1]]))
    assert play.state == {"hits.starboard": 3}
    assert [item["roll"] for item in play.pending] == ["u"] and play.pending[0]["bind"]["side"] == "starboard"


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        ("min(5, 4)", 4),
        ("min(5, 6)", 5),
        ("max(5, 6)", 6),
        ("max(1, 2, 3)", 3),
        ("5 - 2", 3),
        ("5 -2", 3),
        ("2 - 5", -3),
        ("-5 + 2", -3),
        ("- 5", -5),
        ("--5", 5),
        ("2 * -3", -6),
        ("10 - 3 - 2", 5),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("-hour * 3", -6),
        ("half-up(5)", 3),
        ("half-down(5)", 2),
        ("half-up(4)", 2),
        ("half-down(-3)", -2),
        ("half-up(5 * 3)", 8),
        ("half-down(5 * 3)", 7),
        ("half-up(4 * 3)", 6),
        ("hour", 2),
        ("min(5, hour)", 2),
        ("max(1, hour)", 2),
        ("(5 + hour) * 2", 14),
        ("5 + (1 if hour = 3 else 0)", 5),
        ("9 if hour = 2 else 1", 9),
        ("9 if hour = 3 else 8 if hour = 2 else 7", 8),
        ("count side (yes) * 10", 20),
        ("sum side (side.room) - 1", 4),
        ("sum side (side.room if side.near = left else hour * 10)", 22),
        ("007", 7),
    ],
)
def test_a_number_is_worked_out_as_it_is_written(tmp_path: Path, expression: str, number: int) -> None:
    made = pack(tmp_path, facts=f'x = {{is = "{expression}"}}\n')
    worked = Facts(made.sheet, {"hour": 2})["x"]
    assert worked == number and isinstance(worked, int)


def test_the_work_shown_names_what_changed_and_why(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = 10}\nadjust = [{is = "result * 2", why = "doubled"}, {is = "min(50, result)", why = "cap"}, '
        '{when = "light = on", is = "99"}, {is = "result + 1"}]\n',
    )
    result = Play(made).roll("t", Hand([[1]]))
    assert result.outcome == "21"
    assert [(each.before, each.after, each.why) for each in result.steps] == [(10, 20, "doubled"), (20, 21, "")]


@pytest.mark.parametrize("word", ["0x1D", "13D", "x2D", "2 D", "D"])
def test_what_is_no_throw_is_said(tmp_path: Path, word: str) -> None:
    with pytest.raises(Trouble):
        pack(tmp_path, t=f'is = "{word}"\n').table("t")


def test_dice_are_thrown_nowhere_but_in_a_value(tmp_path: Path) -> None:
    made = pack(tmp_path, facts='luck = {is = "2D"}\n')
    with pytest.raises(Trouble, match="dice"):
        assert Facts(made.sheet)["luck"]
    for number, text in enumerate((row('do = ["zone = 2D"]'), row('then = [{roll = "t", times = "2D"}]'),
                                   'adjust = [{is = "2D"}]\nrows = {"1.." = 3}\n',
                                   'modifier = [{add = "1D"}]\nrows = {"1.." = 3}\n')):  # fmt: skip
        with pytest.raises(Trouble, match="dice"):
            Play(pack(tmp_path / str(number), t=text)).roll("t", Hand([[1]]))


def test_the_order_of_what_a_result_asks_for(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{order = "Stand by"}, {roll = "z", later = "all"}, '
        '{roll = "y", later = true}, "u", {roll = "v", times = 2}]\n',
        u='rows = {"1.." = "b"}\n',
        v='rows = {"1.." = "b"}\n',
        s='rows = {"1.." = "b"}\n[outcome.b]\nthen = ["t", "w"]\n',
        w='rows = {"1.." = "b"}\n',
    )
    mission = Mission(made, {}, [{"order": "Old order", "cite": ""}])
    mission.roll("w", Hand([[1]]))
    assert asked(mission) == ["Old order"]
    mission.roll("s", Hand([[1]]))
    assert asked(mission) == ["t", "w", "Old order"]
    mission.roll(None, Hand([[1]]))
    assert asked(mission) == ["u", "v", "v", "w", "y", "z", "Old order", "Stand by"]


def test_rows_taken_without_dice(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "u", rows = "2..4"}]\n',
        u='dice = "2D"\nrows = {"..3" = "low", "4.." = "high"}\n[[modifier]]\nadd = 5\nid = "never-counts"\n',
    )
    play = Play(made)
    play.roll("t", Hand([[1]]))
    assert [(item["roll"], item["take"]) for item in play.pending] == [("u", 2), ("u", 3), ("u", 4)]
    assert [play.roll("u", Hand(), take=row).outcome for row in (2, 3, 4)] == ["low", "low", "high"]


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
    made = pack(tmp_path, t=ONCE, u=other, v=other)
    play = Play(made)
    assert play.roll("t", Hand([[1]]), {"side": "port"}).notes == []
    assert (play.state["zone"], play.state["struck.port"], asked(play)) == (1, "wing", ["u", "v"])
    again = play.roll("t", Hand([[1]]), {"side": "port"})
    assert (play.state["zone"], again.then) == (1, ["v"])
    play.roll("t", Hand([[1]]), {"side": "starboard"})
    assert (play.state["zone"], play.state["struck.starboard"]) == (2, "wing")
    for _ in range(2):
        assert play.roll("t", Hand([[2]]), {"side": "port"}).notes == []
    assert (play.state["zone"], play.state["struck.port"]) == (4, "wing")
    assert play.roll("t", Hand([[3]]), {"side": "port"}).then == ["t.spar"]
    assert play.roll("t", Hand([[3]]), {"side": "port"}).then == []
    assert play.state["struck.port"] == "wing, spar"
    for notes, then in ((0, ["v"]), (1, [])):
        rib = play.roll("t", Hand([[4]]), {"side": "port"})
        assert (len(rib.notes), rib.then, rib.text, play.state["hour"]) == (notes, then, "A rib", 2)


def test_one_case_of_a_row_may_count_only_once(tmp_path: Path) -> None:
    made = pack(tmp_path, t=ONCE)
    play = Play(made, {"light": "on"})
    for _ in range(2):
        play.roll("t", Hand([[5]]), {"side": "port"})
    assert play.state == {"light": "on", "struck.port": "skin", "hour": 1}
    play.write({"light": "off"}, "set")
    for _ in range(2):
        play.roll("t", Hand([[5]]), {"side": "port"})
    assert (play.state["hour"], play.state["zone"]) == (1, 2)


def test_a_row_of_an_inner_die_is_remembered_beside_its_tables(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='memory = "struck[side]"\nwith = {side = "port"}\nrows = {"1.." = "spar"}\n[outcome.spar]\ndice = "1D"\n'
        'rows = {1 = "bent", "2.." = "cut"}\n[outcome.spar.outcome.bent]\nonce = true\ndo = ["mark zone"]\n'
        '[outcome.spar.outcome.cut]\ndo = ["mark hour"]\n',
    )
    play = Play(made)
    for die in (1, 1, 2, 2):
        play.roll("t.spar", Hand([[die]]))
    assert play.state == {"zone": 1, "hour": 2, "struck.port": "bent"}


def test_what_the_players_book_says_of_a_cell_is_asked_once(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        fields='"book[side]" = {values = "gear flap"}\n',
        t='rows = {1 = {ask-once = "book[side]"}, 2 = "owner", "3.." = {ask-once = "book.port"}}\n'
        '[outcome.gear]\ndo = ["mark zone"]\n[outcome.flap]\ndo = ["mark hour"]\n[outcome.other]\ndo = ["zone = 5"]\n',
    )
    play = Play(made)
    with pytest.raises(NeedOutcome):
        play.roll("t", Hand([[1]]), {"side": "port"})
    assert play.state == {}
    assert play.roll("t", Hand([[1]]), {"side": "port"}, outcome="Gear").outcome == "gear"
    assert play.state == {"zone": 1, "book.port": "gear"}
    for die in (1, 3):
        assert play.roll("t", Hand([[die]]), {"side": "port"}).outcome == "gear"
    assert play.state["zone"] == 3
    with pytest.raises(NeedOutcome):
        play.roll("t", Hand([[2]]), {"side": "port"})  # an ordinary cell of the book is asked each time
    with pytest.raises(NeedOutcome):
        play.roll("t", Hand([[1]]), {"side": "starboard"})
    play.roll("t", Hand([[1]]), {"side": "starboard"}, outcome="other")  # no word of the field: it is asked again
    assert "book.starboard" not in play.state and play.state["zone"] == 5
    with pytest.raises(NeedOutcome):
        play.roll("t", Hand([[1]]))  # about neither side
    with pytest.raises(Problem, match="give the dice and no --outcome"):
        play.roll("t", Hand([[3]]), outcome="flap")


def test_a_procedure_needs_no_dice_and_no_rows(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='text = "In zone {zone}"\ndo = ["mark zone", "mark hits[side]"]\nthen = ["u"]\n',
        u='result = "done"\ncases = [{when = "light = on", text = "Lit", do = ["mark hour"]}, {text = "Dark"}]\n',
        w='dice = "1D"\nrows = {"1.." = "a"}\n[sub.b]\ncite = "4.2"\ndo = ["mark zone 2"]\ntext = "A note"\n',
    )
    play = Play(made, {"zone": 1})
    first = play.roll("t", Hand(), {"side": "port"})
    assert (first.outcome, first.text, first.dice, first.rolled) == ("t", "In zone 1", [], None)
    assert (play.state, asked(play)) == ({"zone": 2, "hits.port": 1}, ["u"])
    assert (play.roll("u", Hand()).outcome, play.roll("u", Hand()).text) == ("done", "Dark")
    play.write({"light": "on"}, "set")
    assert (play.roll("u", Hand()).text, play.state["hour"]) == ("Lit", 1)
    note = play.roll("w.b", Hand())
    assert (note.outcome, note.text, note.cite, play.state["zone"]) == ("b", "A note", "4.2", 4)
    hand = Hand([[3, 4]])
    assert play.roll("t", hand).outcome == "t" and hand.groups == [[3, 4]]  # they are for what follows


def test_what_lasts_until_a_field_changes_ends_with_it(tmp_path: Path) -> None:
    play = Play(pack(tmp_path), {"seen": 3, "hour": 1})
    assert play.write({"hour": 1}, "set").changes == {} and play.state["seen"] == 3
    changes = play.write({"hour": 2}, "set").changes
    assert changes == {"hour": (1, 2), "seen": (3, None)} and "seen" not in play.state


def test_a_rule_follows_when_it_becomes_true_and_not_while_it_stays_so(tmp_path: Path) -> None:
    rules = '[[rule]]\nwhen = "zone >= 2"\ndo = ["mark hour"]\ntext = "Far out"\ncite = "3.1"\n' \
            '[[rule]]\non = "t"\nwhen = "light = on"\ndo = ["mark hits.port"]\nthen = ["t"]\n'  # fmt: skip
    made = pack(tmp_path, rules=rules, t='rows = {"1.." = "a"}\n')
    play = Play(made)
    assert play.write({"zone": 1}, "set").notes == []
    assert play.write({"zone": 2}, "set").notes == [("Far out", "3.1")]
    assert play.write({"zone": 3}, "set").notes == []
    assert play.state["hour"] == 1
    play.write({"zone": 0}, "set")
    play.write({"zone": 2}, "set")
    assert play.state["hour"] == 2
    play.roll("t", Hand([[1]]))
    assert "hits.port" not in play.state and play.pending == []
    play.write({"light": "on"}, "set")
    assert "hits.port" not in play.state
    play.roll("t", Hand([[1]]))
    assert (play.state["hits.port"], asked(play)) == (1, ["t"])


def test_a_column_may_have_dice_of_its_own(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='dice = "2D"\n[[column]]\nwhen = "light = on"\ndice = "1D"\nrows = {"1.." = "one"}\n'
        '[[column]]\nwhen = "light = off"\ndice = "-"\nrows = {"..1" = "none"}\n[[column]]\nrows = {"2.." = "two"}\n',
    )
    assert Play(made, {"light": "on"}).roll("t", Hand([[4]])).outcome == "one"
    assert Play(made).roll("t", Hand([[4, 5]])).outcome == "two"
    assert Play(made, {"light": "off"}).roll("t", Hand()).outcome == "none"
    with pytest.raises(Problem, match="1D is one die, but 4,5 was given"):
        Play(made, {"light": "on"}).roll("t", Hand([[4, 5]]))
    with pytest.raises(NeedDice) as need:
        Play(made).roll("t", Hand())
    assert (need.value.dice.name, need.value.dice.example()) == ("2D", "3,4")


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("clock = 6", True),
        ("clock = '6'", True),
        ("clock in (3, 6)", True),
        ("clock in (3, 12)", False),
        ("clock != 6", False),
        ("clock not in (3, 12)", True),
        ("zone in (3, 4)", True),
        ("zone in (1, 2)", False),
        ("zone != 3", False),
        ("zone = 3 and clock = 12", False),
        ("not yes", False),
        ("light = on and zone = 3 and clock = 6 and hour = 1", False),
        ("light = on and zone = 3 and clock = 6 and hour = 0", True),
        ("light = on and zone = 2 and clock = 6", False),
        ("count side (hits[side] = 1) <= 0", True),
        ("count side (hits[side] = 2) <= 0", False),
        ("count side (yes) >= 2 and count side (yes) <= 2", True),
    ],
)
def test_words_that_look_like_numbers_and_conditions_of_several_parts(
    tmp_path: Path, sentence: str, held: bool
) -> None:
    assert holds(pack(tmp_path), sentence, clock="6", zone=3, light="on", hits__port=2) is held


@pytest.mark.parametrize(("kind", "counts"), [("some", [0, 1, 2]), ("no", [2, 1, 0])])
def test_a_condition_on_members_within_another(tmp_path: Path, kind: str, counts: list[int]) -> None:
    made = pack(tmp_path)
    states: list[dict[str, Any]] = [
        {"fighter.1.type": "zeke"},
        {"fighter.1.type": "zeke", "fighter.2.type": "left"},
        {"fighter.1.type": "right", "fighter.2.type": "left"},
    ]
    for state, count in zip(states, counts, strict=True):
        assert holds(made, f"count side as s ({kind} fighter as f (fighter[f].type = s.near)) = {count}", **state)


def test_an_inner_member_of_the_same_name_is_its_own(tmp_path: Path) -> None:
    made = pack(tmp_path)
    sentence = "count side (some side (hits[side] >= 1)) = 2"
    assert holds(made, sentence, hits__port=1) and not holds(made, sentence)


def test_dice_say_how_many_they_are_and_how_they_are_typed() -> None:
    for name, given, said in (
        ("1D", [], "1D is one die, but nothing was given; type it as 3"),
        ("2D", [4], "2D is 2 dice, but 4 was given; type it as 3,4"),
        ("3D", [4, 5], "3D is 3 dice, but 4,5 was given; type it as 3,4,5"),
        ("D66", [1, 2, 3], "D66 is 2 dice, but 1,2,3 was given; type it as 3,4"),
    ):
        with pytest.raises(Problem) as problem:
            throws.parse(name).check(given)
        assert str(problem.value) == said
    throws.parse("?").check([1, 2, 3])
    assert throws.parse("-").example() == "nothing"


def test_every_reading_of_the_dice() -> None:
    assert throws.parse("-").readings() == [(0, 1)]
    assert throws.parse("1D").readings() == [(pip, 1) for pip in range(1, 7)]
    assert throws.parse("2D").readings() == [(total, 6 - abs(7 - total)) for total in range(2, 13)]
    tens = [10 * one + other for one in range(1, 7) for other in range(1, 7)]
    assert throws.parse("D66").readings() == [(reading, 1) for reading in tens]
    for name, count in (("-", 0), ("1D", 1), ("3D", 3), ("D66", 2), ("12D", 12)):
        thrown = throws.parse(name).throw(Random(1))
        assert len(thrown) == count and set(thrown) <= {1, 2, 3, 4, 5, 6}
    assert {pip for seed in range(60) for pip in throws.parse("1D").throw(Random(seed))} == {1, 2, 3, 4, 5, 6}
    for unknown in ("13D", "0D", "D", "D6", "DD"):
        with pytest.raises(Problem):
            throws.parse(unknown)


def test_groups_of_typed_dice() -> None:
    assert throws.groups("3,4/2/5") == [[3, 4], [2], [5]]
    assert throws.typed("3;4+5") == [3, 4, 5]
    assert throws.typed("642135") == [6, 4, 2, 1, 3, 5]
    for wrong in ("3//2", "3/", "/3", "13 4", "17"):
        with pytest.raises(Problem):
            throws.groups(wrong)


def test_dice_and_words_of_one_command(tmp_path: Path) -> None:
    made = pack(tmp_path, t='rows = {"1.." = "a"}\n')
    with pytest.raises(Problem, match="no --outcome"):
        Play(made).roll("t", Hand([[1]]), outcome="a")
    hand = Hand([[1], [2]])
    assert [Play(made).roll("t", hand).rolled for _ in range(2)] == [1, 2]
    with pytest.raises(NeedDice):
        Play(made).roll("t", hand)


def test_orders_by_then_for_some_and_by_cases(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", "2.." = "b"}\n[outcome.a]\nthen = [{order = "Drop the bombs", cite = "7.2", '
        'until = "zone = 5"}, {when = "light = on", roll = "t"}, {when = "light = off", order = "Light"}]\n'
        '[outcome.b]\ntext = "Beside"\ncases = [{when = "light = on", text = "Lit"}, '
        '{when = "light = off", do = ["mark zone"]}]\n',
    )
    play = Play(made, {"light": "off"})
    play.roll("t", Hand([[1]]))
    assert asked(play) == ["Drop the bombs", "Light"] and play.pending[0]["cite"] == "7.2"
    assert play.roll("t", Hand([[2]])).text == "Beside" and play.state["zone"] == 1
    play.write({"light": "on"}, "set")
    assert play.roll("t", Hand([[2]])).text == "Lit"
    neither = Play(made).roll("t", Hand([[2]]))
    assert (neither.text, neither.changes) == ("Beside", {})
    play.write({"zone": 5}, "set")
    assert asked(play) == ["Light"]


def test_what_no_book_asks_for_is_the_packs_fault(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        many=row('then = [{roll = "many", times = 1001}]'),
        far=row('then = [{roll = "many", rows = "1..2000"}]'),
        wide='rows = {"1..2000" = "a"}\n',
        odd=row('do = ["zone = nothing"]'),
    )
    for name in ("many", "far", "wide", "odd"):
        with pytest.raises(Problem):
            Play(made).roll(name, Hand([[1]]))


def test_exchanged_seats_and_numbers_at_their_limits(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", 2 = "b", "3.." = "c"}\n'
        '[outcome.a]\ndo = ["exchange hits.port, hits.starboard"]\n'
        '[outcome.b]\ndo = ["zone = 9", "erase hits.port 2"]\n'
        '[outcome.c]\ndo = ["zone = -1", "mark hits.port"]\n',
    )
    play = Play(made, {"hits.port": 3})
    assert play.roll("t", Hand([[1]])).changes == {"hits.port": (3, None), "hits.starboard": (None, 3)}
    assert play.state == {"hits.starboard": 3}
    result = play.roll("t", Hand([[2]]))
    assert play.state["zone"] == 5 and [text.partition(": ")[2] for text, _ in result.notes] == [
        "0 of 2, there is no more"
    ]
    result = play.roll("t", Hand([[3]]))
    assert (play.state["zone"], play.state["hits.port"], result.notes) == (0, 1, [])
    assert ("hits.port", 0, 1) in result.shown


def test_a_formula_starts_from_nothing_and_knows_the_roll_that_asked_for_it(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "go", "2.." = "on"}\n[[modifier]]\nid = "m"\nadd = 1\nwhen = "light = on"\n'
        '[outcome.go]\nis = "2D * hour"\n[outcome.on]\nis = "1D * 10 + net - roll"\n',
    )
    play = Play(made, {"hour": 3})
    play.roll("t", Hand([[1]]))
    asked_for = play.pending[0]
    with pytest.raises(NeedDice, match="t.go needs 2D; type the dice with --dice 3,4"):
        play.roll("t.go", Hand(), asked_for["bind"], item=asked_for)
    result = play.roll("t.go", Hand([[2], [5]]), asked_for["bind"], item=asked_for)
    assert (result.dice, result.rolled, result.net, result.outcome) == ([2, 5], 7, 21, "21")
    assert result.steps == []
    assert play.pending == []
    lit = Mission(made, {"light": "on"})
    lit.roll("t", Hand([[4]]))
    assert lit.roll(None, Hand([[6]]))[0].outcome == "61"


def test_dice_that_are_left_over_serve_the_next_formula() -> None:
    hand = Hand([[1, 2, 3], [4]])
    assert (hand.some(2), hand.some(2), hand.some(1)) == ([1, 2], [3, 4], None)
    auto = Hand([[5]], Random(1))
    assert auto.some(1) == [5] and len(auto.some(3) or []) == 3
    assert Hand([[1]], Random(1)).some(2) is None


def test_a_rule_may_call_off_what_a_row_has_just_asked_for(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        rules='[[rule]]\non = "t"\nwhen = "light = on"\ndo = ["drop fighter"]\n',
        t=row("""do = ["add fighter (type = 'zeke', fca = 2)"]\nthen = ["u", {roll = "u", with = {fighter = "1"}}]"""),
        u='rows = {"1.." = "b"}\n',
    )
    calm, lit = Play(made, {"fighter.1.type": "oscar", "slots.fighter": 1}), Play(made, {"light": "on"})
    calm.roll("t", Hand([[1]]))
    assert (calm.state["fighter.2.type"], calm.state["fighter.2.fca"], calm.state["slots.fighter"]) == ("zeke", 2, 2)
    assert [item["bind"]["fighter"] for item in calm.pending] == ["2", "1"]
    lit.roll("t", Hand([[1]]))
    assert (lit.state["fighter.1.type"], lit.pending) == ("zeke", [])


def test_one_option_for_everyone_a_column_names(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        choices='[choice.who]\ntitle = "Who fires?"\ncite = "5.6"\n[[choice.who.option]]\n'
        'for = "side, by of u"\nwhen = "side = port"\nname = "{by}"\ntext = "The {by} gunner, {side}"\n'
        """usual = "by = 'tail'"\ndo = ["city = by"]\n[[choice.who.option]]\nname = "nobody"\n""",
        u='[[column]]\nwhen = "light = on"\nrows = {1 = "nose-or-tail", 2 = "top", 3 = "tail"}\n'
        '[outcome."{one}-or-{other}"]\ntext = "One of the two"\n',
    )
    item = {"choose": "who", "bind": {}}
    options = Play(made, {"light": "on"}).options_of(item)
    assert [(each.name, each.usual) for each in options] == [
        ("tail", True), ("nose", False), ("top", False), ("nobody", False),
    ]  # fmt: skip
    assert options[1].text == "The nose gunner, port"
    assert [each.name for each in Play(made, {"light": "off"}).options_of(item)] == ["nobody"]
    play = Play(made, {"light": "on"}, [item])
    result = play.choose(item, "TOP")
    assert (play.state["city"], play.pending) == ("top", [])
    assert (result.title, result.outcome, result.cite, result.decision) == ("Who fires?", "top", "5.6", True)
    assert Play(made, {"light": "off"}, [item]).choose(item, None).outcome == "nobody"  # there is only this


def test_an_answer_to_a_question_is_written_and_rules_follow(tmp_path: Path) -> None:
    made = pack(tmp_path, rules='[[rule]]\non = "zone"\ndo = ["mark hour"]\n')
    item: dict[str, Any] = {"ask": "zone", "bind": {}}
    for state, usual in (({}, 0), ({"zone": 2}, 2)):
        with pytest.raises(NeedAnswer) as question:
            Play(made, state, [item]).put(item, None)
        assert (question.value.name, question.value.usual, question.value.label) == (
            "zone",
            usual,
            made.sheet.text("zone"),
        )
    play = Play(made, {}, [item])
    result = play.put(item, "3")
    assert (result.table, result.outcome, result.decision) == ("zone", "3", True)
    assert (play.state, play.pending) == ({"zone": 3, "hour": 1}, [])
    with pytest.raises(Problem):
        Play(made, {}, [item]).put(item, "six")


def test_steps_are_taken_until_one_asks(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        sequence='[[step]]\nid = "one"\ntitle = "First"\ncite = "2.1"\ndo = ["mark hour"]\n'
        '[[step]]\nid = "two"\nwhen = "light = on"\ndo = ["zone = 5"]\n'
        '[[step]]\nid = "three"\ntitle = "Ask"\ncite = "2.3"\ntext = "Look out"\nthen = ["t"]\n'
        '[[step]]\nid = "four"\nwhen = "hour <= 1"\ngo = "one"\n'
        '[[step]]\nid = "five"\ntitle = "Over"\norder = "Go home"\n',
        t='rows = {"1.." = "a"}\n',
    )
    play = Play(made)
    first = play.advance()
    assert first is not None and (first.table, first.title, first.cite) == ("three", "Ask", "2.3")
    assert first.notes == [("Look out", "2.3")] and first.then == ["t"]
    assert (play.state["hour"], play.state["step"], asked(play)) == (1, "three", ["t"])
    assert "zone" not in play.state
    play.pending.clear()
    play.advance()  # the fourth goes back to the first
    assert (play.state["hour"], play.state["step"], asked(play)) == (2, "three", ["t"])
    play.pending.clear()
    last = play.advance()
    assert last is not None and (play.state["step"], asked(play)) == ("end", ["Go home"])
    assert play.advance() is None


@pytest.mark.parametrize(
    ("value", "dice"),
    [("0 + 2D", 2), ("min(9, 2D)", 2), ("2D if light = on else 1D", 3), ("half-up(3D)", 3), ("-(2D)", 2), ("7", 0)],
)
def test_every_part_of_a_value_may_throw(tmp_path: Path, value: str, dice: int) -> None:
    play = Play(pack(tmp_path, t=f'is = "{value}"\n'))
    assert len(play.roll("t", Hand(rng=Random(3))).dice) == dice


def test_the_row_a_roll_lands_on_as_it_is_written(tmp_path: Path) -> None:
    rows = pack(tmp_path, t='rows = {"..3" = "a", "4..6" = "b", 7 = "c", "8.." = "d"}\n').table("t").columns[0].rows
    assert [rows.row(net) for net in (-2, 3, 4, 6, 7, 8, 20)] == ["..3", "..3", "4..6", "4..6", "7", "8..", "8.."]
    assert list(rows.results()) == ["a", "b", "c", "d"]


def test_a_note_that_is_a_table_of_the_players_book(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='cite = "4.1"\nrows = {"1.." = "a"}\n[sub.b]\nowner = true\ncite = "4.2"\nwith = {side = "port"}\n'
        '[sub.b.outcome.hit]\ndo = ["mark hits[side]"]\n',
    )
    with pytest.raises(NeedOutcome) as need:
        Play(made).roll("t.b", Hand([[1, 2]]))
    assert need.value.options == ["hit"] and need.value.net == 3
    play = Play(made)
    assert play.roll("t.b", Hand(), outcome="hit").cite == "4.2" and play.state == {"hits.port": 1}
