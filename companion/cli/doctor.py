"""`companion doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Option

from companion.cli.asking import asks, confirmed, wrapped
from companion.cli.commands import Json, print_json
from companion.problems import SystemFault, UserError
from companion.store.doctor import Finding, examine, restore
from companion.store.files import MISSING
from companion.words import plain


def doctor_command(
    repair: Annotated[bool, Option("--repair", help="Replace damaged files with their backup.")] = False,
    yes: Annotated[bool, Option("--yes", "-y", help="Repair without asking.")] = False,
    json: Json = False,
) -> None:
    """Check every saved file. A damaged one can be replaced with its backup."""
    mended = _repair(yes, asks(json)) if repair else {}
    findings = list(examine())
    if json:
        print_json([_object(each, mended) for each in findings])
    else:
        for each in findings:
            wrapped(_line(each, mended))
        if all(each.kind == "pack" for each in findings):
            print("There are no campaigns yet.")
    if bad := [each for each in findings if each.cause]:
        how = ". Repair them with: companion doctor --repair" if any(each.mendable for each in bad) else ""
        if not how and all(each.kind == "pack" for each in bad):
            how = ". Go back to the built-in table with: companion tables reset TABLE --game GAME"
        raise SystemFault(f"{len(bad)} of {len(findings)} files can't be used{how}")


def _repair(yes: bool, asked: bool) -> dict[Path, Path | None]:
    """Restore damaged files; yield each with the path where the damaged one is kept."""
    mended: dict[Path, Path | None] = {}
    for each in [each for each in examine() if each.mendable]:
        if not yes and not asked:
            raise UserError("doctor --repair asks before it replaces a file. Without a terminal, add --yes")
        if not yes:
            wrapped(plain(f"{each.path}: {each.cause}"))
        if yes or confirmed("Replace it with its backup?"):
            mended[each.path] = restore(each)
    return mended


def _line(each: Finding, mended: dict[Path, Path | None]) -> str:
    if each.path in mended:
        kept = mended[each.path]
        return f"repaired {each.path}{f'. The damaged one is kept as {kept}' if kept else ''}"
    state, hint = "missing" if each.cause == MISSING else each.state, ""
    if each.mendable:
        hint = f". Its backup is intact: {each.backup}"
    elif each.state == "damaged" and each.kind == "settings":
        hint = ". Choose a campaign with: companion use NAME"
    elif each.state == "damaged":
        hint = f". {each.backup} is damaged too: {each.backup_cause}" if each.backup else ". It has no backup"
    return f"{state:8} {plain(f'{each.path}: {each.cause or each.contents}{hint}')}"


def _object(each: Finding, mended: dict[Path, Path | None]) -> dict[str, object]:
    kept = mended.get(each.path)
    return {
        "file": str(each.path),
        "kind": each.kind,
        "state": "mended" if each.path in mended else each.state,
        "sound": not each.cause,
        "cause": each.cause,
        "tells": each.contents,
        "backup": str(each.backup) if each.backup else None,
        "backup_sound": bool(each.backup) and not each.backup_cause,
        "repaired": each.path in mended,
        "damaged_kept": str(kept) if kept else None,
    }
