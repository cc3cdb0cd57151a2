"""Input, output and errors that are not there, and Ctrl-C before a command has begun."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from tests.support import Run

CLOSED = ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", "<&- >&- 2>&-"]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
@pytest.mark.parametrize("closed", [*CLOSED[:2], *(pytest.param(each, marks=pytest.mark.slow) for each in CLOSED[2:])])
def test_closed_standard_files(owls: Run, closed: str) -> None:
    for command, code in (("mark fuel.wing 2", 0), ("log", 0), ("mark fuel.wing 99", 2), ("fly", 2)):
        line = f"{shlex.quote(sys.executable)} -m companion {command} {closed}"
        ran = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
        message = ran.stderr
        assert ran.returncode == code, (line, message)
        assert "made a mistake" not in message and "Traceback" not in message and "Exception" not in message
    assert owls("status", "--json").out.count('"fuel.wing": 2') == 1


def test_ctrl_c_before_a_command_has_begun(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion import __main__ as program

    def interrupted() -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "_legible", interrupted)
    ran = companion("status")
    assert (ran.code, ran.out) == (1, "") and ran.err == "\nStopped. Nothing was recorded.\n"
