"""Behaviour that mutation testing found unpinned: sentences of the format, each on a small pack."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine import dice as throws
from companion.engine.conditions import compile_condition
from companion.engine.play import Hand, NeedAnswer, NeedDice, NeedOutcome, Play
from companion.engine.steps import Steps
from companion.mission import Mission
from companion.packs import Pack
from companion.problems import Problem, Trouble
from companion.sheet import Facts

SHEET = """
[index]
fighter = {count = 2, present = "type"}
[index.side]
port = {near = "left", room = 2}
starboard = {near = "right", room = 3}
[field.zone]
kind = "count"
limit = 5
[field.light]
kind = "choice"
values = ["on", "off"]
[field.weather]
kind = "choice"
values = ["clear", "haze", "rain", "snow", "fog", "storm"]
[field.city]
[field.step]
[field.hour]
kind = "count"
[field.seen]
kind = "count"
until = "hour"
[field.clock]
kind = "choice"
values = ["3", "6", "12"]
[field."hits.{side}"]
kind = "boxes"
limit = 4
[field."struck.{side}"]
kind = "list"
[field."slots.fighter"]
kind = "count"
[field."fighter.{fighter}.type"]
[field."fighter.{fighter}.fca"]
kind = "count"
[derive.wind-shift]
table = "look"
part = "wind-shift"
default = "steady"
"""


def pack(folder: Path, **tables: str) -> Pack:
    """A pack with these tables; `t` is dice 1D unless it says otherwise."""
    (folder / "pack.toml").write_text('title = "Holes"\n')
    (folder / "sheet.toml").write_text(SHEET)
    (folder / "look.toml").write_text('id = "look"\ndice = "-"\nrows = {"0" = "calm"}\n')
    for name, text in tables.items():
        head = "" if name in ("rules", "choices", "sequence") else f'id = "{name}"\n'
        dice = "" if head == "" or "dice = " in text.partition("[")[0] or "owner = " in text else 'dice = "1D"\n'
        (folder / f"{name}.toml").write_text(head + dice + text)
    return Pack("holes", [folder])


def asked(mission: Mission | Play) -> list[Any]:
    """What is pending, in order: names of tables, choices, questions and orders."""
    return [item.get("roll") or item.get("choose") or item.get("ask") or item.get("order") for item in mission.pending]


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
        t='[[column]]\nwhen = {light = "on"}\nmodifiers = ["two"]\nrows = {3 = "bright", 4 = "wrong"}\n'
        '[[column]]\nwhen = {light = "off"}\nrows = {3 = "wrong", 4 = "dark"}\n'
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
        t='rows = {"..9" = "low"}\n[[natural]]\nroll = [1, 2]\nwhen = {light = "on"}\noutcome = "luck"\n',
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
        'weather = "clear"', 'weather = ["haze", "rain"]', "zone = {min = 3}", 'weather = "snow"',
        'weather = "fog", hour = 1', 'weather = ["fog", "snow"]',
    )  # fmt: skip
    columns = "".join(
        f'[[column]]\nwhen = {{{condition}}}\nrows = {{"1.." = "{name}"}}\n'
        for name, condition in zip("abcdef", conditions, strict=True)
    )
    made = pack(tmp_path, t=columns + '[[column]]\nrows = {"1.." = "g"}\n')
    assert Play(made, state).roll("t", Hand([[1]])).outcome == outcome
    assert made.table("t").column(Facts(made.sheet, state)).rows.find(6) == outcome


def test_a_row_with_a_die_of_its_own_may_have_columns_and_natural_rolls(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='title = "Flak"\ncite = "4.4"\nrows = {"1.." = "burst"}\n[outcome.burst]\n'
        'title = "Where it burst"\nroll = "2D"\n'
        '[[outcome.burst.column]]\nwhen = {light = "on"}\nrows = {"2.." = "near"}\n'
        '[[outcome.burst.column]]\nrows = {"2.." = "far"}\n'
        '[[outcome.burst.natural]]\nroll = 12\noutcome = "dud"\n'
        '[outcome.burst.near]\neffects = [{mark = "zone"}]\n[outcome.burst.far]\ntext = "Far off"\n',
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
        t='title = "Flak"\nrows = {1 = "hit", "2.." = "graze"}\n[outcome.hit]\ntext = "A hit"\nroll = "1D"\n'
        'rows = {"1.." = "x"}\n[outcome.graze]\nroll = "1D"\nrows = {"1.." = "x"}\n',
    )
    assert (made.table("t.hit").title, made.table("t.graze").title) == ("Flak: A hit", "Flak: graze")


@pytest.mark.parametrize(("light", "number"), [("on", 20), ("off", None)])
def test_a_case_may_be_worked_out_from_further_dice(tmp_path: Path, light: str, number: int | None) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "go"}\n[outcome.go]\ncases = [{when = {light = "on"}, value = ["1D", {times = 10}]}, '
        '{text = "Nothing"}]\n[number]\neffects = [{set = "hour", to = "{result}"}]\n',
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
        t=f'rows = {{"1.." = "go"}}\n[outcome.go]\nroll = "1D"\ncases = [{{when = {{light = "on"}}, {first}}}, '
        f"{{{second}}}]\n",
    )
    mission = Mission(made, {"light": light})
    mission.roll("t", Hand([[1]]))
    assert mission.roll(None, Hand([[2]]))[0].outcome == outcome


def test_a_part_with_a_hyphen_is_looked_up_and_beyond_the_rows_the_default_stands(tmp_path: Path) -> None:
    look = (
        'dice = "-"\n[[modifier]]\nper = "hour"\nadd = 1\nid = "h"\n[[column]]\nwhen = {light = "on"}\n'
        'rows = {1 = "veering", 2 = "backing"}\n[outcome."{wind-shift}"]\ntext = "The wind is {wind-shift}"\n'
    )
    made = pack(tmp_path, look=look)
    facts = [Facts(made.sheet, {"light": "on", "hour": hour}) for hour in (1, 2, 3)]
    assert [each["wind-shift"] for each in facts] == ["veering", "backing", "steady"]
    assert Facts(made.sheet, {"light": "off", "hour": 1})["wind-shift"] == "steady"
    result = Play(made, {"light": "on", "hour": 1}).roll("look", Hand())
    assert (result.outcome, result.text) == ("veering", "The wind is veering")


def test_a_question_takes_only_what_the_file_knows(tmp_path: Path) -> None:
    words = 'owner = true\nquestion = "Which card"\n[outcome.ace]\ntext = "An ace"\n[outcome.joker]\n'
    numbers = words + '[number]\neffects = [{set = "hour", to = "{result}"}]\n'
    adjusted = 'owner = true\nquestion = "How far"\nadjust = [{times = 2}]\n'
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
        t='rows = {1 = 3, "2.." = 4}\n[number]\neffects = [{set = "zone", to = "{result}"}]\n'
        '[outcome.4]\ntext = "Four is nothing"\n',
    )
    three, four = Play(made), Play(made)
    assert (three.roll("t", Hand([[1]])).text, three.state) == ("", {"zone": 3})
    assert (four.roll("t", Hand([[2]])).text, four.state) == ("Four is nothing", {})


@pytest.mark.parametrize(
    ("where", "count"),
    [
        ({"all": [{"side": "port"}, {"hits.{side}": 2}]}, 1),
        ({"all": [{"side": "starboard"}, {"hits.{side}": 2}]}, 0),
        ({"all": [{"hits.{side}": {"max": 2}}, {"hits.{side}": {"min": 2}}]}, 1),
        ({"any": [{"side": "starboard"}, {"hits.{side}": 2}]}, 2),
        ({"any": [{"side.near": "left"}, {"hits.{side}": 1}]}, 1),
        ({"not": {"side": "port"}}, 1),
        ({"not": {"hits.{side}": 2}}, 1),
        ({"not": {"side": "port", "hits.{side}": 2}}, 1),
        ({"side": {"not": "port"}}, 1),
        ({"side.near": ["left", "right"]}, 2),
        ({"side.room": {"min": 3}}, 1),
    ],
)
def test_members_are_counted_by_what_holds_of_each(tmp_path: Path, where: dict[str, Any], count: int) -> None:
    made = pack(tmp_path)
    facts = Facts(made.sheet, {"hits.port": 2})
    for name in ("side", "s"):
        spec = {"each": "side", "as": name, "where": renamed(where, name), "is": count}
        test = compile_condition({"count": spec}, made.sheet)
        assert test is not None and test(facts)


def renamed(part: Any, name: str) -> Any:
    """The same condition with the member called otherwise."""
    if isinstance(part, dict):
        keys = {key: key.replace("{side}", f"{{{name}}}") for key in part}
        keys |= {key: name + key.removeprefix("side") for key in part if key.partition(".")[0] == "side"}
        return {keys[key]: renamed(value, name) for key, value in part.items()}
    return [renamed(each, name) for each in part] if isinstance(part, list) else part


@pytest.mark.parametrize("wanted", ["{side.room}", {"min": "{side.room}"}])
def test_a_number_of_the_sheet_is_compared_with_one_that_the_pack_gives_a_member(tmp_path: Path, wanted: Any) -> None:
    made = pack(tmp_path)
    test = compile_condition({"some": {"each": "side", "where": {"hits.{side}": wanted}}}, made.sheet)
    assert test is not None
    assert test(Facts(made.sheet, {"hits.port": 2})) and test(Facts(made.sheet, {"hits.starboard": 3}))
    assert not test(Facts(made.sheet, {"hits.port": 1, "hits.starboard": 2}))


def test_a_fact_is_compared_with_another(tmp_path: Path) -> None:
    made = pack(tmp_path)
    same = compile_condition({"zone": "{hour}"}, made.sheet)
    above = compile_condition({"zone": {"min": "{hour}"}}, made.sheet)
    either = compile_condition({"zone": ["{hour}", 5]}, made.sheet)
    assert same is not None and above is not None and either is not None
    held = [
        [test(Facts(made.sheet, {"zone": zone, "hour": 2})) for test in (same, above, either)] for zone in (1, 2, 3, 5)
    ]
    assert held == [[False] * 3, [True] * 3, [False, True, False], [False, True, True]]


def test_a_city_may_be_a_number(tmp_path: Path) -> None:
    made = pack(tmp_path)
    test = compile_condition({"city": {"not": ["Kobe", "OSAKA"]}}, made.sheet)
    number = compile_condition({"city": 7}, made.sheet)
    assert test is not None and number is not None
    assert [test(Facts(made.sheet, {"city": city})) for city in ("kobe", "Osaka", "Nagoya")] == [False, False, True]
    assert number(Facts(made.sheet, {"city": "7"})) and not number(Facts(made.sheet, {"city": "8"}))


def test_effects_and_rolls_for_each_member_by_another_name(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\neffects = [{each = "side", as = "s", where = {"s.near" = "right"}, '
        'mark = "hits.{s}", n = "{s.room}"}]\n'
        'then = [{each = "side", as = "s", where = {"hits.{s}" = {min = 1}}, roll = "u", bind = {side = "{s}"}}]\n',
        u='rows = {"1.." = "b"}\n',
    )
    play = Play(made)
    play.roll("t", Hand([[1]]))
    assert play.state == {"hits.starboard": 3}
    assert [item["roll"] for item in play.pending] == ["u"] and play.pending[0]["bind"]["side"] == "starboard"


@pytest.mark.parametrize(
    ("steps", "number"),
    [
        ([5, {"max": 4}], 4),
        ([5, {"max": 6}], 5),
        ([5, {"min": 6}], 6),
        ([5, {"less": 2}], 3),
        ([5, {"halve": "up"}], 3),
        ([5, {"halve": "down"}], 2),
        ([5, {"half-again": "up"}], 8),
        ([5, {"half-again": "down"}], 7),
        ([4, {"half-again": "up"}], 6),
        ([5, {"is": 9}], 9),
        ([5, {"is": "{hour}"}], 2),
        ([5, {"max": "{hour}"}], 2),
        ([1, {"min": "{hour}"}], 2),
        ([5, {"add": "{hour}", "times": 2}], 14),
        (["{hour}"], 2),
        ([5, {"when": {"hour": 3}, "add": 1}], 5),
    ],
)
def test_each_step_by_itself(tmp_path: Path, steps: list[Any], number: int) -> None:
    made = pack(tmp_path)
    assert Steps(steps, made.sheet).work(0, Facts(made.sheet, {"hour": 2}))[0] == number


def test_the_work_shown_names_what_changed_and_why(tmp_path: Path) -> None:
    made = pack(tmp_path)
    steps = Steps([{"times": 2, "why": "doubled"}, {"max": 50, "why": "cap"}, {"add": 1}], made.sheet)
    number, changes = steps.work(10, Facts(made.sheet))
    assert number == 21
    assert [(each.before, each.after, each.why) for each in changes] == [(10, 20, "doubled"), (20, 21, "")]


@pytest.mark.parametrize("word", ["0x1D", "13D", "x2D", "2 D"])
def test_a_step_that_is_no_throw_and_a_throw_without_dice(tmp_path: Path, word: str) -> None:
    made = pack(tmp_path)
    with pytest.raises(Trouble, match="no dice are thrown"):
        Steps(["2D"], made.sheet).work(0, Facts(made.sheet))
    if word != "x2D":
        assert Steps([word], made.sheet).dice() == 0


def test_the_order_of_what_a_result_asks_for(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{order = "Stand by"}, {roll = "z", last = true}, '
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
        t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{roll = "u", take = "2..4"}]\n',
        u='dice = "2D"\nrows = {"..3" = "low", "4.." = "high"}\n[[modifier]]\nadd = 5\nid = "never-counts"\n',
    )
    play = Play(made)
    play.roll("t", Hand([[1]]))
    assert [(item["roll"], item["take"]) for item in play.pending] == [("u", 2), ("u", 3), ("u", 4)]
    assert [play.roll("u", Hand(), take=row).outcome for row in (2, 3, 4)] == ["low", "low", "high"]


ONCE = """
once = "struck.{side}"
rows = {1 = "wing", 2 = "tail", "3.." = "spar"}
[outcome.wing]
effects = [{mark = "zone"}]
then = ["u", {roll = "v", always = true}]
[outcome.tail]
repeat = true
effects = [{mark = "zone"}]
[outcome.spar]
roll = "1D"
rows = {"1.." = "bent"}
"""


def test_a_row_rolled_before_does_nothing_more(tmp_path: Path) -> None:
    other = 'rows = {"1.." = "b"}\n'
    made = pack(tmp_path, t=ONCE, u=other, v=other)
    play = Play(made)
    assert play.roll("t", Hand([[1]]), {"side": "port"}).notes == []
    assert (play.state["zone"], play.state["struck.port"], asked(play)) == (1, "wing", ["u", "v"])
    again = play.roll("t", Hand([[1]]), {"side": "port"})
    assert (play.state["zone"], len(again.notes), again.then) == (1, 1, ["v"])
    play.roll("t", Hand([[1]]), {"side": "starboard"})
    assert (play.state["zone"], play.state["struck.starboard"]) == (2, "wing")
    for _ in range(2):
        assert play.roll("t", Hand([[2]]), {"side": "port"}).notes == []
    assert (play.state["zone"], play.state["struck.port"]) == (4, "wing")
    assert play.roll("t", Hand([[3]]), {"side": "port"}).then == ["t.spar"]
    assert play.roll("t", Hand([[3]]), {"side": "port"}).then == []
    assert play.state["struck.port"] == "wing, spar"


def test_what_lasts_until_a_field_changes_ends_with_it(tmp_path: Path) -> None:
    play = Play(pack(tmp_path), {"seen": 3, "hour": 1})
    assert play.write({"hour": 1}, "set").changes == {} and play.state["seen"] == 3
    changes = play.write({"hour": 2}, "set").changes
    assert changes == {"hour": (1, 2), "seen": (3, None)} and "seen" not in play.state


def test_a_rule_follows_when_it_becomes_true_and_not_while_it_stays_so(tmp_path: Path) -> None:
    rules = '[[rule]]\nwhen = {zone = {min = 2}}\neffects = [{mark = "hour"}]\ntext = "Far out"\ncite = "3.1"\n' \
            '[[rule]]\non = "t"\nwhen = {light = "on"}\neffects = [{mark = "hits.port"}]\nthen = ["t"]\n'  # fmt: skip
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
        t='dice = "2D"\n[[column]]\nwhen = {light = "on"}\ndice = "1D"\nrows = {"1.." = "one"}\n'
        '[[column]]\nwhen = {light = "off"}\ndice = "-"\nrows = {"..1" = "none"}\n[[column]]\nrows = {"2.." = "two"}\n',
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
    ("condition", "held"),
    [
        ({"clock": 6}, True),
        ({"clock": "6"}, True),
        ({"clock": [3, 6]}, True),
        ({"clock": [3, 12]}, False),
        ({"clock": {"not": 6}}, False),
        ({"clock": {"not": [3, 12]}}, True),
        ({"zone": [3, 4]}, True),
        ({"zone": [1, 2]}, False),
        ({"zone": {"not": 3}}, False),
        ({"all": [{"zone": 3}, {"clock": 12}]}, False),
        ({"not": {}}, False),
        ({"light": "on", "zone": 3, "clock": 6, "hour": 1}, False),
        ({"light": "on", "zone": 3, "clock": 6, "hour": 0}, True),
        ({"light": "on", "zone": 2, "clock": 6}, False),
        ({"count": {"each": "side", "max": 0, "where": {"hits.{side}": 1}}}, True),
        ({"count": {"each": "side", "max": 0, "where": {"hits.{side}": 2}}}, False),
        ({"count": {"each": "side", "min": 2, "max": 2}}, True),
    ],
)
def test_words_that_look_like_numbers_and_conditions_of_several_parts(
    tmp_path: Path, condition: dict[str, Any], held: bool
) -> None:
    made = pack(tmp_path)
    test = compile_condition(condition, made.sheet)
    facts = Facts(made.sheet, {"clock": "6", "zone": 3, "light": "on", "hits.port": 2})
    assert test is not None and test(facts) is held


@pytest.mark.parametrize(("kind", "counts"), [("some", [0, 1, 2]), ("none", [2, 1, 0])])
def test_a_condition_on_members_within_another(tmp_path: Path, kind: str, counts: list[int]) -> None:
    made = pack(tmp_path)
    inner = {"each": "fighter", "as": "f", "where": {"fighter.{f}.type": "{s.near}"}}
    states: list[dict[str, Any]] = [
        {"fighter.1.type": "zeke"},
        {"fighter.1.type": "zeke", "fighter.2.type": "left"},
        {"fighter.1.type": "right", "fighter.2.type": "left"},
    ]
    for state, count in zip(states, counts, strict=True):
        test = compile_condition(
            {"count": {"each": "side", "as": "s", "where": {kind: inner}, "is": count}}, made.sheet
        )
        assert test is not None and test(Facts(made.sheet, state))


def test_an_inner_member_of_the_same_name_is_its_own(tmp_path: Path) -> None:
    made = pack(tmp_path)
    within = {"some": {"each": "side", "where": {"hits.{side}": {"min": 1}}}}
    test = compile_condition({"count": {"each": "side", "where": within, "is": 2}}, made.sheet)
    assert test is not None
    assert test(Facts(made.sheet, {"hits.port": 1})) and not test(Facts(made.sheet))


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


def test_orders_by_effect_by_then_for_some_and_by_cases(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", "2.." = "b"}\n[outcome.a]\neffects = [{order = "Drop the bombs", cite = "7.2", '
        'done = {zone = 5}}]\nthen = [{when = {light = "on"}, roll = "t"}, {when = {light = "off"}, order = "Light"}]\n'
        '[outcome.b]\ntext = "Beside"\ncases = [{when = {light = "on"}, text = "Lit"}, '
        '{when = {light = "off"}, effects = [{mark = "zone"}]}]\n',
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
    rows = 'rows = {"1.." = "a"}\n[outcome.a]\n'
    made = pack(
        tmp_path,
        many=rows + 'then = [{roll = "many", times = 1001}]\n',
        far=rows + 'then = [{roll = "many", take = "1..2000"}]\n',
        wide='rows = {"1..2000" = "a"}\n',
        odd=rows + 'effects = [{set = "zone", to = "{nothing}"}]\n',
    )
    for name in ("many", "far", "wide", "odd"):
        with pytest.raises(Problem):
            Play(made).roll(name, Hand([[1]]))


def test_swapped_seats_and_numbers_at_their_limits(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", 2 = "b", "3.." = "c"}\n'
        '[outcome.a]\neffects = [{swap = "hits.port", with = "hits.starboard"}]\n'
        '[outcome.b]\neffects = [{set = "zone", to = 9}, {erase = "hits.port", n = 2}]\n'
        '[outcome.c]\neffects = [{set = "zone", to = -1}, {mark = "hits.port"}]\n',
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
        t='rows = {1 = "go", "2.." = "on"}\n[[modifier]]\nid = "m"\nadd = 1\nwhen = {light = "on"}\n'
        '[outcome.go]\nvalue = ["2D", {times = "{hour}", why = "the hour"}]\n'
        '[outcome.on]\nvalue = ["1D", {times = 10}, {add = "{net}"}, {less = "{roll}"}]\n',
    )
    play = Play(made, {"hour": 3})
    play.roll("t", Hand([[1]]))
    asked_for = play.pending[0]
    with pytest.raises(NeedDice, match="t.go needs 2D; type the dice with --dice 3,4"):
        play.roll("t.go", Hand(), asked_for["bind"], item=asked_for)
    result = play.roll("t.go", Hand([[2], [5]]), asked_for["bind"], item=asked_for)
    assert (result.dice, result.rolled, result.net, result.outcome) == ([2, 5], 7, 21, "21")
    assert [(each.before, each.after, each.why) for each in result.steps] == [(7, 21, "the hour")]
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
        rules='[[rule]]\non = "t"\nwhen = {light = "on"}\neffects = [{drop = "fighter"}]\n',
        t='rows = {"1.." = "a"}\n[outcome.a]\neffects = [{add = "fighter", set = {type = "zeke", fca = 2}}]\n'
        'then = ["u", {roll = "u", bind = {fighter = "1"}}]\n',
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
        choices='[choice.who]\ntitle = "Who fires?"\ncite = "5.6"\nusual = ["tail"]\n[[choice.who.option]]\n'
        'name = "{by}"\ntext = "The {by} gunner"\nof = {table = "u", as = "by"}\n'
        'effects = [{set = "city", to = "{by}"}]\n[[choice.who.option]]\nname = "nobody"\n',
        u='[[column]]\nwhen = {light = "on"}\nrows = {1 = "nose-or-tail", 2 = "top", 3 = "tail"}\n'
        '[outcome."{one}-or-{other}"]\ntext = "One of the two"\n',
    )
    item = {"choose": "who", "bind": {}}
    options = Play(made, {"light": "on"}).options_of(item)
    assert [(each.name, each.usual) for each in options] == [
        ("tail", True), ("nose", False), ("top", False), ("nobody", False),
    ]  # fmt: skip
    assert options[1].text == "The nose gunner"
    assert [each.name for each in Play(made, {"light": "off"}).options_of(item)] == ["nobody"]
    play = Play(made, {"light": "on"}, [item])
    result = play.choose(item, "TOP")
    assert (play.state["city"], play.pending) == ("top", [])
    assert (result.title, result.outcome, result.cite, result.decision) == ("Who fires?", "top", "5.6", True)
    assert Play(made, {"light": "off"}, [item]).choose(item, None).outcome == "nobody"  # there is only this


def test_an_answer_to_a_question_is_written_and_rules_follow(tmp_path: Path) -> None:
    made = pack(tmp_path, rules='[[rule]]\non = "zone"\neffects = [{mark = "hour"}]\n')
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
        sequence='[[step]]\nid = "one"\ntitle = "First"\ncite = "2.1"\neffects = [{mark = "hour"}]\n'
        '[[step]]\nid = "two"\nwhen = {light = "on"}\neffects = [{set = "zone", to = 5}]\n'
        '[[step]]\nid = "three"\ntitle = "Ask"\ncite = "2.3"\ntext = "Look out"\nthen = ["t"]\n'
        '[[step]]\nid = "four"\nwhen = {hour = {max = 1}}\ngo = "one"\n'
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


@pytest.mark.parametrize("operation", ["add", "is", "max"])
def test_every_operation_of_a_formula_may_throw(tmp_path: Path, operation: str) -> None:
    steps = Steps([9 if operation == "max" else 0, {operation: "2D"}], pack(tmp_path).sheet)
    assert steps.dice() == 2


def test_the_row_a_roll_lands_on_as_it_is_written(tmp_path: Path) -> None:
    rows = pack(tmp_path, t='rows = {"..3" = "a", "4..6" = "b", 7 = "c", "8.." = "d"}\n').table("t").columns[0].rows
    assert [rows.row(net) for net in (-2, 3, 4, 6, 7, 8, 20)] == ["..3", "..3", "4..6", "4..6", "7", "8..", "8.."]
    assert list(rows.results()) == ["a", "b", "c", "d"]


def test_a_note_that_is_a_table_of_the_players_book(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='cite = "4.1"\nrows = {"1.." = "a"}\n[sub.b]\nowner = true\ncite = "4.2"\nbind = {side = "port"}\n'
        '[sub.b.outcome.hit]\neffects = [{mark = "hits.{side}"}]\n',
    )
    with pytest.raises(NeedOutcome) as need:
        Play(made).roll("t.b", Hand([[1, 2]]))
    assert need.value.options == ["hit"] and need.value.net == 3
    play = Play(made)
    assert play.roll("t.b", Hand(), outcome="hit").cite == "4.2" and play.state == {"hits.port": 1}
