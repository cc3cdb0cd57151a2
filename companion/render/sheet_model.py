"""One model of a log sheet: its sections, seats, bomber, zones and hits as plain data, ready for JSON.

The status screen, the text sheet, the printed sheets and the phone's page all use it. Nothing here depends on a game,
and the drawing code on no field.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from companion.engine.facts import Facts
from companion.engine.fields import FREE, Field, Value
from companion.engine.sheet import cut, of_member
from companion.render.history import History, Hit, together
from companion.render.situation import HIDDEN
from companion.words import unhyphened

if TYPE_CHECKING:
    from companion.engine.about import Outline
    from companion.packs import Pack
    from companion.play.mission import Mission

NEUTRAL = ("ok", "no", "none")  # words of a choice that leave no mark on the sheet
FEW = 3  # the most members of an index that share a row, one column each
MOST = 5  # the most words of a choice that are printed with a box each


class Cell(TypedDict, total=False):
    """The field `name` with its contents. `k` is boxes (`crossed` of `limit`), choice (`value` is one of `options`),
    list (`items`) or fill (`value`; `number` when it holds one)."""

    k: str
    name: str
    label: str
    value: str
    crossed: int
    limit: int
    options: list[str]
    items: list[str]
    number: bool


class Heading(TypedDict):
    """A column: its label, the words of its choice, and its width: box, num, fit, text, name or long."""

    label: str
    options: list[str]
    w: str


class Row(TypedDict):
    """A row of a table; `notes` are the man's wounds."""

    label: str
    cells: list[Cell]
    notes: list[str]


class Table(TypedDict):
    """A table of fields in a section, repeated for an index."""

    title: str
    head: list[Heading]
    rows: list[Row]


class Section(TypedDict):
    """A section of the sheet: its single fields, and the tables of the others."""

    id: str
    label: str
    fields: list[Cell]
    tables: list[Table]


class Seat(TypedDict):
    """A seat in the bomber and its occupant: `post` is their regular seat if they have moved, `amiss` any trouble."""

    position: str
    name: str
    post: str
    cells: list[Cell]
    amiss: list[str]
    down: bool
    wounds: list[str]


class Mark(TypedDict):
    """A part (a field) or an area of the bomber at its place: `word` is its damage, `items` the hits on it."""

    name: str
    at: list[float]
    label: str
    word: str
    items: list[Hit]


class Bomber(TypedDict):
    """The bomber from above with everything at its place, in millimeters of a drawing of `outline.size`.

    `cards` has where a man sits and where his card is; `areas` the point of an area on the bomber, `hits` its box.
    """

    outline: Outline
    cards: list[tuple[list[float], Seat]]
    engines: list[Mark]
    turrets: list[Mark]
    parts: list[Mark]
    areas: list[Mark]
    hits: list[Mark]


class Zones(TypedDict):
    """The flight zone by zone: the column heads, and the rows for each direction, each with a zone and its cells."""

    columns: list[str]
    ways: list[tuple[str, list[tuple[str, list[str]]]]]


class Landing(TypedDict):
    """A landing table, the sum of its modifiers with its sign (or none), and each of them: sum, reason, citation."""

    title: str
    total: str
    modifiers: list[tuple[str, str, str]]


