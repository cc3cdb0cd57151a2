"""A server as a player starts it, phones around it and a terminal beside it: nothing is lost, nothing is done twice,
nobody looks at an old question for long."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import os
import re
import shutil
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from msgspec import ValidationError, convert

from companion.play.chance import Chance
from companion.problems import Problem, Trouble
from companion.store import campaigns
from companion.web import memory as memories
from companion.web import serving as page_serving
from companion.web.board import Board, Stale
from companion.web.serving import Address, Serving
from tests.support import ROOT, Run, begin, slow_but
from tests.web.browser import free_port
from tests.web.calling import KEY, calling
from tests.web.phones import (
    STOPPED,
    Answer,
    Phone,
    answering,
    by_signals,
    dice_on_disk,
    evening,
    in_order,
    on_disk,
    phones,
    serving,
)
from tests.web.tapping import board_of, fly
from tests.web.test_guard import locking, stamps

if TYPE_CHECKING:
    from tests.storage.faults import Fault

MEANWHILE = {
    "This was answered meanwhile, at the terminal or on another phone.",
    "Nothing is asked just now; nothing was recorded.",  # it is over
}
PATIENCE = 15  # seconds that a busy machine may need; how fast it is, is measured on the bench (`page`)
CLOSED = "The page is being closed; nothing was recorded"
BUSY = {
    "Another terminal has been writing in owls for 3 seconds; nothing was recorded, try again",
    "An answer is still being recorded; nothing was recorded, try again",
}


def message(html: str) -> str:
    """What somebody is told beside the question."""
    match = re.search(r'class="message"[^>]*>([^<]*)<', html)
    return match[1] if match else html


def all_answers(table: Sequence[Phone]) -> list[Answer]:
    """What was sent from every phone."""
    return [answer for phone in table for answer in phone.answers]


# -- many at once ------------------------------------------------------------------------------------------------------


@by_signals
@pytest.mark.slow
def test_twenty_phones_answer_and_ctrl_c_loses_nothing(companion: Run, data_folder: Path) -> None:
    begin(companion, "b17")

    async def flown() -> None:
        async with evening(data_folder, 20) as (server, table):
            first = table[0].view
            flying = asyncio.create_task(answering(table, 30, (0.3, 2)))
            await asyncio.sleep(2)
            code, out, err, took = await asyncio.to_thread(server.stop)
            await flying
        assert (code, err) == (0, "") and STOPPED in out and "Traceback" not in out
        assert took < PATIENCE
        answers = all_answers(table)
        codes = Counter(each.code for each in answers)
        assert set(codes) <= {0, 200, 409} and codes[200] >= 4, codes
        told = Counter(message(each.text) for each in answers if each.code == 409)
        assert set(told) <= MEANWHILE, told
        dice = [die for each in in_order(first, answers) for die in each.dice]
        assert dice and dice == dice_on_disk()

    asyncio.run(flown())


@pytest.mark.slow
def test_phones_and_the_terminal_write_at_once_and_each_thing_stands_there_once(
    companion: Run, data_folder: Path
) -> None:
    begin(companion, "b17")

    async def flown() -> None:
        async with evening(data_folder, 20) as (_, table):
            flying = asyncio.create_task(answering(table[:10], 2, (0.3, 2)))
            noting = [asyncio.create_task(notes(phone, at)) for at, phone in enumerate(table[10:14])]
            typed = [f"T{number}" for number in range(2) if await terminal(f"name.pilot=T{number}") == 0]
            await flying
            noted = [name for task in noting for name in await task]
            assert len(typed) == 2 and noted  # how many come first among twenty is chance
            entries = on_disk()[0].journal.entries
            names = Counter(after for each in entries for _, after in each.get("c", {}).values())
            assert [names[name] for name in typed + noted] == [1] * len(typed + noted)
            assert len(names.keys() & {f"N{at}-{n}" for at in range(20) for n in range(50)}) == len(noted)
            good = [each.seen for each in all_answers(table) if each.code == 200]
            assert len(good) == len(set(good))
            await all_told(table, "name.navigator=Q")

    asyncio.run(flown())


async def terminal(change: str) -> int:
    """Somebody at the terminal writes on the sheet; gives the exit code."""
    command = [sys.executable, "-m", "companion", "set", change]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    return await process.wait()


async def notes(phone: Phone, at: int) -> list[str]:
    """Names that somebody writes on the sheet from a phone, those that were acknowledged."""
    names = []
    for number in range(4):
        await asyncio.sleep(phone.rng.uniform(0.1, 0.6))
        answer = await phone.post("/write", {"value": f"name.bombardier=N{at}-{number}"})
        assert answer.code in (200, 409), answer.text
        names += [f"N{at}-{number}"] if answer.code == 200 else []
    return names


async def all_told(table: Sequence[Phone], change: str) -> None:
    """Somebody at the terminal writes on the sheet, and every phone hears of it by itself."""
    give_up = time.monotonic() + PATIENCE
    while len({phone.view for phone in table}) > 1:
        assert time.monotonic() < give_up, "a phone shows another question"
        await asyncio.sleep(0.05)
    stood = [len(phone.shown) for phone in table]
    assert await terminal(change) == 0
    give_up = time.monotonic() + PATIENCE
    while any(len(phone.shown) == count for phone, count in zip(table, stood, strict=True)):
        assert time.monotonic() < give_up, "a phone is not told"
        await asyncio.sleep(0.01)


@by_signals
@pytest.mark.slow
def test_a_lock_that_is_held_keeps_neither_the_phones_nor_ctrl_c_for_long(companion: Run, data_folder: Path) -> None:
    begin(companion, "b17")
    before: dict[str, tuple[int, int]] = {}

    async def evening() -> None:
        with serving(data_folder) as server:
            async with phones(server, 12) as table:
                before.update(stamps(data_folder))
                with locking(data_folder / "campaigns" / "owls"):
                    asked = [asyncio.create_task(phone.tap()) for phone in table]
                    await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
                    first = next(task.result() for task in asked if task.done())
                    assert first.code == 422 and message(first.text) in BUSY
                    assert str(data_folder) not in first.text
                    code, out, err, took = await asyncio.to_thread(server.stop)
                    assert (code, err) == (0, "") and STOPPED in out and took < PATIENCE
                for each in await asyncio.gather(*asked):
                    assert each.code == 0 or message(each.text) in {*BUSY, CLOSED}

    asyncio.run(evening())
    assert stamps(data_folder) == before


@by_signals
def test_what_is_no_request_is_answered_as_strictly_and_nobody_hears_of_it(companion: Run, data_folder: Path) -> None:
    begin(companion, "b29")
    with serving(data_folder) as server:
        for raw in (
            *(b"GET nonsense\r\n\r\n", b"\0" * 2_000, b"\x16\x03\x01" + b"x" * 500, b"GET / HTTP/1.1\r\n\r\n"),
            b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(9_000)) + b"\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
            b"POST /undo HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"GET /live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
            b"GET http://evil/ HTTP/1.1\r\nHost: evil\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ):
            with socket.create_connection(("127.0.0.1", server.port), timeout=10) as line:
                reply = b""
                with contextlib.suppress(ConnectionError):
                    line.sendall(raw)
                    line.shutdown(socket.SHUT_WR)
                    while piece := line.recv(65_536):
                        reply += piece
            if reply:  # where the rest of the request came too late, the line is only cut
                assert reply.split()[1] in (b"400", b"403"), reply
                assert b"content-security-policy: default-src 'none'" in reply and b"x-frame-options: DENY" in reply
                assert b"Traceback" not in reply and str(ROOT).encode() not in reply
        code, out, err, _ = server.stop()
    assert (code, err) == (0, "") and "Traceback" not in out


@contextlib.contextmanager
def near() -> Iterator[tuple[Serving, int]]:
    """The page of the campaign in use, served by a thread of this process; and its port."""
    campaign = campaigns.current()
    assert campaign is not None
    address = Address(free_port(), lan=False)
    server = Serving(campaign, address, KEY)
    thread = threading.Thread(target=server.run, kwargs={"sockets": address.sockets})
    thread.start()
    try:
        yield server, address.port
    finally:
        server.live.end()
        server.should_exit = True
        thread.join()


def cut(line: socket.socket, seconds: float) -> bool:
    """Whether the other side closes a connection in time."""
    line.settimeout(seconds)
    try:
        return line.recv(65_536) == b""
    except ConnectionError:
        return True
    except TimeoutError:
        return False


@pytest.mark.slow
def test_who_only_takes_up_room_is_cut_off(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(companion, "b29")
    monkeypatch.setattr(page_serving, "IDLE", 1)
    with near() as (_, port), contextlib.ExitStack() as stack:
        lines = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(2)]
        heard = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        cookie = hashlib.sha256(f"cookie {KEY}".encode()).hexdigest()
        head = f"GET /live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: companion={cookie}\r\n\r\n"
        heard.sendall(head.encode())
        assert b"200 OK" in heard.recv(65_536)
        begun = time.monotonic()
        while time.monotonic() - begun < 2.5:  # a letter now and then
            with contextlib.suppress(ConnectionError):
                lines[1].sendall(b"G")
            time.sleep(0.1)
        assert cut(lines[0], 2) and cut(lines[1], 2)
        assert not cut(heard, 0.1)  # a page that listens is none of those


@pytest.mark.parametrize("cookie", ["", hashlib.sha256(f"cookie {KEY}".encode()).hexdigest()], ids=["no", "a"])
def test_what_is_too_large_is_cut_off_in_the_middle(companion: Run, cookie: str) -> None:
    begin(companion, "b29")
    with near() as (_, port), socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        host = f"127.0.0.1:{port}"
        head = [f"POST /write HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nX-Companion: 1"]
        head += [f"Cookie: companion={cookie}", "Transfer-Encoding: chunked\r\n\r\n"]
        line.sendall("\r\n".join(head).encode())
        sent, piece = 0, b"10000\r\n" + b"9" * 0x10000 + b"\r\n"
        with contextlib.suppress(ConnectionError):
            for _ in range(320):  # 20 MB, more than lies between the two of us
                line.sendall(piece)
                sent += 1
        assert sent < 320


def test_there_is_room_for_so_many_and_a_stranger_cannot_take_it_all(
    companion: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(companion, "b29")
    monkeypatch.setattr(page_serving, "CONNECTIONS", 6)
    monkeypatch.setattr(page_serving, "OF_ONE", 3)
    monkeypatch.setattr(page_serving, "HERE", "127.0.0.9")  # as if we came from elsewhere
    monkeypatch.setattr(page_serving.Address, "__init__", _anywhere)
    with near() as (server, port), contextlib.ExitStack() as stack:

        def come(count: int) -> list[socket.socket]:
            return [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(count)]

        come(3)
        assert cut(come(1)[0], 3)
        monkeypatch.setattr(page_serving, "HERE", "127.0.0.1")
        come(3)
        assert cut(come(1)[0], 3)
        assert len(server.server_state.connections) <= 6


def _anywhere(self: Address, port: int, *, lan: bool) -> None:
    self.outside, self.port = "", port
    self.sockets = [page_serving._bound("127.0.0.1", port)]


# -- killed ------------------------------------------------------------------------------------------------------------


by_forks = pytest.mark.skipif(os.name == "nt", reason="no forks on Windows")


class Struck(NamedTuple):
    """How an answer ended in a process of its own: its exit code, what the phone was told, the calls to the disk."""

    code: int
    told: str
    calls: int


def struck(board: Board, home: Path, seen: str, sent: Mapping[str, object], fault: Fault | None) -> Struck:
    """An answer while something goes wrong at one call to the disk; `told` is `done` where it was acknowledged. The
    board has been looked at, and the process of the answer goes on from there."""
    from tests.storage.faults import Disk

    board.view()
    heard, tell = os.pipe()
    child = os.fork()
    if not child:
        with contextlib.suppress(BaseException):
            disk = Disk(home, fault)
            disk.stand()
            try:
                board.answer(seen, sent)
                told = "done"
            except Problem as problem:
                told = str(problem)
            os.write(tell, f"{disk.count} {told}".encode())
        os._exit(0)
    os.close(tell)
    calls, _, told = os.read(heard, 10_000).decode().partition(" ")
    os.close(heard)
    return Struck(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), told, int(calls or 0))


@contextlib.contextmanager
def copies(home: Path) -> Iterator[Callable[[], Path]]:
    """A data folder that is made again as it was for each try."""
    other = home.parent / f"{home.name}-struck"

    def again() -> Path:
        shutil.rmtree(other, ignore_errors=True)
        shutil.copytree(home, other, symlinks=True)
        os.environ["COMPANION_HOME"] = str(other)
        return other

    try:
        yield again
    finally:
        os.environ["COMPANION_HOME"] = str(home)


WHOLE, REST, HALF = (  # the game, what was answered before, and what is now
    pytest.param("b17", [], {"value": "3"}, id="an answer"),
    pytest.param("b29", [{"value": "3,4"}], {"value": "a town of our own book", "insist": True}, id="the rest of one"),
    pytest.param("b29", [], {"value": "3,4"}, id="half an answer"),
)
REFUSED = [(HALF, errno.ENOSPC), (HALF, errno.EIO), (HALF, errno.EACCES), (REST, errno.EIO), (WHOLE, errno.ENOSPC)]


@by_forks
@pytest.mark.parametrize("game, before, sent", [HALF, *slow_but([REST, WHOLE], 0)])
def test_an_answer_killed_at_any_moment_is_there_once_or_not_at_all(
    companion: Run, data_folder: Path, game: str, before: list[dict[str, object]], sent: dict[str, object]
) -> None:
    from tests.storage.faults import KILLS, Fault

    seen = _up_to(companion, data_folder, game, before)
    with copies(data_folder) as again:
        home, earlier = again(), _state()
        board = board_of(home)
        usual, later = struck(board, home, seen, sent, None), _state()
        assert usual.told == "done" and usual.calls > 10 and earlier != later
        killed = 0
        for fault in [*(Fault(at, KILLS[0]) for at in range(1, usual.calls + 1)), Fault(usual.calls, KILLS[1])]:
            came = struck(board, again(), seen, sent, fault)
            killed += came.code == -9
            stands = _state()
            assert stands in (earlier, later)
            assert came.told != "done" or stands == later
            with contextlib.suppress(Stale):  # the phone sends it again, as it had no answer
                board_of(home).answer(seen, sent)
            assert _state() == later
        assert killed >= usual.calls


@by_forks
@pytest.mark.parametrize(
    "game, before, sent, error",
    slow_but(pytest.param(*of.values, error, id=f"{of.id}-{error}") for of, error in REFUSED),
)
def test_a_disk_that_refuses_is_told_and_what_is_told_is_true(
    companion: Run, data_folder: Path, game: str, before: list[dict[str, object]], sent: dict[str, object], error: int
) -> None:
    from tests.storage.faults import Fault

    seen = _up_to(companion, data_folder, game, before)
    with copies(data_folder) as again:
        home, earlier = again(), _state()
        board = board_of(home)
        usual, later = struck(board, home, seen, sent, None), _state()
        refused = 0
        for at in range(1, usual.calls + 1):
            came = struck(board, again(), seen, sent, Fault(at, error))
            refused += came.told != "done"
            stands = _state()
            assert came.code == 0 and came.told, f"at call {at}"
            assert stands in (earlier, later)
            assert came.told != "done" or stands == later, f"at call {at}"
            assert "nothing was recorded" not in came.told or stands == earlier, (at, came.told)
            assert "is recorded" not in came.told or stands == later, (at, came.told)
        assert refused > 5


def _up_to(companion: Run, home: Path, game: str, before: Sequence[Mapping[str, object]]) -> str:
    """The question behind these answers to the first ones of a mission."""
    begin(companion, game)
    board = board_of(home)
    seen = board.view().id
    for sent in before:
        seen = board.answer(seen, sent).id
    return seen


def _state() -> object:
    mission, memory = on_disk()
    return mission.journal.entries, mission.journal.stand, mission.state, memory.document()


@pytest.mark.slow
def test_a_server_killed_again_and_again_loses_no_answer(companion: Run, data_folder: Path) -> None:
    """`python -m tests.bench.page` kills it two hundred times."""
    from tests.bench.page import storm

    begin(companion, "b17")
    assert storm(data_folder, 3, 1).killed == 3


# -- while phones look -------------------------------------------------------------------------------------------------


def test_two_phones_undo_at_once_and_one_thing_is_taken_back(companion: Run) -> None:
    begin(companion, "b17")
    companion("set", "name.pilot=One")
    companion("set", "name.pilot=Two")
    with calling() as caller:
        caller.come_in()
        seen = caller.seen

        async def both() -> list[int]:
            headers = [("origin", "http://127.0.0.1:8029"), ("x-companion", "1")]
            body = b'{"seen": "%s"}' % seen.encode()
            headers.append(("content-length", str(len(body))))
            asked = [caller.request("POST", "/undo", headers=headers, pieces=[body]) for _ in range(8)]
            return sorted(reply.code for reply in await asyncio.gather(*asked))

        assert caller.run(both()) == [200] + [409] * 7
    assert on_disk()[0].state["name.pilot"] == "One"


@pytest.mark.slow
def test_when_a_mission_ends_and_another_begins_the_page_goes_on_with_it(companion: Run, data_folder: Path) -> None:
    import random

    begin(companion, "b17")
    with calling() as caller:
        caller.come_in()
        fly(board_of(data_folder), Chance(random.Random(2)))
        over = caller.call("GET", "/board")
        assert "It is over." in over.body.decode() and "companion mission start" in over.body.decode()
        (seen,) = over.header("x-view")
        assert companion("mission", "start", "--yes").code == 0
        fresh = caller.call("GET", "/board")
        assert "It is over." not in fresh.body.decode() and fresh.header("x-view") != [seen]
        assert caller.post("/undo", {"seen": seen}).code == 409
        assert caller.post("/answer", {"seen": caller.seen, "value": "3"}).code == 200
        companion("new", "Others", "--game", "b29", "--yes")
        assert ">Owls " in caller.call("GET", "/board").body.decode()  # it stays with the campaign it was begun for


def test_what_is_half_answered_belongs_to_one_stand_of_one_mission(companion: Run, data_folder: Path) -> None:
    begin(companion, "b29")
    board = board_of(data_folder)
    board.answer(board.view().id, {"value": "3,4"})
    file = memories.file_of(board.campaign.folder)
    half = file.read_bytes()
    assert on_disk()[1].answers
    companion("set", "name.pilot=One")  # as many entries and the same last one, on another sheet
    companion("set", "evasive=yes")
    assert not on_disk()[1]
    file.write_bytes(half)
    companion("undo", "2")
    assert on_disk()[1].answers, "the same stand again"
    companion("mission", "start", "--yes")
    assert not on_disk()[1]


def test_what_one_phone_writes_on_the_sheet_leaves_the_dice_that_another_has_sent(
    companion: Run, data_folder: Path
) -> None:
    begin(companion, "b29")
    one, two = board_of(data_folder), board_of(data_folder)
    rolled = one.answer(one.view().id, {"value": "3,4"})
    written = two.write(rolled.id, "name.pilot=One")
    assert written.id != rolled.id and written.prompt == rolled.prompt
    one.answer(written.id, {"value": "a town of our own book", "insist": True})
    entries = on_disk()[0].journal.entries
    assert [each["d"] for each in entries if each["v"] == "roll"] == [[3, 4]]


@pytest.mark.parametrize(
    "document",
    [*(b"", b"{", b"[]", b"null", b"\xff", b'{"format": 2}', b'{"format": 4, "halves": []}', b"[" * 200_000)],
)
def test_a_damaged_half_answer_is_none_and_can_be_given_again(
    companion: Run, data_folder: Path, document: bytes
) -> None:
    begin(companion, "b29")
    board = board_of(data_folder)
    seen = board.view().id
    board.answer(seen, {"value": "3,4"})
    memories.file_of(board.campaign.folder).write_bytes(document)
    assert board_of(data_folder).view().id == seen
    assert board.answer(seen, {"value": "3,4"}).id != seen


@pytest.mark.parametrize(
    "part",
    [
        *(
            {"answers": each}
            for each in ([1], [["k"]], [["k", "w", None]], [["k", "w", [1, "2"]]], [[1, 2, 3]], {}, "x")
        ),
        *({"tray": each} for each in ([1], [[None, "d6"]], [[["t"], "d6", [1]]], [[None, "d6", 3]], {}, "x")),
    ],
)
def test_strange_answers_and_dice_in_a_half_answer_are_none(part: dict[str, object]) -> None:
    half = {"answers": [], "tray": [], "plan": [], "beside": ""}
    assert not memories.Memory(convert(half, memories.Half))
    with pytest.raises(ValidationError):
        convert({**half, **part}, memories.Half)


def test_a_page_that_is_closed_takes_no_more_answers(companion: Run, data_folder: Path) -> None:
    begin(companion, "b17")
    with calling() as caller:
        caller.come_in()
        seen = caller.seen
        before = stamps(data_folder)
        caller.page.board.close()
        reply = caller.post("/answer", {"seen": seen, "value": "3"})
        assert reply.code == 422 and "being closed; nothing was recorded" in reply.body.decode()
        assert stamps(data_folder) == before


def test_what_is_drawn_while_something_goes_wrong_is_not_kept(
    companion: Run, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(companion, "b17")
    with calling() as caller:
        caller.come_in()

        def refuse(*_: object) -> None:
            raise Trouble("the disk is away")

        with monkeypatch.context() as patch:
            patch.setattr(Board, "present", refuse)
            assert "the disk is away" in caller.call("GET", "/board").body.decode()
            assert "the disk is away" in caller.call("GET", "/sheet").body.decode()
        assert "data-die" in caller.call("GET", "/board").body.decode()
        assert "the disk is away" not in caller.call("GET", "/sheet").body.decode()


def test_a_plan_that_is_looked_at_and_an_answer_that_fails_wake_nobody(companion: Run) -> None:
    begin(companion, "b17")
    with calling() as caller:
        caller.come_in()
        seen = caller.seen
        caller.run(caller.page.live.look())
        serial = caller.page.live._serial
        assert caller.post("/plan", {"wishes": {}}).code == 200
        assert caller.post("/answer", {"seen": seen, "value": "9"}).code == 422
        assert caller.page.live._serial == serial
        assert caller.post("/answer", {"seen": caller.seen, "value": "3"}).code == 200
        assert caller.page.live._serial == serial + 1
