"""Figures of the B-17 cards, typed by hand from the rulebook: the expected values of the tests.

CELLS         every printed column: (table, facts that select the column, {net or roll: outcome}).
MODIFIERS     (table, base facts, trigger facts, amount, label): base | trigger adds exactly this one modifier.
NOT_APPLIED   (table, facts, label): the modifier with this label (see MODIFIERS, same table) must not appear.
NATURAL       (table, facts, dice, outcome): unmodified-roll rules; the net would have given something else.
AUTOMATIC     (table, facts, outcome): settled without a die, or not rolled at all.
AFTER_NOTES   columns with a note applied (the outcome may be recorded before or after it).
LANDING       every modifier of G-9 and G-10.
GAZETTEER     city -> zone -> (fighter modifier, terrain letters); the last zone is the target zone.
TARGETS       table -> roll -> (city, target type).

Errata 1 to 37 are included.
"""

from tests.book.writing import Cell, Facts, Nets, cell, join, rows, span

Modifier = tuple[str, Facts, Facts, int, str]
Absent = tuple[str, Facts, str]


def mod(table: str, base: Facts, trigger: Facts, amount: int, label: str) -> Modifier:
    return (table, base, trigger, amount, label)


def absent(table: str, facts: Facts, label: str) -> Absent:
    return (table, facts, label)


FRONT = ("12", "1:30", "10:30")
ANGLES = ("high", "level", "low")
FIGHTERS = ("me109", "me110", "fw190")
TWIN_GUNS = ("top", "ball", "tail")
SINGLE_GUNS = ("nose", "port-cheek", "starboard-cheek", "radio", "port-waist", "starboard-waist")
GUNS = TWIN_GUNS + SINGLE_GUNS
WINGS = ("port-wing", "starboard-wing")

# Mission Chart: bursts
AMMO: dict[str, int] = {
    "nose": 15, "port-cheek": 10, "starboard-cheek": 10, "top": 16, "radio": 10, "ball": 20, "port-waist": 20,
    "starboard-waist": 20, "tail": 23,
}  # fmt: skip
EXTINGUISHERS = 5  # errata 2

# --- targets and gazetteer ------------------------------------------------------------------------------------------

TARGETS: dict[str, dict[int, tuple[str, str]]] = {
    "G-1": {
        1: ("St. Omer", "airfield"), 2: ("Cherbourg", "airfield"), 3: ("Amiens", "rail-yard"),
        4: ("Meaulte", "aircraft"), 5: ("Abbeville", "airfield"), 6: ("Lille", "industry"),
    },
    "G-2": {
        1: ("Abbeville", "airfield"), 2: ("Meaulte", "aircraft"), 3: ("Lille", "industry"),
        4: ("Rotterdam", "ship-yard"), 5: ("Antwerp", "industry"), 6: ("Rouen", "rail-yard"),
    },
    "G-3": {
        11: ("St. Omer", "airfield"), 12: ("Cherbourg", "airfield"), 13: ("Amiens", "rail-yard"),
        14: ("Meaulte", "aircraft"), 15: ("Abbeville", "airfield"), 16: ("Lille", "industry"),
        21: ("Rotterdam", "ship-yard"), 22: ("Antwerp", "industry"), 23: ("Rouen", "rail-yard"),
        24: ("Paris", "industry"), 25: ("Paris", "industry"),
        # the card shortens this city; the gazetteer prints it in full
        26: ("Romilly-sur-Seine", "aircraft"), 31: ("Romilly-sur-Seine", "aircraft"), 32: ("Rennes", "rail-yard"),
        33: ("Rennes", "rail-yard"), 34: ("Brest", "u-boats"), 35: ("Brest", "u-boats"), 36: ("Lorient", "u-boats"),
        41: ("Lorient", "u-boats"), 42: ("St. Nazaire", "u-boats"), 43: ("St. Nazaire", "u-boats"),
        44: ("St. Nazaire", "u-boats"), 45: ("Wilhelmshaven", "u-boats"), 46: ("Wilhelmshaven", "u-boats"),
        51: ("Emden", "industry"), 52: ("Emden", "industry"), 53: ("Vegesack", "u-boats"),
        54: ("Vegesack", "u-boats"), 55: ("Bremen", "aircraft"), 56: ("Bremen", "aircraft"),
        61: ("Hamm", "rail-yard"), 62: ("Hamm", "rail-yard"), 63: ("La Rochelle", "u-boats"),
        64: ("La Rochelle", "u-boats"), 65: ("Kiel", "u-boats"), 66: ("Kiel", "u-boats"),
    },
}  # fmt: skip
MISSIONS: dict[str, tuple[int, int]] = {"G-1": (1, 5), "G-2": (6, 10), "G-3": (11, 25)}

# +1 on O-2: the stars of G-3 with errata 6 and 25
HEAVY_FLAK = ("Brest", "Lorient", "St. Nazaire", "Wilhelmshaven", "Vegesack", "La Rochelle", "Kiel")

# terrain: W water, B Belgium, F France, N Netherlands, G Germany
GAZETTEER: dict[str, dict[int, tuple[int, str]]] = {
    "Abbeville": {2: (-2, "W"), 3: (1, "F")}, "Amiens": {2: (-2, "W"), 3: (0, "F")},
    "Antwerp": {2: (-2, "W"), 3: (-1, "B"), 4: (0, "B")},
    "Bremen": {2: (-2, "W"), 3: (-1, "W"), 4: (-1, "W"), 5: (-1, "W"), 6: (-1, "W"), 7: (0, "G")},
    "Brest": {2: (-3, "W"), 3: (-2, "W"), 4: (-1, "W"), 5: (-1, "W"), 6: (1, "F")},
    "Cherbourg": {2: (-2, "W"), 3: (0, "W-F")},
    "Emden": {2: (-2, "W"), 3: (-1, "W"), 4: (-1, "W"), 5: (-1, "W"), 6: (-1, "W"), 7: (0, "G")},
    "Hamm": {2: (-2, "W"), 3: (-1, "W"), 4: (-1, "W"), 5: (0, "N"), 6: (0, "N"), 7: (0, "G")},
    "Kiel": {2: (-2, "W"), 3: (-1, "W"), 4: (-1, "W"), 5: (-1, "W"), 6: (-1, "W"), 7: (-1, "W"), 8: (0, "G")},
    "La Rochelle": {2: (-2, "W"), 3: (-1, "W"), 4: (0, "F"), 5: (0, "F"), 6: (0, "F"), 7: (0, "F"), 8: (0, "F")},
    "Lille": {2: (-2, "W"), 3: (0, "F")},
    "Lorient": {2: (-2, "W"), 3: (-1, "W"), 4: (-1, "W"), 5: (0, "F"), 6: (0, "F")},
    "Meaulte": {2: (-2, "W"), 3: (0, "F")}, "Paris": {2: (-2, "W"), 3: (0, "F"), 4: (0, "F"), 5: (0, "F")},
    "Rennes": {2: (-2, "W"), 3: (-1, "W"), 4: (0, "F"), 5: (0, "F")},
    "Romilly-sur-Seine": {2: (-2, "W"), 3: (0, "F"), 4: (0, "F"), 5: (0, "F")},
    "Rotterdam": {2: (-2, "W"), 3: (-1, "W"), 4: (0, "W-N")},
    "Rouen": {2: (-2, "W"), 3: (-1, "W"), 4: (0, "F")},  # errata 22: the fifth entry (0, F) is dropped
    "St. Omer": {2: (0, "W-F")}, "St. Nazaire": {2: (-2, "W"), 3: (-1, "W"), 4: (0, "F"), 5: (0, "F"), 6: (1, "F")},
    "Vegesack": {2: (-2, "W"), 3: (-1, "W"), 4: (-1, "W"), 5: (-1, "W"), 6: (-1, "W"), 7: (0, "G")},
    "Wilhelmshaven": {2: (-2, "W"), 3: (-1, "W"), 4: (-1, "W"), 5: (-1, "W"), 6: (-1, "W"), 7: (0, "G")},
}  # fmt: skip
TARGET_ZONES: dict[str, int] = {city: max(zones) for city, zones in GAZETTEER.items()}

# rescued from the sea: zones 2-5 home, 6 and 7 captured
SEA_RESCUE: dict[int, str] = {2: "returned", 3: "returned", 4: "returned", 5: "returned", 6: "captured", 7: "captured"}

