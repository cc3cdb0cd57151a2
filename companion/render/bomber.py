"""The bomber in outline as data for its template: who sits where, what is out, and what struck it, at their places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypedDict

from companion.engine.fields import FREE
from companion.packs import Pack
from companion.render.history import History, Hit
from companion.render.page import NEUTRAL, Page, in_words
from companion.render.seats import Seat, at_hand, seat_of, sitting_in

if TYPE_CHECKING:
    from companion.engine.spec import Spec


class Card(TypedDict):
    """A seat and the card beside the outline: who sits there, how he is, and what befell him."""

    at: list[float]
    seat: Seat
    down: bool  # whether nobody sits there who can do his duty
    wounds: list[str]


class Mark(TypedDict):
    """An engine, a turret or another part at its place: what it is called, and what is the matter with it."""

    at: list[float]
    label: str
    word: str


class Struck(TypedDict):
    """An area with its hits, in the room that the outline leaves for them."""

    at: list[float]
    label: str
    items: list[Hit]


class Bomber(TypedDict):
    """The outline, and everything that stands in it."""

    outline: Mapping[str, object]
    cards: list[Card]
    engines: list[Mark]
    turrets: list[Mark]
    parts: list[Mark]
    hits: list[Struck]


def bomber(pack: Pack, page: Page, history: History) -> Bomber | None:
    """The bomber of the game as its sheet stands; nothing where the pack has no outline of it."""
    outline: Spec | None = pack.about.get("print", {}).get("outline")
    if outline is None:
        return None
    return {
        "outline": {key: outline.get(key, []) for key in ("size", "hull", "wing", "tailplane", "walls")},
        "cards": _cards(pack, page, history, outline.get("seats", {})),
        "engines": [_mark(page, f"engine.{each}", at, each) for each, at in outline.get("engines", {}).items()],
        "turrets": [
            _mark(page, f"gun.{each}", at, page.member("gun", each)) for each, at in outline.get("turrets", {}).items()
        ],
        "parts": [_mark(page, name, at, _called(page, name)) for name, at in outline.get("parts", {}).items()],
        "hits": [
            {"at": at, "label": page.member("area", area), "items": history.of_area(page, area)}
            for area, at in outline.get("hits", {}).items()
        ],
    }


def _cards(pack: Pack, page: Page, history: History, seats: Mapping[str, list[float]]) -> list[Card]:
    sitting = {} if page.blank else sitting_in(pack, page.facts)
    cards: list[Card] = []
    for position, at in seats.items():
        man = sitting.get(position, "")
        fit = page.value(at_hand(page, "crew", position, man)) if man else "absent"
        cards.append(
            {
                "at": at,
                "seat": seat_of(page, position, man),
                "down": not page.blank and fit not in ("", "ok", "light"),
                "wounds": [] if page.blank else history.wounds.get(man, []),
            }
        )
    return cards


def _mark(page: Page, name: str, at: list[float], label: str) -> Mark:
    """What is the matter with a part: nothing while it is as it was at the start."""
    field = page.sheet.fields[name]
    value = page.value(name)
    as_ever = value in (*FREE, *NEUTRAL, "0", str(field.blank))
    return {"at": at, "label": label, "word": "" if as_ever else page.word(name, value)}


def _called(page: Page, name: str) -> str:
    """A part by its label, short of the member that its place shows."""
    return in_words(page.sheet.text(name).partition(",")[0])
