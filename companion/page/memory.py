"""What a phone has answered of a question that is not whole yet: dice that lie ready, half a move, a plan.

It is kept beside the campaigns and belongs to one stand of one mission: what the terminal does meanwhile voids it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from companion.play.dice_tray import Lying, Tray
from companion.play.mission import Mission
from companion.play.plan import Answer, Answered, Plan
from companion.store.files import home, put

FORMAT = 3


class Memory:
    """The answers of the present move, the dice thrown for what comes, and a plan for what is decided one by one."""

    def __init__(self) -> None:
        self.answers: list[Answered] = []
        self.tray = Tray()
        self.plan = Plan()
        self.beside = ""  # a table that is rolled though nothing asks for it

    def __bool__(self) -> bool:
        return bool(self.answers or self.tray or self.plan or self.beside)

    def clear(self) -> None:
        """Forget all of it."""
        self.answers, self.tray, self.plan, self.beside = [], Tray(), Plan(), ""

    def document(self) -> dict[str, object]:
        """All of it as it is stored."""
        return {
            "answers": [list(each) for each in self.answers],
            "tray": [[each.table, each.bind, each.name, each.dice] for each in self.tray.lying],
            "plan": [[*decision, option] for decision, option in self.plan.items()],
            "beside": self.beside,
        }

    @classmethod
    def of(cls, document: Mapping[str, object]) -> Memory:
        """What was stored; nothing where it is not what we wrote."""
        memory = cls()
        try:
            answers, tray, plan = (document[name] for name in ("answers", "tray", "plan"))
            assert isinstance(answers, list) and isinstance(tray, list) and isinstance(plan, list)
            memory.answers = [_answered(*each) for each in answers]
            memory.tray.lying = [
                Lying(str(table), {str(key): str(value) for key, value in bind.items()}, str(name), list(dice))
                for table, bind, name, dice in tray
            ]
            memory.beside = str(document["beside"])
            memory.plan.update({(str(name), str(whose), int(born)): str(option) for name, whose, born, option in plan})
        except (AssertionError, KeyError, IndexError, TypeError, ValueError, AttributeError):
            return cls()
        return memory


def _answered(key: object, what: object, answer: object) -> Answered:
    dice = isinstance(answer, list) and all(type(die) is int for die in answer)
    assert isinstance(key, str) and isinstance(what, str) and (dice or isinstance(answer, str | int))
    return Answered(key, what, cast(Answer, answer))


def file_of(campaign: Path) -> Path:
    """Where it is kept for a campaign."""
    return home() / "page" / f"{campaign.name}.json"


def mark_of(mission: Mission) -> str:
    """What tells this stand of a mission from every other: what was done last, the whole sheet, and what waits."""
    journal = mission.journal
    last = journal.entries[journal.stand - 1] if journal.stand else {}
    stand = json.dumps([mission.game.name, last, mission.state, mission.pending], sort_keys=True)
    return f"{mission.number}:{journal.stand}:{zlib.crc32(stand.encode()):08x}"


def _holds(path: Path) -> bool:
    """Whether anything is kept there, of whichever stand."""
    try:
        return bool(Memory.of(json.loads(path.read_bytes())["memory"]))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def load(campaign: Path, mission: Mission) -> Memory:
    """What was answered at this stand of the mission; nothing where something else has been recorded since."""
    try:
        document = json.loads(file_of(campaign).read_bytes())
        if document["format"] == FORMAT and document["mark"] == mark_of(mission):
            return Memory.of(document["memory"])
    except (OSError, ValueError, KeyError, TypeError):
        pass  # it can be typed again; what is recorded stands in the campaign
    return Memory()


def keep(campaign: Path, mission: Mission, memory: Memory) -> None:
    """Write it beside the campaigns; raises Trouble where the disk refuses."""
    path = file_of(campaign)
    if not memory and not _holds(path):
        return
    row = {"format": FORMAT, "mark": mark_of(mission), "memory": memory.document()}
    put(path, json.dumps(row, separators=(",", ":"), ensure_ascii=False).encode(), ())
