"""`companion story`: a mission or the whole campaign told afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from companion.packs import Pack
from companion.problems import Problem
from companion.store.session import campaign_needed, none_begun

if TYPE_CHECKING:
    from companion.render.report import Report
    from companion.render.story import Story
    from companion.store.campaigns import Campaign


def story_command(
    number: Annotated[int | None, Option("--mission", help="Which mission; the newest unless given.")] = None,
    out: Annotated[
        Path | None, Option("-o", "--out", help="A .md, .html, .pdf or .txt file; else the terminal.")
    ] = None,
    short: Annotated[bool, Option("--short", help="A paragraph, for a forum.")] = False,
    campaign: Annotated[bool, Option("--campaign", help="Every mission, and a page of the men.")] = False,
    paper: Annotated[str, Option("--paper", help="a4 or letter.")] = "a4",
) -> None:
    """The mission told afterwards, from its journal. What was rolled, in plain English, and nothing else."""
    from companion.render import report
    from companion.render.typeset import PAPERS, form_of
    from companion.words import one_of

    if campaign and number is not None:
        raise Problem("--campaign tells every mission; leave out --mission")
    if paper.casefold() not in PAPERS:
        raise Problem(f"{paper} is not a paper we print on; it is {one_of(PAPERS)}")
    form = form_of(out, report.FORMS) if out is not None else "txt"
    used = campaign_needed()
    pack = Pack(used.game)
    title, told = _campaign(used, pack, short) if campaign else _mission(used, number, short)
    if form == "pdf":
        from companion.render.typeset import typeset, write

        assert out is not None
        game = str(pack.about.get("title", pack.name))
        data = report.data(told, game=game, title=title, campaign=used.name, paper=paper.casefold())
        write(out, typeset("story", data, "pdf"))
        print(f"Written: {out}")
        return
    text = {"txt": report.text, "md": report.markdown}[form](told) if form != "html" else report.html(told, title)
    if out is None:
        print(text)
        return
    from companion.store.files import give

    give(out, (text + "\n").encode())
    print(f"Written: {out}")


def _mission(used: Campaign, number: int | None, short: bool) -> tuple[str, Report]:
    from companion.render import report

    begun = used.missions()
    if not begun:
        raise none_begun(Pack(used.game))
    if number is not None and number not in begun:
        raise Problem(f"there is no {Pack(used.game).sheet.flight} {number}; {len(begun)} have begun")
    story = _story(used, number or begun[-1])
    if not story.chapters:
        flight = Pack(used.game).sheet.flight
        raise Problem(f"nothing has happened in this {flight} that could be told; its journal is empty")
    return story.title, report.short(story) if short else report.mission(story)


def _story(used: Campaign, number: int) -> Story:
    from companion.render.story import story_of

    return story_of(*used.flown(number))


def _campaign(used: Campaign, pack: Pack, short: bool) -> tuple[str, Report]:
    from companion.render import report, sheet_text, sheets
    from companion.render.report import Block
    from companion.store.log import CampaignLog

    begun = used.missions()
    if not begun:
        raise none_begun(Pack(used.game))
    log = CampaignLog.of(pack, used)
    told = [Block("1", used.name), *(Block("p", line) for line in sheet_text.totals(log))]
    for number in begun:
        story = _story(used, number)
        told += [Block("2", story.title), *report.short(story)] if short else report.mission(story, 2)
    if log.positions:
        told += [Block("1", "The men"), Block("|", rows=[list(sheet_text.CREW), *sheets.men(log, False)])]
    return used.name, told
