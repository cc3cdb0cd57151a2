"""`companion bomber`: the aircraft, its missions, and another one after a loss."""

from __future__ import annotations

from textwrap import fill
from typing import Annotated

from typer import Argument, Option

from companion.packs import Pack
from companion.problems import Problem
from companion.render.sheet_text import bomber_line
from companion.store import log as records
from companion.store.campaigns import Campaign
from companion.store.crew import change_bomber
from companion.store.log import CampaignLog
from companion.store.session import campaign_needed


def bomber_command(
    name: Annotated[str | None, Argument(help="The new bomber's name.")] = None,
    yes: Annotated[bool, Option("--yes", "-y", help="Also while the present one still flies.")] = False,
    json: Annotated[bool, Option("--json", help="One object for programs.")] = False,
) -> None:
    """The bomber; with a name, another one after a loss."""
    campaign = campaign_needed()
    pack = Pack(campaign.game)
    if "aircraft.name" not in pack.sheet.fields:
        raise Problem(f"{pack.about.get('title', pack.name)} has no bomber of its own")
    if name is not None:
        change_bomber(campaign, pack, name, sound=yes)
        campaign = Campaign(campaign.folder)
    log = CampaignLog.of(pack, campaign)
    former = [each for each in log.bombers.values() if each.name != log.aircraft]
    if json:
        import json as form

        bombers = {
            "campaign": campaign.name,
            "game": campaign.game,
            "bomber": records.of_one(log, log.bomber()),
            "former": [records.of_one(log, each) for each in former],
        }
        print(form.dumps(bombers))
        return
    for each in [log.bomber(), *former]:
        print(fill(bomber_line(each, log), 80, subsequent_indent="    "))
    if log.bomber().lost:
        print("Before the next mission: companion bomber NAME")
