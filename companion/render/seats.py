"""Who sits where: the places of the crew, with the man in each and how he is."""

from __future__ import annotations

from typing import TypedDict

from companion.engine.facts import Facts
from companion.engine.fields import FREE
from companion.packs import Pack
from companion.render.page import Control, Page, in_words


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


def rooms(pack: Pack, page: Page) -> tuple[list[Room], Room]:
    """The compartments from the nose back with their seats, and the seats that are in none of them."""
    index = pack.sheet.index
    sitting = {} if page.blank else sitting_in(pack, page.facts)
    seats: dict[str, list[Seat]] = {each: [] for each in index.get("compartment", {})}
    elsewhere: list[Seat] = []
    for position, has in index.get("position", {}).items():
        seat = seat_of(page, position, sitting.get(position, ""))
        seats.setdefault(str(has["compartment"]), []).append(seat) if "compartment" in has else elsewhere.append(seat)
    areas = index.get("area", {})
    labels = {**areas, **index.get("compartment", {})}
    compartments: list[Room] = [
        {"label": str(labels[each].get("label") or areas.get(each, {}).get("label") or in_words(each)), "seats": row}
        for each, row in seats.items()
    ]
    return compartments, {"label": "Elsewhere", "seats": elsewhere}


def sitting_in(pack: Pack, facts: Facts) -> dict[str, str]:
    """Which man sits at each place: its own unless the sheet has moved somebody."""
    positions = pack.sheet.index.get("position", {})
    moved = {place: str(facts[f"seat.{place}"]) for place in positions if f"seat.{place}" in pack.sheet.fields}
    away = {man for place, man in moved.items() if man not in FREE and man != place}
    return {
        place: man if (man := moved.get(place, "")) not in FREE else ("" if place in away else place)
        for place in positions
    }


def at_hand(page: Page, family: str, position: str, man: str) -> str:
    """The field of the man in a place: it has gone there with him, or stays under his own post."""
    return f"{family}.{position if family in page.sheet.belongings['position'] else man}"


def seat_of(page: Page, position: str, man: str) -> Seat:
    """One place: what it is called, the man in it and how he is."""
    sheet, name = page.sheet, ""
    if man and (named := at_hand(page, "name", position, man)) in sheet.fields:
        name = page.value(named)
    controls: list[Control] = []
    health, frostbite = (at_hand(page, each, position, man or position) for each in ("crew", "frostbite"))
    for family in (health, f"oxygen.{position}", frostbite):
        if family in sheet.fields:
            control = page.control(family)
            if control["k"] == "choice":
                control["options"] = [each for each in control["options"] if each[0] != "absent"]
            label = "" if control["k"] == "choice" else sheet.fields[family].heading
            controls.append({"label": label, **control})
    post = "" if man in ("", position) else in_words(str(sheet.index["position"].get(man, {}).get("label", man)))
    return {"position": page.member("position", position), "name": name, "post": post, "controls": controls}
