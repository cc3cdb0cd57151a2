"""One field of the log sheet: its accepted values and its default."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from copy import copy
from functools import cached_property
from typing import Any, cast

from companion.problems import UserError
from companion.words import bare, did_you_mean, figure, nearest, one_of, slug, unhyphened

Value = str | int
Spec = Mapping[str, Any]  # a part of a pack file: its own keys, with functions under `#when`, `#do` and the like
LONGEST_NAME, LONGEST_TEXT = 80, 500
FREE = ("", "none")  # the value that marks a free slot


def line(what: str, text: str, longest: int = LONGEST_NAME) -> str:
    """Return a line of text if it can be displayed, saved and restored; raise a UserError if not."""
    text = text.strip()
    if len(text) > longest or not text.isprintable():
        raise UserError(f"{what} must be one line of up to {longest} printable characters")
    return text


class UnknownName(UserError):
    """An unknown name, accepted if the player insists. `near` are the known names closest to it."""

    def __init__(self, name: str, typed: str, near: list[str]) -> None:
        self.typed, self.near = typed, near
        self.doubt = f"{typed} isn't a known name. {did_you_mean(near)}".rstrip()
        super().__init__(f"{name}: {self.doubt} To keep it as it is, type ={typed}")


def insisted(row: str) -> str:
    """Mark each part of a row from the player's rulebook to be taken literally.

    >>> insisted("kofu;airfield")
    '=kofu;=airfield'
    """
    return ";".join(f"={part.strip().removeprefix('=')}" for part in row.split(";"))


def unmarked(row: str) -> str:
    """Return a row from the player's rulebook without the `=` that marks literal names."""
    return ";".join(part.strip().removeprefix("=") for part in row.split(";"))


class Field:
    """One field, or one family of fields (`oxygen[position]`). `kind` is choice, count, boxes, number, text or list.

    `limit` is the highest number allowed (None: no limit), `low` the lowest. `values` are the accepted
    words of a choice. `ask` means that the player is asked for it when it is not set.
    `words` is a text that must be a name, not a bare number; `spellings` maps known names to their spelling (any other
    needs a leading `=`) and the sheet's labels to words of a choice.
    """

    values: tuple[str, ...] = ()
    default: Value | None = None
    limit: int | None = None
    low: int = 0
    ask: bool = False
    until: str | None = None
    section: str = ""
    cite: str = ""
    words: bool = False
    spellings: str | Mapping[str, str] = ""
    unasked: bool = False  # never asked for, even of a fighter that is not on the sheet
    filled: bool = False  # whether `none` is not an answer

    def __init__(self, name: str, kind: str = "text", label: str = "", **declared: Any) -> None:
        self.name, self.kind, self.label = name, kind, label
        self.__dict__.update(declared)
        self.numeric = self.kind in ("count", "boxes", "number")  # whether it holds a number

    @cached_property
    def known(self) -> dict[str, str]:
        """Return the spelling of each known name, keyed by the accepted inputs: `Kobe, U/A = urban-area`."""
        if not isinstance(self.spellings, str):
            return dict(self.spellings)
        pairs = (each.rpartition("=") for each in self.spellings.split(",") if each)
        return {slug(typed or name): name.strip() for typed, _, name in pairs}

    @property
    def heading(self) -> str:
        """Return the label without the member: `Attacks from` for `Fighter {fighter}, attacks from`."""
        label = self.label
        while "{" in label:
            start, end = label.index("{"), label.index("}")
            head = label[:start].removesuffix(f"{label[start + 1 : end].capitalize()} ")
            label = f"{head.rstrip(' ,')} {label[end + 1 :].lstrip(' ,')}".strip()
        return label[:1].upper() + label[1:] if label else re.split(r"[.\[]", self.name)[0].capitalize()

    @property
    def naming(self) -> bool:
        """Return whether it is one of the fields that all games share: crew names and the bomber's name."""
        return self.name == "aircraft.name" or self.name.startswith("name[")

    @cached_property
    def blank(self) -> Value:
        """Return the value of an untouched field."""
        if self.default is not None:
            return self.default
        if self.kind == "choice":
            return "none"
        return 0 if self.numeric else ""

    @cached_property
    def plain(self) -> frozenset[Value]:
        """Return the words that it accepts literally, with no need to look up their spelling."""
        empty = "none" if self.kind == "choice" else ""
        return frozenset(self.values if self.numeric or self.default is not None else (*self.values, empty))

    @cached_property
    def _spellings(self) -> dict[str, str]:
        """Return known names and choice words, keyed without case, hyphens and periods."""
        names = {bare(word): word for word in (*self.values, *self.known.values())}
        if set(self.values) == {"yes", "no"}:
            names |= {"y": "yes", "n": "no"}
        return {**{bare(word): name for word, name in self.known.items()}, **names}

    def accept(self, name: str, value: Value, *, stored: bool = False, sure: bool = False) -> Value:
        """Return `value` as the field `name` stores it; raise a UserError with the accepted values.

        `stored` values come from a saved file: words are kept as they are, and an untouched field may be written out.
        An unknown name raises UnknownName unless it is `sure` or typed with a leading `=`.
        """
        if stored and value == self.blank:
            return value
        if self.numeric:
            return self._number(name, value)
        text = str(value).strip()
        if self.kind == "choice" and self.values:
            empty = self.default is None and not self.filled
            if text in self.values or (text == "none" and empty):
                return text
            if text.casefold() in self.known:
                return self.known[text.casefold()]
            if text.casefold() == "none" and empty:
                return "none"
            spelled = self._spellings.get(bare(text), "") if any(map(str.isalpha, text)) else ""
            if spelled in self.values:
                return spelled
            raise UserError(f"{name} must be {self.span}, not {text or 'empty'}")
        if stored:
            if any(ord(letter) < 32 for letter in text) or len(text) > LONGEST_TEXT:
                raise UserError(f"{name} must be one line of up to {LONGEST_TEXT} characters")
            return text
        text = line(name, text, LONGEST_NAME if self.naming else LONGEST_TEXT)
        return self._spelled(name, text, sure) if self.words else text

    def _spelled(self, name: str, text: str, sure: bool) -> str:
        typed = text.removeprefix("=").strip()
        if typed and not any(map(str.isalpha, typed)):
            raise UserError(f"{name} must be {self.span}, not {typed}")
        if not typed or typed != text or not self.known:
            return typed
        spelled = self._spellings.get(bare(typed), "")
        if not spelled and not sure:
            near = [self._spellings[each] for each in nearest(bare(typed), self._spellings)]
            raise UnknownName(name, typed, list(dict.fromkeys(near)))
        return typed if sure and bare(spelled) in ("", bare(typed)) else spelled

    def _number(self, name: str, value: Value) -> int:
        number = figure(str(value))
        if number is None:
            raise UserError(f"{name} must be {self.span}, not {value or 'empty'}")
        if number < self.low or (self.limit is not None and number > self.limit):
            raise UserError(f"{name} must be {self.span}, not {number}")
        return number

    def among(self, values: tuple[str, ...]) -> Field:
        """Return a copy of the field that accepts only these values."""
        field = copy(self)
        field.values, field.filled = values, True
        field.__dict__.pop("_spellings", None)
        return field

    def limited(self, number: int) -> int:
        """Return the closest number that it may have."""
        return max(self.low, min(number, number if self.limit is None else self.limit))

    def reaches(self, value: Value) -> bool:
        """Return whether a count may have this value; always true for other kinds of field."""
        return not self.numeric or int(value) >= self.low and (self.limit is None or int(value) <= self.limit)

    @property
    def span(self) -> str:
        """Describe the accepted values."""
        if self.numeric and self.low < 0 and self.limit is None:
            return "a number"
        if self.numeric:
            return f"{self.low} to {self.limit}" if self.limit is not None else f"{self.low} or more"
        if self.words:
            names = list(dict.fromkeys(map(unhyphened, self.known.values())))[:3]
            return f"words, e.g. {one_of(names)}" if names else "words"
        return one_of(list(map(unhyphened, self.values))) if self.values else "any text"

    def needed(self, name: str) -> str:
        """Return what to add to a command: `"Attacks from" (12, 3 or 6). Add e.g. --with fighter.clock=12`."""
        value = self.values[0] if self.values else self.low if self.numeric else "VALUE"
        return f'"{self.heading}" ({self.span}). Add e.g. --with {name}={value}'


