"""Automatic missions: compared with the rulebooks and with themselves, and no needless questions."""

import json
import random
from typing import Any

import pytest

from companion.engine.facts import FactQuestion, Facts
from companion.engine.fields import Value
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.conversation import Chance, move
from companion.play.journal import Entry
from companion.play.lookahead import fly_to_end, start_of
from companion.play.mission import Mission, replay_entry
from tests.support import begun, fly, slow_but
from tests.watch import Seen, b17, b29, bombs_away, breaches, flown


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


@pytest.mark.parametrize("seed", [3, 11])
def test_every_entry_of_a_mission_works_out_again_to_the_same(b29: Pack, seed: int) -> None:
    mission = Mission(b29, {"mission.number": seed}, number=1)
    fly(mission, Chance(random.Random(seed)))
    before = json.dumps([mission.state, mission.pending])
    for number, entry in enumerate(mission.journal.entries, 1):
        again, result, _ = replay_entry(mission, number)
        assert again is entry
        assert result is not None
        assert {name: list(pair) for name, pair in result.changes.items()} == entry.get("c", {}), entry
        assert result.net == entry.get("net")
        assert [[each.modifier.id, each.add] for each in result.applied] == entry.get("m", [])
    assert json.dumps([mission.state, mission.pending]) == before


GAMES = slow_but(["b29", "b17", "bombs-away", "b29-streamliner"])
BLOCK = 4


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("first", slow_but(range(0, 3 * BLOCK, BLOCK)))
def test_a_mission_by_chance_does_nothing_that_its_books_forbid(game: str, first: int) -> None:
    pack, seeds = Pack(game), range(first, first + (BLOCK if game != "bombs-away" else 1))
    assert {seed: lines for seed in seeds if (lines := breaches(flown(pack, seed)))} == {}


def told(pack: Pack, rule: Any, entry: Entry, **state: Any) -> list[str]:
    """Return the notes of a rule on one entry, on a sheet with these facts."""
    before = Seen(pack, {name.replace("__", "."): value for name, value in state.items()})
    return list(rule(entry, before, before.after(entry)))


SHOT: Entry = {"v": "roll", "t": "5-7", "d": [6, 6], "b": {"gun": "cannon", "fighter": "1"}}


