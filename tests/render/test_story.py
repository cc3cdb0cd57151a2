"""`companion story`: a mission told from its journal, with nothing added."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.pending import Pending
from companion.packs import Pack
from companion.play.mission import Mission
from companion.render.report import Block, html, markdown, text
from companion.render.story import story_of
from tests.games.b29.table import OVER
from tests.support import Run, begin, slow_but
from tests.watch import flown
from tests.watch.story import happened, slips, told

GAMES = ["b17", "b29", "b29-streamliner", "bombs-away"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", slow_but(range(0, 12, 4)))
def test_a_story_tells_every_claim_wound_engine_and_box_of_its_journal_and_no_other(game: str, seed: int) -> None:
    """A few missions; `python -m tests.bench.missions` checks hundreds."""
    pack = Pack(game)
    mission = flown(pack, seed)
    assert slips(pack, mission, story_of(pack, mission)) == []


FIGHTER: dict[str, Value] = {
    "zone": 4,
    "step": "fire",
    "fighter.1.type": "me109",
    "fighter.1.clock": "6",
    "fighter.1.angle": "high",
    "slots.fighter": 1,
    "name.tail-gunner": "Red Mulvaney",
}


def test_a_claim_names_the_man_and_the_fighter_that_is_gone() -> None:
    """M-1 4 hits from 6, M-2 5 with twin guns destroys: the kill is the tail gunner's."""
    pack = Pack("b17")
    mission = Mission(pack, number=1)
    mission.state.update(FIGHTER)
    mission.pending.append(Pending.of({"roll": "M-1", "bind": {"gun": "tail", "fighter": "1"}}))
    mission.roll(None, Hand([[4]]))
    mission.roll(None, Hand([[5]]))
    story = story_of(pack, mission)
    sentences = " ".join(each.text for each in story.sentences())
    assert "tail gunner Red Mulvaney" in sentences
    assert "Me 109 from 6 high" in sentences
    claim = {("claim", "Red Mulvaney"): 1, ("boxes", "ammo.tail"): 1}
    assert told(pack, story, ["Red Mulvaney"]) == happened(pack, mission) == claim
    assert any("Red Mulvaney" in each.text for each in story.short)


def test_a_name_is_kept_as_typed() -> None:
    pack = Pack("b17")
    mission = Mission(pack, number=1)
    mission.state.update({**FIGHTER, "name.tail-gunner": "Red {x} 100%s <b>"})
    mission.write({"crew.tail-gunner": "light"})
    mission.pending.append(Pending.of({"roll": "BL-4", "bind": {"position": "tail-gunner"}}))
    mission.roll(None, Hand([[4]]))
    told_of = " ".join(each.text for each in story_of(pack, mission).sentences())
    assert "tail gunner Red {x} 100%s <b> was killed" in told_of or "Red {x} 100%s <b> was dead" in told_of


def test_a_story_is_the_same_every_time_and_varies_its_words() -> None:
    pack = Pack("b29")
    mission = flown(pack, 4)
    sentences = [each.text for each in story_of(pack, mission).sentences()]
    assert sentences == [each.text for each in story_of(pack, mission).sentences()]
    openings = [each for each in sentences if re.search(r"[Zz]one \d+", each)]
    assert len({re.sub(r"\d+", "", each) for each in openings}) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("form", ["md", "html", "txt", "pdf"])
def test_it_is_written_in_every_form(companion: Run, tmp_path: Path, form: str) -> None:
    begin(companion, "b17")("fly", "--auto", "--seed", 7)
    file = tmp_path / f"mission.{form}"
    ran = companion("story", "-o", file)
    assert (ran.code, ran.out) == (0, f"Saved {file}\n")
    content = file.read_bytes()
    if form == "pdf":
        assert content.startswith(b"%PDF")
    else:
        assert "Over the target" in content.decode()


@pytest.mark.slow
def test_a_paragraph_for_a_forum_and_the_whole_tour(companion: Run) -> None:
    begin(companion, "b17")("fly", "--auto", "--seed", 7)
    short = companion("story", "--short").out
    assert "\n\n" not in short.strip()
    assert short.count("\n") <= 12
    companion("mission", "start", "--yes")
    companion("fly", "--auto", "--seed", 8)
    tour = companion("story", "--campaign").out
    assert tour.count("What became of it") == 2
    assert "The men" in tour
    assert "Tail gunner" in tour.partition("The men")[2]
    assert "What became of it" not in companion("story", "--campaign", "--short").out
    assert companion("story", "--mission", 1).out != companion("story", "--mission", 2).out


@pytest.mark.slow
def test_what_cannot_be_told_is_said(companion: Run, tmp_path: Path) -> None:
    assert "No campaign is in use" in companion("story").err
    companion("new", "Owls", "--game", "b17", "--yes")
    assert "No mission has been started" in companion("story").err
    companion("mission", "start", "--yes")
    assert "There is no story yet" in companion("story").err
    companion("fly", "--auto", "--seed", 7)
    assert "There is no mission 3" in companion("story", "--mission", 3).err
    assert ".md, .html, .pdf or .txt" in companion("story", "-o", tmp_path / "a.doc").err
    assert "Leave out --mission" in companion("story", "--campaign", "--mission", 1).err


def test_a_name_is_no_markup() -> None:
    report = [Block("1", "# <b>*Red*</b>"), Block("p", "1. _x_ | y"), Block("-", rows=[["<i>"]])]
    assert markdown(report) == "# \\# \\<b\\>\\*Red\\*\\</b\\>\n\n1\\. \\_x\\_ \\| y\n\n- \\<i\\>"
    page = html(report, "<t>")
    assert "<b>" not in page and "<i>" not in page and "<t>" not in page
    assert text(report).splitlines()[0] == "# <b>*Red*</b>"


def test_a_game_without_words_of_its_own_says_so(companion: Run) -> None:
    pack = Pack("b17")
    pack._units["story"] = {}
    with pytest.raises(Exception, match=r"has no story\.toml"):
        story_of(pack, Mission(pack, number=1))


@pytest.mark.section("b29 6.4")
@pytest.mark.parametrize(("first", "second"), [("4", "5"), ("5", "4"), ("2", "2"), ("6", "6")])
def test_the_second_flak_is_told_separately(first: str, second: str) -> None:
    """6.4: a second flak roll after the run, equally heavy or not; the story tells both in order."""
    pack = Pack("b29")
    mission = Mission(pack, number=1)
    mission.write(pack.sheet.given(OVER.split()))
    for table, dice in (("6-2", first), ("6-6", "6"), ("6-7", "33"), ("6-2", second)):
        mission.roll(table, Hand([[int(die) for die in dice]]))
        mission.pending = []
    told = [each.text for each in story_of(pack, mission).sentences() if "flak" in each.text]
    assert len(told) == 2
    out = ("run out", "bombs gone", "followed them out")
    assert not any(words in told[0] for words in out)
    assert any(words in told[1] for words in out)
