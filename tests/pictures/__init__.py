"""The pictures of the README, drawn by the program itself: `python -m tests.pictures`.

A recorded mission is flown to the flak over Tokyo: the status screen there, the page on a phone, the roll that follows
with its modifiers, and the Mission Log Sheet of the next one, which the program flew by itself. The screens are SVG,
the sheets are PNG with a digest of everything they were made from, so that a test can tell whether they are current on
any machine. The phone is a PNG too, which needs a browser to be drawn and none to be compared.
"""

from __future__ import annotations

import hashlib
import html
import io
import json
import os
import re
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image, PngImagePlugin

FOLDER = Path(__file__).parent
MISSION = FOLDER.parent / "missions" / "02-night-urban-area.txt"
PAUSE = "6-2: 2"  # the roll of flak after the bombs are gone: the pictures are taken around it
WIDE = 96  # columns
TALL = 1400  # dots of the sheet
NAME = "Lucky Thirteen"
SEED = "31"  # of a mission that comes home on three engines
GAP = 24  # dots between the two phones
SHEETS = ("sheet.png", "bomber.png")  # the pages of the Mission Log Sheet

FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
    <style>
    .{unique_id}-matrix {{ font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: {char_height}px;
        line-height: {line_height}px; }}
    .{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: arial, sans-serif; }}
{styles}
    </style>
    <defs>
    <clipPath id="{unique_id}-clip-terminal">
      <rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
    </clipPath>
    {lines}
    </defs>
    {chrome}
    <g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
    {backgrounds}
    <g class="{unique_id}-matrix">
    {matrix}
    </g>
    </g>
