"""Words for values on a sheet: `Me 109` for `me109`, `aircraft factory` for `aircraft-factory`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from companion.engine.fields import Value
from companion.engine.sheet import Sheet, cut
from companion.words import unhyphened

if TYPE_CHECKING:
    from companion.engine.about import About

LISTED = r"(?<![^;,] )(?<![^;, ])[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?: \([a-z0-9-]+\))?(?=[;,]|$)"  # one of several words
WORD = r"[a-z0-9]+(?:-[a-z0-9]+)*"


class Wording:
    """The words of one game: those of its pack (`[print.words]`), then the known spellings of its fields, then the slug
    without its hyphens.
    """

    def __init__(self, about: Callable[[], About], sheet: Callable[[], Sheet]) -> None:
        self._about, self._sheet = about, sheet

    @cached_property
    def _print(self) -> Mapping[str, str | Mapping[str, str]]:
        return self._about().print.words

    @cached_property
    def words(self) -> dict[str, str]:
        """Return the name of each word."""
        spelled = {
            word: name
            for field in self._sheet().families.values()
            for word, name in field.known.items()
            if name != word and not name.islower()
        }
        return {
            **spelled,
            **self._members(),
            **{word: name for word, name in self._print.items() if isinstance(name, str)},
        }

    def _members(self) -> dict[str, str]:
        """Return the names of hyphenated members that are the same in all indexes."""
        labels: dict[str, set[str]] = {}
        for members in self._sheet().index.values():
            for member, has in members.items():
                labels.setdefault(member, set()).add(str(has.get("label", "")))
        alone = {member: one for member, (one, *others) in labels.items() if one and not others and "-" in member}
        return {
            member: label if any(map(str.isupper, label[1:])) else label[:1].lower() + label[1:]
            for member, label in alone.items()
        }

    def value(self, value: Value) -> Value:
        """Return a value in words for a sentence; numbers are unchanged."""
        if not isinstance(value, str) or not re.fullmatch(WORD, value):
            return value
        word = self.words.get(value)
        return unhyphened(value) if word is None else word

    def of(self, name: str, value: Value) -> str:
        """Return a field's value in words; text written by the player is unchanged."""
        own = self._print.get(name)
        if isinstance(own, Mapping) and value in own:
            return str(own[str(value)])
        sheet, log, people = self._sheet(), self._about().log, self._about().status.people
        field = sheet.fields.get(name)
        family = field.name if field is not None else ""
        if family and value in log.fates and family in log.lost and family not in people.states:
            return log.fates[str(value)]
        if family and family == people.seat and value in (men := sheet.index[cut(family)[1]]):
            return str(men[str(value)].get("label", value))
        if field is not None and (label := sheet.nicknames.label(value, field.values)):
            return label
        if field is not None and field.kind == "list":  # several values separated by semicolons, written by rolls
            return re.sub(LISTED, lambda each: re.sub(WORD, lambda word: str(self.value(word[0])), each[0]), str(value))
        if field is not None and field.kind == "text" and not field.words:
            return str(value)
        return str(self.value(value))

    def row(self, outcome: str) -> str:
        """Return a row in words: `Me 109 from 12 level; Fw 190 from 3 high` for `me109@12-level;fw190@3-high`."""
        outcome = re.sub(r"\{(\w+)[^}]*\}", r"\1", outcome)  # a worked-out part, such as the attacking side
        told: list[tuple[str, list[str]]] = []
        for part in outcome.split(";"):
            kind, at, place = part.partition("@")
            if at and told and told[-1][0] == kind and told[-1][1]:  # another of the same kind
                told[-1][1].append(self._all(place))
            else:
                told.append((kind, [self._all(place)] if at else []))
        return "; ".join(
            f"{self._all(kind)} from {', '.join(places)}" if places else self._all(kind) for kind, places in told
        )

    def _all(self, words: str) -> str:
        return " ".join(map(self._spoken, words.split()))

    def _spoken(self, word: str) -> str:
        said = str(self.value(word))
        return said if said != word else re.sub(r"(?<=\w)-(?=[a-z])", " ", word)
