"""The Campaign Log Sheet, worked out from the missions' own sheets: rows, totals, men, bombers.

None of it is stored. `[log]` in `pack.toml` defines the columns, the missions that count, the results, and the losses
of men and bombers; names, missions and fighters are in fields that all games share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from math import inf
from typing import TYPE_CHECKING

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.engine.tables import Rows
from companion.packs import Pack
from companion.words import slug, unhyphened

if TYPE_CHECKING:
    from companion.engine.fields import Value
    from companion.store.campaigns import Campaign, StoredCampaign

BLANK = ("", "none")


@dataclass(eq=False)
class Row:
    """One mission. `mission` is the number of its sheet in the campaign, `number` its number in the tour."""

    mission: int
    number: int
    facts: dict[str, Value]
    counts: bool
    result: str
    unsaid: frozenset[str]  # blank fields of the row
    tells_bombs: bool  # whether the sheet has the bombing result; one from paper may not
    lost: list[Man] = field(default_factory=list)


@dataclass(eq=False)
class Service:
    """A man's or a bomber's missions: counted (`missions`), all (`flown`), the `first` sheet, the last (`mission`)."""

    name: str
    missions: int = 0
    flown: int = 0
    victories: int = 0
    lost: bool = False
    first: int = 0
    mission: int = 0
    number: int = 0

    def fly(self, row: Row, *, won: bool) -> None:
        """Count a mission, only once even if its sheet mentions them in several places."""
        if self.mission != row.mission:
            self.flown, self.missions = self.flown + 1, self.missions + row.counts
            self.victories += won
        self.first = self.first or row.mission
        self.mission, self.number = row.mission, row.number


@dataclass(eq=False)
class Man(Service):
    """A man by name. `position` is the regular seat, `sat` the seat on the last sheet."""

    position: str = ""
    kills: int = 0
    state: str = "ok"
    wounds: int = 0  # light ones
    fate: str = "none"
    unsettled: tuple[str, str] | None = None  # the wound from the last mission, and the table for the man's fate
    sat: str = ""


@dataclass(eq=False)
class Bomber(Service):
    """A bomber by name; `end` is the end of its last mission, `survived` the number of safe returns."""

    survived: int = 0
    end: str = "none"


@dataclass(eq=False)
class City:
    """The boxes of a city: those crossed off and their total (0: unknown); its missions and percentages."""

    name: str
    crossed: int = 0
    boxes: int = 0
    bombed: list[tuple[int, int]] = field(default_factory=list)


class CampaignLog:
    """The log of a campaign; `sheets` are its missions' numbers and facts in order."""

    def __init__(self, pack: Pack, about: StoredCampaign, sheets: Iterable[tuple[int, Mapping[str, Value]]]) -> None:
        self.pack, self.sheet = pack, pack.sheet
        self.spec = pack.about.log
        self.columns = [(name, head) for name, head in self.spec.columns]  # facts of a row, heads
        self.sides: dict[str, str] = self.spec.sides  # scoring results, the player's first, and their sides
        self.length: int | None = pack.about.missions or None  # the number of missions in a campaign
        self.positions = list(self.sheet.index.get("position", {}))
        roster = about.get("roster", {})
        self.roster: dict[str, str] = {position: str(roster.get(position, "")) for position in self.positions}
        self.aircraft = str(about.get("aircraft", ""))
        self.rows: list[Row] = []
        self.men: dict[str, Man] = {}
        self.bombers: dict[str, Bomber] = {}
        self.cities: dict[str, City] = {}
        self.latest: Mapping[str, Value] = {}  # the newest sheet, which carries the settings
        for mission, state in sheets:
            self._read(mission, Facts(self.sheet, state))
            self.latest = state
        self._total()

    @classmethod
    def of(cls, pack: Pack, campaign: Campaign, before: float = inf) -> CampaignLog:
        """Return the log of a campaign on disk, of the sheets before that number."""
        sheets = [(number, each.state) for each in campaign.all_flown(pack) if (number := each.number or 0) < before]
        return cls(pack, campaign.about, sheets)

    # -- words of the pack ---------------------------------------------------------------------------------------------

    def fate(self, man: Man) -> str:
        word = man.fate if man.fate not in BLANK else man.state
        return self.spec.fates.get(word, word)

    def label(self, position: str) -> str:
        return str(self.sheet.index["position"][position].get("label") or unhyphened(position))

    def health(self, man: Man) -> str:
        """Return a man's wound during that mission or while the man's fate is open, then `fit again`."""
        if man.unsettled is not None:
            return man.unsettled[0] if man.state == "ok" else man.state
        bomber = self.bombers.get(str(self.latest.get("aircraft.name", "")))
        flying = bool(self.rows) and man.mission == self.rows[-1].mission and (bomber is None or bomber.end in BLANK)
        return "" if man.state == "ok" else f"{man.state}{' twice' * (man.wounds == 2)}" if flying else "fit again"

    def standing(self, man: Man) -> list[str]:
        """Return the pack's rating for a man's missions and fighters: novice, veteran, ace."""
        facts = Facts(self.sheet, self._career(man.position, man))
        return [word for word, earned in self.spec.standing.items() if earned(facts, man.position)]

    # -- reading the sheets --------------------------------------------------------------------------------------------

    def _read(self, mission: int, facts: Facts) -> None:
        spec, fields = self.spec, self.sheet.fields
        number = int(facts["mission.number"]) if "mission.number" in self.sheet.known else mission
        result = str(facts[spec.result]) if spec.result else "none"
        names = [name for name, _ in self.columns] + [spec.average] * bool(spec.average)
        unsaid = frozenset(name for name in names if name in fields and name not in facts.given)
        tells_bombs = spec.average not in unsaid or not facts.given.isdisjoint(spec.bombs)
        counts = spec.counts(facts)
        row = Row(mission, number, {name: facts[name] for name in names}, counts, result, unsaid, tells_bombs)
        won = result == next(iter(self.sides), None)
        for position in self.positions:
            if spec.flew(facts, position):
                self._read_man(position, row, facts, won=won)
        if name := self._entry(facts, "aircraft.name"):
            bomber = self.bombers.setdefault(name, Bomber(name))
            bomber.fly(row, won=won)
            bomber.lost = bool(spec.aircraft_lost) and spec.aircraft_lost(facts)
            bomber.survived += row.counts and not bomber.lost
            bomber.end = str(facts[spec.aircraft_end]) if spec.aircraft_end else "none"
        damage = self.pack.about.damage
        if damage.city and (name := str(facts[damage.city])) not in BLANK:
            city = self.cities.setdefault(slug(name), City(name))
            city.crossed += int(facts[damage.boxes])
            city.boxes = int(facts[damage.of]) or city.boxes if damage.of else 0
            city.bombed.append((mission, int(facts[damage.percent])))
        self.rows.append(row)

    def _read_man(self, position: str, row: Row, facts: Facts, *, won: bool) -> None:
        name = self._entry(facts, f"name.{position}")
        if not name:
            return
        man = self.men.setdefault(name, Man(name))
        man.fly(row, won=won)
        seat = self._entry(facts, f"seat.{position}")
        sits = "seat" in self.sheet.belongings["position"]  # the name moved to the new seat
        man.position, man.sat = seat if sits and seat in self.positions else position, position
        man.state = self._entry(facts, f"crew.{position}") or "ok"
        man.wounds = int(self._entry(facts, f"wounds.{position}") or 0)
        man.fate = self._entry(facts, f"fate.{position}") or "none"
        man.lost = bool(self.spec.lost) and self.spec.lost(facts, position)
        unsettled = [each for each in self.spec.unsettled if each.when(facts, position)]
        man.unsettled = (unsettled[-1].why, unsettled[-1].roll) if unsettled else None
        man.kills = int(self._entry(facts, f"kills.{position}") or man.kills)
        if man.lost:
            row.lost.append(man)

    def _entry(self, facts: Facts, name: str) -> str:
        return str(facts[name]) if name in self.sheet.fields else ""

    # -- totals --------------------------------------------------------------------------------------------------------

    def _total(self) -> None:
        """Work out the totals; missions after the one that completes the campaign do not change them."""
        complete = accumulate(row.counts for row in self.rows)
        tour = [row for row, many in zip(self.rows, complete, strict=True) if many - row.counts < (self.length or inf)]
        self.counting = sum(row.counts for row in tour)  # missions that count toward the campaign
        self.over = self.length is not None and self.counting >= self.length
        self.results = dict.fromkeys(self.sides, 0)  # the count of each result, the scoring ones first
        for row in tour:
            if row.result not in BLANK:
                self.results[row.result] = self.results.get(row.result, 0) + 1
        most = max((self.results[side] for side in self.sides), default=0)
        leading = [side for side in self.sides if self.results[side] == most]
        self.ahead = leading[0] if len(leading) == 1 else None  # the most frequent scoring result, if there is one
        facts = [row.facts for row in tour if row.counts and row.tells_bombs and self.spec.average in row.facts]
        percents = [int(each[self.spec.average]) for each in facts]
        self.average = round(sum(percents) / len(percents), 1) if percents else None  # the mean bombing percentage

    def rating(self, of: str, number: float | None) -> str | None:
        """Return the pack's rating for a number of `missions` survived or an average `percent`, if it has one."""
        rows = getattr(self.spec.ratings, of)
        if not rows or number is None:
            return None
        word = Rows(rows, f"{self.pack.name}, ratings of {of}").find(int(number))
        return None if word in (None, "none") else str(word)

    def rated(self, of: str, number: float | None) -> dict[str, str | None]:
        """Return `{"rating": …}`, or an empty mapping for a game without ratings."""
        return {"rating": self.rating(of, number)} if getattr(self.spec.ratings, of) else {}

    # -- the current crew and bomber -----------------------------------------------------------------------------------

    def man(self, position: str) -> Man:
        """Return the man currently in that position; a new man has no missions."""
        name = self.roster[position]
        return self.men.get(name) or Man(name, position=position)

    def bomber(self) -> Bomber:
        return self.bombers.get(self.aircraft) or Bomber(self.aircraft)

    def home(self, man: Man) -> bool:
        """Return whether a man has completed the tour and is sent home."""
        career = Facts(self.sheet, self._career(man.position, man))
        return not man.lost and bool(self.spec.home) and self.spec.home(career, man.position)

    def lost_men(self) -> list[Man]:
        """Return everyone lost, in the order of their last sheets."""
        return sorted((man for man in self.men.values() if man.lost), key=lambda man: man.mission)

    def _career(self, position: str, man: Man) -> dict[str, Value]:
        """Return the sheet's fields about the man in a position that the pack has."""
        career = {f"{key}.{position}": getattr(man, key) for key in ("name", "missions", "kills")}
        return {name: value for name, value in career.items() if name in self.sheet.fields}

    def damaged(self, facts: Mapping[str, Value]) -> dict[str, Value]:
        """Return the cities hit so far for the next sheet, most damaged first, with its target as spelled there."""
        spec = self.pack.about.damage
        slot, target = spec.known, str(facts.get(spec.city, ""))
        hit = sorted((each for each in self.cities.items() if each[1].crossed), key=lambda each: -each[1].crossed)
        known: dict[str, Value] = {}
        for place, (name, city) in zip(self.sheet.index.get(slot, ()), hit, strict=False):
            known[f"{slot}.{place}.name"] = target if slug(target) == name else name
            known[f"{slot}.{place}.crossed"], known[f"{slot}.{place}.boxes"] = city.crossed, city.boxes
        return known

    def carried(self) -> dict[str, Value]:
        """Return the first fields of the next sheet: its number, the bomber, and each man's missions and fighters."""
        facts: dict[str, Value] = {}
        if "mission.number" in self.sheet.fields:
            number, limit = self.counting + 1, self.sheet.fields["mission.number"].limit
            facts["mission.number"] = number if limit is None else min(number, limit)
        if "aircraft.name" in self.sheet.fields:
            facts["aircraft.name"] = self.aircraft
        for position in self.positions:
            facts.update(self._career(position, self.man(position)))
        return facts


