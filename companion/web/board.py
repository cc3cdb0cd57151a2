"""The mission as shared by phones and the terminal: one question, answered by the first who replies.

Incomplete answers (dice on the tray, half a move, a plan) are stored next to the campaigns. They belong to one state of
one mission; a change at the terminal discards them.
"""

from __future__ import annotations

import contextlib
import json
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypedDict, TypeVar, cast

import msgspec

from companion.engine.dice import Rolled
from companion.packs import Pack
from companion.play import phrases
from companion.play.dice_tray import KeptDice, reroll_command, reroll_last
from companion.play.journal import settled
from companion.play.members import move_said, moved, taken_at_any_time
from companion.play.mission import Mission
from companion.problems import Question, SystemFault, Unconfirmed, UserError
from companion.render.describe import by_hand
from companion.render.draft import Answered, Draft
from companion.render.history import entry_lines, shown, undone
from companion.render.options import Prompt
from companion.render.plan_prompt import PlanPrompt
from companion.render.prompt import prompt_of
from companion.render.situation import Line, Piece, pending_line, standing, step_of
from companion.store.campaigns import Campaign
from companion.store.files import home, locked, make_folder, opened, present, read_bytes, recorded, save, stamp_of
from companion.store.session import Session, blaming, journal_state, no_mission_error, read
from companion.web.feed import Event, Feed, last_action, undo_words
from companion.words import one_of, sentence

T = TypeVar("T")
A = TypeVar("A")
PATIENCE = 3.0  # seconds that a phone waits for a terminal or another phone
TOLD = 40  # the most lines about the latest events


LONGEST = 500  # the most characters of an answer


class OutdatedQuestion(UserError):
    """Raised if somebody else has answered in the meantime, at the terminal or on another phone."""


# -- the answers of phones ---------------------------------------------------------------------------------------------


class StoredMemory(TypedDict):
    """The stored form of a memory; dice rolled by the companion have a 0 before them."""

    answers: list[Answered]
    tray: list[KeptDice]
    plan: dict[str, str]
    ahead: list[str]
    ahead_for: tuple[str, int]
    beside: str


class Stored(TypedDict):
    """A campaign's file: the halves of moves, each by the state of the mission that it belongs to.

    The key is `mark_of` the mission. While a move is saved the earlier half is kept too, under its mark and the stamp
    of the mission's file: it is valid again if the mission is not written after all.
    """

    format: Literal[7]
    halves: dict[str, StoredMemory]


class Memory(Draft):
    """A draft stored between two taps."""

    def __init__(self, half: StoredMemory | None = None) -> None:
        super().__init__()
        if half is not None:
            self.answers = [each._replace(answer=_restored(each.answer)) for each in half["answers"]]
            self.tray.lying = [each._replace(dice=_restored(each.dice)) for each in half["tray"]]
            self.plan, self.beside = half["plan"], half["beside"]
            self.ahead, self.ahead_for = half["ahead"], half["ahead_for"]

    def __bool__(self) -> bool:
        return bool(self.answers or self.tray or self.plan or self.beside or self.ahead)

    def document(self) -> StoredMemory:
        """Return its stored form."""
        return {
            "answers": [each._replace(answer=_stored(each.answer)) for each in self.answers],
            "tray": [each._replace(dice=_stored(each.dice)) for each in self.tray.lying],
            "plan": self.plan,
            "ahead": self.ahead,
            "ahead_for": self.ahead_for,
            "beside": self.beside,
        }


def _stored(answer: A) -> A:
    return cast(A, [0, *answer]) if isinstance(answer, Rolled) else answer


def _restored(answer: A) -> A:
    return cast(A, Rolled(answer[1:])) if isinstance(answer, list) and answer[:1] == [0] else answer


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


def load_answers(campaign: Path, mission: Mission, stamp: tuple[int, int] = (0, 0)) -> Memory:
    """Return the answers for this state of the mission, whose file has that stamp; empty if the state is another."""
    halves, mark = _halves(file_of(campaign)), mark_of(mission)
    return Memory(halves.get(mark) or halves.get(f"{mark} {stamp}"))


