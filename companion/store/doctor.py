"""Looking over every file of every campaign and of the player's packs: what is damaged, what cannot be read just now,
what is missing and what is none of ours."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from companion.engine.fields import Value
from companion.engine.sheet import Sheet
from companion.packs import Pack, own, players_folder, source, tables_folder
from companion.play.journal import Journal
from companion.problems import Problem, Trouble
from companion.store import campaigns, documents, files
from companion.store.campaigns import free_file
from companion.store.documents import StoredCampaign
from companion.store.files import home, locked, note
from companion.store.system import remove
from companion.words import counted

MISSING = "it is missing"
HALF = re.compile(r"\..+\.(new|part|bak)")  # a file that is being written, beside its place
NAME = r"(campaign|mission-([0-9]{2}|[1-9][0-9]{2,3}))"
END = r"(json|bak|bak-damaged|damaged(-[0-9]+)?|format-[0-9]+)"
OURS = {
    "home": re.compile(rf"\.lock|\.change(\.damaged(-[0-9]+)?)?|settings\.{END}|campaigns|packs|drafts|cache|page"),
    "campaign": re.compile(rf"\.lock|{NAME}\.{END}"),
    "packs": re.compile(r"\.lock|.*\.toml"),
    "pack": re.compile(r".*\.(toml|bak|damaged(-[0-9]+)?|toml\.bak(-[0-9]+)?)"),
}


class Verdict(NamedTuple):
    """What a file is: `sound`, `damaged`, `newer` than this companion, `unreadable` just now, or `unusable` as its
    game is not there; why, and what is in a sound one."""

    state: str
    cause: str = ""
    contents: str = ""


@dataclass(eq=False)
class Finding:
    """One file: what is in it, or what is wrong with it, and whether the generation before it is whole."""

    path: Path
    kind: str
    cause: str = ""  # empty: it is sound
    contents: str = ""  # what a sound one holds, in words
    state: str = "damaged"  # of one with a cause, see Verdict
    backup: Path | None = None
    backup_cause: str = ""
    rebuilt: StoredCampaign | None = None  # a campaign without a generation before it, as its missions tell it
    games: tuple[str, ...] = ()  # what a campaign is flown with
    checksums: tuple[str, ...] = ()  # of the file and the generation before it, when they were judged

    @property
    def mendable(self) -> bool:
        """Whether the generation before it, or what its missions tell, can take its place."""
        if not self.cause or self.state != "damaged":
            return False
        if self.kind == "change":
            return True
        return self.rebuilt is not None or (self.backup is not None and not self.backup_cause)


def examine() -> list[Finding]:
    """Every file that there should be, and every one that is none of ours; a change half in place is completed."""
    findings = [*_change(), *_foreign(home(), "home")]
    settings = home() / "settings.json"
    if settings.exists() or settings.with_suffix(".bak").exists():
        findings.append(_look(settings, "settings"))
    for each in _inside(campaigns.campaigns_folder(), findings):
        if each.is_dir():
            findings += _campaign(each)
        else:
            findings.append(_stranger(each))
    findings += [*_foreign(players_folder(), "packs")]
    return [*findings, *_packs({game for each in findings for game in each.games})]


def look_again(finding: Finding) -> Finding:
    """The same file as it is by now."""
    if finding.kind == "pack":
        return _own_file(finding.path, _broken(finding.path))
    return _look(finding.path, finding.kind)


def leftovers() -> list[Path]:
    """Half-written files of commands that were killed; nothing needs them. A living command's are none."""
    halves: list[Path] = []
    packs = players_folder()
    for folder in (home(), *_folders(campaigns.campaigns_folder()), packs, *_folders(packs)):
        lock = packs if packs in folder.parents else folder
        try:
            halves += [each for each in sorted(folder.iterdir()) if HALF.fullmatch(each.name) and files.free(lock)]
        except OSError:
            continue
    return halves


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.is_dir())
    except OSError:
        return []


