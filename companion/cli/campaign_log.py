"""`companion campaign`, `crew` and `bomber`: the Campaign Log Sheet, the crew and the bomber."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.cli.commands import Assume, Json, print_json
from companion.cli.odds import comparison
from companion.cli.terminal import console, say, show, wrapped
from companion.engine.fields import Value
from companion.packs import Pack
from companion.problems import UserError
from companion.render.report import careers_of
from companion.render.sheets import totals
from companion.render.situation import Line
from companion.store import log as records
from companion.store.campaigns import Campaign
from companion.store.crew import changed, losses, man_named, seat_and_name
from companion.store.log import BLANK, Bomber, CampaignLog, of_log, settings
from companion.store.session import campaign_needed
from companion.words import counted, figure

if TYPE_CHECKING:
    from rich.table import Table as Grid

FIGURES = 20  # the most rulebook numbers listed; more would bury the settings


def campaign_command(
    json: Json = False,
    chart: Annotated[bool, Option("--chart", help="Compare the campaign with 1,000 simulated tours.")] = False,
    out: Annotated[Path | None, Option("-o", "--out", help="Draw the --chart in a .pdf, .png or .svg file.")] = None,
    seed: Annotated[int | None, Option(help="Random seed, for a repeatable --chart.")] = None,
    assume: Assume = None,
) -> None:
    """Show the campaign log. One row per mission, the score, the crew and the losses."""
    alone = [name for name, given in (("out", out), ("seed", seed), ("assume", assume)) if given is not None]
    if alone and not chart:
        raise UserError(f"--{alone[0]} needs --chart")
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    log = CampaignLog.of(pack, campaign)
    if chart:
        from companion.cli.forecast import chart_command

        chart_command(campaign, log, seed=seed, assume=assume, json=json, file=out)
    elif json:
        print_json({**of_log(log, campaign.name), "settings": settings(log)})
    else:
        show_log(log, f"{campaign.name} · {pack.title}")
        show_settings(pack, settings(log))


def show_log(log: CampaignLog, title: str) -> None:
    """Print the log: a row per mission, the totals, the crew."""
    say(title, "strong")
    if log.rows:
        rows = []
        for row in log.rows:
            unsaid = BLANK if row.tells_bombs else {*BLANK, 0}
            cells = ((name, row.facts[name], unsaid if name == log.spec.average else BLANK) for name, _ in log.columns)
            told = ["–" if value in blank else log.sheet.say(name, value) for name, value, blank in cells]
            rows.append([str(row.mission), *told])
        console().print(_grid(["Sheet", *(head for _, head in log.columns)], rows))
    else:
        say(f"No {log.pack.sheet.flight} has been started. Start one with: companion mission start")
    for line in totals(log):
        say(line)
    if log.positions:
        print()
        show_crew(log, f"Crew of {log.aircraft}" if log.aircraft else "Crew")


def _grid(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Grid:
    """Return a table without borders, numbers aligned right; a row of a lost man starts with x."""
    from rich.table import Table as Grid
    from rich.text import Text

    table = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim", show_header=any(heads))
    for at, head in enumerate(heads):
        numeric = all(row[at] in ("", "–") or figure(row[at]) is not None for row in rows)
        table.add_column(head, justify="right" if numeric else "left", no_wrap=numeric)
    for row in rows:
        table.add_row(*map(Text, row), style="red" if row[0] == "x" else "")
    return table


def show_settings(pack: Pack, options: Mapping[str, Value | None]) -> None:
    """Print the settings, each with its name for `set`."""
    figures = [name for name in options if pack.sheet.fields[name].section != "settings"]
    if len(figures) > FIGURES:
        options = {name: value for name, value in options.items() if name not in figures}
    if options:
        rows = [
            [pack.sheet.text(name), "not asked yet" if value is None else pack.sheet.say(name, value)]
            for name, value in options.items()
        ]
        print('\nSettings (change one: companion set "NAME=VALUE")')
        console().print(_grid(["", ""], rows))
    if len(figures) > FIGURES:
        where = "cards and charts" if pack.about.box else "rulebook"
        print(f"{counted(len(figures), 'figure')} from your {where} (list them: companion campaign --json).")


def crew_command(
    words: Annotated[list[str] | None, Argument(help="A man for his record, or a position and a new name.")] = None,
    replace: Annotated[list[str] | None, Option("--replace", help="A position whose crewman was lost.")] = None,
    put: Annotated[list[str] | None, Option("--set", help="POSITION=NAME.")] = None,
    chance: Annotated[bool, Option("--random", help="Give random names to unnamed crewmen and replacements.")] = False,
    seed: Annotated[int | None, Option(help="Random seed, for repeatable names.")] = None,
    json: Json = False,
) -> None:
    """Show the crew or one man's record. Rename or replace crewmen."""
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    name = " ".join(words or ()) if words else None
    if words and put and not replace:  # --set radar=Abe Feldman
        put, name = [*put[:-1], " ".join([put[-1], *words])], None
    elif words and not (replace or put or chance) and (man := man_named(CampaignLog.of(pack, campaign), str(name))):
        show_career(campaign, man)
        return
    elif words and not replace:
        put, name = [seat_and_name(CampaignLog.of(pack, campaign), words)], None
    if name is not None and len(replace or ()) != 1:
        raise UserError('Name one man at a time, e.g. companion crew navigator "Jim Tate"')
    posted = {pair: pair.partition("=") for pair in put or ()}
    for pair in [pair for pair, (_, equals, _) in posted.items() if not equals]:
        raise UserError(f"{pair!r} isn't POSITION=NAME, e.g. pilot=Dan Kerr")
    changes: list[str] = []
    if replace or put or chance:
        rng = Random(seed)
        with changed(campaign, pack) as roster:
            for each in replace or ():
                roster.replace(roster.position(each), name, rng)
            for position, _, man in posted.values():
                roster.put(roster.position(position), man)
            if chance:
                roster.fill(rng)
        changes = roster.changes or ["Every crewman has a name, and none was lost."]
    log = CampaignLog.of(pack, campaign)
    if "position" not in pack.sheet.index:
        raise UserError(f"{pack.title} has no crew")
    if json:
        print_json({"campaign": campaign.name, "game": campaign.game, **records.of_people(log)})
        return
    for change in changes:
        wrapped(change)
    if not changes:
        show_crew(log, f"{campaign.name} · {pack.title} · {log.aircraft}")


