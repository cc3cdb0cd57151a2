"""`companion doctor`."""

from __future__ import annotations

from typing import Annotated

from typer import Option

from companion.cli.commands import Json, print_json
from companion.cli.picking import asks, prompt
from companion.problems import SystemFault, UserError
from companion.store.doctor import Changed, Finding, examine, look, restore
from companion.store.documents import MISSING
from companion.words import plain


def doctor_command(
    repair: Annotated[bool, Option("--repair", help="Replace damaged files with their backup.")] = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Repair without asking.")] = False,
    json: Json = False,
) -> None:
    """Check every saved file. A damaged one can be replaced with its backup."""
    findings = examine()
    mended: dict[Finding, str] = {}
    left: dict[Finding, str] = {}
    if repair:
        _repair([each for each in findings if each.mendable], yes, asks(json), mended, left)
        for at, each in enumerate(findings) if mended else ():  # what the settings name may be there again
            findings[at] = look(each.path, "settings") if each.kind == "settings" and each not in mended else each
    if json:
        print_json([_object(each, mended) for each in findings])
    else:
        for each in findings:
            print(plain(_line(each, mended, left)))
        if all(each.kind in ("pack", "foreign") for each in findings):
            print("There are no campaigns yet.")
    bad = [each for each in findings if each.cause and each not in mended]
    if bad:
        help_ = "; mend with: companion doctor --repair" if any(each.mendable for each in bad) else ""
        if not help_ and all(each.kind == "pack" for each in bad):
            help_ = "; to go back to the built-in table: companion tables reset TABLE --game GAME"
        raise SystemFault(f"{len(bad)} of {len(findings)} files cannot be used{help_}")


def _repair(damaged: list[Finding], yes: bool, ask: bool, mended: dict[Finding, str], left: dict[Finding, str]) -> None:
    """Put back what is damaged, one file after the other: where the damaged one is kept, or why it was left alone."""
    if damaged and not yes and not ask:
        raise UserError("doctor --repair asks before it replaces a file and nobody is there; add --yes")
    for each in damaged:
        if not yes:
            print(plain(f"{each.path}: {each.cause}"))
            if prompt("Replace it with its backup? [y/N] ").casefold() not in ("y", "yes"):
                continue
        try:
            mended[each] = str(restore(each) or "")
        except Changed as changed:
            each.state, each.cause, each.contents = "sound", "", str(changed).removeprefix(f"{each.path} has been ")
        except SystemFault as trouble:
            left[each] = str(trouble)


def _line(each: Finding, mended: dict[Finding, str], left: dict[Finding, str]) -> str:
    word = {"unreadable": "unread", "damaged": "missing" if each.cause == MISSING else "damaged"}
    if each in mended:
        return f"mended   {each.path}{f'; the damaged one is kept as {mended[each]}' if mended[each] else ''}"
    hint = left.get(each, "") or _hint(each) if each.cause else ""
    told = each.cause or each.contents
    return f"{word.get(each.state, each.state):8} {each.path}: {told}{'; ' if hint else ''}{hint}"


def _hint(each: Finding) -> str:
    """Return what can be done about it."""
    if each.state != "damaged":
        return "it is left alone" if each.state == "unreadable" else ""
    if each.mendable:
        return f"its backup is sound: {each.backup}"
    if each.kind == "settings":
        return "choose the campaign again with: companion use NAME"
    return f"{each.backup} is no better: {each.backup_cause}" if each.backup else "it has no backup"


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
        "repaired": each in mended,
        "damaged_kept": mended.get(each) or None,
    }
