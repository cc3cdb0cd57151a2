"""Several players at once, viewers with secrets, a killed server, and access: others get an error, nothing is lost."""

import contextlib
import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from companion.problems import UserError
from companion.store import campaigns, files
from companion.web.app import HEADERS, MISTAKE, address, listen, token
from companion.web.board import Memory, OutdatedQuestion, load_answers
from tests.storage.kills import by_forks, copies, killed
from tests.support import PACKS, Run, begin, slow_but
from tests.web.browser import Served
from tests.web.tapping import KEY, Caller, board_of, calling


def on_disk() -> tuple[Mission, Memory]:
    """Return the mission and the stored answers."""
    campaign = campaigns.campaign_in_use()
    assert campaign is not None
    mission = campaign.flown(campaign.missions()[-1])
    assert mission.number is not None
    return mission, load_answers(campaign.folder, mission, campaign.stamp(mission.number))


WHOLE, REST, HALF = (  # the game, the earlier answers, and the current ones
    pytest.param("b17", [], {"value": "3"}, id="an answer"),
    pytest.param("b29", [{"value": "3,4"}], {"value": "=a town of our own book"}, id="the rest of one"),
    pytest.param("b29", [], {"value": "3,4"}, id="half an answer"),
)


@by_forks
@pytest.mark.parametrize("game, before, sent", [HALF, *slow_but([REST, WHOLE], 0)])
def test_an_answer_killed_at_any_moment_is_there_once_or_not_at_all(
    companion: Run, data_folder: Path, game: str, before: list[dict[str, object]], sent: dict[str, object]
) -> None:
    seen = _up_to(companion, game, before)
    with copies(data_folder) as again:
        again()
        board, earlier = board_of(), _state()
        board.view()
        usual, later = killed(lambda: board.answer(seen, sent)), _state()
        assert usual.told == "done" and usual.calls > 5 and earlier != later
        for at, after in [*((at, False) for at in range(1, usual.calls + 1)), (usual.calls, True)]:
            again()
            assert killed(lambda: board.answer(seen, sent), at, after=after).code == -9
            assert _state() in (earlier, later)
            with contextlib.suppress(OutdatedQuestion):  # the phone sends it again, as it had no answer
                board_of().answer(seen, sent)
            assert _state() == later


def _up_to(companion: Run, game: str, before: Sequence[Mapping[str, object]]) -> str:
    """Return the question after these first answers of a mission."""
    begin(companion, game)
    board = board_of()
    seen = board.view().id
    for sent in before:
        seen = board.answer(seen, sent).id
    return seen


def _state() -> object:
    mission, memory = on_disk()
    return mission.journal.entries, mission.journal.position, mission.state, memory.document()


# -- while phones look -------------------------------------------------------------------------------------------------


def test_two_phones_undo_at_once_and_one_thing_is_taken_back(companion: Run) -> None:
    begin(companion, "b17")
    companion("set", "name.pilot=One")
    companion("set", "name.pilot=Two")
    with calling() as caller:
        seen = caller.seen
        with ThreadPoolExecutor(8) as phones:
            replies = list(phones.map(lambda _: caller.tap("/undo", {"seen": seen}).status_code, range(8)))
        assert sorted(replies) == [200] + [409] * 7
    assert on_disk()[0].state["name.pilot"] == "One"


def test_what_one_phone_writes_on_the_sheet_leaves_the_dice_that_another_has_sent(companion: Run) -> None:
    begin(companion, "b29")
    one, two = board_of(), board_of()
    rolled = one.answer(one.view().id, {"value": "3,4"})
    assert rolled.prompt is not None
    written = two.write(rolled.id, "name.pilot=One")
    assert written.id != rolled.id and written.prompt is not None and written.prompt.title == rolled.prompt.title
    one.answer(written.id, {"value": "=a town of our own book"})
    entries = on_disk()[0].journal.entries
    assert [each["d"] for each in entries if each["v"] == "roll"] == [[3, 4]]


