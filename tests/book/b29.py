"""Figures of the B-29 charts, typed by hand from the rulebook: the expected values of the tests.

CELLS        every printed column: (table, facts that select the column, {net: outcome}).
MODIFIERS    (table, base facts, trigger facts, amount, label): base | trigger adds exactly this one modifier.
NOT_APPLIED  (table, facts, label): the modifier with this label (see MODIFIERS, same table) must not appear.
NATURAL      (table, facts, dice, outcome): unmodified-roll rules; the net would have given something else.
AFTER_NOTES  columns with a note applied (the outcome may be recorded before or after it).
UNNAMED      dice in the rulebook without a table number; their ids are guesses of this module.
AUTOMATIC    (table, facts, outcome): settled without a die.
"""

from tests.book.writing import Cell, Facts, Nets, cell, join, rows, span

NIGHT: Facts = {"mission.time": "night", "formation": "none"}
DAY_IN: Facts = {"mission.time": "day", "formation": "in"}

FRONT = ("12", "1:30", "10:30")
SIDES = ("3", "9")
ANGLES = ("high", "level", "low")
GUNS = ("fwd-upper", "fwd-lower", "aft-upper", "aft-lower", "tail")  # and the cannon

# --- shared columns -------------------------------------------------------------------------------------------------

# 5-3 note f, 5-15 note a, 6-5: 2D locations
LOCATIONS = rows(
    2, "nose", "nav-radio", "waist", "fwd-bomb-bay", "starboard-wing", "superficial", "port-wing", "aft-bomb-bay",
    "tail", "utility", "nose",
)  # fmt: skip

# 5-6: intercom out, 1D
B2_CFC = join(span(1, 2, "bombardier"), span(3, 6, "cfc"))
B3_CFC = join(span(1, 3, "bombardier"), span(4, 6, "cfc"))
B2_RIGHT = join(span(1, 2, "bombardier"), span(3, 6, "cfc-or-right-gunner"))
B2_LEFT = join(span(1, 2, "bombardier"), span(3, 6, "cfc-or-left-gunner"))
RIGHT = span(1, 6, "cfc-or-right-gunner")
LEFT = span(1, 6, "cfc-or-left-gunner")
CFC = span(1, 6, "cfc")
TAIL_CFC = join(span(1, 4, "tail-gunner"), span(5, 6, "cfc"))
TAIL = span(1, 6, "tail-gunner")

FIRE_5_6: list[tuple[str, str, str, Nets]] = [
    ("12", "high", "fwd-upper", B2_CFC), ("12", "high", "aft-upper", B3_CFC), ("12", "level", "fwd-upper", B2_CFC),
    ("12", "level", "fwd-lower", B3_CFC), ("12", "low", "fwd-lower", B2_CFC), ("12", "low", "aft-lower", B3_CFC),
    ("1:30", "high", "fwd-upper", B2_RIGHT), ("1:30", "high", "aft-upper", B2_RIGHT),
    ("1:30", "level", "fwd-upper", B2_CFC), ("1:30", "level", "fwd-lower", B3_CFC),
    ("1:30", "low", "fwd-lower", B2_RIGHT), ("1:30", "low", "aft-lower", B2_RIGHT),
    ("10:30", "high", "fwd-upper", B2_LEFT), ("10:30", "high", "aft-upper", B2_LEFT),
    ("10:30", "level", "fwd-upper", B2_CFC), ("10:30", "level", "fwd-lower", B3_CFC),
    ("10:30", "low", "fwd-lower", B2_LEFT), ("10:30", "low", "aft-lower", B2_LEFT), ("3", "high", "fwd-upper", RIGHT),
    ("3", "high", "aft-upper", RIGHT), ("3", "level", "fwd-upper", RIGHT), ("3", "level", "aft-upper", RIGHT),
    ("3", "level", "fwd-lower", RIGHT), ("3", "level", "aft-lower", RIGHT), ("3", "low", "fwd-lower", RIGHT),
    ("3", "low", "aft-lower", RIGHT), ("9", "high", "fwd-upper", LEFT), ("9", "high", "aft-upper", LEFT),
    ("9", "level", "fwd-upper", LEFT), ("9", "level", "aft-upper", LEFT), ("9", "level", "fwd-lower", LEFT),
    ("9", "level", "aft-lower", LEFT), ("9", "low", "fwd-lower", LEFT), ("9", "low", "aft-lower", LEFT),
    ("6", "high", "fwd-upper", CFC), ("6", "high", "aft-upper", CFC), ("6", "high", "tail", TAIL_CFC),
    ("6", "high", "cannon", TAIL), ("6", "level", "aft-lower", CFC), ("6", "level", "tail", TAIL_CFC),
    ("6", "level", "cannon", TAIL), ("6", "low", "fwd-lower", CFC), ("6", "low", "aft-lower", CFC),
    ("6", "low", "tail", TAIL_CFC), ("6", "low", "cannon", TAIL),
]  # fmt: skip

# 5-8: row 7, 8, 9 of each column; every lower row is FCA, every higher one destroys
F, D = "fca", "destroyed"


def damage(row7: str, row8: str, row9: str) -> Nets:
    return join(span(-1, 6, F), {7: row7}, {8: row8}, {9: row9}, span(10, 16, D))


# 5-9
HIT_9 = join(span(-5, 8, "miss"), span(9, 14, "hit"))
HIT_8 = join(span(-5, 7, "miss"), span(8, 14, "hit"))
HIT_7 = join(span(-5, 6, "miss"), span(7, 14, "hit"))

# 5-10, rows 2 to 12
SHELLS: dict[str, Nets] = {
    "12": rows(2, "3", "2", "2", "2", "1", "2", "1", "2", "2", "2", "4"),
    "1:30": rows(2, "3", "2", "2", "2", "1", "2", "1", "2", "2", "2", "4"),
    "10:30": rows(2, "3", "2", "2", "2", "1", "2", "1", "2", "2", "2", "4"),
    "3": rows(2, "4", "3", "3", "3", "3", "1", "2", "4", "3", "3", "5"),
    "9": rows(2, "4", "3", "3", "3", "3", "1", "2", "4", "3", "3", "5"),
    "6": rows(2, "6", "5", "6", "3", "2", "2", "2", "3", "6", "5", "7"),
    "dive": rows(2, "3", "2", "3", "1", "1", "1", "1", "1", "3", "2", "4"),
    "climb": rows(2, "4", "4", "4", "2", "2", "1", "2", "2", "5", "4", "5"),
}

# 5-11
AREA_FRONT: dict[str, Nets] = {
    "high": {
        2: "tail", 3: "superficial", 4: "superficial", 5: "fwd-bomb-bay", 6: "nav-radio", 7: "nose", 8: "wing-a",
        9: "bomb-bay-b", 10: "waist", 11: "utility", 12: "walking-hits-d",
    },
    "level": {
        2: "superficial", 3: "superficial", 4: "owner", 5: "fwd-bomb-bay", 6: "nav-radio", 7: "nose", 8: "wing-a",
        9: "wing-a", 10: "superficial", 11: "bomb-bay-b", 12: "waist",
    },
    "low": {
        2: "tail", 3: "walking-hits-d", 4: "superficial", 5: "fwd-bomb-bay", 6: "nav-radio", 7: "nose", 8: "wing-a",
        9: "bomb-bay-b", 10: "waist", 11: "utility", 12: "bomb-bay-b",
    },
}  # fmt: skip


