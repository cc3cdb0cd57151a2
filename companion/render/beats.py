"""The parts of a story: events of the journal, and beats that are told together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.engine.fields import Spec, Value


@dataclass(eq=False)
class Event:
    """An event: its journal entry, its table or family of fields, and its subject. For a field also its name, its
    values before and after, the increase, and whether it has had that value before.
    """

    number: int
    on: str
    by: str
    bind: Mapping[str, Value]
    name: str = ""
    was: Value = "none"
    value: Value = "none"
    more: int = 0
    back: bool = False


@dataclass(eq=False)
class Beat:
    """An event with the sentence of the pack that it triggers, and the facts for it."""

    event: Event
    spec: Spec
    facts: Mapping[str, Value]
    foe: str = ""  # the fighter it belongs to
    cause: Beat | None = None  # what else did the damage

    @property
    def part(self) -> str:
        """Return the part of this event in a fight, if any."""
        return str(self.spec.get("part", ""))

    @property
    def weight(self) -> int:
        """Return how much this matters."""
        return int(self.spec.get("weight", 1))


@dataclass(eq=False)
class Stage:
    """A stretch of the mission, such as a zone: its paragraph, its beats, and the sheet at its end."""

    spec: Spec
    key: tuple[str, str]
    facts: Mapping[str, Value]
    beats: list[Beat] = field(default_factory=list)


@dataclass(eq=False)
class Foe:
    """A fighter in one wave: what became of it, and what it did to the bomber."""

    name: str
    beats: list[Beat] = field(default_factory=list)

    @property
    def away(self) -> bool:
        """Return whether it was driven off before it attacked."""
        return bool(self.of("leaves")) and {each.part for each in self.beats} <= {"comes", "leaves"}

    def of(self, part: str) -> list[Beat]:
        """Return its beats of one kind."""
        return [each for each in self.beats if each.part == part]


@dataclass(eq=False)
class Item:
    """Beats that are told together: fighters, flak with its damage, or several events of one kind."""

    kind: str
    beats: list[Beat] = field(default_factory=list)
    foes: list[Foe] = field(default_factory=list)
    waves: int = 0

    @property
    def harm(self) -> bool:
        """Return whether a fighter did any damage or was shot down."""
        return any("did" in each.spec or each.part == "claim" for each in self.beats)
