"""`companion sheet …`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from typer import Option

from companion.cli import group
from companion.cli.edit import line
from companion.cli.session import flying
from companion.packs import Pack
from companion.problems import Problem, Trouble
from companion.sheet import Facts, Value


def mission(
    number: Annotated[int | None, Option("--mission", help="Which mission; the newest unless given.")] = None,
    out: Annotated[Path | None, Option("-o", "--out", help="Write it to this file.")] = None,
) -> None:
    """The Mission Log Sheet as text."""
    from companion.printing.text import mission_sheet

    with flying(record=False) as found:
        flown = found.mission
        if number is not None and found.campaign is not None:
            if number not in found.campaign.missions():
                raise Problem(f"there is no mission {number}; {len(found.campaign.missions())} have begun")
            flown = found.campaign.load(found.pack, number) or flown
        title = f"MISSION LOG SHEET · {found.pack.about.get('title', found.pack.name)}"
        if found.campaign:
            title += f" · {found.campaign.name}"
        standing = flown.journal.entries[: flown.journal.stand]
        text = mission_sheet(
            title,
            found.pack.sheet,
            flown.state,
            landing_modifiers(found.pack, flown.state),
            [f"{n:3d}  {line(e)}" for n, e in enumerate(standing, 1)],
        )
    if out is None:
        print(text)
        return
    try:
        out.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Trouble(f"cannot write {out}: {error.strerror}") from None
    print(f"Written: {out}")


def landing_modifiers(pack: Pack, state: Mapping[str, Value]) -> list[str]:
    """What would count on each landing table if the bomber came down now."""
    lines = []
    for name in pack.about.get("landing", ()):
        table = pack.table(name)
        applied = table.applying(Facts(pack.sheet, state))
        total = sum(each.add for each in applied)
        lines.append(f"{table.id} {table.title}: {total:+d}" if applied else f"{table.id} {table.title}: none")
        lines += [f"  {each.add:+d}  {each.why} ({each.modifier.cite})" for each in applied]
    return lines


sheet_command = group(mission=mission)
