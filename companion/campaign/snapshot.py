"""Snapshots: a mission or a campaign as a few codes or a few lines of text, and back.

JSON, zlib, then base45 for codes (`BC1:part/parts:check:data`) or base64 for text (`bc1.check.data`). What comes
back is data and nothing else: it is measured before it is unpacked, and every field passes through the sheet's own
declaration before anything is written. A mission keeps its facts and what is pending, not its journal; a campaign
keeps of every mission what the Campaign Log Sheet reads.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.campaign import store
from companion.campaign.documents import check_campaign
from companion.engine.sheet import LONGEST_NAME, LONGEST_TEXT, Value, line
from companion.files.reading import TooDeep, json_of, text_of
from companion.packs import Pack
from companion.problems import Problem

if TYPE_CHECKING:
    from companion.campaign.store import Campaign
    from companion.play.mission import Mission

FORMAT = 1
PART = 620  # letters in one code: readable from a photograph at this size
MOST_TEXT, MOST_JSON, DEEPEST, MOST_MISSIONS, MOST_PENDING = 400_000, 4_000_000, 8, 400, 400
LONGEST_LIST = 20_000  # letters of all notes together
FOREIGN = "this is no snapshot of the companion"

Document = dict[str, Any]


# -- what is kept ----------------------------------------------------------------------------------------------------


def of_mission(campaign: Campaign, mission: Mission) -> Document:
    """A mission's sheet and what is pending, with the campaign's name, roster and bomber."""
    kept = {"number": mission.number, "facts": dict(mission.state), "pending": list(mission.pending)}
    return {**_about(campaign, "mission"), "game": mission.game.name, "missions": [kept]}


def of_campaign(pack: Pack, campaign: Campaign) -> Document:
    """What the Campaign Log Sheet reads, of every mission; what a mission shares with the one before is left out."""
    wanted = log_fields(pack)
    missions = []
    before: dict[str, Value] = {}
    for number, facts in campaign.sheets():
        now = {name: facts[name] for name in wanted if name in facts}
        kept: Document = {"number": number, "facts": {n: v for n, v in now.items() if before.get(n) != v}}
        if gone := [name for name in before if name not in now]:
            kept["gone"] = gone
        missions.append(kept)
        before = now
    return {**_about(campaign, "campaign"), **_variants(campaign), "missions": missions}


def whole(campaign: Campaign) -> Document:
    """Every fact of every mission and what is pending: the file of `companion export --json`."""
    missions = []
    for number in campaign.missions():
        mission = campaign.load(Pack(campaign.game_of(number)), number)
        if mission is not None:
            missions.append({"number": number, "facts": mission.state, "pending": mission.pending})
    return {**_about(campaign, "campaign"), **_variants(campaign), "missions": missions}


def _about(campaign: Campaign, kind: str) -> Document:
    return {
        "companion": FORMAT,
        "kind": kind,
        "game": campaign.game,
        "name": _fitting(campaign.name),
        "aircraft": _fitting(str(campaign.about.get("aircraft", ""))),
        "roster": {position: _fitting(name) for position, name in campaign.about.get("roster", {}).items()},
    }


def _variants(campaign: Campaign) -> Document:
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
    found: dict[str, None] = {}
    for name in sorted(names):
        for each in sheet.expand(name) if name in sheet.families else [name]:
            for one in (each, *(sheet.inputs(each) if each in sheet.derived else ())):
                if one in sheet.fields:
                    found[one] = None
    return list(found)


# -- letters ---------------------------------------------------------------------------------------------------------


def squeezed(document: Mapping[str, Any]) -> bytes:
    """A document as few bytes."""
    return zlib.compress(json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode(), 9)


def codes(document: Mapping[str, Any]) -> list[str]:
    """The texts of the codes, each with its number and the check of the whole."""
    packed = squeezed(document)
    from base45 import b45encode  # type: ignore[import-untyped,unused-ignore]

    letters = b45encode(packed).decode()
    count = -(-len(letters) // PART)
    size = -(-len(letters) // count)
    return [
        f"BC{FORMAT}:{at + 1}/{count}:{zlib.crc32(packed):08X}:{letters[at * size : (at + 1) * size]}"
        for at in range(count)
    ]


def text(document: Mapping[str, Any]) -> str:
    """The snapshot as one word to copy or type."""
    packed = squeezed(document)
    return f"bc{FORMAT}.{zlib.crc32(packed):08x}.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def read(texts: Sequence[str]) -> Document:
    """The document behind the texts of codes, in any order, or behind a typed one."""
    if sum(map(len, texts)) > MOST_TEXT:
        raise Problem(f"{FOREIGN}: it is far too long")
    if len(texts) == 1 and texts[0].strip().lower().startswith("bc") and "." in texts[0][:8]:
        return unpacked(*_typed("".join(texts[0].split())))
    parts: dict[str, dict[int, str]] = {}
    counts: dict[str, int] = {}
    for each in texts:
        found = re.fullmatch(r"BC(\d+):(\d{1,3})/(\d{1,3}):([0-9A-F]{8}):(.+)", each, re.DOTALL)
        if found is None:
            continue
        _version(found[1])
        parts.setdefault(found[4], {})[int(found[2])] = found[5]
        counts[found[4]] = int(found[3])
    if not parts:
        raise Problem(f"{FOREIGN}; nothing was restored")
    if len(parts) > 1:
        raise Problem("these are codes of two different snapshots; restore them one after the other")
    check, held = parts.popitem()
    missing = [str(at) for at in range(1, counts[check] + 1) if at not in held]
    if missing:
        which = f"code {missing[0]}" if len(missing) == 1 else f"codes {', '.join(missing[:-1])} and {missing[-1]}"
        are = "is" if len(missing) == 1 else "are"
        raise Problem(f"{which} of {counts[check]} {are} missing; give all pictures of the sheet")
    from base45 import b45decode  # type: ignore[import-untyped,unused-ignore]

    try:
        packed = b45decode("".join(held[at] for at in range(1, counts[check] + 1)))
    except ValueError:
        raise Problem("the code is damaged; nothing was restored") from None
    return unpacked(packed, check)


def _typed(word: str) -> tuple[bytes, str]:
    found = re.fullmatch(r"bc(\d+)\.([0-9a-fA-F]{8})\.([A-Za-z0-9_-]+)", word, re.IGNORECASE)
    if found is None:
        raise Problem("the snapshot's text is damaged; nothing was restored")
    _version(found[1])
    try:
        return base64.urlsafe_b64decode(found[3] + "=" * (-len(found[3]) % 4)), found[2]
    except (ValueError, binascii.Error):
        raise Problem("the snapshot's text is damaged; nothing was restored") from None


def _version(said: str) -> None:
    if int(said) != FORMAT:
        raise Problem(f"this snapshot has format {said} and needs another companion; this one reads {FORMAT}")


def unpacked(packed: bytes, check: str) -> Document:
    """The document in the bytes; a Problem when the check fails or it is too large or too deep."""
    damaged = "the snapshot is damaged: its check does not fit; nothing was restored"
    if f"{zlib.crc32(packed):08x}" != check.lower():
        raise Problem(damaged)
    opened = zlib.decompressobj()
    try:
        plain = opened.decompress(packed, MOST_JSON)
    except zlib.error:
        raise Problem(damaged) from None
    if opened.unconsumed_tail:
        raise Problem(f"{FOREIGN}: unpacked it is far too large")
    return parsed(plain)


def parsed(plain: bytes) -> Document:
    """JSON that came from outside: measured, then parsed."""
    if len(plain) > MOST_JSON:
        raise Problem(f"{FOREIGN}: it is far too large")
    try:
        found = json_of(text_of(plain), DEEPEST)
    except TooDeep:
        raise Problem(f"{FOREIGN}: it is nested too deeply") from None
    except ValueError:
        raise Problem(f"{FOREIGN}: it is not JSON; nothing was restored") from None
    if not isinstance(found, dict):
        raise Problem(f"{FOREIGN}; nothing was restored")
    return found


# -- what may come back ------------------------------------------------------------------------------------------------


class Restored:
    """A document that has passed every check: `missions` are (number, facts, pending) as they will be written."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        if "companion" not in document:
            raise Problem(f"{FOREIGN}; nothing was restored")
        known = {"companion", "kind", "game", "variants", "name", "aircraft", "roster", "missions"}
        _only(document, known, "the snapshot")
        _version(str(_number(document, "companion", 999)))
        self.kind = _word(document, "kind", 20)
        if self.kind not in ("mission", "campaign"):
            raise Problem(f"{FOREIGN}: it is neither a mission nor a campaign")
        self.name, self.aircraft = _name(document, "name"), _name(document, "aircraft", empty=True)
        store.folder_name(self.name)
        self.pack = Pack(_word(document, "game", 40))
        self.packs = {self.pack.name: self.pack}
        self.variants = self._variants(document.get("variants", {}))
        self.roster = self._roster(document.get("roster"))
        listed = document.get("missions")
        if not isinstance(listed, list) or len(listed) > MOST_MISSIONS or (self.kind == "mission" and len(listed) != 1):
            raise Problem(f"{FOREIGN}: its missions are not a list of missions")
        self.missions: list[tuple[int, dict[str, Value], list[Any]]] = []
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

    def _roster(self, given: Any) -> dict[str, str]:
        if not isinstance(given, dict):
            raise Problem(f"{FOREIGN}: it has no crew list")
        positions = self.pack.sheet.index.get("position", {})
        for each in given:
            if each not in positions:
                raise Problem(f"the snapshot has a crew position {each[:40]!r} that {self.pack.name} does not know")
        return {each: _name(given, each, empty=True) for each in given}

    def _variants(self, given: Any) -> dict[str, str]:
        """From which mission on which game was flown: those of one family, as `mission start` takes them."""
        try:
            check_campaign({"name": self.name, "game": self.pack.name, "variants": given})
        except Problem:
            raise Problem(f"{FOREIGN}: its variants are no list of games") from None
        for name in set(given.values()):
            pack = self.packs[name] = Pack(_word({"game": name}, "game", 40))
            if pack.root != self.pack.root:
                raise Problem(f"the snapshot has missions of {pack.name}, another game than {self.pack.name}")
        return dict(given)

    def flown(self, number: int) -> Pack:
        """The pack that a mission was flown with."""
        return self.packs[store.game_of({"game": self.pack.name, "variants": self.variants}, number)]

    def _mission(self, given: Any, before: Mapping[str, Value]) -> tuple[int, dict[str, Value], list[Any]]:
        if not isinstance(given, dict):
            raise Problem(f"{FOREIGN}: a mission is not a sheet")
        _only(given, {"number", "facts", "pending", "gone"}, "a mission")
        number = _number(given, "number", 999)
        facts = given.get("facts")
        gone, pending = given.get("gone"), given.get("pending", [])
        if not isinstance(facts, dict) or not isinstance(gone or [], list) or not isinstance(pending, list):
            raise Problem(f"{FOREIGN}: mission {number} is not a sheet")
        # what is left out stands as on the mission before; only a campaign's codes leave anything out
        made = dict(before) if self.kind == "campaign" and "pending" not in given else {}
        for name in gone or []:
            made.pop(name if isinstance(name, str) else "", None)
        made.update(facts)
        pack = self.flown(number)
        made = {name: _fact(pack, name, value) for name, value in made.items()}
        if len(pending) > MOST_PENDING:
            raise Problem(f"{FOREIGN}: too much is pending in mission {number}")
        return number, made, [_item(pack, each, made) for each in pending]


