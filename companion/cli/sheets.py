"""`companion sheet …`, `story`, `snapshot`, `restore`, `export` and `import`: a mission and a campaign on paper.

Stories and snapshots are imported by the functions that need them, since Tab loads this module for `sheet --…`.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.cli.commands import group, print_json
from companion.cli.terminal import agreed, wrapped
from companion.engine.fields import line
from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import UserError
from companion.render import sheet_text, sheets
from companion.render.sheet_model import SheetModel, landings
from companion.render.situation import sight
from companion.store.campaigns import Campaign
from companion.store.files import bytes_of, give
from companion.store.log import CampaignLog
from companion.store.session import campaign_needed, mission_numbers, no_mission_error
from companion.words import counted, one_of

if TYPE_CHECKING:
    from companion.render.report import Report
    from companion.render.story import Story
    from companion.store.snapshot import Restored


def _paper(paper: str) -> str:
    if paper.casefold() not in sheets.PAPERS:
        raise UserError(f"Paper must be {one_of(sheets.PAPERS)}, not '{paper}'.")
    return paper.casefold()


Out = Annotated[Path | None, Option("-o", "--out", help="A .pdf, .png, .svg or .txt file. Default: the terminal.")]
Number = Annotated[int | None, Option("--mission", help="Mission number. Default: the latest.")]
Blank = Annotated[bool, Option("--blank", help="A blank sheet, to fill in by hand.")]
Paper = Annotated[str, Option("--paper", callback=_paper, help="a4 or letter.")]
Rolls = Annotated[bool, Option("--rolls", help="Also print every roll, zone by zone.")]
Game = Annotated[str | None, Option("--game", help="The game of the blank sheet, if no campaign is in use.")]


def mission(
    number: Number = None,
    out: Out = None,
    blank: Blank = False,
    rolls: Rolls = False,
    paper: Paper = "a4",
    game: Game = None,
) -> None:
    """Show or save the Mission Log Sheet, with every hit and codes to restore it."""
    pack, used = _whose("mission", game, blank)
    if used is None:
        _typeset(out, "mission", sheets.mission(SheetModel(pack, {}, blank=True), paper=paper))
        return
    flown = _flown(used, number)
    pack = flown.game
    if _typesets(out):
        _typeset(out, "mission", sheets.of_flight(used, flown, paper=paper, rolls=rolls))
        return
    if rolls:
        raise UserError(
            "--rolls needs a .pdf, .png or .svg file, such as -o sheet.pdf. To read every roll: companion log"
        )
    model = SheetModel(pack, flown.state, flown, seen=sight(flown, ""))
    _put(out, sheet_text.mission_sheet(sheet_text.heading("mission", pack, used.name), model, landings(flown)))


def campaign(out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """Show or save the Campaign Log Sheet: missions, men and bombers."""
    pack, used = _whose("campaign", game, blank)
    log = CampaignLog.of(pack, used) if used else CampaignLog(pack, {}, ())
    if used is None:
        _typeset(out, "campaign", sheets.campaign(pack, log, [], name="", paper=paper, blank=True))
        return
    if _typesets(out):
        from companion.store.snapshot import codes, of_campaign

        data = sheets.campaign(pack, log, sheet_text.totals(log), name=used.name, paper=paper, blank=False)
        data["codes"] = sheets.pictures(codes(of_campaign(pack, used)))
        _typeset(out, "campaign", data)
        return
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown if out else sys.stdout):
        from companion.cli.campaign_log import show_log

        show_log(log, sheet_text.heading("campaign", pack, used.name))
    if out:
        _put(out, shown.getvalue().rstrip("\n"))


def crew(out: Out = None, number: Number = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """Show or save the Crew Placement Sheet: who sits where, and every hit."""
    pack, used = _whose("crew", game, blank)
    if used is None:
        _typeset(out, "crew", sheets.crew(SheetModel(pack, {}, blank=True), name="", paper=paper))
        return
    flown = _flown(used, number)
    pack = flown.game
    if _typesets(out):
        model = SheetModel(pack, flown.state, flown)
        _typeset(out, "crew", sheets.crew(model, name=used.name, paper=paper))
    else:
        _put(out, sheet_text.crew_sheet(sheet_text.heading("crew", pack, used.name), SheetModel(pack, flown.state)))


def damage(out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """Show or save the Target Damage Sheet: boxes crossed off each city."""
    pack, used = _whose("damage", game, blank)
    log = CampaignLog.of(pack, used) if used else CampaignLog(pack, {}, ())
    if used is None or _typesets(out):
        name = used.name if used else ""
        _typeset(out, "damage", sheets.damage(log, name=name, paper=paper, blank=used is None))
    else:
        _put(out, sheet_text.damage_sheet(sheet_text.heading("damage", pack, used.name), sheets.cities(log)))


def poster(out: Out = None, paper: Paper = "a4") -> None:
    """The campaign on one page: missions as bombs, claims as flags, the crew as bars."""
    pack, used = _whose("poster", None, False)
    assert used is not None
    mission_numbers(used, None)  # at least one
    log = CampaignLog.of(pack, used)
    if not _typesets(out):
        raise UserError("A poster needs a .pdf, .png or .svg file, such as -o poster.pdf.")
    _typeset(out, "poster", sheets.poster(log, sheet_text.totals(log), name=used.name, paper=paper))


# -- choice of sheet and output ----------------------------------------------------------------------------------------


def _whose(kind: str, game: str | None, blank: bool) -> tuple[Pack, Campaign | None]:
    """Return the pack, which must have such a sheet, and the campaign in use (none for a blank sheet)."""
    if game is not None and not blank:
        raise UserError("Use --game only with --blank.")
    used = campaign_needed("Name a game, e.g. --game b29. " if blank else "") if game is None else None
    pack = Pack(used.game if used else str(game))
    if sheets.lacking(pack, kind):
        raise UserError(f"{pack.title} has no {sheets.title(pack, kind)}")
    return pack, None if blank else used


def _flown(used: Campaign, number: int | None) -> Mission:
    """Return the mission asked for, the newest unless a number is given."""
    mission = used.flown(mission_numbers(used, number)[-1])
    mission.game.sheet.nicknames.state = mission.state
    return mission


def _typesets(out: Path | None) -> bool:
    """Return whether the output is a PDF or a picture, not the terminal or a text file."""
    return out is not None and sheets.form_of(out) != "txt"


def _put(out: Path | None, text: str) -> None:
    if out is None:
        print(text)
        return
    give(out, (text + "\n").encode())
    wrapped(f"Saved {out}")


def _typeset(out: Path | None, template: str, data: Mapping[str, object]) -> None:
    if out is None or not _typesets(out):
        raise UserError("A blank sheet needs a file, such as -o sheet.pdf.")
    for file in sheets.write(out, sheets.typeset(template, data, sheets.form_of(out))):
        wrapped(f"Saved {file}")


sheet_command = group(
    "Print the sheets: mission, campaign, crew, damage, poster.",
    mission=mission,
    campaign=campaign,
    crew=crew,
    damage=damage,
    poster=poster,
)


def story_command(
    number: Number = None,
    out: Annotated[
        Path | None, Option("-o", "--out", help="A .md, .html, .bbcode, .pdf or .txt file. Default: the terminal.")
    ] = None,
    form: Annotated[str | None, Option("--as", help="For a forum: md, bbcode or html.")] = None,
    short: Annotated[bool, Option("--short", help="One paragraph.")] = False,
    headline: Annotated[bool, Option("--headline", help="One line.")] = False,
    campaign: Annotated[bool, Option("--campaign", help="Every mission as a chapter, and the crew's careers.")] = False,
    card: Annotated[Path | None, Option("--card", help="Save a picture to share: a .png or .svg file.")] = None,
    paper: Paper = "a4",
) -> None:
    """Tell the mission as a story, written from its journal."""
    from companion.render import report
    from companion.render.story import Story

    if campaign and number is not None:
        raise UserError("--campaign tells every mission. Leave out --mission.")
    if form is not None and form not in report.PASTED:
        raise UserError(f"--as must be {one_of(report.PASTED)}.")
    form = form or (sheets.form_of(out, report.FORMS) if out is not None else "txt")
    used = campaign_needed()
    if card is not None:
        picture = sheets.form_of(card, sheets.CARD_FORMS)
        if campaign:
            raise UserError("--card draws one mission. Leave out --campaign.")
        give(card, sheets.card_picture(_flown(used, number), picture, used.name))
        wrapped(f"Saved {card}")
        return
    length = report.line if headline else report.short if short else report.mission
    if campaign:
        title, told = used.name, _campaign_told(used, length)
    else:
        story = Story(_flown(used, number))
        if not story.stages:
            raise UserError(f"There is no story yet. Start the {Pack(used.game).sheet.flight} with: companion fly")
        title, told = story.title, length(story)
    if form == "pdf":
        _typeset(
            out, "story", report.data(told, game=Pack(used.game).title, title=title, campaign=used.name, paper=paper)
        )
    else:
        write = {"html": report.html, "md": report.markdown, "bbcode": report.bbcode, "txt": report.text}[form]
        _put(out, write(told))


def _campaign_told(used: Campaign, length: Callable[[Story], Report]) -> Report:
    from companion.render.report import Block, careers_of
    from companion.render.story import Story

    log = CampaignLog.of(Pack(used.game), used)
    if not log.rows:
        raise no_mission_error(log.pack)
    told = [Block("1", used.name), *(Block("p", line) for line in sheet_text.totals(log))]
    for row in log.rows:
        told += length(Story(_flown(used, row.mission)))
    if log.positions:
        told += [Block("1", "The men"), *(Block("p", each.told) for each in careers_of(used))]
    return told


Yes = Annotated[bool, Option("--yes", "-y", help="Don't ask before restoring.")]
As = Annotated[str | None, Option("--as", help="Restore it under another name.")]


def snapshot_command(
    qr: Annotated[bool, Option("--qr", help="Show QR codes for a camera.")] = False,
    text: Annotated[bool, Option("--text", help="One line of text to copy.")] = False,
    campaign: Annotated[bool, Option("--campaign", help="The whole campaign, as on its log sheet.")] = False,
) -> None:
    """Save the mission as QR codes or text (see restore)."""
    from companion.store import snapshot

    used = campaign_needed()
    kept = snapshot.of_campaign(Pack(used.game), used) if campaign else snapshot.of_mission(used, _flown(used, None))
    if text or not qr:
        print(snapshot.text(kept))
    if qr:
        texts = snapshot.codes(kept)
        for at, each in enumerate(texts, 1):
            print(f"Code {at} of {len(texts)}\n{sheets.blocks(each)}")


def restore_command(
    source: Annotated[list[str], Argument(help="Pictures or text files, or the text itself.")],
    yes: Yes = False,
    name: As = None,
) -> None:
    """Restore a mission or campaign from codes, text or a photo of the printed sheet."""
    from companion.store.snapshot import Restored, codes_in, read

    _settle(Restored(read(codes_in(source))), yes, name)


def export_command(
    csv: Annotated[bool, Option("--csv", help="One line per mission, for a spreadsheet.")] = False,
    json: Annotated[bool, Option("--json", help="Everything except the journals, for companion import.")] = False,
) -> None:
    """Print the campaign for a file or a spreadsheet."""
    if csv == json:
        raise UserError("Use --csv or --json, not both.")
    campaign = campaign_needed()
    if csv:
        from csv import writer

        log, table = CampaignLog.of(Pack(campaign.game), campaign), writer(sys.stdout, lineterminator="\n")
        table.writerow(["mission", *(name for name, _ in log.columns), "lost"])
        for row in log.rows:
            facts = [row.facts[name] for name, _ in log.columns]
            table.writerow([row.mission, *facts, "; ".join(man.name for man in row.lost)])
        return
    from companion.store.snapshot import of_campaign

    print_json(of_campaign(Pack(campaign.game), campaign, whole=True), indent=1)


def import_command(
    file: Annotated[Path, Argument(help="A file from companion export --json.")], yes: Yes = False, name: As = None
) -> None:
    """Import a campaign from a file."""
    from companion.store.snapshot import Restored, parsed

    _settle(Restored(parsed(bytes_of(file))), yes, name)


def _settle(restored: Restored, yes: bool, name: str | None) -> None:
    """Show the snapshot, ask for confirmation, and restore it."""
    name = line("the campaign's name", name or restored.name)
    place = restored.place(name)
    print("\n".join([*_described(restored, name), *([place] if place else [])]))
    if agreed("Restore it?", "restore", yes=yes):
        restored.write(name)
    wrapped(f"Restored {name}. It is now in use")


def _described(restored: Restored, name: str) -> list[str]:
    pack = restored.pack
    lines = [f"{name}: a {restored.kind} of {pack.title}, bomber {restored.aircraft or '–'}"]
    if restored.kind == "campaign":
        men = sum(map(bool, restored.roster.values()))
        lines.append(f"{counted(len(restored.missions), 'mission')}, {counted(men, 'man', 'men')} in the crew")
    for last in restored.missions[-1:]:
        if restored.kind == "mission":
            pending = counted(len(last.pending), "thing")
            lines.append(f"Mission {last.number}: {counted(len(last.state), 'field')}, {pending} pending")
        for fact in pack.about.debrief:
            if fact in pack.sheet.fields and fact in last.state:
                lines.append(f"  {pack.sheet.text(fact)}: {last.state[fact]}")
    if restored.unknown:
        lines.append(f"Left out, because {pack.name} doesn't have them: {', '.join(dict.fromkeys(restored.unknown))}")
    return lines
