"""What a phone has answered of a question that is not whole yet: dice that lie ready, half a move, a plan.

It is kept beside the campaigns and belongs to one stand of one mission: what the terminal does meanwhile voids it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypedDict

import msgspec

from companion.engine.pending import stored
from companion.play.dice_tray import Lying, Tray
from companion.play.mission import Mission
from companion.play.plan import Answer, Answered, Plan
from companion.problems import Trouble
from companion.store.files import home, make_folder, save
from companion.store.system import content_of


class Half(TypedDict):
    """A memory as it is stored."""

    answers: list[tuple[str, str, Answer]]
    tray: list[tuple[str, dict[str, str], str, list[int]]]
    plan: list[tuple[str, str, int, str]]
    beside: str


class Stored(TypedDict):
    """A campaign's file: what was answered, by the stand of the mission that it belongs to."""

    format: Literal[4]
    halves: dict[str, Half]


class Memory:
    """The answers of the present move, the dice thrown for what comes, and a plan for what is decided one by one."""

    def __init__(self, half: Half | None = None) -> None:
        self.answers: list[Answered] = []
        self.tray, self.plan = Tray(), Plan()
        self.beside = ""  # a table that is rolled though nothing asks for it
        if half is not None:
            self.answers = [Answered(*each) for each in half["answers"]]
            self.tray.lying = [Lying(*each) for each in half["tray"]]
            self.beside = half["beside"]
            self.plan.update({(name, whose, born): option for name, whose, born, option in half["plan"]})

    def __bool__(self) -> bool:
        return bool(self.answers or self.tray or self.plan or self.beside)

    def clear(self) -> None:
        """Forget all of it."""
        self.answers, self.tray, self.plan, self.beside = [], Tray(), Plan(), ""

    def document(self) -> dict[str, object]:
        """Return all of it as it is stored."""
        return {
            "answers": [list(each) for each in self.answers],
            "tray": [[each.table, each.bind, each.name, each.dice] for each in self.tray.lying],
            "plan": [[*decision, option] for decision, option in self.plan.items()],
            "beside": self.beside,
        }


def file_of(campaign: Path) -> Path:
    """Return where it is kept for a campaign."""
    return home() / "page" / f"{campaign.name}.json"


def mark_of(mission: Mission) -> str:
    """Return what tells this stand of a mission from every other: what was done last, the whole sheet, what waits."""
    journal = mission.journal
    last = journal.entries[journal.stand - 1] if journal.stand else {}
    stand = json.dumps([mission.game.name, last, mission.state, stored(mission.pending)], sort_keys=True)
    return f"{mission.number}:{journal.stand}:{zlib.crc32(stand.encode()):08x}"


def _halves(path: Path) -> Mapping[str, Half]:
    """Return what is kept there; nothing where it is not what we wrote: it can be typed again."""
    try:
        return msgspec.json.decode(content_of(path)[0], type=Stored)["halves"]
    except (FileNotFoundError, msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    except OSError as error:
        raise Trouble(f"cannot read {path}: {error.strerror or error}; see: companion doctor") from None


def load(campaign: Path, mission: Mission, stamp: tuple[int, int] = (0, 0)) -> Memory:
    """Return what was answered at this stand of the mission, whose file has that stamp; nothing where something else
    has been recorded since."""
    halves, mark = _halves(file_of(campaign)), mark_of(mission)
    return Memory(halves.get(mark) or halves.get(f"{mark} {stamp}"))


def keep(campaign: Path, mission: Mission, memory: Memory, before: Mapping[str, object]) -> None:
    """Write it beside the campaigns; raises Trouble where the disk refuses.

    It is written before the mission. What was half answered `before` counts until the mission has its new stamp, so
    that nothing is lost where the companion is stopped between them.
    """
    path = file_of(campaign)
    if not memory and not any(Memory(half) for half in _halves(path).values()):
        return
    document = {"format": 4, "halves": {**before, mark_of(mission): memory.document()}}
    make_folder(path.parent)
    save(path, json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode(), record=True)