def show_career(campaign: Campaign, name: str) -> None:
    """Print a man's record: missions, wounds, claims, close calls, and the luck he had."""
    career = next((each for each in careers_of(campaign) if each.man.name == name), None)
    if career is None:
        wrapped(f"{name} has not flown a mission yet.")
        return
    wrapped(career.summary)
    for title, told in career.missions:
        print(fill(f"{title}: {told}", 80, initial_indent="  ", subsequent_indent="    "))
    for account in career.luck:
        print(fill(f"Luck: {comparison(account)}", 80, subsequent_indent="    "))


def show_crew(log: CampaignLog, title: str) -> None:
    """Print the roster, and below it the lost men who have been replaced."""
    say(title, "strong")
    crew = []
    for position in log.positions:
        man = log.man(position)
        known = [each for each in (log.health(man), log.rating("missions", man.missions)) if each]
        words = ", ".join([log.fate(man)] if man.lost else [*known, *log.standing(man)])
        figures = [str(man.missions), str(man.victories), str(man.kills or "")]
        crew.append(["x" if man.lost else "", log.label(position), man.name or "–", *figures, words])
    console().print(_grid(["", "Crew", "Name", "Missions", "Wins", "Kills", ""], crew))
    gone = [each for each in log.lost_men() if each.name not in log.roster.values()]
    if gone:
        rows = [
            [
                "x",
                each.name,
                log.label(each.position),
                log.fate(each),
                *map(str, (each.number, each.missions, each.kills or "")),
            ]
            for each in gone
        ]
        console().print(_grid(["", "Lost", "", "", "No", "Missions", "Kills"], rows))
    if how := losses(log)[1]:
        show(Line(f"{what}: ", [(command, "")]) for what, command in how)


def bomber_command(
    name: Annotated[str | None, Argument(help="The new bomber's name.")] = None,
    yes: Annotated[bool, Option("--yes", "-y", help="Replace the bomber even if it is still airworthy.")] = False,
    json: Json = False,
) -> None:
    """Show the bomber, or name its replacement."""
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    if "aircraft.name" not in pack.sheet.fields:
        raise UserError(f"{pack.title} has no named bomber")
    if name is not None:
        with changed(campaign, pack) as roster:
            present = roster.log.bomber()
            if present.name and not present.lost and not yes:
                raise UserError(f"{present.name} is still airworthy. To replace it anyway: companion bomber NAME --yes")
            roster.take(name)
    log = CampaignLog.of(pack, campaign)
    former = [each for each in log.bombers.values() if each.name != log.aircraft]
    if json:
        bombers = {
            "campaign": campaign.name,
            "game": campaign.game,
            "bomber": records.of_one(log, log.bomber()),
            "former": [records.of_one(log, each) for each in former],
        }
        print_json(bombers)
        return
    for each in [log.bomber(), *former]:
        print(fill(_bomber_line(each, log), 80, subsequent_indent="    "))
    if log.bomber().lost:
        print("Before the next mission: companion bomber NAME")


def _bomber_line(bomber: Bomber, log: CampaignLog) -> str:
    """Return one bomber in a line, a cross before a lost one."""
    many = counted(bomber.missions, "mission")
    end = f"; {bomber.end}, mission {bomber.number}" if bomber.lost else ""
    word = log.rating("missions", bomber.survived)
    rated = f", {word}" if word else ""
    return f"{'x' if bomber.lost else ' '} {bomber.name or '(no name)'}: {many}, {bomber.victories} won{rated}{end}"
