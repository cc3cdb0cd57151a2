"""The pictures of the README, drawn by the program itself: `python -m tests.pictures`.

A script flies a zone of a B-17 mission on a terminal, which becomes a moving SVG. A recorded mission is flown to the
flak over Tokyo for the page on a phone, and an automatic mission gives the Mission Log Sheet. The sheet and the phone
are PNG files with a digest of their sources, so that a test on any machine can tell whether they are current. Drawing
the phone needs a browser; comparing it does not.
"""

import hashlib
import html
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pexpect
from PIL import Image, PngImagePlugin
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

FOLDER = Path(__file__).parent
MISSION = FOLDER.parent / "missions" / "02-night-urban-area.txt"
PAUSE = "6-2: 2"  # the roll of flak after the bombs are gone: the pictures are taken around it
WIDE = 80  # columns
TALL = 1400  # dots of the sheet
NAME = "Lucky Thirteen"
SEED = "31"  # of a mission that comes home on three engines
GAP = 24  # dots between the two phones

BOARD = "zone 3, altitude high, good weather, fair cover, formation in, squadron middle, place in the squadron lead"
ANSWERS = ("", "5", "44", "3", "1", "", "6 3 2", "4", "u", "5", "34", "35", "2 5 3", "46")  # typed there
ROWS, LINE, LETTER = 26, 22, 9.65  # of its window, and dots
THEME = {"typed": "#ffd75f", "back": "#1e1e2e", "ink": "#d8dee9"}


def draw(folder: Path, *, phone: bool = False) -> list[Path]:
    """Draw the pictures into the folder, with a data folder inside it; without `phone`, only the phone's digest."""
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
        _fly(folder, PAUSE + "\n" + after)
        _run("mission", "start", "--yes", "--with", "mission.number=12", "--with", "target.city=Nagoya")
        _run("fly", "--auto", "--seed", SEED)
        drawn.append(_sheet(folder))
        drawn.append(folder / "fly.svg")
        drawn[-1].write_text(moving(session()), encoding="utf-8")
    return drawn


def _halves(script: str) -> tuple[str, str]:
    """Return the script before the pause and after its roll; the pause is the last line of that name."""
    lines = script.splitlines()
    at = max(at for at, line in enumerate(lines) if line.strip() == PAUSE)
    return "\n".join(lines[:at]) + "\n", "\n".join(lines[at + 1 :]) + "\n"


def _run(*words: str) -> None:
    """Run a command."""
    from companion.cli.main import main

    said = io.StringIO()
    with patch.object(sys, "argv", ["companion", *words]), redirect_stdout(said):
        if main():
            raise SystemExit(f"companion {' '.join(words)} failed:\n{said.getvalue()}")


def _fly(folder: Path, script: str) -> None:
    (folder / "script.txt").write_text(script, encoding="utf-8")
    _run("fly", "--dice-from", str(folder / "script.txt"))
    (folder / "script.txt").unlink()


# -- a moving picture --------------------------------------------------------------------------------------------------


def session() -> list[tuple[str, str]]:
    """Fly a zone on a terminal; return the output before each answer, and the answer."""
    _run("new", "Memphis Gal", "--game", "b17", "--yes")
    _run(
        "mission", "start", "--yes", "--with", "target.city=Amiens", "--with", "target.zone=3", "--with",
        "mission.number=12",
    )  # fmt: skip
    _run("set", *BOARD.split())
    flight = pexpect.spawn(
        sys.executable, ["-m", "companion", "fly"], encoding="utf-8", dimensions=(60, WIDE), echo=False, timeout=20
    )
    told = []
    for answer in [*ANSWERS, "q"]:
        flight.expect("[:?] $")
        told.append((str(flight.before + flight.after).replace("\r", "").lstrip("\n"), answer))
        flight.sendline(answer)
    flight.close()
    return told


