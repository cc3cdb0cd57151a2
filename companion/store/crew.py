"""Changes of the crew and the bomber, the next mission, and campaigns continued from paper; losses stay in the log."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import NamedTuple

from companion.engine.facts import Facts
from companion.engine.fields import Value, line
from companion.engine.play import Play
from companion.packs import Pack, game_named
from companion.packs.folders import read_file, tables_folder
from companion.play.journal import Journal
from companion.play.members import members_named
from companion.play.mission import Mission
from companion.problems import UserError
from companion.store.campaigns import Campaign, figures
from companion.store.log import CampaignLog
from companion.words import counted, figure, one_of, quoted

ONES = " I II III IV V VI VII VIII IX".split(" ")


def bomber(present: str, used: Collection[str]) -> str:
    """Return the next bomber name with a numeral, not in `used`.

    >>> bomber("Lucky Thirteen", []), bomber("Lucky Thirteen II", ["lucky thirteen iii"])
    ('Lucky Thirteen II', 'Lucky Thirteen IV')
    """
    head, _, tail = present.rpartition(" ")
    base = head if head and set(tail) <= set("IVX") else present or "Bomber"
    taken = {name.casefold() for name in (*used, present)}
    names = (f"{base} {'X' * (number // 10)}{ONES[number % 10]}" for number in count(2))
    return next(name for name in names if name.casefold() not in taken)


def losses(log: CampaignLog) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the losses among the current crew and bomber, each with the command that replaces it."""

    def several(positions: Sequence[str]) -> list[str]:
        """Return the name of a single man, or the number of men."""
        named = [f"{log.roster[each]} ({log.label(each)})" for each in positions]
        return named if len(named) < 2 else [f"{len(named)} men"]

    lost = [at for at in log.positions if log.man(at).lost]
    home = [at for at in log.positions if log.home(log.man(at))]
    who, gone = [*several(lost), *([log.aircraft] if log.bomber().lost else [])], [*lost, *home]
    said = [f"{' and '.join(who)} {'are' if len(who) > 1 or len(lost) > 1 else 'is'} lost"] if who else []
    said += [f"{each} {'have' if len(home) > 1 else 'has'} gone home" for each in several(home)]
    todo = list[tuple[str, str]]()
    if gone:
        one = f'companion crew {quoted(log.label(gone[0])).casefold()} "NAME"'
        each = f" (each of the {len(gone)})" if len(gone) > 1 else ""
        todo.append(("Name the replacements" if each else "Name a replacement", f"{one}{each}"))
        todo.append(("or use random names", "companion crew --random"))
    return said, [*todo, *([("Name another bomber", "companion bomber NAME")] if log.bomber().lost else [])]


def seat_and_name(log: CampaignLog, words: Sequence[str]) -> str:
    """Return `navigator Jim Tate` as POSITION=NAME, with the longest possible position."""
    for at in range(len(words) - 1, 0, -1):
        head = " ".join(words[:at])
        if "position" in log.sheet.index and len(members_named(log.sheet, "position", head)) == 1:
            return f"{head}={' '.join(words[at:])}"
    seat = quoted(log.label(log.positions[0])).casefold() if log.positions else "navigator"
    raise UserError(f'Name a position, then the man, e.g. companion crew {seat} "Jim Tate"')


def man_named(log: CampaignLog, words: str) -> str | None:
    """Return the man that words mean: his name or last name, or the position of the present crewman."""
    typed, names = words.casefold(), dict.fromkeys([*log.roster.values(), *log.men])
    of_name = [each for each in names if each and typed in (each.casefold(), each.split()[-1].casefold())]
    exact = [each for each in of_name if each.casefold() == typed]
    seats = members_named(log.sheet, "position", words) if "position" in log.sheet.index and not of_name else []
    called = exact or of_name or [log.roster[each] for each in seats if log.roster.get(each)]
    return called[0] if len(called) == 1 else None


