"""The bomber from above as SVG; for paper the template adds the labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from companion.render.sheet_model import Bomber, Mark, Seat
from companion.words import series

if TYPE_CHECKING:
    from companion.engine.about import Outline

WIDE, TALL = 40.0, 12.4  # size of the card of a seat, in millimeters
PAIR = re.compile(r"(-?[\d.]+) (-?[\d.]+)")
TURRET = '<path d="M-.6-2v-2.4M.6-2v-2.4"/><circle r="2"/>'
STYLE = """
svg{fill:none;stroke:#000;stroke-width:.18;stroke-linejoin:round}.h,.n{fill:#fff}.h{stroke-width:.36}.n{stroke-width:.2}
.f{stroke-width:.12;stroke:#444}.s .h{stroke-width:.22}.b{stroke-width:.3}
.p{stroke-dasharray:.5 .4;stroke-width:.14}.g{fill:#e1e1e1}
.o{stroke-dasharray:none}.x,.p.o{stroke-width:.35}.y{stroke:none}.k{fill:#000}
.l{stroke-width:.1;stroke:#5a5a5a}"""
COLORS = """
svg{stroke:#1c1914}.h{stroke-width:.5}.h,.n{fill:#fbf5e6}.g{fill:#d9ccaa}.f{stroke:#8b7f66}.k,.w{fill:#9c1b1b}.w{fill:#e3b3a3}
.o,.x,.hit{stroke:#9c1b1b}.hit{stroke-width:.9;stroke-linecap:round}.o.x{stroke-width:.6}"""
FRAME = "0 12 184 137"  # the bomber without the cards and boxes around it
CORNER = 2, 138, 1.6  # the side view on a card
SPREAD = [  # hits on an area
    (-1.6, 1.2), (2.7, -2.4), (-3, -4.6), (2.2, 4.4), (-2.6, 6.8), (3.2, -7), (0.4, -9), (1.2, 9), (-3.6, 2.4),
]  # fmt: skip


def for_paper(bomber: Bomber) -> str:
    """Return the drawing as a separate picture, black on white, in millimeters and from bottom to top.

    `h` is the outline, `n` a thing, `p` a tank or a bay, `g` a turret, `l` a thin line; `o` is out of order, `x` the
    cross over it (`y`: on a screen only), `k` filled.
    """
    (wide, tall), cards = bomber["outline"].size, bomber["cards"]
    drawn = [for_board(bomber), profile(bomber["outline"])]
    drawn += [_path("", "M{:g} {:g}h{:g}".format(*each["at"])) for each in bomber["hits"]]
    for (x, y, left, top), _ in cards:
        near = min(max(x, left), left + WIDE), min(max(y, top), top + TALL)
        drawn.append(_path("l", f"M{near[0]:g} {near[1]:g}L{x:g} {y:g}"))
    drawn += [_man(at, seat) for at, seat in cards]
    drawn += [_rectangle("n o" if state(seat) else "n", at[2], at[3], WIDE, TALL) for at, seat in cards]
    return _picture(f'viewBox="-1 0 {wide + 2:g} {tall:g}" width="{wide + 2:g}mm" height="{tall:g}mm"', STYLE, drawn)


def for_card(bomber: Bomber) -> str:
    """Return the bomber with its turrets, its men and a red cross for each hit as a separate picture in color."""
    drawn = [plan(bomber), *map(_turret, bomber["turrets"]), *_marks(bomber)]
    return _picture(f'viewBox="{FRAME}"', STYLE + COLORS, drawn)


def for_screen(bomber: Bomber) -> str:
    """Return the same with its tanks and bays, for a page that has the colors."""
    drawn, said = "\n".join([for_board(bomber), *_marks(bomber)]), escape(summary(bomber))
    return f'<svg class="d" viewBox="{FRAME}" role="img" aria-label="{said}">\n{drawn}\n</svg>'


def _marks(bomber: Bomber) -> list[str]:
    men = [_man(at, seat) for at, seat in bomber["cards"]]
    return [profile(bomber["outline"], CORNER), *map(crosses, bomber["areas"]), *men]


def side_view(outline: Outline) -> str:
    """Return the bomber from the side as a separate picture, 180 millimeters long."""
    points = [(float(x), float(y)) for each in outline.profile for x, y in PAIR.findall(each)]
    left, top, right, bottom = (pick(each) for pick in (min, max) for each in zip(*points, strict=True))
    scale = 180 / (right - left)
    drawn = profile(outline, (2 - left * scale, 4 - top * scale, scale))
    frame = f'viewBox="0 0 184 {(bottom - top) * scale + 8:.1f}"'
    return _picture(frame, STYLE + ".s .h{stroke-width:.36}", [drawn])


def for_board(bomber: Bomber) -> str:
    """Return the elements of the bomber with its parts and turrets, without men, hits and labels."""
    parts = [_thing(each, "n p", _rectangle("", *each["at"]), *each["at"]) for each in bomber["parts"]]
    return "".join([plan(bomber), *parts, *map(_turret, bomber["turrets"])])


def crosses(area: Mark) -> str:
    """Return a red cross on the bomber for each hit on an area."""
    x, y = area["at"]
    spread = [(x + aside - 1.6, y + aft - 1.6) for aside, aft in SPREAD[: hits(area)]]
    return "".join(_path("hit", f"M{left:g} {top:g}l3.2 3.2m0 -3.2l-3.2 3.2") for left, top in spread)


def summary(bomber: Bomber) -> str:
    """Describe the picture in words, for screen readers."""
    marks = (*bomber["engines"], *bomber["turrets"], *bomber["parts"])
    parts = [f"{each['label']} {each['word']}" for each in marks if each["word"]]
    parts += [f"{seat['position']} {word}" for _, seat in bomber["cards"] if (word := state(seat))]
    struck = [f"{each['label']} {hits(each)}" for each in bomber["hits"] if hits(each)]
    damage = f"Out of order or hurt: {series(parts)}." if parts else "Nothing is out of order and nobody is hurt."
    return f"The bomber from above. {damage} {f'Hits: {series(struck)}.' if struck else 'No hits.'}"


def state(seat: Seat) -> str:
    """Return the state of a man in a word; empty if all is well."""
    return next((each["value"] for each in seat["cells"] if each["k"] == "choice" and not each["label"]), "")


def hits(struck: Mark) -> int:
    """Return the number of hits on an area that had an effect."""
    return sum(each["times"] for each in struck["items"] if not each["mild"])


# -- lines -------------------------------------------------------------------------------------------------------------


def plan(bomber: Bomber) -> str:
    """Return the bomber alone from above, to scale, in the millimeters of its sheet; an engine that is out is crossed.

    Classes: `h` is the outline, `f` a fine line, `b` a propeller, `o` out of order, `x` its cross.
    """
    outline = bomber["outline"]
    across, down, scale = outline.nose
    halves = [(across, down, scale * side, scale) for side in (1, -1)]
    drawn = [_path("h", moved(each, half)) for each in outline.back for half in halves]
    for each in bomber["engines"]:
        x, y = each["at"]
        shell, *fine = [moved(line, (x, y, scale, scale)) for line in outline.nacelle or ("",)]
        reach = outline.propeller * scale
        drawn.append(_thing(each, "h", f'<path d="{shell}"/>', x - 3.4, y + 4, 6.8, 13))
        drawn += [_path("f", line) for line in fine] + [_path("b", f"M{x - reach:.4g} {y:g}h{2 * reach:.4g}")]
    front = [_path("h", moved(each, half)) for each in outline.front for half in halves]
    drawn += front[:2] + [_path("f", moved(outline.lines, half)) for half in halves] + front[2:]
    return "".join(drawn)


def profile(outline: Outline, place: Sequence[float] = ()) -> str:
    """Return the bomber alone from the side, its nose left of a place: across, down and millimeters to the meter."""
    x, y, scale = place or outline.profile_at
    drawn = [_path("h", moved(each, (x, y, scale, scale))) for each in outline.profile]
    return f'<g class="s">{"".join(drawn)}{_path("f", moved(outline.profile_lines, (x, y, scale, scale)))}</g>'


def moved(path: str, place: tuple[float, float, float, float]) -> str:
    """Return an SVG path at a place: across and down of its origin, and how wide and how tall one unit is."""
    x, y, wide, tall = place
    return PAIR.sub(lambda each: f"{x + float(each[1]) * wide:.2f} {y + float(each[2]) * tall:.2f}", path)


def _turret(mark: Mark) -> str:
    x, y, way = mark["at"]
    shape = f'<g transform="translate({x:g} {y:g}) rotate({way:g})">{TURRET}</g>'
    return _thing(mark, "n g", shape, x - 2.5, y - 2.5, 5, 5)


def _man(at: Sequence[float], seat: Seat) -> str:
    """Return a man as a circle: filled if he is down, `w` if he is hurt."""
    kind = "o k" if seat["down"] else "n w" if state(seat) else "n"
    return f'<circle class="{kind}" cx="{at[0]:g}" cy="{at[1]:g}" r="1.7"/>'


def _thing(mark: Mark, kind: str, shape: str, x: float, y: float, wide: float, tall: float) -> str:
    """Return a part, with a cross over it if it is out of order."""
    if not mark["word"]:
        return f'<g class="{kind}">{shape}</g>'
    cross = f"M{x:g} {y:g}l{wide:g} {tall:g}m0 {-tall:g}l{-wide:g} {tall:g}"
    return f'<g class="{kind} o">{shape}</g>{_path("o x y" if "p" in kind else "o x", cross)}'


def _picture(frame: str, style: str, drawn: list[str]) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}><style>{style}</style>{"".join(drawn)}</svg>'


def _path(kind: str, line: str) -> str:
    return f'<path class="{kind}" d="{line}"/>'


def _rectangle(kind: str, x: float, y: float, wide: float, tall: float) -> str:
    return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{wide:g}" height="{tall:g}"/>'
