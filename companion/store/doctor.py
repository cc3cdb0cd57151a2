"""Looking over every saved file: which are sound, which are damaged and have a sound backup, and putting that back."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path

from companion.packs import Pack, players_folder, source
from companion.play.journal import Journal
from companion.problems import Problem, Trouble
from companion.store import campaigns, documents, files
from companion.store.campaigns import campaigns_folder, holds_campaign, mission_file
from companion.store.documents import FORMAT, MISSING, Damage, Newer, read_document
from companion.store.files import home, kind_of, names_in, present, save
from companion.store.system import read_bytes
from companion.words import counted

HALF = re.compile(r"\..+\.(new|bak)")  # what is being written, beside its place
END = r"(json|bak|damaged(-[0-9]+)?)"
LOCK = r"\.lock(\.damaged(-[0-9]+)?)?"
OURS = {
    "home": re.compile(rf"{LOCK}|settings\.{END}|campaigns|packs|drafts|cache|page"),
    "campaign": re.compile(rf"{LOCK}|(campaign|mission-([0-9]{{2}}|[1-9][0-9]{{2,3}}))\.{END}"),
    "packs": re.compile(rf"{LOCK}|[^A-Z.]+"),
    "pack": re.compile(r".*\.(toml|bak|damaged(-[0-9]+)?|toml\.bak(-[0-9]+)?)"),
    "page": re.compile(rf"token\.txt|.*\.{END}"),
}


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
    rebuilt: bool = False  # a campaign without a backup, as its newest mission tells it
    whole: bytes | None = None

    @property
    def mendable(self) -> bool:
        """Whether something sound can take its place, or it can be put aside."""
        return self.state == "damaged" and self.whole is not None


def examine() -> list[Finding]:
    """Return every file that there should be, and every one that is none of ours."""
    findings = list(_folder(home(), "home"))
    if any(each.state == "unreadable" for each in findings):
        return findings
    findings += _saved(home() / "settings.json", "settings")
    for folder in _inside(campaigns_folder(), findings):
        findings += _campaign(folder)
    findings += _folder(home() / "page", "page")
    findings += [look(path, "page") for path in _inside(home() / "page", []) if path.suffix == ".json"]
    findings += _folder(players_folder(), "packs")
    for folder in _inside(players_folder(), []):
        if OURS["packs"].fullmatch(folder.name) and not folder.name.startswith("."):
            findings += _folder(folder, "pack")
            findings += [look(path, "pack") for path in _inside(folder, []) if path.suffix == ".toml"]
    return findings


@contextmanager
def _unread(path: Path, findings: list[Finding]) -> Iterator[None]:
    """What cannot be read is a finding, and keeps the doctor from nothing else."""
    try:
        yield
    except Trouble as trouble:
        findings.append(Finding(path, "folder", "unreadable", _short(trouble, path)))


def _short(trouble: Problem, path: Path) -> str:
    return str(trouble).replace(f"cannot read {path}: ", "it cannot be read: ").partition("; ")[0]


def _inside(folder: Path, findings: list[Finding]) -> list[Path]:
    """Return what is in a folder, but for what is half written; a folder that cannot be read is a finding."""
    with _unread(folder, findings):
        return [folder / name for name in names_in(folder) if not HALF.fullmatch(name)]
    return []


def _folder(folder: Path, kind: str) -> Iterator[Finding]:
    """Give what is none of ours in a folder, and what is no file where a file of ours should be."""
    findings: list[Finding] = []
    for path in _inside(folder, findings):
        with _unread(path, findings):
            what = kind_of(path)
            if not OURS[kind].fullmatch(path.name) or (kind == "packs" and what != "folder" and path.name != ".lock"):
                yield Finding(path, "foreign", "foreign", contents="none of ours; nothing reads it")
            elif (path.name == ".lock" and what != "file") or (path.suffix == ".bak" and what == "folder"):
                why = "it is no file; nothing can be recorded while it is there"
                yield Finding(path, "odd", "damaged", why, whole=b"")
    yield from findings


def _saved(path: Path, kind: str) -> list[Finding]:
    """Judge a file where it or its backup is there."""
    findings: list[Finding] = []
    with _unread(path, findings):
        if present(path) or present(path.with_suffix(".bak")):
            findings.append(look(path, kind))
    return findings


def _campaign(folder: Path) -> list[Finding]:
    findings: list[Finding] = []
    with _unread(folder, findings):
        if kind_of(folder) != "folder":
            return [Finding(folder, "foreign", "foreign", contents="none of ours; nothing reads it")]
        begun = campaigns.numbers(folder)
        findings += _folder(folder, "campaign")
        about = folder / "campaign.json"
        findings += [look(about, "campaign")] if begun else _saved(about, "campaign")
        for number in range(begun[0], begun[-1] + 1) if begun else ():
            findings.append(look(mission_file(folder, number), "mission"))
    return findings


def look(path: Path, kind: str) -> Finding:
    """Judge one file, and its backup where it has one."""
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
        return Finding(path, kind, contents=_contents(path, kind))
    except (Newer, Damage) as wrong:
        return Finding(path, kind, "newer" if isinstance(wrong, Newer) else "damaged", str(wrong))
    except Trouble as trouble:
        state = "unreadable" if "cannot read" in str(trouble) else "unusable"
        return Finding(path, kind, state, _short(trouble, path))
    except Problem as problem:
        return Finding(path, kind, "unusable", str(problem))


def _contents(path: Path, kind: str) -> str:
    """Return what a sound file holds, in words; raises Damage, Newer or Problem."""
    if kind in ("page", "pack"):
        try:
            content = read_bytes(path)
        except FileNotFoundError:
            raise Damage(MISSING) from None
        except OSError as error:
            if kind_of(path) != "file":
                raise Damage("it is no file") from None
            raise Trouble(f"cannot read {path}: {error.strerror or error}") from None
        try:
            source.parsed(content, path) if kind == "pack" else path.suffix != ".json" or files.json_of(content)
        except (ValueError, Problem) as error:
            raise Damage(str(error).removeprefix(f"{path} ")) from None
        return "yours; prove it with: companion tables check" if kind == "pack" else "what a phone has answered so far"
    tables, ours = read_document(path, kind)
    row, told = tables[kind]["1"], "" if ours else "; changed by another program"
    if kind == "mission":
        pack = Pack(row["game"])
        if unknown := documents.check_facts(row["facts"], pack):
            told += f"; unknown to {pack.name} and kept: {', '.join(unknown)}"
        if not ours:
            documents.check_pending(row["pending"], pack)
        many = counted(len(tables.get("journal", {})), "entry", "entries")
        return f"{many}, {row['stand']} of them standing{told}"
    if kind == "campaign":
        return f"{row['name']}, {Pack(row['game']).name}{told}"
    used = documents.campaign_named(row)
    if used and not holds_campaign(campaigns_folder() / used):
        raise Problem(f"the campaign in use, {used}, is not there")
    return f"in use: {used or 'none'}{told}"


def _rebuilt(folder: Path) -> bytes | None:
    """Return the campaign as its newest mission tells it: game, crew and bomber as it began; None where it cannot."""
    try:
        tables, _ = read_document(mission_file(folder, campaigns.numbers(folder)[-1]), "mission")
        row, rows = tables["mission"]["1"], tables.get("journal", {})
        pack, facts = Pack(row["game"]), row["facts"]
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


# -- putting back ------------------------------------------------------------------------------------------------------


def restore(finding: Finding) -> Path | None:
    """Put what is sound in the place of a damaged file; gives back where the damaged one is now, if it was there.

    Raises:
        Changed: it has been written since it was judged.
        Trouble: the disk refuses.
    """
    path = finding.path
    if finding.kind == "odd":
        return files.set_aside(path, ".damaged")
    folder = players_folder() if players_folder() in path.parents else path.parent
    with files.locked(folder) if finding.kind != "page" else nullcontext():
        fresh = look(path, finding.kind)
        if not fresh.cause:
            raise Changed(f"{path} has been written in another terminal meanwhile; it was left alone")
        if not fresh.mendable:
            raise Trouble(f"{fresh.cause}; it was left alone")
        second = None
        try:
            if finding.kind == "page" or kind_of(path) not in ("file", ""):
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
    own, packs = _inside(campaigns_folder(), []), _inside(players_folder(), [])
    for folder in (home(), campaigns_folder(), home() / "page", players_folder(), *own, *packs):
        with _unread(folder, []):
            lock = players_folder() if folder in packs else folder if folder in own else home()
            if kind_of(folder) == "folder" and files.free(lock):
                found += [folder / name for name in names_in(folder) if HALF.fullmatch(name)]
    return found


def clear(halves: list[Path]) -> int:
    """Remove what killed commands have left half-written and say how many."""
    for each in halves:
        with suppress(OSError):
            shutil.rmtree(each) if os.path.isdir(each) else os.unlink(each)
    return sum(not os.path.lexists(each) for each in halves)