# errata 36: O-5 leads to BL-1 for the wings
AREA_TABLES: dict[str, str] = {
    "nose": "P-1", "pilot-compartment": "P-2", "bomb-bay": "P-3", "radio-room": "P-4", "waist": "P-5", "tail": "P-6",
    "port-wing": "BL-1", "starboard-wing": "BL-1",
}  # fmt: skip

# --- shared columns -------------------------------------------------------------------------------------------------

# B-3, D66
WAVES: Nets = {
    11: "me109@6-high", 12: "me109@1:30-high;me109@9-level", 13: "fw190@12-high;fw190@1:30-high;fw190@3-high",
    14: "me109@12-high;me109@10:30-high;me109@1:30-high;me109@12-level",
    15: "fw190@12-high;fw190@10:30-level;fw190@9-level;fw190@6-high;fw190@dive", 16: "none", 21: "fw190@dive",
    22: "me110@12-low;me110@10:30-low", 23: "fw190@12-high;fw190@3-level;fw190@3-high",
    24: "me109@12-high;me109@3-high;me109@9-high;me109@9-level",
    25: "fw190@12-high;fw190@1:30-high;fw190@3-high;fw190@6-high;fw190@9-high", 26: "none", 31: "me110@climb",
    32: "fw190@10:30-high;fw190@3-level", 33: "me109@12-level;me109@12-high;me109@1:30-level",
    34: "fw190@10:30-high;me110@climb", 35: "fw190@12-level;fw190@1:30-low", 36: "none", 41: "me109@12-high",
    42: "me109@12-level;me109@1:30-high", 43: "fw190@12-high;me109@1:30-level;me109@3-level",
    44: "fw190@12-high;fw190@12-low;me109@1:30-level;me110@6-low",
    45: "me109@10:30-level;me109@12-level;me110@10:30-low", 46: "none", 51: "fw190@10:30-high",
    52: "me110@6-level;me110@9-low", 53: "me110@12-low;me110@10:30-level;me110@6-low",
    54: "me109@12-low;me109@12-level;me109@12-high;me109@9-high",
    55: "fw190@12-low;me109@12-level;me109@12-high;me109@10:30-level", 56: "none", 61: "me109@dive",
    62: "me109@3-low;me110@1:30-low", 63: "fw190@10:30-high;fw190@12-high;fw190@1:30-high",
    64: "fw190@12-level;fw190@1:30-level;fw190@3-low;fw190@9-high",
    65: "me109@12-level;me109@3-high;me109@1:30-high;me109@6-high;me109@dive", 66: "random-events",
}  # fmt: skip
# B-3 notes b, d, e: row -> (fighter, guns that may fire at it, may cover drive it off)
VERTICAL: dict[int, tuple[str, tuple[str, ...], bool]] = {
    15: ("fw190@dive", (), False), 21: ("fw190@dive", ("top", "radio"), False), 31: ("me110@climb", ("ball",), True),
    34: ("me110@climb", ("ball",), True), 61: ("me109@dive", ("top", "radio"), False), 65: ("me109@dive", (), False),
}  # fmt: skip

# B-4, rows 2 to 12
SHELLS_FRONT = rows(2, "3", "2", "2", "2", "1", "1", "1", "2", "2", "2", "4")
SHELLS_SIDE = rows(2, "4", "3", "3", "3", "2", "1", "2", "3", "3", "3", "5")
SHELLS: dict[str, Nets] = {
    "12": SHELLS_FRONT, "1:30": SHELLS_FRONT, "10:30": SHELLS_FRONT, "3": SHELLS_SIDE, "9": SHELLS_SIDE,
    "6": rows(2, "6", "5", "4", "3", "2", "2", "2", "3", "4", "5", "7"),
    "dive": rows(2, "3", "2", "2", "1", "1", "1", "1", "1", "2", "2", "4"),
    "climb": rows(2, "4", "4", "3", "2", "2", "1", "2", "2", "3", "4", "5"),
}  # fmt: skip

# B-5
AREA_FRONT: dict[str, Nets] = {
    "high": join(
        span(2, 4, "superficial"),
        rows(5, "radio-room", "nose", "pilot-compartment", "wing", "waist", "tail", "bomb-bay", "walking-hits-a"),
    ),
    "level": join(
        {2: "port-wing"}, span(3, 5, "superficial"),
        rows(6, "port-wing", "nose", "starboard-wing", "pilot-compartment"),
        span(10, 11, "superficial"), {12: "starboard-wing"},
    ),
    "low": join(
        span(2, 4, "superficial"),
        rows(5, "radio-room", "nose", "bomb-bay", "wing", "waist", "tail", "pilot-compartment", "walking-hits-a"),
    ),
}  # fmt: skip


def area_side(angle: str, wing: str) -> Nets:
    """Return the column for 3 and 9 o'clock; `wing` is the attacking side's (level only)."""
    columns: dict[str, Nets] = {
        "high": rows(
            2, "walking-hits-b", "nose", "pilot-compartment", "bomb-bay", "port-wing", "tail", "starboard-wing",
            "radio-room", "waist", "superficial", "walking-hits-a",
        ),
        "level": join(
            rows(2, "bomb-bay", wing, "nose", "waist", wing), span(7, 8, "superficial"),
            rows(9, "tail", "radio-room", "pilot-compartment", "walking-hits-c"),
        ),
        "low": rows(
            2, "walking-hits-b", "nose", "bomb-bay", "radio-room", "tail", "port-wing", "starboard-wing", "superficial",
            "waist", "pilot-compartment", "walking-hits-a",
        ),
    }  # fmt: skip
    return columns[angle]


AREA_6: dict[str, Nets] = {
    "high": join(
        span(2, 3, "superficial"),
        rows(4, "radio-room", "bomb-bay", "port-wing", "tail", "starboard-wing", "waist", "pilot-compartment"),
        rows(11, "walking-hits-a", "nose"),  # errata 10
    ),
    "level": join(
        span(2, 3, "superficial"), span(4, 5, "tail"), rows(6, "port-wing", "tail", "starboard-wing"),
        span(9, 10, "tail"), rows(11, "waist", "superficial"),
    ),
    "low": join(
        {2: "nose"}, span(3, 4, "superficial"),
        rows(5, "bomb-bay", "port-wing", "tail", "starboard-wing", "waist", "radio-room", "walking-hits-a"),
        {12: "pilot-compartment"},
    ),
}  # fmt: skip
AREA_DIVE = join(
    span(2, 3, "superficial"),
    rows(4, "bomb-bay", "radio-room", "port-wing", "walking-hits-a", "starboard-wing", "pilot-compartment"),
    rows(10, "tail", "waist", "nose"),
)
AREA_CLIMB = join(
    span(2, 3, "superficial"),
    rows(4, "bomb-bay", "tail", "port-wing", "radio-room", "starboard-wing", "walking-hits-a"),
    rows(10, "pilot-compartment", "waist", "nose"),
)
# B-5 notes: shell hits by area; `wing` in c is the attacking side's
WALKING_HITS: dict[str, dict[str, int]] = {
    "walking-hits-a": {"nose": 1, "pilot-compartment": 1, "bomb-bay": 1, "radio-room": 1, "waist": 1, "tail": 1},
    "walking-hits-b": {"port-wing": 2, "starboard-wing": 2},
    "walking-hits-c": {"nose": 1, "wing": 1, "waist": 1, "tail": 1},
}


# M-1: clock, angle, gun, lowest number that hits a Me 109 or FW 190, the same against a Me 110
def to_hit(lowest: int) -> Nets:
    """Return M-1 for net rolls from 0 (ace pilot) to 8 (ace gunner, green pilot)."""
    return join(span(0, lowest - 1, "miss"), span(lowest, 8, "hit"))


def front_fire(clock: str, side: str) -> list[tuple[str, str, str, int, int]]:
    """Return the shots at 1:30 and 10:30: the guns of that side."""
    return [
        (clock, "high", "top", 6, 6), (clock, "high", f"{side}-cheek", 6, 6), (clock, "high", f"{side}-waist", 6, 6),
        (clock, "level", f"{side}-cheek", 6, 6), (clock, "low", "ball", 6, 6), (clock, "low", f"{side}-cheek", 6, 6),
    ]  # fmt: skip


