"""The journal of a mission by zone, by area and by man, as the sheets show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from companion.engine.fields import FREE, Value
from companion.engine.sheet import cut
from companion.packs import Pack
from companion.play.journal import Entry, settled
from companion.play.mission import Mission, rehearsal, scenes
from companion.render.describe import describe_entry, in_a_line
from companion.words import unhyphened

if TYPE_CHECKING:
    from companion.engine.resolution import Result

Stage = tuple[str, int]  # leg and zone
ZoneEntries = tuple[str, list[tuple[int, str]]]  # the name of a zone, and its numbered entries
BASE: Stage = ("", 0)
HARMLESS = "harmless"  # hits without effect
OUT, HOME = "›", "‹"  # marks next to a zone's number for the way out and home


class Hit(TypedDict):
    """A hit on an area: its zone, its effect, the number of equal hits, and whether it was harmless."""

    where: str
    words: str
    times: int
    mild: bool


class Column(NamedTuple):
    """A column of the zone table: its head, and the fields that fill it."""

    head: str
    names: list[str]


class History:
    """The history of a mission for the sheets; empty for a sheet without a journal."""

    def __init__(self, pack: Pack, mission: Mission | None = None) -> None:
        self.pack, self.sheet = pack, pack.sheet
        zones = pack.about.print.zones
        self.zone, self.leg, self.zones = zones.zone, zones.leg, zones.index
        self.told = pack.about.print.told
        self.columns = [Column(head, names) for head, *names in zones.columns]
        self.values: dict[tuple[Stage, int], list[str]] = {}  # texts by column and zone
        self.crossed: dict[tuple[Stage, int], int] = {}  # boxes crossed off
        self.met: dict[tuple[Stage, int], list[dict[str, str]]] = {}  # each member that appeared there, field by field
        self.hits: dict[str, list[Hit]] = {}
        self.wounds: dict[str, list[str]] = {}
        self._there: dict[str, dict[str, str]] = {}  # the current contents of each slot
        self._struck: tuple[str, Hit] | None = None
        self.areas = pack.about.print.areas  # the index of areas that are hit
        states, lost = pack.about.status.people.states, pack.about.log.lost
        families = [each for each in pack.sheet.families if each in lost and "[" in each and each not in states]
        self._fates = {name for each in families for name in pack.sheet.expand(each)}
        self.posts = cut(states[0])[1] if states else ""  # the index of the men
        tables = pack.sheet.attribute(self.areas, "table").values() if self.areas else ()
        self._tables = set(map(str, tables))
        slots = {index for index in pack.sheet.index if getattr(pack.sheet.known[index], "present", "")}
        self._watched = [  # the single fields that fill a column as they change, each with its family and slot
            {
                name: (family, next((member for index, member in members if index in slots), ""))
                for family in column.names
                for name, members in (self.sheet.family(family) if f"[{self.zones}]" not in family else ())
            }
            for column in self.columns
        ]

        def wanted(entry: Entry) -> bool:
            bound = entry.get("b", {})
            return entry["v"] == "roll" and (self.areas in bound or (self.posts in bound and "c" in entry))

        for scene in scenes(mission, wanted) if mission is not None else ():
            at = self._stage(scene.state)
            self._note_columns(at, scene.entry, scene.state)
            if scene.entry["v"] == "roll":
                self._note_hit(at, scene.entry, scene.result.text if scene.result is not None else "")

    def _stage(self, state: Mapping[str, Value]) -> Stage:
        if not self.zone:
            return BASE
        legs = list(self.sheet.index.get(self.leg, ()))
        return str(state.get(self.leg) or (legs[0] if legs else "")), int(state.get(self.zone) or 0)

    def where(self, at: Stage) -> str:
        """Return a zone with the bomber's direction: `12›` out, `‹12` home."""
        if not at[1]:
            return ""
        first = next(iter(self.sheet.index.get(self.leg, ())), at[0])
        return f"{at[1]}{OUT}" if at[0] == first else f"{HOME}{at[1]}"

    def place(self, state: Mapping[str, Value]) -> str:
        """Return the location of the bomber for a heading: `Zone 11, outbound`; empty in a game without zones."""
        if not self.zone:
            return ""
        leg, zone = self._stage(state)
        label = f"{self.sheet.fields[self.zone].label} {zone}"
        return f"{label}, {unhyphened(self.sheet.label(self.leg, leg)).lower()}" if zone else label

    # -- by zone -------------------------------------------------------------------------------------------------------

    def _note_columns(self, at: Stage, entry: Entry, state: Mapping[str, Value]) -> None:
        changes = entry.get("c", {})
        for number, watched in enumerate(self._watched):
            for name in [each for each in watched if each in changes]:
                family, slot = watched[name]
                before, after = changes[name]
                said = "" if after in (None, *FREE) else str(self.sheet.say(name, after))
                if slot:
                    if name in self.sheet.presence and before != after:
                        self._there[slot] = {}
                        if said:
                            here = {one: each for one, (each, member) in watched.items() if member == slot}
                            known = {each: str(self.sheet.say(one, state.get(one, ""))) for one, each in here.items()}
                            self._there[slot].update({each: word for each, word in known.items() if word not in FREE})
                            self.met.setdefault((at, number), []).append(self._there[slot])
                    elif said and self._there.get(slot):
                        self._there[slot].setdefault(family, said)
                elif self.sheet.fields[name].kind == "boxes":
                    crossed = int(after or 0) - int(before or 0)
                    self.crossed[at, number] = self.crossed.get((at, number), 0) + crossed
                elif said and self.values.setdefault((at, number), [])[-1:] != [said]:
                    self.values[at, number].append(said)

    def cell(self, at: Stage, column: int) -> str:
        """Return the journal's text for a zone and a column; may be empty."""
        key = (at, column)
        if key in self.met:
            return ", ".join(
                " ".join(each[name] for name in self.columns[column].names if name in each) for each in self.met[key]
            )
        return str(self.crossed.get(key) or "/".join(self.values.get(key, ())))

    # -- by area and by man --------------------------------------------------------------------------------------------

    def _note_hit(self, at: Stage, entry: Entry, text: str) -> None:
        bound, table = entry.get("b", {}), str(entry["t"])
        changes = entry.get("c", {})
        printed = {name: self.sheet.fields[name].section for name in changes if name in self.sheet.fields}
        changed = any(section not in ("working", *self.told) for section in printed.values())
        changed = changed and self._fates.isdisjoint(changes)  # jumping is not another hit
        words = text or self.sheet.read_out(str(entry.get("o", "")))
        if self.posts in bound and any(f".{bound[self.posts]}" in name for name in changes):
            self.wounds.setdefault(str(bound[self.posts]), []).append(f"{self.where(at)} {words}".strip())
        if self.areas not in bound:
            self._struck = None
            return
        area = str(bound[self.areas])
        if table in self._tables:
            mild = not (changed or entry.get("p", (0, [], []))[2])
            hit = Hit(where=self.where(at), words=words, times=1, mild=mild)
            self.hits.setdefault(area, []).append(hit)
            self._struck = (area, hit)
        elif any(name.endswith(f".{area}") and section in self.told for name, section in printed.items()):
            # a hit without further effect
            self.hits.setdefault(area, []).append(Hit(where="", words=words, times=1, mild=True))
        elif changed and self._struck is not None and self._struck[0] == area:
            self._struck[1]["words"] += f"; {words}"
            self._struck[1]["mild"] = False


