"""Missing input, output and error streams, and Ctrl-C before a command has started."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import subprocess
import sys

import pytest

from companion.__main__ import main as installed
from companion.cli.main import main
from tests.support import Run, slow_but

CLOSED = ["<&- >&-", "2>&-"]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
@pytest.mark.parametrize("closed", slow_but(CLOSED, 0))
def test_closed_standard_files(owls: Run, closed: str) -> None:
    for command, code in (("mark fuel.wing 2", 0), ("log", 0), ("mark fuel.wing 99", 2), ("fly", 2)):
        line = f"{shlex.quote(sys.executable)} -m companion {command} {closed}"
        ran = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
        message = ran.stderr
        assert ran.returncode == code, (line, message)
        assert "Internal error" not in message and "Traceback" not in message and "Exception" not in message
    assert owls("status", "--json").out.count('"fuel.wing": 2') == 1


def test_ctrl_c_before_a_command_has_started(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.cli import main as program

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(program, "_make_legible", interrupted)
    ran = companion("status")
    assert (ran.code, ran.out) == (1, "") and ran.err == "\nStopped. Nothing was saved.\n"


INTERRUPTED = """
import os, runpy, signal, sys
left = [int(sys.argv.pop(1))]
def hook(event, arguments):
    if event == "import" and "companion.cli" in sys.modules:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
sys.argv[0] = "companion"
runpy.run_module("companion", run_name="__main__", alter_sys=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a signal of Unix")
@pytest.mark.parametrize("at", slow_but([3], 0))
def test_ctrl_c_while_all_is_loaded_is_a_sentence(at: int) -> None:
    """Interrupt at the given import after the first line."""
    ran = subprocess.run([sys.executable, "-c", INTERRUPTED, str(at), "campaigns"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "\nStopped. Nothing was saved.\n"


def test_the_command_line_is_a_function_that_another_program_may_call(
    owls: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It returns its exit status and leaves signals, the garbage collector, streams and arguments unchanged."""

    def process() -> object:
        signals = [signal.getsignal(each) for each in signal.valid_signals()]
        streams = [(each, each.encoding, each.errors) for each in (sys.stdin, sys.stdout, sys.stderr)]
        return signals, streams, gc.isenabled(), gc.get_threshold(), list(sys.argv), os.getcwd()

    before = process()
    for words, status in (
        ("status", 0), ("forecast --missions 8 --assume even", 0), ("fly --auto --seed 1", 0),
        ("roll 5-9 --dice 9,9", 2), ("no-such-command", 2), ("complete -- sta", 0), ("--version", 0),
    ):  # fmt: skip
        assert (words, main(words.split()), process()) == (words, status, before)
    monkeypatch.setattr(sys, "argv", ["companion", "status"])
    before = process()
    assert (installed(), process()) == (0, before)
    capsys.readouterr()


def test_what_was_said_before_a_refusal_is_not_lost_at_the_end() -> None:
    code = (
        "import sys; sys.argv = ['companion', 'campaigns'];"
        "import companion.cli.commands as commands; from companion.problems import UserError\n"
        "def refuses(arguments):\n    print('said first')\n    raise UserError('and then refused')\n"
        "commands.run = refuses\n"
        "from companion.__main__ import main; sys.exit(main())"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "said first\n", "And then refused.\n")