class SheetModel:
    """A sheet with its contents, or a blank one; what happened comes from the journal of `flown`.

    With `seen` only those fields are shown.
    """

    def __init__(
        self,
        pack: Pack,
        state: Mapping[str, Value],
        flown: Mission | None = None,
        *,
        blank: bool = False,
        seen: Container[str] | None = None,
    ) -> None:
        self.pack, self.sheet, self.blank, self.seen = pack, pack.sheet, blank, seen
        self.facts = Facts(pack.sheet, {} if blank else state)
        self.history = History(pack, flown)
        self.layout = pack.about.print
        self.crew = pack.about.status.people
        self.posts = cut(self.crew.states[0])[1] if self.crew else ""  # the index of the men
        self.logged = {name for name, _ in pack.about.log.columns}
        self.city = pack.about.damage.city

    # -- words ---------------------------------------------------------------------------------------------------------

    def sees(self, name: str) -> bool:
        """Return whether a field may be shown."""
        return self.seen is None or name in self.seen

    def written(self, name: str) -> str:
        """Return the field's word; empty if it is untouched, hidden, or on a blank sheet."""
        text = str(self.facts[name]) if self.sees(name) and not self.blank else ""
        return "" if text == "none" else text

    def word(self, name: str, value: str) -> str:
        """Return a value in words; a city written by a roll is capitalized."""
        if name == self.city and value.islower():
            return unhyphened(value).title()
        return str(self.sheet.say(name, value)) if value else ""

    def member(self, index: str, name: str) -> str:
        """Return the label of a member, capitalized."""
        label = self.sheet.label(index, name)
        label = unhyphened(label) if label == name else label  # a pack's own label keeps its hyphens
        return label[:1].upper() + label[1:]

    def heading(self, family: str) -> str:
        """Return a family's label without its member: `Doors` of `Doors, {bay} bay`."""
        leading = re.fullmatch(r"(.+), \w+ \{\w+\}", self.sheet.families[family].label)
        heading = leading[1] if leading else self.sheet.families[family].heading
        for index in self.sheet.index:
            if f"[{index}]" in family and heading.casefold() != index:
                heading = heading.removesuffix(f" {index}")
        return re.sub(r"( at)? the$", "", heading)

    def amiss(self, name: str) -> str:
        """Return the trouble in a field; empty if it has its initial value."""
        value = self.written(name)
        return "" if value in ("", *NEUTRAL, "0", str(self.sheet.fields[name].blank)) else self.word(name, value)

    def there(self, index: str, member: str) -> bool:
        """Return whether a member is in play, such as a fighter on the chart."""
        present = getattr(self.sheet.known[index], "present", "")
        return self.blank or not present or self.written(present.format(member)) != ""

    # -- sections ------------------------------------------------------------------------------------------------------

    def sections(self, hidden: Iterable[str] = ()) -> list[Section]:
        """Return the printed sections that have fields, in the sheet's order.

        A section that the pack joins to another is part of that one; an optional section appears once it is used.
        """
        join, sparing = self.layout.join, self.layout.when_filled
        skipped = {"working", *hidden, *self.layout.without, *join}
        sections: list[Section] = []
        for each, label in self.sheet.sections.items():
            parts = [each, *(part for part, whole in join.items() if whole == each)]
            names = [name for part in parts for name, field in self.sheet.families.items() if field.section == part]
            names = [name for name in names if any(map(self.sees, self.sheet.expand(name)))]
            if each in sparing:
                names = [name for name in names if self.facts.given.intersection(self.sheet.expand(name))]
            if not names or each in skipped:
                continue
            repeated: dict[str, list[str]] = {}  # by the last index
            for name in names:
                repeated.setdefault(name.rpartition("[")[2].partition("]")[0] if "[" in name else "", []).append(name)
            fields = [self.cell(name, label=self.sheet.under(name)) for name in repeated.pop("", ())]
            tables = [self._table(index, own, label) for index, own in repeated.items()]
            tables = [table for table in tables if table["rows"]]
            sections.append({"id": each, "label": label, "fields": fields, "tables": tables})
        return sections

    def cell(self, name: str, *, label: str = "", column: bool = False) -> Cell:
        """Return one field as a cell; in a `column` a choice has boxes only for values that leave a mark."""
        cell = self._cell(name, label, column)
        if self.seen is None:  # a viewer of a part changes nothing
            cell["name"] = name
        return cell

    def _cell(self, name: str, label: str, column: bool) -> Cell:
        field, value = self.sheet.fields[name], self.written(name)
        if not self.sees(name):
            return {"k": "fill", "label": label, "value": HIDDEN, "number": True}
        if field.kind == "boxes" and field.limit:
            return {"k": "boxes", "label": label, "limit": field.limit, "crossed": int(value or 0)}
        if field.kind == "choice":
            options = crossable(field)
            if len(options) > 1 and field.default not in ("ok", "no") and not column:
                options = list(field.values)
            if len(options) <= MOST:
                chosen = self.word(name, value) if value in options else ""
                words = [self.word(name, each) for each in options]
                return {"k": "choice", "label": label, "options": words, "value": chosen}
        if field.kind == "list":
            items = [each.strip() for each in re.split("[;,]" if column else ";", self.word(name, value))]
            return {"k": "list", "label": label, "items": list(filter(None, items))}
        uncounted = field.kind in ("count", "boxes") and name not in self.logged
        if value == "0" and (uncounted or name not in self.facts.given):
            value = ""
        return {"k": "fill", "label": label, "value": self.word(name, value), "number": field.numeric}

    def _table(self, index: str, families: Sequence[str], section: str) -> Table:
        """Return a row for each member in play; for few members a column each, and a row for each family."""
        members = [each for each in self.sheet.index[index] if self.there(index, each)]
        double = [name for name in families if name.count("[") > 1]
        if double or (len(self.sheet.index[index]) <= FEW and len(families) > 1):
            rows = [row for name in families for row in self._abreast(name, index)]
            heads: list[Heading] = [{"label": self.member(index, each), "options": [], "w": "text"} for each in members]
            return {"title": "", "head": heads, "rows": rows}
        names = sorted(families, key=lambda name: self.sheet.families[name].kind != "text")  # name first
        wounds = self.history.wounds if index == self.posts and not self.blank and self.seen is None else {}
        rows = [
            {
                "label": self.member(index, each),
                "cells": [self.cell(of_member(name, index, each), column=True) for name in names],
                "notes": [note.replace(f"{self.member(index, each)}: ", "", 1) for note in wounds.get(each, ())],
            }
            for each in members
        ]
        if self.pack.about.box and not self.blank:  # the last sizes of flak that no box has, and turns to come
            while rows and not any(cell.get("value") for cell in rows[-1]["cells"]):
                rows.pop()
        head = [self._head(each, (index, section.casefold())) for each in names]
        return {"title": unhyphened(index.capitalize()), "head": head, "rows": rows}

    def _abreast(self, family: str, across: str) -> list[Row]:
        """Return a family with its members side by side; with two indexes, a row for each member of the other."""
        other = next((each for each in re.findall(r"\[(\w+)\]", family) if each != across), "")
        rows: list[Row] = []
        for down in self.sheet.index[other] if other else [""]:
            label = self.heading(family) + (f", {unhyphened(down)}" if down else "")
            names = [of_member(of_member(family, other, down), across, each) for each in self.sheet.index[across]]
            rows.append({"label": label, "cells": [self.cell(each) for each in names], "notes": []})
        return rows

    def _head(self, family: str, above: Sequence[str]) -> Heading:
        """Return the head of a family's column, without words already `above` it (table, section)."""
        field, label = self.sheet.families[family], self.heading(family)
        options = crossable(field) if field.kind == "choice" else []
        if options and len(options) <= MOST:
            one = self.sheet.expand(family)[0]
            named = options != ["yes"] and label.casefold() in above
            return {"label": "" if named else label, "options": [self.word(one, each) for each in options], "w": "box"}
        width = "long" if field.kind == "list" else "num" if field.numeric else "text"
        if field.kind == "boxes" and field.limit:
            width = "fit"
        elif width == "text" and any(len(self.written(each)) > 11 for each in self.sheet.expand(family)):
            width = "name"
        return {"label": label, "options": [], "w": width}

    # -- the men -------------------------------------------------------------------------------------------------------

    def seats(self) -> dict[str, Seat]:
        """Return every seat with its occupant, then the men without a seat, by position."""
        if not self.crew:
            return {}
        moved = self.crew.seat
        positions = list(self.sheet.index[self.posts])
        sitting = {each: self.written(of_member(moved, self.posts, each)) if moved else "" for each in positions}
        away = {man for place, man in sitting.items() if man not in ("", place)}
        sitting = {place: man or ("" if self.blank or place in away else place) for place, man in sitting.items()}
        seats = {place: self._seat(place, man) for place, man in sitting.items()}
        if not self.blank and not self._belongs(self.crew.states[0]):
            for man in (each for each in positions if each not in sitting.values()):
                seats[f"-{man}"] = {**self._seat(man, man), "position": "", "post": self.member(self.posts, man)}
        return seats

    def _belongs(self, family: str) -> bool:
        """Return whether a family's field moves to the new seat with the man."""
        return cut(family)[0].removesuffix(".") in self.sheet.belongings[self.posts]

    def _seat(self, position: str, man: str) -> Seat:
        def field(family: str) -> str:
            return of_member(family, self.posts, position if self._belongs(family) else man or position)

        first, *states = [field(each) for each in self.crew.states]
        boxes = [of_member(self.crew.boxes, self.posts, position)] if self.crew.boxes else []
        many = [
            one for each in filter(None, [self.crew.several]) if self.written(one := field(each)) not in ("", "0", "1")
        ]
        printed = [each for each in [first, *boxes, *states] if self.sheet.fields[each].section != "working"]
        cells = [self.cell(name, label="" if name == first else self.sheet.fields[name].heading) for name in printed]
        cells[0]["options"] = [each for each in cells[0]["options"] if each != "absent"]
        fit = self.written(first) if man else "absent"
        called = self.crew.name
        name = self.written(field(called)) if man and called else ""
        return {
            "position": self.member(self.posts, position),
            "name": name,
            "post": "" if man in ("", position) else self.member(self.posts, man),
            "cells": cells,
            "amiss": [
                each for each in (self._amiss(one, one != first) for one in (first, *many, *states, *boxes)) if each
            ],
            "down": not self.blank and fit not in ("", "ok", "light"),
            "wounds": [] if self.blank else self.history.wounds.get(man, []),
        }

    def _amiss(self, name: str, headed: bool) -> str:
        """Return a man's troubles: `KIA`, `frostbite`, `oxygen 1 of 2`."""
        field, word = self.sheet.fields[name], self.amiss(name)
        if not word or not headed:
            return word
        told = f"{word} of {field.limit}" if field.kind == "boxes" else "" if word == "yes" else word
        return f"{field.heading.lower()} {told}".strip()

    # -- supplies and damage -------------------------------------------------------------------------------------------

    def boxes(self) -> list[tuple[str, int, int]]:
        """Return the rows of boxes for the status: field, number left and total, without uninstalled tanks."""
        rows = []
        for each in self.pack.about.status.boxes:
            name, *worked_out = [each] if isinstance(each, str) else each
            limit, crossed = int(self.sheet.fields[name].limit or 0), int(self.facts[name])
            left = int(self.facts[worked_out[0]]) if worked_out else limit - crossed
            if left or crossed or self.blank:
                rows.append((name, left, limit))
        return rows

    def damage(self) -> list[tuple[str, list[str]]]:
        """Return all changes since takeoff by section, except those that the status shows separately.

        Members of a family share their label: `Shell hits: Nose 1, Waist 2`.
        """
        status = self.pack.about.status
        shown = {"working", "book", "settings", *status.elsewhere}
        named = {name for line in status.lines for name in line} | {name for name, _, _ in self.boxes()}
        machines, told_of_men = status.beside.fields, {*status.people.states, status.people.boxes}
        told: dict[str, dict[str, list[str]]] = {}
        for family in dict.fromkeys([*machines, *self.sheet.families]):
            declared, beside = self.sheet.families[family], family in machines
            section = status.beside.title if beside else self.sheet.sections.get(declared.section, "")
            names = (
                self.sheet.expand(family) if beside or not (family in told_of_men or declared.section in shown) else ()
            )
            for name in names:
                word = "" if name in named or self.sheet.slot(name) else self.amiss(name)
                if word and declared.kind == "list" and declared.section in self.history.told:
                    word = str(len(self.cell(name, column=True)["items"]))  # other fields show their effects
                if word:
                    whole = self.sheet.text(name)
                    text = re.sub(rf"^{re.escape(section)},? (\w)", lambda found: found[1].upper(), whole)
                    label, _, member = text.partition(", ") if "[" in family else (text, "", "")
                    words = [member, "" if word == "yes" else word]
                    told.setdefault(section, {}).setdefault(label, []).append(" ".join(filter(None, words)))
        return [
            (section, [f"{name}{':' * (len(words) > 1)} {', '.join(words)}".strip() for name, words in fields.items()])
            for section, fields in told.items()
        ]

    # -- the bomber ----------------------------------------------------------------------------------------------------

    def bomber(self) -> Bomber | None:
        """Return the bomber in outline, without hidden fields; None if the pack has no outline."""
        outline = self.layout.outline
        if not outline:
            return None
        men = all(self.sees(name) for family in self.crew.states[:1] for name in self.sheet.expand(family))
        seats = self.seats() if men else {}
        return {
            "outline": outline,
            "cards": [
                (placed(outline, at) + outline.cards[each], seats[each]) for each, at in outline.seats.items() if seats
            ],
            "engines": [self._part(each, at) for each, at in outline.engines.items() if self.sees(each)],
            "turrets": [self._part(each, at) for each, at in outline.turrets.items() if self.sees(each)],
            "parts": [self._part(each, at) for each, at in outline.parts.items() if self.sees(each)],
            "areas": [self._area(each, placed(outline, at)) for each, at in outline.areas.items()],
            "hits": [self._area(each, at) for each, at in outline.hits.items()],
        }

    def _area(self, area: str, at: list[float]) -> Mark:
        items = self._struck(area) if area in self.layout.outline.hits else []
        return {"name": area, "at": at, "label": self.member(self.history.areas, area), "word": "", "items": items}

    def _part(self, name: str, at: list[float]) -> Mark:
        label, place = self.sheet.text(name).partition(",")[0], placed(self.layout.outline, at)
        return {"name": name, "at": place, "label": label, "word": self.amiss(name), "items": []}

    def named(self) -> list[str]:
        """Return the bomber's name and its mission, for a page that shows the bomber alone."""
        names = [name for name in ("aircraft.name", "mission.number") if name in self.sheet.fields]
        return [f"{self.sheet.fields[name].label}: {self.written(name) or '_' * 12}" for name in names]

    # -- the flight ----------------------------------------------------------------------------------------------------

    def zones(self) -> Zones | None:
        """Return the flight so far, zone by zone; None in a game without zones."""
        history = self.history
        if not history.columns:
            return None
        ways = {
            way: [
                [self._zone(way, zone, at) for at in range(len(history.columns))]
                for zone in self.sheet.index[history.zones]
            ]
            for way in self.sheet.index[history.leg]
        }
        flown = max((at for rows in ways.values() for at, cells in enumerate(rows, 1) if any(cells)), default=None)
        return {
            "columns": [each.head for each in history.columns],
            "ways": [
                (self.member(history.leg, way), list(zip(self.sheet.index[history.zones], rows[:flown], strict=False)))
                for way, rows in ways.items()
            ],
        }

    def hits(self) -> list[tuple[str, list[Hit]]]:
        """Return each area with its hits."""
        areas = self.sheet.index.get(self.history.areas, ())
        return [(self.member(self.history.areas, each), self._struck(each)) for each in areas]

    def _zone(self, way: str, zone: str, column: int) -> str:
        """Return the cell of a zone: from the journal, else from the fields kept by zone."""
        told = "" if self.blank else self.history.cell((way, int(zone)), column)
        for family in self.history.columns[column].names:
            if not told and f"[{self.history.zones}]" in family:
                name = of_member(of_member(family, self.history.leg, way), self.history.zones, zone)
                told = self.word(name, self.written(name)) if name in self.facts.given else ""
        return told

    def _struck(self, area: str) -> list[Hit]:
        """Return the hits on an area: from the journal, else from the sheet."""
        if area in self.history.hits or self.blank:
            return together(self.history.hits.get(area, []))
        hits: list[Hit] = []
        for family, field in self.sheet.families.items():
            if field.section not in self.history.told or f"[{self.history.areas}]" not in family:
                continue
            name = of_member(family, self.history.areas, area)
            if field.kind == "list":
                items = self.cell(name, column=True).get("items", ())
                hits += together([Hit(where="", words=each, times=1, mild=False) for each in items])
            elif (value := self.written(name)) not in ("", "0"):
                hits.append(Hit(where="", words=field.heading, times=int(value), mild=False))
        return hits


