"""`companion doctor`."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from companion.cli.picking import prompt
from companion.cli.session import asks
from companion.problems import Problem, Trouble
from companion.store.doctor import MISSING, Changed, Finding, clear, examine, leftovers, look_again, restore
from companion.store.documents import StoredCampaign
from companion.words import plain


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
    left: dict[Finding, str] = {}
    if repair:
        _repair([each for each in findings if each.mendable], yes, asks(json), mended, left)
        findings = [_fresh(each) if left.get(each) == "" else each for each in findings]
        if mended:  # what the settings name may be there again
            findings = [
                look_again(each) if each.kind == "settings" and each.cause and each not in mended else each
                for each in findings
            ]
    removed = clear(halves) if repair and halves else 0
    if json:
        import json as form

        print(form.dumps([_object(each, mended) for each in findings]))
    else:
        for each in findings:
            print(plain(_line(each, mended, left)))
        if halves:
            done = f"{removed} of them removed" if repair else "are left over"
            print(f"{len(halves)} half-written files of killed commands {done}")
        if all(each.kind in ("pack", "foreign") for each in findings):
            print("There are no campaigns yet.")
    bad = [each for each in findings if each.cause and each not in mended]
    if bad:
        help_ = "; mend with: companion doctor --repair" if any(each.mendable for each in bad) else ""
        if not help_ and all(each.kind == "pack" for each in bad):
            help_ = "; ours counts again in its place with: companion tables reset TABLE --game GAME"
        raise Trouble(f"{len(bad)} of {len(findings)} files cannot be used{help_}")


def _repair(damaged: list[Finding], yes: bool, ask: bool, mended: dict[Finding, str], left: dict[Finding, str]) -> None:
    """Put back what is damaged, one file after the other: where the damaged one is kept, or why it was left alone
    (empty: it has been written meanwhile)."""
    if damaged and not yes and not ask:
        raise Problem("doctor --repair asks before it replaces a file and nobody is there; add --yes")
    for each in damaged:
        if not yes:
            print(plain(f"{each.path}: {each.cause}"))
            if prompt(f"{_how(each)}? [y/N] ").casefold() not in ("y", "yes"):
                continue
        try:
            damaged_file = restore(each)
            mended[each] = str(damaged_file) if damaged_file else ""
        except Changed:
            left[each] = ""
        except Trouble as trouble:
            left[each] = str(trouble)


def _how(each: Finding) -> str:
    if each.kind == "change":
        return "Put the note of it aside, so that what it speaks of stays as it is"
    if each.rebuilt:
        return f"Rebuild it from {_missions(each.rebuilt)}"
    return "Put the generation before in its place"


def _missions(rebuilt: StoredCampaign) -> str:
    """Which missions tell a campaign that is rebuilt."""
    numbers = rebuilt["begun"]
    return f"its missions {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"its mission {numbers[0]}"


def _fresh(each: Finding) -> Finding:
    """A file that was written in another terminal while we asked, as it is by now."""
    fresh = look_again(each)
    fresh.contents += ", written in another terminal meanwhile and left alone" if not fresh.cause else ""
    return fresh


def _line(each: Finding, mended: dict[Finding, str], left: dict[Finding, str]) -> str:
    if each in mended:
        second = f"; the damaged file is kept as {mended[each]}" if mended[each] else ""
        rebuilt = f", a campaign of {each.rebuilt['game']} with the name of its folder" if each.rebuilt else ""
        return f"mended   {each.path}{rebuilt}{second}"
    if each.kind == "foreign":
        return f"foreign  {each.path}: {each.contents}"
    if not each.cause:
        return f"sound    {each.path}: {each.contents}"
    if each in left:
        return f"damaged  {each.path}: {each.cause}; {left[each]}"
    if each.kind == "pack" and each.state != "unreadable":
        older = f"; the generation before it is whole: {each.backup}" if each.mendable else ""
        return f"wrong    {each.path}: {each.cause}{older}"
    if each.state == "newer":
        return f"newer    {each.path}: {each.cause}"
    if each.kind == "settings" and not each.mendable and each.state != "unreadable":
        older = "choose the campaign again with: companion use NAME"
    elif each.state == "unreadable":
        return f"unread   {each.path}: {each.cause}; it is left alone"
    elif each.state == "unusable":
        return f"unusable {each.path}: {each.cause}"
    elif each.kind == "change":
        older = "what an earlier command recorded stays half in place"
    elif each.rebuilt:
        tell = "tell" if len(each.rebuilt["begun"]) > 1 else "tells"
        older = f"{_missions(each.rebuilt)} {tell} the game, the bomber and the crew as the last one began"
    elif each.backup is None:
        older = "there is no generation before it"
    elif each.backup_cause:
        older = f"{each.backup} is no better: {each.backup_cause}"
    else:
        older = f"the generation before it is whole: {each.backup}"
    return f"{'missing ' if each.cause == MISSING else 'damaged '} {each.path}: {each.cause}; {older}"


def _object(each: Finding, mended: dict[Finding, str]) -> dict[str, object]:
    return {
        "file": str(each.path),
        "kind": each.kind,
        "state": "mended" if each in mended else each.state if each.cause else "sound",
        "sound": not each.cause or each in mended,
        "cause": each.cause,
        "tells": each.contents,
        "backup": str(each.backup) if each.backup else None,
        "backup_sound": bool(each.backup) and not each.backup_cause,
        "rebuilds": each.rebuilt is not None,
        "repaired": each in mended,
        "damaged_kept": mended.get(each) or None,
    }
