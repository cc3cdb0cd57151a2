"""Several players at once, viewers with secrets, and a killed server: nothing is lost, nothing is done twice."""

import contextlib
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.packs import Pack
from companion.play.mission import Mission
from companion.store import campaigns
from companion.web.board import Memory, OutdatedQuestion, load_answers
from tests.storage.kills import by_forks, copies, killed
from tests.support import PACKS, Run, begin, slow_but
from tests.web.tapping import Caller, board_of, calling


def on_disk() -> tuple[Mission, Memory]:
    """Return the mission and the stored answers."""
    campaign = campaigns.campaign_in_use()
    assert campaign is not None
    _, mission = campaign.flown(campaign.missions()[-1])
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
