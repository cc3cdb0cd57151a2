"""`companion sheet …`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from companion.cli import group
from companion.cli.edit import line
from companion.cli.session import flying
from companion.problems import Problem, Trouble


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
            title, found.pack.sheet, flown.state, [f"{n:3d}  {line(e)}" for n, e in enumerate(standing, 1)]
        )
    if out is None:
        print(text)
        return
    try:
        out.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Trouble(f"cannot write {out}: {error.strerror}") from None
    print(f"Written: {out}")


sheet_command = group(mission=mission)
