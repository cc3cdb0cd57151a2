"""Who is let in, and what is done to the rest: hostile requests are refused or harmless, and are told nothing else."""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.problems import UserError
from companion.store import files
from companion.web import guard
from companion.web.app import without_paths
from companion.web.guard import LARGEST, token
from tests.support import ROOT, Run
from tests.web.calling import HOST, KEY, Caller, Reply, calling

SCRIPT = "<script>alert(1)</script>"
QUOTES = "'\"><img src=x onerror=alert(1)>"
NAME = f"Owls {SCRIPT}{QUOTES}"
OURS = [("origin", f"http://{HOST}"), ("x-companion", "1")]
GETS = ("/", "/board", "/sheet", "/live", "/why", "/take/sheet.pdf", "/take/story.txt", "/static/app.js")
POSTS = ("/answer", "/plan", "/undo", "/redo", "/again", "/done", "/write", "/eyes")


@pytest.fixture
def caller(companion: Run) -> Iterator[Caller]:
    """Somebody before the page of a campaign whose names are scripts; the first question stands there."""
    companion("new", NAME, "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    assert companion("set", f"name.bombardier={SCRIPT}", f"name.pilot={QUOTES}").code == 0
    with calling() as caller:
        assert caller.come_in().code == 303
        assert caller.call("GET", "/board").code == 200
        yield caller


def leaks(reply: Reply, home: Path) -> list[str]:
    """What stands in an answer that nobody else may know or a browser would carry out."""
    text = reply.text
    secret = [str(home), str(ROOT), "Traceback", "site-packages", "/tmp", "/home", ".py", KEY]
    alive = [SCRIPT, "<img"] if reply.header("content-type") == ["text/html; charset=utf-8"] else []
    return [each for each in secret + alive if each in text]


def stamps(home: Path) -> dict[str, tuple[int, int]]:
    """What changes when any file of a campaign or of the page is written."""
    files = [each for name in ("campaigns", "page") for each in (home / name).rglob("*") if each.is_file()]
    return {str(each): (each.stat().st_mtime_ns, each.stat().st_ino) for each in [home / "settings.json", *files]}


# -- everything that is refused or harmless ----------------------------------------------------------------------------


def call(method: str, path: str, **more: Any) -> Callable[[Caller], Reply]:
    """A request to be made."""
    return lambda caller: caller.call(method, path, **more)


def post(path: str, sent: object = None, **more: Any) -> Callable[[Caller], Reply]:
    """What looks like our own page, to be sent."""
    return lambda caller: caller.post(path, {} if sent is None else sent, **more)


def here(path: str, sent: dict[str, object]) -> Callable[[Caller], Reply]:
    """An answer to the question that stands there."""
    return lambda caller: caller.post(path, {"seen": caller.seen, **sent})


def pieces() -> Iterator[bytes]:
    """A body of 10 MB in pieces of 64 KB."""
    return (b"9" * 65_536 for _ in range(160))


def hostile() -> Iterator[tuple[Callable[[Caller], Reply], int]]:
    """Requests that nobody of ours makes, and the code that each is answered with."""
    for path in GETS:
        yield call("GET", path, cookie=""), 403
        yield call("GET", path, cookie=f"companion={'0' * 64}"), 403
        yield post(path), 405
    for path in POSTS:
        yield post(path, cookie=""), 403
        yield call("POST", path, headers=[("x-companion", "1")]), 403
        yield call("POST", path, headers=OURS[:1]), 403  # a plain form
        yield call("POST", path, headers=[("origin", "http://evil.example"), ("x-companion", "1")]), 403
        yield call("POST", path, headers=[*OURS, ("transfer-encoding", "chunked")], pieces=pieces()), 413
        yield call("POST", path, headers=[*OURS, ("content-length", "5")], pieces=pieces()), 413
        yield call("GET", path), 405
        for raw in (b"", b"{", b"[]", b"3", b"\xff\xfe{}", b"[" * 8_000, b'{"value": "\\ud800"}'):
            yield post(path, raw=raw), 400
    for key in ("", "0" * 32, KEY[:-1], KEY.upper(), "k" * 10_000):
        yield call("GET", "/", query=f"k={key}", cookie=""), 403
    for host in (None, "evil.example", "127.0.0.1:80", f"{HOST}.evil", f"x@{HOST}"):
        yield call("GET", "/board", host=host), 403
    yield call("GET", "/", query=f"k=x&k={KEY}", cookie=""), 403
    for twice in (("host", "evil.example"), ("origin", "http://evil.example"), ("x-companion", "1")):
        yield post("/undo", headers=[twice]), 403
    for length in ("3", "-1", "²", "9" * 5_000):
        yield post("/undo", headers=[("content-length", length)]), 413
        yield call("GET", "/board", headers=[("content-length", f"{LARGEST + 1}"), ("content-length", length)]), 413
    for site in ("cross-site", "same-site"):
        yield post("/undo", headers=[("sec-fetch-site", site)]), 403
    for path in (
        "/..",
        "/static/../guard.py",
        "/static/%2e%2e/guard.py",
        "/take/../",
        "/token.txt",
        "/" + "a" * 60_000,
    ):
        yield call("GET", path), 404
    for value in (None, [], {"a": {}}, 1.5, 10**400, True, "\x1b[2J", SCRIPT, QUOTES, "x" * 15_000, "../../etc/passwd"):
        yield here("/answer", {"value": value}), 422
        yield here("/done", {"place": value}), 422
        yield post("/answer", {"seen": value, "value": "3"}), 409
        yield post("/plan", {"wishes": value}), 200


def test_hostile_requests_are_refused_or_harmless_and_nothing_is_recorded(caller: Caller, data_folder: Path) -> None:
    before = stamps(data_folder)
    for count, (ask, code) in enumerate(hostile(), 1):
        reply = ask(caller)
        assert (reply.code, reply.guarded, leaks(reply, data_folder)) == (code, True, []), count
        assert reply.taken <= 1 and stamps(data_folder) == before, count


# -- the token ---------------------------------------------------------------------------------------------------------


def test_the_address_hands_out_a_cookie_that_is_not_its_token(caller: Caller) -> None:
    reply = caller.come_in()
    (cookie,) = reply.header("set-cookie")
    assert (reply.code, reply.header("location")) == (303, ["/"]) and reply.guarded
    assert KEY not in cookie and "HttpOnly" in cookie and "SameSite=lax" in cookie
    assert caller.call("GET", "/").code == 200
    assert caller.call("GET", "/board", host="localhost:8029").code == 200
    assert caller.call("GET", "/", headers=[("sec-fetch-site", "cross-site")]).code == 200  # a link, from a mail


@pytest.mark.skipif(os.name == "nt", reason="no such modes on Windows")
def test_nobody_else_can_ever_read_the_token(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = data_folder / "page" / ".token.txt.new"  # of a server that was killed, when others could read it
    draft.parent.mkdir()
    draft.write_text("0")
    modes: list[int] = []

    def sync(handle: int) -> None:
        modes.append(stat.S_IMODE(os.fstat(handle).st_mode))
        assert draft.stat().st_size == 32

    monkeypatch.setattr(files, "sync_file", sync)
    umask = os.umask(0)
    try:
        key = token()
    finally:
        os.umask(umask)
    path = data_folder / "page" / "token.txt"
    assert modes == [0o600] and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == key and len(bytes.fromhex(key)) == 16
    assert not draft.exists()


def test_the_token_stays_until_a_fresh_one_shows_every_phone_the_door(caller: Caller, data_folder: Path) -> None:
    key = token()
    assert token() == key and token(fresh=True) != key and token() != key
    caller.page, again = None, Caller(_served(token(fresh=True)))
    assert again.call("GET", "/board", cookie=caller.cookie).code == 403
    again.close()


@pytest.mark.parametrize("damage", [b"", b"\xff", b"00", b"0" * 31 + b"\n", b"g" * 32, b"00 " * 11])
def test_a_damaged_token_is_a_new_one(data_folder: Path, damage: bytes) -> None:
    (data_folder / "page").mkdir()
    (data_folder / "page" / "token.txt").write_bytes(damage)
    assert len(bytes.fromhex(token())) == 16 and token() == token()


def _served(key: str) -> Any:
    from companion.store import campaigns
    from companion.web.app import application

    campaign = campaigns.current()
    assert campaign is not None
    return application(campaign, key=key, hosts=[HOST])


# -- how much ----------------------------------------------------------------------------------------------------------


def test_the_largest_body_is_taken_and_one_byte_more_is_not(caller: Caller) -> None:
    room = LARGEST - len('{"value": ""}')
    assert caller.post("/eyes", {"value": "x" * room}).code == 204
    assert caller.post("/eyes", {"value": "x" * (room + 1)}).code == 413


# -- what is told ------------------------------------------------------------------------------------------------------


def test_a_mistake_of_ours_is_told_as_one_and_nothing_of_the_machine(
    caller: Caller, data_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError(f"{data_folder} is at fault\x1b[2J")

    monkeypatch.setattr(type(caller.page.board), "view", broken)
    reply = caller.call("GET", "/board")
    assert reply.code == 500 and reply.guarded and leaks(reply, data_folder) == []
    assert reply.body.decode() == guard.MISTAKE
    told = capsys.readouterr().err
    assert "The page made a mistake: RuntimeError" in told and "Traceback" not in told and "\x1b" not in told


@pytest.mark.parametrize("words", [SCRIPT, QUOTES, "&lt;blink&gt;", "{{ view }}", "javascript:alert(1)", "Zoë 東京 🂡"])
def test_what_players_write_is_shown_and_never_carried_out(caller: Caller, data_folder: Path, words: str) -> None:
    rolled = caller.post("/answer", {"seen": caller.seen, "value": "3,4"})
    doubt = caller.post("/answer", {"seen": caller.seen, "value": words})
    typed = caller.post("/answer", {"seen": caller.seen, "value": words, "insist": True})
    noted = caller.post("/write", {"seen": caller.seen, "value": f"pilot {words}"})
    assert (rolled.code, typed.code) == (200, 200), typed.text
    looks = [caller.call("GET", path) for path in ("/", "/board", "/sheet", "/why", "/take/story.txt")]
    for reply in (doubt, typed, noted, *looks[:-1]):
        assert reply.guarded and leaks(reply, data_folder) == []
        assert "<blink>" not in reply.text
    assert looks[-1].header("content-type") == ["text/plain; charset=utf-8"]
    assert looks[-1].header("x-content-type-options") == ["nosniff"]


@pytest.mark.parametrize("when", ["no campaign", "a full disk", "a lock", "a damaged file", "a damaged pack"])
def test_what_goes_wrong_on_disk_is_told_without_a_path(
    caller: Caller, data_folder: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    seen = caller.seen
    (folder,) = (data_folder / "campaigns").iterdir()
    with contextlib.ExitStack() as stack:
        if when == "a full disk":
            stack.enter_context(_full())
        elif when == "a lock":
            monkeypatch.setattr("companion.web.board.PATIENCE", 0.05)
            stack.enter_context(locking(folder))
        elif when == "a damaged file":
            (folder / "mission-01.json").write_text("{")
        elif when == "no campaign":
            folder.rename(data_folder / "elsewhere")
        else:
            own = data_folder / "packs" / "b29" / "2-1.toml"
            own.parent.mkdir(parents=True)
            own.write_text('id = "2-1"\n[[[')
            caller.page.board._session = None
        before = stamps(data_folder)
        replies = [caller.post("/answer", {"seen": seen, "value": "3,4"}), caller.post("/undo", {"seen": seen})]
        replies += [caller.call("GET", path) for path in GETS if path not in ("/live", "/static/app.js")]
        assert stamps(data_folder) == before
    for reply in replies:
        assert reply.code in (200, 409, 422) and reply.guarded and leaks(reply, data_folder) == []
    assert replies[0].code == 422 and len(replies[0].body) > 50
    if when == "no campaign":
        (data_folder / "elsewhere").rename(folder)
    if when in ("a full disk", "a lock", "no campaign"):
        assert caller.post("/answer", {"seen": seen, "value": "3,4"}).code == 200


@contextlib.contextmanager
def _full() -> Iterator[None]:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "write_synced", refuse)
        yield


@contextlib.contextmanager
def locking(folder: Path) -> Iterator[None]:
    """Somebody else holds a campaign's lock."""
    from companion.store.files import locked

    held, over = threading.Event(), threading.Event()

    def hold() -> None:
        with locked(folder):
            held.set()
            over.wait(20)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(20)
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize(
    "text, told",
    [
        ("cannot write /a/b c/mission-01.json: full", "cannot write mission-01.json: full"),
        ("C:\\Users\\Zoë\\x.json is damaged", "x.json is damaged"),
        ("flak 3/4 and/or 5-9 B", "flak 3/4 and/or 5-9 B"),
        ("look at: companion log", "look at: companion log"),
    ],
)
def test_of_a_file_only_its_name_is_told(monkeypatch: pytest.MonkeyPatch, text: str, told: str) -> None:
    monkeypatch.setenv("COMPANION_HOME", "/a/b c")
    assert without_paths(UserError(text)) == told
