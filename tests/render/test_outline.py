"""The outline of a bomber in `pack.toml`: all parts are drawn, and left is on the left."""

from pathlib import Path

import pytest

from companion.packs import Pack
from companion.packs.check import check
from companion.packs.layers import tables_folder
from companion.render import bomber_svg
from companion.render.sheet_model import SheetModel, placed
from tests.support import pack

BOMBERS = ["b29", "b17"]
# the numbers of engines run from the port wing tip; who has a side in his name sits there (b29 5-6, b17 M-1)
LEFT = {"left-gunner", "port-waist", "pilot"}
RIGHT = {"right-gunner", "starboard-waist", "copilot"}


@pytest.mark.parametrize("game", BOMBERS)
def test_everybody_and_everything_has_a_place_on_its_side(game: str) -> None:
    pack = Pack(game)
    outline = pack.about.print.outline
    index = pack.sheet.index
    assert set(outline.seats) == set(outline.cards) == set(index["position"])
    assert set(outline.hits) == set(outline.areas) == set(index["area"])
    assert set(outline.turrets) == {f"gun.{each}" for each in index["gun"]}
    for position, (across, _) in outline.seats.items():
        assert position not in LEFT or across < 0
        assert position not in RIGHT or across > 0
    across = [outline.engines[f"engine.{each}"][0] for each in (1, 2, 3, 4)]
    assert across == sorted(across) and across == [-each for each in across[::-1]]
    for name, (across, _, wide, _) in outline.parts.items():
        assert "port" not in name.split(".") or across + wide <= 0
        assert "starboard" not in name.split(".") or across >= 0
    boxes = [*outline.hits.values(), *([*each, bomber_svg.WIDE, bomber_svg.TALL] for each in outline.cards.values())]
    for at, (left, top, wide, tall) in enumerate(boxes):
        assert left + wide <= outline.size[0] and top + tall <= outline.size[1]
        for x, y, *size in boxes[:at]:
            assert x + size[0] <= left or left + wide <= x or y + size[1] <= top or top + tall <= y, (at, left, top)


def test_the_outline_of_the_reference_is_sound_and_drawn_and_nobody_is_left_out(tmp_path: Path) -> None:
    """A boat has no nacelles, and nobody need draw it from the side."""
    example = (tables_folder() / "PACK.md").read_text().partition("[print.outline]")[2].partition("```")[0]
    text = f'title = "A"\nstatus.people = {{states = ["crew[position]"]}}\n[print.outline]{example}'
    text += 'engines = {"engine.port" = [-6, 30]}\n'
    boat = pack(tmp_path / "squadron", "squadron", pack=text)
    assert check(boat) == []
    drawn = SheetModel(boat, {}).bomber()
    assert drawn is not None and "<path" in bomber_svg.for_paper(drawn)
    (fault,) = check(pack(tmp_path / "squadron", "squadron", pack=text.replace("gunner = [128, 4], ", "")))
    assert "the position gunner needs a place in cards" in fault


@pytest.mark.parametrize(
    ("game", "span", "length"),
    [("b29", 141.25, 99.0), ("b17", 103.75, 74.33)],  # feet, as published
)
def test_the_bomber_is_drawn_to_scale(game: str, span: float, length: float) -> None:
    outline = Pack(game).about.print.outline
    wing, hull = (
        [(float(x), float(y)) for x, y in bomber_svg.PAIR.findall(each)] for each in (outline.back[0], outline.front[0])
    )
    across = 2 * max(x for x, _ in wing) / 0.3048
    along = max([y for _, y in hull] + [at[1] for at in outline.turrets.values()]) / 0.3048
    assert across == pytest.approx(span, rel=0.01) and along == pytest.approx(length, rel=0.02)


def test_damage_is_shown_at_its_place(b29: Pack) -> None:
    state = {
        "engine.3": "out", "gun.aft-lower": "jammed", "tank.inboard.port": "leaking", "name.cfc": "Roy",
        "crew.cfc": "kia",
    }  # fmt: skip
    drawn = SheetModel(b29, state).bomber()
    assert drawn is not None
    assert [each["word"] for each in drawn["engines"]] == ["", "", "out", ""]
    assert [each["label"] for each in drawn["turrets"] if each["word"] == "jammed"] == ["Aft lower"]
    assert [each["at"] for each in drawn["parts"] if each["word"] == "leaking"] == [
        placed(b29.about.print.outline, b29.about.print.outline.parts["tank.inboard.port"])
    ]
    assert [seat["name"] for _, seat in drawn["cards"] if seat["down"]] == ["Roy"]
    paper, screen = bomber_svg.for_paper(drawn), bomber_svg.for_screen(drawn)
    for crosses in (paper, screen):
        assert (crosses.count('"o x"'), crosses.count('"o x y"'), crosses.count('"o k"')) == (2, 1, 1)
    assert "<text" not in paper + screen
    assert "KIA" in screen.partition('aria-label="')[2].partition('"')[0]
