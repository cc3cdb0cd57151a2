"""Viewers in games with secrets: each sees only what they may know."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.packs import Pack
from tests.support import Run, begin
from tests.web.calling import Caller, calling


@pytest.fixture
def page(companion: Run) -> Iterator[Caller]:
    """Return the page of a started game of Bombs Away!, opened with its key."""
    begin(companion, "bombs-away")
    with calling() as caller:
        caller.come_in()
        yield caller


def look(page: Caller, eyes: str, where: str) -> str:
    """Return the view of one player."""
    page.tap("/eyes", {"value": eyes})
    return page.get(where).text


def test_a_card_that_lies_face_down_is_seen_by_its_owner_alone(companion: Run, page: Caller) -> None:
    look(page, "all", "/board")
    companion("set", "at.fw190a=berlin")
    assert "FW190A" in look(page, "all", "/board") and "FW190A" in look(page, "axis", "/board")
    pile = "Axis: FW190A"  # on the map
    assert [pile in look(page, eyes, "/board") for eyes in ("all", "axis", "allied")] == [True, True, False]
    assert look(page, "all", "/sheet") != look(page, "allied", "/sheet")


@pytest.mark.section("bombs-away II B", "bombs-away III A 2")
@pytest.mark.parametrize(
    ("owner", "other", "cards"),
    [("axis", "allied", "fw190a me109e me110g"), ("allied", "axis", "spitfire-i b24d wellington-iii")],
)
def test_cards_face_down_change_nothing_that_the_other_side_sees(
    companion: Run, page: Caller, owner: str, other: str, cards: str
) -> None:
    sheet = Pack("bombs-away").sheet
    names = [sheet.label(index, member) for index in ("plane", "target") for member in sheet.index[index]]

    def views(eyes: str) -> list[dict[str, int]]:
        told = [companion("status", "--hide", *([eyes] * bool(eyes)), *more).out for more in ([], ["--json"])]
        texts = [*told, look(page, eyes, "/board"), look(page, eyes, "/sheet")]
        return [{name: text.count(name) for name in names} for text in texts]

    companion("set", *(f"pile.{card}=available" for card in cards.split()))
    before = {eyes: views(eyes) for eyes in (owner, other, "")}
    companion("set", *(f"at.{card}=berlin" for card in cards.split()))
    assert views(other) == before[other] and views("") == before[""]
    assert all(now != then for now, then in zip(views(owner)[::2], before[owner][::2], strict=True))
    shown = companion("status", "--hide", owner).out
    assert (
        "target: Berlin" in shown and ": 0\n" not in shown and "Dogfight" not in shown
    )  # no zeros, nothing of the box
    assert companion("status", "--hide", "german").err.endswith("companion status --hide allied or axis.\n")


def test_a_player_is_asked_like_the_other_and_an_onlooker_is_not(page: Caller) -> None:
    asked = look(page, "all", "/board")
    for side in ("allied", "axis"):
        assert 'id="value"' in asked and 'id="value"' in look(page, side, "/board")
    assert 'id="value"' not in look(page, "", "/board") and "Another player is being asked" in look(page, "", "/board")


@pytest.mark.slow
def test_full_reports_are_only_for_viewers_who_may_see_everything(page: Caller) -> None:
    for where in ("/why", "/take/sheet.pdf", "/take/story.pdf"):
        assert "Only a viewer of the whole sheet" in look(page, "axis", where)
        assert "Only a viewer of the whole sheet" not in look(page, "all", where)
