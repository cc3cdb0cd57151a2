"""`companion serve` beside the other commands: with its extra, without it, and what it says when it cannot serve."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.problems import Problem
from companion.web.serving import Address
from tests.support import ROOT, Run, begin
from tests.web.phones import STOPPED, by_signals, serving

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


@pytest.mark.slow
def test_the_other_commands_load_nothing_of_the_page(companion: Run) -> None:
    begin(companion, "b29")
    words = (["--help"], ["serve", "--help"], ["roll", "6-1", "--dice", "3"], ["status"], ["why"], ["fly"])
    plain, without = alone(*((each, []) for each in words)), alone(*((each, EXTRA) for each in words))
    for command, (code, _, _, loaded), lacking in zip(words, plain, without, strict=True):
        assert code == lacking[0] == (2 if command == ["fly"] else 0), command  # nobody is there to be asked
        heavy = [name for name in loaded if name.split(".")[0] in EXTRA or name.startswith("companion.web")]
        assert heavy == [], command


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


def test_a_data_folder_that_cannot_be_written_is_told(companion: Run, data_folder: Path) -> None:
    begin(companion, "b29")
    (data_folder / "page").write_text("in the way")
    came = companion("serve")
    assert came.code == 1 and "cannot use" in came.err and str(data_folder / "page") in came.err


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


# -- where it listens --------------------------------------------------------------------------------------------------


def test_a_page_for_this_machine_does_not_answer_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.serving._outside", lambda: "127.0.0.2")
    address = Address(None, lan=False)
    try:
        with pytest.raises(OSError), socket.create_connection(("127.0.0.2", address.port), timeout=1):
            pass
        assert all("127.0.0.2" not in host for host in address.hosts)
    finally:
        address.close()
    wide = Address(None, lan=True)
    try:
        with socket.create_connection(("127.0.0.2", wide.port), timeout=1):
            assert f"127.0.0.2:{wide.port}" in wide.hosts and wide.url("k").startswith("http://127.0.0.2:")
    finally:
        wide.close()


def test_a_port_has_one_page_and_the_next_one_takes_another(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Address(None, lan=False)
    two = Address(None, lan=False)
    try:
        assert one.port != two.port
        with pytest.raises(Problem, match=f"port {one.port} cannot be listened on.*--port"):
            Address(one.port, lan=False)
    finally:
        one.close()
        two.close()


def test_on_windows_nobody_else_listens_on_the_port_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.web import serving as page

    monkeypatch.setattr(page, "WINDOWS", os.name)
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    assert page._alone() == -5
    monkeypatch.setattr(page, "WINDOWS", "another")
    assert page._alone() == socket.SO_REUSEADDR