def side_fire(clock: str, side: str) -> list[tuple[str, str, str, int, int]]:
    """Return the shots at 3 and 9: the waist gun of that side."""
    return [
        (clock, "high", "top", 5, 4), (clock, "high", f"{side}-waist", 6, 6), (clock, "level", "top", 5, 4),
        (clock, "level", "ball", 5, 4), (clock, "level", f"{side}-waist", 6, 6), (clock, "low", "ball", 5, 4),
        (clock, "low", f"{side}-waist", 6, 6),
    ]  # fmt: skip


FIRE: list[tuple[str, str, str, int, int]] = [
    ("12", "high", "top", 6, 6), ("12", "high", "nose", 6, 6), ("12", "level", "top", 6, 6),
    ("12", "level", "nose", 6, 6), ("12", "low", "ball", 6, 6), ("12", "low", "nose", 6, 6),
    *front_fire("1:30", "starboard"), *front_fire("10:30", "port"), *side_fire("3", "starboard"),
    *side_fire("9", "port"), ("6", "high", "top", 4, 3), ("6", "high", "tail", 4, 3), ("6", "high", "radio", 6, 6),
    ("6", "level", "tail", 4, 3), ("6", "low", "ball", 4, 3), ("6", "low", "tail", 4, 3),
]  # fmt: skip
# B-3 notes d, e: every type alike
VERTICAL_FIRE: list[tuple[str, str, int]] = [("dive", "top", 6), ("dive", "radio", 6), ("climb", "ball", 3)]


def shots(state: Facts, lowest: int | None = None, tail: int | None = None) -> list[Cell]:
    """Return M-1 for every gun that bears and every type; `lowest` and `tail` replace the number with another."""

    def need(gun: str, printed: int) -> int:
        return printed if lowest is None else tail if tail is not None and gun == "tail" else lowest

    aimed = [
        cell(
            "M-1",
            {"fighter.clock": clock, "fighter.angle": angle, "fighter.type": kind, "gun": gun, **state},
            to_hit(need(gun, me110 if kind == "me110" else other)),
        )
        for clock, angle, gun, other, me110 in FIRE
        for kind in FIGHTERS
    ]
    vertical = [
        cell("M-1", {"fighter.clock": clock, "fighter.type": kind, "gun": gun, **state}, to_hit(need(gun, number)))
        for clock, gun, number in VERTICAL_FIRE
        for kind in FIGHTERS
    ]
    return aimed + vertical


# whose hurts make a gun hit on 6 alone; nose and cheeks are shared by two men and left out
GUNNERS: dict[str, str] = {
    "top": "engineer", "radio": "radio-operator", "ball": "ball-gunner", "port-waist": "port-waist",
    "starboard-waist": "starboard-waist", "tail": "tail-gunner",
}  # fmt: skip
HURTS: dict[str, tuple[Facts, Facts]] = {
    man: ({f"crew.{man}": "light", f"wounds.{man}": 2}, {f"frostbite.{man}": "yes"}) for man in GUNNERS.values()
}


# M-3
def attack(lowest: int) -> Nets:
    return join(span(-6, lowest - 1, "miss"), span(lowest, 8, "hit"))


NEEDS: dict[str, int] = {"12": 5, "1:30": 5, "10:30": 5, "3": 4, "9": 4, "6": 3}

# M-4, clamped to 0 to 6
COVER: dict[str, Nets] = {
    "poor": rows(-1, "0(0)", "0(0)", "0(0)", "0(0)", "0(0)", "0(0)", "1(0)", "1(0)", "1(0)"),
    "fair": rows(-1, "0(0)", "0(0)", "0(0)", "0(0)", "1(0)", "1(0)", "2(1)", "2(1)", "2(1)"),
    "good": rows(-1, "0(0)", "0(0)", "1(0)", "1(0)", "2(1)", "2(1)", "3(2)", "3(2)", "3(2)"),
}

# O-1, both columns
WEATHER = join({2: "bad"}, {3: "poor"}, span(4, 10, "good"), {11: "poor"}, {12: "bad"})

# P cards
CONTROL_CABLES = "control-cables"
OXYGEN_OR_FIRE = join(span(1, 5, "hit"), span(6, 6, "fire"))

# --- the columns ----------------------------------------------------------------------------------------------------

