"""Automatic missions: nothing breaks, no box runs over, no dead man fires, and undo leads all the way back."""

from __future__ import annotations

import random

import pytest

from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.journal import Entry
from companion.play.mission import Mission
from tests.support import fly, there_and_back

SEEDS = 40  # `python -m tests.bench.missions` flies thousands
BLOCK = 10
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
    assert fly(mission, Chance(random.Random(seed)), each=lambda _: watch.look(), moves=MOVES)
    return mission


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, SEEDS, BLOCK))
def test_automatic_missions_end_and_stay_within_the_sheet(b29: Pack, first: int) -> None:
    for seed in range(first, first + BLOCK):
        mission = auto(b29, seed)
        facts = mission.state
        assert facts["step"] == "end", f"seed {seed}"
        assert facts.get("bomber.fate", "none") != "none", f"seed {seed}: the bomber is still up"
        assert [item for item in mission.pending if item.kind != "order"] == [], f"seed {seed}"


def test_undo_leads_back_to_the_empty_sheet_and_redo_forward_again(b29: Pack) -> None:
    there_and_back(auto(b29, 7))


@pytest.mark.slow
@pytest.mark.parametrize("game", ["b29", "b29-streamliner"])
def test_every_hit_of_a_mission_stands_under_hits_taken(game: str) -> None:
    """6.2 E: as many as were rolled on 7-1 to 7-8, whoever hit us; and the shells that did nothing (5-12 a)."""
    pack, hit = Pack(game), [f"7-{at}" for at in range(1, 9)]
    for seed in range(20):
        rolled: list[str] = []

        def note(results: list[Result], rolled: list[str] = rolled) -> None:
            rolled += [each.table for each in results if each.table in hit and each.outcome != "none"]
            rolled += [each.table for each in results if each.table.startswith("5-12") and str(each.outcome) == "0"]

        mission = Mission(pack, number=1)
        mission.write({"mission.number": 1 + seed})
        fly(mission, Chance(random.Random(seed)), each=note)
        taken = [str(mission.state.get(f"hit.{area}", "")) for area in pack.sheet.index["area"]]
        assert sum(len(each.split(", ")) for each in taken if each) == len(rolled), seed
