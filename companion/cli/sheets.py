"""`companion sheet …`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from companion.cli.commands import group
from companion.packs import Pack, beginning
from companion.play.mission import Mission
from companion.problems import Problem
from companion.store.session import Session, campaign_in_use, open_mission
from companion.words import one_of

if TYPE_CHECKING:
    from companion.store.campaigns import Campaign


def _paper(paper: str) -> str:
    from companion.render.typeset import PAPERS

    if paper.casefold() not in PAPERS:
        raise Problem(f"{paper} is not a paper we print on; it is {one_of(PAPERS)}")
    return paper.casefold()


Out = Annotated[Path | None, Option("-o", "--out", help="A .pdf, .png, .svg or .txt file; else the terminal.")]
Number = Annotated[int | None, Option("--mission", help="Which mission; the newest unless given.")]
Blank = Annotated[bool, Option("--blank", help="An empty sheet, to fill in by hand.")]
Paper = Annotated[str, Option("--paper", callback=_paper, help="a4 or letter.")]
Rolls = Annotated[bool, Option("--rolls", help="Every roll as well, told zone by zone.")]
Game = Annotated[str | None, Option("--game", help="Whose blank sheet, without a campaign.")]


def mission(
    number: Number = None,
    out: Out = None,
    blank: Blank = False,
    rolls: Rolls = False,
    paper: Paper = "a4",
    game: Game = None,
) -> None:
    """The Mission Log Sheet: the flight zone by zone, the crew, every hit, the bomber, and codes to bring it back."""
    from companion.render import sheet_text, sheets
    from companion.render.history import History, by_zone, in_lines
    from companion.render.sheet_model import SheetModel, landings

    pack, campaign = _whose("mission", game, blank)
    if blank:
        model = SheetModel(pack, {}, blank=True)
        if _text(out):
            _put(out, sheet_text.mission_sheet(_title("mission", pack, None), model))
            return
        _write(out, "mission", sheets.mission(model, paper=paper))
        return
    with open_mission(record=False) as session:
        campaign = session.campaign
        pack, flown = _flown(session, number)
    if _text(out):
        model = SheetModel(pack, flown.state, history=History(pack, flown))
        lines = in_lines(by_zone(pack, flown, model.history)) if rolls else []
        title = _title("mission", pack, campaign)
        _put(out, sheet_text.mission_sheet(title, model, landings(pack, flown), lines, filled=out is None))
        return
    assert campaign is not None
    _write(out, "mission", sheets.of_flight(campaign, pack, flown, paper=paper, rolls=rolls))


def campaign(out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """The Campaign Log Sheet: every mission, the men by position and their fates, the bombers."""
    from companion.cli.campaign_log import show
    from companion.render import sheet_text, sheets
    from companion.store import snapshot
    from companion.store.log import CampaignLog

    pack, used = _whose("campaign", game, blank)
    log = CampaignLog(pack, {}, ()) if blank or used is None else CampaignLog.of(pack, used)
    title = _title("campaign", pack, None if blank else used)
    if out is None:
        show(log, title)
        return
    if _text(out):
        _put(out, sheet_text.campaign_sheet(title, pack, log, blank=blank))
        return
    name = used.name if used and not blank else ""
    data = sheets.campaign(pack, log, sheet_text.totals(log), name=name, paper=paper, blank=blank)
    if used is not None and not blank:
        data["codes"] = _codes(snapshot.of_campaign(pack, used))
    _write(out, "campaign", data)


def crew(out: Out = None, number: Number = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """The Crew Placement Sheet: the bomber in outline, who sits where, and what struck it."""
    from companion.render import sheet_text, sheets
    from companion.render.history import History
    from companion.render.sheet_model import SheetModel

    pack, used = _whose("crew", game, blank)
    model = SheetModel(pack, {}, blank=True)
    if not blank:
        with open_mission(record=False) as session:
            pack, flown = _flown(session, number)
            model = SheetModel(pack, flown.state, history=None if _text(out) else History(pack, flown))
    if _text(out):
        _put(out, sheet_text.crew_sheet(_title("crew", pack, None if blank else used), model))
        return
    _write(out, "crew", sheets.crew(model, name=used.name if used else "", paper=paper))


def damage(out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """The Target Damage Sheet: the boxes crossed off each city."""
    from companion.render import sheet_text, sheets

    pack, used = _whose("damage", game, blank)
    flown = list(used.sheets(pack)) if used and not blank else []
    if _text(out):
        cities = sheets.empty_cities(sheets.LINES[paper]) if blank else sheets.cities(pack, flown)
        _put(out, sheet_text.damage_sheet(_title("damage", pack, None if blank else used), cities))
        return
    _write(out, "damage", sheets.damage(pack, flown, name=used.name if used else "", paper=paper, blank=blank))


# -- which sheet, and where it goes ----------------------------------------------------------------------------------


def _whose(kind: str, game: str | None, blank: bool) -> tuple[Pack, Campaign | None]:
    """The pack, which must have such a sheet, and the campaign in use; a blank sheet needs no campaign."""
    from companion.render.sheets import lacking, title

    pack, used = _of(game, blank)
    if lacking(pack, kind):
        raise Problem(f"{pack.about.get('title', pack.name)} has no {title(pack, kind)}")
    return pack, used


def _of(game: str | None, blank: bool) -> tuple[Pack, Campaign | None]:
    used = campaign_in_use()
    if game is not None and not (blank or (used and used.game.casefold() == game.casefold())):
        raise Problem(f"the campaign in use is not {game}; --game goes with --blank")
    if game is not None:
        return Pack(game.casefold()), used
    if used is None:
        hint = "name a game with --game b29" if blank else f"begin with: {beginning()}"
        raise Problem(f"no campaign is in use; {hint}")
    return Pack(used.game), used


def _flown(session: Session, number: int | None) -> tuple[Pack, Mission]:
    """The mission asked for, and the pack it was flown with."""
    campaign = session.campaign
    if number is None or campaign is None:
        return session.pack, session.mission
    if number not in campaign.missions():
        raise Problem(f"there is no {session.pack.sheet.flight} {number}; {len(campaign.missions())} have begun")
    return campaign.flown(number)


def _title(kind: str, pack: Pack, campaign: Campaign | None) -> str:
    from companion.render.sheet_text import heading

    return heading(kind, pack, campaign.name if campaign else "")


def _text(out: Path | None) -> bool:
    if out is None:
        return True
    from companion.render.typeset import form_of

    return form_of(out) == "txt"


def _put(out: Path | None, text: str) -> None:
    if out is None:
        print(text)
        return
    from companion.store.files import give

    give(out, (text + "\n").encode())
    print(f"Written: {out}")


def _write(out: Path | None, template: str, data: Mapping[str, object]) -> None:
    from companion.render.typeset import clear, form_of, typeset, write

    assert out is not None
    written = write(out, typeset(template, data, form_of(out)))
    for file in written:
        print(f"Written: {file}")
    for file in clear(out, written):
        print(f"Removed: {file}, a page of the longer sheet that was there")


def _codes(document: Mapping[str, object]) -> list[str]:
    from companion.render.codes import pictures
    from companion.store.snapshot import codes

    return pictures(codes(document))


sheet_command = group(
    "The printed sheets: mission, campaign, crew, damage.", mission=mission, campaign=campaign, crew=crew, damage=damage
)