Record = dict[str, object]  # one JSON object


def _some(each: object, names: str) -> Record:
    return {name: getattr(each, name) for name in names.split()}


def of_log(log: CampaignLog, name: str) -> Record:
    """Return the log as JSON: `mission` is the sheet number, `number` the tour number; `facts` are the columns."""
    rows = [
        {**_some(row, "mission number counts result facts"), "lost": [man.name for man in row.lost]} for row in log.rows
    ]
    totals = {"of": log.length, **_some(log, "counting over results ahead average")}
    return {
        "campaign": name,
        "game": log.pack.name,
        "missions": rows,
        "totals": {**totals, **log.rated("percent", log.average)},
        "bomber": of_one(log, log.bomber()),
        **of_people(log),
    }


def of_one(log: CampaignLog, each: Man | Bomber) -> Record:
    """Return a man or a bomber: counted `missions`, all `flown`, and the last sheet `mission` (null if none)."""
    own: Record
    if isinstance(each, Bomber):
        own, survived = {"fate": each.end}, each.survived
    else:
        own, survived = {"standing": log.standing(each), **_some(each, "position state fate kills")}, each.missions
    last = {"mission": each.mission or None, "number": each.number or None}
    return {**own, **_some(each, "name missions flown victories lost"), **last, **log.rated("missions", survived)}


def of_people(log: CampaignLog) -> Record:
    """Return the current crew by position, and the lost men."""
    crew = [{**of_one(log, log.man(position)), "position": position} for position in log.positions]
    return {"crew": crew, "lost": [of_one(log, man) for man in log.lost_men()]}


def settings(log: CampaignLog) -> dict[str, Value | None]:
    """Return every option of the campaign (None if not asked yet) and the rulebook numbers."""
    return {
        name: log.latest.get(name, declared.default)
        for name, declared in log.sheet.fields.items()
        if (name in log.latest and declared.section in ("settings", "book"))
        or (declared.section == "settings" and declared.name == name)  # only the answered fields of a family
    }
