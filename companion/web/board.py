"""The mission as shared by phones and the terminal: one question, answered by the first who replies."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.packs import Pack
from companion.play.dice_tray import where
from companion.play.journal import join, settled
from companion.play.mission import Mission
from companion.play.moving import moved, taken_at_any_time
from companion.play.phrases import given, marks, move_said, table_named
from companion.play.plan import Plan
from companion.play.replay import reroll_command, reroll_last
from companion.problems import Question, SystemFault, Unconfirmed, UserError
from companion.render.describe import by_hand
from companion.render.history import entry_lines, undone
from companion.render.options import Prompt
from companion.render.prompt import prompt_of
from companion.render.situation import Line, Piece, pending_line, standing, step_of
from companion.store.campaigns import Campaign
from companion.store.files import locked, opened, present, recorded
from companion.store.session import Session, blaming, journal_state, no_mission_error, read
from companion.web import answers as drafts
from companion.web.answers import Memory, make_move, remember
from companion.web.feed import Event, Feed, last_action, undo_words
from companion.words import sentence

if TYPE_CHECKING:
    from companion.play.journal import Entry

T = TypeVar("T")
PATIENCE = 3.0  # seconds that a phone waits for a terminal or another phone
TOLD = 40  # the most lines about the latest events


class OutdatedQuestion(UserError):
    """Raised if somebody else has answered in the meantime, at the terminal or on another phone."""


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

    @property
    def shown(self) -> str:
        """Return what tells one page from another: the question, and the offer to follow."""
        return f"{self.id}{self.follow and '+'}"


class ToldLines(NamedTuple):
    """The lines that led to a state of the mission, and the fields that they are about."""

    mark: str
    lines: list[Line]
    touched: set[str]


class Board:
    """One campaign. Every call holds the board's lock; calls that record also hold the campaign's lock."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.asking: Question | None = None  # the question on the page when last viewed
        self._lock = threading.RLock()  # the lock between phones
        self._session: Session | None = None
        self._from = 0  # the length of the journal before the current action
        self._told = ToldLines("", [], set())
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
            stamp = self.campaign.stamp(number)
        except SystemFault:  # the viewer is told
            return (-1,)
        try:
            half = drafts.file_of(self.campaign.folder).stat()
        except OSError:
            return number, stamp
        return number, stamp, half.st_mtime_ns, half.st_ino

    def present(self) -> Session:
        """Return the newest mission, reloaded only if it or its tables have changed."""
        number = self.newest()
        if number is None:
            pack = Pack(self.campaign.game)
            return Session(pack, Mission(pack), self.campaign)
        last = self._session
        if last is None or last.mission.number != number:
            self.campaign.load()  # it may be of a different game
        self._session = read(self.campaign, number, last=last)
        if self._session is not last:
            self.asking = None
        return self._session

    @contextlib.contextmanager
    def _acting(self, seen: str) -> Iterator[tuple[Session, Memory]]:
        """Allow an action by somebody who has seen that question; raise OutdatedQuestion if it is no longer asked."""
        with self._lock:
            self.newest()  # do not recreate a deleted campaign's folder for the lock
            with self._recording() as (session, memory), blaming(session.pack):
                if session.mission.number is None:
                    raise no_mission_error(session.pack)
                if seen != self._id(session, memory):
                    raise OutdatedQuestion("This was already answered at the terminal or on another phone.")
                yield session, memory

    @contextlib.contextmanager
    def _recording(self) -> Iterator[tuple[Session, Memory]]:
        """Yield the mission for writing; save it and the stored answers together at the end."""
        recorded.clear()
        opened.clear()
        with locked(self.campaign.folder, PATIENCE):
            session = self.present()
            mission = session.mission
            before = journal_state(mission)
            self._from, _ = before
            memory = drafts.load(self.campaign.folder, mission, session.stamp)
            half, mark = memory.document(), f"{drafts.mark_of(mission)} {session.stamp}"
            try:
                yield session, memory
                if journal_state(mission) != before:
                    drafts.keep(self.campaign.folder, mission, memory, {mark: half})
                    self.campaign.save(mission)
                elif memory.document() != half:
                    drafts.keep(self.campaign.folder, mission, memory, {})
            except (OutdatedQuestion, Unconfirmed):  # before any action
                raise
            except BaseException:
                self._session = self.asking = None  # the version on disk is the valid one
                raise
            assert mission.number is not None
            session.stamp = self.campaign.stamp(mission.number)

    # -- actions of a phone --------------------------------------------------------------------------------------------

    def view(self, wishes: Mapping[str, str] | None = None) -> View:
        """Return the page, after carrying out everything automatic. `wishes` change a plan for display."""
        with self._lock:
            session = self.present()
            with blaming(session.pack):
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
                entries = session.mission.undo()
                own = [each for each in entries if not settled(each)] or entries[-1:]
                told = [f"Undone: {each}" for each in undone(own, entry_lines(session.mission, own))]
                memory.clear()
            self._tell(session, list(map(plain, told)))
        return self.view()

    def redo(self, seen: str) -> View:
        """Redo the last undone action."""
        with self._acting(seen) as (session, memory):
            memory.clear()
            entries = session.mission.redo()
            told = [each for each in entries if not settled(each)] or entries[:1]
            self._tell(session, [plain(f"Redone: {each}") for each in entry_lines(session.mission, told)])
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
                bound = fact if fact and given(session.pack, [fact]) else ""
                memory.beside = f"{table_named(session.pack, name if bound else table).id} {bound}".strip()
                self._ask(session, memory)  # raises UserError if it cannot be rolled
                self._tell(session, [])
            else:
                memory.plan = Plan()  # dice that somebody has already sent are kept
                told: list[Line] = []
                if verb.casefold() == "move" and (move := move_said(text)):
                    moved(session.mission, *move)
                elif taken_at_any_time(session.mission, text):
                    pass
                else:
                    marked, before = dict(marks(session.mission, text)), session.mission.journal.position
                    told = by_hand(session.mission.write(marked), session.mission, marked)
                    told = told if session.mission.journal.position == before else []  # the feed has the change
                self._tell(session, told)
                self._go_on(session, memory, acted=True)
        return self.view()

    def reading(self, look: Callable[[Session], T]) -> T:
        """Read something from the mission (the sheet, an explanation) without recording."""
        with self._lock:
            session = self.present()
            with blaming(session.pack):
                return look(session)

    # -- progress ------------------------------------------------------------------------------------------------------

    def _ask(self, session: Session, memory: Memory) -> Question | None:
        """Return the pending question; None if something automatic comes first, or all is over."""
        if session.mission.waiting() is None and not memory.beside:
            return None
        question = make_move(session.mission, memory)
        if isinstance(question, Question):
            return question
        raise UserError("The mission has moved on. Look at it again, then answer.")

    def _go_on(self, session: Session, memory: Memory, *, acted: bool = False) -> None:
        """Make every answered move; raise UserError for an answer that does not fit.

        Args:
            acted: Whether something has been recorded already.
        """
        journal = session.mission.journal
        moves, told, line = 0, list[Line](), journal.position
        while True:
            try:
                came = make_move(session.mission, memory)
            except UserError as problem:
                if not moves and not acted:
                    raise
                memory.clear()
                self._tell(session, [plain(sentence(str(problem)))])
                return
            if isinstance(came, Question):
                if stale := memory.tray.settle(where(session.mission), session.mission.pending):
                    told.append(plain(f"Discarded: {stale} (no longer needed)."))
                break
            moves += 1
            if moves == 1:
                line = journal.position
            if not came:
                break
        join(journal.entries[max(line - 1, 0) : journal.position])  # answers sent together are undone together
        if moves or told:
            self._tell(session, [*(self._told.lines if acted else ()), *told])

    def _tell(self, session: Session, told: list[Line]) -> None:
        journal = session.mission.journal
        touched = fields_of(journal.entries[min(self._from, journal.position) : max(self._from, journal.position)])
        self._told = ToldLines(drafts.mark_of(session.mission), told, touched)

    # -- the view ------------------------------------------------------------------------------------------------------

    def _view(self, session: Session, wishes: Mapping[str, str]) -> View:
        if session.mission.number is None:
            return View("none", self.campaign.name, None)
        memory = drafts.load(self.campaign.folder, session.mission, session.stamp)
        if session.mission.waiting() is None and session.mission.coming(1):  # otherwise the last step has been taken
            with self._recording() as (session, memory):
                self._go_on(session, memory)
        from companion.render.report import debrief

        mission = session.mission
        asking = self.asking = self._ask(session, memory)
        mark, told, touched = self._told
        if mark != drafts.mark_of(mission):
            told, touched = [], set()
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
            touched=frozenset(touched),
        )

    def _id(self, session: Session, memory: Memory) -> str:
        half = repr((drafts.mark_of(session.mission), memory.document(), session.mission.pending))
        return blake2b(f"{self.campaign.folder.name} {half}".encode(), digest_size=9).hexdigest()


# -- lines -------------------------------------------------------------------------------------------------------------


def plain(text: str) -> Line:
    """Return a line without styles."""
    return Line("  ", [(text, "")])


def fields_of(entries: Sequence[Entry]) -> set[str]:
    """Return the fields changed by entries."""
    return {name for entry in entries for name in entry.get("c", {})}