def moving(told: list[tuple[str, str]]) -> str:
    """Return a session as an SVG: lines appear, answers are typed, the window scrolls, again and again."""
    console = Console(width=WIDE, force_terminal=True, color_system="truecolor", legacy_windows=False, _environ={})
    texts: list[str] = []
    appear: list[float] = []  # a time for each class of text
    scroll: list[tuple[float, int]] = []
    clock, row = 0.5, 0

    def write(segments: Iterable[Segment], column: int) -> int:
        for text, style, _ in segments:
            color = (
                THEME["ink"]
                if style is None or style.color is None
                else style.color.get_truecolor(SVG_EXPORT_THEME).hex
            )
            look = ' font-weight="bold"' if style and style.bold else ' opacity="0.6"' if style and style.dim else ""
            if text.strip():
                place = f'x="{column * LETTER:.1f}" y="{(row + 1) * LINE}" textLength="{cell_len(text) * LETTER:.1f}"'
                start = f'<text class="t{len(appear) - 1}" {place} fill="{color}"{look} xml:space="preserve">'
                texts.append(f"{start}{html.escape(text)}</text>")
            column += cell_len(text)
        return column

    for text, answer in told:
        appear.append(clock)
        lines = console.render_lines(Text.from_ansi(text), pad=False)
        scroll.append((clock, max(0, row + len(lines) - ROWS)))
        for line in lines:
            column = write(line, 0)
            row += 1
        row -= 1
        clock += 1 + 0.25 * len(lines)
        appear.append(clock)
        write([Segment(answer or "⏎", Style(color=THEME["typed"], bold=True))], column + 1)
        row += 1
        clock += 0.5
    length = clock + 4
    rules = ["text {font: 16px 'DejaVu Sans Mono', Menlo, Consolas, monospace}"]
    for number, at in enumerate(appear):
        shown = 100 * at / length
        rules.append(f"@keyframes t{number} {{0% {{visibility: hidden}} {shown:.2f}% {{visibility: visible}}}}")
        rules.append(f".t{number} {{animation: t{number} {length:.1f}s step-end infinite}}")
    steps = " ".join(f"{100 * at / length:.2f}% {{transform: translateY({-lines * LINE}px)}}" for at, lines in scroll)
    rules.append(f"@keyframes scroll {{0% {{transform: none}} {steps}}}")
    rules.append(f".scroll {{animation: scroll {length:.1f}s step-end infinite}}")
    wide, high = round(WIDE * LETTER) + 24, ROWS * LINE + 24
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">', "<style>", *rules, "</style>",
        f'<rect width="{wide}" height="{high}" rx="8" fill="{THEME["back"]}"/>',
        f'<svg x="12" y="8" width="{wide - 24}" height="{high - 16}"><g class="scroll">', *texts,
        "</g></svg></svg>", "",
    ])  # fmt: skip


def words_of(svg: str) -> list[str]:
    """Return the texts of a moving picture, without places and times."""
    return [html.unescape(each) for each in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]


# -- the phone ---------------------------------------------------------------------------------------------------------


def _phone(folder: Path) -> Path:
    """Return the board and the sheet on a phone, next to each other."""
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
    """Return a digest of the page's contents and style."""
    from companion.store.campaigns import campaign_in_use
    from companion.web.app import Page
    from companion.web.sheet import render

    campaign = campaign_in_use()
    assert campaign is not None
    page = Page(campaign)
    board = render("board.html", **page._data(page.board.view(), ""))
    texts = [re.sub(r'data-(view|shown)="[^"]*"', "", board)]
    looks = Path(sys.modules[Page.__module__].__file__ or "").with_name("static")
    texts += [each.read_text(encoding="utf-8") for each in sorted(looks.glob("*.css"))]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


# -- the sheet ---------------------------------------------------------------------------------------------------------


def _sheet(folder: Path) -> Path:
    """Draw the page of the mission in sixteen grays, with the digest of its sources."""
    document: dict[str, Any] = {}
    from companion.render import sheets

    original = sheets.typeset

    def kept(template: str, data: Mapping[str, Any], form: str) -> list[bytes]:
        document.update(digest=digest(template, data), pages=original(template, data, form))
        return [b""]  # a file of one page

    with patch.object(sheets, "typeset", kept):
        _run("sheet", "mission", "-o", str(folder / "mission.png"))
    about = PngImagePlugin.PngInfo()
    about.add_text("made-from", document["digest"])
    file = folder / "sheet.png"
    with Image.open(io.BytesIO(document["pages"][0])) as page:
        small = page.convert("L").resize((round(page.width * TALL / page.height), TALL), Image.Resampling.LANCZOS)
    small.quantize(16).save(file, optimize=True, pnginfo=about)
    return file


def digest(template: str, data: Mapping[str, Any]) -> str:
    """Return a digest of the data and the templates of a sheet, without the codes, whose bytes depend on zlib."""
    from companion.render.sheets import TEMPLATES

    plain = json.dumps({**data, "codes": []}, sort_keys=True, ensure_ascii=False)
    texts = [(TEMPLATES / f"{each}.typ").read_text(encoding="utf-8") for each in ("form", "parts", "bomber", template)]
    return hashlib.sha256("\0".join([plain, *texts]).encode()).hexdigest()


def digest_in(path: Path) -> str:
    """Return the digest stored in the picture of a sheet."""
    with Image.open(path) as picture:
        return str(picture.info.get("made-from", ""))
