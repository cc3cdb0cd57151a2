"""`companion snapshot`, `restore`, `export` and `import`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from companion.cli.asking import prompt
from companion.cli.session import asks, campaign_needed
from companion.engine.sheet import line
from companion.files.reading import bytes_of, text_of
from companion.packs import Pack
from companion.problems import Problem

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from companion.campaign.snapshot import Restored

MOST = 40_000_000  # bytes of a picture
GIVE = "a picture of the sheet, a text file, or the text itself, which begins with bc1."
Yes = Annotated[bool, Option("--yes", "-y", help="Do it without asking.")]
As = Annotated[str | None, Option("--as", help="Another name for what comes back.")]


def snapshot_command(
    qr: Annotated[bool, Option("--qr", help="Codes for a camera.")] = False,
    text: Annotated[bool, Option("--text", help="One word to copy.")] = False,
    campaign: Annotated[bool, Option("--campaign", help="The whole campaign, as its log sheet has it.")] = False,
) -> None:
    """The mission as codes or as text, for companion restore."""
    from companion.campaign import snapshot

    used = campaign_needed()
    begun = used.missions()
    mission = used.load(Pack(used.game_of(begun[-1])), begun[-1]) if begun and not campaign else None
    if mission is None and not campaign:
        raise Problem("no mission has begun; for the campaign: companion snapshot --campaign")
    made = snapshot.of_campaign(Pack(used.game), used) if mission is None else snapshot.of_mission(used, mission)
    if text or not qr:
        print(snapshot.text(made))
    if qr:
        from companion.printing.codes import blocks

        texts = snapshot.codes(made)
        for at, each in enumerate(texts, 1):
            print(f"Code {at} of {len(texts)}\n{blocks(each)}")


def restore_command(
    source: Annotated[list[str], Argument(help="A picture or a text file, several, or the text itself.")],
    yes: Yes = False,
    named: As = None,
) -> None:
    """Bring a mission or a campaign back from codes or text. A picture of the printed sheet will do."""
    from companion.campaign import snapshot

    texts, pictures = list[str](), list[Path]()
    for each in source:
        found = _texts(each)
        pictures.append(Path(each)) if found is None else texts.extend(found)
    texts += _scanned(pictures)
    if not texts:
        raise Problem("there is no code to be read; try a sharper picture, straight from above")
    restored = snapshot.Restored(snapshot.read(texts))
    _settle(restored, yes, named)


def export_command(
    csv: Annotated[bool, Option("--csv", help="A line a mission, for a spreadsheet.")] = False,
    json: Annotated[bool, Option("--json", help="Everything but the journals; companion import reads it.")] = False,
) -> None:
    """The campaign on standard output."""
    if csv == json:
        raise Problem("take --csv or --json")
    campaign = campaign_needed()
    if csv:
        from companion.campaign.log import CampaignLog
        from companion.cli.campaign_log import write_csv

        write_csv(CampaignLog.of(Pack(campaign.game), campaign))
        return
    import json as form

    from companion.campaign.snapshot import whole

    print(form.dumps(whole(campaign), indent=1))


def import_command(
    file: Annotated[Path, Argument(help="What companion export --json wrote.")], yes: Yes = False, named: As = None
) -> None:
    """Bring a campaign in from a file."""
    from companion.campaign import snapshot

    _settle(snapshot.Restored(snapshot.parsed(bytes_of(file, MOST, "a sheet or a snapshot"))), yes, named)


# -- reading -----------------------------------------------------------------------------------------------------------


def _texts(source: str) -> list[str] | None:
    """The texts behind a name: lines of a file, or what was typed; None for a picture, which is still to be read."""
    there = os.path.exists(source)
    if not there and re.match(r"\s*(bc\d+\.\s*[0-9a-f]{8}\b|bc\d+:\d)", source, re.IGNORECASE):
        return [source]
    if not source.strip():
        raise Problem(f"there is nothing to restore in an empty word; give {GIVE}")
    if not there:
        raise Problem(f"there is no file {source[:80]}; give {GIVE}")
    path = Path(source)
    data = bytes_of(path, MOST, "a sheet or a snapshot")
    if _pictured(data):
        return None
    if data.startswith((b"%PDF", b"<svg")):
        raise Problem(f"{path.name} is no picture of dots; photograph or scan the page, or write the sheet as .png")
    try:
        text = text_of(data)
    except UnicodeDecodeError:
        raise Problem(f"{path.name} is neither a picture nor text; nothing was restored") from None
    lines = [line for line in text.splitlines() if line.strip()]
    if any(line.startswith("BC") for line in lines):
        return lines
    words = re.findall(r"\bbc\d+\.[0-9a-f]{8}\.[\w-]+", text, re.IGNORECASE | re.ASCII)
    return words if len(words) == 1 and not text.lstrip().startswith(words[0]) else ["".join(lines)]


def _pictured(data: bytes) -> bool:
    return (
        data[:4] in (b"\x89PNG", b"RIFF", b"II*\0", b"MM\0*")
        or data[:3] in (b"\xff\xd8\xff", b"GIF")
        or (data[:2] == b"BM")
    )


def _scanned(paths: list[Path]) -> list[str]:
    """Every code in the pictures; none is for the caller to judge, a sheet has pages without.

    What costs more is tried only while codes are missing: small or blurred ones are read better from a larger
    picture, those of a dark one without its grain.
    """
    if not paths:
        return []
    import zxingcpp
    from PIL import Image, ImageFilter

    pictures = [_opened(path) for path in paths]
    found: dict[str, None] = {}
    for scale, grain in ((1.0, True), (2.0, True), (1.5, True), (1.5, False), (2.0, False), (1.0, False)):
        for picture in pictures:
            if scale > 1 and max(picture.size) * scale > 8000:
                continue
            size = (round(picture.width * scale), round(picture.height * scale))
            clear = picture if grain else picture.filter(ImageFilter.MedianFilter(3))
            tried = clear if scale == 1 else clear.resize(size, Image.Resampling.BICUBIC)
            found.update({each.text: None for each in zxingcpp.read_barcodes(tried) if each.text})
        if _complete(found):
            break
    return list(found)


def _opened(path: Path) -> Picture:
    """The picture in greys, the right way up."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(path) as opened:
            return ImageOps.exif_transpose(opened).convert("L")
    except (UnidentifiedImageError, OSError, Image.DecompressionBombError, ValueError):
        raise Problem(f"{path.name} is no picture that we can read; nothing was restored") from None