def area_side(angle: str, wing: str) -> Nets:
    """Return the column for 3 and 9 o'clock; `wing` is the attacking side's."""
    columns: dict[str, Nets] = {
        "high": {
            2: "walking-hits-d", 3: "nose", 4: "nav-radio", 5: "superficial", 6: "fwd-bomb-bay", 7: "wing-a",
            8: "aft-bomb-bay", 9: "waist", 10: "utility", 11: "tail", 12: "walking-hits-e",
        },
        "level": {
            2: wing, 3: "fwd-bomb-bay", 4: "nose", 5: "nav-radio", 6: "superficial", 7: wing, 8: "waist",
            9: "utility", 10: "tail", 11: "aft-bomb-bay", 12: "walking-hits-f",
        },
        "low": {
            2: "tail", 3: "walking-hits-e", 4: "superficial", 5: "note-c", 6: "fwd-bomb-bay", 7: wing,
            8: "aft-bomb-bay", 9: "waist", 10: "utility", 11: "walking-hits-d", 12: "bomb-bay-b",
        },
    }  # fmt: skip
    return columns[angle]


AREA_6: dict[str, Nets] = {
    "high": {
        2: "superficial", 3: "nav-radio", 4: "bomb-bay-b", 5: "waist", 6: "wing-a", 7: "tail", 8: "wing-a",
        9: "utility", 10: "aft-bomb-bay", 11: "walking-hits-d", 12: "nose",
    },
    "level": {
        2: "wing-a", 3: "superficial", 4: "tail", 5: "wing-a", 6: "superficial", 7: "tail", 8: "superficial",
        9: "wing-a", 10: "utility", 11: "waist", 12: "wing-a",
    },
    "low": {
        2: "superficial", 3: "nav-radio", 4: "superficial", 5: "waist", 6: "tail", 7: "wing-a", 8: "bomb-bay-b",
        9: "utility", 10: "walking-hits-d", 11: "aft-bomb-bay", 12: "nose",
    },
}  # fmt: skip

AREA_DIVE: Nets = {
    2: "nose", 3: "nav-radio", 4: "superficial", 5: "walking-hits-d", 6: "superficial", 7: "wing-a",
    8: "walking-hits-e", 9: "bomb-bay-b", 10: "waist", 11: "utility", 12: "tail",
}  # fmt: skip
AREA_CLIMB: Nets = {
    2: "bomb-bay-b", 3: "nose", 4: "nav-radio", 5: "superficial", 6: "wing-a", 7: "bomb-bay-b", 8: "walking-hits-d",
    9: "walking-hits-e", 10: "waist", 11: "utility", 12: "tail",
}  # fmt: skip


# 5-13, second column: the type gives the height (rows 3 to 12); Irving is named in neither group
def again(height: str) -> Nets:
    clocks = ("6", "9", "12", "1:30", "12", "10:30", "12", "3", "9", "3")
    return {2: "climb"} | {row: f"{clock}-{height}" for row, clock in enumerate(clocks, 3)}


HIGH_AGAIN = ("frank", "tojo", "jack")
LOW_AGAIN = ("nick", "tony", "zeke", "oscar", "george")

# 7-x
DUCT = join(span(1, 4, "none"), span(5, 6, "lost"))
CENTER_TANK = join(span(1, 1, "fire"), span(2, 3, "leak"), span(4, 6, "none"))
BOMBS_OR_TANK = join(span(1, 3, "bombs"), span(4, 6, "tank"))
DOORS = join(span(1, 2, "jammed-shut"), span(3, 4, "jammed-open"), span(5, 6, "none"))
ONE_IN_SIX = join(span(1, 5, "none"), span(6, 6, "compromised"))
FLUID = join(span(1, 3, "fire"), span(4, 6, "none"))

# --- the columns ----------------------------------------------------------------------------------------------------

