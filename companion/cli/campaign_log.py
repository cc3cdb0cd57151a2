"""`companion campaign`, `crew` and `bomber`: the Campaign Log Sheet, the men and what they fly."""

from __future__ import annotations

import sys
from random import Random
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.cli.commands import Json, print_json
from companion.packs import Pack
from companion.problems import UserError
from companion.render.sheet_text import bomber_line, totals
from companion.store import log as records
from companion.store.campaigns import Campaign
from companion.store.crew import change_bomber, change_crew, losses
from companion.store.log import BLANK, CampaignLog, Man, of_log, settings, write_csv
from companion.store.session import campaign_needed
from companion.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table as Grid

    from companion.engine.fields import Value

FIGURES = 20  # so many figures of the player's own book are listed; more would bury the settings


def campaign_command(
    json: Json = False,
    csv: Annotated[bool, Option("--csv", help="One line a mission, for a spreadsheet.")] = False,
    chart: Annotated[bool, Option("--chart", help="Crews, bombs and losses beside 1,000 tours by chance.")] = False,
    seed: Annotated[int | None, Option(help="Makes --chart repeatable.")] = None,
    assume: Annotated[str | None, Option("--assume", help="even: for --chart, what only your book has.")] = None,
) -> None:
    """The campaign log. A row a mission, who is ahead, the crew and the lost."""
    if csv and (json or chart):
        raise UserError(f"take --{'json' if json else 'chart'} or --csv, not both")
    if (seed is not None or assume is not None) and not chart:
        raise UserError(f"{'--seed' if seed is not None else '--assume'} goes with --chart")
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    log = CampaignLog.of(pack, campaign)
    if chart:
        from companion.cli.forecast import chart_command

        chart_command(campaign, log, seed=seed, assume=assume, json=json)
    elif json:
        print_json({**of_log(log, campaign.name), "settings": settings(log)})
    elif csv:
        write_csv(log, sys.stdout)
    else:
        show(log, f"{campaign.name} · {pack.title}")
        show_settings(pack, settings(log))


def show(log: CampaignLog, title: str) -> None:
    """The log for people."""
    from rich.text import Text

    from companion.cli.terminal import console

    out = console()
    out.print(Text(title, style="bold"))
    if log.rows:
        out.print(rows(log))
    else:
        out.print(f"No {log.pack.sheet.flight} has begun; begin with: companion mission start")
    for line in totals(log):
        out.print(line)
    if log.positions:
        out.print()
        show_crew(log, f"Crew of {log.aircraft}" if log.aircraft else "Crew")


def show_settings(pack: Pack, options: Mapping[str, Value | None]) -> None:
    """The settings in lines, each by the name that `set` takes."""
    from rich.table import Table as Grid
    from rich.text import Text

    from companion.cli.terminal import console

    out, grid = console(), Grid(show_edge=False, pad_edge=False, box=None, show_header=False)
    figures = [name for name in options if pack.sheet.fields[name].section != "settings"]
    if len(figures) > FIGURES:
        options = {name: value for name, value in options.items() if name not in figures}
    for name, value in options.items():
        words = "not asked yet" if value is None else pack.sheet.say(name, value)
        grid.add_row(Text(pack.sheet.text(name)), Text(words))
    if options:
        out.print()
        out.print(Text('Settings (change one: companion set "NAME=VALUE")', style="bold"))
        out.print(grid)
    if len(figures) > FIGURES:
        out.print(f"{counted(len(figures), 'figure')} of your own book kept (companion campaign --json lists them).")


def rows(log: CampaignLog) -> Grid:
    """One line a mission, with the pack's columns."""
    from rich.table import Table as Grid

    table = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim")
    table.add_column("Sheet", justify="right")
    for name, head in log.columns:
        numeric = log.sheet.declared(name).numeric
        table.add_column(head, justify="right" if numeric else "left", no_wrap=numeric)
    for row in log.rows:
        cells = ["–" if row.facts[name] in BLANK else log.sheet.say(name, row.facts[name]) for name, _ in log.columns]
        table.add_row(str(row.mission), *cells)
    return table