def crossable(field: Field) -> list[str]:
    """Return the words of a choice that leave a mark on the sheet."""
    return [each for each in field.values if each not in NEUTRAL] or list(field.values)


def placed(outline: Outline, at: Sequence[float]) -> list[float]:
    """Return a point in meters (with an angle) or an area in millimeters of the drawing."""
    across, down, scale = outline.nose
    rest = [each * scale for each in at[2:]] if len(at) == 4 else at[2:]
    return [round(each, 2) for each in (across + at[0] * scale, down + at[1] * scale, *rest)]


def landings(mission: Mission) -> list[Landing]:
    """Return the pack's landing tables with current modifiers; after landing only those that were rolled."""
    tables: list[Landing] = []
    pack, facts = mission.game, mission.facts()
    end = pack.about.log.aircraft_end
    over = end != "" and str(facts[end]) not in FREE
    rolled = {str(each["t"]) for each in mission.journal.recorded}
    for table in map(pack.table, pack.about.landing):
        if over and table.id not in rolled:
            continue
        applied = table.applying(facts)
        reasons = [(f"{each.add:+d}", each.why, str(each.modifier.cite)) for each in applied]
        total = f"{sum(each.add for each in applied):+d}" if applied else "none"
        tables.append({"title": f"{table.id} {table.title}", "total": total, "modifiers": reasons})
    return tables