class Roster:
    """A crew list being changed: `names` by position, `aircraft` the bomber, `changes` as lines of text."""

    def __init__(self, log: CampaignLog) -> None:
        self.log, self.names, self.aircraft = log, dict(log.roster), log.aircraft
        self.changes: list[str] = []

    def position(self, typed: str) -> str:
        """Return the position for these words; raise UserError with a list of the positions."""
        called = [each for each in members_named(self.log.sheet, "position", typed) if each in self.names]
        if len(called) == 1:
            return called[0]
        known = one_of([self.log.label(each) for each in called or self.names])
        raise UserError(
            f"{typed} could be {known}"
            if called
            else f"there is no position {typed.strip() or '(empty)'}. Choose {known}"
        )

    def put(self, position: str, name: str) -> None:
        """Put a man in a position; if he already holds another one, the two men swap."""
        label = self.log.label(position)
        name = " ".join(line(f"the name of the {label}", name).split())
        if not name:
            raise UserError(f"the {label} needs a name, e.g. companion crew --set {quoted(f'{label}=NAME')}")
        name = {each.casefold(): each for each in self.log.men}.get(name.casefold(), name)
        present, former = self.names[position], self._place(name)
        if former is None and self._gone(name):
            man = self.log.men[name]
            why = f"was lost on mission {man.number}" if man.lost else f"went home after {man.missions} missions"
            raise UserError(f"{name} {why}. Give another name.")
        self.names[position] = name
        if former is None or former == position:
            self.changes.append(f"{label}: {name}{f' for {present}' if present else ''}")
            return
        self.names[former] = present
        self.changes += [f"{self.log.label(each)}: {self.names[each] or 'nobody'}" for each in (position, former)]

    def replace(self, position: str, name: str | None, rng: Random) -> None:
        """Replace a lost man, with a name from the built-in list if none is given."""
        present = self.names[position]
        if present and not self._gone(present):
            how = f"companion crew --set {quoted(f'{self.log.label(position)}=NAME')}"
            raise UserError(f"{present} can still fly. To replace them anyway: {how}")
        if name and (former := self._place(name)) is not None:
            raise UserError(f"{self.names[former]} is already the {self.log.label(former)}. Give another name.")
        self.put(position, name or self._stranger(rng))

    def fill(self, rng: Random, *, lost_only: bool = False) -> None:
        """Give new names to lost men and to all without a name, or with a default name before the first mission."""
        usual = self.log.pack.about.names
        for position, name in self.names.items():
            unnamed = not name or (name == usual.get(position) and not self.log.rows)
            if self._gone(name) or (unnamed and not lost_only):
                self.put(position, self._stranger(rng))

    def take(self, name: str) -> None:
        """Take another bomber; raise UserError if one of that name was lost."""
        name = " ".join(line("the bomber's name", name).split())
        if not name:
            raise UserError('The bomber needs a name, such as: companion bomber "Second Wind"')
        known = {each.casefold(): bomber for each, bomber in self.log.bombers.items()}.get(name.casefold())
        if known and known.lost:
            raise UserError(f"{known.name} was lost on mission {known.number}. Give another name.")
        self.changes.append(f"Bomber: {name} for {self.aircraft}" if self.aircraft else f"Bomber: {name}")
        self.aircraft = known.name if known else name

    def _stranger(self, rng: Random) -> str:
        """Return a name from the built-in list that is new to this campaign, with a new last name if possible."""
        lists = read_file(tables_folder() / "names.toml")
        first, last = str(lists["first"]).split(), str(lists["last"]).split()
        used = [*self.names.values(), *self.log.men, *map(str, self.log.pack.about.names.values())]
        taken = {name.casefold() for name in used}
        known = {name.rpartition(" ")[2] for name in taken}
        free = [name for name in last if name.casefold() not in known] or last
        while (name := f"{rng.choice(first)} {rng.choice(free)}").casefold() in taken:
            continue
        return name

    def _gone(self, name: str) -> bool:
        man = self.log.men.get(name)
        return man is not None and (man.lost or self.log.home(man))

    def _place(self, name: str) -> str | None:
        wanted = " ".join(name.split()).casefold()
        return next((at for at, man in self.names.items() if wanted and man.casefold() == wanted), None)


