"""Answers from phones: each is checked against its question and kept until the move is complete.

Incomplete answers (dice on the tray, half a move, a plan) are stored next to the campaigns. They belong to one state of
one mission; a change at the terminal discards them.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypedDict, cast

import msgspec

from companion.engine.dice import Rolled
from companion.engine.resolution import Result
from companion.play.dice_tray import KeptDice
from companion.play.mission import Mission
from companion.play.phrases import given as said
from companion.play.plan import Answer, Answered, Draft, Plan
from companion.problems import Question, SystemFault, UserError
from companion.render.plan_prompt import PlanPrompt
from companion.render.prompt import keep as keep_answer
from companion.render.prompt import make_move as draft_move
from companion.render.prompt import prompt_of
from companion.store.files import home, make_folder, read_bytes, save
from companion.words import one_of

LONGEST = 500  # the most characters of an answer


class AutoDice(TypedDict):
    """The stored form of dice rolled by the companion."""

    auto: list[int]


class StoredMemory(TypedDict):
    """The stored form of a memory."""

    answers: list[tuple[str, str, Answer | AutoDice]]
    tray: list[tuple[str, dict[str, str], str, list[int] | AutoDice, bool, str | None]]
    plan: list[tuple[str, str, int, str]]
    rows: dict[str, str]
    about: list[str]
    ahead: list[str]
    ahead_for: tuple[str, int]
    beside: str


class Stored(TypedDict):
    """A campaign's file: the answers, by the state of the mission that they belong to."""

    format: Literal[6]
    halves: dict[str, StoredMemory]


class Memory(Draft):
    """A draft stored between two taps, and a table rolled at the player's request (`beside`)."""

    def __init__(self, half: StoredMemory | None = None) -> None:
        super().__init__()
        self.beside = ""
        if half is not None:
            self.answers = [Answered(key, what, _restored(answer)) for key, what, answer in half["answers"]]
            self.tray.lying = [
                KeptDice(table, bind, name, cast("list[int]", _restored(dice)), foreseen, row)
                for table, bind, name, dice, foreseen, row in half["tray"]
            ]
            self.plan.update({(name, whose, born): option for name, whose, born, option in half["plan"]})
            self.rows, self.about, self.beside = half["rows"], set(half["about"]), half["beside"]
            self.ahead, self.ahead_for = half["ahead"], half["ahead_for"]

    def __bool__(self) -> bool:
        return bool(self.answers or self.tray or self.plan or self.rows or self.beside or self.ahead)

    def clear(self) -> None:
        """Forget all of it."""
        super().clear()
        self.beside = ""

    def document(self) -> dict[str, object]:
        """Return its stored form."""
        return {
            "answers": [[key, what, _stored(answer)] for key, what, answer in self.answers],
            "tray": [
                [each.table, each.bind, each.name, _stored(each.dice), each.foreseen, each.row]
                for each in self.tray.lying
            ],
            "plan": [[*decision, option] for decision, option in self.plan.items()],
            "rows": self.rows,
            "about": sorted(self.about),
            "ahead": self.ahead,
            "ahead_for": self.ahead_for,
            "beside": self.beside,
        }


def _stored(answer: Answer) -> Answer | AutoDice:
    return AutoDice(auto=list(answer)) if isinstance(answer, Rolled) else answer


def _restored(answer: Answer | AutoDice) -> Answer:
    return Rolled(answer["auto"]) if isinstance(answer, dict) else answer


def file_of(campaign: Path) -> Path:
    """Return the path of a campaign's answers."""
    return home() / "page" / f"{campaign.name}.json"


def mark_of(mission: Mission) -> str:
    """Return a checksum for a mission's state: last entry, sheet and pending list."""
    journal = mission.journal
    last = journal.entries[journal.position - 1] if journal.position else {}
    state = json.dumps(
        [mission.game.name, last, mission.state, [each.document() for each in mission.pending]], sort_keys=True
    )
    return f"{mission.number}:{journal.position}:{zlib.crc32(state.encode()):08x}"


def _halves(path: Path) -> Mapping[str, StoredMemory]:
    """Return the stored answers; empty if the file is damaged, since they can be typed again."""
    try:
        return msgspec.json.decode(read_bytes(path), type=Stored)["halves"]
    except (FileNotFoundError, msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    except OSError as error:
        raise SystemFault(f"can't read {path}: {error.strerror or error}. See: companion doctor") from None


def load(campaign: Path, mission: Mission, stamp: tuple[int, int] = (0, 0)) -> Memory:
    """Return the answers for this state of the mission, whose file has that stamp; empty if it has changed since."""
    halves, mark = _halves(file_of(campaign)), mark_of(mission)
    return Memory(halves.get(mark) or halves.get(f"{mark} {stamp}"))


def keep(campaign: Path, mission: Mission, memory: Memory, before: Mapping[str, object]) -> None:
    """Store the answers before the mission is written; raise SystemFault if the disk refuses.

    Args:
        before: The earlier answers, valid until the mission has its new stamp, so that nothing is lost if the companion
        is stopped between the two writes.
    """
    path = file_of(campaign)
    if not memory and not any(Memory(half) for half in _halves(path).values()):
        return
    document = {"format": 6, "halves": {**before, mark_of(mission): memory.document()}}
    make_folder(path.parent)
    save(path, json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode(), sync=False)


# -- one answer --------------------------------------------------------------------------------------------------------


def remember(question: Question, sent: Mapping[str, object], mission: Mission, memory: Memory) -> None:
    """Keep an answer; raise UserError, and keep nothing, if it does not fit."""
    wishes, text = sent.get("wishes"), str(sent.get("value", ""))[:LONGEST].strip()
    wished = {str(key): str(option) for key, option in wishes.items()} if isinstance(wishes, Mapping) else {}
    prompt = prompt_of(question, mission, memory.tray, wished)
    if isinstance(prompt, PlanPrompt):
        if strange := [key for key in wished if key not in prompt.plan]:
            raise UserError(f"{one_of(strange)} has nothing to decide now. Nothing was saved")
        memory.plan = Plan.of(prompt.items, prompt.read(text))
    elif wishes is not None:
        raise UserError("These are now decided one by one. Nothing was saved")
    else:
        answer = prompt.read(text)
        keep_answer(memory, question, answer, prompt, mission)


# -- the next move -----------------------------------------------------------------------------------------------------


def make_move(mission: Mission, memory: Memory) -> list[Result] | Question:
    """Make the next move from the phones' answers, or return the first unanswered question."""
    table, *facts = memory.beside.split()[:2] or [""]
    made = draft_move(mission, memory, table or None, said(mission.game, facts))
    if isinstance(made, list):
        memory.beside = ""
    return made