def test_whatever_is_recorded_reaches_the_pages_that_listen(companion: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change at the terminal is an event; a second look at the same mission is not."""
    begin(companion, "b17")
    monkeypatch.setattr("companion.web.app.EVERY", 0.01)
    with calling() as caller:
        looks = [lambda: None, lambda: None, lambda: companion("set", "name.pilot=One"), lambda: None]
        caller.page.ended = lambda: not looks or bool(looks.pop(0)() and False)
        reply = caller.get("/live")
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert reply.text.count("event: changed") == 2


# -- campaigns from a phone --------------------------------------------------------------------------------------------


def test_a_campaign_is_begun_named_and_left_from_the_phone(companion: Run) -> None:
    with calling() as caller:
        assert "There is no campaign yet" in caller.get("/field", params={"n": "zone"}).text
        assert caller.tap("/answer", {"seen": "empty", "value": "3"}).status_code == 422
        assert caller.tap("/new", {"name": "Owls", "game": "chess"}).status_code == 422
        assert caller.tap("/new", {"name": "Owls", "game": "b17"}).status_code == 200
        assert "Start a mission" in caller.get("/board").text
        menu = caller.get("/menu").text
        assert 'name="man.pilot"' in menu and "Random events" in menu
        begun = caller.tap("/begin", {"man.pilot": "Dan Kerr", "aircraft": "Night Owl", "random-events": "on"})
        assert begun.status_code == 200 and "data-die" in begun.text
        mission = on_disk()[0]
        assert (mission.state["name.pilot"], mission.state["aircraft.name"]) == ("Dan Kerr", "Night Owl")
        assert mission.state["random-events"] == "on"
        caller.tap("/new", {"name": "Others", "game": "b29"})
        assert "Others" in companion("campaigns").out and ">Others" in caller.get("/board").text
        assert ">Owls" in caller.tap("/use", {"value": "Owls"}).text


def test_a_board_in_mid_mission_is_joined_by_taps(companion: Run) -> None:
    begin(companion, "b29")
    with calling() as caller:
        assert 'data-f="engine.2"' in caller.get("/board").text and 'data-f="fuel.wing"' in caller.get("/board").text
        man = caller.get("/field", params={"n": "crew.pilot"}).text
        assert 'data-write="crew.pilot=kia"' in man and 'data-name="name.pilot"' in man
        assert 'data-name="zone"' in caller.get("/field", params={"n": "zone"}).text
        assert "no such box" in caller.get("/field", params={"n": "wings"}).text
        for written in ("zone=5", "leg=outbound", "engine.2=out", "fuel.wing=12"):
            assert caller.tap("/write", {"seen": caller.seen, "value": written}).status_code == 200
        state = on_disk()[0].state
        assert (state["zone"], state["engine.2"], state["fuel.wing"]) == (5, "out", 12)
        assert "Zone 5 of 5, outbound" in caller.get("/board").text


def test_an_open_fate_is_rolled_for_from_the_menu_and_the_next_mission_begins(companion: Run) -> None:
    """A seriously wounded man flies again only once his fate is known (BL-4, note b)."""
    begin(companion, "b17")
    companion("set", "crew.navigator=serious", "bomber.fate=returned", "step=end", "credit=yes")
    with calling() as caller:
        menu = caller.get("/menu", params={"n": "mission"}).text
        tap = re.findall(r'data-write="(roll [^"]+)"', menu)
        assert tap == ["roll BL-4.b position=navigator"] and "came back seriously wounded" in menu
        assert "Settle it first" in caller.tap("/begin", {}).text
        rolled = caller.tap("/write", {"seen": caller.seen, "value": tap[0]})
        assert "data-die" in rolled.text and "Navigator" in rolled.text
        while "data-die" in caller.get("/board").text:
            caller.answer("1")
        assert on_disk()[0].journal.entries[-1]["b"] == {"position": "navigator"}
        assert "Roll for" not in caller.get("/menu", params={"n": "mission"}).text


def test_the_story_on_the_page_has_its_headline(companion: Run) -> None:
    begin(companion, "b17")
    companion("fly", "--auto", "--seed", "3")
    headline = companion("story", "--headline").out.partition(": ")[2].strip()
    with calling() as caller:
        assert headline and f"<p><em>{headline}</em></p>" in caller.get("/story").text


def test_a_board_that_is_on_the_page_is_not_sent_again(companion: Run) -> None:
    begin(companion, "b17")
    with calling() as caller:
        seen = caller.seen
        assert caller.get("/board", params={"seen": seen}).text == ""
        companion("set", "engine.2=out")
        assert "Engine 2" in caller.get("/board", params={"seen": seen}).text
        assert caller.get("/picture").text.count("/take/card.png") == 2
        assert caller.get("/take/card.png").content.startswith(b"\x89PNG")


def test_the_weather_met_is_marked_on_the_track(companion: Run) -> None:
    begin(companion, "b29")
    companion("set", "zone=3", "leg=outbound", "target.zone=6", "log.outbound.2.weather=poor")
    with calling() as caller:
        board = caller.get("/board").text
        assert "poor weather in zone 2" in board and board.count("#cloud") == 1


def test_a_game_with_ten_sided_dice_has_a_pad_of_ten(companion: Run, data_folder: Path) -> None:
    shutil.copytree(PACKS / "squadron", data_folder / "packs" / "squadron")
    begin(companion, "squadron")
    with calling() as caller:
        assert caller.get("/board").text.count("data-die=") == 10
        assert caller.answer("10").status_code == 200
        assert on_disk()[0].journal.entries[-1]["d"] == [10]


@pytest.fixture
def page(companion: Run) -> Iterator[Caller]:
    """Return the page of a started game of Bombs Away!, opened with its key."""
    begin(companion, "bombs-away")
    with calling() as caller:
        yield caller


def look(page: Caller, eyes: str, where: str) -> str:
    """Return the view of one player."""
    page.tap("/eyes", {"value": eyes})
    return page.get(where).text


def test_a_card_that_lies_face_down_is_seen_by_its_owner_alone(companion: Run, page: Caller) -> None:
    look(page, "all", "/board")
    companion("set", "at.fw190a=berlin")
    assert "FW190A" in look(page, "all", "/board") and "FW190A" in look(page, "axis", "/board")
    pile = "Axis: FW190A"  # on the map
    assert [pile in look(page, eyes, "/board") for eyes in ("all", "axis", "allied")] == [True, True, False]
    assert look(page, "all", "/sheet") != look(page, "allied", "/sheet")


@pytest.mark.section("bombs-away II B", "bombs-away III A 2")
@pytest.mark.parametrize(
    ("owner", "other", "cards"),
    [("axis", "allied", "fw190a me109e me110g"), ("allied", "axis", "spitfire-i b24d wellington-iii")],
)
def test_cards_face_down_change_nothing_that_the_other_side_sees(
    companion: Run, page: Caller, owner: str, other: str, cards: str
) -> None:
    sheet = Pack("bombs-away").sheet
    names = [sheet.label(index, member) for index in ("plane", "target") for member in sheet.index[index]]

    def views(eyes: str) -> list[dict[str, int]]:
        told = [companion("status", "--hide", *([eyes] * bool(eyes)), *more).out for more in ([], ["--json"])]
        texts = [*told, look(page, eyes, "/board"), look(page, eyes, "/sheet")]
        return [{name: text.count(name) for name in names} for text in texts]

    companion("set", *(f"pile.{card}=available" for card in cards.split()))
    before = {eyes: views(eyes) for eyes in (owner, other, "")}
    companion("set", *(f"at.{card}=berlin" for card in cards.split()))
    assert views(other) == before[other] and views("") == before[""]
    assert all(now != then for now, then in zip(views(owner)[::2], before[owner][::2], strict=True))
    shown = companion("status", "--hide", owner).out
    assert (
        "target: Berlin" in shown and ": 0\n" not in shown and "Dogfight" not in shown
    )  # no zeros, nothing of the box
    assert companion("status", "--hide", "german").err.endswith("companion status --hide allied or axis.\n")


def test_a_player_is_asked_like_the_other_and_an_onlooker_is_not(page: Caller) -> None:
    asked = look(page, "all", "/board")
    for side in ("allied", "axis"):
        assert 'id="value"' in asked and 'id="value"' in look(page, side, "/board")
    assert 'id="value"' not in look(page, "", "/board") and "Another player is being asked" in look(page, "", "/board")


@pytest.mark.slow
def test_full_reports_are_only_for_viewers_who_may_see_everything(page: Caller) -> None:
    for where in ("/why", "/take/sheet.pdf", "/take/story.pdf"):
        assert "Only a viewer of the whole sheet" in look(page, "axis", where)
        assert "Only a viewer of the whole sheet" not in look(page, "all", where)


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


# -- the token ---------------------------------------------------------------------------------------------------------


def test_the_address_hands_out_a_cookie_that_is_not_its_token(caller: Caller) -> None:
    reply = caller.come_in()
    cookie = reply.headers["set-cookie"]
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    assert KEY not in cookie and "HttpOnly" in cookie and "SameSite=lax" in cookie
    assert caller.get("/").status_code == 200


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
