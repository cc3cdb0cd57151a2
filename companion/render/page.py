"""A sheet as plain data for the templates: sections of labels, controls and tables, from the declared fields alone.

A control says how a field is drawn: `boxes` to cross off, a `flag` (one box), a `choice` of boxes, `letters` for the
small cells of a grid, or a `fill` (a line to write on). Nothing here knows a game, and no template knows a field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from companion.engine.facts import Facts
from companion.engine.fields import Field, Value
from companion.engine.sheet import Sheet, of_member
from companion.engine.spec import Spec

NEUTRAL = ("ok", "no", "none")
FEW = 3  # members of an index that stand side by side instead of in rows
ACROSS = 8  # members from which an index runs across the page
ROOM = 11  # letters that a column of text has room for; with longer ones in it, it is made wider
WIDTHS = {
    "box": 7,
    "num": 10,
    "fit": 10,
    "text": 22,
    "name": 24,
    "long": 80,
}  # millimetres, to tell a wide section from a narrow one


class Control(TypedDict, total=False):
    """How one field is drawn: `k` is boxes, flag, choice, list, letters or fill; the rest goes with that."""

    k: str
    label: str
    limit: int  # boxes in a row
    value: int | str  # boxes crossed, or what is written on the line
    on: bool  # whether the one box is crossed
    word: str  # what stands beside it
    options: list[tuple[str, bool]]  # each with whether it is the one
    items: list[str]
    narrow: bool
    legend: list[tuple[str, str]]  # letters in a small cell, and what they mean


class Head(TypedDict):
    """A column's head: what it is grouped under, what it says itself, and its width (a key of WIDTHS)."""

    group: str
    sub: str
    w: str


class Line(TypedDict):
    """A row of a table or a grid."""

    label: str
    cells: list[Control]


class Grid(TypedDict):
    """A section's fields by two indexes, or by one that runs across the page."""

    head: list[str]
    rows: list[Line]
    legend: list[tuple[str, str]]


class Table(TypedDict):
    """A section's fields by one index; `tall` leaves room to write in every row."""

    title: str
    head: list[Head]
    rows: list[Line]
    tall: bool


class Section(TypedDict):
    """A section of the sheet as its template gets it; a `wide` one runs across the page."""

    id: str
    label: str
    fields: list[Control]
    tables: list[Table]
    grids: list[Grid]
    wide: bool


