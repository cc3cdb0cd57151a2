"""Changing who flies and what they fly; the lost keep their place in the log."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from companion.campaign import names
from companion.campaign.log import CampaignLog
from companion.engine.fields import line
from companion.packs import Pack
from companion.problems import Problem
from companion.words import one_of

if TYPE_CHECKING:
    from companion.campaign.store import Campaign


def losses(log: CampaignLog) -> tuple[list[str], list[str]]:
    """Who of the present crew and bomber is lost or sent home, in sentences, and the commands that mend it; both empty
    when all can fly."""
    lost, home = log.lost_on_roster(), log.home_on_roster()
    gone, how = [*lost, *home], list[str]()
    who = [*_several(log, lost), *([log.aircraft] if log.bomber().lost else [])]
    said = [f"{' and '.join(who)} {'are' if len(who) > 1 or len(lost) > 1 else 'is'} lost"] if who else []
    if home:
        said.append(f"{_several(log, home)[0]} {'have' if len(home) > 1 else 'has'} gone home")
    if gone:
        how = [f"companion crew --replace {typed(log.label(gone[0]))}" if len(gone) == 1 else "companion crew --random"]
    return said, [*how, *(["companion bomber NAME"] if log.bomber().lost else [])]


def _several(log: CampaignLog, positions: Sequence[str]) -> list[str]:
    """The one man there, or how many they are."""
    named = [f"{log.roster[each]} ({log.label(each)})" for each in positions]
    return named if len(named) < 2 else [f"{len(named)} men"]


def typed(name: str) -> str:
    """A name as one word of a command.

    >>> typed("Pilot"), typed("Tail gunner")
    ('Pilot', '"Tail gunner"')
    """
    return f'"{name}"' if " " in name else name


class Roster:
    """A crew list being changed: `names` is position to name, `aircraft` the bomber, `changes` what was done, in lines.

    Nothing of it is written before somebody keeps it.
    """

    def __init__(self, log: CampaignLog) -> None:
        self.log = log
        self.names = dict(log.roster)
        self.aircraft = log.aircraft
        self.changes: list[str] = []

    def position(self, typed: str) -> str:
        """The position meant; a Problem lists those there are."""
        wanted = typed.strip().casefold()
        called = [each for each in self.names if self.log.label(each).casefold() == wanted]
        if wanted not in self.names and len(called) == 1:
            return called[0]
        if wanted not in self.names:
            known = one_of([self.log.label(each) for each in self.names])
            raise Problem(f"there is no position {typed.strip() or '(empty)'}; it is {known}")
        return wanted

    def put(self, position: str, name: str) -> None:
        """Give a position to a man; one who holds another position changes places with its man."""
        name = self._spelled(position, name)
        present, former = self.names[position], self._place(name)
        if former is None and self._gone(name):
            man = self.log.men[name]
            why = f"was lost on mission {man.number}" if man.lost else f"has gone home after {man.missions} missions"
            raise Problem(f"{name} {why}; give another name")
        self.names[position] = name
        if former is None or former == position:
            self.changes.append(f"{self.log.label(position)}: {name}{f' for {present}' if present else ''}")
            return
        self.names[former] = present
        self.changes += [f"{self.log.label(each)}: {self.names[each] or 'nobody'}" for each in (position, former)]

    def replace(self, position: str, name: str | None, rng: Random) -> None:
        """Put a new man in a lost man's place, by chance when he has no name yet."""
        present = self.names[position]
        if present and not self._gone(present):
            how = f"companion crew --set {typed(f'{self.log.label(position)}=NAME')}"
            raise Problem(f"{present} can still fly; to change him anyway: {how}")
        if name and (former := self._place(name)) is not None:
            raise Problem(f"{self.names[former]} is the {self.log.label(former)} already; give another name")
        self.put(position, name or self.stranger(rng))

    def fill(self, rng: Random, *, lost_only: bool = False) -> None:
        """New names for the lost; and for everyone who has none, or the usual one before the first mission."""
        usual = self.log.pack.about.get("names", {})
        for position, name in self.names.items():
            unnamed = not name or (name == usual.get(position) and not self.log.rows)
            if self._gone(name) or (unnamed and not lost_only):
                self.put(position, self.stranger(rng))

    def take(self, name: str) -> None:
        """Take another bomber; a Problem when one of that name was lost."""
        name = " ".join(line("the bomber's name", name).split())
        if not name:
            raise Problem("a bomber needs a name")
        known = {each.casefold(): bomber for each, bomber in self.log.bombers.items()}.get(name.casefold())
        if known and known.lost:
            raise Problem(f"{known.name} was lost on mission {known.number}; give another name")
        self.changes.append(f"Bomber: {name} for {self.aircraft}" if self.aircraft else f"Bomber: {name}")
        self.aircraft = known.name if known else name

    def next_bomber(self) -> None:
        """Take a bomber named after the present one."""
        self.take(names.bomber(self.aircraft, self.log.bombers))

    def stranger(self, rng: Random) -> str:
        """A name from our list that nobody here has had."""
        usual = self.log.pack.about.get("names", {}).values()
        return names.man({*self.names.values(), *self.log.men, *map(str, usual)}, rng)

    def _gone(self, name: str) -> bool:
        return name in self.log.men and (self.log.men[name].lost or self.log.home(self.log.men[name]))

    def _place(self, name: str) -> str | None:
        wanted = " ".join(name.split()).casefold()
        return next((at for at, man in self.names.items() if wanted and man.casefold() == wanted), None)

    def _spelled(self, position: str, name: str) -> str:
        """The name as the log has it, or as it was typed."""
        name = " ".join(line(f"the name of the {self.log.label(position)}", name).split())
        if not name:
            label = self.log.label(position)
            raise Problem(f"the {label} needs a name, such as: companion crew --set {typed(f'{label}=NAME')}")
        return {each.casefold(): each for each in self.log.men}.get(name.casefold(), name)


# -- on disk ---------------------------------------------------------------------------------------------------------


def change_crew(
    campaign: Campaign,
    pack: Pack,
    rng: Random,
    *,
    replaced: Sequence[str] = (),
    name: str | None = None,
    posted: Sequence[tuple[str, str]] = (),
    unnamed: bool = False,
) -> list[str]:
    """Change who flies, in this order, and keep it; what was done, in lines. A Problem where one of it cannot be.

    The men in the positions `replaced` are lost and have successors (`name` for a single one), every (position, name)
    of `posted` is put there, and with `unnamed` those without a name and the lost get names of our own.
    """
    with campaign.to_change() as present:
        roster = Roster(CampaignLog.of(pack, present))
        for position in replaced:
            roster.replace(roster.position(position), name, rng)
        for position, man in posted:
            roster.put(roster.position(position), man)
        if unnamed:
            roster.fill(rng)
        if unnamed and not roster.changes:
            roster.changes.append("Everyone has a name and nobody is lost.")
        present.keep(roster=roster.names)
    return roster.changes


def change_bomber(campaign: Campaign, pack: Pack, name: str, *, sound: bool = False) -> None:
    """Take a bomber of that name and keep it; a Problem while the present one flies, unless `sound` ones go too."""
    with campaign.to_change() as present:
        roster = Roster(CampaignLog.of(pack, present))
        bomber = roster.log.bomber()
        if bomber.name and not bomber.lost and not sound:
            raise Problem(f"{bomber.name} still flies; to change her anyway: companion bomber NAME --yes")
        roster.take(name)
        present.keep(aircraft=roster.aircraft)
