"""The form of `pack.toml`: what a game is called, and what the screen, the campaign log and the printed sheets show."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.packs.forms.form import Condition, Form, Name, Span


class People(Form, kw_only=True):
    """The crew on the screen."""

    title: str = ""
    name: Name = ""
    states: Annotated[list[str], Meta(min_length=1, description="one or more fields")]
    boxes: Name = ""


class Beside(Form, kw_only=True):
    """What the screen shows beside the crew."""

    title: str = ""
    fields: list[str]


class Status(Form):
    """The screen."""

    lines: list[list[str]] = []
    boxes: list[str] = []
    elsewhere: list[str] = []
    people: People = None  # type: ignore[assignment]
    beside: Beside = None  # type: ignore[assignment]


class Ratings(Form):
    """What so many missions and such an average are called."""

    missions: dict[Span, str] = {}
    percent: dict[Span, str] = {}


class Unsettled(Form):
    """Whose fate must be known before he flies again."""

    when: Condition
    why: str
    roll: str


class Log(Form):
    """The campaign log."""

    columns: list[Annotated[list[str], Meta(min_length=2, max_length=2, description="a field and its heading")]] = []
    counts: Condition = ""
    result: str = ""
    sides: dict[str, str] = {}
    average: str = ""
    flew: Condition = ""
    lost: Condition = ""
    aircraft_lost: Condition = ""
    aircraft_end: str = ""
    standing: dict[str, Condition] = {}
    fates: dict[str, str] = {}
    ratings: Ratings = None  # type: ignore[assignment]
    unsettled: list[Unsettled] = []


class Print(Form):
    """The printed sheets."""

    mission: str = ""
    campaign: str = ""
    crew: str = ""
    damage: str = ""
    join: dict[str, str] = {}
    when_filled: list[str] = []
    without: list[str] = []
    words: dict[str, str | dict[str, str]] = {}


class Reveal(Form, kw_only=True):
    """What the second player may know."""

    title: str = ""
    facts: list[str]


class Damage(Form, kw_only=True):
    """The Target Damage Sheet."""

    city: str
    boxes: str
    percent: str
    of: str = ""
    known: str = ""
    note: str = ""


class About(Form):
    """`pack.toml`; a folder that lies over another replaces it key by key."""

    id: str = ""
    title: str = ""
    publisher: str = ""
    extends: Annotated[str, Meta(min_length=1, description="the name of another game")] = "-"
    aircraft: str = ""
    missions: int = 0
    sources: list[str] = []
    briefing: list[str] = []
    debrief: list[str] = []
    landing: list[str] = []
    names: dict[str, str] = {}
    status: Status = None  # type: ignore[assignment]
    log: Log = None  # type: ignore[assignment]
    print: Print = None  # type: ignore[assignment]
    reveal: Reveal = None  # type: ignore[assignment]
    damage: Damage = None  # type: ignore[assignment]