@pytest.mark.parametrize(
    ("rule", "entry", "state"),
    [
        (b29.no_lost_man_acts, SHOT, {"aim.cannon.by": "tail-gunner", "crew.tail-gunner": "kia"}),
        (b29.no_lost_man_acts, SHOT, {"aim.cannon.by": "tail-gunner", "frostbite.tail-gunner": "yes"}),
        (b29.no_gun_is_fired_that_may_not, SHOT, {"mission.number": 11, "aim.cannon.by": "tail-gunner"}),
        (b29.no_dead_man_is_hit, {"v": "roll", "t": "7-13", "b": {"position": "cfc"}}, {"crew.cfc": "kia"}),
        (b29.somebody_flies, {"v": "roll", "t": "8-1"}, {f"crew.{man}": "serious" for man in b29.MEN}),
        (b29.the_briefing_holds, {"v": "step", "t": "take-off"}, {"mission.time": "night", "mission.altitude": "hi",
         "target.zone": 12, "target.city": "kobe"}),
        (b29.the_briefing_holds, {"v": "step", "t": "take-off"},
         {"mission.altitude": "lo", "target.city": "kobe", "target.zone": 6}),
        (b29.height_is_lawful, {"v": "roll", "t": "6-6"}, {"altitude": "hi", "mission.altitude": "lo"}),
        (b29.place_is_lawful, {"v": "roll", "t": "4-2"}, {"zone": 0}),
        (b29.place_is_lawful, {"v": "roll", "t": "5-7", "d": [1, 1]}, {"bomber.fate": "destroyed"}),
        (b29.formation_is_lawful, {"v": "roll", "t": "5-1"}, {"turn": 9, "step": "resistance", "engine.1": "out",
         "zone": 10, "target.zone": 12, "altitude": "hi", "mission.altitude": "hi", "formation": "in"}),
        (b17.no_lost_man_fires, {"v": "roll", "t": "M-1", "b": {"gun": "top"}}, {"crew.engineer": "kia"}),
        (b17.no_lost_man_fires, {"v": "roll", "t": "M-1", "b": {"gun": "top"}}, {"gun.top": "jammed"}),
        (b17.nose_guns, {"v": "choose", "t": "aim"}, {"aim.port-cheek": "1", "aim.starboard-cheek": "1"}),
        (b17.no_dead_man_is_hit, {"v": "roll", "t": "BL-4", "b": {"position": "pilot"}}, {"crew.pilot": "kia"}),
        (b17.no_lost_man_acts, {"v": "choose", "t": "fire", "c": {"duty.engineer": [None, "fire"]}},
         {"crew.engineer": "serious"}),
        (b17.the_briefing_holds, {"v": "roll", "t": "G-1", "c": {"target.city": [None, "Kiel"]}},
         {"mission.number": 2, "target.zone": 8}),
        (b17.place_is_lawful, {"v": "roll", "t": "B-1"}, {"zone": 1, "target.zone": 4}),
        (b17.height_is_lawful, {"v": "roll", "t": "B-1"}, {"altitude": "low", "zone": 3, "target.zone": 4}),
        (bombs_away.no_lost_card_acts, {"v": "choose", "t": "bomb", "o": "b24d"},
         {"fire": "bombs", "pile.b24d": "researched"}),
        (bombs_away.no_lost_card_is_hit, {"v": "roll", "t": "shot"},
         {"fire": "allied", "firer": "b24d", "foe": "b17f"}),
        (bombs_away.every_shot_counts, {"v": "roll", "t": "shot"},
         {"fire": "bombs", "firer": "b17f", "payload.b17f": 4, "chance": 3, "here": "berlin"}),
        (bombs_away.cards_are_counted, {"v": "roll", "t": "drawn"}, {"turn": 1, "deck": 40}),
        (bombs_away.cards_are_counted, {"v": "step", "t": "deploy", "c": {"pile.b17f": [None, "available"]}},
         {"turn": 2, "hand.allied": 2, "hand.axis": 2, "deck": 46, "flak.available.1": 20}),
    ],
)  # fmt: skip
def test_the_watch_sees_what_it_looks_for(rule: Any, entry: Entry, state: dict[str, Any]) -> None:
    assert told(Pack(rule.__module__.rpartition(".")[2].replace("_", "-")), rule, entry, **state)


def test_a_mission_that_stops_early_is_no_flown_mission() -> None:
    """Games end as the rules say: the checker notices a game of Bombs Away! that was left in its third turn."""
    assert "over in turn 3 without a surrender" in breaches(begun(Pack("bombs-away"), {"turn": 3, "decoys": 6}))


def test_the_watch_sees_a_box_over_its_limit_a_man_healed_and_a_hit_that_is_not_written() -> None:
    pack = Pack("b29")
    entry: Entry = {"v": "roll", "t": "7-13", "c": {"crew.pilot": ["kia", "ok"], "oxygen.pilot": [2, 3]}}
    over, healed = b29.BOOK.rules[:2]
    assert told(pack, over, entry) == ["oxygen.pilot is 3, of 2"]
    assert told(pack, healed, entry, **{f"name.{man}": man for man in b29.MEN}, **{"crew.pilot": "kia"})
    struck: Entry = {"v": "roll", "t": "7-1", "d": [1, 2], "b": {"area": "nose"}, "o": "gunsight"}
    assert list(b29.every_hit_is_recorded([struck], Seen(pack, {})))
    assert not list(b29.every_hit_is_recorded([struck], Seen(pack, {"hit.nose": "gunsight"})))
    shell: Entry = {"v": "roll", "t": "B-5", "d": [1, 2], "b": {"fighter": "1"}, "o": "tail"}
    assert list(b17.every_hit_is_recorded([shell], Seen(Pack("b17"), {})))
    assert not list(b17.every_hit_is_recorded([shell], Seen(Pack("b17"), {"hits.tail": 1})))
