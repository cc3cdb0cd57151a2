"""Secrets between two players: `[reveal]` of the pack says what everybody may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.engine.facts import Facts
from companion.engine.sheet import Sheet
from companion.packs import Pack
from companion.play.mission import Mission

ALL = "all"  # the viewer whose sheet it is


class Sight(NamedTuple):
    """The view of one player: everything, or the fields and worked-out facts of these names."""

    all: bool
    names: frozenset[str] = frozenset()

    def sees(self, name: str) -> bool:
        """Return whether the viewer may see that field or fact."""
        return self.all or name in self.names


def viewers(pack: Pack, mission: Mission) -> list[tuple[str, str]]:
    """Return the viewers of a sheet, each with a label, its owner first; none where the game keeps nothing secret.

    `all` sees everything, `""` what everybody may know; a side of the game (`allied`) that and what is its own.
    """
    reveal = pack.about.get("reveal")
    if reveal is None or ("#when" in reveal and not reveal["#when"](Facts(pack.sheet, mission.state))):
        return []
    return [
        (ALL, "The whole sheet"),
        *players(pack)[1].items(),
        ("", str(reveal.get("title", "What everybody may know"))),
    ]


def players(pack: Pack) -> tuple[str, Mapping[str, str]]:
    """Return the sides of the game: the index whose members score, and the label of each."""
    sides: Mapping[str, str] = pack.about.get("log", {}).get("sides", {})
    for index, members in pack.sheet.index.items():
        if sides and sides.keys() <= members.keys():
            return index, sides
    return "", {}


def sight(pack: Pack, mission: Mission, viewer: str) -> Sight:
    """Return the view of a viewer; one whom the game does not know sees what everybody may know."""
    shown: Iterable[str] | None = pack.about.get("reveal", {}).get("facts")
    if shown is None or viewer == ALL or not viewers(pack, mission):
        return Sight(all=True)
    names = {name for family in shown for name in pack.sheet.expand(family)}
    index, sides = players(pack)
    if viewer in sides:
        names |= set(_own(pack.sheet, index, viewer))
    return Sight(all=False, names=frozenset(names))


def _own(sheet: Sheet, side: str, viewer: str) -> Iterable[str]:
    """The fields of a side, or of a thing that belongs to it (`side = "allied"`)."""
    for family in sheet.families:
        for name, members in sheet.family(family):
            owners = {member if index == side else sheet.index[index][member].get(side) for index, member in members}
            if viewer in owners:
                yield name
