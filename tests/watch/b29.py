"""Prohibitions of the rulebooks of the B-29 and its Streamliner."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from companion.engine.fields import Value
from companion.play.journal import Entry
from tests.watch import Book, Seen, nobody_heals, over

# 7.6 A: the rooms and how many men they hold
ROOMS = {"nose": 3, "nav-radio": 7, "waist": 5, "utility": 3, "tail": 1}
HOME = {
    "pilot": "nose", "copilot": "nose", "bombardier": "nose", "navigator": "nav-radio", "engineer": "nav-radio",
    "radio-operator": "nav-radio", "cfc": "waist", "left-gunner": "waist", "right-gunner": "waist",
    "radar-operator": "waist", "tail-gunner": "tail",
}  # fmt: skip
MEN = tuple(HOME)
ENGINES = [f"engine.{number}" for number in (1, 2, 3, 4)]
LEVELS = ("lo", "med", "hi")
DAMAGE = ("7-1", "7-2", "7-3", "7-4", "7-5", "7-6", "7-7", "7-8")
AREAS = (
    "nose", "nav-radio", "fwd-bomb-bay", "aft-bomb-bay", "port-wing", "starboard-wing", "waist", "utility", "tail",
)  # fmt: skip
# 4.3 A, 7.4 A, 7-3 b, 5-8, 6-7, 4.0, 9.1
LIMITS = {
    "fuel.wing": 38, "fuel.fwd": 4, "fuel.aft": 4, "oxygen": 2, "pumps.failed": 2, "bomb-run.percent": 100,
    "zone": 14, "target.zone": 14, "target.box": 1, "fire.waist": 2, "fire.utility": 2, "fire.nose": 1,
    "fire.nav-radio": 1, "fire.tail": 1,
}  # fmt: skip
# choices that name another man than the one who acts
OF_OTHERS = ("move", "raft-man", "oxygen-place", "crew-hurt", "how-hurt", "stays-behind")
ON_THE_MAN = ("7-13", "7-14", "8-6", "8-7", "8-4.crew", "8-5.crew")
AT_THE_TARGET = ("6-1", "6-2", "6-6", "6-7", "6-8", "6-9", "5-14")
# what may keep a bomber below (4.2, 7.2 to 7.4, Streamliner 17)
DAMAGED = ("engine.", "pressure.", "pressurization", "oxygen.", "fuel.dry", "icing")
# what may still be rolled when the bomber has come to its end: landing, rescue, wounds, damage to the city
AFTERWARDS = ("8", "9-1", "7-11", "7-13", "7-14")


def begin(rng: random.Random) -> dict[str, Value]:
    names: dict[str, Value] = {f"name.{man}": f"Man {at}" for at, man in enumerate(MEN, 1)}
    missions: dict[str, Value] = {f"missions.{man}": rng.choice([0, 5, 8, 14, 30]) for man in MEN}
    return {"mission.number": rng.randint(1, 35), **names, **missions}


def fit(seen: Seen, man: str) -> bool:
    """Return whether a man is aboard and neither dead nor seriously wounded nor frostbitten (7.3, 7.6)."""
    return seen[f"crew.{man}"] in ("ok", "light") and seen[f"frostbite.{man}"] == "no"


def alive(seen: Seen, man: str) -> bool:
    return seen[f"crew.{man}"] in ("ok", "light", "serious")


def out(seen: Seen) -> int:
    return sum(seen[engine] != "ok" for engine in ENGINES)


def room(seen: Seen, man: str) -> str:
    """Return the compartment of the man in this seat: that of the seat, or where he was carried."""
    lies = str(seen[f"lies.{man}"])
    return HOME[man] if lies == "none" else lies


# -- the men -----------------------------------------------------------------------------------------------------------


def no_lost_man_acts(entry: Entry, before: Seen, _: Seen) -> Iterator[str]:
    """5.3, 7.5, 7.6: only fit men fire, fight a fire, repair or move."""
    table, bound = entry["t"], entry.get("b", {})
    actors = []
    if table == "5-7":
        by = before[f"aim.{bound['gun']}.by"]
        actors = ["tail-gunner" if by == "passing" else by]
    elif table == "7-12" and "position" in bound:
        actors = [bound["position"]]
    elif entry["v"] == "choose" and table not in OF_OTHERS and entry["o"] in MEN:
        actors = [entry["o"]]
    elif entry["v"] == "choose" and table == "aim" and "-" in str(entry["o"]):
        actors = [man for man in [str(entry["o"]).partition("-")[2]] if man in MEN]
    for man in actors:
        if man not in MEN:
            yield f"nobody acts: {man!r}"
        elif not fit(before, man):
            yield f"the {man}, {before[f'crew.{man}']}, frostbite {before[f'frostbite.{man}']}, acts"


def no_gun_is_fired_that_may_not(entry: Entry, before: Seen, _: Seen) -> Iterator[str]:
    """2.3 D, 5-7 a, 7.6 B: a gun must work and be carried, and a man who moved this turn does not fire."""
    if entry["t"] != "5-7":
        return
    gun = entry["b"]["gun"]
    if before[f"gun.{gun}"] != "ok":
        yield f"the {gun} fires and is {before[f'gun.{gun}']}"
    if gun == "cannon" and before["mission.number"] >= 11:
        yield "the cannon fires after mission 10"
    by = before[f"aim.{gun}.by"]
    if by in MEN and before[f"duty.{by}"] != "none":
        yield f"the {by} fires and has moved, or other duty: {before[f'duty.{by}']}"


def no_dead_man_is_hit(entry: Entry, before: Seen, _: Seen) -> Iterator[str]:
    """7-13, 7-14, 8-4 to 8-7 apply only to the living."""
    man = entry.get("b", {}).get("position")
    if entry["t"] in ON_THE_MAN and man in MEN and not alive(before, man):
        yield f"for the {man}, who is {before[f'crew.{man}']}"


def rooms_hold_so_many(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """7.6 A, C: compartments have limits, which include dead men; no wounded man passes the tunnel."""
    if not any(name.startswith(("lies.", "name.")) for name in entry.get("c", {})) or entry["v"] == "set":
        return
    aboard = [man for man in MEN if after[f"crew.{man}"] != "absent"]
    for place, most in ROOMS.items():
        men = [man for man in aboard if room(after, man) == place]
        dead = sum(not alive(after, man) for man in men)
        if len(men) > most + (1 if place == "tail" and dead else 0):
            yield f"{len(men)} men in {place}, which holds {most}"
    was = {before[f"name.{man}"]: man for man in MEN}
    for man in aboard:
        old = was[after[f"name.{man}"]]
        ends = {room(before, old), room(after, man)}
        if after[f"crew.{man}"] in ("serious", "kia") and "waist" in ends and ends & {"nose", "nav-radio"}:
            yield f"a man {after[f'crew.{man}']} is carried through the tunnel"


def somebody_flies(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """5.7 B, 8.1: a fit man lands the bomber; only the pilots evade, and not in formation."""
    if entry["t"] in ("8-1", "8-3") and entry["v"] == "roll":
        if not any(fit(before, man) for man in MEN) and before["nobody-flies"] != "settled":
            yield "landed by nobody"
        if before["controls.pilots"] == "out":
            yield "landed without controls"
    if after["evasive"] == "yes" and before["evasive"] != "yes" and entry["v"] != "set":
        if not (fit(before, "pilot") or fit(before, "copilot")):
            yield "evasive action without a pilot"
        if after["formation"] == "in" or out(after) >= 2 or after["electrical"] == "out" or after["bip"] == "yes":
            yield "evasive action that 5.7 forbids"


# -- height, weather, place --------------------------------------------------------------------------------------------


def the_briefing_holds(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """2.2, 2.3, 4.8: exclusions by day, night, the mission's number and the city."""
    number, table = after["mission.number"], entry["t"]
    if table == "2-1" and number >= 11 or table in ("2-2A", "2-2C", "2-2D", "2-2E", "2-3") and number <= 10:
        yield f"mission {number}"
    if table == "2-8" and before["mission.time"] == "night" or table == "2-7" and before["mission.time"] == "day":
        yield f"by {before['mission.time']}"
    if table in ("take-off", "3-1", "3-2") and entry["v"] != "set":
        yield from briefed(after)


