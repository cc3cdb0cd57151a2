"""Snapshots: a mission or a campaign saved as QR codes or lines of text, and restored.

JSON, zlib, then base45 for codes (`BC1:part/parts:check:data`, RFC 9285) or base64 for text (`bc1.check.data`). A
mission keeps its facts and pending list, not its journal; a campaign keeps the fields read by the Campaign Log Sheet.
Nothing is written until the whole snapshot is validated.
"""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypedDict

from companion.engine.fields import line
from companion.engine.questions import KINDS, Pending
from companion.engine.sheet import reads_of
from companion.packs import Pack
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import UserError
from companion.store import campaigns
from companion.store.campaigns import Campaign, StoredCampaign
from companion.store.files import bytes_of, text_of
from companion.words import inert, series

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

FORMAT = 1
PART = 620  # characters per code, few enough to be readable from a photograph
CODE = r"BC1:(\d{1,3})/(\d{1,3}):([0-9A-F]{8}):(.+)"  # number, total, check, characters
TEXT = r"bc1\.([0-9a-f]{8})\.([\w-]+)"  # check, characters
FOREIGN = "This isn't a snapshot from the companion"
DAMAGED = "The snapshot is damaged. Nothing was saved."
PICTURES = (b"\x89PNG", b"RIFF", b"II*\0", b"MM\0*", b"\xff\xd8\xff", b"GIF", b"BM")  # prefixes
ENOUGH = 16_000_000  # the pixels of a full page from which codes are read

Snapshot = dict[str, object]  # the packed value, as JSON


# a pending roll, decision, question or order, as `Pending.document` stores it
_KEYS = {**dict.fromkeys((*KINDS, "line", "cite", "done", "by"), str), "bind": dict[str, str | int]}
StoredPending = TypedDict(
    "StoredPending",
    {**_KEYS, "born": int, "take": int, "usual": str | int},  # type: ignore[misc]
    total=False,
)


class SheetPart(TypedDict):
    """A mission in a snapshot."""

    number: int
    facts: dict[str, str | int]
    game: NotRequired[str]  # if different from the campaign's
    pending: NotRequired[list[StoredPending]]  # not in the codes of a campaign


class StoredSnapshot(TypedDict):
    """A whole snapshot."""

    companion: int
    kind: Literal["mission", "campaign"]
    game: str
    name: str
    aircraft: str
    roster: dict[str, str]
    missions: list[SheetPart]


# -- contents ----------------------------------------------------------------------------------------------------------


def of_mission(campaign: Campaign, mission: Mission) -> Snapshot:
    """Return a mission's sheet and pending list, with the campaign's name, roster and bomber."""
    return _snapshot(campaign, "mission", [_part(mission)]) | {"game": mission.game.name}


def of_campaign(pack: Pack, campaign: Campaign, *, whole: bool = False) -> Snapshot:
    """Return the fields of every mission that the Campaign Log Sheet reads.

    The `whole` campaign, with all fields and pending lists, is the output of `companion export --json`.
    """
    fields, missions = None if whole else log_fields(pack), list[Snapshot]()
    for mission in campaign.all_flown(pack):
        game = mission.game.name
        missions.append(_part(mission, fields) | ({"game": game} if game != campaign.game else {}))
    return _snapshot(campaign, "campaign", missions)


def _part(mission: Mission, fields: Sequence[str] | None = None) -> Snapshot:
    """Return one mission, or only those fields of it."""
    state = mission.state
    if fields is not None:
        return {"number": mission.number, "facts": {name: state[name] for name in fields if name in state}}
    pending = [each.document() for each in mission.pending]
    return {"number": mission.number, "facts": dict(state), "pending": pending}


def _snapshot(campaign: Campaign, kind: str, missions: list[Snapshot]) -> Snapshot:
    about = campaign.about
    return {
        "companion": FORMAT,
        "kind": kind,
        "game": campaign.game,
        "name": campaign.name,
        "aircraft": about.get("aircraft", ""),
        "roster": about.get("roster", {}),
        "missions": missions,
    }


