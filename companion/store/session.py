"""The session of a command: the campaign in use and its mission, or an empty sheet for a bare lookup."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext

from companion.packs import Pack, beginning, game_named, tables_folder
from companion.packs.folders import Doc, cached
from companion.play.journal import Entry
from companion.play.mission import Mission
from companion.problems import SystemFault, UserError
from companion.store.campaigns import Campaign, campaign_in_use, in_use
from companion.store.files import locked

Place = tuple[Campaign, int]  # the fixed campaign and mission of a command that asks several questions


class Session:
    """The current pack, and the campaign and mission if there are any. `recording` says whether to write."""

    def __init__(self, mission: Mission, campaign: Campaign | None = None, recording: bool = False) -> None:
        self.pack, self.mission, self.campaign, self.recording = mission.game, mission, campaign, recording
        self.pack.sheet.nicknames.state = mission.state
        self.stamp = (0, 0)  # the stamp of the mission's file when read
        self.files: object = None  # and of the game's files


class ChangedElsewhere(UserError):
    """Raised when another terminal has changed the mission since it was read; that change is kept."""


def campaign_needed(how: str = "") -> Campaign:
    """Return the campaign in use. Raise UserError if there is none, SystemFault if it is missing."""
    if (campaign := campaign_in_use()) is not None:
        return campaign
    if (lost := in_use()) is not None:
        raise SystemFault(f"the campaign in use is missing, {lost}. Choose another with: companion use NAME")
    raise UserError(f"No campaign is in use. {how}Start with: {beginning()}")


@contextlib.contextmanager
def open_session(
    game: str | None = None,
    *,
    record: bool = True,
    hold: bool = True,
    place: Place | None = None,
    before: Session | None = None,
) -> Iterator[Session]:
    """Open the mission in use (or the one at `place`) and save it if the command succeeds.

    Without a campaign, or for a different game, use an empty sheet and write nothing.

    Args:
        game: The game of an empty sheet.
        record: Whether to write.
        hold: Whether to keep the campaign's lock throughout. A command that waits for a person does not, and refuses to
            write if another terminal has written meanwhile.
        place: A mission of a campaign, instead of the one in use.
        before: An earlier session, reused if neither the mission's file nor the game's have changed.
    """
    campaign = place[0] if place else campaign_in_use()
    if campaign is None or (game is not None and campaign.game != game_named(game)):
        if game is None:
            campaign_needed("Name a game, e.g. --game b29. ")
        pack = Pack(str(game))
        opened: AbstractContextManager[Session] = nullcontext(Session(Mission(pack)))
    else:
        opened = _opened(campaign, record, hold, place, before)
    with opened as session, blaming():
        yield session


@contextlib.contextmanager
def _opened(
    campaign: Campaign, record: bool, hold: bool, place: Place | None, last: Session | None
) -> Iterator[Session]:
    with campaign.to_change() if record and hold else nullcontext():
        begun = campaign.missions()
        number = place[1] if place else begun[-1] if begun else None
        if number is None:
            pack = Pack(campaign.game)
            yield Session(Mission(pack), campaign)
            return
        if record:
            _check_newest(campaign, number)
        session = read(campaign, number, record=record, last=last)
        mission, stamp, before = session.mission, session.stamp, journal_state(session.mission)
        yield session
        if not record or journal_state(mission) == before:
            return
        with nullcontext() if hold else locked(campaign.folder):
            _check_newest(campaign, number)
            if campaign.stamp(number) != stamp:
                raise ChangedElsewhere(
                    "Another terminal has just changed the mission. Nothing was saved here. Try again."
                )
            campaign.save(mission)
            session.stamp = campaign.stamp(number)


@contextlib.contextmanager
def blaming() -> Iterator[None]:
    """Turn an error into a SystemFault if a fault in a pack's files caused it."""
    try:
        yield
    except (
        SystemFault, LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError
    ) as error:  # fmt: skip
        from companion.packs.check import blamed

        if (trouble := blamed(error)) is None:
            raise
        raise trouble from error


def ensure_sound(game: str) -> None:
    """Raise SystemFault with the first fault of a game that has files of the player; a patch left out is none."""
    pack = Pack(game)
    paths = sorted(path for layers in pack.layers.values() for path in layers)
    if all(tables_folder() in path.parents for path in paths):
        return

    def checked() -> Doc:
        from companion.packs.check import faults
        from companion.packs.folders import LEFT_OUT

        found = [each for each in faults(pack, advising=False) if not each.warning and LEFT_OUT not in each.sentence]
        return {"faults": [str(each) for each in found]}

    if wrong := cached(pack.name, "check", paths, checked)["faults"]:
        more = f". See all {len(wrong)} faults with: companion tables check {pack.name}" if wrong[1:] else ""
        raise SystemFault(f"{wrong[0]}{more}")


def journal_state(mission: Mission) -> tuple[int, list[Entry]]:
    """Return the number of current journal entries and of all entries, to detect changes."""
    return mission.journal.position, list(mission.journal.entries)


def read(campaign: Campaign, number: int, *, record: bool = True, last: Session | None = None) -> Session:
    """Read a mission from disk, or return the `last` session if nothing has changed.

    The last pack is reused if the files of the game have not changed.
    """
    stamp = campaign.stamp(number)  # stamped before reading, so that later writes are noticed
    known = None
    if last is not None and last.recording:
        known = last.pack if Pack(last.pack.name).generation() == last.files else None
        if known and (last.mission.number, last.stamp) == (number, stamp):
            known.sheet.nicknames.state = last.mission.state
            return last
    session = Session(campaign.flown(number, known), campaign, record)
    session.stamp, session.files = stamp, session.pack.generation()
    return session


def _check_newest(campaign: Campaign, number: int) -> None:
    """Raise a UserError if another terminal has started a later mission, since the answers are for the earlier one."""
    newest = (campaign.missions() or [number])[-1]
    if newest != number:
        raise UserError(
            f"Another terminal has started mission {newest} of {campaign.name}. This belongs to mission {number}. "
            "Nothing was saved here."
        )


def no_mission_error(pack: Pack) -> UserError:
    """Return the error for no mission, in the word of the game."""
    return UserError(f"no {pack.sheet.flight} has been started. Start one with: companion mission start")


def mission_numbers(campaign: Campaign, wanted: int | None = None) -> list[int]:
    """Return the missions started, or only the one wanted; raise UserError if there is none."""
    begun = campaign.missions()
    if not begun:
        raise no_mission_error(Pack(campaign.game))
    if wanted is not None and wanted not in begun:
        raise UserError(f"There is no {Pack(campaign.game).sheet.flight} {wanted}. The newest is {begun[-1]}.")
    return begun if wanted is None else [wanted]


@contextlib.contextmanager
def open_mission(
    *, record: bool = True, hold: bool = True, place: Place | None = None, before: Session | None = None
) -> Iterator[Session]:
    """Open the mission in use like `open_session`; raise UserError if there is none."""
    if place is None:
        campaign_needed()
    with open_session(record=record, hold=hold, place=place, before=before) as session:
        if session.mission.number is None:
            raise no_mission_error(session.pack)
        yield session
