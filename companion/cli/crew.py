"""`companion crew`: who flies, how often they have flown, and who was lost."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from companion.campaign import store
from companion.campaign.log import CampaignLog, Man
from companion.campaign.roster import Roster, losses
from companion.cli.campaign_log import record
from companion.cli.session import campaign_needed
from companion.packs import Pack
from companion.problems import Problem

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
    if name is not None and len(replace or ()) != 1:
        raise Problem("a name goes with one --replace POSITION, or: companion crew --set POSITION=NAME")
    told: list[str] = []
    if replace or put or chance:
        with campaign.lock():
            campaign = store.Campaign(campaign.folder)
            roster = Roster(CampaignLog.of(pack, campaign))
            change(roster, replace or [], name, put or [], Random(seed), chance)
            campaign.keep(roster=roster.names)
            told = roster.told
    log = CampaignLog.of(pack, campaign)
    if json:
        import json as form

        print(form.dumps({"campaign": campaign.name, "game": campaign.game, **people(log)}))
        return
    for line in told:
        print(line)
    if not told:
        show_crew(log, f"{campaign.name} · {pack.about.get('title', pack.name)} · {log.aircraft}")


def change(roster: Roster, replaced: list[str], name: str | None, put: list[str], rng: Random, chance: bool) -> None:
    """Carry out what was asked for, in the order replace, set, random; nothing is written here."""
    for position in replaced:
        roster.replace(roster.position(position), name, rng)
    for pair in put:
        position, equals, said = pair.partition("=")
        if not equals:
            raise Problem(f"{pair!r} is not POSITION=NAME, such as pilot=Dan Kerr")
        roster.put(roster.position(position), said)
    if chance:
        roster.fill(rng)
    if chance and not roster.told:
        roster.told.append("Everyone has a name and nobody is lost.")


def people(log: CampaignLog) -> dict[str, Any]:
    """The present crew and the lost, for programs."""
    crew = [{**record(log, log.man(position)), "position": position} for position in log.positions]
    return {"crew": crew, "lost": [record(log, man) for man in log.lost_men()]}


def show_crew(log: CampaignLog, title: str) -> None:
    """The roster for people, the lost crossed out, and below it those who have been replaced."""
    from rich.text import Text

    from companion.cli.present import console

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

    made = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim")
    for head in ("", "Crew", "Name"):
        made.add_column(head)
    for head in ("Missions", "Wins", "Kills"):
        made.add_column(head, justify="right", no_wrap=True)
    made.add_column("")
    for position in log.positions:
        man = log.man(position)
        words = [log.fate(man)] if man.lost else [*([] if man.state == "ok" else [man.state]), *log.standing(man)]
        made.add_row(
            "x" if man.lost else "",
            log.label(position),
            Text(man.name or "–", style="strike" if man.lost else ""),
            str(man.missions),
            str(man.victories),
            str(man.kills or ""),
            Text(", ".join(words), style="bold red" if man.lost else ""),
        )
    return made


def memorial(log: CampaignLog, men: list[Man]) -> Grid:
    """The lost: fate, the mission it was, missions that count, fighters."""
    from rich.table import Table as Grid
    from rich.text import Text

    made = Grid(show_edge=False, pad_edge=False, box=None, header_style="dim")
    for head in ("", "Lost", "", ""):
        made.add_column(head)
    for head in ("No", "Missions", "Kills"):
        made.add_column(head, justify="right", no_wrap=True)
    for man in men:
        name, fate = Text(man.name, style="strike"), Text(log.fate(man), style="red")
        told = [str(man.number), str(man.missions), str(man.kills or "")]
        made.add_row("x", name, man.position, fate, *told)
    return made
