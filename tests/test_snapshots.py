"""A sheet's codes bring it back; what is damaged, foreign or too much is refused and nothing is written."""

from __future__ import annotations

import json
import os
import random
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFilter

from companion.campaign import snapshot, store
from companion.campaign.log import CampaignLog
from companion.cli.campaign_log import as_object
from companion.packs import Pack
from companion.problems import Problem
from tests.conftest import Run


@pytest.fixture
def flown(companion: Run) -> Run:
    """A campaign of two missions, the second under way with rolls and orders pending."""
    companion("new", "Night Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes", "--with", "target.city=Osaka")
    companion("fly", "--auto", "--seed", "4")
    companion("mission", "start", "--yes", "--with", "target.city=Kobe")
    companion("fly", "--auto", "--seed", "15")
    companion("undo", "20")
    return companion


@pytest.fixture
def elsewhere(companion: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The same command line with an empty data folder, once it is called."""

    def run(*arguments: object) -> Any:
        monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "elsewhere"))
        return companion(*arguments)

    return run


def held(pack: Pack) -> tuple[Any, Any]:
    used = store.current()
    assert used is not None
    mission = used.load(pack)
    assert mission is not None
    return mission.state, mission.pending


def as_printed(picture: Image.Image) -> Image.Image:
    return picture


def at_150_dots(picture: Image.Image) -> Image.Image:
    size = (picture.width * 150 // 200, picture.height * 150 // 200)
    return picture.resize(size, Image.Resampling.BILINEAR)


def turned(picture: Image.Image) -> Image.Image:
    return picture.rotate(7, expand=True, fillcolor="white", resample=Image.Resampling.BICUBIC)


def blurred(picture: Image.Image) -> Image.Image:
    return picture.filter(ImageFilter.GaussianBlur(0.8))


def photographed(picture: Image.Image) -> Image.Image:
    return blurred(turned(at_150_dots(picture)))


def in_bad_light(picture: Image.Image) -> Image.Image:
    """Dark, pale, grainy and from the side."""
    dark = photographed(picture.resize((picture.width * 4 // 3, picture.height * 4 // 3))).convert("L")
    wide, tall = dark.size
    leaning = dark.transform(dark.size, Image.Transform.QUAD, (0, 0, 30, tall, wide, tall - 40, wide - 40, 25))
    pale = leaning.point([40 + value // 3 for value in range(256)])
    grain = random.Random(1)
    for _ in range(pale.width * pale.height // 30):
        pale.putpixel((grain.randrange(pale.width), grain.randrange(pale.height)), grain.randrange(256))
    return pale


def test_a_printed_mission_comes_back_equal(flown: Run, elsewhere: Run, b29: Pack, tmp_path: Path) -> None:
    before = held(b29)
    assert before[1], "something should be pending"
    assert flown("sheet", "mission", "-o", tmp_path / "m.png").code == 0
    seen: list[Callable[[Image.Image], Image.Image]] = [
        as_printed,
        at_150_dots,
        turned,
        blurred,
        photographed,
        in_bad_light,
    ]
    pages = sorted(tmp_path.glob("m*.png"))[-2:]  # the codes stand at the end
    for look in seen:
        for page in pages:
            with Image.open(page) as picture:
                look(picture.convert("RGB")).save(page.with_suffix(".jpg"), quality=80)
        name = look.__name__.replace("_", " ")
        ran = elsewhere("restore", *[page.with_suffix(".jpg") for page in pages], "--yes", "--as", name)
        assert (ran.code, ran.err) == (0, ""), name
        assert held(b29) == before, name


def test_a_printed_campaign_comes_back_with_the_same_log(flown: Run, elsewhere: Run, b29: Pack, tmp_path: Path) -> None:
    used = store.current()
    assert used is not None
    before = as_object(CampaignLog.of(b29, used), used.name)
    flown("sheet", "campaign", "-o", tmp_path / "c.png")
    assert elsewhere("restore", *sorted(tmp_path.glob("c*.png")), "--yes").code == 0
    back = store.current()
    assert back is not None
    assert as_object(CampaignLog.of(b29, back), back.name) == before


def test_text_and_export_come_back_equal(flown: Run, elsewhere: Run, b29: Pack, tmp_path: Path) -> None:
    before = held(b29)
    text = flown("snapshot", "--text").out
    codes = flown("snapshot", "--qr").out
    assert "Code 1 of" in codes and "█" in codes
    (tmp_path / "c.json").write_text(flown("export", "--json").out)
    table = flown("export", "--csv").out
    typed = "\n".join(text.strip()[at : at + 60] for at in range(0, len(text), 60))
    assert elsewhere("restore", typed, "--yes").code == 0
    assert held(b29) == before
    assert elsewhere("import", tmp_path / "c.json", "--as", "Twins", "--yes").code == 0
    assert held(b29) == before
    assert elsewhere("export", "--csv").out == table


def test_nothing_is_restored_unless_agreed(flown: Run, elsewhere: Run, tmp_path: Path) -> None:
    text = flown("snapshot", "--text").out
    ran = elsewhere("restore", text)
    assert (ran.code, ran.err) == (2, "nobody is here to agree; to restore without asking add --yes\n")
    assert "Night Owls: a mission of B-29 Superfortress" in ran.out
    assert not (tmp_path / "elsewhere" / "campaigns").exists()


def test_a_campaign_never_covers_another(flown: Run) -> None:
    text = flown("snapshot", "--campaign", "--text").out
    ran = flown("restore", text, "--yes")
    assert ran.code == 2
    assert "--as NAME" in ran.err


def document(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "companion": 1, "kind": "mission", "game": "b29", "name": "Owls", "aircraft": "Lucky", "roster": {"pilot": "A"},
        "missions": [{"number": 1, "facts": {"altitude": "hi"}, "pending": [{"roll": "5-1", "bind": {}, "born": 1}]}],
    }  # fmt: skip
    made.update(changes)
    return made


def mission(**changes: Any) -> dict[str, Any]:
    return document(missions=[{"number": 1, "facts": {}, "pending": [], **changes}])


HOSTILE = [
    ({}, "snapshot"),
    (document(kind="virus"), "neither a mission nor a campaign"),
    (document(companion=2), "needs another companion"),
    (document(companion="1"), "companion is no number"),
    (document(game="b24"), "there is no game"),
    (document(game="../../etc"), "there is no game"),
    (document(name="///"), "cannot name a campaign"),
    (document(name="x" * 500), "name is no line"),
    (document(name="a\nb"), "name is no line"),
    (document(name="a\x9b5mb"), "name is no line"),
    (document(aircraft="Bad\x1b[5mname"), "aircraft is no line"),
    (document(roster={"pilot": "x" * 81}), "pilot is no line"),
    (document(roster={"pilot": "\u202eekaF"}), "pilot takes one line"),
    (document(variants=[]), "variants are no list of games"),
    (document(variants={"one": "b29"}), "variants are no list of games"),
    (document(variants={"1": 29}), "variants are no list of games"),
    (document(variants={"1": "b24"}), "there is no game b24"),
    (document(variants={"1": "b17"}), "another game than b29"),
    (mission(facts={"front": "storm"}), "field 'front' that b29 does not know"),
    (mission(facts={"target.city": "Kobe\x9b5m"}), "no plain value in target.city"),
    (document(roster={"cook": "A"}), "crew position"),
    (document(roster=[]), "crew list"),
    (document(extra=1), "holds 'extra'"),
    (document(missions={}), "list of missions"),
    (document(missions=[1]), "not a sheet"),
    (document(kind="campaign", missions=[{"number": 2, "facts": {}}, {"number": 1, "facts": {}}]), "out of order"),
    (mission(number=-1), "number is no number"),
    (mission(facts={"altitude": "moon"}), "altitude cannot be moon"),
    (mission(facts={"fuel.wing": 39}), "cannot be 39"),
    (mission(facts={"fuel.wing": True}), "no plain value"),
    (mission(facts={"fuel.wing": 1.5}), "no plain value"),
    (mission(facts={"sea": "x" * 501}), "up to 500 characters"),
    (mission(facts={"notes": "x" * 20_001}), "up to 20000 letters"),
    (mission(facts={"notes": ["x"]}), "no plain value"),
    (mission(facts={"engines.out": 1}), "field 'engines.out'"),
    (mission(facts={"__class__": "x"}), "field '__class__'"),
    (mission(pending=[{"roll": "5-99"}]), "no table 5-99"),
    (mission(pending=[{"choose": "rob-a-bank"}]), "for a choice"),
    (mission(pending=[{"ask": "nothing"}]), "no fact nothing"),
    (mission(pending=[{"order": "x", "done": "no.such = 1"}]), "there is no fact no.such"),
    (mission(pending=[{"order": "x", "done": {"no.such": 1}}]), "there is no fact no.such"),  # of the first edition
    (mission(pending=[{"order": "x", "done": "zone >= "}]), "an order ends on what b29 does not know"),
    (mission(pending=[{"order": "x", "done": "zone"}]), "an order ends on what b29 does not know"),
    (mission(pending=[{"order": "x", "done": "__import__('os').getcwd() = 1"}]), "an order ends on what"),
    (mission(pending=[{"order": "x", "done": "(" * 400}]), "nested too deeply"),
    (mission(pending=[{"order": "x", "done": "zone = 1 or " * 100}]), "ends on nothing"),
    (mission(pending=[{"order": "x", "done": ["zone"]}]), "ends on nothing"),
    (mission(pending=[{"order": "x", "done": {"zone": {"min": {}}}}]), "an order ends on what b29 does not know"),
    (mission(pending=[{"order": "x", "done": {"zone{{}": {"min": "{{x"}}}]), "an order ends on what"),
    (mission(pending=[{"order": "x", "done": {"some": {"each": [], "where": {}}}}]), "an order ends on what"),
    (mission(pending=[{"order": "x", "done": "zone = 1", "by": 5}]), "its by is no line"),
    (mission(pending=[{"order": "x", "exec": "rm"}]), "holds 'exec'"),
    (mission(pending=[{"roll": "5-1", "bind": {"fighter": []}}]), "bound to nothing"),
    (mission(pending=["roll"]), "no list of rolls"),
    (mission(pending=[{"roll": "5-1", "born": "x"}]), "born is no number"),
]


@pytest.mark.parametrize(("given", "said"), HOSTILE, ids=[said for _, said in HOSTILE])
def test_what_does_not_belong_is_refused(companion: Run, data_folder: Path, given: dict[str, Any], said: str) -> None:
    ran = companion("restore", snapshot.text(given), "--yes")
    assert ran.code == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1
    assert not (data_folder / "campaigns").exists()


def test_a_good_document_of_that_shape_is_taken(companion: Run) -> None:
    assert companion("restore", snapshot.text(document()), "--yes").code == 0


@pytest.mark.parametrize(
    "done", ["zone >= 2 and crew.pilot = ok", {"zone": {"min": 2}, "crew.pilot": "ok"}], ids=["now", "first edition"]
)
def test_an_order_that_was_standing_ends_as_it_would_have(companion: Run, done: Any) -> None:
    given = mission(pending=[{"order": "Hold on", "done": done}, {"order": "And on", "done": done, "by": "no such"}])
    assert companion("restore", snapshot.text(given), "--yes").code == 0
    for zone, stands in ((1, True), (2, False)):
        companion("set", f"zone={zone}")
        assert [line for line in ("Hold on", "And on") if line in companion("next").out] == [
            "Hold on",
            "And on",
        ] * stands


@pytest.mark.parametrize("at", range(0, 200, 7))
def test_one_wrong_letter_is_noticed(at: int) -> None:
    text = snapshot.text(document())
    wrong = text[:at] + ("A" if text[at : at + 1] != "A" else "B") + text[at + 1 :]
    with pytest.raises(Problem):
        snapshot.read([wrong])


def test_too_large_and_too_deep_are_refused_before_they_are_parsed() -> None:
    def worded(plain: bytes) -> str:
        import base64

        packed = zlib.compress(plain, 9)
        return f"bc1.{zlib.crc32(packed):08x}.{base64.urlsafe_b64encode(packed).decode()}"

    with pytest.raises(Problem, match="far too large"):
        snapshot.read([worded(b'{"a":"' + b"x" * 50_000_000 + b'"}').rstrip("=")])
    with pytest.raises(Problem, match="nested too deeply"):
        snapshot.read([worded(b"[" * 100_000 + b"]" * 100_000).rstrip("=")])
    begun = time.process_time()
    with pytest.raises(Problem, match="not JSON"):
        snapshot.parsed(b'{"' + b'\\"' * 1_000_000)
    assert time.process_time() - begun < 2
    with pytest.raises(Problem, match="far too long"):
        snapshot.read(["BC1:1/1:00000000:" + "A" * 1_000_000])


def test_codes_in_any_order_and_what_is_missing_is_named() -> None:
    large = document(missions=[{"number": 1, "facts": {"notes": os.urandom(240).hex()}, "pending": []}])
    large["roster"] = {p: os.urandom(39).hex() for p in ("pilot", "copilot", "navigator", "engineer", "cfc")}
    texts = snapshot.codes(large)
    assert len(texts) > 1
    assert snapshot.read([*reversed(texts), "https://example.org", texts[0]]) == large
    with pytest.raises(Problem, match=f"code {len(texts)} of {len(texts)} is missing"):
        snapshot.read(texts[:-1])
    with pytest.raises(Problem, match="codes 1, 2 and 3 of 4 are missing"):
        snapshot.read(["BC1:4/4:00000000:AAA"])
    with pytest.raises(Problem, match="two different snapshots"):
        snapshot.read([texts[0], *snapshot.codes(document())])
    with pytest.raises(Problem, match="no snapshot"):
        snapshot.read(["https://example.org"])


PRINTED = (
    "BC1:1/1:B2A6A145:NCFTY6/K7 H0ZO1UEU.LJ:LTI5J GAK325KSM/EOV5R O9JQFIE3339D5. UUEN5FHQ94NXC/+2Y/0XS0NFG2HJ5LO0LON9B"
    "-.6C9WK$U5QHVHADB32J5NNQ-FE4SPAVAJC8U99PZSW%RIGLISBM4WCDOSYL3O4G%6A:MHV60K9YKRU8W4LR$/H2MU*%GGU5$J1LDO-0"
)


def test_a_code_that_was_printed_long_ago_is_still_read() -> None:
    assert snapshot.read([PRINTED]) == mission(facts={"altitude": "hi"})
    for damaged in (PRINTED.replace(":NCF", ":::::"), PRINTED[:-1], PRINTED.replace("NCF", "nCF")):
        with pytest.raises(Problem, match="damaged"):
            snapshot.read([damaged])


@pytest.mark.parametrize("data", [b"", b"\x89PNG broken", b"\xff\xd8\xff", b"{}", b"hello", b"\xc3\x28", b"BC1:1/2"])
def test_a_file_that_is_none_of_ours(companion: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "what").write_bytes(data)
    for command in ("restore", "import"):
        ran = companion(command, tmp_path / "what", "--yes")
        assert ran.code == 2, ran.err
        assert ran.err.count("\n") == 1
    assert companion("restore", tmp_path / "nothing.png").code == 2


def test_a_sheet_as_pdf_or_drawing_is_no_picture(flown: Run, tmp_path: Path) -> None:
    for form in ("pdf", "svg"):
        flown("sheet", "campaign", "-o", tmp_path / f"c.{form}")
        ran = flown("restore", min(tmp_path.glob(f"c*.{form}")))
        assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert "write the sheet as .png" in ran.err
    assert "nothing to restore" in flown("restore", "").err


def test_what_is_no_export_is_called_that(flown: Run, tmp_path: Path) -> None:
    (tmp_path / "o.json").write_text("{}")
    Image.new("L", (300, 300), 255).save(tmp_path / "white.png")
    for file, said in (("o.json", "no snapshot of the companion; nothing"), ("white.png", "it is not JSON")):
        assert said in flown("import", tmp_path / file).err


def test_a_picture_without_a_code(companion: Run, tmp_path: Path) -> None:
    Image.new("L", (300, 300), 255).save(tmp_path / "white.png")
    assert "no code" in companion("restore", tmp_path / "white.png").err


def test_an_imported_file_is_as_untrusted(companion: Run, tmp_path: Path) -> None:
    (tmp_path / "c.json").write_text(
        json.dumps(document(kind="campaign", missions=[{"number": 1, "facts": {"zone": 99}}]))
    )
    ran = companion("import", tmp_path / "c.json", "--yes")
    assert ran.code == 2
    assert "zone cannot be 99" in ran.err


def test_a_person_is_asked_first(flown: Run, tmp_path: Path) -> None:
    import pexpect

    text = flown("snapshot", "--text").out.strip()
    (tmp_path / "word.txt").write_text(text)
    env = {**os.environ, "COMPANION_HOME": str(tmp_path / "elsewhere"), "TERM": "dumb"}
    for said, told in (("n", "Nothing was restored"), ("y", "Restored and in use: Night Owls")):
        child = pexpect.spawn(
            sys.executable, ["-m", "companion", "restore", str(tmp_path / "word.txt")], env=env, timeout=60
        )
        child.expect("Restore it")
        child.sendline(said)
        child.expect(told)
        child.expect(pexpect.EOF)
        child.close()


# -- a campaign whose missions were flown as variants ------------------------------------------------------------------


@pytest.fixture
def varied(companion: Run) -> Run:
    """A mission of the B-29, one of its Streamliner with a field of its own, and one of the B-29 again."""
    end = ("bomber.fate=returned", "bombs=dropped", "bomb-run=on", "bomb-run.percent=30", "credit=yes")
    companion("new", "Night Owls", "--game", "b29", "--yes")
    for game, more in (("b29", ()), ("b29-streamliner", ("front=storm",)), ("b29", ())):
        assert companion("mission", "start", "--yes", "--game", game).code == 0
        assert companion("set", *end, *more).code == 0
    return companion


GAMES = ["b29", "b29-streamliner", "b29"]


def flown_as() -> list[str]:
    used = store.current()
    assert used is not None
    return [used.game_of(number) for number in used.missions()]


def test_an_export_knows_what_each_mission_was_flown_with(varied: Run, elsewhere: Run, tmp_path: Path) -> None:
    made, log = varied("export", "--json"), varied("campaign", "--json").json
    assert (made.code, made.err) == (0, "")
    assert made.json["missions"][1]["facts"]["front"] == "storm"
    (tmp_path / "c.json").write_text(made.out)
    assert elsewhere("import", tmp_path / "c.json", "--yes").code == 0
    assert flown_as() == GAMES
    assert elsewhere("export", "--json").json == made.json
    assert elsewhere("campaign", "--json").json == log
    assert elsewhere("doctor").code == 0


def test_the_codes_of_a_campaign_know_it_too(varied: Run, elsewhere: Run) -> None:
    log, crew = varied("campaign", "--json").json, varied("crew", "--json").json
    text = varied("snapshot", "--campaign", "--text").out
    assert elsewhere("restore", text, "--yes").code == 0
    assert flown_as() == GAMES
    assert (elsewhere("campaign", "--json").json, elsewhere("crew", "--json").json) == (log, crew)
    assert elsewhere("bomber", "--json").json["bomber"]["missions"] == 3
    assert elsewhere("doctor").code == 0


def test_the_code_of_one_mission_goes_back_where_it_was(varied: Run, elsewhere: Run, tmp_path: Path) -> None:
    assert varied("sheet", "mission", "--mission", "2", "-o", tmp_path / "m.png").code == 0
    pages = sorted(tmp_path.glob("m*.png"))
    varied("mission", "start", "--yes")
    assert varied("restore", *pages, "--yes").code == 0
    assert (varied("export", "--json").json["missions"][1]["facts"]["front"], flown_as()[:3]) == ("storm", GAMES)
    assert elsewhere("restore", *pages, "--yes").code == 0
    assert elsewhere("status", "--json").json["facts"]["front"] == "storm"
    text = elsewhere("snapshot", "--text").out.strip()
    elsewhere("new", "Other", "--game", "b29", "--yes")
    ran = elsewhere("restore", text, "--as", "Other", "--yes")
    assert (ran.code, ran.err.count("\n")) == (2, 1) and "mission 2 of Other is one of b29" in ran.err


# -- what is accepted comes back -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x" * 81, "Two\nLines\x1b[31mred", "Bad\x1b[5mname", "Bell\x07", "C1\x9b5m"])
def test_a_name_that_could_not_come_back_is_not_taken(companion: Run, data_folder: Path, name: str) -> None:
    assert companion("new", f"A{name}", "--game", "b29", "--yes").code == 2
    assert not (data_folder / "campaigns").exists()
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    before = companion("export", "--json").out
    for command in (
        ["crew", "--set", f"pilot={name}"],
        ["bomber", name, "--yes"],
        ["set", f"name.pilot={name}"],
        ["mission", "start", "--yes", "--with", f"aircraft.name={name}"],
    ):
        ran = companion(*command)
        assert (ran.code, ran.err.count("\n")) == (2, 1), command
        assert "takes one line of up to 80 characters" in ran.err
        assert "\x1b" not in ran.out + ran.err
    assert companion("export", "--json").out == before


def test_the_longest_names_come_back(companion: Run, elsewhere: Run, tmp_path: Path) -> None:
    longest = "Zoë " + "x" * 76
    companion("new", longest, "--game", "b29", "--yes")
    assert companion("crew", "--set", f"pilot={longest}").code == 0
    assert companion("bomber", longest, "--yes").code == 0
    companion("mission", "start", "--yes")
    made = companion("export", "--json")
    (tmp_path / "c.json").write_text(made.out)
    assert elsewhere("import", tmp_path / "c.json", "--yes").code == 0
    assert elsewhere("export", "--json").json == made.json


def test_names_that_an_older_companion_took_still_load_and_come_back(
    companion: Run, elsewhere: Run, tmp_path: Path
) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    used = store.current()
    assert used is not None
    with used.lock():
        used.keep(name="Two\nLines\x1b[31mred", aircraft="y" * 90, roster={"pilot": "x" * 90, "cfc": "Roy"})
    assert companion("mission", "start", "--yes").code == 0
    text = companion("export", "--json").out
    (tmp_path / "c.json").write_text(text)
    assert elsewhere("import", tmp_path / "c.json", "--yes").code == 0
    made = elsewhere("export", "--json").json
    assert (made["name"], made["roster"]) == ("Two Lines [31mred", {"pilot": "x" * 80, "cfc": "Roy"})
    assert made["missions"][0]["facts"]["name.pilot"] == "x" * 90


def test_a_name_that_cannot_be_shown_is_asked_to_be_mended_before_it_flies(companion: Run) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    used = store.current()
    assert used is not None
    with used.lock():
        used.keep(roster={"pilot": "Bad\x1b[5mname"})
    ran = companion("mission", "start", "--yes")
    assert (ran.code, ran.err.count("\n")) == (2, 1) and "name.pilot takes one line" in ran.err
    assert companion("crew", "--set", "pilot=Harlan Beck").code == 0
    assert companion("mission", "start", "--yes").code == 0


def test_a_new_campaign_asks_again_for_a_name_that_is_none(data_folder: Path) -> None:
    from tests.test_at_the_table import sit_down

    terminal = sit_down("new", "Owls", "--game", "b29")
    terminal.expect("Aircraft")
    terminal.sendline("x" * 81)
    terminal.expect("takes one line of up to 80 characters")
    terminal.expect("Aircraft")
    terminal.sendline("Miss Cue")
    for _ in range(11):  # the crew as it is
        terminal.expect(r"\]: ")
        terminal.sendline("")
    terminal.expect("Owls: a campaign of")
    used = store.Campaign(data_folder / "campaigns" / "owls")
    assert used.about["aircraft"] == "Miss Cue"


# -- an import is whole or not at all --------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("at", ["mission-02.json", "campaign.json"])
def test_a_broken_import_leaves_nothing_and_can_be_repeated(
    flown: Run, elsewhere: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str, fault: BaseException
) -> None:
    (tmp_path / "c.json").write_text(flown("export", "--json").out)
    replace = os.replace

    def broken(source: Any, target: Any) -> None:
        if Path(target).name == at:
            raise fault
        replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", broken)
        ran = elsewhere("import", tmp_path / "c.json", "--yes")
    assert ran.code == 1 and "othing was recorded" in ran.err
    assert [each.name for each in (tmp_path / "elsewhere" / "campaigns" / "night-owls").iterdir()] == [".lock"]
    assert "No campaigns yet" in elsewhere("campaigns").out
    assert elsewhere("import", tmp_path / "c.json", "--yes").code == 0
    assert elsewhere("campaigns", "--json").json[0]["missions"] == 2


def test_missions_whose_campaign_is_lost_are_not_covered(flown: Run, tmp_path: Path, data_folder: Path) -> None:
    (tmp_path / "c.json").write_text(flown("export", "--json").out)
    folder = data_folder / "campaigns" / "night-owls"
    before = (folder / "mission-01.json").read_bytes()
    for each in folder.glob("campaign.*"):
        each.unlink()
    ran = flown("import", tmp_path / "c.json", "--yes")
    assert (ran.code, ran.err.count("\n")) == (2, 1) and "companion doctor" in ran.err
    assert (folder / "mission-01.json").read_bytes() == before


# -- from a text file ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("around", ["{}", "{}\n", "Here is my mission:\n\n{}\n\nSee you, Bert\n"])
def test_a_text_file_may_be_called_like_a_snapshot(
    flown: Run, elsewhere: Run, b29: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, around: str
) -> None:
    before = held(b29)
    (tmp_path / "bc1.txt").write_text(around.format(flown("snapshot", "--text").out.strip()), encoding=encoding)
    monkeypatch.chdir(tmp_path)
    assert elsewhere("restore", "bc1.txt", "--yes").code == 0
    assert held(b29) == before


@pytest.mark.parametrize("source", ["bc1.txt", "bc2.png", "nothing", "bc1:", "~"])
def test_what_is_no_file_and_no_snapshot_is_told_what_is_taken(companion: Run, source: str) -> None:
    ran = companion("restore", source)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert ran.err.startswith(f"there is no file {source}; give a picture of the sheet, a text file, or the text")
