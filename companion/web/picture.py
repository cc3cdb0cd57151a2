"""The board's picture: the bomber with its fighters and men, the track of zones, or the squares of a map."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping
from html import escape
from math import cos, radians, sin
from typing import NamedTuple

from companion.engine.fields import FREE
from companion.engine.sheet import Member, of_member
from companion.play.plan import key_of, wave_of
from companion.render.bomber_svg import FRAME, crosses, for_board, number, state, summary
from companion.render.history import History
from companion.render.options import Prompt
from companion.render.plan_prompt import PlanPrompt
from companion.render.sheet_model import Bomber, SheetModel
from companion.store.session import Session
from companion.words import unhyphened

LETTERS = 13  # the most characters of a name in the drawing
APART = 25.0  # millimeters between two fighters at one position
WING = 50.0, 80.0  # its place along the hull
FOE = "M0-11 3-3 11 1 3 3 2 8-2 8-3 3-11 1-3-3z"
NEAR = {"dive": (-34.0, 0.62), "climb": (146.0, 0.7)}  # positions above and below, as an angle and a distance


def picture(
    session: Session, prompt: Prompt | None, touched: Collection[str], seen: Container[str] | None
) -> dict[str, object]:
    """Return the picture for a viewer, who may see the fields `seen` (None: all); what was `touched` is marked."""
    history = History(session.pack, session.mission if seen is None else None)
    model = SheetModel(session.pack, session.mission.state, history=history, seen=seen)
    bomber = model.bomber() if session.pack.about.print.outline else None
    drawn = bomber_svg(bomber, model, session, prompt, touched) if bomber else ""
    return {"bomber": drawn, "track": track(model), "squares": squares(model)}


# -- the bomber --------------------------------------------------------------------------------------------------------


def bomber_svg(
    bomber: Bomber, model: SheetModel, session: Session, prompt: Prompt | None, touched: Collection[str]
) -> str:
    """Return the bomber from above, with the wave around it. A part has its field in `data-f`."""
    outline, words = session.pack.about.print.outline, list[str]()
    drawn = [for_board(bomber)]
    for each in bomber["areas"]:
        hot = ' class="hot"' if any(f".{each['name']}" in name for name in touched) else ""
        drawn.append(f"<g{hot}><title>{escape(each['label'])}</title>{crosses(each)}</g>")
    for each in (*bomber["parts"], *bomber["engines"], *bomber["turrets"]):
        x, y, *size = each["at"]
        if each["name"] in outline.engines:
            words.append(_text("number", x, y + 14, [number(each)], "middle"))
            x, y, size = x - 5, y, [10, 19]
        elif each["name"] in outline.turrets:
            x, y, size = x - 6, y - 6, [12, 12]
        gun = each["name"].rpartition(".")[2] if each["name"] in outline.turrets else ""
        hot = " hot" if each["name"] in touched else ""
        what = f"{each['label']}{': ' if each['word'] else ''}{each['word']}"
        drawn.append(
            f'<rect class="part{hot}" data-f="{each["name"]}" data-gun="{gun}" x="{x:g}" y="{y:g}" '
            f'width="{size[0]:g}" height="{size[1]:g}" rx="2"><title>{escape(what)}</title></rect>'
        )
    drawn += _men(bomber, model, touched)
    left, top, wide, tall = map(float, FRAME.split())
    foes = _foes(model, session, (left + wide / 2, top + tall / 2), (wide / 2 + 22, tall / 2 + 11))
    drawn += _aims(prompt, bomber, foes)
    words += [each.drawn for each in foes.values()]
    waiting = f" Fighters: {'; '.join(each.told for each in foes.values())}." if foes else ""
    across, down = (46, 24) if foes else (2, 2)
    frame = f'viewBox="{left - across:g} {top - down:g} {wide + 2 * across:g} {tall + 2 * down:g}"'
    said = escape(summary(bomber) + waiting)
    return f'<svg class="bomber" {frame} role="img" aria-label="{said}">{"".join(drawn)}{"".join(words)}</svg>'


def _men(bomber: Bomber, model: SheetModel, touched: Collection[str]) -> Iterable[str]:
    """Yield each man at his seat, with his name next to the hull; a hurt man also has his state."""
    outline, low = model.layout.outline, {"end": 0.0, "start": 0.0}
    seats = zip(outline.seats, bomber["cards"], strict=False)
    for position, ((x, y, *_), seat) in sorted(seats, key=lambda each: each[1][0][1]):
        field = of_member(model.crew.states[0], model.posts, position)
        word, name = state(seat), seat["name"] or seat["position"]
        hot = " hot" if field in touched else ""
        kind = f"man{' hurt' if word else ''}{' down' if seat['down'] else ''}{hot}"
        side = outline.nose[0]
        anchor = "end" if x < side or (x == side and low["end"] < low["start"]) else "start"
        clear = max(y - 14, WING[0] / 3) if y < WING[0] else y + 12 if y < WING[1] else y  # of engines and wing
        at, low[anchor] = side + (-12 if anchor == "end" else 12), max(clear, low[anchor] + 9)
        called = _short(name.split()[-1])
        told = f"{seat['position']} {seat['name']}{': ' if word else ''}{word}"
        label = _text("name", at, low[anchor] + 2.5, [f"{called}: {word}" if word else called], anchor)
        yield (
            f'<g class="{kind}" data-f="{field}"><title>{escape(told)}</title>'
            f'<path class="lead" d="M{at:g} {low[anchor]:g}L{x:g} {y:g}"/>'
            f'<circle cx="{x:g}" cy="{y:g}" r="2.6"/>{label}</g>'
        )


class Foe(NamedTuple):
    """A fighter at its clock position: its place, its drawing with its label, and its description."""

    x: float
    y: float
    drawn: str
    told: str


def _foes(
    model: SheetModel, session: Session, middle: tuple[float, float], reach: tuple[float, float]
) -> dict[str, Foe]:
    """Return the fighters of the wave around the bomber, by member."""
    wave, sheet = session.pack.about.at_table.wave, session.pack.sheet
    member = sheet.known.get(wave.index)
    if not wave.at or not isinstance(member, Member):
        return {}
    foes, there = dict[str, Foe](), dict[str, int]()
    for each, told in wave_of(session.mission)[1].items():
        name, where = member.present.format(each), [of_member(field, wave.index, each) for field in wave.at]
        clock, angle = (model.written(field) for field in where)
        if not model.sees(name):
            continue
        turn, far = NEAR.get(clock, (_degrees(clock), 1.0))
        same = there[clock] = there.get(clock, -1) + 1
        x = middle[0] + sin(radians(turn)) * reach[0] * far
        y = middle[1] - cos(radians(turn)) * reach[1] * far
        upright, aslant = abs(sin(radians(turn))) < 0.1, abs(sin(2 * radians(turn))) > 0.9
        x += (x - middle[0]) * 0.25 * aslant  # clear of the names
        step = (same + 1) // 2 * (1 if same % 2 else -1)
        x, y = (x + step * 2.4 * APART, y) if upright else (x, y + step * APART)
        words = [f"{each} {model.word(name, model.written(name))}", model.word(where[1], angle) or clock]
        at, anchor = (x + 12, "start") if upright else (x, "middle")
        label = _text("foe", at, y - 1 if upright else y + 17, words, anchor)
        shape = (
            f'<g class="foe" data-foe="{each}"><circle class="part" cx="{x:.4g}" cy="{y:.4g}" r="14"/>'
            f'<path transform="translate({x:.4g} {y:.4g}) rotate({turn + 180:g})" d="{FOE}"/></g>'
        )
        foes[each] = Foe(x, y, shape + label, f"{each} {told}")
    return foes


def _degrees(clock: str) -> float:
    """Return the angle of a clock position: `10:30` is 315."""
    hour, _, minute = clock.partition(":")
    return (int(hour) % 12) * 30 + int(minute or 0) / 2 if hour.isdigit() else 0


def _aims(prompt: Prompt | None, bomber: Bomber, foes: Mapping[str, Foe]) -> Iterable[str]:
    """Yield a line from each gun to the fighter that it is planned to fire at."""
    if not isinstance(prompt, PlanPrompt):
        return
    turrets = {each["name"].rpartition(".")[2]: each["at"] for each in bomber["turrets"]}
    for place in prompt.places:
        gun, foe = turrets.get(key_of(place.item)), foes.get(str(place.planned.bind.get(prompt.index, "")))
        if gun and foe:
            yield f'<path class="aim" d="M{gun[0]:g} {gun[1]:g}L{foe.x:.4g} {foe.y:.4g}"/>'


def _short(name: str) -> str:
    return name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"


def _text(kind: str, x: float, y: float, lines: Iterable[str], anchor: str = "start") -> str:
    spans = "".join(
        f'<tspan x="{x:.4g}" dy="{8.5 if at else 0}">{escape(line)}</tspan>' for at, line in enumerate(lines) if line
    )
    return f'<text class="{kind.strip()}" text-anchor="{anchor}" x="{x:.4g}" y="{y:.4g}">{spans}</text>'


# -- the track and the map ---------------------------------------------------------------------------------------------


def track(model: SheetModel) -> dict[str, object]:
    """Return the way to the target with the weather met, and the fuel; empty without zones, or if they are hidden."""
    spec, facts = model.layout.zones, model.facts
    if not spec or not spec.target or not model.sees(spec.zone):
        return {}
    legs = list(model.sheet.index[spec.leg])
    here, leg = int(facts[spec.zone] or 0), str(facts[spec.leg])
    last, home = max(int(facts[spec.target] or 0), here, 1), leg == legs[-1]
    zones = [
        {"flown": at >= here if home else at <= here, "weather": _weather(model, at, last, leg)}
        for at in range(last + 1)
    ]
    met = [f"{each['weather']} weather in zone {at}" for at, each in enumerate(zones) if each["weather"]]
    target = f"target in zone {facts[spec.target]}" if facts[spec.target] not in FREE else ""
    way = unhyphened(model.sheet.label(spec.leg, leg)).lower()
    fuel = []
    for name in filter(model.sees, spec.fuel):
        field = model.sheet.fields[name]
        fuel.append(
            {"name": name, "label": field.label, "of": field.limit or 0, "spent": int(model.written(name) or 0)}
        )
    words = ", ".join(filter(None, [f"Zone {here} of {last}", way, target, *met]))
    return {"zones": zones, "here": here, "home": home, "words": words, "field": spec.zone, "fuel": fuel}


def _weather(model: SheetModel, zone: int, last: int, leg: str) -> str:
    """Return the weather met in a zone, of this leg if it is known; empty for the first value, the good one."""
    spec, sheet = model.layout.zones, model.sheet
    families = [spec.weather] if spec.weather else []
    families += [name for name, at in zip(spec.weather_ends, (0, last), strict=False) if at == zone]
    for family in families:
        for way in dict.fromkeys((leg, *sheet.index[spec.leg])):
            name = of_member(of_member(family, spec.leg, way), spec.index, str(zone)) if "[" in family else family
            if name in model.facts.given and model.sees(name) and (word := model.written(name)) not in FREE:
                return "" if word == sheet.fields[name].values[0] else word
    return ""


def squares(model: SheetModel) -> list[dict[str, object]]:
    """Return the named squares of the map with their cards by side; empty in a game without a map."""
    spec, sheet = model.pack.about.at_table.squares, model.sheet
    if not spec:
        return []
    index = spec.cards.partition("[")[2].rstrip("]")
    sides = sheet.index.get(spec.side, {})
    drawn = []
    for target in sheet.index[spec.index]:
        piles = dict[str, list[str]]()
        for card, has in sheet.index[index].items():
            if model.written(of_member(spec.cards, index, card)) == target:
                side = str(has.get(spec.side, ""))
                piles.setdefault(str(sides.get(side, {}).get("label", side)), []).append(sheet.label(index, card))
        marked = [each for each in spec.marks if model.written(of_member(each, spec.index, target)) == "yes"]
        drawn.append(
            {
                "name": sheet.label(spec.index, target),
                "points": model.written(of_member(spec.points, spec.index, target)) if spec.points else "",
                "here": bool(spec.here) and model.written(spec.here) == target,
                "piles": piles,
                "marks": list(map(model.heading, marked)),
            }
        )
    return drawn
