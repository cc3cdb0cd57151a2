"""The situation of a mission in words: status line, step, pending things, and end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.engine.fields import Value
from companion.engine.sheet import cut, of_member
from companion.words import counted, grouped, unhyphened

if TYPE_CHECKING:
    from companion.engine.facts import Facts
    from companion.engine.questions import Pending
    from companion.packs import Pack
    from companion.play.mission import Mission
    from companion.store.campaigns import Campaign
    from companion.store.session import Session

ALL = "all"  # the viewer whose sheet it is
HIDDEN = "?"  # the text for a field hidden from the viewer
Piece = tuple[str, str]  # a text and its style: row, change, note, bad, strong, step, dim or empty


class Line:
    """A line of pieces with a margin; it wraps under its first piece."""

    def __init__(self, margin: str, pieces: Sequence[Piece]) -> None:
        self.margin, self.pieces = margin, pieces

    @property
    def text(self) -> str:
        """Return the line without its margin and styles."""
        return "".join(text for text, _ in self.pieces)

    def part(self, start: int, end: int) -> list[Piece]:
        """Return the pieces between two positions of the text."""
        cut, at = list[Piece](), 0
        for text, style in self.pieces:
            if part := text[max(start - at, 0) : max(end - at, 0)]:
                cut.append((part, style))
            at += len(text)
        return cut


def step_of(mission: Mission) -> tuple[str, str]:
    """Return the step that asks the current question, with its section of the rulebook; empty if none does."""
    steps, facts = mission.game.sequence, mission.facts()
    place = steps.place.get(str(facts["step"])) if mission.waiting() is not None else None
    return (steps.steps[place].title(facts), steps.steps[place].cite) if place is not None else ("", "")


def has_started(session: Session) -> bool:
    """Return whether a step of the mission has been taken."""
    return any(entry["v"] == "step" for entry in session.mission.journal.recorded)


def goes_on(session: Session) -> bool:
    """Return whether something is pending, or a step of the mission is still to come."""
    return session.mission.waiting() is not None or bool(session.mission.coming(1))


def unfinished(campaign: Campaign) -> str:
    """Return the state of an unfinished last mission: `Mission 3 is not over: Zone 5 home`; else empty."""
    flown = campaign.missions()
    if not flown:
        return ""
    from companion.store.log import BLANK
    from companion.store.session import Session

    mission = campaign.flown(flown[-1])
    pack, session = mission.game, Session(mission, campaign)
    result = pack.about.log.result
    by_hand = mission.journal.position and result and mission.facts()[result] in BLANK
    if not (has_started(session) or by_hand) or not goes_on(session):
        return ""
    where = standing(session, keys=False).text.partition(" · ")[0]
    unit = pack.sheet.flight.capitalize()
    return f"{unit} {mission.state.get('mission.number', mission.number)} is not over{f': {where}' if where else ''}"


def standing(session: Session, *, keys: bool = True) -> Line:
    """Return the status in one line: `══ Zone 11 out · high · engine 3 out · 2 wounded · 1 order (n)`. With `keys` it
    names the key that shows the orders.
    """
    facts = session.mission.facts()
    parts: list[Piece] = [
        (said.text(facts), "bad" if said.bad else "strong")
        for said in session.pack.about.at_table.line
        if said.when(facts)
    ]
    orders = sum(not item.waits for item in session.mission.pending)
    if parts and orders:
        parts.append((f"{counted(orders, 'order')}{' (n)' if keys else ''}", "bad"))
    between = [piece for part in parts for piece in ((" · ", "dim"), part)][1:]
    return Line("══ " if parts else "", between)


def pending_line(item: Pending, pack: Pack, state: Mapping[str, Value] | None = None) -> str:
    """Return a pending thing in words, such as `5-10 Shell hits: roll 2D`; the `state` fills the braces of a title."""
    return item.told(pack, state or {}, binding(item.subject(pack), pack))


def skipped(item: Pending, pack: Pack) -> str:
    """Return a skipped pending thing in words: `M-2 Damage to a German fighter – Tail guns`."""
    return item.called(pack) + binding(item.subject(pack), pack)


def joined(orders: Sequence[str]) -> list[str]:
    """Merge orders that are the same for several men or rooms.

    >>> joined(["Pilot: no oxygen, down", "Out of fuel", "Navigator: no oxygen, down"])
    ['Pilot, Navigator: no oxygen, down', 'Out of fuel']
    """
    cut = [order.partition(": ") for order in orders]
    return grouped((head, what) if colon else ("", head) for head, colon, what in cut)


def binding(bind: Mapping[str, Value], pack: Pack, described: Mapping[str, str] | None = None, title: str = "") -> str:
    """Return the fighter, gun, man or area in words.

    Equal names (an area, its compartment) appear once; words already in the `title` are left out.
    """
    labels: dict[str, None] = {}
    headed = heads(title, pack)
    for name, value in bind.items():
        has = pack.sheet.index.get(name, {}).get(str(value))
        if has is not None:
            numbered = f"{name} {value}" if str(value).isdigit() else unhyphened(str(value))
            label = pack.sheet.label(name, str(value)) if "label" in has else numbered
            more = f" ({described[name]})" if described and name in described else ""
            if more or not is_in_title(label, headed):
                labels[f"{label}{more}"] = None
    return f" – {', '.join(labels)}" if labels else ""


def named(bind: Mapping[str, Value], pack: Pack, state: Mapping[str, Value]) -> dict[str, str]:
    """Return the name of the man for a roll, in the form for `binding`; empty if there is none."""
    people = pack.about.status.people
    index = cut(people.states[0])[1] if people else ""
    place = str(bind.get(index, ""))
    if not place or not people.name:
        return {}
    if people.seat and cut(people.seat)[0].removesuffix(".") not in pack.sheet.belongings[index]:
        place = str(state.get(of_member(people.seat, index, place)) or place)  # his name stays with his post
    name = str(state.get(of_member(people.name, index, place)) or "")
    return {index: name} if name else {}


def heads(title: str, pack: Pack) -> str:
    """Return the place, gun or man that a title starts with: `Pilot compartment` (not the Pilot) for its damage."""
    labels = (pack.sheet.label(name, member) for name, members in pack.sheet.index.items() for member in members)
    return max((label for label in labels if f"{title} ".startswith(f"{label} ")), key=len, default="") if title else ""


def is_in_title(label: str, headed: str) -> bool:
    """Return whether a title that starts with `headed` has named it; a short name (`aft`) by its first word.

    >>> is_in_title("Pilot compartment", "Pilot compartment"), is_in_title("Pilot", "Pilot compartment")
    (True, False)
    >>> is_in_title("aft", "Aft bay")
    True
    """
    return label == headed or label.islower() and headed.casefold().startswith(f"{label} ")


def subjects_of_each(binds: Sequence[Mapping[str, Value]], pack: Pack, title: str = "") -> list[str]:
    """Return what each of several rolls of a table is for: `top 2` where each is of another thing with a name and one
    with a number, `fighter 1` and then `2` where all are numbers of the same; the `title` of the table comes first."""
    whom = [binding(bind, pack, title=title).removeprefix(" – ") for bind in binds]
    headed = heads(title, pack)
    brief: list[str] = []
    for bind in binds:
        bound = [(name, str(value)) for name, value in bind.items() if str(value) in pack.sheet.index.get(name, {})]
        members = dict.fromkeys(each for name, each in bound if not is_in_title(pack.sheet.label(name, each), headed))
        names, numbers = ([each for each in members if each.isdigit() is digits] for digits in (False, True))
        brief.append(f"{unhyphened(names[0])} {numbers[0]}" if len(names) == len(numbers) == 1 else "")
    if len(binds) > 1 and all(brief) and len({each.rpartition(" ")[0] for each in brief}) == len(brief):
        return brief
    parts = [each.rpartition(" ") for each in whom]
    if len({word for word, _, _ in parts}) == 1 and all(at.isdigit() for *_, at in parts):
        return [each if each == whom[0] else at for each, (*_, at) in zip(whom, parts, strict=True)]
    return whom


# -- secrets between two players: `[reveal]` of the pack lists public fields -------------------------------------------


def viewers(mission: Mission) -> list[tuple[str, str]]:
    """Return the viewers of a sheet with their labels, its owner first; empty for a game without secrets.

    `all` sees everything, `""` only public fields; a side of the game (`allied`) also sees its own.
    """
    pack, reveal = mission.game, mission.game.about.reveal
    if not reveal or not reveal.when(mission.facts()):
        return []
    return [(ALL, "The whole sheet"), *players(pack)[1].items(), ("", reveal.title or "Public information")]


def players(pack: Pack) -> tuple[str, Mapping[str, str]]:
    """Return the sides of the game: the scoring index and the label of each member."""
    sides = pack.about.log.sides
    for index, members in pack.sheet.index.items():
        if sides and sides.keys() <= members.keys():
            return index, sides
    return "", {}


def sight(mission: Mission, viewer: str) -> set[str] | None:
    """Return the fields and facts that a viewer of this mission may see; None for everything."""
    return None if viewer == ALL or not viewers(mission) else set(seen_by(mission.game, viewer))


def secrets(pack: Pack, facts: Facts) -> set[str]:
    """Return the fields of the sheet that not everybody may see: all who look at one screen, log or printed sheet."""
    reveal, fields = pack.about.reveal, pack.sheet.fields
    if not reveal or not reveal.when(facts):
        return set()
    return {name for name, field in fields.items() if field.section != "working"}.difference(seen_by(pack, ""))


def seen_by(pack: Pack, viewer: str) -> list[str]:
    """Return the fields and facts that a viewer may see, each once. An unknown viewer sees public fields."""
    names = [name for family in pack.about.reveal.facts for name in pack.sheet.expand(family)]
    side, sides = players(pack)
    index = pack.sheet.index
    for name, members in (each for family in pack.sheet.families for each in pack.sheet.family(family)):
        owners = {member if of == side else index[of][member].get(side) for of, member in members}
        names += [name] if viewer in sides and viewer in owners else []  # also of a thing with `side = "allied"`
    return list(dict.fromkeys(names))