def _fact(pack: Pack, name: str, value: Any) -> Value:
    declared = pack.sheet.fields.get(name)
    if declared is None:
        raise Problem(f"the snapshot has a field {name[:60]!r} that {pack.name} does not know")
    if isinstance(value, bool) or not isinstance(value, str | int) or _controls(str(value)):
        raise Problem(f"the snapshot has no plain value in {name}")
    if value == declared.blank:
        return value
    if declared.kind == "list":
        return _word({name: value}, name, LONGEST_LIST, empty=True)
    return declared.accept(name, value, kept=True)


def _item(pack: Pack, item: Any, facts: Mapping[str, Value]) -> dict[str, Any]:
    """A pending thing: only what the engine itself would have put there."""
    if not isinstance(item, dict):
        raise Problem(f"{FOREIGN}: what is pending is no list of rolls")
    known = {"roll", "choose", "ask", "order", "bind", "cite", "born", "done", "by", "take", "usual"}
    _only(item, known, "a pending roll")
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
    if not isinstance(bind, dict):
        raise Problem(f"{FOREIGN}: a pending roll is bound to nothing we know")
    for each, value in bind.items():
        if isinstance(value, bool) or not isinstance(value, str | int) or len(str(value)) > 80 or len(each) > 60:
            raise Problem(f"{FOREIGN}: a pending roll is bound to nothing we know")
    for key, most in (("born", 10**6), ("take", 1000)):
        if key in item:
            _number(item, key, most)
    for key in ("cite", "by"):
        if key in item:
            _word(item, key, 80, empty=True)
    if "usual" in item and (isinstance(item["usual"], bool) or not isinstance(item["usual"], str | int)):
        raise Problem(f"{FOREIGN}: a pending question has no plain answer")
    if "done" in item:
        _condition(pack, item["done"], facts, bind)
    return item


