"""The words for the fields of a sheet and for their values, as players say them.

A field is known by its name, its label and the game's own phrases (`[phrases]` of its pack), a value by its name, by
its words on the sheet, by the game's own phrases and by everyday words. A word that the program prints belongs here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING

from companion.engine.fields import UnknownName, Value
from companion.engine.sheet import CROSSED, WRITTEN, Derived
from companion.problems import UserError
from companion.words import bare, figure, one_of

if TYPE_CHECKING:
    from companion.engine.rules import Game

MOST = 4  # fields that an ambiguous word is told to mean
SMALL_WORDS = {"the", "a", "an", "of", "is", "are", "was", "were", "to", "at", "in", "and", "has", "been"}
EVERYDAY = {  # words for a value, and the values that each may be in a field
    "dead killed": "kia",
    "lightly-wounded light-wound": "light",
    "seriously-wounded serious-wound badly-wounded": "serious",
    "wounded hurt": "light&serious",
    "hit hurt": "hit",
    "gone lost": "gone out dropped jettisoned destroyed broken",
    "dropped away": "dropped",
    "inoperable inoperative knocked-out dead killed disabled shot-away damaged": "out damaged hit compromised",
    "back back-in rejoined": "in",
    "fine working works repaired fixed running unhurt healthy fit good undamaged": "ok in",
    "high": "high hi",
    "low": "low lo",
    "medium middle": "med medium middle",
    "outward": "outbound",
    "home back homeward return": "inbound",
    "used-up": "used",
    "stuck": "jammed jammed-shut jammed-open",
    "leaks": "leaking yes",
}
SIDES = {"left": "port", "right": "starboard"}


class Vocabulary:
    """The words for a sheet: those that write on it, or (not `written`) give any fact for one roll."""

    def __init__(self, game: Game, state: Mapping[str, Value], *, written: bool = True) -> None:
        self.sheet, self.state, self.written = game.sheet, state, written
        self.phrases = game.about.phrases

    # -- fields ----------------------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> dict[str, str]:
        """The labels of the fields that a player sees; for a roll also those of worked-out facts."""
        sheet = self.sheet
        labels = {
            name: sheet.text(name)
            for name, declared in sheet.fields.items()
            if declared.section != "working" and declared.kind != "list" and not sheet.free(name, self.state)
        }
        if not self.written:
            labels |= {name: derived.label for name, derived in sheet.derived.items() if derived.label != name}
        return labels

    @cached_property
    def by_label(self) -> dict[str, list[str]]:
        """The fields by the plain words of their labels."""
        found: dict[str, list[str]] = {}
        for name, label in self.labels.items():
            found.setdefault(plain(label), []).append(name)
        return found

    def named(self, typed: str) -> list[str]:
        """Return the fields of that name, phrase or label."""
        sheet, wanted = self.sheet, typed.strip().casefold()
        if (name := sheet.exact(wanted)) is not None and (not self.written or isinstance(sheet.known[name], WRITTEN)):
            return [] if self.written and sheet.inner(name) else [name]
        words = plain(typed)
        if name := next((name for said, name in self.phrases.fields.items() if plain(said) == words), ""):
            return [name]
        same = self.by_label.get(words, []) if words else []
        exact = [name for name in same if bare(self.labels[name]) == bare(typed)]
        return [name for name in exact if self.labels[name].casefold() == wanted] or exact or same

    def with_words(self, typed: str) -> list[str]:
        """Return the fields whose label or name has all of the words, in any order; left is port."""
        parts = words_of(typed)
        return [name for name in self.labels if parts and self.has_values(name) and self._has(name, parts)]

    def _has(self, name: str, parts: set[str]) -> bool:
        words = words_of(self.labels[name]) | words_of(re.sub(r"[.-]", " ", name))
        return all(part in words or SIDES.get(part) in words for part in parts)

    def meant(self, typed: str) -> list[str]:
        """Return the fields of that name or label, else those with these words.

        Raises a UserError for the name of a fact that nobody can write: worked out, or only the gun that is meant.
        """
        if names := self.named(typed):
            return names
        name = self.sheet.exact(typed) if self.written else None
        if name is not None:
            self.sheet.declared(name)
            if self.sheet.inner(self.sheet.writable(name)):
                raise UserError(f"{name} is worked out by the companion and cannot be written")
        return self.with_words(typed)

    def has_values(self, name: str) -> bool:
        """Return whether a field takes a number or one of some words, so that its value can be recognized."""
        declared = self.sheet.declared(name)
        return bool(declared.values or declared.numeric)

    def like(self, typed: str) -> list[str]:
        """Return the labels, or for a name the names, that may be meant by a slip."""
        from difflib import get_close_matches

        if "." not in typed or " " in typed:
            labels = {bare(label): label for label in self.labels.values()}
            return [labels[each] for each in get_close_matches(bare(typed), labels, 3, 0.8)]
        offered = [
            name
            for name, known in self.sheet.known.items()
            if not self.sheet.inner(name)
            and (name in self.labels or isinstance(known, WRITTEN) or not (self.written or isinstance(known, Derived)))
        ]
        return get_close_matches(typed.casefold(), offered, 3, 0.7)

    # -- values ----------------------------------------------------------------------------------------------------

    def values(self, name: str, typed: str) -> list[Value]:
        """Return the values that words may mean in a field: as they are stored or printed, or as people say them.

        Raises UnknownName for a name that is not known.
        """
        sheet, declared = self.sheet, self.sheet.declared(name)
        if declared.kind in CROSSED:
            typed = self._counted(name, typed)
        try:
            return [declared.accept(sheet.text(name), sheet.nicknames.member(typed.strip(), declared.values))]
        except UnknownName:
            raise
        except UserError:
            return list(self.meanings(name, typed)) if plain(typed) else []

    def meanings(self, name: str, typed: str) -> list[str]:
        """Return the values that words may mean in a field: the printed ones, else the game's, else everyday words."""
        declared, words = self.sheet.declared(name), plain(typed)
        printed = [value for value in declared.values if words in (plain(self.sheet.say(name, value)), plain(value))]
        if found := printed or self.own(name, typed):
            return found
        means = {
            value
            for some in everyday().get(words, ())
            if {*some.split("&")} <= {*declared.values}
            for value in some.split("&")
        }
        return [value for value in declared.values if value in means]

    def own(self, name: str, typed: str) -> list[str]:
        """Return the value that the game's own words mean in a field: `0-12000 feet` is any altitude up to there."""
        phrases = self.phrases.values
        words, number = plain(typed), figure(re.sub(r"\D", "", typed))
        for said, value in (phrases.get(name) or phrases.get(self.sheet.declared(name).name) or {}).items():
            if plain(said) == words:
                return [value]
            span = re.fullmatch(r"(\d+)-(\d+) (\w+)", said)
            measured = span is not None and number is not None and typed.casefold().split()[-1] == span[3]
            if span and measured and int(span[1]) <= number <= int(span[2]):  # type: ignore[operator]
                return [value]
        return []

    def _counted(self, name: str, typed: str) -> str:
        """Return the count meant by `+2`, `-1` or `18 left`; anything else unchanged."""
        declared, number = self.sheet.declared(name), figure(typed)
        if number is not None and typed[:1] in "+-":
            return str(number + int(self.state.get(name, declared.blank)))
        left = re.fullmatch(r"left (\d+)|(\d+)(?: boxes)? left", typed.casefold())
        return str(declared.limit - int(left[1] or left[2])) if left and declared.limit is not None else typed

    # -- in words ----------------------------------------------------------------------------------------------------

    def say_values(self, name: str, values: Sequence[Value]) -> str:
        """Return values in words: `light or serious`."""
        return one_of([self.sheet.say(name, value) for value in values])

    def say_fields(self, names: Sequence[str]) -> str:
        """Return the labels of fields, or their names where several have one label; no more than a few."""
        labels = list(dict.fromkeys(self.sheet.text(name) for name in names))
        if len(labels) == 1:
            labels = list(names)
        return one_of([*labels[:MOST], *(["another"] if len(labels) > MOST else [])])


@cache
def everyday() -> dict[str, list[str]]:
    """Return the values that everyday words may mean, by their plain words."""
    found: dict[str, list[str]] = {}
    for said, values in EVERYDAY.items():
        for words in said.split():
            found.setdefault(plain(words), []).extend(values.split())
    return found


def plain(text: str) -> str:
    """Return words without small words, case and hyphens, and without the `s` of a plural."""
    return "".join(_plain_words(text))


def words_of(label: str) -> set[str]:
    """Return the plain words of a label: `Port outboard tank` is a port tank too."""
    return {*_plain_words(label)}


def _plain_words(text: str) -> Iterator[str]:
    for word in re.split(r"[\s,]+", text):
        if word.casefold().strip(",.") not in SMALL_WORDS and (kept := bare(word)):
            yield kept[:-1] if len(kept) > 3 and kept.endswith("s") and not kept.endswith("ss") else kept
