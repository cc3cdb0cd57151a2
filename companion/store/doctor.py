"""Looking over every saved file: which are sound, which are damaged and have a sound backup, and putting that back."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from companion.packs import Pack, own, players_folder, source, tables_folder
from companion.play.journal import Journal
from companion.problems import Problem, Trouble
from companion.store import campaigns, documents, files
from companion.store.campaigns import campaigns_folder, holds_campaign, mission_file
from companion.store.documents import FORMAT, MISSING, Damage, Newer, read_document
from companion.store.files import home, present, save
from companion.store.system import content_of, read_bytes
from companion.words import counted

HALF = re.compile(r"\..+\.(new|bak)")  # what is being written, beside its place
END = r"(json|bak|damaged(-[0-9]+)?)"
OURS = {
    "home": re.compile(rf"\.lock(\.damaged(-[0-9]+)?)?|settings\.{END}|campaigns|packs|drafts|cache|page"),
    "campaign": re.compile(rf"\.lock(\.damaged(-[0-9]+)?)?|(campaign|mission-([0-9]{{2}}|[1-9][0-9]{{2,3}}))\.{END}"),
    "packs": re.compile(r"\.lock|.*\.toml"),
    "pack": re.compile(r".*\.(toml|bak|damaged(-[0-9]+)?|toml\.bak(-[0-9]+)?)"),
    "page": re.compile(r"token\.txt|.*\.json|.*\.damaged(-[0-9]+)?"),
}
UNREAD = "it stands in no game's folder, of which the name is in small letters; nothing reads it"


class Changed(Problem):
    """The file is another than when it was judged; it is left alone."""


@dataclass(eq=False)
class Finding:
    """One file: what is in it, or what is wrong with it.

    `state` is sound, damaged, newer (than this companion), unreadable (just now), unusable (its game is not there) or
    foreign; `whole` is what can take the place of a damaged one, empty where it is only put aside.
    """

    path: Path
    kind: str
    state: str = "sound"
    cause: str = ""
    contents: str = ""
    backup: Path | None = None
    backup_cause: str = ""
    rebuilt: bool = False  # a campaign without a backup, as its missions tell it
    whole: bytes | None = None

    @property
    def mendable(self) -> bool:
        """Whether something sound can take its place."""
        return self.state == "damaged" and self.whole is not None


def examine() -> list[Finding]:
    """Return every file that there should be, and every one that is none of ours."""
    findings = list(_folder(home(), "home"))
    findings += _saved(home() / "settings.json", "settings")
    for name in _names(campaigns_folder(), findings):
        folder = campaigns_folder() / name
        with _unread(folder, findings):
            if HALF.fullmatch(name):
                continue
            findings += _campaign(folder) if files.kind_of(folder) == "folder" else [_foreign(folder)]
    findings += _folder(home() / "page", "page")
    for name in _names(home() / "page", []):
        if name.endswith(".json"):
            findings.append(look(home() / "page" / name, "page"))
    games = {_game(each.path) for each in findings if each.kind in ("campaign", "mission") and each.state == "sound"}
    return [*findings, *_folder(players_folder(), "packs"), *_packs(games)]


def _saved(path: Path, kind: str) -> Iterator[Finding]:
    """Judge a file where it or its backup is there."""
    findings: list[Finding] = []
    with _unread(path, findings):
        if present(path) or present(path.with_suffix(".bak")):
            findings.append(look(path, kind))
    yield from findings


@contextmanager
def _unread(path: Path, findings: list[Finding]) -> Iterator[None]:
    """What cannot be read is a finding, and keeps the doctor from nothing else."""
    try:
        yield
    except Trouble as trouble:
        findings.append(Finding(path, "folder", "unreadable", _short(trouble, path)))


def _names(folder: Path, findings: list[Finding]) -> list[str]:
    """Return what is in a folder; one that cannot be read is a finding."""
    with _unread(folder, findings):
        return files.names_in(folder)
    return []


def _short(trouble: Problem, path: Path) -> str:
    return str(trouble).replace(f"cannot read {path}: ", "it cannot be read: ").partition("; ")[0]


def _folder(folder: Path, kind: str) -> Iterator[Finding]:
    """Give what is none of ours in a folder, and what is no file where a file of ours should be."""
    findings: list[Finding] = []
    for name in _names(folder, findings):
        path = folder / name
        with _unread(path, findings):
            what = files.kind_of(path)
            if (kind == "packs" and what == "folder") or HALF.fullmatch(name):
                continue
            if not OURS[kind].fullmatch(name):
                yield _foreign(path)
            elif (name == ".lock" and what != "file") or (name.endswith(".bak") and what == "folder"):
                why = "it is no file; nothing can be recorded while it is there"
                yield Finding(path, "odd", "damaged", why, whole=b"")
    yield from findings


def _foreign(path: Path) -> Finding:
    return Finding(path, "foreign", "foreign", contents="none of ours; nothing reads it")


def _campaign(folder: Path) -> Iterator[Finding]:
    findings = list(_folder(folder, "campaign"))
    yield from findings
    if any(each.path == folder for each in findings):
        return
    begun = campaigns.numbers(folder)
    yield from [look(folder / "campaign.json", "campaign")] if begun else _saved(folder / "campaign.json", "campaign")
    for number in range(begun[0], begun[-1] + 1) if begun else ():
        yield look(mission_file(folder, number), "mission")


def look(path: Path, kind: str) -> Finding:
    """Judge one file, and its backup where it is damaged."""
    if kind == "pack":
        return _own_file(path, _broken(path))
    finding, older = _judged(path, kind), path.with_suffix(".bak")
    if kind == "page":
        finding.whole = b"" if finding.state == "damaged" else None
        return finding
    backup = _judged(older, kind)
    if backup.cause != MISSING:
        finding.backup, finding.backup_cause = older, backup.cause
        finding.whole = read_bytes(older) if finding.state == "damaged" and not backup.cause else None
    if kind == "campaign" and finding.state == "damaged" and finding.whole is None:
        finding.whole = _rebuilt(path.parent)
        finding.rebuilt = finding.whole is not None
    return finding


def _judged(path: Path, kind: str) -> Finding:
    """Return what is in a file or wrong with it; what the disk does not show us is not damaged."""
    try:
        if kind == "page":
            if files.kind_of(path) != "file":
                raise Damage("it is no file")
            files.json_of(content_of(path)[0])
            return Finding(path, kind, contents="what a phone has answered so far")
        tables, ours = read_document(path, kind)
        row, told = tables[kind]["1"], "" if ours else "; changed by another program"
        if kind == "mission":
            pack = Pack(row["game"])
            unknown = documents.check_facts(row["facts"], pack)
            if not ours:
                documents.check_pending(row["pending"], pack)
            many = counted(len(tables.get("journal", {})), "entry", "entries")
            told += f"; unknown to {pack.name} and kept: {', '.join(unknown)}" if unknown else ""
            return Finding(path, kind, contents=f"{many}, {row['stand']} of them standing{told}")
        if kind == "campaign":
            Pack(row["game"])
            return Finding(path, kind, contents=f"{row['name']}, {row['game']}{told}")
        used = documents.campaign_named(row)
        if used and not holds_campaign(campaigns_folder() / used):
            return Finding(path, kind, "unusable", f"the campaign in use, {used}, is not there")
        return Finding(path, kind, contents=f"in use: {used or 'none'}{told}")
    except (Newer, Damage) as wrong:
        return Finding(path, kind, "newer" if isinstance(wrong, Newer) else "damaged", str(wrong))
    except (ValueError, RecursionError):
        return Finding(path, kind, "damaged", "it makes no sense")
    except OSError as error:
        return Finding(path, kind, "unreadable", f"it cannot be read: {error.strerror or error}")
    except Trouble as trouble:
        return Finding(path, kind, "unreadable" if "cannot read" in str(trouble) else "unusable", _short(trouble, path))
    except Problem as problem:
        return Finding(path, kind, "unusable", str(problem))


def _rebuilt(folder: Path) -> bytes | None:
    """Return the campaign as its newest mission tells it: game, crew and bomber as it began; None where it cannot."""
    try:
        number = campaigns.numbers(folder)[-1]
        tables, _ = read_document(mission_file(folder, number), "mission")
        row = cast(Any, tables["mission"]["1"])
        pack, rows, facts = Pack(row["game"]), tables.get("journal", {}), row["facts"]
        if documents.check_facts(facts, pack):
            return None
        journal = Journal([rows[str(at)] for at in range(1, len(rows) + 1)], row["stand"])
        journal.step_to(0, facts, row["pending"])
    except (Problem, LookupError, ValueError, TypeError):
        return None
    positions = pack.sheet.index.get("position", {})
    about = {
        "format": FORMAT,
        "name": folder.name,
        "game": pack.name,
        "aircraft": str(facts.get("aircraft.name", "")),
        "roster": {position: str(facts.get(f"name.{position}", "")) for position in positions},
    }
    return documents.written({"campaign": {"1": about}})


def _game(path: Path) -> str:
    kind = "campaign" if path.name == "campaign.json" else "mission"
    return str(read_document(path, kind).tables[kind]["1"]["game"])


# -- putting back ------------------------------------------------------------------------------------------------------


def restore(finding: Finding) -> Path | None:
    """Put what is sound in the place of a damaged file; gives back where the damaged one is now, if it was there.

    Raises:
        Changed: it has been written since it was judged.
        Trouble: the disk refuses.
    """
    path = finding.path
    if finding.kind == "odd":
        return files.set_aside(path, f"{path.suffix}.damaged" if path.suffix != ".bak" else ".damaged")
    folder = players_folder() if players_folder() in path.parents else path.parent
    with files.locked(folder) if finding.kind != "page" else nullcontext():
        fresh = look(path, finding.kind)
        if not fresh.cause:
            raise Changed(f"{path} has been written in another terminal meanwhile; it was left alone")
        if not fresh.mendable:
            raise Trouble(f"{fresh.cause}; it was left alone")
        second = None
        try:
            if finding.kind == "page" or files.kind_of(path) not in ("file", ""):
                second = files.set_aside(path, ".damaged")
            elif present(path):
                second = files.free_file(path, ".damaged")
                files.copy_to(path, second)
        except OSError as error:
            raise Trouble(f"cannot put {path} aside: {error.strerror or error}; it is as it was") from None
        if fresh.whole:
            save(path, fresh.whole, record=True)
    return second


def leftovers() -> list[Path]:
    """Return half-written files and folders of commands that were killed; a living command's are none."""
    found: list[Path] = []
    folders = [campaigns_folder() / name for name in _names(campaigns_folder(), [])]
    packs = [players_folder() / name for name in _names(players_folder(), [])]
    for folder in (home(), campaigns_folder(), home() / "page", players_folder(), *folders, *packs):
        lock = players_folder() if folder in packs else folder if folder in folders else home()
        with _unread(folder, []):
            if files.kind_of(folder) != "folder" or not files.free(lock):
                continue
            found += [folder / name for name in _names(folder, []) if HALF.fullmatch(name)]
    return found


