"""Whatever a player is called, his sheet shows it and does nothing: markup, scripts, links, odd letters, length."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

from companion.engine.fields import LONGEST_NAME, Value
from companion.packs import Pack
from companion.render import sheets
from companion.render.history import Stretch
from companion.render.sheet_model import SheetModel
from companion.render.typeset import typeset, write
from companion.store.log import CampaignLog
from companion.words import ACTIVE
from tests.render import boxes
from tests.support import Run, slow_but

MARKUP = '#link("https://a.example")[x] *b* $x$ `r` <l> @l #eval("1")'
SCRIPT = "</text></svg><script>alert(1)</script><a href='javascript:x' onload='x'>&x;"
ACTION = "/OpenAction << /S /JavaScript /JS (app.alert(1)) /URI (x) >> endobj %PDF"
LINKS = "https://a.example/x mailto:a@a.example file:///etc/passwd"
AWAY = '"]) ; #import "/etc/passwd": * \\u{202e} \\ ]]> --> <!ENTITY x>'
LETTERS = "a\x1b[2J\x07\x9b\u202eb\u2066c\U000e0041 e\u0301\u0335\u0321 שלום 💣"
HOSTILE = " ".join([MARKUP, SCRIPT, ACTION, LINKS, AWAY, LETTERS, "W" * 500])
DOES = {"/JavaScript", "/JS", "/URI", "/Launch", "/OpenAction", "/AA", "/SubmitForm", "/EmbeddedFiles", "/Annots",
        "/GoToR", "/ImportData", "/RichMedia", "/AcroForm"}  # fmt: skip
SVG = "{http://www.w3.org/2000/svg}"
DRAWN = {"svg", "g", "path", "use", "defs", "symbol", "clipPath", "rect", "line", "image"}


def data_of(kind: str, pack: Pack, text: str) -> Mapping[str, object]:
    """A sheet on which everything that a player may word is worded so."""
    fields = [name for name, field in pack.sheet.fields.items() if field.kind in ("text", "list")]
    state: dict[str, Value] = {**dict.fromkeys(fields, text), "crew.pilot": "kia", "fate.pilot": "kia", "credit": "yes",
                               "bomber.fate": "returned", "target.box": 1}  # fmt: skip
    assert {"name.pilot", "notes", "aircraft.name", "target.city"} <= state.keys()
    if kind == "mission":
        return sheets.mission(SheetModel(pack, state), campaign=text, rolls=[Stretch(where=text, lines=[(7, text)])])
    if kind == "crew":
        return sheets.crew(SheetModel(pack, state), name=text, paper="a4")
    if kind == "damage":
        return sheets.damage(pack, [(1, state)], name=text, paper="a4", blank=False)
    log = CampaignLog(pack, {"roster": {"pilot": text}, "aircraft": text}, [(1, state)])
    return sheets.campaign(pack, log, [text], name=text, paper="a4", blank=False)


def keys(part: Any, seen: set[int]) -> Iterator[str]:
    """Every key of every object of a PDF."""
    if isinstance(part, IndirectObject):
        if part.idnum in seen:
            return
        seen.add(part.idnum)
        part = part.get_object()
    if isinstance(part, DictionaryObject):
        for key, value in part.items():
            yield str(key)
            yield from keys(value, seen)
            if isinstance(value, str):
                yield value
    elif isinstance(part, ArrayObject):
        for each in part:
            yield from keys(each, seen)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mission", "campaign"])
def test_nothing_in_a_pdf_acts(b29: Pack, kind: str) -> None:
    pdf = typeset(kind, data_of(kind, b29, HOSTILE), "pdf")[0]
    reader = PdfReader(BytesIO(pdf))
    present = set(keys(reader.trailer, set()))
    assert {"/Root", "/Pages", "/Font"} <= present and not DOES & present
    letters = re.sub(r"[\s\u200b]", "", "".join(boxes.texts(boxes.opened(pdf))))
    for text in (MARKUP, SCRIPT, ACTION):
        assert re.sub(r"\s", "", text) in letters


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["crew", "damage"])
def test_nothing_in_an_svg_acts(b29: Pack, kind: str) -> None:
    for page in typeset(kind, data_of(kind, b29, HOSTILE), "svg"):
        for each in ElementTree.fromstring(page).iter():
            assert each.tag.removeprefix(SVG) in DRAWN
            for attribute, value in each.attrib.items():
                assert not attribute.startswith("on") and "script" not in value
                assert not attribute.endswith("href") or value.startswith(("#", "data:image/"))


@pytest.mark.parametrize("kind", slow_but(["crew", "mission", "campaign"], 1))
def test_a_name_without_a_blank_stays_on_the_page(b29: Pack, kind: str) -> None:
    for page in typeset(kind, data_of(kind, b29, "W" * LONGEST_NAME), "png"):
        with Image.open(BytesIO(page)) as picture:
            dark = picture.convert("L").point([255 if value < 128 else 0 for value in range(256)])
            bounds = dark.getbbox()
            assert bounds is not None
            edge = picture.width * 12 // 210  # of 13 mm
            assert edge < bounds[0] and bounds[2] < picture.width - edge


def test_the_name_of_a_picture_ends_no_comment_in_it(tmp_path: Path) -> None:
    for name in ("a---><script>.svg", "a--.svg", "---.svg", "a----b.svg", "-->-->.svg"):
        files = write(tmp_path / name, [b"<svg></svg>\n"] * 2)
        for file in files:
            comment = file.read_text().removeprefix("<svg></svg>\n")
            assert comment.count("--") == 2 and comment.startswith("<!-- ") and comment.endswith(" -->\n")
            ElementTree.fromstring(file.read_bytes())


@pytest.mark.slow
def test_a_hostile_campaign_is_printed_as_it_was_typed(companion: Run, data_folder: Path, tmp_path: Path) -> None:
    companion("new", "Owls", "--game", "b29", "--yes")
    companion("mission", "start", "--yes")
    assert companion("set", f"name.pilot={MARKUP[:60]}", "notes=</svg><script>x</script>").code == 0
    path = data_folder / "campaigns" / "owls" / "mission-01.json"
    document = json.loads(path.read_text())
    document["mission"]["1"]["facts"]["name.navigator"] = LETTERS
    path.write_text(json.dumps(document))
    assert companion("sheet", "mission", "-o", tmp_path / "mission.pdf").code == 0
    for kind in ("mission", "crew", "campaign", "damage"):
        ran = companion("sheet", kind, "-o", tmp_path / f"{kind}.txt")
        assert (ran.code, ran.err) == (0, "")
        shown = (tmp_path / f"{kind}.txt").read_text()
        assert re.search(ACTIVE, shown) is None
