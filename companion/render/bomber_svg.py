"""The bomber from above as SVG: lines for the page and for paper, where each sets its own words beside them."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import cos, radians, sin
from typing import NamedTuple, cast

from companion.render.sheet_model import Bomber, Mark, Seat
from companion.words import series

Point = tuple[float, float]
Layer = tuple[str, Iterable[str]]
LETTERS, WORDS = 15, 11  # letters to a line of a card, and beside an area
CROSSES = 8  # in a row beside an area, and there are two rows
WIDE, TALL, LINE = 40.0, 12.4, 5.2  # millimetres of a card, and from line to line
STYLE = """
path{fill:none;stroke:#000;stroke-width:.18}.h,.n{fill:#fff}.h{stroke-width:.39}.n{stroke-width:.2}
.p{stroke-dasharray:.5 .4;stroke-width:.14}.g{fill:#e1e1e1}
.o{stroke-dasharray:none}.x,.p.o{stroke-width:.35}.y{stroke:none}.k{fill:#000}
.l{stroke-width:.1;stroke:#5a5a5a}"""


class Text(NamedTuple):
    """A line of words: how it is set, where it starts, and the words."""

    kind: str
    x: str
    y: str
    words: str


def paths(bomber: Bomber) -> list[tuple[str, str]]:
    """Return the lines, the lower ones first, each as its classes and its path in millimetres.

    `h` is the outline, `n` a thing, `p` a tank or a bay, `g` a turret, `l` a thin line; `o` is out of order, `x` the
    cross over it (`y`: on a screen only), `k` filled.
    """
    outline = cast(Mapping[str, Sequence[Sequence[float]]], bomber["outline"])
    middle = cast(Sequence[float], outline["size"])[0] / 2
    hull, cards = outline["hull"], bomber["cards"]
    wings = [
        "M" + "L".join(_point((middle + side * x, y)) for x, y in outline[each]) + "z"
        for each in ("wing", "tailplane")
        for side in (-1, 1)
    ]
    layers: list[Layer] = [
        ("h", wings),
        *_layers("n", bomber["engines"], lambda at: _engine(middle + at[0], at[1])),
        ("h", [_smooth([(middle + x, y) for x, y in hull] + [(middle - x, y) for x, y in reversed(hull)])]),
        ("", [_wall(hull, middle, y) for y in cast(Sequence[float], outline["walls"])]),
        *_layers("n p", bomber["parts"], lambda at: (_box(*at), _cross(*at))),
        *_layers("n g", bomber["turrets"], _turret),
        ("", [f"M{_point(each['at'])}h{_figure(each['at'][2])}" for each in bomber["hits"]]),
        ("l", [_lead(*at) for at, _ in cards]),
        ("n", [_round(at[0], at[1], 1.7) for at, seat in cards if not seat["down"]]),
        ("o k", [_round(at[0], at[1], 1.7) for at, seat in cards if seat["down"]]),
        ("n", [_box(at[2], at[3], WIDE, TALL) for at, seat in cards if not state(seat)]),
        ("n o", [_box(at[2], at[3], WIDE, TALL) for at, seat in cards if state(seat)]),
    ]
    joined = [(kind, "".join(lines)) for kind, lines in layers]
    return [each for each in joined if each[1]]


def svg(bomber: Bomber) -> str:
    """Return the lines as a picture of its own, black on white."""
    wide, tall = cast(Sequence[float], bomber["outline"]["size"])
    drawn = "".join(f'<path class="{kind}" d="{path}"/>' for kind, path in paths(bomber))
    frame = f'viewBox="-1 0 {wide + 2:g} {tall:g}" width="{wide + 2:g}mm" height="{tall:g}mm"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}><style>{STYLE}</style>{drawn}</svg>'


def texts(bomber: Bomber) -> list[Text]:
    """Return the words on a screen: `e` is a number, `o` red, `k` red and large."""
    middle = cast(Sequence[float], bomber["outline"]["size"])[0] / 2
    numbers = [
        _text("e", middle + at[0], at[1] + 12, number(each)) for each in bomber["engines"] for at in [each["at"]]
    ]
    beside = [line for each in bomber["hits"] for line in _area(each)]
    return numbers + [line for at, seat in bomber["cards"] for line in _card(at, seat)] + beside


def summary(bomber: Bomber) -> str:
    """Return the picture in words, for those who do not see it."""
    marks = (*bomber["engines"], *bomber["turrets"], *bomber["parts"])
    parts = [f"{each['label']} {each['word']}" for each in marks if each["word"]]
    parts += [f"{seat['position']} {word}" for _, seat in bomber["cards"] if (word := state(seat))]
    struck = [f"{each['label']} {hits(each)}" for each in bomber["hits"] if hits(each)]
    damage = f"Out of order or hurt: {series(parts)}." if parts else "Nothing is out of order and nobody is hurt."
    return f"The bomber from above. {damage} {f'Hits: {series(struck)}.' if struck else 'No hits.'}"


def number(engine: Mark) -> str:
    """Return the number of an engine."""
    return engine["label"].split()[-1]


def state(seat: Seat) -> str:
    """Return how a man is, in a word; nothing while he is well."""
    return next((each["value"] for each in seat["cells"] if each["k"] == "choice" and not each["label"]), "")


def hits(struck: Mark) -> int:
    """Return how many hits on an area did something."""
    return sum(each["times"] for each in struck["items"] if not each["mild"])


# -- lines -------------------------------------------------------------------------------------------------------------


def _layers(kind: str, marks: Sequence[Mark], shape: Callable[[Sequence[float]], tuple[str, str]]) -> list[Layer]:
    """Things in order, things out of order, and the crosses over these."""
    return [
        (kind, [shape(each["at"])[0] for each in marks if not each["word"]]),
        (f"{kind} o", [shape(each["at"])[0] for each in marks if each["word"]]),
        ("o x y" if "p" in kind else "o x", [shape(each["at"])[1] for each in marks if each["word"]]),
    ]


def _smooth(points: Sequence[Point]) -> str:
    """A closed line without corners: the control points are those of a cubic through four neighbours."""
    parts = ["M", _point(points[0])]
    for at in range(len(points)):
        a, b, c, d = (points[(at + step) % len(points)] for step in (-1, 0, 1, 2))
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


def _engine(x: float, y: float) -> tuple[str, str]:
    """A nacelle below its propeller, and its cross."""
    left, top = x - 3.6, y + 0.4
    nacelle = f"M{_point((left, top + 3))}a3.6 3 0 0 1 7.2 0v12.4a3.6 3.6 0 0 1-7.2 0z"
    return f"M{_point((x - 8, y))}h16{nacelle}", _cross(left, top, 7.2, 19)


def _turret(at: Sequence[float]) -> tuple[str, str]:
    """A turret with its barrels the way they point, and its cross."""
    x, y, way = at
    right, down = cos(radians(way)), sin(radians(way))
    barrels = [
        f"M{_point((x + aside * right + 2 * down, y + aside * down - 2 * right))}l{_point((2.4 * down, -2.4 * right))}"
        for aside in (-0.6, 0.6)
    ]
    return "".join([*barrels, _round(x, y, 2)]), _cross(x - 2.5, y - 2.5, 5, 5)


def _lead(x: float, y: float, left: float, top: float) -> str:
    """The line from a card to its seat."""
    return f"M{_point((left + WIDE if left < x else left, top + 2))}L{_point((x, y))}"


def _point(point: Sequence[float]) -> str:
    return f"{_figure(point[0])} {_figure(point[1])}"


def _figure(length: float) -> str:
    return f"{length:.1f}".removesuffix(".0")


# -- words on a screen -------------------------------------------------------------------------------------------------


def _text(kind: str, x: float, y: float, words: str) -> Text:
    return Text(kind, _figure(x), _figure(y), words)


def _card(at: Sequence[float], seat: Seat) -> list[Text]:
    """A card has the place in one line or two; how the man is takes the second."""
    x, y, label, word = at[2], at[3], seat["position"], state(seat)
    if not word:
        lines = textwrap.wrap(label, LETTERS)[:2]
        return [_text("", x + 1.2, y + LINE * at, line) for at, line in enumerate(lines, 1)]
    short = textwrap.shorten(label, LETTERS, placeholder="…")
    return [_text("", x + 1.2, y + LINE, short), _text("o", x + 1.2, y + 2 * LINE, word)]


def _area(struck: Mark) -> list[Text]:
    """The name of an area, and a cross for each hit that did something."""
    x, y, *_ = struck["at"]
    lines = [("", line) for line in textwrap.wrap(struck["label"], WORDS)[:2]]
    many = min(hits(struck), 2 * CROSSES)
    lines += [("k", "×" * min(CROSSES, many - at)) for at in range(0, many, CROSSES)]
    return [_text(kind, x + 1.2, y + LINE * at, line) for at, (kind, line) in enumerate(lines, 1)]
