"""New campaigns, also from a log on paper, and games: listed, checked, shared and installed."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.cli import campaigns, terminal
from companion.cli.serve import SEED
from companion.packs import Pack, folders, games, tables_folder
from companion.problems import UserError
from companion.store import crew
from companion.store.campaigns import Campaign, find
from companion.words import one_of
from tests.storage.evenings import paper_campaign
from tests.support import END, Lay, Run, Terminal, begin, fly_script


def test_a_single_letter_is_refused_as_a_name(companion: Run) -> None:
    terminal = Terminal("new", "Owls", "--game", "b29").expect(r"Aircraft \[.*\]: ")
    for slip in "u?qsn":
        terminal.say(
            slip,
            "A name needs at least two letters. Enter keeps Lucky Thirteen. To change",
            r"companion bomber NAME\s+Aircraft \[.*\]: ",
        )
    terminal.say("Al", r"Pilot \[.*\]: ")
    terminal.say("u", r"Enter keeps Harlan Beck.\s.*\scompanion\s+crew\s+--set\s+Pilot=NAME")
    for _ in range(11):
        terminal.expect(r"\[.*\]: ")
        terminal.say("")
    terminal.expect("Start with", END)
    crew = companion("crew", "--json").json["crew"]
    assert all(len(man["name"]) > 1 for man in crew) and crew[0]["name"] == "Harlan Beck"


def test_the_games_that_are_there_are_named(companion: Run) -> None:
    there = one_of(games())
    assert "b17" in there and "bombs-away" in there
    for command in (["new", "Owls"], ["undo"], ["roll"], ["crew"], ["sheet", "mission"], ["use", "Nobody"]):
        ran = companion(*command)
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert there in ran.err
    assert there in companion("campaigns").out


def test_the_start_of_a_mission_names_what_is_wrong_by_its_label_and_says_how_to_go_on(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    terminal = Terminal("mission", "start").expect("Steps marked .* all", "Enter accepts these")
    terminal.say("steps banana", "banana")
    terminal.say("", "Continue with: companion fly", END)


def test_a_mission_starts_without_questions_that_rolls_answer(companion: Run) -> None:
    """The target comes from companion fly; house rules are asked on one line, once per campaign."""
    companion("new", "Owls", "--game", "b17", "--yes")
    campaign = find("Owls")
    assert crew.to_ask(Pack("b17"), campaign, {}) == ["random-events", "spray-fire", "pilot-status", "two-player"]
    terminal = Terminal("mission", "start").expect("Enter accepts these")
    terminal.say("spray fire on, two players on", "Continue with: companion fly", END)
    facts = companion("status", "--json").json["facts"]
    assert (facts["spray-fire"], facts["two-player"], facts["random-events"]) == ("on", "on", "off")
    assert crew.to_ask(Pack("b17"), campaign, {}) == []


@pytest.fixture
def at_home(companion: Run) -> Callable[[str], Run]:
    """Fly a mission with its typed dice as far as they go."""

    def flown(dice: str) -> Run:
        begin(companion, "b29", "mission.number=12")
        if dice:
            assert fly_script(companion, dice).code == 0
        return companion

    return flown


def test_a_mission_that_is_still_flown_is_not_left_without_a_word(at_home: Callable[[str], Run]) -> None:
    begun = at_home("2.2B: 6,6\n")("mission", "start", "--yes")
    assert begun.out.splitlines()[0] == "Mission 12 is not over: Base. It is kept as it is."
    assert "the sheet is ready" in begun.out


def test_a_flight_with_wounded_aboard_is_named_before_they_are(at_home: Callable[[str], Run]) -> None:
    companion = at_home("2.2B: 6,6\n")
    assert companion("set", "crew.navigator=serious").code == 0
    refused = companion("mission", "start", "--yes")
    assert refused.code == 2
    assert "Mission 12 is not over: Base. Continue it with: companion fly. To abandon it anyway:" in refused.err
    assert "(Navigator) came back" in refused.err


@pytest.mark.parametrize(("typed", "missions"), [("", 1), ("n", 1), ("q", 1), ("y", 2), ("Yes", 2)])
def test_at_a_terminal_the_next_mission_is_asked_about(
    at_home: Callable[[str], Run], monkeypatch: pytest.MonkeyPatch, typed: str, missions: int
) -> None:
    companion = at_home("2.2B: 6,6\n")
    asked: list[str] = []

    def answered(question: str) -> str:
        asked.append(question)
        return typed if len(asked) == 1 else ""

    monkeypatch.setattr(campaigns, "asks", lambda: True)
    monkeypatch.setattr(terminal, "ask", answered)
    out = companion("mission", "start").out
    assert asked[0] == "Mission 12 is not over: Base. Start the next one anyway? [y/N] "
    assert len(find("Owls").missions()) == missions
    assert ("Nothing was started. Continue with: companion fly" in out) == (missions == 1)
    assert "it stays as it is" not in out


@pytest.mark.section("b17 7.1", "b17 7.3", "b17 9.3")
def test_a_tour_of_25_continues_its_count(companion: Run) -> None:
    paper_campaign("b17", 12, {"pilot": "9 2 light", "tail-gunner": "11 5"}, score="6-2")
    log = companion("campaign", "--json").json
    assert (log["totals"]["counting"], log["totals"]["of"], log["totals"]["over"]) == (11, 25, False)
    assert log["totals"]["results"] == {"victory": 6, "defeat": 2, "draw": 3}
    assert log["totals"]["ahead"] == "victory"
    crew = {each["position"]: each for each in log["crew"]}
    assert (crew["pilot"]["missions"], crew["pilot"]["kills"], crew["pilot"]["state"]) == (9, 2, "light")
    assert crew["pilot"]["standing"] == []  # a veteran has 10 to 24 missions
    assert crew["copilot"]["standing"] == ["veteran"]
    assert crew["tail-gunner"]["standing"] == ["ace", "veteran"]  # an ace has five
    assert "11 of 25" in companion("campaign").out
    assert companion("mission", "start", "--yes").code == 0
    facts = companion("status", "--json").json["facts"]
    assert (facts["mission.number"], facts["missions.pilot"], facts["kills.tail-gunner"]) == (12, 9, 5)
    assert facts["crew.pilot"] == "ok"  # a light wound has healed by then


@pytest.mark.slow
@pytest.mark.section("b29 4.7 C", "b29 9.2")
def test_a_tour_of_35_knows_ranks_and_bombed_out_cities(companion: Run) -> None:
    paper_campaign("b29", 15, {"navigator": "5"}, cities=["Tokyo=3/5", "kobe 1 of 1"], percent=30)
    log = companion("campaign", "--json").json
    assert (log["totals"]["counting"], log["totals"]["of"], log["totals"]["average"]) == (14, 35, 30.0)
    standing = {each["position"]: each["standing"] for each in log["crew"]}
    assert standing["navigator"] == ["novice"]  # up to seven missions
    assert standing["pilot"] == ["veteran"]  # from fourteen on
    companion("mission", "start", "--yes")
    facts = companion("status", "--json").json["facts"]
    assert facts["mission.number"] == 15
    towns = {facts[f"town.{at}.name"]: (facts[f"town.{at}.crossed"], facts[f"town.{at}.boxes"]) for at in (1, 2)}
    assert towns == {"tokyo": (3, 5), "kobe": (1, 1)}
    assert companion("doctor").code == 0


@pytest.mark.section("b17 17.0")
def test_a_man_who_came_back_badly_wounded_is_settled_first(companion: Run) -> None:
    paper_campaign("b17", 5, {"navigator": "4 0 serious"})
    refused = companion("mission", "start")
    assert refused.code == 2 and "seriously wounded" in refused.err and "BL-4" in refused.err


def test_a_bomber_that_replaced_a_lost_one_has_her_own_missions(companion: Run) -> None:
    paper_campaign("b17", 12, bomber=4, score="5 3")
    assert companion("bomber", "--json").json["bomber"]["missions"] == 4


@pytest.mark.parametrize(("game", "number"), [("b17", 1), ("b17", 26), ("bombs-away", 3)])
def test_an_impossible_past_is_refused_and_nothing_is_started(companion: Run, game: str, number: int) -> None:
    refused = companion("new", "Paper", "--game", game, "--yes", "--at-mission", number)
    told = f"campaign must be 2 to 25, not {number}" if game == "b17" else "no campaign to continue from paper"
    assert refused.code == 2 and told in refused.err
    assert companion("campaigns", "--json").json == []


def test_the_words_of_the_paper(b17: Pack) -> None:
    four = crew.Paper(b17, 5)
    assert (four.record("frostbite").wound, four.record("3, 1").kills) == ("frostbite", 1)
    assert (four.record("3 2 light"), four.record("")) == ((3, 2, "light"), (4, 0, "ok"))
    for text, message in (("9", "missions, not 9"), ("2 1 tired", "missions, kills and a wound")):
        with pytest.raises(UserError, match=message):
            four.record(text)
    assert crew.Paper(b17, 12).score("7 2") == {"victory": 7, "defeat": 2, "draw": 2}
    for text, message in (("4-1", "more than the 4 missions"), ("much", "missions won and lost")):
        with pytest.raises(UserError, match=message):
            four.score(text)
    assert (four.average("20%"), four.average("0"), four.average("")) == (20, 0, None)
    with pytest.raises(UserError, match="percentage must be"):
        four.average("120")


@pytest.mark.section("b29 9.2")
def test_more_boxes_than_missions_cannot_have_been_crossed_off(b29: Pack) -> None:
    two = crew.Paper(b29, 3)
    assert two.city("Kobe 2") == ("Kobe", 2, 0)
    for text, message in (("Tokyo 5 of 3", "Tokyo 3 of 5"), ("Tokyo 3 of 5", "3 boxes are too many for 2 missions")):
        with pytest.raises(UserError, match=message):
            two.city(text)


def test_what_the_paper_says_is_asked(companion: Run) -> None:
    terminal = Terminal("new", "Paper", "--game", "b29", "--at-mission", "12")
    for _ in range(12):  # the bomber's name and the men's
        terminal.expect(r"\]: ")
        terminal.say("")
    terminal.expect("Flown: 11 missions")
    for answer in ("4", "3 1 light", *[""] * 10):
        terminal.expect(r"\]: ")
        terminal.say(answer)
    for question, answer in (
        ("Missions won", "9 9"), ("more than the 11 missions", "8 1"), ("percent", "20"), ("City", "Tokyo 2 of 5"),
        ("City", ""),
    ):  # fmt: skip
        terminal.expect(f"{question}.*: ")
        terminal.say(answer)
    terminal.expect(END)
    log = companion("campaign", "--json").json
    assert log["totals"]["results"] == {"victory": 8, "defeat": 1, "draw": 2}
    assert (log["bomber"]["missions"], log["crew"][0]["missions"], log["crew"][0]["kills"]) == (4, 3, 1)


@pytest.mark.parametrize("game", ["b17", "b29"])
def test_paper_missions_without_a_percentage_are_in_no_average(companion: Run, game: str) -> None:
    paper_campaign(game, 5, score="2-1")
    totals = companion("campaign", "--json").json["totals"]
    assert (totals["counting"], totals["average"]) == (4, None)
    assert "on average" not in companion("campaign").out
    companion("mission", "start", "--yes")
    companion("set", "bomber.fate=returned", "bombs=dropped", "bomb-run=on", "bomb-run.percent=30", "credit=yes")
    assert companion("campaign", "--json").json["totals"]["average"] == 30


def test_nothing_is_said_to_be_over_that_was_flown_on_paper(companion: Run) -> None:
    paper_campaign("b29", 5)
    Terminal("fly").expect("No mission started here yet. Start one with: companion mission start", END)


def fly(companion: Run, game: str) -> None:
    """A campaign of the game, its first mission flown by the computer."""
    assert companion("new", "Club", "--game", game, "--yes").code == 0
    assert companion("mission", "start", "--yes").code == 0
    assert companion("fly", "--auto", "--seed", "1").code == 0


def test_a_new_game_is_shared_installed_elsewhere_and_flown(
    companion: Run, data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "raid.zip"
    assert companion("games", "new", "night-raid").code == 0
    assert "There is a game night-raid already" in companion("games", "new", "night-raid").err
    assert companion("games", "check", "night-raid").out == "night-raid: 3 tables, sound\n"
    about = data_folder / "packs" / "night-raid" / "pack.toml"
    about.write_text(about.read_text().replace('author = ""', 'author = "Ida Falk"'))
    assert companion("games", "export", "night-raid", file).code == 0
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "other"))
    installed = companion("games", "install", file)
    assert installed.code == 0 and "Night Raid by Ida Falk is installed in" in installed.out
    assert "Add --replace" in companion("games", "install", file).err
    assert "night-raid       Night Raid (version 0.1, Ida Falk, yours)" in companion("games", "list").out
    fly(companion, "night-raid")
    removed = companion("games", "remove", "night-raid", "--yes")
    assert "Club uses night-raid: 1 mission." in removed.out
    assert "Bring it back with: companion games install" in companion("status").err
    assert "There is no game night-raid" in companion("status").err
    assert companion("games", "install", tmp_path / "other" / "removed" / "night-raid").code == 0
    assert companion("status").code == 0


@pytest.mark.slow
def test_house_rules_are_shared_too(companion: Run, lay: Lay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay("5-9.toml", '[[patch]]\nreason = "club 1"\nmodifier = [{id = "ace", add = 2}]\n')
    assert companion("games", "export", "b29", tmp_path / "b29.zip").code == 0
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "other"))
    assert companion("games", "install", tmp_path / "b29.zip").code == 0
    assert "B-29 Superfortress (version" not in companion("games", "list").out
    assert "with house rules of yours" in companion("games", "list").out
    assert companion("tables", "diff", "b29").out.splitlines()[1] == "  club 1"
    assert "isn't a game of yours" in companion("games", "remove", "b17", "--yes").err


@pytest.mark.parametrize(
    ("name", "files", "message"),
    [
        ("raid", {"pack.toml": 'title = "x"\n'}, "has no sheet.toml"),
        ("raid", {"pack.toml": 'title = "x"\nrequires = "99"\n'}, "needs version 99 of the companion"),
        ("Bad Name", {"pack.toml": "x = 1\n"}, "can't be a game's name"),
    ],
)
def test_what_is_no_sound_game_is_not_installed(
    companion: Run, data_folder: Path, tmp_path: Path, name: str, files: dict[str, str], message: str
) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for file, text in files.items():
            archive.writestr(f"{name}/{file}", text)
        archive.writestr("../../evil.toml", "x = 1\n") if not files else None
    ran = companion("games", "install", tmp_path / "x.zip")
    assert ran.code in (1, 2) and message in ran.err.replace("\n", " ")
    assert not (data_folder / "packs" / name).exists()
    assert companion("games", "install", tables_folder() / "README.md").code == 2


def test_a_game_of_a_python_package_is_found(companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    companion("games", "new", "night-raid")
    folder = tmp_path / "package"
    (folders.players_folder() / "night-raid").rename(folder)
    monkeypatch.setattr(folders, "packaged", lambda: {"night-raid": folder})
    fly(companion, "night-raid")


def test_the_names_of_a_game_are_listed_with_who_writes_and_reads_them(companion: Run) -> None:
    told = companion("tables", "facts", "frostbite", "--game", "b17").out
    assert "frostbite[position] (Frostbite)" in told and "set by " in told and "read by " in told


def test_the_demo_ends_with_story_sheet_and_card(companion: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("time.sleep", lambda seconds: pytest.fail("a pipe is told everything at once"))
    home = os.environ["COMPANION_HOME"]
    ran = companion("demo")
    assert (ran.code, ran.err) == (0, "")
    assert "at your table you roll them yourself" in ran.out.splitlines()[0]
    assert "Crew: " in ran.out
    assert "The target was" in ran.out.partition("mission 21\n---")[2]
    folder = tmp_path / f"companion-demo-{SEED}"
    assert folder.name in ran.out
    assert {each.name for each in folder.iterdir()} == {"card.png", "sheet.pdf", "story.md"}
    assert (folder / "sheet.pdf").read_bytes().startswith(b"%PDF")
    assert os.environ["COMPANION_HOME"] == home
    assert "No campaigns yet" in companion("campaigns").out


def test_the_page_shows_the_demo_without_a_campaign_of_ones_own(companion: Run, monkeypatch: Any) -> None:
    served = []

    def serve(campaign: Campaign, *, browser: bool) -> None:
        served.append((campaign.name, campaign.missions(), browser))

    monkeypatch.setattr("companion.cli.serve.serve", serve)
    assert companion("demo", "--page").code == 0
    assert served == [("Demo", [1], True)]
    assert "No campaigns yet" in companion("campaigns").out


@pytest.mark.slow
def test_a_seed_is_the_same_mission_every_time(companion: Run, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    first = companion("demo", "--seed", 3, "--fast").out
    assert companion("demo", "--seed", 3, "--fast").out == first
    assert companion("demo", "--seed", 4, "--fast").out != first
