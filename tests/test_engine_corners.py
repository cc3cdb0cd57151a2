"""The corners of the engine on a small pack of its own: what each construct of the format does, and how it fails."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.engine.needs import Hand, NeedAnswer, NeedChoice
from companion.engine.play import Play
from companion.engine.sheet import Facts, NeedFact
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import Problem, Trouble
from tests import support
from tests.support import row

SHEET = """
[sections]
all = "All"
[index]
fighter = {count = 2, present = "type"}
[index.side]
port = {near = "left"}
starboard = {near = "right"}
[fields.all]
zone = {kind = "count", limit = 5}
light = {values = "on off"}
name = {}
step = {}
"hits[side]" = {boxes = 2}
"slots.fighter" = {kind = "count"}
"fighter[fighter].type" = {}
CLOCK
"fighter[fighter].fca" = {kind = "count"}
"""


def pack(folder: Path, **files: str) -> Pack:
    return support.pack(folder, sheet=SHEET.replace("CLOCK", ""), **files)


def table(folder: Path, do: str, rest: str = "", **files: str) -> Mission:
    """A mission beside a table `t` whose only row does this."""
    return Mission(pack(folder, t=row(f"do = [{do}]\n{rest}"), **files), number=1)


@pytest.mark.parametrize(
    ("sentence", "held"),
    [
        ("zone >= 3 and zone <= 3 and light = on and hits.port = 2 and hits.starboard = 0", True),
        ("zone = 3", True),
        ("zone not in (3, 4)", False),
        ("name != 'osaka'", True),
        ("name in ('TOKYO', 'Kobe')", True),
        ("zone = 1 or light = on", True),
        ("yes", True),
        ("no", False),
        ("zone = 3 and light = on", True),
        ("not yes", False),
        ("count side (hits[side] = 2) = 1", True),
        ("some side (side.near = left and hits[side] = 2)", True),
        ("no side (side = starboard and hits[side] = 2)", True),
        ("some side (side = port or side = none)", True),
        ("some side (side = port and side = starboard)", False),
        ("some side (side not in (port, starboard))", False),
        ("every side (hits[side] <= 2)", True),
        ("every side (hits[side] = 2)", False),
        ("sum side (hits[side] + 1) = 4", True),
    ],
)
def test_a_condition_of_every_kind(tmp_path: Path, sentence: str, held: bool) -> None:
    state = {"zone": 3, "light": "on", "hits.port": 2, "name": "Tokyo"}
    assert support.holds(pack(tmp_path), sentence, **state) is held


@pytest.mark.parametrize("sentence", ["zone about 3", "zone", "some wing (yes)", "zone = ", "some side (hits.left)"])
def test_a_condition_that_makes_no_sense_is_the_packs_fault(tmp_path: Path, sentence: str) -> None:
    with pytest.raises(Trouble):
        support.holds(pack(tmp_path), sentence)


def test_a_text_takes_any_expression_between_braces(tmp_path: Path) -> None:
    made = pack(tmp_path, t=row("text = \"{light}, {zone + 1}: {hits[side]} {side.near} {'gone' if zone = 3 else 5}\""))
    state: dict[str, str | int] = {"light": "on", "zone": 3, "hits.port": 2}
    assert Play(made, state).roll("t", Hand([[1]]), {"side": "port"}).text == "on, 4: 2 left gone"
    broken = pack(tmp_path / "broken", t=row('text = "x {side"'))
    with pytest.raises(Trouble, match="this brace is not closed"):
        broken.table("t")


def test_changes_exchange_mark_erase_and_stop_at_the_limits(tmp_path: Path) -> None:
    mission = table(
        tmp_path,
        '"exchange hits.port, hits.starboard", "mark hits.port 5", "erase zone 9",'
        '"light = on for side if hits[side] = 0"',
    )
    mission.write({"hits.port": 1, "zone": 2})
    result = mission.roll("t", Hand([[1]]))[0]
    assert (mission.state["hits.port"], mission.state["hits.starboard"], mission.state["zone"]) == (2, 1, 0)
    assert [text.partition(": ")[2] for text, _ in result.notes] == [
        "2 of 5, there is no more", "2 of 9, there is no more",
    ]  # fmt: skip
    assert "light" not in mission.state


def test_fighters_come_and_go_and_the_chart_has_an_end(tmp_path: Path) -> None:
    mission = table(
        tmp_path,
        '''"add fighter (type = 'zeke')"''',
        'then = ["u"]\n',
        u='rows = {1 = "gone", "2.." = "stays"}\n[outcome.gone]\ndo = ["clear fighter"]\n'
        '[outcome.stays]\ndo = ["drop fighter"]\n',
    )
    made = mission.game
    mission.roll("t", Hand([[1]]))
    mission.roll("t", Hand([[1]]))
    assert mission.state["fighter.2.type"] == "zeke"
    full = mission.roll("t", Hand([[1]]))[0]
    assert full.notes == [("No room for another fighter: the sheet has 2", "")]
    second = mission.pending[1]
    assert second["bind"] == {"fighter": "2"}
    Play(made, mission.state, mission.pending).roll("u", Hand([[1]]), {"fighter": "2"}, item=second)
    play = Play(made, mission.state, mission.pending)
    play.roll("u", Hand([[1]]), {"fighter": "2"}, item=second)
    assert "fighter.2.type" not in play.state and second not in play.pending
    unbound = Play(made, {}, [])
    unbound.roll("u", Hand([[1]]))
    unbound.roll("u", Hand([[2]]))
    assert unbound.state == {}


def test_a_change_on_nobody_does_nothing(tmp_path: Path) -> None:
    mission = table(tmp_path, '''"mark fighter.fca", "fighter.type = 'x'", "mark hits[side]"''')
    assert mission.roll("t", Hand([[1]]))[0].changes == {}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("sun = 5", "there is no fact sun"),
        ("dance yes", "here stands what does not fit"),
        ("mark zone many", "there is no fact many"),
        ("mark light", "this is no number to be counted"),
        ("clear wing", "there is no index wing; known are fighter or side"),
        ("drop wing", "there is no index wing"),
        ("add fighter (tail = 1)", "one fighter has no tail"),
        ("zone = light", "a number stands here, not a word"),
        ("light = dim", "dim is neither a fact nor one of on or off"),
        ("name = Tokyo", "a text stands in quotes: 'Tokyo'"),
        ("light = on for wing", "there is no index wing"),
        ("side = port", "side is worked out or belongs to the game and cannot be written"),
        ("hits[side].more = 1", "no field of the sheet"),
        ("exchange zone, light.more", "there is no fact light.more"),
    ],
)
def test_a_line_of_do_that_cannot_be_carried_out_is_the_packs_fault(tmp_path: Path, line: str, told: str) -> None:
    with pytest.raises(Trouble) as refused:
        table(tmp_path, f'"{line}"').roll("t", Hand([[1]]))
    assert told in str(refused.value)
    assert re.search(r"t\.toml, line \d+: outcome\.a, do 1: ", str(refused.value))


def test_rules_that_chase_each_other_are_stopped(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        rules='[[rule]]\nwhen = "light = on"\ndo = ["light = off"]\n'
        '[[rule]]\nwhen = "light = off"\ndo = ["light = on"]\n',
    )
    with pytest.raises(Trouble, match="set each other off"):
        Mission(made).write({"light": "on"})


def test_steps_in_a_circle_and_steps_that_are_not_there(tmp_path: Path) -> None:
    made = pack(tmp_path, sequence='[[step]]\nid = "a"\ngo = "a"\n')
    with pytest.raises(Trouble, match="circle"):
        Mission(made).advance()
    twice = pack(tmp_path / "twice", sequence='[[step]]\nid = "a"\n[[step]]\nid = "a"\n')
    with pytest.raises(Trouble, match="same id"):
        assert twice.sequence
    odd = pack(tmp_path / "odd", sequence='[[step]]\nid = "a"\ngo = "end"\n[[step]]\nid = "b"\ngo = "nowhere"\n')
    steps = odd.sequence
    assert (steps.after("start"), steps.after("a"), steps.after("end")) == (0, 1, 2)
    assert steps.target(steps.steps[0]) == 2
    with pytest.raises(Trouble):
        steps.target(steps.steps[1])
    with pytest.raises(Trouble):
        steps.after("z")


def test_orders_stand_once_and_end_by_themselves(tmp_path: Path) -> None:
    mission = table(tmp_path, "", 'then = [{order = "Come down", until = "zone = 1", cite = "9"}]\n')
    mission.roll("t", Hand([[1]]))
    mission.roll("t", Hand([[1]]))
    assert [item["order"] for item in mission.pending] == ["Come down"]
    mission.write({"zone": 1})
    assert mission.pending == []


def test_an_order_ends_for_the_one_it_was_given_about(tmp_path: Path) -> None:
    order = 'then = [{order = "Mind {side}", until = "hits[side] = 2"}, {order = "Look out"}]\n'
    mission = table(tmp_path, "", order)
    mission.roll("t", Hand([[1]]), {"side": "port"})
    mission.roll("t", Hand([[1]]), {"side": "starboard"})
    assert [(item["order"], item.get("bind")) for item in mission.pending] == [
        ("Mind port", {"side": "port"}),
        ("Look out", None),  # nothing of what is bound ends it
        ("Mind starboard", {"side": "starboard"}),
    ]
    mission.write({"hits.starboard": 2})
    assert [item["order"] for item in mission.pending] == ["Mind port", "Look out"]
    mission.undo()
    mission.write({"hits.port": 2})
    assert [item["order"] for item in mission.pending] == ["Look out", "Mind starboard"]


def test_an_order_of_an_older_file_is_still_ended(tmp_path: Path) -> None:
    """The sentence of the order stands in no file any more; and one in the words of the first edition."""
    made = pack(tmp_path)
    waiting = [
        {"order": "New", "done": "zone >= 2", "by": "gone"},
        {"order": "Old", "done": {"zone": {"min": 3}, "not": {"light": "on"}}},
        {"order": "Mine", "done": {"hits.{side}": 1}, "bind": {"side": "port"}},
    ]
    left = []
    for state in ({"zone": 1}, {"zone": 2}, {"zone": 3, "light": "on"}, {"zone": 3}, {"hits.port": 1}):
        mission = Mission(made, {}, [dict(item) for item in waiting])
        mission.write(state)
        left.append([item["order"] for item in mission.pending])
    assert left == [["New", "Old", "Mine"], ["Old", "Mine"], ["Old", "Mine"], ["Mine"], ["New", "Old"]]


def test_questions_and_choices(tmp_path: Path) -> None:
    mission = table(
        tmp_path,
        "",
        'then = [{choose = "lamp"}, {ask = "zone", usual = 2}, {roll = "none"}]\n',
        choices="""
