"""Who may see what: a game that keeps something from a second player says in `[reveal]` what everybody may know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.engine.facts import Facts
from companion.engine.fields import FREE, Value
from companion.engine.sheet import Sheet
from companion.packs import Pack
from companion.play.mission import Mission
from companion.render.bomber import Bomber, Mark
from companion.render.page import Control, Page, Table

ALL = "all"  # the viewer whose sheet it is
HIDDEN = "?"  # what stands in a box that he may not look into


class Sight(NamedTuple):
    """What a viewer may see: everything, or the fields and worked-out facts of these names."""

    all: bool
    names: frozenset[str] = frozenset()

    def sees(self, name: str) -> bool:
        """Whether he may see that field or fact."""
        return self.all or name in self.names


def viewers(pack: Pack, mission: Mission) -> list[tuple[str, str]]:
    """Who may look at the sheet of a mission, each with what to call him, the one whose sheet it is first; nobody in
    particular where the game keeps nothing secret.

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
    """The sides that play against each other: the index whose members are what scores, and what each is called."""
    sides: Mapping[str, str] = pack.about.get("log", {}).get("sides", {})
    for index, members in pack.sheet.index.items():
        if sides and sides.keys() <= members.keys():
            return index, sides
    return "", {}


def sight(pack: Pack, mission: Mission, viewer: str) -> Sight:
    """What a viewer may see; one whom the game does not know sees what everybody may know."""
    shown: Iterable[str] | None = pack.about.get("reveal", {}).get("facts")
    if shown is None or viewer == ALL or not viewers(pack, mission):
        return Sight(all=True)
    names = {name for family in shown for name in pack.sheet.expand(family)}
    index, sides = players(pack)
    if viewer in sides:
        names |= set(_own(pack.sheet, index, viewer))
    return Sight(all=False, names=frozenset(names))


def _own(sheet: Sheet, side: str, viewer: str) -> Iterable[str]:
    """The fields that are a player's own: of his side, or of a thing that is his (`side = "allied"`)."""
    for family in sheet.families:
        for name, members in sheet.family(family):
            owners = {member if index == side else sheet.index[index][member].get(side) for index, member in members}
            if viewer in owners:
                yield name


class Shown(Page):
    """A sheet for a screen: of slots (fighters) those that are in use."""

    def table(self, index: str, names: Sequence[str], section: str = "") -> Table:
        """A row a member that is there."""
        table = super().table(index, names, section)
        members = list(self.sheet.index[index])
        if len(table["rows"]) != len(members) or not getattr(self.sheet.known[index], "present", ""):
            return table
        rows = [row for row, member in zip(table["rows"], members, strict=True) if self.there(index, member)]
        return {**table, "rows": rows}


class Seen(Shown):
    """A sheet of which only a part may be seen."""

    def __init__(self, pack: Pack, state: Mapping[str, Value], sight: Sight) -> None:
        super().__init__(pack.sheet, state, about=pack.about)
        self.pack, self.sight = pack, sight

    def families(self, section: str) -> list[str]:
        """Those of which at least one field may be seen."""
        return [each for each in super().families(section) if any(map(self.sight.sees, self.sheet.expand(each)))]

    def value(self, name: str) -> str:
        """What is written in the field, if it may be seen."""
        return super().value(name) if self.sight.sees(name) else ""

    def control(self, name: str) -> Control:
        """How a field is drawn; one that may not be seen has nothing in it that would tell."""
        return super().control(name) if self.sight.sees(name) else {"k": "fill", "value": HIDDEN, "narrow": True}

    def _cells(self, family: str, name: str, there: bool = True) -> list[Control]:
        cells = super()._cells(family, name, there)
        return cells if self.sight.sees(name) else [{"k": "fill", "value": HIDDEN, "narrow": True} for _ in cells]

    def letters(self, name: str) -> Control:
        """A choice in a small cell, if it may be seen."""
        return super().letters(name) if self.sight.sees(name) else self.control(name)

    def reports(self) -> list[tuple[str, str]]:
        """Worked-out facts that may be seen and say something, in words."""
        facts = [(name, self.facts[name]) for name in self.sheet.derived if name in self.sight.names]
        return [
            (self.sheet.text(name), self.sheet.say(name, value)) for name, value in facts if value not in (*FREE, 0)
        ]

    def of_bomber(self, bomber: Bomber) -> Bomber:
        """The bomber without what may not be seen from where the viewer is."""
        outline = self.pack.about["print"]["outline"]

        def seen(marks: list[Mark], names: Iterable[str]) -> list[Mark]:
            return [mark for mark, name in zip(marks, names, strict=True) if self.sight.sees(name)]

        crew = [name for name, field in self.sheet.fields.items() if field.name == "crew[position]"]
        return {
            "outline": bomber["outline"],
            "cards": bomber["cards"] if all(map(self.sight.sees, crew)) else [],
            "engines": seen(bomber["engines"], (f"engine.{each}" for each in outline.get("engines", {}))),
            "turrets": seen(bomber["turrets"], (f"gun.{each}" for each in outline.get("turrets", {}))),
            "parts": seen(bomber["parts"], outline.get("parts", {})),
            "hits": bomber["hits"],
        }
