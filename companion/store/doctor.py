"""Looking over every saved file: which are sound, which are damaged and have a sound backup, and putting that back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.engine.pending import restored
from companion.packs import Pack, players_folder, toml_files
from companion.problems import SystemFault, UserError
from companion.store import campaigns, documents, files
from companion.store.campaigns import MISSION, campaigns_folder, holds_campaign, mission_file
from companion.store.documents import MISSING, DamagedFile, Newer, file_content, read_document
from companion.store.files import home, kind_of, names_in, present, save
from companion.store.system import read_bytes
from companion.words import counted

HIDDEN = r"\.lock|\..+\.(new|bak)"  # the lock, and what is being written, beside its place
KEPT = r"(bak|damaged(-[0-9]+)?)"
HOME = re.compile(rf"{HIDDEN}|settings\.(json|{KEPT})|campaigns|packs|drafts|cache|page")
CAMPAIGN = re.compile(rf"{HIDDEN}|(campaign|{MISSION})\.(json|{KEPT})")
PACK = re.compile(rf"{HIDDEN}|.*\.(toml|{KEPT}|toml\.bak(-[0-9]+)?)")


class Changed(UserError):
    """The file is another than when it was judged; it is left alone."""


@dataclass(eq=False)
class Finding:
    """One file: what is in it, or what is wrong with it.

    `state` is sound, damaged, newer (than this companion), unreadable (just now), unusable (its game is not there) or
    foreign.
    """

    path: Path
    kind: str
    state: str = "sound"
    cause: str = ""
    contents: str = ""
    backup: Path | None = None
    backup_cause: str = ""

    @property
    def mendable(self) -> bool:
        """Whether its backup can take its place."""
        return self.state == "damaged" and self.backup is not None and not self.backup_cause


NOT_A_FILE = {"folder": "a folder", "other": "no file", "": "not there"}


def examine() -> list[Finding]:
    """Return every file that there should be, and every one that is none of ours."""
    found = list(_told(home(), _home()))
    for parent, what in ((campaigns_folder(), _campaign), (players_folder(), _pack)):
        found += _told(parent, _each(parent, what))
    return found


def _each(parent: Path, what: Callable[[Path], Iterator[Finding]]) -> Iterator[Finding]:
    """Give what is in each folder of one of ours."""
    for folder in (parent / name for name in names_in(parent) if not re.fullmatch(HIDDEN, name)):
        yield from _told(folder, what(folder)) if kind_of(folder) == "folder" else [_foreign(folder)]


def _told(place: Path, findings: Iterator[Finding]) -> Iterator[Finding]:
    """Give the findings; what cannot be read is one, and keeps the doctor from nothing else."""
    try:
        yield from findings
    except SystemFault as trouble:
        yield Finding(place, "folder", "unreadable", _short(trouble, place))


def _short(trouble: UserError, path: Path) -> str:
    return str(trouble).replace(f"cannot read {path}: ", "it cannot be read: ").partition("; ")[0]


def _foreign(path: Path) -> Finding:
    return Finding(path, "foreign", "foreign", contents="none of ours; nothing reads it")


def _astray(folder: Path, ours: re.Pattern[str]) -> Iterator[Finding]:
    """Give what is none of ours in a folder, and what is no file where a backup or a lock belongs; what a command has
    half written is left out."""
    for path in (folder / name for name in names_in(folder)):
        if not ours.fullmatch(path.name):
            yield _foreign(path)
        elif path.name.endswith((".bak", ".lock")) and (kind := kind_of(path)) != "file":
            yield Finding(path, "foreign", "unusable", f"it is {NOT_A_FILE[kind]}, where a file belongs; move it away")


def _home() -> Iterator[Finding]:
    yield from _astray(home(), HOME)
    path = home() / "settings.json"
    if present(path) or present(path.with_suffix(".bak")):
        yield look(path, "settings")


def _campaign(folder: Path) -> Iterator[Finding]:
    yield from _astray(folder, CAMPAIGN)
    begun = campaigns.numbers(folder)
    if begun or holds_campaign(folder):
        yield look(folder / "campaign.json", "campaign")
    for number in range(begun[0], begun[-1] + 1) if begun else ():
        yield look(mission_file(folder, number), "mission")


def _pack(folder: Path) -> Iterator[Finding]:
    if folder.name != folder.name.lower():
        yield _foreign(folder)
        return
    yield from _astray(folder, PACK)
    yield from (look(folder / name, "pack") for name in names_in(folder) if name.endswith(".toml"))


def look(path: Path, kind: str) -> Finding:
    """Judge one file, and its backup where it has one."""
    finding, backup = _judged(path, kind), _judged(path.with_suffix(".bak"), kind)
    if backup.cause != MISSING:
        finding.backup, finding.backup_cause = backup.path, backup.cause
    return finding


def _judged(path: Path, kind: str) -> Finding:
    """Return what is in a file or wrong with it; what the disk does not show us is not damaged."""
    try:
        return Finding(path, kind, contents=_contents(path, kind))
    except DamagedFile as wrong:
        return Finding(path, kind, "newer" if isinstance(wrong, Newer) else "damaged", str(wrong))
    except UserError as problem:
        state = "unreadable" if "cannot read" in str(problem) else "unusable"
        return Finding(path, kind, state, _short(problem, path))


def _contents(path: Path, kind: str) -> str:
    """Return what a sound file holds, in words; raises DamagedFile, Newer or UserError."""
    if kind == "pack":
        content = file_content(path)
        try:
            toml_files.parsed(content, path)
        except UserError as problem:
            raise DamagedFile(str(problem).removeprefix(f"{path} ")) from None
        return "yours; prove it with: companion tables check"
    tables, ours = read_document(path, kind)
    row, told = tables[kind]["1"], "" if ours else "; changed by another program"
    if kind == "campaign":
        return f"{row['name']}, {Pack(row['game']).name}{told}"
    if kind == "settings":
        used = documents.campaign_named(row)
        if used and not holds_campaign(campaigns_folder() / used):
            raise UserError(f"the campaign in use, {used}, is not there")
        return f"in use: {used or 'none'}{told}"
    pack = Pack(row["game"])
    if unknown := documents.check_facts(row["facts"], pack):
        told += f"; unknown to {pack.name} and kept: {', '.join(unknown)}"
    if not ours:
        documents.check_pending(restored(row["pending"]), pack)
    return f"{counted(len(tables.get('journal', {})), 'entry', 'entries')}, {row['stand']} of them standing{told}"


# -- putting back ------------------------------------------------------------------------------------------------------


def restore(finding: Finding) -> Path | None:
    """Put the backup in the place of a damaged file; gives back where the damaged one is now, if it was there.

    Raises:
        Changed: it has been written since it was judged.
        SystemFault: the disk refuses.
    """
    path, second = finding.path, None
    with files.locked(players_folder() if finding.kind == "pack" else path.parent):
        fresh = look(path, finding.kind)
        if not fresh.cause:
            raise Changed(f"{path} has been written in another terminal meanwhile; it was left alone")
        if not fresh.mendable:
            raise SystemFault(f"{fresh.cause}; it was left alone")
        try:
            whole = read_bytes(path.with_suffix(".bak"))
            if kind_of(path) == "file":
                second = files.free_file(path, ".damaged")
                files.copy_to(path, second)
            elif present(path):
                second = files.set_aside(path, ".damaged")
        except OSError as error:
            raise SystemFault(f"cannot put {path} aside: {error.strerror or error}; it is as it was") from None
        save(path, whole, record=True)
    return second