def _inside(folder: Path, findings: list[Finding]) -> list[Path]:
    """What is in a folder, nothing where there is none; one that cannot be read is a finding."""
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        why = f"it cannot be read ({error.strerror or error})"
        findings.append(Finding(folder, "folder", why, state="unreadable"))
        return []


def _foreign(folder: Path, kind: str) -> Iterator[Finding]:
    findings: list[Finding] = []
    for each in _inside(folder, findings):
        game = kind == "packs" and each.is_dir()
        if not (game or OURS[kind].fullmatch(each.name) or HALF.fullmatch(each.name)):
            yield _stranger(each)
    yield from findings


def _stranger(path: Path) -> Finding:
    return Finding(path, "foreign", contents="none of ours; nothing reads it")


def _change() -> Iterator[Finding]:
    """What is in the way of completing what an earlier command recorded."""
    try:
        files.settle()
    except Trouble as trouble:
        damaged = "companion doctor" in str(trouble)
        cause = str(trouble).partition("; see:")[0].removeprefix(f"{note()} ")
        yield Finding(note(), "change", cause, state="damaged" if damaged else "unreadable")


def _campaign(folder: Path) -> Iterator[Finding]:
    findings: list[Finding] = []
    names = [each.name for each in _inside(folder, findings)]
    yield from findings
    yield from _foreign(folder, "campaign") if not findings else ()
    begun = {number for name in names if (number := campaigns.mission_of(name)) is not None}
    if not begun and not {"campaign.json", "campaign.bak"} & {*names}:
        return
    head = _look(folder / "campaign.json", "campaign")
    yield head
    for number in sorted(begun | _expected(folder, begun)):
        yield _look(campaigns.mission_file(folder, number), "mission")


def _expected(folder: Path, begun: set[int]) -> set[int]:
    """The missions that have begun as the campaign has it; an older companion kept no list of them."""
    about = _about(folder)
    between = range(min(begun, default=0), max(begun, default=0))
    return set(about.get("begun", between) if about is not None else between)


def _about(folder: Path) -> StoredCampaign | None:
    """What the campaign's file says, or the generation before it, when that much can be read."""
    for name in ("campaign.json", "campaign.bak"):
        try:
            return documents.check_campaign(documents.read_document(folder / name)[0]["campaign"]["1"])
        except (Problem, KeyError):
            continue
    return None


def _rebuilt(folder: Path) -> StoredCampaign | None:
    """The campaign as its missions tell it: the games they were flown with, crew and bomber as the last one began.

    None where a mission cannot be read or does not say its game: nothing is guessed.
    """
    missions = campaigns.numbers(folder)
    flown: dict[str, str] = {}
    facts: dict[str, Value] = {}
    try:
        for number in missions:
            document, _ = documents.read_document(campaigns.mission_file(folder, number))
            row, rows = document["mission"]["1"], document.get("journal", {})
            flown[str(number)] = str(row["game"])
            mission = documents.check_mission(row, _pack(row["game"]).sheet)
            documents.check_journal(rows, row.get("stand"))
            facts, stand = mission["facts"], int(mission["stand"])
            if stand:
                journal = Journal([rows[str(at)] for at in range(1, len(rows) + 1)], stand)
                journal.step_to(0, facts, mission["pending"])
    except (Problem, KeyError, ValueError, TypeError):
        return None
    if not flown:
        return None
    games = list(flown.values())
    campaign: StoredCampaign = {
        "format": documents.FORMAT,
        "name": folder.name,
        "game": games[-1],
        "begun": list(range(missions[0], missions[-1] + 1)),
        "aircraft": str(facts.get("aircraft.name", "")),
        "roster": {
            position: str(facts.get(f"name.{position}", ""))
            for position in _pack(games[-1]).sheet.index.get("position", {})
        },
    }
    changes = {
        number: game for (number, game), before in zip(flown.items(), ["", *games], strict=False) if game != before
    }
    if len(changes) > 1:
        campaign["variants"] = changes
    return campaign


@cache
def _pack(name: str) -> Pack:
    return Pack(name)


