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
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.engine.facts import Facts
from companion.engine.fields import LONGEST_NAME, LONGEST_TEXT, Value, line
from companion.engine.work import Item
from companion.packs import Pack
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import Problem
from companion.store import campaigns
from companion.store.campaigns import Campaign
from companion.store.documents import StoredCampaign, check_campaign, game_of
from companion.store.files import TooDeep, json_of, one_change, text_of
from companion.words import inert

if TYPE_CHECKING:
    from companion.play.mission import Mission
    from companion.store.campaigns import Campaign

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


MOST_MISSIONS, MOST_PENDING = 400, 400
LONGEST_LIST = 20_000  # letters of all notes together
KEYS = {"companion", "kind", "game", "variants", "name", "aircraft", "roster", "missions"}
KEYS_OF_A_MISSION = {"number", "facts", "pending", "gone"}
KEYS_OF_AN_ITEM = {"roll", "choose", "ask", "order", "bind", "cite", "born", "done", "by", "take", "usual"}
Part = Mapping[str, object]  # a part of a snapshot, before it is checked


class Restored:
    """A snapshot that has passed every check: `missions` are (number, facts, pending) as they will be written.

    Raises a Problem that says what no snapshot of the companion would hold.
    """

    def __init__(self, snapshot: Part) -> None:
        if "companion" not in snapshot:
            raise Problem(f"{FOREIGN}; nothing was restored")
        _only(snapshot, KEYS, "the snapshot")
        check_format(str(_number(snapshot, "companion", 999)))
        self.kind = _word(snapshot, "kind", 20)
        if self.kind not in ("mission", "campaign"):
            raise Problem(f"{FOREIGN}: it is neither a mission nor a campaign")
        self.name, self.aircraft = _name(snapshot, "name"), _name(snapshot, "aircraft", empty=True)
        campaigns.folder_name(self.name)
        self.pack = Pack(_word(snapshot, "game", 40))
        self.packs = {self.pack.name: self.pack}
        self.variants = self._variants(snapshot.get("variants", {}))
        self.roster = self._roster(snapshot.get("roster"))
        listed = snapshot.get("missions")
        if not isinstance(listed, list) or len(listed) > MOST_MISSIONS or (self.kind == "mission" and len(listed) != 1):
            raise Problem(f"{FOREIGN}: its missions are not a list of missions")
        self.seen: object = None  # the campaign it is to go into, as `place` told of it
        self.missions: list[tuple[int, dict[str, Value], list[Item]]] = []
        before: dict[str, Value] = {}
        for each in listed:
            number, before, pending = self._mission(each, before)
            if self.missions and number <= self.missions[-1][0]:
                raise Problem(f"{FOREIGN}: its missions are out of order")
            self.missions.append((number, before, pending))

    @property
    def sheets(self) -> Iterable[tuple[int, dict[str, Value]]]:
        """What a campaign log is worked out from."""
        return [(number, facts) for number, facts, _ in self.missions]

    def _roster(self, roster: object) -> dict[str, str]:
        if not isinstance(roster, dict):
            raise Problem(f"{FOREIGN}: it has no crew list")
        positions = self.pack.sheet.index.get("position", {})
        for each in roster:
            if each not in positions:
                raise Problem(f"the snapshot has a crew position {each[:40]!r} that {self.pack.name} does not know")
        return {each: _name(roster, each, empty=True) for each in roster}

    def _variants(self, variants: object) -> dict[str, str]:
        """From which mission on which game was flown: those of one family, as `mission start` takes them."""
        try:
            about = check_campaign({"name": self.name, "game": self.pack.name, "variants": variants})
        except Problem:
            raise Problem(f"{FOREIGN}: its variants are no list of games") from None
        for name in set(about["variants"].values()):
            pack = self.packs[name] = Pack(_word({"game": name}, "game", 40))
            if pack.root != self.pack.root:
                raise Problem(f"the snapshot has missions of {pack.name}, another game than {self.pack.name}")
        return dict(about["variants"])

    def flown(self, number: int) -> Pack:
        """The pack that a mission was flown with."""
        return self.packs[game_of({"game": self.pack.name, "variants": self.variants}, number)]

    def _mission(self, part: object, before: Mapping[str, Value]) -> tuple[int, dict[str, Value], list[Item]]:
        if not isinstance(part, dict):
            raise Problem(f"{FOREIGN}: a mission is not a sheet")
        _only(part, KEYS_OF_A_MISSION, "a mission")
        number = _number(part, "number", 999)
        written, gone, pending = part.get("facts"), part.get("gone"), part.get("pending", [])
        if not isinstance(written, dict) or not isinstance(gone or [], list) or not isinstance(pending, list):
            raise Problem(f"{FOREIGN}: mission {number} is not a sheet")
        # what is left out stands as on the mission before; only a campaign's codes leave anything out
        sheet: dict[str, object] = dict(before) if self.kind == "campaign" and "pending" not in part else {}
        for name in gone or []:
            sheet.pop(name if isinstance(name, str) else "", None)
        sheet.update(written)
        pack = self.flown(number)
        facts = {name: _fact(pack, name, value) for name, value in sheet.items()}
        if len(pending) > MOST_PENDING:
            raise Problem(f"{FOREIGN}: too much is pending in mission {number}")
        return number, facts, [_item(pack, each, facts) for each in pending]

    def write(self, name: str) -> None:
        """Write the campaign under that name, or the mission into the campaign of that name; it becomes the one in use.

        A sheet that was there keeps its older generation.
        """
        missions = [Mission(self.flown(n), facts, pending, Journal(), n) for n, facts, pending in self.missions]
        if self.kind == "campaign" or not _is_there(name):
            about: StoredCampaign = {"aircraft": self.aircraft, "roster": self.roster}
            if self.variants:
                about["variants"] = self.variants
            Campaign.create(name, self.pack.name, about, missions)
            return
        present = Campaign(_folder(name))
        with present.lock(), one_change():
            if self.seen != self._seen(name):
                raise Problem(
                    f"another terminal has changed {present.name} meanwhile; nothing was restored, look and try again"
                )
            for mission in missions:
                if mission.number in present.missions():
                    present.save(mission, 0)
                else:
                    present.begin(mission)
            campaigns.use(present.folder.name)

    def _seen(self, name: str) -> object:
        """What tells whether the campaign of that name is as it was when the player was asked."""
        present = Campaign(_folder(name))
        return present.about, present.missions(), [present.stamp(number) for number, _, _ in self.missions]

    def place(self, name: str) -> str:
        """What writing it under that name does to a campaign that is there already, in a line; empty where none is.

        Raises a Problem where it cannot go there.
        """
        if not _is_there(name):
            return ""
        self.seen = self._seen(name)
        if self.kind == "campaign":
            raise Problem(f"there is a campaign {name} already; bring this one in beside it with --as NAME")
        present = Campaign(_folder(name))
        number = self.missions[0][0]
        game = present.game_of(number)
        if game.casefold() != self.pack.name.casefold():
            raise Problem(f"mission {number} of {present.name} is one of {game}; bring this one in with --as NAME")
        verb = "replaces the sheet of" if number in present.missions() else "is added to"
        return f"Mission {number} {verb} {present.name}; its journal begins anew."


