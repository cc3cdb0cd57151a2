"""`companion campaign`: the Campaign Log Sheet."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

from typer import Option

from companion.cli.crew import show_crew
from companion.packs import Pack
from companion.problems import Problem
from companion.render.sheet_text import totals
from companion.store.log import BLANK, CampaignLog, of_log, settings, write_csv
from companion.store.session import campaign_needed
from companion.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table as Grid

    from companion.engine.fields import Value

FIGURES = 20  # so many figures of the player's own book are listed; more would bury the settings


def campaign_command(
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
    csv: Annotated[bool, Option("--csv", help="One line a mission, for a spreadsheet.")] = False,
    chart: Annotated[bool, Option("--chart", help="Crews, bombs and losses beside 1,000 tours by chance.")] = False,
    seed: Annotated[int | None, Option(help="Makes --chart repeatable.")] = None,
    assume: Annotated[str | None, Option("--assume", help="even: for --chart, what only your book has.")] = None,
) -> None:
    """The campaign log. A row a mission, who is ahead, the crew and the lost."""
    if csv and (json or chart):
        raise Problem(f"take --{'json' if json else 'chart'} or --csv, not both")
    if (seed is not None or assume is not None) and not chart:
        raise Problem(f"{'--seed' if seed is not None else '--assume'} goes with --chart")
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    log = CampaignLog.of(pack, campaign)
    if chart:
        from companion.cli.forecast import chart_command

        chart_command(campaign, log, seed=seed, assume=assume, json=json)
    elif json:
        import json as form

        print(form.dumps({**of_log(log, campaign.name), "settings": settings(log)}))
    elif csv:
        write_csv(log, sys.stdout)
    else:
        show(log, f"{campaign.name} · {pack.about.get('title', pack.name)}")
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
