"""The form of `pack.toml`: what a game is called, and what the screen, the campaign log and the printed sheets show."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.packs.forms.form import BY_OWN_NAME, Amount, Condition, Form, Name, Span


class People(Form, kw_only=True):
    """The crew on the screen."""

    title: str = ""
    name: Name = ""
    states: Annotated[list[str], Meta(min_length=1, description="one or more fields")]
    boxes: Name = ""
    seat: Name = ""


class Beside(Form, kw_only=True):
    """What the screen shows beside the crew."""

    title: str = ""
    fields: list[str]


class Status(Form):
    """The screen."""

    lines: list[list[str]] = []
    boxes: list[
        str | Annotated[list[str], Meta(min_length=2, max_length=2, description="a field and what is left of it")]
    ] = []
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
    bombs: list[str] = []
    flew: Condition = ""
    lost: Condition = ""
    home: Condition = ""
    aircraft_lost: Condition = ""
    aircraft_end: str = ""
    standing: dict[str, Condition] = {}
    fates: dict[str, str] = {}
    ratings: Ratings = None  # type: ignore[assignment]
    paper: dict[str, dict[str, str]] = {}
    unsettled: list[Unsettled] = []


class Zones(Form, kw_only=True):
    """The rows of the mission sheet: where the bomber is, the index of the zones, and the columns of a row."""

    zone: str
    leg: str
    index: str
    columns: list[Annotated[list[str], Meta(min_length=2, description="a heading and one or more fields")]]


Point = Annotated[list[float], Meta(min_length=2, max_length=2, description="how far across and how far down")]
Area = Annotated[list[float], Meta(min_length=4, max_length=4, description="across, down, how wide and how tall")]
Seat = Annotated[
    list[float], Meta(min_length=4, max_length=4, description="across and down of the seat and of its card")
]


class Outline(Form, kw_only=True):
    """The bomber in outline, nose up, in millimetres: one half of each line, as far from the middle as it is."""

    size: Point
    hull: Annotated[list[Point], Meta(min_length=3)]
    wing: Annotated[list[Point], Meta(min_length=3)]
    tailplane: Annotated[list[Point], Meta(min_length=3)]
    walls: list[float] = []
    seats: dict[str, Seat] = {}
    engines: dict[str, Point] = {}
    turrets: dict[str, Annotated[list[float], Meta(min_length=3, max_length=3)]] = {}
    parts: dict[str, Area] = {}
    hits: dict[str, Area] = {}


class Print(Form):
    """The printed sheets."""

    mission: str = ""
    campaign: str = ""
    crew: str = ""
    damage: str = ""
    join: dict[str, str] = {}
    zones: Zones = None  # type: ignore[assignment]
    outline: Outline = None  # type: ignore[assignment]
    told: list[str] = []
    bomber: list[str] = []
    when_filled: list[str] = []
    without: list[str] = []
    areas: str = ""
    words: dict[str, str | dict[str, str]] = {}


class Reveal(Form, kw_only=True):
    """What the second player may know, and when there is one."""

    title: str = ""
    when: Condition = ""
    facts: list[str]


class Said(Form, kw_only=True):
    """A part of the line that says how things stand."""

    text: str
    when: Condition = ""
    bad: bool = False


class Wave(Form, kw_only=True):
    """The table of what the guns may fire at: the members of an index, a line each."""

    index: str
    when: Condition
    text: str


class Moving(Form, kw_only=True):
    """A way to change places: the choice of the seat and that of the man, who alone is asked for by a bound seat."""

    index: Name
    seat: Name = ""
    man: Name
    when: Condition = ""
    why: str = ""


class Again(Form, kw_only=True):
    """What lets the last dice be thrown again: the field of which one is used up, and what is typed for it."""

    field: Name
    words: str


class AtTable(Form):
    """What a flight shows and keeps quiet about, and what Enter never does by itself."""

    line: list[Said] = []
    quiet: list[str] = []
    wave: Wave = None  # type: ignore[assignment]
    final: dict[str, list[str]] = {}
    tips: dict[str, str] = {}
    move: list[Moving] = []
    again: Again = None  # type: ignore[assignment]


class PhraseWords(Form):
    """What players say in other words than the sheet: for a field, and for a value of a field."""

    fields: dict[str, Name] = {}
    values: dict[str, dict[str, str]] = {}


class Chance(Form, kw_only=True):
    """Something that may be so at the end of a mission."""

    name: str
    text: str
    when: Condition


class Mean(Form, kw_only=True):
    """A figure that a mission ends with."""

    name: str
    text: str
    is_: Amount


class Forecast(Form):
    """What a forecast counts at the end of a mission."""

    chance: Annotated[list[Chance], BY_OWN_NAME] = []
    mean: Annotated[list[Mean], BY_OWN_NAME] = []


class DamagedFile(Form, kw_only=True):
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
    forecast: Forecast = None  # type: ignore[assignment]
    print: Print = None  # type: ignore[assignment]
    reveal: Reveal = None  # type: ignore[assignment]
    damage: DamagedFile = None  # type: ignore[assignment]
    at_table: AtTable = None  # type: ignore[assignment]
    phrases: PhraseWords = None  # type: ignore[assignment]