def _sheet(path: Path) -> Sheet | None:
    """The sheet that a mission of the campaign is kept on, when that much can be read."""
    about, number = _about(path.parent), campaigns.mission_of(path.name)
    try:
        return _pack(documents.game_of(about, number)).sheet if about is not None and number is not None else None
    except Problem:
        return None


def _look(path: Path, kind: str) -> Finding:
    sheet = _sheet(path) if kind == "mission" else None
    verdict, backup = _verdict(path, kind, sheet), path.with_suffix(".bak")
    finding = Finding(path, kind, verdict.cause, verdict.contents, verdict.state)
    if kind == "campaign" and verdict.state == "sound":
        about = documents.read_document(path)[0]["campaign"]["1"]
        finding.games = (about["game"], *about.get("variants", {}).values())
    if os.path.lexists(backup):
        finding.backup = backup
        finding.backup_cause = _verdict(backup, kind, sheet).cause
    if kind == "campaign" and verdict.state == "damaged" and not finding.mendable:
        finding.rebuilt = _rebuilt(path.parent)
    finding.checksums = _checksums(path, backup)
    return finding


def _checksums(*paths: Path) -> tuple[str, ...]:
    try:
        return tuple(map(files.checksum, paths))
    except OSError:
        return ()


def _verdict(path: Path, kind: str, sheet: Sheet | None) -> Verdict:
    """What is in a file or wrong with it; what the disk does not show us is not damaged."""
    try:
        os.lstat(path)
        document, written = documents.read_document(path)
        if "1" not in document.get(kind, {}):
            raise documents.Damage(f"it holds no {kind}")
        row, rows = document[kind]["1"], document.get("journal", {})
        older = f", format {written}" if written != documents.FORMAT else ""
        if kind == "mission":
            documents.check_mission(row, sheet)
            documents.check_journal(rows, row.get("stand"))
            return Verdict(
                "sound", contents=f"{counted(len(rows), 'entry', 'entries')}, {row['stand']} of them standing{older}"
            )
        if kind == "campaign":
            about = documents.check_campaign(row)
            return _playable(about, f"{row['name']}, {row['game']}{older}")
        used = documents.campaign_named(row)
        if used and not campaigns.holds_campaign(campaigns.campaigns_folder() / used):
            return Verdict("unusable", f"the campaign in use, {used}, is not there")
        return Verdict("sound", contents=f"in use: {used or 'none'}{older}")
    except FileNotFoundError:
        return Verdict("damaged", MISSING)
    except OSError as error:
        return Verdict("unreadable", f"it cannot be read ({error.strerror or error})")
    except documents.Newer as newer:
        return Verdict("newer", str(newer))
    except documents.Damage as damage:
        return Verdict("damaged", str(damage))
    except Trouble as trouble:  # the disk does not give it
        return Verdict("unreadable", str(trouble).replace(f"cannot read {path}: ", "it cannot be read: "))


def _playable(about: StoredCampaign, contents: str) -> Verdict:
    """Whether the games of a whole campaign are there."""
    for game in (about["game"], *about.get("variants", {}).values()):
        try:
            _pack(game)
        except Problem as problem:
            return Verdict("unusable", str(problem))
    return Verdict("sound", contents=contents)


# -- packs -------------------------------------------------------------------------------------------------------------


def _packs(in_use: set[str]) -> Iterator[Finding]:
    """The packs that campaigns are flown with, and every file of the player's own; all of them are proved."""
    theirs = players_folder()
    folders = _folders(theirs)
    astray: dict[Path, str] = dict.fromkeys(sorted(theirs.glob("*.toml")), UNREAD)
    for folder in folders:
        yield from _foreign(folder, "pack")
        read = folder.name == folder.name.casefold()
        astray |= dict.fromkeys(sorted(folder.glob("*.toml")), "" if read else UNREAD)
    whole = {tables_folder() / name: "" for name in sorted(in_use) if (tables_folder() / name).is_dir()}
    for name in sorted({*in_use, *(folder.name for folder in folders)}):
        for path, cause in _wrong(name):
            files = astray if path in astray else whole
            files[path] = files.get(path) or cause
    for path, cause in whole.items():
        yield Finding(path, "pack", cause, counted(len(list(path.glob("*.toml"))), "file"))
    for path, cause in astray.items():
        yield _own_file(path, cause)


