"""The forms that msgspec proves documents and snapshots by: loaded only for what somebody else may have written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.engine.fields import LONGEST_NAME, LONGEST_TEXT
from companion.engine.pending import KINDS
from companion.words import inert

LONGEST_LIST = 20_000  # letters of all notes together
Word = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Figure = Annotated[int, Meta(ge=0, le=10**6)]


class PendingForm(Struct, forbid_unknown_fields=True):
    """A pending roll, decision, question or order, as `Pending.document` stores it."""

    roll: Word | UnsetType = UNSET
    choose: Word | UnsetType = UNSET
    ask: Word | UnsetType = UNSET
    order: Annotated[str, Meta(min_length=1, max_length=LONGEST_TEXT)] | UnsetType = UNSET
    bind: dict[Word, Name | int] | UnsetType = UNSET
    born: Figure | UnsetType = UNSET
    take: Annotated[int, Meta(ge=-1000, le=1000)] | UnsetType = UNSET
    usual: Name | int | UnsetType = UNSET
    cite: Name | UnsetType = UNSET
    done: Text | UnsetType = UNSET
    by: Name | UnsetType = UNSET

    def __post_init__(self) -> None:
        if sum(getattr(self, kind) is not UNSET for kind in KINDS) != 1:
            raise ValueError("a pending thing is one roll, choice, question or order")


class EntryForm(Struct):
    """One journal entry, kept short."""

    v: Literal["roll", "choose", "ask", "step", "set", "mark", "erase", "done"]
    t: str  # the table, choice, field or step, or what was done
    d: list[int] = []  # dice
    w: dict[str, str | int] = {}  # the facts given with it; for `set` those written, where the changes do not tell them
    b: dict[str, str | int] = {}  # bindings: which fighter, gun, man
    m: list[tuple[str, int]] = []  # modifiers that applied: id, amount
    net: int = 0  # the net roll
    o: str = ""  # the outcome: row, option or value
    s: str | int = 0  # the row as it was said from an own book, 1 where it is the outcome
    a: int = 0  # 1 where it came about by itself
    j: int = 0  # 1 where it was said in one line with the entry before it
    c: dict[str, tuple[str | int | None, str | int | None]] = {}  # changes: field, before, after; None where blank
    p: tuple[Annotated[int, Meta(ge=0)], list[PendingForm], list[PendingForm]] = (0, [], [])  # place, taken, put


class MissionForm(Struct):
    """A mission's row; what else is in it stays."""

    number: int
    game: str
    stand: int
    facts: dict[str, str | int]
    pending: list[PendingForm]


class SheetPart(Struct, forbid_unknown_fields=True):
    """A mission in a snapshot; what is left out of a campaign's codes is as on the mission before, but for what is
    `gone`."""

    number: Annotated[int, Meta(ge=0, le=999)]
    facts: dict[Word, Annotated[str, Meta(max_length=LONGEST_LIST)] | int]
    game: Word | None = None  # where it is another one than the campaign's
    gone: list[Word] = []
    pending: Annotated[list[PendingForm], Meta(max_length=400)] | None = None


class SnapshotForm(Struct, forbid_unknown_fields=True):
    """A whole snapshot."""

    companion: int
    kind: Literal["mission", "campaign"]
    game: Word
    name: Word
    roster: dict[Word, Name]
    missions: Annotated[list[SheetPart], Meta(max_length=400)]
    aircraft: Name = ""


class CampaignForm(Struct):
    """A campaign's row."""

    name: Annotated[str, Meta(min_length=1)]
    game: Annotated[str, Meta(min_length=1)]
    aircraft: str = ""
    roster: dict[str, str] = {}


class SettingsForm(Struct):
    """The note of the campaign in use."""

    campaign: str = ""


FORMS = {"mission": MissionForm, "campaign": CampaignForm, "settings": SettingsForm}


def parsed(content: bytes) -> dict[str, dict[str, Any]]:
    """Return the tables that somebody else has written, with nothing in their texts that does more than be read.

    Raises:
        ValueError: it is no document.
    """
    if not content.strip(b"\0 \r\n\t"):
        raise ValueError("it is empty")
    try:
        tables: dict[str, dict[str, Any]] = plain_of(msgspec.json.decode(content, type=dict[str, Any]))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    except msgspec.ValidationError:
        raise ValueError("it is not a campaign document") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"it makes no sense: {error}") from None
    tables.pop("check", None)
    if not all(isinstance(each, dict) for each in tables.values()):
        raise ValueError("it is not a campaign document")
    return tables


def plain_of(part: Any) -> Any:
    """Return a document whose texts can be shown: a question mark is where a letter would do more than be read."""
    if isinstance(part, str):
        return inert(part)
    if isinstance(part, dict):
        return {inert(name): plain_of(each) for name, each in part.items()}
    return [plain_of(each) for each in part] if isinstance(part, list) else part


def prove(tables: Mapping[str, Any], kind: str) -> None:
    """Raise ValueError unless every entry of a document has its form."""
    try:
        msgspec.convert(tables[kind]["1"], FORMS[kind])
        msgspec.convert(tables.get("journal", {}), dict[str, EntryForm])
    except msgspec.ValidationError as error:
        raise ValueError(in_words(error)) from None


def in_words(error: Exception) -> str:
    """Return what msgspec says of a form, as a sentence for a person."""
    what, _, where = str(error).partition(" - at ")
    what = what.replace("`", "").replace("Expected ", "expected ").replace("Object", "it")
    place = where.strip("`").removeprefix("$").lstrip(".")
    return f"{what} at {place}" if place else what