</svg>
"""


def draw(folder: Path, *, phone: bool = False) -> list[Path]:
    """Draw them into the folder, with a data folder of their own inside it; with `phone` that too, else its digest."""
    home = folder / "home"
    drawn = []
    with patch.dict(os.environ, {"COMPANION_HOME": str(home), "COLUMNS": str(WIDE)}):
        os.environ.pop("NO_COLOR", None)
        before, after = _halves(MISSION.read_text(encoding="utf-8"))
        _run("new", NAME, "--game", "b29", "--yes")
        _run("mission", "start", "--yes")
        _fly(folder, before)
        if phone:
            drawn.append(_phone(folder))
        else:
            (folder / "phone.digest").write_text(page_digest(), encoding="utf-8")
        for name, words in (("status", ["status"]), ("roll", ["roll", "--dice", PAUSE.partition(": ")[2]])):
            drawn.append(folder / f"{name}.svg")
            drawn[-1].write_text(_screen(name, words), encoding="utf-8")
        _fly(folder, after)
        _run("mission", "start", "--yes", "--with", "mission.number=12", "--with", "target.city=Nagoya")
        _run("fly", "--auto", "--seed", SEED)
        drawn += _sheet(folder)
    return drawn


def _halves(script: str) -> tuple[str, str]:
    """The script before the pause and after the roll of it; the pause is the last line of that name."""
    lines = script.splitlines()
    at = max(at for at, line in enumerate(lines) if line.strip() == PAUSE)
    return "\n".join(lines[:at]) + "\n", "\n".join(lines[at + 1 :]) + "\n"


class Window(io.StringIO):
    """Standard output as a terminal."""

    def isatty(self) -> bool:
        return True


def _run(*words: str, terminal: bool = False) -> str:
    """Run a command and return what it prints."""
    from companion.cli.main import main

    said = Window() if terminal else io.StringIO()
    with patch.object(sys, "argv", ["companion", *words]), redirect_stdout(said):
        if main():
            raise SystemExit(f"companion {' '.join(words)} failed:\n{said.getvalue()}")
    return said.getvalue()


def _fly(folder: Path, script: str) -> None:
    (folder / "script.txt").write_text(script, encoding="utf-8")
    _run("fly", "--dice-from", str(folder / "script.txt"))
    (folder / "script.txt").unlink()


# -- screens -----------------------------------------------------------------------------------------------------------


def _screen(name: str, words: list[str]) -> str:
    """What a command prints on a terminal in colour, as an SVG that needs nothing from elsewhere."""
    from rich.console import Console
    from rich.text import Text

    # every setting that rich would take from the terminal it finds is given
    recorder = Console(
        record=True, width=WIDE, height=40, file=io.StringIO(), force_terminal=True, color_system="truecolor",
        highlight=False, emoji=False, legacy_windows=False, _environ={},
    )  # fmt: skip
    recorder.print(f"[bold]$ companion {' '.join(words)}[/]")
    with patch.dict(os.environ, {"COLUMNS": str(WIDE), "TERM": "xterm"}):
        os.environ.pop("NO_COLOR", None)
        recorder.print(Text.from_ansi(_run(*words, terminal=True).rstrip()))
    return recorder.export_svg(title="companion", unique_id=name, code_format=FRAME)


def words_of(svg: str) -> list[str]:
    """The lines of a screen, colours and all but for where exactly they stand: what two versions of rich share."""
    rows: dict[str, str] = {}
    for row, told in re.findall(r'<text[^>]*clip-path="url\(#[a-z]+-line-(\d+)\)"[^>]*>([^<]*)</text>', svg):
        rows[row] = rows.get(row, "") + html.unescape(told).replace("\xa0", " ")
    return [rows[row].rstrip() for row in sorted(rows, key=int)]


# -- the phone ---------------------------------------------------------------------------------------------------------


def _phone(folder: Path) -> Path:
    """The board and the sheet on a phone, side by side."""
    from tests.web.browser import Phone, chromium, serving

    file, about, made_from = folder / "phone.png", PngImagePlugin.PngInfo(), page_digest()
    about.add_text("made-from", made_from)
    with serving() as url, chromium() as browser:
        phone = Phone(browser, url, device_scale_factor=1.5)
        shots = [phone.page.screenshot()]
        phone.page.click('[data-view="sheet"]')
        phone.page.wait_for_selector("#sheet-title")
        phone.page.wait_for_timeout(300)
        shots.append(phone.page.screenshot())
        phone.close()
    both = [Image.open(io.BytesIO(shot)).convert("RGB") for shot in shots]
    wide, high = both[0].size
    beside = Image.new("RGB", (2 * wide + GAP, high), "white")
    for at, shot in enumerate(both):
        beside.paste(shot, (at * (wide + GAP), 0))
    beside.quantize(32).save(file, optimize=True, pnginfo=about)
    return file


def page_digest() -> str:
    """One word for what stands on the page, and for how it looks."""
    from companion.store.campaigns import current
    from companion.web.app import Page

    campaign = current()
    assert campaign is not None
    page = Page(campaign)
    board = page.render("board.html", view=page.board.view(), message="", near=[], kept="")
    texts = [re.sub(r'data-view="[^"]*"', "", board)]
    looks = Path(sys.modules[Page.__module__].__file__ or "").with_name("static")
    texts += [each.read_text(encoding="utf-8") for each in sorted(looks.glob("*.css"))]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


# -- the sheet ---------------------------------------------------------------------------------------------------------


def _sheet(folder: Path) -> list[Path]:
    """The page of the mission and that of the bomber in sixteen greys, with the digest of what they were made from."""
    document: dict[str, Any] = {}
    from companion.render import typeset

    original = typeset.typeset

    def kept(template: str, data: Mapping[str, Any], form: str) -> list[bytes]:
        document.update(digest=digest(template, data), pages=original(template, data, form))
        return []

    with patch.object(typeset, "typeset", kept):
        _run("sheet", "mission", "-o", str(folder / "mission.png"))
    about = PngImagePlugin.PngInfo()
    about.add_text("made-from", document["digest"])
    files = [folder / name for name in SHEETS]
    for file, drawn in zip(files, document["pages"], strict=True):
        with Image.open(io.BytesIO(drawn)) as page:
            small = page.convert("L").resize((round(page.width * TALL / page.height), TALL), Image.Resampling.LANCZOS)
        small.quantize(16).save(file, optimize=True, pnginfo=about)
    return files


def digest(template: str, data: Mapping[str, Any]) -> str:
    """One word for the data and the templates of a sheet; the codes are left out, whose bytes are zlib's affair."""
    from companion.render.typeset import TEMPLATES

    plain = json.dumps({**data, "codes": []}, sort_keys=True, ensure_ascii=False)
    texts = [(TEMPLATES / f"{each}.typ").read_text(encoding="utf-8") for each in ("form", "parts", "bomber", template)]
    return hashlib.sha256("\0".join([plain, *texts]).encode()).hexdigest()


def digest_in(path: Path) -> str:
    """What the picture of a sheet says it was made from."""
    with Image.open(path) as picture:
        return str(picture.info.get("made-from", ""))