CELLS: list[Cell] = [
    # B-1, B-2: under the first row as the first row, over the last as the last
    cell("B-1", {}, join(span(-4, 2, "none"), span(3, 5, "1"), span(6, 9, "2"))),
    cell("B-2", {}, join(span(-4, 3, "1"), span(4, 5, "2"), span(6, 9, "3"))),
    # B-3: `none` no attackers, `random-events` for 66 (without that optional rule 66 is a "no attackers");
    # out of formation note c makes them roll again
    # (for rows with fighters out of formation, at the head and at the rear see AFTER_NOTES)
    cell("B-3", {"formation": "in", "bomber.position": "middle"}, WAVES),
    cell(
        "B-3", {"formation": "out", "bomber.position": "middle"},
        {row: "roll-again" for row, wave in WAVES.items() if wave == "none"},
    ),
    # B-4: as printed, so a Me 109 (others: AFTER_NOTES)
    *(cell("B-4", {"fighter.clock": clock, "fighter.type": "me109"}, shells) for clock, shells in SHELLS.items()),
    # B-5
    *(cell("B-5", {"fighter.clock": c, "fighter.angle": a}, AREA_FRONT[a]) for c in FRONT for a in ANGLES),
    *(cell("B-5", {"fighter.clock": "3", "fighter.angle": a}, area_side(a, "starboard-wing")) for a in ANGLES),
    *(cell("B-5", {"fighter.clock": "9", "fighter.angle": a}, area_side(a, "port-wing")) for a in ANGLES),
    *(cell("B-5", {"fighter.clock": "6", "fighter.angle": a}, AREA_6[a]) for a in ANGLES),
    cell("B-5", {"fighter.clock": "dive"}, AREA_DIVE), cell("B-5", {"fighter.clock": "climb"}, AREA_CLIMB),
    cell("B-5.wing", {}, join(span(1, 3, "port-wing"), span(4, 6, "starboard-wing"))),
    # B-6
    cell("B-6", {}, rows(2, "6-high", "6-level", "9-level", "12-level", "10:30-level", "12-high", "1:30-level",
        "12-level", "3-level", "9-high", "3-high")),
    # B-7 (errata 7): 8 sends the player to 6
    cell("B-7", {"formation": "in", "bomber.position": "middle", "altitude": "high"}, rows(2, "engine-failure",
        "formation-casualties", "loose-formation", "little-friends", "tight-formation", "rabbits-foot",
        "tight-formation", "bad-communications", "extreme-cold", "ace-for-a-day", "mid-air-accident")),
    cell("B-7.formation-casualties", {}, join(span(1, 3, "lead"), span(4, 6, "tail"))),
    cell("B-7.extreme-cold", {}, join(span(1, 5, "none"), span(6, 6, "jammed"))),
    cell("B-7.ace-for-a-day", {}, join(span(1, 2, "engineer"), span(3, 4, "ball-gunner"), span(5, 6, "tail-gunner"))),
    # the engine that fails; errata 29: then BL-1 note c
    cell("B-7.a", {}, rows(2, "1", "1", "2", "3", "3", "1", "4", "4", "2", "2", "2")),
    cell("B-7.g", {}, join(span(2, 8, "none"), span(9, 10, "shallow-dive"), {11: "steep-dive"}, {12: "collision"})),
    # BL-1
    *(
        cell("BL-1", {"area": area}, join(span(2, 3, "wing-root"), rows(4, "flap", "aileron"),
            span(6, 8, "superficial"), rows(9, "engines", "fuel-tank", "wing-root", "landing-gear")))
        for area in WINGS
    ),
    cell("BL-1.flap", {}, join(span(1, 3, "inoperable"), span(4, 6, "none"))),
    cell("BL-1.aileron", {}, join(span(1, 3, "inoperable"), span(4, 6, "none"))),
    cell("BL-1.engines", {"area": "port-wing"}, join(span(1, 3, "1"), span(4, 6, "2"))),
    cell("BL-1.engines", {"area": "starboard-wing"}, join(span(1, 3, "3"), span(4, 6, "4"))),
    cell("BL-1.engine", {}, join(span(1, 2, "superficial"), span(3, 4, "out"), {5: "runaway"}, {6: "oil"})),
    cell("BL-1.fuel-tank", {}, join(span(1, 3, "outboard"), span(4, 6, "inboard"))),
    # self-sealed is `none`
    cell("BL-1.tank", {}, join(span(1, 2, "fire"), span(3, 4, "leak"), span(5, 6, "none"))),
    cell("BL-1.landing-gear", {}, join(span(1, 3, "brakes"), span(4, 6, "inoperable"))),
    # notes: c engine out, d runaway, e oil tank, f tank fire, g leak in turns (errata 18)
    cell("BL-1.c", {}, join(span(1, 5, "feathered"), span(6, 6, "not-feathered"))),
    cell("BL-1.d", {}, join(span(1, 5, "feathered"), span(6, 6, "not-feathered"))),
    cell("BL-1.e", {}, join(span(1, 2, "fire"), span(3, 4, "leak"), span(5, 6, "none"))),
    cell("BL-1.f", {}, join(span(1, 5, "burning"), span(6, 6, "explosion"))),
    cell("BL-1.g", {}, rows(1, "4", "4", "5", "5", "6", "6")),
    # BL-2
    cell("BL-2", {}, rows(2, "autopilot", "landing-gear", "intercom", "oxygen", "flaps", "ailerons", "elevators",
        "rudder", "feathering", "extinguishers", "electrical")),
    # BL-3: 1D (errata 1)
    cell("BL-3", {}, join(span(1, 4, "out"), span(5, 6, "burning"))),
    # BL-4: 7 comes from a crash (G-9 row -2)
    cell("BL-4", {}, join(span(1, 3, "light"), span(4, 5, "serious"), span(6, 7, "kia"))),
    # 7: frostbitten as well
    cell("BL-4.b", {}, join({1: "rapid-recovery"}, span(2, 5, "recovery"), span(6, 7, "fatal"))),
    # BL-5 (note b stands against 11.0: errata 5)
    cell("BL-5", {}, join(span(1, 3, "frostbite"), span(4, 6, "none"))),
    cell("BL-5.b", {}, join(span(1, 3, "grounded"), span(4, 6, "well"))),
    # G-1 to G-3, first and last mission of each
    *(
        cell(table, {"mission.number": number}, {roll: city for roll, (city, _) in targets.items()})
        for table, targets in TARGETS.items()
        for number in MISSIONS[table]
    ),
    # G-4
    *(
        cell("G-4.formation", {"mission.number": n}, join({2: "lead"}, span(3, 11, "middle"), {12: "tail"}))
        for n in (1, 6, 25)
    ),
    *(
        cell("G-4.squadron", {"mission.number": n}, join(span(1, 2, "high"), span(3, 4, "middle"), span(5, 6, "low")))
        for n in (6, 25)
    ),
    # G-5
    *(
        cell("G-5", {"mission.number": n}, join(span(1, 2, "poor"), span(3, 4, "fair"), span(5, 6, "good")))
        for n in (6, 25)
    ),
    # G-6: 0 is a man with two light wounds
    cell("G-6", {}, join(span(0, 1, "accident"), span(2, 6, "ok"))),
    cell("G-6.accident", {}, join(span(1, 5, "ok"), span(6, 6, "killed"))),
    # G-7, G-8: 0 is a lightly wounded man (errata 37)
    cell("G-7", {}, join(span(0, 5, "goes-down"), span(6, 6, "ok"))),
    # note d printed first (France, Belgium); errata 8: for G-6 too
    cell("G-7.d", {}, join(span(1, 5, "captured"), span(6, 6, "returned"))),
    cell("G-8", {"radio": "ok", "formation": "in"}, join(span(0, 4, "dies"), span(5, 6, "rescued"))),
    # G-9, G-10
    cell("G-9", {}, join(span(-36, -3, "crew-kia"), rows(-2, "wounds-plus-1", "wounds", "irreparable", "repairable"),
        span(2, 13, "safe"))),
    cell("G-10", {}, join(span(-36, 3, "lost"), span(4, 13, "rescued"))),
    cell("G-10.d", {}, join(span(1, 5, "captured"), span(6, 6, "returned"))),
    cell("G-10.e", {}, join(span(1, 5, "none"), span(6, 6, "explosion"))),
    # M-1; then the states that leave the 6 alone (with a dead intercom the tail gunner has 5 and 6)
    *shots({}), *shots({"formation": "out", "evasive": "yes"}, 6), *shots({"intercom": "out"}, 6, 5),
    *shots({"gunner.displaced": "yes"}, 6),
    *(
        cell(table, {**facts, **hurt}, to_hit(6))
        for table, facts, _ in shots({})
        for man in (GUNNERS.get(str(facts["gun"])),)
        if man
        for hurt in HURTS[man]
    ),
    # M-2
    *(
        cell("M-2", {"gun": gun, "fighter.type": kind},
            join(span(0, 2, "fca"), span(3, 4, "fboa"), span(5, 7, "destroyed")))
        for gun in GUNS
        for kind in FIGHTERS
    ),
    # M-3
    *(cell("M-3", {"fighter.clock": c, "fighter.angle": a}, attack(n)) for c, n in NEEDS.items() for a in ANGLES),
    cell("M-3", {"fighter.clock": "dive"}, attack(5)), cell("M-3", {"fighter.clock": "climb"}, attack(4)),
    # M-4: row 6 is the least certain
    *(cell("M-4", {"cover": cover}, driven) for cover, driven in COVER.items()),
    # M-5: `miss` is the fighter that attacks normally
    cell("M-5", {}, join(span(0, 1, "jam"), rows(2, "breaks-off", "miss", "breaks-off", "miss"), span(6, 7, "hit"))),
    cell("M-5.b", {}, join(span(1, 2, "fixed"), span(3, 5, "jammed"), span(6, 6, "broken"))),
    # M-6
    cell("M-6", {}, join(span(2, 3, "green"), span(4, 10, "average"), span(11, 12, "ace"))),
    # O-1: over the target, over the base
    cell("O-1", {"target.city": "Paris", "target.zone": 5, "zone": 5}, WEATHER),
    cell("O-1", {"target.city": "Paris", "target.zone": 5, "zone": 1}, WEATHER),
    # O-2
    cell("O-2", {}, join(span(0, 1, "none"), span(2, 3, "light"), span(4, 5, "medium"), span(6, 7, "heavy"))),
    # O-3
    cell("O-3", {"flak": "heavy"}, rows(2, "hit", "hit", "miss", "hit", "miss", "hit", "miss", "hit", "miss", "hit",
        "hit")),
    cell("O-3", {"flak": "medium"}, rows(2, "hit", "hit", "miss", "miss", "miss", "hit", "miss", "miss", "miss",
        "miss", "hit")),
    cell("O-3", {"flak": "light"}, rows(2, "hit", "miss", "miss", "miss", "miss", "miss", "miss", "miss", "miss",
        "miss", "hit")),
    # O-4, O-5
    cell("O-4", {}, rows(2, "bip", "1", "4", "3", "2", "1", "2", "3", "4", "1", "4")),
    cell("O-5", {}, rows(2, "bomb-bay", "port-wing", "radio-room", "tail", "port-wing", "tail", "starboard-wing",
        "waist", "nose", "starboard-wing", "pilot-compartment")),
    # O-6, O-7
    cell("O-6", {}, join(span(-11, 2, "off"), span(3, 7, "on"))),
    cell("O-7", {"bomb-run": "on"}, rows(2, "75", "60", "30", "20", "30", "40", "30", "20", "30", "50", "88+2d")),
    cell("O-7", {"bomb-run": "off"}, rows(2, "10", "5", "0", "0", "0", "0", "0", "0", "0", "5", "10")),
    # P-1: `equipment` is row 10, whose die picks the navigator's things or the bomb controls
    cell("P-1", {}, join(rows(2, "norden", "armament", "bombardier-and-navigator", "navigator", "bombardier"),
        span(7, 9, "superficial"), rows(10, "equipment", "heat", "oxygen"))),
    cell("P-1.armament", {}, join(span(1, 2, "nose"), span(3, 4, "port-cheek"), span(5, 6, "starboard-cheek"))),
    cell("P-1.equipment", {}, join(span(1, 3, "navigator-equipment"), span(4, 6, "bomb-controls"))),
    cell("P-1.heat", {}, join(span(1, 2, "bombardier"), span(3, 4, "navigator"),
        span(5, 6, "bombardier-and-navigator"))),
    cell("P-1.oxygen", {}, join(span(1, 2, "bombardier"), span(3, 4, "navigator"), {5: "bombardier-and-navigator"},
        {6: "fire"})),
    # P-2
    cell("P-2", {}, join(rows(2, "heat", "pilot-and-copilot", "pilot", "copilot"), span(6, 7, "superficial"),
        rows(8, "top-turret", "instruments", "oxygen", "window", CONTROL_CABLES))),
    cell("P-2.top-turret", {}, join(span(1, 2, "guns-out"), span(3, 5, "engineer"), {6: "guns-and-engineer"})),
    cell("P-2.oxygen", {}, rows(1, "pilot-and-copilot", "pilot", "copilot", "engineer", "engineer", "fire")),
    # P-3
    cell("P-3", {"bombs": "aboard"}, join(rows(2, "bomb-release", "bombs", "rafts", "doors"),
        span(6, 8, "superficial"), rows(9, "bombs", "doors", "bombs", CONTROL_CABLES))),
    cell("P-3.bombs", {}, join(span(1, 4, "none"), span(5, 6, "detonate"))),
    cell("P-3.doors", {}, join(span(1, 2, "inoperable"), span(3, 6, "none"))),
    # P-4
    cell("P-4", {}, join(rows(2, "heat", "intercom"), span(4, 5, "radio"), {6: "radio-operator"},
        span(7, 10, "superficial"), rows(11, "oxygen", CONTROL_CABLES))),
    cell("P-4.oxygen", {}, OXYGEN_OR_FIRE),
    # P-5: rows 6 and 8 name the gunner hit
    cell("P-5", {}, join(rows(2, "oxygen", "armament"), span(4, 5, "superficial"), rows(6, "port-waist",
        "superficial", "starboard-waist", "ball-turret", "waist-gunners"), rows(11, "heat", CONTROL_CABLES))),
    cell("P-5.oxygen", {}, join(span(1, 2, "port-waist"), span(3, 4, "starboard-waist"), {5: "ball-gunner"},
        {6: "fire"})),
    cell("P-5.armament", {}, join(span(1, 3, "port-waist"), span(4, 6, "starboard-waist"))),
    cell("P-5.ball-turret", {}, join(span(1, 2, "ball-gunner"), {3: "heat"}, span(4, 5, "guns-out"), {6: "mechanism"})),
    cell("P-5.heat", {}, join(span(1, 3, "port-waist"), span(4, 6, "starboard-waist"))),
    # P-6
    cell("P-6", {}, join(rows(2, "heat", "tailwheel-or-autopilot", "tail-turret", "tail-gunner", "superficial",
        "rudder"), {8: "superficial"}, span(9, 10, "tailplane"), rows(11, "oxygen", CONTROL_CABLES))),
    cell("P-6.tailwheel-or-autopilot", {}, join(span(1, 3, "tailwheel"), span(4, 6, "autopilot"))),
    cell("P-6.tailplane", {}, join(span(1, 2, "none"), rows(3, "port-elevator", "starboard-elevator", "port-root",
        "starboard-root"))),
    cell("P-6.oxygen", {}, OXYGEN_OR_FIRE),
    # dice that only the notes ask for
    # 9.2 passing shot: 6, whatever the type and height
    *(
        cell("M-1", {"fighter.clock": clock, "fighter.angle": angle, "fighter.type": kind, "gun": "tail"}, to_hit(6))
        for clock in FRONT
        for angle in ANGLES
        for kind in FIGHTERS
    ),
    # wing by wing in a steep dive
    cell("B-7.g.wing", {}, join(span(1, 5, "holds"), span(6, 6, "rips"))),
    # oil tank: the engine's own two charges, and zones until it must stop
    cell("BL-1.e.fire", {}, join(span(1, 4, "out"), span(5, 6, "burning"))),
    cell("BL-1.e.leak", {}, rows(1, "1", "1", "2", "2", "3", "3")),
    # errata 26: gear up in England, not crashed
    cell("G-9.gear-up", {}, join(span(1, 3, "repairable"), span(4, 6, "irreparable"))),
]  # fmt: skip

