"""The board's picture: the bomber with its fighters and men, the track of zones, or the squares of a map."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from html import escape
from math import cos, radians, sin
from typing import NamedTuple

from companion.engine.fields import FREE
from companion.engine.sheet import Member, of_member
from companion.play.plan import key_of, wave_of
from companion.render.bomber_svg import FRAME, crosses, for_board, state, summary
from companion.render.options import Prompt
from companion.render.plan_prompt import PlanPrompt
from companion.render.sheet_model import Bomber, Seat, SheetModel
from companion.store.session import Session
from companion.words import unhyphened

LETTERS = 13  # the most characters of a name in the drawing
LINE = 9.0  # millimeters between two lines of text
ROW, APART = 24.0, 42.0  # millimeters between two fighters above one another, ahead or astern, and at the sides
WING = 50.0, 80.0  # its place along the hull
FOE = "M0-11 3-3 11 1 3 3 2 8-2 8-3 3-11 1-3-3z"
ANGLES = {"dive": 0.0, "climb": 180.0}  # where the positions without an hour are drawn


def picture(
    session: Session, prompt: Prompt | None, touched: Collection[str], seen: Container[str] | None
) -> dict[str, object]:
    """Return the picture for a viewer, who may see the fields `seen` (None: all); what was `touched` is marked."""
    mission = session.mission
    model = SheetModel(session.pack, mission.state, mission if seen is None else None, seen=seen)
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
            words.append(_text("number", x, y + 14, [each["label"].split()[-1]], "middle"))
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
    left, top, wide, tall = map(float, FRAME.split())
    names, men = _men(bomber, model, touched)
    foes = _foes(model, session, (left + wide / 2, top + tall / 2), (wide / 2 + 22, tall / 2 + 11), names)
    drawn += [*_aims(prompt, bomber, foes), *men]
    words += [each.drawn for each in foes.values()]
    waiting = f" Fighters: {'; '.join(each.told for each in foes.values())}." if foes else ""
    across = max([2, *(24 + (each.x < left or each.x > left + wide) * 24 for each in foes.values())])
    high = min([top - 2, names - 9, *(each.y - 13 for each in foes.values())])
    low = max([top + tall + 2, *(each.y + 33 for each in foes.values())])
    frame = f'viewBox="{left - across:g} {high:.4g} {wide + 2 * across:g} {low - high:.4g}"'
    said = escape(summary(bomber) + waiting)
    return f'<svg class="bomber" {frame} role="img" aria-label="{said}">{"".join(drawn)}{"".join(words)}</svg>'


def _men(bomber: Bomber, model: SheetModel, touched: Collection[str]) -> tuple[float, list[str]]:
    """Return the top of the names next to the hull, and each man at his seat; a hurt man also has his state."""
    outline, top, drawn = model.layout.outline, WING[0], list[str]()
    sides: dict[str, list[tuple[str, float, float, Seat]]] = {"end": [], "start": []}
    for position, ((x, y, *_), seat) in zip(outline.seats, bomber["cards"], strict=False):
        left = x < outline.nose[0] or (x == outline.nose[0] and len(sides["end"]) < len(sides["start"]))
        sides["end" if left else "start"].append((position, x, y, seat))
    propellers = min(each["at"][1] for each in bomber["engines"]) - LINE
    for anchor, men in sides.items():
        at = outline.nose[0] + (-12 if anchor == "end" else 12)
        heights = _beside([y for _, _, y, _ in men], propellers)
        top = min([top, *heights])
        for (position, x, y, seat), beside in zip(men, heights, strict=True):
            field = of_member(model.crew.states[0], model.posts, position)
            word, name = state(seat), seat["name"] or seat["position"]
            hot = " hot" if field in touched else ""
            kind = f"man{' hurt' if word else ''}{' down' if seat['down'] else ''}{hot}"
            called = name.split()[-1]
            called = called if len(called) <= LETTERS else f"{called[: LETTERS - 1]}…"
            told = f"{seat['position']} {seat['name']}{': ' if word else ''}{word}"
            label = _text("name", at, beside + 2.5, [f"{called}: {word}" if word else called], anchor)
            drawn.append(
                f'<g class="{kind}" data-f="{field}"><title>{escape(told)}</title>'
                f'<path class="lead" d="M{at:g} {beside:g}L{x:g} {y:g}"/>'
                f'<circle cx="{x:g}" cy="{y:g}" r="2.6"/>{label}</g>'
            )
    return top, drawn


def _beside(seats: Sequence[float], propellers: float) -> list[float]:
    """Return the heights of the names next to seats from the nose on, clear of propellers and wing."""
    ahead = [each for each in seats if each < WING[0]]
    names = [min(propellers, ahead[-1] - LINE) - LINE * at for at in range(len(ahead))][::-1] if ahead else []
    for each in seats[len(ahead) :]:
        behind = each + 12 if each < WING[1] else each
        names.append(max(behind, names[-1] + LINE) if names else behind)
    return names


class Foe(NamedTuple):
    """A fighter at its clock position: its place, its drawing with its label, and its description."""

    x: float
    y: float
    drawn: str
    told: str


def _foes(
    model: SheetModel, session: Session, middle: tuple[float, float], reach: tuple[float, float], names: float
) -> dict[str, Foe]:
    """Return the fighters of the wave, by member: ahead (above the `names`) and astern in rows of two, else by side."""
    wave, sheet = session.pack.about.at_table.wave, session.pack.sheet
    member = sheet.known.get(wave.index)
    if not wave.at or not isinstance(member, Member):
        return {}
    groups = dict[tuple[int, int], list[tuple[float, str, float, list[str], str]]]()
    for each, told in wave_of(session.mission)[1].items():
        name, where = member.present.format(each), [of_member(field, wave.index, each) for field in wave.at]
        clock, angle = (model.written(field) for field in where)
        if model.sees(name):
            turn = ANGLES.get(clock, _degrees(clock))
            right, ahead = sin(radians(turn)), cos(radians(turn))
            aside = (right > 0.1) - (right < -0.1)
            words = [f"{each} {model.word(name, model.written(name))}", model.word(where[1], angle) or clock]
            group = groups.setdefault((aside, 0 if aside else -1 if ahead > 0 else 1), [])
            group.append((-ahead * reach[1], each, turn, words, told))
    foes = dict[str, Foe]()
    for (aside, astern), group in groups.items():
        heights = _apart(sorted(height for height, *_ in group))
        for at, (_, each, turn, words, told) in enumerate(sorted(group)):
            if aside:
                x, y = middle[0] + aside * reach[0], middle[1] + heights[at]
                label = _text("foe", x, y + 21, words, "middle")
            else:
                way = 0 if at == len(group) - 1 and not at % 2 else 14 if at % 2 else -14
                x, y = middle[0] + way, middle[1] + astern * (reach[1] + at // 2 * ROW)
                y -= (astern < 0) * max(0.0, middle[1] - reach[1] + ROW - 4 - names)
                label = _text("foe", x + (13 if way >= 0 else -13), y, words, "start" if way >= 0 else "end")
            shape = (
                f'<g class="foe" data-foe="{each}"><circle class="part" cx="{x:.4g}" cy="{y:.4g}" r="14"/>'
                f'<path transform="translate({x:.4g} {y:.4g}) rotate({turn + 180:g})" d="{FOE}"/></g>'
            )
            foes[each] = Foe(x, y, shape + label, f"{each} {told}")
    return dict(sorted(foes.items()))


def _apart(wanted: Sequence[float]) -> list[float]:
    """Return heights as near to those wanted, which ascend, as their labels allow."""
    heights = list[float]()
    for each in wanted:
        heights.append(max(each, heights[-1] + APART) if heights else each)
    over = (sum(heights) - sum(wanted)) / len(heights)
    return [each - over for each in heights]


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


def _text(kind: str, x: float, y: float, lines: Iterable[str], anchor: str = "start") -> str:
    spans = "".join(
        f'<tspan x="{x:.4g}" dy="{LINE if at else 0:g}">{escape(line)}</tspan>' for at, line in enumerate(lines) if line
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
    fields = {name: model.sheet.fields[name] for name in filter(model.sees, spec.fuel)}
    fuel = [
        {"name": name, "label": field.label, "of": field.limit or 0, "spent": int(model.written(name) or 0)}
        for name, field in fields.items()
    ]
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

    def marks(of: str, member: str) -> list[str]:
        kept = [each for each in spec.marks if each.endswith(f"[{of}]")]
        return [model.heading(each) for each in kept if model.written(of_member(each, of, member)) == "yes"]

    drawn = []
    for target in sheet.index[spec.index]:
        piles = dict[str, list[str]]()
        for card, has in sheet.index[index].items():
            if model.written(of_member(spec.cards, index, card)) == target:
                side = str(has.get(spec.side, ""))
                label = " ".join([sheet.label(index, card), *(f"({each.lower()})" for each in marks(index, card))])
                piles.setdefault(str(sides.get(side, {}).get("label", side)), []).append(label)
        drawn.append(
            {
                "name": sheet.label(spec.index, target),
                "points": model.written(of_member(spec.points, spec.index, target)) if spec.points else "",
                "here": bool(spec.here) and model.written(spec.here) == target,
                "piles": piles,
                "marks": marks(spec.index, target),
            }
        )
    return drawn
