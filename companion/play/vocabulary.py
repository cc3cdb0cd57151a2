"""Players' words for the fields of a sheet and for their values.

A field is known by its name, its label and the game's own phrases (`[phrases]` of its pack), a value by its name, by
its words on the sheet, by the game's own phrases and by everyday words. Every word that the program prints belongs
here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING

from companion.engine.fields import UnknownName, Value
from companion.engine.sheet import CROSSED, WRITTEN, Derived
from companion.problems import UserError
from companion.words import bare, figure, spoken

if TYPE_CHECKING:
    from companion.packs import Pack

MOST = 4  # the most meanings listed for an ambiguous word
SMALL_WORDS = {"the", "a", "an", "of", "is", "are", "was", "were", "to", "at", "in", "and", "has", "been"}
EVERYDAY = {  # words for values, with the values each may mean; `ok>out`: only in fields that may be ok
    "dead killed": "kia",
    "lightly-wounded light-wound": "light",
    "seriously-wounded serious-wound badly-wounded": "serious",
    "wounded hurt": "light&serious",
    "hit hurt": "hit",
    "gone lost": "gone ok>out dropped jettisoned destroyed",
    "dropped away": "dropped",
    "inoperable inoperative knocked-out dead killed disabled shot-away damaged": "ok>out damaged hit compromised",
    "out inoperable disabled": "jammed&broken ok>compromised ok>destroyed",
    "no without": "none ok>out",
    "back-in rejoined": "in",
    "back": "in ok",
    "fine working works repaired fixed running unhurt healthy fit good undamaged": "ok in",
    "high hi": "high hi",
    "low lo": "low lo",
    "medium middle med": "med medium middle",
    "outward outward-bound": "outbound",
    "home back homeward homeward-bound return": "inbound",
    "used-up": "used",
    "stuck jammed": "jammed jammed-shut jammed-open",
    "leaks leak": "leaking yes",
}
FULL = ("full", "none", "unused")  # no box crossed off
EMPTY = ("empty", "gone", "out", "dry", "all", "usedup", "lost")  # all boxes crossed off
FEET = "0"  # any measured height
BOXES = frozenset({"box", "boxe", "hit"})
FIGURES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
SIDES = {"left": "port", "right": "starboard"}


class Vocabulary:
    """The words for a sheet: for writing on it, or (if not `written`) for facts of one roll."""

    def __init__(self, game: Pack, state: Mapping[str, Value], *, written: bool = True) -> None:
        self.sheet, self.state, self.written = game.sheet, state, written
        self.phrases = game.about.phrases

    # -- fields --------------------------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> dict[str, str]:
        """Return the labels of fields that players see; for a roll also those of worked-out facts."""
        sheet = self.sheet
        labels = {
            name: sheet.text(name)
            for name, declared in sheet.fields.items()
            if declared.section != "working" and declared.kind != "list" and not sheet.free(name, self.state)
        }
        if not self.written:
            labels |= {name: sheet.text(name) for name, each in sheet.derived.items() if each.label != each.pattern}
        return labels

    @cached_property
    def by_label(self) -> dict[str, list[str]]:
        """Return the fields by the plain words of their labels."""
        found: dict[str, list[str]] = {}
        for name, label in self.labels.items():
            found.setdefault(plain(label), []).append(name)
        return found

    @cached_property
    def by_value(self) -> dict[str, list[str]]:
        """Return the fields by each of their values, in plain words and as stored."""
        found: dict[str, list[str]] = {}
        for name in self.labels:
            declared = self.sheet.declared(name)
            known = declared.known.values() if declared.words and "[" not in declared.name else ()
            values = () if self.is_flag(name) else (*declared.values, *known)
            for words in {
                each for value in values for each in (plain(self.sheet.say(name, value)), plain(value), value)
            }:
                found.setdefault(words, []).append(name)
            for said in self._said(name):
                found.setdefault(plain(said) if re.search(r"\D", said[:1]) else FEET, []).append(name)
        return found

    def with_value(self, typed: str) -> list[str]:
        """Return the fields that accept a value with these words."""
        values = [plain(typed), *(each for some in everyday_values(typed) for each in re.split("[>&]", some))]
        names = {name for value in [*values, FEET] for name in self.by_value.get(value, ())}
        return [name for name in self.labels if name in names]

    def is_flag(self, name: str) -> bool:
        """Return whether a field is yes or no, possibly with more values."""
        return {"yes", "no"} <= {*self.sheet.declared(name).values}

    def _said(self, name: str) -> Mapping[str, str]:
        phrases = self.phrases.values
        return phrases.get(name) or phrases.get(self.sheet.declared(name).name) or {}

    @cached_property
    def by_word(self) -> dict[str, set[str]]:
        """Return the fields by each word of their labels, names and indexes; by `boxes` too for boxes."""
        found: dict[str, set[str]] = {}
        for name, label in self.labels.items():
            family = self.sheet.fields[name].name if name in self.sheet.fields else ""
            boxes = BOXES if self.sheet.declared(name).kind in CROSSED else set()
            for word in words_of(f"{label} {re.sub(SEPARATORS, ' ', f'{name} {family}')}") | boxes:
                found.setdefault(word, set()).add(name)
        return found

    def named(self, typed: str) -> list[str]:
        """Return the fields with that name, phrase or label."""
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
        having = [self.by_word.get(part, set()) | self.by_word.get(SIDES.get(part, ""), set()) for part in parts]
        both = set.intersection(*having) if having else set()
        return [name for name in self.labels if name in both and self.has_values(name)]

    def may_be_flag(self, name: str, typed: str) -> bool:
        """Return whether words may say yes to a field: of a family all that is not the member, of others the half."""
        declared, said = self.sheet.declared(name), words_of(typed)
        if "[" in declared.name:
            return self.is_flag(name) and words_of(declared.heading) <= said
        return self.is_flag(name) and self.unsaid(name, typed) < len(said)

    def unsaid(self, name: str, typed: str) -> int:
        """Return the number of words of a label that were not typed; a member's name counts as one word."""
        said = words_of(typed)
        said |= {SIDES.get(each, "") for each in said}
        named = self.sheet.members_of.get(name, ())
        members = [
            words_of(each) for each in [self.sheet.label(*of) for of in named] or [self.labels[name].partition(",")[2]]
        ]
        others = words_of(self.labels[name]).difference(said, *members)
        return len(others) + sum(not words <= said for words in members)

    def meant(self, typed: str) -> list[str]:
        """Return the fields with that name or label, else those with these words.

        Raise UserError for the name of a read-only fact: worked out, or a binding such as the gun.
        """
        if names := self.named(typed):
            return names
        name = self.sheet.exact(typed) if self.written else None
        if name is not None:
            self.sheet.declared(name)
            if self.sheet.inner(self.sheet.writable(name)):
                raise UserError(f"{name} is calculated by the companion and can't be set.")
        return self.with_words(typed)

    def has_values(self, name: str) -> bool:
        """Return whether a field's values can be recognized: numbers, or words from a list."""
        declared = self.sheet.declared(name)
        return bool(declared.values or declared.numeric)

    def like(self, typed: str) -> list[str]:
        """Return similar labels (or names, for a name) for mistyped words."""
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

    # -- values --------------------------------------------------------------------------------------------------------

    def values(self, name: str, typed: str) -> list[Value]:
        """Return the values of a field for these words: as stored, as printed, or in everyday words.

        Raise UnknownName for an unknown name.
        """
        sheet, declared = self.sheet, self.sheet.declared(name)
        if declared.kind in CROSSED:
            typed = self._counted(name, typed)
        try:
            return [declared.accept(sheet.text(name), sheet.nicknames.member(typed.strip(), declared.values))]
        except UnknownName:
            raise
        except UserError:
            return list(self.meanings(name, typed)) if bare(typed) else []

    def meanings(self, name: str, typed: str) -> list[str]:
        """Return the values of a field for these words: the printed ones, else the game's, else everyday words."""
        declared, words = self.sheet.declared(name), plain(typed)
        printed = [value for value in declared.values if words in (plain(self.sheet.say(name, value)), plain(value))]
        if found := printed or self.own(name, typed):
            return found
        has = {*declared.values, declared.blank}
        means = {
            value
            for some in everyday_values(typed)
            if {*re.split("[>&]", some)} <= has
            for value in some.rpartition(">")[2].split("&")
        }
        if "none" in means and declared.blank == "none":
            return ["none"]
        return [value for value in declared.values if value in means]

    def own(self, name: str, typed: str) -> list[str]:
        """Return the value that the game's own words mean in a field: `0-12000 feet` is any altitude up to there."""
        words, number = plain(typed), figure(re.sub(r"\D", "", typed))
        for said, value in self._said(name).items():
            if plain(said) == words:
                return [value]
            span = re.fullmatch(r"(\d+)-(\d+) (\w+)", said)
            measured = span is not None and number is not None and typed.casefold().split()[-1] == span[3]
            if span and measured and int(span[1]) <= number <= int(span[2]):  # type: ignore[operator]
                return [value]
        return []

    def _counted(self, name: str, typed: str) -> str:
        """Return the count meant by `+2`, `-1`, `18 left`, `3 boxes`, `empty`; anything else unchanged."""
        declared, number = self.sheet.declared(name), figure(typed)
        present, limit = int(self.state.get(name, declared.blank)), declared.limit
        if number is not None and typed[:1] in "+-":
            return str(number + present)
        if limit is not None and (left := re.fullmatch(LEFT, typed.casefold())):
            return str(limit - int(left[left.lastindex or 0]))
        if re.fullmatch(rf"\d+ of {limit}", typed):  # the status screen's form for what is left
            return str(int(limit or 0) - int(typed.split()[0]))
        if said := re.fullmatch(CROSSED_OFF, typed.casefold()):
            return str(said[said.lastindex or 0])
        if typed.casefold() in ("hit", "hit once"):
            return str(present + 1)
        if bare(typed) in FULL or limit is not None and bare(typed) in EMPTY:
            return "0" if bare(typed) in FULL else str(limit)
        return typed

    # -- in words ------------------------------------------------------------------------------------------------------

    def called(self, name: str) -> str:
        """Return the label of a field in a sentence: `port flap`, `LORAN`."""
        label = spoken(self.sheet.text(name))
        return label if label[:2].isupper() else label[:1].lower() + label[1:]

    def say(self, name: str, value: Value) -> str:
        """Return a field and value in words that can be typed: `port flap out`, `no evasive action`."""
        label, declared = self.called(name), self.sheet.declared(name)
        if {*declared.values} == {"yes", "no"}:
            return label if value == "yes" else f"no {label}"
        return f"{label} {self.sheet.say(name, value)}"


