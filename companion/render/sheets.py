"""What each printed sheet says, as data for its template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.packs import Pack
from companion.render.bomber import bomber
from companion.render.history import History
from companion.render.journal import Stretch, by_zone
from companion.render.landing import landings
from companion.render.page import Page, Section, in_words
from companion.render.seats import rooms
from companion.store.log import BLANK, CampaignLog, Man, Row

if TYPE_CHECKING:
    from companion.play.mission import Mission
    from companion.store.campaigns import Campaign

Data = dict[str, object]  # what a template is fed with
Sheets = Sequence[tuple[int, Mapping[str, Value]]]  # missions in order, with their facts


class CityLine(TypedDict):
    """A line of the Target Damage Sheet: the boxes there and crossed off, the missions, the best percentage."""

    city: str
    boxes: int
    crossed: int
    missions: str
    best: str


TITLES = {
    "mission": "Mission Log Sheet",
    "campaign": "Campaign Log Sheet",
    "crew": "Crew Placement Sheet",
    "damage": "Target Damage Sheet",
}
UNCOUNTED = 30  # lines of a campaign that has no fixed length
LINES = {"a4": 44, "letter": 41}  # cities to a page


def title(pack: Pack, kind: str) -> str:
    """What the game calls a sheet."""
    return str(pack.about.get("print", {}).get(kind, TITLES[kind]))


def lacking(pack: Pack, kind: str) -> bool:
    """Whether the game has nothing to put on such a sheet."""
    return (kind == "damage" and "damage" not in pack.about) or (kind == "crew" and "position" not in pack.sheet.index)


def head(pack: Pack, kind: str, campaign: str, paper: str, blank: bool) -> Data:
    """What stands at the top and foot of every sheet."""
    return {
        "game": str(pack.about.get("title", pack.name)),
        "title": title(pack, kind),
        "campaign": "" if blank else campaign,
        "blank": blank,
        "paper": paper,
        "foot": "Bomber companion",
        "codes": [],
    }


def mission(
    pack: Pack,
    state: Mapping[str, Value],
    *,
    campaign: str = "",
    paper: str = "a4",
    blank: bool = False,
    landing: Sequence[Mapping[str, object]] = (),
    rolls: Sequence[Stretch] = (),
    history: History | None = None,
) -> Data:
    """The Mission Log Sheet: a page of the mission (its zones, its men, what was hit), and a page of the bomber."""
    page = Page(pack.sheet, state, blank=blank, about=pack.about)
    layout = pack.about.get("print", {})
    told, beside = layout.get("told", ()), layout.get("bomber", ())
    sections = [each for each in page.sections() if each["id"] not in told]
    notes = [each for each in sections if not (each["tables"] or each["grids"]) and _lists(each)]
    rest = [each for each in sections if each not in notes]
    history = history or History(pack)
    return {
        **head(pack, "mission", campaign, paper, blank),
        "top": rest[0] if rest else None,
        "zones": zones(page, history) if "zones" in layout else None,
        "wide": [each for each in rest[1:] if each["wide"] and each["id"] not in beside and each["tables"]],
        "narrow": [each for each in rest[1:] if not (each["wide"] and each["tables"]) and each["id"] not in beside],
        "whose": whose(page),
        "bomber": bomber(pack, page, history),
        "systems": [each for each in rest if each["id"] in beside],
        "hits": [
            {"label": page.member("area", each), "items": history.of_area(page, each)}
            for each in pack.sheet.index.get("area", ())
        ],
        "notes": notes,
        "landing": list(landing),
        "rolls": list(rolls),
    }


def of_flight(used: Campaign, pack: Pack, flown: Mission, *, paper: str, rolls: bool = False) -> Data:
    """The Mission Log Sheet of a mission that was flown, with the codes that bring it back; `rolls`: every roll too."""
    from companion.render.codes import pictures
    from companion.store.snapshot import codes, of_mission

    history = History(pack, flown)
    data = mission(
        pack,
        flown.state,
        campaign=used.name,
        paper=paper,
        landing=landings(pack, flown),
        rolls=by_zone(pack, flown, history) if rolls else (),
        history=history,
    )
    data["codes"] = pictures(codes(of_mission(used, flown)))
    return data


def _lists(section: Section) -> bool:
    return all(each["k"] == "list" for each in section["fields"])


def zones(page: Page, history: History) -> Data:
    """The zones of the flight, a row each, with the way out and the way home beside each other."""
    index = page.sheet.index
    ways = list(index.get(history.leg, ()))
    rows = [(each, [history.row(page, (way, int(each))) for way in ways]) for each in index[history.zones]]
    flown = [at for at, (_, cells) in enumerate(rows, 1) if any(map(any, cells))]
    return {
        "ways": [page.member(history.leg, each) for each in ways],
        "columns": [each.head for each in history.columns],
        "rows": [{"zone": zone, "cells": cells} for zone, cells in rows[: max(flown, default=len(rows))]],
    }


def campaign(pack: Pack, log: CampaignLog, totals: Sequence[str], *, name: str, paper: str, blank: bool) -> Data:
    """The Campaign Log Sheet: the missions, the crew and its service; then the men and bombers that went before."""
    columns = [{"label": "Sheet", "kind": "number"}]
    columns += [{"label": label, "kind": _kind(log, fact)} for fact, label in log.columns]
    bombers = [[each.name, str(each.missions), str(each.flown), _end(each.end)] for each in log.bombers.values()]
    past = len(log.bombers) > 1 or any(man.lost for man in log.men.values())
    return {
        **head(pack, "campaign", name, paper, blank),
        "totals": [] if blank else list(totals),
        "columns": columns,
        "rows": mission_rows(pack, log, blank),
        "length": log.length or 0,
        "score": [] if blank else [{"label": who, "many": log.results[side]} for side, who in log.sides.items()],
        "crew": [_service(log, position, blank) for position in log.positions],
        "men": men(log, blank) if past or blank and log.positions else [],
        "bombers": [[""] * 4] * 4 if blank and log.positions else bombers if past else [],
    }


def _kind(log: CampaignLog, fact: str) -> str:
    """How a column is drawn: a percentage as a bar, a number worked out as so many marks, and others as they are.
    A word is one of a few, and needs no room for a name."""
    if fact == log.spec.get("average"):
        return "percent"
    declared = log.sheet.declared(fact)
    if not declared.numeric:
        return "word" if declared.values else "text"
    return "marks" if fact in log.sheet.derived and log.positions else "number"


def _service(log: CampaignLog, position: str, blank: bool) -> Data:
    """The man who holds a position now, his missions and claims."""
    man = log.man(position)
    standing = f"{log.fate(man)}, mission {man.number}" if man.lost else ", ".join(log.standing(man))
    empty: Data = {"position": in_words(log.label(position)), "name": "", "missions": 0, "kills": 0, "standing": ""}
    if blank:
        return empty
    return {**empty, "name": man.name, "missions": man.missions, "kills": man.kills, "standing": standing}


def mission_rows(pack: Pack, log: CampaignLog, blank: bool) -> list[list[str]]:
    """A row a mission, and as many more as the campaign still has: which sheet, and the pack's columns in words."""
    page = Page(pack.sheet, {}, about=pack.about)
    rows = [
        [
            str(row.mission),
            *(page.word(fact, "" if _untold(row, fact) else _entry(row.facts[fact])) for fact, _ in log.columns),
        ]
        for row in ([] if blank else log.rows)
    ]
    empty = [""] * len(log.columns)
    return rows + [[str(at), *empty] for at in range(len(rows) + 1, (log.length or UNCOUNTED) + 1)]