def keep_answers(campaign: Path, mission: Mission, memory: Memory, before: Mapping[str, object]) -> None:
    """Store the answers before the mission is written; raise SystemFault if the disk refuses.

    Args:
        before: The earlier answers, valid until the mission has its new stamp, so that nothing is lost if the companion
        is stopped between the two writes.
    """
    path = file_of(campaign)
    if not memory and not any(Memory(half) for half in _halves(path).values()):
        return
    document = {"format": 7, "halves": {**before, mark_of(mission): memory.document()}}
    make_folder(path.parent)
    save(path, json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode(), sync=False)


def remember(question: Question, sent: Mapping[str, object], mission: Mission, memory: Memory) -> None:
    """Keep an answer; raise UserError, and keep nothing, if it does not fit."""
    wished, text = wishes_of(sent), str(sent.get("value", ""))[:LONGEST].strip()
    prompt = prompt_of(question, mission, memory.tray, wished)
    if not isinstance(prompt, PlanPrompt) and sent.get("wishes") is not None:
        raise UserError("These are now decided one by one. Nothing was saved")
    if strange := [key for key in wished if isinstance(prompt, PlanPrompt) and key not in prompt.plan]:
        raise UserError(f"{one_of(strange)} has nothing to decide now. Nothing was saved")
    memory.keep(question, prompt.read(text), prompt, mission)


def wishes_of(sent: Mapping[str, object]) -> dict[str, str]:
    """Return the changes of a plan that a phone has sent: the option of each subject."""
    wishes = sent.get("wishes")
    return {str(key): str(option) for key, option in wishes.items()} if isinstance(wishes, Mapping) else {}


# -- the board ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class View:
    """The contents of the page. `id` is unique for each."""

    id: str
    campaign: str
    number: int | None
    over: bool = False
    step: tuple[str, str] = ("", "")
    line: Sequence[Piece] = ()
    orders: Sequence[str] = ()
    told: Sequence[Line] = ()  # about the last action, other than its results
    events: Sequence[Event] = ()  # the mission so far
    since: int = 0  # the number of entries before the last action
    prompt: Prompt | None = None
    debrief: Sequence[str] = ()
    undo: str = ""  # what an undo takes back; empty if there is nothing
    redo: bool = False
    again: str = ""  # the command for a reroll, if one is left
    tips: Sequence[str] = ()  # what may be written at any time and is not asked while all is well
    trouble: str = ""
    touched: frozenset[str] = frozenset()  # the fields that these lines are about
    elsewhere: str = ""
    follow: str = ""  # another campaign that is in use now
    message: str = ""  # why the answer sent does not fit, with the known names `near` it
    near: Sequence[str] = ()
    kept: str = ""

    @property
    def shown(self) -> str:
        """Return what tells one page from another: the question, and the offer to follow."""
        return f"{self.id}{self.follow and '+'}"


