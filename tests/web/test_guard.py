"""Who is let in, and what is done to the rest: hostile requests are refused or harmless, and are told nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.problems import Problem, Trouble
from companion.store import files
from companion.web import guard
from companion.web.app import without_paths
from companion.web.guard import LARGEST, token
from companion.web.live import MOST
from tests.support import ROOT, Run, begin, slow_but
from tests.web.calling import HOST, KEY, Caller, Reply, calling

SCRIPT = "<script>alert(1)</script>"
QUOTES = "'\"><img src=x onerror=alert(1)>"
NAME = f"Owls {SCRIPT}{QUOTES}"
OURS = [("origin", f"http://{HOST}"), ("x-companion", "1")]
GETS = ("/", "/board", "/sheet", "/live", "/why", "/take/sheet.pdf", "/take/story.txt", "/static/app.js")
POSTS = ("/answer", "/plan", "/undo", "/redo", "/again", "/done", "/write", "/eyes")
Case = tuple[str, Callable[[Caller], Reply], set[int]]


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


def strangers() -> Iterator[Case]:
    """Those who do not have what the address brings."""
    for path in GETS:
        yield "no token", call("GET", path, cookie=""), {403}
        yield "a wrong cookie", call("GET", path, cookie=f"companion={'0' * 64}"), {403}
    for path in POSTS:
        yield "no token", post(path, cookie=""), {403}
    for key in ("", "0" * 32, KEY[:-1], f"{KEY}0", KEY.upper(), f"%00{KEY}", f" {KEY}", "é" * 32, "k" * 10_000):
        yield "a wrong token", call("GET", "/", query=f"k={key}", cookie=""), {403}
        yield "a token as a cookie", call("GET", "/board", cookie=f"companion={KEY}"), {403}
    yield "the token twice", call("GET", "/", query=f"k=x&k={KEY}", cookie=""), {403}
    yield "the token elsewhere", call("GET", "/board", query=f"k={KEY}", cookie=""), {403}
    yield "the token by POST", call("POST", "/", query=f"k={KEY}", cookie="", headers=OURS), {403}
    yield "a flood of cookies", call("GET", "/board", cookie="; ".join(f"c{n}=1" for n in range(5_000))), {403}
    yield "half a cookie", call("GET", "/board", cookie="companion"), {403}


def elsewhere() -> Iterator[Case]:
    """Those who have the cookie, by way of a page or a name that is not ours."""
    for host in (
        None,
        "",
        "evil.example",
        "evil.example:8029",
        "127.0.0.1",
        "127.0.0.1:80",
        f"{HOST}.evil",
        f"x@{HOST}",
    ):
        yield "a foreign host", call("GET", "/board", host=host), {403}
        yield "a foreign host", post("/answer", {"value": "3"}, host=host), {403}
    yield "two hosts", call("GET", "/board", headers=[("host", "evil.example")]), {403}
    yield "two hosts", call("GET", "/board", host="evil.example", headers=[("host", HOST)]), {403}
    for origin in (
        "http://evil.example",
        "null",
        f"https://{HOST}",
        "http://localhost:8029",
        f"http://{HOST}.evil",
        HOST,
        "",
    ):
        for path in POSTS:
            yield "another origin", call("POST", path, headers=[("origin", origin), ("x-companion", "1")]), {403}
        yield "another origin", call("GET", "/board", headers=[("origin", origin)]), {403}
    for path in POSTS:
        yield "no origin", call("POST", path, headers=[("x-companion", "1")]), {403}
        yield "a plain form", call("POST", path, headers=OURS[:1]), {403}
        yield "two origins", call("POST", path, headers=[*OURS, ("origin", "http://evil.example")]), {403}
    for site in ("cross-site", "same-site", "strange"):
        fetched = ("sec-fetch-site", site)
        for path in GETS[1:]:
            yield "from another site", call("GET", path, headers=[fetched]), {403}
        yield "from another site", post("/undo", headers=[fetched]), {403}


def methods_and_paths() -> Iterator[Case]:
    """What nobody serves."""
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "X" * 500):
        yield "another method", call(method, "/board", headers=OURS), {403}
    for path in POSTS:
        yield "GET where something is sent", call("GET", path), {405}
    for path in GETS:
        yield "POST where something is looked at", post(path), {405}
    for path in (
        *("//", "/..", "/../board", "/board/..", "/static/", "/static/../guard.py", "/static/..%2fguard.py"),
        *("/static/%2e%2e/guard.py", "/static/....//app.js", "/static/\0", "/static/app.js\0", "/static//etc/passwd"),
        *("/static/guard.py", "/templates/board.html", "/take/", "/take/../", "/take/..", "/take/sheet.pdf/.."),
        *("/take/token.txt", "/take/%2e%2e%2ftoken.txt", "/take/C:\\boot.ini", "/token.txt", "/page/token.txt"),
        *(
            "/" + "a" * 60_000,
            "/static/" + "../" * 5_000,
            "/board\r\nSet-Cookie: x=1",
            "/%00",
            "/\ud800",
            "http://evil/",
        ),
        *("*", "", "board", "/BOARD", "/board;x", "/.git/config", "/campaigns", "/openapi.json", "/docs"),
    ):
        yield "a trick with the path", call("GET", path), {404}
    for path in ("/board/", "/answer/"):
        yield "a trick with the path", call("GET", path), {307, 404}
    for number in ("-1", "0", "999999", "x", SCRIPT, "../..", "٣", "1e3", "%00", "9" * 10_000):
        yield "why of nothing", call("GET", "/why", query=f"n={number}"), {200}


def bodies() -> Iterator[Case]:
    """What is too much, or no answer."""
    long, large = ("content-length", str(10 * 2**20)), 10 * 2**20
    for path in (*POSTS, "/board"):
        yield "10 MB, announced", call("POST", path, headers=[*OURS, long], pieces=pieces(large)), {413}
        chunked = [*OURS, ("transfer-encoding", "chunked")]
        yield "10 MB, in pieces", call("POST", path, headers=chunked, pieces=pieces(large)), {413}
        lies = [*OURS, ("content-length", "5")]
        yield "10 MB, announced as 5 bytes", call("POST", path, headers=lies, pieces=pieces(large)), {413}
    for length in ("-1", "x", "1e9", "9" * 5_000, "²", "0x10", " "):
        yield "a strange length", call("POST", "/undo", headers=[*OURS, ("content-length", length)]), {413}
    yield "10 MB for a look", call("GET", "/board", headers=[long], pieces=pieces(large)), {413}
    twice = [*OURS, ("content-length", "2"), ("content-length", "3")]
    yield "two lengths", call("POST", "/undo", headers=twice, pieces=[b"{}"]), {413}
    for path in POSTS:
        for raw in (
            *(b"", b"\0", b"{", b"[]", b"null", b"3", b'"undo"', b"{}{}", b"\xff\xfe{}", b"seen=1&value=3", b"<x/>"),
            *(
                b"[" * 8_000,
                b'{"a":' * 3_000,
                b'{"value": "\\ud800"}',
                b'{"\\udfff": 1}',
                b'{"place":' + b"9" * 9_000 + b"}",
            ),
        ):
            yield "no answer", post(path, raw=raw), {400}
    yield "a flood of headers", call("POST", "/undo", headers=[(f"x-{n}", "1") for n in range(10_000)]), {403}


def members() -> Iterator[Case]:
    """Answers of the wrong kind, from a page that has seen the question."""
    odd: list[object] = [
        None,
        [],
        {},
        [1, 2],
        {"a": {"b": []}},
        1.5,
        1e308,
        10**400,
        -1,
        True,
        False,
        "\0",
        "\x1b[2J",
        "a\nb",
    ]
    odd += [SCRIPT, QUOTES, "x" * 15_000, "../../etc/passwd", "${7*7}", "{{7*7}}", "'; drop table missions; --", "٣"]
    for value in odd:
        for sent in ({"value": value}, {"wishes": value}, {"value": "x", "insist": value}, {"value": {"value": value}}):
            yield "a strange answer", here("/answer", sent), {422}
        yield "a strange order", here("/done", {"place": value}), {422}
        if not isinstance(value, str):
            yield "a strange note", here("/write", {"value": value}), {422}
        for path in ("/undo", "/redo", "/again", "/answer", "/write", "/done"):
            yield "nothing that was seen", post(path, {"seen": value, "value": "3", "place": 1}), {409}
        yield "a strange wish", post("/plan", {"wishes": value}), {200}
        yield "strange eyes", post("/eyes", {"value": value}), {204}
    for sent in ({"wishes": {str(n): "1" for n in range(900)}}, {"wishes": {"bind": {"gun": []}}}):
        yield "strange wishes", here("/answer", sent), {422}
        yield "strange wishes", post("/plan", sent), {200}


def here(path: str, sent: dict[str, object]) -> Callable[[Caller], Reply]:
    """An answer to the question that stands there."""
    return lambda caller: caller.post(path, {"seen": caller.seen, **sent})


def pieces(size: int) -> Iterator[bytes]:
    """A body in pieces of 64 KB."""
    return (b"9" * 65_536 for _ in range(size // 65_536))


@pytest.mark.parametrize(
    "cases, least",
    slow_but([(strangers, 45), (elsewhere, 115), (methods_and_paths, 65), (bodies, 145), (members, 230)], 2),
    ids=lambda each: getattr(each, "__name__", ""),
)
def test_hostile_requests_are_refused_or_harmless_and_nothing_is_recorded(
    caller: Caller, data_folder: Path, monkeypatch: pytest.MonkeyPatch, cases: Callable[[], Iterator[Case]], least: int
) -> None:
    monkeypatch.setattr(guard.Buckets, "takes", lambda self, address: True)  # so many at once would be too many
    before, wrong, count = stamps(data_folder), [], 0
    for count, (what, ask, codes) in enumerate(cases(), 1):
        reply = ask(caller)
        if reply.code not in codes or not reply.guarded or leaks(reply, data_folder) or reply.taken > 1:
            wrong.append((count, what, reply.code, leaks(reply, data_folder), reply.taken, reply.body[-300:]))
        if stamps(data_folder) != before:
            wrong.append((count, what, "something was recorded"))
            before = stamps(data_folder)
    assert wrong == []
    assert count >= least


# -- the token ---------------------------------------------------------------------------------------------------------


def test_the_address_hands_out_a_cookie_that_is_not_its_token(caller: Caller) -> None:
    reply = caller.come_in()
    (cookie,) = reply.header("set-cookie")
    assert (reply.code, reply.header("location")) == (303, ["/"]) and reply.guarded
    assert KEY not in cookie and "HttpOnly" in cookie and "SameSite=lax" in cookie
    assert caller.call("GET", "/").code == 200
    assert caller.call("GET", "/board", host="localhost:8029").code == 200
    assert caller.call("GET", "/", headers=[("sec-fetch-site", "cross-site")]).code == 200  # a link, from a mail


def test_what_is_compared_tells_nothing_by_the_time_it_takes(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def digest(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    monkeypatch.setattr(hmac, "compare_digest", digest)
    assert caller.call("GET", "/", query="k=0", cookie="companion=1").code == 403
    assert [(b"0", KEY.encode()), (b"1", caller.cookie.partition("=")[2].encode())] == compared


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


def test_where_the_token_cannot_be_written_a_sentence_says_so(data_folder: Path) -> None:
    (data_folder / "page").write_text("in the way")
    with pytest.raises(Trouble, match="cannot use .*page"):
        token()


def test_a_campaign_called_token_does_not_lie_over_it(companion: Run, data_folder: Path) -> None:
    key = token()
    companion("new", "Token", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    with calling() as caller:
        caller.come_in()
        caller.post("/answer", {"seen": caller.seen, "value": "3,4"})
    assert (data_folder / "page" / "token.json").exists() and token() == key


def test_the_doctor_knows_what_the_page_keeps(companion: Run) -> None:
    begin(companion, "b29")
    token()
    assert "none of ours" not in companion("doctor").out


def _served(key: str) -> Any:
    from companion.store import campaigns
    from companion.web.app import application

    campaign = campaigns.current()
    assert campaign is not None
    return application(campaign, key=key, hosts=[HOST])


# -- how much ----------------------------------------------------------------------------------------------------------


def test_too_many_requests_of_one_address_are_refused_and_others_are_not(
    companion: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(companion, "b29")
    assert (guard.BURST, guard.A_SECOND) == (400, 200)  # twenty pages on one machine, each change drawn by all of them
    monkeypatch.setattr(guard, "BURST", 40)
    monkeypatch.setattr(guard, "A_SECOND", 0.1)
    with calling() as caller:
        caller.come_in()
        replies = [caller.call("GET", "/static/icon.svg") for _ in range(60)]
        assert [each.code for each in replies] == [200] * 39 + [429] * 21
        assert all(each.guarded for each in replies)
        assert caller.call("GET", "/board", client="192.168.1.9").code == 200
        strange = [caller.call("GET", "/board", cookie="", client="192.168.1.66").code for _ in range(60)]
        assert strange[:30] == [403] * 30 and strange[-1] == 429
        assert caller.call("GET", "/board", client="192.168.1.66").code == 200  # who has the cookie pays for no other


def test_addresses_that_never_come_again_are_forgotten() -> None:
    buckets = guard.Buckets(2, 1)
    for number in range(5_000):
        buckets.takes(str(number))
    assert len(buckets._left) <= guard.ADDRESSES


def test_the_largest_body_is_taken_and_one_byte_more_is_not(caller: Caller) -> None:
    room = LARGEST - len('{"value": ""}')
    assert caller.post("/eyes", {"value": "x" * room}).code == 204
    assert caller.post("/eyes", {"value": "x" * (room + 1)}).code == 413


def test_a_body_that_does_not_come_is_not_waited_for(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY", 0.02)

    async def slow() -> Reply:
        never = asyncio.Event()
        app, sent = caller.app, list[Any]()

        async def receive() -> Any:
            await never.wait()

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [("host", HOST), ("cookie", caller.cookie), *OURS, ("content-length", "5")]
        raw = [(name.encode(), value.encode()) for name, value in headers]
        scope = {"type": "http", "method": "POST", "path": "/undo", "query_string": b"", "headers": raw, "client": None}
        await app(scope, receive, send)
        own = [(name.decode(), value.decode()) for name, value in sent[0]["headers"]]
        return Reply(sent[0]["status"], own, sent[1]["body"], 0)

    reply = caller.run(slow())
    assert reply.code == 408 and reply.guarded


def test_so_many_pages_listen_and_no_more(caller: Caller) -> None:
    async def crowd() -> list[list[bytes]]:
        heard: list[list[bytes]] = []
        listeners = [asyncio.create_task(_listen(caller, heard)) for _ in range(MOST + 20)]
        while len(heard) < MOST + 20 or not all(heard):
            await asyncio.sleep(0.01)
        assert caller.page.live.full
        late = await caller.request("GET", "/live")
        assert (late.code, late.guarded) == (503, True)
        caller.page.live.end()
        await asyncio.gather(*listeners)
        assert not caller.page.live.full
        return heard

    heard = caller.run(crowd())
    assert sum(b"event: changed" in each[0] for each in heard) == MOST  # they all came at the same moment


async def _listen(caller: Caller, heard: list[list[bytes]]) -> None:
    own: list[bytes] = []
    heard.append(own)
    gone = asyncio.Event()

    async def receive() -> Any:
        await gone.wait()

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body" and message.get("body"):
            own.append(message["body"])

    raw = [(b"host", HOST.encode()), (b"cookie", caller.cookie.encode())]
    scope = {"type": "http", "method": "GET", "path": "/live", "query_string": b"", "headers": raw, "client": None}
    with contextlib.suppress(asyncio.CancelledError):
        await caller.app({**scope, "asgi": {"spec_version": "2.4"}}, receive, send)


def test_what_is_drawn_for_strange_eyes_does_not_pile_up(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.app.SHOWN", 4)
    for number in range(12):
        assert caller.call("GET", "/board", cookie=f"{caller.cookie}; viewer==x{number}").code == 200
        assert len(caller.page._shown) <= 4


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


@pytest.mark.parametrize(
    "words", ["\x1b[2J", "a\0b", "a\u202eb", "line\nline", "a\u2028b"], ids=["escape", "nul", "turned", "lines", "end"]
)
def test_no_answer_carries_what_a_terminal_would_obey(caller: Caller, companion: Run, words: str) -> None:
    caller.post("/answer", {"seen": caller.seen, "value": "3,4"})
    caller.post("/answer", {"seen": caller.seen, "value": words, "insist": True})
    caller.post("/write", {"seen": caller.seen, "value": f"name.pilot={words}"})
    for command in (["log"], ["status"], ["why"]):
        assert words not in companion(*command).out


@pytest.mark.parametrize("when", slow_but(["no campaign", "a full disk", "a lock", "a damaged file", "a damaged pack"]))
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
    def refuse(*_: object) -> None:
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
    assert without_paths(Problem(text)) == told