def whole(value: Value, label: str) -> int:
    """Return a number given by a row or a player; raise a UserError for a word."""
    try:
        return int(value)
    except (TypeError, ValueError):
        raise UserError(f"{label} must be a number, not {value}") from None


NAMED = re.compile(r"\{([^{}\[\]]+)\[([^{}\[\]]+)\]\}")  # a text that consists of one field


class Nicknames:
    """Names that players enter in fields of the sheet (`name[plane]`), for the members of these indexes."""

    def __init__(self, index: Mapping[str, Collection[str]]) -> None:
        self.index = index
        self.families: dict[str, str] = {}  # the name field of an index, without its member
        self.state: Mapping[str, Value] = {}  # the sheet of the current mission

    def declare(self, index: str, text: str) -> bool:
        """Return whether a text takes the names of an index from one field of each member: `{name[plane]}`."""
        if (match := NAMED.fullmatch(text)) and match[2] == index:
            self.families[index] = match[1]
        return index in self.families

    def name(self, index: str, member: str, of: str = "") -> str:
        """Return the players' name for a member; empty if it has none, and for the field `of` that asks for it."""
        family = self.families.get(index)
        return "" if family is None or of == f"{family}[{index}]" else str(self.state.get(f"{family}.{member}", ""))

    def member(self, typed: str, among: Iterable[str]) -> str:
        """Return the member whose name was typed; the typed text if it matches none."""
        if not self.families or typed.casefold() in (words := tuple(among)) or not (wanted := bare(typed)):
            return typed
        meant = [
            member
            for index in self.families
            for member in self.index[index]
            if member in words and bare(self.name(index, member)) == wanted
        ]
        return meant[0] if len(meant) == 1 else typed

    @contextmanager
    def along_with(self, facts: MutableMapping[str, Value]) -> Iterator[None]:
        """Use the names in these facts like those of the sheet, for fields written along with them."""
        sheet = self.state
        self.state = ChainMap(facts, cast(MutableMapping[str, Value], sheet))
        try:
            yield
        finally:
            self.state = sheet

    def index_of(self, value: Value, among: Iterable[str]) -> str:
        """Return the index of a member that is the value of a field; empty for other values."""
        words = tuple(among) if self.families else ()
        return next((each for each in self.families if value in self.index[each] and value in words), "")