@contextlib.contextmanager
def changed(campaign: Campaign, pack: Pack) -> Iterator[Roster]:
    """Yield the crew list of a campaign to change, and save it, holding the lock."""
    with campaign.to_change():
        roster = Roster(CampaignLog.of(pack, campaign))
        yield roster
        if roster.changes:
            campaign.keep(roster=roster.names, aircraft=roster.aircraft)


# -- the next mission --------------------------------------------------------------------------------------------------


def begin(
    campaign: Campaign, pack: Pack, facts: Mapping[str, Value], *, mend: bool, seen: Sequence[int]
) -> tuple[Mission, CampaignLog, list[str]]:
    """Save a new sheet with these facts, for `pack`; a last sheet on which nothing has been recorded is replaced.

    Args:
        mend: Whether to replace losses with built-in names, the same at every attempt, instead of raising a UserError.
        seen: The missions at the start of the command.

    Returns:
        The mission, the log at its start, and lines about the changes made for it.

    Raises:
        UserError: A wounded man's fate is open, or another terminal has changed the campaign since.
    """
    known = campaign.about
    with campaign.to_change():
        if (campaign.about, campaign.missions()) != (known, seen):
            raise UserError(f"Another terminal has just changed {campaign.name}. Nothing was saved here. Try again.")
        number = seen[-1] + 1 if seen else 1
        if seen and not (last := campaign.flown(seen[-1])).journal.entries and not last.state.get("step"):
            number = seen[-1]
        log = CampaignLog.of(pack, campaign, before=number)
        check_ready(log, mend=mend)
        roster = Roster(log)
        if mend:
            roster.fill(Random(f"{campaign.folder.name} {len(log.rows)}"), lost_only=True)
            if log.bomber().lost:
                roster.take(bomber(roster.aircraft, log.bombers))
            log.roster, log.aircraft = roster.names, roster.aircraft
        changes = roster.changes + ([] if pack.name == campaign.game else [f"From this mission on: {pack.title}"])
        mission = _new_sheet(log, campaign, number, facts)
        if changes:  # the campaign first: it is valid even without the mission
            campaign.keep(roster=log.roster, aircraft=log.aircraft, game=pack.name)
        campaign.save(mission, fresh=True)
    return mission, log, changes


def check_ready(log: CampaignLog, *, mend: bool = False) -> None:
    """Raise a UserError, with the fix, unless the crew and the bomber can fly.

    With `mend` losses are allowed, but not men whose fate is open.
    """
    if men := unsettled(log):
        back = [f"{name} ({label}) came back {why}" for name, label, why, *_ in men]
        rolls = [f"companion roll {table} --with {quoted(f'position={log.label(sat)}')}" for *_, table, sat in men]
        raise UserError(f"{', '.join(back)}. Settle it first with: {', '.join(rolls)}")
    who, how = losses(log)
    if who and not mend:
        todo = ", ".join(f"{what}: {command}" for what, command in how)
        raise UserError(f"{', '.join(who)}. {todo}. Or use random names for all: companion mission start --yes")


def unsettled(log: CampaignLog) -> list[tuple[str, str, str, str, str]]:
    """Return each man whose fate is open: name, position, why, and the table and the seat to roll it for."""
    men = [(log.label(position), log.man(position)) for position in log.positions]
    return [(man.name, label, *man.unsettled, man.sat) for label, man in men if man.unsettled and not man.lost]


def variant(game: str, wanted: str | None) -> Pack:
    """Return the pack of the next mission: the campaign's, or a variant of the same game."""
    present = Pack(game)
    if wanted is None or game_named(wanted) == game:
        return present
    other = Pack(wanted)
    if other.root != present.root:
        raise UserError(f"{other.name} needs a campaign of its own. Start one with: companion new")
    return other


