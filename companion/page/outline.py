"""The bomber from above as a drawing for a screen: lines, marks and words at the places that the pack gives them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from math import cos, radians, sin
from typing import NamedTuple, TypedDict, cast

from companion.render.bomber import Bomber, Card, Mark, Struck
from companion.words import series

Point = tuple[float, float]
LETTERS = 15  # to a line of a card
WORDS = 11  # letters to a line beside an area
CROSSES = 8  # in a row beside an area, and there are two rows
CARD, TALL, LINE = 40.0, 12.4, 5.2  # millimetres of a card, and from line to line


class Text(NamedTuple):
    """A line of words: how it is set, where it begins, what it says."""

    kind: str
    x: str
    y: str
    words: str


class Drawing(TypedDict):
    """All of it, in millimetres: paths, each with what kind of line it is, the lower ones first, and words above them;
    `summary` is what it shows, in words."""

    size: Sequence[float]
    summary: str
    paths: list[tuple[str, str]]
    texts: list[Text]


class Shape(NamedTuple):
    """A thing that can be out of order: its outline, the cross over it, and whether it is crossed."""

    path: str
    cross: str
    out: bool


def drawing(bomber: Bomber) -> Drawing:
    """The bomber as it is drawn. Kinds of lines: `h` is the outline, `n` a thing, `p` a tank or a bay, `l` a thin line,
    `o` is red, `k` filled; kinds of words: `e` is a number, `o` red, `k` red and
    large."""
    outline = cast(Mapping[str, Sequence[Sequence[float]]], bomber["outline"])
    size = cast(Sequence[float], outline["size"])
    middle, hull, cards = size[0] / 2, outline["hull"], bomber["cards"]
    wings = [
        _closed([(middle + side * x, y) for x, y in outline[each]])
        for each in ("wing", "tailplane")
        for side in (-1, 1)
    ]
    engines = [_engine(each, middle) for each in bomber["engines"]]
    parts, guns = [_part(each) for each in bomber["parts"]], [_gun(each) for each in bomber["turrets"]]
    layers = [
        ("h", wings),
        *_layers("n", engines),
        ("h", [_smooth(_mirrored(hull, middle))]),
        ("", [_wall(hull, middle, y) for y in cast(Sequence[float], outline["walls"])]),
        *_layers("n p", parts),
        *_layers("n", guns),
        ("", [f"M{_point(each['at'])}h{_figure(each['at'][2])}" for each in bomber["hits"]]),
        ("l", map(_lead, cards)),
        ("n", [_seat(each) for each in cards if not each["down"]]),
        ("o k", [_seat(each) for each in cards if each["down"]]),
        ("n", [_edge(each) for each in cards if not state(each)]),
        ("n o", [_edge(each) for each in cards if state(each)]),
    ]
    numbers = [_text("e", middle + each["at"][0], each["at"][1] + 12, each["label"]) for each in bomber["engines"]]
    words = [line for each in cards for line in _card(each)] + [line for each in bomber["hits"] for line in _area(each)]
    paths = [(kind, "".join(lines)) for kind, lines in layers]
    return {
        "size": size,
        "summary": _summary(bomber),
        "paths": [each for each in paths if each[1]],
        "texts": numbers + words,
    }


def _layers(kind: str, shapes: Sequence[Shape]) -> list[tuple[str, Iterable[str]]]:
    """Things in order, things out of order, and the crosses over these."""
    out = [each for each in shapes if each.out]
    return [
        (kind, [each.path for each in shapes if not each.out]),
        ("n o", [each.path for each in out]),
        ("o", [each.cross for each in out]),
    ]


# -- lines -------------------------------------------------------------------------------------------------------------


def _mirrored(half: Sequence[Sequence[float]], middle: float) -> list[Point]:
    """A half outline and its mirror as one closed line around the middle."""
    return [(middle + x, y) for x, y in half] + [(middle - x, y) for x, y in reversed(half)]


def _closed(points: Sequence[Point]) -> str:
    return "M" + "L".join(map(_point, points)) + "z"


def _smooth(points: Sequence[Point]) -> str:
    """A closed line without corners: the control points are those of a cubic through four neighbours."""
    many = len(points)
    parts = ["M", _point(points[0])]
    for at in range(many):
        a, b, c, d = (points[(at + step) % many] for step in (-1, 0, 1, 2))
        parts += ["C", _point(_third(a, b, c)), " ", _point(_third(d, c, b)), " ", _point(c)]
    return "".join([*parts, "z"])


def _third(a: Point, b: Point, c: Point) -> Point:
    return b[0] + (c[0] - a[0]) / 6, b[1] + (c[1] - a[1]) / 6


def _box(x: float, y: float, wide: float, tall: float) -> str:
    return f"M{_point((x, y))}h{_figure(wide)}v{_figure(tall)}h{_figure(-wide)}z"


def _round(x: float, y: float, radius: float) -> str:
    turn = f"a{_figure(radius)} {_figure(radius)} 0 1 0 "
    return f"M{_point((x - radius, y))}{turn}{_figure(2 * radius)} 0{turn}{_figure(-2 * radius)} 0z"


def _cross(x: float, y: float, wide: float, tall: float) -> str:
    return f"M{_point((x, y))}l{_point((wide, tall))}m0 {_figure(-tall)}l{_point((-wide, tall))}"


def _wall(hull: Sequence[Sequence[float]], middle: float, y: float) -> str:
    """A bulkhead, as wide as the hull is there."""
    below = next(at for at, point in enumerate(hull) if point[1] >= y)
    (x, top), (other, bottom) = hull[below - 1], hull[below]
    half = x + (other - x) * (y - top) / (bottom - top)
    return f"M{_figure(middle - half)} {_figure(y)}h{_figure(2 * half)}"


def _point(point: Sequence[float]) -> str:
    return f"{_figure(point[0])} {_figure(point[1])}"


def _figure(length: float) -> str:
    return f"{length:.1f}".removesuffix(".0")


def _text(kind: str, x: float, y: float, words: str) -> Text:
    return Text(kind, _figure(x), _figure(y), words)


# -- things ------------------------------------------------------------------------------------------------------------


def _engine(mark: Mark, middle: float) -> Shape:
    """A nacelle below its propeller."""
    x, y = middle + mark["at"][0], mark["at"][1]
    nacelle = f"M{_point((x - 8, y))}h16{_box(x - 3.6, y + 0.4, 7.2, 19)}"
    return Shape(nacelle, _cross(x - 3.6, y + 0.4, 7.2, 19), mark["word"] != "")


def _gun(mark: Mark) -> Shape:
    """A turret, its barrels the way that they point."""
    x, y, way = mark["at"]
    right, down = cos(radians(way)), sin(radians(way))
    barrels = [
        f"M{_point((x + aside * right, y + aside * down))}l{_point((4.2 * down, -4.2 * right))}"
        for aside in (-0.6, 0.6)
    ]
    return Shape("".join([*barrels, _round(x, y, 2.1)]), _cross(x - 2.5, y - 2.5, 5, 5), mark["word"] != "")


def _part(mark: Mark) -> Shape:
    x, y, wide, tall = mark["at"]
    return Shape(_box(x, y, wide, tall), _cross(x, y, wide, tall), mark["word"] != "")


def _seat(card: Card) -> str:
    return _round(card["at"][0], card["at"][1], 1.8)


def _edge(card: Card) -> str:
    return _box(card["at"][2], card["at"][3], CARD, TALL)


def _lead(card: Card) -> str:
    """The line from a card to its seat."""
    x, y, left, top = card["at"]
    return f"M{_point((left + CARD if left < x else left, top + 2))}L{_point((x, y))}"


def _card(card: Card) -> list[Text]:
    """A card has the place in one line or two; how the man is takes the second."""
    _, _, x, y = card["at"]
    label, word = card["seat"]["position"], state(card)
    if not word:
        lines = textwrap.wrap(label, LETTERS)[:2]
        return [_text("", x + 1.2, y + LINE * at, line) for at, line in enumerate(lines, 1)]
    short = textwrap.shorten(label, LETTERS, placeholder="…")
    return [_text("", x + 1.2, y + LINE, short), _text("o", x + 1.2, y + 2 * LINE, word)]


def state(card: Card) -> str:
    """How a man is, in a word; nothing while he is well."""
    options = [pair for each in card["seat"]["controls"] if each["k"] == "choice" for pair in each["options"]]
    return next((word for word, on in options if on), "")


def _area(struck: Struck) -> list[Text]:
    """The name of an area, and a cross for each hit that did something."""
    x, y, *_ = struck["at"]
    lines = [("", line) for line in textwrap.wrap(struck["label"], WORDS)[:2]]
    many = min(hits(struck), 2 * CROSSES)
    lines += [("k", "×" * min(CROSSES, many - at)) for at in range(0, many, CROSSES)]
    return [_text(kind, x + 1.2, y + LINE * at, line) for at, (kind, line) in enumerate(lines, 1)]


def hits(struck: Struck) -> int:
    """How many hits on an area did something."""
    return sum(each["times"] for each in struck["items"] if not each["mild"])


def _summary(bomber: Bomber) -> str:
    """What the drawing shows, for whoever does not see it."""
    parts = [f"engine {each['label']} {each['word']}" for each in bomber["engines"] if each["word"]]
    parts += [f"{each['label']} {each['word']}" for each in (*bomber["turrets"], *bomber["parts"]) if each["word"]]
    parts += [f"{each['seat']['position']} {word}" for each in bomber["cards"] if (word := state(each))]
    struck = [f"{each['label']} {hits(each)}" for each in bomber["hits"] if hits(each)]
    damage = f"Out of order or hurt: {series(parts)}." if parts else "Nothing is out of order and nobody is hurt."
    return f"The bomber from above. {damage} {f'Hits: {series(struck)}.' if struck else 'No hits.'}"