# --- modifiers ------------------------------------------------------------------------------------------------------

# waves: no squadron modifier in the base, so High; Paris has zones without a gazetteer modifier
WAVE: Facts = {
    "mission.number": 11, "formation": "in", "squadron": "high", "target.city": "Paris", "target.zone": 5,
    "weather": "good",
}  # fmt: skip
ON_THE_WAY: Facts = {**WAVE, "zone": 3}
OVER_TARGET: Facts = {**WAVE, "zone": 5}
# cover in the target zone: Rouen, zone 4 (errata 22)
COVERED: Facts = {"cover": "fair", "target.city": "Rouen", "target.zone": 4, "zone": 4, "weather": "good"}
SHOT: Facts = {
    "gun": "top", "fighter.clock": "3", "fighter.angle": "high", "fighter.type": "me109", "fighter.pilot": "average",
    "formation": "in", "evasive": "no", "intercom": "ok", "gunner.ace": "no", "gunner.displaced": "no",
}  # fmt: skip
UNRATED: Facts = {name: value for name, value in SHOT.items() if name != "gunner.ace"}  # as his record has it
HIT: Facts = {"gun": "radio", "fighter.type": "me109"}
ATTACK: Facts = {
    "fighter.clock": "12", "fighter.angle": "high", "fighter.type": "me109", "fighter.pilot": "average",
    "fighter.fca": 0, "fighter.fboa": 0, "formation": "in", "evasive": "no", "engines.out": 0,
}  # fmt: skip
SPRAY: Facts = {**SHOT, "spray": "yes"}
RUN: Facts = {
    "target.city": "Paris", "target.zone": 5, "zone": 5, "weather": "good", "flak.hit": "no", "bombsight": "ok",
    "autopilot": "ok", "intercom": "ok", "crew.bombardier": "ok", "wounds.bombardier": 0, "missions.bombardier": 5,
}  # fmt: skip
# no pilot's bonus, all engines, everything whole
LAND: Facts = {
    "target.city": "Paris", "target.zone": 5, "zone": 1, "weather": "good", "weather.base": "good", "formation": "in",
    "radio": "ok", "engines.out": 0, "crew.pilot": "ok", "crew.copilot": "ok", "crew.radio-operator": "ok",
    "wounds.pilot": 0, "wounds.copilot": 0, "missions.pilot": 5, "missions.copilot": 5,
}  # fmt: skip
# at sea
DITCH: Facts = {**LAND, "zone": 2}
# at sea in the target zone, under its weather
DITCH_AT_TARGET: Facts = {**LAND, "target.city": "Rotterdam", "target.zone": 4, "zone": 4}