def crew_command(
    name: Annotated[str | None, Argument(help="The new man's name, with --replace.")] = None,
    replace: Annotated[list[str] | None, Option("--replace", help="A position whose man is lost.")] = None,
    put: Annotated[list[str] | None, Option("--set", help="POSITION=NAME.")] = None,
    chance: Annotated[bool, Option("--random", help="Names from our list for the unnamed and the lost.")] = False,
    seed: Annotated[int | None, Option(help="Makes the names repeatable.")] = None,
    json: Json = False,
) -> None:
    """The crew: missions, wounds, fighters; name and replace men."""
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    if name is not None and put and not replace:  # --set radar=Abe Feldman
        put, name = [*put[:-1], f"{put[-1]} {name}"], None
    if name is not None and len(replace or ()) != 1:
        raise UserError("a name goes with one --replace POSITION, or: companion crew --set POSITION=NAME")
    changes: list[str] = []
    if replace or put or chance:
        posted = [_posted(pair) for pair in put or ()]
        changes = change_crew(
            campaign, pack, Random(seed), replaced=replace or (), name=name, posted=posted, unnamed=chance
        )
        campaign = Campaign(campaign.folder)
    log = CampaignLog.of(pack, campaign)
    if "position" not in pack.sheet.index:
        raise UserError(f"{pack.title} has no crew")
    if json:
        print_json({"campaign": campaign.name, "game": campaign.game, **records.of_people(log)})
        return
    for change in changes:
        print(change)
    if not changes:
        show_crew(log, f"{campaign.name} · {pack.title} · {log.aircraft}")


def _posted(pair: str) -> tuple[str, str]:
    """`pilot=Dan Kerr` as a position and a name."""
    position, equals, name = pair.partition("=")
    if not equals:
        raise UserError(f"{pair!r} is not POSITION=NAME, such as pilot=Dan Kerr")
    return position, name


def show_crew(log: CampaignLog, title: str) -> None:
    """The roster for people, the lost crossed out, and below it those who have been replaced."""
    from rich.text import Text

    from companion.cli.terminal import console

    out = console()
    out.print(Text(title, style="bold"))
    out.print(grid(log))
    gone = [man for man in log.lost_men() if man.name not in log.roster.values()]
    if gone:
        out.print(memorial(log, gone))
    _, how = losses(log)
    if how:
        out.print(Text(f"Before the next mission: {', '.join(how)}", style="magenta"))


def grid(log: CampaignLog) -> Grid:
    """One line a man: position, name, missions that count, victories, fighters, how he is."""
    from rich.table import Table as Grid
    from rich.text import Text

    table = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim")
    for head in ("", "Crew", "Name"):
        table.add_column(head)
    for head in ("Missions", "Wins", "Kills"):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("")
    for position in log.positions:
        man = log.man(position)
        rating = log.rating("missions", man.missions)
        known = [each for each in (log.health(man), rating) if each]
        words = [log.fate(man)] if man.lost else [*known, *log.standing(man)]
        table.add_row(
            "x" if man.lost else "",
            log.label(position),
            Text(man.name or "–", style="strike" if man.lost else ""),
            str(man.missions),
            str(man.victories),
            str(man.kills or ""),
            Text(", ".join(words), style="bold red" if man.lost else ""),
        )
    return table


def memorial(log: CampaignLog, men: list[Man]) -> Grid:
    """The lost: fate, the mission it was, missions that count, fighters."""
    from rich.table import Table as Grid
    from rich.text import Text

    table = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim")
    for head in ("", "Lost", "", ""):
        table.add_column(head)
    for head in ("No", "Missions", "Kills"):
        table.add_column(head, justify="right", no_wrap=True)
    for man in men:
        name, fate = Text(man.name, style="strike"), Text(log.fate(man), style="red")
        table.add_row(
            "x", name, log.label(man.position), fate, str(man.number), str(man.missions), str(man.kills or "")
        )
    return table


def bomber_command(
    name: Annotated[str | None, Argument(help="The new bomber's name.")] = None,
    yes: Annotated[bool, Option("--yes", "-y", help="Also while the present one still flies.")] = False,
    json: Json = False,
) -> None:
    """The bomber; with a name, another one after a loss."""
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    if "aircraft.name" not in pack.sheet.fields:
        raise UserError(f"{pack.title} has no bomber of its own")
    if name is not None:
        change_bomber(campaign, pack, name, sound=yes)
        campaign = Campaign(campaign.folder)
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
        print(fill(bomber_line(each, log), 80, subsequent_indent="    "))
    if log.bomber().lost:
        print("Before the next mission: companion bomber NAME")
