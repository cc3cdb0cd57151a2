"""Decisions and questions: their options, wording and answers."""

from pathlib import Path
from typing import Any

import pytest

from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.engine.questions import ChoiceQuestion, FieldQuestion, Pending, settle
from companion.play.mission import Mission
from companion.problems import UserError
from tests.support import ROW, asks, pack


def test_a_declined_choice_is_asked_again_when_a_fact_changes(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        choices='[choice.lamp]\ntitle = "The lamp?"\n[[choice.lamp.option]]\nname = "yes"\ndo = ["light = on"]\n'
        '[[choice.lamp.option]]\nname = "no"\nagain-when = ["zone", "hour + 0 >= 3", "hits[side]"]\n',
        sequence='[[step]]\nid = "lamp"\ntitle = "The lamp"\n'
        'then = [{choose = "lamp", for = "side", when = "lamp.again[side]"}]\n',
    )
    mission = Mission(game)

    def asked() -> list[Value]:
        mission.write({"step": ""})
        mission.advance()
        asked, mission.pending = [item.bind["side"] for item in mission.pending], []
        return asked

    assert asked() == ["port", "starboard"]
    mission.write({"step": ""})
    mission.advance()
    mission.roll(None, Hand(), outcome="no")
    mission.undo()
    assert "lamp.answered.port" not in mission.state
    mission.roll(None, Hand(), outcome="no")
    mission.pending = []
    assert asked() == ["starboard"]
    for field, value, again in (("hour", 2, False), ("hour", 3, True), ("hour", 2, False), ("hits.port", 1, True)):
        mission.write({field: value})
        assert ("port" in asked()) == again
    mission.write({"hits.port": 0})
    assert "port" not in asked()
    mission.write({"zone": 5})
    mission.write({"zone": 0})  # there and back
    assert "port" in asked()


def test_an_answer_to_a_question_is_written_and_rules_follow(tmp_path: Path) -> None:
    game = pack(tmp_path, rules='[[rule]]\non = "zone"\ndo = ["mark hour"]\n')
    item: dict[str, Any] = Pending.of({"ask": "zone", "bind": {}})
    for state, usual in (({}, 0), ({"zone": 2}, 2)):
        with asks(FieldQuestion) as question:
            settle(Play(game, state, [item]).answer(item, None))
        assert (question.value.name, question.value.usual, question.value.label) == (
            "zone", usual, game.sheet.text("zone"),
        )  # fmt: skip
    play = Play(game, {}, [item])
    result = settle(play.answer(item, "3"))
    assert (result.table, result.outcome, result.decision) == ("zone", "3", True)
    assert (play.state, play.pending) == ({"zone": 3, "hour": 1}, [])
    with pytest.raises(UserError):
        settle(Play(game, {}, [item]).answer(item, "six"))


def test_options_that_held_for_one_command_are_not_offered_in_the_next(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        choices='[choice.who]\ntitle = "Who?"\n[[choice.who.option]]\nname = "tail"\n[[choice.who.option]]\n'
        'name = "top"\n[[choice.who.option]]\nname = "nose"\nwhen = "light = on"\n',
    )
    mission = Mission(game, {}, [Pending.of({"choose": "who", "bind": {}})])
    offered = []
    for facts in ({"light": "on"}, {}, {"light": "on"}):
        with asks(ChoiceQuestion) as need:
            mission.roll(None, Hand(), facts)
        offered.append([each.name for each in need.value.options])
    assert offered == [["tail", "top", "nose"], ["tail", "top"], ["tail", "top", "nose"]]
    mission.write({"light": "on"})
    with asks(ChoiceQuestion, match="nose"):
        mission.roll(None, Hand())


def test_which_decision_is_asked_for_may_come_from_the_sheet(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"1.." = "a"}\n[outcome.a]\nthen = [{choose = "{city}"}, {roll = "{light}"}]\n')
    play = Play(game, {"city": "who", "light": "on"})
    assert settle(play.roll("t", Hand([[1]]))).then == ["who", "on"]


def test_a_decision_is_put_in_its_own_words(tmp_path: Path) -> None:
    game = pack(
        tmp_path,
        choices='[choice.who]\ntitle = "Who minds the {side} side?"\n[[choice.who.option]]\n'
        'name = "tail"\ntext = "The tail gunner, {side}"\nthen = ["u"]\n[[choice.who.option]]\nname = "top"\n'
        'usual = true\ndo = ["mark hits[side]"]\n',
        u=ROW,
    )
    item = Pending.of({"choose": "who", "bind": {"side": "port"}})
    play = Play(game, {}, [item])
    with asks(ChoiceQuestion) as need:
        settle(play.choose(item, None))
    assert (need.value.name, need.value.title) == ("who", "Who minds the port side?")
    assert [(each.name, each.text, each.usual) for each in need.value.options] == [
        ("top", "top", True),
        ("tail", "The tail gunner, port", False),
    ]
    assert str(need.value) == "Who minds the port side? Answer with --outcome top or tail"
    with asks(ChoiceQuestion):
        settle(play.choose(item, "nose"))
    assert [each.text for each in play.options_of(Pending.of({"choose": "who"}))] == ["top", "The tail gunner, none"]
    result = settle(play.choose(item, "Tail"))
    assert (result.outcome, result.cite, result.bind, result.then) == ("tail", "", {"side": "port"}, ["u"])
    assert [each.bind for each in play.pending] == [{"side": "port"}]
    again = Play(game, {}, [item])
    assert (settle(again.choose(item, "top")).outcome, again.state) == ("top", {"hits.port": 1})
