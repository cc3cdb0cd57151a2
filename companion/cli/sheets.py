"""`companion sheet …`, `story`, `snapshot`, `restore`, `export` and `import`: a mission and a campaign on paper.

Stories and snapshots are imported by the functions that need them, since Tab loads this module for `sheet --…`.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
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
    _print("mission", out, paper, game, number, blank=blank, rolls=rolls)


def campaign(out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """Show or save the Campaign Log Sheet: missions, men and bombers."""
    _print("campaign", out, paper, game, blank=blank)


def crew(out: Out = None, number: Number = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """Show or save the Crew Placement Sheet: who sits where, and every hit."""
    _print("crew", out, paper, game, number, blank=blank)


def damage(out: Out = None, blank: Blank = False, paper: Paper = "a4", game: Game = None) -> None:
    """Show or save the Target Damage Sheet: boxes crossed off each city."""
    _print("damage", out, paper, game, blank=blank)


def poster(out: Out = None, paper: Paper = "a4") -> None:
    """The campaign on one page: missions as bombs, claims as flags, the crew as bars."""
    _print("poster", out, paper)


def _print(
    kind: str, out: Path | None, paper: str, game: str | None = None, number: int | None = None, *,
    blank: bool = False, rolls: bool = False,
) -> None:  # fmt: skip
    """Show a sheet of the campaign in use, or save it or a blank one."""
    if game is not None and not blank:
        raise UserError("Use --game only with --blank.")
    used = campaign_needed("Name a game, e.g. --game b29. " if blank else "") if game is None else None
    pack = Pack(used.game if used else str(game))
    if sheets.lacking(pack, kind):
        raise UserError(f"{pack.title} has no {sheets.title(pack, kind)}")
    used, flown = None if blank else used, None
    if used and kind in ("mission", "crew"):
        flown = _flown(used, number)
        pack = flown.game
    elif used and kind == "poster":
        mission_numbers(used)  # at least one
    form = sheets.form_of(out) if out is not None else "txt"
    if out is not None and form != "txt":
        _save(out, sheets.printed(kind, pack, used, form, flown, paper=paper, rolls=rolls))
    elif kind == "poster":
        raise UserError("A poster needs a .pdf, .png or .svg file, such as -o poster.pdf.")
    elif used is None:
        raise UserError("A blank sheet needs a file, such as -o sheet.pdf.")
    elif rolls:
        told = "To read every roll: companion log"
        raise UserError(f"--rolls needs a .pdf, .png or .svg file, such as -o sheet.pdf. {told}")
    elif kind == "campaign":
        _show_campaign(CampaignLog.of(pack, used), sheet_text.heading(kind, pack, used.name), out)
    else:
        _put(out, sheet_text.sheet(kind, pack, used, flown))


def _show_campaign(log: CampaignLog, title: str, out: Path | None) -> None:
    """Show the Campaign Log Sheet like `companion campaign`, or save its text."""
    from companion.cli.campaign_log import show_log

    shown = io.StringIO()
    with contextlib.redirect_stdout(shown if out else sys.stdout):
        show_log(log, title)
    if out:
        _put(out, shown.getvalue().rstrip("\n"))


def _flown(used: Campaign, number: int | None) -> Mission:
    """Return the mission asked for, the newest unless a number is given."""
    mission = used.flown(mission_numbers(used, number)[-1])
    mission.game.sheet.nicknames.state = mission.state
    return mission


def _put(out: Path | None, text: str) -> None:
    if out is None:
        print(text)
        return
    give(out, (text + "\n").encode())
    wrapped(f"Saved {out}")


def _save(out: Path, pages: list[bytes]) -> None:
    for file in sheets.write(out, pages):
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
    if out is not None and form == "pdf":
        data = report.data(told, game=Pack(used.game).title, title=title, campaign=used.name, paper=paper)
        _save(out, sheets.typeset("story", data, form))
    else:
        write = {"html": report.html, "md": report.markdown, "bbcode": report.bbcode, "txt": report.text}[form]
        _put(out, write(told))


def _campaign_told(used: Campaign, length: Callable[[Story], Report]) -> Report:
    from companion.render.report import Block, careers_of
    from companion.render.story import Story

    log = CampaignLog.of(Pack(used.game), used)
    if not log.rows:
        raise no_mission_error(log.pack)
    told = [Block("1", used.name), *(Block("p", line) for line in sheets.totals(log))]
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