class Page:
    """One sheet's fields with what stands in them; a blank page has nothing in it."""

    def __init__(
        self,
        sheet: Sheet,
        state: Mapping[str, Value],
        *,
        blank: bool = False,
        about: Spec | None = None,
    ) -> None:
        self.sheet, self.facts, self.blank = sheet, Facts(sheet, state), blank
        about = about or {}
        layout = about.get("print", {})
        self.words: Spec = layout.get("words", {})
        self.fates: Mapping[str, str] = about.get("log", {}).get("fates", {})
        self.logged = {str(name) for name, _ in about.get("log", {}).get("columns", ())}
        self.city = str(about.get("damage", {}).get("city", ""))
        self.join: Mapping[str, str] = layout.get("join", {})
        self.sparing: Sequence[str] = layout.get("when-filled", ())
        self.without: Sequence[str] = layout.get("without", ())

    def word(self, name: str, value: str) -> str:
        """A value as people write it: the pack's own word for it, a fate in full, else the slug without its hyphens."""
        own = self.words.get(name, {})
        if isinstance(own, Mapping) and value in own:
            return str(own[value])
        if name.startswith("fate.") and value in self.fates:
            return str(self.fates[value])
        if name.startswith("seat.") and value in self.sheet.index.get("position", {}):
            return self.member("position", value)
        if name == self.city and value.islower():  # as a roll wrote it
            return in_words(value).title()
        if isinstance(self.words.get(value), str):
            return str(self.words[value])
        return in_words(value) if getattr(self.sheet.fields.get(name), "kind", "choice") == "choice" else value

    def printed(self, hidden: Iterable[str] = ("working",)) -> list[tuple[str, str]]:
        """The declared sections in the sheet's order, with their labels; one without a label is not printed.

        One that the pack joins to another is printed there, and one that it prints sparingly only once it is used.
        """
        left_out = {*hidden, *self.without, *self.join}
        left_out |= {each for each in self.sparing if self.blank or not self._used(each)}
        return [(each, label) for each, label in self.sheet.sections.items() if each not in left_out]

    def sections(self) -> list[Section]:
        """Every printed section that has fields."""
        sections = (self.section(each, label) for each, label in self.printed())
        return [each for each in sections if each["fields"] or each["tables"] or each["grids"]]

    def _used(self, section: str) -> bool:
        return any(field.section == section and name in self.facts.given for name, field in self.sheet.fields.items())

    def families(self, section: str) -> list[str]:
        """The fields of a section and of those that are printed with it."""
        here = [section, *(each for each, whole in self.join.items() if whole == section)]
        return [name for each in here for name, field in self.sheet.families.items() if field.section == each]

    def there(self, index: str, member: str) -> bool:
        """Whether a member is there at all: a fighter that has come."""
        present = getattr(self.sheet.known[index], "present", "")
        return not present or self.value(present.format(member)) != ""

    def section(self, section: str, label: str) -> Section:
        """Single fields, tables by one index, and grids by two."""
        families = self.families(section)
        if section in self.sparing and not self.blank:  # of many figures those that have been said
            families = [each for each in families if any(name in self.facts.given for name in self.sheet.expand(each))]
        alone, tables, grids = [], dict[str, list[str]](), dict[str, list[str]]()
        for name in families:
            holes = [index for index in self.sheet.index if f"[{index}]" in name]
            if not holes:
                alone.append(name)
                continue
            across = max(holes, key=lambda index: len(self.sheet.index[index]))
            if len(holes) == 2 or (len(self.sheet.index[across]) > ACROSS and across in grids):
                grids.setdefault(across, []).append(name)
            else:
                tables.setdefault(holes[0], []).append(name)
        layout: Section = {
            "id": section,
            "label": label,
            "fields": [{"label": self.sheet.under(name), **self.control(name)} for name in alone],
            "tables": [self.table(index, names, label) for index, names in tables.items()],
            "grids": [self.grid(index, names) for index, names in grids.items()],
            "wide": False,
        }
        layout["wide"] = self._wide(layout)
        if layout["wide"]:
            layout["tables"] = [flipped(each) for each in layout["tables"]]
        return layout

    # -- one field -------------------------------------------------------------------------------------------------

    def value(self, name: str) -> str:
        """What is written in the field; nothing on a blank sheet or where it is untouched."""
        text = "" if self.blank else str(self.facts[name])
        return "" if text == "none" else text

    def control(self, name: str) -> Control:
        """How a single field is drawn."""
        field, value = self.sheet.fields[name], self.value(name)
        if field.kind == "boxes" and field.limit:
            return {"k": "boxes", "limit": field.limit, "value": int(value or 0)}
        if field.kind == "choice":
            options = crossable(field)
            if len(options) == 1:
                word = "" if options[0] == "yes" else options[0]
                return {"k": "flag", "on": value == options[0], "word": self.word(name, word)}
            options = options if field.default in ("ok", "no") else list(field.values)
            if len(options) <= 5:
                return {"k": "choice", "options": [(self.word(name, each), each == value) for each in options]}
        if field.kind == "list":
            items = [each.strip() for each in value.split(";") if each.strip()]
            return {"k": "list", "items": items}
        untouched = field.kind in ("count", "boxes") and name not in self.logged
        if value == "0" and (untouched or name not in self.facts.given):
            value = ""
        return {"k": "fill", "value": self.word(name, value), "narrow": field.numeric}

    # -- one index -------------------------------------------------------------------------------------------------

    def member(self, index: str, name: str) -> str:
        """What a member of an index is called."""
        label = self.sheet.label(index, name)
        return in_words(label[:1].upper() + label[1:])

    def table(self, index: str, names: Sequence[str], section: str = "") -> Table:
        """A row a member; where there are few of them, a row a family with the members side by side."""
        members = list(self.sheet.index[index])
        if len(members) <= FEW and len(names) > 1:
            head: list[Head] = [{"group": self.member(index, each), "sub": "", "w": "text"} for each in members]
            rows: list[Line] = [
                {
                    "label": self.heading(name),
                    "cells": [self.control(of_member(name, index, each)) for each in members],
                }
                for name in names
            ]
            return {"title": "", "head": head, "rows": rows, "tall": False}
        head, rows = [], []
        names = sorted(names, key=lambda name: self.sheet.families[name].kind != "text")  # a name leads its row
        for name in names:
            head += self._head(name, (index, section))
        for each in members:
            there = self.there(index, each)
            cells = [cell for name in names for cell in self._cells(name, of_member(name, index, each), there)]
            rows.append({"label": self.member(index, each), "cells": cells})
        tall = self.blank and any(self.sheet.families[name].kind == "list" for name in names)
        return {"title": in_words(index.capitalize()), "head": head, "rows": rows, "tall": tall}

    def heading(self, family: str) -> str:
        """A family's label without its member, nor what only leads up to the member: `Doors` of `Doors, {bay} bay`,
        `Weather` of `Weather, zone {z}`."""
        leading = re.fullmatch(r"(.+), \w+ \{\w+\}", self.sheet.families[family].label)
        heading = leading[1] if leading else self.sheet.families[family].heading
        for index in self.sheet.index:
            if f"[{index}]" in family and heading.casefold() != index:
                heading = heading.removesuffix(f" {index}")
        return re.sub(r"( at)? the$", "", heading)

    def _head(self, family: str, above: Sequence[str] = ()) -> list[Head]:
        """The heads of a family's columns; what stands `above`, over the table or its section, is left out."""
        field, heading = self.sheet.families[family], self.heading(family)
        options = crossable(field)
        if field.kind == "choice" and len(options) <= 5:
            subs = ["" if len(options) == 1 and each == "yes" else self.word(family, each) for each in options]
            group = "" if any(subs) and heading.casefold() in map(str.casefold, above) else heading
            return [{"group": group, "sub": each, "w": "box"} for each in subs]
        width = "long" if field.kind == "list" else "num" if field.numeric else "text"
        if field.kind == "boxes" and field.limit:
            width = "fit"
        if width == "text" and any(len(self.value(each)) > ROOM for each in self.sheet.expand(family)):
            width = "name"
        return [{"group": heading, "sub": "", "w": width}]

    def _cells(self, family: str, name: str, there: bool = True) -> list[Control]:
        """The cells of one field; nothing is in them where the thing itself (a fighter) is not there."""
        field, value = self.sheet.families[family], self.value(name) if there else ""
        if field.kind == "list":
            words = [in_words(each.strip()) for each in re.split("[;,]", value) if each.strip()]
            return [{"k": "list", "items": words}]
        if field.kind == "choice" and len(crossable(field)) <= 5:
            return [{"k": "flag", "on": each == value, "word": ""} for each in crossable(field)]
        control = self.control(name)
        if not there:
            control["value"] = 0 if control["k"] == "boxes" else ""
        return [control]

    # -- two indexes -----------------------------------------------------------------------------------------------

    def grid(self, across: str, names: Sequence[str]) -> Grid:
        """The larger index across the page, a row for each family and member of the smaller one."""
        rows: list[Line] = []
        for name in names:
            downs = [each for each in self.sheet.index if f"[{each}]" in name and each != across]
            for down in self.sheet.index[downs[0]] if downs else [""]:
                family = of_member(name, downs[0], down) if downs else name
                label = f"{self.heading(name)}{', ' + in_words(down) if down else ''}"
                cells = [self.letters(of_member(family, across, each)) for each in self.sheet.index[across]]
                rows.append({"label": label, "cells": cells})
        legend = {pair for row in rows for cell in row["cells"] for pair in cell.get("legend", ())}
        return {
            "head": [self.member(across, each) for each in self.sheet.index[across]],
            "rows": rows,
            "legend": sorted(legend),
        }

    def letters(self, name: str) -> Control:
        """A choice in a small cell: its words shortened, the chosen one marked."""
        field, value = self.sheet.fields[name], self.value(name)
        if field.kind == "choice" and len(crossable(field)) == 1:
            return self.control(name)
        if field.kind != "choice" or len(field.values) > 4:
            untouched = value == "0" and name not in self.facts.given
            return {"k": "fill", "value": "" if untouched else self.word(name, value), "narrow": True}
        shorts = list(zip(field.values, shortened(field.values), strict=True))
        return {
            "k": "letters",
            "options": [(short, word == value) for word, short in shorts],
            "legend": [(short, self.word(name, word)) for word, short in shorts if short != word],
        }

    @staticmethod
    def _wide(section: Section) -> bool:
        def width(table: Table) -> int:
            return 26 + sum(WIDTHS[each["w"]] for each in table["head"])

        return (
            any(len(grid["head"]) > 5 for grid in section["grids"])
            or any(width(table) > 92 for table in section["tables"])
            or any(each["k"] == "list" or each.get("limit", 0) > 20 for each in section["fields"])
            or any(
                each.get("limit", 0) > 12
                for table in section["tables"]
                for row in table["rows"]
                for each in row["cells"]
            )
        )


