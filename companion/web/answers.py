"""The answers of the phones: each is checked against its question and kept, and the next move is made of them.

What is not complete yet (dice on the tray, half a move, a plan) is kept next to the campaigns. It belongs to one state
of one mission: what the terminal does meanwhile voids it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypedDict

import msgspec

from companion.engine.facts import FactQuestion
from companion.engine.fields import Field, UnknownName
from companion.engine.pending import stored
from companion.engine.questions import ChoiceQuestion, DiceQuestion, FieldQuestion, RowQuestion
from companion.engine.resolution import Result
from companion.play.conversation import next_move
from companion.play.dice_tray import Lying, Tray, together
from companion.play.mission import Mission
from companion.play.plan import Answer, Answered, Plan, decisions, joint, key_of, planned
from companion.problems import Question, SystemFault, UserError
from companion.render.questions import figures_of, like
from companion.store.files import home, make_folder, read_bytes, save
from companion.words import bare, one_of, printed, slug

LONGEST = 500  # letters of an answer


class Half(TypedDict):
    """A memory as it is stored."""

    answers: list[tuple[str, str, Answer]]
    tray: list[tuple[str, dict[str, str], str, list[int]]]
    plan: list[tuple[str, str, int, str]]
    beside: str


class Stored(TypedDict):
    """A campaign's file: what was answered, by the state of the mission that it belongs to."""

    format: Literal[4]
    halves: dict[str, Half]


class Memory:
    """The answers of the present move, the dice rolled for what comes, and a plan for what is decided one by one."""

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
    document = {"format": 4, "halves": {**before, mark_of(mission): memory.document()}}
    make_folder(path.parent)
    save(path, json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode())


# -- one answer --------------------------------------------------------------------------------------------------------


class Unconfirmed(UserError):
    """Raised for words that are not known: the player may insist on them. `near` are those that may be meant."""

    def __init__(self, text: str, near: list[str], kept: str) -> None:
        super().__init__(text)
        self.near, self.kept = near, kept


def remember(question: Question, sent: Mapping[str, object], mission: Mission, memory: Memory) -> None:
    """Keep the answer that was sent; raises a UserError where it does not fit, and nothing is remembered then."""
    if isinstance(question, ChoiceQuestion) and isinstance(wishes := sent.get("wishes"), Mapping):
        _plan(question, {str(key): str(option) for key, option in wishes.items()}, mission, memory)
        return
    value = sent.get("value")
    if not isinstance(value, str | int) or len(str(value)) > LONGEST:
        raise UserError(f"an answer is one line of up to {LONGEST} characters; nothing was recorded")
    answer = _answer(question, str(value).strip(), bool(sent.get("insist")), mission, memory.tray)
    memory.answers.append(Answered(question.key, question.subject, answer))


def _answer(question: Question, text: str, insist: bool, mission: Mission, tray: Tray) -> Answer:
    if isinstance(question, DiceQuestion):
        return tray.typed(text, [question, *tray.unserved(together(mission, question)[1:])])[0]
    if isinstance(question, RowQuestion):
        return _row(question, text, insist)
    if isinstance(question, ChoiceQuestion):
        if text not in [option.name for option in question.options]:
            raise UserError(f"{text or 'Nothing'} cannot be chosen now; nothing was recorded")
        return text
    assert isinstance(question, FactQuestion | FieldQuestion)
    declared, usual = question.declared, question.usual
    if isinstance(question, FactQuestion):
        if not text and usual is not None:
            return usual
        return declared.accept(declared.heading, _named(declared, declared.heading, text, insist))
    text = text or str(usual)
    if figures_of(declared):
        text = str(printed(text))
    return text if text == str(usual) and declared.words else _named(declared, question.label, text, insist)


def _row(question: RowQuestion, text: str, insist: bool) -> str:
    table = question.table
    row = table.parted({bare(option): option for option in question.options}.get(bare(text), text) if text else text)
    if not table.takes(printed(row)):
        raise UserError(f"{row or 'Nothing'} is no answer here; type the words of your book, or its number")
    if question.options and not table.works(printed(row)) and not insist:
        texts = [str(table.outcomes[option].get("text", "")) for option in question.options]
        near = like(question.options, texts, row)
        raise Unconfirmed(
            f"{row} is none of the rows. It would be noted in your words, and nothing changes.", near, row
        )
    try:
        table.hear(row)
    except UnknownName as strange:
        parts = list(map(str.strip, row.split(";")))
        names = [f"={part}" for part in parts if slug(part) == strange.typed] if insist else strange.near
        meant = [";".join(name if slug(part) == strange.typed else part for part in parts) for name in names]
        if not insist:
            raise Unconfirmed(strange.doubt, meant, row) from None
        return meant[0]
    return row


def _named(declared: Field, label: str, text: str, insist: bool) -> str:
    """Return what was typed for a field as it takes it, `=` before a name that is insisted on."""
    if not text and declared.numeric:
        raise UserError(f"{label} takes a number, {declared.span}; 0 where your book adds nothing")
    try:
        value = str(declared.accept(label, text))
    except UnknownName as strange:
        if insist:
            return f"={text}"
        raise Unconfirmed(strange.doubt, strange.near, text) from None
    return text if declared.words and text.startswith("=") else value


def _plan(question: ChoiceQuestion, wishes: dict[str, str], mission: Mission, memory: Memory) -> None:
    items = decisions(mission)
    if not joint(mission, items) or not items[0].is_for("choose", question.name):
        raise UserError("this is decided one by one now; nothing was recorded")
    keys = [key_of(item) for item in items]
    if strange := [key for key in wishes if key not in keys]:
        raise UserError(f"{one_of(strange)} has nothing to decide now; nothing was recorded")
    options = {key_of(place.item): place.planned.name for place in planned(mission, items, wishes)}
    memory.plan = Plan.of(items, options)


# -- the next move -----------------------------------------------------------------------------------------------------


def make_move(mission: Mission, memory: Memory) -> list[Result] | Question:
    """Make the next move from what the phones have answered.

    Returns:
        What the move came to (nothing when the mission is over), or the question that has no answer yet; then nothing
        has been done, and the answers of the move are kept.
    """
    memory.plan.settle(mission)
    remembered, used = list(memory.answers), list[Answered]()
    talk = next_move(mission, memory.beside or None)
    try:
        question = next(talk)
        while (answer := _ready(question, remembered, mission, memory)) is not None:
            used.append(Answered(question.key, question.subject, answer))
            question = talk.send(answer)
    except StopIteration as done:
        memory.answers, memory.beside = [], ""
        return done.value  # type: ignore[no-any-return]
    finally:
        talk.close()
    memory.answers = [*used, *remembered]
    return question


def _ready(question: Question, remembered: list[Answered], mission: Mission, memory: Memory) -> Answer | None:
    """Return the answer that was given before, else the dice on the tray or the plan; None where there is none."""
    for at, each in enumerate(remembered):
        if each.key == question.key:
            del remembered[: at + 1]
            return each.answer
    if isinstance(question, DiceQuestion):
        return memory.tray.take(question)
    return memory.plan.take(question, mission) if isinstance(question, ChoiceQuestion) else None
