"""`companion doctor`."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from companion.cli.picking import prompt
from companion.cli.session import asks
from companion.problems import Problem, Trouble
from companion.store.doctor import Changed, Finding, clear, examine, leftovers, look, restore
from companion.store.documents import MISSING
from companion.words import plain


def doctor_command(
    repair: Annotated[
        bool,
        Option("--repair", help="Replace damaged files with their backup, or rebuild them from the missions."),
    ] = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Repair without asking.")] = False,
    json: Annotated[bool, Option("--json", help="Print JSON (for scripts).")] = False,
) -> None:
    """Check every saved file, including your own tables. A damaged one can be replaced with its backup."""
    findings, halves = examine(), leftovers()
    mended: dict[Finding, str] = {}
    left: dict[Finding, str] = {}
    if repair:
        _repair([each for each in findings if each.mendable], yes, asks(json), mended, left)
        if mended:  # what the settings name may be there again
            findings = [
                each if each in mended or each.kind != "settings" else look(each.path, "settings") for each in findings
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
            help_ = "; to go back to the built-in table: companion tables reset TABLE --game GAME"
        raise Trouble(f"{len(bad)} of {len(findings)} files cannot be used{help_}")


def _repair(damaged: list[Finding], yes: bool, ask: bool, mended: dict[Finding, str], left: dict[Finding, str]) -> None:
    """Put back what is damaged, one file after the other: where the damaged one is kept, or why it was left alone."""
    if damaged and not yes and not ask:
        raise Problem("doctor --repair asks before it replaces a file and nobody is there; add --yes")
    for each in damaged:
        if not yes:
            print(plain(f"{each.path}: {each.cause}"))
            how = (
                "Rebuild it from its missions"
                if each.rebuilt
                else "Put it aside"
                if not each.whole
                else "Replace it with its backup"
            )
            if prompt(f"{how}? [y/N] ").casefold() not in ("y", "yes"):
                continue
        try:
            damaged_file = restore(each)
            mended[each] = str(damaged_file) if damaged_file else ""
        except Changed as changed:
            left[each] = str(changed)
            each.cause, each.state = "", "sound"
            each.contents = "written in another terminal meanwhile and left alone"
        except Trouble as trouble:
            left[each] = str(trouble)


def _line(each: Finding, mended: dict[Finding, str], left: dict[Finding, str]) -> str:
    word = {"unreadable": "unread", "damaged": "missing" if each.cause == MISSING else "damaged"}.get(
        each.state, each.state
    )
    if each in mended:
        second = f"; the damaged one is kept as {mended[each]}" if mended[each] else ""
        rebuilt = " as its newest mission began, under the name of its folder" if each.rebuilt else ""
        return f"mended   {each.path}{rebuilt}{second}"
    if not each.cause:
        return f"{word:8} {each.path}: {each.contents}"
    if each.kind == "pack" and each.state != "unreadable":
        word = "wrong"
    if each in left:
        hint = left[each]
    elif each.state == "unreadable":
        hint = "it is left alone"
    elif each.rebuilt:
        hint = "its newest mission tells the game, the bomber and the crew"
    elif each.mendable:
        hint = f"its backup is sound: {each.backup}" if each.whole else "it can be put aside"
    elif each.kind == "settings" and each.state == "damaged":
        hint = "choose the campaign again with: companion use NAME"
    elif each.state != "damaged":
        hint = ""
    else:
        hint = f"{each.backup} is no better: {each.backup_cause}" if each.backup else "it has no backup"
    return f"{word:8} {each.path}: {each.cause}{'; ' if hint else ''}{hint}"


def _object(each: Finding, mended: dict[Finding, str]) -> dict[str, object]:
    return {
        "file": str(each.path),
        "kind": each.kind,
        "state": "mended" if each in mended else "sound" if each.state == "foreign" else each.state,
        "sound": not each.cause or each in mended,
        "cause": each.cause,
        "tells": each.contents,
        "backup": str(each.backup) if each.backup else None,
        "backup_sound": bool(each.backup) and not each.backup_cause,
        "rebuilds": each.rebuilt,
        "repaired": each in mended,
        "damaged_kept": mended.get(each) or None,
    }
