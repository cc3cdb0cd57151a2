"""A sheet's codes bring it back; what is damaged, foreign or too much is refused and nothing is written."""

from __future__ import annotations

import json
import os
import random
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageFilter

from companion import snapshot, store
from companion.campaign_log import CampaignLog
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
    (mission(pending=[{"order": "x", "done": {"no.such": 1}}]), "ends on 'no.such'"),
    (mission(pending=[{"order": "x", "done": ["zone"]}]), "ends on nothing"),
    (mission(pending=[{"order": "x", "done": {"zone": {"min": {}}}}]), "ends on nothing"),
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


def test_base45_is_that_of_its_standard() -> None:
    assert snapshot.base45(b"AB") == "BB8"
    assert snapshot.base45(b"Hello!!") == "%69 VD92EX0"
    assert snapshot.unbase45("QED8WEX0") == b"ietf!"
    with pytest.raises(Problem):
        snapshot.unbase45(":::")


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