@cache
def everyday() -> dict[str, list[str]]:
    """Return the values that everyday words may mean, by their plain words."""
    found: dict[str, list[str]] = {}
    for said, values in EVERYDAY.items():
        for words in said.split():
            found.setdefault(plain(words), []).extend(values.split())
    return found


def everyday_values(typed: str) -> list[str]:
    """Return the values that everyday words may mean, most likely first."""
    return everyday().get(bare(typed)) or everyday().get(plain(typed), [])


LEFT = r"left (\d+)|(\d+)(?: boxes)? left|\d+ (?:boxes )?(?:crossed off|erased) (\d+) left"
CROSSED_OFF = r"(\d+) (?:boxes|box|hits?|times|crossed off|boxes crossed off|used)|(?:crossed off|used) (\d+)"
SEPARATORS = r"[.\[\]-]+"


@cache
def plain(text: str) -> str:
    """Return words without fillers, case, hyphens and plural `s`."""
    return "".join(_plain_words(text))


@cache
def words_of(label: str) -> frozenset[str]:
    """Return the plain words of a label: `Port outboard tank` also matches port tank."""
    return frozenset(_plain_words(label))


def _plain_words(text: str) -> Iterator[str]:
    words = re.split(r"[\s,/]+", text.strip())
    for at, word in enumerate(words):
        small = word.casefold().strip(",.") in SMALL_WORDS and (
            at < len(words) - 1 or len(word) > 1
        )  # `wing a` has an A
        if not small and (kept := bare(word)):
            kept = str(FIGURES.index(kept)) if kept in FIGURES else kept
            yield kept[:-1] if len(kept) > 3 and kept.endswith("s") and not kept.endswith("ss") else kept
