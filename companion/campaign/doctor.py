"""Looking over every file of every campaign and of the player's packs, and putting back the generation before a
damaged one."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from companion.campaign import documents, store
from companion.campaign.documents import StoredCampaign
from companion.engine.fields import Value
from companion.engine.sheet import Sheet
from companion.files import disk
from companion.files.home import home
from companion.files.locks import locked
from companion.files.platform import remove
from companion.packs import Pack, players_folder, tables_folder
from companion.play.journal import Journal
from companion.problems import Problem, Trouble


@dataclass(eq=False)
class Finding:
    """One file: what is in it, or what is wrong with it, and whether the generation before it is whole."""

    path: Path
    kind: str
    cause: str = ""  # empty: it is sound
    contents: str = ""  # what a sound one holds, in words
    backup: Path | None = None
    backup_cause: str = ""
    newer: bool = False
    rebuilt: StoredCampaign | None = None  # a campaign without a generation before it, as its missions tell it
    games: tuple[str, ...] = ()  # what a campaign is flown with

    @property
    def mendable(self) -> bool:
        """Whether the generation before it, or what its missions tell, can take its place."""
        if not self.cause or self.newer:
            return False
        return self.rebuilt is not None or (self.backup is not None and not self.backup_cause)


def examine() -> list[Finding]:
    """Every file that there should be, and what is left of commands that were killed."""
    findings: list[Finding] = []
    settings = home() / "settings.json"
    if settings.exists() or settings.with_suffix(".bak").exists():
        findings.append(_look(settings, "settings", None))
    folder = store.campaigns_folder()
    for each in sorted(folder.iterdir()) if folder.is_dir() else ():
        if each.is_dir():
            findings += _campaign(each)
    return [*findings, *_packs({game for each in findings for game in each.games})]


def leftovers() -> list[Path]:
    """Half-written files of commands that were killed; nothing needs them."""
    folders = [home(), *(store.campaigns_folder().glob("*"))]
    ends = (".new", ".bak")
    return [
        Path(each.path)
        for folder in folders
        if folder.is_dir()
        for each in os.scandir(folder)
        if each.name.startswith(".") and ".json." in each.name and each.name.endswith(ends)
    ]


def clear(files: list[Path]) -> None:
    """Remove such leftovers; one that the disk does not let go stays."""
    for file in files:
        with contextlib.suppress(OSError):
            remove(file)


def _campaign(folder: Path) -> Iterator[Finding]:
    names = {
        each.stem for each in folder.iterdir() if each.suffix in (".json", ".bak") and not each.name.startswith(".")
    }
    missions = sorted(name for name in names if name.startswith("mission-") and name[8:].isdigit())
    if not missions and "campaign" not in names:
        return
    head = _look(folder / "campaign.json", "campaign", None)
    if head.cause and not head.newer and not head.mendable:
        head.rebuilt = _rebuilt(folder, missions)
    yield head
    for name in missions:
        yield _look(folder / f"{name}.json", "mission", _sheet(folder, int(name[8:])))


def _rebuilt(folder: Path, missions: list[str]) -> StoredCampaign | None:
    """The campaign as its missions tell it: the games they were flown with, crew and bomber as the last one began.

    None where a mission cannot be read or does not say its game: nothing is guessed.
    """
    flown: dict[str, str] = {}
    facts: dict[str, Value] = {}
    try:
        for name in sorted(missions, key=lambda each: int(each[8:])):
            document, _ = documents.read_document(folder / f"{name}.json")
            row, rows = document["mission"]["1"], document.get("journal", {})
            flown[str(int(name[8:]))] = str(row["game"])
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


def _sheet(folder: Path, number: int) -> Sheet | None:
    """The sheet that a mission of the campaign is kept on, when that much can be read."""
    for name in ("campaign.json", "campaign.bak"):
        try:
            about = documents.check_campaign(documents.read_document(folder / name)[0]["campaign"]["1"])
            return _pack(documents.game_of(about, number)).sheet
        except (Problem, KeyError):
            continue
    return None


def _look(path: Path, kind: str, sheet: Sheet | None) -> Finding:
    finding = Finding(path, kind)
    finding.cause, finding.contents, finding.newer = _verdict(path, kind, sheet)
    if kind == "campaign" and not finding.cause:
        about = documents.read_document(path)[0]["campaign"]["1"]
        finding.games = (about["game"], *about.get("variants", {}).values())
    backup = path.with_suffix(".bak")
    if backup.exists():
        finding.backup = backup
        finding.backup_cause = _verdict(backup, kind, sheet)[0]
    return finding


def _verdict(path: Path, kind: str, sheet: Sheet | None) -> tuple[str, str, bool]:
    """What is wrong with a file, what is in it, and whether it is only newer than this companion."""
    if not path.exists():
        return "it is missing", "", False
    try:
        document, written = documents.read_document(path)
        if "1" not in document.get(kind, {}):
            raise documents.Damage(f"it holds no {kind}")
        row, rows = document[kind]["1"], document.get("journal", {})
        older = f", format {written}" if written != documents.FORMAT else ""
        if kind == "mission":
            documents.check_mission(row, sheet)
            documents.check_journal(rows, row.get("stand"))
            return "", f"{len(rows)} entries, {row['stand']} of them standing{older}", False
        if kind == "campaign":
            documents.check_campaign(row)
            for game in (row["game"], *row.get("variants", {}).values()):
                _pack(game)
            return "", f"{row['name']}, {row['game']}{older}", False
        return "", f"in use: {row.get('campaign')}{older}", False
    except documents.Newer as newer:
        return str(newer), "", True
    except Problem as problem:
        return str(problem), "", False


# -- packs -------------------------------------------------------------------------------------------------------------


def _packs(in_use: set[str]) -> Iterator[Finding]:
    """The packs that campaigns are flown with, and every file of the player's own; all of them are proved."""
    theirs = players_folder()
    folders = sorted(each for each in theirs.iterdir() if each.is_dir()) if theirs.is_dir() else []
    own = dict.fromkeys(sorted(theirs.glob("*.toml")), UNREAD)
    for folder in folders:
        read = folder.name == folder.name.casefold()
        own |= dict.fromkeys(sorted(folder.glob("*.toml")), "" if read else UNREAD)
    whole = {tables_folder() / name: "" for name in sorted(in_use) if (tables_folder() / name).is_dir()}
    for name in sorted({*in_use, *(folder.name for folder in folders)}):
        for path, cause in _wrong(name):
            files = own if path in own else whole
            files[path] = files.get(path) or cause
    for path, cause in whole.items():
        yield Finding(path, "pack", cause, f"{len(list(path.glob('*.toml')))} files")
    for path, cause in own.items():
        yield Finding(path, "pack", cause, "yours")


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


def restore(finding: Finding) -> Path | None:
    """Mend a damaged file from the generation before or its missions; gives back where the damaged one is now, if it
    was there. Raises Trouble when the disk refuses: the damaged file is as it was."""
    with locked(finding.path.parent):
        second = _free(finding.path) if finding.path.exists() else None
        try:
            if finding.rebuilt is not None:
                whole = json.dumps({"campaign": {"1": finding.rebuilt}}, ensure_ascii=False).encode()
            else:
                assert finding.backup is not None
                whole = finding.backup.read_bytes()
            if second is not None:
                disk.keep_as(finding.path, second)
            disk.keep(finding.path, whole)
        except disk.Unconfirmed as error:
            raise Trouble(f"{finding.path} is mended, but the disk did not confirm it ({error.strerror})") from None
        except OSError as error:
            raise Trouble(f"cannot restore {finding.path}: {error.strerror or error}; it is as it was") from None
    return second


def _free(path: Path) -> Path:
    """A name for the damaged file that no earlier one has."""
    free, number = path.with_suffix(".damaged"), 1
    while free.exists():
        number += 1
        free = path.with_suffix(f".damaged-{number}")
    return free