def _untold(row: Row, fact: str) -> bool:
    """Whether a figure was never written, and is no more than where its count begins."""
    return fact in row.unsaid and row.facts[fact] == 0


def men(log: CampaignLog, blank: bool) -> list[list[str]]:
    """Everyone who has held each position, the present man last; four empty lines a position on a blank sheet."""
    rows: list[list[str]] = []
    for position in log.positions:
        label = in_words(log.label(position))
        if blank:
            rows += [[label if at == 0 else "", "", "", "", "", ""] for at in range(4)]
            continue
        holders = [man for man in log.men.values() if man.position == position]
        if log.roster[position] and log.roster[position] not in log.men:
            holders.append(Man(log.roster[position], position))
        for at, man in enumerate(sorted(holders, key=lambda each: (not each.lost, each.mission))):
            fate = f"{log.fate(man)}, mission {man.number}" if man.lost else ", ".join(log.standing(man))
            figures = [str(man.missions), str(man.flown), _entry(man.kills or "")]
            rows.append([label if at == 0 else "", man.name, *figures, fate])
    return rows


def crew(
    pack: Pack,
    state: Mapping[str, Value],
    *,
    name: str,
    paper: str,
    blank: bool,
    history: History | None = None,
) -> Data:
    """The Crew Placement Sheet: the bomber in outline, who sits where, and what struck it."""
    page = Page(pack.sheet, state, blank=blank, about=pack.about)
    compartments, elsewhere = rooms(pack, page)
    return {
        **head(pack, "crew", name, paper, blank),
        "whose": whose(page),
        "compartments": [] if "outline" in pack.about.get("print", {}) else compartments,
        "elsewhere": elsewhere["seats"],
        "bomber": bomber(pack, page, history or History(pack)),
        "systems": [each for each in page.sections() if each["id"] in pack.about.get("print", {}).get("bomber", ())],
    }


