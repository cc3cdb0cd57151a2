"""Checks of every saved file, and replacement of damaged files with their backups."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.packs import Pack, players_folder
from companion.packs.check import faults
from companion.packs.folders import LEFT_OUT, read_file
from companion.problems import UserError
from companion.store import campaigns, files
from companion.store.files import DamagedFile, present
from companion.words import counted, series


@dataclass(eq=False)
class Finding:
    """One file with its contents or fault. `state` is sound, damaged, newer (than this companion) or unusable
    (unreadable at the moment, or its game is missing).
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
        """Return whether its backup can replace it."""
        return self.state == "damaged" and self.backup is not None and not self.backup_cause


def examine() -> Iterator[Finding]:
    """Yield a finding for every expected file."""
    settings = files.home() / "settings.json"
    if present(settings) or present(settings.with_suffix(".bak")):
        yield look(settings, "settings")
    for folder in _folders(campaigns.campaigns_folder()):
        begun = campaigns.numbers(folder)
        if begun or campaigns.holds_campaign(folder):
            yield look(folder / "campaign.json", "campaign")
        for number in range(begun[0], begun[-1] + 1) if begun else ():
            yield look(folder / campaigns.mission_file(number), "mission")
    for folder in _folders(players_folder()):
        findings = [look(folder / name, "pack") for name in files.names_in(folder) if name.endswith(".toml")]
        with suppress(UserError):  # no game of that name
            for fault in faults(Pack(folder.name), advising=False) if findings else ():
                for each in findings:
                    if each.path == fault.path and not (each.cause or fault.warning or LEFT_OUT in fault.sentence):
                        each.state, each.cause = "unusable", str(fault).removeprefix(f"{each.path}, ")
        yield from findings


def _folders(parent: Path) -> list[Path]:
    return [parent / each for each in files.names_in(parent) if not each.startswith(".") and (parent / each).is_dir()]


def look(path: Path, kind: str) -> Finding:
    """Check one file, and its backup if it has one."""
    finding, backup = _judged(path, kind), _judged(path.with_suffix(".bak"), kind)
    if backup.cause != files.MISSING:
        finding.backup, finding.backup_cause = backup.path, backup.cause
    return finding


def _judged(path: Path, kind: str) -> Finding:
    try:
        return Finding(path, kind, contents=_contents(path, kind))
    except UserError as problem:
        return Finding(path, kind, problem.state if isinstance(problem, DamagedFile) else "unusable", str(problem))


def _contents(path: Path, kind: str) -> str:
    """Describe the contents of a valid file; raise DamagedFile, Newer or UserError."""
    if kind == "pack":
        if not present(path):
            raise DamagedFile(files.MISSING)
        try:
            read_file(path)
        except UserError as problem:
            if not str(problem).startswith(str(path)):  # unreadable
                raise
            raise DamagedFile(str(problem).removeprefix(f"{path} ")) from None
        game = path.parent.name
        try:
            rules = [each for each in Pack(game).house_rules() if each.path == path]
        except UserError as problem:  # a fault of another file, or no game of that name
            return f"yours. {problem}"
        reasons = "; ".join(f"{each.reason} ({each.left_out})" if each.left_out else each.reason for each in rules)
        return f"yours{f': {reasons}' if rules else ''}. Check it with: companion tables check {game}"
    tables = files.read_document(path, kind)
    row = tables[kind]["1"]
    if kind == "campaign":
        return f"{row['name']}, {Pack(row['game']).name}"
    if kind == "settings":
        if (used := row["campaign"]) and not campaigns.holds_campaign(campaigns.campaigns_folder() / used):
            raise UserError(f"the campaign in use, {used}, is missing")
        return f"in use: {used or 'none'}"
    pack, told = Pack(row["game"]), ""
    campaigns.under_present_names(row, [], pack)
    if unknown := campaigns.known_facts(row["facts"], pack)[1]:
        told = f". Not fields of {pack.name}, kept anyway: {', '.join(unknown)}"
    journal = tables.get("journal", {})
    if gone := pack.stand_in(sorted({each["t"] for each in journal.values() if each["v"] == "roll"})):
        told += f". No longer tables of {pack.name}: {series(gone)}"
    undone = len(journal) - row["stand"]
    return f"{counted(len(journal), 'entry', 'entries')}{f', {undone} of them undone' if undone else ''}{told}"


def restore(finding: Finding) -> Path | None:
    """Replace a damaged file with its backup; return the new path of the damaged file, if it existed."""
    path = finding.path
    with files.locked(players_folder() if finding.kind == "pack" else path.parent):
        kept = files.set_aside(path, ".damaged") if present(path) else None
        files.save(path, files.read_bytes(path.with_suffix(".bak")))
    return kept
