"""Counts of events read from a story's text by patterns, compared with those of the journal.

Both must have the same counts of claims, wounds, engines and boxes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from companion.engine.fields import Value
from companion.packs import Pack
from companion.play.journal import Entry
from companion.play.mission import Mission
from companion.play.replay import rewound
from companion.render.story import Story

Happened = Counter[tuple[str, str]]  # of which kind, and whose

# what happens to a man, in all the words there are for it; WHO is his name
OF_MEN = {
    "claim": (
        r"The [a-z ]+ WHO (?:shot down|destroyed) ", r"went down, and the [a-z ]+ WHO had the claim",
        r" fell, to the guns of the [a-z ]+ WHO\.", r"The [a-z ]+ WHO was given 1 more to his score",
    ),
    "light": (
        r"The [a-z ]+ WHO was lightly wounded",
        r"The [a-z ]+ WHO took a light wound",
        r"The [a-z ]+ WHO was ill from bad food, as if lightly wounded",
        r"Bad food made the [a-z ]+ WHO as weak as a light wound",
    ),
    "serious": (
        r"The [a-z ]+ WHO was seriously wounded",
        r"The [a-z ]+ WHO was badly hit",
        r"The [a-z ]+ WHO was ill from bad food, as if seriously wounded",
        r"Bad food made the [a-z ]+ WHO as weak as a serious wound",
    ),
    "kia": (r"The [a-z ]+ WHO was killed", r"The [a-z ]+ WHO was dead"),
    "light again": (r"The [a-z ]+ WHO had another light wound",),
    "frostbite": (r"The [a-z ]+ WHO had frostbite", r"Frostbite took the [a-z ]+ WHO off"),
}  # fmt: skip
OF_ENGINES = {
    "out": (r"Engine (\d) went out", r"They lost engine (\d)", r"Engine (\d) was out"),
    "runaway": (r"Engine (\d) ran away",),
    "ok": (r"Engine (\d) ran again",),
}
WORSE = ("absent", "ok", "light", "serious", "kia")  # a man who is better again was not wounded
BOXES = {  # a field, and its boxes in the story
    "wing-root.port": r"[Pp]ort wing root (?:that )?took (\d+) hit",
    "wing-root.starboard": r"[Ss]tarboard wing root (?:that )?took (\d+) hit",
    "tailplane.port": r"[Pp]ort tailplane root (?:that )?took (\d+) hit",
    "tailplane.starboard": r"[Ss]tarboard tailplane root (?:that )?took (\d+) hit",
    "rudder.hits": r"The rudder took (\d+) hit",
    "extinguishers.used": r"Extinguishers used: (\d+)",
    "oxygen.tanks": r"Oxygen tanks in Utility were hit: (\d+)",
    "fuel.wing": r"(\d+) of the wing tanks",
    "fuel.fwd": r"(\d+) of the forward bay auxiliary tank",
    "fuel.aft": r"(\d+) of the aft bay auxiliary tank",
    "target.box": r"A (box) of the city was crossed off",
    "pumps.failed": r"A fuel (pump) failed",
    **{
        f"charges.{engine}": rf"(?:(\d) charges?|(An) extinguisher charge was spent) on engine {engine}"
        for engine in "1234"
    },
}


def told(pack: Pack, story: Story, names: list[str]) -> Happened:
    """Return the counts from the chapters of a story."""
    counts: Happened = Counter()
    text = "\n".join(" ".join(each.text for each in part) for chapter in story.chapters for part in chapter.paragraphs)
    who = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    for kind, patterns in OF_MEN.items():
        for pattern in patterns:
            counts.update((kind, name) for name in re.findall(pattern.replace("WHO", f"({who})"), text))
    for kind, patterns in OF_ENGINES.items():
        for pattern in patterns:
            counts.update((f"engine {kind}", number) for number in re.findall(pattern, text))
    for field, pattern in BOXES.items():
        for match in re.finditer(f"(written back: )?{pattern}", text):
            back, *figures = match.groups()
            figure = next(filter(None, figures))
            counts["boxes", field] += (int(figure) if figure.isdigit() else 1) * (-1 if back else 1)
    for gun, spec in pack.sheet.index.get("gun", {}).items():
        for fired in re.findall(r"Bursts fired: ([^.]*)", text):
            for part in re.split(", | and ", fired):
                label, _, many = part.rpartition(" ")
                if label.removeprefix("the ").casefold() == str(spec["label"]).casefold():
                    counts["boxes", f"ammo.{gun}"] += int(many)
    return counts


def happened(pack: Pack, mission: Mission) -> Happened:
    """Return the counts from the journal, from the first step on."""
    counts: Happened = Counter()
    state = dict(rewound(mission, 0).state)
    begun = False
    for entry in mission.journal.entries[: mission.journal.position]:
        begun = begun or entry["v"] != "set"
        before = dict(state)
        state |= {name: value for name, (_, value) in entry.get("c", {}).items()}
        if begun:
            for kind, whose, many in _of(pack, entry, before, state):
                counts[kind, whose] += many
    return Counter({what: many for what, many in counts.items() if many})


def _of(pack: Pack, entry: Entry, before: dict[str, Value], state: dict[str, Value]) -> Iterator[tuple[str, str, int]]:
    changes = entry.get("c", {})
    moved = {name.removeprefix("name.") for name in changes if name.startswith("name.")}
    for name, (was, now) in changes.items():
        head, _, member = name.rpartition(".")
        man = str(state.get(f"name.{member}") or "")
        grown = int(now or 0) - int(was or 0) if isinstance(now or 0, int) and isinstance(was or 0, int) else 0
        if head == "engine" and (was or "ok") != (now or "ok"):
            yield f"engine {now or 'ok'}", member, 1
        elif name in BOXES or (head == "ammo" and member in pack.sheet.index["gun"]):
            yield "boxes", name, grown
        elif member in moved or not man:
            continue
        elif head == "crew" and now in WORSE and WORSE.index(now) > WORSE.index(was or "ok"):
            if now not in ("absent", "ok"):
                yield str(now), man, 1
        elif head == "kills":
            yield "claim", man, grown
        elif head == "wounds" and grown > 0 and was:
            yield "light again", man, 1
        elif head == "frostbite" and now == "yes" and was != "yes":
            yield "frostbite", man, 1


def slips(pack: Pack, mission: Mission, story: Story) -> list[str]:
    """Return the differences between a story and its journal, and internal names in its text."""
    names = [str(value) for name, value in mission.state.items() if name.startswith("name.") and value]
    says, did = told(pack, story, names), happened(pack, mission)
    lines = [
        f"{kind} {whose}: told {says[kind, whose]}, was {did[kind, whose]}"
        for kind, whose in {*says, *did}
        if says[kind, whose] != did[kind, whose]
    ]
    sheet = pack.sheet
    words = {
        each for field in sheet.fields.values() for each in field.values if "-" in each.strip("-") and each[0].isalpha()
    }
    words |= {each for index in sheet.index.values() for each in index if "-" in each and each[0].isalpha()}
    words |= {each for each in sheet.fields if "." in each or "-" in each}
    every = [
        *story.sentences(),
        *story.short,
        *(one for each in story.end for one in (each if isinstance(each, list) else [each])),
    ]
    for sentence in every:
        text = sentence.text
        inner = [each for each in re.findall(r"[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)+", text) if each in words]
        bare = re.search(r"[{}\[\]_]|  |\bnone\b(?! expected)|\(\)|: \.|^\W|\ba [aeio]| the the ", text)
        if inner or (bare and bare[0] != "none") or not re.match(r"[A-Z0-9(]", text):
            lines.append(f"{text!r} is no sentence for a reader ({inner or bare})")
    return lines
