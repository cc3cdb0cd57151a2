"""Figures of the Streamliner v1.9, typed by hand from its text before the pack was written, in the form of `b29`."""

from tests.book.writing import Cell, Facts, cell, join, span

ALONE: Facts = {"mission.time": "day", "formation": "out"}
LEAD: Facts = {"mission.time": "day", "formation": "in", "bomber.position": "lead", "squadron": "low"}
FOLLOW: Facts = {"mission.time": "day", "formation": "in", "bomber.position": "middle"}
NIGHT: Facts = {"mission.time": "night", "formation": "none"}
GOOD: Facts = {"zone": 10, "below": "land", "missions.navigator": 10, "weather": "good"}

COURSE = join(span(-2, 10, "on"), span(11, 20, "off"))

CELLS: list[Cell] = [
    cell("4-8", {**ALONE, **GOOD}, COURSE), cell("4-8", {**LEAD, **GOOD}, COURSE),
    cell("4-8", {**NIGHT, **GOOD}, COURSE), cell("4-8", {**FOLLOW, **GOOD}, COURSE),
    cell("4-8.leader", {}, join(span(1, 5, "stay"), span(6, 6, "home"))),
    cell("4.6", {}, join(span(2, 11, "none"), span(12, 12, "event"))),
    cell("4.6.kind", {}, join(span(1, 2, "special"), span(3, 6, "normal"))),
    cell("5-1", {}, join(span(-8, 4, "none"), span(5, 7, "light"), span(8, 10, "moderate"), span(11, 20, "heavy"))),
    cell("5.2A", {"resistance": "light"}, join(span(1, 1, "attack"), span(2, 6, "none"))),
    cell("5.2A", {"resistance": "moderate"}, join(span(1, 2, "attack"), span(3, 6, "none"))),
    cell("5.2A", {"resistance": "heavy"}, join(span(1, 3, "attack"), span(4, 6, "none"))),
    cell("5-14", {}, join(span(-3, 10, "none"), span(11, 14, "fixed"))),
    cell(
        "17", {},
        dict(
            enumerate(
                "food-poisoning cfc fuel-saved storm pathfinder fuel-wasted pickle-barrel high-pressure radar icing"
                " sharpshooter".split(), 2,
            )
        ),
    ),
    cell("17.food", {}, join(span(1, 2, "none"), span(3, 4, "mild"), span(5, 6, "severe"))),
    cell("17.sharpshooter", {}, join(span(1, 1, "bombardier"), span(2, 3, "cfc"), span(4, 4, "left-gunner"),
        span(5, 5, "right-gunner"), span(6, 6, "tail-gunner"))),
]  # fmt: skip

# (table, base, trigger, amount): the trigger adds exactly this much
MODIFIERS: list[tuple[str, Facts, Facts, int]] = [
    *[
        ("4-8", {**form, **GOOD}, trigger, amount)
        for form in (ALONE, LEAD, NIGHT)
        for trigger, amount in (
            ({"missions.navigator": 14}, -1), ({"missions.navigator": 14, "crew.navigator": "light"}, -1),
            ({"missions.navigator": 7}, 1), ({"zone": 3}, 1), ({"zone": 9}, 1), ({"course": "off"}, 1),
            ({"gyro-compass": "out"}, 1), ({"navigator-tools": "out"}, 1), ({"radar": "out"}, 1),
            ({"crew.radar-operator": "serious"}, 1), ({"radar": "out", "crew.radar-operator": "kia"}, 1),
            ({"crew.navigator": "kia"}, 2), ({"crew.navigator": "serious", "missions.navigator": 14}, 2),
            ({"weather": "poor"}, 2), ({"weather": "bad"}, 3), ({"pathfinder": "yes"}, -1),
        )
    ],
    ("4-8", {**ALONE, **GOOD, "zone": 7, "mission.number": 11}, {"loran": "out"}, 1),
    ("4-8", {**ALONE, **GOOD, "zone": 6, "mission.number": 11}, {"radio-compass": "out"}, 1),
    ("4-8", {**ALONE, **GOOD, "zone": 1, "mission.number": 35}, {"radio-compass": "out"}, 1),
    ("4-8", {**FOLLOW, **GOOD}, {"zone": 8}, 1), ("4-8", {**FOLLOW, **GOOD}, {"course": "off"}, 1),
    ("4-8", {**FOLLOW, **GOOD}, {"weather": "poor"}, 2), ("4-8", {**FOLLOW, **GOOD}, {"weather": "bad"}, 3),
    ("5-1", FOLLOW, {"gazetteer": 2}, 2), ("5-1", FOLLOW, {"escort": "p51"}, -2),
    ("5-1", FOLLOW, {"escort": "p38"}, -1), ("5-1", FOLLOW, {"escort": "f6f"}, -1),
    ("5-1", FOLLOW, {"altitude": "hi"}, -2), ("5-1", FOLLOW, {"altitude": "lo"}, -1),
    ("5-1", FOLLOW, {"weather": "bad"}, -2), ("5-1", FOLLOW, {"weather": "poor"}, -1),
    ("5-1", FOLLOW, {"resistance.expected": "none"}, -1), ("5-1", FOLLOW, {"resistance.expected": "heavy"}, 1),
    ("5-1", FOLLOW, {"assembly": "tight"}, -1), ("5-1", FOLLOW, {"assembly": "difficult"}, 1),
    ("5-1", FOLLOW, {"leg": "inbound"}, 1), ("5-1", FOLLOW, {"formation.disrupted": "yes"}, 1),
    ("5-1", FOLLOW, {"formation": "out"}, 2), ("5-14", NIGHT, {"weather": "bad"}, -2),
    ("5-14", NIGHT, {"weather": "poor"}, -1), ("5-14", NIGHT, {"evasive": "yes"}, -1),
    ("5-14", NIGHT, {"target.asterisk": "yes"}, -1), ("5-14", NIGHT, {"target.city": "nagoya"}, 1),
    ("6-6", FOLLOW, {"pickle-barrel": "yes"}, 1),
]  # fmt: skip

# (table, base, trigger): the trigger changes nothing
NOTHING: list[tuple[str, Facts, Facts]] = [
    ("4-8", {**ALONE, **GOOD}, {"zone": 6}),  # not all water
    ("4-8", {**ALONE, **GOOD, "zone": 8, "mission.number": 11}, {"loran": "out"}),
    ("4-8", {**ALONE, **GOOD, "zone": 6, "mission.number": 10}, {"loran": "out"}),
    ("4-8", {**ALONE, **GOOD, "zone": 7, "mission.number": 11}, {"radio-compass": "out"}),
    *[
        ("4-8", {**FOLLOW, **GOOD}, each)
        for each in (
            {"missions.navigator": 0}, {"crew.navigator": "kia"}, {"radar": "out"}, {"gyro-compass": "out"},
            {"pathfinder": "yes"},
        )
    ],
    ("5-1", FOLLOW, {"mission.number": 20}),  # no Iwo Jima modifier
    ("5-1", NIGHT, {"altitude": "lo"}), ("5-1", {**FOLLOW, "formation": "out"}, {"formation.disrupted": "yes"}),
    ("5-1", NIGHT, {"formation.disrupted": "yes"}),
]  # fmt: skip
