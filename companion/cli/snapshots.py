"""`companion snapshot`, `restore`, `export` and `import`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.cli.picking import prompt
from companion.cli.session import asks
from companion.engine.fields import line
from companion.packs import Pack
from companion.problems import Problem
from companion.store.files import bytes_of
from companion.store.session import campaign_needed
from companion.words import counted

if TYPE_CHECKING:
    from companion.store.snapshot import Restored

Yes = Annotated[bool, Option("--yes", "-y", help="Do it without asking.")]
As = Annotated[str | None, Option("--as", help="Another name for what comes back.")]


def snapshot_command(
    qr: Annotated[bool, Option("--qr", help="Codes for a camera.")] = False,
    text: Annotated[bool, Option("--text", help="One word to copy.")] = False,
    campaign: Annotated[bool, Option("--campaign", help="The whole campaign, as its log sheet has it.")] = False,
) -> None:
    """The mission as codes or as text, for companion restore."""
    from companion.store import snapshot

    used = campaign_needed()
    begun = used.missions()
    mission = used.load(begun[-1]) if begun and not campaign else None
    if mission is None and not campaign:
        flight = Pack(used.game).sheet.flight
        raise Problem(f"no {flight} has begun; for the campaign: companion snapshot --campaign")
    whole = snapshot.of_campaign(Pack(used.game), used) if mission is None else snapshot.of_mission(used, mission)
    if text or not qr:
        print(snapshot.text(whole))
    if qr:
        from companion.render.codes import blocks

        texts = snapshot.codes(whole)
        for at, each in enumerate(texts, 1):
            print(f"Code {at} of {len(texts)}\n{blocks(each)}")


def restore_command(
    source: Annotated[list[str], Argument(help="A picture or a text file, several, or the text itself.")],
    yes: Yes = False,
    name: As = None,
) -> None:
    """Bring a mission or a campaign back from codes or text. A picture of the printed sheet will do."""
    from companion.store import scans, snapshot
    from companion.store.snapshot import Restored

    _settle(Restored(snapshot.read(scans.codes(source))), yes, name)


def export_command(
    csv: Annotated[bool, Option("--csv", help="A line a mission, for a spreadsheet.")] = False,
    json: Annotated[bool, Option("--json", help="Everything but the journals; companion import reads it.")] = False,
) -> None:
    """The campaign on standard output."""
    if csv == json:
        raise Problem("take --csv or --json")
    campaign = campaign_needed()
    if csv:
        from companion.store.log import CampaignLog, write_csv

        write_csv(CampaignLog.of(Pack(campaign.game), campaign), sys.stdout)
        return
    import json as form

    from companion.store.snapshot import whole

    print(form.dumps(whole(campaign), indent=1))


def import_command(
    file: Annotated[Path, Argument(help="What companion export --json wrote.")], yes: Yes = False, name: As = None
) -> None:
    """Bring a campaign in from a file."""
    from companion.store import scans, snapshot
    from companion.store.snapshot import Restored

    content = bytes_of(file, scans.LARGEST, "a sheet or a snapshot")
    _settle(Restored(snapshot.parsed(content)), yes, name)


def _settle(restored: Restored, yes: bool, name: str | None) -> None:
    """Show what would come back, ask, and write it."""
    name = line("the campaign's name", name or restored.name)
    place = restored.place(name)
    for each in _described(restored, name):
        print(each)
    if place:
        print(place)
    if not yes and not _agreed():
        print("Nothing was restored.")
        return
    restored.write(name)
    print(f"Restored and in use: {name}")


def _agreed() -> bool:
    if not asks():
        raise Problem("nobody is here to agree; to restore without asking add --yes")
    return prompt("Restore it? [y/N] ").strip().casefold() in ("y", "yes")


def _described(restored: Restored, name: str) -> list[str]:
    pack, last = restored.pack, restored.missions[-1] if restored.missions else None
    facts = last.state if last is not None else {}
    lines = [f"{name}: a {restored.kind} of {pack.about.get('title', pack.name)}, bomber {restored.aircraft or '–'}"]
    if restored.kind == "campaign":
        men = sum(map(bool, restored.roster.values()))
        lines.append(f"{counted(len(restored.missions), 'mission')}, {counted(men, 'man', 'men')} on the roster")
    else:
        pending = counted(len(last.pending) if last is not None else 0, "thing")
        lines.append(f"Mission {last.number if last else 0}: {counted(len(facts), 'field')}, {pending} pending")
    if restored.unknown:
        lines.append(f"Left out, as {pack.name} does not know them: {', '.join(dict.fromkeys(restored.unknown))}")
    for fact in pack.about.get("debrief", ()):
        if fact in pack.sheet.fields and fact in facts:
            lines.append(f"  {pack.sheet.text(fact)}: {facts[fact]}")
    return lines