def _new_sheet(log: CampaignLog, campaign: Campaign, number: int, facts: Mapping[str, Value]) -> Mission:
    """Return a mission with the fields carried over from the log and these facts, after standing rules."""
    pack, first = log.pack, log.carried()
    fields = pack.sheet.fields
    for name in pack.about.briefing:
        default = fields[name].default
        if default is not None and fields[name].reaches(default):
            first.setdefault(name, default)
    named = [name for name in first if fields[name].naming]
    # keep names as on the roster, known or not
    play = Play(pack, {name: fields[name].accept(name, first.pop(name), stored=True) for name in named})
    play.write({**first, **figures(pack, campaign), **log.damaged(facts), **facts}, "start")
    return Mission(pack, play.state, play.pending, Journal(), number)


def to_ask(pack: Pack, campaign: Campaign, facts: Mapping[str, Value]) -> list[str]:
    """Return the briefing fields not yet known; options also apply to later missions."""
    known = {**figures(pack, campaign), **facts}
    return [name for name in pack.about.briefing if name not in known]


# -- a campaign continued from paper -----------------------------------------------------------------------------------

WOUNDS = {"ok": {}, "light": {"crew": "light"}, "serious": {"crew": "serious"}, "frostbite": {"frostbite": "yes"}}


class PaperRecord(NamedTuple):
    """A man's counted missions, fighters shot down, and wound from the last mission."""

    missions: int
    kills: int = 0
    wound: str = "ok"