def _own_file(path: Path, cause: str) -> Finding:
    """A file of the player's own; one that makes no sense has perhaps a generation before it that does."""
    finding, backup = Finding(path, "pack", cause, "yours", "unusable"), path.with_suffix(".bak")
    if cause and cause != UNREAD and backup.is_file() and _broken(path):
        finding.state, finding.backup = "damaged", backup
        finding.checksums = _checksums(path, backup)
        try:
            text, pack = own.text_in(backup), Pack(path.parent.name)
            finding.backup_cause = next(iter(own.faults(pack, path.stem.casefold(), text)), "")
        except Problem as problem:
            finding.backup_cause = str(problem)
    return finding


def _broken(path: Path) -> str:
    """Why a file of the player's is no TOML; empty where it is, and where the disk does not give it."""
    try:
        content = source.content_in(path)
    except Problem:
        return ""
    try:
        source.parsed(content, path)
    except Problem as problem:
        return str(problem)
    return ""


UNREAD = "it stands in no game's folder, of which the name is in small letters; nothing reads it"


def _wrong(name: str) -> Iterator[tuple[Path, str]]:
    """What is wrong with a pack: the player's file that is to blame, else the folder, and why."""
    from companion.packs import proof
    from companion.packs.places import Fault

    theirs = players_folder()
    try:
        faults = list(proof.faults(Pack(name)))
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


class Changed(Problem):
    """The file is another than when it was judged; it is left alone."""


def restore(finding: Finding) -> Path | None:
    """Mend a damaged file from the generation before or its missions; gives back where the damaged one is now, if it
    was there.

    Raises Changed when it has been written since it was judged, Trouble when the disk refuses: it is as it was.
    """
    path = finding.path
    with locked(folder_of(path)):
        second: Path | None = None
        if finding.kind == "change":
            second = free_file(path, ".damaged")
            try:
                files.keep_as(path, second)
                remove(path)
            except OSError as error:
                raise Trouble(f"cannot put {path} aside: {error.strerror or error}; it is as it was") from None
            return second
        fresh = look_again(finding)
        if not fresh.mendable or (fresh.checksums, fresh.rebuilt) != (finding.checksums, finding.rebuilt):
            raise Changed(f"{path} has been written in another terminal meanwhile; it was left alone")
        try:
            second = free_file(path, ".damaged") if os.path.lexists(path) else None
            if fresh.rebuilt is not None:
                whole = json.dumps({"campaign": {"1": fresh.rebuilt}}, ensure_ascii=False).encode()
            else:
                assert fresh.backup is not None
                whole = fresh.backup.read_bytes()
            if second is not None:
                files.keep_as(path, second)
            files.keep(path, whole)
        except files.Unconfirmed as error:
            raise Trouble(f"{path} is mended, but the disk did not confirm it ({error.strerror})") from None
        except OSError as error:
            raise Trouble(f"cannot restore {path}: {error.strerror or error}; it is as it was") from None
    return second


def clear(files: list[Path]) -> int:
    """Remove what killed commands have left half-written and say how many; what a living one writes stays."""
    removed = 0
    for folder in dict.fromkeys(folder_of(each) for each in files):
        with contextlib.suppress(OSError, Problem), locked(folder):
            for file in files:
                needed = file.name.endswith(".part") and os.path.lexists(note())  # of a change to be completed
                if folder_of(file) == folder and not needed:
                    with contextlib.suppress(OSError):
                        remove(file)
                        removed += 1
    return removed


def folder_of(path: Path) -> Path:
    """The folder whose lock a file is written under."""
    return players_folder() if players_folder() in path.parents else path.parent
