"""More behaviour that mutation testing found unpinned: patches, fighters, rules, choices, odds, on small packs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.engine.needs import Hand, NeedAnswer, NeedChoice, NeedDice, NeedOutcome
from companion.engine.odds import Chain, branches, odds
from companion.engine.play import Play
from companion.engine.sheet import Facts, NeedFact, Value
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import Problem, Trouble
from tests.support import asked, holds, pack, row

ROW = 'rows = {"1.." = "b"}\n'
LATE = 'late = {is = "zone >= 3"}\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{city}/{clock}", "clock/6"),
        ("{city}{clock}", "clock6"),
        ("At {clock} over {city}!", "At 6 over clock!"),
        ("{city if zone = 1 else clock}", "6"),
        ("At {clock} o'clock, 100% {zone + 1}", "At 6 o'clock, 100% 1"),
        ("%s %(city)s %d", "%s %(city)s %d"),
    ],
)
def test_every_hole_of_a_text_is_filled(tmp_path: Path, text: str, said: str) -> None:
    made = pack(tmp_path, t=f'rows = {{"1.." = "a"}}\n[outcome.a]\ntext = "{text}"\n')
    assert Play(made, {"city": "clock", "clock": "6"}).roll("t", Hand([[1]])).text == said


def test_a_die_of_its_own_has_the_bindings_and_the_memory_of_its_table(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='memory = "struck[side]"\nwith = {side = "port"}\nrows = {"1.." = "spar"}\n[outcome.spar]\n'
        'dice = "1D"\nrows = {1 = "bent", "2.." = "cut"}\n[outcome.spar.outcome.bent]\nonce = true\n'
        'do = ["mark hits[side]"]\n[outcome.spar.outcome.cut]\nonce = true\ndo = ["mark hits[side] 2"]\n',
    )
    play = Play(made)
    known = [play.roll("t.spar", Hand([[die]])).notes != [] for die in (1, 1, 2, 1, 3)]
    assert known == [False, True, False, True, True]
    assert play.state == {"hits.port": 3, "struck.port": "bent, cut"}
    mission = Mission(made)
    mission.roll("t", Hand([[1], [1]]))
    mission.roll("t", Hand([[1], [1]]))
    assert mission.state == {"hits.port": 1, "struck.port": "bent"}
    play.roll("t.spar", Hand([[1]]), {"side": "starboard"})  # what the pending item says counts over the table
    assert play.state["hits.starboard"] == 1


def test_a_modifier_without_a_number_adds_one_and_is_named_by_its_reason(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='[[column]]\nmodifier = ["searchlight"]\nrows = {"..3" = "low", "4.." = "high"}\n'
        '[[modifier]]\nwhy = "searchlight"\n[[modifier]]\nid = "moon"\nadd = 5\nwhy = "moon"\n',
    )
    result = Play(made).roll("t", Hand([[3]]))
    assert (result.net, result.outcome) == (4, "high")
    assert [(each.add, each.why) for each in result.applied] == [(1, "searchlight")]


@pytest.mark.parametrize(
    ("value", "dice", "outcome"),
    [
        ("1D * 2", [4], "8"),
        ("3", [], "3"),
        ("max(0, -3)", [], "0"),
        ("0 * 5", [], "0"),
        ("min(0, 1D) + 1D", [2, 5], "5"),
        ("2D - 1D", [2, 5, 3], "4"),
        ("max(1D, 2D)", [2, 1, 3], "4"),
        ("1D * 1D * 0 + 1D", [2, 5, 6], "6"),
    ],
)
def test_a_formula_may_begin_with_anything(tmp_path: Path, value: str, dice: list[int], outcome: str) -> None:
    made = pack(tmp_path, t=row(f'is = "{value}"'))
    assert Play(made).roll("t.a", Hand([dice])).outcome == outcome


def test_a_rule_may_wait_for_a_decision(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        rules='[[rule]]\non = "who"\ndo = ["mark hour"]\ntext = "Decided"\n',
        choices='[choice.who]\ntitle = "Who?"\n[[choice.who.option]]\nname = "me"\n'
        '[[choice.who.option]]\nname = "you"\n',
    )
    item = {"choose": "who", "bind": {}}
    play = Play(made, {}, [item])
    result = play.choose(item, "me")
    assert (play.state, play.pending, result.notes) == ({"hour": 1}, [], [("Decided", "")])


def test_a_new_fighter_is_the_one_that_later_changes_mean(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t=row(
            """do = ["add fighter (type = 'zeke')", "fighter[fighter].fca = 2", "mark fighter.fca"]\nthen = ["u"]\n"""
        ),
        u='rows = {"1.." = "b"}\n[outcome.b]\ndo = ["mark fighter.fca"]\n',
    )
    before: dict[str, Value] = {"fighter.1.type": "oscar", "fighter.1.fca": 1, "slots.fighter": 1}
    mission = Mission(made, dict(before), [{"roll": "t", "bind": {"fighter": "1"}}])
    mission.roll(None, Hand([[1]]))
    assert {key: value for key, value in mission.state.items() if key not in before} == {
        "fighter.2.type": "zeke",
        "fighter.2.fca": 3,
    }
    assert (mission.state["fighter.1.fca"], mission.state["slots.fighter"]) == (1, 2)
    mission.roll(None, Hand([[1]]))
    mission.roll("u", Hand([[1]]), {"fighter": "1"})
    assert (mission.state["fighter.1.fca"], mission.state["fighter.2.fca"]) == (2, 4)


def test_each_of_several_fighters_of_a_row_has_what_follows_for_itself(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = ["zeke@6", "oscar@12"]}\n[outcome."{type}@{clock}"]\n'
        'do = ["add fighter (type = type)", "mark fighter[fighter].fca clock"]\nthen = ["u"]\n',
        u=ROW,
    )
    play = Play(made)
    assert play.roll("t", Hand([[1]])).outcome == "zeke@6;oscar@12"
    assert play.state == {
        "slots.fighter": 2,
        "fighter.1.type": "zeke",
        "fighter.1.fca": 6,
        "fighter.2.type": "oscar",
        "fighter.2.fca": 12,
    }
    assert [(item["roll"], item["bind"]["fighter"]) for item in play.pending] == [("u", "1"), ("u", "2")]


def test_the_companion_throws_two_dice_where_only_the_book_knows_which(tmp_path: Path) -> None:
    made = pack(tmp_path, t='owner = true\n[outcome.down]\ndo = ["mark zone"]\n')
    for seed in range(20):
        with pytest.raises(NeedOutcome) as need:
            Play(made).roll("t", Hand(rng=Random(seed)))
        assert len(need.value.dice) == 2 and set(need.value.dice) <= {1, 2, 3, 4, 5, 6}
        assert need.value.net == sum(need.value.dice)
    play = Play(made)
    result = play.roll("t", Hand(rng=Random(1)), outcome="down")
    assert len(result.dice) == 2 and result.rolled == sum(result.dice)
    assert (result.outcome, play.state) == ("down", {"zone": 1})


def test_for_each_member_a_fighter_and_one_without_a_word(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", "2.." = "b"}\n[outcome.a]\n'
        'do = ["add fighter (type = side) for side if side.near = right"]\nthen = ["u"]\n[outcome.b]\n'
        """do = ["add fighter ()", "fighter[fighter].type = 'oscar'"]\nthen = ["u"]\n""",
        u=ROW,
    )
    play = Play(made)
    play.roll("t", Hand([[1]]))
    play.roll("t", Hand([[2]]))
    assert play.state == {"slots.fighter": 2, "fighter.1.type": "starboard", "fighter.2.type": "oscar"}
    assert [item["bind"]["fighter"] for item in play.pending] == ["2", "1"]


def test_what_a_command_bound_is_bound_no_longer_in_the_next(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t=row("""do = ["add fighter (type = 'zeke')"]"""),
        u='rows = {"1.." = "b"}\n[outcome.b]\ndo = ["mark fighter.fca"]\n',
    )
    mission = Mission(made)
    mission.roll("t", Hand([[1]]))
    mission.roll("u", Hand([[1]]))  # the only one is meant
    mission.roll("t", Hand([[1]]))
    assert mission.roll("u", Hand([[1]]))[0].changes == {}  # of two nobody has said which
    assert mission.roll("u", Hand([[1]]), {"fighter": "2"})[0].changes == {"fighter.2.fca": (None, 1)}
    assert mission.roll("u", Hand([[1]]))[0].changes == {}


def test_to_call_off_a_fighters_rolls_leaves_orders_alone(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        rules='[[rule]]\non = "zone"\norder = "Look out"\ndo = ["drop fighter"]\n',
        t='rows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark zone"]\nthen = ["u"]\n',
        u=ROW,
    )
    play = Play(made, {}, [{"roll": "u", "bind": {}}, {"order": "Stand by", "cite": ""}])
    play.roll("t", Hand([[1]]), {"fighter": "1"})
    assert asked(play) == ["u", "Stand by", "Look out"] and "fighter" not in play.pending[0]["bind"]


def test_what_changed_is_shown_from_what_an_untouched_field_reads_as(tmp_path: Path) -> None:
    made = pack(tmp_path)
    play = Play(made)
    written: dict[str, Value] = {"hits.port": 2, "city": "Kobe", "light": "on", "zone": 0}
    result = play.write(written, "set")
    assert result.shown == [("hits.port", 0, 2), ("city", "", "Kobe"), ("light", "none", "on")]
    assert result.changes == {name: (None, value) for name, value in written.items()}
    play = Play(made, {"seen": 3, "hour": 1})
    assert play.write({"hour": 2}, "set").shown == [("hour", 1, 2), ("seen", 3, 0)]
    play = Play(made, {"seen": 0, "hour": 1})
    assert play.write({"hour": 2}, "set").shown == [("hour", 1, 2)]


@pytest.mark.parametrize("dice", [[[1], [7, 7]], [[1], [1], [1]], [[1], []]])
def test_a_command_that_fails_halfway_leaves_everything_as_it_was(tmp_path: Path, dice: list[list[int]]) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark zone", "mark hour 2", "erase hits.port 9", '
        '"light = off", "exchange hits.port, hits.starboard"]\n'
        'then = ["u", {order = "Home"}]\n',
        u=ROW,
    )
    before: dict[str, Value] = {"zone": 1, "hits.port": 3, "seen": 4, "light": "on"}
    mission = Mission(made, dict(before), [{"roll": "t", "bind": {}}])
    with pytest.raises(Problem):
        mission.roll(None, Hand(dice))
    assert (mission.state, asked(mission), mission.journal.entries) == (before, ["t"], [])
    mission.roll(None, Hand([[1], [1]]))
    assert mission.state == {"zone": 2, "hour": 2, "light": "off", "hits.starboard": 0}


def test_options_that_held_for_one_command_are_not_offered_in_the_next(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        choices='[choice.who]\ntitle = "Who?"\n[[choice.who.option]]\nname = "tail"\n[[choice.who.option]]\n'
        'name = "top"\n[[choice.who.option]]\nname = "nose"\nwhen = "light = on"\n',
    )
    mission = Mission(made, {}, [{"choose": "who", "bind": {}}])
    offered = []
    for given in ({"light": "on"}, {}, {"light": "on"}):
        with pytest.raises(NeedChoice) as need:
            mission.roll(None, Hand(), given)
        offered.append([each.name for each in need.value.options])
    assert offered == [["tail", "top", "nose"], ["tail", "top"], ["tail", "top", "nose"]]
    mission.write({"light": "on"})
    with pytest.raises(NeedChoice, match="nose"):
        mission.roll(None, Hand())


def test_a_field_of_the_bound_fighter_may_have_a_name_of_several_parts(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        fields='"fighter[fighter].hits.wing" = {kind = "count"}\n',
        t=row('do = ["mark fighter.hits.wing 2"]'),
    )
    play = Play(made)
    play.roll("t", Hand([[1]]), {"fighter": "2"})
    assert play.state == {"fighter.2.hits.wing": 2}
    with pytest.raises(Problem, match="speaks of one fighter: give its number, such as fighter.1.hits.wing"):
        play.write({"fighter.hits.wing": 1}, "set")


def test_nothing_follows_where_nothing_changed(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        rules='[[rule]]\non = ["hits.port", "zone", "city"]\ndo = ["mark hour"]\n',
        t='rows = {1 = "a", "2.." = "b"}\n[outcome.a]\n'
        'do = ["exchange hits.port, hits.starboard", "zone = 3", "mark hits.port 0", "city = \'Kobe\'"]\n'
        '[outcome.b]\ndo = ["exchange hits.port, hits.starboard"]\n',
    )
    alike = Play(made, {"zone": 3, "city": "Kobe", "hits.port": 2, "hits.starboard": 2})
    assert alike.roll("t", Hand([[1]])).changes == {}
    empty = Play(made, {"zone": 3, "city": "Kobe"})
    assert empty.roll("t", Hand([[2]])).changes == {}
    assert "hour" not in alike.state and "hour" not in empty.state


def test_a_rule_that_was_looked_at_does_not_stop_the_questions(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        fields='wind = {values = "east west", ask = true}\n',
        rules='[[rule]]\nwhen = "zone >= 1 and wind = east"\ndo = ["mark hour"]\n',
        t='rows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark zone"]\nthen = ["u"]\n',
        u='[[column]]\nwhen = "wind = east"\nrows = {"1.." = "b"}\n[[column]]\nrows = {"1.." = "c"}\n',
    )
    mission = Mission(made)
    with pytest.raises(NeedFact, match="wind"):
        mission.roll("t", Hand([[1], [1]]), asking=True)
    assert mission.state == {}
    assert mission.roll("t", Hand([[1]]), asking=True)[0].changes == {"zone": (None, 1)}  # the rule asks nobody
    assert mission.roll(None, Hand([[1]]), asking=True, answers={"wind": "east"})[0].outcome == "b"
    assert mission.state == {"zone": 1, "wind": "east", "hour": 1}


def test_a_rule_may_bring_a_fighter_and_what_is_rolled_for_it(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        rules='[[rule]]\non = "zone"\nfor = "side"\nwhen = "side.near = right"\n'
        'do = ["add fighter (type = side)"]\nthen = ["u"]\norder = "Mind {side}"\n'
        'text = "From {side} in zone {zone}"\n',
        u='rows = {"1.." = "b"}\n[outcome.b]\ndo = ["mark fighter.fca", "mark hits[side]"]\n',
    )
    mission = Mission(made, {"fighter.1.type": "oscar", "slots.fighter": 1})
    result = mission.write({"zone": 2})
    assert result.notes == [("From starboard in zone 2", "")]
    assert (mission.pending[1]["order"], mission.pending[1]["cite"]) == ("Mind starboard", "")
    mission.roll(None, Hand([[1]]))
    assert {name: mission.state.get(name) for name in ("fighter.2.type", "fighter.2.fca", "hits.starboard")} == {
        "fighter.2.type": "starboard",
        "fighter.2.fca": 1,
        "hits.starboard": 1,
    }
    assert "hits.port" not in mission.state and "fighter.1.fca" not in mission.state


def test_which_decision_is_asked_for_may_come_from_the_sheet(tmp_path: Path) -> None:
    made = pack(tmp_path, t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{choose = "{city}"}, {roll = "{light}"}]\n')
    play = Play(made, {"city": "who", "light": "on"})
    assert play.roll("t", Hand([[1]])).then == ["who", "on"]


def test_a_result_names_everything_that_it_asks_for(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{order = "Home"}, {roll = "z", later = "all"}, "u", '
        '{roll = "v", later = true, times = 2}, {choose = "who"}, {ask = "zone"}]\n',
    )
    assert Play(made).roll("t", Hand([[1]])).then == ["Home", "u", "who", "zone", "v", "v", "z"]


GROUPS = {
    "s": 'rows = {"1.." = "a"}\n[outcome.a]\nthen = ["t", "w"]\n',
    "t": 'rows = {1 = "a", 2 = "b", 3 = "c", "4.." = "e"}\n[outcome.a]\nthen = ["u", {roll = "v", later = true}]\n'
    '[outcome.e]\nthen = ["p", "u"]\n'
    '[outcome.b]\ndice = "1D"\nrows = {"1.." = "d"}\n[outcome.b.outcome.d]\nthen = ["u", {roll = "v", later = true}]\n'
    '[outcome.c]\nthen = [{roll = "u", later = "all"}, {roll = "v", later = true}]\n',
    "p": 'rows = {"1.." = "b"}\n[outcome.b]\nthen = [{roll = "v", later = true}]\n',
    "u": ROW,
    "v": ROW,
    "w": ROW,
    "x": ROW,
}


def waiting() -> list[dict[str, Any]]:
    """Four things that are pending already."""
    return [{"roll": name, "bind": {}} for name in "xwx"] + [{"order": "Home", "cite": ""}]


@pytest.mark.parametrize(
    ("steps", "order"),
    [
        ([("s", 1)], "t w x w x Home"),
        ([("s", 1), (None, 1)], "u w v x w x Home"),  # v waits until what came together with t is rolled
        ([("s", 1), (None, 2)], "t.b w x w x Home"),
        ([("s", 1), (None, 2), (None, 1)], "u w v x w x Home"),  # the row's own die belongs to the same group
        ([("s", 1), (None, 3)], "w v x w x u Home"),
        ([("t", 1)], "u v x w x Home"),  # named by itself it stands before all that was asked sooner
        ([("t", 2), (None, 1)], "u v x w x Home"),
        ([("t", 3)], "v x w x u Home"),
        ([("s", 1), (None, 4)], "p u w x w x Home"),
        ([("s", 1), (None, 4), (None, 1)], "u v w x w x Home"),  # behind u, with which p was asked, and before w
    ],
)
def test_what_is_asked_later_stands_behind_what_was_asked_together(
    tmp_path: Path, steps: list[tuple[str | None, int]], order: str
) -> None:
    mission = Mission(pack(tmp_path, **GROUPS), {}, waiting())
    for name, die in steps:
        mission.roll(name, Hand([[die]]))
    assert asked(mission) == order.split()


def test_the_dice_of_one_command_reach_what_is_asked_later_and_last(tmp_path: Path) -> None:
    mission = Mission(pack(tmp_path, **GROUPS), {}, [{"order": "Home", "cite": ""}])
    rolled = mission.roll("t", Hand([[3], [4], [5]]))
    assert [(each.table, each.dice) for each in rolled] == [("t", [3]), ("v", [4]), ("u", [5])]
    assert asked(mission) == ["Home"]
    mission = Mission(pack(tmp_path, **GROUPS), {}, waiting())
    with pytest.raises(Problem, match="left over"):  # what was pending before is another command
        mission.roll("t", Hand([[3], [4], [5]]))


def test_a_file_that_makes_no_sense_is_named_with_what_was_asked_of_it(tmp_path: Path) -> None:
    bad = 'then = [{roll = "t", rows = "few..many"}]\n'
    made = pack(
        tmp_path,
        t=f'rows = {{"1.." = "a"}}\n[outcome.a]\n{bad}',
        choices=f'[choice.who]\ntitle = "Who?"\n[[choice.who.option]]\nname = "me"\n{bad}',
        rules=f'[[rule]]\non = "zone"\n{bad}',
        sequence=f'[[step]]\nid = "one"\n{bad}',
    )
    who, zone = {"choose": "who", "bind": {}}, {"ask": "zone", "bind": {}}
    with pytest.raises(Trouble, match="^holes: t: its file cannot be understood"):
        Play(made).roll("t", Hand([[1]]))
    with pytest.raises(Trouble, match="^holes: who: its file"):
        Play(made, {}, [who]).choose(who, "me")
    with pytest.raises(Trouble, match="^holes: zone: its file"):
        Play(made, {}, [zone]).put(zone, "1")
    with pytest.raises(Trouble, match="^holes: the sequence: its file"):
        Play(made).advance()
    with pytest.raises(Trouble, match="^holes: .*zone.*: its file"):
        Play(made).write({"zone": 1}, "set")


def test_what_is_missing_is_said_with_the_modifiers_that_will_count(tmp_path: Path) -> None:
    modifier = '[[modifier]]\nid = "lit"\nadd = 2\nwhen = "light = on"\n'
    made = pack(tmp_path, t=f'rows = {{"..9" = "owner"}}\n{modifier}', w=f"owner = true\n{modifier}")
    for light, added in (("on", [2]), ("off", [])):
        play = Play(made, {"light": light})
        with pytest.raises(NeedDice) as dice:
            play.roll("t", Hand(), {"side": "port"})
        assert [each.add for each in dice.value.applied] == added and dice.value.bind == {"side": "port"}
        for name in ("t", "w"):
            with pytest.raises(NeedOutcome) as row:
                play.roll(name, Hand([[3]]), {"side": "port"})
            assert [each.add for each in row.value.applied] == added and row.value.bind == {"side": "port"}
            assert (row.value.net, row.value.dice) == (3 + sum(added), [3])
            result = play.roll(name, Hand([[3]]), outcome="hit")
            assert (result.net, [each.add for each in result.applied]) == (3 + sum(added), added)
    assert play.state == {"light": "off"}


def test_a_row_taken_without_dice_is_the_net_and_in_the_players_book_it_is_asked_for(tmp_path: Path) -> None:
    rows = '[outcome.a]\ndo = ["hour = net", "zone = roll"]\n'
    made = pack(tmp_path, t=f'rows = {{"1.." = "a"}}\n{rows}', w=f"owner = true\n{rows}")
    play = Play(made)
    result = play.roll("t", Hand(), take=3)
    assert (result.net, result.rolled, result.dice) == (3, None, [])
    assert play.state == {"hour": 3, "zone": 0}
    assert (result.natural, result.formula, result.cite, result.applied) == (False, False, "", [])
    with pytest.raises(NeedOutcome) as need:
        play.roll("w", Hand(), take=4)
    assert need.value.net == 4
    assert play.roll("w", Hand(), take=4, outcome="a").net == 4 and play.state["hour"] == 4
    assert play.roll("w", Hand(), outcome="a").net is None and play.state["hour"] == 0


def test_what_is_assumed_is_what_the_column_and_its_modifiers_read(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='[[column]]\nwhen = "zone = 0"\nmodifier = ["early"]\nrows = {"..9" = "a"}\n'
        '[[column]]\nrows = {"..9" = "b"}\n[[modifier]]\nid = "early"\nadd = 1\nwhen = "hour <= 1"\n'
        '[[modifier]]\nid = "seen"\nadd = "seen"\n',
        w='owner = true\n[[modifier]]\nadd = "seen"\n',
    )
    assert Play(made).roll("t", Hand([[1]])).assumed == {"zone": 0, "hour": 0}
    assert Play(made, {"hour": 1}).roll("t", Hand([[1]])).assumed == {"zone": 0}
    assert Play(made, {"zone": 1, "hour": 1}).roll("t", Hand([[1]])).assumed == {"seen": 0}
    assert Play(made, {"zone": 0, "hour": 2}).roll("t", Hand([[1]])).assumed == {}
    assert Play(made).roll("w", Hand([[1]]), outcome="a").assumed == {"seen": 0}


def test_a_die_too_many_does_no_harm_where_the_column_asks_for_none(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='dice = "2D"\n[[column]]\nwhen = "light = off"\ndice = "-"\nrows = {"0.." = "none"}\n'
        '[[column]]\nrows = {"2.." = "some"}\n',
        n='dice = "-"\nrows = {"..9" = "a"}\n',
    )
    off = Play(made, {"light": "off"})
    assert off.roll("t", Hand()).outcome == off.roll("t", Hand([[3, 4]])).outcome == "none"
    with pytest.raises(Problem, match="2D is 2 dice"):
        off.roll("t", Hand([[3]]))
    hand = Hand([[3, 4]])
    assert Play(made).roll("n", hand).dice == [] and hand.groups == [[3, 4]]  # they are for what follows


def test_a_row_may_bind_what_stands_on_the_sheet_and_say_what_is_printed(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = {as = "a", with = {side = "city"}}, 2 = {as = "a", text = "Struck hard"}, '
        '3 = {as = "b", text = "Quiet"}, 4 = {as = 7, with = {side = "city"}}}\n'
        '[outcome.a]\ntext = "A hit"\ndo = ["mark hits[side]"]\nthen = ["u"]\n'
        '[outcome."{result}"]\ndo = ["mark hits[side] 3"]\nthen = ["u"]\n',
        u=ROW,
    )
    play = Play(made, {"city": "starboard"})
    assert play.roll("t", Hand([[1]])).text == "A hit"
    assert play.roll("t", Hand([[2]]), {"side": "port"}).text == "Struck hard; A hit"
    assert play.roll("t", Hand([[3]])).text == "Quiet"
    assert (play.state["hits.starboard"], play.state["hits.port"]) == (1, 1)
    assert play.roll("t", Hand([[4]])).outcome == "7" and play.state["hits.starboard"] == 4
    assert [item["bind"]["side"] for item in play.pending] == ["starboard", "port", "starboard"]


def test_numbers_that_count_only_once(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='memory = "struck[side]"\nwith = {side = "port"}\nrows = {1 = 3, 2 = 4, "3.." = "five"}\n'
        '[outcome."{result}"]\n'
        'once = true\ndo = ["mark hour result"]\n[outcome.4]\ndo = ["mark zone"]\n[outcome.five]\nis = "5"\n',
    )
    play = Play(made)
    for die in (1, 1, 2, 2):
        play.roll("t", Hand([[die]]))
    assert play.state == {"hour": 3, "zone": 2, "struck.port": "3"}
    play.roll("t.five", Hand())
    assert play.roll("t.five", Hand()).outcome == "5" and play.state["struck.port"] == "3, 5"
    assert play.state["hour"] == 8


def test_a_formula_says_how_many_dice_it_needs(tmp_path: Path) -> None:
    made = pack(tmp_path, t='rows = {"1.." = "a"}\n[outcome.a]\nis = "2D + 1D"\n')
    with pytest.raises(NeedDice) as need:
        Play(made).roll("t.a", Hand([[1, 2]]), {"side": "port"})
    assert (need.value.dice.name, need.value.dice.count, need.value.dice.example()) == ("3D", 3, "3,4,5")
    assert (need.value.applied, need.value.bind) == ([], {"side": "port"})


def test_a_decision_is_put_in_its_own_words(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        choices='[choice.who]\ntitle = "Who minds the {side} side?"\n[[choice.who.option]]\n'
        'name = "tail"\ntext = "The tail gunner, {side}"\nthen = ["u"]\n[[choice.who.option]]\nname = "top"\n'
        'usual = true\ndo = ["mark hits[side]"]\n',
        u=ROW,
    )
    item = {"choose": "who", "bind": {"side": "port"}}
    play = Play(made, {}, [item])
    with pytest.raises(NeedChoice) as need:
        play.choose(item, None)
    assert (need.value.name, need.value.title) == ("who", "Who minds the port side?")
    assert [(each.name, each.text, each.usual) for each in need.value.options] == [
        ("top", "top", True),
        ("tail", "The tail gunner, port", False),
    ]
    assert str(need.value) == "Who minds the port side? Say --outcome top or tail"
    with pytest.raises(NeedChoice):
        play.choose(item, "nose")
    assert [each.text for each in play.options_of({"choose": "who"})] == ["top", "The tail gunner, none"]
    result = play.choose(item, "Tail")
    assert (result.outcome, result.cite, result.bind, result.then) == ("tail", "", {"side": "port"}, ["u"])
    assert [each["bind"] for each in play.pending] == [{"side": "port"}]
    assert (result.natural, result.net, result.rolled, result.dice) == (False, None, None, [])
    assert (result.decision, result.formula, result.step) == (True, False, False)
    assert result.applied == result.steps == result.patched == result.shown == [] and result.changes == {}
    again = Play(made, {}, [item])
    assert (again.choose(item, "top").outcome, again.state) == ("top", {"hits.port": 1})


def steps(*lines: str) -> str:
    """A sequence of these steps, called a, b, c and so on."""
    return "".join(f'[[step]]\nid = "{name}"\n{line}\n' for name, line in zip("abcdefg", lines, strict=False))


@pytest.mark.parametrize(
    ("go", "taken"),
    [("a", ["b", "b", "b"]), ("b", ["b", "b", "b"]), ("c", ["b", "d", None]), ("d", ["b", "d", None]),
     ("end", ["b", None, None])],
)  # fmt: skip
def test_a_step_that_asks_may_go_elsewhere(tmp_path: Path, go: str, taken: list[str | None]) -> None:
    made = pack(
        tmp_path,
        sequence=steps('do = ["mark hour"]', f'then = ["t"]\ngo = "{go}"', "", 'then = ["t"]'),
        t=ROW,
    )
    play, found = Play(made), []
    for _ in taken:
        result = play.advance()
        play.pending.clear()
        found.append(result.table if result is not None else None)
        assert result is None or (result.step and (result.title, result.cite) == ("", ""))
    assert found == taken
    assert play.state["hour"] == (3 if go == "a" else 1)


def test_a_step_is_called_after_what_asks_in_it(tmp_path: Path) -> None:
    for number, (then, title, table) in enumerate((
        ('then = ["t"]', "Ask", "c"),
        ('then = [{roll = "t", later = true}]', "Ask", "c"),
        ('then = [{roll = "t", later = "all"}]', "Ask", "c"),
        ("", "Look", "a"),
        ('order = "Home"', "Look", "a"),
    )):  # fmt: skip
        folder = tmp_path / str(number)
        folder.mkdir()
        before = 'title = "Look"\ncite = "1"', 'title = "Wait"\ntext = "It is {light}"\ncite = "2"'
        made = pack(folder, sequence=steps(*before, f'title = "Ask"\ncite = "3"\n{then}'), t=ROW)
        result = Play(made, {"light": "on"}).advance()
        assert result is not None
        assert (result.title, result.table) == (title, table)
        assert (result.notes, result.cite) == ([("It is on", "2")], {"a": "1", "c": "3"}[table])


def test_a_step_may_bring_a_fighter_and_roll_for_it(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        sequence=steps("""do = ["add fighter (type = 'zeke')"]\nthen = ["t"]"""),
        t='rows = {"1.." = "b"}\n[outcome.b]\ndo = ["mark fighter.fca"]\n',
    )
    mission = Mission(made, {"fighter.1.type": "oscar", "slots.fighter": 1})
    mission.advance()
    assert [item["bind"] for item in mission.pending] == [{"fighter": "2"}]
    mission.roll(None, Hand([[1]]))
    assert (mission.state["fighter.2.fca"], mission.state["step"]) == (1, "a")


def test_what_a_field_does_not_take_is_said_with_its_name(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "light-dim", 2 = "zone-many", 3 = "marked-many", "4.." = "d"}\n[outcome."light-{how}"]\n'
        'do = ["light = how"]\n[outcome."zone-{how}"]\ndo = ["zone = how"]\n'
        '[outcome."marked-{how}"]\ndo = ["mark zone how"]\n[outcome.d]\ndo = ["erase zone 9"]\n',
    )
    zone = {"ask": "zone", "bind": {}}
    with pytest.raises(NeedAnswer, match="^zone[?] Say --outcome VALUE, where VALUE is 0 to 5$"):
        Play(made, {}, [zone]).put(zone, None)
    with pytest.raises(Problem, match="^zone cannot be 9; it takes 0 to 5$"):
        Play(made, {}, [zone]).put(zone, "9")
    with pytest.raises(Problem, match="^zone cannot be 9; it takes 0 to 5$"):
        Play(made).write({"zone": 9}, "set")
    with pytest.raises(Problem, match="^light cannot be dim; it is on or off$"):
        Play(made).roll("t", Hand([[1]]))
    for die in (2, 3):
        with pytest.raises(Problem, match="^zone takes a number, not many$"):
            Play(made).roll("t", Hand([[die]]))
    assert Play(made, {"zone": 2}).roll("t", Hand([[4]])).notes == [("zone: 2 of 9, there is no more", "")]
    result = Play(made, {}, [zone]).put(zone, "4")
    assert (result.title, result.changes, result.bind) == ("zone", {"zone": (None, 4)}, {})


def test_a_rule_for_each_member_by_another_name(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        rules='[[rule]]\nfor = "side as s"\nwhen = "hits[s] >= 2 and s.near = left"\n'
        'do = ["mark zone s.room"]\ntext = "Too much to {s}"\n',
    )
    play = Play(made)
    assert play.write({"hits.starboard": 2}, "set").notes == []
    assert play.write({"hits.port": 2}, "set").notes == [("Too much to port", "")]
    assert play.state == {"hits.starboard": 2, "hits.port": 2, "zone": 2}


def test_the_question_for_a_printed_row_says_where_to_look_and_what_is_known(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        k="owner = true\n[outcome.hit]\n[outcome.miss]\n",
        w="owner = true\n",
        q='title = "Cards"\nowner = "Which card"\n[outcome.ace]\n',
    )

    def said(name: str, take: int | None = None) -> str:
        with pytest.raises(NeedOutcome) as need:
            Play(made).roll(name, Hand([[2, 3]]), take=take)
        return str(need.value)

    assert "net 5" in said("k") and said("k").endswith("known are hit or miss")
    assert "net 5" in said("w") and "known" not in said("w") and said("w").startswith("w is printed in your own book")
    assert said("q").startswith("Cards: Which card?") and said("q").endswith("known are ace")
    made = pack(tmp_path, n='owner = true\ndice = "-"\n')
    with pytest.raises(NeedOutcome) as need:
        Play(made).roll("n", Hand())
    assert need.value.net == 0 and need.value.dice == []


def test_the_companion_throws_the_dice_of_a_formula(tmp_path: Path) -> None:
    made = pack(tmp_path, t='rows = {"1.." = "a"}\n[outcome.a]\nis = "3D"\n')
    thrown = [Play(made).roll("t.a", Hand(rng=Random(seed))) for seed in range(40)]
    assert {die for each in thrown for die in each.dice} == {1, 2, 3, 4, 5, 6}
    assert all(len(each.dice) == 3 and each.outcome == str(sum(each.dice)) for each in thrown)


WORDS = "count some none every sum if else for as of mark erase clear row max".split()


def test_a_field_may_have_the_name_of_a_word_of_the_language(tmp_path: Path) -> None:
    lines = "".join(f'{name} = {{kind = "count"}}\n' for name in WORDS)
    verbs = ("mark", "erase", "clear")  # these begin a line of their own
    written = ", ".join(f'"{name} = {name} + 1"' for name in WORDS if name not in verbs)
    made = pack(tmp_path, fields=lines, t=row(f"do = [{written}]"))
    facts = Facts(made.sheet, {name: at for at, name in enumerate(WORDS, 1)})
    for value, name in enumerate(WORDS, 1):
        for ending, held in ((f"= {value}", True), ("= 0", False), (f">= {value}", True), ("> 15", False)):
            for around in ("{}", "count side ({}) = 2", "(zone = 0 and {})"):
                sentence = around.format(f"{name} {ending}")
                assert made.condition(sentence)(facts) is held, sentence
    play = Play(made)
    play.roll("t", Hand([[1]]))
    assert play.state == {name: 1 for name in WORDS if name not in verbs}


@pytest.mark.parametrize("sentence", ["zone >= 1 about 3", "zone not 2", "zone", "zone = 1 =", "= 1", ""])
def test_a_condition_of_unknown_words_is_the_packs_fault(tmp_path: Path, sentence: str) -> None:
    made = pack(tmp_path)
    with pytest.raises(Trouble):
        made.condition(sentence)
    with pytest.raises(Trouble, match="no index wing"):
        made.condition("some wing (zone = 1)")


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("fighter.fca = 2", True),
        ("fighter.fca in (1, 2)", True),
        ("fighter.fca != 2", False),
        ("fighter.fca not in (1, 3)", True),
        ("fighter.type = 'ZEKE'", True),
        ("fighter.type in ('oscar', 'zeke')", True),
        ("fighter.type != 'zeke'", False),
        ("fighter = 2", True),
        ("fighter in (1, 2)", True),
        ("fighter != 2", False),
        ("side.room >= 3", True),
        ("side.near = right", True),
        ("side.near in (left)", False),
        ("hits[side] >= 2 and hits[side] <= 3", False),
        ("hits[side] != 4", False),
        ("hits.starboard = 4", True),
    ],
)
def test_a_condition_on_what_is_bound(tmp_path: Path, sentence: str, held: bool) -> None:
    made = pack(tmp_path)
    bound: dict[str, Value] = {"fighter": "2", "side": "starboard"}
    facts = Facts(made.sheet, {"fighter.2.type": "Zeke", "fighter.2.fca": 2, "zone": 3, "hits.starboard": 4}, bound)
    assert made.condition(sentence)(facts) is held


@pytest.mark.parametrize(
    ("within", "count"),
    [
        # hits: port 2, starboard 0; fighters: 1 a zeke with 2 hits, 2 none; asked of each side
        ("some side (hits[side] = 2)", 2),
        ("no side (hits[side] = 2)", 0),
        ("no side (hits[side] = 1)", 2),
        ("count side (hits[side] = 2) = 1", 2),
        ("some fighter as side (fighter[side].fca = 2)", 2),
        ("no fighter as side (fighter[side].fca = 3)", 2),
        ("count fighter as side (fighter[side].fca = 2) >= 2", 0),
        ("some side as other (hits[other] >= 1 and hits[side] = 0)", 1),
        ("some side as other (other != side and hits[other] = 0)", 1),
        ("side.near != side", 2),
        ("side.near != side.near", 0),
        ("some fighter (fighter.type != fighter and fighter.fca = 2)", 2),
        ("no fighter (fighter[fighter].fca = hits[side])", 0),
        ("count fighter (fighter[fighter].fca = hits[side]) = 1", 2),
        ("every fighter (fighter.fca in (hits[side], 2))", 1),
        ("sum fighter (fighter.fca + hits[side]) = 6", 1),
    ],
)
def test_members_within_members(tmp_path: Path, within: str, count: int) -> None:
    state = {"hits.port": 2, "fighter.1.type": "zeke", "fighter.1.fca": 2}
    assert holds(pack(tmp_path), f"count side ({within}) = {count}", **state)


def test_the_parts_of_a_result_may_have_names_of_several_words(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "zeke@6"}\n[outcome."{first-seen}@{at-what-hour}"]\n'
        'text = "{first-seen} at {at-what-hour}"\ndo = ["hour = at-what-hour"]\n',
    )
    play = Play(made)
    assert play.roll("t", Hand([[1]])).text == "zeke at 6" and play.state == {"hour": 6}


# -- steps, cases and columns ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "number"),
    [
        ('{when = "hour = 3", is = "result + 1"}, {is = "result + 2"}', 7),
        ('{when = "hour = 2", is = "result + 1", why = "late", cite = "5.6"}, {is = "result + 2"}', 8),
        ('{is = "half-up(result - 1)"}', 2),
        ('{is = "half-up(7)"}, {is = "result + 1"}', 5),
        ('{is = "half-up(0)"}', 0),
        ('{is = "half-up(1)"}', 1),
        ('{is = "result if result > 5 else 2 * result"}', 10),
    ],
)
def test_steps_that_do_not_apply_are_passed_over(tmp_path: Path, steps: str, number: int) -> None:
    made = pack(tmp_path, t=f'rows = {{"1.." = 5}}\nadjust = [{steps}]\n')
    assert Play(made, {"hour": 2}).roll("t", Hand([[1]])).outcome == str(number)


CASES = """
rows = {"1.." = "go"}
[outcome.go]
cases = [
  {when = "light = on", dice = "2D", column = [{when = "zone = 1", rows = {"2.." = "a"}}, {rows = {"2.." = "b"}}]},
  {when = "light = off", dice = "1D", rows = {"1.." = "c"}},
]
"""


@pytest.mark.parametrize(
    ("state", "dice", "outcome"),
    [
        ({"light": "on", "zone": 1}, [3, 4], "a"),
        ({"light": "on", "zone": 2}, [3, 4], "b"),
        ({"light": "off", "zone": 1}, [3], "c"),
    ],
)
def test_each_case_has_its_own_dice_and_columns(
    tmp_path: Path, state: dict[str, Value], dice: list[int], outcome: str
) -> None:
    mission = Mission(pack(tmp_path, t=CASES), state)
    mission.roll("t", Hand([[1]]))
    with pytest.raises(Problem, match="2D is 2 dice|1D is one die"):
        mission.roll(None, Hand([[1, 2, 3]]))
    assert mission.roll(None, Hand([dice]))[0].outcome == outcome


def test_of_several_cases_with_dice_none_may_be_a_formula(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "go"}\n[outcome.go]\ncases = [{when = "light = on", is = "1D"}, '
        '{dice = "1D", rows = {"1.." = "a"}}]\n',
    )
    with pytest.raises(Trouble, match="none can be a formula"):
        Play(made).roll("t.go", Hand([[1]]))


@pytest.mark.parametrize(
    ("fact", "words", "state", "outcome"),
    [
        ("weather", "clear haze rain snow city", {"weather": "fog", "city": "fog"}, "4"),
        ("weather", "clear haze city snow rain", {"weather": "rain", "city": "rain"}, "2"),
        ("weather", "clear haze city snow rain", {"weather": "rain", "city": "fog"}, "4"),
        ("city", "'Kobe' 'Osaka' 'Nagoya' 'Tokyo' 'Oita'", {"city": "TOKYO"}, "3"),
        ("city", "'Kobe' 'Osaka' 'Nagoya' 'Tokyo' 'Oita'", {"city": "Kure"}, "other"),
        ("fighter.type", "'zeke' 'oscar' 'tojo' 'jack' 'irving'", {"fighter.1.type": "Jack"}, "3"),
        ("clock", "3 6 12 6 3", {"clock": "6"}, "1"),
        ("zone", "0 1 2 3 4", {"zone": 3}, "3"),
        ("zone", "0 1 2 3 4", {}, "0"),
        ("side.near", "left right left right left", {"side": "starboard"}, "1"),
        ("side", "port port port starboard port", {"side": "starboard"}, "3"),
        ("late", "yes no yes no yes", {}, "1"),
        ("late", "yes no yes no yes", {"zone": 4}, "0"),
    ],
)
def test_a_column_is_found_by_whatever_fact_tells_the_columns_apart(
    tmp_path: Path, fact: str, words: str, state: dict[str, Value], outcome: str
) -> None:
    columns = "".join(
        f'[[column]]\nwhen = "{fact} = {word}"\nrows = {{"1.." = "is-{at}"}}\n' for at, word in enumerate(words.split())
    )
    made = pack(tmp_path, facts=LATE, t=columns + '[[column]]\nrows = {"1.." = "is-other"}\n')
    play = Play(made, state)
    for _ in range(2):
        assert play.roll("t", Hand([[1]])).outcome == f"is-{outcome}"


def test_a_modifier_says_where_it_is_printed(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "a"}\n[[modifier]]\nadd = 1\n[[modifier]]\nid = "x"\nadd = 2\nwhy = "ace"\ncite = "5-5"\n',
    )
    applied = Play(made).roll("t", Hand([[1]])).applied
    assert [(each.why, each.modifier.cite) for each in applied] == [("", "t"), ("ace", "5-5")]


def test_a_die_of_its_own_falls_back_on_the_results_and_the_title_of_its_table(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='title = "Flak"\ncite = "6.2"\nrows = {1 = "tank", "2.." = "number"}\n[outcome.tank]\ndice = "1D"\n'
        'rows = {1 = "fire", 2 = "leak", "3.." = "x-left"}\n[outcome.tank.outcome.leak]\ntext = "It leaks"\n'
        '[outcome.leak]\ntext = "Not this"\n[outcome.fire]\ntext = "It burns"\ndo = ["mark zone"]\n'
        '[outcome."x-{city}"]\ntext = "On the {city}"\n[outcome.number]\nis = "1D"\n[outcome."{result}"]\n'
        'do = ["hour = result"]\n',
    )
    play = Play(made)
    assert [play.roll("t.tank", Hand([[die]])).text for die in (1, 2, 3)] == ["It burns", "It leaks", "On the left"]
    result = play.roll("t.number", Hand([[4]]))
    assert (result.title, result.cite, play.state) == ("Flak", "6.2", {"zone": 1, "hour": 4})


def test_a_table_without_dice_needs_none(tmp_path: Path) -> None:
    made = pack(tmp_path)
    (tmp_path / "n.toml").write_text('id = "n"\nrows = {"..0" = "none", "1.." = "some"}\n')
    assert Play(made).roll("n", Hand()).outcome == "none"


def test_what_no_column_is_for_is_asked_for_by_name(tmp_path: Path) -> None:
    columns = "".join(f'[[column]]\nwhen = "city = \'{city}\'"\nrows = {{"1.." = "a"}}\n' for city in ("Kobe", "Oita"))
    many = "".join(f'[[column]]\nwhen = "clock = {at} and zone = 1"\nrows = {{"1.." = "a"}}\n' for at in (3, 6, 12))
    made = pack(tmp_path, t=columns, m=many + many)
    with pytest.raises(Problem, match="^t needs city; say --with city=VALUE, where VALUE is any text$"):
        Play(made).roll("t", Hand([[1]]))
    with pytest.raises(Problem, match="^t has no column for city=Kure$"):
        Play(made, {"city": "Kure"}).roll("t", Hand([[1]]))
    assert holds(made, "column('m')", clock="6", zone=1)
    assert not holds(made, "column('m')", clock="6", zone=2) and not holds(made, "column('m')", zone=1)
    with pytest.raises(Trouble, match="there is no table q"):
        holds(made, "column('q')")


def test_the_row_a_roll_lands_on_wherever_it_stands(tmp_path: Path) -> None:
    rows = pack(tmp_path, t='rows = {7 = "c", "8.." = "d", "4..6" = "b", "..3" = "a"}\n').table("t").columns[0].rows
    assert [rows.row(net) for net in (-2, 3, 4, 6, 7, 8)] == ["..3", "..3", "4..6", "4..6", "7", "8.."]
    assert [rows.find(net) for net in (-2, 3, 4, 6, 7, 8)] == ["a", "a", "b", "b", "c", "d"]


NOTES = """
title = "Tanks"
rows = {"1.." = "tank"}
[outcome.tank]
dice = "1D"
rows = {1 = "leak", "2.." = "fire"}
[outcome.tank.outcome.leak]
text = "It leaks"
[outcome.tank.outcome.fire]
text = "It burns"
[sub.b]
title = "How much"
dice = "2D"
rows = {"..7" = 3, "8.." = "dry"}
modifier = [{add = 1, when = "light = on"}]
adjust = [{is = "result * 2"}]
with = {side = "port"}
outcome."{result}" = {do = ["mark hits[side]", "hour = result"]}
[sub.b.outcome.dry]
text = "It is dry"
[sub.b.sub.c]
dice = "1D"
rows = {"1.." = "spark"}
[sub.b.sub.c.outcome.spark]
do = ["mark hits[side] 2"]
[sub.d]
rows = {"0.." = "wet"}
"""


def test_a_note_is_a_table_with_all_that_a_table_has(tmp_path: Path) -> None:
    made = pack(tmp_path, t=NOTES)
    play = Play(made, {"light": "on"})
    assert [play.roll("t.tank", Hand([[die]])).text for die in (1, 2)] == ["It leaks", "It burns"]
    result = play.roll("t.b", Hand([[2, 4]]))
    assert (result.title, result.net, result.outcome) == ("How much", 7, "6")
    assert play.state == {"light": "on", "hits.port": 1, "hour": 6}
    assert play.roll("t.b", Hand([[3, 4]])).text == "It is dry"
    assert play.roll("t.b.c", Hand([[4]])).outcome == "spark" and play.state["hits.port"] == 3
    assert play.roll("t.d", Hand()).outcome == "wet"
    for unknown in ("t.e", "t.b.d", "t.tank.leak"):
        with pytest.raises(Problem):
            play.roll(unknown, Hand([[1]]))


# -- patches ---------------------------------------------------------------------------------------------------------


def patched(folder: Path, patches: str, table: str) -> Pack:
    """A pack with the table `t`, and patches of it laid over."""
    for name in ("over", "below"):
        (folder / name).mkdir()
    pack(folder / "below", t=table)
    (folder / "over" / "t.toml").write_text(patches)
    return Pack("holes", [folder / "over", folder / "below"])


def reasons(made: Pack, die: int, **state: Any) -> list[str]:
    """Which patches took part in a roll."""
    found = Play(made, state).roll("t", Hand([[die]])).patched
    assert {each["table"] for each in found} <= {"t"}
    return [each["reason"] for each in found]


def test_a_patched_natural_roll_takes_part_where_it_decides(tmp_path: Path) -> None:
    text = '[[patch]]\nreason = "luck"\n[[patch.natural]]\nroll = 1\noutcome = "luck"\n'
    made = patched(tmp_path, text, 'rows = {"..6" = "a"}\n')
    assert [reasons(made, die) for die in (1, 2)] == [["luck"], []]


def test_what_is_changed_for_the_whole_table_takes_part_in_every_roll(tmp_path: Path) -> None:
    text = '[[patch]]\nreason = "wording"\ntitle = "Flak"\n[[patch]]\nreason = "a row"\nrow = 2\nas = "c"\n'
    made = patched(tmp_path, text, 'rows = {"..6" = "a"}\n')
    assert [reasons(made, die) for die in (1, 2)] == [["wording"], ["wording", "a row"]]


@pytest.mark.parametrize(
    ("patch", "dark", "lit"),
    [
        ('[[patch.modifier]]\nid = "new"\nwhy = "x"\nadd = 1\nwhen = "light = on"\n', False, True),
        ('[[patch.modifier]]\nid = "new"\nwhy = "x"\nadd = -2\nwhen = "light = off"\n', True, False),
        ('modifier = "old"\nadd = 3\n', False, True),
        ('modifier = "old"\nwhen = "light = off"\n', True, True),
        ('modifier = "old"\nwhy = "said otherwise"\n', False, False),
        ('modifier = "old"\nremove = true\n', False, True),
    ],
)
def test_a_patched_modifier_takes_part_where_it_makes_a_difference(
    tmp_path: Path, patch: str, dark: bool, lit: bool
) -> None:
    table = 'rows = {"..9" = "a"}\n[[modifier]]\nid = "old"\nadd = 1\nwhen = "light = on"\n'
    made = patched(tmp_path, f'[[patch]]\nreason = "mine"\n{patch}', table)
    assert [reasons(made, 3, light=light) for light in ("off", "on")] == [["mine"] * dark, ["mine"] * lit]


def test_a_patched_result_takes_part_wherever_it_comes_up(tmp_path: Path) -> None:
    made = patched(
        tmp_path,
        '[[patch]]\nreason = "below"\n[patch.outcome.a]\ntext = "x"\n'
        '[[patch]]\nreason = "on top"\n[patch.outcome.a]\ntext = "y"\n'
        '[[patch]]\nreason = "other"\n[patch.outcome.c]\ntext = "z"\n',
        'rows = {1 = "a", 2 = ["b", "a"], 3 = {as = "a", with = {city = 1}}, 4 = "b", 5 = ["c", "a"]}\n'
        '[outcome.a]\ntext = "w"\n',
    )
    found = [["on top"], ["on top"], ["on top"], [], ["on top", "other"]]
    assert [reasons(made, die) for die in (1, 2, 3, 4, 5)] == found
    assert Play(made).roll("t", Hand([[3]])).text == "y"


def test_of_two_patches_of_a_row_the_one_on_top_takes_part(tmp_path: Path) -> None:
    rows = "".join(f'[[patch]]\nreason = "{name}"\nrow = "{row}"\nas = "{to}"\n' for name, row, to in (
        ("below", "2..4", "b"), ("on top", "3", "c"),
    ))  # fmt: skip
    made = patched(tmp_path, rows, 'rows = {"1.." = "a"}\n')
    assert [reasons(made, die) for die in (1, 2, 3, 4, 5)] == [[], ["below"], ["on top"], ["below"], []]
    assert [Play(made).roll("t", Hand([[die]])).outcome for die in (1, 2, 3, 4, 5)] == ["a", "b", "c", "b", "a"]


# -- odds ------------------------------------------------------------------------------------------------------------


def chances(made: Pack, table: str, **state: Any) -> dict[Any, Fraction]:
    """How likely each thing is that can follow from a roll."""
    return Chain(made, {}).follow(state, {"roll": table}).tally.some


def test_odds_of_rows_of_formulas_and_of_rows_in_the_book(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        f='rows = {"..2" = 3, "3..5" = "twice", 6 = "owner"}\n[outcome.twice]\nis = "1D * 2"\n',
        n='rows = {"..2" = 10, "3..5" = "twice", 6 = 9}\n[outcome.twice]\nis = "1D * 2"\n',
        b='dice = "-"\nrows = {"..0" = "dark", "1.." = "lit"}\n[[modifier]]\nadd = 1\nwhen = "light = on"\n',
    )
    found = odds(made, {}, {}, {"roll": "f"})
    assert (found.of, found.ways) == (
        36,
        {"3": 12, "2": 3, "4": 3, "6": 3, "8": 3, "10": 3, "12": 3, "in-your-book": 6},
    )
    numbers = odds(made, {}, {}, {"roll": "n"})
    assert list(numbers.ways.items()) == [("2", 3), ("4", 3), ("6", 3), ("8", 3), ("9", 6), ("10", 15), ("12", 3)]
    for light, outcome, applied in (("on", "lit", [1]), ("off", "dark", [])):
        plain = odds(made, {"light": light}, {}, {"roll": "b"})
        assert (plain.of, plain.ways, [each.add for each in plain.applied]) == (1, {outcome: 1}, applied)
    taken = odds(made, {}, {}, {"roll": "f", "take": 2})
    assert (taken.of, taken.ways) == (1, {"3": 1})
    assert odds(made, {"light": "on"}, {"light": "off"}, {"roll": "b"}).ways == {"dark": 1}


def test_odds_say_what_they_assume_and_how_far_they_are(tmp_path: Path) -> None:
    made = pack(tmp_path, t='rows = {"1.." = "a"}\n[[modifier]]\nadd = 1\nwhen = "zone = 0"\nwhy = "home"\n')
    told: list[Fraction] = []
    found = odds(made, {}, {}, {"roll": "t"}, told.append)
    assert (found.title, found.dice, found.assumed) == ("t", "1D", {"zone": 0})
    assert odds(made, {"zone": 2}, {}, {"roll": "t"}).assumed == {}
    assert told == sorted(told) and min(told) >= 0 and max(told) < 1


def test_dice_beyond_two_are_counted_with_all_their_ways(tmp_path: Path) -> None:
    made = pack(tmp_path, t='dice = "3D"\nrows = {3 = "least", "4..17" = "some", 18 = "most"}\n')
    assert odds(made, {}, {}, {"roll": "t"}).ways == {"least": 1, "some": 214, "most": 1}
    found = branches(made, {}, {}, {"roll": "t"}, lambda: None)
    assert [(branch.result.rolled, branch.ways) for branch in found][:4] == [(3, 1), (4, 3), (5, 6), (6, 10)]
    assert sum(branch.chance for branch in found) == 1


def test_what_follows_twice_is_likelier_than_once(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", "2.." = "c"}\n[outcome.a]\nthen = [{roll = "u", times = 2}, "v"]\n',
        u='rows = {1 = "x", "2.." = "y"}\n[outcome.x]\nthen = ["v"]\n',
        v='rows = {"..3" = 2, "4.." = 5}\n',
    )
    tally = Chain(made, {}).follow({}, {"roll": "t"}).tally
    sixth = Fraction(1, 6)
    assert tally.some["rolls", "t"] == tally.mean["rolls", "t"] == 1
    assert (tally.some["rolls", "u"], tally.mean["rolls", "u"]) == (sixth, sixth * 2)
    assert (tally.some["outcome", "u", "x"], tally.mean["outcome", "u", "x"]) == (sixth * Fraction(11, 36), sixth / 3)
    assert (tally.some["rolls", "v"], tally.mean["rolls", "v"]) == (sixth, sixth * Fraction(4, 3))
    low = 1 - Fraction(1, 2) * Fraction(11, 12) ** 2  # one roll for certain, two that come up once in six
    assert tally.some["outcome", "v", "2"] == sixth * low
    assert tally.mean["outcome", "v", "2"] == sixth * Fraction(4, 3) / 2
    assert tally.mean["sum", "v"] == sixth * Fraction(4, 3) * Fraction(7, 2)


def test_the_die_of_a_row_counts_for_its_table(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='title = "Shells"\nrows = {"..2" = "spar", "3.." = "miss"}\n[outcome.spar]\ndice = "1D"\n'
        'rows = {1 = "bent", "2.." = "cut"}\n[outcome.spar.outcome.bent]\nthen = ["u"]\n',
        u=ROW,
    )
    chain = Chain(made, {}).follow({}, {"roll": "t"})
    assert chain.tally.some == {
        ("rolls", "t"): 1,
        ("outcome", "t", "miss"): Fraction(4, 6),
        ("outcome", "t", "bent"): Fraction(2, 36),
        ("outcome", "t", "cut"): Fraction(10, 36),
        ("rolls", "u"): Fraction(2, 36),
        ("outcome", "u", "b"): Fraction(2, 36),
    }
    assert (chain.titles, chain.ends) == ({"t": "Shells", "u": "u"}, {})


@pytest.mark.parametrize(
    ("bound", "modifier", "chance"),
    [
        ('light = "on"', "light = on", Fraction(5, 9)),  # 2 in 6 at once; after 2 in 6 another, then 4 in 6
        ('light = "on"', "light = off", Fraction(1, 2)),
        ('fighter = "2"', "fighter = 2", Fraction(5, 9)),
        ('fighter = "2"', "light = on", Fraction(1, 2)),
        ('fighter = "2"', "some fighter (fighter.fca = 1)", Fraction(1, 2)),
    ],
)
def test_to_roll_again_under_another_heading(tmp_path: Path, bound: str, modifier: str, chance: Fraction) -> None:
    made = pack(
        tmp_path,
        t='rows = {"..2" = "again", "3..4" = "miss", "5.." = "hit"}\n'
        f'[[modifier]]\nadd = 2\nwhen = "{modifier}"\n'
        f'[outcome.again]\nthen = [{{roll = "t", with = {{{bound}}}}}]\n',
    )
    assert chances(made, "t")["outcome", "t", "hit"] == chance


def test_a_roll_again_that_changes_the_sheet_is_another_roll(tmp_path: Path) -> None:
    """1 or 2 marks a zone and asks again, and with a zone marked they miss: 2 in 6, then 2 in 6 once more."""
    made = pack(
        tmp_path,
        t='[[column]]\nwhen = "zone = 0"\nrows = {"..2" = "again", "3..4" = "miss", "5.." = "hit"}\n'
        '[[column]]\nrows = {"..4" = "miss", "5.." = "hit"}\n'
        '[outcome.again]\ndo = ["mark zone"]\nthen = ["t"]\n',
    )
    assert chances(made, "t")["outcome", "t", "hit"] == Fraction(2, 6) + Fraction(2, 6) * Fraction(2, 6)


def test_a_chain_ends_where_the_player_decides_where_the_book_is_needed_and_where_a_table_remembers(
    tmp_path: Path,
) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", "2..3" = "b", "4.." = "c"}\n[outcome.a]\nthen = [{choose = "who"}, {ask = "zone"}]\n'
        '[outcome.b]\nthen = [{roll = "u", with = {side = "port"}}, {order = "Home"}]\n[outcome.c]\nthen = ["v"]\n',
        u='title = "Hits"\nmemory = "struck[side]"\nrows = {"1.." = "b"}\n[outcome.b]\nthen = ["v"]\n',
        v='title = "Landing"\nowner = true\n',
    )
    chain = Chain(made, {}).follow({}, {"roll": "t"})
    assert {where: why.partition(":")[0] for where, why in chain.ends.items()} == {
        "who": "yours to decide",
        "zone": "yours to decide",
        "u": "it remembers what has been struck",
        "v": "the rows of v are in your own book, and so are its odds",
    }
    some = chain.tally.some
    assert (some["rolls", "u"], some["rolls", "v"]) == (Fraction(1, 3), Fraction(1, 2))
    assert some["struck", "side", "port"] == Fraction(1, 3)
    assert ("outcome", "u", "b") not in some and chain.titles == {"t": "t", "u": "Hits", "v": "Landing"}


def test_a_chain_that_begins_at_a_table_that_remembers_goes_one_roll_on(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        u='memory = "struck[side]"\nwith = {side = "port"}\nrows = {"..2" = "b", "3.." = "c"}\n'
        '[outcome.b]\nthen = ["u"]\n[outcome.c]\ndice = "1D"\nrows = {1 = "x", "2.." = "y"}\n',
    )
    chain = Chain(made, {}).follow({}, {"roll": "u"})
    assert chain.tally.some["outcome", "u", "x"] == Fraction(4, 36)
    assert chain.ends == {"u": "it remembers what has been struck"}
    assert chain.tally.mean["rolls", "u"] == 1 + Fraction(1, 3)


def test_who_is_struck_is_counted_where_a_roll_is_first_about_him(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", 2 = "b", "3.." = "c"}\n[outcome.a]\nthen = [{roll = "u", times = 2, '
        'with = {side = "port"}}]\n[outcome.b]\nthen = [{roll = "u", with = {side = "starboard", light = "on"}}]\n',
        u='rows = {"1.." = "b"}\n[outcome.b]\nthen = ["v"]\n',
        v=ROW,
    )
    chain = Chain(made, {}).follow({}, {"roll": "t"})
    sixth = Fraction(1, 6)
    assert {key[1:]: much for key, much in chain.tally.some.items() if key[0] == "struck"} == {
        ("side", "port"): sixth,
        ("side", "starboard"): sixth,
    }
    assert chain.tally.mean["struck", "side", "port"] == 2 * sixth
    known = Chain(made, {}).follow({}, {"roll": "u", "bind": {"side": "port"}}).tally
    assert not [key for key in known.some if key[0] == "struck"]


def test_a_chain_without_end_is_cut_off_and_says_so(tmp_path: Path) -> None:
    made = pack(tmp_path, t='rows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark hour"]\nthen = ["t"]\n')
    chain = Chain(made, {}).follow({}, {"roll": "t"})
    assert chain.ends == {"t": "the chain is too long"}
    assert chain.tally.mean["rolls", "t"] > 50


def test_a_chain_tells_how_far_it_is(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", 2 = "b", "3.." = "c"}\n[outcome.a]\nthen = ["u"]\n[outcome.b]\nthen = ["v"]\n'
        '[outcome.c]\nthen = ["w"]\n',
        u='rows = {"..3" = "a", "4.." = "b"}\n[outcome.b]\nthen = ["x"]\n',
        v=ROW,
        w=ROW,
        x=ROW,
    )
    told: list[Fraction] = []
    chain = Chain(made, {}, told.append).follow({}, {"roll": "t"})
    assert told == sorted(told) and len(told) == chain.count
    assert set(told) == {Fraction(0), Fraction(1, 3), Fraction(2, 3)}


@pytest.mark.parametrize(("dice", "of"), [("1D", 6), ("2D", 36), ("3D", 216), ("D66", 36)])
def test_every_reading_is_shown_with_dice_that_lie_so(tmp_path: Path, dice: str, of: int) -> None:
    made = pack(tmp_path, t=f'dice = "{dice}"\nrows = {{"1.." = "a"}}\n')
    found = branches(made, {}, {}, {"roll": "t", "bind": {}}, lambda: None)
    for branch in found:
        assert set(branch.result.dice) <= {1, 2, 3, 4, 5, 6}
        assert made.table("t").dice.total(branch.result.dice) == branch.result.rolled == branch.result.net
    assert len({branch.result.rolled for branch in found}) == len(found)
    assert sum(branch.ways for branch in found) == of and {branch.of for branch in found} == {of}


def test_a_row_that_only_the_book_has_still_shows_the_modifiers(tmp_path: Path) -> None:
    made = pack(tmp_path, t='rows = {"..9" = "owner"}\n[[modifier]]\nadd = 2\nwhen = "light = on"\nwhy = "lit"\n')
    found = odds(made, {"light": "on"}, {}, {"roll": "t"})
    assert (found.ways, [(each.add, each.why) for each in found.applied]) == ({"in-your-book": 6}, [(2, "lit")])
    assert [branch.result.title for branch in branches(made, {}, {}, {"roll": "t"}, lambda: None)] == ["t"] * 6
    assert chances(made, "t") == {("rolls", "t"): 1, ("outcome", "t", "in-your-book"): 1}


def test_a_formula_is_worked_out_on_the_sheet_that_its_row_leaves(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"..3" = "a", "4.." = -1}\n[outcome.a]\ndo = ["hour = 3"]\nis = "1D * hour + zone"\n',
    )
    told: list[Fraction] = []
    found = odds(made, {"hour": 9}, {"zone": 2}, {"roll": "t"}, told.append)
    assert list(found.ways.items()) == [("-1", 18), ("5", 3), ("8", 3), ("11", 3), ("14", 3), ("17", 3), ("20", 3)]
    assert told == sorted(told) and min(told) == 0 and max(told) < 1
    assert len(told) > 3 * 6  # each reading of the formula's die is told too
    tally = Chain(made, {"zone": 2}).follow({"hour": 9}, {"roll": "t"}).tally
    assert tally.mean["sum", "t"] == Fraction(-1, 2) + Fraction(1, 2) * (3 * Fraction(7, 2) + 2)


def test_an_order_is_no_decision_even_where_no_dice_are_thrown(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='dice = "-"\nrows = {"0.." = "a"}\n[outcome.a]\nthen = [{order = "Home"}, "u"]\n',
        u='rows = {"1.." = "b"}\n[outcome.b]\nthen = [{order = "Land"}]\n',
    )
    chain = Chain(made, {}).follow({}, {"roll": "t"})
    assert chain.ends == {}
    assert chain.tally.some["outcome", "u", "b"] == 1


X = 'rows = {"0.." = "x"}\n[outcome.x]\n'
LIT = 'rows = {"0.." = {as = "x", with = {light = "off"}}}\n[outcome.x]\nthen = [{when = "light = on", roll = "one"}]\n'


def said(field: str, value: Value) -> str:
    """A line of `do` that writes it."""
    quote = "'" if field in ("city", "fighter.1.type", "fighter.2.type") else ""
    return f'"{field} = {quote}{value}{quote}"'


def on(event: str, when: str = "") -> str:
    """A rule that asks for `one` on an event."""
    return f'[[rule]]\non = "{event}"\nthen = ["one"]\n{when}'


@pytest.mark.parametrize(
    ("field", "values", "read", "rules", "found"),
    [
        # the field, what stands there at one time and at another, a table `d`, rules, how often that asks for `one`
        ("city", ("one", "two"), X + 'then = ["{city}"]\n', "", (1, 0)),
        ("zone", (1, 2), X + 'cases = [{when = "zone = 1", then = ["one"]}, {then = ["two"]}]\n', "", (1, 0)),
        ("zone", (1, 2), X + 'then = [{when = "zone = 2", roll = "one"}, "two"]\n', "", (0, 1)),
        ("zone", (1, 2), X + 'then = [{roll = "one", times = "zone"}]\n', "", (1, 2)),
        ("zone", (3, 2), X + 'do = ["mark zone"]\nthen = [{when = "zone = 4", roll = "one"}]\n', "", (1, 0)),
        ("zone", (1, 2), '[[modifier]]\nadd = "zone"\n[[column]]\nrows = {"0..1" = "y", "2.." = "x"}\n'
         '[outcome.x]\nthen = ["one"]\n', "", (0, 1)),
        ("zone", (1, 2), '[[modifier]]\nadd = 1\nwhen = "late"\n[[column]]\nrows = {0 = "x", 1 = "y"}\n'
         '[outcome.x]\ndo = ["mark zone"]\nthen = [{when = "late", roll = "one"}]\n', "", (0, 1)),
        ("fighter.1.type", ("a", "b"), X + 'then = [{when = "fighter.type = \'a\'", roll = "one"}]\n', "", (1, 0)),
        ("fighter.2.type", ("zeke", None), X + 'then = [{when = "fighter = 2", roll = "one"}]\n', "", (1, 0)),
        ("zone", (1, 2), X + 'do = ["mark hour"]\n', on("hour", 'when = "zone = 1"\n'), (1, 0)),
        ("zone", (1, 2), X + 'do = ["zone = 2"]\n', on("zone"), (2, 1)),  # t has written it once
        ("zone", (1, 2), X + 'do = ["mark zone"]\n', '[[rule]]\nwhen = "zone = 3"\nthen = ["one"]\n', (0, 1)),
        ("seen", (None, 3), X + 'do = ["mark hour"]\n', on("seen"), (0, 2)),
        ("seen", (None, 3), X + 'do = ["mark hour"]\nthen = [{when = "seen = 0", roll = "one"}]\n', "",
         (1, 1)),
        ("light", ("on", "off"), LIT, on("d", 'when = "light = on"\n'), (1, 0)),
        ("fighter.1.fca", (1, 2), 'with = {fighter = "1"}\n' + X + 'do = ["clear fighter", '
         '"mark fighter.1.fca"]\nthen = [{when = "fighter.1.fca = 1", roll = "one"}]\n', "", (1, 1)),
        ("fighter.1.fca", (1, 2), X + 'then = [{when = "some fighter (fighter.fca = 2)", roll = "one"}]\n', "", (0, 1)),
        ("fighter.1.fca", (1, 2), X + 'then = [{for = "fighter", when = "fighter.fca = 2", roll = "one"}]\n', "",
         (0, 1)),
        ("hits.port", (1, 2), X + 'do = ["exchange hits.port, hits.starboard"]\n'
         'then = [{when = "hits.starboard = 2", roll = "one"}]\n', "", (0, 1)),
        ("hits.port", (1, 2), X + 'do = ["mark hour for side if hits[side] = 2"]\n'
         'then = [{roll = "one", times = "hour"}]\n', "", (0, 1)),
        ("fighter.1.fca", (None, 2), 'with = {fighter = "1"}\n' + X + 'do = ["clear fighter"]\n',
         on("fighter.1.fca"), (0, 2)),
    ],
)  # fmt: skip
def test_a_roll_is_worked_out_anew_where_what_it_reads_stands_otherwise(
    tmp_path: Path, field: str, values: tuple[Value | None, Value | None], read: str, rules: str, found: tuple[int, int]
) -> None:
    """One roll on two sheets that differ in one field: in 2 of 6 on the first, in 4 of 6 on the second."""
    for turn in (1, -1):
        folder = tmp_path / f"turn{turn}"
        folder.mkdir()
        first, second = (
            ("" if value is None else f"do = [{said(field, value)}]\n") + 'then = ["d"]\n' for value in values[::turn]
        )
        made = pack(
            folder,
            facts=LATE,
            rules=rules,
            t=f'rows = {{"..2" = "a", "3.." = "b"}}\n[outcome.a]\n{first}[outcome.b]\n{second}',
            d=f'dice = "-"\n{read}',
            one=ROW,
            two=ROW,
        )
        mean = Chain(made, {}).follow({}, {"roll": "t"}).tally.mean
        once, again = found[::turn]
        assert mean.get(("rolls", "one"), 0) == Fraction(2, 6) * once + Fraction(4, 6) * again


def test_rows_taken_without_dice_lead_each_to_its_own(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = "a", "2.." = "b"}\n[outcome.a]\nthen = [{roll = "d", rows = "1..3"}]\n'
        '[outcome.b]\nthen = ["d"]\n',
        d='rows = {1 = "one", 2 = "two", "3.." = "more"}\n',
    )
    mean = Chain(made, {}).follow({}, {"roll": "t"}).tally.mean
    sixth = Fraction(1, 6)
    assert mean["rolls", "d"] == 3 * sixth + 5 * sixth
    for name, share in (("one", 1), ("two", 1), ("more", 4)):
        assert mean["outcome", "d", name] == sixth + 5 * sixth * share * sixth


def test_rolls_that_lead_to_each_other_are_counted_at_least_until_they_come_round(tmp_path: Path) -> None:
    """Each leads to the next 3 times in 6: itself, 1/2, 1/4, and so on for ever if nobody stopped."""
    made = pack(
        tmp_path,
        t='rows = {"..2" = "a", "3..4" = "b", "5.." = "c"}\n[outcome."{step}"]\nthen = ["{step}"]\n',
        **{
            name: f'rows = {{"..3" = "on", "4.." = "off"}}\n[outcome.on]\nthen = ["{following}"]\n'
            for name, following in ("ab", "bc", "ca")
        },
    )
    chain = Chain(made, {}).follow({}, {"roll": "t"})
    for name in "abc":
        once_round = Fraction(1, 3) * (1 + Fraction(1, 2) + Fraction(1, 4))
        assert once_round <= chain.tally.mean["rolls", name] <= once_round * Fraction(8, 7)
    assert set(chain.ends.values()) == {"it comes round to itself"}


@pytest.mark.parametrize(
    ("state", "head", "change"),
    [
        ({}, "zone = 0", "mark zone"),
        ({"zone": 2}, "zone = 2", "zone = 1"),
        ({"fighter.1.type": "zeke"}, "fighter.1.type = 'zeke'", "clear fighter"),
        ({"hits.port": 1}, "hits.port = 1", "exchange hits.port, hits.starboard"),
    ],
)
def test_the_same_table_on_another_sheet_does_not_come_round_to_itself(
    tmp_path: Path, state: dict[str, Value], head: str, change: str
) -> None:
    made = pack(
        tmp_path,
        t=f'[[column]]\nwhen = "{head}"\nrows = {{"1.." = "on"}}\n'
        '[[column]]\nrows = {"..2" = "off", "3.." = "out"}\n[outcome.on]\nthen = ["u"]\n',
        u=f'with = {{fighter = "1"}}\nrows = {{"1.." = "b"}}\n[outcome.b]\ndo = ["{change}"]\nthen = ["t"]\n',
    )
    chain = Chain(made, {}).follow(state, {"roll": "t", "bind": {"fighter": "1"}})
    assert chain.ends == {}
    assert chain.tally.mean["rolls", "t"] == 2 and chain.tally.some["outcome", "t", "off"] == Fraction(1, 3)


def test_a_taken_row_and_a_roll_of_the_same_table_are_two_things(tmp_path: Path) -> None:
    rows = 'rows = {1 = "a", 2 = "b", "3.." = "c"}\n[outcome.a]\n'
    made = pack(tmp_path, t=rows + 'then = [{roll = "t", rows = "2..2"}]\n', u=rows + 'then = ["u"]\n')
    taken = Chain(made, {}).follow({}, {"roll": "t", "take": 1})
    assert (taken.ends, taken.tally.some["outcome", "t", "b"]) == ({}, 1)
    assert chances(made, "t")["outcome", "t", "b"] == Fraction(1, 6) + Fraction(1, 6)
    rolled = Chain(made, {}).follow({}, {"roll": "u", "take": 1})
    assert (rolled.ends, rolled.tally.some["outcome", "u", "b"]) == ({}, Fraction(1, 5))


def test_rows_that_read_alike_are_counted_by_what_they_ask_for(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {1 = {as = "a", with = {side = "port"}}, "2.." = {as = "a", with = {side = "starboard"}}}\n'
        '[outcome.a]\nthen = ["u"]\n',
        u=ROW,
    )
    some = chances(made, "t")
    assert some["outcome", "t", "a"] == some["rolls", "u"] == 1
    assert (some["struck", "side", "port"], some["struck", "side", "starboard"]) == (Fraction(1, 6), Fraction(5, 6))


def test_several_rows_may_ask_to_roll_again(tmp_path: Path) -> None:
    rows = 'rows = {1 = "again", 2 = "once-more", "3..4" = "miss", "5.." = "hit"}\n'
    made = pack(
        tmp_path,
        t=rows + '[outcome.again]\nthen = ["t"]\n[outcome.once-more]\nthen = ["t"]\n',
        u=rows + '[[modifier]]\nadd = 2\nwhen = "light = on"\n'
        '[outcome.again]\nthen = [{roll = "u", with = {light = "on"}}]\n'
        '[outcome.once-more]\nthen = [{roll = "u", with = {city = "\'Kobe\'"}}]\n',
        v='rows = {"1.." = "again"}\n[outcome.again]\nthen = ["v"]\n',
    )
    assert chances(made, "t")["outcome", "t", "hit"] == Fraction(1, 2)
    # p = 2/6 at once, 1/6 x 4/6 with the light on, 1/6 x p in another city
    assert chances(made, "u")["outcome", "u", "hit"] == Fraction(8, 15)
    assert ("outcome", "v", "again") not in chances(made, "v")


def test_in_a_chain_a_new_fighter_is_the_one_that_later_changes_mean(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t="""
rows = {"1.." = "a"}
[[modifier]]
add = 1
when = "fighter.type = 'oscar'"
[outcome.a]
do = ["add fighter (type = 'zeke')", "fighter.2.type = 'tojo'", "mark fighter.fca"]
then = [{when = "fighter.2.fca = 1 and fighter.type = 'tojo'", roll = "u"}]
""",
        u=ROW,
    )
    state: dict[str, Value] = {"fighter.1.type": "oscar", "slots.fighter": 1}
    play = Play(made, state)
    play.roll("t", Hand([[1]]))
    assert asked(play) == ["u"]
    assert Chain(made, {}).follow(state, {"roll": "t"}).tally.some["rolls", "u"] == 1


# -- defects that mutation testing led to -----------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["", ", later = true", ', later = "all"'])
def test_a_fighter_called_off_takes_what_the_same_result_asked_for_it(tmp_path: Path, when: str) -> None:
    made = pack(
        tmp_path,
        rules='[[rule]]\non = "t"\ndo = ["drop fighter"]\n',
        t=row(f'then = [{{roll = "u"{when}}}]'),
        u=ROW,
    )
    play = Play(made, {"fighter.1.type": "zeke"})
    play.roll("t", Hand([[1]]), {"fighter": "1"})
    assert asked(play) == []


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("side.room = 2", True),
        ("side.room in (2, 3)", True),
        ("side.room != 2", False),
        ("side.room >= 3", False),
        ("side.near = left", True),
    ],
)
def test_a_number_that_an_index_gives_its_members_is_a_number(tmp_path: Path, sentence: str, held: bool) -> None:
    assert holds(pack(tmp_path), sentence, side="port") is held


@pytest.mark.parametrize("sign", ["=", ">=", "<="])
@pytest.mark.parametrize("zone", [1, 2])
def test_a_count_is_compared_with_the_number_of_a_member(tmp_path: Path, sign: str, zone: int) -> None:
    made = pack(tmp_path)
    assert holds(made, f"some fighter (zone {sign} fighter)", zone=zone)
    assert not holds(made, "some fighter (zone = fighter)", zone=5)


@pytest.mark.parametrize("line", ["mark hits.port 0", "erase hits.port", "exchange hits.port, hits.starboard"])
def test_to_mark_nothing_is_no_event(tmp_path: Path, line: str) -> None:
    made = pack(
        tmp_path,
        rules='[[rule]]\non = "hits.port"\ndo = ["mark hour"]\n',
        t=row(f'do = ["{line}"]'),
    )
    play = Play(made)
    assert play.roll("t", Hand([[1]])).changes == {}
    assert play.state == {}


def test_a_row_whose_cases_do_not_hold_says_what_must_be_known(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='rows = {"1.." = "go"}\n[outcome.go]\ncases = [{when = "light = on", dice = "2D", rows = {"2.." = "a"}}, '
        '{when = "light = off", dice = "1D", rows = {"1.." = "c"}}]\n',
    )
    with pytest.raises(Problem, match=r"t\.go needs light; say --with light=VALUE, where VALUE is on or off"):
        Play(made).roll("t.go", Hand([[3]]))


def test_a_die_that_a_column_does_not_ask_for_does_not_change_its_row(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        t='dice = "2D"\n[[column]]\nwhen = "light = off"\ndice = "-"\nrows = {"..1" = "none", "2.." = "some"}\n'
        '[[column]]\nrows = {"2.." = "x"}\n',
    )
    assert [Play(made, {"light": "off"}).roll("t", Hand(dice)).outcome for dice in ([], [[3, 4]])] == ["none", "none"]