def _folder(name: str) -> Path:
    return campaigns.folder_of(name)


def _is_there(name: str) -> bool:
    return (_folder(name) / "campaign.json").exists()


def _fact(pack: Pack, name: str, value: object) -> Value:
    declared = pack.sheet.fields.get(name)
    if declared is None:
        raise Problem(f"the snapshot has a field {name[:60]!r} that {pack.name} does not know")
    if isinstance(value, bool) or not isinstance(value, str | int) or _controls(str(value)):
        raise Problem(f"the snapshot has no plain value in {name}")
    if value == declared.blank:
        return value
    if declared.kind == "list":
        return _word({name: value}, name, LONGEST_LIST, empty=True)
    return declared.accept(name, value, stored=True)


def _item(pack: Pack, item: object, facts: Mapping[str, Value]) -> Item:
    """A pending thing: only what the engine itself would have put there."""
    if not isinstance(item, dict):
        raise Problem(f"{FOREIGN}: what is pending is no list of rolls")
    _only(item, KEYS_OF_AN_ITEM, "a pending roll")
    sheet = pack.sheet
    if "roll" in item:
        pack.table(_word(item, "roll", 60))
    elif "choose" in item:
        if not pack.has_choice(_word(item, "choose", 60)):
            raise Problem(f"the snapshot waits for a choice {item['choose'][:40]!r} that {pack.name} lacks")
    elif "ask" in item:
        sheet.declared(sheet.find(_word(item, "ask", 60)))
    else:
        _word(item, "order", 400)
    bind = item.get("bind", {})
    if not isinstance(bind, dict) or not all(_binding(name, value) for name, value in bind.items()):
        raise Problem(f"{FOREIGN}: a pending roll is bound to nothing we know")
    for key, most in (("born", 10**6), ("take", 1000)):
        if key in item:
            _number(item, key, most)
    for key in ("cite", "by"):
        if key in item:
            _word(item, key, 80, empty=True)
    usual = item.get("usual", "")
    if isinstance(usual, bool) or not isinstance(usual, str | int) or _controls(str(usual)):
        raise Problem(f"{FOREIGN}: a pending question has no plain answer")
    if "done" in item:
        _check_condition(pack, item["done"], {**facts, **bind})
    return item


def _binding(name: str, value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, str | int) or _controls(f"{name}{value}"):
        return False
    return len(str(value)) <= 80 and len(name) <= 60


def _check_condition(pack: Pack, condition: object, facts: Mapping[str, Value]) -> None:
    """An order's end must be a condition over facts of this game; else a Problem."""
    try:
        if not isinstance(condition, str) or len(condition) > LONGEST_TEXT or inert(condition) != condition:
            raise TypeError
        pack.condition(condition)(Facts(pack.sheet, facts))
    except Problem as problem:
        why = str(problem).partition("\n")[0]
        raise Problem(f"{FOREIGN}: an order ends on what {pack.name} does not know: {why}") from None
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError):
        raise Problem(f"{FOREIGN}: an order ends on nothing we know") from None


def _only(part: Part, known: set[str], where: str) -> None:
    for key in part:
        if key not in known:
            raise Problem(f"{FOREIGN}: {where} holds {key[:40]!r}")


def _number(part: Part, key: str, most: int) -> int:
    value = part.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise Problem(f"{FOREIGN}: its {key} is no number from 0 to {most}")
    return value


def _word(part: Part, key: str, longest: int, *, empty: bool = False) -> str:
    value = part.get(key)
    if not isinstance(value, str) or len(value) > longest or not (value or empty) or _controls(value):
        raise Problem(f"{FOREIGN}: its {key} is no line of up to {longest} letters")
    return value


def _name(part: Part, key: str, *, empty: bool = False) -> str:
    return line(f"the snapshot's {key}", _word(part, key, LONGEST_NAME, empty=empty))


def _controls(text: str) -> bool:
    """Whether a terminal, a printer or a file would do more with it than show it."""
    return any(letter < " " for letter in text) or inert(text) != text
