"""Snapshots: a mission or a campaign as a few codes or a few lines of text, and back.

JSON, zlib, then base45 for codes (`BC1:part/parts:check:data`, RFC 9285) or base64 for text (`bc1.check.data`). A
mission keeps its facts and what is pending, not its journal; a campaign keeps what the Campaign Log Sheet reads.
What comes back may come from anybody: it is measured before it is unpacked, its form is proved by msgspec, every field
passes through the sheet, and nothing is written before all of it is found sound.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import ValidationError, convert, to_builtins

from companion.engine.fields import Value, line
from companion.engine.pending import restored, stored
from companion.packs import Pack
from companion.play.journal import Journal
from companion.play.mission import Mission
from companion.problems import UserError
from companion.store import campaigns
from companion.store.campaigns import Campaign
from companion.store.documents import StoredCampaign, check_facts, check_pending
from companion.store.files import json_of, present
from companion.store.forms import SheetPart, SnapshotForm, in_words, plain_of
from companion.words import series

FORMAT = 1
PART = 620  # letters in one code: readable from a photograph at this size
MOST_JSON = 4_000_000  # bytes
CODE = r"BC(\d+):(\d{1,3})/(\d{1,3}):([0-9A-F]{8}):(.+)"  # format, which, of how many, check, letters
FOREIGN = "this is no snapshot of the companion"

Snapshot = dict[str, object]  # what is packed, as JSON has it


# -- what is kept ----------------------------------------------------------------------------------------------------


def of_mission(campaign: Campaign, mission: Mission) -> Snapshot:
    """Return a mission's sheet and what is pending, with the campaign's name, roster and bomber."""
    sheet: Snapshot = {"number": mission.number, "facts": dict(mission.state), "pending": stored(mission.pending)}
    return _about(campaign, "mission", [sheet]) | {"game": mission.game.name}


def of_campaign(pack: Pack, campaign: Campaign) -> Snapshot:
    """Return what the Campaign Log Sheet reads of every mission, without what it shares with the one before."""
    wanted, missions = log_fields(pack), []
    before: dict[str, Value] = {}
    for number, row in campaign.rows(pack):
        now = {name: row["facts"][name] for name in wanted if name in row["facts"]}
        part: Snapshot = {"number": number, "facts": {n: v for n, v in now.items() if before.get(n) != v}}
        if gone := [name for name in before if name not in now]:
            part["gone"] = gone
        missions.append(part | _game(campaign, row["game"]))
        before = now
    return _about(campaign, "campaign", missions)


def whole(campaign: Campaign) -> Snapshot:
    """Return every fact of every mission and what is pending: the file of `companion export --json`."""
    missions = []
    for number in campaign.missions():
        campaign.flown(number)  # which says where one is damaged
        row = campaign.sheet(number).row
        part: Snapshot = {"number": number, "facts": row["facts"], "pending": row["pending"]}
        missions.append(part | _game(campaign, row["game"]))
    return _about(campaign, "campaign", missions)


def _about(campaign: Campaign, kind: str, missions: list[Snapshot]) -> Snapshot:
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


def _game(campaign: Campaign, game: str) -> Snapshot:
    return {} if game == campaign.game else {"game": game}


def log_fields(pack: Pack) -> list[str]:
    """The fields that the campaign log and the damage sheet read, those behind worked-out facts included."""
    sheet, log = pack.sheet, pack.about.log
    names = {"mission.number", "aircraft.name", *(name for name, _ in log.columns)}
    names |= {name for name in (log.result, log.average, log.aircraft_end) if name}
    damage = pack.about.damage
    names |= {damage.city, damage.boxes, damage.percent, damage.of, damage.known}
    for sentence in (log.counts, log.aircraft_lost, log.flew, log.lost):
        names |= set(sheet.names_in(sentence))
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
    """Return a snapshot as few bytes."""
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
    """Return the snapshot as one word to copy or type."""
    packed = squeezed(snapshot)
    return f"bc{FORMAT}.{zlib.crc32(packed):08x}.{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def read(texts: Sequence[str]) -> Snapshot:
    """Return the snapshot of codes, in any order, or of a typed text.

    Raises:
        UserError: a code is missing or damaged, of another snapshot, or none of ours.
    """
    if len(texts) == 1 and texts[0].strip().lower().startswith("bc") and "." in texts[0][:8]:
        word = re.fullmatch(r"bc(\d+)\.([0-9a-f]{8})\.([\w-]+)", "".join(texts[0].split()), re.IGNORECASE | re.ASCII)
        if word is None:
            raise UserError("the snapshot's text is damaged; nothing was restored")
        _check_format(word[1])
        try:
            return unpacked(base64.urlsafe_b64decode(word[3] + "=" * (-len(word[3]) % 4)), word[2])
        except ValueError:
            raise UserError("the snapshot's text is damaged; nothing was restored") from None
    parts: dict[tuple[str, int], dict[int, str]] = {}  # by the check, and how many there are
    for each in texts:
        if code := re.fullmatch(CODE, each, re.DOTALL):
            _check_format(code[1])
            parts.setdefault((code[4], int(code[3])), {})[int(code[2])] = code[5]
    if not parts:
        raise UserError(f"{FOREIGN}; nothing was restored")
    if len(parts) > 1:
        raise UserError("these are codes of two different snapshots; restore them one after the other")
    (check, count), letters = parts.popitem()
    if missing := [str(at) for at in range(1, count + 1) if at not in letters]:
        which = f"code {missing[0]}" if len(missing) == 1 else f"codes {series(missing)}"
        are = "is" if len(missing) == 1 else "are"
        raise UserError(f"{which} of {count} {are} missing; give all pictures of the sheet")
    from base45 import b45decode  # type: ignore[import-untyped,unused-ignore]

    try:
        packed = b45decode("".join(letters[at] for at in range(1, count + 1)))
    except ValueError:
        raise UserError("the code is damaged; nothing was restored") from None
    return unpacked(packed, check)


def _check_format(number: str) -> None:
    """Raise a UserError unless that is the format that we read."""
    if number.lstrip("0") != str(FORMAT):
        raise UserError(f"this snapshot has format {number[:12]} and needs another companion; this one reads {FORMAT}")


def unpacked(packed: bytes, check: str) -> Snapshot:
    """Return the snapshot in the bytes; a UserError when the check (CRC-32) fails."""
    if f"{zlib.crc32(packed):08x}" != check.lower():
        raise UserError("the snapshot is damaged: its check does not fit; nothing was restored")
    opened = zlib.decompressobj()
    try:
        content = opened.decompress(packed, MOST_JSON)
    except zlib.error:
        raise UserError(f"{FOREIGN}; nothing was restored") from None
    if opened.unconsumed_tail:
        raise UserError(f"{FOREIGN}: unpacked it is far too large")
    return parsed(content)


def parsed(content: bytes) -> Snapshot:
    """Return JSON that came from outside; a UserError when it is none of ours."""
    try:
        snapshot = json_of(content)
    except ValueError as error:
        raise UserError(f"{FOREIGN}: it is not JSON ({error}); nothing was restored") from None
    if not isinstance(snapshot, dict) or "companion" not in snapshot:
        raise UserError(f"{FOREIGN}; nothing was restored")
    return snapshot


# -- bringing it back --------------------------------------------------------------------------------------------------


class Restored:
    """A snapshot that has passed every check. `missions` are as they will be written, `unknown` the fields on them that
    the game does not know, which are left out.

    Raises a UserError that says what no snapshot of the companion would hold.
    """

    def __init__(self, snapshot: Mapping[str, object]) -> None:
        try:
            form = convert(plain_of(snapshot), SnapshotForm)
        except ValidationError as error:
            raise UserError(f"{FOREIGN}: {in_words(error)}; nothing was restored") from None
        _check_format(str(form.companion))
        self.kind, self.roster, self.pack = form.kind, form.roster, Pack(form.game)
        self.name, self.aircraft = (
            line("the snapshot's name", form.name),
            line("the snapshot's aircraft", form.aircraft),
        )
        campaigns.folder_name(self.name)
        self.packs = {self.pack.name: self.pack}
        for position in form.roster:
            if position not in self.pack.sheet.index.get("position", {}):
                raise UserError(f"the snapshot has a crew position {position!r} that {self.pack.name} does not know")
        numbers = [part.number for part in form.missions]
        if self.kind == "mission" and len(numbers) != 1:
            raise UserError(f"{FOREIGN}: a mission is one sheet; nothing was restored")
        if any(later <= earlier for earlier, later in pairwise(numbers)):
            raise UserError(f"{FOREIGN}: its missions are out of order; nothing was restored")
        self.seen: object = None  # the campaign it is to go into, as `place` told of it
        self.unknown: list[str] = []
        self.missions: list[Mission] = []
        for part in form.missions:
            self.missions.append(self._mission(part, self.missions[-1].state if self.missions else {}))

    def _mission(self, part: SheetPart, before: Mapping[str, Value]) -> Mission:
        pack = self.packs.setdefault(name, Pack(name)) if (name := part.game) else self.pack
        if pack.root != self.pack.root:
            raise UserError(f"the snapshot has a mission of {pack.name}, another game than {self.pack.name}")
        facts = {n: v for n, v in before.items() if n not in part.gone} if part.pending is None else {}
        facts.update(part.facts)
        pending = restored(to_builtins(part.pending or []))
        try:
            unknown = check_facts(facts, pack)
            check_pending(pending, pack)
        except UserError as problem:
            raise UserError(f"mission {part.number} of the snapshot: {problem}; nothing was restored") from None
        self.unknown += unknown
        known = {name: value for name, value in facts.items() if name not in unknown}
        return Mission(pack, known, pending, Journal(), part.number)

    def write(self, name: str) -> None:
        """Write the campaign under that name, or the mission into the campaign of that name; it becomes the one in use.

        A sheet that was there keeps its older generation.
        """
        there = _campaign(name)
        if self.kind == "campaign" or there is None:
            about: StoredCampaign = {"game": self.pack.name, "aircraft": self.aircraft, "roster": self.roster}
            Campaign.create(name, about, self.missions)
            return
        with there.lock():
            if self.seen != self._stand(there.again()):
                raise UserError(
                    f"another terminal has changed {there.name} meanwhile; nothing was restored, look and try again"
                )
            there.save(self.missions[0], fresh=True)
        campaigns.use(there.folder.name, f"the mission is restored to {there.name}")

    def place(self, name: str) -> str:
        """Return what writing it under that name does to a campaign that is there already, in a line; else empty.

        Raises a UserError where it cannot go there.
        """
        there = _campaign(name)
        if there is None:
            return ""
        if self.kind == "campaign":
            raise UserError(f"there is a campaign {there.name} already; bring this one in beside it with --as NAME")
        self.seen, number = self._stand(there), self.missions[0].number or 0
        game = there.game_of(number)
        if game.casefold() != self.pack.name.casefold():
            raise UserError(f"mission {number} of {there.name} is one of {game}; bring this one in with --as NAME")
        verb = "replaces the sheet of" if number in there.missions() else "is added to"
        return f"Mission {number} {verb} {there.name}; its journal begins anew."

    def _stand(self, there: Campaign) -> object:
        """Return what tells whether a campaign is as it was when the player was asked."""
        return there.about, there.missions(), there.stamp(self.missions[0].number or 0)


def _campaign(name: str) -> Campaign | None:
    folder = campaigns.folder_of(name)
    return Campaign(folder) if present(folder / "campaign.json") else None