def whose(page: Page) -> list[str]:
    """The bomber's name and its mission, for a page that shows the bomber alone."""
    names = [name for name in ("aircraft.name", "mission.number") if name in page.sheet.fields]
    return [f"{page.sheet.fields[name].label}: {page.value(name) or '_' * 12}" for name in names]


def damage(pack: Pack, sheets: Sheets, *, name: str, paper: str, blank: bool) -> Data:
    """The Target Damage Sheet: the boxes crossed off each city, and empty lines to the end of the page."""
    rows = [] if blank else cities(pack, sheets)
    used = sum(max(-(-each["boxes"] // 10), -(-len(each["missions"]) // 58)) for each in rows)  # lines a row takes
    rows += empty_cities(LINES[paper] - used)
    note = str(pack.about.get("damage", {}).get("note", ""))
    return {**head(pack, "damage", name, paper, blank), "cities": rows, "note": note}


def empty_cities(count: int) -> list[CityLine]:
    """So many lines to fill in by hand, none where there is no room."""
    return [{"city": "", "boxes": 10, "crossed": 0, "missions": "", "best": ""} for _ in range(count)]


def cities(pack: Pack, sheets: Sheets) -> list[CityLine]:
    """What was done to each city, by name; `[damage]` in the pack names the facts."""
    spec = pack.about.get("damage", {})
    lines: dict[str, CityLine] = {}
    best: dict[str, int] = {}
    for mission, state in sheets:
        facts = Facts(pack.sheet, state)
        city = str(facts[spec["city"]]) if spec else ""
        if city in BLANK:
            continue
        key, percent = city.casefold(), int(facts[spec["percent"]])
        line = lines.setdefault(key, {**empty_cities(1)[0], "city": in_words(city).title()})
        line["crossed"] += int(facts[spec["boxes"]])
        flown = f"{mission} ({percent})" if percent else str(mission)
        line["missions"] += f", {flown}" if line["missions"] else flown
        best[key] = max(best.get(key, 0), percent)
    for key, line in lines.items():
        line["boxes"] = max(10, line["crossed"] + 2)
        line["best"] = _entry(best[key] or "")
    return [line for _, line in sorted(lines.items())]


def _entry(value: Value) -> str:
    """A value as it is written, nothing where there is none."""
    return "" if value in BLANK else str(value)


def _end(value: str) -> str:
    return "" if value in BLANK else in_words(value)
