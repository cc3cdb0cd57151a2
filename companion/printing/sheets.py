"""What each printed sheet says, as data for its template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from companion.campaign.log import BLANK, CampaignLog, Man
from companion.engine.facts import Facts
from companion.engine.fields import Value
from companion.packs import Pack
from companion.printing.page import Control, Page, in_words

Data = dict[str, object]  # what a template is fed with
Sheets = Sequence[tuple[int, Mapping[str, Value]]]  # missions in order, with their facts


class Seat(TypedDict):
    """A place in the bomber, who sits there, his own post where it is another one, and how he is."""

    position: str
    name: str
    post: str
    controls: list[Control]


class Room(TypedDict):
    """A compartment with its seats."""

    label: str
    seats: list[Seat]


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
    rolls: Sequence[str] = (),
) -> Data:
    """The Mission Log Sheet: every field that is declared in a printed section."""
    sections = Page(pack.sheet, state, blank=blank, about=pack.about).sections()
    if sections:
        sections[0]["wide"] = True
    return {
        **head(pack, "mission", campaign, paper, blank),
        "sections": sections,
        "landing": list(landing),
        "rolls": list(rolls),
    }


def campaign(pack: Pack, log: CampaignLog, totals: Sequence[str], *, name: str, paper: str, blank: bool) -> Data:
    """The Campaign Log Sheet: the missions, the men by position with what became of them, the bombers."""
    columns = [{"label": "Sheet", "numeric": True}]
    columns += [{"label": label, "numeric": log.sheet.declared(fact).numeric} for fact, label in log.columns]
    bombers = [[each.name, str(each.missions), str(each.flown), _end(each.end)] for each in log.bombers.values()]
    return {
        **head(pack, "campaign", name, paper, blank),
        "totals": [] if blank else list(totals),
        "missions": {"columns": columns, "rows": mission_rows(pack, log, blank)},
        "crew": men(log, blank),
        "bombers": [[""] * 4] * 4 if blank else bombers,
    }


def mission_rows(pack: Pack, log: CampaignLog, blank: bool) -> list[list[str]]:
    """A row a mission, and as many more as the campaign still has: which sheet, and the pack's columns in words."""
    page = Page(pack.sheet, {}, about=pack.about)
    rows = [
        [str(row.mission), *(page.word(fact, _entry(row.facts[fact])) for fact, _ in log.columns)]
        for row in ([] if blank else log.rows)
    ]
    empty = [""] * len(log.columns)
    return rows + [[str(at), *empty] for at in range(len(rows) + 1, (log.length or 0) + 1)]


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


def crew(pack: Pack, state: Mapping[str, Value], *, name: str, paper: str, blank: bool) -> Data:
    """The Crew Placement Sheet: the declared compartments from the nose back, and who sits where."""
    page = Page(pack.sheet, state, blank=blank, about=pack.about)
    compartments, elsewhere = rooms(pack, page)
    return {
        **head(pack, "crew", name, paper, blank),
        "compartments": compartments,
        "elsewhere": elsewhere["seats"],
        "engines": _engines(page),
    }


def rooms(pack: Pack, page: Page) -> tuple[list[Room], Room]:
    """The compartments from the nose back with their seats, and the seats that are in none of them."""
    index = pack.sheet.index
    sitting = {} if page.blank else _sitting(pack, page.facts)
    seats: dict[str, list[Seat]] = {each: [] for each in index.get("compartment", {})}
    elsewhere: list[Seat] = []
    for position, has in index.get("position", {}).items():
        seat = _seat(page, position, sitting.get(position, ""))
        seats.setdefault(str(has["compartment"]), []).append(seat) if "compartment" in has else elsewhere.append(seat)
    areas = index.get("area", {})
    labels = {**areas, **index.get("compartment", {})}
    compartments: list[Room] = [
        {"label": str(labels[each].get("label") or areas.get(each, {}).get("label") or in_words(each)), "seats": row}
        for each, row in seats.items()
    ]
    return compartments, {"label": "Elsewhere", "seats": elsewhere}


def _sitting(pack: Pack, facts: Facts) -> dict[str, str]:
    """Which man sits at each place: its own unless the sheet has moved somebody."""
    positions = pack.sheet.index.get("position", {})
    moved = {place: str(facts[f"seat.{place}"]) for place in positions if f"seat.{place}" in pack.sheet.fields}
    away = {man for place, man in moved.items() if man not in BLANK and man != place}
    return {
        place: man if (man := moved.get(place, "")) not in BLANK else ("" if place in away else place)
        for place in positions
    }


def _seat(page: Page, position: str, man: str) -> Seat:
    """One place: what it is called, the man in it and how he is."""
    sheet, name = page.sheet, ""
    if man and f"name.{man}" in sheet.fields:
        name = page.value(f"name.{man}")
    controls: list[Control] = []
    for family in (f"crew.{man or position}", f"oxygen.{position}", f"frostbite.{man or position}"):
        if family in sheet.fields:
            control = page.control(family)
            if control["k"] == "choice":
                control["options"] = [each for each in control["options"] if each[0] != "absent"]
            label = "" if control["k"] == "choice" else sheet.fields[family].heading
            controls.append({"label": label, **control})
    post = "" if man in ("", position) else in_words(str(sheet.index["position"].get(man, {}).get("label", man)))
    return {"position": page.member("position", position), "name": name, "post": post, "controls": controls}


def _engines(page: Page) -> list[Data]:
    """The engines with their boxes, half on each wing."""
    engines = list(page.sheet.index.get("engine", {}))
    drawn: list[Data] = []
    for at, each in enumerate(engines):
        name = f"engine.{each}"
        if name in page.sheet.fields:
            control = {"k": "flag", "on": page.value(name) not in ("", "ok"), "word": ""}
            drawn.append({"label": each, "side": "left" if at < len(engines) / 2 else "right", "control": control})
    return drawn


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
