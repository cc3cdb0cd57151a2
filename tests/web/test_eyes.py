"""Viewers in games with secrets: each sees only what they may know."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

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
