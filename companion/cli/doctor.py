"""`companion doctor`."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from companion.campaign.doctor import Finding, clear, examine, leftovers, restore
from companion.cli.picking import prompt
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
    findings, halves = examine(), leftovers()
    mended: dict[Finding, str] = {}
    if repair:
        mended = _repair([each for each in findings if each.mendable], yes, asks(json))
        clear(halves)
    if json:
        import json as form

        print(form.dumps([_object(each, mended) for each in findings]))
    else:
        for each in findings:
            print(_line(each, mended))
        if halves:
            print(f"{len(halves)} half-written files of killed commands {'removed' if repair else 'are left over'}")
        if all(each.kind == "pack" for each in findings):
            print("There are no campaigns yet.")
    bad = [each for each in findings if each.cause and each not in mended]
    if bad:
        help_ = "; mend with: companion doctor --repair" if any(each.mendable for each in bad) else ""
        if not help_ and all(each.kind == "pack" for each in bad):
            help_ = "; ours counts again in its place with: companion tables reset TABLE --game GAME"
        raise Trouble(f"{len(bad)} of {len(findings)} files cannot be used{help_}")


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
        damaged_file = restore(each)
        mended[each] = str(damaged_file) if damaged_file else ""
    return mended


def _line(each: Finding, mended: dict[Finding, str]) -> str:
    if each in mended:
        second = f"; the damaged file is kept as {mended[each]}" if mended[each] else ""
        rebuilt = f", a campaign of {each.rebuilt['game']} with the name of its folder" if each.rebuilt else ""
        return f"mended   {each.path}{rebuilt}{second}"
    if not each.cause:
        return f"sound    {each.path}: {each.contents}"
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
        "tells": each.contents,
        "backup": str(each.backup) if each.backup else None,
        "backup_sound": bool(each.backup) and not each.backup_cause,
        "rebuilds": each.rebuilt is not None,
        "repaired": each in mended,
        "damaged_kept": mended.get(each) or None,
    }