CELLS: list[Cell] = [
    # 4.2 D oxygen dice
    cell("4.2D", {}, join(span(2, 11, "none"), span(12, 14, "malfunction"))),
    cell("4.2D.who", {}, rows(1, "nose", "nav-radio", "waist", "radar-operator", "tail-gunner", "roll-again")),
    cell("4.2D.nose", {}, join(span(1, 3, "bombardier"), span(4, 4, "pilot"), span(5, 6, "copilot"))),
    cell("4.2D.nav-radio", {}, join(span(1, 1, "engineer"), span(2, 3, "navigator"), span(4, 6, "radio-operator"))),
    cell("4.2D.waist", {}, join(span(1, 2, "cfc"), span(3, 4, "left-gunner"), span(5, 6, "right-gunner"))),
    cell("4.2D.fate", {}, join(span(1, 5, "saved"), span(6, 6, "kia"))),
    # 4.3 A, the two Zone 1 dice: guns under the count, gunners at or under it (ids and facts: own choice)
    cell("4.3A.guns", {"guns.armed": 0}, span(1, 6, "none")), cell("4.3A.guns", {"guns.armed": 1}, span(1, 6, "none")),
    cell("4.3A.guns", {"guns.armed": 2}, join(span(1, 1, "box"), span(2, 6, "none"))),
    cell("4.3A.guns", {"guns.armed": 3}, join(span(1, 2, "box"), span(3, 6, "none"))),
    cell("4.3A.guns", {"guns.armed": 4}, join(span(1, 3, "box"), span(4, 6, "none"))),
    cell("4.3A.guns", {"guns.armed": 5}, join(span(1, 4, "box"), span(5, 6, "none"))),
    cell("4.3A.guns", {"guns.armed": 6}, join(span(1, 5, "box"), span(6, 6, "none"))),
    cell("4.3A.gunners", {"gunners.aboard": 0}, span(1, 6, "none")),
    cell("4.3A.gunners", {"gunners.aboard": 1}, join(span(1, 1, "box"), span(2, 6, "none"))),
    cell("4.3A.gunners", {"gunners.aboard": 2}, join(span(1, 2, "box"), span(3, 6, "none"))),
    cell("4.3A.gunners", {"gunners.aboard": 3}, join(span(1, 3, "box"), span(4, 6, "none"))),
    cell("4.3A.gunners", {"gunners.aboard": 4}, join(span(1, 4, "box"), span(5, 6, "none"))),
    # 4-2, 4-3
    cell("4-2", {}, join(span(1, 2, "good-wind"), span(3, 8, "good"), span(9, 9, "poor"), span(10, 10, "poor-wind"),
        span(11, 11, "bad-wind"), span(12, 14, "bad"))),
    cell("4-3", {}, join(span(0, 4, "none"), rows(5, "disrupted", "storm", "electrical"))),
    cell("4-3.a", {}, join(span(2, 11, "none"), span(12, 15, "possible"))),
    cell("4-3.b", {}, join(span(2, 8, "none"), span(9, 10, "shallow-dive"), span(11, 11, "steep-dive"),
        span(12, 12, "collision"))),
    cell("4-3.c", {}, join(span(1, 5, "holds"), span(6, 6, "rips"))),
    # 4.5 C
    cell("4.5C1", {}, join(span(1, 2, "on-time"), span(3, 6, "missed"))),
    cell("4.5C4", {}, join(span(1, 4, "minor"), span(5, 12, "significant"))),
    # 5-1 and the attack die
    cell("5-1", {}, join(span(-2, 3, "none"), span(4, 6, "light"), span(7, 9, "moderate"), span(10, 16, "heavy"))),
    cell("5.2A", {"resistance": "light"}, join(span(1, 2, "attack"), span(3, 6, "none"))),
    cell("5.2A", {"resistance": "moderate"}, join(span(1, 3, "attack"), span(4, 6, "none"))),
    cell("5.2A", {"resistance": "heavy"}, join(span(1, 4, "attack"), span(5, 6, "none"))),
    # 5-2
    cell("5-2", {}, join(span(1, 1, "roll-again"), span(2, 3, "nick"), span(4, 4, "tony"), span(5, 6, "zeke"),
        span(7, 7, "frank"), span(8, 8, "tojo"), span(9, 9, "oscar"), span(10, 12, "george"), span(13, 13, "none"))),
    cell("5-2.jack", {}, join(span(1, 4, "none"), span(5, 6, "jack"))),
    # 5-3
    cell("5-3", {}, {2: "roll-again", 3: "special", 4: "3", 5: "coordinated", 6: "12", 7: "1:30", 8: "10:30", 9: "6",
        10: "9", 11: "6", 12: "roll-again"}),
    *(
        cell("5-3.special", {"mission.number": n}, rows(1, "baka", "ramming", "ramming", "rockets", "bombs", "bombs"))
        for n in (15, 35)
    ),
    cell("5-3.rockets", {}, join(span(1, 1, "medium"), span(2, 6, "light"))),
    cell("5-3.bombs", {}, join(span(1, 2, "medium"), span(3, 6, "light"))),
    cell("5-3.coordinated", {}, rows(2, "1", "1", "2", "2", "3", "3", "4", "4", "5", "5", "6")),
    cell("5-3.b.blast", {}, join(span(1, 4, "blast"), span(5, 6, "none"))),
    cell("5-3.b.collision", {}, join(span(1, 10, "none"), span(11, 12, "collision"))),
    cell("5-3.c", {}, join(span(0, 10, "none"), span(11, 13, "collision"))),
    cell("5-3.f", {}, join(span(1, 5, "none"), span(6, 6, "hit"))), cell("5-3.f.area", {}, LOCATIONS),
    cell("5-3.h", {}, join(span(1, 2, "lead"), span(3, 4, "tail"), span(5, 6, "none"))),
    # 5-4, 5-5
    cell("5-4", {}, join(span(0, 2, "low"), span(3, 4, "level"), span(5, 7, "high"))),
    cell("5-5", {}, join(span(2, 7, "green"), span(8, 11, "average"), span(12, 13, "ace"))),
    # 5-6
    *(
        cell("5-6", {"fighter.clock": clock, "fighter.angle": angle, "gun": gun}, who)
        for clock, angle, gun, who in FIRE_5_6
    ),
    cell("5-6", {"fighter.clock": "dive", "gun": "fwd-upper"}, CFC),
    cell("5-6", {"fighter.clock": "dive", "gun": "aft-upper"}, CFC),
    cell("5-6", {"fighter.clock": "climb", "gun": "fwd-lower"}, CFC),
    cell("5-6", {"fighter.clock": "climb", "gun": "aft-lower"}, CFC),
    # 5-7
    *(
        cell("5-7", {"gun": gun}, join(span(-8, 1, "miss"), {2: "jam"}, span(3, 9, "miss"), span(10, 18, "hit")))
        for gun in GUNS
    ),
    cell("5-7", {"gun": "cannon"}, join(span(-8, 1, "miss"), {2: "jam"}, {3: "cannon-jam"}, span(4, 9, "miss"),
        span(10, 18, "hit"))),
    cell("5-7.a", {}, join(span(1, 2, "fixed"), span(3, 5, "jammed"), span(6, 6, "broken"))),
    # 5.8 D
    cell("5.8D", {}, join(span(0, 2, "spotted"), span(3, 6, "unseen"))),
    # 5-8
    cell("5-8", {"fighter.type": "nick"}, damage(F, F, D)), cell("5-8", {"fighter.type": "tony"}, damage(F, F, D)),
    cell("5-8", {"fighter.type": "zeke"}, damage(D, F, D)), cell("5-8", {"fighter.type": "frank"}, damage(F, F, D)),
    cell("5-8", {"fighter.type": "tojo"}, damage(F, D, F)), cell("5-8", {"fighter.type": "oscar"}, damage(D, D, F)),
    cell("5-8", {"fighter.type": "george"}, damage(F, D, F)), cell("5-8", {"fighter.type": "irving"}, damage(F, D, F)),
    cell("5-8", {"fighter.type": "jack"}, damage(F, F, D)),
    # 5-9
    *(cell("5-9", {"fighter.clock": c, "fighter.angle": a}, HIT_9) for c in FRONT for a in ANGLES),
    *(cell("5-9", {"fighter.clock": c, "fighter.angle": a}, HIT_8) for c in SIDES for a in ANGLES),
    *(cell("5-9", {"fighter.clock": "6", "fighter.angle": a}, HIT_7) for a in ANGLES),
    cell("5-9", {"fighter.clock": "dive"}, HIT_9), cell("5-9", {"fighter.clock": "climb"}, HIT_7),
    # 5-10
    *(cell("5-10", {"fighter.clock": clock}, shells) for clock, shells in SHELLS.items()),
    # 5-11
    *(cell("5-11", {"fighter.clock": c, "fighter.angle": a}, AREA_FRONT[a]) for c in FRONT for a in ANGLES),
    *(cell("5-11", {"fighter.clock": "3", "fighter.angle": a}, area_side(a, "starboard-wing")) for a in ANGLES),
    *(cell("5-11", {"fighter.clock": "9", "fighter.angle": a}, area_side(a, "port-wing")) for a in ANGLES),
    *(cell("5-11", {"fighter.clock": "6", "fighter.angle": a}, AREA_6[a]) for a in ANGLES),
    cell("5-11", {"fighter.clock": "dive"}, AREA_DIVE), cell("5-11", {"fighter.clock": "climb"}, AREA_CLIMB),
    cell("5-11.wing-a", {}, join(span(0, 3, "port-wing"), span(4, 7, "starboard-wing"))),
    cell("5-11.bomb-bay-b", {}, join(span(1, 3, "fwd-bomb-bay"), span(4, 6, "aft-bomb-bay"))),
    cell("5-11.note-c", {}, join(span(1, 3, "nose"), span(4, 6, "nav-radio"))),
    # 5-12
    cell("5-12", {"fighter.type": "nick"}, rows(1, "2", "2", "2", "2", "3", "3")),
    cell("5-12", {"fighter.type": "tony"}, rows(1, "2", "2", "2", "2", "2", "2")),
    cell("5-12", {"fighter.type": "zeke"}, rows(1, "0", "note-b", "1", "2", "2", "2")),
    cell("5-12", {"fighter.type": "frank"}, rows(1, "1", "1", "1", "2", "2", "2")),
    cell("5-12", {"fighter.type": "tojo"}, rows(1, "1", "1", "1", "1", "1", "1")),
    cell("5-12", {"fighter.type": "oscar"}, rows(1, "1", "1", "1", "1", "1", "1")),
    cell("5-12", {"fighter.type": "george"}, rows(1, "0", "1", "2", "2", "2", "2")),
    cell("5-12", {"fighter.type": "irving"}, rows(1, "2", "2", "2", "2", "2", "2")),
    cell("5-12", {"fighter.type": "jack"}, rows(1, "2", "2", "2", "2", "2", "2")),
    cell("5-12.note-b", {}, join(span(1, 3, "0"), span(4, 6, "1"))),
    # 5-13
    cell("5-13", {"engines.out": 0}, {2: "climb", 3: "climb", 4: "6-low", 5: "10:30-low", 6: "9-low", 7: "6-low",
        8: "3-low", 9: "1:30-low", 10: "6-low", 11: "9-low", 12: "3-low"}),
    *(
        cell("5-13", {"engines.out": n, "fighter.type": kind}, again("high"))
        for n in (1, 2, 3, 4)
        for kind in HIGH_AGAIN
    ),
    *(cell("5-13", {"engines.out": n, "fighter.type": kind}, again("low")) for n in (1, 2, 3, 4) for kind in LOW_AGAIN),
    # 5-14
    cell("5-14", {}, join(span(-2, 10, "none"), span(11, 13, "fixed"))),
    cell("5-14.b", {}, join(span(2, 2, "jam"), span(3, 11, "none"), span(12, 12, "suppressed"))),
    cell("5-14.jam", {}, join(span(1, 3, "fwd-lower"), span(4, 6, "aft-lower"))),
    # 5-15 (row 13 before Mission 15: see AFTER_NOTES)
    *(
        cell("5-15", {"mission.number": n}, join(span(1, 8, "none"), rows(9, "note-a", "nick", "irving", "nick"),
            span(13, 14, "note-b")))
        for n in (15, 35)
    ),
    cell("5-15.a", {}, join(span(1, 5, "none"), span(6, 7, "hit"))),
    cell("5-15.b", {"mission.number": 15}, join(span(1, 3, "baka"), span(4, 6, "coordinated"))),
    cell("5-15.d", {}, rows(1, "1", "1", "2", "2", "3", "3")),
    # 6-1, 6-2
    cell("6-1", {}, join(span(-2, 1, "completely"), span(2, 3, "mostly"), span(4, 5, "slightly"), span(6, 9, "clear"))),
    cell("6-2", {}, join(span(-6, 1, "none"), span(2, 4, "light"), span(5, 6, "medium"), span(7, 10, "heavy"))),
    # 6-3
    cell("6-3", {"flak": "light"}, rows(2, "hit", "miss", "miss", "miss", "miss", "miss", "miss", "miss", "miss",
        "miss", "hit")),
    cell("6-3", {"flak": "medium"}, rows(2, "hit", "hit", "miss", "miss", "miss", "hit", "miss", "miss", "miss",
        "hit", "hit")),
    cell("6-3", {"flak": "heavy"}, rows(2, "hit", "hit", "miss", "hit", "miss", "hit", "miss", "hit", "miss", "hit",
        "hit")),
    # 6-4, 6-5
    cell("6-4", {}, rows(2, "bip", "1", "4", "3", "2", "1", "2", "3", "4", "5", "4")), cell("6-5", {}, LOCATIONS),
    # 6-6, 6-7
    cell("6-6", {}, join(span(-11, 2, "off"), span(3, 9, "on"))),
    cell("6-7", {"bomb-run": "on"}, rows(2, "3dx1d", "60", "50", "40", "30", "20", "30", "40", "50", "3dx1d", "88+2d")),
    cell("6-7", {"bomb-run": "off"}, rows(2, "2d-6x3", "5", "0", "0", "0", "0", "0", "0", "0", "1d", "2d")),
    # 6-8, 6-9
    cell("6-8", {}, join(span(-2, 2, "severe"), span(3, 9, "moderate"))),
    cell("6-9", {}, join(span(2, 6, "none"), rows(7, "wings", "wing-roots", "wing-roots-and-crew", "collision",
        "bombs", "flipped"))),
    cell("6-9.crew", {}, join(span(1, 5, "none"), span(6, 6, "wound"))),
    cell("6-9.collision", {}, join(span(1, 10, "none"), span(11, 13, "collision"))),
    cell("6-9.bombs", {}, join(span(1, 5, "none"), span(6, 6, "explosion"))),
    cell("6-9.flipped", {}, join(span(1, 4, "crash"), span(5, 6, "righted"))),
    # 7-1
    cell("7-1", {}, {2: "oxygen", 3: "gunsight", 4: "nose-gear", 5: "hydraulics", 6: "crew", 7: "superficial",
        8: "windshield", 9: "instruments", 10: "bombsight", 11: "superficial", 12: "radio-compass"}),
    cell("7-1.oxygen", {}, rows(1, "pilot-and-copilot", "pilot", "copilot", "bombardier", "bombardier", "fire")),
    cell("7-1.hydraulics", {}, FLUID),
    cell("7-1.crew", {}, rows(1, "pilot-and-copilot", "pilot", "copilot", "bombardier", "pilot-copilot-bombardier",
        "bombardier-and")),
    cell("7-1.a", {}, join(span(1, 4, "none"), span(5, 6, "wound"))), cell("7-1.b", {}, ONE_IN_SIX),
    cell("7-1.c", {}, join(span(1, 2, "extended"), span(3, 6, "stuck"))),
    cell("7-1.d", {}, join(span(1, 2, "raised"), span(3, 6, "stuck"))),
    # 7-2
    cell("7-2", {}, {2: "oxygen", 3: "hydraulics", 4: "instruments", 5: "radio", 6: "crew", 7: "superficial",
        8: "armament", 9: "intercom", 10: "navigator-equipment", 11: "superficial", 12: "extinguisher"}),
    cell("7-2.oxygen", {}, rows(1, "engineer", "navigator", "radio-operator", "fire", "again", "again")),
    cell("7-2.hydraulics", {}, FLUID),
    cell("7-2.crew", {}, join(span(1, 2, "engineer"), span(3, 4, "navigator"), span(5, 6, "radio-operator"))),
    cell("7-2.armament", {}, join(span(1, 3, "fwd-upper"), span(4, 6, "fwd-lower"))),
    cell("7-2.navigator-equipment", {}, join(span(1, 3, "navigator-tools"), span(4, 6, "loran"))),
    cell("7-2.a", {}, ONE_IN_SIX),
    # 7-3
    cell("7-3", {}, {2: "air-duct", 3: "fuel-tank", 4: "raft", 5: "bombs-or-tank", 6: "bombs-or-tank",
        7: "superficial", 8: "doors", 9: "tunnel", 10: "release", 11: "superficial", 12: "radio-compass"}),
    cell("7-3.air-duct", {}, DUCT), cell("7-3.fuel-tank", {}, CENTER_TANK),
    cell("7-3.bombs-or-tank", {}, BOMBS_OR_TANK), cell("7-3.doors", {}, DOORS), cell("7-3.tunnel", {}, ONE_IN_SIX),
    cell("7-3.a", {}, join(span(1, 4, "burning"), span(5, 6, "explosion"))),
    cell("7-3.c", {}, join(span(1, 4, "none"), span(5, 6, "detonate"))),
    cell("7-3.d", {}, join(span(1, 4, "leak"), span(5, 6, "fire"))),
    cell("7-3.e", {}, join(span(1, 2, "opened"), span(3, 6, "jammed"))),
    cell("7-3.motor", {}, join(span(1, 3, "worked"), span(4, 4, "burnt-out"), span(5, 6, "jammed"))),
    cell("7-3.f", {}, join(span(0, 2, "dropped"), span(3, 6, "stuck"))),
    # 7-4 (its notes a to f are those of 7-3)
    cell("7-4", {}, {2: "air-duct", 3: "fuel-tank", 4: "raft", 5: "bombs-or-tank", 6: "bombs-or-tank",
        7: "superficial", 8: "doors", 9: "tunnel", 10: "release", 11: "superficial", 12: "transfer-pump"}),
    cell("7-4.air-duct", {}, DUCT), cell("7-4.fuel-tank", {}, CENTER_TANK),
    cell("7-4.bombs-or-tank", {}, BOMBS_OR_TANK), cell("7-4.doors", {}, DOORS), cell("7-4.tunnel", {}, ONE_IN_SIX),
    cell("7-4.g", {}, join(span(1, 4, "usable"), span(5, 6, "blocked"))),
    cell("7-4.pump", {}, join(span(1, 3, "failed-pump"), span(4, 6, "other-pump"))),
    # 7-5
    *(
        cell("7-5", {"area": area}, {2: "gyro-compass", 3: "wing-root", 4: "air-duct", 5: "flap", 6: "aileron",
            7: "superficial", 8: "superficial", 9: "fuel-tank", 10: "engines", 11: "wing-root", 12: "landing-gear"})
        for area in ("port-wing", "starboard-wing")
    ),
    cell("7-5.air-duct", {}, DUCT), cell("7-5.flap", {}, join(span(1, 3, "inoperable"), span(4, 6, "none"))),
    cell("7-5.aileron", {}, join(span(1, 3, "inoperable"), span(4, 6, "none"))),
    cell("7-5.fuel-tank", {}, join(span(1, 3, "outboard"), span(4, 6, "inboard"))), cell("7-5.tank", {}, CENTER_TANK),
    cell("7-5.engines", {"area": "port-wing"}, join(span(1, 3, "1"), span(4, 6, "2"))),
    cell("7-5.engines", {"area": "starboard-wing"}, join(span(1, 3, "3"), span(4, 6, "4"))),
    cell("7-5.engine", {}, join(span(1, 2, "superficial"), span(3, 4, "out"), span(5, 5, "runaway"),
        span(6, 6, "oil"))),
    cell("7-5.landing-gear", {}, join(span(1, 2, "brakes"), span(3, 5, "inoperable"), span(6, 6, "drops"))),
    # 8.4, 8.5
    cell("8.4", {"weather": "good"}, join(span(1, 4, "good"), span(5, 6, "poor"))),
    cell("8.4", {"weather": "poor"}, join(span(1, 4, "poor"), span(5, 6, "bad"))),
    cell("8.5", {}, join(span(1, 3, "first"), span(4, 6, "second"))),
]  # fmt: skip

