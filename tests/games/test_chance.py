"""Automatic missions: caches between moves change nothing, and there are no needless questions."""

import random

import pytest

from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.conversation import Chance, move
from companion.play.lookahead import fly_to_end, start_of
from companion.play.mission import Mission
from tests.support import fly, slow_but


@pytest.mark.parametrize("game", slow_but(["b17", "b29", "b29-streamliner"]))
@pytest.mark.parametrize("seed", slow_but(range(2)))
def test_caches_between_moves_never_change_a_result(game: str, seed: int) -> None:
    """The same dice give the same journal if the sheet is recomputed before every move."""
    pack = Pack(game)
    kept, anew = (Mission(pack, number=1) for _ in range(2))
    for mission in (kept, anew):
        mission.write({"mission.number": 11 + seed})
    fly(kept, Chance(random.Random(seed)))

    def on_another_sheet(_: list[Result]) -> None:
        anew.state = dict(anew.state)  # nothing that was worked out before counts

    fly(anew, Chance(random.Random(seed)), each=on_another_sheet)
    assert kept.journal.entries == anew.journal.entries
    assert (kept.state, kept.pending) == (anew.state, anew.pending)


MOVES = 3000


class Asked(Chance):
    """An automatic player that notes the facts it is asked for."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.facts: list[str] = []

    def fact(self, need: FactQuestion) -> Value:
        self.facts.append(need.name)
        assert self.facts.count(need.name) == 1, f"{need.name} is asked again"
        return super().fact(need)


@pytest.mark.parametrize("game", ["b29", "b29-streamliner", "b17"])
@pytest.mark.parametrize("seed", slow_but(range(3)))
def test_a_player_is_asked_once_and_only_for_rulebook_results(game: str, seed: int) -> None:
    """At the terminal every missing fact is asked for: no empty slot, and nothing that a step settles."""
    mission, by = Mission(Pack(game), number=1), Asked(random.Random(seed))
    mission.write({"mission.number": 1 + 3 * seed})
    fly(mission, by, asking=True, moves=MOVES)
    assert [name for name in by.facts if not name.startswith("book.")] == []


@pytest.mark.parametrize("game", ["b29", "b29-streamliner", "b17", "bombs-away"])
@pytest.mark.parametrize("seed", slow_but(range(2)))
def test_a_flight_without_a_journal_ends_the_same(game: str, seed: int) -> None:
    """Continued from the middle with the same dice: the same sheet and pending list at the end."""
    pack = Pack(game)
    whole = Mission(pack, number=1)
    for _ in range(60):
        move(whole, Chance(random.Random(seed)))
    start = start_of(whole)
    unread = start.mission()
    fly(whole, Chance(random.Random(seed)))
    fly_to_end(unread, Chance(random.Random(seed)))
    assert (unread.state, unread.pending) == (whole.state, whole.pending)
    assert unread.journal.position == whole.journal.position
    assert start == start_of(start.mission())


@pytest.mark.parametrize("game", ["b29", "b29-streamliner", "b17", "bombs-away"])
@pytest.mark.parametrize("seed", slow_but(range(2)))
def test_worked_out_facts_equal_those_of_a_fresh_sheet(game: str, seed: int) -> None:
    """Between two moves every fact equals that on a newly read sheet, whatever has changed."""
    mission, by = Mission(Pack(game), number=1), Chance(random.Random(seed))
    mission.noting = False
    for count in range(240):
        if not move(mission, by):
            break
        facts = mission._open().facts
        if count % 8 == seed:
            fresh = Facts(facts.sheet, mission.state)
            names = {name for names in facts.worked_out.values() for name in names if name in facts}
            assert {name: facts[name] for name in names} == {name: fresh[name] for name in names}