def clear(halves: list[Path]) -> int:
    """Remove what killed commands have left half-written and say how many."""
    for each in halves:
        if os.path.isdir(each):
            shutil.rmtree(each, ignore_errors=True)
        else:
            with suppress(OSError):
                os.unlink(each)
    return sum(not os.path.lexists(each) for each in halves)


# -- the player's own tables -------------------------------------------------------------------------------------------


def _packs(in_use: set[str]) -> Iterator[Finding]:
    """Prove the packs that campaigns are flown with, and every file of the player's own."""
    theirs = players_folder()
    folders = [theirs / name for name in _names(theirs, []) if os.path.isdir(theirs / name)]
    mine: dict[Path, str] = {}
    for folder in folders:
        yield from _folder(folder, "pack")
        mine |= dict.fromkeys(sorted(folder.glob("*.toml")), "" if folder.name == folder.name.casefold() else UNREAD)
    mine |= dict.fromkeys(sorted(theirs.glob("*.toml")), UNREAD)
    whole = {tables_folder() / name: "" for name in sorted(in_use) if (tables_folder() / name).is_dir()}
    for name in sorted({*in_use, *(folder.name for folder in folders)}):
        for path, cause in _wrong(name):
            files = mine if path in mine else whole
            files[path] = files.get(path) or cause
    for path, cause in whole.items():
        state = "unusable" if cause else "sound"
        yield Finding(path, "pack", state, cause, counted(len(list(path.glob("*.toml"))), "file"))
    for path, cause in mine.items():
        yield _own_file(path, cause)