# --- modifiers ------------------------------------------------------------------------------------------------------

SHOT: Facts = {"fighter.clock": "12", "fighter.type": "frank", "fighter.pilot": "average", "gun": "fwd-upper"}
TAIL_SHOT: Facts = {"fighter.clock": "6", "fighter.type": "frank", "fighter.pilot": "average", "gun": "tail"}
ATTACK: Facts = {
    "fighter.clock": "12", "fighter.angle": "high", "fighter.type": "frank", "fighter.pilot": "average",
    "fighter.fca": 0,
}  # fmt: skip
UA: Facts = {"target.type": "urban-area"}
PLANT: Facts = {"target.type": "industrial"}
FIT: Facts = {"radar": "ok", "intercom": "ok", "crew.radar-operator": "ok"}
TAIL_MAN_ALONE: Facts = {"crew.cfc": "absent", "crew.left-gunner": "absent", "crew.right-gunner": "absent"}

MODIFIERS: list[tuple[str, Facts, Facts, int, str]] = [
    # 4.2 D
    ("4.2D", {"intercom": "ok"}, {"intercom": "out"}, 2, "intercom"),
    # 4-2
    ("4-2", {"altitude": "med"}, {"altitude": "hi"}, -1, "HI"),
    ("4-2", {"weather.previous": "good"}, {"weather.previous": "poor"}, 1, "poor"),
    ("4-2", {"weather.previous": "good"}, {"weather.previous": "bad"}, 2, "bad"),
    # 4-3: outside formation only
    ("4-3", {"formation": "out"}, {"radar": "out"}, 1, "radar"),
    ("4-3", {"formation": "out"}, {"crew.radar-operator": "kia"}, 1, "radar"),
    ("4-3", {"formation": "out"}, {"crew.radar-operator": "serious"}, 1, "radar"),
    ("4-3", {"formation": "out"}, {"radar": "out", "crew.radar-operator": "kia"}, 1, "radar"),
    ("4-3", {"formation": "out"}, {"storm.detour": "yes"}, -1, "detour"),
    ("4-3", {**NIGHT}, {"radar": "out"}, 1, "radar"), ("4-3", {**NIGHT}, {"storm.detour": "yes"}, -1, "detour"),
    ("4-3.a", {"formation": "out"}, {"formation": "in"}, 3, "formation"),
    # 5-1
    ("5-1", {"resistance.expected": "moderate"}, {"resistance.expected": "heavy"}, 1, "heavy"),
    ("5-1", {"resistance.expected": "moderate"}, {"resistance.expected": "none"}, -1, "none"),
    ("5-1", {"gazetteer": 0}, {"gazetteer": 1}, 1, "gazetteer"),
    ("5-1", {"gazetteer": 0}, {"gazetteer": 2}, 2, "gazetteer"),
    ("5-1", {"gazetteer": 0}, {"gazetteer": -1}, -1, "gazetteer"),
    ("5-1", {"gazetteer": 0}, {"gazetteer": -2}, -2, "gazetteer"),
    ("5-1", {"altitude": "med"}, {"altitude": "hi"}, -2, "HI"),
    ("5-1", {"altitude": "med", **DAY_IN}, {"altitude": "lo"}, 1, "LO"),
    ("5-1", {"weather": "good"}, {"weather": "poor"}, -1, "poor"),
    ("5-1", {"weather": "good"}, {"weather": "bad"}, -2, "bad"),
    ("5-1", {"assembly": "normal"}, {"assembly": "tight"}, -1, "tight"),
    ("5-1", {"assembly": "normal"}, {"assembly": "difficult"}, 1, "difficult"),
    ("5-1", {"escort": "none"}, {"escort": "f6f"}, -1, "F6F"),
    ("5-1", {"escort": "none"}, {"escort": "p38"}, -1, "P-38"),
    ("5-1", {"escort": "none"}, {"escort": "p51"}, -2, "P-51"),
    ("5-1", {"leg": "outbound"}, {"leg": "inbound"}, 1, "inbound"),
    ("5-1", {**DAY_IN}, {"formation": "out"}, 2, "out of formation"),
    ("5-1", {"formation.disrupted": "no", **DAY_IN}, {"formation.disrupted": "yes"}, 1, "disrupted"),
    ("5-1", {"mission.number": 10}, {"mission.number": 11}, -1, "Iwo Jima"),
    ("5-1", {"mission.number": 1}, {"mission.number": 35}, -1, "Iwo Jima"),
    # 5-2
    ("5-2", {"altitude": "med"}, {"altitude": "hi"}, 1, "HI"),
    ("5-2", {"altitude": "med"}, {"altitude": "lo"}, -1, "LO"),
    # 5-3 notes b, c
    ("5-3.b.collision", {"formation": "out", "evasive": "no"}, {"evasive": "yes"}, -1, "evasive"),
    ("5-3.c", {"fighter.pilot": "average"}, {"fighter.pilot": "ace"}, 1, "ace"),
    ("5-3.c", {"fighter.pilot": "average"}, {"fighter.pilot": "green"}, -1, "green"),
    ("5-3.c", {"fighter.pilot": "average", "formation": "out", "evasive": "no"}, {"evasive": "yes"}, -1, "evasive"),
    # printed with "or": a green pilot and evasion together are one -1
    ("5-3.c", {"fighter.pilot": "average", "formation": "out", "evasive": "no"},
     {"fighter.pilot": "green", "evasive": "yes"}, -1, "green"),
    # 5-4
    ("5-4", {"fighter.clock": "3"}, {"fighter.clock": "10:30"}, 1, "10:30"),
    ("5-4", {"fighter.clock": "3"}, {"fighter.clock": "12"}, 1, "12"),
    ("5-4", {"fighter.clock": "9"}, {"fighter.clock": "1:30"}, 1, "1:30"),
    ("5-4", {"fighter.clock": "9"}, {"fighter.clock": "6"}, -1, "6"),
    # 5-5
    ("5-5", {"fighter.type": "frank"}, {"fighter.type": "george"}, 1, "George"),
    # 5-7
    ("5-7", {**SHOT}, {"fighter.clock": "dive"}, -3, "dive"),
    ("5-7", {**TAIL_SHOT, "mission.number": 1}, {"gun": "cannon"}, -2, "cannon"),
    ("5-7", {**TAIL_SHOT, "fighter.clock": "12", "passing-shot": "no"}, {"passing-shot": "yes"}, -1, "passing"),
    ("5-7", {**TAIL_SHOT, "fighter.clock": "1:30", "passing-shot": "no"}, {"passing-shot": "yes"}, -1, "passing"),
    ("5-7", {**TAIL_SHOT, "fighter.clock": "10:30", "passing-shot": "no"}, {"passing-shot": "yes"}, -1, "passing"),
    ("5-7", {**TAIL_SHOT, "utility.feed-hits": 0}, {"utility.feed-hits": 1}, -1, "feed"),
    ("5-7", {**TAIL_SHOT, "utility.feed-hits": 0}, {"utility.feed-hits": 2}, -2, "feed"),
    ("5-7", {**TAIL_SHOT, "gun": "cannon", "utility.feed-hits": 0}, {"utility.feed-hits": 1}, -1, "feed"),
    ("5-7", {**TAIL_SHOT, "gun": "cannon", "utility.feed-hits": 0}, {"utility.feed-hits": 3}, -3, "feed"),
    ("5-7", {**SHOT}, {"fighter.pilot": "ace"}, -1, "ace"),
    ("5-7", {**SHOT, "formation": "out", "evasive": "no"}, {"evasive": "yes"}, -1, "evasive"),
    ("5-7", {**SHOT, **DAY_IN}, {**NIGHT}, -1, "night"),
    ("5-7", {**SHOT, **NIGHT, "searchlight": "no"}, {"searchlight": "yes"}, -1, "searchlight"),
    ("5-7", {**SHOT}, {"fighter.pilot": "green"}, 1, "green"), ("5-7", {**SHOT}, {"fighter.type": "nick"}, 1, "Nick"),
    ("5-7", {**SHOT}, {"fighter.type": "irving"}, 1, "Irving"), ("5-7", {**SHOT}, {"fighter.clock": "3"}, 1, "3"),
    ("5-7", {**SHOT}, {"fighter.clock": "9"}, 1, "9"), ("5-7", {**SHOT}, {"fighter.clock": "6"}, 2, "6"),
    ("5-7", {**SHOT, "gun": "fwd-lower"}, {"fighter.clock": "climb"}, 3, "climb"),
    # 5-8
    ("5-8", {"fighter.type": "frank", "gun": "aft-upper", **DAY_IN}, {"formation": "out"}, -1, "out of formation"),
    ("5-8", {"fighter.type": "frank", "gun": "aft-upper", **DAY_IN}, {**NIGHT}, -1, "night"),
    ("5-8", {"fighter.type": "frank", "gun": "aft-upper", "fighter.ramming": "no"}, {"fighter.ramming": "yes"}, 1,
     "ramming"),
    ("5-8", {"fighter.type": "frank", "gun": "tail", "mission.number": 1}, {"gun": "cannon"}, 2, "cannon"),
    ("5-8", {"fighter.type": "frank", "gun": "aft-upper"}, {"gun": "fwd-upper"}, 1, "forward upper"),
    # 5.8 D
    ("5.8D", {**NIGHT, **TAIL_MAN_ALONE}, {"crew.cfc": "ok"}, -1, "gunners"),
    ("5.8D", {**NIGHT, **TAIL_MAN_ALONE}, {"crew.left-gunner": "ok"}, -1, "gunners"),
    ("5.8D", {**NIGHT, **TAIL_MAN_ALONE}, {"crew.right-gunner": "ok"}, -1, "gunners"),
    # 5-9
    ("5-9", {**ATTACK}, {"fighter.fca": 1}, -1, "FCA"), ("5-9", {**ATTACK}, {"fighter.fca": 2}, -2, "FCA"),
    ("5-9", {**ATTACK}, {"fighter.fca": 3}, -3, "FCA"), ("5-9", {**ATTACK}, {"fighter.pilot": "green"}, -1, "green"),
    ("5-9", {**ATTACK, "formation": "out", "evasive": "no"}, {"evasive": "yes"}, -1, "evasive"),
    ("5-9", {**ATTACK}, {"fighter.type": "tojo"}, -1, "Tojo"),
    ("5-9", {**ATTACK, **DAY_IN, "searchlight": "no"}, {**NIGHT}, -1, "night"),
    ("5-9", {**ATTACK}, {"fighter.pilot": "ace"}, 1, "ace"),
    ("5-9", {**ATTACK, "engines.out": 0}, {"engines.out": 2}, 1, "engines"),
    ("5-9", {**ATTACK, "engines.out": 1}, {"engines.out": 3}, 1, "engines"),
    ("5-9", {**ATTACK, "engines.out": 1}, {"engines.out": 4}, 1, "engines"),
    # 5-11 note a
    ("5-11.wing-a", {"fighter.clock": "12"}, {"fighter.clock": "1:30"}, 1, "1:30"),
    ("5-11.wing-a", {"fighter.clock": "6"}, {"fighter.clock": "3"}, 1, "3"),
    ("5-11.wing-a", {"fighter.clock": "6"}, {"fighter.clock": "9"}, -1, "9"),
    ("5-11.wing-a", {"fighter.clock": "12"}, {"fighter.clock": "10:30"}, -1, "10:30"),
    # 5-14
    ("5-14", {**NIGHT, "weather": "good"}, {"weather": "poor"}, -1, "poor"),
    ("5-14", {**NIGHT, "weather": "good"}, {"weather": "bad"}, -2, "bad"),
    ("5-14", {**NIGHT, "evasive": "no"}, {"evasive": "yes"}, -1, "evasive"),
    # printed, though 5.8 A forbids the roll for a starred city
    ("5-14", {**NIGHT, "target.asterisk": "no"}, {"target.asterisk": "yes"}, -1, "asterisk"),
    ("5-14", {**NIGHT}, {"target.city": "Tokyo"}, 1, "Tokyo"),
    ("5-14", {**NIGHT}, {"target.city": "Nagoya"}, 1, "Nagoya"),
    ("5-14", {**NIGHT}, {"target.city": "Shimonoseki"}, 1, "Shimonoseki"),
    # 5-15
    ("5-15", {**NIGHT, "resistance": "moderate"}, {"resistance": "heavy"}, 1, "heavy"),
    ("5-15", {**NIGHT, "resistance": "moderate"}, {"resistance": "light"}, -1, "light"),
    ("5-15", {**NIGHT, "resistance": "moderate", "zone": 12, "target.zone": 12, "searchlight": "no"},
     {"searchlight": "yes"}, 1, "searchlight"),
    # 6-1: good weather is itself a +1, so the weather is always named
    ("6-1", {"weather": "poor"}, {"weather": "good"}, 1, "good"),
    ("6-1", {"weather": "poor"}, {"weather": "bad"}, -1, "bad"),
    ("6-1", {"weather": "poor", "altitude": "med"}, {"altitude": "lo"}, 1, "LO"),
    ("6-1", {"weather": "poor", "altitude": "med"}, {"altitude": "hi"}, -1, "HI"),
    ("6-1", {**UA, "weather": "poor", "bomber.position": "middle"}, {"bomber.position": "lead"}, 1, "lead"),
    ("6-1", {**UA, "weather": "poor", "bomber.position": "middle"}, {"bomber.position": "tail"}, -1, "tail"),
    ("6-1", {**UA, **NIGHT, "weather": "poor", "bomber.position": "middle"}, {"bomber.position": "lead"}, 1, "lead"),
    ("6-1", {**UA, **NIGHT, "weather": "poor", "bomber.position": "middle"}, {"bomber.position": "tail"}, -1, "tail"),
    # 6-2
    ("6-2", {"visibility": "slightly"}, {"visibility": "completely"}, -2, "completely"),
    ("6-2", {"visibility": "slightly"}, {"visibility": "mostly"}, -1, "mostly"),
    ("6-2", {**DAY_IN}, {**NIGHT}, -1, "night"), ("6-2", {"altitude": "med"}, {"altitude": "hi"}, -1, "HI"),
    ("6-2", {"target.asterisk": "no"}, {"target.asterisk": "yes"}, -1, "asterisk"),
    ("6-2", {"formation": "out", "evasive": "no"}, {"evasive": "yes"}, -1, "evasive"),
    ("6-2", {"flak.additional": "no"}, {"flak.additional": "yes"}, -1, "additional"),
    ("6-2", {}, {"target.city": "Tokyo"}, 1, "Tokyo"), ("6-2", {}, {"target.city": "Nagoya"}, 1, "Nagoya"),
    ("6-2", {}, {"target.city": "Yokohama"}, 1, "Yokohama"),
    ("6-2", {"altitude": "lo", "engines.out": 0}, {"engines.out": 1}, 1, "engines"),
    ("6-2", {"altitude": "lo", "engines.out": 0}, {"engines.out": 3}, 1, "engines"),
    ("6-2", {"altitude": "med", "engines.out": 1}, {"altitude": "lo"}, 1, "engines"),
    ("6-2", {"visibility": "slightly"}, {"visibility": "clear"}, 1, "clear"),
    ("6-2", {**NIGHT, "searchlight": "no"}, {"searchlight": "yes"}, 1, "searchlight"),
    # 6-6
    ("6-6", {"altitude": "med", "course.missed-ip": 0}, {"altitude": "hi"}, -2, "HI"),
    ("6-6", {"altitude": "med", "course.missed-ip": 1}, {"altitude": "hi"}, -3, "HI"),
    ("6-6", {"altitude": "med", "course.missed-ip": 2}, {"altitude": "hi"}, -3, "HI"),
    ("6-6", {**UA, "release-mechanism": "ok"}, {"release-mechanism": "failed"}, -2, "release"),
    ("6-6", {**PLANT, "autopilot": "ok"}, {"autopilot": "out"}, -2, "pilot"),
    ("6-6", {**DAY_IN, "formation.disrupted": "no"}, {"formation.disrupted": "yes"}, -1, "disrupted"),
    ("6-6", {**PLANT, **DAY_IN}, {**NIGHT}, -1, "night"),
    ("6-6", {**NIGHT, "searchlight": "no"}, {"searchlight": "yes"}, -1, "searchlight"),
    ("6-6", {**PLANT, **FIT}, {"radar": "out"}, -1, "radar"),
    ("6-6", {**PLANT, **FIT}, {"intercom": "out"}, -1, "radar"),
    ("6-6", {**PLANT, **FIT}, {"crew.radar-operator": "kia"}, -1, "radar"),
    ("6-6", {**PLANT, **FIT}, {"crew.radar-operator": "serious"}, -1, "radar"),
    ("6-6", {**PLANT, **FIT}, {"radar": "out", "intercom": "out"}, -1, "radar"),
    ("6-6", {**PLANT, **FIT}, {"radar": "out", "intercom": "out", "crew.radar-operator": "kia"}, -1, "radar"),
    ("6-6", {**UA, **FIT}, {"radar": "out"}, -1, "radar"),
    ("6-6", {**PLANT, **FIT, "visibility": "slightly"}, {"visibility": "completely"}, -1, "completely"),
    ("6-6", {**UA, **FIT, "radar": "out", "visibility": "slightly"}, {"visibility": "completely"}, -1, "completely"),
    ("6-6", {**UA, **FIT, "intercom": "out", "visibility": "slightly"}, {"visibility": "completely"}, -1, "completely"),
    ("6-6", {**UA, **FIT, "crew.radar-operator": "serious", "visibility": "slightly"}, {"visibility": "completely"},
     -1, "completely"),
    ("6-6", {**UA, **FIT, "crew.radar-operator": "kia", "visibility": "slightly"}, {"visibility": "completely"}, -1,
     "completely"),
    ("6-6", {**PLANT, **DAY_IN, **FIT, "bombsight": "ok"}, {"bombsight": "out"}, -1, "bombsight"),
    ("6-6", {**PLANT, **NIGHT, **FIT, "bombsight": "ok"}, {"bombsight": "out"}, -1, "bombsight"),
    ("6-6", {**UA, **DAY_IN, **FIT, "radar": "out", "bombsight": "ok"}, {"bombsight": "out"}, -1, "bombsight"),
    ("6-6", {**UA, **DAY_IN, **FIT, "intercom": "out", "bombsight": "ok"}, {"bombsight": "out"}, -1, "bombsight"),
    ("6-6", {**UA, **DAY_IN, **FIT, "crew.radar-operator": "kia", "bombsight": "ok"}, {"bombsight": "out"}, -1,
     "bombsight"),
    ("6-6", {"crew.bombardier": "ok"}, {"crew.bombardier": "kia"}, -1, "bombardier"),
    ("6-6", {"crew.bombardier": "ok"}, {"crew.bombardier": "serious"}, -1, "bombardier"),
    ("6-6", {**NIGHT, "crew.navigator": "ok", "navigator.lost-in-target-zone": "no"}, {"crew.navigator": "kia"}, -1,
     "navigator"),
    ("6-6", {**NIGHT, "crew.navigator": "ok", "navigator.lost-in-target-zone": "no"}, {"crew.navigator": "serious"},
     -1, "navigator"),
    ("6-6", {"formation": "out", "crew.navigator": "ok", "navigator.lost-in-target-zone": "no"},
     {"crew.navigator": "serious"}, -1, "navigator"),
    ("6-6", {"formation": "out", "crew.navigator": "ok", "navigator.lost-in-target-zone": "no"},
     {"crew.navigator": "kia"}, -1, "navigator"),
    ("6-6", {"formation": "out", "evasive.bomb-run": "no"}, {"evasive.bomb-run": "yes"}, -1, "evasive"),
    ("6-6", {**NIGHT, "evasive.bomb-run": "no"}, {"evasive.bomb-run": "yes"}, -1, "evasive"),
    ("6-6", {"altitude": "med"}, {"altitude": "lo"}, 1, "LO"),
    ("6-6", {"visibility": "slightly"}, {"visibility": "clear"}, 1, "clear"), ("6-6", {**PLANT}, {**UA}, 1, "U/A"),
    # 6-8
    ("6-8", {"bomb-run": "on", "bomber.position": "middle"}, {"bomber.position": "lead"}, 1, "lead"),
    ("6-8", {"bomb-run": "on", "squadron": "middle"}, {"squadron": "high"}, 1, "high"),
    ("6-8", {"bomb-run": "on"}, {"bomb-run": "off"}, 1, "off target"),
    ("6-8", {"bomb-run": "on", "bomber.position": "middle"}, {"bomber.position": "tail"}, -1, "tail"),
    ("6-8", {"bomb-run": "on", "squadron": "middle"}, {"squadron": "low"}, -1, "low"),
    # 6-9 row 10
    ("6-9.collision", {"squadron": "middle"}, {"squadron": "low"}, 1, "low"),
    ("6-9.collision", {"squadron": "middle"}, {"squadron": "high"}, -1, "high"),
]  # fmt: skip

