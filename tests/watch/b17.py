"""Prohibitions of the B-17 rulebooks."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from companion.engine.fields import Value
from companion.play.journal import Entry
from tests.book.b17 import GAZETTEER, TARGETS
from tests.watch import Book, Seen, nobody_heals, over

MEN = (
    "pilot", "copilot", "bombardier", "navigator", "engineer", "radio-operator", "ball-gunner", "port-waist",
    "starboard-waist", "tail-gunner",
)  # fmt: skip
ENGINES = [f"engine.{number}" for number in (1, 2, 3, 4)]
TABLE = {
    "nose": "P-1", "pilot-compartment": "P-2", "bomb-bay": "P-3", "radio-room": "P-4", "waist": "P-5", "tail": "P-6",
    "port-wing": "BL-1", "starboard-wing": "BL-1",
}  # fmt: skip
AREAS = tuple(TABLE)


def _slug(city: str) -> str:
    return city.lower().replace(" ", "-")


ZONE = {_slug(city): max(zones) for city, zones in GAZETTEER.items()}  # the last of each row
EARLY, NEXT = ({_slug(city) for city, _ in TARGETS[table].values()} for table in ("G-1", "G-2"))
# Mission Chart, 6.5 b, 12.1, 12.2, BL-1 a and e, P-6
LIMITS = {
    "ammo.nose": 15, "ammo.port-cheek": 10, "ammo.starboard-cheek": 10, "ammo.top": 16, "ammo.radio": 10,
    "oxygen.fires": 99, "ammo.ball": 20, "ammo.port-waist": 20, "ammo.starboard-waist": 20, "ammo.tail": 23,
    "oxygen": 2, "extinguishers.used": 5, "charges": 2, "wing-root": 5, "tailplane": 3, "rudder.hits": 3, "pass": 3,
    "waves.left": 3, "zone": 8, "target.zone": 8, "bomb-run.percent": 100, "zone.turns": 3,
}  # fmt: skip
# whoever may sit at a gun for its own man without being a stranger is no matter here: only that he is fit
GUN_OF = {
    "nose": "bombardier", "port-cheek": "navigator", "starboard-cheek": "navigator", "top": "engineer",
    "radio": "radio-operator", "ball": "ball-gunner", "port-waist": "port-waist", "starboard-waist": "starboard-waist",
    "tail": "tail-gunner",
}  # fmt: skip
ON_THE_MAN = ("BL-4", "BL-5", "G-6", "G-7", "G-8", "G-10")
OF_OTHERS = ("change-places", "lost-oxygen", "replace", "crew-hurt")


def begin(rng: random.Random) -> dict[str, Value]:
    options = ("random-events", "spray-fire", "pilot-status", "two-player")
    return {
        "mission.number": rng.randint(1, 25),
        **{option: rng.choice(["on", "off"]) for option in options},
        **{f"name.{man}": f"Man {at}" for at, man in enumerate(MEN, 1)},
        **{f"missions.{man}": rng.choice([0, 10, 24]) for man in MEN},
        **{f"kills.{man}": rng.choice([0, 4, 5]) for man in MEN},
    }


def sitter(seen: Seen, place: str) -> str:
    """Return the man in that seat."""
    other = str(seen[f"seat.{place}"])
    return place if other == "none" else other


def able(seen: Seen, man: str) -> bool:
    """Return whether a man is neither dead nor seriously wounded (14.0), and still aboard."""
    return seen[f"crew.{man}"] in ("ok", "light") and seen[f"fate.{man}"] == "none"


def out(seen: Seen) -> int:
    return sum(seen[engine] != "ok" for engine in ENGINES)


# -- the men -----------------------------------------------------------------------------------------------------------


def no_lost_man_fires(entry: Entry, before: Seen, _: Seen) -> Iterator[str]:
    """6.3, 9.0, 14.0, 14.1: a working gun, manned by a fit man who has not moved."""
    if entry["t"] not in ("M-1", "M-5") or "gun" not in entry.get("b", {}):
        return
    gun = entry["b"]["gun"]
    if before[f"gun.{gun}"] != "ok" and (entry["t"], before[f"gun.{gun}"]) != ("M-5", "jammed"):  # jams as it sprays
        yield f"the {gun} gun fires and is {before[f'gun.{gun}']}"
    places = [GUN_OF[gun]] + (["bombardier", "navigator"] if GUN_OF[gun] in ("bombardier", "navigator") else [])
    men = [sitter(before, place) for place in places]
    if not any(able(before, man) and before[f"duty.{man}"] == "none" for man in men):
        yield f"the {gun} gun fires; {[(man, before[f'crew.{man}'], before[f'duty.{man}']) for man in men]}"


def nose_guns(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """9.1: two of the three at most, and never both cheeks; one man, one gun."""
    if entry["t"] != "aim" or entry["v"] != "choose":
        return
    used = [gun for gun in ("nose", "port-cheek", "starboard-cheek") if after[f"aim.{gun}"]]
    if "port-cheek" in used and "starboard-cheek" in used:
        yield "both cheek guns fire"
    if len(used) > sum(able(before, sitter(before, place)) for place in ("bombardier", "navigator")):
        yield f"{used} fire, with too few men in the nose"


def no_dead_man_is_hit(entry: Entry, before: Seen, _: Seen) -> Iterator[str]:
    """BL-4, BL-5, G-6 to G-8 apply only to the living."""
    man = entry.get("b", {}).get("position")
    if man in MEN and entry["t"] in ("BL-4", "BL-5"):  # these name his place (14.2 a)
        man = sitter(before, man)
    if entry["v"] == "roll" and entry["t"] in ON_THE_MAN and man in MEN and before[f"crew.{man}"] in ("kia", "absent"):
        yield f"for the {man}, who is {before[f'crew.{man}']}"
    if entry["v"] == "roll" and entry["t"] == "G-6" and man in MEN and before[f"crew.{man}"] == "serious":
        yield f"the {man}, seriously wounded, jumps (G-6)"


def no_lost_man_acts(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """12.2, 14.0, 14.2: only fit men fight a fire or change places; the pilots stay (14.2 d)."""
    for name, (_, value) in entry.get("c", {}).items():
        field, _, man = name.partition(".")
        if field == "duty" and value == "fire" and not able(before, man):
            yield f"the {man}, {before[f'crew.{man}']}, fights a fire"
        if field == "duty" and value == "fire" and man == "pilot" and sitter(before, "pilot") == "pilot":
            yield "the pilot fights a fire"
        if field == "seat" and entry["v"] != "set" and value and value != man:
            away = sitter(before, man)
            if not able(before, value) and able(before, away) and away not in {sitter(after, place) for place in MEN}:
                yield f"the {value}, {before[f'crew.{value}']}, takes the place of the {man}, who is fit"
            if value in ("pilot", "copilot") and man not in ("pilot", "copilot") and able(before, value):
                lost = [each for each in ("pilot", "copilot") if before[f"oxygen.{each}"] == 2]
                if not lost:
                    yield f"the {value} leaves his seat (14.2 d)"


def somebody_flies(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """14.2 c, 15.0: a fit man lands; only the pilots evade, out of formation, with three engines."""
    flown = any(able(before, man) for man in MEN) or before["nobody-flies"] == "settled"
    if entry["t"] in ("G-9", "G-10") and entry["v"] == "roll" and not flown:
        yield "landed by nobody"
    if after["evasive"] == "yes" and before["evasive"] != "yes" and entry["v"] != "set":
        if not any(able(before, man) for man in ("pilot", "copilot")):
            yield "evasive action without a pilot"
        if before["formation"] == "in" or out(before) >= 2 or before["cables.hits"] >= 2 or before["bip"] == "yes":
            yield "evasive action that 15.2 forbids"


# -- height, weather, place --------------------------------------------------------------------------------------------


def the_briefing_holds(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """G-1 to G-4, G-11: the mission's list, the city's zone, no squadron on the first five."""
    if "target.city" in entry.get("c", {}) and entry["v"] == "roll":
        number, city = after["mission.number"], str(after["target.city"]).lower().replace(" ", "-")
        if ZONE.get(city) != after["target.zone"]:
            yield f"{city} in zone {after['target.zone']}"
        if number <= 5 and city not in EARLY or 6 <= number <= 10 and city not in NEXT:
            yield f"{city} on mission {number}"
    if entry["t"] == "G-4.squadron" and before["mission.number"] <= 5:
        yield "a squadron on the first five missions"


def place_is_lawful(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """5.2, 6.2, 13.1, O-1 to O-7: where and when each table may be rolled."""
    table, zone, target = entry["t"], before["zone"], before["target.zone"]
    if entry["v"] != "roll":
        return
    if table in ("B-1", "B-3") and zone <= 1:
        yield f"fighters in zone {zone}"
    if table in ("B-1", "B-2") and (zone == target) != (table == "B-2"):
        yield f"in zone {zone}, the target is in {target}"
    if table in ("G-5", "M-4") and not 2 <= zone <= 4:
        yield f"cover in zone {zone}"
    if table in ("O-6", "O-7") and (zone != target or before["leg"] != "outbound" or before["aborted"] == "yes"):
        yield f"a bomb run in zone {zone}, {before['leg']}, aborted {before['aborted']}"
    if table == "O-6" and before["bombs"] != "aboard":
        yield "a bomb run without bombs"
    if table == "O-2" and zone != target:
        yield f"flak of the target in zone {zone}"
    if table == "O-1" and not (zone == target or zone <= 1):
        yield f"weather in zone {zone}"
    if table in ("B-1", "B-2", "B-3", "M-1", "O-2", "O-6") and before["bomber.fate"] != "none":
        yield f"after the end: {before['bomber.fate']}"


def height_is_lawful(entry: Entry, before: Seen, after: Seen) -> Iterator[str]:
    """10.2, 12.1, 13.1: at 10,000 feet or with two dead engines the bomber is out of formation."""
    if entry["v"] == "set" or entry["t"] not in ("B-1", "B-2", "O-6"):
        return
    if before["altitude"] == "low" and before["formation"] == "in":
        yield "in formation at 10,000 feet"
    stuck = before["bay-doors"] == "out"  # P-3: nothing can be dropped
    bombs = before["bombs"] == "aboard" and not stuck
    if out(before) >= 2 and (before["formation"] == "in" or before["altitude"] != "low" or bombs):
        yield f"{out(before)} engines out: {before['formation']}, {before['altitude']}, bombs {before['bombs']}"
    if (
        out(before) == 1
        and before["bombs"] == "aboard"
        and before["formation"] == "in"
        and before["zone"] != before["target.zone"]
    ):
        yield "in formation with an engine out and bombs aboard (10.1)"


# -- the whole journal -------------------------------------------------------------------------------------------------


def every_hit_is_recorded(entries: Sequence[Entry], end: Seen) -> Iterator[str]:
    """6.4 c and d: every section hit is recorded, and each roll on a damage table belongs to one."""
    struck: Counter[str] = Counter()
    fresh: Counter[str] = Counter()  # of the fighter that fires now, for the walking hits of B-5
    fighter = ""
    for entry in entries:
        if entry["v"] != "roll":
            continue
        if entry["t"] == "B-4":
            fighter, fresh = str(entry["b"]["fighter"]), Counter()
        if entry["t"] in ("B-5", "O-5") and entry["o"] in AREAS:
            struck[entry["o"]] += 1
            fresh[entry["o"]] += entry["t"] == "B-5"
    for area in AREAS:
        if end[f"hits.{area}"] < struck[area] and not walked(entries):
            yield f"{struck[area]} shells struck {area}, {end[f'hits.{area}']} are written ({fighter})"


def walked(entries: Sequence[Entry]) -> bool:
    """Return whether walking hits replaced other shells (B-5)."""
    return any(entry["v"] == "roll" and entry["t"] == "B-5" and "walking" in str(entry["o"]) for entry in entries)


BOOK = Book(
    begin,
    (over(LIMITS), nobody_heals(MEN), no_lost_man_fires, nose_guns, no_dead_man_is_hit, no_lost_man_acts,
     somebody_flies, the_briefing_holds, place_is_lawful, height_is_lawful),
    (every_hit_is_recorded,),
)  # fmt: skip