LANDING: list[Modifier] = [
    # O-1 a, b
    ("G-9", {**LAND}, {"weather.base": "poor"}, -1, "poor"), ("G-9", {**LAND}, {"weather.base": "bad"}, -2, "bad"),
    ("G-10", {**DITCH_AT_TARGET}, {"weather": "poor"}, -1, "poor"),
    ("G-10", {**DITCH_AT_TARGET}, {"weather": "bad"}, -2, "bad"),
    # G-10 b: once, whichever man has it
    ("G-9", {**LAND}, {"missions.pilot": 15}, 1, "pilot"), ("G-9", {**LAND}, {"missions.copilot": 15}, 1, "pilot"),
    ("G-9", {**LAND}, {"missions.pilot": 15, "missions.copilot": 15}, 1, "pilot"),
    ("G-9", {**LAND, "crew.pilot": "light", "wounds.pilot": 1}, {"missions.pilot": 15}, 1, "pilot"),
    ("G-9", {**LAND, "crew.pilot": "light", "wounds.pilot": 2, "missions.pilot": 15}, {"missions.copilot": 15}, 1,
     "pilot"),
    ("G-10", {**DITCH}, {"missions.pilot": 15}, 1, "pilot"), ("G-10", {**DITCH}, {"missions.copilot": 15}, 1, "pilot"),
    ("G-10", {**DITCH}, {"missions.pilot": 15, "missions.copilot": 15}, 1, "pilot"),
    # G-10 f
    ("G-9", {**LAND}, {"crew.pilot": "kia", "crew.copilot": "kia"}, -11, "no pilot"),
    ("G-9", {**LAND}, {"crew.pilot": "serious", "crew.copilot": "kia"}, -11, "no pilot"),
    ("G-9", {**LAND}, {"crew.pilot": "serious", "crew.copilot": "serious"}, -11, "no pilot"),
    ("G-10", {**DITCH}, {"crew.pilot": "kia", "crew.copilot": "kia"}, -11, "no pilot"),
    ("G-10", {**DITCH}, {"crew.pilot": "serious", "crew.copilot": "serious"}, -11, "no pilot"),
    # G-10 g, P-4: outside formation; errata 27: the radio needs its man
    ("G-10", {**DITCH, "formation": "out"}, {"radio": "out"}, -6, "radio"),
    ("G-10", {**DITCH, "formation": "out"}, {"crew.radio-operator": "kia"}, -6, "radio"),
    ("G-10", {**DITCH, "formation": "out"}, {"radio": "out", "crew.radio-operator": "kia"}, -6, "radio"),
    # G-10 h, i
    ("G-9", {**LAND, "engines.out": 2}, {"engines.out": 3}, -3, "engines"),
    ("G-9", {**LAND, "engines.out": 2}, {"engines.out": 4}, -7, "engines"),
    ("G-10", {**DITCH, "engines.out": 2}, {"engines.out": 3}, -3, "engines"),
    ("G-10", {**DITCH, "engines.out": 2}, {"engines.out": 4}, -4, "engines"),
    # G-10 j
    ("G-9", {**LAND}, {"zone": 3}, -3, "not in England"), ("G-9", {**LAND}, {"zone": 5}, -3, "not in England"),
    *(
        modifier
        for table, base in (("G-9", LAND), ("G-10", DITCH))
        for modifier in (
            # BL-1 b, P-6 b: both sides
            mod(table, {**base, "flap.port": "out"}, {"flap.starboard": "out"}, -1, "flaps"),
            mod(table, {**base, "aileron.port": "out"}, {"aileron.starboard": "out"}, -1, "ailerons"),
            mod(table, {**base, "elevator.port": "out"}, {"elevator.starboard": "out"}, -1, "elevators"),
            # BL-2 rows 6 to 9
            mod(table, {**base}, {"flap.controls": "out"}, -1, "flap controls"),
            mod(table, {**base}, {"aileron.controls": "out"}, -1, "aileron controls"),
            mod(table, {**base}, {"elevator.controls": "out"}, -1, "elevator controls"),
            mod(table, {**base}, {"rudder.controls": "out"}, -1, "rudder controls"),
            # P-6 row 7, note c: one tailplane gone (two: bail out)
            mod(table, {**base, "rudder.hits": 2}, {"rudder.hits": 3}, -1, "rudder"),
            mod(table, {**base, "tailplane.port": 2}, {"tailplane.port": 3}, -1, "tailplane"),
            mod(table, {**base, "tailplane.starboard": 2}, {"tailplane.starboard": 3}, -1, "tailplane"),
            # BL-2 d: controls of what is gone already
            mod(table, {**base, "flap.port": "out", "flap.starboard": "out"}, {"flap.controls": "out"}, 0, "gone"),
            mod(table, {**base, "aileron.port": "out", "aileron.starboard": "out"}, {"aileron.controls": "out"}, 0,
                "gone"),
            mod(table, {**base, "elevator.port": "out", "elevator.starboard": "out"}, {"elevator.controls": "out"}, 0,
                "gone"),
            mod(table, {**base, "rudder.hits": 3}, {"rudder.controls": "out"}, 0, "gone"),
            # P-2 rows 11, 12: second hit
            mod(table, {**base, "window.hits": 1}, {"window.hits": 2}, -1, "window"),
            mod(table, {**base, "cables.hits": 1}, {"cables.hits": 2}, -1, "control cables"),
            # 19.2
            mod(table, {**base}, {"bip": "yes"}, -4, "BIP"),
        )
    ),
    # BL-1 h
    ("G-9", {**LAND}, {"brakes.port": "out"}, -1, "brakes"),
    ("G-9", {**LAND}, {"brakes.starboard": "out"}, -1, "brakes"),
    # BL-1 i, BL-2 row 3: once, whatever the causes
    ("G-9", {**LAND}, {"gear.port": "out"}, -3, "landing gear"),
    ("G-9", {**LAND}, {"gear.starboard": "out"}, -3, "landing gear"),
    ("G-9", {**LAND}, {"gear.port": "out", "gear.starboard": "out"}, -3, "landing gear"),
    ("G-9", {**LAND}, {"gear.controls": "out"}, -3, "landing gear"),
    ("G-9", {**LAND}, {"gear.port": "out", "gear.controls": "out"}, -3, "landing gear"),
    # P-6 row 3
    ("G-9", {**LAND}, {"tail-wheel": "out"}, -1, "tailwheel"),
    # P-3 row 4 with item 3 of the booklet's own errata (the card says -2)
    ("G-10", {**DITCH}, {"rafts": "out"}, -6, "rafts"),
]  # fmt: skip