NOT_APPLIED: list[tuple[str, Facts, str]] = [
    # 4-3: in formation
    ("4-3", {**DAY_IN, "radar": "out"}, "radar"), ("4-3", {**DAY_IN, "crew.radar-operator": "kia"}, "radar"),
    ("4-3", {**DAY_IN, "storm.detour": "yes"}, "detour"),
    # 5-1
    ("5-1", {**NIGHT, "altitude": "lo"}, "LO"), ("5-1", {**NIGHT}, "out of formation"),
    ("5-1", {"formation": "out", "formation.disrupted": "yes"}, "disrupted"),
    ("5-1", {**NIGHT, "formation.disrupted": "yes"}, "disrupted"), ("5-1", {"mission.number": 10}, "Iwo Jima"),
    # 5-7
    ("5-7", {**SHOT, "utility.feed-hits": 2}, "feed"),
    ("5-7", {**SHOT, "gun": "aft-upper", "utility.feed-hits": 1}, "feed"),
    ("5-7", {**SHOT, "gun": "aft-lower", "utility.feed-hits": 1}, "feed"),
    ("5-7", {**SHOT, "gun": "fwd-lower", "utility.feed-hits": 1}, "feed"),
    ("5-7", {**SHOT, "passing-shot": "yes"}, "passing"),
    ("5-7", {**SHOT, **DAY_IN, "searchlight": "yes"}, "searchlight"),
    # 5-9
    ("5-9", {**ATTACK, **NIGHT, "searchlight": "yes"}, "night"), ("5-9", {**ATTACK, "engines.out": 1}, "engines"),
    # 5-14: Yokohama is on the list of 6-2 only
    ("5-14", {**NIGHT, "target.city": "Yokohama"}, "Tokyo"),
    # 6-1: position counts on U/A missions only
    ("6-1", {**PLANT, "weather": "poor", "bomber.position": "lead"}, "lead"),
    ("6-1", {**PLANT, "weather": "poor", "bomber.position": "tail"}, "tail"),
    # 6-2: LO and an engine out must come together; Shimonoseki is on the list of 5-14 only
    ("6-2", {"altitude": "lo", "engines.out": 0}, "engines"), ("6-2", {"altitude": "med", "engines.out": 2}, "engines"),
    ("6-2", {"altitude": "hi", "engines.out": 1}, "engines"), ("6-2", {"target.city": "Shimonoseki"}, "Tokyo"),
    # 6-6
    ("6-6", {"altitude": "med", "course.missed-ip": 1}, "HI"), ("6-6", {"altitude": "lo", "course.missed-ip": 1}, "HI"),
    ("6-6", {**PLANT, "release-mechanism": "failed"}, "release"), ("6-6", {**UA, "autopilot": "out"}, "pilot"),
    ("6-6", {"formation": "out", "formation.disrupted": "yes"}, "disrupted"),
    ("6-6", {**NIGHT, "formation.disrupted": "yes"}, "disrupted"),
    ("6-6", {**UA, **FIT, "visibility": "completely"}, "completely"),
    ("6-6", {**UA, **DAY_IN, **FIT, "bombsight": "out"}, "bombsight"),
    ("6-6", {**UA, **NIGHT, **FIT, "bombsight": "out"}, "bombsight"),
    ("6-6", {**DAY_IN, "crew.navigator": "kia"}, "navigator"),
    ("6-6", {**NIGHT, "crew.navigator": "kia", "navigator.lost-in-target-zone": "yes"}, "navigator"),
    ("6-6", {"formation": "out", "crew.navigator": "serious", "navigator.lost-in-target-zone": "yes"}, "navigator"),
]  # fmt: skip

