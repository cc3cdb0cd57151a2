"""One field of the log sheet: what may stand in it, what it reads as while nobody has written there."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.problems import Problem
from companion.words import figure, one_of, slug

Value = str | int
LONGEST_NAME, LONGEST_TEXT = 80, 500
FREE = ("", "none")  # what tells a free slot from a used one


def line(what: str, text: str, longest: int = LONGEST_NAME) -> str:
    """One line that can be shown, kept and brought back; raises a Problem that says so."""
    text = text.strip()
    if len(text) > longest or not text.isprintable():
        raise Problem(f"{what} takes one line of up to {longest} characters, none of them unprintable")
    return text


class Field:
    """One field, or one family of fields (`oxygen[position]`). `kind` is choice, count, boxes, number, text or list.

    `limit` is the highest number that can stand there (None: no limit), `low` the lowest. `values` are the accepted
    words of a choice. `ask` marks what a person is asked for when neither the sheet nor the player has said it.
    `words` is a text that is a name and no bare number; `known` says how some of them are spelled, and which word of
    a choice is meant by what the sheet calls it.
    """

    def __init__(
        self,
        name: str,
        kind: str = "text",
        label: str = "",
        values: tuple[str, ...] = (),
        default: Value | None = None,
        limit: int | None = None,
        low: int = 0,
        ask: bool = False,
        until: str | None = None,
        section: str = "",
        cite: str = "",
        words: bool = False,
        known: Mapping[str, str] | None = None,
    ) -> None:
        self.name, self.kind, self.label, self.values, self.default = name, kind, label, values, default
        self.limit, self.low, self.ask, self.until = limit, low, ask, until
        self.section, self.cite = section, cite
        self.words, self.known = words, known or {}
        self.numeric = kind in ("count", "boxes", "number")  # whether it holds a number

    @property
    def heading(self) -> str:
        """The label without the member: `Attacks from` for `Fighter {fighter}, attacks from`."""
        label = self.label
        while "{" in label:
            start, end = label.index("{"), label.index("}")
            head = label[:start].removesuffix(f"{label[start + 1 : end].capitalize()} ")
            label = f"{head.rstrip(' ,')} {label[end + 1 :].lstrip(' ,')}".strip()
        return label[:1].upper() + label[1:] if label else re.split(r"[.\[]", self.name)[0].capitalize()

    @property
    def naming(self) -> bool:
        """Whether it is one of the fields that all games share: who flies, and in what."""
        return self.name == "aircraft.name" or self.name.startswith("name[")

    @property
    def blank(self) -> Value:
        """What an untouched field reads as."""
        if self.default is not None:
            return self.default
        if self.kind == "choice":
            return "none"
        return 0 if self.numeric else ""

    def accept(self, name: str, value: Value, *, stored: bool = False) -> Value:
        """`value` as it may stand in the field `name`; raises a Problem that says what is accepted.

        `stored` values stand in a file already: words stay as they are, and an untouched field may be written out.
        """
        if stored and value == self.blank:
            return value
        if self.numeric:
            return self._number(name, value)
        text = str(value).strip()
        if self.kind == "choice" and self.values:
            if text in self.values or (text == "none" and self.default is None):
                return text
            for word in self.values:
                if word.casefold() == text.casefold():
                    return word
            if text.casefold() in self.known:
                return self.known[text.casefold()]
            if text.casefold() == "none" and self.default is None:
                return "none"
            raise Problem(f"{name} cannot be {text or 'empty'}; it is {one_of(self.values)}")
        if stored:
            if any(ord(letter) < 32 for letter in text) or len(text) > LONGEST_TEXT:
                raise Problem(f"{name} takes one line of up to {LONGEST_TEXT} characters")
            return text
        text = line(name, text, LONGEST_NAME if self.naming else LONGEST_TEXT)
        return self._spelled(name, text) if self.words else text

    def _spelled(self, name: str, text: str) -> str:
        if text and not any(letter.isalpha() for letter in text):
            raise Problem(f"{name} cannot be {text}; it takes {self.span}")
        return self.known.get(slug(text), text)

    def _number(self, name: str, value: Value) -> int:
        number = figure(str(value))
        if number is None:
            raise Problem(f"{name} is a number, not {value}; it takes {self.span}")
        if number < self.low or (self.limit is not None and number > self.limit):
            raise Problem(f"{name} cannot be {number}; it takes {self.span}")
        return number

    @property
    def span(self) -> str:
        """What the field takes, in words."""
        if self.numeric:
            return f"{self.low} to {self.limit}" if self.limit is not None else f"{self.low} upward"
        if self.words:
            names = list(dict.fromkeys(self.known.values()))[:3]
            return f"words such as {one_of(names)}" if names else "words"
        return one_of(self.values) if self.values else "any text"
