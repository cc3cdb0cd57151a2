"""`companion bomber`: the aircraft, its missions, and another one after a loss."""

from __future__ import annotations

from textwrap import fill
from typing import Annotated

from typer import Argument, Option

from companion.campaign import store
from companion.campaign.log import Bomber, CampaignLog
from companion.campaign.roster import Roster
from companion.cli.campaign_log import record
from companion.cli.session import campaign_needed
from companion.packs import Pack
from companion.problems import Problem


def bomber_command(
    name: Annotated[str | None, Argument(help="The new bomber's name.")] = None,
    yes: Annotated[bool, Option("--yes", "-y", help="Also while the present one still flies.")] = False,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """The bomber; with a name, another one after a loss."""
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    if name is not None:
        with campaign.lock():
            campaign = store.Campaign(campaign.folder)
            roster = Roster(CampaignLog.of(pack, campaign))
            present = roster.log.bomber()
            if present.name and not present.lost and not yes:
                raise Problem(f"{present.name} still flies; to change her anyway: companion bomber NAME --yes")
            roster.take(name)
            campaign.keep(aircraft=roster.aircraft)
    log = CampaignLog.of(pack, campaign)
    former = [each for each in log.bombers.values() if each.name != log.aircraft]
    if json:
        import json as form

        told = {
            "campaign": campaign.name,
            "game": campaign.game,
            "bomber": record(log, log.bomber()),
            "former": [record(log, each) for each in former],
        }
        print(form.dumps(told))
        return
    for each in [log.bomber(), *former]:
        print(fill(line(each, log), 80, subsequent_indent="    "))
    if log.bomber().lost:
        print("Before the next mission: companion bomber NAME")


def line(bomber: Bomber, log: CampaignLog) -> str:
    """One bomber in a line, a cross before a lost one."""
    many = "1 mission" if bomber.missions == 1 else f"{bomber.missions} missions"
    end = f"; {bomber.end}, mission {bomber.number}" if bomber.lost else ""
    word = log.rating("missions", bomber.missions)
    rated = f", {word}" if word else ""
    return f"{'x' if bomber.lost else ' '} {bomber.name or '(no name)'}: {many}, {bomber.victories} won{rated}{end}"