NATURAL: list[tuple[str, Facts, tuple[int, ...], str]] = [
    # net 2 + 3 + 1 + 1 = 7
    ("5-7", {"fighter.clock": "climb", "fighter.type": "nick", "fighter.pilot": "green", "gun": "fwd-lower"}, (1, 1),
     "jam"),
    # net 2 + 2 = 4
    ("5-7", {**TAIL_SHOT}, (1, 1), "jam"),
    # net 2 - 3 = -1
    ("5-7", {**SHOT, "fighter.clock": "dive"}, (1, 1), "jam"),
    # cannon: -2 + 2 + 1 + 1 = +2, so 4 and 5
    ("5-7", {**TAIL_SHOT, "gun": "cannon", "fighter.type": "nick", "fighter.pilot": "green"}, (1, 1), "jam"),
    ("5-7", {**TAIL_SHOT, "gun": "cannon", "fighter.type": "nick", "fighter.pilot": "green"}, (1, 2), "cannon-jam"),
    ("5-7", {**TAIL_SHOT, "gun": "cannon", "fighter.type": "nick", "fighter.pilot": "green"}, (2, 1), "cannon-jam"),
    # net 12 - 3 - 1 = 8
    ("5-7", {**SHOT, "fighter.clock": "dive", "fighter.pilot": "ace"}, (6, 6), "hit"),
    # net 12 - 2 + 2 - 3 = 9
    ("5-7", {**TAIL_SHOT, "gun": "cannon", "utility.feed-hits": 3}, (6, 6), "hit"),
    # net 12 - 1 - 1 - 2 = 8
    ("5-9", {**ATTACK, "fighter.type": "tojo", "fighter.pilot": "green", "fighter.fca": 2}, (6, 6), "hit"),
    # from 6: net 12 - 1 - 1 - 3 - 1 = 6
    ("5-9", {**ATTACK, "fighter.clock": "6", "fighter.type": "tojo", "fighter.pilot": "green", "fighter.fca": 3,
     "formation": "out", "evasive": "yes"}, (6, 6), "hit"),
    # the searchlight shot has no modifiers at all; 2 is printed as unmodified
    ("5-14.b", {**NIGHT, "squadron": "low", "searchlight": "yes", "evasive": "yes"}, (1, 1), "jam"),
]  # fmt: skip

