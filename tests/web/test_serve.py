"""`companion serve` beside the other commands: with its extra, without it, and what it says when it cannot serve."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from companion.web.app import address, listen
from tests.support import ROOT, Run, begin
from tests.web.browser import free_port

EXTRA = ("starlette", "uvicorn", "jinja2", "anyio", "h11", "markupsafe")
PAGE = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from companion.cli.main import main
came = []
for words, without in json.loads(sys.argv[1]):
    sys.modules.update(dict.fromkeys(without))
    sys.argv = ["companion", *words]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            code = main()
        except SystemExit as ended:
            code = ended.code
    for name in without:
        del sys.modules[name]
    came.append([code, out.getvalue(), err.getvalue(), sorted(sys.modules)])
print(json.dumps(came))
"""
Came = tuple[int, str, str, list[str]]

by_signals = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C for one process alone")
STOPPED = "Stopped. What was answered is recorded"


class Server:
    """`companion serve` in a process of its own."""

    def __init__(self, home: Path, port: int | None = None, *more: str) -> None:
        self.port = port or free_port()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "serve", "--port", str(self.port), *more],
            cwd=ROOT,
            env={**os.environ, "COMPANION_HOME": str(home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.out, self.address, self.key = "", "", ""
        for line in self.process.stdout:
            self.out += line
            if match := re.search(r"(http://\S+)/\?k=(\w+)", line):
                self.address, self.key = match[1], match[2]
                break
        assert self.key, (self.out, self.process.communicate())

    def kill(self) -> None:
        """Gone in the middle of whatever it does."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> tuple[int, str, str, float]:
        """Ctrl-C: the exit code, what it printed, what it complained of, and the seconds it took."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        try:
            out, err = self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        return self.process.returncode, self.out + out, err, time.monotonic() - begun


@contextlib.contextmanager
def serving(home: Path, *more: str) -> Iterator[Server]:
    """A server that is gone at the end."""
    server = Server(home, None, *more)
    try:
        yield server
    finally:
        if server.process.returncode is None:
            server.kill()


def alone(*commands: tuple[Sequence[str], Sequence[str]]) -> list[Came]:
    """Commands in a process of their own, each where some modules are not installed: how they end, what they print,
    and what is loaded then."""
    done = subprocess.run(
        [sys.executable, "-c", PAGE, json.dumps(commands)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    return [(code, out, err, loaded) for code, out, err, loaded in json.loads(done.stdout)]


def test_without_the_extra_a_sentence_says_how_to_get_it(companion: Run) -> None:
    begin(companion, "b29")
    for code, out, err, _ in alone(*((["serve"], [name]) for name in EXTRA[:3])):
        assert (code, out) == (2, "")
        assert err == 'the page needs what an extra brings: pip install "bomber-companion[page]"\n'


def test_a_port_that_is_taken_is_told_and_another_can_be_named(companion: Run) -> None:
    begin(companion, "b29")
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        came = companion("serve", "--port", port)
    assert came.code == 2 and came.out == ""
    assert f"port {port} cannot be listened on" in came.err and "--port" in came.err


def test_without_a_campaign_there_is_nothing_to_serve(companion: Run) -> None:
    came = companion("serve")
    assert came.code == 2 and "no campaign is in use" in came.err


@by_signals
@pytest.mark.slow
def test_it_prints_its_address_and_a_code_and_a_fresh_one_locks_old_phones_out(
    companion: Run, data_folder: Path
) -> None:
    begin(companion, "b29")
    import httpx

    with serving(data_folder) as server:
        cookie = httpx.get(server.address, params={"k": server.key}).cookies["companion"]
        assert httpx.get(server.address, cookies={"companion": cookie}).status_code == 200
        code, out, err, _ = server.stop()
    assert (code, err) == (0, "") and STOPPED in out
    assert "Owls on this machine" in out and "█" in out
    with serving(data_folder, "--fresh") as server:
        assert httpx.get(server.address, cookies={"companion": cookie}).status_code == 403
        server.stop()


def test_a_page_for_this_machine_does_not_answer_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.app._outside", lambda: "127.0.0.2")
    for lan, host in ((False, "127.0.0.1"), (True, "127.0.0.2")):
        with listen(None, lan=lan) as listening:
            assert address(listening, "key") == f"http://{host}:{listening.getsockname()[1]}/?k=key"
