"""Automatic B-17 missions: nothing breaks, no box runs over, no dead man fires, and undo leads all the way back."""

from __future__ import annotations

import random

import pytest

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.questions import ChoiceQuestion
from companion.engine.resolution import Result
from companion.packs import Pack
from companion.play.conversation import Chance
from companion.play.journal import Entry
from companion.play.mission import Mission
from tests.support import fly, there_and_back

OPTIONS: dict[str, Value] = {"random-events": "on", "spray-fire": "on", "pilot-status": "on", "two-player": "on"}
SEEDS, BLOCK, MOVES = 45, 15, 3000


class Moody(Chance):
    """Now and then it takes any legal option."""

    def choice(self, need: ChoiceQuestion) -> str:
        odd = self.rng.random() < 0.3
        return self.rng.choice(need.options).name if odd else super().choice(need)


def stands(pack: Pack, mission: Mission, entry: Entry) -> None:
    """What must hold of one entry as things stand right after it."""
    for name, (_, after) in entry.get("c", {}).items():
        if after is not None:
            assert pack.sheet.fields[name].accept(name, after) == after
    if entry["t"] == "M-1":
        facts = Facts(pack.sheet, mission.state, entry["b"])
        assert facts["gun.{}".format(facts["gun"])] == "ok"
        assert facts[f"crew.{facts['gunner']}"] in ("ok", "light")


def auto(pack: Pack, seed: int, options: dict[str, Value], by: type[Chance] = Moody) -> Mission:
    mission = Mission(pack)
    mission.write({"mission.number": 1 + seed % 25, **options})
    seen = mission.journal.stand

    def look(_: list[Result]) -> None:
        nonlocal seen
        for entry in mission.journal.entries[seen:]:
            stands(pack, mission, entry)
        seen = mission.journal.stand

    assert fly(mission, by(random.Random(seed)), each=look, moves=MOVES)
    return mission


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, SEEDS, BLOCK))
def test_missions_end_and_stay_within_the_chart(pack: Pack, first: int) -> None:
    for seed in range(first, first + BLOCK):
        mission = auto(pack, seed, OPTIONS if seed % 3 == 0 else {}, Chance if seed % 3 == 1 else Moody)
        facts = Facts(pack.sheet, mission.state)
        assert facts["step"] == "end", f"seed {seed}"
        assert facts["bomber.fate"] != "none", f"seed {seed}: the bomber is still up"
        assert facts["mission.result"] != "none"
        assert [item for item in mission.pending if item.kind != "order"] == [], f"seed {seed}"
        sits = [facts[f"man.{position}"] for position in pack.sheet.index["position"]]
        assert sorted(sits) == sorted(pack.sheet.index["position"]), f"seed {seed}: two men in one place"


def test_undo_and_redo_lead_there_and_back(pack: Pack) -> None:
    there_and_back(auto(pack, 3, OPTIONS))