# --- beyond the brief -----------------------------------------------------------------------------------------------

# George: half as many again, down; Oscar: half, up
GEORGE = {"1": "1", "2": "3", "3": "4", "4": "6", "5": "7", "6": "9", "7": "10"}
OSCAR = {"1": "1", "2": "1", "3": "2", "4": "2", "5": "3", "6": "3", "7": "4"}

AFTER_NOTES: list[Cell] = [
    *(
        cell("5-10", {"fighter.clock": c, "fighter.type": "george"}, {row: GEORGE[n] for row, n in shells.items()})
        for c, shells in SHELLS.items()
    ),
    *(
        cell("5-10", {"fighter.clock": c, "fighter.type": "oscar"}, {row: OSCAR[n] for row, n in shells.items()})
        for c, shells in SHELLS.items()
    ),
    # Bakas come on Missions 15-35 only: before that the row is nothing
    *(cell("5-3.special", {"mission.number": n}, {1: "none"}) for n in (1, 14)),
    *(cell("5-15", {"mission.number": n}, span(13, 14, "none")) for n in (1, 14)),
    # rows 7 to 11 double on U/A, at most 100 (11 is a formula)
    cell("6-7", {"bomb-run": "on", **UA}, rows(3, "60", "50", "40", "30", "40", "60", "80", "100")),
]

