"""Two terminals at once, and locks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.store import files
from tests.storage.evenings import MISSION, boxes
from tests.support import ROOT, Run


@pytest.mark.slow
def test_eight_terminals_at_once_lose_no_mark(struck: Run) -> None:
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "companion", "mark", "fuel.wing"], cwd=ROOT, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        for _ in range(8)
    ]  # fmt: skip
    assert [each.communicate()[1] for each in running] == [b""] * 8
    assert boxes(struck) == 16
    assert len(struck("log", "--json").json) == 10


@pytest.mark.slow
def test_a_lock_of_the_living_is_waited_for(struck: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = (data_folder / MISSION).with_name(".lock")
    holder = subprocess.Popen(
        [sys.executable, "-c", "import fcntl, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX);"
         "f.write('4711'); f.flush(); print('held', flush=True); time.sleep(60)", str(lock)],
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    monkeypatch.setattr(files, "PATIENCE", 0.2)
    ran = struck("mark", "fuel.wing")
    assert ran.code == 1 and "Another terminal has been saving" in ran.err
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert lock.read_text() == "4711"
    assert struck("mark", "fuel.wing").code == 0
    assert boxes(struck) == 9
