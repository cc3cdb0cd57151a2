"""`companion doctor`."""

from __future__ import annotations

import contextlib
import os
from typing import Annotated

from typer import Option

from companion.campaign.doctor import Finding, examine, leftovers, restore
from companion.cli.asking import prompt
from companion.cli.session import asks
from companion.problems import Problem, Trouble


def doctor_command(
    repair: Annotated[
        bool,
        Option("--repair", help="Put the generation before, or what the missions tell, in the place of damaged files."),
    ] = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Repair without asking.")] = False,
    json: Annotated[bool, Option("--json", help="A list for programs.")] = False,
) -> None:
    """Look over every file, your tables too. A damaged one can be put back from the generation before."""
    found, left = examine(), leftovers()
    mended: dict[Finding, str] = {}
    if repair:
        mended = _repair([each for each in found if each.mendable], yes, asks(json))
        for half in left:
            with contextlib.suppress(OSError):
                os.unlink(half)
    if json:
        import json as form

        print(form.dumps([_object(each, mended) for each in found]))
    else:
        for each in found:
            print(_line(each, mended))
        if left:
            print(f"{len(left)} half-written files of killed commands {'removed' if repair else 'are left over'}")
        if all(each.kind == "pack" for each in found):
            print("There are no campaigns yet.")
    bad = [each for each in found if each.cause and each not in mended]
    if bad:
        help_ = "; mend with: companion doctor --repair" if any(each.mendable for each in bad) else ""
        if not help_ and all(each.kind == "pack" for each in bad):
            help_ = "; ours counts again in its place with: companion tables reset TABLE --game GAME"
        raise Trouble(f"{len(bad)} of {len(found)} files cannot be used{help_}")


def _repair(damaged: list[Finding], yes: bool, ask: bool) -> dict[Finding, str]:
    if damaged and not yes and not ask:
        raise Problem("doctor --repair asks before it replaces a file and nobody is there; add --yes")
    mended = {}
    for each in damaged:
        if not yes:
            print(f"{each.path}: {each.cause}")
            how = "Rebuild it from its missions" if each.rebuilt else "Put the generation before in its place"
            if prompt(f"{how}? [y/N] ").casefold() not in ("y", "yes"):
                continue
        kept = restore(each)
        mended[each] = str(kept) if kept else ""
    return mended


def _line(each: Finding, mended: dict[Finding, str]) -> str:
    if each in mended:
        kept = f"; the damaged file is kept as {mended[each]}" if mended[each] else ""
        rebuilt = f", a campaign of {each.rebuilt['game']} with the name of its folder" if each.rebuilt else ""
        return f"mended   {each.path}{rebuilt}{kept}"
    if not each.cause:
        return f"sound    {each.path}: {each.tells}"
    if each.kind == "pack":
        return f"wrong    {each.path}: {each.cause}"
    if each.newer:
        return f"newer    {each.path}: {each.cause}"
    if each.kind == "settings" and not each.mendable:
        older = "choose the campaign again with: companion use NAME"
    elif each.rebuilt:
        older = "its missions tell the game, the bomber and the crew as the last one began"
    elif each.backup is None:
        older = "there is no generation before it"
    elif each.backup_cause:
        older = f"{each.backup} is no better: {each.backup_cause}"
    else:
        older = f"the generation before it is whole: {each.backup}"
    return f"damaged  {each.path}: {each.cause}; {older}"


def _object(each: Finding, mended: dict[Finding, str]) -> dict[str, object]:
    return {
        "file": str(each.path),
        "kind": each.kind,
        "sound": not each.cause or each in mended,
        "cause": each.cause,
        "tells": each.tells,
        "backup": str(each.backup) if each.backup else None,
        "backup_sound": bool(each.backup) and not each.backup_cause,
        "rebuilds": each.rebuilt is not None,
        "repaired": each in mended,
        "damaged_kept": mended.get(each) or None,
    }
