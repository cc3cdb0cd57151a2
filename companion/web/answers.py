"""The answers of the phones: each is checked against its question and kept, and the next move is made of them.

What is not complete yet (dice on the tray, half a move, a plan) is kept next to the campaigns. It belongs to one state
of one mission: what the terminal does meanwhile voids it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypedDict, cast

import msgspec

from companion.engine.dice import Rolled
from companion.engine.pending import stored
from companion.engine.resolution import Result
from companion.play.conversation import next_move
from companion.play.dice_tray import Lying
from companion.play.mission import Mission
from companion.play.plan import Answer, Answered, Draft, Plan
from companion.problems import Question, SystemFault, UserError
from companion.render.plan_prompt import PlanPrompt
from companion.render.prompt import prompt_of
from companion.store.files import home, make_folder, read_bytes, save
from companion.words import one_of

LONGEST = 500  # letters of an answer


class Auto(TypedDict):
    """Dice that the companion rolled, as they are stored."""

    auto: list[int]


class Half(TypedDict):
    """A memory as it is stored."""

    answers: list[tuple[str, str, Answer | Auto]]
    tray: list[tuple[str, dict[str, str], str, list[int] | Auto, bool, str | None]]
    plan: list[tuple[str, str, int, str]]
    rows: dict[str, str]
    about: list[str]
    beside: str


class Stored(TypedDict):
    """A campaign's file: what was answered, by the state of the mission that it belongs to."""

    format: Literal[5]
    halves: dict[str, Half]


class Memory(Draft):
    """A draft that is stored between two taps, and a table that is rolled though nothing asks for it (`beside`)."""

    def __init__(self, half: Half | None = None) -> None:
        super().__init__()
        self.beside = ""
        if half is not None:
            self.answers = [Answered(key, what, _restored(answer)) for key, what, answer in half["answers"]]
            self.tray.lying = [
                Lying(table, bind, name, cast("list[int]", _restored(dice)), foreseen, row)
                for table, bind, name, dice, foreseen, row in half["tray"]
            ]
            self.plan.update({(name, whose, born): option for name, whose, born, option in half["plan"]})
            self.rows, self.about, self.beside = half["rows"], set(half["about"]), half["beside"]

    def __bool__(self) -> bool:
        return bool(self.answers or self.tray or self.plan or self.rows or self.beside)

    def clear(self) -> None:
        """Forget all of it."""
        super().clear()
        self.beside = ""

    def document(self) -> dict[str, object]:
        """Return all of it as it is stored."""
        return {
            "answers": [[key, what, _stored(answer)] for key, what, answer in self.answers],
            "tray": [
                [each.table, each.bind, each.name, _stored(each.dice), each.foreseen, each.row]
                for each in self.tray.lying
            ],
            "plan": [[*decision, option] for decision, option in self.plan.items()],
            "rows": self.rows,
            "about": sorted(self.about),
            "beside": self.beside,
        }


def _stored(answer: Answer) -> Answer | Auto:
    return Auto(auto=list(answer)) if isinstance(answer, Rolled) else answer


def _restored(answer: Answer | Auto) -> Answer:
    return Rolled(answer["auto"]) if isinstance(answer, dict) else answer


def file_of(campaign: Path) -> Path:
    """Return where it is kept for a campaign."""
    return home() / "page" / f"{campaign.name}.json"


def mark_of(mission: Mission) -> str:
    """Return a word for this state of a mission: what was done last, the whole sheet, what waits."""
    journal = mission.journal
    last = journal.entries[journal.stand - 1] if journal.stand else {}
    state = json.dumps([mission.game.name, last, mission.state, stored(mission.pending)], sort_keys=True)
    return f"{mission.number}:{journal.stand}:{zlib.crc32(state.encode()):08x}"


def _halves(path: Path) -> Mapping[str, Half]:
    """Return what is kept there; nothing where it is not what we wrote: it can be typed again."""
    try:
        return msgspec.json.decode(read_bytes(path), type=Stored)["halves"]
    except (FileNotFoundError, msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    except OSError as error:
        raise SystemFault(f"cannot read {path}: {error.strerror or error}; see: companion doctor") from None


def load(campaign: Path, mission: Mission, stamp: tuple[int, int] = (0, 0)) -> Memory:
    """Return what was answered at this state of the mission, whose file has that stamp; nothing where something else
    has been recorded since."""
    halves, mark = _halves(file_of(campaign)), mark_of(mission)
    return Memory(halves.get(mark) or halves.get(f"{mark} {stamp}"))


def keep(campaign: Path, mission: Mission, memory: Memory, before: Mapping[str, object]) -> None:
    """Write it next to the campaigns, before the mission is written; raises SystemFault where the disk refuses.

    Args:
        before: What was half answered counts until the mission has its new stamp, so that nothing is lost where the
            companion is stopped between the two.
    """
    path = file_of(campaign)
    if not memory and not any(Memory(half) for half in _halves(path).values()):
        return
    document = {"format": 5, "halves": {**before, mark_of(mission): memory.document()}}
    make_folder(path.parent)
    save(path, json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode())


# -- one answer --------------------------------------------------------------------------------------------------------


def remember(question: Question, sent: Mapping[str, object], mission: Mission, memory: Memory) -> None:
    """Keep the answer that was sent; raises a UserError where it does not fit, and nothing is remembered then."""
    wishes, text = sent.get("wishes"), str(sent.get("value", ""))[:LONGEST].strip()
    wished = {str(key): str(option) for key, option in wishes.items()} if isinstance(wishes, Mapping) else {}
    prompt = prompt_of(question, mission, memory.tray, wished)
    if isinstance(prompt, PlanPrompt):
        if strange := [key for key in wished if key not in prompt.plan]:
            raise UserError(f"{one_of(strange)} has nothing to decide now; nothing was recorded")
        memory.plan = Plan.of(prompt.items, prompt.read(text))
    elif wishes is not None:
        raise UserError("this is decided one by one now; nothing was recorded")
    else:
        answer = prompt.read(text)
        memory.keep(question, answer, for_all=prompt.for_all)


# -- the next move -----------------------------------------------------------------------------------------------------


def make_move(mission: Mission, memory: Memory) -> list[Result] | Question:
    """Make the next move from what the phones have answered.

    Returns:
        What the move came to (nothing when the mission is over), or the question that has no answer yet; then nothing
        has been done, and the answers of the move are kept.
    """
    memory.again, memory.answers = memory.answers, []
    memory.settle(mission)
    talk = next_move(mission, memory.beside or None)
    try:
        question = next(talk)
        while (answer := memory.ready(question, mission)) is not None:
            memory.keep(question, answer)
            question = talk.send(answer)
    except StopIteration as done:
        memory.answers, memory.again, memory.beside = [], [], ""
        return done.value  # type: ignore[no-any-return]
    finally:
        talk.close()
        memory.answers, memory.again = [*memory.answers, *memory.again], []
    return question
