"""Missing facts: asked for in order, listed as assumed, and the subjects allowed for a roll by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.pending import Pending
from companion.engine.play import Play
from companion.engine.questions import settle
from companion.packs import Pack
from companion.play.mission import Mission
from companion.play.replay import replay_entry
from companion.problems import MissingAnswer, UserError
from tests.support import asks, pack

DUEL = """
[[column]]
when = "fighter.type = 'zeke'"
rows = {"..9" = "a"}
[[column]]
when = "fighter.type = 'tojo'"
rows = {"..9" = "b"}
[[modifier]]
id = "seen"
add = "seen"
[[modifier]]
id = "fca"
add = "-fighter.fca"
[[modifier]]
id = "hits"
add = "hits.both"
"""
BOTH = """
"hits.both" = {is = "sum side (hits[side])"}
"type.known" = {is = "fighter.type = 'zeke'"}
"""


@pytest.fixture
def duel(tmp_path: Path) -> Pack:
    sheet = '"fighter[fighter].pilot" = {values = "green ace", default = "green", ask = false}\n'
    return pack(tmp_path, fields=sheet, facts=BOTH, t=DUEL)


def order(game: Pack, table: str, **answers: Value) -> list[str]:
    """Return the facts asked for, in order, until the table can be rolled."""
    said: dict[str, Value] = {}
    while True:
        play = Play(game, {}, (), said)
        play.facts.ask(True)
        try:
            settle(play.roll(table, Hand([[1]])))
            return list(said)
        except MissingAnswer as missing:
            question = missing.question
        assert isinstance(question, FactQuestion)
        said[question.name] = answers[question.name.replace(".", "_")]


def test_the_column_asks_first_and_the_modifiers_in_the_order_of_the_sheet(duel: Pack) -> None:
    assert order(duel, "t", fighter_type="zeke", fighter_fca=1) == ["fighter.type", "fighter.fca"]


def test_a_given_or_recorded_fact_is_neither_asked_nor_assumed(duel: Pack) -> None:
    game: dict[str, Value] = {"fighter.1.type": "zeke", "fighter.1.fca": 1, "seen": 2, "hits.port": 1}
    play = Play(duel, game)
    play.facts.ask(True)
    with asks(FactQuestion, r'A roll needs "Fighter" \(1'):
        settle(play.roll("t", Hand([[1]])))  # for one that is present it may differ
    result = settle(play.roll("t", Hand([[1]]), {"fighter": "1"}))
    assert (result.net, result.assumed) == (3, {"hits.starboard": 0})


def test_a_worked_out_fact_is_explained_by_its_inputs(duel: Pack) -> None:
    facts = Facts(duel.sheet, noting=True)
    assert facts["type.known"] == "no"
    assert facts.assumed == {"fighter.type": ""}
    assert list(facts.unsaid) == ["fighter.type"]


def test_a_fact_that_is_never_asked_is_still_listed(duel: Pack) -> None:
    facts = Facts(duel.sheet, asking=True, noting=True)
    assert facts["fighter.pilot"] == "green"
    assert facts.assumed == {"fighter.pilot": "green"}


def test_a_slot_that_is_meant_and_empty_says_nothing(duel: Pack) -> None:
    facts = Facts(duel.sheet, {"fighter": "2"}, noting=True)
    assert facts["fighter.fca"] == 0
    assert (facts.assumed, list(facts.unsaid)) == ({"fighter.2.fca": 0}, ["fighter.2.fca"])


def test_facts_about_a_described_fighter_apply_to_follow_ups(tmp_path: Path) -> None:
    game = pack(tmp_path, t='rows = {"..6" = "a"}\n[outcome.a]\nthen = [{roll = "u", times = 2}]\n', u=DUEL, facts=BOTH)
    play = Play(game, {}, (), {"fighter.type": "zeke"})
    settle(play.roll("t", Hand([[1]])))
    assert [item.bind for item in play.pending] == [{"fighter.type": "zeke"}] * 2
    play = Play(game, {}, play.pending, {"fighter.fca": 2})
    assert settle(play.roll("u", Hand([[5]]), play.pending[0].bind, item=play.pending[0])).net == 3
    assert [item.bind for item in play.pending] == [{"fighter.type": "zeke", "fighter.fca": 2}]


SENSE = 'ask = "side"\nwhen = "hits[side] < 2"\nwhy = "{side.near} has had enough"\nrows = {"..9" = "a"}\n[outcome.a]\n'


@pytest.fixture
def wall(tmp_path: Path) -> Pack:
    die = '[outcome.b]\ndice = "1D"\nrows = {"..9" = "c"}\n[outcome.b.outcome.c]\ntext = "{side}"\n'
    note = '[sub.n]\ndice = "1D"\nrows = {"..9" = "c"}\n[sub.n.outcome.c]\ntext = "a note"\n'
    return pack(tmp_path, t=SENSE.replace('"..9" = "a"', '"..5" = "a", "6.." = "b"') + 'text = "a"\n' + die + note)


def test_by_hand_it_is_only_for_those_for_whom_it_makes_sense(wall: Pack) -> None:
    play = Play(wall, {"hits.port": 2}, (), {"side": "port"})
    with pytest.raises(UserError, match="^t: left has had enough. Choose starboard$"):
        settle(play.roll("t", Hand([[1]])))
    assert play.facts["hits.port"] == 2
    assert settle(Play(wall, {"hits.port": 2}, (), {"side": "starboard"}).roll("t", Hand([[1]]))).outcome == "a"


def test_it_asks_for_one_of_them(wall: Pack) -> None:
    play = Play(wall, {"hits.port": 2})
    play.facts.ask(True)
    with asks(FactQuestion) as asked:
        settle(play.roll("t", Hand([[1]])))
    assert (asked.value.name, asked.value.declared.values) == ("side", ("starboard",))
    with asks(FactQuestion, r'A roll needs "Side" \(starboard'):
        settle(play.roll("t.b", Hand([[1]])))
    assert settle(play.roll("t.n", Hand([[1]]))).outcome == "c"  # a note of the table is a table of its own


def test_a_roll_without_a_valid_subject_is_refused(wall: Pack) -> None:
    play = Play(wall, {"hits.port": 2, "hits.starboard": 3})
    play.facts.ask(True)
    with pytest.raises(UserError, match="^t: No side fits$"):
        settle(play.roll("t", Hand([[1]])))


def test_a_pending_roll_does_not_count_against_the_bomber(wall: Pack) -> None:
    item = Pending.of({"roll": "t", "bind": {"side": "port"}, "born": 1})
    play = Play(wall, {"hits.port": 2}, [item])
    assert settle(play.roll("t", Hand([[1]]), item.bind, item=item)).outcome == "a"


def test_an_old_roll_can_be_explained(wall: Pack) -> None:
    """A campaign may contain a roll that would be refused today."""
    mission = Mission(wall, {"hits.port": 2}, number=1)
    mission.roll("t", Hand([[1]]), {"side": "starboard"})
    mission.journal.entries[0].update({"w": {"side": "port"}, "b": {"side": "port"}})
    result = replay_entry(mission, 1)[1]
    assert result is not None
    assert result.outcome == "a"
