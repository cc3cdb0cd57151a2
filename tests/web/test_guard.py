"""The server and access to the page: others get an error, nothing is saved, and players' text is never executed."""

import os
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from companion.problems import UserError
from companion.store import files
from companion.web.app import HEADERS, MISTAKE, address, listen, token
from tests.support import Run, begin
from tests.web.browser import Served
from tests.web.tapping import KEY, Caller, calling

SCRIPT = "<script>alert(1)</script>"
QUOTES = "'\"><img src=x onerror=alert(1)>"
NAME = f"Owls {SCRIPT}{QUOTES}"
GETS = ("/", "/board", "/sheet", "/why", "/story", "/menu", "/field?n=zone", "/take/sheet.pdf", "/static/app.js")
POSTS = ("/answer", "/plan", "/undo", "/redo", "/again", "/done", "/write", "/eyes", "/new", "/use", "/begin")


@pytest.fixture
def caller(companion: Run) -> Iterator[Caller]:
    """Return a visitor of the page of a campaign whose names are scripts."""
    companion("new", NAME, "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    assert companion("set", f"name.bombardier={SCRIPT}", f"name.pilot={QUOTES}").code == 0
    with calling() as caller:
        assert caller.come_in().status_code == 303
        assert caller.get("/board").status_code == 200
        yield caller


def stamps(home: Path) -> dict[str, tuple[int, int]]:
    """Return stamps that change when any file of a campaign or of the page is written."""
    written = [each for name in ("campaigns", "page") for each in (home / name).rglob("*") if each.is_file()]
    return {str(each): (each.stat().st_mtime_ns, each.stat().st_ino) for each in [home / "settings.json", *written]}


def test_a_request_without_the_key_or_from_another_page_is_refused(caller: Caller, data_folder: Path) -> None:
    before = stamps(data_folder)
    replies = [caller.post(path, json={"seen": caller.seen, "value": "3,4"}) for path in POSTS]  # no header of ours
    caller.cookies.clear()
    replies += [caller.tap(path, {"value": "3,4"}) for path in POSTS]
    replies += [caller.get(path) for path in (*GETS, "/live", *(f"/?k={key}" for key in ("", "0" * 32, KEY.upper())))]
    caller.cookies.set("companion", "0" * 64)
    replies += [caller.get(path) for path in GETS]
    for reply in replies:
        assert reply.status_code == 403 and HEADERS.items() <= {**HEADERS, **reply.headers}.items()
        assert NAME not in reply.text and KEY not in reply.text
    assert stamps(data_folder) == before


def test_an_invalid_answer_is_refused_and_nothing_is_saved(caller: Caller, data_folder: Path) -> None:
    seen, before = caller.seen, stamps(data_folder)
    for raw in (b"", b"{", b"[]", b"3"):
        assert caller.post("/answer", content=raw, headers={"x-companion": "1"}).status_code == 400
    for value in (None, [], {"a": {}}, 1.5, SCRIPT, "x" * 15_000):
        assert caller.tap("/answer", {"seen": seen, "value": value}).status_code == 422
        assert caller.tap("/done", {"seen": seen, "place": value}).status_code == 422
        assert caller.tap("/answer", {"seen": value, "value": "3"}).status_code == 409
        assert caller.tap("/plan", {"wishes": value}).status_code == 200
    assert stamps(data_folder) == before


# -- the token ---------------------------------------------------------------------------------------------------------


def test_the_address_hands_out_a_cookie_that_is_not_its_token(caller: Caller) -> None:
    reply = caller.come_in()
    cookie = reply.headers["set-cookie"]
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    assert KEY not in cookie and "HttpOnly" in cookie and "SameSite=lax" in cookie
    assert caller.get("/").status_code == 200


@pytest.mark.skipif(os.name == "nt", reason="no such modes on Windows")
def test_nobody_else_can_ever_read_the_token(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = data_folder / "page" / ".token.txt.new"
    modes: list[int] = []

    def sync(handle: int) -> None:
        modes.append(stat.S_IMODE(os.fstat(handle).st_mode))
        assert draft.stat().st_size == 32

    monkeypatch.setattr(files, "_sync_file", sync)
    umask = os.umask(0)
    try:
        key = token()
    finally:
        os.umask(umask)
    path = data_folder / "page" / "token.txt"
    assert modes == [0o600] and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == key and len(bytes.fromhex(key)) == 16
    assert not draft.exists()


def test_the_token_stays_until_a_fresh_one_is_made(data_folder: Path) -> None:
    key = token()
    assert token() == key and token(fresh=True) != key and token() != key


# -- what is told ------------------------------------------------------------------------------------------------------


def test_an_internal_error_is_reported_as_one(
    caller: Caller, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("at fault\x1b[2J")

    monkeypatch.setattr(type(caller.page.board), "view", broken)
    reply = caller.get("/board")
    assert (reply.status_code, reply.text) == (500, MISTAKE)
    told = capsys.readouterr().err
    assert "Internal error of the page: RuntimeError" in told and "Traceback" not in told and "\x1b" not in told


@pytest.mark.parametrize("words", [SCRIPT, QUOTES, "{{ view }}"])
def test_what_players_write_is_shown_and_never_carried_out(caller: Caller, words: str) -> None:
    assert caller.answer("3,4").status_code == 200
    doubt, typed = caller.answer(words), caller.answer(f"={words}")
    noted = caller.tap("/write", {"seen": caller.seen, "value": f"pilot {words}"})
    assert typed.status_code == 200
    for reply in (doubt, typed, noted, *map(caller.get, ("/", "/board", "/sheet", "/why"))):
        assert not [each for each in (SCRIPT, "<img", "<blink>") if each in reply.text]


@pytest.mark.parametrize("when", ["a full disk", "a damaged file"])
def test_a_disk_error_is_one_sentence(
    caller: Caller, data_folder: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    seen = caller.seen
    (folder,) = (data_folder / "campaigns").iterdir()
    with monkeypatch.context() as patch:
        if when == "a full disk":
            patch.setattr(files, "write_synced", refuse)
            patch.setattr(files, "_patiently", refuse)  # drafts, which do not wait for the disk
        else:
            (folder / "mission-01.json").write_text("{")
        before = stamps(data_folder)
        replies = [caller.tap(path, {"seen": seen, "value": "3,4"}) for path in ("/answer", "/undo")]
        replies += map(caller.get, GETS)
        assert stamps(data_folder) == before
    assert {reply.status_code for reply in replies} <= {200, 409, 422}
    assert replies[0].status_code == 422 and len(replies[0].text) > 50
    if when == "a full disk":
        assert caller.tap("/answer", {"seen": seen, "value": "3,4"}).status_code == 200


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