def _complete(texts: Iterable[str]) -> bool:
    """Whether there is a snapshot among them and no code of it is missing."""
    held: dict[str, set[str]] = {}
    for each in texts:
        if told := re.match(r"BC\d+:(\d{1,3})/(\d{1,3}):([0-9A-F]{8}):", each):
            held.setdefault(f"{told[3]}/{told[2]}", set()).add(told[1])
    return bool(held) and all(len(numbers) >= int(name.partition("/")[2]) for name, numbers in held.items())


# -- writing -----------------------------------------------------------------------------------------------------------


def _settle(restored: Restored, yes: bool, named: str | None) -> None:
    """Show what would come back, ask, and write it."""
    from companion.campaign import store

    name = line("the campaign's name", named or restored.name)
    folder = store.campaigns_folder() / store.folder_name(name)
    there = (folder / "campaign.json").exists()
    if there and restored.kind == "campaign":
        raise Problem(f"there is a campaign {name} already; bring this one in beside it with --as NAME")
    for each in _described(restored, name):
        print(each)
    number = restored.missions[0][0] if restored.missions else 0
    if there:
        held = store.Campaign(folder)
        game = held.game_of(number)
        if game.casefold() != restored.pack.name.casefold():
            raise Problem(f"mission {number} of {held.name} is one of {game}; bring this one in with --as NAME")
        told = "replaces the sheet of" if number in held.missions() else "is added to"
        print(f"Mission {number} {told} {held.name}; its journal begins anew.")
    if not yes and not _agreed():
        print("Nothing was restored.")
        return
    _write(restored, name, store.Campaign(folder) if there else None)
    print(f"Restored and in use: {name}")


def _agreed() -> bool:
    if not asks():
        raise Problem("nobody is here to agree; to restore without asking add --yes")
    return prompt("Restore it? [y/N] ").strip().casefold() in ("y", "yes")


def _described(restored: Restored, name: str) -> list[str]:
    pack, (number, facts, pending) = restored.pack, restored.missions[-1] if restored.missions else (0, {}, [])
    lines = [f"{name}: a {restored.kind} of {pack.about.get('title', pack.name)}, bomber {restored.aircraft or '–'}"]
    if restored.kind == "campaign":
        lines.append(f"{len(restored.missions)} missions, {sum(map(bool, restored.roster.values()))} men on the roster")
    else:
        lines.append(f"Mission {number}: {len(facts)} fields, {len(pending)} things pending")
    for fact in pack.about.get("debrief", ()):
        if fact in pack.sheet.fields and fact in facts:
            lines.append(f"  {pack.sheet.text(fact)}: {facts[fact]}")
    return lines


def _write(restored: Restored, name: str, there: object) -> None:
    """Write the campaign or the mission; a sheet that was there keeps its older generation."""
    from companion.campaign import store
    from companion.play.journal import Journal
    from companion.play.mission import Mission

    missions = [Mission(restored.flown(n), facts, pending, Journal(), n) for n, facts, pending in restored.missions]
    if isinstance(there, store.Campaign):
        with there.lock():
            for mission in missions:
                if mission.number in there.missions():
                    there.save(mission, 0)
                else:
                    there.begin(mission.game, mission)
        store.use(there.folder.name)
        return
    about: dict[str, object] = {"aircraft": restored.aircraft, "roster": restored.roster}
    if restored.variants:
        about["variants"] = restored.variants
    store.Campaign.create(name, restored.pack.name, about, missions)
