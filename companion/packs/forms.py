"""The files of a pack and the keys of their tables, except `pack.toml` (`companion/engine/about.py`).

`tables/README.md` explains each word. A patch has the keys of the file that it changes, all optional.
"""

from __future__ import annotations

from typing import Annotated, Literal

from companion.engine.about import (
    About,
    Amount,
    ChoiceName,
    Condition,
    FieldName,
    IndexName,
    Note,
    Part,
    Span,
    TableName,
)
from companion.engine.questions import KINDS

EventName = Annotated[str, Note(names="event")]
StepName = Annotated[str, Note(names="step")]
SubjectName = Annotated[str, Note(names="subject")]
BoundField = Annotated[str, Note('the name of a field, e.g. "hit[area]"')]
Expression = Annotated[str, Note('a value or a formula, e.g. "port" or "2 * zone"')]
Members = Annotated[str, Note('the members of an index, e.g. "position" or "position as other"')]
Lines = Annotated[list[str], Note('a list of changes, e.g. ["altitude = lo", "mark fuel.due 2"]')]
Dice = Annotated[
    str,
    Note(
        "dice, e.g. 1D, 2D, D66, 1D10 or D100; - for none, ? where only the rulebook says",
        r"([1-9]?[0-9]?[dD][0-9]{0,3}|-|\?)",
    ),
]
Words = Annotated[str, Note("a text", r"\s*\S[\s\S]*")]
Many = Annotated[int, Note("a number from 0 to 1000", most=1000)]
Several = Annotated[str, Note("a range of rows, e.g. 2..12", r"-?[0-9]+\.\.-?[0-9]+")]

# An overlay merges these piece by piece: by name, by the key of each member, by row. It replaces all others.
BY_NAME, BY_ROW = Note(laid="by name"), Note(laid="by row")
BY_ID, BY_TITLE = (Note(laid="by key", key=key) for key in ("id", "title"))


# -- effects -----------------------------------------------------------------------------------------------------------


class Request(Part):
    """Something asked for next: a roll, a decision, a field, or an order in force."""

    one_of = tuple(KINDS)

    roll: TableName = ""
    choose: ChoiceName = ""
    ask: BoundField = ""
    order: str = ""
    cite: str = ""
    for_: Members = ""
    when: Condition = Condition()
    times: Many | Amount = 1
    rows: Several = ""
    with_: dict[str, str | int] = {}
    usual: int | Expression = ""
    line: str = ""
    until: Condition = Condition()
    later: bool | Literal["all"] = False


class Happening(Part):
    """The text and the effects of a row, an option, a rule or a step; `refuse` undoes the command with its reason."""

    text: str = ""
    refuse: str = ""
    do: Lines = []
    then: list[TableName | Request] = []


class Ordering(Happening):
    """The text and the effects of a rule or a step, which may also give an order."""

    order: str = ""
    until: Condition = Condition()
    cite: str = ""


# -- tables ------------------------------------------------------------------------------------------------------------


class Cell(Part):
    """A cell of a row with more than its result."""

    one_of = ("as_", "ask_once")

    as_: str | int = ""
    with_: dict[str, str | int] = {}
    text: str = ""
    ask_once: BoundField = ""


Row = str | int | Cell | list[str | int | Cell]
Rows = Annotated[dict[Span, Row], BY_ROW]


class Column(Part):
    """One column of a table."""

    title: str = ""
    when: Condition = Condition()
    rows: Rows
    dice: Dice = "-"
    modifier: list[str] = []


class Modifier(Part):
    """A printed modifier."""

    id: str
    add: int | Amount
    why: str
    when: Condition = Condition()
    cite: str = ""
    house: bool = False


class Natural(Part):
    """A rule for an unmodified roll."""

    id: str = ""
    roll: int | list[int]
    outcome: str | int
    when: Condition = Condition()


class Adjust(Part):
    """One written adjustment to a number."""

    is_: int | Amount
    when: Condition = Condition()
    why: str = ""
    cite: str = ""


class Case(Happening):
    """One of several cases of a result, an option, a rule or a step: the first that holds."""

    when: Condition = Condition()
    once: bool = False
    dice: Dice = "-"
    rows: Rows = {}