[choice.lamp]
title = "The lamp?"
[[choice.lamp.option]]
name = "leave"
[[choice.lamp.option]]
name = "switch-on"
when = "light = off"
usual = "zone = 1"
do = ["light = on"]
""",
    )
    mission.write({"light": "off", "zone": 1})
    mission.roll("t", Hand([[1]]))
    with pytest.raises(NeedChoice) as asked:
        mission.roll(None, Hand())
    assert [option.name for option in asked.value.options] == ["switch-on", "leave"]
    mission.roll(None, Hand(), outcome="Switch-ON")
    assert mission.state["light"] == "on"
    with pytest.raises(NeedAnswer) as question:
        mission.roll(None, Hand())
    assert question.value.usual == 2
    with pytest.raises(Problem):
        mission.roll(None, Hand(), outcome="9")
    mission.roll(None, Hand(), outcome="4")
    assert (mission.state["zone"], mission.pending) == (4, [])
    with pytest.raises(Trouble):
        mission.game.choice("door")


def test_writing_about_one_of_several_asks_for_its_number(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="fighter.1.fca"):
        Play(pack(tmp_path)).write({"fighter.fca": 1}, "set")


def test_a_row_taken_without_dice_a_net_beyond_the_rows_and_a_row_too_many(tmp_path: Path) -> None:
    made = pack(
        tmp_path,
        r='rows = {1 = "a", 2 = "b"}\n',
        s='[[column]]\nwhen = "light = on"\nrows = {"1.." = "a"}\n',
    )
    assert made.table("r").columns[0].rows.row(2) == "2"
    assert made.table("r").columns[0].rows.row(5) == ""
    play = Play(made)
    assert play.roll("r", Hand(), take=2).outcome == "b"
    with pytest.raises(Problem, match="no row for a net 5"):
        play.roll("r", Hand([[5]]))
    with pytest.raises(Problem, match="s needs light"):
        Play(made).roll("s", Hand([[1]]))
    with pytest.raises(Problem, match="no column for light=off"):
        Play(made, {"light": "off"}).roll("s", Hand([[1]]))


def test_the_memory_of_a_table_needs_to_know_whose(tmp_path: Path) -> None:
    rows = 'memory = "hits[side]"\nrows = {"1.." = "a"}\n[outcome.a]\ndo = ["mark zone"]\n'
    made = pack(tmp_path, m=rows + "once = true\n", n=rows)
    with pytest.raises(Problem, match="m needs side; say --with side=VALUE, where VALUE is port or starboard"):
        Play(made).roll("m", Hand([[1]]))
    assert Play(made).roll("n", Hand([[1]])).outcome == "a"  # nothing is remembered of its row


def test_a_text_of_the_sheet_is_compared_without_regard_to_case(tmp_path: Path) -> None:
    made = pack(tmp_path)
    for state, held in (({"light": "on", "name": "On"}, True), ({"light": "off", "name": "On"}, False)):
        assert support.holds(made, "name = light", **state) is held
        assert support.holds(made, "name in ('kobe', light)", **state) is held
    assert support.holds(made, "name = 'iwo-jima'", name="Iwo Jima")


def test_an_empty_slot_is_never_asked_for(tmp_path: Path) -> None:
    asked = SHEET.replace("CLOCK", '"fighter[fighter].clock" = {ask = true}')
    made = support.pack(tmp_path, sheet=asked)
    same = made.condition("some fighter (fighter[fighter].clock = '12')")
    facts = Facts(made.sheet, {"fighter.1.type": "zeke", "fighter.1.clock": "6"}, asking=True)
    assert not same(facts)  # the second slot is empty: nobody has to say from where nothing attacks
    facts.change("fighter.2.type", "zeke")
    with pytest.raises(NeedFact):
        same(facts)
    meant = Facts(made.sheet, {"fighter": "2"}, asking=True)
    with pytest.raises(NeedFact):
        assert meant["fighter.clock"]