def flipped(table: Table) -> Table:
    """A table of a single narrow column lies on its side where there is room across the page."""
    if len(table["head"]) > 1 or table["head"][0]["w"] == "long" or len(table["rows"]) > 2 * ACROSS:
        return table
    head: list[Head] = [{"group": row["label"], "sub": "", "w": table["head"][0]["w"]} for row in table["rows"]]
    cells = [cell for row in table["rows"] for cell in row["cells"]]
    rows: list[Line] = [{"label": table["head"][0]["group"] or table["head"][0]["sub"], "cells": cells}]
    return {"title": table["title"], "head": head, "rows": rows, "tall": False}


def crossable(field: Field) -> list[str]:
    """The values of a choice that leave a cross on the sheet: all but the one that says nothing happened."""
    return [each for each in field.values if each not in NEUTRAL] or list(field.values)


def in_words(word: str) -> str:
    """A slug as people write it.

    >>> in_words("bomb-bay"), in_words("-2")
    ('bomb bay', '-2')
    """
    return word.replace("-", " ") if not word.lstrip("-+").isdigit() else word


def shortened(words: Sequence[str]) -> list[str]:
    """First letters, which still tell the words apart: of several words all of theirs; where two begin alike the word.

    >>> shortened(["good", "poor", "bad-visibility"]), shortened(["on", "off"])
    (['G', 'P', 'BV'], ['on', 'off'])
    """
    shorts = []
    for word in words:
        if "-" in word:
            shorts.append("".join(part[0] for part in word.split("-")).upper())
            continue
        size = 1
        while size < len(word) and any(o != word and "-" not in o and o.startswith(word[:size]) for o in words):
            size += 1
        shorts.append(word if size > 1 else word[:1].upper())
    return shorts