UNNAMED: list[Cell] = [
    # Baka: hit on 11-12, evasion (-1) the only modifier; then destroyed on 7-12
    cell("5-3.b.fire", {}, join(span(1, 10, "miss"), span(11, 12, "hit"))),
    cell("5-3.b.destroyed", {}, join(span(2, 6, "none"), span(7, 12, "destroyed"))),
    # 5-15 note c repeats note b of 5-3
    cell("5-15.c.fire", {}, join(span(1, 10, "miss"), span(11, 12, "hit"))),
    cell("5-15.c.destroyed", {}, join(span(2, 6, "none"), span(7, 12, "destroyed"))),
    cell("5-15.c.blast", {}, join(span(1, 4, "blast"), span(5, 6, "none"))),
    cell("5-15.c.collision", {}, join(span(1, 10, "none"), span(11, 12, "collision"))),
    # friendly fire: number of shells, and 5-15's own copy of the locations
    cell("5-3.f.shells", {}, rows(1, "1", "2", "3", "4", "5", "6")),
    cell("5-15.a.shells", {}, rows(1, "1", "2", "3", "4", "5", "6")),
    cell("5-15.a.area", {}, LOCATIONS),
    # second dice inside a row or note
    cell("7-1.crew.bombardier-and", {}, join(span(1, 3, "pilot"), span(4, 6, "copilot"))),
    cell("7-1.b.decompression", {}, join(span(1, 5, "none"), span(6, 6, "decompression"))),
    cell("7-2.oxygen.again", {}, join(span(1, 2, "engineer"), span(3, 4, "navigator"), span(5, 6, "radio-operator"))),
    cell("7-2.a.decompression", {}, join(span(1, 5, "none"), span(6, 6, "decompression"))),
    # center tank leak, halved up, before the pumps: both working -1, both failed +1
    cell("7-3.b", {}, rows(1, "1", "1", "2", "2", "3", "3")),
]

AUTOMATIC: list[tuple[str, Facts, str]] = [
    ("6-6", {"mission.time": "day", "formation": "out", "bombsight": "out"}, "off")
]