def log_fields(pack: Pack) -> list[str]:
    """Return the fields that the campaign log and the damage sheet read, including indirect ones."""
    sheet, log = pack.sheet, pack.about.log
    damage = pack.about.damage
    names = {"mission.number", "aircraft.name", *(name for name, _ in log.columns), log.result, log.average}
    names |= {log.aircraft_end, damage.city, damage.boxes, damage.percent, damage.of, damage.known}
    reads = {
        *map(sheet.pattern, names),
        *(f"{each}[position]" for each in ("name", "crew", "fate", "missions", "kills")),
    }
    for sentence in (log.counts, log.aircraft_lost, log.flew, log.lost):
        reads |= reads_of(sentence.work)
    patterns = sorted(sheet.touched(reads) & sheet.families.keys())
    return [name for pattern in patterns for name in sheet.expand(pattern)]


# -- encoding ----------------------------------------------------------------------------------------------------------


def squeezed(snapshot: Mapping[str, object]) -> bytes:
    return zlib.compress(json.dumps(snapshot, separators=(",", ":"), ensure_ascii=False).encode(), 9)


def codes(snapshot: Mapping[str, object]) -> list[str]:
    """Return the texts of the codes, each with its number and the check of the whole."""
    from base45 import b45encode  # type: ignore[import-untyped,unused-ignore]

    packed = squeezed(snapshot)
    letters, check = b45encode(packed).decode(), zlib.crc32(packed)
    count = -(-len(letters) // PART)
    size = -(-len(letters) // count)
    parts = [letters[at : at + size] for at in range(0, len(letters), size)]
    return [f"BC{FORMAT}:{at}/{count}:{check:08X}:{part}" for at, part in enumerate(parts, 1)]


def text(snapshot: Mapping[str, object]) -> str:
    """Return the snapshot as one line of text to copy or type."""
    packed = squeezed(snapshot)
    return f"bc{FORMAT}.{zlib.crc32(packed):08x}.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def read(texts: Sequence[str]) -> Snapshot:
    """Decode a snapshot from codes, in any order, or from text.

    Raises:
        UserError: A code is missing, damaged, from another snapshot, or not the companion's.
    """
    if len(texts) == 1 and (word := re.fullmatch(TEXT, "".join(texts[0].split()), re.IGNORECASE | re.ASCII)):
        return _unpacked(word[1], lambda: base64.urlsafe_b64decode(word[2] + "=" * (-len(word[2]) % 4)))
    found = [code for each in texts if (code := re.fullmatch(CODE, each, re.DOTALL))]
    if not found:
        raise UserError(f"{FOREIGN}. Nothing was saved.")
    if len({(code[2], code[3]) for code in found}) > 1:
        raise UserError("these codes are from two snapshots. Restore one at a time")
    letters, count = {int(code[1]): code[4] for code in found}, int(found[0][2])
    if missing := [str(at) for at in range(1, count + 1) if at not in letters]:
        which = f"code {missing[0]} of {count} is" if len(missing) == 1 else f"codes {series(missing)} of {count} are"
        raise UserError(f"{which} missing. Name the pictures of every page")
    from base45 import b45decode  # type: ignore[import-untyped,unused-ignore]

    return _unpacked(found[0][3], lambda: b45decode("".join(letters[at] for at in range(1, count + 1))))


def _unpacked(check: str, decode: Callable[[], bytes]) -> Snapshot:
    """Return the snapshot in the bytes; raise UserError if its check (CRC-32) fails."""
    try:
        packed = decode()
        if zlib.crc32(packed) == int(check, 16):
            return parsed(zlib.decompress(packed))
    except (ValueError, zlib.error):
        pass
    raise UserError(DAMAGED)


def parsed(content: bytes) -> Snapshot:
    """Return a snapshot as JSON; raise UserError if it is not the companion's."""
    try:
        snapshot = json.loads(text_of(content))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{FOREIGN}: it isn't JSON ({error}). Nothing was saved.") from None
    if not isinstance(snapshot, dict) or "companion" not in snapshot:
        raise UserError(f"{FOREIGN}. Nothing was saved.")
    return snapshot


# -- pictures and files ------------------------------------------------------------------------------------------------


def codes_in(sources: Sequence[str]) -> list[str]:
    """Return the texts of all codes in these pictures, text files and typed snapshots.

    Raises:
        UserError: A file cannot be read, or there is no code at all.
    """
    texts, pictures = list[str](), list[Path]()
    for source in sources:
        if not os.path.exists(source):
            if not re.match(r"\s*bc\d+[.:]", source, re.IGNORECASE):
                give = "a picture of the sheet, a text file, or the text itself (it starts with bc1)"
                raise UserError(f"there is no file {source[:80] or '(empty)'}. Use {give}")
            texts.append(source)
        elif (data := bytes_of(Path(source))).startswith(PICTURES):
            pictures.append(Path(source))
        else:
            try:
                lines = [each for each in text_of(data).splitlines() if each.strip()]
            except UnicodeDecodeError:
                raise UserError(f"{Path(source).name} is neither a picture nor text. Nothing was saved") from None
            texts += lines if any(each.startswith("BC") for each in lines) else ["".join(lines)]
    texts += _scanned(pictures) if pictures else []
    if not texts:
        raise UserError("no code could be read. Try a sharper picture, taken straight from above")
    return texts


def _scanned(paths: list[Path]) -> list[str]:
    """Return every code in the pictures; some pages have none.

    Expensive methods are tried only while codes are missing: enlarging for small or blurred codes, denoising for dark
    pictures.
    """
    import zxingcpp
    from PIL import Image, ImageFilter

    pictures = [_opened(path) for path in paths]
    texts: dict[str, None] = {}
    for scale, grain in ((1.0, True), (2.0, True), (1.5, True), (1.5, False), (2.0, False), (1.0, False)):
        for picture in pictures:
            size = (round(picture.width * scale), round(picture.height * scale))
            if scale > 1 and max(size) > 8000:
                continue
            clear = picture if grain else picture.filter(ImageFilter.MedianFilter(3))
            tried = clear if scale == 1 else clear.resize(size, Image.Resampling.BICUBIC)
            texts.update({each.text: None for each in zxingcpp.read_barcodes(tried) if each.text})
        heads = {code[1]: int(code[2]) for each in texts if (code := re.fullmatch(CODE, each, re.DOTALL))}
        if heads and len(heads) >= max(heads.values()):  # a complete snapshot, or codes of several
            break
    return list(texts)


def _opened(path: Path) -> Picture:
    """Return the picture in grayscale, upright, and no larger than a code needs."""
    from PIL import Image, ImageOps

    try:
        with Image.open(path) as opened:
            opened.draft("L", opened.size)  # a JPEG decodes to grayscale faster
            ImageOps.exif_transpose(opened, in_place=True)
            picture = opened.convert("L")
        less = (ENOUGH / (picture.width * picture.height)) ** 0.5
        if less < 1:
            picture.thumbnail((round(picture.width * less), round(picture.height * less)), Image.Resampling.BOX)
        return picture
    except Exception:  # the library raises many kinds of errors for damaged pictures
        raise UserError(f"{path.name} isn't a picture that can be read. Nothing was saved") from None


# -- restoring ---------------------------------------------------------------------------------------------------------


def inert_copy(part: Any) -> Any:
    """Return a document with a question mark for every unsafe character."""
    if isinstance(part, str):
        return inert(part)
    if isinstance(part, dict):
        return {inert(name): inert_copy(each) for name, each in part.items()}
    return [inert_copy(each) for each in part] if isinstance(part, list) else part


def checked(stored: StoredPending, pack: Pack) -> Pending:
    """Return a stored pending thing; raise UserError if it is of an unknown kind, or the game cannot resolve it."""
    if sum(kind in stored for kind in KINDS) != 1:
        raise UserError("something pending is not one roll, choice, question or order")
    item = Pending.of(stored)
    item.check(pack, item.about)
    if item.until:
        pack.condition(item.until)
    return item


class Restored:
    """A validated snapshot; raise UserError if it is invalid.

    `missions` are as they will be written, `unknown` the omitted fields that the game does not know.
    """

    def __init__(self, snapshot: Mapping[str, object]) -> None:
        import msgspec

        document: Any = {"aircraft": "", **inert_copy(snapshot)}
        if document["companion"] != FORMAT:
            raise UserError(f"this snapshot isn't in format {FORMAT}. It needs another version of the companion")
        try:
            msgspec.convert(document, StoredSnapshot)
        except msgspec.ValidationError as error:
            what, _, where = str(error).replace("`", "").partition(" - at ")
            what = what.replace("Expected ", "expected ").replace("Object", "it")
            place = where.removeprefix("$").lstrip(".")
            raise UserError(f"{FOREIGN}: {what}{' at ' if place else ''}{place}. Nothing was saved.") from None
        self.kind, self.pack = document["kind"], Pack(document["game"])
        self.name = line("the snapshot's name", document["name"])
        self.aircraft = line("the snapshot's aircraft", document["aircraft"])
        self.roster = {at: line(f"the name of the {at}", name) for at, name in document["roster"].items()}
        self.unknown: list[str] = []
        self.missions: list[Mission] = []
        for part in document["missions"]:
            try:
                self.missions.append(self._mission(part))
            except UserError as problem:
                fault = str(problem).partition("\n")[0]
                raise UserError(f"mission {part['number']} of the snapshot: {fault}. Nothing was saved.") from None
        if self.kind == "mission" and len(self.missions) != 1:
            raise UserError(f"{FOREIGN}: a mission has only one sheet. Nothing was saved.")

    def _mission(self, part: SheetPart) -> Mission:
        game = part.get("game", self.pack.name)
        pack = self.pack if game == self.pack.name else Pack(game)
        fields, facts = pack.sheet.fields, part["facts"]
        pending = [checked(each, pack) for each in part.get("pending", [])]
        self.unknown += [name for name in facts if name not in fields]
        state = {name: fields[name].accept(name, facts[name], stored=True) for name in facts if name in fields}
        return Mission(pack, state, pending, Journal(), part["number"])

    def place(self, name: str) -> str:
        """Describe the effect of writing it under that name on an existing campaign; empty if there is none.

        Raise UserError if it cannot be written there.
        """
        folder = campaigns.folder_of(name)
        if not campaigns.holds_campaign(folder):
            return ""
        there = Campaign(folder)
        if self.kind == "campaign":
            raise UserError(f"there is already a campaign {there.name}. Use another name with --as NAME")
        number = self.missions[0].number or 0
        game = there.game_of(number)
        if game.casefold() != self.pack.name.casefold():
            raise UserError(f"mission {number} of {there.name} is a mission of {game}. Use another name with --as NAME")
        verb = "replaces the sheet of" if number in there.missions() else "is added to"
        return f"Mission {number} {verb} {there.name}. Its journal starts again."

    def write(self, name: str) -> None:
        """Write the campaign under that name, or the mission into the campaign of that name, and use it.

        An existing sheet is kept as a backup.
        """
        folder = campaigns.folder_of(name)
        if self.kind == "campaign" or not campaigns.holds_campaign(folder):
            about: StoredCampaign = {"game": self.pack.name, "aircraft": self.aircraft, "roster": self.roster}
            Campaign.create(name, about, self.missions)
            return
        there = Campaign(folder)
        with there.to_change():
            there.save(self.missions[0], fresh=True)
        campaigns.use(there)
