"""What a phone can take away: the printed sheet and the story of the mission."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from companion.packs import Pack
from companion.problems import Problem
from companion.store.session import none_begun

if TYPE_CHECKING:
    from companion.play.mission import Mission
    from companion.render.story import Story
    from companion.web.board import Board

Taken = tuple[bytes, str]  # the content, and what kind it is of


def sheet_pdf(board: Board) -> Taken:
    """The Mission Log Sheet as it is printed, with its codes."""
    from companion.render.sheets import of_flight
    from companion.render.typeset import typeset

    data = of_flight(board.campaign, *_flown(board), paper="a4")
    return b"".join(typeset("mission", data, "pdf")), "application/pdf"


def story_text(board: Board) -> Taken:
    """The mission told in plain text."""
    from companion.render import report

    return report.text(report.mission(_story(board))).encode(), "text/plain; charset=utf-8"


def story_pdf(board: Board) -> Taken:
    """The mission told, as it is printed."""
    from companion.render import report
    from companion.render.typeset import typeset

    story, pack = _story(board), Pack(board.campaign.game)
    game = str(pack.about.get("title", pack.name))
    data = report.data(report.mission(story), game=game, title=story.title, campaign=board.campaign.name, paper="a4")
    return b"".join(typeset("story", data, "pdf")), "application/pdf"


FORMS: Mapping[str, Callable[[Board], Taken]] = {
    "sheet.pdf": sheet_pdf,
    "story.txt": story_text,
    "story.pdf": story_pdf,
}


def _flown(board: Board) -> tuple[Pack, Mission]:
    """The mission read for itself, so that setting a page keeps nobody from the board."""
    number = board.newest()
    if number is None:
        raise none_begun(Pack(board.campaign.game))
    return board.campaign.flown(number)


def _story(board: Board) -> Story:
    from companion.render.story import story_of

    pack, mission = _flown(board)
    story = story_of(pack, mission)
    if not story.chapters:
        raise Problem(f"nothing has happened in this {pack.sheet.flight} that could be told; its journal is empty")
    return story
