"""`companion crew`: who flies, how often they have flown, and who was lost."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.packs import Pack
from companion.problems import Problem
from companion.store import log as records
from companion.store.campaigns import Campaign
from companion.store.crew import change_crew, losses
from companion.store.log import CampaignLog, Man
from companion.store.session import campaign_needed

if TYPE_CHECKING:
    from rich.table import Table as Grid


def crew_command(
    name: Annotated[str | None, Argument(help="The new man's name, with --replace.")] = None,
    replace: Annotated[list[str] | None, Option("--replace", help="A position whose man is lost.")] = None,
    put: Annotated[list[str] | None, Option("--set", help="POSITION=NAME.")] = None,
    chance: Annotated[bool, Option("--random", help="Names from our list for the unnamed and the lost.")] = False,
    seed: Annotated[int | None, Option(help="Makes the names repeatable.")] = None,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """The crew: missions, wounds, fighters; name and replace men."""
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    if name is not None and put and not replace:  # --set radar=Abe Feldman
        put, name = [*put[:-1], f"{put[-1]} {name}"], None
    if name is not None and len(replace or ()) != 1:
        raise Problem("a name goes with one --replace POSITION, or: companion crew --set POSITION=NAME")
    changes: list[str] = []
    if replace or put or chance:
        posted = [_posted(pair) for pair in put or ()]
        changes = change_crew(
            campaign, pack, Random(seed), replaced=replace or (), name=name, posted=posted, unnamed=chance
        )
        campaign = Campaign(campaign.folder)
    log = CampaignLog.of(pack, campaign)
    if "position" not in pack.sheet.index:
        raise Problem(f"{pack.about.get('title', pack.name)} has no crew")
    if json:
        import json as form

        print(form.dumps({"campaign": campaign.name, "game": campaign.game, **records.of_people(log)}))
        return
    for change in changes:
        print(change)
    if not changes:
        show_crew(log, f"{campaign.name} · {pack.about.get('title', pack.name)} · {log.aircraft}")


def _posted(pair: str) -> tuple[str, str]:
    """`pilot=Dan Kerr` as a position and a name."""
    position, equals, name = pair.partition("=")
    if not equals:
        raise Problem(f"{pair!r} is not POSITION=NAME, such as pilot=Dan Kerr")
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