MODIFIERS: list[Modifier] = [
    # B-1, B-2: squadron (Mission Chart) and gazetteer (G-11 a; errata 35 for B-2)
    ("B-1", {**ON_THE_WAY}, {"squadron": "low"}, 1, "low"),
    ("B-1", {**ON_THE_WAY}, {"squadron": "middle"}, -1, "middle"),
    ("B-1", {**ON_THE_WAY, "mission.number": 6}, {"squadron": "low"}, 1, "low"),
    ("B-1", {**ON_THE_WAY, "mission.number": 6}, {"squadron": "middle"}, -1, "middle"),
    ("B-2", {**OVER_TARGET}, {"squadron": "low"}, 1, "low"),
    ("B-2", {**OVER_TARGET}, {"squadron": "middle"}, -1, "middle"),
    *(
        mod("B-2" if zone == TARGET_ZONES[city] else "B-1",
            {**(OVER_TARGET if zone == TARGET_ZONES[city] else ON_THE_WAY)},
            {"target.city": city, "target.zone": TARGET_ZONES[city], "zone": zone}, amount, "gazetteer")
        for city, zones in GAZETTEER.items()
        for zone, (amount, _) in zones.items()
        if amount
    ),
    # the gazetteer holds out of formation too
    ("B-1", {**ON_THE_WAY, "formation": "out"}, {"zone": 2}, -2, "gazetteer"),
    # B-2 a, O-1 c: -1 for either
    ("B-2", {**OVER_TARGET}, {"weather": "poor"}, -1, "poor"), ("B-2", {**OVER_TARGET}, {"weather": "bad"}, -1, "bad"),
    # M-1 c: kept in evasion, with a dead intercom and on passing shots (errata 33)
    ("M-1", {**SHOT}, {"gunner.ace": "yes"}, 1, "ace gunner"),
    ("M-1", {**SHOT, "formation": "out", "evasive": "yes"}, {"gunner.ace": "yes"}, 1, "ace gunner"),
    ("M-1", {**SHOT, "intercom": "out"}, {"gunner.ace": "yes"}, 1, "ace gunner"),
    ("M-1", {**SHOT, "fighter.clock": "12", "gun": "tail"}, {"gunner.ace": "yes"}, 1, "ace gunner"),
    # M-6, for us
    ("M-1", {**SHOT}, {"fighter.pilot": "green"}, 1, "green"), ("M-1", {**SHOT}, {"fighter.pilot": "ace"}, -1, "ace"),
    ("M-5", {**SPRAY}, {"fighter.pilot": "green"}, 1, "green"), ("M-5", {**SPRAY}, {"fighter.pilot": "ace"}, -1, "ace"),
    # M-2 a
    *(
        mod("M-2", {**HIT, "fighter.type": kind}, {"gun": gun}, 1, "twin guns")
        for gun in TWIN_GUNS
        for kind in ("me109", "me110")
    ),
    # M-2 b
    *(mod("M-2", {**HIT, "gun": gun}, {"fighter.type": "fw190"}, -1, "Fw 190") for gun in SINGLE_GUNS),
    # M-3; errata 4: marks add up
    ("M-3", {**ATTACK}, {"fighter.fca": 1}, -1, "FCA"), ("M-3", {**ATTACK}, {"fighter.fca": 2}, -2, "FCA"),
    ("M-3", {**ATTACK}, {"fighter.fboa": 1}, -2, "FBOA"),
    ("M-3", {**ATTACK, "fighter.fca": 1}, {"fighter.fboa": 1}, -2, "FBOA"),
    ("M-3", {**ATTACK, "fighter.fboa": 1}, {"fighter.fca": 1}, -1, "FCA"),
    ("M-3", {**ATTACK}, {"fighter.pilot": "green"}, -1, "green"),
    ("M-3", {**ATTACK}, {"fighter.pilot": "ace"}, 1, "ace"),
    ("M-3", {**ATTACK, "formation": "out"}, {"evasive": "yes"}, -1, "evasive"),
    ("M-3", {**ATTACK, "formation": "out", "engines.out": 1}, {"engines.out": 2}, 1, "engines"),
    ("M-3", {**ATTACK, "formation": "out", "engines.out": 1}, {"engines.out": 3}, 1, "engines"),
    ("M-3", {**ATTACK, "formation": "out", "engines.out": 1}, {"engines.out": 4}, 1, "engines"),
    # M-4: O-1 c
    ("M-4", {**COVERED}, {"weather": "poor"}, -1, "poor"), ("M-4", {**COVERED}, {"weather": "bad"}, -1, "bad"),
    # O-2
    ("O-2", {**OVER_TARGET}, {"weather": "poor"}, -1, "poor"), ("O-2", {**OVER_TARGET}, {"weather": "bad"}, -1, "bad"),
    *(
        mod("O-2", {**OVER_TARGET}, {"target.city": city, "target.zone": TARGET_ZONES[city],
            "zone": TARGET_ZONES[city]}, 1, "target")
        for city in HEAVY_FLAK
    ),
    # O-6
    ("O-6", {**RUN}, {"weather": "poor"}, -1, "poor"), ("O-6", {**RUN}, {"weather": "bad"}, -2, "bad"),
    ("O-6", {**RUN}, {"flak.hit": "yes"}, -1, "flak"), ("O-6", {**RUN}, {"autopilot": "out"}, -2, "autopilot"),
    ("O-6", {**RUN}, {"missions.bombardier": 15}, 1, "bombardier"),
    ("O-6", {**RUN, "crew.bombardier": "light", "wounds.bombardier": 1}, {"missions.bombardier": 15}, 1, "bombardier"),
    ("O-6", {**RUN, "crew.bombardier": "light", "wounds.bombardier": 1}, {"wounds.bombardier": 2}, -1, "second wound"),
    ("O-6", {**RUN, "crew.bombardier": "light", "wounds.bombardier": 1},
     {"wounds.bombardier": 2, "missions.bombardier": 15}, -1, "second wound"),
    *LANDING,
    # what counts nothing: weather off the target, an ace's spray, the radio and rafts on land, wheels in the water
    ("B-1", {**ON_THE_WAY}, {"weather": "poor"}, 0, "weather"),
    ("B-1", {**ON_THE_WAY}, {"weather": "bad"}, 0, "weather"),
    ("M-5", {**SPRAY}, {"gunner.ace": "yes"}, 0, "ace gunner"),
    ("G-9", {**LAND, "formation": "out"}, {"radio": "out"}, 0, "radio"),
    ("G-9", {**LAND}, {"rafts": "out"}, 0, "rafts"), ("G-10", {**DITCH}, {"zone": 4}, 0, "not in England"),
    *(
        mod("G-10", {**DITCH}, {fact: "out"}, 0, "wheels")
        for fact in ("brakes.port", "brakes.starboard", "gear.port", "gear.starboard", "gear.controls", "tail-wheel")
    ),
    # `position` is the man the roll is for; event.* the B-7 results in force
    # BL-4 a: second light wound
    ("G-6", {"position": "tail-gunner", "crew.tail-gunner": "light", "wounds.tail-gunner": 1},
     {"wounds.tail-gunner": 2}, -1, "second wound"),
    # errata 37
    *(
        mod(table, {"position": "tail-gunner", "crew.tail-gunner": "ok", "wounds.tail-gunner": 0},
            {"crew.tail-gunner": "light", "wounds.tail-gunner": 1}, -1, "wounded")
        for table in ("G-7", "G-8")
    ),
    # 11.0
    ("BL-4.b", {"position": "tail-gunner", "crew.tail-gunner": "serious", "frostbite.tail-gunner": "no"},
     {"frostbite.tail-gunner": "yes"}, 1, "frostbite"),
    # G-9 row -2
    ("BL-4", {"crash": "no"}, {"crash": "yes"}, 1, "crash"),
    # B-7
    *(
        modifier
        for table, base in (("B-1", ON_THE_WAY), ("B-2", OVER_TARGET))
        for modifier in (
            mod(table, {**base, "event.loose": "no"}, {"event.loose": "yes"}, 1, "loose"),
            mod(table, {**base, "event.tight": "no"}, {"event.tight": "yes"}, -1, "tight"),
        )
    ),
    ("M-4", {**COVERED, "event.friends": "no"}, {"event.friends": "yes"}, 1, "little friends"),
    # B-7 row 11, 18.0 f: and a real ace has his 1 once
    ("M-1", {**UNRATED}, {"ace-for-a-day.engineer": "yes"}, 1, "ace for a day"),
    ("M-1", {**UNRATED, "kills.engineer": 5}, {"ace-for-a-day.engineer": "yes"}, 0, "ace for a day"),
    # P-1 row 10, P-3 row 2: each; errata 13: the flak hit counts besides
    ("O-6", {**RUN}, {"bomb-controls": "out"}, -3, "bomb controls"),
    ("O-6", {**RUN}, {"bomb-release": "out"}, -3, "bomb release"),
    ("O-6", {**RUN, "bomb-controls": "out"}, {"bomb-release": "out"}, -3, "bomb release"),
    ("O-6", {**RUN, "bomb-controls": "out"}, {"flak.hit": "yes"}, -1, "flak"),
]  # fmt: skip

NOT_APPLIED: list[Absent] = [
    # High is 0; no squadron on Missions 1-5, none out of formation
    ("B-1", {**ON_THE_WAY, "squadron": "high"}, "low"), ("B-1", {**ON_THE_WAY, "squadron": "high"}, "middle"),
    *(
        absent(
            table, {key: value for key, value in {**base, "mission.number": n}.items() if key != "squadron"}, "middle"
        )
        for table, base in (("B-1", ON_THE_WAY), ("B-2", OVER_TARGET))
        for n in (1, 5)
    ),
    ("B-1", {**ON_THE_WAY, "squadron": "low", "formation": "out"}, "low"),
    ("B-1", {**ON_THE_WAY, "squadron": "middle", "formation": "out"}, "middle"),
    ("B-2", {**OVER_TARGET, "squadron": "low", "formation": "out"}, "low"),
    ("B-2", {**OVER_TARGET, "squadron": "middle", "formation": "out"}, "middle"),
    # a zone whose gazetteer entry is 0
    ("B-1", {**ON_THE_WAY}, "gazetteer"), ("B-2", {**OVER_TARGET}, "gazetteer"),
    # errata 22: Rouen ends in zone 4
    ("B-2", {**OVER_TARGET, "target.city": "Rouen", "target.zone": 4, "zone": 4}, "gazetteer"),
    # target weather leaves the other zones alone
    ("M-4", {**COVERED, "zone": 3, "weather": "poor"}, "poor"),
    ("M-4", {**COVERED, "zone": 2, "weather": "bad"}, "bad"),
    # the ace bonus goes with any wound, frostbite, a strange gun; spray never has it
    ("M-1", {**SHOT, "gunner.ace": "yes", "crew.engineer": "light", "wounds.engineer": 1}, "ace gunner"),
    ("M-1", {**SHOT, "gunner.ace": "yes", "frostbite.engineer": "yes"}, "ace gunner"),
    ("M-1", {**SHOT, "gunner.ace": "yes", "gunner.displaced": "yes"}, "ace gunner"),
    # M-2
    *(absent("M-2", {"gun": gun, "fighter.type": "fw190"}, "twin guns") for gun in TWIN_GUNS),
    *(absent("M-2", {"gun": gun, "fighter.type": "fw190"}, "Fw 190") for gun in TWIN_GUNS),
    *(
        absent("M-2", {"gun": gun, "fighter.type": kind}, "Fw 190")
        for gun in SINGLE_GUNS
        for kind in ("me109", "me110")
    ),
    *(absent("M-2", {"gun": gun, "fighter.type": kind}, "twin guns") for gun in SINGLE_GUNS for kind in FIGHTERS),
    # M-3
    ("M-3", {**ATTACK, "engines.out": 1}, "engines"),
    # O-2: U-boats or not, only the starred cities
    *(
        absent("O-2", {**OVER_TARGET, "target.city": city, "target.zone": zone, "zone": zone}, "target")
        for city, zone in TARGET_ZONES.items()
        if city not in HEAVY_FLAK
    ),
    # O-6: two light wounds cost the bonus
    ("O-6", {**RUN, "crew.bombardier": "light", "wounds.bombardier": 2, "missions.bombardier": 15}, "bombardier"),
    ("O-6", {**RUN, "crew.bombardier": "light", "wounds.bombardier": 1}, "second wound"),
    # G-9, G-10: errata 12
    ("G-9", {**LAND, "engines.out": 1}, "engines"), ("G-9", {**LAND, "engines.out": 2}, "engines"),
    ("G-10", {**DITCH, "engines.out": 1}, "engines"), ("G-10", {**DITCH, "engines.out": 2}, "engines"),
    # silent radio in formation; on land
    ("G-10", {**DITCH, "radio": "out"}, "radio"), ("G-10", {**DITCH, "crew.radio-operator": "kia"}, "radio"),
    # one pilot left
    ("G-9", {**LAND, "crew.pilot": "kia"}, "no pilot"), ("G-9", {**LAND, "crew.copilot": "serious"}, "no pilot"),
    # two light wounds
    ("G-9", {**LAND, "crew.pilot": "light", "wounds.pilot": 2, "missions.pilot": 15}, "pilot"),
    # England; the sea
    ("G-9", {**LAND}, "not in England"),
    # one side, one hit
    *(
        entry
        for table, base in (("G-9", LAND), ("G-10", DITCH))
        for entry in (
            absent(table, {**base, "flap.port": "out"}, "flaps"),
            absent(table, {**base, "aileron.starboard": "out"}, "ailerons"),
            absent(table, {**base, "elevator.port": "out"}, "elevators"),
            absent(table, {**base, "window.hits": 1}, "window"),
            absent(table, {**base, "cables.hits": 1}, "control cables"),
            absent(table, {**base, "rudder.hits": 2}, "rudder"),
        )
    ),
]  # fmt: skip

