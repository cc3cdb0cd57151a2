"""The typed form of `pack.toml`: the game's title and the contents of its screens, flights, log and printed sheets.

The classes below are built from the decoded file, and `companion tables check` validates files against the same
declarations. The annotations are read at run time, so there is no `from __future__ import annotations` here.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NamedTuple, get_args, get_origin

if TYPE_CHECKING:
    from companion.engine.facts import Facts


class Note(NamedTuple):
    """Constraints on a value in a file, in addition to its type.

    Attributes:
        words: A description of the accepted value, for an error message.
        pattern: A regular expression that a text must match.
        least: The minimum length of a list.
        most: The maximum length of a list; 0 for any.
        names: What a text must name: a field, section, position, index, table or choice; of fields a `family` as the
            sheet declares it, an `entry` of a single one, a `value` (an entry or a fact), a `number` or `boxes`.
        laid: How an overlay changes it: by name, by key or by row; by default it is replaced.
        key: The key that distinguishes the members of a list.
    """

    words: str = ""
    pattern: str = ""
    least: int = 0
    most: int = 0
    names: str = ""
    laid: str = ""
    key: str = ""


class Sentence(str):
    """A sentence as written in a file; `work` is its compiled function, or None for a constant."""

    work: Callable[..., Any] | None = None


class Condition(Sentence):
    """A sentence that is true or false, even when it is missing; some are evaluated for a member."""

    def __call__(self, facts: "Facts", *members: str) -> bool:
        return self.work is None or bool(self.work(facts, *members))


class Amount(Sentence):
    """A sentence whose value is a number."""

    def __call__(self, facts: "Facts") -> int:
        return int(self) if self.work is None else int(self.work(facts))


class Text(Sentence):
    """A text that may contain sentences in braces."""

    def __call__(self, facts: "Facts") -> str:
        return str(self) if self.work is None else str(self.work(facts))


class Part:
    """A table of a file, with the keys and defaults that a subclass declares; false when it is missing.

    A key without a default is required, and one of `one_of`; in a missing table it is empty.
    """

    one_of: ClassVar[tuple[str, ...]] = ()

    def __init__(self, doc: Mapping[str, Any] | None = None) -> None:
        self.there = bool(doc)
        doc = doc or {}
        for name, kind in type(self).__annotations__.items():
            key = key_of(name)
            if key in doc:
                setattr(self, name, _made(doc[key], kind, doc.get(f"#{key}")))
            elif not hasattr(self, name):
                setattr(self, name, bare(kind)())

    def __bool__(self) -> bool:
        return self.there


def key_of(name: str) -> str:
    """Return the key in the file for an attribute: `aircraft-lost` for `aircraft_lost`, `is` for `is_`."""
    return name.rstrip("_").replace("_", "-")


def bare(kind: Any) -> Any:
    """Return a type without its note."""
    return kind.__origin__ if get_origin(kind) is Annotated else kind


def _made(value: Any, kind: Any, work: Callable[..., Any] | None = None) -> Any:
    """Convert a decoded value to its type, with the function that was linked for it."""
    if not _built(kind):
        return value
    if isinstance(kind, type) and issubclass(kind, Part):
        return kind(value)
    if isinstance(kind, type) and issubclass(kind, Sentence):
        sentence = kind(value)
        sentence.work = work
        return sentence
    inner = get_args(bare(kind))[-1]
    if isinstance(value, list):
        return [_made(each, inner) for each in value]
    named = {key: each for key, each in value.items() if not key.startswith("#")}
    return {key: _made(each, inner, value.get(f"#{key}")) for key, each in named.items()}


@cache
def _built(kind: Any) -> bool:
    """Return whether values of that type contain parts or sentences."""
    if isinstance(kind, type) and issubclass(kind, Part | Sentence):
        return True
    return any(map(_built, get_args(bare(kind))))


# -- types of several keys ---------------------------------------------------------------------------------------------

FieldName = Annotated[str, Note('the name of a field, e.g. "hit[area]"', names="field")]
FamilyName = Annotated[str, Note(names="family")]
ValueName = Annotated[str, Note(names="value")]
NumberName = Annotated[str, Note(names="number")]
EntryName = Annotated[str, Note(names="entry")]
BoxesName = Annotated[str, Note(names="boxes")]
SectionName = Annotated[str, Note(names="section")]
PositionName = Annotated[str, Note(names="position")]
IndexName = Annotated[str, Note(names="index")]
TableName = Annotated[str, Note(names="table")]
ChoiceName = Annotated[str, Note(names="choice")]
Span = Annotated[
    str, Note("a number or a range, e.g. ..3, 4..6 or 7..", r"(-?[0-9]+|-?[0-9]+\.\.(-?[0-9]+)?|\.\.-?[0-9]+)")
]
Point = Annotated[list[float], Note("how far across and how far down", least=2, most=2)]
Scaled = Annotated[list[float], Note("across and down on the sheet, and millimeters to the meter", least=3, most=3)]
Line = Annotated[str, Note("an SVG path, e.g. M0 0L4 6", r"M-?[0-9.]+ -?[0-9.]+[\s\S]*")]
Lines = Annotated[list[Line], Note("one or more SVG paths", least=1)]
Area = Annotated[list[float], Note("across, down, how wide and how tall", least=4, most=4)]
BY_OWN_NAME = Note(laid="by key", key="name")


# -- the screen and a flight -------------------------------------------------------------------------------------------


class People(Part):
    """The crew as shown on the screen."""

    title: str = ""
    name: FamilyName = ""
    states: Annotated[list[FamilyName], Note("one or more fields", least=1)]
    boxes: FamilyName = ""
    several: FamilyName = ""
    seat: FamilyName = ""


class BesideCrew(Part):
    """The fields shown next to the crew on the screen."""

    title: str = ""
    fields: list[FamilyName]


class Status(Part):
    """The contents of the status screen."""

    lines: list[list[ValueName]] = []
    boxes: list[BoxesName | Annotated[list[NumberName], Note("a field and what is left of it", least=2, most=2)]] = []
    elsewhere: list[SectionName] = []
    people: People = People()
    beside: BesideCrew = BesideCrew()


class Reveal(Part):
    """The facts that a second player may know, and when there is a second player."""

    title: str = ""
    when: Condition = Condition()
    facts: list[FieldName]


class StatusPart(Part):
    """A part of the status line."""

    text: Text
    when: Condition = Condition()
    bad: bool = False


class Wave(Part):
    """The table of targets for the guns: the members of an index, one per line.

    `aim` is the choice of a target for each of the `guns`; `shot` in its options is the roll that follows and `hit` its
    row. `at` has the fields of a member's clock position and angle, for the drawing.
    """

    index: IndexName
    when: Condition
    text: Text
    aim: ChoiceName = ""
    guns: IndexName = ""
    hit: str = ""
    at: list[FamilyName] = []


class Squares(Part):
    """The squares of a map on the page: their index and points, the one fought over, the field that puts a card on one,
    the attribute of a card that names its side, and flags of a square or a card that are shown there.
    """

    index: IndexName
    points: FamilyName = ""
    here: ValueName = ""
    cards: FamilyName
    side: str = ""
    marks: list[FamilyName] = []


class Hurts(Part):
    """The rows of a table that hurt `us` or `them`, for the color of a result; no rows: all of them.

    Damage to a part that was ok and wounds need no entry.
    """

    us: dict[TableName, list[str]] = {}
    them: dict[TableName, list[str]] = {}


class Moving(Part):
    """A way to change places: a choice of the seat, then of the crewman; a bound seat asks only for the crewman."""

    index: IndexName
    seat: ChoiceName = ""
    man: ChoiceName
    when: Condition = Condition()
    why: Text = Text()


class Reroll(Part):
    """A way to reroll the last dice: the field that pays for it and the words that the player types."""

    field: EntryName
    words: str


class AtTable(Part):
    """The settings of a flight: what it shows, and the options that Enter never takes by default.

    `any_time` has words for options that may be typed at any time, each with its choice; words typed ahead go to no
    question after the field `whose` has changed.
    """

    line: list[StatusPart] = []
    quiet: list[str] = []
    wave: Wave = Wave()
    squares: Squares = Squares()
    hurts: Hurts = Hurts()
    final: dict[str, list[str]] = {}
    tips: dict[str, str] = {}
    any_time: dict[str, ChoiceName] = {}
    whose: FieldName = ""
    move: list[Moving] = []
    again: Reroll = Reroll()


class PhraseWords(Part):
    """Synonyms for fields, their values and parts of both, and the fields whose values may be typed alone, likeliest
    first.
    """

    words: dict[str, str] = {}
    alone: list[FieldName] = []
    fields: dict[str, FieldName] = {}
    values: dict[FieldName, dict[str, str]] = {}


# -- the campaign ------------------------------------------------------------------------------------------------------


class Ratings(Part):
    """The ratings by number of missions and by average."""

    missions: dict[Span, str] = {}
    percent: dict[Span, str] = {}


class Unsettled(Part):
    """A crewman whose fate must be known before the next mission."""

    when: Condition
    why: str
    roll: TableName


class Log(Part):
    """The campaign log; `flew`, `lost`, `home` and `standing` are evaluated for each position."""

    columns: list[Annotated[list[str], Note("a field and its heading", least=2, most=2)]] = []
    counts: Condition = Condition()
    result: ValueName = ""
    sides: dict[str, str] = {}
    average: NumberName = ""
    bombs: list[ValueName] = []
    flew: Condition = Condition()
    lost: Condition = Condition()
    home: Condition = Condition()
    aircraft_lost: Condition = Condition()
    aircraft_end: ValueName = ""
    standing: dict[str, Condition] = {}
    fates: dict[str, str] = {}
    ratings: Ratings = Ratings()
    paper: dict[str, dict[FieldName, str]] = {}
    unsettled: list[Unsettled] = []


class DamageSheet(Part):
    """The Target Damage Sheet."""

    city: ValueName
    boxes: ValueName
    percent: ValueName
    of: FieldName = ""
    known: str = ""
    note: str = ""


class Chance(Part):
    """A condition whose chance at the end of a mission is counted."""

    name: str
    text: str
    when: Condition


class Mean(Part):
    """A number at the end of a mission whose average is counted."""

    name: str
    text: str
    is_: Amount


class Forecast(Part):
    """The chances and averages that a forecast counts at the end of a mission."""

    chance: Annotated[list[Chance], BY_OWN_NAME] = []
    mean: Annotated[list[Mean], BY_OWN_NAME] = []
    note: str = ""


# -- the printed sheets ------------------------------------------------------------------------------------------------


class Zones(Part):
    """The rows of the mission sheet: where the bomber is, the index of the zones, and the columns of a row.

    The page draws a track up to the zone of the `target`, with the boxes of `fuel` below it, and marks the `weather`
    that was met by zone, or at both ends (`weather-ends`: base, target).
    """

    zone: NumberName
    leg: IndexName
    index: IndexName
    target: ValueName = ""
    fuel: list[ValueName] = []
    weather: str = ""
    weather_ends: list[ValueName] = []
    columns: list[Annotated[list[str], Note("a heading and one or more fields", least=2)]]


class Outline(Part):
    """The bomber to scale, in meters from the tip of its nose: aside (starboard is positive) and aft.

    `back`, `front` and `lines` are SVG paths of the starboard half, with absolute commands and pairs of numbers;
    `nacelle` is drawn from each propeller's hub, `profile` is the side view. `cards` and `hits` are places on the
    sheet, in millimeters.
    """

    size: Point
    nose: Scaled
    back: Lines
    front: list[Line] = []
    lines: str = ""
    nacelle: list[Line] = []
    propeller: float = 0
    profile: list[Line] = []
    profile_lines: str = ""
    profile_at: Scaled = [0, 0, 1]
    seats: dict[str, Point] = {}
    cards: dict[str, Point] = {}
    engines: dict[EntryName, Point] = {}
    turrets: dict[EntryName, Annotated[list[float], Note("aside, aft and the way it points", least=3, most=3)]] = {}
    parts: dict[EntryName, Area] = {}
    areas: dict[str, Point] = {}
    hits: dict[str, Area] = {}


class Print(Part):
    """The printed sheets."""

    mission: str = "Mission Log Sheet"
    campaign: str = "Campaign Log Sheet"
    crew: str = "Crew Placement Sheet"
    damage: str = "Target Damage Sheet"
    join: dict[SectionName, SectionName] = {}
    zones: Zones = Zones()
    outline: Outline = Outline()
    told: list[SectionName] = []
    bomber: list[SectionName] = []
    when_filled: list[SectionName] = []
    without: list[SectionName] = []
    areas: IndexName = ""
    flag: str = ""
    words: dict[str, str | dict[str, str]] = {}


class About(Part):
    """The contents of `pack.toml`; an overlay replaces it key by key."""

    id: str = ""
    title: str = ""
    publisher: str = ""
    version: str = ""
    author: str = ""
    license: str = ""
    requires: str = ""
    extends: Annotated[str, Note("the name of another game", r".+")] = ""
    aircraft: str = ""
    missions: int = 0
    box: bool = False
    sources: list[str] = []
    cites: dict[str, str] = {}
    briefing: list[EntryName] = []
    debrief: list[ValueName] = []
    landing: list[TableName] = []
    names: dict[PositionName, str] = {}
    status: Status = Status()
    log: Log = Log()
    forecast: Forecast = Forecast()
    print: Print = Print()
    reveal: Reveal = Reveal()
    damage: DamageSheet = DamageSheet()
    at_table: AtTable = AtTable()
    phrases: PhraseWords = PhraseWords()
