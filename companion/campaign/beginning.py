"""Beginning a mission: who can fly, what the log carries over, and the new sheet on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from companion.campaign.log import CampaignLog
from companion.campaign.roster import Roster, losses, typed
from companion.campaign.store import Campaign
from companion.engine.fields import Value
from companion.engine.play import Play
from companion.files.change import one_change
from companion.packs import Pack
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import Problem


@dataclass(frozen=True)
class Beginning:
    """A mission that has begun: its sheet, the log it begins from, and what was changed for it, in lines."""

    mission: Mission
    log: CampaignLog
    changes: list[str]


def begin(campaign: Campaign, pack: Pack, facts: Mapping[str, Value], *, mend: bool, seen: Sequence[int]) -> Beginning:
    """Take a new sheet with these facts on it, flown with `pack`, and write it.

    `seen` are the missions that there were when the command began: a Problem where another terminal has changed the
    campaign since.

    With `mend` the lost have successors with names of our own; otherwise a Problem names them, as it does the men of
    whom nobody has said whether they fly again.
    """
    with campaign.to_change() as present, one_change():
        if (present.about, present.missions()) != (campaign.about, seen):
            raise Problem(
                f"another terminal has changed {present.name} meanwhile; nothing was recorded here, look and try again"
            )
        log = CampaignLog.of(pack, present)
        check_settled(log)
        if not mend:
            check_ready(log)
        changes = mended(log, present) if mend else []
        number = (present.missions() or [0])[-1] + 1
        mission = new_sheet(log, present, number, facts)
        if changes:
            present.keep(roster=log.roster, aircraft=log.aircraft)
        if pack.name != present.game:
            variants = present.about.get("variants") or {"1": present.game}
            present.keep(game=pack.name, variants={**variants, str(number): pack.name})
            changes = [*changes, f"From this mission on: {pack.about.get('title', pack.name)}"]
        present.begin(mission)
    return Beginning(mission, log, changes)


def check_ready(log: CampaignLog) -> None:
    """Raise a Problem unless everyone and the bomber can fly; it names who does not and what mends it."""
    check_settled(log)
    who, how = losses(log)
    if not who:
        return
    raise Problem(f"{', '.join(who)}; first: {', '.join(how)}; or: companion mission start --yes")


def check_settled(log: CampaignLog) -> None:
    """Raise a Problem that names the men of whom nobody has said yet whether they fly again, and what says it."""
    men, rolls = [], []
    for position in log.unsettled():
        man = log.man(position)
        why, table = man.unsettled or ("", "")
        men.append(f"{man.name} ({log.label(position)}) came back {why}")
        where = f"position={log.label(man.sat)}"
        rolls.append(f"companion roll {table} --with {typed(where)}")
    if men:
        raise Problem(f"{', '.join(men)}: settle it first with {', '.join(rolls)}")


def mended(log: CampaignLog, campaign: Campaign) -> list[str]:
    """Replace the lost in the log by names of our own, the same each time it is tried; what was done, in lines."""
    roster = Roster(log)
    roster.fill(Random(f"{campaign.folder.name} {len(log.rows)}"), lost_only=True)
    if log.bomber().lost:
        roster.next_bomber()
    log.roster, log.aircraft = roster.names, roster.aircraft
    return roster.changes


def variant(game: str, wanted: str | None) -> Pack:
    """The pack of the next mission: the campaign's, or another that has the same game at its root; else a Problem."""
    present = Pack(game)
    if wanted is None or wanted.casefold() == game.casefold():
        return present
    other = Pack(wanted)
    if other.root != present.root:
        raise Problem(f"{other.name} is another game than {present.name}; begin a campaign of its own: companion new")
    return other


def new_sheet(log: CampaignLog, campaign: Campaign, number: int, facts: Mapping[str, Value]) -> Mission:
    """A mission with what the log carries over and these facts on its sheet; standing rules have acted on them."""
    pack, first = log.pack, log.carried()
    fields = pack.sheet.fields
    for name in pack.about.get("briefing", ()):
        default = fields[name].default
        if default is not None and fields[name].reaches(default):
            first.setdefault(name, default)
    named = [name for name in first if fields[name].naming]
    # names stay as the roster has them: an older companion took longer ones
    play = Play(pack, {name: fields[name].accept(name, first.pop(name), stored=True) for name in named})
    play.write({**first, **figures(pack, campaign), **log.damaged(facts), **facts}, "start")
    return Mission(pack, play.state, play.pending, Journal(), number)


def figures(pack: Pack, campaign: Campaign) -> dict[str, Value]:
    """The figures of the player's own book and the options of the mission before; nobody is asked twice."""
    flown = campaign.missions()
    before = campaign.load(Pack(campaign.game_of(flown[-1])), flown[-1]) if flown else None
    if before is None:
        return {}
    lasting = {name for name, declared in pack.sheet.fields.items() if declared.section in ("book", "settings")}
    return {name: value for name, value in before.state.items() if name in lasting}


def to_ask(pack: Pack, campaign: Campaign, facts: Mapping[str, Value]) -> list[str]:
    """The fields of the briefing that a person may fill in before the rolls do, when neither he nor the book has."""
    known = figures(pack, campaign)
    return [name for name in pack.about.get("briefing", ()) if name not in facts and name not in known]


def follows(pack: Pack, log: CampaignLog, name: str, facts: Mapping[str, Value]) -> bool:
    """Whether a standing rule fills this field of the next sheet as soon as these facts stand there."""
    number = {key: value for key, value in log.carried().items() if key == "mission.number"}
    play = Play(pack, {})
    play.write({**number, **facts}, "start")
    return name not in facts and name in play.state
