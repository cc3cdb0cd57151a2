"""Every command that writes, each in a data folder that makes it write as much as it can."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

from tests.storage.faults import Case, Fault, run, visible

NEW = ["new", "Owls", "--game", "b29", "--yes"]
START = ["mission", "start", "--yes"]
FLOWN = [NEW, START, ["mark", "fuel.wing", "7"], ["mark", "fuel.wing"]]
LOST = [*FLOWN, ["set", "crew.pilot=kia", "fate.pilot=kia", "bomber.fate=wrecked", "credit=yes"]]
TWO = [*FLOWN, ["set", "credit=yes", "bomber.fate=returned"], START, ["mark", "fuel.wing"]]


def exported(home: Path, beside: Path) -> None:
    """A whole campaign as a file, and one mission of it as text."""
    (beside / "owls.json").write_text(run(home, ["export", "--json"]).out)
    (beside / "owls.txt").write_text(run(home, ["snapshot", "--text"]).out)


def tables(beside: Path) -> None:
    """Two exports of tables of one's own, the second another than the first."""
    for name, add in (("tables", -3), ("others", -4)):
        modifier = {"id": "mud", "add": add, "why": "mud on the runway"}
        patch = {"reason": "from your own book", "transcribed": True, "modifier": [modifier]}
        whole = {"format": 2, "game": "b29", "tables": {"8-1": [patch], "5-1": [patch], "6-1": [patch]}}
        (beside / f"{name}.json").write_text(json.dumps(whole))


def damaged(home: Path) -> None:
    """The newest mission cut off in the middle."""
    path = home / "campaigns" / "owls" / "mission-01.json"
    path.write_bytes(path.read_bytes()[:200])


def settings(home: Path) -> None:
    """The note of the campaign in use makes no sense."""
    (home / "settings.json").write_text("x")


def beside(folder: Path, compiled: Path) -> Path:
    """The files that some of the commands read."""
    home, files = folder / "home", folder / "files"
    home.mkdir(parents=True)
    files.mkdir()
    (home / "cache").symlink_to(compiled, target_is_directory=True)
    for command in FLOWN:
        assert run(home, command).code == 0
    exported(home, files)
    tables(files)
    return files


def cases(beside: Path) -> list[Case]:
    """All of them; `beside` has the files that some of them read."""
    campaign, mission = str(beside / "owls.json"), str(beside / "owls.txt")
    return [
        Case("new", [], NEW),
        Case("new beside another", FLOWN, ["new", "Bats", "--game", "b17", "--yes"]),
        Case("use", [*FLOWN, ["new", "Bats", "--game", "b17", "--yes"]], ["use", "Owls"]),
        Case("use over a damaged note", FLOWN, ["use", "Owls"], settings),
        Case("mission start", FLOWN, START),
        Case("mission start with the lost replaced", LOST, START),
        Case("mission start of a variant", FLOWN, [*START, "--game", "b29-streamliner"]),
        Case("crew", FLOWN, ["crew", "--set", "pilot=Dan Kerr", "--set", "navigator=Gus Lind"]),
        Case("bomber", LOST, ["bomber", "Second Wind"]),
        Case("import", [], ["import", campaign, "--yes"]),
        Case("import beside", FLOWN, ["import", campaign, "--yes", "--as", "Again"]),
        Case("restore over a mission", [*FLOWN, ["mark", "fuel.wing"]], ["restore", mission, "--yes"]),
        Case("restore into another in use", [*FLOWN, ["new", "Bats", "--game", "b17", "--yes"]],
             ["restore", mission, "--yes"]),
        Case("restore under a new name", FLOWN, ["restore", mission, "--yes", "--as", "Again"]),
        Case("mark", FLOWN, ["mark", "fuel.wing"]),
        Case("set", FLOWN, ["set", "weather=poor"]),
        Case("undo", FLOWN, ["undo"]),
        Case("redo", [*FLOWN, ["undo"]], ["redo"]),
        Case("roll", FLOWN, ["roll", "4-2", "--dice", "3,4"]),
        Case("fly", [NEW, START], ["fly", "--auto", "--seed", "4"]),
        Case("doctor --repair", FLOWN, ["doctor", "--repair", "--yes"], damaged),
        Case("doctor --repair of the note", [*FLOWN, ["use", "Owls"]], ["doctor", "--repair", "--yes"], settings),
        Case("tables import", [], ["tables", "import", str(beside / "tables.json"), "--game", "b29"]),
        Case("tables reset", [["tables", "import", str(beside / "tables.json"), "--game", "b29"]],
             ["tables", "reset", "5-1", "--game", "b29", "--yes"]),
        Case("tables import over one's own", [["tables", "import", str(beside / "tables.json"), "--game", "b29"]],
             ["tables", "import", str(beside / "others.json"), "--game", "b29", "--replace"]),
    ]  # fmt: skip


class Prepared:
    """A data folder as a command finds it, before and after it has run undisturbed."""

    def __init__(self, folder: Path, case: Case, compiled: Path) -> None:
        self.folder, self.case = folder, case
        self.first = self._home("first", compiled)
        for command in case.before:
            came = run(self.first, command)
            assert came.code == 0, (command, came)
        case.change(self.first)
        self.before = visible(self.first)
        self.number = 0
        self.usual = run(self.again(), ["campaigns"]).code  # what the next command comes to when nothing has changed
        whole = self.again()
        self.came = run(whole, case.command)
        assert self.came.code == 0, (case.name, self.came)
        self.after = visible(whole)

    def _home(self, name: str, compiled: Path) -> Path:
        home = self.folder / name
        home.mkdir(parents=True)
        (home / "cache").symlink_to(compiled, target_is_directory=True)
        return home

    def again(self) -> Path:
        """A fresh copy of the folder."""
        self.number += 1
        home = self.folder / f"at-{self.number}"
        shutil.copytree(self.first, home, symlinks=True)
        return home

    def faults(self, kinds: tuple[int | str, ...], on: tuple[bool, ...] = (False,)) -> Iterator[Fault]:
        """Every kind of fault at every call that the command makes."""
        for what in kinds:
            for at in range(1, self.came.calls + 1):
                yield from (Fault(at, what, each) for each in on)