def briefed(seen: Seen) -> Iterator[str]:
    city, zone = str(seen["target.city"]), seen["target.zone"]
    if seen["mission.time"] == "night" and seen["mission.altitude"] != "lo":
        yield f"a night mission at {seen['mission.altitude']} (2.2 C)"
    if seen["mission.time"] == "night" and seen["escort.available"] == "yes":
        yield "an escort by night (2.3 H)"
    if city == "iwo-jima" and (zone != 6 or seen["mission.number"] >= 11):
        yield f"Iwo Jima in zone {zone}, mission {seen['mission.number']}"
    if city not in ("iwo-jima", "truk") and not 10 <= zone <= 14:
        yield f"{city} in zone {zone} (2-9)"
    urban = seen["target.type"] == "urban-area"
    if seen["mission.number"] >= 11 and urban != (seen["target.table"] in ("2-2c", "2-3")):
        yield f"{seen['target.type']} from {seen['target.table']} (9.2)"
    day, high = seen["mission.time"] == "day", seen["mission.altitude"] in ("med", "hi")
    for bay in ("fwd", "aft"):  # 2.3 G
        if day and high and (seen[f"aux.{bay}"] == "installed") == (city == "iwo-jima"):
            yield f"auxiliary tank {bay}: {seen[f'aux.{bay}']}"
    for man in ("cfc", "left-gunner", "right-gunner", "tail-gunner"):  # 2.3 D
        if day and seen[f"crew.{man}"] == "absent":
            yield f"no {man} by day"