class Paper:
    """A campaign from its paper log, whose missions flown so far become sheets.

    It has the counted `missions`, the records of the `men` by position, the missions of the `bomber`, the counts of
    `results` by name in the pack, the average `percent`, and for each of the `cities` the boxes crossed off and in
    total (0: unknown).
    """

    def __init__(self, pack: Pack, number: int) -> None:
        """Take `number` for the next mission; raise UserError if the game has no such campaign."""
        if not pack.about.log.paper:
            raise UserError(f"{pack.title} has no campaign to continue from paper. Start a game and use companion set")
        length = pack.about.missions
        if number < 2 or (length and number > length):
            raise UserError(f"the next mission of a paper campaign must be 2 to {length}, not {number}")
        self.pack, self.missions = pack, number - 1
        self.men, self.results, self.cities = dict[str, PaperRecord](), dict[str, int](), dict[str, tuple[int, int]]()
        self.bomber: int | None = None
        self.percent: int | None = None

    # -- answers -------------------------------------------------------------------------------------------------------

    def record(self, text: str) -> PaperRecord:
        """Parse `9 2 light` as missions, fighters and a wound, in this order, each optional; raise UserError."""
        words = text.replace(",", " ").split()
        wounds = [word.casefold() for word in words if figure(word) is None]
        figures = [each for word in words if (each := figure(word)) is not None]
        if len(figures) > 2 or len(wounds) > 1 or any(each not in WOUNDS for each in wounds) or min([0, *figures]) < 0:
            raise UserError(
                f"Type missions, kills and a wound, e.g. 9 2 light, not {text!r}. The wound must be "
                f"{one_of(list(WOUNDS))}"
            )
        missions, kills = [*figures, *(self.missions, 0)[len(figures) :]]
        if missions > self.missions:
            raise UserError(f"The campaign has flown only {self.missions} missions, not {missions}")
        return PaperRecord(missions, kills, *wounds)

    def score(self, text: str) -> dict[str, int]:
        """Parse `7 2` as results: the player's, the enemy's, and the rest drawn; empty for empty text."""
        if not text:
            return {}
        ours, theirs = list(self.pack.about.log.sides)
        figures = [figure(word) for word in text.replace("-", " ").replace(",", " ").split()]
        if len(figures) != 2 or None in figures:
            raise UserError(
                f"Type missions won and lost, e.g. 7 2, not {text!r}. The rest of the {self.missions} were drawn"
            )
        won, lost = (int(each or 0) for each in figures)
        if won + lost > self.missions:
            raise UserError(f"{won} won and {lost} lost is more than the {self.missions} missions flown")
        drawn = [name for name in self.pack.about.log.paper if name not in (ours, theirs, "all")]
        return {ours: won, theirs: lost, **dict.fromkeys(drawn, self.missions - won - lost)}

    def city(self, text: str) -> tuple[str, int, int]:
        """Parse `Tokyo=3/5` or `Tokyo 3 of 5` as a city with boxes crossed off and in total (0: unknown).

        An unknown city has a leading `=`.
        """
        words = text.replace("=", " ").replace("/", " ").replace(" of ", " ").split()
        figures = [int(each) for word in words if (each := figure(word)) is not None and each >= 0]
        name = " ".join(word for word in words if figure(word) is None)
        crossed, boxes = [*figures, 0, 0][:2]
        if not name or not 1 <= len(figures) <= 2 or (boxes and crossed > boxes):
            raise UserError(f"Type a city and its boxes, e.g. Tokyo 3 of 5, not {text!r}")
        name = f"={name}" if text.startswith("=") else name
        declared = self.pack.sheet.fields[self.pack.about.damage.city]
        declared.accept(declared.label, name)
        hits = crossed + sum(there for there, _ in self.cities.values())
        if hits > self.missions:
            raise UserError(f"{hits} boxes are too many for {counted(self.missions, 'mission')}")
        return name, crossed, boxes

    @staticmethod
    def average(text: str) -> int | None:
        """Parse `30` or `30%` as a percentage, None for empty text."""
        number = text.rstrip("% ")
        if number and (not number.isdecimal() or int(number) > 100):
            raise UserError(f"the percentage must be 0 to 100, e.g. 35, not {text}")
        return int(number) if number else None

    # -- its sheets ----------------------------------------------------------------------------------------------------

    def sheets(self, roster: Mapping[str, str], aircraft: str) -> list[Mission]:
        """Return the sheets of the missions flown on paper, with the fields that the campaign log reads.

        A man appears on the last ones, as many as he has missions; cities on the first ones, one for each box crossed
        off.
        """
        count, log, fields = self.missions, self.pack.about.log, self.pack.sheet.fields
        lost_first = sorted(self.results.items(), key=lambda each: each[0] not in list(log.sides)[1:])
        results = [name for name, often in lost_first for _ in range(often)]
        hits = [(name, boxes) for name, (crossed, boxes) in self.cities.items() for _ in range(crossed)]
        damage, first = self.pack.about.damage, count - (count if self.bomber is None else self.bomber)
        flown = []
        for number in range(1, count + 1):
            result = results[number - 1] if number <= len(results) else ""
            facts: dict[str, Value] = {
                "mission.number": number, **log.paper.get("all", {}), **log.paper.get(result, {}),
            }  # fmt: skip
            if number > first and not (log.aircraft_lost and log.aircraft_lost(Facts(self.pack.sheet, facts))):
                facts["aircraft.name"] = aircraft
            for position, name in roster.items():
                facts |= self._man(position, name, number)
            if self.percent is not None and log.average:
                facts[log.average] = self.percent
            if number <= len(hits):
                name, boxes = hits[number - 1]
                facts |= {damage.city: name, damage.boxes: 1, damage.of: boxes}
            state = {name: fields[name].accept(name, value) for name, value in facts.items() if name in fields}
            flown.append(Mission(self.pack, state, [], Journal(), number))
        return flown

    def _man(self, position: str, name: str, number: int) -> dict[str, Value]:
        """Return the fields about a man on the sheet of that number."""
        man = self.men.get(position, PaperRecord(self.missions))
        before = self.missions - man.missions
        if number <= before:
            return {f"crew.{position}": "absent"}
        facts: dict[str, Value] = {f"name.{position}": name, f"missions.{position}": number - before - 1}
        if number == self.missions:
            facts[f"kills.{position}"] = man.kills
            facts |= {f"{key}.{position}": value for key, value in WOUNDS[man.wound].items()}
        return facts