def _own_file(path: Path, cause: str) -> Finding:
    """Judge a file of the player's own; one that makes no sense has perhaps a backup that does."""
    finding, backup = Finding(path, "pack", "unusable" if cause else "sound", cause, "yours"), path.with_suffix(".bak")
    if cause and cause != UNREAD and backup.is_file() and _broken(path):
        finding.state, finding.backup = "damaged", backup
        try:
            text = own.text_in(backup)
            finding.backup_cause = next(iter(own.faults(Pack(path.parent.name), path.stem.casefold(), text)), "")
            finding.whole = None if finding.backup_cause else text.encode()
        except Problem as problem:
            finding.backup_cause = str(problem)
    return finding


def _broken(path: Path) -> str:
    """Return why a file of the player's is no TOML; empty where it is, and where the disk does not give it."""
    try:
        content = source.content_in(path)
    except Problem:
        return ""
    try:
        source.parsed(content, path)
    except Problem as problem:
        return str(problem)
    return ""


def _wrong(name: str) -> Iterator[tuple[Path, str]]:
    """Give what is wrong with a pack: the player's file that is to blame, else the folder, and why."""
    from companion.packs import check
    from companion.packs.places import Fault

    theirs = players_folder()
    try:
        faults = list(check.faults(Pack(name)))
    except Problem as problem:
        faults = [Fault(None, 0, str(problem))]
    for each in faults:
        cause = each.sentence.partition("\n")[0]
        line = f"line {each.line}: " if each.line else ""
        named = [path for path in theirs.glob("*/*.toml") if str(path) in cause]
        blamed = each.path or (named[0] if named else None)
        if blamed is None:
            yield (theirs if (theirs / name).is_dir() else tables_folder()) / name, cause
        elif theirs in blamed.parents:
            yield blamed, line + cause.removeprefix(f"{blamed}: ")
        else:
            yield blamed.parent, f"{blamed.name}, {line}{cause}"
