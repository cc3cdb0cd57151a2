"""`companion story`: a mission told from its journal, `story.toml`, and a result at its three lengths."""

from pathlib import Path

import pytest

from companion.engine.dice import Hand
from companion.engine.fields import Value
from companion.engine.questions import Pending
from companion.packs import Pack
from companion.play.mission import Mission
from companion.render.describe import changes_of, describe, in_flight, in_full
from companion.render.explanation import explain
from companion.render.history import entry_line
from companion.render.prose import Prose, Sentence, person
from companion.render.report import Block, bbcode, html, markdown, text
from companion.render.story import Story
from companion.store.session import Session
from tests.games.b29.table import OVER
from tests.support import Run, begin, begun, pack, slow_but
from tests.watch import flown
from tests.watch.story import slips

GAMES = ["b17", "b29", "b29-streamliner", "bombs-away"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", slow_but(range(0, 12, 4)))
def test_a_story_tells_every_claim_wound_engine_and_box_of_its_journal_and_no_other(game: str, seed: int) -> None:
    """A few missions; `python -m tests.bench.missions` checks hundreds."""
    pack = Pack(game)
    mission = flown(pack, seed)
    assert slips(pack, mission, Story(mission)) == []


@pytest.mark.parametrize("game", slow_but(GAMES))
def test_a_story_can_be_told_at_any_time(game: str) -> None:
    mission = flown(Pack(game), 3)
    for position in range(mission.journal.position, 0, -5):
        mission.go_to_entry(position)
        Story(mission).sentences()


FIGHTER: dict[str, Value] = {
    "zone": 4,
    "step": "fire",
    "fighter.1.type": "me109",
    "fighter.1.clock": "6",
    "fighter.1.angle": "high",
    "slots.fighter": 1,
    "name.tail-gunner": "Red Mulvaney",
}


def test_a_claim_names_the_man_and_the_fighter_that_is_gone(b17: Pack) -> None:
    """M-1 4 hits from 6, M-2 5 with twin guns destroys: the kill is the tail gunner's."""
    mission = Mission(b17, number=1)
    mission.state.update(FIGHTER)
    mission.pending.append(Pending.of({"roll": "M-1", "bind": {"gun": "tail", "fighter": "1"}}))
    mission.roll(None, Hand([[4]]))
    mission.roll(None, Hand([[5]]))
    story = Story(mission)
    assert "In zone 4, tail gunner Red Mulvaney shot down an Me 109." in story.sentences()
    assert "Claims: tail gunner Red Mulvaney 1." in " ".join(story.summary) or "Red Mulvaney" in " ".join(story.summary)


def test_a_wound_is_told_with_the_fighter_that_caused_it_and_the_pip_that_saved_the_man(b17: Pack) -> None:
    """BL-4 5 is serious, and a 6 kills."""
    mission = Mission(b17, number=1)
    mission.state.update(FIGHTER)
    mission.pending.append(Pending.of({"roll": "BL-4", "bind": {"position": "tail-gunner", "fighter": "1"}}))
    mission.roll(None, Hand([[5]]))
    assert Story(mission).sentences()[-3:-1] == [
        "In zone 4, an Me 109 seriously wounded tail gunner Red Mulvaney.",
        "One pip more would have killed Mulvaney.",
    ]


def test_waves_without_harm_are_told_together(b17: Pack) -> None:
    """M-4 drives off the only fighter of the first wave; the Fw 190 in a dive comes after it."""
    mission = Mission(b17, number=1)
    mission.write({"zone": 4, "leg": "outbound", "step": "waves", "formation": "in", "cover": "good"})
    for table, dice in (("B-3", [1, 1]), ("M-4", [6]), ("B-3", [2, 1])):
        mission.roll(table, Hand([dice]))
        mission.pending = []
    told = Story(mission).sentences()[-2]
    assert told == "In zone 4, the escort drove off an Me 109; an Fw 190 came up and did not fire."


@pytest.mark.section("b17 M-4")
def test_who_got_past_the_escort_is_told_with_it(b17: Pack) -> None:
    """A good cover and a 1 drive off one of two Me 110s."""
    mission = Mission(b17, number=1)
    mission.write({"zone": 4, "leg": "outbound", "step": "waves", "formation": "in", "cover": "good"})
    mission.roll("B-3", Hand([[2, 2]]))
    mission.pending = []
    mission.roll("M-4", Hand([[1]]))
    mission.decide(mission.pending[0], "1")
    told = Story(mission).sentences()[-2]
    assert told == "In zone 4, the escort drove off an Me 110; another got through but did not fire."


@pytest.mark.section("b29 8-1 to 8-7")
@pytest.mark.parametrize(
    ("gear", "dice", "why"),
    [("will-not-hold", "3,4", "They crash-landed because of the weak nose gear"), ("ok", "3,3", "By bad luck alone")],
)
def test_a_crash_landing_is_told_with_its_cause_and_the_men(companion: Run, gear: str, dice: str, why: str) -> None:
    """In these rows a 7 is a safe landing and a 3 is not, which is a 7 on a nose gear that will not hold."""
    begin(companion, "b29", "leg=inbound", "turn=20", "zone=0", "altitude=lo", "weather=good", f"gear.nose={gear}")
    companion("tables", "change", "8-1", "--row", "2-6=wrecked", "--row", "7+=safe", "--game", "b29")
    assert companion("roll", "8-1", "--dice", dice).code == 0
    told = " ".join(companion("story").out.split())
    assert why in told and "the bomber was a wreck, but nobody aboard was hurt" in told


@pytest.mark.section("b29 5-7", "b17 P-6", "b17 8.0 d")
@pytest.mark.parametrize(
    ("game", "sheet", "roll", "dice", "then", "told"),
    [
        ("b29", "zone=12 turn=12", "5-7", [1, 1], "", "In zone 12, the tail guns jammed."),
        ("b17", "gun.tail=jammed", "P-6", [1, 3], "", "In zone 4, an Me 109 knocked out the tail guns."),
        ("b17", "engine.2=out", "P-6", [6, 6], "", "In zone 4, an Me 109 nicked the control cables. | Engine 2 lost."),
        ("b17", "formation=out engine.2=out bombs=jettisoned crew.navigator=serious", "P-6", [3, 3], "aborted=yes",
         "Out of formation and without a fit navigator, they had to turn for home."),
    ],
)  # fmt: skip
def test_the_reason_decided(game: str, sheet: str, roll: str, dice: list[int], then: str, told: str) -> None:
    mission, fighter = Mission(pack := Pack(game), number=1), "zeke" if game == "b29" else "me109"
    mission.state.update({**FIGHTER, "fighter.1.type": fighter, **pack.sheet.given(sheet.split())})
    mission.pending.append(Pending.of({"roll": roll, "bind": {"gun": "tail", "fighter": "1"}}))
    mission.roll(None, Hand([dice]))
    mission.write(pack.sheet.given(then.split()))
    assert set(told.split(" | ")) <= {*Story(mission).sentences(), *Story(mission).summary}


@pytest.mark.parametrize(("game", "seed"), [("b17", 72), ("b29", 41)])
def test_a_quiet_mission_is_a_short_story(game: str, seed: int) -> None:
    assert sum(len(each.split()) for each in Story(flown(Pack(game), seed)).sentences()) <= 150


@pytest.mark.slow
@pytest.mark.parametrize("form", ["md", "html", "bbcode", "txt", "pdf"])
def test_it_is_written_in_every_form(companion: Run, tmp_path: Path, form: str) -> None:
    begin(companion, "b17")("fly", "--auto", "--seed", 7)
    file = tmp_path / f"mission.{form}"
    ran = companion("story", "-o", file)
    assert (ran.code, ran.out) == (0, f"Saved {file}\n")
    content = file.read_bytes()
    if form == "pdf":
        assert content.startswith(b"%PDF")
    else:
        assert "The target was" in content.decode()


@pytest.mark.slow
def test_a_paragraph_for_a_forum_and_the_whole_tour(companion: Run) -> None:
    begin(companion, "b17")("fly", "--auto", "--seed", 7)
    short = companion("story", "--short").out
    assert "\n\n" not in short.strip()
    assert short.count("\n") <= 12
    assert companion("story", "--headline").out.count("\n") <= 2
    assert companion("story", "--as", "bbcode").out.startswith("[size=5][b]")
    assert companion("story", "--as", "md").out.startswith("## ")
    assert companion("story", "--as", "html").out.startswith("<!doctype html>")
    companion("mission", "start", "--yes")
    companion("fly", "--auto", "--seed", 8)
    tour = companion("story", "--campaign").out
    assert tour.count("The target was") == 2
    assert "Tail gunner" in tour.partition("The men")[2]
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
    assert ".md, .html, .bbcode, .pdf or .txt" in companion("story", "-o", tmp_path / "a.doc").err
    assert "--as must be md, bbcode or html." in companion("story", "--as", "doc").err
    assert "Leave out --mission" in companion("story", "--campaign", "--mission", 1).err


def test_a_name_is_no_markup() -> None:
    report = [Block("1", "# <b>*Red*</b>"), Block("p", "1. _x_ | y"), Block("i", "<i>")]
    assert markdown(report) == "# \\# \\<b\\>\\*Red\\*\\</b\\>\n\n1\\. \\_x\\_ \\| y\n\n*\\<i\\>*"
    page = html(report)
    assert "<b>" not in page and "<i>" not in page
    assert bbcode([Block("1", "[b]Red[/b]")]) == "[size=6][b][\u200bb]Red[\u200b/b][/b][/size]"
    assert text(report).splitlines()[0] == "# <b>*Red*</b>"


def test_a_game_without_words_of_its_own_says_so() -> None:
    pack = Pack("b17")  # its own, as it is changed
    pack.layers = {name: paths for name, paths in pack.layers.items() if name != "story"}
    with pytest.raises(Exception, match=r"has no story\.toml"):
        Story(Mission(pack, number=1))


@pytest.mark.section("b29 6.4")
@pytest.mark.parametrize(("first", "second", "many"), [("4", "5", 1), ("5", "4", 1), ("6", "6", 2)])
def test_flak_after_the_run_is_told_with_that_before_it(first: str, second: str, many: int, b29: Pack) -> None:
    """6.4: a second flak roll after the run; a miss of equally heavy flak is no new sentence."""
    mission = Mission(b29, number=1)
    mission.write(b29.sheet.given(OVER.split()))
    for table, dice in (("6-2", first), ("6-3", "55"), ("6-6", "6"), ("6-7", "33"), ("6-2", second), ("6-3", "55")):
        mission.roll(table, Hand([[int(die) for die in dice]]))
        mission.pending = []
    told = [each for each in Story(mission).sentences() if "flak" in each]
    assert len(told) == many
    assert "left the target" not in told[0] or many == 1
    assert "left the target" in told[-1]


@pytest.mark.slow
def test_a_man_s_record_has_his_missions_what_happened_to_him_and_his_luck(companion: Run) -> None:
    begin(companion, "b17")("fly", "--auto", "--seed", 7)
    men = companion("crew", "--json").json["crew"]
    for man in men:
        shown = companion("crew", man["name"]).out
        assert shown.startswith(f"{man['position'].replace('-', ' ').capitalize()}")
        assert f"{man['name']}: 1 mission" in shown
        assert ("hot down" in shown) == bool(man["kills"])
    gunner = companion("crew", "tail gunner").out
    assert companion("crew", men[-1]["name"].split()[-1]).out == gunner
    assert "Luck: Our guns: " in gunner
    assert "Name a position" in companion("crew", "Nobody Known").err


@pytest.mark.parametrize(
    ("name", "before", "after", "event"),
    [
        ("fuel.wing", 0, 12, "Wing tanks: 12 crossed off, 26 left"),
        ("fuel.wing", 12, 10, "Wing tanks: 2 erased, 28 left"), ("engine.2", "ok", "out", "Engine 2: out"),
        ("rally.missed", "no", "yes", "Rally missed"), ("fighter.1.hit", "no", "yes", "Fighter 1 hit the bomber"),
        ("windshield.hits", 1, 2, "Windshield: 2"),
    ],
)  # fmt: skip
def test_a_change_is_told_as_an_event(b29: Pack, name: str, before: int | str, after: int | str, event: str) -> None:
    told = changes_of([(name, before, after)], b29, written=[name])
    assert told.events() == [event] and "→" in told.arrows()[0]


def test_what_happens_to_several_men_is_said_in_one_piece(b29: Pack) -> None:
    men = [("frostbite.pilot", "no", "yes"), ("frostbite.cfc", "no", "yes"), ("crew.pilot", "ok", "kia")]
    assert changes_of(men, b29).events() == ["Frostbite, Pilot, Central fire controller", "Pilot: KIA"]


def test_one_roll_at_three_lengths(b29: Pack) -> None:
    """5-9 from 6 o'clock: 7 or more hits; an ace adds 1. The dice are 4 and 4."""
    mission = begun(b29, {"fighter.1.type": "zeke", "fighter.1.clock": "6", "fighter.1.angle": "level"})
    mission.write({"fighter.1.pilot": "ace"})
    result = mission.roll("5-9", Hand([[4, 4]]), {"fighter": "1"}, single=True)[0]
    session = Session(mission)
    head = "5-9 Japanese offensive fire – fighter 1"
    assert entry_line(mission.journal.entries[-1], b29, result) == (
        f"{head}: 4+4 +1 = 9, The B-29 is hit  Fighter 1 hit the bomber"
    )
    told = [each.text for each in in_flight([result], session, [])]
    assert told[0] == f"{head}: 4+4 +1 ace fighter pilot = 9, The B-29 is hit"
    assert "Fighter 1 hit the bomber" not in told  # the wave shows it
    full = [f"{each.margin}{each.text}" for each in in_full(describe(result, session))]
    assert [line.split() for line in full[1:4]] == [
        ["dice", "8", "4", "+", "4"], ["+1", "ace", "fighter", "pilot", "5-5"], ["net", "9"],
    ]  # fmt: skip
    assert full[4] == "  The B-29 is hit" and "    Fighter 1 hit the bomber" not in full
    assert "    Fighter 1 hit the bomber: none → yes" in [
        f"{each.margin}{each.text}" for each in in_full(explain(session, None).told, arrows=True)
    ]


HITS = """
[[line]]
on = "hits[side]"
when = "more >= 1"
as = "the {side} side {times}"
text = "struck: {told}"
[[line]]
on = "hits[side]"
text = "mended: {-1 * more}"
[[line]]
on = "t"
when = "value = 'b'"
weight = 5
text = "a {roll} on t"
[[end]]
on = "hits[side]"
when = "more >= 1"
as = "{more} on {side}"
text = "in all {told}"
[[end]]
for = "side"
when = "hits[side] >= 1"
as = "{side} {hits[side]}"
text = "left: {told}"
[[short]]
when = "zone >= 2"
text = "far out"
"""
CHAPTERS = """
[[chapter]]
title = "Near"
when = "zone <= 1"
[[chapter]]
title = "Far"
by = "{zone}"
zone = "{zone}"
place = "in zone {zone}"
quiet = "{told} {were} quiet"
still = "all was quiet"
"""
TABLE = 'title = "T"\ndice = "1D"\nrows = {"1..3" = "a", "4.." = "b"}\n[outcome]\na.text = "a"\nb.text = "b"\n'


def raid(folder: Path, story: str = CHAPTERS + HITS) -> Mission:
    return Mission(pack(folder, "raid", story='title = "The raid"\n' + story, t=TABLE), number=1)


def paragraphs(mission: Mission, most: int = 600) -> list[str]:
    return [" ".join(each.text for each in part) for part in Story(mission).paragraphs(most)]


@pytest.mark.parametrize(
    ("flown", "told"),
    [
        ("port starboard starboard port -port",
         ["A 4 on t. Struck: the port side (twice) and the starboard side (twice). Mended: 1."]),
        ("2 3 4 5 port", ["A 4 on t.", "Zones 2 to 4 were quiet. In zone 5 struck: the port side."]),
        ("port undo", ["A 4 on t."]),  # what was taken back is not told
    ],
)  # fmt: skip
def test_alike_events_and_quiet_zones_are_told_together(tmp_path: Path, flown: str, told: list[str]) -> None:
    mission = raid(tmp_path, CHAPTERS + HITS.partition("[[end]]")[0])
    mission.roll("t", Hand([[4]]))
    for each in flown.split():
        if each.isdigit():
            mission.write({"zone": int(each)})
        elif each == "undo":
            mission.undo()
        else:
            mission.cross(f"hits.{each.lstrip('-')}", 1, "erase" if each.startswith("-") else "mark")
    assert paragraphs(mission) == told
    assert paragraphs(mission, most=5) == ["A 4 on t."]  # what weighs little is left out


def test_the_end_tells_of_the_whole_mission(tmp_path: Path) -> None:
    mission = raid(tmp_path)
    mission.roll("t", Hand([[4]]))
    mission.cross("hits.port", 3)
    mission.write({"zone": 2})
    mission.cross("hits.port", 1, "erase")
    assert paragraphs(mission)[-1] == "In all 3 on port. Left: port 2."
    assert Story(mission).summary == ["Far out."]


def test_damage_is_told_with_its_cause_and_each_verb_once(tmp_path: Path) -> None:
    story = """
[[line]]
on = "t"
when = "value = 'b'"
part = "cause"
as = "the burst"
[[line]]
on = "hits[side]"
did = "holed|the {side} side"
"""
    mission = raid(tmp_path, CHAPTERS + story)
    mission.roll("t", Hand([[4]]))
    mission.cross("hits.port", 1)
    mission.cross("hits.starboard", 1)
    assert paragraphs(mission) == ["The burst holed the port side and the starboard side."]


@pytest.mark.parametrize(
    ("dice", "told"), [(4, ["Close: one pip less."]), (6, []), (3, ["Close: one pip more."]), (1, [])]
)
def test_a_close_roll_says_which_pip_decided_it(tmp_path: Path, dice: int, told: list[str]) -> None:
    story = """
[[line]]
on = "t"
when = "value = 'b'"
other = ["a"]
text = "close: {near}"
[[line]]
on = "t"
when = "value = 'a'"
other = ["b"]
text = "close: {near}"
"""
    mission = raid(tmp_path, CHAPTERS + story)
    mission.roll("t", Hand([[dice]]))
    assert paragraphs(mission) == told


def test_a_man_is_named_in_full_once_and_nothing_is_said_twice() -> None:
    prose, cox = Prose(Pack("b17")), person("Sam Cox", "Tail gunner")
    texts = [f"a Me 109 hit {cox}", f"{cox} fired", f"{person('Bob Cox', 'Pilot')} saw it", f"{cox} fired"]
    told = prose.told([[Sentence(each) for each in texts]])[0]
    assert [each.text for each in told] == [
        "An Me 109 hit tail gunner Sam Cox.", "Sam Cox fired.", "Pilot Bob Cox saw it.", "Again Sam Cox fired.",
    ]  # fmt: skip
    assert prose.named(texts[:2]) == ["An Me 109 hit tail gunner Sam Cox.", "Cox fired."]
    assert prose.told([[Sentence("it ended")]])[0][0].text == "It ended."
