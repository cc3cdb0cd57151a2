"""Campaigns started on paper: the missions flown so far become sheets, and counting continues from there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.packs import Pack
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import UserError
from companion.words import counted, figure, one_of

WOUNDS = {"ok": {}, "light": {"crew": "light"}, "serious": {"crew": "serious"}, "frostbite": {"frostbite": "yes"}}


class PaperRecord(NamedTuple):
    """A man's counted missions, fighters shot down, and wound from the last mission."""

    missions: int
    kills: int = 0
    wound: str = "ok"


@dataclass
class Paper:
    """A campaign from its paper log: counted `missions`, counts of `results` by name in the pack, and for each of the
    `cities` the boxes crossed off and in total (0: unknown).
    """

    missions: int
    men: dict[str, PaperRecord] = field(default_factory=dict)
    bomber: int | None = None
    results: dict[str, int] = field(default_factory=dict)
    percent: int | None = None
    cities: dict[str, tuple[int, int]] = field(default_factory=dict)


def before(pack: Pack, number: int) -> Paper:
    """Return a paper campaign whose next mission has that number; raise UserError if the game has none."""
    if not pack.about.log.paper:
        raise UserError(f"{pack.title} has no campaign to continue from paper")
    length = pack.about.missions
    if number < 2 or (length and number > length):
        raise UserError(f"the next mission of a paper campaign must be 2 to {length}, not {number}")
    return Paper(number - 1)


def past(text: str, most: int) -> PaperRecord:
    """Parse `9 2 light` as missions, fighters and a wound, in this order, each optional.

    Raises:
        UserError: The text is invalid, or has more missions than were flown.

    >>> past("9 2 light", 11), past("", 11)
    (PaperRecord(missions=9, kills=2, wound='light'), PaperRecord(missions=11, kills=0, wound='ok'))
    """
    words = text.replace(",", " ").split()
    wounds = [word.casefold() for word in words if figure(word) is None]
    figures = [each for word in words if (each := figure(word)) is not None]
    if len(figures) > 2 or len(wounds) > 1 or any(each not in WOUNDS for each in wounds) or min([0, *figures]) < 0:
        raise UserError(
            f"Type missions, kills and a wound, e.g. 9 2 light, not {text!r}. The wound must be {one_of(list(WOUNDS))}"
        )
    missions, kills = [*figures, *(most, 0)[len(figures) :]]
    if missions > most:
        raise UserError(f"The campaign has flown only {most} missions, not {missions}")
    return PaperRecord(missions, kills, *wounds)


def score(text: str, pack: Pack, most: int) -> dict[str, int]:
    """Parse `7 2` as results: the player's, the enemy's, and the rest drawn; empty for empty text."""
    if not text:
        return {}
    ours, theirs = list(pack.about.log.sides)
    figures = [figure(word) for word in text.replace("-", " ").replace(",", " ").split()]
    if len(figures) != 2 or None in figures:
        raise UserError(f"Type missions won and lost, e.g. 7 2, not {text!r}. The rest of the {most} were drawn")
    won, lost = (int(each or 0) for each in figures)
    if won + lost > most:
        raise UserError(f"{won} won and {lost} lost is more than the {most} missions flown")
    drawn = [name for name in pack.about.log.paper if name not in (ours, theirs, "all")]
    return {ours: won, theirs: lost, **dict.fromkeys(drawn, most - won - lost)}


def city(text: str, pack: Pack, paper: Paper) -> tuple[str, int, int]:
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
    declared = pack.sheet.fields[pack.about.damage.city]
    declared.accept(declared.label, name)
    hits = crossed + sum(there for there, _ in paper.cities.values())
    if hits > paper.missions:
        raise UserError(f"{hits} boxes are too many for {counted(paper.missions, 'mission')}")
    return name, crossed, boxes


def average(text: str) -> int | None:
    """Parse `30` or `30%` as a percentage, None for empty text."""
    number = text.rstrip("% ")
    if number and (not number.isdecimal() or int(number) > 100):
        raise UserError(f"the percentage must be 0 to 100, e.g. 35, not {text}")
    return int(number) if number else None


def sheets(pack: Pack, paper: Paper, roster: Mapping[str, str], aircraft: str) -> list[Mission]:
    """Return the sheets of the missions flown on paper, with the fields that the campaign log reads.

    A man appears on the last ones, as many as he has missions; cities on the first ones, one for each box crossed off.
    """
    count, log, fields = paper.missions, pack.about.log, pack.sheet.fields
    known = log.paper
    lost_first = sorted(paper.results.items(), key=lambda each: each[0] not in list(log.sides)[1:])
    results = [name for name, often in lost_first for _ in range(often)]
    hits = [(name, boxes) for name, (crossed, boxes) in paper.cities.items() for _ in range(crossed)]
    damage = pack.about.damage
    flown = []
    for number in range(1, count + 1):
        result = results[number - 1] if number <= len(results) else ""
        facts: dict[str, Value] = {"mission.number": number, **known.get("all", {}), **known.get(result, {})}
        lost = log.aircraft_lost and log.aircraft_lost(Facts(pack.sheet, facts))
        if not lost and number > count - (count if paper.bomber is None else paper.bomber):
            facts["aircraft.name"] = aircraft
        for position, name in roster.items():
            facts |= _man(paper.men.get(position, PaperRecord(count)), position, name, number, count)
        if paper.percent is not None and (percent := log.average):
            facts[percent] = paper.percent
        if number <= len(hits):
            name, boxes = hits[number - 1]
            facts |= {damage.city: name, damage.boxes: 1, damage.of: boxes}
        state = {name: fields[name].accept(name, value) for name, value in facts.items() if name in fields}
        flown.append(Mission(pack, state, [], Journal(), number))
    return flown


def _man(man: PaperRecord, position: str, name: str, number: int, count: int) -> dict[str, Value]:
    """Return the fields about a man on the sheet of that number."""
    first = count - man.missions
    if number <= first:
        return {f"crew.{position}": "absent"}
    facts: dict[str, Value] = {f"name.{position}": name, f"missions.{position}": number - first - 1}
    if number == count:
        facts[f"kills.{position}"] = man.kills
        facts |= {f"{key}.{position}": value for key, value in WOUNDS[man.wound].items()}
    return facts