class Board:
    """One campaign. Every call holds the board's lock; calls that record also hold the campaign's lock."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self._lock = threading.RLock()  # the lock between phones
        self._session: Session | None = None
        self._from = 0  # the length of the journal before the current action
        self._told = "", list[Line](), frozenset[str]()  # a state, the lines that led to it, and the fields of them
        self._feed = Feed()

    # -- the mission on disk -------------------------------------------------------------------------------------------

    def newest(self) -> int | None:
        """Return the current mission; None before the first."""
        begun = self.campaign.missions()
        if not begun and not present(self.campaign.folder):
            raise SystemFault(f"the folder of {self.campaign.name} is gone: {self.campaign.folder}")
        return begun[-1] if begun else None

    def generation(self) -> tuple[object, ...]:
        """Return a stamp of all relevant files: this mission, later ones, and stored answers."""
        try:
            number = self.newest() or 0
        except SystemFault:  # the viewer is told
            return (-1,)
        return number, self.campaign.stamp(number), stamp_of(file_of(self.campaign.folder))

    def present(self) -> Session:
        """Return the newest mission, reloaded only if it or its tables have changed."""
        number = self.newest()
        if number is None:
            pack = Pack(self.campaign.game)
            return Session(Mission(pack), self.campaign)
        last = self._session
        if last is None or last.mission.number != number:
            self.campaign.load()  # it may be of a different game
        self._session = read(self.campaign, number, last=last)
        return self._session

    @contextlib.contextmanager
    def _acting(self, seen: str) -> Iterator[tuple[Session, Memory]]:
        """Allow an action by somebody who has seen that question; raise OutdatedQuestion if it is no longer asked."""
        with self._lock:
            self.newest()  # do not recreate a deleted campaign's folder for the lock
            with self._recording() as (session, memory), blaming():
                if session.mission.number is None:
                    raise no_mission_error(session.pack)
                if seen != self._id(session, memory):
                    raise OutdatedQuestion("This was already answered at the terminal or on another phone.")
                yield session, memory

    @contextlib.contextmanager
    def _recording(self) -> Iterator[tuple[Session, Memory]]:
        """Yield the mission for writing; save it and the stored answers together at the end.

        Unlike `_acting` it does not ask what the phone has seen.
        """
        recorded.clear()
        opened.clear()
        with locked(self.campaign.folder, PATIENCE):
            session = self.present()
            mission = session.mission
            before = journal_state(mission)
            self._from, _ = before
            memory = load_answers(self.campaign.folder, mission, session.stamp)
            half, mark = memory.document(), f"{mark_of(mission)} {session.stamp}"
            try:
                yield session, memory
                if journal_state(mission) != before:
                    keep_answers(self.campaign.folder, mission, memory, {mark: half})
                    self.campaign.save(mission)
                elif memory.document() != half:
                    keep_answers(self.campaign.folder, mission, memory, {})
            except (OutdatedQuestion, Unconfirmed):  # before any action
                raise
            except BaseException:
                self._session = None  # the version on disk is the valid one
                raise
            assert mission.number is not None
            session.stamp = self.campaign.stamp(mission.number)

    # -- actions of a phone --------------------------------------------------------------------------------------------

    def view(self, wishes: Mapping[str, str] | None = None) -> View:
        """Return the page, after carrying out everything automatic. `wishes` change a plan for display."""
        with self._lock:
            session = self.present()
            with blaming():
                return self._view(session, wishes or {})

    def answer(self, seen: str, sent: Mapping[str, object]) -> View:
        """Answer the question; raise UserError, and record nothing, if the answer does not fit."""
        with self._acting(seen) as (session, memory):
            asking = self._ask(session, memory)
            if asking is None:
                raise OutdatedQuestion("There is no question right now. Nothing was saved.")
            remember(asking, sent, session.mission, memory)
            self._go_on(session, memory)
        return self.view()

    def undo(self, seen: str) -> View:
        """Undo the last answer: part of a move, else the last recorded action."""
        with self._acting(seen) as (session, memory):
            if self._ask(session, memory) is not None and memory.answers:
                told = [f"Undone: {memory.answers.pop().words()}"]
            elif memory.beside:
                told = [f"Not rolled: {memory.beside}"]
                memory.clear()
            else:
                own = shown(session.mission.undo())
                told = [f"Undone: {each}" for each in undone(own, entry_lines(session.mission, own))]
                memory.clear()
            self._tell(session, list(map(plain, told)))
        return self.view()

    def redo(self, seen: str) -> View:
        """Redo the last undone action."""
        with self._acting(seen) as (session, memory):
            memory.clear()
            again = shown(session.mission.redo())
            self._tell(session, [plain(f"Redone: {each}") for each in entry_lines(session.mission, again)])
        return self.view()

    def again(self, seen: str) -> View:
        """Reroll the last dice, if a reroll is left."""
        with self._acting(seen) as (session, memory):
            memory.clear()
            entry = reroll_last(session.mission, 1, memory.tray)
            self._tell(session, [plain(f"Rerolled: {entry_lines(session.mission, [entry])[0]}")])
        return self.view()

    def done(self, seen: str, place: int) -> View:
        """Tick off an order that has been carried out."""
        with self._acting(seen) as (session, _):
            self._tell(session, [plain(f"Done: {session.mission.done(place).name}")])
        return self.view()

    def write(self, seen: str, text: str) -> View:
        """Carry out a typed phrase: change the sheet (`tail guns jammed`), move a man (`move navigator to bombardier`),
        or roll on a table (`roll 6-3`).
        """
        verb, _, table = text.strip().partition(" ")
        with self._acting(seen) as (session, memory):
            if verb.casefold() == "roll" and table:
                memory.clear()
                name, _, fact = table.partition(" ")
                bound = fact if fact and phrases.given(session.pack, [fact]) else ""
                memory.beside = f"{phrases.table_named(session.pack, name if bound else table).id} {bound}".strip()
                self._ask(session, memory)  # raises UserError if it cannot be rolled
                self._tell(session, [])
            else:
                memory.plan = {}  # dice that somebody has already sent are kept
                told: list[Line] = []
                if verb.casefold() == "move" and (move := move_said(text)):
                    moved(session.mission, *move)
                elif taken_at_any_time(session.mission, text):
                    pass
                else:
                    mission, before = session.mission, session.mission.journal.position
                    marked = phrases.written(mission.game, [text], mission.state)
                    told = by_hand(mission.write(marked), mission, marked)
                    told = told if mission.journal.position == before else []  # the feed has the change
                self._tell(session, told)
                self._go_on(session, memory, acted=True)
        return self.view()

    def reading(self, look: Callable[[Session], T]) -> T:
        """Read something from the mission (the sheet, an explanation) without recording."""
        with self._lock:
            session = self.present()
            with blaming():
                return look(session)

    # -- progress ------------------------------------------------------------------------------------------------------

    def _ask(self, session: Session, memory: Memory) -> Question | None:
        """Return the pending question; None if something automatic comes first, or all is over."""
        if session.mission.waiting() is None and not memory.beside:
            return None
        question = memory.move(session.mission)
        if isinstance(question, Question):
            return question
        raise UserError("The mission has moved on. Look at it again, then answer.")

    def _go_on(self, session: Session, memory: Memory, *, acted: bool = False) -> None:
        """Make every answered move; raise UserError for an answer that does not fit.

        Args:
            acted: Whether something has been recorded already.
        """
        moved, stop = memory.moves(session.mission)
        told = list(map(plain, memory.unused))
        if isinstance(stop, UserError):
            if not moved and not acted:
                raise stop
            memory.clear()
            told, acted = [plain(sentence(str(stop)))], False
        if moved or told:
            self._tell(session, [*(self._told[1] if acted else ()), *told])

    def _tell(self, session: Session, told: list[Line]) -> None:
        journal = session.mission.journal
        entries = journal.entries[min(self._from, journal.position) : max(self._from, journal.position)]
        touched = frozenset(name for entry in entries for name in entry.get("c", ()))
        self._told = mark_of(session.mission), told, touched

    # -- the view ------------------------------------------------------------------------------------------------------

    def _view(self, session: Session, wishes: Mapping[str, str]) -> View:
        if session.mission.number is None:
            return View("none", self.campaign.name, None)
        memory = load_answers(self.campaign.folder, session.mission, session.stamp)
        if session.mission.waiting() is None and session.mission.coming(1):  # otherwise the last step has been taken
            with self._recording() as (session, memory):
                self._go_on(session, memory)
        from companion.render.report import debrief

        mission = session.mission
        asking = self._ask(session, memory)
        mark, told, touched = self._told
        if mark != mark_of(mission):
            told, touched = [], frozenset()
        events, since = self._feed.events(session), last_action(session)
        taken = memory.answers[-1].words() if memory.answers else memory.beside
        orders = [pending_line(item, session.pack) for item in mission.pending if not item.waits]
        journal = mission.journal
        entries = journal.recorded
        return View(
            id=self._id(session, memory),
            campaign=self.campaign.name,
            number=int(str(mission.state.get("mission.number", mission.number))),
            over=asking is None,
            step=step_of(session.mission),
            line=standing(session, keys=False).pieces,
            orders=orders,
            told=told[-TOLD:],
            events=events,
            since=since,
            prompt=prompt_of(asking, mission, memory.tray, wishes) if asking is not None else None,
            debrief=debrief(session) if asking is None else (),
            undo=taken or ("" if all(map(settled, entries)) else undo_words(events, since) or "the last step"),
            again=reroll_command(mission),
            tips=[*session.pack.about.at_table.tips, *session.pack.about.at_table.any_time],
            redo=journal.position < len(journal.entries) and not memory.answers,
            touched=touched,
        )

    def _id(self, session: Session, memory: Memory) -> str:
        half = self.campaign.folder.name, mark_of(session.mission), memory.document()
        return blake2b(repr(half).encode(), digest_size=9).hexdigest()


# -- lines -------------------------------------------------------------------------------------------------------------


def plain(text: str) -> Line:
    """Return a line without styles."""
    return Line("  ", [(text, "")])
