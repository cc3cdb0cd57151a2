"""The corners of the engine on a small pack of its own: what each construct of the format does, and how it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.conditions import compile_condition
from companion.engine.needs import Hand, NeedAnswer, NeedChoice
from companion.engine.play import Play
from companion.engine.rules import Rules
from companion.engine.sequence import Sequence
from companion.engine.templates import compile_name, names_in
from companion.mission import Mission
from companion.packs import Pack
from companion.problems import Problem, Trouble
from companion.sheet import Facts, NeedFact

SHEET = """
[index]
fighter = {count = 2, present = "type"}
[index.side]
port = {near = "left"}
starboard = {near = "right"}
[field.zone]
kind = "count"
limit = 5
[field.light]
kind = "choice"
values = ["on", "off"]
[field.name]
[field.step]
[field."hits.{side}"]
kind = "boxes"
limit = 2
[field."slots.fighter"]
kind = "count"
[field."fighter.{fighter}.type"]
[field."fighter.{fighter}.fca"]
kind = "count"
"""


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    (tmp_path / "pack.toml").write_text('title = "Small"\n')
    (tmp_path / "sheet.toml").write_text(SHEET)
    return Pack("small", [tmp_path])


def write(pack: Pack, name: str, text: str) -> None:
    (pack.folders[0] / f"{name}.toml").write_text(text)


def table(pack: Pack, effects: str, rest: str = "") -> Mission:
    """A mission beside a table `t` whose only row has these effects."""
    write(pack, "t", f'id = "t"\ndice = "1D"\nrows = {{"1.." = "a"}}\n[outcome.a]\neffects = [{effects}]\n{rest}')
    return Mission(pack, number=1)


def test_a_condition_of_every_kind(pack: Pack) -> None:
    facts = Facts(pack.sheet, {"zone": 3, "light": "on", "hits.port": 2, "name": "Tokyo"})

    def holds(condition: dict) -> bool:  # type: ignore[type-arg]
        test = compile_condition(condition, pack.sheet)
        return test is None or test(facts)

    assert holds({"zone": {"min": 3, "max": 3}, "light": "on", "hits.port": 2, "hits.starboard": 0})
    assert holds({"zone": {"is": 3}}) and not holds({"zone": {"not": [3, 4]}})
    assert holds({"name": {"not": "osaka"}}) and holds({"name": ["TOKYO", "Kobe"]})
    assert holds({"any": [{"zone": 1}, {"light": "on"}]}) and holds({"any": [{}]})
    assert holds({"all": [{"zone": 3}, {"light": "on"}]}) and not holds({"not": {}})
    assert holds({"count": {"each": "side", "where": {"hits.{side}": 2}, "min": 1, "max": 1}})
    assert holds({"some": {"each": "side", "where": {"side.near": "left", "hits.{side}": 2}}})
    assert holds({"none": {"each": "side", "where": {"side": "starboard", "hits.{side}": 2}}})
    assert holds({"some": {"each": "side", "where": {"any": [{"side": "port"}, {"side": "none"}]}}})
    assert not holds({"some": {"each": "side", "where": {"all": [{"side": "port"}, {"side": "starboard"}]}}})
    assert not holds({"some": {"each": "side", "where": {"not": {"side": ["port", "starboard"]}}}})
    with pytest.raises(Trouble):
        holds({"zone": {"about": 3}})
    with pytest.raises(Trouble):
        holds({"zone": {}})
    with pytest.raises(Trouble):
        holds({"some": {"each": "wing"}})


def test_names_with_braces() -> None:
    assert compile_name("plain") == "plain"
    assert names_in("a.{b.{c}}.d") == ["c", "b.{c}"]
    made = compile_name("x.{side}.y")
    assert not isinstance(made, str) and made({"side": "port"}) == "x.port.y"
    with pytest.raises(Trouble):
        compile_name("x.{side")


def test_effects_swap_mark_erase_and_stop_at_the_limits(pack: Pack) -> None:
    mission = table(
        pack,
        '{swap = "hits.port", with = "hits.starboard"}, {mark = "hits.port", n = 5}, {erase = "zone", n = 9},'
        '{each = "side", where = {"hits.{side}" = 0}, set = "light", to = "on"}',
    )
    mission.write({"hits.port": 1, "zone": 2})
    result = mission.roll("t", Hand([[1]]))[0]
    assert (mission.state["hits.port"], mission.state["hits.starboard"], mission.state["zone"]) == (2, 1, 0)
    assert [text.partition(": ")[2] for text, _ in result.notes] == [
        "2 of 5, there is no more", "2 of 9, there is no more",
    ]  # fmt: skip
    assert "light" not in mission.state


def test_fighters_come_and_go_and_the_chart_has_an_end(pack: Pack) -> None:
    mission = table(pack, '{add = "fighter", set = {type = "zeke"}}', 'then = ["u"]\n')
    write(pack, "u", 'id = "u"\ndice = "1D"\nrows = {1 = "gone", "2.." = "stays"}\n[outcome.gone]\n'
                     'effects = [{clear = "fighter"}]\n[outcome.stays]\neffects = [{drop = "fighter"}]\n')  # fmt: skip
    mission.roll("t", Hand([[1]]))
    mission.roll("t", Hand([[1]]))
    assert mission.state["fighter.2.type"] == "zeke"
    full = mission.roll("t", Hand([[1]]))[0]
    assert full.notes == [("No room for another fighter: the sheet has 2", "")]
    second = mission.pending[1]
    assert second["bind"] == {"fighter": "2"}
    Play(pack, mission.state, mission.pending).roll("u", Hand([[1]]), {"fighter": "2"}, item=second)
    play = Play(pack, mission.state, mission.pending)
    play.roll("u", Hand([[1]]), {"fighter": "2"}, item=second)
    assert "fighter.2.type" not in play.state and second not in play.pending
    unbound = Play(pack, {}, [])
    unbound.roll("u", Hand([[1]]))
    unbound.roll("u", Hand([[2]]))
    assert unbound.state == {}


def test_an_effect_on_nobody_does_nothing_and_one_on_nothing_is_the_packs_fault(pack: Pack) -> None:
    mission = table(pack, '{mark = "fighter.fca"}, {set = "fighter.type", to = "x"}')
    assert mission.roll("t", Hand([[1]]))[0].changes == {}
    for number, effects in enumerate(('{set = "sun", to = "up"}', '{dance = "yes"}', '{mark = "zone", n = "many"}')):
        row = f'dice = "1D"\nrows = {{"1.." = "a"}}\n[outcome.a]\neffects = [{effects}]'
        write(pack, f"w{number}", f'id = "w{number}"\n{row}')
    fresh = Pack("small", pack.folders)
    for number in range(3):
        with pytest.raises(Problem):
            Mission(fresh).roll(f"w{number}", Hand([[1]]))


def test_rules_that_chase_each_other_are_stopped(pack: Pack) -> None:
    write(pack, "rules", '[[rule]]\nwhen = {light = "on"}\neffects = [{set = "light", to = "off"}]\n'
                         '[[rule]]\nwhen = {light = "off"}\neffects = [{set = "light", to = "on"}]\n')  # fmt: skip
    with pytest.raises(Trouble, match="set each other off"):
        Mission(Pack("small", pack.folders)).write({"light": "on"})
    with pytest.raises(Trouble, match="neither"):
        _ = Rules([{"text": "?"}], pack.sheet).by_fact


def test_steps_in_a_circle_and_steps_that_are_not_there(pack: Pack) -> None:
    write(pack, "sequence", '[[step]]\nid = "a"\ngo = "a"\n')
    with pytest.raises(Trouble, match="circle"):
        Mission(Pack("small", pack.folders)).advance()
    with pytest.raises(Trouble, match="same id"):
        Sequence([{"id": "a"}, {"id": "a"}], pack.sheet)
    steps = Sequence([{"id": "a", "go": "end"}, {"id": "b", "go": "nowhere"}], pack.sheet)
    assert (steps.after("start"), steps.after("a"), steps.after("end")) == (0, 1, 2)
    assert steps.target(steps.steps[0]) == 2
    with pytest.raises(Trouble):
        steps.target(steps.steps[1])
    with pytest.raises(Trouble):
        steps.after("z")


def test_orders_stand_once_and_end_by_themselves(pack: Pack) -> None:
    mission = table(pack, "", 'then = [{order = "Come down", done = {zone = 1}, cite = "9"}]\n')
    mission.roll("t", Hand([[1]]))
    mission.roll("t", Hand([[1]]))
    assert [item["order"] for item in mission.pending] == ["Come down"]
    mission.write({"zone": 1})
    assert mission.pending == []


def test_questions_and_choices(pack: Pack) -> None:
    write(pack, "choices", '[choice.lamp]\ntitle = "The lamp?"\n[[choice.lamp.option]]\nname = "leave"\n'
          '[[choice.lamp.option]]\nname = "switch-on"\nwhen = {light = "off"}\nusual = {zone = 1}\n'
          'effects = [{set = "light", to = "on"}]\n')  # fmt: skip
    fresh = Pack("small", pack.folders)
    mission = table(fresh, "", 'then = [{choose = "lamp"}, {ask = "zone", usual = 2}, {roll = "none"}]\n')
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
        fresh.choice("door")


def test_writing_about_one_of_several_asks_for_its_number(pack: Pack) -> None:
    with pytest.raises(Problem, match="fighter.1.fca"):
        Play(pack).write({"fighter.fca": 1}, "set")


def test_a_row_taken_without_dice_a_net_beyond_the_rows_and_a_row_too_many(pack: Pack) -> None:
    write(pack, "r", 'id = "r"\ndice = "1D"\nrows = {1 = "a", 2 = "b"}\n')
    assert Mission(pack).game.table("r").columns[0].rows.row(2) == "2"
    assert Mission(pack).game.table("r").columns[0].rows.row(5) == ""
    play = Play(pack)
    assert play.roll("r", Hand(), take=2).outcome == "b"
    with pytest.raises(Problem, match="no row for a net 5"):
        play.roll("r", Hand([[5]]))
    write(pack, "s", 'id = "s"\ndice = "1D"\n[[column]]\nwhen = {light = "on"}\nrows = {"1.." = "a"}\n')
    pack = Pack("small", pack.folders)
    with pytest.raises(Problem, match="s needs light"):
        Play(pack).roll("s", Hand([[1]]))
    with pytest.raises(Problem, match="no column for light=off"):
        Play(pack, {"light": "off"}).roll("s", Hand([[1]]))


def test_the_memory_of_a_table_needs_to_know_whose(pack: Pack) -> None:
    write(pack, "m", 'id = "m"\ndice = "1D"\nonce = "hits.{side}"\nrows = {"1.." = "a"}\n')
    with pytest.raises(Problem, match="m needs side; say --with side=VALUE, where VALUE is port or starboard"):
        Play(pack).roll("m", Hand([[1]]))


def test_words_put_in_late_are_compared_without_regard_to_case(pack: Pack) -> None:
    late = compile_condition({"name": ["{light}"]}, pack.sheet)
    assert late is not None
    facts = Facts(pack.sheet, {"name": "Tokyo", "light": "tokyo"})
    assert late(facts)
    assert not late(Facts(pack.sheet, {"name": "Tokyo", "light": "kobe"}))


def test_an_empty_slot_is_never_asked_for(tmp_path: Path) -> None:
    asked = SHEET.replace(
        '[field."fighter.{fighter}.fca"]',
        '[field."fighter.{fighter}.clock"]\nask = true\n[field."fighter.{fighter}.fca"]',
    )
    (tmp_path / "pack.toml").write_text('title = "Small"\n')
    (tmp_path / "sheet.toml").write_text(asked)
    made = Pack("small", [tmp_path])
    same = compile_condition({"some": {"each": "fighter", "where": {"fighter.{fighter}.clock": "12"}}}, made.sheet)
    assert same is not None
    facts = Facts(made.sheet, {"fighter.1.type": "zeke", "fighter.1.clock": "6"}, asking=True)
    assert not same(facts)  # the second slot is empty: nobody has to say from where nothing attacks
    facts.change("fighter.2.type", "zeke")
    with pytest.raises(NeedFact):
        same(facts)
    meant = Facts(made.sheet, {"fighter": "2"}, asking=True)
    with pytest.raises(NeedFact):
        assert meant["fighter.clock"]
