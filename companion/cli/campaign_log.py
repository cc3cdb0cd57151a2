"""`companion campaign`: the Campaign Log Sheet."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from companion.campaign.log import BLANK, Bomber, CampaignLog, Man, Row
from companion.cli.session import campaign_needed
from companion.packs import Pack
from companion.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table as Grid

    from companion.engine.sheet import Value

FIGURES = 20  # so many figures of the player's own book are listed; more would bury the settings


def campaign_command(
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
    csv: Annotated[bool, Option("--csv", help="One line a mission, for a spreadsheet.")] = False,
) -> None:
    """The campaign log. A row a mission, who is ahead, the crew and the lost."""
    if json and csv:
        raise Problem("take --json or --csv, not both")
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    log = CampaignLog.of(pack, campaign)
    if json:
        import json as form

        print(form.dumps({**as_object(log, campaign.name), "settings": settings(log)}))
    elif csv:
        write_csv(log)
    else:
        show(log, f"{campaign.name} · {pack.about.get('title', pack.name)}")
        show_settings(pack, settings(log))


def as_object(log: CampaignLog, name: str) -> dict[str, Any]:
    """The whole log. `mission` is which sheet it is, `number` what the sheet says; `facts` are the columns."""
    from companion.cli.crew import people

    return {
        "campaign": name,
        "game": log.pack.name,
        "missions": [_row(row) for row in log.rows],
        "totals": {
            "counting": log.counting,
            "of": log.length,
            "over": log.over,
            "results": log.results,
            "ahead": log.ahead,
            "average": log.average,
            **log.rated("percent", log.average),
        },
        "bomber": record(log, log.bomber()),
        **people(log),
    }


def record(log: CampaignLog, each: Man | Bomber) -> dict[str, Any]:
    """A man or a bomber: `missions` count, `flown` are all of them; `mission` is the last sheet, null before it."""
    own: dict[str, Any]
    if isinstance(each, Bomber):
        own = {"name": each.name, "fate": each.end}
    else:
        own = {
            "position": each.position,
            "name": each.name,
            "standing": log.standing(each),
            "state": each.state,
            "fate": each.fate,
            "kills": each.kills,
        }
    return {
        **own,
        "missions": each.missions,
        "flown": each.flown,
        "victories": each.victories,
        "lost": each.lost,
        "mission": each.mission or None,
        "number": each.number or None,
        **log.rated("missions", each.missions),
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "mission": row.mission,
        "number": row.number,
        "counts": row.counts,
        "result": row.result,
        "facts": row.facts,
        "lost": [man.name for man in row.lost],
    }


def write_csv(log: CampaignLog) -> None:
    """A line a mission, headed by the facts; `lost` has the names."""
    from csv import writer

    out = writer(sys.stdout, lineterminator="\n")
    names = [name for name, _ in log.columns]
    out.writerow(["mission", *names, "lost"])
    for row in log.rows:
        out.writerow([row.mission, *(row.facts[name] for name in names), "; ".join(man.name for man in row.lost)])


def show(log: CampaignLog, title: str) -> None:
    """The log for people."""
    from rich.text import Text

    from companion.cli.present import console

    out = console()
    out.print(Text(title, style="bold"))
    if log.rows:
        out.print(rows(log))
    else:
        out.print("No mission has begun; begin with: companion mission start")
    for line in totals(log):
        out.print(line)
    if log.positions:
        from companion.cli.crew import show_crew

        out.print()
        show_crew(log, f"Crew of {log.aircraft}" if log.aircraft else "Crew")


def settings(log: CampaignLog) -> dict[str, Value | None]:
    """How the campaign is played: every option, with None where nobody has been asked yet; the book's figures said."""
    told: dict[str, Value | None] = {}
    for name, declared in log.sheet.fields.items():
        alone = declared.name == name  # of a family only those that have been said
        if name in log.latest and declared.section in ("settings", "book"):
            told[name] = log.latest[name]
        elif declared.section == "settings" and alone:
            told[name] = declared.default
    return told


def show_settings(pack: Pack, told: Mapping[str, Value | None]) -> None:
    """The settings in lines, each with the name that `set` takes."""
    from rich.table import Table as Grid
    from rich.text import Text

    from companion.cli.present import console

    out, grid = console(), Grid(show_edge=False, pad_edge=False, box=None, show_header=False)
    figures = [name for name in told if pack.sheet.fields[name].section != "settings"]
    if len(figures) > FIGURES:
        told = {name: value for name, value in told.items() if name not in figures}
    for name, value in told.items():
        said = "not asked yet" if value is None else str(value)
        grid.add_row(Text(name, style="dim"), Text(pack.sheet.text(name)), Text(said))
    if told:
        out.print()
        out.print(Text("Settings (change one: companion set NAME=VALUE)", style="bold"))
        out.print(grid)
    if len(figures) > FIGURES:
        out.print(f"{len(figures)} figures of your own book are kept (companion campaign --json lists them).")


def rows(log: CampaignLog) -> Grid:
    """One line a mission, with the pack's columns."""
    from rich.table import Table as Grid

    made = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim")
    made.add_column("Sheet", justify="right")
    for name, head in log.columns:
        numeric = log.sheet.declared(name).numeric
        made.add_column(head, justify="right" if numeric else "left", no_wrap=numeric)
    for row in log.rows:
        told = ["–" if row.facts[name] in BLANK else str(row.facts[name]) for name, _ in log.columns]
        made.add_row(str(row.mission), *told)
    return made


def totals(log: CampaignLog) -> list[str]:
    """How many count and the average, the score, who is ahead."""
    of = f" of {log.length}" if log.length is not None else ""
    word = log.rating("percent", log.average)
    average = f" Bombs on target: {log.average:g} percent on average" if log.average is not None else ""
    average += f" ({word})." if average and word else "." if average else ""
    lines = [f"Missions that count: {log.counting}{of}.{average}"]
    if log.sides:
        others = sum(many for result, many in log.results.items() if result not in log.sides)
        score = ", ".join(f"{who} {log.results[result]}" for result, who in log.sides.items())
        lines.append(f"{score}, draws {others}.")
        ahead = log.sides[log.ahead] if log.ahead else ""
        how = "Winner of the campaign:" if log.over else "Ahead:"
        level = "The campaign is a draw." if log.over else "Neither side is ahead."
        lines.append(f"{how} {ahead}." if ahead else level)
    return lines