def formation_is_lawful(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """4.8, 7.2: formation only by day, at the briefed altitude, between assembly and its end, with three engines."""
    if entry["v"] == "set" or not before["step"] or before["turn"] == 0:
        return
    if "formation" in entry.get("c", {}) and after["mission.time"] == "night" and after["formation"] != "none":
        yield f"formation {after['formation']} by night"
    if after["formation"] == "in" and before["formation"] != "in":
        first = 3 if after["mission.number"] <= 10 else 9
        if after["altitude"] != after["mission.altitude"] or out(after) >= 1 or after["zone"] < first:
            yield f"joins formation at {after['altitude']}, {out(after)} engines out, zone {after['zone']}"
        if after["rally.missed"] == "yes":
            yield "joins formation though the rally was missed"
    if entry["t"] in ("5-1", "6-6") and before["formation"] == "in":
        if before["altitude"] != before["mission.altitude"] or out(before) >= 2 or before["bip"] == "yes":
            yield f"still in formation at {before['altitude']}, {out(before)} engines out, bip {before['bip']}"
        if out(before) == 1 and before["bombs"] == "aboard" and before["zone"] != before["target.zone"]:
            yield "in formation with an engine out and bombs aboard (7.2)"


def height_is_lawful(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """4.1 B, 4.2 A, 7.2: one level upward per turn, none that the engines forbid; pressurized only above LO."""
    rise = LEVELS.index(after["altitude"]) - LEVELS.index(before["altitude"])
    if rise > 0 and entry["v"] != "set" and before["turn"] >= 1:
        if rise > 1:
            yield "climbs two levels at once"
        if out(before) >= 2 or out(before) == 1 and before["bombs"] == "aboard":
            yield f"climbs with {out(before)} engines out"
    if after["pressurized"] == "yes" and before["turn"] >= 1 and entry["v"] != "set":
        if after["altitude"] == "lo":
            yield "pressurized at LO"
        if after["engine.2"] != "ok" and after["engine.3"] != "ok":
            yield "pressurized without engines 2 and 3"
    if entry["t"] == "6-6" and LEVELS.index(before["altitude"]) > LEVELS.index(before["mission.altitude"]):
        yield f"bombs at {before['altitude']}, the briefing says {before['mission.altitude']}"


def place_is_lawful(entry: Entry, before: Seen, _: Seen) -> Iterator[str]:
    """4.4 to 4.6, 5.1, 5.2, 5.8, 6.x, 8.x: where and when each table may be rolled."""
    table, zone, number = entry["t"], before["zone"], before["mission.number"]
    if entry["v"] != "roll":
        return
    if table in ("4-2", "4-8", "4.6") and zone == 0:
        yield "at the base"
    if table == "5-1" and not (10 <= zone <= 14 or zone == 6 and number <= 10 or zone == 5 and _truk(before)):
        yield f"fighters in zone {zone}"
    if table in AT_THE_TARGET and zone != before["target.zone"]:
        yield f"in zone {zone}, the target is in {before['target.zone']}"
    if table in ("6-6", "6-7", "6-1") and (before["leg"] != "outbound" or before["aborted"] == "yes"):
        yield f"on the {before['leg']} leg, aborted {before['aborted']}"
    if (
        table in ("5-14", "5-15", "5.8D")
        and before["mission.time"] != "night"
        or (table in ("5-2", "5-3", "5-5", "4-10", "4-11") and before["mission.time"] != "day")
    ):
        yield f"by {before['mission.time']}"
    if table == "5-14" and before["target.asterisk"] == "yes" and before["step"] != "lights":
        yield "searchlights at a starred city"
    if table == "6-8" and (before["target.table"] != "2-2c" or before["altitude"] != "lo"):
        yield f"thermals over a city of {before['target.table']} at {before['altitude']}"
    if table == "9-1" and before["target.type"] != "urban-area":
        yield f"city damage for {before['target.type']}"
    if table == "8-1" and (1 <= zone <= 9 and not (zone == 6 and number >= 11) or before["altitude"] != "lo"):
        yield f"a landing in zone {zone} at {before['altitude']}"
    if entry.get("d") and not table.startswith(AFTERWARDS) and before["bomber.fate"] != "none":
        yield f"after the end: {before['bomber.fate']}"


def _truk(seen: Seen) -> bool:
    return bool(seen["target.city"] == "truk")


# -- the whole journal -------------------------------------------------------------------------------------------------


def weather_once_a_zone(entries: Sequence[Entry], end: Seen) -> Iterator[str]:
    """4.4: one roll on entering each zone, recorded on the sheet."""
    zones = Counter[str]()
    for entry in entries:
        if entry["t"] == "4-2" and entry["v"] == "roll":
            zones.update(name for name in entry.get("c", {}) if name.startswith("log."))
    yield from (f"the weather of {zone} is rolled {count} times" for zone, count in zones.items() if count > 1)
    for zone in zones:
        if end[zone] not in ("good", "poor", "bad"):
            yield f"the weather of {zone} is not on the sheet"


def flak_over_the_target(entries: Sequence[Entry], _: Seen) -> Iterator[str]:
    """6.2: flak only over the target; elsewhere 6-3 is for bombs and rockets from fighters (5-3)."""
    source = ""
    for number, entry in enumerate(entries, 1):
        if entry["t"] in ("6-2", "5-3.bombs", "5-3.rockets"):
            source = entry["t"]
        if entry["v"] == "step":
            source = ""
        if entry["t"] == "6-3" and not source:
            yield f"{number} 6-3: flak from nowhere"


def run_at_the_briefed_height(entries: Sequence[Entry], _: Seen) -> Iterator[str]:
    """4.1: nobody chooses to bomb from below the briefed altitude; a bomber forced down by a storm climbs a level per
    turn.
    """
    seen, forced, driven, damaged = LEVELS[0], True, False, False
    briefed_at = LEVELS[0]
    for number, entry in enumerate(entries, 1):
        changes = entry.get("c", {})
        if "mission.altitude" in changes:
            briefed_at = changes["mission.altitude"][1]
        if "altitude" in changes:
            before, seen = seen, changes["altitude"][1] or "med"
            lower = LEVELS.index(seen) < LEVELS.index(before)
            driven = lower if entry["t"] != "altitude" else driven and not lower
            forced = driven or entry["t"] != "altitude"
        if any(name.startswith(DAMAGED) for name in changes):
            damaged = True
        if entry["t"] == "6-6" and LEVELS.index(seen) < LEVELS.index(briefed_at) and not (forced or damaged):
            yield f"{number} 6-6: bombs at {seen}, the briefing says {briefed_at}"


def every_hit_is_recorded(entries: Sequence[Entry], end: Seen) -> Iterator[str]:
    """6.2 D and E: every section hit, and every row of its damage table, is under Hits Taken."""
    rows, shells = {area: Counter[str]() for area in AREAS}, Counter[str]()
    for entry in entries:
        if entry["v"] == "roll" and entry["t"] in DAMAGE and entry.get("d"):
            rows[entry["b"]["area"]][str(entry["o"])] += 1
        if entry["v"] == "roll" and entry["t"] in ("6-5", "5-11") and entry["o"] in AREAS:
            shells[entry["o"]] += 1
    for area, rolled in rows.items():
        written = Counter(each.partition(" (")[0] for each in str(end[f"hit.{area}"]).split(", ") if each)
        if rolled - written:
            yield f"hits on {area} that were rolled and are not written: {dict(rolled - written)}"
        if shells[area] and not written and end["bomber.fate"] in ("none", "returned"):
            yield f"{area} was struck and nothing is written"


BOOK = Book(
    begin,
    (over(LIMITS), nobody_heals(MEN), no_lost_man_acts, no_gun_is_fired_that_may_not, no_dead_man_is_hit,
     rooms_hold_so_many, somebody_flies, the_briefing_holds, formation_is_lawful, height_is_lawful, place_is_lawful),
    (weather_once_a_zone, flak_over_the_target, run_at_the_briefed_height, every_hit_is_recorded),
)  # fmt: skip
