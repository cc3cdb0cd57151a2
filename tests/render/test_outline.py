"""The outline of a bomber in `pack.toml`: all parts are drawn, and left is on the left."""

from __future__ import annotations

import pytest

from companion.packs import Pack
from companion.render import bomber_svg
from companion.render.sheet_model import SheetModel

BOMBERS = ["b29", "b17"]
# the numbers of engines run from the port wing tip; who has a side in his name sits there (b29 5-6, b17 M-1)
LEFT = {"left-gunner", "port-waist", "pilot"}
RIGHT = {"right-gunner", "starboard-waist", "copilot"}


@pytest.mark.parametrize("game", BOMBERS)
def test_everybody_and_everything_has_a_place_on_its_side(game: str) -> None:
    pack = Pack(game)
    outline = pack.about.print.outline
    index = pack.sheet.index
    assert set(outline.seats) == set(index["position"])
    assert set(outline.hits) == set(index["area"])
    assert set(outline.turrets) == {f"gun.{each}" for each in index["gun"]}
    middle = outline.size[0] / 2
    for position, (across, *_) in outline.seats.items():
        assert position not in LEFT or across < middle
        assert position not in RIGHT or across > middle
    assert [each for each, (aside, _) in sorted(outline.engines.items()) if aside < 0] == ["engine.1", "engine.2"]
    across = [outline.engines[f"engine.{each}"][0] for each in (1, 2, 3, 4)]
    assert across == sorted(across)
    for part in (outline.parts, outline.hits):
        for name, (across, down, wide, tall) in part.items():
            assert "port" not in name or across + wide <= middle or "starboard" in name
            assert "starboard" not in name or across >= middle
            assert across + wide <= outline.size[0] and down + tall <= outline.size[1]


def test_two_bombers_are_told_apart() -> None:
    one, other = (Pack(game).about.print.outline for game in BOMBERS)
    assert one.hull != other.hull and one.wing != other.wing


def test_what_is_the_matter_stands_at_its_place() -> None:
    pack = Pack("b29")
    state = {
        "engine.3": "out",
        "gun.aft-lower": "jammed",
        "tank.inboard.port": "leaking",
        "name.cfc": "Roy",
        "crew.cfc": "kia",
    }
    drawn = SheetModel(pack, state).bomber()
    assert drawn is not None
    assert [each["word"] for each in drawn["engines"]] == ["", "", "out", ""]
    assert [each["label"] for each in drawn["turrets"] if each["word"] == "jammed"] == ["Aft lower"]
    assert [each["at"] for each in drawn["parts"] if each["word"] == "leaking"] == [
        pack.about.print.outline.parts["tank.inboard.port"]
    ]
    assert [seat["name"] for _, seat in drawn["cards"] if seat["down"]] == ["Roy"]
    paper, screen = bomber_svg.for_paper(drawn), bomber_svg.for_screen(drawn)
    for crosses in (paper, screen):
        assert (crosses.count('"o x"'), crosses.count('"o x y"'), crosses.count('"o k"')) == (2, 1, 1)
    assert ">KIA</text>" in screen and "<text" not in paper