class Die(Happening):
    """A die with its rows, or a procedure without one: a table, a note, a row that needs another roll."""

    title: str = ""
    cite: str = ""
    note: str = ""
    dice: Dice = "-"
    owner: bool | str = False
    parts: str = ""
    rows: Rows = {}
    column: Annotated[list[Column], BY_TITLE] = []
    modifier: Annotated[list[Modifier], BY_ID] = []
    natural: Annotated[list[Natural], BY_ID] = []
    with_: dict[str, str | int] = {}
    outcome: Annotated[dict[str, Outcome], BY_NAME] = {}
    sub: Annotated[dict[str, Sub], BY_NAME] = {}
    adjust: list[Adjust] = []
    is_: int | Amount = Amount()
    memory: BoundField = ""
    cases: list[Case] = []


class Sub(Die):
    """A note that is a small table or a procedure; `ask`, `when` and `why` tell whom a roll by hand is for."""

    result: str = ""
    ask: IndexName = ""
    when: Condition = Condition()
    why: str = ""


class Table(Die):
    """A table, with its own file."""

    id: str
    title: str
    number: str = ""
    result: str = ""
    house: bool = False
    ask: IndexName = ""
    when: Condition = Condition()
    why: str = ""
    until: EventName = ""
    usual: str | list[str] = ""
    was: str = ""


class Outcome(Die):
    """The effects of a result."""

    once: bool = False
    usual: bool = False


# -- the sheet ---------------------------------------------------------------------------------------------------------


Limits = Annotated[list[int], Note("a list of the lowest number and the highest", least=1, most=2)]


class Field(Part):
    """One field of the log sheet, or a family with one for each member."""

    label: str = ""
    kind: Literal["flag", "count", "number", "boxes", "text", "name", "list", "choice"] = "text"
    values: str = ""
    boxes: Many | str = 0
    limit: int | Limits = 0
    default: int | str = ""
    ask: bool = False
    until: str = ""
    known: str | dict[str, str] = {}
    cite: str = ""
    was: str | dict[str, str] = ""


class Fact(Part):
    """A fact worked out from others."""

    is_: int | Expression
    label: str = ""
    values: str = ""


class Index(Part):
    """An index: the number of its members, or a table for each of them with its attributes."""

    count: Many = 0
    present: str = ""
    text: str = ""
    ask: bool = False
    belongings: str = ""


MEMBER = dict[str, str | int]  # the keys of an index in addition to its words


class Sheet(Part):
    """`sheet.toml`."""

    sections: Annotated[dict[str, str], BY_NAME] = {}
    index: Annotated[dict[str, Many | list[str] | Index], BY_NAME] = {}
    fields: Annotated[dict[str, Annotated[dict[str, Field], BY_NAME]], BY_NAME] = {}
    facts: Annotated[dict[str, int | str | Fact], BY_NAME] = {}


# -- rules, the sequence, choices --------------------------------------------------------------------------------------


class Rule(Ordering):
    """A standing rule, triggered by a condition or an event."""

    one_of = ("on", "when")

    id: str = ""
    on: EventName | list[EventName] = ""
    for_: Members = ""
    when: Condition = Condition()
    cases: list[Case] = []


class Rules(Part):
    """`rules.toml`."""

    rule: Annotated[list[Rule], BY_ID] = []


class Step(Ordering):
    """A step of the sequence of play."""

    id: str
    title: str
    when: Condition = Condition()
    go: StepName = ""
    was: str = ""
    cases: list[Case] = []


class Sequence(Part):
    """`sequence.toml`."""

    step: Annotated[list[Step], BY_ID] = []


class Option(Happening):
    """One answer to a choice."""

    name: str
    for_: Members = ""
    and_: Members = ""
    when: Condition = Condition()
    usual: bool | Condition = False
    again_when: list[str] = []
    cases: list[Case] = []
    shot: list[Request] = []
    was: str = ""


class Choice(Part):
    """A decision of the player."""

    title: str
    option: Annotated[list[Option], Note("one or more options", least=1, laid="by key", key="name")]
    line: Literal["", "all", "ahead", "next"] = ""
    cite: str = ""
    was: str = ""


