"""Kills commands at random moments and looks at what is left: `python -m tests.bench.crash 1000`.

Every second command is killed by the clock, every other one by itself at one of its calls to the disk, before or
after the call. What a command said it had recorded must be there, whole; everything recorded earlier as well.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from companion.campaign import documents
from companion.packs import Pack

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = (["mark", "windshield.hits"], ["roll", "4-2", "--dice", "3,4"], ["roll", "6-1", "--dice", "3"])
CALLS = ("fsync", "replace", "link", "unlink", "close")
ITSELF = """
import os, signal, sys
left = [int(sys.argv.pop(1))]
after = bool(int(sys.argv.pop(1)))
def deadly(call):
    def inner(*arguments, **named):
        left[0] -= 1
        if left[0] == 0 and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        made = call(*arguments, **named)
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return made
    return inner
import companion.campaign.store
for name in {calls}:
    setattr(os, name, deadly(getattr(os, name)))
from companion.__main__ import main
sys.argv[0] = "companion"
sys.exit(main())
"""


class Storm:
    """A campaign under fire."""

    def __init__(self, home: Path, seed: int) -> None:
        self.home, self.rng = home, random.Random(seed)
        self.environment = {**os.environ, "COMPANION_HOME": str(home)}
        self.sheet = Pack("b29").sheet
        for command in (["new", "Storm", "--game", "b29", "--yes"], ["mission", "start", "--yes"], COMMANDS[0]):
            assert self.run([sys.executable, "-m", "companion", *command]).wait() == 0
        self.file = home / "campaigns" / "storm" / "mission-01.json"
        self.entries = self.read(self.file)
        start = time.perf_counter()
        assert self.run([sys.executable, "-m", "companion", *COMMANDS[0]]).wait() == 0
        self.usual = time.perf_counter() - start
        self.entries = self.read(self.file)
        self.killed = self.recorded = 0

    def run(self, command: list[str]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            command, cwd=ROOT, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip

    def read(self, path: Path) -> list[Any]:
        """The entries of a file that must be whole."""
        document, _ = documents.parse(path.read_text(encoding="utf-8"))
        kept, rows = document["mission"]["1"], document["journal"]
        documents.check_mission(kept, self.sheet)
        documents.check_journal(rows, kept["stand"])
        assert kept["stand"] == len(rows)
        marks = sum(row["v"] == "mark" for row in rows.values())
        assert kept["facts"].get("windshield.hits", 0) == marks, "the sheet and the journal say different things"
        return [rows[str(number)] for number in range(1, len(rows) + 1)]

    def strike(self, number: int) -> None:
        """One command, killed; then everything is looked at."""
        command = list(self.rng.choice(COMMANDS))
        if number % 2:
            at, after = self.rng.randint(1, 14), self.rng.randint(0, 1)
            running = self.run([sys.executable, "-c", ITSELF.format(calls=CALLS), str(at), str(after), *command])
        else:
            running = self.run([sys.executable, "-m", "companion", *command])
            try:
                running.wait(self.rng.uniform(self.usual * 0.4, self.usual * 1.2))
            except subprocess.TimeoutExpired:
                running.kill()
        out, err = running.communicate()
        assert running.returncode in (0, -9), (command, err.decode())
        self.killed += running.returncode == -9
        self.look(acknowledged=running.returncode == 0 or bool(out))

    def look(self, acknowledged: bool) -> None:
        now = self.read(self.file)
        new = len(now) - len(self.entries)
        assert now[: len(self.entries)] == self.entries, "an earlier entry is gone"
        assert new == 1 if acknowledged else new in (0, 1), f"{new} entries more, acknowledged: {acknowledged}"
        before = self.read(self.file.with_suffix(".bak"))
        assert before in (now, now[:-1]), "the generation before is not the one before"
        self.entries, self.recorded = now, self.recorded + new


def storm(home: Path, kills: int, seed: int) -> Storm:
    """So many commands, and what came of them; afterwards the folder has nothing left over that grows."""
    made = Storm(home, seed)
    for number in range(kills):
        made.strike(number)
    left = [each.name for each in made.file.parent.iterdir()]
    assert len(left) <= 6, left
    return made


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        came = storm(Path(folder), count, int(time.time()))
        took = time.perf_counter() - begun
    print(json.dumps({"commands": count, "killed": came.killed, "recorded": came.recorded, "lost": 0}))
    print(f"{took:.0f} s")
