"""A sheet's codes restore it; damaged, foreign or surplus codes and exports are refused and nothing is written."""

import os
import random
from pathlib import Path

import pytest
from PIL import Image, ImageFilter

from companion.packs import Pack
from companion.problems import UserError
from companion.store import campaigns, snapshot
from tests.storage.evenings import document, held, mission
from tests.support import Run


def photographed(picture: Image.Image) -> Image.Image:
    """Return a page at 150 dots, turned and blurred."""
    small = picture.resize((picture.width * 3 // 4, picture.height * 3 // 4), Image.Resampling.BILINEAR)
    turned = small.rotate(7, expand=True, fillcolor="white", resample=Image.Resampling.BICUBIC)
    return turned.filter(ImageFilter.GaussianBlur(0.8))


def in_bad_light(picture: Image.Image) -> Image.Image:
    """Return a page dark, pale, grainy and at an angle."""
    dark = photographed(picture.resize((picture.width * 4 // 3, picture.height * 4 // 3))).convert("L")
    wide, tall = dark.size
    leaning = dark.transform(dark.size, Image.Transform.QUAD, (0, 0, 30, tall, wide, tall - 40, wide - 40, 25))
    pale = leaning.point([40 + value // 3 for value in range(256)])
    noise, size = random.Random(1), pale.width * pale.height
    grain, where = (Image.frombytes("L", pale.size, noise.randbytes(size)) for _ in range(2))
    pale.paste(grain, mask=where.point([255 * (value < 256 // 30) for value in range(256)]))
    return pale


@pytest.mark.slow
def test_a_printed_mission_is_equal(flown: Run, empty_home: Run, process: Run, b29: Pack, tmp_path: Path) -> None:
    """The sheet is printed in a separate process, as typst keeps the 250 MB that it needs."""
    before = held(b29)
    assert before[1], "something should be pending"
    assert process("sheet", "mission", "-o", tmp_path / "m.png").code == 0
    pages = sorted(tmp_path.glob("m*.png"))[-2:]  # the codes are at the end
    for page in pages:
        in_bad_light(Image.open(page).convert("L")).save(page.with_suffix(".jpg"), quality=80)
    ran = empty_home("restore", *[page.with_suffix(".jpg") for page in pages], "--yes")
    assert (ran.code, ran.err) == (0, "")
    assert held(b29) == before


@pytest.mark.slow
def test_text_and_export_come_back_equal(flown: Run, empty_home: Run, b29: Pack, tmp_path: Path) -> None:
    before = held(b29)
    text = flown("snapshot", "--text").out
    codes = flown("snapshot", "--qr").out
    assert "Code 1 of" in codes and "█" in codes
    (tmp_path / "c.json").write_text(flown("export", "--json").out)
    table = flown("export", "--csv").out
    typed = "\n".join(text.strip()[at : at + 60] for at in range(0, len(text), 60))
    assert empty_home("restore", typed, "--yes").code == 0
    assert held(b29) == before
    assert empty_home("import", tmp_path / "c.json", "--as", "Twins", "--yes").code == 0
    assert held(b29) == before
    assert empty_home("export", "--csv").out == table


def test_codes_in_any_order_and_what_is_missing_is_named() -> None:
    large = document(missions=[{"number": 1, "facts": {"notes": os.urandom(240).hex()}, "pending": []}])
    large["roster"] = {p: os.urandom(39).hex() for p in ("pilot", "copilot", "navigator", "engineer", "cfc")}
    texts = snapshot.codes(large)
    assert len(texts) > 1
    assert snapshot.read([*reversed(texts), "https://example.org", texts[0]]) == large
    with pytest.raises(UserError, match=f"code {len(texts)} of {len(texts)} is missing"):
        snapshot.read(texts[:-1])
    with pytest.raises(UserError, match="codes are from two snapshots"):
        snapshot.read([texts[0], *snapshot.codes(document())])
    with pytest.raises(UserError, match="damaged"):
        snapshot.read([texts[0][:-1] + ("A" if texts[0][-1] != "A" else "B"), *texts[1:]])


@pytest.fixture
def varied(companion: Run) -> Run:
    """Return a mission of the B-29, one of its Streamliner with a field of its own, and one of the B-29 again."""
    end = ("bomber.fate=returned", "bombs=dropped", "bomb-run=on", "bomb-run.percent=30", "credit=yes")
    companion("new", "Night Owls", "--game", "b29", "--yes")
    for game, more in (("b29", ()), ("b29-streamliner", ("front=storm",)), ("b29", ())):
        assert companion("mission", "start", "--yes", "--game", game).code == 0
        assert companion("set", *end, *more).code == 0
    return companion


GAMES = ["b29", "b29-streamliner", "b29"]


def flown_as() -> list[str]:
    used = campaigns.campaign_in_use()
    assert used is not None
    return [used.game_of(number) for number in used.missions()]


@pytest.mark.slow
def test_an_export_knows_what_each_mission_was_flown_with(varied: Run, empty_home: Run, tmp_path: Path) -> None:
    made, log = varied("export", "--json"), varied("campaign", "--json").json
    assert (made.code, made.err) == (0, "")
    assert made.json["missions"][1]["facts"]["front"] == "storm"
    (tmp_path / "c.json").write_text(made.out)
    assert empty_home("import", tmp_path / "c.json", "--yes").code == 0
    assert flown_as() == GAMES
    assert empty_home("export", "--json").json == made.json
    assert empty_home("campaign", "--json").json == log
    assert empty_home("doctor").code == 0


@pytest.mark.slow
def test_the_code_of_one_mission_goes_back_where_it_was(varied: Run, empty_home: Run, tmp_path: Path) -> None:
    assert varied("sheet", "mission", "--mission", "2", "-o", tmp_path / "m.png").code == 0
    pages = sorted(tmp_path.glob("m*.png"))
    varied("mission", "start", "--yes")
    assert varied("restore", *pages, "--yes").code == 0
    assert (varied("export", "--json").json["missions"][1]["facts"]["front"], flown_as()[:3]) == ("storm", GAMES)
    assert empty_home("restore", *pages, "--yes").code == 0
    assert empty_home("status", "--json").json["facts"]["front"] == "storm"
    text = empty_home("snapshot", "--text").out.strip()
    empty_home("new", "Other", "--game", "b29", "--yes")
    ran = empty_home("restore", text, "--as", "Other", "--yes")
    assert (ran.code, ran.err.count("\n")) == (2, 1) and "Mission 2 of Other is a mission of b29" in ran.err


def test_fields_asked_for_on_one_line_stay_together() -> None:
    stored = {"ask": "target.zone", "line": "Zone and city", "born": 1}
    restored = snapshot.Restored(mission(pending=[stored])).missions[0]
    assert [each.document() for each in restored.pending] == [stored]


def test_fields_that_the_game_does_not_know_are_left_out_and_told(companion: Run) -> None:
    strange = {"front": "storm", "engines.out": 3, "__class__": "x"}
    ran = companion("restore", snapshot.text(mission(facts={**strange, "altitude": "hi"})), "--yes")
    assert ran.code == 0 and "Left out, because b29 doesn't have them: front, engines.out, __class__" in ran.out
    assert companion("status", "--json").json["facts"]["engines.out"] == 0


@pytest.mark.parametrize("data", [b"", b"\x89PNG broken", b"{}", b"\xc3\x28", b"BC1:1/2"])
def test_a_file_that_is_none_of_ours(companion: Run, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "what").write_bytes(data)
    for command in ("restore", "import"):
        ran = companion(command, tmp_path / "what", "--yes")
        assert ran.code == 2, ran.err
        assert ran.err.count("\n") == 1
    assert companion("restore", tmp_path / "nothing.png").code == 2


def test_a_picture_without_a_code(companion: Run, tmp_path: Path) -> None:
    Image.new("L", (300, 300), 255).save(tmp_path / "white.png")
    assert "No code" in companion("restore", tmp_path / "white.png").err
    assert "it isn't JSON" in companion("import", tmp_path / "white.png").err


@pytest.mark.slow
def test_a_large_photograph_is_made_smaller(tmp_path: Path) -> None:
    Image.new("L", (8000, 6000), 255).save(tmp_path / "large.png")
    picture = snapshot._opened(tmp_path / "large.png")
    assert picture.mode == "L" and 15_900_000 < picture.width * picture.height <= 16_100_000