def together(hits: Sequence[Hit]) -> list[Hit]:
    """Merge equal hits in one zone with a count; harmless ones come last, as one."""
    seen: dict[tuple[str, str], Hit] = {}
    for hit in sorted(hits, key=lambda hit: hit["mild"]):
        each: Hit = {**hit, "where": "", "words": HARMLESS} if hit["mild"] else {**hit}
        key = (each["where"], each["words"])
        if key in seen:
            seen[key]["times"] += 1
        else:
            seen[key] = each
    return list(seen.values())


# -- the journal -------------------------------------------------------------------------------------------------------


def entry_line(entry: Entry, pack: Pack, result: Result | None = None, state: Mapping[str, Value] | None = None) -> str:
    """Return a journal entry in a line."""
    return in_a_line(describe_entry(entry, pack, result, state))


def undone(entries: Sequence[Entry], told: list[str]) -> list[str]:
    """Return lines about undone entries, the last first; the fields of a line, or the decisions of a plan, in one."""
    if all(each["v"] == "ask" for each in entries):
        return ["; ".join(reversed(told))]
    if len(entries) < 2 or any((each["v"], each["t"]) != ("choose", entries[0]["t"]) for each in entries):
        return told
    return [f"{told[0].partition(' – ')[0].partition('? ')[0]} (all {len(told)} choices)"]


def by_zone(mission: Mission, history: History) -> list[ZoneEntries]:
    """Return all rolls, decisions and edits by zone, each a numbered sentence, without automatic ones."""
    told = [
        (history.place(scene.state), (scene.number, entry_line(scene.entry, mission.game, scene.result, scene.state)))
        for scene in scenes(mission, lambda entry: not settled(entry))
        if not settled(scene.entry)
    ]
    return [(where, [line for _, line in stay]) for where, stay in groupby(told, key=lambda each: each[0])]


def shown(entries: list[Entry]) -> list[Entry]:
    """Return the entries without the automatic ones between them, unless there is nothing else."""
    return [entry for entry in entries if not settled(entry)] or entries[:1]


def entry_lines(mission: Mission, entries: Sequence[Entry]) -> list[str]:
    """Return journal entries in words, including undone ones, with the names of that time."""
    wanted, pack, whole = set(map(id, entries)), mission.game, rehearsal(mission)
    whole.journal.entries = list(mission.journal.entries)
    whole.go_to_entry(len(whole.journal.entries))
    lines = {
        id(scene.entry): entry_line(scene.entry, pack, scene.result, scene.state)
        for scene in scenes(whole, lambda entry: id(entry) in wanted)
        if id(scene.entry) in wanted
    }
    return [lines.get(id(each)) or entry_line(each, pack) for each in entries]
