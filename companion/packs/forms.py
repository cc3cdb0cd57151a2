"""What may stand in the files of a pack, declared once.

From these classes come the strict check of a file (`faults`), the JSON Schema, what an overlay may change
(`overlays`) and the list of keywords. `tables/README.md` explains each word. A patch takes the same words and needs
none of them, and beside them those of `Patch`. Loaded only when a pack is compiled, proved or laid over another.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from msgspec import Meta, Struct, json
from msgspec.structs import FieldInfo, fields

# -- words and texts -----------------------------------------------------------------------------------------------

Condition = Annotated[str, Meta(description='a sentence such as "zone >= 2 and not evasive"')]
Amount = Annotated[str, Meta(description='a sentence that is a number, such as "2 * engines.out"')]
Said = Annotated[str, Meta(description='a value, or a sentence that comes to one, such as "port" or "2 * zone"')]
Name = Annotated[str, Meta(description='the name of a field, such as "hit[area]"')]
Members = Annotated[str, Meta(description='what is gone through, such as "position" or "position as other"')]
Lines = Annotated[list[str], Meta(description='a list of changes such as ["altitude = lo", "mark fuel.due 2"]')]
Dice = Annotated[
    str,
    Meta(
        pattern=r"^([1-9][0-9]?[dD]|[dD]66|-|\?)$",
        description="dice such as 1D, 2D or D66, - for none, ? where only the book knows",
    ),
]
Span = Annotated[
    str,
    Meta(
        pattern=r"^(-?[0-9]+|-?[0-9]+\.\.(-?[0-9]+)?|\.\.-?[0-9]+)$",
        description="a number or a range such as ..3, 4..6 or 7..",
    ),
]
Several = Annotated[str, Meta(pattern=r"^-?[0-9]+\.\.-?[0-9]+$", description="a range of rows such as 2..12")]

# How an overlay lies over what is below: by the name, by the key of each piece, row over row; all else is replaced.
BY_NAME = Meta(extra={"laid": "by name"})
BY_ID, BY_TITLE, BY_OWN_NAME = (Meta(extra={"laid": "by key", "key": key}) for key in ("id", "title", "name"))
BY_ROW = Meta(extra={"laid": "by row"})


class Form(Struct, rename="kebab", forbid_unknown_fields=True):
    """A table with these keys and no others; of `one_of` one must stand there."""

    one_of: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        """Raise ValueError where none of them stands there."""
        if self.one_of and not any(getattr(self, each) for each in self.one_of):
            raise ValueError("one is needed")


# -- what happens --------------------------------------------------------------------------------------------------


class Asked(Form):
    """Something that is asked for next: a roll, a decision, a field, or an order that stands."""

    one_of = ("roll", "choose", "ask", "order")

    roll: str = ""
    choose: str = ""
    ask: Name = ""
    order: str = ""
    cite: str = ""
    for_: Members = ""
    when: Condition = ""
    times: int | Amount = 1
    rows: Several = ""
    with_: dict[str, str | int] = {}
    usual: int | Said = ""
    until: Condition = ""
    later: bool | Literal["all"] = False


class Does(Form):
    """What a row, an option, a rule or a step says and does."""

    text: str = ""
    do: Lines = []
    then: list[str | Asked] = []


class Case(Does):
    """One of several cases of an option: the first that holds."""

    when: Condition = ""


class Ordering(Does):
    """What a rule or a step does: it may also give an order."""

    order: str = ""
    until: Condition = ""
    cite: str = ""


class OrderingCase(Ordering):
    """One of several cases of a rule or a step: the first that holds."""

    when: Condition = ""


# -- tables --------------------------------------------------------------------------------------------------------


class Cell(Form):
    """What a row reads, where more is to be said than its result."""

    one_of = ("as_", "ask_once")

    as_: str | int = ""
    with_: dict[str, str | int] = {}
    text: str = ""
    ask_once: Name = ""


Row = str | int | Cell | list[str | int | Cell]
Rows = Annotated[dict[Span, Row], BY_ROW]


class Column(Form, kw_only=True):
    """One column of a table."""

    title: str = ""
    when: Condition = ""
    rows: Rows
    dice: Dice = "-"
    modifier: list[str] = []


class Modifier(Form, kw_only=True):
    """A printed modifier."""

    id: str
    add: int | Amount
    why: str
    when: Condition = ""
    cite: str = ""
    group: str = ""


class Natural(Form, kw_only=True):
    """A rule for an unmodified roll."""

    id: str = ""
    roll: int | list[int]
    outcome: str | int
    when: Condition = ""


class Adjust(Form):
    """One written step that changes a number."""

    is_: int | Amount
    when: Condition = ""
    why: str = ""
    cite: str = ""


class Die(Does):
    """A die with its rows, or a procedure without one: a table, a note, a row that is rolled for further."""

    title: str = ""
    cite: str = ""
    note: str = ""
    dice: Dice = "-"
    owner: bool | str = False
    rows: Rows = {}
    column: Annotated[list[Column], BY_TITLE] = []
    modifier: Annotated[list[Modifier], BY_ID] = []
    natural: Annotated[list[Natural], BY_ID] = []
    with_: dict[str, str | int] = {}
    outcome: Annotated[dict[str, Outcome], BY_NAME] = {}
    sub: Annotated[dict[str, Sub], BY_NAME] = {}
    adjust: list[Adjust] = []
    is_: int | Amount = ""
    memory: Name = ""
    cases: list[RowCase] = []


class Sub(Die):
    """A note that is a small table, or a procedure of its own."""

    result: str = ""


class Table(Die, kw_only=True):
    """A table: a file of its own."""

    id: str
    title: str
    result: str = ""
    ask: str = ""
    usual: str | list[str] = ""


class Outcome(Die):
    """What a result does."""

    once: bool = False
    usual: bool = False


class RowCase(Outcome):
    """One of several cases of a result or a procedure: the first that holds."""

    when: Condition = ""


# -- the sheet -----------------------------------------------------------------------------------------------------


class Field(Form):
    """One field of the log sheet, or one for each member."""

    label: str = ""
    kind: Literal["flag", "count", "number", "boxes", "text", "name", "list", "choice"] = "text"
    values: str = ""
    boxes: int | str = 0
    limit: int | list[int] = 0
    default: int | str = ""
    ask: bool = False
    until: str = ""
    known: dict[str, str] = {}
    cite: str = ""


class Fact(Form):
    """A fact that is worked out from others."""

    is_: int | Said
    label: str = ""
    values: str = ""


class Index(Form, forbid_unknown_fields=False):
    """An index: how many members, or a table for each of them with what is said of it."""

    count: int = 0
    present: str = ""
    text: str = ""
    ask: bool = False
    belongings: str = ""


MEMBER = dict[str, str | int]  # what stands in an index beside its words


class Sheet(Form):
    """`sheet.toml`."""

    sections: Annotated[dict[str, str], BY_NAME] = {}
    index: Annotated[dict[str, int | list[str] | Index], BY_NAME] = {}
    fields: Annotated[dict[str, Annotated[dict[str, Field], BY_NAME]], BY_NAME] = {}
    facts: Annotated[dict[str, int | str | Fact], BY_NAME] = {}


# -- rules, the sequence, choices ------------------------------------------------------------------------------------


class Rule(Ordering):
    """A standing rule: when this becomes true, or when that happens."""

    id: str = ""
    on: str | list[str] = ""
    for_: Members = ""
    when: Condition = ""
    cases: list[OrderingCase] = []


class Rules(Form):
    """`rules.toml`."""

    rule: Annotated[list[Rule], BY_ID] = []


class Step(Ordering, kw_only=True):
    """A step of the sequence of play."""

    id: str
    title: str
    when: Condition = ""
    go: str = ""
    cases: list[OrderingCase] = []


class Sequence(Form):
    """`sequence.toml`."""

    step: Annotated[list[Step], BY_ID] = []


class Option(Does, kw_only=True):
    """One answer to a choice."""

    name: str
    for_: Members = ""
    when: Condition = ""
    usual: bool | Condition = False
    cases: list[Case] = []


class Choice(Form):
    """A decision of the player."""

    title: str
    option: Annotated[list[Option], BY_OWN_NAME]
    cite: str = ""


class Choices(Form):
    """`choices.toml`."""

    choice: Annotated[dict[str, Choice], BY_NAME] = {}


# -- the pack --------------------------------------------------------------------------------------------------------


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


# -- patches ---------------------------------------------------------------------------------------------------------


class Patch(Form):
    """What a patch says besides the piece of the file that it holds."""

    reason: Annotated[str, Meta(min_length=1)]
    transcribed: bool = False


class Line(Form):
    """What a patch of a table may say in a line instead: of one modifier, or of one row."""

    modifier: str = ""
    add: int | Amount = 1
    why: str = ""
    when: Condition = ""
    group: str = ""
    column: str = ""
    row: int | Span = ""
    as_: Row = ""
    remove: bool = False
    after: str = ""
    before: str = ""


class Piece(Form):
    """What a piece of a patch may say besides the words of what it changes."""

    remove: bool = False
    after: str = ""
    before: str = ""


TOGETHER = {"row": ("as",), "as": ("row",), **dict.fromkeys(("add", "why", "group"), ("modifier",))}
"""Of the words of a `Line`: which stand only with which others."""

FILES: dict[str, type[Form]] = {
    "table": Table,
    "sheet": Sheet,
    "rules": Rules,
    "sequence": Sequence,
    "choices": Choices,
    "pack": About,
}
PATCHED = tuple(kind for kind in FILES if kind != "pack")


def kind_of(name: str) -> str:
    """The kind of a file of that name."""
    return name if name in FILES else "table"


# -- reading the declaration -------------------------------------------------------------------------------------------


@cache
def keys_of(form: type[Form]) -> dict[str, FieldInfo]:
    """The keys that may stand in such a table."""
    return {each.encode_name: each for each in fields(form)}


def needed(form: type[Form]) -> list[str]:
    """The keys of which one must stand there."""
    return [key for key, each in keys_of(form).items() if each.name in form.one_of]


def bare(kind: Any) -> tuple[Any, dict[str, Any]]:
    """A type without what is noted of it, and the notes: how it is laid over, and what it is in words."""
    notes: dict[str, Any] = {}
    if get_origin(kind) is Annotated:
        kind, *metas = get_args(kind)
        for meta in metas:
            notes.update(meta.extra or {})
            notes.update({"told": meta.description} if meta.description else {})
    return kind, notes


def laid(kind: Any) -> bool:
    """Whether an overlay changes what stands there piece by piece."""
    return bare(kind)[1].get("laid") in ("by name", "by key")


def kinds_in(kind: Any) -> tuple[Any, ...]:
    """The kinds of thing that may stand there."""
    plain, _ = bare(kind)
    return get_args(plain) if get_origin(plain) in (Union, types.UnionType) else (kind,)


def form_in(kind: Any) -> type[Form] | None:
    """The table that may stand there, where it is one that is declared."""
    found = (bare(each)[0] for each in kinds_in(kind))
    return next((each for each in found if isinstance(each, type) and issubclass(each, Form)), None)


def _reached(form: type[Form], found: dict[str, type[Form]]) -> None:
    if form.__name__ not in found:
        found[form.__name__] = form
        for each in keys_of(form).values():
            for inner in _forms(each.type):
                _reached(inner, found)


def _forms(kind: Any) -> Iterator[type[Form]]:
    plain, _ = bare(kind)
    if isinstance(plain, type) and issubclass(plain, Form):
        yield plain
    for each in get_args(plain):
        yield from _forms(each)


def keywords(*kinds: str) -> list[str]:
    """Every key that a file of a pack may use (of these kinds, where some are named), those of patches included.

    >>> "owner" in keywords(), "landing" in keywords("table", "sheet")
    (True, False)
    """
    found: dict[str, type[Form]] = {}
    for kind in kinds or FILES:
        _reached(FILES[kind], found)
    patches: tuple[type[Form], ...] = (Patch, Line, Piece) if not kinds or kinds != ("pack",) else ()
    names = {key for form in (*found.values(), *patches) for key in keys_of(form)}
    return sorted(names | ({"patch"} if patches else set()))


# -- the JSON Schema ---------------------------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """Every file of a pack as a JSON Schema: what `companion tables schema` prints."""
    forms = [*FILES.values(), Patch, Line, Piece]
    _, made = json.schema_components(forms, ref_template="#/$defs/{name}")
    made = {name: _tidy(each) for name, each in made.items()}
    made["Index"]["additionalProperties"] = _tidy(json.schema(MEMBER))
    for asked in (Asked, Cell):
        made[asked.__name__]["anyOf"] = [{"required": [each]} for each in needed(asked)]
    for form in _patched():
        made[f"Patched{form.__name__}"] = _patched_form(form, made)
    for kind in PATCHED:
        made[f"PatchesOf{FILES[kind].__name__}"] = _patches(kind, made)
    del made["Patch"], made["Line"]
    whole = [_ref(form.__name__) for form in FILES.values()]
    patches = [_ref(f"PatchesOf{FILES[kind].__name__}") for kind in PATCHED]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A file of a bomber companion pack",
        "description": "One TOML file; words and meanings stand in tables/README.md.",
        "anyOf": [*whole, *patches],
        "$defs": made,
    }


def _patched() -> Iterator[type[Form]]:
    """The tables that a patch may change piece by piece."""
    left, seen = [FILES[kind] for kind in PATCHED], set[type[Form]]()
    while left:
        form = left.pop()
        if form not in seen:
            seen.add(form)
            yield form
            left += [inner for each in keys_of(form).values() if laid(each.type) for inner in _forms(each.type)]


def _patched_form(form: type[Form], made: Mapping[str, Any]) -> dict[str, Any]:
    """A piece of a patch: no key is needed, and what is laid over piece by piece is a patch again."""
    keys, own = keys_of(form), made[form.__name__]
    properties = {key: _patches_in(each) if laid(keys[key].type) else each for key, each in own["properties"].items()}
    if form is Sheet:
        properties["sections"]["additionalProperties"] = {"anyOf": [{"type": "string"}, _ref("Piece")]}
    left = {key: each for key, each in own.items() if key != "required"}
    return {**left, "properties": {**made["Piece"]["properties"], **properties}}


def _patches(kind: str, made: Mapping[str, Any]) -> dict[str, Any]:
    """A file of patches."""
    form, pieces = FILES[kind], made["Piece"]["properties"]
    own = {key: made[f"Patched{form.__name__}"]["properties"][key] for key in keys_of(form) if key != "id"}
    more: dict[str, Any] = {}
    if kind == "table":
        line = made["Line"]["properties"]
        own = {**line, **own, **{key: {"anyOf": [line[key], own[key]]} for key in ("modifier", "column")}}
        more["dependentRequired"] = {key: list(needs) for key, needs in TOGETHER.items()}
        own = {**pieces, **own}
    patch = {**made["Patch"], "properties": {**made["Patch"]["properties"], **own}, **more}
    return {
        "type": "object",
        "properties": {"patch": {"type": "array", "items": patch, "minItems": 1}},
        "required": ["patch"],
        "additionalProperties": False,
    }


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def _tidy(part: Any) -> Any:
    """Without the defaults, which only say that a key need not stand there, and what is empty."""
    if isinstance(part, dict):
        left = {key: _tidy(each) for key, each in part.items() if key != "default" or (isinstance(each, dict) and each)}
        return {key: each for key, each in left.items() if key != "required" or each}
    return [_tidy(each) for each in part] if isinstance(part, list) else part


def _patches_in(part: Any) -> Any:
    if isinstance(part, dict):
        return {
            key: each.replace("$defs/", "$defs/Patched") if key == "$ref" else _patches_in(each)
            for key, each in part.items()
        }
    return [_patches_in(each) for each in part] if isinstance(part, list) else part