NATURAL: list[tuple[str, Facts, tuple[int, ...], str]] = [
    # M-1 b: net 6 - 1 = 5
    ("M-1", {**SHOT, "fighter.clock": "12", "fighter.pilot": "ace"}, (6,), "hit"),
    ("M-1", {**SHOT, "gun": "starboard-waist", "fighter.pilot": "ace"}, (6,), "hit"),
    ("M-1", {**SHOT, "formation": "out", "evasive": "yes", "fighter.pilot": "ace"}, (6,), "hit"),
    ("M-1", {**SHOT, "intercom": "out", "fighter.pilot": "ace"}, (6,), "hit"),
    ("M-1", {**SHOT, "fighter.clock": "dive", "fighter.pilot": "ace"}, (6,), "hit"),
    # M-3: net 6 - 2 = 4
    ("M-3", {**ATTACK, "fighter.fboa": 1}, (6,), "hit"),
    # net 6 - 2 - 1 - 1 = 2
    ("M-3", {**ATTACK, "fighter.fboa": 1, "fighter.pilot": "green", "formation": "out", "evasive": "yes"}, (6,), "hit"),
    # from 6: net 6 - 1 - 2 - 1 = 2
    ("M-3", {**ATTACK, "fighter.clock": "6", "fighter.fca": 1, "fighter.fboa": 1, "fighter.pilot": "green"}, (6,),
     "hit"),
    # climb: net 6 - 2 - 1 = 3
    ("M-3", {**ATTACK, "fighter.clock": "climb", "fighter.fboa": 1, "fighter.pilot": "green"}, (6,), "hit"),
    # G-10 a: net 12 - 11 = 1
    ("G-10", {**DITCH, "crew.pilot": "kia", "crew.copilot": "kia"}, (6, 6), "rescued"),
    # G-7's second note d: net 5
    ("G-7", {"position": "tail-gunner", "crew.tail-gunner": "light", "wounds.tail-gunner": 1}, (6,), "ok"),
    # G-10 a for G-9: net 12 - 11 - 2 = -1; the men are safe, the aircraft takes the net
    ("G-9", {**LAND, "crew.pilot": "kia", "crew.copilot": "kia", "weather.base": "bad"}, (6, 6), "crew-safe"),
]  # fmt: skip

AUTOMATIC: list[tuple[str, Facts, str]] = [
    # G-5 footnote
    ("G-5", {"mission.number": 1}, "good"), ("G-5", {"mission.number": 5}, "good"),
    # P-1, BL-2 a
    ("O-6", {**RUN, "bombsight": "out"}, "off"), ("O-6", {**RUN, "crew.bombardier": "kia"}, "off"),
    ("O-6", {**RUN, "crew.bombardier": "serious"}, "off"),
    ("O-6", {**RUN, "autopilot": "out", "intercom": "out"}, "off"),
    # G-8 b with errata 34, 27
    ("G-8", {"radio": "out", "formation": "out"}, "dies"),
    ("G-8", {"radio": "ok", "crew.radio-operator": "kia", "formation": "out"}, "dies"),
    # P-2 row 12: second hit anywhere
    ("O-6", {**RUN, "cables.hits": 2}, "off"),
    # no squadron on Missions 1-5
    *(("G-4.squadron", {"mission.number": number}, "none") for number in (1, 5)),
    # cover reaches zones 2-4
    *(("G-5", {"zone": zone}, "none") for zone in (1, 5, 6, 7, 8)),
    *(("M-4", {"zone": zone}, "none") for zone in (5, 6, 7, 8)),
    # no fighters in zone 1
    ("B-1", {"zone": 1}, "none"),
    # P-3, G-10 e: bombs that are gone do not go off
    *((table, {"bombs": gone}, "gone") for table in ("P-3.bombs", "G-10.e") for gone in ("dropped", "jettisoned")),
]  # fmt: skip

# --- beyond the brief -----------------------------------------------------------------------------------------------

# FW 190: half as many again, down; Me 110: one more
FW190 = {"1": "1", "2": "3", "3": "4", "4": "6", "5": "7", "6": "9", "7": "10"}
ME110 = {"1": "2", "2": "3", "3": "4", "4": "5", "5": "6", "6": "7", "7": "8"}


def reinforced(extra: str) -> Nets:
    """Return B-3 with the Mission Chart's extra fighter at the end; none with no attackers (errata 14) or a 66."""
    return {row: wave if wave in ("none", "random-events") else f"{wave};{extra}" for row, wave in WAVES.items()}


AFTER_NOTES: list[Cell] = [
    *(
        cell("B-4", {"fighter.clock": c, "fighter.type": "fw190"}, {row: FW190[n] for row, n in shells.items()})
        for c, shells in SHELLS.items()
    ),
    *(
        cell("B-4", {"fighter.clock": c, "fighter.type": "me110"}, {row: ME110[n] for row, n in shells.items()})
        for c, shells in SHELLS.items()
    ),
    cell("B-3", {"formation": "in", "bomber.position": "lead"}, reinforced("me109@12-high")),
    cell("B-3", {"formation": "in", "bomber.position": "tail"}, reinforced("me109@6-high")),
    # out of formation: the same extra fighter wherever the bomber flew
    *(
        cell(
            "B-3",
            {"formation": "out", "bomber.position": position},
            {row: "roll-again" if wave == "none" else wave for row, wave in reinforced("me109@12-level").items()},
        )
        for position in ("lead", "middle", "tail")
    ),
    # B-7 out of formation: e, g, h
    cell("B-7", {"formation": "out", "altitude": "high"}, {3: "roll-again", 10: "extreme-cold", 12: "engine-failure"}),
    cell("B-7", {"formation": "out", "altitude": "low"}, {3: "roll-again", 10: "roll-again", 12: "engine-failure"}),
]

# errata 3: marks on one fighter -> what they come to
FIGHTER_MARKS: dict[tuple[int, int], str] = {
    (1, 0): "fca", (2, 0): "fboa", (3, 0): "fboa", (0, 1): "fboa", (1, 1): "fboa", (2, 1): "fboa",
    (0, 2): "destroyed", (1, 2): "destroyed",
}  # fmt: skip
# hits that tear it off or put it out
BREAKS_AT: dict[str, int] = {"wing-root": 5, "tailplane": 3, "rudder": 3, "cables": 2, "oxygen": 2}
# leaking tanks -> turns left (errata 18); the first one rolls BL-1.g
LEAK_TURNS: dict[int, int] = {2: 2, 3: 1}
# tries at a fire: hand-held bottles, an engine's own charges
FIRE_TRIES: dict[str, int] = {"oxygen": 3, "engine": 2}