class Choices(Part):
    """`choices.toml`."""

    choice: Annotated[dict[str, Choice], BY_NAME] = {}


# -- rulings and the story ---------------------------------------------------------------------------------------------


class Ruling(Part):
    """One ruling: the doubt, our reading, the alternatives, and the field where the player can choose."""

    id: Words
    section: Words
    title: Words
    reading: Words
    otherwise: Words
    setting: FieldName = ""


class Rulings(Part):
    """`rulings.toml`."""

    ruling: Annotated[list[Ruling], BY_ID] = []


class StorySentence(Part):
    """A sentence of the story, with the events that trigger it and its weight: 8 and above is always told.

    With `as`, events of one stage are told together, each named that way in `told`. `did` is the damage as verb and
    object (`killed|{person}`), told with its cause; `part` is the part of the event in a fight. With `other` it is told
    where a pip would have given one of these results, with `without` where a modifier (by id) decided, or none applied
    (`""`); `near` says which. `later` puts it after the next one, `after` the damage of a cause, or a sentence of the
    end, after that of a field; `only` are the tables of a cause's damage, if not all that follow. `both` also tells an
    earlier, shorter one (`wide`). Overlays refer to its `id`.
    """

    id: str = ""
    text: str = ""
    on: SubjectName | list[SubjectName] = ""
    for_: IndexName = ""
    when: Condition = Condition()
    as_: str = ""
    did: str = ""
    verb: str = ""
    idle: str = ""
    both: str = ""
    part: str = ""
    after: FieldName = ""
    only: list[TableName] = []
    later: bool = False
    weight: int = 1
    other: list[str] = []
    without: dict[str, str] = {}


class Chapter(Part):
    """A stretch of the story: its paragraph (`title`), its condition, where it is new (`by`), and its place in words,
    after what begins the paragraph (`first`).

    `join` makes one sentence of each raid of a turn, with `idle` (`verb|sentence`) for who did nothing; `places` is for
    turns in the same words. `quiet` tells stretches without events together, by the number of the `zone`; `still` a
    whole paragraph of them.
    """

    title: str
    when: Condition = Condition()
    by: str = ""
    first: str = ""
    place: str = ""
    places: str = ""
    join: bool = False
    idle: str = ""
    quiet: str = ""
    still: str = ""
    zone: str = ""


class Person(Part):
    """A man of the crew in the story: his name, his post before it, and the words for the whole crew (`all`)."""

    name: str = ""
    post: str = ""
    all: str = ""


class LuckyResults(Part):
    """A table whose rolls are luck: the results that are good or bad for the player, and
    the name of the man that a roll is about (`whose`).
    """

    one_of = ("good", "bad")

    on: TableName
    title: str
    good: list[str] = []
    bad: list[str] = []
    whose: str = ""


class Story(Part):
    """`story.toml`; `capital` are words that keep their capital within a sentence, `foe` is the type of a fighter.

    `opening` and `end` are the first and last paragraph, `headline` the candidates for the line above them.
    """

    title: str = ""
    capital: list[str] = []
    foe: str = ""
    person: Person = Person()
    chapter: list[Chapter] = []
    line: Annotated[list[StorySentence], BY_ID] = []
    opening: Annotated[list[StorySentence], BY_ID] = []
    headline: Annotated[list[StorySentence], BY_ID] = []
    end: Annotated[list[StorySentence], BY_ID] = []
    short: Annotated[list[StorySentence], BY_ID] = []
    luck: list[LuckyResults] = []


# -- files and patches -------------------------------------------------------------------------------------------------


class Patch(Part):
    """The keys of a patch in addition to the piece of the file that it holds."""

    reason: Words
    base: str = ""
    remove: list[str] = []


class Piece(Part):
    """The keys of a piece of a patch in addition to those of the thing that it changes."""

    remove: bool | list[str] = False
    after: str = ""
    before: str = ""


FILES: dict[str, type[Part]] = {
    "table": Table,
    "sheet": Sheet,
    "rules": Rules,
    "sequence": Sequence,
    "choices": Choices,
    "rulings": Rulings,
    "story": Story,
    "pack": About,
}


def form_of(name: str) -> type[Part]:
    """Return the form of a file of that name."""
    return FILES.get(name, Table)
