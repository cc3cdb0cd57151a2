"""`companion serve`: with and without its extra packages, and its errors."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import httpx
import pytest

from companion.problems import UserError
from companion.web.app import address, listen
from tests.support import Run, begin
from tests.web.browser import Served


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "jinja2"])
def test_without_the_extra_a_sentence_says_how_to_get_it(
    companion: Run, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    begin(companion, "b29")
    for name in [each for each in sys.modules if each.startswith(("companion.web.", f"{missing}."))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    came = companion("serve")
    assert (came.code, came.out) == (2, "")
    assert came.err == "The phone page needs extra packages: pip install '.[page]'\n"


def test_a_port_in_use_is_reported_and_another_can_be_named(companion: Run) -> None:
    begin(companion, "b29")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        came = companion("serve", "--port", port)
    assert came.code == 2 and came.out == ""
    assert f"Can't use port {port}" in came.err and "--port" in came.err


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C for one process alone")
@pytest.mark.slow
def test_it_prints_its_address_and_a_code_and_a_fresh_one_locks_old_phones_out(
    companion: Run, data_folder: Path
) -> None:
    begin(companion, "b29")
    with Served() as server:
        cookie = httpx.get(server.url).cookies["companion"]
        assert httpx.get(server.page, cookies={"companion": cookie}).status_code == 200
        assert "Stopped. Everything is saved" in server.stop()
    assert "Owls on this computer" in server.out and server.process.returncode == 0
    assert "█" not in server.out and "companion serve --lan" in server.out  # no camera could reach it
    with Served(None, "--fresh") as server:
        assert httpx.get(server.page, cookies={"companion": cookie}).status_code == 403


def test_an_address_that_is_not_of_this_computer_is_told() -> None:
    with pytest.raises(UserError, match="192.0.2.1 isn't an address of this computer"):
        listen(None, host="192.0.2.1")


def test_a_page_for_this_machine_does_not_answer_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.app._outside", lambda: "127.0.0.2")
    for lan, host in ((False, "127.0.0.1"), (True, "127.0.0.2")):
        with listen(None, lan=lan) as listening:
            assert address(listening, "key") == f"http://{host}:{listening.getsockname()[1]}/?k=key"