def _condition(pack: Pack, given: Any, facts: Mapping[str, Value], bind: Mapping[str, Value]) -> None:
    """An order's end must be a condition over facts of this game."""
    from companion.engine.sheet import Facts
    from companion.packs.first import sentence

    try:
        if isinstance(given, dict):
            given = sentence(given)
        if not isinstance(given, str) or len(given) > LONGEST_TEXT:
            raise TypeError
        pack.condition(given)(Facts(pack.sheet, {**facts, **bind}))
    except Problem as problem:
        told = str(problem).partition("\n")[0]
        raise Problem(f"{FOREIGN}: an order ends on what {pack.name} does not know: {told}") from None
    except (TypeError, ValueError, KeyError, AttributeError, IndexError, RecursionError):
        raise Problem(f"{FOREIGN}: an order ends on nothing we know") from None


def _only(given: Mapping[str, Any], known: set[str], where: str) -> None:
    for key in given:
        if key not in known:
            raise Problem(f"{FOREIGN}: {where} holds {key[:40]!r}")


def _number(given: Mapping[str, Any], key: str, most: int) -> int:
    value = given.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise Problem(f"{FOREIGN}: its {key} is no number from 0 to {most}")
    return value


def _word(given: Mapping[str, Any], key: str, longest: int, *, empty: bool = False) -> str:
    value = given.get(key)
    if not isinstance(value, str) or len(value) > longest or not (value or empty) or _controls(value):
        raise Problem(f"{FOREIGN}: its {key} is no line of up to {longest} letters")
    return value


def _name(given: Mapping[str, Any], key: str, *, empty: bool = False) -> str:
    return line(f"the snapshot's {key}", _word(given, key, LONGEST_NAME, empty=empty))


def _controls(text: str) -> bool:
    """Whether a terminal would do more than show it."""
    return any(letter < " " or "\x7f" <= letter <= "\x9f" for letter in text)
