"""Snapshots: a mission or a campaign as a few codes or a few lines of text, and back.

JSON, zlib, then base45 for codes (`BC1:part/parts:check:data`, RFC 9285) or base64 for text (`bc1.check.data`). What
comes back is measured before it is unpacked; what it says is checked in `restoring`. A mission keeps its facts and what
is pending, not its journal; a campaign keeps of every mission what the Campaign Log Sheet reads.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.engine.fields import LONGEST_NAME, Value
from companion.files.reading import TooDeep, json_of, text_of
from companion.packs import Pack
from companion.problems import Problem

if TYPE_CHECKING:
    from companion.campaign.store import Campaign
    from companion.play.mission import Mission

FORMAT = 1
PART = 620  # letters in one code: readable from a photograph at this size
MOST_TEXT, MOST_JSON, DEEPEST = 400_000, 4_000_000, 8  # letters, bytes, levels
FOREIGN = "this is no snapshot of the companion"

Snapshot = dict[str, object]  # what is packed, as JSON has it


# -- what is kept ----------------------------------------------------------------------------------------------------


def of_mission(campaign: Campaign, mission: Mission) -> Snapshot:
    """A mission's sheet and what is pending, with the campaign's name, roster and bomber."""
    sheet = {"number": mission.number, "facts": dict(mission.state), "pending": list(mission.pending)}
    return {**_about(campaign, "mission"), "game": mission.game.name, "missions": [sheet]}


def of_campaign(pack: Pack, campaign: Campaign) -> Snapshot:
    """What the Campaign Log Sheet reads, of every mission; what a mission shares with the one before is left out."""
    wanted = log_fields(pack)
    missions = []
    before: dict[str, Value] = {}
    for number, facts in campaign.sheets(pack):
        now = {name: facts[name] for name in wanted if name in facts}
        sheet: Snapshot = {"number": number, "facts": {n: v for n, v in now.items() if before.get(n) != v}}
        if gone := [name for name in before if name not in now]:
            sheet["gone"] = gone
        missions.append(sheet)
        before = now
    return {**_about(campaign, "campaign"), **_variants(campaign), "missions": missions}


def whole(campaign: Campaign) -> Snapshot:
    """Every fact of every mission and what is pending: the file of `companion export --json`."""
    missions = []
    for number in campaign.missions():
        mission = campaign.load(Pack(campaign.game_of(number)), number)
        if mission is not None:
            missions.append({"number": number, "facts": mission.state, "pending": mission.pending})
    return {**_about(campaign, "campaign"), **_variants(campaign), "missions": missions}


def _about(campaign: Campaign, kind: str) -> Snapshot:
    return {
        "companion": FORMAT,
        "kind": kind,
        "game": campaign.game,
        "name": _fitting(campaign.name),
        "aircraft": _fitting(str(campaign.about.get("aircraft", ""))),
        "roster": {position: _fitting(name) for position, name in campaign.about.get("roster", {}).items()},
    }


def _variants(campaign: Campaign) -> Snapshot:
    """From which mission on which game was flown; nothing where it was one throughout."""
    variants = campaign.about.get("variants")
    return {"variants": dict(variants)} if variants else {}


def _fitting(name: str) -> str:
    """A name as it may come back: older companions took longer ones, and letters that cannot be shown."""
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    return " ".join(shown.split())[:LONGEST_NAME].strip() if shown != name or len(name) > LONGEST_NAME else name


def log_fields(pack: Pack) -> list[str]:
    """The fields that the campaign log and the damage sheet read, those behind worked-out facts included."""
    sheet, log = pack.sheet, pack.about.get("log", {})
    names = {"mission.number", "aircraft.name", *(str(name) for name, _ in log.get("columns", ()))}
    names |= {str(log[key]) for key in ("result", "average", "aircraft-end") if key in log}
    names |= {str(name) for key, name in pack.about.get("damage", {}).items() if key != "note"}
    for key in ("counts", "aircraft-lost", "flew", "lost"):
        names |= set(sheet.names_in(log.get(key, "")))
    names |= {f"{each}[position]" for each in ("name", "crew", "fate", "missions", "kills")}
    fields: dict[str, None] = {}
    for name in sorted(names):
        for each in sheet.expand(name) if name in sheet.families else [name]:
            for one in (each, *(sheet.inputs(each) if each in sheet.derived else ())):
                if one in sheet.fields:
                    fields[one] = None
    return list(fields)


# -- letters ---------------------------------------------------------------------------------------------------------


def squeezed(snapshot: Mapping[str, object]) -> bytes:
    """A snapshot as few bytes."""
    return zlib.compress(json.dumps(snapshot, separators=(",", ":"), ensure_ascii=False).encode(), 9)


def codes(snapshot: Mapping[str, object]) -> list[str]:
    """The texts of the codes, each with its number and the check of the whole."""
    packed = squeezed(snapshot)
    from base45 import b45encode  # type: ignore[import-untyped,unused-ignore]

    letters = b45encode(packed).decode()
    count = -(-len(letters) // PART)
    size = -(-len(letters) // count)
    return [
        f"BC{FORMAT}:{at + 1}/{count}:{zlib.crc32(packed):08X}:{letters[at * size : (at + 1) * size]}"
        for at in range(count)
    ]


def text(snapshot: Mapping[str, object]) -> str:
    """The snapshot as one word to copy or type."""
    packed = squeezed(snapshot)
    return f"bc{FORMAT}.{zlib.crc32(packed):08x}.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def read(texts: Sequence[str]) -> Snapshot:
    """The snapshot behind the texts of codes, in any order, or behind a typed one.

    Raises a Problem when a code is missing or damaged, of another snapshot, or none of ours.
    """
    if sum(map(len, texts)) > MOST_TEXT:
        raise Problem(f"{FOREIGN}: it is far too long")
    if len(texts) == 1 and texts[0].strip().lower().startswith("bc") and "." in texts[0][:8]:
        return unpacked(*_typed("".join(texts[0].split())))
    parts: dict[str, dict[int, str]] = {}
    counts: dict[str, int] = {}
    for each in texts:
        code = re.fullmatch(r"BC(\d+):(\d{1,3})/(\d{1,3}):([0-9A-F]{8}):(.+)", each, re.DOTALL)
        if code is None:
            continue
        check_format(code[1])
        parts.setdefault(code[4], {})[int(code[2])] = code[5]
        counts[code[4]] = int(code[3])
    if not parts:
        raise Problem(f"{FOREIGN}; nothing was restored")
    if len(parts) > 1:
        raise Problem("these are codes of two different snapshots; restore them one after the other")
    check, letters = parts.popitem()
    missing = [str(at) for at in range(1, counts[check] + 1) if at not in letters]
    if missing:
        which = f"code {missing[0]}" if len(missing) == 1 else f"codes {', '.join(missing[:-1])} and {missing[-1]}"
        are = "is" if len(missing) == 1 else "are"
        raise Problem(f"{which} of {counts[check]} {are} missing; give all pictures of the sheet")
    from base45 import b45decode  # type: ignore[import-untyped,unused-ignore]

    try:
        packed = b45decode("".join(letters[at] for at in range(1, counts[check] + 1)))
    except ValueError:
        raise Problem("the code is damaged; nothing was restored") from None
    return unpacked(packed, check)


def _typed(word: str) -> tuple[bytes, str]:
    parts = re.fullmatch(r"bc(\d+)\.([0-9a-fA-F]{8})\.([A-Za-z0-9_-]+)", word, re.IGNORECASE)
    if parts is None:
        raise Problem("the snapshot's text is damaged; nothing was restored")
    check_format(parts[1])
    try:
        return base64.urlsafe_b64decode(parts[3] + "=" * (-len(parts[3]) % 4)), parts[2]
    except (ValueError, binascii.Error):
        raise Problem("the snapshot's text is damaged; nothing was restored") from None


def check_format(number: str) -> None:
    """Raise a Problem unless that is the format that we read."""
    if number.lstrip("0") != str(FORMAT):
        raise Problem(f"this snapshot has format {number[:12]} and needs another companion; this one reads {FORMAT}")


def unpacked(packed: bytes, check: str) -> Snapshot:
    """The snapshot in the bytes; a Problem when the check (CRC-32) fails or it is too large or too deep."""
    damaged = "the snapshot is damaged: its check does not fit; nothing was restored"
    if f"{zlib.crc32(packed):08x}" != check.lower():
        raise Problem(damaged)
    opened = zlib.decompressobj()
    try:
        content = opened.decompress(packed, MOST_JSON)
    except zlib.error:
        raise Problem(damaged) from None
    if opened.unconsumed_tail:
        raise Problem(f"{FOREIGN}: unpacked it is far too large")
    return parsed(content)


def parsed(content: bytes) -> Snapshot:
    """JSON that came from outside: measured, then parsed; a Problem when it is none of ours."""
    if len(content) > MOST_JSON:
        raise Problem(f"{FOREIGN}: it is far too large")
    try:
        snapshot = json_of(text_of(content), DEEPEST)
    except TooDeep:
        raise Problem(f"{FOREIGN}: it is nested too deeply") from None
    except ValueError:
        raise Problem(f"{FOREIGN}: it is not JSON; nothing was restored") from None
    if not isinstance(snapshot, dict):
        raise Problem(f"{FOREIGN}; nothing was restored")
    return snapshot
