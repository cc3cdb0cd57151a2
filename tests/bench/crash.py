"""Kills commands at random moments and looks at what is left: `python -m tests.bench.crash 1000`.

Every second command is killed by the clock, every other one by itself at one of its calls to the disk, before or
after the call. What a command said it had recorded must be there, whole; everything recorded earlier as well.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from companion.packs import Pack
from companion.store import documents
from tests.storage.faults import KILLS, Fault, ended, run, start

COMMANDS = (["mark", "windshield.hits"], ["roll", "4-2", "--dice", "3,4"], ["roll", "6-1", "--dice", "3"])


class Storm:
    """A campaign under fire."""

    def __init__(self, home: Path, seed: int) -> None:
        self.home, self.rng = home, random.Random(seed)
        home.mkdir(exist_ok=True)
        self.pack = Pack("b29")
        for command in (["new", "Storm", "--game", "b29", "--yes"], ["mission", "start", "--yes"], COMMANDS[0]):
            assert run(home, command).code == 0
        self.file = home / "campaigns" / "storm" / "mission-01.json"
        begun = time.perf_counter()
        self.calls = run(home, COMMANDS[0]).calls
        self.usual = time.perf_counter() - begun
        self.entries = self.read(self.file)
        self.killed = self.recorded = 0

    def read(self, path: Path) -> list[Any]:
        """The entries of a file that must be whole."""
        document, ours = documents.read_document(path, "mission")
        mission, rows = document["mission"]["1"], document["journal"]
        assert ours and documents.check_facts(mission["facts"], self.pack) == []
        assert mission["stand"] == len(rows)
        marks = sum(row["v"] == "mark" for row in rows.values())
        assert mission["facts"].get("windshield.hits", 0) == marks, "the sheet and the journal say different things"
        return [rows[str(number)] for number in range(1, len(rows) + 1)]

    def strike(self, number: int) -> None:
        """One command, killed; then everything is looked at."""
        command = list(self.rng.choice(COMMANDS))
        if number % 2:
            came = run(self.home, command, Fault(self.rng.randint(1, self.calls), self.rng.choice(KILLS)))
        else:
            child, told = start(self.home, command)
            time.sleep(self.rng.uniform(0, self.usual))
            os.kill(child, signal.SIGKILL)  # it is waited for below: the number is its own until then
            came = ended(child, told)
        assert came.code in (0, -9), (command, came.err)
        self.killed += came.code == -9
        self.look(acknowledged=came.code == 0 or bool(came.out))

    def look(self, acknowledged: bool) -> None:
        now = self.read(self.file)
        new = len(now) - len(self.entries)
        assert now[: len(self.entries)] == self.entries, "an earlier entry is gone"
        assert new == 1 if acknowledged else new in (0, 1), f"{new} entries more, acknowledged: {acknowledged}"
        before = self.read(self.file.with_suffix(".bak"))
        assert len(now) - len(before) in (0, 1, 2) and before == now[: len(before)], "the backup is none"
        self.entries, self.recorded = now, self.recorded + new


def storm(home: Path, kills: int, seed: int) -> Storm:
    """Commands until so many were killed, and what came of them; afterwards nothing is left over that grows."""
    campaign = Storm(home, seed)
    number = 0
    while campaign.killed < kills:
        campaign.strike(number)
        number += 1
    assert run(home, COMMANDS[0]).code == 0  # and it clears away what the last of them left
    left = sorted(each.name for each in campaign.file.parent.iterdir())
    assert left == [".lock", "campaign.json", "mission-01.bak", "mission-01.json"], left
    return campaign


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        came = storm(Path(folder) / "home", count, int(time.time()))
        took = time.perf_counter() - begun
    print(json.dumps({"killed": came.killed, "recorded": came.recorded, "lost": 0}))
    print(f"{took:.0f} s")
