"""Automatic missions: nothing breaks, no box runs over, no dead man fires, and undo leads all the way back."""

from __future__ import annotations

import random

import pytest

from companion.engine.needs import Hand
from companion.engine.sheet import NeedFact, Value
from companion.packs import Pack
from companion.play.chance import Chance
from companion.play.conversation import walk
from companion.play.journal import Entry
from companion.play.mission import Mission
from companion.problems import Problem
from tests.conftest import there_and_back

SEEDS = 200
BLOCK = 20
MOVES = 3000


class Watch:
    """What must hold after every move of a mission."""

    def __init__(self, pack: Pack, mission: Mission) -> None:
        self.pack, self.mission, self.seen = pack, mission, 0

    def look(self) -> None:
        """Check what the last move recorded, one entry after the other."""
        fresh = self.mission.journal.entries[self.seen :]
        self.seen += len(fresh)
        before = dict(self.mission.state)
        for entry in reversed(fresh):
            self.back(before, entry)
        for entry in fresh:
            if entry.get("t") == "5-7":
                self.fired(before, entry)
            for name, (_, after) in entry.get("c", {}).items():
                declared = self.pack.sheet.fields[name]
                if after is not None and declared.numeric:
                    assert declared.low <= after, f"{name}={after}"
                    assert declared.limit is None or after <= declared.limit, f"{name}={after}"
                if after is None:
                    before.pop(name, None)
                else:
                    before[name] = after

    @staticmethod
    def back(state: dict, entry: Entry) -> None:
        """The state before an entry."""
        for name, (old, _) in entry.get("c", {}).items():
            if old is None:
                state.pop(name, None)
            else:
                state[name] = old

    @staticmethod
    def fired(state: dict, entry: Entry) -> None:
        """A gun was fired: it works, and so does the man at it."""
        gun = entry["b"]["gun"]
        man = state.get(f"aim.{gun}.by", "")
        man = "tail-gunner" if man == "passing" else man
        assert state.get(f"gun.{gun}", "ok") == "ok", f"{gun} is {state[f'gun.{gun}']}"
        assert man, f"nobody fires the {gun}"
        assert state.get(f"crew.{man}", "ok") in ("ok", "light"), f"{man} is {state[f'crew.{man}']}"
        assert state.get(f"frostbite.{man}", "no") == "no", f"{man} is frostbitten"


def auto(pack: Pack, seed: int) -> Mission:
    """One mission flown by chance, watched."""
    mission = Mission(pack, number=1)
    mission.write({"mission.number": 1 + seed % 35})
    watch = Watch(pack, mission)
    for moves, _ in enumerate(walk(mission, Chance(random.Random(seed))), 1):
        watch.look()
        assert moves <= MOVES, f"seed {seed}: no end after {MOVES} moves"
    return mission


@pytest.mark.parametrize("first", range(0, SEEDS, BLOCK))
def test_automatic_missions_end_and_stay_within_the_sheet(b29: Pack, first: int) -> None:
    for seed in range(first, first + BLOCK):
        mission = auto(b29, seed)
        facts = mission.state
        assert facts["step"] == "end", f"seed {seed}"
        assert facts.get("bomber.fate", "none") != "none", f"seed {seed}: the bomber is still up"
        assert [item for item in mission.pending if "order" not in item] == [], f"seed {seed}"


def test_undo_leads_back_to_the_empty_sheet_and_redo_forward_again(b29: Pack) -> None:
    there_and_back(auto(b29, 7))


@pytest.mark.parametrize("game", ["b29", "b29-streamliner", "b17"])
@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_between_moves_never_changes_one(game: str, seed: int) -> None:
    """The same dice on a sheet that is worked out anew before every move come to the same journal."""
    pack = Pack(game)
    kept, anew = (Mission(pack, number=1) for _ in range(2))
    for mission in (kept, anew):
        mission.write({"mission.number": 11 + seed})
    for _ in walk(kept, Chance(random.Random(seed))):
        pass
    for _ in walk(anew, Chance(random.Random(seed))):
        anew.state = dict(anew.state)  # another sheet: nothing that was worked out before counts
    assert kept.journal.entries == anew.journal.entries
    assert (kept.state, kept.pending) == (anew.state, anew.pending)


def test_a_command_that_fails_late_leaves_no_trace(b29: Pack) -> None:
    mission = Mission(b29)
    mission.write({"fighter.1.type": "zeke", "fighter.1.clock": "6", "fighter.1.angle": "level"})
    before, pending, stand = dict(mission.state), list(mission.pending), mission.journal.stand
    plain = mission.roll("5-9", Hand([[3, 3]]), {"fighter": "1"})[0]
    mission.undo()
    with pytest.raises(Problem, match="dice"):  # the hit and its shells are resolved, the third throw is wrong
        mission.roll("5-9", Hand([[6, 6], [1, 1], [1]]), {"fighter": "1"})
    assert (mission.state, mission.pending, mission.journal.stand) == (before, pending, stand)
    again = mission.roll("5-9", Hand([[3, 3]]), {"fighter": "1"})[0]
    assert (again.net, again.outcome, again.assumed) == (plain.net, plain.outcome, plain.assumed)


class Asked(Chance):
    """Chance that notes which facts it is asked for."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng)
        self.facts: list[str] = []

    def fact(self, need: NeedFact) -> Value:
        self.facts.append(need.name)
        assert self.facts.count(need.name) == 1, f"{need.name} is asked again"
        return super().fact(need)


@pytest.mark.parametrize("game", ["b29", "b29-streamliner", "b17"])
@pytest.mark.parametrize("seed", range(8))
def test_a_player_is_asked_once_and_only_for_what_the_own_book_holds(game: str, seed: int) -> None:
    """At the terminal every fact that nobody has said is asked for: no empty slot, and nothing that a step settles."""
    mission, by = Mission(Pack(game), number=1), Asked(random.Random(seed))
    mission.write({"mission.number": 1 + 3 * seed})
    for moves, _ in enumerate(walk(mission, by, asking=True), 1):
        assert moves <= MOVES
    assert [name for name in by.facts if not name.startswith("book.")] == []
