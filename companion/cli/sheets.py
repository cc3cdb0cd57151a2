"""`companion sheet …`, `story`, `snapshot`, `restore`, `export` and `import`: a mission and a campaign on paper."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.cli.commands import group, print_json
from companion.cli.picking import asks, prompt
from companion.engine.fields import line
from companion.packs import Pack, beginning
from companion.play.mission import Mission
from companion.problems import UserError
from companion.store.files import bytes_of
from companion.store.session import Session, campaign_in_use, campaign_needed, none_begun, open_mission
from companion.words import counted, one_of

if TYPE_CHECKING:
    from companion.render.report import Report
    from companion.render.story import Story
    from companion.store.campaigns import Campaign
    from companion.store.snapshot import Restored


def _paper(paper: str) -> str:
    from companion.render.typeset import PAPERS

    if paper.casefold() not in PAPERS:
        raise UserError(f"{paper} is not a paper we print on; it is {one_of(PAPERS)}")
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
        _write(out, "mission", sheets.mission(SheetModel(pack, {}, blank=True), paper=paper))
        return
    with open_mission(record=False) as session:
        campaign = session.campaign
        pack, flown = _flown(session, number)
    if _text(out):
        model = SheetModel(pack, flown.state, history=History(pack, flown))
        lines = in_lines(by_zone(pack, flown, model.history)) if rolls else []
        title = _title("mission", pack, campaign)
        _put(out, sheet_text.mission_sheet(title, model, landings(pack, flown), lines))
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
    if _text(out) and not blank:
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown if out else sys.stdout):
            show(log, _title("campaign", pack, used))
        if out:
            _put(out, shown.getvalue().rstrip("\n"))
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
    if _text(out) and not blank:
        _put(out, sheet_text.crew_sheet(_title("crew", pack, used), model))
        return
    _write(out, "crew", sheets.crew(model, name=used.name if used else "", paper=paper))


def damage(out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """The Target Damage Sheet: the boxes crossed off each city."""
    from companion.render import sheet_text, sheets

    pack, used = _whose("damage", game, blank)
    flown = list(used.sheets(pack)) if used and not blank else []
    if _text(out) and not blank:
        _put(out, sheet_text.damage_sheet(_title("damage", pack, used), sheets.cities(pack, flown)))
        return
    _write(out, "damage", sheets.damage(pack, flown, name=used.name if used else "", paper=paper, blank=blank))


# -- which sheet, and where it goes ----------------------------------------------------------------------------------


def _whose(kind: str, game: str | None, blank: bool) -> tuple[Pack, Campaign | None]:
    """The pack, which must have such a sheet, and the campaign in use; a blank sheet needs no campaign."""
    from companion.render.sheets import lacking, title

    pack, used = _of(game, blank)
    if lacking(pack, kind):
        raise UserError(f"{pack.title} has no {title(pack, kind)}")
    return pack, used


def _of(game: str | None, blank: bool) -> tuple[Pack, Campaign | None]:
    used = campaign_in_use()
    if game is not None and not (blank or (used and used.game.casefold() == game.casefold())):
        raise UserError(f"the campaign in use is not {game}; --game goes with --blank")
    if game is not None:
        return Pack(game.casefold()), used
    if used is None:
        hint = "name a game with --game b29" if blank else f"begin with: {beginning()}"
        raise UserError(f"no campaign is in use; {hint}")
    return Pack(used.game), used


def _flown(session: Session, number: int | None) -> tuple[Pack, Mission]:
    """The mission asked for, and the pack it was flown with."""
    campaign = session.campaign
    if number is None or campaign is None:
        return session.pack, session.mission
    if number not in campaign.missions():
        raise UserError(f"there is no {session.pack.sheet.flight} {number}; {len(campaign.missions())} have begun")
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
    from companion.render.typeset import form_of, typeset, write

    if out is None or _text(out):
        raise UserError("a blank sheet is for paper; name a file: -o sheet.pdf")
    for file in write(out, typeset(template, data, form_of(out))):
        print(f"Written: {file}")


def _codes(document: Mapping[str, object]) -> list[str]:
    from companion.render.typeset import pictures
    from companion.store.snapshot import codes

    return pictures(codes(document))


sheet_command = group(
    "The printed sheets: mission, campaign, crew, damage.", mission=mission, campaign=campaign, crew=crew, damage=damage
)


def story_command(
    number: Annotated[int | None, Option("--mission", help="Which mission; the newest unless given.")] = None,
    out: Annotated[
        Path | None, Option("-o", "--out", help="A .md, .html, .pdf or .txt file; else the terminal.")
    ] = None,
    short: Annotated[bool, Option("--short", help="A paragraph, for a forum.")] = False,
    campaign: Annotated[bool, Option("--campaign", help="Every mission, and a page of the men.")] = False,
    paper: Paper = "a4",
) -> None:
    """The mission told afterwards, from its journal. What was rolled, in plain English, and nothing else."""
    from companion.render import report
    from companion.render.typeset import form_of

    if campaign and number is not None:
        raise UserError("--campaign tells every mission; leave out --mission")
    form = form_of(out, report.FORMS) if out is not None else "txt"
    used = campaign_needed()
    pack = Pack(used.game)
    title, told = _campaign(used, pack, short) if campaign else _mission(used, number, short)
    if form == "pdf":
        from companion.render.typeset import typeset, write

        assert out is not None
        data = report.data(told, game=pack.title, title=title, campaign=used.name, paper=paper)
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
        raise UserError(f"there is no {Pack(used.game).sheet.flight} {number}; {len(begun)} have begun")
    story = _story(used, number or begun[-1])
    if not story.chapters:
        flight = Pack(used.game).sheet.flight
        raise UserError(f"nothing has happened in this {flight} that could be told; its journal is empty")
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


Yes = Annotated[bool, Option("--yes", "-y", help="Do it without asking.")]
As = Annotated[str | None, Option("--as", help="Another name for what comes back.")]


def snapshot_command(
    qr: Annotated[bool, Option("--qr", help="Codes for a camera.")] = False,
    text: Annotated[bool, Option("--text", help="One word to copy.")] = False,
    campaign: Annotated[bool, Option("--campaign", help="The whole campaign, as its log sheet has it.")] = False,
) -> None:
    """The mission as codes or as text, for companion restore."""
    from companion.store import snapshot

    used = campaign_needed()
    begun = used.missions()
    mission = used.load(begun[-1]) if begun and not campaign else None
    if mission is None and not campaign:
        flight = Pack(used.game).sheet.flight
        raise UserError(f"no {flight} has begun; for the campaign: companion snapshot --campaign")
    whole = snapshot.of_campaign(Pack(used.game), used) if mission is None else snapshot.of_mission(used, mission)
    if text or not qr:
        print(snapshot.text(whole))
    if qr:
        from companion.render.typeset import blocks

        texts = snapshot.codes(whole)
        for at, each in enumerate(texts, 1):
            print(f"Code {at} of {len(texts)}\n{blocks(each)}")


def restore_command(
    source: Annotated[list[str], Argument(help="A picture or a text file, several, or the text itself.")],
    yes: Yes = False,
    name: As = None,
) -> None:
    """Bring a mission or a campaign back from codes or text. A picture of the printed sheet will do."""
    from companion.store import snapshot

    _settle(snapshot.Restored(snapshot.read(snapshot.codes_in(source))), yes, name)


def export_command(
    csv: Annotated[bool, Option("--csv", help="A line a mission, for a spreadsheet.")] = False,
    json: Annotated[bool, Option("--json", help="Everything but the journals; companion import reads it.")] = False,
) -> None:
    """The campaign on standard output."""
    if csv == json:
        raise UserError("take --csv or --json")
    campaign = campaign_needed()
    if csv:
        from companion.store.log import CampaignLog, write_csv

        write_csv(CampaignLog.of(Pack(campaign.game), campaign), sys.stdout)
        return
    from companion.store.snapshot import whole

    print_json(whole(campaign), indent=1)


def import_command(
    file: Annotated[Path, Argument(help="What companion export --json wrote.")], yes: Yes = False, name: As = None
) -> None:
    """Bring a campaign in from a file."""
    from companion.store import snapshot

    _settle(snapshot.Restored(snapshot.parsed(bytes_of(file))), yes, name)


def _settle(restored: Restored, yes: bool, name: str | None) -> None:
    """Show what would come back, ask, and write it."""
    name = line("the campaign's name", name or restored.name)
    place = restored.place(name)
    for each in _described(restored, name):
        print(each)
    if place:
        print(place)
    if not yes and not _agreed():
        print("Nothing was restored.")
        return
    restored.write(name)
    print(f"Restored and in use: {name}")


def _agreed() -> bool:
    if not asks():
        raise UserError("nobody is here to agree; to restore without asking add --yes")
    return prompt("Restore it? [y/N] ").strip().casefold() in ("y", "yes")


def _described(restored: Restored, name: str) -> list[str]:
    pack, last = restored.pack, restored.missions[-1] if restored.missions else None
    facts = last.state if last is not None else {}
    lines = [f"{name}: a {restored.kind} of {pack.title}, bomber {restored.aircraft or '–'}"]
    if restored.kind == "campaign":
        men = sum(map(bool, restored.roster.values()))
        lines.append(f"{counted(len(restored.missions), 'mission')}, {counted(men, 'man', 'men')} on the roster")
    else:
        pending = counted(len(last.pending) if last is not None else 0, "thing")
        lines.append(f"Mission {last.number if last else 0}: {counted(len(facts), 'field')}, {pending} pending")
    if restored.unknown:
        lines.append(f"Left out, as {pack.name} does not know them: {', '.join(dict.fromkeys(restored.unknown))}")
    for fact in pack.about.debrief:
        if fact in pack.sheet.fields and fact in facts:
            lines.append(f"  {pack.sheet.text(fact)}: {facts[fact]}")
    return lines
