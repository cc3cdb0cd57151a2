"""What each printed sheet says, as data for its template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.campaign.log import BLANK, CampaignLog, Man
from companion.engine.sheet import Facts, Value
from companion.packs import Pack
from companion.printing.page import Page, plain

Data = dict[str, Any]
Sheets = Sequence[tuple[int, Mapping[str, Value]]]


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
    landing: Sequence[Data] = (),
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
    page = Page(pack.sheet, {}, about=pack.about)
    rows = [
        [str(row.mission), *(page.word(fact, _said(row.facts[fact])) for fact, _ in log.columns)] for row in log.rows
    ]
    rows = [] if blank else rows
    for at in range(len(rows) + 1, (log.length or 0) + 1):
        rows.append([str(at), *[""] * len(log.columns)])
    return {
        **head(pack, "campaign", name, paper, blank),
        "totals": [] if blank else list(totals),
        "missions": {"columns": columns, "rows": rows},
        "crew": _crew(log, blank),
        "bombers": [[""] * 4] * 4
        if blank
        else [[each.name, str(each.missions), str(each.flown), _end(each.end)] for each in log.bombers.values()],
    }


def _crew(log: CampaignLog, blank: bool) -> list[list[str]]:
    """Everyone who has held each position, the present man last; four empty lines a position on a blank sheet."""
    made: list[list[str]] = []
    for position in log.positions:
        label = plain(log.label(position))
        if blank:
            made += [[label if at == 0 else "", "", "", "", "", ""] for at in range(4)]
            continue
        men = [man for man in log.men.values() if man.position == position]
        if log.roster[position] and log.roster[position] not in log.men:
            men.append(Man(log.roster[position], position))
        for at, man in enumerate(sorted(men, key=lambda each: (not each.lost, each.mission))):
            fate = f"{log.fate(man)}, mission {man.number}" if man.lost else ", ".join(log.standing(man))
            made.append(
                [label if at == 0 else "", man.name, str(man.missions), str(man.flown), _said(man.kills or ""), fate]
            )
    return made


def crew(pack: Pack, state: Mapping[str, Value], *, name: str, paper: str, blank: bool) -> Data:
    """The Crew Placement Sheet: the declared compartments from the nose back, and who sits where."""
    page, sheet = Page(pack.sheet, state, blank=blank, about=pack.about), pack.sheet
    positions = sheet.index.get("position", {})
    sitting = _sitting(pack, state)
    rooms: dict[str, list[Data]] = {each: [] for each in sheet.index.get("compartment", {})}
    elsewhere: list[Data] = []
    for position, has in positions.items():
        seat = _seat(page, position, "" if blank else sitting.get(position, ""))
        rooms.setdefault(str(has["compartment"]), []).append(seat) if "compartment" in has else elsewhere.append(seat)
    labels = {**sheet.index.get("area", {}), **sheet.index.get("compartment", {})}
    areas = sheet.index.get("area", {})
    return {
        **head(pack, "crew", name, paper, blank),
        "compartments": [
            {"label": str(labels[each].get("label") or areas.get(each, {}).get("label") or plain(each)), "seats": seats}
            for each, seats in rooms.items()
        ],
        "elsewhere": elsewhere,
        "engines": _engines(page),
    }


def _sitting(pack: Pack, state: Mapping[str, Value]) -> dict[str, str]:
    """Which man sits at each place: its own unless the sheet has moved somebody."""
    facts, positions = Facts(pack.sheet, state), pack.sheet.index.get("position", {})
    moved = {place: str(facts[f"seat.{place}"]) for place in positions if f"seat.{place}" in pack.sheet.fields}
    away = {man for place, man in moved.items() if man not in BLANK and man != place}
    return {
        place: man if (man := moved.get(place, "")) not in BLANK else ("" if place in away else place)
        for place in positions
    }


def _seat(page: Page, position: str, man: str) -> Data:
    """One place: what it is called, the man in it and how he is."""
    sheet, said = page.sheet, ""
    if man and f"name.{man}" in sheet.fields:
        said = page.value(f"name.{man}")
    controls = []
    for family in (f"crew.{man or position}", f"oxygen.{position}", f"frostbite.{man or position}"):
        if family in sheet.fields:
            control = page.control(family)
            if control["k"] == "choice":
                control["options"] = [each for each in control["options"] if each[0] != "absent"]
            label = "" if control["k"] == "choice" else sheet.fields[family].heading
            controls.append({"label": label, **control})
    post = "" if man in ("", position) else plain(str(sheet.index["position"].get(man, {}).get("label", man)))
    return {"position": page.member("position", position), "name": said, "post": post, "controls": controls}


def _engines(page: Page) -> list[Data]:
    """The engines with their boxes, half on each wing."""
    engines = list(page.sheet.index.get("engine", {}))
    made = []
    for at, each in enumerate(engines):
        name = f"engine.{each}"
        if name in page.sheet.fields:
            control = {"k": "flag", "on": page.value(name) not in ("", "ok"), "word": ""}
            made.append({"label": each, "side": "left" if at < len(engines) / 2 else "right", "control": control})
    return made


def damage(pack: Pack, sheets: Sheets, *, name: str, paper: str, blank: bool) -> Data:
    """The Target Damage Sheet: the boxes crossed off each city; `[damage]` in the pack names the facts."""
    spec = pack.about.get("damage", {})
    cities: dict[str, Data] = {}
    for mission, state in () if blank else sheets:
        facts = Facts(pack.sheet, state)
        city = str(facts[spec["city"]]) if spec else ""
        if city in BLANK:
            continue
        held = cities.setdefault(city.casefold(), {"city": plain(city).title(), "crossed": 0, "flown": [], "best": 0})
        percent = int(facts[spec["percent"]])
        held["crossed"] += int(facts[spec["boxes"]])
        held["flown"].append(f"{mission} ({percent})" if percent else str(mission))
        held["best"] = max(held["best"], percent)
    rows = [
        {
            "city": each["city"],
            "boxes": max(10, each["crossed"] + 2),
            "crossed": each["crossed"],
            "missions": ", ".join(each["flown"]),
            "best": _said(each["best"] or ""),
        }
        for _, each in sorted(cities.items())
    ]
    used = sum(max(-(-each["boxes"] // 10), -(-len(each["missions"]) // 58)) for each in rows)  # lines a row takes
    empty = {"city": "", "boxes": 10, "crossed": 0, "missions": "", "best": ""}
    rows += [dict(empty) for _ in range(max(0, LINES[paper] - used))]
    note = str(spec.get("note", ""))
    return {**head(pack, "damage", name, paper, blank), "cities": rows, "note": note}


def _said(value: Value) -> str:
    return "" if value in BLANK else str(value)


def _end(value: str) -> str:
    return "" if value in BLANK else plain(value)
