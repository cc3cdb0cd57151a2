"""Changes of the crew and the bomber; losses stay in the log."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import count
from random import Random

from companion.engine.fields import Value, line
from companion.engine.play import Play
from companion.packs import Pack, game_named
from companion.packs.layers import tables_folder
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.play.phrases import members_named
from companion.problems import UserError
from companion.store.campaigns import Campaign, figures
from companion.store.log import CampaignLog
from companion.words import one_of, quoted

ONES = " I II III IV V VI VII VIII IX".split(" ")


def man(used: Collection[str], rng: Random) -> str:
    """Return a man's name from the built-in list: not in `used`, with an unused last name if possible."""
    from companion.packs.toml_files import read_file

    lists = read_file(tables_folder() / "names.toml")
    first, last = str(lists["first"]).split(), str(lists["last"]).split()
    taken = {name.casefold() for name in used}
    known = {name.rpartition(" ")[2] for name in taken}
    free = [name for name in last if name.casefold() not in known] or last
    while (name := f"{rng.choice(first)} {rng.choice(free)}").casefold() in taken:
        continue
    return name


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
    lost = [at for at in log.positions if log.man(at).lost]
    home = [at for at in log.positions if log.home(log.man(at))]
    who, gone = [*_several(log, lost), *([log.aircraft] if log.bomber().lost else [])], [*lost, *home]
    said = [f"{' and '.join(who)} {'are' if len(who) > 1 or len(lost) > 1 else 'is'} lost"] if who else []
    said += [f"{each} {'have' if len(home) > 1 else 'has'} gone home" for each in _several(log, home)]
    todo = list[tuple[str, str]]()
    if gone:
        one = f'companion crew {quoted(log.label(gone[0])).casefold()} "NAME"'
        each = f" (each of the {len(gone)})" if len(gone) > 1 else ""
        todo.append(("Name the replacements" if each else "Name a replacement", f"{one}{each}"))
        todo.append(("or use random names", "companion crew --random"))
    return said, [*todo, *([("Name another bomber", "companion bomber NAME")] if log.bomber().lost else [])]


def _several(log: CampaignLog, positions: Sequence[str]) -> list[str]:
    """Return the name of a single man, or the number of men."""
    named = [f"{log.roster[each]} ({log.label(each)})" for each in positions]
    return named if len(named) < 2 else [f"{len(named)} men"]


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
        label, name = self.log.label(position), _one_line(f"the name of the {self.log.label(position)}", name)
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
        name = _one_line("the bomber's name", name)
        if not name:
            raise UserError('The bomber needs a name, such as: companion bomber "Second Wind"')
        known = {each.casefold(): bomber for each, bomber in self.log.bombers.items()}.get(name.casefold())
        if known and known.lost:
            raise UserError(f"{known.name} was lost on mission {known.number}. Give another name.")
        self.changes.append(f"Bomber: {name} for {self.aircraft}" if self.aircraft else f"Bomber: {name}")
        self.aircraft = known.name if known else name

    def _stranger(self, rng: Random) -> str:
        """Return a name from the built-in list that is new to this campaign."""
        usual = self.log.pack.about.names.values()
        return man({*self.names.values(), *self.log.men, *map(str, usual)}, rng)

    def _gone(self, name: str) -> bool:
        return name in self.log.men and (self.log.men[name].lost or self.log.home(self.log.men[name]))

    def _place(self, name: str) -> str | None:
        wanted = " ".join(name.split()).casefold()
        return next((at for at, man in self.names.items() if wanted and man.casefold() == wanted), None)


def _one_line(what: str, name: str) -> str:
    return " ".join(line(what, name).split())


# -- the next mission --------------------------------------------------------------------------------------------------


def begin(
    campaign: Campaign, pack: Pack, facts: Mapping[str, Value], *, mend: bool, seen: Sequence[int]
) -> tuple[Mission, CampaignLog, list[str]]:
    """Save a new sheet with these facts, for `pack`; an unused last sheet is replaced.

    Args:
        mend: Whether to replace lost men with built-in names instead of raising a UserError.
        seen: The missions at the start of the command.

    Returns:
        The mission, the log at its start, and lines about the changes made for it.

    Raises:
        UserError: A wounded man's fate is open, or another terminal has changed the campaign since.
    """
    with campaign.to_change() as present:
        if (present.about, present.missions()) != (campaign.about, seen):
            raise UserError(f"Another terminal has just changed {present.name}. Nothing was saved here. Try again.")
        number = next_number(present)
        log = CampaignLog.of(pack, present, before=number)
        check_ready(log, mend=mend)
        changes = mended(log, present) if mend else []
        mission = new_sheet(log, present, number, facts)
        if pack.name != present.game:
            changes.append(f"From this mission on: {pack.title}")
        if changes:  # the campaign first: it is valid even without the mission
            present.keep(roster=log.roster, aircraft=log.aircraft, game=pack.name)
        present.save(mission, fresh=True)
    return mission, log, changes


def next_number(campaign: Campaign) -> int:
    """Return the number of the next sheet, reusing the last one if nothing has been recorded on it."""
    flown = campaign.missions()
    if not flown:
        return 1
    _, last = campaign.flown(flown[-1])
    return flown[-1] if not last.journal.entries and not last.state.get("step") else flown[-1] + 1


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


def mended(log: CampaignLog, campaign: Campaign) -> list[str]:
    """Replace losses with built-in names, the same at every attempt; return the changes as lines."""
    roster = Roster(log)
    roster.fill(Random(f"{campaign.folder.name} {len(log.rows)}"), lost_only=True)
    if log.bomber().lost:
        roster.take(bomber(roster.aircraft, log.bombers))
    log.roster, log.aircraft = roster.names, roster.aircraft
    return roster.changes


def variant(game: str, wanted: str | None) -> Pack:
    """Return the pack of the next mission: the campaign's, or a variant of the same game."""
    present = Pack(game)
    if wanted is None or game_named(wanted) == game:
        return present
    other = Pack(wanted)
    if other.root != present.root:
        raise UserError(f"{other.name} needs a campaign of its own. Start one with: companion new")
    return other


def new_sheet(log: CampaignLog, campaign: Campaign, number: int, facts: Mapping[str, Value]) -> Mission:
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
